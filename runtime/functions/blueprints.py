"""Rebuilds the Python objects that a traced function leaves outside of itself, after each run.

A value that holds tensors of the graph cannot be kept: the graph gives other tensors each time. So it is
taken apart once, and put together after each run: lists, dicts, tuples, sets and instances that the function
made, with the outputs of the graph in their places. What was there before stays the same object.

>>> plans = Blueprints(output=lambda leaf: 0, is_output=lambda leaf: leaf is ..., existed=lambda value: False)
>>> index = plans.of({"a": [1, ...]})
>>> plans.made([7.0])[index]
{'a': [1, 7.0]}
"""

from __future__ import annotations

import enum
import sys
from array import array
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from datetime import date, time, timedelta
from decimal import Decimal
from fractions import Fraction
from functools import _lru_cache_wrapper, lru_cache
from operator import attrgetter
from re import Pattern
from types import (
    BuiltinFunctionType,
    CellType,
    CodeType,
    FunctionType,
    MappingProxyType,
    MemberDescriptorType,
    MethodType,
    ModuleType,
)
from typing import Any, TypeAlias

import numpy as np

from runtime.core.dtypes import DType
from runtime.core.instances import dict_of, is_left_out, is_of_statement, is_ours, set_own
from runtime.core.rosters import rosters_in, with_rosters
from runtime.core.structure import level_of
from runtime.core.tensor import Tensor, owner_of
from runtime.errors import StateDisagrees
from runtime.functions.shown import Views
from runtime.graph.location import is_of_library

__all__ = ["Blueprints"]

_CONSTANTS = (
    *(bool, int, float, complex, str, bytes, type(None), type(...), type(NotImplemented)),
    *(range, Fraction, Decimal, date, time, timedelta, Pattern, enum.Enum),
    *(ModuleType, BuiltinFunctionType, Tensor, np.generic, np.dtype, DType),
)
"""Classes whose instances never change, or of which there is one of a name: one serves every run."""
_CONSTANTS_IN = {"logging": "Logger", "pathlib": "PurePath"}
"""Likewise, by their modules, which take their time to load: where nobody has, there are no instances."""


def _is_constant(value: Any) -> bool:
    others = [vars(sys.modules[home])[name] for home, name in _CONSTANTS_IN.items() if home in sys.modules]
    return isinstance(value, (*_CONSTANTS, *others))


_Step: TypeAlias = Callable[[Sequence[Any], list[Any]], Any]
"""outputs, what is made so far → one more object; `made[0]` is the nest of arguments"""
_Fill: TypeAlias = Callable[[list[Any]], None]


class Blueprints:
    """How values are put together from the outputs of a graph. An object that two of them hold is one object.

    Parameters
    ----------
    output : callable
        Makes a tensor of the graph one of its outputs, and says which.
    is_output : callable
        Whether a value is a tensor of the graph.
    existed : callable
        Whether an object was there before the function.
    handed : mapping of int to function, optional
        By id, what is among the arguments: how it is found in those of a call.
    as_written : callable, optional
        The code of a function as the user wrote it, which may have been traced in another form.
    views : Views, optional
        Which tensors of the graph show the memory of arrays that are there, or of each other.
    whose : callable, optional
        The object whose attributes a dict has, where that is known.
    own : callable, optional
        What was there before, where something has taken its place; or else that itself.
    asks : bool, optional
        Whether nothing is to be made: somebody asks which tensors of the graph are somewhere in a value.

    Attributes
    ----------
    needs_arguments : bool
        Whether something is found among the arguments.
    makes : bool
        Whether some object is made in each run.
    serves_once : bool
        Whether some object can be neither kept nor made anew: what was traced serves one call.
    """

    def __init__(
        self,
        output: Callable[[Any], int],
        is_output: Callable[[Any], bool],
        existed: Callable[[Any], bool],
        handed: Mapping[int, Callable[[Any], Any]] = MappingProxyType({}),
        as_written: Callable[[FunctionType], CodeType] = attrgetter("__code__"),
        views: Views | None = None,
        *,
        whose: Callable[[Any], Any] = lambda _: None,
        own: Callable[[Any], Any] = lambda value: value,
        asks: bool = False,
    ) -> None:
        self._views = views
        self._whose = whose
        self._own = own
        self._asks = asks
        self._output = output
        self._is_output = is_output
        self._existed = existed
        self._handed = handed
        self._as_written = as_written
        self._steps: list[_Step] = [lambda _, made: made[0]]
        self._fills: list[_Fill] = []
        self._known: dict[int, tuple[Any, int]] = {}
        self.makes = False
        self.serves_once = False
        self.needs_arguments = False

    def made(self, outputs: Sequence[Any], arguments: Any = None) -> list[Any]:
        """Every object, of one run of the function with these arguments."""
        made: list[Any] = [arguments]
        for step in self._steps[1:]:
            made.append(step(outputs, made))
        for fill in self._fills:
            fill(made)
        return made

    def finish(self) -> Blueprints:
        """Lets go of all that was only needed for planning."""
        self.needs_arguments |= self._views is not None and self._views.needs_arguments
        self._known, self._handed, self._views = {}, {}, None
        self._existed = self._is_output = self._whose = self._own = _nothing
        return self

    def of_contents(self, value: Any) -> int:
        """The index of what a container holds, which has taken its place; or of that and its order."""
        if type(value) is tuple:
            items = [self._of(item) for item in value]
            return self._add(lambda _, made: tuple([made[item] for item in items]))
        return self._of(value)

    def of(self, value: Any) -> int:
        """The index of a value among what is made."""
        return self._of(self._own(value))  # a variable of a function may hold what has taken a place

    def _of(self, value: Any) -> int:
        if type(value) is np.ndarray and not self._existed(value) and self._views is not None:
            value = self._views.current(value)
        find = self._handed.get(id(value))
        if find is not None:
            self.needs_arguments = True
            return self._add(lambda _, made: find(made[0]))
        if self._is_output(value):
            shown = self._views.plan(value, self._add, self.of) if self._views is not None else None
            if shown is not None:
                return shown
            index = self._output(value)
            return self._add(lambda outputs, _: outputs[index])
        if id(value) in self._known:
            return self._known[id(value)][1]
        index = self._plan(value)
        self._known[id(value)] = value, index  # which keeps its id
        return index

    def knows(self, value: Any) -> bool:
        """Whether an object is among what is made."""
        return id(value) in self._known

    def _add(self, step: _Step, *, makes: bool = True) -> int:
        self.makes |= makes
        self._steps.append(step)
        return len(self._steps) - 1

    def _constant(self, value: Any) -> int:
        return self._add(lambda _, __: value, makes=False)

    def _plan(self, value: Any) -> int:
        kind = type(value)
        if self._existed(value):
            return self._constant(value)
        if isinstance(value, type):
            return self._class(value)
        if kind is slice:
            parts = [self.of(part) for part in (value.start, value.stop, value.step)]
            return self._add(lambda _, made: slice(*[made[part] for part in parts]))
        if _is_constant(value):
            return self._constant(value)
        owner = self._whose(value) if kind is dict else None
        if owner is not None:
            owns = self.of(owner)
            return self._add(lambda _, made: dict_of(made[owns]))
        if _filled(kind) is not None:
            return self._container(value)
        if kind in {tuple, frozenset}:
            items = [self.of(item) for item in value]
            if not self.makes:
                return self._constant(value)
            return self._add(lambda _, made: kind([made[item] for item in items]))
        if isinstance(value, np.ndarray) and isinstance(value.base, np.ndarray):
            return self._view(value)
        if isinstance(value, np.ndarray | bytearray | array):
            return self._add(lambda _, __: copy(value))
        if isinstance(value, FunctionType):
            return self._function(value)
        if kind is MethodType:
            function, receiver = self.of(value.__func__), self.of(value.__self__)
            return self._add(lambda _, made: MethodType(made[function], made[receiver]))
        if isinstance(value, BaseException):
            return self._exception(value)
        if isinstance(value, _lru_cache_wrapper) and not value.cache_info().currsize:
            function, parameters = self.of(value.__wrapped__), value.cache_parameters()
            return self._add(lambda _, made: lru_cache(**parameters)(made[function]))
        if _is_kept_by_library(value):
            return self._constant(value)
        if _is_plain_instance(kind):
            return self._instance(value)
        level = level_of(value)
        if level is not None:
            children = [self.of(child) for child in level[1]]
            rosters = [(each, [self.of(one) for one in each.objects]) for each in rosters_in(level[0])]
            if not rosters:
                return self._add(lambda _, made: level[0].build([made[child] for child in children]))

            def step(_: Sequence[Any], made: list[Any]) -> Any:
                now = {id(each): each.with_objects([made[one] for one in own]) for each, own in rosters}
                return with_rosters(level[0], now).build([made[child] for child in children])

            return self._add(step)
        self.serves_once |= not is_ours(kind)
        return self._constant(value)

    def _view(self, value: np.ndarray) -> int:
        """An array that shows the memory of another one."""
        owner = owner_of(value)
        if self._existed(owner):
            return self._add(lambda _, __: value.view())
        is_turned = not owner.flags.c_contiguous
        if type(value) is not np.ndarray or (is_turned and not owner.flags.f_contiguous):
            return self._add(lambda _, __: copy(value))
        whole = self.of(owner)
        first = value.__array_interface__["data"][0] - owner.__array_interface__["data"][0]

        def step(_: Sequence[Any], made: list[Any]) -> Any:
            memory = made[whole].T if is_turned else made[whole]
            return np.ndarray(value.shape, value.dtype, memory, first, value.strides)

        return self._add(step)

    def _reserve(self, value: Any, step: _Step) -> int:
        """An object that is filled when all are made, since it may lead to itself."""
        index = self._add(step)
        self._known[id(value)] = value, index
        return index

    def _container(self, value: Any) -> int:
        """A list, a dict and the like; one of a class of the user's gets its attributes, too."""
        kind: Any = _filled(type(value))
        assert kind is not None, "it is asked for containers alone"
        index = self._reserve(value, lambda _, __: _empty(value, kind))
        if type(value) is not kind:
            self.of(type(value))
            self._fill_attributes(value, index)
        if issubclass(kind, dict):
            keys = [self.of(key) for key in kind.__iter__(value)]
            items = [self.of(kind.__getitem__(value, key)) for key in kind.__iter__(value)]
            update = dict.update if kind is Counter else kind.update  # a `Counter` would count the pairs

            def fill(made: list[Any]) -> None:
                update(
                    made[index], zip([made[key] for key in keys], [made[item] for item in items], strict=True)
                )
        else:
            items = [self.of(item) for item in kind.__iter__(value)]
            extend = set.update if kind is set else kind.extend

            def fill(made: list[Any]) -> None:
                extend(made[index], [made[item] for item in items])

        self._fills.append(fill)
        return index

    def _function(self, value: FunctionType) -> int:
        """A function made by the function: with the variables that it sees, and what it takes by default."""
        code = self._as_written(value)
        named = dict(zip(value.__code__.co_freevars, value.__closure__ or (), strict=True))
        own = {name: held for name in _OF_FUNCTIONS if (held := getattr(value, name))}
        if code is value.__code__ and (
            _is_found_by_name(value) or (not own and all(map(self._existed, named.values())))
        ):
            return self._constant(value)
        cells = [named[name] for name in code.co_freevars]
        new = [cell for cell in cells if id(cell) not in self._known and not self._existed(cell)]
        for cell in new:
            self._reserve(cell, lambda _, __: CellType())
        planned = [self.of(cell) for cell in cells]

        def step(_: Sequence[Any], made: list[Any]) -> FunctionType:
            closure = tuple([made[cell] for cell in planned])
            copied = FunctionType(code, value.__globals__, value.__name__, None, closure)
            copied.__qualname__, copied.__doc__ = value.__qualname__, value.__doc__
            return copied

        index = self._reserve(value, step)
        for cell in new:
            self._fill_cell(cell)
        held = {name: self.of(each) for name, each in own.items()}

        def fill(made: list[Any]) -> None:
            for name, each in held.items():
                setattr(made[index], name, made[each])

        self._fills.append(fill)
        return index

    def _fill_cell(self, cell: CellType) -> None:
        index = self._known[id(cell)][1]
        try:
            contents = self.of(cell.cell_contents)
        except ValueError:  # a variable without a value
            return

        def fill(made: list[Any]) -> None:
            if not is_left_out(made[contents]):
                made[index].cell_contents = made[contents]

        self._fills.append(fill)

    def _class(self, kind: type) -> int:
        """A class: one that the function has made serves every run, and holds no value of any."""
        index = self._constant(kind)
        self._known[id(kind)] = kind, index
        if kind.__module__ == "builtins" or is_ours(kind):
            return index
        held = [each for name, value in vars(kind).items() for each in _held_under(name, value)]
        if self._asks:
            for each in held:
                self.of(each)
            return index
        found: list[Any] = []

        def note(leaf: Any) -> int:
            found.append(leaf)
            return 0

        asked = Blueprints(
            note, self._is_output, self._existed, as_written=self._as_written, whose=self._whose, asks=True
        )
        asked.of(kind)
        if found:
            raise StateDisagrees(
                f"`{kind.__qualname__}`, which the function makes, holds a value of the run and outlives it",
                why="A graph makes its classes once, while it is traced, and has other values in each run.",
                way_out="Make the class outside of the function, and let its instances hold the value.",
            )
        return index

    def _exception(self, value: BaseException) -> int:
        """An exception that nobody has raised yet, or that was caught: with its arguments and its cause."""
        kind = type(value)
        self.of(kind)
        arguments, cause = [self.of(each) for each in value.args], self.of(value.__cause__)

        def step(_: Sequence[Any], made: list[Any]) -> BaseException:
            error = kind.__new__(kind, *[made[each] for each in arguments])
            set_own(error, "__cause__", made[cause])
            set_own(error, "__suppress_context__", value.__suppress_context__)
            return error

        index = self._reserve(value, step)
        self._fill_attributes(value, index)
        return index

    def _instance(self, value: Any) -> int:
        self.of(type(value))
        index = self._reserve(value, lambda _, __: object.__new__(type(value)))
        self._fill_attributes(value, index)
        return index

    def _fill_attributes(self, value: Any, index: int) -> None:
        own = {name: self.of(item) for name, item in dict_of(value, {}).items()}
        slots = [(slot, self.of(item)) for slot, item in _slots(value)]

        def fill(made: list[Any]) -> None:
            there = {name: made[item] for name, item in own.items() if not is_left_out(made[item])}
            if there:
                made[index].__dict__.update(there)
            for slot, item in slots:
                if not is_left_out(made[item]):
                    slot.__set__(made[index], made[item])

        self._fills.append(fill)


def _is_found_by_name(function: FunctionType) -> bool:
    """Whether a module has a function under its own name, as libraries have theirs: nobody makes it anew."""
    module = sys.modules.get(function.__module__)
    return module is not None and vars(module).get(function.__qualname__) is function


def _is_kept_by_library(value: Any) -> bool:
    """Whether the module of a library's class has this instance under a name: `os.environ`, say."""
    home = sys.modules.get(type(value).__module__)
    names = {} if home is None else {**vars(home)}
    return is_of_library(type(value)) and any(held is value for held in names.values())


def _held_under(name: str, value: Any) -> Iterable[Any]:
    """What a class holds under a name that may lead to a value of the graph."""
    if isinstance(value, staticmethod | classmethod):
        return (value.__func__,)
    if isinstance(value, property):
        return [each for each in (value.fget, value.fset, value.fdel) if each is not None]
    is_pythons = name.startswith("__") and not isinstance(value, FunctionType)
    return () if is_pythons or isinstance(value, MemberDescriptorType) else (value,)


_OF_FUNCTIONS = ("__defaults__", "__kwdefaults__", "__dict__")
"""What a function holds beside its variables."""

_FILLED = frozenset({list, dict, set, deque, defaultdict, Counter, OrderedDict})


def _filled(kind: type) -> type | None:
    """The container of Python's that a class is, or to which a class of the user's adds methods."""
    if kind in _FILLED:
        return kind
    found = next((base for base in kind.__mro__ if base in _FILLED), None)
    if found is None or is_ours(kind):
        return None
    users = kind.__mro__[: kind.__mro__.index(found)]
    return found if all(map(is_of_statement, users)) else None


def _empty(value: Any, kind: Any) -> Any:
    """An empty container like this one, which is one of `kind`; no code of the user's runs."""
    empty = kind.__new__(type(value))
    if kind is deque:
        deque.__init__(empty, (), value.maxlen)
    if kind is defaultdict:
        empty.default_factory = value.default_factory
    return empty


def _nothing(_: Any) -> bool:
    return False


def _is_plain_instance(kind: type) -> bool:
    """Whether instances of a class are nothing but their attributes."""
    return not is_ours(kind) and all(map(is_of_statement, kind.__mro__[:-1]))


def _slots(value: Any) -> Iterable[tuple[MemberDescriptorType, Any]]:
    for base in type(value).__mro__:
        for slot in vars(base).values():
            if isinstance(slot, MemberDescriptorType):
                try:
                    yield slot, slot.__get__(value)
                except AttributeError:  # a slot without a value
                    continue
