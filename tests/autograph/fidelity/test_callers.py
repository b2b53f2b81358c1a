"""Code that looks at its caller finds the user's function and line."""

import collections
import enum
import inspect
import logging
import sys
import typing
import warnings

import pytest


def caller(depth=1):
    """The name, line and module of the function `depth` calls up, as many libraries ask for it."""
    frame = sys._getframe(depth)
    return frame.f_code.co_name, frame.f_lineno, frame.f_globals["__name__"]


def test_warnings_blame_the_line_that_their_stacklevel_says(convert):
    def deprecated(level):
        if level:
            warnings.warn("old", DeprecationWarning, stacklevel=level)
        return level

    def user(level):
        for _ in range(1):
            deprecated(level)

    def places(function):
        found = []
        for level in (1, 2):
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                function(level)
            found += [(each.filename, each.lineno, each.category) for each in caught]
        return found

    assert places(convert(user)) == places(user)


def test_log_records_name_the_users_function_and_line(convert, caplog):
    logger = logging.getLogger("fidelity")

    def logged(t):
        if t:
            logger.warning("in a branch")
        while t:
            logger.log(logging.ERROR, "in a loop", stacklevel=1)
            t -= 1
        try:
            [][t]
        except IndexError:
            logger.exception("in a handler")

    records = []
    for function in (logged, convert(logged)):
        caplog.clear()
        function(1)
        records.append([(each.funcName, each.lineno, each.filename, each.msg) for each in caplog.records])
    assert records[0] == records[1]


def test_classes_made_by_calls_know_their_module(check):
    def made(t):
        if t:
            Pair = collections.namedtuple("Pair", "x y")
            Typed = typing.NamedTuple("Typed", [("x", int)])
        else:
            Pair = collections.namedtuple("Pair", ["x", "y", "z"], defaults=[3])
            Typed = typing.NamedTuple("Typed", [("y", str)])
        Colour = enum.Enum("Colour", "red green")
        Variable = typing.TypeVar("Variable")
        Plain = type("Plain", (), {})
        Table = typing.TypedDict("Table", {"x": int})
        kinds = [Pair, Typed, Colour, Variable, Plain, Table]
        return [(kind.__module__, kind.__name__) for kind in kinds], Pair._fields, len(Colour)

    check(made, (True,), (False,))


def test_the_module_of_the_caller_is_the_users(check):
    def asks(t):
        if t:
            return sys._getframe().f_globals["__name__"], caller()[2]
        return sys._getframe(0).f_code.co_name, inspect.currentframe().f_code.co_filename

    check(asks, (True,), (False,))


def test_globals_and_the_builtins_are_those_of_the_module(check):
    def asks(t):
        if t:
            return globals() is sys.modules[__name__].__dict__ if __name__ in sys.modules else None
        return sorted(key for key in globals() if key.startswith("caller")), __name__

    check(asks, (True,), (False,))


def test_super_without_arguments_finds_its_class(check):
    class Base:
        @classmethod
        def make(cls, n):
            return cls.__name__, n

        def __init_subclass__(cls, **facts):
            cls.facts = facts

    def defined(t):
        class Derived(Base, mark=t):
            @classmethod
            def make(cls, n):
                if n:
                    return super().make(n - 1)
                return [super(Derived, cls).make(n) for _ in range(1)]

            def __repr__(self):
                if t:
                    return "<" + super().__repr__()[:1] + ">"
                return (lambda: super(__class__, self).__repr__()[:1])()

        return Derived.make(0), Derived.make(2), repr(Derived()), Derived.facts

    check(defined, (True,), (False,))


@pytest.mark.parametrize("t", [True, False])
def test_decorators_that_keep_the_namespace_of_their_caller(check, t):
    def registers(t):
        registry = {}

        def register(function):
            registry[function.__name__] = function
            return function

        if t:

            @register
            def first(n):
                return n if n else "zero"

        for index in range(2):

            @register
            def second(n, index=index):
                while n > index:
                    n -= 1
                return n

        return {name: function(3) for name, function in registry.items()}

    check(registers, (t,))
