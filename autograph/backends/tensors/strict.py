"""Strict mode: refuses the statements that TensorFlow's AutoGraph refuses, in its words."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NoReturn

from autograph.frames import user_frames
from autograph.staging.context import staging
from autograph.staging.places import Contents, Item, Place
from autograph.staging.state import Role, Undefined, UndefinedReturnValue, set_unbound, unbound
from runtime.errors import RefusedConstruct, RefusedType, RefusedValue
from runtime.graph.build import current_builder, is_strict
from runtime.graph.builder import Builder

__all__ = [
    "defined_before",
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


def _words(name: str) -> str:
    return _before_assignment(name) if is_strict() else unbound(name)


def _before_assignment(name: str) -> str:
    return f"'{name}' is used before assignment"


set_unbound(_words)


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


def defined_before(missing: Iterable[str], turn: Callable[..., Any], *values: Any) -> Any:
    """What a turn gives; in strict mode, it reads no variable of `missing`, which have no value before it."""
    try:
        return turn(*values)
    except UnboundLocalError as error:
        for name in missing if is_strict() else ():
            if str(error) == _before_assignment(name):
                raise RefusedValue(
                    f"'{name}' must be defined before the loop",
                    origin="Note: AutoGraph tried to define it automatically, but ran into a "
                    f"UnboundLocalError: {error}",
                    way_out=f"Give `{name}` a value before the loop.",
                ) from None
        raise


def require_branches(
    names: Sequence[str],
    roles: Sequence[Role],
    left: Sequence[Any],
    right: Sequence[Any],
    changed: Sequence[Place],
) -> None:
    """In strict mode, every variable has a value at the end of both branches, or in neither.

    The last of them are the places that changed; a dict has the same keys at the end of both.
    """
    if not is_strict():
        return
    variables = names[: len(names) - len(changed)]
    called = [*variables, *[_called(place) for place in changed]]
    for branch, values, others in ("main", left, right), ("else", right, left):
        for name, role, value, other in zip(called, roles, values, others, strict=True):
            _require_value(name, role, branch, value, other)
        for place, value, other in zip(
            changed, values[len(variables) :], others[len(variables) :], strict=True
        ):
            if isinstance(place, Contents) and isinstance(place.owner, dict):
                for key in other:
                    if key not in value:
                        name = f"{_path_to(place.owner) or place.name}[{key!r}]"
                        _require_value(name, Role.USER, branch, Undefined(name), other[key])


def _called(place: Place) -> str:
    """What a user calls a place: `d['b']`, where it is an item of the `d` in hand."""
    path = _path_to(place.owner) if isinstance(place, Item) and place.missing is KeyError else None
    return f"{path}[{place.item!r}]" if isinstance(place, Item) and path else place.name


def _path_to(owner: Any) -> str | None:
    """How the running function reaches a dict: by a variable, or by an item or an attribute of one."""
    for frame in user_frames(sys._getframe()):  # noqa: SLF001  # the one way to look at a frame
        known = frame.f_locals
        for name, value in known.items():
            if value is owner:
                return name
        for name, value in known.items():
            for path, inner in _inside(name, value):
                if inner is owner:
                    return path
    return None


def _inside(name: str, value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, Mapping):
        yield from [(f"{name}[{key!r}]", each) for key, each in value.items()]
    elif hasattr(value, "__dict__"):
        yield from [(f"{name}.{key}", each) for key, each in vars(value).items()]


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


def refuse_growth(owners: Iterable[Any]) -> None:
    """In strict mode, raises for a list that a staged statement makes longer or shorter.

    A dict may get entries in a loop, as with TensorFlow: each is a variable of the loop there.
    """
    if is_strict() and not all(isinstance(owner, dict) for owner in owners):
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
