"""What NumPy and Python say of an operation that is wrong whatever its values are: others are tried."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.core.spec import ArraySpec
from runtime.core.tensor import Tensor
from runtime.graph.build import current_builder, current_defaults, is_strict, is_weak

__all__: list[str] = []  # for methods of tensors, and no part of the namespace

NUMBERS: dict[str, type] = {"b": bool, "i": int, "u": int, "f": float, "c": complex}
"""The numbers of Python that are like those of a dtype, by its kind."""


def example_of(tensor: Tensor) -> Any:
    """A value of NumPy's or Python's that is like what a tensor stands for in a graph."""
    if is_weak(tensor):
        return NUMBERS[tensor.dtype.kind](1)
    return example_of_spec(ArraySpec(tensor.static_shape, tensor.dtype))


def example_of_spec(spec: ArraySpec) -> Any:
    """A number of NumPy's, or an array, of such a dtype and shape."""
    lengths = [dim if isinstance(dim, int) else 1 for dim in spec.shape or ()]
    return np.ones(lengths, spec.dtype.numpy)[()]


def refuse_as_python(function: Callable[..., Any], *operands: Any) -> None:
    """Raises what the program is told where no values of these kinds will do; nothing where some may.

    Parameters
    ----------
    function : callable
        An operator, or `getattr`.
    *operands : object
        Tensors among them.
    """
    if current_builder() is None or is_strict() or current_defaults().static_shapes:
        return  # under TensorFlow's names a tensor is a tensor for the program, too
    function(*[example_of(each) if isinstance(each, Tensor) else each for each in operands])
