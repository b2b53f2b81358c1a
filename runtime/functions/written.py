"""Arguments that a function writes into: the graph's results are copied back to the caller's arrays.

An array of NumPy's is changed for its caller, as in plain Python; a tensor never is. Where one function of a
graph calls another, the arrays of the caller hold what the callee left in them.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Collection, Mapping, Sequence
from dataclasses import field
from typing import Any

import numpy as np

from autograph_base.dataclass import dataclass
from runtime import ops
from runtime.core.instances import TakenApart, put_attribute
from runtime.core.structure import containers_in, is_record, level_of
from runtime.core.taken_apart import instances_in, taken_apart
from runtime.core.tensor import Array, Tensor
from runtime.errors import GraphError, StateDisagrees
from runtime.graph.arrays import Unknown
from runtime.graph.build import current_builder
from runtime.graph.builder import Builder
from runtime.graph.graph import Value
from runtime.graph.symbol import Symbol

__all__ = ["NotApart", "NotRun", "Stopped", "Written", "require_own", "written_inputs"]


@dataclass(frozen=True)
class Written:
    """The inputs of a graph that its function writes into.

    Attributes
    ----------
    inputs : tuple of int
        Which they are; what they hold in the end are the last outputs of the graph.
    unknown : dict of int to Unknown
        Those that may be written to, which only a run knows.
    in_rows : set of int
        Those of them that have to lie row by row, for what shows them in another shape to be a view.
    where_raised : tuple of int
        Those that paths write into which raise in the end.
    compared : tuple of int
        Those of which the function asks whether they are others.
    changes_array : bool
        Whether the function writes into an array of NumPy's outside.
    """

    inputs: tuple[int, ...] = ()
    unknown: Mapping[int, Unknown] = field(default_factory=dict)
    in_rows: frozenset[int] = frozenset()
    where_raised: tuple[int, ...] = ()
    compared: tuple[int, ...] = ()
    changes_array: bool = False

    def __bool__(self) -> bool:
        return bool(self.inputs or self.unknown)

    @property
    def tells(self) -> bool:
        """Whether it matters which of the arrays are one."""
        return bool(self or self.where_raised or self.compared or self.changes_array)

    def may_run_plainly(self, arguments: Sequence[Any], changes_outside: bool) -> bool:
        """Whether the function, run as Python, changes what the caller sees: arrays, or things outside.

        Python cannot run it where it would write into a tensor.
        """
        changed = [arguments[index] for index in self.indices]
        return (bool(changed) or changes_outside) and all(isinstance(each, np.ndarray) for each in changed)

    @property
    def indices(self) -> set[int]:
        """The inputs that are, or may be, written into, in some path."""
        return {*self.inputs, *self.unknown, *self.where_raised}

    def are_usual(self, arrays: Sequence[Array]) -> bool:
        """Whether arrays that a caller has given can be written to, as is quickly said of nearly all.

        Each has elements of its own, and is given once.
        """
        if self.unknown or self.in_rows:
            return False
        for index in self.inputs:
            array, times = arrays[index], 0
            flags = array.flags
            if not (flags.owndata and flags.writeable):
                return False
            for other in arrays:
                if other is array:
                    times += 1
                elif type(other) is not np.ndarray or other.base is not None:
                    return False
            if times > 1:
                return False
        return True

    def require_apart(self, arguments: Sequence[Any], outside: Sequence[np.ndarray] = ()) -> None:
        """Sees to it that the caller's arrays can be written to.

        Parameters
        ----------
        arguments : sequence
            What the inputs were given as; None for what is no array.
        outside : sequence of array
            The arrays that the function has from elsewhere.

        Raises
        ------
        ValueError
            When one is read-only.
        NotRun
            Where that is found before a run: whether anything is written into it is for Python to say.
        NotApart
            When one shares its memory with another argument, or with an array outside, and either is written
            into; or is another one, where the function asks.
        StateDisagrees
            When one does not lie row by row and is shown in another shape, or only the run knows whether it
            is written to.
        """
        is_run = current_builder() is None
        for index in (*self.inputs, *self.unknown):
            argument = arguments[index]
            if is_run and not isinstance(argument, np.ndarray):
                continue  # a tensor does not change
            if isinstance(argument, np.ndarray):
                if index in self.unknown:
                    self.unknown[index].refuse(None)
                if not argument.flags.writeable:
                    error = ValueError("assignment destination is read-only")
                    raise NotRun(error) if is_run else error
                if index in self.in_rows and not argument.flags.c_contiguous:
                    _refuse_order()
        if self.shared(arguments, outside):
            _refuse_overlap()

    def shared(self, arguments: Sequence[Any], outside: Sequence[np.ndarray] = ()) -> list[Any]:
        """The arguments that are one array with others, or lie in one memory with them, where that matters.

        Parameters
        ----------
        arguments : sequence
            What the inputs were given as; None for what is no array.
        outside : sequence of array
            The arrays that the function has from elsewhere.
        """
        found: dict[int, Any] = {}
        is_run = current_builder() is None
        for index in (*self.inputs, *self.unknown):
            argument = arguments[index]
            if is_run and not isinstance(argument, np.ndarray):
                continue  # a tensor does not change
            others = [value for other, value in enumerate(arguments) if other != index]
            met = [each for each in others if _are_one(argument, each)]
            if met or any(_are_one(argument, each) for each in outside):
                found |= {id(each): each for each in (argument, *met)}
        if self.changes_array:
            met = [one for one in arguments if any(_are_one(one, other) for other in outside)]
            found |= {id(each): each for each in met}
        for index in self.compared:
            others = [*arguments[:index], *arguments[index + 1 :], *outside]
            if arguments[index] is not None and any(arguments[index] is other for other in others):
                found[id(arguments[index])] = arguments[index]
        return list(found.values())

    def store(self, arguments: Sequence[Any], outputs: Sequence[Any]) -> None:
        """Gives the caller's arrays what the graph left in them.

        Parameters
        ----------
        arguments : sequence
            What the inputs were given as; None for what is no array.
        outputs : sequence of array or Symbol
            The last outputs of the graph.
        """
        if current_builder() is None:
            for index, output in zip(self.inputs, outputs, strict=True):
                if isinstance(arguments[index], np.ndarray):
                    arguments[index][...] = output
            return
        for index, output in zip(self.inputs, outputs, strict=True):
            if isinstance(arguments[index], (np.ndarray, Tensor)):
                ops.overwrite(ops.target(arguments[index]), output)
        for index, unknown in self.unknown.items():
            if isinstance(arguments[index], (np.ndarray, Tensor)):
                ops.lose(ops.target(arguments[index]), unknown)

    def replace(self, arguments: Sequence[Any], outputs: Sequence[Any], nest: Any, apart: TakenApart) -> None:
        """Puts tensors with what they hold in the end in the places of those that were written into.

        A tensor never changes. What the caller's lists, dicts and objects hold may be one that an earlier
        call has left there, where Python has an array.

        Parameters
        ----------
        arguments, outputs : sequence
            As `store` takes them, of a run.
        nest : nest
            The arguments as they were given.
        apart : TakenApart
            The objects among them that are taken apart.
        """
        found = {
            id(arguments[index]): Tensor(output)
            for index, output in zip(self.inputs, outputs, strict=True)
            if isinstance(arguments[index], Tensor)
        }
        if not found:
            return
        with taken_apart(instances_in(nest, apart) if apart.kinds else {}, apart):
            for container in containers_in(nest):
                level = level_of(container)
                assert level is not None, "it is a container"
                for key, child in zip(level[0].keys, level[1], strict=True):
                    if id(child) in found and not isinstance(container, tuple):
                        _put(container, key, found[id(child)])


def _put(container: Any, key: Any, value: Tensor) -> None:
    """Gives a container another item, or an object another attribute."""
    if isinstance(container, list | dict | deque):
        container[key] = value
    elif is_record(type(container)):
        setattr(container, key, value)
    else:
        put_attribute(container, key, value)


def _are_one(one: Any, other: Any) -> bool:
    """Whether two arguments lie in one memory."""
    if isinstance(one, np.ndarray) and isinstance(other, np.ndarray):
        return bool(np.may_share_memory(one, other) and np.shares_memory(one, other))
    builder = current_builder()
    if builder is None or not (isinstance(one, Symbol) and isinstance(other, Symbol)):
        return one is other and isinstance(one, Tensor) and builder is not None
    return ops.is_array(one) and builder.arrays.root(one.value) is builder.arrays.root(other.value)


class NotApart(StateDisagrees):
    """Says that an array is shared which the graph was not made for."""


class Stopped(Exception):  # a signal between a graph and its caller, never seen outside
    """A graph raised, and what the function changed outside of itself before has not happened.

    Parameters
    ----------
    error : Exception
        What the graph raised.
    printed : mapping of str to int
        How many characters it had printed to ``stdout`` and to ``stderr``.
    warned : Counter
        What it had warned of.
    """

    def __init__(self, error: Exception, printed: Mapping[str, int], warned: Counter[Any]) -> None:
        super().__init__()
        self.error, self.printed, self.warned = error, printed, warned


class NotRun(Stopped):
    """A graph was not even begun."""

    def __init__(self, error: Exception) -> None:
        super().__init__(error, {}, Counter())


def _refuse_overlap() -> None:
    raise NotApart(
        "a function writes into an array that shares its memory with another argument, or with one outside",
        why="Its graph was traced for arrays that have nothing to do with each other.",
        way_out="Give it copies, or one array and the keys of its parts.",
    )


def _refuse_order() -> None:
    raise StateDisagrees(
        "a function shows an argument in another shape, writes, and was given an array that is not in rows",
        why="NumPy copies such an array, and shows one that lies row by row, as its graph takes it to.",
        way_out="Call it with an array that lies row by row (`np.ascontiguousarray(x)`).",
    )


def written_inputs(
    builder: Builder, count: int, lost: Collection[Any], *, changes_array: bool
) -> tuple[Written, list[Value]]:
    """The inputs that a function has written to, of the first so many, and what they hold in the end.

    `lost` is what paths have written to that raise; `changes_array` says that it writes into one outside.
    """
    contents = builder.arrays.contents
    held = {index: contents[value] for index, value in enumerate(builder.inputs[:count]) if value in contents}
    unknown = {index: value for index, value in held.items() if isinstance(value, Unknown)}
    known = {index: value for index, value in held.items() if not isinstance(value, Unknown)}
    in_rows = frozenset([index for index in held if builder.inputs[index] in builder.arrays.taken_in_rows])
    ids = {id(value) for value in lost}
    where_raised = tuple([index for index, value in enumerate(builder.inputs[:count]) if id(value) in ids])
    inputs = enumerate(builder.inputs[:count])
    compared = tuple([index for index, value in inputs if value in builder.arrays.compared])
    written = Written(tuple(known), unknown, in_rows, where_raised, compared, changes_array)
    return written, [builder.resolve(value) for value in known.values()]


def require_own(builder: Builder, before: Mapping[Value, Any], known: Collection[Any]) -> None:
    """Sees to it that a function of the graph has written to no array of the graph around it by name.

    What the arrays in `known` hold comes in, and goes back to who calls the function.

    Raises
    ------
    GraphError
        When it has.
    """
    for array, held in builder.arrays.contents.items():
        if builder.is_around(array) and held is not before.get(array) and array not in known:
            raise GraphError(
                f"{builder.name}() writes into an array of the function that calls it",
                why="It is a graph of its own, which changes what it is given.",
                way_out="Pass the array as an argument.",
            )
