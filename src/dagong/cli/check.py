"""``dagong check``: whether the records in files are legal."""

from __future__ import annotations

import sys

import click

from dagong.cli.common import BadInput
from dagong.cli.hands import records_in


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
def check(files: tuple[str, ...]) -> None:
    """Replay every record in the files, or in standard input for -, and say which are not legal.

    Of each bad record the first line that is illegal is named, and why. The exit code is 0 if all are
    good, 1 if any is not, and 2 if a file cannot be read.

    \b
    dagong check *.txt
    """
    good = bad = unfinished = 0
    unreadable = False
    for file in files:
        try:
            for record in records_in(file):
                if isinstance(record, str):
                    click.echo(f"{file}: {record}")
                    bad += 1
                else:
                    good += 1
                    unfinished += record.state.result is None
        except BadInput as error:
            click.echo(f"Error: {error.message}", err=True)
            unreadable = True
    number = good + bad
    legal = f"{good} legal, {unfinished} of them unfinished" if unfinished else f"{good} legal"
    click.echo(f"{number} record{'s' * (number != 1)}: {legal}, {bad} not")
    sys.exit(2 if unreadable else 1 if bad else 0)
