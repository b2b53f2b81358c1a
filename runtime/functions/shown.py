"""Arrays that outlive a call and show the memory of others: after each run they are views, as in Python.

`rows.append(table[n])` leaves a view of `table` behind, and `self.last = x` an array of the caller's. What
the graph gives for them are other arrays: so the array that has the memory is found, or made once, and what
showed a part of it in the trace shows that part of it again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np

from runtime import ops
from runtime.core.tensor import Array, owner_of
from runtime.errors import StateDisagrees
from runtime.functions.external_state import Seen
from runtime.graph.build import bind, current_builder
from runtime.graph.builder import Builder
from runtime.graph.graph import Value
from runtime.graph.op import Op
from runtime.graph.symbol import Symbol
from runtime.ops.control_flow import ABSENT

__all__ = ["Views"]

_Step: TypeAlias = Callable[[Sequence[Any], list[Any]], Any]


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
            found = self.op.kernel(whole, *[np.asarray(each) for each in operands])
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
        Whether a test says which one it is.
    is_there : bool
        Whether it is there before the call, whatever the call does.
    """

    slot: int = 0
    names: set[Value] = field(default_factory=set)
    output: int | None = None
    is_chosen: bool = False
    is_there: bool = False

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
    """Plans, for values of a graph that are stored, of which arrays they are views.

    Parameters
    ----------
    builder : Builder
        Of the graph.
    seen : Seen
        What the function did: the arrays that were there before, and what has taken their places.
    output : callable
        Makes a value one of the outputs of the graph, and says which.
    """

    def __init__(self, builder: Builder, seen: Seen, output: Callable[[Any], int]) -> None:
        self._builder, self._seen, self._output = builder, seen, output
        self._outside = seen.arrays
        self._homes: dict[Value, _Home] = {}

    def current(self, array: Array) -> Any:
        """What has taken the place of an array of NumPy's, or that array."""
        return self._seen.current(array)

    def plan(self, leaf: Any, add: Callable[[_Step], int]) -> int | None:
        """Which of the made objects a value is; None where it is no array, or nobody knows of which part."""
        arrays = self._builder.arrays
        if not ops.is_array(leaf) or arrays.is_known(leaf.value):
            return None
        found = self._shown(arrays.identity(leaf.value), add)
        return found if found is None or isinstance(found, int) else add(found)

    def _shown(self, array: Value, add: Callable[[_Step], int]) -> int | _Step | None:
        """Which of the made objects an array is, or what makes it of one."""
        arrays = self._builder.arrays
        root, cuts = arrays.root(array), self._cuts(array)
        if cuts and root in arrays.taken:
            self._seen.know_arrays()
        home = self._homes.get(root) or self._home(root, add)
        home.names.add(array)
        is_made = root not in self._outside and not home.is_chosen
        if is_made and (not cuts or len(home.names) >= _SHARED):
            home.output = self._output(Symbol(root))
        if not cuts:
            return home.slot
        own = None if home.is_there else self._output(Symbol(array))

        def step(outputs: Sequence[Any], made: list[Any]) -> Any:
            part = made[home.slot]
            if own is not None and not isinstance(part, np.ndarray | Symbol):
                return outputs[own]
            for cut in cuts:
                part = cut.of(part, outputs)
            return part

        return step

    def _home(self, root: Value, add: Callable[[_Step], int]) -> _Home:
        home = self._homes[root] = _Home()
        array = self._outside.get(root)
        chosen = self._choice(root, home, add)
        home.is_there |= array is not None
        home.slot = add(chosen or (home.made if array is None else lambda _, __: array))
        return home

    def _choice(self, root: Value, home: _Home, add: Callable[[_Step], int]) -> _Step | None:
        """What gives one of two arrays, as a test says; None where neither was there before the call."""
        test, leaves = self._builder.arrays.decided.get(root, (None, {}))
        if test is None or not self._sees(test):
            return None
        steps = {path: self._there(leaf, add) for path, leaf in leaves.items()}
        if not any(step for path, step in steps.items() if leaves[path] is not ABSENT):
            return None
        home.is_chosen, home.is_there = True, None not in steps.values()
        own, told = None if home.is_there else self._output(Symbol(root)), self._output(Symbol(test))

        def step(outputs: Sequence[Any], made: list[Any]) -> Any:
            there = steps[bool(outputs[told])]
            if there is not None:
                return there(outputs, made)
            assert own is not None, "it is an output where a path has no array that was there"
            return outputs[own]

        return step

    def _there(self, leaf: Any, add: Callable[[_Step], int]) -> _Step | None:
        """What gives an array that was there before the call, or a view of one; None of another leaf."""
        if leaf is ABSENT:
            return lambda _, __: None
        if isinstance(leaf, np.ndarray):
            return (lambda _, __: leaf.view()) if self._seen.existed(owner_of(leaf)) else None
        arrays = self._builder.arrays
        if not ops.is_array(leaf) or arrays.is_known(leaf.value):
            return None
        array = arrays.identity(leaf.value)
        root = arrays.root(array)
        if root in arrays.taken and root is not array:
            self._seen.know_arrays()
        if root not in self._outside:
            return None
        found = self._shown(array, add)
        return (lambda _, made: made[found]) if isinstance(found, int) else found

    def _sees(self, value: Value) -> bool:
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
        if self._sees(value):
            return value
        node, captured = value.node, self._builder.arrays.captured
        if value in captured:
            return self._seen_here(captured[value])
        if node.op.raises(*[each.spec for each in node.inputs]) or node.op.effects or node.op.regions:
            raise StateDisagrees(
                "a part of an array outlives the call, and only a branch knows which part it is",
                where=node.location,
                why="What is written into one is seen in the other, in Python, and the key is gone by then.",
                way_out="Compute the key before the branch, or keep a copy (`x[i].copy()`).",
            )
        inputs = [self._seen_here(each) for each in node.inputs]
        return self._builder.add(node.op, inputs, node.location).outputs[value.index]
