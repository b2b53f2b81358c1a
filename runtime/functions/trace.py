"""Runs a Python function once against a fresh graph."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import field, replace
from functools import partial
from types import CodeType
from typing import Any

import numpy as np

from autograph_base.dataclass import dataclass
from runtime import ops
from runtime.analysis import kinds
from runtime.core.circular import holds_itself
from runtime.core.dtypes import Defaults
from runtime.core.instances import NOTHING_APART, TakenApart
from runtime.core.spec import ListSpec, Spec
from runtime.core.structure import Structure, flatten
from runtime.core.taken_apart import taken_apart
from runtime.core.text import require_no_description
from runtime.core.tracing import tracing
from runtime.errors import Error, Notice, StateDisagrees
from runtime.functions.choosing_inputs import first_inputs, mistaken, revised, shared
from runtime.functions.effects import Effects, Handed, effects_of
from runtime.functions.external_state import (
    NO_RESULT,
    Change,
    ExternalInput,
    Guards,
    Observer,
    Place,
    Reads,
    Seen,
    Surroundings,
    Wider,
    can_come_in,
    label_of,
)
from runtime.functions.hints import unknown_dims_explained
from runtime.functions.key import ContainerKey, Key, NotForAll, NumberSpec, NumbersSpec, ZeroDimSpec
from runtime.functions.meeting import require_apart_from, require_classes
from runtime.functions.raising import with_what_raises
from runtime.functions.reachable import is_closed
from runtime.functions.signature import Arguments
from runtime.functions.stand_ins import GeneratorKey, SetKey
from runtime.functions.written import Written, require_own, written_inputs
from runtime.graph.build import as_tensor, building, current_builder, value_in
from runtime.graph.builder import Builder
from runtime.graph.graph import Graph, Value
from runtime.graph.location import Location, caller_location, location_of, returns_of
from runtime.graph.symbol import Symbol
from runtime.graph.whose_numbers import Whose, whose
from runtime.ops.control_flow.tracing import ABSENT, NoOutcome, is_tensor, operand
from runtime.ops.raising import is_raised, is_stand_in, needs_graph, record, refusal_behind

__all__ = ["OUTPUT", "Manner", "Trace", "trace"]

OUTPUT = object()
"""Stands in a trace's `leaves` for the next output of the graph."""


@dataclass(frozen=True)
class Trace:
    """A function as one graph.

    `leaves` are what the function returned: the marker of an output, or a Python object as it is. `weak` says
    of each output whether it stands for a Python number, `mixed` whether it does on some paths, and `returns`
    whether the function may ever return.
    `inputs` are the places outside of the function whose values come in behind the arguments, `effects` what
    its further outputs are stored in, `written` the arguments that it writes into, which are the last
    outputs, `changes_outside` whether it changed anything outside, and `guards` what it read there.
    `captures` are the values of graphs around it that its last inputs stand for, `begun` the graphs that the
    trace has begun, `functions` those that were called by name in it.
    `makes_variables` says whether it has made any. `loops` are the long loops of Python, and why they were
    unrolled, where they were. `changed_where_called` are the places outside that the
    function has changed where it calls itself, `changed_where_raised` those that paths change which raise.
    `surroundings` are what it reached in the graphs around. `same` says of each output that is returned which
    is the first that is the same array; it is empty where no array is returned twice. `apart` are the objects
    among the arguments that were taken apart.
    """

    graph: Graph
    key: Key
    paths: tuple[str, ...]
    structure: Structure
    leaves: tuple[Any, ...]
    weak: tuple[bool, ...]
    mixed: tuple[bool, ...] = ()
    returns: bool = True
    inputs: tuple[ExternalInput, ...] = ()
    effects: Effects | None = None
    written: Written = field(default_factory=Written)
    changes_outside: bool = False
    guards: Guards | None = None
    captures: tuple[Value, ...] = ()
    begun: Collection[Graph] = ()
    functions: Mapping[str, Graph] = field(default_factory=dict)
    makes_variables: bool = False
    notices: Sequence[Notice] = ()
    loops: Mapping[Location, str] = field(default_factory=dict)
    changed_where_called: Sequence[Place] = ()
    changed_where_raised: Sequence[Place] = ()
    surroundings: Surroundings | None = None
    same: tuple[int, ...] = ()
    apart: TakenApart = NOTHING_APART

    @property
    def is_single(self) -> bool:
        """Whether the function returns one tensor, and leaves nothing in its arguments."""
        return self.gives_one and not self.written

    @property
    def gives_one(self) -> bool:
        """Whether the function returns one tensor."""
        return self.structure.kind is None and self.leaves == (OUTPUT,)

    @property
    def flat_leaves(self) -> tuple[Any, ...] | None:
        """What the function returns, or has in the tuple that it returns; None where that is any other nest.

        As `leaves`, with those that are None.
        """
        parts = self.structure.children if self.structure.kind is tuple else (self.structure,)
        if self.same or not all(part.kind in {None, type(None)} for part in parts):
            return None
        rest = iter(self.leaves)
        return tuple([next(rest) if part.kind is None else None for part in parts])

    @property
    def count(self) -> int:
        """The number of outputs that are returned; those behind them are stored."""
        return len(self.weak)

    @property
    def serves_once(self) -> bool:
        """Whether the graph is for one call.

        What it leaves outside, or a variable, cannot be made anew; or it has read what nobody can look at.
        """
        left = self.effects is not None and self.effects.blueprints.serves_once
        read = self.guards is not None and self.guards.serves_once
        return left or read or self.makes_variables

    @property
    def changes_arguments(self) -> bool:
        """Whether it changes containers among its arguments, or leaves them somewhere."""
        return self.effects is not None and self.effects.blueprints.needs_arguments

    def arrays_outside(self) -> list[np.ndarray]:
        """The arrays of NumPy's that the function has from outside."""
        guarded = [*self.guards.arrays()] if self.guards is not None else []
        entering = [value for each in self.inputs for value in (each.place.owner, each.place.get())]
        return [*guarded, *[each for each in entering if isinstance(each, np.ndarray)]]

    def filled(self, outputs: list[Any]) -> list[Any]:
        """The returned leaves with these outputs in their places."""
        rest = iter([outputs[first] for first in self.same] if self.same else outputs)
        return [next(rest) if leaf is OUTPUT else leaf for leaf in self.leaves]


@dataclass(frozen=True)
class Manner:
    """How all traces of a function go.

    Attributes
    ----------
    name : str
    defaults : Defaults
        The dtypes of Python numbers that no tensor decides.
    strict : bool
        Whether what TensorFlow refuses is refused.
    rolls : bool
        Whether long loops of Python may become loops of the graph.
    effects_run : bool
        Whether what the function does beside computing happens when the graph runs, or else now.
    observer : Observer
        Watches the function: see `runtime.functions.external_state`.
    written : callable
        The function as the user wrote it, which may be another one than is traced.
    """

    name: str
    defaults: Defaults
    strict: bool
    rolls: bool
    effects_run: bool
    observer: Observer
    written: Callable[..., Any]

    def builder(self) -> Builder:
        """Of a graph that is traced so."""
        builder = Builder(self.name, current_builder(), self.defaults)
        builder.strict, builder.rolls, builder.effects_run = self.strict, self.rolls, self.effects_run
        return builder


def trace(
    function: Callable[..., Any],
    arguments: Arguments,
    key: Key,
    manner: Manner,
    *,
    allows_variables: bool,
    begin: Callable[[Builder, Sequence[ExternalInput]], None] | None = None,
    asked: Sequence[Place] = (),
    pinned: set[Hashable] | None = None,
    raised: Callable[[Exception, Guards | None], None] | None = None,
) -> Trace:
    """The graph of `function` for arguments of this key.

    Parameters
    ----------
    function : callable
    arguments : Arguments
        Python values are used as they are; a tensor gives way to an input of the graph.
    key : Key
        The specs of the inputs; they may be wider than the arguments.
    manner : Manner
    allows_variables : bool
        Whether the function may create variables: only the first time that it is traced.
    begin : callable, optional
        Gets the builder before the function runs, and the inputs from outside.
    asked : sequence of Place
        Places outside of the function whose values come in as inputs.
    pinned : set of hashable, optional
        Keys of places that do not, because the function cannot be traced so; more may be added.
    raised : callable, optional
        Gets what the function raises while it is traced, and what it read outside of itself.

    Raises
    ------
    Met
        When the function may reach an argument from outside, too, that is not `whole`.
    """
    lent = [isinstance(each, GeneratorKey | ContainerKey | SetKey) for each in key.leaves]
    rest = [leaf for leaf, is_lent in zip(arguments.leaves, lent, strict=True) if not is_lent]
    roots = [manner.written, *rest, *dict.fromkeys(arguments.structure.records())]
    reads = manner.observer.reads(roots) if manner.effects_run else None
    if reads is not None:
        require_apart_from(arguments, reads)
    pinned = set() if pinned is None else pinned
    passed = [each.place for each in key.leaves if isinstance(each, ContainerKey)]
    entered = [*[ExternalInput(each, each.get()) for each in passed], *_asked(asked, reads, pinned)]
    may_guess = reads is not None
    for _ in range(_MOST_TRIES):
        builder = manner.builder()
        builder.allows_variables = allows_variables
        run, handed = _prepared(builder, function, arguments, key)
        if reads is not None and may_guess:
            entered, may_guess = [*entered, *_guessed(entered, reads, pinned, handed)], False
        once = _Round(builder, key, arguments, entered, reads, pinned, handed, begin, manner.written)
        try:
            explained = _explained_recursion(manner.name, is_outermost=current_builder() is None)
            with building(builder), explained, unknown_dims_explained(builder), _known(handed, arguments):
                found = manner.observer.observe(
                    partial(once.outcome, run), [*roots, *handed.roots], reads, once.close
                )
        except Wider as found_there:
            if found_there.builder is not builder:
                raise
            found = once.with_wider(found_there.entered)
        except Exception as error:
            if not entered or reads is None:
                if raised is not None:
                    raised(error, None if reads is None else reads.guards(()))
                raise
            found = once.with_fewer()
        finally:
            once.hide()
        if isinstance(found, Trace):
            return found
        entered = found
        if not {each.key for each in passed} <= {each.place.key for each in entered}:
            raise NotForAll(manner.name, "what a container holds is not all that matters of it")
    raise StateDisagrees(
        f"what {manner.name}() changes outside of itself does not settle",
        why="Each time it was traced, it had changed something else there, which a tensor decides.",
        way_out="Return what changes, and let the caller store it.",
    )


@contextmanager
def _known(handed: Handed, arguments: Arguments) -> Iterator[None]:
    """While it is known what stands for which arguments."""
    tracing.handed.append((handed, arguments))
    try:
        yield
    finally:
        tracing.handed.pop()


_MOST_TRIES = 64
"""Traces of one function for one graph: each learns of something outside that it changes."""


def _asked(asked: Sequence[Place], reads: Reads | None, pinned: Collection[Hashable]) -> list[ExternalInput]:
    """The inputs that are known to be wanted before the function is traced."""
    wanted = {place.key: place for place in (*asked, *(reads.large() if reads is not None else ()))}
    held = {
        key: place.get()
        for key, place in wanted.items()
        if key not in pinned and ("contents", id(place.owner)) not in wanted.keys() - {key}
    }
    return [ExternalInput(wanted[key], value) for key, value in held.items() if can_come_in(value)]


def _guessed(
    entered: Sequence[ExternalInput], reads: Reads, pinned: Collection[Hashable], handed: Handed
) -> list[ExternalInput]:
    """The inputs that the function seems to need beside these, by what its code says."""
    known = {*pinned, *[each.place.key for each in entered]}
    places = {place.key: place for place in reads.rebound() if place.key not in known}
    return [
        ExternalInput(place, place.get(), is_guess=True)
        for place in places.values()
        if not handed.holds(place) and can_come_in(place.get())
    ]


def _prepared(
    builder: Builder, function: Callable[..., Any], arguments: Arguments, key: Key
) -> tuple[Callable[[], Any], Handed]:
    """The call that fills a graph, which has its inputs from here on, and what is handed over."""
    leaves = list(arguments.leaves)
    for index, spec in enumerate(key.leaves):
        if isinstance(spec, Spec):
            entering = ListSpec(spec.element) if isinstance(spec, NumbersSpec) else spec
            value = builder.input(entering, label_of(arguments.paths[index], "arg"))
            leaves[index] = Symbol(value)
            if isinstance(spec, NumberSpec | NumbersSpec):
                builder.context.weak.add(value)
            elif isinstance(spec, ZeroDimSpec):
                builder.arrays.without_axes.add(value)
        elif isinstance(spec, GeneratorKey | ContainerKey | SetKey):
            leaves[index] = spec.stand_in
    lent = [each for each in key.leaves if isinstance(each, GeneratorKey | ContainerKey | SetKey)]
    stand_ins = frozenset([id(each.stand_in) for each in lent])
    with taken_apart({0: None} if arguments.instances else {}):  # which takes note of those that are made
        args, kwargs = arguments.rebuilt(leaves)
        handed = Handed((args, kwargs), arguments.whole, stand_ins)
    return lambda: function(*args, **kwargs), handed


class _Round:
    """One run of a function against a fresh graph, with these inputs from outside.

    Parameters
    ----------
    builder : Builder
        Of the graph.
    key : Key
    arguments : Arguments
    entered : list of ExternalInput
    reads : Reads, optional
    pinned : set of hashable
    handed : Handed
    begin : callable, optional
        See `trace`.
    written : callable
        The function as the user wrote it.
    """

    def __init__(
        self,
        builder: Builder,
        key: Key,
        arguments: Arguments,
        entered: list[ExternalInput],
        reads: Reads | None,
        pinned: set[Hashable],
        handed: Handed,
        begin: Callable[[Builder, Sequence[ExternalInput]], None] | None,
        written: Callable[..., Any],
    ) -> None:
        self._written = written
        self.builder, self.key, self.arguments, self.entered = builder, key, arguments, entered
        self.reads, self.pinned, self.handed = reads, pinned, handed
        if reads is not None:
            reads.entered = entered
        for each in entered:
            each.enter(builder)
        self._containers = [each for each in key.leaves if isinstance(each, ContainerKey)]
        if begin is not None:
            begin(builder, entered)
        builder.watcher = None  # other graphs will call it, too
        self._held_around = dict(builder.arrays.contents)

    def outcome(self, run: Callable[[], Any]) -> tuple[bool, Any]:
        """Whether the function returns, and what, when places outside of it give the inputs of the graph."""
        for each in self.entered:
            each.show()
        return _outcome(self.builder, run)

    def hide(self) -> None:
        """Has no place give the inputs any more."""
        for each in self.entered:
            each.hide()

    def with_wider(self, wider: ExternalInput) -> list[ExternalInput]:
        """The inputs of the next round, where one has to hold more."""
        return [wider if each.place.key == wider.place.key else each.anew() for each in self.entered]

    def with_fewer(self) -> list[ExternalInput]:
        """The inputs of the next round, where this one has failed: those that were not guessed, or none."""
        if any(each.is_guess for each in self.entered):
            return [each.anew() for each in self.entered if not each.is_guess]
        self.pinned.update(each.place.key for each in self.entered)
        return []

    def close(self, outcome: tuple[bool, Any], seen: Seen) -> Trace | list[ExternalInput]:
        """The trace, its graph with outputs; or the inputs of the next round."""
        written_to = [each for each in self.entered if each.is_written(self.builder)]
        if written_to:  # they come in again as what the arrays hold, which are changed where they are
            self.pinned.update(each.place.key for each in written_to)
            return [each.anew() for each in self.entered if each not in written_to]
        apart = shared(self.entered, self.builder, seen)
        if apart:
            self.pinned.update(each.place.key for each in apart)
            return [each.anew() for each in self.entered if each not in apart]
        seen = self._with_replaced(seen)
        returns, result = outcome
        better = _better_inputs(
            self.builder, self.entered, self.reads, self.pinned, self.handed, result, seen
        )
        if better is not None:
            if not seen.are_stored:
                _undo(seen.changes)
            return better
        require_own(self.builder, self._held_around, [each.place.owner for each in self.entered])
        return self._traced(result, seen, returns=returns)

    def _with_replaced(self, seen: Seen) -> Seen:
        """With the places that get other tensors because the function has written into those there."""
        known = {change.place.key for change in seen.changes}
        found = [each.replaced(self.builder) for each in self.entered]
        more = [each for each in found if each is not None and each.place.key not in known]
        return replace(seen, changes=[*seen.changes, *more]) if more else seen

    def _traced(self, result: Any, seen: Seen, *, returns: bool) -> Trace:
        builder, entered, handed = self.builder, self.entered, self.handed
        require_classes(handed, self.arguments)
        tensors = builder.defaults.tensors
        if tensors is not None:
            result = tensors.nested(result)
        is_endless = holds_itself(result)
        results, structure = flatten(None if is_endless else self._put_together_in_graph(result))
        if tensors is not None:
            structure = tensors.structured(structure, builder.name)
        try:
            returned = [_returned(builder, leaf) for leaf in results]
        except Error as error:
            _blame_return(error, self._written)
            raise
        for change in seen.changes if seen.are_stored else ():
            for leaf in () if holds_itself(change.now) else flatten(change.now)[0]:
                require_no_description(leaf)
        outputs = [leaf for leaf in returned if isinstance(leaf, Value)]
        given = [leaf for leaf, value in zip(results, returned, strict=True) if isinstance(value, Value)]
        effects = None
        if returns:
            to_value = partial(value_in, builder)
            effects = effects_of(builder, seen, entered, outputs, to_value, _whose, handed, result)
        lost = [place.owner for place in seen.changed_where_raised] if seen.are_stored else []
        count = sum(isinstance(spec, Spec) for spec in self.key.leaves)
        written, held = written_inputs(builder, count, lost, changes_array=bool(seen.written_arrays))
        graph = builder.finish([*outputs, *held])
        if seen.are_stored:
            graph = with_what_raises(graph, builder.context.asked, builder.context.weak)
        inputs = {each.place.key for each in entered}
        if not seen.are_stored:
            _undo([change for change in seen.changes if change.place.key in inputs])
        changes_stored = bool(seen.changes and seen.are_stored)
        return Trace(
            graph,
            self.key,
            tuple(self.arguments.paths),
            structure,
            leaves=tuple([OUTPUT if isinstance(leaf, Value) else leaf for leaf in returned]),
            weak=tuple([is_tensor(leaf) and _whose(leaf) is True for leaf in given]),
            mixed=tuple([is_tensor(leaf) and not isinstance(_whose(leaf), bool) for leaf in given]),
            returns=returns,
            inputs=tuple(entered),
            effects=effects,
            written=written,
            changes_outside=changes_stored or any(_is_outside(builder, count, each) for each in lost),
            guards=None if self.reads is None else self.reads.guards(inputs),
            captures=tuple(builder.captures),
            begun=builder.context.begun,
            functions=builder.context.functions,
            makes_variables=builder.makes_variables,
            notices=_notices(builder),
            loops=builder.context.loops,
            changed_where_called=tuple(
                [each.place for each in seen.where_called if not handed.holds(each.place)]
            ),
            changed_where_raised=tuple(
                [each for each in seen.changed_where_raised if not handed.holds(each)]
            ),
            surroundings=seen.surroundings,
            same=_same_arrays(builder, [seen.current(leaf) for leaf in given]),
            apart=self.arguments.apart,
        )

    def _put_together_in_graph(self, result: Any) -> Any:
        """A result with None for containers of any length among the arguments, which a call has already."""
        if type(result) is tuple:
            return tuple(map(self._put_together_in_graph, result))
        return None if any(result is each.stand_in for each in self._containers) else result


def _blame_return(error: Error, function: Callable[..., Any]) -> None:
    """Has an error show where a function returns, that has run, in the place of its call."""
    where = returns_of(function)
    if where and error.where == caller_location():
        error.where = where[0]
        error.details += tuple([f"or by the `return` in line {each.line}" for each in where[1:]])


def _same_arrays(builder: Builder, given: Sequence[Any]) -> tuple[int, ...]:
    """Of each output that is returned the first that is the same array; empty where none is there twice."""
    first: dict[Any, int] = {}
    known: dict[Value, Value] = {}
    found = []
    for index, leaf in enumerate(given):
        array: Any = index
        if not builder.defaults.static_shapes:
            if isinstance(leaf, np.ndarray):
                array = id(leaf), np.ndarray
            elif ops.is_array(leaf):
                array = _whichever(builder, leaf.value, known)
        found.append(first.setdefault(array, index))
    return tuple(found) if len(first) < len(found) else ()


def _whichever(builder: Builder, value: Value, known: dict[Value, Value]) -> Value:
    """The array that a value is of, also where a test has chosen between two names of it.

    `known` has what was found of others: many names may be chosen between, each of which was chosen, too.
    """
    array = builder.arrays.identity(value)
    if array not in known:
        _, leaves = builder.arrays.decided.get(array, (None, {}))
        found = {array}
        if leaves and all(map(ops.is_array, leaves.values())):
            found = {_whichever(builder, leaf.value, known) for leaf in leaves.values()}
        known[array] = found.pop() if len(found) == 1 else array
    return known[array]


def _is_outside(builder: Builder, count: int, owner: Any) -> bool:
    """Whether what was changed is none of so many arguments, and no array that the graph has made."""
    return not isinstance(owner, Value) or owner in builder.inputs[count:]


def _better_inputs(
    builder: Builder,
    entered: list[ExternalInput],
    reads: Reads | None,
    pinned: set[Hashable],
    handed: Handed,
    result: Any,
    seen: Seen,
) -> list[ExternalInput] | None:
    """What comes in at the next trace; None where this one has shown that none is needed."""
    wrong = mistaken(entered, seen) if seen.is_sure else []
    if wrong and reads is not None:
        reads.forget()  # of what was learnt with these inputs
        return [each.anew() for each in entered if each not in wrong]
    told_apart = [
        each
        for each in entered
        if each.is_told_apart(builder, result, seen)
        or each.has_other_kinds(seen)
        or not each.keep_apart(builder, result, seen)
    ]
    if told_apart:  # these are the objects themselves in the next trace
        pinned.update(each.place.key for each in told_apart)
        return [each.anew() for each in entered if each not in told_apart]
    better = revised(entered, seen) or first_inputs(seen, entered, pinned, handed.holds)
    return better or (None if seen.is_sure else [each.anew() for each in entered])


def _notices(builder: Builder) -> list[Notice]:
    """What is to be said of the graph and of those in it; others were given up.

    That is asked of the outermost graph, which has all of them.
    """
    if not builder.context.notices or builder.parent is not None:
        return []
    kept = {inner for graph in (builder.graph, *builder.context.functions.values()) for inner in graph.walk()}
    matters = kinds.Kinds(kept, builder.context.told_of_kind).matter
    return [
        notice
        for graph, notice, values in builder.context.notices
        if graph in kept and (not values or any(map(matters, values)))
    ]


def _undo(changes: Iterable[Change]) -> None:
    """Gives places outside of the function the values that they had before it."""
    for change in changes:
        change.place.set(change.before)


def _outcome(builder: Builder, run: Callable[[], Any]) -> tuple[bool, Any]:
    """Whether a function may return, and what. One that always raises does so when its graph runs."""
    try:
        return True, run()
    except NoOutcome:
        return NO_RESULT
    except BaseException as error:
        refusal = refusal_behind(error)
        if refusal is not None:
            raise refusal from None
        if not (is_stand_in(error) or is_raised(error)) or not needs_graph(error, builder):
            raise
        record(error)
        return NO_RESULT


@contextmanager
def _explained_recursion(name: str, *, is_outermost: bool) -> Iterator[None]:
    """Says why Python's recursion had no end, once; only the outermost trace sees all calls.

    Raises
    ------
    StateDisagrees
        Where it was ours, which goes through what is inside of a value.
    """
    try:
        yield
    except RecursionError as error:
        if is_outermost and _is_ours(error):
            raise StateDisagrees(
                "objects or containers hold each other, or too many are inside one another",
                where=location_of(error.__traceback__),
                why="A tensor decides what becomes of them here, and a value of a graph has one structure.",
                way_out="Keep them in a list, and let them refer to each other by index.",
            ) from None
        if not getattr(error, "__notes__", ()):
            error.add_note(
                f"This happened while {name}() was traced. Both branches of an `if` on a tensor are traced, "
                "so calls inside one another have no end where an argument has another form in each of "
                "them.\nGive every call arguments of one form (no nest that gets deeper), write the "
                "recursion as a loop, or let a Python value decide it."
            )
        raise


def _is_ours(error: BaseException | None) -> bool:
    """Whether calls of ours are inside one another, which no traceback shows, and none of the program's."""
    while error is not None:
        shown, link = Counter[CodeType](), error.__traceback__
        while link is not None:
            shown[link.tb_frame.f_code] += 1
            link = link.tb_next
        if max(shown.values(), default=0) >= _MANY:
            return False
        error = error.__context__  # of which there is one where no room was left to handle that
    return True


_MANY = 6
"""Calls of one function in a traceback from which on it is that which calls itself; ours are there thrice."""


_LEAST, _MOST = int(np.iinfo(np.int64).min), int(np.iinfo(np.uint64).max)


def _returned(builder: Builder, leaf: Any) -> Any:
    """A value of the graph for what is a tensor or a number; anything else as it is.

    So is a number of a class of the program's own, which has methods and may have attributes, and an int that
    Python knows and no dtype has room for.
    """
    if builder.defaults.tensors is not None:
        leaf = builder.defaults.tensors.returned(leaf, builder.name)
    if isinstance(leaf, int | float | complex) and not is_closed(type(leaf)):
        return leaf
    if type(leaf) is int and builder.defaults.tensors is None and not _LEAST <= leaf <= _MOST:
        return leaf
    if leaf is ABSENT:
        raise StateDisagrees(
            "the function returns what none of its paths leaves in a form that a graph has",
            where=caller_location(),
            why="Which path is taken shows only when the graph runs, and what they leave has no common form.",
            way_out="Make what is returned before the statement, or return it on each path by itself.",
        )
    if is_tensor(leaf):
        return value_in(builder, as_tensor(leaf))
    require_no_description(leaf)
    return leaf


def _whose(leaf: Any) -> Whose:
    return whose(operand(leaf))
