"""A rule set as the core reads it, and how strong it makes a play (R4).

Of two plays ``a`` beats ``b`` if its strength is greater and it is a bomb or has the kind and length of
``b``. Strength fits 16 bits::

        0 -    12   no bomb: its rank
       16           mixed 510K
       17 -    20   flush 510K of D, C, H, S
       32 -   148   bomb of one rank: 13 for each card above four, plus its rank
      160 -   172   seven (natural_bombs), plus its rank
      256 - 30751   roll, by roll_order; see RollScale
    60000 - 60012   eight (natural_bombs), plus its rank
    65000           sky bomb
"""

from libc.stdint cimport int32_t, uint8_t, uint64_t

from dagong._layout cimport RANKS, PlayRow, row_strength
from dagong._rows cimport CHUNK

cdef enum:
    MIXED_STRENGTH = 16
    FLUSH_STRENGTH = 17
    BOMB_STRENGTH = 32
    SEVEN_STRENGTH = 160
    ROLL_STRENGTH = 256
    EIGHT_STRENGTH = 60000
    SKY_STRENGTH = 65000

    KIND_AND_LENGTH = 0x00FF00FF      # of a head

    MOST_FORMS = 40       # of one rank: its plays from 1 to 8 naturals and up to 4 jokers

cdef enum RollMode:
    ROLLS_NONE = 0
    ROLLS_HARD = 1
    ROLLS_SOFT = 2

cdef enum RollBonus:
    ROLL_PAYS_NOTHING = 0
    ROLL_PAYS_SIDE = 1
    ROLL_WINNER_DOUBLES = 2

# The holdings that earn a bonus, as a mask (R7.6).
cdef enum BonusBit:
    BONUS_SKY = 1
    BONUS_EIGHT = 2
    BONUS_SEVEN = 4
    BONUS_FOUR_510K = 8

cdef enum RollOrder:
    CARDS_THEN_LARGEST = 0
    LARGEST_FROM_TEN = 1
    CARDS_THEN_TOP = 2

# The strength of a roll is a sum; every roll_order is a choice of these weights (R4.4).
cdef struct RollScale:
    int32_t base
    int32_t card          # for each card
    int32_t largest       # for each card of its largest bomb
    int32_t place         # for each step of that bomb's place on the ladder
    int32_t hard          # if it has no jokers
    int32_t above         # for each rank above that bomb

# The plays of one rank that jokers up to a number allow, by naturals, then size: all that a rank with n
# natural cards can make are the first upto[n]. Padded, since they are copied CHUNK at a time.
cdef struct RankPlays:
    PlayRow row[RANKS][MOST_FORMS + CHUNK - 1]
    int32_t upto[9]

# The same of its bombs alone, for rank 3; a follower has few, so those of other ranks are worked out.
cdef struct Bombs:
    PlayRow row[MOST_FORMS]
    int32_t upto[9]

cdef struct Rules:
    uint8_t wild_alone         # lone_jokers is wild
    uint8_t ftk_max_jokers
    uint8_t sky_bomb
    uint8_t natural_bombs
    uint8_t rolls
    uint8_t roll_two
    uint8_t roll_order
    uint8_t call_singleton     # call_rule is first_singleton
    uint8_t call_jokers
    uint8_t arch               # scoring is arch
    uint8_t unplayed_to_first
    uint8_t sweep_needs_out
    uint8_t bonuses            # BonusBit
    uint8_t roll_bonus
    int32_t solo_multiplier
    uint8_t ftk_usable_jokers  # of ftk_max_jokers; three, which are alone, have to be wild (R2.3, R2.4)
    RollScale roll_scale[2]    # fewer than ten cards; ten and more
    RankPlays rank_plays[5]    # by jokers held: singles, pairs, triples and bombs
    Bombs bombs[5]


cdef void compile_rules(Rules* rules) noexcept nogil
cdef int strength_of(const Rules* rules, PlayRow play) noexcept nogil


cdef inline bint is_bomb(int strength) noexcept nogil:
    return strength >= MIXED_STRENGTH


cdef inline bint beats(PlayRow play, PlayRow other) noexcept nogil:
    """R4.1, of plays with strengths of the same rules; without branches, which could not be guessed."""
    return (row_strength(play) > row_strength(other)) & (
        is_bomb(row_strength(play)) | ((play.head ^ other.head) & KIND_AND_LENGTH == 0)
    )


cdef inline int bomb_strength(const Rules* rules, int size, int jokers, int rank) noexcept nogil:
    if rules.natural_bombs and jokers == 0:
        if size == 8:
            return EIGHT_STRENGTH + rank
        if size == 7:
            return SEVEN_STRENGTH + rank
    return BOMB_STRENGTH + 13 * (size - 4) + rank


cdef inline int roll_strength(
    const Rules* rules, int size, int jokers, int largest, int place, int top
) noexcept nogil:
    """``place`` of the largest bomb and ``top`` on the ladder: 0 for a 2 below 3, else rank + 1."""
    cdef const RollScale* scale = &rules.roll_scale[size >= 10]
    return (
        scale.base
        + size * scale.card
        + largest * scale.largest
        + place * scale.place
        + (jokers == 0) * scale.hard
        + (top - place) * scale.above
    )
