"""Loops with sums inside that are written as vectors of the turns outside: products of matrices, mostly."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.core.dtypes import float64, int64
from runtime.executors.native.beyond import Beyond
from runtime.executors.native.language.loops import (
    Apply,
    Array,
    Fold,
    For,
    Load,
    Number,
    Set,
    Store,
    Variable,
    add,
    multiply,
)
from runtime.executors.native.language.walking import inside, numbers_in
from runtime.executors.native.llvm.emit import emit
from runtime.executors.native.llvm.emit_nests import nest_of
from runtime.executors.native.whole import lowered


def is_nest(concrete):
    return "groups." in emit(lowered(concrete.optimised_module, Beyond.PYTHON))


def elements(shape, dtype):
    x = np.random.default_rng(sum(shape)).integers(-9, 9, shape)
    return x.astype(dtype)


@pytest.mark.parametrize("dtype", ["int8", "int32", "int64", "uint16", "float32", "float64"])
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ((3, 5), (5, 10)),
        ((7, 4), (4, 33)),
        ((9, 20), (20, 16)),
        ((6,), (6, 40)),
        ((5, 70), (70, 1)),
        ((1, 9), (9, 65)),
    ],
)
def test_a_product_of_whole_numbers_is_numpys(one, other, dtype):
    x, y = elements(one, dtype), elements(other, dtype)
    found = ag.function(lambda x, y: x @ y, jit_compile=True)(x, y).numpy()
    assert found.dtype == x.dtype
    np.testing.assert_array_equal(found, x @ y)


@pytest.mark.parametrize("dtype", ["int32", "float32", "float64"])
def test_matrices_that_are_transposed_and_cut(dtype):
    x, y, v = elements((24, 20), dtype), elements((24, 18), dtype), elements((24,), dtype)

    def program(x, y, v):
        return x.T @ y, x.T @ v, v @ x, y.T @ x, x @ x.T, x[::2, 2:] @ y.T[:18, 3:20], x[:, ::2] @ v[:10]

    found = ag.function(program, jit_compile=True)(x, y, v)
    for one, other in zip(found, program(x, y, v), strict=True):
        np.testing.assert_array_equal(one.numpy(), other)


def test_batches_of_matrices():
    x, y = elements((3, 5, 6), "int64"), elements((6, 17), "int64")
    found = ag.function(lambda x, y: (x @ y, np.einsum("bij,bkj->bik", x, x)), jit_compile=True)(x, y)
    np.testing.assert_array_equal(found[0].numpy(), x @ y)
    np.testing.assert_array_equal(found[1].numpy(), np.einsum("bij,bkj->bik", x, x))


def test_a_step_of_a_network_is_one_nest():
    def step(x, h, own, other, b):
        return np.tanh(x @ own + h @ other + b)

    rng = np.random.default_rng(0)
    given = [rng.normal(size=shape) for shape in [(8,), (32,), (8, 32), (32, 32), (32,)]]
    f = ag.function(step, jit_compile=True)
    np.testing.assert_allclose(f(*given).numpy(), step(*given), rtol=1e-12)
    assert is_nest(f.concrete_functions[0])


def test_an_angle_that_is_too_large_is_the_c_librarys():
    def program(x, y):
        return np.sin(x @ y)

    x, y = np.ones((2, 8)), np.full((8, 24), 0.5)
    y[:, 20] = 1e300
    f = ag.function(program, jit_compile=True)
    np.testing.assert_allclose(f(x, y).numpy(), program(x, y), rtol=1e-12)


def test_whole_numbers_are_multiplied_in_loops_without_being_asked():
    def program(x, n):
        y = x
        for _ in range(n):
            y = y @ x % 1009
        return y

    x = elements((12, 12), "int64")
    f = ag.function(program)
    np.testing.assert_array_equal(f(x, rt.asarray(5)).numpy(), program(x, 5))
    assert set(f.concrete_functions[0].report().counts) == {"machine code"}


# ── which loops are nests ──


def sums(*stores, read=None, count=32):
    """`for j in range(count)`: sums of `x[k] * y[k, j]`, which are stored."""
    j, k, total = Variable("j", int64), Variable("k", int64), Variable("sum", float64)
    product = Apply(
        "multiply",
        (Load(Array("x", float64), k), Load(Array("y", float64), read or add(multiply(k, count), j))),
        float64,
    )
    inner = For(k, Number(9, int64), [Fold(total, "add", product)])
    body = [Set(total, Number(0.0, float64)), inner]
    body += [Store(Array("z", float64), add(j, place), total) for place in stores]
    return For(j, Number(count, int64), body)


def is_nested(loop, fresh=("z",), behind=()):
    reads = Counter([name for each in inside([loop]) for name in numbers_in(each)])
    reads.update(behind)
    return nest_of(loop, set(fresh), reads) is not None


def test_sums_of_elements_that_lie_together_are_a_nest():
    assert is_nested(sums(0))
    assert is_nested(sums(0, 32))  # stored twice, in places that no other turn has


def test_elements_that_lie_apart_are_no_nest():
    j, k = Variable("j", int64), Variable("k", int64)
    assert not is_nested(sums(0, read=add(multiply(j, 9), k)))


def test_what_other_turns_store_as_well_is_in_order():
    assert not is_nested(sums(0, 1))


def test_memory_that_may_have_other_names_is_no_nests():
    assert not is_nested(sums(0), fresh=())


def test_numbers_that_are_asked_for_behind_the_loop_are_no_nests():
    assert not is_nested(sums(0), behind=["sum"])
    assert not is_nested(sums(0), behind=["k"])


def test_a_few_turns_are_no_nest():
    assert not is_nested(sums(0, count=3))
