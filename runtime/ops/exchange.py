"""Memory shared with other array libraries, by DLPack."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core.devices import require_device
from runtime.core.spec import ArraySpec
from runtime.core.tensor import Array, Operators, Tensor, short
from runtime.errors import CannotShare, DTypeError, InvalidValue
from runtime.graph.build import as_tensor, current_builder, is_symbolic
from runtime.graph.symbol import Symbol
from runtime.ops.known import as_constant

__all__ = ["from_dlpack", "memory_device", "shared_memory"]

_PROCESSOR = (1, 0)
"""DLPack's name for the one device: ``kDLCPU``, number 0."""

_KNOWS_READ_ONLY = (1, 0)
"""The version of DLPack from which on memory can be marked as read-only."""


def from_dlpack(x: Any, /, *, device: Any = None, copy: bool | None = None) -> Tensor:
    """An array of another library as a tensor, in the same memory.

    Parameters
    ----------
    x : object with ``__dlpack__`` and ``__dlpack_device__``
        An array of NumPy, PyTorch, JAX, CuPy, …, or a tensor.
    device : str, optional
        There is one, ``"cpu"``; where it is given, an array of another device is copied here, if its library
        does that.
    copy : bool, optional
        By default the memory is shared where it can be. True always copies, False never.

    Returns
    -------
    Tensor
        It keeps the memory alive. A tensor never changes, so nobody may write to memory that is shared:
        give `copy=True`, or use `rt.asarray`, where somebody may. A constant of a graph lives longer than the
        call, and is a copy unless `copy` is False.

    Raises
    ------
    CannotShare
        When the memory is on another device, or of a dtype that DLPack or NumPy does not know, or `copy` is
        False and only a copy can be had.
    DTypeError
        When `x` is no array.
    InvalidValue
        When there is no such device.

    Notes
    -----
    GraphDef "Const". Semantics: Array API 2025.12, `from_dlpack`.

    Examples
    --------
    >>> import numpy as np
    >>> import runtime as rt
    >>> rt.from_dlpack(np.arange(3.0))
    <Tensor: shape=(3,), dtype=float64, numpy=array([0., 1., 2.])>
    """
    require_device(device)
    if isinstance(x, Operators):
        tensor = as_tensor(x)
        return as_constant(np.array(tensor._array)) if copy and not is_symbolic(tensor) else tensor
    if not hasattr(type(x), "__dlpack__"):
        raise DTypeError(
            f"{short(x)} shares no memory",
            why="Only an object with a method `__dlpack__` does.",
            way_out="Use `rt.asarray`, which copies.",
        )
    if copy is None and current_builder() is not None:
        copy = True
    try:
        array = np.from_dlpack(x, device=device, copy=copy)
    except (BufferError, RuntimeError, ValueError) as error:
        raise CannotShare(
            f"a tensor cannot have the memory of {short(x)}",
            why=f"{type(error).__name__}: {error}",
            way_out="Use `rt.asarray`, or move it to the processor first.",
        ) from error
    return as_constant(array)


def shared_memory(
    x: Any,
    /,
    *,
    stream: Any = None,
    max_version: tuple[int, int] | None = None,
    dl_device: tuple[Any, int] | None = None,
    copy: bool | None = None,
) -> Any:
    """What ``x.__dlpack__()`` gives: a capsule with the memory of `x`, marked as read-only.

    A consumer that is too old to know of read-only memory gets a copy, unless `copy` is False.

    Raises
    ------
    CannotShare
        For a tensor of a graph and a list of tensors; when another device is asked for, or `copy` is False
        and the consumer is too old.
    InvalidValue
        When a stream is given.
    """
    array = _memory_of(x)
    if stream is not None:
        raise InvalidValue(
            f"`__dlpack__` was given the stream {stream!r}",
            why="The processor runs one operation after the other, without streams.",
            way_out="Leave out `stream`.",
        )
    if dl_device is not None and tuple(dl_device) != _PROCESSOR:
        raise CannotShare(
            f"the memory of a tensor was asked for on the device {dl_device}",
            why=f"Tensors are on the processor, which DLPack calls {_PROCESSOR}.",
            way_out="Let the other library move it after it has taken it over.",
        )
    if max_version is None or tuple(max_version) < _KNOWS_READ_ONLY:
        if copy is False:
            raise CannotShare(
                "memory that is read-only was asked for in a version of DLPack that cannot say so",
                why=f"A tensor never changes, and versions before {_KNOWS_READ_ONLY} would allow to write.",
                way_out="Leave out `copy=False`, or give `max_version=(1, 0)`.",
            )
        return np.array(array).__dlpack__(max_version=max_version)
    if copy:
        return array.__dlpack__(max_version=max_version, copy=True)
    view = array.view()
    view.flags.writeable = False
    return view.__dlpack__(max_version=max_version)


def memory_device(x: Any, /) -> tuple[int, int]:
    """What ``x.__dlpack_device__()`` gives: the processor's number among DLPack's devices, and 0."""
    _memory_of(x)
    return _PROCESSOR


def _memory_of(x: Any) -> Array:
    tensor = as_tensor(x)
    if isinstance(tensor, Symbol):
        raise CannotShare(
            "the memory of a tensor of a graph was asked for",
            origin=tensor.value.origin(),
            why="Its value only exists when the graph runs, and now the graph is traced.",
            way_out="Give what the function returns to the other library, or use the function of `rt`.",
        )
    if not isinstance(tensor.spec, ArraySpec):
        raise CannotShare(
            "the memory of a list of tensors was asked for",
            why="Its elements are tensors of their own.",
            way_out="Stack it first: `rt.stack(items)`.",
        )
    return tensor._array
