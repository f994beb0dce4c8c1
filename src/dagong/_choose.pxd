"""One of the legal plays at random, without listing them."""

from libc.stdint cimport uint64_t

from dagong._generate cimport MOST_PLAYS, SLACK
from dagong._layout cimport HandBits, PlayRow
from dagong._random cimport Stream
from dagong._ruleset cimport Rules

# Room for a list, wherever one is needed after all.
cdef struct Scratch:
    PlayRow rows[MOST_PLAYS + SLACK]


# A hand and its counts.
cdef PlayRow draw_lead(
    const Rules* rules, HandBits hand, uint64_t counts, Stream* stream, Scratch* scratch
) noexcept nogil
cdef PlayRow draw_follow(
    const Rules* rules, HandBits hand, uint64_t counts, PlayRow to_beat, Stream* stream, Scratch* scratch
) noexcept nogil
