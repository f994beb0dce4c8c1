"""Hand: an immutable multiset of cards."""

from dagong._layout cimport HandBits


cdef class Hand:
    cdef HandBits bits

cdef Hand new_hand(HandBits bits)
cdef Hand as_hand(object cards)
