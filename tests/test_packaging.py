"""What a source distribution holds."""

import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

import dagong

ROOT = Path(__file__).parent.parent
BUILD = "import sys; from setuptools.build_meta import build_sdist; build_sdist(sys.argv[1])"
LEFT_BEHIND = shutil.ignore_patterns(
    ".git", ".*_cache", ".venv", ".hypothesis", "build", "dist", "*.so", "*.pyd", "*.egg-info", "__pycache__"
)


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """The files of a source distribution that is made of a copy of this checkout."""
    folder = tmp_path_factory.mktemp("sdist")
    shutil.copytree(ROOT, folder / "checkout", ignore=LEFT_BEHIND)
    command = [sys.executable, "-c", BUILD, str(folder)]
    done = subprocess.run(command, cwd=folder / "checkout", capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    (archive,) = folder.glob("*.tar.gz")
    assert archive.name == f"dagong-{dagong.__version__}.tar.gz"
    with tarfile.open(archive) as tar:
        return {name.partition("/")[2] for name in tar.getnames()}


def names(pattern: str) -> set[str]:
    return {path.relative_to(ROOT).as_posix() for path in ROOT.glob(pattern)}


@pytest.mark.parametrize(
    "pattern",
    [
        "src/dagong/**/*.py",
        "src/dagong/*.pyx",
        "src/dagong/*.pxd",
        "src/dagong/*.pyi",
        "src/dagong/py.typed",
        "tests/*.py",
        "tests/outside/*",
        "tests/data/*",
        "docs/*.md",
        "docs/hands/*.txt",
        "setup.py",
        "pyproject.toml",
        "README.md",
        "LICENSE",
    ],
)
def test_the_source_distribution_has(files: set[str], pattern: str) -> None:
    wanted = {name for name in names(pattern) if "__pycache__" not in name and not name.endswith(".so")}
    assert wanted
    assert wanted <= files


def test_the_source_distribution_has_nothing_built(files: set[str]) -> None:
    assert not {name for name in files if Path(name).suffix in (".c", ".so", ".pyd", ".pyc", ".o")}


def test_the_installed_package_has_what_cimport_needs() -> None:
    folder = Path(dagong.__file__).parent
    for pattern in ("*.pxd", "*.pyi", "py.typed"):
        wanted = {path.name for path in (ROOT / "src" / "dagong").glob(pattern)}
        assert wanted
        assert wanted <= {path.name for path in folder.iterdir()}
