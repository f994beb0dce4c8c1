"""Rows written two at a time.

Where the compiler knows vectors, the heads of two rows are made in one register and their counts in
another, and then interleaved. The scalar form is for other compilers, and says what is meant.
"""

from libc.stdint cimport uint64_t

from dagong._layout cimport PlayRow

cdef extern from * nogil:
    """
    #include <string.h>

    #define DAGONG_PLACES 0x0000FFFFFFFFFFFFULL

    #if defined(__GNUC__) || defined(__clang__)
    typedef uint64_t dagong_pair __attribute__((vector_size(16)));

    static inline void dagong_interleave(void *out, dagong_pair heads, dagong_pair counts) {
        dagong_pair rows[2] = {{heads[0], counts[0]}, {heads[1], counts[1]}};
        memcpy(out, rows, 32);
    }
    static inline void dagong_write_placed(
        void *out, const uint64_t *words, uint64_t head, uint64_t counts, int shift)
    {
        dagong_pair word;
        memcpy(&word, words, 16);
        dagong_interleave(
            out,
            (word & (dagong_pair){DAGONG_JOKER_FIELD, DAGONG_JOKER_FIELD}) + (dagong_pair){head, head},
            (dagong_pair){counts, counts} - ((word & (dagong_pair){DAGONG_PLACES, DAGONG_PLACES}) << shift));
    }
    #else
    static void dagong_write_placed(
        void *out, const uint64_t *words, uint64_t head, uint64_t counts, int shift)
    {
        uint64_t *rows = (uint64_t *)out;
        for (int row = 0; row < 2; row++) {
            rows[2 * row] = head + (words[row] & DAGONG_JOKER_FIELD);
            rows[2 * row + 1] = counts - ((words[row] & DAGONG_PLACES) << shift);
        }
    }
    #endif
    """
    # A placement's jokers go to the head, and leave the counts where they are placed.
    void write_two_placed "dagong_write_placed"(
        PlayRow* out, const uint64_t* words, uint64_t head, uint64_t counts, int shift
    ) noexcept

cdef enum:
    CHUNK = 8         # rows that the loops write at a time; those too many are written over
