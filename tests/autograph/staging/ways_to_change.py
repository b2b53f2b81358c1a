"""Functions that change an argument, each in another way."""

import copy
import heapq
import itertools
import operator
from collections import defaultdict, deque
from functools import reduce


def by_alias(xs):
    ys = xs
    ys.append(1)


def by_second_name(xs):
    ys = zs = xs
    del zs[0]
    return len(ys)


def by_pair(xs):
    ys, n = xs, 1
    ys[0] = n


def by_unpacking(rows):
    first, *_ = rows
    first.append(1)


def by_starred(rows):
    _, *others = rows
    others[0].append(1)


def by_display(xs):
    held = [xs]
    held[0].append(1)


def by_dict(xs):
    held = {"xs": xs}
    held["xs"].append(1)


def by_get(xs):
    held = {"xs": xs}
    held.get("xs", []).append(1)


def by_setdefault(xs):
    held = {}
    held.setdefault("xs", xs).append(1)


def by_values(xs):
    for each in {"xs": xs}.values():
        each.append(1)


def by_items(xs):
    for _, each in {"xs": xs}.items():
        each.append(1)


def by_slice(rows):
    rows[:1][0].append(1)


def by_slice_of_copy(rows):
    copied = rows[:]
    copied[0].append(1)


def to_slice(xs):
    xs[1:] = []


def by_item(rows):
    rows[0][0] = 5


def by_item_in_place(rows):
    rows[0] += [1]


def by_number_in_place(rows):
    rows[0] *= 2


def in_place(xs):
    xs += [1]


def in_place_by_text(xs):
    xs += "text"


def in_place_twice(xs):
    ys = xs
    ys *= 2


def sets_in_place(xs):
    xs |= {9}


def sets_less(xs):
    xs -= {1}


def sets_toggled(xs):
    xs ^= {1, 7}


def by_loop(rows):
    for row in rows:
        row.append(1)


def by_loop_else(rows):
    last = []
    for row in rows:
        last = row
    else:
        last.append(1)


def by_while(xs):
    while xs:
        xs.pop()


def by_enumerate(rows):
    for _, row in enumerate(rows):
        row.append(1)


def by_zip(rows):
    for row, _ in zip(rows, rows, strict=True):
        row.append(1)


def by_reversed(rows):
    for row in reversed(rows):
        row.clear()


def by_iterator(rows):
    next(iter(rows)).append(1)


def by_comprehension(xs):
    return [xs.append(x) for x in (1, 2)]


def by_nested_comprehension(rows):
    [row.append(1) for row in [each for each in rows]]


def by_dict_comprehension(rows):
    held = {len(row): row for row in rows}
    held[1].append(1)


def by_generator(xs):
    return sum(xs.pop() for _ in range(2))


def by_inner_generator(xs):
    def each():
        yield xs.pop()
        yield xs.pop()

    return sum(each())


def by_yielded(rows):
    def each():
        yield from rows

    for row in each():
        row.append(1)


def by_walrus(xs):
    if (ys := xs) is not None:
        ys.append(1)


def by_choice(xs):
    ys = xs if len(xs) > 1 else []
    ys.append(1)


def by_or(xs):
    ys = xs or [1]
    ys.append(1)


def by_max(rows):
    max(rows).append(1)


def by_min_of_two(xs):
    min(xs, [99]).append(1)


def by_max_with_key(rows):
    max(rows, key=len).append(1)


def by_sorted(rows):
    sorted(rows)[0].append(1)


def by_sorted_with_key(rows):
    sorted(rows, key=lambda row: -len(row))[0].append(1)


def by_key(rows):
    return sorted(rows, key=lambda row: row.append(1) or len(row))


def by_sort_key(rows):
    copied = [*rows]
    copied.sort(key=lambda row: row.append(1) or len(row))


def by_sum(rows):
    total = sum([], rows)
    total.append([1])


def by_map(rows):
    return [*map(lambda row: row.append(1), rows)]


def by_map_of_classes(rows):
    for row in map(list, [rows]):
        row[0].append(1)


def by_filter(rows):
    for row in filter(None, rows):
        row.append(1)


def by_reduce(rows):
    reduce(lambda one, other: one if len(one) else other, rows).append(1)


def by_chain(rows):
    for row in itertools.chain(rows, []):
        row.append(1)


def by_repeat(xs):
    for each in itertools.repeat(xs, 2):
        each.append(1)


def by_heap(xs):
    heapq.heapify(xs)
    heapq.heappush(xs, -1)


def by_heap_of_lists(rows):
    heap = []
    for row in rows:
        heapq.heappush(heap, row)
    heapq.heappop(heap).append(1)


def by_deque(rows):
    queue = deque(rows)
    queue.popleft().append(1)


def by_default_dict(rows):
    groups = defaultdict(list)
    groups["a"].extend(rows)
    groups["a"][0].append(1)


def by_default_of_lambda(xs):
    groups = defaultdict(lambda: xs)
    groups["a"].append(1)


def by_counter(counts):
    counts.update({"a": 3})


def by_from_keys(xs):
    held = dict.fromkeys("ab", xs)
    held["a"].append(1)


def by_from_keys_of_a_pair(xs):
    pair = ("ab", xs)
    dict.fromkeys(*pair)["a"].append(1)


def by_dict_of_pairs(xs):
    dict([("a", xs)])["a"].append(1)


def by_dict_with_name(xs):
    dict(a=xs)["a"].append(1)


def by_shallow_copy(rows):
    copy.copy(rows)[0].append(1)


def by_method_copy(rows):
    rows.copy()[0].append(1)


def by_sum_of_lists(rows):
    next(iter(rows)).append(1)


def by_repeated(rows):
    (rows * 2)[0].append(1)


def by_union(held):
    (held | {})["a"].append(1)


def by_tuple(xs):
    pair = (xs, 1)
    pair[0].append(1)


def put(target, value):
    target.append(value)


def by_callee(xs):
    put(xs, 1)


def by_callee_of_callee(rows):
    for row in rows:
        by_callee(row)


def given_back(x):
    return x


def by_result(xs):
    given_back(xs).append(1)


def by_keyword(xs):
    put(value=1, target=xs)


def by_inner_function(xs):
    def change():
        xs.append(1)

    change()


def by_inner_alias(xs):
    ys = []

    def change():
        ys.append(1)

    ys = xs
    change()


def by_nonlocal(xs):
    ys = []

    def point():
        nonlocal ys
        ys = xs

    point()
    ys.append(1)


def by_inner_default(xs):
    ys = xs

    def change(held=ys):
        held.append(1)

    ys = []
    change()
    return ys


def by_recursion(xs, n=2):
    if n:
        by_recursion(xs, n - 1)
    else:
        xs.append(1)


def by_swap(xs, ys):
    for _ in range(3):
        xs, ys = ys, xs
    xs.append(1)


def by_late_generator(xs):
    ys = []
    later = (ys.append(x) for x in (1, 2))
    ys = xs
    return [*later]


def by_star(*rows):
    rows[0].append(1)


def by_starred_call(rows):
    max(*rows, []).append(1)


def by_try(xs):
    try:
        ys = xs
        ys[99] = 1
    except IndexError:
        ys = xs
    finally:
        ys.append(1)


def by_loop_variable_kept(rows):
    row = []
    for row in rows:
        pass
    row.append(1)


def by_deep_content(xs):
    held = [[[]]]
    held[0][0].append(xs)
    held[0][0][0].append(1)


def by_own_cycle(xs):
    held = []
    held.append(held)
    held[0].append(xs)
    held[1].append(1)


def by_method_of_class(xs):
    list.append(xs, 1)


def by_class_in_variable(xs):
    kind = type(xs)
    kind.append(xs, 1)


def by_class_in_list(xs):
    kinds = [list]
    kinds[0].append(xs, 1)


def by_bound_method(xs):
    add = xs.append
    add(1)


def by_operator(xs):
    operator.iadd(xs, [1])


def by_map_of_heaps(rows):
    return [*map(heapq.heapify, rows)]


def by_key_of_c(rows):
    return max(rows, key=heapq.heappop)


ONE, TWO, DICT, SET = [3, 1, 2], [[3], [2, 1]], {"a": [1]}, {1, 2}
CHANGING = [
    *[(function, (ONE,)) for function in (by_alias, by_second_name, by_pair, by_display, by_dict, by_get)],
    *[(function, (ONE,)) for function in (by_setdefault, by_values, by_items, to_slice, in_place)],
    *[(function, (ONE,)) for function in (in_place_by_text, in_place_twice, by_while, by_comprehension)],
    *[(function, (ONE,)) for function in (by_generator, by_inner_generator, by_walrus, by_choice, by_or)],
    *[(function, (ONE,)) for function in (by_min_of_two, by_repeat, by_heap, by_default_of_lambda)],
    *[
        (function, (ONE,))
        for function in (by_from_keys, by_from_keys_of_a_pair, by_dict_of_pairs, by_dict_with_name, by_tuple)
    ],
    *[(function, (ONE,)) for function in (by_callee, by_result, by_keyword, by_inner_function)],
    *[(function, (ONE,)) for function in (by_inner_alias, by_nonlocal, by_inner_default, by_recursion)],
    *[(function, (ONE,)) for function in (by_late_generator, by_star, by_try, by_deep_content)],
    *[(function, (ONE,)) for function in (by_own_cycle, by_method_of_class, by_class_in_variable)],
    *[(function, (ONE,)) for function in (by_class_in_list, by_bound_method, by_operator)],
    *[(function, (TWO,)) for function in (by_unpacking, by_starred, by_slice, by_slice_of_copy, by_item)],
    *[(function, (TWO,)) for function in (by_item_in_place, by_number_in_place, by_loop, by_loop_else)],
    *[(function, (TWO,)) for function in (by_enumerate, by_zip, by_reversed, by_iterator, by_yielded)],
    *[(function, (TWO,)) for function in (by_nested_comprehension, by_dict_comprehension, by_max)],
    *[(function, (TWO,)) for function in (by_max_with_key, by_sorted, by_sorted_with_key, by_key)],
    *[(function, (TWO,)) for function in (by_sort_key, by_sum, by_map, by_map_of_classes, by_filter)],
    *[(function, (TWO,)) for function in (by_reduce, by_chain, by_heap_of_lists, by_deque)],
    *[(function, (TWO,)) for function in (by_default_dict, by_shallow_copy, by_method_copy)],
    *[(function, (TWO,)) for function in (by_sum_of_lists, by_repeated, by_callee_of_callee)],
    *[
        (function, (TWO,))
        for function in (by_starred_call, by_loop_variable_kept, by_map_of_heaps, by_key_of_c)
    ],
    *[(function, (SET,)) for function in (sets_in_place, sets_less, sets_toggled)],
    (by_counter, ({"a": 1},)),
    (by_union, (DICT,)),
    (by_swap, ([1], [2])),
]
