"""`tf.distribute`: the strategy of a program that asks for none, which is one replica, here."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum
from typing import Any

from autograph.compat.tf.math import reduce_mean, reduce_sum
from autograph.compat.tf.values import constant, convert_to_tensor
from runtime.core.structure import map_leaves
from runtime.core.tensor import Tensor

__all__ = [
    "InputContext",
    "ReduceOp",
    "ReplicaContext",
    "Strategy",
    "get_replica_context",
    "get_strategy",
    "has_strategy",
    "in_cross_replica_context",
]


class ReduceOp(Enum):
    """`tf.distribute.ReduceOp`: how values of replicas become one."""

    SUM = "SUM"
    MEAN = "MEAN"

    def __repr__(self) -> str:
        return str(self)


@dataclass(frozen=True)
class InputContext:
    """`tf.distribute.InputContext`: which part of the input is asked for; here, all of it."""

    num_input_pipelines: int = 1
    input_pipeline_id: int = 0
    num_replicas_in_sync: int = 1

    def get_per_replica_batch_size(self, global_batch_size: int) -> int:
        """The size of a replica's batch."""
        return global_batch_size


class ReplicaContext:
    """`tf.distribute.ReplicaContext`: what a replica knows of itself."""

    num_replicas_in_sync = 1

    @property
    def strategy(self) -> Strategy:
        """The strategy that runs it."""
        return _DEFAULT

    @property
    def replica_id_in_sync_group(self) -> Tensor:
        """The number of the replica."""
        return constant(0)

    def all_reduce(self, reduce_op: Any, value: Any, options: Any = None) -> Any:
        """The value of all replicas together, as each of them gets it."""
        del options
        return Strategy.reduce(_DEFAULT, reduce_op, value)

    def merge_call(
        self, merge_fn: Callable[..., Any], args: Sequence[Any] = (), kwargs: Mapping[str, Any] | None = None
    ) -> Any:
        """Calls a function of the strategy and of the values of all replicas."""
        return merge_fn(_DEFAULT, *args, **(kwargs or {}))


class Strategy:
    """`tf.distribute.Strategy`: where a program runs; there is the default one."""

    num_replicas_in_sync = 1

    @contextmanager
    def scope(self) -> Iterator[Strategy]:
        """Where its variables are made: anywhere."""
        yield self

    def run(
        self,
        fn: Callable[..., Any],
        args: Sequence[Any] = (),
        kwargs: Mapping[str, Any] | None = None,
        options: Any = None,
    ) -> Any:
        """What a function gives for each replica's values: here, for the values."""
        del options
        return fn(*args, **(kwargs or {}))

    def reduce(self, reduce_op: Any, value: Any, axis: int | None = None) -> Any:
        """The values of all replicas together, and of one axis of them where one is given."""
        how = ReduceOp(reduce_op.upper() if isinstance(reduce_op, str) else reduce_op)
        if axis is None:
            return map_leaves(convert_to_tensor, value)
        together = reduce_sum if how is ReduceOp.SUM else reduce_mean
        return map_leaves(lambda each: together(each, axis=axis), value)

    def gather(self, value: Any, axis: int) -> Any:
        """The values of all replicas along an axis."""
        del axis
        return map_leaves(convert_to_tensor, value)

    def experimental_local_results(self, value: Any) -> tuple[Any, ...]:
        """The value of each replica."""
        return (value,)

    def experimental_distribute_dataset(self, dataset: Any, options: Any = None) -> Any:
        """The elements for the replicas: the dataset itself."""
        del options
        return dataset

    def distribute_datasets_from_function(
        self, dataset_fn: Callable[[InputContext], Any], options: Any = None
    ) -> Any:
        """The elements for the replicas, made by a function for each of the pipelines."""
        del options
        return dataset_fn(InputContext())

    def experimental_distribute_values_from_function(self, value_fn: Callable[[Any], Any]) -> Any:
        """A value for each replica, made by a function of its context."""
        return value_fn(_Values())


class _Values:
    """What a function is told that makes a value for a replica."""

    replica_id_in_sync_group = 0
    num_replicas_in_sync = 1


_DEFAULT = Strategy()


def get_strategy() -> Strategy:
    """`tf.distribute.get_strategy`: the default one."""
    return _DEFAULT


def has_strategy() -> bool:
    """`tf.distribute.has_strategy`: whether another than the default one is in use."""
    return False


def in_cross_replica_context() -> bool:
    """`tf.distribute.in_cross_replica_context`: the one replica is always the context."""
    return False


def get_replica_context() -> ReplicaContext:
    """`tf.distribute.get_replica_context`: that of the one replica."""
    return ReplicaContext()


def __getattr__(name: str) -> Any:
    if name.endswith("Strategy"):
        told = "there is one device; `tf.distribute.get_strategy()` runs on it"
        raise AttributeError(f"`tf.distribute.{name}` is not here: {told}", name=name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}", name=name)
