"""The statements of a `try` while they are traced: into the graph around them, or into a graph of their own.

They are traced as if there were no `try`. Most of what a program puts into one cannot raise when the graph
runs, and then nothing is left to do. Otherwise the nodes move into the graph of a `Try`.
"""

from __future__ import annotations

import itertools
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import reduce
from typing import Any

import numpy as np

from autograph_base.dataclass import dataclass
from runtime.core import shapes
from runtime.core.dims import UNKNOWN
from runtime.core.dtypes import DType, result_type
from runtime.core.exceptions import Parts
from runtime.core.spec import ArraySpec, CellSpec, Spec, as_array_spec
from runtime.core.structure import Structure, flatten, unflatten
from runtime.core.tensor import Tensor
from runtime.core.tracing import tracing
from runtime.errors import StateDisagrees
from runtime.graph.build import builder_in_use, building, promotion_operand, spec_of, value_in
from runtime.graph.builder import Builder, share_captures
from runtime.graph.dim_names import made_in, with_meanings
from runtime.graph.failures import failures_in
from runtime.graph.graph import Node, Value
from runtime.graph.location import caller_location
from runtime.graph.op import NOTHING, Const, Failures, Op
from runtime.graph.symbol import Symbol
from runtime.graph.whose_numbers import note_whose, seen_from, without
from runtime.ops.control_flow.carried import with_carried
from runtime.ops.control_flow.leaving import (
    leaving,
    raising_again,
    remove_since,
    runs_program,
    staying_nodes,
    walk,
)
from runtime.ops.control_flow.tracing import (
    ABSENT,
    absent,
    array_of,
    as_value,
    describe,
    first_difference,
    has_no_value,
    is_tensor,
    note_meeting,
    operand,
    paths_of,
    way_out,
    whose_of,
)
from runtime.ops.control_flow.try_catch import Checkpoint, Evaluated, NewCell, NoError, Try
from runtime.ops.control_flow.under_way import CallsUnderWay
from runtime.ops.host import PyFunc
from runtime.ops.raising import Raise, Reraise

__all__ = ["Attempt", "Snapshot", "is_one_leaf", "is_seen", "readable"]


@dataclass(frozen=True)
class Snapshot:
    """The variables at a checkpoint."""

    nest: Any
    values: tuple[Any, ...]
    """The tensors in it, in the order in which they are in the cell."""


class Attempt:
    """A region of the graph that is being built: what is added to it while the attempt is `open`.

    Parameters
    ----------
    variables : callable
        Gives the values of the variables as they are now, of what a graph can read: a tuple of nests.
    began : int, optional
        When, as whoever traces counts time.
    """

    def __init__(self, variables: Callable[[Builder], tuple[Any, ...]], began: int = 0) -> None:
        builder = builder_in_use()
        self.builder = builder
        self.location = caller_location()
        self._variables, self.began = variables, began
        self._start = len(builder.nodes)
        self.around = builder.watcher
        self.when_forgotten: list[Callable[[], None]] = []
        self._cell = Node(builder.graph, NewCell(), (), (CellSpec(),), self.location)
        self._snapshots: dict[int, Snapshot] = {}
        self._latest: dict[Builder, tuple[list[Any], Structure]] = {}
        self._numbers = itertools.count()
        self.under_way = CallsUnderWay()
        self._last_call: object = None
        self._moved_values: dict[Value, Value] = {}
        self._held: dict[Value, Value | StateDisagrees] = {}
        self._gone: list[Node] = []

    # ── while it is open ──

    @contextmanager
    def open(self) -> Iterator[None]:
        """Nodes that are added inside belong to it; they are gone when tracing fails."""
        self.builder.watcher = self
        try:
            yield
        except BaseException:
            self.forget()
            raise
        finally:
            self.builder.watcher = self.around

    def before(self, builder: Builder, op: Op, inputs: Sequence[Value]) -> None:
        """Leaves a checkpoint in front of what may raise."""
        if self.around is not None:
            self.around.before(builder, op, inputs)
        regions = op.regions
        if regions and not regions[0].is_function:
            return  # its nodes were met one by one
        if regions or op.raises(*[value.spec for value in inputs]):
            self._checkpoint(builder)

    def after(self, builder: Builder, node: Node) -> None:
        """Keeps what may raise in the graph, though nobody may ask for its result."""
        if node.op.graphs:
            self._latest.pop(builder, None)  # a checkpoint inside may be the last one now
        if node.outputs and not node.op.effects.must_run and failures_in([node]):
            builder.add(Evaluated(), node.outputs, node.location)

    def _checkpoint(self, builder: Builder) -> None:
        """Records the variables as they are now, unless the last checkpoint of the graph did."""
        nest = self._variables(builder)
        leaves, structure = flatten(nest)
        latest = self._latest.get(builder)
        is_same_call = tracing.call is None or tracing.call is self._last_call
        is_same = latest is not None and latest[1] == structure and all(map(is_one_leaf, latest[0], leaves))
        if is_same and is_same_call:
            return
        self._latest[builder] = leaves, structure
        self._last_call = tracing.call
        number = next(self._numbers)
        noted = self.under_way.note(number)
        values = tuple([leaf for leaf in (*leaves, *noted) if isinstance(leaf, (Tensor, Value))])
        self._snapshots[number] = Snapshot(nest, values)
        cell = builder.resolve(self._cell.outputs[0])
        operands = [cell, *[value_in(builder, value) for value in values]]
        builder.add(Checkpoint(number), operands, caller_location())

    # ── afterwards ──

    def _region(self) -> list[Node]:
        return self.builder.nodes[self._start :]

    def failures(self) -> Failures:
        """What may leave it when the graph runs."""
        return failures_in(self._region())

    def failures_of_kernels(self) -> Failures:
        """Those of them that are not the program's own exceptions: each may be of a class below, too.

        What is raised again counts where it was caught elsewhere: nobody knows here what it says.
        """
        found = NOTHING
        nodes = list(walk(self._region()))
        again = raising_again(nodes)
        for node in nodes:
            is_again = isinstance(node.op, Reraise) and node.op.changes is None and node in again
            is_known = isinstance(node.op, Raise) or is_again or self._is_known(node)
            if not (node.op.graphs or is_known):
                found |= node.op.raises(*[value.spec for value in node.inputs])
        return found

    def raised(self, was_there: Callable[[Any], bool], instead: Callable[[Any], Any]) -> list[Parts]:
        """The exceptions of the program's own that it may raise, with tensors of its graphs in them.

        Those that it raises again are as they were caught, but for what the program has changed. The
        objects of the program's in them are `Carried`; `instead` gives what has taken the place of one.
        """
        nodes = list(walk(self._region()))
        if all(self._is_known(node) for node in nodes if isinstance(node.op, Reraise)):
            nodes = leaving(self._region(), {})
        return self._parts(nodes, was_there, instead)

    def _parts(
        self,
        nodes: Iterable[Node],
        was_there: Callable[[Any], bool] = lambda _: False,
        instead: Callable[[Any], Any] = lambda held: held,
    ) -> list[Parts]:
        """What these nodes raise, as far as it is known."""
        found = []
        for node in nodes:
            if isinstance(node.op, Raise):
                parts = node.op.recipe.filled([Symbol(value) for value in node.inputs])
            elif isinstance(node.op, Reraise) and self._is_known(node):
                error, *values = node.inputs
                parts = node.op.changed(self.builder.context.caught[error], [Symbol(each) for each in values])
            else:
                continue
            _, held = self.builder.context.raised.get(id(node.op), (None, None))
            found.append(parts if held is None else with_carried(parts, held, was_there, instead))
        return found

    def may_have_names(self, kind: type[BaseException]) -> bool:
        """Whether the program may have an exception of this class that it raises under another name, too."""
        named = [node.op.raises() for node in walk(self._region()) if node.op in self.builder.context.named]
        nests = [flatten(nest) for nest in self.snapshots().values()]
        kept = [{type(leaf)} for leaves, _ in nests for leaf in leaves if isinstance(leaf, BaseException)]
        inside = [set(_exceptions_in(structure)) for _, structure in nests]
        found = {each for kinds in (*named, *kept, *inside) for each in kinds}
        return any(issubclass(kind, each) or issubclass(each, kind) for each in found)

    def _is_known(self, node: Node) -> bool:
        """Whether a node raises again an exception of which it is known what it consists of."""
        return isinstance(node.op, Reraise) and node.inputs[0] in self.builder.context.caught

    def may_reraise(self, kind: type[BaseException]) -> bool:
        """Whether it may raise again what was caught within it, and that of a class that the program gives.

        Such an exception was raised by the program somewhere inside, or by code that the graph calls.
        """
        nodes = list(walk(self._region()))
        return any(isinstance(node.op, Reraise) for node in nodes) and (
            any(issubclass(parts.kind, kind) for parts in self._parts(nodes))
            or any(isinstance(node.op, PyFunc) for node in nodes)
        )

    def may_call(self, kind: type[BaseException]) -> bool:
        """Whether it runs a function of Python's that may raise a class which our kernels do not know."""
        is_librarys = str(kind.__module__).partition(".")[0] in sys.stdlib_module_names
        called = (PyFunc,) if is_librarys else ()
        return any(isinstance(node.op, called) or runs_program(node.op) for node in walk(self._region()))

    def may_chain(self) -> bool:
        """Whether what its kernels raise may have another exception of its own behind it."""
        return any(isinstance(node.op, Try | PyFunc) for node in walk(self._region()))

    def is_recent(self, value: Value) -> bool:
        """Whether a value was made in it."""
        return _is_of(value, self._region(), self.builder)

    def is_older(self, array: Value) -> bool:
        """Whether an array of the graph was there before it, or stays when its nodes move."""
        region = self._region()
        stays = array.node in staying_nodes(region, self.builder, self.began) or array.node not in region
        return stays and self.builder.sees(array.node.graph)

    def stays(self) -> Callable[[Any], bool]:
        """A function that says whether a nest, as it is now, means the same when the nodes have moved."""
        inside = set(self._region())
        return lambda nest: not any(_is_of(leaf, inside, self.builder) for leaf in flatten(nest)[0])

    def hold(self, end: Any) -> None:
        """Reads what arrays of outside hold at the end: a `Try` may leave one of several.

        Where nobody knows what one holds, it is an error only if it is one of several.
        """
        for leaf in flatten(end)[0] if self.builder.arrays.contents else ():
            if type(leaf) is Symbol and not self._is_inside(leaf.value):
                try:
                    held: Value | StateDisagrees = value_in(self.builder, leaf)
                except StateDisagrees as error:
                    held = error
                if held is not leaf.value:
                    self._held[leaf.value] = held

    def keep(self) -> None:
        """Leaves the nodes where they are: what they raise is not caught."""
        if self._snapshots:
            self.builder.nodes.insert(self._start, self._cell)

    def forget(self) -> None:
        """Takes the nodes away again."""
        remove_since(self.builder, self._start, self.began)
        while self.when_forgotten:
            self.when_forgotten.pop()()

    def snapshots(self) -> dict[int, Any]:
        """The variables at the checkpoints that are left, by number."""
        numbers = {node.op.number for node in walk(self._region()) if isinstance(node.op, Checkpoint)}
        return {number: found.nest for number, found in self._snapshots.items() if number in numbers}

    def outlives(self, nest: Any) -> bool:
        """Whether a value that a variable had in it means something outside."""
        leaves, _ = flatten(nest)
        return not any(isinstance(leaf, (Symbol, Value)) and self._is_inside(_value(leaf)) for leaf in leaves)

    def has_outside(self, value: Value) -> bool:
        """Whether a value means something outside."""
        return not self._is_inside(value)

    def _is_inside(self, value: Value) -> bool:
        """Whether a value belongs to what has moved, here or in a `try` inside, or to a graph in it."""
        return value in self._moved_values or not is_seen(value, self.builder)

    def can_leave(self, forms: dict[int, Any], end: Any) -> bool:
        """Whether a `Try` can leave the variables in these forms: those that `catch` takes.

        At a checkpoint there is what was made in front of it, and constants.
        """
        rows = {number: flatten(form) for number, form in forms.items()}
        paths = [*rows.values(), *([] if end is None else [flatten(end)])]
        if any(structure != paths[0][1] for _, structure in paths):
            return False
        stays = self.stays()
        for index in range(len(paths[0][0])):
            present = [leaves[index] for leaves, _ in paths if leaves[index] is not ABSENT]
            if all(is_one_leaf(present[0], each) for each in present) and stays(present[:1]):
                continue
            if not all(map(is_tensor, present)):
                return False
            if not all(self._was_there(leaves[index], number) for number, (leaves, _) in rows.items()):
                return False
        return True

    def _was_there(self, leaf: Any, number: int) -> bool:
        """Whether a leaf was made in front of a checkpoint, or is a constant."""
        if leaf is ABSENT or not isinstance(leaf, (Symbol, Value)):
            return True
        return any(is_one_leaf(leaf, each) for each in self._snapshots[number].values)

    def catch(
        self, kinds: Sequence[type[BaseException]], forms: dict[int, Any], end: Any, names: Sequence[str]
    ) -> tuple[Symbol, Symbol, Any]:
        """Moves the nodes into the graph of a `Try`.

        Parameters
        ----------
        kinds : sequence of exception classes
        forms : dict of int to nest
            The variables at every checkpoint, brought into one form; `ABSENT` for leaves without a value.
        end : nest
            The variables where nothing is raised, in the same form; None where something always is.
        names : sequence of str
            What messages call the items of the nests.

        Returns
        -------
        number : Tensor
            Of the kind that was caught, counted from 1; or 0.
        error : Tensor
            The exception.
        variables : nest
            As they are after the last statement that ran.
        """
        moved = self._moved_values = self._moved()
        called = self.under_way
        rows = {number: [*flatten(form)[0], *called.row(number)] for number, form in forms.items()}
        at_end = None if end is None else [*flatten(end)[0], *called.row(None)]
        paths = [*rows.values()] if at_end is None else [*rows.values(), at_end]
        structure = flatten(next(iter(forms.values())) if end is None else end)[1]
        self._require_structure(structure, forms, names)
        result = [self._common([row[index] for row in paths], names) for index in range(len(paths[0]))]
        staged = [index for index, leaf in enumerate(result) if leaf is _CHOSEN]
        joined = [_join([row[index] for row in paths]) for index in staged]
        builder = self._inside
        last = [ABSENT if at_end is None else at_end[index] for index in staged]
        left = self._outputs(moved, last, joined)
        table = {
            number: tuple(
                [
                    _entry(row[index], self._snapshots[number], spec)
                    for index, (spec, _) in zip(staged, joined, strict=True)
                ]
            )
            for number, row in rows.items()
        }
        captured = share_captures([builder])
        body = builder.finish(left)
        hidden = dict.fromkeys(made_in(body), UNKNOWN)
        specs = tuple([with_meanings(spec, hidden) for spec, _ in joined])
        op = Try(body, tuple(kinds), specs, tuple(table.items()))
        node = self.builder.add(op, [self._cell.outputs[0], *captured], self.location)
        number, error, *outputs = [Symbol(output) for output in node.outputs]
        labels = [*paths_of(structure, names), *["which call raised"] * len(called.row(None))]
        for index, output, (_, weak) in zip(staged, outputs, joined, strict=True):
            result[index] = output
            meeting = [row[index] for row in paths]
            note_meeting(self.builder, labels[index], meeting, [output.value], self.location)
            if weak:
                self.builder.context.weak.add(output.value)
            note_whose(output.value, weak or seen_from(self.builder, without(whose_of(meeting), moved)))
        width = len(result) - len(called.row(None))
        called.found = result[width:]
        return number, error, unflatten(structure, result[:width])

    def _moved(self) -> dict[Value, Value]:
        """What the values of the region become in the graph of the `Try`, which is built here."""
        self._inside = Builder("try_body", self.builder)
        self._inside.watcher = None
        moved: dict[Value, Value] = {}
        region = self._region()
        staying = staying_nodes(region, self.builder, self.began)
        for node in region:
            if node in staying:
                continue
            inputs = tuple([moved.get(value) or self._inside.resolve(value) for value in node.inputs])
            copied = Node(self._inside.graph, node.op, inputs, node.specs, node.location)
            self._inside.nodes.append(copied)
            for before, after in zip(node.outputs, copied.outputs, strict=True):
                moved[before] = after
                self.builder.context.note_copy(after, before)
        self._gone = [node for node in region if node not in staying]
        self.builder.nodes[self._start :] = [self._cell, *staying]
        self.builder.owner_tests.clear()  # some may have moved
        return moved

    def let_go(self) -> None:
        """Says that nobody asks any more which arrays those were that have moved."""
        self.builder.arrays.leave(self._gone)

    def _outputs(
        self, moved: dict[Value, Value], end: Sequence[Any], joined: Sequence[tuple[Spec, bool]]
    ) -> list[Value]:
        """What the graph of the `Try` leaves where nothing is raised."""
        builder = self._inside
        with building(builder):
            values = [
                as_value(builder, _moved(self._now(leaf), moved), spec)
                for leaf, (spec, _) in zip(end, joined, strict=True)
            ]
            number = builder.constant(np.asarray(0), self.location)
            return [number, builder.add(NoError(), (), self.location).outputs[0], *values]

    def _now(self, leaf: Any) -> Any:
        """What an array of outside held at the end; any other leaf is itself."""
        held = self._held.get(leaf.value, leaf) if type(leaf) is Symbol else leaf
        if isinstance(held, StateDisagrees):
            raise held
        return held

    def _require_structure(self, structure: Structure, forms: dict[int, Any], names: Sequence[str]) -> None:
        """A variable has one structure wherever the region is left."""
        for form in forms.values():
            other = flatten(form)[1]
            if other != structure:
                label, left, right = first_difference(structure, other, names)
                raise StateDisagrees(
                    f"{label} has a different structure where this `try` is left",
                    where=self.location,
                    details=[f"it may be:  {left}", f"or:         {right}"],
                    why="What the graph raises is only known when it runs, so a variable must have one "
                    "structure wherever something may be raised.",
                    way_out=way_out(left, right, "Keep the same nest of lists, tuples and dicts."),
                )

    def _common(self, leaves: Sequence[Any], names: Sequence[str]) -> Any:
        """The leaf that a variable has wherever the region is left, or `_CHOSEN` where that shows later."""
        present = [leaf for leaf in leaves if leaf is not ABSENT]
        first = present[0] if present else ABSENT
        if all(is_one_leaf(first, leaf) for leaf in present) and self.outlives(first):
            return first
        if all(map(is_tensor, present)):
            return _CHOSEN
        other = next(leaf for leaf in present if not is_tensor(leaf) or not is_one_leaf(first, leaf))
        raise StateDisagrees(
            f"one of {', '.join(f'`{name}`' for name in names)} differs from place to place in this `try`",
            where=self.location,
            details=[f"it may be:  {describe(first)}", f"or:         {describe(other)}"],
            why="What the graph raises is only known when it runs, and it can only choose between tensors "
            "and numbers.",
            way_out="Give the variable the same value wherever something may be raised, or a tensor.",
        )


_CHOSEN = object()


def _exceptions_in(form: Any) -> Iterator[type[BaseException]]:
    """The classes of exceptions that are taken apart in a nest, and in the elements of its lists."""
    for each in form if isinstance(form, tuple) else (form,):
        if isinstance(each, Structure):
            if each.kind is not None and issubclass(each.kind, BaseException):
                yield each.kind
            yield from _exceptions_in((each.extra, *each.children))


def readable(nest: Sequence[Any], builder: Builder) -> tuple[Any, ...]:
    """The values of variables, `ABSENT` for those with a tensor that a graph cannot see.

    A statement inside has left it in a variable that nothing reads again: it would have carried the others.
    """
    return tuple([each if _is_readable(each, builder) else absent(each) for each in nest])


def _is_readable(nest: Any, builder: Builder) -> bool:
    if nest.__class__ is Symbol:  # as most are, and each place that may raise asks for all of them
        return is_seen(nest, builder)
    return all(is_seen(leaf, builder) for leaf in flatten(nest)[0])


def is_seen(leaf: Any, builder: Builder) -> bool:
    """Whether a graph can see a leaf: a value of its own, or of one around it, or no value of a graph."""
    if not isinstance(leaf, (Symbol, Value)):
        return True
    node = _value(leaf).node
    return builder.sees(node.graph) and not builder.arrays.has_left(node)


def is_one_leaf(left: Any, right: Any) -> bool:
    """Whether two leaves are one value."""
    if left is right:
        return True
    if isinstance(left, Symbol) and isinstance(right, Symbol):
        return left.value is right.value
    return type(left) is type(right) and isinstance(left, (str, bytes, bool, int)) and bool(left == right)


def _is_of(leaf: Any, nodes: Collection[Node], builder: Builder) -> bool:
    """Whether a leaf is a value of these nodes, or of a graph inside."""
    return isinstance(leaf, (Symbol, Value)) and (_value(leaf).node in nodes or not is_seen(leaf, builder))


def _value(leaf: Any) -> Value:
    value: Value = leaf.value if isinstance(leaf, Symbol) else leaf
    return value


def _moved(leaf: Any, moved: dict[Value, Value]) -> Any:
    if not isinstance(leaf, (Symbol, Value)):
        return leaf
    return Symbol(moved.get(_value(leaf), _value(leaf)))


def _join(leaves: Sequence[Any]) -> tuple[Spec, bool]:
    """The spec that holds all leaves, and whether it still stands for a Python number."""
    operands = [operand(leaf) for leaf in leaves if not has_no_value(leaf)]
    specs = [spec_of(each) for each in operands]
    arrays = [spec for spec in specs if isinstance(spec, ArraySpec)]
    builder = builder_in_use()
    if len(arrays) < len(specs):
        values = [_value(each) for each in operands if isinstance(each, (Symbol, Value))]
        return reduce(lambda one, other: one.join(other), specs), set(values) <= builder.context.weak
    shape = reduce(shapes.join, [spec.shape for spec in arrays])
    weights = [promotion_operand(each) for each in operands]
    weak = not any(isinstance(weight, DType) for weight in weights)
    return ArraySpec(shape, result_type(*weights, defaults=builder.defaults)), weak


def _entry(leaf: Any, snapshot: Snapshot, spec: Spec) -> int | Const | None:
    """Where a leaf is found at a checkpoint: its place in the cell, or itself; None for an empty list."""
    if has_no_value(leaf) and not isinstance(spec, ArraySpec):
        return None
    for place, value in enumerate(snapshot.values):
        if is_one_leaf(value, leaf):
            return place
    array = as_array_spec(spec)
    if leaf is ABSENT:
        return Const(np.zeros(shapes.smallest(array.shape), array.dtype.numpy))
    return Const(array_of(leaf, array.dtype))
