"""The ops that run graphs, one per construct: `If`, `While`, `Call`.

What people and GraphDef call them says whether they have effects: `StatelessIf` has none, `If` has some.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import cached_property, reduce
from operator import or_
from typing import Any, ClassVar, TypeAlias

import numpy as np

from runtime.core.dims import UNKNOWN, Dim, named
from runtime.core.dtypes import bool_, float64
from runtime.core.spec import ArraySpec, Spec
from runtime.errors import GraphError
from runtime.graph import parser
from runtime.graph.dim_names import made_in, match_specs, names_of_specs, with_meanings
from runtime.graph.graph import Graph
from runtime.graph.op import Effects, Op
from runtime.graph.region import Region, Runs, called_by
from runtime.ops.facts import Sample, Samples

__all__ = ["Call", "If", "RecursiveCall", "While"]


Execute: TypeAlias = Callable[[Graph, Sequence[Any]], Sequence[Any]]
"""Runs a graph: arrays for its inputs to arrays for its outputs."""


class Construct(Op, abstract=True):
    """An op that runs the graphs that are its first fields: it does what they do."""

    is_core = True

    @cached_property
    def settled(self) -> set[Hashable]:
        return set()

    @cached_property
    def graphs(self) -> tuple[Graph, ...]:
        return tuple([region.graph for region in self.regions])

    def with_graphs(self, *graphs: Graph) -> Op:
        return type(self)(*graphs, *self._values()[len(graphs) :])

    @cached_property
    def effects(self) -> Effects:
        found = Effects.NONE
        for graph in self.graphs:
            if graph.effects is not Effects.NONE:
                found |= graph.effects
        return found

    @property
    def name(self) -> str:
        """TensorFlow's name: the first where it has no effects, the last where it has."""
        return self.names[-1 if self.effects else 0]

    def __repr__(self) -> str:
        return f"{self.name}({', '.join(graph.name for graph in self.graphs)})"


def _of_text(text: str, *inputs: tuple[Any, ...]) -> Samples:
    """Samples of the only op in a graph that is written as text."""

    def make() -> list[Sample]:
        (node,) = parser.from_text(text).nodes
        return [Sample(tuple(map(np.asarray, each)), node.op.attributes()) for each in inputs]

    return Samples(make)


class If(Construct):
    """One of two graphs, chosen by a bool.

    Inputs: the bool, then what either branch captures. Outputs: the branch's.
    """

    names: ClassVar[tuple[str, ...]] = ("StatelessIf", "If")
    then_branch: Graph
    else_branch: Graph
    samples = _of_text(
        """
        p: bool[]
        x: f64[2]
        a = StatelessIf(p, x, then_branch=yes, else_branch=no)
            yes:
                x: f64[2]
                a = Neg(x)
                return a
            no:
                x: f64[2]
                return x
        return a
        """,
        (True, [1.0, 2.0]),
        (False, [1.0, 2.0]),
    )

    @cached_property
    def regions(self) -> tuple[Region, ...]:
        return self._branch("then", self.then_branch, True), self._branch("else", self.else_branch, False)

    def _branch(self, role: str, graph: Graph, holds: bool) -> Region:
        operands, results = range(1, 1 + len(graph.inputs)), range(len(graph.outputs))
        return Region(role, graph, Runs.AT_MOST_ONCE, operands, results, guard=(0, holds))

    def run(self, execute: Execute, *operands: Any) -> Sequence[Any]:
        predicate, *captures = operands
        return execute(self.then_branch if predicate else self.else_branch, captures)

    def infer(self, predicate: Spec, *captures: Spec) -> tuple[Spec, ...]:
        _require_predicate(predicate, "if")
        left, right = [_outside(branch, _entered(branch, captures)) for branch in self.graphs]
        return tuple([one.join(other) for one, other in zip(left, right, strict=True)])


class While(Construct):
    """A graph run again and again while another one says so.

    Inputs: the loop variables, then what either graph captures, which stays the same in every iteration.
    `cond` and `body` take all of them; `body` returns the loop variables. Outputs: the loop variables.
    """

    names: ClassVar[tuple[str, ...]] = ("StatelessWhile", "While")
    cond: Graph
    body: Graph
    samples = _of_text(
        """
        i: i64[]
        x: f64[]
        n: i64[]
        a, b = StatelessWhile(i, x, n, cond=test, body=step)
            test:
                i: i64[]
                x: f64[]
                n: i64[]
                a = Less(i, n)
                return a
            step:
                i: i64[]
                x: f64[]
                n: i64[]
                a = Const(1, dtype=i64)
                b = AddV2(i, a)
                c = AddV2(x, x)
                return b, c
        return a, b
        """,
        (0, 1.5, 3),
        (5, 1.5, 3),
    )

    @cached_property
    def regions(self) -> tuple[Region, ...]:
        operands, variables = range(len(self.body.inputs)), len(self.body.outputs)
        return (
            Region("test", self.cond, Runs.AT_LEAST_ONCE, operands, range(0), variables),
            Region("body", self.body, Runs.ANY_TIMES, operands, range(variables), variables),
        )

    def run(self, execute: Execute, *operands: Any) -> Sequence[Any]:
        count = len(self.body.outputs)
        state: Sequence[Any] = operands[:count]
        captures = operands[count:]
        while execute(self.cond, [*state, *captures])[0]:
            state = execute(self.body, [*state, *captures])
        return state

    def infer(self, *inputs: Spec) -> tuple[Spec, ...]:
        _entered(self.cond, inputs)
        meanings = _entered(self.body, inputs)
        (predicate,) = self.cond.output_specs
        _require_predicate(predicate, "while")
        before, after = self.body.input_specs, self.body.output_specs
        # a length may change where its name is the loop's own; then it does so wherever the name stands
        changes = match_specs(before, (*after, *before[len(after) :]))
        if changes is None or any(
            meanings[name] == named(name) != dim for name, dim in changes.items() if name in meanings
        ):
            for variable, result in zip(before, after, strict=False):
                if not variable.contains(result):
                    raise GraphError(f"a loop variable is {variable} before the body and {result} after it")
            raise GraphError(f"the loop variables {before} change in other ways, to {after}")
        for name, dim in changes.items():
            if dim != named(name):
                meanings[name] = UNKNOWN
        return tuple([with_meanings(variable, meanings) for variable in before[: len(after)]])


class Call(Construct):
    """A call of a graph. Inputs and outputs are the graph's."""

    names: ClassVar[tuple[str, ...]] = ("PartitionedCall", "StatefulPartitionedCall")
    graph: Graph
    samples = _of_text(
        """
        x: f64[2]
        a = PartitionedCall(x, graph=double)
            double:
                x: f64[2]
                a = AddV2(x, x)
                return a
        return a
        """,
        ([1.0, 2.0],),
    )

    @cached_property
    def regions(self) -> tuple[Region, ...]:
        return (called_by(self.graph),)

    def run(self, execute: Execute, *operands: Any) -> Sequence[Any]:
        return execute(self.graph, operands)

    def infer(self, *inputs: Spec) -> tuple[Spec, ...]:
        return _returned(self.graph.output_specs, _entered(self.graph, inputs))


class RecursiveCall(Op):
    """A call of a function by its name: from inside of the function, or of one that it calls.

    Inputs and outputs are the function's. It says all that graphs around it need to know of the function.
    """

    function: str
    takes: tuple[Spec, ...]
    gives: tuple[Spec, ...]
    does: tuple[str, ...]
    """The names of its effects."""

    is_core = True

    @cached_property
    def settled(self) -> set[Hashable]:
        return set()

    why_no_graphdef: ClassVar[str] = "its functions cannot call themselves"
    samples = (
        Sample(
            (np.arange(3.0),),
            {
                "function": "double",
                "takes": (ArraySpec((UNKNOWN,), float64),),
                "gives": (ArraySpec((UNKNOWN,), float64),),
                "does": (),
            },
        ),
    )

    @property
    def callee(self) -> str:
        return self.function

    @property
    def effects(self) -> Effects:
        return reduce(or_, [Effects[name] for name in self.does], Effects.NONE)

    def infer(self, *inputs: Spec) -> tuple[Spec, ...]:
        return _returned(self.gives, _required(self.function, self.takes, inputs))


def _require_predicate(spec: Spec, statement: str) -> None:
    if not isinstance(spec, ArraySpec) or spec.dtype is not bool_ or spec.shape not in {(), None}:
        raise GraphError(f"the test of a staged `{statement}` must be one bool, not {spec}")


def _entered(graph: Graph, given: Sequence[Spec]) -> dict[str, Dim]:
    """What the names of lengths in the inputs of `graph` mean for values of these specs."""
    return _required(graph.name, graph.input_specs, given)


def _required(name: str, wanted: Sequence[Spec], given: Sequence[Spec]) -> dict[str, Dim]:
    meanings = match_specs(wanted, given)
    if meanings is None:
        takes, gets = ", ".join(map(str, wanted)), ", ".join(map(str, given))
        raise GraphError(f"the graph `{name}` takes ({takes}), not ({gets})")
    return meanings


def _outside(graph: Graph, meanings: dict[str, Dim]) -> list[Spec]:
    """What a graph inside gives, as the graph around sees it: names that only the inner one has are gone."""
    own = names_of_specs(graph.output_specs)
    if not own <= meanings.keys():
        meanings = dict.fromkeys(made_in(graph), UNKNOWN) | meanings
    return [with_meanings(spec, meanings) for spec in graph.output_specs]


def _returned(specs: Sequence[Spec], meanings: dict[str, Dim]) -> tuple[Spec, ...]:
    """What a function gives, where it is called: all names in it are its own."""
    meanings = dict.fromkeys(names_of_specs(specs), UNKNOWN) | meanings
    return tuple([with_meanings(spec, meanings) for spec in specs])
