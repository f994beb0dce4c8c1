"""A data set of hands as one page to read: plots, tables, and what was played.

The page needs nothing but itself: its plots are drawn with matplotlib (the extra ``report``) and stand in
it as SVG. The same data set gives the same bytes with the same versions of the libraries.
"""

from __future__ import annotations

import html
import io
import os
import re
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from dagong.dataset import Settings, iter_rows, read_settings
from dagong.summary import ENOUGH, LENGTHS, Estimate, Summary, wilson
from dagong.tables import (
    NOTE,
    PLACES,
    ROLE_NAMES,
    Row,
    Table,
    interval,
    number,
    percent,
    percents,
    seat_name,
    signed,
    tables,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas

# matplotlib draws in these, and the page replaces them by the reader's colours, light or dark. They are of
# Okabe and Ito's palette, whose colours differ for the colour-blind too; shapes and labels tell the same.
INK, FAINT, CARD, FIRST, SECOND, THIRD = "#101112", "#a0a1a2", "#f6f7f8", "#0072b2", "#d55e00", "#009e73"
WIDTH = 4.6  # inches: text is then readable on a phone and not too large elsewhere
TALL = 6.5  # as high as two plots, one below the other, and what is between them
_VARIABLES = {INK: "ink", FAINT: "faint", CARD: "card", FIRST: "first", SECOND: "second", THIRD: "third"}
_STYLE = """
:root { color-scheme: light dark; --page: #fff; --ink: #1b1f24; --soft: #57606a; --faint: #d5dae0;
  --card: #f6f8fa; --first: #0072b2; --second: #d55e00; --third: #009e73; }
@media (prefers-color-scheme: dark) { :root { --page: #14171b; --ink: #e8eaed; --soft: #a5adb6;
  --faint: #3a414a; --card: #1c2026; --first: #56b4e9; --second: #f0903c; --third: #2fcf9f; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 76rem; padding: 1.5rem 1rem 3rem; background: var(--page);
  color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; }
h1 { font-size: 1.8rem; line-height: 1.2; margin: 0 0 .3rem; }
h2 { font-size: 1.3rem; margin: 2.2rem 0 .6rem; }
h3 { font-size: 1.05rem; margin: 0 0 .1rem; }
p { margin: .3rem 0; max-width: 48rem; }
.soft, figcaption { color: var(--soft); font-size: .92rem; }
.key { display: grid; grid-template-columns: repeat(auto-fit, minmax(9.5rem, 1fr)); gap: .7rem;
  margin: 1rem 0; }
.key div { background: var(--card); border-radius: .5rem; padding: .6rem .8rem; }
.key b { display: block; font-size: 1.35rem; line-height: 1.3; }
.key span { color: var(--soft); font-size: .88rem; }
.grid { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 27rem), 1fr)); }
.tall { grid-row: span 2; }
figure, .box { margin: 0; background: var(--card); border-radius: .5rem; padding: .9rem; min-width: 0; }
figure svg { display: block; width: 100%; height: auto; margin-top: .4rem; }
.box { overflow-x: auto; }
.packed { columns: 2 27rem; column-gap: 1rem; }
.packed .box { break-inside: avoid; margin-bottom: 1rem; }
.packed .endings { column-span: all; }
table { border-collapse: collapse; font-size: .88rem; font-variant-numeric: tabular-nums; width: 100%; }
th, td { padding: .22rem .7rem .22rem 0; text-align: right; border-bottom: 1px solid var(--faint);
  white-space: nowrap; }
th:last-child, td:last-child { padding-right: 0; }
th { color: var(--soft); font-weight: 600; }
tbody th { color: inherit; font-weight: inherit; }
tr:last-child > * { border-bottom: 0; }
thead th { border-bottom: 1px solid var(--faint) !important; }
.word { text-align: left; white-space: normal; }
.word:first-child { width: 60%; }
@media (max-width: 30rem) { table { font-size: .78rem; } th, td { padding-right: .45rem; }
  .word:first-child { min-width: 4.6rem; } figure, .box { padding: .7rem; }
  .endings table, .roles table { display: grid; grid-template-columns: repeat(5, auto); }
  :is(.endings, .roles) :is(thead, tbody, tr) { display: contents; }
  :is(.endings, .roles) tr > :first-child { grid-column: 1 / -1; width: auto; border: 0 !important;
    padding-bottom: 0; } }
"""


class Figure(NamedTuple):
    """A plot: its title, what to see in it, the same for who cannot see it, and how to draw it."""

    title: str
    caption: str
    alt: str
    draw: Callable[[Canvas], None]
    height: float = 2.9


def write_report(directory: str | os.PathLike[str], path: str | os.PathLike[str]) -> None:
    """Write the page of a data set to a file.

    Raises ``ImportError``, naming what to install, without the extra ``report``, and the errors of
    ``dagong.dataset.iter_rows`` for a folder that holds no data set or an incomplete one.
    """
    require_matplotlib()
    settings = read_settings(directory)
    summary = Summary(settings.rules)
    for rows in iter_rows(directory):
        summary.add(rows)
    text = page(summary, settings)  # first, so that an error leaves no half of a file
    with open(path, "w", encoding="utf-8", newline="\n") as stream:
        stream.write(text)


def require_matplotlib() -> None:
    """Raise an ``ImportError`` that says what to install, if it is missing."""
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise ImportError("a report needs matplotlib: pip install 'dagong[report]'") from None


def page(summary: Summary, settings: Settings) -> str:
    """The whole page."""
    title = f"{summary.hands:,} hands of Dagong under {summary.rules}"
    shown = tables(summary, settings.policies)
    body = [
        f"<h1>{_text(title)}</h1>",
        f'<p class="soft">{_text(_played_by(settings))}</p>',
        _key_figures(summary),
        "<h2>What hands pay</h2>",
        _grid(_drawn(figure, name) for name, figure in pay_figures(summary, settings.policies).items()),
        "<h2>How hands go</h2>",
        _grid(_drawn(figure, name) for name, figure in course_figures(summary).items()),
        "<h2>In numbers</h2>",
        f'<p class="soft">{_text(NOTE)}</p>',
        _grid((f'<div class="box {name}">{_table(table)}</div>' for name, table in shown.items()), "packed"),
        "<h2>The data set</h2>",
        _about(summary, settings),
    ]
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{_text(title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n<main>\n"
        + "\n".join(body)
        + "\n</main>\n</body>\n</html>\n"
    )


# The figures


def pay_figures(summary: Summary, policies: Sequence[str]) -> dict[str, Figure]:
    """The plots of payoffs, by name; ``policies`` are by seat.

    >>> from dagong import DAYE
    >>> from dagong._bulk import HAND_DTYPE, play_hands
    >>> rows = np.zeros(100, HAND_DTYPE)
    >>> play_hands(DAYE, ("greedy",) * 4, 1, 0, rows)
    >>> summary = Summary(DAYE)
    >>> summary.add(rows)
    >>> pay_figures(summary, ("greedy",) * 4)["jokers"].title
    'What jokers are worth'
    """
    return {
        "edge": _edge_figure(summary, policies),
        "payoffs": _payoff_figure(summary),
        "jokers": _dealt_figure(
            summary.by_jokers(), "What jokers are worth", "jokers dealt to a seat",
            "The bonus for four is in it." if "sky" in summary.rules.holding_bonuses else "",
        ),
        "quads": _dealt_figure(
            summary.by_quads(), "What bombs are worth", "ranks with four natural cards or more, dealt",
            "Bonuses for seven and eight are in it."
            if {"seven", "eight"} & set(summary.rules.holding_bonuses) else "",
        ),
    }


def course_figures(summary: Summary) -> dict[str, Figure]:
    """The plots of how hands go, by name; without one of solos if there are none."""
    found = {
        "endings": _ending_figure(summary),
        "lengths": _length_figure(summary),
        "places": _place_figure(summary),
    }
    if summary.points.any():
        found["points"] = _point_figure(summary)
    if summary.solos()[0]:
        found["solos"] = _solo_figure(summary)
    return found


def _edge_figure(summary: Summary, policies: Sequence[str]) -> Figure:
    roles = summary.by_role()
    found = [("who dealt, solos too", summary.dealers_edge())]
    found += [(ROLE_NAMES[role], roles[role]) for role in ("dealer", "partner", "opponent")]
    found += [(f"seat {seat_name(seat, policies)}", e) for seat, e in enumerate(summary.by_seat())]
    found = [(name, estimate) for name, estimate in found if estimate.number]

    def draw(canvas: Canvas) -> None:
        axes = canvas.add_subplot()
        for place, (_, estimate) in enumerate(found):
            _interval(axes, estimate, -place, across=True, label=interval(estimate))
        axes.axvline(0, color=INK, linewidth=0.8)
        axes.set_yticks([-place for place in range(len(found))], [name for name, _ in found])
        axes.set_xlabel("mean payoff a hand, in stakes")
        axes.locator_params(axis="x", nbins=4)
        axes.grid(axis="x")
        axes.margins(y=0.1)

    edge = summary.dealers_edge()
    return Figure(
        "The dealer's edge",
        f"Who deals gets {interval(edge)} a hand. Lines are 95 % intervals.",
        "Mean payoffs: " + "; ".join(f"{name} {interval(estimate)}" for name, estimate in found) + ".",
        draw,
    )


def _payoff_figure(summary: Summary) -> Figure:
    seats = 4 * summary.hands
    # symmetric, and as wide as all but one seat in 500 need
    limit = next(
        size for size in sorted({2, *map(abs, summary.payoffs)})
        if sum(n for payoff, n in summary.payoffs.items() if abs(payoff) > size) <= seats / 500
    )
    shares = {payoff: n / seats for payoff, n in sorted(summary.payoffs.items()) if abs(payoff) <= limit}
    width = max(0.8, limit / 60)  # to be seen where a solo is played for much
    beyond = sum(n for payoff, n in summary.payoffs.items() if abs(payoff) > limit) / seats

    def draw(canvas: Canvas) -> None:
        axes = canvas.add_subplot()
        for sign, colour in ((-1, SECOND), (0, FAINT), (1, FIRST)):
            part = [payoff for payoff in shares if (payoff > 0) - (payoff < 0) == sign]
            outward = sign * (width - 0.8) / 2  # lest gains cover losses
            places = [payoff + outward for payoff in part]
            axes.bar(places, [100 * shares[payoff] for payoff in part], width, color=colour)
        axes.set_xlim(-limit - width, limit + width)
        axes.locator_params(axis="x", nbins=13 if limit <= 5 else 9 if limit <= 50 else 6, integer=True)
        axes.set_xlabel("payoff of a seat, in stakes")
        axes.set_ylabel("% of seats")
        axes.grid(axis="y")

    usual = sorted(shares, key=lambda payoff: (-shares[payoff], payoff))[:4]
    return Figure(
        "What a seat gets",
        f"Payoffs beyond ±{limit}, {percent(beyond)} of seats, are left out." if beyond else "All payoffs.",
        "Share of seats by payoff. The commonest: "
        + ", ".join(f"{signed(payoff, 0)} {percent(shares[payoff])}" for payoff in usual) + ".",
        draw,
    )


def _dealt_figure(estimates: Sequence[Estimate], title: str, label: str, note: str) -> Figure:
    found = [(dealt, estimate) for dealt, estimate in enumerate(estimates) if estimate.number]
    shown = [(dealt, estimate) for dealt, estimate in found if estimate.hands >= ENOUGH] or found

    def draw(canvas: Canvas) -> None:
        axes = canvas.add_subplot()
        for dealt, estimate in shown:
            _interval(axes, estimate, dealt, across=False, label=signed(estimate.mean or 0.0, 2))
        axes.axhline(0, color=INK, linewidth=0.8)
        axes.set_xticks([dealt for dealt, _ in shown])
        axes.set_xlabel(label)
        axes.set_ylabel("mean payoff, in stakes")
        axes.grid(axis="y")
        axes.margins(x=0.12, y=0.15)

    caption = f"Mean payoffs with 95 % intervals. {note}".strip()
    return Figure(
        title, caption,
        f"Mean payoff by {label}: " + "; ".join(f"{dealt}: {interval(e)}" for dealt, e in shown) + ".",
        draw,
    )


def _ending_figure(summary: Summary) -> Figure:
    outcomes = summary.outcomes()

    def draw(canvas: Canvas) -> None:
        axes = canvas.add_subplot()
        for place, end in enumerate(outcomes):
            axes.barh(-place, 100 * end.share, 0.34, color=FIRST)
            axes.annotate(
                f"{end.words} ({end.rule})", (0, -place + 0.2), (0, 2.5), textcoords="offset points"
            )
            axes.annotate(
                percent(end.share), (100 * end.share, -place), (4, 0), textcoords="offset points", va="center"
            )
        axes.set_yticks([])
        axes.set_ylim(0.55 - len(outcomes), 0.75)
        axes.set_xlim(0, max(118 * end.share for end in outcomes))
        axes.set_xlabel("% of hands")
        axes.spines["left"].set_visible(False)

    return Figure(
        "How hands end",
        f"The mean multiplier is {number(summary.mean_multiplier())}.",
        "Share of hands: "
        + "; ".join(f"{end.words} {percents(end.low, end.high)}" for end in outcomes) + ".",
        draw,
        TALL if len(outcomes) > 7 else 0.9 + 0.42 * len(outcomes),
    )


def _place_figure(summary: Summary) -> Figure:
    found = [(ROLE_NAMES[role], shares) for role, shares in summary.places().items() if shares]
    # from dark to light like the places; who has none is left empty
    styles = ((FIRST, 1.0), (FIRST, 0.65), (FIRST, 0.42), (FIRST, 0.25))

    def draw(canvas: Canvas) -> None:
        axes = canvas.add_subplot()
        for row, (_, shares) in enumerate(found):
            left = 0.0
            for place, (share, (colour, strength)) in enumerate(zip(shares, styles, strict=False)):
                label = PLACES[place] if row == 0 else None
                axes.barh(-row, 100 * share, 0.6, 100 * left, color=colour, alpha=strength, label=label)
                if share >= 0.08:
                    ink = CARD if place == 0 else INK
                    middle = 100 * (left + share / 2)
                    axes.text(middle, -row, f"{100 * share:.0f}", color=ink, ha="center", va="center")
                left += share
        axes.set_xlim(0, 100)
        axes.set_yticks([-row for row in range(len(found))], [name for name, _ in found])
        axes.set_xlabel("% of seats")
        canvas.legend(
            *axes.get_legend_handles_labels(), loc="outside upper center", ncols=4, frameon=False,
            handlelength=1.2, columnspacing=1.2,
        )

    return Figure(
        "Who finishes where",
        "What is empty had no place yet when the hand was over (R6.6).",
        "Share of seats: "
        + "; ".join(
            f"{name}: " + ", ".join(map("{} {}".format, PLACES, map(percent, shares)))
            for name, shares in found
        ) + ".",
        draw,
    )


def _length_figure(summary: Summary) -> Figure:
    spreads = summary.spreads()
    styles = (("-", FIRST), ("--", SECOND), (":", THIRD))

    def draw(canvas: Canvas) -> None:
        axes = canvas.add_subplot()
        for name, (dashes, colour) in zip(LENGTHS, styles, strict=True):
            counts = summary.lengths[name]
            used = counts.nonzero()[0]
            values = np.arange(max(used[0] - 1, 0), used[-1] + 2)
            heights = [100 * counts[v] / summary.hands if v < len(counts) else 0.0 for v in values]
            axes.plot(values, heights, dashes, color=colour, label=name)
        axes.set_ylim(0)
        axes.set_xlabel("number in a hand")
        axes.set_ylabel("% of hands")
        axes.legend(frameon=False)
        axes.grid(axis="y")

    return Figure(
        "How long hands are",
        "Actions are plays and passes together; bids are not counted.",
        "Distributions: "
        + "; ".join(
            f"{name} mean {number(found.mean, 1)}, standard deviation {number(found.sd, 1)}"
            for name, found in spreads.items()
        ) + ".",
        draw,
    )


def _point_figure(summary: Summary) -> Figure:
    hands = int(summary.points.sum())
    steps = summary.points[::5] / hands
    more, equal = float(steps[21:].sum()), float(steps[20])

    def draw(canvas: Canvas) -> None:
        axes = canvas.add_subplot()
        for part, colour in ((slice(0, 20), SECOND), (slice(20, 21), FAINT), (slice(21, 41), FIRST)):
            axes.bar(np.arange(0, 205, 5)[part], 100 * steps[part], 4, color=colour)
        axes.set_xlabel("points of the dealer's side")
        axes.set_ylabel("% of hands")
        axes.set_xticks(range(0, 201, 50))
        axes.grid(axis="y")

    return Figure(
        "Points of the dealer's side",
        f"In hands with partners, as they are paid (R7.2): more than 100 in {percent(more)}.",
        f"Distribution of the points of the dealer's side: more than 100 in {percent(more)} of hands, "
        f"exactly 100 in {percent(equal)}, fewer in {percent(float(steps[:20].sum()))}.",
        draw,
    )


def _solo_figure(summary: Summary) -> Figure:
    solos, won = summary.solos()
    low, high = wilson(won, solos)
    success = Estimate(100 * won / solos, 100 * low, 100 * high, solos, solos)
    roles = summary.by_role()

    def draw(canvas: Canvas) -> None:
        above, below = canvas.subplots(2, 1, height_ratios=(1, 1.6))
        _interval(above, success, 0, across=True, label=percent(won / solos))
        above.axvline(50, color=INK, linewidth=0.8)
        above.set_xlim(0, 100)
        above.set_ylim(-0.7, 0.7)
        above.set_yticks([0], ["solos won"])
        above.set_xlabel("% of solos")
        above.grid(axis="x")
        for place, role in enumerate(("soloist", "against soloist")):
            _interval(below, roles[role], -place, across=True, label=interval(roles[role]))
        below.axvline(0, color=INK, linewidth=0.8)
        below.set_ylim(-1.5, 0.9)
        below.set_yticks([0, -1], ["soloist", "each opponent"])
        below.set_xlabel("mean payoff, in stakes")
        below.locator_params(axis="x", nbins=5)
        below.grid(axis="x")

    return Figure(
        "Solos",
        f"{solos:,} hands, {percent(solos / summary.hands)} of all, were played solo.",
        f"{percent(won / solos)} of solos won, 95 % interval {percents(low, high)}. Mean payoff: "
        f"soloist {interval(roles['soloist'])}, each opponent {interval(roles['against soloist'])}.",
        draw,
    )


def _interval(axes: Axes, estimate: Estimate, place: float, *, across: bool, label: str) -> None:
    """A mean as a dot with its interval as a line and its figures as text."""
    if estimate.mean is None:
        return
    low = estimate.mean if estimate.low is None else estimate.low
    high = estimate.mean if estimate.high is None else estimate.high
    ends, places = (low, high), (place, place)
    axes.plot(*((ends, places) if across else (places, ends)), color=FIRST, linewidth=2.5)
    dot = ((estimate.mean,), (place,))
    axes.plot(*(dot if across else dot[::-1]), "o", color=FIRST, markersize=6)
    if across:
        beside = axes.get_yaxis_transform()  # a column of its own, right of the plot
        axes.annotate(label, (1.03, place), xycoords=beside, va="center", annotation_clip=False)
    elif estimate.mean < 0:  # away from the line at 0
        axes.annotate(label, (place, low), (0, -6), textcoords="offset points", ha="center", va="top")
    else:
        axes.annotate(label, (place, high), (0, 6), textcoords="offset points", ha="center")


# From figures to SVG


def _drawn(figure: Figure, name: str) -> str:
    kind = ' class="tall"' if figure.height == TALL else ""
    return (
        f"<figure{kind}>\n<h3>{_text(figure.title)}</h3>\n<figcaption>{_text(figure.caption)}</figcaption>\n"
        f"{svg_of(figure, name)}\n</figure>"
    )


def svg_of(figure: Figure, name: str) -> str:
    """A figure as an SVG element for a page: its colours are the page's, its size is its parent's."""
    import matplotlib
    from matplotlib.figure import Figure as Canvas

    settings: dict[Any, Any] = {
        "svg.hashsalt": "dagong", "svg.fonttype": "none", "font.family": "DejaVu Sans", "font.size": 10,
        "text.color": INK, "axes.edgecolor": INK, "axes.labelcolor": INK, "xtick.color": INK,
        "ytick.color": INK, "grid.color": FAINT, "grid.linewidth": 0.6, "axes.axisbelow": True,
        "axes.spines.top": False, "axes.spines.right": False, "lines.linewidth": 2,
        "axes.unicode_minus": True,
    }
    with matplotlib.rc_context():
        matplotlib.rcdefaults()  # lest somebody's own matplotlibrc shows in the page
        matplotlib.rcParams.update(settings)
        canvas = Canvas(figsize=(WIDTH, figure.height), layout="constrained")
        figure.draw(canvas)
        canvas.patch.set_visible(False)
        for axes in canvas.axes:
            axes.patch.set_visible(False)
        stream = io.StringIO()
        canvas.savefig(stream, format="svg", metadata={"Date": None})
    return _inlined(stream.getvalue(), name, figure.alt)


def _inlined(svg: str, name: str, alt: str) -> str:
    """An SVG file as an element of a page."""
    box = re.search(r'viewBox="([^"]*)"', svg)
    assert box is not None
    inner = svg[svg.index(">", box.end()) + 1 : svg.rindex("</svg>")]
    inner = re.sub(r"<metadata>.*?</metadata>", "", inner, flags=re.DOTALL)
    # ids are for the whole page, where each figure has an axes_1
    inner = re.sub(r'\bid="', f'id="{name}-', inner)
    inner = inner.replace("url(#", f"url(#{name}-").replace('xlink:href="#', f'href="#{name}-')
    for colour, variable in _VARIABLES.items():
        inner = inner.replace(colour, f"var(--{variable})")
    inner = inner.replace("'DejaVu Sans'", "system-ui, sans-serif")
    inner = "\n".join(line.strip() for line in inner.splitlines() if line.strip())
    return (
        f'<svg viewBox="{box[1]}" role="img" aria-labelledby="{name}-alt">\n'
        f'<title id="{name}-alt">{_text(alt)}</title>\n{inner}\n</svg>'
    )


# The rest of the page


def _text(text: str) -> str:
    return html.escape(text)


def _grid(parts: Iterable[str], style: str = "grid") -> str:
    return f'<div class="{style}">\n' + "\n".join(parts) + "\n</div>"


def _played_by(settings: Settings) -> str:
    if len(set(settings.policies)) == 1:
        return f"All four seats are played by the policy {settings.policies[0]}."
    seats = (f"{name} (seat {seat})" for seat, name in enumerate(settings.policies))
    return f"Played by {', '.join(seats)}."


def _key_figures(summary: Summary) -> str:
    solos, won = summary.solos()
    length = summary.spreads()["actions"]
    found = (
        (interval(summary.dealers_edge()), "dealer's edge, stakes a hand"),
        (f"×{number(summary.mean_multiplier())}", "mean multiplier"),
        (number(length.mean, 1), "actions a hand"),
        (percent(solos / summary.hands), "of hands played solo"),
        (percent(won / solos) if solos else "–", "of solos won"),
    )
    cells = "".join(f"<div><b>{_text(value)}</b><span>{_text(words)}</span></div>" for value, words in found)
    return f'<div class="key">{cells}</div>'


def _table(table: Table) -> str:
    def line(cells: Sequence[str], head: bool) -> str:
        parts = []
        for place, cell in enumerate(cells):
            tag = "th" if head or place == 0 else "td"
            scope = f' scope={"col" if head else "row"}' if tag == "th" else ""
            parts.append(f'<{tag}{scope}{" class=word" if place < table.words else ""}>{_text(cell)}</{tag}>')
        return f"<tr>{''.join(parts)}</tr>"

    rows = "\n".join(line(row, False) for row in table.rows)
    return f"<table>\n<thead>{line(table.head, True)}</thead>\n<tbody>\n{rows}\n</tbody>\n</table>"


def _about(summary: Summary, settings: Settings) -> str:
    facts: list[Row] = [
        ("hands", f"{summary.hands:,}"),
        ("seed", str(settings.seed)),
        ("version of dagong", settings.dagong_version),
        ("policies, seats 0 to 3", ", ".join(settings.policies)),
        ("rules", str(settings.rules)),
    ]
    fields: list[Row] = [
        (name, ", ".join(value) or "none" if isinstance(value, tuple) else str(value))
        for name, value in settings.rules.fields().items()
    ]
    return _grid(
        f'<div class="box">{_table(Table(head, rows, 2))}</div>'
        for head, rows in ((("What was played", ""), facts), (("Rule set (R8)", ""), fields))
    )
