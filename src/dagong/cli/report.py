"""``dagong report``: a data set of hands as one page."""

from __future__ import annotations

import click

from dagong.cli.common import BadInput, bad_input


@click.command("report")
@click.argument("directory", metavar="DIR", type=click.Path(exists=True, file_okay=False))
@click.option(
    "-o", "--output", default="report.html", show_default=True, metavar="FILE",
    type=click.Path(dir_okay=False), help="The page to write.",
)
def report(directory: str, output: str) -> None:
    """Write the plots and tables of a data set of hands, in DIR, as one HTML page.

    The page holds all that it needs and can be sent or kept as it is.

    \b
    dagong report hands -o report.html
    """
    from dagong.report import write_report

    try:
        with bad_input():
            write_report(directory, output)
    except ImportError as error:
        raise click.ClickException(str(error)) from None
    except OSError as error:
        raise BadInput(f"{error.filename or directory}: {error.strerror or error}") from None
    click.echo(output)
