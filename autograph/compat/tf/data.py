"""`tf.data`: sequences of elements that are made one at a time, in eager loops and in staged ones.

Every dataset here has a length and can make the element at any index; that is what a staged `for` needs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

from autograph import api
from autograph.backends.tensors import Items, Source
from autograph.backends.tensors.items import least
from autograph.compat.tf.loops import collect, element_specs, rows_of
from autograph.compat.tf.values import convert_to_tensor
from runtime import ops
from runtime.core.dtypes import int64
from runtime.core.shapes import all_known
from runtime.core.spec import TensorSpec
from runtime.core.structure import flatten, map_leaves, unflatten
from runtime.core.tensor import Tensor
from runtime.errors import GraphError, NoConcreteValue, NotASequence
from runtime.graph.build import as_tensor, current_builder, is_symbolic
from runtime.ops import random
from runtime.ops.random.streams import key_of_process

__all__ = ["AUTOTUNE", "INFINITE_CARDINALITY", "Dataset", "experimental"]

AUTOTUNE = -1
INFINITE_CARDINALITY = -1
_ENDLESS = int64.max
"""The length of a dataset that repeats for ever."""

Item = Callable[[Any], Any]


@dataclass(frozen=True)
class _Opened:
    """A dataset at the start of a loop: the element at an index, and a run of elements stacked."""

    item: Item
    rows: Callable[[Any, Any], Any]


def _opened(item: Item) -> _Opened:
    """A dataset whose runs of elements are made one by one."""
    return _Opened(item, lambda start, count: collect(count, lambda index: item(start + index)))


class Dataset(Source):
    """`tf.data.Dataset`, of known length.

    Made by `range`, `from_tensor_slices`, `from_tensors` and `zip`.

    Examples
    --------
    >>> from autograph.compat import tf
    >>> for batch in tf.data.Dataset.range(5).map(lambda x: x * x).batch(2):
    ...     print(batch)
    tf.Tensor([0 1], shape=(2,), dtype=int64)
    tf.Tensor([4 9], shape=(2,), dtype=int64)
    tf.Tensor([16], shape=(1,), dtype=int64)
    """

    def __init__(self, length: Any, start: Callable[[], _Opened]) -> None:
        self.length = length
        self.start = start

    # ── where datasets come from ──

    @staticmethod
    def range(*args: Any, output_type: Any = int64, name: Any = None) -> Dataset:
        """`tf.data.Dataset.range`: int64 numbers, unless `output_type` says otherwise."""
        del name
        numbers = ops.arange(*[ops.cast(convert_to_tensor(bound), output_type) for bound in args])
        return Dataset.from_tensor_slices(numbers)

    @staticmethod
    def from_tensors(tensors: Any, name: Any = None) -> Dataset:
        """`tf.data.Dataset.from_tensors`: one element."""
        del name
        whole = map_leaves(convert_to_tensor, _stacked(tensors))
        return Dataset(1, lambda: _opened(lambda _: whole))

    @staticmethod
    def from_tensor_slices(tensors: Any, name: Any = None) -> Dataset:
        """`tf.data.Dataset.from_tensor_slices`: an element for each row."""
        del name
        whole = map_leaves(convert_to_tensor, _stacked(tensors))
        length, row = rows_of(whole)

        def rows(start: Any, count: Any) -> Any:
            return map_leaves(lambda tensor: tensor[start : start + count], whole)

        return Dataset(length, lambda: _Opened(row, rows))

    @staticmethod
    def zip(*args: Any, datasets: Any = None, name: Any = None) -> Dataset:
        """`tf.data.Dataset.zip`: nests of elements, as many as the shortest dataset has."""
        del name
        nest = datasets if not args else args[0] if len(args) == 1 else args
        members, structure = flatten(nest)
        length = members[0].length
        for member in members[1:]:
            length = least(length, member.length)

        def start() -> _Opened:
            opened = [member.start() for member in members]
            return _Opened(
                lambda index: unflatten(structure, [each.item(index) for each in opened]),
                lambda start, count: unflatten(structure, [each.rows(start, count) for each in opened]),
            )

        return Dataset(length, start)

    # ── datasets from datasets ──

    def map(
        self,
        map_func: Callable[..., Any],
        num_parallel_calls: Any = None,
        deterministic: bool | None = None,
        name: Any = None,
    ) -> Dataset:
        """`tf.data.Dataset.map`; a tuple becomes the arguments of `map_func`."""
        del num_parallel_calls, deterministic, name

        def start() -> _Opened:
            item, converted = self.start().item, _staged(map_func)
            return _opened(lambda index: _as_element(_applied(converted, item(index))))

        return Dataset(self.length, start)

    def batch(
        self,
        batch_size: Any,
        drop_remainder: bool = False,
        num_parallel_calls: Any = None,
        deterministic: bool | None = None,
        name: Any = None,
    ) -> Dataset:
        """`tf.data.Dataset.batch`."""
        del num_parallel_calls, deterministic, name
        whole = self.length // batch_size
        length = whole if drop_remainder else -(-self.length // batch_size)
        all_full = drop_remainder or (not is_symbolic(self.length) and self.length % batch_size == 0)

        def start() -> _Opened:
            rows = self.start().rows

            def item(index: Any) -> Any:
                first = index * batch_size
                if all_full:
                    return map_leaves(lambda leaf: _of_length(leaf, batch_size), rows(first, batch_size))
                return rows(first, least(batch_size, self.length - first))

            return _opened(item)

        return Dataset(length, start)

    def take(self, count: Any, name: Any = None) -> Dataset:
        """`tf.data.Dataset.take`; -1 takes all."""
        del name
        return Dataset(self.length if count == -1 else least(self.length, count), self.start)

    def skip(self, count: Any, name: Any = None) -> Dataset:
        """`tf.data.Dataset.skip`."""
        del name
        skipped = least(count, self.length)

        def start() -> _Opened:
            opened = self.start()
            return _Opened(
                lambda index: opened.item(index + skipped),
                lambda start, count: opened.rows(start + skipped, count),
            )

        return Dataset(self.length - skipped, start)

    def repeat(self, count: Any = None, name: Any = None) -> Dataset:
        """`tf.data.Dataset.repeat`; without a count, or with -1, for ever."""
        del name
        endless = count is None or count == -1
        length = self.length

        def start() -> _Opened:
            item = self.start().item
            return _opened(lambda index: item(index % length))

        return Dataset(_ENDLESS if endless else length * count, start)

    def enumerate(self, start: int = 0, name: Any = None) -> Dataset:
        """`tf.data.Dataset.enumerate`: pairs of an int64 number and an element."""
        del name
        first = start

        def opened() -> _Opened:
            item = self.start().item
            return _opened(lambda index: (ops.cast(convert_to_tensor(index), int64) + first, item(index)))

        return Dataset(self.length, opened)

    def shuffle(
        self,
        buffer_size: int,
        seed: int | None = None,
        reshuffle_each_iteration: bool = True,
        name: Any = None,
    ) -> Dataset:
        """`tf.data.Dataset.shuffle`: all elements in random order, another for each loop."""
        del buffer_size, reshuffle_each_iteration, name

        def start() -> _Opened:
            item = self.start().item
            order = random.permutation(self.length, key=key_of_process(seed))
            return _opened(lambda index: item(ops.take(order, index, axis=0)))

        return Dataset(self.length, start)

    def concatenate(self, dataset: Dataset, name: Any = None) -> Dataset:
        """`tf.data.Dataset.concatenate`."""
        del name
        length = self.length

        def start() -> _Opened:
            first, second = self.start().item, dataset.start().item
            return _opened(
                lambda index: ops.cond(index < length, lambda: first(index), lambda: second(index - length))
            )

        return Dataset(length + dataset.length, start)

    def prefetch(self, buffer_size: int, name: Any = None) -> Dataset:
        """`tf.data.Dataset.prefetch`: accepted; elements are made when they are asked for."""
        del buffer_size, name
        return self

    def cache(self, filename: str = "", name: Any = None) -> Dataset:
        """`tf.data.Dataset.cache`: accepted; elements are made anew for each loop."""
        del filename, name
        return self

    def apply(self, transformation_func: Callable[[Dataset], Dataset]) -> Dataset:
        """`tf.data.Dataset.apply`."""
        return transformation_func(self)

    # ── what a dataset gives ──

    def reduce(self, initial_state: Any, reduce_func: Callable[[Any, Any], Any], name: Any = None) -> Any:
        """`tf.data.Dataset.reduce`: ``reduce_func(state, element)`` over all elements."""
        del name
        sequence, step = self.items, _staged(reduce_func)
        _, result = ops.while_loop(
            lambda index, _: index < sequence.length,
            lambda index, state: (index + 1, step(state, sequence.item(index))),
            (convert_to_tensor(0), map_leaves(convert_to_tensor, initial_state)),
        )
        return result

    def cardinality(self) -> Tensor:
        """`tf.data.Dataset.cardinality`: the number of elements, or `INFINITE_CARDINALITY`."""
        endless = not is_symbolic(self.length) and int(self.length) == _ENDLESS
        return convert_to_tensor(INFINITE_CARDINALITY if endless else self.length, int64)

    @property
    def element_spec(self) -> Any:
        """`tf.data.Dataset.element_spec`: a `TensorSpec` for each tensor of an element."""
        specs, structure = element_specs(self.items.item)
        return unflatten(structure, [TensorSpec(spec.shape, spec.dtype) for spec in specs])

    @property
    def items(self) -> Items:
        """The length and the element at an index, for one loop."""
        return Items(self.length, self.start().item)

    def as_numpy_iterator(self) -> Iterator[Any]:
        """`tf.data.Dataset.as_numpy_iterator`."""
        return (map_leaves(lambda leaf: leaf.numpy(), element) for element in self)

    def __len__(self) -> int:
        if is_symbolic(self.length):
            raise NoConcreteValue(
                "the length of a dataset was asked for that only a run knows",
                why="`len()` gives a number of Python, while the graph is traced.",
                way_out="Ask `dataset.cardinality()`, which is a tensor.",
            )
        if int(self.length) == _ENDLESS:
            raise NotASequence(
                "the length of a dataset was asked for that repeats for ever",
                why="It has no end.",
                way_out="Limit it first: `dataset.take(n)`.",
            )
        return int(self.length)

    def __bool__(self) -> bool:
        return True

    def __iter__(self) -> Iterator[Any]:
        sequence = self.items
        index = 0
        while index < int(sequence.length):
            _require_eager()
            yield map_leaves(as_tensor, sequence.item(index))
            index += 1

    def __repr__(self) -> str:
        return f"<Dataset element_spec={self.element_spec!r}>"


def _require_eager() -> None:
    """Refuses to make an element for Python while a graph is built, which would be the same in every run."""
    builder = current_builder()
    if builder is not None:
        raise GraphError(
            f"an element of a dataset was asked for while `{builder.name}` was traced",
            why="Every run would see the same one.",
            way_out="Loop over the dataset in the function, `for x in dataset:`, and let AutoGraph convert "
            "it, or take the elements outside of the function and pass them as arguments.",
        )


def _stacked(value: Any) -> Any:
    """A nest whose lists are tensors: TensorFlow's datasets nest by tuple and dict only."""
    if isinstance(value, list):
        return convert_to_tensor(value)
    if isinstance(value, dict):
        return {key: _stacked(child) for key, child in value.items()}
    return tuple(map(_stacked, value)) if type(value) is tuple else value


def _staged(function: Callable[..., Any]) -> Callable[..., Any]:
    """A user's function as a graph needs it; eager code calls it as it is."""
    return function if current_builder() is None else api.convert(function)


def _applied(function: Callable[..., Any], element: Any) -> Any:
    """`function` of an element; the items of a tuple are its arguments."""
    return function(*element) if type(element) is tuple else function(element)


def _as_element(result: Any) -> Any:
    """What a mapped function returned, as tensors."""
    return map_leaves(convert_to_tensor, _stacked(result))


def _of_length(tensor: Tensor, length: int) -> Tensor:
    """A tensor whose first axis has a length that the graph does not know."""
    known = tensor.static_shape is not None and all_known(tensor.static_shape[1:])
    return ops.reshape(tensor, (length, *(tensor.static_shape or ())[1:])) if known else tensor


experimental = SimpleNamespace(AUTOTUNE=AUTOTUNE, INFINITE_CARDINALITY=INFINITE_CARDINALITY)
