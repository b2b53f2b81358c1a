"""What a call gives: made of the arrays that a run gives, in the structure of the trace."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from runtime.core.rebuilding import Leaf, named, rebuilding
from runtime.core.structure import unflatten
from runtime.core.tensor import Array, Tensor
from runtime.executors.native.calls.boxing import boxing
from runtime.functions.alike import NONE_RETURNED
from runtime.functions.trace import OUTPUT, Trace

__all__ = ["finished", "made_of_arrays"]


def made_of_arrays(trace: Trace, tensors: type[Tensor]) -> Callable[[Sequence[Array]], Any]:
    """What makes the result of a call of the arrays that a run gives.

    Parameters
    ----------
    trace : Trace
    tensors : type of Tensor
        Of which class its tensors are.
    """
    boxes = boxing(tensors)
    if not trace.same:
        names: dict[str, Any] = {}
        places = iter(range(trace.count))
        leaves = [
            Leaf(f"given[{next(places)}]", is_given=True)
            if leaf is OUTPUT
            else Leaf(named(names, leaf), is_given=False)
            for leaf in trace.leaves
        ]
        built = rebuilding(trace.structure, leaves, names, boxes)
        if built is not None:
            return built

    def result(found: Sequence[Array]) -> Any:
        outputs = list(map(boxes.one, found[: trace.count]))
        return unflatten(trace.structure, trace.filled(outputs))

    return result


def finished(trace: Trace, tensors: type[Tensor], count: int) -> Callable[[Sequence[Array]], Any]:
    """As `made_of_arrays`, and what the call leaves outside is left there, of the first `count` arrays."""
    effects, made = trace.effects, made_of_arrays(trace, tensors)

    def finish(found: Sequence[Array]) -> Any:
        result = made(found)
        if effects is not None:
            result = effects.left(found[trace.count : count], tensors, None, result)
        return NONE_RETURNED if result is None else result

    may_give_none = effects is not None or trace.structure.kind is type(None)
    return finish if may_give_none else made
