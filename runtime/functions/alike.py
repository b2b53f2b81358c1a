"""Functions that serve calls with arguments like those of an earlier one, which are written for these.

::

    f(x: float64[3], 4)   ⇒   type(a0) is array and a0.dtype is d0 and a0.shape == (3,) and type(a1) is …

The test says yes of fewer arguments than a key of a call does, and takes a tenth of its time.
"""

from __future__ import annotations

import builtins
import weakref
from collections.abc import Callable, Collection, Mapping, Sequence
from keyword import kwlist
from types import GetSetDescriptorType
from typing import Any

import numpy as np

from autograph_base.named_tuple import NamedTuple
from runtime.core.containers import is_container
from runtime.core.instances import TakenApart, attributes_of, dict_of
from runtime.core.rebuilding import named
from runtime.core.structure import is_record, split_record
from runtime.core.tensor import EAGER
from runtime.core.written import as_written
from runtime.functions.key import PassedSpec

__all__ = ["NONE_RETURNED", "Inside", "parameters_text", "serving"]

NONE_RETURNED = object()
"""Stands for a result that is None, which says that nothing has run."""

_MOST, _MOST_INSIDE = 40, 200
"""Terms of an expression, and of one about what is in objects."""
_EXACT = (int, bool, str, bytes)


def serving(
    args: Sequence[Any],
    kwargs: Mapping[str, Any],
    names: dict[str, Any],
    body: Sequence[str],
    inside: Inside | None = None,
) -> Callable[..., Any] | None:
    """A function that serves calls like one, and gives None for all others; None where none can tell them.

    An array is like another one of its dtype and shape, and so is a tensor, and a number of NumPy's; an
    object is like itself. What else there is is like what is equal and of the same class.

    Parameters
    ----------
    args, kwargs
        Those of the call.
    names : dict of str to object
        What `body` uses; more are added, which begin with an underscore.
    body : sequence of str
        The lines behind the test, which bind `result`; ``{given}`` stands for what the call was given,
        ``{args}`` and ``{kwargs}`` for a tuple and a dict of it, ``{arrays}`` for the arrays among it,
        ``{lent}`` for a number with a bit for each that is the caller's, ``{entering}`` for a tuple of the
        containers that come in, and ``{nests}`` for one of all others.
    inside : Inside, optional
        What is known of what is in the arguments.
    """
    if len(kwargs) > 1:
        return None  # some functions are told the order of keyword arguments
    parameters = parameters_text(len(args), kwargs, names)
    if parameters is None:
        return None
    places = [f"a{index}" for index in range(len(args))]
    test = _Test(names, inside)
    if not all(map(test.add, (*args, *kwargs.values()), (*places, *kwargs))) or not test.is_complete:
        return None
    names |= {"missing": object(), "none": NONE_RETURNED, "asarray": np.asarray}
    given = ", ".join([*places, *[f"{name}={name}" for name in kwargs]])
    lent = sum(1 << index for index, (_, is_lent) in enumerate(test.arrays) if is_lent)
    stands = {
        "{given}": given,
        "{args}": _tuple(places),
        "{kwargs}": f"{{{', '.join([f'{name!r}: {name}' for name in kwargs])}}}",
        "{arrays}": f"[{', '.join(place for place, _ in test.arrays)}]",
        "{lent}": str(lent),
        "{entering}": _tuple(test.entering),
        "{nests}": _tuple([each for each in test.nests if each not in test.entering]),
    }
    for name, text in stands.items():
        body = [line.replace(name, text) for line in body]
    lines = [
        f"def serve({parameters}):",
        f"    if rest or others or not ({test.text()}): return None",
        *[f"    {line}" for line in body],
        "    return none if result is None else result",
    ]
    return as_written("serve", "\n".join(lines), "<runtime plan as written>", names)


def _tuple(items: Sequence[str]) -> str:
    return f"({''.join([f'{each}, ' for each in items])})"


def parameters_text(count: int, named: Collection[str], names: Collection[str]) -> str | None:
    """The parameters of a function that is written: `a0`, `a1`, …, and those by name; the rest is others.

    All are `missing` where they are not given. None where a parameter has a name that is needed.

    Parameters
    ----------
    count : int
        How many there are by position.
    named : collection of str
        What the others are called.
    names : collection of str
        What the function uses.
    """
    places = [f"a{index}" for index in range(count)]
    taken = {*dir(builtins), *kwlist, *names, *places, *_OWN}
    can_be_named = all(name.isidentifier() and name.isascii() and name[0] != "_" for name in named)
    if not can_be_named or not taken.isdisjoint(named):
        return None
    by_position = [f"{place}=missing" for place in places] + ["/"] * bool(places)
    return ", ".join([*by_position, "*rest", *[f"{name}=missing" for name in named], "**others"])


class Inside(NamedTuple):
    """What is known of what is in some arguments.

    Attributes
    ----------
    leaves : sequence of object
        What of each leaf decides the graph, in order: a number may be any of its class.
    apart : TakenApart
        The objects that are like others with the same attributes.
    outside : collection of int
        The ids of objects that none of the containers is to be.
    whole : collection of int
        Those of objects that are none like others.
    entering : collection of int
        Those of containers that come in: any of their classes may.
    """

    leaves: Sequence[object]
    apart: TakenApart
    outside: Collection[int]
    whole: Collection[int]
    entering: Collection[int] = ()


_OWN = ("missing", "none", "rest", "others", "result", "asarray", "serve")
"""What is bound in such a function."""


def _has_own_dict(kind: type) -> bool:
    """Whether a class says itself what the `__dict__` of its objects is."""
    found = [vars(base)["__dict__"] for base in kind.__mro__[:-1] if "__dict__" in vars(base)]
    return not all(type(each) is GetSetDescriptorType for each in found)


class _Test:
    """What says whether arguments are alike, which is written."""

    def __init__(self, names: dict[str, Any], inside: Inside | None) -> None:
        self._names = names
        self._inside = inside
        self._leaves = iter(() if inside is None else inside.leaves)
        self._terms: list[str] = []
        self.nests: list[str] = []
        """What gives each container that is none of the others."""
        self.entering: list[str] = []
        """Those of them that come in."""
        self.arrays: list[tuple[str, bool]] = []
        """What gives each array, and whether it is the caller's."""

    @property
    def is_complete(self) -> bool:
        """Whether each leaf of the arguments is told, if these are known."""
        return next(self._leaves, self) is self

    def text(self) -> str:
        """The test, as an expression; no two lists or the like are to be one."""
        ids = ", ".join(f"id({each})" for each in self.nests)
        apart = [f"len({{{ids}}}) == {len(self.nests)}"] * (len(self.nests) > 1)
        if self.nests and self._inside is not None and self._inside.outside:
            apart.append(f"{self._named(self._inside.outside)}.isdisjoint(({ids},))")
        return " and ".join([*self._terms, *apart]) or "True"

    def add(self, value: Any, place: str) -> bool:
        """Adds what says that something is like a value; False where nothing does."""
        if len(self._terms) >= (_MOST if self._inside is None else _MOST_INSIDE):
            return False
        kind: Any = type(value)
        if value is None:
            self._terms.append(f"{place} is None")
            return True
        if self._inside is not None and id(value) in self._inside.whole:
            return False
        if self._inside is not None and id(value) in self._inside.entering:
            next(self._leaves)
            self._terms.append(f"type({place}) is {kind.__name__}")
            self.nests.append(place)
            self.entering.append(place)
            return True
        if kind is list or kind is tuple or kind is dict:
            return self._add_nest(value, place)
        if self._inside is not None and (kind in self._inside.apart.kinds or is_record(kind)):
            return self._add_instance(value, place, self._inside.apart)
        if self._inside is not None and is_container(kind):
            return False
        leaf = next(self._leaves, None)
        if isinstance(leaf, PassedSpec):
            self._add_number(leaf, place)
            return True
        if kind in EAGER:
            if isinstance(value._array, np.ndarray):
                self._add_array(value._array, kind, place, f"{place}._array")
                self.arrays.append((f"{place}._array", False))
                return True
            return False  # the handle of a list
        if is_record(kind):
            return False  # what is in it is asked by `sorted_out`
        is_numpys = isinstance(value, (np.ndarray, np.generic))
        if kind.__hash__ is object.__hash__ and not is_numpys:
            is_weak = kind.__weakrefoffset__ != 0
            term = f"{self._named(weakref.ref(value))}()" if is_weak else self._named(value)
            self._terms.append(f"{place} is {term}")
            return True
        if kind is np.ndarray or isinstance(value, np.generic):
            self._add_array(value, kind, place, place)
            is_array = kind is np.ndarray
            self.arrays.append((place if is_array else f"asarray({place})", is_array))
            return True
        self._terms.append(f"type({place}) is {self._named(kind)}")
        self._terms.append(f"{place} == {self._named(value)}")
        if kind is float and not value:  # two zeros are equal, and not the same
            self._terms.append(f"str({place}) == {str(value)!r}")
        return kind in _EXACT or kind is float

    def _add_array(self, array: Any, kind: type[Any], place: str, of: str) -> None:
        """Adds what says of an array that it is like one, which a value of a class is or holds."""
        self._terms.append(f"type({place}) is {self._named(kind)}")
        self._terms.append(f"{of}.dtype is {self._named(array.dtype)}")
        self._terms.append(f"{of}.shape == {array.shape!r}")

    def _add_nest(self, value: Any, place: str) -> bool:
        self._terms.append(f"type({place}) is {type(value).__name__}")
        self._terms.append(f"len({place}) == {len(value)}")
        self.nests.append(place)
        if type(value) is not dict:
            return all(self.add(each, f"{place}[{index}]") for index, each in enumerate(value))
        if not all(type(key) is str for key in value):
            return False
        keys = [*value]
        self._terms.append(f"[*{place}] == {self._named(keys)} and {{*map(type, {place})}} <= {{str}}")
        return all(self.add(each, f"{place}[{key!r}]") for key, each in value.items())

    def _add_number(self, spec: PassedSpec, place: str) -> None:
        """Adds what says that something is a number of a class, which has room in a graph."""
        self._terms.append(f"type({place}) is {spec.number.__name__}")
        if spec.number is int:
            self._terms.append(f"{-(2**63)} <= {place} < {2**63}")
        self.arrays.append((f"asarray({place}, {self._named(spec.dtype.numpy)})", False))

    def _add_instance(self, value: Any, place: str, apart: TakenApart) -> bool:
        """Adds what says that something has the attributes of an object; False where that takes too much."""
        kind, every = type(value), attributes_of(value)
        held = apart.held(value) if kind in apart.kinds else every
        self._terms.append(f"type({place}) is {self._named(kind)}")
        self.nests.append(place)
        split = split_record(value)
        if split is not None and list(split[0]) != [*held]:
            return False
        own = f"_held{len(self.nests)}"
        is_asked = dict_of(value) is None or len(dict_of(value)) < len(every) or _has_own_dict(kind)
        how = f"{self._named(attributes_of)}({place})" if is_asked else f"{place}.__dict__"
        names = self._named([*held])
        found = f"[*({own} := {how})] == {names}"
        if kind in apart.kinds and apart.names is not None:
            wanted = self._named(apart.names)
            found = f"({found} or [each for each in {own} if each in {wanted}] == {names})"
        self._terms.append(found)
        return all(self.add(each, f"{own}[{name!r}]") for name, each in held.items())

    def _named(self, value: Any) -> str:
        return named(self._names, value)
