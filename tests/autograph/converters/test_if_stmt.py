"""`if` on plain values."""

import io

import pytest


def test_each_branch_runs_when_its_turn_comes(check):
    def f(x):
        y = 0
        if x > 0:
            y = 1
        elif x < 0:
            y = -1
        return y

    check(f, (3,), (-3,), (0,))


def test_a_variable_of_one_branch_is_unbound_when_the_other_ran(check):
    def f(x):
        if x:
            y = 1
        return y

    check(f, (True,), (False,))


def test_reading_an_unbound_variable_within_a_branch_is_an_unbound_local_error(convert):
    def f(x):
        if x:
            return y  # noqa: F821  (the point)
        y = 1
        return y

    with pytest.raises(UnboundLocalError, match="'y'"):
        convert(f)(True)
    assert convert(f)(False) == 1


def test_a_function_within_that_reads_an_unbound_variable_raises_name_error(check):
    def f(x):
        if x:
            y = 1

        def read():
            return y

        return read()

    check(f, (True,), (False,))


class Undecided:
    def __bool__(self):
        raise ValueError("ask again")


def test_any_truth_value_decides(check, convert):
    def f(x):
        if x:
            return "yes"
        return "no"

    check(f, ([],), ([0],), ("",), (None,), (0.0,))

    with pytest.raises(ValueError, match="ask again"):
        convert(f)(Undecided())


def test_names_bound_in_every_way_are_visible_after_the_block(check):
    def f(x):
        if x:
            import math as m  # noqa: PLC0415
            from os import path  # noqa: PLC0415

            def inner():
                return 1

            class Local:
                value = 2

            with io.StringIO() as handle:
                pass
            for i in range(3):
                pass
            try:
                1 / 0
            except ZeroDivisionError as error:
                caught = str(error)
            (a, *b), c = (1, 2, 3), 4
            if (w := a + c) > 0:
                pass
            note: int = 5
            return (m.pi, path.sep, inner(), Local.value, handle.closed, i, caught, a, b, c, w, note)
        return None

    check(f, (True,), (False,))


def test_global_and_nonlocal_declarations_hold_within_blocks(convert):
    outer = 0

    def f(x):
        nonlocal outer
        if x:
            outer += x
        return outer

    assert convert(f)(3) == 3
    assert outer == 3

    def g(x):
        if x:
            global a_global
            a_global = x
        return a_global

    assert convert(g)(5) == 5
    assert a_global == 5


def test_a_bare_annotation_makes_a_variable_local(check):
    def f(x):
        if x:
            value: int
        return value  # noqa: F821  (the point)

    check(f, (True,), (False,))


def test_del_in_a_branch_unbinds(check):
    def f(x, y):
        if x:
            del y
        return y

    check(f, (True, 1), (False, 1))

    def twice(y):
        if y:
            del y
            del y
        return 1

    check(twice, (True,))


def test_the_exception_of_a_handler_is_unbound_after_it(check):
    def f(x):
        if x:
            try:
                raise KeyError("k")
            except KeyError as error:
                seen = repr(error)
            return seen
        return None

    check(f, (True,))


def test_late_binding_of_what_a_lambda_captured(check):
    def f(n):
        calls = []
        for i in range(n):
            if i >= 0:
                t = i * 10
                calls.append(lambda: (i, t))
        return [call() for call in calls]

    check(f, (3,))
