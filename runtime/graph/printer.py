"""A graph as text that a person reads, and that `runtime.graph.parser` reads back.

Inputs first, then one line per node, its sub-graphs indented below it::

    x: f32[3]
    a = Const(0.0, dtype=f32)
    b = Greater(x, a)
    c = StatelessIf(b, x, then_branch=cond_true, else_branch=cond_false)
        cond_true:
            x: f32[3]
            return x
        ...
    return c

What lies outside of the graph is declared in front: ``variable v: f32[3]``, and called ``@v`` in fields.
"""

from __future__ import annotations

import itertools
import re
import string
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from runtime.core.dims import UNKNOWN, SymbolicDim
from runtime.core.dtypes import DTYPES, LOW_PRECISION, DType, as_dtype
from runtime.core.records import RECORDS, class_name, record_values
from runtime.core.spec import Spec
from runtime.core.stack import room
from runtime.core.tensor import Array
from runtime.graph.dim_names import names_of_specs
from runtime.graph.op import Const, Op
from runtime.graph.resources import HostObject, Resource

if TYPE_CHECKING:
    from runtime.graph.graph import Graph, Node, Value

__all__ = ["ENTRY", "Printer", "resources_of", "to_text"]

ENTRY = "entry"
"""What the text of a module calls the graph that it begins with."""
_INDENT = "    "
_COMMENT_COLUMN = 48
_LONGEST_NAME = 40
_SHORT = 4
_NO_FUNCTIONS: Mapping[str, Graph] = MappingProxyType({})


def to_text(
    graph: Graph, *, show_specs: bool = False, show_locations: bool = False, longest: int | None = 64
) -> str:
    """The graph as text.

    Parameters
    ----------
    graph : Graph
    show_specs : bool
        Ends each line with what the node gives: ``# f32[3]``.
    show_locations : bool
        Ends each line with where the user wrote it: ``# model.py:12``.
    longest : int or None
        Constants with more elements are shortened, and can then not be read back; None prints all of them.

    Returns
    -------
    str
        Without a final newline. `runtime.graph.parser.from_text` reads it back: all that a run depends on.
        Locations and labels that are no names are comments for people.
    """
    return Printer(show_specs=show_specs, show_locations=show_locations, longest=longest).text(graph)


def resources_of(graph: Graph) -> dict[str, Resource]:
    """What lies outside of a graph, by the names in its text, in the order in which it is used.

    Given to `runtime.graph.parser.from_text`, they let a graph that was read run as this one does.
    """
    printer = Printer(longest=None)
    printer.text(graph)
    return printer.resources


class Printer:
    """The choices of one text, and what is found while it is written.

    Parameters
    ----------
    show_specs, show_locations, longest
        As in `to_text`.
    keeps_arrays : bool
        Whether constants are numbers of `arrays`, and not written out.
    numbers_resources : bool
        Whether what lies outside is numbered in place of its name, which may differ from process to process.

    Attributes
    ----------
    resources : dict of str to Resource
        By the names in the text.
    arrays : list of array
        The constants, where `keeps_arrays` asks for them.
    graphs : list of Graph
        As they come in the text.
    nodes : list of Node
        Those of inputs too, as they come in the text.
    labels : list of str
        Those of the inputs, as they come in the text.
    """

    def __init__(
        self,
        *,
        show_specs: bool = False,
        show_locations: bool = False,
        longest: int | None = None,
        keeps_arrays: bool = False,
        numbers_resources: bool = False,
    ) -> None:
        self.show_specs = show_specs
        self.show_locations = show_locations
        self.longest = longest
        self.keeps_arrays = keeps_arrays
        self.numbers_resources = numbers_resources
        self.resources: dict[str, Resource] = {}
        self.arrays: list[Array] = []
        self.graphs: list[Graph] = []
        self.nodes: list[Node] = []
        self.labels: list[str] = []
        self._shared: dict[int, str] = {}
        self._printed: set[int] = set()

    def text(self, graph: Graph, functions: Mapping[str, Graph] = _NO_FUNCTIONS) -> str:
        """What lies outside, the inputs, nodes and outputs of a graph, and the functions below it."""
        with room(max(each.depth for each in (graph, *functions.values()))):
            self._shared = _shared_names(graph, functions)
            body = list(self._lines(graph))
            for name, function in functions.items():
                body += ["", *self._function(name, function)]
        return "\n".join([*map(_declaration, self.resources, self.resources.values()), *body])

    def _function(self, name: str, graph: Graph) -> Iterator[str]:
        """A function that graphs call by its name; of one that stands in the text already, a name."""
        label = name if name.isidentifier() else repr(name)
        shared = self._shared.get(id(graph))
        if id(graph) in self._printed:
            yield f"{label} = {shared}"
            return
        yield f"{label}:" if shared is None else f"{label} = {shared}:"
        yield from self._lines(graph, _INDENT)

    def _lines(self, graph: Graph, indent: str = "") -> Iterator[str]:
        """The lines of a graph, inputs to `return`."""
        self.graphs.append(graph)
        self._printed.add(id(graph))
        names = _names(graph)
        for value in graph.inputs:
            self.labels.append(value.label())
            yield self._commented(f"{indent}{names[value]}: {value.spec}", value.node, specs=False)
        for node in graph.nodes:
            yield from self._node(node, names, indent)
        yield f"{indent}return {', '.join([names[value] for value in graph.outputs])}".rstrip()

    def _node(self, node: Node, names: dict[Value, str], indent: str) -> Iterator[str]:
        blocks = _block_names(node.op, self._shared)
        operands = [names[value] for value in node.inputs]
        told = _told(node)
        targets = ", ".join(
            [f"{names[each]}: {each.spec}" if each in told else names[each] for each in node.outputs]
        )
        call = f"{node.op.name}({', '.join([*operands, *self._attributes(node.op, blocks)])})"
        yield self._commented(f"{indent}{targets} = {call}" if targets else f"{indent}{call}", node)
        for graph in {id(graph): graph for graph in node.op.graphs}.values():
            if id(graph) not in self._shared or id(graph) not in self._printed:
                yield f"{indent}{_INDENT}{blocks[id(graph)]}:"
                yield from self._lines(graph, indent + 2 * _INDENT)

    def attributes(self, op: Op) -> list[str]:
        """The attributes of an op as they stand in a text: ``axis=(0,)``; of a constant, its value."""
        return self._attributes(op, _block_names(op, {}))

    def _attributes(self, op: Op, blocks: dict[int, str]) -> list[str]:
        if isinstance(op, Const):
            return [self._array(op.value)]
        return [
            f"{name}={self._field(value, blocks)}"
            for name, value in op.attributes().items()
            if not _says_nothing(op, name, value)
        ]

    def _array(self, array: Array) -> str:
        if not self.keeps_arrays:
            return _array_text(array, self.longest)
        self.arrays.append(array)
        return f"array({len(self.arrays) - 1})"

    def _field(self, value: Any, blocks: dict[int, str]) -> str:
        """A field of an op, or a part of one, as the parser reads it back."""

        def texts(values: Iterable[object]) -> str:
            return ", ".join([self._field(each, blocks) for each in values])

        if id(value) in blocks:
            return blocks[id(value)]
        match value:
            case Resource():
                return f"@{self._resource(value)}"
            case DType():
                return value.short
            case Spec() | SymbolicDim():
                return str(value)
            case None | bool() | int() | float() | complex() | str() | bytes():
                return _literal(value)
            case tuple():
                return f"({texts(value)}{',' * (len(value) == 1)})"
            case slice() | range():
                return f"{type(value).__name__}({texts((value.start, value.stop, value.step))})"
            case Const():
                return f"Const({self._array(value.value)})"
            case type() if class_name(value) is not None:
                return f"class({class_name(value)!r})"
        if value is Ellipsis:
            return "..."
        if RECORDS.get(type(value).__name__) is type(value):
            return f"{type(value).__name__}({texts(record_values(value))})"
        return f"raw(@{self._resource(HostObject(_object_name(value), value))})"

    def _resource(self, resource: Resource) -> str:
        """The name of what lies outside, which nothing else has in this text."""
        for name, known in self.resources.items():
            if known is resource or (isinstance(known, HostObject) and known == resource):
                return name
        wanted = f"{resource.kind}_{len(self.resources)}" if self.numbers_resources else resource.name
        name = _unused(re.sub(r"\W+", "_", wanted).strip("_") or resource.kind, set(self.resources))
        self.resources[name] = resource
        return name

    def _commented(self, line: str, node: Node, *, specs: bool = True) -> str:
        self.nodes.append(node)
        remarks = []
        if self.show_specs and specs:
            remarks.append(", ".join(map(str, node.specs)))
        if self.show_locations and node.location.line:
            remarks.append(f"{node.location.filename}:{node.location.line}")
        comment = "  ".join(filter(None, remarks))
        return f"{line:<{_COMMENT_COLUMN}}  # {comment}" if comment else line


def _told(node: Node) -> set[Value]:
    """The results of which the graph knows more than the op infers: names of lengths, to begin with."""
    if not names_of_specs(node.specs):
        return set()
    found = node.op.infer(*[value.spec for value in node.inputs])
    specs = found if isinstance(found, tuple) else (found,)
    return {value for value, spec in zip(node.outputs, specs, strict=True) if spec != value.spec}


def _says_nothing(op: Op, name: str, value: object) -> bool:
    """Whether an attribute is what is known of lengths, and nothing is."""
    return getattr(type(op), name, None) is value and (value is UNKNOWN or value == ())


def _declaration(name: str, resource: Resource) -> str:
    """The line that says what a name stands for."""
    spec = resource.declared_spec
    return f"{resource.kind} {name}" + ("" if spec is None else f": {spec}")


def _shared_names(graph: Graph, functions: Mapping[str, Graph]) -> dict[int, str]:
    """Names, by id, of graphs that are held in several places: the text has each where it comes first."""
    tops = [graph, *functions.values()]
    graphs = list({id(inner): inner for top in tops for inner in top.walk()}.values())
    holders = Counter(key for each in graphs for node in each.nodes for key in {*map(id, node.op.graphs)})
    holders.update(map(id, functions.values()))
    own = {_as_word(each.name) for each in graphs if holders[id(each)] < 2}
    taken = {*_MEANINGS, ENTRY, *own}
    names = {id(each): _unused(_as_word(each.name), taken) for each in graphs if holders[id(each)] > 1}
    return names | {id(graph): ENTRY}


def _names(graph: Graph) -> dict[Value, str]:
    """A name for each value: inputs keep their labels, nodes take the letters that are left."""
    names: dict[Value, str] = {}
    taken: set[str] = set()
    for value in graph.inputs:
        names[value] = _unused(re.sub(r"\W+", "_", value.label()).strip("_") or "arg", taken)
    letters = _letters()
    for node in graph.nodes:
        for output in node.outputs:
            names[output] = next(name for name in letters if name not in taken)
    return names


def _unused(wanted: str, taken: set[str]) -> str:
    """`wanted`, or `wanted_1`, … where it is taken; takes it."""
    start = wanted if wanted.isidentifier() and wanted != "return" else f"arg_{wanted}"
    tries = itertools.chain([start], (f"{start}_{number}" for number in itertools.count(1)))
    name = next(name for name in tries if name not in taken)
    taken.add(name)
    return name


def _letters() -> Iterator[str]:
    """Gives ``a … z, aa, ab, …``."""
    for length in itertools.count(1):
        for letters in itertools.product(string.ascii_lowercase, repeat=length):
            yield "".join(letters)


def _as_word(name: str) -> str:
    return re.sub(r"\W+", "_", name)


def _block_names(op: Op, shared: Mapping[int, str]) -> dict[int, str]:
    """What each sub-graph is called in the text, by its id."""
    taken = {*_MEANINGS, ENTRY, *shared.values()}
    distinct = {id(graph): graph.name for graph in op.graphs}
    return {key: shared.get(key) or _unused(_as_word(name), taken) for key, name in distinct.items()}


_MEANINGS = frozenset(
    ["None", "True", "False", "inf", "nan", "error", "text", "cell"]
    + [name for dtype in (*DTYPES, *LOW_PRECISION) for name in (dtype.name, dtype.short)]
)
"""Words that mean something where an attribute stands, so that no sub-graph is called by them."""


def _object_name(value: Any) -> str:
    """What an object calls itself, in one short line."""
    name = getattr(value, "name", None) or getattr(value, "__name__", None)
    if name is None:
        name = type(value).__name__ if repr(value) == object.__repr__(value) else str(value)
    return re.sub(r"[<>\s]+", " ", str(name)).strip()[:_LONGEST_NAME]


def _literal(value: Any) -> str:
    """A Python or NumPy scalar, as short as reads back exactly."""
    if isinstance(value, np.generic):
        if value.dtype.kind == "f":
            return str(value)
        value = value.item()
    if isinstance(value, complex):
        return f"complex({value.real!r}, {value.imag!r})"
    return repr(value)


def _array_text(array: Array, longest: int | None) -> str:
    """An array: nested lists, one number and a shape where all elements are the same, or else its bytes."""
    dtype = as_dtype(array.dtype).short
    if array.size == 0 and array.ndim:
        return f"[], dtype={dtype}, shape={array.shape}"
    elements = array.reshape(-1)
    if _is_uniform(array):
        content, ending = _element(elements[0]), f"dtype={dtype}, shape={array.shape}"
        is_read_back = _reads_back(elements[:1], [content])
    elif longest is not None and array.size > longest:
        ends = [_element(elements[index]) for index in (0, 1, -1)]
        return f"[{ends[0]}, {ends[1]}, ..., {ends[2]}], dtype={dtype}, shape={array.shape}"
    else:
        texts = list(map(_element, elements))
        content, ending = _nested(array.shape, iter(texts)), f"dtype={dtype}"
        is_read_back = _reads_back(elements, texts)
    if is_read_back:
        return f"{content}, {ending}"
    content = array.astype(array.dtype.newbyteorder("<")).tobytes().hex()
    return f"hex({content!r}), dtype={dtype}, shape={array.shape}"


def _reads_back(elements: Array, texts: Sequence[str]) -> bool:
    """Whether numbers give back the very bits of an array: not so for a NaN with a sign or a payload."""
    if elements.dtype.kind in "biu":
        return True
    again = np.array([_number(text) for text in texts], elements.dtype)
    return again.tobytes() == elements.tobytes()


def _number(text: str) -> complex:
    """The number that a text stands for."""
    if text.startswith("complex("):
        real, imaginary = text.removeprefix("complex(").removesuffix(")").split(", ")
        return complex(float(real), float(imaginary))
    return float(text)


def _element(value: Any) -> str:
    if value.dtype.kind == "c":
        parts = np.real(value), np.imag(value)
        return f"complex({parts[0]}, {parts[1]})"
    return _literal(value)


def _is_uniform(array: Array) -> bool:
    """Whether all elements of an array are one value, bit for bit, and too many to write out."""
    if array.size <= _SHORT:
        return False
    content: Any = array.reshape(-1).view(f"V{array.itemsize}")
    return bool(np.all(content == content[0]))


def _nested(shape: tuple[int, ...], texts: Iterator[str]) -> str:
    if not shape:
        return next(texts)
    return f"[{', '.join([_nested(shape[1:], texts) for _ in range(shape[0])])}]"
