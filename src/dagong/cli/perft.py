"""``dagong perft``: the leaves of the game tree, to compare generators by."""

from __future__ import annotations

import json
import time

import click

from dagong import Detail, Ruleset, State
from dagong import perft as leaves_below
from dagong.cli.common import HAND_INDEX, SEED, WholeNumber, rules_options
from dagong.records import action_text


@click.command()
@rules_options
@click.option("--seed", type=SEED, default=0, show_default=True, metavar="N", help="The seed of the deal.")
@click.option(
    "--hand-index", type=HAND_INDEX, default=0, show_default=True, metavar="N",
    help="Which hand of that seed.",
)
@click.option("--depth", type=WholeNumber(min=0), required=True, metavar="N", help="How many actions.")
@click.option(
    "--detail", type=click.Choice([detail.name.lower() for detail in Detail]), default="ranks",
    show_default=True, help="What is told apart.",
)
@click.option("--bids/--no-bids", default=False, help="Begin with the bids, or (default) with the lead.")
@click.option("--divide", is_flag=True, help="Count below each first action too.")
@click.option("--json", "as_json", is_flag=True, help="Answer in JSON, one line.")
def perft(
    rules: Ruleset, seed: int, hand_index: int, depth: int, detail: str, bids: bool, divide: bool,
    as_json: bool,
) -> None:
    """Count the leaves of the game tree DEPTH actions below a deal: plays, passes, and bids if asked for.

    \b
    dagong perft --rules daye --seed 7 --depth 4
    dagong perft --rules xianning --seed 7 --depth 2 --detail cards --divide
    """
    state = State.deal(rules, seed, hand_index=hand_index)
    while state.phase == "bid" and not bids:
        state.bid(False)
    finer = Detail[detail.upper()]
    began = time.perf_counter()
    parts = []
    if divide and depth > 0:
        for name, child in children(state, finer):
            parts.append((name, leaves_below(child, depth - 1, detail=finer)))
            if not as_json:
                click.echo(f"{parts[-1][1]:>16,}  {name}")
        leaves = sum(count for _, count in parts)
    else:
        leaves = leaves_below(state, depth, detail=finer)
    took = time.perf_counter() - began
    if as_json:
        answer = {"rules": str(rules), "seed": seed, "hand_index": hand_index, "detail": detail, "bids": bids,
                  "depth": depth, "leaves": leaves, "seconds": round(took, 6)}
        click.echo(json.dumps({**answer, "divide": dict(parts)} if divide else answer))
        return
    click.echo(f"{leaves:,} leaves in {took:.3f} s, {leaves / max(took, 1e-9) / 1e6:,.0f} million a second")


def children(state: State, detail: Detail) -> list[tuple[str, State]]:
    """What can be done first, in words, and the states after it."""
    after = []
    for choice in [False, True] if state.phase == "bid" else [*state.legal_plays(detail), None]:
        child = state.copy()
        if isinstance(choice, bool):
            child.bid(choice)
        elif choice is not None:
            child.play(choice)
        elif child.can_pass:
            child.pass_()
        else:
            continue
        after.append((action_text(child.history[-1]), child))
    return after
