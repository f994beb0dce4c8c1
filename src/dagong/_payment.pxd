"""Who won a hand and who pays whom (R7)."""

from libc.stdint cimport int32_t, uint8_t

from dagong._position cimport SEATS, Position
from dagong._ruleset cimport Rules

# How a hand was paid. Each part adds up to 0 over the seats.
cdef struct Payment:
    uint8_t winners        # a mask of seats
    int32_t multiplier
    int32_t points[SEATS]  # after R7.2
    int32_t result[SEATS]
    int32_t holdings[SEATS]
    int32_t rolls[SEATS]
    int32_t total[SEATS]
    uint8_t reason         # which line of R7.1, R7.3 or R7.4: ReasonCode

cdef enum ReasonCode:
    SOLO_WON = 1
    SOLO_LOST = 2
    PARTNERS_FIRST = 3
    PARTNERS_FIRST_SHUT_OUT = 4
    MORE_POINTS = 5
    EQUAL_POINTS = 6
    ALL_POINTS = 7
    SECOND_TOOK_NOTHING = 8
    SECOND_TOOK_LITTLE = 9
    SECOND_TOOK_MUCH = 10
    FIRST_AND_LAST_REACHED = 11
    FIRST_AND_LAST_MISSED = 12
    EARLY_CONDITION = 13


cdef void pay(Payment* payment, const Position* position, const Rules* rules) noexcept nogil
