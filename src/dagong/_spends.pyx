"""Which cards a play spends: the ways to choose them, counted, numbered and carried out.

Where a play stands for others that differ in suits only, it carries the cards that break up least: cards
of a flush 510K that the hand holds are spent last, those of the strongest suit at the very end, and
after them only the called card; otherwise the weakest suit and the black joker go first. For a mixed 510K
the reluctance to spend its cards is added up, so that two of the former can outweigh the called card.
"""

from libc.stdint cimport int64_t, uint8_t, uint64_t
from libc.string cimport memcpy

from dagong._bits cimport lowest_bit, nibble
from dagong._layout cimport (
    FIVE,
    FIVE_TEN_KING,
    JOKERS,
    KING,
    POINT_NIBBLES,
    TEN,
    HandBits,
    PlayRow,
    counts_of,
    row_jokers,
    row_kind,
    row_suit,
)

cdef enum:
    LAST_OF_ALL = 5           # reluctance to spend the called card

cdef int POINT_RANKS[3]
POINT_RANKS[:] = [FIVE, TEN, KING]

# Base 3, a digit a suit: how many copies of it are held, or spent.
cdef int PATTERN_OF_SUITS[16]
# By the pattern held: all choices, and one choice for each number of cards, the weakest suits first.
cdef RankChoices all_choices[SUIT_PATTERNS]
cdef RankChoices weakest_first[SUIT_PATTERNS]
cdef uint8_t cards_in_pattern[SUIT_PATTERNS]


# The same as numbers: in how many ways n cards can be chosen if all are told apart, and if none are.
cdef uint8_t ways_told_apart[SUIT_PATTERNS][16]
cdef uint8_t ways_alike[9][16]


cdef void fill_choices(int held, const int* copies) noexcept nogil:
    """Go through all choices from ``copies`` of each suit, those that spend weak suits first."""
    cdef RankChoices* every = &all_choices[held]
    cdef int number = 0, cards, d, c, h, s
    every.told_apart = 15
    for cards in range(9):
        every.first[cards] = number
        for d in range(copies[0], -1, -1):
            for c in range(copies[1], -1, -1):
                for h in range(copies[2], -1, -1):
                    s = cards - d - c - h
                    if 0 <= s <= copies[3]:
                        every.choice[number] = suits_spent(d, c, h, s)
                        number += 1
        ways_told_apart[held][cards] = number - every.first[cards]
    every.first[9] = number


cdef inline int suits_spent(int d, int c, int h, int s) noexcept nogil:
    return (
        (d > 0) | (c > 0) << 1 | (h > 0) << 2 | (s > 0) << 3
        | (d > 1) << 4 | (c > 1) << 5 | (h > 1) << 6 | (s > 1) << 7
    )


cdef void fill_weakest_first(int held, const int* copies) noexcept nogil:
    cdef RankChoices* one = &weakest_first[held]
    cdef int cards = 0, taken = 0, suit, copy
    one.told_apart = 0
    for cards in range(10):
        one.first[cards] = cards
    cards = 0
    one.choice[0] = 0
    for suit in range(4):
        for copy in range(copies[suit]):
            taken |= 1 << (suit + 4 * copy)
            cards += 1
            one.choice[cards] = taken
    cards_in_pattern[held] = cards


cdef void fill_tables() noexcept nogil:
    cdef int copies[4]
    cdef int suits, held, cards
    for suits in range(16):
        PATTERN_OF_SUITS[suits] = (
            (suits & 1) + 3 * (suits >> 1 & 1) + 9 * (suits >> 2 & 1) + 27 * (suits >> 3)
        )
    for held in range(SUIT_PATTERNS):
        copies[0], copies[1], copies[2], copies[3] = (
            held % 3, held // 3 % 3, held // 9 % 3, held // 27
        )
        fill_choices(held, copies)
        fill_weakest_first(held, copies)
    for held in range(9):
        for cards in range(held + 1):
            ways_alike[held][cards] = 1

fill_tables()


cdef inline int pattern_of(HandBits hand, int rank) noexcept nogil:
    return PATTERN_OF_SUITS[nibble(hand.once, rank)] + PATTERN_OF_SUITS[nibble(hand.twice, rank)]


cdef inline bint is_point_rank(int rank) noexcept nogil:
    return rank == FIVE or rank == TEN or rank == KING


cdef inline int copies_of_code(HandBits hand, int code) noexcept nogil:
    return <int>(hand.once >> code & 1) + <int>(hand.twice >> code & 1)


cdef void find_ways(Ways* ways, HandBits hand, int detail, int called) noexcept nogil:
    """Count the choices for each number of cards of each rank, jokers included."""
    cdef uint64_t counts = counts_of(hand)
    cdef int rank, cards, held, marked
    for rank in range(14):
        if detail == DETAIL_CARDS or (detail == DETAIL_STRATEGIC and is_point_rank(rank)):
            memcpy(ways.of[rank], ways_told_apart[pattern_of(hand, rank)], 16)
        else:
            memcpy(ways.of[rank], ways_alike[nibble(counts, rank)], 16)
    if detail == DETAIL_STRATEGIC and called >= 0 and not is_point_rank(called >> 2):
        rank = called >> 2
        held = nibble(counts, rank)
        marked = copies_of_code(hand, called)
        for cards in range(held + 1):
            # of the marked card, from as many as the others leave to all
            ways.of[rank][cards] = min(marked, cards) - max(0, cards - (held - marked)) + 1


cdef inline void add_choice(HandBits* cards, int rank, int choice) noexcept nogil:
    cards.once |= <uint64_t>(choice & 15) << (4 * rank)
    cards.twice |= <uint64_t>(choice >> 4) << (4 * rank)


# What is spent most willingly. The copies held of a rank fall into three patterns, spent one after the other,
# each from the weakest suit up: free, bound in a flush 510K, and the called card.

cdef inline void spend_least_of_rank(
    HandBits* cards, HandBits hand, int rank, int count, int called
) noexcept nogil:
    cdef int free = pattern_of(hand, rank), bound = 0, marked = 0, suit
    if is_point_rank(rank):
        bound = (
            PATTERN_OF_SUITS[nibble(hand.once, FIVE) & nibble(hand.once, TEN) & nibble(hand.once, KING)]
            + PATTERN_OF_SUITS[nibble(hand.twice, FIVE) & nibble(hand.twice, TEN) & nibble(hand.twice, KING)]
        )
    if called >> 2 == rank:
        suit = PATTERN_OF_SUITS[1 << (called & 3)]
        marked = free // suit % 3 * suit
        bound -= bound // suit % 3 * suit
    free -= bound + marked
    count = spend_weakest(cards, rank, free, count)
    if count:
        count = spend_weakest(cards, rank, bound, count)
    if count:
        spend_weakest(cards, rank, marked, count)


cdef inline uint64_t ranks_not_free(HandBits hand, int called) noexcept nogil:
    """The nibbles of ranks of which more may have to be heeded than the suits: most plays have none."""
    cdef uint64_t flush = hand.once >> (4 * FIVE) & hand.once >> (4 * TEN) & hand.once >> (4 * KING) & 15
    # NO_CARD gives the top nibble, where no play has cards.
    return (POINT_NIBBLES if flush else 0) | <uint64_t>15 << (called & 60)


cdef inline int spend_weakest(HandBits* cards, int rank, int pattern, int count) noexcept nogil:
    """Spend up to so many cards of a pattern; return how many are still wanted."""
    cdef int these = min(count, cards_in_pattern[pattern])
    cdef int choice = weakest_first[pattern].choice[these]
    cdef uint64_t once = <uint64_t>(choice & 15) << (4 * rank)
    cards.twice |= (<uint64_t>(choice >> 4) << (4 * rank)) | (cards.once & once)
    cards.once |= once
    return count - these


cdef uint64_t spend_mixed(HandBits hand, uint64_t counts, int called) noexcept nogil:
    """The naturals of a mixed 510K: of all choices not of one suit, the least reluctant."""
    cdef int held[3]
    cdef int bound[3]
    cdef int flush = nibble(hand.once, FIVE) & nibble(hand.once, TEN) & nibble(hand.once, KING)
    cdef int both = nibble(hand.twice, FIVE) & nibble(hand.twice, TEN) & nibble(hand.twice, KING)
    cdef int index, rank, five, ten, king, fives, tens, kings, suits, cost, least = 100
    cdef uint64_t cards = 0
    for index in range(3):
        rank = POINT_RANKS[index]
        # suits of which no copy can be spared, though one may be if the other is bound alone
        bound[index] = (flush & ~nibble(hand.twice, rank)) | both
        held[index] = nibble(hand.once, rank) if nibble(counts, rank) else 0
    kings = held[2] if held[2] else 16           # a suit that there is not, where a joker stands
    while kings:
        king = lowest_bit(kings)
        kings &= kings - 1
        tens = held[1] if held[1] else 16
        while tens:
            ten = lowest_bit(tens)
            tens &= tens - 1
            fives = held[0] if held[0] else 16
            while fives:
                five = lowest_bit(fives)
                fives &= fives - 1
                suits = (1 << five | 1 << ten | 1 << king) & 15
                cost = (
                    reluctance_of(bound[0], FIVE, five, called)
                    + reluctance_of(bound[1], TEN, ten, called)
                    + reluctance_of(bound[2], KING, king, called)
                )
                if suits & (suits - 1) and cost < least:
                    least = cost
                    cards = (
                        <uint64_t>(1 << five & 15) << (4 * FIVE)
                        | <uint64_t>(1 << ten & 15) << (4 * TEN)
                        | <uint64_t>(1 << king & 15) << (4 * KING)
                    )
    return cards


cdef inline int reluctance_of(int bound, int rank, int suit, int called) noexcept nogil:
    """How little one wants to spend the first copy of a card, from the suits bound; 0 where there is none."""
    if suit < 4 and 4 * rank + suit == called:
        return LAST_OF_ALL
    return 1 + suit if bound >> suit & 1 else 0


cdef void find_spends(Spends* spends, HandBits hand, int detail, int called) noexcept nogil:
    """List the choices for each number of cards of each rank, jokers included."""
    cdef int rank
    spends.every_suit = detail != DETAIL_RANKS
    spends.hand = hand
    spends.called = called
    for rank in range(14):
        if detail == DETAIL_CARDS or (detail == DETAIL_STRATEGIC and is_point_rank(rank)):
            spends.by_rank[rank] = all_choices[pattern_of(hand, rank)]
        elif detail == DETAIL_STRATEGIC and called >= 0 and called >> 2 == rank:
            mark_called(&spends.by_rank[rank], hand, called)
        else:
            spends.by_rank[rank] = weakest_first[pattern_of(hand, rank)]
            if is_point_rank(rank) or (called >= 0 and called >> 2 == rank):
                choose_least(&spends.by_rank[rank], hand, rank, called)


cdef void choose_least(RankChoices* choices, HandBits hand, int rank, int called) noexcept nogil:
    """Let the choice of n cards be the n that are spent most willingly."""
    cdef HandBits spent
    cdef int cards
    for cards in range(1, cards_in_pattern[pattern_of(hand, rank)] + 1):
        spent.once = spent.twice = 0
        spend_least_of_rank(&spent, hand, rank, cards, called)
        choices.choice[cards] = nibble(spent.once, rank) | nibble(spent.twice, rank) << 4


cdef void mark_called(RankChoices* choices, HandBits hand, int called) noexcept nogil:
    """Tell the called card apart from the others of its rank: as few of it as can be come first."""
    cdef int rank = called >> 2, suit = called & 3
    cdef int marked = copies_of_code(hand, called)
    cdef int others = nibble(counts_of(hand), rank) - marked
    cdef const RankChoices* rest
    cdef int number = 0, cards, taken, choice
    hand.once &= ~(<uint64_t>1 << called)
    hand.twice &= ~(<uint64_t>1 << called)
    rest = &weakest_first[pattern_of(hand, rank)]
    choices.told_apart = 1 << suit
    for cards in range(marked + others + 1):
        choices.first[cards] = number
        for taken in range(max(0, cards - others), min(marked, cards) + 1):
            choice = rest.choice[cards - taken]
            if taken:
                choice |= 1 << suit
            if taken == 2:
                choice |= 16 << suit
            choices.choice[number] = choice
            number += 1
    for cards in range(marked + others + 1, 10):
        choices.first[cards] = number


# A choice of suits for the naturals of a mixed 510K: two bits each for the 5, the 10 and the K.
cdef inline bint suits_fit(const Spends* spends, PlayRow play, int suits) noexcept nogil:
    """Whether the hand has those cards, they are not all of one suit, and bits unused are 0."""
    cdef int index, suit, seen = 0
    for index in range(3):
        suit = suits >> (2 * index) & 3
        if nibble(play.counts, POINT_RANKS[index]):
            if not nibble(spends.hand.once, POINT_RANKS[index]) >> suit & 1:
                return False
            seen |= 1 << suit
        elif suit:
            return False
    return seen & (seen - 1) != 0


cdef int count_suits(const Spends* spends, PlayRow play) noexcept nogil:
    """How many choices of suits make it a mixed 510K."""
    cdef int suits, number = 0
    if not spends.every_suit:
        return 1
    for suits in range(64):
        number += suits_fit(spends, play, suits)
    return number


cdef int nth_suits(const Spends* spends, PlayRow play, int number) noexcept nogil:
    cdef int suits = 0
    while True:
        if suits_fit(spends, play, suits):
            if number == 0:
                return suits
            number -= 1
        suits += 1


cdef inline bint is_five_ten_king(PlayRow play) noexcept nogil:
    return row_kind(play) == FIVE_TEN_KING


cdef inline int ways_of_rank(const RankChoices* choices, int cards) noexcept nogil:
    return choices.first[cards + 1] - choices.first[cards]


cdef uint64_t count_spends(const Spends* spends, PlayRow play) noexcept nogil:
    """How many plays a row stands for, its cards told apart as ``spends`` says."""
    cdef uint64_t number = ways_of_rank(&spends.by_rank[JOKERS], row_jokers(play))
    cdef uint64_t left = play.counts
    cdef int rank
    if is_five_ten_king(play):
        return number * (count_suits(spends, play) if row_suit(play) < 0 else 1)
    while left:
        rank = lowest_bit(left) >> 2
        number *= ways_of_rank(&spends.by_rank[rank], nibble(left, rank))
        left &= ~(<uint64_t>15 << (4 * rank))
    return number


cdef HandBits spend(const Spends* spends, PlayRow play, uint64_t number) noexcept nogil:
    """The cards of spend ``number`` of a play, counted from 0."""
    cdef HandBits cards
    cdef const RankChoices* choices
    cdef uint64_t left = play.counts
    cdef int rank, count, ways, index, suits
    cards.once = cards.twice = 0
    if is_five_ten_king(play):
        if row_suit(play) < 0 and not spends.every_suit:
            cards.once = spend_mixed(spends.hand, left, spends.called)
        else:
            suits = row_suit(play) * 21          # the same suit three times
            if suits < 0:
                ways = count_suits(spends, play)
                suits = nth_suits(spends, play, <int>(number % ways))
                number //= ways
            for index in range(3):
                if nibble(left, POINT_RANKS[index]):
                    add_choice(&cards, POINT_RANKS[index], 1 << (suits >> (2 * index) & 3))
        left = 0
    while left:
        rank = lowest_bit(left) >> 2
        choices = &spends.by_rank[rank]
        count = nibble(left, rank)
        ways = ways_of_rank(choices, count)
        if ways == 1:
            add_choice(&cards, rank, choices.choice[choices.first[count]])
        else:
            add_choice(&cards, rank, choices.choice[choices.first[count] + <int>(number % ways)])
            number //= ways
        left &= ~(<uint64_t>15 << (4 * rank))
    choices = &spends.by_rank[JOKERS]
    add_choice(&cards, JOKERS, choices.choice[choices.first[row_jokers(play)] + <int>number])
    return cards


cdef int number_of_choice(const RankChoices* choices, HandBits cards, int rank, int count) noexcept nogil:
    cdef int choice = nibble(cards.once, rank) | nibble(cards.twice, rank) << 4
    cdef int told_apart = choices.told_apart | choices.told_apart << 4
    cdef int number
    for number in range(choices.first[count], choices.first[count + 1]):
        if (choices.choice[number] ^ choice) & told_apart == 0:
            return number - choices.first[count]
    return -1


cdef int64_t number_of_spend(const Spends* spends, PlayRow play, HandBits cards) noexcept nogil:
    """Which spend of a play these cards are, or stand for one equal to; -1 if none.

    The cards must be held by the hand that ``spends`` was made for, and make up ``play``.
    """
    cdef int64_t number = 0, unit = 1
    cdef uint64_t left = play.counts
    cdef int rank, count, digit, index, suits, other
    if is_five_ten_king(play):
        if row_suit(play) < 0 and spends.every_suit:
            suits = 0
            for index in range(3):
                if nibble(left, POINT_RANKS[index]):
                    suits |= lowest_bit(nibble(cards.once, POINT_RANKS[index])) << (2 * index)
            for other in range(suits):
                number += suits_fit(spends, play, other)
            unit = count_suits(spends, play)
        left = 0
    while left:
        rank = lowest_bit(left) >> 2
        count = nibble(left, rank)
        digit = number_of_choice(&spends.by_rank[rank], cards, rank, count)
        if digit < 0:
            return -1
        number += unit * digit
        unit *= ways_of_rank(&spends.by_rank[rank], count)
        left &= ~(<uint64_t>15 << (4 * rank))
    digit = number_of_choice(&spends.by_rank[JOKERS], cards, JOKERS, row_jokers(play))
    return number + unit * digit if digit >= 0 else -1


cdef HandBits spend_least(HandBits hand, PlayRow play, int called) noexcept nogil:
    """The cards that a play of ``Detail.RANKS`` stands for."""
    cdef HandBits cards
    cdef uint64_t left = play.counts
    cdef int rank
    cards.once = cards.twice = 0
    if is_five_ten_king(play):
        if row_suit(play) < 0:
            cards.once = spend_mixed(hand, left, called)
        else:
            # one of each, or none where a joker stands
            cards.once = left << row_suit(play)
        left = 0
    if left & ranks_not_free(hand, called):
        while left:
            rank = lowest_bit(left) >> 2
            spend_least_of_rank(&cards, hand, rank, nibble(left, rank), called)
            left &= ~(<uint64_t>15 << (4 * rank))
    while left:
        rank = lowest_bit(left) >> 2
        add_choice(&cards, rank, weakest_first[pattern_of(hand, rank)].choice[nibble(left, rank)])
        left &= ~(<uint64_t>15 << (4 * rank))
    if row_jokers(play):
        spend_least_of_rank(&cards, hand, JOKERS, row_jokers(play), called)
    return cards
