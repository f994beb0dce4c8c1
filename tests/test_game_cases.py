"""The whole hands in data/cases.jsonl, action by action, through ``State``."""

from typing import Any

import oracle_game
from dagong import Card, Detail, Hand, State
from test_cases import cases_of, ruleset_of


def started(case: dict[str, Any]) -> State:
    """The hand as it is dealt, before the bids."""
    hands = [Hand(cards) for cards in case["hands"]]
    called = Card(case["called"])
    return State.from_hands(
        ruleset_of(case["rules"]), hands, dealer=case["dealer"], called=called, bidding=True
    )


def make_bids(state: State, bids: list[bool]) -> None:
    """In order from the dealer, who leads afterwards unless somebody plays solo."""
    dealer = state.dealer
    for turn, solo in enumerate(bids):
        assert state.phase == "bid"
        assert state.to_move == (dealer + turn) % 4
        state.bid(solo)
    assert state.phase == "play"
    assert state.to_move == state.dealer


@cases_of("game")
def test_hand(case: dict[str, Any]) -> None:
    expect = case["expect"]
    state = started(case)
    make_bids(state, case["bids"])
    assert state.soloist == expect["soloist"]
    assert state.partner == expect["partner"]
    legal_counts, tricks, revealed_at = [], [], None
    for index, (seat, action) in enumerate(case["actions"]):
        assert state.to_move == seat
        plays = state.legal_plays(Detail.RANKS)
        legal_counts.append(len(plays))
        captured, hands, revealed = state.captured, state.hands, state.revealed
        taken = state.pile_points
        if action == "pass":
            assert state.can_pass
            taker = state.last_player
            state.pass_()
        else:
            play = state.rules.parse_play(action)
            assert play in plays
            taker = seat
            state.play(play if index % 2 else action)
            taken += play.cards.points
            assert state.hands[seat] == hands[seat] - play.cards
        if state.revealed and not revealed:
            revealed_at = index
        if state.last_player is None or state.phase == "over":
            tricks.append([index, taker, taken, state.to_move])
            gained = [after - before for before, after in zip(captured, state.captured, strict=True)]
            assert gained == [taken if other == taker else 0 for other in range(4)]
            assert state.pile_points == 0
        else:
            assert state.captured == captured
            assert (state.pile_points, state.last_player) == (taken, taker)
    assert state.phase == "over"
    assert state.to_move is None
    assert legal_counts == expect["legal_counts"]
    assert tricks == expect["tricks"]
    assert revealed_at == expect["revealed_at"]
    assert list(state.captured) == expect["captured"]
    assert state.ending == expect["ending"]
    assert list(state.places) == expect["places"]
    assert_result(state, expect)


def assert_result(state: State, expect: dict[str, Any]) -> None:
    """All that the case says of the result; the words of reasons are a comment, and the points of a solo."""
    result = state.result
    assert result is not None
    assert result.ending == expect["ending"]
    assert list(result.places) == expect["places"]
    if state.soloist is None:
        assert list(result.points) == expect["points"]
    assert list(result.winners) == expect["winners"]
    assert result.multiplier == expect["multiplier"]
    assert list(result.payoffs) == expect["payoffs"]
    reasons = [(reason.rule, list(reason.amounts)) for reason in result.reasons]
    assert reasons == [(rule, amounts) for rule, amounts, _ in expect["reasons"]]
    assert all(reason.words for reason in result.reasons)


@cases_of("game")
def test_hand_by_the_oracle(case: dict[str, Any]) -> None:
    told = oracle_game.replay(case)
    expect = dict(case["expect"])
    if expect["soloist"] is not None:
        del told["points"], expect["points"]
    for outcome in (told, expect):
        outcome["reasons"] = [reason[:2] for reason in outcome["reasons"]]
    assert told == expect


@cases_of("game")
def test_undone_and_done_again(case: dict[str, Any]) -> None:
    state = started(case)
    begun = state.copy()
    make_bids(state, case["bids"])
    keys = [state.key]
    for _, action in case["actions"]:
        if action == "pass":
            state.pass_()
        else:
            state.play(action)
        keys.append(state.key)
    history = state.history
    for key in reversed(keys):
        assert state.key == key
        state.undo()
    while state.history:
        state.undo()
    assert state == begun
    assert state.key == begun.key
    for action in history:
        if action.solo is not None:
            state.bid(action.solo)
        elif action.play is None:
            state.pass_()
        else:
            state.play(action.play)
    assert state.key == keys[-1]
    assert_result(state, case["expect"])
