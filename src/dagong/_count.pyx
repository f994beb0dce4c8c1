"""How many plays there are, at any detail, without listing them.

What a detail tells apart enters only through ``Ways``: a play of given counts is counted as often as its
cards can be chosen.
"""

from libc.stdint cimport uint64_t

from dagong._bits cimport bit_count, nibble
from dagong._layout cimport (
    JOKERS,
    NO_PLAY,
    PAIR_RUN,
    RANKS,
    RUN_RANKS,
    TRIPLE,
    TRIPLE_RUN,
    HandBits,
    PlayRow,
    counts_of,
    jokers_of,
    naturals_of,
    row_jokers,
    row_kind,
    row_length,
    row_rank,
    row_size,
    row_strength,
    row_suit,
)
from dagong._melds cimport (
    count_bombs_by_rank,
    count_five_ten_kings,
    count_melds_above,
    count_one_rank,
    list_bombs,
    list_five_ten_kings,
)
from dagong._rolls cimport count_rolls, count_rolls_by_rank, list_rolls
from dagong._runs cimport count_all_runs, list_runs_above
from dagong._ruleset cimport (
    BOMB_STRENGTH,
    ROLL_STRENGTH,
    SKY_STRENGTH,
    Bombs,
    Rules,
    is_bomb,
)
from dagong._spends cimport (
    DETAIL_RANKS,
    Ways,
    find_ways,
)


cdef uint64_t count_ranks_lead(const Rules* rules, HandBits hand) noexcept nogil:
    """How many plays a leader has at ``Detail.RANKS``."""
    cdef uint64_t counts = counts_of(hand)
    cdef int jokers = jokers_of(counts)
    cdef int number = (
        count_one_rank(rules, counts, jokers)
        + count_all_runs(counts, jokers, rules.wild_alone)
        + count_five_ten_kings(rules, hand, jokers)
        + count_rolls_by_rank(rules, counts, jokers)
    )
    if rules.sky_bomb and jokers == 4:
        number += 1
    return number


cdef int count_of_kind_above(
    const Rules* rules, uint64_t counts, PlayRow to_beat, PlayRow* scratch
) noexcept nogil:
    """How many plays of the kind and length of one that is no bomb are stronger; ``scratch`` is for runs."""
    cdef uint64_t naturals = naturals_of(counts)
    cdef int jokers = jokers_of(counts), kind = row_kind(to_beat)
    if kind <= TRIPLE:
        return count_melds_above(naturals, jokers, kind, rules.wild_alone, row_rank(to_beat))
    # so few on average that to list them takes less than to count them
    return <int>(list_runs_above(
        naturals, jokers, kind - PAIR_RUN + 2, rules.wild_alone, row_length(to_beat), row_rank(to_beat),
        scratch,
    ) - scratch)


cdef int count_bombs_above(
    const Rules* rules, HandBits hand, uint64_t counts, int floor, PlayRow* scratch
) noexcept nogil:
    """How many bombs of all kinds are stronger than ``floor``; ``scratch`` is for the floor of a bomb."""
    cdef int jokers = jokers_of(counts)
    cdef int number = 1 if rules.sky_bomb and jokers == 4 and floor < SKY_STRENGTH else 0
    cdef PlayRow* end
    if floor < ROLL_STRENGTH:
        number += count_rolls_by_rank(rules, counts, jokers)
    if not is_bomb(floor):
        number += count_five_ten_kings(rules, hand, jokers)
        return number + count_bombs_by_rank(rules, counts, jokers)
    end = list_five_ten_kings(rules, hand, jokers, floor, scratch)
    end = list_bombs(rules, naturals_of(counts), jokers, floor, end)
    if floor >= ROLL_STRENGTH:
        end = list_rolls(rules, counts, jokers, floor, end)
    return number + <int>(end - scratch)


cdef uint64_t count_plays(
    const Rules* rules, HandBits hand, PlayRow to_beat, int detail, int called
) noexcept nogil:
    """How many plays beat ``to_beat`` (all plays, if it is NO_PLAY); its strength must be the rules'."""
    cdef uint64_t counts = counts_of(hand)
    cdef int jokers = jokers_of(counts)
    cdef int kind = row_kind(to_beat), floor = row_strength(to_beat)
    cdef int size, each
    cdef uint64_t number = 0
    cdef Ways ways
    if kind == NO_PLAY and detail == DETAIL_RANKS:
        return count_ranks_lead(rules, hand)
    if kind <= TRIPLE and detail == DETAIL_RANKS:
        return (
            count_of_kind_above(rules, counts, to_beat, NULL)
            + count_bombs_above(rules, hand, counts, floor, NULL)
        )
    find_ways(&ways, hand, detail, called)
    if kind == NO_PLAY:
        for size in range(1, 4):
            number += count_melds(&ways, jokers, size, rules.wild_alone, -1)
        for each in range(2, 4):
            number += count_runs(&ways, jokers, each, rules.wild_alone)
    elif kind <= TRIPLE:
        number = count_melds(&ways, jokers, kind, rules.wild_alone, row_rank(to_beat))
    elif kind <= TRIPLE_RUN:
        number = count_runs_of_length(
            &ways, jokers, kind - PAIR_RUN + 2, rules.wild_alone, row_length(to_beat), row_rank(to_beat)
        )
    number += count_five_ten_king_cards(rules, hand, &ways, jokers, floor, detail)
    number += count_bombs(rules, &ways, counts, jokers, floor)
    number += count_rolls(rules, counts, jokers, floor, &ways)
    if rules.sky_bomb and jokers == 4 and floor < SKY_STRENGTH:
        number += ways.of[JOKERS][4]
    return number


cdef uint64_t count_melds(
    const Ways* ways, int jokers, int size, bint wild_alone, int above
) noexcept nogil:
    cdef uint64_t number = 0, naturals
    cdef int rank, among
    for among in range(min(jokers + 1, size)):
        naturals = 0
        for rank in range(above + 1, RANKS):
            naturals += ways.of[rank][size - among]
        number += naturals * ways.of[JOKERS][among]
    if jokers >= size:
        if wild_alone:
            number += (RANKS - 1 - above) * ways.of[JOKERS][size]
        elif above < 0:
            number += ways.of[JOKERS][size]
    return number


cdef uint64_t count_bombs(
    const Rules* rules, const Ways* ways, uint64_t counts, int jokers, int floor
) noexcept nogil:
    cdef const Bombs* bombs = &rules.bombs[jokers]
    cdef PlayRow bomb
    cdef uint64_t number = 0
    cdef int rank, place
    for rank in range(RANKS):
        for place in range(bombs.upto[nibble(counts, rank)]):
            bomb = bombs.row[place]
            if row_strength(bomb) + rank > floor:
                number += <uint64_t>(
                    ways.of[rank][row_size(bomb) - row_jokers(bomb)] * ways.of[JOKERS][row_jokers(bomb)]
                )
    if jokers == 4 and (rules.wild_alone or not rules.sky_bomb):
        for rank in range(RANKS if rules.wild_alone else 1):
            number += (BOMB_STRENGTH + rank > floor) * ways.of[JOKERS][4]
    return number


cdef uint64_t count_five_ten_king_cards(
    const Rules* rules, HandBits hand, const Ways* ways, int jokers, int floor, int detail
) noexcept nogil:
    """A flush spends just one card of each rank; a mixed 510K any suits but three (or two) alike."""
    cdef PlayRow rows[40]
    cdef int number_of_rows = <int>(list_five_ten_kings(rules, hand, jokers, floor, rows) - rows)
    cdef int index
    cdef uint64_t number = 0, choices
    for index in range(number_of_rows):
        choices = 1
        if row_suit(rows[index]) < 0 and detail != DETAIL_RANKS:
            choices = mixed_choices(hand, rows[index].counts)
        number += choices * ways.of[JOKERS][row_jokers(rows[index])]
    return number


cdef int mixed_choices(HandBits hand, uint64_t counts) noexcept nogil:
    cdef int product = 1, alike = 15, suits, rank
    for rank in range(RANKS):
        if nibble(counts, rank):
            suits = nibble(hand.once, rank)
            product *= bit_count(suits)
            alike &= suits
    return product - bit_count(alike)


# A polynomial in the jokers spent: item n is the number of ways that spend n of them, up to those held.

cdef inline void multiply(
    uint64_t* product, const uint64_t* one, const uint64_t* other, int jokers
) noexcept nogil:
    cdef int total, part
    cdef uint64_t number
    for total in range(jokers + 1):
        number = 0
        for part in range(total + 1):
            number += one[part] * other[total - part]
        product[total] = number


cdef inline void fill_rank(
    uint64_t* filled, const Ways* ways, int rank, int each, int jokers
) noexcept nogil:
    """The ways to bring a rank to ``each`` cards."""
    cdef int among
    for among in range(jokers + 1):
        filled[among] = ways.of[rank][each - among] if among <= each else 0


cdef uint64_t count_runs(const Ways* ways, int jokers, int each, bint wild_alone) noexcept nogil:
    """All pair runs or triple runs, by a recurrence over their top rank."""
    cdef uint64_t filled[5]
    cdef uint64_t ending[5]
    cdef uint64_t longer[5]
    cdef uint64_t number = 0
    cdef int rank, among
    for among in range(jokers + 1):
        ending[among] = 0
    for rank in range(RUN_RANKS):
        fill_rank(filled, ways, rank, each, jokers)
        multiply(longer, ending, filled, jokers)
        for among in range(jokers + 1):
            ending[among] = longer[among] + filled[among]
            number += longer[among] * ways.of[JOKERS][among]
    if each == 2 and jokers == 4 and not wild_alone:
        number -= (RUN_RANKS - 1) * ways.of[JOKERS][4]
    return number


cdef uint64_t count_runs_of_length(
    const Ways* ways, int jokers, int each, bint wild_alone, int length, int above
) noexcept nogil:
    cdef uint64_t filled[5]
    cdef uint64_t stretch[5]
    cdef uint64_t longer[5]
    cdef uint64_t number = 0
    cdef int start, rank, among
    for start in range(max(0, above - length + 2), RUN_RANKS - length + 1):
        fill_rank(stretch, ways, start, each, jokers)
        for rank in range(start + 1, start + length):
            fill_rank(filled, ways, rank, each, jokers)
            multiply(longer, stretch, filled, jokers)
            for among in range(jokers + 1):
                stretch[among] = longer[among]
        for among in range(jokers + 1):
            number += stretch[among] * ways.of[JOKERS][among]
        if each == 2 and length == 2 and jokers == 4 and not wild_alone:
            number -= ways.of[JOKERS][4]
    return number
