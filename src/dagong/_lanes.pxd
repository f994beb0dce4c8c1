"""Polynomials in the number of jokers, packed into a word: how many plays spend 0, 1, 2, 3 and 4 of them.

::

    bits  0-11, 12-23, 24-35, 36-47    plays with 0, 1, 2, 3 jokers
    bits 48-63                         plays with 4 jokers

Multiplying by a power of the variable shifts by lanes; what leaves the last lane is masked before. No
lane overflows: of runs and rolls with one top rank, a hand of 27 cards has 1,300 at the most with fewer
than four jokers, and 4,400 with four.
"""

from libc.stdint cimport uint64_t

cdef enum:
    LANE = 12


cdef inline uint64_t lane(int jokers) noexcept nogil:
    """The one play that spends so many jokers."""
    return <uint64_t>1 << (LANE * jokers)


cdef inline uint64_t lanes_below(int jokers) noexcept nogil:
    return (<uint64_t>1 << (LANE * jokers)) - 1 if jokers < 5 else ~<uint64_t>0


cdef inline uint64_t spend_more(uint64_t plays, int jokers) noexcept nogil:
    """The same plays with 1 to 4 jokers more; those with more than four are dropped."""
    return (plays & lanes_below(5 - jokers)) << (LANE * jokers)


# Sums of many such words, which need wider lanes: 0, 2, 4 in one word and 1, 3 in the other.
cdef struct LaneSums:
    uint64_t even
    uint64_t odd


cdef inline void add_lanes(LaneSums* sums, uint64_t plays) noexcept nogil:
    sums.even += plays & <uint64_t>0xFFFF000FFF000FFF
    sums.odd += (plays >> LANE) & <uint64_t>0x0000000FFF000FFF


cdef inline int sum_of_lane(LaneSums sums, int jokers) noexcept nogil:
    return <int>(((sums.odd if jokers & 1 else sums.even) >> (2 * LANE * (jokers >> 1))) & 0xFFFFFF)
