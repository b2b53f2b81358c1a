"""Long straight loops that are written as vectors."""

from __future__ import annotations

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.core.dtypes import float64, int64
from runtime.executors.native.beyond import Beyond
from runtime.executors.native.language.loops import Apply, Array, For, Load, Store, Variable, add
from runtime.executors.native.llvm import emit_wide
from runtime.executors.native.llvm.emit import emit
from runtime.executors.native.whole import lowered

lengths = pytest.mark.parametrize("length", [1, 63, 64, 200])


@pytest.fixture(autouse=True)
def short_ones_too(monkeypatch):
    monkeypatch.setattr(emit_wide, "_MANY", 2)


def is_wide(concrete):
    return "groups." in emit(lowered(concrete.optimised_module, Beyond.PYTHON))


def check(program, *arrays):
    """A program with lengths that are known, and with one that is not."""
    expected = program(*arrays)
    known = ag.function(program, jit_compile=True)
    unknown = known.get_concrete_function(*[rt.TensorSpec((None,), each.dtype) for each in arrays])
    for found in (known(*arrays), unknown(*arrays)):
        assert found.numpy().dtype == expected.dtype
        np.testing.assert_array_equal(found.numpy(), expected)
    assert is_wide(unknown)


@lengths
@pytest.mark.parametrize("dtype", ["float32", "float64", "int64", "int16", "uint8"])
def test_a_chain_of_operations_has_numpys_bits(length, dtype):
    def chain(x):
        y = x
        for step in range(1, 30):
            y = y * x - (x - y.dtype.type(step))
        return y

    x = np.arange(length)
    check(chain, (x / length if dtype.startswith("float") else x).astype(dtype))


@lengths
def test_several_dtypes_share_a_loop(length):
    def mixed(x, n):
        small = (n * 3 + 1).astype(np.int8)
        return np.where((x > 0.5) & (small > 4), x * small + 1, np.float32(2) - x)

    check(mixed, np.linspace(0, 1, length).astype(np.float32), np.arange(length))


@lengths
def test_truths_are_stored_as_bytes(length):
    def truths(x, y):
        return ((x > y) | (x + y < 0.2)) ^ (x * y > 0.1)

    check(truths, np.linspace(0, 1, length), np.linspace(1, 0, length))


@lengths
def test_slices_that_begin_elsewhere(length):
    def differences(x):
        return (x[2:] - 2 * x[1:-1] + x[:-2]) * x[1:-1] + 1

    check(differences, np.arange(length + 2) ** 2 / 7)


@lengths
def test_rows_of_a_table(length):
    def program(x, y):
        return (x * 2 + y) * x - y + 1

    known = ag.function(program, jit_compile=True)
    x, y = np.arange(3.0 * length).reshape(3, length), np.arange(float(length))
    np.testing.assert_array_equal(known(x, y).numpy(), program(x, y))
    unknown = known.get_concrete_function(
        rt.TensorSpec((None, None), rt.float64), rt.TensorSpec((None,), rt.float64)
    )
    np.testing.assert_array_equal(unknown(x, y).numpy(), program(x, y))


@lengths
def test_functions_of_our_own_are_the_same_in_wide_vectors(length, monkeypatch):
    def program(x):
        return (
            np.tanh(x * 0.5 + 0.3) * np.exp(-x * x) + np.log1p(x * x) + np.arctan2(x, x + 1) ** 1.5 + x**3.0
        )

    x = np.linspace(0, 20, length)
    for dtype in (np.float32, np.float64):
        found = ag.function(program, jit_compile=True)(x.astype(dtype)).numpy()
        with monkeypatch.context() as short:
            short.setattr(emit_wide, "_MANY", 1 << 30)
            expected = ag.function(program, jit_compile=True)(x.astype(dtype)).numpy()
        np.testing.assert_array_equal(found, expected)


@lengths
def test_an_argument_that_is_too_large_is_the_c_librarys(length):
    def program(x):
        return np.sin(x * 2 + 1) + x

    f = ag.function(program, jit_compile=True)
    x = np.arange(float(length))
    x[length // 2] = 1e300
    np.testing.assert_allclose(f(x).numpy(), program(x), rtol=1e-15)
    assert is_wide(f.concrete_functions[0])


@lengths
def test_what_a_loop_also_reads_is_not_written_in_groups(length):
    def program(x):
        for _ in range(3):
            x[1:] = x[:-1] * 2 + x[1:] * 3 - 1
        return x

    x = np.arange(length + 1.0)
    expected = program(x.copy())
    np.testing.assert_array_equal(ag.function(program, jit_compile=True)(x.copy()).numpy(), expected)


def test_what_a_turn_writes_beside_what_the_next_writes_is_in_order():
    i, x, y = Variable("i", int64), Array("x", float64), Array("y", float64)
    value = Apply("add", (Apply("multiply", (Load(x, i), Load(x, i)), float64), Load(x, i)), float64)
    here, beside = Store(y, i, value), Store(y, add(i, 1), value)
    count = Variable("n", int64)
    assert emit_wide.width_of(For(i, count, [here]), {"y"}, ()) == 16
    assert emit_wide.width_of(For(i, count, [here, here]), {"y"}, ()) == 16
    assert emit_wide.width_of(For(i, count, [here, beside]), {"y"}, ()) == 0
    assert emit_wide.width_of(For(i, count, [here]), set(), ()) == 0
