"""Loops for timing the core without Python between the calls."""

from libc.stdint cimport uint64_t

from dagong._layout cimport HandBits, PlayRow
from dagong._ruleset cimport Rules

# What a player decides on: a hand, and the play to beat or NO_PLAY.
cdef struct Position:
    HandBits hand
    PlayRow to_beat


cdef uint64_t generate_all(
    const Rules* rules, const Position* positions, Py_ssize_t number, PlayRow* out
) noexcept nogil
cdef uint64_t count_all_leads(const Rules* rules, const Position* positions, Py_ssize_t number) noexcept nogil
cdef uint64_t count_all(
    const Rules* rules, const Position* positions, Py_ssize_t number, int detail
) noexcept nogil
cdef uint64_t compare_all(const PlayRow* plays, Py_ssize_t number) noexcept nogil
