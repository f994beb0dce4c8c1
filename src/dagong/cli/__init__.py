"""The command line, ``dagong …``: one module a command, found in ``app.COMMANDS``.

Only ``main`` is here, and nothing beyond the standard library is imported before it runs: click and rich
come with the extra ``cli``, and whoever installed without it deserves better than a traceback.
"""

import os
import sys

__all__ = ["main"]

_MISSING = "dagong's command line needs click and rich: pip install 'dagong[cli]'"


def main() -> None:
    """Run ``dagong`` with the arguments of this process and exit."""
    try:
        import click  # noqa: F401
        import rich  # noqa: F401
    except ImportError:
        print(_MISSING, file=sys.stderr)
        sys.exit(2)
    from dagong.cli.app import app

    if sys.stdout is None:  # closed by whoever started this process
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115
    if hasattr(sys.stdout, "reconfigure"):  # a terminal without Chinese signs gets question marks
        sys.stdout.reconfigure(errors="replace")
    try:
        app(prog_name="dagong")
    except OSError as error:  # the disk is full, say; a closed pipe never gets here
        print(f"Error: cannot write the answer: {error.strerror}", file=sys.stderr)
        # What is still buffered would fail once more, with a traceback, when Python exits.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(2)
