"""A summary of many hands, printed."""

from __future__ import annotations

from collections.abc import Sequence

from rich import box
from rich.columns import Columns
from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from dagong import tables
from dagong.summary import Summary

# Which tables stand side by side; the widest pair fits 100 columns.
_SIDE_BY_SIDE = (
    ("endings",), ("multipliers", "lengths"), ("roles",), ("places",), ("jokers", "quads"),
    ("bonuses", "bombs"), ("seats", "solos"),
)


def print_summary(console: Console, summary: Summary, policies: Sequence[str] = ()) -> None:
    """Print what a summary tells, with the policies by seat if they are given.

    >>> from dagong import DAYE
    >>> print_summary(Console(), Summary(DAYE))
    0 hands under DAYE
    no hands
    """
    head = Text.assemble((f"{summary.hands:,} hands", "bold"), f" under {summary.rules}")
    parts: list[RenderableType] = [head, Text(tables.headline(summary))]
    found = tables.tables(summary, policies)
    for names in _SIDE_BY_SIDE:
        row = [_drawn(found[name]) for name in names if name in found]
        if row:
            parts.append(Columns(row, padding=(0, 4)))
    if found:
        parts.append(Text(tables.NOTE, style="dim"))
    console.print(Group(*parts), highlight=False)


def _drawn(data: tables.Table) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0), header_style="bold cyan")
    for place, title in enumerate(data.head):
        table.add_column(title, justify="left" if place < data.words else "right", no_wrap=True)
    for row in data.rows:
        table.add_row(*row)
    return table
