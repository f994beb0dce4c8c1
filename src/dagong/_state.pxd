"""State: a hand in progress, as Python sees it."""

from dagong._layout cimport HandBits, PlayRow
from dagong._play cimport CompiledRules
from dagong._position cimport SEATS, Position, Undo

cdef enum StepCode:
    STEP_BID = 0
    STEP_SOLO = 1
    STEP_PASS = 2
    STEP_PLAY = 3


# A bid, play or pass that was made: the newest of a chain, which copies of a state share.
cdef class Step:
    cdef Step before
    cdef Undo undo
    cdef int what
    cdef PlayRow row


cdef class State:
    cdef Position position
    cdef CompiledRules compiled
    cdef HandBits dealt_bits[SEATS]
    cdef object dealt_cards          # four tuples in order of dealing, or None
    cdef int start_dealer            # who dealt, and the card called then or NO_CARD; a solo changes neither
    cdef int start_called
    cdef dict beginning              # what from_hands was, or could have been, called with
    cdef Step last
    cdef Step known_since            # how far a redealt state can be undone
