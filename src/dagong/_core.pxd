"""The face of the core for Cython: what other packages ``cimport``.

See docs/cimport.md. Structs and ``noexcept nogil`` functions work on plain memory; the classes at the end
give access to the structs inside Python objects.
"""

from dagong._count cimport count_plays, count_ranks_lead
from dagong._generate cimport MOST_DECLARATIONS, MOST_PLAYS, SLACK, generate, identify
from dagong._hand cimport Hand
from dagong._layout cimport (
    HandBits,
    KindCode,
    PlayRow,
    CardRow,
    counts_of,
    row_jokers,
    row_kind,
    row_length,
    row_rank,
    row_size,
    row_strength,
    row_suit,
)
from dagong._play cimport CompiledRules, Play
from dagong._ruleset cimport Rules, compile_rules, is_bomb, strength_of
from dagong._spends cimport (
    DETAIL_CARDS,
    DETAIL_RANKS,
    DETAIL_STRATEGIC,
    NO_CARD,
    Spends,
    count_spends,
    find_spends,
    spend,
)
from libc.stdint cimport uint64_t


cdef class Plays:
    cdef CompiledRules rules
    cdef HandBits bits
    cdef Play beaten                # None when leading
    cdef int finer                  # DetailCode
    cdef int called_code            # NO_CARD if none
    cdef int only_kind              # KindCode; NO_PLAY if not restricted
    cdef void* block                # its memory; NULL for a slice, which uses its owner's
    cdef Plays owner
    cdef PlayRow* rows
    cdef uint64_t* ends             # plays up to and with each row; NULL at Detail.RANKS
    cdef Spends* spends
    cdef Py_ssize_t number_of_rows
    cdef Py_ssize_t start
    cdef Py_ssize_t step
    cdef Py_ssize_t number


cdef class RulesetCore(CompiledRules):
    pass

cdef Plays new_plays(
    CompiledRules rules, HandBits hand, PlayRow to_beat, object beaten, int detail, int called, int kind=*
)
cdef int as_detail(object detail) except -1
