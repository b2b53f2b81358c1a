"""`tf.map_fn`, `tf.foldl`, `tf.scan`: loops over the rows of tensors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from autograph.compat.tf.texts import StringTensor, are_texts, as_strings, text_at
from autograph.compat.tf.values import DEFAULTS, convert_to_tensor
from runtime import ops
from runtime.core.shapes import written
from runtime.core.spec import ArraySpec, as_array_spec
from runtime.core.structure import Structure, flatten, map_leaves, unflatten
from runtime.core.tensor import Tensor
from runtime.graph.build import building, current_builder, is_symbolic
from runtime.graph.builder import Builder
from runtime.graph.symbol import Symbol
from runtime.ops.tensor_list import TensorArray

__all__ = ["collect", "element_specs", "foldl", "foldr", "map_fn", "rows_of", "scan", "vectorized_map"]


def rows_of(elems: Any) -> tuple[Any, Callable[[Any], Any]]:
    """How many rows the tensors of a nest have, and the nest of the rows at an index."""
    tensors = map_leaves(convert_to_tensor, elems)
    first = flatten(tensors)[0][0]
    length = len(first) if isinstance(first, StringTensor) else ops.dimension(first, 0)
    return length, lambda index: map_leaves(lambda tensor: _row(tensor, index), tensors)


def _row(tensor: Any, index: Any) -> Any:
    if isinstance(tensor, StringTensor):
        return text_at(tensor, index) if is_symbolic(index) else tensor[int(index)]
    return ops.take(tensor, index, axis=0)


def element_specs(item: Callable[[Any], Any]) -> tuple[list[ArraySpec], Structure]:
    """What `item(index)` gives, found by tracing it into a graph that is thrown away."""
    with building(Builder("element", current_builder())) as builder:
        leaves, structure = flatten(item(Symbol(builder.input(ArraySpec((), DEFAULTS.integer), "index"))))
        return [as_array_spec(convert_to_tensor(leaf).spec) for leaf in leaves], structure


def collect(count: Any, item: Callable[[Any], Any]) -> Any:
    """``item(0)``, ``item(1)``, … stacked along a new first axis, leaf by leaf."""
    if not is_symbolic(count) and current_builder() is None and int(count):
        nests = [flatten(item(index)) for index in range(int(count))]
        columns = zip(*[leaves for leaves, _ in nests], strict=True)
        return unflatten(nests[0][1], [_stacked(column) for column in columns])
    specs, structure = element_specs(item)
    arrays = [TensorArray(spec.dtype, size=count, element_shape=written(spec.shape)) for spec in specs]

    def turn(index: Tensor, arrays: list[TensorArray]) -> tuple[Tensor, list[TensorArray]]:
        leaves, _ = flatten(item(index))
        return index + 1, [array.write(index, leaf) for array, leaf in zip(arrays, leaves, strict=True)]

    _, arrays = ops.while_loop(lambda index, _: index < count, turn, (convert_to_tensor(0), arrays))
    return unflatten(structure, [array.stack() for array in arrays])


def _stacked(column: Sequence[Any]) -> Any:
    tensors = list(map(convert_to_tensor, column))
    return as_strings(tensors) if are_texts(tensors) else ops.stack(tensors)


def map_fn(
    fn: Callable[[Any], Any],
    elems: Any,
    dtype: Any = None,
    parallel_iterations: int | None = None,
    back_prop: bool = True,
    swap_memory: bool = False,
    infer_shape: bool = True,
    name: Any = None,
    fn_output_signature: Any = None,
) -> Any:
    """`tf.map_fn`: `fn` of each row, stacked; the signature of the output is found by tracing `fn`."""
    del dtype, parallel_iterations, back_prop, swap_memory, infer_shape, name, fn_output_signature
    length, row = rows_of(elems)
    return collect(length, lambda index: fn(row(index)))


def foldl(
    fn: Callable[[Any, Any], Any],
    elems: Any,
    initializer: Any = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    name: Any = None,
) -> Any:
    """`tf.foldl`: ``fn(fn(first, second), third)`` and so on."""
    del parallel_iterations, back_prop, swap_memory, name
    length, row = rows_of(elems)
    start, state = (1, row(0)) if initializer is None else (0, map_leaves(convert_to_tensor, initializer))
    _, result = ops.while_loop(
        lambda index, _: index < length,
        lambda index, state: (index + 1, fn(state, row(index))),
        (convert_to_tensor(start), state),
    )
    return result


def foldr(
    fn: Callable[[Any, Any], Any],
    elems: Any,
    initializer: Any = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    name: Any = None,
) -> Any:
    """`tf.foldr`: as `foldl`, from the last row to the first."""
    del parallel_iterations, back_prop, swap_memory, name
    return foldl(fn, _backwards(elems), initializer)


def scan(
    fn: Callable[[Any, Any], Any],
    elems: Any,
    initializer: Any = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    infer_shape: bool = True,
    reverse: bool = False,
    name: Any = None,
) -> Any:
    """`tf.scan`: as `foldl`, with the value after each row, stacked."""
    del parallel_iterations, back_prop, swap_memory, infer_shape, name
    length, row = rows_of(_backwards(elems) if reverse else elems)
    state = row(0) if initializer is None else map_leaves(convert_to_tensor, initializer)
    leaves, structure = flatten(state)
    specs = [as_array_spec(convert_to_tensor(leaf).spec) for leaf in leaves]
    arrays = [TensorArray(spec.dtype, size=length, element_shape=spec.shape) for spec in specs]
    if initializer is None:
        arrays = [array.write(0, leaf) for array, leaf in zip(arrays, leaves, strict=True)]

    def turn(index: Tensor, state: Any, arrays: list[TensorArray]) -> tuple[Tensor, Any, list[TensorArray]]:
        after = map_leaves(convert_to_tensor, fn(state, row(index)))
        found, _ = flatten(after)
        written = [array.write(index, leaf) for array, leaf in zip(arrays, found, strict=True)]
        return index + 1, after, written

    first = convert_to_tensor(1 if initializer is None else 0)
    _, _, arrays = ops.while_loop(lambda index, *_: index < length, turn, (first, state, arrays))
    stacked = unflatten(structure, [array.stack() for array in arrays])
    return _backwards(stacked) if reverse else stacked


def _backwards(elems: Any) -> Any:
    """The rows in reverse."""
    return map_leaves(lambda leaf: ops.flip(convert_to_tensor(leaf), axis=0), elems)


def vectorized_map(
    fn: Callable[[Any], Any], elems: Any, fallback_to_while_loop: bool = True, warn: bool = True
) -> Any:
    """`tf.vectorized_map`: as `map_fn`."""
    del fallback_to_while_loop, warn
    return map_fn(fn, elems)
