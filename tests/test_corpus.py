"""The corpus is fixed, and what the library does on it is what it was."""

import subprocess
import sys
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from dagong import Detail, Hand
from dagong.corpus import (
    ENDINGS,
    FOLLOWS,
    LEADS,
    LEADS_BY_JOKERS,
    SECTIONS,
    Corpus,
    build,
    by_jokers,
    fingerprint,
)
from dagong.rules import PRESETS

# These change with behaviour: with the plays of a position, or with their order. If that was meant, put
# in what `python benchmarks/positions.py --fingerprint` prints, and say so in the commit message.
FINGERPRINTS = {
    "DAGUN": "1544856 plays, 15f19d6cf332",
    "DAYE": "1636729 plays, 6af2f26791b1",
    "XIANNING": "1510210 plays, 3a008400f9ae",
}
TOGETHER = "4691795 plays, 2c8983a2cda8"

SCRIPT = Path(__file__).parents[1] / "benchmarks" / "positions.py"


@cache
def corpus_of(rules: str) -> Corpus:
    return build(PRESETS[rules])


@pytest.fixture(params=PRESETS)
def corpus(request: pytest.FixtureRequest) -> Corpus:
    return corpus_of(request.param)


def jokers_of(hand: Hand) -> int:
    return int(hand.rank_counts[13])


def test_fingerprints() -> None:
    assert {name: str(fingerprint(corpus_of(name))) for name in PRESETS} == FINGERPRINTS
    assert str(fingerprint(map(corpus_of, PRESETS))) == TOGETHER


def test_the_first_hands_stay_what_they_are() -> None:
    """Pinned apart from the plays, to tell a changed corpus from a changed generator."""
    first = corpus_of("DAGUN")
    assert [str(first[section][0].hand) for section in (LEADS, LEADS_BY_JOKERS[4])] == [
        "3H 4C 4C 5H 7S 8D 8D 8C 8S 9S TD TH JS JS QD QH QS QS KD KC KH AD AD AC AS 2H 2S",
        "3D 3C 3S 4D 4H 4S 6H 7D 9C 9C 9S TD TH TH TS JD QC QH KD KS AS 2C 2H XB XB XR XR",
    ]


def test_building_twice_gives_the_same(corpus: Corpus) -> None:
    again = build(corpus.rules)
    assert list(again) == list(corpus) == list(SECTIONS)
    assert dict(again) == dict(corpus)


def test_leads(corpus: Corpus) -> None:
    leads = corpus[LEADS]
    assert len(leads) == 4000
    for start in range(0, len(leads), 4):
        hands = [lead.hand for lead in leads[start : start + 4]]
        assert all(len(hand) == 27 for hand in hands)
        whole = sum(hands[1:], hands[0])  # raises if a card is dealt a third time
        assert len(whole) == 108
    assert all(lead.to_beat is None for lead in leads)
    assert corpus_of("DAYE")[LEADS] == leads


@pytest.mark.parametrize("jokers", range(5))
def test_leads_by_jokers(corpus: Corpus, jokers: int) -> None:
    positions = corpus[LEADS_BY_JOKERS[jokers]]
    assert len(positions) == 500
    for hand, to_beat in positions:
        assert (len(hand), jokers_of(hand), to_beat) == (27, jokers, None)


def test_follows(corpus: Corpus) -> None:
    follows = corpus[FOLLOWS]
    assert len(follows) == 10_000
    assert all(position.to_beat is not None for position in follows)
    numbers = [corpus.rules.count_plays(*position) for position in follows]
    assert 0 < numbers.count(0) < len(follows)
    assert {len(position.hand) for position in follows} == set(range(1, 28))
    for hand, to_beat in follows[::50]:
        for play in corpus.rules.legal_plays(hand, to_beat):
            assert corpus.rules.beats(play, to_beat)


def test_endings(corpus: Corpus) -> None:
    endings = corpus[ENDINGS]
    assert 2000 < len(endings) < 10_000
    assert {len(position.hand) for position in endings} == set(range(1, 11))
    leading = Counter(position.to_beat is None for position in endings)
    assert min(leading.values()) > 500


def test_by_jokers(corpus: Corpus) -> None:
    for positions in corpus.values():
        split = by_jokers(positions)
        assert list(split) == list(range(5))
        assert sum(map(len, split.values())) == len(positions)
        for jokers, some in split.items():
            assert all(jokers_of(position.hand) == jokers for position in some[:100])


def test_lists_agree_with_counts(corpus: Corpus) -> None:
    rules = corpus.rules
    for section, positions in corpus.items():
        for place, (hand, to_beat) in enumerate(positions):
            number = rules.count_plays(hand, to_beat)
            assert len(rules.legal_plays(hand, to_beat)) == number, (section, place)
            if place % 10 == 0:
                for detail in (Detail.STRATEGIC, Detail.CARDS):
                    finer = rules.count_plays(hand, to_beat, detail=detail)
                    assert finer >= number
                    assert len(rules.legal_plays(hand, to_beat, detail=detail)) == finer, (section, place)


def test_script_prints_positions_and_fingerprints() -> None:
    def printed(*arguments: str) -> list[str]:
        run = subprocess.run(
            [sys.executable, SCRIPT, *arguments], capture_output=True, encoding="utf-8", check=True
        )
        return run.stdout.splitlines()

    lines = printed("--rules", "DAYE", "--section", FOLLOWS)
    assert lines == [f"# DAYE, {FOLLOWS}", *map(str, corpus_of("DAYE")[FOLLOWS])]
    assert printed("--rules", "DAYE", "--fingerprint")[0] == f"DAYE: {FINGERPRINTS['DAYE']}"
