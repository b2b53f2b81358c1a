"""Exceptions that a program raises while it is traced, and its graph when it gets there."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Any, ClassVar, NoReturn

from runtime.core import records
from runtime.core.dtypes import bool_
from runtime.core.exceptions import Parts, put_together, take_apart
from runtime.core.spec import ArraySpec
from runtime.core.structure import Structure, flatten, map_leaves, unflatten
from runtime.core.tensor import Tensor
from runtime.core.text import Slot
from runtime.errors import DTypeError, InvalidArgument
from runtime.graph.build import as_tensor, current_graph, value_in
from runtime.graph.graph import Graph, Symbol, Value
from runtime.graph.location import UNKNOWN, Location, caller_location, location_of
from runtime.graph.op import Effects, Failures, Op
from runtime.graph.resources import HostObject
from runtime.ops.facts import STRING, GraphDefBuilder, GraphDefTensor

__all__: list[str] = []  # for backends of AutoGraph, and no part of the namespace

CAUGHT = "__graph_value__"
"""The attribute of an exception that stands for one of the graph: the value that is that exception."""


_INPUT = Slot()
"""Stands for the next input among the parts of an exception."""


@records.record
@dataclass(frozen=True)
class Recipe:
    """An exception with places for values.

    Parameters
    ----------
    structure : Structure
        Of its `Parts`.
    leaves : tuple
        Plain data, objects of the program's, and a slot for each value.
    """

    structure: Structure
    leaves: tuple[Any, ...]

    def filled(self, values: Sequence[Any]) -> Parts:
        """The parts with these values in their places."""
        rest = iter(values)
        leaves = [next(rest) if isinstance(leaf, Slot) else _content(leaf) for leaf in self.leaves]
        parts: Parts = unflatten(self.structure, leaves)
        return parts

    @property
    def kind(self) -> type[BaseException]:
        """The class of the exception."""
        found: type[BaseException] = _content(self.leaves[0])
        return found

    @property
    def name(self) -> str:
        """What listings call it."""
        return self.kind.__name__

    def __repr__(self) -> str:
        count = sum(isinstance(leaf, Slot) for leaf in self.leaves)
        return f"{self.name}({', '.join(map(repr, self.filled([_Shown()] * count).args))})"


class _Shown:
    """A value of the run, in a message."""

    def __repr__(self) -> str:
        return "•"


_PLAIN = frozenset([type(None), bool, int, float, complex, str, bytes])


def _as_plain_data(leaf: Any) -> Any:
    """A leaf as a field of an op can hold it: anything but numbers, text and known classes is an object."""
    if type(leaf) in _PLAIN or (isinstance(leaf, type) and records.class_name(leaf) is not None):
        return leaf
    return HostObject(type(leaf).__name__ if not isinstance(leaf, type) else leaf.__name__, leaf)


def _content(leaf: Any) -> Any:
    return leaf.value if isinstance(leaf, HostObject) else leaf


class Raise(Op):
    """Raises an exception of the program's own."""

    recipe: Recipe

    is_core = True

    @property
    def effects(self) -> Effects:
        return Effects.CHECKS

    def infer(self, *_: ArraySpec) -> tuple[ArraySpec, ...]:
        return ()

    def raises(self, *specs: ArraySpec) -> Failures:
        return frozenset([self.recipe.kind])

    def kernel(self, *arrays: Any) -> NoReturn:
        raise put_together(map_leaves(_as_plain, self.recipe.filled([_as_leaf(array) for array in arrays])))

    def to_graphdef(
        self, builder: GraphDefBuilder, inputs: Sequence[GraphDefTensor], specs: Sequence[ArraySpec]
    ) -> list[GraphDefTensor]:
        never = builder.constant(False, bool_)
        types = [STRING, *(spec.dtype for spec in specs)]
        builder.effect("Assert", [never, builder.text(repr(self.recipe)), *inputs], T=types, summarize=-1)
        return []


class Reraise(Op):
    """Raises an exception that the graph has caught."""

    notes: tuple[str, ...]

    is_core = True
    why_no_graphdef: ClassVar[str] = "its graphs catch no exceptions"
    input_names: ClassVar[tuple[str, ...]] = ("error",)

    @property
    def effects(self) -> Effects:
        return Effects.CHECKS

    def infer(self, error: ArraySpec) -> tuple[ArraySpec, ...]:
        del error
        return ()

    def kernel(self, error: BaseException) -> NoReturn:
        for note in self.notes:
            error.add_note(note)
        raise error


def _as_leaf(array: Any) -> Any:
    """A value of the run as an exception is built from it."""
    return array if isinstance(array, (BaseException, str)) else Tensor(array)


def _as_plain(leaf: Any) -> Any:
    """A tensor as the number or array that plain Python would have there."""
    return leaf.numpy()[()] if isinstance(leaf, Tensor) else leaf


def record(error: BaseException, location: Location | None = None) -> None:
    """Lets the graph that is being built raise `error`, at the line of the user's that raised it now.

    Parameters
    ----------
    error : BaseException
        Tensors in its arguments and attributes, also in the exceptions behind it, have their values by then.
    location : Location, optional
        Another line to blame, for an error that nobody has raised yet.
    """
    graph = current_graph()
    assert graph is not None, "an exception is recorded while a graph is built"
    location = location or location_of(error.__traceback__)
    if location == UNKNOWN:  # what runs in the place of a statement raised it
        location = caller_location()
    caught = getattr(error, CAUGHT, None)
    if caught is not None:
        graph.add(Reraise(tuple(getattr(error, "__notes__", ()))), [value_in(graph, caught)], location)
        return
    leaves, structure = flatten(_parts(error))
    inputs = [value_in(graph, as_tensor(leaf)) for leaf in leaves if _is_value(leaf)]
    marked = tuple([_INPUT if _is_value(leaf) else _as_plain_data(leaf) for leaf in leaves])
    graph.add(Raise(Recipe(structure, marked)), inputs, location)


def _parts(error: BaseException) -> Parts:
    return take_apart(error, lambda other: getattr(other, CAUGHT, None))


def _is_value(leaf: Any) -> bool:
    return isinstance(leaf, (Tensor, Value)) or hasattr(type(leaf), "__tensor__")


def needs_graph(error: BaseException, graph: Graph) -> bool:
    """Whether `error`, with which the tracing of `graph` ends, cannot be raised at once.

    Either its values are only known when the graph runs, or something must happen before it.
    """
    if is_stand_in(error) or graph.effects.must_run:
        return True
    leaves, _ = flatten(_parts(error))
    return any(isinstance(leaf, (Symbol, Value)) for leaf in leaves)


def is_stand_in(error: BaseException) -> bool:
    """Whether an exception stands for one that the graph has caught."""
    return getattr(error, CAUGHT, None) is not None


def is_of_program(error: BaseException, folders: Sequence[str] = ()) -> bool:
    """Whether the program itself raises `error` when it gets there, so that its graph has to.

    That is so for what a `raise` of the user's raises, and for what the values at hand are to blame for: a
    missing key, an assertion that does not hold, a variable without a value. A `TypeError`, an
    `AttributeError` or a `NameError` of Python's own says that the program is wrong, and so do our own
    complaints about how it is traced: those are raised while it is traced.

    Parameters
    ----------
    error : BaseException
    folders : sequence of str
        Folders of ours whose files do what a statement of the user's would do in their place.
    """
    if is_stand_in(error):
        return True
    if isinstance(error, (RecursionError, MemoryError)) or not isinstance(error, (Exception, SystemExit)):
        return False
    if is_raised(error):
        return True
    if type(error).__module__.startswith(_OWN_PACKAGE):
        return isinstance(error, InvalidArgument) and not isinstance(error, DTypeError)
    if isinstance(error, NameError):
        return isinstance(error, UnboundLocalError) or _FREE_VARIABLE in str(error)
    trace = _innermost(error)
    if trace is None or isinstance(error, (TypeError, AttributeError, Warning)):
        return False
    return location_of(trace) != UNKNOWN or trace.tb_frame.f_code.co_filename.startswith(tuple(folders))


def is_raised(error: BaseException) -> bool:
    """Whether a `raise` of the user's raised it."""
    trace = _innermost(error)
    where = UNKNOWN if trace is None else location_of(trace)
    return where != UNKNOWN and _RAISE.match(where.text) is not None


_OWN_PACKAGE = f"{__name__.partition('.')[0]}."

_FREE_VARIABLE = "cannot access free variable"
"""What Python says of a variable of a function around that has no value."""

_RAISE = re.compile(r"raise\b")


def _innermost(error: BaseException) -> TracebackType | None:
    """Where it was raised."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return trace
