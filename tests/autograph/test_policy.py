"""Which callables are converted, and why the others are not."""

import contextlib
import functools

import numpy as np
import pytest

import autograph as ag
from autograph.policy import verdict


def function(x):
    return x


class Callable:
    def __call__(self, x):
        return x

    def method(self, x):
        return x


def generator():
    yield 1


async def coroutine():
    pass


@contextlib.contextmanager
def manager():
    yield


@functools.wraps(function)
def wrapper(*args):
    return function(*args)


@pytest.mark.parametrize(
    "callee",
    [
        function,
        lambda x: x,
        wrapper,
        functools.partial(function, 1),
        Callable(),
        Callable().method,
        Callable.method,
    ],
)
def test_what_leads_to_python_source_is_converted(callee):
    assert verdict(callee).convert


@pytest.mark.parametrize(
    ("callee", "reason"),
    [
        (len, "not written in Python"),
        ([].append, "not written in Python"),
        (np.add, "not written in Python"),
        (Callable, "a class"),
        (functools.lru_cache(function), "not written in Python"),
        (np.linalg.norm, "not written in Python"),
        (np.iterable, "numpy"),
        (contextlib.contextmanager, "contextlib"),
        (manager, "contextlib"),
        (generator, "a generator"),
        (coroutine, "an async"),
        (ag.to_code, "our own"),
        (ag.do_not_convert(function), "do_not_convert"),
        (ag.convert(backends=[])(function), "already"),
    ],
)
def test_the_rest_is_called_as_it_is_with_a_reason(callee, reason):
    ruling = verdict(callee)
    assert not ruling.convert
    assert reason in ruling.reason


def test_the_module_of_the_code_counts_and_not_what_a_decorator_copied():
    disguised = functools.wraps(np.add)(lambda x: x)
    assert verdict(disguised).convert
