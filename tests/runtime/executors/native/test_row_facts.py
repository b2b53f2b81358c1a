"""How numbers differ from row to row: rows that leave a loop at different times count its turns together."""

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.executors.native.whole import lowered


def products_by_distance(x):
    found = np.zeros(40)
    for lag in range(40):
        total = 0.0
        for i in range(len(x) - lag):
            total += x[i] * x[i + lag]
        found[lag] = total
    return found


def those_behind(x):
    found = np.zeros(53)
    for i in range(len(x)):
        total = 0.0
        for j in range(i + 1, len(x)):
            total += x[j] * x[i] - x[j - 1]
        found[i] = total
    return found


def those_before(x):
    found = np.zeros(53)
    for i in range(len(x)):
        total, j = 1.0, 0
        while j < i and total < 9.0:
            total += x[j]
            j += 1
        found[i] = total
    return found


def back_from_each(x):
    found = np.zeros(53)
    for i in range(len(x)):
        total, j = 0.0, i
        while j > 0 and x[j - 1] > 0.3 * x[i]:
            total += x[j]
            j -= 1
        found[i] = total
    return found


def counters_that_are_asked_for(x):
    found = np.zeros(53)
    for i in range(len(x)):
        j, total = 0, x[i]
        while total < 20.0 and j < 53:
            total += x[j]
            j += 1
        found[i] = total * j
    return found


def three_deep(x):
    found = np.zeros(53)
    for i in range(len(x)):
        total, j = 0.0, 0
        while j < i and total < 1e9:
            k = j
            while k < i and total < 1e9:
                total += x[k] - x[j]
                k += 1
            j += 1
        found[i] = total
    return found


def behind_a_test(x):
    found = np.zeros(53)
    for i in range(len(x)):
        total = 0.0
        if x[i] > 1.0:
            j = 0
            while x[j] < x[i] * 0.9:
                total += x[j] + x[53 - j - 1]
                j += 1
        found[i] = total
    return found


def by_different_steps(x):
    found = np.zeros(53)
    for i in range(len(x)):
        total, j = 0.0, 0
        while j < 50:
            total += x[j]
            if x[j] > 1.0:
                j += 1
            j += 2
        found[i] = total + x[i]
    return found


def by_steps_of_rows(x):
    found = np.zeros(53)
    for i in range(len(x)):
        total, j = 0.0, 0
        while j < 53:
            total += x[j]
            j += i + 1
        found[i] = total
    return found


def two_loops_of_one_counter(x):
    found = np.zeros(53)
    for i in range(len(x)):
        total, j = 0.0, i
        while j < 40:
            total += x[j]
            j += 1
        while j < 53:
            total -= x[j]
            j += 1
        found[i] = total
    return found


def lengths_of_runs(x):
    found = np.zeros(53, np.int64)
    for i in range(len(x)):
        k = 1
        while i + k < len(x) and abs(x[i + k] - x[i]) < 1.0:
            k += 1
        found[i] = k
    return found


def places_of_a_part(x):
    found = np.zeros(53, np.int64)
    for i in range(len(x)):
        k = 0
        while i + k < 53 and k < 3 and x[i + k] >= x[k + 7]:
            k += 1
        found[i] = k * 10 + i
    return found


X = np.random.default_rng(1).random(53) * 3.0
X[::9] = 2.9
PROGRAMS = [
    products_by_distance,
    those_behind,
    those_before,
    back_from_each,
    counters_that_are_asked_for,
    three_deep,
    behind_a_test,
    by_different_steps,
    by_steps_of_rows,
    two_loops_of_one_counter,
    lengths_of_runs,
    places_of_a_part,
]


@pytest.mark.parametrize("options", [{}, {"jit_compile": True}], ids=["default", "jit_compile"])
@pytest.mark.parametrize("program", PROGRAMS)
def test_rows_that_leave_loops_at_different_times_have_the_bits_of_python(program, options):
    staged = ag.function(program, **options)
    assert np.asarray(staged(X)).tobytes() == program(X).tobytes()
    assert "rows " in str(lowered(staged.concrete_functions[0].optimised_module))


@pytest.mark.parametrize("program", [products_by_distance, those_behind, lengths_of_runs])
def test_elements_at_turns_that_rows_count_together_lie_next_to_one_another(program):
    text = ag.function(program).get_concrete_function(rt.asarray(X)).program.llvm_ir()
    assert "masked.load" in text
    assert "masked.gather" not in text


def until_one_is_larger(x):
    found = np.zeros(53)
    for i in range(len(x)):
        total, j = 0.0, i
        while x[j] <= x[i]:
            total += x[j]
            j += 1
        found[i] = total
    return found


@pytest.mark.parametrize("options", [{}, {"jit_compile": True}], ids=["default", "jit_compile"])
def test_a_row_that_leaves_the_array_is_the_first_that_python_comes_to(options):
    staged, x = ag.function(until_one_is_larger, **options), np.arange(53.0)
    for _ in range(3):
        for function in (until_one_is_larger, staged):
            with pytest.raises(IndexError, match="index 53 is out of bounds"):
                function(x)
