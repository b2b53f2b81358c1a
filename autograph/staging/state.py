"""The variables of a staged statement, and the values of those that have none yet."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

__all__ = ["Getter", "Setter", "State", "Undefined", "UndefinedReturnValue", "nothing"]

Getter: TypeAlias = Callable[[], tuple[Any, ...]]
Setter: TypeAlias = Callable[[tuple[Any, ...]], None]


class State:
    """The variables that a statement rebinds and that its surroundings see, behind a getter and a setter.

    A backend runs the body of a statement as often as it likes: it saves the state, calls the body, reads
    what the body left, and sets the state again.

    Parameters
    ----------
    get : callable
        Returns the present values as a tuple. A variable without a value shows as `Undefined`.
    set : callable
        Takes such a tuple and rebinds the variables.
    names : tuple of str
        The variables as the user spells them (``'x'``, ``'self.total'``), in the order of the tuple.
    nouts : int
        How many of them, counted from the first, are read after an `if`; its branches alone see the others.
        For a loop, which carries every one of them from turn to turn: all.
    """

    __slots__ = ("get", "names", "nouts", "set")

    def __init__(self, get: Getter, set: Setter, names: tuple[str, ...], nouts: int) -> None:
        self.get = get
        self.set = set
        self.names = names
        self.nouts = nouts

    def __repr__(self) -> str:
        return f"State({', '.join(self.names)})"


class Undefined:
    """The value of a local variable before anything was assigned to it, or after `del`.

    Parameters
    ----------
    name : str
        The variable.

    Examples
    --------
    >>> Undefined("x").read()
    Traceback (most recent call last):
    UnboundLocalError: cannot access local variable 'x' where it is not associated with a value
    """

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def read(self) -> Any:
        """Raises what Python raises when the function that owns the variable reads it.

        A backend's variable that has a value on some paths gives the value, and has the graph raise.
        """
        raise UnboundLocalError(
            f"cannot access local variable '{self.name}' where it is not associated with a value"
        )

    def read_from_inner_function(self) -> Any:
        """Raises what Python raises when a function within the owner reads it; else as `read`."""
        raise NameError(
            f"cannot access free variable '{self.name}' where it is not associated with a value"
            " in enclosing scope",
            name=self.name,
        )

    def __repr__(self) -> str:
        return f"Undefined({self.name!r})"


class UndefinedReturnValue:
    """What a function has to return before it met a `return`: stands for None."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "UndefinedReturnValue()"


def nothing() -> None:
    """The body of an arm that does nothing."""
