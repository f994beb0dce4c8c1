"""The golden tables of perft counts, ``tests/data/perft_*.jsonl``, and the command that works them out again:

    python tests/perft_golden.py             # every count anew from the oracle, into the files
    python tests/perft_golden.py --check     # only say which differ

A line of a table is a position, as the keywords of ``State.from_hands`` with all cards and plays as text, and
its counts at depths 1, 2, … for each detail. To add a position, write its line with as many zeros as depths
are wanted and run the command. To find out what a count is made of:

    python tests/perft_golden.py --divide daye "ending, two cards each" --detail RANKS --depth 3
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import oracle
from oracle_perft import DETAILS, Perft, Position

DATA = Path(__file__).parent / "data"
RULES = ("DAGUN", "DAYE", "XIANNING")

Line = dict[str, Any]


def path_of(rules: str) -> Path:
    """The table of a rule set."""
    return DATA / f"perft_{rules.lower()}.jsonl"


def table(rules: str) -> list[Line]:
    """The positions of a rule set with their counts."""
    return [json.loads(line) for line in path_of(rules).read_text("utf-8").splitlines()]


def recount(rules: str, line: Line, most: int | None = None) -> Iterator[tuple[str, int, int]]:
    """Detail, depth and the oracle's count, for each count of the line.

    With ``most`` a count is left out if the table has more nodes than that just above its leaves.
    """
    fields = oracle.rules_of(rules)
    position = Position(fields, **line["position"])
    for detail in DETAILS:
        counts = line["counts"][detail]
        perft = Perft(fields, detail)
        for depth in range(1, len(counts) + 1):
            if most is None or depth == 1 or counts[depth - 2] <= most:
                yield detail, depth, perft.count(position, depth)


def rewrite(rules: str) -> int:
    """Put the oracle's counts into a table; how many there are."""
    lines = table(rules)
    number = 0
    for line in lines:
        started = time.process_time()
        counts: dict[str, list[int]] = {detail: [] for detail in DETAILS}
        for detail, _, count in recount(rules, line):
            counts[detail].append(count)
            number += 1
        line["counts"] = counts
        print(f"{rules}: {line['name']}: {time.process_time() - started:.1f} s", file=sys.stderr)
    text = "".join(json.dumps(line) + "\n" for line in lines)
    path_of(rules).write_text(text, "utf-8")
    return number


def differences(rules: str, line: Line, most: int | None = None) -> list[str]:
    """Where the oracle and the table differ, in words."""
    found = []
    for detail, depth, count in recount(rules, line, most):
        golden = line["counts"][detail][depth - 1]
        if count != golden:
            where = f"{rules}: {line['name']}: {detail} at depth {depth}"
            found.append(f"{where}: {golden} in the table, {count} by the oracle")
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description="Work out the golden tables of perft counts again.")
    parser.add_argument("--check", action="store_true", help="change nothing, say what differs")
    parser.add_argument("--divide", nargs=2, metavar=("RULES", "NAME"), help="counts by first action")
    parser.add_argument("--detail", choices=DETAILS, default="RANKS")
    parser.add_argument("--depth", type=int, default=1)
    given = parser.parse_args()
    if given.divide:
        rules, name = given.divide[0].upper(), given.divide[1]
        (line,) = [line for line in table(rules) if line["name"] == name]
        fields = oracle.rules_of(rules)
        counts = Perft(fields, given.detail).divide(Position(fields, **line["position"]), given.depth)
        for action, count in counts.items():
            print(f"{count}\t{action}")
        print(f"{sum(counts.values())}\ttotal")
        return 0
    if given.check:
        found = [text for rules in RULES for line in table(rules) for text in differences(rules, line)]
        print("\n".join(found or ["all as in the tables"]))
        return bool(found)
    number = sum(rewrite(rules) for rules in RULES)
    print(f"{number} counts", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
