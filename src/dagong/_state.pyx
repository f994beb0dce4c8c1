"""State: a hand in progress, as Python sees it (R5 to R7)."""

import secrets

import numpy as np

from cpython.buffer cimport (
    PyBUF_C_CONTIGUOUS,
    PyBUF_FORMAT,
    PyBUF_WRITABLE,
    PyBuffer_Release,
    PyObject_GetBuffer,
)
from libc.stdint cimport uint8_t, uint64_t
from libc.string cimport memset

from dagong._bits cimport lowest_bit
from dagong._choose cimport Scratch, draw_follow, draw_lead
from dagong._core cimport as_detail, new_plays
from dagong._deal cimport CHOOSING, PACK, SAMPLING, Deal, add_copy, deal_hand
from dagong._hand cimport Hand, as_hand, new_hand
from dagong._layout cimport (
    CODES,
    HAND_CARDS,
    NO_PLAY,
    cards_in,
    counts_of,
    row_kind,
    row_length,
    row_rank,
    row_size,
    row_strength,
    row_suit,
)
from dagong._payment cimport Payment, pay
from dagong._play cimport Play, new_play, row_under, rules_in
from dagong._position cimport (
    BIDDING,
    NOBODY,
    OVER,
    Table,
    apply_bid,
    apply_pass,
    apply_play,
    begin,
    can_pass,
    end_if_decided,
    find_holdings,
    refresh_keys,
    secret_card,
    undo_last,
)
from dagong._random cimport Stream, below, new_stream
from dagong._ruleset cimport beats
from dagong._spends cimport NO_CARD, spend_least

from dagong.cards import Card
from dagong.kinds import Detail
from dagong.outcome import Action, IllegalPlay, Observation, explain

cdef tuple PHASES = ("bid", "play", "over")
cdef tuple ENDINGS = (None, "solo", "one_left", "partners", "early_second", "early_first")

cdef object int_or_none(object number):
    return None if number is None else int(number)


cdef object seat_or_none(int seat):
    return None if seat == NOBODY else seat


cdef int as_seat(object seat, str name) except -1:
    if isinstance(seat, bool) or not isinstance(seat, (int, np.integer)) or not 0 <= seat < SEATS:
        raise ValueError(f"{name} = {seat!r}: expected a seat 0 to 3")
    return seat


cpdef uint64_t as_seed(object seed) except? 0:
    """64 bits from a seed, a NumPy generator, or, for None, the system."""
    if seed is None:
        return secrets.randbits(64)
    if isinstance(seed, np.random.Generator):
        return seed.integers(1 << 64, dtype=np.uint64)
    if isinstance(seed, bool) or not isinstance(seed, (int, np.integer)) or not 0 <= seed < 1 << 64:
        raise ValueError(f"seed = {seed!r}: expected a whole number 0 to 2**64 - 1 or a NumPy generator")
    return seed


cdef class Step:
    """A bid, play or pass that was made."""


cdef class State:
    """A hand in progress (R5 to R7), from ``State.deal``, ``State.from_hands`` or ``State.from_record``.

    Seats are 0 to 3 in playing order. Bids come first (``phase`` is ``"bid"``), then plays and passes
    (``"play"``), until the hand is ``"over"`` and has a ``result``. Whatever is illegal, also in the wrong
    phase, raises ``IllegalPlay`` and changes nothing.

    >>> from dagong import State, XIANNING
    >>> state = State.deal(XIANNING, 7)
    >>> state.phase, state.to_move == state.dealer, [len(hand) for hand in state.hands]
    ('bid', True, [27, 27, 27, 27])
    >>> while state.phase == "bid":
    ...     state.bid(False)
    >>> state.play(state.legal_plays()[0])
    >>> state.can_pass, len(state.history)
    (True, 5)
    >>> state.undo()
    >>> state.can_pass
    False
    """

    def __init__(self):
        raise TypeError("a State comes from State.deal, State.from_hands or State.from_record")

    @staticmethod
    def deal(CompiledRules rules not None, seed=None, *, hand_index=0, dealer=None):
        """Shuffle, deal, find the dealer and the called card (R5.1 to R5.3).

        Hand ``hand_index`` of a ``seed`` is the same on every machine. ``seed`` is a whole number below
        2**64, a NumPy generator, or None for a random one. Without ``dealer`` it is the first hand of a
        match: a card turned face up finds the dealer.

        Raises ``ValueError`` for a bad seed, index or seat.
        """
        cdef Deal deal
        cdef State state
        cdef int seat, index, starter = NOBODY if dealer is None else as_seat(dealer, "dealer")
        if isinstance(hand_index, bool) or not isinstance(hand_index, (int, np.integer)) \
                or not 0 <= hand_index < 1 << 63:
            raise ValueError(f"hand_index = {hand_index!r}: expected a whole number 0 to 2**63 - 1")
        deal_hand(&deal, rules_in(rules), as_seed(seed), hand_index, starter)
        state = new_state(rules, deal.hands, deal.dealer, deal.called, NOBODY, True)
        state.beginning = {
            "dealer": deal.dealer, "called": Card(deal.called), "soloist": None, "bidding": True,
            "partner": None, "captured": (0, 0, 0, 0), "places": (), "to_move": None, "last_play": None,
            "last_player": None, "pile_points": 0,
        }
        state.dealt_cards = tuple(
            [tuple([Card(deal.dealt[seat][index]) for index in range(HAND_CARDS)]) for seat in range(SEATS)]
        )
        return state

    @staticmethod
    def from_hands(
        CompiledRules rules not None, hands, *, dealer, called=None, soloist=None, bidding=False,
        partner=None, captured=(0, 0, 0, 0), places=(), to_move=None, last_play=None, last_player=None,
        pile_points=0,
    ):
        """Any position: four hands, of any sizes up to 27, and what has happened so far.

        The hands count as those dealt (R7.6). ``dealer`` leads unless ``to_move`` says otherwise. Unless
        there is a ``soloist``, ``called`` is needed; the partner is who holds its other copy, or, if that
        was played, ``partner``. ``bidding`` starts with the bids. ``captured`` are points by seat,
        ``places`` the seats that have run out, in order; ``last_play``, ``last_player`` and
        ``pile_points`` a trick under way.

        Raises ``ValueError``, naming what is wrong, for what cannot be.
        """
        cdef HandBits[SEATS] bits
        cdef State state
        cdef int seat, starter = as_seat(dealer, "dealer")
        cdef int lone = NOBODY if soloist is None else as_seat(soloist, "soloist")
        cdef int code = NO_CARD
        hands = [as_hand(hand) for hand in hands]
        check_hands(hands)
        for seat in range(SEATS):
            bits[seat] = (<Hand>hands[seat]).bits
        if lone != NOBODY:
            if called is not None or partner is not None:
                raise ValueError("a soloist has no called card and no partner (R5.5)")
            if bidding:
                raise ValueError("bidding is over once there is a soloist")
            starter = lone
        elif called is None:
            raise ValueError("called is missing: without a soloist there is a called card (R5.3)")
        else:
            code = Card(called)
            check_call(hands, starter, Card(code), partner)
        state = new_state(rules, bits, starter, code, lone, bidding)
        state.start_dealer = as_seat(dealer, "dealer")
        if code != NO_CARD and state.position.table.partner == NOBODY:
            state.position.table.partner = as_seat(partner, "partner")
            state.position.table.revealed = 1
        captured, places = tuple(captured), tuple(places)
        set_table(state, hands, captured, places, to_move, last_play, last_player, pile_points)
        refresh_keys(&state.position)
        check_undecided(state)
        state.beginning = {
            "dealer": int(dealer), "called": None if code == NO_CARD else Card(code),
            "soloist": int_or_none(soloist), "bidding": bool(bidding), "partner": int_or_none(partner),
            "captured": tuple([int(points) for points in captured]),
            "places": tuple([int(place) for place in places]), "to_move": int_or_none(to_move),
            "last_play": last_play, "last_player": int_or_none(last_player), "pile_points": int(pile_points),
        }
        return state

    @property
    def rules(self):
        """The rule set."""
        return self.compiled

    @property
    def phase(self):
        """``"bid"``, ``"play"`` or ``"over"``."""
        return PHASES[self.position.table.phase]

    @property
    def to_move(self):
        """The seat to bid or to play, or None once the hand is over."""
        return seat_or_none(self.position.table.to_move)

    @property
    def dealer(self):
        """The dealer's seat; the soloist's, once there is one (R5.5)."""
        return self.position.table.dealer

    @property
    def called(self):
        """The called card (R5.3), or None in a solo; there ``first_called`` has it."""
        return None if self.position.table.called == NO_CARD else Card(self.position.table.called)

    @property
    def first_dealer(self):
        """Who dealt the hand (R5.2), also where a soloist has become the dealer since (R5.5)."""
        return self.start_dealer

    @property
    def first_called(self):
        """The card called before the bids (R5.3), also in a solo; None if the hand began with a soloist."""
        return None if self.start_called == NO_CARD else Card(self.start_called)

    @property
    def partner(self):
        """The dealer's partner, whether or not it is known, or None in a solo (R5.4)."""
        return seat_or_none(self.position.table.partner)

    @property
    def revealed(self):
        """Whether the partner is known to all (R5.4)."""
        return bool(self.position.table.revealed)

    @property
    def soloist(self):
        """The seat that plays solo, or None."""
        return seat_or_none(self.position.table.soloist)

    @property
    def hands(self):
        """The four hands."""
        return tuple([new_hand(self.position.hands[seat]) for seat in range(SEATS)])

    @property
    def dealt_hands(self):
        """The four hands as they were dealt, or given to ``from_hands``."""
        return tuple([new_hand(self.dealt_bits[seat]) for seat in range(SEATS)])

    @property
    def dealt(self):
        """The cards of each seat in the order dealt: four tuples, or None if that is not known."""
        return self.dealt_cards

    @property
    def last_play(self):
        """The play to beat, or None when leading."""
        cdef Step step = self.last
        if self.position.table.last_player == NOBODY:
            return None
        while step is not None and step.what != STEP_PLAY:
            step = step.before
        if step is None:
            return self.beginning["last_play"]
        return new_play(step.row, step.undo.cards, self.compiled)

    @property
    def last_player(self):
        """Who made the play to beat, or None when leading."""
        return seat_or_none(self.position.table.last_player)

    @property
    def pile_points(self):
        """Points in the trick under way (R1.5)."""
        return self.position.table.pile_points

    @property
    def captured(self):
        """Points taken by each seat; after the end with R6.7 but before R7.2."""
        return tuple([self.position.table.captured[seat] for seat in range(SEATS)])

    @property
    def places(self):
        """The seats in finishing order (R6.5)."""
        return tuple([self.position.table.places[index] for index in range(self.position.table.finished)])

    @property
    def ending(self):
        """How the hand ended (R6.6): ``solo``, ``one_left``, ``partners``, ``early_second`` or
        ``early_first``; None until then."""
        return ENDINGS[self.position.table.ending]

    @property
    def key(self):
        """A 64-bit hash of all that matters to the future; equal positions have equal keys."""
        return self.position.key

    @property
    def history(self):
        """Every bid, play and pass so far: a tuple of ``Action``."""
        cdef Step step = self.last
        actions = []
        while step is not None:
            actions.append(action_of(step, self.compiled))
            step = step.before
        return tuple(reversed(actions))

    @property
    def can_pass(self):
        """Whether the seat to move may pass: any but a leader may (R6.1)."""
        return bool(can_pass(&self.position))

    def bid(self, solo):
        """The seat to move bids to play solo, or does not (R5.5)."""
        cdef Step step
        if self.position.table.phase != BIDDING:
            raise IllegalPlay("a bid after the bidding")
        if not isinstance(solo, (bool, np.bool_)):
            raise TypeError(f"bid {solo!r}: expected True or False")
        step = new_step(self, STEP_SOLO if solo else STEP_BID)
        apply_bid(&self.position, solo, &step.undo)
        self.last = step

    def legal_plays(self, detail=Detail.RANKS):
        """The plays of the seat to move, without the pass: ``Plays``, as of ``Ruleset.legal_plays``.

        While the partnership is secret the called card counts as a card of its own at
        ``Detail.STRATEGIC``.
        """
        check_playing(self)
        return new_plays(
            self.compiled, self.position.hands[self.position.table.to_move], self.position.table.last_play,
            self.last_play, as_detail(detail), secret_card(&self.position.table),
        )

    def play(self, play):
        """The seat to move makes a play: a ``Play``, or its text."""
        cdef PlayRow row
        cdef HandBits cards, hand
        cdef Step step
        cdef const Table* table = &self.position.table
        check_playing(self)
        if not isinstance(play, Play):
            play = self.compiled.parse_play(play)
        try:
            row_under(&row, self.compiled, <Play>play)
        except ValueError as error:
            raise IllegalPlay(str(error)) from None
        cards = (<Play>play).bits
        hand = self.position.hands[table.to_move]
        if cards.once & ~hand.once or cards.twice & ~hand.twice:
            raise IllegalPlay(f"seat {table.to_move} does not hold '{play}', but {new_hand(hand)}")
        if table.last_player != NOBODY and not beats(row, table.last_play):
            raise IllegalPlay(f"'{play}' does not beat '{self.last_play}'")
        step = new_step(self, STEP_PLAY)
        step.row = row
        apply_play(&self.position, rules_in(self.compiled), row, cards, &step.undo)
        self.last = step

    def pass_(self):
        """The seat to move passes."""
        cdef Step step
        check_playing(self)
        if not can_pass(&self.position):
            raise IllegalPlay(f"seat {self.position.table.to_move} leads and must play (R6.1)")
        step = new_step(self, STEP_PASS)
        apply_pass(&self.position, rules_in(self.compiled), &step.undo)
        self.last = step

    def undo(self):
        """Take back the last bid, play or pass, also over the end of the hand."""
        if self.last is None:
            raise IllegalPlay("nothing to undo")
        if self.last is self.known_since:
            raise IllegalPlay("nothing to undo: what was before a redeal is not this state's past")
        undo_last(&self.position, &self.last.undo)
        self.last = self.last.before

    def copy(self):
        """An independent state in the same position, with the same history."""
        cdef State state = State.__new__(State)
        state.position = self.position
        state.compiled = self.compiled
        state.dealt_bits = self.dealt_bits
        state.start_dealer = self.start_dealer
        state.start_called = self.start_called
        state.dealt_cards = self.dealt_cards
        state.beginning = self.beginning
        state.last = self.last
        state.known_since = self.known_since
        return state

    __copy__ = copy

    def __deepcopy__(self, memo):
        return self.copy()

    @property
    def result(self):
        """Who won and who pays whom, a ``Result``; None until the hand is over."""
        cdef Payment payment
        cdef int seat
        if self.position.table.phase != OVER:
            return None
        pay(&payment, &self.position, rules_in(self.compiled))
        holdings = [
            (
                self.position.table.holdings[seat].sky, self.position.table.holdings[seat].eights,
                self.position.table.holdings[seat].sevens, self.position.table.holdings[seat].four_510ks,
            )
            for seat in range(SEATS)
        ]
        return explain(
            self,
            [payment.points[seat] for seat in range(SEATS)],
            [seat for seat in range(SEATS) if payment.winners >> seat & 1],
            payment.multiplier,
            payment.reason,
            [payment.result[seat] for seat in range(SEATS)],
            [payment.total[seat] for seat in range(SEATS)],
            holdings,
        )

    def random_play(self, rng=None):
        """A play, or None for the pass: uniform among ``legal_plays()`` and the pass if it is allowed.

        ``rng`` is a NumPy generator or a seed. Nothing is played.
        """
        cdef Scratch scratch
        cdef Stream stream
        cdef HandBits hand
        cdef PlayRow row
        check_playing(self)
        stream = new_stream(as_seed(rng), 0, CHOOSING)
        hand = self.position.hands[self.position.table.to_move]
        if can_pass(&self.position):
            row = draw_follow(
                rules_in(self.compiled), hand, counts_of(hand), self.position.table.last_play, &stream,
                &scratch,
            )
        else:
            row = draw_lead(rules_in(self.compiled), hand, counts_of(hand), &stream, &scratch)
        if row_kind(row) == NO_PLAY:
            return None
        return new_play(
            row, spend_least(hand, row, secret_card(&self.position.table)),
            self.compiled,
        )

    def observe(self, seat, out=None):
        """What a seat may know: an ``Observation``; or, as numbers, written to ``out``.

        ``out`` is a contiguous uint8 array of ``OBSERVATION_SIZE`` numbers; docs/observation.md says what
        each means. It is returned.

        >>> import numpy as np
        >>> from dagong import DAGUN, OBSERVATION_SIZE, State
        >>> numbers = State.deal(DAGUN, 7).observe(0, np.empty(OBSERVATION_SIZE, np.uint8))
        >>> int(numbers[:54].sum()), numbers[270:274].tolist()
        (27, [27, 27, 27, 27])
        """
        cdef int viewer = as_seat(seat, "seat")
        cdef Py_buffer view
        if out is None:
            return Observation.of(self, viewer)
        PyObject_GetBuffer(out, &view, PyBUF_WRITABLE | PyBUF_C_CONTIGUOUS | PyBUF_FORMAT)
        try:
            if view.format == NULL or view.format[0] != b"B" or view.len != OBSERVATION_SIZE:
                raise ValueError(f"out must be {OBSERVATION_SIZE} numbers of dtype uint8")
            write_observation(self, viewer, <uint8_t*>view.buf)
        finally:
            PyBuffer_Release(&view)
        return out

    def sample_hidden(self, seat, seed=None):
        """A state in which what the seat cannot see is dealt again.

        Uniform among all deals that the seat cannot rule out from its own hand, the cards played, the
        sizes of the hands, the call and the reveals. In a hand that is not solo the dealer holds one copy
        of the called card, until it is played, and not the other; the partner is unseen until revealed.
        In a solo hand the call before it tells the same. Bids and passes tell nothing. History stays, but
        cannot be undone; the order of dealing is lost.
        """
        cdef int viewer = as_seat(seat, "seat")
        cdef Stream stream = new_stream(as_seed(seed), 0, SAMPLING)
        cdef State state = self.copy()
        redeal(state, viewer, &stream)
        return state

    def to_record(self, format="text"):
        """The hand so far as a record: text, or with ``format="json"`` a ``dict`` (docs/notation.md)."""
        from dagong.records import record_json, record_text
        if format not in ("text", "json"):
            raise ValueError(f"format = {format!r}: expected 'text' or 'json'")
        return record_json(self) if format == "json" else record_text(self)

    @staticmethod
    def from_record(record):
        """The hand in a record, text or ``dict``, replayed.

        Raises ``ValueError`` naming the first line that cannot be read or is illegal, and why.

        >>> from dagong import DAGUN, State
        >>> state = State.deal(DAGUN, 7)
        >>> State.from_record(state.to_record()).dealt == state.dealt
        True
        """
        from dagong.records import parse_record, state_from_json
        return parse_record(record).state if isinstance(record, str) else state_from_json(record)

    def __eq__(self, other):
        if not isinstance(other, State):
            return NotImplemented
        return self.parts == other.parts

    __hash__ = None

    @property
    def parts(self):
        """What the state is made of, enough to make it again: rules, hands dealt, the keywords of
        ``from_hands`` that it began with, the cards in order of dealing or None, and the history."""
        return self.compiled, self.dealt_hands, self.beginning, self.dealt_cards, self.history

    def __repr__(self):
        return f"<State: {self.phase}, seat {self.to_move} to move, {len(self.history)} actions>"

    def __reduce__(self):
        cdef Step step = self.known_since
        redealt_after = 0
        while step is not None:
            redealt_after += 1
            step = step.before
        return state_again, (*self.parts, redealt_after)


cdef State new_state(
    CompiledRules rules, const HandBits* hands, int dealer, int called, int soloist, bint bidding
):
    """A state at the beginning of a hand, or of a position that ``from_hands`` completes."""
    cdef State state = State.__new__(State)
    cdef int seat
    state.compiled = rules
    state.start_dealer, state.start_called = dealer, called
    for seat in range(SEATS):
        state.position.hands[seat] = state.dealt_bits[seat] = hands[seat]
    begin(&state.position, rules_in(rules), dealer, called, soloist, bidding)
    return state


cdef Step new_step(State state, int what):
    cdef Step step = Step.__new__(Step)
    step.before = state.last
    step.what = what
    return step


cdef object action_of(Step step, CompiledRules compiled):
    if step.what == STEP_PLAY:
        return Action(step.undo.seat, new_play(step.row, step.undo.cards, compiled), None)
    return Action(step.undo.seat, None, None if step.what == STEP_PASS else step.what == STEP_SOLO)


cdef int check_playing(State state) except -1:
    if state.position.table.phase == BIDDING:
        raise IllegalPlay(f"seat {state.position.table.to_move} has to bid first")
    if state.position.table.phase == OVER:
        raise IllegalPlay("the hand is over")
    return 0


# State.from_hands: what cannot be

cdef check_hands(list hands):
    if len(hands) != SEATS:
        raise ValueError(f"{len(hands)} hands: expected four")
    for seat, hand in enumerate(hands):
        if len(hand) > HAND_CARDS:
            raise ValueError(f"seat {seat} has {len(hand)} cards: a hand holds at most {HAND_CARDS} (R5.1)")
    check_copies(hands)


cdef check_copies(list hands):
    together = np.sum([hand.counts for hand in hands], axis=0)
    if together.max() > 2:
        raise ValueError(f"a third {Card(int(together.argmax()))}: there are two of each card")


cdef check_undecided(State state):
    cdef Position position = state.position
    end_if_decided(&position, rules_in(state.compiled))
    if position.table.phase == OVER:
        raise ValueError(f"the hand is over already: {ENDINGS[position.table.ending]} (R6.6)")


cdef check_call(list hands, int dealer, object called, object partner):
    holders = [seat for seat in range(SEATS) if seat != dealer and called in hands[seat]]
    if hands[dealer].counts[called] == 2:
        raise ValueError(f"called = {called}: the dealer, seat {dealer}, holds both copies (R5.3)")
    if len(holders) > 1 or holders and hands[holders[0]].counts[called] == 2:
        raise ValueError(f"called = {called}: one of the copies is the dealer's, seat {dealer}'s (R5.3)")
    if partner is None:
        if not holders:
            raise ValueError(f"called = {called}: nobody but the dealer holds it, so partner is needed")
    elif as_seat(partner, "partner") == dealer:
        raise ValueError(f"partner = {partner}: that is the dealer")
    elif holders and holders != [partner]:
        raise ValueError(f"partner = {partner}: seat {holders[0]} holds the called card {called}")


cdef set_table(
    State state, list hands, captured, places, to_move, last_play, last_player, pile_points
):
    """Check and set what has happened before."""
    cdef Table* table = &state.position.table
    cdef PlayRow row
    cdef int seat
    empty = [seat for seat in range(SEATS) if not hands[seat]]
    if len(empty) == 1 and not places:
        places = tuple(empty)
    if sorted(places) != empty:
        raise ValueError(f"places = {places}: expected the seats without cards, {empty}, in order")
    if len(empty) > 2 or empty and state.position.table.soloist != NOBODY:
        raise ValueError("the hand is over already: too few hold cards (R6.6)")
    if len(captured) != SEATS or any(
        isinstance(points, bool) or not isinstance(points, (int, np.integer)) or points < 0 or points % 5
        for points in (*captured, pile_points)
    ):
        raise ValueError(f"captured = {captured}, pile_points = {pile_points}: expected fives from 0")
    if sum(captured) + pile_points + sum(hand.points for hand in hands) > 200:
        raise ValueError(f"captured = {captured}, pile_points = {pile_points}: more than 200 with the hands")
    for seat in range(SEATS):
        table.captured[seat] = captured[seat]
    table.pile_points = pile_points
    for place, seat in enumerate(places):
        table.places[place] = seat
        table.revealed |= seat == table.partner
    table.finished = len(places)
    if last_play is not None:
        if not isinstance(last_play, Play):
            raise TypeError(f"last_play = {last_play!r}: expected a Play")
        row_under(&row, state.compiled, <Play>last_play)
        check_copies([*hands, last_play.cards])
        if pile_points < last_play.points:
            raise ValueError(f"pile_points = {pile_points}: '{last_play}' alone has {last_play.points}")
        table.last_play = row
        table.last_player = as_seat(last_player, "last_player")
    elif last_player is not None or pile_points:
        raise ValueError("last_player and pile_points need a last_play")
    if to_move is not None:
        table.to_move = as_seat(to_move, "to_move")
    if not hands[table.to_move]:
        raise ValueError(f"to_move = {table.to_move}: that seat has no cards")
    if table.to_move == table.last_player:
        raise ValueError(f"to_move = {to_move}: nobody beats a play of their own")
    if table.phase == BIDDING and (places or any(captured) or last_play is not None or to_move is not None):
        raise ValueError("nothing can have happened before the bids")


def state_again(rules, dealt_hands, beginning, dealt, history, redealt_after=0):
    """A state from what it was made of; how states are unpickled. Every action is checked again.

    The first ``redealt_after`` actions cannot be undone.
    """
    cdef State state = State.from_hands(rules, dealt_hands, **beginning)
    state.dealt_cards = dealt
    for number, action in enumerate(history):
        if number == redealt_after:
            state.known_since = state.last
        if action.solo is not None:
            state.bid(action.solo)
        elif action.play is None:
            state.pass_()
        else:
            state.play(action.play)
    if len(history) == redealt_after:
        state.known_since = state.last
    return state


# Redealing

cdef redeal(State state, int viewer, Stream* stream):
    """Deal again what ``viewer`` cannot see; the hands dealt at first change with it."""
    cdef Table* table = &state.position.table
    cdef uint8_t[PACK] pool
    cdef HandBits[SEATS] hidden, shown
    cdef int[SEATS] room
    cdef int seat, _card, number = 0
    cdef int dealer = state.start_dealer, called = state.start_called, holder = NOBODY
    memset(shown, 0, sizeof(shown))
    for seat in range(SEATS):
        hidden[seat] = state.position.hands[seat]
        room[seat] = cards_in(hidden[seat])
        if called != NO_CARD and seat != dealer and hidden[seat].once >> called & 1:
            holder = seat
    shown[viewer] = hidden[viewer]
    room[viewer] = 0
    # The call has shown one copy to be the dealer's, and the other not to be.
    if called != NO_CARD and dealer != viewer and hidden[dealer].once >> called & 1:
        move_copy(&hidden[dealer], &shown[dealer], called)
        room[dealer] -= 1
    if holder != NOBODY and holder != viewer:
        seat = pick_holder(room, dealer, stream)
        move_copy(&hidden[holder], &shown[seat], called)
        room[seat] -= 1
        if table.soloist == NOBODY:
            table.partner = seat
    for seat in range(SEATS):
        if seat != viewer:
            number = add_to_pool(pool, number, hidden[seat].once)
            number = add_to_pool(pool, number, hidden[seat].twice)
    for seat in range(SEATS):
        for _card in range(room[seat]):
            # the next of a shuffle that goes no further than it has to
            number -= 1
            swap(&pool[number], &pool[below(stream, number + 1)])
            add_copy(&shown[seat], pool[number])
    for seat in range(SEATS):
        if seat != viewer:
            replace_hand(state, seat, shown[seat])
    refresh_keys(&state.position)
    state.dealt_cards = None
    state.known_since = state.last
    if holder != NOBODY and state.beginning.get("partner") is not None:
        state.beginning = {**state.beginning, "partner": None}


cdef inline void swap(uint8_t* one, uint8_t* other) noexcept:
    cdef uint8_t kept = one[0]
    one[0] = other[0]
    other[0] = kept


cdef inline int add_to_pool(uint8_t* pool, int number, uint64_t plane) noexcept:
    while plane:
        pool[number] = lowest_bit(plane)
        plane &= plane - 1
        number += 1
    return number


cdef inline void move_copy(HandBits* giver, HandBits* taker, int code) noexcept:
    cdef uint64_t bit = <uint64_t>1 << code
    if giver.twice & bit:
        giver.twice &= ~bit
    else:
        giver.once &= ~bit
    add_copy(taker, code)


cdef int pick_holder(const int* room, int dealer, Stream* stream) noexcept:
    """A seat other than the dealer's, as likely as it has places for unseen cards."""
    cdef int seat, total = 0, chosen
    for seat in range(SEATS):
        if seat != dealer:
            total += room[seat]
    chosen = below(stream, total)
    for seat in range(SEATS):
        if seat != dealer:
            if chosen < room[seat]:
                return seat
            chosen -= room[seat]
    return NOBODY


cdef void replace_hand(State state, int seat, HandBits hand) noexcept:
    """Give a seat other cards, as if it had been dealt them and what it has played since."""
    cdef HandBits played = played_by(state, seat)
    cdef HandBits* dealt = &state.dealt_bits[seat]
    dealt.twice = hand.twice | played.twice | (hand.once & played.once)
    dealt.once = hand.once | played.once
    state.position.hands[seat] = hand
    find_holdings(&state.position.table.holdings[seat], dealt[0])


# Observation as numbers

OBSERVATION_FIELDS = (
    ("hand", 54), ("played", 216), ("hand_sizes", 4), ("kind", 9), ("rank", 1), ("length", 1), ("size", 1),
    ("strength", 2), ("suit", 1), ("last_player", 4), ("dealer", 4), ("soloist", 4), ("partner", 4),
    ("revealed", 1), ("called", 54), ("captured", 4), ("pile", 1), ("places", 4), ("phase", 3),
    ("to_move", 4), ("passed_bids", 1), ("first_dealer", 4), ("first_called", 54),
)
OBSERVATION_SIZE = sum(size for _, size in OBSERVATION_FIELDS)


cdef inline uint8_t* one_of(uint8_t* out, int chosen, int number) noexcept:
    """A 1 at the chosen place of so many, or none."""
    memset(out, 0, number)
    if 0 <= chosen < number:
        out[chosen] = 1
    return out + number


cdef inline uint8_t* copies_by_code(uint8_t* out, HandBits hand) noexcept:
    memset(out, 0, CODES)
    while hand.once:
        out[lowest_bit(hand.once)] = 1
        hand.once &= hand.once - 1
    while hand.twice:
        out[lowest_bit(hand.twice)] = 2
        hand.twice &= hand.twice - 1
    return out + CODES


cdef inline int away(int seat, int viewer) noexcept:
    """How many seats after the viewer; NOBODY stays so."""
    return NOBODY if seat == NOBODY else (seat - viewer + SEATS) % SEATS


cdef HandBits played_by(State state, int seat) noexcept:
    """What a seat has played: what it was dealt less what it holds."""
    cdef HandBits dealt = state.dealt_bits[seat], hand = state.position.hands[seat], played
    played.twice = dealt.twice & ~hand.once
    played.once = (dealt.twice & ~hand.twice) | (dealt.once & ~hand.once)
    return played


cdef int known_partner(const Table* table, int viewer) noexcept:
    """The partner, if this seat may know who it is."""
    return table.partner if table.revealed or table.partner == viewer else NOBODY


cdef int write_observation(State state, int viewer, uint8_t* out) except -1:
    """Fill OBSERVATION_FIELDS; seats are counted from the viewer on."""
    cdef const Table* table = &state.position.table
    cdef PlayRow row = table.last_play
    cdef HandBits hand
    cdef int turn, place
    out = copies_by_code(out, state.position.hands[viewer])
    for turn in range(SEATS):
        out = copies_by_code(out, played_by(state, (viewer + turn) % SEATS))
    for turn in range(SEATS):
        hand = state.position.hands[(viewer + turn) % SEATS]
        out[turn] = <uint8_t>(cards_in(hand))
    out = one_of(out + SEATS, row_kind(row) - 1, 9)
    out[0] = <uint8_t>(row_rank(row) + 1) if row_kind(row) else 0
    out[1] = <uint8_t>row_length(row)
    out[2] = <uint8_t>row_size(row)
    out[3] = <uint8_t>(row_strength(row) & 0xFF)
    out[4] = <uint8_t>(row_strength(row) >> 8)
    out[5] = <uint8_t>(row_suit(row) + 1) if row_kind(row) else 0
    out = one_of(out + 6, away(table.last_player, viewer), SEATS)
    out = one_of(out, away(table.dealer, viewer), SEATS)
    out = one_of(out, away(table.soloist, viewer), SEATS)
    out = one_of(out, away(known_partner(table, viewer), viewer), SEATS)
    out[0] = table.revealed
    out = one_of(out + 1, table.called, CODES)
    for turn in range(SEATS):
        out[turn] = table.captured[(viewer + turn) % SEATS]
    out[4] = table.pile_points
    out += 5
    memset(out, 0, SEATS)
    for place in range(table.finished):
        out[away(table.places[place], viewer)] = <uint8_t>(place + 1)
    out = one_of(out + SEATS, table.phase, 3)
    out = one_of(out, away(table.to_move, viewer), SEATS)
    out[0] = table.passed_bids
    out = one_of(out + 1, away(state.start_dealer, viewer), SEATS)
    one_of(out, state.start_called, CODES)
    return 0
