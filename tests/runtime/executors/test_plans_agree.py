"""Whatever the graph, the NumPy plan and its standalone program give the bits that the reference gives."""

import numpy as np
from hypothesis import HealthCheck, given, settings

from runtime.executors.base import choose
from runtime.executors.numpy_plan.standalone import to_python
from runtime.graph.module import Module
from tests.runtime.executors.random_graphs import cases


@settings(
    max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)
@given(cases())
def test_plans_give_what_the_reference_gives(case):
    copies = [array.copy() for array in case.arrays]
    with np.errstate(all="ignore"):
        wanted = choose("reference").compile(Module(case.graph)).run(case.arrays)
        assert_same_bits(choose("numpy").compile(Module(case.graph)).run(case.arrays), wanted)
        namespace = {}
        exec(to_python(Module(case.graph)), namespace)
        results = namespace["random"](*case.arrays)
    assert_same_bits(results if isinstance(results, tuple) else [results], wanted)
    for array, copy in zip(case.arrays, copies, strict=True):
        np.testing.assert_array_equal(array, copy)


def assert_same_bits(results, wanted):
    assert len(results) == len(wanted)
    for result, other in zip(results, wanted, strict=True):
        one, two = np.asarray(result), np.asarray(other)
        assert (one.dtype, one.shape) == (two.dtype, two.shape)
        np.testing.assert_array_equal(one, two)
