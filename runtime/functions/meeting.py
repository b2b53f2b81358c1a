"""Aliased arguments: objects that occur twice among the arguments, or are reached from outside as well.

A graph is made for arguments that have nothing to do with each other. A list that is two of the arguments is
one list in the graph for such calls; so are arrays that a function writes into or asks about. And what
the function reaches without its arguments, too, is handed to it as it is: as if it had it from there alone.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from runtime.core.spec import Spec
from runtime.core.tensor import Tensor
from runtime.core.tracing import tracing
from runtime.errors import StateDisagrees
from runtime.functions.external_state import GivenUp, Reads
from runtime.functions.signature import Arguments
from runtime.graph.build import current_builder

if TYPE_CHECKING:
    from runtime.functions.effects import Handed
    from runtime.functions.trace import Trace

__all__ = [
    "Met",
    "is_told_by_identity",
    "require_apart",
    "require_apart_from",
    "require_classes",
    "require_itself",
]


class Met(GivenUp):
    """Says what among the arguments of a call is one object: their graph is another one.

    Parameters
    ----------
    whole : sequence of object
        What the function has from outside, too, or asks for its number.
    tells_arrays : bool
        Whether the function tells arrays apart.
    kinds : collection of type
        The classes whose objects are not to be taken apart.
    depth : int or None
        In how many traces the one is that has these arguments, where it has begun.
    names : frozenset of str or None
        The attributes that the function may name of objects that are; None where it may read any.
    """

    def __init__(
        self,
        whole: Sequence[Any] = (),
        *,
        tells_arrays: bool = False,
        kinds: Collection[type] = (),
        names: frozenset[str] | None = frozenset(),
        depth: int | None = None,
    ) -> None:
        super().__init__()
        self.whole = whole
        self.tells_arrays = tells_arrays
        self.kinds, self.names, self.depth = kinds, names, depth


def is_told_by_identity(kind: Any) -> bool:
    """Whether objects of a class are told from each other by which they are, and not by what they hold."""
    return kind.__hash__ is object.__hash__


def require_itself(value: Any) -> None:
    """Sees to it that an object is the caller's own, and none in its place: its number is asked, or kept.

    Raises
    ------
    Met
        When it is not.
    """
    for depth, (handed, arguments) in reversed([*enumerate(tracing.handed)]):
        find = handed.containers.get(id(value))
        if find is not None and not arguments.promised:
            raise _own(arguments, [find(arguments.nest)], depth)


def require_classes(handed: Handed, arguments: Arguments) -> None:
    """Sees to it that the function has given no object among its arguments another class.

    Raises
    ------
    Met
        When it has.
    """
    changed = handed.of_other_classes(arguments.nest)
    if changed and not arguments.promised:
        raise _own(arguments, changed)


def _own(arguments: Arguments, objects: Sequence[Any], depth: int | None = None) -> Met:
    """Asks for graphs of these objects alone."""
    kinds = {type(each) for each in objects if id(each) in arguments.instances}
    return Met([each for each in objects if type(each) not in kinds], kinds=kinds, depth=depth)


def require_apart_from(arguments: Arguments, reads: Reads) -> None:
    """Sees to it that the function has no container of its arguments from outside, before it is traced.

    Nor a generator, nor asks it for its bits, which another one has in the next call.

    Raises
    ------
    Met
        When it has.
    """
    whole = [each for each in arguments.objects if not isinstance(each, np.ndarray) and reads.reaches(each)]
    known, names = arguments.apart.names, reads.attributes if arguments.instances else frozenset()
    if known is not None and (names is None or not names <= known):
        raise Met(names=names)
    if reads.names(_BITS):
        whole += arguments.generators.values()
    if whole:
        raise Met(whole, tells_arrays=False)
    if reads.tells_objects and not arguments.promised:
        objects = [each for each in arguments.containers if is_told_by_identity(type(each))]
        if objects:
            raise _own(arguments, objects)


_BITS = frozenset({"bit_generator", "_bit_generator"})


def require_apart(trace: Trace, arguments: Arguments) -> None:
    """Sees to it that these arguments are as much apart as those that a graph was made for.

    Raises
    ------
    Met
        When they are not.
    StateDisagrees
        When they are not, and an `input_signature` says that there is one graph.
    """
    tells, guards = trace.written.tells, trace.guards
    outside = {id(array) for array in trace.arrays_outside()} if tells else set()
    if guards is not None:
        outside.update(guards.containers, guards.instances if arguments.instances else ())
    whole = [each for each in arguments.objects if id(each) in outside] if outside else []
    whole += _in_one_memory(trace, arguments) if tells else []
    is_twice = tells and _is_told_twice(trace, arguments)
    if (whole or is_twice) and not arguments.promised:
        raise Met(whole, tells_arrays=is_twice)
    changes_twice = arguments.promised and trace.changes_arguments
    if whole or (changes_twice and _has_twice(arguments.containers)):
        raise StateDisagrees(
            "a function with an input_signature changes an object that it has under two names",
            why="It has one graph, for arguments that have nothing to do with each other.",
            way_out="Leave the input_signature out, or pass copies.",
        )


def _is_told_twice(trace: Trace, arguments: Arguments) -> bool:
    """Whether an array is among the arguments more than once of which it matters.

    One that is only read may be two inputs of a graph: it is the same in both.
    """
    arrays = [each for each in arguments.given if isinstance(each, (Tensor, np.ndarray))]
    if not _has_twice(arrays):
        return False
    written = trace.written
    if trace.effects is not None or written.compared or written.changes_array:
        return True
    inputs = arguments.given_as(trace.key)
    only_read = {id(each) for each in inputs} - {id(inputs[index]) for index in written.indices}
    return _has_twice([each for each in arrays if id(each) not in only_read])


def _in_one_memory(trace: Trace, arguments: Arguments) -> list[Any]:
    """Arrays that show the memory of other arguments, or of one outside, into which the function writes.

    It is handed these as they are: arrays of NumPy's, of which it is known what they show.
    """
    given = arguments.given_as(trace.key)
    is_call = len(given) == sum(isinstance(leaf, Spec) for leaf in trace.key.leaves)  # and no specs are given
    if arguments.promised or current_builder() is not None or not is_call:
        return []
    return trace.written.shared(given, trace.arrays_outside())


def _has_twice(objects: Sequence[Any]) -> bool:
    """Whether an object is in there more than once."""
    return len(set(map(id, objects))) < len(objects)
