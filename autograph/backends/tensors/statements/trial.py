"""Traces the body of a `try` once, with a snapshot of the state in front of every node that may raise."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import partial
from typing import Any

import numpy as np

from autograph.backends.tensors.arrays.arrays import ArrayContents, is_numpys, root_of, settled
from autograph.backends.tensors.arrays.boxes import has_given_way
from autograph.backends.tensors.arrays.homes import time_of_making
from autograph.backends.tensors.containers.lists import SINGLE, changes_in_place
from autograph.backends.tensors.statements.made_inside import Column, MadeInside
from autograph.backends.tensors.statements.raising import (
    Clauses,
    belongs_to_program,
    flat,
    is_expected,
    may_work,
)
from autograph.backends.tensors.statements.recursion import forget_functions
from autograph.backends.tensors.text.strings import Text, grounded
from autograph.staging import notes
from autograph.staging.backend import Body
from autograph.staging.context import staging
from autograph.staging.heap import moved_to
from autograph.staging.journal import Journal
from autograph.staging.places import Cell, Moved, Place
from autograph.staging.state import State, Undefined
from runtime import ops
from runtime.core.structure import flatten, level_of, unflatten
from runtime.core.tensor import Array, owner_of
from runtime.errors import is_caught, only_in_graphs
from runtime.graph.builder import Builder
from runtime.graph.graph import Value
from runtime.graph.location import caller_location
from runtime.graph.op import Failures
from runtime.graph.symbol import Symbol
from runtime.ops.control_flow import NoOutcome
from runtime.ops.control_flow.attempt import Attempt, readable
from runtime.ops.raising import record

__all__ = ["Trial"]


class Trial:
    """The body of a `try`, traced once."""

    def __init__(self, body: Body, state: State, changed: Sequence[Place], clauses: Clauses) -> None:
        self.error: BaseException | None = None
        """What the body raised while it was traced, and would raise whatever the values are."""
        self.ends = True
        """Whether it may come to its end."""
        self.origins: dict[Value, Symbol] = {}
        """Values that arrays made inside held where something may be raised, and which arrays these are."""
        self._journal = notes.listener()
        self._inside = MadeInside(self._journal, caller_location())
        self._arrays = _ArraysMadeInside(self._journal)
        self._changed = changed
        self._known = {place.key for place in changed}
        self._between: dict[Hashable, Place] = {}
        self._width = len(state.names) + len(changed)
        self.attempt = Attempt(partial(self._at_checkpoint, state), notes.now())
        _unbind_what_is_gone(changed, self.attempt.builder)
        changed_where_raised = self.attempt.builder.context.changed_where_raised
        known = len(changed_where_raised)
        with self.attempt.open():
            staging.handlers.append(clauses)
            try:
                body()
            except NoOutcome:
                self.ends = False
            except BaseException as error:
                if not (belongs_to_program(error) or is_expected(error, clauses)):
                    raise
                if may_work(error):
                    raise  # the program would not get to its handler
                if only_in_graphs(type(error)) and not any(
                    is_caught(type(error), k) for k in flat(clauses())
                ):
                    raise  # a `finally` has nothing to do with what Python does not raise
                self.error = error
            finally:
                staging.handlers.pop()
            if self.error is not None and self.attempt.failures():  # something else may come first
                record(self.error)
                self.error, self.ends = None, False
        self.raising: list[Place] = [*changed_where_raised[known:], *self._between.values()]
        """What is something else where the body may raise, whatever it is in the end."""
        self.failures: Failures = self.attempt.failures()
        self._last = self._left(state, self.attempt.builder)
        if self.ends:
            self.attempt.hold(self._last)
        self.end = self._last[: self._width]

    def _at_checkpoint(self, state: State, builder: Builder) -> tuple[Any, ...]:
        """What `_left` gives where something may be raised, with arrays as they are there."""
        self._look_between()
        return self._arrays.copied(self._left(state, builder))

    def _look_between(self) -> None:
        """Notes the places that are not what they were: in the end they may be that again.

        Those that a branch or a turn changes, too: what that leaves is no change of the body's then.
        """
        journal, outermost = notes.listener(), self._journal
        while journal is not None and outermost is not None:
            for key, (place, before) in journal.before.items():
                is_known = key in self._known or key in self._between or isinstance(place, _SEEN_AT_THE_END)
                if not is_known and not place.is_unchanged(before, place.get()):
                    self._between[key] = place
            journal = None if journal is outermost else journal.around

    def _left(self, state: State, builder: Builder) -> tuple[Any, ...]:
        """What variables, places and objects made inside are now, as far as a graph can read them.

        Arrays made inside are what they hold.
        """
        is_settled = False
        while not is_settled:
            variables, held = state.get(), [*map(self._inside.held_in, self._changed)]
            named = zip(state.names, variables, strict=True)
            inside = self._inside.look(named, zip(self._changed, held, strict=True), builder)
            is_settled = not self._inside.become_of_graph()
        values = (*variables, *held, *inside)
        values = readable(values, builder)
        values = tuple([grounded(value) if isinstance(value, Text) else value for value in values])
        return tuple([self._settled(value) for value in values] if builder.arrays.contents else values)

    def _settled(self, value: Any) -> Any:
        """A nest with what its arrays hold now; what was there before the body is the object that it was."""
        level = None if type(value) in SINGLE else level_of(value)
        if level is None:
            shown = ops.target(value) if is_numpys(value) and has_given_way(value) else value
            root = None if shown is value else root_of(shown)
            if root is not None and not self._is_of_body(root):
                return value
            return settled(shown, self.attempt.is_recent, self.origins)
        if changes_in_place(value) and self._journal is not None and self._journal.existed(value) is True:
            return value
        children = [self._settled(child) for child in level[1]]
        is_same = all(one is other for one, other in zip(children, level[1], strict=True))
        return value if is_same else level[0].build(children)

    def _is_of_body(self, array: Value) -> bool:
        """Whether an array was made in the body itself, and not in a branch or a turn in it."""
        return array.node.graph is self.attempt.builder.graph and self.attempt.is_recent(array)

    def forget(self) -> None:
        """Takes away what it has added to the graph, and the functions that have captured any of it."""
        self.attempt.forget()
        forget_functions()

    def snapshots(self) -> dict[int, Sequence[Any]]:
        """The variables and places at the checkpoints that are left, by number."""
        return {number: row[: self._width] for number, row in self._rows().items()}

    def instead_of(self, value: Any) -> Any:
        """An object, or what was in its place wherever something may be raised."""
        return self._inside.replaced(value)

    def columns(self) -> list[Column]:
        """The places in objects made inside of which only a `Try` can say what they hold behind it."""
        rows = [*self._rows().values(), *([self._last] if self.ends else [])]
        held = [row[self._width :] for row in rows]
        return list(self._inside.columns(held, self._changed, self.attempt.stays()))

    def _rows(self) -> dict[int, tuple[Any, ...]]:
        return {number: self._arrays.put_back(row) for number, row in self.attempt.snapshots().items()}


class _ArraysMadeInside:
    """The arrays of NumPy's that the body makes: what they hold wherever something may be raised.

    Such an array is another one each time the body is traced, so it is no place of the statement. One that a
    call has made may change without a word until it gives way to an array of the graph: a checkpoint gets a
    copy. Of others it gets a view: when they give way, they hold what they held at the checkpoint. Those that
    were there before the body have given way before it, in an earlier trace. An array that has not changed by
    the end takes its place again.
    """

    def __init__(self, journal: Journal | None) -> None:
        self._journal = journal
        self._latest: dict[int, tuple[Any, Any]] = {}
        self._copies: dict[int, tuple[Any, Any]] = {}
        self._given_way: dict[int, Any] = {}
        self._nests: dict[int, tuple[Any, Any, list[Any]]] = {}

    def copied(self, row: Sequence[Any]) -> tuple[Any, ...]:
        """A row of values with copies in the place of these arrays; equal ones are one."""
        found = tuple([_with_arrays(self._copied, value) for value in row])
        for value, held in zip(row, found, strict=True):
            if held is not value:
                self._nests[id(held)] = held, value, flatten(value)[0]
        return found

    def put_back(self, row: Sequence[Any]) -> tuple[Any, ...]:
        """A row with the arrays themselves, where they are at the end what they were then."""
        return tuple([self._nest_back(value) for value in row] if self._copies else row)

    def _nest_back(self, held: Any) -> Any:
        found = _with_arrays(self._put_back, held)
        if id(held) not in self._nests:
            return found
        _, value, leaves = self._nests[id(held)]
        is_same = all(one is other for one, other in zip(leaves, flatten(found)[0], strict=True))
        return value if is_same else found

    def _copied(self, leaf: Any) -> Any:
        owner = owner_of(leaf)
        if moved_to(owner) is not owner:
            return leaf
        array, copy = self._latest.get(id(leaf), (None, None))
        if not self._has_made(owner):
            copy = copy if array is leaf else leaf.view()
        elif array is not leaf or not _is_as(owner, owner_of(copy)):
            copy = self._copy(leaf)
        self._latest[id(leaf)] = leaf, copy
        self._copies[id(copy)] = leaf, copy
        return copy

    def _copy(self, array: Any) -> Any:
        owner = owner_of(array)
        return owner.copy(order="K") if array is owner else _view_like(array, owner, self._copied(owner))

    def _put_back(self, leaf: Any) -> Any:
        array, copy = self._copies.get(id(leaf), (leaf, leaf))
        owner = owner_of(array)
        if moved_to(owner) is owner:
            return array if _is_as(owner, owner_of(copy)) else copy
        if owner_of(copy) is not owner or array is leaf:
            return leaf
        if id(owner) not in self._given_way:
            self._given_way[id(owner)] = owner.copy(order="K")
        whole = self._given_way[id(owner)]
        found = self._given_way.get(id(array))
        if found is None:
            found = self._given_way[id(array)] = _view_like(array, owner, whole)
        return found

    def _has_made(self, array: Any) -> bool:
        time = time_of_making(array)
        return time is not None and self._journal is not None and self._journal.has_seen(time)


_SEEN_AT_THE_END = (ArrayContents, Moved)
"""Places that never are again what they were once."""


def _with_arrays(other: Callable[[Any], Any], value: Any) -> Any:
    """A nest with others in the place of its arrays; the same object where none is another one."""
    if type(value) in SINGLE:
        return value
    leaves, structure = flatten(value)
    found = [other(leaf) if is_numpys(leaf) else leaf for leaf in leaves]
    is_same = all(one is another for one, another in zip(leaves, found, strict=True))
    return value if is_same else unflatten(structure, found)


def _is_as(array: Any, copy: Any) -> bool:
    """Whether an array holds what a copy of it holds, to the bit."""
    return array is copy or bool(array.shape == copy.shape and array.tobytes() == copy.tobytes())


def _view_like(view: Array, owner: Array, copy: Array) -> Array:
    """The view of a copy that is to it what a view is to the array that owns its memory."""
    if copy.strides != owner.strides:
        return view.copy()
    start = view.__array_interface__["data"][0] - owner.__array_interface__["data"][0]
    return np.ndarray(view.shape, view.dtype, copy, start, view.strides)


def _unbind_what_is_gone(changed: Sequence[Place], builder: Builder) -> None:
    """Takes away what a former trace of the body has left in variables that a function inside shares.

    Such a variable may be bound before it is announced; nobody reads what it held before the statement.
    """
    for place in changed:
        leaves = flatten(place.get())[0] if isinstance(place, Cell) else []
        if any(isinstance(leaf, Symbol) and builder.arrays.has_left(leaf.value.node) for leaf in leaves):
            place.set(Undefined(place.name))
