"""Summaries against a recount in plain Python, a row at a time."""

from __future__ import annotations

import copy
import io
import json
from collections import Counter
from collections.abc import Iterator
from functools import cache
from statistics import fmean, stdev

import numpy as np
import pytest
from rich.console import Console

from dagong import DAGUN, DAYE, XIANNING, Ruleset
from dagong._bulk import HAND_DTYPE, play_hands
from dagong.cli.summary import print_summary
from dagong.summary import ENOUGH, LENGTHS, QUANTILES, ROLES, Estimate, Summary, spread, wilson

HANDS = 2000
PRESETS = (DAGUN, DAYE, XIANNING)
HOUSE = DAYE.replace(holding_bonuses=("sky",), solo_multiplier=1000)
MIX = ("greedy", "random", "greedy", "greedy")  # the random player bids solo now and then


@cache
def played(rules: Ruleset, number: int = HANDS) -> np.ndarray:
    rows = np.zeros(number, HAND_DTYPE)
    play_hands(rules, MIX, 11, 0, rows)
    rows.flags.writeable = False
    return rows


def summary_of(rules: Ruleset, *parts: np.ndarray) -> Summary:
    summary = Summary(rules)
    for part in parts:
        summary.add(part)
    return summary


def role_of(row: np.void, seat: int) -> str:
    if row["soloist"] >= 0:
        return "soloist" if row["soloist"] == seat else "against soloist"
    if seat == row["dealer"]:
        return "dealer"
    return "partner" if seat == row["partner"] else "opponent"


def seats_of(rows: np.ndarray) -> Iterator[tuple[np.void, int]]:
    for row in rows:
        for seat in range(4):
            yield row, seat


def check_estimate(found: Estimate, hands: list[list[int]]) -> None:
    """Against the payoffs of the seats that count, a list for each hand."""
    hands = [payoffs for payoffs in hands if payoffs]
    payoffs = [payoff for of_hand in hands for payoff in of_hand]
    assert (found.number, found.hands) == (len(payoffs), len(hands))
    if not payoffs:
        assert found == (None, None, None, 0, 0)
        return
    mean = fmean(payoffs)
    assert found.mean == pytest.approx(mean, abs=1e-12)
    if len(hands) < ENOUGH:
        assert found.low is found.high is None
        return
    errors = [sum(of_hand) - mean * len(of_hand) for of_hand in hands]  # they add up to 0
    margin = 1.96 * stdev(errors) * len(hands) ** 0.5 / len(payoffs)
    assert found.low is not None and found.high is not None
    assert found.high - found.mean == pytest.approx(margin, rel=1e-4)
    assert found.mean - found.low == pytest.approx(margin, rel=1e-4)


@pytest.mark.parametrize("rules", PRESETS, ids=str)
def test_payoffs_by_what_a_seat_has(rules: Ruleset) -> None:
    rows = played(rules)
    summary = summary_of(rules, rows)

    def payoffs(wanted) -> list[list[int]]:
        return [
            [int(row["payoffs"][seat]) for seat in range(4) if wanted(row, seat)] for row in rows
        ]

    for jokers, found in enumerate(summary.by_jokers()):
        check_estimate(found, payoffs(lambda row, seat, n=jokers: row["jokers"][seat] == n))
    for quads, found in enumerate(summary.by_quads()):
        check_estimate(found, payoffs(lambda row, seat, n=quads: row["quads"][seat] == n))
    for role, found in summary.by_role().items():
        check_estimate(found, payoffs(lambda row, seat, r=role: role_of(row, seat) == r))
    for place, found in enumerate(summary.by_seat()):
        check_estimate(found, payoffs(lambda row, seat, s=place: seat == s))
    check_estimate(summary.dealers_edge(), payoffs(lambda row, seat: seat == row["dealer"]))
    assert summary.payoffs == Counter(int(row["payoffs"][seat]) for row, seat in seats_of(rows))


@pytest.mark.parametrize("rules", PRESETS, ids=str)
def test_roles(rules: Ruleset) -> None:
    rows = played(rules)
    summary = summary_of(rules, rows)
    figures, places = summary.role_figures(), summary.places()
    for role in ROLES:
        seats = [(row, seat) for row, seat in seats_of(rows) if role_of(row, seat) == role]
        assert figures[role] == pytest.approx({
            "won": fmean(row["winners"] >> seat & 1 for row, seat in seats),
            "captured": fmean(row["captured"][seat] for row, seat in seats),
            "bombs": fmean(
                int(row["five_ten_kings"][seat]) + row["bombs"][seat] + row["rolls"][seat]
                + row["sky_bombs"][seat]
                for row, seat in seats
            ),
        })  # fmt: skip
        shares = [fmean(row["places"][place] == seat for row, seat in seats) for place in range(4)]
        shares.append(fmean(seat not in row["places"].tolist() for row, seat in seats))
        assert places[role] == pytest.approx(tuple(shares))


def outcome_of(row: np.void) -> str:
    """From points and places by R7.1 to R7.4, not from the verdict."""
    places = row["places"].tolist()
    won = [seat for seat in range(4) if row["winners"] >> seat & 1]
    won_points = sum(int(row["points"][seat]) for seat in won)
    lost = [seat for seat in range(4) if seat not in won]
    side = won if places[0] in won else lost
    if row["soloist"] >= 0:
        return "solo_won" if won == [row["soloist"]] else "solo_lost"
    if row["ending"] == 3:
        return "partners" if row["points"][lost].any() else "partners_shut_out"
    if row["ending"] in (4, 5):
        assert (side is won) == (row["ending"] == 5)
        return "early_first" if side is won else "early_second"
    first_points = won_points if side is won else 200 - won_points
    if row["verdict"] < 8:  # R7.3
        if won_points == 100:
            assert places[3] not in won
            return "equal_points"
        if won_points == 200 and row["multiplier"] % 2 == 0:
            return "all_points"
        assert won_points > 100
        return "more_points_first" if side is won else "more_points_others"
    if places[3] in side:
        assert (side is won) == (first_points >= 100)
        return "first_last_reached" if side is won else "first_last_missed"
    second = int(row["points"][places[1]])
    assert (side is won) == (second <= 100)
    return "first_third_" + ("nothing" if not second else "little" if second <= 100 else "much")


@pytest.mark.parametrize("rules", PRESETS, ids=str)
def test_how_hands_end(rules: Ruleset) -> None:
    rows = played(rules)
    summary = summary_of(rules, rows)
    found = {end.name: (end.hands, end.multiplier) for end in summary.outcomes()}
    ends = Counter(map(outcome_of, rows))
    assert found == {
        name: (number, pytest.approx(fmean(row["multiplier"] for row in rows if outcome_of(row) == name)))
        for name, number in ends.items()
    }
    assert sum(end.share for end in summary.outcomes()) == pytest.approx(1)
    for end in summary.outcomes():
        assert (end.low, end.high) == wilson(end.hands, HANDS)
        assert end.low < end.share == end.hands / HANDS < end.high
    assert summary.multiplier_counts() == dict(sorted(Counter(rows["multiplier"].tolist()).items()))
    assert summary.mean_multiplier() == pytest.approx(fmean(rows["multiplier"].tolist()))
    assert summary.solos() == (ends["solo_won"] + ends["solo_lost"], ends["solo_won"])
    assert summary.solos()[0] > ENOUGH


@pytest.mark.parametrize("rules", PRESETS, ids=str)
def test_bonuses_bombs_lengths_and_points(rules: Ruleset) -> None:
    rows = played(rules)
    summary = summary_of(rules, rows)
    fields = {"sky": "sky", "eight": "eights", "seven": "sevens", "four_510k": "four_510ks", "roll": "rolls"}
    assert set(summary.bonuses()) == {*rules.holding_bonuses, *(["roll"] if rules.rolls != "none" else [])}
    counted = {fields[name]: found for name, found in summary.bonuses().items()} | summary.bombs()
    for field, found in counted.items():
        numbers = [int(row[field].sum()) for row in rows]
        assert found.number == sum(numbers)
        assert found.per_hand == pytest.approx(fmean(numbers))
        assert found.share == pytest.approx(fmean(number > 0 for number in numbers))
        assert (found.low, found.high) == wilson(sum(number > 0 for number in numbers), HANDS)
    plays, passes = rows["plays"].tolist(), rows["passes"].tolist()
    actions = [a + b for a, b in zip(plays, passes, strict=True)]
    for name, lengths in zip(LENGTHS, (plays, passes, actions), strict=True):
        mean, sd, quantiles = summary.spreads()[name]
        assert (mean, sd) == (pytest.approx(fmean(lengths)), pytest.approx(stdev(lengths)))
        assert quantiles == tuple(sorted(lengths)[-(-HANDS * percent // 100) - 1] for percent in QUANTILES)
    together = [row for row in rows if row["soloist"] < 0]
    sides = Counter(int(row["points"][row["dealer"]]) + row["points"][row["partner"]] for row in together)
    assert summary.points.tolist() == [sides[points] for points in range(201)]
    captured = Counter(int(points) for row in together for points in row["captured"])
    assert summary.captured().tolist() == [captured[points] for points in range(201)]


@pytest.mark.parametrize("rules", PRESETS, ids=str)
def test_parts_make_the_whole(rules: Ruleset) -> None:
    rows = played(rules, 5000)
    whole = summary_of(rules, rows).as_dict()
    assert summary_of(rules, rows[:1], rows[1:1], rows[1:2049], rows[2049:]).as_dict() == whole
    assert summary_of(rules, rows[::2], rows[1::2]).as_dict() == whole  # arrays with gaps
    assert summary_of(rules, rows.reshape(50, 100)).as_dict() == whole
    first, second = summary_of(rules, rows[:4500]), summary_of(rules, rows[4500:])
    kept = second.as_dict()
    first.merge(second)
    assert first.as_dict() == whole
    assert second.as_dict() == kept
    first.add(rows)
    assert second.as_dict() == kept
    empty = Summary(rules)
    empty.merge(summary_of(rules, rows))
    empty.merge(Summary(rules))
    assert empty.as_dict() == whole
    assert json.loads(json.dumps(whole, allow_nan=False)) == whole


def test_nothing_and_one() -> None:
    empty = summary_of(DAGUN, np.zeros(0, HAND_DTYPE)).as_dict()
    assert empty == Summary(DAGUN).as_dict()
    assert json.loads(json.dumps(empty, allow_nan=False)) == empty
    one = summary_of(DAGUN, played(DAGUN)[:1])
    (end,) = one.outcomes()
    assert (end.hands, end.share) == (1, 1.0)
    assert one.dealers_edge().mean == played(DAGUN)[0]["payoffs"][played(DAGUN)[0]["dealer"]]
    assert one.dealers_edge().low is None
    assert one.spreads()["plays"].sd == 0
    json.dumps(one.as_dict(), allow_nan=False)


def test_an_interval_holds_what_it_promises() -> None:
    """Of 200 samples about 190 have the mean of all hands in their interval of 95 %."""
    rows = np.zeros(60_000, HAND_DTYPE)
    play_hands(DAYE, ("greedy",) * 4, 5, 0, rows)
    all_of_it = summary_of(DAYE, rows).by_jokers()
    hits = Counter()
    for part in rows.reshape(200, 300):
        for jokers, found in enumerate(summary_of(DAYE, part).by_jokers()[:3]):
            hits[jokers] += found.low <= all_of_it[jokers].mean <= found.high
    assert all(178 <= hits[jokers] <= 199 for jokers in range(3)), hits


def test_bad_input_is_refused() -> None:
    summary = Summary(DAYE)
    with pytest.raises(ValueError, match="HAND_DTYPE"):
        summary.add(np.zeros(3))
    unplayed = played(DAYE)[:3].copy()
    unplayed["verdict"][1] = 0
    with pytest.raises(ValueError, match="row 1"):
        summary.add(unplayed)
    assert summary.as_dict() == Summary(DAYE).as_dict()  # nothing of it was taken in
    with pytest.raises(ValueError, match="XIANNING"):
        summary.merge(Summary(XIANNING))


def test_small_helpers() -> None:
    assert spread(np.zeros(5, np.int64)) == (None, None, None)
    assert wilson(0, 50)[0] == 0 and wilson(50, 50)[1] == 1


def test_growing_hands_do_not_grow_it() -> None:
    small, large = summary_of(XIANNING, played(XIANNING, 5000)), Summary(XIANNING)
    for _ in range(20):
        large.add(played(XIANNING, 5000))
    assert len(large.payoffs) == len(small.payoffs)
    assert len(json.dumps(large.as_dict())) < 1.2 * len(json.dumps(small.as_dict()))


@pytest.mark.parametrize("rules", PRESETS, ids=str)
def test_millions_of_hands_fit_in_a_line(rules: Ruleset) -> None:
    summary = summary_of(rules, played(rules))
    share = summary.outcomes()[0].share
    for _ in range(14):
        summary.merge(copy.deepcopy(summary))
    assert summary.hands == HANDS << 14 and summary.outcomes()[0].share == share
    console = Console(file=io.StringIO(), width=100)
    print_summary(console, summary, MIX)
    assert "…" not in console.file.getvalue()


@pytest.mark.parametrize("number", [0, 1, HANDS])
@pytest.mark.parametrize("rules", [*PRESETS, HOUSE], ids=str)
def test_print_summary(rules: Ruleset, number: int) -> None:
    summary = summary_of(rules, played(rules)[:number])
    console = Console(file=io.StringIO(), width=100)
    print_summary(console, summary)
    text = console.file.getvalue()
    assert f"{number:,} hands under {rules}" in " ".join(text.split())
    assert max(map(len, text.splitlines())) <= 100
    assert "…" not in text and "nan" not in text
    if number == HANDS:
        for words in ("How hands end", "Jokers dealt", "Ranks with 4+", "Bombs", "dealer's edge", "Solos"):
            assert words in text
        assert "greedy" not in text
        print_summary(console, summary, MIX)
        assert "1 random" in console.file.getvalue()
        assert ("four jokers" in text) == ("sky" in rules.holding_bonuses)
