"""What a user would otherwise pick, beside dagong, on the same machine in the same run.

    python benchmarks/peers/run.py
    python benchmarks/peers/run.py --only dagong openspiel --json

The games differ: Dagong has 108 cards, four players and wild jokers; Dou Dizhu 54 cards, three players and no
wild cards; chess is another thing altogether, and stands here for scale. So a hand is not a hand, and a play
not a play: look at decisions as well as at hands, and at orders of magnitude.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import Any, NamedTuple

from rich.console import Console
from rich.table import Table

from dagong import DAGUN, DAYE, XIANNING, Ruleset, State, perft, simulate
from dagong._bench import Positions
from dagong.benchmark import environment
from dagong.corpus import LEADS, build

ROUNDS = 5
SECONDS = 20.0
GAMES = "The games differ: cards, hand sizes, players, wild cards. See decisions as well as hands."
STOCKFISH_DEPTH = 6


class Rate(NamedTuple):
    """What was done in some seconds: hands and decisions, or plays listed."""

    hands: float
    decisions: float
    seconds: float


class Line(NamedTuple):
    """One line of the table: how much it does a call, and of what."""

    peer: str
    game: str
    what: str              # "hands" or "plays"
    run: Callable[[], Rate]


class Missing(Exception):
    """A peer that is not installed; the message says how to."""


def module(name: str, install: str) -> Any:
    try:
        return import_module(name)
    except ImportError:
        raise Missing(install) from None


def timed(work: Callable[[], tuple[float, float]]) -> Rate:
    """Process time, so that other programs count for less."""
    begun = time.process_time()
    hands, decisions = work()
    return Rate(hands, decisions, time.process_time() - begun)


# dagong


def dagong_lines() -> Iterator[Line]:
    for rules in (DAGUN, DAYE, XIANNING):
        yield Line("dagong, native", str(rules), "hands", lambda rules=rules: timed(lambda: hands_of(rules)))
        positions = Positions(rules, build(rules)[LEADS])
        yield Line(
            "dagong, leads listed", str(rules), "plays",
            lambda positions=positions: timed(lambda: (0, positions.generate(1))),
        )
        opening = State.deal(rules, 7)
        while opening.phase == "bid":
            opening.bid(False)
        yield Line(
            "dagong, perft 5", str(rules), "plays",
            lambda opening=opening: timed(lambda: (0, perft(opening, 5))),
        )


def hands_of(rules: Ruleset) -> tuple[float, float]:
    rows = simulate(rules, 20_000, workers=1)
    return len(rows), float(rows["plays"].sum() + rows["passes"].sum())


# OpenSpiel


def openspiel_lines() -> Iterator[Line]:
    spiel = module("pyspiel", "pip install open_spiel")
    game = spiel.load_game("dou_dizhu")
    chance = random.Random(1)
    decisions = statistics.fmean(spiel_hand(game, chance) for _ in range(100))
    yield Line(
        "OpenSpiel, C++ playouts", "Dou Dizhu", "hands",
        lambda: timed(lambda: spiel_playouts(spiel, game, chance, decisions)),
    )
    yield Line(
        "OpenSpiel, from Python", "Dou Dizhu", "hands",
        lambda: timed(lambda: (100, sum(spiel_hand(game, chance) for _ in range(100)))),
    )


def spiel_deal(game: Any, chance: random.Random) -> Any:
    state = game.new_initial_state()
    while state.is_chance_node():
        outcomes, odds = zip(*state.chance_outcomes(), strict=True)
        state.apply_action(chance.choices(outcomes, odds)[0])
    return state


def spiel_hand(game: Any, chance: random.Random) -> int:
    """A random hand; its decisions, the bids included."""
    state = spiel_deal(game, chance)
    decisions = 0
    while not state.is_terminal():
        state.apply_action(chance.choice(state.legal_actions()))
        decisions += 1
    return decisions


def spiel_playouts(spiel: Any, game: Any, chance: random.Random, decisions: float) -> tuple[float, float]:
    """The wheel has no loop of playouts of its own, but a search whose evaluator is one, from the deal."""
    playouts = 3000
    evaluator = spiel.RandomRolloutEvaluator(playouts, chance.randrange(1 << 30))
    spiel.MCTSBot(game, evaluator, 1.0, 1, 100, False, 1, False).mcts_search(spiel_deal(game, chance))
    return playouts, playouts * decisions


# RLCard


def rlcard_lines() -> Iterator[Line]:
    rlcard = module("rlcard", "pip install rlcard")
    game = module("rlcard.games.doudizhu", "pip install rlcard").Game()
    chance = random.Random(1)

    def play() -> tuple[float, float]:
        decisions = 0
        for _ in range(10):
            state, _ = game.init_game()
            while not game.is_over():
                state, _ = game.step(chance.choice(state["actions"]))
                decisions += 1
        return 10, decisions

    yield Line(f"RLCard {rlcard.__version__}", "Dou Dizhu", "hands", lambda: timed(play))


# Chess, for scale


def chess_lines() -> Iterator[Line]:
    chess = module("chess", "pip install chess")
    board = chess.Board("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1")

    def leaves(depth: int) -> int:
        if depth == 1:
            return board.legal_moves.count()
        total = 0
        for move in board.legal_moves:
            board.push(move)
            total += leaves(depth - 1)
            board.pop()
        return total

    yield Line("python-chess, perft 3", "chess", "plays", lambda: timed(lambda: (0, leaves(3))))


def stockfish_lines() -> Iterator[Line]:
    program = shutil.which("stockfish") or shutil.which("/usr/games/stockfish")
    if program is None:
        raise Missing("apt install stockfish")

    def count() -> Rate:
        begun = children_time()
        done = subprocess.run(
            [program], input=f"position startpos\ngo perft {STOCKFISH_DEPTH}\nquit\n", capture_output=True,
            text=True, check=True,
        )
        found = re.search(r"Nodes searched: (\d+)", done.stdout)
        return Rate(0, int(found.group(1)) if found else 0, children_time() - begun)

    yield Line(f"Stockfish, perft {STOCKFISH_DEPTH}, start included", "chess", "plays", count)


def children_time() -> float:
    """Processor time of the programs run and ended, as for all others; on the wall where it is not told."""
    try:
        import resource
    except ImportError:
        return time.perf_counter()
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


PEERS: dict[str, Callable[[], Iterator[Line]]] = {
    "dagong": dagong_lines,
    "openspiel": openspiel_lines,
    "rlcard": rlcard_lines,
    "chess": chess_lines,
    "stockfish": stockfish_lines,
}
PACKAGES = ("dagong", "open_spiel", "rlcard", "chess")


def measure(names: list[str], seconds: float) -> tuple[list[dict[str, Any]], dict[str, str]]:
    """The medians of rounds that take turns; and how to install what is missing."""
    lines: list[Line] = []
    missing: dict[str, str] = {}
    for name in names:
        try:
            lines.extend(PEERS[name]())
        except Missing as error:
            missing[name] = str(error)
    share = seconds / ROUNDS / max(1, len(lines))
    rounds: list[list[Rate]] = [[] for _ in lines]
    for _ in range(ROUNDS):
        for line, rates in zip(lines, rounds, strict=True):
            hands = decisions = spent = 0.0
            while spent < share or not decisions:
                rate = line.run()
                hands, decisions, spent = hands + rate.hands, decisions + rate.decisions, spent + rate.seconds
            rates.append(Rate(hands, decisions, spent))
    return [
        {
            "peer": line.peer,
            "game": line.game,
            "of": line.what,
            "hands_per_second": statistics.median(rate.hands / rate.seconds for rate in rates),
            "per_second": statistics.median(rate.decisions / rate.seconds for rate in rates),
        }
        for line, rates in zip(lines, rounds, strict=True)
    ], missing


def versions() -> dict[str, str]:
    found = {}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found


def show(results: list[dict[str, Any]], missing: dict[str, str]) -> None:
    console = Console(highlight=False)
    about = environment()
    console.print(f"{about['cpu']} · {about['python']} · core: {about['core']['compiler']} · {versions()}")
    table = Table("", "game", "hands/s", "decisions or plays/s", box=None, pad_edge=False)
    for result in results:
        hands = f"{result['hands_per_second']:,.0f}" if result["of"] == "hands" else ""
        table.add_row(result["peer"], result["game"], hands, f"{result['per_second']:,.0f}")
    console.print(table)
    console.print(GAMES)
    for name, install in missing.items():
        console.print(f"{name} is not installed: {install}")


def main(arguments: list[str]) -> None:
    plain = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=plain)
    parser.add_argument("--only", nargs="+", choices=PEERS, default=list(PEERS), help="these alone")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="how long to measure, about")
    parser.add_argument("--json", action="store_true", help="print JSON")
    options = parser.parse_args(arguments)
    results, missing = measure(options.only, options.seconds)
    if options.json:
        about = {"environment": environment(), "versions": versions(), "note": GAMES}
        print(json.dumps({**about, "results": results, "missing": missing}, indent=2))
    else:
        show(results, missing)


if __name__ == "__main__":
    main(sys.argv[1:])
