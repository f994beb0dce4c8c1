"""A summary as tables of text, for the terminal and for the report."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from dagong.summary import QUANTILES, Estimate, Summary, wilson

Row = tuple[str, ...]

NOTE = (
    "Payoffs are in stakes a seat and hand, bonuses included. ± gives the 95 % interval, for which a hand"
    " counts as one observation; it is left out with fewer than 30 hands."
)

PLACES = ("first", "second", "third", "last", "none")
"""A hand that is over before all have their places leaves some seats without (R6.6)."""
ROLE_NAMES = {
    "dealer": "dealer",
    "partner": "partner",
    "opponent": "their opponents",
    "soloist": "soloist",
    "against soloist": "against a soloist",
}
BONUS_NAMES = {
    "sky": "four jokers (R7.6)",
    "eight": "eight of a rank (R7.6)",
    "seven": "seven of a rank (R7.6)",
    "four_510k": "four 510Ks (R7.6)",
    "roll": "roll played (R7.7)",
}
BOMB_NAMES = {
    "five_ten_kings": "510K (R3.8)",
    "bombs": "bomb of a rank (R3.7)",
    "rolls": "roll (R3.10)",
    "sky_bombs": "sky bomb (R3.9)",
}


class Table(NamedTuple):
    """A title for each column, and rows; the first ``words`` columns are words, the others numbers."""

    head: Row
    rows: list[Row]
    words: int = 1


def headline(summary: Summary) -> str:
    """The most telling figures in a line.

    >>> from dagong import DAYE
    >>> headline(Summary(DAYE))
    'no hands'
    """
    if not summary.hands:
        return "no hands"
    return (
        f"mean multiplier {number(summary.mean_multiplier())} · dealer's edge"
        f" {interval(summary.dealers_edge())} a hand · solos {percent(summary.solos()[0] / summary.hands)}"
    )


def tables(summary: Summary, policies: Sequence[str] = ()) -> dict[str, Table]:
    """All tables that have something to tell, by name, in the order to show them.

    ``policies``, by seat, are told if given.

    >>> from dagong import DAYE
    >>> list(tables(Summary(DAYE)))
    []
    """
    if not summary.hands:
        return {}
    found = {
        "endings": Table(
            ("How hands end", "rule", "hands", "share", "95 %", "mean ×"), _outcome_rows(summary), 2
        ),
        "multipliers": Table(("Multiplier", "hands", "share"), _multiplier_rows(summary)),
        "lengths": Table(("Length", "mean", "sd", *(f"{p}%" for p in QUANTILES)), _length_rows(summary)),
        "roles": Table(("Role", "seats", "payoff", "wins", "captured", "bombs"), _role_rows(summary)),
        "places": Table(("Places", *PLACES), _place_rows(summary)),
        "jokers": Table(("Jokers dealt", "seats", "payoff"), _dealt_rows(summary.by_jokers())),
        "quads": Table(("Ranks with 4+ dealt", "seats", "payoff"), _dealt_rows(summary.by_quads())),
        "bonuses": Table(("Bonus", "number", "hands with", "95 %"), _bonus_rows(summary)),
        "bombs": Table(("Bombs played", "a hand", "hands with"), _bomb_rows(summary)),
        "seats": Table(("Seat", "payoff"), _seat_rows(summary, policies)),
        "solos": Table(("Solos", ""), _solo_rows(summary)),
    }
    return {name: table for name, table in found.items() if table.rows}


def _outcome_rows(summary: Summary) -> list[Row]:
    return [
        (
            end.words, end.rule, f"{end.hands:,}", percent(end.share), percents(end.low, end.high),
            number(end.multiplier),
        )
        for end in summary.outcomes()
    ]


def _role_rows(summary: Summary) -> list[Row]:
    figures = summary.role_figures()
    return [
        (
            ROLE_NAMES[role],
            f"{found.number:,}",
            interval(found),
            percent(figures[role]["won"]),
            number(figures[role]["captured"], 1),
            number(figures[role]["bombs"]),
        )
        for role, found in summary.by_role().items()
        if found.number
    ]


def _place_rows(summary: Summary) -> list[Row]:
    return [
        (ROLE_NAMES[role], *(percent(share) for share in shares))
        for role, shares in summary.places().items()
        if shares
    ]


def _dealt_rows(estimates: Sequence[Estimate]) -> list[Row]:
    """What seats get by how many of something they were dealt."""
    return [
        (str(dealt), f"{found.number:,}", interval(found))
        for dealt, found in enumerate(estimates)
        if found.number
    ]


def _seat_rows(summary: Summary, policies: Sequence[str]) -> list[Row]:
    return [(seat_name(seat, policies), interval(found)) for seat, found in enumerate(summary.by_seat())]


def _length_rows(summary: Summary) -> list[Row]:
    return [
        (name, number(found.mean, 1), number(found.sd, 1), *map(str, found.quantiles or ()))
        for name, found in summary.spreads().items()
    ]


def _multiplier_rows(summary: Summary) -> list[Row]:
    counts = summary.multiplier_counts().items()
    return [(f"×{multiplier}", f"{n:,}", percent(n / summary.hands)) for multiplier, n in counts]


def _bonus_rows(summary: Summary) -> list[Row]:
    return [
        (BONUS_NAMES[name], f"{found.number:,}", percent(found.share), percents(found.low, found.high))
        for name, found in summary.bonuses().items()
    ]


def _bomb_rows(summary: Summary) -> list[Row]:
    return [
        (BOMB_NAMES[name], number(found.per_hand), percent(found.share))
        for name, found in summary.bombs().items()
        if found.number
    ]


def _solo_rows(summary: Summary) -> list[Row]:
    """How often, with what success and for what payoff hands are played solo."""
    solos, won = summary.solos()
    rows: list[Row] = [("hands", f"{solos:,}"), ("share of all", percent(solos / max(summary.hands, 1)))]
    if solos:
        low, high = wilson(won, solos)
        rows.append(("won", f"{percent(won / solos)} ({percents(low, high)})"))
        rows.append(("soloist's payoff", interval(summary.by_role()["soloist"])))
    return rows


def seat_name(seat: int, policies: Sequence[str]) -> str:
    """A seat with its policy, if that is known.

    >>> seat_name(1, ("greedy", "random", "greedy", "random")), seat_name(1, ())
    ('1 random', '1')
    """
    return f"{seat} {policies[seat]}" if policies else str(seat)


# Numbers as text


def number(value: float | None, digits: int = 2) -> str:
    """A number with so many digits behind the point.

    >>> number(1.666), number(0.0003), number(None)
    ('1.67', '<0.01', '–')
    """
    if value is None:
        return "–"
    least = 10.0**-digits
    return f"<{least:.{digits}f}" if 0 < value < least / 2 else f"{value:.{digits}f}"


def percent(share: float | None) -> str:
    """A share in percent, with more digits if it is small.

    >>> percent(0.3865), percent(0.00285), percent(0)
    ('38.6 %', '0.29 %', '0 %')
    """
    if share is None:
        return "–"
    if not share:
        return "0 %"
    return f"{100 * share:.{1 if share >= 0.01 else 2}f} %" if share >= 0.00005 else "<0.01 %"


def percents(low: float | None, high: float | None) -> str:
    """The bounds of a share in percent, with more digits if they are close.

    >>> percents(0.385, 0.389), percents(0.00281, 0.00297), percents(None, None)
    ('38.5–38.9 %', '0.28–0.30 %', '–')
    """
    if low is None or high is None:
        return "–"
    digits = 1 if high - low >= 0.0015 else 2
    return f"{100 * low:.{digits}f}–{100 * high:.{digits}f} %"


def interval(found: Estimate) -> str:
    """A mean with its interval, in as many digits as the interval allows.

    >>> interval(Estimate(0.5, 0.4, 0.6, 200, 100)), interval(Estimate(-1.0, None, None, 5, 5))
    ('+0.50 ±0.10', '−1.00')
    """
    if found.mean is None:
        return "–"
    if found.high is None:
        return signed(found.mean, 2)
    margin = found.high - found.mean
    digits = 3 if margin < 0.095 else 2 if margin < 0.95 else 1
    return f"{signed(found.mean, digits)} ±{margin:.{digits}f}"


def signed(value: float, digits: int) -> str:
    """A number with its sign.

    >>> signed(-0.531, 2), signed(0, 0)
    ('−0.53', '0')
    """
    text = f"{value:+.{digits}f}".replace("-", "−")
    return text if text.strip("+−0.") else text[1:]
