"""Every legal play of a hand, and every declaration of given cards."""

from libc.stdint cimport uint64_t

from dagong._layout cimport HandBits, PlayRow
from dagong._ruleset cimport Rules

cdef enum:
    MOST_PLAYS = 12800         # at Detail.RANKS, of any hand of up to 27 cards under any rules
    SLACK = 8                  # rows that may be written behind the last play of a list
    MOST_DECLARATIONS = 32     # of the same cards


cdef int generate(
    const Rules* rules, HandBits hand, PlayRow to_beat, PlayRow* out
) noexcept nogil
cdef int identify(const Rules* rules, HandBits cards, PlayRow* out) noexcept nogil
