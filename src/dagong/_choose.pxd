"""One of the legal plays at random, without listing them."""

from dagong._generate cimport MOST_PLAYS, SLACK
from dagong._layout cimport HandBits, PlayRow
from dagong._random cimport Stream
from dagong._ruleset cimport Rules

# Room for a list, wherever one is needed after all.
cdef struct Scratch:
    PlayRow rows[MOST_PLAYS + SLACK]


cdef PlayRow draw_lead(
    const Rules* rules, HandBits hand, Stream* stream, Scratch* scratch
) noexcept nogil
cdef PlayRow draw_follow(
    const Rules* rules, HandBits hand, PlayRow to_beat, Stream* stream, Scratch* scratch
) noexcept nogil
