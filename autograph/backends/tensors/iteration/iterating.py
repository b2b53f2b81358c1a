"""`zip`, `enumerate`, `map` and others, and functions of `itertools`, over items of the graph."""

from __future__ import annotations

import operator
from collections import Counter, deque
from collections.abc import Callable, Sequence
from functools import partial, reduce
from itertools import chain, count, cycle, repeat
from typing import Any

import numpy as np

from autograph.backends.tensors.containers.keyed import raise_always
from autograph.backends.tensors.containers.lists import (
    Staged,
    gathered,
)
from autograph.backends.tensors.containers.other_names import other_names
from autograph.backends.tensors.containers.watching import asked_one_by_one, is_watched, watched_by_index
from autograph.backends.tensors.iteration import produced, pushed
from autograph.backends.tensors.iteration.items import (
    Items,
    Lazy,
    Produced,
    as_items,
    both,
    iterated,
    least,
    standing_for,
)
from autograph.backends.tensors.iteration.once import ENDLESS, Behind, Once
from autograph.backends.tensors.objects.choices import OneOf, candidates_of, choose, over
from autograph.backends.tensors.objects.classes import class_of
from autograph.backends.tensors.objects.objects import are_chosen
from autograph.backends.tensors.scalars.indices import require_callable, require_whole
from autograph.backends.tensors.statements.refused import refused
from autograph.staging import notes, places
from autograph.staging.backend import ComprehensionKind
from autograph.staging.builtins import CHANGING
from autograph.staging.heap import current
from autograph.staging.iterators import growing_under
from autograph.staging.plain import Plain
from runtime import ops
from runtime.core.dtypes import int64
from runtime.graph.build import current_builder, is_recorded, is_symbolic
from runtime.ops.examples import refuse_as_python
from runtime.ops.tensor_list import TensorArray
from runtime.variables import Variable

__all__ = ["Iterating", "at_hand", "is_staged"]


class Iterating(Plain):
    """What a graph makes of `iter`, `zip`, `enumerate` and their likes."""

    def enumerate_(self, items: Any, start: Any = 0) -> Any:
        """Pairs of a number and an item."""
        if current_builder() is not None and is_symbolic(start) and not _is_of_graph(items):
            require_whole((start,))
            numbers = (ops.stands_for_python(start + number) for number in count())
            return zip(numbers, _for_python(items), strict=False)
        if current_builder() is None or not _is_of_graph(items):
            return super().enumerate_(_for_python(items), start)
        if isinstance(items, pushed.Pushed):
            return pushed.Numbered(items, start)
        if _makes_one_by_one(items):
            pairs = _numbered(items.one_by_one, start)
            made = produced.generated(
                pairs, lambda given, _: [(number, items.made(item)) for number, item in given], once=pairs
            )
            return standing_for(enumerate, made)
        return _numbered(items if isinstance(items, Once) else _each_in(items), start)

    def zip_(self, *items: Any, strict: bool = False) -> Any:
        """Tuples of items, as many as the shortest has."""
        if current_builder() is None or not any(map(_is_of_graph, items)):
            return super().zip_(*map(_for_python, items), strict=strict)
        if _is_empty(items[0]) and not strict:
            return super().zip_(())  # the others are not asked
        if any(map(_is_empty, items)) and not any(isinstance(each, Once | Produced) for each in items):
            return self._zip_of_none(items) if strict else super().zip_(())
        if _makes_one_by_one(items[-1]):  # of others, one more may be made than there are tuples
            return self._zip_made_last(items, strict=strict)
        items = tuple([_each_in(each) if is_staged(each) and is_watched(each) else each for each in items])
        lead = next((index for index, each in enumerate(items) if isinstance(each, pushed.Pushed)), None)
        items = tuple([each if index == lead else _ahead(each) for index, each in enumerate(items)])
        if lead is not None and not strict and all(map(_is_indexed, items)):
            before, after = [
                [self._by_index(each) for each in part] for part in (items[:lead], items[lead + 1 :])
            ]
            return pushed.Zipped(before, items[lead], after)
        items = tuple(map(_ahead, items))
        if all(map(_is_indexed, items)):
            return self._zip_by_index(items, strict=strict)
        return super().zip_(
            *[each if is_staged(each) else _for_python(each) for each in items], strict=strict
        )

    def _zip_of_none(self, items: Sequence[Any]) -> Once:
        """No tuples, of items some of which are none: all have to be."""
        known = [0 if _is_empty(each) else as_items(each).length for each in items]
        made = Once(0, _same, "a `zip`", at_end=partial(_require_one_length, known))
        return standing_for(zip, made)

    def _zip_made_last(self, items: Sequence[Any], *, strict: bool) -> Any:
        """Tuples whose last item is made when the others are there."""
        *before, last = items
        taken = (*before, last.one_by_one)
        are_pythons = not any(map(_is_of_graph, taken)) and all(map(_is_indexed, taken))
        rows = self._zip_by_index(taken, strict=strict) if are_pythons else self.zip_(*taken, strict=strict)
        made = produced.generated(
            rows,
            lambda given, _: [(*first, last.made(item)) for *first, item in given],
            once=rows if isinstance(rows, Once) else None,
            beside=last.one_by_one,
        )
        return standing_for(zip, made)

    def _zip_by_index(self, items: Sequence[Any], *, strict: bool) -> Once:
        """Tuples of items each of which is found by its number."""
        inner = [each.all_behind() for each in items if isinstance(each, Once)]
        times = Counter(map(id, (*items, *chain.from_iterable(inner))))
        alone = [isinstance(each, Once) and times[id(each)] == 1 for each in items]
        ends = [each.at_end if isinstance(each, Once) else None for each in items]
        sequences = _in_turn(
            [Behind(each) if own else self._by_index(each) for each, own in zip(items, alone, strict=True)]
        )
        behind = [each for each in sequences if isinstance(each, Behind)]
        may_grow = any(sequence.may_grow for sequence in sequences)

        def lengths() -> list[Any]:
            return [sequence.length for sequence in sequences]

        def at_end(asked: Any) -> None:
            _ask_at_end(ends, lengths(), asked, strict=strict)
            if strict:
                _require_one_length(lengths(), asked)
            _take_in_vain(sequences, asked)

        made = Once(
            (lambda: reduce(least, lengths())) if may_grow else reduce(least, lengths()),
            lambda index: tuple([sequence.item(index) for sequence in sequences]),
            "a `zip`",
            behind=behind,
            at_end=at_end if strict or any(ends) or behind else None,
            over=None if any(map(_is_of_graph, items)) else items,
        )
        return standing_for(zip, made)

    def _by_index(self, items: Any) -> Any:
        """Objects of Python's by index: one that is taken may be changed, or compared by identity."""
        if isinstance(items, str) or (type(items) in {list, tuple} and are_chosen(items)):
            return Items(len(items), lambda index: self.get_item(current(items), index))
        return items

    def reversed_(self, items: Any) -> Any:
        """The items from the last to the first."""
        if current_builder() is None or not is_staged(items):
            return super().reversed_(iterated(items))
        if isinstance(items, Produced):
            return super().reversed_(items)
        found = as_items(items).backwards
        return standing_for(_class_by(reversed, items), Once(found.length, found.item, "a `reversed`"))

    def iter_(self, items: Any, *sentinel: Any) -> Any:
        """What gives the items once, also where a tensor decides how many there are."""
        if current_builder() is None or sentinel or isinstance(items, Produced):
            return super().iter_(items, *sentinel)
        if type(items) in CHANGING:
            return super().iter_(_for_python(items))
        if not is_staged(items):
            by_index = as_items(items).item if type(items) is range else self._item_of(items)
            one = candidates_of(items)[0] if isinstance(items, OneOf) else items
            label = f"a {type(one).__name__}_iterator"
            made = Once(lambda: self._len(current(items)), by_index, label, None, items)
            return standing_for(_class_by(iter, one), made)
        if isinstance(items, Once):
            return items
        kind, sequence = _class_by(iter, items), _each_in(items)
        if isinstance(sequence, Once):
            return standing_for(kind, sequence)
        held = (lambda: items.contents) if isinstance(items, Staged) else None
        return standing_for(kind, Once(lambda: sequence.length, sequence.item, "an iterator", held))

    def iterator_over(self, items: Any) -> Once | None:
        """An iterator over items by index; None for those of other iterators and of containers without."""
        is_by_index = type(items) in _BY_INDEX or (is_staged(items) and not isinstance(items, Produced))
        found = self.iter_(items) if is_by_index else None
        return found if isinstance(found, Once) else None

    def _item_of(self, items: Any) -> Callable[[Any], Any]:
        return lambda index: self.get_item(current(items), index)

    def _len(self, items: Any) -> Any:
        return over((items,), lambda one: self.len_(one) if is_staged(one) else len(one))

    def endless(self, kind: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
        """Items without an end, by index."""
        if current_builder() is None:
            return super().endless(kind, *args, **kwargs)
        label = f"an `itertools.{kind.__name__}`"
        if kind is count:
            return standing_for(count, Once(ENDLESS, _counting(*args, **kwargs), label))
        if kind is repeat:
            value, times = _repeating(*args, **kwargs)
            return standing_for(repeat, Once(times, lambda _: value, label))
        pool = self.list_(*args)
        length = self._len(pool)
        made = Once(
            ops.where(length > 0, ENDLESS, 0) if is_symbolic(length) else ENDLESS * bool(length),
            lambda index: self.get_item(current(pool), index % length),
            label,
        )
        return standing_for(cycle, made)

    def map_(self, function: Any, /, *items: Any, **options: Any) -> Any:
        """What a function makes of each item."""
        if current_builder() is None:
            return super().map_(function, *map(_for_python, items), **options)
        function = _callable(function)
        if not any(map(_is_of_graph, items)):
            watched = [
                produced.OneByOne(each).decided() if growing_under(each) else _for_python(each)
                for each in items
            ]
            return super().map_(function, *watched, **options)
        rows = items[0] if len(items) == 1 else self.zip_(*items, **options)
        spread = len(items) > 1
        made = produced.generated(
            rows,
            lambda given, _: [function(*item) if spread else function(item) for item in given],
            once=self.iterator_over(rows),
        )
        return standing_for(map, made)

    def filter_(self, function: Any, items: Any) -> Any:
        """The items of which a function says yes."""
        function = _callable(function)
        holds = function or (lambda item: item)
        if current_builder() is None:
            return super().filter_(function, iterated(items))
        made = produced.generated(
            items,
            lambda given, keep: [item for item in given if keep(partial(holds, item))],
            FILTERED,
            self.iterator_over(items),
        )
        return standing_for(filter, made)

    def next_(self, items: Any, *default: Any) -> Any:
        """The first item of a generator that Python has not run yet."""
        if isinstance(items, pushed.Pushed) and not items.is_python and other_names().asks_generator():
            return items.first(lambda: default[0] if default else raise_always(StopIteration()))
        if isinstance(items, pushed.Pushed) or not isinstance(items, (Produced, Once)):
            if is_symbolic(items):
                refuse_as_python(next, items, *default)
            return super().next_(items, *default)
        if isinstance(items, Once):
            return items.next(*default)
        if not isinstance(items, produced.Generated):
            return super().next_(iter(gathered(items)), *default)
        if items.one_by_one is not None:
            return items.next(self.for_stmt, partial(_default_or_stop, *default))
        rest = items.rest()
        if isinstance(rest, list):
            if rest:
                notes.note(places.Contents(rest))
                return rest.pop(0)
            return super().next_(iter(rest), *default)
        if default:
            return choose(rest.length > 0, partial(rest.pop, 0), lambda: default[0])
        refused(rest.length == 0, StopIteration())
        return rest.pop(0)


def _callable(function: Any) -> Any:
    """A function as it is; for a number of the graph, one that says what Python says when it is called."""
    return partial(_refuse_call, function) if is_symbolic(function) else function


def _refuse_call(value: Any, *_: Any) -> None:
    require_callable(value)


FILTERED = ComprehensionKind(is_filtered=True)


def is_staged(value: Any) -> bool:
    """Whether a graph decides what this is, or which items it has."""
    if isinstance(value, slice):
        return any(map(is_symbolic, (value.start, value.stop, value.step)))
    return is_symbolic(value) or isinstance(value, (Lazy, TensorArray, Variable))


def _is_of_graph(items: Any) -> bool:
    """Whether a graph decides which items these are, so that Python cannot run over them."""
    return is_staged(items) and not (isinstance(items, Items) and items.is_python)


def _makes_one_by_one(items: Any) -> bool:
    """Whether a generator expression makes an item of each of its source, when it is asked for it."""
    return isinstance(items, produced.Generated) and items.one_by_one is not None and not items.is_filtered


def _numbered(items: Items, start: Any) -> Once:
    """Pairs of a number and an item."""
    once = Behind(items) if isinstance(items, Once) else None
    sequence = items if once is None else once
    made = Once(
        lambda: sequence.length,
        lambda index: (index + start, sequence.item(index)),
        "an `enumerate`",
        behind=() if once is None else (once,),
        at_end=None if once is None else once.source.at_end,
        over=None if once is None or _is_of_graph(items) else (items,),
    )
    return standing_for(enumerate, made)


_ITEMS: Sequence[Any] = ([], (), "", {}, set(), range(0), deque(), np.zeros(1))
_EXAMPLES = {type(each): each for each in (*_ITEMS, {}.keys(), {}.values(), {}.items())}


def _class_by(makes: Callable[[Any], Any], items: Any) -> type:
    """The class of the iterator that `iter` or `reversed` makes of what a value stands for."""
    kinds = [each for each in class_of(items).__mro__ if each in _EXAMPLES]
    return type(makes(_EXAMPLES[kinds[0] if kinds else list]))


def _each_in(items: Any) -> Items:
    """What gives the items of one of the graph; of a container that must not change under it, that asks."""
    watched = watched_by_index(items)
    return as_items(items) if watched is None else watched


def _for_python(items: Any) -> Any:
    if isinstance(items, Items) and items.is_python:
        return items
    follows = type(items) in CHANGING and current_builder() is not None
    return asked_one_by_one(items) if follows else iterated(items)


def _is_indexed(items: Any) -> bool:
    """Whether a graph can take an item by its index."""
    if isinstance(items, (list, tuple, str)):
        return bool(items)
    return is_staged(items) or isinstance(items, (range, np.ndarray))


def _require_one_length(lengths: Sequence[Any], asked: Any = True) -> None:
    """Raises what `zip(strict=True)` raises where it is asked for more, when the graph runs."""
    shortest = reduce(least, lengths)
    for number, length in enumerate(lengths[1:], 2):
        argument = "argument 1" if number == 2 else f"arguments 1-{number - 1}"
        ends_here = length < reduce(least, lengths[: number - 1]), length <= shortest
        ends_first = length > lengths[0], lengths[0] <= shortest
        for word, conditions in (("shorter", ends_here), ("longer", ends_first)):
            differs = reduce(both, conditions, asked)
            refused(differs, ValueError(f"zip() argument {number} is {word} than {argument}"))


def _ask_at_end(
    ends: Sequence[Callable[[Any], None] | None], lengths: Sequence[Any], asked: Any, *, strict: bool
) -> None:
    """Has the iterators among the arguments of a `zip` do what they do at their end, if it comes to that.

    They are asked in turn until one has no item. Where that is the first, `strict` asks the others, too.
    """
    shortest = reduce(least, lengths)
    for number, at_end in enumerate(ends):
        if at_end is None:
            continue
        is_over = both(asked, lengths[number] <= shortest)
        before = lengths[:number]
        at_end(reduce(both, [each > shortest for each in before], is_over))
        if strict and before:
            at_end(reduce(both, [each <= shortest for each in before], is_over))


def _take_in_vain(sequences: Sequence[Items], asked: Any) -> None:
    """Has the iterators before the first that is at its end give an item of which no tuple is made."""
    lengths = [each.length for each in sequences]
    shortest = reduce(least, lengths)
    given = []
    for number, each in enumerate(sequences[:-1]):
        if not isinstance(each, Behind):
            continue
        gives = both(asked, reduce(least, lengths[: number + 1]) > shortest)
        given.append((each.source, ops.python_number(gives, int64) if is_symbolic(gives) else int(gives)))
    for source, more in given:
        source.move(source.stands() + more)


def _is_empty(items: Any) -> bool:
    """Whether there is no item in a container of Python's, whatever the run finds out."""
    return isinstance(items, list | tuple | str) and not items


def at_hand(items: Any) -> Any:
    """The items as a list, where code of the user's gives them."""
    return gathered(items) if isinstance(items, Produced) else items


def _ahead(items: Any) -> Any:
    """Likewise, for callers that may not take all of them."""
    if isinstance(items, produced.Generated):
        return items.ahead()
    if isinstance(items, pushed.Pushed) and not items.is_python:
        return produced.made_ahead(items.gathered, "a generator")
    return at_hand(items)


def _in_turn(sources: Sequence[Any]) -> list[Items]:
    """The items of each; an iterator that is there more than once gives its items in turn."""
    times = Counter([id(each) for each in sources if isinstance(each, Once)])
    once = {id(each): each for each in sources if times[id(each)] > 1}
    shared = {key: each.taken_in_turn(times[key]) for key, each in once.items()}
    return [
        shared[id(each)].pop(0)
        if id(each) in shared
        else each.handed_on()
        if isinstance(each, Once)
        else as_items(each)
        for each in sources
    ]


_BY_INDEX = frozenset({list, range, str, tuple})


def _default_or_stop(*default: Any) -> Any:
    """What `next` gives where there is no item."""
    return default[0] if default else raise_always(StopIteration())


def _same(value: Any) -> Any:
    return value


def _counting(start: Any = 0, step: Any = 1) -> Callable[[Any], Any]:
    return lambda index: start + index * step


def _repeating(object: Any, times: Any = ENDLESS) -> tuple[Any, Any]:
    """What is repeated, and how often."""
    if is_recorded(times):
        require_whole((times,))
        return object, ops.maximum(times, 0)
    return object, max(operator.index(times), 0)
