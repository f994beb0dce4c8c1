"""What the tests draw from: adversarial hands and rule sets by seed, and the same for hypothesis.

The seeded makers take a ``random.Random`` and give card codes, so that a failure names a seed that brings
it back; the hypothesis strategies at the end shrink instead.
"""

from __future__ import annotations

from random import Random

from hypothesis import strategies as st

from dagong import DAGUN, DAYE, XIANNING, Hand, Play, Ruleset

PACK = tuple(code for code in range(54) for _ in range(2))
JOKERS = (52, 52, 53, 53)
HAND_CARDS = 27
FIVE, TEN, KING, ACE, TWO = 2, 7, 10, 11, 12

PRESETS = (DAGUN, DAYE, XIANNING)
PLAY_FIELDS: dict[str, tuple[object, ...]] = {
    "lone_jokers": ("threes", "wild"),
    "ftk_max_jokers": (0, 1, 2, 3),
    "sky_bomb": (False, True),
    "natural_bombs": (False, True),
    "rolls": ("none", "soft", "hard"),
    "roll_two": (False, True),
    "roll_order": ("largest_from_ten", "cards_then_largest", "cards_then_top"),
}
# House rules that are each a corner of their own.
HOUSES = (
    DAYE.replace(sky_bomb=True, rolls="soft", roll_two=True, roll_order="cards_then_largest"),
    DAGUN.replace(sky_bomb=False, ftk_max_jokers=3, roll_order="cards_then_top"),
    XIANNING.replace(lone_jokers="wild", ftk_max_jokers=2, natural_bombs=False, roll_two=True),
    DAGUN.replace(rolls="soft", roll_two=False, ftk_max_jokers=0, roll_order="cards_then_largest"),
)


def house(fields: dict[str, object]) -> Ruleset:
    """The rule set with these play fields; the others are those of DAYE, which go with any."""
    return DAYE.replace(**fields)


def cards_of_rank(rank: int) -> list[int]:
    """All eight cards of a rank."""
    return [4 * rank + suit for suit in range(4)] * 2


def capped(rng: Random, cards: list[int], size: int) -> tuple[int, ...]:
    """So many of the cards at random, sorted."""
    return tuple(sorted(rng.sample(cards, min(size, len(cards)))))


def any_size(rng: Random) -> int:
    """The size of a hand: often full, sometimes anything."""
    return HAND_CARDS if rng.random() < 0.5 else rng.randint(1, HAND_CARDS)


def some_jokers(rng: Random) -> list[int]:
    """Jokers, two times in three all four."""
    return list(JOKERS) if rng.random() < 2 / 3 else rng.sample(JOKERS, rng.randint(0, 4))


def with_jokers(rng: Random, naturals: list[int], size: int) -> tuple[int, ...]:
    """Some jokers and as many of the natural cards as there is room for."""
    jokers = some_jokers(rng)[:size]
    return tuple(sorted([*jokers, *rng.sample(naturals, min(size - len(jokers), len(naturals)))]))


def uniform_hand(rng: Random) -> tuple[int, ...]:
    """Cards of a shuffled pack."""
    return capped(rng, list(PACK), any_size(rng))


def joker_hand(rng: Random) -> tuple[int, ...]:
    """Jokers and anything."""
    return with_jokers(rng, list(PACK[:104]), any_size(rng))


def few_ranks_hand(rng: Random) -> tuple[int, ...]:
    """Many cards of few ranks: long bombs, eights and sevens."""
    ranks = rng.sample(range(13), rng.randint(1, 4))
    return with_jokers(rng, [card for rank in ranks for card in cards_of_rank(rank)], any_size(rng))


def neighbours_hand(rng: Random) -> tuple[int, ...]:
    """Neighbouring ranks, the 2 next to both A and 3: rolls and triple runs."""
    length = rng.randint(2, 7)
    start = rng.randrange(13)
    ranks = {(start + step) % 13 for step in range(length)}
    naturals = [card for rank in ranks for card in cards_of_rank(rank)]
    return with_jokers(rng, naturals, any_size(rng))


def roll_hand(rng: Random) -> tuple[int, ...]:
    """About four cards each of up to six ranks in a row."""
    length = rng.randint(2, 6)
    start = rng.randint(-1, 13 - length)
    naturals = []
    for place in range(start, start + length):
        naturals += rng.sample(cards_of_rank(place % 13), rng.choice((2, 3, 4, 4, 4, 5, 6)))
    rng.shuffle(naturals)
    jokers = some_jokers(rng)
    return tuple(sorted([*jokers, *naturals[: HAND_CARDS - len(jokers)]]))


def ladder_hand(rng: Random) -> tuple[int, ...]:
    """One, two or three cards of each of many ranks in a row: the longest runs."""
    length = rng.randint(4, 13)
    start = rng.randint(0, 13 - length)
    each = rng.choice(((1,), (2,), (1, 2), (2, 3), (3,), (0, 1, 2, 3)))
    naturals = []
    for rank in range(start, start + length):
        naturals += rng.sample(cards_of_rank(rank), rng.choice(each))
    jokers = some_jokers(rng)
    return tuple(sorted([*jokers, *naturals[: HAND_CARDS - len(jokers)]]))


def points_hand(rng: Random) -> tuple[int, ...]:
    """5s, 10s and Ks of one suit or of all."""
    suits = rng.sample(range(4), rng.randint(1, 4))
    naturals = [4 * rank + suit for rank in (FIVE, TEN, KING) for suit in suits] * 2
    naturals += rng.sample(PACK[:104], 3)
    naturals = [card for card in set(naturals) for _ in range(min(2, naturals.count(card)))]
    return with_jokers(rng, naturals, rng.randint(1, HAND_CARDS))


def small_hand(rng: Random) -> tuple[int, ...]:
    """A handful of cards of which most fit together."""
    naturals = [card for rank in rng.sample(range(13), 2) for card in cards_of_rank(rank)]
    return with_jokers(rng, naturals, rng.randint(1, 7))


HAND_MAKERS = (
    uniform_hand,
    joker_hand,
    few_ranks_hand,
    neighbours_hand,
    roll_hand,
    ladder_hand,
    points_hand,
    small_hand,
)


def any_hand(rng: Random) -> tuple[int, ...]:
    """A hand of one of the sorts above."""
    return rng.choice(HAND_MAKERS)(rng)


def any_rules(rng: Random) -> Ruleset:
    """A preset, or any mix of the fields that bear on plays."""
    if rng.random() < 0.5:
        return rng.choice(PRESETS)
    return house({name: rng.choice(values) for name, values in PLAY_FIELDS.items()})


def any_play(rng: Random, rules: Ruleset) -> Play | None:
    """A play of any kind under the rules, each kind a hand offers as likely as the next."""
    plays = rules.legal_plays(Hand(any_hand(rng)), detail=0)
    kinds = plays.array["kind"]
    if len(kinds) == 0:
        return None
    places = (kinds == rng.choice(sorted(set(kinds.tolist())))).nonzero()[0]
    return plays[int(rng.choice(places.tolist()))]


# For hypothesis

codes = st.integers(0, 53)
seeds = st.integers(0, 2**32)
rulesets = st.one_of(
    st.sampled_from(PRESETS),
    st.fixed_dictionaries({name: st.sampled_from(values) for name, values in PLAY_FIELDS.items()}).map(house),
)
details = st.sampled_from((0, 1, 2))


def hands(most: int = HAND_CARDS) -> st.SearchStrategy[Hand]:
    """Hands of up to so many cards: drawn card by card, or of one of the sorts above."""
    drawn = st.lists(st.integers(0, 107), max_size=most, unique=True).map(
        lambda places: Hand(PACK[place] for place in places)
    )
    made = seeds.map(lambda seed: Hand(any_hand(Random(seed))[-most:]))
    return st.one_of(drawn, made)
