"""The kinds of play and the details at which plays are told apart."""

from enum import IntEnum


class Kind(IntEnum):
    """What a play is (R3). The value stands in the ``kind`` field of records.

    >>> Kind.PAIR_RUN.label
    'pair_run'
    """

    SINGLE = 1
    PAIR = 2
    TRIPLE = 3
    PAIR_RUN = 4
    TRIPLE_RUN = 5
    FIVE_TEN_KING = 6
    BOMB = 7
    ROLL = 8
    SKY_BOMB = 9

    @property
    def label(self) -> str:
        """The name in text forms."""
        return self.name.lower()

    @property
    def chinese(self) -> str:
        """What players call it."""
        return _CHINESE[self]


_CHINESE = {
    Kind.SINGLE: "單張",
    Kind.PAIR: "對子",
    Kind.TRIPLE: "三條",
    Kind.PAIR_RUN: "連對",
    Kind.TRIPLE_RUN: "飛機",
    Kind.FIVE_TEN_KING: "五十K",
    Kind.BOMB: "炸彈",
    Kind.ROLL: "搖擺",
    Kind.SKY_BOMB: "天炸",
}


class Detail(IntEnum):
    """When two plays count as one.

    ``RANKS``
        Plays alike but for suits and joker colours. The suit of a flush 510K still counts, since it is
        declared (R3.8).
    ``STRATEGIC``
        As ``RANKS``, but the suits of 5, 10 and K count in every play, and the called card, if one is
        given, counts as a card of its own (R5.4).
    ``CARDS``
        Never: plays differ if their cards or their declarations do. This is every legal play.
    """

    RANKS = 0
    STRATEGIC = 1
    CARDS = 2
