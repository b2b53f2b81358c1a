"""Text with slots as Python source: an f-string where it can be one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from runtime.core.text import METHODS, Apply, Slot, Template
from runtime.executors.numpy_plan.literals import literal
from runtime.executors.numpy_plan.precedence import as_atom

__all__ = ["text_source"]

_SIMPLE = re.compile(r"[^{}'\"\\]*")
"""Format specifications that may stand in an f-string of any kind."""


def text_source(template: Template, names: Sequence[str]) -> str:
    """An expression that gives the text, where `names` are what the slots hold, in order."""
    return _source(template, iter(names))


def _source(part: Any, names: Iterator[str]) -> str:
    """A part of a template as an expression; it takes the names of its slots from `names`."""
    match part:
        case Slot(is_number):
            name = next(names)
            return f"{name}.item()" if is_number else name
        case Apply("join", parts):
            return _joined(parts, names)
        case Apply("str" | "repr" | "format", (Slot(), *rest)) if _is_field(rest):
            return _joined([part], names)
        case Apply("%", (text, *values)):
            shown = as_atom(_source(text, names))
            comma = "," if len(values) == 1 else ""
            return f"{shown} % ({', '.join([_source(each, names) for each in values])}{comma})"
        case Apply(function, arguments):
            texts = [_source(each, names) for each in arguments]
            if function in METHODS:
                return f"{as_atom(texts[0])}.{function}({', '.join(texts[1:])})"
            return f"{function}({', '.join(texts)})"
        case _:
            return literal(part)


def _joined(parts: Sequence[Template], names: Iterator[str]) -> str:
    """Pieces as one f-string, and what no f-string can hold between such strings."""
    strings: list[str] = []
    text = ""
    for part in parts:
        field = part if isinstance(part, str) else _field(part, names)
        if field is None:
            strings += [*_f_string(text), f"({_source(part, names)})"]
            text = ""
        else:
            text += field.replace("{", "{{").replace("}", "}}") if isinstance(part, str) else field
    return " + ".join([*strings, *_f_string(text)]) or "''"


def _f_string(text: str) -> list[str]:
    if not text:
        return []
    fields = "{" in text.replace("{{", "")
    return [f"f{text!r}" if fields else repr(text.replace("{{", "{").replace("}}", "}"))]


def _field(part: Template, names: Iterator[str]) -> str | None:
    """A slot as a field of an f-string."""
    match part:
        case Apply("str" | "repr" | "format" as function, (Slot() as slot, *rest)) if _is_field(rest):
            conversion = "!r" if function == "repr" else ""
            spec = f":{rest[0]}" if rest and rest[0] else ""
            return f"{{{_source(slot, names)}{conversion}{spec}}}"
    return None


def _is_field(rest: Sequence[Any]) -> bool:
    """Whether the format specification, if there is one, may stand in an f-string."""
    return all(isinstance(spec, str) and _SIMPLE.fullmatch(spec) for spec in rest)
