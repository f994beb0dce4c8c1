"""``State`` against the oracle of whole hands, action by action.

By default a fixed share; ``pytest --exhaustive tests/test_state_oracle.py -s`` plays at least 20,000 hands
under each preset and as many under random mixes of the fields of R8, split over ``--jobs`` processes.
"""

from __future__ import annotations

import multiprocessing
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from random import Random
from typing import Any

import pytest

import oracle
import oracle_game
from comparison import lines_of_rows
from dagong import DAYE, Card, Detail, Hand, Ruleset, State
from dagong.rules import PRESETS
from oracle_game import LEANS, Game

HANDS_A_TASK = 40
HANDS = 320                # under each preset, and under random fields
ALL_HANDS = 20_000
LINES_EVERY = 8            # how often all plays are compared, not just their number
HOUSE = "any fields"
RULES = (*PRESETS, HOUSE)

# What every run has to come across at least once, by luck or in the hands of `rare_hands`.
PATHS = frozenset({
    "a joker is called", "the call steps over a joker", "the dealer plays the called card",
    "the partner plays the called card", "both copies of the called card are played",
    "first hands the lead to the partner", "second hands the lead to the partner",
    "the lead goes to the next seat, the partner unknown", "100 to 100", "all 200, doubled",
    "all 200, not doubled", "second reaches 105", "second has but 100", "second has 105, the others nothing",
    "first's side reaches 100", "first's side has but 95", "first's side has 100, second nothing",
    "points in an unfinished trick", "nobody beats the last play, the partner known",
    "nobody beats the last play, the partner unknown", "a roll is paid", "a roll is lost", "a roll doubles",
    "a roll does not double", "a solo is won", "a solo is lost", "several bonuses for one seat",
    "several seats have bonuses", "a bomb brings points", "a joker stands for a K",
    "points go to the third", "points go to the first", "a pass and a play in one trick",
    "ending: solo", "ending: one_left", "ending: partners", "ending: early_second", "ending: early_first",
})


def text_of(play: oracle.Play) -> str:
    cards, declaration = play
    return f"{oracle.format_cards(cards)} as {oracle.format_declaration(declaration)}"


class Pair:
    """A hand played twice, by the library and by the oracle."""

    def __init__(self, rules: Ruleset, game: Game, bidding: bool) -> None:
        self.game = game
        self.reached: Counter[str] = Counter()
        self.passed: set[int] = set()      # in the trick under way
        called = None if game.called is None else Card(game.called)
        hands = [Hand(hand) for hand in game.hands]
        self.state = State.from_hands(
            rules, hands, dealer=game.dealer, called=called, soloist=game.soloist, bidding=bidding
        )
        if called is not None and called >= oracle.BLACK_JOKER:
            self.reached["a joker is called"] += 1
        self.compare()

    def compare(self) -> None:
        """Everything that both can tell, but for the legal plays."""
        state, game = self.state, self.game
        assert state.phase == game.phase
        assert state.to_move == game.to_move
        assert state.dealer == game.dealer
        assert state.called == game.called
        assert state.partner == game.partner
        assert state.revealed is game.revealed
        assert state.soloist == game.soloist
        assert [list(hand) for hand in state.hands] == game.hands
        if game.phase != "over":      # what is to be beaten
            last_play = None if game.last_play is None else text_of(game.last_play)
            assert (None if state.last_play is None else str(state.last_play)) == last_play
            assert state.last_player == game.last_player
        assert state.pile_points == game.pile_points
        assert list(state.captured) == game.captured
        assert list(state.places) == game.places
        assert state.ending == game.ending
        assert state.can_pass is game.can_pass()

    def compare_plays(self, in_full: bool) -> set[str]:
        """The lines that the oracle finds, which the library finds too, or at least as many."""
        lines = self.game.legal_lines()
        plays = self.state.legal_plays()
        assert len(plays) == len(lines)
        if in_full:
            assert set(lines_of_rows(plays.array, Detail.RANKS, None)) == lines
        return lines

    def bid(self, solo: bool) -> None:
        self.state.bid(solo)
        self.game.bid(solo)
        self.compare()

    def act(self, play: oracle.Play | None, number: int) -> None:
        """One action; every so often the library takes it back and does it again."""
        state, game = self.state, self.game
        before = self.note_before(play)
        turns = 2 if number % LINES_EVERY == 3 else 1
        key = state.key
        for turn in range(turns):
            if turn:
                done = state.key
                state.undo()
                self.compare()
                assert state.key == key
            if play is None:
                state.pass_()
            else:
                text = text_of(play)
                state.play(text if number % 2 else state.rules.parse_play(text))
            if turn:
                assert state.key == done
        assert state.key != key
        if play is None:
            game.pass_()
        else:
            game.play(*play)
        self.compare()
        self.note_after(before)
        assert len(state.history) == len(game.bids) + game.actions

    def compare_result(self) -> None:
        """Points, winners, multiplier, and each payment with its rule and amounts."""
        result, expected = self.state.result, self.game.result()
        assert result is not None
        assert result.ending == expected.ending
        assert list(result.places) == expected.places
        assert list(result.winners) == expected.winners
        assert result.multiplier == expected.multiplier
        assert list(result.payoffs) == expected.payoffs
        assert sum(result.payoffs) == 0
        if self.game.soloist is None:
            assert list(result.points) == expected.points
        assert [(reason.rule, list(reason.amounts)) for reason in result.reasons] == [
            (reason.rule, reason.amounts) for reason in expected.reasons
        ]
        self.note_result(expected)

    # Which rare paths were reached

    def note_before(self, play: oracle.Play | None) -> dict[str, Any]:
        game = self.game
        assert game.to_move is not None
        if play is None:
            self.passed.add(game.to_move)
        elif game.to_move in self.passed:
            self.reached["a pass and a play in one trick"] += 1
        if play is not None:
            cards, declaration = play
            ranks = [oracle.rank_of(card) for card in cards]
            if oracle.JOKER_RANK in ranks and (
                (declaration.rank == oracle.KING and declaration.kind in ("pair", "triple", "bomb"))
                or (declaration.kind == "five_ten_king" and oracle.KING not in ranks)
            ):
                self.reached["a joker stands for a K"] += 1
        pile = game.pile_points + (0 if play is None else oracle_game.points_of(play[0]))
        bombs = game.last_play is not None and oracle.bomb_key(game.rules, *game.last_play) is not None
        return {"play": play, "pile": pile, "bomb": bombs, "tricks": len(game.tricks)}

    def note_after(self, before: dict[str, Any]) -> None:
        game, reached = self.game, self.reached
        if len(game.tricks) == before["tricks"]:
            return
        self.passed = set()
        trick = game.tricks[-1]
        if before["bomb"] and before["pile"]:
            reached["a bomb brings points"] += 1
        if before["play"] is not None and before["pile"]:
            reached["points in an unfinished trick"] += 1
        if game.soloist is None and game.to_move is not None:
            known = "known" if game.revealed else "unknown"
            if trick.taker == game.to_move:
                reached[f"nobody beats the last play, the partner {known}"] += 1
            elif not game.revealed:
                reached["the lead goes to the next seat, the partner unknown"] += 1
            elif game.to_move in game.side(trick.taker) and self.next_after(trick.taker) != game.to_move:
                place = ("first", "second", "third")[game.places.index(trick.taker)]
                reached[f"{place} hands the lead to the partner"] += 1
        self.note_early()

    def next_after(self, seat: int) -> int:
        """Who would lead if there were no partner."""
        return next(other for other in oracle_game.seats_after(seat) if self.game.hands[other])

    def note_early(self) -> None:
        """How close a hand of DAYE came to an early end."""
        game, reached = self.game, self.reached
        if game.soloist is not None or game.rules["scoring"] != "arch" or len(game.places) < 2:
            return
        first, second = game.places[:2]
        ours, theirs = game.captured_by(game.side(first)), game.captured[second]
        if game.ending == "early_second" and theirs == 105:
            reached["second reaches 105"] += 1
        if game.ending == "early_first" and ours == 100:
            reached["first's side reaches 100"] += 1
        if game.ending is None:
            reached["second has but 100"] += theirs == 100 and ours > 0
            reached["second has 105, the others nothing"] += theirs == 105 and ours == 0
            reached["first's side has but 95"] += ours == 95 and theirs > 0
            reached["first's side has 100, second nothing"] += ours == 100 and theirs == 0

    def note_result(self, result: oracle_game.Result) -> None:
        game, reached = self.game, self.reached
        reached[f"ending: {result.ending}"] += 1
        for roll in game.rolls:
            if game.rules["roll_bonus"] == "winner_doubles":
                doubles = roll.seat in result.winners
                reached[f"a roll {'doubles' if doubles else 'does not double'}"] += 1
            elif game.rules["roll_bonus"] == "side_payment" and game.soloist in (None, roll.seat):
                out = not game.hands[roll.seat]
                reached[f"a roll is {'paid' if out else 'lost'}"] += 1
        bonuses = [reason.amounts for reason in result.reasons if reason.rule == "R7.6"]
        of_seats = Counter(max(range(4), key=amounts.__getitem__) for amounts in bonuses)
        reached["several bonuses for one seat"] += max(of_seats.values(), default=0) > 1
        reached["several seats have bonuses"] += len(of_seats) > 1
        if game.soloist is not None:
            reached[f"a solo is {'won' if game.soloist in result.winners else 'lost'}"] += 1
            return
        partner = game.partner
        assert partner is not None
        called = self.state.called
        by_dealer, by_partner = called in game.played[game.dealer], called in game.played[partner]
        reached["the dealer plays the called card"] += by_dealer
        reached["the partner plays the called card"] += by_partner
        reached["both copies of the called card are played"] += by_dealer and by_partner
        if result.ending != "one_left":
            return
        if game.rules["scoring"] == "points":
            ours = sum(result.points[seat] for seat in game.side(result.places[0]))
            reached["100 to 100"] += ours == 100 == sum(result.points) - ours
            if ours == 200 or (ours == 0 and sum(result.points) == 200):
                reached[f"all 200, {'doubled' if result.multiplier >= 2 else 'not doubled'}"] += 1
        unplayed = oracle_game.points_of(game.hands[result.places[3]])
        reached[f"points go to the {game.rules['unplayed_points_to']}"] += unplayed > 0


def random_pair(rng: Random, name: str) -> Pair:
    """The beginning of a random hand, after the bids."""
    fields = oracle_game.random_rules(rng) if name == HOUSE else oracle.rules_of(name)
    rules = DAYE.replace(**fields)
    assert rules.fields() == {**fields, "holding_bonuses": rules.holding_bonuses}
    full = rng.random() < 0.4
    cards_each = 27 if full else rng.choice((3, 5, 8, 12, 16, 20))
    lump = rng.choice((1, 2, 4, 8))
    dealer = rng.randrange(4)
    hands = oracle_game.deal(rng, cards_each, lump)
    while not oracle_game.possible_calls(hands, dealer):
        hands = oracle_game.deal(rng, cards_each, lump)
    called = oracle_game.random_call(fields, rng, hands, dealer)
    steps_over = 0
    if full:
        later = rules.called_card(list(map(Card, hands[dealer])))
        assert {later} == oracle.called_card(fields, hands[dealer], False)
        if hands[dealer][0] >= oracle.BLACK_JOKER and not rules.call_jokers:
            assert later < oracle.BLACK_JOKER
            steps_over, called = 1, int(later)
    pair = Pair(rules, Game(fields, hands, dealer, called, bidding=True), True)
    pair.reached["the call steps over a joker"] += steps_over
    solo_chance = rng.choice((0.0, 0.0, 0.03, 0.5))
    while pair.game.phase == "bid":
        pair.bid(rng.random() < solo_chance)
    return pair


def play_seed(name: str, seed: int) -> Counter[str]:
    """One random hand; what it reached, and how much was compared."""
    rng = Random(f"{name} {seed}")
    pair = random_pair(rng, name)
    lean = LEANS[rng.choice(sorted(LEANS))]
    try:
        for number in range(10_000):
            if pair.game.to_move is None:
                break
            in_full = (seed + number) % LINES_EVERY == 0
            lines = pair.compare_plays(in_full)
            pair.reached["lists of plays compared"] += in_full
            pair.act(oracle_game.choose(pair.game, lines, rng, lean), number)
        pair.compare_result()
    except Exception as error:
        raise AssertionError(f"hand {seed} under {name}: {pair.state!r}, {pair.state.history}") from error
    pair.reached["actions compared"] += pair.game.actions
    pair.reached["hands compared"] += 1
    return pair.reached


def play_seeds(task: tuple[str, range]) -> Counter[str]:
    name, seeds = task
    return sum((play_seed(name, seed) for seed in seeds), Counter())


def played_in_processes(
    work: Callable[[Any], Counter[str]], tasks: list[Any], jobs: int, exhaustive: bool
) -> Counter[str]:
    """The sum of what the tasks return; says how far it is where it takes long."""
    reached: Counter[str] = Counter()
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(jobs, mp_context=context) as pool:
        for done, found in enumerate(pool.map(work, tasks), 1):
            reached += found
            if exhaustive and (done % max(1, len(tasks) // 50) == 0 or done == len(tasks)):
                progress = f"{done} of {len(tasks)} tasks, {reached['actions compared']} actions"
                print(progress, file=sys.stderr, flush=True)
    return reached


def rare_cases() -> Iterator[tuple[str, dict[str, Any]]]:
    for name, rules in PRESETS.items():
        for case in oracle_game.rare_hands(rules.fields()):
            yield name, case


def play_case(case: dict[str, Any]) -> Counter[str]:
    """A hand made for a rare path, compared all along, and with what it was made to show."""
    game = oracle_game.start({**case, "bids": []} if "bids" in case else case)
    pair = Pair(DAYE.replace(**game.rules), game, "bids" in case)
    for solo in case.get("bids", []):
        pair.bid(solo)
    for number, (seat, text) in enumerate(case["actions"]):
        assert pair.state.to_move == seat
        pair.compare_plays(True)
        pair.act(None if text == "pass" else oracle.parse_play(text), number)
    pair.compare_result()
    result, expect = pair.state.result, case["expect"]
    assert result is not None
    for name in ("ending", "multiplier"):
        assert getattr(result, name) == expect.get(name, getattr(result, name))
    for name in ("places", "points", "winners", "payoffs"):
        assert list(getattr(result, name)) == expect.get(name, list(getattr(result, name)))
    assert list(pair.state.captured) == expect.get("captured", list(pair.state.captured))
    return pair.reached


@pytest.mark.parametrize(
    "case", [pytest.param(case, id=f"{name}-{case['name']}") for name, case in rare_cases()]
)
def test_rare_hand(case: dict[str, Any]) -> None:
    if case["expect"].get("refused"):
        hands = [Hand(hand) for hand in case["hands"]]
        with pytest.raises(ValueError):
            State.from_hands(
                DAYE.replace(**case["rules"]), hands, dealer=case["dealer"], called=case["called"]
            )
        return
    play_case(case)


def test_random_hands(exhaustive: bool, jobs: int) -> None:
    number = ALL_HANDS if exhaustive else HANDS
    tasks = [
        (name, range(first, first + HANDS_A_TASK))
        for first in range(0, number, HANDS_A_TASK)
        for name in RULES
    ]
    by_luck = played_in_processes(play_seeds, tasks, jobs, exhaustive)
    made = sum(
        (play_case(case) for _, case in rare_cases() if not case["expect"].get("refused")), Counter()
    )
    for name in sorted(PATHS | by_luck.keys()):
        print(f"{name}: {by_luck[name]}, and {made[name]} in made hands")
    assert by_luck["hands compared"] == number * len(RULES)
    assert by_luck["actions compared"] > 20 * by_luck["hands compared"]
    assert by_luck["lists of plays compared"] > 2 * by_luck["hands compared"]
    missing = PATHS - {name for name, times in (by_luck + made).items() if times}
    assert not missing
