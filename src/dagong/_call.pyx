"""The called card (R5.3)."""

from dagong._layout cimport CODES
from dagong._play cimport CompiledRules, rules_in

from dagong.cards import Card

cdef enum:
    FIRST_JOKER = 52


cdef int find_callable(
    const Rules* rules, const uint8_t* dealt, int number, bint first_hand, uint8_t* out
) noexcept nogil:
    """Write the cards among which chance decides, in the order dealt; one but for a first hand.

    0 if the dealer holds no card exactly once, which takes an even number of cards.
    """
    cdef uint8_t copies[CODES]
    cdef int place, found = 0
    for place in range(CODES):
        copies[place] = 0
    for place in range(number):
        copies[dealt[place]] += 1
    if not first_hand and not rules.call_singleton:
        place = after_second_copy(rules, dealt, number, copies)
        if place < number:
            out[0] = dealt[place]
            return 1
    for place in range(number):
        out[found] = dealt[place]
        found += (copies[dealt[place]] == 1) & may_call(rules, dealt[place])
    if not first_hand:
        found = min(found, 1)
    if found == 0:
        for place in range(number):
            if copies[dealt[place]] == 1:
                out[0] = dealt[place]
                return 1
    return found


cdef inline bint may_call(const Rules* rules, int card) noexcept nogil:
    return rules.call_jokers or card < FIRST_JOKER


cdef int after_second_copy(
    const Rules* rules, const uint8_t* dealt, int number, const uint8_t* copies
) noexcept nogil:
    """Where the rule of that name ends; ``number`` if it finds nothing."""
    cdef int place = 0, card
    while place < number:
        card = dealt[place]
        if not may_call(rules, card):
            place += 1
            continue
        if copies[card] == 1:
            return place
        place = number - 1
        while dealt[place] != card:
            place -= 1
        place += 1
    return number


def callable_cards(CompiledRules compiled not None, dealt, bint first_hand):
    """The cards that may become the called card: a list of ``Card``; ``dealt`` are codes as dealt."""
    cdef uint8_t[2 * CODES] cards
    cdef uint8_t[CODES] out
    cdef int number = 0, index
    for card in dealt:
        if number == 2 * CODES:
            raise ValueError("more cards than there are")
        cards[number] = Card(card)
        number += 1
    number = find_callable(rules_in(compiled), cards, number, first_hand, out)
    return [Card(out[index]) for index in range(number)]
