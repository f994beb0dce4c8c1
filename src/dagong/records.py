"""Records: a hand as text or JSON, which people can read and machines replay exactly.

A record holds the rules, the cards dealt or the position, every bid, play and pass, and, of a hand that is
over, its result. Reading one replays it: whatever the rules forbid is an error that names its line. See
``docs/notation.md``.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Any, NamedTuple

from dagong._hand import Hand
from dagong._state import State, state_again
from dagong.cards import Card
from dagong.notation import cards_text, parse_cards, shown
from dagong.outcome import Action, Result
from dagong.rules import HAND_CARDS, PRESETS, Ruleset

HEADER = "[dagong record 1]"
_SEATS = range(4)
# What State.from_hands takes beside the hands, apart from bidding, which the line "bids:" stands for.
_SEAT_FIELDS = ("dealer", "soloist", "partner", "to_move", "last_player")
_FIELDS = (
    "dealer", "called", "soloist", "partner", "captured", "places", "to_move", "last_play", "last_player",
    "pile_points",
)
_DEFAULTS: dict[str, object] = {"captured": (0, 0, 0, 0), "places": (), "pile_points": 0}
_RESULT = ("ending", "places", "points", "winners", "multiplier", "payoffs")
_JSON_FIELDS = (
    "dagong_record", "rules", "tags", "dealt", "hands", *_FIELDS, "bidding", "actions", "result", "payments",
)
_HANDS = tuple(f"{what} {seat}" for what in ("dealt", "hand") for seat in _SEATS)

_FIELD = re.compile(r"([a-z][a-z_]*(?: [0-9])?)\s*:(?:\s+(.*))?")
_ACTION = re.compile(r"([0-9]{1,9})\.\s*seat\s+([0-9]{1,9})\s*:\s*(.+)")
_PAYMENT = re.compile(r"(R[0-9]+\.[0-9]+)\s*:\s*(.+)")
_TAG = re.compile(r"[a-z][a-z_]*")
_LONGEST_VALUE = 100    # of a rule set's field; beyond, an error message would be nothing but the value
_NUMBER = re.compile(r"[0-9]{1,9}")     # int() has no bound, but no line needs more


class Record(NamedTuple):
    """What a record holds."""

    state: State
    tags: dict[str, str]
    """Notes on the hand, such as a ``seed`` or an ``event``; they have no effect."""


class Entry(NamedTuple):
    """Something in a record and where it stood, ``line 12`` or ``actions[3]``, for errors to name."""

    place: str
    text: str


@dataclass
class Contents:
    """A record taken apart, but not yet replayed."""

    header: str
    fields: dict[str, Entry] = field(default_factory=dict)
    bids: Entry | None = None
    actions: list[tuple[Entry, str]] = field(default_factory=list)
    """The seat, and what it did."""
    result: Entry | None = None
    payments: list[Entry] | None = None
    payments_place: str = ""


# Writing


def record_text(state: State, tags: Mapping[str, str] | None = None) -> str:
    """The record of a hand, as ``State.to_record`` gives it, with tags.

    >>> from dagong import DAYE
    >>> state = State.from_hands(DAYE, ["4S", "4S 5S", "KS", "9C"], dealer=0, called="4S")
    >>> state.play("4S")
    >>> print(record_text(state, {"event": "an example"}), end="")
    [dagong record 1]
    rules: DAYE
    event: an example
    hand 0: 4S
    hand 1: 4S 5S
    hand 2: KS
    hand 3: 9C
    dealer: 0
    called: 4S
    plays:
    1. seat 0: 4S as single 4
    """
    rules, hands, beginning, dealt, history = state.parts
    lines = [HEADER, f"rules: {rules_text(rules)}"]
    lines += [f"{name}: {text}" for name, text in _checked_tags(tags).items()]
    if dealt is None:
        lines += [f"hand {seat}: {hand}".rstrip() for seat, hand in enumerate(hands)]
    else:
        lines += [f"dealt {seat}: {cards_text(cards)}" for seat, cards in enumerate(dealt)]
    lines += [f"{name}: {_text_of(value)}" for name, value in _beginning_fields(beginning).items()]
    bids = sum(action.solo is not None for action in history)
    numbered = [f"{n}. seat {a.seat}: {action_text(a)}" for n, a in enumerate(history, 1)]
    if beginning.get("bidding"):
        lines += ["bids:", *numbered[:bids]]
    if numbered[bids:]:
        lines += ["plays:", *numbered[bids:]]
    if (result := state.result) is not None:
        lines += [f"result: {_result_text(_result_fields(result))}", "payments:"]
        lines += [
            f"{reason.rule}: {_text_of(reason.amounts)}  # {reason.words}" for reason in result.reasons
        ]
    return "\n".join(lines) + "\n"


def record_json(state: State, tags: Mapping[str, str] | None = None) -> dict[str, Any]:
    """The same as ``record_text`` in values that JSON has."""
    rules, hands, beginning, dealt, history = state.parts
    record: dict[str, Any] = {"dagong_record": 1, "rules": rules_text(rules), "tags": _checked_tags(tags)}
    if dealt is None:
        record["hands"] = [str(hand) for hand in hands]
    else:
        record["dealt"] = [cards_text(cards) for cards in dealt]
    for name, value in _beginning_fields(beginning).items():
        if isinstance(value, tuple):
            record[name] = [int(number) for number in value]
        else:
            record[name] = str(value) if name in ("called", "last_play") else int(value)
    record["bidding"] = bool(beginning.get("bidding"))
    record["actions"] = [{"seat": action.seat, "action": action_text(action)} for action in history]
    if (result := state.result) is not None:
        record["result"] = {
            name: list(value) if isinstance(value, tuple) else value
            for name, value in _result_fields(result).items()
        }
        record["payments"] = [
            {"rule": reason.rule, "amounts": list(reason.amounts), "words": reason.words}
            for reason in result.reasons
        ]
    return record


def action_text(action: Action) -> str:
    """A bid, play or pass as records write it.

    >>> action_text(Action(2, None, False))
    'no solo'
    """
    if action.solo is not None:
        return "solo" if action.solo else "no solo"
    return "pass" if action.play is None else str(action.play)


def rules_text(rules: Ruleset) -> str:
    """A rule set as a preset and the fields that differ from it.

    >>> from dagong import DAGUN
    >>> rules_text(DAGUN.replace(sky_bomb=False, holding_bonuses=("eight", "seven")))
    'DAGUN with sky_bomb=false, holding_bonuses=eight+seven'
    """
    own = rules.fields()
    name, changed = min(
        (
            (name, [key for key, value in preset.fields().items() if value != own[key]])
            for name, preset in PRESETS.items()
        ),
        key=lambda item: len(item[1]),
    )
    texts = []
    for key in changed:
        value = own[key]
        if isinstance(value, tuple):
            texts.append(f"{key}={'+'.join(value) or 'none'}")
        else:
            texts.append(f"{key}={str(value).lower()}")
    return f"{name} with {', '.join(texts)}" if texts else name


def _beginning_fields(beginning: Mapping[str, Any]) -> dict[str, Any]:
    """What there is to say of a beginning: not what ``State.from_hands`` takes for granted."""
    found = {
        name: beginning[name] for name in _FIELDS if beginning.get(name) not in (None, _DEFAULTS.get(name))
    }
    if "called" in found:
        found["called"] = Card(found["called"])
    return found


def _checked_tags(tags: Mapping[str, str] | None) -> dict[str, str]:
    for name, text in (tags or {}).items():
        if not _TAG.fullmatch(name) or name in ("rules", "bids", "plays", "result", "payments", *_FIELDS):
            raise ValueError(f"{name!r} cannot be a tag: expected a word that no other line begins with")
        if text != " ".join(text.split()) or "#" in text:
            raise ValueError(f"tag {name} = {text!r}: expected one line with single spaces and no '#'")
    return dict(tags or {})


def _text_of(value: object) -> str:
    return " ".join(map(str, value)) if isinstance(value, tuple | list) else str(value)


def _result_fields(result: Result) -> dict[str, Any]:
    return {name: getattr(result, name) for name in _RESULT}


def _result_text(fields: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} {_text_of(fields[name])}" for name in _RESULT)


# Reading


def parse_record(text: str, first_line: int = 1) -> Record:
    """Read and replay a record; its text begins at ``first_line`` of a file.

    Raises ``ValueError`` that names the first line that cannot be read or is illegal, and says why.

    >>> parse_record("[dagong record 1]\\nrules: DAGON")
    Traceback (most recent call last):
    ValueError: line 2: 'DAGON' is no rule set: expected one of DAGUN, DAYE, XIANNING
    """
    return _replayed(_contents_of(_lines_of(text, first_line), f"line {first_line}"))


def record_from_json(data: Mapping[str, Any]) -> Record:
    """Read and replay what ``record_json`` gives; errors name the place in it."""
    if not isinstance(data, Mapping) or data.get("dagong_record") != 1:
        raise ValueError("dagong_record: expected a record with the number 1")
    contents = Contents("record")
    tags = data.get("tags", {})
    if not isinstance(tags, Mapping):
        raise ValueError("tags: expected an object")
    for name in data:
        if name not in _JSON_FIELDS:
            raise ValueError(f"{name}: not part of a record")
    for name in ("rules", *_FIELDS):
        if data.get(name) is not None:
            contents.fields[name] = Entry(name, _json_text(name, data[name]))
    for name, what in (("dealt", "dealt"), ("hands", "hand")):
        for seat, cards in enumerate(_json_list(data, name)):
            contents.fields[f"{what} {seat}"] = Entry(f"{name}[{seat}]", _json_text(name, cards))
    for name, value in _checked_tags({key: _json_text("tags", tag) for key, tag in tags.items()}).items():
        contents.fields[name] = Entry("tags", value)
    if data.get("bidding"):
        contents.bids = Entry("bidding", "")
    for index, action in enumerate(_json_list(data, "actions")):
        place = f"actions[{index}]"
        with_seat = _json_keys(place, action, ("seat", "action"))
        contents.actions.append(
            (Entry(place, _json_text(place, with_seat["seat"])), _json_text(place, with_seat["action"]))
        )
    if data.get("result") is not None:
        contents.result = Entry("result", _result_text(_json_keys("result", data["result"], _RESULT)))
    if "payments" in data:
        contents.payments_place = "payments"
        contents.payments = []
        for index, payment in enumerate(_json_list(data, "payments")):
            place = f"payments[{index}]"
            parts = _json_keys(place, payment, ("rule", "amounts"))
            contents.payments.append(
                Entry(place, f"{parts['rule']}: {_json_text(place, parts['amounts'])}")
            )
    return _replayed(contents)


def state_from_json(data: Mapping[str, Any]) -> State:
    """The hand in what ``record_json`` gives.

    >>> from dagong import XIANNING
    >>> state = State.deal(XIANNING, 7)
    >>> state.bid(True)
    >>> state_from_json(record_json(state)).soloist == state.soloist
    True
    """
    return record_from_json(data).state


def split_records(text: str) -> Iterator[tuple[int, str]]:
    """The records of a text, each with the number of its first line. Each begins with its header.

    >>> [line for line, _ in split_records(f"# two\\n{HEADER}\\n{HEADER}\\n")]
    [2, 3]
    """
    lines = text.splitlines()
    starts = [index for index, line in enumerate(lines) if line.partition("#")[0].strip() == HEADER]
    if not starts or any(True for _ in _lines_of("\n".join(lines[: starts[0]]), 1)):
        starts.insert(0, 0)
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        yield start + 1, "\n".join(lines[start:end])


def parse_rules(text: str) -> Ruleset:
    """Read what ``rules_text`` writes.

    >>> str(parse_rules("DAGUN with sky_bomb=false, rolls=hard"))
    "DAGUN with sky_bomb=False, rolls='hard'"
    """
    name, _, changes = text.partition(" with ")
    preset = Ruleset.from_name(name.strip())
    fields = preset.fields()
    changed: dict[str, object] = {}
    for change in changes.split(",") if changes else ():
        key, _, value = (part.strip() for part in change.partition("="))
        if key not in fields or key in changed or len(value) > _LONGEST_VALUE:
            expected = f"each of {', '.join(fields)} once at most"
            raise ValueError(f"{shown(change.strip())}: expected {expected}, = and its value")
        if isinstance(fields[key], tuple):
            changed[key] = () if value == "none" else tuple(value.split("+"))
        elif isinstance(fields[key], bool):
            changed[key] = {"true": True, "false": False}.get(value, value)
        else:
            changed[key] = int(value) if _NUMBER.fullmatch(value) else value
    return preset.replace(**changed)


def _lines_of(text: str, first_line: int) -> Iterator[Entry]:
    """The lines that are not blank, without comments."""
    for number, line in enumerate(text.splitlines(), first_line):
        if kept := line.partition("#")[0].strip():
            yield Entry(f"line {number}", kept)


def _contents_of(lines: Iterator[Entry], start: str) -> Contents:
    place, header = next(lines, Entry(start, ""))
    if header != HEADER:
        raise ValueError(f"{place}: expected the header {HEADER}")
    contents = Contents(place)
    heading = ""    # the last line that begins a part: what follows belongs there
    for place, text in lines:
        if heading == "payments" and (found := _PAYMENT.fullmatch(text)):
            assert contents.payments is not None
            contents.payments.append(Entry(place, f"{found[1]}: {_text_of(found[2].split())}"))
        elif heading in ("", "bids", "plays") and (found := _ACTION.fullmatch(text)):
            if int(found[1]) != len(contents.actions) + 1:
                raise ValueError(f"{place}: action {found[1]} where {len(contents.actions) + 1} is next")
            contents.actions.append((Entry(place, found[2]), found[3]))
            heading = heading or "plays"
        elif not (found := _FIELD.fullmatch(text)):
            raise ValueError(f"{place}: {shown(text)} is no line of a record")
        elif found[1] in ("bids", "plays", "result", "payments"):
            if found[1] != "result" and found[2]:
                raise ValueError(f"{place}: nothing may follow '{found[1]}:'")
            allowed = {"bids": [""], "plays": ["", "bids"], "result": ["", "bids", "plays"]}
            if heading not in allowed.get(found[1], ["", "bids", "plays", "result"]):
                raise ValueError(f"{place}: '{found[1]}:' cannot come after '{heading}:'")
            heading = found[1]
            _begin_part(contents, heading, Entry(place, found[2] or ""))
        elif heading:
            raise ValueError(f"{place}: '{found[1]}:' has to come before '{heading}:'")
        elif found[1] in contents.fields:
            raise ValueError(f"{place}: '{found[1]}:' for a second time")
        else:
            contents.fields[found[1]] = Entry(place, found[2] or "")
    return contents


def _begin_part(contents: Contents, heading: str, entry: Entry) -> None:
    if heading == "bids":
        contents.bids = entry
    elif heading == "result":
        contents.result = Entry(entry.place, " ".join(entry.text.split()))
    elif heading == "payments":
        contents.payments, contents.payments_place = [], entry.place


def _replayed(contents: Contents) -> Record:
    state = _beginning_of(contents)
    for (place, seat), text in contents.actions:
        try:
            if state.to_move is None:
                raise ValueError("the hand is over")
            if seat != str(state.to_move):
                raise ValueError(f"seat {seat} acts, but it is the turn of seat {state.to_move}")
            if text in ("solo", "no solo"):
                state.bid(text == "solo")
            elif text == "pass":
                state.pass_()
            else:
                state.play(text)
        except ValueError as error:
            raise ValueError(f"{place}: {error}") from None
    _check_result(contents, state)
    fixed = ("rules", *_FIELDS, *_HANDS)
    return Record(state, {name: text for name, (_, text) in contents.fields.items() if name not in fixed})


def _beginning_of(contents: Contents) -> State:
    fields = contents.fields
    if "rules" not in fields:
        raise ValueError(f"{contents.header}: 'rules' is missing")
    rules: Ruleset = _read(fields["rules"], parse_rules)
    dealt, hands = ([fields[name] for name in _HANDS if name in fields and name.startswith(what)]
                    for what in ("dealt", "hand"))
    if len(dealt or hands) != 4 or (dealt and hands):
        raise ValueError(f"{contents.header}: expected 'dealt' of seats 0 to 3, or else 'hand' of each")
    for name, (place, _) in fields.items():
        if name not in _HANDS and not _TAG.fullmatch(name):
            raise ValueError(f"{place}: there is no '{name}'")
        if dealt and name in _FIELDS and name not in ("dealer", "called"):
            raise ValueError(f"{place}: '{name}' is for positions with 'hand' lines, not for a deal")
    if "dealer" not in fields:
        raise ValueError(f"{contents.header}: 'dealer' is missing")
    beginning = {name: _value_of(rules, name, fields[name]) for name in _FIELDS if name in fields}
    beginning["bidding"] = bool(dealt) or contents.bids is not None
    order = tuple(_read(entry, _dealt_cards) for entry in dealt) if dealt else None
    held = order or [_read(entry, Hand) for entry in hands]
    if "last_play" in fields:
        _check_copies([*hands, fields["last_play"]], [*held, beginning["last_play"].cards])
    else:
        _check_copies(dealt or hands, held)
    try:
        return state_again(rules, [Hand(cards) for cards in held], beginning, order, ())
    except (TypeError, ValueError) as error:
        # most of these messages begin with the name of what is wrong
        named = str(error).partition(" ")[0]
        place = fields[named].place if named in fields else contents.header
        raise ValueError(f"{place}: {error}") from None


def _check_copies(entries: list[Entry], hands: Iterable[Iterable[Card]]) -> None:
    """There are two of each card (R1.1). Checked here too, to name the line with a third."""
    seen: Counter[Card] = Counter()
    for (place, _), cards in zip(entries, hands, strict=True):
        for card in cards:
            seen[card] += 1
            if seen[card] > 2:
                raise ValueError(f"{place}: a third {card}: there are two of each card")


def _check_result(contents: Contents, state: State) -> None:
    """The result and payments that a record gives have to be those of the hand."""
    given = contents.result or (contents.payments_place and Entry(contents.payments_place, ""))
    if not given:
        return
    result = state.result
    if result is None:
        raise ValueError(f"{given.place}: a result, but the hand is not over")
    if contents.result is not None:
        due = _result_text(_result_fields(result)).split(", ")
        told = contents.result.text.split(", ")
        for right, wrong in zip_longest(due, told, fillvalue=""):
            if right != wrong:
                raise ValueError(f"{given.place}: the result has {right!r}, not {shown(wrong)}")
    if contents.payments is None:
        return
    reasons = [f"{reason.rule}: {_text_of(reason.amounts)}" for reason in result.reasons]
    for entry, reason in zip(contents.payments, reasons, strict=False):
        if entry.text != reason:
            raise ValueError(f"{entry.place}: the payment is '{reason}', not {shown(entry.text)}")
    if len(contents.payments) != len(reasons):
        place = contents.payments[-1].place if contents.payments else contents.payments_place
        raise ValueError(f"{place}: {len(contents.payments)} payments, but the hand has {len(reasons)}")


def _read(entry: Entry, read: Any) -> Any:
    try:
        return read(entry.text)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{entry.place}: {error}") from None


def _dealt_cards(text: str) -> tuple[Card, ...]:
    cards = tuple(map(Card, parse_cards(text)))
    if len(cards) != HAND_CARDS:
        raise ValueError(f"{len(cards)} cards: {HAND_CARDS} are dealt to each seat (R5.1)")
    Hand(cards)
    return cards


def _value_of(rules: Ruleset, name: str, entry: Entry) -> Any:
    if name == "called":
        return _read(entry, Card)
    if name == "last_play":
        return _read(entry, rules.parse_play)
    numbers = entry.text.split()
    if len(numbers) > len(_SEATS) or not all(map(_NUMBER.fullmatch, numbers)):
        raise ValueError(f"{entry.place}: {name} = {shown(entry.text)}: expected numbers, four at most")
    values = tuple(map(int, numbers))
    if name in ("captured", "places"):
        return values
    if len(values) != 1 or (name in _SEAT_FIELDS and values[0] not in _SEATS):
        expected = "a seat 0 to 3" if name in _SEAT_FIELDS else "a number"
        raise ValueError(f"{entry.place}: {name} = {shown(entry.text)}: expected {expected}")
    return values[0]


def _json_text(place: str, value: object) -> str:
    """What stands for a value in the text form."""
    values: Iterable[object] = value if isinstance(value, list | tuple) else (value,)
    for one in values:
        if isinstance(one, bool) or not isinstance(one, int | str):
            raise ValueError(f"{place}: {one!r} is neither text nor a whole number")
    return _text_of(value)


def _json_list(data: Mapping[str, Any], name: str) -> list[Any]:
    found = data.get(name, [])
    if not isinstance(found, list):
        raise ValueError(f"{name}: expected a list")
    return found


def _json_keys(place: str, value: object, keys: Iterable[str]) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise ValueError(f"{place}: expected an object")
    for key in keys:
        if key not in value:
            raise ValueError(f"{place}: {key!r} is missing")
    return value
