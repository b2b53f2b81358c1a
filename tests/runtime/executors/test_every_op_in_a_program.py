"""Every op of the registry, all its samples in one graph: programs give the bits of the kernel."""

import numpy as np
import pytest

import runtime as rt
from runtime import ArraySpec
from runtime.core.dims import UNKNOWN
from runtime.executors.base import choose
from runtime.executors.numpy_plan.standalone import to_python
from runtime.graph.builder import Builder
from runtime.graph.module import Module
from runtime.graph.op import REGISTRY
from runtime.ops.families import Family
from tests.runtime.executors.test_plans_agree import assert_same_bits

OPS = [op for op in REGISTRY.values() if issubclass(op, Family) and "stream" not in op.fields]


@pytest.mark.parametrize("known", [True, False], ids=["known", "unknown"])
@pytest.mark.parametrize("kind", OPS, ids=lambda op: op.__name__)
def test_a_program_gives_what_the_kernel_gives(kind, known):
    builder = Builder("program")
    outputs, arrays, wanted = [], [], []
    with np.errstate(all="ignore"):
        for sample in kind.samples:
            if sample.raises is not None:
                continue
            op = kind(**sample.attributes)
            inputs = [builder.input(spec_of(array, known)) for array in sample.arrays]
            outputs += builder.add(op, inputs).outputs
            arrays += sample.arrays
            results = op.kernel(*sample.arrays)
            wanted += results if isinstance(results, tuple) else (results,)
        graph = builder.finish(outputs)
        assert_same_bits(choose("numpy").compile(Module(graph)).run(arrays), wanted)
        namespace = {}
        exec(to_python(Module(graph)), namespace)
        results = namespace["program"](*arrays)
    assert_same_bits(results if len(wanted) > 1 else [results], wanted)


def spec_of(array, known):
    return ArraySpec(array.shape if known else (UNKNOWN,) * array.ndim, rt.as_dtype(array.dtype))
