"""The words that plays and hands are packed into.

A card is a code 0 to 53: ``rank * 4 + suit``, ranks 0 to 12 for 3 to 2, suits 0 to 3 for D C H S; 52 is
the black joker, 53 the red one (R1.6).

Hand, two planes of 54 bits each, bit = card code::

    once    the cards of which at least one copy is held
    twice   the cards of which both copies are held

Counts, a nibble word::

    bits  0-51   nibble r: natural cards of rank r, 0 to 8
    bits 52-55   nibble 13: jokers, 0 to 4 (hands only; a play's jokers stand in its head)

The head of a play says what it means and the counts which natural cards it spends. Bytes of the head,
lowest first, the fields of the NumPy record::

    byte  0     kind       1 to 9, see KindCode; 0 is no play at all
    byte  1     rank       0 to 12, the highest rank of a run or roll; -1 for 510K and sky bomb
    byte  2     length     ranks spanned; 1 where it has no meaning
    byte  3     size       cards, jokers included
    bytes 4-5   strength   see _ruleset.pxd
    byte  6     suit       0 to 3 for a flush 510K, else -1
    byte  7     jokers     0 to 4
"""

from libc.stdint cimport int8_t, uint8_t, uint16_t, uint64_t

from dagong._bits cimport bit_count, bits_by_nibble, low_nibbles

cdef enum:
    RANKS = 13            # natural ranks, 3 to 2
    RUN_RANKS = 12        # ranks a run may hold: 3 to A (R3.4, R3.5)
    CODES = 54            # different cards
    HAND_CARDS = 27       # cards a hand or a play may have (R5.1)
    JOKERS = 13           # the jokers' nibble, and their place in a table by rank
    FIVE = 2
    TEN = 7
    KING = 10
    TWO = 12

cdef enum KindCode:
    NO_PLAY = 0
    SINGLE = 1
    PAIR = 2
    TRIPLE = 3
    PAIR_RUN = 4
    TRIPLE_RUN = 5
    FIVE_TEN_KING = 6
    BOMB = 7
    ROLL = 8
    SKY_BOMB = 9

cdef struct HandBits:
    uint64_t once
    uint64_t twice

cdef struct PlayRow:
    uint64_t head
    uint64_t counts

# A play with the very cards it is made of, for the details that tell suits apart.
cdef struct CardRow:
    PlayRow play
    HandBits cards

cdef extern from * nogil:
    """
    #define DAGONG_RANK_STEP 0x0000000100000100ULL
    #define DAGONG_JOKER_FIELD 0xFF00000000000000ULL
    #define DAGONG_POINT_NIBBLES 0x00000F00F0000F00ULL
    """
    # Added to a head for each rank higher: the rank itself, and as much strength.
    const uint64_t RANK_STEP "DAGONG_RANK_STEP"
    const uint64_t JOKER_FIELD "DAGONG_JOKER_FIELD"
    const uint64_t POINT_NIBBLES "DAGONG_POINT_NIBBLES"       # of the 5, the 10 and the K


cdef inline PlayRow no_play() noexcept nogil:
    """The pass, and what a leader has to beat."""
    cdef PlayRow row
    row.head = NO_PLAY
    row.counts = 0
    return row


cdef inline uint64_t pack_head(
    int kind, int rank, int length, int size, int strength, int suit, int jokers
) noexcept nogil:
    return (
        <uint64_t>kind
        | <uint64_t>(rank & 0xFF) << 8
        | <uint64_t>length << 16
        | <uint64_t>size << 24
        | <uint64_t>strength << 32
        | <uint64_t>(suit & 0xFF) << 48
        | <uint64_t>jokers << 56
    )


cdef inline int row_kind(PlayRow row) noexcept nogil:
    return <int>(row.head & 0xFF)


cdef inline int row_rank(PlayRow row) noexcept nogil:
    return <int8_t>(row.head >> 8)


cdef inline int row_length(PlayRow row) noexcept nogil:
    return <uint8_t>(row.head >> 16)


cdef inline int row_size(PlayRow row) noexcept nogil:
    return <uint8_t>(row.head >> 24)


cdef inline int row_strength(PlayRow row) noexcept nogil:
    return <uint16_t>(row.head >> 32)


cdef inline int row_suit(PlayRow row) noexcept nogil:
    return <int8_t>(row.head >> 48)


cdef inline int row_jokers(PlayRow row) noexcept nogil:
    return <uint8_t>(row.head >> 56)


cdef inline uint64_t all_counts(PlayRow row) noexcept nogil:
    """Its cards by rank, jokers in nibble 13, as a hand's."""
    return row.counts + (<uint64_t>row_jokers(row) << 52)


cdef inline uint64_t without_strength(uint64_t head) noexcept nogil:
    """What a play means apart from how strong a rule set makes it."""
    return head & <uint64_t>0xFFFF0000FFFFFFFF


cdef inline uint64_t counts_of(HandBits hand) noexcept nogil:
    """Cards by rank, jokers in nibble 13."""
    return bits_by_nibble(hand.once) + bits_by_nibble(hand.twice)


cdef inline int cards_in(HandBits hand) noexcept nogil:
    return bit_count(hand.once) + bit_count(hand.twice)


cdef inline uint64_t naturals_of(uint64_t counts) noexcept nogil:
    return counts & low_nibbles(RANKS)


cdef inline int jokers_of(uint64_t counts) noexcept nogil:
    return <int>(counts >> 52) & 15
