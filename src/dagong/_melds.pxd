"""Plays of one rank (single, pair, triple, bomb) and the 510K: listed and counted."""

from libc.stdint cimport uint64_t

from dagong._layout cimport HandBits, PlayRow
from dagong._ruleset cimport Rules


cdef PlayRow* list_melds(
    uint64_t counts, int jokers, int size, bint wild_alone, int above, PlayRow* out
) noexcept nogil

cdef PlayRow* list_one_rank(
    const Rules* rules, uint64_t counts, int jokers, PlayRow* out
) noexcept nogil

cdef PlayRow* list_five_ten_kings(
    const Rules* rules, HandBits hand, int jokers, int floor, PlayRow* out
) noexcept nogil

cdef PlayRow* list_bombs(
    const Rules* rules, uint64_t counts, int jokers, int floor, PlayRow* out
) noexcept nogil

# The plays that list_melds lists, by number.
cdef int count_melds_above(
    uint64_t counts, int jokers, int size, bint wild_alone, int above
) noexcept nogil
cdef PlayRow meld_above(
    uint64_t counts, int jokers, int size, bint wild_alone, int above, int number
) noexcept nogil

cdef int count_one_rank(const Rules* rules, uint64_t counts, int jokers) noexcept nogil

cdef int count_five_ten_kings(const Rules* rules, HandBits hand, int jokers) noexcept nogil
cdef PlayRow play_of_one_rank(
    const Rules* rules, uint64_t counts, int jokers, int number
) noexcept nogil
