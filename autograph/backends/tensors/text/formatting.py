"""Texts that a program makes of values: f-strings, `%`, `str` and its likes, methods of strings, `print`."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from operator import mod
from typing import Any

from autograph.backends.tensors.containers.catalogues import joined_text
from autograph.backends.tensors.containers.keyed import raise_always
from autograph.backends.tensors.containers.lists import StagedTuple, gathered
from autograph.backends.tensors.effects.host import put_off
from autograph.backends.tensors.iteration.items import Lazy
from autograph.backends.tensors.objects.choices import OneOf
from autograph.backends.tensors.objects.classes import class_of
from autograph.backends.tensors.scalars.indices import refuse, require_whole
from autograph.backends.tensors.statements import running
from autograph.backends.tensors.statements.deciding import with_each
from autograph.backends.tensors.statements.maybe import MaybeNone
from autograph.backends.tensors.statements.refused import refused
from autograph.backends.tensors.statements.turn_numbers import with_tensors
from autograph.backends.tensors.text import text as texts
from autograph.backends.tensors.text import words
from autograph.backends.tensors.text.strings import Text, concatenated, method_of
from autograph.staging.outside import Known
from autograph.staging.plain import Plain
from runtime import ops
from runtime.core.spec import ArraySpec
from runtime.core.structure import LEAF, map_leaves
from runtime.errors import NoConcreteValue
from runtime.graph.build import effects_run, is_of_run, is_symbolic, is_weak
from runtime.graph.location import caller_location
from runtime.graph.symbol import Symbol
from runtime.ops.examples import example_of, like, refuse_as_python

__all__ = ["Formatting"]


class Formatting(Plain):
    """Texts of the graph, where tensors are inside of them."""

    def formatted(self, value: Any, conversion: str, spec: Any) -> Any:
        """A text of the graph, where a tensor is inside."""
        if isinstance(value, MaybeNone | OneOf) or isinstance(spec, OneOf):
            return with_each((value, spec), lambda given: self.formatted(given[0], conversion, given[1]))
        if not self.is_staging():
            return super().formatted(with_tensors(value), conversion, spec)
        if isinstance(spec, Text) and not conversion:
            kind: Any = class_of(value)
            if kind.__format__ is object.__format__:  # which takes no form
                message = f"unsupported format string passed to {kind.__name__}.__format__"
                refused(ops.logical_not(self.equal(spec, "")), TypeError(message))
                spec = ""
        return texts.formatted(with_tensors(value), conversion, spec)

    def f_string(self, parts: tuple[Any, ...]) -> Any:
        """A text of the graph."""
        return with_each(words.with_texts(with_tensors(parts)), concatenated)

    def percent(self, template: Any, values: Any) -> Any:
        """A text of the graph, where a tensor is inside; bytes are made by the run."""
        if not self.is_staging():
            return super().percent(template, values)
        if isinstance(template, OneOf):
            return with_each((template,), lambda given: self.percent(given[0], values))
        values = with_tensors(values)
        if isinstance(template, bytes | bytearray):
            given = values if isinstance(values, tuple) else (values,)
            return with_each(
                given, lambda given: _bytes_with(template, given if isinstance(values, tuple) else given[0])
            )
        if not isinstance(template, str):
            return template % values
        if isinstance(values, tuple):
            return with_each(words.with_texts(values), lambda given: texts.percent(template, given))
        return with_each((values,), lambda given: texts.percent(template, given[0]))

    def text_method(self, template: str, name: str, /, *arguments: Any, **keywords: Any) -> Any:
        """A text of the graph, where a tensor is inside."""
        if name == "join" and len(arguments) == 1:
            items = gathered(arguments[0]) if isinstance(arguments[0], Lazy) else arguments[0]
            joined = joined_text(template, items.contents) if isinstance(items, StagedTuple) else None
            if joined is not None:
                return joined
            if isinstance(items, StagedTuple) and items.contents.form is LEAF:
                refused(items.length > 0, _no_text(items.contents.example, 0))
                return ""
            items = tuple(items)
            number = next((at for at, each in enumerate(items) if _is_number(each)), None)
            if number is not None:
                raise_always(_no_text(example_of(items[number]), number))
            return with_each(
                words.with_texts(items), lambda given: texts.text_method(template, name, (given,), keywords)
            )
        if name == "translate" and len(arguments) == 1 and type(arguments[0]) is dict and not keywords:
            return with_each(words.with_texts(self._translated(template, *arguments)), concatenated)
        if name not in {"format", "format_map"}:
            values, count = with_tensors((*arguments, *keywords.values())), len(arguments)

            def called(given: tuple[Any, ...]) -> Any:
                named = dict(zip(keywords, given[count:], strict=True))
                return method_of(template, name, *given[:count], **named)

            return with_each(values, called)
        values = words.with_texts(with_tensors(arguments))
        return with_each(values, lambda given: texts.text_method(template, name, given, keywords))

    def _translated(self, text: str, table: dict[int, Any]) -> tuple[Any, ...]:
        """What stands for each character of a text, by a table in which texts may be values of the graph."""

        def of(found: Any) -> Any:
            if found is None or isinstance(found, str | Text | OneOf):
                return "" if found is None else found
            if not (isinstance(found, int) or (is_symbolic(found) and is_weak(found))):  # NumPy's are none
                refuse(TypeError("character mapping must return integer, None or str"))
            return self.chr_(found)

        return tuple([of(table.get(ord(character), character)) for character in text])

    def str_(self, /, *arguments: Any, **keywords: Any) -> Any:
        """A text of the graph, where a tensor is inside."""
        if len(arguments) == 1 and not keywords and self.is_staging():
            return with_each(with_tensors(arguments), lambda given: texts.shown(given[0], str))
        return super().str_(*arguments, **keywords)

    def repr_(self, value: Any) -> Any:
        """A text of the graph, where a tensor is inside."""
        if not self.is_staging():
            return super().repr_(value)
        return with_each((with_tensors(value),), lambda given: texts.shown(given[0], repr))

    def shown_by(self, value: Any, function: Callable[[Any], str]) -> Any:
        """A text of the graph, where a tensor is inside."""
        return texts.shown(value, function) if self.is_staging() else super().shown_by(value, function)

    def ascii_(self, value: Any) -> Any:
        """A text of the graph, where a tensor is inside."""
        if not self.is_staging():
            return super().ascii_(value)
        return with_each((with_tensors(value),), lambda given: texts.shown(given[0], ascii))

    def bin_(self, number: Any) -> Any:
        """A text of the graph."""
        return _digits(bin, "#b", number)

    def hex_(self, number: Any) -> Any:
        """A text of the graph."""
        return _digits(hex, "#x", number)

    def oct_(self, number: Any) -> Any:
        """A text of the graph."""
        return _digits(oct, "#o", number)

    def format_(self, value: Any, spec: Any = "") -> Any:
        """A text of the graph, where a tensor is inside."""
        if is_symbolic(spec):
            refuse_as_python(format, value, spec)
        return self.formatted(value, "", spec)

    def print_(self, /, *values: Any, **options: Any) -> None:
        """Printed when the graph runs; with ``effects="trace"``, only where a tensor is inside or decides."""
        if self.is_staging():
            values, count = words.with_texts(with_tensors((*values, *options.values()))), len(values)
            chosen = any(isinstance(value, MaybeNone | OneOf) for value in values)
            staged = chosen or effects_run() or running.is_below_branch()

            def printed(given: tuple[Any, ...]) -> None:
                named = dict(zip(options, given[count:], strict=True))
                texts.print_text([texts.shown(value, str) for value in given[:count]], **named, staged=staged)

            with_each(values, printed)
        else:
            super().print_(*values, **options)


def _is_number(value: Any) -> bool:
    """Whether something stands for a number, or an array of them."""
    return isinstance(value, Symbol) and isinstance(value.spec, ArraySpec)


def _no_text(example: Any, place: int) -> TypeError:
    """What Python says of such a number among the strings that are joined."""
    try:
        "".join([*[""] * place, example])
    except TypeError as error:
        return error
    raise AssertionError("no number is a string")


def _bytes_with(template: bytes | bytearray, values: Any) -> Any:
    """`template % values`, of bytes: what is in the run is put into them when the graph runs."""
    if not is_of_run(values):
        return template % values
    try:
        refuse_as_python(mod, template, values, like=_like)
    except TypeError as error:
        refuse(TypeError(*error.args))
    except (ArithmeticError, ValueError):
        pass  # of this number alone
    if not effects_run():
        raise NoConcreteValue(
            "a value of the graph is put into bytes",
            where=caller_location(),
            why="Bytes are made while the function is traced, and the value is there when the graph runs.",
            way_out='Make a text of it, `"%d" % n`, or have `ag.host_call` call what makes the bytes.',
        )
    return put_off(_BYTES, mod, (template, values), {})


def _like(operand: Any, **options: Any) -> Any:
    return map_leaves(partial(like, **options), operand)


_BYTES = Known("nothing: it makes bytes of values, those of a run when the graph runs", "asked")


def _digits(function: Callable[[Any], str], spec: str, number: Any) -> Any:
    """`bin(number)` and its likes."""

    def shown_as(given: tuple[Any, ...]) -> Any:
        if not is_symbolic(given[0]):
            return function(given[0])
        require_whole(given)
        return texts.formatted(given[0], "", spec)

    return with_each((number,), shown_as)
