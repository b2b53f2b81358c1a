"""Which loops LLVM makes vectors of."""

import numpy as np
import pytest

import autograph as ag


def looked_up(places, table, out):
    for i in range(len(places)):
        out[i] = table[places[i] & 63]
    return out


def in_order(places, table, out):
    for i in range(len(places)):
        out[i] = places[i] & 63
    return out


def made(function, dtype):
    """The code of a function of which elements are of a dtype, and what it gives."""
    places = (np.arange(5_000) % 256).astype(np.uint8)
    table, out = np.arange(64).astype(dtype)[::-1].copy(), np.zeros(5_000, dtype)
    traced = ag.function(function, jit_compile=True)
    found = np.asarray(traced(places, table, out))
    np.testing.assert_array_equal(found, function(places, table, out.copy()))
    return traced.concrete_functions[0].program.llvm_ir()


@pytest.mark.parametrize("dtype", ["uint8", "int16"])
def test_small_elements_that_others_point_at_are_read_one_by_one(dtype):
    assert "vector.body" not in made(looked_up, dtype)
    assert "vector.body" in made(in_order, dtype)
