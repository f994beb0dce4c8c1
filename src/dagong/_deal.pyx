"""Shuffling and dealing (R5.1 to R5.3)."""

from dagong._call cimport find_callable
from dagong._layout cimport CODES
from dagong._position cimport NOBODY
from dagong._random cimport Stream, below, new_stream

cdef void deal_hand(
    Deal* deal, const Rules* rules, uint64_t seed, uint64_t hand_index, int dealer
) noexcept nogil:
    """Deal hand ``hand_index`` of a seed. Without a dealer (NOBODY) it is the first of a match (R5.2)."""
    cdef Stream stream = new_stream(seed, hand_index, DEALING)
    cdef uint8_t[PACK] pack
    cdef uint8_t[CODES] choices
    cdef HandBits hand
    cdef int index, other, seat, card, number
    cdef bint first_hand = dealer == NOBODY
    cdef int starter = 0 if first_hand else dealer
    for index in range(PACK):
        pack[index] = index // 2
    for index in range(PACK - 1, 0, -1):
        other = below(&stream, index + 1)
        pack[index], pack[other] = pack[other], pack[index]
    for other in range(SEATS):
        seat = (starter + other) % SEATS
        hand.once = hand.twice = 0
        for index in range(HAND_CARDS):
            card = pack[SEATS * index + other]
            deal.dealt[seat][index] = card
            add_copy(&hand, card)
        deal.hands[seat] = hand
    if first_hand:
        starter = below(&stream, PACK) % SEATS       # who is dealt the card turned up
    number = find_callable(rules, deal.dealt[starter], HAND_CARDS, first_hand, choices)
    deal.dealer = starter
    deal.called = choices[below(&stream, number) if number > 1 else 0]
