"""`items += x` and other in-place operators on Python's containers, where the operand is of the graph.

Python asks the right operand first where its class has `+` and the left one is a list: `items += grown` would
be `grown.__radd__(items)`, another list. So the container gives way to one of the graph, which is changed.

    items += grown            items is [1, 2]; grown has as many elements as only the run knows
    staged = the list of the graph in the place of `items`, under all of its names; staged.extend(grown)
"""

from __future__ import annotations

from collections import Counter, OrderedDict, defaultdict, deque
from functools import partial
from operator import iadd
from typing import Any

from autograph.backends.tensors.containers import sets
from autograph.backends.tensors.containers.becoming import STAND_INS, become_staged
from autograph.backends.tensors.containers.keyed import has_staged_keys
from autograph.backends.tensors.containers.lists import Staged, StagedTuple, gathered
from autograph.backends.tensors.iteration.items import Lazy
from autograph.backends.tensors.objects.choices import OneOf, candidates_of, over
from autograph.backends.tensors.scalars.indices import is_array
from autograph.backends.tensors.statements.maybe import MaybeNone
from autograph.converters.in_place import FUNCTIONS
from autograph.staging import heap, notes, places
from runtime.errors import NoConcreteValue
from runtime.graph.build import as_tensor, is_symbolic, is_weak
from runtime.graph.location import caller_location
from runtime.ops.examples import refuse_as_python

__all__ = ["changed_in_place", "extended"]


def extended(target: Any, items: Any) -> Any:
    """The list or deque, or what has taken its place, after all elements of a sequence were added to it."""
    now = heap.moved_to(target)
    if isinstance(items, StagedTuple) and not isinstance(now, Staged):
        now = become_staged(now, items.contents)
    now.extend(items)
    return now


def changed_in_place(target: Any, symbol: str, value: Any) -> Any:
    """What `target += value` leaves of a container; `NotImplemented` where its own method is right."""
    is_pythons = isinstance(target, places.CONTAINERS)
    if isinstance(value, MaybeNone | OneOf) and (is_pythons or isinstance(target, Staged)):
        return _by_what_is_meant(target, symbol, value)
    if not is_pythons:
        return NotImplemented
    if symbol == "+=" and isinstance(target, list | deque) and is_symbolic(value) and is_weak(value):
        refuse_as_python(iadd, type(target)(), value)
    if not _decides(target, symbol, value):
        return NotImplemented
    if type(target) not in STAND_INS:
        kind = type(target).__name__
        raise NoConcreteValue(
            f"`{symbol}` gives a {kind} what only the run knows",
            where=caller_location(),
            why=f"A graph has lists, dicts, sets and deques of its own, and none for a {kind}.",
            way_out="Use the class that it derives from.",
        )
    if symbol == "+=":
        return extended(target, gathered(value))
    return getattr(become_staged(target), METHODS[symbol])(value)


def _by_what_is_meant(target: Any, symbol: str, value: MaybeNone | OneOf) -> Any:
    """The container, after it was given what a value stands for: its own method knows nothing of such.

    It would leave the operator to the value, which makes another container, as for `target + value`.
    """
    if isinstance(value, MaybeNone):
        kind = target.built if isinstance(target, Staged) else type(target)
        return of_one(target, symbol, value.ag__operand(partial(FUNCTIONS[symbol], kind())))
    over((value,), lambda one: of_one(heap.moved_to(target), symbol, one))
    return heap.moved_to(target)


def of_one(target: Any, symbol: str, value: Any) -> Any:
    """What `target += value` leaves of one object, which may be a container."""
    if isinstance(target, places.CONTAINERS):
        notes.note(places.Contents(target))
    found = changed_in_place(target, symbol, value)
    return FUNCTIONS[symbol](target, value) if found is NotImplemented else found


METHODS = {"*=": "__imul__", "|=": "__ior__", "&=": "__iand__", "-=": "__isub__", "^=": "__ixor__"}


def _decides(target: Any, symbol: str, value: Any) -> bool:
    """Whether only the run knows what the operator does."""
    if isinstance(target, list | deque):
        if symbol == "*=":
            is_number = is_symbolic(value) and value.static_shape == () and not is_array(value)
            return is_number and as_tensor(value).dtype.is_integer
        extends = is_symbolic(value) and isinstance(
            target, deque
        )  # with a list, an array is asked for its `+`
        return symbol == "+=" and (isinstance(value, Lazy) or extends)
    if isinstance(target, set):
        is_set = isinstance(value, set | frozenset | sets.StagedSet)
        return symbol in SET_OPERATORS and is_set and has_staged_keys(value, of_pairs=False)
    is_counter = isinstance(target, Counter)  # which is written in Python
    return symbol == "|=" and not is_counter and has_staged_keys(value, of_pairs=True)


SET_OPERATORS = frozenset({"|=", "&=", "-=", "^="})


# ── of a dict or set that a tensor has chosen ──


def _is_table(value: Any) -> bool:
    """Whether a value is a dict or set of Python's, or of a graph."""
    return type(value) in _TABLES or (isinstance(value, Staged) and isinstance(value, dict | set))


_TABLES = frozenset({dict, set, Counter, defaultdict, OrderedDict})


def _write(symbol: str) -> None:
    """Has `chosen |= value` change the one that is chosen, and `chosen` stay the object that it is."""
    name = METHODS[symbol]
    of_any = getattr(OneOf, name)

    def change(self: OneOf, value: Any) -> Any:
        if not all(map(_is_table, candidates_of(self))):
            return of_any(self, value)
        over((self,), lambda table: of_one(table, symbol, value))
        return self

    change.__name__ = name
    setattr(OneOf, name, change)


for _symbol in sorted(SET_OPERATORS):
    _write(_symbol)
