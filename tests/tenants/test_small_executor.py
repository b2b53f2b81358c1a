"""How little an executor of its own needs: core ops, and the functions of NumPy that they name."""

import numpy as np
import pytest

import runtime as rt
from runtime.executors.reference import Reference
from runtime.functions.polymorphic import PolymorphicFunction
from runtime.graph.module import Module
from runtime.graph.op import Const
from runtime.ops import core
from runtime.ops.core.expression import evaluate
from runtime.passes.decompose import decompose


def run(graph, arrays):
    """The outputs of a graph of core ops."""
    values = dict(zip(graph.inputs, arrays, strict=True))
    for node in graph.nodes:
        results = results_of(node.op, [values[value] for value in node.inputs])
        values.update(
            zip(node.outputs, results if isinstance(results, (tuple, list)) else [results], strict=True)
        )
    return [values[value] for value in graph.outputs]


def results_of(op, operands):
    match op:
        case Const(value):
            return value
        case core.Map():
            return np.asarray(evaluate(op.expression, operands))
        case core.Reduce(axis, keepdims, combine, dtype, initial):
            start = {} if initial is None else {"initial": initial}
            fold = getattr(np, combine).reduce
            return fold(operands[0], axis=axis, dtype=dtype.numpy, keepdims=keepdims, **start)
        case core.Scan(combine, axis):
            return getattr(np, combine).accumulate(operands[0], axis=axis)
        case core.Length(axis):
            return np.int64(np.shape(operands[0])[axis])
        case core.AffineMap(_, index, False):  # an element at a time, as the text says it
            x, *scalars = operands
            names = {f"s{place}": int(scalar) for place, scalar in enumerate(scalars)}
            result = np.empty([eval(str(length), names) for length in op.shape], x.dtype)
            for place in np.ndindex(result.shape):
                here = names | {f"i{axis}": number for axis, number in enumerate(place)}
                result[place] = x[tuple([eval(str(each), here) for each in index])]
            return result
        case _ if op.graphs:
            return op.run(run, *operands)
        case _:  # the rest are as they say themselves
            return op.kernel(*operands)


def normalise(x):
    x = x[::-1] - rt.mean(x, axis=0)
    return rt.softmax(x.T) + rt.cumulative_sum(x, axis=0).T


def halve(x):
    return rt.while_loop(lambda x: rt.sum(x) > 1.0, lambda x: (rt.where(x > 0.5, x / 2, x),), (x,))[0]


@pytest.mark.parametrize("program", [normalise, halve])
def test_a_small_executor_gives_the_bits_of_the_reference(program):
    x = np.linspace(-1.0, 2.0, 12).reshape(4, 3)
    staged = PolymorphicFunction(program, input_signature=[rt.TensorSpec((None, 3), rt.float64)])
    graph = staged.get_concrete_function().graph
    (found,), (expected,) = run(decompose(graph), [x]), Reference().compile(Module(graph)).run([x])
    np.testing.assert_array_equal(found, expected, strict=True)
