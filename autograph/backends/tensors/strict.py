"""Strict mode: what TensorFlow's AutoGraph refuses of statements is refused, in its words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NoReturn

from autograph.staging.context import staging
from autograph.staging.state import Role, Undefined, UndefinedReturnValue
from runtime.errors import RefusedConstruct, RefusedType, RefusedValue
from runtime.graph.build import current_builder, is_strict
from runtime.graph.builder import Builder

__all__ = [
    "in_turn",
    "refuse_growth",
    "refuse_item_assignment",
    "refuse_iteration",
    "refuse_membership",
    "refuse_mixed_for",
    "refuse_mixed_while",
    "require_branches",
    "require_iteration",
]

_BRANCHES = "main", "else"


@contextmanager
def in_turn() -> Iterator[None]:
    """A turn of a loop is traced here, into the graph that is being built."""
    builder = current_builder()
    if builder is None or not is_strict():
        yield
        return
    staging.turns.append(builder)
    try:
        yield
    finally:
        staging.turns.pop()


def require_branches(
    names: Sequence[str], roles: Sequence[Role], left: Sequence[Any], right: Sequence[Any]
) -> None:
    """In strict mode, every variable has a value at the end of both branches, or in neither."""
    if is_strict():
        for name, role, *values in zip(names, roles, left, right, strict=True):
            for branch, value, other in zip(_BRANCHES, values, reversed(values), strict=True):
                _require_value(name, role, branch, value, other)


def _require_value(name: str, role: Role, branch: str, value: Any, other: Any) -> None:
    """Raises when one branch has no value for a variable and the other has."""
    if role is Role.RETURNED and _is_nothing(value) and not _is_nothing(other):
        if any(each is turn for each in _open() for turn in staging.turns):
            _refuse_return_in_a_loop()
        raise RefusedValue(
            f"the {branch} branch must also have a return statement.",
            way_out="Return a value in both branches.",
        )
    if isinstance(value, Undefined) and not isinstance(other, Undefined):
        raise RefusedValue(
            f"'{name}' must also be initialized in the {branch} branch",
            way_out=f"Give `{name}` a value in both branches, or before the `if`.",
        )
    if value is None and other is not None:
        raise RefusedValue(
            f"'{name}' is None at the end of the {branch} branch.",
            way_out=f"Give `{name}` a number or a tensor that stands for nothing.",
        )


def require_iteration(names: Iterable[str], before: Iterable[Any], after: Iterable[Any]) -> None:
    """In strict mode, a turn of a loop returns nothing from the function, and leaves no None."""
    if not is_strict():
        return
    for name, start, value in zip(names, before, after, strict=True):
        if isinstance(start, UndefinedReturnValue) and not isinstance(value, UndefinedReturnValue):
            _refuse_return_in_a_loop()
        if value is None and start is not None:
            raise RefusedValue(
                f"'{name}' is None at the end of the iteration.",
                way_out=f"Give `{name}` a number or a tensor that stands for nothing.",
            )


def _is_nothing(value: Any) -> bool:
    return value is None or isinstance(value, Undefined | UndefinedReturnValue)


def _open() -> list[Builder]:
    builder = current_builder()
    return [] if builder is None else [builder, *builder.ancestors()]


def _refuse_return_in_a_loop() -> NoReturn:
    raise RefusedConstruct(
        "a return statement cannot be placed inside this TensorFlow loop; this may happen if a return "
        "statement depends on a static Python condition such as a hyperparameter",
        way_out="Keep the result in a variable, and return it behind the loop.",
    )


def refuse_growth() -> None:
    """In strict mode, raises for a list that a staged statement makes longer or shorter."""
    if is_strict():
        raise RefusedValue(
            "a tensor was put into a Python list in a staged statement: it is out of scope and cannot be "
            "used here. Use return values, explicit Python locals or TensorFlow collections to access it.",
            way_out="Write to an `rt.TensorArray`.",
        )


def refuse_mixed_for() -> None:
    """In strict mode, raises for a Python `for` that a tensor ends."""
    if is_strict():
        raise RefusedConstruct(
            "break and return statements which depend on a TF condition are not supported in Python for "
            "loops. Did you intend to make it a TF loop?",
            way_out="Loop over a tensor: `for i in rt.arange(n)`.",
        )


def refuse_mixed_while() -> None:
    """In strict mode, raises for a `while` whose test becomes a tensor in a later turn."""
    if is_strict():
        raise RefusedConstruct(
            "The condition of while loop started as non-Tensor, then changed to Tensor. This may happen "
            "either because variables changed type, or when a break or return statement inside the loop "
            "depends on a Tensor condition. In both cases, changing to a TF loop should remove the error.",
            way_out="Make what the test reads a tensor before the loop: `i = rt.asarray(0)`.",
        )


def refuse_iteration() -> None:
    """In strict mode, raises for a comprehension, or a builtin of Python, over a tensor."""
    if is_strict():
        raise RefusedType(
            "Iterating over a symbolic `tf.Tensor` is not allowed.",
            way_out="Write a `for` statement, or compute with the whole tensor.",
        )


def refuse_membership() -> None:
    """In strict mode, raises for `in` on tensors, whose answer is a tensor."""
    if is_strict():
        raise RefusedType(
            "Using a symbolic `tf.Tensor` as a Python `bool` is not allowed.",
            way_out="Write `rt.any(x == item)`.",
        )


def refuse_item_assignment() -> None:
    """In strict mode, raises for an item of a tensor that is set."""
    if is_strict():
        raise RefusedType(
            "'SymbolicTensor' object does not support item assignment",
            way_out="Write `x = x.at[index].set(value)`.",
        )
