"""What the commands share: options, reading hands, errors, JSON."""

from __future__ import annotations

import functools
import io
import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, BinaryIO

import click

from dagong import Card, Hand, Play, Plays, Ruleset
from dagong.notation import RANKS, SUITS
from dagong.rules import PRESETS
from dagong.simulation import Policy, as_policies

BATCH = 1000  # plays written at once: lists may be far longer than memory should hold as text

Command = Callable[..., None]


class BadInput(click.ClickException):
    """Something that was typed or read is wrong; the message names it."""

    exit_code = 2


class WholeNumber(click.IntRange):
    """A number within bounds, called what it is where something else was typed."""

    name = "whole number"


SEED = WholeNumber(0, 2**64 - 1)
HAND_INDEX = WholeNumber(0, 2**63 - 1)
PRESET = click.Choice([name.lower() for name in PRESETS], case_sensitive=False)


@contextmanager
def bad_input(place: str = "") -> Iterator[None]:
    """Turn the library's complaints into ``BadInput``, with where it stood in front."""
    try:
        yield
    except (TypeError, ValueError) as error:
        raise BadInput(place + str(error)) from None


# Rule sets


settings_option = click.option(
    "--set", "settings", multiple=True, metavar="FIELD=VALUE",
    help="A house rule: a field of the rule set and its value (docs/rules.md, R8). May be repeated.",
)


def rules_options(command: Command) -> Command:
    """Give a command ``--rules`` and ``--set``; it receives the ``Ruleset`` as ``rules``."""

    @click.option("--rules", "preset", required=True, type=PRESET, help="The rule set.")
    @settings_option
    @functools.wraps(command)
    def with_rules(preset: str, settings: tuple[str, ...], **options: Any) -> None:
        command(rules=house_rules(Ruleset.from_name(preset), settings), **options)

    return with_rules


def policies_option(command: Command) -> Command:
    """Give a command ``--policies``: one name for all seats, or four with commas between."""

    def parse(_context: click.Context, _option: click.Parameter, text: str) -> tuple[Policy, ...]:
        names = [name.strip() for name in text.split(",")]
        with bad_input("--"):
            return as_policies(names[0] if len(names) == 1 else names)

    return click.option(
        "--policies", default="random", show_default=True, metavar="NAME[,NAME,NAME,NAME]", callback=parse,
        help="Who plays: random, greedy, or a function as module:function; for all seats or one for each.",
    )(command)


def house_rules(preset: Ruleset, settings: Sequence[str]) -> Ruleset:
    """The preset with ``field=value`` texts applied.

    >>> from dagong import DAGUN
    >>> str(house_rules(DAGUN, ["sky_bomb=false", "rolls=hard"]))
    "DAGUN with sky_bomb=False, rolls='hard'"
    """
    fields = preset.fields()
    changed = {}
    for setting in settings:
        name, equals, text = (part.strip() for part in setting.partition("="))
        if not equals:
            raise BadInput(f"--set {setting!r}: expected FIELD=VALUE")
        if name not in fields:
            raise BadInput(f"--set: {name!r} is no field of a rule set: expected one of {', '.join(fields)}")
        changed[name] = field_value(name, text, type(fields[name]))
    with bad_input("--set: "):
        return preset.replace(**changed)


def field_value(name: str, text: str, kind: type) -> object:
    """The value of a field from its text."""
    if kind is bool:
        if text.lower() not in ("true", "false"):
            raise BadInput(f"--set: {name} = {text!r}: expected true or false")
        return text.lower() == "true"
    if kind is int:
        try:
            return int(text)
        except ValueError:
            raise BadInput(f"--set: {name} = {text!r}: expected a whole number") from None
    if kind is tuple:
        return tuple(part.strip() for part in text.split(",") if part.strip())
    return text


# Hands


def hand_options(command: Command) -> Command:
    """Give a command a hand, ``--file`` and ``--json``."""

    options = (
        click.argument("cards", nargs=-1, metavar="[HAND]"),
        click.option(
            "--file", metavar="FILE",
            help="Read hands from a file, one a line, and answer in JSON lines; - is standard input.",
        ),
        click.option("--json", "as_json", is_flag=True, help="Answer in JSON, one line (docs/notation.md)."),
    )
    for option in reversed(options):
        command = option(command)
    return command


def answer_each(
    cards: Sequence[str], file: str | None, as_json: bool, answer: Callable[[Hand, int | None, bool], None]
) -> None:
    """Call ``answer(hand, line, as_json)`` for the hand given or, with its line, for each one read.

    A bad line is reported and the others are answered all the same; the exit code then is 2.
    """
    if cards:
        if file is not None:
            raise click.UsageError("give a hand or --file, not both")
        with bad_input():
            hand = Hand(" ".join(cards))
            answer(hand, None, as_json)
        return
    if file is None and (sys.stdin is None or sys.stdin.isatty()):
        raise click.UsageError("give a hand, --file, or hands on standard input")
    failed = False
    for number, text in lines_of("-" if file is None else file):
        try:
            with bad_input():
                answer(Hand(text), number, True)
        except BadInput as error:
            click.echo(f"Error: line {number}: {error.message}", err=True)
            failed = True
    if failed:
        sys.exit(2)


def lines_of(file: str) -> Iterator[tuple[int, str]]:
    """The lines of a file that are not blank, with their numbers and without ``#`` comments."""
    try:
        with open_bytes(file) as stream:
            # A stray byte then is part of a card that does not exist, and the error shows it.
            text = io.TextIOWrapper(stream, encoding="utf-8-sig", errors="surrogateescape")
            for number, line in enumerate(text, 1):
                cards = line.partition("#")[0].strip()
                if cards:
                    yield number, cards
    except OSError as error:
        raise BadInput(f"--file {file!r}: {error.strerror}") from None


def open_bytes(file: str) -> BinaryIO:
    """A file, or standard input for ``-``."""
    if file == "-":
        if sys.stdin is None:
            raise BadInput("--file '-': standard input is closed")
        return sys.stdin.buffer
    try:
        return open(file, "rb")
    except ValueError as error:  # a NUL in the name
        raise BadInput(f"--file {file!r}: {error}") from None


# JSON


def play_record(rules: Ruleset, play: Play) -> dict[str, object]:
    """A play as its JSON object; docs/notation.md explains the fields.

    >>> from dagong import DAGUN
    >>> record = play_record(DAGUN, DAGUN.parse_play("5S KS XB"))
    >>> record["kind"], record["rank"], record["suit"], record["cards"]
    ('five_ten_king', None, 'S', ['5S', 'KS', 'XB'])
    """
    return {
        "play": str(play),
        "kind": play.kind.label,
        "rank": None if play.rank < 0 else RANKS[play.rank],
        "length": play.length,
        "suit": None if play.suit is None else SUITS[play.suit],
        "size": play.size,
        "jokers": play.jokers,
        "cards": [str(card) for card in play.cards],
        "strength": rules.strength(play),
    }


def write_json(
    record: Mapping[str, object],
    rules: Ruleset,
    plays: Plays | Sequence[Play] | None = None,
    line: int | None = None,
) -> None:
    """Write one JSON line: the record, with the number of its line in front and the plays behind."""
    text = json.dumps(record if line is None else {"line": line, **record})
    if plays is None:
        click.echo(text)
        return
    click.echo(text[:-1] + ', "plays": [', nl=False)
    for start in range(0, len(plays), BATCH):
        batch = [json.dumps(play_record(rules, play)) for play in plays[start : start + BATCH]]
        click.echo(", " * (start > 0) + ", ".join(batch), nl=False)
    click.echo("]}")


def play_text(rules: Ruleset, text: str, place: str) -> Play:
    """A play from text, or ``BadInput`` that says where it stood."""
    with bad_input(f"{place}: "):
        return rules.parse_play(text)


def card_text(text: str, place: str) -> Card:
    """A card from text, or ``BadInput`` that says where it stood."""
    with bad_input(f"{place}: "):
        return Card(text)
