"""Branches choose arrays: who writes into the chosen one, or into a candidate, writes for all who have it."""

import numpy as np
import pytest

import autograph as ag
from runtime.errors import StateDisagrees
from tests.promises.kit import function_of

W = np.array([1.0, 2.0, 3.0])


def the_chosen_one_is_written(x, w):
    one, other = np.zeros(2) * x, np.ones(2) * x
    picked = one if x > 2 else other
    picked[0] = 5
    return one, other, picked


def both_candidates_are_written(x, w):
    one, other = np.zeros(2) * x, np.ones(2) * x
    picked = one if x > 2 else other
    one[0] = 5
    other[1] = 7
    return one, other, picked


def candidates_are_numpys(x, w):
    one, other = np.zeros(2), np.ones(2)
    picked = one if x > 2 else other
    picked[0] = x
    one[1] += 4
    return one, other, picked


def the_argument_is_a_candidate(x, w):
    picked = w if x > 2 else w * 2
    picked[0] = x
    return picked


def a_choice_of_a_choice(x, w):
    a, b, c = w * 1, w * 2, w * 3
    p = a if x > 2 else b
    q = p if x > 4 else c
    q[0] = 9
    p[1] += 1
    a[2] = q.sum()
    return a, b, c, p, q


def two_names_that_are_exchanged(x, w):
    a, b = w * 1, w * 2
    p, q = (a, b) if x > 2 else (b, a)
    p[0] = 1
    q[1] = p[0] + a[1]
    v = p[1:]
    v += 1
    b[2] = v.sum()
    return a, b, p, q, v


def written_in_a_loop(x, w):
    a, b = w * 1, w * 2
    p = a if x > 2 else b
    t = 0.0
    for i in range(len(w)):
        p[i] += i
        t += a[i]
    return a, b, p, t


def written_and_read_in_a_loop(x, w):
    a, b = w * 1, w * 2
    p = a if x > 2 else b
    t = 0.0
    i = 0
    while i < x:
        p[0] += i
        t += a[0] + b[1]
        i += 1
    return a, b, p, t


def chosen_in_every_turn(x, w):
    a, b = w * 1, w * 2
    i = 0
    while i < x:
        p = a if i % 2 == 0 else b
        p[0] += i
        a[1] += p[0]
        i += 1
    return a, b


def chosen_or_none(x, w):
    a = w * 1
    p = a if x > 2 else None
    if p is not None:
        p[0] = 3
    return a


def written_in_a_branch_and_a_try(x, w):
    a, b = w * 1, w * 2
    p = a if x > 2 else b
    if x > 1:
        p[0] = 3
        b[1] = 4
    try:
        p[1] += 1
        if x > 4:
            raise ValueError
        a[2] = 8
    except ValueError:
        a[2] = 9
    return a, b, p


def the_best_of_some(x, w):
    rows = [w * 1, w * 2, w * 3]
    best = rows[0]
    for r in rows:
        if r.sum() > x:
            best = r
    best[0] = 0
    return rows, best


def rows_that_are_exchanged(x, w):
    rows = [w * 1, w * 2, w * 3]
    rows[0][1] = x
    if x > 2:
        rows[0], rows[1] = rows[1], rows[0]
    rows[0][0] = 9
    rows[1] += 1
    return rows


def chosen_by_a_helper_twice(x, w):
    def pick(c):
        return w if c else w2

    w2 = w * 2
    pick(x > 2)[0] = 7
    pick(x > 1)[1] += 1
    return w, w2


class Holder:
    def __init__(self, w):
        self.a, self.b = w * 1, w * 2
        self.cur = self.a


def an_attribute_chosen_twice(x, w):
    h = Holder(w)
    if x > 2:
        h.cur = h.b
    h.cur[0] = 5
    if x > 4:
        h.cur = h.a
    h.cur += 1
    return h.a, h.b, h.cur


def exchanged_twice_by_a_helper(x, w):
    a, b = w * 1, w * 2

    def swap(p, q):
        return (q, p) if x > 2 else (p, q)

    p, q = swap(a, b)
    p, q = swap(p, q)
    p[0] = 1
    b[1] = 7
    q += 1
    return a, b, p, q


def two_choices_with_a_candidate_in_common(x, w):
    a, b = w * 1, w * 2
    c = w * 3
    p = a if x > 2 else b
    p2 = a if x > 4 else c
    p[0] = 10
    p2[1] = 20
    c[2] = 30
    a += 1
    return a, b, c, p, p2


def chosen_of_what_was_chosen(x, w):
    a, b = w * 1, w * 2
    p = a if x > 2 else b
    t = 0.0
    while t < x:
        q = p if t > 1 else a
        q[0] += 1
        t += 1
    return a, b, p


def names_exchanged_in_a_loop(x, w):
    a, b = w * 1, w * 2
    for v in w:
        if v > x - 2:
            a, b = b, a
        a[0] += v
    return a, b


def parts_of_two_arrays(x, w):
    a, b = w * 1, w * 2
    p = a[1:] if x > 2 else b[:2]
    p[0] = 50
    a[2] = 70
    return a, b, p


def chosen_in_a_branch_inside(x, w):
    a, b = w * 1, w * 2
    if x > 1:
        p = a if x > 2 else b
    else:
        p = b
    p[0] = 1
    return a, b, p


def exchanged_in_a_loop_with_another_name(x, w):
    a, b = w * 1, w * 2
    z = a
    for v in w:
        if v > x - 2:
            a, b = b, a
        a[0] += v
    return a, b, z


def bound_in_a_loop(x, w):
    a, b, c = w * 1, w * 2, w * 3
    turn = 0
    while turn < x:
        c = b if c.sum() > 3 else c
        turn += 1
    c[1] += a.sum()
    return b, c


def written_in_a_later_turn_under_another_name(x, w):
    a, c = w * 1, w * 3
    p = a
    turn = 0
    while turn < x:
        a, c = c, a
        a += x
        turn += 1
    return p, c


def written_through_another_variable_in_a_loop(x, w):
    a, c = w * 1, w * 3
    p = a
    a = a if c[0] > 4 else c
    turn = 0
    while turn < x:
        p[1] = a[2]
        a, p = p, a
        turn += 1
    return a, p


def an_element_of_a_chosen_list(x, w):
    rows, more = [w * 1, w * 2], [w * 3, w * 4]
    rows = more if x > 2 else rows
    a = w + x
    more[0] = a
    rows[x.astype(int) % 2][:2] = x
    return rows, more, a


def exchanged_or_bound_in_a_loop(x, w):
    a, b = w * 1, w * 2
    c = a
    for i in range(x.astype(int)):
        if i % 2 == 0:
            a, b = b, a
        a[i % 3] += x
        b = a if x > i + 2 else b
    a[0] = 7
    return a, b, c


def made_in_a_loop_under_two_names(x, w):
    a, b = w * 1, w * 2
    c = a
    for i in range(x.astype(int)):
        a = w * i
        b[0] += 1
        if i % 2:
            b = a
        a[1] = x
    c[0] = 5
    a[2] = 9
    return a, b, c


def made_anew_in_every_turn(x, w):
    a = w * 1
    b = a
    for _ in range(x.astype(int) - 1):
        a = a + 1
    a[0] = 9
    return a, b


def the_best_of_a_loop(x, w):
    best = w
    for i in range(x.astype(int)):
        other = w * i
        if other.sum() > best.sum():
            best = other
    best[0] = 3
    return best


def numpys_that_are_exchanged(x, w):
    a, b = np.zeros(3), np.ones(3)
    c = a
    turn = 0
    while turn < x:
        a, b = b, a
        a[0] = turn
        turn += 1
    return a, b, c


def a_row_of_two(x, w):
    g = np.outer(w, w)
    r = g[0] if x > 2 else g[1]
    r[0] = 5
    g[1, 1] = r.sum()
    return g, r


def a_row_of_three(x, w):
    g = np.outer(w, w)
    if x > 4:
        r = g[0]
    elif x > 2:
        r = g[1]
    else:
        r = g[:, 2]
    r += 1
    g[1, 2] = r.sum()
    r[0] = 9
    return g, r


def rows_exchanged_by_a_branch(x, w):
    g = np.outer(w, w)
    low, high = g[0], g[1]
    if x > 2:
        low, high = high, low
    low += high
    high[0] = 7
    g[0, 2] = low[0]
    return g, low, high


def a_matrix_or_its_transpose(x, w):
    g = np.outer(w, w + 1)
    t = g if x > 2 else g.T
    t[0, 1] = 5
    g[2, 1] = 6
    return g, t


def a_view_of_numpys_or_its_transpose(x, w):
    g = np.arange(9.0).reshape(3, 3)
    t = g[::-1]
    if x > 2:
        t = t.T
    else:
        t[1] = g[0].copy()
    g[1, 0] = x
    t[2, 2] = 4
    return g, t


def a_row_by_an_index_of_the_branch(x, w):
    g = np.outer(w, w)
    k = int(x)
    r = g[0]
    if k < 3:
        r = g[k % 3]
    r[1] = 7
    g[1, 0] = 3
    return g, r


def a_row_by_an_index_that_is_in_range_in_the_branch_alone(x, w):
    g = np.outer(w, w)
    k = int(x)
    r = g[k] if k < 3 else g[0]
    r[1] = 7
    g[1, 0] = 3
    return g, r


def either(test, one, other):
    return one if test else other


def one_view_of_numpys_on_both_paths(x, w):
    g = np.arange(9.0).reshape(3, 3)
    t = either(x > 2, g, g)
    for row in t:
        row[1] = x
    return g, t


def parts_that_overlap(x, w):
    g = np.outer(w, w)
    p = g[0] if x > 2 else g[1]
    q = g[:, 0] if x > 4 else g[1]
    p[0] = 7
    q[1] = 8
    p += q
    return g, p, q


@pytest.mark.parametrize(
    "program",
    [
        the_chosen_one_is_written,
        both_candidates_are_written,
        candidates_are_numpys,
        the_argument_is_a_candidate,
        a_choice_of_a_choice,
        two_names_that_are_exchanged,
        written_in_a_loop,
        written_and_read_in_a_loop,
        chosen_in_every_turn,
        chosen_or_none,
        written_in_a_branch_and_a_try,
        the_best_of_some,
        rows_that_are_exchanged,
        chosen_by_a_helper_twice,
        an_attribute_chosen_twice,
        exchanged_twice_by_a_helper,
        two_choices_with_a_candidate_in_common,
        chosen_of_what_was_chosen,
        names_exchanged_in_a_loop,
        parts_of_two_arrays,
        chosen_in_a_branch_inside,
        an_element_of_a_chosen_list,
        exchanged_in_a_loop_with_another_name,
        exchanged_or_bound_in_a_loop,
        made_in_a_loop_under_two_names,
        made_anew_in_every_turn,
        the_best_of_a_loop,
        numpys_that_are_exchanged,
        bound_in_a_loop,
        written_in_a_later_turn_under_another_name,
        written_through_another_variable_in_a_loop,
        a_row_of_two,
        a_row_of_three,
        a_row_by_an_index_of_the_branch,
        a_row_by_an_index_that_is_in_range_in_the_branch_alone,
        rows_exchanged_by_a_branch,
        a_matrix_or_its_transpose,
        a_view_of_numpys_or_its_transpose,
        one_view_of_numpys_on_both_paths,
        parts_that_overlap,
    ],
)
def test_a_write_reaches_every_name_of_the_array_that_was_chosen(program):
    ag.check(
        program,
        np.float64(3.0),
        W.copy(),
        then=[(np.float64(1.0), W[::-1].copy()), (np.float64(5.0), W.copy())],
    )


def arrays_of_two_lengths(x, w):
    a, b = w * 1, w[:1] * 2
    p = a if x > 2 else b
    p[0] = 3
    return a, b, p


def rows_that_are_apart(x, w):
    rows = np.outer(w, w)
    p, q = rows[0], rows[1]
    one = p if x > 2 else w * 1
    other = q if x > 4 else w * 2
    one[0] = 7
    other[1] = 8
    rows[0, 2] = x
    return rows, one, other


def test_rows_of_one_array_are_no_candidates_of_one_another():
    ag.check(rows_that_are_apart, np.float64(3.0), W.copy(), then=[(np.float64(5.0), W.copy())])


def test_arrays_of_two_lengths_are_followed():
    ag.check(arrays_of_two_lengths, np.float64(3.0), W.copy(), then=[(np.float64(1.0), W.copy())])


def test_turns_that_bind_an_array_to_a_copy_and_another_to_that_of_an_attribute_are_followed():
    def program(x, w):
        held = Holder(w)
        u, held.v = np.zeros(3), w * 2
        other, second = u, held.v
        for i in range(x.astype(int)):
            if x > 2:
                u[0] = i
            else:
                second = held.v
                u = u.copy()
        return u, other, second, held.v

    ag.check(program, np.float64(3.0), W.copy(), then=[(np.float64(2.0), W.copy())])


def test_an_array_that_was_chosen_twice_is_compared():
    def program(x, w):
        a, b, c = w * 1, w * 2, w * 3
        p = a if x > 2 else b
        q = p if x > 4 else c
        return q is a, q is b, q is c, q is p

    ag.check(program, np.float64(5.0), W.copy(), then=[(np.float64(each), W.copy()) for each in (3.0, 1.0)])


def test_a_program_has_one_graph_however_often_it_is_traced():
    def program(x, w):
        a, b, c, d = w * 1, w * 2, w * 3, w * 4
        p = a if x > 2 else b
        q = p if x > 4 else c
        r = q if x > 5 else d
        r[0] = 9
        a[1] = 7
        return a, b, c, d, p, q, r

    graphs = {str(ag.function(program).get_concrete_function(np.float64(1.0), W).graph) for _ in range(6)}
    assert len(graphs) == 1


@pytest.mark.parametrize("around", ["if x[0] > 0.0:", "for i in range(n):"])
def test_a_branch_in_a_path_binds_a_name_to_what_the_path_has_made(around):
    program = function_of(
        f"""
def f(x, n, k):
    b = x * 3
    d = x.copy()
    {around}
        d = b + 2.0
        if n != k:
            b = d
    d[0] = 2.1
    return b
"""
    )
    x = np.arange(3.0) + 0.5
    calls = [(x, np.int64(n), np.int64(k)) for n, k in ((2, 0), (1, 1), (0, 3))]
    if around.startswith("for"):
        ag.check(program, *calls[0], then=calls[1:])
    else:  # which of them it is is known in the path alone
        with pytest.raises(StateDisagrees, match="under another name"):
            ag.function(program)(*calls[0])


@pytest.mark.parametrize("exchanged", ["a = [b, a][n % 2]", "b, a = a, b"])
def test_two_names_that_a_branch_in_a_try_binds_are_told_apart_or_refused(exchanged):
    program = function_of(
        f"""
def f(n):
    a, b = np.arange(3.0), np.ones(3)
    try:
        if n > 1:
            {exchanged}
        else:
            b, a = a, b
    finally:
        pass
    b[1] = 7
    return a, b
"""
    )
    calls = [(np.int64(n),) for n in (3, 1, 2, 0)]
    if "%" not in exchanged:  # they are two on all paths
        ag.check(program, *calls[0], then=calls[1:])
    else:
        with pytest.raises(StateDisagrees, match="under another name"):
            ag.function(program)(*calls[0])


@pytest.mark.parametrize("kept", ["d = [d, d][n % 2]", "d = d"])
def test_what_a_list_of_the_graph_has_of_an_array_that_a_try_binds_is_no_copy(kept):
    program = function_of(
        f"""
def f(n):
    a = np.array([1.0, n])
    d = a
    try:
        if n > 1:
            raise ValueError
        d = d.copy()
    except ValueError:
        pass
    {kept}
    a[0] = 3
    return d, a
"""
    )
    with pytest.raises(StateDisagrees, match="may have been written to under another name"):
        ag.function(program)(np.int64(3))
