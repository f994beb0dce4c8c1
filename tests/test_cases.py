"""The worked examples in data/cases.jsonl, held against the library and against the oracle.

Cases of the type ``plays`` give, for each detail, how many plays there are, how many of each kind, and the
set of their lines (see ``comparison``) or its digest.
"""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import oracle
from comparison import KIND_LABELS, lines_of_plays, lines_of_rows, oracle_play
from dagong import Card, Detail, Hand, Play, Ruleset
from dagong.rules import PRESETS

CASES = [
    json.loads(line) for line in (Path(__file__).parent / "data/cases.jsonl").read_text("utf-8").splitlines()
]
MOST_LINES = 30_000  # of longer sets the cases have no digest


def cases_of(kind: str) -> Any:
    """Run a test for each case of a type."""
    chosen = [case for case in CASES if case["type"] == kind]
    return pytest.mark.parametrize("case", chosen, ids=[case["id"] for case in chosen])


def ruleset_of(spec: str | dict[str, Any]) -> Ruleset:
    """The rule set that a case names."""
    if isinstance(spec, str):
        return PRESETS[spec]
    fields = {name: tuple(value) if isinstance(value, list) else value for name, value in spec.items()}
    return PRESETS[fields.pop("base")].replace(**fields)


def play_of(rules: Ruleset, text: str | None) -> Play | None:
    """The play that a case writes, or None."""
    return None if text is None else rules.parse_play(text)


def test_all_cases_are_there() -> None:
    counts = Counter(case["type"] for case in CASES)
    assert counts == {"identify": 150, "beats": 195, "plays": 63, "called": 32, "game": 64}
    assert len({case["id"] for case in CASES}) == len(CASES)


@cases_of("identify")
def test_identify(case: dict[str, Any]) -> None:
    plays = ruleset_of(case["rules"]).identify(case["cards"])
    assert sorted(str(play).partition(" as ")[2] for play in plays) == sorted(case["plays"])
    assert {str(play).partition(" as ")[0] for play in plays} <= {str(Hand(case["cards"]))}


@cases_of("identify")
def test_identify_by_the_oracle(case: dict[str, Any]) -> None:
    found = oracle.identify(oracle.rules_of(case["rules"]), oracle.parse_cards(case["cards"]))
    assert sorted(map(oracle.format_declaration, found)) == sorted(case["plays"])


@cases_of("beats")
def test_beats(case: dict[str, Any]) -> None:
    rules = ruleset_of(case["rules"])
    a, b = rules.parse_play(case["a"]), rules.parse_play(case["b"])
    assert rules.beats(a, b) is case["a_beats_b"]
    assert rules.beats(b, a) is case["b_beats_a"]
    # a play made under no rules in particular is the same play
    assert rules.beats(Play(case["a"]), Play(case["b"])) is case["a_beats_b"]
    if "strength" in case:
        strengths = rules.strength(a), rules.strength(b)
        assert "<=>"[(strengths[0] > strengths[1]) - (strengths[0] < strengths[1]) + 1] == case["strength"]


@cases_of("beats")
def test_beats_by_the_oracle(case: dict[str, Any]) -> None:
    rules = oracle.rules_of(case["rules"])
    a, b = oracle.parse_play(case["a"]), oracle.parse_play(case["b"])
    assert oracle.may_be(rules, *a)
    assert oracle.may_be(rules, *b)
    assert oracle.beats(rules, a, b) is case["a_beats_b"]
    assert oracle.beats(rules, b, a) is case["b_beats_a"]


@cases_of("plays")
def test_plays(case: dict[str, Any]) -> None:
    rules, hand = ruleset_of(case["rules"]), Hand(case["hand"])
    to_beat = play_of(rules, case["to_beat"])
    called = None if case["called"] is None else Card(case["called"])
    for name, expected in case["expect"].items():
        detail = Detail[name]
        assert rules.count_plays(hand, to_beat, detail=detail, called=called) == expected["count"]
        plays = rules.legal_plays(hand, to_beat, detail=detail, called=called)
        assert len(plays) == expected["count"]
        by_kind: Counter[str] = Counter()
        for start in range(0, len(plays), MOST_LINES):
            by_kind.update(
                KIND_LABELS[kind] for kind in plays[start : start + MOST_LINES].array["kind"].tolist()
            )
        assert by_kind == expected["by_kind"]
        if "digest" in expected:
            lines = lines_of_rows(plays.array, detail, called)
            assert len(set(lines)) == len(lines)
            assert oracle.digest(lines) == expected["digest"]
            assert lines_of_plays(plays, detail, called) == lines
        if "lines" in expected:
            assert sorted(lines) == sorted(expected["lines"])


@cases_of("plays")
def test_plays_by_the_oracle(case: dict[str, Any]) -> None:
    rules, hand = oracle.rules_of(case["rules"]), oracle.parse_cards(case["hand"])
    to_beat = None if case["to_beat"] is None else oracle.parse_play(case["to_beat"])
    called = None if case["called"] is None else oracle.parse_card(case["called"])
    for detail, expected in case["expect"].items():
        by_kind = oracle.counts_by_kind(rules, hand, to_beat, detail, called)
        assert by_kind == expected["by_kind"]
        assert sum(by_kind.values()) == expected["count"]
        if "digest" in expected:
            assert oracle.digest(oracle.plays(rules, hand, to_beat, detail, called)) == expected["digest"]


@cases_of("called")
def test_called(case: dict[str, Any]) -> None:
    rules, first_hand = ruleset_of(case["rules"]), case["first_hand"]
    if "called" in case:
        assert str(rules.called_card(case["dealt"], first_hand=first_hand)) == case["called"]
        return
    # Enough draws that each card comes up; the seeds are fixed, so this always turns out alike.
    drawn = {str(rules.called_card(case["dealt"], first_hand=first_hand, rng=seed)) for seed in range(600)}
    assert drawn == set(case["one_of"])


@cases_of("called")
def test_called_by_the_oracle(case: dict[str, Any]) -> None:
    dealt = tuple(oracle.parse_card(word) for word in case["dealt"].split())
    found = oracle.called_card(oracle.rules_of(case["rules"]), dealt, case["first_hand"])
    expected = [case["called"]] if "called" in case else case["one_of"]
    assert {oracle.format_card(card) for card in found} == set(expected)


@cases_of("game")
def test_legal_counts_in_games(case: dict[str, Any]) -> None:
    rules = ruleset_of(case["rules"])
    hands = [Hand(cards) for cards in case["hands"]]
    ends_of_tricks = {trick[0] for trick in case["expect"]["tricks"]}
    to_beat: Play | None = None
    counts = []
    for index, (seat, action) in enumerate(case["actions"]):
        plays = rules.legal_plays(hands[seat], to_beat)
        counts.append(rules.count_plays(hands[seat], to_beat))
        assert len(plays) == counts[-1]
        if action != "pass":
            play = rules.parse_play(action)
            assert play in plays
            assert to_beat is None or oracle.beats(rules.fields(), oracle_play(play), oracle_play(to_beat))
            hands[seat] -= play.cards
            to_beat = play
        if index in ends_of_tricks:
            to_beat = None
    assert counts == case["expect"]["legal_counts"]
