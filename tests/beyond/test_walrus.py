"""Names bound inside of expressions that a tensor decides."""

import numpy as np
import pytest

import autograph as ag
from tests.beyond.kit import check


def test_a_walrus_in_a_later_operand():
    def both(a, b):
        n = 0
        y = a > 0 and (n := b + 1) > 2
        return y, n

    def either(a, b):
        n = 0
        if a > 3 or (n := b - 1) > 2 or (n := n * 10) > 20:
            n = n + 100
        return n

    for a, b in ((1, 5), (1, 0), (-1, 5), (4, 3)):
        check(both, a, b)
        check(either, a, b)


def test_a_walrus_in_an_arm():
    def arms(a, b):
        n = 0
        y = (n := b) if a > 0 else (n := b * 2) + 1
        return y, n

    for a, b in ((1, 5), (-1, 5)):
        check(arms, a, b)


def test_a_walrus_in_a_chain_of_comparisons():
    def chain(a, b):
        m = 0
        if 0 < (k := a + 1) < (m := b) < 5:
            k = k + 1
        return k, m

    for a, b in ((1, 4), (1, 0), (-1, 5), (1, 9)):
        check(chain, a, b)


def test_a_walrus_in_the_test_of_a_loop_with_a_break():
    def loop(a, limit):
        total = 0
        m = 0
        while a > 0 and (m := a * 2) > limit:
            a = a - 1
            if m == 8:
                continue
            total = total + m
            if total > 30:
                break
        else:
            total = -total
        return total, a, m

    for a, limit in ((1, 5), (1, 0), (-1, 5), (5, 3), (9, 1)):
        check(loop, a, limit)


def bound_anew(v):
    total, seen = 0.0, []
    if (y := v) > 0:
        total += y
        y = 100.0
        seen.append(total)  # which has the branches traced anew
    return total, seen


def bound_anew_in_the_other_branch(v):
    total, seen = 0.0, []
    if v > 9:
        pass
    elif (y := v) < 0:
        seen.append(y)
    else:
        total += y
        y, *_ = seen, total
        seen.append(total)
    return total, seen


@pytest.mark.parametrize("program", [bound_anew, bound_anew_in_the_other_branch])
def test_a_branch_may_bind_anew_what_its_test_has_bound(program):
    ag.check(program, np.float64(2.0), then=[(np.float64(-2.0),), (np.float64(3.0),)])


LAST = 0


def what_any_has_seen(xs):
    hit = None
    return any((hit := x) > 2 for x in xs), hit


def what_all_has_seen(xs):
    if all((bad := x) < 2 for x in xs):
        return None
    return bad


def running_totals(xs):
    total = 0.0
    return [total := total + x for x in xs], total


def kept_and_filtered(xs):
    """The text of the function."""
    rows = [[w := x + y for y in xs if (v := y) >= 1] for x in xs if (u := x) >= 1]
    return rows, u, v, w


def as_keys_and_values(xs):
    table = {(key := i % 2): (value := x) for i, x in enumerate(xs)}
    return table, key, value, {(last := i) % 2 for i in range(3)}, last


def in_the_test_of_a_loop(xs):
    while any((hit := x) > 2 for x in xs):
        xs = xs - 1
    return hit, xs


def of_the_module(xs):
    global LAST
    return sum((LAST := x) for x in xs), LAST


def of_a_function_around(xs):
    last = 0.0

    def inner(ys):
        nonlocal last
        return sum((last := y) for y in ys)

    return inner(xs), last


@pytest.mark.parametrize(
    "program",
    [
        what_any_has_seen,
        what_all_has_seen,
        running_totals,
        kept_and_filtered,
        as_keys_and_values,
        in_the_test_of_a_loop,
        of_the_module,
        of_a_function_around,
    ],
)
def test_a_comprehension_binds_a_name_around_it(program):
    ag.check(program, np.array([1.0, 3.0, 4.0]), then=[(np.array([1.0, 1.0]),), (np.array([5.0, 1.0]),)])


def test_a_comprehension_binds_a_name_where_a_tensor_decides_how_many_items_there_are():
    def f(n):
        hit, total = -1, 0
        found = any((hit := i) > 2 for i in range(n))
        return found, hit, [total := total + i for i in range(n)], total

    ag.check(f, np.int64(6), then=[(np.int64(2),), (np.int64(0),)])


def test_a_comprehension_behind_a_loop_binds_a_name_that_has_no_value_in_the_loop():
    def behind_a_break(xs):
        k = 0
        while xs[k] > 0:
            k += 1
            if k >= 3:
                break
        return k, [y for x in xs if (y := x * 2) > 4], y

    def behind_a_loop(xs):
        while xs[0] > 0:
            xs = xs - 1
        return [y for x in xs if (y := x * 2) > 4]

    def of_a_function_within(xs):
        def halved(x):
            nonlocal rest
            rest = x % 2
            return x // 2

        while xs[0] > 1:
            xs = halved(xs)
        rest = rest + 1  # noqa: F821  # the function within binds it
        return xs, rest

    for program in (behind_a_break, behind_a_loop, of_a_function_within):
        ag.check(program, np.array([4, 3, 0, 8]), then=[(np.array([2, 0, 7, 1]),)])


def test_a_condition_of_a_comprehension_binds_what_its_items_are_made_of():
    def f(n):
        grown = []
        for i in range(n):
            grown.append(i)
        kept = [y for x in grown if (y := x % 5) > 1]
        total = sum(y * w for x in grown if (y := x % 5) > 1 and (w := y + 1) > 2)
        table = {y: w for x in grown if (y := x % 5) > 1 and (w := y + 1) > 2}
        pairs = [w + z for x in grown if (y := x % 5) > 1 for z in range(y) if (w := z * 2) > 1]
        return kept, total, table, pairs

    ag.check(f, np.int64(4), then=[(np.int64(0),), (np.int64(9),)])
