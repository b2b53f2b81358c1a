"""Python's containers where items or lengths are values of the graph: items, methods, comprehensions."""

from __future__ import annotations

import operator
from collections import Counter, defaultdict, deque
from collections.abc import Callable
from functools import partial
from typing import Any, NoReturn

import numpy as np

from autograph.backends.tensors.arrays.arrays import is_numpys, may_give_way
from autograph.backends.tensors.arrays.boxes import in_the_graph, is_of_graph
from autograph.backends.tensors.containers import in_place, keyed_methods, looking, sets
from autograph.backends.tensors.containers.becoming import (
    are_many_numbers,
    are_many_tuples,
    become_staged,
    become_staged_for_items,
    grown,
)
from autograph.backends.tensors.containers.builtins import Builtins
from autograph.backends.tensors.containers.copied import note_handed_over
from autograph.backends.tensors.containers.dicts import looked_up, new_dict
from autograph.backends.tensors.containers.keyed import StagedKeyed, has_staged, has_staged_keys, may_be_none
from autograph.backends.tensors.containers.lists import StagedList, StagedTuple, contents_of, gathered
from autograph.backends.tensors.containers.other_names import other_names
from autograph.backends.tensors.iteration import ordering, produced
from autograph.backends.tensors.iteration.items import (
    Items,
    Lazy,
    Produced,
    Range,
    all_unpacked,
    as_items,
    is_short,
    iterated,
    require_items,
)
from autograph.backends.tensors.iteration.iterating import at_hand, is_staged
from autograph.backends.tensors.iteration.spread import Columns
from autograph.backends.tensors.objects.choices import is_constant
from autograph.backends.tensors.objects.objects import (
    are_chosen,
    are_many,
    are_of_two_kinds,
    holds_objects,
    inserted_among,
    item_among,
    position_among,
    put_among,
    taken_out,
    without_copies,
)
from autograph.backends.tensors.scalars.indices import named, require_index, require_whole
from autograph.backends.tensors.statements.maybe import MaybeNone
from autograph.backends.tensors.statements.turn_numbers import TurnNumber, applied
from autograph.backends.tensors.strict import refuse_item_assignment, refuse_iteration, refuse_membership
from autograph.backends.tensors.text.strings import found_in_text, grounded
from autograph.staging import notes, places
from autograph.staging.backend import Clauses, ComprehensionKind
from autograph.staging.heap import moved_to
from runtime import ops
from runtime.core.dtypes import as_dtype
from runtime.core.tensor import Tensor, owner_of
from runtime.errors import StateDisagrees
from runtime.graph.build import bind_all, current_builder, is_symbolic, is_weak
from runtime.graph.location import caller_location
from runtime.ops.examples import NUMBERS, refuse_as_python
from runtime.ops.methods import takes_as_float
from runtime.ops.tensor_list import UnpackLength

__all__ = ["Sequences"]


_REAL = frozenset({bool, int, float})


def _require_array(target: Tensor, index: Any) -> None:
    """Sees to it that no number is written into; where nobody knows, what has no axes may be an array."""
    is_position = isinstance(index, int | slice) and not isinstance(index, bool)
    if not ops.is_array(target) and (is_position or is_weak(target) or ops.is_number(target)):
        raise TypeError(f"'{named(target)}' object does not support item assignment")


def _has_staged(nest: Any) -> bool:
    """Whether a value of the graph is in an index, or in rows that are written into an array."""
    return any(map(_has_staged, nest)) if isinstance(nest, tuple | list) else is_staged(nest)


LOOKED_THROUGH = frozenset({dict, frozenset, list, range, set, tuple})
"""Containers in which Python looks for a number."""

BY_INDEX = frozenset({"__delitem__", "insert", "pop"})

LENGTHS = {"__delitem__": -1, "append": 1, "insert": 1, "pop": -1, "remove": -1}
"""By how much a method makes a list longer."""


class Sequences(Builtins):
    """What a graph makes of containers, beside the builtins that take them."""

    # ── containers ──

    def before(self, items: Any, last: int) -> NoReturn:
        """Says that turns have changed a list under a loop backwards over it."""
        del items, last
        raise StateDisagrees(
            "a loop over `reversed(items)` takes items out of the list, or puts others in their places",
            where=caller_location(),
            why="A tensor decides whether it does, so that only the run knows which items are still to come.",
            way_out="Run over a copy: `for item in items[::-1]`.",
        )

    def behind(self, items: Any, count: int) -> Any:
        """The items from there on, also those that are yet to come."""
        sequence = as_items(items)
        return Items(lambda: sequence.length - count, lambda index: sequence.item(index + count))

    def get_item(self, target: Any, index: Any) -> Any:
        """`target[index]`, where a tensor is one of them."""
        if isinstance(target, dict) and has_staged(index):
            if isinstance(target, defaultdict | Counter):
                return become_staged(target)[index]
            if may_be_none(target, index):
                return index.ag__either(partial(self.get_item, target))
            return looked_up(target, index)
        if isinstance(target, deque) and is_symbolic(index) and target:
            require_whole((index,), "sequence index must be integer, not '{}'")
            index, target = position_among(target, index, "deque index out of range"), list(target)
        if isinstance(target, (list, tuple)):
            require_index(tuple if isinstance(target, tuple) else list, index)
        if isinstance(target, (list, tuple)) and is_symbolic(index) and are_chosen(target):
            if are_many(target):
                return become_staged_for_items(target)[index]
            return item_among(list(target), position_among(target, index, "index out of range"))
        if isinstance(target, (list, tuple)) and is_staged(index):
            if isinstance(index, slice):
                if not target and not is_staged(index.step):
                    return super().get_item(target, slice(None, None, index.step))
                without_copies(target, index)
            kind = StagedList if isinstance(target, list) else StagedTuple
            return kind(contents_of(target))[index]
        if isinstance(target, str) and _has_staged(index):
            return grounded(target)[index]
        if isinstance(target, range) and is_staged(index):
            return Range(target.start, target.stop, target.step)[index]
        if isinstance(target, np.flatiter) and _has_staged(index):
            return ops.get_item(ops.flat(in_the_graph(target.base)), index)
        if isinstance(target, np.ndarray) and _has_staged(index):
            is_written = is_numpys(target) and ops.can_write() and other_names().takes_arrays()
            found = ops.get_item(ops.target(target) if is_written else target, index)
            if (
                is_numpys(target)
                and not is_written
                and found.static_shape != ()
                and not ops.is_advanced(index)
            ):
                other_names().note_shown(owner_of(target))
            return found
        return super().get_item(target, index)

    def set_item(self, target: Any, index: Any, value: Any) -> Any:
        """`target[index] = value`. Tensors themselves never change: another one takes the place."""
        if isinstance(target, list):
            require_index(list, index)
        if isinstance(target, Tensor):
            if is_symbolic(target):
                refuse_item_assignment()
                _require_array(target, index)
            return _with_item(target, index, value)
        if isinstance(target, np.ndarray):
            # NumPy would change it now, once, whatever decides in the graph
            is_decided = _has_staged(value) or _has_staged(index)
            if is_decided or (ops.can_write() and is_of_graph(target)):
                return _with_item(target, index, value)
        elif isinstance(target, np.flatiter) and ops.can_write():
            if is_symbolic(value) or _has_staged(index) or is_of_graph(target.base):
                ops.write_item(ops.flat(ops.target(target.base)), index, value)
                return target
        elif isinstance(target, dict | deque) and has_staged(index):
            staged = become_staged(target)
            staged[index] = value
            return staged
        elif isinstance(target, list) and is_symbolic(index) and _is_long(target, value):
            staged = become_staged_for_items(target)
            staged[index] = value
            return staged
        elif isinstance(target, list) and is_symbolic(index) and are_chosen([*target, value]):
            put_among(target, position_among(target, index, "assignment index out of range"), value)
            return target
        elif isinstance(target, list) and (
            is_staged(index) or (isinstance(index, slice) and isinstance(value, Lazy | StagedTuple))
        ):
            staged = grown(target)
            staged[index] = value
            if not isinstance(index, slice):
                return _given_back(target, staged, 0)
            now = become_staged(target, staged.contents)
            now[:] = staged
            return now
        return super().set_item(target, index, value)

    def augment_item(self, target: Any, index: Any, change: Callable[[Any], Any]) -> Any:
        """`target[index] += …`. As in NumPy, a part of a tensor keeps its dtype; a single number is cast."""
        if isinstance(target, list) and is_symbolic(index):
            items, item = list(target), self.get_item(target, index)
            changed = change(item)
            is_same = changed is item and ops.is_array(item) and are_chosen(items)
            if is_same and all(map(operator.is_, items, target)):
                return target  # the array was changed in place
            return self.set_item(target, index, changed)
        if not isinstance(target, (Tensor, np.ndarray)):
            return super().augment_item(target, index, change)
        is_of_run = not isinstance(target, np.ndarray) or _has_staged(index) or is_of_graph(target)
        if is_of_run and may_give_way(target) and ops.can_write():
            target = ops.target(target)
        item = self.get_item(target, index)
        changed = change(item)
        if changed is item and not self.copies_item(target, index) and ops.is_array(item):
            return target  # it is a view, and was changed in place
        if (
            isinstance(changed, Tensor)
            and (item.static_shape if isinstance(item, Tensor) else np.shape(item)) != ()
        ):
            ops.require_castable("the operator", changed.dtype, as_dtype(target.dtype))
        return self.set_item(target, index, changed)

    def copies_item(self, target: Any, index: Any) -> bool:
        """Whether arrays of integers or masks select the item of a tensor: NumPy copies what they select."""
        return isinstance(target, Tensor) and ops.is_advanced(index)

    def list_method(self, target: Any, name: str, *arguments: Any, **options: Any) -> Any:
        """A method of a Python list or tuple that tensors are in, or are given to."""
        if name == "sort":
            ordered = ordering.in_order(list(target), **options, of=target)
            if isinstance(ordered, StagedList):
                now = moved_to(target)
                (become_staged(target) if now is target else now)[:] = ordered
            else:
                notes.note(places.Contents(target))
                target[:] = ordered
            return None
        if name in {"insert", "pop"}:
            require_whole(arguments[:1])
        if name == "insert" and type(arguments[0]) is int and isinstance(target, list):
            notes.note(places.Contents(target))
            target.insert(*arguments)
            return None
        if name in BY_INDEX and is_symbolic(arguments[0]) and are_chosen([*target, *arguments[1:]]):
            if name == "insert":
                return inserted_among(target, *arguments)
            outside = "pop index out of range" if name == "pop" else "list assignment index out of range"
            return taken_out(target, position_among(target, arguments[0], outside))
        if name == "extend":
            notes.note(places.Contents(target))
            in_place.extended(target, _to_add(*arguments))
            return None
        if name in keyed_methods.COMPARING and holds_objects([*target, *arguments]):
            kind = tuple if isinstance(target, tuple) else list
            return ordering.converted(f"{kind.__name__}_{name}")(target, *arguments)
        staged = StagedTuple(contents_of(target)) if isinstance(target, tuple) else grown(target)
        result = getattr(staged, name)(*arguments, **options)
        if name in LENGTHS and isinstance(staged, StagedList):
            _given_back(target, staged, LENGTHS[name])
        return result

    def keyed_method(self, target: Any, name: str, arguments: tuple[Any, ...]) -> Any:
        """A method of a dict, a set or a deque, where a value of the graph decides what it does."""
        return keyed_methods.keyed_method(target, name, arguments)

    def list_pop(self, target: Any, *index: Any) -> tuple[Any, Any]:
        """`target.pop(*index)`, where a tensor says which element."""
        if isinstance(target, dict) and index and isinstance(index[0], MaybeNone):
            staged = become_staged(target)
            return staged, staged.pop(*index)
        if isinstance(target, list) and any(map(is_staged, index)):
            return target, self.list_method(target, "pop", *index)
        return super().list_pop(target, *index)

    def delete_item(self, target: Any, index: Any) -> None:
        """`del target[index]`, where a tensor is one of them."""
        if isinstance(target, dict | deque) and has_staged(index):
            del become_staged(target)[index]
        elif isinstance(target, list) and is_staged(index) and not isinstance(index, slice):
            require_index(list, index)
            self.list_method(target, "__delitem__", index)
        else:
            if is_symbolic(target) and not ops.is_array(target):
                refuse_as_python(operator.delitem, target, index)
            super().delete_item(target, index)

    def list_extend(self, target: Any, items: Any) -> Any:
        """`target.extend(items)`; a list of the graph where a tensor decides how many there are."""
        return in_place.extended(target, _to_add(items))

    def changed_in_place(self, target: Any, symbol: str, value: Any) -> Any:
        """`target += value`; a container of the graph where only the run knows what that does."""
        return in_place.changed_in_place(target, symbol, value)

    def contains(self, container: Any, item: Any) -> Any:
        """`item in container`: whether one element equals it, as a bool of Python's."""
        if (
            isinstance(item, TurnNumber)
            and type(container) in LOOKED_THROUGH
            and all(map(is_constant, container))
        ):
            return applied(partial(operator.contains, container), item)
        return ops.stands_for_python(self._is_among(container, item))

    def _is_among(self, container: Any, item: Any) -> Any:
        if may_be_none(container, item):
            return item.ag__either(partial(self._is_among, container))
        if is_symbolic(item) or is_symbolic(container):
            refuse_membership()
        if is_symbolic(container) and container.static_shape == ():
            raise TypeError(f"argument of type '{named(container)}' is not iterable")
        if container is None or type(container) in NUMBERS.values() or isinstance(container, np.generic):
            refuse_as_python(operator.contains, container, 0)  # whatever the item is
        if isinstance(container, StagedKeyed):
            return container.__contains__(item)
        if isinstance(container, str):
            return found_in_text(container, item)
        if isinstance(container, dict) and has_staged(item):
            container = list(container)
        if current_builder() is None or isinstance(container, dict):
            return super().contains(iterated(container), item)
        if is_symbolic(container):
            return ops.any(container == item)
        if isinstance(container, StagedTuple):
            return ops.any(container.contents.matches(item))
        if isinstance(container, np.ndarray):
            return ops.any(ops.equal(container, item))
        if isinstance(container, (set, frozenset)):
            if not (isinstance(item, (tuple, *self.owns)) or has_staged(item)):
                return super().contains(container, item)
            container = list(container)
        return looking.found_in(container, item)

    def unpack(self, value: Any, count: int) -> Any:
        """Something that Python unpacks into so many targets."""
        value = at_hand(value)
        items = value.one_by_one(count) if isinstance(value, Columns) else self._to_unpack(value)
        if items is None:
            return iterated(value)
        if isinstance(items.length, int):
            return items
        bind_all(UnpackLength(count, True), items.length)
        return [items.item(index) for index in range(count)]

    def unpack_starred(self, value: Any, before: int, after: int) -> Any:
        """A value for each target, one of which is starred and takes a list."""
        value = at_hand(value)
        items = self._to_unpack(value)
        if items is None:
            return super().unpack_starred(iterated(value), before, after)
        if isinstance(items.length, int):
            return super().unpack_starred(items, before, after)
        length = items.length
        bind_all(UnpackLength(before + after, False), length)
        rest = Items(length - before - after, lambda index: items.item(index + before))
        first = [items.item(index) for index in range(before)]
        last = [items.item(length - after + index) for index in range(after)]
        middle = gathered(rest)
        return [*first, middle if isinstance(middle, StagedList) else grown(middle), *last]

    def _to_unpack(self, value: Any) -> Items | None:
        """The items of what the graph has; None for what Python can unpack."""
        if is_symbolic(value):
            require_items(value, all_unpacked)
        return as_items(value) if is_symbolic(value) or isinstance(value, Lazy) else None

    # ── comparisons ──

    def equal(self, a: Any, b: Any) -> Any:
        """`a == b`, also of containers with values of the graph in them."""
        if type(a) is complex and takes_as_float(a, b):  # or NumPy's number would be asked, turned round
            return ops.stands_for_python(super().equal(a, b))
        if ordering.are_nests(a, b):
            return ops.stands_for_python(ordering.equal(a, b))
        return super().equal(a, b)

    def not_equal(self, a: Any, b: Any) -> Any:
        """`a != b`, likewise."""
        if type(a) is complex and takes_as_float(a, b):
            return ops.stands_for_python(super().not_equal(a, b))
        return self.not_(ordering.equal(a, b)) if ordering.are_nests(a, b) else super().not_equal(a, b)

    def ordered(self, compare: Callable[[Any, Any], Any], a: Any, b: Any) -> Any:
        """`a < b` and its likes, likewise."""
        if type(a) in _REAL and isinstance(b, Tensor) and not b.dtype.is_complex:
            return compare(a, b)  # which nothing can be wrong with
        return ordering.compared(compare, a, b)

    # ── comprehensions ──

    def list_comp(self, items: Any, clauses: Clauses, kind: ComprehensionKind) -> Any:
        """A list of Python's, where its length is known; otherwise one of the graph."""
        if produced.is_long_range(items) and not kind.is_filtered and not kind.is_nested:
            return produced.gathered_of_range(items, clauses)
        plain = _for_python(items, kind)
        if plain is not None:
            found: list[Any] = super().list_comp(plain, clauses, kind)
            return plain.with_rest(found, clauses) if isinstance(plain, produced.OneByOne) else found
        return produced.gathered_by(items, clauses, kind)

    def set_comp(self, items: Any, clauses: Clauses, kind: ComprehensionKind) -> Any:
        """A set of Python objects: which tensors are equal is not known before the run."""
        if isinstance(items, sets.StagedSet) and not items.has_pythons_order:
            found = sets.in_any_order(items, lambda each: produced.gathered_by(each, clauses, kind))
            return sets.new_set(found).in_no_order()
        plain = _for_python(items, kind)
        if plain is not None:
            found = super().list_comp(plain, clauses, kind)
            return self.set_(
                plain.with_rest(found, clauses) if isinstance(plain, produced.OneByOne) else found
            )
        return self.set_(produced.gathered_by(items, clauses, kind))

    def dict_comp(self, items: Any, clauses: Clauses, kind: ComprehensionKind) -> Any:
        """A dict with keys of Python."""
        plain = _for_python(items, kind)
        if plain is not None:
            found = super().list_comp(plain, clauses, kind)
            if isinstance(plain, produced.OneByOne) and plain.rest is not None:
                return self.dict_(plain.with_rest(found, clauses))
            return new_dict(dict, [found]) if has_staged_keys(found, of_pairs=True) else dict(found)
        pairs = produced.gathered_by(items, clauses, kind)
        if isinstance(pairs, StagedList) and has_staged_keys(pairs, of_pairs=True):
            return note_handed_over(new_dict(dict, [pairs]), pairs.contents, pairs)
        return self.dict_(pairs)

    def generator(self, items: Any, clauses: Clauses, kind: ComprehensionKind) -> Any:
        """Something that gives its values one by one, in branches of the graph where it comes to that."""
        if current_builder() is None:
            return super().generator(iterated(items), clauses, kind)
        has_order = not isinstance(items, sets.StagedSet) or items.has_pythons_order
        return produced.generated(items, clauses, kind, self.iterator_over(items) if has_order else None)


def _to_add(items: Any) -> Any:
    """What `extend` adds: the items, or as many as a tensor decides."""
    return gathered(items) if isinstance(items, (Tensor, Lazy)) and current_builder() else iterated(items)


def _for_python(items: Any, kind: ComprehensionKind) -> Any:
    """What Python's own comprehension may run over; None where a graph has to."""
    if current_builder() is None:
        return iterated(items)
    if is_symbolic(items) or isinstance(items, Lazy):
        refuse_iteration()
    if isinstance(items, Produced) or kind.is_filtered or kind.is_nested or not is_short(items):
        return None
    return produced.OneByOne(items)


def _with_item(target: Any, index: Any, value: Any) -> Any:
    """An array with another item: itself, where it can be written to."""
    if not ops.can_write():
        return ops.set_item(target, index, value)
    array = ops.target(target)
    ops.write_item(array, index, value)
    return array


def _is_long(target: list[Any], value: Any) -> bool:
    """Whether a list had better be one of the graph before a tensor says which item is another one."""
    if are_chosen([*target, value]):
        return are_many(target) or are_of_two_kinds([*target, value])
    return are_many_numbers(target) or (are_many_tuples(target) and other_names().rolls_freely())


def _given_back(target: list[Any], staged: StagedList, longer: int) -> list[Any]:
    """The Python list with the elements of the list of a graph that stood in for it."""
    length = len(target) + longer
    notes.note(places.Contents(target))
    target[:] = [staged.contents.get(index) for index in range(length)]
    return target
