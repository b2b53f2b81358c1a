"""`tf.Variable` and `tf.Module`."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import Any

from autograph.compat.tf.arrays import tensor_scatter_nd_update
from autograph.compat.tf.scopes import name_scope
from autograph.compat.tf.segments import (
    SCATTER_ADD,
    SCATTER_DIVIDE,
    SCATTER_MAXIMUM,
    SCATTER_MINIMUM,
    SCATTER_MULTIPLY,
    SCATTER_SUBTRACT,
    Combine,
    tensor_scatter_nd_add,
    tensor_scatter_nd_sub,
)
from autograph.compat.tf.shapes import TensorShape
from autograph.compat.tf.tensors import Reference, as_eager
from autograph.compat.tf.values import convert_to_tensor
from autograph_base.named_tuple import NamedTuple
from runtime import ops
from runtime.core.structure import flatten
from runtime.core.tensor import Tensor, TensorLike
from runtime.core.tracing import tracing
from runtime.errors import InvalidValue
from runtime.graph.build import current_builder
from runtime.ops.updating import combine_item
from runtime.variables import Variable as _Variable

__all__ = ["IndexedSlices", "Module", "Variable"]


class IndexedSlices(NamedTuple):
    """`tf.IndexedSlices`: some rows of a tensor, and which they are."""

    values: Any
    indices: Any
    dense_shape: Any = None


def _rows_of(delta: IndexedSlices) -> tuple[Tensor, Tensor]:
    return convert_to_tensor(delta.indices), convert_to_tensor(delta.values)


def _combining(name: str, says: str, combine: Combine) -> Callable[..., Any]:
    """A method that computes with some rows; a row that is named repeatedly is computed with repeatedly."""

    def method(
        self: Variable, sparse_delta: IndexedSlices, use_locking: bool = False, name: Any = None
    ) -> Any:
        del use_locking, name
        places, rows = _rows_of(sparse_delta)
        return self.assign(combine_item(*combine, self.value(), (places,), rows))

    method.__name__, method.__doc__ = name, says
    return method


class Variable(_Variable):
    """`tf.Variable`.

    Parameters
    ----------
    initial_value : Tensor, number, array, list, or a function that returns one
    trainable : bool
    validate_shape, caching_device, variable_def, import_scope, constraint, synchronization, aggregation
        Accepted; they change nothing here.
    name : str, optional
    dtype : DType, optional
    shape : TensorShape or sequence, optional

    Examples
    --------
    >>> Variable([1.0, 2.0], name="v").assign_add([1.0, 1.0])
    <tf.Variable 'v:0' shape=(2,) dtype=float32, numpy=array([2., 3.], dtype=float32)>
    """

    def __init__(
        self,
        initial_value: Any = None,
        trainable: bool | None = None,
        validate_shape: bool = True,
        caching_device: Any = None,
        name: str | None = None,
        variable_def: Any = None,
        dtype: Any = None,
        import_scope: Any = None,
        constraint: Any = None,
        synchronization: Any = None,
        aggregation: Any = None,
        shape: Any = None,
    ) -> None:
        del (
            validate_shape,
            caching_device,
            variable_def,
            import_scope,
            constraint,
            synchronization,
            aggregation,
        )
        builder = current_builder()
        if builder is not None and not builder.allows_variables:
            raise InvalidValue(
                "tf.function only supports singleton tf.Variables created on the first call. Make sure the "
                "tf.Variable is only created once or created outside tf.function.",
                why="Every call would make another one, and all calls of one graph would share it.",
                way_out="Write `if self.v is None: self.v = tf.Variable(…)`, or make it outside.",
            )
        value = initial_value() if callable(initial_value) else initial_value
        called = f"{tracing.scope}{name or 'Variable'}:0"
        super().__init__(convert_to_tensor(value, dtype), trainable is not False, called, shape=shape)

    def assign(
        self, value: TensorLike, use_locking: bool = False, name: Any = None, read_value: bool = True
    ) -> Any:
        """Gives it another value; the variable itself, or nothing without `read_value`."""
        del use_locking, name
        given = super().assign(value)
        return given if read_value else None

    def assign_add(
        self, delta: TensorLike, use_locking: bool = False, name: Any = None, read_value: bool = True
    ) -> Any:
        """Adds to its value."""
        del use_locking, name
        given = super().assign_add(delta)
        return given if read_value else None

    def assign_sub(
        self, delta: TensorLike, use_locking: bool = False, name: Any = None, read_value: bool = True
    ) -> Any:
        """Subtracts from its value."""
        del use_locking, name
        given = super().assign_sub(delta)
        return given if read_value else None

    @property
    def shape(self) -> TensorShape:
        """The length of each axis; None where the variable takes several."""
        return TensorShape(self.static_shape)

    def get_shape(self) -> TensorShape:
        """As `shape`."""
        return self.shape

    def __tensor__(self) -> Tensor:
        value: Tensor = as_eager(super().__tensor__())
        return value

    def ref(self) -> Reference:
        """What stands for the variable as a key of dicts and in sets."""
        return Reference(self)

    def scatter_update(self, sparse_delta: IndexedSlices, use_locking: bool = False, name: Any = None) -> Any:
        """Rows set anew."""
        del use_locking, name
        places, rows = _rows_of(sparse_delta)
        return self.assign(ops.set_item(self.value(), (places,), rows))

    def scatter_nd_update(self, indices: TensorLike, updates: TensorLike, name: Any = None) -> Any:
        """Elements set anew."""
        del name
        return self.assign(tensor_scatter_nd_update(self.value(), indices, updates))

    def scatter_nd_add(self, indices: TensorLike, updates: TensorLike, name: Any = None) -> Any:
        """Something added to elements."""
        del name
        return self.assign(tensor_scatter_nd_add(self.value(), indices, updates))

    def scatter_nd_sub(self, indices: TensorLike, updates: TensorLike, name: Any = None) -> Any:
        """Something subtracted from elements."""
        del name
        return self.assign(tensor_scatter_nd_sub(self.value(), indices, updates))

    def sparse_read(self, indices: TensorLike, name: Any = None) -> Tensor:
        """Some of its rows."""
        del name
        return ops.take(self.value(), convert_to_tensor(indices), axis=0)

    def gather_nd(self, indices: TensorLike, name: Any = None) -> Tensor:
        """Some of its elements."""
        del name
        return ops.gather_nd(self.value(), convert_to_tensor(indices))

    scatter_add = _combining("scatter_add", "Rows added to.", SCATTER_ADD)
    scatter_sub = _combining("scatter_sub", "Rows subtracted from.", SCATTER_SUBTRACT)
    scatter_mul = _combining("scatter_mul", "Rows multiplied.", SCATTER_MULTIPLY)
    scatter_div = _combining("scatter_div", "Rows divided.", SCATTER_DIVIDE)
    scatter_max = _combining("scatter_max", "The greater of rows and others.", SCATTER_MAXIMUM)
    scatter_min = _combining("scatter_min", "The less of rows and others.", SCATTER_MINIMUM)


class Module:
    """`tf.Module`: an object whose attributes are variables, and modules with more of them.

    Parameters
    ----------
    name : str, optional
        The name of the class by default, in small letters with underscores.
    """

    def __init__(self, name: str | None = None) -> None:
        self._name = _WORDS.sub(r"_\1", type(self).__name__).lower() if name is None else name
        if not self._name.isidentifier():
            raise InvalidValue(
                f"{self._name!r} is not a valid module name. Module names must be valid Python identifiers "
                "(e.g. a valid class name).",
                way_out="Use letters, digits and underscores.",
            )

    @property
    def name(self) -> str:
        """What it is called."""
        return self._name

    @property
    def name_scope(self) -> AbstractContextManager[str]:
        """A `tf.name_scope` of its name."""
        return name_scope(self._name)

    @classmethod
    def with_name_scope(cls, method: Callable[..., Any]) -> Callable[..., Any]:
        """A method that runs in the name scope of its module."""

        @functools.wraps(method)
        def scoped(self: Module, *args: Any, **kwargs: Any) -> Any:
            with self.name_scope:
                return method(self, *args, **kwargs)

        return scoped

    @property
    def non_trainable_variables(self) -> tuple[_Variable, ...]:
        """Those that are not to be trained."""
        return tuple(variable for variable in self.variables if not variable.trainable)

    @property
    def variables(self) -> tuple[_Variable, ...]:
        """Every variable of this module and of those in it, by attribute name."""
        return tuple(leaf for leaf in _reachable(self, set()) if isinstance(leaf, _Variable))

    @property
    def trainable_variables(self) -> tuple[_Variable, ...]:
        """Those that are to be trained."""
        return tuple(variable for variable in self.variables if variable.trainable)

    @property
    def submodules(self) -> tuple[Module, ...]:
        """Every module in this one."""
        return tuple(leaf for leaf in _reachable(self, set()) if isinstance(leaf, Module))


_WORDS = re.compile(r"((?<=[a-z0-9])[A-Z]|(?!^)[A-Z](?=[a-z]))")
"""Where a word begins in the name of a class."""


def _reachable(module: Module, seen: set[int]) -> Iterator[Any]:
    """The variables and modules among a module's attributes, each once; then those of these modules."""
    seen.add(id(module))
    leaves = [leaf for _, value in sorted(vars(module).items()) for leaf in flatten(value)[0]]
    inner = []
    for leaf in leaves:
        if isinstance(leaf, (_Variable, Module)) and id(leaf) not in seen:
            seen.add(id(leaf))
            yield leaf
            if isinstance(leaf, Module):
                inner.append(leaf)
    for each in inner:
        yield from _reachable(each, seen)
