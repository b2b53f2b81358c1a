"""What staged dicts and sets have in common: an ordered list of keys in the graph.

A dict of Python's tells keys apart by their values, and a value of the graph has none before the run. So a
dict that is asked for such a key gives way to a `StagedDict`, as a list that grows gives way to a
`StagedList`, and a set to a `StagedSet`: a list of the graph has the keys in the order in which they came.
A function of the graph returns it to its caller as the dict or the set that it stands for.
"""

from __future__ import annotations

from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ClassVar, NoReturn

import numpy as np

from autograph.backends.tensors.containers import named_tuples
from autograph.backends.tensors.containers.catalogues import can_be_held, hold_by_number
from autograph.backends.tensors.containers.elements import Elements
from autograph.backends.tensors.containers.linked import Linked
from autograph.backends.tensors.containers.lists import (
    Staged,
    StagedList,
    StagedTuple,
    refuse_python,
)
from autograph.backends.tensors.iteration.items import Lazy
from autograph.backends.tensors.objects.choices import OneOf, candidates_of, choose, each, is_numbered
from autograph.backends.tensors.scalars.indices import refuse
from autograph.backends.tensors.statements.maybe import MaybeNone
from autograph.backends.tensors.statements.raising import constructed
from autograph.backends.tensors.statements.refused import refused
from autograph.backends.tensors.text.strings import Text
from autograph.staging.spoken import called
from runtime import ops
from runtime.core.containers import Boxes
from runtime.core.instances import (
    is_plain_class,
)
from runtime.core.lists import (
    ListValue,
)
from runtime.core.rebuilding import (
    rows_of,
)
from runtime.core.structure import Structure, level_of, unflattening
from runtime.core.tensor import EAGER, Tensor
from runtime.errors import NoConcreteValue, StateDisagrees
from runtime.graph.build import as_tensor, builder_in_use, is_recorded, is_symbolic
from runtime.graph.location import caller_location
from runtime.graph.symbol import Symbol
from runtime.ops.control_flow import NoOutcome, while_loop
from runtime.ops.raising import record

__all__ = [
    "OwnNumbers",
    "StagedKeyed",
    "folded",
    "has_staged",
    "has_staged_keys",
    "keys_from",
    "keys_in",
    "may_lack_hash",
    "python_keys",
    "raise_always",
    "refuses_keys",
    "require_hash",
    "with_key",
]


@called("dict")
class StagedKeyed(Staged):
    """What dicts and sets of the graph have in common: keys that are told apart when the graph runs."""

    changed: ClassVar[str]
    """What Python says of one that gets longer or shorter while a loop runs over it."""
    __hash__ = None  # type: ignore[assignment]  # as Python's dicts and sets

    @property
    def keys_held(self) -> Elements:
        """The keys, in the order in which they came."""
        raise NotImplementedError

    @property
    def length(self) -> Tensor:
        """How many keys there are."""
        return self.keys_held.length

    def _place(self, key: Any) -> Tensor:
        """The place of a key; the length, where it is not there."""
        require_hash(key)
        hold_by_number(key)
        return self.keys_held.place(key)

    def _place_for(self, key: Any) -> Tensor:
        """The place where a key is, or comes to be."""
        require_hash(key)
        hold_by_number(key)
        if not self.keys_held.takes(key):
            _refuse_key(key)
        return self._place(key)

    def _place_of(self, key: Any) -> Tensor:
        """The place of a key that is there; a KeyError where it is not."""
        if self.keys_held.is_unknown:
            raise_always(constructed(KeyError, (key,), {}))
        place = self._place(key)
        refused(place == self.length, constructed(KeyError, (key,), {}))
        return place

    def __contains__(self, key: object) -> Any:
        return ops.stands_for_python(self._place(key) < self.length)

    def __bool__(self) -> NoReturn:  # noqa: PLE0304  # nobody knows
        refuse_python(f"whether a {self.built.__name__} of the graph is empty")

    def __len__(self) -> NoReturn:  # noqa: PLE0303  # nobody knows
        refuse_python(f"how long a {self.built.__name__} of the graph is")


def raise_always(error: BaseException) -> NoReturn:
    """Raises an error of Python's when the graph runs, in any case."""
    record(error, caller_location())
    raise NoOutcome


def folded(elements: Elements, start: Any, step: Callable[[Any, Any], Any]) -> Any:
    """What becomes of `start` by a step for each element, in a loop of the graph."""
    length = elements.length
    if getattr(start, "is_unknown", False):
        start = type(start).like(lambda: step(start, elements.get(as_tensor(0))))
    _, found = while_loop(
        lambda index, _: index < length,
        lambda index, held: (index + 1, step(held, elements.get(index))),
        (0, start),
    )
    return found


def with_key(keys: Elements, place: Any, key: Any) -> Elements:
    """The keys, and one more where the place is their end: one that is there stays the object that it is."""
    if keys.is_unknown or not (keys.compare_themselves or keys.has_two_zeros):
        return keys.written(place, key)
    found: Elements = choose(place < keys.length, lambda: keys, lambda: keys.appended(key))
    return found


def python_keys(keys: Iterable[Any]) -> list[Any]:
    """The keys of a container of Python's, as a graph can hold them."""
    found = list(keys)
    for key in found:
        hold_by_number(key)
        if key is None or not can_be_held(key):
            _refuse_key(key)
    return found


def _refuse_key(key: Any) -> NoReturn:
    raise StateDisagrees(
        f"the key {key!r} is in one container with keys that only the run knows",
        where=caller_location(),
        why="Those are values of the graph, all of one form: numbers, strings, or tuples of them.",
        way_out="Use one container for each kind of keys.",
    )


def may_be_none(container: Any, key: Any) -> bool:
    """Whether only the run knows if the key is None that is looked up in a dict or a set of Python's."""
    return isinstance(key, MaybeNone) and isinstance(container, dict | set | frozenset)


def has_staged(key: Any) -> bool:
    """Whether a value of the graph is a key, or in it."""
    if named_tuples.is_compared_as_tuple(type(key)):
        return any(map(has_staged, key))
    if is_recorded(key):
        require_hashable(key)
        return True
    if isinstance(key, OneOf):
        return can_be_held(key)
    is_tuple = isinstance(key, StagedTuple) and not isinstance(key, StagedList)
    return is_tuple or isinstance(key, Linked | MaybeNone | Text) or _is_hashed_by_the_run(key)


def _is_hashed_by_the_run(key: Any) -> bool:
    """Whether an object says itself which others it equals, and that follows from a value of the graph."""
    kind: Any = type(key)
    if kind.__eq__ is object.__eq__ or kind.__hash__ is None or not is_plain_class(kind):
        return False
    level = level_of(key)
    if level is None or not any(map(has_staged, level[1])):
        return False
    try:
        hash(key)
    except NoConcreteValue:
        return True
    return False


def require_hash(key: Any) -> None:
    """Sees to it that Python takes a key: no list, dict or array, nor what equals others and may change."""
    if isinstance(key, OneOf | MaybeNone):
        if may_lack_hash(key):
            each(key, require_hash) if isinstance(key, OneOf) else key.ag__either(require_hash)
    elif named_tuples.is_compared_as_tuple(type(key)):
        for part in key:
            require_hash(part)
    elif is_recorded(key):
        require_hashable(key)
    elif _has_no_hash(kind := key.built if isinstance(key, Staged) else type(key)):
        refuse(_unhashable(kind))


def may_lack_hash(key: Any) -> bool:
    """Whether Python may not take a key, in any run."""
    if isinstance(key, OneOf):
        return not is_numbered(key) and any(map(may_lack_hash, candidates_of(key)))
    if isinstance(key, MaybeNone):
        return may_lack_hash(key.ag__value)
    if named_tuples.is_compared_as_tuple(type(key)):
        return any(map(may_lack_hash, key))
    if is_recorded(key):
        return as_tensor(key).ndim > 0 or ops.is_array(key)
    return _has_no_hash(key.built if isinstance(key, Staged) else type(key))


def refuses_keys(elements: Elements, keys: Structure) -> bool:
    """Whether Python takes nothing of a form for a key; then the graph raises, where there are elements."""
    kind = _kind_without_hash(keys)
    if kind is None:
        return False
    refused(elements.length > 0, _unhashable(kind))
    return True


def _kind_without_hash(keys: Structure) -> type | None:
    """The first class in keys of a form of which Python takes none."""
    kind = keys.kind
    if kind is None:
        return None
    if named_tuples.is_compared_as_tuple(kind):
        return next(filter(None, map(_kind_without_hash, keys.children)), None)
    if issubclass(kind, Staged):
        built: Any = getattr(kind, "built", None)
        kind = built if isinstance(built, type) else keys.extra[0]
    return kind if _has_no_hash(kind) else None


def _has_no_hash(kind: Any) -> bool:
    return kind in _WITHOUT_HASH or (is_plain_class(kind) and kind.__hash__ is None)


def _unhashable(kind: type) -> TypeError:
    name = "numpy.ndarray" if kind is np.ndarray else kind.__name__
    return TypeError(f"unhashable type: '{name}'")


_WITHOUT_HASH = frozenset({list, dict, set, deque, defaultdict, OrderedDict, Counter, np.ndarray})


def require_hashable(key: Tensor) -> None:
    """Sees to it that a key is a number: an array has no hash, and Python raises a TypeError."""
    builder, tensor = builder_in_use(), as_tensor(key)
    if isinstance(tensor, Symbol):
        builder.arrays.require_one_class(tensor.value)
    if tensor.ndim or ops.is_array(tensor):
        refuse(TypeError("unhashable type: 'numpy.ndarray'"))


def has_staged_keys(items: Any, *, of_pairs: bool) -> bool:
    """Whether what a dict, a set or one of their methods takes has keys that only the run knows.

    Parameters
    ----------
    items : object
        As Python's constructors take it, but for an iterator, which can be looked at only once.
    of_pairs : bool
        Whether each item is a key and a value, unless it is a mapping.
    """
    if isinstance(items, Lazy | StagedKeyed) or is_symbolic(items):
        return True
    if isinstance(items, Mapping):
        return any(map(has_staged, items))
    if not isinstance(items, list | tuple | set | frozenset | deque):
        return False
    if not of_pairs:
        return any(map(has_staged, items))
    return any(
        is_symbolic(pair) or (isinstance(pair, list | tuple) and has_staged(pair[:1])) for pair in items
    )


class OwnNumbers(tuple[bool, ...]):
    """Which parts of keys are numbers of Python's own: nothing that tells one form from another."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, OwnNumbers)

    def __ne__(self, other: object) -> bool:
        return not isinstance(other, OwnNumbers)

    def __hash__(self) -> int:
        return hash(OwnNumbers)


def keys_from(form: Structure, are_numbers: Sequence[bool]) -> Callable[[Sequence[Any]], Any]:
    """What makes keys as Python has them: numbers of its own, scalars of NumPy's, characters of strings."""
    made = unflattening(form)

    def key(parts: Sequence[Any]) -> Any:
        values = [part.numpy()[()] if type(part) in EAGER else part for part in parts]
        return made(
            [
                value.item() if own and isinstance(value, np.generic) else value
                for value, own in zip(values, are_numbers, strict=True)
            ]
        )

    return key


def keys_in(
    form: Structure, are_numbers: Sequence[bool], boxes: Boxes
) -> Callable[[Sequence[Any]], list[Any]]:
    """What makes keys of the columns of their parts: as `keys_from` for each."""
    if not any(are_numbers):
        return rows_of(form, boxes, ListValue.values)
    if all(are_numbers):
        return rows_of(form, boxes, ListValue.own_values)
    key = keys_from(form, are_numbers)
    return lambda columns: list(map(key, zip(*map(ListValue.values, columns), strict=True)))
