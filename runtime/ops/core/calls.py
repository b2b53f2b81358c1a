"""`HostCall` and `Check`: what a compiler hands to Python, and what it raises."""

from __future__ import annotations

import builtins
from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime import errors
from runtime.core.spec import ArraySpec, Spec
from runtime.core.tensor import Array, Tensor, TensorLike
from runtime.errors import GraphError, IndexOutOfRange
from runtime.graph.build import bind_all, is_weak, set_loud
from runtime.graph.op import REGISTRY, Aliases, Effects, Failures, Op
from runtime.ops.facts import STRING, GraphDefBuilder, GraphDefTensor, Sample
from runtime.ops.families import Family

__all__ = ["Check", "HostCall", "RaisingCall", "check", "escaped", "host_call", "may_warn"]


class HostCall(Family):
    """What stays a call of NumPy, or of another function in Python: an op by its name, and its fields.

    The result is known before the call, as the op infers it.
    """

    function: str
    """The name of the op."""
    arguments: tuple[Any, ...]
    """The values of its fields."""

    is_core = True
    why_no_graphdef = "a graph is written to a GraphDef as it was traced"
    samples = (Sample((np.array([3.0, 1.0, 2.0]),), {"function": "Sort", "arguments": (0, True)}),)

    @property
    def called(self) -> Op:
        """The op."""
        return REGISTRY[self.function](*self.arguments)

    @property
    def effects(self) -> Effects:
        return self.called.effects

    def infer(self, *operands: Spec) -> Spec | tuple[Spec, ...]:
        return self.called.infer(*operands)

    def raises(self, *specs: ArraySpec) -> Failures:
        return self.called.raises(*specs)

    def aliases(self, *specs: ArraySpec) -> Aliases:
        return self.called.aliases(*specs)

    def may_run_early(self, *specs: ArraySpec) -> bool:
        return self.called.may_run_early(*specs)

    def kernel(self, *operands: Array) -> Any:
        return self.called.kernel(*operands)


def host_call(op: Op, *operands: TensorLike) -> tuple[Tensor, ...]:
    """The results of an op that stays a call of Python."""
    return bind_all(HostCall(type(op).__name__, tuple(op.attributes().values())), *operands)


class RaisingCall(HostCall):
    """An op that NumPy runs where `np.errstate` says that errors of floats are raised.

    So it runs though nobody may want its result, and when it is its turn. The state itself is that of the
    place that made the node, as for all others.
    """

    samples = (
        Sample((np.array([3.0, 1.0]), np.array([2.0, 4.0])), {"function": "RealDiv", "arguments": ()}),
    )

    @property
    def effects(self) -> Effects:
        return self.called.effects | Effects.CHECKS

    def raises(self, *specs: ArraySpec) -> Failures:
        return self.called.raises(*specs) | {FloatingPointError}

    def may_run_early(self, *specs: ArraySpec) -> bool:
        del specs
        return False


def _loud(op: Op, operands: Sequence[Any], specs: Sequence[Spec]) -> Op:
    """An op as it is recorded where `np.errstate` says that errors of floats are raised.

    One that computes with Python's own numbers alone is as it is: NumPy has no part in that.
    """
    if all(map(is_weak, operands)) or not may_warn(op, specs):
        return op
    return RaisingCall(type(op).__name__, tuple(op.attributes().values()))


def may_warn(op: Op, specs: Sequence[Spec]) -> bool:
    """Whether NumPy may tell an error of floats while an op computes with operands of these specs."""
    moves = op.effects or op.regions or op.callee is not None or op.put_back is not None
    if moves or not specs or op.may_run_early(*specs):
        return False
    found = op.infer(*specs)
    around = [*specs, *(found if isinstance(found, tuple) else (found,))]
    is_of_floats = any(isinstance(each, ArraySpec) and not each.dtype.is_integer for each in around)
    return is_of_floats or getattr(op, "ufunc", None) in _DIVISIONS


_DIVISIONS = (np.floor_divide, np.fmod, np.reciprocal, np.remainder)
"""What NumPy tells errors of where integers with axes are divided, too."""

set_loud(_loud)


class Check(Op):
    """Raises unless its first input holds. The others are shown in the message."""

    error: str
    """The name of an exception of Python's own or of `runtime.errors`."""
    message: str
    """With ``{0}``, ``{1}``, … where the other inputs are shown."""

    is_core = True
    samples = (
        Sample((np.array(True),), {"error": "ValueError", "message": "x is negative"}),
        Sample(
            (np.array(False), np.array(3)),
            {"error": "IndexOutOfRange", "message": "{0} is too far"},
            IndexOutOfRange,
        ),
    )

    @property
    def kind(self) -> type[Exception]:
        """The exception."""
        found: Any = getattr(errors, self.error, None) or getattr(builtins, self.error, None)
        if not (isinstance(found, type) and issubclass(found, Exception)):
            raise GraphError(f"{self.error!r} is no exception that a graph raises")
        return found

    @property
    def effects(self) -> Effects:
        return Effects.CHECKS

    def infer(self, condition: ArraySpec, *shown: ArraySpec) -> tuple[ArraySpec, ...]:
        del shown
        if not condition.dtype.is_bool or condition.shape not in {(), None}:
            raise GraphError(f"a check is of one bool, not of {condition}")
        return ()

    def raises(self, *specs: ArraySpec) -> Failures:
        return frozenset([self.kind])

    def kernel(self, condition: Any, *shown: Any) -> tuple[Array, ...]:
        if not condition:
            raise self.kind(self.message.format(*shown))
        return ()

    def to_graphdef(
        self, builder: GraphDefBuilder, inputs: Sequence[GraphDefTensor], specs: Sequence[ArraySpec]
    ) -> list[GraphDefTensor]:
        condition, *shown = inputs
        types = [STRING, *(spec.dtype for spec in specs[1:])]
        builder.effect("Assert", [condition, builder.text(self.message), *shown], T=types, summarize=-1)
        return []


def escaped(message: str) -> str:
    """A message in which braces stand for themselves."""
    return message.replace("{", "{{").replace("}", "}}")


def check(condition: TensorLike, error: str, message: str, *shown: TensorLike) -> None:
    """Raises an exception by its name unless `condition` holds."""
    bind_all(Check(error, message), condition, *shown)
