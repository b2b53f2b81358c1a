"""What libraries ask about an array before they compute with it, where only the run knows the answer.

Libraries that serve every array library ask `array_api_compat`, of which many carry a copy. Of a tensor whose
length is not known it says that it has no size, which a test like ``while size(active)`` takes for zero.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from runtime import ops
from runtime.core.tensor import Tensor

__all__ = ["answer"]

ASKED = "array_api_compat.common._helpers"
"""The module of the questions, in whatever package it lies."""


def answer(function: Any) -> Callable[[Any], Any] | None:
    """What is asked in the place of a function of these libraries; None for any other function.

    They ask for classes, and are told ours: converted, they would take a tensor for an array of NumPy's.
    """
    if not (getattr(function, "__module__", None) or "").endswith(ASKED):
        return None
    answered: Callable[[Any], Any] = ANSWERS.get(function.__name__, function)
    return answered


def _size(x: Any) -> Any:
    """The number of elements: a tensor, where only the run knows it."""
    return ops.count_elements(x) if isinstance(x, Tensor) else x.size


def _is_lazy_array(x: Any) -> bool:  # noqa: ARG001  # the signature is the other library's
    """Whether a test of its values is impossible: in converted code it is not."""
    return False


ANSWERS: dict[str, Callable[[Any], Any]] = {"is_lazy_array": _is_lazy_array, "size": _size}
