from collections.abc import Iterable
from typing import Self

from typing_extensions import disjoint_base

from dagong._hand import Hand
from dagong.kinds import Kind
from dagong.notation import Declaration

@disjoint_base
class CompiledRules:
    def _compile(
        self,
        *,
        lone_jokers: str,
        ftk_max_jokers: int,
        sky_bomb: bool,
        natural_bombs: bool,
        rolls: str,
        roll_two: bool,
        roll_order: str,
        call_rule: str = ...,
        call_jokers: bool = ...,
        scoring: str = ...,
        unplayed_points_to: str = ...,
        sweep_needs_out: bool = ...,
        solo_multiplier: int = ...,
        holding_bonuses: Iterable[str] = ...,
        roll_bonus: str = ...,
    ) -> None: ...

@disjoint_base
class Play:
    def __new__(cls, text: str) -> Self: ...
    def __init__(self, text: str) -> None: ...
    @property
    def kind(self) -> Kind: ...
    @property
    def rank(self) -> int: ...
    @property
    def length(self) -> int: ...
    @property
    def suit(self) -> int | None: ...
    @property
    def size(self) -> int: ...
    @property
    def jokers(self) -> int: ...
    @property
    def cards(self) -> Hand: ...
    @property
    def points(self) -> int: ...
    @property
    def declaration(self) -> Declaration: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

def parse_play(compiled: CompiledRules, text: str) -> Play: ...
