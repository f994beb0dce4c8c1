"""Builds the outside users against whichever dagong is installed."""

from Cython.Build import cythonize
from setuptools import Extension, setup

import dagong

setup(
    name="richest",
    ext_modules=cythonize(
        [Extension(name, [f"{name}.pyx"]) for name in ("richest", "hands")],
        include_path=[dagong.get_include()],
    ),
)
