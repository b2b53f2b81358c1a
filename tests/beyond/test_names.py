"""Variables of the user's that are called as generated code calls its own are variables like any other."""

import linecache

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from tests.beyond.kit import Number, check

CALLED = (
    *("retval_", "retval_mine", "retval__1", "do_return", "do_return_1", "break_", "break__1", "continue_"),
    *("ended_", "matched_", "captured_", "taken_", "subject_", "value_", "owner_", "popped_", "item_"),
    *("if_body", "else_body", "loop_body", "loop_test", "try_body", "except_body", "extra_test", "get_state"),
    *("set_state", "vars_", "itr", "run", "operand", "pattern", "fscope", "lscope", "ag__x", "ag__emit"),
    *("ld", "tf__f", "tf__program", "extra_test_1", "caught_", "items", "keep"),
)

PROGRAM = """
def program(x, n):
    NAME = 0
    for i in n:
        if i == x:
            NAME = i
            break
        try:
            NAME = NAME + 10 // i
        except ZeroDivisionError:
            NAME = NAME - 1
            continue
    while NAME > 50:
        NAME = NAME // 2
    match NAME:
        case 1:
            return NAME
        case _:
            NAME = [NAME + x, NAME]
    if x > 3:
        return NAME[0]
    return NAME[1]
"""

UNSET = """
def program(x):
    if x > 0:
        NAME = x
    return NAME
"""

GENERATOR = """
def program(NAME):
    def numbers(NAME):
        while NAME > 0:
            yield NAME
            NAME = NAME - 1
    total = 0
    for each in numbers(NAME):
        total = total + each
    return total
"""


def program(text, name):
    """The program with one of its variables called so."""
    filename = f"<names {name} {hash(text)}>"
    text = text.replace("NAME", name)
    linecache.cache[filename] = len(text), None, text.splitlines(keepends=True), filename
    namespace = {"rt": rt, "__name__": "names"}
    exec(compile(text, filename, "exec"), namespace)
    return namespace["program"]


@pytest.mark.parametrize("name", CALLED)
def test_a_program_means_the_same_under_any_name(name):
    plain = program(PROGRAM, name)
    staged = ag.function(plain)
    for x, n in ((2, [5, 0, 2, 4]), (9, [3, 0, 7, 8]), (1, [4, 4, 0, 4])):
        assert int(staged(rt.asarray(x), rt.asarray(n))) == plain(x, n)


@pytest.mark.parametrize("name", CALLED)
def test_generators_and_messages_mean_the_same_under_any_name(name):
    assert int(ag.function(program(GENERATOR, name))(rt.asarray(4))) == 10
    staged = ag.function(program(UNSET, name))
    assert int(staged(rt.asarray(1))) == 1
    with pytest.raises(UnboundLocalError, match=f"'{name}'"):
        staged(rt.asarray(-1))


def test_an_explanation_names_the_user_s_variables_and_no_others():
    def shown(name):
        section = ag.explain(program(PROGRAM, name), rt.asarray(2), rt.asarray([5, 0, 2, 4])).sections[0]
        return [sorted(each.name.replace(name, "NAME") for each in mark.state) for mark in section.marks]

    wanted = shown("total")
    assert ["NAME", "what is returned"] in wanted or ["what is returned"] in wanted
    for name in ("retval_mine", "do_return", "break_", "matched_"):
        assert shown(name) == wanted


def test_a_function_that_is_called_like_a_builtin_that_reads_its_frame_is_converted():
    def positive(x):
        if x > 0:
            return x
        return -x

    def program(eval, x):
        vars = positive
        return eval(x) + vars(x)

    assert int(ag.function(program)(positive, rt.asarray(-3))) == 6


def test_a_captured_variable_that_is_called_like_the_operators_makes_no_converted_function():
    ag__ = 1

    def reads(x):
        return x + ag__

    assert not ag.is_converted(reads)

    def program(x):
        return reads(x) * 2

    with pytest.warns(ag.errors.ConversionWarning, match="the name `ag__`"):
        assert int(ag.function(program)(rt.asarray(3))) == 8


def test_a_try_that_begins_with_a_jump_or_a_match_is_staged():
    def loop(i):
        x = 0
        y = 0
        try:
            while x < 3:
                x += 1
                if x == 2:
                    break
            y = 10 // i
        except ZeroDivisionError:
            y = -1
        return x, y

    def skips(i, n):
        y = 0
        try:
            for k in n:
                if k == 2:
                    continue
                y += k // i
        except ZeroDivisionError:
            y = -1
        return y

    def matches(i):
        try:
            match i:
                case 0:
                    y = 10 // i
                case _:
                    y = 20 // i
        except ZeroDivisionError:
            y = -1
        return y

    def returns(i, n):
        try:
            for k in n:
                if k // i == 3:
                    return k
        except ZeroDivisionError:
            return -1
        return 0

    def unpacks(i):
        n = [4, 6]
        try:
            n[0], n[1] = n[1], n[0] // i
        except ZeroDivisionError:
            n[0] = -1
        return n

    for i in (0, 2):
        check(loop, Number(i))
        check(skips, Number(i), Number([1, 2, 7]))
        check(matches, Number(i))
        check(returns, Number(i), Number([1, 6, 7]))
        check(unpacks, Number(i))


def read_by_nobody_behind_a_branch(x, n):
    k = 0
    if x > n:

        def inner():
            nonlocal k
            return 1

        n += inner()
        if x > 1:
            k = n if x > 2 else 0
    return n


def read_by_nobody_behind_a_loop(x, n):
    k = x
    for each in range(n):

        def inner():
            nonlocal k
            return 1

        x += inner()
        for _ in range(n):
            k = x * each
    return x


@pytest.mark.parametrize("program", [read_by_nobody_behind_a_branch, read_by_nobody_behind_a_loop])
def test_what_a_statement_inside_leaves_in_a_variable_that_a_function_binds_may_be_read_by_nobody(program):
    calls = [(np.float64(x), np.int64(n)) for x, n in ((3.0, 2), (0.0, 0), (1.5, 1))]
    ag.check(program, *calls[0], then=calls[1:])
