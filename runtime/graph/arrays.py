"""Mutable arrays over immutable values: what each array of a trace holds now, its views and aliases.

The value that an array started as says which array it is. Once somebody has written into it, what it holds is
another value, and everything that means the array is read anew: under its other names, in graphs inside, and
through its views. A view is what an op gives that has `put_back`: it shows a part of its first operand.

    x = Relu(v)           x: an array of its own
    r = StridedSlice(x)   r: a view of x
    r[0] = 1.0            x holds TensorStridedSliceUpdate(x, …) from now on, and r is cut out of that
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import copy
from functools import cache
from math import prod
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from runtime.core.dtypes import DType
from runtime.core.shapes import is_known
from runtime.core.spec import ArraySpec
from runtime.core.tensor import Array
from runtime.errors import NoConcreteValue, StateDisagrees
from runtime.graph.location import Location
from runtime.graph.op import Const
from runtime.graph.refusals import of_arrays
from runtime.graph.ties import Kin, Tie, Way, ends_of, ways_from

if TYPE_CHECKING:
    from runtime.graph.builder import Builder
    from runtime.graph.graph import Node, Value

__all__ = ["Arrays", "Unknown", "watch_writes"]


class Unknown:
    """What an array holds that may have been written to, under a name of which only the run knows it.

    Parameters
    ----------
    where : Location
        The line that wrote.
    by_turns : bool, optional
        Whether some turns of a loop have written to the array itself, before they bound its name to others.
    """

    def __init__(self, where: Location, *, by_turns: bool = False) -> None:
        self.where, self.by_turns = where, by_turns

    def refuse(self, value: Value | None) -> NoReturn:
        """Says that nobody knows what the array holds."""
        raise of_arrays(
            StateDisagrees(
                "an array is read that may have been written to under another name",
                details=[f"it may have been written to here:\n{self.where.describe()}"],
                origin="" if value is None else value.origin(),
                why="Which array the other name means shows only when the graph runs.",
                way_out="Write to a copy (`x.copy()`), or read the array under the name that was written to.",
            )
        )

    def refuse_outside(self, value: Value) -> NoReturn:
        """Says that nobody knows what an array holds in the end that others see, whoever reads it."""
        raise of_arrays(
            StateDisagrees(
                "an array outside of the function may be written to under another name",
                where=self.where,
                origin=value.origin(),
                why="Which array the name means shows only when the graph runs.",
                way_out="Write to a copy (`x.copy()`), or under the name of the array, by an index.",
            )
        )


Unknown.__name__ = Unknown.__qualname__ = "array"  # as Python's own errors name it


MOST_NUMBERED = 1 << 16
"""Elements of an array up to which two views of it are compared element by element."""


class _NoOrder(Exception):  # a signal within this file, never seen outside
    """Nobody knows in which order the elements of an array lie."""


_watchers: list[Callable[[Value], None]] = []


def watch_writes(announce: Callable[[Value], None]) -> None:
    """Has `announce` called with every array that is about to be written to."""
    _watchers.append(announce)


class Arrays:
    """The arrays of a graph that is being built and of all graphs around it and inside.

    Attributes
    ----------
    contents : dict of Value to Value or Unknown
        What the arrays hold that were written to, by what they started as.
    chosen : dict of Value to sequence of leaves
        What branches have made arrays of: what each of the paths has left.
    decided : dict of Value to (Value, mapping of bool to leaf)
        Those of them of which a test says what they are: the test, and what each path has left.
    captured : dict of Value to Value
        The inputs and constants of graphs inside, and what they stand for.
    own : set of Value
        Values of ops that give views which are arrays of their own: a copy was asked for.
    compared : set of Value
        Arrays that were asked whether they are another one, and those that may be one with them.
    in_place_of : dict of Value to array
        The arrays of NumPy's that have given way, with all that shows their memory.
    listed : set of Value
        Arrays that were put into a list of the graph, which holds what they held then.
    taken_in_rows : set of Value
        Arrays whose elements were taken to lie row by row when another shape of them was asked for.
    without_axes : set of Value
        Arrays that have no axes, as `np.asarray(1.0)` gives one: all other values of that shape are numbers.
    may_be_numbers : set of Value
        Those of them that are numbers on some paths: whoever writes into one binds another number there.
    in_lists : set of DType
        The dtypes of arrays without axes that lists of the graph hold, as numbers.
    of_lists : set of Value
        Items of lists of the graph that may be arrays without axes in plain Python.
    of_tensors : set of Value
        What functions of tensors give that has no axes, and that is no number of NumPy's.
    taken : set of Value
        Constants that arrays of NumPy's were when an op took them: the graph does not hold these arrays.
    starts : dict of Node to int
        What arrays start with that were made in a `try`, and when, as whoever traces counts time.
    flat : dict of Value to Value
        What ``x.flat`` gives where that is no view in the order of rows, and the array.
    """

    __slots__ = (
        "__weakref__",
        "_gone",
        "_identities",
        "_in_rows",
        "_kin",
        "_kin_known",
        "_like",
        "_reread",
        "_roots",
        "_tied",
        "_unsure",
        "_ways_known",
        "captured",
        "chosen",
        "compared",
        "contents",
        "decided",
        "flat",
        "in_lists",
        "in_place_of",
        "listed",
        "may_be_numbers",
        "of_lists",
        "of_tensors",
        "own",
        "starts",
        "taken",
        "taken_in_rows",
        "without_axes",
    )

    def __init__(self) -> None:
        self.contents: dict[Value, Value | Unknown] = {}
        self.captured: dict[Value, Value] = {}
        self.chosen: dict[Value, Sequence[Any]] = {}
        self.compared: set[Value] = set()
        self.decided: dict[Value, tuple[Value, Mapping[bool, Any]]] = {}
        self.own: set[Value] = set()
        self.listed: set[Value] = set()
        self.taken: set[Value] = set()
        self.flat: dict[Value, Value] = {}
        self.in_place_of: dict[Value, Array] = {}
        self.starts: dict[Node, int] = {}
        self.taken_in_rows: set[Value] = set()
        self.without_axes: set[Value] = set()
        self.may_be_numbers: set[Value] = set()
        self.in_lists: set[DType] = set()
        self.of_lists: set[Value] = set()
        self.of_tensors: set[Value] = set()
        self._gone: set[Node] = set()
        self._identities: dict[Value, Value] = {}
        self._in_rows: set[Value] = set()
        self._like: dict[Value, Value] = {}
        self._unsure: set[Value] = set()
        self._kin: dict[Value, dict[Value, tuple[Tie, ...] | None]] = {}
        self._tied: dict[Value, dict[Value, tuple[Tie, ...]]] = {}  # of these, those with ties
        self._ways_known: dict[Value, Sequence[Way]] = {}  # until something more is learnt
        self._kin_known: dict[Value, Mapping[Value, bool]] = {}
        self._roots: dict[Value, Value] = {}
        self._reread: dict[tuple[Value, Value, Builder], Value] = {}

    def copy(self) -> Arrays:
        """The same knowledge, to which more may be added."""
        other = Arrays()
        other.go_back_to(self)
        return other

    def go_back_to(self, other: Arrays) -> None:
        """Forgets what was learnt since a copy was made."""
        for name in Arrays.__slots__:
            if name != "__weakref__":
                setattr(self, name, copy(getattr(other, name)))
        self._kin = {array: dict(others) for array, others in other._kin.items()}
        self._tied = {array: dict(others) for array, others in other._tied.items()}

    # ── which array ──

    def base(self, value: Value) -> Value | None:
        """What a value is a view of; None where it is an array of its own."""
        if value in self.own:
            return None
        if value in self.captured:
            return self.captured[value]
        op = value.node.op
        if op.put_back is None:
            return None
        whole = value.node.inputs[0]
        if not op.is_view(whole.spec, value.spec):
            return None
        is_in_order = self._is_in_order(value) if op.asks_for_order else True
        if is_in_order is None:
            self._may_show(value, whole)
        return whole if is_in_order else None

    def _may_show(self, value: Value, whole: Value) -> None:
        """Says that only the run knows whether an array is a view of another one."""
        if value in self._unsure:
            return
        self._unsure.add(value)
        root = self.root(whole)
        if self.contents.get(root, whole) is not whole:
            self.hold(value, Unknown(value.node.location))
        for each in (root, *self.kin(root)):
            self.may_be_same(value, each)

    def _is_in_order(self, value: Value) -> bool | None:
        """Whether NumPy shows an array in another shape without a copy, as the strides of one alike say.

        None where nobody knows the order in memory.
        """
        try:
            laid = self._laid(value.node.inputs[0])
        except _NoOrder:
            return None
        shape: Any = value.array_spec.shape
        if laid is None or not is_known(shape):
            return True
        try:
            np.reshape(laid, shape, copy=False)
        except ValueError:
            return False
        return True

    def _laid(self, value: Value) -> Array | None:
        """An array without content that lies in memory as another one does; None where a dim is not known.

        Raises
        ------
        _NoOrder
            When nobody knows the order in memory.
        """
        array = self.identity(value)
        base = self.base(array)
        if base is None:
            return self._laid_anew(array)
        whole = self._laid(base)
        if whole is None or array in self.captured or len(array.node.inputs) != 1:
            return whole if array in self.captured else None
        found = array.node.op.kernel(whole)
        return found[array.index] if type(found) is tuple else np.asarray(found)

    def _laid_anew(self, array: Value) -> Array | None:
        """Likewise, of an array that an op has made: row by row, or as its operands lie."""
        shape: Any = array.array_spec.shape
        if shape is None or len(shape) > 1:
            self.taken_in_rows.add(array)
        if not is_known(shape):
            return None
        in_rows = np.empty(shape, np.int8)
        if len(shape) < 2 or array in self._in_rows:
            return in_rows
        like, op = self._like.get(array), array.node.op
        for region in op.regions:
            if array.index in region.results:
                inner = self._laid(region.graph.outputs[region.results.index(array.index)])
                if inner is not None and not inner.flags.c_contiguous:
                    raise _NoOrder
        if op.regions:
            return in_rows
        inputs = array.node.inputs if like is None else (like,)
        found = [self._laid(each) for each in inputs if isinstance(each.spec, ArraySpec)]
        operands = [each for each in found if each is not None]
        if all(each.flags.c_contiguous for each in operands):
            return in_rows
        if not (op.lies_as_operands or like is not None):
            raise _NoOrder
        if len(operands) < len(found):
            return None
        roles: Any = [*[["readonly"]] * len(operands), ["writeonly", "allocate"]]
        with np.nditer([*operands, None], ["zerosize_ok"], roles, order="K") as iterator:
            laid: Array = iterator.operands[-1]
        return laid

    def make_like(self, array: Value, other: Value) -> None:
        """Says that an array lies in memory as another one does."""
        self._like[array] = other

    def make_in_rows(self, array: Value) -> None:
        """Says that an array lies in memory row by row, however what it was made of does."""
        self._in_rows.add(array)

    def identity(self, value: Value) -> Value:
        """The array that holds a value, where one does; otherwise the value."""
        value = self.origin(value)
        return self._identities.get(value, value)

    def root(self, value: Value) -> Value:
        """The array that a value is a view of, however far away."""
        found = self._roots.get(value)
        if found is None:
            found = self.identity(value)
            base = self.base(found)
            if base is not None:
                found = self.root(base)
            self._roots[value] = found
        return found

    def are_apart(self, one: Value, other: Value) -> bool:
        """Whether two views of an array are known to have no element in common, as two of its rows."""
        if self.root(one) is not self.root(other):
            return False
        found, others = self._elements(one), self._elements(other)
        return found is not None and others is not None and not np.intersect1d(found, others).size

    def _elements(self, value: Value) -> Array | None:
        """Which elements of its root a view shows, by their numbers; None where nobody knows."""
        array = self.identity(value)
        base = self.base(array)
        if base is None:
            shape: Any = array.array_spec.shape
            if not is_known(shape) or prod(shape) > MOST_NUMBERED:
                return None
            return np.arange(prod(shape)).reshape(shape)
        whole = self._elements(base)
        if whole is None or array in self.captured:
            return whole
        inputs = [self.identity(each).node.op for each in array.node.inputs[1:]]
        if not all(isinstance(op, Const) for op in inputs):
            return None
        shown = array.node.op.kernel(whole, *[op.value for op in inputs if isinstance(op, Const)])
        return shown[array.index] if type(shown) is tuple else np.asarray(shown)

    def is_array(self, value: Value) -> bool:
        """Whether a tensor stands for an array, which may be written into: one without axes is rare."""
        if value.array_spec.shape != ():
            return True
        array = self.identity(value)
        if array in self.without_axes:
            return True
        base = self.base(array)
        return base is not None and (array.node.op.makes_arrays or self.is_array(base))

    def require_one_class(self, value: Value) -> None:
        """Sees to it that a value is a number on all paths, or an array without axes on all of them.

        Raises
        ------
        NoConcreteValue
            When it is one or the other: then only a run knows its class, its hash and its `repr`.
        """
        if self.identity(value) in self.may_be_numbers:
            raise NoConcreteValue(
                "something depends on whether a value is a number or an array without axes, and here it is "
                "one on some paths, and the other on others",
                origin=value.origin(),
                why="They have classes of their own in Python, and only the run knows which it is.",
                way_out="Make it one of them on all paths: `x[()]` is a number, `np.asarray(x)` an array.",
            )

    def make_own(self, value: Value) -> None:
        """Says that a value is an array of its own."""
        self.own.add(value)
        self._roots.clear()
        self._has_learnt()

    # ── what it holds ──

    def now(self, builder: Builder, value: Value) -> Value:
        """What an array or a view holds now, as the graph of a builder, or one around it, has it.

        Raises
        ------
        StateDisagrees
            When nobody knows.
        """
        if value in self._identities or self.root(value) not in self.contents:
            return value  # what an array holds, or held, is no array: statements hand it on as a value
        return self._read(builder, self.identity(value))

    def _read(self, builder: Builder, value: Value) -> Value:
        held = self.contents.get(value)
        if held is not None:
            if isinstance(held, Unknown):
                held.refuse(value)
            return held
        base = self.base(value)
        if base is None:
            return value
        whole = self._read(builder, self.identity(base))
        if self.origin(whole) is self.origin(base):
            return value
        key = value, whole, builder
        found = self._reread.get(key)
        if found is None:
            node = value.node
            inputs = [builder.resolve(each) for each in (whole, *node.inputs[1:])]
            found = self._reread[key] = builder.add(node.op, inputs, node.location).outputs[value.index]
        return found

    def shown_again(
        self,
        builder: Builder,
        view: Value,
        is_seen: Callable[[Value], bool],
        known: Mapping[Value, Value] = MappingProxyType({}),
    ) -> Value | None:
        """A view that was made where a graph does not see it, made again; None where nobody can safely.

        Indices of the place where it was made are `known` by other values.
        """
        view = self.identity(view)
        if is_seen(view):
            return view
        base, node = self.base(view), view.node
        whole = None if base is None else self.shown_again(builder, base, is_seen, known)
        indices = [known.get(each, each) for each in node.inputs[1:]]
        if whole is None or not all(map(is_seen, indices)):
            return None
        inputs = [builder.resolve(each) for each in (whole, *indices)]
        if not indices and node.op.raises(*[each.spec for each in inputs]):  # but not where it was made
            return None
        return builder.add(node.op, inputs, node.location).outputs[view.index]

    def leave(self, nodes: Iterable[Node]) -> None:
        """Says that nodes have left their graph: nobody has the arrays that they made, or read."""
        gone = set(nodes)
        self._gone |= gone
        self._reread = {key: found for key, found in self._reread.items() if found.node not in gone}
        self._kin = {
            array: {other: self._known(ties) for other, ties in others.items() if other.node not in gone}
            for array, others in self._kin.items()
            if array.node not in gone
        }
        self._tied = {
            array: {other: ties for other, ties in others.items() if ties is not None}
            for array, others in self._kin.items()
        }
        self._has_learnt()

    def has_left(self, node: Node) -> bool:
        """Whether a node has left its graph."""
        return node in self._gone

    def _known(self, ties: tuple[Tie, ...] | None) -> tuple[Tie, ...] | None:
        """Ties whose values are all still there; None for others."""
        values = [each for tie in ties or () for each in (tie.test, tie.chosen, tie.shown)]
        return ties if self._gone.isdisjoint(each.node for each in values) else None

    @contextmanager
    def as_started(self, array: Value) -> Iterator[None]:
        """While a view of an array is made in a graph that does not see what the array holds now."""
        held = self.contents.pop(array, None)
        try:
            yield
        finally:
            if held is not None:
                self.contents[array] = held

    def origin(self, value: Value) -> Value:
        """What a value stands for, in the outermost graph that has it."""
        while value in self.captured:
            value = self.captured[value]
        return value

    def hold(self, array: Value, held: Value | Unknown | None) -> None:
        """Has an array hold a value, whoever asks; None for what it started as."""
        if held is None or held is array:
            self.contents.pop(array, None)
            return
        self.contents[array] = held
        if not isinstance(held, Unknown):
            self._identities[held] = array
            self.own.add(held)
            self._roots.pop(held, None)
            self._has_learnt()

    def is_known(self, value: Value) -> bool:
        """Whether a value is what some array holds, or held."""
        return value in self._identities

    def is_told(self, array: Value) -> bool:
        """Whether anybody knows what an array holds."""
        return not isinstance(self.contents.get(array), Unknown)

    def lose(self, array: Value, where: Location, *, by_turns: bool = False) -> None:
        """Has an array hold nobody knows what: it may have been written to."""
        self.announce(array)
        self.hold(array, Unknown(where, by_turns=by_turns))

    def announce(self, array: Value) -> None:
        """Says that an array is about to be written to."""
        for announce in _watchers:
            announce(array)

    def may_be_same(self, one: Value, other: Value, tie: Tie | None = None) -> None:
        """Says that two arrays may be one, or views of one; without a tie, only the run knows when.

        There may be several ties, of which no two hold in one run: each path of a branch leaves another row
        of a matrix. No two arrays of other dtypes are one: no view has another one.
        """
        if one is not other and one.dtype == other.dtype:
            known = self._kin.setdefault(one, {})
            before = ties = known.get(other, ())
            if tie is None or ties is None:
                ties = None
            elif tie not in ties:
                exclude = all(each.test is tie.test and each.holds != tie.holds for each in ties)
                ties = self._known((*ties, tie)) if exclude else None
            if ties is before and other in known:
                return
            self._has_learnt()
            known[other] = self._kin.setdefault(other, {})[one] = ties
            for each, kin in ((one, other), (other, one)):
                if ties is not None:
                    self._tied.setdefault(each, {})[kin] = ties
                elif each in self._tied:
                    self._tied[each].pop(kin, None)

    def alike(self, array: Value, sees: Callable[[Value], bool] | None = None) -> Kin:
        """The arrays, among those that somebody sees, which may be one with an array, or views of one."""
        found: Kin = {}
        for way in self.ways(array, sees):
            known = found.setdefault(way.end, [])
            known.append(way.condition if way.is_sure else None)
            if len(way.path) > 2 and not way.is_whole:
                known.append(None)
        return found

    def kin(self, array: Value, sees: Callable[[Value], bool] | None = None) -> Mapping[Value, bool]:
        """As `alike`, where nobody asks for the conditions: whether these are all that has to hold."""
        if sees is not None:
            return ends_of(self.ways(array, sees))
        found = self._kin_known.get(array)
        if found is None:
            found = self._kin_known[array] = ends_of(self.ways(array))
        return found

    def ways(self, array: Value, sees: Callable[[Value], bool] | None = None) -> Sequence[Way]:
        """How an array may be one with others, among those that somebody sees: the shortest ways first."""
        if array not in self._kin:
            return ()
        if sees is not None:
            return self._ways(array, sees)
        found = self._ways_known.get(array)
        if found is None:
            found = self._ways_known[array] = self._ways(array, None)
        return found

    def _ways(self, array: Value, sees: Callable[[Value], bool] | None) -> Sequence[Way]:
        may_be = self._may_be(array, sees)
        return ways_from(array, self._kin, self._tied, may_be, cache(self.is_part), cache(self.are_apart))

    def _may_be(self, array: Value, sees: Callable[[Value], bool] | None) -> Callable[[Value], bool]:
        """Says of other arrays whether they may be one with an array, and somebody sees them.

        They are two in every run where they are in the places of two arrays of NumPy's.
        """
        place = self.in_place_of.get(self.root(array))

        @cache
        def may_be(other: Value) -> bool:
            if sees is not None and not sees(other):
                return False
            there = self.in_place_of.get(self.root(other))
            return place is None or there is None or there is place

        return may_be

    def _has_learnt(self) -> None:
        """Says that something has changed by which arrays may be one."""
        self._ways_known.clear()
        self._kin_known.clear()

    def take_place(self, value: Value, array: Array) -> None:
        """Says that a value is in the place of an array of NumPy's."""
        self.in_place_of[value] = array
        self._has_learnt()

    def is_part(self, tie: Tie) -> bool:
        """Whether one of two arrays is no more than a view of the other one."""
        return self.base(self.identity(tie.shown)) is not None

    def all_ties(self) -> Mapping[Value, Mapping[Value, tuple[Tie, ...] | None]]:
        """All that is known by now of arrays that may be one."""
        return {array: dict(others) for array, others in self._kin.items()}

    def ties(self, array: Value, other: Value) -> tuple[Tie, ...] | None:
        """When two arrays are one, no two of these in one run; None where only the run knows."""
        return self._kin.get(array, {}).get(other)

    def has_kin(self, array: Value) -> bool:
        """Whether an array may be the same as another one."""
        return array in self._kin
