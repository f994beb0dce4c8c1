# cython: language_level=3
"""An outside user of dagong's core: everything between the two lines runs without the GIL."""

from libc.stdint cimport uint64_t
from libc.stdlib cimport free, malloc

from dagong._core cimport (
    MOST_PLAYS,
    SLACK,
    CompiledRules,
    Hand,
    HandBits,
    PlayRow,
    Rules,
    Spends,
    compile_rules,
    count_plays,
    count_spends,
    find_spends,
    generate,
    row_jokers,
    row_kind,
    row_rank,
    row_size,
    spend,
)

cdef enum:
    RANKS_DETAIL = 0
    NO_CARD = -1


cdef uint64_t add_cards(uint64_t total, HandBits cards) noexcept nogil:
    """A checksum of cards that depends on their order of listing."""
    return total * 1000003 + cards.once * 31 + cards.twice


cdef int look(
    const Rules* rules, HandBits hand, int detail, int called, PlayRow* rows, uint64_t* answer
) noexcept nogil:
    """Fill ``answer``: rows, plays counted, plays of the rows, their cards, a sum of fields."""
    cdef PlayRow lead
    cdef Spends spends
    cdef uint64_t number
    cdef int index, rows_found
    lead.head = lead.counts = 0
    rows_found = generate(rules, hand, lead, rows)
    find_spends(&spends, hand, detail, called)
    answer[0] = rows_found
    answer[1] = count_plays(rules, hand, lead, detail, called)
    answer[2] = answer[3] = answer[4] = 0
    for index in range(rows_found):
        answer[2] += count_spends(&spends, rows[index])
        for number in range(count_spends(&spends, rows[index])):
            answer[3] = add_cards(answer[3], spend(&spends, rows[index], number))
        answer[4] += (
            row_kind(rows[index]) + 10 * row_rank(rows[index]) + 1000 * row_size(rows[index])
            + 100000 * row_jokers(rows[index])
        )
    return rows_found


def numbers(CompiledRules ruleset not None, Hand hand not None, int detail=RANKS_DETAIL, int called=NO_CARD):
    """What ``look`` finds, by the rules in a ``Ruleset``."""
    cdef uint64_t[5] answer
    cdef const Rules* rules = &ruleset.rules
    cdef HandBits bits = hand.bits
    cdef PlayRow* rows = <PlayRow*>malloc((MOST_PLAYS + SLACK) * sizeof(PlayRow))
    if rows == NULL:
        raise MemoryError()
    with nogil:
        look(rules, bits, detail, called, rows, answer)
        free(rows)
    return [answer[index] for index in range(5)]


def numbers_of_own_rules(Hand hand not None, bint wild_alone, int rolls):
    """The same by rules filled in and compiled here: the other fields are those of DAYE."""
    cdef uint64_t[5] answer
    cdef PlayRow[MOST_PLAYS + SLACK] rows
    cdef Rules rules
    cdef HandBits bits = hand.bits
    with nogil:
        rules.wild_alone = wild_alone
        rules.ftk_max_jokers = 3
        rules.sky_bomb = rules.natural_bombs = rules.roll_two = 0
        rules.rolls = rolls
        rules.roll_order = 2
        compile_rules(&rules)
        look(&rules, bits, RANKS_DETAIL, NO_CARD, rows, answer)
    return [answer[index] for index in range(5)]


def sizes():
    """How large the shared structs are."""
    return sizeof(PlayRow), sizeof(HandBits), sizeof(Rules)
