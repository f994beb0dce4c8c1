"""Data sets: simulated hands as Parquet files, a column for each number of a row.

``Writer`` fills a folder with files of equally many hands. Every file carries the settings of the whole data
set and appears whole or not at all, so that a run that was killed goes on from the files alone. See
``docs/simulation.md`` for the columns.

Needs pyarrow: ``pip install 'dagong[parquet]'``.

>>> import tempfile
>>> from dagong import DAYE
>>> from dagong.simulation import iter_chunks
>>> settings = Settings(DAYE, ("greedy",) * 4, seed=7, hands=50, chunk=20)
>>> with tempfile.TemporaryDirectory() as folder:
...     writer = Writer(folder, settings)
...     for first, rows in iter_chunks(DAYE, writer.missing, policies="greedy", seed=7):
...         writer.write(first, rows)
...     sum(len(rows) for rows in iter_rows(folder))
50
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from dagong import __version__, notation
from dagong._bulk import HAND_DTYPE, POLICIES
from dagong.rules import Ruleset
from dagong.simulation import is_policy_name

Rows: TypeAlias = np.ndarray[Any, np.dtype[np.void]]
Range: TypeAlias = tuple[int, int]

FORMAT_VERSION = 1
"""Changes with the columns, their types or the metadata."""
CHUNK = 250_000
"""Hands in a file unless ``Settings`` say otherwise."""
ENDINGS = ("solo", "one_left", "partners", "early_second", "early_first")
"""What the column ``ending`` holds (R6.6); the code in a row is one more than the place here."""

_KEY = b"dagong"
_FILE = re.compile(r"hands-([0-9]{12,})\.parquet")
_LEFTOVER = re.compile(r"\.hands-[0-9]{12,}\.parquet\.tmp")
_CARDS = tuple(notation.card_text(code) for code in range(54))
# What stands for a code in a file. The code of the first text is given too.
_TEXTS: dict[str, tuple[int, tuple[str, ...]]] = {"ending": (1, ENDINGS), "called": (0, _CARDS)}
# Columns are taken from rows by parts that fit into a core's cache: to go through all rows for each column
# would cost several times as much.
_PART = 4096


@dataclass(frozen=True)
class _Column:
    name: str
    field: str
    seat: int | None
    dtype: np.dtype[Any]

    def of(self, rows: Rows) -> Any:
        """The view of this column in rows."""
        return rows[self.field] if self.seat is None else rows[self.field][:, self.seat]


def _all_columns() -> Iterator[_Column]:
    assert HAND_DTYPE.names is not None
    for name in HAND_DTYPE.names:
        dtype = HAND_DTYPE[name]
        if dtype.shape:
            for seat in range(dtype.shape[0]):
                yield _Column(f"{name}_{seat}", name, seat, dtype.base)
        else:
            yield _Column(name, name, None, dtype)


_COLUMNS = tuple(_all_columns())
COLUMNS = tuple(column.name for column in _COLUMNS)
"""The columns in order."""


@dataclass(frozen=True)
class Settings:
    """What a data set holds: equal settings make files that are equal byte for byte, with one pyarrow.

    Raises ``ValueError``, naming the field, for values that no data set can have.

    >>> from dagong import XIANNING
    >>> settings = Settings(XIANNING, ("greedy", "random", "greedy", "random"), seed=1, hands=1_000_000)
    >>> settings.chunk, Settings.from_metadata(settings.to_metadata()) == settings
    (250000, True)
    """

    rules: Ruleset
    policies: tuple[str, ...]
    """Who plays, by seat."""
    seed: int
    hands: int
    """How many in all: hands 0, 1… of the seed."""
    chunk: int = CHUNK
    """How many in each file; the last may have fewer."""
    format_version: int = FORMAT_VERSION
    dagong_version: str = __version__
    """The version that simulates: another one may play a hand differently."""

    def __post_init__(self) -> None:
        if not isinstance(self.rules, Ruleset):
            raise ValueError(f"rules = {self.rules!r}: expected a Ruleset")
        policies = tuple(self.policies)
        if len(policies) != 4 or not all(map(is_policy_name, policies)):
            expected = f"four of {', '.join(POLICIES)} or module:function, by seat"
            raise ValueError(f"policies = {policies!r}: expected {expected}")
        object.__setattr__(self, "policies", policies)
        for name, least, most in (("seed", 0, 2**64 - 1), ("hands", 1, 2**63), ("chunk", 1, 2**31 - 1)):
            value = getattr(self, name)
            if type(value) is not int or not least <= value <= most:
                raise ValueError(f"{name} = {value!r}: expected a whole number {least} to {most}")
        _check_format_version(self.format_version)

    @property
    def ranges(self) -> Iterator[Range]:
        """The first hand of each file and how many it holds.

        >>> from dagong import DAYE
        >>> list(Settings(DAYE, ("random",) * 4, seed=1, hands=50, chunk=20).ranges)
        [(0, 20), (20, 20), (40, 10)]
        """
        return ((first, self._number(first)) for first in range(0, self.hands, self.chunk))

    def without(self, present: Container[int]) -> list[Range]:
        """The ranges but for those whose first hands are present."""
        return [(first, number) for first, number in self.ranges if first not in present]

    def to_metadata(self) -> dict[bytes, bytes]:
        """What the schema of every file carries: JSON under the key ``dagong``."""
        return {_KEY: json.dumps(self._values()).encode()}

    @classmethod
    def from_metadata(cls, metadata: Mapping[bytes, bytes] | None) -> Settings:
        """Read what ``to_metadata`` gives.

        Raises ``ValueError`` if it is missing or no settings that this version knows.

        >>> Settings.from_metadata({})
        Traceback (most recent call last):
        ValueError: there are no settings of a data set in the metadata
        """
        values = _values_in(metadata)
        _check_format_version(values.get("format_version"))
        try:
            return cls(**{**values, "rules": Ruleset(**values["rules"])})
        except (KeyError, TypeError) as error:
            raise ValueError(f"the settings are not those of a data set: {error}") from None

    def _values(self) -> dict[str, Any]:
        return {
            "format_version": self.format_version,
            "dagong_version": self.dagong_version,
            "rules": {
                name: list(value) if isinstance(value, tuple) else value
                for name, value in self.rules.fields().items()
            },
            "policies": list(self.policies),
            "seed": self.seed,
            "hands": self.hands,
            "chunk": self.chunk,
        }

    def _number(self, first: int) -> int:
        return min(self.chunk, self.hands - first)

    def _has(self, first: int) -> bool:
        """Whether a file begins with this hand."""
        return first < self.hands and first % self.chunk == 0


def _check_format_version(version: object) -> None:
    if version != FORMAT_VERSION:
        raise ValueError(f"format_version = {version!r}: dagong {__version__} knows only {FORMAT_VERSION}")


class Writer:
    """Writes a data set into a folder, which it makes if need be.

    Without ``resume`` the folder has to be empty. With it, files of the same settings stay and ``missing``
    is what they lack; leftovers of a run that was killed are removed. All settings have to be the same, even
    ``hands``, since every file says how many there are. One writer at a time.

    Raises ``ValueError``, naming what is wrong or what differs, for a folder that cannot be used,
    ``OSError`` for one that cannot be made, and ``ImportError`` without pyarrow.

    >>> import tempfile
    >>> from dagong import DAYE, simulate
    >>> settings = Settings(DAYE, ("random",) * 4, seed=1, hands=50, chunk=20)
    >>> rows = simulate(DAYE, 40, seed=1)[20:]
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     Writer(folder, settings).write(20, rows)
    ...     Writer(folder, settings, resume=True).missing
    [(0, 20), (40, 10)]
    """

    def __init__(self, directory: str | os.PathLike[str], settings: Settings, resume: bool = False) -> None:
        pyarrow, _ = _import_pyarrow()
        self.directory = Path(directory)
        self.settings = settings
        self._schema = _schema_of(pyarrow, settings)
        self.directory.mkdir(parents=True, exist_ok=True)
        present = self._files_to_keep(resume)
        self._missing = dict(settings.without(present))

    @property
    def missing(self) -> list[Range]:
        """The first hand of each file that is not there yet and how many it holds, in order."""
        return list(self._missing.items())

    def write(self, first: int, rows: Rows) -> None:
        """Write the file that begins with hand ``first``, whole or, if anything fails, not at all.

        ``rows`` are those of all its hands, in order, an array of ``HAND_DTYPE``. Raises ``ValueError`` if
        they are not, and ``OSError`` if the file cannot be written.
        """
        number = self._missing.get(first)
        if number is None:
            raise ValueError(f"no file that begins with hand {first} is missing")
        _check_rows(rows, first, number)
        _, parquet = _import_pyarrow()
        path = self.directory / _name_of(first)
        temporary = self.directory / f".{path.name}.tmp"
        try:
            with open(temporary, "wb") as file:
                parquet.write_table(_table_of(rows, self._schema), file, **_WRITING)
                file.flush()
                os.fsync(file.fileno())
            os.replace(temporary, path)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise
        del self._missing[first]

    def _files_to_keep(self, resume: bool) -> set[int]:
        if not resume:
            if any(self.directory.iterdir()):
                raise ValueError(
                    f"{self.directory} is not empty: choose another folder, or --resume to go on there"
                )
            return set()
        files = _files_in(self.directory)
        others = set(self.directory.iterdir()) - set(files.values())
        leftovers = {path for path in others if _LEFTOVER.fullmatch(path.name)}
        if not files and others != leftovers:
            raise ValueError(f"{self.directory} is not empty, but has no data set to resume")
        for first, path in files.items():
            _check_file(path, first, self.settings)
        # only now, when this is known to be the right folder
        for path in leftovers:
            path.unlink()
        return set(files)


def read_settings(directory: str | os.PathLike[str]) -> Settings:
    """The settings of the data set in a folder, complete or not.

    Raises ``ValueError`` if there is none, or one of a format that this version does not know,
    ``FileNotFoundError`` if there is no such folder, and ``ImportError`` without pyarrow.

    >>> import tempfile
    >>> from dagong import DAYE
    >>> from dagong.simulation import simulate_into
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     simulate_into(folder, DAYE, 20)
    ...     str(read_settings(folder).rules)
    'DAYE'
    """
    return _settings_and_files(Path(directory))[0]


def missing_ranges(directory: str | os.PathLike[str]) -> list[Range]:
    """The first hand of each file that a data set lacks and how many it holds, in order; none if complete.

    Raises the errors of ``read_settings``.

    >>> import tempfile
    >>> from dagong import DAYE, simulate
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     writer = Writer(folder, Settings(DAYE, ("random",) * 4, seed=1, hands=30, chunk=20))
    ...     writer.write(0, simulate(DAYE, 20, seed=1))
    ...     missing_ranges(folder)
    [(20, 10)]
    """
    settings, files = _settings_and_files(Path(directory))
    return settings.without(files)


def iter_rows(
    directory: str | os.PathLike[str], chunk: int = 65_536, *, partial: bool = False
) -> Iterator[Rows]:
    """The hands of a data set in order, as arrays of ``HAND_DTYPE`` with at most ``chunk`` rows.

    Takes no more memory for a larger data set. ``partial`` also reads one that is not complete: what is
    there, in order.

    Raises ``ValueError`` if files are missing, unless ``partial``, or do not belong together, and the errors
    of ``read_settings``, all before the first rows.

    >>> import tempfile
    >>> from dagong import DAYE, simulate
    >>> from dagong.simulation import simulate_into
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     simulate_into(folder, DAYE, 20)
    ...     again = list(iter_rows(folder, 15))
    >>> [len(part) for part in again], bool((np.concatenate(again) == simulate(DAYE, 20)).all())
    ([15, 5], True)
    """
    if type(chunk) is not int or chunk < 1:
        raise ValueError(f"chunk = {chunk!r}: expected a whole number, 1 or more")
    settings, files = _settings_and_files(Path(directory))
    missing = settings.without(files)
    if missing and not partial:
        first, number = missing[0]
        raise ValueError(
            f"{directory} is not complete: {sum(number for _, number in missing)} of {settings.hands} hands "
            f"are missing, in {len(missing)} files, the first of them hands {first} to {first + number - 1}; "
            "--resume writes them"
        )
    for first, path in files.items():
        _check_file(path, first, settings)
    return _rows_in(list(files.values()), chunk)


def _rows_in(paths: list[Path], chunk: int) -> Iterator[Rows]:
    for path in paths:
        with _open(path) as file:
            for batch in file.iter_batches(chunk, use_threads=False):
                yield _rows_of(batch)


# Files and what they say of themselves


def _import_pyarrow() -> tuple[Any, Any]:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError as error:
        raise ImportError("data sets need pyarrow: pip install 'dagong[parquet]'") from error
    return pyarrow, pyarrow.parquet


def _open(path: Path) -> Any:
    pyarrow, parquet = _import_pyarrow()
    try:
        return parquet.ParquetFile(path)
    except pyarrow.ArrowInvalid as error:
        raise ValueError(f"{path} is damaged: {error}") from None


def _name_of(first: int) -> str:
    return f"hands-{first:012}.parquet"


def _files_in(directory: Path) -> dict[int, Path]:
    """The files of a data set by their first hand, in order."""
    found = {int(match[1]): path for path in directory.iterdir() if (match := _FILE.fullmatch(path.name))}
    return {first: found[first] for first in sorted(found) if found[first].name == _name_of(first)}


def _settings_and_files(directory: Path) -> tuple[Settings, dict[int, Path]]:
    """What the first file says of the data set, and the files by their first hand."""
    files = _files_in(directory)
    if not files:
        raise ValueError(f"no file of a data set in {directory}")
    path = next(iter(files.values()))
    with _open(path) as file:
        metadata = file.schema_arrow.metadata
    try:
        return Settings.from_metadata(metadata), files
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None


def _values_in(metadata: Mapping[bytes, bytes] | None) -> dict[str, Any]:
    try:
        values = json.loads((metadata or {})[_KEY])
    except (KeyError, ValueError):
        values = None
    if not isinstance(values, dict):
        raise ValueError("there are no settings of a data set in the metadata")
    return values


def _flat(values: Mapping[str, Any]) -> dict[str, Any]:
    """Settings with each field of the rules by itself."""
    flat: dict[str, Any] = {}
    for name, value in values.items():
        if isinstance(value, dict):
            flat |= {f"{name}.{key}": part for key, part in value.items()}
        else:
            flat[name] = value
    return flat


def _check_file(path: Path, first: int, settings: Settings) -> None:
    """A file has to be one of these settings, and whole."""
    pyarrow, _ = _import_pyarrow()
    with _open(path) as file:
        schema = file.schema_arrow
        number = file.metadata.num_rows
    try:
        there = _flat(_values_in(schema.metadata))
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None
    wanted = _flat(settings._values())
    differences = [
        f"{name} is {there.get(name)!r} there, not {wanted.get(name)!r}"
        for name in {**wanted, **there}
        if there.get(name) != wanted.get(name)
    ]
    if differences:
        raise ValueError(f"{path} is of another data set: {'; '.join(differences)}")
    if not settings._has(first) or number != settings._number(first):
        raise ValueError(f"{path} does not belong to its data set: it has {number} hands from {first} on")
    if not schema.equals(_schema_of(pyarrow, settings)):
        raise ValueError(f"{path} does not have the columns of a data set")


# Rows to columns and back

# Measured on 250,000 hands. Without dictionaries files are larger by half and take half as long again to
# write, but a dictionary of the numbers of hands would be longer than the column. Snappy and LZ4 save a
# seventh of the time for a quarter more bytes. Statistics help only where rows are in order: by number.
_WRITING: dict[str, Any] = {
    "compression": "zstd",
    "compression_level": 1,
    "use_dictionary": [name for name in COLUMNS if name != "hand"],
    "column_encoding": {"hand": "DELTA_BINARY_PACKED"},
    "write_statistics": ["hand"],
    "row_group_size": 125_000,
}


def _schema_of(pyarrow: Any, settings: Settings) -> Any:
    fields = []
    for column in _COLUMNS:
        if column.name in _TEXTS:
            kind = pyarrow.dictionary(pyarrow.int8(), pyarrow.string())
        else:
            kind = pyarrow.from_numpy_dtype(column.dtype)
        fields.append(pyarrow.field(column.name, kind, nullable=False))
    return pyarrow.schema(fields, metadata=settings.to_metadata())


def _check_rows(rows: Rows, first: int, number: int) -> None:
    if getattr(rows, "dtype", None) != HAND_DTYPE or rows.shape != (number,):
        raise ValueError(f"rows: expected an array of {number} HAND_DTYPE")
    if not np.array_equal(rows["hand"], np.arange(first, first + number, dtype=np.uint64)):
        raise ValueError(f"rows: expected hands {first} to {first + number - 1} in order")
    for name, (least, texts) in _TEXTS.items():
        codes = rows[name]
        if codes.min() < least or codes.max() >= least + len(texts):
            raise ValueError(f"rows: a hand has {name} outside {least} to {least + len(texts) - 1}")


def _table_of(rows: Rows, schema: Any) -> Any:
    pyarrow, _ = _import_pyarrow()
    columns = [np.empty(len(rows), column.dtype) for column in _COLUMNS]
    for start in range(0, len(rows), _PART):
        part = rows[start : start + _PART]
        for column, values in zip(_COLUMNS, columns, strict=True):
            values[start : start + _PART] = column.of(part)
    arrays = []
    for column, values in zip(_COLUMNS, columns, strict=True):
        if column.name in _TEXTS:
            least, texts = _TEXTS[column.name]
            codes = (values - least).astype(np.int8)
            arrays.append(pyarrow.DictionaryArray.from_arrays(codes, pyarrow.array(texts)))
        else:
            arrays.append(pyarrow.array(values))
    return pyarrow.Table.from_arrays(arrays, schema=schema)


def _rows_of(batch: Any) -> Rows:
    columns = []
    for column, values in zip(_COLUMNS, batch.columns, strict=True):
        if column.name in _TEXTS:
            # a reader is free to keep the texts in any order
            least, texts = _TEXTS[column.name]
            codes = [least + texts.index(text) for text in values.dictionary.to_pylist()]
            columns.append(np.array(codes, column.dtype)[values.indices.to_numpy()])
        else:
            columns.append(values.to_numpy())
    rows = np.zeros(batch.num_rows, HAND_DTYPE)
    for start in range(0, len(rows), _PART):
        part = rows[start : start + _PART]
        for column, values in zip(_COLUMNS, columns, strict=True):
            column.of(part)[:] = values[start : start + _PART]
    return rows
