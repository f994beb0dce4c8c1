"""The report: one page that stands alone, is well formed and the same each time."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result

from dagong import DAGUN, DAYE, XIANNING, Ruleset
from dagong._bulk import HAND_DTYPE, play_hands
from dagong.cli.app import app
from dagong.dataset import Settings, Writer
from dagong.report import page, write_report
from dagong.summary import Summary
from dagong.tables import tables

PLOTS = {"edge", "payoffs", "jokers", "quads", "endings", "lengths", "places", "points", "solos"}
VOID = {"meta", "br", "hr", "img", "input", "link"}
MIX = ("greedy", "random", "greedy", "greedy")


class Page(HTMLParser):
    """What is in a page; fails where elements do not close in turn."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[tuple[str, str]] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if data.strip():
            self.words.append((self.open[-1] if self.open else "", data))

    def texts(self, tag: str) -> list[str]:
        return [text for of, text in self.words if of == tag]


@cache
def page_of(rules: Ruleset, number: int = 2000) -> str:
    rows = np.zeros(number, HAND_DTYPE)
    play_hands(rules, MIX, 3, 0, rows)
    summary = Summary(rules)
    summary.add(rows)
    return page(summary, Settings(rules, MIX, 3, number))


def written(folder: Path, number: int = 300, rules: Ruleset = DAYE) -> Path:
    settings = Settings(rules, MIX, seed=3, hands=number, chunk=200)
    writer = Writer(folder, settings)
    for first, size in writer.missing:
        rows = np.zeros(size, HAND_DTYPE)
        play_hands(rules, MIX, 3, first, rows)
        writer.write(first, rows)
    return folder


def run(*arguments: object) -> Result:
    result = CliRunner().invoke(app, [str(argument) for argument in arguments], prog_name="dagong")
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


@pytest.mark.parametrize("rules", [DAGUN, DAYE, XIANNING], ids=str)
def test_the_page_stands_alone(rules: Ruleset) -> None:
    text = page_of(rules)
    found = Page(text)
    assert "http" not in text and "//" not in text and "@import" not in text
    assert not {tag for tag, _ in found.tags} & {"script", "link", "img", "image", "iframe", "object"}
    for _, attributes in found.tags:
        assert "src" not in attributes
        for name in ("href", "xlink:href"):
            assert (attributes.get(name) or "#").startswith("#")
    assert all(target.startswith("#") for target in re.findall(r"url\(([^)]*)\)", text))
    assert "nan" not in re.sub("Xianning|dominan", "", text)


def test_ids_are_unique_and_found() -> None:
    found = Page(page_of(DAGUN))
    ids = [attributes["id"] for _, attributes in found.tags if "id" in attributes]
    assert len(ids) == len(set(ids))
    used = re.findall(r'(?:url\(|href=")#([^)"]+)', page_of(DAGUN))
    assert used and set(used) <= set(ids)


def test_plots_have_titles_and_alternative_texts() -> None:
    found = Page(page_of(DAGUN))
    plots = [attributes for tag, attributes in found.tags if tag == "svg"]
    assert {attributes["aria-labelledby"] for attributes in plots} == {f"{name}-alt" for name in PLOTS}
    assert all(attributes["role"] == "img" and "width" not in attributes for attributes in plots)
    titles = found.texts("title")
    assert len(titles) == 1 + len(PLOTS)
    assert all(re.search(r"\d", title) for title in titles)
    assert len(found.texts("h3")) == len(found.texts("figcaption")) == len(PLOTS)
    assert [attributes["lang"] for tag, attributes in found.tags if tag == "html"] == ["en"]


def test_colours_are_those_of_the_page() -> None:
    """What is drawn in a fixed colour is hard to see on one of two backgrounds."""
    drawn = "".join(re.findall(r"<svg.*?</svg>", page_of(DAGUN), re.DOTALL))
    assert re.findall(r"#[0-9a-f]{6}\b", drawn) == []
    assert "prefers-color-scheme: dark" in page_of(DAGUN)


def test_the_tables_are_those_of_the_summary() -> None:
    rows = np.zeros(2000, HAND_DTYPE)
    play_hands(DAGUN, MIX, 3, 0, rows)
    summary = Summary(DAGUN)
    summary.add(rows)
    found = Page(page_of(DAGUN))
    cells = found.texts("td") + found.texts("th")
    for table in tables(summary, MIX).values():
        for row in table.rows:
            assert set(row) <= set(cells)
    heads = [attributes["scope"] for tag, attributes in found.tags if tag == "th"]
    assert set(heads) == {"row", "col"}
    for value in (*MIX, "2,000", "soft", "largest_from_ten"):
        assert any(value in cell for cell in cells)


def test_it_is_the_same_each_time(tmp_path: Path) -> None:
    folder = written(tmp_path / "hands")
    for name in ("one.html", "two.html"):
        write_report(folder, tmp_path / name)
    again = tmp_path / "three.html"
    command = [sys.executable, "-c", "import dagong.cli; dagong.cli.main()", "report", folder, "-o", again]
    subprocess.run(command, check=True, env={**os.environ, "PYTHONHASHSEED": "5", "TZ": "Asia/Shanghai"})
    pages = {(tmp_path / name).read_bytes() for name in ("one.html", "two.html", "three.html")}
    assert len(pages) == 1


@pytest.mark.parametrize("number", [1, 40])
def test_a_few_hands_are_enough(number: int) -> None:
    """Down to one, and without any solo."""
    found = Page(page_of(DAYE, number))
    assert f"{number} hands" in found.texts("h1")[0]


def test_odd_rules_do_not_break_the_page() -> None:
    """Large payoffs, and a text with signs that mean something in HTML."""
    rules = XIANNING.replace(solo_multiplier=1000, holding_bonuses=("sky",), lone_jokers="wild")
    text = page_of(rules, 500)
    assert "lone_jokers=&#x27;wild&#x27;" in text
    Page(text)


def test_somebodys_own_style_does_not_show() -> None:
    import matplotlib

    plain = page_of(DAYE, 40)
    page_of.cache_clear()
    with matplotlib.rc_context({"font.size": 30, "axes.facecolor": "red", "svg.fonttype": "path"}):
        assert page_of(DAYE, 40) == plain
        assert matplotlib.rcParams["font.size"] == 30  # and is left as it was


def test_the_command(tmp_path: Path) -> None:
    folder, output = written(tmp_path / "hands"), tmp_path / "out.html"
    result = run("report", folder, "-o", output)
    assert (result.exit_code, result.stdout, result.stderr) == (0, f"{output}\n", "")
    assert "300 hands of Dagong under DAYE" in Page(output.read_text("utf-8")).texts("h1")[0]


def test_a_page_of_before_is_replaced_or_left(tmp_path: Path) -> None:
    folder, output = written(tmp_path / "hands"), tmp_path / "out.html"
    output.write_text("a page of before" * 100_000)
    files = sorted(folder.glob("*.parquet"))
    whole = files[-1].read_bytes()
    files[-1].write_bytes(whole[: len(whole) // 2])
    assert run("report", folder, "-o", output).exit_code == 2
    assert output.read_text() == "a page of before" * 100_000
    files[-1].write_bytes(whole)
    assert run("report", folder, "-o", output).exit_code == 0
    assert output.read_text("utf-8").endswith("</html>\n")


def test_the_command_says_what_is_wrong(tmp_path: Path) -> None:
    output = tmp_path / "out.html"
    (tmp_path / "empty").mkdir()
    folder = written(tmp_path / "hands")
    for arguments, words in (
        ((tmp_path / "nowhere", "-o", output), "nowhere"),
        ((tmp_path / "empty", "-o", output), "no file of a data set"),
        ((folder, "-o", tmp_path / "no" / "out.html"), "No such file"),
        ((folder, "-o", tmp_path), "is a directory"),
    ):
        result = run("report", *arguments)
        assert (result.exit_code, result.stdout) == (2, "")
        assert words in " ".join(result.stderr.split())
    next(iter(sorted(folder.glob("*.parquet")))).unlink()
    result = run("report", folder, "-o", output)
    assert (result.exit_code, output.exists()) == (2, False)
    assert "not complete" in result.stderr


@pytest.mark.parametrize(("missing", "extra"), [("matplotlib", "report"), ("pyarrow", "parquet")])
def test_what_to_install_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, missing: str, extra: str
) -> None:
    folder = written(tmp_path / "hands")
    monkeypatch.setitem(sys.modules, missing, None)
    result = run("report", folder, "-o", tmp_path / "out.html")
    assert (result.exit_code, result.stdout) == (1, "")
    assert f"pip install 'dagong[{extra}]'" in result.stderr
