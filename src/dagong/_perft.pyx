"""Perft: the leaves of the game tree at a depth, counted.

The last action of a line is counted, not made. One action before it, how many answers a play has depends
only on what beats it, since the seat that answers holds the same cards whatever was played: plays that
mean the same share one count, which is remembered.
"""

import numpy as np

from libc.stdint cimport uint64_t
from libc.stdlib cimport calloc, free

from dagong._bits cimport nibble
from dagong._core cimport as_detail
from dagong._count cimport count_bombs_above, count_of_kind_above, count_plays
from dagong._generate cimport MOST_PLAYS, SLACK, generate
from dagong._layout cimport (
    JOKERS,
    TRIPLE,
    HandBits,
    PlayRow,
    cards_in,
    counts_of,
    row_jokers,
    row_kind,
    row_size,
    row_strength,
)
from dagong._play cimport rules_in
from dagong._position cimport (
    BIDDING,
    OVER,
    Position,
    Table,
    can_pass,
    make_bid,
    make_pass,
    make_play,
    next_with_cards,
    secret_card,
)
from dagong._random cimport GAMMA
from dagong._ruleset cimport KIND_AND_LENGTH, Rules, is_bomb
from dagong._spends cimport (
    DETAIL_RANKS,
    DETAIL_STRATEGIC,
    Spends,
    count_spends,
    find_spends,
    spend,
    spend_least,
)
from dagong._state cimport State

from dagong.kinds import Detail

cdef extern from "Python.h":
    # as C has it, without Cython raising at once what it sets
    int PyErr_CheckSignals() noexcept

cdef enum:
    MOST_ACTIONS = 440     # of a hand: four bids, and of 108 plays each with three passes at the most
    MEMORY_BITS = 10

# How many answers there are to a play, the pass not counted, in the node that it was counted for.
cdef struct Answers:
    uint64_t meaning
    uint64_t node
    uint64_t number

# The plays of a node, while it is gone through.
cdef struct Level:
    PlayRow rows[MOST_PLAYS + SLACK]

# Who answers in a node, and the answers that are bombs, counted when first needed.
cdef struct Answerer:
    HandBits hand
    uint64_t counts
    int bombs

cdef enum:
    NOT_COUNTED = -1

cdef struct Search:
    const Rules* rules
    int detail
    bint stopped               # by a signal
    uint64_t nodes             # in which answers were remembered
    Answerer answerer
    Level* levels              # by the depth that is left
    Answers memory[1 << MEMORY_BITS]


cdef uint64_t count_leaves(Search* search, const Position* position, int depth) noexcept nogil:
    cdef const Table* table = &position.table
    cdef Position child
    cdef uint64_t leaves
    if depth == 0:
        return 1
    if table.phase == OVER or search.stopped:
        return 0
    if table.phase == BIDDING:
        if depth == 1:
            return 2
        child = position[0]
        make_bid(&child, False)
        leaves = count_leaves(search, &child, depth - 1)
        child = position[0]
        make_bid(&child, True)
        return leaves + count_leaves(search, &child, depth - 1)
    if depth == 1:
        leaves = count_of_plays(search, position, table.to_move, table.last_play)
        return leaves + can_pass(position)
    if depth >= 4:
        heed_signals(search)
    leaves = below_plays(search, position, depth)
    if can_pass(position):
        child = position[0]
        make_pass(&child, search.rules)
        leaves += count_leaves(search, &child, depth - 1)
    return leaves


cdef void heed_signals(Search* search) noexcept nogil:
    """Stop if a signal's handler raises; the error stays set until ``raise_if_stopped``."""
    with gil:
        if PyErr_CheckSignals() != 0:
            search.stopped = True


cdef int raise_if_stopped(const Search* search) except -1:
    return -1 if search.stopped else 0


cdef uint64_t count_of_plays(
    Search* search, const Position* position, int seat, PlayRow to_beat
) noexcept nogil:
    """How many plays of a seat beat another, or, if that is none, are there to lead."""
    cdef HandBits hand = position.hands[seat]
    if search.detail == DETAIL_RANKS and row_kind(to_beat) > TRIPLE:
        # so few on average that to list them takes less than to count them
        return generate(search.rules, hand, to_beat, search.levels[1].rows)
    return count_plays(search.rules, hand, to_beat, search.detail, secret_card(&position.table))


cdef uint64_t below_plays(Search* search, const Position* position, int depth) noexcept nogil:
    """The leaves below the plays of a node."""
    cdef const Table* table = &position.table
    cdef HandBits hand = position.hands[table.to_move]
    cdef int cards = cards_in(hand)
    cdef PlayRow* rows = search.levels[depth].rows
    cdef int number = generate(search.rules, hand, table.last_play, rows)
    cdef uint64_t leaves = 0, spends_of_row = 1
    cdef Spends spends
    cdef int index
    if search.detail != DETAIL_RANKS:
        find_spends(&spends, hand, search.detail, secret_card(table))
    if depth == 2:
        search.nodes += 1
        search.answerer.hand = position.hands[next_with_cards(position, table.to_move)]
        search.answerer.counts = counts_of(search.answerer.hand)
        search.answerer.bombs = NOT_COUNTED
    for index in range(number):
        if search.detail != DETAIL_RANKS:
            spends_of_row = count_spends(&spends, rows[index])
        if depth == 2 and row_size(rows[index]) < cards and not may_reveal(search, table, rows[index]):
            leaves += spends_of_row * (1 + count_answers(search, position, rows[index]))
        else:
            leaves += below_spends(search, position, rows[index], &spends, spends_of_row, depth)
    return leaves


cdef uint64_t below_spends(
    Search* search, const Position* position, PlayRow play, const Spends* spends, uint64_t number, int depth
) noexcept nogil:
    """The leaves below one play, made with each choice of cards that the detail tells apart."""
    cdef const Table* table = &position.table
    cdef Position child
    cdef uint64_t leaves = 0, index
    for index in range(number):
        child = position[0]
        make_play(
            &child, search.rules, play,
            spend_least(position.hands[table.to_move], play, secret_card(table))
            if search.detail == DETAIL_RANKS else spend(spends, play, index),
        )
        leaves += count_leaves(search, &child, depth - 1)
        if search.stopped:
            break
    return leaves


cdef inline bint may_reveal(const Search* search, const Table* table, PlayRow play) noexcept nogil:
    """Whether the cards of a play may show who is the partner, and that changes what is told apart."""
    cdef int rank = table.called >> 2
    if search.detail != DETAIL_STRATEGIC or table.revealed or table.to_move != table.partner:
        return False
    return (row_jokers(play) if rank == JOKERS else nibble(play.counts, rank)) > 0


cdef inline uint64_t count_answers(
    Search* search, const Position* position, PlayRow play
) noexcept nogil:
    """How many plays of the next seat beat a play that leaves its player cards."""
    cdef uint64_t meaning = row_strength(play)
    cdef Answers* answers
    if not is_bomb(row_strength(play)):
        meaning |= (play.head & KIND_AND_LENGTH) << 16
    answers = &search.memory[(meaning * GAMMA) >> (64 - MEMORY_BITS)]
    if answers.meaning != meaning or answers.node != search.nodes:
        answers.number = (
            answers_by_rank(search, play) if search.detail == DETAIL_RANKS else count_plays(
                search.rules, search.answerer.hand, play, search.detail, secret_card(&position.table)
            )
        )
        answers.meaning = meaning
        answers.node = search.nodes
    return answers.number


cdef int answers_by_rank(Search* search, PlayRow play) noexcept nogil:
    cdef Answerer* answerer = &search.answerer
    cdef PlayRow* scratch = search.levels[1].rows
    if is_bomb(row_strength(play)):
        return count_bombs_above(
            search.rules, answerer.hand, answerer.counts, row_strength(play), scratch
        )
    if answerer.bombs == NOT_COUNTED:
        answerer.bombs = count_bombs_above(search.rules, answerer.hand, answerer.counts, 0, scratch)
    return answerer.bombs + count_of_kind_above(search.rules, answerer.counts, play, scratch)


def perft(State state not None, depth, *, detail=Detail.RANKS):
    """The leaves of the game tree ``depth`` actions below a state.

    An action is a bid, a play at ``detail``, or a pass; at a detail that lists one play for several, it is
    made with the cards listed. A hand that is over has no actions. Plays of the last action are counted
    without being made, and equal answers to equal plays only once. Ctrl-C stops it; the GIL is released.

    Raises ``ValueError`` if depth is no whole number from 0.

    >>> from dagong import DAYE, State
    >>> state = State.deal(DAYE, 7)
    >>> [perft(state, depth) for depth in range(6)]
    [1, 2, 40, 1090, 13120, 243778]
    """
    cdef Search* search
    cdef uint64_t leaves = 0
    cdef int left
    cdef Position position = state.position
    if isinstance(depth, bool) or not isinstance(depth, (int, np.integer)) or depth < 0:
        raise ValueError(f"depth = {depth!r}: expected a whole number from 0")
    if depth > MOST_ACTIONS:
        return 0
    left = depth
    search = <Search*>calloc(1, sizeof(Search))
    if search == NULL:
        raise MemoryError()
    search.levels = <Level*>calloc(max(left, 1) + 1, sizeof(Level))
    try:
        if search.levels == NULL:
            raise MemoryError()
        search.rules = rules_in(state.compiled)
        search.detail = as_detail(detail)
        with nogil:
            leaves = count_leaves(search, &position, left)
        raise_if_stopped(search)
    finally:
        free(search.levels)
        free(search)
    return leaves
