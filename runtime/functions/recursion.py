"""Traces functions that call themselves: the result spec is found by iterating to a fixpoint.

In the first round nobody knows what the function gives, so a branch with such a call gives nothing, and the
other branch says what the function gives. The next round records calls of that form, joins what it finds, and
so on until nothing changes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import field, replace
from itertools import pairwise
from typing import Any, TypeAlias

from autograph_base.dataclass import dataclass
from runtime.core.spec import Spec
from runtime.core.structure import Structure, flatten, unflatten
from runtime.core.tracing import tracing
from runtime.errors import GraphError, StateDisagrees
from runtime.functions.effects import Effects as Stored
from runtime.functions.external_state import Change, ExternalInput, GivenUp, Observer, Place, Wider
from runtime.functions.key import Key
from runtime.functions.signature import Arguments
from runtime.functions.trace import OUTPUT, Trace
from runtime.functions.written import Written
from runtime.graph.build import building, current_builder
from runtime.graph.builder import Builder
from runtime.graph.graph import Graph, Node, Value
from runtime.graph.op import Effects
from runtime.graph.symbol import Symbol
from runtime.graph.whose_numbers import Whose
from runtime.ops.control_flow import NoOutcome, RecursiveCall
from runtime.ops.control_flow.call import call_function, free_name
from runtime.ops.control_flow.tracing import as_value, join, mark_numbers, mark_weak
from runtime.ops.raising import Raise, Reraise
from runtime.passes.rebuild import Copy

__all__ = [
    "OpenTrace",
    "Rounds",
    "are_under_way",
    "in_rounds",
    "innermost",
    "is_given_ever_more",
    "may_have_raised",
    "outermost",
    "widened_by_depth",
]

MOST_ROUNDS = 8
"""Rounds in which what a function gives must settle: dtypes widen and dims become unknown a few times."""

DEEPEST = 5
"""Calls inside one another, for signatures that differ in shapes or numbers only, before one graph serves
them all."""


@dataclass(frozen=True)
class Outcome:
    """What a function gives, as far as is known.

    Attributes
    ----------
    structure, leaves
        As in a `Trace`.
    specs : tuple of Spec
        Of the outputs.
    weak : tuple of bool
        Whether an output stands for a Python number.
    mixed : tuple of bool
        Whether it does on some paths.
    effects : Effects
    captures : tuple of Value
        What the function uses of the graphs around it.
    count : int
        The number of outputs that are returned; those behind them are stored outside of the function.
    inputs : tuple of Place
        The places outside whose values come in behind the arguments.
    changed : tuple of hashable
        Keys of the places outside that it changes, in the order of the outputs.
    stored : Effects, optional
        How they change.
    written : Written
        The arguments that it writes into.
    is_first : bool
        Whether it was found without the paths on which the function calls itself.
    """

    structure: Structure
    leaves: tuple[Any, ...]
    specs: tuple[Spec, ...]
    weak: tuple[bool, ...]
    mixed: tuple[bool, ...]
    effects: Effects
    captures: tuple[Value, ...]
    count: int = 0
    inputs: tuple[Place, ...] = field(default=(), compare=False)
    changed: tuple[Hashable, ...] = ()
    stored: Stored | None = field(default=None, compare=False)
    written: Written = field(default_factory=Written)
    is_first: bool = field(default=False, compare=False)

    @classmethod
    def of(cls, traced: Trace) -> Outcome:
        """What one round found."""
        graph = traced.graph
        return cls(
            traced.structure,
            traced.leaves,
            graph.output_specs,
            (
                *traced.weak,
                *(traced.effects.weak if traced.effects is not None else ()),
                *[False] * len(traced.written.inputs),
            ),
            (
                *traced.mixed,
                *(traced.effects.mixed if traced.effects is not None else ()),
                *[False] * len(traced.written.inputs),
            ),
            graph.effects,
            traced.captures,
            traced.count,
            tuple([each.place for each in traced.inputs]),
            traced.effects.keys if traced.effects is not None else (),
            traced.effects,
            traced.written,
        )

    def joined(self, other: Outcome) -> Outcome:
        """What holds both; what is captured stays in the order in which it was found."""
        scratch = Builder("join")
        pairs = [
            [scratch.input(spec) for spec in specs] for specs in zip(self.specs, other.specs, strict=True)
        ]
        for values, weak in zip(pairs, zip(self.weak, other.weak, strict=True), strict=True):
            mark_weak(scratch, values, weak)
        with building(scratch):
            found = [join(left, right) for left, right in pairs]
        return replace(
            self,
            specs=tuple([spec for spec, _ in found]),
            weak=tuple([weak for _, weak in found]),
            mixed=tuple(map(_is_mixed, self.weak, other.weak, self.mixed, other.mixed)),
            effects=self.effects | other.effects,
            inputs=other.inputs,
            stored=other.stored,
            captures=tuple(dict.fromkeys((*self.captures, *other.captures))),
        )

    def describe(self) -> str:
        """What it gives, for a message."""
        rest = iter(self.specs)
        shown = [str(next(rest)) if leaf is OUTPUT else repr(leaf) for leaf in self.leaves]
        return f"{self.structure} of {', '.join(shown)}" if len(shown) != 1 else shown[0]


def _is_mixed(weak: bool, other_weak: bool, mixed: bool, other_mixed: bool) -> bool:
    """Whether an output stands for a Python number on some paths, of one round or the other."""
    return mixed or other_mixed or weak is not other_weak


class Widen(GivenUp):
    """Asks the trace that is furthest out to start anew, for a signature that holds all those inside it.

    Parameters
    ----------
    opened : OpenTrace
    key : Key
    is_early : bool
        Whether it goes on with its own signature where nothing can be traced for this one.
    """

    def __init__(self, opened: OpenTrace, key: Key, *, is_early: bool) -> None:
        super().__init__()
        self.opened = opened
        self.key = key
        self.is_early = is_early


def outermost() -> OpenTrace | None:
    """The trace that this thread has started first."""
    return tracing.traces[0] if tracing.traces else None


def innermost() -> OpenTrace | None:
    """The trace that this thread is in."""
    return tracing.traces[-1] if tracing.traces else None


Rounds: TypeAlias = "dict[OpenTrace, Builder | None]"
"""Functions that are being traced, and the graphs of the rounds that they are in."""


def are_under_way(rounds: Rounds) -> bool:
    """Whether all of these are still being traced, in these rounds."""
    return all(opened in tracing.traces and opened.builder is builder for opened, builder in rounds.items())


@dataclass(eq=False)
class OpenTrace:
    """A function while it is traced: one round.

    Attributes
    ----------
    name : str
    function : str
        What calls from inside name; no other function of the module is called so.
    key : Key
    outcome : Outcome or None
        What the function gives as far as the rounds before say.
    owners : dict of hashable to sequence of Whose
        Whose numbers come in from places outside, by these, where calls from inside have shown others.
    builder : Builder or None
        Of the graph of this round, once it is there.
    is_recursive : bool
        Whether the function was called from inside.
    calls_around : dict of OpenTrace to Builder
        The functions around this one that were, whose outcomes may still change, and their graphs.
    below_branch : bool
        Whether a tensor decides if this call of the function happens at all.
    asked : sequence of Place
        The places outside whose values come in, as another trace has shown.
    calls : list
        The calls that are running, of functions that are traced in place; kept by who makes them.
    outlined : dict
        The graph functions that stand for functions, of the outermost trace.
    observer : Observer or None
        Watches what the function does outside of itself.
    changed_so_far : callable
        What it has changed there by now.
    where_called : dict of hashable to Change
        What it had changed where it calls itself, by place; of one place, the first time.
    """

    name: str
    function: str
    key: Key
    outcome: Outcome | None = None
    owners: dict[Hashable, Sequence[Whose | None]] = field(default_factory=dict)
    builder: Builder | None = None
    is_recursive: bool = False
    calls_around: Rounds = field(default_factory=dict)
    below_branch: bool = False
    asked: Sequence[Place] = ()
    calls: list[Any] = field(default_factory=list)
    outlined: dict[Any, Any] = field(default_factory=dict)
    observer: Observer | None = None
    changed_so_far: Callable[[], Iterable[Change]] = tuple
    where_called: dict[Hashable, Change] = field(default_factory=dict)
    _entered: Sequence[ExternalInput] = ()
    _call: RecursiveCall | None = None

    def _may_not_be_reached(self, outer: OpenTrace) -> bool:
        """Whether this is a call from inside, and another path has raised before it."""
        is_inside = any(each.name == self.name for each in tracing.traces)
        return is_inside and outer.builder is not None and may_have_raised(outer.builder.nodes)

    @property
    def is_provisional(self) -> bool:
        """Whether a function around this one was called from inside, whose outcome may still change."""
        return bool(self.calls_around)

    @contextmanager
    def on_stack(self) -> Iterator[None]:
        """While the function runs."""
        outer = innermost()
        if outer is not None:
            self.below_branch = current_builder() is not outer.builder or self._may_not_be_reached(outer)
        tracing.traces.append(self)
        told, tracing.told = tracing.told, ()  # it may be called elsewhere, too
        try:
            yield
        finally:
            tracing.told = told
            tracing.traces.pop()

    def begin(self, builder: Builder, entered: Sequence[ExternalInput]) -> None:
        """Takes the builder of this round, whose graph has all inputs but captures.

        `entered` are those for values from outside.
        """
        self.builder = builder
        self._entered = entered
        for each in entered:
            if each.place.key in self.owners:
                each.stand_for(builder, self.owners[each.place.key])
        self.where_called = {}
        if self.outcome is not None:
            for value in self.outcome.captures:  # in the order in which calls from inside hand them over
                builder.resolve(value)
            specs = tuple([value.spec for value in builder.inputs])
            does = tuple([str(effect.name) for effect in self.outcome.effects])
            self._call = RecursiveCall(self.function, specs, self.outcome.specs, does)

    def recurse(self, arguments: Arguments) -> Any:
        """What a call from inside gives.

        Raises
        ------
        NoOutcome
            In the first round, when that is not known.
        """
        self.note_call()
        outcome, call = self.outcome, self._call
        if outcome is None or call is None:
            raise NoOutcome
        inputs = [*arguments.inputs(self.key), *self._outside()]
        symbols = call_function(call, inputs, outcome.captures)
        assert self.builder is not None, "a call from inside is recorded while the function is traced"
        mark_numbers(self.builder, [symbol.value for symbol in symbols], outcome.weak, outcome.mixed)
        end = len(symbols) - len(outcome.written.inputs)
        if outcome.written:
            given = arguments.given_as(self.key)
            outcome.written.require_apart(given)
            outcome.written.store(given, symbols[end:])
        rest = iter(symbols)
        result = unflatten(
            outcome.structure, [next(rest) if leaf is OUTPUT else leaf for leaf in outcome.leaves]
        )
        if outcome.stored is None:
            return result
        return outcome.stored.store(symbols[outcome.count : end], arguments.nest, result)

    def note_call(self) -> None:
        """Says that the function is called from inside."""
        self.is_recursive = True
        depth = tracing.traces.index(self)
        for inside in tracing.traces[depth + 1 :]:
            inside.calls_around[self] = self.builder
        for change in self.changed_so_far():
            self.where_called.setdefault(change.place.key, change)

    def _outside(self) -> Iterator[Any]:
        """What is in the places outside when the function calls itself."""
        for each in self._entered:
            values = each.load(with_numbers=True)
            there = each.place.get()
            wider = each.widened(there) if values is None else self._with_owners(each, there)
            if wider is not None and self.builder is not None:
                raise Wider(self.builder, wider)
            if values is None:
                raise StateDisagrees(
                    f"`{each.place.name}` is of another kind where {self.name}() calls itself",
                    details=[f"before: {each.nest!r}", f"there:  {there!r}"],
                    why="A tensor decides whether it calls itself, so it is a function of the graph.",
                    way_out="Keep one dtype and shape there, or pass the value as an argument.",
                )
            yield from values

    def _with_owners(self, entered: ExternalInput, there: Any) -> ExternalInput | None:
        """The same input, where the function has to be traced for numbers of others, too."""
        owners = entered.owners_with(there)
        if owners == entered.owners:
            return None
        self.owners[entered.place.key] = owners
        self.outcome = None  # which was found for those of fewer
        return entered.anew()

    def found(self, traced: Trace) -> Outcome:
        """What is known after this round.

        Raises
        ------
        StateDisagrees
            When the function gives another structure than before.
        """
        found = Outcome.of(traced)
        self._require_inputs(traced)
        before = self.outcome
        if before is not None:
            found = replace(found, captures=_without_inputs(found, before))
        if before is None:
            return replace(found, is_first=True)
        kept = all(one is other for one, other in zip(before.leaves, found.leaves, strict=False))
        if before.is_first and found.structure != before.structure:
            return found
        if found.structure != before.structure or not kept:
            raise StateDisagrees(
                f"{self.name}() calls itself, and gives something else where it does",
                details=[f"without: {before.describe()}", f"with:    {found.describe()}"],
                why="A tensor decides whether it calls itself, so all paths must give one structure.",
                way_out="Return the same nest of lists, tuples and dicts from every path.",
            )
        if (found.changed, found.written) != (before.changed, before.written):
            return found  # it changes more than was known
        if len(found.specs) != len(before.specs):
            return found
        return before.joined(found)

    def _require_inputs(self, traced: Trace) -> None:
        """Sees to it that what the function changes outside comes in: calls from inside have changed it."""
        known = {each.place.key for each in traced.inputs}
        stored = traced.effects.places if traced.effects is not None else ()
        places = [each.place for each in stored if each.owner is None]
        for place in (*places, *traced.changed_where_called):
            if place.key not in known:
                raise StateDisagrees(
                    f"{self.name}() calls itself and changes `{place.name}`, which no graph takes in",
                    why="A tensor decides whether it calls itself: what it changes outside is its argument.",
                    way_out="Keep numbers or tensors there, of one structure, or return the value.",
                )

    def close(self, traced: Trace) -> Trace:
        """Makes the graph of this round, with outputs of the settled specs, what calls from inside mean."""
        outcome, builder = self.outcome, self.builder
        assert outcome is not None, "the function has settled"
        assert builder is not None, "the function has settled"
        graph = builder.context.functions[self.function] = _cast_outputs(traced.graph, outcome.specs)
        return replace(
            traced, graph=graph, weak=outcome.weak[: traced.count], mixed=outcome.mixed[: traced.count]
        )


def _without_inputs(found: Outcome, before: Outcome) -> tuple[Value, ...]:
    """What a round has captured, without what comes in from now on: that is another value in each call."""
    around = current_builder()
    known = {place.key for place in before.inputs}
    leaves = [leaf for each in found.inputs if each.key not in known for leaf in flatten(each.get())[0]]
    values = [leaf.value if isinstance(leaf, Symbol) else leaf for leaf in leaves]
    captured = {} if around is None else around.arrays.captured

    def origin(value: Value) -> Value:
        while value in captured:
            value = captured[value]
        return value

    held = {origin(value) for value in values if isinstance(value, Value)}
    return tuple([value for value in found.captures if origin(value) not in held])


@dataclass(frozen=True)
class Learnt:
    """What a trace of a function inside of other graphs has found, for one in another place.

    Attributes
    ----------
    inputs : sequence of Place
        The places outside whose values come in.
    outcome : Outcome or None
        What the function gives, where it calls itself.
    takes : sequence of str
        What all inputs of the graph were like: those of another place have to be alike, or else the function
        may give something else there.
    """

    inputs: Sequence[Place]
    outcome: Outcome | None
    takes: Sequence[str]

    @classmethod
    def of(cls, traced: Trace, opened: OpenTrace) -> Learnt:
        """What a trace has found, in the values of the outermost graphs that have them."""
        outcome, around = opened.outcome if opened.is_recursive else None, current_builder()
        if outcome is not None and around is not None:
            outcome = replace(outcome, captures=tuple(map(around.arrays.origin, outcome.captures)))
        return cls([each.place for each in traced.inputs], outcome, _takes(traced))

    def fits(self, traced: Trace) -> bool:
        """Whether the inputs of a trace in another place are alike; there may be more."""
        return not Counter(self.takes) - Counter(_takes(traced))

    def is_there(self) -> bool:
        """Whether what comes in from outside holds no value of a trace that was given up."""
        around = current_builder()
        leaves = [leaf for each in self.inputs for leaf in flatten(each.get())[0]]
        values = [leaf.value for leaf in leaves if isinstance(leaf, Symbol)]
        return around is not None and (not values or around.owner_of(values) is not None)

    def here(self) -> Outcome | None:
        """What the function gives if this place is alike, with those of its captures that are there."""
        around = current_builder()
        if self.outcome is None or around is None:
            return None
        captures = [each for each in self.outcome.captures if around.owner_of((each,)) is not None]
        return replace(self.outcome, captures=tuple(map(around.resolve, captures)), is_first=True)


def _takes(traced: Trace) -> Sequence[str]:
    return [*map(str, traced.graph.input_specs)]


def in_rounds(
    name: str,
    key: Key,
    run: Callable[[OpenTrace], Trace],
    learnt: Learnt | None = None,
    keep_apart: Callable[[Key], None] | None = None,
) -> tuple[OpenTrace, Trace]:
    """The trace of a function; where it calls itself, the one of the round that changes nothing.

    Parameters
    ----------
    name : str
    key : Key
        The signature; the trace may be of a wider one.
    run : callable
        Traces the function once.
    learnt : Learnt, optional
        What another trace has found: the first round begins with that, where it is no more than a guess.
    keep_apart : callable, optional
        Hears of a signature for many calls for which nothing could be traced: each has a trace of its own.
    """
    learnt = None if learnt is None or not learnt.is_there() else learnt
    guess = None if learnt is None else learnt.here()
    rounds: list[Outcome] = [] if guess is None else [guess]
    around = current_builder()
    taken = {opened.function for opened in tracing.traces} | {*(around.context.functions if around else ())}
    function = free_name(name, taken)
    owners: dict[Hashable, Sequence[Whose | None]] = {}
    while len(rounds) < MOST_ROUNDS:
        opened = OpenTrace(name, function, key, rounds[-1] if rounds else None, owners)
        opened.asked = () if learnt is None else learnt.inputs
        try:
            traced = run(opened)
        except Widen as wanted:
            if wanted.opened is not opened:
                raise
            if wanted.is_early and keep_apart is not None:
                try:
                    return in_rounds(name, wanted.key, run)
                except Exception:  # noqa: BLE001  # the calls say, one by one, whether they raise
                    keep_apart(wanted.key)
                    continue
            key, rounds, learnt, guess = wanted.key, [], None, None
            continue
        if not opened.is_recursive:
            return opened, traced
        if not traced.returns:
            if opened.is_provisional:
                return opened, traced
            raise _endless(name)
        try:
            outcome = opened.found(traced)
        except StateDisagrees:
            if guess is None:
                raise
            rounds, guess = [], None
            continue
        if outcome == opened.outcome:
            if guess is None or learnt is None or learnt.fits(traced):
                return opened, opened.close(traced)
            rounds, guess = [], None
            continue
        rounds.append(outcome)
    raise StateDisagrees(
        f"what {name}() gives does not settle on dtypes and shapes",
        details=[f"round {number}: {each.describe()}" for number, each in enumerate(rounds)],
        why="It calls itself, so what it gives depends on what it gives.",
        way_out="Cast what it returns to one dtype, and give it one shape.",
    )


def _endless(name: str) -> GraphError:
    return GraphError(
        f"every path through {name}() calls it again, or raises",
        why="What it gives can only be told from a path that returns.",
        way_out="Return a value on one path before the function calls itself.",
    )


def widened_by_depth(around: Sequence[OpenTrace], key: Key, *, are_apart: bool) -> Widen | None:
    """What asks for one graph for calls inside one another, where their shapes or numbers differ without end.

    Where one of them has called itself with what it was called with, it is a tensor that ends them: no number
    does. The next other number is an input then, since with each the rounds would multiply.

    Parameters
    ----------
    around : sequence of OpenTrace
        Those of the same function, the outermost first.
    key : Key
        The signature that is to be traced next.
    are_apart : bool
        Whether a graph for all of them was tried in vain.

    Returns
    -------
    Widen, or None
        To be raised; None where there are few of them.
    """
    alike = []
    for opened in reversed(around):
        both = opened.key.widened(key)
        if both is None:
            break
        key = both
        alike.append(opened)
        if not opened.below_branch:
            break
    if len(alike) > DEEPEST:
        return Widen(alike[-1], key, is_early=False)
    is_early = not are_apart and any(opened.is_recursive for opened in alike)
    return Widen(alike[-1], key, is_early=True) if is_early else None


def is_given_ever_more(around: Sequence[OpenTrace], key: Key) -> bool:
    """Whether calls inside one another are each given more than the one around it, a longer tuple, say.

    As a rule a number ends such a recursion. In a trace for all numbers nothing does.

    Parameters
    ----------
    around : sequence of OpenTrace
        As for `widened_by_depth`.
    key : Key
        The signature that is to be traced next.
    """
    counts = [len(each.leaves) for each in (*[opened.key for opened in around[-DEEPEST:]], key)]
    return len(counts) > DEEPEST and all(one < other for one, other in pairwise(counts))


def may_have_raised(nodes: Iterable[Node]) -> bool:
    """Whether a tensor has decided by these nodes if what comes next happens: another path has raised."""
    return any(_raises(graph) for node in nodes for graph in node.op.graphs)


def _raises(graph: Graph) -> bool:
    """Whether a `raise` ends a graph, or one inside."""
    return any(isinstance(node.op, Raise | Reraise) for node in graph.nodes) or may_have_raised(graph.nodes)


def _cast_outputs(graph: Graph, specs: Sequence[Spec]) -> Graph:
    """`graph`, which gives values of these specs or narrower ones, with outputs of just these dtypes."""
    if all(spec.contains(own) for spec, own in zip(specs, graph.output_specs, strict=True)):
        return graph
    copy = Copy(graph)
    for node in graph.nodes:
        copy.add(node)
    with building(copy.new):
        pairs = zip(graph.outputs, specs, strict=True)
        return copy.new.finish([as_value(copy.new, copy.values[value], spec) for value, spec in pairs])
