"""``dagong plays``: the legal plays of a hand."""

from __future__ import annotations

import click
from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from dagong import Detail, Hand, Kind, Plays, Ruleset
from dagong.cli.common import (
    BATCH,
    WholeNumber,
    answer_each,
    card_text,
    hand_options,
    play_text,
    rules_options,
    write_json,
)

DEFAULT_LIMIT = 50

_NAMES = {kind: f"{kind.label} {kind.chinese}" for kind in Kind}
_NAME_WIDTH = max(map(cell_len, _NAMES.values()))
_NUMBER_WIDTH = 11
_INDENT = " " * (_NAME_WIDTH + _NUMBER_WIDTH + 2)


@click.command()
@hand_options
@rules_options
@click.option("--to-beat", metavar="PLAY", help='Only plays that beat this one, such as "2H 2S as pair 2".')
@click.option(
    "--detail", type=click.Choice([detail.name.lower() for detail in Detail], case_sensitive=False),
    default="ranks", show_default=True,
    help="When two plays count as one: alike but for suits (ranks); but for suits other than those of 5, 10 "
    "and K (strategic); never (cards).",
)
@click.option("--called", metavar="CARD", help="The called card, which is then spent last (R5.3).")
@click.option("--count", "only_count", is_flag=True, help="Only how many of each kind.")
@click.option(
    "--limit", type=WholeNumber(min=0), metavar="N",
    help=f"Show the first N plays of each kind, {DEFAULT_LIMIT} unless told; 0 shows all. "
    "For the table only: JSON has them all.",
)
def plays(
    cards: tuple[str, ...],
    file: str | None,
    as_json: bool,
    rules: Ruleset,
    to_beat: str | None,
    detail: str,
    called: str | None,
    only_count: bool,
    limit: int | None,
) -> None:
    """List the legal plays of HAND, grouped by kind.

    Without a hand they come from --file or standard input, one a line, and the answers are JSON lines.
    Blank lines and comments from # on are skipped.

    \b
    dagong plays "3S 3H 4D XB" --rules xianning
    dagong plays "3S 3H 4D XB" --rules xianning --to-beat "2H 2S as pair 2"
    dagong plays "3S 3H 4D XB" --rules dagun --set rolls=hard --detail cards --count
    dagong plays --file hands.txt --rules daye --count
    """
    if limit is not None and (as_json or not cards):
        raise click.UsageError("--limit is for the table: JSON lists every play")
    beaten = None if to_beat is None else play_text(rules, to_beat, "--to-beat")
    called_card = None if called is None else card_text(called, "--called")
    found_detail = Detail[detail.upper()]

    def answer(hand: Hand, line: int | None, as_json: bool) -> None:
        found = rules.legal_plays(hand, beaten, detail=found_detail, called=called_card)
        groups = {kind: found.of_kind(kind) for kind in Kind}
        if not as_json:
            print_table(found, groups, rules, -1 if only_count else DEFAULT_LIMIT if limit is None else limit)
            return
        record = {
            "hand": str(hand),
            "rules": str(rules),
            "detail": detail.lower(),
            "to_beat": None if beaten is None else str(beaten),
            "called": None if called_card is None else str(called_card),
            "count": len(found),
            "counts": {kind.label: len(group) for kind, group in groups.items()},
        }
        write_json(record, rules, None if only_count else found, line)

    answer_each(cards, file, as_json, answer)


def print_table(found: Plays, groups: dict[Kind, Plays], rules: Ruleset, limit: int) -> None:
    """Show the plays to a person, the first ``limit`` of each kind; 0 is all, -1 none but their number."""
    console = Console(highlight=False, markup=False, emoji=False, soft_wrap=True)

    def row(name: str, number: str, text: str, style: str) -> None:
        padding = " " * (_NAME_WIDTH - cell_len(name))
        line = Text.assemble((name + padding, style), (f"{number:>{_NUMBER_WIDTH}}", style), "  ", text)
        line.rstrip()
        console.print(line)

    row("kind", "number", "" if limit < 0 else "plays", "dim")
    for kind, group in groups.items():
        if not group:
            continue
        shown = group if limit == 0 else group[: max(limit, 0)]
        row(_NAMES[kind], f"{len(group):,}", str(shown[0]) if shown else "", "bold")
        for start in range(1, len(shown), BATCH):
            click.echo("\n".join(f"{_INDENT}{play}" for play in shown[start : start + BATCH]))
        if shown and len(group) > len(shown):
            click.echo(f"{_INDENT}and {len(group) - len(shown):,} more: --limit 0 shows all")
    beating = "" if found.to_beat is None else f" that beat {found.to_beat}"
    called = "" if found.called is None else f", called {found.called}"
    asked = f"in {str(found.hand) or 'an empty hand'}{beating} under {rules}"
    row("total", f"{len(found):,}", f"{asked}, detail {found.detail.name.lower()}{called}", "bold")
