"""``dagong simulate``: hands by the million, a summary, and a data set if wanted."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from importlib import import_module
from typing import TYPE_CHECKING, Any

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from dagong import Ruleset
from dagong.cli.common import SEED, BadInput, WholeNumber, bad_input, policies_option, rules_options
from dagong.cli.summary import print_summary
from dagong.simulation import PolicyError, cores, iter_chunks, simulate_into
from dagong.summary import Summary

if TYPE_CHECKING:
    from concurrent.futures import Executor

    import numpy as np
    from numpy.typing import NDArray

WIDTH = 100  # what the tables need


@click.command()
@rules_options
@click.option("--hands", type=WholeNumber(min=1), default=1_000_000, show_default=True, metavar="N")
@policies_option
@click.option(
    "--seed", type=SEED, default=0, show_default=True, metavar="N", help="The same seed, the same hands.",
)
@click.option("--workers", type=WholeNumber(min=1), metavar="N", help="Threads; one a core unless told.")
@click.option("--out", metavar="DIR", help="Write a Parquet data set to this folder (docs/simulation.md).")
@click.option("--resume", is_flag=True, help="Go on with the data set in --out, begun with the same options.")
@click.option(
    "--chunk", type=WholeNumber(min=1), metavar="N", help="Hands in each file of --out: 250000 unless told."
)
@click.option("--dask", metavar="ADDRESS", help="Play on the Dask cluster with this scheduler: tcp://host:8786.")
@click.option("--json", "as_json", is_flag=True, help="Print the summary as JSON.")
def simulate(
    rules: Ruleset, hands: int, policies: tuple[str, ...], seed: int, workers: int | None, out: str | None,
    resume: bool, chunk: int | None, dask: str | None, as_json: bool,
) -> None:
    """Play hands by the million and tell what came of them.

    \b
    dagong simulate --rules xianning --hands 1000000
    dagong simulate --rules daye --policies greedy,random,greedy,random --seed 7
    dagong simulate --rules dagun --hands 5000000 --out hands/; dagong report hands/
    """
    for given, option in ((resume, "--resume"), (chunk is not None, "--chunk")):
        if given and out is None:
            raise click.UsageError(f"{option} needs --out")
    summary = Summary(rules)
    started, done = time.monotonic(), 0
    try:
        with ExitStack() as stack:
            executor = stack.enter_context(dask_executor(dask)) if dask else None
            advance = stack.enter_context(progress_bar(hands))

            def watch(rows: NDArray[np.void]) -> None:
                nonlocal done
                summary.add(rows)
                done += len(rows)
                advance(len(rows))

            if out is not None:
                with bad_input("--out: "), extra_needed():
                    simulate_into(
                        out, rules, hands, policies=policies, seed=seed, workers=workers, executor=executor,
                        resume=resume, chunk=chunk, watch=watch,
                    )
            else:
                chunks = stack.enter_context(
                    closing(
                        iter_chunks(
                            rules, [(0, hands)], policies=policies, seed=seed, workers=workers,
                            executor=executor,
                        )
                    )
                )
                for _, rows in chunks:
                    watch(rows)
    except KeyboardInterrupt:
        again = f"; the same with --resume goes on with {out}" if out else ""
        click.echo(f"Stopped after {done:,} of {hands:,} hands{again}.", err=True)
        sys.exit(130)
    except PolicyError as error:
        raise BadInput(f"--policies: {error}") from None
    except OSError as error:
        # only the system's errors about files have a name
        place = f"--out {out!r}" if error.filename is not None or dask is None else f"--dask {dask!r}"
        raise BadInput(f"{place}: {error.strerror or error}") from None
    if as_json:
        click.echo(json.dumps(summary.as_dict()))
        return
    took = time.monotonic() - started
    console = Console(highlight=False)
    if not console.is_terminal:
        console.width = WIDTH
    print_summary(console, summary, policies)
    threads = workers or cores()
    where = "a Dask cluster" if dask else f"{threads} thread{'s' if threads > 1 else ''}"
    # of a run that went on with another, some of the hands were only read
    rate = "" if resume else f", {hands / took:,.0f} a second"
    console.print(f"{hands:,} hands in {took:.1f} s on {where}{rate}")


@contextmanager
def extra_needed() -> Iterator[None]:
    """Say what to install if something is not there."""
    try:
        yield
    except ImportError as error:
        raise BadInput(str(error)) from None


@contextmanager
def dask_executor(address: str) -> Iterator[Executor]:
    """An executor of the Dask cluster whose scheduler is at an address."""
    try:
        distributed: Any = import_module("distributed")
    except ImportError:
        raise BadInput("--dask needs Dask: pip install 'dagong[dask]'") from None
    try:
        client = distributed.Client(address, timeout=10)
    except (OSError, ValueError) as error:
        raise BadInput(f"--dask {address!r}: {error}") from None
    with client:
        yield client.get_executor()


@contextmanager
def progress_bar(hands: int) -> Iterator[Callable[[int], None]]:
    """A bar on standard error; nothing where that is no terminal."""
    columns = (
        BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[rate]} hands/s"), TimeRemainingColumn(),
    )
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        bar = progress.add_task("", total=hands, rate="")
        started, done = time.monotonic(), 0

        def advance(more: int) -> None:
            nonlocal done
            done += more
            rate = done / max(time.monotonic() - started, 1e-9)
            progress.update(bar, advance=more, rate=f"{rate:,.0f}")

        yield advance
