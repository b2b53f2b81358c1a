"""Recursion whose depth a tensor decides: the function becomes a graph function that calls itself by name.

A function that converted code calls is traced in place. Where it is called again below a branch that a tensor
decides, with arguments of the same form, tracing would not end: from there on it is a graph function.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence, Set
from contextlib import AbstractContextManager, contextmanager
from itertools import pairwise, repeat
from operator import is_not
from types import MethodType
from typing import Any, TypeVar

import numpy as np

from autograph.backends.tensors.arrays.given_back import Bound, GivenBack
from autograph.backends.tensors.containers.becoming import STAND_INS, become_staged
from autograph.backends.tensors.containers.elements import Elements
from autograph.backends.tensors.containers.linked import Linked
from autograph.backends.tensors.containers.lists import Staged, StagedTuple, changes_in_place, contents_of
from autograph.backends.tensors.containers.sharing import ids_within
from autograph.backends.tensors.objects.choices import as_text, one_of, possible_values
from autograph.backends.tensors.statements.none_outside import PlacesOfNone, give_forms, places_of_none
from autograph.backends.tensors.statements.outgrown import may_be_staged, model_of
from autograph.backends.tensors.statements.own_defaults import OwnDefaults
from autograph.backends.tensors.statements.running import Call, running_around, told_apart
from autograph.backends.tensors.text.strings import grounded
from autograph.staging import notes
from autograph.staging.heap import current
from autograph.staging.places import Contents, Item
from autograph.staging.state import Undefined
from autograph_base.dataclass import dataclass
from runtime import ops
from runtime.core.structure import Structure, flatten, flatten_shared, level_of, unflatten
from runtime.core.tensor import Array
from runtime.errors import GraphError, LeakedTensor, StateDisagrees
from runtime.functions.external_state import Change, GivenUp, Observer, Seen
from runtime.functions.key import Key
from runtime.functions.polymorphic import PolymorphicFunction
from runtime.functions.recursion import OpenTrace, innermost, outermost
from runtime.graph.build import as_tensor, current_builder, current_defaults, effects_run, is_symbolic
from runtime.graph.location import caller_location
from runtime.ops.control_flow.tracing import is_tensor

__all__ = ["Outlined", "call", "forget_functions", "generator_running"]

Result = TypeVar("Result")

DEEPEST_GENERATORS = 16
"""Calls of a generator function inside one another with longer tuples or strings in each: Python may well end
them, and a graph has no function that gives items, in which they could go on."""

MOST_STARTS = 16
"""Attempts in which the lists must be found that calls make longer or shorter."""

GROWN = 4
"""Calls inside one another after which a tuple or a string that gets longer in each is one of the graph."""

IN_PLACE = 4
"""Calls inside one another that are traced in place where their shapes or numbers differ: Python may well end
them. A function that calls itself twice is traced in place up to sixteen times so."""


def call(
    function: Callable[..., Any], converted: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    """`converted(*args, **kwargs)`, traced in place, or as a graph function where it calls itself."""
    opened = innermost()
    if opened is None:
        return converted(*args, **kwargs)
    own = getattr(function, "__self__", None)
    if isinstance(own, Linked) and isinstance(function, MethodType) and isinstance(converted, MethodType):
        # the object is another one in every call
        return call(function.__func__, converted.__func__, (own, *args), kwargs)
    known = told_apart(function)
    args, kwargs = _with_tensors(known, opened.calls, args, kwargs)
    args = _with_exchanged(known, opened.calls, args)
    deepest = GROWN if _known(function, own) is None else 1
    args, kwargs = _with_grown(known, opened.calls, args, kwargs, deepest)
    shown = args if own is None else (own, *args)
    new = Call(known, current_builder(), shown, kwargs)
    if _is_repeated(new, opened.calls, IN_PLACE if _known(function, own) is None else 1):
        return _outlined(function, converted, own)(*args, **kwargs)
    return _in_place(new, opened, converted, args, kwargs)


def _in_place(
    new: Call,
    opened: OpenTrace,
    converted: Callable[..., Any],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
) -> Any:
    """Traces a call where it stands, as one of those that are running."""
    opened.calls.append(new)
    try:
        return converted(*args, **kwargs)
    finally:
        opened.calls.pop()


@contextmanager
def generator_running(
    function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Iterator[Callable[[], AbstractContextManager[None]]]:
    """While the push form of a generator function runs; gives what is entered while its consumer does.

    Raises
    ------
    GraphError
        When a tensor decides whether the function is called again: a graph function cannot give its items.
    """
    opened = innermost()
    calls: list[Any] = [] if opened is None else opened.calls
    new = Call(told_apart(function), current_builder(), args, kwargs)
    if _is_repeated(new, calls, IN_PLACE) or _only_gets_longer(new, calls):
        raise GraphError(
            f"the generator function {function.__name__}() calls itself where a tensor decides",
            why="Its calls would go on forever while they are traced.",
            way_out="Write a function that calls itself and gives a list or a tensor, or a loop.",
        )
    around = tuple(calls)

    @contextmanager
    def consumer() -> Iterator[None]:
        inside = tuple(calls)
        calls[:] = around
        try:
            yield
        finally:
            calls[:] = inside

    calls.append(new)
    try:
        yield consumer
    finally:
        calls[:] = around


def _only_gets_longer(new: Call, calls: Sequence[Call]) -> bool:
    """Whether many calls are running that differ in numbers, and in how long tuples and strings are."""
    around = running_around(new.function, calls)
    if len(around) < DEEPEST_GENERATORS:
        return False
    args, kwargs = _with_lists(new)
    return sum(bool(_of_other_lengths(_with_lists(each), (args, kwargs))) for each in around) >= (
        DEEPEST_GENERATORS
    )


def _with_lists(one: Call) -> tuple[list[Any], dict[str, Any]]:
    """The arguments of a call with lists for tuples and strings: only lengths tell these from others."""
    return [*map(_as_list, one.args)], {name: _as_list(each) for name, each in one.kwargs.items()}


def _as_list(value: Any) -> Any:
    if type(value) is str:
        return [0] * len(value)
    return list(value) if type(value) is tuple else value


def _with_tensors(
    function: Hashable, calls: Sequence[Call], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The arguments with tensors for numbers, where a call that is running has tensors in their places.

    Otherwise there would be a graph for every number that a function is called with by itself.
    """
    running = running_around(function, calls)
    if not running or current_builder() is None:
        return args, kwargs
    before = running[-1]
    known, form = _flattened(before.args[len(before.args) - len(args) :], before.kwargs)
    leaves, structure = _flattened(args, kwargs)
    if form != structure:
        return args, kwargs
    given = [*map(_tensor_for, leaves, known)]
    args, kwargs = unflatten(structure, given) if any(map(is_not, given, leaves)) else (args, kwargs)
    return args, kwargs


def _flattened(args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[list[Any], Structure]:
    """The arguments with all that may be changed as leaves: the callee gets the caller's own objects."""
    return flatten_shared((args, kwargs), (), ids_within((*args, *kwargs.values())))


def _tensor_for(leaf: Any, other: Any) -> Any:
    """A leaf, or a tensor for a number where another call has a tensor of its dtype."""
    if type(leaf) not in {int, float} or not is_symbolic(other):
        return leaf
    found = as_tensor(leaf)
    return found if other.spec == found.spec else leaf


def _with_exchanged(function: Hashable, calls: Sequence[Call], args: tuple[Any, ...]) -> tuple[Any, ...]:
    """The arguments with chosen strings for strings that have changed places since the call around.

    Otherwise there would be a graph for every order of them, with those of further orders inside.
    """
    running = running_around(function, calls)
    if not running:
        return args
    before = running[-1].args[len(running[-1].args) - len(args) :]
    texts = [value for value in args if type(value) is str]
    known = [value for value in before if type(value) is str]
    if texts == known or sorted(texts) != sorted(known):
        return args
    objects = sorted({*known})
    return tuple(
        [one_of(as_tensor(objects.index(each)), objects) if type(each) is str else each for each in args]
    )


def _with_grown(
    function: Hashable, calls: Sequence[Call], args: tuple[Any, ...], kwargs: dict[str, Any], deepest: int
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The arguments with sequences of the graph for tuples and strings that get longer in every call.

    Otherwise each call would be another one than those around it, without an end.
    """
    running = running_around(function, calls)[-deepest:]
    if len(running) < deepest:
        return args, kwargs
    rows = [each.args[len(each.args) - len(args) :] for each in running]
    if any(len(row) != len(args) for row in rows) or any(
        each.kwargs.keys() != kwargs.keys() for each in running
    ):
        return args, kwargs
    met = {each for row in rows for value in row for each in _strings(value)}
    met |= {each for call in running for value in call.kwargs.values() for each in _strings(value)}
    columns = zip(*rows, args, strict=True)
    named = {
        key: _grown([*[each.kwargs[key] for each in running], value], met) for key, value in kwargs.items()
    }
    return tuple([_grown(column, met) for column in columns]), named


def _grown(values: Sequence[Any], met: Set[str]) -> Any:
    """The last value of a parameter in calls inside one another, as one of the graph where it grows.

    A string that some parameter has had before, as those that change places, is no longer than it was.
    """
    *_, before, last = values
    if as_text(last) is not None and all(as_text(each) is not None for each in values):
        strings = _strings(last)
        is_known = bool(strings) and all(each in met for each in strings)
        return last if is_known or all(each is last for each in values) else grounded(as_text(last))
    if type(last) is not tuple:
        return last
    pairs = pairwise(values)
    grows = all(type(one) is type(two) is tuple and len(one) < len(two) for one, two in pairs)
    return StagedTuple(contents_of(last)) if grows or isinstance(before, StagedTuple) else last


def _strings(value: Any) -> Sequence[str]:
    """The strings that a value may be; none where it is something else, or where only the run knows."""
    found = possible_values(value)
    return found if all(type(each) is str for each in found) else ()


def _is_repeated(new: Call, calls: Sequence[Call], deepest: int) -> bool:
    """Whether the function is running already, and a tensor decides whether it is called again.

    It is after one call with the same form of arguments, or `deepest` calls with other shapes or numbers.
    """
    around = running_around(new.function, calls)
    if not around:
        return False
    keys, key = [each.key for each in around], new.begin()
    if key in keys or any(key == each.begun for each in around):
        return True
    return sum(map(_is_alike, around, keys, repeat(new), repeat(key))) >= deepest


def _is_alike(one: Call, one_key: Key, other: Call, other_key: Key) -> bool:
    """Whether two calls differ in shapes, in numbers or in how long lists are, and in nothing else."""
    if one_key.widened(other_key) is not None:
        return True
    return bool(_of_other_lengths((one.args, one.kwargs), (other.args, other.kwargs)))


def _known(function: Any, own: Any) -> Outlined | None:
    """The graph function in the place of a function, where there is one in the outermost trace."""
    first = outermost()
    assert first is not None, "a function is traced"
    found: Outlined | None = first.outlined.get(_name_of(function, own))
    return found


def forget_functions() -> None:
    """Has functions traced anew: what they have captured is not in the graph any more."""
    first = outermost()
    if first is not None:
        for name in [name for name, each in first.outlined.items() if not each.sites]:
            del first.outlined[name]


def _name_of(function: Any, own: Any) -> tuple[Any, int]:
    """What tells a function or a bound method from others; the graph function keeps both alive."""
    return getattr(function, "__func__", function), id(own)


def _outlined(function: Any, converted: Callable[..., Any], own: Any) -> Outlined:
    """The graph function in the place of a function, made when it is first needed."""
    found = _known(function, own)
    if found is None:
        first = outermost()
        assert first is not None, "a function is traced"
        found = first.outlined[_name_of(function, own)] = Outlined(function, converted, own)
    return found


class _Lengthens(GivenUp):
    """Lists are longer or shorter from call to call: they have to become lists of the graph.

    Parameters
    ----------
    site : _Site
        The call that is to start anew.
    models : list of (list, Elements)
        The lists, as the caller has them, and what is in them in another call.
    arrays : list of array, optional
        Arrays of NumPy's that are written into: they have to become arrays of the graph around.
    """

    def __init__(self, site: _Site, models: list[tuple[Any, Elements]], arrays: Sequence[Array] = ()) -> None:
        super().__init__()
        self.site = site
        self.models = models
        self.arrays = arrays


class _IsNone(GivenUp):
    """Places outside hold None, and something else where the function calls itself: both have one form then.

    Parameters
    ----------
    site : _Site
        The call that is to start anew.
    found : PlacesOfNone
    """

    def __init__(self, site: _Site, found: PlacesOfNone) -> None:
        super().__init__()
        self.site = site
        self.found = found


class _GivesBack(_Lengthens):
    """What the function gives may be an array of its caller's, which no call has known: it is traced anew."""


@dataclass(eq=False)
class _Site:
    """A call of a graph function, while the function is traced for it.

    Attributes
    ----------
    given : nest
        The arguments.
    inside : nest, or None
        Those that the function has in their place.
    opened : OpenTrace or None
    """

    given: Any
    inside: Any = None
    opened: OpenTrace | None = None

    def counterpart(self, container: Any) -> Any:
        """What the caller has in the place of a container among the arguments; None for any other."""
        return next((mine for mine, own in _pairs(self.given, self.inside) if own is container), None)

    def require_forms(self, changes: Iterable[Change]) -> None:
        """Sees to it that what is None when the function is called, and is a number later, has one form.

        Raises
        ------
        _IsNone
            When a place outside has none yet.
        """
        found = places_of_none(each for each in changes if self.counterpart(each.place.owner) is None)
        if found:
            raise _IsNone(self, found)

    def require_lasting(self, changes: Iterable[Change], added: Collection[Hashable]) -> None:
        """Sees to it that what the function changes is of the graph wherever calls have to hand it on.

        Raises
        ------
        _Lengthens
            When it has made lists longer or shorter, or written into arrays of NumPy's.
        """
        models, arrays = [], []
        for change in changes:
            owner, now = change.place.owner, change.now
            if isinstance(owner, np.ndarray):
                arrays += [owner] * is_symbolic(now)
            elif isinstance(change.place, Contents) and type(owner) in STAND_INS:
                is_added = change.place.key in added
                if isinstance(now, Staged) or is_added or _is_other_list(change.before, now):
                    mine = self.counterpart(owner)
                    model = now.contents if isinstance(now, Staged) else model_of(owner, now)
                    models.append((owner if mine is None else mine, model))
            elif isinstance(change.place, Item) and may_be_staged(change.place):
                if (type(change.before) is Undefined) != (type(now) is Undefined):
                    held = change.before if type(now) is Undefined else now
                    mine = self.counterpart(owner)
                    model = model_of(owner, {**owner, change.place.item: held})
                    models.append((owner if mine is None else mine, model))
            elif isinstance(now, Elements) and now.form != change.before.form:
                mine = self.counterpart(owner)
                models.append((owner if mine is None else mine, now))
        if models or arrays:
            raise _Lengthens(self, models, arrays)


class Outlined:
    """A function that a tensor has call itself, as a function of the graph.

    It is called with lists of Python's as long as these have one length in every call. Those that it makes
    longer or shorter become lists of the graph before the call.
    """

    def __init__(self, function: Any, converted: Callable[..., Any], own: Any) -> None:
        self._name = function.__name__
        self._defaults = OwnDefaults(function)
        self._function, self._converted, self._own = function, converted, own
        self.sites: list[_Site] = []
        self._of_none: PlacesOfNone = {}
        self._given_back, self._bound = GivenBack(), Bound()
        self._graphs = self._new_graphs()

    def _new_graphs(self) -> PolymorphicFunction[..., Any]:
        """The function of the graph before it is traced."""
        around = innermost()
        return PolymorphicFunction(
            self._as_called(),
            defaults=current_defaults(),
            observer=None if around is None or around.observer is None else _Watched(around.observer, self),
            effects="run" if effects_run() else "trace",
            name=self._name.replace("<lambda>", "lambda"),
            max_traces=sys.maxsize,
            is_inside=True,
        )

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """What the function gives; it may give nothing in the first round."""
        bound = self._defaults.bound(args, kwargs)
        if not self.sites and self._given_back.is_told_more_now():
            self._given_back, self._graphs = GivenBack(), self._new_graphs()
        for _ in range(MOST_STARTS):
            give_forms(self._of_none)
            given = current((bound.args, bound.kwargs))
            for around in self.sites:
                models = _of_other_lengths(around.given, given)
                if models:
                    raise _Lengthens(around, models)
                if around.opened is not None:
                    around.require_lasting(around.opened.changed_so_far(), ())
            site = _Site(given)
            self.sites.append(site)
            try:
                return self._for_caller(self._graphs(*given[0], **given[1]), given)
            except LeakedTensor as error:
                raise self._chosen_inside(error) from None
            except _IsNone as found:
                if found.site is not site:
                    raise
                self._of_none |= found.found
                continue
            except _Lengthens as found:
                if found.site is not site:
                    raise
                models, arrays = found.models, found.arrays
                if isinstance(found, _GivesBack):
                    self._graphs = self._new_graphs()
            finally:
                self.sites.remove(site)
            for array in arrays:
                ops.target(array)
            for original, model in models:
                if isinstance(original, Staged):
                    notes.note(Contents(original))
                    original.contents = original.contents.agreed(model)[0]
                else:
                    become_staged(original, model)
        raise StateDisagrees(
            f"what {self._name}() makes longer or shorter does not settle",
            where=caller_location(),
            why="A tensor decides whether it calls itself; each time it was traced, another list changed.",
            way_out="Return what it adds, and let the caller put it into the list.",
        )

    def _chosen_inside(self, error: LeakedTensor) -> StateDisagrees:
        """What is said where the number of what a path has chosen would have to leave the function."""
        return StateDisagrees(
            f"{self._name}() calls itself, and leaves outside what a tensor has chosen or a path has made",
            where=error.where,
            why="A tensor decides whether it calls itself: what it changes outside is its argument.",
            way_out="Keep numbers or tensors there, of one structure, or return the object.",
        )

    def _for_caller(self, result: Any, given: Any) -> Any:
        self._bound.tell(given, [mine for mine, _ in _pairs(given, given)])
        result, numbers = result if self._given_back.has_numbers else (result, ())
        return self._given_back.told(result, numbers, given)

    def _as_called(self) -> Callable[..., Any]:
        """What runs the function, with its name and its parameters."""

        @functools.wraps(self._function)
        def run(*args: Any, **kwargs: Any) -> Any:
            return self._run(args, kwargs)

        run.__signature__ = self._defaults.signature  # type: ignore[attr-defined]  # which `inspect` looks for
        return run

    def _run(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """The function as the graph function runs it."""
        opened = innermost()
        assert opened is not None, "the function is traced"
        site = self.sites[-1]
        site.inside, site.opened = (args, kwargs), opened
        args, kwargs = self._defaults.without_marks(args, kwargs)
        shown = args if self._own is None else (self._own, *args)
        new = Call(told_apart(self._function), current_builder(), shown, kwargs)
        new.begin()
        result = _in_place(new, opened, self._converted, args, kwargs)
        give_forms(self._of_none)
        if self._given_back.learn(result, site.inside):
            raise _GivesBack(self.sites[0], [])
        if not self._given_back.has_numbers:
            return result
        return result, self._given_back.numbers(result, site.inside)

    def check(self, seen: Seen) -> None:
        """Looks at what a round has changed, before that is undone."""
        site = self.sites[-1]
        opened = site.opened
        if opened is None or not opened.is_recursive:
            return
        self._refuse_names(site, seen)
        changes, inside = (*seen.changes, *seen.where_called), site.inside
        self._bound.learn(changes, seen.existed, inside, [own for _, own in _pairs(site.given, inside)])
        site.require_forms((*seen.changes, *seen.where_called))
        site.require_lasting(seen.changes, seen.added)

    def _refuse_names(self, site: _Site, seen: Seen) -> None:
        """Sees to it that what changes among the arguments has no other name that the function reads."""
        given = [mine for mine, _ in _pairs(site.given, site.inside)]
        for change in seen.changes:
            owner = change.place.owner
            mine = site.counterpart(owner)
            if mine is None:
                has_names = any(each is owner for each in given)
            else:
                has_names = seen.existed(mine) or sum(each is mine for each in given) > 1
            if has_names:
                raise GraphError(
                    f"{self._name}() changes an argument that it also reaches by another name",
                    why="A tensor decides whether it calls itself, so it becomes a function of the graph, "
                    "which takes each argument as a value.",
                    way_out="Use one of the names, or pass a copy.",
                )


class _Watched:
    """What watches a function of the graph that calls itself."""

    def __init__(self, observer: Observer, function: Outlined) -> None:
        self.observer: Any = observer.observer if isinstance(observer, _Watched) else observer
        self._function = function

    def observe(
        self,
        run: Callable[[], Any],
        roots: Sequence[Any],
        reads: Any,
        close: Callable[[Any, Seen], Result],
    ) -> Result:
        """As of every `Observer`."""

        def closed(outcome: Any, seen: Seen) -> Result:
            self._function.check(seen)
            return close(outcome, seen)

        return self.observer.observe(run, roots, reads, closed)  # type: ignore[no-any-return]  # an observer

    def reads(self, roots: Sequence[Any]) -> Any:
        """As of every `Observer`."""
        return self.observer.reads(roots)

    def of_any_length(self, container: Any, name: str) -> Any:
        """As of every `Observer`."""
        return self.observer.of_any_length(container, name)


def _pairs(left: Any, right: Any) -> Iterator[tuple[Any, Any]]:
    """The containers of one nest that may change, each with its counterpart in a nest of the same form."""
    pending = [(left, right)]
    while pending:
        one, other = pending.pop()
        mine, theirs = level_of(one), level_of(other)
        if mine is None or theirs is None:
            continue
        if changes_in_place(one):
            yield one, other
        pending += zip(mine[1], theirs[1], strict=False)


def _of_other_lengths(before: Any, now: Any) -> list[tuple[Any, Elements]]:
    """The lists of some arguments that are of another length in others of the same form otherwise.

    Each comes with what is in it then; there are none where the arguments differ in more.
    """
    found: list[tuple[Any, Elements]] = []
    pending = [(before, now)]
    while pending:
        one, other = pending.pop()
        if _differ_in_length(one, other):
            if not (_is_countable(one) and _is_countable(other)):
                return []
            found.append((one, other.contents if isinstance(other, Staged) else model_of(one, other)))
            continue
        mine, theirs = level_of(one), level_of(other)
        if mine is None or theirs is None:
            if mine is not theirs:
                return []
            continue
        if isinstance(one, Staged) and (type(one) is type(other) or one.built is type(other)):
            continue
        if mine[0] != theirs[0]:
            return []
        pending += zip(mine[1], theirs[1], strict=True)
    return found


def _differ_in_length(one: Any, other: Any) -> bool:
    """Whether these are two containers of a kind, the first one of Python's, of other lengths perhaps."""
    if type(one) not in STAND_INS:
        return False
    if isinstance(other, Staged):
        return other.built is type(one)
    return type(one) is type(other) and len(one) != len(other)


def _is_other_list(before: Any, now: Any) -> bool:
    """Whether a list has become longer or shorter, or holds something where it held None."""
    if len(before) != len(now):
        return True
    return type(before) is list and any(
        one is None is not other for one, other in zip(before, now, strict=True)
    )


def _is_countable(items: Any) -> bool:
    """Whether a container of the graph can take the place of one: it holds tensors or nests of them."""
    held = [*items, *items.values()] if isinstance(items, dict) else items
    return isinstance(items, Staged) or all(map(is_tensor, flatten(list(held))[0]))
