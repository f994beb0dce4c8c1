"""The core against the oracle, hand by hand.

By default a fixed share; ``pytest --exhaustive tests/test_oracle.py -s`` goes through everything, split
over ``--jobs`` processes.
"""

import multiprocessing
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import combinations, product
from random import Random
from typing import Any

import pytest

import oracle
from comparison import Expected, check_hand, check_order, line_of_cards, lines_of_rows, oracle_play
from dagong import Detail, Hand, Play, Ruleset
from strategies import HAND_MAKERS, HOUSES, JOKERS, PRESETS, any_play, any_rules, cards_of_rank

ALL_RULES = (*PRESETS, *HOUSES)
RANDOM_HANDS = 1_000
ALL_RANDOM_HANDS = 100_000
SEEDS_A_TASK = 100

# Plays of every kind for small hands to beat, strong and weak, with and without jokers.
TO_BEAT = (
    "3D as single 3", "TS as single T", "AD as single A", "2S as single 2", "XB as single 3",
    "4D 4S as pair 4", "KD XB as pair K", "XB XR as pair 3", "3D 3S XB as triple 3", "TD TS TS as triple T",
    "3D 3S 4D 4S as pair_run 4 x2", "KD AD XB XR as pair_run A x2", "4D 4S 5D 5S as pair_run 5 x2",
    "5D TS KD as five_ten_king mixed", "5D TD KD as five_ten_king D", "5S TS KS as five_ten_king S",
    "3D 3S XB XR as bomb 3", "TD TD TS TS as bomb T", "2D 2S XB XB XR as bomb 2", "AD AD AS AS as bomb A",
    "3D 3D 3C 3C 3H 3H 3S as bomb 3", "3D 3D 3C 3C 3H 3H 3S 3S as bomb 3", "XB XB XR XR as sky_bomb",
    "3D 3D 3S 3S 4D 4D 4S 4S as roll 4 x2",
)


def in_processes(work: Callable[[Any], int], tasks: list[Any], jobs: int, exhaustive: bool) -> int:
    """The sum of what the tasks return; says how far it is where it takes long."""
    total = 0
    # spawned, since a forked child would share what NumPy's threads hold
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(jobs, mp_context=context) as pool:
        for done, number in enumerate(pool.map(work, tasks), 1):
            total += number
            if exhaustive and (done % max(1, len(tasks) // 50) == 0 or done == len(tasks)):
                progress = f"{done} of {len(tasks)} tasks, {total} lists"
                print(f"{work.__name__}: {progress}", file=sys.stderr, flush=True)
    return total


# Random hands


def check_seed(seed: int) -> int:
    """One random question under random rules, by the seed."""
    rng = Random(seed)
    rules = any_rules(rng)
    cards = rng.choice(HAND_MAKERS)(rng)
    to_beat = any_play(rng, rules) if rng.random() < 0.8 else None
    if to_beat is not None and rng.random() < 0.5:
        to_beat = Play(str(to_beat))   # made under other rules, so that its strength has to be found anew
    if to_beat is not None:
        assert oracle.may_be(rules.fields(), *oracle_play(to_beat)), f"seed {seed}: {to_beat} is no play"
    detail = Detail(rng.randrange(3))
    # now and then a card that the hand does not hold
    called = rng.choice((*cards, rng.randrange(54))) if rng.random() < 0.4 else None
    try:
        return check_hand(rules, cards, to_beat, (detail,), called, 20_000 if seed % 10 == 0 else 2_000)
    except Exception as error:
        question = f"{rules!r}, {oracle.format_cards(cards)!r}, {to_beat!r}, {detail.name}, called {called}"
        raise AssertionError(f"seed {seed}: {question}") from error


def check_seeds(seeds: range) -> int:
    return sum(map(check_seed, seeds))


def test_random_hands(exhaustive: bool, jobs: int) -> None:
    number = ALL_RANDOM_HANDS if exhaustive else RANDOM_HANDS
    tasks = [range(first, first + SEEDS_A_TASK) for first in range(0, number, SEEDS_A_TASK)]
    assert in_processes(check_seeds, tasks, jobs, exhaustive) > 1.5 * number


# All small hands of a reduced deck


def multisets(codes: tuple[int, ...], most: int) -> Iterator[tuple[int, ...]]:
    """All sets of up to ``most`` cards, no card more than twice."""
    pack = sorted(codes * 2)
    for size in range(1, most + 1):
        yield from sorted(set(combinations(pack, size)))


def deck(text: str) -> tuple[int, ...]:
    """The codes of a reduced deck, all four jokers included."""
    return (*oracle.parse_cards(text), oracle.BLACK_JOKER, oracle.RED_JOKER)


def check_small_hands(task: tuple[int, str]) -> int:
    """Every hand of up to five cards, by the declarations of every part of it.

    Here the oracle uses nothing but ``identify`` and ``beats``. Three plays to beat a hand, in turn.
    """
    number_of_rules, text = task
    rules = ALL_RULES[number_of_rules]
    fields = rules.fields()
    targets = [Play(target) for target in TO_BEAT]
    targets = [play for play in targets if oracle.may_be(fields, *oracle_play(play))]
    declared: dict[tuple[int, ...], set[oracle.Declaration]] = {}
    lists = 0
    for place, cards in enumerate(multisets(deck(text), 5)):
        declared[cards] = oracle.identify(fields, cards)
        identified = [oracle_play(play) for play in rules.identify(Hand(cards))]
        assert Counter(identified) == Counter((cards, declaration) for declaration in declared[cards]), cards
        parts = {part for size in range(1, len(cards) + 1) for part in combinations(cards, size)}
        leads = [(part, declaration) for part in parts for declaration in declared[part]]
        called = cards[place % len(cards)] if place % 2 else None
        for turn in range(4):
            to_beat = None if turn == 0 else targets[(3 * place + turn) % len(targets)]
            beating = leads
            if to_beat is not None:
                beaten = oracle_play(to_beat)
                beating = [play for play in leads if oracle.beats(fields, play, beaten)]
            detail = Detail((place + turn) % 3)
            plays = rules.legal_plays(Hand(cards), to_beat, detail=detail, called=called)
            lines = lines_of_rows(plays.array, detail, called)
            where = f"{rules!r}, {oracle.format_cards(cards)!r}, {to_beat!r}, {detail.name}, called {called}"
            assert len(lines) == len(set(lines)), where
            assert set(lines) == {line_of_cards(*play, detail, called) for play in beating}, where
            assert rules.count_plays(Hand(cards), to_beat, detail=detail, called=called) == len(lines), where
            assert all((Play(str(play)) in plays) for play in plays), where
            lists += 1
    return lists


SMALL_DECK = "3S 5D 5S TD TS KS AD 2D"
LARGE_DECKS = (
    "3D 3S 4D 4S 5D 5S TD TS KD KS AD AS 2D 2S",
    "5D 5C 5H 5S TD TC TH TS KD KC KH KS",
    "QD QC QH QS KD KS AD AC AH AS 2D 2C 2H 2S",
    "3S 4S 5S 6S 7S 8S 9S TS JS QS KS AS 2S",
)


def test_small_hands(exhaustive: bool, jobs: int) -> None:
    decks = LARGE_DECKS if exhaustive else (SMALL_DECK,)
    tasks = [(number, text) for text in decks for number in range(len(ALL_RULES))]
    assert in_processes(check_small_hands, tasks, jobs, exhaustive) > 4 * len(tasks) * 1000


# All numbers of cards of neighbouring ranks: bombs, rolls, triple runs


def hands_by_numbers(ranks: tuple[int, ...], every: int, offset: int) -> Iterator[tuple[int, ...]]:
    """A hand for each number of cards of each rank, and of jokers; every so manieth of them."""
    numbers = product(*[range(9)] * len(ranks), range(5))
    for place, (*naturals, jokers) in enumerate(numbers):
        if place % every == offset and 0 < sum(naturals) + jokers <= 27:
            held = zip(ranks, naturals, strict=True)
            cards = [card for rank, number in held for card in cards_of_rank(rank)[:number]]
            yield tuple(sorted([*cards, *JOKERS[:jokers]]))


def check_numbers(task: tuple[int, tuple[int, ...], int, int]) -> int:
    """The plays at RANKS, their strengths, and what beats one of them in turn."""
    number_of_rules, ranks, every, offset = task
    rules = ALL_RULES[number_of_rules]
    lists = 0
    for place, cards in enumerate(hands_by_numbers(ranks, every, offset)):
        expected = Expected(rules, cards)
        leads = rules.legal_plays(Hand(cards))
        where = f"{rules!r}, {oracle.format_cards(cards)!r}"
        assert len(leads) == rules.count_plays(Hand(cards)), where
        assert sorted(lines_of_rows(leads.array, Detail.RANKS, None)) == sorted(
            expected.lines(None, Detail.RANKS, None)
        ), where
        check_order(leads, expected)
        to_beat = leads[place * 7919 % len(leads)]
        follows = rules.legal_plays(Hand(cards), to_beat)
        assert len(follows) == rules.count_plays(Hand(cards), to_beat), where
        assert sorted(lines_of_rows(follows.array, Detail.RANKS, None)) == sorted(
            expected.lines(oracle_play(to_beat), Detail.RANKS, None)
        ), f"{where}, {to_beat!r}"
        lists += 2
    return lists


NEIGHBOURS = ((12, 0, 1), (10, 11, 12), (2, 3, 4))


def tasks_by_numbers(groups: Iterable[tuple[int, ...]], every: int, parts: int) -> list[Any]:
    return [
        (number, ranks, every * parts, offset * every + number % every)
        for ranks in groups
        for number in range(len(ALL_RULES))
        for offset in range(parts)
    ]


def test_numbers_of_cards(exhaustive: bool, jobs: int) -> None:
    tasks = tasks_by_numbers(NEIGHBOURS, 1 if exhaustive else 61, 4 if exhaustive else 1)
    assert in_processes(check_numbers, tasks, jobs, exhaustive) > 100 * len(tasks)


# The oracle against itself


@pytest.mark.parametrize("rules", ALL_RULES, ids=str)
def test_the_oracle_agrees_with_its_own_subsets(rules: Ruleset) -> None:
    """Its two ways to find plays, by ranks and by trying each set of cards, are the same."""
    rng = Random(str(rules))
    fields = rules.fields()
    for _ in range(3):
        cards = tuple(sorted(rng.sample((*rng.choice(HAND_MAKERS)(rng), 52, 53, 10, 30, 42), 6)))
        if max(Counter(cards).values()) > 2:
            continue
        for detail in Detail:
            by_ranks = oracle.plays(fields, cards, None, detail.name, cards[0])
            assert by_ranks == oracle.plays_by_subsets(fields, cards, None, detail.name, cards[0])
