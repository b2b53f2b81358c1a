"""Symbolic dims: equal where they are known to be equal, and true for all lengths."""

import pickle

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from runtime.core.dims import (
    UNKNOWN,
    at_least,
    at_most,
    broadcast,
    exact_quotient,
    maximum,
    minimum,
    name_of,
    named,
    names_in,
    parse,
    solve,
    substitute,
)

NAMES = ("x.0", "x.1", "n")
n, m = named("n"), named("m")


class Tree:
    """An expression, and what it is for given lengths: computed by Python, and by the algebra."""

    def __init__(self, dim, value, text):
        self.dim, self.value, self.text = dim, value, text

    def __repr__(self):
        return self.text


def _binary(name, of_dims, of_numbers):
    def build(pair):
        left, right = pair
        return Tree(
            of_dims(left.dim, right.dim),
            lambda at: of_numbers(left.value(at), right.value(at)),
            f"{name}({left}, {right})",
        )

    return build


def _divided(pair):
    tree, by = pair
    return Tree(tree.dim // by, lambda at: tree.value(at) // by, f"({tree} // {by})")


_LEAVES = st.one_of(
    st.integers(-4, 4).map(lambda number: Tree(number, lambda at: number, str(number))),
    st.sampled_from(NAMES).map(lambda name: Tree(named(name), lambda at: at[name], name)),
)


def _grown(inner):
    pairs = st.tuples(inner, inner)
    return st.one_of(
        pairs.map(_binary("add", lambda a, b: a + b, lambda a, b: a + b)),
        pairs.map(_binary("sub", lambda a, b: a - b, lambda a, b: a - b)),
        pairs.map(_binary("mul", lambda a, b: a * b, lambda a, b: a * b)),
        pairs.map(_binary("max", maximum, max)),
        pairs.map(_binary("min", minimum, min)),
        st.tuples(inner, st.integers(1, 4)).map(_divided),
    )


trees = st.recursive(_LEAVES, _grown, max_leaves=6)
lengths = st.fixed_dictionaries({name: st.integers(0, 6) for name in NAMES})


@given(trees, lengths)
def test_an_expression_has_the_value_that_python_computes(tree, at):
    if tree.dim is not UNKNOWN:
        assert substitute(tree.dim, at) == tree.value(at)


@given(trees, st.fixed_dictionaries({"n": trees, "x.0": trees}), lengths)
def test_a_substitution_may_be_done_in_two_steps(tree, inner, at):
    inner = {name: maximum(each.dim, 0) for name, each in inner.items()}  # a name stands for a length
    if UNKNOWN in (tree.dim, *inner.values()):
        return
    at_once = substitute(tree.dim, {**at, **{name: substitute(each, at) for name, each in inner.items()}})
    step = substitute(tree.dim, inner)
    if step is not UNKNOWN:
        assert substitute(step, at) == at_once


@given(trees)
def test_the_text_of_a_dim_reads_back(tree):
    assert parse(str(tree.dim)) == tree.dim
    assert pickle.loads(pickle.dumps(tree.dim)) == tree.dim


@given(trees, lengths, st.integers(-6, 12))
def test_bounds_hold_for_all_lengths(tree, at, bound):
    if tree.dim is UNKNOWN:
        return
    value = tree.value(at)
    assert value >= bound or not at_least(tree.dim, bound)
    assert value <= bound or not at_most(tree.dim, bound)


@given(trees, trees, trees)
def test_sums_and_products_are_equal_in_any_order(a, b, c):
    if UNKNOWN in (a.dim, b.dim, c.dim):
        return
    assert a.dim + b.dim == b.dim + a.dim
    assert (a.dim + b.dim) + c.dim == a.dim + (b.dim + c.dim)
    left, right = a.dim * (b.dim + c.dim), a.dim * b.dim + a.dim * c.dim
    assert left == right or UNKNOWN in (left, right)


@given(trees, trees, lengths)
def test_an_exact_quotient_times_the_divisor_is_the_dim(a, b, at):
    found = exact_quotient(a.dim, b.dim)
    if found is not None:
        assert substitute(found, at) * b.value(at) == a.value(at) or b.value(at) == 0


@given(st.lists(st.one_of(st.integers(0, 3), st.sampled_from(NAMES)), min_size=1, max_size=4), lengths)
@example(["n", 0], {"n": 1, "x.0": 0, "x.1": 0})
def test_lengths_broadcast_as_numbers_do_wherever_those_broadcast(parts, at):
    found = broadcast(*[part if isinstance(part, int) else named(part) for part in parts])
    numbers = [part if isinstance(part, int) else at[part] for part in parts]
    expected = broadcast(*numbers)
    if found is None:
        assert expected is None
    elif expected is not None:
        assert substitute(found, at) == expected


def test_what_slices_leave_adds_up():
    assert minimum(n, 3) + maximum(n - 3, 0) == n
    assert maximum(maximum(n - 1, 0) - 1, 0) == maximum(n - 2, 0)
    assert maximum(1 - n, 0) == 1 - minimum(n, 1)
    assert maximum(2 * n - 2, 0) == 2 * maximum(n - 1, 0)


def test_a_quotient_takes_out_what_divides():
    assert (2 * n + 1) // 2 == n
    assert (2 * n) // 4 == n // 2
    assert n // 2 // 3 == n // 6
    assert str((n + 1) // 2) == "(n+1)//2"
    assert str(2 * (n // 2) + 1) == "2*(n//2)+1"


def test_broadcasting_does_not_mind_order_nesting_and_repetition():
    assert broadcast(n, n) == n
    assert broadcast(n, 1) == n
    assert broadcast(n + 2, m) == n + 2
    assert broadcast(n, m) == broadcast(m, n) == broadcast(m, broadcast(n, m), 1)
    assert broadcast(n, m, 3) == 3
    assert broadcast(2, n, 3) is None
    assert str(broadcast(m, n)) == "broadcast(m,n)"


def test_nothing_is_known_of_unknown():
    assert UNKNOWN + 1 is UNKNOWN
    assert 1 - UNKNOWN is UNKNOWN
    assert n - UNKNOWN is UNKNOWN
    assert n * UNKNOWN is UNKNOWN
    assert UNKNOWN * 0 == 0 == 0 * UNKNOWN
    assert UNKNOWN // 2 is UNKNOWN
    assert maximum(UNKNOWN, 1) is UNKNOWN
    assert broadcast(UNKNOWN, n) is UNKNOWN
    assert broadcast(UNKNOWN, 4) == 4
    assert at_least(UNKNOWN, 0)
    assert not at_least(UNKNOWN, 1)
    assert not at_most(UNKNOWN, 9)
    assert pickle.loads(pickle.dumps(UNKNOWN)) is UNKNOWN
    assert str(UNKNOWN) == "?"


def test_a_name_is_found_from_what_an_expression_of_it_is():
    assert solve(n, m * 2, ["n"]) == ("n", m * 2)
    assert solve(2 * n + m, 6 + m, ["n"]) == ("n", 3)
    assert solve(2 * n, 3, ["n"]) is None
    assert solve(n * m, m * m, ["n"]) is None
    assert solve(n + m, 3, ["n", "m"]) is None
    assert solve(maximum(n - 1, 0), 3, ["n"]) is None


def test_names_are_those_inside_of_functions_too():
    assert names_in(maximum(n - 1, 0) + m // 2) == {"n", "m"}
    assert names_in(3) == frozenset()
    assert (name_of(n), name_of(n + 1), name_of(3), name_of(UNKNOWN)) == ("n", None, None, None)


def test_an_expression_that_grows_without_end_becomes_unknown():
    dim = 0
    for number in range(40):
        dim = dim + named(f"n{number}")
    assert dim is UNKNOWN


def test_a_length_that_is_not_known_has_no_truth():
    with pytest.raises(TypeError, match="the length n is not known"):
        bool(n)


@pytest.mark.parametrize("text", ["", "n+", "n//m", "n n", "max(n)x", "(n", "broadcast(2,3)"])
def test_what_is_no_dim_is_refused(text):
    with pytest.raises((ValueError, TypeError)):
        parse(text)
