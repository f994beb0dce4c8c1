"""Plays of one rank (R3.1 to R3.3, R3.7) and the 510K (R3.8), listed and counted."""

from libc.stdint cimport uint8_t, uint64_t
from libc.string cimport memcpy

from dagong._bits cimport (
    BYTE_ONES,
    LOW_NIBBLES,
    at_least,
    bytes_up_to,
    flag_count,
    low_nibbles,
    lowest_bit,
    nibble,
    nibble_sum,
    nth_flag,
)
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
    naturals_of,
    pack_head,
    row_strength,
)
from dagong._rows cimport CHUNK
from dagong._ruleset cimport (
    BOMB_STRENGTH,
    FLUSH_STRENGTH,
    MIXED_STRENGTH,
    Bombs,
    RankPlays,
    Rules,
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
    cdef uint64_t bytes_on = flags << 1      # 16, the size of a row, in each nibble and its upper neighbour
    cdef int rank
    for rank in range(RANKS):
        out[0] = rows[rank]
        out = <PlayRow*>(<char*>out + ((bytes_on >> (4 * rank)) & 16))
    return out


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


cdef PlayRow meld_above(
    uint64_t counts, int jokers, int size, bint wild_alone, int above, int number
) noexcept nogil:
    """The one of that number, from 0, in the order of list_melds."""
    cdef uint64_t allowed = flags_above(above), flags
    cdef int among = 0, here
    while True:
        flags = allowed & (
            at_least(counts, size - among) if among < size else lone_flags(jokers, size, wild_alone)
        )
        here = flag_count(flags)
        if number < here:
            break
        number -= here
        among += 1
    return meld_rows[size][among][nth_flag(flags, number)]


cdef inline PlayRow* copy_ranks(
    const RankPlays* plays, uint64_t counts, int chunk, PlayRow* out
) noexcept nogil:
    """Write the plays of each rank that has natural cards, ``chunk`` at a time."""
    cdef uint64_t flags = at_least(counts, 1)
    cdef const PlayRow* row
    cdef PlayRow* end
    cdef int rank
    while flags:
        rank = lowest_bit(flags) >> 2
        flags &= flags - 1
        row = plays.row[rank]
        end = out + plays.upto[nibble(counts, rank)]
        while True:
            memcpy(out, row, chunk * sizeof(PlayRow))
            row += chunk
            out += chunk
            if out >= end:
                break
        out = end
    return out


cdef PlayRow* list_one_rank(
    const Rules* rules, uint64_t counts, int jokers, PlayRow* out
) noexcept nogil:
    """Write the singles, pairs, triples and bombs of a leader: by rank, naturals, size.

    Those of jokers alone come last. Up to ``CHUNK - 1`` rows behind the last may be written too.
    """
    cdef int size
    # Sizes that the compiler knows, so that it copies in line. Without jokers few ranks have more than four.
    if jokers:
        out = copy_ranks(&rules.rank_plays[jokers], counts, CHUNK, out)
    else:
        out = copy_ranks(&rules.rank_plays[0], counts, 4, out)
    for size in range(1, min(jokers, 3) + 1):
        out = list_flagged(
            meld_rows[size][size], lone_flags(jokers, size, rules.wild_alone) & flags_above(-1), out
        )
    return list_lone_bombs(rules, jokers, 0, out)


cdef PlayRow* list_bombs(
    const Rules* rules, uint64_t counts, int jokers, int floor, PlayRow* out
) noexcept nogil:
    """Write the bombs of one rank that are stronger than ``floor``: by rank, naturals, size.

    Those of jokers alone come last. One row behind the last may be written too.
    """
    cdef const Bombs* bombs = &rules.bombs[jokers]
    cdef uint64_t flags = at_least(counts, 4 - jokers if jokers < 3 else 1)
    cdef int rank, number
    while flags:
        rank = lowest_bit(flags) >> 2
        flags &= flags - 1
        for number in range(bombs.upto[nibble(counts, rank)]):
            out.head = bombs.row[number].head + rank * RANK_STEP
            out.counts = bombs.row[number].counts << (4 * rank)
            out += row_strength(out[0]) > floor
    return list_lone_bombs(rules, jokers, floor, out)


cdef inline PlayRow lone_bomb(int rank) noexcept nogil:
    """Four jokers as a bomb of a rank."""
    cdef PlayRow bomb
    bomb.head = pack_head(BOMB, rank, 1, 4, BOMB_STRENGTH + rank, -1, 4)
    bomb.counts = 0
    return bomb


cdef inline PlayRow* list_lone_bombs(
    const Rules* rules, int jokers, int floor, PlayRow* out
) noexcept nogil:
    """Write the bombs of four jokers alone (R2.3)."""
    cdef int rank
    for rank in range(count_lone_bombs(rules, jokers)):
        out[0] = lone_bomb(rank)
        out += BOMB_STRENGTH + rank > floor
    return out


cdef inline int count_lone_bombs(const Rules* rules, int jokers) noexcept nogil:
    if jokers < 4 or (rules.sky_bomb and not rules.wild_alone):
        return 0
    return RANKS if rules.wild_alone else 1


cdef int count_bombs_by_rank(const Rules* rules, uint64_t counts, int jokers) noexcept nogil:
    """How many plays list_bombs lists that are stronger than all that are no bombs."""
    cdef uint64_t flags = at_least(naturals_of(counts), 4 - jokers if jokers < 3 else 1)
    cdef int number = count_lone_bombs(rules, jokers)
    while flags:
        number += rules.bombs[jokers].upto[nibble(counts, lowest_bit(flags) >> 2)]
        flags &= flags - 1
    return number


# A rank with n natural cards has n times as many plays as there may be jokers in one, none included: any
# number of the former, one at least, with any number of the latter.

cdef int count_one_rank(const Rules* rules, uint64_t counts, int jokers) noexcept nogil:
    """How many singles, pairs, triples and bombs a leader has."""
    return (
        nibble_sum(naturals_of(counts)) * (jokers + 1)
        + min(jokers, 3) * (RANKS if rules.wild_alone else 1) + count_lone_bombs(rules, jokers)
    )


cdef PlayRow play_of_one_rank(
    const Rules* rules, uint64_t counts, int jokers, int number
) noexcept nogil:
    """The play of that number, from 0, among those that count_one_rank counts."""
    cdef uint64_t naturals = naturals_of(counts)
    cdef uint64_t of_odd_ranks = (naturals >> 4) & LOW_NIBBLES
    # Plays of ranks up to each, a byte each: at most 23 cards with four jokers, or 27 with none.
    cdef uint64_t upto_odd = ((naturals & LOW_NIBBLES) + of_odd_ranks) * BYTE_ONES * (jokers + 1)
    cdef uint64_t upto_even = upto_odd - of_odd_ranks * (jokers + 1)
    # What jokers do alone is behind all ranks, and may have numbers that no byte holds.
    cdef int rank = bytes_up_to(upto_even, upto_odd, min(number, 127))
    cdef int lone = RANKS if rules.wild_alone else 1
    number -= nibble_sum(naturals & low_nibbles(min(rank, RANKS))) * (jokers + 1)
    if rank < RANKS:
        return rules.rank_plays[jokers].row[rank][number]
    if number < min(jokers, 3) * lone:
        return meld_rows[1 + number // lone][1 + number // lone][number % lone]
    return lone_bomb(number - 3 * lone)


# The ways to fill a 510K, fewest jokers first. A filling is a mask of the cards that are natural: bit 0
# for the 5, bit 1 for the 10, bit 2 for the K.
cdef int FILLINGS[8]
FILLINGS[:] = [7, 3, 5, 6, 1, 2, 4, 0]
cdef int fillings_with_jokers[4]
fillings_with_jokers[:] = [1, 4, 7, 8]

# The 510Ks of one filling are a mask of five bits, weakest first: mixed, D, C, H, S.
cdef enum:
    FORMS = 5
    ALL_FORMS = 31
    SPADES_FORM = 16

cdef PlayRow five_ten_king_rows[8][FORMS]     # by place in FILLINGS, then form
cdef uint8_t forms_in[32]                     # how many
cdef uint8_t forms_of_two[256]                # by the suits held of one card, and, times 16, of the other


cdef inline int forms_of(int flush_suits, int all_suits) noexcept nogil:
    """The flushes that there are, and mixed if the cards need not be of one suit."""
    return flush_suits << 1 | (all_suits & (all_suits - 1) != 0)


cdef void fill_five_ten_kings() noexcept nogil:
    cdef int index, filling, form, jokers, one, other
    for index in range(8):
        filling = FILLINGS[index]
        jokers = 3 - (filling & 1) - (filling >> 1 & 1) - (filling >> 2)
        for form in range(FORMS):
            five_ten_king_rows[index][form].head = pack_head(
                FIVE_TEN_KING, -1, 1, 3, MIXED_STRENGTH + form, form - 1, jokers
            )
            five_ten_king_rows[index][form].counts = (
                (<uint64_t>(filling & 1) << (4 * FIVE))
                + (<uint64_t>(filling >> 1 & 1) << (4 * TEN))
                + (<uint64_t>(filling >> 2) << (4 * KING))
            )
    for index in range(32):
        forms_in[index] = 0
        for form in range(FORMS):
            forms_in[index] += index >> form & 1
    for one in range(16):
        for other in range(16):
            forms_of_two[one + 16 * other] = forms_of(one & other, one | other) if one and other else 0

fill_five_ten_kings()


cdef inline int find_forms(uint8_t* forms, const Rules* rules, HandBits hand, int jokers) noexcept nogil:
    """Set the forms of each of FILLINGS that may be tried (R2.4, R2.3); return how many those are.

    0 if too few of the three ranks are held, as in most hands without jokers once they grow short.
    """
    cdef int five = nibble(hand.once, FIVE), ten = nibble(hand.once, TEN), king = nibble(hand.once, KING)
    if ((five != 0) + (ten != 0) + (king != 0)) + min(jokers, rules.ftk_usable_jokers) < 3:
        return 0
    # Two cards of different suits exist exactly if more than one suit is held of them together.
    forms[0] = forms_of(five & ten & king, five | ten | king) if five and ten and king else 0
    forms[1] = forms_of_two[five + 16 * ten]
    forms[2] = forms_of_two[five + 16 * king]
    forms[3] = forms_of_two[ten + 16 * king]
    # One natural is a flush of its suit, and jokers alone one of spades (R3.8).
    forms[4] = five << 1
    forms[5] = ten << 1
    forms[6] = king << 1
    forms[7] = SPADES_FORM
    return fillings_with_jokers[min(jokers, rules.ftk_usable_jokers)]


cdef PlayRow* list_five_ten_kings(
    const Rules* rules, HandBits hand, int jokers, int floor, PlayRow* out
) noexcept nogil:
    """Write the 510Ks stronger than ``floor``: by jokers, by which cards are natural, then by strength.

    One row behind the last may be written too.
    """
    cdef uint8_t forms[8]
    cdef int stronger = ALL_FORMS
    cdef int index, form, these
    if floor >= FLUSH_STRENGTH + 3:
        return out
    if floor >= MIXED_STRENGTH:
        stronger = ALL_FORMS << (floor - MIXED_STRENGTH + 1)
    for index in range(find_forms(forms, rules, hand, jokers)):
        these = forms[index] & stronger
        for form in range(FORMS):
            out[0] = five_ten_king_rows[index][form]
            out += these >> form & 1
    return out


cdef int count_five_ten_kings(const Rules* rules, HandBits hand, int jokers) noexcept nogil:
    cdef uint8_t forms[8]
    cdef int index, number = 0
    for index in range(find_forms(forms, rules, hand, jokers)):
        number += forms_in[forms[index]]
    return number
