"""Places outside of a function that its graph keeps up to date: an attribute that it counts up, a global.

Who watches the trace (AutoGraph does) says which places the function changed. Where one of them is left with
a value of the graph, the function is traced again: the place's value comes in through a variable, and the
graph writes what is left to it. Around each run the variable and the place are brought in line.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

from runtime import ops
from runtime.core.shapes import smallest
from runtime.core.spec import ArraySpec, as_array_spec
from runtime.core.structure import flatten, unflatten
from runtime.errors import SignatureError, StateDisagrees
from runtime.functions.reachable import leads_to
from runtime.graph.build import array_spec_of, as_tensor, outside_graphs, spec_of
from runtime.graph.builder import Builder
from runtime.graph.symbol import Symbol
from runtime.ops.control_flow.tracing import is_tensor, join, operand
from runtime.variables import Variable

__all__ = ["Change", "ExternalState", "Observe", "Place", "first_external", "revised", "unobserved"]


class Place(Protocol):
    """Something outside of a function that holds a value.

    Attributes
    ----------
    key : hashable
        The same for two objects that stand for one place.
    name : str
    owner : object
        What the place is in.
    """

    key: Any
    name: str
    owner: Any

    def get(self) -> Any:
        """The value now."""

    def set(self, value: Any) -> None:
        """Gives it another one."""

    def announce(self) -> None:
        """Called before a run of the graph gives it another value."""


@dataclass(frozen=True)
class Change:
    """A place that a function gave a value while it was traced.

    Attributes
    ----------
    place : Place
    before, now : object
        Its values before the function and after it.
    is_new : bool
        Whether it had none before.
    """

    place: Place
    before: Any
    now: Any
    is_new: bool = False


Observe: TypeAlias = Callable[[Callable[[], Any], Sequence[Any]], tuple[Any, Sequence[Change]]]
"""Runs a function, and says what it gives and which places it changed.

It gets what the function starts from, too: the function that the user wrote, and its arguments.
"""


def unobserved(run: Callable[[], Any], roots: Sequence[Any]) -> tuple[Any, Sequence[Change]]:
    """Nobody watches."""
    del roots
    return run(), ()


class ExternalState:
    """A place, and the variables that hold its value while a graph runs.

    Parameters
    ----------
    place : Place
    value : nest of tensors and numbers
        The value before the function runs.
    form : nest
        A value of the same structure.
    specs : sequence of ArraySpec
        What every value of it is like, leaf by leaf.
    is_new : bool
        Whether the function is the first to give it a value: then none comes in.
    """

    def __init__(
        self, place: Place, value: Any, form: Any, specs: Sequence[ArraySpec], *, is_new: bool
    ) -> None:
        self.place = place
        self._value = value
        self._form = form
        self._specs = list(specs)
        self._is_new = is_new
        _, self._structure = flatten(form)
        self._entered: list[Any] = []
        with outside_graphs():
            self._variables = [
                Variable(ops.zeros(smallest(spec.shape), dtype=spec.dtype), shape=spec.shape)
                for spec in specs
            ]

    def enter(self, builder: Builder) -> None:
        """While the function is traced, the place has the variables' values."""
        self._entered = [variable.read_value() for variable in self._variables]
        if self._is_new:
            return
        for symbol, leaf in zip(self._entered, flatten(self._value)[0], strict=True):
            if isinstance(leaf, (bool, int, float, complex)):
                builder.weak.add(symbol.value)
        self.place.set(unflatten(self._structure, self._entered))

    def restore(self) -> None:
        """Gives the place the value that it had before the trace."""
        self.place.set(self._value)

    def widened(self, now: Any) -> ExternalState | None:
        """A keeper that holds what the function leaves, too; None where this one does.

        Raises
        ------
        TypeError
            When no graph can hold both.
        """
        leaves, structure = flatten(now)
        if structure != self._structure or not all(map(is_tensor, leaves)):
            raise StateDisagrees(
                f"`{self.place.name}` has another structure after the function than before it",
                details=[f"before:  {self._structure}", f"after:   {structure}"],
                why="The graph of the function keeps it up to date, call after call.",
                way_out="Keep one nest of numbers and tensors there, or return the value instead.",
            )
        pairs = zip(self._entered, leaves, strict=True)
        specs = [as_array_spec(join(entered, leaf)[0]) for entered, leaf in pairs]
        if specs == self._specs:
            return None
        return ExternalState(self.place, self._value, self._form, specs, is_new=self._is_new)

    def leave(self) -> None:
        """The graph writes what the function leaves; the place has its former value again."""
        for variable, leaf in zip(self._variables, flatten(self.place.get())[0], strict=True):
            variable.assign(ops.astype(as_tensor(leaf), variable.dtype))
        self.restore()

    def load(self) -> None:
        """Before a run: the variables take the place's value."""
        if self._is_new:
            return
        leaves, structure = flatten(self.place.get())
        if structure != self._structure:
            raise SignatureError(
                f"`{self.place.name}` has another structure than when the function was traced",
                details=[f"then:  {self._structure}", f"now:   {structure}"],
                why="The graph of the function reads it.",
                way_out="Give it the former structure, or pass the value as an argument.",
            )
        for variable, leaf in zip(self._variables, leaves, strict=True):
            variable.assign(ops.astype(as_tensor(leaf), variable.dtype))

    def store(self) -> None:
        """After a run: the place takes the variables' values."""
        self.place.announce()
        self.place.set(unflatten(self._structure, [variable.read_value() for variable in self._variables]))


def first_external(changes: Sequence[Change], roots: Sequence[Any]) -> list[ExternalState]:
    """What a function turns out to leave in places outside of it, the first time that it is traced.

    Parameters
    ----------
    changes : sequence of Change
    roots : sequence of object
        The function and its arguments: what they do not lead to was made while it was traced.
    """
    found = [change for change in changes if _can_be_followed(change)]
    if not found:
        return []
    lasts = leads_to(roots)
    return [_external_state(change) for change in found if lasts(change.place.owner)]


def _external_state(change: Change) -> ExternalState:
    form = change.now if change.is_new else change.before
    specs = [array_spec_of(operand(leaf)) for leaf in flatten(form)[0]]
    return ExternalState(change.place, change.before, form, specs, is_new=change.is_new)


def revised(followed: Sequence[ExternalState], changes: Sequence[Change]) -> list[ExternalState] | None:
    """What has to be followed instead, seeing what a further trace changed; None when it is right as it is.

    A place that is not met again belonged to an object of the first trace alone.
    """
    met = {change.place.key for change in changes}
    if not followed or any(each.place.key not in met for each in followed):
        return [each for each in followed if each.place.key in met] if followed else None
    wider = [each.widened(each.place.get()) for each in followed]
    return [new or old for new, old in zip(wider, followed, strict=True)] if any(wider) else None


def _can_be_followed(change: Change) -> bool:
    """Whether a place is left with values of the graph, and held numbers of the same structure before."""
    now, structure = flatten(change.now)
    before, former = ([], structure) if change.is_new else flatten(change.before)
    is_staged = any(isinstance(leaf, Symbol) for leaf in now)
    was_staged = any(isinstance(leaf, Symbol) for leaf in before)
    return is_staged and not was_staged and structure == former and all(map(_is_number, [*before, *now]))


def _is_number(leaf: Any) -> bool:
    """Whether a variable can hold a value: it is no list and no exception of the graph."""
    return is_tensor(leaf) and isinstance(spec_of(operand(leaf)), ArraySpec)
