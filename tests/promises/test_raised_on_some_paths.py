"""Where a graph raises on some paths, all that Python runs on them runs: `finally`, `__exit__`, handlers."""

import numpy as np
import pytest

import autograph as ag
from runtime.errors import NoConcreteValue
from tests.promises.kit import function_of

CALLS = [(np.int64(number),) for number in (0, 1, 3, 6, 9)]


def a_finally_behind_handlers_that_raise(n):
    log = []
    try:
        try:
            if n > 5:
                raise KeyError(n)
        except KeyError:
            if n > 7:
                raise ValueError(2) from None
        else:
            if n > 1:
                raise ValueError(3)
        finally:
            log.append(n)
    except ValueError as error:
        log.append(error.args[0])
    return log


def a_finally_behind_a_handler_that_always_raises(n):
    log = [0]
    try:
        try:
            if n < 2:
                raise ZeroDivisionError
        except ZeroDivisionError:
            log[0] += 1
            if n < 1:
                raise ValueError(n) from None
            raise KeyError(n) from None
        finally:
            log[0] += 10
    except (KeyError, ValueError) as error:
        log[0] += 100 + len(error.args)
    return log


def a_finally_that_reads_what_a_handler_left(n):
    found = 0
    total = 0
    try:
        try:
            if n > 1:
                raise KeyError(n)
        except KeyError:
            found = n
            if n > 5:
                raise
        finally:
            total += found
    except KeyError:
        total = -total
    return total


def a_finally_in_a_loop(n):
    total = 0
    for i in range(n):
        try:
            try:
                if i % 2 == 0:
                    raise KeyError(i)
            except KeyError:
                if i > 2:
                    raise ValueError(i) from None
            finally:
                total += 1
        except ValueError:
            total += 100
    return total


def a_list_from_outside_that_a_finally_grows(n):
    log = []
    try:
        try:
            log.append(n)
            if n > 1:
                raise ValueError
        except ValueError:
            log.append(-1)
    finally:
        log.append(0)
    return log


def a_list_that_grows_in_a_loop_before_a_finally(n):
    items, errors = [n], 0
    for _ in range(n):
        try:
            items.append(n)
            if n > 1:
                raise KeyError(n)
            items.append(n)
        except KeyError as error:
            errors += len(error.args)
            items[0] = n
        finally:
            items.append(0)
    return items, errors


def a_try_in_a_try_that_is_traced_again(n):
    rows = [[1], [2, n], [3]]
    taken = list(rows)
    failed, found = 0, 0
    try:
        try:
            found = len(taken[n % 3])
        except LookupError as error:
            failed += len(error.args)
            taken[n % 3] = rows[failed % 3]
        finally:
            if taken[-1] is rows[1] and n > 5:
                raise KeyError
            found += 1
        raise ValueError
    except ValueError:
        found += 10
    return found, failed


class Counting:
    def __init__(self):
        self.entered, self.left, self.errors = 0, 0, 0

    def __enter__(self):
        self.entered += 1
        return self

    def __exit__(self, kind, error, trace):
        self.left += 1
        if kind is not None:
            self.errors += 1


class Timing(Counting):
    pass


class Swallowing:
    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        return kind is not None and issubclass(kind, KeyError)


def a_manager_that_lets_pass_what_is_raised(n):
    manager = Counting()
    try:
        with manager:
            if n > 1:
                raise KeyError(n)
    except KeyError:
        manager.entered += 10
    return manager.entered, manager.left, manager.errors


def managers_within_managers(n):
    outer, inner = Timing(), Counting()
    done = 0
    with Swallowing(), outer as _:
        with inner:
            done = 6 // (n - 1)
            if n > 5:
                raise KeyError(n)
        done += 1
    return done, outer.left, outer.errors, inner.left, inner.errors


def a_finally_tells_which_class_passes(n):
    done = 0
    with Swallowing():
        try:
            if n > 5:
                raise KeyError(n)
            done = 1
        finally:
            done += 10
    return done


def what_passes_a_finally_has_its_arguments(n):
    found = 0
    try:
        try:
            if n > 5:
                raise KeyError(n)
            if n > 1:
                raise ValueError(n + 1)
        finally:
            found = 1
    except LookupError as error:
        found += error.args[0] + 10 * (type(error) is KeyError)
    except Exception as error:  # noqa: BLE001  # as programs have it
        found += 100 * isinstance(error, ValueError)
    return found


def what_is_raised_again_has_its_arguments(n):
    found = 0
    try:
        try:
            if n > 1:
                raise KeyError(n)
        except KeyError:
            found = 1
            raise
    except KeyError as error:
        found += error.args[0]
    return found


PROGRAMS = [
    a_finally_behind_handlers_that_raise,
    a_finally_behind_a_handler_that_always_raises,
    a_finally_that_reads_what_a_handler_left,
    a_finally_in_a_loop,
    a_list_from_outside_that_a_finally_grows,
    a_list_that_grows_in_a_loop_before_a_finally,
    a_try_in_a_try_that_is_traced_again,
    a_manager_that_lets_pass_what_is_raised,
    a_finally_tells_which_class_passes,
    what_passes_a_finally_has_its_arguments,
    what_is_raised_again_has_its_arguments,
]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_what_python_runs_on_a_path_that_raises_runs(program):
    ag.check(program, *CALLS[0], then=CALLS[1:])


def test_managers_within_managers_all_hear_of_it():
    calls = [(np.int64(number),) for number in (0, 3, 6)]
    ag.check(managers_within_managers, *calls[0], then=calls[1:])


def test_a_constant_index_of_a_known_shape_raises_nothing():
    def f(x):
        u = np.zeros(2)
        try:
            u[1] = x
        except IndexError:
            u[0] = -1.0
        return u

    ag.check(f, np.float64(2.0))
    assert "Try" not in ag.function(f).get_concrete_function(np.float64(2.0)).graph.ops


class Short(Exception):
    def __init__(self, need, have):
        super().__init__(f"need {need}, have {have}")
        self.need, self.have = need, have


def test_attributes_of_what_the_program_raises_are_known_beside_calls_of_numpys():
    def served(amounts):
        left, log = {50: 2, 20: 3}, []
        for amount in amounts:
            try:
                rest, notes = amount, {}
                for note in sorted(left):
                    taken = min(rest // note, left[note])
                    if taken:
                        notes[note] = taken
                        rest -= taken * note
                if rest > 0:
                    raise Short(amount, amount - rest)
                for note, taken in notes.items():
                    left[note] -= taken
                log.append(amount)
            except Short as error:
                log.append(-error.have)
        return log, left

    ag.check(served, np.array([70, 35, 100]), then=[(np.array([20, 20, 20]),)])


def measured(x):
    if x > 1:
        raise Short(float(x), 0.0)
    return float(x)


def test_what_a_host_call_raises_is_caught_by_its_own_class():
    def asked(x):
        try:
            return ag.host_call(measured, x, result=float)
        except Short:
            return -1.0

    ag.check(asked, np.float64(0.5), then=[(np.float64(2.0),)])


def test_an_attribute_of_an_exception_that_a_host_call_may_have_raised_is_refused():
    @ag.function
    def asked(x):
        try:
            y = ag.host_call(measured, x, result=float)
            if x < -1:
                raise Short(x, x)
        except Short as error:
            return error.have
        return y

    with pytest.raises(NoConcreteValue, match="the attribute 'have' of a Short that was caught"):
        asked(np.float64(0.5))


def test_a_loop_of_machine_code_raises_beside_a_list_that_it_was_given():
    def sold(xs, n):
        held = []
        for x in xs:
            if x > 0:
                held.append(x)
        for _ in range(n):
            if not held:
                raise ValueError(f"{n} is more than held")
            last = held.pop()
        return sum(x * 2 for x in held), last

    xs = np.array([3.0, 1.0, 4.0, 5.0])
    ag.check(sold, xs, np.int64(2), then=[(xs, np.int64(9))])


def _in_a_branch(x, counts, n):
    try:
        if n % 2:
            counts -= x
        return counts
    except (ValueError, TypeError):
        return -1


def _in_a_turn(x, counts, n):
    turns = 0
    try:
        for _ in range(n):
            turns += 1
            counts -= x
    except TypeError as error:
        return turns, str(error)
    return turns, counts


def _in_a_try_inside(x, counts, n):
    met = 0
    try:
        try:
            if n % 2:
                counts <<= 1.5
        except KeyError:
            met = 3
        met += 1
    except (ValueError, TypeError):
        met += 10
    return met


@pytest.mark.parametrize("program", [_in_a_branch, _in_a_turn, _in_a_try_inside])
def test_what_numpy_refuses_is_handled_on_the_path_that_gets_there(program):
    for n in range(4):
        ag.check(program, np.array([1.5, 2.0]), np.array([1, 2], np.int8), np.int64(n))


@pytest.mark.parametrize(
    "read",
    [
        "try:\n        z = g\n    except NameError:\n        z = -1",
        "try:\n        z = g\n    except UnboundLocalError as error:\n        z = len(str(error))",
        "z = -1\n    with contextlib.suppress(NameError):\n        z = g",
        "z = (lambda: g)\n    try:\n        z = z()\n    except NameError:\n        z = -2",
    ],
)
def test_a_variable_without_a_value_is_caught_where_it_is_only_read(read):
    program = f"""
import contextlib
def f(n):
    if n > 2:
        g = n
    {read}
    return z
"""
    ag.check(function_of(program), np.int64(3), then=[(np.int64(0),), (np.int64(5),)])


def test_a_variable_of_a_function_around_is_caught_where_it_is_only_read():
    program = """
def f(n):
    def inner():
        nonlocal g
        if n > 2:
            g = n
    inner()
    try:
        z = g
    except NameError:
        z = -1
    if n > 100:
        g = 0
    return z
"""
    ag.check(function_of(program), np.int64(3), then=[(np.int64(0),), (np.int64(5),)])
