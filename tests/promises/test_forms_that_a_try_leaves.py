"""A `try` leaves variables in several forms, and objects that it has made: handlers see them as they were."""

import heapq
from contextlib import contextmanager
from dataclasses import dataclass, replace

import numpy as np
import pytest

import autograph as ag
from runtime.errors import StateDisagrees
from tests.promises.kit import function_of

CALLS = [(np.float64(value),) for value in (3.0, -2.0, 2000.0, 4.5, 55.0, 1.0)]


class Thing:
    def __init__(self, value):
        self.value = value * 3


def a_list_that_is_empty_first_and_one_of_the_graph_then(x):
    try:
        best = []
        if x > 50:
            raise ValueError("high")
        if x > 1:
            found = [x]
            while x > 2.0:
                x = x / 2
                found.append(x)
            best = found
        if x > 1.9:
            raise ValueError("late")
    except ValueError:
        return best, -1
    return best, len(best)


def a_list_of_another_length_before_one_of_the_graph(x):
    best = [x]
    try:
        if x > 50:
            raise ValueError("high")
        best = [x, x]
        if x > 4:
            raise ValueError("middle")
        found = []
        while x > 2.0:
            x = x / 2
            found.append(x)
        best = found
        if x < 1.1:
            raise ValueError("late")
    except ValueError:
        best.append(-1.0)
    else:
        best.append(1.0)
    return best


def an_attribute_that_a_loop_inside_replaces_by_its_list(x):
    thing = Thing(x)
    try:
        thing.best = []
        for _ in range(1):
            found = []
            for _ in range(1, 10):
                if x > 100:
                    raise ValueError("high")
                x = x / 2
                found.append(x)
                if x < 3:
                    break
            if x > 1:
                thing.best = found
    finally:
        thing.seen = len(thing.best)
    return thing.best, thing.seen


def an_object_made_inside_that_gets_another_attribute_later(x):
    thing = None
    try:
        thing = Thing(x)
        if x > 5:
            raise ValueError("high")
        thing.late = 1
    except ValueError:
        return thing.value, 0
    return thing.value, thing.late


def objects_of_objects_deleted_in_the_end(x):
    thing = Thing(x)
    try:
        try:
            if x > 50:
                raise ValueError("high")
            thing.other = Thing(x)
            thing.both = [thing.other, Thing(x + 1)]
            if x > 5:
                raise ValueError("middle")
        finally:
            if hasattr(thing, "other"):
                thing.value = thing.other.value + 1
                del thing.other
    except ValueError:
        return x
    return thing.value + thing.both[1].value


def positive(x):
    try:
        return np.linalg.cholesky(np.eye(2) * x)
    except np.linalg.LinAlgError:
        raise ValueError("not positive") from None


def a_list_of_a_loop_that_was_traced_twice(x):
    thing = Thing(x)
    try:
        best = []
        for _ in range(1):
            found = []
            for turn in range(1, 10):
                found.append(positive(x + turn)[0, 0])
                x = x / 2
                if x < 3:
                    break
            if x > 1:
                best = found
        thing.best = best
    finally:
        thing.seen = True
    return thing.best, thing.seen


@contextmanager
def settings():
    depth = 3
    try:
        yield
    finally:
        depth = 4


@contextmanager
def kept_by(owner):
    try:
        yield
    finally:
        if hasattr(owner, "todo"):
            errors = []
            for each in owner.todo:
                try:
                    each.close()
                except OSError as error:
                    errors.append(error)
            del owner.todo
            if len(errors) == 1:
                raise errors[0]


class Estimator:
    def fit(self, x):
        with settings(), kept_by(self):
            self.todo = []
            self.seen = [x]
            self.part = Thing(x)
            if x < 0:
                raise ValueError("negative")
            self.value = x * 2
            if x > 100:
                raise ValueError("high")
            return self

    def fit_twice(self, x):
        with settings(), kept_by(self):
            return self.fit(x).fit(x + 1)


def an_estimator_that_returns_itself_from_under_managers(x):
    estimator = Estimator()
    try:
        fitted = estimator.fit_twice(x)
    except ValueError:
        return float(hasattr(estimator, "todo")), estimator.seen, estimator.part.value
    return fitted.value, fitted.seen, fitted.part.value


def a_dict_that_only_the_body_fills(x):
    seen = {}
    try:
        seen["first"] = x
        seen["second"] = x * 2
        if x > 5:
            raise ValueError("high")
        if x > 4:
            raise ValueError("late")
    except ValueError:
        return seen["second"]
    return seen["first"]


PROGRAMS = [
    a_dict_that_only_the_body_fills,
    a_list_that_is_empty_first_and_one_of_the_graph_then,
    a_list_of_another_length_before_one_of_the_graph,
    an_attribute_that_a_loop_inside_replaces_by_its_list,
    an_object_made_inside_that_gets_another_attribute_later,
    objects_of_objects_deleted_in_the_end,
    a_list_of_a_loop_that_was_traced_twice,
    an_estimator_that_returns_itself_from_under_managers,
]


@pytest.mark.parametrize("program", PROGRAMS)
def test_what_comes_after_a_try_sees_every_variable_as_it_was_where_the_body_was_left(program):
    ag.check(program, *CALLS[0], then=CALLS[1:])


def test_a_handler_changes_a_list_that_nobody_reads_behind_the_statement():
    def program(n, items):
        done = 0
        try:
            if n > 1:
                raise ValueError
            items = [*items, n]
            raise ZeroDivisionError
        except ZeroDivisionError:
            del items[-1]
        except ValueError:
            done = 1
        return done

    calls = [(np.int64(number), [1, 2]) for number in (1, 2, 0)]
    ag.check(program, *calls[0], then=calls[1:])


def test_an_array_that_a_branch_inside_has_made_is_behind_a_return():
    def program(n, v):
        matrix = np.arange(9.0).reshape(3, 3)
        table = matrix
        try:
            if n > 2:
                return matrix, table
            matrix = matrix @ matrix
            if n > 1:
                raise KeyError(n)
            table[0, 0] = v
        except KeyError:
            v += 1
        return matrix, table

    calls = [(np.int64(number), np.float64(2.0)) for number in (0, 2, 3)]
    ag.check(program, *calls[0], then=calls[1:])


def test_an_array_of_outside_that_a_turn_returns_holds_what_the_turn_wrote():
    def program(x, v):
        matrix = np.arange(9.0).reshape(3, 3)
        try:
            for each in x[:2]:
                matrix[1][1] = 1.5
                return matrix, each
        finally:
            v += 1

    ag.check(program, np.ones(4), np.float64(1.0), then=[(np.ones(0), np.float64(1.0))])


def test_a_list_that_a_branch_made_longer_before_an_exception_is_joined_behind_the_try():
    def program(n, v):
        path = [0.0]
        try:
            if n > 1:
                return (n,)
            path = [*path, v * 0.5]
            if n > 0:
                raise ValueError("no")
            path = [*path, v]
        except ValueError:
            pass
        return (path,)

    calls = [(np.int64(number), np.float64(2.0)) for number in (3, 1, 0)]
    ag.check(program, *calls[0], then=calls[1:])


class Passing:
    """Leaves out what a body raises of one kind."""

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        return kind is not None and issubclass(kind, KeyError)


def test_lists_of_which_some_hold_one_of_several_rows_are_told_apart_behind_a_with():
    def program(n):
        g, h = [[2.0], [3.0]], [[2.0], [3.0]]
        h[0], g[-1] = g[n], h[1]
        with Passing():
            with Passing():
                if h[n] is g[n]:
                    raise KeyError("no")
                h = [list(r) for r in h]
            raise KeyError("no")
        return (h,)

    ag.check(program, np.int64(1), then=[(np.int64(0),)])


BOUND_AGAIN_IN_TURNS = {
    "left by an exception": (
        "while count > 0:",
        "    kept = kept",
        "    raise ValueError(count)",
    ),
    "left by a return behind them": ("for each in x:", "    kept = kept", "return x, 1"),
    "left by a return in them": (
        "for each in x:",
        "    kept = kept",
        "    if each > 2.5:",
        "        return x, 2",
    ),
    "left after a change": ("for each in x:", "    kept = kept", "kept += each", "return x, 1"),
    "changed in them": ("while count > 0:", "    kept += 1", "    count -= 10 // (count - 1)"),
}


@pytest.mark.parametrize("final", ["finally", "except (ValueError, ZeroDivisionError)"])
@pytest.mark.parametrize("body", BOUND_AGAIN_IN_TURNS.values(), ids=BOUND_AGAIN_IN_TURNS)
def test_an_array_that_turns_in_a_try_bind_again_is_changed_behind_them(body, final):
    lines = ["kept = x * 1", "count = int(x.argmax())", "try:"]
    lines += [f"    {line}" for line in body]
    lines += [f"{final}:", "    kept += 1", "return kept, count"]
    program = function_of("\n    ".join(["def f(x):", *lines]) + "\n")
    ag.check(program, np.array([1.0, 3.0, 2.0, 4.0]), then=[(np.array([1.0, -1.0, 0.5, 0.0]),)])


@pytest.mark.parametrize(
    ("bound", "final"),
    [
        ("first = matrix[0]", "except ZeroDivisionError"),
        ("first, last = last, first", "except ZeroDivisionError"),
        ("first, last = last, first", "finally"),
    ],
)
def test_an_array_from_outside_of_a_branch_is_one_of_several_behind_a_try(bound, final):
    program = function_of(
        f"""
def f(matrix, n):
    first, last = matrix[1], matrix.T[2]
    if n > 2:
        return first
    try:
        count = 6 // int(n)
        {bound}
    {final}:
        first[0] = 7.0
    return first, last
"""
    )
    calls = [(np.arange(9.0).reshape(3, 3), np.int64(n)) for n in (1, 0, 3)]
    ag.check(program, *calls[0], then=calls[1:])


def test_objects_of_which_no_turn_has_one_are_refused():
    class Row:
        def __init__(self, value):
            self.value, self.seen = value, [value]

    def program(x, n, v):
        rows = [Row(v), Row(2.0)]
        team = [rows[1]]
        kept = x * 1
        for _ in range(n):
            try:
                rows[0], team[n] = team[0], rows[0]
            finally:
                kept, kept = kept, kept

    with pytest.raises(StateDisagrees, match="one of several objects, of which one is never there"):
        ag.function(program)(np.ones(4), np.int64(3), np.float64(2.0))


def test_a_variable_that_a_branch_of_an_else_binds_for_nobody_does_not_outlive_it():
    def program(x, n, v):
        rows, total, pair = [x.copy()], 0.0, [1.0, 2.0]
        try:
            if n > 1:
                raise KeyError(n)
            least = rows[0].sum()
        except ZeroDivisionError:
            total += late  # noqa: F821  # it has no value there
        except LookupError:
            late = v
        else:
            if least > -1.0:
                late = np.sum(rows)
        finally:
            pair[1] = pair[0]
        return total, pair

    x = np.array([3.0, 1.0])
    ag.check(program, x, np.int64(2), 2.0, then=[(x, np.int64(0), 2.0), (-x, np.int64(0), 2.0)])


def test_a_view_is_read_again_behind_a_try_in_a_try():
    class Level:
        def __enter__(self):
            return self

        def __exit__(self, kind, error, trace):
            return kind is not None

    def program(x, n):
        level, path = 1.0, [1.0]
        grid = np.outer(x[:3], x[1:])
        row = grid[n % 3]
        with Level():
            match len(path):
                case 0:
                    return 0
                case _:

                    def later():
                        pass

                    grid += x[0]
            part = row[::1]
            level = part[-1]
        return level, part

    ag.check(program, np.arange(4.0), np.int64(3), then=[(np.ones(4), np.int64(1))])


def test_a_list_that_shrinks_in_one_with_and_grows_in_another_is_returned():
    class Level:
        def __enter__(self):
            return self

        def __exit__(self, kind, error, trace):
            return kind is not None

    def program(n, v):
        heap, total = [1.0, 3.0], 0.0
        with Level():
            with Level():
                heap = heapq.nsmallest(2, heap)
                if n > 2:
                    raise KeyError("no")
                if n % 2 == 0:
                    return heap, total
                heapq.heappush(heap, -1.0)
            if v < 1.0:
                raise KeyError("no")
            total += heap[0]
            if heap:
                total += heapq.heappop(heap)
            heapq.heappush(heap, 1.5)
        return heap, total

    calls = [(np.int64(n), np.float64(v)) for n, v in ((2, 2.0), (1, 2.0), (1, 0.5), (0, 0.5))]
    ag.check(program, np.int64(3), np.float64(2.0), then=calls)


@dataclass(frozen=True)
class Spot:
    at: float
    to: tuple = ()

    def moved(self, by):
        return replace(self, at=by, to=(self.at,)) if by > self.at else self


class Swallows:
    def __init__(self, at):
        pass

    def __enter__(self):
        pass

    def __exit__(self, kind, error, trace):
        return kind is not None


def test_an_object_of_two_forms_meets_the_one_of_a_path_that_has_made_none():
    def f(x, n):
        first = Spot(1.0)
        dot = first
        with Swallows(dot.at):
            try:
                dot = first.moved(x)
                if n > 1:
                    raise ValueError("one")
            except ValueError:
                pass
            if n > 1:
                raise KeyError("two")

    ag.check(f, np.float64(2.0), np.int64(3), then=[(np.float64(0.5), np.int64(n)) for n in (0, 2, 3)])
