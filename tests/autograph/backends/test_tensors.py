"""Control flow that tensors decide: staged, it gives what plain Python gives on NumPy values."""

import csv
import itertools
import traceback

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from autograph.backends.tensors.iteration import items
from runtime.core.structure import flatten
from runtime.graph.module import Module
from runtime.passes.pipeline import optimise


def values(result):
    leaves, structure = flatten(result)
    return [np.asarray(leaf) for leaf in leaves], structure


def check(f, *calls):
    """`f` as a graph gives what it gives on NumPy scalars and arrays, for each tuple of arguments."""
    staged = ag.function(f)
    for args in calls:
        wanted, structure = values(f(*[np.asarray(arg)[()] for arg in args]))
        found, same = values(staged(*[rt.asarray(arg) for arg in args]))
        assert structure == same
        for one, other in zip(wanted, found, strict=True):
            assert np.array_equal(one, other, equal_nan=True), (args, one, other)
    return staged.concrete_functions[-1].graph


def test_if_without_else_keeps_the_old_value():
    def f(x, y):
        if x > 0:
            y = -y
        return y

    graph = check(f, (1.0, 2.0), (-1.0, 2.0))
    assert graph.ops == ["Greater", "StatelessIf"]


def test_only_what_is_read_afterwards_leaves_a_branch():
    def f(x):
        if x > 0:
            scratch = x * 2
            y = scratch + 1
        else:
            y = x
        return y

    graph = check(f, (1,), (-1,))
    assert len(graph.nodes[-1].outputs) == 1


@pytest.mark.filterwarnings("ignore::runtime.errors.KindsMeetWarning")
def test_branches_of_mixed_dtype_are_promoted():
    def f(x):
        return x if x > 0 else 0.5

    check(f, (3,), (-3,))


def test_elif_chains():
    def f(x):
        if x < 0:
            return -1
        elif x == 0:
            return 0
        elif x < 10:
            return 1
        return 2

    check(f, (-5,), (0,), (5,), (50,))


def test_returns_anywhere():
    def f(x, y):
        if x > 0:
            if y > 0:
                return x + y
            x = x * 2
        else:
            return y
        return x - y

    check(f, (1, 1), (1, -1), (-1, 1), (-1, -1))


def test_a_while_loop_with_break_and_continue():
    def f(n):
        i = 0
        total = 0
        while i < n:
            i += 1
            if i % 2 == 0:
                continue
            total += i
            if total > 20:
                break
        return total, i

    check(f, (0,), (3,), (100,))


def test_a_for_loop_over_a_range_of_tensors():
    def f(start, stop, step):
        total = 0
        for i in range(start, stop, step):
            total = total * 3 + i
        return total

    check(f, (0, 5, 1), (2, 11, 3), (9, 0, -2), (3, 3, 1), (5, 2, 1))


def test_a_for_loop_over_a_tensor_with_break():
    def f(x):
        total = 0.0
        for v in x:
            if v < 0:
                break
            total += v
        return total

    check(f, ([1.0, 2.0, -1.0, 5.0],), ([1.0, 2.0],), (np.zeros(0),))


def test_a_for_loop_over_the_rows_of_a_matrix():
    def f(x):
        best = x[0]
        for row in x:
            if row[0] > best[0]:
                best = row
        return best

    check(f, ([[1.0, 2.0], [5.0, 0.0], [3.0, 9.0]],))


def test_else_of_loops():
    def f(n, stop):
        found = 0
        for i in range(n):
            if i == stop:
                found = 1
                break
        else:
            found = -1
        return found

    check(f, (5, 3), (3, 5), (0, 0))


def test_a_return_out_of_nested_loops():
    def f(n):
        for i in range(n):
            for j in range(n):
                if i * j == 6:
                    return i * 10 + j
        return -1

    check(f, (10,), (3,))


def test_while_true_with_a_staged_exit():
    def f(n):
        i = 0
        while True:
            i += 1
            if i * i > n:
                break
        return i

    check(f, (0,), (10,), (100,))


def test_a_python_range_with_a_staged_break_becomes_one_loop():
    def f(x):
        for i in range(1000):
            x = x / 2
            if x < 1:
                break
        return x, i

    graph = check(f, (100.0,), (0.5,))
    assert "StatelessWhile" in graph.ops
    assert len(graph.nodes) < 60


@pytest.mark.filterwarnings("ignore::runtime.errors.KindsMeetWarning")
def test_a_python_counter_keeps_the_dtype_of_what_it_meets():
    def f(x):
        total = 0
        for v in x:
            total += v
        return total

    staged = ag.function(f)
    assert staged(rt.asarray([1.0, 2.0], dtype=rt.float32)).dtype == rt.float32
    assert staged(rt.asarray([1, 2], dtype=rt.int8)).dtype == rt.int8


@pytest.mark.filterwarnings("ignore::runtime.errors.KindsMeetWarning")
def test_an_int_that_becomes_a_float_in_the_loop():
    def f(n):
        x = 1
        for _ in range(n):
            x = x / 2
        return x * 1.0

    check(f, (0,), (1,), (5,))


def test_a_shape_that_grows_in_the_loop():
    def f(n):
        x = rt.zeros(1)
        for i in range(n):
            x = rt.concat([x, rt.reshape(rt.asarray(i), (1,))])
        return x

    staged = ag.function(f)
    assert staged(rt.asarray(3)).numpy().tolist() == [0, 0, 1, 2]
    (length,) = staged.concrete_functions[0].graph.output_specs[0].shape
    assert not isinstance(length, int)


def test_truth_of_numbers():
    def f(n):
        steps = 0
        while n:
            n = n // 2
            steps += 1
        return steps if steps else -1

    check(f, (0,), (9,))


def test_and_or_not_give_the_deciding_operand():
    def f(x, y):
        a = x and y
        b = x or y
        c = not x
        return a, b, c

    check(f, (0, 5), (3, 5), (3, 0), (0, 0))


def test_and_does_not_evaluate_its_right_side_needlessly():
    def f(x, i):
        if i < 3 and x[i] > 0:
            return 1
        return 0

    check(f, ([1, -1, 2], 0), ([1, -1, 2], 1), ([1, -1, 2], 7))


def test_nested_structures_as_state():
    def f(n):
        state = {"a": 0, "b": (1, 1)}
        for _ in range(n):
            a, b = state["b"]
            state = {"a": state["a"] + a, "b": (b, a + b)}
        return state

    check(f, (0,), (7,))


def test_attributes_as_state():
    class Counter:
        def __init__(self):
            self.total = 0

    def f(n):
        counter = Counter()
        for i in range(n):
            counter.total += i
        return counter.total

    check(f, (5,), (0,))


def test_called_functions_are_converted_too():
    def is_even(n):
        if n % 2 == 0:
            return True
        return False

    def f(n):
        count = 0
        for i in range(n):
            if is_even(i):
                count += 1
        return count

    check(f, (7,), (0,))


def test_item_assignment_updates_the_tensor():
    def f(x):
        for i in range(3):
            if x[i] < 0:
                x[i] = 0.0
            x[i] += 1.0
        return x

    staged = ag.function(f)
    before = rt.asarray([-1.0, 2.0, -3.0])
    assert staged(before).numpy().tolist() == [1.0, 3.0, 1.0]
    assert before.numpy().tolist() == [-1.0, 2.0, -3.0]


def test_asserts_run_with_the_graph():
    @ag.function
    def f(x):
        assert x > 0, "x must be positive"
        return x

    assert f(rt.asarray(1)).numpy() == 1
    with pytest.raises(AssertionError, match="x must be positive") as caught:
        f(rt.asarray(-1))
    assert any("assert x > 0" in note for note in caught.value.__notes__)


def test_builtins_on_tensors():
    def f(x, y):
        return max(x[0], y), min(x[0], y), len(x), abs(y), int(y), float(y), sum(x), any(x > 2), all(x > 0)

    check(f, ([1.0, 2.0, 3.0], -2.5), ([4.0, 2.0, 3.0], 2.5))


def test_zip_and_enumerate_over_tensors():
    def f(x, y):
        total = 0
        for i, (a, b) in enumerate(zip(x, y)):
            total += i * a * b
            if total > 100:
                break
        return total

    check(f, ([1, 2, 3], [4, 5, 6]), ([1, 2, 300], [4, 500, 6]))


def test_a_tensor_array_collects_in_a_loop():
    @ag.function
    def f(n):
        ta = rt.TensorArray(rt.int64, size=n)
        for i in range(n):
            ta = ta.write(i, i * i)
        return ta.stack()

    assert f(rt.asarray(4)).numpy().tolist() == [0, 1, 4, 9]
    assert f(rt.asarray(0)).shape == (0,)


def test_a_for_loop_over_a_tensor_array():
    @ag.function
    def f(x):
        ta = rt.TensorArray(rt.float64, size=0, dynamic_size=True).unstack(x)
        total = 0.0
        for row in ta:
            total = total + rt.sum(row)
        return total

    assert f(rt.asarray([[1.0, 2.0], [3.0, 4.0]])).numpy() == 10


def test_a_value_that_is_known_decides_at_once():
    flag = rt.asarray(True)

    @ag.function
    def f(x):
        if flag:
            return x + 1
        return undefined_name  # noqa: F821

    assert f(rt.asarray(1)).numpy() == 2
    assert f.concrete_functions[0].graph.ops == ["AddV2"]


# What goes wrong says where, why, and the way out.


def test_a_variable_that_one_branch_leaves_undefined():
    @ag.function
    def f(x):
        if x > 0:
            y = x
        return y

    assert int(f(rt.asarray(1))) == 1
    with pytest.raises(UnboundLocalError, match="cannot access local variable 'y'"):
        f(rt.asarray(-1))


def test_such_a_variable_may_stay_unread():
    @ag.function
    def f(x):
        if x > 0:
            y = x
            x = y + 1
        return x

    assert f(rt.asarray(1)).numpy() == 2


def test_a_path_without_a_return():
    @ag.function
    def f(x):
        if x > 0:
            return x

    assert int(f(rt.asarray(1))) == 1
    assert f(rt.asarray(-1)) is None


def test_branches_of_different_structure_name_the_variable():
    def f(x):
        if x > 0:
            pair = (x, x)
        else:
            pair = x
        return pair

    check(f, (1,), (-1,))
    with pytest.raises(TypeError, match=r"(?s)`pair` has a different structure.*if x > 0:.*\(\*, \*\)"):
        ag.function(f, strict=True)(rt.asarray(1))


def test_a_loop_that_changes_the_structure_of_a_variable():
    @ag.function
    def f(n):
        x = 0
        while n > 0:
            x = (x, x)
            n -= 1
        return x

    with pytest.raises(
        TypeError, match=r"(?s)`x` has a different structure after an iteration.*while n > 0:"
    ):
        f(rt.asarray(1))


def test_a_test_of_many_elements_is_ambiguous():
    @ag.function
    def f(x):
        if x > 0:
            return 1
        return 0

    with pytest.raises(ValueError, match=r"(?s)truth of a tensor of shape .2,. is ambiguous.*rt.any"):
        f(rt.ones(2))


def test_run_time_errors_carry_the_users_line():
    @ag.function
    def f(x, i):
        y = x + 1
        return y[i]

    with pytest.raises(IndexError) as caught:
        f(rt.asarray([1, 2]), rt.asarray(7))
    assert "return y[i]" in str(caught.value)


def test_the_traceback_of_a_failing_trace_shows_the_users_lines_only():
    @ag.function
    def f(x):
        if x > 0:
            x = x + "text"
        return x

    with pytest.raises(TypeError) as caught:
        f(rt.asarray(1))
    frames = traceback.extract_tb(caught.value.__traceback__)
    assert [frame.line for frame in frames if frame.filename == __file__][-1] == 'x = x + "text"'


def test_a_branch_that_raises_leaves_what_the_other_one_changes():
    class Box:
        value = 7

    box = Box()

    @ag.function
    def f(x):
        if x > 0:
            box.value = x
        else:
            raise KeyError("stop")
        return x

    with pytest.raises(KeyError):
        f(rt.asarray(-1))
    assert box.value == 7
    f(rt.asarray(3))
    assert int(box.value) == 3


def test_a_loop_over_arange_counts_and_makes_no_numbers():
    @ag.function
    def f(n):
        total = 0
        for i in rt.arange(2, n, 3):
            total += i
        return total

    for n in (0, 3, 12, 13):
        assert f(rt.asarray(n)).numpy() == sum(range(2, n, 3))
    ops = f.concrete_functions[0].optimised_graph.ops
    assert "Range" not in ops


def test_an_endless_iterator_that_a_tensor_should_stop_is_refused(monkeypatch):
    monkeypatch.setattr(items, "MOST_UNROLLED", 20)
    rows = csv.reader(itertools.repeat("a,b"))

    @ag.function
    def f(x):
        for row in rows:
            x = x + len(row)
            if x > 10:
                break
        return x

    with pytest.raises(rt.errors.GraphError, match=r"(?s)more than 20 items.*for row in rows.*a range"):
        f(rt.asarray(1))


def test_a_function_that_is_called_for_items_without_end_is_called_in_the_graph():
    def f(x):
        for i in iter(lambda: 1, 0):
            x = x + i
            if x > 10:
                break
        return x

    check(f, (1,), (100,))


def test_a_loop_takes_items_of_what_has_no_end_one_by_one():
    def f(x):
        for i in map(lambda i: i * i, itertools.count()):
            x = x + i
            if x > 10:
                break
        return x

    check(f, (1,), (100,))


def test_all_items_of_what_has_no_end_are_refused():
    @ag.function
    def f(x):
        return sum(map(lambda i: i * x, itertools.count()))

    with pytest.raises(rt.errors.GraphError, match=r"(?s)an `itertools.count` has no end.*sum\(map"):
        f(rt.asarray(1))


def test_a_short_generator_that_a_tensor_stops_is_unrolled():
    def f(x):
        for i in (n * n for n in (1, 2, 3)):
            x = x + i
            if x > 4:
                break
        return x

    check(f, (0,), (4,), (-20,))


def test_what_no_left_operand_changes_is_known():
    def f(x):
        length = 0 if (x > 0 and False) else 3
        more = 2 if (x > 0 or True) else 5
        return [x] * (length + more)

    assert "StatelessIf" not in optimise(Module(check(f, (1,), (-1,)))).entry.ops
