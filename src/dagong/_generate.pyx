"""Every legal play of a hand, and every declaration of given cards."""

from libc.stdint cimport uint64_t

from dagong._bits cimport at_least, debug_assert, lowest_bit, nibble
from dagong._layout cimport (
    BOMB,
    FIVE,
    FIVE_TEN_KING,
    HAND_CARDS,
    KING,
    NO_PLAY,
    PAIR_RUN,
    RANKS,
    ROLL,
    RUN_RANKS,
    SINGLE,
    SKY_BOMB,
    TEN,
    TRIPLE,
    TRIPLE_RUN,
    TWO,
    HandBits,
    PlayRow,
    cards_in,
    counts_of,
    jokers_of,
    naturals_of,
    pack_head,
    row_kind,
    row_length,
    row_rank,
    row_strength,
)
from dagong._melds cimport list_bombs, list_five_ten_kings, list_melds, list_one_rank, list_sky_bomb
from dagong._rolls cimport list_rolls
from dagong._runs cimport list_runs, list_runs_above
from dagong._ruleset cimport ROLLS_SOFT, Rules, strength_of


cdef int generate(
    const Rules* rules, HandBits hand, PlayRow to_beat, PlayRow* out
) noexcept nogil:
    """Write every play at ``Detail.RANKS`` that beats ``to_beat``; return how many.

    ``to_beat`` is NO_PLAY when leading; else its strength must be that of these rules. ``out`` must have
    room for the plays and SLACK rows more, which MOST_PLAYS + SLACK always is. The hand has at most 27
    cards.
    """
    cdef uint64_t counts = counts_of(hand)
    cdef uint64_t naturals = naturals_of(counts)
    cdef int jokers = jokers_of(counts)
    cdef int kind = row_kind(to_beat), floor = row_strength(to_beat)
    cdef bint wild_alone = rules.wild_alone
    cdef PlayRow* first = out
    debug_assert(cards_in(hand) <= HAND_CARDS)
    debug_assert(hand.twice & ~hand.once == 0)
    if kind == NO_PLAY:
        out = list_one_rank(rules, naturals, jokers, out)
        out = list_runs(naturals, jokers, 2, wild_alone, out)
        out = list_runs(naturals, jokers, 3, wild_alone, out)
    elif kind <= TRIPLE:
        out = list_melds(naturals, jokers, kind, wild_alone, row_rank(to_beat), out)
    elif kind <= TRIPLE_RUN:
        out = list_runs_above(
            naturals, jokers, kind - PAIR_RUN + 2, wild_alone, row_length(to_beat), row_rank(to_beat), out
        )
    out = list_five_ten_kings(rules, hand, jokers, floor, out)
    if kind != NO_PLAY:
        out = list_bombs(rules, naturals, jokers, floor, out)
    out = list_rolls(rules, naturals, jokers, floor, out)
    out = list_sky_bomb(rules, jokers, floor, out)
    debug_assert(out - first <= MOST_PLAYS)
    return <int>(out - first)


cdef inline PlayRow* declare(
    const Rules* rules, int kind, int rank, int length, int size, int suit, int jokers,
    uint64_t naturals, PlayRow* out,
) noexcept nogil:
    out.counts = naturals
    out.head = pack_head(kind, rank, length, size, 0, suit, jokers)
    out.head |= <uint64_t>strength_of(rules, out[0]) << 32
    return out + 1


cdef int identify(const Rules* rules, HandBits cards, PlayRow* out) noexcept nogil:
    """Write everything that exactly these cards may be declared as, by kind, length, rank."""
    cdef uint64_t counts = counts_of(cards)
    cdef uint64_t naturals = naturals_of(counts)
    cdef int jokers = jokers_of(counts)
    cdef int size = cards_in(cards)
    cdef PlayRow* first = out
    if naturals == 0:
        out = identify_jokers(rules, jokers, out)
    else:
        out = identify_naturals(rules, cards, naturals, jokers, size, out)
    debug_assert(out - first <= MOST_DECLARATIONS)
    return <int>(out - first)


cdef PlayRow* identify_jokers(const Rules* rules, int jokers, PlayRow* out) noexcept nogil:
    """R2.3."""
    cdef int rank, ranks = RANKS if rules.wild_alone else 1
    if 1 <= jokers <= 3:
        for rank in range(ranks):
            out = declare(rules, SINGLE + jokers - 1, rank, 1, jokers, -1, jokers, 0, out)
        if jokers == 3 and rules.ftk_usable_jokers == 3:
            out = declare(rules, FIVE_TEN_KING, -1, 1, 3, 3, 3, 0, out)
    elif jokers == 4:
        if rules.wild_alone:
            for rank in range(1, RUN_RANKS):
                out = declare(rules, PAIR_RUN, rank, 2, 4, -1, 4, 0, out)
        if rules.wild_alone or not rules.sky_bomb:
            for rank in range(ranks):
                out = declare(rules, BOMB, rank, 1, 4, -1, 4, 0, out)
        if rules.sky_bomb:
            out = declare(rules, SKY_BOMB, -1, 1, 4, -1, 4, 0, out)
    return out


cdef PlayRow* identify_naturals(
    const Rules* rules, HandBits cards, uint64_t naturals, int jokers, int size, PlayRow* out
) noexcept nogil:
    cdef int lowest = lowest_bit(naturals) >> 2
    cdef int highest = highest_rank(naturals)
    cdef int each, length, start
    if lowest == highest and size <= 3:
        out = declare(rules, SINGLE + size - 1, lowest, 1, size, -1, jokers, naturals, out)
    for each in range(2, 4):
        length = size // each
        if (
            size % each == 0 and 2 <= length <= RUN_RANKS
            and highest < RUN_RANKS and not at_least(naturals, each + 1)
        ):
            for start in range(max(0, highest - length + 1), min(lowest, RUN_RANKS - length) + 1):
                out = declare(
                    rules, PAIR_RUN + each - 2, start + length - 1, length, size, -1, jokers, naturals, out
                )
    if size == 3 and jokers <= rules.ftk_max_jokers:
        out = identify_five_ten_king(rules, cards, naturals, jokers, out)
    if lowest == highest and size >= 4:
        out = declare(rules, BOMB, lowest, 1, size, -1, jokers, naturals, out)
    if rules.rolls and (rules.rolls == ROLLS_SOFT or jokers == 0):
        for length in range(2, size // 4 + 1):
            out = identify_rolls(rules, naturals, jokers, size, length, out)
    return out


cdef int highest_rank(uint64_t naturals) noexcept nogil:
    cdef int rank = RANKS - 1
    while not nibble(naturals, rank):
        rank -= 1
    return rank


cdef PlayRow* identify_five_ten_king(
    const Rules* rules, HandBits cards, uint64_t naturals, int jokers, PlayRow* out
) noexcept nogil:
    cdef uint64_t points = (
        (<uint64_t>1 << (4 * FIVE)) | (<uint64_t>1 << (4 * TEN)) | (<uint64_t>1 << (4 * KING))
    )
    cdef int suits = nibble(cards.once, FIVE) | nibble(cards.once, TEN) | nibble(cards.once, KING)
    if naturals & ~points == 0:      # one of each at the most, and no other rank
        out = declare(
            rules, FIVE_TEN_KING, -1, 1, 3, -1 if suits & (suits - 1) else lowest_bit(suits),
            jokers, naturals, out,
        )
    return out


cdef PlayRow* identify_rolls(
    const Rules* rules, uint64_t naturals, int jokers, int size, int length, PlayRow* out
) noexcept nogil:
    """The rolls of one length; a place is a rank + 1, or 0 for a 2 below 3."""
    cdef int first = 0 if rules.roll_two else 1
    cdef int last = RANKS if rules.roll_two else RUN_RANKS
    cdef int start, place, rank, short, inside
    for start in range(first, last - length + 2):
        short = inside = 0
        for place in range(start, start + length):
            rank = place - 1 if place else TWO
            inside += nibble(naturals, rank)
            short += max(0, 4 - nibble(naturals, rank))
        # A roll of all fourteen places, both of the 2s, has more cards than a hand.
        if inside == size - jokers and short <= jokers:
            out = declare(rules, ROLL, start + length - 2, length, size, -1, jokers, naturals, out)
    return out
