"""Whole hands in bulk: deal, bids, plays, payment, and a row for each."""

from libc.stdint cimport int8_t, int32_t, uint8_t, uint16_t, uint64_t

from dagong._choose cimport Scratch
from dagong._layout cimport PlayRow
from dagong._position cimport SEATS, Position
from dagong._random cimport Stream
from dagong._ruleset cimport Rules

cdef enum PolicyCode:
    POLICY_RANDOM = 0
    POLICY_GREEDY = 1

# One hand that was played; fields with four items are by seat, but for the places. There is no padding, so
# that equal hands are equal bytes.
cdef struct HandRow:
    uint64_t hand
    int32_t payoffs[SEATS]
    int32_t multiplier
    uint16_t plays
    uint16_t passes
    uint8_t dealer           # who dealt, also if another plays solo
    uint8_t called           # the card called before the bids
    int8_t soloist           # -1: none
    int8_t partner           # -1 in a solo
    uint8_t ending           # EndingCode
    uint8_t verdict          # ReasonCode: what decided it
    uint8_t winners          # a mask of seats
    uint8_t revealed         # whether the partner was known to all at the end
    int8_t places[SEATS]     # seats in finishing order; -1: nobody
    uint8_t captured[SEATS]
    uint8_t points[SEATS]
    uint8_t left[SEATS]      # cards still held at the end
    uint8_t jokers[SEATS]    # dealt
    uint8_t quads[SEATS]     # dealt: ranks with four natural cards or more
    uint8_t five_ten_kings[SEATS]
    uint8_t bombs[SEATS]
    uint8_t rolls[SEATS]
    uint8_t sky_bombs[SEATS]
    uint8_t sky[SEATS]       # holdings that earned a bonus (R7.6)
    uint8_t eights[SEATS]
    uint8_t sevens[SEATS]
    uint8_t four_510ks[SEATS]


cdef bint choose_bid(
    const Position* position, int policy, Stream* stream
) noexcept nogil
cdef PlayRow choose_play(
    const Rules* rules, const Position* position, uint64_t counts, int policy, Stream* stream,
    Scratch* scratch
) noexcept nogil
cdef void play_one(
    HandRow* row, const Rules* rules, const uint8_t* policies, uint64_t seed, uint64_t hand,
    Scratch* scratch
) noexcept nogil
