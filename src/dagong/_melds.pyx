"""Plays of one rank (R3.1 to R3.3, R3.7) and the 510K (R3.8), listed and counted."""

from libc.stdint cimport uint64_t

from dagong._bits cimport EIGHTS, at_least, flag_count, low_nibbles, lowest_bit, nibble
from dagong._layout cimport (
    BOMB,
    FIVE,
    FIVE_TEN_KING,
    KING,
    RANK_STEP,
    RANKS,
    SINGLE,
    TEN,
    HandBits,
    PlayRow,
    pack_head,
)
from dagong._ruleset cimport (
    BOMB_STRENGTH,
    FLUSH_STRENGTH,
    MIXED_STRENGTH,
    BombForms,
    Rules,
    bomb_strength,
)


# Singles, pairs and triples of each rank, by size and jokers among them. A row is copied whether or not
# the hand has it, and the place to write at moves on only if it has: no branch to mispredict.
cdef PlayRow meld_rows[4][4][RANKS]


cdef void fill_meld_rows() noexcept nogil:
    cdef int size, jokers, rank
    for size in range(1, 4):
        for jokers in range(size + 1):
            for rank in range(RANKS):
                meld_rows[size][jokers][rank].head = pack_head(
                    SINGLE + size - 1, rank, 1, size, rank, -1, jokers
                )
                meld_rows[size][jokers][rank].counts = <uint64_t>(size - jokers) << (4 * rank)

fill_meld_rows()


cdef inline PlayRow* list_flagged(const PlayRow* rows, uint64_t flags, PlayRow* out) noexcept nogil:
    cdef int rank
    for rank in range(RANKS):
        out[0] = rows[rank]
        out += (flags >> (4 * rank + 3)) & 1
    return out


cdef inline uint64_t flags_above(int rank) noexcept nogil:
    return EIGHTS & low_nibbles(RANKS) & ~low_nibbles(rank + 1)


cdef inline uint64_t lone_flags(int jokers, int size, bint wild_alone) noexcept nogil:
    """The ranks that ``size`` jokers alone may stand for (R2.3)."""
    if jokers < size:
        return 0
    return EIGHTS if wild_alone else EIGHTS & low_nibbles(1)


cdef PlayRow* list_melds(
    uint64_t counts, int jokers, int size, bint wild_alone, int above, PlayRow* out
) noexcept nogil:
    """Write the singles, pairs or triples (``size`` 1 to 3) of ranks higher than ``above``.

    Ordered by jokers, then rank. One row behind the last may be written too.
    """
    cdef uint64_t allowed = flags_above(above)
    cdef int among
    for among in range(min(jokers + 1, size)):
        out = list_flagged(meld_rows[size][among], at_least(counts, size - among) & allowed, out)
    if jokers >= size:
        out = list_flagged(meld_rows[size][size], lone_flags(jokers, size, wild_alone) & allowed, out)
    return out


cdef PlayRow* list_bombs(
    const Rules* rules, uint64_t counts, int jokers, int floor, PlayRow* out
) noexcept nogil:
    """Write the bombs of one rank that are stronger than ``floor``, by rank, naturals, jokers.

    Jokers alone come last. Up to three rows behind the last one may be written too.
    """
    cdef const BombForms* forms = &rules.bomb_forms[jokers]
    cdef uint64_t flags = at_least(counts, 4 - jokers if jokers < 3 else 1)
    cdef uint64_t head
    cdef int rank, form, number, index
    while flags:
        rank = lowest_bit(flags) >> 2
        flags &= flags - 1
        number = forms.upto[nibble(counts, rank)]
        if floor < BOMB_STRENGTH:
            for form in range(0, number, 4):
                for index in range(form, form + 4):
                    out[index].head = forms.head[index] + rank * RANK_STEP
                    out[index].counts = <uint64_t>forms.naturals[index] << (4 * rank)
            out += number
        else:
            for index in range(number):
                head = forms.head[index] + rank * RANK_STEP
                out.head = head
                out.counts = <uint64_t>forms.naturals[index] << (4 * rank)
                out += <int>((head >> 32) & 0xFFFF) > floor
    if jokers == 4 and (rules.wild_alone or not rules.sky_bomb):
        for rank in range(RANKS if rules.wild_alone else 1):
            out.head = pack_head(BOMB, rank, 1, 4, BOMB_STRENGTH + rank, -1, 4)
            out.counts = 0
            out += BOMB_STRENGTH + rank > floor
    return out


cdef int count_one_rank(const Rules* rules, uint64_t counts, int jokers) noexcept nogil:
    """How many singles, pairs, triples and bombs there are, those of jokers alone included."""
    cdef int rank, number = 0
    for rank in range(RANKS):
        number += rules.rank_plays[jokers][nibble(counts, rank)]
    if jokers:
        number += min(jokers, 3) * (RANKS if rules.wild_alone else 1)
        if jokers == 4 and (rules.wild_alone or not rules.sky_bomb):
            number += RANKS if rules.wild_alone else 1
    return number


# The ways to fill a 510K, fewest jokers first: bit 0 is set if the 5 is a natural card, bit 1 for the
# 10, bit 2 for the K.
cdef int FILLINGS[8]
FILLINGS[:] = [7, 3, 5, 6, 1, 2, 4, 0]
cdef int fillings_with_jokers[4]
fillings_with_jokers[:] = [1, 4, 7, 8]
cdef uint64_t filling_counts[8]


cdef void fill_filling_counts() noexcept nogil:
    cdef int filling
    for filling in range(8):
        filling_counts[filling] = (
            (<uint64_t>(filling & 1) << (4 * FIVE))
            + (<uint64_t>(filling >> 1 & 1) << (4 * TEN))
            + (<uint64_t>(filling >> 2) << (4 * KING))
        )

fill_filling_counts()


cdef inline int fillings(const Rules* rules, int jokers) noexcept nogil:
    """How many of FILLINGS may be tried: R2.4, and R2.3 for jokers alone."""
    cdef int most = min(jokers, rules.ftk_max_jokers)
    if most == 3 and not rules.wild_alone:
        most = 2
    return fillings_with_jokers[most]


cdef PlayRow* list_five_ten_kings(
    const Rules* rules, HandBits hand, int jokers, int floor, PlayRow* out
) noexcept nogil:
    """Write the 510Ks stronger than ``floor``: by jokers, by which cards are natural, then by strength."""
    cdef int suits[3]
    cdef int index, filling, natural, flush, any_suit, present, suit, among
    suits[0], suits[1], suits[2] = nibble(hand.once, FIVE), nibble(hand.once, TEN), nibble(hand.once, KING)
    for index in range(fillings(rules, jokers)):
        filling = FILLINGS[index]
        flush, any_suit, present, among = 15, 0, 1, 3
        for natural in range(3):
            if filling >> natural & 1:
                flush &= suits[natural]
                any_suit |= suits[natural]
                present &= suits[natural] != 0
                among -= 1
        if not present:
            continue
        if among == 3:
            flush = 8           # jokers alone are a flush of spades
        # Two naturals of different suits exist exactly if more than one suit is there.
        if among < 2 and any_suit & (any_suit - 1):
            out.head = pack_head(FIVE_TEN_KING, -1, 1, 3, MIXED_STRENGTH, -1, among)
            out.counts = filling_counts[filling]
            out += MIXED_STRENGTH > floor
        while flush:
            suit = lowest_bit(flush)
            flush &= flush - 1
            out.head = pack_head(FIVE_TEN_KING, -1, 1, 3, FLUSH_STRENGTH + suit, suit, among)
            out.counts = filling_counts[filling]
            out += FLUSH_STRENGTH + suit > floor
    return out


cdef int count_five_ten_kings(const Rules* rules, HandBits hand, int jokers) noexcept nogil:
    cdef PlayRow rows[40]
    return <int>(list_five_ten_kings(rules, hand, jokers, 0, rows) - rows)
