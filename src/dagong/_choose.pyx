"""One of the legal plays at random, without listing them.

A leader's plays fall into categories whose numbers are known from counting; a number is drawn below their
sum, and the play that it falls on is made. A follower has few, four on average, so they are listed, unless
a look at the ranks tells that there are none.
"""

from libc.stdint cimport uint64_t

from dagong._bits cimport at_least, low_nibbles, nibble
from dagong._generate cimport generate
from dagong._layout cimport (
    FIVE,
    KING,
    NO_PLAY,
    SKY_BOMB,
    TEN,
    TRIPLE,
    counts_of,
    jokers_of,
    naturals_of,
    pack_head,
    row_kind,
    row_rank,
)
from dagong._melds cimport count_one_rank, list_five_ten_kings, play_of_one_rank
from dagong._random cimport below
from dagong._rolls cimport list_rolls
from dagong._runs cimport count_run_slots, run_in_slot
from dagong._ruleset cimport SKY_STRENGTH


cdef PlayRow draw_lead(
    const Rules* rules, HandBits hand, Stream* stream, Scratch* scratch
) noexcept nogil:
    """A leader's play at ``Detail.RANKS``, each as likely as the next."""
    cdef uint64_t counts = counts_of(hand)
    cdef int jokers = jokers_of(counts)
    cdef int of_one_rank = count_one_rank(rules, counts, jokers)
    cdef int runs = count_run_slots(counts, jokers, rules.wild_alone)
    cdef PlayRow* end = list_five_ten_kings(rules, hand, jokers, 0, scratch.rows)
    cdef PlayRow play
    cdef int chosen
    end = list_rolls(rules, naturals_of(counts), jokers, 0, end)
    if rules.sky_bomb and jokers == 4:
        end.head = pack_head(SKY_BOMB, -1, 1, 4, SKY_STRENGTH, -1, 4)
        end.counts = 0
        end += 1
    while True:
        chosen = below(stream, of_one_rank + runs + <int>(end - scratch.rows))
        if chosen < of_one_rank:
            return play_of_one_rank(rules, counts, jokers, chosen)
        chosen -= of_one_rank
        if chosen >= runs:
            return scratch.rows[chosen - runs]
        if run_in_slot(counts, jokers, rules.wild_alone, chosen, &play):
            return play


cdef PlayRow draw_follow(
    const Rules* rules, HandBits hand, PlayRow to_beat, Stream* stream, Scratch* scratch
) noexcept nogil:
    """A play that beats ``to_beat``, or the pass (NO_PLAY), each as likely as the next.

    No number is drawn if there is only the pass.
    """
    cdef PlayRow passed
    cdef int number, chosen
    passed.head = NO_PLAY
    passed.counts = 0
    if beats_nothing(counts_of(hand), to_beat):
        return passed
    number = generate(rules, hand, to_beat, scratch.rows)
    if number == 0:
        return passed
    chosen = below(stream, number + 1)
    return scratch.rows[chosen] if chosen < number else passed


cdef inline bint beats_nothing(uint64_t counts, PlayRow to_beat) noexcept nogil:
    """Whether a quick look tells that a hand can only pass; if not, it may still be so."""
    cdef uint64_t naturals = naturals_of(counts)
    cdef int jokers = jokers_of(counts)
    cdef int size = row_kind(to_beat)
    if jokers or row_kind(to_beat) > TRIPLE:
        return False
    if at_least(naturals, size) & ~low_nibbles(row_rank(to_beat) + 1):
        return False
    # without jokers, bombs need four of a rank and 510Ks one of each
    if at_least(naturals, 4):
        return False
    return not (nibble(naturals, FIVE) and nibble(naturals, TEN) and nibble(naturals, KING))
