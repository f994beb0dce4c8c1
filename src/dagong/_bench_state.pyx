"""Loops for timing hands in progress without Python between the calls; the clock is read outside.

Each loop returns a number that depends on all it did, so that no part of it is optimised away.
"""

from libc.stdint cimport uint64_t
from libc.stdlib cimport free, malloc

from dagong._bulk cimport POLICY_RANDOM, choose_play
from dagong._choose cimport Scratch
from dagong._layout cimport NO_PLAY, HandBits, PlayRow, counts_of, row_kind
from dagong._payment cimport Payment, pay
from dagong._play cimport CompiledRules, Play, row_under, rules_in
from dagong._position cimport (
    OVER,
    PLAYING,
    Position,
    Undo,
    apply_pass,
    apply_play,
    can_pass,
    secret_card,
    undo_last,
)
from dagong._random cimport Stream, new_stream
from dagong._ruleset cimport Rules
from dagong._spends cimport spend_least
from dagong._state cimport State

# A position and a play that is legal in it.
cdef struct Turn:
    Position position
    PlayRow play
    HandBits cards


cdef uint64_t play_and_undo(const Rules* rules, Turn* turns, Py_ssize_t number) noexcept nogil:
    cdef Undo undo
    cdef uint64_t total = 0
    cdef Py_ssize_t index
    for index in range(number):
        apply_play(&turns[index].position, rules, turns[index].play, turns[index].cards, &undo)
        total += turns[index].position.key
        undo_last(&turns[index].position, &undo)
    return total


cdef uint64_t pass_and_undo(const Rules* rules, Turn* turns, Py_ssize_t number) noexcept nogil:
    cdef Undo undo
    cdef uint64_t total = 0
    cdef Py_ssize_t index
    for index in range(number):
        apply_pass(&turns[index].position, rules, &undo)
        total += turns[index].position.key
        undo_last(&turns[index].position, &undo)
    return total


cdef int play_out(
    const Rules* rules, Position* position, Stream* stream, Scratch* scratch
) noexcept nogil:
    """Play on, each play or the pass as likely as the next, until the hand is over; count the actions."""
    cdef Undo undo
    cdef PlayRow play
    cdef int actions = 0
    while position.table.phase != OVER:
        play = choose_play(
            rules, position, counts_of(position.hands[position.table.to_move]), POLICY_RANDOM, stream, scratch
        )
        if row_kind(play) == NO_PLAY:
            apply_pass(position, rules, &undo)
        else:
            apply_play(position, rules, play, spend_least(
                position.hands[position.table.to_move], play, secret_card(&position.table)
            ), &undo)
        actions += 1
    return actions


cdef class Turns:
    """Turns(rules, turns)

    Pairs of a ``State`` and a play that is legal in it, laid out for the loops; for a pass, None. No two
    threads may use the same object at once.
    """

    cdef CompiledRules rules
    cdef Turn* items
    cdef Position* copies
    cdef readonly Py_ssize_t number
    cdef bint all_play
    cdef bint all_may_pass
    cdef Scratch scratch

    def __init__(self, CompiledRules rules not None, turns):
        cdef Py_ssize_t index
        cdef State state
        cdef Turn* turn
        turns = list(turns)
        rules_in(rules)
        if self.items != NULL:
            raise TypeError("turns are immutable")
        self.items = <Turn*>malloc(max(1, len(turns)) * sizeof(Turn))
        self.copies = <Position*>malloc(max(1, len(turns)) * sizeof(Position))
        if self.items == NULL or self.copies == NULL:
            raise MemoryError()
        self.rules = rules
        self.all_play = self.all_may_pass = True
        for index, (given, play) in enumerate(turns):
            state = given
            turn = &self.items[index]
            turn.position = self.copies[index] = state.position
            if turn.position.table.phase != PLAYING:
                raise ValueError("a turn is one to play")
            if state.compiled != rules:
                raise ValueError("a state of other rules")
            self.all_may_pass &= can_pass(&turn.position)
            if play is None:
                self.all_play = False
                continue
            state.copy().play(play)               # which raises if it is illegal
            row_under(&turn.play, rules, <Play?>play)
            turn.cards = (<Play>play).bits
        self.number = len(turns)

    def __dealloc__(self):
        free(self.items)
        free(self.copies)

    def __len__(self):
        return self.number

    def copy(self, int passes=1):
        """Copy every position so many times."""
        cdef uint64_t total = 0
        cdef Py_ssize_t index
        cdef int _pass
        with nogil:
            for _pass in range(passes):
                for index in range(self.number):
                    self.copies[index] = self.items[index].position
                    total += self.copies[index].key
        return total

    def play_and_undo(self, int passes=1):
        """Make every play and take it back, so many times."""
        cdef uint64_t total = 0
        cdef int _pass
        if not self.all_play:
            raise ValueError("not every turn has a play")
        with nogil:
            for _pass in range(passes):
                total += play_and_undo(&self.rules.rules, self.items, self.number)
        return total

    def pass_and_undo(self, int passes=1):
        """Pass and take it back, so many times."""
        cdef uint64_t total = 0
        cdef int _pass
        if not self.all_may_pass:
            raise ValueError("not every turn allows a pass")
        with nogil:
            for _pass in range(passes):
                total += pass_and_undo(&self.rules.rules, self.items, self.number)
        return total

    def play_out(self, uint64_t seed=0):
        """Play every position on at random to the end and pay; return how many actions it took."""
        cdef uint64_t total = 0
        cdef Py_ssize_t index
        cdef Stream stream
        cdef Payment payment
        with nogil:
            for index in range(self.number):
                stream = new_stream(seed, index, 0)
                self.copies[index] = self.items[index].position
                total += play_out(&self.rules.rules, &self.copies[index], &stream, &self.scratch)
                pay(&payment, &self.copies[index], &self.rules.rules)
                # a check that costs next to nothing, and needs what was paid
                if payment.total[0] + payment.total[1] + payment.total[2] + payment.total[3] != 0:
                    with gil:
                        raise AssertionError("payments that do not add up to 0")
        return total
