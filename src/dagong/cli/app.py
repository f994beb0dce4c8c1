"""The group of commands behind ``dagong``."""

from __future__ import annotations

from importlib import import_module

import click

import dagong

# Each is a module of this package with a click command of the same name in it.
COMMANDS = (
    "plays",
    "identify",
    "compare",
    "deal",
    "replay",
    "check",
    "play",
    "simulate",
    "perft",
    "bench",
    "report",
)


class Commands(click.Group):
    """Imports a command when it is asked for, so that none slows the others down."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = getattr(import_module(f"dagong.cli.{cmd_name}"), cmd_name)
        return command


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(dagong.__version__, prog_name="dagong", message="%(prog)s %(version)s")
def app() -> None:
    """The Chinese card game Dagong (打拱): what can be played, what beats what, and whole hands.

    Cards are a rank and a suit, 3S or TH (10H and ♥10 too); XB is a black joker, XR a red one. A play is
    its cards and what they are declared to be: "4H 4S XB XR as pair_run 5 x2".

    \b
    dagong plays "3S 3H 4D XB" --rules xianning
    dagong plays "3S 3H 4D XB" --rules dagun --to-beat "3C" --detail cards
    dagong identify "4S 4H XB XR" --rules daye
    dagong compare "5S TS KS" "5H TH KD" --rules dagun
    dagong deal --rules daye --seed 7 | dagong replay -
    dagong play --rules daye
    dagong simulate --rules xianning --hands 1000000
    dagong perft --rules daye --seed 7 --depth 4
    """
