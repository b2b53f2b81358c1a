"""What a handler changes in the exception that it has caught."""

import numpy as np
import pytest

import autograph as ag
from runtime.errors import NoConcreteValue, StateDisagrees


class Coded(Exception):
    def __init__(self, *args, code=0):
        super().__init__(*args)
        self.code = code


def caught(f, *args):
    try:
        return f(*args)
    except Coded as error:
        behind = repr(error.__cause__), repr(error.__context__), error.__suppress_context__
        return error.args, str(error), error.code, getattr(error, "__notes__", []), *behind


def given_an_attribute(n, v):
    try:
        if n > 2:
            raise Coded(n)
    except Coded as error:
        error.code = n + 4
        raise
    return v


def given_other_arguments(n, v):
    try:
        if n > 2:
            raise Coded(n)
    except Coded as error:
        error.args += (v * 2, "more")
        raise error
    return v


def given_notes(n, v):
    try:
        if n > 2:
            raise Coded(n)
    except Coded as error:
        error.add_note("seen")
        error.add_note(f"with {v}")
        raise
    return v


def given_a_cause(n, v):
    try:
        if n > 2:
            raise Coded(n)
    except Coded as error:
        raise error from KeyError(v)
    return v


def given_one_that_was_caught(n, v):
    try:
        if n > 2:
            raise Coded(n)
    except Coded as error:
        try:
            if v > 0:
                raise KeyError(v)
        except KeyError as cause:
            raise error from cause
    return v


def given_an_attribute_where_a_tensor_says(n, v):
    try:
        if n > 2:
            raise Coded(n)
    except Coded as error:
        if v > 1:
            error.code = n + 4
        else:
            error.code = 2
        raise
    return v


def given_an_attribute_by_two_handlers(n, v):
    try:
        return given_an_attribute(n, v)
    except Coded as error:
        error.code *= 2
        error.args = ()
        raise


def given_an_attribute_that_is_read(n, v):
    try:
        if n > 2:
            raise Coded(n)
    except Coded as error:
        error.code = n + 4
        error.where = v
        return error.code, error.where
    return v


PROGRAMS = [
    *(given_an_attribute, given_other_arguments, given_notes, given_a_cause, given_one_that_was_caught),
    *(given_an_attribute_where_a_tensor_says, given_an_attribute_by_two_handlers),
    given_an_attribute_that_is_read,
]


@pytest.mark.parametrize("f", PROGRAMS)
def test_an_exception_that_is_raised_again_has_what_its_handler_gave_it(f):
    calls = [(np.int64(1), np.float64(2.0)), (np.int64(3), np.float64(0.5))]
    ag.check(f, np.int64(3), np.float64(2.0), then=calls)
    ag.check(lambda n, v: caught(f, n, v), np.int64(3), np.float64(2.0), then=calls)


def test_what_may_have_another_name_is_not_changed_under_this_one():
    def f(n):
        kept = Coded(n)
        try:
            if n > 2:
                raise kept
        except Coded as error:
            error.code = n
        return kept.code

    with pytest.raises(StateDisagrees, match="may have another name"):
        ag.function(f)(np.int64(3))


def test_no_attribute_is_made_up_for_what_a_kernel_raises():
    def f(n):
        try:
            try:
                return 10 // int(n)
            except ZeroDivisionError as error:
                error.code = n
                raise
        except ZeroDivisionError as error:
            return error.code

    with pytest.raises(NoConcreteValue, match="only the run knows what was raised"):
        ag.function(f)(np.int64(3))


def test_a_note_is_a_text():
    def f(n):
        try:
            if n > 2:
                raise Coded(n)
        except Coded as error:
            error.add_note(n)
            raise
        return n

    with pytest.raises(NoConcreteValue, match="add_note"):
        ag.function(f)(np.int64(3))


def test_what_a_list_keeps_is_not_changed_by_another_handler():
    def f(n):
        met = []
        try:
            try:
                if n > 2:
                    raise Coded(n)
            except Coded as error:
                met.append(error)
                raise
        except Coded as error:
            error.code = n
        return [error.code for error in met]

    with pytest.raises(StateDisagrees):
        ag.function(f)(np.int64(3))
