"""What introspection sees of a converted function is what it sees of the function."""

from __future__ import annotations

import abc
import functools
import inspect
import sys
import types
import typing

import pytest

import autograph as ag


def described(a: int, b: str = "b", /, *rest: float, c, d: list[int] = (), **more: object) -> dict:
    """What it does.

    In two paragraphs.
    """
    if a:
        return {"a": a, "b": b, "rest": rest, "c": c, "d": d, "more": more}
    return {}


described.mark = "an attribute"


def test_names_signature_documentation_and_attributes_are_kept(convert):
    converted = convert(described)
    for name in ("__name__", "__qualname__", "__module__", "__doc__", "__annotations__", "__dict__"):
        assert getattr(converted, name) == getattr(described, name)
    for name in ("__defaults__", "__kwdefaults__", "__globals__"):
        assert getattr(converted, name) == getattr(described, name)
    assert inspect.signature(converted) == inspect.signature(described)
    assert inspect.signature(converted, eval_str=True) == inspect.signature(described, eval_str=True)
    assert typing.get_type_hints(converted) == typing.get_type_hints(described)
    assert inspect.getdoc(converted) == inspect.getdoc(described)
    assert inspect.getfullargspec(converted) == inspect.getfullargspec(described)


def test_it_is_a_function_to_everybody_who_asks(convert):
    converted = convert(described)
    assert isinstance(converted, types.FunctionType)
    assert inspect.isfunction(converted)
    assert inspect.isroutine(converted)
    assert callable(converted)
    assert repr(converted).startswith("<function described at ")


def test_source_file_and_line_are_the_users(convert):
    converted = convert(described)
    assert inspect.getsource(converted) == inspect.getsource(described)
    assert inspect.getsourcefile(converted) == __file__
    code, original = converted.__code__, described.__code__
    for name in (
        "co_filename",
        "co_firstlineno",
        "co_name",
        "co_qualname",
        "co_argcount",
        "co_kwonlyargcount",
    ):
        assert getattr(code, name) == getattr(original, name)
    assert code.co_posonlyargcount == original.co_posonlyargcount
    assert code.co_varnames[:6] == original.co_varnames[:6]
    flags = inspect.CO_VARARGS | inspect.CO_VARKEYWORDS
    assert code.co_flags & flags == original.co_flags & flags


def test_closure_cells_are_the_same_objects(convert):
    value = 1

    def inner(a):
        if a:
            return value
        return unset

    converted = convert(inner)
    cells = dict(zip(converted.__code__.co_freevars, converted.__closure__))
    for name, cell in zip(inner.__code__.co_freevars, inner.__closure__):
        assert cells[name] is cell
    with pytest.raises(NameError, match="free variable 'unset'"):
        converted(0)
    unset = 2
    assert converted(0) == 2
    assert inspect.getclosurevars(converted).nonlocals.items() >= {"value": 1, "unset": 2}.items()


def test_chains_of_wrappers_lead_to_the_same_function(convert):
    def decorator(function):
        @functools.wraps(function)
        def wrapper(*arguments, **keywords):
            if arguments:
                return ("wrapped", function(*arguments, **keywords))
            return None

        return wrapper

    @decorator
    @decorator
    def plain(a, b=2):
        """Documented."""
        return a + b

    converted = convert(plain)
    assert converted.__wrapped__ is plain.__wrapped__
    assert inspect.unwrap(converted) is inspect.unwrap(plain)
    assert inspect.signature(converted) == inspect.signature(plain)
    assert (converted.__name__, converted.__doc__) == ("plain", "Documented.")
    assert converted(1) == plain(1) == ("wrapped", ("wrapped", 3))


class Shape(abc.ABC):
    """With every kind of member."""

    @ag.convert
    @abc.abstractmethod
    def area(self):
        """To be given."""
        return 0 if self else 1

    @ag.convert
    def twice(self):
        return self.area() * 2

    @property
    @ag.convert
    def size(self):
        return self.area() if self else None

    @staticmethod
    @ag.convert
    def unit(name: str = "m"):
        return name or "none"

    @classmethod
    @ag.convert
    def make(cls, *arguments):
        return cls(*arguments) if arguments else cls(1)

    @functools.cached_property
    @ag.convert
    def cached(self):
        return [self.area()]


class Square(Shape):
    def __init__(self, side):
        self.side = side

    @ag.convert
    def area(self):
        return self.side**2 if self.side else super().area()

    @ag.convert
    def __eq__(self, other):
        return isinstance(other, Square) and self.side == other.side

    @ag.convert
    def __len__(self):
        return self.side if self.side > 0 else 0

    @ag.convert
    def __getattr__(self, name):
        if name == "colour":
            return "red"
        raise AttributeError(name)


def test_members_of_every_kind(convert):
    assert inspect.isabstract(Shape)
    assert Shape.__abstractmethods__ == {"area"}
    with pytest.raises(TypeError, match="abstract"):
        Shape()
    square = Square.make(3)
    assert (square.area(), square.twice(), square.size, square.cached, Shape.unit()) == (9, 18, 9, [9], "m")
    assert Square(0).area() == 1
    assert (square == Square(3), square == Square(4), len(square), square.colour) == (True, False, 3, "red")
    assert square.cached is square.cached
    assert Square.__hash__ is None
    with pytest.raises(AttributeError, match="weight"):
        _ = square.weight
    assert inspect.ismethod(square.area)
    assert square.area.__self__ is square
    assert square.area.__func__ is Square.area
    assert Square.area.__qualname__ == "Square.area"
    assert isinstance(vars(Shape)["unit"], staticmethod)
    assert [name for name, _ in inspect.getmembers(Square, inspect.isfunction)] == [
        "__eq__",
        "__getattr__",
        "__init__",
        "__len__",
        "area",
        "twice",
        "unit",
    ]


def test_bound_methods_and_partial_objects_stay_what_they_are(convert):
    square = Square(2)
    method = convert(square.twice)
    assert (method.__self__, method.__name__, method()) == (square, "twice", 8)
    part = convert(functools.partial(described, 1, c=3))
    assert isinstance(part, functools.partial)
    assert (part.args, part.keywords) == ((1,), {"c": 3})
    assert part() == described(1, c=3)


def test_functions_made_within_look_as_those_of_the_original(check):
    def outer(n):
        """Documented."""
        if n:

            def inner(a: int, b=n, *, c: str = "c") -> None:
                """Inner."""
                if a:
                    return b
                return c

            inner.mark = n
        else:
            inner = lambda a, b=0: a or b

        class Made:
            """Made."""

            def method(self, a):
                return a if a else n

        found = []
        for function in (inner, Made.method, Made().method, lambda x, /, y=1: x and y):
            code = function.__code__
            found.append((function.__name__, function.__qualname__, function.__module__, function.__doc__))
            found.append((function.__defaults__, function.__kwdefaults__, function.__annotations__))
            found.append((str(inspect.signature(function)), inspect.getsource(function), code.co_firstlineno))
            found.append(
                (code.co_argcount, code.co_varnames[: code.co_argcount], code.co_name, code.co_qualname)
            )
        return found, getattr(inner, "mark", None), Made.__qualname__

    check(outer, (1,), (0,))


def test_wrong_arguments_are_reported_for_the_users_function(check):
    def wrong(kind):
        def target(a, b=1, /, *, c):
            return a, b, c

        calls = {
            "missing": lambda: target(1),
            "too many": lambda: target(1, 2, 3, c=4),
            "unknown": lambda: target(1, c=2, d=3),
            "positional": lambda: target(a=1, c=2),
            "twice": lambda: described(1, a=2, c=3, **{"a": 4}),
            "twice in stars": lambda: target(1, **{"c": 1}, **{"c": 2}),
            "keyword and stars": lambda: target(1, c=1, **{"c": 2}),
            "not a mapping": lambda: target(1, c=2, **[1]),
            "key is no string": lambda: target(1, **{1: 2}),
            "not callable": lambda: kind(2),
            "builtin": lambda: len(1, 2),
            "builtin keyword": lambda: len(x=2),
            "class": lambda: Square(),
            "method": lambda: Square(1).area(2),
            "class keyword": lambda: Square(1, side=2),
            "partial": lambda: functools.partial(target, 1)(2),
        }
        return calls[kind]()

    kinds = ["missing", "too many", "unknown", "positional", "twice", "twice in stars", "keyword and stars"]
    kinds += ["not a mapping", "key is no string", "not callable", "builtin"]
    kinds += ["builtin keyword", "class", "method", "class keyword", "partial"]
    check(wrong, *[(kind,) for kind in kinds])


def test_a_converted_function_reports_wrong_arguments_under_its_own_name(convert):
    for call in (lambda f: f(), lambda f: f(1, c=1, a=2, **{"c": 3}), lambda f: f(1), lambda f: f(*1, d=1)):
        with pytest.raises(TypeError) as plain:
            call(described)
        with pytest.raises(TypeError) as converted:
            call(convert(described))
        assert str(converted.value) == str(plain.value)


def test_a_debugger_and_a_profiler_see_the_users_lines(convert):
    def traced(n):
        total = 0
        for i in range(n):
            if i % 2:
                total += i
            else:
                total -= 1
        return total

    def lines(function):
        first, seen = traced.__code__.co_firstlineno, []

        def trace(frame, event, argument):
            if frame.f_code.co_filename != __file__ or frame.f_code.co_name != "traced":
                return None
            if event == "line":
                seen.append(frame.f_lineno - first)
            return trace

        before = sys.gettrace()
        sys.settrace(trace)
        try:
            function(3)
        finally:
            sys.settrace(before)
        return seen

    plain, converted = lines(traced), lines(convert(traced))
    assert set(plain) - {0} <= set(converted)
    statements = [line for line in converted if line in {4, 6}]
    assert statements == [line for line in plain if line in {4, 6}], "each runs when its turn comes"


def test_breakpoints_on_any_line_of_the_user_are_hit(convert):
    import bdb

    def stopped(n):
        total = 0
        while n > 0:
            if n == 2:
                total += 10
            n -= 1
        return total

    class Debugger(bdb.Bdb):
        def __init__(self):
            super().__init__()
            self.stops = []

        def user_line(self, frame):
            if self.break_here(frame):
                self.stops.append((frame.f_lineno - first, frame.f_code.co_name))
            self.set_continue()

    def stops(function, line):
        debugger = Debugger()
        assert debugger.set_break(__file__, first + line) is None
        before = sys.gettrace()
        try:
            debugger.runcall(function, 3)
        finally:
            sys.settrace(before)
            debugger.clear_all_breaks()
        return debugger.stops

    first = stopped.__code__.co_firstlineno
    statements, headers = (1, 4, 5, 6), (2, 3)
    for line in statements:
        assert stops(convert(stopped), line) == stops(stopped, line) != []
    for line in headers:
        assert {*stops(convert(stopped), line)} == {*stops(stopped, line)} == {(line, "stopped")}
