"""``dagong compare``: which of two plays beats which."""

from __future__ import annotations

import click
from rich.console import Console

from dagong import Ruleset
from dagong.cli.common import play_record, play_text, rules_options, write_json
from dagong.cli.describe import compared


@click.command()
@click.argument("first", metavar="PLAY")
@click.argument("second", metavar="PLAY")
@rules_options
@click.option("--json", "as_json", is_flag=True, help="Answer in JSON (docs/notation.md).")
def compare(first: str, second: str, as_json: bool, rules: Ruleset) -> None:
    """Say which of two plays beats which, and why.

    The answer ends with the number of the rule that decides, to be found in docs/rules.md.
    The declaration, from "as" on, may be left out where the cards have only one.

    \b
    dagong compare "5S TS KS" "5H TH KD" --rules dagun
    dagong compare "4H 4S XB XR as bomb 4" "AH AH" --rules xianning
    """
    one, other = play_text(rules, first, "first play"), play_text(rules, second, "second play")
    verdict = compared(rules, one, other)
    if as_json:
        record = {
            "rules": str(rules),
            "a": play_record(rules, one),
            "b": play_record(rules, other),
            "winner": verdict.winner,
            "reason": verdict.reason,
            "rule": verdict.rule,
        }
        write_json(record, rules)
        return
    if verdict.winner is None:
        says = f"Neither of {one} and {other} beats the other"
    else:
        winner, loser = (one, other) if verdict.winner == "a" else (other, one)
        says = f"{winner} beats {loser}"
    Console(highlight=False, markup=False, emoji=False, soft_wrap=True).print(
        f"{says}: {verdict.reason} ({verdict.rule})"
    )
