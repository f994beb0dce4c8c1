"""Builds the outside user against whichever dagong is installed."""

from Cython.Build import cythonize
from setuptools import Extension, setup

import dagong

setup(
    name="richest",
    ext_modules=cythonize([Extension("richest", ["richest.pyx"])], include_path=[dagong.get_include()]),
)
