"""`tf.data`: sequences of elements that are made one at a time, in eager loops and in staged ones.

A loop over a dataset opens it: then it has a length, and can make the element at any index; that is what a
staged `for` needs. Where elements decide how many there are, as of a filter, there is a first pass over them.
"""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Iterator as _Iterator
from types import SimpleNamespace
from typing import Any

from autograph import api
from autograph.backends.tensors import Items
from autograph.backends.tensors.iteration.items import least
from autograph.compat.tf.iterators import DatasetIterator, IteratorSpec
from autograph.compat.tf.loops import collect, rows_of
from autograph.compat.tf.pipelines import (
    Opened,
    batches,
    first_failing,
    interleaved,
    of_length,
    opened_by_item,
    padded,
    places,
    running,
    stacked,
    true_at,
)
from autograph.compat.tf.shapes import TensorShape
from autograph.compat.tf.sources import ENDLESS, Sources
from autograph.compat.tf.tensors import RecordedSpec, StringSpec, TensorSpec
from autograph.compat.tf.texts import StagedString, are_texts, string
from autograph.compat.tf.values import DEFAULTS, convert_to_tensor
from runtime import ops
from runtime.core.dtypes import int64
from runtime.core.spec import ArraySpec
from runtime.core.structure import level_of, map_leaves
from runtime.core.tensor import Tensor
from runtime.errors import DTypeError, NoConcreteValue, NotASequence
from runtime.graph.build import as_tensor, building, current_builder, is_symbolic
from runtime.graph.builder import Builder
from runtime.graph.symbol import Symbol
from runtime.ops import random
from runtime.ops.random.streams import key_of_process

__all__ = [
    "AUTOTUNE",
    "INFINITE_CARDINALITY",
    "UNKNOWN_CARDINALITY",
    "Dataset",
    "DatasetSpec",
    "Iterator",
    "IteratorSpec",
    "Options",
    "ThreadingOptions",
    "experimental",
]

Iterator = DatasetIterator
AUTOTUNE = -1
INFINITE_CARDINALITY = -1
UNKNOWN_CARDINALITY = -2


class Dataset(Sources):
    """`tf.data.Dataset`.

    Made by `range`, `from_tensor_slices`, `from_tensors`, `from_generator` and `zip`.

    Examples
    --------
    >>> from autograph.compat import tf
    >>> for batch in tf.data.Dataset.range(5).map(lambda x: x * x).batch(2):
    ...     print(batch)
    tf.Tensor([0 1], shape=(2,), dtype=int64)
    tf.Tensor([4 9], shape=(2,), dtype=int64)
    tf.Tensor([16], shape=(1,), dtype=int64)
    """

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

        def start() -> Opened:
            opened, converted = self.start(), _staged(map_func)
            return opened_by_item(
                opened.length, lambda index: _as_element(_applied(converted, opened.item(index)))
            )

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

        def start() -> Opened:
            opened = self.start()
            length, rows = opened.length, opened.rows
            all_full = drop_remainder or (not is_symbolic(length) and length % batch_size == 0)

            def item(index: Any) -> Any:
                first = index * batch_size
                if all_full:
                    return map_leaves(lambda leaf: of_length(leaf, batch_size), rows(first, batch_size))
                return rows(first, least(batch_size, length - first))

            return opened_by_item(batches(length, batch_size, drop_remainder), item)

        return Dataset(batches(self.length, batch_size, drop_remainder), start)

    def padded_batch(
        self,
        batch_size: Any,
        padded_shapes: Any = None,
        padding_values: Any = None,
        drop_remainder: bool = False,
        name: Any = None,
    ) -> Dataset:
        """`tf.data.Dataset.padded_batch`: elements of one batch are padded to the longest among them."""
        del name

        def start() -> Opened:
            opened = self.start()

            def item(index: Any) -> Any:
                first = index * batch_size
                count = batch_size if drop_remainder else least(batch_size, opened.length - first)
                return padded(count, lambda place: opened.item(first + place), padded_shapes, padding_values)

            return opened_by_item(batches(opened.length, batch_size, drop_remainder), item)

        return Dataset(batches(self.length, batch_size, drop_remainder), start)

    def unbatch(self, name: Any = None) -> Dataset:
        """`tf.data.Dataset.unbatch`: the rows of every element, one after the other."""
        return self.flat_map(
            lambda *rows: Dataset.from_tensor_slices(rows[0] if len(rows) == 1 else rows), name
        )

    def filter(self, predicate: Callable[..., Any], name: Any = None) -> Dataset:
        """`tf.data.Dataset.filter`: the elements for which `predicate` holds."""
        del name

        def start() -> Opened:
            opened, converted = self.start(), _staged(predicate)
            kept = true_at(opened.length, lambda index: _applied(converted, opened.item(index)))
            return opened_by_item(
                ops.dimension(kept, 0), lambda index: opened.item(ops.take(kept, index, axis=0))
            )

        return Dataset(None, start)

    def take_while(self, predicate: Callable[..., Any], name: Any = None) -> Dataset:
        """`tf.data.Dataset.take_while`: the elements before the first for which `predicate` does not hold."""
        del name

        def start() -> Opened:
            opened, converted = self.start(), _staged(predicate)
            count = first_failing(opened.length, lambda index: _applied(converted, opened.item(index)))
            return Opened(count, opened.item, opened.rows)

        return Dataset(None, start)

    def _datasets(self, map_func: Callable[..., Dataset]) -> tuple[Callable[[Any], Opened], Any]:
        """The dataset that is made of the element at an index, opened; and how long each of them is."""
        opened, converted = self.start(), _staged(map_func)

        def inner(index: Any) -> Opened:
            found: Dataset = _applied(converted, opened.item(index))
            return found.start()

        return inner, collect(opened.length, lambda index: convert_to_tensor(inner(index).length))

    def flat_map(self, map_func: Callable[..., Dataset], name: Any = None) -> Dataset:
        """`tf.data.Dataset.flat_map`: the elements of the dataset of each element, one after the other."""
        del name

        def start() -> Opened:
            inner, lengths = self._datasets(map_func)
            total, find = places(lengths)

            def item(index: Any) -> Any:
                which, where = find(index)
                return inner(which).item(where)

            return opened_by_item(total, item)

        return Dataset(None, start)

    def interleave(
        self,
        map_func: Callable[..., Dataset],
        cycle_length: int | None = None,
        block_length: int = 1,
        num_parallel_calls: Any = None,
        deterministic: bool | None = None,
        name: Any = None,
    ) -> Dataset:
        """`tf.data.Dataset.interleave`: the elements of the datasets of several elements in turn."""
        del num_parallel_calls, deterministic, name

        def start() -> Opened:
            inner, lengths = self._datasets(map_func)
            which, where = map(convert_to_tensor, interleaved(lengths, cycle_length or 1, block_length))
            return opened_by_item(
                ops.dimension(which, 0),
                lambda index: inner(ops.take(which, index, axis=0)).item(ops.take(where, index, axis=0)),
            )

        return Dataset(None, start)

    def window(
        self,
        size: int,
        shift: int | None = None,
        stride: int = 1,
        drop_remainder: bool = False,
        name: Any = None,
    ) -> Dataset:
        """`tf.data.Dataset.window`: datasets of `size` elements, one beginning every `shift` elements."""
        del name
        step = size if shift is None else shift

        def count(length: Any) -> Any:
            if length is None or not drop_remainder:
                return None if length is None else -(-length // step)
            return (length - (size - 1) * stride - 1) // step + 1

        def start() -> Opened:
            opened = self.start()

            def item(index: Any) -> Dataset:
                first = index * step
                there = size if drop_remainder else least(size, -((first - opened.length) // stride))
                return Dataset(
                    there, lambda: opened_by_item(there, lambda place: opened.item(first + place * stride))
                )

            return opened_by_item(count(opened.length), item)

        return Dataset(count(self.length), start)

    def scan(self, initial_state: Any, scan_func: Callable[..., Any], name: Any = None) -> Dataset:
        """`tf.data.Dataset.scan`: ``scan_func(state, element)`` gives the next state and an element."""
        del name

        def start() -> Opened:
            opened, converted = self.start(), _staged(scan_func)
            length, row = rows_of(running(opened.length, opened.item, converted, initial_state))
            return opened_by_item(length, row)

        return Dataset(self.length, start)

    def unique(self, name: Any = None) -> Dataset:
        """`tf.data.Dataset.unique`: each element the first time that it is there; elements are numbers."""
        del name

        def start() -> Opened:
            opened = self.start()
            numbers = collect(opened.length, lambda index: convert_to_tensor(opened.item(index)))
            _, firsts, _, _ = ops.unique_all(numbers)
            kept = ops.sort(firsts)
            return opened_by_item(
                ops.dimension(kept, 0), lambda index: ops.take(numbers, ops.take(kept, index, axis=0), axis=0)
            )

        return Dataset(None, start)

    def rebatch(self, batch_size: Any, drop_remainder: bool = False, name: Any = None) -> Dataset:
        """`tf.data.Dataset.rebatch`: batches of another size."""
        return self.unbatch(name).batch(batch_size, drop_remainder)

    def options(self) -> Options:
        """`tf.data.Dataset.options`: nothing but what is so by default; options change nothing here."""
        return Options()

    def shard(self, num_shards: int, index: int, name: Any = None) -> Dataset:
        """`tf.data.Dataset.shard`: every element whose index is `index` more than a multiple."""
        del name
        first = index

        def start() -> Opened:
            opened = self.start()
            count = -((first - opened.length) // num_shards)
            return opened_by_item(count, lambda place: opened.item(place * num_shards + first))

        return Dataset(None if self.length is None else -((first - self.length) // num_shards), start)

    def take(self, count: Any, name: Any = None) -> Dataset:
        """`tf.data.Dataset.take`; -1 takes all."""
        del name
        if isinstance(count, int) and count == -1:
            return self

        def start() -> Opened:
            opened = self.start()
            return Opened(least(opened.length, count), opened.item, opened.rows)

        return Dataset(None if self.length is None else least(self.length, count), start)

    def skip(self, count: Any, name: Any = None) -> Dataset:
        """`tf.data.Dataset.skip`."""
        del name

        def start() -> Opened:
            opened = self.start()
            skipped = least(count, opened.length)
            return Opened(
                opened.length - skipped,
                lambda index: opened.item(index + skipped),
                lambda start, count: opened.rows(start + skipped, count),
            )

        return Dataset(None if self.length is None else self.length - least(count, self.length), start)

    def repeat(self, count: Any = None, name: Any = None) -> Dataset:
        """`tf.data.Dataset.repeat`; without a count, or with -1, for ever."""
        del name
        endless = count is None or count == -1

        def start() -> Opened:
            opened = self.start()
            length = opened.length
            whole = ENDLESS if endless else length * count
            return opened_by_item(whole, lambda index: opened.item(index % length))

        if self.length is None:
            return Dataset(None, start)
        return Dataset(ENDLESS if endless else self.length * count, start)

    def enumerate(self, start: int = 0, name: Any = None) -> Dataset:
        """`tf.data.Dataset.enumerate`: pairs of an int64 number and an element."""
        del name
        first = start

        def opened() -> Opened:
            inner = self.start()
            return opened_by_item(
                inner.length,
                lambda index: (ops.cast(convert_to_tensor(index), int64) + first, inner.item(index)),
            )

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

        def start() -> Opened:
            opened = self.start()
            order = random.permutation(opened.length, key=key_of_process(seed))
            return opened_by_item(opened.length, lambda index: opened.item(ops.take(order, index, axis=0)))

        return Dataset(self.length, start)

    def concatenate(self, dataset: Dataset, name: Any = None) -> Dataset:
        """`tf.data.Dataset.concatenate`."""
        del name

        def start() -> Opened:
            first, second = self.start(), dataset.start()
            length = first.length

            def item(index: Any) -> Any:
                return ops.cond(
                    index < length, lambda: first.item(index), lambda: second.item(index - length)
                )

            return opened_by_item(length + second.length, item)

        unknown = self.length is None or dataset.length is None
        return Dataset(None if unknown else self.length + dataset.length, start)

    def prefetch(self, buffer_size: int, name: Any = None) -> Dataset:
        """`tf.data.Dataset.prefetch`: accepted; elements are made when they are asked for."""
        del buffer_size, name
        return self

    def cache(self, filename: str = "", name: Any = None) -> Dataset:
        """`tf.data.Dataset.cache`: accepted; elements are made anew for each loop."""
        del filename, name
        return self

    def with_options(self, options: Any, name: Any = None) -> Dataset:
        """`tf.data.Dataset.with_options`: accepted; they change nothing here."""
        del options, name
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
        """`tf.data.Dataset.cardinality`: how many elements, or one of two negative constants."""
        if self.length is None:
            return convert_to_tensor(UNKNOWN_CARDINALITY, int64)
        endless = not is_symbolic(self.length) and int(self.length) == ENDLESS
        return convert_to_tensor(INFINITE_CARDINALITY if endless else self.length, int64)

    @property
    def element_spec(self) -> Any:
        """`tf.data.Dataset.element_spec`: a `TensorSpec` for each tensor of an element."""
        return _element_spec(self.items)

    @property
    def items(self) -> Items:
        """The length and the element at an index, for one loop."""
        opened = self.start()
        return Items(opened.length, opened.item)

    def get_single_element(self, name: Any = None) -> Any:
        """`tf.data.Dataset.get_single_element`: the only element.

        Raises
        ------
        InvalidArgumentError
            When there are none, or several.
        """
        del name
        opened = self.start()
        ops.check(convert_to_tensor(opened.length) == 1, "the dataset has not one element")
        return map_leaves(as_tensor, opened.item(0))

    def as_numpy_iterator(self) -> _Iterator[Any]:
        """`tf.data.Dataset.as_numpy_iterator`."""
        return (map_leaves(lambda leaf: leaf.numpy(), element) for element in self)

    def __len__(self) -> int:
        if self.length is None or is_symbolic(self.length):
            raise NoConcreteValue(
                "the length of a dataset was asked for that only a run knows",
                why="`len()` gives a number of Python, while the graph is traced.",
                way_out="Ask `dataset.cardinality()`, which is a tensor.",
            )
        if int(self.length) == ENDLESS:
            raise NotASequence(
                "the length of a dataset was asked for that repeats for ever",
                why="It has no end.",
                way_out="Limit it first: `dataset.take(n)`.",
            )
        return int(self.length)

    def __bool__(self) -> bool:
        return True

    def __iter__(self) -> DatasetIterator:
        return DatasetIterator(self.start(), lambda: self.element_spec)

    def __repr__(self) -> str:
        return f"<Dataset element_spec={self.element_spec!r}>"


def _spec_of(element: Any) -> Any:
    """What is known of an element, as a nest of specs."""
    if isinstance(element, StagedString):
        return TensorSpec((), string)
    level = level_of(element)
    if level is not None:
        return level[0].build([_spec_of(child) for child in level[1]])
    tensor = convert_to_tensor(element)
    return TensorSpec(tensor.shape if are_texts(tensor) else tensor.static_shape, tensor.dtype)


def _element_spec(sequence: Items) -> Any:
    """What is known of all elements, found by tracing one into a graph that is thrown away."""
    try:
        with building(Builder("element", current_builder())) as builder:
            return _spec_of(sequence.item(Symbol(builder.input(ArraySpec((), DEFAULTS.integer), "index"))))
    except DTypeError:  # several strings, which no graph has: the elements themselves say
        first, last = [_spec_of(sequence.item(at)) for at in (0, int(sequence.length) - 1)]
        return _both(first, last)


def _both(one: Any, other: Any) -> Any:
    """What is known of two elements: a length in which they differ is none."""
    if isinstance(one, (TensorSpec, StringSpec)):
        return TensorSpec(one.shape.most_specific_compatible_shape(other.shape), one.dtype)
    level, others = level_of(one), level_of(other)
    assert level is not None, "a nest that is no spec has parts"
    assert others is not None, "likewise"
    return level[0].build([_both(*pair) for pair in zip(level[1], others[1], strict=True)])


def _staged(function: Callable[..., Any]) -> Callable[..., Any]:
    """A user's function as a graph needs it, where one is built; eager code calls it as it is."""

    def called(*args: Any) -> Any:
        return (function if current_builder() is None else api.convert(function))(*args)

    return called


def _applied(function: Callable[..., Any], element: Any) -> Any:
    """`function` of an element; the items of a tuple are its arguments."""
    return function(*element) if type(element) is tuple else function(element)


def _as_element(result: Any) -> Any:
    """What a mapped function returned, as tensors."""
    return map_leaves(convert_to_tensor, stacked(result))


class DatasetSpec(RecordedSpec):
    """`tf.data.DatasetSpec`: of datasets, by what an element is."""

    value_type = Dataset

    def __init__(self, element_spec: Any, dataset_shape: Any = ()) -> None:
        self.element_spec = element_spec
        self.dataset_shape = TensorShape(dataset_shape)

    @classmethod
    def from_value(cls, value: Dataset) -> DatasetSpec:
        """The spec of a dataset."""
        return cls(value.element_spec)


class Options(SimpleNamespace):
    """`tf.data.Options`: whatever is set on it is kept, and changes nothing."""

    def __init__(self) -> None:
        super().__init__(
            deterministic=None,
            experimental_external_state_policy=None,
            experimental_optimization=SimpleNamespace(),
            autotune=SimpleNamespace(),
            threading=ThreadingOptions(),
        )


class ThreadingOptions(SimpleNamespace):
    """`tf.data.ThreadingOptions`: kept; elements are made in the thread that asks for them."""

    def __init__(self) -> None:
        super().__init__(max_intra_op_parallelism=None, private_threadpool_size=None)


experimental = SimpleNamespace(
    AUTOTUNE=AUTOTUNE, INFINITE_CARDINALITY=INFINITE_CARDINALITY, UNKNOWN_CARDINALITY=UNKNOWN_CARDINALITY
)
