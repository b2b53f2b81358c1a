"""`tf.Variable` and `tf.Module`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager
from typing import Any

from autograph.compat.tf.control import name_scope
from autograph.compat.tf.values import convert_to_tensor
from runtime.core.structure import flatten
from runtime.variables import Variable as _Variable

__all__ = ["Module", "Variable"]


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
        value = initial_value() if callable(initial_value) else initial_value
        super().__init__(
            convert_to_tensor(value, dtype), trainable is not False, f"{name or 'Variable'}:0", shape=shape
        )


class Module:
    """`tf.Module`: an object whose attributes are variables, and modules with more of them.

    Parameters
    ----------
    name : str, optional
        The name of the class by default.
    """

    def __init__(self, name: str | None = None) -> None:
        self._name = name or type(self).__name__.lower()

    @property
    def name(self) -> str:
        """What it is called."""
        return self._name

    @property
    def name_scope(self) -> AbstractContextManager[str]:
        """A `tf.name_scope` of its name."""
        return name_scope(self._name)

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


def _reachable(module: Module, seen: set[int]) -> Iterator[Any]:
    """The variables and modules among a module's attributes, each once."""
    seen.add(id(module))
    leaves = [leaf for _, value in sorted(vars(module).items()) for leaf in flatten(value)[0]]
    for leaf in leaves:
        if isinstance(leaf, (_Variable, Module)) and id(leaf) not in seen:
            seen.add(id(leaf))
            yield leaf
            if isinstance(leaf, Module):
                yield from _reachable(leaf, seen)
