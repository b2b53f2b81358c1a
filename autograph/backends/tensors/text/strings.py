"""Strings of the graph: templates with slots for tensors, or vectors of code points.

What `str` and f-strings give is a template: it is printed, returned and raised without being looked at. A
text that a loop grows, that two paths leave in several ways, or that a container holds is the vector of the
code points of its characters, which is a value of the graph as any other (`grounded`).
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, NoReturn

import numpy as np

from autograph.backends.tensors.containers.elements import Elements
from autograph.backends.tensors.containers.lists import StagedList, StagedTuple, gathered
from autograph.backends.tensors.iteration.items import Items, Source, length_of
from autograph.backends.tensors.scalars.indices import REPEATED, is_array, refuse, require_whole
from autograph.staging.context import staging
from autograph.staging.spoken import called
from runtime import ops
from runtime.core.containers import Finish, register
from runtime.core.spec import ListSpec
from runtime.core.structure import LEAF, Structure
from runtime.core.tensor import EAGER, Operators, Tensor
from runtime.core.text import (
    CHARACTERS,
    METHODS,
    Apply,
    Slot,
    Template,
    filled,
    filling,
    joined,
    mark_text,
    marking,
)
from runtime.errors import NoConcreteValue
from runtime.graph.build import bind, current_builder, is_symbolic
from runtime.graph.symbol import Symbol, set_repeat
from runtime.ops.control_flow import ABSENT
from runtime.ops.core import check
from runtime.ops.examples import example_of, refuse_as_python, takes_values, with_object
from runtime.ops.host import Held
from runtime.ops.texts import ASKED, TextOf
from runtime.variables import Variable

__all__ = [
    "TEXT_FORM",
    "Text",
    "ask",
    "concatenated",
    "found_in_text",
    "grounded",
    "method_of",
    "parts_of",
    "ranks",
]


@called("str")
class Text(Source):
    """A string whose characters are known when the graph runs.

    Parameters
    ----------
    template : Template
    tensors : sequence of Tensor
        For the slots of the template.
    """

    __slots__ = ("template", "tensors")
    built = str

    def __init__(self, template: Template, tensors: Sequence[Any]) -> None:
        staging.chosen = True  # containers hold its characters
        self.template = template
        self.tensors = tuple(tensors)

    @property
    def items(self) -> Items:
        """Its characters."""
        codes = _codes(self)

        def character(index: Any) -> Text:
            code = ops.reshape(ops.take(codes, index), (1,))
            return Text(CHARACTERS, [ops.stands_for_python(code)])

        return Items(length_of(codes), character)

    def __add__(self, other: Any) -> Any:
        if isinstance(other, (str, Text)):
            return concatenated([self, other])
        _refuse_kinds(operator.add, self, other)
        return NotImplemented

    def __radd__(self, other: Any) -> Any:
        return concatenated([other, self]) if isinstance(other, str) else NotImplemented

    def __mul__(self, count: Any) -> Any:
        if isinstance(count, int):
            return concatenated([self] * count)
        if is_array(count):
            _refuse_array()
        _refuse_kinds(operator.mul, self, count)
        return _applied("repeat", self, count) if isinstance(count, Tensor) else NotImplemented

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Any:
        return _with_object(operator.truediv, self, other) if takes_values(other) else NotImplemented

    def __rtruediv__(self, other: Any) -> Any:
        return _with_object(operator.truediv, other, self) if takes_values(other) else NotImplemented

    def __getitem__(self, index: Any) -> Any:
        _refuse_kinds(operator.getitem, self, index)
        if isinstance(index, slice):
            if is_symbolic(index.step):
                check(ops.not_equal(index.step, 0), "ValueError", "slice step cannot be zero")
            return _applied("slice", self, index.start, index.stop, index.step)
        return ask("item", self, index)

    def __contains__(self, item: object) -> Any:
        return found_in_text(self, item)

    def __getattr__(self, name: str) -> Any:
        if name in METHODS or name == "translate" or (name in ASKED and hasattr(str, name)):
            return partial(method_of, self, name)
        if name == "join":
            return lambda items: _joined(self, items)
        if hasattr(str, name):
            self._refuse(f"`{name}` of a string")
        return refuse(AttributeError(f"'str' object has no attribute {name!r}", name=name))

    def __str__(self) -> str:
        return mark_text(self.template, self.tensors) or str(self.template)

    def __format__(self, spec: str) -> str:
        return mark_text(self.template, self.tensors, spec) or format(str(self), spec)

    def __repr__(self) -> str:
        return mark_text(Apply("repr", (self.template,)), self.tensors) or repr(str(self))

    def __hash__(self) -> NoReturn:  # noqa: PLE0309  # who puts it into a container of the graph asks for none
        self._refuse("a key of Python's own")

    def _refuse(self, wanted: str) -> NoReturn:
        raise _unknown(self, wanted)

    def __bool__(self) -> NoReturn:  # noqa: PLE0304  # nobody knows
        self._refuse("a condition")

    def __len__(self) -> NoReturn:  # noqa: PLE0303  # nobody knows
        self._refuse("the argument of len()")


def _unknown(text: Text | str, wanted: str) -> NoConcreteValue:
    return NoConcreteValue(
        f"a text with values of a graph was used as {wanted}",
        details=[f"the text is {str(text)!r}"],
        why="Its characters are only known when the graph runs, and now the graph is traced.",
        way_out="Let AutoGraph convert the function that does, do it when the graph has run, or look at the "
        "characters one by one: `ord(character)`.",
    )


def _comparison(name: str) -> Callable[[Text, Any], Any]:
    def compare(self: Text, other: Any) -> Any:
        if isinstance(other, (str, Text)):
            return ask(name, self, other)
        if isinstance(other, Tensor):  # any other operand Python turns round itself
            _refuse_kinds(getattr(operator, name), self, other)
        return NotImplemented

    return compare


for _name in ("eq", "ge", "gt", "le", "lt", "ne"):
    setattr(Text, f"__{_name}__", _comparison(_name))


# ── what is made of texts ──


def _applied(function: str, *arguments: Any) -> Text:
    """A text that a function makes of others when the graph runs."""
    parts, tensors = parts_of(arguments)
    return Text(Apply(function, parts), tensors)


def found_in_text(text: str | Text, item: object) -> Any:
    """Whether a string has another one in it.

    Raises
    ------
    TypeError
        In Python's words, where that is no string.
    """
    if not isinstance(item, (str, Text)):
        _refuse_kinds(operator.contains, text, item)
        kind = getattr(type(item), "built", type(item)).__name__
        refuse(TypeError(f"'in <string>' requires string as left operand, not {kind}"))
    return ask("in", text, item)


def _refuse_kinds(function: Callable[..., Any], *operands: Any) -> None:
    """Raises what Python says where no values of these kinds will do, whatever the characters are."""
    if all(isinstance(each, _OPERANDS) for each in operands):
        with suppress(ValueError, LookupError):  # which the characters of an example have to answer for
            refuse_as_python(function, *operands, like=_like)


_OPERANDS = (Text, Tensor, str, int, float, complex, list, tuple, dict, slice, type(None))


def _like(operand: Any, *, is_pythons: bool = False) -> Any:
    like = partial(_like, is_pythons=is_pythons)
    match operand:
        case Text():
            return "0"
        case Symbol():
            return example_of(operand, is_pythons=is_pythons)
        case tuple():
            return tuple(map(like, operand))
        case slice():
            return slice(*map(like, (operand.start, operand.stop, operand.step)))
    return operand


_with_object = partial(with_object, like=_like)


def method_of(text: Text | str, name: str, *arguments: Any, **keywords: Any) -> Any:
    """A method of a string, where only the run knows the characters or an argument."""
    if name == "translate":
        (table,) = arguments
        if not isinstance(table, dict) or keywords:
            raise _unknown(text, f"`{name}` of a string with something else than a dict")
        return _applied(name, text, tuple(table.items()))
    for parameter, default in _NAMED.get(name, ())[len(arguments) :]:
        arguments = (*arguments, keywords.pop(parameter, default))
    if keywords or not (name in METHODS or name in ASKED):
        raise _unknown(text, f"`{name}` of a string{' with keywords' if keywords else ''}")
    _refuse_kinds(getattr(str, name), text, *arguments)
    if name in METHODS:
        return _applied(name, text, *arguments)
    found = ask(name, text, *arguments)
    if name in {"partition", "rpartition"}:
        return tuple([found.contents.get(place) for place in range(3)])
    return found


_NAMED: Mapping[str, Sequence[tuple[str, Any]]] = {
    "expandtabs": [("tabsize", 8)],
    "rsplit": [("sep", None), ("maxsplit", -1)],
    "split": [("sep", None), ("maxsplit", -1)],
    "splitlines": [("keepends", False)],
}
"""Methods of strings that take their parameters by name, too, and what these are where they are not given."""


def ask(function: str, *arguments: Any) -> Any:
    """What a function of strings gives when the graph runs.

    Parameters
    ----------
    function : str
        One of `ASKED`.
    *arguments : Text, Tensor, or plain data
    """
    found = _asked(function, *arguments)  # of characters it notes that they are no array of the program's
    spec = ASKED[function][1]
    if spec == ASKED["str"][1]:
        return Text(CHARACTERS, [found])
    if isinstance(spec, ListSpec):
        return StagedList(Elements(TEXT_FORM, [found]))
    return found


def _asked(function: str, *arguments: Any) -> Tensor:
    parts, tensors = parts_of(arguments)
    return ops.stands_for_python(bind(TextOf(function, parts), *tensors))


def ranks(texts: Tensor) -> Tensor:
    """The place of each text of a list of the graph among all of them when they are sorted."""
    return bind(TextOf("ranks", (Apply("texts", (Slot(),)),)), texts)


def grounded(text: Any) -> Text:
    """The same text, or a string, as the code points of its characters."""
    if isinstance(text, Text) and (text.template == CHARACTERS or ABSENT in text.tensors):
        return Text(CHARACTERS, text.tensors[:1])
    return Text(CHARACTERS, [_codes(text)])


def _codes(text: Any) -> Tensor:
    is_there = isinstance(text, Text) and text.template == CHARACTERS
    return text.tensors[0] if is_there else _asked("str", text)


TEXT_FORM = Structure(Text, (0,), (LEAF,), CHARACTERS)
"""The form of a text of which the code points are known."""


def concatenated(parts: Iterable[Any]) -> Any:
    """Strings and texts one after the other."""
    templates, tensors = parts_of(parts)
    template = joined(templates)
    return Text(template, tensors) if tensors else template


def _joined(separator: Text, items: Any) -> Any:
    """`separator.join(items)`, where the number of items is known."""
    found = gathered(items)
    if isinstance(found, StagedTuple):
        separator._refuse("the separator of texts that only the run knows")  # noqa: SLF001  # they are one thing
    return concatenated([part for item in found for part in (separator, item)][1:])


def parts_of(values: Iterable[Any]) -> tuple[tuple[Any, ...], list[Any]]:
    """Pieces of text, or arguments of a method: their templates, and the tensors for the slots."""
    pairs = [_part(value) for value in values]
    return tuple([template for template, _ in pairs]), [tensor for _, own in pairs for tensor in own]


def _part(value: Any) -> tuple[Any, Sequence[Any]]:
    if isinstance(value, Text):
        return value.template, value.tensors
    if isinstance(value, tuple) and any(isinstance(each, (Text, Operators)) for each in value):
        templates, own = parts_of(value)
        return Apply("tuple", templates), own
    if isinstance(value, (Tensor, Variable)):
        with marking() as marks:
            mark = str(value)
        found, tensors = marks.read(mark)
        assert isinstance(found, Apply), "a tensor leaves one mark"
        return found.arguments[0], tensors
    return value, ()


def repeated(items: Any, count: Tensor) -> Any:
    """`items * count`, of a list, a tuple or a text of Python's."""
    require_whole((count,), REPEATED)
    if isinstance(items, str):
        if is_array(count):
            _refuse_array()
        return Text(Apply("repeat", (items, Slot(is_number=True))), [count])
    kind = StagedList if isinstance(items, list) else StagedTuple
    return kind(Elements.of(items)) * count


set_repeat(repeated)


def _refuse_array() -> NoReturn:
    refuse(TypeError("an array is not multiplied with a text: NumPy has `np.strings.multiply` for that"))


def _split(text: Text) -> tuple[Sequence[Any], Sequence[Any], Template]:
    return range(len(text.tensors)), text.tensors, text.template


def _build(_: type, __: Sequence[Any], tensors: Sequence[Any], template: Template) -> Any:
    """A `str` where every tensor has its value, as in what a graph returns to its caller."""
    in_hand = EAGER if current_builder() is None else ()
    if all(isinstance(tensor, _VALUES) or type(tensor) in in_hand for tensor in tensors):
        return filled(template, [_in_hand(tensor) for tensor in tensors])
    return Text(template, tensors)


def _in_hand(value: Any) -> Any:
    return value.value if isinstance(value, Held) else getattr(value, "_array", value)


_VALUES = (np.ndarray, np.generic, list, bool, int, float, complex, Held)
"""What a graph may hand over to be shown, beside tensors: some outputs stand for a number of Python's."""


register(
    Text,
    _split,
    _build,
    lambda _, __: "a text with values of the graph",
    Finish(lambda structure, boxes: filling(structure.extra, boxes.text)),
)
