"""Variables as values: what they hold is an input of the graph, and what they hold in the end an output.

It is no pass of the pipeline, but for compilers: what a loop reads and writes is a variable of the loop, and
may stay in a register. LLVM calls the like of it `mem2reg`.

    >>> from runtime.graph.module import Module
    >>> from runtime.graph.parser import from_text
    >>> from runtime.ops.variable_ops import Storage
    >>> graph = from_text('''
    ...     variable total: f64[]
    ...     n: i64[]
    ...     a = While(n, cond=test, body=step)
    ...         test:
    ...             n: i64[]
    ...             a = Const(0, dtype=i64)
    ...             b = Greater(n, a)
    ...             return b
    ...         step:
    ...             n: i64[]
    ...             a = Const(2.0, dtype=f64)
    ...             AssignAddVariableOp(a, variable=@total)
    ...             b = Const(1, dtype=i64)
    ...             c = Sub(n, b)
    ...             return c
    ...     return a
    ... ''')
    >>> print(promoted(Module(graph)).module)
    n: i64[]
    total: f64[]
    a, b = StatelessWhile(n, total, cond=test, body=step)
        test:
            n: i64[]
            total: f64[]
            a = Const(0, dtype=i64)
            b = Greater(n, a)
            return b
        step:
            n: i64[]
            total: f64[]
            a = Const(2.0, dtype=f64)
            b = AddV2(total, a)
            c = Const(1, dtype=i64)
            d = Sub(n, c)
            return d, b
    return b, a
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from autograph_base.dataclass import dataclass
from runtime.core.shapes import is_known
from runtime.core.spec import ArraySpec
from runtime.graph.builder import Builder
from runtime.graph.dim_names import DimNames
from runtime.graph.graph import Graph, Node, Value
from runtime.graph.module import Module
from runtime.graph.op import Effects, Op
from runtime.graph.region import Region
from runtime.ops.arithmetic import AddV2, Sub
from runtime.ops.printing import PrintV2
from runtime.ops.variable_ops import (
    AssignAddVariableOp,
    AssignSubVariableOp,
    AssignVariableOp,
    ReadVariableOp,
    Storage,
)

__all__ = ["Promoted", "promoted"]

_WRITES: dict[type[Op], Op | None] = {
    AssignVariableOp: None,
    AssignAddVariableOp: AddV2(),
    AssignSubVariableOp: Sub(),
}
"""What gives the new value of what was there and of the operand; None where that is the operand."""
_KINDS = frozenset([ReadVariableOp, *_WRITES])


@dataclass(frozen=True)
class Promoted:
    """A module that computes what variables hold.

    Attributes
    ----------
    module : Module
        It takes what `read` hold, behind its other inputs, and gives what `written` hold in the end, in front
        of its other outputs.
    read, written : tuple of Storage
        Those that are written are the first of those that are read.
    """

    module: Module
    read: tuple[Storage, ...]
    written: tuple[Storage, ...]


def promoted(module: Module) -> Promoted | None:
    """`module` with its variables as values; None where it has none, or where they cannot be.

    A run that raises must then be done again by `module`, without what it has printed to standard streams:
    what it had written until then is lost. So there is none for a module that raises and that draws, too.

    Parameters
    ----------
    module : Module
        It is not changed.
    """
    entry = module.entry
    if _KINDS.isdisjoint(entry.kinds) or not _may_be_values(module):
        return None
    uses = _Uses()
    states, reads = uses.of([entry])
    graph = _Promotion(uses).written(entry, len(entry.inputs), states, reads, states, results_first=True)
    return Promoted(Module(graph, module.functions), (*states, *reads), tuple(states))


def _may_be_values(module: Module) -> bool:
    """Whether nothing but the nodes of the entry can see what variables hold, and all shapes are known."""
    nodes = [node for graph in module.graphs() for inner in graph.walk() for node in inner.nodes]
    is_never_again = any(map(_shows, nodes))
    for node in nodes:
        op = node.op
        if op.regions or op.callee is not None:
            if any(not _is_open(each) and not _KINDS.isdisjoint(each.graph.kinds) for each in op.regions):
                return False
        elif type(op) in _KINDS:
            storage = _storage(op)
            if storage is None or not is_known(storage.static_shape):
                return False
            if not all(is_known(value.shape) for value in node.inputs):
                return False
        elif Effects.WRITES in op.effects:
            return False  # nobody knows what it does
        elif is_never_again and op.raises(*[value.spec for value in node.inputs]):
            return False
    return all(_KINDS.isdisjoint(graph.kinds) for graph in module.functions.values())


def _shows(node: Node) -> bool:
    """Whether it would show that a node has run in a run that is done again."""
    op = node.op
    prints = isinstance(op, PrintV2) and not op.is_standard
    return prints or (not op.regions and Effects.RANDOM in op.effects)


def _is_open(region: Region) -> bool:
    """Whether a graph may give what variables hold: not where it raises, or decides what runs next."""
    return not region.catches and not (_decides(region) and not _WRITES.keys().isdisjoint(region.graph.kinds))


def _decides(region: Region) -> bool:
    return len(region.results) < len(region.graph.outputs)


def _storage(op: Op) -> Storage | None:
    """The variable that an op reads or writes, if it does."""
    match op:
        case ReadVariableOp(variable) | AssignVariableOp(variable):
            return variable
        case AssignAddVariableOp(variable) | AssignSubVariableOp(variable):
            return variable
    return None


class _Uses:
    """Which variables graphs use, in the order in which they do, and whether they write them."""

    def __init__(self) -> None:
        self._found: dict[Graph, Mapping[Storage, bool]] = {}

    def of(self, graphs: Sequence[Graph]) -> tuple[list[Storage], list[Storage]]:
        """Those that some of the graphs write, and those that they only read."""
        found = _either([self._in(graph) for graph in graphs])
        return [each for each in found if found[each]], [each for each in found if not found[each]]

    def _in(self, graph: Graph) -> Mapping[Storage, bool]:
        if graph not in self._found:
            found: list[Mapping[Storage, bool]] = []
            for node in graph.nodes:
                storage = _storage(node.op)
                if storage is not None:
                    found.append({storage: type(node.op) in _WRITES})
                found += map(self._in, node.op.graphs)
            self._found[graph] = _either(found)
        return self._found[graph]


def _either(several: Sequence[Mapping[Storage, bool]]) -> Mapping[Storage, bool]:
    found: dict[Storage, bool] = {}
    for each in several:
        for storage, is_written in each.items():
            found[storage] = found.get(storage, False) or is_written
    return found


class _Promotion:
    """Graphs written anew, each once."""

    def __init__(self, uses: _Uses) -> None:
        self._uses = uses
        self._done: dict[tuple[Graph, int, tuple[Storage, ...]], Graph] = {}

    def written(
        self,
        graph: Graph,
        place: int,
        states: Sequence[Storage],
        reads: Sequence[Storage],
        gives: Sequence[Storage],
        *,
        results_first: bool = False,
    ) -> Graph:
        """A graph with inputs for `states` at this place, and for `reads` behind all; some it gives."""
        key = graph, place, (*states, *reads, *gives)
        if key not in self._done:
            new = Builder(graph.name)
            new.dim_names = DimNames(of=graph)
            inputs: list[Value | Storage] = [*graph.inputs[:place], *states, *graph.inputs[place:], *reads]
            values: dict[Value | Storage, Value] = {each: _input(new, each) for each in inputs}
            for node in graph.nodes:
                self._add(new, node, values)
            outputs, left = [values[value] for value in graph.outputs], [values[each] for each in gives]
            self._done[key] = new.finish([*left, *outputs] if results_first else [*outputs, *left])
        return self._done[key]

    def _add(self, new: Builder, node: Node, values: dict[Value | Storage, Value]) -> None:
        """Writes a node, or what is done instead, behind which variables may hold something else."""
        inputs, storage = [values[value] for value in node.inputs], _storage(node.op)
        if storage is None:
            self._copy(new, node, inputs, values)
        elif isinstance(node.op, ReadVariableOp):
            values[node.outputs[0]] = values[storage]
        else:
            (value,), change = inputs, _WRITES[type(node.op)]
            if change is not None:
                value = new.add(change, [values[storage], value], node.location).outputs[0]
            values[storage] = value

    def _copy(
        self, new: Builder, node: Node, inputs: list[Value], values: dict[Value | Storage, Value]
    ) -> None:
        """Writes a node whose graphs take and give what they use."""
        op, specs = node.op, node.specs
        states, reads = self._uses.of(op.graphs)
        if states or reads:
            regions = op.regions
            is_loop = any(each.runs.repeatedly for each in regions)
            place = regions[0].variables if is_loop else len(regions[0].operands)
            graphs = [
                self.written(each.graph, place, states, reads, () if _decides(each) else states)
                for each in regions
            ]
            behind = regions[0].operands.start + place
            held, read = [values[each] for each in states], [values[each] for each in reads]
            inputs = [*inputs[:behind], *held, *inputs[behind:], *read]
            op, specs = op.with_graphs(*graphs), (*specs, *[value.spec for value in held])
        copied = Node(new.graph, op, tuple(inputs), specs, node.location)
        new.nodes.append(copied)
        values.update(zip((*node.outputs, *states), copied.outputs, strict=True))


def _input(builder: Builder, of: Value | Storage) -> Value:
    if isinstance(of, Storage):
        return builder.input(ArraySpec(of.static_shape, of.dtype), of.name)
    return builder.input(of.spec, of.label(), of.node.location)
