"""Every op on its samples: optimised, with operands that are known and that are not, it gives the same."""

import numpy as np
import pytest

from runtime.core.dims import UNKNOWN
from runtime.core.dtypes import as_dtype
from runtime.core.spec import ArraySpec
from runtime.graph.builder import Builder
from runtime.graph.module import Module
from runtime.graph.op import REGISTRY
from runtime.ops.families import Family
from runtime.passes.pipeline import optimise
from tests.runtime.passes.equivalence import outcome

PURE = [kind for kind in REGISTRY.values() if issubclass(kind, Family)]


def graph_of(op, arrays, known):
    """The op on these arrays: those at `known` as constants, the others as inputs with a dim unknown."""
    builder = Builder("sample")
    operands = []
    for index, array in enumerate(arrays):
        shape = (UNKNOWN, *array.shape[1:]) if array.ndim else ()
        is_known = index in known
        operands.append(
            builder.constant(array)
            if is_known
            else builder.input(ArraySpec(shape, as_dtype(array.dtype)), "x")
        )
    graph = builder.finish(list(builder.add(op, operands).outputs))
    return graph, [array for index, array in enumerate(arrays) if index not in known]


@pytest.mark.parametrize("kind", PURE)
def test_an_op_is_optimised_to_the_same(kind):
    for sample in kind.samples:
        op = kind(**sample.attributes)
        arrays = [np.asarray(array) for array in sample.arrays]
        if op.effects:
            continue
        for known in (range(len(arrays)), (), range(1, len(arrays))):
            graph, inputs = graph_of(op, arrays, known)
            assert outcome(optimise(Module(graph)).entry, inputs) == outcome(graph, inputs)
