"""Compiles a rule set into the tables that make comparison and generation branch-light."""

from libc.string cimport memset

from dagong._bits cimport nibble
from dagong._layout cimport (
    BOMB,
    FIVE_TEN_KING,
    ROLL,
    SINGLE,
    SKY_BOMB,
    TWO,
    pack_head,
    row_jokers,
    row_kind,
    row_length,
    row_rank,
    row_size,
    row_suit,
)


cdef void compile_rules(Rules* rules) noexcept nogil:
    """Fill from the fields what follows from them, and the tables."""
    cdef int held
    rules.ftk_usable_jokers = rules.ftk_max_jokers if rules.wild_alone else min(2, rules.ftk_max_jokers)
    compile_roll_scales(rules)
    for held in range(5):
        compile_one_rank(&rules.rank_plays[held], &rules.bombs[held], rules, held)


cdef void compile_roll_scales(Rules* rules) noexcept nogil:
    # Mixed radix: cards 8 to 27, largest bomb 4 to 12 cards, its place 0 to 13, up to 5 ranks above it
    # (six ranks of four cards are the most that 27 cards hold).
    cdef RollScale* few = &rules.roll_scale[0]
    cdef RollScale* many = &rules.roll_scale[1]
    memset(few, 0, sizeof(RollScale))
    if rules.roll_order == CARDS_THEN_LARGEST:
        few.above = 1
        few.place = 6
        few.largest = 14 * few.place
        few.card = 9 * few.largest
        few.base = ROLL_STRENGTH - 8 * few.card - 4 * few.largest
        many[0] = few[0]
        return
    # The top rank is the largest bomb's place and the ranks above it: equal weights make their sum count.
    few.above = 1
    few.place = 1
    few.hard = 14
    few.card = 28
    few.base = ROLL_STRENGTH - 8 * few.card
    many[0] = few[0]
    if rules.roll_order == LARGEST_FROM_TEN:
        many.above = 1
        many.card = 6
        many.place = 20 * many.card
        many.hard = 14 * many.place
        many.largest = 2 * many.hard
        many.base = 2 * ROLL_STRENGTH - 8 * many.card - 4 * many.largest


cdef void compile_one_rank(RankPlays* plays, Bombs* bombs, const Rules* rules, int held) noexcept nogil:
    """The plays of one rank with at least one natural card and up to ``held`` jokers."""
    cdef int naturals, jokers, size, rank, number = 0, number_of_bombs = 0
    memset(plays, 0, sizeof(RankPlays))
    memset(bombs, 0, sizeof(Bombs))
    for naturals in range(1, 9):
        for jokers in range(held + 1):
            size = naturals + jokers
            for rank in range(RANKS):
                plays.row[rank][number] = row_of_rank(rules, rank, size, jokers)
            if size >= 4:
                bombs.row[number_of_bombs] = plays.row[0][number]
                number_of_bombs += 1
            number += 1
        plays.upto[naturals] = number
        bombs.upto[naturals] = number_of_bombs


cdef PlayRow row_of_rank(const Rules* rules, int rank, int size, int jokers) noexcept nogil:
    cdef PlayRow row
    if size < 4:
        row.head = pack_head(SINGLE + size - 1, rank, 1, size, rank, -1, jokers)
    else:
        row.head = pack_head(BOMB, rank, 1, size, bomb_strength(rules, size, jokers, rank), -1, jokers)
    row.counts = <uint64_t>(size - jokers) << (4 * rank)
    return row


cdef int strength_of(const Rules* rules, PlayRow play) noexcept nogil:
    """How strong a play is under the rules; the play must be one that they know."""
    cdef int kind = row_kind(play)
    if kind == FIVE_TEN_KING:
        return FLUSH_STRENGTH + row_suit(play)
    if kind == BOMB:
        return bomb_strength(rules, row_size(play), row_jokers(play), row_rank(play))
    if kind == ROLL:
        return strength_of_roll(rules, play)
    if kind == SKY_BOMB:
        return SKY_STRENGTH
    return row_rank(play)


cdef int strength_of_roll(const Rules* rules, PlayRow play) noexcept nogil:
    # Jokers first fill every rank up to four; what is left enlarges the largest bomb (R3.10).
    cdef int top = row_rank(play) + 1
    cdef int spare = row_jokers(play)
    cdef int largest = 0, largest_place = 0, place, cards
    for place in range(top - row_length(play) + 1, top + 1):
        cards = nibble(play.counts, place - 1 if place else TWO)
        if cards < 4:
            spare -= 4 - cards
            cards = 4
        if cards >= largest:
            largest = cards
            largest_place = place
    return roll_strength(
        rules, row_size(play), row_jokers(play), largest + spare, largest_place, top
    )
