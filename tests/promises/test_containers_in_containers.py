"""Sets, deques and dicts are elements of lists and dicts that grow: `graph[u].add(v)`, `table[i][j] = x`."""

from collections import Counter, defaultdict, deque

import numpy as np
import pytest

import autograph as ag
from runtime.errors import NoConcreteValue, StateDisagrees

EDGES = [(np.array(rows),) for rows in ([[1, 2], [2, 3], [1, 3], [1, 2]], [[0, 2], [2, 0], [5, 3]], [[1, 2]])]


def neighbours(edges):
    graph = defaultdict(set)
    for u, v in edges:
        graph[u].add(v)
        graph[v].add(u)
    return graph


def neighbours_put_in_first(edges):
    graph = {}
    for u, v in edges:
        if u not in graph:
            graph[u] = set()
        graph[u].add(v)
    return {u: sorted(graph[u]) for u in graph}


def neighbours_by_setdefault(edges):
    graph, back = {}, {}
    for u, v in edges:
        graph.setdefault(u, set()).add(v)
        back[v] = back.get(v, set()) | {u}
    return graph, back


def a_search(edges):
    graph = neighbours(edges)
    seen, todo, order = set(), [edges[0][0]], []
    while todo:
        u = todo.pop()
        if u in seen:
            continue
        seen.add(u)
        order.append(u)
        for v in sorted(graph[u]):
            if v not in seen:
                todo.append(v)
    return order


def what_neighbours_have_in_common(edges):
    graph, count = neighbours(edges), 0
    for u, v in edges:
        count += len(graph[u] & graph[v]) + (3 in graph[u])
    return count, sum(len(each) for each in graph.values()), [sorted(each) for each in graph.values()]


def a_set_under_a_name(edges):
    graph = defaultdict(set)
    for u, v in edges:
        own = graph[u]
        own.add(v)
        graph[u].discard(3)
    graph[2].clear()
    graph[edges[0][0]] = {7}
    taken = graph.pop(edges[0][0])
    taken.add(8)
    return graph, taken


def sets_in_a_list(edges):
    rows = []
    for _ in edges:
        rows.append(set())
    for u, v in edges:
        rows[u % len(rows)].add(v)
    return rows, {2} in rows


def queues(edges):
    levels, last = [], defaultdict(deque)
    for u, v in edges:
        levels.append(deque(maxlen=2))
        levels[-1].append(u)
        levels[0].append(v)
        last[u].append(v)
        if len(last[u]) > 1:
            last[u].popleft()
    return levels, last, f"{levels}"


def weights(edges):
    table = defaultdict(dict)
    for u, v in edges:
        table[u][v] = 1.5 * u
    total = 0.0
    for u, _ in edges:
        for v, weight in table[u].items():
            total += weight * v
    return table, total


def weights_put_in_first(edges):
    table = {}
    for u, v in edges:
        if u not in table:
            table[u] = {}
        table[u][v] = table[u].get(v, u) + v
    print(table)
    return table


def dicts_of_dicts_of_lists(edges):
    table = defaultdict(lambda: defaultdict(list))
    for u, v in edges:
        table[u % 2][v].append(u)
    return table


def counts(edges):
    table, beside = defaultdict(Counter), {}
    for u, v in edges:
        table[u][v] += 1
        beside.setdefault(u, Counter())[v] += 1
    return table, beside, table[edges[0][0]].most_common(1)


def dicts_with_other_keys(edges):
    rows = []
    for u, v in edges:
        rows.append({"from": u} if u > 1 else {"to": v})
    return rows, "to" in rows[0]


def records(edges):
    table = {}
    for u, v in edges:
        table[u] = {"count": 0, "seen": set(), "last": deque([v], maxlen=2)}
        table[u]["seen"].add(v)
        table[u]["last"].append(u)
        table[u]["count"] += 1
    return table


PROGRAMS = [
    *(
        neighbours,
        neighbours_put_in_first,
        neighbours_by_setdefault,
        a_search,
        what_neighbours_have_in_common,
    ),
    *(a_set_under_a_name, sets_in_a_list, queues, weights, weights_put_in_first, dicts_of_dicts_of_lists),
    *(counts, dicts_with_other_keys, records),
]


@pytest.mark.parametrize("program", PROGRAMS)
def test_containers_in_containers_are_changed_where_they_are(program):
    ag.check(program, *EDGES[0], then=EDGES[1:])


def one_set_in_every_row(edges):
    own, rows = set(), []
    for u, _ in edges:
        own.add(u)
        rows.append(own)
    return rows


def a_set_that_a_copy_of_its_dict_shares(edges):
    graph = neighbours(edges)
    copied = dict(graph)
    copied[2].add(99)
    return graph


@pytest.mark.parametrize("program", [one_set_in_every_row, a_set_that_a_copy_of_its_dict_shares])
def test_a_set_that_may_be_there_twice_is_not_changed(program):
    with pytest.raises(StateDisagrees, match="a set that is an element"):
        ag.function(program)(*EDGES[0])


def test_a_list_in_a_dict_that_was_copied_is_changed_in_both():
    def program(edges):
        graph = {}
        for u, v in edges:
            graph.setdefault(u, []).append(v)
        copied = dict(graph)
        copied[1].append(99)
        return graph

    ag.check(program, *EDGES[0])


def test_no_text_is_made_of_a_set_in_a_list():
    def program(edges):
        rows = []
        for u, v in edges:
            rows.append({u, v})
        return str(rows)

    with pytest.raises(NoConcreteValue, match="text is made of a set"):
        ag.function(program)(*EDGES[0])


GROUPS = {0: [0.0], 1: [1.0]}
ROWS = [[0.0], [1.0]]
PAIRS = [(0, [0.0]), (1, [1.0])]


def adds_a_group(x):
    if x > 1:
        GROUPS[2] = [x]
    return len(GROUPS)


def puts_a_row_first(x):
    if x > 1:
        ROWS.insert(0, [x])
    return len(ROWS)


def adds_a_pair(x):
    if x > 1:
        PAIRS.append((2, [x]))
    return len(PAIRS)


@pytest.mark.parametrize(
    ("f", "outside"), [(adds_a_group, GROUPS), (puts_a_row_first, ROWS), (adds_a_pair, PAIRS)]
)
@pytest.mark.parametrize("x", [0.0, 2.0])
def test_what_may_be_another_object_in_a_container_from_outside_that_grows_is_refused(f, outside, x):
    before = [*(outside.values() if isinstance(outside, dict) else outside)]
    with pytest.raises(StateDisagrees, match="from outside, with containers in it, grows"):
        ag.function(f)(np.float64(x))
    now = [*(outside.values() if isinstance(outside, dict) else outside)]
    assert len(now) == 2
    assert all(one is other for one, other in zip(before, now, strict=True))


def groups_by_default(groups, x):
    groups.setdefault("b" if x > 1 else "c", []).append(x)
    return len(groups)


def adds_a_row(rows, x):
    if x > 1:
        rows.append([x])
        rows[0].append(x)
    return len(rows)


def adds_an_array(rows, x):
    if x > 1:
        rows.append(np.full(2, x))
    return len(rows)


def adds_rows_in_turns(rows, x):
    i = 0
    while i < x:
        rows += [[i]]
        i += 1
    return len(rows)


def adds_sets_and_dicts(rows, x):
    if x > 1:
        rows.append({"x": x})
    rows[0]["y"] = x
    return len(rows)


@pytest.mark.parametrize(
    ("f", "outside"),
    [
        (groups_by_default, lambda: {"a": [0.0], "b": [1.0]}),
        (adds_a_row, lambda: [[0.0], [1.0]]),
        (adds_an_array, lambda: [np.zeros(2), np.ones(2)]),
        (adds_rows_in_turns, lambda: [[0], [1]]),
        (adds_sets_and_dicts, lambda: [{"x": 1.0}, {"x": 2.0}]),
    ],
)
@pytest.mark.parametrize("is_argument", [False, True])
def test_a_container_from_outside_that_only_grows_keeps_the_objects_in_it(f, outside, is_argument):
    kept = outside()
    calls = [(np.float64(x),) for x in (0.0, 2.0, 3.0)]
    if is_argument:
        ag.check(f, kept, *calls[0], then=[(kept, *call) for call in calls[1:]])
    else:
        ag.check(lambda x: f(kept, x), *calls[0], then=calls[1:])

    traced = ag.function(f if is_argument else lambda x: f(kept, x))
    before = [*(kept.values() if isinstance(kept, dict) else kept)]
    for call in calls:
        traced(*([kept] if is_argument else []), *call)
    after = [*(kept.values() if isinstance(kept, dict) else kept)]
    assert len(after) > len(before)
    assert all(one is other for one, other in zip(before, after, strict=False))


def a_list_put_back_at_a_known_index(n, v):
    rows = [[3.0], [v]]
    chosen = rows
    if n % 3 == 0:
        chosen = rows[::1]
    if v > 1:
        chosen[0].append(v)
        chosen[0] = rows[0]
    return chosen, rows


def a_list_that_has_grown_under_two_names(n, v):
    rows, row = [[0.0], [v]], [1.0]
    for i in range(n):
        row.append(v)
    rows[0] = row
    row.append(2.0)
    return rows, row


@pytest.mark.parametrize("program", [a_list_put_back_at_a_known_index, a_list_that_has_grown_under_two_names])
@pytest.mark.parametrize("n", [0, 2])
def test_what_is_put_into_a_list_at_a_known_index_is_the_object_itself(program, n):
    then = [(np.int64(2 - n), np.float64(2.0)), (np.int64(n), np.float64(0.0))]
    ag.check(program, np.int64(n), np.float64(2.0), then=then)


def test_a_trie_of_texts_that_only_the_run_knows_is_refused():
    def program(xs):
        trie = {}
        for x in xs:
            node = trie
            for digit in format(int(x), "02b"):
                node = node.setdefault(digit, {})
            node["$"] = node.get("$", 0) + 1
        return trie

    with pytest.raises(StateDisagrees, match="an element of a list which grows in a graph is changed"):
        ag.function(program)(np.array([1, 2, 3]))
