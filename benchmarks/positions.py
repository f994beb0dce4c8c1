"""Print the corpus, a position a line, or its fingerprint.

    python benchmarks/positions.py --rules DAGUN --section "leads with 4 jokers"
    python benchmarks/positions.py --fingerprint
"""

from __future__ import annotations

import argparse

from dagong.corpus import SECTIONS, build, fingerprint
from dagong.rules import PRESETS


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rules", choices=PRESETS, action="append", help="a rule set; all by default")
    parser.add_argument("--section", choices=SECTIONS, action="append", help="a section; all by default")
    parser.add_argument("--fingerprint", action="store_true", help="print that instead, of all sections")
    chosen = parser.parse_args()
    corpora = {name: build(PRESETS[name]) for name in chosen.rules or PRESETS}
    if chosen.fingerprint:
        for name, corpus in corpora.items():
            print(f"{name}: {fingerprint(corpus)}")
        print(f"together: {fingerprint(corpora.values())}")
        return
    for name, corpus in corpora.items():
        for section in chosen.section or SECTIONS:
            print(f"# {name}, {section}")
            for position in corpus[section]:
                print(position)


if __name__ == "__main__":
    try:
        main()
    except BrokenPipeError:  # as behind `| head`
        raise SystemExit(0) from None
