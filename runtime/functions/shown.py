"""Arrays that outlive a call and show the memory of others: after each run they are views, as in Python.

`rows.append(table[n])` leaves a view of `table` behind, and `self.last = x` an array of the caller's. What
the graph gives for them are other arrays: so the array that has the memory is found, or made once, and what
showed a part of it in the trace shows that part of it again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field
from functools import partial, reduce
from types import MappingProxyType
from typing import Any, TypeAlias

import numpy as np

from autograph_base.dataclass import dataclass
from runtime import ops
from runtime.analysis.checkpoints import left_where_caught
from runtime.core.spec import ArraySpec, ListSpec
from runtime.core.tensor import EAGER, Array, owner_of
from runtime.errors import CopiedViewWarning, StateDisagrees
from runtime.functions import views_by_number
from runtime.functions.external_state import Seen
from runtime.graph.arrays import Arrays
from runtime.graph.build import bind, current_builder
from runtime.graph.builder import Builder
from runtime.graph.graph import Value
from runtime.graph.location import Location
from runtime.graph.op import Op
from runtime.graph.refusals import of_arrays
from runtime.graph.symbol import Symbol
from runtime.graph.ties import Condition
from runtime.ops.control_flow import ABSENT
from runtime.ops.gathering.by_number import ElementsAt
from runtime.ops.joining import Pack
from runtime.ops.tensor_list.edits import TensorListPushBack
from runtime.ops.tensor_list.nodes import TensorListFromTensor, TensorListGetItem

__all__ = ["Views"]

_Step: TypeAlias = Callable[[Sequence[Any], list[Any]], Any]
_Told: TypeAlias = list[list[tuple[int, bool | int]]]
"""When something is so: where all of the outputs of one of these rows are what stands beside them."""


@dataclass(frozen=True)
class _Cut:
    """An op that shows a part of its first operand; the others are outputs of the graph, by their numbers."""

    op: Op
    index: int
    operands: tuple[int, ...]

    def of(self, whole: Any, outputs: Sequence[Any]) -> Any:
        """The part of an array; while a graph is built around, of an array of that."""
        operands = [outputs[each] for each in self.operands]
        if current_builder() is not None:
            found: Any = bind(self.op, ops.target(whole), *operands)
        else:
            arrays = [np.asarray(each) for each in operands]
            found = views_by_number.view_at(whole, *arrays) if isinstance(self.op, ElementsAt) else None
            found = self.op.kernel(whole, *arrays) if found is None else found
        return found[self.index] if isinstance(found, tuple) else found


@dataclass
class _Home:
    """Who has the memory of arrays that outlive a call.

    Attributes
    ----------
    slot : int
        Which of the made objects it is.
    names : set of Value
        The arrays that show it, itself among them.
    output : int, optional
        The output of the graph that is in it, where it is made by the call.
    is_chosen : bool
        Whether tests or numbers say which one it is.
    told : set of Value
        The arrays of before the call that tests and numbers say it may be.
    is_known : bool
        Whether there are no others that it may be.
    is_there : bool
        Whether it is there before the call, whatever the call does.
    is_given : bool
        Whether it is an argument: the caller's array, where that is one.
    """

    slot: int = 0
    names: set[Value] = field(default_factory=set)
    output: int | None = None
    is_chosen: bool = False
    told: set[Value] = field(default_factory=set)
    is_known: bool = False
    is_there: bool = False
    is_given: bool = False

    def made(self, outputs: Sequence[Any], _: Any) -> Any:
        """What the call has made: an array of NumPy's where others show it."""
        if self.output is None:
            return None
        found = outputs[self.output]
        is_alone = len(self.names) < _SHARED or isinstance(found, Symbol)
        return found if is_alone else np.array(found)


_SHARED = 2
"""Names of one memory from which on somebody may see that it is one."""


class Views:
    """Plans which arrays the values that a graph stores are views of.

    Parameters
    ----------
    builder : Builder
        Of the graph.
    seen : Seen
        What the function did: the arrays that were there before, and what has taken their places.
    output : callable
        Makes a value one of the outputs of the graph, and says which.
    given : mapping of Value to function
        The inputs that are arguments: how each is found in those of a call.

    Attributes
    ----------
    needs_arguments : bool
        Whether something is found among the arguments.
    """

    def __init__(
        self,
        builder: Builder,
        seen: Seen,
        output: Callable[[Any], int],
        given: Mapping[Value, Callable[[Any], Any]] = MappingProxyType({}),
    ) -> None:
        self._builder, self._seen, self._output, self._given = builder, seen, output, given
        self.needs_arguments = False
        self._told: set[Location] = set()
        self._is_told = False
        """Whether numbers say which array is meant, of those that tests have chosen from."""
        self._outside = seen.arrays
        self._homes: dict[Value, _Home] = {}
        self._shared: set[Value | int] = set()
        self._of: Callable[[Any], int] | None = None
        self._stored: list[Any] | None = None

    def current(self, array: Array) -> Any:
        """What has taken the place of an array of NumPy's, or that array."""
        if self._stored is not None:
            self._stored.append(array)
        return self._seen.current(array)

    def share(self, look: Callable[[], None]) -> None:
        """Finds out which arrays that the call makes may be several of what is stored.

        Parameters
        ----------
        look : callable
            Plans all that is going to be stored, for nobody.
        """
        self._stored = []
        look()
        stored, self._stored = self._stored, None
        roots = {each for leaf in stored if (each := self._memory(leaf)) is not None}
        if len(roots) > 1:
            found = Counter(each for root in roots for each in self._may_be(root))
            self._shared = {each for each, count in found.items() if count > 1 and not _is_left(each)}

    def _memory(self, leaf: Any) -> Value | int | None:
        """The array of the graph that a leaf is a view of; of one of NumPy's that the call makes, its id."""
        if isinstance(leaf, np.ndarray):
            owner = owner_of(leaf)
            return None if self._seen.existed(owner) else id(owner)
        arrays = self._builder.arrays
        is_array = ops.is_array(leaf) and not arrays.is_known(leaf.value)
        root = arrays.root(leaf.value) if is_array else None
        return None if root is None or self._is_there(root) else root

    def _may_be(self, root: Value | int) -> set[Value | int]:
        """What the call has made of which an array is one, or may be."""
        found = {root}
        if isinstance(root, Value):
            arrays = self._builder.arrays
            found |= {each for each in arrays.kin(root, self._is_seen) if not self._is_there(each)}
            _, leaves = arrays.decided.get(root, (None, {}))
            found |= {each for leaf in leaves.values() if (each := self._memory(leaf)) is not None}
            seen = filter(self._is_seen, self._reached(root))
            found |= {each for each in seen if not self._is_there(each)}
        return found

    def plan(self, leaf: Any, add: Callable[[_Step], int], of: Callable[[Any], int]) -> int | None:
        """Which of the made objects a value is; None where it is no array, or nobody knows of which part.

        `add` takes what makes an object, and `of` says which of them a value of NumPy's or Python's is.
        """
        arrays = self._builder.arrays
        self._of = of
        if self._stored is not None:
            self._stored.append(leaf)
            return None
        if isinstance(leaf, Symbol) and isinstance(leaf.spec, ListSpec):
            self._warn_of_copy(leaf.value)
        if not ops.is_array(leaf) or arrays.is_known(leaf.value):
            return None
        found = self._shown(arrays.identity(leaf.value), add)
        self._warn_of_copy(arrays.root(leaf.value))
        return found if found is None or isinstance(found, int) else add(found)

    def _warn_of_copy(self, root: Value) -> None:
        """Says so where nobody knows which array of before the call it is that outlives it, or a part of."""
        home = self._homes.get(root)
        is_known = home is not None and home.is_chosen and (home.is_there or home.is_known or not home.told)
        if self._is_there(root) or is_known:
            return
        told = set() if home is None else home.told
        if self._there_before(root) or not self._reached(root) & self._shared <= told:
            self._tell_of_copy(root)

    def _tell_of_copy(self, root: Value) -> None:
        """Has the function traced anew if another trace may know more, and warns in the last one."""
        self._seen.know_arrays()
        where = root.node.location
        if where not in self._told:
            self._told.add(where)
            notice = CopiedViewWarning("a view of an array outlives the function as a copy", where=where)
            self._builder.add_notice(notice)

    def _is_there(self, root: Value) -> bool:
        """Whether an array was there before the call."""
        return root in self._outside or root in self._given

    def _there_before(self, value: Value) -> set[Value]:
        """The arrays of before the call that a construct may leave, or a part of."""
        found = {each for each in self._reached(value) if self._is_there(each)}
        return {each for each in found if not isinstance(each.spec, ListSpec)}

    def _reached(self, value: Value) -> set[Value]:
        """The arrays and lists that a construct may leave, or have an array from; not what is behind those.

        That a loop may have no turns, and leave what its variables were, does not count.
        """
        pending, met = [value], {value}
        while pending:
            for left in self._left(pending.pop()):
                if left in self._builder.arrays.taken:
                    self._seen.know_arrays()
                if left not in met:
                    met.add(left)
                    pending += [] if self._is_there(left) and not isinstance(left.spec, ListSpec) else [left]
        return met - {value}

    def _left(self, value: Value) -> Iterator[Value]:
        """The arrays that the graphs of a construct leave as a result of it, or add to a list."""
        arrays, node = self._builder.arrays, value.node
        if isinstance(node.op, TensorListPushBack):
            yield from map(arrays.root, [each for each in node.inputs if _is_array_or_list(arrays, each)])
        if isinstance(node.op, TensorListGetItem):
            made = node.inputs[0].node
            packed = made.inputs[0].node if isinstance(made.op, TensorListFromTensor) else made
            yield from map(arrays.root, packed.inputs if isinstance(packed.op, Pack) else ())
        for each in left_where_caught(value):
            if _is_array_or_list(arrays, each):
                yield arrays.root(each)
        for region in node.op.regions:
            if region.is_function or value.index not in region.results:
                continue
            output = region.graph.outputs[region.results.index(value.index)]
            if not _is_array_or_list(arrays, output):
                continue
            left = arrays.root(output)
            variables = region.graph.inputs[: region.variables]
            if left in variables:  # it was another variable of the turn before, or what that began with
                which = variables.index(left)
                yield node.outputs[region.results[which]]
                yield arrays.root(node.inputs[region.operands[which]])
            else:
                yield left

    def _shown(
        self, array: Value, add: Callable[[_Step], int], left: Value | None = None
    ) -> int | _Step | None:
        """Which of the made objects an array is, or what makes it of one.

        A path may have made a view that nobody sees behind it: what is in it was `left` as another value.
        """
        arrays = self._builder.arrays
        root, cuts = arrays.root(array), self._cuts(array)
        if cuts and root in arrays.taken:
            self._seen.know_arrays()
        home = self._homes.get(root) or self._home(root, add)
        home.names.add(array)
        is_made = not (root in self._outside or home.is_chosen or home.is_given)
        if is_made and (not cuts or len(home.names) >= _SHARED):
            home.output = self._output(Symbol(root))
        if not cuts:
            return home.slot
        held = array if left is None or self._is_seen(array) else left
        own = None if home.is_there or home.is_given else self._output(Symbol(held))

        def step(outputs: Sequence[Any], made: list[Any]) -> Any:
            part = made[home.slot]
            kind = type(part) if type(part) in EAGER else None
            if own is not None and not isinstance(part, np.ndarray | Symbol):
                return outputs[own]
            for cut in cuts:
                part = cut.of(part if kind is None else np.asarray(part), outputs)
            return part if kind is None else kind(part)

        return step

    def _home(self, root: Value, add: Callable[[_Step], int]) -> _Home:
        home = self._homes[root] = _Home()
        array = self._outside.get(root)
        chosen = self._choice(root, home, add)
        home.is_there |= array is not None
        given = None if chosen or array is not None else self._of_caller(root)
        home.is_given = given is not None
        home.slot = add(chosen or given or (home.made if array is None else lambda _, __: array))
        return home

    def _of_caller(self, root: Value) -> _Step | None:
        """What gives the array of the caller's that is an argument, or what the graph has in its place."""
        find = self._given.get(root)
        if find is None:
            return None
        self.needs_arguments = True
        own, dtype = self._output(Symbol(root)), root.dtype.numpy

        def step(outputs: Sequence[Any], made: list[Any]) -> Any:
            array = find(made[0])
            is_his = type(array) is np.ndarray and array.dtype == dtype
            return array if is_his or isinstance(array, Symbol) else outputs[own]

        return step

    def _choice(self, root: Value, home: _Home, add: Callable[[_Step], int]) -> _Step | None:
        """What gives the array that statements have chosen; None where none was there before the call."""
        ties = None if self._is_there(root) else self._ties(root, home, add)
        home.is_known = bool(ties) and self._there_before(root) <= home.told
        around, self._is_told = self._is_told, self._is_told or home.is_known
        decided = self._decided(root, home, add)  # of arrays of NumPy's that are constants of the graph
        self._is_told = around
        if not ties:
            return decided
        home.is_chosen, own = True, self._output(Symbol(root))

        def step(outputs: Sequence[Any], made: list[Any]) -> Any:
            found = partial(outputs.__getitem__, own) if decided is None else partial(decided, outputs, made)
            for told, there in reversed(ties):
                found = partial(_chosen, partial(_holds, outputs, told), partial(there, outputs, made), found)
            return found()

        return step

    def _ties(
        self, root: Value, home: _Home, add: Callable[[_Step], int]
    ) -> list[tuple[_Told, _Step]] | None:
        """The arrays of before the call that one may be, and when; None where the graph does not know."""
        arrays, found = self._builder.arrays, list[tuple[_Told, _Step]]()
        conditions: dict[Value, list[Condition]] = {}
        for way in arrays.ways(root, self._is_seen):
            is_there = self._is_there(way.end)
            if not (is_there or (way.end in self._shared and _is_left(root))):
                continue
            if way.shown is None or not way.is_told(self._is_seen):
                if is_there:
                    return None
                self._tell_of_copy(root)
                continue
            conditions.setdefault(way.shown, []).append(way.condition)
            home.told.add(arrays.root(way.end))
        for shown, known in conditions.items():
            there = self._there(Symbol(shown), add, root)
            if there is None:
                return None
            told = [[(self._output(Symbol(test)), is_so) for test, is_so in each.items()] for each in known]
            found.append((told, there))
        return found

    def _decided(self, root: Value, home: _Home, add: Callable[[_Step], int]) -> _Step | None:
        """What gives one of two arrays, as a test says; None where neither was there before the call."""
        test, leaves = self._builder.arrays.decided.get(root, (None, {}))
        if test is None or not self._is_seen(test):
            return None
        steps = {path: self._there(leaf, add, root) for path, leaf in leaves.items()}
        if not any(step for path, step in steps.items() if leaves[path] is not ABSENT):
            return None
        home.is_chosen, home.is_there = True, None not in steps.values()
        own, told = None if home.is_there else self._output(Symbol(root)), self._output(Symbol(test))

        def step(outputs: Sequence[Any], made: list[Any]) -> Any:
            then, orelse = (
                partial(outputs.__getitem__, own) if there is None else partial(there, outputs, made)
                for there in (steps[True], steps[False])
            )
            return _chosen(lambda: outputs[told], then, orelse)

        return step

    def _there(self, leaf: Any, add: Callable[[_Step], int], left: Value) -> _Step | None:
        """What gives an array that was there before the call, or a view of one; None of another leaf.

        Where it is what statements have chosen, it was `left` as that value.
        """
        if leaf is ABSENT:
            return lambda _, __: None
        if isinstance(leaf, np.ndarray):
            if self._seen.existed(leaf):
                return lambda _, __: leaf
            if id(owner_of(leaf)) in self._shared and self._of is not None:
                index = self._of(leaf)
                return lambda _, made: made[index]
            return (lambda _, __: leaf.view()) if self._seen.existed(owner_of(leaf)) else None
        arrays = self._builder.arrays
        if not ops.is_array(leaf) or arrays.is_known(leaf.value):
            return None
        array = arrays.identity(leaf.value)
        root = arrays.root(array)
        if root in arrays.taken and root is not array:
            self._seen.know_arrays()
        if not self._is_there(root):
            may_be_there = bool(self._there_before(root))
            if root not in arrays.decided and not may_be_there and root not in self._shared:
                return None
            home = self._homes.get(root) or self._home(root, add)
            if root in self._shared and not home.is_chosen:
                home.names |= {root, left}
            elif not home.is_chosen:
                if may_be_there and not self._is_told:
                    self._tell_of_copy(root)
                return None
        found = self._shown(array, add, left)
        return (lambda _, made: made[found]) if isinstance(found, int) else found

    def _is_seen(self, value: Value) -> bool:
        return self._builder.sees(value.node.graph)

    def _cuts(self, array: Value) -> list[_Cut]:
        """What shows an array, from the one that has its memory on."""
        arrays, found = self._builder.arrays, list[_Cut]()
        while (base := arrays.base(array)) is not None:
            if array not in arrays.captured:
                node = array.node
                operands = tuple([self._output(Symbol(self._seen_here(each))) for each in node.inputs[1:]])
                found.append(_Cut(node.op, array.index, operands))
            array = arrays.identity(base)
        return found[::-1]

    def _seen_here(self, value: Value) -> Value:
        """A number in the key of a view, as the graph has it: a branch may have computed it."""
        if self._is_seen(value):
            return value
        node, captured = value.node, self._builder.arrays.captured
        if value in captured:
            return self._seen_here(captured[value])
        if node.op.raises(*[each.spec for each in node.inputs]) or node.op.effects or node.op.regions:
            raise of_arrays(
                StateDisagrees(
                    "a part of an array outlives the call, and only a branch knows which part it is",
                    where=node.location,
                    why="What is written into one is seen in the other, in Python, and the key is gone by "
                    "then.",
                    way_out="Compute the key before the branch, or keep a copy (`x[i].copy()`).",
                )
            )
        inputs = [self._seen_here(each) for each in node.inputs]
        return self._builder.add(node.op, inputs, node.location).outputs[value.index]


def _holds(outputs: Sequence[Any], told: _Told) -> Any:
    """Whether all tests of one of some rows have come out as that says: a tensor, in a trace of a call."""
    if current_builder() is None:
        return any(all(outputs[test] == is_so for test, is_so in each) for each in told)
    rows: list[list[Any]] = [[ops.equal(outputs[test], is_so) for test, is_so in each] for each in told]
    return reduce(ops.logical_or, [reduce(ops.logical_and, each, ops.asarray(True)) for each in rows])


def _chosen(test: Callable[[], Any], then: Callable[[], Any], orelse: Callable[[], Any]) -> Any:
    """One of two arrays; in a trace of a call, a tensor decides which one."""
    found = test()
    if isinstance(found, Symbol):
        return ops.cond(found, lambda: ops.target(then()), lambda: ops.target(orelse()))
    return then() if found else orelse()


def _is_left(array: Value | int) -> bool:
    """Whether statements have left an array of the graph, which may be one of several."""
    return isinstance(array, Value) and bool(array.node.op.regions)


def _is_array_or_list(arrays: Arrays, value: Value) -> bool:
    """Whether a value may be a part of an array, or a list of such: no number is."""
    return isinstance(value.spec, ListSpec) or (isinstance(value.spec, ArraySpec) and arrays.is_array(value))
