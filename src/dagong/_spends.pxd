"""Which cards a play spends: the ways to choose them, counted, numbered and carried out.

A play's counts say how many natural cards of each rank it spends. How many choices of cards that leaves
depends on what is told apart (``Detail``). A *spend* is one such choice; the spends of a play are
numbered, the cards of its lowest rank varying fastest.
"""

from libc.stdint cimport int64_t, uint8_t, uint64_t

from dagong._layout cimport HandBits, PlayRow

cdef enum DetailCode:
    DETAIL_RANKS = 0
    DETAIL_STRATEGIC = 1
    DETAIL_CARDS = 2

cdef enum:
    NO_CARD = -1
    MOST_CHOICES = 81     # of one rank: none, one or both copies of four suits
    SUIT_PATTERNS = 81    # ways to hold a rank: the same

# In how many ways n cards of a rank (13: jokers) can be chosen; 0 if fewer are held. Sixteen numbers a
# rank, so that they are copied at once.
cdef struct Ways:
    uint8_t of[14][16]

# The choices themselves, ordered by how many cards they take: those of n cards are numbers first[n] to
# first[n + 1] - 1.
#
#     low nibble of a choice     suits of which a card is spent
#     high nibble                suits of which both are
cdef struct RankChoices:
    uint8_t first[10]
    uint8_t choice[MOST_CHOICES]
    uint8_t told_apart       # the suits that make choices differ, as a mask

cdef struct Spends:
    RankChoices by_rank[14]
    HandBits hand
    int called
    bint every_suit          # whether each choice of suits for a mixed 510K is a play of its own


cdef void find_ways(Ways* ways, HandBits hand, int detail, int called) noexcept nogil
cdef void find_spends(Spends* spends, HandBits hand, int detail, int called) noexcept nogil
cdef uint64_t count_spends(const Spends* spends, PlayRow play) noexcept nogil
cdef HandBits spend(const Spends* spends, PlayRow play, uint64_t number) noexcept nogil
cdef int64_t number_of_spend(const Spends* spends, PlayRow play, HandBits cards) noexcept nogil

# The first spend at Detail.RANKS, without all the others.
cdef HandBits spend_least(HandBits hand, PlayRow play, int called) noexcept nogil
