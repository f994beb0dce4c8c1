"""Many hands at once: the work cut into chunks, played by threads or any executor, the rows gathered.

>>> from dagong import XIANNING, simulate
>>> rows = simulate(XIANNING, 1000, policies=("greedy", "random", "greedy", "random"), seed=7)
>>> rows.shape, rows["hand"][-1], rows["payoffs"].sum(axis=1).any()
((1000,), np.uint64(999), np.False_)

A row is one HAND_DTYPE. Fields of shape (4,) are by seat, but for the places:

===================  ==========  =====  ==========================================================
field                dtype       shape  what it is
===================  ==========  =====  ==========================================================
``hand``             ``uint64``  ()     number of the hand
``payoffs``          ``int32``   (4,)   what a seat receives, in stakes (底); the sum is 0
``multiplier``       ``int32``   ()     stakes that the hand was won by, doublings included (R7.7)
``plays``            ``uint16``  ()     plays made
``passes``           ``uint16``  ()     passes made
``dealer``           ``uint8``   ()     seat that dealt, in a solo too
``called``           ``uint8``   ()     code of the called card, 0 to 53
``soloist``          ``int8``    ()     seat; -1: none
``partner``          ``int8``    ()     seat of the dealer's partner; -1 in a solo
``ending``           ``uint8``   ()     1 to 5: an item of ``dagong.dataset.ENDINGS``, from 1
``verdict``          ``uint8``   ()     1 to 13: which line of R7 decided (docs/simulation.md)
``winners``          ``uint8``   ()     seats that won: the sum of 2**seat
``revealed``         ``uint8``   ()     1 if the partner was known to all at the end
``places``           ``int8``    (4,)   seat that ran out first, second…; -1: none did
``captured``         ``uint8``   (4,)   points in the tricks of a seat
``points``           ``uint8``   (4,)   points with those left over (R7.2)
``left``             ``uint8``   (4,)   cards still held at the end
``jokers``           ``uint8``   (4,)   jokers dealt
``quads``            ``uint8``   (4,)   ranks of which four natural cards or more were dealt
``five_ten_kings``   ``uint8``   (4,)   510Ks played
``bombs``            ``uint8``   (4,)   bombs of one rank played
``rolls``            ``uint8``   (4,)   rolls played
``sky_bombs``        ``uint8``   (4,)   sky bombs played
``sky``              ``uint8``   (4,)   times all four jokers earned a bonus (R7.6)
``eights``           ``uint8``   (4,)   eights of a rank that earned one
``sevens``           ``uint8``   (4,)   sevens of a rank that earned one
``four_510ks``       ``uint8``   (4,)   times four 510Ks earned one
===================  ==========  =====  ==========================================================
"""

from __future__ import annotations

import os
import re
import warnings
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing
from functools import lru_cache
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
"""A native policy by name, or what to do as a function of what a seat may know; the function itself, or where
it can be imported from: ``"module:function"``.

In the bidding (``seen.phase == "bid"``) a function returns whether to play solo; then a play, its text, or
None for the pass. ``seen.legal_plays()`` lists the plays.
"""

CHUNK = 10_000              # hands of a task: a megabyte of rows, 50 to 100 ms of one core
CHUNK_BY_FUNCTION = 50      # where Python is asked for every play, the same time
IN_FLIGHT = 64              # tasks handed to an executor of unknown size
ATTEMPTS = 3                # to have a chunk played by others, before it is played here

_IMPORTABLE = re.compile(r"[^\W\d][\w.]*:[^\W\d][\w.]*")


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

    ``policies`` is one policy for all, or four by seat: ``"random"``, ``"greedy"``, a function, or the name
    of one, ``"module:function"``; see docs/simulation.md. The rows depend on rules, seed and policies alone,
    never on who plays which of them: ``workers`` threads (as many as the machine has cores unless told), or
    an ``executor`` of ``concurrent.futures`` or any that behaves like one. ``progress(done, hands)`` is
    called now and then.

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
    chunks = iter_chunks(
        rules, [(0, hands)], policies=by_seat, seed=number, workers=workers, executor=executor
    )
    with closing(chunks):
        for first, part in chunks:
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
) -> Chunks:
    """Play ranges of hands, each the first and how many: chunk by chunk, in order, in constant memory.

    Yields the number of the first hand of a chunk and its rows. The other arguments are those of
    ``simulate``. A generator that is closed before its end cancels what has not begun.

    >>> from dagong import DAYE
    >>> [(first, len(rows)) for first, rows in iter_chunks(DAYE, [(0, 12_000), (50_000, 5)], workers=1)]
    [(0, 10000), (10000, 2000), (50000, 5)]
    """
    if not isinstance(rules, Ruleset):
        raise TypeError(f"rules = {rules!r}: expected a Ruleset")
    by_seat = as_policies(policies)
    size = CHUNK if all(policy in POLICIES for policy in by_seat) else CHUNK_BY_FUNCTION
    known = as_seed(seed)        # once: of a generator each call would be another
    tasks = ((rules, by_seat, known, first, number) for first, number in cut(ranges, size))
    if workers is not None:
        check_whole(workers, "workers", least=1)
    if executor is not None:
        if not callable(getattr(executor, "submit", None)):
            raise TypeError(f"executor = {executor!r}: expected one of concurrent.futures")
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
    chunk: int | None = None,
    watch: Callable[[NDArray[np.void]], object] | None = None,
) -> None:
    """Play hands as ``simulate`` does, into a Parquet data set, in memory that does not grow with them.

    Files are written whole or not at all, ``chunk`` hands to each (``dagong.dataset.CHUNK`` unless told).
    ``resume`` goes on with a data set that was begun with the same arguments, and ends with the same bytes as
    if nothing had happened. ``watch`` is called with the rows of each part, those found on the disk included.
    Policies need names, to be told in the files. See ``dagong.dataset``.

    Raises what ``simulate`` raises; ``ValueError`` if the folder is not empty or was begun with other
    settings; ``ImportError`` without pyarrow; and ``OSError``.

    >>> import tempfile
    >>> from dagong import DAYE
    >>> from dagong.dataset import iter_rows
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     simulate_into(folder, DAYE, 50, seed=7, chunk=20)
    ...     print(sorted(os.listdir(folder)), sum(len(rows) for rows in iter_rows(folder)))
    ['hands-000000000000.parquet', 'hands-000000000020.parquet', 'hands-000000000040.parquet'] 50
    """
    from concurrent.futures import ThreadPoolExecutor

    from dagong.dataset import CHUNK as HANDS_IN_A_FILE
    from dagong.dataset import Settings, Writer, iter_rows

    check_whole(hands, "hands", least=1)
    if chunk is not None:
        check_whole(chunk, "chunk", least=1)
    names = []
    for policy in as_policies(policies):
        if not isinstance(policy, str):
            raise ValueError(f"policies: {policy!r} has no name to tell in files: give 'module:function'")
        names.append(policy)
    settings = Settings(
        rules=rules, policies=tuple(names), seed=as_seed(seed), hands=int(hands),
        chunk=int(chunk or HANDS_IN_A_FILE),
    )
    writer = Writer(directory, settings, resume=resume)
    missing = writer.missing
    if watch is not None and sum(number for _, number in missing) < hands:
        for rows in iter_rows(directory, partial=True):
            watch(rows)
    chunks = iter_chunks(
        rules, missing, policies=names, seed=settings.seed, workers=workers, executor=executor
    )
    # A file is written while the hands of the next are played.
    with closing(chunks), ThreadPoolExecutor(1, thread_name_prefix="dagong-writer") as background:
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
    if all(policy in POLICIES for policy in policies):
        play_hands(rules, policies, seed, first, rows)  # type: ignore[arg-type]
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
    by_seat = [imported(policy) for policy in as_policies(policies)]
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
Chunks = Generator[tuple[int, "NDArray[np.void]"], None, None]


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


def played_by_threads(tasks: Iterable[Task], workers: int) -> Chunks:
    """Threads are enough: the core plays without the GIL."""
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(workers, thread_name_prefix="dagong") as pool:
        yield from in_order(tasks, pool, 2 * workers)


def in_order(tasks: Iterable[Task], executor: Executor, in_flight: int) -> Chunks:
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
        return executor.submit(play_task, version(), *task)
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
    warnings.warn(
        "the executor lost hands with its workers and cannot play them: this process does, on one core",
        RuntimeWarning, stacklevel=2,
    )
    return play_chunk(*task)


def play_task(asked_by: str, *task: Any) -> NDArray[np.void]:
    """``play_chunk`` at the other end of an executor, which may be another machine."""
    if asked_by != version():
        raise RuntimeError(f"a worker has dagong {version()}, not {asked_by}: its hands might be others")
    return play_chunk(*task)


def version() -> str:
    """That of dagong."""
    from dagong import __version__

    return __version__


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
        raise ValueError(f"{name} = {number!r}: expected a whole number {least} to 2**63 - 1")


def as_policies(policies: Policy | Sequence[Policy]) -> tuple[Policy, ...]:
    """Four policies by seat.

    >>> as_policies("greedy")
    ('greedy', 'greedy', 'greedy', 'greedy')
    """
    by_seat: tuple[Policy, ...]
    if isinstance(policies, str) or callable(policies):
        by_seat = (policies,) * 4
    elif isinstance(policies, Iterable):
        by_seat = tuple(policies)
    else:
        raise TypeError(f"policies = {policies!r}: expected one, or four by seat")
    if len(by_seat) != 4:
        raise ValueError(f"policies = {policies!r}: expected one, or four by seat")
    for policy in by_seat:
        if not callable(policy) and not is_policy_name(policy):
            expected = f"{', '.join(map(repr, POLICIES))}, a function, or 'module:function'"
            raise ValueError(f"policies: {policy!r} is none: expected {expected}")
        imported(policy)
    return by_seat


def is_policy_name(name: object) -> bool:
    """Whether it names a native policy, or may name a function.

    >>> [is_policy_name(name) for name in ("greedy", "bots:careful", "careful")]
    [True, True, False]
    """
    return isinstance(name, str) and (name in POLICIES or _IMPORTABLE.fullmatch(name) is not None)


def imported(policy: Policy) -> Policy:
    """The function that a name stands for; a function, or the name of a native policy, as it is."""
    if isinstance(policy, str) and policy not in POLICIES:
        return function_named(policy)
    return policy


@lru_cache(maxsize=64)
def function_named(name: str) -> Policy:
    """A function by where it can be imported from."""
    from pkgutil import resolve_name

    try:
        function = resolve_name(name)
    except (ImportError, AttributeError) as error:
        raise ValueError(f"policies: {name!r} cannot be imported: {error}") from error
    if not callable(function):
        raise ValueError(f"policies: {name!r} is no function, but {function!r}")
    return function  # type: ignore[no-any-return]
