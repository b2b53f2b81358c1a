"""The tree of a live function or lambda, with the file's own line and column numbers.

The whole file is parsed once and kept for a while; a function is found in it by its first line, a lambda by
the columns that its bytecode remembers. What was found is compiled again and compared with the function at
hand, because a file that was edited after it was imported would otherwise yield the wrong text without a
word.
"""

from __future__ import annotations

import ast
import copy
import functools
import itertools
import linecache
import weakref
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from types import CodeType, FunctionType
from typing import Any, NamedTuple, TypeAlias, TypeGuard

from autograph.errors import Location, MissingSource, SourceNotFound
from autograph.source.compiled import (
    compile_again,
    compile_flags,
    covers,
    nested_codes,
    same_code,
    same_places,
)
from autograph.source.nodes import copied
from autograph.source.texts import SHARED_NAMES, own_name, texts, way_out

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

Definition: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
Loop: TypeAlias = ast.For | ast.While

FILES_REMEMBERED = 64
"""Parsed files kept. A program converts functions of few files, many times each."""


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
        try:
            file = _parse_file(code.co_filename, lines)
        except (SyntaxError, ValueError) as error:
            because = because if is_shared else f"its file does not parse ({error})"
            continue
        definition = file.find(function)
        if definition is not None:
            if not is_shared:
                return Found(definition, file.name, lines)
            found = Found(definition, own_name(file.name, lines), lines)
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
            return _parse_file(code.co_filename, lines).standing_at(code.co_firstlineno, code.co_name)
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
    with suppress(SyntaxError, ValueError):
        return _parse_file(filename, tuple(linecache.getlines(filename))).loops.get((line, column))
    return None


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


@functools.lru_cache(maxsize=FILES_REMEMBERED)
def _parse_file(filename: str, lines: tuple[str, ...]) -> _File:
    """The file's tree; the same object for the same contents."""
    return _File(filename, compile_again("".join(lines), filename, ast.PyCF_ONLY_AST))


class _File:
    """A parsed file: its definitions by first line, and its statements compiled again on demand."""

    def __init__(self, name: str, tree: ast.Module) -> None:
        self.name = name
        self._by_line: dict[int, list[tuple[Definition, ast.stmt]]] = {}
        self.loops: dict[tuple[int, int | None], Loop] = {}
        for statement in tree.body:
            for node in ast.walk(statement):
                if isinstance(node, Loop):
                    self.loops[node.lineno, node.col_offset] = node
                if isinstance(node, Definition):
                    self._by_line.setdefault(_first_line(node), []).append((node, statement))
        # The compiler calls the attributes of an imported name in another way than those of other names.
        imports = [statement for statement in _own_statements(tree) if _is_import(statement)]
        self._beside = [imports, []] if imports else [[]]
        """Prompts and notebooks compile statements one by one, where no import is beside another."""
        self._compiled: dict[tuple[ast.stmt, int, bool], list[CodeType]] = {}

    def find(self, function: FunctionType) -> Definition | None:
        """The definition that `function` was made from; None when none on its line compiles to its code."""
        code = function.__code__
        wants_lambda = code.co_name == "<lambda>"
        here = [
            (node, statement)
            for node, statement in self._by_line.get(code.co_firstlineno, ())
            if isinstance(node, ast.Lambda) == wants_lambda
        ]
        if wants_lambda and len(here) > 1:
            here = _narrowest([pair for pair in here if _covers(pair[0], code)])
        for node, statement in here:
            if self._compiles_to(node, statement, function, alone=len(here) == 1):
                return node
        return None

    def standing_at(self, line: int, name: str) -> list[Definition]:
        """The definitions of a name on a line."""
        here = [node for node, _ in self._by_line.get(line, ())]
        return [node for node in here if name == getattr(node, "name", "<lambda>")]

    def _compiles_to(
        self, node: Definition, statement: ast.stmt, function: FunctionType, *, alone: bool
    ) -> bool:
        """Whether the text that was found is the text `function` was made from."""
        code = function.__code__
        line, flags = code.co_firstlineno, compile_flags(code)
        marked = None
        if not alone:
            line, marked = _marked(node, statement)
        # pytest rewrites the asserts of test modules: the bytecode differs, only the header can agree.
        rewritten = "@pytest_ar" in function.__globals__ and any(
            isinstance(inner, ast.Assert) for inner in ast.walk(node)
        )
        return any(
            same_code(candidate, code, header_only=rewritten)
            for beside in self._beside
            for candidate in (
                self._codes(statement, flags, beside)
                if marked is None
                else self._compile(marked, flags, beside)
            )
            if candidate.co_firstlineno == line
            and (code.co_filename not in SHARED_NAMES or same_places(candidate, code))
            and (candidate.co_name == "<lambda>") == isinstance(node, ast.Lambda)
        )

    def _codes(self, statement: ast.stmt, flags: int, beside: Sequence[ast.stmt]) -> list[CodeType]:
        """Every code object within one top-level statement of the file."""
        key = statement, flags, bool(beside)
        if key not in self._compiled:
            self._compiled[key] = self._compile(statement, flags, beside)
        return self._compiled[key]

    def _compile(self, statement: ast.stmt, flags: int, beside: Sequence[ast.stmt]) -> list[CodeType]:
        """Compile one statement: it settles scopes and private names, and spares us the rest of the file."""
        module = ast.Module([*beside, statement], [])
        try:
            code = compile_again(module, self.name, flags | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
        except (SyntaxError, ValueError):
            return []
        return list(nested_codes(code))


def _own_statements(tree: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a module that run in its own frame, expressions left out."""
    for node in ast.iter_child_nodes(tree):
        yield node
        if not isinstance(node, ast.expr | ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield from _own_statements(node)


def _is_import(node: ast.AST) -> TypeGuard[ast.Import | ast.ImportFrom]:
    return isinstance(node, ast.Import) or (isinstance(node, ast.ImportFrom) and node.module != "__future__")


def _first_line(node: Definition) -> int:
    """What the code object of a definition calls its first line."""
    decorators = [] if isinstance(node, ast.Lambda) else node.decorator_list
    return decorators[0].lineno if decorators else node.lineno


def _marked(node: Definition, statement: ast.stmt) -> tuple[int, ast.stmt]:
    """A copy of the statement with one definition moved to a line of its own, which marks its code object."""
    place = next(index for index, inner in enumerate(ast.walk(statement)) if inner is node)
    marked = copy.deepcopy(statement)
    twin = next(itertools.islice(ast.walk(marked), place, None))
    assert isinstance(twin, Definition)
    line = (statement.end_lineno or statement.lineno) + 1
    ast.increment_lineno(twin, line - twin.lineno)
    return line, marked


def _covers(node: Definition, code: CodeType) -> bool:
    """Whether code lies in a lambda's body."""
    assert isinstance(node, ast.Lambda)
    body = node.body
    return covers((body.lineno, body.col_offset, body.end_lineno or 0, body.end_col_offset or 0), code)


def _narrowest(found: list[tuple[Definition, ast.stmt]]) -> list[tuple[Definition, ast.stmt]]:
    """Innermost first, for the body of an outer lambda covers what its inner lambdas cover."""
    return sorted(found, key=lambda pair: len(list(ast.walk(pair[0]))))
