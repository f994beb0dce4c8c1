"""Hand: an immutable multiset of cards."""

import operator

import numpy as np

from libc.stdint cimport uint8_t, uint64_t

from dagong._bits cimport nibble
from dagong._layout cimport CODES, FIVE, KING, RANKS, TEN, cards_in, counts_of

from dagong import notation
from dagong.cards import Card

cdef object PLANE_END = 1 << int(CODES)
cdef tuple NOTHING = ()
cdef tuple ALL_CARDS = tuple(Card(code) for code in range(CODES))


cdef Hand new_hand(HandBits bits):
    cdef Hand hand = Hand.__new__(Hand)
    hand.bits = bits
    return hand


cdef Hand as_hand(object cards):
    return <Hand>cards if type(cards) is Hand else Hand(cards)


cdef int add_card(HandBits* bits, int code) except -1:
    cdef uint64_t bit = <uint64_t>1 << code
    if bits.twice & bit:
        raise ValueError(f"a third {ALL_CARDS[code]}: there are two of each card")
    bits.twice |= bits.once & bit
    bits.once |= bit
    return 0


cdef int as_code(object card) except -1:
    return notation.parse_card(card) if isinstance(card, str) else notation.check_code(card)


cdef class Hand:
    """Hand(cards=())

    An immutable, hashable multiset of cards, at most two of each.

    ``cards`` is text, an iterable of cards (codes, ``Card`` or text), or another hand. Iterating gives
    ``Card`` objects in code order. ``+`` unites, ``-`` takes away, ``<=`` means contained in.

    Raises ``ValueError``, naming the token, for bad text, an unknown code or a third copy of a card, and
    for ``a - b`` if ``a`` does not contain ``b``; ``TypeError`` for what cannot be a card at all.

    >>> hand = Hand("10h 3S 3S XB")
    >>> str(hand), len(hand), hand.points, "3S" in hand
    ('3S 3S TH XB', 4, 10, True)
    >>> hand - Hand("3S")
    Hand('3S TH XB')
    """

    def __cinit__(self, cards=NOTHING):
        cdef HandBits bits
        bits.once = bits.twice = 0
        if cards is NOTHING:
            pass
        elif isinstance(cards, Hand):
            bits = (<Hand>cards).bits
        elif isinstance(cards, str):
            for code in notation.parse_cards(cards):
                add_card(&bits, code)
        else:
            try:
                cards = iter(cards)
            except TypeError:
                raise TypeError(f"{cards!r} is no cards: expected text or an iterable of cards") from None
            for card in cards:
                add_card(&bits, as_code(card))
        self.bits = bits

    @classmethod
    def from_counts(cls, counts):
        """The hand with ``counts[code]`` copies of each card: 54 whole numbers 0 to 2.

        >>> Hand.from_counts(Hand("3S 3S XR").counts)
        Hand('3S 3S XR')
        """
        cdef HandBits bits
        cdef int code
        array = np.asarray(counts)
        if array.shape != (CODES,):
            raise ValueError(f"counts have the shape {array.shape}: expected ({CODES},)")
        if array.dtype.kind not in "iub":
            raise TypeError(f"counts have the dtype {array.dtype}: expected whole numbers")
        bits.once = bits.twice = 0
        for code in range(CODES):
            number = int(array[code])
            if not 0 <= number <= 2:
                raise ValueError(f"{number} copies of {ALL_CARDS[code]}: a hand holds 0 to 2 of each card")
            bits.once |= <uint64_t>(number > 0) << code
            bits.twice |= <uint64_t>(number > 1) << code
        return new_hand(bits)

    @classmethod
    def from_planes(cls, once, twice):
        """The hand with the card of each set bit: held at all (``once``), held twice (``twice``).

        Both are 54-bit integers, bit = card code.

        >>> Hand.from_planes(0b11, 0b10)
        Hand('3D 3C 3C')
        """
        cdef HandBits bits
        try:
            once, twice = operator.index(once), operator.index(twice)
        except TypeError:
            raise TypeError(f"{once!r} and {twice!r} are no planes: expected whole numbers") from None
        if not 0 <= once < PLANE_END:
            raise ValueError(f"{once!r} is no plane of {CODES} bits")
        if not 0 <= twice < PLANE_END or twice & ~once:
            raise ValueError(f"{twice!r} has cards held twice that are not held at all")
        bits.once, bits.twice = once, twice
        return new_hand(bits)

    @property
    def planes(self):
        """The two bit planes ``(once, twice)`` of ``from_planes``."""
        return self.bits.once, self.bits.twice

    @property
    def counts(self):
        """Copies of each card: uint8[54], by code."""
        cdef int code
        array = np.empty(CODES, dtype=np.uint8)
        cdef uint8_t[::1] view = array
        for code in range(CODES):
            view[code] = (self.bits.once >> code & 1) + (self.bits.twice >> code & 1)
        return array

    @property
    def rank_counts(self):
        """Cards of each rank: uint8[14], 3 to 2 and then the jokers.

        >>> Hand("3S 3H XB").rank_counts.tolist()
        [2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]
        """
        cdef uint64_t counts = counts_of(self.bits)
        return np.array([nibble(counts, rank) for rank in range(RANKS + 1)], dtype=np.uint8)

    @property
    def points(self):
        """What its 5s, 10s and Ks are worth (R1.5)."""
        cdef uint64_t counts = counts_of(self.bits)
        return 5 * nibble(counts, FIVE) + 10 * (nibble(counts, TEN) + nibble(counts, KING))

    def __len__(self):
        return cards_in(self.bits)

    def __iter__(self):
        cdef int code
        cdef HandBits bits = self.bits
        for code in range(CODES):
            if bits.once >> code & 1:
                yield ALL_CARDS[code]
                if bits.twice >> code & 1:
                    yield ALL_CARDS[code]

    def __contains__(self, card):
        return self.bits.once >> as_code(card) & 1

    def __add__(self, other):
        cdef HandBits bits
        cdef uint64_t over
        if not (isinstance(self, Hand) and isinstance(other, Hand)):
            return NotImplemented
        cdef HandBits one = (<Hand>self).bits, two = (<Hand>other).bits
        over = (one.twice & two.once) | (one.once & two.twice)
        if over:
            raise ValueError(f"a third {ALL_CARDS[lowest(over)]}: there are two of each card")
        bits.once = one.once | two.once
        bits.twice = one.twice | two.twice | (one.once & two.once)
        return new_hand(bits)

    def __sub__(self, other):
        cdef HandBits bits
        if not (isinstance(self, Hand) and isinstance(other, Hand)):
            return NotImplemented
        cdef HandBits one = (<Hand>self).bits, two = (<Hand>other).bits
        cdef uint64_t missing = (two.once & ~one.once) | (two.twice & ~one.twice)
        if missing:
            raise ValueError(f"{other} is not contained in {self}: {ALL_CARDS[lowest(missing)]} is missing")
        # copies left: two less two or none less none, two less one, ...
        bits.twice = one.twice & ~two.once
        bits.once = (one.twice & ~two.twice) | (one.once & ~two.once)
        return new_hand(bits)

    def __richcmp__(self, other, int op):
        if not isinstance(other, Hand):
            return NotImplemented
        cdef HandBits one = (<Hand>self).bits, two = (<Hand>other).bits
        cdef bint equal = one.once == two.once and one.twice == two.twice
        if op == 2:
            return equal
        if op == 3:
            return not equal
        if op == 4 or op == 5:
            one, two = two, one
        cdef bint contained = one.once & ~two.once == 0 and one.twice & ~two.twice == 0
        return contained and (not equal or op == 1 or op == 5)

    def __hash__(self):
        return hash((self.bits.once, self.bits.twice))

    def __str__(self):
        return notation.cards_text(self)

    def __repr__(self):
        return f"Hand({str(self)!r})"

    def __reduce__(self):
        return Hand.from_planes, self.planes


cdef int lowest(uint64_t plane):
    cdef int code = 0
    while not plane >> code & 1:
        code += 1
    return code
