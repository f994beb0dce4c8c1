"""The examples in the docstrings of the package, compiled modules included.

Only the installed package is looked at: pytest's own ``--doctest-modules`` would import the source tree.
"""

import doctest
import importlib
import inspect
import pkgutil
from collections.abc import Iterator
from types import ModuleType

import pytest

import dagong

# Compiled parts that define nothing for Python have no examples either; nor do commands, whose help has
# some, and what is there for measuring.
WITHOUT_EXAMPLES = {
    "dagong._bench",
    "dagong._bench_state",
    "dagong._call",
    "dagong._choose",
    "dagong._count",
    "dagong._deal",
    "dagong._generate",
    "dagong._greedy",
    "dagong._melds",
    "dagong._payment",
    "dagong._position",
    "dagong._rolls",
    "dagong._ruleset",
    "dagong._runs",
    "dagong._spends",
    "dagong.benchmark",
    "dagong.benchmark_hands",
    "dagong.cli",
    "dagong.cli.app",
    "dagong.cli.bench",
    "dagong.cli.check",
    "dagong.cli.compare",
    "dagong.cli.deal",
    "dagong.cli.identify",
    "dagong.cli.perft",
    "dagong.cli.play",
    "dagong.cli.plays",
    "dagong.cli.replay",
    "dagong.cli.simulate",
    "dagong.cli.report",
}
MODULES = ["dagong", *(module.name for module in pkgutil.walk_packages(dagong.__path__, "dagong."))]


def docstrings(module: ModuleType) -> Iterator[tuple[str, str]]:
    """The name and docstring of the module, and of all functions, classes and members defined in it."""
    yield module.__name__, module.__doc__ or ""
    for name, thing in vars(module).items():
        if getattr(thing, "__module__", None) != module.__name__ or not callable(thing):
            continue
        yield f"{module.__name__}.{name}", thing.__doc__ or ""
        if inspect.isclass(thing):
            for member, value in vars(thing).items():
                if isinstance(getattr(value, "__doc__", None), str) and not member.startswith("__"):
                    yield f"{module.__name__}.{name}.{member}", value.__doc__


def examples(module: ModuleType) -> list[doctest.DocTest]:
    # in the module's own namespace, as pytest and doctest do it
    parser = doctest.DocTestParser()
    tests = [
        parser.get_doctest(text, dict(vars(module)), name, module.__file__, 0)
        for name, text in docstrings(module)
    ]
    return [test for test in tests if test.examples]


@pytest.mark.parametrize("name", MODULES)
def test_examples(name: str) -> None:
    module = importlib.import_module(name)
    tests = examples(module)
    assert bool(tests) == (name not in WITHOUT_EXAMPLES)
    for test in tests:
        runner = doctest.DocTestRunner()
        output: list[str] = []
        runner.run(test, out=output.append)
        assert runner.failures == 0, "".join(output)


def test_the_compiled_classes_have_examples() -> None:
    named = {
        test.name
        for name in ("dagong._core", "dagong._hand")
        for test in examples(importlib.import_module(name))
    }
    assert {
        "dagong._core.RulesetCore.legal_plays",
        "dagong._core.Plays",
        "dagong._hand.Hand.rank_counts",
    } <= named


@pytest.mark.parametrize(
    "thing",
    [
        *(getattr(dagong, name) for name in dagong.__all__ if callable(getattr(dagong, name))),
        *(
            value
            for owner in (dagong.Hand, dagong.Play, dagong.Plays, dagong.Ruleset, dagong.Card)
            for cls in owner.__mro__
            if cls.__module__.startswith("dagong")
            for member, value in vars(cls).items()
            if not member.startswith("_")
            and hasattr(value, "__doc__")
            and (
                callable(value)
                or isinstance(value, property | classmethod | staticmethod)
                or inspect.isgetsetdescriptor(value)
            )
        ),
    ],
    ids=lambda thing: getattr(thing, "__qualname__", None) or getattr(thing, "__name__", str(thing)),
)
def test_everything_public_is_documented(thing: object) -> None:
    assert thing.__doc__
    assert thing.__doc__.strip()
