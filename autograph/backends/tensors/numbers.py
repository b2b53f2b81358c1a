"""What a tensor of a graph is as a number, and functions of numbers: `float(x)`, `math.sin(x)`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

from autograph.backends.tensors.mathematics import FUNCTIONS
from autograph.staging.plain import Plain
from runtime import ops
from runtime.core.dtypes import bool_
from runtime.core.tensor import Operators
from runtime.errors import NoConcreteValue
from runtime.graph.build import as_tensor, current_defaults, is_strict, is_symbolic
from runtime.numpy_functions.protocols import stand_in

__all__ = ["Numbers"]


class Numbers(Plain):
    """The part of the tensors' backend that is about numbers."""

    modules = frozenset({"math", "numpy", "numpy.fft", "numpy.linalg"})

    def function(self, callee: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
        """A function of `math` or NumPy; the function itself where no argument holds a symbolic tensor."""
        if not is_strict() and any(map(_holds_symbolic, [*arguments, *options.values()])):
            callee = FUNCTIONS.get(callee) or stand_in(callee) or callee
        return callee(*arguments, **options)

    def int_(self, *arguments: Any, **options: Any) -> Any:
        """The default integer nearest to zero; a Python int where the value is known."""
        if len(arguments) == 1 and not options and is_symbolic(arguments[0]):
            return ops.astype(arguments[0], current_defaults().integer)
        return super().int_(*arguments, **options)

    def float_(self, *arguments: Any) -> Any:
        """The default floating dtype; a Python float where the value is known."""
        if len(arguments) == 1 and is_symbolic(arguments[0]):
            return ops.astype(arguments[0], current_defaults().floating)
        return super().float_(*arguments)

    def bool_(self, *arguments: Any) -> Any:
        """Whether a number is not zero; a Python bool where the value is known."""
        if len(arguments) == 1 and is_symbolic(arguments[0]):
            return ops.astype(arguments[0], bool_)
        return super().bool_(*arguments)

    def complex_(self, *arguments: Any, **options: Any) -> Any:
        """The default complex dtype; a Python complex where the value is known."""
        parts = [*arguments, *options.values()]
        if not any(map(is_symbolic, parts)):
            return super().complex_(*arguments, **options)
        real, imaginary = _parts(*arguments, **options)
        return ops.astype(real + 1j * imaginary, current_defaults().complexes)

    def hash_(self, value: Any) -> Any:
        """Refused for symbolic tensors: equal values need not have equal hashes."""
        if is_symbolic(value):
            _refuse_hash(value)
        return super().hash_(value)


def _parts(real: Any = 0, imag: Any = 0) -> tuple[Any, Any]:
    return real, imag


def _refuse_hash(value: Any) -> NoReturn:
    raise NoConcreteValue(
        "unhashable type: a tensor of a graph has no hash",
        origin=value.value.origin(),
        why="Equal values have equal hashes, and its value only exists when the graph runs.",
        way_out="Compare with `==`, or hash what the function returns.",
    )


def _holds_symbolic(value: Any) -> bool:
    """Whether a tensor of a graph is an argument, or in a list that is one."""
    if isinstance(value, (list, tuple)):
        return any(map(_holds_symbolic, value))
    return isinstance(value, Operators) and is_symbolic(as_tensor(value))
