"""What a hand in progress tells: its actions, what a seat may know of it, and how it was paid."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from dagong._hand import Hand
from dagong._play import Play
from dagong.cards import Card
from dagong.kinds import Detail, Kind

if TYPE_CHECKING:
    from dagong._core import Plays
    from dagong._state import State
    from dagong.rules import Ruleset


class IllegalPlay(ValueError):
    """A bid, play or pass that the rules or the phase forbid; the message says why."""


class Action(NamedTuple):
    """One entry of ``State.history``: a bid, a play or a pass."""

    seat: int
    play: Play | None
    """The play; None for a pass or a bid."""
    solo: bool | None
    """What was bid; None for a play or a pass."""


class Reason(NamedTuple):
    """One payment."""

    rule: str
    """The number of its rule, such as ``R7.3``."""
    amounts: tuple[int, ...]
    """What each seat receives, or pays if negative; the sum is 0."""
    words: str


@dataclass(frozen=True, slots=True)
class Result:
    """How a hand was decided and paid, in units of the stake (底).

    >>> from dagong import DAYE, State
    >>> state = State.from_hands(DAYE, ["4S", "4S", "KS 3C", "9C 3D"], dealer=0, called="4S")
    >>> state.play("4S")
    >>> for _ in range(3):
    ...     state.pass_()
    >>> state.play("4S")
    >>> state.result.ending, state.result.payoffs
    ('partners', (4, 4, -4, -4))
    """

    ending: str
    """``solo``, ``one_left``, ``partners``, ``early_second`` or ``early_first`` (R6.6)."""
    places: tuple[int, ...]
    """Seats in finishing order."""
    points: tuple[int, ...]
    """Points of each seat, after R7.2."""
    winners: tuple[int, ...]
    """The seats that won."""
    multiplier: int
    """What the hand was won by, after the doublings of R7.7."""
    payoffs: tuple[int, ...]
    """What each seat receives in all; the sum is 0."""
    reasons: tuple[Reason, ...]
    """Each payment with its rule."""


@dataclass(frozen=True, slots=True)
class Observation:
    """All that a seat may know, and nothing else."""

    seat: int
    hand: Hand
    hand_sizes: tuple[int, ...]
    played: tuple[Hand, ...]
    """What each seat has played, by seat."""
    phase: str
    to_move: int | None
    dealer: int
    called: Card | None
    partner: int | None
    """The dealer's partner, if it was revealed or is this seat."""
    revealed: bool
    soloist: int | None
    last_play: Play | None
    last_player: int | None
    pile_points: int
    captured: tuple[int, ...]
    places: tuple[int, ...]
    history: tuple[Action, ...]
    first_dealer: int
    """Who dealt and called (R5.2); a soloist becomes the dealer after that (R5.5)."""
    first_called: Card | None
    """The card called before the bids (R5.3). Everybody has seen it, so it tells something of the hands in a
    solo too; None only if the hand began with a soloist."""
    rules: Ruleset

    def legal_plays(self, detail: Detail | int = Detail.RANKS) -> Plays:
        """The plays of this seat, if it is to play: those of ``State.legal_plays``.

        Raises ``IllegalPlay`` otherwise.

        >>> from dagong import DAYE, State
        >>> state = State.from_hands(DAYE, ["3S 5H", "4S", "4C", "5C"], dealer=0, called="3S", partner=2)
        >>> [str(play) for play in state.observe(0).legal_plays()]
        ['3S as single 3', '5H as single 5']
        """
        if self.phase != "play" or self.to_move != self.seat:
            raise IllegalPlay(f"seat {self.seat} is not to play")
        return self.rules.legal_plays(
            self.hand, self.last_play, detail=detail, called=None if self.revealed else self.called
        )

    @classmethod
    def of(cls, state: State, seat: int) -> Observation:
        """What ``seat`` may know of ``state``; see ``State.observe``."""
        hands = state.hands
        return cls(
            seat=seat,
            hand=hands[seat],
            hand_sizes=tuple(len(hand) for hand in hands),
            played=tuple(dealt - hand for dealt, hand in zip(state.dealt_hands, hands, strict=True)),
            phase=state.phase,
            to_move=state.to_move,
            dealer=state.dealer,
            called=state.called,
            partner=state.partner if state.revealed or state.partner == seat else None,
            revealed=state.revealed,
            soloist=state.soloist,
            last_play=state.last_play,
            last_player=state.last_player,
            pile_points=state.pile_points,
            captured=state.captured,
            places=state.places,
            history=state.history,
            first_dealer=state.first_dealer,
            first_called=state.first_called,
            rules=state.rules,
        )


# By the core's ReasonCode: the rule, and what it says.
_VERDICTS = {
    1: ("R7.1", "the soloist finished first"),
    2: ("R7.1", "the soloist did not finish first"),
    3: ("partners", "first and second are partners"),
    4: ("partners", "first and second are partners, and the others took nothing"),
    5: ("R7.3", "more points"),
    6: ("R7.3", "equal points: the last player's side loses"),
    7: ("R7.3", "all 200 points"),
    8: ("R7.4", "second took no points"),
    9: ("R7.4", "second took 5 to 100 points"),
    10: ("R7.4", "second took 105 points or more"),
    11: ("R7.4", "the first player's side, with first and last place, has 100 points or more"),
    12: ("R7.4", "the first player's side, with first and last place, has fewer than 100 points"),
    13: ("R7.4", "decided early"),
}
_HOLDINGS = (
    ("sky", 1, "four jokers"), ("eight", 2, "eight of a rank"), ("seven", 1, "seven of a rank"),
    ("four_510k", 1, "four 510Ks"),
)


def explain(
    state: State,
    points: list[int],
    winners: list[int],
    multiplier: int,
    verdict: int,
    result: list[int],
    total: list[int],
    holdings: list[tuple[int, ...]],
) -> Result:
    """The core's figures with a reason for each payment, whose sum is checked against them."""
    reasons = [_result_reason(state, multiplier, verdict, winners, result)]
    reasons += _holding_reasons(state, holdings)
    if state.rules.roll_bonus == "side_payment":
        reasons += _roll_reasons(state, winners)
    sums = [sum(reason.amounts[seat] for reason in reasons) for seat in range(4)]
    assert sums == total, (sums, total)
    return Result(
        ending=str(state.ending),
        places=state.places,
        points=tuple(points),
        winners=tuple(winners),
        multiplier=multiplier,
        payoffs=tuple(total),
        reasons=tuple(reasons),
    )


def rolls_played(state: State) -> list[tuple[int, Play]]:
    """The rolls of a hand with who played them."""
    return [
        (action.seat, action.play)
        for action in state.history
        if action.play is not None and action.play.kind is Kind.ROLL
    ]


def _result_reason(
    state: State, multiplier: int, verdict: int, winners: list[int], amounts: list[int]
) -> Reason:
    rule, words = _VERDICTS[verdict]
    if rule == "partners":
        rule = "R7.4" if state.rules.scoring == "arch" else "R7.3"
    doubled = 0
    if state.rules.roll_bonus == "winner_doubles":
        doubled = sum(seat in winners for seat, _ in rolls_played(state))
    words += f": x{multiplier}"
    if doubled:
        words += f", doubled for {doubled} roll{'s' * (doubled > 1)} (R7.7)"
    return Reason(rule, tuple(amounts), words)


def _holding_reasons(state: State, holdings: list[tuple[int, ...]]) -> list[Reason]:
    return [
        Reason(
            "R7.6",
            tuple(3 * units if other == seat else -units for other in range(4)),
            f"seat {seat} was dealt {words}",
        )
        for seat, numbers in enumerate(holdings)
        for (name, units, words), number in zip(_HOLDINGS, numbers, strict=True)
        if name in state.rules.holding_bonuses
        for _ in range(number)
    ]


def _roll_reasons(state: State, winners: list[int]) -> list[Reason]:
    reasons = []
    hands = state.hands
    for seat, play in rolls_played(state):
        worth = int(2 ** (play.size // 2 - 3))
        if state.soloist is not None:
            if seat == state.soloist:
                worth = worth if seat in winners else -worth
                amounts = tuple(3 * worth if other == seat else -worth for other in range(4))
                reasons.append(Reason("R7.7", amounts, f"the soloist's roll of {play.size}"))
            continue
        out = not hands[seat]
        side = (state.dealer, state.partner)
        worth = worth if out else -worth
        amounts = tuple(worth if (other in side) == (seat in side) else -worth for other in range(4))
        words = f"a roll of {play.size} by seat {seat}, who {'ran out' if out else 'did not run out'}"
        reasons.append(Reason("R7.7", amounts, words))
    return reasons
