"""A single card."""

from __future__ import annotations

from typing import SupportsIndex

from dagong import notation


class Card(int):
    """A card: an ``int`` code 0 to 53 that knows its text (R1).

    The code is ``rank * 4 + suit``, ranks 0 to 12 for 3 to 2, suits 0 to 3 for D C H S (weak to strong);
    52 is the black (small) joker, 53 the red (big) one. Made from a code or from text: ``TH``, ``10h``,
    ``♥10``, ``XB``.

    Raises ``ValueError``, naming the value, if it is no card.

    >>> card = Card("10H")
    >>> int(card), str(card), card.rank, card.suit
    (30, 'TH', 7, 2)
    >>> Card(53)
    Card('XR')
    """

    __slots__ = ()

    def __new__(cls, card: str | SupportsIndex) -> Card:
        if isinstance(card, str):
            return super().__new__(cls, notation.parse_card(card))
        return super().__new__(cls, notation.check_code(card))

    @property
    def rank(self) -> int:
        """0 to 12 for 3 to 2; 13 for a joker, its place in counts by rank."""
        return self >> 2

    @property
    def suit(self) -> int | None:
        """0 to 3 for D C H S; None for a joker."""
        return None if self.is_joker else self & 3

    @property
    def is_joker(self) -> bool:
        """Whether it is wild (R2)."""
        return self >= 52

    @property
    def points(self) -> int:
        """5 for a 5, 10 for a 10 or a K, else 0 (R1.5)."""
        return notation.POINTS_BY_RANK.get(self.rank, 0)

    def __bool__(self) -> bool:
        """True for every card, the 3 of diamonds with its code 0 too."""
        return True

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)

    def __str__(self) -> str:
        return notation.card_text(self)

    def __repr__(self) -> str:
        return f"Card({notation.card_text(self)!r})"

    def __reduce__(self) -> tuple[type[Card], tuple[int]]:
        return Card, (int(self),)
