"""``dagong bench``: how fast the library is on this machine."""

from __future__ import annotations

import json
import math

import click
from rich import box
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from dagong import benchmark, corpus
from dagong.benchmark_hands import FIGURES, FINGERPRINT_HANDS
from dagong.rules import PRESETS

WIDTH = 120  # what the table needs, with room to spare; in a narrower terminal its cells wrap

_SHORT = {
    corpus.LEADS: "leads",
    **{name: name.removeprefix("leads with ") for name in corpus.LEADS_BY_JOKERS},
    corpus.FOLLOWS: "follows",
    corpus.ENDINGS: "endings",
}


@click.command("bench")
@click.option(
    "--rules", "names", multiple=True, metavar="NAME", type=click.Choice(list(PRESETS), case_sensitive=False),
    help="A rule set to measure; may be given more than once. All of them by default.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")
@click.option("--quick", is_flag=True, help="Measure for a second only: rough figures.")
@click.option(
    "--seconds", type=click.FloatRange(min=0, max=86400, min_open=True), metavar="S",
    help=f"How long to measure: {benchmark.SECONDS:g} by default, and about three more to prepare.",
)
def bench(names: tuple[str, ...], as_json: bool, quick: bool, seconds: float | None) -> None:
    """Measure how fast plays are listed, counted and compared on a fixed corpus of positions.

    Each figure is the median of several rounds, with their spread behind it.

    \b
    dagong bench --quick
    dagong bench --rules xianning --json
    """
    if seconds is not None and math.isnan(seconds):
        raise click.BadParameter("nan is no number of seconds", param_hint="--seconds")
    rulesets = {name: PRESETS[name] for name in PRESETS if not names or name in names}
    if seconds is None:
        seconds = benchmark.QUICK_SECONDS if quick else benchmark.SECONDS
    rounds = benchmark.QUICK_ROUNDS if quick else benchmark.ROUNDS
    with Progress(console=Console(stderr=True), transient=True) as progress:
        bar = progress.add_task("measuring", total=1.0)
        report = benchmark.measure(
            rulesets, seconds=seconds, rounds=rounds, tick=lambda done: progress.update(bar, completed=done)
        )
    if as_json:
        click.echo(json.dumps(report.as_dict(), indent=2, ensure_ascii=False))
    else:
        print_report(report, list(rulesets))


def print_report(report: benchmark.Report, names: list[str]) -> None:
    """The header, the table, and what the store limit is."""
    console = Console(highlight=False)
    if not console.is_terminal:
        console.width = WIDTH
    about, core = report.environment, report.environment["core"]
    console.print(
        f"dagong {about['dagong']} · {about['python']} ({about['python_compiler']}) · core: "
        f"{core['compiler']}, {'optimised' if core['optimised'] else 'not optimised'}, {core['vectors']}"
        f"{', CHECKED BUILD' if core['checked'] else ''} · {about['cpu']}"
    )
    if about["cflags"]:
        console.print(f"CFLAGS: {about['cflags']}")
    console.print(f"fingerprint of {', '.join(names)}: {report.fingerprint}")
    console.print(table_of(report, names))
    console.print(
        f"fingerprint of {FINGERPRINT_HANDS:,} random and as many greedy hands of each: "
        f"{report.hands_fingerprint}"
    )
    console.print(hands_table(report, names))
    console.print(
        f"16-byte rows stored: {_measured(report.store, 1e-9)} G/s in cache (the store limit), "
        f"{_measured(report.memory_store, 1e-9)} G/s in memory. Medians of {report.rounds} rounds, "
        f"± half the distance of their quartiles; {about['clock']} time."
    )


def table_of(report: benchmark.Report, names: list[str]) -> Table:
    """A column a section, a line a figure, the rule sets one below the other."""
    parts = {(part.rules, part.section): part for part in report.sections}
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column("", no_wrap=True)
    for section in corpus.SECTIONS:
        table.add_column(_SHORT[section], justify="right")
    for name in names:
        of_rules = [parts[name, section] for section in corpus.SECTIONS]
        table.add_row(f"[bold]{name}[/bold]")
        table.add_row("plays a call", *(_number(part.plays_per_call) for part in of_rules))
        for figure in benchmark.FIGURES:
            cells = [_measured(part.figures[figure.name], figure.scale, figure.unit) for part in of_rules]
            table.add_row(figure.title, *cells, end_section=figure is benchmark.FIGURES[-1])
    return table


def hands_table(report: benchmark.Report, names: list[str]) -> Table:
    """A column a rule set, a line a figure of whole hands."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column("hands", no_wrap=True)
    for name in names:
        table.add_column(name, justify="right")
    for figure, title in FIGURES:
        values = [report.hands[name][figure] for name in names]
        many = f" ({report.workers})" if figure.startswith("all_workers") else ""
        table.add_row(
            title + many, *(f"{value.median:,.0f} ±{100 * value.spread:.0f}%" for value in values)
        )
    return table


def _measured(value: benchmark.Measured, scale: float, unit: str = "") -> str:
    return f"{_number(value.median * scale)}{unit} ±{100 * value.spread:.0f}%"


def _number(value: float) -> str:
    """Three digits."""
    size = abs(value)
    return f"{value:.{0 if size >= 99.5 else 1 if size >= 9.95 else 2}f}"
