"""A counter-based generator of random numbers, the same on every machine.

A stream is a key and a counter; word ``n`` is the output function of SplitMix64 (Steele, Lea and Flood,
"Fast splittable pseudorandom number generators", 2014) at ``key + n * GAMMA``. Streams are told apart by
mixing what names them (seed, hand, purpose) into the key, so any hand can be made without those before.
"""

from libc.stdint cimport uint32_t, uint64_t

cdef extern from * nogil:
    """
    #define DAGONG_GAMMA 0x9E3779B97F4A7C15ULL
    """
    const uint64_t GAMMA "DAGONG_GAMMA"

cdef struct Stream:
    uint64_t key
    uint64_t counter


cdef inline uint64_t mix(uint64_t word) noexcept nogil:
    word = (word ^ (word >> 30)) * <uint64_t>0xBF58476D1CE4E5B9
    word = (word ^ (word >> 27)) * <uint64_t>0x94D049BB133111EB
    return word ^ (word >> 31)


cdef inline Stream new_stream(uint64_t seed, uint64_t index, uint64_t purpose) noexcept nogil:
    cdef Stream stream
    stream.key = mix(mix(mix(seed + GAMMA) + index) + purpose)
    stream.counter = 0
    return stream


cdef inline uint64_t next_word(Stream* stream) noexcept nogil:
    stream.counter += 1
    return mix(stream.key + stream.counter * GAMMA)


cdef inline uint32_t below(Stream* stream, uint32_t number) noexcept nogil:
    """A uniform number from 0 to ``number - 1`` (Lemire, "Fast random integer generation", 2019)."""
    cdef uint64_t product = (next_word(stream) >> 32) * number
    cdef uint32_t uneven
    if <uint32_t>product < number:
        uneven = (<uint32_t>0 - number) % number
        while <uint32_t>product < uneven:
            product = (next_word(stream) >> 32) * number
    return <uint32_t>(product >> 32)
