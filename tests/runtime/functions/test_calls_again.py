"""A second call with arguments like the first takes a short way: it must give what the long one gives."""

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.analysis.aliasing import held_inputs
from runtime.core.structure import flatten
from runtime.functions.polymorphic import PolymorphicFunction


def same(x):
    return x


def difference(x, y):
    return x - y


def twice(function, *args, **kwargs):
    first = function(*args, **kwargs)
    second = function(*args, **kwargs)
    np.testing.assert_array_equal(first.numpy(), second.numpy(), strict=True)
    return second


def lines(x, name):
    total = x
    for factor in range(12):
        total = total * 2.0 + factor
    print(end="")
    return {"name": name, "total": total}


def plain_lines(x, name):
    total = x
    for factor in range(12):
        total = total * 2.0 + factor
    return {"name": name, "total": total}


@pytest.mark.parametrize("function", [lines, plain_lines])
def test_calls_of_any_program_are_told_by_what_is_written_for_their_arguments(function):
    staged = ag.function(function)
    for number in range(230):
        for name in ("a", "b"):
            found = staged(np.float64(number), name)
            wanted = function(np.float64(number), name)
            assert (found["name"], float(found["total"])) == (name, wanted["total"])
    assert staged.experimental_get_tracing_count() == 2
    assert float(staged(np.float32(3), "a")["total"]) == function(np.float32(3), "a")["total"]


def test_a_graph_that_has_become_machine_code_is_called_in_c():
    pytest.importorskip("llvmlite")
    staged = ag.function(plain_lines)
    for number in range(230):
        staged(np.float64(number), "a")
    assert staged.concrete_functions[0].report().executor == "native"
    assert type(staged._front) is type(len)


HELD = {"calls": 0, "last": 0.0}


def changing(x):
    HELD["calls"] += 1
    HELD["last"] = x
    if x > 5:
        raise ValueError(f"{HELD['calls']} calls")
    return HELD["calls"] * x


def test_what_is_outside_comes_in_and_goes_out_with_each_quick_call():
    staged = ag.function(changing)
    before = HELD["calls"]
    for number in range(1, 6):
        assert float(staged(np.float64(number))) == (before + number) * number
    assert (HELD["calls"], type(HELD["calls"])) == (before + 5, int)
    with pytest.raises(ValueError, match=f"{before + 6} calls"):
        staged(np.float64(6))
    assert (HELD["calls"], float(HELD["last"])) == (before + 6, 6.0)
    HELD["calls"] = 100
    assert float(staged(np.float64(2))) == 202.0
    HELD["calls"] = 1.5
    assert float(staged(np.float64(2))) == 5.0
    assert float(HELD["last"]) == 2.0


def test_a_result_does_not_lie_in_the_array_that_was_given():
    function = PolymorphicFunction(same)
    array = np.ones(3)
    result = twice(function, array)
    array[0] = 5.0
    assert result.tolist() == [1.0, 1.0, 1.0]


@pytest.mark.parametrize(
    "function",
    [
        lambda x: x,
        lambda x: rt.reshape(x, (3, 2)),
        lambda x: rt.permute_dims(x, (1, 0)),
        lambda x: x[0],
        lambda x: x + 0.0,
        lambda x: (x * 2, [x, x[1:]]),
        lambda x: rt.cond(x[0, 0] > 0, lambda: x, lambda: x * 2),
        lambda x: rt.while_loop(lambda i, y: i < 1, lambda i, y: (i + 1, y), (rt.asarray(0), x)),
        lambda x: rt.broadcast_to(x, (4, 2, 3)),
        lambda x: rt.squeeze(rt.expand_dims(x, axis=0), axis=0),
    ],
)
def test_nothing_that_is_returned_lies_in_the_array_that_was_given(function):
    staged = PolymorphicFunction(function)
    array = np.arange(1.0, 7.0).reshape(2, 3)
    for _ in range(2):
        leaves = flatten(staged(array))[0]
        before = [leaf.tolist() for leaf in leaves]
        array += 10
        assert [leaf.tolist() for leaf in leaves] == before
        array -= 10


def test_a_variable_does_not_keep_the_array_that_was_given():
    variable = rt.Variable(np.zeros(3))

    @PolymorphicFunction
    def keep(x):
        variable.assign(x)
        return x + 1

    array = np.ones(3)
    for _ in range(2):
        keep(array)
        array += 1
    assert variable.numpy().tolist() == [2.0, 2.0, 2.0]


def test_an_array_of_which_nothing_is_kept_is_not_copied():
    for function, held in ((lambda x, y: x + y, []), (lambda x, y: (x * y, rt.reshape(y, (-1,))), [1])):
        concrete = PolymorphicFunction(function).get_concrete_function(*[rt.TensorSpec((2, 2))] * 2)
        assert [*held_inputs(concrete.optimised_graph)] == held


@pytest.mark.parametrize("array", [np.arange(3, dtype=">f4"), np.arange(3.0)[::-1], np.ones((2, 3)).T])
def test_arrays_in_foreign_layouts_are_what_they_were(array):
    function = PolymorphicFunction(same)
    twice(function, array.astype("=f4") if array.dtype.kind == "f" else array)
    assert twice(function, array).tolist() == array.tolist()


@pytest.mark.parametrize("number", [np.float32(1.5), np.int8(3), np.bool_(True), np.complex64(1j)])
def test_scalars_of_numpy_are_tensors(number):
    function = PolymorphicFunction(same)
    assert twice(function, number).dtype == number.dtype
    assert function.experimental_get_tracing_count() == 1


def test_arrays_and_tensors_of_one_signature_share_a_graph():
    function = PolymorphicFunction(same)
    array = np.ones(3, np.float32)
    twice(function, array)
    twice(function, rt.asarray(array))
    assert function.experimental_get_tracing_count() == 1


def test_keywords_mean_their_parameters_in_any_order():
    function = PolymorphicFunction(difference)
    x, y = np.asarray(5.0), np.asarray(3.0)
    for _ in range(3):
        assert function(x=x, y=y).item() == 2.0
        assert function(y=y, x=x).item() == 2.0
        assert function(x, y=y).item() == 2.0
        assert function(y, y=x).item() == -2.0


def test_numbers_that_are_equal_stay_apart():
    function = PolymorphicFunction(lambda x, n: x * n)
    x = np.ones(2, np.int32)
    assert [twice(function, x, n).dtype for n in (1, True, 1.0)] == [rt.int32, rt.int32, rt.float64]
    assert function.experimental_get_tracing_count() == 3


def test_a_call_may_have_very_many_arguments():
    function = PolymorphicFunction(lambda *each: each[-1] + len(each))
    x = np.asarray(1.0)
    assert twice(function, *[x] * 5_000).item() == 5_001.0
