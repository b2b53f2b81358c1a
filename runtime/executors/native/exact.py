"""Whether machine code of a graph gives NumPy's own bits, and Python's exceptions.

What does not suit is said with the node that it is about, from the cheapest question to the dearest.
"""

from __future__ import annotations

from collections.abc import Iterator

from runtime.core.dtypes import DType
from runtime.core.shapes import size
from runtime.core.spec import ErrorSpec, GeneratorSpec, TextSpec
from runtime.executors.native.beyond import Unsupported, is_print
from runtime.executors.native.c_functions import own_of_python
from runtime.executors.native.layouts import Layouts
from runtime.executors.native.lower import called_products
from runtime.executors.native.lower.draws import is_draw
from runtime.executors.native.lower.lowering import has_code, knows_objects, require_form
from runtime.executors.native.numpys_own import ONLY_LOOPS, calls_c, has_rows, is_numpys
from runtime.executors.native.pairwise import (
    adds_in_order,
    is_least_or_most,
    is_pairwise,
    is_product,
    is_row_by_row,
)
from runtime.executors.native.ties import keeps_zeros
from runtime.graph.graph import Node
from runtime.graph.module import Module
from runtime.graph.op import Effects
from runtime.ops import core
from runtime.ops.core import expression as scalar
from runtime.ops.scalars import SCALARS

__all__ = ["require_exact", "require_numbers"]

_MOST_ONE_BY_ONE = 32
"""Elements up to which calls of NumPy's inner loop for each take no longer than NumPy itself."""


def require_numbers(module: Module) -> None:
    """Refuses what plainly has no machine code, before anything is made of it."""
    for graph in module.graphs():
        for inner in graph.walk():
            for node in inner.nodes:
                is_outside = bool(node.op.effects & ~(Effects.CHECKS | Effects.MARKS))
                has_graphs = node.op.regions or node.op.callee is not None  # which are asked themselves
                if is_outside and not has_graphs and not is_draw(node) and not is_print(node):
                    raise Unsupported("it reads or changes what is outside of the graph", node)
                if any(mode != "ignore" for _, mode in node.location.told):
                    raise Unsupported("it has NumPy warn where the caller may not", node)
                for spec in node.specs:
                    is_of_regions = isinstance(spec, TextSpec | GeneratorSpec) and has_graphs
                    if not (isinstance(spec, ErrorSpec) or is_of_regions or knows_objects(node.op)):
                        require_form(spec, node)


def require_exact(module: Module) -> None:
    """Refuses a module of core ops where a bit may differ from NumPy's."""
    layouts, are_rows = Layouts(module), _has_rows(module)
    for graph in module.graphs():
        for inner in graph.walk():
            for node in inner.nodes:
                if isinstance(node.op, core.Reduce) and _adds_as_numpy(node, layouts):
                    continue
                if isinstance(node.op, core.Dot) and called_products.is_called(node, layouts):
                    continue
                _require_bits(node, are_rows=are_rows)


def _adds_as_numpy(node: Node, layouts: Layouts) -> bool:
    """Whether a reduction is a sum that is added up in NumPy's order, or a product in turn."""
    is_known = is_pairwise(node) or is_row_by_row(node) or is_product(node)
    return is_known and adds_in_order(node, layouts)


def _has_rows(module: Module) -> bool:
    """Whether NumPy's inner loops are called for rows of numbers, and not for one after the other.

    So they are where loops are split: not in functions that are called, and not around handlers.
    """
    nodes = (node for graph in module.graphs() for inner in graph.walk() for node in inner.nodes)
    return not module.functions and not any(region.catches for node in nodes for region in node.op.regions)


def _require_bits(node: Node, *, are_rows: bool) -> None:
    op = node.op
    if isinstance(op, core.HostCall) and not has_code(node):
        raise Unsupported("it runs in Python", node)
    if isinstance(op, core.Map):
        for applied, dtype in _applied(op.expression, tuple([value.dtype for value in node.inputs])):
            if not _is_numpys(applied, dtype, node, are_rows=are_rows):
                _require_certain(applied.function, dtype, node)
    elif is_least_or_most(node):
        return
    elif isinstance(op, core.Reduce) and op.order == "turns":
        _require_certain(op.combine, op.dtype, node, "scan")
    elif isinstance(op, core.Reduce | core.Dot) and called_products.is_rounded(node):
        raise Unsupported("a sum of floats has other last bits than NumPy's", node)
    elif isinstance(op, core.Scan | core.Scatter) and op.combine != "set":
        dtype = node.outputs[0].dtype
        if dtype.is_complex and op.combine not in {"add", "subtract"}:
            raise Unsupported(f"`{op.combine}` in turn may have another last bit than NumPy's", node)
        _require_certain(op.combine, dtype, node, "scan" if isinstance(op, core.Scan) else "scatter")


def _is_numpys(applied: scalar.Apply, dtype: DType, node: Node, *, are_rows: bool) -> bool:
    """Whether NumPy's own loop computes a function, and that is as fast as when NumPy calls it.

    Of two operands, and of what may be one of two zeros, NumPy computes elements of an array otherwise than
    one number, unless it asks the C library for each.
    """
    function, shape = applied.function, node.outputs[0].shape
    if not is_numpys(function, dtype):
        return False
    if own_of_python(function, dtype) is not None:  # which Python calls for one after the other
        return True
    if SCALARS[function].arity > 1 and shape != ():
        is_power = function == "power"
        if is_power and not _is_single(applied.arguments[1], node):
            return False
        is_one = shape is not None and size(shape) == 1  # the loop has one turn, as for a number
        return (is_power and is_one) or calls_c(function, dtype)
    count = None if shape is None else size(shape)
    is_few = isinstance(count, int) and count <= _MOST_ONE_BY_ONE
    return is_few or (are_rows and has_rows(function, dtype))


def _is_single(exponent: scalar.Expression, node: Node) -> bool:
    """Whether all numbers have one exponent: for some, NumPy takes ways of their own for all numbers."""
    match exponent:
        case scalar.Literal():
            return True
        case scalar.Operand(index):
            return node.inputs[index].shape == ()
        case scalar.Convert(_, of):
            return _is_single(of, node)
    return False


def _require_certain(function: str, dtype: DType, node: Node, applied: str = "map") -> None:
    if function in ONLY_LOOPS:
        raise Unsupported(f"`{function}` of many numbers is computed by NumPy", node)
    if not SCALARS[function].is_exact(dtype) or not keeps_zeros(function, dtype, applied):
        kind = "complex numbers" if dtype.is_complex else "floats"
        raise Unsupported(f"`{function}` of {kind} may have another last bit than NumPy's", node)


def _applied(tree: scalar.Expression, dtypes: tuple[DType, ...]) -> Iterator[tuple[scalar.Apply, DType]]:
    """The functions of an expression, each with the dtype that it works in."""
    match tree:
        case scalar.Convert(_, of):
            yield from _applied(of, dtypes)
        case scalar.Apply(function, arguments):
            common = arguments[SCALARS[function].signature.index("T")]
            yield tree, scalar.dtype_of(common, dtypes)
            for each in arguments:
                yield from _applied(each, dtypes)
