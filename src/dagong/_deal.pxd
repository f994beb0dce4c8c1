"""Shuffling and dealing (R5.1 to R5.3)."""

from libc.stdint cimport uint8_t, uint64_t

from dagong._layout cimport CODES, HAND_CARDS, HandBits
from dagong._position cimport SEATS
from dagong._ruleset cimport Rules

cdef enum:
    PACK = 2 * CODES       # cards that are dealt

# A pack dealt out. Which hand it is of which seed is all that it depends on, and the rules' call.
cdef struct Deal:
    HandBits hands[SEATS]
    uint8_t dealt[SEATS][HAND_CARDS]       # in the order of dealing
    uint8_t dealer
    uint8_t called

# What a stream of random numbers is for; part of its key.
cdef enum Purpose:
    DEALING = 1
    SAMPLING = 2
    CHOOSING = 3


cdef void deal_hand(
    Deal* deal, const Rules* rules, uint64_t seed, uint64_t hand_index, int dealer
) noexcept nogil


cdef inline void add_copy(HandBits* hand, int code) noexcept nogil:
    cdef uint64_t bit = <uint64_t>1 << code
    hand.twice |= hand.once & bit
    hand.once |= bit
