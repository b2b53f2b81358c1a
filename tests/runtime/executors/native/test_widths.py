"""How wide LLVM's vectors are in a function."""

import numpy as np
import pytest

import autograph as ag
from runtime.core.dtypes import int64
from runtime.executors.native.language.loops import Block, For, Function, Number, Variable
from runtime.executors.native.llvm.widths import width_of


def centred(x):
    out = np.empty_like(x)
    for i in range(x.shape[0]):
        total = 0.0
        for j in range(x.shape[1]):
            total += x[i, j]
        total /= x.shape[1]
        for j in range(x.shape[1]):
            out[i, j] = x[i, j] - total
    return out


def halved(x):
    out = np.empty_like(x)
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            out[i, j] = 0.5 * x[i, j]
    return out


def of_exponentials(x):
    out = np.empty_like(x)
    for i in range(x.shape[0]):
        total = 0.0
        for j in range(x.shape[1]):
            out[i, j] = np.exp(x[i, j])
            total += out[i, j]
        for j in range(x.shape[1]):
            out[i, j] /= total
    return out


@pytest.mark.parametrize("options", [{}, {"jit_compile": True}], ids=["default", "jit_compile"])
@pytest.mark.parametrize(("function", "bits"), [(centred, 256), (halved, 512)])
def test_vectors_leave_room_for_sums_in_an_order(function, bits, options):
    x = np.random.default_rng(0).normal(size=(40, 64))
    traced = ag.function(function, **options)
    assert np.asarray(traced(x)).tobytes() == function(x).tobytes()
    text = traced.concrete_functions[0].program.llvm_ir()
    assert f'"prefer-vector-width"="{bits}"' in text
    assert f'"prefer-vector-width"="{768 - bits}"' not in text


def test_what_numpys_loops_read_as_the_widest_vectors_is_written_as_such():
    x = np.random.default_rng(0).normal(size=(40, 64))
    traced = ag.function(of_exponentials)
    assert np.asarray(traced(x)).tobytes() == of_exponentials(x).tobytes()
    assert '"prefer-vector-width"="256"' not in traced.concrete_functions[0].program.llvm_ir()


def test_loops_are_not_compared_by_all_that_is_in_them(monkeypatch):
    def refused(_one, _other):
        pytest.fail("to compare loops takes the square of their number")

    inner = [For(Variable(f"i{number}", int64), Number(2, int64), Block()) for number in range(3)]
    around = [
        For(Variable(f"j{number}", int64), Number(2, int64), Block([each]))
        for number, each in enumerate(inner)
    ]
    monkeypatch.setattr(For, "__eq__", refused)
    assert '"512"' in width_of(Function("nests", [], Block(around), []))
