"""The commands on whole hands: deal, replay, check and play."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from dagong import DAGUN, DAYE, XIANNING, Card, Hand, Kind, State
from dagong.cli.hands import beginning_of, grouped, tricks_of, ungrouped
from dagong.cli.play import Hints
from dagong.players import RandomPlayer, SimplePlayer, side_of
from dagong.records import parse_record, record_text
from test_cli import answer, error, process, run

PRESETS = {"dagun": DAGUN, "daye": DAYE, "xianning": XIANNING}


def finished(rules, seed: int, solo: bool = False) -> State:
    """A hand that simple players play; with ``solo`` the dealer plays alone."""
    state = State.deal(rules, seed)
    while state.phase == "bid":
        state.bid(solo)
    while state.phase == "play":
        play = SimplePlayer().choose(state.observe(state.to_move), state.legal_plays())
        state.pass_() if play is None else state.play(play)
    return state


@pytest.fixture
def hand(tmp_path: Path) -> Path:
    path = tmp_path / "hand.txt"
    path.write_text(finished(DAGUN, 3).to_record(), encoding="utf-8")
    return path


# deal


@pytest.mark.parametrize("rules", PRESETS)
def test_deal(rules):
    result = run("deal", "--rules", rules, "--seed", "7", "--hand-index", "3", "--dealer", "1")
    assert (result.exit_code, result.stderr) == (0, "")
    state, tags = parse_record(result.stdout)
    assert tags == {"seed": "7", "hand_index": "3"}
    assert state.dealt == State.deal(PRESETS[rules], 7, hand_index=3, dealer=1).dealt
    lines = result.stdout.splitlines()
    assert lines[-5:-1] == [f"# seat {seat}: {grouped(hand)}" for seat, hand in enumerate(state.hands)]
    assert lines[-1] == f"# seat 1 deals and calls {state.called}"


def test_deal_with_house_rules_as_json():
    record = answer("deal", "--rules", "dagun", "--set", "rolls=hard", "--seed", "7")
    assert record["rules"] == "DAGUN with rolls=hard"
    assert record["tags"] == {"seed": "7", "hand_index": "0"}
    assert State.from_record(record).dealt == State.deal(DAGUN, 7).dealt


def test_deal_without_a_seed_tells_it():
    first, second = (parse_record(run("deal", "--rules", "daye").stdout) for _ in range(2))
    assert first.state.dealt != second.state.dealt
    assert first.state.dealt == State.deal(DAYE, int(first.tags["seed"])).dealt


@pytest.mark.parametrize(
    ("option", "value"), [("--seed", "-1"), ("--dealer", "4"), ("--hand-index", "x"), ("--set", "x")]
)
def test_deal_errors(option, value):
    assert option in error("deal", "--rules", "daye", option, value)


def test_a_number_that_is_none():
    for option in ("--seed", "--dealer", "--hand-index"):
        assert "'1e3' is not a valid whole number." in error("deal", "--rules", "daye", option, "1e3")
    assert "whole number" in error("play", "--rules", "daye", "--seat", "x")
    assert "whole number" in error("replay", "--last", "x", "-")


@pytest.mark.parametrize("cards", ["", "3S", "3S 3S 3D TH XB XR", "2H 2D KS KS"])
def test_grouped_keeps_every_card(cards):
    letters = [text for text in grouped(Hand(cards)).split() if text[0] != "X"]
    again = [text[0] + suit for text in letters for suit in text[1:]]
    assert Hand([*again, *(card for card in Hand(cards) if card.is_joker)]) == Hand(cards)


@pytest.mark.parametrize(
    ("text", "cards"),
    [
        ("ASS", "AS AS"), ("3DX 10H, tcd", "3DX 10H, tc td"), ("QDD XB as pair Q", "QD QD XB as pair Q"),
        *((text, text) for text in ("", "3S", "as ks as pair 4", "x33S", "33SS", "five_ten_king S")),
    ],
)
def test_ungrouped(text, cards):
    assert ungrouped(text) == cards


@pytest.mark.parametrize("seed", range(20))
def test_ungrouped_reads_what_is_shown(seed):
    for hand in State.deal(DAGUN, seed).hands:
        assert Hand(ungrouped(grouped(hand))) == hand


# replay


def test_replay(hand):
    result = run("replay", str(hand))
    assert (result.exit_code, result.stderr) == (0, "")
    state = finished(DAGUN, 3)
    lines = result.stdout.splitlines()
    assert lines[0].startswith(f"DAGUN: seat {state.dealer} deals and calls {state.called}, which seat")
    assert lines[1:5] == [f"seat {seat}: {grouped(hand)}" for seat, hand in enumerate(state.dealt_hands)]
    assert sum(line.startswith("trick ") for line in lines) == len(tricks_of(state))
    plays = [action.play for action in state.history if action.play is not None]
    assert sum(" as " in line for line in lines) == len(plays)
    total = "".join(f"{amount:>+8}" if amount else f"{0:>8}" for amount in state.result.payoffs)
    assert lines[-1] == f"total {total}"
    for reason in state.result.reasons:
        assert any(line.startswith(reason.rule) and line.endswith(reason.words) for line in lines)


@pytest.mark.parametrize("rules", PRESETS)
@pytest.mark.parametrize("solo", [False, True])
def test_replay_json(tmp_path, rules, solo):
    state = finished(PRESETS[rules], 4, solo)
    file = tmp_path / "hand.txt"
    file.write_text(record_text(state, {"seed": "4"}), encoding="utf-8")
    found = answer("replay", str(file))
    assert found["tags"] == {"seed": "4"}
    assert found["result"]["payoffs"] == list(state.result.payoffs)
    assert found["points"] == list(state.captured)
    actions = [action for trick in found["tricks"] for action in trick["actions"]]
    assert actions == found["actions"][sum(a.solo is not None for a in state.history) :]
    taken = [0] * 4
    for trick in found["tricks"]:
        assert trick["leader"] == trick["actions"][0]["seat"]
        assert trick["taker"] == [a["seat"] for a in trick["actions"] if a["action"] != "pass"][-1]
        taken[trick["taker"]] += trick["points"]
    assert taken == found["points"]
    assert ("bids solo" in run("replay", str(file)).stdout) == solo


def made(state: State, text: str) -> State:
    """The state after single cards and passes, the latter as ``-``."""
    for card in text.split():
        state.pass_() if card == "-" else state.play(card)
    return state


def test_replay_explains():
    state = made(
        State.from_hands(
            XIANNING, ["3S 2H", "KD 4D 5D", "4H TS 5H", "3S AD KC 6C"], dealer=0, called="3S",
            captured=(0, 0, 10, 0),
        ),
        "3S 4D TS KC 2H - - - 5D - AD - - 3S KD - - 4H 6C",
    )
    shown = run("replay", "-", stdin=state.to_record()).stdout
    # who is out, and who leads then: the next seat while the partner is secret, later the partner
    assert "\n  0  2H as single 2  單張\n  seat 0 is out: first 一游\n  1  pass\n" in shown
    assert "\ntrick 2, seat 1 leads for seat 0, who is out 接風 (R6.4)\n" in shown
    assert "\ntrick 3, seat 3 leads\n  3  3S as single 3  單張\n  明雞: seat 3 is the partner (R5.4)" in shown
    assert "\ntrick 4, seat 2 leads for seat 1, who is out 接風 (R6.4)\n" in shown
    assert "\n  seat 3 is out: third 三游\n  seat 3 takes 0 points\n" in shown
    assert "seat 2 is out" not in shown
    # tricks brought 20, 10, 10 (before the record) and 5
    assert shown.endswith(
        """
over: a single player has cards left (R6.6)
places: first 一游 seat 0, second 二游 seat 1, third 三游 seat 3, last 末游 seat 2
points: seat 0 30, seat 1 10, seat 2 0, seat 3 10
        R7.2: the 10 that seat 2 took go to seat 0
        R7.2: the 5 in the hand of seat 2 go to seat 3
won by seats 0 and 3, x1

rule    seat 0  seat 1  seat 2  seat 3
R7.3        +1      -1      -1      +1  more points: x1
total       +1      -1      -1      +1
"""
    )
    text = state.to_record().partition("result:")[0]
    text = text.replace("XIANNING", "XIANNING with unplayed_points_to=first")
    shown = run("replay", "-", stdin=text).stdout
    assert "R7.2: the 5 in the hand of seat 2 go to seat 0\n" in shown


def test_replay_of_a_solo():
    state = State.deal(DAYE, 3)
    dealer, called = state.dealer, state.called
    text = finished(DAYE, 3, solo=True).to_record()
    shown = run("replay", "-", stdin=text).stdout
    call = f"seat {dealer} deals and calls {called}; seat {dealer} plays solo 硬牌 against the other three"
    assert shown.startswith(f"DAYE: {call}\n")
    assert "\n        R7.1: they do not count in a solo\nwon by seat" in shown
    state = made(State.from_hands(DAYE, ["3S 4S", "5S", "6S", "7S"], dealer=1, soloist=0), "3S 5S")
    shown = run("replay", "-", stdin=state.to_record()).stdout
    assert shown.startswith("DAYE: seat 0 plays solo 硬牌 against the other three\n")
    assert "\nwon by seats 1, 2 and 3, x4\n" in shown


def test_replay_last_tricks(hand):
    number = len(tricks_of(finished(DAGUN, 3)))
    shown = run("replay", str(hand), "--last", "2").stdout
    assert f"\ntrick {number - 1}, " in shown
    assert f"\ntrick {number - 2}, " not in shown
    assert len(answer("replay", str(hand), "--last", "2")["tricks"]) == 2
    assert "trick" not in run("replay", str(hand), "--last", "0").stdout


def test_replay_unfinished():
    dealt = run("deal", "--rules", "daye", "--seed", "7").stdout
    result = run("replay", "-", stdin=dealt)
    last = result.stdout.splitlines()[-1]
    assert last == "not over: seat 0 is to bid; points seat 0 0, seat 1 0, seat 2 0, seat 3 0"
    state = State.from_hands(
        DAYE, ["4S 9S", "4S 5S", "KS", "9C"], dealer=0, called=Card("4S"), to_move=1, last_player=0,
        last_play=DAYE.parse_play("3S"),
    )
    state.play("5S")
    shown = run("replay", "-", stdin=state.to_record()).stdout
    assert "trick 1, seat 0 leads\n  1  5S as single 5  單張\n  not over, 5 points so far\n" in shown


def test_replay_many(hand):
    text = hand.read_text(encoding="utf-8")
    result = run("replay", "-", "--json", stdin=text * 2)
    assert [json.loads(line)["rules"] for line in result.stdout.splitlines()] == ["DAGUN", "DAGUN"]
    assert run("replay", "-", stdin=text * 2).stdout.count("\n\nDAGUN: ") == 1


def test_replay_errors(hand, tmp_path):
    none = str(tmp_path / "none")
    assert error("replay", none) == f"Error: {none}: No such file or directory\n"
    wrong = error("replay", "-", stdin="hello\n")
    assert wrong == "Error: -: line 1: expected the header [dagong record 1]\n"
    assert "not a text in UTF-8" in error("replay", "-", stdin=b"\xff\xfe")
    assert error("replay", "a\0b").startswith("Error: a\0b: ")
    text = hand.read_text(encoding="utf-8").replace("dealer:", "dieler:")
    assert error("replay", "-", stdin=text) == "Error: -: line 1: 'dealer' is missing\n"
    assert "give a FILE, or --rules and --hand" in error("replay")


def test_the_beginning_is_found_again():
    state = finished(XIANNING, 9)
    start = beginning_of(state)
    assert (start.history, start.hands) == ((), state.dealt_hands)


# check


def test_check(hand):
    result = run("check", str(hand), str(hand))
    assert (result.exit_code, result.stdout) == (0, "2 records: 2 legal, 0 not\n")


def test_check_a_deal():
    result = run("check", "-", stdin=run("deal", "--rules", "xianning").stdout)
    assert (result.exit_code, result.stdout) == (0, "1 record: 1 legal, 1 of them unfinished, 0 not\n")


def test_check_names_file_line_and_reason(hand, tmp_path):
    good = hand.read_text(encoding="utf-8")
    lines = good.splitlines()
    index = lines.index("plays:") + 1
    lines[index] = lines[index].partition(":")[0] + ": pass"
    bad = tmp_path / "bad.txt"
    bad.write_text(good + "\n".join(lines) + "\n" + good, encoding="utf-8")
    result = run("check", str(hand), str(bad))
    assert result.exit_code == 1
    first, summary = result.stdout.splitlines()
    seat = finished(DAGUN, 3).dealer
    place = good.count("\n") + index + 1
    assert first == f"{bad}: line {place}: seat {seat} leads and must play (R6.1)"
    assert summary == "4 records: 3 legal, 1 not"


def test_check_unreadable(hand, tmp_path):
    result = run("check", str(tmp_path), str(hand))
    assert result.exit_code == 2
    assert result.stdout == "1 record: 1 legal, 0 not\n"
    assert result.stderr == f"Error: {tmp_path}: Is a directory\n"
    assert run("check", "-", stdin=b"\xff").exit_code == 2
    assert run("check", "-", stdin="").exit_code == 1
    assert run("check").exit_code == 2


def test_piping():
    dealt = process("deal", "--rules", "daye", "--seed", "7")
    for arguments in (("replay", "-"), ("check", "-")):
        code = "from dagong.cli import main; main()"
        piped = subprocess.run(
            [sys.executable, "-c", code, *arguments], input=dealt.stdout, capture_output=True, timeout=120,
            check=False,
        )
        assert (piped.returncode, piped.stderr) == (0, b"")


# play


def leave_at_once(*arguments: str) -> State:
    result = run("play", *arguments, stdin="quit\n")
    assert (result.exit_code, result.stderr) == (0, "")
    return State.from_record(result.stdout[result.stdout.index("[dagong record 1]") :])


@pytest.mark.parametrize("rules", PRESETS)
@pytest.mark.parametrize("opponents", ["simple", "random"])
def test_a_whole_hand(tmp_path, rules, opponents):
    file = tmp_path / "hand.txt"
    script = "n\n" + "1\n" * 400
    result = run(
        "play", "--rules", rules, "--seed", "5", "--seat", "2", "--opponents", opponents, "--save", str(file),
        stdin=script,
    )
    assert (result.exit_code, result.stderr) == (0, "")
    state = State.from_record(file.read_text(encoding="utf-8"))
    assert state.dealt == State.deal(PRESETS[rules], 5).dealt
    assert state.phase == "over"
    payoff = state.result.payoffs[2]
    assert result.stdout.endswith(f"\nYou {'win' if payoff > 0 else 'pay'} {abs(payoff)}.\n")
    for reason in state.result.reasons:
        assert reason.words in result.stdout
    assert run("check", str(file)).exit_code == 0
    again = run(
        "play", "--rules", rules, "--seed", "5", "--seat", "2", "--opponents", opponents, stdin=script
    )
    assert again.stdout == result.stdout


def test_the_table_says_who_is_with_whom():
    def table(seat: int, bid: str = "n", turns: int = 0) -> str:
        script = f"{bid}\n" + "1\n" * turns
        return run("play", "--rules", "dagun", "--seed", "5", "--seat", str(seat), stdin=script).stdout

    state = State.deal(DAGUN, 5)
    assert (state.dealer, state.partner) == (2, 0)
    call = f"calls {state.called}; "
    assert f"\nSeat 2 deals and {call}you are the partner in secret\n" in table(0)
    assert f"\nSeat 2 deals and {call}the partner is secret\n" in table(1)
    assert f"\nYou deal and call {state.called}; the partner is secret\n" in table(2)
    revealed = table(1, turns=400).partition("明雞! Seat 0 is the dealer's partner")[2]
    assert f"\nSeat 2 deals and {call}seat 0 is the partner\n" in revealed
    assert "the partner is secret" not in revealed
    assert "\nYou play solo 硬牌 against the other three\n" in table(2, "y")
    assert " 1 cards " not in table(1, turns=400)


def test_the_seed_is_told():
    shown = run("play", "--rules", "dagun", stdin="").stdout
    seed = int(re.match(r"DAGUN, seed (\d+)\n", shown)[1])
    assert State.from_record(shown[shown.index("[dagong record 1]") :]).dealt == State.deal(DAGUN, seed).dealt


def test_a_solo_hand():
    result = run("play", "--rules", "daye", "--seed", "3", "--seat", "2", stdin="maybe\ny\n" + "1\n" * 400)
    assert "You play solo 硬牌!" in result.stdout
    assert "seat 2 plays solo 硬牌 against the other three" in result.stdout
    assert "the soloist" in result.stdout


def test_commands():
    # seat 2 deals, so it leads once all four have bid
    start = State.deal(DAYE, 3)
    assert start.dealer == 2
    hand = start.hands[2]
    other = next(card for card in map(Card, range(52)) if card not in hand)
    own = str(next(iter(hand)))
    script = ["n", "pass", "0", "99999", "nonsense", f"{other}", "?", "hint", "h", own, "quit"]
    shown = run("play", "--rules", "daye", "--seed", "3", "--seat", "2", stdin="\n".join(script)).stdout
    assert "seat 2 leads and must play (R6.1)" in shown
    assert "there is no hint 0: they run from 1 to " in shown
    assert "there is no hint 99999" in shown
    assert "'nonsense' is not a card" in shown
    assert f"seat 2 does not hold '{other} as single" in shown
    assert f"You play {own} 單張" in shown
    assert "You leave the table" in shown
    assert "quit" not in shown.partition("quit to leave")[2]


def test_passing_and_typed_plays_that_only_beat_in_one_way():
    shown = run("play", "--rules", "dagun", "--seed", "5", stdin="n\np\n").stdout
    assert "You pass\n" in shown
    assert "You hold the other one: you are the secret partner 對家!" in shown
    # cards may be typed as they are shown
    for typed in ("6C 6C 6S XB", "6CCS XB", "xb, 6sc 6C as bomb 6"):
        shown = run("play", "--rules", "dagun", "--seed", "5", stdin=f"n\n{typed}\nquit\n").stdout
        assert "You play 6C 6C 6S XB as bomb 6 炸彈" in shown


def test_end_of_input_leaves():
    state = leave_at_once("--rules", "dagun", "--seed", "5")
    assert state.dealt == State.deal(DAGUN, 5).dealt
    result = run("play", "--rules", "dagun", "--seed", "5", stdin="")
    assert result.exit_code == 0
    assert State.from_record(result.stdout[result.stdout.index("[dagong") :]).phase == "bid"
    assert run("play", "--rules", "dagun", "--seed", "5", stdin=b"\xff\nn\n\xff\n").exit_code == 0


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_interrupt_leaves():
    code = "from dagong.cli import main; main()"
    child = subprocess.Popen(
        [sys.executable, "-uc", code, "play", "--rules", "dagun", "--seed", "5"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )
    child.stdin.write(b"n\n")
    child.stdin.flush()
    seen = b""
    while b"pass or play" not in seen:
        seen += os.read(child.stdout.fileno(), 65536)
    time.sleep(0.1)
    child.send_signal(signal.SIGINT)
    shown, errors = child.communicate(timeout=60)
    assert (child.returncode, errors) == (0, b"")
    text = shown.decode()
    assert "You leave the table" in text
    assert len(State.from_record(text[text.index("[dagong") :]).history) > 4


def test_play_errors(tmp_path):
    assert "--seat" in error("play", "--rules", "daye", "--seat", "4")
    assert "--opponents" in error("play", "--rules", "daye", "--opponents", "clever")
    result = run("play", "--rules", "daye", "--save", str(tmp_path), stdin="quit\n")
    assert result.exit_code == 2
    assert result.stderr == f"Error: --save {str(tmp_path)!r}: Is a directory\n"
    closed = process(
        "play", "--rules", "daye",
        code="import sys; sys.stdin = None; from dagong.cli import main; main()",
    )
    assert (closed.returncode, closed.stdout) == (2, b"")
    assert closed.stderr == b"Error: standard input is closed, so you cannot play\n"


def test_a_hand_is_not_lost_where_it_cannot_be_saved(tmp_path):
    # told before the first card is played ...
    result = run("play", "--rules", "daye", "--save", str(tmp_path / "none" / "hand.txt"), stdin="n\n1\n")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "No such file or directory" in result.stderr
    # ... and if it only fails in the end, the record is shown
    folder = tmp_path / "folder"
    folder.mkdir()
    file = folder / "hand.txt"
    code = (
        "import dagong.cli.play as play, os, pathlib, shutil; own = play.Session.run\n"
        "def run(self): own(self); shutil.rmtree(os.environ['FOLDER'])\n"
        "play.Session.run = run; from dagong.cli import main; main()"
    )
    lost = subprocess.run(
        [sys.executable, "-c", code, "play", "--rules", "daye", "--seed", "5", "--save", str(file)],
        input=b"n\n" + b"1\n" * 400, capture_output=True, timeout=120, check=False,
        env={**os.environ, "FOLDER": str(folder), "PYTHONIOENCODING": "utf-8"},
    )
    assert lost.returncode == 2
    text = lost.stdout.decode()
    assert State.from_record(text[text.index("[dagong record 1]") :]).phase == "over"


def test_a_hand_that_is_cut_off_has_its_deal_saved(tmp_path):
    file = tmp_path / "hand.txt"
    code = "import dagong.cli.play as play, os; play.Session.run = lambda self: os._exit(9)\n"
    process("play", "--rules", "daye", "--seed", "5", "--save", str(file),
            code=code + "from dagong.cli import main; main()")
    assert State.from_record(file.read_text(encoding="utf-8")) == State.deal(DAYE, 5)


def test_hints():
    plays = DAYE.legal_plays("3S 4S 5S 6S 7S 8S 9S XB XR")
    hints = Hints(plays)
    assert {hints.numbered(n) for n in range(1, len(plays) + 1)} == set(plays)
    assert hints.numbered(1).jokers == 0
    pages = []
    while page := hints.page():
        pages.append(page)
    assert pages[0][0].startswith("  單張 single   1: 3S   2: 4S")
    numbers = [number for page in pages for line in page for number in re.findall(r" (\d+): ", line)]
    assert sorted(map(int, numbers)) == list(range(1, len(plays) + 1))
    assert hints.page() == pages[0]


# The players


@pytest.mark.parametrize("rules", PRESETS.values(), ids=str)
def test_players_only_make_legal_plays(rules):
    for seed in range(4):
        state = State.deal(rules, seed)
        others = [SimplePlayer(), RandomPlayer(seed), SimplePlayer(), RandomPlayer(seed + 1)]
        while state.phase != "over":
            player, seen = others[state.to_move], state.observe(state.to_move)
            if state.phase == "bid":
                state.bid(player.bid(seen))
            elif (play := player.choose(seen, state.legal_plays())) is None:
                state.pass_()
            else:
                state.play(play)


def test_simple_beats_random():
    won = 0
    for seed in range(60):
        state = State.deal(DAGUN, seed)
        dealers_simple = seed % 2 == 0
        players = (RandomPlayer(seed), SimplePlayer())
        while state.phase == "bid":
            state.bid(False)
        dealers = {state.dealer, state.partner}
        while state.phase != "over":
            seat = state.to_move
            player = players[(seat in dealers) == dealers_simple]
            play = player.choose(state.observe(seat), state.legal_plays())
            state.pass_() if play is None else state.play(play)
        won += (state.result.winners[0] in dealers) == dealers_simple
    assert won >= 40


def seen(hand: str, to_beat: str | None = None, rules=DAGUN, **fields):
    """What seat 0 sees of a position, and its plays."""
    hands = [hand, "3S 3H 3C 3D 4D 7C 7D 8D", "3S 3H 3C 3D 4D 6C 6D 8D", "AS AH AC AD QC QC QD QD"]
    position = {"dealer": 1, "called": "4C", "partner": 2, "to_move": 0, **fields}
    if to_beat is not None:
        position |= {"last_play": rules.parse_play(to_beat), "last_player": position.pop("by", 3)}
    state = State.from_hands(rules, hands, **position)
    return state.observe(0), state.legal_plays()


def test_what_simple_plays():
    long = "4S 4H 5S 5H 9S 9H JS JH KS KH KC KD"
    choose = SimplePlayer().choose
    assert str(choose(*seen(long, "8S", by=1))) == "9H as single 9"
    # the kings are a bomb: kept whole, and for points
    assert choose(*seen(long, "JC", by=1)) is None
    assert choose(*seen(long, "2S", by=1)) is None
    assert choose(*seen(long, "2S", by=1, pile_points=20)).kind is Kind.BOMB


def test_simple_goes_out():
    assert str(SimplePlayer().choose(*seen("9S 9H", "8S 8H"))) == "9H 9S as pair 9"


def test_simple_spares_its_partner():
    look, plays = seen("9S 9H JD", "8S", dealer=3, called="4S", partner=0, by=3)
    assert side_of(look, 3) is True
    assert SimplePlayer().choose(look, plays) is None


def test_sides():
    look, _ = seen("9S 9H", "8S")
    assert [side_of(look, seat) for seat in range(4)] == [True, False, False, True]
    look, _ = seen("9S 9H", dealer=1, called=None, soloist=2, partner=None)
    assert [side_of(look, seat) for seat in range(4)] == [True, True, False, True]
    state = State.deal(DAYE, 7)
    plain = next(seat for seat in range(4) if seat not in (state.dealer, state.partner))
    look = state.observe(plain)
    assert [side_of(look, seat) for seat in range(4) if seat not in (plain, state.dealer)] == [None, None]
    assert side_of(look, state.dealer) is False
    assert side_of(state.observe(state.partner), state.dealer) is True
    assert side_of(state.observe(state.dealer), state.partner) is None


def test_random_passes_only_when_it_may():
    state = State.deal(DAYE, 7)
    for _ in range(4):
        state.bid(False)
    player = RandomPlayer(1)
    assert all(player.choose(state.observe(0), state.legal_plays()) is not None for _ in range(20))
