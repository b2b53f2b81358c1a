"""Two lists of a graph that hold the same rows: what is one row in Python is one."""

import collections
import copy
from textwrap import dedent

import numpy as np
import pytest

import autograph as ag
from runtime.errors import StateDisagrees
from tests.promises.kit import alike, function_of

GROWN = """
def f(n, v):
    g = [[1.0], [2.0, v]]
    d = {0: [1.0]}
    for j in range(n):
        g.append([v])
        d[j] = [v, v]
"""
CALL = np.int64(3), np.float64(2.0)
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
def test_a_copy_of_a_list_that_grows_holds_its_rows(text):
    program = function_of(f"{GROWN}    {text}\n    return g, h", collections=collections)
    assert alike(ag.function(program)(*CALL)) == alike(program(*CALL))


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
def test_a_list_that_holds_rows_twice_holds_one_row_twice(text):
    program = function_of(f"{GROWN}    return {text}", collections=collections)
    assert alike(ag.function(program)(*CALL)) == alike(program(*CALL))


def test_a_list_that_is_extended_by_itself_holds_one_row_twice():
    program = function_of(f"{GROWN}    g.extend(g)\n    return g", collections=collections)
    assert alike(ag.function(program)(*CALL)) == alike(program(*CALL))


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
def test_a_row_that_only_some_paths_take_from_a_list_is_changed_there(taken, change):
    program = function_of(f"{ROWS}    {taken.format(change)}\n    return h", collections=collections)
    assert alike(ag.function(program)(4.0, *CALL)) == alike(program(4.0, *CALL))


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


@pytest.mark.parametrize("program", [the_element_first, the_list_first])
def test_an_element_that_gives_way_with_its_list_is_one_object(program):
    ag.check(program, np.float64(1.0), then=[(np.float64(-1.0),)])


def test_an_element_that_gives_way_with_its_list_is_not_read_after_the_list_changed():
    with pytest.raises(StateDisagrees, match="is read after the list changed"):
        ag.function(read_in_the_statement)(np.float64(1.0))


def a_dict_that_gets_a_key(made, later, *, keys=("a", "b", "c")):
    first, second, third = map(repr, keys)
    return function_of(
        f"""
def f(n, v):
    d = {made}
    row = d[{first}]
    if n > 1:
        d[{third}] = d[{second}]
    {later}
    return d[{first}], len(row)
""",
        collections=collections,
    )


@pytest.mark.parametrize(
    ("made", "later"),
    [
        ("{0: [v], 1: 2.0}", "row.append(v)"),
        ("{0: {'x': v}, 1: {}}", "row['x'] = 5.0"),
    ],
)
def test_a_value_of_a_dict_that_has_got_a_key_since_is_not_changed_behind_it(made, later):
    program = a_dict_that_gets_a_key(made, later, keys=(0, 1, 2))
    with pytest.raises(StateDisagrees, match="is changed in place"):
        ag.function(program)(np.int64(3), np.float64(2.0))


@pytest.mark.parametrize(
    ("made", "later"),
    [
        ("{0: [v], 1: [2.0]}", "row.append(v)"),
        ("{0: [v], 1: [2.0]}", "row[0] = 5.0"),
        ("collections.OrderedDict({0: [v], 1: [2.0]})", "row.append(v)"),
    ],
)
def test_a_value_of_a_dict_that_is_held_by_number_is_changed_in_it(made, later):
    program = a_dict_that_gets_a_key(made, later, keys=(0, 1, 2))
    ag.check(program, np.int64(3), np.float64(2.0), then=[(np.int64(0), np.float64(1.0))])


@pytest.mark.parametrize(
    ("made", "later"),
    [
        ("{'a': [v], 'b': [2.0]}", "row.append(v)"),
        ("{'a': [v], 'b': [2.0]}", "row[0] = 5.0"),
        ("{'a': [v], 'b': 2.0}", "row.append(v)"),
        ("{'a': {'x': v}, 'b': {}}", "row['x'] = 5.0"),
    ],
)
def test_a_value_of_a_dict_of_strings_that_has_got_a_key_since_is_one_object(made, later):
    program = a_dict_that_gets_a_key(made, later)
    ag.check(program, np.int64(3), np.float64(2.0), then=[(np.int64(0), np.float64(1.0))])


def a_dict_that_holds_one_object_twice(put, keys):
    first, second, third, fourth = map(repr, keys)
    put = put.replace("[a]", f"[{first}]").replace("[b]", f"[{second}]")
    return function_of(f"""
def f(n, v):
    d, row = {{{fourth}: v}}, [v]
    {put}
    if n > 1:
        d[{third}] = v
    return d
""")


TWICE = ["d[a] = [row, row]", "d[a] = d[b] = row"]


@pytest.mark.parametrize("put", TWICE)
def test_a_dict_that_holds_one_object_twice_outlives_the_function(put):
    program = a_dict_that_holds_one_object_twice(put, (0, 1, 2, 3))
    ag.check(program, np.int64(3), np.float64(2.0), then=[(np.int64(0), np.float64(1.0))])


@pytest.mark.parametrize("put", TWICE)
def test_a_dict_of_strings_that_holds_one_object_twice_outlives_the_function(put):
    program = a_dict_that_holds_one_object_twice(put, ("a", "b", "c", "level"))
    ag.check(program, np.int64(3), np.float64(2.0), then=[(np.int64(0), np.float64(1.0))])


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


# ── one object in several turns ──


def put_in_by_each_turn(n):
    one, rows = [0], []
    for _ in range(n):
        rows.append(one)
    return rows


def put_in_by_a_comprehension(n):
    one = [0]
    rows = [one for _ in range(n)]
    rows[0].append(1)
    return rows


def under_each_key(n):
    one = [0]
    return {i: one for i in range(n)}


def under_each_key_of_a_loop(n):
    one, rows = [0], {}
    for i in range(n):
        rows[i] = one
    rows[0].append(1)
    return rows


def as_a_default(n):
    one, rows = [0], {}
    for i in range(n):
        rows.setdefault(i, one)
    rows[0].append(1)
    return rows


def in_tuples(n):
    one, rows = [0], []
    for i in range(n):
        rows.append((i, one))
    return rows


def until_another_one(n):
    one, rows = [0], []
    for i in range(n):
        if i % 2:
            one = [i]
        rows.append(one)
    return rows


def on_one_path(n):
    one = [0]
    rows = {i: (one if i > 1 else [i]) for i in range(n)}
    rows[0].append(1)
    return rows


SEVERAL_TIMES = [
    put_in_by_each_turn,
    put_in_by_a_comprehension,
    under_each_key,
    under_each_key_of_a_loop,
    as_a_default,
    in_tuples,
    until_another_one,
]


@pytest.mark.parametrize("program", SEVERAL_TIMES, ids=lambda program: program.__name__)
def test_an_object_that_several_turns_put_into_a_list_is_one(program):
    found = ag.function(program)(np.int64(4))
    assert alike(found) == alike(program(np.int64(4)))


def test_a_list_that_an_expression_chooses_beside_a_new_one_is_not_changed():
    with pytest.raises(StateDisagrees, match="is changed in place"):
        ag.function(on_one_path)(np.int64(4))


# ── dicts of lists that a comprehension makes ──


def neighbours(edges, n):
    near = {i: [] for i in range(n)}
    for a, b in edges:
        for u, v in ((a, b), (b, a)):
            near[u].append(v)
    return near, {k: len(v) for k, v in near.items()}, max(near, key=lambda k: len(near[k]))


def sets_and_dicts(edges, n):
    seen, weights = {i: set() for i in range(n)}, {i: {} for i in range(n)}
    for a, b in edges:
        seen[a].add(b)
        weights[b][a] = 1.5
    return {k: sorted(v) for k, v in seen.items()}, weights


def made_longer_in_place(edges, n):
    near, known = {i: [i] for i in range(n)}, collections.defaultdict(list)
    for a, b in edges:
        near[a] += [b]
        known[b] += [a, a]
    first = near[0]
    first += [7]
    near[0] = first
    return near, known


def records(edges, n):
    rows = {i: {"count": 0, "near": []} for i in range(n)}
    for a, b in edges:
        rows[a]["count"] += 1
        rows[a]["near"].append(b)
    return rows


@pytest.mark.parametrize("program", [neighbours, sets_and_dicts, made_longer_in_place, records])
def test_what_a_dict_comprehension_makes_is_changed_where_it_is(program):
    edges = np.array([[2, 0], [1, 0]]), np.array([[0, 1], [0, 2], [1, 2]])
    ag.check(program, edges[0], np.int64(3), then=[(edges[1], np.int64(4))])


def kept_outside(n):
    made = []

    def new(i):
        made.append([i])
        return made[-1]

    rows = {i: new(i) for i in range(n)}
    rows[0].append(5)
    return rows, made


def under_a_name(n):
    rows = {i: (last := [i]) for i in range(n)}
    last.append(99)
    return rows


def of_another_list(n):
    rows = [[i] for i in range(n)]
    by_number = {i: rows[i] for i in range(n)}
    by_number[0].append(5)
    return rows


@pytest.mark.parametrize("program", [kept_outside, under_a_name, of_another_list])
def test_what_a_dict_comprehension_takes_from_elsewhere_is_one(program):
    assert alike(ag.function(program)(np.int64(4))) == alike(program(np.int64(4)))


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
def test_a_copy_of_a_list_holds_the_element_beside_it(copied):
    function = function_of(BESIDE.replace("COPY", copied), copy=copy)
    assert alike(ag.function(function)(*CALL)) == alike(function(*CALL))


def test_an_element_is_changed_in_a_copy_of_its_list():
    function = function_of(BESIDE.replace("h = COPY", "h = copy.copy(g)\n    row.append(v)"), copy=copy)
    assert alike(ag.function(function)(*CALL)) == alike(function(*CALL))


def test_a_zip_of_a_list_with_a_part_of_it_holds_its_elements_twice():
    def neighbours(n):
        rows = []
        for i in range(n):
            rows.append([i])
        return list(zip(rows, rows[:2], strict=False))

    found, expected = ag.function(neighbours)(np.int64(3)), neighbours(np.int64(3))
    assert found[0][0] is found[0][1]
    assert alike(found) == alike(expected)


TWO_ELEMENTS = {
    "of a list": "rows.append([k])|rows[i], rows[j]",
    "of a list, and the one put in last": "last = [k]\n        rows.append(last)|last, rows[i], rows[0]",
    "of a dict": "held[k] = [k]|held[i], held[j]",
    "of objects": "boxes.append(Box())|boxes[i].a, boxes[j].a, boxes[i].b",
    "that are written to": "rows.append([k])|rows[i].append(9) or rows[i], rows[j]",
    "at known indices": "rows.append([k])|rows[0], rows[-1], rows[1]",
}


@pytest.mark.parametrize("elements", TWO_ELEMENTS)
def test_two_elements_that_are_given_back_are_one_where_their_indices_are(elements):
    made, given = TWO_ELEMENTS[elements].split("|")
    program = function_of(f"""
class Box:
    def __init__(self):
        self.a, self.b = [], []

def f(n, i, j):
    rows, boxes, held, last = [], [], dict(), []
    for k in range(n):
        {made}
    return {given}
""")
    ag.check(program, *np.array([3, 0, 1]), then=[tuple(np.array(each)) for each in ((3, 1, 1), (3, 2, 0))])


def test_two_elements_of_which_no_graph_knows_whether_they_are_one_are_refused():
    program = function_of("""
def f(n, i, j):
    held = {}
    for k in range(n):
        held[k] = {k}
    return held[i], held[j]
""")
    with pytest.raises(
        StateDisagrees, match="a set that was taken from a list outlives the function beside another one"
    ):
        ag.function(program)(*np.array([3, 0, 1]))


@pytest.mark.parametrize(
    "put",
    [
        "by.setdefault(int(row[0]) % 3, []).append(row)",
        "by.setdefault(int(row[0]) % 3, []).insert(0, row)",
        "by.setdefault(int(row[0]) % 3, []).extend([row])",
        "group = []; by[int(row[0]) % 3] = group; group.append(row)",
        "group = by.setdefault(int(row[0]) % 3, []); group += [row]",
    ],
)
def test_what_an_element_is_given_later_is_in_the_container_too(put):
    source = f"""
    def f(x):
        rows = [[n, n + 1] for n in x]
        first, by = rows[0], {{}}
        for row in rows:
            {put}
        for key in by:
            for row in by[key]:
                row[0] += 1
        return first, rows
    """
    f = function_of(dedent(source).strip())
    ag.check(f, np.array([5]), then=[(np.array([3]),)])


@pytest.mark.parametrize("row", ["g[n]", "g[0]"])
def test_a_row_of_an_argument_that_is_kept_and_changed_later_is_no_copy_of_it(row):
    program = function_of(
        f"""
def f(g, n):
    for k in range(n):
        g.append([5])
    KEPT.append(g[n])
    {row}.append(1)
""",
        KEPT=[],
    )
    with pytest.raises(StateDisagrees, match="is read after the list changed"):
        ag.function(program)([[1], [2]], np.int64(1))


def check_or_refuse(program, calls):
    """Sees to it that a graph does what Python does, or says that its lists cannot."""
    try:
        ag.function(program)(*calls[0])
    except StateDisagrees as error:
        assert "keeps the values of its elements" in str(error)  # the other outcome that is allowed
    else:
        ag.check(program, *calls[0], then=calls[1:])


@pytest.mark.parametrize(
    "made",
    ["{%s: [%s]}", "defaultdict(list, {%s: [%s]})", "OrderedDict({%s: [%s]})"],
    ids=lambda made: made[:5],
)
@pytest.mark.parametrize("asked", ["b.setdefault(n, [])", "b.get(1)"])
def test_an_element_of_a_dict_that_turns_copy_is_changed_in_all_or_refused(made, asked):
    program = function_of(
        f"""
def f(n):
    a, b = {made % (1, 3)}, {made % (1, "n")}
    for i in range(n):
        b = a if n % 2 == 0 else b
    {asked}
    a[1].append(n)
    return a[1], b[1]
""",
        defaultdict=collections.defaultdict,
        OrderedDict=collections.OrderedDict,
    )
    check_or_refuse(program, [(np.int64(n),) for n in (3, 2, 0, 1)])


@pytest.mark.parametrize("change", ["", "held['rows'][1].append(n)", "held['rows'][0].append(n)"])
def test_an_element_that_holds_one_list_twice_holds_one(change):
    program = function_of(
        f"""
def f(n):
    held = {{}}
    if n != 2:
        held["rows"] = [[20], [21]]
    else:
        held["rows"] = [[20], [22, n]]
    held["rows"][0] = held["rows"][1]
    {change or "pass"}
    return held
"""
    )
    ag.check(program, np.int64(3), then=[(np.int64(2),), (np.int64(0),)])


@pytest.mark.parametrize("item", ["[%s]", "{'k': %s}"])
def test_a_list_of_several_lengths_that_holds_one_object_twice_is_not_two_objects(item):
    program = function_of(
        f"""
def f(n):
    rows = [{item % "3"}, {item % "n"}]
    if n > 1:
        rows[0] = rows[1]
    if n > 2:
        rows = [{item % "5"}]
    return rows
"""
    )
    check_or_refuse(program, [(np.int64(n),) for n in (3, 2, 0)])


@pytest.mark.parametrize("other", ["rows[0]", "rows[1]", "cols[0]"])
def test_an_element_of_a_list_that_a_tensor_chooses_is_returned_as_what_it_is(other):
    program = function_of(
        f"""
def f(n):
    rows, cols = [], []
    for i in range(n):
        rows.append([i])
        cols.append([i])
    return (rows if n > 2 else cols)[0], {other}
"""
    )
    ag.check(program, np.int64(3), then=[(np.int64(2),)])
