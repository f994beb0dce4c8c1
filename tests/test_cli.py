"""The command line, in process by click's runner and, where processes matter, for real."""

import json
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import dagong
from dagong import DAGUN, DAYE, XIANNING, Card, Detail, Hand, Kind, Play, Ruleset
from dagong.cli.app import COMMANDS, app
from dagong.cli.common import BadInput, house_rules
from dagong.cli.describe import compared, meaning
from dagong.notation import RANKS, SUITS

RICH_HAND = (
    "3S 3S 3H 4D 4S 4C 5D 5S 5C 6D 6S 6C 7D 7S 7C 8D 8S 8C 9D 9S 9H TD TS XB XB XR XR"  # 1,959,014 plays
)
PLAY_FIELDS = ["play", "kind", "rank", "length", "suit", "size", "jokers", "cards", "strength"]
PLAYS_FIELDS = ["hand", "rules", "detail", "to_beat", "called", "count", "counts"]


def run(*arguments: str, stdin: str | bytes | None = None) -> Result:
    result = CliRunner().invoke(app, list(arguments), input=stdin, prog_name="dagong")
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def answer(*arguments: str) -> dict:
    """The JSON of a command that succeeds."""
    result = run(*arguments, "--json")
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.count("\n") == 1
    return json.loads(result.stdout)


def error(*arguments: str, stdin: str | bytes | None = None) -> str:
    """What a command that fails says, having answered nothing."""
    result = run(*arguments, stdin=stdin)
    assert (result.exit_code, result.stdout) == (2, "")
    return result.stderr


def process(
    *arguments: str | bytes, code: str = "from dagong.cli import main; main()", **options
) -> subprocess.CompletedProcess:
    command = [sys.executable, "-c", code, *arguments]
    options = {"stdout": subprocess.PIPE, "stdin": subprocess.DEVNULL, **options}
    return subprocess.run(command, stderr=subprocess.PIPE, timeout=120, check=False, **options)


@pytest.fixture
def terminal():
    """Both ends of a terminal: what it shows can be read from the first."""
    pty = pytest.importorskip("pty")
    leader, follower = pty.openpty()
    yield leader, follower
    os.close(leader)
    os.close(follower)


# The group


def test_version():
    result = run("--version")
    assert (result.exit_code, result.stdout) == (0, f"dagong {dagong.__version__}\n")


def test_help_names_every_command():
    result = run("--help")
    assert result.exit_code == 0
    for name in COMMANDS:
        assert f"\n  {name} " in result.stdout


@pytest.mark.parametrize("name", COMMANDS)
def test_help_of_a_command_has_examples(name):
    for flag in ("--help", "-h"):
        result = run(name, flag)
        assert result.exit_code == 0
        assert f"\n  dagong {name} " in result.stdout


@pytest.mark.parametrize("name", ["plays", "identify", "compare"])
def test_help_names_the_rule_sets(name):
    assert "--rules [dagun|daye|xianning]" in run(name, "--help").stdout


def test_unknown_command_and_option():
    assert "'plain'" in error("plain")
    assert "--frobnicate" in error("plays", "--frobnicate")


def test_rules_are_asked_for():
    assert "--rules" in error("plays", "3S")
    assert "'hubei'" in error("plays", "3S", "--rules", "hubei")
    assert run("plays", "3S", "--rules", "DaYe").exit_code == 0


# plays: the table


def test_table_groups_by_kind():
    result = run("plays", "3S 3H 4D XB", "--rules", "xianning")
    assert result.exit_code == 0
    assert result.stdout == (
        "kind                    number  plays\n"
        "single 單張                  3  3H as single 3\n"
        "                                4D as single 4\n"
        "                                XB as single 3\n"
        "pair 對子                    3  3H XB as pair 3\n"
        "                                3H 3S as pair 3\n"
        "                                4D XB as pair 4\n"
        "triple 三條                  1  3H 3S XB as triple 3\n"
        "pair_run 連對                1  3H 3S 4D XB as pair_run 4 x2\n"
        "total                        8  in 3H 3S 4D XB under XIANNING, detail ranks\n"
    )


def test_hand_may_be_several_arguments():
    apart, whole = (
        run("plays", "3S", "♥3", "10d", "--rules", "daye"),
        run("plays", "3S 3H TD", "--rules", "daye"),
    )
    assert apart.stdout == whole.stdout
    assert "in 3H 3S TD under" in apart.stdout


def test_table_shows_every_play_up_to_the_limit():
    plays = DAGUN.legal_plays(RICH_HAND)
    shown = run("plays", RICH_HAND, "--rules", "dagun", "--limit", "0").stdout.splitlines()[1:-1]
    assert [line.split("  ")[-1].strip() for line in shown] == [
        str(play) for kind in Kind for play in plays.of_kind(kind)
    ]


@pytest.mark.parametrize("limit", [1, 2, 7, 1000, 1001])
def test_table_says_how_many_it_leaves_out(limit):
    lines = run("plays", RICH_HAND, "--rules", "dagun", "--detail", "cards", "--limit", str(limit)).stdout
    plays = DAGUN.legal_plays(RICH_HAND, detail=Detail.CARDS)
    groups = {kind: plays.of_kind(kind) for kind in Kind}
    for group in groups.values():
        hidden = len(group) - limit
        assert (f"and {hidden:,} more: --limit 0 shows all" in lines) == (hidden > 0)
    shown = [line for line in lines.splitlines() if " as " in line]
    assert len(shown) == sum(min(limit, len(group)) for group in groups.values())
    assert lines.splitlines()[-1].startswith("total                1,959,014  in 3H 3S 3S")


def test_table_leaves_out_nothing_silently_by_default():
    lines = run("plays", RICH_HAND, "--rules", "dagun").stdout
    shown = sum(" as " in line for line in lines.splitlines())
    hidden = sum(
        int(line.split()[1].replace(",", "")) for line in lines.splitlines() if "more: --limit 0" in line
    )
    assert hidden > 0
    assert shown + hidden == DAGUN.count_plays(RICH_HAND)


def test_count_shows_numbers_only():
    result = run("plays", "3S 3H 4D XB", "--rules", "xianning", "--count")
    assert [line.split()[-1] for line in result.stdout.splitlines()[1:-1]] == ["3", "3", "1", "1"]
    assert " as " not in result.stdout


def test_empty_hand_has_no_plays():
    assert run("plays", "", "--rules", "daye").stdout.endswith(
        "total                        0  in an empty hand under DAYE, detail ranks\n"
    )
    assert answer("plays", "", "--rules", "daye")["plays"] == []


def test_table_names_what_was_asked():
    result = run(
        "plays",
        "3S 4S 4H XB",
        "--rules",
        "dagun",
        "--to-beat",
        "3C",
        "--called",
        "4s",
        "--detail",
        "STRATEGIC",
        "--set",
        "sky_bomb=false",
    )
    assert result.exit_code == 0
    assert result.stdout.splitlines()[-1].endswith(
        "in 3S 4H 4S XB that beat 3C as single 3 under DAGUN with sky_bomb=False, detail strategic, called 4S"
    )


def test_no_colours_and_no_wrapping_in_a_file():
    result = process("plays", RICH_HAND, "--rules", "dagun", env={**os.environ, "COLUMNS": "20"})
    assert result.returncode == 0
    assert b"\x1b" not in result.stdout
    assert f"  {DAGUN.legal_plays(RICH_HAND)[-1]}\n".encode() in result.stdout


def test_colours_in_a_terminal(terminal):
    leader, follower = terminal
    environment = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "CI")}
    environment["TERM"] = "xterm-256color"
    result = process("plays", "3S", "--rules", "dagun", stdout=follower, env=environment)
    assert result.returncode == 0
    assert b"\x1b[1msingle" in os.read(leader, 10000)


# plays: JSON


@pytest.mark.parametrize("rules", [DAGUN, DAYE, XIANNING], ids=str)
@pytest.mark.parametrize("detail", list(Detail), ids=lambda detail: detail.name)
def test_json_has_every_play_with_every_field(rules, detail):
    hand = Hand("5S 5H TS TD KS KC 6D 6D 6C 6S 7D 7C 7H 7S XB XR")
    plays = rules.legal_plays(hand, detail=detail)
    found = answer("plays", str(hand), "--rules", str(rules), "--detail", detail.name.lower())
    assert list(found) == [*PLAYS_FIELDS, "plays"]
    assert found["hand"] == str(hand)
    assert found["rules"] == str(rules)
    assert found["detail"] == detail.name.lower()
    assert found["to_beat"] is found["called"] is None
    assert found["count"] == len(plays) == len(found["plays"])
    assert found["counts"] == {kind.label: sum(play.kind is kind for play in plays) for kind in Kind}
    for record, play in zip(found["plays"], plays, strict=True):
        assert list(record) == PLAY_FIELDS
        assert record == {
            "play": str(play),
            "kind": play.kind.label,
            "rank": RANKS[play.rank] if play.rank >= 0 else None,
            "length": play.length,
            "suit": None if play.suit is None else SUITS[play.suit],
            "size": play.size,
            "jokers": play.jokers,
            "cards": str(play.cards).split(),
            "strength": rules.strength(play),
        }


def test_json_says_what_was_asked():
    found = answer("plays", "2s 2d XB", "--rules", "xianning", "--to-beat", "A♠ A♥", "--called", "2d")
    assert found["to_beat"] == "AH AS as pair A"
    assert found["called"] == "2D"
    assert [record["play"] for record in found["plays"]] == ["2D 2S as pair 2", "2S XB as pair 2"]


def test_json_count_lists_nothing():
    found = answer("plays", RICH_HAND, "--rules", "dagun", "--detail", "cards", "--count")
    assert list(found) == PLAYS_FIELDS
    assert found["count"] == sum(found["counts"].values()) == 1_959_014


def test_json_takes_no_limit():
    assert "--limit" in error("plays", "3S", "--rules", "daye", "--json", "--limit", "5")
    assert "--limit" in error("plays", "--rules", "daye", "--limit", "5", stdin="3S\n")


def test_groups_are_those_of_each_play():
    for rules in (DAGUN, DAYE, XIANNING):
        plays = rules.legal_plays(RICH_HAND, detail=Detail.STRATEGIC)
        for kind in Kind:
            assert list(plays.of_kind(kind)) == [play for play in plays if play.kind is kind]


# Hands from files and standard input


LINES = "# a comment\n3S 3H\n\n   \n4D # the last\r\n10h ♠A\n"


def lines_of(result: Result) -> list[dict]:
    return [json.loads(line) for line in result.stdout.splitlines()]


@pytest.mark.parametrize("command", ["plays", "identify"])
def test_lines_are_answered_in_order(command, tmp_path):
    file = tmp_path / "hands.txt"
    file.write_text("\ufeff" + LINES, encoding="utf-8", newline="")
    by_file = run(command, "--file", str(file), "--rules", "daye")
    assert by_file.exit_code == 0
    assert [(found["line"], found["hand"]) for found in lines_of(by_file)] == [
        (2, "3H 3S"),
        (5, "4D"),
        (6, "TH AS"),
    ]
    assert run(command, "--rules", "daye", stdin=LINES).stdout == by_file.stdout
    assert run(command, "--rules", "daye", "--file", "-", "--json", stdin=LINES).stdout == by_file.stdout


def test_a_line_has_the_answer_of_its_hand():
    by_line = lines_of(run("plays", "--rules", "daye", stdin="5S TS XB\n"))[0]
    assert by_line.pop("line") == 1
    assert by_line == answer("plays", "5S TS XB", "--rules", "daye")


def test_count_of_lines():
    found = lines_of(run("plays", "--rules", "daye", "--count", stdin=LINES))
    assert [line["count"] for line in found] == [2, 1, 2]
    assert all("plays" not in line for line in found)


@pytest.mark.parametrize("command", ["plays", "identify"])
def test_bad_lines_do_not_lose_the_good_ones(command):
    too_many = " ".join(f"{rank}{suit} {rank}{suit}" for rank in RANKS[:7] for suit in "SH")
    text = f"3S\n3S QQ\n4S\n3S 3S 3S\n{too_many}\n5\0\n\x1b[31m\n6S\n".encode() + b"\xff7S\n8S"
    result = run(command, "--rules", "dagun", stdin=text)
    assert result.exit_code == 2
    assert [found["line"] for found in lines_of(result)] == [1, 3, 8, 10]
    errors = result.stderr.splitlines()
    assert [message.split(":")[1] for message in errors] == [
        f" line {number}" for number in (2, 4, 5, 6, 7, 9)
    ]
    for message, token in zip(
        errors, ["'QQ'", "3S", "28", r"'5\x00'", r"'\x1b[31m'", r"'\udcff7S'"], strict=True
    ):
        assert token in message.partition(": line ")[2]


def test_nothing_to_answer_is_no_error():
    assert (run("plays", "--rules", "daye", stdin="").exit_code, run("plays", "--rules", "daye").stdout) == (
        0,
        "",
    )


def test_a_hand_or_a_file_not_both(tmp_path):
    assert "not both" in error("plays", "3S", "--file", str(tmp_path / "x"), "--rules", "daye")


def test_unreadable_files(tmp_path):
    assert "No such file" in error("plays", "--file", str(tmp_path / "missing"), "--rules", "daye")
    assert "directory" in error("plays", "--file", str(tmp_path), "--rules", "daye")
    assert r"'a\x00b'" in error("plays", "--file", "a\0b", "--rules", "daye")
    assert "--file ''" in error("plays", "--file", "", "--rules", "daye")


def test_no_hand_at_a_terminal(terminal):
    result = process("plays", "--rules", "daye", stdin=terminal[1])
    assert result.returncode == 2
    assert b"give a hand" in result.stderr


def test_lines_are_answered_as_they_come():
    command = [sys.executable, "-c", "from dagong.cli import main; main()", "plays", "--rules", "daye"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as running:
        for number, hand in enumerate(["3S", "4S", "5S"], 1):
            running.stdin.write(hand.encode() + b"\n")
            running.stdin.flush()
            found = json.loads(running.stdout.readline())  # hangs if the answer waited for more hands
            assert (found["line"], found["hand"]) == (number, hand)
        running.stdin.close()
        assert running.wait(timeout=60) == 0


# identify


def test_identify_shows_every_declaration():
    result = run("identify", "4S 4H XB XR", "--rules", "xianning")
    assert result.exit_code == 0
    assert result.stdout == (
        "4H 4S XB XR: 3 declarations under XIANNING\n"
        "  pair_run 4 x2  連對, a pair run of 3 3 4 4, 2 jokers among them (R3.4)\n"
        "  pair_run 5 x2  連對, a pair run of 4 4 5 5, 2 jokers among them (R3.4)\n"
        "  bomb 4         炸彈, a bomb of 4 cards, all 4s, 2 jokers among them (R3.7)\n"
    )


def test_identify_says_no_play():
    for cards, shown in (("3S 4S", "3S 4S"), ("", "An empty hand")):
        result = run("identify", cards, "--rules", "daye")
        assert (result.exit_code, result.stdout) == (0, f"{shown}: no play under DAYE\n")


@pytest.mark.parametrize("cards", ["XB", "XB XB XR", "5S XB XR", "3S 4S", "2H 2H 2S 2S 3H 3H 3S 3S"])
@pytest.mark.parametrize("rules", [DAGUN, DAYE, XIANNING], ids=str)
def test_identify_json(rules, cards):
    found = answer("identify", cards, "--rules", str(rules))
    plays = rules.identify(cards)
    assert list(found) == ["hand", "rules", "count", "plays"]
    assert (found["hand"], found["rules"], found["count"]) == (str(Hand(cards)), str(rules), len(plays))
    assert [list(record) for record in found["plays"]] == [PLAY_FIELDS] * len(plays)
    assert [record["play"] for record in found["plays"]] == [str(play) for play in plays]


@pytest.mark.parametrize(
    ("rules", "text", "says"),
    [
        (DAGUN, "7S", "單張, a single 7 (R3.1)"),
        (DAGUN, "XB", "單張, a single 3, a joker (R3.1)"),
        (DAGUN, "XB XR", "對子, a pair of 3s, jokers alone (R3.2)"),
        (DAGUN, "TH TD XR", "三條, a triple of Ts, a joker among them (R3.3)"),
        (DAGUN, "3S 3S 3H 4S 4S 4H as triple_run 4 x2", "飛機, a triple run of 3 3 3 4 4 4 (R3.5)"),
        (DAGUN, "5S TS XB", "五十K, a flush 510K of spades, a joker among them (R3.8)"),
        (DAGUN, "5S TH KD", "五十K, a mixed 510K (R3.8)"),
        (DAGUN, "3S 3S 3H 3H 3C 3C 3D", "炸彈, a seven (7喜), all 3s (R3.7)"),
        (DAGUN, "3S 3S 3H 3H 3C 3C 3D 3D", "炸彈, an eight (8喜), all 3s (R3.7)"),
        (DAYE, "3S 3S 3H 3H 3C 3C 3D 3D", "炸彈, a bomb of 8 cards, all 3s (R3.7)"),
        (
            DAGUN,
            "3S 3S 3H 3H 3C 3C XB as bomb 3",
            "炸彈, a soft bomb of 7 cards, all 3s, a joker among them (R3.7)",
        ),
        (DAGUN, "XB XB XR XR", "天炸, a sky bomb (R3.9)"),
        (
            DAGUN,
            "2H 2H 2S 2S 3H 3H 3S 3S",
            "搖擺, a hard roll of 2 bombs, 2 under the 3 to 3, 8 cards, "
            "the largest bomb 4 cards of rank 3 (R3.10)",
        ),
        (
            DAGUN,
            "AH AH AS AS AC 2H 2H 2S 2S XB as roll 2 x2",
            "搖擺, a soft roll of 2 bombs, A to 2, 10 cards, the largest bomb 6 cards of rank A, "
            "a joker among them (R3.10)",
        ),
    ],
)
def test_meaning(rules, text, says):
    assert meaning(rules, rules.parse_play(text)) == says


# compare


@pytest.mark.parametrize(
    ("rules", "a", "b", "says"),
    [
        (
            "dagun",
            "5S TS KS",
            "5H TH KD",
            "5S TS KS as five_ten_king S beats 5H TH KD as five_ten_king mixed: "
            "a flush 510K stands above a mixed one (R4.3)",
        ),
        (
            "dagun",
            "4S",
            "3S",
            "4S as single 4 beats 3S as single 3: the same kind, and rank 4 is above 3 (R4.1)",
        ),
        (
            "daye",
            "2H 2S",
            "3H 3H 3S 3S as bomb 3",
            "3H 3H 3S 3S as bomb 3 beats 2H 2S as pair 2: any bomb beats a pair (R4.1)",
        ),
        (
            "daye",
            "4S",
            "4H",
            "Neither of 4S as single 4 and 4H as single 4 beats the other: "
            "the same kind and the same rank, 4: a tie is not enough (R4.2)",
        ),
    ],
)
def test_compare_says_why(rules, a, b, says):
    result = run("compare", a, b, "--rules", rules)
    assert (result.exit_code, result.stdout) == (0, says + "\n")


@pytest.mark.parametrize(
    ("rules", "a", "b", "winner", "rule", "words"),
    [
        # the examples of R4
        (DAGUN, "3S 3H 4S 4H as pair_run 4 x2", "QS QH KS KH AS AH as pair_run A x3", None, "R4.1", "length"),
        (DAGUN, "3S 3H 4S 4H as pair_run 4 x2", "5S TH KD", "b", "R4.1", "any bomb beats a pair run"),
        (DAGUN, "5S TH KD", "5H TH KC", None, "R4.2", "all mixed 510Ks tie"),
        (DAGUN, "5S TS KS", "5S TS XB", None, "R4.2", "flush 510Ks of spades tie"),
        (DAGUN, "5C TC KC", "5H TH KH", "b", "R4.3", "hearts are above clubs"),
        (
            DAGUN,
            "3H 3H 3S 3S XB as bomb 3",
            "AH AH AS AS as bomb A",
            "a",
            "R4.3",
            "5 cards stands above one of 4",
        ),
        (DAGUN, "3C 3H 3S XB as bomb 3", "3D 3C 3H 3S", None, "R4.2", "tie"),
        (DAGUN, "2S 2S 2H 2H 2C 2C 2D 2D XB as bomb 2", "3S 3S 3H 3H 3C 3C 3D", "b", "R4.3", "a seven"),
        (DAYE, "2S 2S 2H 2H 2C 2C 2D 2D XB as bomb 2", "3S 3S 3H 3H 3C 3C 3D", "a", "R4.3", "9 cards"),
        (DAGUN, "XB XB XR XR", "3S 3S 3H 3H 3C 3C 3D 3D", "a", "R4.3", "a sky bomb stands above an eight"),
        # rolls, by the tables of R4.4
        ("largest_from_ten", "3D 3C 3H 3S 3S 4D 4C 4H 4S", "KD KC KH KS AD AC AH AS", "a", "R4.4", "9 cards"),
        (
            "largest_from_ten",
            "3D 3C 3H 3S 4D 4C 4H 4S",
            "KD KC KH KS AD AC AH XB as roll A x2",
            "a",
            "R4.4",
            "hard",
        ),
        (
            "cards_then_top",
            "3D 3C 3H 3S 4D 4C 4H 4S",
            "KD KC KH KS AD AC AH XB as roll A x2",
            "a",
            "R4.4",
            "hard",
        ),
        (
            "largest_from_ten",
            "3D 3C 3H 3S 3S 3D 4D 4C 4H 4S",
            "KD KC KH KS KS AD AC AH AS AS",
            "a",
            "R4.4",
            "largest bomb has 6 cards, the other's 5",
        ),
        (
            "cards_then_largest",
            "3D 3C 3H 3S 3S 3D 4D 4C 4H 4S",
            "KD KC KH KS KS AD AC AH AS AS",
            "a",
            "R4.4",
            "largest bomb has 6 cards, the other's 5",
        ),
        (
            "cards_then_top",
            "3D 3C 3H 3S 3S 3D 4D 4C 4H 4S",
            "KD KC KH KS KS AD AC AH AS AS",
            "b",
            "R4.4",
            "its top rank A is above 4",
        ),
        (
            "cards_then_top",
            "AD AC AH AS 2D 2C 2H 2S",
            "3D 3C 3H 3S 4D 4C 4H 4S",
            "a",
            "R4.4",
            "top rank 2 is above 4",
        ),
        (
            "cards_then_top",
            "2D 2C 2H 2S 3D 3C 3H 3S",
            "3D 3C 3H 3S 4D 4C 4H 4S",
            "b",
            "R4.4",
            "top rank 4 is above 3",
        ),
        (
            "cards_then_top",
            "2D 2C 2H 2S 3D 3C 3H 3S",
            "2D 2C 2H 2S 3D 3C 3H 3S",
            None,
            "R4.2",
            "the rolls tie",
        ),
        (
            "largest_from_ten",
            "3D 3C 3H 3S 3S 4D 4C 4H 4S 4S",
            "KD KC KH KS KS AD AC AH AS",
            "a",
            "R4.4",
            "ten or more",
        ),
    ],
)
def test_verdicts(rules, a, b, winner, rule, words):
    if isinstance(rules, str):
        rules = DAGUN.replace(roll_order=rules)
    one, other = rules.parse_play(a), rules.parse_play(b)
    verdict = compared(rules, one, other)
    assert (verdict.winner, verdict.rule) == (winner, rule)
    assert words in verdict.reason
    mirrored = compared(rules, other, one)
    assert mirrored.winner == {"a": "b", "b": "a", None: None}[winner]
    assert mirrored.rule == rule


def some_rules(chance: random.Random) -> Ruleset:
    base = chance.choice([DAGUN, DAYE, XIANNING])
    if chance.random() < 0.3:
        return base
    return base.replace(
        lone_jokers=chance.choice(["threes", "wild"]),
        ftk_max_jokers=chance.randrange(4),
        sky_bomb=chance.random() < 0.5,
        natural_bombs=chance.random() < 0.5,
        rolls=chance.choice(["none", "soft", "hard"]),
        roll_two=chance.random() < 0.5,
        roll_order=chance.choice(["largest_from_ten", "cards_then_largest", "cards_then_top"]),
        roll_bonus="none",
    )


def some_plays(rules: Ruleset, chance: random.Random) -> list[Play]:
    """Plays of every kind in a hand of few ranks, which is rich in bombs and rolls."""
    lowest = chance.randrange(-1, 10)
    ranks = chance.choice([range(13), range(lowest, lowest + chance.randint(3, 5))])
    pack = [4 * (rank % 13) + suit for rank in ranks for suit in range(4)] * 2 + [52, 53] * 2
    chance.shuffle(pack)
    found = []
    plays = rules.legal_plays(pack[:27], detail=Detail.CARDS)
    for group in map(plays.of_kind, Kind):
        found += [group[chance.randrange(len(group))] for _ in range(4) if group]
    return found


@pytest.mark.parametrize("seed", range(60))
def test_reason_agrees_with_beats(seed):
    chance = random.Random(seed)
    rules = some_rules(chance)
    plays = [play for _ in range(3) for play in some_plays(rules, chance)]
    for a in plays:
        assert meaning(rules, a).startswith(a.kind.chinese)
        for b in plays:
            verdict = compared(rules, a, b)
            assert (verdict.winner == "a") == rules.beats(a, b), (rules, a, b, verdict)
            assert (verdict.winner == "b") == rules.beats(b, a), (rules, a, b, verdict)
            assert (verdict.rule == "R4.2") <= (verdict.winner is None)


def test_compare_json():
    found = answer("compare", "5H TH KD", "5S TS KS", "--rules", "dagun")
    assert list(found) == ["rules", "a", "b", "winner", "reason", "rule"]
    assert [list(found[side]) for side in "ab"] == [PLAY_FIELDS] * 2
    assert (found["a"]["play"], found["b"]["suit"]) == ("5H TH KD as five_ten_king mixed", "S")
    assert (found["rules"], found["winner"], found["rule"]) == ("DAGUN", "b", "R4.3")
    assert answer("compare", "3S", "3H", "--rules", "dagun")["winner"] is None


def test_compare_errors():
    assert "first play: 'QQ'" in error("compare", "QQ", "3S", "--rules", "dagun")
    assert "second play: '3S 4S' is no play under DAGUN" in error(
        "compare", "3S", "3S 4S", "--rules", "dagun"
    )
    several = error("compare", "4S 4H XB XR", "3S", "--rules", "dagun")
    assert "pair_run 4 x2, pair_run 5 x2, bomb 4" in several
    assert "second play: 'bomb X'" in error("compare", "3S", "4S 4S 4H 4H as bomb X", "--rules", "dagun")
    assert error("compare", "3S", "--rules", "dagun").startswith("Usage:")
    assert "second play: ''" in error("compare", "3S", "", "--rules", "dagun")


# House rules


def test_set_changes_fields():
    rules = house_rules(
        XIANNING, ["sky_bomb=False", " rolls = soft ", "ftk_max_jokers=3", "holding_bonuses=eight, sky"]
    )
    assert rules == XIANNING.replace(
        sky_bomb=False, rolls="soft", ftk_max_jokers=3, holding_bonuses=("sky", "eight")
    )
    assert house_rules(XIANNING, ["holding_bonuses="]).holding_bonuses == ()
    assert house_rules(XIANNING, []) == XIANNING


@pytest.mark.parametrize("field", DAGUN.fields())
@pytest.mark.parametrize("base", [DAGUN, DAYE, XIANNING], ids=str)
def test_every_field_can_be_set(base, field):
    value = base.fields()[field]
    text = ",".join(value) if isinstance(value, tuple) else str(value)
    assert house_rules(base, [f"{field}={text}"]) == base
    with pytest.raises(BadInput, match=field):
        house_rules(base, [f"{field}=nonsense"])


def test_every_command_takes_house_rules():
    house = ["--rules", "dagun", "--set", "sky_bomb=false", "--set", "natural_bombs=false"]
    rules = DAGUN.replace(sky_bomb=False, natural_bombs=False)
    assert answer("plays", "XB XB XR XR", *house)["counts"]["bomb"] == 1
    assert answer("identify", "XB XB XR XR", *house)["plays"][0]["play"] == "XB XB XR XR as bomb 3"
    assert answer("compare", "3S", "XB", *house)["rules"] == str(rules)


@pytest.mark.parametrize(
    ("setting", "token"),
    [
        ("sky_bomb=maybe", "sky_bomb = 'maybe'"),
        ("sky_bomb=1", "sky_bomb = '1'"),
        ("rolls=loud", "rolls = 'loud'"),
        ("ftk_max_jokers=many", "ftk_max_jokers = 'many'"),
        ("ftk_max_jokers=4", "ftk_max_jokers = 4"),
        ("solo_multiplier=0", "solo_multiplier = 0"),
        ("holding_bonuses=sky,moon", "holding_bonuses has 'moon'"),
        ("jokers=5", "'jokers'"),
        ("sky_bomb", "'sky_bomb'"),
        ("=5", "''"),
        ("rolls=none", "roll_bonus = 'side_payment'"),
        ("\x1b\0=5", r"'\x1b\x00'"),
    ],
)
def test_set_errors_name_the_field(setting, token):
    for command in (["plays", "3S"], ["identify", "3S"], ["compare", "3S", "4S"]):
        assert token in error(*command, "--rules", "dagun", "--set", setting)


# Errors


@pytest.mark.parametrize("command", ["plays", "identify"])
@pytest.mark.parametrize(
    ("hand", "token"),
    [
        ("3S QQ", "'QQ'"),
        ("3S 3S 3S", "third 3S"),
        ("3S\0", r"'3S\x00'"),
        ("\x1b[2J", r"'\x1b[2J'"),
        ("\udcff", r"'\udcff'"),
        ("打", "'打'"),
        ("3S as single 3", "'single'"),
        (" ".join(str(Card(code)) for code in range(28)), "28 cards"),
        ("x" * 10000, "xxx"),
    ],
)
def test_bad_hands(command, hand, token):
    message = error(command, hand, "--rules", "xianning")
    assert token in message
    assert "Traceback" not in message


def test_bad_options_of_plays():
    assert "--to-beat: 'QQ'" in error("plays", "3S", "--rules", "daye", "--to-beat", "QQ")
    assert "--to-beat: '3S 4S'" in error("plays", "3S", "--rules", "daye", "--to-beat", "3S 4S")
    assert "--to-beat: 'XB' may be declared" in error("plays", "3S", "--rules", "daye", "--to-beat", "XB")
    assert "--called: 'QQ'" in error("plays", "3S", "--rules", "daye", "--called", "QQ")
    assert "'all'" in error("plays", "3S", "--rules", "daye", "--detail", "all")
    assert "-1" in error("plays", "3S", "--rules", "daye", "--limit", "-1")
    assert "--to-beat: 'QQ'" in error("plays", "--rules", "daye", "--to-beat", "QQ", stdin="3S\n")


# Processes


def test_undecodable_argument():
    result = process("plays", b"\xff3S", "--rules", "dagun")
    assert (result.returncode, result.stdout) == (2, b"")
    assert b"is not a card" in result.stderr
    assert b"Traceback" not in result.stderr


@pytest.mark.parametrize("form", [["--limit", "0"], ["--json"]], ids=["table", "json"])
def test_closed_pipe_ends_quietly(form):
    arguments = ["plays", RICH_HAND, "--rules", "dagun", "--detail", "cards", *form]
    command = [sys.executable, "-c", "from dagong.cli import main; main()", *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        assert running.stdout.read(100)
        running.stdout.close()
        assert running.wait(timeout=60) in (0, 1)
        assert running.stderr.read() == b""


def test_pipe_closed_from_the_start():
    reader, writer = os.pipe()
    os.close(reader)
    for arguments in (
        ["plays", "3S"],
        ["plays", "3S", "--json"],
        ["identify", "3S"],
        ["compare", "3S", "4S"],
    ):
        result = process(*arguments, "--rules", "dagun", stdout=writer)
        assert (result.returncode in (0, 1), result.stderr) == (True, b"")
    os.close(writer)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_full_disk():
    with open("/dev/full", "wb") as full:
        result = process("plays", "3S", "--rules", "dagun", "--json", stdout=full)
    assert result.returncode == 2
    assert result.stderr == b"Error: cannot write the answer: No space left on device\n"


def test_terminal_without_chinese():
    result = process("plays", "3S", "--rules", "dagun", env={**os.environ, "PYTHONIOENCODING": "ascii"})
    assert (result.returncode, result.stderr) == (0, b"")
    assert b"single ??" in result.stdout


def test_closed_standard_streams():
    code = "import sys; sys.stdout = sys.stdin = None; from dagong.cli import main; main()"
    for arguments in (
        ["plays", "3S"],
        ["plays", "3S", "--json"],
        ["identify", "3S"],
        ["compare", "3S", "4S"],
    ):
        assert process(*arguments, "--rules", "dagun", code=code).returncode == 0
    result = process("plays", "--rules", "dagun", code=code)
    assert result.returncode == 2
    assert b"give a hand" in result.stderr
    result = process("plays", "--rules", "dagun", "--file", "-", code=code)
    assert result.returncode == 2
    assert b"standard input is closed" in result.stderr


@pytest.mark.parametrize("missing", ["click", "rich"])
def test_without_the_extra(missing):
    code = f"import sys; sys.modules[{missing!r}] = None; from dagong.cli import main; main()"
    result = process("--version", code=code)
    assert (result.returncode, result.stdout) == (2, b"")
    assert result.stderr == b"dagong's command line needs click and rich: pip install 'dagong[cli]'\n"


def test_the_library_imports_neither_click_nor_rich():
    code = "import sys, dagong, dagong.cli; sys.exit(bool({'click', 'rich'} & set(sys.modules)))"
    assert process(code=code).returncode == 0
