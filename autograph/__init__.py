"""Ordinary Python in, staged Python out.

`convert` rewrites a function so that values of a library may decide its branches and loops; `to_code` shows
the result. `function` goes on from there: it records what the converted function does with our own tensors
(the package `runtime`) as a graph, and runs that.

Importing this package loads next to nothing. The converter is loaded when one of its names is first
touched, and `runtime` when `function` or one of its companions is.
"""

from __future__ import annotations

import importlib
import os
import sys
from typing import TYPE_CHECKING, Any, NoReturn

from autograph.errors import (
    AutoGraphError,
    ConversionError,
    ConversionWarning,
    Difference,
    SourceNotFound,
    UnsupportedSyntax,
)
from autograph.options import ConversionOptions, Options, set_strict
from autograph_base.garbage import loading as _loading

if TYPE_CHECKING:
    from autograph.api import convert, do_not_convert, is_converted, to_code, to_graph
    from autograph.checking.check import check
    from autograph.converters.directive import set_loop_options
    from autograph.diagnosis.explain import explain
    from autograph.diagnosis.explanation import Explanation
    from autograph.diagnosis.profile import Profile, profile
    from autograph.tracing.compile_library import compile_library
    from autograph.tracing.function import (
        ConcreteFunction,
        PolymorphicFunction,
        RetracingWarning,
        function,
        functions_run_eagerly,
        run_functions_eagerly,
    )
    from autograph.verbosity import set_verbosity
    from runtime.interchange.events import write_graph
    from runtime.ops.host import host_call

__all__ = [
    "AutoGraphError",
    "ConcreteFunction",
    "ConversionError",
    "ConversionOptions",
    "ConversionWarning",
    "Difference",
    "Explanation",
    "Options",
    "PolymorphicFunction",
    "Profile",
    "RetracingWarning",
    "SourceNotFound",
    "UnsupportedSyntax",
    "check",
    "compile_library",
    "convert",
    "do_not_convert",
    "explain",
    "function",
    "functions_run_eagerly",
    "host_call",
    "is_converted",
    "profile",
    "run_functions_eagerly",
    "set_loop_options",
    "set_strict",
    "set_verbosity",
    "to_code",
    "to_graph",
    "write_graph",
]

_HOMES = {
    "autograph.api": ("convert", "do_not_convert", "is_converted", "to_code", "to_graph"),
    "autograph.checking.check": ("check",),
    "autograph.converters.directive": ("set_loop_options",),
    "autograph.tracing.compile_library": ("compile_library",),
    "autograph.verbosity": ("set_verbosity",),
    "runtime.interchange.events": ("write_graph",),
    "runtime.ops.host": ("host_call",),
    "autograph.diagnosis.explain": ("explain",),
    "autograph.diagnosis.explanation": ("Explanation",),
    "autograph.diagnosis.profile": ("Profile", "profile"),
    "autograph.tracing.function": (
        "ConcreteFunction",
        "PolymorphicFunction",
        "RetracingWarning",
        "function",
        "functions_run_eagerly",
        "run_functions_eagerly",
    ),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}


_LOOP = "write the loop, which becomes one of the graph: "
_NO_GRADIENTS = "there are no gradients; JAX and TensorFlow have them"
_FILES = "`concrete.to_python()` is a program for NumPy, and `ag.compile_library` writes a library for C"
_ASKED_FOR = {
    "compile": "`ag.function` makes graphs, `ag.compile_library` a library for C",
    "cond": "write `if`, which `ag.function` converts; by hand it is `rt.cond`",
    "export": _FILES,
    "fori_loop": f"{_LOOP}`for i in range(n): …`",
    "grad": _NO_GRADIENTS,
    "jit": "`ag.function` makes graphs, and machine code of them with `jit_compile=True`",
    "load": "graphs are not read from files here; a function is pickled by its name",
    "njit": "`ag.function` makes graphs, and machine code of them with `jit_compile=True`",
    "prange": f"{_LOOP}`for i in range(n): …`",
    "save": _FILES,
    "scan": f"{_LOOP}`for x in xs: …`, with a list that results are appended to",
    "trace": "`ag.function(f).get_concrete_function(…)` traces without running",
    "value_and_grad": _NO_GRADIENTS,
    "vectorize": f"{_LOOP}`rt.stack([f(x) for x in xs])`",
    "vmap": f"{_LOOP}`rt.stack([f(x) for x in xs])`",
    "while_loop": "write `while`, which `ag.function` converts; by hand it is `rt.while_loop`",
}
"""What people who come from elsewhere look for, and where it is."""


def __getattr__(name: str) -> Any:
    home = _HOME_OF.get(name)
    if home is None:
        try:
            _refuse(name)
        except AttributeError as error:
            error.__traceback__ = None
            raise  # again, which adds no frame: the line that asks is the one to show
    with _loading():  # what is loaded stays
        value = getattr(importlib.import_module(home), name)
    globals()[name] = value
    return value


def _refuse(name: str) -> NoReturn:
    told = _ASKED_FOR.get(name)
    said = f"module {__name__!r} has no attribute {name!r}" + (f": {told}" if told else "")
    # where something is told, Python does not guess a name as well: it is not given one
    raise AttributeError(said, name=None if told else name, obj=sys.modules[__name__])


def __dir__() -> list[str]:
    return sorted({*__all__, *(name for name in globals() if name[:2] == "__")})


if os.environ.get("AUTOGRAPH_VERBOSITY"):
    importlib.import_module("autograph.verbosity").from_environment()
