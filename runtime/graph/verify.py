"""The verifier: every rule that a valid graph keeps.

1. Inputs are outputs of `Placeholder` nodes of the graph, each once; no placeholder is among the nodes.
2. A node belongs to the graph that lists it, and is listed once.
3. A node uses values that the inputs or earlier nodes of its graph give.
4. What a node says of its outputs holds everything that its op infers from its inputs; so a sub-graph takes
   what the node hands it and gives what the node promises.
5. Outputs are values of the graph.
6. The regions of a node take the same operands, those that come after the op's own; each is of the spec that
   the graph's input promises. Their outputs become the results in order, or there is one, which decides.
7. A symbolic dim is known where it is used: each of its names stands in the spec of an input, or in that of a
   result before; a graph inside sees the names around it, a function those of its inputs.
8. Sub-graphs keep these rules too, and no graph is inside itself: a function that calls itself does so by
   its name.
9. A call by name says of the function what the module holds under the name: what it takes, no more than it
   gives, and no fewer effects. All functions of a module keep these rules.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, NoReturn

from runtime.core.spec import ArraySpec, Spec
from runtime.core.stack import with_room
from runtime.errors import Error, InvalidGraph
from runtime.graph.dim_names import holds, made_by, match_specs, names_in_fields, names_of_specs
from runtime.graph.graph import Graph, Node, Value
from runtime.graph.module import Module
from runtime.graph.op import Placeholder

__all__ = ["Done", "verify", "verify_module"]


class Done:
    """What was found valid before, of a module that passes change bit by bit.

    Attributes
    ----------
    graphs : dict of Graph to frozenset of str
        Graphs, and the names of lengths that were known around them then.
    nodes : dict
        By an op, what it gives and what it takes, the very objects: the names of lengths that are used there,
        and those that it gives; these objects live on here, so that no others have their identities. A pass
        copies most nodes as they are, and neither ops nor specs ever change.
    """

    __slots__ = ("graphs", "nodes")

    def __init__(self) -> None:
        self.graphs: dict[Graph, frozenset[str]] = {}
        self.nodes: dict[tuple[int, ...], tuple[set[str], set[str], tuple[Any, ...]]] = {}

    def names(self, graph: Graph, node: Node) -> tuple[set[str], set[str]]:
        """The names of lengths that a node uses, and those that it gives; op, specs and regions agree."""
        taken = [value.node.specs[value.index] for value in node.inputs]
        key = tuple(map(id, (node.op, *node.specs, None, *taken)))
        if key not in self.nodes:
            _check_specs(graph, node)
            if node.op.regions:
                _check_regions(graph, node)
            used = names_of_specs(node.specs) | set(names_in_fields(node.op))
            self.nodes[key] = used, made_by(node) if used else used, (node.op, *node.specs, *taken)
        used, made, _ = self.nodes[key]
        return used, made


@with_room
def verify(graph: Graph) -> None:
    """Checks that `graph` keeps the law of the IR.

    Parameters
    ----------
    graph : Graph
        Finished: while it is built it may have no outputs yet.

    Raises
    ------
    InvalidGraph
        Naming the rule, the node that breaks it, and the user's line that made the node.
    """
    _verify(graph, (), Done(), frozenset())


@with_room
def verify_module(module: Module, done: Done | None = None) -> None:
    """Checks that a module keeps the law of the IR: each of its graphs, and what calls say of its functions.

    Parameters
    ----------
    module : Module
    done : Done, optional
        What earlier calls that were given the same one have found valid: what a pass has left as it was is
        not looked at again.

    Raises
    ------
    InvalidGraph
        As `verify` does.
    """
    done = Done() if done is None else done
    for graph in module.graphs():
        _verify(graph, (), done, frozenset())
    for graph in {inner for each in module.graphs() for inner in each.walk()}:
        for node in graph.nodes:
            if node.op.callee is not None:
                _check_call(module, graph, node, node.op.callee)


def _check_call(module: Module, graph: Graph, node: Node, name: str) -> None:
    function = module.functions.get(name)
    if function is None:
        _refuse(graph, node, f"it calls `{name}`, which is no function of the module")
    given = [value.spec for value in node.inputs]
    if match_specs(function.input_specs, given) is None:
        _refuse(graph, node, f"it calls `{name}`, which takes ({_listed(function.input_specs)})")
    gives = function.output_specs
    if len(node.specs) != len(gives) or not all(map(_is_like, node.specs, gives)):
        _refuse(graph, node, f"it calls `{name}`, which gives ({_listed(function.output_specs)})")
    if function.effects & ~node.op.effects:
        _refuse(graph, node, f"it calls `{name}`, which has effects that the call does not say")


def _verify(graph: Graph, around: tuple[Graph, ...], done: Done, names_around: frozenset[str]) -> None:
    """As `verify`; `done` are graphs that were found valid before, and they are so among more names too."""
    if graph in around:
        raise InvalidGraph(
            f"the graph `{graph.name}` is inside itself",
            why="No run of it would end.",
            way_out="Correct what put it there.",
        )
    before = done.graphs.get(graph)
    if before is not None and before <= names_around:
        return
    known = _inputs(graph)
    names = {*names_around, *names_of_specs(graph.input_specs)}
    for node in graph.nodes:
        _check_node(graph, node, known)
        used, made = done.names(graph, node)
        if not used <= made | names:
            _refuse_names(graph, node, used - made - names)
        for region in node.op.regions:
            seen = frozenset() if region.is_function else frozenset(names)
            _verify(region.graph, (*around, graph), done, seen)
        known.update(node.outputs)
        names |= made
    for index, value in enumerate(graph.outputs):
        if value not in known:
            _refuse(graph, value.node, f"output {index} is not a value of this graph")
    done.graphs[graph] = names_around


def _inputs(graph: Graph) -> set[Value]:
    known: set[Value] = set()
    for value in graph.inputs:
        if not isinstance(value.op, Placeholder):
            _refuse(graph, value.node, "an input must be the output of a Placeholder")
        if value.node.graph is not graph:
            _refuse(graph, value.node, "an input belongs to another graph")
        if value in known:
            _refuse(graph, value.node, "an input is listed twice")
        known.add(value)
    return known


def _check_node(graph: Graph, node: Node, known: set[Value]) -> None:
    if isinstance(node.op, Placeholder):
        _refuse(graph, node, "a Placeholder may only be an input, not a node")
    if node.graph is not graph:
        _refuse(graph, node, f"the node belongs to another graph, `{node.graph.name}`")
    if any(output in known for output in node.outputs):
        _refuse(graph, node, "the node is listed twice")
    for index, value in enumerate(node.inputs):
        if value in known:
            continue
        if value.node.graph is graph:
            _refuse(graph, node, f"input {index} is used before the node that gives it: {value.node!r}")
        _refuse(graph, node, f"input {index} is a value of another graph, `{value.node.graph.name}`")


def _check_specs(graph: Graph, node: Node) -> None:
    try:
        inferred = node.op.infer(*[value.spec for value in node.inputs])
    except Exception as error:
        reason = error.happened if isinstance(error, Error) else error
        raise _broken(graph, node, f"the op refuses its inputs: {reason}") from error
    wanted = inferred if isinstance(inferred, tuple) else (inferred,)
    if not holds(node, wanted):
        _refuse(
            graph, node, f"the node promises ({_listed(node.specs)}) but its op gives ({_listed(wanted)})"
        )


def _check_regions(graph: Graph, node: Node) -> None:
    given = [value.spec for value in node.inputs]
    for region in node.op.regions:
        first = node.op.regions[0]
        name, takes, gives = f"its `{region.role}`", region.graph.input_specs, region.graph.output_specs
        if (region.operands, region.variables) != (first.operands, first.variables):
            _refuse(graph, node, f"{name} takes other operands than its `{first.role}`")
        meanings = match_specs(takes, given[region.operands.start :])
        if region.operands.stop != len(given) or meanings is None:
            _refuse(graph, node, f"{name} takes ({_listed(takes)}), which its operands are not")
        decides = not region.results and len(gives) == 1
        if not decides and (region.results != range(len(gives)) or not all(map(_is_like, node.specs, gives))):
            _refuse(graph, node, f"{name} gives ({_listed(gives)}), which the node does not promise")


def _is_like(spec: Spec, other: Spec) -> bool:
    """Whether two specs are of one kind, dtype and rank; `infer` knows what the names of lengths mean."""
    if not isinstance(spec, ArraySpec) or not isinstance(other, ArraySpec):
        return spec.contains(other)
    return spec.dtype is other.dtype and spec.rank in {other.rank, None}


def _refuse_names(graph: Graph, node: Node, unknown: Collection[str]) -> NoReturn:
    names = ", ".join(sorted(unknown))
    _refuse(graph, node, f"no input and no node before it gives a length of this name: {names}")


def _listed(specs: Sequence[Spec]) -> str:
    return ", ".join(map(str, specs))


def _refuse(graph: Graph, node: Node, rule: str) -> NoReturn:
    raise _broken(graph, node, rule)


def _broken(graph: Graph, node: Node, rule: str) -> InvalidGraph:
    return InvalidGraph(f"the graph `{graph.name}` breaks a rule at {node!r}: {rule}", where=node.location)
