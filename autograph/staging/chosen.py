"""Conditional expressions that bind variables (`:=`), as an `if` statement."""

from __future__ import annotations

from typing import Any

from autograph.staging.backend import Backend, Thunk
from autograph.staging.state import Getter, Role, Setter, State, Undefined, roles_of

__all__ = ["chosen"]


def chosen(
    backend: Backend,
    test: Any,
    body: Thunk,
    orelse: Thunk,
    get_state: Getter,
    set_state: Setter,
    names: tuple[str, ...],
) -> Any:
    """`body() if test else orelse()`, as an `if` statement that binds the value beside the variables.

    Parameters
    ----------
    backend : Backend
        The one that `test` belongs to.
    test : object
    body, orelse : callable
        The two values, put off.
    get_state, set_state, names
        The variables that the two bind.

    Returns
    -------
    object
    """
    value: Any = Undefined("the value")

    def get() -> tuple[Any, ...]:
        return (value, *get_state())

    def set(values: tuple[Any, ...]) -> None:
        nonlocal value
        value, *variables = values
        set_state(tuple(variables))

    def if_body() -> None:
        nonlocal value
        value = body()

    def else_body() -> None:
        nonlocal value
        value = orelse()

    roles = (Role.HELPER, *roles_of(get_state, len(names)))
    state = State(get, set, ("the value", *names), 1 + len(names), roles)
    backend.if_stmt(test, if_body, else_body, state)
    return value
