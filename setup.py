"""Builds the core. Everything else about the package stands in pyproject.toml.

``DAGONG_BUILD`` chooses how: ``release`` (the default), ``debug`` (bounds checks and assertions) or
``sanitize`` (those, AddressSanitizer and UndefinedBehaviorSanitizer). ``DAGONG_CFLAGS`` adds compiler
flags, such as ``-march=native`` for this machine only.
"""

import os
import shlex
import sys

from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

MODULES = (
    "_ruleset", "_spends", "_melds", "_runs", "_rolls", "_count", "_generate", "_hand", "_play", "_core",
    "_position", "_payment", "_call", "_deal", "_choose", "_greedy", "_state", "_bulk", "_perft",
    "_bench", "_bench_state",
)
MODE = os.environ.get("DAGONG_BUILD", "release")
MSVC = sys.platform == "win32"
FLAGS = {
    "release": ["/O2"] if MSVC else ["-O3"],
    "debug": ["/Od"] if MSVC else ["-O1", "-g"],
    "sanitize": ["-O1", "-g", "-fno-omit-frame-pointer", "-fsanitize=address,undefined",
                 "-fno-sanitize-recover=undefined"],
}
if MODE not in FLAGS:
    sys.exit(f"DAGONG_BUILD is {MODE!r}: expected one of {', '.join(FLAGS)}")
CHECKED = MODE != "release"


class BuildExtensions(build_ext):
    """Stops with advice where no compiler works, rather than go on without the core."""

    def build_extensions(self):
        try:
            super().build_extensions()
        except Exception as error:
            raise SystemExit(
                f"dagong's core could not be compiled: {error}\n"
                "It needs a C compiler and Python's headers: on Debian and Ubuntu `apt install gcc "
                "python3-dev`, on Fedora `dnf install gcc python3-devel`, on macOS `xcode-select --install`, "
                "on Windows the Build Tools for Visual Studio."
            ) from error


extensions = [
    Extension(
        f"dagong.{name}",
        [f"src/dagong/{name}.pyx"],
        extra_compile_args=FLAGS[MODE] + shlex.split(os.environ.get("DAGONG_CFLAGS", "")),
        extra_link_args=["-fsanitize=address,undefined"] if MODE == "sanitize" else [],
        define_macros=[("DAGONG_DEBUG", "1")] if CHECKED else [],
    )
    for name in MODULES
]

setup(
    ext_modules=cythonize(
        extensions,
        build_dir=f"build/{MODE}",
        force=CHECKED,
        compiler_directives={
            "language_level": 3,
            "cdivision": True,
            "boundscheck": CHECKED,
            "wraparound": False,
            "initializedcheck": CHECKED,
            "embedsignature": True,
            "freethreading_compatible": True,
        },
    ),
    cmdclass={"build_ext": BuildExtensions},
)
