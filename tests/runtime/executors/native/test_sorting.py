"""Elements are put in order by machine code as NumPy does it: stable, and what is no number last."""

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.executors.native.beyond import Beyond
from runtime.executors.native.interpreter import Interpreted
from runtime.executors.native.whole import lowered

SAMPLES = {
    "none": np.zeros(0),
    "one": np.ones(1),
    "a run": np.array([3, 1, 2, 1], np.int8),
    "no numbers and zeros": np.array([0.0, np.nan, -0.0, np.inf, -np.nan, -np.inf, 1.0, 0.0, -0.0]),
    "truths": np.array([True, False, True, True, False] * 5),
    "large": np.array([2**64 - 1, 0, 2**63, 5] * 4, np.uint64),
    "single": np.linspace(1.0, -1.0, 63).astype(np.float32),
    "equal": np.arange(64) % 3,
    "rows": np.arange(60).reshape(3, 20) * 37 % 23,
}


def orders(x):
    return (
        np.sort(x, kind="stable"),
        np.argsort(x, kind="stable"),
        rt.sort(x, axis=0, descending=True),
        rt.argsort(x, axis=0, descending=True),
    )


@pytest.mark.parametrize("name", SAMPLES)
def test_short_rows_are_ordered_bit_for_bit(name):
    x = SAMPLES[name]
    concrete = ag.function(orders, jit_compile=True).get_concrete_function(rt.asarray(x))
    assert {step.runs for step in concrete.report().steps} == {"machine code"}
    interpreted = Interpreted(lowered(concrete.optimised_module), concrete.optimised_module.entry)
    wanted = ag.function(orders, executor="reference")(rt.asarray(x))
    for found in (concrete(rt.asarray(x)), interpreted.run([x])):
        for one, each in zip(found, wanted, strict=True):
            assert np.asarray(one).dtype == np.asarray(each).dtype
            assert np.asarray(one).tobytes() == np.asarray(each).tobytes()


@pytest.mark.parametrize("length", [7, 8, 9, 16, 17, 130])
def test_any_number_of_elements_is_ordered_where_there_is_no_numpy(length):
    spec = rt.TensorSpec((None,), "float64")
    module = ag.function(orders).get_concrete_function(spec).optimised_module
    x = np.random.default_rng(length).integers(0, 20, length) * 0.5
    found = Interpreted(lowered(module, Beyond.NOBODY), module.entry).run([x])
    wanted = ag.function(orders, executor="reference")(rt.asarray(x))
    for one, each in zip(found, wanted, strict=True):
        assert np.asarray(one).tobytes() == np.asarray(each).tobytes()


def ordered_in_turn(x, turns):
    found = []
    for turn in range(turns):
        x = np.sort(x) - turn
        found.append(np.argsort(x * (1 - 2 * turn)))
        x = x[::-1]
    return x, found


@pytest.mark.parametrize(
    "x",
    [
        np.array([3.0, 1.0, 2.0, 9.0, -4.0]),
        np.array([0.0, 1.0, 0.0, 2.0, 0.0, -3.0, 0.0, 5.0]),
        np.array([0.0, -0.0] * 8),
        np.array([2.0, np.nan, 1.0, np.nan]),
        np.arange(40) % 3,
        np.array([], np.float32),
        np.array([7], np.int8),
        np.arange(300.0) % 11,
    ],
    ids=lambda x: f"{x.dtype}-{x.size}",
)
def test_equal_elements_are_in_the_order_in_which_numpy_leaves_them(x):
    graph = ag.function(ordered_in_turn)
    for _ in range(7):
        found, wanted = graph(x, rt.asarray(3)), ordered_in_turn(x, 3)
        for one, other in zip((found[0], *found[1]), (wanted[0], *wanted[1]), strict=True):
            assert np.asarray(one).tobytes() == np.asarray(other).tobytes()


@pytest.mark.parametrize("options", [{}, {"kind": "quicksort"}, {"kind": "heapsort"}, {"kind": "mergesort"}])
@pytest.mark.parametrize("executor", ["reference", "numpy", "native"])
def test_each_kind_of_order_is_numpys(options, executor):
    def orders(x):
        y = x.copy()
        y.sort(**options)
        return y, np.sort(x, **options), np.argsort(x, **options), x.argsort(axis=0, **options)

    for x in (np.arange(50) * 7 % 5, np.arange(50.0) * 7 % 5, np.arange(60.0).reshape(20, 3) * 7 % 4):
        found = ag.function(orders, executor=executor)(rt.asarray(x))
        for one, other in zip(found, orders(x), strict=True):
            assert np.asarray(one).tobytes() == other.tobytes()


@pytest.mark.parametrize("places", [3, [2, 4], np.array([-1, 0])])
def test_what_is_parted_is_in_the_order_in_which_numpy_leaves_it(places):
    def parted(x):
        return np.partition(x, places), np.argpartition(x, places, axis=0), x.argpartition(places)

    for x in (np.arange(50) * 7 % 5, np.arange(60.0).reshape(12, 5)[::-1].T * 7 % 11):
        for one, other in zip(ag.function(parted)(rt.asarray(x)), parted(x), strict=False):
            assert np.asarray(one).tobytes() == np.ascontiguousarray(other).tobytes()


def test_a_loop_that_orders_a_few_elements_is_machine_code_without_being_asked():
    def medians(xs, n):
        total = 0.0
        for i in range(n):
            total += np.sort(xs[i])[1] - np.argsort(xs[i], kind="stable")[0]
        return total

    xs = np.array([[3.0, 1.0, 2.0], [np.nan, -1.0, 5.0], [7.0, 7.0, 7.0]])
    ag.check(medians, xs, np.int64(3))
    concrete = ag.function(medians).get_concrete_function(rt.asarray(xs), rt.asarray(3))
    assert {step.runs for step in concrete.report().steps} == {"machine code"}
