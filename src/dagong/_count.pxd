"""How many plays there are, at any detail, without listing them."""

from libc.stdint cimport uint64_t

from dagong._layout cimport HandBits, PlayRow
from dagong._ruleset cimport Rules


cdef uint64_t count_ranks_lead(const Rules* rules, HandBits hand) noexcept nogil
# How many answers a hand, its counts given, has at Detail.RANKS: those of the kind of the play to beat; and
# the bombs, which are the same for every play that is none. ``scratch`` has room for a list where one is
# needed after all.
cdef int count_of_kind_above(
    const Rules* rules, uint64_t counts, PlayRow to_beat, PlayRow* scratch
) noexcept nogil
cdef int count_bombs_above(
    const Rules* rules, HandBits hand, uint64_t counts, int floor, PlayRow* scratch
) noexcept nogil
cdef uint64_t count_plays(
    const Rules* rules, HandBits hand, PlayRow to_beat, int detail, int called
) noexcept nogil
