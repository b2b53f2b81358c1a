"""`State`: the variables of a staged statement, by getter and setter; and the values of unbound ones."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from enum import Enum
from types import FunctionType
from typing import Any, TypeAlias

from autograph.staging.spoken import called
from autograph_base.dataclass import dataclass

__all__ = [
    "OF_VARIABLES",
    "Getter",
    "Missing",
    "Role",
    "Roles",
    "Setter",
    "State",
    "Undefined",
    "UndefinedReturnValue",
    "nothing",
    "require_value",
    "roles_of",
]

Getter: TypeAlias = Callable[[], tuple[Any, ...]]
Setter: TypeAlias = Callable[[tuple[Any, ...]], None]

RETURNED = "what is returned"
"""What messages call the variable behind `return`."""


class Role(Enum):
    """What a variable of a state is there for; its name does not say."""

    USER = "a variable of the user's"
    RETURNED = "the value behind `return`"
    HELPER = "a variable of generated code: a flag, or an intermediate value"


class Roles(tuple[Role, ...]):
    """The roles of a state's variables, in their order. The code of a generated getter carries them."""

    __slots__ = ()


def roles_of(get: Getter, count: int) -> tuple[Role, ...]:
    """The roles of the variables that a getter reads.

    Parameters
    ----------
    get : callable
    count : int
        How many variables there are. They are all the user's where the getter's code does not say more.

    Returns
    -------
    tuple of Role
    """
    if isinstance(get, FunctionType):
        for constant in reversed(get.__code__.co_consts):  # they stand at the end
            if type(constant) is Roles:
                return constant
    return (Role.USER,) * count


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
    roles : tuple of Role, optional
        What each variable is there for; by default what the getter's code says.

    Attributes
    ----------
    labels : tuple of str
        What messages call the variables; the one behind `return` has no name of the user's.
    """

    __slots__ = ("get", "labels", "names", "nouts", "roles", "set")

    def __init__(
        self,
        get: Getter,
        set: Setter,
        names: tuple[str, ...],
        nouts: int,
        roles: tuple[Role, ...] | None = None,
    ) -> None:
        self.get = get
        self.set = set
        self.names = names
        self.nouts = nouts
        self.roles = roles_of(get, len(names)) if roles is None else roles
        self.labels = tuple(
            [
                RETURNED if role is Role.RETURNED else name
                for name, role in zip(names, self.roles, strict=True)
            ]
        )

    def call_off(self, before: tuple[Any, ...]) -> None:
        """Sets the flags of jumps as they were: an exception that is swallowed calls off what led out.

        Parameters
        ----------
        before : tuple
            The values in front of the statement.
        """
        found = zip(self.get(), before, self.roles, strict=True)
        self.set(tuple([was if role is Role.HELPER else value for value, was, role in found]))

    @property
    def whole(self) -> State:
        """The same variables, all of which are read."""
        return State(self.get, self.set, self.names, len(self.names), self.roles)

    def __repr__(self) -> str:
        return f"State({', '.join(self.names)})"


def unbound(name: str) -> str:
    """What Python says of a local variable that is read before it has a value."""
    return f"cannot access local variable '{name}' where it is not associated with a value"


_words: Callable[[str], str] = unbound


def set_unbound(words: Callable[[str], str]) -> None:
    """Says in which words a local variable without a value is refused; Python's, until then."""
    global _words  # noqa: PLW0603  # set once, by the backend that has a strict mode
    _words = words


@called("nothing")
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
        raise UnboundLocalError(_words(self.name))

    def read_from_inner_function(self) -> Any:
        """Raises what Python raises when a function within the owner reads it; else as `read`."""
        raise NameError(
            f"cannot access free variable '{self.name}' where it is not associated with a value"
            " in enclosing scope",
            name=self.name,
        )

    def __repr__(self) -> str:
        return f"Undefined({self.name!r})"


@dataclass(frozen=True)
class Missing:
    """What Python raises where something has no value.

    Attributes
    ----------
    kind : type of exception
    text : str
        What it says; empty for a variable, of which who reads it says that.
    instead : callable, optional
        What Python asks before it raises: the `__getattr__` of a class.
    """

    kind: type[Exception] = UnboundLocalError
    text: str = ""
    instead: Callable[[], Any] | None = field(default=None, compare=False)


OF_VARIABLES = Missing()


def require_value(value: Any) -> None:
    """Sees to it that a backend has the graph raise where what is about to be deleted has no value.

    Where that is known, Python says it.
    """
    if isinstance(value, Undefined) and type(value) is not Undefined:
        value.read()


@called("nothing")
class UndefinedReturnValue:
    """What a function has to return before it met a `return`: stands for None."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "UndefinedReturnValue()"


def nothing() -> None:
    """The body of an arm that does nothing."""
