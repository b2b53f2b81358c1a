"""Functions that serve calls with arguments like those of an earlier one, which are written for these.

::

    f(x: float64[3], 4)   ⇒   type(a0) is array and a0.dtype is d0 and a0.shape == (3,) and type(a1) is …

The test says yes of fewer arguments than a key of a call does, and takes a tenth of its time.
"""

from __future__ import annotations

import copy
import weakref
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from runtime.core.rebuilding import named

__all__ = ["serving"]

_MOST = 40
"""Terms of an expression."""
_EXACT = (int, float, complex, bool, str, bytes)
_SIGNED = (float, complex)
"""Classes of which two zeros are equal, and not the same."""


def serving(
    args: Sequence[Any],
    kwargs: Mapping[str, Any],
    names: dict[str, Any],
    body: Sequence[str],
    *,
    exactly: bool = False,
) -> Callable[..., Any] | None:
    """A function that serves calls like one, and gives None for all others; None where none can tell them.

    An array is like another one of its dtype and shape, a number of NumPy's like another one of its class, an
    object like itself, and anything else like what is equal.

    Parameters
    ----------
    args, kwargs
        Those of the call.
    names : dict of str to object
        What `body` uses; more are added, which begin with an underscore.
    body : sequence of str
        The lines behind the test, in which ``{given}`` stands for what the call was given.
    exactly : bool
        Whether numbers that are equal, but are not of one class or have another sign, are not alike.
    """
    places = [f"a{index}" for index in range(len(args))]
    taken = {*names, *places, "missing", "rest", "others", "result"}
    if any(name in taken or name.startswith("_") for name in kwargs):
        return None
    terms: list[str] = []
    for value, place in zip((*args, *kwargs.values()), (*places, *kwargs), strict=True):
        if not _add(terms, value, place, names, exactly=exactly) or len(terms) > _MOST:
            return None
    names["missing"] = object()
    parameters = [f"{place}=missing" for place in places] + ["/"] * bool(places)
    parameters += ["*rest", *[f"{name}=missing" for name in kwargs], "**others"]
    given = ", ".join([*places, *[f"{name}={name}" for name in kwargs]])
    lines = [
        f"def serve({', '.join(parameters)}):",
        f"    if rest or others or not ({' and '.join(terms) or True}): return None",
        *[f"    {line.replace('{given}', given)}" for line in body],
    ]
    exec(compile("\n".join(lines), "<runtime plan as written>", "exec"), names)  # noqa: S102
    serve: Callable[..., Any] = names["serve"]
    return serve


def _add(terms: list[str], value: Any, place: str, names: dict[str, Any], *, exactly: bool) -> bool:
    """Adds what says that something is like a value; False where nothing does."""
    kind: Any = type(value)
    if value is None:
        terms.append(f"{place} is None")
        return True
    if kind is list or kind is tuple or kind is dict:
        return _add_nest(terms, value, place, names, exactly=exactly)
    if kind.__hash__ is object.__hash__ and not isinstance(value, (np.ndarray, np.generic)):
        is_weak = kind.__weakrefoffset__ != 0
        term = f"{named(names, weakref.ref(value))}()" if is_weak else named(names, value)
        terms.append(f"{place} is {term}")
        return True
    terms.append(f"type({place}) is {named(names, kind)}")
    if kind is np.ndarray:
        terms.append(f"{place}.dtype is {named(names, value.dtype)} and {place}.shape == {value.shape!r}")
        return True
    if kind in _EXACT:
        terms.append(f"{place} == {named(names, value)}")
        return not exactly or bool(value) or kind not in _SIGNED
    return isinstance(value, np.generic)


def _add_nest(terms: list[str], value: Any, place: str, names: dict[str, Any], *, exactly: bool) -> bool:
    terms.append(f"type({place}) is {type(value).__name__}")
    if not exactly and type(value) is not dict and all(type(each) in _EXACT for each in value):
        kinds = named(names, [*map(type, value)])
        terms.append(f"{place} == {named(names, copy.copy(value))} and [*map(type, {place})] == {kinds}")
        return True
    if type(value) is dict:
        if not all(type(key) in _EXACT for key in value):
            return False
        keys = [named(names, key) for key in value]
        terms.append(f"[*{place}] == {named(names, [*value])}")
        inside = [*zip(value.values(), keys, strict=True)]
    else:
        terms.append(f"len({place}) == {len(value)}")
        inside = [(each, str(index)) for index, each in enumerate(value)]
    if len(inside) > _MOST:
        return False
    return all(_add(terms, each, f"{place}[{where}]", names, exactly=exactly) for each, where in inside)
