"""Hand records: exact round trips, and errors that name the line."""

import json
import random

import pytest

from dagong import DAGUN, DAYE, XIANNING, Card, Hand, State
from dagong.records import (
    HEADER,
    parse_record,
    parse_rules,
    record_from_json,
    record_json,
    record_text,
    rules_text,
    split_records,
    state_from_json,
)

PRESETS = (DAGUN, DAYE, XIANNING)
HOUSES = (
    DAGUN.replace(sky_bomb=False, rolls="hard", holding_bonuses=()),
    DAYE.replace(lone_jokers="threes", ftk_max_jokers=0),
    XIANNING.replace(holding_bonuses=("sky", "four_510k"), solo_multiplier=7, roll_bonus="none"),
)
POSITIONS = {
    "plain": {"dealer": 0, "called": Card("4S")},
    "bids": {"dealer": 1, "called": Card("5S"), "bidding": True},
    "solo": {"dealer": 0, "soloist": 2},
    "partner played": {"dealer": 2, "called": Card("KS"), "partner": 1},
    "under way": {
        "dealer": 0, "called": Card("4S"), "captured": (15, 0, 50, 5), "to_move": 3, "last_player": 2,
        "last_play": DAGUN.parse_play("3D"), "pile_points": 5,
    },
}
HANDS = ("4S 8D 8D KH", "4S 5S 6S 7S", "KS KC 5S 3H", "9C 9D TS TS 3C")


def act(state: State, rng: random.Random, solo: float = 0.0) -> None:
    """A random action."""
    if state.phase == "bid":
        state.bid(rng.random() < solo)
    elif (play := state.random_play(rng.getrandbits(64))) is None:
        state.pass_()
    else:
        state.play(play)


def played_out(state: State, seed: int = 1, solo: float = 0.0) -> State:
    rng = random.Random(seed)
    while state.phase != "over":
        act(state, rng, solo)
    return state


def check_round_trips(state: State) -> None:
    text = state.to_record()
    again = State.from_record(text)
    assert again == state
    assert (again.key, again.result) == (state.key, state.result)
    assert again.to_record() == text
    data = json.loads(json.dumps(state.to_record(format="json")))
    assert State.from_record(data) == state
    assert state_from_json(data) == state


# Round trips


@pytest.mark.parametrize("rules", [*PRESETS, *HOUSES], ids=str)
@pytest.mark.parametrize("solo", [0.0, 0.3])
def test_deals_at_every_step(rules, solo):
    rng = random.Random(str(rules))
    state = State.deal(rules, 5, dealer=2 if solo else None)
    check_round_trips(state)
    while state.phase != "over":
        act(state, rng, solo)
        check_round_trips(state)


@pytest.mark.parametrize("fields", POSITIONS.values(), ids=POSITIONS)
@pytest.mark.parametrize("rules", PRESETS, ids=str)
def test_positions_at_every_step(rules, fields):
    for seed in range(5):
        state = State.from_hands(rules, HANDS, **fields)
        check_round_trips(state)
        rng = random.Random(seed)
        while state.phase != "over":
            act(state, rng, 0.2)
            check_round_trips(state)


def test_a_position_with_somebody_out():
    state = State.from_hands(
        DAYE, ["", "4S 5S", "KS 3C", ""], dealer=0, called=Card("4S"), places=[3, 0], partner=1, to_move=1
    )
    check_round_trips(state)
    assert "hand 0:\n" in state.to_record()
    assert "places: 3 0\n" in state.to_record()


def test_what_a_seat_imagines():
    state = State.deal(XIANNING, 3)
    rng = random.Random(3)
    for _ in range(30):
        act(state, rng)
    check_round_trips(state.sample_hidden(2, 5))


def test_a_record_can_be_played_on():
    state = State.deal(DAGUN, 4)
    again = State.from_record(state.to_record())
    assert played_out(again) == played_out(state)


@pytest.mark.parametrize("rules", [*PRESETS, *HOUSES], ids=str)
def test_rules(rules):
    assert parse_rules(rules_text(rules)) == rules


# What the text looks like


def test_text():
    state = State.deal(DAGUN.replace(sky_bomb=False), 7)
    lines = record_text(state, {"seed": "7", "event": "club night 3"}).splitlines()
    assert lines[:4] == [HEADER, "rules: DAGUN with sky_bomb=false", "seed: 7", "event: club night 3"]
    assert lines[4] == "dealt 0: " + " ".join(map(str, state.dealt[0]))
    assert lines[-1] == "bids:"


def test_comments_blank_lines_and_loose_spelling():
    state = played_out(State.deal(DAYE, 7), 3)
    text = "\n # before\n\n" + "".join(f"  {line}   # why\n\n" for line in state.to_record().splitlines())
    assert State.from_record(text) == state
    text = state.to_record().replace("plays:\n", "").replace("TH", "10h")
    assert State.from_record(text) == state
    assert State.from_record(state.to_record().partition("result:")[0]) == state
    assert State.from_record(state.to_record().partition("payments:")[0]) == state


def test_declarations_may_be_left_out():
    state = State.from_hands(DAGUN, HANDS, **POSITIONS["plain"])
    state.play("8D 8D")
    assert State.from_record(state.to_record().replace("8D 8D as pair 8", "8D 8D")) == state


def test_tags():
    state = State.deal(DAYE, 7)
    tags = {"seed": "7", "event": "x: y"}
    assert parse_record(record_text(state, tags)).tags == tags
    assert record_from_json(record_json(state, tags)).tags == tags
    for bad in ({"Seed": "7"}, {"rules": "x"}, {"dealer": "1"}, {"a": "b # c"}, {"a": "b\nc"}, {"bids": ""}):
        with pytest.raises(ValueError, match="tag"):
            record_text(state, bad)


def test_many_in_a_file():
    texts = [State.deal(DAYE, seed).to_record() for seed in range(3)]
    found = list(split_records("# three\n" + "\n".join(texts)))
    assert [parse_record(text, line).state.dealt for line, text in found] == [
        State.deal(DAYE, seed).dealt for seed in range(3)
    ]
    assert [line for line, _ in found] == [2, 12, 22]
    assert next(split_records("junk\n" + texts[0])) == (1, "junk")


def test_format_is_checked():
    with pytest.raises(ValueError, match="format = 'xml'"):
        State.deal(DAYE, 7).to_record(format="xml")


# Errors


POSITION = """\
[dagong record 1]
rules: DAYE
hand 0: 4S 9D
hand 1: 4S 5S
hand 2: KS KC
hand 3: 9C 9D
dealer: 0
called: 4S
plays:
1. seat 0: 4S as single 4
2. seat 1: 5S as single 5
3. seat 2: KS as single K
4. seat 3: pass
5. seat 0: pass
6. seat 1: pass
7. seat 2: KC as single K
8. seat 3: pass
9. seat 0: pass
10. seat 1: pass
11. seat 3: 9D 9C as pair 9
result: ending one_left, places 2 3 0 1, points 0 0 25 0, winners 2 3, multiplier 4, payoffs -4 -4 4 4
payments:
R7.4: -4 -4 4 4  # first and second are partners, and the others took nothing: x4
"""


def position_text() -> str:
    """POSITION with the result that it has."""
    return State.from_record(POSITION.partition("result:")[0]).to_record()


@pytest.mark.parametrize(
    ("old", "new", "error"),
    [
        ("[dagong record 1]", "[dagong record 2]", r"line 1: expected the header \[dagong record 1\]"),
        ("rules: DAYE\n", "", "line 1: 'rules' is missing"),
        ("rules: DAYE", "rules: DAYE with polls=hard", "line 2: 'polls=hard': expected each of lone_jokers"),
        ("rules: DAYE", "rules: DAYE with rolls=loud", "line 2: rolls = 'loud': expected one of"),
        ("rules: DAYE", "rules: DAYE with sky_bomb=1", "line 2: sky_bomb = '1': expected one of"),
        ("rules: DAYE", "rules: MAHJONG", "line 2: 'MAHJONG' is no rule set"),
        ("hand 2: KC KS\n", "", "line 1: expected 'dealt' of seats 0 to 3, or else 'hand' of each"),
        ("hand 2: KC KS", "hand 2: KC KX", "line 5: 'KX' is not a card"),
        ("hand 2: KC KS", "hand 2: KC KC KC", "line 5: a third KC"),
        ("hand 2: KC KS", "hand 2: KC 9D", "line 6: a third 9D"),
        ("hand 2: KC KS", "hand 7: KC KS", "line 1: expected 'dealt'"),
        ("hand 2: KC KS", "hand 2: KC KS\nhand 2: KC", "line 6: 'hand 2:' for a second time"),
        ("dealer: 0\n", "", "line 1: 'dealer' is missing"),
        ("dealer: 0", "dealer: 4", "line 7: dealer = '4': expected a seat 0 to 3"),
        ("dealer: 0", "dealer: x", "line 7: dealer = 'x': expected numbers"),
        ("dealer: 0", "dealer: 0\nseat 3: x", "line 8: there is no 'seat 3'"),
        ("called: 4S\n", "", "line 1: called is missing"),
        ("called: 4S", "called: 4Z", "line 8: '4Z' is not a card"),
        ("called: 4S", "called: 5D", "line 8: called = 5D: nobody but the dealer holds it"),
        ("called: 4S", "called: 4S\ncaptured: 5 0 0", "line 9: captured = "),
        ("called: 4S", "called: 4S\npile_points: 5", "line 1: last_player and pile_points need a last_play"),
        ("called: 4S", "called: 4S\nlast_play: 3S 4S", "line 9: '3S 4S'"),
        ("called: 4S", "called: 4S\nlast_play: 9D", "line 9: a third 9D"),
        ("plays:", "plays: 12", "line 9: nothing may follow 'plays:'"),
        ("plays:", "plays:\nbids:", "line 10: 'bids:' cannot come after 'plays:'"),
        ("plays:", "plays:\nevent: x", "line 10: 'event:' has to come before 'plays:'"),
        ("plays:", "bids:", "line 10: seat 0 has to bid first"),
        ("1. seat 0: 4S as single 4", "what", "line 10: 'what' is no line of a record"),
        ("1. seat 0:", "2. seat 0:", "line 10: action 2 where 1 is next"),
        ("1. seat 0:", "1. seat 1:", "line 10: seat 1 acts, but it is the turn of seat 0"),
        ("4S as single 4", "no solo", "line 10: a bid after the bidding"),
        ("4S as single 4", "pass", "line 10: seat 0 leads and must play"),
        ("4S as single 4", "KS as single K", "line 10: seat 0 does not hold 'KS as single K', but 4S 9D"),
        ("4S as single 4", "4S as pair 4", "line 10: "),
        ("4S as single 4", "4S 4Z", "line 10: '4Z' is not a card"),
        ("5S as single 5", "4S as single 4", "line 11: '4S as single 4' does not beat '4S as single 4'"),
        ("result:", "12. seat 0: pass\nresult:", "line 21: the hand is over"),
        ("winners 2 3", "winners 0 3", "line 21: the result has 'winners 2 3', not 'winners 0 3'"),
        ("points 0", "points 5", "line 21: the result has 'points 0 0 25 0', not 'points 5 0 25 0'"),
        (", payoffs -4 -4 4 4", "", "line 21: the result has 'payoffs -4 -4 4 4', not ''"),
        ("-4 -4 4 4\npay", "-4 -4 4 4, x\npay", "line 21: the result has '', not 'x'"),
        ("payments:\nR7.4", "payments:\nR7.3", "line 23: the payment is 'R7.4: "),
        ("payments:\nR7.4: -4 -4", "payments:\nR7.4: -4 -5", "line 23: the payment is 'R7.4: "),
        ("payments:\n", "payments:\nR7.6: 3 -1 -1 -1\n", "line 23: the payment is 'R7.4: "),
    ],
)
def test_errors_name_the_line(old, new, error):
    text = position_text()
    assert old in text
    with pytest.raises(ValueError, match=rf"^{error}"):
        State.from_record(text.replace(old, new, 1))


@pytest.mark.parametrize(
    ("old", "line"),
    [
        ("rules: DAYE", "rules: {}"), ("rules: DAYE", "rules: DAYE with {}"),
        ("rules: DAYE", "rules: DAYE with solo_multiplier={}"), ("rules: DAYE", "rules: DAYE with rolls={}"),
        ("dealer: 0", "dealer: {}"), ("called: 4S", "called: {}"), ("plays:", "pile_points: {}\nplays:"),
        ("plays:", "captured: {} 0 0 0\nplays:"), ("plays:", "places: {}\nplays:"),
        ("hand 0: 4S 9D", "hand 0: {}"), ("plays:", "plays: {}"), ("plays:", "{}"), ("1. seat", "{}. seat"),
        ("seat 0: 4S", "seat {}: 4S"), ("4S as single 4", "4S as {}"), ("4S as single 4", "{} as single 4"),
        ("winners 2 3", "winners {}"), ("payments:", "payments: {}"), ("R7.4: -4", "R7.4: {}"),
    ],
)
@pytest.mark.parametrize("filler", ["9", "x", "9 "])
def test_errors_are_short_and_name_the_line_whatever_was_written(old, line, filler):
    text = position_text()
    assert old in text
    with pytest.raises(ValueError, match=r"^line ") as caught:
        State.from_record(text.replace(old, line.format(filler * 20_000), 1))
    assert len(str(caught.value)) < 600


def test_the_number_of_payments():
    lines = position_text().splitlines()
    with pytest.raises(ValueError, match=r"^line 22: 0 payments, but the hand has 1"):
        State.from_record("\n".join(lines[:-1]))
    with pytest.raises(ValueError, match=r"^line 24: 2 payments, but the hand has 1"):
        State.from_record("\n".join([*lines, lines[-1]]))


def test_a_result_before_the_end():
    text = position_text().replace("11. seat 3: 9D 9C as pair 9\n", "")
    with pytest.raises(ValueError, match=r"^line 20: a result, but the hand is not over"):
        State.from_record(text)


@pytest.mark.parametrize(
    ("old", "new", "error"),
    [
        ("dealt 0: ", "hand 0: ", "line 1: expected 'dealt'"),
        ("dealt 0: 8S", "dealt 0:", "line 3: 26 cards: 27 are dealt to each seat"),
        ("dealt 0: 8S", "dealt 0: XB", "line 6: a third XB"),
        ("dealer: 0", "dealer: 0\ncaptured: 0 0 0 0", "line 8: 'captured' is for positions"),
        ("bids:", "bids:\n1. seat 0: 5C", "line 10: seat 0 has to bid first"),
        ("bids:", "bids:\n1. seat 0: maybe", "line 10: "),
    ],
)
def test_errors_in_deals(old, new, error):
    text = State.deal(DAYE, 7).to_record()
    assert old in text
    with pytest.raises(ValueError, match=rf"^{error}"):
        State.from_record(text.replace(old, new, 1))


def test_the_first_illegal_line_is_named():
    text = position_text().replace("2. seat 1: 5S", "2. seat 1: 6S").replace("3. seat 2", "3. seat 1")
    with pytest.raises(ValueError, match=r"^line 11: "):
        State.from_record(text)


def test_nothing():
    with pytest.raises(ValueError, match=r"^line 1: expected the header"):
        State.from_record("")


@pytest.mark.parametrize(
    ("name", "value", "error"),
    [
        ("dagong_record", 2, "dagong_record: expected a record with the number 1"),
        ("rules", None, "record: 'rules' is missing"),
        ("rules", "DAYO", "rules: 'DAYO' is no rule set"),
        ("dealt", 5, "dealt: expected a list"),
        ("dealt", ["4S"] * 4, r"dealt\[0\]: 1 cards"),
        ("dealt", [["4S"], None, None, None], "dealt: None is neither"),
        ("dealer", True, "dealer: True is neither text nor a whole number"),
        ("dealer", 9, "dealer: dealer = '9'"),
        ("called", "5Z", "called: '5Z' is not a card"),
        ("colled", "5C", "colled: not part of a record"),
        ("tags", [], "tags: expected an object"),
        ("tags", {"rules": "x"}, "'rules' cannot be a tag"),
        ("actions", [3], r"actions\[0\]: expected an object"),
        ("actions", [{"seat": 0}], r"actions\[0\]: 'action' is missing"),
        ("actions", [{"seat": 1, "action": "no solo"}], r"actions\[0\]: seat 1 acts"),
        ("actions", [{"seat": 0, "action": "pass"}], r"actions\[0\]: seat 0 has to bid"),
        ("result", {"ending": "solo"}, "result: 'places' is missing"),
        ("payments", [{"rule": "R7.3", "amounts": [0, 0, 0, 0]}], "payments: a result, but the hand is not"),
    ],
)
def test_errors_in_json(name, value, error):
    record = State.deal(DAYE, 7).to_record(format="json")
    with pytest.raises(ValueError, match=rf"^{error}"):
        State.from_record({**record, name: value})


def test_results_in_json_are_checked():
    record = played_out(State.deal(DAGUN, 7)).to_record(format="json")
    with pytest.raises(ValueError, match=r"^result: the result has"):
        State.from_record({**record, "result": {**record["result"], "multiplier": 9}})
    with pytest.raises(ValueError, match=r"^payments\[0\]: the payment is"):
        State.from_record({**record, "payments": [{"rule": "R7.1", "amounts": [1, 1, -1, -1]}]})


@pytest.mark.parametrize("value", [None, 5, [], b"x"])
def test_what_is_no_record(value):
    with pytest.raises(ValueError, match=r"^dagong_record"):
        State.from_record(value)


def test_hands_as_dealt_keep_their_order():
    state = State.deal(XIANNING, 11)
    again = State.from_record(state.to_record())
    assert again.dealt == state.dealt
    assert [Hand(cards) for cards in again.dealt] == list(again.dealt_hands)
