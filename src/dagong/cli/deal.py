"""``dagong deal``: a deal as a record."""

from __future__ import annotations

import json
import secrets

import click

from dagong import Ruleset, State
from dagong.cli.common import HAND_INDEX, SEED, WholeNumber, rules_options
from dagong.cli.hands import grouped
from dagong.records import record_json, record_text


@click.command()
@rules_options
@click.option("--seed", type=SEED, metavar="N", help="The same seed, the same cards; random unless told.")
@click.option(
    "--hand-index", type=HAND_INDEX, default=0, show_default=True, metavar="N",
    help="Which hand of that seed.",
)
@click.option(
    "--dealer", type=WholeNumber(0, 3), metavar="SEAT",
    help="Who deals; unless told, a card turned up finds out, as in the first hand of a match (R5.2).",
)
@click.option("--json", "as_json", is_flag=True, help="Answer in JSON, one line (docs/notation.md).")
def deal(rules: Ruleset, seed: int | None, hand_index: int, dealer: int | None, as_json: bool) -> None:
    """Deal a hand and write it as a record, which the other commands read.

    Below it the hands stand once more, by rank, as comments.

    \b
    dagong deal --rules daye --seed 7
    dagong deal --rules dagun --seed 7 --hand-index 3 --dealer 1 --json
    dagong deal --rules xianning > hand.txt; dagong replay hand.txt
    """
    if seed is None:
        seed = secrets.randbits(64)
    state = State.deal(rules, seed, hand_index=hand_index, dealer=dealer)
    tags = {"seed": str(seed), "hand_index": str(hand_index)}
    if as_json:
        click.echo(json.dumps(record_json(state, tags)))
        return
    click.echo(record_text(state, tags), nl=False)
    for seat, hand in enumerate(state.hands):
        click.echo(f"# seat {seat}: {grouped(hand)}")
    click.echo(f"# seat {state.dealer} deals and calls {state.called}")
