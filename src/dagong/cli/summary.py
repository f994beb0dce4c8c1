"""A summary of many hands as tables."""

from __future__ import annotations

from collections.abc import Sequence

from rich import box
from rich.columns import Columns
from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from dagong.summary import QUANTILES, Estimate, Summary, wilson

Row = tuple[str, ...]

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


def print_summary(console: Console, summary: Summary) -> None:
    """Print what a summary tells.

    >>> from dagong import DAYE
    >>> print_summary(Console(), Summary(DAYE))
    DAYE: no hands
    """
    if not summary.hands:
        console.print(f"{summary.rules}: no hands", highlight=False)
        return
    edge, (solos, _) = summary.dealers_edge(), summary.solos()
    head = Text.assemble((f"{summary.hands:,} hands", "bold"), f" under {summary.rules}")
    facts = Text(
        f"mean multiplier {number(summary.mean_multiplier())} · dealer's edge {interval(edge)} a hand"
        f" · solos {percent(solos / summary.hands)}"
    )
    note = Text(
        "Payoffs are in stakes a seat and hand, ± the 95 % interval, for which a hand counts as one"
        " observation; – where there is too little to tell.",
        style="dim",
    )
    console.print(Group(head, facts, Text(), *_tables(summary), note), highlight=False)


def _tables(summary: Summary) -> list[RenderableType]:
    multipliers = _shares("Multiplier", summary.multiplier_counts(), summary.hands)
    blocks: list[RenderableType] = [
        _table(("How hands end", "rule", "hands", "share", "mean ×"), outcome_rows(summary), words=2),
        Columns([multipliers, _table(length_head(), length_rows(summary))], padding=(0, 4)),
        _table(role_head(), role_rows(summary)),
        Columns(
            [
                _table(("Jokers dealt", "seats", "payoff"), dealt_rows(summary.by_jokers())),
                _table(("Ranks with 4+ dealt", "seats", "payoff"), dealt_rows(summary.by_quads())),
            ],
            padding=(0, 4),
        ),
        Columns(
            [
                _table(("Bonus", "number", "hands with"), frequency_rows(summary, "bonuses")),
                _table(("Bombs played", "a hand", "hands with"), frequency_rows(summary, "bombs")),
            ],
            padding=(0, 4),
        ),
        Columns(
            [
                _table(("Seat", "payoff"), seat_rows(summary)),
                _table(("Solos", ""), solo_rows(summary)),
            ],
            padding=(0, 4),
        ),
    ]
    if not summary.bonuses():
        blocks[4] = _table(("Bombs played", "a hand", "hands with"), frequency_rows(summary, "bombs"))
    return blocks


def _table(head: Row, rows: Sequence[Row], words: int = 1) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold cyan")
    for place, title in enumerate(head):
        table.add_column(title, justify="left" if place < words else "right", no_wrap=True)
    for row in rows:
        table.add_row(*row)
    return table


def _shares(title: str, counts: dict[int, int], hands: int) -> Table:
    rows = [(f"×{key}", f"{n:,}", percent(n / hands), bar(n / hands)) for key, n in counts.items()]
    table = _table((title, "hands", "share", ""), rows)
    table.columns[3].justify = "left"
    return table


# What the tables hold; the report shows the same


def outcome_rows(summary: Summary) -> list[Row]:
    """How hands end: words, rule, hands, share, mean multiplier."""
    return [
        (end.words, end.rule, f"{end.hands:,}", percent(end.share), number(end.multiplier))
        for end in summary.outcomes()
    ]


def role_head() -> Row:
    """The columns of ``role_rows``."""
    return ("Role", "seats", "payoff", "wins", "first out", "captured", "bombs")


def role_rows(summary: Summary) -> list[Row]:
    """A line for each role that somebody had."""
    figures = summary.role_figures()
    return [
        (
            ROLE_NAMES[role],
            f"{found.number:,}",
            interval(found),
            percent(figures[role]["won"]),
            percent(figures[role]["first"]),
            number(figures[role]["captured"], 1),
            number(figures[role]["bombs"]),
        )
        for role, found in summary.by_role().items()
        if found.number
    ]


def dealt_rows(estimates: Sequence[Estimate]) -> list[Row]:
    """What seats get by how many of something they were dealt."""
    return [
        (str(dealt), f"{found.number:,}", interval(found))
        for dealt, found in enumerate(estimates)
        if found.number
    ]


def seat_rows(summary: Summary) -> list[Row]:
    """What each seat gets."""
    return [(str(seat), interval(found)) for seat, found in enumerate(summary.by_seat())]


def length_head() -> Row:
    """The columns of ``length_rows``."""
    return ("Length", "mean", "sd", *(f"{percent}%" for percent in QUANTILES))


def length_rows(summary: Summary) -> list[Row]:
    """Plays, passes and actions of a hand."""
    return [
        (name, number(found.mean, 1), number(found.sd, 1), *map(str, found.quantiles or ()))
        for name, found in summary.spreads().items()
    ]


def frequency_rows(summary: Summary, which: str) -> list[Row]:
    """Bonuses, with their number, or bombs, with their number a hand."""
    if which == "bonuses":
        return [
            (BONUS_NAMES[name], f"{found.number:,}", percent(found.share))
            for name, found in summary.bonuses().items()
        ]
    return [
        (BOMB_NAMES[name], number(found.per_hand), percent(found.share))
        for name, found in summary.bombs().items()
        if found.number
    ]


def solo_rows(summary: Summary) -> list[Row]:
    """How often, with what success and for what payoff hands are played solo."""
    solos, won = summary.solos()
    rows: list[Row] = [("hands", f"{solos:,}"), ("share of all", percent(solos / max(summary.hands, 1)))]
    if solos:
        low, high = wilson(won, solos)
        rows.append(("won", f"{percent(won / solos)} ({percent(low)} to {percent(high)})"))
        rows.append(("soloist's payoff", interval(summary.by_role()["soloist"])))
    return rows


# Numbers as text


def number(value: float | None, digits: int = 2) -> str:
    """A number with so many digits behind the point.

    >>> number(1.666), number(None)
    ('1.67', '–')
    """
    return "–" if value is None else f"{value:.{digits}f}"


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


def interval(found: Estimate) -> str:
    """A mean with its interval, in as many digits as the interval allows.

    >>> interval(Estimate(0.5, 0.4, 0.6, 200, 100)), interval(Estimate(1.0, None, None, 5, 5))
    ('+0.50 ±0.10', '+1.00 ±–')
    """
    if found.mean is None:
        return "–"
    if found.high is None:
        return f"{found.mean:+.2f} ±–"
    margin = found.high - found.mean
    digits = 3 if margin < 0.095 else 2 if margin < 0.95 else 1
    return f"{found.mean:+.{digits}f} ±{margin:.{digits}f}"


def bar(share: float, width: int = 12) -> str:
    """A share as a bar of text.

    >>> bar(0.5, 4)
    '██'
    """
    return "█" * round(share * width)
