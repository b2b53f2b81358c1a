"""Random programs in most of Python's grammar, for tests that compare two ways of running them.

Unlike those of `grammar.py`, which stay with what a graph can hold and keep every variable a number,
these programs have values of all types, `with`, classes, generators, `except*`, declarations and deletions
anywhere. Every one of them ends, for loops are bounded and nothing recurs. Many fail somewhere, and then both
ways have to fail alike.

    program = Program.from_random(random.Random(7))
    observed = program.run(lambda function: function)
"""

from __future__ import annotations

import itertools
import linecache
import re
import types
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any

__all__ = ["Program"]

DEPTH = 3
STATEMENTS = 25
"""A program that has as many gets no more compound ones."""

LOCALS = ("x", "y", "z")
PARAMETERS = ("a", "b", "c")
SHARED = ("free", "G")
"""A variable of the function around the program, and one of its module."""

PRELUDE = """\
G = 5

class Fault(Exception):
    pass

class Manager:
    def __init__(self, name, swallow=()):
        self.name, self.swallow = name, swallow
    def __enter__(self):
        note(self.name, "in")
        return self.name
    def __exit__(self, kind, error, trace):
        note(self.name, "out", kind and kind.__name__)
        return kind is not None and issubclass(kind, self.swallow)

class Box:
    __match_args__ = ("p",)
    def __init__(self, p):
        self.p = p
    def add(self, n=1, *more, key=0):
        self.p = self.p + n + len(more) + key
        return self.p

def fail(n):
    if n % 2:
        raise Fault(n)
    return n

def make():
    free = 2
"""

AFTER = """\
    def peek():
        return free
    return program, peek
"""

_numbers = itertools.count()


@dataclass(frozen=True)
class Program:
    """The text of a module whose `make()` returns `program(a, b, c)` and a view on the variable it shares."""

    text: str
    arguments: tuple[int, int, int]

    @classmethod
    def from_random(cls, random: Random) -> Program:
        """The program that a source of random numbers leads to."""
        text = _Writer(random).module()
        return cls(text, (random.randint(-3, 5), random.randint(-3, 5), random.randint(-3, 5)))

    def run(self, transform: Callable[[Any], Any]) -> dict[str, Any]:
        """All that can be seen of a run: the outcome, the notes, what is left in the variables it shares."""
        filename = f"<python program {next(_numbers)}>"
        linecache.cache[filename] = (len(self.text), None, self.text.splitlines(keepends=True), filename)
        notes: list[Any] = []

        def note(*values: Any) -> Any:
            notes.append(shown(values))
            return values[0]

        scope: dict[str, Any] = {"__name__": "program", "note": note}
        exec(compile(self.text, filename, "exec"), scope)
        function, peek = scope["make"]()
        outcome = _outcome(transform(function), self.arguments, filename)
        del linecache.cache[filename]
        shared = _value(peek), shown(scope.get("G", "gone"))
        return {"outcome": outcome, "notes": notes, "shared": shared}

    def __repr__(self) -> str:
        return f"{self.text}\nprogram{self.arguments}"


def _outcome(function: Any, arguments: tuple[Any, ...], filename: str) -> Any:
    """A value, with what a generator yields and what functions in it give; or an exception and its line."""
    try:
        result = function(*arguments)
        if isinstance(result, types.GeneratorType):
            return "yields", [shown(item) for item in itertools.islice(result, 50)]
        functions = result if isinstance(result, list | tuple) else [result]
        called = [_value(each) for each in functions if isinstance(each, types.FunctionType)]
    except Exception as error:  # noqa: BLE001  (whatever it is, both must raise it)
        return _failure(error), _last_line(error, filename)
    return "returned", shown(result), called


def _failure(error: BaseException) -> Any:
    """What can be seen of an exception, and of those behind it."""
    parts = [_failure(part) for part in getattr(error, "exceptions", ())]
    behind = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    return type(error).__name__, str(error), parts, behind and _failure(behind)


def _last_line(error: BaseException, filename: str) -> int | None:
    """The line of the program that raised; what `except*` raises again has none in plain Python."""
    if isinstance(error, BaseExceptionGroup):
        return None
    lines = []
    trace = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == filename:
            lines.append(trace.tb_lineno)
        trace = trace.tb_next
    return lines[-1] if lines else None


def _value(function: Callable[[], Any]) -> Any:
    try:
        return shown(function())
    except Exception as error:  # noqa: BLE001  (both must raise it)
        return type(error).__name__, str(error)


def shown(value: Any) -> Any:
    """A value as something that can be compared: no addresses, no identities."""
    if isinstance(value, list | tuple):
        return type(value).__name__, [shown(item) for item in value]
    if isinstance(value, dict):
        return "dict", [(shown(key), shown(item)) for key, item in value.items()]
    if isinstance(value, BaseException):
        return _failure(value)
    if isinstance(value, types.FunctionType | type):
        return type(value).__name__, value.__qualname__
    if isinstance(value, types.GeneratorType):
        return "generator", value.__qualname__
    return re.sub(r" at 0x[0-9a-f]+", "", repr(value))


class _Writer:
    """Draws one program, a line at a time."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self._numbers = itertools.count(1)
        self._lines: list[str] = []
        self._names: list[str] = [*LOCALS, *PARAMETERS]
        self._jumps: list[str] = []
        self._functions: list[str] = []
        self._handler = False
        self._class_body = False

    def module(self) -> str:
        """The text of the module."""
        self._line(0, PRELUDE.rstrip())
        generator = self._one_in(8)
        self._line(1, "def program(a, b, c=3, *rest, key=7, **more):")
        for name, word in zip(SHARED, ("nonlocal", "global"), strict=True):
            if self._one_in(3):
                self._line(2, f"{word} {name}")
                self._names.append(name)
        for name in LOCALS:
            if not self._one_in(8):
                self._line(2, f"{name} = {self._random.randint(-2, 4)}")
        self._jumps = ["return"] + ["yield"] * 4 * generator
        self._block(2, DEPTH, least=2)
        if self._one_in(2):
            self._line(2, f"return [{', '.join([*self._names, *self._functions])}]")
        self._line(0, AFTER.rstrip())
        return "\n".join(self._lines) + "\n"

    # ── statements ──

    def _block(self, indent: int, depth: int, *, least: int = 1) -> None:
        known = len(self._functions)
        for _ in range(self._random.randint(least, 3)):
            self._statement(indent, depth)
        if self._one_in(2):
            del self._functions[known:]  # else they are called where they may not have been defined

    def _statement(self, indent: int, depth: int) -> None:
        simple = [self._assign, self._assign, self._assign, self._note, self._note, self._other]
        compound = [
            self._if,
            self._if,
            self._for,
            self._while,
            self._try,
            self._with,
            self._match,
            self._definition,
            self._class,
        ]
        kinds = simple + (compound if depth and len(self._lines) < STATEMENTS else [])
        if self._jumps and depth < DEPTH:
            kinds += [self._jump] * (len(self._jumps) + 1)
        self._pick(kinds)(indent, depth - 1)

    def _assign(self, indent: int, _: int) -> None:
        name, other = self._pick(self._names), self._pick(self._names)
        value = self._value()
        forms = [
            *[f"{name} = {value}"] * 5,
            f"{name} = {other} = {value}",
            f"{name}, {other} = {value}, {self._value(1)}",
            f"{name}, *{other} = {self._items()}",
            f"[{name}, ({other}, _)] = {value}, (1, 2)",
            f"{name} {self._pick(['+=', '-=', '*=', '//='])} {self._value(1)}",
            f"{name} {self._pick(['+=', '-='])} 1",
        ]
        if name in LOCALS:
            forms += [f"{name}: int = {value}", f"del {name}", f"({name} := {value})"]
        self._line(indent, self._pick(forms))

    def _note(self, indent: int, _: int) -> None:
        self._line(indent, f"note({self._value()})")

    def _other(self, indent: int, _: int) -> None:
        box = f"o{next(self._numbers)}"
        name, index = self._pick(self._names), self._number(0, 2)
        self._line(
            indent,
            self._pick(
                [
                    "pass",
                    f"assert {self._test()}, note({self._value(1)})",
                    f"{box} = Box({self._value(1)}); {box}.p += {self._value(1)}; note({box}.add(2, key=1))",
                    f"{box} = [1, 2, [3, 4]]; {box}[{index}] = {self._value(1)}; note({box})",
                    f"{box} = [1, [2, 3]]; {box}[1][{self._value(0)} % 2] += {self._value(1)}; note({box})",
                    f"{box} = {{}}; {box}['k'] = {self._value(1)}; {box}[{name}] = 1; note({box})",
                    f"{box} = []; {box}.append({self._value(1)}); note({box}); note({box}.pop())",
                    f"{box} = [1, 2, 3]; del {box}[{index}], {box}[0]; note({box})",
                    f"import math as {box}; note({box}.floor({self._value(1)}))",
                    f"{box} = (yield {name})" if "yield" in self._jumps else f"{box}: int",
                ]
            ),
        )

    def _jump(self, indent: int, _: int) -> None:
        kind = self._pick([*self._jumps, "raise"])
        if kind == "return":
            self._line(indent, f"return {self._value()}")
        elif kind == "yield":
            self._line(
                indent, self._pick([f"yield {self._value()}", f"yield from {self._items()}", "note((yield))"])
            )
        elif kind == "raise":
            cause = self._pick(["", "", " from None", " from KeyError(1)"])
            raised = [f"raise Fault({self._value(1)}){cause}", f"raise ValueError({self._value(1)}){cause}"]
            self._line(indent, self._pick([*raised, *["raise"] * self._handler]))
        else:
            self._line(indent, kind)

    def _if(self, indent: int, depth: int) -> None:
        self._line(indent, f"if {self._test()}:")
        self._block(indent + 1, depth)
        if self._one_in(3):
            self._line(indent, f"elif {self._test()}:")
            self._block(indent + 1, depth)
        if self._one_in(2):
            self._line(indent, "else:")
            self._block(indent + 1, depth)

    def _while(self, indent: int, depth: int) -> None:
        counter = f"n{next(self._numbers)}"
        self._line(indent, f"{counter} = {self._number(0, 3)}")
        tests = [
            f"{counter} > 0 and {self._test()}",
            f"({counter} := {counter} - 1) >= 0",
            f"{counter} > 0 and ({self._pick(self._names)} := {counter}) != {self._number(0, 3)}",
            f"{counter}",
        ]
        test = self._pick(tests)
        self._line(indent, f"while {test}:")
        if ":= " + counter + " - 1" not in test:
            self._line(indent + 1, f"{counter} -= 1")
        self._loop_body(indent, depth)

    def _for(self, indent: int, depth: int) -> None:
        name = self._pick(self._names)
        headers = [
            f"{name} in range({self._number(0, 3)})",
            f"{name} in {self._items()}",
            f"{name}, {self._pick(self._names)} in enumerate({self._items()})",
            f"{name}, *_ in zip([1, 2], {self._items()})",
            f"{name} in (note(i) for i in {self._items()})",
        ]
        self._line(indent, f"for {self._pick(headers)}:")
        self._loop_body(indent, depth)

    def _loop_body(self, indent: int, depth: int) -> None:
        before = self._jumps
        self._jumps = [*before, "break", "continue"]
        self._block(indent + 1, depth)
        self._jumps = before
        if self._one_in(3):
            self._line(indent, "else:")
            self._block(indent + 1, depth)

    def _try(self, indent: int, depth: int) -> None:
        jumps, handler = self._jumps, self._handler
        group = self._one_in(8)
        self._line(indent, "try:")
        self._block(indent + 1, depth)
        handlers = self._number(0, 2)
        if handlers:
            self._handler = True
            if group:
                self._jumps = []
            kinds = self._random.sample(
                ["Fault", "(ValueError, TypeError)", "NameError", "Exception"], handlers
            )
            for kind in sorted(kinds, key=lambda kind: kind == "Exception"):
                name = self._pick(["", "", " as e", f" as {self._pick(LOCALS)}"])
                self._line(indent, f"except{'*' * group} {kind}{name}:")
                if name == " as e":
                    self._line(indent + 1, "note(e)")
                self._block(indent + 1, depth)
            self._handler, self._jumps = handler, jumps
            if self._one_in(3):
                self._line(indent, "else:")
                self._block(indent + 1, depth)
        if not handlers or self._one_in(3):
            self._line(indent, "finally:")
            if not self._one_in(10):
                self._jumps = []
            self._handler = False
            self._block(indent + 1, depth)
            self._handler, self._jumps = handler, jumps

    def _with(self, indent: int, depth: int) -> None:
        managers = []
        for _ in range(self._number(1, 2)):
            swallow = self._pick(["", "", ", Fault", ", Exception"])
            target = self._pick(["", f" as {self._pick(LOCALS)}"])
            managers.append(f"Manager('m{next(self._numbers)}'{swallow}){target}")
        self._line(indent, f"with {', '.join(managers)}:")
        self._block(indent + 1, depth)

    def _match(self, indent: int, depth: int) -> None:
        subject = self._pick(
            [self._value(1), self._items(), f"Box({self._value(1)})", f"{{'k': {self._value(1)}}}"]
        )
        self._line(indent, f"match {subject}:")
        name = self._pick(LOCALS)
        kinds = ["0 | 1", "-1", "[]", "(1, _) | [_, 1]", "None | True", f"int({name})", f"[{name}, *_]"]
        kinds += [f"{{'k': {name}, **_}}", f"Box({name})", f"Box(p=0 as {name})"]
        patterns = self._random.sample(kinds, self._number(1, 3))
        for pattern in patterns:
            guard = f" if {self._test(1)}" if self._one_in(4) else ""
            self._line(indent + 1, f"case {pattern}{guard}:")
            self._block(indent + 2, depth)
        if self._one_in(2):
            self._line(indent + 1, f"case {self._pick(['_', name])}:")
            self._block(indent + 2, depth)

    def _definition(self, indent: int, depth: int) -> None:
        """A function within, which may rebind what is around it, and may yield."""
        name = f"f{next(self._numbers)}"
        decorator = self._pick(["", "", "", "note"])
        if decorator:
            self._line(indent, f"@{decorator}")
        parameter = self._pick(["", "p=1", "p=1, /, *q", f"p={self._value(0)}, *, k=2"])
        self._line(indent, f"def {name}({parameter}):")
        jumps, handler, names = self._jumps, self._handler, self._names
        self._jumps, self._handler = ["return"], False
        generator = self._one_in(4)
        if generator:
            self._jumps += ["yield"] * 4
        own = [each for each in (*LOCALS, *PARAMETERS) if each in names]
        shared = self._random.sample(own, self._number(0, 2)) if not self._class_body else []
        if shared:
            self._line(indent + 1, f"nonlocal {', '.join(shared)}")
        self._names = [*names, *["p"] * bool(parameter)]
        self._block(indent + 1, max(depth - 1, 0))
        self._line(indent + 1, f"return {self._value(1)}")
        self._jumps, self._handler, self._names = jumps, handler, names
        self._functions.append(name)
        if self._one_in(2):
            self._line(indent, f"note(list({name}()))" if generator else f"note({name}())")

    def _class(self, indent: int, depth: int) -> None:
        """A class, whose body and methods see the variables around it."""
        name = f"C{next(self._numbers)}"
        self._line(indent, f"class {name}({self._pick(['', 'Box'])}):")
        jumps, handler, names, body = self._jumps, self._handler, self._names, self._class_body
        self._jumps, self._handler, self._class_body = [], False, True
        self._names = [each for each in names if each in (*LOCALS, *PARAMETERS)]
        self._block(indent + 1, min(depth, 1))
        self._jumps, self._handler, self._names, self._class_body = jumps, handler, names, body
        self._line(indent + 1, "def __init__(self, p):")
        self._line(indent + 2, f"self.__p = self.p = {self._value(1)}")
        self._line(indent + 1, "def get(self):")
        self._line(indent + 2, "return self.__p if self.p else __class__.__name__")
        self._line(indent, f"note({name}({self._value(1)}).get())")

    # ── expressions ──

    def _value(self, depth: int = 2) -> str:
        if not depth or self._one_in(3):
            return self._atom()
        left, right = self._value(depth - 1), self._value(depth - 1)
        name = self._pick(LOCALS)
        forms = [
            f"({left} {self._pick(['+', '-', '*'])} {right})",
            f"({left} {self._pick(['//', '%'])} {self._number(1, 4)})",
            f"({left} if {self._test(depth - 1)} else {right})",
            f"({left} and {right})",
            f"({left} or {right} and {self._atom()})",
            f"(not {left})",
            f"note({left})",
            f"fail({left})",
            f"(lambda p, q={left}: p - q)({right})",
            f"max({left}, {right})",
            f"sum([i for i in {self._items()} if i > {right}])",
            f"[i for i in {self._items()} for j in [i, {right}] if i]",
            f"{{i: {left} for i in {self._items()}}}",
            f"len(f'{{{name}!r:>{{5}}}}{{1 + 1}}')",
            f"[{left}, *{self._items()}][{self._number(0, 2)}]",
            f"{self._items()}[{self._number(0, 1)}:]",
            f"(lambda *l, **k: len(l) + len(k))(*{self._items()}, **{{'k': {right}}})",
            f"Box({left}).add({right}, *[1], key=2)",
        ]
        if self._functions:
            forms += [f"{self._pick(self._functions)}()"] * 3
        if not self._class_body:
            forms += [
                f"({name} := {left})",
                f"[({name} := i) for i in {self._items()}]",
                f"({left} and ({name} := {right}))",
                f"(({name} := {left}) if {right} else {name})",
                f"[lambda: ({name}, i) for i in range(2)][0]()",
            ]
        return self._pick(forms)

    def _atom(self) -> str:
        return self._pick([*self._names, *map(str, range(-2, 6)), "None", "key", "len(rest)", "note(1)"])

    def _items(self) -> str:
        return self._pick(
            ["[1, 2, 3]", "[]", "(4, 0)", f"[{self._atom()}, 1]", "[0, *rest]", "sorted({3, 1})"]
        )

    def _test(self, depth: int = 2) -> str:
        left, right = self._value(min(depth, 1)), self._value(min(depth, 1))
        compare = f"{left} {self._sign()} {right}"
        if not depth:
            return compare
        return self._pick(
            [
                compare,
                left,
                f"{left} {self._sign()} {right} {self._sign()} {self._value(1)}",
                f"not {self._test(depth - 1)}",
                f"({self._test(depth - 1)} {self._pick(['and', 'or'])} {self._test(depth - 1)})",
                f"{left} {self._pick(['is', 'is not'])} None",
                f"{left} {self._pick(['in', 'not in'])} {self._items()}",
                f"note({left}) == note({right}) != note(1)",
            ]
        )

    def _sign(self) -> str:
        return self._pick(["<", "<=", ">", "==", "!="])

    # ── drawing ──

    def _pick(self, choices: list[Any] | tuple[Any, ...]) -> Any:
        return self._random.choice(choices)

    def _number(self, least: int, most: int) -> int:
        return self._random.randint(least, most)

    def _one_in(self, count: int) -> bool:
        return self._random.randrange(count) == 0

    def _line(self, indent: int, text: str) -> None:
        self._lines.append("    " * indent + text)
