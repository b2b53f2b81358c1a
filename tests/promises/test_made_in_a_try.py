"""Objects that the body of a `try` makes: whoever catches sees them as they were when it raised."""

from collections import Counter, OrderedDict, defaultdict, deque
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np
import pytest

import autograph as ag
from runtime.errors import StateDisagrees

NUMBERS = [(np.float64(1),), (np.float64(7),), (np.float64(11),)]
VECTOR = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])


class Holder:
    pass


@dataclass
class Pair:
    first: float


@contextmanager
def around():
    try:
        yield
    finally:
        pass


def an_attribute(x):
    try:
        held = Holder()
        held.value = 1.0
        if x > 5:
            raise ValueError
        held.value = 2.0
    except ValueError:
        pass
    return held.value


def an_attribute_that_comes_late(x):
    held = None
    try:
        held = Holder()
        if x > 5:
            raise ValueError
        held.value = 2
    except ValueError:
        pass
    return hasattr(held, "value")


def a_field_of_a_dataclass(x):
    try:
        pair = Pair(1)
        if x > 5:
            raise ValueError
        pair.first = 2
    except ValueError:
        pass
    return pair.first


def an_item_of_a_dict(x):
    try:
        held = {"a": 1}
        if x > 5:
            raise ValueError
        held["a"] = 2
    except ValueError:
        pass
    return held["a"]


def an_item_of_a_list_with_two_names(x):
    try:
        one = [1, 2]
        other = one
        if x > 5:
            raise ValueError
        one[0] = 5
    except ValueError:
        pass
    other[1] = 7
    return one, other


def a_list_inside_of_a_list(x):
    holder = Holder()
    try:
        rows = [[1], [2]]
        holder.rows = rows
        if x > 5:
            raise ValueError
        rows[0][0] = 4
    except ValueError:
        pass
    return rows, holder.rows


def a_list_that_is_there_in_the_end(x):
    try:
        found = []
        if x > 5:
            raise ValueError
        found.append(x)
    except ValueError:
        return -1
    return found, len(found)


def containers_that_grow_in_a_loop(x):
    try:
        found, by_number = [], {}
        for i in range(int(x)):
            found.append(i * 2)
            by_number[i * 2] = x
        if x > 5:
            raise KeyError
    except KeyError:
        return -1
    return len(found), found, by_number


def a_list_that_the_handler_replaces(x):
    try:
        parts = [x]
        if x > 5:
            raise KeyError
        parts.append(x * 2)
    except KeyError:
        parts = []
    return parts


@pytest.mark.parametrize(
    "program",
    [
        *(an_attribute, an_attribute_that_comes_late, a_field_of_a_dataclass, an_item_of_a_dict),
        *(an_item_of_a_list_with_two_names, a_list_inside_of_a_list, a_list_that_is_there_in_the_end),
        *(containers_that_grow_in_a_loop, a_list_that_the_handler_replaces),
    ],
    ids=lambda program: program.__name__,
)
def test_an_object_holds_what_it_held_when_the_body_raised(program):
    ag.check(program, *NUMBERS[0], then=NUMBERS[1:])


@pytest.mark.parametrize("start", [list, lambda: {0: 1}, set], ids=["a list", "a dict", "a set"])
def test_a_container_that_gets_longer_is_read_where_it_was_caught(start):
    def program(x):
        try:
            held = start()
            if x > 5:
                raise ValueError
            for i in range(3):
                held.update({i: i}) if isinstance(held, dict | set) else held.append(i)
        except ValueError:
            return len(held)
        return 0

    ag.check(program, *NUMBERS[0], then=NUMBERS[1:])


def appended(held, n):
    held.append(n)


def put(held, n):
    held[n] = n


def added(held, n):
    held.add(n)


def counted(held, n):
    held[n % 2] += 1


def grouped(held, n):
    held[n % 2].append(n)


def appended_to_the_first(held, n):
    held[0].append(n)


KINDS = [
    *((list, appended), (deque, appended), (lambda: [7, 8], appended), (lambda: deque([7]), appended)),
    *((dict, put), (OrderedDict, put), (set, added), (Counter, counted)),
    *((lambda: defaultdict(list), grouped), (lambda: [[]], appended_to_the_first)),
]
STEPS = [(np.int64(n), np.arange(4)) for n in (3, 0, 1, 2, 5)]


@pytest.mark.parametrize(("make", "add"), KINDS)
def test_a_handler_changes_a_container_that_the_body_has_made_and_changed_in_steps(make, add):
    def program(n, x):
        held = Holder()
        try:
            held.items = made = make()
            if n == 0:
                raise ValueError
            add(made, n)
            x[n + 1]
            add(held.items, n + 1)
            x[n + 2]
        except (ValueError, IndexError):
            add(held.items, n + 2)
        add(held.items, n + 3)
        return held.items, made, held.items is made

    ag.check(program, *STEPS[0], then=STEPS[1:], executors=["numpy"])


@pytest.mark.parametrize(("make", "add"), KINDS)
def test_a_turn_that_raises_leaves_its_container_to_the_handler(make, add):
    def program(n, x):
        lengths = []
        for i in range(n):
            try:
                made = make()
                add(made, i)
                x[i * 2]
                add(made, i + 1)
                x[i + n]
            except IndexError:
                add(made, 9)
            lengths.append(len(made))
        return lengths

    ag.check(program, *STEPS[0], then=STEPS[1:], executors=["numpy"])


@pytest.mark.parametrize(("make", "add"), [*KINDS[:4], KINDS[7]])
def test_a_handler_has_one_of_two_containers(make, add):
    def program(n, x):
        try:
            held, other = make(), make()
            add(held, n + 1)
            if n == 1:
                raise ValueError
            held = other
            add(held, n + 2)
            x[n + 1]
        except (ValueError, IndexError):
            add(held, 9)
        return held

    ag.check(program, *STEPS[0], then=STEPS[1:], executors=["numpy"])


class Log(list):
    pass


@pytest.mark.parametrize("make", [Log, lambda: ["text", 1]], ids=["an own class", "texts"])
def test_a_container_that_cannot_be_the_graphs_is_not_read_where_it_was_caught(make):
    @ag.function
    def program(n):
        try:
            log = make()
            if n == 0:
                raise ValueError
            log.append(f"{n}")
            if n == 1:
                raise ValueError
        except ValueError:
            log.append(-1)
        return log

    with pytest.raises(StateDisagrees, match="a `try` has made and changed it"):
        program(np.int64(3))


HELD = Holder()


def items_of_a_dict(x):
    held = {}
    try:
        held["a"] = [x * 2]
        if x > 5:
            raise ValueError
        held["a"].append(x)
        if x > 4:
            raise ValueError
    except ValueError:
        return len(held["a"])
    return len(held)


def items_of_a_dict_behind_the_statement(x):
    held = {}
    try:
        held["a"] = [x * 2]
        if x > 5:
            raise ValueError
        held["a"].append(x)
        if x > 4:
            raise ValueError
    except ValueError:
        pass
    return len(held)


def an_attribute_of_an_object(x):
    held = Holder()
    held.rows = None
    try:
        held.rows = [x * 2]
        if x > 5:
            raise ValueError
        held.rows.append(x)
        if x > 4:
            raise ValueError
    except ValueError:
        return held.rows is None
    return False


def an_attribute_of_what_is_outside(x):
    HELD.rows = None
    try:
        HELD.rows = [x * 2]
        if x > 5:
            raise ValueError
        HELD.rows.append(x)
        if x > 4:
            raise ValueError
    except ValueError:
        return -1.0
    return x


@pytest.mark.parametrize(
    "program",
    [
        *(items_of_a_dict, items_of_a_dict_behind_the_statement),
        *(an_attribute_of_an_object, an_attribute_of_what_is_outside),
    ],
    ids=lambda program: program.__name__,
)
def test_what_leads_to_a_container_that_gets_longer_is_read_too(program):
    ag.check(program, *NUMBERS[0], then=NUMBERS[1:])


def test_a_view_that_a_with_block_changes_is_returned_as_it_is():
    def program(x):
        with around():
            if x.sum() > 100:
                raise ValueError("large")
            found = x + 1
            part = found[:, :2]
            part *= 3
            return part

    ag.check(program, VECTOR, then=[(VECTOR * 100,)])


def test_a_body_that_always_raises_leaves_a_handler_what_it_reads():
    def program(v):
        total, zero, got = 0.0, 0, []
        try:
            got = [each for each in (1.0, 2.0, 3.0) if each > v]
            got.append(v)
            total = 6 // zero
        except ZeroDivisionError:
            total += v
        return total

    ag.check(program, *NUMBERS[0], then=NUMBERS[1:])


def test_lists_of_other_lengths_that_some_paths_out_of_a_try_do_not_have():
    def program(n, v):
        rows, k = [[1.0], [2.0, v], [3.0]], 0
        try:
            try:
                rows[0].append(rows[0][0])
                rows[0].append(v)
                if n > 1:
                    raise KeyError(n)
            except LookupError as error:
                k += len(error.args)
                rows = [list(row) for row in rows]
            else:
                rows[0].append(v)
        finally:
            rows[0][0] = v
        return rows, k

    ag.check(program, np.int64(3), np.float64(2.0), then=[(np.int64(0), np.float64(1.0))])


def test_what_a_trace_that_was_given_up_leaves_behind_is_not_taken_for_older():
    @ag.function
    def program(x, n, k):
        g = [[1.0], [2.0], [3.0]]
        try:
            try:
                g[k % 3] = [x]
                g[1] += [sum(g[n % 3], 0.0)]
            except ValueError:
                g[1], g[2] = g[0], g[k % 3]
            g[-1] += [x * 0.5]
            k = 6 // k
        except ZeroDivisionError:
            k = -1
        return g, k

    with pytest.raises(StateDisagrees, match="has made and changed it"):  # and not a trace without end
        program(np.float64(0.5), np.int64(0), np.int64(0))


def test_an_array_is_what_it_was_though_the_graph_writes_into_it_later():
    def written(n, v):
        row = np.zeros(3)
        try:
            row = np.ones(3)
            if n == 0:
                raise ValueError
            row[0] = v
        except ValueError:
            row[1] = 3.0
        return row

    def known(n):
        row = np.zeros(3)
        try:
            if n > 0:
                row = np.ones(3)
                if n == 2:
                    raise ValueError
                row[0] = 5.0
                if n == 3:
                    raise ValueError
        except ValueError:
            pass
        return row

    ag.check(written, np.int64(0), np.float64(2.0), then=[(np.int64(1), np.float64(2.0))])
    ag.check(known, np.int64(0), then=[(np.int64(n),) for n in (1, 2, 3)])


def test_an_array_in_a_list_is_what_it_was():
    def collected(n, v):
        found = []
        try:
            row = np.ones(2)
            found.append(row)
            if n == 0:
                raise ValueError
            row[0] = v
            if n == 1:
                raise ValueError
        except ValueError:
            found.append(np.zeros(2))
        return found

    ag.check(collected, np.int64(0), np.float64(2.0), then=[(np.int64(n), np.float64(3.0)) for n in (1, 2)])


def test_a_view_of_an_array_is_one_of_what_it_was():
    def viewed(n, v):
        table = row = np.zeros((2, 2))
        try:
            table = np.ones((2, 2)).T
            row = table[::-1, 0]
            if n == 0:
                raise ValueError
        except ValueError:
            table[1] = v
        else:
            row[0] = v
        return table, row

    ag.check(viewed, np.int64(0), np.float64(2.0), then=[(np.int64(1), np.float64(3.0))])


def test_an_array_that_an_operator_makes_is_what_it_was():
    def computed(n, v):
        table = np.arange(9.0).reshape(3, 3)
        found = table
        try:
            found = table @ table % 7.0
            if n > 1:
                raise KeyError(n)
            found[0, 0] = v
        except KeyError:
            table[0] = v
        return table, found

    ag.check(computed, np.int64(3), np.float64(2.0), then=[(np.int64(1), np.float64(3.0))])


def path_of_a_finally(x, n):
    path = []
    try:
        try:
            if x > n:
                raise ValueError
        finally:
            path = [*path, x * n]
    except ValueError:
        path = [*path, 5.0]
    return path


def rows_of_a_finally(x, n):
    rows = []
    try:
        try:
            if x > n:
                raise ValueError
        finally:
            rows = [*rows, np.ones(2) * x]
    except ValueError:
        rows = [*rows, np.zeros(2)]
    return rows, len(rows)


def path_beside_an_alias(x, n):
    path = []
    other = path
    try:
        try:
            if x > n:
                raise ValueError
        finally:
            path = [*path, x * n]
    except ValueError:
        other.append(3.0)
    return path, other, path is other


@pytest.mark.parametrize("program", [path_of_a_finally, rows_of_a_finally, path_beside_an_alias])
def test_a_list_that_gets_longer_on_its_way_out_is_as_long_as_in_python(program):
    ag.check(program, np.float64(1.0), np.float64(2.0), then=[(np.float64(3.0), np.float64(2.0))])


class Refused(Exception):
    def __init__(self, n, code=1):
        super().__init__(n)
        self.n, self.code = n, code


def chosen_and_caught(n, v):
    try:
        error = Refused(n) if n > 2 else Refused(n + 1, code=2)
        raise error
    except Refused as caught:
        return caught.n * v, caught.code, caught.args


def chosen_of_pythons(n, v):
    try:
        if n > 2:
            error = ValueError(n * v)
        else:
            error = ValueError(v)
        raise error
    except ValueError as caught:
        return caught.args[0]


def chosen_and_asked(n, v):
    error = Refused(n) if n > 2 else Refused(n + 1, code=2)
    error.code += 1
    return error.args[0] + error.code + v


def chosen_and_raised(n, v):
    error = Refused(n * v) if n > 2 else Refused(n + 1, code=2)
    raise error


@pytest.mark.parametrize("program", [chosen_and_caught, chosen_of_pythons, chosen_and_asked])
def test_an_exception_that_a_branch_makes_may_leave_it(program):
    ag.check(program, np.int64(1), np.float64(2.0), then=[(np.int64(5), np.float64(3.0))])


def test_an_exception_that_a_branch_makes_is_raised_behind_it():
    function = ag.function(chosen_and_raised)
    for n in (1, 5):
        with pytest.raises(Refused) as raised:
            function(np.int64(n), np.int64(2))
        with pytest.raises(Refused) as expected:
            chosen_and_raised(np.int64(n), np.int64(2))
        assert raised.value.args == expected.value.args
        assert raised.value.code == expected.value.code


def kept_and_changed(n, v):
    last = None
    try:
        if n > 2:
            raise Refused(n)
    except Refused as error:
        last = error
        last.code = v
    return (0, 0.0) if last is None else (last.n, last.code)


def kept_in_a_list(n, v):
    met = []
    for i in range(n):
        try:
            if i % 2:
                raise Refused(i * v)
        except Refused as error:
            met.append(error)
            error.code = i * 3
    return [error.n for error in met], [error.code for error in met]


def kept_by_a_loop(n, v):
    last = Refused(v)
    for i in range(n):
        try:
            if i > 1:
                raise Refused(i * v)
        except Refused as error:
            last = error
    return last.n, last.args[0]


@pytest.mark.parametrize("program", [kept_and_changed, kept_in_a_list, kept_by_a_loop])
def test_an_exception_that_was_caught_may_be_kept(program):
    ag.check(program, np.int64(1), np.float64(2.0), then=[(np.int64(5), np.float64(3.0))])


def test_an_exception_is_not_raised_again_after_it_has_changed_under_another_name():
    @ag.function
    def program(n):
        kept = {}
        try:
            if n > 2:
                raise Refused(n)
        except Refused as error:
            kept[0] = error
            kept[0].code = n * 2
            if n > 4:
                raise
        return len(kept)

    with pytest.raises(StateDisagrees):
        program(np.int64(5))


def test_an_exception_that_has_changed_in_a_dict_of_strings_is_raised_again():
    @ag.function
    def program(n):
        kept = {}
        try:
            if n > 2:
                raise Refused(n)
        except Refused as error:
            kept["last"] = error
            kept["last"].code = n * 2
            if n > 4:
                raise
        return len(kept)

    with pytest.raises(Refused) as raised:
        program(np.int64(5))
    assert raised.value.code == 10
    assert [int(program(np.int64(n))) for n in (3, 1)] == [1, 0]


def filled_and_returned_behind(x, n):
    try:
        made = np.zeros(3)
        made[0] = n
        made[1] = x[n]
    except IndexError:
        return np.ones(3)
    return made


def filled_and_changed_in_finally(x, n):
    try:
        made = np.zeros(3)
        made[0] = n
        also = made[1:]
        also[0] = x[n]
    except IndexError:
        made[2] = -1
    finally:
        made[1] += n
    return made


def filled_under_two_names(x, n):
    kept = None
    try:
        made = np.arange(3.0)
        kept = made
        made[[1]] = made[[0]]
        made[0] = x[n]
    except IndexError:
        kept[2] = n
    return kept, made


@pytest.mark.parametrize(
    "program", [filled_and_returned_behind, filled_and_changed_in_finally, filled_under_two_names]
)
def test_an_array_that_a_body_makes_and_fills_holds_what_it_held_when_it_raised(program):
    ag.check(program, np.arange(4.0), np.int64(1), then=[(np.arange(4.0), np.int64(n)) for n in (5, 0, 9)])


def put_under_a_new_key(n):
    held, rows = {}, None
    try:
        rows = [[20], [21]]
        held["rows"] = rows
        if n == 2:
            raise ValueError(1)
    except ValueError:
        pass
    return held, rows


def taken_from_a_new_key(n):
    held, rows = {}, None
    try:
        held["rows"] = [20]
        rows = held["rows"]
        if n == 1:
            raise ValueError(1)
    except ValueError:
        pass
    return held, rows


def twice_under_a_new_key(n):
    held, row = {}, None
    try:
        row = [20]
        held["rows"] = [row, row]
        if n == 2:
            raise ValueError(1)
    except ValueError:
        pass
    return held, row


@pytest.mark.parametrize("program", [put_under_a_new_key, taken_from_a_new_key, twice_under_a_new_key])
def test_what_is_put_under_a_key_that_is_new_is_one_object(program):
    ag.check(program, np.int64(3), then=[(np.int64(each),) for each in (0, 1, 2)])


def one_row_at_two_places(n):
    held = {}
    try:
        held["rows"] = [[20], [21]]
        if n == 2:
            held["rows"].append([n * 2])
        held["rows"][0] = held["rows"][1]
        held["rows"][1].append(22)
    except ValueError:
        pass
    return held


def test_a_row_that_is_at_two_places_under_such_a_key_is_one():
    ag.check(one_row_at_two_places, np.int64(3), then=[(np.int64(each),) for each in (0, 1, 2)])


def a_row_of_a_list_that_has_no_name_any_more(n):
    rows = [[1.0], [2.0], [3.0]]
    try:
        rows.append([4.0])
        rows = rows[:]
        rows[n % 3].append(5.0)
    except LookupError:
        rows[0][0] = 6.0
    return rows


def test_a_row_becomes_one_of_the_graph_once_also_where_a_list_without_a_name_holds_it():
    ag.check(a_row_of_a_list_that_has_no_name_any_more, np.int64(0), then=[(np.int64(1),), (np.int64(5),)])
