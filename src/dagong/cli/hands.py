"""What the commands on whole hands share: reading records, and hands, tricks and results in words."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from dagong import Action, Card, Kind, Play, State
from dagong.cli.common import BadInput
from dagong.notation import RANKS, SUITS, declaration_text
from dagong.records import Record, parse_record, split_records

_ENDINGS = {
    "solo": "somebody is out, which ends a solo hand",
    "one_left": "a single player has cards left",
    "partners": "first and second are partners",
    "early_second": "decided early, by what the second player captured",
    "early_first": "decided early, by what the first player's side captured",
}
_GROUP = re.compile(r"(?<![^\s,])(10|[2-9TJQKA])([DCHS]{2,})(?![^\s,])", re.IGNORECASE)
PLACES = ("first 一游", "second 二游", "third 三游", "last 末游")


class Trick(NamedTuple):
    """The plays and passes from a lead on."""

    leader: int
    actions: list[Action]
    taker: int | None
    """Who captured it; None while it is unfinished."""
    points: int
    notes: list[list[str]]
    """For each action what came of it: the partner revealed, a seat out."""


def read_text(file: str) -> str:
    """The text of a file, or of standard input for ``-``."""
    try:
        if file == "-":
            if sys.stdin is None:
                raise BadInput("-: standard input is closed")
            content = sys.stdin.buffer.read()
        else:
            with open(file, "rb") as stream:
                content = stream.read()
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadInput(f"{file}: not a text in UTF-8: {error.reason} at byte {error.start}") from None
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        raise BadInput(f"{file}: {getattr(error, 'strerror', None) or error}") from None


def records_in(file: str) -> Iterator[Record | str]:
    """The records of a file, each replayed; in place of a bad one, the error that it has."""
    for line, text in split_records(read_text(file)):
        try:
            yield parse_record(text, line)
        except ValueError as error:
            yield str(error)


def grouped(cards: Iterable[Card]) -> str:
    """Cards by rank: each rank once, with its suits, and then the jokers.

    >>> from dagong import Hand
    >>> grouped(Hand("3S 3S 3D TH XB XR"))
    '3DSS TH XB XR'
    """
    suits: dict[int, str] = {}
    jokers = []
    for card in sorted(cards):
        if card.suit is None:
            jokers.append(str(card))
        else:
            suits[card.rank] = suits.get(card.rank, "") + SUITS[card.suit]
    return " ".join([RANKS[rank] + letters for rank, letters in suits.items()] + jokers)


def ungrouped(text: str) -> str:
    """A text in which cards may stand by rank, as ``grouped`` shows them, with each card by itself.

    >>> ungrouped("3DSS 10hs XB as bomb 3")
    '3D 3S 3S 10h 10s XB as bomb 3'
    """
    return _GROUP.sub(lambda found: " ".join(found[1] + suit for suit in found[2]), text)


def short_play(play: Play) -> str:
    """A play's cards and, where they do not tell it, its declaration.

    >>> from dagong import DAGUN
    >>> short_play(DAGUN.parse_play("7D 7S")), short_play(DAGUN.parse_play("7D XB as pair 7"))
    ('7D 7S', '7D XB as pair 7')
    """
    plain = play.jokers == 0 and play.kind is not Kind.FIVE_TEN_KING
    return str(play.cards) if plain else f"{play.cards} as {declaration_text(play.declaration)}"


def beginning_of(state: State) -> State:
    """The hand before its first action."""
    start = state.copy()
    for _ in state.history:
        start.undo()
    return start


def tricks_of(state: State) -> list[Trick]:
    """The tricks of a hand so far.

    >>> from dagong import DAYE
    >>> state = State.from_hands(DAYE, ["4S", "4S 5S", "KS", "9C"], dealer=0, called="4S")
    >>> state.play("4S")
    >>> tricks_of(state)[0].leader, tricks_of(state)[0].taker
    (0, None)
    """
    now = beginning_of(state)
    tricks: list[Trick] = []
    actions: list[Action] = []
    notes: list[list[str]] = []
    leader: int | None = None
    for action in state.history:
        if action.solo is not None:
            now.bid(action.solo)
            continue
        if leader is None:
            leader = action.seat if now.last_player is None else now.last_player
        captured, last_player = now.captured, now.last_player
        revealed, out = now.revealed, len(now.places)
        if action.play is None:
            now.pass_()
        else:
            now.play(action.play)
            last_player = action.seat
        actions.append(action)
        notes.append([f"明雞: seat {now.partner} is the partner (R5.4)"] if now.revealed > revealed else [])
        for place, seat in enumerate(now.places[out:3], out):
            notes[-1].append(f"seat {seat} is out: {PLACES[place]}")
        if now.last_player is None or now.phase == "over":
            tricks.append(Trick(leader, actions, last_player, sum(now.captured) - sum(captured), notes))
            actions, notes, leader = [], [], None
    if leader is not None:
        tricks.append(Trick(leader, actions, None, now.pile_points, notes))
    return tricks


def side_words(state: State) -> str:
    """Who is with whom.

    >>> from dagong import DAYE
    >>> side_words(State.from_hands(DAYE, ["4S", "4S 5S", "KS", "9C"], dealer=0, called="4S"))
    'seat 0 deals and calls 4S, which seat 1 holds too: seats 0 and 1 against 2 and 3'
    """
    if state.soloist is not None:
        solo = f"seat {state.soloist} plays solo 硬牌 against the other three"
        if state.first_called is None:
            return solo
        return f"seat {state.first_dealer} deals and calls {state.first_called}; {solo}"
    side = [seat for seat in range(4) if seat in (state.dealer, state.partner)]
    others = [seat for seat in range(4) if seat not in side]
    return (
        f"seat {state.dealer} deals and calls {state.called}, which seat {state.partner} holds too: "
        f"seats {side[0]} and {side[1]} against {others[0]} and {others[1]}"
    )


def result_lines(state: State) -> list[str]:
    """Who won, and each payment with its rule."""
    result = state.result
    assert result is not None
    places = ", ".join(f"{name} seat {seat}" for name, seat in zip(PLACES, result.places, strict=False))
    *most, last = map(str, result.winners)
    winners = f"{', '.join(most)} and {last}" if most else last
    lines = [
        f"over: {_ENDINGS[result.ending]} (R6.6)",
        f"places: {places}",
        f"points: {', '.join(f'seat {seat} {points}' for seat, points in enumerate(result.points))}",
        *_points_lines(state),
        f"won by seat{'s' * (len(result.winners) > 1)} {winners}, x{result.multiplier}",
        "",
        "rule    seat 0  seat 1  seat 2  seat 3",
    ]
    lines += [f"{reason.rule:<6}{_amounts(reason.amounts)}  {reason.words}" for reason in result.reasons]
    return [*lines, f"{'total':<6}{_amounts(result.payoffs)}"]


def _points_lines(state: State) -> list[str]:
    """Why the points are not those of the tricks (R7.2), or do not matter (R7.1)."""
    if state.soloist is not None:
        return ["        R7.1: they do not count in a solo"]
    if state.ending != "one_left":
        return []
    first, _, third, last = state.places
    heir = third if state.rules.unplayed_points_to == "third" else first
    captured, unplayed = state.captured[last], state.hands[last].points
    lines = [f"        R7.2: the {captured} that seat {last} took go to seat {first}"] * (captured > 0)
    lines += [f"        R7.2: the {unplayed} in the hand of seat {last} go to seat {heir}"] * (unplayed > 0)
    return lines


def _amounts(amounts: Iterable[int]) -> str:
    return "".join(f"{amount:>+8}" if amount else f"{0:>8}" for amount in amounts)
