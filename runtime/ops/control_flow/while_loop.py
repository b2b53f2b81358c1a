"""`while_loop`: a function run again and again while a tensor says so, traced to a fixpoint."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from runtime import ops
from runtime.core import shapes
from runtime.core.dims import UNKNOWN
from runtime.core.dtypes import bool_
from runtime.core.spec import ArraySpec, Spec, as_shape
from runtime.core.structure import Structure, flatten, unflatten
from runtime.core.tensor import Tensor, TensorLike
from runtime.errors import StateDisagrees
from runtime.graph import strict
from runtime.graph.build import array_spec_of, as_tensor, building, current_builder, is_weak, spec_of
from runtime.graph.builder import Builder, share_captures
from runtime.graph.graph import Value
from runtime.graph.kinds import WHOLE
from runtime.graph.location import caller_location
from runtime.graph.symbol import Symbol
from runtime.graph.whose_numbers import note_whose, one_of, seen_from
from runtime.ops.control_flow.nodes import While
from runtime.ops.control_flow.tracing import (
    ABSENT,
    NoOutcome,
    Traced,
    as_value,
    describe,
    first_difference,
    is_same_object,
    is_tensor,
    join,
    mark_weak,
    note_meeting,
    operand,
    paths_of,
    predicate,
    require_function,
    way_out,
    whose_of,
)

__all__ = ["Settled", "settling_loop", "while_loop"]

_MAX_ROUNDS = 8
"""Rounds in which a loop's variables must settle: dtypes widen and dims become unknown only a few times."""


def while_loop(
    cond: Callable[..., Any],
    body: Callable[..., Any],
    loop_vars: Any,
    *,
    shape_invariants: Any = None,
    maximum_iterations: TensorLike | None = None,
    names: Sequence[str] | None = None,
) -> Any:
    """Runs `body` on the loop variables while `cond` holds for them.

    Parameters
    ----------
    cond : callable
        ``cond(*loop_vars)`` returns one bool (a number counts as true unless it is zero).
    body : callable
        ``body(*loop_vars)`` returns the next loop variables.
    loop_vars : list or tuple of nests of tensors
        Items that are no tensors or numbers must stay the same object.
    shape_invariants : nest of shapes, optional
        Per loop variable, the shape that it keeps; an ellipsis, as leaving it out, has it found by tracing.
    maximum_iterations : int or integer Tensor, optional
    names : sequence of str, optional
        What messages call the loop variables: those of a program. Numbers of several kinds that meet in one
        are warned of.

    Returns
    -------
    The loop variables after the last iteration, in the structure of `loop_vars`.

    Raises
    ------
    StateDisagrees
        When an iteration changes the structure of the variables, or the shape that an invariant promised.

    Notes
    -----
    GraphDef "StatelessWhile", or "While" where it has effects. Semantics: TensorFlow `tf.while_loop`, but
    dtypes and shapes that change from one iteration to the next are joined.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.while_loop(lambda i, s: i < 4, lambda i, s: (i + 1, s + i), (rt.asarray(0), rt.asarray(0)))
    (<Tensor: shape=(), dtype=int64, numpy=4>, <Tensor: shape=(), dtype=int64, numpy=6>)
    """
    if not isinstance(loop_vars, Sequence):
        raise StateDisagrees(
            f"the variables of `while_loop` are {loop_vars!r}",
            why="They are what `cond` and `body` take, one by one.",
            way_out="Put them into a tuple, a single one too: `(x,)`.",
        )
    require_function(cond, "`cond` of `while_loop`", len(loop_vars))
    require_function(body, "`body` of `while_loop`", len(loop_vars))
    if maximum_iterations is not None:
        return _limited(cond, body, loop_vars, maximum_iterations, shape_invariants, names)
    parent = current_builder()
    if parent is None:
        return _eager_loop(cond, body, loop_vars)
    loop = _Loop(parent, cond, body, loop_vars, shape_invariants, names)
    return loop.stage(Settled())


class Settled:
    """What the variables of a loop turned out to be: traced again, the same loop starts from there.

    Attributes
    ----------
    structure : Structure or None
        Of the variables; None where nothing is known.
    state : sequence of (Spec, bool)
        The spec of each leaf, and whether it stands for a Python number.
    names : tuple of str
        What the variables are called: in another trace, they may come in another order.
    """

    def __init__(self) -> None:
        self.structure: Structure | None = None
        self.names: tuple[str, ...] = ()
        self.state: Sequence[tuple[Spec, bool]] = ()

    def learn(
        self, names: Sequence[str], loop_vars: Sequence[Any], left: Sequence[Any], body: Builder
    ) -> None:
        """Takes in what a turn has left of these variables, though the loop starts anew for something else.

        Parameters
        ----------
        names : sequence of str
        loop_vars, left : sequence of nest
            Before all turns, and after one.
        body : Builder
            Of the graph of the turn.
        """
        before, structure = flatten(tuple(loop_vars))
        after, other = flatten(tuple(left))
        if structure == other and (structure, tuple(names)) != (self.structure, self.names):
            pairs = [pair for pair in zip(before, after, strict=True) if all(map(is_tensor, pair))]
            with building(body):
                self.state = [join(*pair) for pair in pairs]
            self.structure, self.names = structure, tuple(names)


def settling_loop(
    cond: Callable[..., Any],
    body: Callable[..., Any],
    loop_vars: Sequence[Any],
    settled: Settled,
    *,
    shape_invariants: Any,
    names: Sequence[str],
) -> Any:
    """As `while_loop` in a graph, for a loop that is traced again and again with what is around it."""
    parent = current_builder()
    assert parent is not None, "a loop is staged while a graph is built"
    return _Loop(parent, cond, body, loop_vars, shape_invariants, names).stage(settled)


def _limited(
    cond: Callable[..., Any],
    body: Callable[..., Any],
    loop_vars: Any,
    limit: TensorLike,
    invariants: Any,
    names: Sequence[str] | None,
) -> Any:
    """The loop with a counter of its own as first variable."""
    _, structure = flatten(loop_vars)

    def test(counter: Tensor, *rest: Any) -> Any:
        with_room = counter < limit
        return ops.logical_and(with_room, predicate(cond(*rest), "while"))

    def step(counter: Tensor, *rest: Any) -> Any:
        return (counter + 1, *_as_items(body(*rest), len(rest)))

    shapes_then = None if invariants is None else (..., *invariants)
    labels = None if names is None else ("iteration", *names)
    start = as_tensor(0)
    _, *result = while_loop(test, step, (start, *loop_vars), shape_invariants=shapes_then, names=labels)
    leaves, _ = flatten(result)
    return unflatten(structure, leaves)


def _as_items(result: Any, count: int) -> Sequence[Any]:
    """What a body returned, as one item per loop variable; a single variable may come back bare."""
    if isinstance(result, (list, tuple)) and len(result) == count and not hasattr(result, "_fields"):
        return result
    if count == 1:
        return (result,)
    raise StateDisagrees(
        f"the body of a loop returned {result!r}",
        why=f"What it returns are the {count} variables of the next iteration.",
        way_out="Return a tuple with one item for each of them.",
    )


def _eager_loop(cond: Callable[..., Any], body: Callable[..., Any], loop_vars: Any) -> Any:
    kind = list if isinstance(loop_vars, list) else tuple
    items: Sequence[Any] = tuple(loop_vars)
    while bool(predicate(cond(*items), "while")):
        items = _as_items(body(*items), len(items))
    return kind(items)


def _as_recalled(spec: Spec, start: Spec) -> Spec | None:
    """A spec of another trace, lengths with names as at this one's start; None where none fits."""
    if not isinstance(spec, ArraySpec) or shapes.is_known(spec.shape):
        return spec
    if not isinstance(start, ArraySpec) or start.shape is None or spec.shape is None:
        return None
    if len(start.shape) != len(spec.shape):
        return None
    pairs = zip(spec.shape, start.shape, strict=True)
    return spec.with_shape(
        tuple([dim if isinstance(dim, int) or dim is UNKNOWN else now for dim, now in pairs])
    )


class _Loop:
    """A staged loop while its variables settle."""

    def __init__(
        self,
        parent: Builder,
        cond: Callable[..., Any],
        body: Callable[..., Any],
        loop_vars: Any,
        invariants: Any,
        names: Sequence[str] | None,
    ) -> None:
        self.parent = parent
        self.cond = cond
        self.body = body
        self.count = len(loop_vars)
        self.location = caller_location()
        self.start, self.structure = flatten(tuple(loop_vars))
        self.is_list = isinstance(loop_vars, list)
        self.paths = paths_of(self.structure, names or [f"loop_vars[{i}]" for i in range(self.count)])
        self.names = names
        self.staged = [index for index, leaf in enumerate(self.start) if is_tensor(leaf)]
        self.promised = self._promises(invariants)

    def _promises(self, invariants: Any) -> dict[int, shapes.Shape]:
        """The shapes that the user promised, by index of the leaf."""
        if invariants is None:
            return {}
        given: list[Any] = []
        for child, shape in zip(self.structure.children, invariants, strict=True):
            given.extend([shape] * child.leaf_count if shape is ... or child.leaf_count == 1 else shape)
        return {
            index: as_shape(getattr(shape, "shape", shape))
            for index, shape in enumerate(given)
            if shape is not ...
        }

    def stage(self, settled: Settled) -> Any:
        """Traces to a fixpoint, adds the node, and returns the variables after the loop."""
        with building(self.parent):
            state = self._start_from(settled)
            rounds = [state]
            names = self.parent.dim_names.copy()
            for _ in range(_MAX_ROUNDS):
                self.parent.dim_names.forget(names)
                traced = self._trace_body(state)
                joined = self._join_round(state, traced)
                settled.structure, settled.names, settled.state = (
                    self.structure,
                    tuple(self.names or ()),
                    joined,
                )
                if joined == state:
                    return self._close(state, traced)
                state = joined
                rounds.append(state)
        raise self._unsettled(rounds)

    def _start_from(self, settled: Settled) -> list[tuple[Spec, bool]]:
        """The variables before the first round, as wide as they turned out to be before."""
        start = [self._at_start(index) for index in self.staged]
        may_widen = not self.promised and not self.parent.strict
        is_it = (settled.structure, settled.names) == (self.structure, tuple(self.names or ()))
        if not may_widen or not is_it or len(settled.state) != len(start):
            return start
        recalled = []
        for own, (spec, weak) in zip(start, settled.state, strict=True):
            known = _as_recalled(spec, own[0])
            recalled.append(own if known is None else self._wider(own, (known, weak)))
        return recalled

    def _wider(self, one: tuple[Spec, bool], other: tuple[Spec, bool]) -> tuple[Spec, bool]:
        """What holds both of two specs, each of which may stand for a Python number."""
        aside = Builder("aside", self.parent)
        values = [aside.input(spec) for spec, _ in (one, other)]
        aside.context.weak.update(
            value for value, (_, weak) in zip(values, (one, other), strict=True) if weak
        )
        with building(aside):
            return join(*values)

    def _at_start(self, index: int) -> tuple[Spec, bool]:
        leaf = operand(self.start[index])
        spec = spec_of(leaf)
        if index in self.promised and isinstance(spec, ArraySpec):
            shape = self.promised[index]
            if not shapes.contains(shape, spec.shape):
                raise StateDisagrees(
                    f"`{self.paths[index]}` starts with shape {shapes.text(spec.shape)}, which is not of the "
                    f"promised shape {shapes.text(shape)}",
                    where=self.location,
                    why="A shape in `shape_invariants` holds before the loop and after every iteration.",
                    way_out="Widen it with None, or leave it out: it is then found by tracing.",
                )
            spec = spec.with_shape(shape)
        return spec, is_weak(leaf)

    def _arguments(self, builder: Builder, state: Sequence[tuple[Spec, bool]]) -> Sequence[Any]:
        leaves = list(self.start)
        with building(self.parent):  # what becomes a tensor now is no input between those of the graph
            owners = [whose_of(self.start[index : index + 1]) for index in self.staged]
        for index, owner, (spec, weak) in zip(self.staged, owners, state, strict=True):
            value = builder.input(spec, self.paths[index], self.location)
            mark_weak(builder, [value], [weak])
            note_whose(value, weak or one_of([False, owner]))
            leaves[index] = Symbol(value)
        items: Sequence[Any] = unflatten(self.structure, leaves)
        return items

    def _trace_body(self, state: Sequence[tuple[Spec, bool]]) -> Traced:
        builder = Builder("while_body", self.parent)
        with building(builder):
            arguments = self._arguments(builder, state)
            self._note_whole(builder, state)
            try:
                result = tuple(_as_items(self.body(*arguments), self.count))
            except NoOutcome:  # nobody reads what an iteration leaves that always raises
                result = tuple(arguments)
        leaves, structure = flatten(result)
        if structure != self.structure:
            label, before, after = first_difference(self.structure, structure, self.names)
            raise StateDisagrees(
                f"{label} has a different structure after an iteration of this loop",
                where=self.location,
                details=[f"before:  {before}", f"after:   {after}"],
                why="A tensor decides how often this loop runs, so its variables must keep one structure "
                "(`*` stands for a tensor).",
                way_out=way_out(before, after, "Keep the same nest of lists, tuples and dicts."),
            )
        return Traced(builder, leaves, structure)

    def _note_whole(self, builder: Builder, state: Sequence[tuple[Spec, bool]]) -> None:
        """Notes which variables are integers in the first turn, and floats in the body."""
        for index, value, (spec, _) in zip(self.staged, builder.inputs, state, strict=False):
            own, _ = self._at_start(index)
            kinds = [each.dtype.kind in WHOLE for each in (own, spec) if isinstance(each, ArraySpec)]
            if kinds == [True, False]:
                builder.context.whole_on_paths.add(value)

    def _join_round(self, state: Sequence[tuple[Spec, bool]], traced: Traced) -> list[tuple[Spec, bool]]:
        for index, leaf in enumerate(traced.leaves):
            if index not in self.staged and not is_same_object(self.start[index], leaf):
                raise StateDisagrees(
                    f"`{self.paths[index]}` is another object after an iteration of this loop",
                    where=self.location,
                    details=[f"before:  {describe(self.start[index])}", f"after:   {describe(leaf)}"],
                    why="A tensor decides how often this loop runs, so its variables become values of a "
                    "graph: tensors and numbers.",
                    way_out="Keep the object the same, or make it a tensor before the loop.",
                )
        joined = []
        with building(traced.builder):
            inputs = dict(zip(self.staged, traced.builder.inputs, strict=False))
            for (before, was_weak), index in zip(state, self.staged, strict=True):
                spec, weak = self._join_leaf(before, inputs[index], traced.leaves[index], index)
                if index in self.promised:
                    self._require_promise(before, spec, index)
                if self.parent.strict:
                    after = spec_of(operand(traced.leaves[index]))
                    strict.require_settled(self.paths[index], before, after, self.location, was_weak=was_weak)
                joined.append((spec, weak))
        return joined

    def _join_leaf(self, state: Spec, before: Value, after: Any, index: int) -> tuple[Spec, bool]:
        if not is_tensor(after):
            raise StateDisagrees(
                f"`{self.paths[index]}` is a tensor before an iteration of this loop, and "
                f"{describe(after)} after it",
                where=self.location,
                why="A tensor decides how often this loop runs, so its variables become values of a graph: "
                "tensors and numbers.",
                way_out="Keep it a tensor or a number, or use another name.",
            )
        spec, weak = join(before, after)
        if after is ABSENT or not isinstance(spec, ArraySpec) or not isinstance(state, ArraySpec):
            return spec, weak
        shape = shapes.join(state.shape, array_spec_of(operand(after)).shape)
        return ArraySpec(shape, ops.dtype_with_room(spec.dtype, self.start[index])), weak

    def _require_promise(self, before: Spec, joined: Spec, index: int) -> None:
        if isinstance(before, ArraySpec) and isinstance(joined, ArraySpec) and joined.shape != before.shape:
            raise StateDisagrees(
                f"`{self.paths[index]}` was promised to keep the shape {shapes.text(before.shape)}, but an "
                "iteration gives it another one",
                where=self.location,
                why=f"Together they need {shapes.text(joined.shape)}.",
                way_out="Widen the shape in `shape_invariants`, or leave it out: tracing then finds it.",
            )

    def _unsettled(self, rounds: Sequence[Sequence[tuple[Spec, bool]]]) -> StateDisagrees:
        lines = [
            f"round {number}: "
            + ", ".join(f"{self.paths[i]} {spec}" for i, (spec, _) in zip(self.staged, state, strict=True))
            for number, state in enumerate(rounds)
        ]
        return StateDisagrees(
            "the variables of this loop do not settle on dtypes and shapes",
            where=self.location,
            details=lines,
            why="A graph holds the body once, for variables of one dtype and shape.",
            way_out="Give `shape_invariants`, or cast the variables to one dtype before the loop.",
        )

    def _close(self, state: Sequence[tuple[Spec, bool]], traced: Traced) -> Any:
        specs = [spec for spec, _ in state]
        outputs = traced.outputs([traced.leaves[index] for index in self.staged], specs)
        inside = [(value.spec, weak) for value, (_, weak) in zip(traced.builder.inputs, state, strict=False)]
        test = Builder("while_cond", self.parent)
        with building(test):
            outcome = predicate(self.cond(*self._arguments(test, inside)), "while")
            decides = as_value(test, outcome, ArraySpec((), bool_))
        captured = share_captures([traced.builder, test])
        start = [
            as_value(self.parent, self.start[index], spec)
            for index, spec in zip(self.staged, specs, strict=True)
        ]
        loop = While(test.finish([decides]), traced.builder.finish(outputs))
        node = self.parent.add(loop, [*start, *captured], self.location)
        mark_weak(self.parent, node.outputs, [weak for _, weak in state])
        for index, value, (_, weak) in zip(self.staged, node.outputs, state, strict=False):
            owner = whose_of([self.start[index], traced.leaves[index]])
            note_whose(value, weak or seen_from(self.parent, owner))
        ends = zip(traced.builder.inputs, test.inputs, node.outputs, strict=False)
        for index, values in zip(self.staged, ends, strict=False) if self.names is not None else ():
            meeting = self.start[index], traced.leaves[index]
            note_meeting(self.parent, self.paths[index], meeting, values, self.location)
        leaves = list(self.start)
        for index, output in zip(self.staged, node.outputs, strict=True):
            leaves[index] = Symbol(output)
        result = unflatten(self.structure, leaves)
        return list(result) if self.is_list else result
