"""Whether a graph does the very same as plain Python: every operation has one certain result.

    x * 2.5 + y, x < y, sorted(rows), rng.random()     one certain result, whatever computes it
    x ** 2, exp(x), sum of floats, x @ y               last bits, which depend on who computes them
    int(x), n * k, of ints that are not known          may have no room in 64 bits, or warn, in one of both
    sqrt(x), n % k                                     Python's own raise where NumPy's warn

What is not known to be certain is not.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

from runtime.analysis.ranges import Ranges
from runtime.analysis.wrapping import wrapping_nodes
from runtime.core.dtypes import DType, int64
from runtime.core.spec import ArraySpec
from runtime.graph.graph import Graph, Node, Value
from runtime.graph.module import Module
from runtime.graph.op import Const, Op, Placeholder
from runtime.ops import core
from runtime.ops.arithmetic import AddV2, RealDiv, Sub
from runtime.ops.casting import Cast
from runtime.ops.checks import Assert, CheckCount, CheckDivisor, CheckFits, CheckWhole
from runtime.ops.comparison import Comparison
from runtime.ops.control_flow import try_catch as trying
from runtime.ops.core import expression as scalar
from runtime.ops.families import Elementwise, IndexMap
from runtime.ops.host import PyFunc
from runtime.ops.integers import PowMod
from runtime.ops.printing import PrintV2
from runtime.ops.python_order import PythonBest, PythonOrder
from runtime.ops.raising import Raise, Reraise
from runtime.ops.ranges import Range, RangeInto
from runtime.ops.reduction import All, Max, Min, Sum
from runtime.ops.reduction import Any as AnyOf
from runtime.ops.rounding import Round
from runtime.ops.sameness import ArrayEqual, ArrayEquiv
from runtime.ops.scalars import SCALARS
from runtime.ops.scan import CumulativeMax, CumulativeMin
from runtime.ops.selection import SearchSorted, SelectV2, Where
from runtime.ops.sets import IsIn, Unique
from runtime.ops.sorting import ArgMax, ArgMin, ArgSort, Sort
from runtime.ops.statistics import CountNonZero
from runtime.ops.tensor_list.base import ListOp
from runtime.ops.tensor_list.edits import TensorListFound, UnpackLength
from runtime.ops.texts import TextOf
from runtime.ops.updating.combining import AdvancedCombine
from runtime.ops.validity import Require

__all__ = ["applied_functions", "gives_pythons_bits", "is_certain", "raises_of_its_own", "uncertain"]

_MOST_IN_FLOATS = 2**53
"""Whole numbers up to it are floats as they are."""

_MOVING: tuple[type[Op], ...] = (
    *(Const, Placeholder, IndexMap, ListOp, TensorListFound, UnpackLength, SelectV2),
    *(core.AffineMap, core.Iota, core.Length, core.Gather),
)
"""They move elements, and compute none."""
_DECIDING: tuple[type[Op], ...] = (
    *(Raise, Reraise, Require, core.Check, Assert, CheckFits),
    *(trying.NewCell, trying.Checkpoint, trying.Evaluated),
    *(trying.NoError, trying.Caught, trying.CaughtForm),
)
_COMPARING: tuple[type[Op], ...] = (
    *(Sort, ArgSort, ArgMax, ArgMin, PythonOrder, PythonBest, SearchSorted, Where, Unique, IsIn),
    *(ArrayEqual, ArrayEquiv, All, AnyOf, CountNonZero, Round, TextOf, PrintV2),
)
_FOLDING: tuple[type[Op], ...] = (
    *(Max, Min, CumulativeMax, CumulativeMin, AdvancedCombine, Range, RangeInto, PowMod),
)
"""The order in which they take elements does not matter for whole numbers."""
_STEP = 2**20
_SMALL = 2**15
"""Whole numbers up to it have a sum with 64 bits, however many there are."""
_RAISING_IN_PYTHON = frozenset({"sqrt", "fmod", "ldexp", "gcd", "lcm"})
"""Functions that `math` has, too, where they raise, or give ints beyond 64 bits."""
_CHECKS = (CheckWhole, CheckDivisor, CheckCount)
_GENERATORS = frozenset(
    {
        ("random", "Random"),
        ("numpy.random._generator", "Generator"),
        ("numpy.random.mtrand", "RandomState"),
    }
)
"""By their names: most programs have no use for these modules, which take long to load."""
_MAKES_GENERATOR = ("numpy.random", "default_rng")


def gives_pythons_bits(traced: Module, optimised: Module) -> bool:
    """Whether plain Python gives the very bits that a graph gives, as it was traced and as it runs.

    Ints of Python's own must have room in 64 bits for sure: where a check of that is left, the graph may
    refuse what Python goes on with.
    """
    return next(uncertain(traced, optimised), None) is None


def uncertain(traced: Module, optimised: Module) -> Iterator[Node]:
    """The nodes whose results may not be those of plain Python."""
    for module in (traced, optimised):
        for graph in module.graphs():
            ranges = Ranges(graph)
            for node in _nodes(graph):
                is_checked = module is traced and isinstance(node.op, _CHECKS)  # few of which are left
                if not (is_checked or _is_certain_node(node, ranges)):
                    yield node
            if module is optimised and not _only_counts(graph, ranges):
                yield from wrapping_nodes(graph, ranges)  # which NumPy's scalars warn of


def _nodes(graph: Graph) -> Iterator[Node]:
    return (node for inner in graph.walk() for node in inner.nodes)


def _only_counts(graph: Graph, ranges: Ranges) -> bool:
    """Whether all that may wrap around in a graph are counts, which begin small and take days to be large."""
    return (
        not any(_is_wide(value, ranges) for value in graph.inputs)
        and not any(_makes_wide(node, ranges) for node in _nodes(graph))
        and all(any(map(_is_step, node.inputs)) for node in wrapping_nodes(graph, ranges))
    )


def _is_wide(value: Value, ranges: Ranges) -> bool:
    """Whether a whole number may be far from zero, or is not of 64 bits."""
    if not isinstance(value.spec, ArraySpec):
        return True
    if not value.dtype.is_integer:
        return False
    return value.dtype is not int64 or not _has_room(value, ranges)


def _makes_wide(node: Node, ranges: Ranges) -> bool:
    """Whether whole numbers come into a graph that may be far from zero."""
    match node.op:
        case Const() | PyFunc():
            return any(isinstance(each.spec, ArraySpec) and _is_wide(each, ranges) for each in node.outputs)
        case Cast():
            return not _is_whole(node.inputs[0]) and _is_wide(node.outputs[0], ranges)
        case AddV2() | Sub():
            return False
        case Elementwise() | Sum() | AdvancedCombine() | PowMod() | core.Map():
            return any(_is_wide(each, ranges) for each in node.outputs)
    return False


def _is_step(value: Value) -> bool:
    """Whether a number is what a count goes on by."""
    return (
        isinstance(value.op, Const) and value.dtype is int64 and bool(np.all(np.abs(value.op.value) <= _STEP))
    )


def is_certain(function: str, dtype: DType) -> bool:
    """Whether a scalar function, in a dtype, gives one certain number, of a certain sign where it is zero."""
    known = SCALARS[function]
    is_rounded = dtype.is_floating or dtype.is_complex
    return known.is_exact(dtype) and (known.keeps_zeros or not is_rounded)


def applied_functions(tree: scalar.Expression, dtypes: tuple[DType, ...]) -> Iterator[tuple[str, DType]]:
    """The scalar functions of an expression, each with the dtype that it works in."""
    match tree:
        case scalar.Convert(_, of):
            yield from applied_functions(of, dtypes)
        case scalar.Apply(function, arguments):
            common = arguments[SCALARS[function].signature.index("T")]
            yield function, scalar.dtype_of(common, dtypes)
            for each in arguments:
                yield from applied_functions(each, dtypes)


def raises_of_its_own(module: Module) -> bool:
    """Whether a graph may raise something, beside what calls of the program's raise."""
    return any(
        not (node.op.regions or isinstance(node.op, PyFunc))
        and node.op.raises(*[value.spec for value in node.inputs])
        for graph in module.graphs()
        for node in _nodes(graph)
    )


def _is_certain_node(node: Node, ranges: Ranges) -> bool:
    op = node.op
    if op.regions:
        return not any(region.is_function for region in op.regions)  # plain Python sees tensors of such a one
    if isinstance(op, CheckDivisor):
        return node.inputs[1].dtype.is_floating  # ints may be of NumPy's, which are not checked
    if isinstance(op, CheckCount):
        return op.symbol != "**"  # which is a float in Python
    if isinstance(op, RealDiv | Comparison) and _rounds_whole(node, ranges):
        return False
    if isinstance(op, Sum):
        found = ranges.of(node.inputs[0])
        return _is_whole(node.inputs[0]) and found is not None and max(-found.least, found.most) <= _SMALL
    if isinstance(op, _FOLDING):
        return all(map(_is_whole, (*node.inputs, *node.outputs)))
    if isinstance(op, _MOVING + _DECIDING + _COMPARING):
        return True
    if isinstance(op, PyFunc):
        return _is_programs_call(op.function.value)
    if any(map(_is_complex, (*node.inputs, *node.outputs))):
        return False  # Python's products of them round otherwise than NumPy's
    if isinstance(op, Cast):
        return _is_exact_cast(node)
    if isinstance(op, core.Map):
        applied = applied_functions(op.expression, tuple([value.dtype for value in node.inputs]))
        return all(is_certain(*each) and each[0] not in _RAISING_IN_PYTHON for each in applied)
    if not isinstance(op, Elementwise) or op.scalar is None:
        return False
    if op.scalar in _RAISING_IN_PYTHON:
        return False
    return is_certain(op.scalar, node.inputs[SCALARS[op.scalar].signature.index("T")].dtype)


def _is_whole(value: Value) -> bool:
    spec = value.spec
    return isinstance(spec, ArraySpec) and (spec.dtype.is_integer or spec.dtype.kind == "b")


def _is_complex(value: Value) -> bool:
    return isinstance(value.spec, ArraySpec) and value.spec.dtype.is_complex


def _is_exact_cast(node: Node) -> bool:
    """Whether a cast gives one certain number: processors differ where a float has no room in an integer."""
    given, wanted = node.inputs[0].dtype, node.outputs[0].dtype
    if given.name == "uint64" and wanted.is_integer:
        return wanted is given  # which may have no room in an int of Python's
    return not (given.is_floating and wanted.is_integer) or wanted.name == "int64"


def _rounds_whole(node: Node, ranges: Ranges) -> bool:
    """Whether a quotient or a comparison is of ints that floats have no room for: Python's is of the ints.

    A product or a sum is not, as Python makes a float of the int, too.
    """
    given = [_whole_before(value) for value in node.inputs]
    found = [each for each in given if each is not None]
    if isinstance(node.op, RealDiv) and not all(
        each is not None or isinstance(value.op, Const)
        for each, value in zip(given, node.inputs, strict=True)
    ):
        return False
    return not all(_has_room(each, ranges) for each in found)


def _whole_before(value: Value) -> Value | None:
    """The ints of which a value is the float."""
    if not isinstance(value.op, Cast) or not value.dtype.is_floating:
        return None
    before = value.inputs[0]
    return before if before.dtype.is_integer else None


def _has_room(value: Value, ranges: Ranges) -> bool:
    found = ranges.of(value)
    return found is not None and max(-found.least, found.most) <= _MOST_IN_FLOATS


def _is_programs_call(function: Any) -> bool:
    """Whether a call of the run's is the program's own, of what gives the same for the same numbers.

    A draw is: it moves on the generator that is the program's. So is a method of one that the run makes.
    """
    while isinstance(function, partial):
        function = function.func
    owner = getattr(function, "__self__", function)
    kinds = owner.__mro__ if isinstance(owner, type) else type(owner).__mro__
    if not _GENERATORS.isdisjoint([(kind.__module__, kind.__name__) for kind in kinds]):
        return True
    known = (getattr(function, "__module__", None), getattr(function, "__name__", None)) == _MAKES_GENERATOR
    return known or function is round or getattr(function, "makes_programs_call", False)
