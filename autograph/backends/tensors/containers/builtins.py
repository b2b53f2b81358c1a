"""Python's builtins on containers where items or lengths are values of the graph."""

from __future__ import annotations

import operator
from collections import Counter, defaultdict, deque
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from autograph.backends.tensors.containers import keyed_methods, records, sets, sums
from autograph.backends.tensors.containers.copied import note_copied
from autograph.backends.tensors.containers.deques import StagedDeque
from autograph.backends.tensors.containers.dicts import StagedDict, new_dict
from autograph.backends.tensors.containers.keyed import StagedKeyed, has_staged, has_staged_keys
from autograph.backends.tensors.containers.lists import Staged, StagedList, StagedTuple, gathered
from autograph.backends.tensors.iteration import ordering, produced
from autograph.backends.tensors.iteration.items import (
    Lazy,
    Produced,
    Range,
    as_items,
    iterated,
    length_of,
    range_bounds,
    require_items,
    vector,
)
from autograph.backends.tensors.iteration.iterating import Iterating
from autograph.backends.tensors.iteration.once import Once
from autograph.backends.tensors.iteration.progress import EXHAUSTED
from autograph.backends.tensors.scalars.indices import refuse, require_whole
from autograph.backends.tensors.statements.turn_numbers import with_tensors
from autograph.staging.context import staging
from autograph.staging.special_methods import truth
from runtime import ops
from runtime.core.tensor import Tensor
from runtime.errors import NoConcreteValue
from runtime.graph.build import as_tensor, current_builder, is_of_run, is_symbolic, is_weak
from runtime.graph.location import caller_location
from runtime.ops.tensor_list import TensorArray
from runtime.variables import Variable

__all__ = ["Builtins"]


class Builtins(Iterating):
    """What a graph makes of the builtins that take containers."""

    # ── builtins that make sequences ──

    def len_(self, target: Any) -> Any:
        """The length of the first axis: a Python number where it is known."""
        if isinstance(target, Staged):
            return target.length
        if isinstance(target, Produced):
            return super().len_(target)
        if isinstance(target, Range):
            return ops.stands_for_python(ops.maximum(target.items.length, 0))
        if isinstance(target, Once) and target.pythons_class is not None:
            refuse(TypeError(f"object of type '{type(target).__name__}' has no len()"))
        if isinstance(target, (Lazy, TensorArray)):
            return as_items(target).length
        return length_of(as_tensor(target))

    def range_(self, *bounds: Any) -> Any:
        """A range whose length is known when the graph runs, or in a turn of a rolled loop."""
        bounds = with_tensors(bounds)
        if not any(map(is_symbolic, bounds)):
            return super().range_(*map(_read, bounds))
        require_whole(bounds)
        return Range.between(*range_bounds(bounds))

    def list_(self, *items: Any) -> Any:
        """`list(items)`."""
        if current_builder() is None or not items:
            return super().list_(*map(iterated, items))
        return gathered(*items)

    def tuple_(self, *items: Any) -> Any:
        """`tuple(items)`."""
        found = self.list_(*items)
        if not isinstance(found, StagedTuple):
            return tuple(found)
        return note_copied(StagedTuple(found.contents), found.contents, found)

    def collection(self, kind: type, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
        """A container of the module `collections`, of items that only the run knows."""
        if current_builder() is None:
            return super().collection(kind, args, kwargs)
        if kind is deque:
            items, *rest = args or (kwargs.get("iterable", ()),)
            maxlen = kwargs.get("maxlen", rest[0] if rest else None)
            _require_known_length(maxlen)
            found = gathered(items)
            if not isinstance(found, StagedTuple):
                return deque(found, maxlen)
            return note_copied(StagedDeque(found.contents, maxlen), found.contents, found)
        items = keyed_methods.listed(args[1:] if kind is defaultdict else args)
        if not any(has_staged_keys(each, of_pairs=kind is not Counter) for each in items):
            return super().collection(kind, (*args[: len(args) - len(items)], *items), kwargs)
        factory = args[0] if kind is defaultdict else None
        return new_dict(kind, items, kwargs, factory)

    def set_(self, *items: Any) -> Any:
        """`set(items)`, of Python objects."""
        if len(items) == 1 and isinstance(items[0], StagedKeyed):
            return sets.new_set(items[0])
        listed = [self.list_(each) for each in items]
        if any(isinstance(each, StagedTuple) or any(map(has_staged, each)) for each in listed):
            made = sets.new_set(*listed)
            return (
                made.in_no_order() if any(isinstance(each, sets.OF_OTHER_ORDER) for each in items) else made
            )
        return super().set_(*listed)

    def starred_set(self, parts: Sequence[tuple[bool, Any]]) -> Any:
        """`{*one, another, …}`, of Python objects: its order follows from those of sets among them."""
        listed = [self._put_in(part) if is_starred else [part] for is_starred, part in parts]
        if not any(isinstance(each, _OF_GRAPH) or any(map(has_staged, each)) for each in listed):
            return super().starred_set([(True, each) for each in listed])
        return sets.new_set(*listed)

    def _put_in(self, part: Any) -> Any:
        """What is put into a set by a star: a set or a dict itself, and anything else as a list."""
        return part if isinstance(part, sets.OF_OTHER_ORDER) else self.list_(part)

    def frozenset_(self, *items: Any) -> Any:
        """`frozenset(items)`, of Python objects: its hash follows from its elements."""
        listed = [
            each if isinstance(each, _WITH_ROOM) else self.list_(sets.unordered(each)) for each in items
        ]
        if any(isinstance(each, StagedTuple) or any(map(has_staged, each)) for each in listed):
            raise NoConcreteValue(
                "a frozenset is made of what only the run knows",
                where=caller_location(),
                why="Equal frozensets have equal hashes, and the elements only exist when the graph runs.",
                way_out="Make a set, `set(items)`, to ask what is in it. As a key, or an element of a set, "
                "use a tuple in order: `tuple(sorted(items))`.",
            )
        return super().frozenset_(*listed)

    def dict_(self, /, *items: Any, **named: Any) -> Any:
        """`dict(items, **named)`, with keys of Python."""
        if items and isinstance(items[0], records.StagedRecord):
            copied = items[0].copy()
            copied.update(**named)
            return copied
        plain = [each if hasattr(type(each), "keys") else self.list_(each) for each in items]
        if any(has_staged_keys(each, of_pairs=True) for each in plain):
            return new_dict(dict, plain, named)
        return super().dict_(*plain, **named)

    def mapping(self, value: Any) -> Any:
        """`{**value}`."""
        if isinstance(value, records.StagedRecord):
            return value.copy()
        return new_dict(dict, [value]) if isinstance(value, StagedDict) else super().mapping(value)

    def sorted_(self, items: Any, **options: Any) -> Any:
        """The items in order."""
        if current_builder() is None:
            return super().sorted_(iterated(items), **options)
        _require_rank(items)
        return ordering.in_order(items if options.get("key") else _in_any_order(items), **options)

    # ── builtins that look at every item ──

    def max_(self, *arguments: Any, **options: Any) -> Any:
        """The greatest of some items."""
        return self._best(max, arguments, options)

    def min_(self, *arguments: Any, **options: Any) -> Any:
        """The least of some items."""
        return self._best(min, arguments, options)

    def _best(self, builtin: Any, arguments: Sequence[Any], options: dict[str, Any]) -> Any:
        items: Any = arguments[0] if len(arguments) == 1 else arguments
        if current_builder() is None:
            return builtin(iterated(items), **options)
        _require_rank(items)
        if not options and is_symbolic(items) and _has_whole_numbers(items):
            return (ops.max if builtin is max else ops.min)(vector(items))
        if options.get("key") and isinstance(items, sets.StagedSet) and not items.has_pythons_order:
            tied = items.tied(builtin.__name__)
            return sets.in_any_order(items, lambda each: ordering.best(builtin, each, tied=tied, **options))
        source = items if options.get("key") else _in_any_order(items)
        found = source if isinstance(source, StagedTuple) else gathered(source)
        if not isinstance(found, list):
            return ordering.best(builtin, found, **options)
        keys = found if options.get("key") is None else list(map(options["key"], found))
        if not is_of_run(keys):
            return builtin(found, **options)
        if len(found) > MOST_COMPARED:
            return ordering.best(builtin, found, **options)
        return self._first_best(builtin, found, keys)

    def _first_best(self, builtin: Any, items: list[Any], keys: list[Any]) -> Any:
        """The greatest or the least of a few items, compared one after the other as Python does."""
        before = operator.gt if builtin is max else operator.lt
        best_item, best_key = items[0], keys[0]
        for item, key in zip(items[1:], keys[1:], strict=True):
            better = ordering.compared(before, key, best_key)
            if keys is items:
                best_item = best_key = self.if_exp(better, partial(_same, key), partial(_same, best_key), "")
            else:
                best_item = self.if_exp(better, partial(_same, item), partial(_same, best_item), "")
                best_key = self.if_exp(better, partial(_same, key), partial(_same, best_key), "")
        return best_item

    def sum_(self, items: Any, start: Any = 0) -> Any:
        """The sum along the first axis."""
        if current_builder() is None:
            return super().sum_(iterated(items), start)
        if is_symbolic(items):
            require_items(items)
            return sums.sum_of_array(items, start)
        if isinstance(items, Range) and (total := items.total) is not None:
            return total + start
        found = gathered(
            sums.without_rounding(_in_any_order(items) if isinstance(items, produced.Generated) else items)
        )
        if isinstance(found, list):
            return sums.sum_of_items(found, start)
        return sums.sum_of_list(found, start)

    def any_(self, items: Any) -> Any:
        """Whether one element is true."""
        return ops.stands_for_python(self._decides(items, wanted=True))

    def all_(self, items: Any) -> Any:
        """Whether every element is true."""
        return ops.stands_for_python(self._decides(items, wanted=False))

    def _decides(self, items: Any, *, wanted: bool) -> Any:
        if current_builder() is None:
            return (any if wanted else all)(iterated(items))
        if is_symbolic(items):
            return (ops.any if wanted else ops.all)(vector(items))
        return produced.decides(
            items if isinstance(items, produced.Generated) else sets.unordered(items), wanted, self._truth
        )

    def _truth(self, value: Any) -> Any:
        """A bool, or a tensor of bool: what an object of the program's says of itself."""
        if staging.stand_ins is not None:
            value = truth(staging.stand_ins.backends, value)
        return self.not_(self.not_(value))


def _require_rank(items: Any) -> None:
    """Sees to it that it is known whether the items of an array are numbers, which can be compared."""
    if is_symbolic(items):
        _ = items.ndim  # which raises


MOST_COMPARED = 16
"""Items that `max` and `min` compare one by one: more of them are a vector."""


def _read(value: Any) -> Any:
    """A variable's value; anything else as it is."""
    return as_tensor(value) if isinstance(value, Variable) else value


def _in_any_order(items: Any) -> Any:
    """A set as a list, and so what a generator expression makes of one; anything else as it is.

    For what does not depend on the order of the items, where equal ones are the same.
    """
    source = items.source if isinstance(items, produced.Generated) and items.is_untouched else None
    if not isinstance(source, sets.StagedSet) or source.has_pythons_order:
        return sets.unordered(items)
    items.become(EXHAUSTED)
    found = sets.in_any_order(source, lambda each: produced.gathered_by(each, items.clauses, items.kind))
    if not isinstance(found, StagedList) or not sums.are_whole(found.contents):
        source.items  # noqa: B018  # says what is wrong with their order
    return found


_WITH_ROOM = (set, frozenset, dict)
"""Of these Python makes a set with room for all of them, which shows in its order."""


def _has_whole_numbers(items: Tensor) -> bool:
    """Whether there is an item, and none is a NaN, of which the order of the items would decide."""
    shape = items.static_shape
    return shape is not None and shape != () and shape[0] != 0 and not items.dtype.is_floating


def _same(value: Any) -> Any:
    return value


def _require_known_length(maxlen: Any) -> None:
    """Sees to it that it is known while tracing how many items a deque keeps."""
    if not is_symbolic(maxlen):
        return
    if not is_weak(maxlen):
        refuse(TypeError("an integer is required"))  # which NumPy's are not, to `deque`
    raise NoConcreteValue(
        "how many items a deque keeps is only known to the run",
        where=caller_location(),
        why="A graph has to know that while it is traced.",
        way_out="Take out what is too much, `if len(items) > n: items.popleft()`.",
    )


_OF_GRAPH = (StagedTuple, StagedKeyed)
"""Containers of a graph, of whose items only a run knows."""
