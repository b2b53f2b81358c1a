"""Rolled loops with tests that differ by turn: branches of the graph, where these leave the same for Python.

Every program is compared with plain Python on every executor, once rolled from six turns on, and it is said
which of them roll.
"""

import numpy as np
import pytest

import autograph as ag
from tests.beyond.rolling import Programs, loops_of, short_loops_roll

PROGRAMS = Programs()
rolls, unrolls = PROGRAMS.rolls, PROGRAMS.unrolls

pytestmark = pytest.mark.usefixtures(short_loops_roll.__name__)


@rolls()
def first_only(x):
    for i in range(9):
        if i == 0:
            y = x
        y = y * x
    return y


@rolls()
def last_only(x):
    for i in range(9):
        x = x + 1
        if i == 8:
            x = x * 100
    return x


@rolls()
def between(x):
    for i in range(9):
        if 2 < i < 7 and x[0] > i:
            x = x * 2
        elif not (i % 2 == 0 or i > 6):
            x = x - i
    return x


@unrolls()
def chosen_number(x):
    for i in range(9):
        k = 2
        if i % 2 == 0:
            k = 3
        x = x * k
    return x


@unrolls()
def tensor_or_number(x):
    for i in range(9):
        y = x[0]
        if i == 5:
            y = 1
        x = x + y
    return x


@unrolls()
def truth_as_value(x):
    for i in range(9):
        y = i > 3 and x[0] > 1
        x = x + y
    return x


LONG = np.arange(30.0) * 7 % 11


@rolls(LONG)
def item_or_number_behind_the_last(x):
    largest, top, starts = 0.0, 0, np.zeros(len(x) + 1, dtype=np.int64)
    for i in range(len(x) + 1):
        now = x[i] if i < len(x) else 0
        while top > 0 and x[starts[top - 1]] >= now:
            top -= 1
            width = i if top == 0 else i - starts[top - 1] - 1
            largest = max(largest, x[starts[top]] * width)
        starts[top] = i
        top += 1
    return largest, now


@rolls(LONG)
def ends_after_some_turns(x):
    total = 0.0
    for i in range(len(x)):
        if i > 24:
            break
        total += x[i]
    return total, i


@rolls(LONG)
def returns_after_some_turns(x):
    for i in range(len(x)):
        if i * i > 500:
            return x[i], i
        x[i] += x[i - 1]
    return x[0], 0


@rolls(np.arange(60.0))
def three_parts(x):
    for i in range(len(x)):
        factor = 2 if i < 20 else 0.5
        if i >= 40 and x[i] > 1:
            factor = 1
        x[i] *= factor
    return x


@rolls(LONG)
def first_turns_that_are_few(x):
    for i in range(len(x)):
        factor = 2
        if i < 9:
            factor = 3
        x = x * factor
    return x


@rolls(LONG, 5)
def window_that_moves(x, width):
    total, best = 0, -1
    for i in range(len(x)):
        total = total + x[i]
        if i >= width:
            total = total - x[i - width]
        if i >= width - 1 and (best < 0 or total > best):
            best = total
    return best


@rolls(LONG, np.arange(5.0))
def counts_in_a_window_that_moves(x, wanted):
    seen, found = np.zeros(11), 0
    for i in range(len(x)):
        seen[int(x[i])] += 1
        if i >= len(wanted):
            seen[int(x[i - len(wanted)])] -= 1
        if i >= len(wanted) - 1:
            is_alike = True
            for k in range(5):
                if seen[k] != wanted[k] % 2:
                    is_alike = False
                    break
            if is_alike:
                found += 1
    return found


@rolls(LONG, 7)
def begins_after_some_turns(x, warm_up):
    average = None
    for i in range(len(x)):
        if i < warm_up:
            continue
        if average is None:
            average = x[i]
        else:
            average = 0.9 * average + 0.1 * x[i]
    return average


@unrolls(LONG[:20])
def parts_that_are_short(x):
    for i in range(len(x)):
        factor = 2
        if i < 9:
            factor = 3
        x = x * factor
    return x


@unrolls(LONG)
def other_kinds_by_turns(x):
    total = 0
    for i in range(len(x)):
        total = total + x[i] if i % 2 else 1
    return total


@unrolls()
def raises_in_a_turn(x):
    for i in range(9):
        x = x + 1
        if i == 12 or i * i == 144:
            raise ValueError
        if i == 8:
            return x
    return x * 2


@rolls(np.arange(30.0).reshape(5, 6) % 4)
def regions(grid):
    rows, cols = grid.shape
    labels = np.zeros_like(grid)
    label = 0
    for i in range(rows):
        for j in range(cols):
            if grid[i, j] > 1 and labels[i, j] == 0:
                label += 1
                stack = [(i, j)]
                labels[i, j] = label
                while len(stack) > 0:
                    r, c = stack.pop()
                    for dr, dc in [(-1, 0), (1, 0), (0, -1), (0, 1)]:
                        k, m = r + dr, c + dc
                        if 0 <= k < rows and 0 <= m < cols and grid[k, m] > 1 and labels[k, m] == 0:
                            labels[k, m] = label
                            stack.append((k, m))
    return labels


@rolls(np.arange(64.0).reshape(8, 8))
def two_counters_decide(X):
    n, last = X.shape[0], X[0, 0]
    for i in range(n):
        for j in range(n):
            if i == j or i + 2 < j:
                X[i, j] = -X[i, j]
            else:
                last = X[j, i] * (2 if i % 3 else j - i)
    return X, last


@rolls()
def moving_sums(x):
    sums, roots = np.zeros(8), np.full(8, -1.0)
    total = 0.0
    for i in range(8):
        total += x[i]
        if i >= 3:
            total -= x[i - 3]
            sums[i] = total
            roots[i] = np.sqrt(max(total, 0.0))
    return sums, roots


@rolls()
def written_late_by_two_names(x):
    row = np.zeros(9)
    same, part = row, row[2:5]
    for i in range(9):
        if i > 4:
            row[i - 3] = x[0] * i
            same[0] += x[1]
        x = x + part[0]
    return x, row, same, part


@unrolls()
def another_array_from_then_on(x):
    row, other = np.zeros(9), np.ones(9)
    for i in range(9):
        if i > 4:
            row[i] = x[0]
            row = other
        x = x + row[0]
    return x, row, other


@unrolls()
def a_decision_leaves_a_number(x):
    late = None
    for i in range(9):
        if i > 5:
            late = i
        x = x + i
    return x, late


@rolls(np.arange(8), np.int64(11))
def sums_of_subsets(x, wanted):
    hits = x[0]
    for subset in range(64):
        total = 0
        for i in range(6):
            if (subset >> i) & 1:
                total += x[i]
        if total == wanted:
            hits += 1
    return hits


@rolls()
def sums_of_some_that_are_kept(x):
    found = np.zeros(24)
    for i in range(24):
        total = 0.0
        if i % 3:
            total = x[i % 8]
        found[i] = total * x[1]
    return found


@rolls(np.arange(8))
def the_class_of_a_sum_is_asked(x):
    count = x[0]
    for i in range(24):
        total = 0
        if i % 3:
            total = x[i % 8]
        if isinstance(total, int):
            count += x[1]
    return count


@unrolls(np.arange(8.0), np.float32([1.5, 2.5]))
def a_number_meets_another_dtype(x, narrow):
    product = narrow[0]
    for i in range(24):
        factor = 0.0
        if i % 3:
            factor = x[i % 8]
        product = narrow[1] * factor
    return product


@unrolls(np.arange(1, 9))
def a_number_gets_larger(x):
    total = x[0]
    for i in range(24):
        part = 3
        if i % 3:
            part = x[i % 8]
        part = part * 40
        total += part % 7
    return total


@unrolls(np.arange(1.0, 9.0))
def a_number_divides(x):
    total = x[0]
    for i in range(24):
        part = 3.0
        if i % 3:
            part = x[i % 8]
        total += x[1] / part
    return total


@unrolls()
def a_number_is_there_in_the_next_turn(x):
    last, total = x[0], x[0]
    for i in range(24):
        total += last
        last = 0.0
        if i % 3:
            last = x[i % 8]
    return total, last


@rolls(np.arange(8), np.arange(8.0))
def bits_of_the_number_of_a_turn(x, y):
    total = y[0]
    for i in range(-7, 30):
        total += y[(i >> 1) & 7] + y[(i ^ 5) & 3] * x[(i | 2) & 7]
    return total


@pytest.mark.parametrize(("function", "arguments", "rolls"), PROGRAMS)
def test_a_loop_whose_tests_differ_by_turn_does_what_python_does(function, arguments, rolls, capfd):
    ag.check(function, *arguments)
    assert loops_of(function, *arguments) == rolls
