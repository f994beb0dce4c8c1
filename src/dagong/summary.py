"""What many hands have in common: how they end, what they pay, what jokers and bombs are worth.

A ``Summary`` takes rows of hands, an array at a time, and keeps sums and histograms only, so it stays
small however many hands there are. Two of them merge into one, the same as if it had taken all hands.

The four payoffs of a hand add up to zero, so its seats are not four independent observations. Every
interval here takes the hand as the unit: with ``n`` seats of a kind in a hand and ``s`` as the sum of
their payoffs, the mean is the ratio of the two sums, and its variance that of ``s - mean * n``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from dagong._bulk import HAND_DTYPE
from dagong.rules import Ruleset

SEATS = 4
Z95 = 1.959963984540054  # of the normal distribution, two-sided
ENOUGH = 30  # hands; an interval from fewer would claim more than it knows
QUANTILES = (5, 25, 50, 75, 95)
ROLES = ("dealer", "partner", "opponent", "soloist", "against soloist")
MOST_JOKERS = 4
MOST_QUADS = 6  # 27 cards hold no more ranks with four cards each
LENGTHS = ("plays", "passes", "actions")
HOLDINGS = {"sky": "sky", "eight": "eights", "seven": "sevens", "four_510k": "four_510ks"}
"""The fields of a row by the bonus that they count (R7.6)."""
BOMBS = ("five_ten_kings", "bombs", "rolls", "sky_bombs")

# What the ends of hands are called, by the verdict in a row, and by whether the side of the first player
# lost or won where that makes a difference: a name, words, and the rule in either scoring.
_POINTS, _EITHER = ("R7.3", "R7.3"), ("R7.3", "R7.4")
_ARCH, _EARLY, _SOLO = ("R7.4", "R7.4"), ("R6.6", "R6.6"), ("R7.1", "R7.1")
_OUTCOMES: tuple[tuple[tuple[int, ...], str, str, tuple[str, str]], ...] = (
    ((1,), "solo_won", "solo won: the soloist is first out", _SOLO),
    ((2,), "solo_lost", "solo lost: another is first out", _SOLO),
    ((3,), "partners", "partners first and second", _EITHER),
    ((4,), "partners_shut_out", "partners first and second, the others at 0", _EITHER),
    ((5, 1), "more_points_first", "one player left: first's side has more points", _POINTS),
    ((5, 0), "more_points_others", "one player left: other side has more points", _POINTS),
    ((7,), "all_points", "one player left: a side has all 200 points", _POINTS),
    ((6,), "equal_points", "one player left: 100 each, last's side loses", _POINTS),
    ((8,), "first_third_nothing", "partners first and third, second at 0", _ARCH),
    ((9,), "first_third_little", "partners first and third, second at 5 to 100", _ARCH),
    ((10,), "first_third_much", "partners first and third, second at 105+", _ARCH),
    ((11,), "first_last_reached", "partners first and last, with 100 or more", _ARCH),
    ((12,), "first_last_missed", "partners first and last, with less than 100", _ARCH),
    ((13, 1), "early_first", "early: the side of the first has its 100", _EARLY),
    ((13, 0), "early_second", "early: the second has 105", _EARLY),
)
_VERDICTS = 14  # codes in a row, of which 0 is none
_CHUNK = 2048  # hands; what is made of so many stays in the processor's cache
_ONES = np.ones((SEATS, _CHUNK))
_HELD = np.array([[mask >> seat & 1 for mask in range(16)] for seat in range(SEATS)], np.uint8)
"""By seat and mask, whether the seat is in it."""


def _role_table() -> np.ndarray[Any, Any]:
    """By seat, the roles by ``(soloist + 1) * 20 + (partner + 1) * 4 + dealer``; last that of nobody."""
    table = np.full((100, SEATS + 1), ROLES.index("opponent"), np.int64)
    for dealer in range(SEATS):
        for partner in range(SEATS):
            table[(partner + 1) * 4 + dealer, partner] = ROLES.index("partner")
            table[(partner + 1) * 4 + dealer, dealer] = ROLES.index("dealer")
    for soloist in range(SEATS):
        table[(soloist + 1) * 20 : (soloist + 2) * 20] = ROLES.index("against soloist")
        table[(soloist + 1) * 20 : (soloist + 2) * 20, soloist] = ROLES.index("soloist")
    table[:, SEATS] = len(ROLES)
    return np.ascontiguousarray(table.T)


_ROLES_OF = _role_table()
_PLACE_STEPS = (len(ROLES) + 1) * np.arange(SEATS)[:, None]


def _way_table() -> np.ndarray[Any, Any]:
    """The place among the outcomes by ``verdict * 2 + the side of the first won``."""
    table = np.zeros((_VERDICTS, 2), np.int64)
    for way, ((verdict, *first_won), *_) in enumerate(_OUTCOMES):
        table[verdict, first_won[0] if first_won else slice(None)] = way
    return table.ravel()


_WAY_OF = _way_table()


class Estimate(NamedTuple):
    """A mean, its 95 % interval, and how many were counted in how many hands.

    ``mean`` is None if there was nothing to count, the bounds are None with fewer than ENOUGH hands.

    >>> Estimate(0.5, 0.4, 0.6, 200, 100).as_dict()
    {'mean': 0.5, 'low': 0.4, 'high': 0.6, 'number': 200, 'hands': 100}
    """

    mean: float | None
    low: float | None
    high: float | None
    number: int
    hands: int

    def as_dict(self) -> dict[str, Any]:
        """The fields by name."""
        return self._asdict()


class Outcome(NamedTuple):
    """One way for hands to end."""

    name: str
    words: str
    rule: str
    hands: int
    share: float
    low: float
    """The 95 % interval of the share."""
    high: float
    multiplier: float
    """The mean."""


class Frequency(NamedTuple):
    """How often something happens: in all, a hand, and the share of hands with any, with its interval."""

    number: int
    per_hand: float | None
    share: float | None
    low: float | None
    high: float | None


class Spread(NamedTuple):
    """What a histogram says of whole numbers; None if it is empty."""

    mean: float | None
    sd: float | None
    quantiles: tuple[int, ...] | None  # at QUANTILES


class _Payoffs:
    """Payoffs in groups of seats: what the means and the intervals by hand need.

    Sums of whole numbers in floats: exact up to 2**53, and never wrapped round.
    """

    def __init__(self, groups: int) -> None:
        self.hands = np.zeros(groups, np.int64)
        self.moments = np.zeros((5, groups))  # of n, s, s * s, s * n, n * n

    def add(self, number: np.ndarray[Any, Any], payoff: np.ndarray[Any, Any]) -> None:
        """For each group and hand the number of seats and the sum of their payoffs."""
        self.hands += np.count_nonzero(number, axis=1)
        self.moments += (
            number.sum(axis=1),
            payoff.sum(axis=1),
            np.einsum("gh,gh->g", payoff, payoff),
            np.einsum("gh,gh->g", payoff, number),
            np.einsum("gh,gh->g", number, number),
        )

    def merge(self, other: _Payoffs) -> None:
        self.hands += other.hands
        self.moments += other.moments

    def estimate(self, group: int) -> Estimate:
        number, total, squares, crossed, numbers = self.moments[:, group].tolist()
        hands = int(self.hands[group])
        if not hands:
            return Estimate(None, None, None, 0, 0)
        mean = total / number
        if hands < ENOUGH:
            return Estimate(mean, None, None, int(number), hands)
        # rounding may leave a little less than nothing where all payoffs are the same
        errors = max(squares - 2 * mean * crossed + mean * mean * numbers, 0.0)
        margin = Z95 * (errors * hands / (hands - 1)) ** 0.5 / number
        return Estimate(mean, mean - margin, mean + margin, int(number), hands)


class Summary:
    """What hands played under some rules have in common.

    >>> from dagong import DAYE
    >>> from dagong._bulk import play_hands
    >>> rows = np.zeros(1000, HAND_DTYPE)
    >>> play_hands(DAYE, ("greedy",) * 4, 1, 0, rows)
    >>> summary = Summary(DAYE)
    >>> summary.add(rows[:600])
    >>> rest = Summary(DAYE)
    >>> rest.add(rows[600:])
    >>> summary.merge(rest)
    >>> summary.hands
    1000
    >>> none, one = summary.by_jokers()[:2]
    >>> none.mean < one.mean
    True
    """

    def __init__(self, rules: Ruleset) -> None:
        self.rules = rules
        self.hands = 0
        self.payoffs: Counter[int] = Counter()
        """How many seats got what."""
        self.multipliers: Counter[tuple[int, int]] = Counter()
        """How many hands ended in what way with what multiplier."""
        self.points = np.zeros(201, np.int64)
        """How many dealer's sides had so many points when paid, in hands with partners."""
        self.lengths = {name: np.zeros(0, np.int64) for name in LENGTHS}
        self._numbers = {name: np.zeros(2, np.int64) for name in (*HOLDINGS.values(), *BOMBS)}
        self._jokers = _Payoffs(MOST_JOKERS + 1)
        self._quads = _Payoffs(MOST_QUADS + 1)
        self._roles = _Payoffs(len(ROLES))
        self._seats = _Payoffs(SEATS)
        self._dealer = _Payoffs(1)
        self._role_places = np.zeros((SEATS, len(ROLES) + 1), np.int64)
        # Histograms with the role in their numbers: points * roles + role, (bombs * 2 + won) * roles + role.
        # One is quicker than a sum for each figure.
        self._role_captured = np.zeros(0, np.int64)
        self._role_wins = np.zeros(0, np.int64)

    # Taking hands in

    def add(self, rows: np.ndarray[Any, Any]) -> None:
        """Take in hands, an array of ``HAND_DTYPE``.

        Raises ``ValueError`` for another array and for rows of hands that were not played.

        >>> from dagong import DAYE
        >>> Summary(DAYE).add(np.zeros(2, HAND_DTYPE))
        Traceback (most recent call last):
          ...
        ValueError: row 0 is of no hand that was played
        """
        if rows.dtype != HAND_DTYPE:
            raise ValueError(f"rows have dtype {rows.dtype}: expected HAND_DTYPE")
        rows = rows.reshape(-1)
        verdicts = np.ascontiguousarray(rows["verdict"])
        unknown = verdicts - np.uint8(1) >= _VERDICTS - 1  # 0 wraps round
        if unknown.any():
            raise ValueError(f"row {int(unknown.argmax())} is of no hand that was played")
        for start in range(0, len(rows), _CHUNK):
            self._add(rows[start : start + _CHUNK])

    def _add(self, rows: np.ndarray[Any, Any]) -> None:
        number = len(rows)
        self.hands += number
        hand = np.arange(number)
        dealer, soloist = rows["dealer"].astype(np.int64), rows["soloist"].astype(np.int64)
        partner, places = rows["partner"].astype(np.int64), _by_seat(rows, "places").astype(np.int64)
        payoffs = _by_seat(rows, "payoffs")
        paid = payoffs.astype(np.float64)
        _count(self.payoffs, payoffs.ravel())

        all_roles = _ROLES_OF.take((soloist + 1) * 20 + (partner + 1) * 4 + dealer, axis=1)
        roles = all_roles[:SEATS]
        for groups, of_seat in (
            (self._jokers, _by_seat(rows, "jokers")),
            (self._quads, _by_seat(rows, "quads")),
            (self._roles, roles),
        ):
            size = len(groups.hands)
            cell = (of_seat * np.int64(number) + hand).ravel()
            groups.add(
                np.bincount(cell, minlength=size * number).reshape(size, number).astype(np.float64),
                np.bincount(cell, paid.ravel(), size * number).reshape(size, number),
            )
        self._seats.add(_ONES[:SEATS, :number], paid)
        self._dealer.add(_ONES[:1, :number], paid[dealer, hand][None])

        won = _HELD.take(rows["winners"], axis=1)
        self._add_ends(rows, won[places[0], hand])
        captured = _by_seat(rows, "captured").astype(np.int64)
        played = np.zeros((SEATS, number), np.uint8)  # 27 cards make nine bombs at most
        for name, total in self._numbers.items():
            seats = _by_seat(rows, name)
            if not seats.any():
                continue
            total += (seats.sum(dtype=np.int64), np.count_nonzero(seats[0] | seats[1] | seats[2] | seats[3]))
            if name in BOMBS:
                played += seats
        size = len(ROLES)
        finished = all_roles.ravel().take(places * number + hand)  # -1, nobody, is the last row
        finished += _PLACE_STEPS
        cells = self._role_places.size
        self._role_places += np.bincount(finished.ravel(), minlength=cells).reshape(SEATS, -1)
        self._role_captured = _added(self._role_captured, np.bincount((captured * size + roles).ravel()))
        self._role_wins = _added(self._role_wins, np.bincount((roles + size * (played * 2 + won)).ravel()))

        points = _by_seat(rows, "points")
        of_side = points[dealer, hand].astype(np.int64) + points[partner, hand]
        self.points += np.bincount(of_side[soloist < 0], minlength=201)
        plays, passes = rows["plays"].astype(np.int64), rows["passes"].astype(np.int64)
        for name, lengths in zip(LENGTHS, (plays, passes, plays + passes), strict=True):
            self.lengths[name] = _added(self.lengths[name], np.bincount(lengths))

    def _add_ends(self, rows: np.ndarray[Any, Any], first_won: np.ndarray[Any, Any]) -> None:
        ways = _WAY_OF[rows["verdict"].astype(np.int64) * 2 + first_won]
        found: Counter[int] = Counter()
        _count(found, rows["multiplier"].astype(np.int64) * len(_OUTCOMES) + ways)
        for key, hands in found.items():
            multiplier, way = divmod(key, len(_OUTCOMES))
            self.multipliers[way, multiplier] += hands

    def merge(self, other: Summary) -> None:
        """Take in what another summary of the same rules has taken in.

        Raises ``ValueError`` if its rules are others.
        """
        if other.rules != self.rules:
            raise ValueError(f"hands under {other.rules} do not merge with hands under {self.rules}")
        self.hands += other.hands
        self.payoffs.update(other.payoffs)
        self.multipliers.update(other.multipliers)
        for name in LENGTHS:
            self.lengths[name] = _added(self.lengths[name], other.lengths[name])
        for name, total in self._numbers.items():
            total += other._numbers[name]
        self.points += other.points
        self._role_places += other._role_places
        self._role_captured = _added(self._role_captured, other._role_captured)
        self._role_wins = _added(self._role_wins, other._role_wins)
        for name in ("_jokers", "_quads", "_roles", "_seats", "_dealer"):
            getattr(self, name).merge(getattr(other, name))

    # What it tells

    def by_jokers(self) -> list[Estimate]:
        """What a seat gets by the number of jokers that it was dealt, 0 to 4."""
        return [self._jokers.estimate(jokers) for jokers in range(MOST_JOKERS + 1)]

    def by_quads(self) -> list[Estimate]:
        """What a seat gets by the number of ranks of which it was dealt four natural cards or more."""
        return [self._quads.estimate(quads) for quads in range(MOST_QUADS + 1)]

    def by_role(self) -> dict[str, Estimate]:
        """What a seat gets by its role; ``dealer`` is the dealer of a hand with partners."""
        return {role: self._roles.estimate(code) for code, role in enumerate(ROLES)}

    def by_seat(self) -> list[Estimate]:
        """What each seat gets."""
        return [self._seats.estimate(seat) for seat in range(SEATS)]

    def dealers_edge(self) -> Estimate:
        """What the seat that dealt gets, whoever plays solo."""
        return self._dealer.estimate(0)

    def role_figures(self) -> dict[str, dict[str, float | None]]:
        """By role: the share of wins, and means of points captured and bombs played."""
        captured, wins = _rows_by_role(self._role_captured), _rows_by_role(self._role_wins)
        bombs, won = np.divmod(np.arange(len(wins)), 2)
        figures = {
            "won": won @ wins,
            "captured": np.arange(len(captured)) @ captured,
            "bombs": bombs @ wins,
        }
        seats = self._roles.moments[0]
        return {
            role: {
                name: float(total[code] / seats[code]) if seats[code] else None
                for name, total in figures.items()
            }
            for code, role in enumerate(ROLES)
        }

    def places(self) -> dict[str, tuple[float, ...] | None]:
        """By role: the shares of first to last places, and of seats that had none when the hand was over.

        >>> from dagong import DAYE
        >>> Summary(DAYE).places()["dealer"] is None
        True
        """
        seats = self._roles.moments[0]
        found: dict[str, tuple[float, ...] | None] = {}
        for code, role in enumerate(ROLES):
            placed = self._role_places[:, code]
            numbers = (*placed.tolist(), seats[code] - placed.sum())
            found[role] = tuple(float(n / seats[code]) for n in numbers) if seats[code] else None
        return found

    def outcomes(self) -> list[Outcome]:
        """The ways in which hands ended, in a fixed order, without those that never came up."""
        found = []
        for way, (_, name, words, rules) in enumerate(_OUTCOMES):
            by_multiplier = {m: hands for (of, m), hands in self.multipliers.items() if of == way}
            hands = sum(by_multiplier.values())
            if hands:
                rule = rules[self.rules.scoring == "arch"]
                mean = sum(m * number for m, number in by_multiplier.items()) / hands
                bounds = wilson(hands, self.hands)
                found.append(Outcome(name, words, rule, hands, hands / self.hands, *bounds, mean))
        return found

    def multiplier_counts(self) -> dict[int, int]:
        """How many hands had which multiplier, in order."""
        counts: Counter[int] = Counter()
        for (_, multiplier), hands in self.multipliers.items():
            counts[multiplier] += hands
        return dict(sorted(counts.items()))

    def mean_multiplier(self) -> float | None:
        """None without hands."""
        if not self.hands:
            return None
        return sum(m * number for m, number in self.multiplier_counts().items()) / self.hands

    def solos(self) -> tuple[int, int]:
        """How many hands were played solo, and how many of them the soloist won."""
        soloist = ROLES.index("soloist")
        won = sum(hands for (way, _), hands in self.multipliers.items() if _OUTCOMES[way][1] == "solo_won")
        return int(self._roles.hands[soloist]), won

    def bonuses(self) -> dict[str, Frequency]:
        """The holdings that earn a bonus under the rules (R7.6), and the rolls played (R7.7)."""
        found = {name: self._frequency(HOLDINGS[name]) for name in self.rules.holding_bonuses}
        if self.rules.rolls != "none":
            found["roll"] = self._frequency("rolls")
        return found

    def bombs(self) -> dict[str, Frequency]:
        """The bombs played, by kind."""
        return {name: self._frequency(name) for name in BOMBS}

    def _frequency(self, field: str) -> Frequency:
        number, hands = self._numbers[field].tolist()
        if not self.hands:
            return Frequency(0, None, None, None, None)
        return Frequency(number, number / self.hands, hands / self.hands, *wilson(hands, self.hands))

    def captured(self) -> np.ndarray[Any, Any]:
        """How many seats captured how many points, in hands with partners."""
        seats = _rows_by_role(self._role_captured)[:, : ROLES.index("soloist")].sum(axis=1)
        return _added(np.zeros(201, np.int64), seats)

    def spreads(self) -> dict[str, Spread]:
        """Plays, passes and actions of a hand."""
        return {name: spread(counts) for name, counts in self.lengths.items()}

    def as_dict(self) -> dict[str, Any]:
        """All of it in plain values for JSON.

        >>> import json
        >>> from dagong import DAGUN
        >>> facts = Summary(DAGUN).as_dict()
        >>> facts["hands"], facts["dealers_edge"]["mean"], json.loads(json.dumps(facts)) == facts
        (0, None, True)
        """
        hands, won = self.solos()
        figures, places = self.role_figures(), self.places()
        return {
            "rules": str(self.rules),
            "hands": self.hands,
            "outcomes": [outcome._asdict() for outcome in self.outcomes()],
            "multiplier": {"mean": self.mean_multiplier(), "counts": _texts(self.multiplier_counts())},
            "bonuses": {name: found._asdict() for name, found in self.bonuses().items()},
            "bombs": {name: found._asdict() for name, found in self.bombs().items()},
            "payoffs": _texts(dict(sorted(self.payoffs.items()))),
            "by_jokers": [found.as_dict() for found in self.by_jokers()],
            "by_quads": [found.as_dict() for found in self.by_quads()],
            "by_role": {
                role: {**found.as_dict(), **figures[role], "places": list(places[role] or ())}
                for role, found in self.by_role().items()
            },
            "by_seat": [found.as_dict() for found in self.by_seat()],
            "dealers_edge": self.dealers_edge().as_dict(),
            "solo": {
                "hands": hands,
                "share": hands / self.hands if self.hands else None,
                "won": won,
                "success": won / hands if hands else None,
                "interval": list(wilson(won, hands)) if hands else None,
                "payoff": self.by_role()["soloist"].as_dict(),
            },
            "length": {
                name: {
                    "mean": found.mean,
                    "sd": found.sd,
                    "quantiles": _texts(dict(zip(QUANTILES, found.quantiles or (), strict=False))),
                    "counts": self.lengths[name].tolist(),
                }
                for name, found in self.spreads().items()
            },
            "points": {"of_dealers_side": _steps(self.points), "captured_by_seat": _steps(self.captured())},
        }


def spread(counts: np.ndarray[Any, Any]) -> Spread:
    """Mean, standard deviation and quantiles of whole numbers from how often each comes up.

    >>> spread(np.array([0, 1, 2, 1]))
    Spread(mean=2.0, sd=0.816496580927726, quantiles=(1, 1, 2, 2, 3))
    """
    number = int(counts.sum())
    if not number:
        return Spread(None, None, None)
    values = np.arange(len(counts), dtype=np.float64)
    mean = float(values @ counts / number)
    variance = float((values - mean) ** 2 @ counts / max(number - 1, 1))
    # the smallest value that so many in a hundred do not exceed, in whole numbers to be exact
    running = counts.cumsum()
    below = [int(np.searchsorted(running, -(-number * percent // 100))) for percent in QUANTILES]
    return Spread(mean, variance**0.5, tuple(below))


def wilson(won: int, number: int) -> tuple[float, float]:
    """The 95 % interval of a share, which stays in its bounds even if nothing or all was won.

    >>> tuple(round(bound, 3) for bound in wilson(8, 10))
    (0.49, 0.943)
    """
    share, z = won / number, Z95 * Z95 / number
    middle = (share + z / 2) / (1 + z)
    margin = (share * (1 - share) * z + z * z / 4) ** 0.5 / (1 + z)
    return max(middle - margin, 0.0), min(middle + margin, 1.0)


def _by_seat(rows: np.ndarray[Any, Any], name: str) -> np.ndarray[Any, Any]:
    """A field of four, by seat and then by hand: NumPy is at its best along long rows."""
    return np.ascontiguousarray(rows[name].T)


def _count(counter: Counter[int], values: np.ndarray[Any, Any]) -> None:
    lowest = int(values.min())
    counts = np.bincount(values - np.int64(lowest))
    for value in counts.nonzero()[0].tolist():
        counter[value + lowest] += int(counts[value])


def _added(counts: np.ndarray[Any, Any], more: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The sum of two histograms, which may differ in length."""
    if len(counts) < len(more):
        counts, more = more, counts
    counts = counts.copy()
    counts[: len(more)] += more
    return counts


def _rows_by_role(counts: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """A histogram that has the role in its numbers as one with a column for each role."""
    size = len(ROLES)
    return np.pad(counts, (0, -len(counts) % size)).reshape(-1, size)


def _steps(counts: np.ndarray[Any, Any]) -> dict[str, int]:
    """Points come in fives; others would be an error, and are shown."""
    return {str(points): int(n) for points, n in enumerate(counts) if n or points % 5 == 0}


def _texts(numbers: Mapping[int, int]) -> dict[str, int]:
    """Keys of JSON are texts."""
    return {str(key): value for key, value in numbers.items()}
