"""Dagong (打拱): every legal play under three regional rule sets, exact and fast.

>>> from dagong import Detail, XIANNING
>>> plays = XIANNING.legal_plays("3S 4D 4H XB")
>>> [str(play) for play in plays[:3]]
['3S as single 3', '3S XB as pair 3', '4D as single 4']
"""

from pathlib import Path as _Path

from dagong._bulk import HAND_DTYPE
from dagong._core import CARDS_DTYPE, PLAY_DTYPE, Plays
from dagong._hand import Hand
from dagong._perft import perft
from dagong._play import Play
from dagong._state import OBSERVATION_FIELDS, OBSERVATION_SIZE, State
from dagong.cards import Card
from dagong.kinds import Detail, Kind
from dagong.match import Match
from dagong.outcome import Action, IllegalPlay, Observation, Reason, Result
from dagong.rules import DAGUN, DAYE, XIANNING, Ruleset
from dagong.simulation import simulate

__version__ = "0.1.0"

__all__ = [
    "CARDS_DTYPE",
    "DAGUN",
    "DAYE",
    "HAND_DTYPE",
    "OBSERVATION_FIELDS",
    "OBSERVATION_SIZE",
    "PLAY_DTYPE",
    "XIANNING",
    "Action",
    "Card",
    "Detail",
    "Hand",
    "IllegalPlay",
    "Kind",
    "Match",
    "Observation",
    "Play",
    "Plays",
    "Reason",
    "Result",
    "Ruleset",
    "State",
    "get_include",
    "perft",
    "simulate",
]


def get_include() -> str:
    """The folder to put on Cython's include path, for ``cimport dagong._core``.

    >>> (_Path(get_include()) / "dagong" / "_core.pxd").exists()
    True
    """
    return str(_Path(__file__).resolve().parent.parent)
