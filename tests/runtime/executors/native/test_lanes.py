"""Which loops LLVM makes vectors of."""

import numpy as np
import pytest

import autograph as ag
from runtime.executors.native.language.loops import For
from runtime.executors.native.language.walking import inside
from runtime.executors.native.llvm.code import Vectors
from runtime.executors.native.llvm.emit import emitted
from runtime.executors.native.llvm.lanes import counts_at_branches, waits_at_branches
from runtime.executors.native.whole import lowered


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


def concordant(x, y):
    alike = unlike = 0
    for i in range(len(x)):
        sign = x[i] * y[i]
        if sign > 0:
            alike += 1
        elif sign < 0:
            unlike += 1
    return alike, unlike


def inside_of_steps(x, y):
    inside = False
    for i in range(len(x)):
        if (x[i] > 0.5) != (y[i] > 0.5) and x[i] / y[i] < 2.0:
            inside = not inside
    return inside


@pytest.mark.parametrize(("function", "expected"), [(concordant, True), (inside_of_steps, False)])
def test_turns_that_branch_and_count_are_two_vectors_at_a_time(function, expected):
    x, y = np.random.default_rng(0).normal(size=(2, 3_000))
    traced = ag.function(function)
    np.testing.assert_array_equal(traced(x, y), function(x, y))
    (concrete,) = traced.concrete_functions
    program = lowered(concrete.optimised_module)
    (loop,) = [each for one in program.functions for each in inside(one.body) if isinstance(each, For)]
    assert waits_at_branches(loop)
    assert counts_at_branches(loop) == expected
    assert not expected or concrete.program.llvm_ir().count("%vec.phi") >= 4


def extremes(x):
    low = high = x[0]
    above = 0
    for i in range(len(x)):
        if x[i] < low:
            low = x[i]
        if x[i] > high:
            high = x[i]
        if x[i] > 0:
            above += 1
    return low, high, above


def test_to_take_the_least_of_two_numbers_or_to_count_is_no_branch():
    program = lowered(ag.function(extremes).get_concrete_function(np.zeros(300)).optimised_module)
    (loop,) = [each for one in program.functions for each in inside(one.body) if isinstance(each, For)]
    assert not waits_at_branches(loop)


def moved_to_the_end(x):
    swapped = 0
    for j in range(len(x) - 1):
        if x[j] > x[j + 1]:
            x[j], x[j + 1] = x[j + 1], x[j]
            swapped = j
    return swapped


@pytest.mark.parametrize(("foresees", "told"), [(True, 8), (False, 6)])
def test_a_turn_that_branches_is_written_several_times_where_copies_are_foreseen(foresees, told):
    module = ag.function(moved_to_the_end).get_concrete_function(np.zeros(300)).optimised_module
    text = "\n".join(emitted(lowered(module), vectors=Vectors(foresee=foresees)))
    assert f"!llvm.loop !{told}\n" in text


def test_copies_of_a_turn_do_what_the_turns_do():
    traced, rng = ag.function(moved_to_the_end), np.random.default_rng(3)
    for n in (66, 67, 69, 300):
        x = rng.integers(0, 50, n)
        mine, plain = x.copy(), x.copy()
        assert int(traced(mine)) == moved_to_the_end(plain)
        np.testing.assert_array_equal(mine, plain)
