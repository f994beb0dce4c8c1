"""The text forms of cards, declarations and plays, and nothing else.

A card is a rank and a suit, ``TH``; a joker ``XB`` (black) or ``XR`` (red). Reading also accepts ``10``
for ``T``, suit signs before or behind the rank, lower case, and commas between cards. A play is its cards,
the word ``as`` and its declaration: ``4H 4S XB XR as pair_run 5 x2``. See ``docs/notation.md``.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Iterable
from typing import NamedTuple, SupportsIndex

from dagong.kinds import Kind

RANKS = "3456789TJQKA2"
SUITS = "DCHS"
CARD_TEXTS = (*(rank + suit for rank in RANKS for suit in SUITS), "XB", "XR")
POINTS_BY_RANK = {RANKS.index("5"): 5, RANKS.index("T"): 10, RANKS.index("K"): 10}

_CODES = {text: code for code, text in enumerate(CARD_TEXTS)}
_SIGNS = str.maketrans("♦♣♥♠♢♧♡♤", SUITS * 2, "\ufe0e\ufe0f")  # the two choose how a sign is drawn
_SEPARATORS = re.compile(r"[\s,]+")


def _plain(text: str) -> str:
    """Letters for suit signs, in upper case; other signs stay, which ``upper`` may turn into letters."""
    signless = text.translate(_SIGNS)
    return signless.upper() if signless.isascii() else signless


class Declaration(NamedTuple):
    """What the cards of a play are declared to be."""

    kind: Kind
    rank: int = -1
    length: int = 1
    suit: int | None = None


def shown(text: str) -> str:
    """A text for an error message, shortened if it is long.

    >>> shown("3Z"), len(shown("3S" * 1_000_000)) < 100
    ("'3Z'", True)
    """
    return repr(text) if len(text) <= 60 else f"{text[:40]!r}... ({len(text)} characters)"


def parse_card(token: str) -> int:
    """The code of one card in text.

    >>> parse_card("10h"), parse_card("♠A"), parse_card("XR")
    (30, 47, 53)
    """
    text = _plain(token.strip()).replace("10", "T")
    code = _CODES.get(text)
    if code is None and len(text) == 2:
        code = _CODES.get(text[::-1]) if text[0] in SUITS and text[1] in RANKS else None
    if code is None:
        raise ValueError(f"{shown(token)} is not a card: expected a rank and a suit such as TH, or XB or XR")
    return code


def check_code(code: SupportsIndex) -> int:
    """A card code as an ``int``; ``TypeError`` or ``ValueError`` if it is none."""
    try:
        number = operator.index(code)
    except TypeError:
        raise TypeError(f"{code!r} is not a card: expected a code 0 to 53 or text") from None
    if not 0 <= number < 54:
        raise ValueError(f"{number} is not a card code: they run from 0 to 53")
    return number


def parse_cards(text: str) -> list[int]:
    """The codes of the cards in a text, in the order given.

    >>> parse_cards("3S 10H, xb")
    [3, 30, 52]
    """
    return [parse_card(token) for token in _SEPARATORS.split(text) if token]


def card_text(code: int) -> str:
    """The text of a card code."""
    return CARD_TEXTS[code]


def cards_text(codes: Iterable[int]) -> str:
    """The text of several cards.

    >>> cards_text([3, 30, 52])
    '3S TH XB'
    """
    return " ".join(CARD_TEXTS[code] for code in codes)


_BY_RANK = re.compile(r"(SINGLE|PAIR|TRIPLE|BOMB)\s+(10|[2-9TJQKA])")
_BY_LENGTH = re.compile(r"(PAIR_RUN|TRIPLE_RUN|ROLL)\s+(10|[2-9TJQKA])\s+X\s*([0-9]{1,2})")
_FIVE_TEN_KING = re.compile(r"FIVE_TEN_KING\s+([DCHS]|MIXED)")
# In lower case the ace of spades is "as" too; but a declaration starts with a word that no card could be.
_AS = re.compile(r"(.*?)(?<!\S)as\s+(?=[a-z_]{3})(.*)", re.IGNORECASE | re.DOTALL)


def parse_declaration(text: str) -> Declaration:
    """Read what follows ``as`` in a play.

    >>> parse_declaration("pair_run 5 x2")
    Declaration(kind=<Kind.PAIR_RUN: 4>, rank=2, length=2, suit=None)
    """
    stripped = text.strip()
    plain = _plain(stripped)
    if found := _BY_RANK.fullmatch(plain):
        return Declaration(Kind[found[1]], _rank(found[2]))
    if found := _BY_LENGTH.fullmatch(plain):
        return Declaration(Kind[found[1]], _rank(found[2]), int(found[3]))
    if found := _FIVE_TEN_KING.fullmatch(plain):
        return Declaration(Kind.FIVE_TEN_KING, suit=None if found[1] == "MIXED" else SUITS.index(found[1]))
    if plain == "SKY_BOMB":
        return Declaration(Kind.SKY_BOMB)
    raise ValueError(
        f"{shown(stripped)} is not a declaration: expected one such as 'pair 4', 'pair_run 5 x2', "
        "'five_ten_king S', 'five_ten_king mixed' or 'sky_bomb'"
    )


def _rank(text: str) -> int:
    return RANKS.index(text.replace("10", "T"))


def declaration_text(declaration: Declaration) -> str:
    """The text of a declaration.

    >>> declaration_text(Declaration(Kind.ROLL, 0, 2))
    'roll 3 x2'
    """
    kind, rank, length, suit = declaration
    if kind is Kind.SKY_BOMB:
        return kind.label
    if kind is Kind.FIVE_TEN_KING:
        return f"{kind.label} {'mixed' if suit is None else SUITS[suit]}"
    if kind in (Kind.PAIR_RUN, Kind.TRIPLE_RUN, Kind.ROLL):
        return f"{kind.label} {RANKS[rank]} x{length}"
    return f"{kind.label} {RANKS[rank]}"


def split_play(text: str) -> tuple[list[int], Declaration | None]:
    """The cards of a play in text, and its declaration if it has one.

    >>> split_play("as ks as pair 4")
    ([47, 43], Declaration(kind=<Kind.PAIR: 2>, rank=1, length=1, suit=None))
    """
    found = _AS.fullmatch(text)
    return (parse_cards(found[1]), parse_declaration(found[2])) if found else (parse_cards(text), None)
