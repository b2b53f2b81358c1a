"""Kernels are listed with the user's lines, their lengths, and what they read and write."""

import numpy as np

import autograph as ag
import runtime as rt


def table(x, weights):
    products = x[:, None] * weights
    total = 0.0
    while total < 10.0:
        total = total + np.sum(np.abs(x) + total)
    return products, total, x + x[::-1]


def test_kernels_have_lines_lengths_and_bytes():
    specs = rt.TensorSpec((None,), "float32"), rt.TensorSpec((4,), "float32")
    concrete = ag.function(table, jit_compile=True).get_concrete_function(*specs)
    kernels = concrete.program.kernels()
    (product,) = [kernel for kernel in kernels if kernel.turns[-1] == 4]
    assert product.location.source == "products = x[:, None] * weights"
    assert "x.0" in product.turns[0]
    assert (product.reads, product.writes, product.is_repeated) == (8, 4, False)
    assert str(product).startswith("test_kernels.py:")
    assert " × 4 " in str(product)
    (total,) = [kernel for kernel in kernels if kernel.is_repeated]
    assert total.location.source == "total = total + np.sum(np.abs(x) + total)"
    assert (total.reads, total.writes) == (4, 0)
    assert [kernel.location.source for kernel in kernels][-1] == "return products, total, x + x[::-1]"


def test_a_program_without_arrays_has_no_kernels():
    concrete = ag.function(lambda n: n * 2, jit_compile=True).get_concrete_function(
        rt.TensorSpec((), "int64")
    )
    assert concrete.program.kernels() == ()


def escapes(x, n):
    z, turns = x * 0.0, np.zeros(x.shape, np.int64)
    for _ in range(n):
        alive = np.abs(z) <= 2.0
        z = np.where(alive, z * z + x, z)
        turns = turns + alive
    return turns


def test_a_loop_that_is_turned_inside_out_is_one_kernel():
    specs = rt.TensorSpec((64,), "float64"), rt.TensorSpec((), "int64")
    kernels = ag.function(escapes, jit_compile=True).get_concrete_function(*specs).program.kernels()
    (loop,) = [each for each in kernels if not each.location.source.startswith("z, turns")]
    assert (loop.turns, loop.writes, loop.is_repeated) == ((64,), 8, False)
