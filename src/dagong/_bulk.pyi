from collections.abc import Sequence
from typing import Any

import numpy as np
from typing_extensions import disjoint_base

from dagong._play import CompiledRules, Play
from dagong._state import State

POLICIES: tuple[str, ...]
HAND_DTYPE: np.dtype[np.void]

def play_hands(
    rules: CompiledRules, policies: Sequence[str], seed: int, first: int, out: np.ndarray[Any, Any]
) -> None: ...
def write_row(state: State, hand: int, out: np.ndarray[Any, Any]) -> None: ...

@disjoint_base
class Choices:
    def __init__(self, seed: int, hand: int) -> None: ...
    def bid(self, state: State, policy: str) -> bool: ...
    def play(self, state: State, policy: str) -> Play | None: ...
