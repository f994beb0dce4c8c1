"""The called card (R5.3)."""

from libc.stdint cimport uint8_t

from dagong._ruleset cimport Rules


cdef int find_callable(
    const Rules* rules, const uint8_t* dealt, int number, bint first_hand, uint8_t* out
) noexcept nogil
