"""Pair runs and triple runs (R3.4, R3.5): listed and counted."""

from libc.stdint cimport uint64_t

from dagong._layout cimport PlayRow


cdef PlayRow* list_runs(
    uint64_t counts, int jokers, int each, bint wild_alone, PlayRow* out
) noexcept nogil

cdef PlayRow* list_runs_above(
    uint64_t counts, int jokers, int each, bint wild_alone, int length, int above, PlayRow* out
) noexcept nogil

cdef int count_all_runs(uint64_t counts, int jokers, bint wild_alone) noexcept nogil


# All runs, numbered without listing them, so that one can be drawn. Some numbers name no run.
cdef int count_run_slots(uint64_t counts, int jokers, bint wild_alone) noexcept nogil
cdef bint run_in_slot(
    uint64_t counts, int jokers, bint wild_alone, int slot, PlayRow* out
) noexcept nogil
