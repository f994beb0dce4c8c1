from collections.abc import Iterable, Iterator
from typing import SupportsIndex, TypeAlias, overload

import numpy as np
import numpy.typing as npt
from typing_extensions import disjoint_base

from dagong._hand import Hand
from dagong._play import CompiledRules, Play
from dagong.cards import Card
from dagong.kinds import Detail, Kind

_Card: TypeAlias = str | SupportsIndex
_Cards: TypeAlias = str | Hand | Iterable[_Card]
_Records: TypeAlias = npt.NDArray[np.void]

PLAY_DTYPE: np.dtype[np.void]
CARDS_DTYPE: np.dtype[np.void]

class RulesetCore(CompiledRules):
    def identify(self, cards: _Cards) -> tuple[Play, ...]: ...
    def legal_plays(
        self,
        hand: _Cards,
        to_beat: Play | None = None,
        *,
        detail: Detail | int = ...,
        called: _Card | None = None,
    ) -> Plays: ...
    def count_plays(
        self,
        hand: _Cards,
        to_beat: Play | None = None,
        *,
        detail: Detail | int = ...,
        called: _Card | None = None,
    ) -> int: ...
    def legal_plays_into(
        self,
        buffer: _Records,
        hand: _Cards,
        to_beat: Play | None = None,
        *,
        detail: Detail | int = ...,
        called: _Card | None = None,
    ) -> int: ...
    def beats(self, a: Play, b: Play) -> bool: ...
    def strength(self, play: Play) -> int: ...

@disjoint_base
class Plays:
    def __init__(self) -> None: ...
    @property
    def hand(self) -> Hand: ...
    @property
    def to_beat(self) -> Play | None: ...
    @property
    def detail(self) -> Detail: ...
    @property
    def called(self) -> Card | None: ...
    @property
    def array(self) -> _Records: ...
    def of_kind(self, kind: Kind | int) -> Plays: ...
    def cards_array(self) -> npt.NDArray[np.uint8]: ...
    def index(self, play: Play) -> int: ...
    def count(self, play: object) -> int: ...
    @overload
    def __getitem__(self, index: SupportsIndex, /) -> Play: ...
    @overload
    def __getitem__(self, index: slice, /) -> Plays: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[Play]: ...
    def __reversed__(self) -> Iterator[Play]: ...
    def __contains__(self, play: object, /) -> bool: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

def list_again(
    rules: RulesetCore,
    hand: Hand,
    to_beat: Play | None,
    detail: int,
    called: int,
    kind: int,
    start: int,
    step: int,
    number: int,
) -> Plays: ...
