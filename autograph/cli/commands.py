"""What each command does; it says whether the function did well."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MethodType
from typing import Any

import numpy as np
from rich.console import Console
from rich.markdown import Markdown
from rich.syntax import Syntax

from autograph.api import to_code
from autograph.cli.arguments import bound
from autograph.cli.contenders import compared
from autograph.cli.files import require_format, write
from autograph.cli.pages import page
from autograph.cli.target import target
from autograph.cli.wrong import WrongCommand
from autograph.diagnosis.explain import explain as explained
from autograph.tracing.compile_library import compile_library
from autograph.tracing.function import PolymorphicFunction, function
from runtime.core.structure import flatten, leaf_paths
from runtime.errors import InvalidValue
from runtime.executors.native.llvm.cache import VARIABLE, store
from runtime.functions.bound import BoundFunction
from runtime.graph.module import Module

__all__ = ["bench", "cache", "code", "compile", "error", "explain", "graph", "run"]

WRITTEN: Mapping[str, Callable[[Module], str]] = {
    "text": lambda module: f"{module.text(show_specs=True)}\n",
    "dot": Module.to_dot,
    "svg": Module.to_svg,
    "html": Module.to_html,
}
"""The formats of `graph`."""


def code(options: Namespace) -> bool:
    """Prints the generated source of a function, in colours where that is a terminal."""
    text = to_code(_plain(target(options.target)))
    if sys.stdout.isatty():
        Console().print(Syntax(text, "python", background_color="default", word_wrap=True))
    else:
        sys.stdout.write(text)
    return True


def explain(options: Namespace) -> bool:
    """Prints what became of each line of a function."""
    chosen = target(options.target)
    args, kwargs = _arguments(options, _plain(chosen))
    explanation = explained(chosen, *args, **kwargs)
    if options.output:
        _write_text(options.output, explanation.to_html())
    else:
        explanation.show()
    return not explanation.error


def graph(options: Namespace) -> bool:
    """Prints the graph of a function, or writes it."""
    chosen = target(options.target)
    staged = _staged(chosen)
    args, kwargs = _arguments(options, _plain(chosen))
    concrete = staged.get_concrete_function(*args, **kwargs)
    module = concrete.optimised_module if options.optimised else concrete.module
    text = WRITTEN[options.format](module)
    if options.output:
        _write_text(options.output, text)
    else:
        sys.stdout.write(text)
    return True


def compile(options: Namespace) -> bool:  # it is what the command is called
    """Writes a function as a library for programs in C."""
    chosen = target(options.target)
    args, kwargs = _arguments(options, _plain(chosen))
    concrete = _staged(chosen).get_concrete_function(*args, **kwargs)
    try:
        with Console(stderr=True).status("making machine code"):  # at a terminal; elsewhere nothing shows
            files = compile_library(
                concrete,
                options.output,
                header=not options.no_header,
                name=options.name,
                cpu=options.cpu,
                freeze=options.freeze,
            )
    except InvalidValue as error:
        raise WrongCommand(f"{error.happened}.\n{error.why}\n{error.way_out}") from None
    except OSError as error:
        raise WrongCommand(f"{options.output!r} cannot be written: {error.strerror}.") from None
    sys.stdout.write(f"{' and '.join(map(str, files))} written\n")
    return True


def run(options: Namespace) -> bool:
    """Runs a function as a graph, and prints its result, or writes it."""
    if options.output:
        require_format(options.output)
    chosen = target(options.target)
    args, kwargs = _arguments(options, _plain(chosen))
    result = _staged(chosen)(*args, **kwargs)
    if options.output:
        write(options.output, _arrays(result))
    else:
        print(result)  # noqa: T201  # it is what the command is for
    return True


def bench(options: Namespace) -> bool:
    """Times a function as plain Python, as a NumPy program, as machine code and on rivals, in turns."""
    chosen = _plain(target(options.target))
    table, left_out = compared(chosen, *_arguments(options, chosen))
    Console().print(table)
    for name, why in left_out.items():
        sys.stdout.write(f"{name}: {why}\n")
    return True


def error(options: Namespace) -> bool:
    """Prints what an identifier stands for."""
    text = page(options.identifier)
    if sys.stdout.isatty():
        Console().print(Markdown(text) if options.identifier else text)
    else:
        sys.stdout.write(text)
    return True


def cache(options: Namespace) -> bool:
    """Says where machine code is kept, and how much; or removes it."""
    kept = store()
    if kept is None:
        sys.stdout.write(f"no machine code is kept: {VARIABLE} is off\n")
        return True
    if options.clear:
        sys.stdout.write(f"{kept.clear()} files removed from {kept.folder}\n")
        return True
    files = kept.files()
    size = sum(path.stat().st_size for path in files)
    sys.stdout.write(f"{kept.folder}: {len(files)} files, {size / 1e6:.1f} MB\n")
    return True


def _arguments(options: Namespace, chosen: Callable[..., Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The arguments that the options of a command give."""
    specs = getattr(options, "spec", None) or ()
    return bound(chosen, specs=specs, inputs=options.input or (), values=options.value or ())


def _plain(chosen: Callable[..., Any]) -> Callable[..., Any]:
    """The Python function behind one that may be a graph already."""
    if isinstance(chosen, BoundFunction):
        return MethodType(chosen.python_function, chosen.__self__)
    return chosen.python_function if isinstance(chosen, PolymorphicFunction) else chosen


def _staged(chosen: Callable[..., Any]) -> PolymorphicFunction[..., Any] | BoundFunction[..., Any]:
    return chosen if isinstance(chosen, PolymorphicFunction | BoundFunction) else function(chosen)


def _arrays(result: Any) -> dict[str, Any]:
    """The arrays of a result by their place in it."""
    leaves, structure = flatten(result)
    return {
        path: np.asarray(leaf)
        for path, leaf in zip(leaf_paths(structure, "result"), leaves, strict=True)
        if leaf is not None
    }


def _write_text(place: str, text: str) -> None:
    try:
        Path(place).write_text(text, encoding="utf-8")
    except OSError as error:
        raise WrongCommand(f"{place!r} cannot be written: {error.strerror}.") from None
