"""Hands played in bulk: the same as hands played one action at a time."""

from __future__ import annotations

from collections import Counter
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dagong import DAGUN, DAYE, XIANNING, Detail, Ruleset, State, outcome
from dagong._bulk import HAND_DTYPE, Choices, play_hands, write_row
from dagong.benchmark_hands import hands_fingerprint
from strategies import PACK, any_hand, any_rules, rulesets

PRESETS = (DAGUN, DAYE, XIANNING)
MIXES = (("random",) * 4, ("greedy",) * 4, ("greedy", "random", "random", "greedy"))


def step_by_step(rules: Ruleset, policies: tuple[str, ...], seed: int, hand: int) -> State:
    """The same hand through ``State``, which refuses what is illegal."""
    state = State.deal(rules, seed, hand_index=hand)
    choices = Choices(seed, hand)
    while state.phase == "bid":
        state.bid(choices.bid(state, policies[state.to_move]))
    while state.phase == "play":
        play = choices.play(state, policies[state.to_move])
        if play is None:
            state.pass_()
        else:
            plays = state.legal_plays()
            assert plays[plays.index(play)].cards == play.cards  # the very cards that the list gives
            state.play(play)
    return state


def bulk(rules: Ruleset, policies: tuple[str, ...], seed: int, first: int, number: int) -> np.ndarray:
    rows = np.zeros(number, HAND_DTYPE)
    play_hands(rules, policies, seed, first, rows)
    return rows


@pytest.mark.parametrize("policies", MIXES, ids="-".join)
@pytest.mark.parametrize("rules", PRESETS, ids=str)
def test_bulk_and_state_agree(rules: Ruleset, policies: tuple[str, ...]) -> None:
    rows = bulk(rules, policies, 5, 100, 100)
    for index, row in enumerate(rows):
        state = step_by_step(rules, policies, 5, 100 + index)
        again = np.zeros(1, HAND_DTYPE)
        write_row(state, 100 + index, again)
        assert again[0] == row
        check_row(row, state)


@settings(max_examples=100, deadline=None)
@given(rules=rulesets, policies=st.sampled_from(MIXES), seed=st.integers(0, 2**64 - 1))
def test_bulk_and_state_agree_under_any_rules(rules: Ruleset, policies: tuple[str, ...], seed: int) -> None:
    (row,) = bulk(rules, policies, seed, 0, 1)
    check_row(row, step_by_step(rules, policies, seed, 0))


def check_row(row: np.void, state: State) -> None:
    """Every field, by way of what Python says of the hand."""
    result = state.result
    assert result is not None
    assert row["payoffs"].tolist() == list(result.payoffs)
    assert row["multiplier"] == result.multiplier
    assert row["points"].tolist() == list(result.points)
    assert [seat for seat in range(4) if row["winners"] >> seat & 1] == list(result.winners)
    assert row["left"].tolist() == [len(hand) for hand in state.hands]
    assert row["revealed"] == state.revealed
    assert any(outcome._VERDICTS[row["verdict"]][1] in reason.words for reason in result.reasons)
    assert row["captured"].tolist() == list(state.captured)
    assert row["places"].tolist() == [*state.places, *[-1] * (4 - len(state.places))]
    assert row["dealer"] == state.parts[2]["dealer"] and row["called"] == state.parts[2]["called"]
    assert row["soloist"] == (-1 if state.soloist is None else state.soloist)
    assert row["partner"] == (-1 if state.partner is None else state.partner)
    played = [(action.seat, action.play) for action in state.history if action.solo is None]
    assert row["plays"] == sum(play is not None for _, play in played)
    assert row["passes"] == sum(play is None for _, play in played)
    kinds = Counter((seat, play.kind.name) for seat, play in played if play is not None)
    for field, kind in (
        ("five_ten_kings", "FIVE_TEN_KING"),
        ("bombs", "BOMB"),
        ("rolls", "ROLL"),
        ("sky_bombs", "SKY_BOMB"),
    ):
        assert row[field].tolist() == [kinds[seat, kind] for seat in range(4)]
    for seat, hand in enumerate(state.dealt_hands):
        counts = hand.rank_counts
        assert row["jokers"][seat] == counts[13]
        assert row["quads"][seat] == (counts[:13] >= 4).sum()
        bonuses = state.rules.holding_bonuses
        assert row["sky"][seat] == ("sky" in bonuses and counts[13] == 4)
        assert row["eights"][seat] == ("eight" in bonuses) * (counts[:13] == 8).sum()
        assert row["sevens"][seat] == ("seven" in bonuses) * (counts[:13] == 7).sum()
        assert row["four_510ks"][seat] == ("four_510k" in bonuses and counts[[2, 7, 10]].min() >= 4)


def test_a_hand_does_not_depend_on_those_before() -> None:
    whole = bulk(XIANNING, MIXES[2], 9, 0, 60)
    parts = [bulk(XIANNING, MIXES[2], 9, first, 20) for first in (40, 0, 20)]
    assert (np.concatenate([parts[1], parts[2], parts[0]]) == whole).all()
    assert (whole["hand"] == np.arange(60)).all()


def test_fingerprints() -> None:
    """These change if a hand of some thousands ends otherwise, or is told otherwise in its row."""
    assert {str(rules): hands_fingerprint([rules]) for rules in PRESETS} == {
        "DAGUN": "7c4b1fd5ce8a",
        "DAYE": "3cdd19ffae8b",
        "XIANNING": "3b867bb7a3ec",
    }


def test_a_greedy_player_beats_random_ones() -> None:
    rows = bulk(DAYE, ("greedy", "random", "random", "random"), 1, 0, 3000)
    payoffs = rows["payoffs"][:, 0]
    assert payoffs.mean() > 5 * payoffs.std() / len(rows) ** 0.5


@pytest.mark.parametrize(
    ("rules", "hand"),
    [
        (XIANNING, "3S 3H 4D 5S TS KS KH XB XR"),
        (XIANNING, "3S 3H 3D 4D 4S 5S 5D 6H XB XR XR"),
        (DAGUN, "3S 3H 4D 4H 5S TS KS 2H 2S 2D 2C"),
        (DAYE, "AS AH KS 2D XB XB XR XR"),
        (DAYE.replace(lone_jokers="wild"), "3S XB XB XR XR"),
        (DAYE, "4S KS KH KD KC KS KH KD 6S 6H 6D 6C 6S JS JH JD JC QS QH QD QC QS QH XB XB XR XR"),
        (DAYE, "4S KS KH KD KC KS KH KD 6S 6H 6D 6C 6S JS JH JD JC QS QH QD QC QS QH QD XB XR XR"),
    ],
)
def test_a_random_play_is_uniform_over_the_list(rules: Ruleset, hand: str) -> None:
    state = State.from_hands(rules, [hand, "7S", "8S 9C", "9C TD"], dealer=0, soloist=0)
    plays = state.legal_plays(Detail.RANKS)
    number = len(plays)
    drawn = Counter(plays.index(state.random_play(seed)) for seed in range(40 * number))
    assert len(drawn) > 0.99 * number
    chi_square = sum((drawn[index] - 40) ** 2 / 40 for index in range(number))
    assert abs(chi_square - number) < 5 * (2 * number) ** 0.5


@pytest.mark.parametrize("seed", range(10))
def test_random_plays_of_adversarial_hands_are_legal(seed: int) -> None:
    rng = Random(seed)
    for _ in range(40):
        rules, cards = any_rules(rng), any_hand(rng)
        left = list((Counter(PACK) - Counter(cards)).elements())
        rng.shuffle(left)
        hands = [cards, *(left[start : start + 20] for start in (0, 20, 40))]
        drawn_from_the_list(State.from_hands(rules, hands, dealer=0, soloist=0))
        state = State.from_hands(rules, hands, dealer=3, soloist=3)
        state.play(state.random_play(seed))
        drawn_from_the_list(state)


def drawn_from_the_list(state: State) -> None:
    plays = state.legal_plays(Detail.RANKS)
    for seed in range(40):
        play = state.random_play(seed)
        assert state.can_pass if play is None else play in plays


def test_bad_input_is_refused() -> None:
    rows = np.zeros(3, HAND_DTYPE)
    with pytest.raises(ValueError, match="HAND_DTYPE"):
        play_hands(DAYE, MIXES[0], 1, 0, np.zeros(3))
    for wrong in (np.zeros((2, 2), HAND_DTYPE), [1]):
        with pytest.raises(ValueError, match="one dimension"):
            play_hands(DAYE, MIXES[0], 1, 0, wrong)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="four policies"):
        play_hands(DAYE, ("random",) * 5, 1, 0, rows)
    with pytest.raises(ValueError, match="bold"):
        play_hands(DAYE, ("bold",) * 4, 1, 0, rows)
    with pytest.raises(ValueError, match="not over"):
        write_row(State.deal(DAYE, 1), 0, rows[:1])
    solo = State.from_hands(DAYE, ["3S", "4S", "5S", "6S"], dealer=0, soloist=0)
    solo.play("3S")
    with pytest.raises(ValueError, match="began with a soloist"):
        write_row(solo, 0, rows[:1])
    state = State.deal(DAYE, 1)
    with pytest.raises(ValueError, match="no play"):
        Choices(1, 0).play(state, "random")
    assert not rows["plays"].any()
