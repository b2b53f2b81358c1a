"""`Variable`: a tensor with an identity, whose value changes."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from runtime import ops
from runtime.core.dtypes import DType, as_dtype
from runtime.core.shapes import Shape, is_known, size, text, written
from runtime.core.spec import ArraySpec, as_shape
from runtime.core.tensor import Array, Operators, Tensor, TensorLike, array_text, print_options
from runtime.core.text import is_marking
from runtime.errors import DTypeError, GraphError
from runtime.graph.build import as_tensor, bind, current_builder, current_defaults, outside_graphs
from runtime.graph.frames import shows_callers_alone
from runtime.graph.graph import Value
from runtime.graph.op import Effects, Placeholder
from runtime.graph.symbol import Symbol
from runtime.ops.variable_ops import (
    AssignAddVariableOp,
    AssignSubVariableOp,
    AssignVariableOp,
    ReadVariableOp,
    Storage,
)

__all__ = ["Variable"]

_numbers = itertools.count()


class Variable(Operators, Storage):
    """A tensor that keeps its identity while its value changes.

    In a graph its reads and writes happen in program order when the graph runs. Made outside of functions, or
    on the first call of one.

    Parameters
    ----------
    initial_value : Tensor, number, array, list, or a function that returns one
    trainable : bool
        Whether optimisers should change it; nothing in this package looks at it.
    name : str, optional
    dtype : DType, optional
        The initial value's by default.
    shape : tuple of int or None, optional
        The shapes that it may take; the initial value's by default.

    Raises
    ------
    GraphError
        When a second call with such arguments creates it anew.

    Examples
    --------
    >>> v = Variable(1.0, name="v")
    >>> v.assign_add(2.0).numpy()
    np.float64(3.0)
    """

    @shows_callers_alone
    def __init__(
        self,
        initial_value: Any,
        trainable: bool = True,
        name: str | None = None,
        *,
        dtype: Any = None,
        shape: Any = None,
    ) -> None:
        builder = current_builder()
        if builder is not None and not builder.allows_variables:
            raise GraphError(
                f"a variable was created while `{builder.name}` was traced again",
                why="Python makes another one in each call, and all calls of one graph would share theirs.",
                way_out="Create variables outside of the function, or only once: "
                "`if self.v is None: self.v = Variable(…)`.",
            )
        while builder is not None:
            builder.makes_variables, builder = True, builder.parent
        value = initial_value() if callable(initial_value) else initial_value
        array = _concrete(value, current_defaults().of)
        if dtype is not None:
            array = array.astype(as_dtype(dtype).numpy)
        self.array: Array = array
        self.dtype: DType = as_dtype(array.dtype)
        self.static_shape: Shape = array.shape if shape is None else as_shape(shape)
        self.name = name or f"Variable_{next(_numbers)}"
        self.trainable = trainable

    @property
    def spec(self) -> ArraySpec:
        """Shape and dtype together."""
        return ArraySpec(self.static_shape, self.dtype)

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return self.array.ndim

    @property
    def shape(self) -> tuple[Any, ...] | Any:
        """The length of each axis; where the variable takes several, a tensor in graphs, or None."""
        is_one = current_builder() is None or is_known(self.static_shape)
        return written(self.static_shape) if is_one else as_tensor(self).shape

    @property
    def size(self) -> Any:
        """The number of elements; where the variable takes several shapes, a tensor in graphs, or None."""
        is_one = current_builder() is None or is_known(self.static_shape)
        return size(self.static_shape) if is_one else as_tensor(self).size

    def __tensor__(self) -> Tensor:
        value: Tensor = bind(ReadVariableOp(self))
        return value

    def value(self) -> Tensor:
        """The value now, as a tensor."""
        return self.__tensor__()

    def read_value(self) -> Tensor:
        """The value now, as a tensor; TensorFlow's other name for `value`."""
        return self.__tensor__()

    def numpy(self) -> Any:
        """The value now, as a read-only NumPy array or scalar."""
        return self.__tensor__().numpy()

    @shows_callers_alone
    def assign(self, value: TensorLike) -> Variable:
        """Gives the variable a new value.

        Parameters
        ----------
        value : Tensor of the variable's shape, or what converts to one
            Of a dtype that NumPy casts safely within its kind.

        Returns
        -------
        The variable.

        Raises
        ------
        DTypeError, ShapeError
            When the value does not fit.
        """
        bind(AssignVariableOp(self), self._fitting(value))
        return self

    @shows_callers_alone
    def assign_add(self, value: TensorLike) -> Variable:
        """Adds to the variable; as `assign` otherwise."""
        bind(AssignAddVariableOp(self), self._fitting(value))
        return self

    @shows_callers_alone
    def assign_sub(self, value: TensorLike) -> Variable:
        """Subtracts from the variable; as `assign` otherwise."""
        bind(AssignSubVariableOp(self), self._fitting(value))
        return self

    def _fitting(self, value: TensorLike) -> Tensor:
        """`value` in the dtype of the variable."""
        if isinstance(value, (bool, int, float, complex)):
            return Tensor(np.asarray(value, self._weak_dtype(value).numpy))
        tensor = as_tensor(value)
        if tensor.dtype is self.dtype:
            return tensor
        if not np.can_cast(tensor.dtype.numpy, self.dtype.numpy, "same_kind"):
            raise DTypeError(
                f"variable {self.name!r} is {self.dtype} and cannot hold a {tensor.dtype} value without loss",
                why="A variable keeps the dtype that it was made with.",
                way_out=f"Cast the value first: `rt.astype(value, rt.{self.dtype})`.",
            )
        return ops.cast(tensor, self.dtype)

    def _weak_dtype(self, value: complex) -> DType:
        if not np.can_cast(np.min_scalar_type(type(value)()), self.dtype.numpy, "same_kind"):
            raise DTypeError(
                f"variable {self.name!r} is {self.dtype} and cannot hold {value!r} without loss",
                why="A variable keeps the dtype that it was made with.",
                way_out="Make the variable of a wider dtype: `rt.Variable(1.0)`, or `dtype=rt.float64`.",
            )
        return self.dtype

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        return self.__tensor__().__array__(dtype, copy)

    def __bool__(self) -> bool:
        return bool(self.__tensor__())

    def __int__(self) -> int:
        return int(self.__tensor__())

    def __float__(self) -> float:
        return float(self.__tensor__())

    def __complex__(self) -> complex:
        return complex(self.__tensor__())

    def __index__(self) -> int:
        return self.__tensor__().__index__()

    def __len__(self) -> int:
        return len(self.__tensor__())

    def __iter__(self) -> Any:
        return iter(self.__tensor__())

    def __format__(self, spec: str) -> str:
        return format(self.__tensor__(), spec) if spec or is_marking() else repr(self)

    def __str__(self) -> str:
        return str(self.__tensor__()) if is_marking() else repr(self)

    def __repr__(self) -> str:
        if is_marking():
            return repr(self.__tensor__())
        name = f"{print_options.prefix}Variable"
        shown = array_text(self.array)
        return f"<{name} '{self.name}' shape={text(self.static_shape)} dtype={self.dtype}, numpy={shown}>"


def _concrete(value: Any, default: Any) -> Array:
    """The array of an initial value; in a trace, what the constant part of the graph gives."""
    if isinstance(value, (bool, int, float, complex)):
        return np.asarray(value, default(value).numpy)
    tensor = as_tensor(value)
    if not isinstance(tensor, Symbol):
        return np.array(tensor._array)  # a copy: the caller may own and change the array
    with outside_graphs():
        return np.asarray(_evaluate(tensor.value, {}))


def _evaluate(value: Value, known: dict[Value, Any]) -> Any:
    """What a value of a graph is, where it depends on no input."""
    if value in known:
        return known[value]
    node = value.node
    if isinstance(node.op, Placeholder) or node.op.graphs or node.op.effects & ~Effects.RANDOM:
        raise GraphError(
            "the initial value of a variable depends on what only a run of the graph can give",
            origin=value.origin(),
            why="The variable is made once, while the graph is traced.",
            way_out="Create the variable outside of the function, or from constants.",
        )
    results = node.op.kernel(*[_evaluate(each, known) for each in node.inputs])
    outputs = results if isinstance(results, tuple) else (results,)
    known.update(zip(node.outputs, outputs, strict=True))
    return known[value]
