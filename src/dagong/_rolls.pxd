"""Rolls (R3.10): listed, and counted by the ways to choose their cards."""

from libc.stdint cimport uint64_t

from dagong._layout cimport PlayRow
from dagong._ruleset cimport Rules
from dagong._spends cimport Ways


cdef PlayRow* list_rolls(
    const Rules* rules, uint64_t counts, int jokers, int floor, PlayRow* out
) noexcept nogil
cdef uint64_t count_rolls(
    const Rules* rules, uint64_t counts, int jokers, int floor, const Ways* ways
) noexcept nogil
cdef int count_rolls_by_rank(const Rules* rules, uint64_t counts, int jokers) noexcept nogil
