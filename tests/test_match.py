"""Matches: who deals, the accounts, and that a seed settles everything."""

import numpy as np
import pytest

from dagong import DAGUN, DAYE, XIANNING, Match, State


def play_out(state: State, solo: bool = False) -> None:
    while state.phase == "bid":
        state.bid(solo)
    while state.phase == "play":
        play = state.random_play(len(state.history))
        state.pass_() if play is None else state.play(play)


@pytest.mark.parametrize("rules", [DAGUN, DAYE, XIANNING, DAGUN.replace(rolls="hard")], ids=str)
def test_a_match(rules):
    match = Match(rules, seed=5, stake=3)
    assert (match.hands_played, match.accounts, match.history) == (0, (0, 0, 0, 0), ())
    assert match.state == State.deal(rules, 5)
    results = []
    for index in range(1, 6):
        play_out(match.state, solo=index == 2)
        results.append(match.state.result)
        assert match.history == tuple(results)
        assert match.hands_played == index
        paid = np.sum([result.payoffs for result in results], axis=0)
        assert match.accounts == tuple(3 * paid)
        assert sum(match.accounts) == 0
        state = match.next_hand()
        assert state is match.state
        assert match.hands_played == index
        assert state == State.deal(rules, 5, hand_index=index, dealer=results[-1].places[0])


def test_first_in_a_solo_hand_deals_next():
    dealers = set()
    for seed in range(30):
        match = Match(DAYE, seed=seed)
        soloist = match.state.to_move
        play_out(match.state, solo=True)
        assert match.state.soloist == soloist
        first = match.state.places[0]
        dealers.add(first == soloist)
        assert match.next_hand().dealer == first
    assert dealers == {True, False}


def test_a_seed_settles_it():
    def accounts(seed):
        match = Match(XIANNING, seed=seed)
        for _ in range(3):
            play_out(match.state)
            match.next_hand()
        return match.accounts, match.state.dealt

    assert accounts(1) == accounts(1)
    assert accounts(1) != accounts(2)
    assert accounts(np.random.default_rng(1)) == accounts(np.random.default_rng(1))


def test_without_a_seed_there_is_one():
    match = Match(DAYE)
    assert match.state == State.deal(DAYE, match.seed)
    assert Match(DAYE).seed != match.seed


def test_the_hand_has_to_be_over():
    match = Match(DAYE, seed=1)
    with pytest.raises(ValueError, match="the current hand is not over"):
        match.next_hand()
    play_out(match.state)
    match.state.undo()
    assert match.hands_played == 0
    with pytest.raises(ValueError, match="not over"):
        match.next_hand()


@pytest.mark.parametrize("stake", [0, -1, 1.5, True, "1"])
def test_stakes(stake):
    with pytest.raises(ValueError, match="stake = "):
        Match(DAYE, seed=1, stake=stake)


@pytest.mark.parametrize("seed", [-1, 1 << 64, "7", True])
def test_seeds(seed):
    with pytest.raises(ValueError, match="seed = "):
        Match(DAYE, seed=seed)


def test_repr():
    assert repr(Match(DAYE, seed=1)) == "<Match: DAYE, 0 hands played, accounts (0, 0, 0, 0)>"
