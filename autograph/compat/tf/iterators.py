"""`iter(dataset)`: what gives the elements of a dataset once, to eager code and to graphs in turn.

It is an opened dataset and a variable with the number of the next element. A graph reads and writes it as it
does any variable, so that what one call has taken is gone for the next one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from autograph.backends.tensors import Items, Source
from autograph.compat.tf.errors import OutOfRangeError
from autograph.compat.tf.pipelines import Opened
from autograph.compat.tf.tensors import RecordedSpec
from autograph.compat.tf.texts import StringTensor
from autograph.compat.tf.values import convert_to_tensor
from runtime import ops
from runtime.core.dtypes import int64
from runtime.core.structure import map_leaves
from runtime.core.tensor import Tensor
from runtime.errors import GraphError
from runtime.graph.build import as_tensor, current_builder, outside_graphs
from runtime.ops.control_flow import NoOutcome
from runtime.ops.raising import record
from runtime.variables import Variable

__all__ = ["DatasetIterator", "IteratorSpec", "Optional"]

_END = "End of sequence"
_MOST_ASKED = 2000
"""Elements that one graph may ask for one by one."""


class IteratorSpec(RecordedSpec):
    """`tf.data.IteratorSpec`: of iterators, by what an element is."""

    def __init__(self, element_spec: Any) -> None:
        self.element_spec = element_spec


@dataclass(frozen=True, eq=False)
class Optional:
    """`tf.experimental.Optional`: an element, or the absence of one."""

    is_there: Any
    get: Callable[[], Any]

    def has_value(self, name: Any = None) -> Tensor:
        """Whether there is an element."""
        del name
        return convert_to_tensor(self.is_there)

    def get_value(self, name: Any = None) -> Any:
        """The element.

        Raises
        ------
        InvalidArgumentError
            When there is none.
        """
        del name
        ops.check(self.has_value(), "The given optional does not have a value.")
        return self.get()


class DatasetIterator(Source):
    """`tf.data.Iterator`: made by `iter` of a dataset."""

    def __init__(self, opened: Opened, spec: Callable[[], Any]) -> None:
        self._opened = opened
        self._spec = spec
        with outside_graphs():
            at_start = Variable(np.int64(0), trainable=False, name="position")
        self._position = at_start
        self._asked: tuple[Any, int] = (None, 0)
        if current_builder() is not None:  # every run begins anew
            self._position.assign(np.int64(0))

    @property
    def element_spec(self) -> Any:
        """What is known of each element."""
        return self._spec()

    @property
    def _type_spec(self) -> IteratorSpec:
        return IteratorSpec(self.element_spec)

    @property
    def _length(self) -> Any:
        return convert_to_tensor(self._opened.length, int64)

    def _taken(self) -> Any:
        """The next element, which is there."""
        index = self._position.value()
        self._position.assign(index + 1)
        return self._element(index if current_builder() is not None else int(index))

    def _element(self, index: Any) -> Any:
        found = self._opened.item(index)
        return map_leaves(
            lambda leaf: leaf if isinstance(leaf, (Source, StringTensor)) else as_tensor(leaf), found
        )

    @property
    def items(self) -> Items:
        """What is left, for a loop; each turn takes an element."""
        first = self._position.value()

        def item(index: Any) -> Any:
            place = first + ops.cast(convert_to_tensor(index), int64)
            self._position.assign(place + 1)
            return self._element(place)

        return Items(self._length - first, item)

    def __iter__(self) -> DatasetIterator:
        return self

    def __next__(self) -> Any:
        if current_builder() is not None:
            self._require_loop()
            return self.get_next()
        if int(self._position.value()) >= int(self._length):
            raise StopIteration
        return self._taken()

    def _require_loop(self) -> None:
        """Refuses a loop of Python's in a graph: only a run knows where it ends."""
        builder = current_builder()
        before, count = self._asked
        self._asked = builder, count + 1 if before is builder else 1
        if self._asked[1] > _MOST_ASKED:
            raise GraphError(
                f"an iterator was asked for {_MOST_ASKED} elements while a graph was traced",
                why="Only a run knows where it ends, so a loop of Python's over it has no end.",
                way_out="Loop over the dataset in the function, `for x in dataset:`, and let AutoGraph "
                "convert it.",
            )

    def get_next(self, name: Any = None) -> Any:
        """The next element.

        Raises
        ------
        OutOfRangeError
            When there is none.
        """
        del name
        is_over = self._position.value() >= self._length
        if current_builder() is None:
            if bool(is_over):
                raise OutOfRangeError(None, None, _END)
            return self._taken()
        ops.cond(is_over, _ended, lambda: ())
        return self._taken()

    def get_next_as_optional(self, name: Any = None) -> Optional:
        """The next element, or the absence of one."""
        del name
        is_there = self._position.value() < self._length
        if current_builder() is None:
            element = self._taken() if bool(is_there) else None
            return Optional(is_there, lambda: element)
        index = self._position.value()
        self._position.assign(index + ops.cast(is_there, int64))
        return Optional(is_there, lambda: self._element(index))


def _ended() -> Any:
    """A branch of a graph that raises."""
    record(OutOfRangeError(None, None, _END))
    raise NoOutcome
