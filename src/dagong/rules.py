"""The rule sets: their fields, the three presets, and the checks on both (R8)."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from dagong import notation
from dagong._call import callable_cards
from dagong._core import RulesetCore
from dagong._play import Play, parse_play
from dagong.cards import Card

_CHOICES: dict[str, tuple[object, ...]] = {
    "lone_jokers": ("threes", "wild"),
    "ftk_max_jokers": (0, 1, 2, 3),
    "sky_bomb": (False, True),
    "natural_bombs": (False, True),
    "rolls": ("none", "soft", "hard"),
    "roll_two": (False, True),
    "roll_order": ("largest_from_ten", "cards_then_largest", "cards_then_top"),
    "call_rule": ("after_second_copy", "first_singleton"),
    "call_jokers": (False, True),
    "scoring": ("points", "arch"),
    "unplayed_points_to": ("third", "first"),
    "sweep_needs_out": (False, True),
    "roll_bonus": ("none", "side_payment", "winner_doubles"),
}
HAND_CARDS = 27
_BONUSES = ("sky", "eight", "seven", "four_510k")

@dataclass(frozen=True, kw_only=True, repr=False)
class Ruleset(RulesetCore):
    """A rule set: what is a play, what beats what, who pays (R8). Immutable and hashable.

    Start from a preset, ``DAGUN``, ``DAYE`` or ``XIANNING``, and ``replace`` what a house plays
    differently. docs/rules.md says what each value means.

    Raises ``ValueError`` or ``TypeError``, naming the field, for an unknown value and for a combination
    that makes no sense: a ``roll_bonus`` without ``rolls``.

    >>> house = DAGUN.replace(rolls="hard", sky_bomb=False)
    >>> str(house)
    "DAGUN with sky_bomb=False, rolls='hard'"
    >>> eval(repr(house)) == house
    True
    """

    lone_jokers: str = field()
    """What jokers alone may be: ``threes`` or ``wild`` (R2.3)."""
    ftk_max_jokers: int = field()
    """The most jokers in a 510K, 0 to 3 (R2.4)."""
    sky_bomb: bool = field()
    """Whether four jokers alone are a sky bomb (R3.9)."""
    natural_bombs: bool = field()
    """Whether seven and eight natural cards of a rank stand above other bombs (R3.7)."""
    rolls: str = field()
    """``none``, ``hard`` (without jokers) or ``soft`` (R3.10)."""
    roll_two: bool = field()
    """Whether a roll may hold 2s; without effect where there are no rolls (R3.10)."""
    roll_order: str = field()
    """How rolls compare (R4.4); without effect where there are no rolls."""
    call_rule: str = field()
    """How the called card of later hands is found (R5.3)."""
    call_jokers: bool = field()
    """Whether a joker may be called (R5.3)."""
    scoring: str = field()
    """``points`` (R7.3) or ``arch`` (R7.4, with the early endings of R6.6)."""
    unplayed_points_to: str = field()
    """Who gets the points left in the last player's hand (R7.2)."""
    sweep_needs_out: bool = field()
    """Whether taking all 200 pays double only if the last player is not on that side (R7.3)."""
    solo_multiplier: int = field()
    """What a solo hand is played for (R7.1)."""
    holding_bonuses: tuple[str, ...] = field()
    """The holdings that earn a bonus: of ``sky``, ``eight``, ``seven``, ``four_510k`` (R7.6)."""
    roll_bonus: str = field()
    """What a roll that was played earns (R7.7)."""

    def __post_init__(self) -> None:
        for name, choices in _CHOICES.items():
            value = getattr(self, name)
            # 0 == False in Python, but not here
            if not any(type(value) is type(choice) and value == choice for choice in choices):
                expected = ", ".join(map(repr, choices))
                raise ValueError(f"{name} = {value!r}: expected one of {expected}")
        if type(self.solo_multiplier) is not int or not 1 <= self.solo_multiplier <= 1000:
            raise ValueError(f"solo_multiplier = {self.solo_multiplier!r}: expected a whole number 1 to 1000")
        object.__setattr__(self, "holding_bonuses", _checked_bonuses(self.holding_bonuses))
        if self.rolls == "none" and self.roll_bonus != "none":
            raise ValueError(f"roll_bonus = {self.roll_bonus!r} makes no sense with rolls = 'none'")
        self._compile(**self.fields())

    @staticmethod
    def from_name(name: str) -> Ruleset:
        """A preset by its name, in any case.

        Raises ``ValueError`` for another name.

        >>> Ruleset.from_name("xianning") is XIANNING
        True
        """
        preset = PRESETS.get(name.upper()) if isinstance(name, str) else None
        if preset is None:
            known = ", ".join(PRESETS)
            text = notation.shown(name) if isinstance(name, str) else repr(name)
            raise ValueError(f"{text} is no rule set: expected one of {known}")
        return preset

    def replace(self, **fields: Any) -> Ruleset:
        """The same rules with some fields changed.

        Raises ``TypeError`` for an unknown field, ``ValueError`` for an unknown value.

        >>> DAYE.replace(sky_bomb=True).sky_bomb
        True
        """
        known = self.fields()
        for name in fields:
            if name not in known:
                raise TypeError(f"{name!r} is no field of a rule set: expected one of {', '.join(known)}")
        return dataclasses.replace(self, **fields)

    def fields(self) -> dict[str, Any]:
        """All fields by name.

        >>> XIANNING.fields()["rolls"]
        'hard'
        """
        return {item.name: getattr(self, item.name) for item in dataclasses.fields(self)}

    def parse_play(self, text: str) -> Play:
        """Read a play: cards, ``as`` and a declaration, as ``str(play)`` writes it.

        The declaration may be left out where only one exists. Raises ``ValueError``, naming what is
        wrong, if the text cannot be read, is no play under these rules, or may be several.

        >>> XIANNING.parse_play("5S KS XB")
        Play('5S KS XB as five_ten_king S')
        """
        return parse_play(self, text)

    def called_card(
        self,
        dealt: str | Iterable[Card | int],
        *,
        first_hand: bool = False,
        rng: np.random.Generator | int | None = None,
    ) -> Card:
        """The called card for a dealer's cards in the order dealt (R5.3).

        ``rng`` is a NumPy generator or a seed; only the first hand of a match needs it, where chance
        decides among the cards that may be called and that the dealer holds once.

        Raises ``ValueError`` for cards that are no hand, or if the dealer holds no card exactly once.

        >>> str(DAGUN.called_card("XB 9C 3S 4S 3S"))
        '9C'
        """
        codes = [Card(code) for code in (notation.parse_cards(dealt) if isinstance(dealt, str) else dealt)]
        if len(codes) > HAND_CARDS:
            raise ValueError(f"{len(codes)} cards: a hand holds at most {HAND_CARDS} (R5.1)")
        copies = {code: codes.count(code) for code in codes}
        for code, number in copies.items():
            if number > 2:
                raise ValueError(f"a third {code}: there are two of each card")
        choices = callable_cards(self, codes, first_hand)
        if not choices:
            raise ValueError("the dealer holds no card exactly once, so none can be called (R5.3)")
        if len(choices) == 1:
            return choices[0]
        return choices[int(np.random.default_rng(rng).integers(len(choices)))]

    def __str__(self) -> str:
        own = self.fields()
        name, changed = min(
            (
                (name, {key: own[key] for key, value in preset.fields().items() if value != own[key]})
                for name, preset in PRESETS.items()
            ),
            key=lambda item: len(item[1]),
        )
        changes = ", ".join(f"{key}={value!r}" for key, value in changed.items())
        return f"{name} with {changes}" if changed else name

    def __repr__(self) -> str:
        return f"Ruleset({', '.join(f'{key}={value!r}' for key, value in self.fields().items())})"

    def __reduce__(self) -> tuple[Any, ...]:
        return _ruleset_again, (self.fields(),)


def _ruleset_again(fields: dict[str, Any]) -> Ruleset:
    return Ruleset(**fields)


def _checked_bonuses(bonuses: object) -> tuple[str, ...]:
    """In the order of R8, so that equal sets are equal fields."""
    if isinstance(bonuses, str) or not isinstance(bonuses, Iterable):
        raise ValueError(f"holding_bonuses = {bonuses!r}: expected some of {', '.join(_BONUSES)}")
    named = list(bonuses)
    for name in named:
        if name not in _BONUSES or named.count(name) > 1:
            expected = f"each of {', '.join(_BONUSES)} once at most"
            raise ValueError(f"holding_bonuses has {name!r}: expected {expected}")
    return tuple(name for name in _BONUSES if name in named)


DAGUN = Ruleset(
    lone_jokers="threes",
    ftk_max_jokers=1,
    sky_bomb=True,
    natural_bombs=True,
    rolls="soft",
    roll_two=True,
    roll_order="largest_from_ten",
    call_rule="after_second_copy",
    call_jokers=False,
    scoring="points",
    unplayed_points_to="third",
    sweep_needs_out=True,
    solo_multiplier=4,
    holding_bonuses=("sky", "eight", "seven"),
    roll_bonus="side_payment",
)
"""打滾: soft rolls that may hold 2s."""

DAYE = Ruleset(
    lone_jokers="wild",
    ftk_max_jokers=3,
    sky_bomb=False,
    natural_bombs=False,
    rolls="none",
    roll_two=False,
    roll_order="cards_then_top",
    call_rule="first_singleton",
    call_jokers=False,
    scoring="arch",
    unplayed_points_to="third",
    sweep_needs_out=False,
    solo_multiplier=4,
    holding_bonuses=(),
    roll_bonus="none",
)
"""大冶打拱: jokers are wild even alone, and there are no rolls."""

XIANNING = Ruleset(
    lone_jokers="threes",
    ftk_max_jokers=1,
    sky_bomb=True,
    natural_bombs=True,
    rolls="hard",
    roll_two=False,
    roll_order="cards_then_largest",
    call_rule="after_second_copy",
    call_jokers=True,
    scoring="points",
    unplayed_points_to="third",
    sweep_needs_out=False,
    solo_multiplier=4,
    holding_bonuses=("sky", "eight", "seven", "four_510k"),
    roll_bonus="winner_doubles",
)
"""鹹寧打拱: hard rolls, and a joker may be the called card."""

PRESETS = {"DAGUN": DAGUN, "DAYE": DAYE, "XIANNING": XIANNING}
