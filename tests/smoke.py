"""A look at an installed dagong that needs nothing besides: run as a script, outside of the checkout."""

from pathlib import Path

import numpy as np

import dagong
from dagong import DAGUN, DAYE, PLAY_DTYPE, XIANNING, Detail, Hand


def main() -> None:
    hand = Hand("3S 4D 4H 5S TS KS AS AS XB XR")
    for rules in (DAGUN, DAYE, XIANNING):
        for detail in Detail:
            plays = rules.legal_plays(hand, detail=detail)
            assert len(plays) == rules.count_plays(hand, detail=detail) == len(plays.array)
            assert all(rules.parse_play(str(play)) == play for play in plays)
    buffer = np.zeros(1000, PLAY_DTYPE)
    assert DAGUN.legal_plays_into(buffer, hand) == DAGUN.count_plays(hand)
    assert (Path(dagong.get_include()) / "dagong" / "_core.pxd").is_file()
    assert (Path(dagong.__file__).parent / "py.typed").is_file()
    assert (Path(dagong.__file__).parent / "_core.pyi").is_file()
    print(f"dagong {dagong.__version__} in {Path(dagong.__file__).parent}: fine")


if __name__ == "__main__":
    main()
