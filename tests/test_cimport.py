"""A package outside of dagong compiles against its core and gets the same answers without the GIL."""

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from random import Random
from types import ModuleType

import pytest

from dagong import CARDS_DTYPE, DAYE, PLAY_DTYPE, Detail, Hand, Plays, Ruleset, State
from strategies import HOUSES, PRESETS, any_hand

HERE = Path(__file__).parent
CHECKSUM = 2**64


def build(folder: Path) -> None:
    """Build the extension in the folder, out of reach of the source tree."""
    command = [sys.executable, "setup.py", "-q", "build_ext", "--inplace"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def load(name: str, folder: Path) -> ModuleType:
    """Import a built extension from a folder that is not on the path."""
    file = next(
        path
        for path in folder.iterdir()
        if path.name.startswith(f"{name}.") and path.suffix in (".so", ".pyd")
    )
    spec = spec_from_file_location(name, file)
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("outside")
    for name in ("setup.py", "richest.pyx", "hands.pyx"):
        shutil.copy(HERE / "outside" / name, folder)
    build(folder)
    return folder


@pytest.fixture(scope="module")
def outside(built: Path) -> ModuleType:
    return load("richest", built)


@pytest.fixture(scope="module")
def outside_hands(built: Path) -> ModuleType:
    return load("hands", built)


def numbers_of(rules: Ruleset, hand: Hand, detail: Detail, called: int | None) -> list[int]:
    """What the extension computes, by the Python interface."""
    rows = rules.legal_plays(hand).array
    plays: Plays = rules.legal_plays(hand, detail=detail, called=called)
    checksum = 0
    for play in plays:
        once, twice = play.cards.planes
        checksum = (checksum * 1000003 + once * 31 + twice) % CHECKSUM
    fields = zip(*(rows[name].tolist() for name in ("kind", "rank", "size", "jokers")), strict=True)
    total = sum(kind + 10 * rank + 1000 * size + 100_000 * jokers for kind, rank, size, jokers in fields)
    return [
        len(rows),
        rules.count_plays(hand, detail=detail, called=called),
        len(plays),
        checksum,
        total % CHECKSUM,
    ]


@pytest.mark.parametrize("rules", [*PRESETS, *HOUSES], ids=str)
def test_the_same_answers(outside: ModuleType, rules: Ruleset) -> None:
    rng = Random(11)
    compared = 0
    while compared < 30:
        cards = any_hand(rng)
        detail = Detail(rng.randrange(3))
        called = rng.choice(cards)
        if rules.count_plays(Hand(cards), detail=detail, called=called) < 20_000:
            answer = outside.numbers(rules, Hand(cards), int(detail), called)
            assert answer == numbers_of(rules, Hand(cards), detail, called)
            compared += 1


def test_rules_compiled_outside(outside: ModuleType) -> None:
    rng = Random(12)
    for wild_alone, lone_jokers in ((False, "threes"), (True, "wild")):
        for rolls, mode in enumerate(("none", "hard", "soft")):
            rules = DAYE.replace(lone_jokers=lone_jokers, rolls=mode)
            for _ in range(10):
                hand = Hand(any_hand(rng))
                answer = outside.numbers_of_own_rules(hand, wild_alone, rolls)
                assert answer == numbers_of(rules, hand, Detail.RANKS, None)


def test_in_many_threads(outside: ModuleType) -> None:
    rng = Random(13)
    questions = [(PRESETS[place % 3], Hand(any_hand(rng))) for place in range(60)]
    alone = [outside.numbers(*question) for question in questions]
    with ThreadPoolExecutor(8) as pool:
        for _ in range(5):
            assert list(pool.map(lambda question: outside.numbers(*question), questions)) == alone


def play_by_choices(state: State, choices: list[int]) -> Iterator[int]:
    """The keys of a hand played by each play's place in the list, -1 being a pass."""
    for choice in choices:
        if choice < 0:
            state.pass_()
        else:
            state.play(state.legal_plays()[choice])
        yield state.key


@pytest.mark.parametrize("rules", [*PRESETS, *HOUSES], ids=str)
def test_whole_hands(outside_hands: ModuleType, rules: Ruleset) -> None:
    """A hand stepped through natively is the hand that a State sees, key by key, and pays the same."""
    rng = Random(14)
    for number in range(30):
        dealt = State.deal(rules, 14, hand_index=number)
        partners = {"dealer": dealt.dealer, "called": dealt.called}
        given = {"dealer": 0, "soloist": number % 4} if number % 5 == 0 else partners
        state = State.from_hands(rules, dealt.hands, **given)
        begun = state.key
        called = -1 if state.called is None else state.called
        soloist = 4 if state.soloist is None else state.soloist
        answer = outside_hands.play_hand(
            rules, state.hands, state.dealer, called, soloist, rng.getrandbits(64)
        )
        choices, keys, payoffs, multiplier, undone = answer
        assert list(play_by_choices(state, choices)) == keys
        assert undone == begun
        assert state.result is not None
        assert list(state.result.payoffs) == payoffs
        assert state.result.multiplier == multiplier


def test_whole_hands_in_many_threads(outside_hands: ModuleType) -> None:
    deals = [State.deal(PRESETS[index % 3], 15, hand_index=index) for index in range(60)]
    questions = [
        (deal.rules, deal.hands, deal.dealer, deal.called, 4, index) for index, deal in enumerate(deals)
    ]
    alone = [outside_hands.play_hand(*question) for question in questions]
    with ThreadPoolExecutor(8) as pool:
        for _ in range(5):
            assert list(pool.map(lambda question: outside_hands.play_hand(*question), questions)) == alone


def test_structs_are_records(outside: ModuleType) -> None:
    row, planes, _ = outside.sizes()
    assert row == PLAY_DTYPE.itemsize
    assert row + planes == CARDS_DTYPE.itemsize


def test_wrong_arguments_are_refused_at_the_door(outside: ModuleType) -> None:
    for wrong in (None, "DAGUN", 3):
        with pytest.raises(TypeError):
            outside.numbers(wrong, Hand("3S"))
        with pytest.raises(TypeError):
            outside.numbers(PRESETS[0], wrong)


def test_the_example_of_the_manual(tmp_path: Path) -> None:
    """docs/cimport.md shows two extensions, their setup and what they print: all of it is true."""
    text = (HERE.parent / "docs" / "cimport.md").read_text("utf-8")
    files = dict(re.findall(r"`(\w+\.\w+)`:\n\n```\w+\n(.*?)```", text, re.DOTALL))
    assert set(files) == {"leads.pyx", "playout.pyx", "setup.py"}
    for name, content in files.items():
        (tmp_path / name).write_text(content, "utf-8")
    build(tmp_path)
    session = re.search(r"```pycon\n(.*?)```", text, re.DOTALL)
    assert session is not None
    (tmp_path / "session.txt").write_text(session[1], "utf-8")
    command = [sys.executable, "-m", "doctest", "session.txt"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
