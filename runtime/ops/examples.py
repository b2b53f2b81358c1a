"""What NumPy and Python say of an operation that is wrong whatever its values are: others are tried."""

from __future__ import annotations

import operator
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import is_dataclass
from inspect import unwrap
from types import FunctionType
from typing import Any, NoReturn

import numpy as np

from runtime.core.instances import is_ours
from runtime.core.spec import ArraySpec
from runtime.core.tensor import Tensor
from runtime.errors import StateDisagrees
from runtime.graph.build import current_builder, current_defaults, is_strict, is_weak, slot_of
from runtime.graph.frames import no_defect
from runtime.graph.location import caller_location
from runtime.graph.whose_numbers import whose

__all__: list[str] = []  # for methods of tensors, and no part of the namespace

NUMBERS: dict[str, type] = {"b": bool, "i": int, "u": int, "f": float, "c": complex}
"""The numbers of Python that are like those of a dtype, by its kind."""


def example_of(tensor: Tensor, *, is_pythons: bool = False) -> Any:
    """A value of NumPy's or Python's that is like what a tensor stands for in a graph.

    Of a number that is Python's on some paths alone it is NumPy's, unless `is_pythons`.
    """
    if is_weak(tensor) or (is_pythons and not isinstance(whose(tensor), bool)):
        return NUMBERS[tensor.dtype.kind](1)
    example = example_of_spec(ArraySpec(tensor.static_shape, tensor.dtype))
    return np.asarray(example) if slot_of(tensor).is_array else example


def example_of_spec(spec: ArraySpec) -> Any:
    """A number of NumPy's, or an array, of such a dtype and shape."""
    lengths = [dim if isinstance(dim, int) else 1 for dim in spec.shape or ()]
    return np.ones(lengths, spec.dtype.numpy)[()]


def like(operand: Any, *, is_pythons: bool = False) -> Any:
    """An example of a tensor; any other operand itself."""
    return example_of(operand, is_pythons=is_pythons) if isinstance(operand, Tensor) else operand


def refuse_as_python(function: Callable[..., Any], *operands: Any, like: Callable[..., Any] = like) -> None:
    """Raises what the program is told where no values of these kinds will do; nothing where some may.

    Parameters
    ----------
    function : callable
        An operator, or `getattr`.
    *operands : object
        Tensors among them.
    like : callable
        What an operand is in the example.

    Raises
    ------
    StateDisagrees
        Where they would do as numbers of Python's, or of NumPy's alone, and only a run knows whose they are.
    """
    builder = current_builder()
    if builder is None or is_strict() or current_defaults().static_shapes:
        return  # under TensorFlow's names a tensor is a tensor for the program, too
    if builder.context.mixed:
        ways = [[like(each, is_pythons=is_pythons) for each in operands] for is_pythons in (False, True)]
        if len({_is_refused(function, examples) for examples in ways}) > 1:
            refuse_either("one of them cannot do this")
    if (
        builder.context.real_on_paths
        and any(map(_is_complex, operands))
        and _is_refused(function, [*map(like, operands)])
    ):
        raise StateDisagrees(
            "a number is complex on some paths, and real on others, and one of them cannot do this",
            where=caller_location(),
            why="A value of a graph has one dtype, whichever path is taken.",
            way_out="Ask for its parts: `x.real`, `x.imag` or `abs(x)`.",
        )
    function(*map(like, operands))


def _is_complex(operand: Any) -> bool:
    return isinstance(operand, Tensor) and operand.dtype.kind == "c"


def refuse_either(why: str = "they do not do the same here") -> NoReturn:
    """Refuses a number that is Python's on some paths alone, where it matters which."""
    raise StateDisagrees(
        f"a number is Python's on some paths, and NumPy's on others, and {why}",
        where=caller_location(),
        why="Which of them was taken shows only when the graph runs.",
        way_out="Make it one of them on all paths: `float(x)`, `int(x)` and `bool(x)` give Python's.",
    )


def _is_refused(function: Callable[..., Any], operands: Sequence[Any]) -> bool:
    try:
        function(*operands)
    except (ArithmeticError, LookupError, ValueError):  # for which the value has to answer
        return False
    except Exception:  # noqa: BLE001  # what it is, the caller sees
        return True
    return False


_EQUAL_TO_THEIR_LIKES = (bytes, dict, frozenset, set, str)
"""Classes of Python's whose instances equal no number."""
_READ_AS_ARRAYS = {f"__array_{name}__" for name in ("interface", "priority", "struct", "ufunc")} | {
    "__array__"
}
"""Names in classes whose objects NumPy reads as arrays, or leaves the operator to."""
_SIGNS = {operator.eq: "==", operator.ne: "!="}

_ask_of_objects: Callable[..., Any] | None = None


def set_ask_of_objects(ask: Callable[..., Any]) -> None:
    """Says what an operator gives of an object and a value of the run, when the graph runs."""
    global _ask_of_objects  # noqa: PLW0603  # set once, at import: it is a call of Python
    _ask_of_objects = ask


def takes_values(other: Any) -> bool:
    """Whether an operand is an object of the standard library's (a date, a `Fraction`)."""
    home = type(other).__module__.partition(".")[0]
    return home != "builtins" and home.lstrip("_") in sys.stdlib_module_names and not is_strict()


def is_one_object(sign: Callable[[Any, Any], Any], other: Any) -> bool:
    """Whether an array beside an operand compares each of its elements with that, and it is equal to none.

    Raises
    ------
    StateDisagrees
        Where the class of the operand says itself what it is equal to, and NumPy asks it of each element.
    """
    kind: Any = type(other)
    built = getattr(other, "built", None) if is_ours(kind) else kind  # in whose place a container is
    if isinstance(built, type) and issubclass(built, _EQUAL_TO_THEIR_LIKES):
        return True
    names = {name for base in kind.__mro__ for name in vars(base)}  # without those of its own class
    if is_ours(kind) or names & _READ_AS_ARRAYS or {"__len__", "__getitem__"} <= names:
        return False
    method = kind.__eq__
    if method is object.__eq__ or (is_dataclass(kind) and _is_made_by_python(method)):
        return True
    if not isinstance(method, FunctionType) or is_strict():
        return bool(kind.__module__ == "builtins")  # a slice, a method: it is equal to its likes
    raise StateDisagrees(
        f"an array is compared with an instance of {kind.__name__}, which has an `__eq__` of its own",
        where=caller_location(),
        why="NumPy asks that method of each element in turn, and a graph has no elements one by one.",
        way_out=f"Write `other {_SIGNS[sign]} x`, which asks it once, or loop over the elements.",
    )


def _is_made_by_python(method: Any) -> bool:
    """Whether a method has no text: that of a dataclass knows its own class alone."""
    code = getattr(unwrap(method), "__code__", None)  # a trace has put another function in its place
    return code is not None and code.co_filename == "<string>"


def with_object(sign: Callable[[Any, Any], Any], *operands: Any, like: Callable[..., Any] = like) -> Any:
    """What an operator gives of such an object and a value of the run.

    Raises
    ------
    TypeError
        Where Python has none for the two.
    """
    with suppress(ArithmeticError, ValueError):  # of this number alone
        sign(*map(like, operands))
    return NotImplemented if _ask_of_objects is None else _ask_of_objects(sign, operands)


def read_only(*_: Any) -> NoReturn:
    """`Op.put_back` of an op whose result shows elements that nobody may write to, as NumPy says of it.

    Raises
    ------
    ValueError
        Always, in NumPy's words.
    """
    raise no_defect(ValueError("assignment destination is read-only"))
