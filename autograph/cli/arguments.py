"""What a command gives the function: arrays of files, Python's own values, and specs."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from autograph.cli.files import read
from autograph.cli.wrong import WrongCommand
from runtime.core.spec import TensorSpec
from runtime.errors import DTypeError

__all__ = ["bound", "spec"]


def bound(
    function: Callable[..., Any],
    *,
    specs: Sequence[str] = (),
    inputs: Sequence[str] = (),
    values: Sequence[str] = (),
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Arguments by the name of their parameter, those that have no name in a call in front.

    Parameters
    ----------
    function : callable
    specs : sequence of str
        ``NAME=DTYPE[DIMS]``; without a name, the next parameter that has no argument yet.
    inputs : sequence of str
        ``NAME=FILE`` or ``NAME=NUMBERS``, likewise; an ``.npz`` file without a name gives each of its arrays
        its own.
    values : sequence of str
        ``NAME=LITERAL``, likewise.

    Returns
    -------
    tuple of object, dict of str to object

    Raises
    ------
    WrongCommand
        When they do not fit the parameters.
    """
    given = [
        *(("--spec", text, spec) for text in specs),
        *(("--input", text, _array) for text in inputs),
        *(("--value", text, _literal) for text in values),
    ]
    named: dict[str, Any] = {}
    unnamed: list[Any] = []
    for option, text, understood in given:
        name, found = _named(text)
        value = understood(found)
        if name and isinstance(value, dict) and option == "--input":
            raise WrongCommand(f"{found!r} holds {', '.join(value)}.\nGive one of them: {name}={found}:NAME.")
        pairs = value.items() if option == "--input" and isinstance(value, dict) else [(name, value)]
        for key, item in pairs:
            if key in named:
                raise WrongCommand(f"the argument {key!r} is given twice.")
            if key:
                named[key] = item
            else:
                unnamed.append(item)
    return _fitted(function, named, unnamed)


def _fitted(
    function: Callable[..., Any], named: dict[str, Any], unnamed: list[Any]
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    signature = inspect.signature(function)
    parameters = [p for p in signature.parameters.values() if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]
    takes_more = any(p.kind is p.VAR_KEYWORD for p in signature.parameters.values())
    names = [p.name for p in parameters]
    if names[:1] == ["self"] and inspect.isfunction(function):
        raise WrongCommand(
            f"{function.__qualname__}{signature} is a method, and has no object.\n"
            "Name one that the module has, as in `model.py:net.step`."
        )
    title = f"{getattr(function, '__name__', function)}{signature}"
    for name in named:
        if name not in names and not takes_more:
            raise WrongCommand(f"{title} has no parameter {name!r}.")
    left = [name for name in names if name not in named]
    if len(unnamed) > len(left):
        takes = f"{len(names)} argument" + "s" * (len(names) != 1)
        raise WrongCommand(f"{title} takes {takes}, and is given {len(named) + len(unnamed)}.")
    arguments = {**named, **dict(zip(left, unnamed, strict=False))}
    missing = [p.name for p in parameters if p.default is p.empty and p.name not in arguments]
    if missing:
        raise WrongCommand(
            f"{title} is not given {_listed(missing)}.\n"
            "Give arrays with --input NAME=FILE, Python's own values with --value NAME=LITERAL, and, to "
            "`explain`, `graph` and `compile`, specs with --spec NAME=DTYPE[DIMS]."
        )
    without_name = [p.name for p in parameters if p.kind is p.POSITIONAL_ONLY and p.name in arguments]
    return tuple([arguments.pop(name) for name in without_name]), arguments


def _listed(names: Iterable[str]) -> str:
    return " and ".join(f"`{name}`" for name in names)


def _named(text: str) -> tuple[str, str]:
    """``NAME=REST`` in its two parts; a name is one that a parameter may have."""
    name, equals, rest = text.partition("=")
    return (name, rest) if equals and name.isidentifier() else ("", text)


def _array(text: str) -> Any:
    """What a file holds, or numbers that are written out; a single one as NumPy's functions give it."""
    try:
        numbers = ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return read(text)
    try:
        array = np.asarray(numbers)
    except ValueError:
        raise WrongCommand(f"{text!r} has rows of different lengths: they are not an array.") from None
    if array.dtype.kind not in "biufc":
        raise WrongCommand(
            f"{text!r} is not an array of numbers.\nGive a file, or numbers: --input 'x=[1.0, 2.0]'."
        )
    return array[()]


def _literal(text: str) -> Any:
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        raise WrongCommand(
            f"{text!r} is not a Python literal.\nText is quoted: --value \"name='text'\"."
        ) from None


def spec(text: str) -> TensorSpec:
    """A dtype and a shape: ``float32[?,3]``, ``int64``, ``f32[...]``.

    Parameters
    ----------
    text : str
        ``?`` stands for a length that only a run knows, and ``...`` for any number of axes.

    Returns
    -------
    TensorSpec
    """
    dtype, bracket, rest = text.partition("[")
    dims, closing, after = rest.partition("]")
    refused = WrongCommand(
        f"{text!r} is not a spec.\n"
        "Write a dtype and lengths, as in 'float32[?,3]', 'int64[]' or 'bool[...]'; `?` is any length."
    )
    if (bracket and not closing) or after.strip():
        raise refused
    try:
        return TensorSpec(_shape(dims.strip()), dtype.strip())
    except (ValueError, DTypeError):
        raise refused from None


def _shape(dims: str) -> list[int | None] | None:
    if dims == "...":
        return None
    return [None if dim.strip() == "?" else int(dim) for dim in dims.split(",")] if dims else []
