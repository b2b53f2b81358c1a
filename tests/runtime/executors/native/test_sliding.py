"""One vector slides along another in machine code: with NumPy's bits of integers, and its sums of floats."""

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.executors.native.interpreter import Interpreted
from runtime.executors.native.whole import lowered

LENGTHS = [(1, 1), (4, 1), (1, 4), (5, 5), (9, 4), (41, 8), (8, 41)]


@pytest.mark.parametrize("mode", ["full", "same", "valid"])
@pytest.mark.parametrize("lengths", LENGTHS, ids=str)
def test_vectors_that_slide_have_numpys_sums(mode, lengths):
    rng = np.random.default_rng(sum(lengths))
    x, y = (rng.integers(-9, 9, length) for length in lengths)

    def slid(x, y, mode=mode):
        return np.convolve(x, y, mode=mode), np.correlate(x, y, mode=mode)

    wanted = slid(x, y)
    for dtype in (np.int64, np.int8, np.float32, np.float64):  # whole numbers, of which any order has one sum
        concrete = ag.function(slid, jit_compile=True).get_concrete_function(
            *map(rt.asarray, (x.astype(dtype), y))
        )
        for one, each in zip(concrete(x.astype(dtype), y), wanted, strict=True):
            np.testing.assert_array_equal(one, each)
    by_default = ag.function(slid)(rt.asarray(x), rt.asarray(y))
    for one, each in zip(by_default, wanted, strict=True):
        assert np.asarray(one).tobytes() == each.tobytes()


def test_ends_add_up_what_there_is_and_nothing_else():
    x = np.array([np.inf, 1.0, 2.0, 3.0, np.nan, 4.0])
    y = np.array([1.0, np.inf, 0.5])

    def slid(x, y):
        return np.convolve(x, y), np.correlate(x, y, mode="same")

    concrete = ag.function(slid, jit_compile=True).get_concrete_function(rt.asarray(x), rt.asarray(y))
    assert {step.runs for step in concrete.report().steps} == {"machine code"}
    interpreted = Interpreted(lowered(concrete.optimised_module), concrete.optimised_module.entry)
    for found in (concrete(x, y), interpreted.run([x, y])):
        for one, each in zip(found, slid(x, y), strict=True):
            np.testing.assert_array_equal(one, each)


def test_floats_have_numpys_bits_where_nobody_asks_for_machine_code():
    x, y = np.random.default_rng(1).normal(size=300), np.random.default_rng(2).normal(size=17)
    convolved = ag.function(lambda x, y: np.convolve(x, y))
    for _ in range(5):
        assert np.asarray(convolved(rt.asarray(x), rt.asarray(y))).tobytes() == np.convolve(x, y).tobytes()


def test_integers_have_machine_code_by_default():
    spec = rt.TensorSpec((20,), "int32")

    @ag.function
    def smoothed(x, turns):
        while turns > 0:
            x = np.convolve(x, x[:3], mode="same")
            turns -= 1
        return x

    report = smoothed.get_concrete_function(spec, rt.TensorSpec((), "int64")).report()
    assert {step.runs for step in report.steps} == {"machine code"}
    x, wanted = np.arange(20, dtype=np.int32), np.arange(20, dtype=np.int32)
    for _ in range(40):
        wanted = np.convolve(wanted, wanted[:3], mode="same")
    assert np.asarray(smoothed(rt.asarray(x), rt.asarray(40))).tobytes() == wanted.tobytes()
