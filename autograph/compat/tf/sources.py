"""Where datasets of `tf.data` come from: numbers, tensors, generators, and other datasets side by side."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Self

import numpy as np

from autograph.backends.tensors import Source
from autograph.compat.tf.loops import collect, rows_of
from autograph.compat.tf.pipelines import (
    Opened,
    least_of,
    of_specs,
    opened_by_item,
    stacked,
)
from autograph.compat.tf.tensors import TensorSpec
from autograph.compat.tf.texts import renewed
from autograph.compat.tf.values import convert_to_tensor
from runtime import ops
from runtime.core.dtypes import int64
from runtime.core.structure import flatten, map_leaves, unflatten
from runtime.errors import InvalidValue
from runtime.graph.build import current_builder, is_symbolic
from runtime.ops import random
from runtime.ops.random.streams import key_of_process

__all__ = ["ENDLESS", "Sources"]

ENDLESS = int64.max
"""The length of a dataset that has no end."""


class _Elements:
    """What a generator gave in one run of a graph, as one object."""

    def __init__(self, items: list[Any]) -> None:
        self.items = items


class Sources(Source):
    """What makes datasets: each knows how long it is, where that is known, and how a loop opens it."""

    def __init__(self, length: Any, start: Callable[[], Opened]) -> None:
        self.length = length
        self.start = start
        self.is_of_graph = current_builder() is not None

    @classmethod
    def range(cls, *args: Any, output_type: Any = int64, name: Any = None) -> Self:
        """`tf.data.Dataset.range`: int64 numbers, unless `output_type` says otherwise."""
        del name
        numbers = ops.arange(*[ops.cast(convert_to_tensor(bound), output_type) for bound in args])
        return cls.from_tensor_slices(numbers)

    @classmethod
    def from_tensors(cls, tensors: Any, name: Any = None) -> Self:
        """`tf.data.Dataset.from_tensors`: one element."""
        del name
        whole = map_leaves(convert_to_tensor, stacked(tensors))
        return cls(1, lambda: opened_by_item(1, lambda _: whole))

    @classmethod
    def from_tensor_slices(cls, tensors: Any, name: Any = None) -> Self:
        """`tf.data.cls.from_tensor_slices`: an element for each row."""
        del name
        whole = map_leaves(convert_to_tensor, stacked(tensors))
        length, row = rows_of(whole)

        def rows(start: Any, count: Any) -> Any:
            return map_leaves(lambda tensor: tensor[start : start + count], whole)

        return cls(length, lambda: Opened(length, row, rows))

    @classmethod
    def from_generator(
        cls,
        generator: Callable[..., Any],
        output_types: Any = None,
        output_shapes: Any = None,
        args: Any = None,
        output_signature: Any = None,
        name: Any = None,
    ) -> Self:
        """`tf.data.Dataset.from_generator`: the generator must end, and runs whenever a loop begins."""
        del name
        if output_signature is None:
            shapes_ = map_leaves(lambda _: None, output_types) if output_shapes is None else output_shapes
            dtypes, structure = flatten(output_types)
            given = flatten(shapes_)[0] if len(dtypes) > 1 else [shapes_]
            signature = [TensorSpec(shape, dtype) for shape, dtype in zip(given, dtypes, strict=True)]
            output_signature = unflatten(structure, signature)
        specs, structure = flatten(output_signature)

        def elements(*given: Any) -> list[Any]:
            return [of_specs(specs, output_signature, stacked(element)) for element in generator(*given)]

        def arrays(items: list[Any], index: Any) -> list[Any]:
            return [np.asarray(leaf) for leaf in flatten(items[int(index)])[0]]

        def picked(held: Any, index: Any) -> Any:
            found = ops.host_call(lambda kept, at: arrays(kept.items, at), held, index, result=specs)
            return unflatten(structure, found)

        def start() -> Opened:
            if current_builder() is not None:
                held, length = ops.host_call(counted, *(args or ()), result=[object, int64])
                return opened_by_item(length, lambda index: picked(held, index))
            items = elements(*(args or ()))

            def item(index: Any) -> Any:
                if not is_symbolic(index):
                    return renewed(items[int(index)])
                found = ops.host_call(lambda at: arrays(items, at), index, result=specs)
                return unflatten(structure, found)

            return opened_by_item(len(items), item)

        def counted(*given: Any) -> list[Any]:
            items = elements(*given)
            return [_Elements(items), np.int64(len(items))]

        return cls(None, start)

    @classmethod
    def zip(cls, *args: Any, datasets: Any = None, name: Any = None) -> Self:
        """`tf.data.Dataset.zip`: nests of elements, as many as the shortest dataset has."""
        del name
        nest = datasets if not args else args[0] if len(args) == 1 else args
        members, structure = flatten(nest)

        def start() -> Opened:
            opened = [member.start() for member in members]
            return Opened(
                least_of([each.length for each in opened]),
                lambda index: unflatten(structure, [each.item(index) for each in opened]),
                lambda start, count: unflatten(structure, [each.rows(start, count) for each in opened]),
            )

        lengths = [member.length for member in members]
        return cls(None if None in lengths else least_of(lengths), start)

    @classmethod
    def counter(cls, start: Any = 0, step: Any = 1, dtype: Any = int64, name: Any = None) -> Self:
        """`tf.data.Dataset.counter`: numbers without end."""
        del name
        first, apart = convert_to_tensor(start, dtype), convert_to_tensor(step, dtype)

        def item(index: Any) -> Any:
            return first + ops.cast(convert_to_tensor(index), dtype) * apart

        return cls(ENDLESS, lambda: opened_by_item(ENDLESS, item))

    @classmethod
    def random(
        cls, seed: int | None = None, rerandomize_each_iteration: bool | None = None, name: Any = None
    ) -> Self:
        """`tf.data.Dataset.random`: integers below 2³² without end; the numbers are our own."""
        del rerandomize_each_iteration, name

        def start() -> Opened:
            key = key_of_process(seed)
            return opened_by_item(
                ENDLESS,
                lambda index: random.integers(0, 1 << 32, (), dtype=int64, key=random.fold_in(key, index)),
            )

        return cls(ENDLESS, start)

    @classmethod
    def choose_from_datasets(
        cls, datasets: Any, choice_dataset: Any, stop_on_empty_dataset: bool = True
    ) -> Self:
        """`tf.data.Dataset.choose_from_datasets`: the next element of the dataset that each choice names.

        Raises
        ------
        ValueError
            With `stop_on_empty_dataset=False`: it ends where a dataset does that is chosen.
        """
        if not stop_on_empty_dataset:
            raise InvalidValue(
                "datasets were to be chosen from beyond the end of one",
                why="Which choices count would follow from the lengths of all of them.",
                way_out="Leave out `stop_on_empty_dataset`, or repeat the shorter ones.",
            )

        def start() -> Opened:
            members = [each.start() for each in datasets]
            choices = choice_dataset.start()
            picked = ops.cast(collect(choices.length, choices.item), int64)
            mine = ops.expand_dims(picked, axis=1) == ops.arange(len(members))
            before = ops.cumulative_sum(ops.cast(mine, int64), axis=0) - 1
            where = ops.sum(ops.where(mine, before, 0), axis=1, dtype=int64)
            lengths = ops.stack([convert_to_tensor(each.length, int64) for each in members])
            over = where >= ops.take(lengths, picked, axis=0)
            count = ops.where(ops.any(over), ops.argmax(ops.cast(over, int64)), ops.shape(picked)[0])

            def item(index: Any) -> Any:
                which, at = ops.take(picked, index, axis=0), ops.take(where, index, axis=0)
                branches = [(lambda member=each: member.item(at)) for each in members]
                return ops.switch(which, branches)

            return opened_by_item(ops.cast(count, int64), item)

        return cls(None, start)
