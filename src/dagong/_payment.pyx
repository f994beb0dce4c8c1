"""Who won a hand and who pays whom (R7)."""

from libc.string cimport memset

from dagong._layout cimport counts_of
from dagong._position cimport (
    ENDED_EARLY_FIRST,
    ENDED_EARLY_SECOND,
    ENDED_ONE_LEFT,
    ENDED_PARTNERS,
    NOBODY,
    SEATS,
    Holdings,
    Position,
    Table,
    holds_cards,
    partners,
    points_in,
)
from dagong._ruleset cimport (
    BONUS_EIGHT,
    BONUS_FOUR_510K,
    BONUS_SEVEN,
    BONUS_SKY,
    ROLL_PAYS_SIDE,
    ROLL_WINNER_DOUBLES,
    Rules,
)


cdef void pay(Payment* payment, const Position* position, const Rules* rules) noexcept nogil:
    """Who won and who pays whom (R7), once the hand is over."""
    cdef const Table* table = &position.table
    cdef int seat
    memset(payment, 0, sizeof(Payment))
    share_points(payment, position, rules)
    if table.soloist != NOBODY:
        judge_solo(payment, table, rules)
    elif rules.arch:
        judge_arch(payment, table)
    else:
        judge_points(payment, table, rules)
    if rules.roll_bonus == ROLL_WINNER_DOUBLES:
        for seat in range(SEATS):
            if payment.winners >> seat & 1:
                payment.multiplier <<= table.rolls[seat]
    pay_result(payment, table)
    for seat in range(SEATS):
        pay_holdings(payment, table.holdings[seat], seat, rules.bonuses)
        if rules.roll_bonus == ROLL_PAYS_SIDE:
            pay_rolls(payment, position, seat)
    for seat in range(SEATS):
        payment.total[seat] = payment.result[seat] + payment.holdings[seat] + payment.rolls[seat]


cdef void share_points(Payment* payment, const Position* position, const Rules* rules) noexcept nogil:
    """R7.2."""
    cdef const Table* table = &position.table
    cdef int seat, first, last
    for seat in range(SEATS):
        payment.points[seat] = table.captured[seat]
    if table.ending == ENDED_ONE_LEFT and table.finished == SEATS:
        first, last = table.places[0], table.places[3]
        payment.points[first] += payment.points[last]
        payment.points[last] = 0
        seat = first if rules.unplayed_to_first else table.places[2]
        payment.points[seat] += points_in(counts_of(position.hands[last]))


cdef inline int side_of(const Table* table, int seat) noexcept nogil:
    """The mask of a seat and its partners."""
    cdef int other, side = 0
    for other in range(SEATS):
        side |= partners(table, seat, other) << other
    return side


cdef inline int points_of_side(const Payment* payment, int side) noexcept nogil:
    cdef int seat, points = 0
    for seat in range(SEATS):
        if side >> seat & 1:
            points += payment.points[seat]
    return points


cdef inline void decide(Payment* payment, int winners, int multiplier, int reason) noexcept nogil:
    payment.winners = winners
    payment.multiplier = multiplier
    payment.reason = reason


cdef void judge_solo(Payment* payment, const Table* table, const Rules* rules) noexcept nogil:
    """R7.1."""
    if table.places[0] == table.soloist:
        decide(payment, 1 << table.soloist, rules.solo_multiplier, SOLO_WON)
    else:
        decide(payment, 15 & ~(1 << table.soloist), rules.solo_multiplier, SOLO_LOST)


cdef void judge_points(Payment* payment, const Table* table, const Rules* rules) noexcept nogil:
    """R7.3."""
    cdef int side = side_of(table, table.places[0])
    cdef int mine = points_of_side(payment, side), theirs = points_of_side(payment, 15 & ~side)
    cdef int winners, last = table.places[3]
    if table.ending == ENDED_PARTNERS:
        if theirs == 0:
            decide(payment, side, 4, PARTNERS_FIRST_SHUT_OUT)
        else:
            decide(payment, side, 2, PARTNERS_FIRST)
    elif mine == theirs:
        decide(payment, 15 & ~side_of(table, last), 1, EQUAL_POINTS)
    else:
        winners = side if mine > theirs else 15 & ~side
        if max(mine, theirs) == 200 and not (rules.sweep_needs_out and winners >> last & 1):
            decide(payment, winners, 2, ALL_POINTS)
        else:
            decide(payment, winners, 1, MORE_POINTS)


cdef void judge_arch(Payment* payment, const Table* table) noexcept nogil:
    """R7.4."""
    cdef int side = side_of(table, table.places[0])
    cdef int others = 15 & ~side
    cdef int mine = points_of_side(payment, side), theirs = points_of_side(payment, others)
    cdef int taken = payment.points[table.places[1]]
    if table.ending == ENDED_EARLY_FIRST:
        decide(payment, side, 1, EARLY_CONDITION)
    elif table.ending == ENDED_EARLY_SECOND:
        decide(payment, others, 1, EARLY_CONDITION)
    elif table.ending == ENDED_PARTNERS:
        if theirs == 0:
            decide(payment, side, 4, PARTNERS_FIRST_SHUT_OUT)
        else:
            decide(payment, side, 2, PARTNERS_FIRST)
    elif side >> table.places[2] & 1:
        if taken == 0:
            decide(payment, side, 2, SECOND_TOOK_NOTHING)
        elif taken <= 100:
            decide(payment, side, 1, SECOND_TOOK_LITTLE)
        else:
            decide(payment, others, 2 if taken == 200 else 1, SECOND_TOOK_MUCH)
    elif mine >= 100:
        decide(payment, side, 2 if mine == 200 else 1, FIRST_AND_LAST_REACHED)
    else:
        decide(payment, others, 2 if theirs == 200 else 1, FIRST_AND_LAST_MISSED)


cdef void pay_result(Payment* payment, const Table* table) noexcept nogil:
    """R7.5: three times as much for a soloist."""
    cdef int seat, amount
    for seat in range(SEATS):
        amount = payment.multiplier * (3 if seat == table.soloist else 1)
        payment.result[seat] = amount if payment.winners >> seat & 1 else -amount


cdef void pay_holdings(Payment* payment, Holdings held, int seat, int bonuses) noexcept nogil:
    """R7.6: each of the others pays."""
    cdef int other, amount = 0
    if bonuses & BONUS_SKY:
        amount += held.sky
    if bonuses & BONUS_EIGHT:
        amount += 2 * held.eights
    if bonuses & BONUS_SEVEN:
        amount += held.sevens
    if bonuses & BONUS_FOUR_510K:
        amount += held.four_510ks
    for other in range(SEATS):
        payment.holdings[other] += 3 * amount if other == seat else -amount


cdef void pay_rolls(Payment* payment, const Position* position, int seat) noexcept nogil:
    """R7.7 for the rolls that one seat played, with side payments."""
    cdef const Table* table = &position.table
    cdef int other, worth = table.roll_worth[seat]
    if table.soloist != NOBODY:
        if seat != table.soloist:
            return
        if not payment.winners >> seat & 1:
            worth = -worth
        for other in range(SEATS):
            payment.rolls[other] += 3 * worth if other == seat else -worth
        return
    if holds_cards(position, seat):
        worth = -worth
    for other in range(SEATS):
        payment.rolls[other] += worth if partners(table, seat, other) else -worth
