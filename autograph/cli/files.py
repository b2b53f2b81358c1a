"""Arrays in files: ``.npy``, ``.npz`` and ``.csv``. Nothing that is read can run code."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from autograph.cli.wrong import WrongCommand
from runtime.core.files import written_whole
from runtime.core.tensor import Array

__all__ = ["FORMATS", "read", "require_format", "write"]

FORMATS = (".npy", ".npz", ".csv")


def read(place: str) -> Array | dict[str, Array]:
    """The array of a file, or all arrays of an ``.npz`` file by name.

    Parameters
    ----------
    place : str
        A path; ``FILE.npz:NAME`` for one array of several.

    Returns
    -------
    array or dict of str to array

    Raises
    ------
    WrongCommand
        When it holds none, or objects of Python's, whose reading could run code.
    """
    text, _, name = place.rpartition(":") if Path(place).suffix.lower() not in FORMATS else (place, "", "")
    path = Path(text)
    if path.suffix.lower() not in FORMATS:
        raise WrongCommand(
            f"{place!r} is neither numbers nor a file of arrays.\n"
            f"Write numbers as in [1.0, 2.0], or give a file that ends in {_endings()}."
        )
    try:
        found = _csv(path) if path.suffix.lower() == ".csv" else _numpy(path)
    except OSError as error:
        raise WrongCommand(f"{str(path)!r} cannot be read: {error.strerror or error}.") from None
    except (ValueError, EOFError) as error:
        raise WrongCommand(f"{str(path)!r} holds no arrays of numbers: {error}") from None
    if not name:
        return found
    if not isinstance(found, dict) or name not in found:
        held = f"It holds {', '.join(found)}." if isinstance(found, dict) else "It holds one array."
        raise WrongCommand(f"{str(path)!r} has no array {name!r}.\n{held}")
    return found[name]


def _numpy(path: Path) -> Array | dict[str, Array]:
    with path.open("rb") as file:
        start = file.read(6)
    if (
        start != b"\x93NUMPY" and start[:2] != b"PK"
    ):  # NumPy would take it for a pickle, and advise to load that
        raise ValueError("it was not written by NumPy")
    found = np.load(path, allow_pickle=False)
    if isinstance(found, np.ndarray):
        return found
    with found:
        return {name: found[name] for name in found.files}


def _csv(path: Path) -> Array:
    """Rows of numbers, integers where all are; the first row may be names; one column is a vector."""
    with path.open(newline="", encoding="utf-8-sig") as file:
        rows = [row for row in csv.reader(file) if row]
    if rows and not any(map(_is_number, rows[0])):
        rows = rows[1:]
    for number, row in enumerate(rows, start=1):
        if len(row) != len(rows[0]):
            raise ValueError(f"row {number} has {len(row)} fields, and the first has {len(rows[0])}")
    wanted: type = int if all(_is_number(field, int) for row in rows for field in row) else float
    array = np.array([[wanted(field) for field in row] for row in rows], np.int64 if wanted is int else None)
    return array[:, 0] if array.ndim == 2 and array.shape[1] == 1 else array


def _is_number(field: str, kind: type = float) -> bool:
    try:
        kind(field)
    except ValueError:
        return False
    return True


def write(place: str, arrays: Mapping[str, Array]) -> None:
    """Writes arrays to a file, which is there whole or not at all.

    Parameters
    ----------
    place : str
    arrays : mapping of str to array
        Several only go into an ``.npz`` file.

    Raises
    ------
    WrongCommand
        When they do not go there.
    """
    path = Path(place)
    save = _savers(path, arrays)
    try:
        with written_whole(path) as [part], part.open("wb") as file:
            save(file)
    except OSError as error:
        raise WrongCommand(f"{place!r} cannot be written: {error.strerror}.") from None


def require_format(place: str) -> str:
    """The ending of a file's name, which says its format."""
    kind = Path(place).suffix.lower()
    if kind not in FORMATS:
        raise WrongCommand(f"the ending of {place!r} does not say a format.\nLet it end in {_endings()}.")
    return kind


def _endings() -> str:
    return f"{', '.join(FORMATS[:-1])} or {FORMATS[-1]}"


def _savers(path: Path, arrays: Mapping[str, Array]) -> Callable[[BinaryIO], Any]:
    kind = require_format(str(path))
    for name, array in arrays.items():
        if array.dtype.hasobject:
            raise WrongCommand(
                f"the result {name!r} is not an array of numbers: a {kind} file cannot hold it."
            )
    if kind == ".npz":
        return lambda file: np.savez(file, allow_pickle=False, **arrays)
    if len(arrays) != 1:
        raise WrongCommand(
            f"the result has {len(arrays)} arrays ({', '.join(arrays)}), and a {kind} file holds one.\n"
            "Give a file that ends in .npz."
        )
    [array] = arrays.values()
    if kind == ".npy":
        return lambda file: np.save(file, array, allow_pickle=False)
    if array.ndim > 2:
        raise WrongCommand(f"the result has {array.ndim} axes, and a .csv file holds two.\nGive a .npy file.")
    if array.dtype.kind not in "biuf":
        raise WrongCommand(
            f"the result is {array.dtype}, and a .csv file has real numbers.\nGive a .npy file."
        )
    return lambda file: _write_rows(file, np.atleast_1d(array))


def _write_rows(file: BinaryIO, rows: Array) -> None:
    text = io.TextIOWrapper(file, encoding="utf-8", newline="")
    csv.writer(text).writerows([[row] if rows.ndim == 1 else row for row in rows])
    text.detach()
