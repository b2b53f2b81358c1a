"""`ag.explain`: traces a function, and says line by line what became of it."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from typing import Any

from autograph.backends.tensors import TENSORS
from autograph.diagnosis.assemble import node_counts, sections
from autograph.diagnosis.explanation import Explanation
from autograph.diagnosis.watch import Watch
from autograph.frames import hide
from autograph.options import Options
from autograph.policy import verdict
from autograph.tracing.observing import Outside
from autograph.transpiler import Transpiler
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Tensor
from runtime.functions.bound import BoundFunction
from runtime.functions.polymorphic import PolymorphicFunction
from runtime.graph.frames import shows_callers_alone

__all__ = ["explain"]


@shows_callers_alone
def explain(f: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Explanation:
    """Says what became of each statement of a function, and of what it calls, for some arguments.

    Each is *staged*, as nodes of the graph, or *Python*, which ran while the function was traced, or was *not
    reached*; loops of Python are *unrolled* or *rolled*. The function is traced anew, and its graph is thrown
    away: nothing is run but what Python runs while a function is traced.

    Parameters
    ----------
    f : callable
        A function, or what `function` made of one.
    *args, **kwargs
        What it would be called with; a `TensorSpec` wherever only shape and dtype matter.

    Returns
    -------
    Explanation
        Prints as text, shows in colours, saves as a page, and is data. Where tracing fails, it says what had
        become of the function until then, and `error` says why.

    Examples
    --------
    >>> import runtime as rt
    >>> def halved(x, fast):
    ...     if fast:
    ...         return x / 2
    ...     while x > 1:
    ...         x = x / 2
    ...     return x
    >>> explain(halved, rt.asarray(8.0), False).sections[0].at(4)[0].nodes
    ('StatelessWhile',)
    """
    if isinstance(f, BoundFunction):
        args = (f.__self__, *args)
        f = f.__func__
    staged = f if isinstance(f, PolymorphicFunction) else _function(f)
    arguments = PolymorphicFunction.arguments(staged, args, kwargs)  # the program may call its own so
    watch = Watch(_options(staged))
    converted = _watched(watch, staged)
    error, traced = "", None
    try:
        traced = staged.traced_anew(converted, arguments)
    except Exception as raised:  # noqa: BLE001  # whatever it is, it is part of what there is to explain
        hide(raised)
        error = "".join(traceback.format_exception(raised)).rstrip()
    graphs = [*(traced.graph.walk() if traced else watch.builders)]
    return Explanation(
        name=staged.name,
        signature=", ".join(map(_argument, arguments.paths, arguments.leaves)),
        sections=tuple(sections(watch, graphs)),
        nodes=node_counts(graphs),
        error=error,
    )


def _function(f: Callable[..., Any]) -> PolymorphicFunction[..., Any]:
    """As `function` makes it, without the warning of what cannot be converted: that is to be explained."""
    transpiler = Transpiler([TENSORS])
    observer = Outside(transpiler.backends, transpiler.as_written)
    return PolymorphicFunction(f, transpiler.convert, observer=observer)


def _watched(watch: Watch, function: PolymorphicFunction[..., Any]) -> Callable[..., Any]:
    """The converted function; as it is, where it is not to be converted."""
    original = function.python_function
    if function.transform is None:
        watch.leave(original, "`autograph=False`")
        return original
    converted: Callable[..., Any] = watch.transpiler.convert(original)
    if converted is original:
        watch.leave(original, verdict(original).reason)
    return converted


def _options(function: PolymorphicFunction[..., Any]) -> Options:
    """The options that a function is converted with."""
    transpiler = getattr(function.transform, "__self__", None)
    return transpiler.options if isinstance(transpiler, Transpiler) else Options()


def _argument(path: str, leaf: Any) -> str:
    if isinstance(leaf, Tensor | TensorSpec):
        return f"{path}: {leaf.spec if isinstance(leaf, Tensor) else leaf.plain}"
    return f"{path}={leaf!r}"
