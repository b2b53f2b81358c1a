"""Calls of chosen objects, and with them: the call is made for each candidate, in a branch.

Converted functions take such an object as it is, and so does what only keeps it, or asks about it.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import EnumMeta
from functools import partial
from types import BuiltinFunctionType, MemberDescriptorType
from typing import Any

import numpy as np

from autograph.backends.tensors.containers.becoming import become_staged
from autograph.backends.tensors.containers.keyed import StagedKeyed
from autograph.backends.tensors.containers.lists import Staged, StagedTuple
from autograph.backends.tensors.iteration.keywords import keywords_call
from autograph.backends.tensors.iteration.spread import Call, Spread, spread_call
from autograph.backends.tensors.objects.choices import (
    OneOf,
    asked,
    candidates_of,
    choose,
    each,
    is_constant,
    over,
    possible_values,
)
from autograph.backends.tensors.objects.chosen_items import (
    holds_choice,
    is_to_choose,
    items_of,
    listed,
    unordered_items_of,
)
from autograph.backends.tensors.statements.maybe import (
    MaybeNone,
    MaybeUndefined,
    builtin_class,
    like_operand,
    refused_by_python,
)
from autograph.backends.tensors.statements.undecided import Undecided
from autograph.backends.tensors.text.strings import Text
from autograph.staging.attributes import in_classes
from autograph.staging.builtins import COLLECTIONS, OPERATORS, SHOWING
from autograph.staging.plain import Plain
from autograph.staging.twins import converted_twin
from autograph_base.named_tuple import NamedTuple
from runtime.core.instances import attributes_of, is_plain_class
from runtime.errors import NoConcreteValue, StateDisagrees
from runtime.graph.location import caller_location
from runtime.numpy_functions.protocols import loaded_late
from runtime.numpy_functions.table import TABLE, title

__all__ = ["ChosenCalls"]


class ChosenCalls(Plain):
    """The part of the tensors' backend that is about calls of what a tensor chooses, and with it."""

    def chosen_call(
        self,
        callee: Any,
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        call: Call,
        is_converted: Callable[[], bool],
    ) -> Any:
        """The call for each object that the callee may be, and for each that an argument may be."""
        made = _Made(callee, args, kwargs, call)
        if isinstance(callee, OneOf) and any(isinstance(given, Spread) for given in args):
            return each(callee, made.of)  # each fills its own parameters
        found = keywords_call(callee, args, kwargs, call)
        if found is NotImplemented:
            found = spread_call(callee, args, kwargs, call)
        if found is NotImplemented:
            found = _of_chosen(made)
        if found is NotImplemented and any(callee is one for one in ABOUT_ATTRIBUTES):
            found = _about_attribute(made)
        is_statement = callee is setattr or callee is delattr  # these are made as statements are
        if found is not NotImplemented or is_statement or not any(map(self.is_choice, made.values)):
            return found
        return self._with_chosen(made, is_converted)

    def _with_chosen(self, made: _Made, is_converted: Callable[[], bool]) -> Any:
        """A call some of whose arguments are chosen."""
        callee, values = made.callee, made.values
        found = _with_chosen_key(made)
        if found is not NotImplemented:
            return found
        if any(callee is one for one in ASKING):
            answers = {hasattr: self._has, id: self.id_, isinstance: self.is_instance, type: self.type_}
            ask = partial(self.function, callee) if callee is np.isscalar else answers.get(callee, callee)
            return _without_none(
                values, lambda given: asked(given, ask) if _has_choice(given) else ask(*given)
            )
        optional = next((at for at, value in enumerate(values) if isinstance(value, MaybeNone)), None)
        if optional is not None and _takes_numbers(callee):
            return _with_number(made, optional)
        if isinstance(made.kwargs.get("key"), MaybeNone) and any(callee is one for one in ITERATING):
            return made.kwargs["key"].ag__either(partial(_with_key, made))
        if optional is not None and _is_of_numpy(callee) and "out" not in made.kwargs:
            found = _of_numpy(made, optional)
            if found is not NotImplemented:
                return found
        optional = next((at for at, value in enumerate(values) if _is_optional_object(value)), None)
        if optional is None and not _has_choice(values):
            return NotImplemented
        if _takes_choices(callee, made.args) or is_converted():
            return NotImplemented
        is_iterating = any(callee is one for one in ITERATING)
        if optional is not None and not is_iterating:
            before, after = values[:optional], values[optional + 1 :]
            if _is_in_numpy(callee):
                return made.called(
                    callee, *before, values[optional].ag__present(), *after
                )  # None is no number
            return values[optional].ag__either(lambda one: made.called(callee, *before, one, *after))
        if callee is dict and len(made.args) == 1 and isinstance(made.args[0], OneOf):
            return each(made.args[0], lambda one: made.call(dict, (one,), made.kwargs))
        if is_iterating and not all(map(is_constant, values)):
            return _running_over(made)
        _refuse_own_state(made)
        return made.for_each()

    def _has(self, value: Any, name: Any) -> Any:
        return self.asked_of(value, hasattr)(value, name)


class _Made(NamedTuple):
    """A call, and how calls like it are made."""

    callee: Any
    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    call: Call

    @property
    def values(self) -> tuple[Any, ...]:
        """The arguments, those with keywords last."""
        return (*self.args, *self.kwargs.values())

    def of(self, callee: Any) -> Any:
        """The call of something else."""
        return self.call(callee, self.args, self.kwargs)

    def called(self, callee: Any, *values: Any) -> Any:
        """The call of something else with other values."""
        count = len(self.args)
        return self.call(callee, values[:count], dict(zip(self.kwargs, values[count:], strict=True)))

    def for_each(self) -> Any:
        """The call for each combination of what is chosen."""
        return over((self.callee, *self.values), self.called)


def _takes_numbers(callee: Any) -> bool:
    """Whether something of Python's own takes numbers."""
    is_of_module = type(callee) is BuiltinFunctionType and callee.__module__ in _OF_NUMBERS
    return is_of_module or any(callee is one for one in TAKING_NUMBERS)


def _with_number(made: _Made, at: int) -> Any:
    """The call of what takes numbers, where the argument at an index may be None."""
    callee, before, after = made.callee, made.values[:at], made.values[at + 1 :]
    value: MaybeNone = made.values[at]

    def called(one: Any) -> Any:
        return made.called(callee, *before, one, *after)

    if callee is round and at:  # by as many digits as None says
        return value.ag__either(called)
    return called(
        value.ag__operand(lambda none, *others: callee(*others[:at], none, *others[at:]), *before, *after)
    )


def _is_of_numpy(callee: Any) -> bool:
    """Whether something is a function of NumPy that only computes."""
    if isinstance(callee, np.ufunc):
        return True
    if not _is_in_numpy(callee) or type(callee).__hash__ is None:
        return False
    loaded_late()  # which fill the table
    return callee in TABLE


def _is_in_numpy(callee: Any) -> bool:
    return str(getattr(callee, "__module__", None)).partition(".")[0] == "numpy"


def _of_numpy(made: _Made, at: int) -> Any:
    """The call of a function of NumPy, where the argument at an index may be None.

    NumPy is asked what it says of None; `NotImplemented` where nobody knows what others are like.
    """
    callee, value = made.callee, made.values[at]

    def called(one: Any) -> Any:
        return made.called(callee, *made.values[:at], one, *made.values[at + 1 :])

    count = len(made.args)
    examples = [None if index == at else _example(each) for index, each in enumerate(made.values)]
    if any(each is NotImplemented for each in examples):
        return NotImplemented
    named = dict(zip(made.kwargs, examples[count:], strict=True))
    given: list[Any] = []
    with np.errstate(all="ignore"):
        error = refused_by_python(lambda: given.append(callee(*examples[:count], **named)))
    if error is None and isinstance(given[0], np.ndarray) and given[0].dtype == object:
        return NotImplemented  # of None it makes an object, which a graph has not
    if error is not None:
        return called(value.ag__present(str(error), builtin_class(error)))
    return value.ag__either(lambda one: _with_none(callee, called) if one is None else called(one))


def _example(value: Any) -> Any:
    found = like_operand(value)
    return found.copy() if isinstance(found, np.ndarray) else found


def _with_none(callee: Any, called: Callable[[Any], Any]) -> Any:
    """What a function of NumPy that takes None gives for it: a graph has no arrays of objects."""
    try:
        return called(None)
    except (AttributeError, IndexError, TypeError, ValueError):
        raise StateDisagrees(
            f"`{title(callee)}` is given None on some paths",
            where=caller_location(),
            why="NumPy makes an object of it, and a graph computes with numbers.",
            way_out="Ask first whether it is None: `if x is not None`.",
        ) from None


def _of_chosen(made: _Made) -> Any:
    """The call of a callee that a tensor chooses or that may be missing; `NotImplemented` of any other."""
    callee, args = made.callee, made.args
    if isinstance(callee, MaybeNone | MaybeUndefined):
        return made.of(callee.ag__operand(lambda one: one()))
    if callee is iter and len(args) == 1 and isinstance(args[0], MaybeNone):
        return made.call(iter, (args[0].ag__present("'NoneType' object is not iterable"),), made.kwargs)
    if not isinstance(callee, OneOf):
        return NotImplemented
    if is_constant(callee) and all(map(is_constant, made.values)) and not _runs_code(callee):
        return asked((callee, *made.values), made.called)
    return each(callee, made.of)


def _about_attribute(made: _Made) -> Any:
    """A builtin of attributes whose name is chosen, or where a tensor decides whether there is one."""
    if len(made.args) < 2 or made.kwargs:
        return NotImplemented
    owner, name, *rest = made.args
    if isinstance(name, OneOf):
        return each(name, lambda one: made.called(made.callee, owner, one, *rest))
    if made.callee is hasattr or made.callee is getattr:
        return _attribute_asked(made.callee, owner, name, *rest)
    return NotImplemented


def _with_chosen_key(made: _Made) -> Any:
    """A method that changes the keys of a dict or a set of Python's, which becomes one of the graph."""
    owner = getattr(made.callee, "__self__", None)
    if not isinstance(owner, set | dict) or made.callee.__name__ not in CHANGING_KEYS:
        return NotImplemented
    if not is_to_choose(owner, made.args[0]):
        return NotImplemented
    return made.of(getattr(become_staged(owner), made.callee.__name__))


def _with_key(made: _Made, key: Any) -> Any:
    """The call of a builtin that compares its items by this key, or as they are."""
    return made.call(made.callee, made.args, {**made.kwargs, "key": key})


def _running_over(made: _Made) -> Any:
    """A builtin that runs over what it is given: the items of what is chosen, as they are now."""
    callee, args = made.callee, made.args
    if (callee is max or callee is min) and len(args) > 1:
        return made.call(callee, (args,), made.kwargs)  # these are the items
    first = 1 if callee is map or callee is filter else 0
    given = args[first:]
    if not (_has_choice(given) or any(map(_is_optional_object, given))):
        return NotImplemented
    if callee is set and len(given) == 1:  # the order of a set follows from that of the one it is made of
        one = given[0].ag__operand(iter) if isinstance(given[0], MaybeNone) else given[0]
        if any(isinstance(each, StagedKeyed | set | dict) for each in possible_values(one)):
            return made._replace(args=(one,)).for_each()
    shows_none = any(callee is one for one in SHOW_NO_ORDER) and len(args) == 1 and not made.kwargs.get("key")
    items = (*args[:first], *map(unordered_items_of if shows_none else items_of, given))
    if _has_choice(given) and _has_choice(items) and callee in LAZY:
        items = (*args[:first], *map(listed, items[first:]))  # whose iterators are not the branches'
    if _has_choice(given) and _has_choice(items):
        return made._replace(args=items).for_each()  # they may be shown by other names, and are chosen, too
    return made.call(callee, items, made.kwargs)


def _refuse_own_state(made: _Made) -> None:
    """Refuses what is an object's own, and changes with it: its dict, and how far an iterator is."""
    callee = made.callee
    if callee is vars or (callee is getattr and made.args[1:2] == ("__dict__",)):
        raise NoConcreteValue(
            f"`{'vars' if callee is vars else '__dict__'}` is asked of an object that a tensor chooses",
            why="It gives the object's own dict, and what is put into that is an attribute.",
            way_out="Read its attributes by name, or give its class a method that does.",
        )
    if callee is next:
        raise StateDisagrees(
            "`next` is asked of an iterator that a tensor chooses",
            why="Python takes the item while the function is traced, whichever is chosen.",
            way_out="Take an item of each before the tensor chooses, or choose between lists.",
        )


SHOW_NO_ORDER: tuple[Any, ...] = (frozenset, max, min, set, sorted)
"""Builtins that give the same for the same items in any order, if they have no key."""

TAKING_NUMBERS: tuple[Any, ...] = (
    *(bin, chr, complex, divmod, enumerate, float),
    *(hex, int, oct, pow, range, round),
)
"""Builtins that take numbers, and of others what gives one."""

_OF_NUMBERS = frozenset({"math", "cmath"})
"""Modules whose functions take numbers."""

ASKING: tuple[Any, ...] = (callable, hasattr, id, isinstance, issubclass, np.isscalar, type)
"""Functions that look at an object, and at nothing that may change."""

ABOUT_ATTRIBUTES: tuple[Any, ...] = (delattr, getattr, hasattr, setattr)
"""Builtins that take an object, and the name of an attribute."""

ITERATING: tuple[Any, ...] = tuple(
    [
        builtin
        for builtin, name in OPERATORS.items()
        if name
        in {
            *("all_", "any_", "enumerate_", "filter_", "list_", "map_", "max_", "min_"),
            *("reversed_", "set_", "sorted_", "sum_", "tuple_", "zip_"),
        }
    ]
)
"""Builtins that run over what they are given; `dict` asks first whether it has keys."""

LAZY: tuple[Any, ...] = (enumerate, filter, map, reversed, zip)
"""Those that give iterators."""

CHANGING_KEYS = frozenset({"add", "discard", "pop", "remove", "setdefault"})
"""Methods of sets and dicts that put the key in which they are given, or take it out."""

TAKING_ITEMS = frozenset(
    {
        *("extend", "extendleft", "update", "union", "intersection", "difference", "symmetric_difference"),
        *("intersection_update", "difference_update", "symmetric_difference_update", "subtract"),
        *("issubset", "issuperset", "isdisjoint"),
    }
)
"""Methods of containers that run over what they are given."""

STORING = frozenset({"append", "appendleft", "insert"})
"""Methods of containers that keep what they are given, and do not look at it."""


def _attribute_asked(callee: Any, owner: Any, name: Any, *default: Any) -> Any:
    """`hasattr` or `getattr` where a tensor decides whether there is one; `NotImplemented` elsewhere."""
    if isinstance(owner, Undecided):
        owner.refuse()

    def ask(one: Any) -> Any:
        found = _attribute_asked(callee, one, name, *default)
        return callee(one, name, *default) if found is NotImplemented else found

    if isinstance(owner, MaybeNone) and (default or _may_have(owner.ag__value, name)):
        return owner.ag__either(ask)
    if isinstance(owner, OneOf) and _may_have(owner, name):
        return each(owner, ask)
    found = _own_attribute(owner, name)
    if isinstance(found, MaybeUndefined) and found.ag__missing.instead is not None:
        return _asked_of_class(callee, found, found.ag__missing.instead, default)
    if isinstance(found, MaybeUndefined) and _is_of_class(type(owner), name):
        return True if callee is hasattr else NotImplemented
    if isinstance(found, MaybeUndefined) and callee is hasattr:
        return found.ag__valid
    if isinstance(found, MaybeUndefined) and not default:
        return found.read()
    if isinstance(found, MaybeUndefined):
        return choose(found.ag__valid, lambda: found.ag__value, lambda: default[0])
    return NotImplemented


def _asked_of_class(
    callee: Any, found: MaybeUndefined, instead: Callable[[], Any], default: tuple[Any, ...]
) -> Any:
    """As `_attribute_asked`, where the class, or its `__getattr__`, is asked when there is none."""

    def ask() -> Any:
        if callee is hasattr:
            return converted_twin("gives", "asking")(instead)
        return converted_twin("given_or", "asking")(instead, *default) if default else instead()

    return choose(found.ag__valid, lambda: True if callee is hasattr else found.ag__value, ask)


def _is_of_class(kind: type, name: str) -> bool:
    """Whether a class has an attribute for the objects that have none: no slot is one."""
    found = [vars(base)[name] for base in kind.__mro__ if name in vars(base)]
    return bool(found) and not isinstance(found[0], MemberDescriptorType | MaybeUndefined)


def _may_have(owner: Any, name: Any) -> bool:
    """Whether a tensor decides if an object, or one of those that it may be, has an attribute."""
    owners = possible_values(owner)
    return any(isinstance(_own_attribute(one, name), MaybeUndefined) for one in owners)


def _own_attribute(owner: Any, name: Any) -> Any:
    """What an object keeps for an attribute, or its class where only some paths have bound it there.

    No code of the user's runs.
    """
    if isinstance(owner, type):
        return in_classes(owner, name)
    own = attributes_of(owner)
    if name in own:
        return own[name]
    shown = _own_attribute(type(owner), name)
    return shown if isinstance(shown, MaybeUndefined) else None


def _has_choice(values: tuple[Any, ...]) -> bool:
    return any(isinstance(value, OneOf) for value in values)


def _is_optional_object(value: Any) -> bool:
    """Whether a value is None or one of several objects, or an object that Python's own code takes apart."""
    return isinstance(value, MaybeNone) and (
        isinstance(value.ag__value, OneOf | Staged | Text | dict) or is_plain_class(type(value.ag__value))
    )


def _without_none(values: tuple[Any, ...], use: Callable[[tuple[Any, ...]], Any]) -> Any:
    """What `use` gives for values of which some may be None."""
    for index, value in enumerate(values):
        if isinstance(value, MaybeNone):
            before, after = values[:index], values[index + 1 :]
            return value.ag__either(lambda one: _without_none((*before, one, *after), use))  # noqa: B023
    return use(values)


def _runs_code(callee: OneOf) -> bool:
    """Whether one of the candidates is code of the user's, or a class."""
    return any(isinstance(one, type) or hasattr(one, "__code__") for one in candidates_of(callee))


def _takes_choices(callee: Any, args: tuple[Any, ...]) -> bool:
    """Whether something that is not converted only keeps what it is given, or knows of choices."""
    if callee in COLLECTIONS:
        return False
    if isinstance(callee, type):
        is_builtin = callee.__module__ == "builtins" and not issubclass(callee, BaseException)
        reads = is_builtin or type(callee) is EnumMeta or issubclass(callee, np.generic)
        return OPERATORS.get(callee) in SHOWING or not reads
    owner = getattr(callee, "__self__", None)
    name = getattr(callee, "__name__", None)
    is_staged = isinstance(owner, StagedKeyed | StagedTuple) and name not in TAKING_ITEMS
    if is_staged and all(holds_choice(owner, each) for each in args):
        return True
    if name in STORING:
        return isinstance(getattr(callee, "__self__", None), list | StagedTuple) and len(args) > 0
    return callee is print or callee is repr or callee is format or callee is iter
