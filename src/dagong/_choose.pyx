"""One of the legal plays at random, without listing them.

A leader's plays fall into categories whose numbers are known from counting; a number is drawn below their
sum, and the play that it falls on is made. A follower's singles, pairs and triples are drawn in the same
way; of the rest there are few, and they are listed.
"""

from libc.stdint cimport uint64_t

from dagong._bits cimport at_least
from dagong._layout cimport (
    PAIR_RUN,
    TRIPLE,
    TRIPLE_RUN,
    jokers_of,
    naturals_of,
    no_play,
    row_kind,
    row_length,
    row_rank,
    row_strength,
)
from dagong._melds cimport (
    count_melds_above,
    count_one_rank,
    list_bombs,
    list_five_ten_kings,
    list_sky_bomb,
    may_have_five_ten_king,
    meld_above,
    play_of_one_rank,
)
from dagong._random cimport below
from dagong._rolls cimport list_rolls
from dagong._runs cimport count_run_slots, list_runs_above, run_in_slot


cdef PlayRow draw_lead(
    const Rules* rules, HandBits hand, uint64_t counts, Stream* stream, Scratch* scratch
) noexcept nogil:
    """A leader's play at ``Detail.RANKS``, each as likely as the next."""
    cdef int jokers = jokers_of(counts)
    cdef int of_one_rank = count_one_rank(rules, counts, jokers)
    cdef int runs = count_run_slots(counts, jokers, rules.wild_alone)
    cdef PlayRow* end = list_five_ten_kings(rules, hand, jokers, 0, scratch.rows)
    cdef PlayRow play
    cdef int chosen
    end = list_rolls(rules, naturals_of(counts), jokers, 0, end)
    end = list_sky_bomb(rules, jokers, 0, end)
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
    const Rules* rules, HandBits hand, uint64_t counts, PlayRow to_beat, Stream* stream, Scratch* scratch
) noexcept nogil:
    """A play that beats ``to_beat``, or the pass (NO_PLAY), each as likely as the next.

    No number is drawn if there is only the pass.
    """
    cdef uint64_t naturals = naturals_of(counts)
    cdef int jokers = jokers_of(counts)
    cdef int kind = row_kind(to_beat), floor = row_strength(to_beat)
    cdef uint64_t bombs = at_least(naturals, 4 - jokers if jokers < 3 else 1)
    cdef PlayRow* end = scratch.rows
    cdef int melds = 0, number, chosen
    if kind <= TRIPLE:
        melds = count_melds_above(naturals, jokers, kind, rules.wild_alone, row_rank(to_beat))
    elif kind <= TRIPLE_RUN:
        end = list_runs_above(
            naturals, jokers, kind - PAIR_RUN + 2, rules.wild_alone, row_length(to_beat),
            row_rank(to_beat), end,
        )
    if may_have_five_ten_king(rules, naturals, jokers):
        end = list_five_ten_kings(rules, hand, jokers, floor, end)
    if bombs or jokers == 4:
        end = list_bombs(rules, naturals, jokers, floor, end)
        # a roll is made of two bombs or more
        if bombs & (bombs - 1) or jokers:
            end = list_rolls(rules, naturals, jokers, floor, end)
        end = list_sky_bomb(rules, jokers, floor, end)
    end[0] = no_play()
    number = melds + <int>(end - scratch.rows) + 1
    chosen = below(stream, number)
    # of one it is 0 in any case, so that the number counts as not drawn
    stream.counter -= number == 1
    if chosen < melds:
        return meld_above(naturals, jokers, kind, rules.wild_alone, row_rank(to_beat), chosen)
    return scratch.rows[chosen - melds]
