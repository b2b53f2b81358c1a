"""Lists with items of several kinds, and dicts of known keys, that several lists hold, are one in each."""

import heapq
from textwrap import dedent

import numpy as np
import pytest

import autograph as ag
from runtime.errors import StateDisagrees
from tests.promises.kit import alike, function_of

CALLS = [
    (np.array([3, 1, 3, 2, 1]), np.array([0.5, 0.25, 1.0, 2.0, 4.0])),
    (np.array([1, 1]), np.array([1.0, 1.0])),
    (np.array([5]), np.array([0.5])),
]


def what_is_chosen_changes(names, scores):
    table = [[n, s] for n, s in zip(names, scores)]
    high = [row for row in table if row[1] > 0.4]
    for row in high:
        row[1] *= 2
    return table, high


def the_best_of_what_is_sorted(names, scores):
    table = [[n, s] for n, s in zip(names, scores)]
    table.sort(key=lambda row: row[1])
    for i, row in enumerate(table):
        row[1] += i
    best = max(table, key=lambda row: row[1])
    best[0] = -1
    return table, best


def records_by_rank(names, scores):
    people = [{"id": n, "score": s, "rank": 0} for n, s in zip(names, scores)]
    ranked = sorted(people, key=lambda person: -person["score"])
    for rank, person in enumerate(ranked):
        person["rank"] = rank
    return people, ranked[0]["id"]


def records_in_groups(names, scores):
    groups, records = {}, []
    for n, s in zip(names, scores):
        record = {"id": n, "score": s}
        records.append(record)
        groups.setdefault(n, []).append(record)
    for group in groups.values():
        total = sum(record["score"] for record in group)
        for record in group:
            record["score"] = record["score"] / total
    return records


def records_by_key(names, scores):
    accounts, log = {}, []
    for n, s in zip(names, scores):
        account = accounts.setdefault(n, {"balance": 0.0, "count": 0})
        account["balance"] += s
        account["count"] += 1
        log.append(account)
    for account in log:
        account["balance"] += 1
    return accounts


def a_queue_of_lists(names, scores):
    jobs = [[n, s, False] for n, s in zip(names, scores)]
    queue, steps = [job for job in jobs if job[1] > 0.3], 0
    while queue:
        job = queue.pop(0)
        if job[2]:
            continue
        job[2] = True
        job[1] -= 0.5
        steps += 1
        if job[1] > 0.5:
            job[2] = False
            queue.append(job)
    return jobs, steps


def a_heap_of_lists(names, scores):
    heap, done = [], []
    for n, s in zip(names, scores):
        heapq.heappush(heap, [s, n])
    while heap:
        item = heapq.heappop(heap)
        done.append(item)
        if item[0] < 1:
            item[0] += 1
            heapq.heappush(heap, [item[0], item[1] + 10])
    return done


def which_it_is(names, scores):
    rows = [[n, s] for n, s in zip(names, scores)]
    last = rows[0]
    for row in rows:
        if row[1] > last[1]:
            last = row
    last[1] = 100.0
    return rows, last is rows[0], last == rows[0], last in rows


def what_two_paths_leave(names, scores):
    rows = [{"n": n, "s": s} for n, s in zip(names, scores)]
    first, other = rows[0], rows[-1]
    for row in rows:
        row["s"] += 1
    if first["s"] > 1.6:
        other = rows[0]
    kept = [row for row in rows if row["s"] < first["s"]]
    other["s"] = 9.0
    return rows, kept, first is other, first == other


def what_is_in_a_record(names, scores):
    rows = [{"n": n, "s": s} for n, s in zip(names, scores)]
    for row in rows[:2] + [row for row in rows if row["n"] > 1]:
        row["s"] += 1
    found = []
    for row in rows:
        for value in row.values():
            found.append(value * 1.0)
        for key, value in row.items():
            found.append(value + len(key))
        n, s = row.values()
        found.append(n + s + len(row) + row.get("t", 5))
    return found, "n" in rows[0], "t" in rows[0], [*rows[0]]


def copies_are_others(names, scores):
    rows = [{"n": n, "s": s} for n, s in zip(names, scores)]
    high = [row for row in rows if row["s"] > 0.3]
    for row in high:
        row.update(s=1.5)
        row["n"] += row.get("s", 0) > 1
    copies = [dict(row) for row in high]
    for copy in copies:
        copy["s"] = 7.0
    return rows, copies


def a_list_in_a_record(names, scores):
    rows = [{"n": n, "s": s, "tags": [n]} for n, s in zip(names, scores)]
    for row in [row for row in rows if row["s"] > 0.3]:
        row["tags"].append(7)
        row["s"] = 0.0
    return rows


def helpers_and_handlers(names, scores):
    def bump(row, by):
        row[1] += by
        return row

    rows = [[n, s] for n, s in zip(names, scores)]
    picked = [bump(row, 1) for row in rows if row[0] > 1]
    for row in picked:
        bump(row, 2)
    try:
        picked[0][5] = 1
    except IndexError:
        bump(rows[0], 100)
    return rows, picked


def exchanged(names, scores):
    rows = [[n, s] for n, s in zip(names, scores)]
    for one, other in zip(rows, list(reversed(rows))):
        one[1], other[1] = other[1], one[1]
    n, s = rows[0]
    rows[0][1] += 5
    return rows, n, s, f"{rows[0][1]:.2f}"


def from_one_list_to_another(names, scores):
    left, right = [{"n": n, "s": s} for n, s in zip(names, scores)], []
    while len(left) > 1:
        row = left.pop()
        row["s"] += 1
        right.append(row)
    first = left[0]
    right.append(first)
    first["s"] = -1.0
    return left, right


def shown(names, scores):
    rows = [{"n": n, "s": s} for n, s in zip(names, scores)]
    high = [row for row in rows if row["s"] > 0.3]
    for row in high:
        row["s"] += 1
    print(rows, len(high))
    return str(high), [f"{row}" for row in rows]


PROGRAMS = [
    what_is_chosen_changes,
    the_best_of_what_is_sorted,
    records_by_rank,
    records_in_groups,
    records_by_key,
    a_queue_of_lists,
    a_heap_of_lists,
    which_it_is,
    what_two_paths_leave,
    what_is_in_a_record,
    copies_are_others,
    a_list_in_a_record,
    helpers_and_handlers,
    exchanged,
    from_one_list_to_another,
    shown,
]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_what_two_lists_hold_is_one_row(program):
    ag.check(program, *CALLS[0], then=CALLS[1:])


@pytest.mark.parametrize(
    "program", [what_is_chosen_changes, records_by_key, from_one_list_to_another, copies_are_others]
)
def test_what_is_one_row_is_one_in_the_result(program):
    function = ag.function(program)
    for names, scores in CALLS:
        assert alike(function(names, scores)) == alike(program(names, scores))


PUT = [
    "by.setdefault(int(row[0]) % 3, []).append(row)",
    "by[int(row[0]) % 3] = [row]",
    "by[int(row[0]) % 3] = row",
]


@pytest.mark.parametrize("put", PUT)
@pytest.mark.parametrize("made", ["[n, s]", "[n, n]", "{0: n, 's': s}"])
def test_a_row_of_a_list_that_python_knows_is_the_one_in_a_dict_of_the_graph(made, put):
    source = f"""
    def f(names, scores):
        rows, by = [{made} for n, s in zip(names, scores)], {{}}
        for row in rows:
            {put}
        return rows, by
    """
    program = function_of(dedent(source).strip())
    ag.check(program, *CALLS[2], then=CALLS[2:])


@pytest.mark.parametrize("change", ["row += [1]", "row.append(1)", "row.pop()", "del row[1]", "row[1] = [2]"])
def test_a_row_that_gets_longer_or_shorter_is_refused_as_before(change):
    source = f"""
    def f(names, scores):
        rows, picked = [[n, s] for n, s in zip(names, scores)], []
        for row in rows:
            if row[1] > 0.3:
                picked.append(row)
                {change}
        return rows
    """
    with pytest.raises(StateDisagrees):
        ag.function(function_of(dedent(source).strip()))(*CALLS[0])


def test_a_concrete_function_that_another_one_calls_gives_rows():
    concrete = ag.function(records_by_rank).get_concrete_function(*CALLS[0])

    @ag.function
    def outer(names, scores):
        people, best = concrete(names, scores)
        return len(people), best, people

    people, best = records_by_rank(*CALLS[0])
    assert alike(outer(*CALLS[0])) == alike((5, best, people))


TAKEN = [
    ("max(rows, key=lambda row: row[1])", "min(rows, key=lambda row: (row[0], row[1]))"),
    ("max(rows, key=lambda row: row[1])", "rows[-1]"),
    ("rows[0]", "rows[-1]"),
]


@pytest.mark.parametrize(("one", "other"), TAKEN)
@pytest.mark.parametrize("made", ["[n, n]", "[n, s]", "{0: n, 1: s}"])
def test_what_is_taken_from_a_list_twice_is_one_in_the_result(made, one, other):
    source = f"""
    def f(names, scores):
        rows = []
        for n, s in zip(names, scores):
            rows.append({made})
        return {one}, {other}
    """
    ag.check(function_of(dedent(source).strip()), *CALLS[0], then=CALLS[1:])
