"""Operations on chosen objects: reads are answered for each candidate, writes go to the chosen one.

Converted functions take such an object as it is. Everything else is called for each candidate, in a branch,
with the candidate itself.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from enum import EnumMeta
from functools import partial
from types import FunctionType, MemberDescriptorType
from typing import Any

from autograph.backends.tensors.arrays.identity import are_one
from autograph.backends.tensors.containers.catalogues import can_be_held
from autograph.backends.tensors.containers.keyed import StagedKeyed
from autograph.backends.tensors.containers.linked import Linked
from autograph.backends.tensors.containers.lists import (
    Staged,
    StagedList,
    StagedTuple,
    become_staged,
    gathered,
)
from autograph.backends.tensors.containers.other_names import other_names
from autograph.backends.tensors.containers.sets import unordered
from autograph.backends.tensors.iteration.items import Source
from autograph.backends.tensors.iteration.once import Once
from autograph.backends.tensors.iteration.spread import Spread, spread, spread_call, together
from autograph.backends.tensors.objects.choices import (
    OneOf,
    asked,
    candidates_of,
    choose,
    each,
    is_constant,
    number_of,
    over,
)
from autograph.backends.tensors.objects.classes import class_of
from autograph.backends.tensors.objects.objects import are_chosen
from autograph.backends.tensors.statements.deciding import with_each
from autograph.backends.tensors.statements.maybe import MaybeNone, MaybeUndefined
from autograph.backends.tensors.statements.paths import may_hold
from autograph.backends.tensors.statements.raising import raise_in_graph
from autograph.backends.tensors.statements.undecided import Undecided
from autograph.staging.backend import Clauses, ComprehensionKind
from autograph.staging.builtins import COLLECTIONS, OPERATORS, SHOWING
from autograph.staging.heap import may_be_one, moved_to, tell_apart
from autograph.staging.places import note_deleted, note_item
from autograph.staging.plain import Plain
from autograph.staging.special_methods import is_told_apart
from runtime import ops
from runtime.core.structure import attributes_of, is_plain_class
from runtime.core.tensor import Operators, Tensor
from runtime.errors import NoConcreteValue, StateDisagrees

__all__ = ["Choosing", "are_rows_of_objects", "items_of"]


def _index(target: Any, index: Any) -> Any:
    """An index of a list or a tuple; the graph raises what Python does where it is None."""
    if not isinstance(index, MaybeNone) or not isinstance(target, list | tuple | StagedList):
        return index
    kind = "tuple" if isinstance(target, tuple) else "list"
    return index.ag__present(f"{kind} indices must be integers or slices, not NoneType")


class Choosing(Plain):
    """The part of the tensors' backend that is about objects which a tensor chooses."""

    def is_choice(self, value: Any) -> bool:
        """Whether a value stands for one of several objects: which one is known when the graph runs."""
        return type(value) in CHOSEN or type(value) is Linked

    def converted(self, callee: Any, convert: Callable[[Any], Any]) -> Any:
        """A choice between the converted forms."""
        if isinstance(callee, OneOf):
            return OneOf(number_of(callee), tuple(map(convert, candidates_of(callee))))
        return convert(callee.ag__present()) if isinstance(callee, MaybeNone) else convert(callee)

    def raised(self, error: Any, *cause: Any) -> Any:
        """What a tensor chooses, or whose cause it does, is raised in a branch of the graph."""
        if any(isinstance(part, MaybeNone | OneOf) for part in (error, *cause)):
            _raise_each(error, *cause)
        return error

    # ── questions ──

    def is_none(self, a: Any) -> Any:
        """Whether a value is None, as a tensor where it may be."""
        if isinstance(a, Undecided):
            a.refuse()
        if isinstance(a, MaybeNone):
            return ops.stands_for_python(ops.logical_not(a.ag__valid))
        return a is None

    def is_instance(self, value: Any, kind: type) -> Any:
        """Whether a value is an instance of a class, as a pattern asks."""
        if isinstance(value, MaybeNone):
            return value.ag__either(lambda one: self.is_instance(one, kind))
        if isinstance(value, OneOf):
            return asked((value,), lambda one: self.is_instance(one, kind))
        return super().is_instance(value, kind)

    def identical(self, a: Any, b: Any) -> Any:
        """Whether two values are one object."""
        if b is None or a is None:
            return self.is_none(a if b is None else b)
        for one, other in ((a, b), (b, a)):
            if isinstance(one, MaybeNone):
                return one.ag__either(partial(self.identical, b=other))
        if isinstance(a, OneOf) or isinstance(b, OneOf):
            return asked((a, b), _are_identical)
        for one, other in ((a, b), (b, a)):
            if isinstance(other, bool) and not isinstance(one, bool):
                return self.and_(self.is_instance(one, bool), partial(self.equal, one, other))
        return _are_identical(a, b)

    def equal(self, a: Any, b: Any) -> Any:
        """`a == b`; nothing but None is equal to None."""
        if isinstance(a, OneOf) or isinstance(b, OneOf):
            return over((a, b), self.equal)
        if isinstance(a, MaybeNone) and b is None:
            return self.is_none(a)
        if isinstance(b, MaybeNone) and a is None:
            return self.is_none(b)
        if isinstance(a, MaybeNone) and not a.ag__has_axes:
            return a.ag__either(lambda one: self.equal(one, b))
        if isinstance(b, MaybeNone) and not b.ag__has_axes:
            return b.ag__either(lambda other: self.equal(a, other))
        if is_told_apart(a):
            may_be_one(a, b)
        return super().equal(a, b)

    def not_equal(self, a: Any, b: Any) -> Any:
        """`a != b`; nothing but None is equal to None."""
        vague = a is None or b is None or any(isinstance(each, OneOf | MaybeNone) for each in (a, b))
        if not vague:
            return super().not_equal(a, b)
        found = self.equal(a, b)
        is_by_element = isinstance(found, Tensor) and bool(found.static_shape)
        return ops.logical_not(found) if is_by_element else self.not_(found)

    def contains(self, container: Any, item: Any) -> Any:
        """`item in container`, where either is chosen."""
        if type(container) not in CHOSEN and type(item) not in CHOSEN:
            if is_constant(container) and is_constant(item):
                return item in container
            own = getattr(type(container), "__contains__", None)
            if isinstance(own, FunctionType) and not isinstance(container, Operators):
                return own(container, item)
            return super().contains(container, item)
        if isinstance(container, MaybeNone):
            return self.contains(container.ag__present(), item)
        if isinstance(container, dict | set | frozenset) and is_constant(item):
            return asked((item,), lambda key: key in container)
        if isinstance(item, MaybeNone):
            return item.ag__either(lambda one: self.contains(container, one))
        if _holds(container, item):
            return super().contains(container, item)
        return over((container, item), self.contains)

    def hash_(self, value: Any) -> Any:
        """`hash(value)`, of each."""
        return with_each((value,), lambda given: super(Choosing, self).hash_(*given))

    # ── items ──

    def get_item(self, target: Any, index: Any) -> Any:
        """`target[index]`, where a tensor chooses either."""
        if isinstance(target, MaybeNone):
            return self.get_item(target.ag__present(), index)
        if isinstance(target, Counter | defaultdict) and _is_to_hold(target, index):
            return self.get_item(become_staged(target), index)
        if isinstance(index, OneOf) and isinstance(target, dict) and is_constant(index):
            return asked((index,), lambda key: super(Choosing, self).get_item(target, key))
        if _is_chosen(target, index):
            return over((target, index), self.get_item)
        return super().get_item(target, _index(target, index))

    def set_item(self, target: Any, index: Any, value: Any) -> Any:
        """`target[index] = value`, where a tensor chooses either."""

        def assign(one: Any, key: Any) -> None:
            note_item(one, key)
            left = self.set_item(one, key, value)
            if left is not one and left is not moved_to(one):
                one[key] = value  # which says why that cannot be

        if isinstance(index, slice):
            value = items_of(value)
        if isinstance(target, dict) and _is_to_hold(target, index):
            return self.set_item(become_staged(target), index, value)
        if isinstance(target, MaybeNone):
            assign(target.ag__present(), index)
        elif _is_chosen(target, index):
            over((target, index), assign)
        else:
            return super().set_item(target, _index(target, index), value)
        return target

    def delete_item(self, target: Any, index: Any) -> None:
        """`del target[index]`, where a tensor chooses either."""

        def delete(one: Any, key: Any) -> None:
            note_deleted(one, key)
            self.delete_item(one, key)

        if isinstance(target, MaybeNone):
            delete(target.ag__present(), index)
        elif _is_chosen(target, index):
            over((target, index), delete)
        else:
            super().delete_item(target, index)

    # ── comprehensions ──

    def list_comp(self, items: Any, clauses: Clauses, kind: ComprehensionKind) -> Any:
        """A list of what is made of the items of the chosen object."""
        return super().list_comp(items_of(items), clauses, kind)

    def set_comp(self, items: Any, clauses: Clauses, kind: ComprehensionKind) -> Any:
        """A set, likewise."""
        return _told_apart(super().set_comp(items_of(items), clauses, kind))

    def dict_comp(self, items: Any, clauses: Clauses, kind: ComprehensionKind) -> Any:
        """A dict, likewise."""
        return _told_apart(super().dict_comp(items_of(items), clauses, kind))

    def list_(self, *items: Any) -> Any:
        """`list(items)`, and what has a star, of the chosen object."""
        return super().list_(*map(items_of, items))

    def mapping(self, value: Any) -> Any:
        """`{**value}`, of the chosen object."""
        if isinstance(value, MaybeNone):
            return self.mapping(value.ag__present("'NoneType' object is not a mapping"))
        return each(value, self.mapping) if isinstance(value, OneOf) else super().mapping(value)

    def _has(self, value: Any, name: Any) -> Any:
        return self.asked_of(value, hasattr)(value, name)

    def generator(self, items: Any, clauses: Clauses, kind: ComprehensionKind) -> Any:
        """A generator, likewise."""
        return super().generator(items_of(items), clauses, kind)

    def unpack(self, value: Any, count: int) -> Any:
        """Something that Python unpacks into so many targets."""
        return super().unpack(items_of(value), count)

    def unpack_starred(self, value: Any, before: int, after: int) -> Any:
        """A value for each target, one of which is starred and takes a list."""
        return super().unpack_starred(items_of(value), before, after)

    # ── calls ──

    def starred(self, items: Any) -> Any:
        """`f(*items)`: what becomes arguments."""
        found = self.list_(items_of(items))
        return spread(found) if isinstance(found, StagedTuple) else found

    def spread(self, arguments: tuple[Any, ...]) -> Any:
        """What a function gets as its `*args`."""
        return StagedTuple(together(*arguments).contents) if isinstance(arguments[-1], Spread) else arguments

    def of_each(self, value: Any, use: Callable[[Any], Any]) -> Any:
        """What `use` gives for each that a value may be, and for None where it may be None."""
        if isinstance(value, MaybeNone):
            return value.ag__either(use)
        return each(value, use) if isinstance(value, OneOf) else NotImplemented

    def chosen_call(
        self,
        callee: Any,
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        call: Callable[[Any, tuple[Any, ...], dict[str, Any]], Any],
        is_converted: Callable[[], bool],
    ) -> Any:
        """The call for each object that the callee may be, and for each that an argument may be."""
        if isinstance(callee, OneOf) and any(isinstance(given, Spread) for given in args):
            return each(callee, lambda one: call(one, args, kwargs))  # each fills its own parameters
        spread_out = spread_call(callee, args, kwargs, call)
        if spread_out is not NotImplemented:
            return spread_out
        if isinstance(callee, MaybeNone | MaybeUndefined):
            return call(callee.ag__present(), args, kwargs)
        if callee is iter and len(args) == 1 and isinstance(args[0], MaybeNone):
            return call(iter, (args[0].ag__present("'NoneType' object is not iterable"),), kwargs)
        values = (*args, *kwargs.values())

        def called(one: Any, *given: Any) -> Any:
            return call(one, given[: len(args)], dict(zip(kwargs, given[len(args) :], strict=True)))

        if isinstance(callee, OneOf):
            if is_constant(callee) and all(map(is_constant, values)) and not _runs_code(callee):
                return asked((callee, *values), called)
            return each(callee, lambda one: called(one, *values))
        if any(callee is one for one in ABOUT_ATTRIBUTES) and len(args) > 1 and not kwargs:
            if isinstance(args[1], OneOf):
                return each(args[1], lambda name: called(callee, args[0], name, *args[2:]))
            if callee is setattr or callee is delattr:
                return NotImplemented  # as the statements do it
            found = _attribute_asked(callee, *args)
            if found is not NotImplemented:
                return found
        if not any(map(self.is_choice, values)):
            return NotImplemented
        owner = getattr(callee, "__self__", None)
        if (
            isinstance(owner, set | dict)
            and callee.__name__ in CHANGING_KEYS
            and _is_to_choose(owner, args[0])
        ):
            return call(getattr(become_staged(owner), callee.__name__), args, kwargs)
        if any(callee is ask for ask in ASKING):
            answers = {hasattr: self._has, id: self.id_, isinstance: self.is_instance, type: self.type_}
            ask = answers.get(callee, callee)
            return _without_none(
                values, lambda given: asked(given, ask) if _has_choice(given) else ask(*given)
            )
        optional = next((at for at, value in enumerate(values) if _is_optional_object(value)), None)
        if (optional is None and not _has_choice(values)) or _takes_choices(callee, args) or is_converted():
            return NotImplemented
        if optional is not None and not any(callee is builtin for builtin in ITERATING):
            before, after = values[:optional], values[optional + 1 :]
            return values[optional].ag__either(lambda one: called(callee, *before, one, *after))
        if optional is None and not _has_choice(values):
            return NotImplemented
        if callee is dict and len(args) == 1 and isinstance(args[0], OneOf):
            return each(args[0], lambda one: call(dict, (one,), kwargs))
        if any(callee is builtin for builtin in ITERATING) and not all(map(is_constant, values)):
            if (callee is max or callee is min) and len(args) > 1:
                return call(callee, (args,), kwargs)  # these are the items
            first = 1 if callee is map or callee is filter else 0
            shows_none = (
                any(callee is each for each in SHOW_NO_ORDER) and len(args) == 1 and not kwargs.get("key")
            )
            items = [*args[:first], *map(unordered_items_of if shows_none else items_of, args[first:])]
            is_chosen, is_optional = _has_choice(args[first:]), any(map(_is_optional_object, args[first:]))
            if not (is_chosen or is_optional):
                return NotImplemented
            if not (is_chosen and _has_choice(tuple(items))):
                return call(callee, tuple(items), kwargs)
            values = (*items, *kwargs.values())  # they may be shown by other names, and are chosen, too
        if callee is vars or (callee is getattr and args[1:2] == ("__dict__",)):
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
        return over((callee, *values), called)


CHOSEN = frozenset({OneOf, MaybeNone})

SHOW_NO_ORDER: tuple[Any, ...] = (frozenset, max, min, set, sorted)
"""Builtins that give the same for the same items in any order, if they have no key."""

ASKING: tuple[Any, ...] = (callable, hasattr, id, isinstance, issubclass, type)
"""Builtins that look at an object, and at nothing that may change."""

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

CHANGING_KEYS = frozenset({"add", "discard", "pop", "remove", "setdefault"})
"""Methods of sets and dicts that put the key in which they are given, or take it out."""

STORING = frozenset({"append", "appendleft", "insert"})
"""Methods of containers that keep what they are given, and do not look at it."""


def _attribute_asked(callee: Any, owner: Any, name: Any, *default: Any) -> Any:
    """`hasattr` or `getattr` where a tensor decides whether there is one; `NotImplemented` elsewhere."""
    if isinstance(owner, Undecided):
        owner.refuse()

    def ask(one: Any) -> Any:
        found = _attribute_asked(callee, one, name, *default)
        return callee(one, name, *default) if found is NotImplemented else found

    if isinstance(owner, MaybeNone) and _may_have(owner.ag__value, name):
        return owner.ag__either(ask)
    if isinstance(owner, OneOf) and _may_have(owner, name):
        return each(owner, ask)
    found = _own_attribute(owner, name)
    if isinstance(found, MaybeUndefined) and _is_of_class(type(owner), name):
        return True if callee is hasattr else NotImplemented
    if isinstance(found, MaybeUndefined) and callee is hasattr:
        return found.ag__valid
    if isinstance(found, MaybeUndefined) and not default:
        return found.read()
    if isinstance(found, MaybeUndefined):
        return choose(found.ag__valid, lambda: found.ag__value, lambda: default[0])
    return NotImplemented


def _is_of_class(kind: type, name: str) -> bool:
    """Whether a class has an attribute for the objects that have none: no slot is one."""
    found = [vars(base)[name] for base in kind.__mro__ if name in vars(base)]
    return bool(found) and not isinstance(found[0], MemberDescriptorType | MaybeUndefined)


def _may_have(owner: Any, name: Any) -> bool:
    """Whether a tensor decides if an object, or one of those that it may be, has an attribute."""
    owners = candidates_of(owner) if isinstance(owner, OneOf) else (owner,)
    return any(isinstance(_own_attribute(one, name), MaybeUndefined) for one in owners)


def _is_chosen(target: Any, index: Any) -> bool:
    """Whether an item is reached in branches: of each object that is chosen, by each index that is."""
    return isinstance(target, OneOf) or (isinstance(index, OneOf) and not _holds(target, index))


def _holds(container: Any, value: Any) -> bool:
    """Whether a container of the graph may hold a choice by its number, so that no branch is needed."""
    return isinstance(container, StagedKeyed | StagedTuple) and can_be_held(value)


def _is_to_hold(container: dict[Any, Any], key: Any) -> bool:
    """Whether a dict of Python's gets a key that a tensor chooses from some that are not all there."""
    return _is_to_choose(container, key) and not all(each in container for each in candidates_of(key))


def _is_to_choose(container: dict[Any, Any] | set[Any], key: Any) -> bool:
    """Whether a container of the graph may take the place of one, and hold what a tensor chooses."""
    return isinstance(key, OneOf) and may_hold(container, candidates_of(key))


def _own_attribute(owner: Any, name: Any) -> Any:
    """What an object keeps for an attribute, or its class where only some paths have bound it there.

    No code of the user's runs.
    """
    if isinstance(owner, type):
        return next((vars(base)[name] for base in owner.__mro__ if name in vars(base)), None)
    own = attributes_of(owner)
    if name in own:
        return own[name]
    shown = _own_attribute(type(owner), name)
    return shown if isinstance(shown, MaybeUndefined) else None


def _raise_each(*parts: Any) -> Any:
    """Raises the exception that is meant, from the cause that is: `parts` are one, or both."""
    for index, part in enumerate(parts):
        if isinstance(part, MaybeNone | OneOf):
            before, after = parts[:index], parts[index + 1 :]
            use = part.ag__either if isinstance(part, MaybeNone) else part.ag__each
            return use(lambda one: _raise_each(*before, one, *after))  # noqa: B023
    return raise_in_graph(*parts)


def _are_identical(a: Any, b: Any) -> Any:
    if isinstance(a, Linked) or isinstance(b, Linked):
        return a.ag__is(b) if isinstance(a, Linked) else False
    one, other = moved_to(a), moved_to(b)
    may_be_one(one, other)
    return are_one(one, other)


def _told_apart(keyed: Any) -> Any:
    """A set or a dict, none of whose keys is a copy of another one."""
    if type(keyed) in {set, dict}:
        tell_apart(keyed)
    return keyed


def _has_choice(values: tuple[Any, ...]) -> bool:
    return any(isinstance(value, OneOf) for value in values)


def _is_optional_object(value: Any) -> bool:
    """Whether a value is None or one of several objects, or an object that Python's own code takes apart."""
    return isinstance(value, MaybeNone) and (
        isinstance(value.ag__value, OneOf | Staged | dict) or is_plain_class(type(value.ag__value))
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
        return OPERATORS.get(callee) in SHOWING or not (is_builtin or type(callee) is EnumMeta)
    owner = getattr(callee, "__self__", None)
    if isinstance(owner, StagedKeyed | StagedTuple) and all(_holds(owner, each) for each in args):
        return True
    if getattr(callee, "__name__", None) in STORING:
        return isinstance(getattr(callee, "__self__", None), list | StagedTuple) and len(args) > 0
    return callee is print or callee is repr or callee is format or callee is iter


def items_of(value: Any) -> Any:
    """What there is to run over: of a chosen object, a list of its items as they are now."""
    if isinstance(value, MaybeNone | MaybeUndefined):
        return items_of(value.ag__present())
    if not isinstance(value, OneOf):
        return value
    with _joining(value):
        return each(value, _items)


def _joining(chosen: OneOf) -> AbstractContextManager[None]:
    """While items are gathered: lists of several lengths become one of the graph, which is no choice."""
    lengths = {len(one) for one in candidates_of(chosen) if type(one) in _SIZED}
    return other_names().joining_values() if len(lengths) > 1 else nullcontext()


_SIZED = frozenset([list, tuple, set, frozenset, dict])
"""Classes of containers whose lengths Python knows."""


def are_rows_of_objects(value: Any) -> bool:
    """Whether a value is one of several lists or tuples of objects, of several lengths."""
    if not isinstance(value, OneOf):
        return False
    candidates = candidates_of(value)
    are_rows = all(type(each_) in {list, tuple} and are_chosen(each_) for each_ in candidates)
    return are_rows and len({len(each_) for each_ in candidates}) > 1


def unordered_items_of(value: Any) -> Any:
    """As `items_of`, for what does not depend on the order of a set."""
    if isinstance(value, MaybeNone | MaybeUndefined):
        return unordered_items_of(value.ag__present())
    if not isinstance(value, OneOf):
        return value
    with _joining(value):
        return each(value, lambda one: _items(unordered(one)))


def _items(candidate: Any) -> Any:
    if isinstance(candidate, StagedTuple):
        return StagedList(candidate.contents)
    if isinstance(candidate, StagedKeyed):
        return gathered(candidate)
    if isinstance(candidate, Once):
        return gathered(candidate.items)  # where a loop leaves it, nobody knows
    if isinstance(candidate, Source):
        return gathered(candidate)
    if isinstance(candidate, Tensor) and candidate.static_shape == ():
        raise TypeError(f"'{class_of(candidate).__name__}' object is not iterable")
    return candidate if isinstance(candidate, Tensor) or hasattr(candidate, "dtype") else list(candidate)
