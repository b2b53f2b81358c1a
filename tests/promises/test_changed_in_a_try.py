"""Containers from in front of a `try` that its body, its handlers and its `finally` change."""

import bisect
import contextlib
import functools
import heapq
from collections import Counter

import numpy as np
import pytest

import autograph as ag
from runtime.errors import StateDisagrees

X = np.array([1.0, 2.0, 3.0])
CALLS = [
    (X, np.int64(1), np.float64(3.0)),
    (X, np.int64(2), np.float64(1.0)),
    (X, np.int64(7), np.float64(1.0)),
]


def sets_that_a_handler_adds_to(x, n, v):
    seen, todo = {1, 2}, set()
    try:
        seen.add(n)
        todo.add(0)
        if n > 5:
            raise ValueError
    except ValueError:
        seen.add(n)
    return sorted(seen), sorted(todo)


def a_set_of_python_s_alone(x, n, v):
    seen = {1, 2}
    try:
        if 0 not in seen:
            seen.add(0)
        if n > 5:
            raise ValueError
    except ValueError:
        seen.add(n)
    return sorted(seen)


def a_dict_with_another_key_in_a_branch(x, n, v):
    memo = {}
    if n % 2 == 0:
        try:
            memo[0] = x[n]
        finally:
            v += 1
    return memo, v


def a_dict_and_a_counter(x, n, v):
    tally, memo = Counter(), {}
    if n % 2 == 0:
        try:
            if n not in memo:
                memo[0] = x[n % 3]
        finally:
            tally[n] += 1
    return dict(tally), memo


def counters_that_are_replaced(x, n, v):
    k, tally, seen, todo = 0, Counter(), {1, 2}, {n}
    try:
        try:
            tally.update([n])
            seen.add((k + 0) % 5)
        finally:
            tally = Counter([len(seen), tally[len(todo)]])
        if n > 5:
            raise ValueError
    except ValueError:
        todo = seen - todo
    return k, len(todo)


def one_try_inside_another(x, n, v):
    rows = [[1.0], [3.0]]
    try:
        try:
            rows[0].append(v + v)
            x[n % 3]
        finally:
            rows = rows[::-1]
    finally:
        rows[0].append(v)
    return rows


def a_list_that_is_in_the_end_what_it_was(x, n, v):
    a = [1.0, 2.0, 3.0]
    b = list(a)
    try:
        b.reverse()
        if n % 2 == 0:
            raise ValueError
        b[:] = a
    except ValueError:
        v += 1
    return a, b, v


def sets_that_stay_sets_of_python_s(x, n, v):
    seen, todo = {1, 2}, set()
    if v > 2:
        try:
            todo.add(0)
            seen.add(n)
        finally:
            seen.add(n)
    return sorted(seen), sorted(todo)


class Box:
    def __init__(self, value):
        self.value = value
        self.seen = [1.0]


def an_object_that_a_loop_replaces(x, n, v):
    box = Box(1.0)
    first = box
    try:
        for _ in range(n):
            box = Box(x[n % 3])
    finally:
        box.seen.append(v)
    return box.value, box.seen, first.value, first.seen


def a_dict_that_is_undone_where_another_container_gives_way(x, n, v):
    memo, seen = {}, {1, 2}
    if n > 1:
        memo[2] = v
        try:
            memo[2] = v + 1
        except KeyError:
            memo.clear()
        seen.add(n)
    return memo, sorted(seen)


def a_list_with_a_row_that_the_body_chooses(x, n, v):
    rows = [x.copy(), np.zeros(3)]
    more = rows
    try:
        rows[0] = rows[n % 2]
        rows[0] += v
    finally:
        v = 1
    return rows, more, more is rows


def a_dict_of_which_one_way_changes_an_item_and_another_all(x, n, v):
    first = {"a": 1.0}
    kept = first

    def replaced():
        nonlocal first
        first = {"a": v}
        try:
            if n > 1:
                raise KeyError(n)
        except KeyError:
            first = kept
        else:
            kept["a"] = v
        finally:
            first["a"] = sum(first.values(), 0.0)

    replaced()
    return first, kept


@pytest.mark.parametrize(
    "program",
    [
        *(sets_that_stay_sets_of_python_s, an_object_that_a_loop_replaces),
        *(a_dict_that_is_undone_where_another_container_gives_way, a_list_with_a_row_that_the_body_chooses),
        a_dict_of_which_one_way_changes_an_item_and_another_all,
        *(sets_that_a_handler_adds_to, a_set_of_python_s_alone, a_dict_with_another_key_in_a_branch),
        *(a_dict_and_a_counter, counters_that_are_replaced, one_try_inside_another),
        a_list_that_is_in_the_end_what_it_was,
    ],
)
def test_a_handler_sees_what_the_container_held_when_the_body_raised(program):
    ag.check(program, *CALLS[0], then=CALLS[1:])


def test_a_list_that_the_body_makes_longer_is_read_behind_the_statement():
    def f(x, n, v):
        try:
            a = [1.0, 2.0]
            a.append(x[n] if n < 3 else v)
            if n == 2:
                raise ValueError
        except ValueError:
            v += 1
        return a

    ag.check(f, *CALLS[0], then=CALLS[1:])


def a_text_that_the_body_makes(x, n, v):
    text = "none"
    try:
        if n == 2:
            raise KeyError("left")
        text = f"{v}"
    except KeyError:
        text = text + "!"
    finally:
        text = text + f"|{n}"
    return text


def a_list_that_the_body_replaces_by_one_of_the_graph(x, n, v):
    items = [1.0]
    same = items
    try:
        if n == 2:
            raise KeyError("left")
        items = [0.5] * n
    except KeyError:
        same.append(5.0)
    return items, same


def strings_of_a_list_that_the_body_chooses(x, n, v):
    word, count = "a,b", 0
    try:
        if n == 2:
            raise KeyError("left")
        word = "x, y ,z" if v > 1 else "a,b"
        count += len(word.split(","))
    except KeyError:
        count += 10
    return word, count


def what_a_jump_leaves_behind_in_a_variable_that_finally_binds(x, n, v):
    items, text = [], ""
    for i in range(n):
        try:
            if i == 1:
                continue
            items.append(v)
            text = str(items)
        finally:
            items.append(v)
            text = str(items)
    return text, items


def a_number_that_a_generator_shares(x, n, v):
    s, k, g = 0.0, 0, [[1.0], [2.0, v], [3.0]]
    try:
        k = len(g[n % 3]) - 1

        def values(by):
            nonlocal k
            yield by

        s += sum(values(v), 0.0)
        k = 6 // k
    except ZeroDivisionError:
        s += g[1].pop()
    return s


@pytest.mark.parametrize(
    "program",
    [
        a_number_that_a_generator_shares,
        a_text_that_the_body_makes,
        a_list_that_the_body_replaces_by_one_of_the_graph,
        strings_of_a_list_that_the_body_chooses,
        what_a_jump_leaves_behind_in_a_variable_that_finally_binds,
    ],
)
def test_values_are_in_one_form_wherever_the_body_may_raise(program):
    ag.check(program, *CALLS[0], then=CALLS[1:])


def a_row_that_an_index_replaces(x, n, v):
    g = [[1.0], [2.0, v], [3.0]]
    try:
        try:
            g[n % 3].append(v)
        finally:
            g[n % 3] = g[0]
    finally:
        g[0].append(v)
    return g


def rows_that_change_places_in_front_of_what_raises(x, n, v):
    g, found = [[1.0], [2.0], [3.0]], 0.0
    try:
        for i in range(n):
            g[1], g[n % 3] = g[n % 3], g[0]
            found += x[i]
    except IndexError:
        g[1].append(v)
    return g, found


def functions_that_branches_choose_in_another_order(x, n, v):
    act = float
    try:
        act = abs if n > 1 else float
        found = x[n]
        act = round if v > 2 else act
        found += x[n + 1]
    except IndexError:
        found = act(-v)
    return found


def an_array_that_is_returned_and_written_to_on_the_way_out(x, n, v):
    table = np.arange(9.0).reshape(3, 3)
    back = table[::-1]
    try:
        if v > 2:
            back[n % 3] = table[1].copy()
            return back
    finally:
        for row in table:
            row[n % 3] = 0.5
    return table.sum()


def a_tuple_or_a_number_that_is_returned(x, n, v):
    least, a = None, [1.0]
    try:
        if n > 1:
            if v > 2:
                return least, a
        if n > 1:
            raise IndexError(n)
        return v
    finally:
        a.append(2.0)


def arrays_of_which_a_number_has_taken_one(x, n, v):
    rows = [x.copy(), np.zeros(3), x * 2]
    try:
        rows[0] = rows[n % 3] + x[n % 4]
    finally:
        for row in rows:
            row[1] = x.sum()
    return v


def rows_of_another_length_behind_a_return(x, n, v):
    rows, longer = [[v], [v]], [1.0, 2.0]
    try:
        if v > 2:
            return 1.0
        rows.append([2.0])
        rows[0] = longer
    finally:
        rows.append([v])
    return rows


def a_set_of_python_s_or_of_the_graph_in_one_try_inside_another(x, n, v):
    seen, todo = {1, 2}, {n}
    try:
        try:
            seen = todo - {1}
        finally:
            raise ValueError
    except ValueError:
        v += len(todo)
    return v, len(seen)


@pytest.mark.parametrize(
    "program",
    [
        *(
            a_set_of_python_s_or_of_the_graph_in_one_try_inside_another,
            arrays_of_which_a_number_has_taken_one,
            rows_of_another_length_behind_a_return,
        ),
        *(a_tuple_or_a_number_that_is_returned, an_array_that_is_returned_and_written_to_on_the_way_out),
        *(a_row_that_an_index_replaces, rows_that_change_places_in_front_of_what_raises),
        functions_that_branches_choose_in_another_order,
    ],
)
def test_which_object_it_is_wherever_something_is_raised(program):
    ag.check(program, *CALLS[0], then=[*CALLS[1:], (X, np.int64(0), np.float64(1.0))])


def test_one_of_two_arrays_that_a_try_gives_is_told_of_later_writes_or_refused():
    @ag.function
    def program(v):
        table = np.arange(9.0).reshape(3, 3)
        back = table[::-1]
        try:
            if v > 2:
                back[0] = v
                return back
            return table
        finally:
            table[0] = 0.5

    for v in (np.float64(1.0), np.float64(3.0)):
        with contextlib.suppress(StateDisagrees):
            assert program(v).numpy().tolist() == program.python_function(v).tolist()


def test_a_row_that_an_index_chooses_and_a_try_writes_to_is_told_of_later_writes_or_refused():
    def program(x, n, v):
        rows = [x.copy(), np.zeros(3)]
        try:
            row = rows[n % 2]
            row[0] = v
        finally:
            v += 1
        row += v
        return rows

    with pytest.raises(StateDisagrees, match="written to under another name"):
        ag.function(program)(*CALLS[0])


def two_names_of_an_array_that_the_body_makes(x, n, v):
    try:
        row = x * v
        other = row
        row[0] = 10.0 / n
        if n > 5:
            raise ValueError
    except ValueError:
        row = other = x * 3
    row[1] = 5
    return row, other, row is other


def test_an_array_that_the_body_makes_and_writes_to_is_one_under_both_names():
    ag.check(two_names_of_an_array_that_the_body_makes, *CALLS[0], then=CALLS[1:])


def test_a_cached_function_that_changes_nothing_is_called_in_a_try():
    @functools.cache
    def square(k):
        return k * k

    def program(n, v):
        s = 0
        try:
            s += square(int(n))
            if v > 1:
                raise KeyError("left")
            s += square(int(n))
        except KeyError:
            s += square(int(n))
        return s

    ag.check(program, np.int64(3), np.float64(2.0), then=[(np.int64(2), np.float64(0.0))])


class Bare:
    pass


def test_an_attribute_that_a_path_has_not_set_is_missed_where_it_is_read():
    def f(x):
        bare = Bare()
        if x > 1:
            bare.value = x * 2
        try:
            found = bare.value
        except AttributeError:
            found = -1.0
        return found, hasattr(bare, "value")

    ag.check(f, np.float64(3.0), then=[(np.float64(0.0),)])


def test_an_element_that_gives_way_before_its_list_is_still_known_as_one():
    def program(x, k):
        first, second = [1.0], [x]
        rows = [first, second]
        try:
            chosen = rows[k % 2]
            rows.append(chosen)
            if x > 0:
                raise ValueError
            second.append(1.0)
        except ValueError:
            pass
        return [list(row) for row in rows]

    ag.check(program, np.float64(-1.0), np.int64(0), then=[(np.float64(1.0), np.int64(1))])


SEEN = {"rate": 0.5}


def _outside(x):
    try:
        if x > 1.0:
            raise KeyError(x)
        SEEN["last"] = 1.0
    except LookupError:
        pass


def _counted(x):
    tally = Counter()
    with contextlib.suppress(KeyError):
        if x > 1.0:
            raise KeyError("no")
        tally[1] += 1
    return dict(tally)


@pytest.mark.parametrize("program", [_outside, _counted])
def test_an_item_that_only_the_end_of_the_body_has_is_in_its_dict(program):
    ag.check(program, np.float64(0.0), then=[(np.float64(3.0),)])
    ag.check(program, np.float64(3.0), then=[(np.float64(0.0),)])


def test_an_array_of_numpys_that_a_path_writes_to_when_the_try_is_traced_again():
    class Quiet:
        def __enter__(self):
            return self

        def __exit__(self, kind, error, trace):
            return kind is not None

    def program(x, n, v):
        rows, grid, row = [[3.0]], np.arange(9.0).reshape(3, 3), np.zeros(3)
        with Quiet():
            if not row.sum() > grid[0, 0]:
                if row[n] <= v:
                    return (rows,)
            else:
                grid[0] = row
            for each in rows:
                each[0] = v
        return (grid,)

    calls = [(np.ones(4), np.int64(n), np.float64(v)) for n, v in ((5, 1.0), (1, -1.0), (2, 1.0))]
    ag.check(program, np.ones(4), np.int64(2), np.float64(-1.0), then=calls)


def test_an_argument_that_may_be_written_to_when_the_try_is_traced_again():
    def program(x, n, v):
        grid = np.arange(9.0).reshape(3, 3)
        rows = other = [3.0]
        picked = grid if n > 1 else grid  # noqa: RUF034  # the graph chooses
        try:
            spare = 2
            chosen = x if (grid[0] > 1.5).all() else spare
            chosen += v
            if n > 1:
                raise ValueError("no")
            grid[0,] = v
        except ValueError:
            pass
        return rows, picked, other, x

    calls = [(np.ones(4), np.int64(n), np.float64(2.0)) for n in (1, 3)]
    ag.check(program, np.ones(4), np.int64(3), np.float64(2.0), then=calls)


KEPT_OUTSIDE: dict[str, float] = {}


def test_a_dict_under_a_global_name_that_a_handler_changes_before_a_finally():
    def program(x, n, v):
        global KEPT_OUTSIDE
        s = 0.0
        d = {"a": 1.0, "b": 2.0}
        KEPT_OUTSIDE = d
        try:
            if n > 1:
                raise KeyError(n)
        except LookupError:
            s += d.pop("a", v)
            KEPT_OUTSIDE.setdefault("c", x[1])
        finally:
            x = x * 2
        return s, x, d, KEPT_OUTSIDE

    ag.check(program, *CALLS[1], then=[CALLS[0], CALLS[2]])


def an_item_that_is_one_of_two_lists_in_a_handler(x, n, v, items, table):
    s, heap = 0.0, [1.0, 3.0]
    try:
        if v <= x[1]:
            table["n"] = items
            x += heap[0]
        else:
            bisect.insort(heap, min(x[1] * 0.5, sum(items, 0.0)))
        if n == 0:
            raise KeyError(0)
        heap.sort(reverse=True)
        heapq.heappush(heap, 2.0)
    except ZeroDivisionError:
        heapq.heapify(heap)
        return items, heap, s
    except (ValueError, LookupError):
        s += table["n"][0]
    else:
        s += x[n % 3]
    finally:
        s += heapq.heapreplace(heap, v)
    items.append(v)
    return items, heap, s


def test_a_handler_reads_of_several_forms_what_was_there_when_something_was_raised():
    program, x = an_item_that_is_one_of_two_lists_in_a_handler, np.array([1.0, 2.0, 1.5])
    first, second = [(x, np.int64(n), np.float64(1.0), [1.0, 2.0], {"a": 1.0, "n": [0.0]}) for n in (0, 1)]
    ag.check(program, *first, then=[second, first])


class Panel:
    def __init__(self, values):
        self.data = np.outer(values[:2], values)
        self.top = self.data[0]


@pytest.mark.parametrize("binds_anew", [True, False])
def test_an_object_that_a_body_binds_again_and_gives_a_view_is_the_object_that_it_was(binds_anew):
    def program(x, n, v):
        panel = pane = Panel(x)
        try:
            if binds_anew:
                panel, panel = panel, panel
            if n > 1:
                raise KeyError(n)
            panel.top[0] = v
            panel.top = panel.data[0]
        except KeyError:
            pass
        return panel, pane, panel is pane

    ag.check(program, X, np.int64(3), np.float64(2.0), then=[(X, np.int64(0), np.float64(2.0))])


def test_lists_that_get_their_numbers_behind_a_try_are_others_than_those_of_its_body():
    def program(n):
        kept, held = [[10], [11]], {"rows": None}
        try:
            held["rows"] = [[20], [21]]
            if n == 2:
                held["rows"].append([n * 2])
            held["rows"][0] = held["rows"][1]
            held["rows"][1].append(22)
        except ValueError:
            kept[n].append(23)
        return held["rows"], kept

    def program_that_raises(n):
        kept, rows = [[10], [11]], [[20], [21]]
        try:
            rows.append(rows[n % 2])
            rows[2].append(22)
            if n > 1:
                raise ValueError
            rows[0].append(5)
        except ValueError:
            kept[n % 2].append(23)
            kept[0] = rows[2]
        kept[n % 2].append(24)
        return rows, kept

    for each in (program, program_that_raises):
        ag.check(each, np.int64(3), then=[(np.int64(n),) for n in (2, 0, 1)], executors=["numpy"])
