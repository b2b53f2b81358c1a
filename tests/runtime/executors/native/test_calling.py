"""A call of machine code takes arrays of any form, and gives new ones."""

import sys
import warnings

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.executors.native.calls import calling

pytestmark = pytest.mark.usefixtures("better_code_alone")

F64, I64 = rt.float64, rt.int64


def entry(program, *specs):
    """The entry of a program as machine code."""
    concrete = ag.function(program, jit_compile=True).get_concrete_function(*specs)
    return concrete.program.entry


def several(x, k, flag):
    return x * 2.0, k + 1, x[0], flag


def test_a_call_is_a_function_in_c():
    called = entry(several, rt.TensorSpec((3,), F64), rt.TensorSpec((), I64), rt.TensorSpec((), rt.bool))
    assert type(called) is type(len)


class Marked(np.ndarray):
    """Arrays of a class of one's own."""


@pytest.mark.parametrize("in_c", [True, False])
def test_arrays_of_every_form_are_taken(monkeypatch, in_c):
    if not in_c:
        monkeypatch.setattr(calling, "array_new", lambda: None)
    called = entry(several, rt.TensorSpec((None,), F64), rt.TensorSpec((), I64), rt.TensorSpec((), rt.bool))
    assert (type(called) is type(len)) is in_c
    base = np.arange(6.0)
    swapped = base[:3].astype(">f8")
    unaligned = np.frombuffer(b"\0" + base[:3].tobytes(), np.uint8)[1:].view(np.float64)
    for x in (base[:3], base[::2], base[::-1], swapped, unaligned, base[:3].view(Marked), list(base)):
        for k in (np.asarray(4), np.int64(4), np.array(4, np.longlong)):
            doubled, more, first, flag = called(x, k, np.asarray(True))
            np.testing.assert_array_equal(doubled, np.asarray(x) * 2)
            assert (int(more), float(first), bool(flag)) == (5, float(x[0]), True)
            assert (np.asarray(more).dtype, np.asarray(flag).dtype) == (np.int64, np.bool_)


@pytest.mark.parametrize("given", [np.zeros(2), np.zeros((3, 1)), np.zeros(())])
def test_an_array_of_another_shape_is_refused(given):
    called = entry(lambda x: x[2] + 1.0, rt.TensorSpec((3,), F64))
    with pytest.raises(ValueError, match=r"an array of shape .* is given where the graph takes f64\[3\]"):
        called(given)


def test_calls_leave_no_references_behind():
    called = entry(several, rt.TensorSpec((3,), F64), rt.TensorSpec((), I64), rt.TensorSpec((), rt.bool))
    x, k, flag = np.zeros(3), np.asarray(1), np.asarray(False)
    counts = [sys.getrefcount(each) for each in (x, k, flag)]
    results = [called(x, k, flag) for _ in range(100)]
    assert [sys.getrefcount(each) for each in (x, k, flag)] == counts
    assert len({id(array) for result in results for array in result}) == 400


def test_a_run_that_fails_goes_through_python_and_leaves_no_references_behind():
    called = entry(lambda x, i: x[i] + x, rt.TensorSpec((3,), F64), rt.TensorSpec((), I64))
    x, i = np.zeros(3), np.asarray(7)
    before = sys.getrefcount(x), sys.getrefcount(i)
    for _ in range(20):
        with pytest.raises(IndexError, match="index 7 is out of bounds"):
            called(x, i)
    assert (sys.getrefcount(x), sys.getrefcount(i)) == before


def twice_the_same(x, y):
    doubled = x * 2.0
    return doubled, doubled, y, x + y


def test_results_own_what_a_run_has_made_and_share_nothing():
    called = entry(twice_the_same, rt.TensorSpec((1000,), F64), rt.TensorSpec((1000,), F64))
    x, y = np.arange(1000.0), np.ones(1000)
    one, other, same, total = called(x, y)
    assert one.flags.owndata
    assert total.flags.owndata
    for each in (one, other, same, total):
        each += 1.0
    np.testing.assert_array_equal(x, np.arange(1000.0))
    np.testing.assert_array_equal(y, np.ones(1000))
    np.testing.assert_array_equal(one, x * 2 + 1)
    np.testing.assert_array_equal(other, x * 2 + 1)


def test_results_are_freed_with_their_arrays():
    called = entry(lambda x: x * 2.0, rt.TensorSpec((1_000_000,), F64))
    x = np.zeros(1_000_000)
    for _ in range(1000):  # 8 gigabytes
        called(x)


def beside_a_sum(x, n):
    total = 0.0
    for i in range(n):
        total += 1.0 / x[i]
    return x, total


@pytest.mark.parametrize("options", [{}, {"jit_compile": True}])
def test_results_lie_in_no_argument_however_a_run_ends(options):
    x = np.arange(3.0)
    graph = ag.function(beside_a_sum, **options)
    for n in (0, 3):  # the second run divides by zero
        with np.errstate(divide="warn"), warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            found, _ = graph(x, np.int64(n))
        assert len(caught) == (n > 0 and not options)
        assert not np.shares_memory(found.numpy(), x)
    assert not graph.concrete_functions[0].program.may_hold
