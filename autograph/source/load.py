"""Compiles a tree to a live function, without running anything.

The tree itself is compiled, not its text, so the new code carries the user's file name, lines and columns,
and Python's own traceback, debugger and coverage show the user's source. The definition is wrapped like this
and its code object is taken out of the wrapper's constants:

    def factory(free, names, ag__):     # what is free in the user's function is free in the new one
        global _Name                    # the factory binds nothing that hides a global
        class _Name:                    # for a method: private names (`__x`) mangle as in the class `Name`
            def _tf__f(...): ...

The closure then gets the user's own cells, so `nonlocal` works both ways.
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Collection, Iterable, Mapping
from itertools import islice
from types import CellType, CodeType, FunctionType
from typing import Any

from autograph.frames import BLOCK
from autograph.source.compiled import compile_again, compile_flags, covers, is_generator, nested_codes
from autograph.source.guard import guarded
from autograph.source.origin import Span, place
from autograph.source.plain_form import PlainForm
from autograph_base.named_tuple import NamedTuple

__all__ = ["Plain", "compile_tree", "load", "make_function"]

CO_NEWLOCALS = 0x2
"""Set on functions, not on class bodies."""


class Plain(NamedTuple):
    """The form of a function that runs while nothing may stage.

    Attributes
    ----------
    form : PlainForm
    guarded_name : str
        What the converted form beside it is called: a name that neither of them uses.
    """

    form: PlainForm
    guarded_name: str


def load(
    tree: ast.AST,
    original: FunctionType,
    bindings: Mapping[str, object],
    renames: Mapping[str, tuple[Any, ...]],
) -> FunctionType:
    """A function from a tree, in the place of an original.

    Parameters
    ----------
    tree : ast.FunctionDef or ast.Lambda
        What to compile. Nodes without a position get that of their parent.
    original : function
        Gives the file name, globals, cells, defaults, name and attributes.
    bindings : mapping of str to object
        Further free names of the tree and their values, such as `ag__`.
    renames : mapping of str to tuple
        Generated definitions within the tree; tracebacks show them under the name of the user's function.
        With what their code carries behind its constants.

    Returns
    -------
    function
    """
    return make_function(compile_tree(tree, original.__code__, bindings, renames), original, bindings)


def compile_tree(
    tree: ast.AST,
    original: CodeType,
    free_names: Iterable[str],
    renames: Mapping[str, tuple[Any, ...]],
    plain: Plain | None = None,
    filename: str = "",
    lambdas: Collection[Span] | None = None,
) -> CodeType:
    """The code object of a tree; the half of `load` that all closures of one code object share.

    Parameters
    ----------
    tree : ast.FunctionDef or ast.Lambda
        It is used up: nodes without a position get that of their parent.
    original : code
        The code object of the function that the tree comes from.
    free_names : iterable of str
        Names to be bound beside those that are free in `original`.
    renames : mapping of str to tuple
    plain : Plain, optional
        The form of the function that runs while nothing may stage; without it, `tree` always does.
    filename : str, optional
        Where the positions of the tree are; in the original's file by default.
    lambdas : collection of Span, optional
        The bodies of the user's lambdas; the other lambdas are generated. By default all are the user's.

    Returns
    -------
    code
    """
    definition = place(tree)
    # Defaults, decorators and annotations ran when the original was made; only the body is new.
    if isinstance(definition, ast.FunctionDef):
        definition.decorator_list, definition.returns = [], None
        definition.type_params = []  # type: ignore[attr-defined]  # which Python 3.11 does not have
    _strip_evaluated_header(definition.args)
    if plain is not None:
        definition, renames = (
            guarded(definition, plain.form.definition, plain.guarded_name, plain.form.asked),
            {**renames, plain.guarded_name: ()},
        )
    free = dict.fromkeys((*original.co_freevars, *free_names))
    module, name = _wrapped(definition, _class_around(original), free)
    flags = compile_flags(original)
    code: CodeType = compile_again(module, filename or original.co_filename, flags)
    while code.co_name != name:
        (code,) = (constant for constant in code.co_consts if isinstance(constant, CodeType))
    name, qualname = original.co_name, original.co_qualname
    return _Renaming(renames, lambdas, original).of(code, name, qualname, name)


def make_function(code: CodeType, original: FunctionType, bindings: Mapping[str, object]) -> FunctionType:
    """A function with new code that is the original in everything else.

    Parameters
    ----------
    code : code
        As `compile_tree` returns it.
    original : function
    bindings : mapping of str to object

    Returns
    -------
    function
        Shares the original's globals and cells, and has its defaults, annotations, docstring, names and
        attributes.
    """
    cells = dict(zip(original.__code__.co_freevars, original.__closure__ or (), strict=True))
    cells |= {name: CellType(value) for name, value in bindings.items()}
    closure = tuple(cells[name] for name in code.co_freevars)
    function = FunctionType(code, original.__globals__, original.__name__, original.__defaults__, closure)
    function.__kwdefaults__ = dict(original.__kwdefaults__) if original.__kwdefaults__ else None
    for name in functools.WRAPPER_ASSIGNMENTS:
        if hasattr(original, name):
            setattr(function, name, getattr(original, name))
    function.__dict__.update(original.__dict__)
    return function


def _strip_evaluated_header(arguments: ast.arguments) -> None:
    """Replace defaults by None, for only their number matters, and drop annotations."""
    arguments.defaults = [ast.copy_location(ast.Constant(None), default) for default in arguments.defaults]
    arguments.kw_defaults = [
        None if default is None else ast.copy_location(ast.Constant(None), default)
        for default in arguments.kw_defaults
    ]
    for argument in ast.walk(arguments):
        if isinstance(argument, ast.arg):
            argument.annotation = None


def _class_around(code: CodeType) -> str:
    """The innermost class that the function's text stands in; empty when in none.

    `A.f.<locals>.g` stands in `A`: leave out the function itself, then each function that `<locals>` belongs
    to.
    """
    parts = code.co_qualname.split(".")[:-1]
    while len(parts) > 1 and parts[-1] == "<locals>":
        parts = parts[:-2]
    return parts[-1] if parts and parts[-1] != "<locals>" else ""


def _wrapped(
    definition: ast.FunctionDef | ast.Lambda, class_name: str, free: Collection[str]
) -> tuple[ast.Module, str]:
    """The definition in a function that binds its free names, and, for a method, in a class between.

    Beside the module, the name of the definition's code object.
    """
    body: ast.stmt
    if isinstance(definition, ast.Lambda):
        body, inner = ast.copy_location(ast.Expr(definition), definition), "<lambda>"
    else:
        body, inner = definition, _unused(definition.name, free)
        definition.name = inner
    if class_name:
        # Mangling ignores underscores in front of the class name.
        body = ast.ClassDef(_unused(class_name, free), [], [], [body], [])
    parameters = ast.arguments([], [ast.arg(name) for name in free], None, [], [], None, [])
    factory = ast.FunctionDef("factory", parameters, [body], [], None)
    if isinstance(body, (ast.FunctionDef, ast.ClassDef)):
        # What the factory binds would hide a global of that name from the definition.
        factory.body.insert(0, ast.Global([body.name]))
    for node in (factory, *parameters.args, *factory.body):
        vars(node)["type_params"] = []  # a field since 3.12
        ast.copy_location(node, definition)
    return ast.Module([factory], []), inner


def _unused(name: str, taken: Collection[str]) -> str:
    """`name` behind as many underscores as it takes."""
    while (name := f"_{name}") in taken:
        pass
    return name


class _Renaming:
    """Gives generated functions the name of the user's function that they stand in.

    Parameters
    ----------
    helpers : mapping of str to tuple
        What generated definitions are called, and what their code carries.
    lambdas : collection of Span, optional
        As `compile_tree` takes it.
    original : code
        The code of the user's function, with that of the generator functions in it.
    """

    def __init__(
        self,
        helpers: Mapping[str, tuple[Any, ...]],
        lambdas: Collection[Span] | None,
        original: CodeType,
    ) -> None:
        self._helpers = helpers
        self._lambdas = lambdas
        self._original = original

    def of(
        self, code: CodeType, name: str, qualname: str, user: str, *, mark: tuple[Any, ...] = ()
    ) -> CodeType:
        """`code` under a new name, and all code within it named as if the user had written it there.

        `user` is the nearest function of the user's own: the name that helpers take. `mark` tells a helper.
        """
        prefix = f"{qualname}.<locals>." if code.co_flags & CO_NEWLOCALS else f"{qualname}."
        constants = []
        for constant in code.co_consts:
            if not isinstance(constant, CodeType):
                # A class body keeps its qualified name among its constants.
                own_name = not code.co_flags & CO_NEWLOCALS and constant == code.co_qualname
                constants.append(qualname if own_name else constant)
            elif constant.co_name in self._helpers:
                carried = self._helpers[constant.co_name]
                constants.append(self.of(constant, user, qualname, user, mark=(*carried, BLOCK)))
            elif constant.co_name == "<lambda>" and self._lambdas is not None:
                constants.append(self._lambda(constant, prefix, qualname, user))
            else:
                inner = constant.co_name
                mark_ = self._as_written(constant, prefix + inner)
                constants.append(self.of(constant, inner, prefix + inner, inner, mark=mark_))
        return code.replace(co_name=name, co_qualname=qualname, co_consts=(*constants, *mark))

    def _as_written(self, code: CodeType, qualname: str) -> tuple[CodeType, ...]:
        """The user's own code of a generator function, which is kept behind the constants of the new one."""
        if not is_generator(code) or code.co_name.startswith("<"):
            return ()
        found = (
            each
            for each in nested_codes(self._original)
            if each.co_qualname == qualname and each.co_firstlineno == code.co_firstlineno
        )
        return tuple(islice(found, 1))

    def _lambda(self, code: CodeType, prefix: str, qualname: str, user: str) -> CodeType:
        """A lambda under its own name if it is the user's, else as a helper.

        The code of a user's lambda lies in the text of its body. What is generated within lies there, too, so
        that lambda counts no more once it is found.
        """
        around = self._lambdas or ()
        found = [span for span in around if covers(span, code)]
        if not found:
            return self.of(code, user, qualname, user, mark=(BLOCK,))
        outermost = min(found, key=lambda span: (span.lineno, span.col_offset))
        inner = _Renaming(self._helpers, [span for span in around if span is not outermost], self._original)
        return inner.of(code, "<lambda>", f"{prefix}<lambda>", "<lambda>")
