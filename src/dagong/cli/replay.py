"""``dagong replay``: the hands of a file, trick by trick, and who pays whom."""

from __future__ import annotations

import json
from collections.abc import Iterable

import click
from rich.console import Console

from dagong import Ruleset
from dagong.cli.common import (
    HAND_INDEX,
    PRESET,
    SEED,
    BadInput,
    WholeNumber,
    house_rules,
    policies_option,
    settings_option,
)
from dagong.cli.hands import grouped, records_in, result_lines, side_words, tricks_of
from dagong.records import Record, action_text, record_json, record_text, rules_text
from dagong.simulation import replay_hand


@click.command()
@click.argument("file", metavar="[FILE]", required=False)
@click.option(
    "--rules", "preset", type=PRESET,
    help="In place of FILE a hand of a simulation: its rule set.",
)
@settings_option
@click.option("--seed", type=SEED, default=0, metavar="N", help="The seed of the simulation.")
@click.option("--hand", type=HAND_INDEX, metavar="N", help="Which hand of it.")
@policies_option
@click.option("--record", "as_record", is_flag=True, help="Print records in place of tricks.")
@click.option("--last", type=WholeNumber(min=0), metavar="N", help="Only the last N tricks of each hand.")
@click.option("--json", "as_json", is_flag=True, help="Answer in JSON, a line a hand (docs/notation.md).")
def replay(
    file: str | None, preset: str | None, settings: tuple[str, ...], seed: int, hand: int | None,
    policies: tuple[str, ...], as_record: bool, last: int | None, as_json: bool,
) -> None:
    """Replay the records in FILE, or in standard input for -; or one hand of `dagong simulate`.

    Shows each trick, who takes it and its points, and at the end the result and every payment with its
    rule, to be found in docs/rules.md.

    \b
    dagong replay hand.txt
    dagong deal --rules daye --seed 7 | dagong replay -
    dagong replay --rules xianning --seed 7 --hand 123456
    """
    console = Console(highlight=False, markup=False, emoji=False, soft_wrap=True)
    if (file is None) == (hand is None) or (hand is None) != (preset is None):
        raise click.UsageError("give a FILE, or --rules and --hand of a simulation")
    if file is None:
        rules = house_rules(Ruleset.from_name(str(preset)), settings)
        state = replay_hand(rules, hand or 0, policies=policies, seed=seed)
        tags = {"seed": str(seed), "hand_index": str(hand)}
        records: Iterable[Record | str] = [Record(state, tags)]
    else:
        records = records_in(file)
    for number, record in enumerate(records):
        if isinstance(record, str):
            raise BadInput(f"{file}: {record}")
        if as_json:
            click.echo(json.dumps(as_object(record, last)))
            continue
        if number:
            console.print()
        if as_record:
            click.echo(record_text(record.state, record.tags), nl=False)
            continue
        show(console, record, last)


def show(console: Console, record: Record, last: int | None) -> None:
    """A hand for people."""
    state = record.state
    tags = "".join(f", {name} {text}" for name, text in record.tags.items())
    console.print(f"{rules_text(state.rules)}{tags}: {side_words(state)}", style="bold")
    for seat, hand in enumerate(state.dealt_hands):
        console.print(f"seat {seat}: {grouped(hand)}")
    for action in state.history:
        if action.solo:
            console.print(f"seat {action.seat} bids solo")
    tricks = tricks_of(state)
    hidden = 0 if last is None else max(0, len(tricks) - last)
    for number, trick in enumerate(tricks[hidden:], hidden + 1):
        console.print()
        # who took the trick before leads, unless out of cards since
        before = tricks[number - 2].taker if number > 1 else trick.leader
        handed_on = "" if before == trick.leader else f" for seat {before}, who is out 接風 (R6.4)"
        console.print(f"trick {number}, seat {trick.leader} leads{handed_on}", style="bold")
        for action, notes in zip(trick.actions, trick.notes, strict=True):
            name = f"  {action.play.kind.chinese}" if action.play is not None else ""
            console.print(f"  {action.seat}  {action_text(action)}{name}")
            for note in notes:
                console.print(f"  {note}")
        if trick.taker is None:
            console.print(f"  not over, {trick.points} points so far")
        else:
            console.print(f"  seat {trick.taker} takes {trick.points} points")
    console.print()
    if state.result is None:
        holding = ", ".join(f"seat {seat} {points}" for seat, points in enumerate(state.captured))
        console.print(f"not over: seat {state.to_move} is to {state.phase}; points {holding}")
        return
    for line in result_lines(state):
        console.print(line)


def as_object(record: Record, last: int | None) -> dict[str, object]:
    """The record and its tricks."""
    tricks = tricks_of(record.state)
    return {
        **record_json(record.state, record.tags),
        "points": list(record.state.captured),
        "tricks": [
            {
                "leader": trick.leader,
                "actions": [{"seat": a.seat, "action": action_text(a)} for a in trick.actions],
                "taker": trick.taker,
                "points": trick.points,
            }
            for trick in (tricks if last is None else tricks[max(0, len(tricks) - last) :])
        ],
    }
