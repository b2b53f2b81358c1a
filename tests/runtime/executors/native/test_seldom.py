"""An index is compared once before an element is read, where it counts from the front and is inside."""

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.core.dtypes import bool_, int64
from runtime.executors.native.interpreter import Interpreted
from runtime.executors.native.language.loops import Apply, Fail, Function, If, Number, Set, Variable, add
from runtime.executors.native.language.walking import inside
from runtime.executors.native.lower.seldom import looking_seldom
from runtime.executors.native.whole import lowered


def followed(parent, n):
    """Where a chain ends, which is made shorter on the way."""
    i = n
    while parent[i] != i:
        parent[i] = parent[parent[i]]
        i = parent[i]
    return i


SPECS = rt.TensorSpec((6,), "int64"), rt.TensorSpec((), "int64")


def test_indices_that_count_from_the_end_are_rare(golden, request):
    module = ag.function(followed).get_concrete_function(*SPECS).optimised_module
    golden(request.path.parents[3] / "golden/loops/followed.txt", f"{lowered(module)}\n")


def counted(x, n):
    """Reads and writes at numbers that are data."""
    found = np.zeros(4, np.int64)
    for i in range(n):
        found[x[i]] += x[x[i]]
    return np.sum(found * np.arange(4))


def exchanged(x, n):
    """An index that changes between two looks at it."""
    i = n
    total = x[i]
    i -= 1
    total = total * 10 + x[i]
    if x[i] > 0:
        i -= 2
        total = total * 10 + x[i]
    return total * 10 + x[i]


def in_a_table(x, n):
    table = np.arange(12).reshape(3, 4)
    total = 0
    for i in range(6):
        table[x[i], n] += i
        total += table[x[i], n] * table[n, x[i]]
    return total


def of_a_list(x, n):
    """A list that is read by another rule: what counts from the end is one element, in both."""
    items = [x[0], x[1], x[2]]
    items[n] = items[n] + 1
    return items[n] * 10 + items[-1]


PROGRAMS = [followed, counted, exchanged, in_a_table, of_a_list]
ARRAYS = [
    np.array(x)
    for x in ([0, 0, 1, 2, 3, 4], [3, 1, 2, 0, -1, -4], [1, -6, 1, 7, 2, 2], [2, 1, 0, -1, -2, -3])
]


def outcome(call, x, n):
    """What a call gives and leaves in the array, or what it raises."""
    x = x.copy()
    try:
        found = call(x, n)
    except IndexError as error:
        return str(error).splitlines()[0]
    return int(found), x.tolist()


@pytest.mark.parametrize("function", PROGRAMS)
def test_what_is_found_and_raised_is_what_python_finds_and_raises(function):
    compiled = ag.function(function, jit_compile=True)
    module = ag.function(function).get_concrete_function(*SPECS).optimised_module
    interpreted = Interpreted(lowered(module), module.entry)
    for x in ARRAYS:
        for n in (-7, -6, -1, 0, 2, 3, 5, 6):
            expected = outcome(function, x, n)
            assert outcome(compiled, x, np.asarray(n)) == expected
            judged = outcome(lambda x, n: interpreted.run([x, np.asarray(n)])[0], x, n)
            assert judged == expected if isinstance(expected, str) else judged[0] == expected[0]


I, J, K, N = (Variable(name, int64) for name in "ijkn")
HOLDS = Variable("holds", bool_)
SIX = Number(6, int64)


def place(own, index, length=SIX):
    """An index from the front."""
    is_behind = Apply("less", (index, Number(0, int64)), bool_)
    return Set(own, Apply("select", (is_behind, add(index, length), index), int64))


def look(index, length=SIX):
    """The run ends where an index is outside."""
    low = Apply("greater_equal", (index, Number(0, int64)), bool_)
    is_inside = Apply("logical_and", (low, Apply("less", (index, length), bool_)), bool_)
    return [Set(HOLDS, is_inside), If(Apply("logical_not", (HOLDS,), bool_), [Fail(0)], [])]


def looks(*statements):
    """How often the code looks whether an index is inside, on the way that is not rare."""
    body = looking_seldom(Function("f", [I, J, N], list(statements), [K])).body
    rare = [
        id(inner) for each in inside(body) if isinstance(each, If) and each.is_rare for inner in each.then
    ]
    return sum(isinstance(each, If) and id(each) not in rare for each in inside(body))


def test_an_index_is_asked_about_once():
    twice = [place(J, I), *look(J), place(K, I), *look(K)]
    assert looks(*twice) == 1
    assert looks(place(J, I), *look(J), *look(J)) == 1
    assert looks(*look(I), place(K, I), *look(K)) == 1


def test_an_index_that_counts_from_the_end_is_not_known_to_be_inside_itself():
    assert looks(place(J, I), *look(J), *look(I)) == 2


def test_an_index_that_has_changed_is_asked_about_again():
    changed = Set(I, add(I, 1))
    assert looks(place(J, I), *look(J), changed, place(K, I), *look(K)) == 2
    in_a_branch = If(HOLDS, [changed], [])
    assert looks(place(J, I), *look(J), in_a_branch, place(K, I), *look(K)) == 3
    assert looks(place(J, I, N), *look(J, N), Set(N, I), place(K, I, N), *look(K, N)) == 2


def test_what_a_branch_has_asked_is_not_known_behind_it():
    asked = If(HOLDS, [place(J, I), *look(J)], [])
    assert looks(asked, place(K, I), *look(K)) == 3


# ── what the program has asked itself ──


def around(grid, places, n):
    """Adds up the neighbours that there are."""
    h, w = grid.shape
    total = 0
    for k in range(n):
        r, c = places[k, 0], places[k, 1]
        for dr, dc in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            a, b = r + dr, c + dc
            if 0 <= a < h and 0 <= b < w and grid[a, b] > 0:
                total += grid[a, b]
                grid[a, b] = 0
    return total


def above_alone(grid, places, n):
    """Asks for one side, so that the other one counts from the end."""
    total = 0
    for k in range(n):
        r = places[k, 0]
        if r < 4:
            total += grid[r, 0]
        if r >= 0 and r < 2:
            r -= 1
            total += grid[r, 1] * 10
        if r >= -9 and r < 4:
            total += grid[r, 2] * 100
    return total


def other_length(grid, places, n):
    total = 0
    for k in range(n):
        c = places[k, 1]
        if c >= 0 and c < 5:
            total += grid[c, 0]
    return total


def in_one_of_both(grid, places, n):
    total = 0
    for k in range(n):
        r, c = places[k, 0], places[k, 1]
        is_inside = 0 <= r and r < 4
        if r == c:
            is_inside = True
        if is_inside or c == 9:
            total += grid[r, 1]
    return total


PLACES = {
    "inside": np.array([(0, 0), (3, 4), (2, 2), (1, 0)]),
    "at an edge": np.array([(-1, 0), (3, 5), (0, -1), (4, 4)]),
    "outside": np.array([(2, 3), (5, 5), (-6, 1), (9, 9)]),
    "far": np.array([(1, 1), (-4, 4), (-5, 9), (2**40, -(2**40))]),
}


def but_for_those_outside(grid, places, n):
    """Asks which ones to leave out."""
    total = 0
    for k in range(n):
        i, j = places[k, 0], places[k, 1]
        if i < 0 or i >= 4 or not (j >= 0 and 5 > j):
            continue
        total += grid[i, j]
        grid[i, j] = k
    return total


def but_for_some(grid, places, n):
    """Leaves out too few."""
    total = 0
    for k in range(n):
        i, j = places[k, 0], places[k, 1]
        if (i < 0 and j < 0) or i >= 4 or j > 5:
            continue
        total += grid[i, j]
    return total


def as_long_as_it_is_inside(grid, places, n):
    """Asks in the test of a loop, and changes the index."""
    total = 0
    for k in range(n):
        i = places[k, 0]
        while i >= 0 and i < 4:
            total += grid[i, k]
            i += 1
            total = total * 3 % 1009
            if k > 1:
                total += grid[i - 1, k]
    return total


@pytest.mark.parametrize("options", [{}, {"jit_compile": True}], ids=["default", "jit_compile"])
@pytest.mark.parametrize("places", PLACES)
@pytest.mark.parametrize(
    "program",
    [
        around,
        above_alone,
        other_length,
        in_one_of_both,
        but_for_those_outside,
        but_for_some,
        as_long_as_it_is_inside,
    ],
)
def test_what_a_program_has_asked_itself_is_what_python_finds(program, places, options):
    def outcome(call, grid, n):
        try:
            return int(call(grid, PLACES[places], n)), grid.tolist()
        except IndexError:
            return "it is outside", grid.tolist()

    graph = ag.function(program, **options)
    for n in range(5):
        grids = [np.arange(20).reshape(4, 5) for _ in range(2)]
        assert outcome(graph, grids[0], rt.asarray(n)) == outcome(program, grids[1], n)


@pytest.mark.parametrize("program", [around, but_for_those_outside])
def test_neighbours_that_were_asked_for_are_not_asked_about_again(program):
    specs = rt.TensorSpec((4, 5), "int64"), rt.TensorSpec((9, 2), "int64"), rt.TensorSpec((), "int64")
    source = str(lowered(ag.function(program).get_concrete_function(*specs).optimised_module))
    turn = source[source.index("while True") if "while True" in source else source.index("for ") :]
    assert turn.count("fail(") <= 2  # of the places alone


def said(*statements):
    """How many looks there are at `i` below what is asked."""
    test, i = Variable("t", bool_), Variable("i", int64)
    holds = Variable("h", bool_)
    checks = [
        Set(holds, inside_of(i, SIX)),
        If(Apply("logical_not", (holds,), bool_), [Fail(0)], []),
    ]
    function = Function("f", [i, test], [*statements, If(test, checks, [])], [])
    return sum(isinstance(each, Fail) for each in inside(looking_seldom(function).body))


def inside_of(i, length):
    low = Apply("greater_equal", (i, Number(0, int64)), bool_)
    return Apply("logical_and", (low, Apply("less", (i, length), bool_)), bool_)


def test_an_index_is_known_where_both_of_its_ends_were_asked_for():
    t, i = Variable("t", bool_), Variable("i", int64)
    assert said(Set(t, inside_of(i, SIX))) == 0
    assert said(Set(t, inside_of(i, Number(7, int64)))) == 1
    assert said(Set(t, Apply("less", (i, SIX), bool_))) == 1
    assert said(Set(t, inside_of(i, SIX)), Set(i, add(i, 1))) == 1
    other = Set(t, Number(True, bool_))
    assert said(Set(t, inside_of(i, SIX)), If(Variable("u", bool_), [other], [])) == 1


def test_a_truth_of_two_branches_says_what_the_one_says_that_may_hold():
    t, u, i = Variable("t", bool_), Variable("u", bool_), Variable("i", int64)
    low, high = inside_of(i, SIX).arguments
    no, yes = Set(t, Number(False, bool_)), Set(t, Number(True, bool_))
    assert said(Set(u, low), If(u, [Set(t, high)], [no])) == 0
    assert said(Set(u, low), If(u, [Set(t, high)], [yes])) == 1
    assert said(Set(u, low), If(u, [Set(t, high), Set(i, add(i, 1))], [no])) == 1
    assert said(Set(u, low), If(u, [Set(t, high), yes], [no])) == 1


def test_a_truth_that_does_not_hold_says_what_none_of_its_parts_says():
    t, u, i = Variable("t", bool_), Variable("u", bool_), Variable("i", int64)
    low, high = Apply("less", (i, Number(0, int64)), bool_), Apply("greater_equal", (i, SIX), bool_)
    no, yes = Set(t, Number(False, bool_)), Set(t, Number(True, bool_))
    assert said(Set(u, low), If(u, [no], [Set(t, Apply("less", (i, SIX), bool_))])) == 0
    assert said(Set(u, low), If(u, [yes], [Set(t, Apply("less", (i, SIX), bool_))])) == 1
    either = Apply("logical_or", (low, high), bool_)
    assert said(Set(t, Apply("logical_not", (either,), bool_))) == 0
    assert said(Set(t, either)) == 1
