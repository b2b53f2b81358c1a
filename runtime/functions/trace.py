"""Runs a Python function once against a fresh graph."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from runtime.core.dtypes import Defaults
from runtime.core.spec import Spec
from runtime.core.structure import Structure, flatten
from runtime.functions.external_state import (
    Change,
    ExternalState,
    Observe,
    first_external,
    revised,
    unobserved,
)
from runtime.functions.hints import unknown_dims_explained
from runtime.functions.signature import Arguments, Key, NumberSpec
from runtime.graph.build import as_tensor, building, current_builder, is_weak, value_in
from runtime.graph.builder import Builder
from runtime.graph.graph import Graph, Value
from runtime.graph.symbol import Symbol
from runtime.ops.control_flow.tracing import NoOutcome, is_tensor, operand
from runtime.ops.raising import is_raised, is_stand_in, needs_graph, record

__all__ = ["OUTPUT", "Trace", "trace"]

OUTPUT = object()
"""Stands in a trace's `leaves` for the next output of the graph."""


@dataclass(frozen=True)
class Trace:
    """A function as one graph.

    `leaves` are what the function returned: the marker of an output, or a Python object as it is. `weak` says
    of each output whether it stands for a Python number, and `returns` whether the function may ever return.
    `external` are the places outside of the function that its graph keeps up to date. `captures` are the
    values of graphs around it that its last inputs stand for, `begun` the graphs that the trace has begun,
    `functions` those that were called by name in it.
    """

    graph: Graph
    key: Key
    paths: tuple[str, ...]
    structure: Structure
    leaves: tuple[Any, ...]
    weak: tuple[bool, ...]
    returns: bool = True
    external: tuple[ExternalState, ...] = ()
    captures: tuple[Value, ...] = ()
    begun: Collection[Graph] = ()
    functions: Mapping[str, Graph] = field(default_factory=dict)

    @property
    def is_single(self) -> bool:
        """Whether the function returns one tensor."""
        return self.structure.kind is None and self.leaves == (OUTPUT,)

    def filled(self, outputs: list[Any]) -> list[Any]:
        """The returned leaves with these outputs in their places."""
        rest = iter(outputs)
        return [next(rest) if leaf is OUTPUT else leaf for leaf in self.leaves]


def trace(
    function: Callable[..., Any],
    arguments: Arguments,
    key: Key,
    *,
    name: str,
    defaults: Defaults,
    allows_variables: bool,
    strict: bool = False,
    effects_run: bool = True,
    begin: Callable[[Builder], None] | None = None,
    observe: Observe = unobserved,
    written: Callable[..., Any] | None = None,
) -> Trace:
    """The graph of `function` for arguments of this key.

    Parameters
    ----------
    function : callable
    arguments : Arguments
        Python values are used as they are; a tensor gives way to an input of the graph.
    key : Key
        The specs of the inputs; they may be wider than the arguments.
    name : str
    defaults : Defaults
        The dtypes of Python numbers that no tensor decides.
    allows_variables : bool
        Whether the function may create variables: only the first time that it is traced.
    strict : bool
        Whether what TensorFlow refuses is refused.
    effects_run : bool
        Whether what the function does beside computing happens when the graph runs, or else now.
    begin : callable, optional
        Gets the builder before the function runs.
    observe : callable, optional
        Runs the function, and says which places outside of it changed: see
        `runtime.functions.external_state`.
    written : callable, optional
        The function as the user wrote it, where that is another one.
    """
    roots = [written or function, *arguments.leaves]
    external: Sequence[ExternalState] | None = None
    while True:
        builder, run = _prepared(function, arguments, key, name, defaults)
        builder.allows_variables = allows_variables
        builder.strict = strict
        builder.effects_run = effects_run
        if begin is not None:
            begin(builder)
        builder.watcher = None  # other graphs will call it, too
        with building(builder), _explained_recursion(name), unknown_dims_explained(builder):
            returns, result, changes = _observed(
                builder, run, external or (), lambda run: observe(run, roots)
            )
            better = (
                (first_external(changes, roots) or None) if external is None else revised(external, changes)
            )
            if better is None:
                return _closed(builder, key, arguments, returns, result, external or ())
            _undo(external or (), changes)
            external = better


def _prepared(
    function: Callable[..., Any], arguments: Arguments, key: Key, name: str, defaults: Defaults
) -> tuple[Builder, Callable[[], Any]]:
    """The builder of a graph, which has its inputs, and the call that fills it."""
    builder = Builder(name, current_builder(), defaults)
    leaves = list(arguments.leaves)
    for index, spec in enumerate(key.leaves):
        if isinstance(spec, Spec):
            value = builder.input(spec, _label(arguments.paths[index]))
            leaves[index] = Symbol(value)
            if isinstance(spec, NumberSpec):
                builder.weak.add(value)
    args, kwargs = arguments.rebuilt(leaves)
    return builder, lambda: function(*args, **kwargs)


def _observed(
    builder: Builder,
    run: Callable[[], Any],
    external: Sequence[ExternalState],
    observe: Callable[[Callable[[], Any]], tuple[Any, Sequence[Change]]],
) -> tuple[bool, Any, Sequence[Change]]:
    """Whether the function may return, what it gives, and what it changed."""
    try:
        for each in external:
            each.enter(builder)
        returns, outcome = _outcome(builder, lambda: observe(run))
    except BaseException:
        _undo(external, ())
        raise
    return (returns, *outcome) if returns else (False, None, ())


def _undo(external: Sequence[ExternalState], changes: Sequence[Change]) -> None:
    """Gives places outside of the function the values that they had before it."""
    for change in reversed(changes):
        change.place.set(change.before)
    for each in external:
        each.restore()


def _closed(
    builder: Builder,
    key: Key,
    arguments: Arguments,
    returns: bool,
    result: Any,
    external: Sequence[ExternalState],
) -> Trace:
    """The trace, its graph with outputs."""
    for each in external:
        each.leave()
    results, structure = flatten(result)
    weak = tuple([_is_weak(leaf) for leaf in results if is_tensor(leaf)])
    returned = [_returned(builder, leaf) for leaf in results]
    graph = builder.finish([leaf for leaf in returned if isinstance(leaf, Value)])
    marked = tuple([OUTPUT if isinstance(leaf, Value) else leaf for leaf in returned])
    return Trace(
        graph,
        key,
        tuple(arguments.paths),
        structure,
        marked,
        weak,
        returns,
        tuple(external),
        tuple(builder.captures),
        builder.begun,
        builder.functions,
    )


def _outcome(builder: Builder, run: Callable[[], Any]) -> tuple[bool, Any]:
    """Whether a function may return, and what. One that always raises does so when its graph runs."""
    try:
        return True, run()
    except NoOutcome:
        return False, None
    except BaseException as error:
        if not (is_stand_in(error) or is_raised(error)) or not needs_graph(error, builder):
            raise
        record(error)
        return False, None


@contextmanager
def _explained_recursion(name: str) -> Iterator[None]:
    """Says why Python's recursion had no end, once."""
    try:
        yield
    except RecursionError as error:
        if not getattr(error, "__notes__", ()):
            error.add_note(
                f"This happened while {name}() was traced. Both branches of an `if` on a tensor are traced, "
                "so calls inside one another have no end where an argument has another form in each of "
                "them.\nGive every call arguments of one form (no text or list that grows), write the "
                "recursion as a loop, or let a Python value decide it."
            )
        raise


def _label(path: str) -> str:
    """A path as a name in the graph: ``x['a'][0]`` becomes ``x_a_0``."""
    letters = "".join(letter if letter.isalnum() else " " for letter in path.replace("'", ""))
    return "_".join(letters.split()) or "arg"


def _returned(builder: Builder, leaf: Any) -> Any:
    """A value of the graph for what is a tensor or a number; anything else as it is."""
    return value_in(builder, as_tensor(leaf)) if is_tensor(leaf) else leaf


def _is_weak(leaf: Any) -> bool:
    return is_weak(operand(leaf))
