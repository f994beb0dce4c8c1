"""A scripted player: quick, sensible, and the same on every machine."""

from dagong._choose cimport Scratch
from dagong._layout cimport HandBits, PlayRow
from dagong._position cimport Position
from dagong._ruleset cimport Rules


cdef bint greedy_bid(HandBits hand) noexcept nogil
cdef PlayRow greedy_play(
    const Rules* rules, const Position* position, Scratch* scratch
) noexcept nogil
