"""One function through parsing, the fence, the converters and loading; remembered by its code object.

What is remembered is code, never a function: closures made from one `def` share an entry, and each gets its
own cells, defaults and globals. Entries go when the user's code object goes.
"""

from __future__ import annotations

import ast
import sys
import threading
import time
import warnings
import weakref
from collections import ChainMap
from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from types import CellType, CodeType, FunctionType, MethodType
from typing import Any, TypeAlias

from autograph.converters.base import Context, FunctionNode
from autograph.converters.order import convert as run_converters
from autograph.errors import (
    ConversionError,
    ConversionWarning,
    SourceNotFound,
    UnsupportedConstruct,
    UnsupportedSyntax,
)
from autograph.frames import user_frames, user_stacklevel
from autograph.options import ConversionOptions, Options
from autograph.policy import GENERATOR, call_method, verdict
from autograph.source import push_form as push_form_
from autograph.source import walrus_form
from autograph.source.compiled import is_generator, nested_codes
from autograph.source.fence import check
from autograph.source.listing import listing, reparsed, runs_text
from autograph.source.load import Plain, compile_tree, make_function
from autograph.source.parse import Parsed, filename_of, find, parse, require
from autograph.source.plain_form import plain_form
from autograph.source.template import OURS
from autograph.source.texts import SHARED_NAMES
from autograph.staging.backend import Backend
from autograph.staging.dispatch import Backends
from autograph.staging.functions import closed_over
from autograph.staging.operators import Observer, Operators, holds_operators
from autograph.staging.stand_ins import without_stand_ins
from autograph.staging.twins import MARK
from autograph_base.dataclass import dataclass
from autograph_base.garbage import garbage_waits
from autograph_base.log import DEBUG, INFO, Log
from autograph_base.packages import INSTALLED

__all__ = ["ConversionObserver", "Transpiler", "is_converted"]

_log = Log("autograph.conversion")
LISTINGS = 5
"""The level of log messages that show whole listings: below `logging.DEBUG`."""

MAKERS = frozenset({"dict", "list", "sorted"})
"""Builtins that give a container, and never a tensor."""

CODES_REMEMBERED = 4096
"""A program that makes functions by `exec` without end must not fill the memory."""


_BYTES_OF_A_LEVEL = 12
"""The least that Python's code has for a statement, or an operand, that others are inside of."""


@dataclass(frozen=True)
class _Entry:
    """What is known about a code object: its converted form, or that it is called as it is."""

    original: weakref.ref[CodeType]
    code: CodeType | None = None
    cells: tuple[int, ...] = ()
    """Where each free variable of the code is found in the original's closure with `ag__` behind it."""
    is_generator: bool = False
    """Whether the original makes generators, which a backend may run in their push form."""


_Entries: TypeAlias = dict[int, _Entry]


class ConversionObserver(Observer):
    """Hears what is converted, too. This one does nothing about it."""

    def converted(self, function: FunctionType, tree: FunctionNode) -> None:
        """A function was converted, and its tree is about to be compiled."""

    def not_converted(self, function: FunctionType, error: ConversionError) -> None:
        """A function cannot be converted, which nobody else is told: it runs as plain Python."""


class Transpiler:
    """Converts functions for one set of backends.

    Parameters
    ----------
    backends : iterable of Backend
        The libraries that converted code may speak to, beside plain Python.
    options : Options

    Attributes
    ----------
    operators : Operators
        What converted code knows as `ag__`.

    Examples
    --------
    A function and what it calls; without backends the result is what it was:

    >>> import textwrap
    >>> converted = Transpiler().convert(textwrap.dedent)
    >>> converted is textwrap.dedent        # the standard library is left alone
    True
    """

    def __init__(
        self,
        backends: Iterable[Backend] = (),
        options: Options | None = None,
        observer: ConversionObserver | None = None,
    ) -> None:
        self.options = options or Options()
        self.backends = Backends(backends)
        self._observer = observer
        self.backends.managing = self._managing
        self.operators = Operators(self.backends, self.convert_callee, observer)
        self._requested = self.options.conversion()
        self._as_callee = replace(self._requested, user_requested=False)
        self._converts_callees = self._requested.converts_callees
        self._keeps_plain = bool(self.backends.members) and not self.options.always
        self._named_entries: _Entries = {}
        self._callees: _Entries = {}
        self._pushed: _Entries = {}
        self._managed: _Entries = {}
        self._ag = CellType(self.operators)
        self._only_ag: tuple[CellType, ...] = (self._ag,)
        self._lock = threading.RLock()
        self._warned: weakref.WeakSet[CodeType] = weakref.WeakSet()

    def convert(self, callee: Any) -> Any:
        """The converted form of a callable that the user named.

        Parameters
        ----------
        callee : callable
            A function, lambda, method, partial object or object with `__call__`.

        Returns
        -------
        callable
            The callable itself where policy is to leave it, or where it cannot be converted and
            `options.on_failure` is "warn".

        Raises
        ------
        ConversionError
            When it cannot be converted and `options.on_failure` is "raise".
        """
        return self._converted(callee, self._named)

    def require_source(self, callee: Any) -> None:
        """Says now that the text of a callable cannot be had, where it will be converted later.

        Parameters
        ----------
        callee : callable

        Raises
        ------
        SourceNotFound
            When there is none and `options.on_failure` is "raise"; otherwise there is a warning.
        """
        try:
            function = _function_behind(callee)
        except TypeError:
            return
        if not verdict(function).convert:
            return
        try:
            require(function)
        except SourceNotFound as error:
            self._failed(function, error)

    def convert_callee(self, callee: Any) -> Any:
        """What converted code calls in the place of a callable; as `convert`, for those nobody named.

        Parameters
        ----------
        callee : callable

        Returns
        -------
        callable
        """
        if not self._converts_callees:
            return callee
        if type(callee) is FunctionType:  # the usual case, and the one that has to be quick
            return self._callee(callee)
        return self._converted(callee, self._callee)

    def as_written(self, function: FunctionType) -> CodeType:
        """The user's own code of a function that converted code has made; its code where nobody knows that.

        Parameters
        ----------
        function : function

        Returns
        -------
        code
        """
        code = function.__code__
        if OURS not in code.co_freevars:
            return code
        entries = [*self._named_entries.values(), *self._callees.values()]
        for entry in entries:
            original = entry.original()
            if original is None or entry.code is None or code not in nested_codes(entry.code):
                continue
            for written in nested_codes(original):
                if _is_form_of(code, written):
                    return written
        return code

    def transform(self, function: FunctionType) -> ast.AST:
        """The converted tree of a function, under the name that it has in listings.

        Parameters
        ----------
        function : function

        Returns
        -------
        ast.FunctionDef or ast.Lambda

        Raises
        ------
        ConversionError
            When the function has no source, or says something that has no converted form.
        """
        return self._transformed(function, self._requested).tree

    def to_code(self, function: Any) -> str:
        """The converted source of a function: the text of the very tree that is compiled.

        What `convert` makes holds this form beside the user's own, which runs while nothing stages; the text
        shows the converted form alone.

        Parameters
        ----------
        function : function, lambda, method or partial object

        Returns
        -------
        str

        Raises
        ------
        ConversionError
            As `transform`.
        TypeError
            When there is no Python function behind the callable.
        """
        plain = getattr(function, "python_function", function)  # of what is a graph already
        return listing(self.transform(_function_behind(plain)))

    def _converted(self, callee: Any, of_function: Callable[[FunctionType], FunctionType]) -> Any:
        """The converted form of any callable that leads to a function."""
        kind = type(callee)
        if kind is FunctionType:
            return of_function(callee)
        if kind is MethodType:
            function = self._converted(callee.__func__, of_function)
            return callee if function is callee.__func__ else MethodType(function, callee.__self__)
        if kind is partial:
            function = self._converted(callee.func, of_function)
            return callee if function is callee.func else partial(function, *callee.args, **callee.keywords)
        call = call_method(callee)
        if call is None:
            return callee
        function = of_function(call)
        return callee if function is call else MethodType(function, callee)

    def _named(self, function: FunctionType) -> FunctionType:
        """The converted form of a function that the user named; it looks like the function in every way."""
        entry = self._enter(function, self._named_entries)
        return function if entry.code is None else make_function(entry.code, function, {OURS: self.operators})

    def _callee(self, function: FunctionType) -> FunctionType:
        """The converted form of a function that is about to be called, and then forgotten."""
        original = function.__code__
        entry = self._callees.get(id(original))
        if entry is None or entry.original() is not original:
            entry = self._enter(function, self._callees)
        if entry.code is None:
            return self._generating(function) if entry.is_generator else function
        closure = self._only_ag
        if function.__closure__ is not None:
            cells = (*function.__closure__, self._ag)
            closure = tuple([cells[index] for index in entry.cells])
        made = FunctionType(
            entry.code, function.__globals__, function.__name__, function.__defaults__, closure
        )
        if function.__kwdefaults__ is not None:
            made.__kwdefaults__ = function.__kwdefaults__
        return made

    def _generating(self, function: FunctionType) -> FunctionType:
        """What is called in the place of a generator function: while a backend stages, its own generators."""
        backend = self.backends.staging_now()
        if backend is self.backends.plain:
            return function
        entry = self._enter(function, self._pushed)
        push = None if entry.code is None else partial(self._push_form, function, entry)

        def generate(*args: Any, **kwargs: Any) -> Any:
            return backend.generated(function, push, args, kwargs)

        return generate  # type: ignore[return-value]  # it is a function

    def _managing(self, function: Any) -> Callable[[push_form_.Emit], Callable[..., Any]] | None:
        """What makes a generator function's push form for the body of a `with`; None where there is none."""
        if type(function) is not FunctionType or not _is_left_generator(function):
            return None
        entry = self._enter(function, self._managed)
        return None if entry.code is None else partial(self._push_form, function, entry)

    def _push_form(self, function: FunctionType, entry: _Entry, emit: push_form_.Emit) -> FunctionType:
        """The push form of a generator function, for one consumer."""
        assert entry.code is not None, "there is one"
        cells = (*(function.__closure__ or ()), self._ag, CellType(emit))
        closure = tuple([cells[index] for index in entry.cells])
        made = FunctionType(
            entry.code, function.__globals__, function.__name__, function.__defaults__, closure
        )
        made.__kwdefaults__ = function.__kwdefaults__
        return made

    def _enter(self, function: FunctionType, entries: _Entries) -> _Entry:
        """The entry of a function's code, made on first use."""
        code = function.__code__
        with self._lock, garbage_waits, without_stand_ins(), self._stack_for(code):
            entry = entries.get(id(code))
            if entry is not None and entry.original() is code:
                return entry
            entry = self._made(function, entries)
            if len(entries) >= CODES_REMEMBERED:
                entries.clear()
            entries[id(code)] = entry
            return entry

    def _stack_for(self, code: CodeType) -> ExitStack:
        """Room for as many statements inside one another as the code may have."""
        stack = ExitStack()
        for member in self.backends.members:
            stack.enter_context(member.stack_for(len(code.co_code) // _BYTES_OF_A_LEVEL))
        return stack

    def _made(self, function: FunctionType, entries: _Entries) -> _Entry:
        original, key = function.__code__, id(function.__code__)
        reference = weakref.ref(original, lambda _: entries.pop(key, None))
        if entries is self._pushed or entries is self._managed:
            return self._push_entry(function, reference, is_manager=entries is self._managed)
        found = verdict(function)
        if not found.convert:
            _log.log(DEBUG, "%s is called as it is: %s", _described(original), found.reason)
            return _Entry(reference, is_generator=_is_left_generator(function))
        is_named = entries is self._named_entries
        start = time.perf_counter()
        try:
            context = self._transformed(function, self._requested if is_named else self._as_callee)
        except ConversionError as error:
            self._failed(function, error)
            return _Entry(reference)
        code = self._compiled(function, context, with_plain=is_named)
        took = (time.perf_counter() - start) * 1e3
        _log.log(DEBUG, "%s is converted, in %.1f ms", _described(original), took)
        places = (*original.co_freevars, OURS)
        return _Entry(reference, code, tuple(places.index(name) for name in code.co_freevars))

    def _push_entry(
        self, function: FunctionType, reference: weakref.ref[CodeType], *, is_manager: bool
    ) -> _Entry:
        """The entry of a generator function's push form; without code where there is none."""
        written = push_form_.as_written(function)
        try:
            push = partial(push_form_.push_form, is_manager=is_manager)
            context = self._transformed(written, self._as_callee, push)
        except ConversionError as error:
            _log.log(DEBUG, "%s has no push form: %s", _described(written.__code__), error)
            return _Entry(reference)
        assert context.pushed is not None, "otherwise the fence says so"
        names = OURS, context.pushed.emit
        code = self._compiled(written, context, names, with_plain=False)
        places = (*function.__code__.co_freevars, *names)
        return _Entry(reference, code, tuple(places.index(name) for name in code.co_freevars))

    def _compiled(
        self,
        function: FunctionType,
        context: Context,
        free_names: tuple[str, ...] = (OURS,),
        *,
        with_plain: bool,
    ) -> CodeType:
        """The code of a converted tree, or of its text where that is to run."""
        original, tree = function.__code__, context.tree
        if _log.says(LISTINGS):
            _log.log(LISTINGS, "%s becomes\n%s", _described(original), listing(tree))
        if runs_text():
            tree, filename = reparsed(tree, original)
            return compile_tree(tree, original, free_names, context.helpers, filename=filename)
        plain = _plain(function, context) if with_plain and self._keeps_plain else None
        filename, lambdas = filename_of(original), context.lambdas
        return compile_tree(tree, original, free_names, context.helpers, plain, filename, lambdas)

    def _transformed(
        self,
        function: FunctionType,
        options: ConversionOptions,
        push: Callable[[ast.AST], push_form_.Pushed | None] = lambda _: None,
    ) -> Context:
        """A function's tree after all converters."""
        parsed = parse(function)
        # Where there is no push form, the check finds the generator.
        pushed = push(parsed.tree)
        left = check(parsed)
        if left is not None:
            raise UnsupportedSyntax(left.diagnostic())
        tree = parsed.tree
        assert not isinstance(tree, ast.AsyncFunctionDef), "the fence leaves it to Python"
        if isinstance(tree, ast.FunctionDef):
            tree.decorator_list = []  # they have run, or are running
            if any(":=" in line for line in parsed.lines[tree.lineno - 1 : tree.end_lineno]):
                walrus_form.without_walruses(tree)
        outer = function.__code__.co_freevars if pushed is not None else ()
        is_twin = MARK in function.__globals__  # it knows what values of a graph have
        own_names = frozenset() if is_twin else self.backends.own_names
        context = Context(tree, options, _namespace(function), pushed, outer, own_names)
        if OURS in context.user_names:
            raise UnsupportedSyntax(_name_taken(parsed))
        run_converters(context)
        if isinstance(tree, ast.FunctionDef):
            tree.name = f"tf__{tree.name}"
        if self._observer is not None:
            self._observer.converted(function, tree)
        return context

    def _failed(self, function: FunctionType, error: ConversionError) -> None:
        """Raises, or warns once, as the options say."""
        _log.log(INFO, "%s cannot be converted: %s", _described(function.__code__), error)
        if self._observer is not None:
            self._observer.not_converted(function, error)
            return
        if self.options.on_failure == "raise":
            raise error
        if function.__code__ not in self._warned and not _is_made_by_library(function):
            self._warned.add(function.__code__)
            name = function.__qualname__
            message = error.diagnostic.render() if error.diagnostic else str(error)
            notice = ConversionWarning(f"{name} runs as plain Python: it cannot be converted\n\n{message}")
            warnings.warn(notice, stacklevel=user_stacklevel())


def _is_made_by_library(function: FunctionType) -> bool:
    """Whether a library makes or calls a function from text that nobody kept: nobody can do better."""
    if function.__code__.co_filename not in SHARED_NAMES:
        return False
    home = getattr(sys.modules.get(function.__module__ or ""), "__file__", None)
    caller = next(user_frames(sys._getframe()), None)  # noqa: SLF001  (the one way to look at a frame)
    return _is_installed(home) or (caller is not None and _is_installed(caller.f_code.co_filename))


def _is_installed(file: str | None) -> bool:
    return any(each in (file or "") for each in INSTALLED)


def _described(code: CodeType) -> str:
    """A function as log messages call it."""
    return f'{code.co_qualname} (File "{code.co_filename}", line {code.co_firstlineno})'


def is_converted(callee: Any) -> bool:
    """Whether a callable is the converted form of a function.

    Parameters
    ----------
    callee : callable
        Functions, methods and partial objects are looked into.

    Returns
    -------
    bool
    """
    try:
        function = _function_behind(callee)
    except TypeError:
        return False
    return holds_operators(function)


def _function_behind(callee: Any) -> FunctionType:
    """The plain function that a callable leads to."""
    while not isinstance(callee, FunctionType):
        if isinstance(callee, MethodType):
            callee = callee.__func__
        elif isinstance(callee, partial):
            callee = callee.func
        else:
            call = call_method(callee)
            if call is None:
                name = getattr(callee, "__name__", callee)
                raise TypeError(f"there is no Python function behind `{name}`, and so no source to convert")
            callee = call
    return callee


def _namespace(function: FunctionType) -> Mapping[str, Any]:
    """What the names that a function does not bind mean to it now."""
    return ChainMap(closed_over(function), function.__globals__)


def _is_left_generator(function: FunctionType) -> bool:
    """Whether a function is a generator of the user's: as written, or made by code that was converted."""
    is_left = verdict(function) is GENERATOR or push_form_.as_written(function) is not function
    return is_left and is_generator(function.__code__)


def _plain(function: FunctionType, context: Context) -> Plain:
    """The form of a function that runs while nothing may stage."""
    definition = find(function).definition
    assert not isinstance(definition, ast.AsyncFunctionDef), "the fence leaves it to Python"
    frame = context.frames[context.tree]
    variables = frame.locals - frame.bound_later
    makers = MAKERS - context.namespace.keys() - frame.locals
    return Plain(plain_form(definition, variables, makers), context.namer.fresh(f"tf__{function.__name__}"))


def _name_taken(parsed: Parsed) -> UnsupportedConstruct:
    return UnsupportedConstruct(
        where=parsed.location(parsed.tree),
        construct=f"the name `{OURS}`",
        because="Generated code uses it for its operators.",
        instead="Call the variable something else.",
    )


def _is_form_of(code: CodeType, written: CodeType) -> bool:
    """Whether some code is what that of a function has become, as far as its place and its variables say."""
    if (code.co_qualname, code.co_firstlineno) != (written.co_qualname, written.co_firstlineno):
        return False
    if not {*written.co_freevars} <= {*code.co_freevars}:
        return False
    return code.co_name != "<lambda>" or _UNKNOWN != _starts_at(code) == _starts_at(written)


def _starts_at(code: CodeType) -> tuple[int, int]:
    """Where the first of what it computes stands, where Python keeps columns."""
    found = [(line, column) for line, _, column, _ in code.co_positions() if line and column]
    return min(found, default=_UNKNOWN)


_UNKNOWN = 0, 0
