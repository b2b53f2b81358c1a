"""`@rule`: a local rewrite as a function over `match`, and the driver that applies rules until none fires.

A rule says which ops it is about, looks at a value and how it is made, and returns what should stand in its
place, or None. It builds that with the functions of `runtime.ops`, like a user::

    @rule(Cast)
    def cast_to_itself(v: Value) -> Replacement:
        '''cast(x: T, T) → x'''
        match v:
            case Value(Cast(to), [x]) if x.dtype is to:
                return x
        return None
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from autograph_base.dataclass import dataclass
from runtime.core import dims
from runtime.core.dims import Dim
from runtime.core.spec import Spec
from runtime.core.tensor import Tensor
from runtime.errors import GraphError, InvalidArgument, InvalidGraph
from runtime.graph.build import building
from runtime.graph.builder import Builder
from runtime.graph.dim_names import DimNames, made_by, match_specs, with_meanings
from runtime.graph.graph import Graph, Node, Value
from runtime.graph.location import UNKNOWN, located_at
from runtime.graph.op import Op
from runtime.graph.region import with_changed_graphs
from runtime.graph.symbol import Symbol
from runtime.passes.rebuild import Copy, DoomedNode, op_with_meanings

__all__ = ["Replacement", "Rule", "Rules", "node_rule", "rewrite", "rule", "rules_of"]

Replacement: TypeAlias = Value | Tensor | None
"""What a rule returns: a value of the graph, a symbol of it, or None where the rule does not fire."""

_MAX_STEPS = 50
"""Rules that fire one after the other on one node; more than that never end."""


@dataclass(frozen=True)
class Rule:
    """One local rewrite.

    Attributes
    ----------
    name : str
    ops : tuple of Op classes
        The ops of the nodes that it is tried on.
    apply : callable
        ``apply(node)`` gives a value for each output of the node, or None. New nodes go into the graph that
        is being built, which need not be the node's own.
    """

    name: str
    ops: tuple[type[Op], ...]
    apply: Callable[[Node], Sequence[Value | Tensor] | None]


class Rules(dict[type[Op], list[Rule]]):
    """Rules by the op that they are tried on; a table is compared by identity."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:  # type: ignore[override]  # a dict says that it has none
        return id(self)


def rule(*ops: type[Op]) -> Callable[[Callable[[Value], Replacement]], Rule]:
    """Makes a function of the only output of nodes with one of these ops a rule."""

    def make(function: Callable[[Value], Replacement]) -> Rule:
        def apply(node: Node) -> Sequence[Value | Tensor] | None:
            found = function(node.outputs[0])
            return None if found is None else (found,)

        return Rule(function.__name__, ops, apply)

    return make


def node_rule(*ops: type[Op]) -> Callable[[Callable[[Node], Sequence[Value | Tensor] | None]], Rule]:
    """Makes a function of nodes with one of these ops a rule: for ops with several outputs, or none."""
    return lambda function: Rule(function.__name__, ops, function)


def rules_of(module: Mapping[str, Any]) -> Rules:
    """The rules that a module defines (give its ``globals()``), in their order."""
    table = Rules()
    for each in module.values():
        if isinstance(each, Rule):
            for op in each.ops:
                table.setdefault(op, []).append(each)
    return table


def rewrite(graph: Graph, rules: Rules) -> Graph:
    """`graph`, and the graphs inside it, with rules applied until none fires.

    Nodes that a rule makes stand where the replaced one stood, and at its location.

    Returns
    -------
    Graph
        The same object where no rule fires.

    Raises
    ------
    GraphError
        When rules keep undoing each other, naming them.
    InvalidGraph
        When a rule's replacement says less about shape or dtype than what it replaces.
    """
    return _rewritten(graph, rules, {}, DimNames(of=graph), _Scratch(graph.name))


def _rewritten(
    graph: Graph, rules: Rules, done: dict[Graph, Graph], names: DimNames, scratch: _Scratch
) -> Graph:
    """As `rewrite`; `done` are graphs met before, so that a graph that is called twice stays one.

    `names` are those of the outermost graph: a graph inside of it sees the names around, so what a rule names
    inside must not be named around. `scratch` takes what is only tried.
    """
    if graph.kinds.isdisjoint(rules):
        return graph
    if graph not in done:
        done[graph] = _rewritten_now(graph, rules, done, names, scratch)
    return done[graph]


def _rewritten_now(
    graph: Graph, rules: Rules, done: dict[Graph, Graph], names: DimNames, scratch: _Scratch
) -> Graph:
    inside = {
        node: with_changed_graphs(
            node.op, lambda region: _rewritten(region.graph, rules, done, names, scratch), rules
        )
        for node in graph.nodes
        if node.op.regions
    }
    if all(node.op is op for node, op in inside.items()) and not _fires(graph, rules, scratch):
        return graph
    try:
        return _Rewrite(graph, rules, inside, names).run()
    except DoomedNode:
        return graph


def _fires(graph: Graph, rules: Rules, scratch: _Scratch) -> bool:
    """Whether any rule fires as the graph stands; that is found out before anything is copied."""
    tried = [node for node in graph.nodes if type(node.op) in rules]
    if not tried:
        return False
    scratch.dim_names = DimNames(of=graph)
    scratch.inputs[:] = graph.inputs
    with building(scratch), located_at(UNKNOWN):
        return any(_applied(each, node) is not None for node in tried for each in rules[type(node.op)])


class _Scratch(Builder):
    """Takes the nodes of a rule that is only tried."""

    def known(self, value: Value) -> Value:
        return value


class _Rewrite:
    """One graph on its way through a set of rules; `inside` are ops whose graphs have been."""

    def __init__(self, graph: Graph, rules: Rules, inside: Mapping[Node, Op], names: DimNames) -> None:
        self.rules = rules
        self.inside = inside
        self.copy = Copy(graph, names=names)
        self.nodes = self.copy.new.nodes

    def run(self) -> Graph:
        copy = self.copy
        with building(copy.new), located_at(UNKNOWN) as move_to:
            for node in copy.old.nodes:
                move_to(node.location)
                candidate = copy.candidate(node, self.inside.get(node))
                copy.replace(node.outputs, self.place(candidate, ()))
        return copy.finish()

    def place(self, node: Node, fired: tuple[str, ...]) -> Sequence[Value]:
        """Lists `node`, or what rules put in its place; returns what its outputs become."""
        start = len(self.nodes)
        for each in self.rules.get(type(node.op), ()):
            found = _applied(each, node)
            if found is not None:
                values = [value.value if isinstance(value, Symbol) else value for value in found]
                return self.settle(node, values, start, (*fired, each.name))
        self.nodes.append(node)
        return node.outputs

    def settle(self, node: Node, found: Sequence[Any], start: int, fired: tuple[str, ...]) -> Sequence[Value]:
        """Tries the rules again on the nodes that one has just made."""
        made = self.nodes[start:]
        meanings = _meanings(made, found, node.specs)
        _check(node, [with_meanings(value.spec, meanings) for value in found], fired[-1])
        if len(fired) > _MAX_STEPS:
            culprits = " and ".join(f"`{name}`" for name in dict.fromkeys(fired[-10:]))
            raise GraphError(
                f"the rules {culprits} keep undoing each other at {node!r}",
                where=node.location,
                why="Rules are applied until none changes the graph.",
                way_out="Make one of them refuse what the other gives.",
            )
        del self.nodes[start:]
        values: dict[Value, Value] = {}
        for each in made:
            inputs = tuple([values.get(value, value) for value in each.inputs])
            again = each if inputs == each.inputs else self.copy.like(each, inputs, each.op)
            if meanings:
                specs = tuple([with_meanings(spec, meanings) for spec in again.specs])
                op = op_with_meanings(again.op, meanings)
                again = Node(self.copy.new.graph, op, again.inputs, specs, again.location)
            values.update(zip(each.outputs, self.place(again, fired), strict=True))
        return [values.get(value, value) for value in found]


def _applied(each: Rule, node: Node) -> Sequence[Value | Tensor] | None:
    """What the rule gives; None also where it would make a node that is bound to raise: the old one shall."""
    try:
        return each.apply(node)
    except InvalidArgument:
        return None


def _meanings(made: Sequence[Node], found: Sequence[Value], specs: Sequence[Spec]) -> dict[str, Dim]:
    """What the names mean that the nodes of a rule give, where what they replace said more of its lengths."""
    if all(value.spec == spec for value, spec in zip(found, specs, strict=True)):
        return {}
    own = {name for node in made for name in made_by(node)}
    meanings = match_specs([value.spec for value in found], specs) if own else None
    return {name: dim for name, dim in (meanings or {}).items() if name in own and dim is not dims.UNKNOWN}


def _check(node: Node, found: Sequence[Spec], name: str) -> None:
    """Refuses a replacement that says less than what it replaces."""
    for before, after in zip(node.specs, found, strict=True):
        if match_specs([before], [after]) is None:
            raise InvalidGraph(
                f"the rule `{name}` replaces {node!r}, which is {before}, by a value that is {after}",
                where=node.location,
                why="Those that read the value rely on its dtype and shape.",
                way_out="Cast or reshape the replacement, or leave the node as it is.",
            )
