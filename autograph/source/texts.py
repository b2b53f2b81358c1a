"""Finds candidates for a function's source: its file, a notebook cell, the command line, typed input.

Each place gives candidates and nothing more. Whether a text is the function's is for `parse` to prove, which
compiles it and compares the code.
"""

from __future__ import annotations

import io
import itertools
import linecache
import os
import stat
import sys
import textwrap
import tokenize
import warnings
from collections.abc import Iterator
from types import CodeType, FunctionType
from typing import TypeAlias

from autograph.source.compiled import nested_codes

__all__ = ["SHARED_NAMES", "Lines", "own_name", "texts", "way_out"]

Lines: TypeAlias = tuple[str, ...]

TIMED = frozenset({"<timed exec>", "<timed eval>"})
"""What IPython calls the cells behind `%%time`."""

SHARED_NAMES = frozenset({"<string>", "<stdin>", "<console>", "<input>"}) | TIMED
"""What `exec`, `python -c`, the standard input and prompts call their files: one name for many texts."""

TYPED = frozenset({"<stdin>", "<console>", "<input>"})
"""Of these, the names of what may have been typed, and be in the history of the prompt."""

STATEMENT_GOES_ON = 200
"""Lines of a typed statement behind the function in it."""

STRETCHES_TRIED = 4000
"""Stretches of a prompt's history that are tried before a function counts as not found: half a second."""

LINES_REPEATED = 2
"""Lines of a typed statement that may be the same as the line before, which the history leaves out."""


def texts(function: FunctionType) -> Iterator[Lines]:
    """The texts that may hold a function's source, the likeliest first.

    Parameters
    ----------
    function : function

    Yields
    ------
    tuple of str
        All lines of a file, or of what stands for one.
    """
    code, scope = function.__code__, function.__globals__
    filename = code.co_filename
    remembered = tuple(linecache.getlines(filename, scope))
    if remembered:
        yield remembered
    linecache.checkcache(filename)  # what is remembered may be older than a module that was reloaded
    fresh = tuple(linecache.getlines(filename, scope))
    if fresh and fresh != remembered:
        yield fresh
    loaded = _loader_lines(scope)  # linecache splits a loader's text at form feeds too, which moves the lines
    if loaded and loaded not in (remembered, fresh):
        yield loaded
    if filename.startswith("<frozen "):  # a module of the standard library that stands in Python itself
        yield tuple(linecache.getlines(str(scope.get("__file__"))))
    if filename == "<string>":
        yield from _on_the_command_line()
    if filename == "<stdin>":
        yield from _in_the_standard_input()
    if filename in TYPED:
        yield from _typed(code)
    if filename in TIMED:
        yield from _timed()


def _loader_lines(scope: dict[str, object]) -> Lines:
    """The module's text as its loader gives it; empty when it gives none."""
    get_source = getattr(scope.get("__loader__"), "get_source", None)
    if get_source is None:
        return ()
    try:
        text = get_source(scope.get("__name__"))
    except (ImportError, OSError):
        return ()
    return _lines(text) if text else ()


def _lines(text: str) -> Lines:
    return tuple(io.StringIO(text))


def _on_the_command_line() -> Iterator[Lines]:
    """The text behind ``-c``, which may stand in the same argument: ``-Ic TEXT``, ``-cTEXT``."""
    arguments = sys.orig_argv[1:]
    for argument, following in zip(arguments, [*arguments[1:], ""], strict=True):
        options, found, joined = argument.partition("c")
        if not found or not options.startswith("-") or options.startswith("--"):
            continue
        text = joined or following
        yield _lines(text)
        dedented = textwrap.dedent(text)
        if dedented != text:
            yield _lines(dedented)  # as Python 3.14 reads it


def _in_the_standard_input() -> Iterator[Lines]:
    """The file that the standard input was directed to, read again from its beginning; a pipe is gone."""
    try:
        state = os.fstat(0)
        if not stat.S_ISREG(state.st_mode):
            return
        content = os.pread(0, state.st_size, 0)
        encoding, _ = tokenize.detect_encoding(io.BytesIO(content).readline)
        yield _lines(content.decode(encoding))
    except (OSError, SyntaxError, UnicodeDecodeError):  # it is closed, or no text of Python
        return


def _timed() -> Iterator[Lines]:
    """What stood below a magic in the cells of a notebook, the last first."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    if shell is None:
        return
    for cell in reversed(shell.history_manager.input_hist_raw):
        magic, _, body = cell.partition("\n")
        if magic.startswith("%%"):
            yield _lines(shell.transform_cell(body))


def _typed(code: CodeType) -> Iterator[Lines]:
    """Stretches of the prompt's history in which the function may stand, the last typed first."""
    readline = sys.modules.get("readline")
    if readline is None:
        return
    count = readline.get_current_history_length()
    history = [f"{readline.get_history_item(index + 1) or ''}\n" for index in range(count)]
    length = max(line for each in (code, *nested_codes(code)) for *_, line in each.co_lines() if line)
    for lines in itertools.islice(_stretches(history, code, length), STRETCHES_TRIED):
        yield from _statement(lines, length)


def _stretches(history: list[str], code: CodeType, length: int) -> Iterator[list[str]]:
    """Lines of the history from the beginning of a statement that may define the function."""
    is_lambda = code.co_name == "<lambda>"

    def may_define(line: str) -> bool:
        return "lambda" in line if is_lambda else "@" in line or ("def" in line and code.co_name in line)

    for repeated in range(min(LINES_REPEATED, length - 1) + 1):
        kept = length - repeated
        for start in range(len(history) - kept, -1, -1):
            if history[start][:1].isspace() or not any(map(may_define, history[start : start + kept])):
                continue
            stretch = history[start : start + length + STATEMENT_GOES_ON]
            for places in itertools.combinations_with_replacement(range(kept), repeated):
                lines = _repeated(stretch, places)
                if may_define(lines[code.co_firstlineno - 1]):
                    yield lines


def _repeated(lines: list[str], places: tuple[int, ...]) -> list[str]:
    """The lines with some of them once more: the history has no line twice in a row."""
    return [line for index, line in enumerate(lines) for _ in range(1 + places.count(index))]


def _statement(lines: list[str], length: int) -> Iterator[Lines]:
    """The shortest text of at least so many lines, from the beginning, that Python can read."""
    import codeop  # noqa: PLC0415  # files are read without it

    for end in range(length, min(len(lines), length + STATEMENT_GOES_ON) + 1):
        text = "".join(lines[:end])
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # what there was to warn of, the prompt has said
                waits = codeop.compile_command(f"{text}\n", "<typed>", "exec") is None
        except (SyntaxError, ValueError, OverflowError):
            return
        if not waits:
            yield tuple(lines[:end])
            return


def own_name(filename: str, lines: Lines) -> str:
    """A file name for one of the texts that share a name, under which tracebacks show it.

    Parameters
    ----------
    filename : str
        One of `SHARED_NAMES`.
    lines : tuple of str

    Returns
    -------
    str
        As the prompt of Python 3.13 calls its texts.
    """
    for number in itertools.count(1):
        name = f"{filename}-{number}"
        if linecache.getlines(name) in ([], [*lines]):
            break
    linecache.cache[name] = len("".join(lines)), None, [*lines], name
    return name


def way_out(function: FunctionType) -> tuple[str, str]:
    """Why there is no text of a function, as half a sentence, and what helps where it was made.

    Parameters
    ----------
    function : function

    Returns
    -------
    tuple of str
    """
    filename = function.__code__.co_filename
    if filename == "<string>":
        return "exec() and eval() keep no text", _REGISTER
    if filename in TYPED and (filename != "<stdin>" or _has_prompt()):
        return "this prompt keeps no text that is the function's", _NO_PROMPT
    if filename == "<stdin>":
        return "its program came through a pipe, which cannot be read twice", (
            "Save the program and run the file, redirect the file itself (`python < program.py`), or pass "
            'its text (`python -c "$(cat program.py)"`).'
        )
    if filename.startswith("<"):
        return "no file, notebook cell or interpreter line holds its text", _REGISTER
    if getattr(sys, "frozen", False):
        return f"this frozen application has no text of {filename!r}", _in_frozen(function)
    if not os.path.exists(filename):  # noqa: PTH110  # pathlib is slow to import
        return f"there is no file {filename!r} here", (
            "Ship the .py file beside the compiled one, or mark the function with do_not_convert."
        )
    return "its file has no such line", "Reload the module, or start Python again."


def _in_frozen(function: FunctionType) -> str:
    """How PyInstaller is told to ship the text of a function; that of its script cannot be shipped."""
    package = (function.__module__ or "__main__").partition(".")[0]
    first = ""
    if package == "__main__":
        first, package = "Move the function from the script into a module, `steps.py` say. ", "steps"
    collected = f"`Analysis(..., module_collection_mode={{{package!r}: 'pyz+py'}})`"
    return f"{first}Name it in the spec file, {collected}, or mark the function with do_not_convert."


_REGISTER = (
    "Give the text a name of its own, and tell linecache before the text runs: "
    "`linecache.cache[name] = len(text), None, text.splitlines(True), name`, then "
    "`exec(compile(text, name, 'exec'))`. Or mark the function with do_not_convert."
)

_NO_PROMPT = (
    "Write the function into a file and import it, or start with `python -i file.py`; or use IPython, or the "
    "prompt of Python 3.13 and later, which keep what is typed."
)


def _has_prompt() -> bool:
    return hasattr(sys, "ps1") or bool(sys.flags.interactive)
