"""The tree of a live function or lambda, with the file's own line and column numbers.

The statement around it is parsed once and kept for a while, or the whole file where that does not serve; a
function is found in it by its first line, a lambda by the columns that its bytecode remembers. What was found
is compiled again and compared with the function at hand, because a file that was edited after it was imported
would otherwise yield the wrong text without a word.
"""

from __future__ import annotations

import linecache
import weakref
from contextlib import suppress
from types import CodeType, FunctionType
from typing import Any

from autograph.errors import Location, MissingSource, SourceNotFound
from autograph.source.file import Definition, Loop, file_of, part_around
from autograph.source.nodes import copied
from autograph.source.texts import SHARED_NAMES, own_name, texts, way_out
from autograph_base.dataclass import dataclass
from autograph_base.named_tuple import NamedTuple

__all__ = [
    "Definition",
    "Found",
    "Loop",
    "Parsed",
    "filename_of",
    "find",
    "loop_at",
    "parse",
    "require",
    "standing_at",
]


class Found(NamedTuple):
    """A function's text and tree.

    Attributes
    ----------
    definition : ast.FunctionDef, ast.AsyncFunctionDef or ast.Lambda
        A part of the tree of its file, which all its functions share: not to be edited.
    filename : str
        What the function's code object calls its file; where many texts have that name, one of its own.
    lines : tuple of str
        All lines of the file.
    """

    definition: Definition
    filename: str
    lines: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Parsed:
    """A function and where it came from.

    Attributes
    ----------
    tree : ast.FunctionDef, ast.AsyncFunctionDef or ast.Lambda
        A tree of the caller's own, free to be edited. Lines and columns are the file's; columns count UTF-8
        bytes, as everywhere in Python's trees.
    filename : str
        What the function's code object calls its file; where many texts have that name, one of its own.
    lines : tuple of str
        All lines of the file.
    function : function
        The function that was parsed.
    """

    tree: Definition
    filename: str
    lines: tuple[str, ...]
    function: FunctionType

    def location(self, node: Any) -> Location:
        """The place of a node, for a message: its first line only, in characters.

        Parameters
        ----------
        node : ast.AST
            A node of the tree that has a position.

        Returns
        -------
        Location
        """
        text = self.lines[node.lineno - 1].rstrip("\r\n") if node.lineno <= len(self.lines) else ""
        encoded = text.encode()
        whole = node.end_lineno == node.lineno
        end = encoded[: node.end_col_offset] if whole else encoded
        return Location(
            filename=self.filename,
            line=node.lineno,
            function=self.function.__code__.co_qualname,
            text=text,
            column=len(encoded[: node.col_offset].decode(errors="replace")),
            end_column=len(end.decode(errors="replace")),
        )


def parse(function: FunctionType) -> Parsed:
    """The tree of a function or lambda, as its file spells it.

    Parameters
    ----------
    function : function
        A plain Python function or a lambda. Methods and partial objects are for the caller to unwrap.

    Returns
    -------
    Parsed

    Raises
    ------
    SourceNotFound
        When there is no source text, or the text is not the one the function was made from.
    TypeError
        When `function` is no Python function.
    """
    found = find(function)
    return Parsed(copied(found.definition), found.filename, found.lines, function)


def find(function: FunctionType) -> Found:
    """The definition of a function or lambda in its file.

    Parameters
    ----------
    function : function

    Returns
    -------
    Found

    Raises
    ------
    SourceNotFound, TypeError
        As `parse`.
    """
    if not isinstance(function, FunctionType):
        raise TypeError(f"only a Python function has source to parse, not {type(function).__name__}")
    code = function.__code__
    is_shared = code.co_filename in SHARED_NAMES
    known = _proven.get(id(code)) if is_shared else None
    if known is not None and known[0]() is code:
        return known[1]
    because = ""
    for lines in texts(function):
        part = part_around(code.co_filename, lines, code.co_firstlineno)
        definition = None if part is None else part.find(function)
        try:
            definition = definition or file_of(code.co_filename, lines).find(function)
        except (SyntaxError, ValueError) as error:
            because = because if is_shared else f"its file does not parse ({error})"
            continue
        if definition is not None:
            if not is_shared:
                return Found(definition, code.co_filename, lines)
            found = Found(definition, own_name(code.co_filename, lines), lines)
            _remember(code, found)  # the history of a prompt goes on, and a redirected file may be written to
            return found
        if not is_shared:
            because = "its file now holds other text than the function was made from"
    raise SourceNotFound(_missing(function, because))


def standing_at(function: FunctionType) -> list[Definition]:
    """The definitions of a function's name that start on its line, whatever they compile to.

    Parameters
    ----------
    function : function
        The converted form of another one, which has other code.
    """
    code = function.__code__
    for lines in texts(function):
        with suppress(SyntaxError, ValueError):
            return file_of(code.co_filename, lines).standing_at(code.co_firstlineno, code.co_name)
    return []


def loop_at(filename: str, line: int, column: int | None) -> Loop | None:
    """The loop that starts there in a file, as that is now; None where there is none, or it cannot be read.

    Parameters
    ----------
    filename : str
    line : int
        Counted from 1.
    column : int, optional
        In bytes, from 0.
    """
    lines = tuple(linecache.getlines(filename))
    part = part_around(filename, lines, line)
    found = None if part is None else part.loop_at(line, column)
    if found is None:
        with suppress(SyntaxError, ValueError):
            return file_of(filename, lines).loop_at(line, column)
    return found


_proven: dict[int, tuple[weakref.ref[CodeType], Found]] = {}
"""What was found for functions whose files share a name, by the identity of their code."""


def _remember(code: CodeType, found: Found) -> None:
    key = id(code)

    def forget(_: weakref.ref[CodeType]) -> None:
        _proven.pop(key, None)

    _proven[key] = weakref.ref(code, forget), found


def filename_of(code: CodeType) -> str:
    """What the converted form of code calls its file: as the code does, or a name that nothing else has.

    Parameters
    ----------
    code : code object
        Of a function that was parsed.

    Returns
    -------
    str
    """
    known = _proven.get(id(code))
    return code.co_filename if known is None or known[0]() is not code else known[1].filename


def require(function: FunctionType) -> None:
    """Asks for a function's text while it can be had, without finding the function in it where that can wait.

    Parameters
    ----------
    function : function

    Raises
    ------
    SourceNotFound
        When there is none.
    """
    if function.__code__.co_filename in SHARED_NAMES:
        find(function)
    elif next(texts(function), None) is None:
        raise SourceNotFound(_missing(function, ""))


def _missing(function: FunctionType, because: str) -> MissingSource:
    """The diagnostic for a function without usable source; `because` says what is wrong with a text."""
    code = function.__code__
    instead = (
        "Reload the module, or start Python again; if an import hook rewrites the module, switch it off."
    )
    if not because:
        because, instead = way_out(function)
    return MissingSource(
        where=Location(code.co_filename, code.co_firstlineno, code.co_qualname),
        function=code.co_qualname,
        because=because,
        instead=instead,
    )
