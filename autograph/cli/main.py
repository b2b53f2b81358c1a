"""The commands, their options, and what the command line answers with.

Exit codes: 0 where all went well; 1 where the function fails, or cannot become a graph; 2 where the command
itself is wrong.
"""

from __future__ import annotations

import argparse
import importlib
import sys
import traceback
from collections.abc import Sequence
from importlib.metadata import version
from typing import TypeAlias

from autograph.cli.wrong import WrongCommand
from autograph.errors import AutoGraphError
from autograph.frames import hide

__all__ = ["main"]

Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"  # noqa: SLF001  # it has no public name

FAILED, WRONG = 1, 2
"""Exit codes: of a program that fails, and of a command that cannot be done."""

WITHOUT_FUNCTION = ("error", "cache")
"""The commands that are not about a function."""

WITH_SPECS = ("explain", "graph", "compile")
"""The commands that trace a function, for which the dtype and the shape of an argument are enough."""

EXAMPLES = """\
examples:
  autograph code model.py:step
  autograph explain model.py:step --spec 'float32[?,3]' --value rate=0.1
  autograph graph package.model:net.step --spec 'x=float32[?,3]' --format html --output net.html
  autograph compile model.py:step --spec 'float32[?]' --output step.so
  autograph run model.py:step --input x=x.npy --output y.npy
  autograph bench model.py:step --input x=x.csv --input steps=100
  autograph error state-disagrees

MODULE:FUNCTION is a module as it is imported, or a file, and a function of it, or a method of an object.
`python -m autograph` is the same command.
Exit codes: 0 done; 1 the function fails, or cannot become a graph; 2 the command itself is wrong.
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line: what it prints goes to the standard output, and errors are one message.

    Parameters
    ----------
    arguments : sequence of str, optional
        By default those of the process.

    Returns
    -------
    int
        The exit code.
    """
    parser = _parser()
    first = next(iter(sys.argv[1:] if arguments is None else arguments), "-")
    if first[:1] != "-" and first not in _COMMANDS:
        return _said(_no_command(first), WRONG)
    options, rest = parser.parse_known_args(arguments)
    if options.version:
        sys.stdout.write(f"autograph {version('autograph-runtime')}\n")
        return 0
    if options.command is None and not rest:
        parser.print_help(sys.stderr)
        return WRONG
    if rest:
        return _said(_unknown(options.command, " ".join(rest)), WRONG)
    try:
        commands = importlib.import_module("autograph.cli.commands")  # after --help, which needs no array
        done: bool = getattr(commands, options.command)(options)
    except WrongCommand as wrong:
        return _said(str(wrong), WRONG)
    except BrokenPipeError:
        sys.stderr.close()  # who read the output has gone, and nobody is left to be told
        return FAILED
    except Exception as error:  # noqa: BLE001  # the user's own, which the user wants to see
        return _said(_shown(error), FAILED)
    return 0 if done else FAILED


def _no_command(name: str) -> str:
    """What is said of a command that there is not."""
    told = ""
    if name in _IN_PYTHON:
        told = f"In Python it is `{_IN_PYTHON[name]}`. "
    elif near := _CALLED.get(name) or importlib.import_module("runtime.messages").nearest(name, _COMMANDS):
        told = f"Did you mean {near!r}? "
    return f"there is no command {name!r}.\n{told}There are {', '.join(_COMMANDS)}."


_COMMANDS = ("code", "explain", "graph", "run", "compile", "bench", "error", "cache")

_CALLED = {"to_code": "code", "time": "bench", "benchmark": "bench", "compile_library": "compile"}
"""What commands are called that have another name in Python, or elsewhere."""

_IN_PYTHON = {"check": "ag.check(f, *args)", "profile": "ag.profile(f, *args)"}
"""What is no command, since it is about calls and not about a function alone."""


def _unknown(command: str | None, rest: str) -> str:
    """What is said of arguments that a command does not have."""
    if command is None:
        return f"there is no option {rest!r}.\n`autograph --help` shows the commands and what they take."
    told = "" if command in WITHOUT_FUNCTION else _OF_FUNCTION
    if command in WITH_SPECS:
        told = told.replace("; ", ", and specs as --spec NAME=DTYPE[DIMS]; ")
    return (
        f"`autograph {command}` does not take {rest!r}.\n{told}`autograph {command} --help` shows examples."
    )


_OF_FUNCTION = "Arguments of the function are given as --input NAME=ARRAY or --value NAME=LITERAL; "


def _said(message: str, status: int) -> int:
    sys.stderr.write(f"autograph: {message}\n")
    return status


def _shown(error: Exception) -> str:
    """An error of ours as its message; one of the user's with the lines of the user's that led to it."""
    ours = importlib.import_module("runtime.errors").Message
    if isinstance(error, (AutoGraphError, ours)) and not getattr(error, "verbatim", False):
        return str(error)
    hide(error)
    own = importlib.import_module("runtime.graph.location").is_users_file
    frames = traceback.extract_tb(error.__traceback__)
    kept = [frame for frame in frames if own(frame.filename)]
    lines = ["Traceback (most recent call last):\n", *traceback.format_list(kept)] if kept else []
    told = "".join([*lines, *traceback.format_exception_only(error)]).rstrip()
    return f"the program raised an error\n\n{told}" if kept or isinstance(error, SyntaxError) else told


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="autograph",
        description="What becomes of a function: its generated code, its graph, its result, its speed.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="store_true", help="say which release this is")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    _command(commands, "code", "print the generated source of a function", "model.py:step")
    for add in (_add_explain, _add_graph, _add_run, _add_compile, _add_bench, _add_error, _add_cache):
        add(commands)
    return parser


def _add_explain(commands: Commands) -> None:
    explain = _command(
        commands,
        "explain",
        "say what became of each line, and why",
        "model.py:step --spec 'float32[?,3]' --value rate=0.1",
        "model.py:step --spec 'x=float32[?,3]' --output page.html",
    )
    explain.add_argument("--output", metavar="FILE.html", help="write a page instead")
    _take_specs(explain)
    _take_values(explain)


def _add_graph(commands: Commands) -> None:
    graph = _command(
        commands,
        "graph",
        "print the graph of a function",
        "model.py:step --spec 'float32[?,3]'",
        "package.model:net.step --spec 'x=float32[?,3]' --optimised --format html --output net.html",
        "model.py:step --spec 'float32[3]' --format dot | dot -Tpng > step.png",
    )
    graph.add_argument("--optimised", action="store_true", help="as it runs, instead of as it was traced")
    graph.add_argument(
        "--format", choices=("text", "dot", "svg", "html"), default="text", help="text by default"
    )
    graph.add_argument("--output", metavar="FILE", help="write it instead of printing it")
    _take_specs(graph)
    _take_values(graph)


def _add_run(commands: Commands) -> None:
    run = _command(
        commands,
        "run",
        "run a function as a graph, on arrays of files",
        "model.py:step --input x=x.npy --output y.npy",
        "model.py:step --input 'x=[1.0, 2.0]' --value rate=0.1",
        "model.py:step --input arrays.npz:x --output results.npz",
    )
    run.add_argument("--output", metavar="FILE", help="where the result goes: .npy, .npz or .csv")
    _take_values(run)


def _add_compile(commands: Commands) -> None:
    compiled = _command(
        commands,
        "compile",
        "write a function as a library for programs in C",
        "model.py:step --spec 'float32[?]' --output step.so",
        "model.py:step --spec 'float32[3]' --output step.o --name one_step --cpu native",
    )
    compiled.add_argument(
        "--output", required=True, metavar="FILE", help="what is written: a .so, .a or .o; and a .h beside it"
    )
    compiled.add_argument("--name", help="what the function is called in C; its own name by default")
    compiled.add_argument("--cpu", default="baseline", help="baseline by default; native; x86-64-v2 to -v4")
    compiled.add_argument(
        "--freeze", action="store_true", help="make constants of the variables that it reads, as they are now"
    )
    compiled.add_argument("--no-header", action="store_true", help="write no header")
    _take_specs(compiled)
    _take_values(compiled)


def _add_bench(commands: Commands) -> None:
    bench = _command(
        commands,
        "bench",
        "time plain Python, the NumPy program, machine code, and rivals that are installed",
        "model.py:step --input x=x.csv --value steps=100",
    )
    _take_values(bench)


def _add_error(commands: Commands) -> None:
    error = commands.add_parser(
        "error",
        help="say what the identifier at the end of a message stands for",
        description="Says what an error means, with programs that fail and the same programs mended.",
        epilog=_examples("error", ("state-disagrees", "")),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    error.add_argument(
        "identifier", nargs="?", default="", help="what stands in brackets there; all are listed without one"
    )


def _add_cache(commands: Commands) -> None:
    cache = commands.add_parser(
        "cache",
        help="say how much machine code is kept",
        description="Says how much machine code is kept.",
        epilog=_examples("cache", ("", "--clear")),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    cache.add_argument("--clear", action="store_true", help="remove it")


def _take_specs(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--spec",
        action="append",
        metavar="[NAME=]DTYPE[DIMS]",
        help="a tensor of this dtype and shape, such as 'float32[?,3]'; in the order of the parameters",
    )


def _take_values(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--input",
        action="append",
        metavar="[NAME=]ARRAY",
        help="an array: FILE.npy, FILE.csv, FILE.npz, one of several, FILE.npz:KEY; or numbers: x=[1,2]",
    )
    parser.add_argument(
        "--value",
        action="append",
        metavar="[NAME=]LITERAL",
        help="a value of Python's own, which is a constant of the graph: n=3",
    )


def _command(commands: Commands, name: str, what: str, *examples: str) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser(
        name,
        help=what,
        description=f"{what[0].upper()}{what[1:]}.",
        epilog=_examples(name, examples),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "target", metavar="MODULE:FUNCTION", help="such as package.module:step, or FILE.py:step"
    )
    return parser


def _examples(name: str, examples: Sequence[str]) -> str:
    lines = [f"  autograph {name} {example}".rstrip() for example in examples]
    return "\n".join(["example:" if len(lines) == 1 else "examples:", *lines])
