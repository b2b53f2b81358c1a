"""Functional control flow: `StatelessIf`, `StatelessWhile`, `PartitionedCall`, and `cond`, `while_loop`, …

A staged branch or loop body is traced into a sub-graph. What both branches, or the start and every
iteration, leave in a variable is joined: dtypes by promotion, shapes to unknown dims where they differ. A
loop is traced again until its variables keep their specs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from runtime import ops
from runtime.core import shapes
from runtime.core.dtypes import DType, bool_, result_type, variant
from runtime.core.spec import Spec, as_shape
from runtime.core.structure import Structure, flatten, leaf_paths, unflatten
from runtime.core.tensor import Tensor, TensorLike
from runtime.errors import DTypeError, GraphError, ShapeError, StateDisagrees
from runtime.graph.build import as_tensor, building, current_graph, promotion_operand, spec_of
from runtime.graph.graph import Graph, Node, Symbol, Value
from runtime.graph.location import Location, caller_location
from runtime.graph.op import Effects, Op

__all__ = [
    "ABSENT",
    "If",
    "PartitionedCall",
    "StatefulPartitionedCall",
    "StatelessIf",
    "StatelessWhile",
    "While",
    "call_graph",
    "case",
    "cond",
    "switch",
    "while_loop",
]

_MAX_ROUNDS = 8
"""Rounds in which a loop's variables must settle: dtypes widen and dims become unknown only a few times."""


class _Absent:
    """The type of `ABSENT`."""

    def __repr__(self) -> str:
        return "ABSENT"


ABSENT = _Absent()
"""A leaf without a value on one path, which nobody reads there: zeros stand in for it in the graph."""


class _Holder(Op, abstract=True):
    """An op that runs sub-graphs: it does what they do."""

    @property
    def effects(self) -> Effects:
        found = Effects.NONE
        for graph in self.graphs:
            found |= graph.effects
        return found

    def __repr__(self) -> str:
        return f"{self.name}({', '.join(graph.name for graph in self.graphs)})"


class StatelessIf(_Holder):
    """One of two graphs, chosen by a bool.

    Inputs: the bool, then what either branch captures. Outputs: the branch's.
    """

    then_branch: Graph
    else_branch: Graph

    @property
    def graphs(self) -> tuple[Graph, ...]:
        return self.then_branch, self.else_branch

    def with_graphs(self, *graphs: Graph) -> Op:
        return type(self)(*graphs)

    def infer(self, predicate: Spec, *captures: Spec) -> tuple[Spec, ...]:
        _require_predicate(predicate, "if")
        for branch in self.graphs:
            _require_inputs(branch, captures)
        pairs = zip(self.then_branch.output_specs, self.else_branch.output_specs, strict=True)
        return tuple([left.join(right) for left, right in pairs])


class If(StatelessIf):
    """A `StatelessIf` whose branches have effects."""


class StatelessWhile(_Holder):
    """A graph run again and again while another one says so.

    Inputs: the loop variables, then what either graph captures, which stays the same in every iteration. `cond`
    and `body` take all of them; `body` returns the loop variables. Outputs: the loop variables.
    """

    cond: Graph
    body: Graph

    @property
    def graphs(self) -> tuple[Graph, ...]:
        return self.cond, self.body

    def with_graphs(self, *graphs: Graph) -> Op:
        return type(self)(*graphs)

    def infer(self, *inputs: Spec) -> tuple[Spec, ...]:
        for graph in self.graphs:
            _require_inputs(graph, inputs)
        (predicate,) = self.cond.output_specs
        _require_predicate(predicate, "while")
        variables = self.body.input_specs[: len(self.body.outputs)]
        for variable, after in zip(variables, self.body.output_specs, strict=True):
            if not variable.contains(after):
                raise GraphError(f"a loop variable is {variable} before the body and {after} after it")
        return variables


class While(StatelessWhile):
    """A `StatelessWhile` whose graphs have effects."""


class PartitionedCall(_Holder):
    """A call of a graph. Inputs and outputs are the graph's."""

    graph: Graph

    @property
    def graphs(self) -> tuple[Graph, ...]:
        return (self.graph,)

    def with_graphs(self, *graphs: Graph) -> Op:
        return type(self)(*graphs)

    def infer(self, *inputs: Spec) -> tuple[Spec, ...]:
        _require_inputs(self.graph, inputs)
        return self.graph.output_specs


class StatefulPartitionedCall(PartitionedCall):
    """A `PartitionedCall` of a graph with effects."""


def _require_predicate(spec: Spec, statement: str) -> None:
    if spec.dtype is not bool_ or spec.shape not in {(), None}:
        raise GraphError(f"the test of a staged `{statement}` must be one bool, not {spec}")


def _require_inputs(graph: Graph, given: Sequence[Spec]) -> None:
    wanted = graph.input_specs
    if len(wanted) != len(given) or not all(map(Spec.contains, wanted, given)):
        raise GraphError(
            f"the graph `{graph.name}` takes ({', '.join(map(str, wanted))}), not ({', '.join(map(str, given))})"
        )


# ── tracing a branch or a body ────────────────────────────────────────────────────────────────────────


@dataclass
class _Traced:
    """What a Python function left behind in a sub-graph."""

    graph: Graph
    leaves: list[Any]
    structure: Structure

    def close(self, leaves: Sequence[Any], specs: Sequence[Spec]) -> None:
        """Makes `leaves`, cast to the joined dtypes, the outputs of the graph."""
        with building(self.graph):
            self.graph.outputs = [
                _as_value(self.graph, leaf, spec) for leaf, spec in zip(leaves, specs, strict=True)
            ]


def _trace_both(
    parent: Graph,
    true_fn: Callable[[], Any],
    false_fn: Callable[[], Any],
    reconcile: Callable[[Any, Any], tuple[Any, Any]] | None,
) -> tuple[_Traced, _Traced]:
    graphs = Graph("cond_true", parent), Graph("cond_false", parent)
    with building(graphs[0]):
        left = true_fn()
    with building(graphs[1]):
        right = false_fn()
    if reconcile is not None:
        left, right = reconcile(left, right)
    return _Traced(graphs[0], *flatten(left)), _Traced(graphs[1], *flatten(right))


def _is_tensor(leaf: Any) -> bool:
    """Whether a leaf becomes a value of the graph; anything else must be the same object on every path."""
    return isinstance(leaf, (_Absent, Tensor, Value, bool, int, float, complex, np.ndarray, np.generic)) or hasattr(
        type(leaf), "__tensor__"
    )


def _as_value(graph: Graph, leaf: Any, spec: Spec) -> Value:
    if leaf is ABSENT:
        return _zeros(graph, spec)
    tensor = _cast(leaf, spec.dtype)
    if isinstance(tensor, Symbol):
        return graph.resolve(tensor.value)
    return graph.constant(tensor._array)  # noqa: SLF001  # a constant shares the tensor's array


def _zeros(graph: Graph, spec: Spec) -> Value:
    """A value of this spec that nobody reads."""
    known = tuple(dim or 0 for dim in spec.shape or ())
    return graph.constant(np.zeros(known, spec.dtype.numpy))


def _cast(leaf: Any, dtype: DType) -> Tensor:
    if isinstance(leaf, (bool, int, float, complex)):
        return Tensor(np.asarray(leaf, dtype.numpy))
    tensor = as_tensor(leaf)
    return tensor if tensor.dtype is dtype else ops.astype(tensor, dtype)


def _join(left: Any, right: Any) -> tuple[Spec, bool]:
    """The spec that holds both leaves, and whether it still stands for a Python number."""
    if left is ABSENT or right is ABSENT:
        left = right = left if right is ABSENT else right
    first, second = _operand(left), _operand(right)
    one, other = spec_of(first), spec_of(second)
    if variant in (one.dtype, other.dtype):
        return one.join(other), False
    weights = promotion_operand(first), promotion_operand(second)
    dtype = result_type(*weights, defaults=_defaults())
    shape = shapes.join(one.shape, other.shape)
    return Spec(shape, dtype), not any(isinstance(weight, DType) for weight in weights)


def _defaults() -> Any:
    graph = current_graph()
    assert graph is not None, "joining happens while a graph is built"
    return graph.defaults


def _operand(leaf: Any) -> Any:
    return leaf if isinstance(leaf, (bool, int, float, complex, Value)) else as_tensor(leaf)


def _share_captures(graphs: Sequence[Graph]) -> list[Value]:
    """Gives every graph the captures of all, in one order, and returns the captured values."""
    captured = list(dict.fromkeys(outer for graph in graphs for outer in graph.captures))
    for graph in graphs:
        own = [value for value in graph.inputs if value not in set(graph.captures.values())]
        for outer in captured:
            if outer not in graph.captures:
                graph.captures[outer] = graph.input(outer.spec, "capture", outer.node.location)
        graph.captures = {outer: graph.captures[outer] for outer in captured}
        graph.inputs = [*own, *graph.captures.values()]
    return captured


def _predicate(test: TensorLike, statement: str) -> Tensor:
    """`test` as one bool, by Python's truth of a number."""
    tensor = as_tensor(test)
    if tensor.dtype is variant:
        raise DTypeError(f"a list of tensors cannot decide a staged `{statement}`: compare its length")
    if shapes.size(tensor.shape) == 1 and tensor.shape:
        tensor = ops.reshape(tensor, ())
    if tensor.shape not in {(), None}:
        raise ShapeError(
            f"the truth of a tensor of shape {shapes.text(tensor.shape)} is ambiguous in this `{statement}`: "
            "it has more than one element, or may have.\nSay which you mean: `rt.any(x)` or `rt.all(x)`."
        )
    return tensor if tensor.dtype is bool_ else ops.astype(tensor, bool_)


# ── if ────────────────────────────────────────────────────────────────────────────────────────────────


def cond(
    pred: TensorLike,
    true_fn: Callable[[], Any],
    false_fn: Callable[[], Any],
    *,
    names: Sequence[str] | None = None,
    reconcile: Callable[[Any, Any], tuple[Any, Any]] | None = None,
) -> Any:
    """What `true_fn` returns where `pred` holds, and otherwise what `false_fn` returns.

    Parameters
    ----------
    pred : Tensor of one element, or bool
        Numbers count as true unless they are zero.
    true_fn, false_fn : callable
        Take nothing; return nests of tensors of one structure. In a graph both are traced and one runs.
    names : sequence of str, optional
        What error messages call the items of the returned tuples.
    reconcile : callable, optional
        Takes what both branches returned and gives what is joined; it may put `ABSENT` for a leaf that one
        branch has and the other lacks.

    Returns
    -------
    The nest. In a graph, dtypes that differ between the branches are promoted, and dims that differ are unknown.

    Raises
    ------
    StateDisagrees
        When the branches return different structures, or different objects that are no tensors.

    Notes
    -----
    GraphDef "StatelessIf", or "If" where a branch has effects. Semantics: TensorFlow `tf.cond`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.cond(rt.asarray(3) > 2, lambda: rt.asarray(1.0), lambda: rt.asarray(0.0))
    <Tensor: shape=(), dtype=float64, numpy=1.0>
    """
    parent = current_graph()
    if parent is None:
        return true_fn() if bool(_predicate(pred, "if")) else false_fn()
    location = caller_location()
    predicate = _as_value(parent, _predicate(pred, "if"), Spec((), bool_))
    then, orelse = _trace_both(parent, true_fn, false_fn, reconcile)
    _require_same_structure(then, orelse, names, location)
    paths = _paths(then.structure, names)
    result = list(then.leaves)
    staged = [
        index
        for index, path in enumerate(paths)
        if _differs(then.leaves[index], orelse.leaves[index], path, location)
    ]
    joined = [_join(then.leaves[index], orelse.leaves[index]) for index in staged]
    specs = [spec for spec, _ in joined]
    for traced in (then, orelse):
        traced.close([traced.leaves[index] for index in staged], specs)
    captured = _share_captures([then.graph, orelse.graph])
    stateless = StatelessIf(then.graph, orelse.graph)
    op = If(then.graph, orelse.graph) if stateless.effects else stateless
    node = parent.add(op, [predicate, *captured], location)
    _mark_weak(node, [weak for _, weak in joined])
    for index, output in zip(staged, node.outputs, strict=True):
        result[index] = Symbol(output)
    return unflatten(then.structure, result)


def _differs(left: Any, right: Any, path: str, location: Location) -> bool:
    """Whether a leaf must be chosen at run time; raises when it cannot be."""
    if _is_tensor(left) and _is_tensor(right):
        return not (left is right and isinstance(left, Tensor) and not isinstance(left, Symbol))
    if left is right or (type(left) is type(right) and isinstance(left, (str, bytes)) and left == right):
        return False
    raise StateDisagrees(
        f"`{path}` is a different object after each branch of this `if`\n\n{location.describe()}\n"
        f"  if true:   {_describe(left)}\n  if false:  {_describe(right)}\n\n"
        "A tensor decides this `if`, so both branches become part of one graph, which can only choose between "
        "tensors and numbers.\nGive it the same value in both branches, or a tensor in each."
    )


def _describe(leaf: Any) -> str:
    return str(spec_of(_operand(leaf))) if _is_tensor(leaf) else f"{leaf!r} ({type(leaf).__name__})"


def _require_same_structure(
    then: _Traced, orelse: _Traced, names: Sequence[str] | None, location: Location
) -> None:
    if then.structure == orelse.structure:
        return
    label, left, right = _first_difference(then.structure, orelse.structure, names)
    raise StateDisagrees(
        f"{label} has a different structure after each branch of this `if`\n\n{location.describe()}\n"
        f"  if true:   {left}\n  if false:  {right}\n\n"
        "A tensor decides this `if`, so both branches become part of one graph and must give it one structure "
        "(`*` stands for a tensor).\nReturn the same nest of lists, tuples and dicts from both branches."
    )


def _first_difference(
    left: Structure, right: Structure, names: Sequence[str] | None
) -> tuple[str, Structure, Structure]:
    if names is not None:
        for name, one, other in zip(names, left.children, right.children, strict=False):
            if one != other:
                return f"`{name}`", one, other
    return "what is returned", left, right


def _paths(structure: Structure, names: Sequence[str] | None) -> list[str]:
    if names is None:
        return [path or "result" for path in leaf_paths(structure, "result")]
    return [
        path
        for name, child in zip(names, structure.children, strict=True)
        for path in leaf_paths(child, name)
    ]


def _mark_weak(node: Node, weak: Sequence[bool]) -> None:
    node.graph.weak.update(
        output for output, is_weak in zip(node.outputs, weak, strict=True) if is_weak
    )


def case(
    pred_fn_pairs: Sequence[tuple[TensorLike, Callable[[], Any]]], default: Callable[[], Any]
) -> Any:
    """What the function beside the first true predicate returns, or else what `default` returns.

    Parameters
    ----------
    pred_fn_pairs : sequence of (Tensor of one element, callable)
    default : callable

    Returns
    -------
    The nest that the chosen function returns; joined as in `cond`.

    Examples
    --------
    >>> import runtime as rt
    >>> x = rt.asarray(7)
    >>> rt.case([(x < 5, lambda: rt.asarray(0)), (x < 10, lambda: rt.asarray(1))], lambda: rt.asarray(2))
    <Tensor: shape=(), dtype=int64, numpy=1>
    """
    if not pred_fn_pairs:
        return default()
    (predicate, function), *rest = pred_fn_pairs
    return cond(predicate, function, lambda: case(rest, default))


def switch(
    index: TensorLike, branches: Sequence[Callable[[], Any]], default: Callable[[], Any] | None = None
) -> Any:
    """What the branch at `index` returns.

    Parameters
    ----------
    index : integer Tensor without axes
    branches : sequence of callable
    default : callable, optional
        Runs when `index` is outside ``0 <= index < len(branches)``; the last branch by default.

    Returns
    -------
    The nest that the chosen branch returns; joined as in `cond`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.switch(rt.asarray(1), [lambda: rt.asarray(10), lambda: rt.asarray(20)])
    <Tensor: shape=(), dtype=int64, numpy=20>
    """
    if not branches:
        raise GraphError("switch needs at least one branch")
    chosen = as_tensor(index)
    if default is None:
        *branches, default = branches
    return case([(chosen == number, branch) for number, branch in enumerate(branches)], default)


# ── while ─────────────────────────────────────────────────────────────────────────────────────────────


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
        Per loop variable, the shape that it keeps; found by tracing where it is not given (or is an ellipsis).
    maximum_iterations : int or integer Tensor, optional
    names : sequence of str, optional
        What error messages call the loop variables.

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
    if maximum_iterations is not None:
        return _limited(cond, body, loop_vars, maximum_iterations, shape_invariants, names)
    parent = current_graph()
    if parent is None:
        return _eager_loop(cond, body, loop_vars)
    loop = _Loop(parent, cond, body, loop_vars, shape_invariants, names)
    return loop.stage()


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
        return ops.logical_and(with_room, _predicate(cond(*rest), "while"))

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
        f"the body of a loop must return its {count} variables, not {result!r}\n\n{caller_location().describe()}"
    )


def _eager_loop(cond: Callable[..., Any], body: Callable[..., Any], loop_vars: Any) -> Any:
    kind = list if isinstance(loop_vars, list) else tuple
    items: Sequence[Any] = tuple(loop_vars)
    while bool(_predicate(cond(*items), "while")):
        items = _as_items(body(*items), len(items))
    return kind(items)


class _Loop:
    """A staged loop while its variables settle."""

    def __init__(
        self,
        parent: Graph,
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
        self.paths = _paths(self.structure, names or [f"loop_vars[{i}]" for i in range(self.count)])
        self.names = names
        self.staged = [index for index, leaf in enumerate(self.start) if _is_tensor(leaf)]
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

    def stage(self) -> Any:
        """Traces to a fixpoint, adds the node, and returns the variables after the loop."""
        with building(self.parent):
            state = [self._at_start(index) for index in self.staged]
            rounds = [state]
            for _ in range(_MAX_ROUNDS):
                traced = self._trace_body(state)
                joined = self._join_round(state, traced)
                if joined == state:
                    return self._close(state, traced)
                state = joined
                rounds.append(state)
        raise StateDisagrees(self._unsettled(rounds))

    def _at_start(self, index: int) -> tuple[Spec, bool]:
        leaf = _operand(self.start[index])
        spec = spec_of(leaf)
        if index in self.promised:
            shape = self.promised[index]
            if not shapes.contains(shape, spec.shape):
                raise StateDisagrees(
                    f"`{self.paths[index]}` starts with shape {shapes.text(spec.shape)}, which is not of the "
                    f"promised shape {shapes.text(shape)}\n\n{self.location.describe()}"
                )
            spec = spec.with_shape(shape)
        return spec, not isinstance(promotion_operand(leaf), DType)

    def _arguments(self, graph: Graph, state: Sequence[tuple[Spec, bool]]) -> Sequence[Any]:
        leaves = list(self.start)
        for index, (spec, weak) in zip(self.staged, state, strict=True):
            value = graph.input(spec, self.paths[index], self.location)
            if weak:
                graph.weak.add(value)
            leaves[index] = Symbol(value)
        items: Sequence[Any] = unflatten(self.structure, leaves)
        return items

    def _trace_body(self, state: Sequence[tuple[Spec, bool]]) -> _Traced:
        graph = Graph("while_body", self.parent)
        with building(graph):
            arguments = self._arguments(graph, state)
            result = tuple(_as_items(self.body(*arguments), self.count))
        leaves, structure = flatten(result)
        if structure != self.structure:
            label, before, after = _first_difference(self.structure, structure, self.names)
            raise StateDisagrees(
                f"{label} has a different structure after an iteration of this loop\n\n"
                f"{self.location.describe()}\n  before:  {before}\n  after:   {after}\n\n"
                "A tensor decides how often this loop runs, so its variables must keep one structure "
                "(`*` stands for a tensor)."
            )
        return _Traced(graph, leaves, structure)

    def _join_round(self, state: Sequence[tuple[Spec, bool]], traced: _Traced) -> list[tuple[Spec, bool]]:
        for index, leaf in enumerate(traced.leaves):
            if index not in self.staged and leaf is not self.start[index]:
                raise StateDisagrees(
                    f"`{self.paths[index]}` is another object after an iteration of this loop\n\n"
                    f"{self.location.describe()}\n  before:  {_describe(self.start[index])}\n"
                    f"  after:   {_describe(leaf)}\n\nA tensor decides how often this loop runs, so its "
                    "variables become values of a graph: tensors and numbers.\nKeep the object the same, "
                    "or make it a tensor before the loop."
                )
        joined = []
        with building(traced.graph):
            inputs = dict(zip(self.staged, traced.graph.inputs, strict=False))
            for (before, _), index in zip(state, self.staged, strict=True):
                spec, weak = self._join_leaf(inputs[index], traced.leaves[index], index)
                if index in self.promised:
                    self._require_promise(before, spec, index)
                joined.append((spec, weak))
        return joined

    def _join_leaf(self, before: Value, after: Any, index: int) -> tuple[Spec, bool]:
        if not _is_tensor(after):
            raise StateDisagrees(
                f"`{self.paths[index]}` is a tensor before an iteration of this loop, and "
                f"{_describe(after)} after it\n\n{self.location.describe()}\n\n"
                "Keep it a tensor or a number, or use another name."
            )
        return _join(before, after)

    def _require_promise(self, before: Spec, joined: Spec, index: int) -> None:
        if joined.shape != before.shape:
            raise StateDisagrees(
                f"`{self.paths[index]}` was promised to keep the shape {shapes.text(before.shape)}, but an "
                f"iteration gives it another one: together they need {shapes.text(joined.shape)}\n\n"
                f"{self.location.describe()}\n\nWiden the shape in `shape_invariants`, or leave it out: "
                "it is then found by tracing."
            )

    def _unsettled(self, rounds: Sequence[Sequence[tuple[Spec, bool]]]) -> str:
        lines = [
            f"  round {number}: "
            + ", ".join(f"{self.paths[i]} {spec}" for i, (spec, _) in zip(self.staged, state, strict=True))
            for number, state in enumerate(rounds)
        ]
        return (
            f"the variables of this loop do not settle on dtypes and shapes\n\n{self.location.describe()}\n"
            + "\n".join(lines)
            + "\n\nGive `shape_invariants`, or cast the variables to one dtype before the loop."
        )

    def _close(self, state: Sequence[tuple[Spec, bool]], traced: _Traced) -> Any:
        specs = [spec for spec, _ in state]
        traced.close([traced.leaves[index] for index in self.staged], specs)
        test = Graph("while_cond", self.parent)
        with building(test):
            outcome = _predicate(self.cond(*self._arguments(test, state)), "while")
            test.outputs = [_as_value(test, outcome, Spec((), bool_))]
        captured = _share_captures([traced.graph, test])
        start = [
            _as_value(self.parent, self.start[index], spec)
            for index, spec in zip(self.staged, specs, strict=True)
        ]
        stateless = StatelessWhile(test, traced.graph)
        op = While(test, traced.graph) if stateless.effects else stateless
        node = self.parent.add(op, [*start, *captured], self.location)
        _mark_weak(node, [weak for _, weak in state])
        leaves = list(self.start)
        for index, output in zip(self.staged, node.outputs, strict=True):
            leaves[index] = Symbol(output)
        result = unflatten(self.structure, leaves)
        return list(result) if self.is_list else result


# ── call ──────────────────────────────────────────────────────────────────────────────────────────────


def call_graph(graph: Graph, arguments: Sequence[TensorLike]) -> tuple[Symbol, ...]:
    """Records a call of `graph` in the graph being built.

    Parameters
    ----------
    graph : Graph
        Closed: what it captures must belong to the graph being built, or to one around it.
    arguments : sequence of Tensor
        One for each input that is no capture.
    """
    caller = current_graph()
    assert caller is not None, "a call is recorded while a graph is built"
    own = graph.inputs[: len(graph.inputs) - len(graph.captures)]
    values = [_as_value(caller, argument, value.spec) for argument, value in zip(arguments, own, strict=True)]
    captured = [caller.resolve(outer) for outer in graph.captures]
    pure = PartitionedCall(graph)
    op = StatefulPartitionedCall(graph) if pure.effects else pure
    node = caller.add(op, [*values, *captured], caller_location())
    return tuple([Symbol(output) for output in node.outputs])
