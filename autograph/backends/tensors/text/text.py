"""Formatting (`str`, f-strings, `%`, `print`) of values of the graph, done when the graph runs."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from io import StringIO
from itertools import islice
from string import Formatter
from typing import Any

import numpy as np

from autograph.backends.tensors.text.strings import Text, ask, concatenated, parts_of
from autograph.staging.context import staging
from autograph.staging.plain import CONVERSIONS
from runtime.core.spec import ArraySpec, TextSpec
from runtime.core.tensor import Tensor
from runtime.core.text import Apply, Marks, Row, Slot, current_marks, marking
from runtime.errors import Error, as_pythons
from runtime.graph.build import bind, builder_in_use, is_of_run
from runtime.graph.location import caller_location
from runtime.graph.resources import HostObject
from runtime.graph.symbol import Symbol
from runtime.ops.control_flow import NoOutcome
from runtime.ops.control_flow.try_catch import Caught
from runtime.ops.examples import refuse_as_python
from runtime.ops.host import givens, recorded
from runtime.ops.printing import PrintV2
from runtime.ops.raising import SAID, record
from runtime.ops.whose import as_test, is_told, note_shown, whose_number
from runtime.variables import Variable

__all__ = ["formatted", "percent", "print_text", "says_itself", "shown", "text_method", "write_text"]


SAYS_ITSELF = "__says_itself__"
"""The attribute of an exception that stands for one of the graph, whose arguments only the run knows."""


def says_itself(value: Any) -> bool:
    """Whether something is an exception whose arguments only the run knows."""
    return isinstance(value, BaseException) and SAYS_ITSELF in vars(value)


def shown(value: Any, function: Callable[[Any], str]) -> Any:
    """`function(value)`, which is `str`, `repr` or `ascii`: text, or a `Text` where tensors are inside."""
    if says_itself(value):
        said, is_pythons = vars(value)[SAID], not isinstance(value, Error)
        if function is str:
            return Text(Apply("str", (Slot(),)), [bind(Caught((), TextSpec(), is_pythons), said)])
        show = partial(_shown_as_pythons, function) if is_pythons else function
        return Text(Apply("str", (Slot(),)), [recorded(show, (said,), {}, givens(str))])
    if function is ascii:
        text = shown(value, repr)  # which is what values leave a mark of
        is_known = isinstance(text, str)
        return ascii(value) if is_known else Text(Apply("escaped", (text.template,)), text.tensors)
    with marking() as marks:
        text = function(value)
    return _read(marks, text)


def _read(marks: Marks, text: str) -> Any:
    """Marked text as text, or as a `Text` that shows arrays as `np.printoptions` has it in this place."""
    template, tensors = marks.read(text)
    if not tensors:
        return text
    if builder_in_use().context.mixed:
        rest, asked = iter(tensors), list[Any]()
        template, tensors = _with_kinds(template, rest, asked), tuple(asked)
    options, usual = np.get_printoptions(), builder_in_use().print_options
    if options != usual:
        shown_so = tuple([each for each in options.items() if each[1] is not None])
        template = Apply("under", (shown_so, Row(template), *[Slot()] * len(tensors)))
    return Text(template, tensors)


def _with_kinds(template: Any, rest: Iterator[Any], asked: list[Any]) -> Any:
    """A template that shows a number as Python's or as NumPy's, as the path has it: `0`, or `np.int64(0)`.

    Parameters
    ----------
    template : Template
    rest : iterator
        The tensors for its slots, and for those behind it.
    asked : list
        Where the tensors for the slots of what is returned are put.
    """
    if not isinstance(template, Apply):
        if isinstance(template, Slot):
            asked.append(next(rest))
        return template
    if template != _NUMPYS:
        parts = [_with_kinds(each, rest, asked) for each in template.arguments]
        return Apply(template.function, tuple(parts))
    number = next(rest)
    known = whose_number(number)
    is_mixed = not isinstance(known, bool)
    if is_mixed and is_told(known):
        asked += (as_test(known, {}), number, number)
        return Apply("pick", (Slot(is_number=True), _NUMPYS, _PYTHONS))
    if is_mixed:
        note_shown()
    asked.append(number)
    return template


_NUMPYS, _PYTHONS = (Apply("repr", (Slot(is_number),)) for is_number in (False, True))


def _shown_as_pythons(function: Callable[[Any], str], error: BaseException) -> str:
    return function(as_pythons(error))


def formatted(value: Any, conversion: str, spec: Any) -> Any:
    """A value as a field of an f-string shows it: text, or a `Text` where tensors are inside."""
    if conversion:
        value = shown(value, CONVERSIONS[conversion])
    elif isinstance(value, BaseException):
        if isinstance(spec, str) and spec and type(value).__format__ is object.__format__:
            _raise_now(partial(format, value, spec))  # which does not ask what it holds
        value = shown(value, str)
    if isinstance(value, Text) and isinstance(spec, str):
        _raise_now(partial(format, "a", spec))
    if isinstance(spec, Text) and not isinstance(value, (Tensor, Text, Variable)):
        return _written(Text(Apply("format", (value, spec.template)), spec.tensors))
    with marking() as marks:
        text = format(value, str(spec) if isinstance(spec, Text) else spec)
    found = _read(marks, text)
    is_in_run = isinstance(spec, Text) or (isinstance(value, Tensor) and spec.endswith("c"))
    return _written(found) if is_in_run else found


def _written(text: Any) -> Any:
    """A text by a form that the run knows, or of what may be no character: it is made here, or fails."""
    return ask("written", text) if isinstance(text, Text) else text


def _raise_now(show: Callable[[], str]) -> None:
    """Has the graph raise what Python says of a text where its form does not suit it, whatever is in it."""
    try:
        show()
    except (TypeError, ValueError) as error:
        record(error.with_traceback(None), caller_location())
        raise NoOutcome from None


def text_method(template: str, name: str, arguments: tuple[Any, ...], keywords: Mapping[str, Any]) -> Any:
    """`template.format(…)`, `template.format_map(…)` and `template.join(…)`."""
    if name == "join" and len(arguments) == 1 and not keywords:
        items = list(arguments[0])
        if any(isinstance(item, Text) for item in items):
            between = [template] * len(items)
            return concatenated([part for pair in zip(between, items, strict=True) for part in pair][1:])
        arguments = (items,)
    fields = [] if name == "join" else [(spec or "", each) for _, _, spec, each in FIELDS.parse(template)]
    nested = name == "format" and any("{" in spec or (spec and conversion) for spec, conversion in fields)
    is_in_run = any("{" in spec or spec.endswith("c") for spec, _ in fields)
    with marking() as marks:
        if nested:
            text = _with_fields(template, arguments, keywords)
        else:
            text = getattr(template, name)(*arguments, **keywords)
    return _written(_read(marks, text)) if is_in_run else _read(marks, text)


class _Fields(Formatter):
    """`str.format`, where a field says how another one is shown."""

    def format_field(self, value: Any, format_spec: str) -> Any:
        marks = current_marks()
        wanted, tensors = marks.read(format_spec) if marks else (format_spec, ())
        if marks is not None and format_spec and isinstance(value, str):  # what a conversion has made
            text, inside = marks.read(value)
            if inside:
                return marks.leave(Apply("format", (text, wanted)), [*inside, *tensors])
        if marks is None or not tensors or isinstance(value, (Tensor, Text, Variable)):
            return super().format_field(value, format_spec)
        return marks.leave(Apply("format", (value, wanted)), tensors)


FIELDS = _Fields()


def _with_fields(template: str, arguments: tuple[Any, ...], keywords: Mapping[str, Any]) -> str:
    try:
        return FIELDS.vformat(template, arguments, keywords)
    except (AttributeError, LookupError, TypeError, ValueError) as error:
        raise error.with_traceback(None) from None  # of the program, and not of the module `string`


def print_text(
    texts: Sequence[Any],
    sep: Any = " ",
    end: Any = "\n",
    file: Any = None,
    flush: bool = False,
    *,
    staged: bool = False,
) -> None:
    """`print`, when the graph runs where that is `staged`, or one of the texts needs it."""
    for name, given in (("sep", sep), ("end", end)):
        if not isinstance(given, str | Text | None):
            refuse_as_python(partial(_print_nothing, name), given)
    sep, end = " " if sep is None else sep, "\n" if end is None else end
    file = sys.stdout if file is None else file
    if getattr(type(file), "is_written_when_run", False):
        file.write(concatenated([*[part for text in texts for part in (sep, text)][1:], end]))
        return
    if not staged and not any(isinstance(text, Text) for text in (*texts, sep, end)):
        print(*texts, sep=sep, end=end, file=file, flush=flush)
        return
    between = [part for text in texts for part in (sep, text)][1:]
    whole = concatenated([*between, end] if isinstance(end, Text) else between)
    (template,), tensors = parts_of((whole,))
    bind(PrintV2(template, "" if isinstance(end, Text) else end, _stream(file), bool(flush)), *tensors)


def _print_nothing(name: str, value: Any) -> None:
    print(**{name: value}, file=StringIO())


def write_text(text: Any, stream: str, *, flush: bool = False) -> None:
    """Writes text to one of the two streams when the graph runs."""
    (template,), tensors = parts_of((text,))
    bind(PrintV2(template, "", stream, flush), *tensors)


def _stream(file: Any) -> str | HostObject:
    """Where a printed text goes: by name, what may be another file when the graph runs.

    A program that redirects its output (`contextlib.redirect_stdout`) has said which file it is.
    """
    for name, stream in zip(("stdout", "stderr"), staging.streams, strict=True):
        if file is stream:
            return name
    return HostObject(str(getattr(file, "name", type(file).__name__)), file)


_CONVERSION = re.compile(
    r"%(?:\((?P<key>[^()]*)\))?(?P<form>[#0\- +]*(?:\*|\d*)(?:\.(?:\*|\d*))?[hlL]?[diouxXeEfFgGcrsa%])"
)


def percent(template: str, values: Any) -> Any:
    """`template % values`: text, or a `Text` where tensors are inside.

    Each conversion is done for itself, so that those of tensors wait until the graph runs.
    """
    rest = iter(values if isinstance(values, tuple) else (values,))
    parts: list[Any] = []
    end = 0
    for found in _CONVERSION.finditer(template):
        parts.append(template[end : found.start()])
        end = found.end()
        form = found["form"]
        if found["key"] is not None:
            parts.append(_converted(f"%{form}", [values[found["key"]]]))
        else:
            parts.append(_converted(f"%{form}", list(islice(rest, form.count("*") + (form[-1] != "%")))))
    parts.append(template[end:])
    is_mapping = hasattr(values, "keys") and not isinstance(values, tuple)
    if any("%" in part for part in parts[::2]) or (not is_mapping and any(True for _ in rest)):
        if isinstance(values, tuple):
            refuse_as_python(partial(_percent, template), *values)
        return template % values  # raises what Python does
    return concatenated(parts)


def _converted(form: str, values: Sequence[Any]) -> Any:
    """One conversion of a `%` format; all its values but the last are widths."""
    function = CONVERSIONS.get(form[-1])
    if function is not None and values:
        *widths, value = values
        text = shown(value, function)
        if not isinstance(text, Text) or form == f"%{form[-1]}":
            return (f"{form[:-1]}s") % (*widths, text) if isinstance(text, str) else text
        form, values = f"{form[:-1]}s", (*widths, text)
    if not any(isinstance(value, (Tensor, Text, Variable)) for value in values):
        return form % tuple(values)
    if isinstance(values[-1], Symbol) and isinstance(values[-1].spec, ArraySpec):
        ones = [1] * (len(values) - 1)  # for widths
        refuse_as_python(partial(_percent, form, *ones), values[-1])
    if isinstance(values[-1], Text):
        _raise_now(partial(_percent, form, *[1] * (len(values) - 1), "a"))
    parts, tensors = parts_of(values)
    found = Text(Apply("%", (form, *parts)), tensors)
    is_in_run = form[-1] == "c" or any(map(is_of_run, values[:-1]))
    return _written(found) if is_in_run else found


def _percent(form: str, *values: Any) -> str:
    return form % values
