"""How many plays there are, at any detail, without listing them."""

from libc.stdint cimport uint64_t

from dagong._layout cimport HandBits, PlayRow
from dagong._ruleset cimport Rules


cdef uint64_t count_ranks_lead(const Rules* rules, HandBits hand) noexcept nogil
cdef uint64_t count_plays(
    const Rules* rules, HandBits hand, PlayRow to_beat, int detail, int called
) noexcept nogil
