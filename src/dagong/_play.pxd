"""Play: some cards and what they are declared to be; and the rules that it was made under."""

from dagong._layout cimport HandBits, PlayRow
from dagong._ruleset cimport Rules


cdef class CompiledRules:
    cdef Rules rules
    cdef bint ready


cdef class Play:
    cdef PlayRow row               # its strength is that of `under`
    cdef HandBits bits
    cdef CompiledRules under

cdef Play new_play(PlayRow row, HandBits bits, CompiledRules under)
cdef Rules* rules_in(CompiledRules compiled) except NULL
cdef int row_under(PlayRow* row, CompiledRules compiled, Play play) except -1
cdef HandBits playable_bits(object cards) except *
