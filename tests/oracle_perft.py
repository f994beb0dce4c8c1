"""Counts the leaves of the game tree (a *perft*) with nothing but the slow readings of the rules.

A node has as actions both bids while there is bidding; afterwards the plays that a detail tells apart, and
the pass if allowed. Whoever lists one play for many has to say which cards it carries, since that decides
what is possible later. The choice is described in docs/architecture.md, under *Which cards*, and stands in
`Spending`. Nothing here is taken from the library.
"""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import combinations, product
from math import prod
from typing import Any, NamedTuple

import oracle
from oracle import Cards, Declaration, Play, Rules
from oracle_game import SEATS, Game, points_of, seats_after

DETAILS = ("RANKS", "STRATEGIC", "CARDS")
SUITED_RANKS = (oracle.FIVE, oracle.TEN, oracle.KING)

# A bid is a bool (true is solo), a pass None, a play its cards and its declaration.
Action = Play | bool | None


# Positions


class Position(Game):
    """A hand at any point, set up by the keywords of ``State.from_hands``, with everything as text."""

    def __init__(
        self,
        rules: Rules,
        hands: Iterable[str],
        dealer: int = 0,
        called: str | None = None,
        soloist: int | None = None,
        bidding: bool = False,
        partner: int | None = None,
        captured: Iterable[int] = (0, 0, 0, 0),
        places: Iterable[int] = (),
        to_move: int | None = None,
        last_play: str | None = None,
        last_player: int | None = None,
        pile_points: int = 0,
    ) -> None:
        # Not the parent's: that one knows beginnings only.
        self.rules = rules
        self.hands = [list(oracle.parse_cards(hand)) for hand in hands]
        self.dealt = [tuple(hand) for hand in self.hands]
        self.soloist = soloist
        self.dealer = dealer if soloist is None else soloist
        self.called = None if called is None else oracle.parse_card(called)
        self.partner = self._partner_of(partner)
        self.revealed = self.partner is not None and self.called not in self.hands[self.partner]
        self.revealed_at = None
        self.bids = []
        self.phase = "bid" if bidding else "play"
        self.to_move = self.dealer if to_move is None else to_move
        self.last_play = None if last_play is None else oracle.parse_play(last_play)
        self.last_player = last_player
        self.passed = self._passed_since(last_player)
        self.pile_points = pile_points
        self.captured = list(captured)
        self.places = list(places)
        self.actions = 0
        self.tricks = []
        self.rolls = []
        self.played = [[], [], [], []]
        self.ending = None
        self._check()

    def _partner_of(self, partner: int | None) -> int | None:
        """The partner told, or else whoever holds the called card besides the dealer (R5.3)."""
        if self.soloist is not None or partner is not None:
            return partner
        (holder,) = [seat for seat in seats_after(self.dealer) if self.called in self.hands[seat]]
        return holder

    def _passed_since(self, last_player: int | None) -> list[int]:
        """Who has passed since the last play: all with cards between its player and the seat to move."""
        if last_player is None:
            return []
        after = seats_after(last_player)
        assert self.to_move in after
        return [seat for seat in after[: after.index(self.to_move)] if self.hands[seat]]

    def _check(self) -> None:
        """A position that no hand can come to would be worth nothing as a test."""
        cards = [card for hand in self.hands for card in hand]
        on_table = () if self.last_play is None else self.last_play[0]
        assert max(Counter([*cards, *on_table]).values()) <= 2
        assert self.to_move is not None and self.hands[self.to_move]
        assert sorted(self.places) == [seat for seat in SEATS if not self.hands[seat]]
        assert sum(self.captured) + self.pile_points + points_of(cards) <= 200
        assert self.pile_points >= points_of(on_table)
        assert self._ending_reached() is None
        assert self.last_play is None or oracle.may_be(self.rules, *self.last_play)

    def is_legal(self, cards: Any, declaration: Declaration) -> bool:
        """Plays come from the oracle's own list here; to check each again would take most of the time."""
        return True

    def after(self, action: Action) -> Position:
        """The position that the action leads to."""
        child = copy.copy(self)
        child.hands = [list(hand) for hand in self.hands]
        child.played = [list(cards) for cards in self.played]
        for name in ("bids", "passed", "captured", "places", "tricks", "rolls"):
            setattr(child, name, list(getattr(self, name)))
        if action is None:
            child.pass_()
        elif isinstance(action, bool):
            child.bid(action)
        else:
            child.play(*action)
        return child

    def told_apart(self) -> int | None:
        """The called card as long as it means something: until the partner is known (R5.4)."""
        return None if self.revealed else self.called


def text_of(action: Action) -> str:
    """An action as records have it, but for the seat."""
    if action is None:
        return "pass"
    if isinstance(action, bool):
        return "solo" if action else "no solo"
    cards, declaration = action
    return f"{oracle.format_cards(cards)} as {oracle.format_declaration(declaration)}"


# Which cards a play carries that stands for others


class Spending:
    """Which cards a hand would rather part with.

    It keeps the called card above all, then the cards that a flush 510K of its own needs, those of strong
    suits more than others. For the rest weak suits and the black joker go first. Of 510Ks that come out equal
    that is said of the K before the 10, and of the 10 before the 5: the order of plays in docs/notation.md,
    in which the lowest rank varies fastest.
    """

    def __init__(self, hand: Cards, called: int | None) -> None:
        self.called = called
        held = Counter(hand)
        flushes = [min(held[4 * rank + suit] for rank in SUITED_RANKS) for suit in range(4)]
        self.spare = {
            card: number - flushes[card % 4]
            for card, number in held.items()
            if oracle.rank_of(card) in SUITED_RANKS
        }

    def cost(self, cards: Cards) -> tuple[bool, list[int], list[int]]:
        """What it costs to spend these cards; the least is best."""
        needed = [0, 0, 0, 0]
        for card, number in Counter(cards).items():
            if card in self.spare:
                needed[card % 4] += max(0, number - self.spare[card])
        return (self.called in cards, needed[::-1], sorted(cards, reverse=True))


# Lists of actions


class Group(NamedTuple):
    """Plays that are as strong as one another, and which are told apart by their cards alone."""

    declaration: Declaration
    example: Play
    choices: tuple[tuple[Cards, ...], ...]  # for each rank, the cards that may be spent of it
    number: int


class Strength(NamedTuple):
    """All of a play that matters to what beats it (R4.1)."""

    bomb: tuple[int, tuple[int, ...]] | None
    shape: tuple[str, int, int] | None


def strength_of(rules: Rules, play: Play | None) -> Strength | None:
    """Two plays of one strength are beaten by the same plays."""
    if play is None:
        return None
    bomb = oracle.bomb_key(rules, *play)
    kind, rank, length, _ = play[1]
    return Strength(bomb, (kind, rank, length) if bomb is None else None)


class Perft:
    """Counts under one rule set at one detail, and remembers what it has listed and counted."""

    def __init__(self, rules: Rules, detail: str) -> None:
        self.rules = rules
        self.detail = detail
        self._groups: dict[tuple[Cards, int | None], list[Group]] = {}
        self._beating: dict[tuple[Cards, int | None, Strength | None], list[Group]] = {}
        self._counted: dict[tuple[object, ...], int] = {}

    def count(self, position: Position, depth: int) -> int:
        """How many leaves the tree has at exactly this depth."""
        if depth == 0:
            return 1
        if position.phase == "over":
            return 0
        if depth == 1:
            return self.number_of_actions(position)
        key = (depth, *self.key(position))
        if key not in self._counted:
            self._counted[key] = sum(self.divide_by_action(position, depth))
        return self._counted[key]

    def divide_by_action(self, position: Position, depth: int) -> Iterator[int]:
        """The counts below each action, in the order of `actions`."""
        for action in self.actions(position):
            yield self.count(position.after(action), depth - 1)

    def divide(self, position: Position, depth: int) -> dict[str, int]:
        """The counts below each action by its text; depth is at least 1."""
        counts = self.divide_by_action(position, depth)
        return {text_of(a): number for a, number in zip(self.actions(position), counts, strict=True)}

    def key(self, position: Position) -> tuple[object, ...]:
        """Everything that the tree below a position depends on.

        Of past play that is only what rules still ask for. Points are asked for by the early endings of R6.6
        alone, so only where those exist.
        """
        points: tuple[object, ...] = ()
        if self.rules["scoring"] == "arch" and position.soloist is None:
            points = (position.pile_points, tuple(position.captured))
        return (
            position.phase, len(position.bids), position.to_move, tuple(map(tuple, position.hands)),
            position.dealer, position.soloist, position.called, position.partner, position.revealed,
            strength_of(self.rules, position.last_play), position.last_player, tuple(position.passed),
            tuple(position.places), points,
        )  # fmt: skip

    def number_of_actions(self, position: Position) -> int:
        """How many actions there are, without listing them."""
        if position.phase == "bid":
            return 2
        return sum(group.number for group in self.beating(position)) + position.can_pass()

    def actions(self, position: Position) -> Iterator[Action]:
        """Every action of the seat to move."""
        if position.phase == "bid":
            yield from (False, True)
            return
        for group in self.beating(position):
            for chosen in product(*group.choices):
                yield tuple(sorted(card for cards in chosen for card in cards)), group.declaration
        if position.can_pass():
            yield None

    def beating(self, position: Position) -> list[Group]:
        """The plays of the seat to move that beat the last one."""
        assert position.to_move is not None
        hand, called = tuple(position.hands[position.to_move]), position.told_apart()
        key = (hand, called, strength_of(self.rules, position.last_play))
        if key not in self._beating:
            groups, last = self.groups(hand, called), position.last_play
            if last is not None:
                groups = [group for group in groups if oracle.beats(self.rules, group.example, last)]
            self._beating[key] = groups
        return self._beating[key]

    def groups(self, hand: Cards, called: int | None) -> list[Group]:
        """All plays of a hand."""
        key = (hand, called)
        if key not in self._groups:
            spending = Spending(hand, called)
            self._groups[key] = [*self._by_ranks(hand, spending), *self._five_ten_kings(hand, spending)]
        return self._groups[key]

    def _by_ranks(self, hand: Cards, spending: Spending) -> Iterator[Group]:
        """The plays other than 510Ks. Here each rank's cards are chosen without regard to the others."""
        held = oracle.held_by_rank(hand)
        choices_of = {
            (rank, number): self._choices(cards, number, spending)
            for rank, cards in held.items()
            for number in range(len(cards) + 1)
        }
        for declaration, sizes in oracle.rank_classes(self.rules, hand, None):
            choices = tuple(choices_of[rank_and_number] for rank_and_number in sizes)
            example = tuple(sorted(card for of_rank in choices for card in of_rank[0]))
            yield Group(declaration, (example, declaration), choices, prod(map(len, choices)))

    def _choices(self, cards: list[int], number: int, spending: Spending) -> tuple[Cards, ...]:
        """One choice of so many cards of a rank for each that the detail tells apart."""
        best: dict[tuple[str, ...], Cards] = {}
        for chosen in sorted(set(combinations(cards, number)), key=spending.cost):
            best.setdefault(self._labels(chosen, spending.called), chosen)
        return tuple(best.values())

    def _five_ten_kings(self, hand: Cards, spending: Spending) -> Iterator[Group]:
        """The 510Ks, each on its own, since the suits of one card bear on the others (R3.8)."""
        best: dict[tuple[object, ...], Play] = {}
        plays = oracle.five_ten_king_plays(self.rules, hand, None)
        for cards, declaration in sorted(plays, key=lambda play: spending.cost(play[0])):
            best.setdefault((declaration, self._labels(cards, spending.called)), (cards, declaration))
        for cards, declaration in best.values():
            yield Group(declaration, (cards, declaration), ((cards,),), 1)

    def _labels(self, cards: Cards, called: int | None) -> tuple[str, ...]:
        """What the detail sees of some cards."""
        return tuple(sorted(oracle.label(card, self.detail, called) for card in cards))
