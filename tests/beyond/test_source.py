"""Wherever the text of a function is, and whatever stands between a call and the function."""

import functools
import importlib
import linecache
import zipfile

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from tests.beyond.kit import EXECUTORS, Same, check, same


def check_made(program, *arguments):
    """As `check`, for callables that have no name."""

    def run(*arguments):
        return program(*arguments)

    check(run, *arguments)
    for executor in EXECUTORS:
        found = ag.function(program, executor=executor)(*[rt.asarray(argument) for argument in arguments])
        same(found, program(*[np.asarray(argument)[()] for argument in arguments]), executor)


# ── lambdas ──


def test_lambdas_of_one_line_are_told_apart():
    lower, upper = (lambda x: x if x > 0 else 0.0), (lambda x: x if x < 1 else 1.0)
    for value in (-0.5, 0.5, 1.5):
        check_made(lower, value)
        check_made(upper, value)


def test_lambdas_of_one_signature_are_told_apart():
    steps = [
        lambda x: x + 1 if x > 0 else x,
        lambda x: x + 2 if x > 0 else x,
        lambda x: x + 3 if x > 0 else x,
    ]
    for step in steps:
        check_made(step, 1.0)


def test_lambdas_within_lambdas_keep_what_they_see():
    size = lambda of, x: of(x)
    above = lambda limit: lambda x: x - limit if x > limit else x * size(lambda y: y if y > 0 else -y, limit)
    check_made(above(2.0), 5.0)
    check_made(above(-2.0), -5.0)


def test_a_lambda_over_several_lines():
    choose = lambda x, y: (
        x
        if x > y
        else (
            y  # the greater
        )
    )
    check_made(choose, 1.0, 2.0)


def test_lambdas_among_arguments_and_defaults():
    def apply(x, then=lambda x: x * 2 if x > 1 else x, last=lambda x: -x if x > 5 else x):
        return last(then(x))

    check(apply, 3.0)
    check(apply, 0.5)


def test_lambdas_made_in_a_loop():
    def total(x):
        result = x * 0
        for step in [lambda x, k=k: x * k if x > 0 else x - k for k in (1, 2, 3)]:
            result = result + step(x)
        return result

    check(total, 2.0)
    check(total, -2.0)


# ── text that is no file ──

COUNT = """
def count(n):
    steps = 0
    while n > 1:
        n = n // 2
        steps += 1
    return steps
"""


def made(text, filename, mode="exec", **names):
    """What a text gives that is compiled under a file name of its own."""
    linecache.cache[filename] = len(text), None, text.splitlines(keepends=True), filename
    code = compile(text, filename, mode)
    if mode == "eval":
        return eval(code, names)
    exec(code, names)
    return names


@pytest.mark.parametrize(
    "filename",
    [
        "<made 1>",
        "<ipython-input-7-0a1b2c3d>",
        "/tmp/ipykernel_4711/1234567890.py",
        "<python-input-3>",
        "<stdin>-2",
    ],
)
def test_functions_of_exec_and_of_notebooks(filename):
    check_made(made(COUNT, filename, __name__="__main__")["count"], 20)


def test_a_lambda_of_eval():
    check_made(made("lambda x: x if x > 0 else -x", "<made 2>", "eval"), -3)


def test_cells_that_redefine_a_function():
    first = made(COUNT, "<ipython-input-8-0>", __name__="__main__")["count"]
    second = made(COUNT.replace("// 2", "// 3"), "<ipython-input-9-0>", __name__="__main__")["count"]
    check_made(first, 20)
    check_made(second, 20)


def test_a_module_in_a_zip_file(tmp_path, monkeypatch):
    with zipfile.ZipFile(tmp_path / "packed.zip", "w") as archive:
        archive.writestr("counting_in_a_zip.py", COUNT)
    monkeypatch.syspath_prepend(str(tmp_path / "packed.zip"))
    check_made(importlib.import_module("counting_in_a_zip").count, 20)


def test_a_function_whose_text_is_nowhere_says_what_to_do():
    names = {}
    exec(COUNT, names)
    with pytest.raises(ag.ConversionWarning, match="tell linecache before the text runs"):
        ag.function(names["count"])(rt.asarray(20))


# ── what stands before a function ──


def relu(x, scale=1.0):
    if x > 0:
        return x * scale
    return x * 0


def test_partial_objects():
    check_made(functools.partial(relu, scale=3.0), 2.0)
    check_made(functools.partial(functools.partial(relu, scale=3.0), 2.0))


def test_cached_functions_go_past_their_cache_in_a_graph():
    calls = []

    @functools.lru_cache
    def cached(x):
        calls.append(x)
        if x > 0:
            return x * 2
        return x

    for value in (2.0, -2.0):
        check_made(cached, value)
    kept = len(calls)
    check_made(lambda x: x + cached(3), 1.0)
    assert len(calls) == kept + 1


def test_cached_methods():
    class Scaled:
        @functools.cache
        def of(self, x):
            return x * 2 if x > 0 else x

    check_made(Scaled().of, 2.0)


def test_decorated_functions():
    def twice(function):
        @functools.wraps(function)
        def inner(*args, **kwargs):
            return function(function(*args, **kwargs))

        return inner

    @twice
    @twice
    def shrunk(x):
        return x / 2 if x > 1 else x

    check_made(shrunk, 9.0)


def test_functions_chosen_by_class():
    @functools.singledispatch
    def size(x):
        return abs(x) if x < 0 else x

    @size.register
    def _(x: str):
        return len(x)

    check(lambda x: size(x) + size("four"), -2.0)


class Account:
    """Methods of all kinds."""

    __rate = 2
    _kinds = ("plain", "bound")

    def __init__(self, limit):
        self.limit = limit

    def capped(self, x):
        return self.limit if x > self.limit else self.__doubled(x)

    def __doubled(self, x):
        if x > 0:
            x = x * self.__rate
        return x

    @classmethod
    def grown(cls, x):
        while x < 10:
            x = x * cls.__rate
        return x

    @staticmethod
    def positive(x):
        return x if x > 0 else -x

    def __call__(self, x):
        return self.capped(x) if x > 1 else x

    twice = functools.partialmethod(capped)


class Savings(Account):
    """A class that calls its base's methods."""

    def capped(self, x):
        if x > 0:
            return super().capped(x) + 1
        return super().capped(x)


def test_methods_of_all_kinds():
    for account in (Account(5.0), Savings(5.0)):
        for method in (account.capped, account.grown, account.positive, account, account.twice):
            for value in (3.0, 7.0, -1.0):
                check(_one(method), value if method != account.grown else abs(value))


def _one(method):
    def program(x):
        return method(x)

    return program


def test_methods_named_by_the_class():
    check_made(Account.grown, 3.0)
    check_made(Account.positive, -3.0)
    check(Account.capped, Same(Account(5.0)), 3.0)
