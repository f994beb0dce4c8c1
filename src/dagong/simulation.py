"""Many hands at once: the work cut into chunks, played by threads or any executor, the rows gathered.

>>> from dagong import XIANNING, simulate
>>> rows = simulate(XIANNING, 1000, policies=("greedy", "random", "greedy", "random"), seed=7)
>>> rows.shape, rows["hand"][-1], rows["payoffs"].sum(axis=1).any()
((1000,), np.uint64(999), np.False_)
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from dagong._bulk import HAND_DTYPE, POLICIES, Choices, play_hands, write_row
from dagong._play import Play
from dagong._state import State, as_seed
from dagong.outcome import Observation
from dagong.rules import Ruleset

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future

    from numpy.typing import NDArray

Policy = str | Callable[[Observation], "Play | str | bool | None"]
"""A native policy by name, or what to do as a function of what a seat may know.

In the bidding (``seen.phase == "bid"``) a function returns whether to play solo; then a play, its text, or
None for the pass. ``seen.legal_plays()`` lists the plays.
"""

CHUNK = 10_000              # hands of a task: a megabyte of rows, 50 to 100 ms of one core
CHUNK_BY_FUNCTION = 50      # where Python is asked for every play, the same time
IN_FLIGHT = 64              # tasks handed to an executor of unknown size
ATTEMPTS = 3                # to have a chunk played by others, before it is played here


class PolicyError(RuntimeError):
    """A policy that is a function raised an error, or chose what is not legal; says in which hand."""


def simulate(
    rules: Ruleset,
    hands: int,
    *,
    policies: Policy | Sequence[Policy] = "random",
    seed: int | np.random.Generator | None = 0,
    workers: int | None = None,
    executor: Executor | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> NDArray[np.void]:
    """Play hands 0 to ``hands - 1`` of a seed, each the first of a match: an array of HAND_DTYPE, a row each.

    ``policies`` is one policy for all, or four by seat: ``"random"``, ``"greedy"``, or a function; see
    docs/simulation.md. The rows depend on rules, seed and policies alone, never on who plays which of them:
    ``workers`` threads (as many as the machine has cores unless told), or an ``executor`` of
    ``concurrent.futures`` or any that behaves like one. ``progress(done, hands)`` is called now and then.

    Raises ``ValueError`` or ``TypeError`` for a bad argument, naming it, and ``PolicyError`` if a function
    among the policies fails.

    >>> from dagong import DAYE
    >>> def passive(seen):
    ...     if seen.phase == "bid":
    ...         return False
    ...     return None if seen.last_play else seen.legal_plays()[0]
    >>> simulate(DAYE, 50, policies=["greedy", passive, passive, passive])["payoffs"].sum(axis=0).argmax()
    np.int64(0)
    """
    check_whole(hands, "hands")
    by_seat = as_policies(policies)
    number = as_seed(seed)
    rows = np.zeros(hands, HAND_DTYPE)
    done = 0
    for first, part in iter_chunks(
        rules, [(0, hands)], policies=by_seat, seed=number, workers=workers, executor=executor
    ):
        rows[first : first + len(part)] = part
        done += len(part)
        if progress is not None:
            progress(done, hands)
    return rows


def iter_chunks(
    rules: Ruleset,
    ranges: Iterable[tuple[int, int]],
    *,
    policies: Policy | Sequence[Policy] = "random",
    seed: int | np.random.Generator | None = 0,
    workers: int | None = None,
    executor: Executor | None = None,
) -> Iterator[tuple[int, NDArray[np.void]]]:
    """Play ranges of hands, each the first and how many: chunk by chunk, in order, in constant memory.

    Yields the number of the first hand of a chunk and its rows. The other arguments are those of
    ``simulate``.

    >>> from dagong import DAYE
    >>> [(first, len(rows)) for first, rows in iter_chunks(DAYE, [(0, 12_000), (50_000, 5)], workers=1)]
    [(0, 10000), (10000, 2000), (50000, 5)]
    """
    if not isinstance(rules, Ruleset):
        raise TypeError(f"rules = {rules!r}: expected a Ruleset")
    by_seat = as_policies(policies)
    size = CHUNK if all(isinstance(policy, str) for policy in by_seat) else CHUNK_BY_FUNCTION
    known = as_seed(seed)        # once: of a generator each call would be another
    tasks = ((rules, by_seat, known, first, number) for first, number in cut(ranges, size))
    if workers is not None:
        check_whole(workers, "workers", least=1)
    if executor is not None:
        return in_order(tasks, executor, IN_FLIGHT if workers is None else 2 * workers)
    workers = workers or cores()
    if workers == 1:
        return ((task[3], play_chunk(*task)) for task in tasks)
    return played_by_threads(tasks, workers)


def simulate_into(
    directory: str | os.PathLike[str],
    rules: Ruleset,
    hands: int,
    *,
    policies: str | Sequence[str] = "random",
    seed: int | np.random.Generator | None = 0,
    workers: int | None = None,
    executor: Executor | None = None,
    resume: bool = False,
    watch: Callable[[NDArray[np.void]], object] | None = None,
) -> None:
    """Play hands as ``simulate`` does, into a Parquet data set, in memory that does not grow with them.

    Files are written whole or not at all. ``resume`` goes on with a data set that was begun with the same
    arguments, and ends with the same bytes as if nothing had happened. ``watch`` is called with the rows
    of each chunk, those found on the disk included. See ``dagong.dataset``.

    Raises what ``simulate`` raises; ``ValueError`` if the folder is not empty or was begun with other
    settings; ``ImportError`` without pyarrow; and ``OSError``.
    """
    from concurrent.futures import ThreadPoolExecutor

    from dagong.dataset import Settings, Writer, iter_rows

    check_whole(hands, "hands")
    names = as_policies(policies)
    if not all(isinstance(name, str) for name in names):
        raise ValueError("policies: a data set is of native policies, whose names it can tell")
    settings = Settings(rules=rules, policies=names, seed=as_seed(seed), hands=hands)  # type: ignore[arg-type]
    writer = Writer(directory, settings, resume=resume)
    missing = writer.missing
    if watch is not None and sum(number for _, number in missing) < hands:
        for rows in iter_rows(directory, partial=True):
            watch(rows)
    chunks = iter_chunks(
        rules, missing, policies=policies, seed=settings.seed, workers=workers, executor=executor
    )
    # A file is written while the hands of the next are played.
    with ThreadPoolExecutor(1, thread_name_prefix="dagong-writer") as background:
        written = None
        for start, number in missing:
            rows = np.zeros(number, HAND_DTYPE)
            filled = 0
            while filled < number:
                _, part = next(chunks)
                rows[filled : filled + len(part)] = part
                filled += len(part)
                if watch is not None:
                    watch(part)
            if written is not None:
                written.result()
            written = background.submit(writer.write, start, rows)
        if written is not None:
            written.result()


def play_chunk(
    rules: Ruleset, policies: Sequence[Policy], seed: int, first: int, number: int
) -> NDArray[np.void]:
    """The rows of hands ``first`` to ``first + number - 1``; what an executor is given to do."""
    rows = np.zeros(number, HAND_DTYPE)
    names = [policy for policy in policies if isinstance(policy, str)]
    if len(names) == len(policies):
        play_hands(rules, names, seed, first, rows)
        return rows
    for index in range(number):
        write_row(
            replay_hand(rules, first + index, policies=policies, seed=seed), first + index,
            rows[index : index + 1],
        )
    return rows


def replay_hand(
    rules: Ruleset,
    hand: int,
    *,
    policies: Policy | Sequence[Policy] = "random",
    seed: int = 0,
) -> State:
    """One hand of a simulation, whole: the ``State`` at its end, with all that happened.

    >>> from dagong import DAGUN
    >>> state = replay_hand(DAGUN, 41, seed=7)
    >>> state.result.payoffs == tuple(simulate(DAGUN, 42, seed=7)["payoffs"][41].tolist())
    True
    """
    check_whole(hand, "hand")
    by_seat = as_policies(policies)
    number = as_seed(seed)
    state = State.deal(rules, number, hand_index=hand)
    choices = Choices(number, hand)
    while (seat := state.to_move) is not None:
        policy = by_seat[seat]
        if not isinstance(policy, str):
            ask(policy, state, seat, hand)
        elif state.phase == "bid":
            state.bid(choices.bid(state, policy))
        else:
            act(state, choices.play(state, policy))
    return state


def act(state: State, choice: Play | str | bool | None) -> None:
    """Bid, play, or for None pass."""
    if state.phase == "bid":
        state.bid(choice)  # type: ignore[arg-type]
    elif choice is None:
        state.pass_()
    else:
        state.play(choice)  # type: ignore[arg-type]


def ask(policy: Callable[[Observation], Any], state: State, seat: int, hand: int) -> None:
    """Have a function choose for the seat to move, and do what it says."""
    try:
        act(state, policy(state.observe(seat)))
    except Exception as error:
        raise PolicyError(f"hand {hand}, seat {seat}: {type(error).__name__}: {error}") from error


# Splitting and gathering

Task = tuple[Ruleset, Sequence[Policy], int, int, int]


def cut(ranges: Iterable[tuple[int, int]], size: int) -> Iterator[tuple[int, int]]:
    """Ranges in pieces of at most ``size`` hands.

    >>> list(cut([(0, 5), (8, 1)], 2))
    [(0, 2), (2, 2), (4, 1), (8, 1)]
    """
    for first, number in ranges:
        check_whole(first, "first")
        check_whole(number, "number")
        for start in range(first, first + number, size):
            yield start, min(size, first + number - start)


def played_by_threads(tasks: Iterable[Task], workers: int) -> Iterator[tuple[int, NDArray[np.void]]]:
    """Threads are enough: the core plays without the GIL."""
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(workers, thread_name_prefix="dagong") as pool:
        yield from in_order(tasks, pool, 2 * workers)


def in_order(
    tasks: Iterable[Task], executor: Executor, in_flight: int
) -> Iterator[tuple[int, NDArray[np.void]]]:
    """Submit tasks, so many at a time, and yield their rows in the order of the tasks."""
    waiting: deque[tuple[Task, Future[NDArray[np.void]] | None]] = deque()
    tasks = iter(tasks)
    try:
        while True:
            while len(waiting) < in_flight and (task := next(tasks, None)) is not None:
                waiting.append((task, submit(executor, task)))
            if not waiting:
                return
            task, future = waiting.popleft()
            yield task[3], rows_of(executor, task, future)
    finally:
        for _, future in waiting:
            if future is not None:
                future.cancel()


def submit(executor: Executor, task: Task) -> Future[NDArray[np.void]] | None:
    """Hand a task to the executor; None if it takes no more."""
    try:
        return executor.submit(play_chunk, *task)
    except Exception as error:
        if not is_loss(error):
            raise
        return None


def rows_of(
    executor: Executor, task: Task, future: Future[NDArray[np.void]] | None
) -> NDArray[np.void]:
    """The rows of a task: of the executor, if a worker dies asked again, in the end played here."""
    for attempt in range(ATTEMPTS):
        if future is None:
            break
        try:
            return future.result()
        except Exception as error:
            if not is_loss(error):
                raise
        future = submit(executor, task) if attempt < ATTEMPTS - 1 else None
    return play_chunk(*task)


def is_loss(error: Exception) -> bool:
    """Whether an error means that a worker is gone, and not that its work failed."""
    from concurrent.futures import BrokenExecutor, CancelledError

    return isinstance(error, BrokenExecutor | CancelledError | OSError) or type(
        error
    ).__module__.startswith("distributed")


# Arguments


def cores() -> int:
    """How many this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def check_whole(number: object, name: str, least: int = 0) -> None:
    """Raise unless it is a whole number, not too small, that fits an index."""
    if isinstance(number, bool) or not isinstance(number, int | np.integer):
        raise TypeError(f"{name} = {number!r}: expected a whole number")
    if not least <= number < 1 << 63:
        raise ValueError(f"{name} = {number!r}: expected a whole number from {least}")


def as_policies(policies: Policy | Sequence[Policy]) -> tuple[Policy, ...]:
    """Four policies by seat.

    >>> as_policies("greedy")
    ('greedy', 'greedy', 'greedy', 'greedy')
    """
    by_seat: tuple[Policy, ...] = ()
    if isinstance(policies, str) or callable(policies):
        by_seat = (policies,) * 4
    elif isinstance(policies, Iterable):
        by_seat = tuple(policies)
    if len(by_seat) != 4:
        raise ValueError(f"policies = {policies!r}: expected one, or four by seat")
    for policy in by_seat:
        if not callable(policy) and policy not in POLICIES:
            raise ValueError(
                f"policies: {policy!r} is none: expected {' or '.join(map(repr, POLICIES))}, or a function"
            )
    return by_seat
