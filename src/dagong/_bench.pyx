"""Loops for timing the core without Python between the calls; the clock is read outside.

Each loop returns a number that depends on all it did, so that no part of it is optimised away.
"""

from libc.stdint cimport uint64_t
from libc.stdlib cimport free, malloc

from dagong._count cimport count_plays, count_ranks_lead
from dagong._generate cimport MOST_PLAYS, SLACK, generate
from dagong._layout cimport no_play
from dagong._play cimport CompiledRules, Play, playable_bits, row_under, rules_in
from dagong._ruleset cimport beats
from dagong._spends cimport DETAIL_RANKS, NO_CARD

cdef extern from * nogil:
    """
    /* Volatile, and so neither left out, nor joined to wider stores, nor made a call of memset. */
    #if defined(__GNUC__) || defined(__clang__)
    typedef uint64_t dagong_stored_row __attribute__((vector_size(16)));
    static void dagong_store_rows(uint64_t *out, long long rows)
    {
        dagong_stored_row row = {0x0123456789ABCDEFULL, 0x0FEDCBA987654321ULL};
        volatile dagong_stored_row *next = (volatile dagong_stored_row *)out;
        for (; rows >= 4; rows -= 4, next += 4) {
            next[0] = row;
            next[1] = row;
            next[2] = row;
            next[3] = row;
        }
        for (; rows > 0; rows--)
            *next++ = row;
    }
    #elif defined(_M_X64)
    #include <emmintrin.h>
    static void dagong_store_rows(uint64_t *out, long long rows)
    {
        __m128i row = _mm_set_epi64x(0x0FEDCBA987654321LL, 0x0123456789ABCDEFLL);
        volatile __m128i *next = (volatile __m128i *)out;
        for (; rows > 0; rows--)
            *next++ = row;
    }
    #else
    static void dagong_store_rows(uint64_t *out, long long rows)
    {
        volatile uint64_t *next = out;
        for (; rows > 0; rows--) {
            *next++ = 0x0123456789ABCDEFULL;
            *next++ = 0x0FEDCBA987654321ULL;
        }
    }
    #endif

    #if defined(__clang__)
    #define DAGONG_COMPILER "clang " __clang_version__
    #elif defined(__GNUC__)
    #define DAGONG_COMPILER "gcc " __VERSION__
    #elif defined(_MSC_VER)
    #define DAGONG_COMPILER "MSVC"
    #else
    #define DAGONG_COMPILER "unknown compiler"
    #endif

    #if defined(__AVX512VL__)
    #define DAGONG_VECTORS "avx512"
    #elif defined(__AVX2__)
    #define DAGONG_VECTORS "avx2"
    #elif defined(__SSE2__) || defined(_M_X64)
    #define DAGONG_VECTORS "sse2"
    #elif defined(__ARM_NEON) || defined(_M_ARM64)
    #define DAGONG_VECTORS "neon"
    #else
    #define DAGONG_VECTORS "none"
    #endif

    #if defined(__OPTIMIZE__) || (defined(_MSC_VER) && !defined(DAGONG_DEBUG))
    #define DAGONG_OPTIMISED 1
    #else
    #define DAGONG_OPTIMISED 0
    #endif
    #if defined(DAGONG_DEBUG)
    #define DAGONG_CHECKED 1
    #else
    #define DAGONG_CHECKED 0
    #endif
    """
    void store_rows "dagong_store_rows"(uint64_t* out, long long rows) noexcept
    const char* COMPILER "DAGONG_COMPILER"
    const char* VECTORS "DAGONG_VECTORS"
    const bint OPTIMISED "DAGONG_OPTIMISED"
    const bint CHECKED "DAGONG_CHECKED"


def compiled_with():
    """The compiler of the core, and what it was allowed to do."""
    return {
        "compiler": COMPILER.decode().strip(),
        "vectors": VECTORS.decode(),
        "optimised": bool(OPTIMISED),
        "checked": bool(CHECKED),
    }


cdef uint64_t generate_all(
    const Rules* rules, const Position* positions, Py_ssize_t number, PlayRow* out
) noexcept nogil:
    """List the plays of each position, every time into the same rows; return how many there were."""
    cdef uint64_t total = 0
    cdef Py_ssize_t index
    for index in range(number):
        total += generate(rules, positions[index].hand, positions[index].to_beat, out)
    return total


cdef uint64_t count_all_leads(
    const Rules* rules, const Position* positions, Py_ssize_t number
) noexcept nogil:
    cdef uint64_t total = 0
    cdef Py_ssize_t index
    for index in range(number):
        total += count_ranks_lead(rules, positions[index].hand)
    return total


cdef uint64_t count_all(
    const Rules* rules, const Position* positions, Py_ssize_t number, int detail
) noexcept nogil:
    cdef uint64_t total = 0
    cdef Py_ssize_t index
    for index in range(number):
        total += count_plays(rules, positions[index].hand, positions[index].to_beat, detail, NO_CARD)
    return total


cdef uint64_t compare_all(const PlayRow* plays, Py_ssize_t number) noexcept nogil:
    """How many of the plays beat the next."""
    cdef uint64_t beating = 0
    cdef Py_ssize_t index
    for index in range(number - 1):
        beating += beats(plays[index], plays[index + 1])
    return beating


cdef class Positions:
    """Positions(rules, positions)

    Pairs of a hand and a play to beat (or None), laid out for the loops. All share one
    room for lists, so no two threads may use the same object at once.
    """

    cdef CompiledRules rules
    cdef Position* items
    cdef readonly Py_ssize_t number
    cdef bint leads                      # nothing to beat in any of them
    cdef PlayRow[MOST_PLAYS + SLACK] rows

    def __init__(self, CompiledRules rules not None, positions):
        cdef Py_ssize_t index
        positions = list(positions)
        rules_in(rules)
        if self.items != NULL:
            raise TypeError("positions are immutable")
        self.items = <Position*>malloc(max(1, len(positions)) * sizeof(Position))
        if self.items == NULL:
            raise MemoryError()
        self.rules = rules
        self.leads = True
        for index, (hand, to_beat) in enumerate(positions):
            self.items[index].hand = playable_bits(hand)
            self.items[index].to_beat = no_play()
            if to_beat is not None:
                self.leads = False
                row_under(&self.items[index].to_beat, rules, <Play?>to_beat)
        self.number = len(positions)

    def __dealloc__(self):
        free(self.items)

    def __len__(self):
        return self.number

    def generate(self, int passes=1):
        """List the plays of every position so many times; return how many that were in all."""
        cdef uint64_t total = 0
        cdef int _pass
        with nogil:
            for _pass in range(passes):
                total += generate_all(&self.rules.rules, self.items, self.number, self.rows)
        return total

    def count(self, int detail, int passes=1):
        """Count what ``generate`` lists, or the plays at a finer detail."""
        cdef uint64_t total = 0
        cdef int _pass
        cdef bint leads = self.leads and detail == DETAIL_RANKS
        with nogil:
            for _pass in range(passes):
                if leads:
                    total += count_all_leads(&self.rules.rules, self.items, self.number)
                else:
                    total += count_all(&self.rules.rules, self.items, self.number, detail)
        return total


def compare(array, int passes=1):
    """How many plays of a ``PLAY_DTYPE`` array beat the next, so many times over."""
    cdef const uint64_t[:, ::1] words = array.view("<u8").reshape(-1, 2)
    cdef uint64_t beating = 0
    cdef int _pass
    if words.shape[0] == 0:
        return 0
    with nogil:
        for _pass in range(passes):
            beating += compare_all(<const PlayRow*>&words[0, 0], words.shape[0])
    return beating


cdef class Store:
    """Store(rows)

    Room for so many 16-byte rows, to be written over and over: as fast as any list of plays could be.
    """

    cdef uint64_t* memory
    cdef readonly Py_ssize_t rows
    cdef Py_ssize_t next

    def __init__(self, Py_ssize_t rows):
        if rows < 1 or self.memory != NULL:
            raise ValueError("a store has one row or more, and is made once")
        self.memory = <uint64_t*>malloc(rows * sizeof(PlayRow))
        if self.memory == NULL:
            raise MemoryError()
        self.rows = rows

    def __dealloc__(self):
        free(self.memory)

    def write(self, Py_ssize_t rows):
        """Write so many rows, going on from the last one written and round and round."""
        cdef Py_ssize_t left = rows, number
        with nogil:
            while left > 0:
                number = min(left, self.rows - self.next)
                store_rows(self.memory + 2 * self.next, number)
                left -= number
                self.next += number
                if self.next == self.rows:
                    self.next = 0
        return rows
