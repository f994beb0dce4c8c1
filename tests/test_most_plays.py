"""The longest list of plays that a hand can have: what MOST_PLAYS promises room for, proven.

Under the rules that allow most, how many plays a hand has depends on its rank counts and on three suit
counts (for 510Ks). Cut between 8 and 9, both sides of the ranks are alike, six ranks 3 to 8 and, counted
from the other end, six ranks A to 9; the 2 stands by itself. A half is summed up by 2 + 3 (jokers + 1)
numbers: the plays within it, and how many stretches of pairs, triples and fours reach the cut, by the
jokers spent on them. A whole hand's plays are then a scalar product of two such vectors. So all hands, some
10^9, are tried as matrix products, and only where bounds on the products leave a chance.

The bounds hold because all numbers are whole and none is negative. Single precision is exact here: every
sum is below 2^24.
"""

import random
import re
from itertools import product
from pathlib import Path

import numpy as np
import pytest

import dagong
import oracle
from dagong import DAGUN, DAYE, XIANNING, Hand, Ruleset

GENEROUS = DAYE.replace(sky_bomb=True, natural_bombs=True, rolls="soft", roll_two=True)
"""Every play under any rules is one under these."""

HAND_CARDS = 27
HALF = 6  # ranks on either side of the cut
PLACES = {"five": 2, "ten": 4, "king": 1}  # counted from the end that is on the same side of the cut

# Jokers held: the most plays, and rank counts from 3 to 2 that have them.
LONGEST = {
    4: (12295, (2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 0)),
    3: (5972, (2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 0)),
    2: (1909, (2, 2, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 0)),
    1: (944, (0, 0, 0, 0, 0, 0, 0, 6, 7, 7, 6, 0, 0)),
    0: (387, (0, 0, 0, 0, 6, 7, 7, 7, 0, 0, 0, 0, 0)),
}


def hand_of(counts: tuple[int, ...], jokers: int) -> Hand:
    """Spades first in every rank, so that as many 510Ks as can be are flush."""
    naturals = [4 * rank + 3 - copy % 4 for rank, number in enumerate(counts) for copy in range(number)]
    return Hand(naturals + [52, 52, 53, 53][:jokers])


def fillings(jokers: int, each: int) -> np.ndarray:
    """How a rank with 0 to 8 naturals comes to ``each`` cards, by the jokers that takes."""
    ways = [[held >= each - among >= 0 for among in range(jokers + 1)] for held in range(9)]
    return np.array(ways, np.float32)


def fillings_of_roll(jokers: int) -> np.ndarray:
    """Four cards or more; a joker only counts here where it brings a rank to four."""
    ways = fillings(jokers, 4)
    ways[:, 0] = [max(0, held - 3) for held in range(9)]
    return ways


def chain(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Rows of polynomials in the jokers spent, multiplied row by row."""
    spent = np.zeros_like(one)
    for total in range(one.shape[1]):
        for part in range(total + 1):
            spent[:, total] += one[:, part] * other[:, total - part]
    return spent


def spare_jokers(jokers: int) -> np.ndarray:
    """How many numbers of jokers a roll can hold that needs 0, 1, ...: each spare one more."""
    return np.arange(jokers + 1, 0, -1, dtype=np.float32)


class Halves:
    """All ways to hold six ranks of up to ``most`` cards, from the end of the ladder to the cut."""

    def __init__(self, jokers: int, twos: int, most: int) -> None:
        each_way = [fillings(jokers, 2), fillings(jokers, 3), fillings_of_roll(jokers)]
        # one natural card of a rank or more, and any jokers: a single, pair, triple or bomb
        of_rank = np.array([held * (jokers + 1) for held in range(9)], np.float32)
        spare = spare_jokers(jokers)
        nothing = np.zeros((1, jokers + 1), np.float32)
        # the 2 stands beyond either end of the ladder, where only rolls reach it
        ending = [nothing, nothing, each_way[2][[twos]]]
        self.counts = np.zeros((1, 0), np.uint8)
        self.cards = np.zeros(1, np.int64)
        self.inside = np.zeros(1, np.float32)
        for _ in range(HALF):
            before = np.repeat(np.arange(len(self.cards)), 9)
            held = np.tile(np.arange(9), len(self.cards))
            fits = self.cards[before] + held <= most
            before, held = before[fits], held[fits]
            self.cards = self.cards[before] + held
            self.counts = np.column_stack([self.counts[before], held.astype(np.uint8)])
            longer = [chain(ending[kind][before], each_way[kind][held]) for kind in range(3)]
            self.inside = self.inside[before] + of_rank[held]
            self.inside += longer[0].sum(1) + longer[1].sum(1) + longer[2] @ spare
            ending = [longer[kind] + each_way[kind][held] for kind in range(3)]
        # How a stretch that reaches the cut with n jokers may go on: with so many or fewer.
        left = jokers - np.add.outer(np.arange(jokers + 1), np.arange(jokers + 1))
        upto, spares = left >= 0, np.maximum(0, left + 1)
        ones = np.ones_like(self.inside)
        self.one_side = np.column_stack([self.inside, ones, *ending])
        self.other_side = np.column_stack(
            [ones, self.inside, ending[0] @ upto, ending[1] @ upto, ending[2] @ spares]
        ).astype(np.float32)

    def suits(self, rank: str) -> np.ndarray:
        return np.minimum(self.counts[:, PLACES[rank]], 4)


def most_five_ten_kings(suits: tuple[int, int, int], jokers: int) -> int:
    """With so many suits of 5, 10 and K: most where the suits of one are among those of the others."""
    number = 0
    for natural in product((False, True), repeat=3):
        held = [suits[place] for place in range(3) if natural[place]]
        if 3 - len(held) > jokers or 0 in held:
            continue
        number += min(held, default=1)
        number += len(held) >= 2 and max(held) > 1
    return number


def longest_list(jokers: int, at_least: int) -> tuple[int, set[tuple[int, ...]]]:
    """The most plays of a 27-card hand, if not below ``at_least``, and all rank counts that have them."""
    best, where = at_least, set()
    alone = 13 * min(jokers, 3) + (13 + 1) * (jokers == 4)  # the four as pair runs: within the halves
    five_ten_kings = np.array(
        [most_five_ten_kings(suits, jokers) for suits in product(range(5), repeat=3)], np.float32
    ).reshape(5, 5, 5)
    for twos in range(9):
        most = HAND_CARDS - jokers - twos
        halves = Halves(jokers, twos, most)
        fives, tens, kings = (halves.suits(rank) for rank in ("five", "ten", "king"))
        # from the middle out: the sooner a good hand is found, the fewer are left to try
        for cards in sorted(range(most + 1), key=lambda cards: abs(2 * cards - most)):
            for suits_of_five in range(5):
                low = np.flatnonzero((halves.cards == cards) & (fives == suits_of_five))
                high = np.flatnonzero(halves.cards == most - cards)
                if not len(low) or not len(high):
                    continue
                one, other = halves.one_side[low], halves.other_side[high]
                other[:, 1] += alone + twos * (jokers + 1)
                other[:, 1] += five_ten_kings[suits_of_five, tens[high], kings[high]]
                chance = one @ other.max(0) >= best
                low, one = low[chance], one[chance]
                if not len(low):
                    continue
                chance = other @ one.max(0) >= best
                high, other = high[chance], other[chance]
                for start in range(0, len(low), 256):
                    plays = one[start : start + 256] @ other.T
                    top = int(plays.max(initial=0))
                    if top < best:
                        continue
                    if top > best:
                        best, where = top, set()
                    for row, column in zip(*np.nonzero(plays == best), strict=True):
                        below, above = halves.counts[low[start + row]], halves.counts[high[column]]
                        where.add((*below.tolist(), *above[::-1].tolist(), twos))
    return best, where


def plays_by_halves(counts: tuple[int, ...], jokers: int) -> int:
    """What the search takes the plays of one hand to be."""
    halves = Halves(jokers, counts[12], sum(counts))
    low = np.flatnonzero((halves.counts == counts[:HALF]).all(1))
    high = np.flatnonzero((halves.counts == counts[11 : HALF - 1 : -1]).all(1))
    alone = 13 * min(jokers, 3) + (13 + 1) * (jokers == 4)
    suits = tuple(min(counts[rank], 4) for rank in (2, 7, 10))
    within = halves.one_side[low[0]] @ halves.other_side[high[0]]
    return int(within) + alone + counts[12] * (jokers + 1) + most_five_ten_kings(suits, jokers)


def most_plays() -> int:
    text = (Path(dagong.__file__).parent / "_generate.pxd").read_text(encoding="utf-8")
    return int(re.search(r"MOST_PLAYS = (\d+)", text)[1])


def random_counts(chance: random.Random, jokers: int) -> tuple[int, ...]:
    """Few ranks or many, so that long runs, rolls and 2s all come about."""
    ranks = chance.sample(range(13), chance.randint(4, 13))
    counts = [0] * 13
    while sum(counts) < HAND_CARDS - jokers:
        rank = chance.choice(ranks)
        counts[rank] += counts[rank] < 8
    return tuple(counts)


def test_longest_list_fits() -> None:
    assert LONGEST[4][0] == max(number for number, _ in LONGEST.values()) <= most_plays()


@pytest.mark.parametrize("jokers", LONGEST)
def test_the_search_counts_what_the_core_counts(jokers: int) -> None:
    chance = random.Random(jokers)
    number, counts = LONGEST[jokers]
    hand = hand_of(counts, jokers)
    assert len(hand) == HAND_CARDS
    assert GENEROUS.count_plays(hand) == len(GENEROUS.legal_plays(hand)) == number
    assert plays_by_halves(counts, jokers) == number
    for _ in range(3):
        counts = random_counts(chance, jokers)
        assert plays_by_halves(counts, jokers) == GENEROUS.count_plays(hand_of(counts, jokers)), counts


@pytest.mark.parametrize("jokers", LONGEST)
def test_the_longest_lists_by_the_oracle(jokers: int) -> None:
    number, counts = LONGEST[jokers]
    assert oracle.count(GENEROUS.fields(), tuple(hand_of(counts, jokers))) == number


def test_cards_more_are_never_plays_fewer() -> None:
    chance = random.Random(27)
    for _ in range(300):
        hand = hand_of(random_counts(chance, 4), chance.randint(0, 4))
        fewer = hand - Hand([chance.choice(list(hand))])
        assert GENEROUS.count_plays(fewer) <= GENEROUS.count_plays(hand)


def all_mixes() -> list[Ruleset]:
    mixes = []
    for lone, most, sky, rolls, two in product(
        ("threes", "wild"), range(4), (False, True), ("none", "hard", "soft"), (False, True)
    ):
        bonus = {"roll_bonus": "none"}
        mixes.append(
            DAGUN.replace(
                lone_jokers=lone, ftk_max_jokers=most, sky_bomb=sky, rolls=rolls, roll_two=two, **bonus
            )
        )
    return [*mixes, DAGUN, DAYE, XIANNING]


def test_other_rules_allow_a_subset() -> None:
    chance = random.Random(13)
    mixes = all_mixes()
    for jokers in range(5):
        for counts in (LONGEST[jokers][1], random_counts(chance, jokers)):
            hand = hand_of(counts, jokers)
            allowed = set(GENEROUS.legal_plays(hand))
            for rules in mixes:
                # a play's strength is its rules' own, and plays are equal whatever it is
                assert allowed.issuperset(rules.legal_plays(hand)), rules


@pytest.mark.parametrize("jokers", LONGEST)
def test_no_list_is_longer(jokers: int) -> None:
    """The proof: with any number of jokers, no hand of 27 cards has more plays than the longest."""
    most = LONGEST[4][0]
    best, where = longest_list(jokers, at_least=most)
    assert best == most
    assert (LONGEST[4][1] in where) == (jokers == 4)


@pytest.mark.parametrize("jokers", LONGEST)
def test_longest_list_for_each_number_of_jokers(jokers: int, request: pytest.FixtureRequest) -> None:
    if not request.config.getoption("--exhaustive", default=False):
        pytest.skip("takes --exhaustive")
    number, counts = LONGEST[jokers]
    best, where = longest_list(jokers, at_least=0)
    assert (best, counts in where) == (number, True)
    assert all(GENEROUS.count_plays(hand_of(counts, jokers)) == number for counts in where)
