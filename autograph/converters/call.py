"""Every call goes through `ag__.converted_call`, which decides what is converted first.

>>> from autograph.converters.picture import show
>>> show("y = f(x, *rest, key=1)", Call)
y = ag__.converted_call(f, (x, *rest), dict(key=1), fscope)
>>> show('''
... def f(self):
...     return super().f()
... ''', Call)
def f(self):
    return ag__.converted_call(super(__class__, self).f, (), None, fscope)

`super()` looks at the frame it is called in, so it is spelled out; its likes (`locals`, `eval`, …) are
called where they stand.
"""

from __future__ import annotations

import warnings
from types import BuiltinFunctionType, FunctionType, MethodType
from typing import Any

import gast

from autograph.converters.base import Converter, Replacement
from autograph.frames import user_stacklevel
from autograph.source.names import QualName
from autograph.source.template import OURS, Expression
from autograph.staging.builtins import OPERATORS, looks_at_caller, staged_builtin, staged_text_method
from autograph.staging.dispatch import Backends
from autograph.staging.functions import staged_function
from autograph.staging.operators import operator
from autograph.staging.scope import FunctionScope

__all__ = ["Call", "converted_call"]

FRAME_BOUND = frozenset({"breakpoint", "dir", "eval", "exec", "globals", "locals", "super", "vars"})
"""Builtins that mean the frame they are called in."""


PYTHON_KINDS = frozenset({FunctionType, MethodType})
"""Classes of callables that may lead to a converted function."""

NO_CODE = (lambda: None).__code__


class Call(Converter[gast.Call]):
    """Calls of the user's code; those that converters made stay."""

    handles = (gast.Call,)
    template = Expression("ag__.converted_call(callee, arguments, keywords, scope)")
    dict = Expression("dict()")
    our_dict = Expression("ag__.dict()")
    super_call = Expression("super(__class__, first)")

    def convert(self, node: gast.Call) -> Replacement:
        """Arguments keep their order: positional ones, then keywords."""
        root = _root(node.func)
        if root == OURS or root in self.context.scope_names.values():
            return node
        if root in FRAME_BOUND and isinstance(node.func, gast.Name):
            return self._super(node) if root == "super" else node
        keywords: gast.expr = gast.Constant(None, None)
        if node.keywords:
            keywords = self._dict().fill()
            keywords.keywords = node.keywords
        return self.template.fill(
            callee=node.func,
            arguments=gast.Tuple(node.args, gast.Load()),
            keywords=keywords,
            scope=self.scope_name,
        )

    def _super(self, node: gast.Call) -> gast.expr:
        arguments = self.function.args
        positional = [*arguments.posonlyargs, *arguments.args]
        if node.args or node.keywords or not positional:
            return node
        first = gast.Name(positional[0].id, gast.Load(), None, None)
        return self.super_call.fill(first=first, __class__="__class__")

    def _dict(self) -> Expression:
        """`dict`, unless the user means something else by it."""
        context = self.context
        taken = "dict" in context.namespace or any(
            QualName("dict") in frame.locals for frame in context.frames.values()
        )
        return self.our_dict if taken else self.dict


def _root(node: gast.AST) -> str | None:
    """The name that a dotted callee starts from."""
    while isinstance(node, gast.Attribute):
        node = node.value
    return node.id if isinstance(node, gast.Name) else None


@operator
def converted_call(
    backends: Backends,
    callee: Any,
    args: tuple[Any, ...],
    kwargs: dict[str, Any] | None,
    scope: FunctionScope,
) -> Any:
    """`callee(*args, **kwargs)`, the callee converted first if that is the policy."""
    kind = type(callee)
    target = callee
    if kind is BuiltinFunctionType or kind is type:
        name = OPERATORS.get(callee)
        if name is not None:
            target = staged_builtin(backends, name, args, kwargs) or callee
        elif kind is BuiltinFunctionType:
            target = staged_text_method(backends, callee, args, kwargs) or callee
    else:
        target = scope.convert(callee)
        if kind in PYTHON_KINDS and OURS in getattr(target, "__code__", NO_CODE).co_freevars:
            backend = backends.staging_now()
            if backend is not backends.plain:
                return backend.call(callee, target, args, kwargs or {})
    if target is callee and getattr(callee, "__module__", None) in backends.modules:
        target = staged_function(backends, callee, args, kwargs) or callee
    if target is callee and kind is not type and looks_at_caller(callee):
        args, kwargs = _with_stacklevel(callee, args, kwargs or {})
    return target(*args, **kwargs) if kwargs else target(*args)


def _with_stacklevel(
    callee: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The arguments of a warning or log call, counted from the user's line instead of from ours."""
    if callee is warnings.warn and len(args) > 2:  # its third parameter
        args, kwargs = (*args[:2], *args[3:]), kwargs | {"stacklevel": args[2]}
    # One frame up from here is where the call is made.
    return args, kwargs | {"stacklevel": user_stacklevel(kwargs.get("stacklevel", 1)) - 1}
