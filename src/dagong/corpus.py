"""A fixed corpus of positions: what speed is measured on, and what tells whether behaviour has changed.

>>> from dagong import XIANNING
>>> corpus = build(XIANNING)
>>> len(corpus["leads"]), corpus["leads"][0].to_beat
(4000, None)
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import NamedTuple

import numpy as np

from dagong._core import Plays
from dagong._hand import Hand
from dagong._play import Play
from dagong.rules import Ruleset

SEED = 510
DEALS = 1000
HANDS_BY_JOKERS = 500
NUMBER_OF_FOLLOWS = 10_000
ENDING_CARDS = 10

LEADS = "leads"
LEADS_BY_JOKERS = tuple(f"leads with {jokers} joker{'s' * (jokers != 1)}" for jokers in range(5))
FOLLOWS = "follows"
ENDINGS = "endings"
SECTIONS = (LEADS, *LEADS_BY_JOKERS, FOLLOWS, ENDINGS)
"""The names of the sections, in their order."""

_PACK = (*range(52), *range(54), 52, 53)
_NATURALS = _PACK[:52] * 2
_JOKERS = (52, 53, 52, 53)

# Of a row's head, everything but size (which follows from the rest) and strength (a rule set's own
# measure): kind, rank, length, suit, jokers.
_TOLD = np.uint64(0xFFFF000000FFFFFF)


class Position(NamedTuple):
    """A hand and the play that it has to beat, or None if it leads."""

    hand: Hand
    to_beat: Play | None

    def __str__(self) -> str:
        return str(self.hand) + (f" to beat {self.to_beat}" if self.to_beat else "")


class Corpus(Mapping[str, list[Position]]):
    """The positions of one rule set by section; see ``SECTIONS`` and ``build``."""

    def __init__(self, rules: Ruleset, sections: Mapping[str, list[Position]]) -> None:
        self.rules = rules
        self._sections = dict(sections)

    def __getitem__(self, section: str) -> list[Position]:
        return self._sections[section]

    def __iter__(self) -> Iterator[str]:
        return iter(self._sections)

    def __len__(self) -> int:
        return len(self._sections)

    def __repr__(self) -> str:
        return f"<Corpus of {sum(map(len, self.values()))} positions for {self.rules}>"


class Fingerprint(NamedTuple):
    """What a build of the library does on a corpus; see ``fingerprint``."""

    plays: int
    digest: str

    def __str__(self) -> str:
        return f"{self.plays} plays, {self.digest}"


def build(rules: Ruleset) -> Corpus:
    """The corpus of a rule set: the same positions on every machine, by section.

    ``leads``
        The 27-card hands of 1,000 deals, 4,000 in all, with as many jokers as fell to them.
    ``leads with 0 jokers`` … ``leads with 4 jokers``
        500 hands each of 27 cards, dealt so as to have exactly that many jokers.
    ``follows``
        10,000 decisions of players who follow, those included who can only pass: all there are in the
        first deals, played out. Each choice, of a lead, or of a play or the pass, is uniformly random
        among the plays of ``Detail.RANKS``; a hand is over when one player is left with cards.
    ``endings``
        The positions in that play with ten cards or fewer to choose from, leads and follows.

    Nothing depends on the order in which the library lists plays, so that a change of order alone leaves
    the positions as they are. It takes about half a second.
    """
    follows: list[Position] = []
    endings: list[Position] = []
    chance = random.Random(SEED + 1)
    for deal in _deals():
        if len(follows) >= NUMBER_OF_FOLLOWS:
            break
        for position in _played_out(rules, list(deal), chance):
            if position.to_beat is not None:
                follows.append(position)
            if len(position.hand) <= ENDING_CARDS:
                endings.append(position)
    return Corpus(
        rules,
        {
            LEADS: [Position(hand, None) for deal in _deals() for hand in deal],
            **{
                name: [Position(hand, None) for hand in hands]
                for name, hands in zip(LEADS_BY_JOKERS, _hands_by_jokers(), strict=True)
            },
            FOLLOWS: follows[:NUMBER_OF_FOLLOWS],
            ENDINGS: endings,
        },
    )


def by_jokers(positions: Iterable[Position]) -> dict[int, list[Position]]:
    """The positions by the number of jokers in the hand, 0 to 4; their order is kept.

    >>> from dagong import DAYE
    >>> len(by_jokers(build(DAYE)["leads with 3 jokers"])[3])
    500
    """
    split: dict[int, list[Position]] = {jokers: [] for jokers in range(5)}
    for position in positions:
        once, twice = position.hand.planes
        split[(once >> 52).bit_count() + (twice >> 52).bit_count()].append(position)
    return split


def fingerprint(corpora: Corpus | Iterable[Corpus]) -> Fingerprint:
    """How many plays all positions have together, and a short hash of all those plays in order.

    The plays are those of ``Detail.RANKS``. The hash covers kind, rank, length, jokers, suit and counts
    of each, position by position, section by section. So it changes if a play is added, lost or changed,
    or if the order of a list changes; and, built alike, with nothing else.

    Print it with ``python benchmarks/positions.py --fingerprint``.
    """
    digest = hashlib.sha256()
    total = 0
    for corpus in [corpora] if isinstance(corpora, Corpus) else corpora:
        for positions in corpus.values():
            for position in positions:
                words = _told(corpus.rules.legal_plays(position.hand, position.to_beat))
                total += len(words)
                digest.update(len(words).to_bytes(4, "little"))
                digest.update(words.tobytes())
    return Fingerprint(total, digest.hexdigest()[:12])


def _told(plays: Plays) -> np.ndarray:
    """Two words a play that tell all about it but its size and strength."""
    words = plays.array.view("<u8").reshape(-1, 2).copy()
    words[:, 0] &= _TOLD
    return words


def _shuffled(cards: tuple[int, ...], chance: random.Random) -> list[int]:
    """Sorted by random keys: Python keeps to ``random()`` from version to version, not to ``shuffle``."""
    keys = [chance.random() for _ in cards]
    return [cards[place] for place in sorted(range(len(cards)), key=keys.__getitem__)]


# The hands are the same for all rules.


@cache
def _deals() -> tuple[tuple[Hand, ...], ...]:
    chance = random.Random(SEED)
    deals = []
    for _ in range(DEALS):
        cards = _shuffled(_PACK, chance)
        deals.append(tuple(Hand(cards[start : start + 27]) for start in range(0, 108, 27)))
    return tuple(deals)


@cache
def _hands_by_jokers() -> tuple[tuple[Hand, ...], ...]:
    chance = random.Random(SEED + 2)
    return tuple(
        tuple(
            Hand(_shuffled(_JOKERS, chance)[:jokers] + _shuffled(_NATURALS, chance)[: 27 - jokers])
            for _ in range(HANDS_BY_JOKERS)
        )
        for jokers in range(5)
    )


def _choose(plays: Plays, chance: random.Random, may_pass: bool) -> Play | None:
    """Any play, or the pass, with equal chance."""
    number = len(plays)
    chosen = int(chance.random() * (number + may_pass))
    if chosen == number:
        return None
    words = _told(plays)
    return plays[int(np.lexsort((words[:, 1], words[:, 0]))[chosen])]


def _played_out(rules: Ruleset, hands: list[Hand], chance: random.Random) -> Iterator[Position]:
    """Every decision of a hand, led by seat 0, that goes on until one player is left with cards (R6.3).

    Who plays with whom is left out: it bears on no list of plays.
    """
    seat = winner = 0
    best: Play | None = None
    while sum(map(bool, hands)) > 1:
        if best is not None and seat == winner:
            best = None
        if hands[seat]:
            position = Position(hands[seat], best)
            yield position
            play = _choose(rules.legal_plays(*position), chance, may_pass=best is not None)
            if play is not None:
                hands[seat] -= play.cards
                winner, best = seat, play
        seat = (seat + 1) % 4
