"""The trees of files: that of the statement around a line, where that serves, or that of the whole."""

from __future__ import annotations

import ast
import copy
import functools
import itertools
import re
from collections.abc import Iterator, Sequence
from types import CodeType, FunctionType
from typing import TypeAlias, TypeGuard

from autograph.source.compiled import (
    compile_again,
    compile_flags,
    covers,
    nested_codes,
    same_code,
    same_places,
)
from autograph.source.texts import SHARED_NAMES

__all__ = ["Definition", "File", "Loop", "file_of", "part_around"]

Definition: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
Loop: TypeAlias = ast.For | ast.While

_FILES_REMEMBERED = 64
"""Parsed files kept. A program converts functions of few files, many times each."""
_PARTS_REMEMBERED = 256
"""Parts of files."""


@functools.lru_cache(maxsize=_FILES_REMEMBERED)
def file_of(filename: str, lines: tuple[str, ...]) -> File:
    """The parsed file; the same object for the same contents.

    Raises
    ------
    SyntaxError, ValueError
        When it does not parse.
    """
    tree = _parsed("".join(lines), filename)
    return File(filename, tree, [each for each in _own_statements(tree) if _is_import(each)])


def part_around(filename: str, lines: tuple[str, ...], line: int) -> File | None:
    """As `file_of`, of the statement alone that a line seems to be in; None where it does not parse.

    Where statements begin is seen by their first characters, so it may be another one: what is found there is
    to be compared with what was looked for.

    Parameters
    ----------
    filename : str
    lines : tuple of str
    line : int
        Counted from 1.
    """
    first = line - 1
    while 0 < first < len(lines) and not _BEGINS.match(lines[first]):
        first -= 1
    if not 0 <= first < len(lines):
        return None
    end = first + 1
    is_decorated = lines[first].startswith("@")
    while end < len(lines) and (is_decorated or not _BEGINS.match(lines[end])):
        is_decorated = is_decorated and not _DEFINES.match(lines[end])
        end += 1
    return _part(filename, first, "".join(lines[first:end]), _imports(lines))


_BEGINS = re.compile(r"[^\s#)\]}]")
"""What a line at the margin begins with that begins a statement."""
_DEFINES = re.compile(r"def\b|class\b|async\b")
_IMPORTS = re.compile(r"^(?:import|from)\b[^\n(]*(?:\([^)]*\))?", re.MULTILINE)


@functools.lru_cache(maxsize=_FILES_REMEMBERED)
def _imports(lines: tuple[str, ...]) -> str:
    """The imports at the margin of a file, as text."""
    found = _IMPORTS.findall("".join(lines))
    return "\n".join(each for each in found if not each.startswith("from __future__"))


@functools.lru_cache(maxsize=_PARTS_REMEMBERED)
def _part(filename: str, first: int, text: str, imports: str) -> File | None:
    try:
        return File(filename, _parsed("\n" * first + text, filename), _parsed(imports, filename).body)
    except (SyntaxError, ValueError):
        return None


def _parsed(text: str, filename: str) -> ast.Module:
    tree: ast.Module = compile_again(text, filename, ast.PyCF_ONLY_AST)
    return tree


class File:
    """A parsed file, or a part of one: its definitions by first line, statements compiled again on demand.

    Parameters
    ----------
    name : str
    tree : ast.Module
    imports : sequence of statements
        Those of the file, beside which a statement was compiled.
    """

    def __init__(self, name: str, tree: ast.Module, imports: Sequence[ast.stmt]) -> None:
        self.name = name
        self._by_line: dict[int, list[tuple[Definition, ast.stmt]]] = {}
        self._loops: dict[tuple[int, int | None], Loop] = {}
        for statement in tree.body:
            for node in ast.walk(statement):
                if isinstance(node, Loop):
                    self._loops[node.lineno, node.col_offset] = node
                if isinstance(node, Definition):
                    self._by_line.setdefault(_first_line(node), []).append((node, statement))
        # The compiler calls the attributes of an imported name in another way than those of other names.
        self._beside = [imports, []] if imports else [[]]
        """Prompts and notebooks compile statements one by one, where no import is beside another."""
        self._compiled: dict[tuple[ast.stmt, int, bool], list[CodeType]] = {}

    def loop_at(self, line: int, column: int | None) -> Loop | None:
        """The loop that starts there."""
        return self._loops.get((line, column))

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
