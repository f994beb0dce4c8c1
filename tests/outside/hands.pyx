# cython: language_level=3
"""An outside user of dagong's positions: a whole hand between two Python calls, without the GIL."""

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
    find_spends,
    generate,
    spend,
)
from dagong._payment cimport Payment, pay
from dagong._position cimport (
    OVER,
    SEATS,
    Position,
    Undo,
    apply_pass,
    apply_play,
    begin,
    can_pass,
    key_of,
    undo_last,
)
from dagong._spends cimport DETAIL_RANKS

cdef enum:
    MOST_STEPS = 1000

# What happened, and the key it led to.
cdef struct Step:
    Undo undo
    uint64_t key
    int choice


cdef int play_out(
    const Rules* rules, Position* position, uint64_t seed, PlayRow* rows, Step* steps
) noexcept nogil:
    """Play by chance until the hand is over; return how many steps it took."""
    cdef Spends spends
    cdef HandBits hand, cards
    cdef int number, choice, done = 0
    cdef int called = position.table.called
    while position.table.phase != OVER and done < MOST_STEPS:
        hand = position.hands[position.table.to_move]
        number = generate(rules, hand, position.table.last_play, rows)
        seed = seed * <uint64_t>6364136223846793005 + <uint64_t>1442695040888963407
        choice = (seed >> 33) % <uint64_t>(number + can_pass(position))
        if choice == number:
            apply_pass(position, rules, &steps[done].undo)
            choice = -1
        else:
            find_spends(&spends, hand, DETAIL_RANKS, called if not position.table.revealed else -1)
            cards = spend(&spends, rows[choice], 0)
            apply_play(position, rules, rows[choice], cards, &steps[done].undo)
        steps[done].choice = choice
        steps[done].key = position.key
        done += 1
    return done


cdef bint take_back(Position* position, const Step* steps, int done) noexcept nogil:
    """Undo every step, last first; whether the key was right after each, kept and computed anew."""
    while done:
        done -= 1
        if position.key != steps[done].key or position.key != key_of(position):
            return False
        undo_last(position, &steps[done].undo)
    return True


def play_hand(
    CompiledRules ruleset not None, hands, int dealer, int called, int soloist, uint64_t seed
):
    """A hand with partners (soloist 4) or without (called -1), played, paid and taken back.

    Returns the choices (a play's place in the list, or -1 for a pass), the keys, the payoffs, the
    multiplier, and the key at the beginning, once all is undone.
    """
    cdef const Rules* rules = &ruleset.rules
    cdef Position position
    cdef Payment payment
    cdef Hand hand
    cdef int seat, done
    cdef bint right
    cdef PlayRow* rows = <PlayRow*>malloc((MOST_PLAYS + SLACK) * sizeof(PlayRow))
    cdef Step* steps = <Step*>malloc(MOST_STEPS * sizeof(Step))
    if rows == NULL or steps == NULL:
        free(rows)
        free(steps)
        raise MemoryError()
    try:
        for seat in range(SEATS):
            hand = hands[seat]
            position.hands[seat] = hand.bits
        with nogil:
            begin(&position, rules, dealer, called, soloist, False)
            done = play_out(rules, &position, seed, rows, steps)
            pay(&payment, &position, rules)
            right = take_back(&position, steps, done)
        if not right:
            raise AssertionError("a key is not that of its position")
        return (
            [steps[index].choice for index in range(done)],
            [steps[index].key for index in range(done)],
            [payment.total[seat] for seat in range(SEATS)],
            payment.multiplier,
            position.key,
        )
    finally:
        free(rows)
        free(steps)
