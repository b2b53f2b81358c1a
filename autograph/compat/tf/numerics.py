"""`tf.debugging.enable_check_numerics`: each float that an op gives is looked at, at once and in graphs."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from autograph.compat.tf.shapes import TensorShape
from runtime.core.dtypes import as_dtype
from runtime.core.shapes import written
from runtime.core.spec import ArraySpec
from runtime.core.tensor import Tensor
from runtime.core.tracing import tracing
from runtime.functions.tracer import TRACES
from runtime.graph.build import unwatch_results, watch_results
from runtime.graph.builder import Builder
from runtime.graph.graph import Node
from runtime.graph.location import Location, caller_locations
from runtime.graph.op import Op
from runtime.graph.symbol import Symbol
from runtime.ops.checks import CheckNumerics

__all__ = ["disable_check_numerics", "enable_check_numerics"]

_MOVING = frozenset(
    [
        *("ConcatV2", "ExpandDims", "Fill", "Gather", "Maximum", "Minimum", "Reshape", "DynamicReshape"),
        *("Squeeze", "StridedSlice", "DynamicStridedSlice", "Pack", "PadV2", "Transpose", "Unpack"),
    ]
)
"""Ops that only move numbers: TensorFlow does not look at their results, a padding apart.

There, the pooling that pads with infinities is one op.
"""
_LISTS = "TensorList"


@dataclass(frozen=True)
class _Limits:
    """How much of the program an error shows."""

    stack_height: int | None
    path_length: int | None


_threads: WeakKeyDictionary[threading.Thread, _Limits] = WeakKeyDictionary()
"""Those in which it is on."""


def enable_check_numerics(stack_height_limit: int | None = 30, path_length_limit: int | None = 50) -> None:
    """`tf.debugging.enable_check_numerics`: NaN and infinity are errors from now on, in this thread.

    Each op that gives one raises an `InvalidArgumentError`, that names the op, what it gave and took;
    in the graphs of functions that are traced while this is on, whenever they run, with the lines of the
    program. Results that only move numbers are not looked at.

    Parameters
    ----------
    stack_height_limit : int or None
        How many lines of the program an error of a graph shows.
    path_length_limit : int or None
        How much of the name of each file.
    """
    _threads.setdefault(threading.current_thread(), _Limits(stack_height_limit, path_length_limit))
    watch_results(_WATCHER)


def disable_check_numerics() -> None:
    """`tf.debugging.disable_check_numerics`: ends that; graphs keep their checks."""
    _threads.pop(threading.current_thread(), None)
    if not _threads:
        unwatch_results(_WATCHER)


def _limits(op: Op) -> _Limits | None:
    """How an error of an op is told, where results of it are looked at."""
    if tracing.location is not None:  # what a pass does is not the program's
        return None
    if op.regions or op.callee is not None or op.name in _MOVING or op.name.startswith(_LISTS):
        return None
    return _threads.get(threading.current_thread())


class _Watcher:
    """Looks at the results."""

    def computed(self, op: Op, operands: Sequence[Any], results: Sequence[Any], kind: type[Tensor]) -> None:
        """Raises where a result is NaN or infinite."""
        if _limits(op) is None:
            return
        for slot, result in enumerate(results):
            if not isinstance(result, (np.ndarray, np.generic)) or not as_dtype(result.dtype).is_floating:
                continue
            if not np.isfinite(result).all():
                tensor = kind(result)
                lines = [
                    _detected(slot, "eagerly-executing", op, len(results)),
                    *_described(tensor.dtype, tensor.shape),
                    *_counts(result),
                    *_inputs([str(each) for each in operands]),
                ]
                try:
                    CheckNumerics("\n".join([*lines, ""])).kernel(result)
                except Exception as error:  # noqa: BLE001  # raised again, under the name that the tensors give it
                    raise kind.failed(error) from None

    def recorded(self, builder: Builder, node: Node) -> None:
        """Adds a check of each result to the graph."""
        limits = _limits(node.op)
        if limits is None:
            return
        for slot, output in enumerate(node.outputs):
            spec = output.spec
            if not isinstance(spec, ArraySpec) or not spec.dtype.is_floating:
                continue
            lines = [
                _detected(slot, "graph", node.op, len(node.outputs)),
                *_described(spec.dtype, TensorShape(written(spec.shape))),
                *_inputs([str(Symbol(each)) for each in node.inputs]),
                f'  Graph name: "{builder.name}"',
                "",
                '  Stack trace of op\'s creation ("->": inferred user code):',
                *_stack(limits),
            ]
            builder.add(CheckNumerics("\n".join([*lines, ""])), [output], node.location)


_WATCHER = _Watcher()


# ── what an error says ──


def _detected(slot: int, when: str, op: Op, count: int) -> str:
    return (
        f'!!! Detected Infinity or NaN in output {slot} of {when} op "{op.name}" (# of outputs: {count}) !!!'
    )


def _described(dtype: Any, shape: Any) -> list[str]:
    return [f"  dtype: {dtype!r}", f"  shape: {shape}"]


def _counts(result: Any) -> list[str]:
    """How many numbers of each kind there are that are not finite."""
    found = {"-Inf": result == -np.inf, "+Inf": result == np.inf, "+NaN": np.isnan(result)}
    return [f"  # of {name} elements: {np.sum(at)}" for name, at in found.items() if np.any(at)]


def _inputs(shown: Sequence[str]) -> list[str]:
    if len(shown) == 1:
        return ["", f"  Input tensor: {shown[0]}"]
    title = ["", f"  Input tensors ({len(shown)}):"] if shown else []
    return [*title, *[f"         {place}: {each}" for place, each in enumerate(shown)]]


def _stack(limits: _Limits) -> Iterator[str]:
    """The lines of the program that led to an op, the innermost last."""
    running = [*caller_locations(until=TRACES)][::-1]
    inner = zip(running, [*running[1:], None], strict=True)
    places = [place for place, below in inner if below is None or not _is_around(place, below)]
    height, length = limits.stack_height, limits.path_length
    left_out = 0 if height is None else max(len(places) - height, 0)
    if left_out:
        yield f"    + ... (Omitted {left_out} frames)"
    for place in places[left_out:]:
        name = place.filename
        short = name if length is None or len(name) <= length else f"...{name[len(name) - length :]}"
        yield f"    + {short} (L{place.line}) {place.function}"
        yield f" -> |   {place.source}"


def _is_around(place: Location, below: Location) -> bool:
    """Whether a line is the statement around another one: plain Python shows one place of a call."""
    function, other = [(each.filename, each.function, each.first_line) for each in (place, below)]
    return function == other
