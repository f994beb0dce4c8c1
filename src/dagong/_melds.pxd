"""Plays of one rank (single, pair, triple, bomb) and the 510K: listed and counted."""

from libc.stdint cimport uint64_t

from dagong._bits cimport EIGHTS, at_least, flag_count, low_nibbles
from dagong._layout cimport POINT_NIBBLES, RANKS, SKY_BOMB, HandBits, PlayRow, pack_head
from dagong._ruleset cimport SKY_STRENGTH, Rules


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

# One of the plays that list_melds lists.
cdef PlayRow meld_above(
    uint64_t counts, int jokers, int size, bint wild_alone, int above, int number
) noexcept nogil

cdef int count_one_rank(const Rules* rules, uint64_t counts, int jokers) noexcept nogil

cdef int count_bombs_by_rank(const Rules* rules, uint64_t counts, int jokers) noexcept nogil
cdef int count_five_ten_kings(const Rules* rules, HandBits hand, int jokers) noexcept nogil
cdef PlayRow play_of_one_rank(
    const Rules* rules, uint64_t counts, int jokers, int number
) noexcept nogil


cdef inline uint64_t flags_above(int rank) noexcept nogil:
    return EIGHTS & low_nibbles(RANKS) & ~low_nibbles(rank + 1)


cdef inline uint64_t lone_flags(int jokers, int size, bint wild_alone) noexcept nogil:
    """The ranks that ``size`` jokers alone may stand for (R2.3)."""
    if jokers < size:
        return 0
    return EIGHTS if wild_alone else EIGHTS & low_nibbles(1)


cdef inline int count_melds_above(
    uint64_t counts, int jokers, int size, bint wild_alone, int above
) noexcept nogil:
    """How many plays list_melds lists."""
    cdef uint64_t allowed = flags_above(above)
    cdef int among, number = 0
    for among in range(3):
        # no loop as long as it has to be: its end could not be foreseen
        number += flag_count(at_least(counts, max(1, size - among)) & allowed) * (
            (among <= jokers) & (among < size)
        )
    return number + flag_count(lone_flags(jokers, size, wild_alone) & allowed)


cdef inline bint may_have_five_ten_king(const Rules* rules, uint64_t counts, int jokers) noexcept nogil:
    """Whether enough of the three ranks are held; most hands that grow short hold too few."""
    return flag_count(at_least(counts, 1) & POINT_NIBBLES) + min(jokers, rules.ftk_usable_jokers) >= 3


cdef inline PlayRow* list_sky_bomb(const Rules* rules, int jokers, int floor, PlayRow* out) noexcept nogil:
    """Write the sky bomb (R3.9), if there is one and it is stronger than ``floor``."""
    if rules.sky_bomb and jokers == 4 and floor < SKY_STRENGTH:
        out.head = pack_head(SKY_BOMB, -1, 1, 4, SKY_STRENGTH, -1, 4)
        out.counts = 0
        out += 1
    return out
