"""Bit and nibble arithmetic.

A *nibble word* is a ``uint64_t`` read as sixteen 4-bit numbers; number ``i`` stands in bits ``4i`` to
``4i + 3``. Counts per rank are such words: a rank holds 0 to 8 natural cards, which leaves the addition
of two counts room for a carry into bit 3, and bit 3 is what the comparisons below read.

A *flag word* has bit 3 of some nibbles set and nothing else.
"""

from libc.stdint cimport uint64_t

cdef extern from * nogil:
    """
    #include <stdint.h>
    #include <stdlib.h>

    #if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
    #error "dagong packs plays for little-endian machines only"
    #endif

    #if defined(_MSC_VER) && !defined(__clang__)
    #include <intrin.h>
    static __forceinline int dagong_lowest_bit(uint64_t word) {
        unsigned long index;
        _BitScanForward64(&index, word);
        return (int)index;
    }
    #else
    #define dagong_lowest_bit(word) __builtin_ctzll(word)
    #endif

    /* Checked in the debug build only; says where and stops, since nothing above can handle it. */
    #if defined(DAGONG_DEBUG)
    #include <stdio.h>
    #define dagong_assert(truth) ((truth) ? (void)0 : (fprintf(stderr, \
        "dagong: assertion failed at %s:%d: %s\\n", __FILE__, __LINE__, #truth), abort()))
    #else
    #define dagong_assert(truth) ((void)0)
    #endif

    #define DAGONG_ONES 0x1111111111111111ULL
    #define DAGONG_EIGHTS 0x8888888888888888ULL
    #define DAGONG_FIVES 0x5555555555555555ULL
    #define DAGONG_THREES 0x3333333333333333ULL
    #define DAGONG_BYTE_ONES 0x0101010101010101ULL
    #define DAGONG_BYTE_TOPS 0x8080808080808080ULL
    #define DAGONG_LOW_NIBBLES 0x0F0F0F0F0F0F0F0FULL
    """
    int lowest_bit "dagong_lowest_bit"(uint64_t word) noexcept   # undefined for 0
    void debug_assert "dagong_assert"(bint truth) noexcept
    const uint64_t ONES "DAGONG_ONES"
    const uint64_t EIGHTS "DAGONG_EIGHTS"
    const uint64_t FIVES "DAGONG_FIVES"
    const uint64_t THREES "DAGONG_THREES"
    const uint64_t BYTE_ONES "DAGONG_BYTE_ONES"
    const uint64_t BYTE_TOPS "DAGONG_BYTE_TOPS"
    const uint64_t LOW_NIBBLES "DAGONG_LOW_NIBBLES"    # of each byte


cdef inline int nibble(uint64_t word, int index) noexcept nogil:
    return <int>(word >> (4 * index)) & 15


cdef inline uint64_t low_nibbles(int number) noexcept nogil:
    """A mask of the lowest 0 to 15 nibbles."""
    return (<uint64_t>1 << (4 * number)) - 1


cdef inline uint64_t at_least(uint64_t counts, int number) noexcept nogil:
    """Flags the nibbles that hold ``number`` or more; nibbles hold 0 to 8, ``number`` is 1 to 8."""
    return (counts + (8 - number) * ONES) & EIGHTS


cdef inline int flag_count(uint64_t flags) noexcept nogil:
    """How many nibbles are flagged: at most fifteen, so that the sum fits the top nibble."""
    return <int>(((flags >> 3) * ONES) >> 60)


cdef inline uint64_t bits_by_nibble(uint64_t word) noexcept nogil:
    """How many bits are set in each nibble."""
    word = word - ((word >> 1) & FIVES)
    return (word & THREES) + ((word >> 2) & THREES)


cdef inline int bits_in_nibble(int number) noexcept nogil:
    """How many bits are set in a number below 16, read from a nibble word."""
    return nibble(<uint64_t>0x4332322132212110, number)


cdef inline int nibble_sum(uint64_t word) noexcept nogil:
    return <int>((((word & LOW_NIBBLES) + ((word >> 4) & LOW_NIBBLES)) * BYTE_ONES) >> 56)


cdef inline int bytes_up_to(uint64_t some, uint64_t others, int number) noexcept nogil:
    """How many of sixteen bytes are no more than a number; all of these are 0 to 127.

    It finds a place in sums that grow, without a loop whose end could not be foreseen.
    """
    debug_assert(number <= 127)
    # The sum with what is lacking to 127 leaves the top bit of these clear.
    cdef uint64_t lacking = <uint64_t>(127 - number) * BYTE_ONES
    return <int>((
        (((~(some + lacking) & BYTE_TOPS) >> 7) + ((~(others + lacking) & BYTE_TOPS) >> 7)) * BYTE_ONES
    ) >> 56)


cdef inline int nth_flag(uint64_t flags, int number) noexcept nogil:
    """The nibble of flag ``number``, from 0, of more than so many and at most fifteen."""
    cdef uint64_t upto = (flags >> 3) * ONES
    return bytes_up_to(upto & LOW_NIBBLES, (upto >> 4) & LOW_NIBBLES, number)


cdef inline int bit_count(uint64_t word) noexcept nogil:
    """How many bits are set in a word; plain x86-64 has no instruction for it."""
    word = bits_by_nibble(word)
    word = (word + (word >> 4)) & LOW_NIBBLES
    return <int>((word * BYTE_ONES) >> 56)
