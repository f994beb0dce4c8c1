"""Which seats may have an answer to a play, seen without looking through what they can play.

Most of those whose turn it is to answer can only pass, and for most of them this tells so at once. The rest
may still find that there is only the pass.
"""

from libc.stdint cimport uint8_t, uint64_t

from dagong._bits cimport EIGHTS, ONES
from dagong._layout cimport (
    PAIR_RUN,
    POINT_NIBBLES,
    TRIPLE,
    PlayRow,
    jokers_of,
    row_kind,
    row_rank,
    row_strength,
)
from dagong._melds cimport flags_above
from dagong._position cimport SEATS
from dagong._ruleset cimport BOMB_STRENGTH, Rules, is_bomb

cdef extern from * nogil:
    """
    #define DAGONG_FROM(number) ((8 - (number)) * DAGONG_ONES)
    #define DAGONG_NATURAL_FLAGS (DAGONG_EIGHTS >> 12)

    /* What to add to counts to flag the ranks with so many cards that the jokers of a hand may do the rest
       (see at_least): whether jokers may fill a rank alone; then cards wanted; then jokers held. A rank with
       eight cards is not flagged where jokers alone are enough, but a hand that has one has a bomb too. */
    static const uint64_t dagong_enough[2][5][5] = {
        {
            {0},
            {DAGONG_FROM(1), DAGONG_FROM(1), DAGONG_FROM(1), DAGONG_FROM(1), DAGONG_FROM(1)},
            {DAGONG_FROM(2), DAGONG_FROM(1), DAGONG_FROM(1), DAGONG_FROM(1), DAGONG_FROM(1)},
            {DAGONG_FROM(3), DAGONG_FROM(2), DAGONG_FROM(1), DAGONG_FROM(1), DAGONG_FROM(1)},
        },
        {
            {0},
            {DAGONG_FROM(1), DAGONG_FROM(0), DAGONG_FROM(0), DAGONG_FROM(0), DAGONG_FROM(0)},
            {DAGONG_FROM(2), DAGONG_FROM(1), DAGONG_FROM(0), DAGONG_FROM(0), DAGONG_FROM(0)},
            {DAGONG_FROM(3), DAGONG_FROM(2), DAGONG_FROM(1), DAGONG_FROM(0), DAGONG_FROM(0)},
            {DAGONG_FROM(4), DAGONG_FROM(3), DAGONG_FROM(2), DAGONG_FROM(1), DAGONG_FROM(0)},
        },
    };
    """
    const uint64_t ENOUGH "dagong_enough"[2][5][5]
    const uint64_t NATURAL_FLAGS "DAGONG_NATURAL_FLAGS"

cdef enum:
    LACKING_OF_THREE = 5    # to the top bit of a nibble

# What answers depend on: the cards of each seat by rank, as counts_of gives them, and what follows from them
# whatever the play, so that it is found once a play of the seat.
cdef struct Answerers:
    uint64_t counts[SEATS]
    uint8_t jokers[SEATS]
    int bombs               # a mask of the seats that have one, which may be too weak
    int five_ten_kings      # the same of 510Ks


cdef inline void note_cards(Answerers* answerers, int seat, uint64_t counts) noexcept nogil:
    """These are the cards of a seat now."""
    cdef int jokers = jokers_of(counts)
    cdef uint64_t bombs = (counts + ENOUGH[1][4][jokers]) & NATURAL_FLAGS
    # The cards of a 510K that there are and the jokers reach the top bit of the top nibble if they are three.
    cdef int five_ten_king = ((
        (((counts + ENOUGH[0][1][0]) & POINT_NIBBLES & EIGHTS) >> 3) * ONES
        + (<uint64_t>(jokers + LACKING_OF_THREE) << 60)
    ) >> 63)
    answerers.counts[seat] = counts
    answerers.jokers[seat] = jokers
    answerers.bombs = (answerers.bombs & ~(1 << seat)) | (bombs != 0) << seat
    answerers.five_ten_kings = (answerers.five_ten_kings & ~(1 << seat)) | five_ten_king << seat


cdef inline int may_answer(const Rules* rules, const Answerers* answerers, PlayRow play) noexcept nogil:
    """A mask of the seats whose cards, given by rank, may beat a play."""
    cdef int kind = row_kind(play), strength = row_strength(play)
    cdef bint is_run = kind > TRIPLE
    # Of a run the highest rank has to be higher; what jokers alone are outside of runs is a 3, which beats
    # nothing, or what one likes (R2.3).
    cdef int size = 0 if is_bomb(strength) else kind - PAIR_RUN + 2 if is_run else kind
    cdef const uint64_t* enough = ENOUGH[is_run | rules.wild_alone][size]
    cdef uint64_t higher = 0 if is_bomb(strength) else flags_above(row_rank(play))
    cdef int seats = answerers.bombs | (answerers.five_ten_kings if strength < BOMB_STRENGTH else 0), seat
    for seat in range(SEATS):
        seats |= ((answerers.counts[seat] + enough[answerers.jokers[seat]]) & higher != 0) << seat
    return seats
