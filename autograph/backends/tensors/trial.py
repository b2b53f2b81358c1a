"""The body of a `try`, traced once: what its variables hold wherever it may raise."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, TypeAlias

from autograph.backends.tensors.arrays import settled
from autograph.backends.tensors.made_inside import Column, MadeInside
from autograph.backends.tensors.raising import belongs_to_program
from autograph.backends.tensors.recursion import forget_functions
from autograph.backends.tensors.strings import Text, grounded
from autograph.staging import places
from autograph.staging.backend import Body
from autograph.staging.places import Cell, Place
from autograph.staging.state import State, Undefined
from runtime.core.structure import flatten
from runtime.core.tensor import Tensor
from runtime.graph.builder import Builder
from runtime.graph.op import Failures
from runtime.graph.symbol import Symbol
from runtime.ops.control_flow import NoOutcome
from runtime.ops.control_flow.attempt import Attempt, readable
from runtime.ops.raising import is_at_users_line, record

__all__ = ["Clauses", "Trial", "flat"]

Clauses: TypeAlias = Callable[[], Sequence[Any]]
"""The classes behind `except`, evaluated where somebody asks."""


class Trial:
    """The body of a `try`, traced once."""

    def __init__(self, body: Body, state: State, changed: Sequence[Place], clauses: Clauses) -> None:
        self.error: BaseException | None = None
        """What the body raised while it was traced, and would raise whatever the values are."""
        self.ends = True
        """Whether it may come to its end."""
        self._inside = MadeInside(places.listener())
        self._changed = changed
        self._width = len(state.names) + len(changed)
        self.attempt = Attempt(partial(self._left, state))
        _unbind_what_is_gone(changed, self.attempt.builder)
        changed_where_raised = self.attempt.builder.changed_where_raised
        known = len(changed_where_raised)
        with self.attempt.open():
            try:
                body()
            except NoOutcome:
                self.ends = False
            except BaseException as error:
                if not (belongs_to_program(error) or _is_expected(error, clauses)):
                    raise
                self.error = error
            if self.error is not None and self.attempt.failures():  # something else may come first
                record(self.error)
                self.error, self.ends = None, False
        self.raising: list[Place] = changed_where_raised[known:]
        """What paths in the body change that raise in the end."""
        self.failures: Failures = self.attempt.failures()
        self._last = self._left(state, self.attempt.builder)
        self.end = self._last[: self._width]

    def _left(self, state: State, builder: Builder) -> tuple[Any, ...]:
        """What variables, places and objects made inside are now, as far as a graph can read them.

        Arrays made inside are what they hold.
        """
        variables, held = state.get(), [place.get() for place in self._changed]
        values = (*variables, *held, *self._inside.look(variables, zip(self._changed, held, strict=True)))
        values = readable(values, builder)
        values = tuple([grounded(value) if isinstance(value, Text) else value for value in values])
        return tuple([settled(value, self.attempt.is_recent) for value in values])

    def forget(self) -> None:
        """Takes away what it has added to the graph, and the functions that have captured any of it."""
        self.attempt.forget()
        forget_functions()

    def snapshots(self) -> dict[int, Sequence[Any]]:
        """The variables and places at the checkpoints that are left, by number."""
        return {number: row[: self._width] for number, row in self.attempt.snapshots().items()}

    def columns(self) -> list[Column]:
        """The places in objects made inside of which only a `Try` can say what they hold behind it."""
        rows = [*self.attempt.snapshots().values(), *([self._last] if self.ends else [])]
        held = [row[self._width :] for row in rows]
        return list(self._inside.columns(held, self._changed, self.attempt.stays()))


def _unbind_what_is_gone(changed: Sequence[Place], builder: Builder) -> None:
    """Takes away what a former trace of the body has left in variables that a function inside shares.

    Such a variable may be bound before it is announced; nobody reads what it held before the statement.
    """
    for place in changed:
        leaves = flatten(place.get())[0] if isinstance(place, Cell) else []
        if any(isinstance(leaf, Symbol) and builder.arrays.has_left(leaf.value.node) for leaf in leaves):
            place.set(Undefined(place.name))


def _is_expected(error: BaseException, clauses: Clauses) -> bool:
    """Whether the statement does what its objects cannot do, and handles just that.

    It asks for an attribute that there is not, or has an operator of Python's refuse its operands.
    """
    if type(error) is TypeError and TypeError in flat(clauses()):
        return is_at_users_line(error)
    if type(error) is not AttributeError or AttributeError not in flat(clauses()):
        return False
    return not (isinstance(error.obj, Tensor) and hasattr(Tensor, str(error.name)))


def flat(clauses: Sequence[Any]) -> Iterator[type[BaseException]]:
    """The classes behind `except`, in order; a tuple of them stands for each one."""
    for clause in clauses:
        if isinstance(clause, tuple):
            yield from flat(clause)
        else:
            yield clause
