"""Any graph in core ops alone: what compilers and other targets start from.

It is no pass of the pipeline, which is for the executors that run all ops.

>>> from runtime.passes.pipeline import shown
>>> print(shown(decompose, '''
...     x: f32[?,3]
...     a = Softmax(x)
...     return a
... '''))
x: f32[x.0,3]
a = Reduce(x, axis=(-1,), keepdims=True, combine='maximum', dtype=f32, initial=-inf, order='numpy')
b = Map(x, a, of='x0 - x1')
c = Map(b, of='exp(x0)')
d = Reduce(c, axis=(-1,), keepdims=True, combine='add', dtype=f32, initial=None, order='numpy')
e = Map(c, d, of='x0 / x1')
return e
"""

from __future__ import annotations

from collections.abc import Sequence

from runtime.core.tensor import Tensor
from runtime.graph.build import bind, value_in
from runtime.graph.graph import Graph, Node, Value
from runtime.graph.op import REGISTRY, Const, Op
from runtime.graph.symbol import Symbol
from runtime.ops.axes import permute_dims
from runtime.ops.core import host_call
from runtime.passes import merge_duplicates
from runtime.passes.rebuild import target
from runtime.passes.rule import Rule, Rules, rewrite

__all__ = ["decompose", "is_core"]


def decompose(graph: Graph) -> Graph:
    """`graph` in core ops, as are the graphs inside of it; of a module, ``module.mapped(decompose)``.

    Integers, truths, and what IEEE 754 says of floats keep every bit. Effects happen as often and in the same
    order, and the same exceptions are raised.

    Parameters
    ----------
    graph : Graph
        It is not changed.
    """
    rules = _rules()
    while (written := rewrite(graph, rules)) is not graph:  # again for loops that a rule has made
        graph = written
    return merge_duplicates.run(graph)  # lengths and constants that several ops ask for


def is_core(graph: Graph) -> bool:
    """Whether a graph, and all inside of it, are made of core ops."""
    return all(node.op.is_core for inner in graph.walk() for node in inner.nodes)


def _rules() -> Rules:
    kinds = {kind: _RULE for kind in REGISTRY.values() if not kind.is_core}
    return Rules({**kinds, Const: [Rule("in order", (Const,), _in_order)]})


def _written(node: Node) -> Sequence[Value]:
    """What an op writes itself in, or a call of it."""
    operands = [Symbol(value) for value in node.inputs]
    found = node.op.decompose(*operands) if node.op.decompose is not None else None
    if found is None:
        found = host_call(node.op, *operands)
    several = found if isinstance(found, tuple) else (found,)
    return [value_in(target(), each) for each in several]


def _in_order(node: Node) -> Sequence[Tensor] | None:
    """An array that does not lie in order, as one that does, with its axes transposed."""
    assert isinstance(node.op, Const), "the rule is for constants"
    array = node.op.value
    if array.ndim < 2 or array.flags.c_contiguous:
        return None
    axes = sorted(range(array.ndim), key=lambda axis: -array.strides[axis])
    ordered = array.transpose(axes)
    if not ordered.flags.c_contiguous:
        return None
    return [permute_dims(bind(Const(ordered)), [axes.index(axis) for axis in range(array.ndim)])]


_RULE = [Rule("decompose", (Op,), _written)]
"""For each op that is not core."""
