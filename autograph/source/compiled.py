"""Properties of code objects: flags, nested code, equality."""

from __future__ import annotations
import __future__

import ast
import functools
import inspect
import operator
import warnings
from collections.abc import Hashable, Iterator
from types import CodeType
from typing import Any

__all__ = [
    "compile_again",
    "compile_flags",
    "covers",
    "is_generator",
    "nested_codes",
    "same_code",
    "same_places",
]

FUTURE_FLAGS: int = functools.reduce(
    operator.or_, (getattr(__future__, name).compiler_flag for name in __future__.all_feature_names)
)


def compile_flags(code: CodeType) -> int:
    """The `from __future__` features that a code object was compiled with, for another call of `compile`."""
    return code.co_flags & FUTURE_FLAGS


def compile_again(source: str | ast.Module, filename: str, flags: int) -> Any:
    """Compile what was compiled before, without repeating the compiler's warnings.

    Parameters
    ----------
    source : str or ast.Module
    filename : str
    flags : int
        As `compile` takes them; nothing is inherited from this file.

    Returns
    -------
    code or ast.Module

    Raises
    ------
    SyntaxError, ValueError
        As `compile` raises them.
    """
    with warnings.catch_warnings():
        for category in (SyntaxWarning, DeprecationWarning):
            warnings.simplefilter("ignore", category)
        return compile(source, filename, "exec", flags, dont_inherit=True)


def is_generator(code: CodeType) -> bool:
    """Whether calling a function of this code gives a generator."""
    return bool(code.co_flags & inspect.CO_GENERATOR)


def nested_codes(code: CodeType) -> Iterator[CodeType]:
    """Every code object that a code object holds, at any depth, itself not included."""
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield constant
            yield from nested_codes(constant)


def covers(span: tuple[int, int, int, int], code: CodeType) -> bool:
    """Whether every position that a code object remembers lies in a stretch of its file.

    Parameters
    ----------
    span : tuple of int
        First line and column, last line and column. Columns count UTF-8 bytes.
    code : code object

    Returns
    -------
    bool
    """
    return all(
        span[:2] <= (line, column) and (end_line, end_column) <= span[2:]
        for line, end_line, column, end_column in code.co_positions()
        if line is not None and end_line is not None and column is not None and end_column is not None
        if (column, end_column) != (0, 0)  # the prologue has no place in the text
    )


def same_code(one: CodeType, other: CodeType, *, header_only: bool = False) -> bool:
    """Whether two code objects do the same, whatever they and their files are called and wherever they stand.

    Parameters
    ----------
    one, other : code objects
    header_only : bool
        Compare the parameters alone.

    Returns
    -------
    bool
    """
    if _header(one) != _header(other):
        return False
    return header_only or (
        one.co_code == other.co_code
        and one.co_names == other.co_names
        and one.co_varnames == other.co_varnames
        and one.co_freevars == other.co_freevars
        and one.co_cellvars == other.co_cellvars
        and len(one.co_consts) == len(other.co_consts)
        and all(map(_same_constant, one.co_consts, other.co_consts))
    )


def same_places(one: CodeType, other: CodeType) -> bool:
    """Whether two code objects stand at the same lines and columns, counted from their first lines.

    Parameters
    ----------
    one, other : code objects
        Of which `same_code` holds.

    Returns
    -------
    bool
    """
    return all(
        _places(mine, one.co_firstlineno) == _places(its, other.co_firstlineno)
        for mine, its in zip((one, *nested_codes(one)), (other, *nested_codes(other)), strict=True)
    )


def _places(code: CodeType, first: int) -> list[tuple[int | None, ...]]:
    """The places of a code object's instructions, with lines counted from another."""
    return [
        (line and line - first, end_line and end_line - first, column, end_column)
        for line, end_line, column, end_column in code.co_positions()
    ]


def _header(code: CodeType) -> tuple[Hashable, ...]:
    """The parameters of a code object."""
    count = code.co_argcount + code.co_kwonlyargcount
    return code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_varnames[:count]


def _same_constant(one: object, other: object) -> bool:
    """Equality that tells 1 from 1.0 and True, -0.0 from 0.0, and takes a NaN for itself."""
    if isinstance(one, str) and isinstance(other, str):
        return one == other  # the usual case, and as long as a docstring
    if isinstance(one, CodeType) and isinstance(other, CodeType):
        return same_code(one, other)
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(one) == len(other) and all(map(_same_constant, one, other))
    if isinstance(one, frozenset) and isinstance(other, frozenset):
        return sorted(map(_fingerprint, one)) == sorted(map(_fingerprint, other))
    return _fingerprint(one) == _fingerprint(other)


def _fingerprint(constant: object) -> tuple[str, str]:
    """A constant's type and spelling."""
    return type(constant).__name__, repr(constant)
