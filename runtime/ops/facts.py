"""Facets of an op that are plain data: what it is called elsewhere, what it accepts, sample inputs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from math import prod
from types import MappingProxyType
from typing import Any, Protocol, TypeAlias

import numpy as np

from autograph_base.dataclass import dataclass
from runtime.core import shapes
from runtime.core.dtypes import DTYPES, LOW_PRECISION, DType, bool_, int32
from runtime.core.shapes import Shape
from runtime.core.spec import ArraySpec, Spec, TextSpec
from runtime.core.tensor import Array
from runtime.errors import ShapeError
from runtime.graph.op import NOTHING, Aliases, Failures
from runtime.graph.sample import Sample, Samples

__all__ = [
    "BOOLEAN",
    "COMPLEX",
    "FLOATING",
    "INTEGER",
    "NUMERIC",
    "STRING",
    "TABLE",
    "VARIANT",
    "GraphDef",
    "GraphDefBuilder",
    "GraphDefTensor",
    "Sample",
    "Samples",
    "axes_in_graphdef",
    "binary",
    "misfits",
    "misranked",
    "raising",
    "shape_in_graphdef",
    "shaped",
    "sharing",
    "type_in_graphdef",
    "unary",
]

INTEGER = frozenset(dtype for dtype in DTYPES if dtype.is_integer)
FLOATING = frozenset(dtype for dtype in (*DTYPES, *LOW_PRECISION) if dtype.is_floating)
COMPLEX = frozenset(dtype for dtype in DTYPES if dtype.is_complex)
BOOLEAN = frozenset([bool_])
NUMERIC = INTEGER | FLOATING | COMPLEX

TABLE = np.arange(12.0).reshape(3, 4)
"""An operand with two axes, for samples."""


@dataclass(frozen=True)
class GraphDef:
    """How an op is written in TensorFlow's GraphDef.

    Attributes
    ----------
    op : str
        TensorFlow's name.
    output : str
        TensorFlow's name of the output; functions refer to it as ``node:output:0``.
    types : mapping of str to str
        The type attributes, and where each is read: ``in0``, ``in1``, ``in-1`` (the last) or ``out0`` for one
        dtype, ``in*`` for the list of all, ``count`` for the number of the op's own inputs. Inputs that
        `inputs_then` adds are the last, and only ``count`` leaves them out.
    attributes : mapping of str to str
        Fields written as attributes, and TensorFlow's name for each.
    inputs_then : tuple of str
        Fields that TensorFlow takes as further inputs: written as constants, in this order; ints as int32.
    node : str, optional
        What a node is called; as `op` by default. TensorFlow names what an operator makes after that.
    """

    op: str
    output: str = "output"
    types: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({"T": "in0"}))
    attributes: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    inputs_then: tuple[str, ...] = ()
    node: str | None = None


VARIANT = DType("variant", np.dtype(object), "list")
"""TensorFlow's dtype of a list, for type attributes; no tensor of ours has it."""

STRING = DType("string", np.dtype(object), "str")
"""TensorFlow's dtype of text, for type attributes; no tensor of ours has it."""


def type_in_graphdef(spec: Spec) -> DType:
    """The dtype that TensorFlow gives a value of this spec."""
    if isinstance(spec, ArraySpec):
        return spec.dtype
    return STRING if isinstance(spec, TextSpec) else VARIANT


def shape_in_graphdef(spec: Spec) -> Shape:
    """The shape that TensorFlow gives a value of this spec."""
    return spec.shape if isinstance(spec, ArraySpec) else ()


GraphDefTensor: TypeAlias = Any
"""A tensor while a GraphDef is written: an input of the op, or what `GraphDefBuilder` returned."""


class GraphDefBuilder(Protocol):
    """What ``to_graphdef(self, builder, inputs, specs)`` calls, where `GraphDef` cannot say it as data.

    `inputs` and `specs` are the op's own; the method returns the tensors that are its outputs, or None where
    `GraphDef` says it after all. Attributes are bools, ints, floats, strings, dtypes or lists of one of
    these.
    """

    def constant(self, value: Any, dtype: DType) -> GraphDefTensor:
        """A constant."""

    def text(self, value: str) -> GraphDefTensor:
        """A constant string."""

    def variable(self, variable: Any) -> GraphDefTensor:
        """The handle of a variable."""

    def node(
        self,
        op: str,
        inputs: Sequence[GraphDefTensor],
        output: str | tuple[str, ...] = "output",
        **attributes: Any,
    ) -> GraphDefTensor:
        """Writes a node with one output, or with several, the last of which is wanted."""

    def effect(
        self, op: str, inputs: Sequence[GraphDefTensor], output: str | None = None, **attributes: Any
    ) -> GraphDefTensor:
        """Writes the node that has the op's effects, and so keeps its place in the order of effects."""


def axes_in_graphdef(
    builder: GraphDefBuilder, x: GraphDefTensor, dtype: DType, first: int = 0
) -> GraphDefTensor:
    """The axes of `x`, a tensor of `dtype` whose rank only the run knows, from the `first` one on."""
    start, step = builder.constant(first, int32), builder.constant(1, int32)
    rank = builder.node("Rank", [x], T=dtype)
    return builder.node("Range", [start, rank, step], Tidx=int32)


def _numbers(shape: tuple[int, ...], dtype: DType, low: float, high: float, seed: int) -> Array:
    drawn = np.random.default_rng(seed).uniform(low, high, shape)
    if dtype is bool_:
        return drawn > (low + high) / 2
    if dtype.kind == "u":
        drawn = np.abs(drawn)
    if dtype.is_complex:
        drawn = drawn + 1j * drawn[..., ::-1]
    return drawn.astype(dtype.numpy)


_SHAPES: Sequence[tuple[int, ...]] = ((3,), (2, 3), (0, 2), (1,))
_PAIRS: Sequence[tuple[tuple[int, ...], tuple[int, ...]]] = (
    ((3,), (3,)),
    ((2, 3), (3,)),
    ((2, 1), (1, 3)),
    ((0, 2), (1, 2)),
)


def unary(low: float = -4.0, high: float = 4.0, dtypes: frozenset[DType] = FLOATING) -> Samples:
    """Samples for one operand with elements in ``low <= x < high``."""
    return Samples(
        lambda: [
            Sample((_numbers(shape, dtype, low, high, seed),))
            for dtype in _ordered(dtypes)
            for seed, shape in enumerate(_SHAPES)
        ]
    )


def binary(low: float = -4.0, high: float = 4.0, dtypes: frozenset[DType] = NUMERIC) -> Samples:
    """Samples for two operands of one dtype, also broadcast against each other."""
    return Samples(
        lambda: [
            Sample((_numbers(left, dtype, low, high, 1), _numbers(right, dtype, low, high, 2)))
            for dtype in _ordered(dtypes)
            for left, right in _PAIRS
        ]
    )


def _ordered(dtypes: frozenset[DType]) -> list[DType]:
    """The dtypes of samples: those that NumPy has itself."""
    return sorted(dtypes.difference(LOW_PRECISION), key=lambda dtype: dtype.name)


def shaped(*shapes: tuple[int, ...], elements: Any = np.float32, **attributes: Any) -> Sample:
    """A sample of operands of these shapes, counting up from 1, for an op with these fields."""
    return Sample(
        tuple([np.arange(1, 1 + prod(of)).reshape(of).astype(elements) for of in shapes]), attributes
    )


def raising(*kinds: type[Exception]) -> Callable[..., Failures]:
    """`Op.raises` of an op that may raise these exceptions, whatever is known of its inputs."""
    failures: Failures = frozenset(kinds)
    return lambda *_: failures


def misfits(*specs: ArraySpec) -> Failures:
    """Shapes that are known fit: they were looked at when the node was made. Others may not."""
    return NOTHING if all(shapes.is_known(spec.shape) for spec in specs) else _OF_SHAPES


def misranked(*specs: ArraySpec) -> Failures:
    """As `misfits`, where lengths do not matter as long as the number of axes is known."""
    return NOTHING if all(spec.shape is not None for spec in specs) else _OF_SHAPES


def sharing(*inputs: int) -> Callable[..., Aliases]:
    """`Op.aliases` of an op whose outputs may lie in the memory of these inputs, whatever their specs are."""
    aliases: Aliases = frozenset(inputs)
    return lambda *_: aliases


_OF_SHAPES: Failures = frozenset([ShapeError])
