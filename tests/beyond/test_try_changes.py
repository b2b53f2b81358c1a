"""What the body of a `try` has changed by the time that it raises, as the handler and what follows see it."""

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from tests.beyond.kit import Number, check


def test_a_variable_that_the_body_did_not_come_to():
    def late(x, y):
        try:
            z = x // y
        except ZeroDivisionError:
            pass
        return z

    check(late, Number(6), Number(2))
    check(late, Number(6), Number(0), raises=UnboundLocalError)


class Counter:
    def __init__(self):
        self.count = 0
        self.seen = []

    def add(self, x):
        self.count = self.count + 1
        if x > 2:
            raise ValueError("big")
        self.count = self.count + 10


def test_attributes_that_the_body_changed():
    def run(x):
        counter = Counter()
        try:
            counter.add(x)
        except ValueError:
            counter.count = counter.count + 100
        return counter.count

    for x in (1, 3):
        check(run, x)


def test_lists_that_the_body_made_longer():
    def sorted_out(n, middle):
        quotients, failed = [], []
        for position in range(n):
            try:
                quotients.append(12 // (position - middle))
            except ZeroDivisionError:
                failed.append(position)
        return quotients, failed

    def kept(x, y):
        seen = [x]
        try:
            seen[0] = x + 1
            seen.append(x // y)
        except ZeroDivisionError:
            seen.append(-1)
        return seen

    check(sorted_out, Number(4), Number(2))
    check(sorted_out, Number(4), Number(9))
    check(kept, Number(6), Number(2))
    check(kept, Number(6), Number(0))


def test_variables_of_functions_around_that_the_body_changed():
    def counted(x, y):
        count = 0

        def bump(by):
            nonlocal count
            count += by

        try:
            bump(1)
            x // y
            bump(10)
        except ZeroDivisionError:
            bump(100)
        return count

    check(counted, Number(6), Number(2))
    check(counted, Number(6), Number(0))


def test_entries_that_the_body_changed():
    def stored(x, y):
        table = {"a": 0}
        try:
            table["a"] = x
            table["a"] = x // y
        except ZeroDivisionError:
            table["a"] = table["a"] + 100
        return table

    check(stored, Number(6), Number(2))
    check(stored, Number(6), Number(0))


def test_none_and_strings_from_before_the_exception():
    def judged(x, y):
        stage, result = "start", None
        try:
            stage = "division"
            result = x // y
            stage = "end"
        except ZeroDivisionError:
            if stage == "division" and result is None:
                return 1
            return 2
        return 3

    check(judged, Number(6), Number(2))
    check(judged, Number(6), Number(0))


@pytest.mark.filterwarnings("ignore::runtime.errors.KindsMeetWarning")
def test_a_dtype_that_the_body_changed():
    def changed(x, y):
        z = 1
        try:
            z = x * 0.5
            x // y
            z = 7
        except ZeroDivisionError:
            z = z + 1
        return z

    check(changed, Number(6), Number(2))
    check(changed, Number(6), Number(0))


def test_a_list_that_grows_on_one_path_where_a_variable_changes_on_the_other():
    def f(a):
        x = 0
        items = [1]
        try:
            if a:
                items.append(x)
            else:
                x = a % 1009
        except ValueError:
            x = 5
        return x, items

    check(f, 0)
    check(f, 3)


def test_a_variable_of_one_path_in_a_try_within_a_try():
    def f(b):
        items = [1]
        try:
            try:
                if b:
                    late = 4
                else:
                    items.append(b)
            except ValueError:
                items.append(late)
        except ValueError:
            items.append(7)
        return items

    check(f, 0)
    check(f, 3)


def test_a_loop_in_a_try_leaves_a_variable_that_nothing_reads_again():
    def f(a, b, c):
        z = 2
        try:
            for _ in range(c):
                c = z + a
            if b:
                raise ValueError
            z += 1
        except ValueError:
            z += 10
        return z

    check(f, 1, 0, 2)
    check(f, 1, 1, 0)


def test_what_a_finally_does_on_the_way_of_an_exception_is_seen_where_it_is_caught():
    def always(x):
        y = x
        try:
            try:
                raise KeyError(x)
            finally:
                y = y + 1
        except KeyError:
            return y
        return -1

    def after_what_may_fail(x):
        y, total = x, 0
        try:
            rest = 5 % x
            try:
                total += rest
                try:
                    raise KeyError(total)
                except ValueError:
                    y = 5
            finally:
                y = y + 1
            total = 7
        except (LookupError, ZeroDivisionError):
            return y, total
        return -1, total

    for x in (3, 0):
        check(always, Number(x))
        check(after_what_may_fail, Number(x))


def halves(value):
    """What a loop inside of a generator gives."""
    while value > 0:
        value = value // 2
        yield value


def test_what_a_body_changes_may_be_left_by_a_return_or_a_break():
    def f(n, v):
        table = {"a": 0}
        for _ in halves(n):
            try:
                v = v // n
                table["a"] = v
            except ZeroDivisionError:
                return table
            else:
                break
        return table

    for n, v in ((3, 7), (0, 7), (1, 0)):
        check(f, Number(n), Number(v))


def test_what_is_returned_out_of_a_try_in_a_loop_holds_lists_and_dicts():
    def f(n, x):
        items, table, count = [1], {"a": 0}, 3
        while count > 0 and x < n:
            count -= 1
            try:
                for _ in range(x % 4):
                    return x, items, table
                if x > 7:
                    raise ValueError
                x = x + 5 // n
            except ValueError:
                x = 0
        return x, items, table

    for n, x in ((3, 0), (1, 4), (9, 8), (0, -1)):
        check(f, Number(n), Number(x))


def test_a_list_changes_where_one_of_its_names_is_bound_anew_in_the_body():
    def f(x):
        a = [x]
        b = a
        try:
            a[0] = 2
            if x > 0:
                raise ValueError
            a = [7]
        except ValueError:
            pass
        b[0] += 1
        return a, b

    check(f, Number(1))
    check(f, Number(-1))


def test_a_list_grows_before_a_loop_raises():
    def f(n):
        items, y = [1], 1
        try:
            for i in halves(n):
                if i > 3:
                    raise ValueError
                items[0] = i
                y = sum([item % 7 for item in items if item > 0])
            items.append(y)
            for i in halves(n % 3):
                items[0] = i
        finally:
            y = y + 1
        return y, items

    for n in (2, 5, 0):
        check(f, Number(n))
    with pytest.raises(ValueError):
        ag.function(f)(rt.asarray(9))


def test_what_a_branch_has_changed_that_raises_is_seen_by_the_handler():
    total = [0]

    def f(x):
        items, counts = [1], {"n": 0}
        try:
            if x > 5:
                return x, items, counts
            else:
                items.append(x)
                counts["n"] += 1
                total[0] += x
            raise ValueError
        except ValueError:
            x = x + 1
        return x, items, counts

    for x in (3, 7):
        check(f, Number(x))


def test_a_list_under_two_names_that_gives_way_twice_is_one_list():
    def extends(x, v):
        items = [3.0]
        other = items[:]
        pair = ([v], v)
        try:
            again = pair
            if x[2] > 0.75:
                raise KeyError(len(items) if again[0] is pair[0] else 0)
            try:
                if x.sum() <= pair[1]:
                    raise KeyError(len(items))
            except LookupError:
                return other, pair
        except LookupError:
            other[1:] = [sum(other, 0.0)]
        else:
            pair[0].extend(pair[0])
        return other, pair

    for x, v in (([3.0, 1.0, 2.0], -1.0), ([3.0, 1.0, 0.0], 9.0), ([3.0, 1.0, 0.0], 1.0)):
        check(extends, np.array(x), Number(v))
