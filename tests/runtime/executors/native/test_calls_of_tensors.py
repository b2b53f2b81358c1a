"""A call with tensors goes to machine code without being sorted out in Python, and else as it always did."""

import gc
import signal
import sys
import threading
import warnings
import weakref

import numpy as np
import pytest

import autograph as ag
import autograph.compat.tf as tf
import runtime as rt
from runtime.core.lists import ListValue

pytestmark = pytest.mark.usefixtures("better_code_alone")


def annuity(rate, years):
    worth = 1.0
    while years > 0:
        worth = worth * (1.0 + rate)
        years -= 1
    return worth


def scaled(x, factor):
    for i in range(len(x)):
        x[i] *= factor
    return x[0]


def item(x, i):
    total = 0.0
    for j in range(len(x)):
        total += x[j]
    return total + x[i]


def quick(function, *arguments):
    """The way in for tensors of the graph for some arguments."""
    return ag.function(function, jit_compile=True).get_concrete_function(*arguments).ways.quicker(arguments)


RATE, YEARS = rt.asarray(0.05), rt.asarray(30)
ROW = rt.asarray([1.0, 2.0, 4.0])


def test_it_takes_tensors_and_gives_one():
    called = quick(annuity, RATE, YEARS)
    result = called(RATE, YEARS)
    assert type(result) is rt.Tensor
    assert float(result) == annuity(0.05, 30)


@pytest.mark.parametrize(
    "arguments",
    [
        (RATE,),
        (RATE, YEARS, YEARS),
        (YEARS, RATE),
        (0.05, 30),
        (rt.asarray([0.05]), YEARS),
        (rt.asarray(0.05, dtype=rt.float32), YEARS),
        (np.asarray(0.05), YEARS),
        (np.float32(0.05), YEARS),
        (np.float64(0.05), np.longlong(30)),
        (np.float64(0.05), np.int32(30)),
        (None, YEARS),
        (object(), YEARS),
        (rt.Tensor.__new__(rt.Tensor), YEARS),
    ],
)
def test_other_arguments_are_left_to_python(arguments):
    assert quick(annuity, RATE, YEARS)(*arguments) is None


def test_arrays_of_numpy_are_taken_and_written_into():
    x, place = np.arange(3.0), rt.asarray(1)
    called = quick(item, ROW, place)
    assert float(called(x, place)) == 4.0
    assert called(x[::-1], place) is None
    assert called(x, np.asarray(1)) is None
    doubled = quick(scaled, ROW, rt.asarray(2.0))
    assert float(doubled(x, rt.asarray(2.0))) == 0.0
    assert x.tolist() == [0.0, 2.0, 4.0]
    assert float(doubled(ROW, rt.asarray(2.0))) == 2.0
    assert ROW.numpy().tolist() == [1.0, 2.0, 4.0]


def test_numbers_of_numpys_are_taken_as_tensors_are():
    called = quick(annuity, RATE, YEARS)
    for rate, years in ((np.float64(0.05), YEARS), (RATE, np.int64(30)), (np.float64(0.05), np.int64(30))):
        assert float(called(rate, years)) == annuity(0.05, 30)
    x = np.arange(3.0)
    assert float(quick(scaled, x, np.float64(2.0))(x, np.float64(2.0))) == 0.0
    assert x.tolist() == [0.0, 2.0, 4.0]


def twice(x):
    for _ in range(2):
        x += x
    return x


@pytest.mark.parametrize("code", "?bBhHiIlLfdFD")
def test_a_number_of_numpys_of_each_kind_is_taken(code):
    number = np.dtype(code).type(3)
    result = quick(twice, number)(number)
    expected = twice(number)
    assert result.numpy() == expected
    assert result.dtype.numpy == expected.dtype


def doubled(x):
    for i in range(len(x)):
        x[i] *= 2.0


def test_none_is_given_for_none():
    staged, x = ag.function(doubled, jit_compile=True), np.ones(3)
    assert [staged(x) for _ in range(4)] == [None] * 4
    assert x.tolist() == [16.0] * 3


def extremes(x):
    least = most = x[0]
    for i in range(len(x)):
        least = x[i] if x[i] < least else least
        most = x[i] if x[i] > most else most
    return least, None, most, "of 3"


def single(x):
    return (x[0] + 1.0,)


def written_and_given(x, y):
    for i in range(len(x)):
        x[i] += 1.0
    return x[0], y * 1.0


@pytest.mark.parametrize("jit_compile", [True, None])
def test_a_tuple_is_given_with_a_tensor_for_each_output(jit_compile):
    staged, x = ag.function(extremes, jit_compile=jit_compile), np.asarray([2.0, 1.0, 4.0])
    for _ in range(3):
        least, nothing, most, text = staged(x)
        assert (float(least), nothing, float(most), text) == (1.0, None, 4.0, "of 3")
        assert type(least) is type(most) is rt.Tensor
    (one,) = quick(single, ROW)(ROW)
    assert float(one) == 2.0
    called, y = quick(written_and_given, x, ROW), ROW._array.copy()
    first, second = called(x, y)
    assert float(first) == 3.0
    assert second.numpy().tolist() == [1.0, 2.0, 4.0]
    assert x.tolist() == [3.0, 2.0, 5.0]


def test_tuples_leave_no_references_behind():
    called, x, text = quick(extremes, ROW), np.ones(3), extremes(ROW)[3]
    gc.collect()  # the tensors of other tests go now, and not while these are counted

    def counts():
        return np.array([sys.getrefcount(each) for each in (x, rt.Tensor, called(x)[3])])

    before = counts()
    results = [called(x) for _ in range(50)]
    assert (counts() - before).tolist() == [0, 100, 50]
    left = weakref.ref(results[7][0])
    del results
    assert left() is None
    assert (counts() - before).tolist() == [0, 0, 0]
    assert called(x)[3] == text


def least_of_few(x):
    least = x[0]
    for i in range(len(x)):
        least = x[i] if x[i] < least else least
    return least


def test_machine_code_that_comes_after_many_calls_is_called_in_c_too():
    staged, x = ag.function(least_of_few), np.arange(10.0)
    for _ in range(300):
        staged(x)
    assert float(staged.concrete_functions[0].ways.quicker((x,))(x)) == 0.0


def test_an_array_without_axes_is_no_tensor_and_no_array_with_axes():
    number = np.asarray(0.05)
    called = quick(annuity, number, YEARS)
    assert float(called(number, YEARS)) == annuity(0.05, 30)
    for other in (RATE, np.asarray([0.05]), np.float64(0.05), np.asarray(0.05, dtype=np.float32)):
        assert called(other, YEARS) is None
    assert quick(annuity, RATE, YEARS)(number, YEARS) is None


def counted(count, step):
    count += step
    return count * 1


def test_an_array_without_axes_is_written_into():
    count, step = np.asarray(1), rt.asarray(2)
    called = quick(counted, count, step)
    assert int(called(count, step)) == 3
    assert count == 3
    fixed = np.asarray(1)
    fixed.flags.writeable = False
    assert called(fixed, step) is None


def test_arguments_by_name_are_taken_as_they_were_given():
    x, one = np.arange(3.0), rt.asarray(1)
    staged = ag.function(named, jit_compile=True)
    concrete = staged.get_concrete_function(x, n=one, mode="mean", scale=one)
    called = concrete.ways.quicker((x,), {"n": one, "mode": "mean", "scale": one})
    assert float(called(x, n=one, mode="MEAN".lower(), scale=one)) == named(x, 1, "mean", 1)
    assert called(x, one, "mean", one) is None
    assert called(x, one, mode="mean", scale=one) is None
    assert called(x, mode="mean", n=one, scale=one) is None
    assert called(x, n=one, mode="sum", scale=one) is None
    assert called(x, n=one, mode="mean") is None
    assert called(x, n=one, mode="mean", weight=one) is None


def test_calls_by_name_and_by_position_give_the_same():
    staged = ag.function(named, jit_compile=True)
    x, two = np.arange(3.0), rt.asarray(2)
    for _ in range(3):
        assert float(staged(x, n=two, scale=two)) == float(staged(x, scale=two, n=two)) == 2.0
        assert float(staged(x, two, "mean")) == float(staged(x, mode="mean", n=two)) == -2.0
        assert float(staged(n=two, x=x)) == 2.0
        with pytest.raises(TypeError):
            staged(x, two, n=two)


def moved(x, y):
    for i in range(len(x)):
        x[i] += y[i]
    return x[0]


def test_arrays_that_may_be_one_are_left_to_python():
    x, y = np.arange(3.0), np.ones(3)
    called = quick(moved, x, y)
    fixed, whole = np.arange(3.0), np.arange(6.0)
    fixed.flags.writeable = False
    bare = np.frombuffer(bytearray(24))
    shared = (whole[3:], whole[:3]), (whole, whole[:3]), (whole[:3], whole), (x, x)
    for arguments in (*shared, (whole[::2], y), (bare, y), (y, bare), (fixed, y), (x, ROW, y)):
        before = [np.array(each) for each in arguments]
        assert called(*arguments) is None
        assert all(np.array_equal(one, each) for one, each in zip(before, arguments, strict=True))
    assert float(called(x, y)) == 1.0
    assert x.tolist() == [1.0, 2.0, 3.0]
    assert float(called(whole[3:], np.arange(9.0)[:3])) == 3.0
    assert whole.tolist() == [0.0, 1.0, 2.0, 3.0, 5.0, 7.0]
    assert float(called(x, fixed)) == 1.0
    assert float(called(y, ROW)) == 2.0
    assert y.tolist() == [2.0, 3.0, 5.0]


def named(x, n, mode="sum", scale=2.0):
    total = 0.0
    for i in range(n):
        total += x[i] if mode == "sum" else -x[i]
    return total * scale


def test_what_is_no_input_has_to_be_what_it_was():
    x = np.arange(400.0)
    called = quick(named, x, 300, "sum", 2.5)
    for same in ((300, "sum", 2.5), (int("300"), "Sum".lower(), 5.0 / 2)):
        assert float(called(x, *same)) == named(x, *same)
    for others in (
        (299, "sum", 2.5),
        (300, "sun", 2.5),
        (300, "sum", 2.0),
        (300.0, "sum", 2.5),
        (300, "sum"),
    ):
        assert called(x, *others) is None
    assert called(x, True, "sum", 2.5) is None
    assert quick(named, x, 300, "sum", 0.0) is None  # which equals -0.0


def test_a_run_that_has_something_to_say_is_left_to_python():
    assert quick(item, ROW, rt.asarray(3))(ROW, rt.asarray(3)) is None


factor = 2.0


def bell(x):
    return np.exp(-x * x) * factor


def test_what_a_function_reads_outside_is_looked_at_first(monkeypatch):
    function = ag.function(bell, jit_compile=True)
    zero = rt.asarray(0.0)
    for value in (2.0, 2.0, 3.0, 3.0, 2.0, 5.0, 5.0):
        monkeypatch.setitem(globals(), "factor", value)
        assert float(function(zero)) == value


def shifted(x, by=1.0):
    return x + by


def made_with(places):
    def inner(x):
        total = np.zeros(3)
        for i in range(len(x)):
            total[i] = shifted(x[i]) * places
        return total

    def set_places(now):
        nonlocal places
        places = now

    return inner, set_places


def other_shift(x, by=1.0):
    return x - by


def test_names_variables_and_functions_are_compared_in_c(monkeypatch):
    inner, set_places = made_with(2.0)
    staged = ag.function(inner, jit_compile=True)
    x = np.arange(3.0)

    def follows():
        for _ in range(3):
            assert staged(x).numpy().tolist() == inner(x).tolist()
        concrete = staged.concrete_functions[-1]
        called = concrete.ways.quicker((x,))
        assert concrete.ways.asked_first is None
        assert called(x).numpy().tolist() == inner(x).tolist()
        return called

    before = follows()
    changes = [
        lambda: set_places(3.0),
        lambda: monkeypatch.setattr(shifted, "__defaults__", (5.0,)),
        lambda: monkeypatch.setattr(shifted, "__code__", other_shift.__code__),
        lambda: monkeypatch.setitem(globals(), "shifted", other_shift),
    ]
    for change in changes:
        change()
        assert before(x) is None
        before = follows()
    monkeypatch.delitem(globals(), "shifted")
    assert before(x) is None
    with pytest.raises(NameError):
        staged(x)


table = [1.0, 2.0]


def looked_up(x):
    total = 0.0
    for i in range(len(x)):
        total += x[i] * table[0]
    return total


def test_what_containers_outside_hold_is_asked_in_python(monkeypatch):
    staged, x = ag.function(looked_up, jit_compile=True), np.arange(3.0)
    for value in (1.0, 1.0, 4.0, 4.0):
        table[0] = value
        assert float(staged(x)) == 3.0 * value
    assert staged.concrete_functions[0].ways.asked_first is not None


def printing(x):
    print(x)
    return x + 1.0


variable = rt.Variable(1.0)


def reading(x):
    return x * variable


def nested(x):
    return [x * 2.0, x + 1.0]


def twofold(x):
    y = x + 1.0
    return y, y


def test_what_python_does_more_for_has_no_such_way():
    for function in (printing, reading):
        assert quick(function, ROW) is None
    concrete = ag.function(annuity, executor="numpy").get_concrete_function(RATE, YEARS)
    assert concrete.ways.quicker((RATE, YEARS)) is None


def test_a_result_that_is_no_tuple_of_tensors_is_made_behind_the_run():
    first, second = quick(nested, ROW)(ROW)
    assert (first.tolist(), second.tolist()) == ([2.0, 4.0, 8.0], [2.0, 3.0, 5.0])
    one, other = quick(twofold, ROW)(ROW)
    assert one is other


def gathered(steps):
    found, names = {}, []
    for step in range(steps):
        found[step % 3] = found.get(step % 3, 0) + step
        names.append(f"{step}!")
    return {"found": found, "names": [*names[:2]], "text": f"{steps} steps", "none": None}


left = []


def leaving(x):
    left.append(x)


def maybe(x):
    return None if x > 2 else [x]


def test_a_result_may_be_any_nest_of_python_s():
    staged = ag.function(gathered)
    for _ in range(3):
        found = staged(np.int64(7))
        assert found["found"] == {0: 9, 1: 5, 2: 7}
        assert [type(key) for key in found["found"]] == [int, int, int]
        assert (found["names"], found["text"], found["none"]) == (["0!", "1!"], "7 steps", None)


def test_what_a_function_leaves_outside_is_left_behind_each_run_of_the_quick_way():
    staged = ag.function(leaving, jit_compile=True)
    left.clear()
    for number in range(6):
        assert staged(np.float64(number)) is None
    assert [float(each) for each in left] == [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]


def test_lists_that_a_run_gives_leave_no_references_behind():
    def squares(n):
        found = []
        for i in range(n):
            found.append(i * i)
        return found

    staged = ag.function(squares, jit_compile=True)
    for _ in range(100):
        staged(rt.asarray(5))
    assert [int(each) for each in staged(rt.asarray(5))] == [0, 1, 4, 9, 16]
    gc.collect()
    before = [sys.getrefcount(each) for each in (None, rt.Tensor, ListValue)]
    for _ in range(200):
        staged(rt.asarray(5))
    after = [sys.getrefcount(each) for each in (None, rt.Tensor, ListValue)]
    assert np.abs(np.subtract(after, before)).max() < 20


def test_it_leaves_no_references_behind():
    called, place, outside = quick(item, ROW, rt.asarray(1)), rt.asarray(1), rt.asarray(3)
    array = ROW._array

    def counts():
        return np.array([sys.getrefcount(each) for each in (ROW, array, place, rt.Tensor)])

    gc.collect()
    before = counts()
    results = [called(ROW, place) for _ in range(50)]
    assert (counts() - before).tolist() == [0, 0, 0, 50]
    assert len({id(each) for each in results}) == 50
    for _ in range(50):
        assert called(ROW, outside) is None
    del results
    assert (counts() - before).tolist() == [0, 0, 0, 0]


def test_its_results_are_tensors_like_others():
    called = quick(annuity, RATE, YEARS)
    results = [called(RATE, YEARS) for _ in range(3)]
    assert gc.is_tracked(results[0])
    left = weakref.ref(results.pop())
    assert left() is None
    assert float(results[0] + results[1]) == 2 * annuity(0.05, 30)


@pytest.mark.parametrize("jit_compile", [True, None])
def test_a_function_gives_the_same_whatever_came_before(jit_compile):
    function = ag.function(annuity, jit_compile=jit_compile)
    for _ in range(3):
        assert float(function(RATE, YEARS)) == annuity(0.05, 30)
        assert float(function(0.05, 3)) == annuity(0.05, 3)
        assert float(function(RATE, years=YEARS)) == annuity(0.05, 30)
        assert float(function(np.asarray(0.05), np.asarray(30))) == annuity(0.05, 30)
        assert float(function(RATE, rt.asarray(2.5))) == annuity(0.05, 2.5)
        assert function(rt.asarray([0.05, 0.1]), YEARS).shape == (2,)
        with pytest.raises(TypeError, match="years"):
            function(RATE)


def test_an_index_outside_is_told_with_the_line():
    function = ag.function(item)
    assert float(function(ROW, rt.asarray(1))) == 9.0
    for _ in range(2):
        with pytest.raises(IndexError, match="out of bounds"):
            function(ROW, rt.asarray(3))
    assert float(function(ROW, rt.asarray(-1))) == 11.0


def squares(x):
    total = 0.0
    for i in range(len(x)):
        total += x[i] * x[i]
    return total


def test_numpys_warnings_are_told_each_time():
    function, large = ag.function(squares), rt.asarray([1e300, 1.0, 2.0])
    assert float(function(ROW)) == 21.0
    for _ in range(2):
        with pytest.warns(RuntimeWarning, match="overflow"):
            assert np.isinf(function(large))
    with np.errstate(over="ignore"), warnings.catch_warnings():
        warnings.simplefilter("error")
        assert np.isinf(function(large))
    with np.errstate(over="raise"), pytest.raises(FloatingPointError):
        function(large)


def test_arrays_are_written_into_and_tensors_are_not():
    function = ag.function(scaled)
    x = np.arange(3.0) + 1
    for _ in range(2):
        assert float(function(ROW, rt.asarray(3.0))) == 3.0
        assert ROW.numpy().tolist() == [1.0, 2.0, 4.0]
        function(x, rt.asarray(2.0))
        function(x[1:], rt.asarray(2.0))
        function(x, 0.5)
    assert x.tolist() == [1.0, 8.0, 12.0]


def test_a_function_that_runs_eagerly_or_is_traced_does_not_take_it():
    function = ag.function(annuity)
    function(RATE, YEARS)
    ag.run_functions_eagerly(True)
    try:
        assert float(function(RATE, YEARS)) == annuity(0.05, 30)
    finally:
        ag.run_functions_eagerly(False)
    outer = ag.function(lambda rate, years: function(rate, years) + 1.0)
    assert float(outer(RATE, YEARS)) == annuity(0.05, 30) + 1.0


def test_graphs_for_any_length_take_it_until_there_is_another_one():
    function = ag.function(item, reduce_retracing=True, jit_compile=True)
    for length in (3, 4, 5, 6, 3, 7):
        x = rt.asarray(np.arange(float(length)))
        assert float(function(x, rt.asarray(1))) == np.sum(np.arange(length)) + 1


def test_the_names_of_tensorflow_get_tensors_of_theirs():
    function = tf.function(lambda x, n: item(x, n), jit_compile=True)
    x, n = tf.constant([1.0, 2.0]), tf.constant(1)
    assert [type(function(x, n)) for _ in range(3)] == [type(x)] * 3


def test_ctrl_c_ends_a_long_run():
    function = ag.function(annuity, jit_compile=True)
    function(RATE, YEARS)
    timer = threading.Timer(0.05, signal.raise_signal, [signal.SIGINT])
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        function(RATE, rt.asarray(2**60))
    timer.join()
    assert float(function(RATE, YEARS)) == annuity(0.05, 30)


def roots_into(x, y):
    for i in range(len(x)):
        y[i] = np.sqrt(x[i]) * factor
    return y[0]


def test_what_a_function_reads_outside_is_no_array_that_it_may_write_into():
    x, y = np.arange(4.0), np.zeros(4)
    called = quick(roots_into, x, y)
    assert float(called(x, y)) == 0.0
    assert y.tolist() == [0.0, 2.0, 2.0 * np.sqrt(2.0), 2.0 * np.sqrt(3.0)]


outside = np.arange(4.0)


def roots_of_outside(y):
    for i in range(4):
        y[i] = outside[i] + 1.0
    return y[0]


def test_an_array_outside_may_be_one_that_is_written_into(monkeypatch):
    function, y = ag.function(roots_of_outside), np.zeros(4)
    for _ in range(3):
        function(y)
    assert y.tolist() == [1.0, 2.0, 3.0, 4.0]
    expected = outside + 1.0
    function(outside)
    assert outside.tolist() == expected.tolist()
