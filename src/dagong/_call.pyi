from collections.abc import Iterable
from typing import SupportsIndex

from dagong._play import CompiledRules
from dagong.cards import Card

def callable_cards(
    compiled: CompiledRules, dealt: Iterable[str | SupportsIndex], first_hand: bool
) -> list[Card]: ...
