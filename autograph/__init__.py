"""Ordinary Python in, staged Python out.

`convert` rewrites a function so that values of a library may decide its branches and loops; `to_code` shows
the result. `function` goes on from there: it records what the converted function does with our own tensors
(the package `runtime`) as a graph, and runs that.

`runtime` is loaded when `function`, or one of its companions, is first touched.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from autograph.api import convert, do_not_convert, is_converted, to_code, to_graph
from autograph.converters.directive import set_loop_options
from autograph.errors import (
    AutoGraphError,
    ConversionError,
    ConversionWarning,
    SourceNotFound,
    UnsupportedSyntax,
)
from autograph.options import ConversionOptions, Options

if TYPE_CHECKING:
    from autograph.tracing.function import (
        ConcreteFunction,
        PolymorphicFunction,
        RetracingWarning,
        function,
        functions_run_eagerly,
        run_functions_eagerly,
    )

__all__ = [
    "AutoGraphError",
    "ConcreteFunction",
    "ConversionError",
    "ConversionOptions",
    "ConversionWarning",
    "Options",
    "PolymorphicFunction",
    "RetracingWarning",
    "SourceNotFound",
    "UnsupportedSyntax",
    "convert",
    "do_not_convert",
    "function",
    "functions_run_eagerly",
    "is_converted",
    "run_functions_eagerly",
    "set_loop_options",
    "to_code",
    "to_graph",
]

_FROM_TRACING = frozenset(
    {
        "ConcreteFunction",
        "PolymorphicFunction",
        "RetracingWarning",
        "function",
        "functions_run_eagerly",
        "run_functions_eagerly",
    }
)


def __getattr__(name: str) -> Any:
    if name not in _FROM_TRACING:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module("autograph.tracing.function"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
