"""`Body`: the nodes of one graph while they are written, at the top or inside a function."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np

from runtime.core.dtypes import DType, as_dtype, int32
from runtime.core.shapes import Shape
from runtime.core.tensor import Array
from runtime.errors import ExportError
from runtime.graph.graph import Graph, Node, Value
from runtime.graph.location import UNKNOWN, Location
from runtime.graph.op import Const, Effects, Op
from runtime.interchange import messages
from runtime.interchange.graphdef import attributes as attr
from runtime.interchange.graphdef.limits import is_taken
from runtime.interchange.graphdef.names import Names, argument_name, node_name
from runtime.interchange.graphdef.operands import Argument, Constant, Endpoint, Operand
from runtime.interchange.messages import Message
from runtime.ops.facts import GraphDef, type_in_graphdef
from runtime.ops.variable_ops import Storage

__all__ = ["Body", "WriteStructure"]

_NOTHING: Mapping[str, Any] = MappingProxyType({})

WriteStructure = Callable[["Body", Node, list[Operand]], Sequence[Operand] | None]
"""Writes a node that holds graphs, and returns its outputs; None when the op is of no such kind."""


class Body:
    """The nodes of one graph.

    Parameters
    ----------
    scope : str
        What the names of nodes start with: ``""`` or ``"cond/"``.
    in_function : bool
        Whether the graph is a function of the library, where inputs are written in another way.
    write_structure : WriteStructure
    """

    def __init__(self, scope: str, in_function: bool, write_structure: WriteStructure) -> None:
        self.scope = scope
        self.nodes: list[Message] = []
        self.names = Names()
        self.operands: dict[Value, Operand] = {}
        self.resources: dict[int, tuple[Storage, Operand]] = {}
        self.must_run: list[str] = []
        self._reads: list[str] = []
        self._in_function = in_function
        self._location = UNKNOWN
        self._write_structure = write_structure

    @property
    def is_stateful(self) -> bool:
        """Whether any node has effects."""
        return bool(self.must_run or self._reads)

    # ── the graph's nodes ──

    def write(self, graph: Graph) -> None:
        """Writes every node of `graph`, in program order; a constant waits until a node takes it."""
        for node in graph.nodes:
            outputs: Sequence[Operand]
            if isinstance(node.op, Const):
                outputs = [Constant(node.op.value)]
            else:
                self._location = node.location
                outputs = self._write_node(node, [self.operands[value] for value in node.inputs])
            self.operands.update(zip(node.outputs, outputs, strict=True))

    def _write_node(self, node: Node, inputs: list[Operand]) -> Sequence[Operand]:
        structured = self._write_structure(self, node, inputs)
        if structured is not None:
            return structured
        op = node.op
        to_graphdef = getattr(op, "to_graphdef", None)
        if to_graphdef is not None:
            builder = _Builder(self, op)
            written: Sequence[Operand] | None
            written = to_graphdef(builder, inputs, [value.spec for value in node.inputs])
            if written is not None:
                return written
        facts: GraphDef | None = getattr(op, "graphdef", None)
        if facts is None:
            raise _no_form(node)
        return self._write_plainly(node, facts, inputs)

    def _write_plainly(self, node: Node, facts: GraphDef, inputs: list[Operand]) -> list[Endpoint]:
        """A node whose op says by plain data how it is written."""
        op = node.op
        extra = [self._field_input(getattr(op, field), node, inputs) for field in facts.inputs_then]
        dtypes = [*(type_in_graphdef(value.spec) for value in node.inputs), *(dtype for _, dtype in extra)]
        found: dict[str, Any] = {
            name: _type_attribute(source, dtypes, node) for name, source in facts.types.items()
        }
        found |= {name: getattr(op, field) for field, name in facts.attributes.items()}
        names = [*op.input_names[: len(inputs)], *([None] * (len(inputs) - len(op.input_names)))]
        return self.node(
            facts.op,
            [*inputs, *(operand for operand, _ in extra)],
            found,
            outputs=(facts.output,) * len(node.outputs),
            input_names=[*names, *facts.inputs_then],
            effects=op.effects,
            name=facts.node or op.name,
        )

    def _field_input(self, value: Any, node: Node, inputs: list[Operand]) -> tuple[Operand | Array, DType]:
        """A field as a further input: integers are int32, and None means all axes of the first input."""
        if value is not None:
            array = np.asarray(value)
            if array.dtype.kind in "iu" or not array.size:
                array = array.astype(np.int32)
            return array, as_dtype(array.dtype)
        spec = node.inputs[0].array_spec
        if spec.rank is not None:
            return np.arange(spec.rank, dtype=np.int32), int32
        (rank,) = self.node("Rank", inputs[:1], {"T": spec.dtype})
        zero, one = np.asarray(0, np.int32), np.asarray(1, np.int32)
        (axes,) = self.node("Range", [zero, rank, one], {"Tidx": int32})
        return axes, int32

    # ── TensorFlow's nodes ──

    def unique(self, base: str) -> str:
        """A free name for a node in this scope."""
        return self.names.unique(f"{self.scope}{base}")

    def node(
        self,
        op: str,
        inputs: Sequence[Operand | Array | str] = (),
        attributes: Mapping[str, Any] = _NOTHING,
        *,
        outputs: Sequence[str] = ("output",),
        input_names: Sequence[str | None] = (),
        effects: Effects = Effects.NONE,
        name: str | None = None,
        full_name: str | None = None,
        after: Iterable[str] = (),
    ) -> list[Endpoint]:
        """Writes a node.

        Parameters
        ----------
        op : str
            TensorFlow's name of the op.
        inputs : sequence of Operand, array or str
            Arrays and strings are written as constants.
        attributes : mapping of str to value or message
        outputs : sequence of str
            The op's name for each output; repeated for an output that is a list.
        input_names : sequence of str or None
            The op's names for the inputs, which name constants (``Greater/y``); None, and inputs without one,
            give ``Const``.
        effects : Effects
            Nodes with effects wait for those before them.
        name : str, optional
            The name to start from; `op` by default.
        full_name : str, optional
            A name that `unique` gave, in place of `name`.
        after : iterable of str
            Names of nodes to wait for.

        Returns
        -------
        list of Endpoint
            The outputs.
        """
        for key, value in attributes.items():
            if isinstance(value, DType) and not is_taken(op, key, value):
                raise _no_dtype(op, value, self._location)
        chosen = full_name or self.unique(name or op)
        padded = [*input_names, *([None] * (len(inputs) - len(input_names)))]
        texts = [
            self._reference(operand, chosen, input_name)
            for operand, input_name in zip(inputs, padded, strict=True)
        ]
        waits = [*after, *self._ordered(chosen, effects)]
        written = messages.NodeDef(name=chosen, op=op, input=[*texts, *(f"^{each}" for each in waits)])
        for key, value in attributes.items():
            written.attr[key].CopyFrom(attr.attribute(value))
        self.nodes.append(written)
        return [
            Endpoint(chosen, output, outputs[:position].count(output), position)
            for position, output in enumerate(outputs)
        ]

    def _ordered(self, name: str, effects: Effects) -> list[str]:
        """The nodes that one with such effects waits for: program order, except among reads."""
        last = self.must_run[-1:]
        if effects.must_run:
            waits = [*last, *self._reads]
            self._reads.clear()
            self.must_run.append(name)
            return waits
        if effects:
            self._reads.append(name)
            return last
        return []

    def _reference(self, operand: Operand | Array | str, consumer: str, input_name: str | None) -> str:
        """The text of an input, after writing the constant or naming the argument that it is."""
        match operand:
            case Endpoint():
                return operand.reference(self._in_function)
            case Argument():
                if operand.name is None:
                    operand.name = self.names.unique(argument_name(f"{consumer}/{operand.label}"))
                return operand.name
            case Constant():
                if operand.written is None:
                    operand.written = self._constant(operand.value, consumer, input_name)
                return operand.written.reference(self._in_function)
            case _:
                return self._constant(operand, consumer, input_name).reference(self._in_function)

    def _constant(self, value: Array | str, consumer: str, input_name: str | None) -> Endpoint:
        name = self.unique("Const") if input_name is None else self.names.unique(f"{consumer}/{input_name}")
        proto = attr.text_tensor(value) if isinstance(value, str) else attr.tensor(np.asarray(value))
        tensor = messages.AttrValue(tensor=proto)
        dtype = messages.AttrValue(type=proto.dtype)
        (written,) = self.node("Const", (), {"dtype": dtype, "value": tensor}, full_name=name)
        return written

    def resource(self, variable: Storage) -> Operand:
        """The handle of a variable, made known to this body when it is first asked for."""
        found = self.resources.get(id(variable))
        if found is None:
            found = self.resources[id(variable)] = variable, self._new_resource(variable)
        return found[1]

    def _new_resource(self, variable: Storage) -> Operand:
        return self.placeholder(variable.name, attr.RESOURCE, ())

    def placeholder(self, label: str, dtype: DType, shape: Shape) -> Endpoint:
        """Writes an input of the graph."""
        attributes = {
            "_user_specified_name": label,
            "dtype": dtype,
            "shape": messages.AttrValue(shape=attr.shape(shape)),
        }
        (written,) = self.node("Placeholder", (), attributes, name=node_name(label))
        return written

    def identities(self, operands: Iterable[Operand], dtypes: Iterable[DType]) -> list[Endpoint]:
        """An `Identity` of each: the named outputs of a graph, which wait for its effects."""
        waits: tuple[str, ...] = ()
        if self.must_run:
            self.node("NoOp", full_name=(name := self.unique("NoOp")), after=self.must_run, outputs=())
            waits = (name,)
        return [
            self.node("Identity", [operand], {"T": dtype}, after=waits)[0]
            for operand, dtype in zip(operands, dtypes, strict=True)
        ]


class _Builder:
    """What an op's `to_graphdef` is given: `runtime.ops.facts.GraphDefBuilder`."""

    def __init__(self, body: Body, op: Op) -> None:
        self._body = body
        self._op = op

    def constant(self, value: Any, dtype: DType) -> Operand:
        return Constant(np.asarray(value, dtype.numpy))

    def text(self, value: str) -> str:
        return value

    def variable(self, variable: Storage) -> Operand:
        return self._body.resource(variable)

    def node(
        self,
        op: str,
        inputs: Sequence[Operand | str],
        output: str | tuple[str, ...] = "output",
        **attributes: Any,
    ) -> Operand:
        outputs = (output,) if isinstance(output, str) else output
        return self._body.node(op, inputs, attributes, outputs=outputs)[-1]

    def effect(
        self, op: str, inputs: Sequence[Operand | str], output: str | None = None, **attributes: Any
    ) -> Operand | None:
        outputs = () if output is None else (output,)
        written = self._body.node(op, inputs, attributes, outputs=outputs, effects=self._op.effects)
        return written[0] if written else None


def _type_attribute(source: str, dtypes: Sequence[DType], node: Node) -> Any:
    """The value of a type attribute; `source` is as in `GraphDef.types`, `dtypes` are all inputs'."""
    if source == "in*":
        return attr.type_list(dtypes)
    if source == "count":
        return len(node.inputs)
    if source.startswith("out"):
        return type_in_graphdef(node.specs[int(source.removeprefix("out"))])
    return dtypes[int(source.removeprefix("in"))]


def _no_form(node: Node) -> ExportError:
    op: Op = node.op
    why = getattr(op, "why_no_graphdef", "")
    return ExportError(
        f"`{op.name}` cannot be written to a GraphDef",
        where=node.location,
        why=f"TensorFlow has no such operation{f' ({why})' if why else ''}.",
        way_out="Express this line with operations that TensorFlow has, or leave it out of what you export.",
    )


def _no_dtype(op: str, dtype: DType, location: Location) -> ExportError:
    return ExportError(
        f"`{op}` of {dtype} cannot be written to a GraphDef",
        where=location,
        why="TensorFlow does not compute it.",
        way_out="Cast to a dtype that TensorFlow computes with (int32, int64, float32, float64), and back if "
        "need be.",
    )
