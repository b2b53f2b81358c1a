"""`Lowering`: one function of the loop language in the making, and what its values are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import Any, TypeAlias

from autograph_base.waiting import loaded
from runtime.analysis.aliasing import KEEPS_NOTHING
from runtime.analysis.liveness import last_uses, running
from runtime.analysis.ownership import Ownership
from runtime.analysis.ranges import Ranges
from runtime.core.dtypes import bool_, int64
from runtime.core.spec import Spec, TextSpec
from runtime.executors.native.beyond import Beyond, Unsupported, is_print
from runtime.executors.native.forms import (
    is_blank,
    is_nested,
    missing,
)
from runtime.executors.native.language.expressions import folded
from runtime.executors.native.language.flagless import is_flagless
from runtime.executors.native.language.loops import (
    Apply,
    Copy,
    Expression,
    Function,
    If,
    Lap,
    Named,
    Number,
    Statement,
    Variable,
)
from runtime.executors.native.lower import lending
from runtime.executors.native.lower.building import Shared
from runtime.executors.native.lower.crossing import Crossing
from runtime.executors.native.lower.following import following
from runtime.executors.native.lower.fronts import from_the_front
from runtime.executors.native.lower.fusing import fused
from runtime.executors.native.lower.implied import without_implied_checks
from runtime.executors.native.lower.meeting import meeting
from runtime.executors.native.lower.nested import Change, going_back, only_looked_at
from runtime.executors.native.lower.parts import in_parts
from runtime.executors.native.lower.quotients import with_quotients
from runtime.executors.native.lower.rows import in_rows
from runtime.executors.native.lower.small import for_small_numbers
from runtime.executors.native.lower.sure import sure
from runtime.executors.native.lower.through import written_through
from runtime.executors.native.lower.unchanged import without_copies
from runtime.executors.native.lower.values import (
    Dims,
    Elements,
    InMemory,
    Lowered,
    Nested,
    Scalar,
    count_of,
)
from runtime.executors.native.lower.views import with_views
from runtime.executors.native.numpys_own import is_numpys
from runtime.graph.graph import Graph, Node, Value
from runtime.graph.op import Const, Effects, Op
from runtime.graph.region import Region
from runtime.ops.core import HostCall, Map
from runtime.ops.core.expression import evaluate, functions_in

__all__ = [
    "Lowering",
    "hand_in",
    "has_code",
    "knows_objects",
    "lowers",
    "lowers_regions",
    "op_of",
    "require_form",
]


_DEEPEST = 40
"""Nodes one after the other whose elements are computed at once: each asks for those of the one before."""

Lower: TypeAlias = Callable[["Lowering", Node], Sequence[Lowered]]
_LOWERS: dict[type[Op], Lower] = {}
_OF_OBJECTS: set[Lower] = set()
_OF_NESTED: set[Lower] = set()
_LOWERS_REGIONS: list[Lower] = []

_WAITING = {
    "attempts": ("AboutCall", "Caught", "Checkpoint", "Evaluated", "NewCell", "NoError"),
    "distinct": ("Unique",),
    "folding": ("Reduce", "Scan"),
    "keyed_draws": (
        "CheckedParameter",
        "FoldIn",
        "RandomChoice",
        "RandomExponential",
        "RandomGamma",
        "RandomPermutation",
        "RandomPoisson",
        "RandomStandardNormal",
        "RandomUniform",
        "RandomUniformInt",
        "SplitKey",
    ),
    "matrices": (
        "Cholesky",
        "Eigvalsh",
        "LogMatrixDeterminant",
        "MatrixDeterminant",
        "MatrixInverse",
        "MatrixSolve",
        "SelfAdjointEigV2",
        "SingularValues",
        "Svd",
    ),
    "modular": ("PowMod",),
    "moving": ("AffineMap", "ConcatV2", "DynamicReshape", "Gather", "Iota", "Nonzero", "Reshape", "Scatter"),
    "order_statistics": ("Median", "Quantile"),
    "products": ("Dot",),
    "searching": ("Interp", "SearchSorted"),
    "sliding": ("Convolve", "Correlate"),
    "sorting": ("ArgSort", "PythonBest", "PythonOrder", "Sort"),
    "tables": ("TensorListPlace",),
    "texts": ("WholeOf",),
}
"""Rooms that wait until one of these ops is met, for what is in few graphs."""
_ROOM_OF = {name: room for room, names in _WAITING.items() for name in names}


def lowers(*kinds: type[Op], of_objects: bool = False, of_nested: bool = False) -> Callable[[Lower], Lower]:
    """Says that a function lowers the nodes of some ops, of some of Python's objects where it knows these.

    If it is `of_nested`, then of lists of lists, too.
    """

    def register(function: Lower) -> Lower:
        _LOWERS.update(dict.fromkeys(kinds, function))
        if of_objects:
            _OF_OBJECTS.add(function)
        if of_nested:
            _OF_NESTED.add(function)
        return function

    return register


def op_of(node: Node) -> Op:
    """What a node computes: of a call that NumPy runs, the op that is called."""
    return node.op.called if type(node.op) is HostCall else node.op


def _lower_of(op: Op) -> Lower | None:
    """What lowers an op."""
    kind = type(op)
    room = None if kind in _LOWERS else _ROOM_OF.get(kind.__name__)
    if room is not None:
        loaded(f"{__package__}.{room}")
    return _LOWERS.get(kind)


def has_code(node: Node) -> bool:
    """Whether there is machine code for ops of this kind."""
    return _lower_of(op_of(node)) is not None


def knows_objects(op: Op) -> bool:
    """Whether what lowers an op knows some of Python's objects."""
    return _lower_of(op) in _OF_OBJECTS


def lowers_regions(function: Lower) -> Lower:
    """Says that a function lowers what has graphs inside of it, and calls by name."""
    _LOWERS_REGIONS.append(function)
    return function


class _Found(dict[Value, Lowered]):
    """What is known of each value.

    Attributes
    ----------
    pending : dict of Value to None
        Those that are yet to be computed, in the order in which they came.
    """

    def __init__(self) -> None:
        super().__init__()
        self.pending: dict[Value, None] = {}

    def __setitem__(self, value: Value, found: Lowered) -> None:
        super().__setitem__(value, found)
        if isinstance(found, Elements):
            self.pending[value] = None
        else:
            self.pending.pop(value, None)


class Lowering(Crossing):
    """One function in the making.

    Attributes
    ----------
    values : dict of Value to Lowered
    ownership : Ownership
        Of the graph that is being lowered.
    """

    def __init__(self, shared: Shared) -> None:
        super().__init__(shared)
        self.values = _Found()
        self.ownership = Ownership()
        self._assumed: list[tuple[Expression, str]] = []
        self._stored: list[tuple[Value, Lowered]] = []
        """What values were before they were put into memory."""
        self._graph = Graph("")
        self._uses: dict[Value, int] = {}
        self.going_back: frozenset[Node] = frozenset()
        """Changes of numbers in lists that are put back where they were."""
        self.put_back: dict[Value, Change] = {}
        """Of lists that are as they were until they are put back: what is another there."""
        self.only_looked_at: frozenset[Value] = frozenset()
        """Lists of lists that are read where they are in another one."""
        self.meeting: frozenset[Value] = frozenset()
        """Arrays that several maps ask for, and that need no memory for that."""
        self.natural: set[Value] = set()
        """Numbers that were checked not to be negative."""
        self._depths: dict[Value, int] = {}
        self._dear: set[Value] = set()
        """Of what is yet to be computed, that of which NumPy's loops compute elements."""
        self._position = 0
        self._line: int | None = None
        """That which the program has said last, where that is sure."""
        self.begins_with: list[Statement] = []
        """What the function does before its nodes."""

    # ── values ──

    @cached_property
    def ranges(self) -> Ranges:
        """How large the whole numbers of the function get."""
        return Ranges(self._graph)

    def is_natural(self, value: Value) -> bool:
        """Whether a whole number is surely not negative, because of its range or because that was checked."""
        found = self.ranges.of(value)
        return value in self.natural or (found is not None and found.least >= 0)

    def scalar(self, value: Value) -> Expression:
        """The number that a value without axes is."""
        found = self.values[value]
        if not isinstance(found, Scalar):
            raise Unsupported(f"{value.spec} is asked for as a number")
        return found.value

    def dims(self, value: Value) -> Dims:
        """The lengths of a value's axes."""
        found = self.values[value]
        assert isinstance(found, Scalar | InMemory | Elements), "an array has axes"
        return () if isinstance(found, Scalar) else found.dims

    def in_memory(self, value: Value) -> InMemory:
        """A value as an array in memory; it is one from then on."""
        found = self.values[value]
        if not isinstance(found, InMemory):
            self._stored.append((value, found))
            self.lap(value.node)
            found = self.values[value] = self.stored(found)
            if self._node is not None:
                self.lap(self._node)
        return found

    def settle_in(self, value: Value, memory: InMemory) -> None:
        """Says that a value is in this memory from now on, unless what is being tried is in vain."""
        self._stored.append((value, self.values[value]))
        self.values[value] = memory

    def seamless(self, value: Value) -> Lowered:
        """A value; one with seams as an array in memory, where all its elements are alike."""
        found = self.values[value]
        return self.in_memory(value) if isinstance(found, Elements) and found.seams else found

    def made_anew(self, value: Value) -> InMemory | None:
        """An array that is yet to be computed, as `np.zeros(n)`, in memory that may be written into.

        None where it is there already, or is asked for later.
        """
        found = self.values[value]
        is_last = self._uses.get(value, -1) <= self._position
        return self.stored(found) if isinstance(found, Elements) and is_last else None

    def settle(self) -> None:
        """Computes all that is yet to be computed and still wanted: memory is about to be written into."""
        for value in list(self.values.pending):
            found = self.values[value]
            if isinstance(found, Elements) and found.is_of_places:
                continue
            last = self._uses.get(value)
            if last is not None and last >= self._position:
                self.in_memory(value)
            elif last is not None:  # nobody asks again
                del self.values.pending[value]

    # ── graphs ──

    def run(self, graph: Graph, ownership: Ownership) -> list[Lowered]:
        """Lowers the nodes of a graph whose inputs are there already; gives its outputs."""
        around = self.ownership, self._uses, self._position, self.meeting
        around_lists = self.going_back, self.only_looked_at
        self.ownership, self._uses, self.meeting = ownership, last_uses(graph), meeting(graph)
        self.going_back = going_back(graph)
        self.only_looked_at = only_looked_at(graph, self.going_back)
        self._line = None
        for node in graph.nodes:
            if type(node.op) is Const:
                self._lower(node)
        users = Counter([value for node in graph.nodes for value in dict.fromkeys(node.inputs)])
        positions, given = {node: at for at, node in enumerate(graph.nodes)}, set(graph.outputs)
        for node in running(graph, self._uses):
            self._position = positions[node]
            self._lower(node)
            for output in node.outputs:
                found = self.values[output]
                if not isinstance(found, Elements):
                    continue
                depth = self._depths[output] = self._depth(node)
                is_dear = self._is_dear(node)
                self._dear.update([output] if is_dear else ())
                is_shared = users[output] > 1 and not found.is_cheap and output not in self.meeting
                is_shared |= is_dear and users[output] + (output in given) > 1
                if node in ownership.detached or is_shared or depth >= _DEEPEST:
                    self.in_memory(output)
        results = [self.values[value] for value in graph.outputs]
        self.ownership, self._uses, self._position, self.meeting = around
        self.going_back, self.only_looked_at = around_lists
        self._line = None
        return results

    def _is_dear(self, node: Node) -> bool:
        """Whether an element of a node's results takes a call of one of NumPy's loops, or several."""
        if self.shared.beyond is not Beyond.ANOTHER:
            return False
        if any(value in self._dear and isinstance(self.values[value], Elements) for value in node.inputs):
            return True
        dtype = node.outputs[0].dtype
        return isinstance(node.op, Map) and any(
            is_numpys(each, dtype) for each in functions_in(node.op.expression)
        )

    def _depth(self, node: Node) -> int:
        """How many nodes, one after the other, make an element of a node's results."""
        pending = [value for value in node.inputs if isinstance(self.values[value], Elements)]
        return 1 + max([self._depths.get(value, 1) for value in pending], default=0)

    def _lower(self, node: Node) -> None:
        self._node = node
        self.lap(node)
        has_graphs = node.op.regions or node.op.callee is not None
        results = _LOWERS_REGIONS[0](self, node) if has_graphs else self._computed(node)
        for output, result in zip(node.outputs, results, strict=True):
            self.values[output] = result

    def lap(self, node: Node) -> None:
        """Says that the line of a node begins, in a program with clocks."""
        lines = self.shared.program.lines
        if lines is None or type(node.op) is Const:
            return
        line = lines.number(node.location)
        if line != self._line:
            self.emit(Lap(line))
            self._line = line

    def assume(self, holds: Expression, otherwise: str) -> None:
        """Says that the code for the node that is being lowered is right where something holds.

        What is said is made of values that were there before the node. Where it does not hold, the node is
        computed in Python, which may raise; a run without Python fails, and says what there is `otherwise`.
        """
        holds = folded(holds)
        if not (isinstance(holds, Number) and holds.value):
            self._assumed.append((holds, otherwise))

    def _computed(self, node: Node) -> Sequence[Lowered]:
        """What an op gives: by machine code where that is there, or else by a call of Python."""
        try:
            block, results, assumed, names = self._tried(node)
        except Unsupported as unsupported:
            is_print_again = self.shared.beyond is Beyond.ANOTHER and is_print(node)
            if not self.shared.calls_python and not is_print_again:
                raise Unsupported(unsupported.why, node) from None
            return self._by_python(node, unsupported.why)
        if not assumed:
            self._statements += block
            self._named[-1].update(names)
            return results
        return self._where_it_holds(node)

    def _tried(
        self, node: Node
    ) -> tuple[
        list[Statement], Sequence[Lowered], list[tuple[Expression, str]], Mapping[Expression, Expression]
    ]:
        """Code for a node, what it gives, what it assumes, and what it has named.

        Where it assumes something, the values are as they were.
        """
        before, self._assumed = len(self._stored), []
        try:
            with self.block() as block:
                results = self._by_machine_code(node)
                names = self._named[-1]
        except Unsupported:
            self._restore(before)
            raise
        assumed, self._assumed = self._assumed, []
        if assumed:
            self._restore(before)
        return block, results, assumed, names

    def _restore(self, before: int) -> None:
        """Forgets that values were put into memory, by code that is not used."""
        while len(self._stored) > before:
            value, found = self._stored.pop()
            self.values[value] = found

    def _where_it_holds(self, node: Node) -> Sequence[Lowered]:
        """What a node gives whose code is right where something holds; elsewhere Python is called."""
        for value in node.inputs:
            if isinstance(self.values[value], Elements):
                self.in_memory(value)
        self.settle()
        block, results, assumed, _ = self._tried(node)
        received = [self.received(spec) for spec in node.specs]
        with self.block() as then:
            self._statements += block
            for (_, names), result, spec in zip(received, results, node.specs, strict=True):
                self.assign(names, result, spec)
        with self.block() as orelse:
            if self.shared.calls_python:
                found = self._by_python(node, "")
                for (_, names), result, spec in zip(received, found, node.specs, strict=True):
                    self.assign(names, result, spec)
            else:
                self.give_up(node, "ValueError", " or ".join(dict.fromkeys(why for _, why in assumed)))
        holds = assumed[0][0]
        for each, _ in assumed[1:]:
            holds = Apply("logical_and", (holds, each), bool_)
        self.emit(If(self.name(holds), then, orelse))
        return [value for value, _ in received]

    def _by_machine_code(self, node: Node) -> Sequence[Lowered]:
        lower = _lower_of(op_of(node))
        for spec in (*node.specs, *[value.spec for value in node.inputs]):
            if not self.is_inside(spec) and (why := missing(spec)) and lower not in _OF_OBJECTS:
                raise Unsupported(why)
        if lower not in _OF_NESTED and any(isinstance(self.values[each], Nested) for each in node.inputs):
            self.refuse_nested("it takes a list of lists")
        if lower is None:
            raise Unsupported("it runs in Python")
        return lower(self, node)

    def _by_python(self, node: Node, why: str) -> Sequence[Lowered]:
        op = node.op.called if isinstance(node.op, HostCall) else node.op
        if isinstance(op, Const):
            return [self.constant(op.value)]
        operands = [self.fitted(self.values[value], value.spec) for value in node.inputs]
        for value, operand in zip(node.inputs, operands, strict=True):
            self.values[value] = operand
        keeps = bool(op.effects & ~(KEEPS_NOTHING | Effects.CHECKS))
        return self.host(node, _kernel(op), operands, node.specs, why, keeps=keeps)

    def function(
        self,
        name: str,
        graph: Graph,
        lent: Mapping[int, int] = MappingProxyType({}),
        gives: Sequence[Spec] | None = None,
    ) -> Function:
        """A graph as a function: of numbers, arrays and those of their lengths that are not known.

        Of outputs that say what an input holds that is `lent` it has no results: it writes into the input.
        What it `gives` is what the caller knows of the results, by default all that the graph knows.
        """
        parameters: list[Named] = []
        self._graph = graph
        for value in (*graph.inputs, *graph.outputs):
            if isinstance(value.spec, TextSpec) and not self.shared.calls_python:
                raise Unsupported(missing(value.spec))
        is_entry = graph is self.shared.module.entry
        for value in graph.inputs:
            self.values[value], names = self.received(value.spec, is_outside=is_entry)
            parameters += names
        with self.block() as body:
            for value in graph.inputs if is_entry else ():
                self.values[value] = self._taken_in(self.values[value])
            given = [self.values[value] for value in graph.inputs]
            outputs = self.run(graph, self.shared.ownerships.of(graph, frozenset(lent.values())))
            results: list[Named] = []
            specs = graph.output_specs if gives is None else gives
            for index, (output, spec) in enumerate(zip(outputs, specs, strict=True)):
                if index in lent:
                    continue
                _, names = self.received(spec, is_outside=is_entry)
                self.assign(names, output, spec)
                results += names
            own = [self._given_back(outputs[output], given[index]) for output, index in lent.items()]
        begun = Function(name, parameters, [*self.begins_with, *body], results)
        whole = without_implied_checks(without_copies(begun))
        whole = from_the_front(with_views(Function(name, parameters, fused(whole.body), results)))
        whole = in_rows(whole, by_masks=self.shared.beyond is not Beyond.ANOTHER)
        found = sure(self._for_small_numbers(whole, graph, given) if is_entry else whole)
        found = following(written_through(found))
        if self.shared.beyond is not Beyond.ANOTHER:
            found = with_quotients(found)
        found = self._in_parts(found) if self.shared.has_parts else found
        if is_entry:
            self.shared.program.is_flagless = is_flagless(found)
        if not lent:
            return found
        memory = [(each.array, count_of(each.dims)) for each in own]
        names_of_own = frozenset([array.name for array, _ in memory])
        found = Function(name, parameters, found.body, results, names_of_own)
        in_doubt = self.shared.beyond is Beyond.ANOTHER and not self.shared.program.is_flagless
        return lending.remembering(found, memory, in_doubt=in_doubt)

    def _for_small_numbers(self, whole: Function, graph: Graph, given: Sequence[Lowered]) -> Function:
        """The entry, in which less is asked of loops if its arguments are small."""
        numbers = {
            value: each.value
            for value, each in zip(graph.inputs, given, strict=True)
            if isinstance(each, Scalar) and isinstance(each.value, Variable) and each.value.dtype is int64
        }
        return for_small_numbers(whole, graph, numbers, self.shared.program.sites)

    def _given_back(self, output: Lowered, own: Lowered) -> InMemory:
        """An input that the caller has lent, which gets what it holds in the end, unless it has that."""
        found = self.stored(output) if isinstance(output, Elements) else output
        assert isinstance(found, InMemory), "it is an array"
        assert isinstance(own, InMemory), "it is an array"
        self.emit(Copy(own.array, found.array, count_of(own.dims), may_be_one=True))
        return own

    def _in_parts(self, function: Function) -> Function:
        """A function of which some loops are for several threads."""
        *parts, rest = in_parts(function)
        self.shared.program.functions += parts
        return rest


def hand_in(lowering: Lowering, node: Node, region: Region, start: int = 0) -> None:
    """Gives the inputs of a region, from one on, what the node hands in."""
    pairs = list(zip(region.graph.inputs, region.operands, strict=True))
    for inner, operand in pairs[start:]:
        value = node.inputs[operand]
        if isinstance(lowering.values[value], Elements):
            lowering.in_memory(value)
        lowering.values[inner] = lowering.fitted(lowering.values[value], inner.spec)


def require_form(spec: Spec, node: Node | None) -> None:
    """Refuses what is an object of Python's in machine code."""
    if not (is_blank(spec) or is_nested(spec)) and (why := missing(spec)):
        raise Unsupported(why, node)


def _kernel(op: Op) -> Callable[..., Any]:
    """What an op computes; the tree of an expression is read once."""
    if isinstance(op, Map):
        tree = op.expression
        return lambda *operands: evaluate(tree, operands)
    return op.kernel
