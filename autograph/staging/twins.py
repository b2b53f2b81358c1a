"""Pure Python versions of standard library functions that are implemented in C (`heapq.heappush`).

`heapq.heappush` is a function of C. Its module says the same in Python, for interpreters without that one;
converted, it takes lists that grow and items that only a run compares.
"""

from __future__ import annotations

import ast
import linecache
from collections.abc import Callable, Mapping
from dataclasses import fields
from functools import cache, partial
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from itertools import count, cycle, repeat
from types import BuiltinFunctionType, FunctionType, MethodType
from typing import Any
from weakref import WeakKeyDictionary

from autograph.staging import (
    asking,
    comparing,
    counting,
    elements_in_turn,
    keys_in_turn,
    selecting,
    shuffling,
    spreading,
)
from autograph.staging.context import staging
from autograph.staging.dispatch import Backends
from autograph_base import dataclass, named_tuple

__all__ = [
    "MARK",
    "MODULES",
    "OPERATIONS",
    "ORDERING",
    "calls_until",
    "converted_twin",
    "does_by_methods",
    "element_by_element",
    "has_text",
    "holds_values",
    "in_python",
    "initialised",
    "item_or_missing",
    "items_at",
    "items_backwards",
    "items_of",
    "iterated",
    "next_or",
    "orders_by_methods",
    "pairs_of",
    "python_twin",
    "twin_of_method",
]

MODULES: Mapping[str, str] = {
    "_bisect": "bisect",
    "_collections": "collections",
    "_functools": "functools",
    "_heapq": "heapq",
    "_operator": "operator",
}
"""The module in C, and the one in Python."""

OPERATIONS = "operator"
"""The module whose functions are signs and statements: what these mean is up to what they are given."""

ASKING_PYTHON = frozenset({"index", "length_hint"})
"""Functions of `operator` that give an int of Python's: its text asks for `__index__`, and so does C."""

ORDERING = frozenset({"bisect", "heapq"})
"""Modules that compare what they are given with `<`, and ask for nothing else of it."""

OVER_OTHERS = frozenset({"ChainMap", "UserDict", "UserList", "UserString"})
"""Classes of `collections` around containers."""

OF_COUNTERS = frozenset({"most_common", "total"})
"""Methods of `Counter` that look at counts, whoever's these are, and at keys as dicts do."""

MARK = "__is_twin__"
"""A global of the modules that are made here: their functions are converted."""


def python_twin(callee: Any) -> FunctionType | None:
    """The function in Python that does what one in C does.

    Parameters
    ----------
    callee : callable

    Returns
    -------
    function or None
    """
    module = MODULES.get(getattr(callee, "__module__", None) or "")
    if module == OPERATIONS and callee.__name__ in ASKING_PYTHON:
        return None
    found = None if module is None else _module(module).get(callee.__name__)
    return found if isinstance(found, FunctionType) else None


def does_by_methods(module: str, name: str) -> bool:
    """Whether a class of the standard library, or a method, does all it does by methods of what it holds.

    Parameters
    ----------
    module, name : str
        Where a class, or a method of one, is defined.
    """
    owner, _, method = name.partition(".")
    is_over_others = owner in OVER_OTHERS or (owner == "Counter" and method in OF_COUNTERS)
    return module == "collections.abc" or (module == "collections" and is_over_others)


ENDLESS = frozenset({count, cycle, repeat})
"""Classes of `itertools` whose items may have no end."""

FUNCTIONS = frozenset({FunctionType, MethodType, partial})
"""Classes of callables that lead to code of the program's."""

TAKE_PREDICATES = frozenset({"dropwhile", "filterfalse", "takewhile"})
"""Functions of `itertools` that ask a function of the program's whether they go on."""


INTO_ITEMS = frozenset({"compress", "from_iterable", "groupby"})
"""Functions of `itertools` for which what is in the items matters, too."""


def iterated(backends: Backends, callee: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """What a function of `itertools` gives of items that only a run has; `NotImplemented` where C does it.

    Parameters
    ----------
    backends : Backends
    callee : type, or method of one
    args, kwargs
        The arguments of the call.
    """
    backend = backends.staging_now()
    if backend is backends.plain:
        return NotImplemented
    if callee in ENDLESS:
        return backend.endless(callee, *args, **kwargs)
    values = (*args, *kwargs.values())
    asks = callee.__name__ in TAKE_PREDICATES or any(type(each) in FUNCTIONS for each in values)
    is_handed_on = any(type(each) is BuiltinFunctionType for each in values)  # `accumulate(rows, max)`
    inside = (is_handed_on or callee.__name__ in INTO_ITEMS) and holds_values(backends, values)
    are_of_program = any(backends.owned[type(each)] or _gives_by_methods(type(each)) for each in values)
    if not (asks or inside or are_of_program):
        return NotImplemented
    twin = _iteration().get(callee.__name__)
    return NotImplemented if twin is None else backends.convert(twin)(*args, **kwargs)


def _gives_by_methods(kind: type) -> bool:
    """Whether a class says in Python which items its objects give."""
    found = (getattr(kind, name, None) for name in ("__iter__", "__next__"))
    return any(type(each) is FunctionType for each in found)


def twin_of_method(kind: type, method: FunctionType) -> FunctionType:
    """The method that is converted in the place of one that the standard library has made for a class.

    Parameters
    ----------
    kind : type
    method : function

    Returns
    -------
    function
        The method itself, where a program has written it.
    """
    found: Any = None
    if method.__globals__.get("__name__") == "functools":  # by `total_ordering`
        found = _module("functools").get(method.__code__.co_name)
    elif "__dataclass_fields__" in vars(kind) and not has_text(method) and method.__name__ in COMPARISONS:
        found = _comparison(kind, method.__name__)
    return found if isinstance(found, FunctionType) else method


def has_text(method: FunctionType) -> bool:
    """Whether there may be a text of a function: there is none of what is made while a program runs."""
    return method.__code__.co_filename not in _WITHOUT_TEXT


_WITHOUT_TEXT = frozenset({"<string>", dataclass.FILENAME, named_tuple.FILENAME})


ITERATION = """
def items_of(iterator):
    while True:
        try:
            item = iterator.__next__()
        except StopIteration:
            return
        yield item
"""


INDEXING = """
def items_at(sequence):
    index = 0
    while True:
        try:
            item = sequence[index]
        except IndexError:
            return
        yield item
        index += 1
"""


PAIRING = """
def pairs_of(mapping):
    for key in mapping.keys():
        yield key, mapping[key]
"""


BACKWARDS = """
def items_backwards(sequence):
    for index in range(len(sequence) - 1, -1, -1):
        yield sequence[index]
"""


CALLING = """
def calls_until(function, sentinel):
    while True:
        try:
            value = function()
        except StopIteration:
            return
        if value == sentinel:
            return
        yield value
"""


MISSING = """
def item_or_missing(items, key, read):
    if key in items:
        return read(items, key)
    return items.__missing__(key)
"""


ASKING = """
def next_or(iterator, default):
    try:
        return iterator.__next__()
    except StopIteration:
        return default
"""


INITIALISING = """
def initialised(kind, made, args, kwargs):
    if isinstance(made, kind):
        made.__init__(*args, **kwargs)
    return made
"""


@cache
def initialised() -> FunctionType:
    """What `type.__call__` does with what a `__new__` gives, where that is one of several objects."""
    return _with_text("initialised", INITIALISING, "<a new object>", "program")


@cache
def next_or() -> FunctionType:
    """`next(iterator, default)` of an iterator whose class is written in Python."""
    return _with_text("next_or", ASKING, "<the next item>", "program")


@cache
def item_or_missing() -> FunctionType:
    """`items[key]` of a dict whose class says in Python what stands for a key that is missing."""
    return _with_text("item_or_missing", MISSING, "<an item of a dict>", "program")


@cache
def items_of() -> FunctionType:
    """A generator function that gives the items of an iterator: the loop over one, as Python runs it."""
    return _with_text("items_of", ITERATION, "<the items of an iterator>", "program")


@cache
def items_at() -> FunctionType:
    """The same of an object that has items, and no iterator."""
    return _with_text("items_at", INDEXING, "<the items of a sequence>", "program")


@cache
def items_backwards() -> FunctionType:
    """The same from the last to the first."""
    return _with_text("items_backwards", BACKWARDS, "<the items of a sequence backwards>", "program")


@cache
def calls_until() -> FunctionType:
    """`iter(function, sentinel)`: what a function gives, call after call, until that is the sentinel."""
    return _with_text("calls_until", CALLING, "<what a function gives>", "program")


@cache
def pairs_of() -> FunctionType:
    """The same of the keys and values of a mapping."""
    return _with_text("pairs_of", PAIRING, "<the pairs of a mapping>", "program")


def _with_text(name: str, text: str, filename: str, module: str) -> FunctionType:
    """A function of a text that was made here, and that converters find."""
    linecache.cache[filename] = len(text), None, text.splitlines(keepends=True), filename
    space: dict[str, Any] = {"__name__": module}
    exec(compile(text, filename, "exec"), space)  # noqa: S102  # names of fields are all that is not ours
    found: FunctionType = space[name]
    return found


COMPARISONS: Mapping[str, str] = {
    "__eq__": "==",
    "__lt__": "<",
    "__le__": "<=",
    "__gt__": ">",
    "__ge__": ">=",
}
"""What dataclasses compare by their fields."""


_comparisons: WeakKeyDictionary[type, dict[str, FunctionType]] = WeakKeyDictionary()


def _comparison(kind: type, name: str) -> FunctionType:
    """The method that `dataclass` makes of the fields of a class, with a text."""
    known = _comparisons.setdefault(kind, {})
    if name in known:
        return known[name]
    compared = [each.name for each in fields(kind) if each.compare]
    one, other = ("".join(f"{owner}.{each}, " for each in compared) for owner in ("self", "other"))
    text = (
        f"def {name}(self, other):\n"
        "    if other.__class__ is self.__class__:\n"
        f"        return ({one}) {COMPARISONS[name]} ({other})\n"
        "    return NotImplemented\n"
    )
    filename = f"<{name} of the dataclass {kind.__module__}.{kind.__qualname__}, {id(kind)}>"
    known[name] = found = _with_text(name, text, filename, kind.__module__)
    return found


def holds_values(backends: Backends, values: Any) -> bool:
    """Whether a value of a backend is among these, or in a list or tuple among them."""
    return any(
        backends.owned[type(value)] or (_is_row(value) and holds_values(backends, value)) for value in values
    )


def orders_by_methods(values: Any) -> bool:
    """Whether an object among these, or in a list or tuple among them, has a `__lt__` in Python."""
    return any(
        type(getattr(type(value), "__lt__", None)) is FunctionType
        or (_is_row(value) and orders_by_methods(value))
        for value in values
    )


def _is_row(value: Any) -> bool:
    """Whether a value is a list, or a tuple, which may have names for its items."""
    return type(value) is list or isinstance(value, tuple)


def _iteration() -> dict[str, Any]:
    """The functions of `itertools` in Python."""
    return _of_ours("autograph.staging.iteration", "itertools")


def element_by_element(named: Any) -> FunctionType | None:
    """What a function or a class of NumPy does element by element, in Python; None for all others."""
    if getattr(named, "__module__", None) != "numpy":
        return None
    name = getattr(named, "__name__", None)
    found = _of_ours("autograph.staging.elements_in_turn", "elements").get(name or "")
    return found if isinstance(found, FunctionType) else None


def in_python(name: str, file: str = "comparing") -> FunctionType:
    """What Python finds by comparing, in Python: ``"in_order"``, or another function of such a file."""
    files = {
        "asking": asking,
        "counting": counting,
        "elements": elements_in_turn,
        "keys": keys_in_turn,
        "selecting": selecting,
        "shuffling": shuffling,
        "spreading": spreading,
    }
    own = files.get(file, comparing)
    twins = _of_ours(own.__name__, "program")
    found: FunctionType = twins.get(name) or getattr(own, name)
    return found


def converted_twin(name: str, file: str = "comparing") -> Callable[..., Any]:
    """The same, converted where something is traced."""
    function, stand_ins = in_python(name, file), staging.stand_ins
    found: Callable[..., Any] = function if stand_ins is None else stand_ins.backends.convert(function)
    return found


@cache
def _of_ours(name: str, stands_for: str) -> dict[str, Any]:
    """The functions of a file of this folder, with a text that is converted as a program's."""
    text = _text(name)
    if text is None:
        return {}
    filename = f"<{name.rpartition('.')[2]} in Python>"  # one for each file: converters look there
    linecache.cache[filename] = len(text), None, text.splitlines(keepends=True), filename
    space: dict[str, Any] = {"__name__": stands_for, MARK: True}
    exec(compile(text, filename, "exec"), space)  # noqa: S102  # a file of this folder
    return space


@cache
def _module(name: str) -> dict[str, Any]:
    """What a module defines without its part in C, which it imports in a `try`; nothing without a text."""
    text = _text(name)
    if text is None:
        return {}
    tree = ast.parse(text)
    tree.body = [statement for statement in tree.body if not isinstance(statement, ast.Try)]
    origin = str(_spec(name).origin)
    space: dict[str, Any] = {"__name__": name, "__file__": origin, MARK: True}
    exec(compile(tree, origin, "exec"), space)  # noqa: S102  # the text of the standard library
    return space


def _spec(name: str) -> ModuleSpec:
    spec = find_spec(name)
    assert spec is not None, "it is ours, or the standard library's"
    return spec


def _text(name: str) -> str | None:
    """The text of a module as its loader has it; None where it was shipped without it."""
    get_source = getattr(_spec(name).loader, "get_source", None)
    if get_source is None:
        return None
    try:
        text: str | None = get_source(name)
    except ImportError:
        return None
    return text
