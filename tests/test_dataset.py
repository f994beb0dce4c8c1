"""Data sets: what is read is what was written, and a run that was killed goes on to the very same files."""

from __future__ import annotations

import dataclasses
import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import duckdb
import numpy as np
import pandas
import polars
import pyarrow
import pyarrow.parquet
import pytest

from dagong import DAGUN, DAYE, XIANNING, Card, Ruleset
from dagong._bulk import HAND_DTYPE, play_hands
from dagong.dataset import (
    COLUMNS,
    ENDINGS,
    Settings,
    Writer,
    iter_rows,
    missing_ranges,
    read_settings,
)

MIX = ("greedy", "random", "random", "greedy")
HOUSE = DAGUN.replace(rolls="hard", sky_bomb=False, holding_bonuses=("eight", "four_510k"), solo_multiplier=7)
SMALL = Settings(XIANNING, MIX, seed=3, hands=250, chunk=100)


def simulate(settings: Settings, first: int, number: int) -> np.ndarray:
    rows = np.zeros(number, HAND_DTYPE)
    play_hands(settings.rules, settings.policies, settings.seed, first, rows)
    return rows


def fill(folder: Path, settings: Settings, resume: bool = False) -> None:
    writer = Writer(folder, settings, resume)
    for first, number in writer.missing:
        writer.write(first, simulate(settings, first, number))
    assert writer.missing == []


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "set"


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A whole data set of SMALL, to read."""
    folder = tmp_path_factory.mktemp("data") / "small"
    fill(folder, SMALL)
    return folder


# Round trips


@pytest.mark.parametrize("rules", [DAGUN, DAYE, XIANNING, HOUSE], ids=["DAGUN", "DAYE", "XIANNING", "house"])
def test_every_field_comes_back(folder: Path, rules: Ruleset) -> None:
    settings = Settings(rules, MIX, seed=2**64 - 1, hands=2500, chunk=1000)
    fill(folder, settings)
    assert sorted(contents(folder)) == [f"hands-{first:012}.parquet" for first in (0, 1000, 2000)]
    assert read_settings(folder) == settings
    assert missing_ranges(folder) == []
    parts = list(iter_rows(folder, 300))
    assert max(map(len, parts)) == 300
    assert all(part.dtype == HAND_DTYPE for part in parts)
    assert np.array_equal(np.concatenate(parts), simulate(settings, 0, 2500))


def test_every_value_of_every_field_comes_back(folder: Path) -> None:
    """Also what a simulation hardly ever gives, and more hands than are converted at a time."""
    number = 10_000
    rng = np.random.default_rng(5)
    rows = np.frombuffer(rng.bytes(number * HAND_DTYPE.itemsize), HAND_DTYPE).copy()
    rows["hand"] = np.arange(number)
    rows["ending"] = rng.integers(1, 6, number)
    rows["called"] = rng.integers(0, 54, number)
    Writer(folder, Settings(DAYE, MIX, 1, number)).write(0, rows)
    for chunk in (777, number):
        again = np.concatenate(list(iter_rows(folder, chunk)))
        for name in HAND_DTYPE.names or ():
            assert np.array_equal(again[name], rows[name]), name


def test_a_file_has_a_column_for_each_number(small: Path) -> None:
    table = pyarrow.parquet.read_table(small)
    rows = simulate(SMALL, 0, 250)
    assert tuple(table.column_names) == COLUMNS
    assert len(COLUMNS) == sum(int(np.prod(HAND_DTYPE[name].shape)) for name in HAND_DTYPE.names or ())
    assert table["ending"].to_pylist() == [ENDINGS[code - 1] for code in rows["ending"]]
    assert table["called"].to_pylist() == [str(Card(code)) for code in rows["called"]]
    assert table["hand"].type == pyarrow.uint64()
    for seat in range(4):
        assert table[f"payoffs_{seat}"].type == pyarrow.int32()
        assert table[f"payoffs_{seat}"].to_pylist() == rows["payoffs"][:, seat].tolist()
    for name in ("ending", "called"):
        assert table.schema.field(name).type == pyarrow.dictionary(pyarrow.int8(), pyarrow.string())
    assert not any(field.nullable for field in table.schema)


def test_the_metadata_is_json(small: Path) -> None:
    metadata = pyarrow.parquet.read_schema(small / "hands-000000000100.parquet").metadata
    values = json.loads(metadata[b"dagong"])
    assert set(values) == {field.name for field in dataclasses.fields(Settings)}
    assert Ruleset(**values["rules"]) == XIANNING
    assert (values["policies"], values["seed"], values["hands"], values["chunk"]) == (list(MIX), 3, 250, 100)


def test_pandas_opens_a_folder(small: Path) -> None:
    frame = pandas.read_parquet(small)
    assert len(frame) == 250
    assert frame["ending"].dtype == "category"
    assert frame["payoffs_2"].tolist() == simulate(SMALL, 0, 250)["payoffs"][:, 2].tolist()


def test_polars_opens_a_folder(small: Path) -> None:
    table = polars.scan_parquet(small / "*.parquet").select("ending", "payoffs_2").collect()
    rows = simulate(SMALL, 0, 250)
    assert table["payoffs_2"].to_list() == rows["payoffs"][:, 2].tolist()
    assert table["ending"].cast(polars.String).to_list() == [ENDINGS[code - 1] for code in rows["ending"]]


def test_duckdb_opens_a_folder(small: Path) -> None:
    found = duckdb.sql(f"select ending, payoffs_2 from '{small}/*.parquet' order by hand").fetchall()
    rows = simulate(SMALL, 0, 250)
    assert found == [(ENDINGS[row["ending"] - 1], row["payoffs"][2]) for row in rows]


# Determinism


def test_equal_settings_make_equal_files(folder: Path, tmp_path: Path, small: Path) -> None:
    writer = Writer(folder, SMALL)
    for first, number in reversed(writer.missing):
        writer.write(first, simulate(SMALL, first, number))
    assert contents(folder) == contents(small)


def test_a_folder_is_filled_in_parts(folder: Path, small: Path) -> None:
    Writer(folder, SMALL).write(100, simulate(SMALL, 100, 100))
    assert missing_ranges(folder) == [(0, 100), (200, 50)]
    writer = Writer(folder, SMALL, resume=True)
    assert writer.missing == [(0, 100), (200, 50)]
    writer.write(200, simulate(SMALL, 200, 50))
    assert writer.missing == [(0, 100)]
    fill(folder, SMALL, resume=True)
    assert contents(folder) == contents(small)
    assert Writer(folder, SMALL, resume=True).missing == []


def test_resume_may_begin(folder: Path, small: Path) -> None:
    fill(folder, SMALL, resume=True)
    assert contents(folder) == contents(small)


# What is refused


def test_a_folder_with_files_is_refused(folder: Path) -> None:
    fill(folder, SMALL)
    before = contents(folder)
    with pytest.raises(ValueError, match=r"is not empty: .*--resume"):
        Writer(folder, SMALL)
    assert contents(folder) == before


def test_a_folder_of_something_else_is_not_resumed(folder: Path) -> None:
    folder.mkdir()
    (folder / "letter.txt").write_text("dear")
    (folder / ".hands-000000000000.parquet.tmp").write_text("left")
    with pytest.raises(ValueError, match="no data set to resume"):
        Writer(folder, SMALL, resume=True)
    assert len(contents(folder)) == 2


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "set").write_text("")
    with pytest.raises(FileExistsError):
        Writer(tmp_path / "set", SMALL)


@pytest.mark.parametrize(
    ("changes", "messages"),
    [
        ({"seed": 4}, ["seed is 3 there, not 4"]),
        ({"hands": 300}, ["hands is 250 there, not 300"]),
        ({"chunk": 50}, ["chunk is 100 there, not 50"]),
        ({"policies": ("random",) * 4}, ["policies is ['greedy', 'random', 'random', 'greedy'] there"]),
        ({"dagong_version": "9.9"}, ["dagong_version is '"]),
        (
            {"rules": XIANNING.replace(sky_bomb=False, holding_bonuses=()), "seed": 5},
            [
                "rules.sky_bomb is True there, not False",
                "rules.holding_bonuses is ['sky', 'eight', 'seven', 'four_510k'] there, not []",
                "seed is 3 there, not 5",
            ],
        ),
    ],
    ids=["seed", "hands", "chunk", "policies", "version", "rules"],
)
def test_other_settings_are_not_resumed(
    folder: Path, changes: dict[str, object], messages: list[str]
) -> None:
    Writer(folder, SMALL).write(100, simulate(SMALL, 100, 100))
    (folder / ".hands-000000000000.parquet.tmp").write_text("left")
    before = contents(folder)
    with pytest.raises(ValueError, match="is of another data set") as caught:
        Writer(folder, dataclasses.replace(SMALL, **changes), resume=True)
    assert str(folder / "hands-000000000100.parquet") in str(caught.value)
    for message in messages:
        assert message in str(caught.value)
    assert str(caught.value).count("there") == len(messages)
    assert contents(folder) == before


def rewrite(path: Path, **values: object) -> None:
    """Change the settings in a file, as another version of the format might write them."""
    table = pyarrow.parquet.read_table(path)
    metadata = json.loads(table.schema.metadata[b"dagong"])
    changed = {b"dagong": json.dumps({**metadata, **values}).encode()}
    pyarrow.parquet.write_table(table.replace_schema_metadata(changed), path)


def test_another_format_is_refused(folder: Path) -> None:
    fill(folder, SMALL)
    rewrite(folder / "hands-000000000000.parquet", format_version=2)
    with pytest.raises(ValueError, match="format_version is 2 there, not 1"):
        Writer(folder, SMALL, resume=True)
    with pytest.raises(ValueError, match=r"format_version = 2: dagong .* knows only 1"):
        read_settings(folder)


def test_settings_that_make_no_sense_are_refused(folder: Path) -> None:
    fill(folder, SMALL)
    first = folder / "hands-000000000000.parquet"
    rewrite(first, wind="east")
    with pytest.raises(ValueError, match=r"are not those of a data set: .*wind"):
        read_settings(folder)
    rewrite(first, wind="east", hands="many")
    with pytest.raises(ValueError, match=str(first.name)):
        read_settings(folder)


def test_files_of_different_sets_are_not_read_together(folder: Path) -> None:
    fill(folder, SMALL)
    rewrite(folder / "hands-000000000200.parquet", seed=99)
    with pytest.raises(ValueError, match=r"hands-000000000200.parquet is of another data set: seed is 99"):
        iter_rows(folder)


@pytest.mark.parametrize("cut", [0, 4, 1000, -1])
def test_a_damaged_file_is_refused(folder: Path, cut: int) -> None:
    fill(folder, SMALL)
    path = folder / "hands-000000000100.parquet"
    path.write_bytes(path.read_bytes()[:cut])
    for refused in (lambda: iter_rows(folder), lambda: Writer(folder, SMALL, resume=True)):
        with pytest.raises(ValueError, match=r"hands-000000000100.parquet is damaged"):
            refused()


def test_a_file_in_the_wrong_place_is_refused(folder: Path) -> None:
    fill(folder, SMALL)
    os.replace(folder / "hands-000000000200.parquet", folder / "hands-000000000150.parquet")
    with pytest.raises(ValueError, match="does not belong to its data set: it has 50 hands from 150"):
        Writer(folder, SMALL, resume=True)
    os.replace(folder / "hands-000000000150.parquet", folder / "hands-000000000000.parquet")
    with pytest.raises(ValueError, match="does not belong to its data set: it has 50 hands from 0"):
        iter_rows(folder, partial=True)


def test_other_columns_are_refused(folder: Path) -> None:
    fill(folder, SMALL)
    path = folder / "hands-000000000100.parquet"
    pyarrow.parquet.write_table(pyarrow.parquet.read_table(path).drop_columns(["plays"]), path)
    with pytest.raises(ValueError, match="does not have the columns"):
        iter_rows(folder)
    (folder / "hands-000000000100.parquet").unlink()
    pyarrow.parquet.write_table(pyarrow.table({"a": [1]}), folder / "hands-000000000000.parquet")
    with pytest.raises(ValueError, match="no settings of a data set"):
        read_settings(folder)
    with pytest.raises(ValueError, match="no settings of a data set"):
        Writer(folder, SMALL, resume=True)


def test_a_set_that_is_not_complete_is_not_read_by_accident(folder: Path) -> None:
    writer = Writer(folder, SMALL)
    with pytest.raises(ValueError, match="no file of a data set"):
        iter_rows(folder)
    writer.write(200, simulate(SMALL, 200, 50))
    writer.write(0, simulate(SMALL, 0, 100))
    with pytest.raises(ValueError, match=r"100 of 250 hands are missing, .* hands 100 to 199; --resume"):
        iter_rows(folder)
    hands = np.concatenate([part["hand"] for part in iter_rows(folder, partial=True)])
    assert hands.tolist() == [*range(100), *range(200, 250)]
    with pytest.raises(ValueError, match="chunk = 0"):
        iter_rows(folder, 0)
    with pytest.raises(FileNotFoundError):
        read_settings(folder / "elsewhere")


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"rules": "DAYE"}, "rules = 'DAYE'"),
        ({"policies": ("greedy",) * 3}, "four of random, greedy"),
        ({"policies": ("greedy", "bold", "random", "random")}, "bold"),
        ({"seed": -1}, "seed = -1"),
        ({"seed": 2**64}, "seed = "),
        ({"hands": 0}, "hands = 0"),
        ({"hands": 1.5}, "hands = 1.5"),
        ({"chunk": True}, "chunk = True"),
        ({"format_version": 0}, "format_version = 0"),
    ],
)
def test_settings_are_checked(values: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        dataclasses.replace(SMALL, **values)


def test_rows_are_checked(folder: Path) -> None:
    writer = Writer(folder, SMALL)
    rows = simulate(SMALL, 0, 100)
    for wrong in (rows[:99], rows["hand"], rows.reshape(10, 10), rows.tolist()):
        with pytest.raises(ValueError, match="an array of 100 HAND_DTYPE"):
            writer.write(0, wrong)
    with pytest.raises(ValueError, match="hands 0 to 99 in order"):
        writer.write(0, rows[::-1])
    for name, value in (("ending", 0), ("ending", 6), ("called", 54)):
        wrong = rows.copy()
        wrong[name][50] = value
        with pytest.raises(ValueError, match=f"a hand has {name} outside"):
            writer.write(0, wrong)
    for first in (50, 250, 300):
        with pytest.raises(ValueError, match=f"no file that begins with hand {first} is missing"):
            writer.write(first, rows)
    assert contents(folder) == {}
    writer.write(0, rows)
    with pytest.raises(ValueError, match="no file that begins with hand 0 is missing"):
        writer.write(0, rows)


def test_without_pyarrow_an_error_says_how_to_get_it(
    small: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    for refused in (lambda: Writer(folder, SMALL), lambda: read_settings(small), lambda: iter_rows(small)):
        with pytest.raises(ImportError, match=r"pip install 'dagong\[parquet\]'"):
            refused()
    assert not folder.exists()


def test_pyarrow_is_not_imported_before_it_is_needed() -> None:
    command = "import sys, dagong.dataset; sys.exit('pyarrow' in sys.modules)"
    subprocess.run([sys.executable, "-c", command], check=True)


# Interrupted runs


def test_a_write_that_fails_leaves_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    writer = Writer(folder, SMALL)

    def fail(*_: object) -> None:
        raise OSError("no space")

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", fail)
        with pytest.raises(OSError, match="no space"):
            writer.write(0, simulate(SMALL, 0, 100))
    assert contents(folder) == {}
    assert writer.missing[0] == (0, 100)
    writer.write(0, simulate(SMALL, 0, 100))
    assert len(contents(folder)) == 1


def test_leftovers_are_removed_on_resume(folder: Path, small: Path) -> None:
    Writer(folder, SMALL).write(0, simulate(SMALL, 0, 100))
    (folder / ".hands-000000000100.parquet.tmp").write_bytes(b"PAR1")
    (folder / "notes.txt").write_text("mine")
    assert len(np.concatenate(list(iter_rows(folder, partial=True)))) == 100
    fill(folder, SMALL, resume=True)
    assert contents(folder) == {**contents(small), "notes.txt": b"mine"}


LONG = Settings(DAYE, MIX, seed=11, hands=39_500, chunk=1000)
# Arguments: the folder, and at which of the calls that change it the process kills itself, -1 for never.
WRITE = """
import os, signal, sys
import numpy as np
from dagong import DAYE
from dagong._bulk import HAND_DTYPE, play_hands
from dagong.dataset import Settings, Writer

left = int(sys.argv[2])

def counted(function):
    def call(*arguments):
        global left
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return function(*arguments)
    return call

class File:
    "An open file that counts what is written."

    def __init__(self, *arguments):
        self.file = open(*arguments, buffering=0)
        self.write = counted(self.file.write)

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.file.close()

    def __getattr__(self, name):
        return getattr(self.file, name)

if left >= 0:
    import dagong.dataset
    dagong.dataset.open = File
    os.fsync = counted(os.fsync)
    os.replace = counted(os.replace)

settings = Settings(DAYE, ("greedy", "random", "random", "greedy"), seed=11, hands=39_500, chunk=1000)
writer = Writer(sys.argv[1], settings, resume=True)
print("ready", flush=True)
for first, number in writer.missing:
    rows = np.zeros(number, HAND_DTYPE)
    play_hands(settings.rules, settings.policies, settings.seed, first, rows)
    writer.write(first, rows)
"""


def whole_files(folder: Path) -> dict[str, bytes]:
    return {name: data for name, data in contents(folder).items() if name.endswith(".parquet")}


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    folder = tmp_path_factory.mktemp("data") / "long"
    fill(folder, LONG)
    return contents(folder)


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="there is no SIGKILL")
def test_a_run_killed_at_any_time_goes_on_to_the_same_files(
    folder: Path, undisturbed: dict[str, bytes]
) -> None:
    rng = random.Random(8)
    killed = 0
    for _ in range(6):
        with subprocess.Popen([sys.executable, "-c", WRITE, folder, "-1"], stdout=subprocess.PIPE) as child:
            assert child.stdout is not None
            assert child.stdout.readline() == b"ready\n"
            time.sleep(rng.uniform(0, 0.15))
            child.kill()
        killed += child.returncode == -signal.SIGKILL
        whole = whole_files(folder)
        assert whole.items() <= undisturbed.items()
    assert killed
    fill(folder, LONG, resume=True)
    assert contents(folder) == undisturbed


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="there is no SIGKILL")
def test_a_run_killed_within_a_write_goes_on_to_the_same_files(
    folder: Path, undisturbed: dict[str, bytes]
) -> None:
    rng = random.Random(9)
    leftovers = 0
    for _ in range(6):
        calls = str(rng.randrange(1, 1000))
        command = [sys.executable, "-c", WRITE, folder, calls]
        done = subprocess.run(command, stdout=subprocess.DEVNULL, check=False)
        assert done.returncode == -signal.SIGKILL
        whole = whole_files(folder)
        assert whole.items() <= undisturbed.items()
        leftovers += len(contents(folder)) - len(whole)
    assert leftovers
    fill(folder, LONG, resume=True)
    assert contents(folder) == undisturbed
