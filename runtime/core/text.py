"""Text that is put together when a graph runs: what Python does to format values, with slots for tensors.

While `marking()` is on, a tensor that Python formats leaves a mark in the text instead of its value. Python's
own machinery so finds the tensors, however deep in a list or an object they are, and `Marks.read` takes the
marked text apart:

>>> from runtime.core.tensor import Tensor
>>> with marking() as marks:
...     text = f"x = {[Tensor(1.5)]}"
>>> template, tensors = marks.read(text)
>>> template.function, template.arguments[0], template.arguments[1].function
('join', 'x = [', 'repr')
>>> filled(template, [tensor.numpy() for tensor in tensors])
'x = [np.float64(1.5)]'
"""

from __future__ import annotations

import operator
import sys
from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import count
from types import FrameType
from typing import Any, TypeAlias

import numpy as np

from autograph_base.dataclass import dataclass
from autograph_base.packages import OURS
from runtime.core.containers import register
from runtime.core.lists import ListValue
from runtime.core.records import record
from runtime.core.structure import Structure, unflatten
from runtime.core.tracing import tracing
from runtime.errors import NoConcreteValue

__all__ = [
    "CHARACTERS",
    "METHODS",
    "Apply",
    "Marks",
    "Picked",
    "Row",
    "Shown",
    "Slot",
    "Template",
    "as_python",
    "characters",
    "current_marks",
    "evaluated",
    "filled",
    "filling",
    "is_deep",
    "is_marking",
    "is_said_about_trace",
    "joined",
    "mark",
    "mark_text",
    "marking",
    "require_converted",
    "require_no_description",
    "unknown_to_library",
]


@record
@dataclass(frozen=True, slots=True)
class Slot:
    """The place of the next tensor: plain Python has a value of NumPy's there.

    Parameters
    ----------
    is_number : bool
        Whether it has a number of its own.
    is_array : bool
        Whether it has an array, even where that has no axes: its `repr` is `array(3)`.
    """

    is_number: bool = False
    is_array: bool = False

    def __str__(self) -> str:
        return "{}"


@record
@dataclass(frozen=True, slots=True)
class Apply:
    """The result of a function from `FUNCTIONS`, whose arguments are templates and literals."""

    function: str
    arguments: tuple[Any, ...]

    def __str__(self) -> str:
        first, *rest = map(str, self.arguments)
        match self.function:
            case "join":
                return "".join([first, *rest])
            case "characters":
                return first
            case "str" | "format" if not any(rest):
                return first
            case "format" | "repr":
                return f"{first[:-1]}{'!r' if self.function == 'repr' else f':{rest[0]}'}}}"
        return f"{{{self.function}({', '.join([first, *rest])})}}"


@record
@dataclass(frozen=True, slots=True)
class Row:
    """What text is made of one row of a list, for the function `rows`, which makes it of each."""

    template: Template

    def __str__(self) -> str:
        return str(self.template)


Template: TypeAlias = "str | Slot | Apply"
"""Text with slots. The tensors for them stand beside it, in the order in which the slots are read."""

METHODS = frozenset(
    {
        *("capitalize", "casefold", "center", "expandtabs", "ljust", "lower", "lstrip", "removeprefix"),
        *("removesuffix", "replace", "rjust", "rstrip", "strip", "swapcase", "title", "upper", "zfill"),
    }
)
"""Methods of `str` that give another text."""


_CODES = np.dtype("<i4")


def characters(codes: Any) -> str:
    """The string of these code points; of numbers that are none, which no graph has there, any string."""
    if type(codes) is np.ndarray and codes.dtype is _CODES and codes.flags.c_contiguous:
        try:
            return str(codes.data, "utf-32-le", "surrogatepass")
        except UnicodeDecodeError:
            pass  # as below
    return str((np.asarray(codes, "<u4") % 0x110000).data, "utf-32-le", "surrogatepass")


FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    "join": lambda *parts: "".join(parts),
    "repeat": lambda text, count: text * count,
    "pick": lambda number, *texts: texts[number],
    "range": lambda *bounds: repr(range(*map(int, bounds))),
    "str": str,
    "repr": repr,
    "ascii": ascii,
    "escaped": lambda text: text.encode("ascii", "backslashreplace").decode(),
    "characters": characters,
    "tuple": lambda *parts: parts,
    "texts": lambda rows: [characters(row) for row in rows],
    "slice": lambda text, *bounds: text[slice(*bounds)],
    "format": format,
    "%": lambda template, *values: operator.mod(template, values),
    "sequence": lambda kind, form, *columns: repr(_sequence(kind, form, columns)),
    "rows": lambda separator, row, *columns: separator.join(
        [filled(row.template, parts) for parts in zip(*columns, strict=True)]
    ),
    "under": lambda options, row, *values: _under(dict(options), row, values),
    "translate": lambda text, table: text.translate(dict(table)),
    **{name: getattr(str, name) for name in METHODS},
}
"""What may be done to text and values when the graph runs."""


def _under(options: dict[str, Any], row: Row, values: Sequence[Any]) -> str:
    """Text that a program makes while NumPy shows arrays in another way."""
    with np.printoptions(**options):
        return filled(row.template, values)


def _sequence(kind: str, form: Structure, columns: Sequence[Sequence[Any]]) -> Any:
    """The container that has the parts of its elements in these columns."""
    elements = [unflatten(form, list(parts)) for parts in zip(*columns, strict=True)]
    return _CONTAINERS[kind](elements)


class Shown:
    """In a form, the place of an object that a graph holds by its number: it is made into that object.

    What a class of the program's says of its instances (`__repr__`) may ask the object for anything.
    """


def _split_shown(value: Shown) -> Any:
    raise AssertionError(f"{value} is no value")


register(Shown, _split_shown, lambda _, __, children, objects: objects[int(children[0])])


class Picked:
    """In a form, the place of what text shows of one of several objects: it is made into that one.

    The first part is the number of the object, and the others are what it may be.
    """


def _split_picked(value: Picked) -> Any:
    raise AssertionError(f"{value} is no value")


register(Picked, _split_picked, lambda _, __, children, ___: children[1 + int(children[0])])

_CONTAINERS: Mapping[str, Callable[[Any], Any]] = {
    "list": list,
    "tuple": tuple,
    "deque": deque,
    "dict": dict,
    "Counter": lambda items: Counter(dict(items)),
    "OrderedDict": OrderedDict,
}


def as_python(value: Any, slot: Slot) -> Any:
    """A value of the run as plain Python has it in the place of a slot."""
    if isinstance(value, ListValue):
        value = value.items
    if isinstance(value, list):
        return [as_python(item, slot) for item in value]
    if slot.is_number and np.ndim(value) == 0:
        return value.item() if hasattr(value, "item") else value
    return np.asarray(value) if slot.is_array else np.asarray(value)[()]


def _number(value: Any) -> Any:
    """A value where plain Python has a number of its own."""
    is_one = isinstance(value, np.generic) or (type(value) is np.ndarray and not value.ndim)
    return value.item() if is_one else as_python(value, Slot(is_number=True))


def _array(value: Any) -> Any:
    """A value where plain Python has an array."""
    return as_python(value, Slot(is_array=True))


def _value(value: Any) -> Any:
    """A value where plain Python has one of NumPy."""
    if type(value) is np.ndarray:
        return value if value.ndim else value[()]
    return value if isinstance(value, np.generic) else as_python(value, Slot())


def filled(template: Template, values: Iterable[Any]) -> str:
    """The text, with NumPy values or Python numbers in the slots."""
    return str(evaluated((template,), values, of=template)[0])


def filling(template: Template, text: Callable[[Any], str]) -> Callable[[Sequence[Any]], str]:
    """What makes a text of values, again and again: `filled` for each. `text` does what `characters` does."""
    if template == CHARACTERS:
        return lambda values: text(values[0])
    evaluate = _evaluating((template,), text)
    return lambda values: str(evaluate(values)[0])


def evaluated(parts: Sequence[Any], values: Iterable[Any], *, of: Any = None) -> Sequence[Any]:
    """Templates and literals as what they stand for, with NumPy values or Python numbers in the slots.

    How that is done is kept for the next ones `of` the same object, or of `parts`.
    """
    of = parts if of is None else of
    known = _kept.get(id(of))
    if known is None or known[0] is not of:
        if len(_kept) >= _MOST_KEPT:
            _kept.clear()
        known = _kept[id(of)] = of, _evaluating(parts)
    return known[1]([*values])


_kept: dict[int, tuple[Any, Callable[[Sequence[Any]], Sequence[Any]]]] = {}
"""How templates are evaluated, by the `id` of what they are kept with, which lives as long."""
_MOST_KEPT = 1000


def _evaluating(
    parts: Sequence[Any], text: Callable[[Any], str] = characters
) -> Callable[[Sequence[Any]], Sequence[Any]]:
    """What evaluates templates and literals, written as an expression: see `runtime.core.rebuilding`.

    ::

        join("x = ", str(slot))   ⇒   lambda values: ("".join(("x = ", str(number(values[0])))),)
    """
    names: dict[str, Any] = {"number": _number, "array": _array, "value": _value}
    places = count()

    def known(value: Any) -> str:
        name = f"_{len(names)}"
        names[name] = value
        return name

    def text_of(part: Any) -> str:
        if isinstance(part, Slot):
            kind = "number" if part.is_number else "array" if part.is_array else "value"
            return f"{kind}(values[{next(places)}])"
        if not isinstance(part, Apply):
            return known(part)
        if part == CHARACTERS:
            names["characters_of"] = text
            return f"characters_of(values[{next(places)}])"
        if part.function == "pick" and all(isinstance(each, str) for each in part.arguments[1:]):
            return f"{known(part.arguments[1:])}[{text_of(part.arguments[0])}]"
        arguments = "".join([f"{text_of(each)}, " for each in part.arguments])
        return f"''.join(({arguments}))" if part.function == "join" else f"{called(part)}({arguments})"

    def called(part: Apply) -> str:
        name = f"{part.function}_" if part.function.isidentifier() else "formatted"
        names[name] = FUNCTIONS[part.function]
        return name

    if any(map(is_deep, parts)):
        return partial(_evaluated, parts)
    made = f"lambda values: ({''.join([f'{text_of(part)}, ' for part in parts])})"
    found: Callable[[Sequence[Any]], Sequence[Any]] = eval(compile(made, "<text>", "eval"), names)  # noqa: S307
    return found


_DEEPEST = 40
"""Functions inside one another up to which an expression is written: Python reads no more than some 90."""


def is_deep(part: Any, depth: int = 0) -> bool:
    """Whether a template has too many functions inside one another."""
    if depth > _DEEPEST:
        return True
    return isinstance(part, Apply) and any(is_deep(each, depth + 1) for each in part.arguments)


def _evaluated(parts: Sequence[Any], values: Iterable[Any]) -> Sequence[Any]:
    """As `evaluated`, part by part."""
    rest = iter(values)

    def value_of(part: Any) -> Any:
        if isinstance(part, Slot):
            return as_python(next(rest), part)
        if isinstance(part, Apply):
            return FUNCTIONS[part.function](*[value_of(argument) for argument in part.arguments])
        return part

    return [value_of(part) for part in parts]


def joined(parts: Sequence[Template]) -> Template:
    """Pieces of text one after the other."""
    flat: list[Template] = []
    for part in parts:
        inner = part.arguments if isinstance(part, Apply) and part.function == "join" else (part,)
        for piece in inner:
            if isinstance(piece, str) and flat and isinstance(flat[-1], str):
                flat[-1] += piece
            elif piece != "":
                flat.append(piece)
    if not flat:
        return ""
    return flat[0] if len(flat) == 1 else Apply("join", tuple(flat))


CHARACTERS: Template = Apply("characters", (Slot(),))
"""A text of which the code points are known: a vector of int32."""


class Marks:
    """The marks that tensors leave in text."""

    def __init__(self, *, bare: bool = False) -> None:
        self.bare = bare
        """Whether the `repr` of a tensor is the text that its `str` is: for lists without dtypes in them."""
        self._left: list[tuple[Template, tuple[Any, ...]]] = []
        self._prefix = f"\0{id(self):x}."

    def leave(self, template: Template, tensors: Sequence[Any]) -> str:
        """A mark that stands for a text."""
        self._left.append((template, tuple(tensors)))
        return f"{self._prefix}{len(self._left) - 1}\0"

    def read(self, text: str) -> tuple[Template, tuple[Any, ...]]:
        """Marked text as a template, and the tensors for its slots."""
        if self._prefix not in text:
            return text, ()
        parts: list[Template] = []
        tensors: list[Any] = []
        first, *marked = text.split(self._prefix)
        parts.append(first)
        for piece in marked:
            number, end, after = piece.partition("\0")
            if not (end and number.isdecimal()):  # a mark that was cut
                parts.append(self._prefix + piece)
                continue
            template, own = self._left[int(number)]
            parts += (template, after)
            tensors += own
        return joined(parts), tuple(tensors)


@contextmanager
def marking(*, bare: bool = False) -> Iterator[Marks]:
    """Tensors that are formatted inside leave marks."""
    outer, tracing.marks = tracing.marks, Marks(bare=bare)
    try:
        yield tracing.marks
    finally:
        tracing.marks = outer


def require_converted() -> None:
    """Sees to it that no library makes text of what has no value yet.

    Raises
    ------
    NoConcreteValue
        When one does: it would be the text of something else.
    """
    if tracing.asker is not None and not is_said_about_trace():
        tracing.asker.asks_for_text()


def require_no_description(value: Any) -> None:
    """Sees to it that a text which leaves a trace shows no tensor as it is shown while it has no value.

    Raises
    ------
    NoConcreteValue
        When it does.
    """
    if isinstance(value, str) and any(each in value for each, _, _ in tracing.shown.values()):
        raise NoConcreteValue(
            f"a tensor of a graph is in a text that was made while it was traced: {value.strip()!r}",
            why="Its value is only known when the graph runs. Code that Python calls itself (`__init__`, "
            "`__enter__`, a property) and code of libraries is not converted, so its text is made now.",
            way_out="Print the tensor itself there, or make the text in a function that is called.",
        )


SPEAK_NOW = frozenset({"bdb", "cmd", "code", "codeop", "logging", "pdb", "warnings"})
"""Modules that speak to who is watching a trace."""


def is_said_about_trace() -> bool:
    """Whether a debugger, a warning or a log is what writes now."""
    frame = sys._getframe(1)  # noqa: SLF001  # the documented way to walk frames cheaply
    while frame.f_back is not None and _home(frame) in OURS:
        frame = frame.f_back
    return _home(frame) in SPEAK_NOW


def _home(frame: FrameType) -> str:
    """The outermost package of the code that a frame runs."""
    return str(frame.f_globals.get("__name__")).partition(".")[0]


def unknown_to_library(callee: Any) -> NoConcreteValue:
    """What is raised where code that is not converted is given a value of the graph, and cannot take it."""
    name = getattr(callee, "__qualname__", None) or type(callee).__name__
    home = getattr(callee, "__module__", None)
    stands_for = getattr(getattr(callee, "__self__", None), "built", None)
    if stands_for is not None:  # a container of the graph
        name, home = f"{stands_for.__name__}.{callee.__name__}", None
    label = f"{home.lstrip('_')}.{name}" if home is not None and home != "builtins" else name
    if isinstance(callee, type):
        way_out = (
            f"Put what makes and uses the {name} into one function, which each run calls: "
            "`ag.host_call(function, …, result=float)`, or `str`, or whatever type it returns."
        )
    else:
        way_out = (
            "Have each run call it, and say what it returns, `float`, `str` or an `rt.TensorSpec`: "
            f"`ag.host_call({name}, …, result=…)`."
        )
    return NoConcreteValue(
        f"{label}() is given a value that only the run knows, and cannot take it",
        why="Its code is not converted, so it runs while the graph is traced, before there is a value.",
        way_out=way_out,
    )


def is_marking() -> bool:
    """Whether tensors that are formatted now leave marks."""
    return tracing.marks is not None


def current_marks() -> Marks | None:
    """What tensors leave their marks with that are formatted now; None where they leave none."""
    return tracing.marks


def mark(tensor: Any, function: str, *arguments: str, slot: Slot | None = None) -> str | None:
    """The mark that a tensor leaves when Python formats it; None where marks are off.

    Parameters
    ----------
    tensor : Tensor
    function : {"str", "repr", "format"}
    *arguments : str
        The format specification, which may hold marks itself.
    slot : Slot, optional
        Its place, which says what plain Python has there: by default a value of NumPy's.
    """
    marks = tracing.marks
    if marks is None:
        return None
    if function == "repr" and marks.bare:
        function = "str"
    templates: list[Template] = [slot or Slot()]
    tensors = [tensor]
    for argument in arguments:
        template, own = marks.read(argument)
        templates.append(template)
        tensors += own
    return marks.leave(Apply(function, tuple(templates)), tensors)


def mark_text(template: Template, tensors: Sequence[Any], *spec: str) -> str | None:
    """The mark that text with slots leaves when Python formats it; None where marks are off."""
    marks = tracing.marks
    if marks is None:
        require_converted()
        return None
    if any(spec):
        wanted, own = marks.read(spec[0])
        return marks.leave(Apply("format", (template, wanted)), (*tensors, *own))
    return marks.leave(template, tensors)
