"""Nonsense into everything that is public: an exception of a known sort comes out, never a crash."""

import contextlib
import decimal
import fractions
import itertools
import operator
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from dagong import (
    CARDS_DTYPE,
    DAGUN,
    DAYE,
    PLAY_DTYPE,
    XIANNING,
    Card,
    Detail,
    Hand,
    Play,
    Plays,
    Ruleset,
    notation,
)
from strategies import PRESETS, codes, details, hands, rulesets

REFUSALS = (ValueError, TypeError, IndexError, BufferError, OverflowError)
MANY = settings(deadline=None, max_examples=300)
HAND = Hand("3S 4S 4H 5S TS KS XB XR")


class Tripped(Exception):
    """Raised by the objects below; it has to come out as it is."""


class Trap:
    """Raises whatever is asked of it."""

    def _trip(self, *_: object) -> Any:
        raise Tripped

    __index__ = __int__ = __iter__ = __len__ = __getitem__ = __hash__ = __eq__ = __bool__ = _trip
    __lt__ = __le__ = __gt__ = __ge__ = __contains__ = __array__ = __float__ = _trip
    dtype = property(_trip)


class LateTrap:
    """An iterable that raises behind its first card, a number that is one only once."""

    def __iter__(self) -> Iterator[int]:
        yield 3
        raise Tripped


class Liar(bytearray):
    """Says that it is what it is not."""

    dtype = PLAY_DTYPE
    shape = (54,)


def wild() -> list[Any]:
    """Fresh objects that are nothing the library can use, most of them."""
    return [
        None,
        True,
        -1,
        54,
        10**30,
        -(10**30),
        2**63,
        2**64 - 1,
        0.5,
        float("nan"),
        float("inf"),
        1j,
        "",
        " ",
        "as",
        "3S",
        "X",
        "\0",
        "3S\0",
        "\ud800",
        "♠",
        "10",
        "é" * 1000,
        b"",
        b"3S",
        bytearray(b"\x00\x01"),
        memoryview(b"\x03\x04"),
        [],
        (),
        {},
        set(),
        {3: 4},
        [None],
        [[]],
        ["3S", None],
        [3, 3, 3],
        [3.0],
        [10**30],
        range(108),
        itertools.count(),
        object(),
        int,
        len,
        Trap(),
        LateTrap(),
        Liar(b"\x00" * 64),
        Ellipsis,
        NotImplemented,
        slice(None),
        decimal.Decimal("NaN"),
        fractions.Fraction(1, 3),
        np.nan,
        np.int8(-1),
        np.uint64(2**64 - 1),
        np.float32(3),
        np.array(3),
        np.array([]),
        np.array([3.5, np.nan]),
        np.array([[1, 2]]),
        np.arange(54),
        np.arange(108)[::-2],
        np.zeros(54, bool),
        np.full(54, 2**63, np.uint64),
        np.full(54, -1),
        np.full(54, 3, np.int8),
        np.zeros(54, object),
        np.full(54, object(), object),
        np.array(["3S", "4S"]),
        np.array([b"3S"]),
        np.zeros(3, "M8[s]"),
        np.zeros(3, PLAY_DTYPE),
        np.zeros(54, ">i8"),
        np.ma.masked,
        np.zeros((54, 54)),
        np.broadcast_to(np.int64(1), 54),
        np.frombuffer(b"\x01" * 54, np.uint8),
        DAGUN,
        HAND,
        Card("XB"),
        DAGUN.legal_plays(HAND),
        DAGUN.legal_plays("3S")[0],
        Detail.CARDS,
        Hand,
        Play,
        Plays,
        Ruleset,
    ]


NUMBER_OF_WILD = len(wild())
THINGS = range(NUMBER_OF_WILD)
PLAYS = DAGUN.legal_plays(HAND, detail=Detail.STRATEGIC, called="5S")
PLAY = PLAYS[0]


CALLABLES: dict[str, Callable[[Any], Any]] = {
    "Card": Card,
    "Hand": Hand,
    "Hand.from_counts": Hand.from_counts,
    "Hand.from_planes once": lambda thing: Hand.from_planes(thing, 0),
    "Hand.from_planes twice": lambda thing: Hand.from_planes(3, thing),
    "in Hand": lambda thing: thing in HAND,
    "Hand +": lambda thing: HAND + thing,
    "Hand -": lambda thing: HAND - thing,
    "Hand <=": lambda thing: thing >= HAND,
    "Hand ==": lambda thing: thing == HAND,
    "Play": Play,
    "Play ==": lambda thing: thing == PLAY,
    "identify": DAGUN.identify,
    "legal_plays hand": DAGUN.legal_plays,
    "legal_plays to_beat": lambda thing: DAGUN.legal_plays(HAND, thing),
    "legal_plays detail": lambda thing: DAGUN.legal_plays(HAND, detail=thing),
    "legal_plays called": lambda thing: DAGUN.legal_plays(HAND, called=thing),
    "count_plays hand": DAGUN.count_plays,
    "count_plays to_beat": lambda thing: DAGUN.count_plays(HAND, thing),
    "count_plays detail": lambda thing: DAGUN.count_plays(HAND, detail=thing),
    "count_plays called": lambda thing: DAGUN.count_plays(HAND, called=thing),
    "legal_plays_into buffer": lambda thing: DAGUN.legal_plays_into(thing, HAND),
    "legal_plays_into hand": lambda thing: DAGUN.legal_plays_into(np.zeros(100, PLAY_DTYPE), thing),
    "legal_plays_into to_beat": lambda thing: DAGUN.legal_plays_into(np.zeros(100, PLAY_DTYPE), HAND, thing),
    "legal_plays_into detail": lambda thing: DAGUN.legal_plays_into(
        np.zeros(999, CARDS_DTYPE), HAND, detail=thing
    ),
    "legal_plays_into called": lambda thing: DAGUN.legal_plays_into(
        np.zeros(999, CARDS_DTYPE), HAND, called=thing
    ),
    "beats a": lambda thing: DAGUN.beats(thing, PLAY),
    "beats b": lambda thing: DAGUN.beats(PLAY, thing),
    "strength": DAGUN.strength,
    "parse_play": DAGUN.parse_play,
    "called_card": DAGUN.called_card,
    "called_card first": lambda thing: DAGUN.called_card("3S 4S", first_hand=True, rng=thing),
    "from_name": Ruleset.from_name,
    "Ruleset": lambda thing: Ruleset(**dict.fromkeys(DAGUN.fields(), thing)),
    "Ruleset ==": lambda thing: thing == DAGUN,
    "Plays": Plays,
    "Plays[]": lambda thing: PLAYS[thing],
    "Plays[::]": lambda thing: list(PLAYS[::thing]),
    "Plays[:]": lambda thing: list(PLAYS[thing:thing]),
    "in Plays": lambda thing: thing in PLAYS,
    "Plays.index": PLAYS.index,
    "Plays.count": PLAYS.count,
    "Plays ==": lambda thing: thing == PLAYS,
}


@pytest.mark.parametrize("name", CALLABLES)
def test_wild_objects(name: str) -> None:
    for place in THINGS:
        thing = wild()[place]
        if isinstance(thing, itertools.count) and name == "Ruleset":
            continue  # whoever hands over a tuple without end waits for its end
        with contextlib.suppress(*REFUSALS, Tripped):
            CALLABLES[name](thing)
    assert len(PLAYS) == DAGUN.count_plays(HAND, detail=Detail.STRATEGIC, called="5S")


@pytest.mark.parametrize("field", DAGUN.fields())
def test_wild_fields(field: str) -> None:
    for thing in wild():
        if not isinstance(thing, itertools.count):
            with contextlib.suppress(*REFUSALS, Tripped):
                rules = DAGUN.replace(**{field: thing})
                assert eval(repr(rules)) == rules


def test_exceptions_of_arguments_come_through() -> None:
    for call in (Hand, Card, Hand.from_counts, DAGUN.identify, DAGUN.called_card):
        with pytest.raises(Tripped):
            call(Trap())
    with pytest.raises(Tripped):
        Hand(LateTrap())
    with pytest.raises(Tripped):
        PLAYS[Trap()]


# Text

WORDS = (
    "3S",
    "10h",
    "td",
    "♠A",
    "K♥",
    "XB",
    "xr",
    "as",
    "AS",
    " as ",
    "single",
    "pair",
    "triple",
    "bomb",
    "pair_run",
    "roll",
    "triple_run",
    "five_ten_king",
    "mixed",
    "sky_bomb",
    "x2",
    "x0",
    "x99",
    "x-1",
    "3",
    "2",
    "10",
    "S",
    ",",
    ";",
    "\t",
    "\0",
    "\u212a",
    "\u0130",
    "\u0131",
    "\u017f",
    "\ufe0f",
    "\u0664",
    "single 4",
    "pair 10",
    "roll 3 x2",
)
texts = st.one_of(
    st.text(max_size=30),
    st.lists(st.one_of(st.sampled_from(WORDS), st.text(max_size=2)), max_size=12).map(" ".join),
    st.lists(st.sampled_from(WORDS), max_size=8).map("".join),
)


@MANY
@given(texts)
@example("4S 4H 4D as tr\u0130ple 4")
@example("KS as single \u212a")
@example("5S TS KS as five_ten_king \u017f")
@example("3S 4S as pair_run 4 x\u0664")
def test_any_text_is_read_or_refused(text: str) -> None:
    for read in (
        Card,
        Hand,
        Play,
        DAYE.parse_play,
        DAGUN.identify,
        DAGUN.called_card,
        notation.parse_declaration,
    ):
        with contextlib.suppress(ValueError):
            read(text)
    with contextlib.suppress(ValueError):
        play = Play(text)
        assert Play(str(play)) == play
    with contextlib.suppress(ValueError):
        assert Hand(str(Hand(text))) == Hand(text)


@MANY
@given(st.lists(st.one_of(st.integers(), st.integers(-2, 56), texts, st.none(), st.floats()), max_size=6))
def test_any_list_is_read_or_refused(cards: list[Any]) -> None:
    with contextlib.suppress(ValueError, TypeError):
        assert sorted(Hand(cards)) == sorted(map(Card, cards))


@pytest.mark.parametrize(
    ("text", "token"),
    [
        ("3S 99", "99"),
        ("3S 1S", "1S"),
        ("3S XBB", "XBB"),
        ("3S 4S 3S 3S", "3S"),
        ("XR XR XR", "XR"),
        ("S", "S"),
    ],
)
def test_errors_name_the_token(text: str, token: str) -> None:
    for read in (Hand, DAGUN.identify, DAGUN.legal_plays, DAGUN.called_card):
        with pytest.raises(ValueError, match=token):
            read(text)


# Buffers


def filled(number: int, dtype: np.dtype) -> np.ndarray:
    """A buffer that shows what was written."""
    return np.frombuffer(bytearray(b"\xa5" * (number * dtype.itemsize)), dtype)


@pytest.mark.parametrize("dtype", [PLAY_DTYPE, CARDS_DTYPE], ids=["plays", "cards"])
@pytest.mark.parametrize("hand", ["3S", str(HAND), "3S 4S 5S 6S 7S 8S 9S TS JS QS KS AS XB XB XR XR"])
def test_a_buffer_too_small_is_left_alone(dtype: np.dtype, hand: str) -> None:
    number = DAGUN.count_plays(hand)
    for room in {0, 1, number // 2, number - 1} - {number}:
        buffer = filled(room, dtype)
        before = buffer.tobytes()
        with pytest.raises(ValueError, match=f"there are {number}"):
            DAGUN.legal_plays_into(buffer, hand)
        assert buffer.tobytes() == before


@pytest.mark.parametrize("dtype", [PLAY_DTYPE, CARDS_DTYPE], ids=["plays", "cards"])
@pytest.mark.parametrize("spare", [0, 1, 3, 4, 100, 13_000])
def test_a_buffer_is_not_written_past_its_end(dtype: np.dtype, spare: int) -> None:
    number = DAGUN.count_plays(HAND)
    memory = filled(number + spare + 64, dtype)
    assert DAGUN.legal_plays_into(memory[: number + spare], HAND) == number
    assert memory[number + spare :].tobytes() == b"\xa5" * (64 * dtype.itemsize)
    assert memory["counts"][:number].tolist() == DAGUN.legal_plays(HAND).array["counts"].tolist()


def test_details_with_cards_need_room_for_cards() -> None:
    number = DAGUN.count_plays(HAND, detail=Detail.CARDS)
    assert DAGUN.legal_plays_into(filled(number, CARDS_DTYPE), HAND, detail=Detail.CARDS) == number
    with pytest.raises(TypeError, match="dtype"):
        DAGUN.legal_plays_into(filled(number, PLAY_DTYPE), HAND, detail=Detail.CARDS)
    with pytest.raises(ValueError, match="room"):
        DAGUN.legal_plays_into(filled(number - 1, CARDS_DTYPE), HAND, detail=Detail.CARDS)


def unusable_buffers() -> dict[str, Any]:
    read_only = np.zeros(100, PLAY_DTYPE)
    read_only.flags.writeable = False
    return {
        "unaligned": np.zeros(1601, np.uint8)[1:].view(PLAY_DTYPE),
        "two-dimensional": np.zeros((10, 10), PLAY_DTYPE),
        "no dimension": np.zeros((), PLAY_DTYPE),
        "read-only": read_only,
        "backwards": np.zeros(100, PLAY_DTYPE)[::-1],
        "every other": np.zeros(100, PLAY_DTYPE)[::2],
        "repeated": np.broadcast_to(np.zeros(1, PLAY_DTYPE), 100),
        "of one field": np.zeros(100, PLAY_DTYPE)["kind"],
        "of bytes": np.zeros(1600, np.uint8),
        "of objects": np.zeros(100, object),
        "big-endian": np.zeros(100, PLAY_DTYPE.newbyteorder(">")),
        "no array": bytearray(1600),
        "a dtype of its own": Liar(b"\x00" * 15),
        "None": None,
        "another list": DAGUN.legal_plays("3S").array,
    }


@pytest.mark.parametrize("name", unusable_buffers())
def test_unusable_buffers(name: str) -> None:
    buffer = unusable_buffers()[name]
    before = bytes(memoryview(buffer).tobytes()) if name not in ("None", "of objects") else None
    with pytest.raises((ValueError, TypeError, BufferError)):
        DAGUN.legal_plays_into(buffer, HAND)
    if before is not None:
        assert memoryview(buffer).tobytes() == before


@MANY
@given(rulesets, hands(), details, st.integers(0, 300))
def test_any_room(rules: Ruleset, hand: Hand, detail: int, room: int) -> None:
    number = rules.count_plays(hand, detail=detail)
    buffer = filled(room, CARDS_DTYPE)
    if number > room:
        with pytest.raises(ValueError, match="room"):
            rules.legal_plays_into(buffer, hand, detail=detail)
        assert set(buffer.tobytes()) <= {0xA5}
    else:
        assert rules.legal_plays_into(buffer, hand, detail=detail) == number


@given(codes, st.sampled_from(PRESETS))
def test_codes_are_cards(code: int, rules: Ruleset) -> None:
    assert Hand([code]) == Hand([Card(code)]) == Hand(np.array([code], np.uint8)) == Hand(bytes([code]))
    assert rules.identify([code])


# In a process of their own: these would take the tests down with them


def run(program: str) -> None:
    """Run a program; it has to end well."""
    done = subprocess.run(
        [sys.executable, "-X", "faulthandler", "-c", program], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"exit status {done.returncode}\n{done.stderr}"


def test_slices_in_garbage_do_not_free_the_list() -> None:
    run("""
import gc
from dagong import DAGUN
plays = DAGUN.legal_plays("3S 4S 5S 6S 7S 8S 8S 9S XB XR")
before = plays.array.tolist()
for detail in range(3):
    for _ in range(50):
        part = plays[1:9]
        ring = [part]
        ring.append(ring)
        del part, ring
        gc.collect()
filler = [DAGUN.legal_plays("2D 2S XB XR") for _ in range(50)]
assert plays.array.tolist() == before
del plays
gc.collect()
""")


@pytest.mark.parametrize("step", ["2**62", "-2**62", "2**63 - 1", "-2**63 + 1", "2**59", "10**30", "-10**30"])
def test_huge_steps(step: str) -> None:
    run(f"""
from dagong import DAGUN
plays = DAGUN.legal_plays("3S 4S 5S")
same = list(plays)
for again in (1, 2, 4, -4, 2**62):
    part, expected = plays[::{step}][::again], same[::{step}][::again]
    assert list(part) == expected and part.array["rank"].tolist() == [play.rank for play in expected]
    assert [play in part for play in same] == [play in expected for play in same]
""")


def test_threads_with_small_stacks() -> None:
    """128 KiB is what some platforms give a thread."""
    run("""
import threading
from dagong import DAGUN, PLAY_DTYPE, Detail
import numpy as np
threading.stack_size(128 * 1024)
found = []
def ask():
    found.append(len(DAGUN.legal_plays("3S 4S 5S")))
    found.append(DAGUN.legal_plays_into(np.empty(3, PLAY_DTYPE), "3S 4S 5S"))
    found.append(DAGUN.count_plays("3S 4S 5S", detail=Detail.CARDS))
thread = threading.Thread(target=ask)
thread.start()
thread.join()
assert found == [3, 3, 3], found
""")


def test_objects_made_behind_the_back_of_their_classes() -> None:
    run("""
import operator
from dagong import DAGUN, Hand, Play, Plays, Ruleset
from dagong._core import RulesetCore

def refused(call):
    try:
        call()
    except (TypeError, ValueError):
        return
    raise SystemExit(f"{call} was not refused")

play, plays = DAGUN.legal_plays("3S")[0], DAGUN.legal_plays("3S")
for rules in (Ruleset.__new__(Ruleset), RulesetCore()):
    for call in (
        lambda: rules.identify("3S"), lambda: rules.legal_plays("3S"), lambda: rules.count_plays("3S"),
        lambda: rules.beats(play, play), lambda: rules.strength(play), lambda: rules.legal_plays("3S", play),
    ):
        refused(call)
refused(lambda: Play(None))
refused(lambda: Play())
refused(lambda: Play.__new__(Play))
refused(lambda: Plays())
refused(lambda: type(iter(plays))())
refused(lambda: next(type(iter(plays)).__new__(type(iter(plays)))))
refused(lambda: DAGUN._compile(**{name: DAGUN.fields()[name] for name in (
    "lone_jokers", "ftk_max_jokers", "sky_bomb", "natural_bombs", "rolls", "roll_two", "roll_order")}))
empty = Plays.__new__(Plays)
assert len(empty) == 0 and list(empty) == [] and len(empty.array) == 0 and play not in empty
assert Hand.__new__(Hand) == Hand()
""")


@pytest.mark.parametrize("index", [10**30, -(10**30), 2**63, len(PLAYS), -len(PLAYS) - 1])
def test_an_index_out_of_range(index: int) -> None:
    with pytest.raises(IndexError):
        PLAYS[index]
    with pytest.raises(IndexError):
        list(PLAYS)[index]


def test_an_exhausted_iterator_stays_so() -> None:
    iterator = iter(PLAYS[:3])
    assert operator.length_hint(iterator) == 3
    assert list(iterator) == list(PLAYS[:3])
    assert operator.length_hint(iterator) == 0
    assert next(iterator, None) is None
    assert next(iterator, None) is None


def test_plays_of_other_rules_are_refused_by_name() -> None:
    play = DAYE.parse_play("XB as single 2")
    for call in (
        XIANNING.strength,
        lambda beaten: XIANNING.legal_plays(HAND, beaten),
        lambda it: XIANNING.beats(it, it),
    ):
        with pytest.raises(ValueError, match="XB as single 2"):
            call(play)
