"""Numbers of Python's among the arguments: constants, and inputs from the third value on."""

import math
import warnings
from dataclasses import dataclass

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from autograph.compat import tf
from runtime.errors import RetracingWarning, TooManyTraces


def traced(function):
    return function.experimental_get_tracing_count()


def steps_to_one(n):
    steps = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps


def halved(x):
    return x / 2 if x > 3 else x


def factorial(n):
    result = 1
    for i in range(1, n + 1):
        result *= i
    return result


def zeros(n):
    return np.zeros(n)


def grid(n):
    return [[0] * n for _ in range(n)]


def said(n):
    return f"<{n:>4}>"


def letter(n):
    return "abcdefgh"[n]


def fibonacci(n):
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)


def checked(n):
    if n < 3:
        raise ValueError(f"{n} is too small")
    return n


def first_of(numbers):
    return numbers[0] * 2


def of_dict(settings):
    return settings["rate"] * settings["steps"]


@pytest.mark.parametrize(
    ("function", "calls"),
    [
        (steps_to_one, range(1, 20)),
        (halved, [i / 2 for i in range(12)]),
        (zeros, range(6)),
        (grid, range(6)),
        (said, [1, 22, 333, -4, 5]),
        (letter, range(8)),
        (fibonacci, range(12)),
        (first_of, [[i, 2] for i in range(6)]),
        (first_of, [(i / 4, 2) for i in range(6)]),
        (of_dict, [{"rate": i / 8, "steps": i} for i in range(6)]),
    ],
)
def test_one_graph_serves_from_the_third_value_on(function, calls):
    one = ag.function(function)
    for given in calls:
        wanted = function(given)
        found = one(given)
        assert np.array_equal(found, wanted) if not isinstance(wanted, str) else found == wanted
    assert traced(one) == 3
    first, *others = [(given,) for given in calls]
    ag.check(function, *first, then=others)


def test_ints_beyond_64_bits_are_those_of_python():
    one = ag.function(factorial)
    assert [one(n) for n in (1, 2, 3, 30, 4, 40)] == [1, 2, 6, math.factorial(30), 24, math.factorial(40)]
    assert one(2**70 - 2**70 + 5) == 120


def test_an_int_without_room_is_a_constant():
    one = ag.function(lambda n: n % 1000)
    assert [int(one(n)) for n in (1, 2, 3, 10**30 + 7, 4)] == [1, 2, 3, 7, 4]
    assert traced(one) == 4


def test_ints_floats_and_bools_have_graphs_of_their_own():
    @ag.function
    def kind(x):
        return x + 1 if isinstance(x, int) else x - 1

    for given in (1, 2, 3, 4):
        assert kind(given) == given + 1
    assert traced(kind) == 3
    for given in (1.0, 2.0, 3.0, 4.0):
        found = kind(given)
        assert found.dtype == rt.float64
        assert found == given - 1
    assert traced(kind) == 4
    assert kind(True) == 2
    assert kind(False) == 1
    assert traced(kind) == 6


def test_zeros_of_two_signs_and_no_numbers_are_told_apart():
    @ag.function
    def sign(x):
        return math.copysign(1.0, x), math.isnan(x)

    found = [tuple(map(float, sign(x))) for x in (1.0, 2.0, 0.0, -0.0, math.nan, -math.inf)]
    assert found == [(1, 0), (1, 0), (1, 0), (-1, 0), (1, 1), (-1, 0)]
    assert traced(sign) == 3


def test_a_number_that_the_trace_needs_is_a_constant():
    @ag.function
    def along(x, axis):
        return x.sum(axis=axis)

    x = np.arange(24.0).reshape(2, 3, 4)
    for axis in (0, 1, 2, -1, 0, 1):
        assert np.array_equal(along(x, axis), x.sum(axis=axis))
    assert traced(along) == 4


def test_a_recursion_over_ever_longer_tuples_soon_has_a_graph_for_each(caplog):
    caplog.set_level("INFO", "autograph")

    @ag.function
    def chosen(n, row=0, before=()):
        if row == n:
            return 1
        return sum(chosen(n, row + 1, (*before, c)) for c in range(n) if c not in before)

    assert [int(chosen(n)) for n in (1, 2, 3, 4)] == [1, 2, 6, 24]
    assert traced(chosen) == 4
    assert "it calls itself with more and more" in caplog.text


def test_a_function_that_gives_several_kinds_of_numbers_has_a_graph_for_each():
    @ag.function
    def either(n):
        return n / 2 if n % 2 else n

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = [either(n) for n in (1, 2, 3, 4)]
    assert [float(each) for each in found] == [0.5, 2, 1.5, 4]
    assert [each.dtype for each in found] == [rt.float64, rt.int64] * 2
    with pytest.warns(RetracingWarning):
        either(5)


def test_what_the_function_raises_is_raised():
    one = ag.function(checked)
    for n in (0, 1, 2, 3, 4, 5):
        if n < 3:
            with pytest.raises(ValueError, match=f"^{n} is too small"):
                one(n)
        else:
            assert one(n) == n
    with pytest.raises(ValueError, match=r"^2 is too small"):
        one(2)


def test_other_shapes_know_that_a_number_is_an_input():
    @ag.function
    def scaled(x, rate, times=1):
        return x * rate * times

    for number in range(4):
        scaled(np.ones(2), number / 2, times=number)
    assert traced(scaled) == 3
    for number in range(4):
        assert scaled(np.ones(3), number / 2, times=number).numpy().tolist() == [number * number / 2] * 3
    assert traced(scaled) == 4
    assert scaled(np.ones(2), 7.5).numpy().tolist() == [7.5, 7.5]
    assert traced(scaled) == 4


def test_numbers_in_an_instance_of_a_dataclass_change_in_place():
    @dataclass
    class Point:
        x: float
        y: float

    @ag.function
    def turn(point):
        point.x, point.y = -point.y, point.x + 1
        return point

    point, plain = Point(1.0, 2.0), Point(1.0, 2.0)
    for _ in range(6):
        assert turn(point) is point
        plain.x, plain.y = -plain.y, plain.x + 1
        assert (point.x, point.y) == (plain.x, plain.y)
        assert type(point.x) is float
    assert traced(turn) == 4


def test_a_graph_that_is_asked_for_has_the_number_that_was_given():
    @ag.function
    def power(x, n):
        return x**n

    for n in (2, 3, 4, 5):
        power(np.float64(2.0), n)
    concrete = power.get_concrete_function(rt.TensorSpec((), rt.float64), 6)
    assert concrete(np.float64(2.0)) == 64
    assert len(concrete.inputs) == 1


def test_the_graph_of_many_numbers_can_be_called_by_itself():
    @ag.function
    def power(x, n):
        return x**n

    for n in (2, 3, 4):
        power(np.float64(2.0), n)
    concrete = power.concrete_functions[-1]
    assert concrete(np.float64(2.0), 5) == 32
    assert concrete(rt.asarray(2.0), rt.asarray(6)) == 64
    assert "any int" in str(power.explain_retraces())


def test_a_function_that_another_one_calls_has_its_constants():
    @ag.function
    def width(n):
        return 2 * n

    for n in (1, 2, 3, 4):
        width(n)

    @ag.function
    def made():
        return np.zeros((width(5), 2)).shape

    assert made() == (10, 2)


def test_a_budget_is_told_of_the_number():
    power = ag.function(lambda x, n: x**n, max_traces=2, on_max_traces="raise")
    power(np.float64(2.0), 2)
    power(np.float64(2.0), 3)
    with pytest.raises(TooManyTraces, match="argument `n` was 3 and then 4"):
        power(np.float64(2.0), 4)
    assert power(np.float64(2.0), 3) == 8


def test_it_explains_why_there_is_a_graph_for_all_numbers():
    one = ag.function(steps_to_one)
    for n in (3, 4, 5, 6):
        one(n)
    last = one.explain_retraces().traces[-1]
    assert last.signature == "steps_to_one(n: any int)"
    assert [str(each) for each in last.differences] == ["argument `n` was 4 and then any int"]
    assert last.differences[0].way_out == "no other one is traced for it: it is an input of this graph"


def test_under_tensorflows_names_each_number_has_a_graph():
    one = tf.function(lambda n: n + 1)
    for n in range(5):
        assert one(n) == n + 1
    assert traced(one) == 5


def test_later_calls_take_numbers_by_name_and_as_they_come():
    @ag.function
    def line(x, slope, *, offset=0.0):
        return x * slope + offset

    x = np.arange(3.0)
    for number in range(8):
        found = line(x, number, offset=number / 2)
        assert found.numpy().tolist() == (x * number + number / 2).tolist()
    assert line(x, 2.5, offset=1.0).numpy().tolist() == (x * 2.5 + 1).tolist()
    assert line(x, np.int64(3), offset=1.0).numpy().tolist() == (x * 3 + 1).tolist()
    assert line(x, True, offset=1.0).numpy().tolist() == (x + 1).tolist()
    assert line(x, 9, offset=2.0).numpy().tolist() == (x * 9 + 2).tolist()
    with pytest.raises(TypeError):
        line(x)
    with pytest.raises(TypeError):
        line(x, 1, 2)
    with pytest.raises(TypeError):
        line(x, 1, other=2)


def test_what_a_graph_prints_before_an_int_outgrows_it_is_printed_once(capsys):
    @ag.function
    def grown(n):
        result = 1
        for i in range(1, n + 1):
            result *= i
            if i % 10 == 0:
                print(i, result)
        return result

    for n in (1, 2, 3, 30):
        found = grown(n)
    assert found == math.factorial(30)
    lines = [f"{i} {math.factorial(i)}" for i in (10, 20, 30)]
    assert capsys.readouterr().out.splitlines() == lines
