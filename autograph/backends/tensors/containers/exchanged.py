"""Elements of a list that change places: `rows[i], rows[j] = rows[j], rows[i]`, or by a third name.

A list of the graph holds copies of the lists that are put into it (`copied`). The first of two assignments
puts an element of the list into it for the second time, and of such a list no element may be changed in
place. The second assignment takes that back: it puts what was at the one place to the other one, where
the element was that is there twice. So each is in the list once again, also where both places are one.

    kept = rows[i]
    rows[i] = rows[j]        is in the list twice
    rows[j] = kept           no longer
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from autograph.backends.tensors.containers.copied import Copied, mark, may_change
from autograph.staging.context import staging
from autograph.staging.heap import original_of
from autograph.staging.meeting import is_made_since
from autograph_base.dataclass import dataclass
from runtime.graph.build import as_tensor, current_builder
from runtime.graph.builder import Builder
from runtime.graph.graph import Value
from runtime.graph.op import Effects, Placeholder
from runtime.graph.symbol import Symbol
from runtime.passes.compare import is_exactly

__all__ = ["NEW", "Exchange", "begun", "ended", "keep_order", "knows_objects", "shows_order"]


@dataclass(eq=False)
class Exchange:
    """The first half of an exchange: an element was put where another one is.

    Parameters
    ----------
    home : StagedList
    moved : container
        The element.
    source : object
        The index under which it was in the list before.
    key : object
        The index where it was put.
    position : Tensor
        Likewise, counted from the front.
    overwritten : dict of int to container
        By id, what was taken from there before.
    builder : Builder
        Of the graph in which that has happened.
    showed : bool
        Whether until then it was known which elements the list has.
    contents : object
        What the list holds since then.
    """

    home: Any
    moved: Any
    source: Any
    key: Any
    position: Any
    overwritten: Mapping[int, Any]
    builder: Builder
    showed: bool
    contents: Any = None

    def begin(self) -> None:
        """Says that the element has been put there."""
        self.contents = self.home.contents
        staging.exchange = self

    def end(self, value: Any, position: Any, changes: Any) -> None:
        """Says that what was overwritten is where the element was: nothing is in the list twice."""
        staging.tangled = self.home.holds_one_twice = False
        del staging.copies[id(value)]
        mark(value, self.home, changes, lambda: position, is_alone=True)
        staging.copies[id(self.moved)] = Copied(
            self.moved, self.home, self.moved, lambda: self.position, self.builder, self.key
        )


def knows_objects(home: Any) -> bool:
    """Whether a list is in the place of another one, and it is known which of the elements of that it has."""
    is_known = home.keeps_objects and home.is_as_long and may_change(home.contents.form)
    return is_known and original_of(home) is not None


def keep_order(home: Any, position: Any, first: Exchange | None) -> None:
    """Notes that an element was replaced, or is the second one of an exchange.

    If the list is one of those that were there before, its caller has other names for its elements.
    """
    if home.order is None:
        if _was_there(original_of(home)) and staging.other_names is not None:
            staging.other_names.keep_order()
        return
    held = home.order.contents
    if first is None:
        home.replaces_elements = True
        held = held.put(position, as_tensor(NEW))
    else:
        here, there = held.get(first.position), held.get(position)
        held = held.put(first.position, there).put(position, here)
    home.order._become(held)  # noqa: SLF001  # it is part of the list
    home.keeps_objects = True


NEW = -1
"""In an order: an element that was not there before."""


def shows_order(original: Any) -> bool:
    """Whether it is kept which element of a list is where, for a list of the graph that takes its place."""
    names = staging.other_names
    return names is not None and names.has_order and _was_there(original)


def _was_there(original: Any) -> bool:
    """Whether a list may be one that was there before what is traced."""
    return not is_made_since(original, 0)


def begun(home: Any, key: Any, value: Any, position: Any) -> Exchange | None:
    """The first half of an exchange, where an element of a list is about to be put to another place in it."""
    known, builder = staging.copies.get(id(value)), current_builder()
    if known is None or builder is None or staging.tangled or home.is_numbered or home.holds_one_twice:
        return None
    if not _is_where_it_was(known, home, builder):
        return None
    overwritten = {
        id(each.value): each.value
        for each in staging.copies.values()
        if _is_where_it_was(each, home, builder) and _is_one_index(each.key, key, home)
    }
    if not overwritten:
        return None
    return Exchange(home, value, known.key, key, position, overwritten, builder, knows_objects(home))


def ended(home: Any, key: Any, value: Any) -> Exchange | None:
    """What is an exchange as a whole, once a value is put to an index of a list."""
    found = staging.exchange
    if found is None or found.home is not home or id(value) not in found.overwritten:
        return None
    is_half = found.builder is current_builder() and found.contents is home.contents
    return found if is_half and _is_one_index(found.source, key, home) else None


def _is_where_it_was(known: Copied, home: Any, builder: Builder) -> bool:
    """Whether a container is an element that was taken from a list, and is there under that index."""
    is_element = known.value is known.element and known.key is not None and known.place is not None
    return is_element and known.home is home and known.builder is builder


def _is_one_index(one: Any, other: Any, home: Any) -> bool:
    """Whether two indices of a list are surely one: one value, made of one value in one way, or one place."""
    if isinstance(one, Symbol) and isinstance(other, Symbol):
        return _is_one_value(one.value, other.value)
    if type(one) is not int or type(other) is not int:
        return False
    return one == other or (home.is_as_long and abs(one - other) == _length_of_original(home))


def _length_of_original(home: Any) -> int | None:
    """The length of the list in whose place one is; None where that was no list of Python's."""
    original = original_of(home)
    return len(original) if type(original) is list else None


def _is_one_value(one: Value, other: Value, depth: int = 0) -> bool:
    if one is other:
        return True
    left, right = one.node, other.node
    if one.index != other.index or isinstance(left.op, Placeholder) or depth == _DEEPEST:
        return False
    if left.op.effects is not Effects.NONE or left.op.regions or not is_exactly(left.op, right.op):
        return False
    pairs = zip(left.inputs, right.inputs, strict=True)
    return len(left.inputs) == len(right.inputs) and all(
        _is_one_value(mine, theirs, depth + 1) for mine, theirs in pairs
    )


_DEEPEST = 6
"""Operations behind one another of which an index is made, as far as these are looked at."""
