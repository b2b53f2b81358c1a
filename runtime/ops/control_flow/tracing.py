"""Shared by branches, loops and calls: Python functions traced into sub-graphs, and leaves joined."""

from __future__ import annotations

from collections.abc import Sequence
from inspect import CO_VARARGS
from operator import is_
from types import FunctionType
from typing import Any

import numpy as np

from autograph_base.dataclass import dataclass
from runtime import ops
from runtime.core import shapes
from runtime.core.dtypes import DType, bool_, result_type
from runtime.core.spec import ArraySpec, ListSpec, Spec
from runtime.core.structure import Structure, leaf_paths, map_leaves
from runtime.core.tensor import Tensor, TensorLike
from runtime.errors import DTypeError, IntTooLarge, NotAFunction, ShapeError
from runtime.graph import strict
from runtime.graph.build import (
    array_spec_of,
    as_tensor,
    builder_in_use,
    building,
    current_builder,
    current_defaults,
    is_pythons_own,
    is_strict,
    is_weak,
    promotion_operand,
    spec_of,
    value_in,
)
from runtime.graph.builder import Builder
from runtime.graph.graph import Value
from runtime.graph.kinds import note_kinds
from runtime.graph.location import UNKNOWN, Location
from runtime.graph.whose_numbers import Unknown, Whose, one_of, whose
from runtime.ops.control_flow.try_catch import NoError
from runtime.ops.known import concrete
from runtime.ops.refused_calls import blame
from runtime.ops.tensor_list import is_made_empty

__all__ = ["ABSENT", "NoOutcome"]


class _Absent:
    """The type of `ABSENT` and `EMPTY`."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __repr__(self) -> str:
        return self._name


ABSENT = _Absent("ABSENT")
"""A leaf without a value on one path, which nobody reads there: zeros stand in for it in the graph."""

EMPTY = _Absent("EMPTY")
"""A list without elements, where none can be made: the same stands in for it, and it is read."""


def has_no_value(leaf: Any) -> bool:
    """Whether something of the graph's own stands in for a leaf."""
    return isinstance(leaf, _Absent)


def absent(nest: Any) -> Any:
    """The same nest, with `ABSENT` for every leaf."""
    return map_leaves(lambda _: ABSENT, nest)


class NoOutcome(BaseException):  # a signal of control flow, which no handler of the user's is to catch
    """Ends the tracing of a branch or an iteration that leaves nothing behind: the graph raises there.

    Raised by whoever recorded the node that raises, and caught by the statement around: the other branch's
    values are the statement's. Where no branch is left it goes on to the next statement around.
    """


@dataclass
class Traced:
    """What a Python function left behind in a sub-graph."""

    builder: Builder
    leaves: list[Any]
    structure: Structure

    def outputs(self, leaves: Sequence[Any], specs: Sequence[Spec]) -> list[Value]:
        """Values of the graph for `leaves`, cast to the joined dtypes."""
        with building(self.builder):
            return [as_value(self.builder, leaf, spec) for leaf, spec in zip(leaves, specs, strict=True)]


def is_same_object(left: Any, right: Any) -> bool:
    """Whether two leaves that are no tensors are one: strings are, of the same characters.

    So are two functions that one line has made, where they share all that they read.
    """
    if left is right or type(left) is not type(right):
        return left is right
    if type(left) is FunctionType:
        found, builder = _is_made_alike(left, right), current_builder()
        if found and builder is not None:
            builder.context.alike |= {id(left): left, id(right): right}
        return found
    return isinstance(left, (str, bytes)) and bool(left == right)


def may_be_either(left: Any, right: Any) -> bool:
    """Whether two functions are one, or two that one line has made, and a path may have left either."""
    builder = current_builder()
    if builder is None or not builder.context.alike or not type(left) is type(right) is FunctionType:
        return False
    is_known = id(left) in builder.context.alike or id(right) in builder.context.alike
    return is_known and (left is right or _is_made_alike(left, right))


def _is_made_alike(left: FunctionType, right: FunctionType) -> bool:
    if left.__code__ is not right.__code__:
        return False
    if left.__kwdefaults__ or right.__kwdefaults__ or vars(left) or vars(right):
        return False
    cells = left.__closure__ or (), right.__closure__ or ()
    defaults = left.__defaults__ or (), right.__defaults__ or ()
    return all(map(is_, *cells)) and len(defaults[0]) == len(defaults[1]) and all(map(_is_equal, *defaults))


def _is_equal(left: Any, right: Any) -> bool:
    """Whether two values are one, or Python's own of which nobody can tell one from the other."""
    is_own = type(left) is type(right) and type(left) in {bool, int, float, str}
    return left is right or (is_own and repr(left) == repr(right))


def is_tensor(leaf: Any) -> bool:
    """Whether a leaf becomes a value of the graph; anything else must be the same object on every path."""
    return isinstance(
        leaf, (_Absent, Tensor, Value, bool, int, float, complex, np.ndarray, np.generic)
    ) or hasattr(type(leaf), "__tensor__")


def as_value(builder: Builder, leaf: Any, spec: Spec) -> Value:
    if has_no_value(leaf):
        return _zeros(builder, spec)
    if isinstance(spec, ListSpec):
        return value_in(builder, ops.list_widened(as_tensor(leaf), spec.element))
    if isinstance(leaf, Value) and isinstance(spec, ArraySpec) and leaf.dtype is spec.dtype:
        return value_in(builder, leaf)  # what an array held: a tensor of it would be what it holds now
    return value_in(builder, _cast(leaf, spec.dtype) if isinstance(spec, ArraySpec) else leaf)


VALUES = frozenset({"the value", "what is returned"})
"""What stands in the place of a variable's name, where a value has none."""


def note_meeting(
    builder: Builder, path: str, leaves: Sequence[Any], values: Sequence[Value], where: Location
) -> None:
    """Notes that leaves that meet in a variable, and become these values, are numbers of several kinds."""
    spec = values[0].spec
    if not isinstance(spec, ArraySpec) or builder.strict:
        return
    operands = [operand(leaf) for leaf in leaves if not has_no_value(leaf)]
    kinds = [(array_spec_of(each).dtype, is_weak(each)) for each in operands]
    loses_digits = not all(_is_exact(each, spec.dtype) for each in operands if is_weak(each))
    name = path if path in VALUES else f"`{path}`"
    note_kinds(builder, name, kinds, spec.dtype, where, values, loses_digits=loses_digits)
    owners = [whose(each) for each in operands]
    if owners.count(True) == 1 and owners.count(False) == len(owners) - 1:
        known = concrete(as_tensor(operands[owners.index(True)]))
        if known is not None:
            builder.context.own_numbers[values[-1]] = known.item()


def _is_exact(number: Any, dtype: DType) -> bool:
    """Whether a number of Python's own keeps its digits in a dtype of its kind, as far as it is known."""
    own = array_spec_of(number).dtype
    if own.kind not in "fc" or own.kind != dtype.kind or dtype.itemsize >= own.itemsize:
        return True
    known = concrete(as_tensor(number))
    return known is not None and bool(np.array_equal(known.astype(dtype.numpy), known, equal_nan=True))


def _zeros(builder: Builder, spec: Spec) -> Value:
    """A value of this spec that nobody reads."""
    if isinstance(spec, ListSpec):
        return value_in(builder, ops.list_from((), spec.element))
    if not isinstance(spec, ArraySpec):
        return builder.add(NoError(spec), (), UNKNOWN).outputs[0]
    return builder.constant(np.zeros(shapes.smallest(spec.shape), spec.dtype.numpy))


def _cast(leaf: Any, dtype: DType) -> Tensor:
    if isinstance(leaf, (bool, int, float, complex)):
        return Tensor(array_of(leaf, dtype))
    return ops.held_as(as_tensor(leaf), dtype)


def array_of(leaf: Any, dtype: DType) -> np.ndarray[Any, Any]:
    """A known leaf in the dtype of the variable that it is put into.

    Raises
    ------
    IntTooLarge
        When it is an int of Python's own for which the numbers that it meets have no room.
    """
    try:
        return np.asarray(leaf, dtype.numpy)
    except OverflowError:
        raise IntTooLarge(f"{leaf} does not fit {dtype}, the dtype of the numbers that it meets") from None


def join(left: Any, right: Any) -> tuple[Spec, bool]:
    """The spec that holds both leaves, and whether it still stands for a Python number."""
    if left is ABSENT or right is ABSENT:
        left = right = left if right is ABSENT else right
    first, second = operand(left), operand(right)
    one, other = spec_of(first), spec_of(second)
    if not isinstance(one, ArraySpec) or not isinstance(other, ArraySpec):
        return one.join(other), is_weak(first) and is_weak(second)
    weights = promotion_operand(first), promotion_operand(second)
    dtype = one.dtype if one.dtype is other.dtype else result_type(*weights, defaults=_defaults())
    dtype = ops.dtype_with_room(ops.dtype_with_room(dtype, first), second)
    shape = shapes.join(one.shape, other.shape)
    return ArraySpec(shape, dtype), not any(isinstance(weight, DType) for weight in weights)


def _defaults() -> Any:
    builder = builder_in_use()
    return builder.defaults


def operand(leaf: Any) -> Any:
    return leaf if isinstance(leaf, Value) or is_pythons_own(leaf) else as_tensor(leaf)


def require_function(given: Any, role: str, count: int) -> None:
    """Refuses what is no function, or takes another number of arguments, before it is called among ours."""
    if not callable(given):
        raise NotAFunction(
            f"{role} is {given!r}, which cannot be called",
            why="It is called while the graph is built, or at once where none is.",
            way_out="Give a function: `lambda: …`.",
        )
    if type(given) is FunctionType and not given.__code__.co_flags & CO_VARARGS:
        parameters = given.__code__.co_argcount
        if parameters < count or parameters - len(given.__defaults__ or ()) > count:
            raise NotAFunction(
                f"{role} takes {parameters} argument{'s' * (parameters != 1)}, and is called with {count}",
                why="It is called with one argument for each variable of the loop."
                if count
                else "A branch is called without arguments; it reads the variables around it.",
                way_out=f"Give a function that takes {count or 'none'}.",
            )


def predicate(test: TensorLike, statement: str) -> Tensor:
    """`test` as one bool, by Python's truth of a number."""
    tensor = as_tensor(test)
    if isinstance(tensor.spec, ListSpec):
        raise DTypeError(
            f"a list of tensors cannot decide a staged `{statement}`",
            why="A graph needs one truth value, and the list is a value of the graph.",
            way_out="Compare its length: `len(items) > 0`.",
        )
    if is_strict() and (tensor.dtype is not bool_ or tensor.static_shape not in {(), None}):
        strict.refuse_test(tensor.spec, statement)
    if _is_of_any_rank(tensor):
        _refuse_several(tensor)
        tensor = ops.reshape(tensor, ())
    elif shapes.size(tensor.static_shape) == 1 and tensor.static_shape:
        tensor = ops.reshape(tensor, ())
    if tensor.static_shape not in {(), None}:
        error = ambiguous(tensor.static_shape, f"`{statement}`")
        blame(error, bool, (tensor,))
        raise error
    return tensor if tensor.dtype is bool_ else ops.cast(tensor, bool_)


def _is_of_any_rank(tensor: Tensor) -> bool:
    """Whether nobody knows the axes of what may be a number, or an array; TensorFlow's ops ask themselves."""
    return tensor.static_shape is None and not is_strict() and not current_defaults().static_shapes


def _refuse_several(tensor: Tensor) -> None:
    """Raises what NumPy raises, in runs in which an array has not one element."""
    from runtime.ops.control_flow.failing import fail_where  # noqa: PLC0415  # it branches, by a truth

    text = "The truth value of an array with more than one element is ambiguous. Use a.any() or a.all()"
    fail_where(ops.not_equal(ops.size(tensor), 1), ValueError(text))


def ambiguous(shape: shapes.Shape, statement: str) -> ShapeError:
    """What to raise where one truth is asked of an array of such a shape."""
    return ShapeError(
        f"the truth of a tensor of shape {shapes.text(shape)} is ambiguous in this {statement}",
        why="It has more than one element, or may have, and some may be true and others not.",
        way_out="Say which you mean: `rt.any(x)` or `rt.all(x)`.",
    )


def whose_of(leaves: Sequence[Any]) -> Whose:
    """Whose number it is that is one of some leaves, where nothing tells which."""
    held = [operand(leaf) for leaf in leaves if not has_no_value(leaf)]
    return one_of([whose(each) for each in held if not is_made_empty(each)])


def describe(leaf: Any) -> str:
    if is_tensor(leaf):
        return str(spec_of(operand(leaf)))
    leaf = getattr(leaf, "ag__object", leaf)  # of what stands for an object of the program's
    return f"{leaf!r} ({getattr(type(leaf), 'built', type(leaf)).__name__})"


def first_difference(
    left: Structure, right: Structure, names: Sequence[str] | None
) -> tuple[str, Structure, Structure]:
    if names is not None:
        for name, one, other in zip(names, left.children, right.children, strict=False):
            if one != other:
                return f"`{name}`", one, other
    return "what is returned", left, right


def way_out(left: Structure, right: Structure, otherwise: str) -> str:
    """What to do about two structures that differ."""
    kinds = {left.kind, right.kind}
    if type(None) in kinds:
        return "None is no tensor: give a number or a tensor in its place, one that stands for nothing."
    if kinds == {list}:
        return "A list of a graph cannot grow: write to an `rt.TensorArray`."
    if None in kinds and list in {getattr(kind, "built", kind) for kind in kinds}:
        return f"{otherwise} An array becomes a list by `x.tolist()`, and a list an array by `np.array(x)`."
    return otherwise


def paths_of(structure: Structure, names: Sequence[str] | None) -> list[str]:
    if names is None:
        return [path or "result" for path in leaf_paths(structure, "result")]
    return [
        path
        for name, child in zip(names, structure.children, strict=True)
        for path in leaf_paths(child, name)
    ]


def mark_weak(builder: Builder, values: Sequence[Value], weak: Sequence[bool]) -> None:
    """Says which values stand for Python numbers."""
    builder.context.weak.update(value for value, is_weak in zip(values, weak, strict=True) if is_weak)


def mark_numbers(
    builder: Builder, values: Sequence[Value], weak: Sequence[bool], mixed: Sequence[bool]
) -> None:
    """Says which values stand for Python numbers, and which do on some paths that no value tells."""
    mark_weak(builder, values, weak)
    for value, is_mixed in zip(values, mixed, strict=True):
        if is_mixed:
            builder.context.mixed[value] = Unknown()
