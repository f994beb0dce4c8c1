"""Whole hands in bulk: deal, bids, plays, payment, and a row for each."""

import numpy as np

from cpython.buffer cimport PyBUF_C_CONTIGUOUS, PyBUF_WRITABLE, PyBuffer_Release, PyObject_GetBuffer
from libc.stdlib cimport free, malloc
from libc.string cimport memset

from dagong._bits cimport at_least, debug_assert, flag_count
from dagong._choose cimport draw_follow, draw_lead
from dagong._deal cimport CHOOSING, Deal, deal_hand
from dagong._greedy cimport greedy_bid, greedy_play
from dagong._layout cimport (
    BOMB,
    FIVE_TEN_KING,
    NO_PLAY,
    ROLL,
    HandBits,
    all_counts,
    cards_in,
    counts_of,
    jokers_of,
    naturals_of,
    row_kind,
    row_strength,
)
from dagong._payment cimport Payment, pay
from dagong._play cimport CompiledRules, new_play, rules_in
from dagong._position cimport (
    ALL_SEATS,
    BIDDING,
    NOBODY,
    OVER,
    Table,
    lay_play,
    lay_table,
    make_bid,
    pass_to,
    secret_card,
)
from dagong._random cimport below, new_stream
from dagong._ruleset cimport (
    BONUS_EIGHT,
    BONUS_FOUR_510K,
    BONUS_SEVEN,
    BONUS_SKY,
    is_bomb,
)
from dagong._spends cimport NO_CARD, spend_least
from dagong._answers cimport Answerers, may_answer, note_cards
from dagong._state cimport STEP_PASS, STEP_PLAY, State, Step

cdef enum:
    SOLO_ODDS = 64        # a random player bids once in so many times

POLICIES = ("random", "greedy")
"""The native policies, by their PolicyCode."""

_by_seat = (4,)
HAND_DTYPE = np.dtype(
    [
        ("hand", np.uint64), ("payoffs", np.int32, _by_seat), ("multiplier", np.int32),
        ("plays", np.uint16), ("passes", np.uint16), ("dealer", np.uint8), ("called", np.uint8),
        ("soloist", np.int8), ("partner", np.int8), ("ending", np.uint8), ("verdict", np.uint8),
        ("winners", np.uint8), ("revealed", np.uint8),
        ("places", np.int8, _by_seat), ("captured", np.uint8, _by_seat), ("points", np.uint8, _by_seat),
        ("left", np.uint8, _by_seat), ("jokers", np.uint8, _by_seat), ("quads", np.uint8, _by_seat),
        ("five_ten_kings", np.uint8, _by_seat), ("bombs", np.uint8, _by_seat),
        ("rolls", np.uint8, _by_seat), ("sky_bombs", np.uint8, _by_seat),
        ("sky", np.uint8, _by_seat), ("eights", np.uint8, _by_seat), ("sevens", np.uint8, _by_seat),
        ("four_510ks", np.uint8, _by_seat),
    ],
    align=True,
)
if HAND_DTYPE.itemsize != sizeof(HandRow):
    raise ImportError("HAND_DTYPE is not laid out as the core's rows")


cdef Py_ssize_t rows_in(object out) except -1:
    """How many rows an array has to be filled with."""
    if not isinstance(out, np.ndarray) or out.dtype != HAND_DTYPE or out.ndim != 1:
        raise ValueError(f"out = {out!r}: expected an array of HAND_DTYPE with one dimension")
    return len(out)


cdef int code_of_policy(object name) except -1:
    if name not in POLICIES:
        raise ValueError(f"policy {name!r}: expected one of {', '.join(POLICIES)}")
    return POLICIES.index(name)


cdef bint choose_bid(
    const Position* position, int policy, Stream* stream
) noexcept nogil:
    """Whether the seat to move plays solo."""
    if policy == POLICY_GREEDY:
        return greedy_bid(position.hands[position.table.to_move])
    return below(stream, SOLO_ODDS) == 0


cdef PlayRow choose_play(
    const Rules* rules, const Position* position, uint64_t counts, int policy, Stream* stream,
    Scratch* scratch
) noexcept nogil:
    """What the seat to move, whose counts are given, plays; NO_PLAY if it passes."""
    cdef const Table* table = &position.table
    if policy == POLICY_GREEDY:
        return greedy_play(rules, position, scratch)
    if table.last_player == NOBODY:
        return draw_lead(rules, position.hands[table.to_move], counts, stream, scratch)
    return draw_follow(rules, position.hands[table.to_move], counts, table.last_play, stream, scratch)


cdef void begin_row(
    HandRow* row, uint64_t hand, const HandBits* hands, int dealer, int called
) noexcept nogil:
    cdef int seat
    memset(row, 0, sizeof(HandRow))
    row.hand = hand
    row.dealer = dealer
    row.called = called
    for seat in range(SEATS):
        row.jokers[seat] = jokers_of(counts_of(hands[seat]))
        row.quads[seat] = flag_count(at_least(naturals_of(counts_of(hands[seat])), 4))


cdef inline void count_play(HandRow* row, int seat, PlayRow play) noexcept nogil:
    cdef int kind = row_kind(play)
    row.plays += 1
    if is_bomb(row_strength(play)):
        if kind == BOMB:
            row.bombs[seat] += 1
        elif kind == FIVE_TEN_KING:
            row.five_ten_kings[seat] += 1
        elif kind == ROLL:
            row.rolls[seat] += 1
        else:
            row.sky_bombs[seat] += 1


cdef void end_row(HandRow* row, const Position* position, const Rules* rules) noexcept nogil:
    cdef const Table* table = &position.table
    cdef Payment payment
    cdef int seat
    pay(&payment, position, rules)
    row.soloist = -1 if table.soloist == NOBODY else table.soloist
    row.partner = -1 if table.partner == NOBODY else table.partner
    row.ending = table.ending
    row.verdict = payment.reason
    row.winners = payment.winners
    row.revealed = table.revealed
    row.multiplier = payment.multiplier
    for seat in range(SEATS):
        row.payoffs[seat] = payment.total[seat]
        row.places[seat] = table.places[seat] if seat < table.finished else -1
        row.left[seat] = cards_in(position.hands[seat])
        row.captured[seat] = table.captured[seat]
        row.points[seat] = payment.points[seat]
        row.sky[seat] = table.holdings[seat].sky if rules.bonuses & BONUS_SKY else 0
        row.eights[seat] = table.holdings[seat].eights if rules.bonuses & BONUS_EIGHT else 0
        row.sevens[seat] = table.holdings[seat].sevens if rules.bonuses & BONUS_SEVEN else 0
        row.four_510ks[seat] = table.holdings[seat].four_510ks if rules.bonuses & BONUS_FOUR_510K else 0


cdef void play_one(
    HandRow* row, const Rules* rules, const uint8_t* policies, uint64_t seed, uint64_t hand,
    Scratch* scratch
) noexcept nogil:
    """Hand ``hand`` of a seed, from the deal to the payment."""
    cdef Deal deal
    cdef Position position
    cdef Table* table = &position.table
    cdef Stream stream = new_stream(seed, hand, CHOOSING)
    cdef PlayRow play
    cdef Answerers answerers
    cdef int seat, holders = ALL_SEATS, able = 0
    deal_hand(&deal, rules, seed, hand, NOBODY)
    begin_row(row, hand, deal.hands, deal.dealer, deal.called)
    answerers.bombs = answerers.five_ten_kings = 0
    for seat in range(SEATS):
        position.hands[seat] = deal.hands[seat]
        note_cards(&answerers, seat, counts_of(deal.hands[seat]))
    lay_table(&position, deal.dealer, deal.called, NOBODY, True)
    while table.phase == BIDDING:
        make_bid(&position, choose_bid(&position, policies[table.to_move], &stream))
    while table.phase != OVER:
        seat = table.to_move
        play = choose_play(rules, &position, answerers.counts[seat], policies[seat], &stream, scratch)
        if row_kind(play) == NO_PLAY:
            row.passes += 1
        else:
            count_play(row, seat, play)
            note_cards(&answerers, seat, answerers.counts[seat] - all_counts(play))
            able = may_answer(rules, &answerers, play)
            lay_play(
                &position, rules, play, spend_least(position.hands[seat], play, secret_card(table))
            )
            debug_assert(answerers.counts[seat] == counts_of(position.hands[seat]))
            holders &= ~((answerers.counts[seat] == 0) << seat)
            if table.phase == OVER:
                break
        row.passes += pass_to(&position, rules, holders, able)
    end_row(row, &position, rules)


def play_hands(CompiledRules rules not None, policies, uint64_t seed, uint64_t first, out):
    """Play hands ``first``, ``first + 1``… of a seed into ``out``, an array of HAND_DTYPE.

    ``policies`` are four of POLICIES, by seat. The GIL is released.

    >>> from dagong import DAYE
    >>> rows = np.zeros(3, HAND_DTYPE)
    >>> play_hands(DAYE, ("random", "greedy", "random", "greedy"), 7, 100, rows)
    >>> rows["hand"].tolist(), rows["payoffs"].sum(axis=1).tolist()
    ([100, 101, 102], [0, 0, 0])
    """
    cdef uint8_t[SEATS] codes
    cdef Py_buffer view
    cdef HandRow* rows
    cdef Scratch* scratch
    cdef Py_ssize_t index, number = rows_in(out)
    cdef const Rules* compiled = rules_in(rules)
    if len(policies) != SEATS:
        raise ValueError(f"{len(policies)} policies: expected four policies, by seat")
    for index, name in enumerate(policies):
        codes[index] = code_of_policy(name)
    scratch = <Scratch*>malloc(sizeof(Scratch))
    if scratch == NULL:
        raise MemoryError()
    try:
        PyObject_GetBuffer(out, &view, PyBUF_WRITABLE | PyBUF_C_CONTIGUOUS)
        rows = <HandRow*>view.buf
        with nogil:
            for index in range(number):
                play_one(&rows[index], compiled, codes, seed, first + index, scratch)
        PyBuffer_Release(&view)
    finally:
        free(scratch)


cdef class Choices:
    """Choices(seed, hand)

    What native policies choose in one hand, in the order asked: the choices of ``play_hands``.
    """

    cdef Stream stream

    def __init__(self, uint64_t seed, uint64_t hand):
        self.stream = new_stream(seed, hand, CHOOSING)

    def bid(self, State state not None, policy):
        """Whether the seat to move plays solo."""
        if state.position.table.phase != BIDDING:
            raise ValueError("there is no bid to make")
        return bool(choose_bid(&state.position, code_of_policy(policy), &self.stream))

    def play(self, State state not None, policy):
        """The play of the seat to move, or None if it passes."""
        cdef Scratch scratch
        cdef PlayRow play
        cdef const Table* table = &state.position.table
        if table.phase == BIDDING or table.phase == OVER:
            raise ValueError("there is no play to make")
        play = choose_play(
            rules_in(state.compiled), &state.position, counts_of(state.position.hands[table.to_move]),
            code_of_policy(policy), &self.stream, &scratch
        )
        if row_kind(play) == NO_PLAY:
            return None
        return new_play(play, spend_least(
            state.position.hands[table.to_move], play, secret_card(table)
        ), state.compiled)


def write_row(State state not None, uint64_t hand, out):
    """Write the row of a hand that is over to ``out``, an array of one HAND_DTYPE."""
    cdef Py_buffer view
    cdef HandRow row
    cdef Step step = state.last
    if state.position.table.phase != OVER:
        raise ValueError("the hand is not over")
    if state.start_called == NO_CARD:
        raise ValueError("the hand began with a soloist: no card was called, as a row has to tell")
    if rows_in(out) != 1:
        raise ValueError(f"out has {len(out)} rows: expected one")
    begin_row(&row, hand, state.dealt_bits, state.start_dealer, state.start_called)
    while step is not None:
        if step.what == STEP_PLAY:
            count_play(&row, step.undo.seat, step.row)
        elif step.what == STEP_PASS:
            row.passes += 1
        step = step.before
    end_row(&row, &state.position, rules_in(state.compiled))
    PyObject_GetBuffer(out, &view, PyBUF_WRITABLE | PyBUF_C_CONTIGUOUS)
    (<HandRow*>view.buf)[0] = row
    PyBuffer_Release(&view)
