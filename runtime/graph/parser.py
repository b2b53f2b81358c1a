"""Text to graph: the inverse of `runtime.graph.printer`, so that a pass can be tested on text alone."""

from __future__ import annotations

import ast
import math
import re
from collections import ChainMap
from collections.abc import Callable, Mapping, Sequence
from typing import Any, get_type_hints

import numpy as np

from autograph_base.dataclass import dataclass
from runtime.core import dims
from runtime.core.containers import is_container
from runtime.core.dims import Dim, parse
from runtime.core.dtypes import DType, as_dtype
from runtime.core.records import RECORDS, named_class
from runtime.core.spec import (
    ArraySpec,
    CellSpec,
    ErrorSpec,
    GeneratorSpec,
    ListSpec,
    ObjectSpec,
    Spec,
    TextSpec,
)
from runtime.core.stack import room
from runtime.core.tensor import Array
from runtime.errors import DTypeError, Error, GraphError
from runtime.graph.builder import Builder
from runtime.graph.graph import Graph, Value
from runtime.graph.location import UNKNOWN, Location
from runtime.graph.module import Module
from runtime.graph.op import REGISTRY, Const, Op
from runtime.graph.printer import ENTRY
from runtime.graph.resources import KINDS, HostObject, Resource
from runtime.graph.tokens import Line

__all__ = ["Beside", "from_text", "module_from_text", "read"]

_WORDS = {"None": None, "True": True, "False": False, "inf": math.inf, "nan": math.nan}


def from_text(text: str, *, name: str = "graph", objects: Mapping[str, Any] | None = None) -> Graph:
    """The graph that `runtime.graph.printer.to_text` printed.

    Parameters
    ----------
    text : str
        Indentation around the whole is ignored, and so are comments.
    name : str
        The name of the graph; sub-graphs have theirs in the text.
    objects : mapping of str to object
        What lies outside of the graph, by its name in the text: variables, random streams, objects of the
        program's. A variable or stream that is not given stays declared, and the graph cannot run.

    Returns
    -------
    Graph
        Printed again, it gives the same text. Nodes have no location.

    Raises
    ------
    GraphError
        When the text is no graph, with the line.
    ShapeError, DTypeError
        When an op refuses its inputs.

    Examples
    --------
    >>> from_text('''
    ...     x: f32[?,3]
    ...     a = Const(2.0, dtype=f32)
    ...     return x, a
    ... ''')
    <Graph graph(f32[x.0,3]) -> (f32[x.0,3], f32[]), 1 nodes>
    """
    module = read(text, name, objects or {}, Beside())
    if module.functions:
        raise GraphError(
            f"the text has more than one graph: {', '.join(module.functions)}",
            why="The graphs behind the first one are the functions of a module.",
            way_out="Read it with `module_from_text`.",
        )
    return module.entry


def module_from_text(text: str, *, name: str = "graph", objects: Mapping[str, Any] | None = None) -> Module:
    """The module that `runtime.graph.module.Module.text` printed; as `from_text` otherwise."""
    return read(text, name, objects or {}, Beside())


@dataclass(frozen=True)
class Beside:
    """What is not in a text, in the order of its lines; what is missing stays as the text has it."""

    arrays: Sequence[Array] = ()
    """The constants that the text has as ``array(0)``."""
    names: Sequence[str] = ()
    """Of graphs, the outermost first."""
    labels: Sequence[str] = ()
    """Of inputs."""
    locations: Sequence[Location] = ()
    """Of inputs and nodes."""


def read(text: str, name: str, objects: Mapping[str, Any], beside: Beside) -> Module:
    """As `module_from_text`, with what a file has beside the text."""
    lines = [Line(number, raw) for number, raw in enumerate(text.splitlines(), 1)]
    reader = _Reader([line for line in lines if line.tokens], objects, beside)
    reader.declarations()
    with room(max((line.indent for line in lines), default=0) // len("    ")):
        entry = reader.blocks[ENTRY] = reader.graph(name)
        functions = reader.functions()
    if reader.position < len(reader.lines):
        reader.lines[reader.position].refuse("comes after the last `return`")
    return Module(entry, functions)


class _Reader:
    """Reads lines into a graph; a sub-graph's lines are those that are indented below its node."""

    def __init__(self, lines: Sequence[Line], objects: Mapping[str, Any], beside: Beside) -> None:
        self.lines = lines
        self.arrays = beside.arrays
        self.names = iter(beside.names)
        self.labels = iter(beside.labels)
        self.locations = iter(beside.locations)
        self.objects = objects
        self.position = 0
        self.resources: dict[str, Resource] = {}
        self.blocks: dict[str, Graph] = {}

    def next_line(self) -> Line:
        if self.position == len(self.lines):
            raise GraphError(
                "the graph's text ends before its `return`",
                why="The last line of a graph says what it gives.",
                way_out="Add `return` with the names of its outputs.",
            )
        self.position += 1
        return self.lines[self.position - 1]

    def graph(self, name: str) -> Graph:
        """Reads lines up to a `return`."""
        builder = Builder(next(self.names, name))
        names: dict[str, Value] = {}
        while (line := self.next_line()).peek() != "return":
            if _is_input(line):
                label = line.take()
                line.take(":")
                location = next(self.locations, UNKNOWN)
                names[label] = builder.input(_spec(line), next(self.labels, label), location)
                line.finish()
            else:
                self._node(builder, line, names)
        line.take("return")
        outputs = []
        while line.peek():
            outputs.append(_named(line, names))
            if line.peek():
                line.take(",")
        return builder.finish(outputs)

    def _node(self, builder: Builder, line: Line, names: dict[str, Value]) -> None:
        targets, known = _targets(line)
        kind = _op_called(line.peek())
        if kind is None:
            line.refuse(f"names an op that does not exist: {line.peek()!r}")
        line.take()
        line.take("(")
        location = next(self.locations, UNKNOWN)
        blocks = self._blocks(line.indent)
        if kind is Const:
            node = builder.add(Const(self._array(line)), (), location)
        else:
            operands, attributes = self._arguments(line, names, ChainMap(blocks, self.blocks))
            op = _make(line, kind, attributes)
            try:
                node = builder.add(op, operands, location, known)
            except (
                ArithmeticError,
                AssertionError,
                AttributeError,
                LookupError,
                TypeError,
                ValueError,
            ) as error:
                if isinstance(error, Error):
                    raise
                line.refuse(f"has an op that refuses its inputs: {error}")
        line.finish()
        if len(targets) != len(node.outputs):
            line.refuse(f"names {len(targets)} results of an op that has {len(node.outputs)}")
        names.update(zip(targets, node.outputs, strict=True))

    def functions(self) -> dict[str, Graph]:
        """Reads the functions behind the entry: ``f:`` or ``f = block:`` and a graph, or ``f = block``."""
        found: dict[str, Graph] = {}
        while self.position < len(self.lines) and self.lines[self.position].peek(1) in {":", "="}:
            header = self.next_line()
            kind, word = header.tokens[0]
            name = str(ast.literal_eval(word)) if kind == "string" else word
            header.take()
            block = None
            if header.take() == "=":
                block = header.take()
            if block is None or header.peek() == ":":
                graph = self._function(header, name, block)
            elif block in self.blocks:
                graph = self.blocks[block]
            else:
                header.refuse(f"names a graph that no line before it has: {block!r}")
            header.finish()
            if name in found:
                header.refuse(f"names a function again: {name!r}")
            found[name] = graph
        return found

    def _function(self, header: Line, name: str, block: str | None) -> Graph:
        """The graph below a line, which is also called `block`."""
        if block is not None:
            header.take(":")
        header.finish()
        graph = self.graph(name)
        if block is not None:
            self.blocks[block] = graph
        return graph

    def _blocks(self, indent: int) -> dict[str, Graph]:
        """The sub-graphs below a node, by name."""
        blocks = {}
        while self.position < len(self.lines) and self.lines[self.position].indent > indent:
            header = self.next_line()
            name = header.take()
            header.take(":")
            header.finish()
            blocks[name] = self.blocks[name] = self.graph(name)
        return blocks

    def _arguments(
        self, line: Line, names: Mapping[str, Value], blocks: Mapping[str, Graph]
    ) -> tuple[list[Value], dict[str, Any]]:
        operands: list[Value] = []
        attributes: dict[str, Any] = {}

        def argument() -> None:
            if line.peek(1) == "=":
                name = line.take()
                line.take("=")
                attributes[name] = self._literal(line, blocks)
            else:
                operands.append(_named(line, names))

        line.several(argument, ")")
        return operands, attributes

    def _literal(self, line: Line, blocks: Mapping[str, Graph]) -> Any:
        """An attribute: what `printer._attribute` prints."""
        if line.is_dim():
            return _dim(line)
        kind, word = line.tokens[line.position] if line.peek() else ("", line.take())
        line.take()

        def item() -> Any:
            return self._literal(line, blocks)

        match kind, word:
            case "number", _:
                return int(word) if re.fullmatch(r"-?\d+", word) else float(word)
            case "string", _:
                return _text(line, word)
            case "resource", _:
                return self._resource(line, word.removeprefix("@"))
            case _, "(":
                return tuple(line.several(item, ")"))
            case _, "[":
                return line.several(item, "]")
            case _, "...":
                return Ellipsis
            case "word", _ if line.peek() == "(":
                line.take("(")
                return self._made(line, word, item)
            case "word", _:
                return _word(line, word, blocks)
            case _:
                return line.refuse(f"has {word!r} where a value should stand")

    def _made(self, line: Line, word: str, item: Callable[[], Any]) -> Any:
        """What a call stands for: a value of Python's, a class, a constant, a record."""
        if word == "Const":
            return Const(self._array(line))
        parts = line.several(item, ")")
        try:
            match word, parts:
                case "slice" | "range" | "complex", _:
                    return {"slice": slice, "range": range, "complex": complex}[word](*parts)
                case "hex", [str(digits)]:
                    return bytes.fromhex(digits)
                case "array", [int(number)] if 0 <= number < len(self.arrays):
                    return self.arrays[number]
                case "class", [str(name)]:
                    return _class(line, name)
                case "raw", [HostObject(value=value)]:
                    return value
                case _ if word in RECORDS:
                    return RECORDS[word](*parts)
        except (TypeError, ValueError) as error:
            line.refuse(f"has {word} of what it does not take: {error}")
        return line.refuse(f"has a call with no meaning here: {word}")

    def _array(self, line: Line) -> Array:
        """What `printer._array_text` prints, with the closing parenthesis."""
        content = self._literal(line, {})
        if isinstance(content, np.ndarray):
            line.take(")")
            return content
        line.take(",")
        options: dict[str, Any] = {}

        def option() -> None:
            name = line.take()
            line.take("=")
            options[name] = self._literal(line, {})

        line.several(option, ")")
        if isinstance(content, list) and Ellipsis in content:
            line.refuse("has a constant that was shortened: print it with `longest=None`")
        try:
            return _array_of(content, options["dtype"].numpy, options.get("shape"))
        except (AttributeError, KeyError, OverflowError, TypeError, ValueError) as error:
            line.refuse(f"has a constant that is no array: {error}")

    def _resource(self, line: Line, name: str) -> Resource:
        if name not in self.resources:
            if name not in self.objects:
                line.refuse(f"speaks of what nobody has declared, and is not in `objects`: @{name}")
            self.resources[name] = _as_resource(name, self.objects[name])
        return self.resources[name]

    def declarations(self) -> None:
        """Reads the lines in front: what lies outside of the graph."""
        while self.position < len(self.lines) and self._is_declaration(self.lines[self.position]):
            line = self.next_line()
            kind, name = KINDS[line.take()], line.take()
            spec = None
            if line.peek():
                line.take(":")
                spec = _spec(line)
                line.finish()
            if name in self.resources:
                line.refuse(f"declares a name again: {name!r}")
            if name not in self.objects:
                array_spec = spec if isinstance(spec, ArraySpec) else None
                self.resources[name] = kind.declared(name, array_spec)
                continue
            found = self.resources[name] = _as_resource(name, self.objects[name])
            if not isinstance(found, kind) or found.declared_spec != spec:
                line.refuse(f"declares something else than what is given for it: {found!r}")

    @staticmethod
    def _is_declaration(line: Line) -> bool:
        return line.peek() in KINDS and line.peek(1) not in {"", ":", "=", ",", "("}


def _as_resource(name: str, given: Any) -> Resource:
    return given if isinstance(given, Resource) else HostObject(name, given)


def _class(line: Line, name: str) -> type:
    """A class of exceptions or of containers that the program has loaded."""
    found = named_class(name)
    if found is None:
        line.refuse(f"names a class that the program has not loaded: {name!r}")
    if not (issubclass(found, BaseException) or is_container(found)):
        line.refuse(f"names a class that is neither an exception nor a container: {name!r}")
    return found


def _array_of(content: Any, dtype: np.dtype[Any], shape: tuple[int, ...] | None) -> Array:
    """An array of numbers, of one number, or of bytes."""
    if isinstance(content, bytes):
        if shape is None:
            raise ValueError("bytes need a shape")
        return np.frombuffer(content, dtype.newbyteorder("<")).astype(dtype).reshape(shape)
    array = np.asarray(content, dtype)
    if shape is None:
        return array
    return np.full(shape, array) if array.ndim == 0 else array.reshape(shape)


def _word(line: Line, word: str, blocks: Mapping[str, Graph]) -> Any:
    """A constant of Python, a sub-graph, a spec or a dtype."""
    if word in _WORDS:
        return _WORDS[word]
    if word in blocks:
        return blocks[word]
    if line.peek() == "[" or word in _WITHOUT_PARTS:
        line.position -= 1
        return _spec(line)
    return _dtype(line, word)


def _dtype(line: Line, word: str) -> DType:
    try:
        return as_dtype(word)
    except DTypeError:
        line.refuse(f"has a word that is no dtype and no sub-graph: {word!r}")


_WITHOUT_PARTS: Mapping[str, Spec] = {
    str(spec): spec for spec in (ErrorSpec(), TextSpec(), ObjectSpec(), GeneratorSpec(), CellSpec())
}
"""The specs that are one word."""


def _spec(line: Line) -> Spec:
    """Reads ``f32[?,3]``, ``f32[...]``, ``list[f32[]]``, ``error``, ``text``, ``cell``."""
    word = line.take()
    if word in _WITHOUT_PARTS:
        return _WITHOUT_PARTS[word]
    if word == "list":
        return _list_spec(line)
    dtype = _dtype(line, word)
    line.take("[")
    if line.peek() == "...":
        line.take("...")
        line.take("]")
        return ArraySpec(None, dtype)
    return ArraySpec(tuple(line.several(lambda: _dim(line), "]")), dtype)


def _list_spec(line: Line) -> ListSpec:
    line.take("[")
    if line.peek() == "?":
        line.take("?")
        element = None
    else:
        found = _spec(line)
        if not isinstance(found, (ArraySpec, ListSpec)):
            line.refuse(f"has a list of {found}, and a list holds tensors or lists")
        element = found
    line.take("]")
    return ListSpec(element)


def _dim(line: Line) -> Dim:
    """Reads ``3``, ``?``, ``2*x.0+1``, ``max(x.0-1,0)``."""
    words = line.expression()
    try:
        dim = parse(words)
    except ValueError:
        dim = -1
    if dims.at_most(dim, -1):
        line.refuse(f"has {words!r} where a dim should stand")
    return dim


def _op_called(name: str) -> type[Op] | None:
    """The op whose instances may call themselves by a name: that of the class, as a rule."""
    kind = REGISTRY.get(name)
    if kind is None or name not in kind.names:
        kind = next((each for each in REGISTRY.values() if name in each.names), None)
    return kind


def _is_input(line: Line) -> bool:
    """Whether a line is a name and a spec, and nothing else."""
    return line.peek(1) == ":" and ("mark", "=") not in line.tokens


def _targets(line: Line) -> tuple[list[str], list[Spec | None]]:
    """The names before ``=``, none where the op has no outputs; the specs of those that name lengths."""
    if line.peek(1) not in {"=", ",", ":"}:
        return [], []
    known: list[Spec | None] = []

    def target() -> str:
        name = line.take()
        known.append(None)
        if line.peek() == ":":
            line.take(":")
            known[-1] = _spec(line)
        return name

    targets: list[str] = line.several(target, "=")
    return targets, known


def _named(line: Line, names: Mapping[str, Value]) -> Value:
    name = line.take()
    if name not in names:
        line.refuse(f"uses a name that no line before it gives: {name!r}")
    return names[name]


_hints: dict[type[Op], dict[str, Any]] = {}
"""The types of the fields of each op that was read: finding them takes long."""


def _make(line: Line, kind: type[Op], attributes: Mapping[str, Any]) -> Op:
    """An op; a tuple becomes the class of tuples that the op declares."""
    hints = _hints.get(kind)
    if hints is None:
        hints = _hints[kind] = get_type_hints(kind)
    given = {name: _as_declared(hints.get(name), value) for name, value in attributes.items()}
    try:
        return kind(**given)
    except TypeError as error:
        line.refuse(f"gives {kind.__name__} attributes that it does not take: {error}")


def _text(line: Line, word: str) -> str:
    try:
        found: str = ast.literal_eval(word)
    except (SyntaxError, ValueError):
        line.refuse(f"has no text where one should stand: {word}")
    return found


def _as_declared(hint: Any, value: Any) -> Any:
    is_own_tuple = isinstance(value, tuple) and isinstance(hint, type) and issubclass(hint, tuple)
    return hint(value) if is_own_tuple else value
