"""The examples in the documents do what they say."""

import doctest
import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from dagong.cli.app import app

ROOT = Path(__file__).parent.parent
DOCUMENTS = ["README.md", "docs/notation.md"]
CONSOLE_DOCUMENTS = [*DOCUMENTS, "docs/rules.md"]
PRINTED = re.compile(r"printf '([^']*)' \| (.*)")


def console_examples(document: str) -> list[tuple[str, str]]:
    """The commands in console blocks and what they print."""
    found = []
    for block in re.findall(
        r"```console\n(.*?)```", (ROOT / document).read_text(encoding="utf-8"), re.DOTALL
    ):
        for example in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = example.partition("\n")
            found.append((command, output))
    return found


@pytest.mark.parametrize(
    ("command", "output"),
    [example for document in CONSOLE_DOCUMENTS for example in console_examples(document)],
)
def test_console_examples(command, output, monkeypatch):
    monkeypatch.chdir(ROOT)
    stdin = None
    if printed := PRINTED.fullmatch(command):
        stdin, command = printed[1].replace(r"\n", "\n"), printed[2]
    for part in command.split(" | "):
        program, *arguments = shlex.split(part)
        assert program == "dagong"
        stdin = CliRunner().invoke(app, arguments, input=stdin).output
    assert stdin == output


@pytest.mark.parametrize("document", DOCUMENTS)
def test_python_examples(document):
    text = (ROOT / document).read_text(encoding="utf-8")
    examples = doctest.DocTestParser().get_doctest(text, {}, document, document, 0)
    assert examples.examples
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    runner.run(examples)
    assert runner.summarize(verbose=False).failed == 0


def test_the_python_of_simulation_runs(monkeypatch, tmp_path):
    """One block after the other, with fewer hands, in a folder where they leave their data set."""
    text = (ROOT / "docs/simulation.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    assert len(blocks) == 8
    monkeypatch.chdir(tmp_path)
    names = {"__name__": "__main__"}
    for block in blocks:
        # new processes of a pool would begin with pytest's own main module
        block = block.replace("ProcessPoolExecutor", "ThreadPoolExecutor")
        exec(re.sub(r"\b1(00)?_000(_000)?\b", "2_000", block), names)
    assert len(names["frame"]) == names["hands"].count_rows() == 2000


@pytest.mark.parametrize("document", CONSOLE_DOCUMENTS)
def test_every_document_has_console_examples(document):
    assert console_examples(document)
