"""Two lists of a graph that hold the same rows do not outlive a function: the rows would be copies."""

import collections
import copy

import numpy as np
import pytest

import autograph as ag
from runtime.errors import StateDisagrees
from tests.promises.kit import function_of

GROWN = """
def f(n, v):
    g = [[1.0], [2.0, v]]
    d = {0: [1.0]}
    for j in range(n):
        g.append([v])
        d[j] = [v, v]
"""
COPIES = [
    "h = g[:]",
    "h = g[::-1]",
    "h = list(g)",
    "h = tuple(g)",
    "h = [*g]",
    "h = sorted(g)",
    "h = [r for r in g if r[0] > 0]",
    "h = list(reversed(g))",
    "h = list(map(lambda r: r, g))",
    "h = list(enumerate(g))",
    "h = g.copy()",
    "h = {'k': g + [[v]]}",
    "h = []\n    h.extend(g)",
    "h = []\n    h[:] = g",
    "h = []\n    for r in g:\n        h.append(r)",
    "first, *h = g",
    "h = collections.deque(g)",
    "g, h = d, dict(d)",
    "g, h = d, d.copy()",
    "g, h = d, list(d.values())",
]


@pytest.mark.parametrize("text", COPIES)
def test_a_copy_of_a_list_that_grows_does_not_outlive_the_function_beside_it(text):
    program = function_of(f"{GROWN}    {text}\n    return g, h", collections=collections)
    with pytest.raises(StateDisagrees, match=r"that holds the same elements|of which it is an element"):
        ag.check(program, np.int64(3), np.float64(2.0), executors=["numpy"])


@pytest.mark.parametrize("text", COPIES)
def test_it_does_alone(text):
    program = function_of(f"{GROWN}    {text}\n    return h", collections=collections)
    ag.check(program, np.int64(3), np.float64(2.0), executors=["numpy"])


@pytest.mark.parametrize(
    "text",
    [
        "g + g",
        "g * 2",
        "list(zip(g, g))",
        "[*g, *g]",
        "(*g, *g)",
        "[*g, g[0]]",
        "g + [g[n - 1]]",
        "g + g[1:]",
        "g[:n] + g[:2]",
        "sorted(g) + g",
        "g + [r for r in g if r[0] > 1.0]",
        "[*g, *g][:]",
        "collections.deque(g) + collections.deque(g)",
    ],
)
def test_a_list_that_holds_all_rows_twice_does_not_outlive_the_function(text):
    program = function_of(f"{GROWN}    return {text}", collections=collections)
    with pytest.raises(StateDisagrees, match="holds one object twice"):
        ag.check(program, np.int64(3), np.float64(2.0), executors=["numpy"])


def test_a_list_that_is_extended_by_itself_does_not_outlive_the_function():
    program = function_of(f"{GROWN}    g.extend(g)\n    return g", collections=collections)
    with pytest.raises(StateDisagrees, match="holds one object twice"):
        ag.check(program, np.int64(3), np.float64(2.0), executors=["numpy"])


@pytest.mark.parametrize(
    "text",
    [
        "return g, [list(r) for r in g]",
        "g = g[: n - 1] + [[v]] + g[n:]\n    return g",
        "return g[n:] + g[:n]",
        "g[:] = sorted(g)\n    return g",
        "g.extend([list(r) for r in g])\n    return g",
        "g = [*g, [v]]\n    g = [*g, [v]]\n    return g",
        "return [len(r) for r in g], [r[0] for r in g]",
        "h = [r[0] for r in g]\n    return h, h[:]",
    ],
)
def test_rows_that_are_copied_are_other_rows(text):
    program = function_of(f"{GROWN}    {text}", collections=collections)
    ag.check(program, np.int64(3), np.float64(2.0), executors=["numpy"])


def turned_round_on_a_path(n, v):
    g = [[1.0], [2.0, v], [3.0]]
    h = g
    g = g[::-1]
    if n > 1:
        g = g[::-1]
        g.append([v])
    return g, h


def longer_on_a_path(n, v):
    row = [1.0]
    g = [row]
    if n > 1:
        g = [row, [v]]
    return g, row


@pytest.mark.parametrize("program", [turned_round_on_a_path, longer_on_a_path])
def test_rows_that_two_paths_put_into_lists_of_two_lengths_are_no_rows_beside_these(program):
    with pytest.raises(StateDisagrees, match="outlives the function beside the list"):
        ag.check(program, np.int64(3), np.float64(2.0), executors=["numpy"])


ROWS = """
def f(x, n, v):
    h = [[v]]
    for j in range(n):
        h.append([x])
    g = [[1.0], [3.0]]
"""
TRIED = "try:\n        g[0] = h[0]\n        if n > 2: raise ValueError\n    except ValueError:\n        "
TAKEN = [
    "if n > 2:\n        g[0] = h[0]\n    {}",
    f"{TRIED}pass\n    {{}}",
    f"{TRIED}{{}}",
    "g = collections.deque(g)\n    if n > 2:\n        g[0] = h[0]\n    {}",
    "g = {{0: [1.0]}}\n    if n > 2:\n        g[0] = h[0]\n    {}",
]


@pytest.mark.parametrize("taken", TAKEN)
@pytest.mark.parametrize(
    "change", ["g[0][0] = x", "g[0][0] += 1.0", "g[0].append(x)", "r = g[0]; r[0] = 5.0"]
)
def test_a_row_that_only_some_paths_take_from_a_list_is_not_changed_in_another_container(taken, change):
    program = function_of(f"{ROWS}    {taken.format(change)}\n    return h", collections=collections)
    with pytest.raises(
        StateDisagrees, match="an element of a list which grows in a graph is changed in place"
    ):
        ag.check(program, 4.0, np.int64(3), np.float64(2.0), executors=["numpy"])


def test_a_row_that_every_path_takes_from_a_list_is_changed_there():
    program = function_of(f"{ROWS}    g[0] = h[0]\n    g[0][0] = x\n    return h", collections=collections)
    ag.check(program, 4.0, np.int64(3), np.float64(2.0), executors=["numpy"])


# ── an element and its list give way to lists of the graph in one statement ──


def the_element_first(x):
    first = [1.0]
    rows = [first]
    if x > 0:
        first.append(x)
        rows.append([x])
    rows[0].append(5.0)
    return list(first), len(rows)


def the_list_first(x):
    first = [1.0]
    rows = [first]
    if x > 0:
        rows.append([x])
        first.append(x)
    rows[0].append(5.0)
    return list(first), len(rows)


def read_in_the_statement(x):
    first = [1.0]
    rows = [first]
    if x > 0:
        rows.append([x])
        first.append(x)
        rows[0].append(7.0)
        return list(first)
    return rows[0]


@pytest.mark.parametrize("program", [the_element_first, the_list_first, read_in_the_statement])
def test_an_element_that_gives_way_with_its_list_is_not_read_after_the_list_changed(program):
    with pytest.raises(StateDisagrees, match="is read after the list changed"):
        ag.function(program)(np.float64(1.0))


@pytest.mark.parametrize(
    ("made", "later"),
    [
        ("{'a': [v], 'b': [2.0]}", "row.append(v)"),
        ("{'a': [v], 'b': [2.0]}", "row[0] = 5.0"),
        ("{'a': [v], 'b': 2.0}", "row.append(v)"),
        ("{'a': {'x': v}, 'b': {}}", "row['x'] = 5.0"),
        ("collections.OrderedDict(a=[v], b=[2.0])", "row.append(v)"),
    ],
)
def test_a_value_of_a_dict_that_has_got_a_key_since_is_not_changed_behind_it(made, later):
    program = function_of(
        f"""
def f(n, v):
    d = {made}
    row = d['a']
    if n > 1:
        d['c'] = d['b']
    {later}
    return d['a'], len(row)
""",
        collections=collections,
    )
    with pytest.raises(StateDisagrees, match="is changed in place"):
        ag.function(program)(np.int64(3), np.float64(2.0))


@pytest.mark.parametrize("put", ["d['a'] = [row, row]", "d['a'] = d['b'] = row"])
def test_a_dict_that_holds_one_object_twice_does_not_outlive_the_function(put):
    program = function_of(f"""
def f(n, v):
    d, row = {{'level': v}}, [v]
    {put}
    if n > 1:
        d['c'] = v
    return d
""")
    with pytest.raises(StateDisagrees, match="holds one object twice"):
        ag.function(program)(np.int64(3), np.float64(2.0))


def test_a_value_of_a_dict_that_has_got_a_key_since_is_changed_in_it():
    def program(n, v):
        d = {"a": [v], "b": [2.0]}
        if n > 1:
            d["c"] = [v]
        d["a"].append(v)
        for row in d.values():
            row.append(1.0)
        return len(d["a"]), d["b"], len(d)

    ag.check(program, np.int64(3), np.float64(2.0), then=[(np.int64(1), np.float64(0.5))])


OF_LISTS = [
    "g[:]",
    "[*g]",
    "tuple(g)",
    "g.copy()",
    "copy.copy(g)",
    "[r for r in g]",
    "g + []",
    "sorted(g)",
    "g[0]",
]
OF_DICTS = ["dict(d)", "{**d}", "d | {}", "{k: r for k, r in d.items()}", "dict(d.items())", "copy.copy(d)"]
BESIDE = """
def f(n, v):
    row, kept = [1.0], [3.0]
    g, d = [row, [2.0, v]], {0: kept, 9: [v]}
    for j in range(n):
        g.append([v])
        d[j + 1] = [v, v]
    h = COPY
    return row, kept, h
"""


@pytest.mark.parametrize("copied", [*OF_LISTS, *OF_DICTS, "list(d.values())"])
def test_a_copy_of_a_list_does_not_outlive_a_function_beside_an_element(copied):
    function = function_of(BESIDE.replace("COPY", copied), copy=copy)
    with pytest.raises(StateDisagrees, match="outlives the function beside"):
        ag.function(function)(np.int64(3), np.float64(2.0))


def test_a_copy_is_no_place_to_which_an_element_is_written_back():
    function = function_of(BESIDE.replace("h = COPY", "h = copy.copy(g)\n    row.append(v)"), copy=copy)
    with pytest.raises(StateDisagrees, match="is changed in place"):
        ag.function(function)(np.int64(3), np.float64(2.0))
