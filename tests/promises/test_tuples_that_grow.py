"""Tuples that the turns of a loop make longer or shorter."""

import heapq
import json
from collections import defaultdict, deque

import numpy as np
import pytest

import autograph as ag
from runtime.errors import NoConcreteValue, StateDisagrees


def added(k, v):
    path = ()
    for i in range(k):
        path = path + (v * i,)  # noqa: RUF005  # what is tested
    return path, len(path), sum(path, 0.0)


def unpacked(k, v):
    path = (0,)
    for i in range(k):
        path = (*path, i * i % 5)
    return path, 4 in path, path[-1] * v, path == (0, 0, 1, 4)


def in_place(k, v):
    pairs, names = (), ()
    for i in range(k):
        pairs += ((i, v * i),)
        names += ("ab"[i % 2],)
    return pairs, [number for number, _ in pairs], "".join(names)


def until_it_is_long_enough(k, v):
    state = (1,)
    while len(state) < k * v:
        state = (*state, state[-1] + len(state))
    return state[::-1], state[1:]


def shorter(k, v):
    rest, total = (1.0, 2.0, 3.0, 4.0), v
    for _ in range(k):
        if len(rest) > 1:
            total += rest[0]
            rest = rest[1:]
    return rest, total


@pytest.mark.parametrize("program", [added, unpacked, in_place, until_it_is_long_enough, shorter])
def test_a_tuple_has_another_length_in_every_turn(program):
    then = [(np.int64(0), np.float64(0.5)), (np.int64(6), np.float64(2.5))]
    ag.check(program, np.int64(3), np.float64(1.5), then=then)


def of_a_tuple(k):
    path = ()
    for i in range(k):
        path = (*path, i + 1)
    match path:
        case (first, second):
            return first + 10 * second
        case (first,) | (first, _, _):
            return first
    return -1


def test_a_pattern_asks_how_long_it_is():
    ag.check(of_a_tuple, np.int64(2), then=[(np.int64(n),) for n in (0, 1, 3, 5)])


def grown(numbers):
    return tuple(number for number in numbers if number > 0)


def put(table, key):
    table[key] = 1


def changed(container, change):
    change(container)
    return container


KEYED = {
    "get": lambda found: {(1, 1): 5}.get(found, 1),
    "in a dict": lambda found: found in {(1, 1): 5},
    "in a set": lambda found: found in {(1, 1), (1, 2)},
    "item": lambda found: {(1, 1): 5, (1, 2): 6}[found],
    "in a tuple": lambda found: {(0, (1, 1)): 5}.get((0, found)),
    "assigned": lambda found: changed({(1, 1): 5}, lambda table: put(table, found)),
    "added": lambda found: changed({(1, 1)}, lambda table: table.add(found)),
    "discarded": lambda found: changed({(1, 1), (1, 2)}, lambda table: table.discard(found)),
    "set": lambda found: len({found, (1, 1)}),
    "dict": lambda found: {found: 1, (1, 1): 4},
    "counted": lambda found: changed(defaultdict(int), lambda table: table[found]),
    "looked up": lambda found: (1, 1) in {found: 1},
    "of others": lambda found: [key in {found: 1} for key in ((), (1,), (1.0, 1.0), ("a",), 3)],
}


@pytest.mark.parametrize("use", KEYED.values(), ids=KEYED)
def test_a_tuple_of_a_length_that_only_the_run_knows_is_a_key(use):
    ag.check(
        lambda numbers: use(grown(numbers)),
        np.array([1, 0, 1]),
        then=[(np.array([0]),), (np.array([], np.int64),), (np.array([0, 1, 2]),)],
    )


def words_counted(codes):
    counts, word = {}, []
    for code in codes:
        if code == 0:
            key = tuple(word)
            counts[key] = counts.get(key, 0) + 1
            word = []
        else:
            word.append(code)
    return counts, max(counts.values(), default=0)


def ways_seen(codes):
    seen, again = set(), []
    for i in range(len(codes)):
        way = tuple(code for code in codes[i:] if code > 1)
        if way in seen:
            again.append(i)
        seen.add(way)
    return len(seen), again, (2,) in seen, () in seen


def paths_to_numbers(codes):
    table = {}
    for i in range(len(codes)):
        path = ()
        for code in codes[i:]:
            if code == 0:
                break
            path = path + (code,)  # noqa: RUF005  # what is tested
        table[path] = i
    return table, sorted(table), [len(path) for path in table]


def emptied(codes):
    table = {}
    for i in range(len(codes)):
        key = tuple(code for code in codes[:i] if code)
        if key in table:
            table[key] += 1
        else:
            table[key] = 1
    for key in table:
        table[key] *= len(key)
    del table[()]
    return table


def halves(codes):
    table = {}
    table[tuple(code * 0.5 for code in codes if code)] = 1
    table[tuple(code * 0.5 for code in codes if code >= 0)] = 2
    print(table, len(table))
    return table


@pytest.mark.parametrize("program", [words_counted, ways_seen, paths_to_numbers, emptied, halves])
def test_programs_with_keys_of_many_lengths(program):
    ag.check(
        program, np.array([1, 2, 0, 1, 2, 0, 0, 2, 0]), then=[(np.array([0, 0, 1]),), (np.array([1, 2]),)]
    )


def test_the_hash_of_a_tuple_that_grows_is_refused():
    with pytest.raises(NoConcreteValue, match="only the run knows how long it is was hashed"):
        ag.function(lambda numbers: hash(grown(numbers)) == hash((0, 1)))(np.array([1, 0, 1]))


def test_the_text_of_a_tuple_that_grows_is_a_key():
    def program(numbers):
        table = {}
        for number in numbers:
            key = str(grown(numbers[:number]))
            table[key] = table.get(key, 0) + 1
        return table

    ag.check(program, np.array([1, 0, 2]), then=[(np.array([3, 3, 1]),)])


def test_a_tuple_that_grows_is_what_is_given_where_a_key_is_missing():
    def program(numbers, key):
        table = {1: (1, 2)}
        return table.get(key, grown(numbers)), table.pop(2, grown(numbers))

    ag.check(program, np.array([1, 0, 2]), np.int64(1), then=[(np.array([0]), np.int64(3))])


def test_a_tuple_of_several_kinds_that_grows_in_some_turns_is_refused_with_its_way_out():
    def program(numbers):
        found = ()
        for number in numbers:
            if number > 0:
                found += (number, [number])
        return found

    with pytest.raises(StateDisagrees, match=r"make a tuple of it after the loop: `tuple\(items\)`"):
        ag.function(program)(np.array([1, 0, 1]))


def small_ones(n, limit):
    found, first = (), ()
    for i in range(n):
        if i < limit:
            found += (i,)
        if i % 2 == 0:
            first = (i, *first)
    return found, len(found), sum(first), first[:2]


def constants(n, limit):
    found = (7,)
    for i in range(n):
        if i > limit:
            found += (1, 2)
        elif i == limit:
            found = (3,)
    return found, max(found)


def counted_down(n, limit):
    pairs = ()
    while n > 0:
        pairs = (*pairs, (n, "even")) if n % 2 == 0 else pairs
        n -= limit
    return pairs, [name for _, name in pairs]


def of_a_row(n, limit):
    found = ()
    for x in np.arange(5.0) * n:
        if x < limit:
            found += (x,)
    return found


@pytest.mark.parametrize("program", [small_ones, constants, counted_down, of_a_row])
def test_a_tuple_gets_longer_in_some_turns(program):
    i = np.int64
    ag.check(program, i(6), i(3), then=[(i(0), i(2)), (i(1), i(9)), (i(9), i(1))])


def combinations(n, k):
    found = []

    def choose(first, chosen):
        if len(chosen) == k:
            found.append(tuple(chosen))
            return
        for i in range(first, n + 1):
            choose(i + 1, [*chosen, i])

    choose(1, [])
    return found


def ways_in_a_queue(n, k):
    waiting, found = deque([(0, ())]), []
    while waiting:
        place, way = waiting.popleft()
        if place >= n:
            found.append(way)
            continue
        waiting.append((place + 1, (*way, place)))
        waiting.append((place + k, (*way, place)))
    return found, min(found), max(found, key=len), sorted(found, reverse=True)


def ways_in_a_heap(n, k):
    waiting = [(0, 0, (0,))]
    while waiting:
        cost, place, way = heapq.heappop(waiting)
        if place >= n:
            return cost, way
        heapq.heappush(waiting, (cost + k, place + 1, (*way, place + 1)))
        heapq.heappush(waiting, (cost + 2, place + 2, (*way, place + 2)))
    return None


def subsets(n, k):
    found = [()]
    for i in range(n):
        found = found + [(*each, i) for each in found if len(each) < k]
    return found, {len(each) for each in found}


def fewest(n, k):
    known = {0: ()}
    for total in range(1, n + 1):
        best = None
        for part in (1, k):
            if total - part in known:
                way = (*known[total - part], part)
                if best is None or len(way) < len(best):
                    best = way
        known[total] = best
    return known, known.get(n)


def prefixes(n, k):
    rows, row = [], ()
    for i in range(n):
        row = (i, *row[:k])
        rows.append(row)
    rows.sort(key=len)
    rows.extend([(9, 9), ()])
    return (
        (rows, rows.count(()), (1, 0) in rows, rows[-2] == (9, 9), rows == [(0,), (9, 9), ()]),
        ([each[::-1] for each in rows], [sum(each) for each in rows], sum(rows, ())),
        (f"{rows}", json.dumps(rows), [each[0] for each in rows if each]),
    )


def lists_in_them(n, k):
    rows = []
    for i in range(n):
        row = tuple([j] for j in range(i))
        rows.append(row)
        for each in row:
            each.append(k)
    return rows


def beside_names(n, k):
    found = []
    for i in range(n):
        found.append(tuple(range(i)))
        found.append(("x", i))
    return found


@pytest.mark.parametrize(
    "program",
    [
        combinations,
        ways_in_a_queue,
        ways_in_a_heap,
        subsets,
        fewest,
        prefixes,
        lists_in_them,
        beside_names,
    ],
)
def test_tuples_of_any_length_are_elements(program):
    i = np.int64
    ag.check(program, i(4), i(2), then=[(i(2), i(1)), (i(1), i(3)), (i(5), i(4))])


def test_whether_two_that_statements_leave_are_one_is_refused():
    def kept(n, k):
        best = last = ()
        for i in range(n):
            last = tuple(range(i))
            if i == k:
                best = last
        return best is last

    def chosen(n, k):
        first = tuple(range(n))
        second = first if k > 1 else (1, 2)
        return first is second

    for program in (kept, chosen):
        with pytest.raises(StateDisagrees, match="is compared with itself under another name"):
            ag.function(program)(np.int64(4), np.int64(2))
