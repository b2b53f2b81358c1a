"""Every call goes through `ag__.converted_call`, which decides what is converted first (`callees.py`).

>>> from autograph.converters.picture import show
>>> show("y = f(x, *rest, key=1)", Call)
y = ag__.converted_call(f, (x, *ag__.starred(rest)), dict(key=1), fscope)
>>> show('''
... def f(self):
...     return super().f()
... ''', Call)
def f(self):
    return ag__.converted_call(super(__class__, self).f, (), None, fscope)

>>> show("y = f(x, key=1, **more)", Call)
y = ag__.MergingCall(f, fscope)(x, key=1, **ag__.keywords(more))

Keywords from several places may clash, which Python reports for the function that is called: so the call is
one of Python's, on an object that bears the function's name.

`super()` looks at the frame it is called in, so it is spelled out; its likes (`locals`, `eval`, …) are
called where they stand.
"""

from __future__ import annotations

import ast
import builtins
from typing import Any

from autograph.converters.base import Context, Converter, Replacement, Walk
from autograph.converters.callees import converted_call
from autograph.source.template import Expression, is_ours
from autograph.staging import heap
from autograph.staging.dispatch import Backends
from autograph.staging.operators import operator
from autograph.staging.scope import FunctionScope
from autograph.staging.special_methods import given

__all__ = ["Call", "keywords", "starred"]

FRAME_BOUND = frozenset({"breakpoint", "dir", "eval", "exec", "globals", "locals", "super", "vars"})
"""Builtins that mean the frame they are called in."""
OF_FRAME_OR_OBJECT = frozenset({"dir", "vars"})
"""Those of them that mean an object where they are given one."""


class Call(Converter[ast.Call]):
    """Calls of the user's code; those that converters made stay."""

    handles = (ast.Call,)
    template = Expression("ag__.converted_call(callee, arguments, keywords, scope)")
    merging = Expression("ag__.MergingCall(callee, scope)")
    starred = Expression("ag__.starred(items)")
    by_name = Expression("ag__.keywords(items)")
    dict = Expression("dict()")
    our_dict = Expression("ag__.dict()")

    def __init__(self, context: Context, walk: Walk) -> None:
        super().__init__(context, walk)
        self._kept: set[ast.AST] = set()

    def enter(self, node: ast.Call) -> None:
        """Looks at the callee as the user wrote it."""
        callee = node.func
        is_asked = bool(node.args) and getattr(callee, "id", "") in OF_FRAME_OR_OBJECT
        if is_asked or not isinstance(callee, ast.Name) or callee.id not in FRAME_BOUND:
            return
        is_whole = callee.id == "super" and len(node.args) > 1  # which looks at no frame
        if not is_whole and self._is_bound_to_frame(callee.id):
            self._kept.add(node)
            if callee.id == "super":
                self._spell_out(node)

    def convert(self, node: ast.Call) -> Replacement:
        """Arguments keep their order: positional ones, then keywords."""
        if is_ours(node) or node in self._kept:
            return node
        for each in node.args:
            if isinstance(each, ast.Starred):
                each.value = self.starred.fill(items=each.value)
        for keyword in node.keywords:
            if keyword.arg is None:
                keyword.value = self.by_name.fill(items=keyword.value)
        if len(node.keywords) > 1 and any(keyword.arg is None for keyword in node.keywords):
            call = self.merging.fill(callee=node.func, scope=self.scope_name)
            return ast.Call(call, node.args, node.keywords)
        keywords: Any = ast.Constant(None)
        if node.keywords:
            keywords = self._dict().fill()
            keywords.keywords = node.keywords
        return self.template.fill(
            callee=node.func,
            arguments=ast.Tuple(node.args, ast.Load()),
            keywords=keywords,
            scope=self.scope_name,
        )

    def _is_bound_to_frame(self, name: str) -> bool:
        """Whether a name means one of Python's builtins that look at the frame they are called in."""
        builtin, frames = getattr(builtins, name), self.context.frames
        if self.context.namespace.get(name, builtin) is not builtin:
            return False
        return not any(name in frames[scope].locals for scope in self.walk.scopes if scope in frames)

    def _spell_out(self, node: ast.Call) -> None:
        """Gives `super()` the arguments that it would look for in its frame."""
        arguments = self.function.args
        positional = [*arguments.posonlyargs, *arguments.args]
        if not node.args and not node.keywords and positional:
            node.args = [ast.Name(name, ast.Load()) for name in ("__class__", positional[0].arg)]

    def _dict(self) -> Expression:
        """`dict`, unless the user means something else by it."""
        context = self.context
        taken = "dict" in context.namespace or any(
            "dict" in frame.locals for frame in context.frames.values()
        )
        return self.our_dict if taken else self.dict


@operator
def starred(backends: Backends, items: Any) -> Any:
    """What becomes arguments, one by one."""
    if type(items) is tuple and not backends.owned[tuple]:
        return items
    items = given(backends, items)
    return backends.of(items).starred(items)


@operator
def keywords(backends: Backends, items: Any) -> Any:
    """What is given by name."""
    items = heap.current(items)
    return items if type(items) is dict else backends.of(items).keywords(items)


@operator
class MergingCall:
    """A callee whose keywords come from several places, under the callee's name.

    Parameters
    ----------
    backends : Backends
    callee : callable
    scope : FunctionScope
    """

    def __init__(self, backends: Backends, callee: Any, scope: FunctionScope) -> None:
        self._backends, self._callee, self._scope = backends, callee, scope
        vars(self)["__module__"] = getattr(callee, "__module__", None)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return converted_call(self._backends, self._callee, args, kwargs, self._scope)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._callee, name)

    def __str__(self) -> str:
        return str(self._callee)
