"""Functions as graphs, functional control flow, and the scopes of a TensorFlow program."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, ParamSpec, TextIO, TypedDict, TypeVar, Unpack, overload

import numpy as np

from autograph.compat.tf.specs import expanded
from autograph.compat.tf.strings import printed
from autograph.compat.tf.tensors import EagerTensor, TensorSpec
from autograph.compat.tf.texts import StagedString, StringTensor
from autograph.compat.tf.values import DEFAULTS, convert_to_tensor
from autograph.options import Options
from autograph.tracing import function as tracing
from autograph.tracing.function import PolymorphicFunction
from runtime import ops
from runtime.core.structure import flatten, map_leaves, unflatten
from runtime.core.tensor import Tensor
from runtime.errors import InvalidValue
from runtime.graph.build import current_builder, outside_graphs

__all__ = [
    "case",
    "cond",
    "executing_eagerly",
    "function",
    "group",
    "init_scope",
    "no_op",
    "numpy_function",
    "print",
    "py_function",
    "switch_case",
    "while_loop",
]

Params = ParamSpec("Params")
Result = TypeVar("Result")


class FunctionOptions(TypedDict, total=False):
    """What `tf.function` takes beside the function and its `input_signature`."""

    autograph: bool
    jit_compile: bool | None
    reduce_retracing: bool
    experimental_implements: str | None
    experimental_autograph_options: Any
    experimental_attributes: Mapping[str, Any] | None
    experimental_relax_shapes: bool | None
    experimental_compile: bool | None
    experimental_follow_type_hints: bool | None
    strict: bool | None


@overload
def function(
    func: Callable[Params, Result],
    input_signature: Sequence[Any] | None = ...,
    **options: Unpack[FunctionOptions],
) -> PolymorphicFunction[Params, Result]: ...


@overload
def function(
    func: None = None, input_signature: Sequence[Any] | None = ..., **options: Unpack[FunctionOptions]
) -> Callable[[Callable[Params, Result]], PolymorphicFunction[Params, Result]]: ...


def function(
    func: Callable[..., Any] | None = None,
    input_signature: Sequence[Any] | None = None,
    autograph: bool = True,
    jit_compile: bool | None = None,
    reduce_retracing: bool = False,
    experimental_implements: str | None = None,
    experimental_autograph_options: Any = None,
    experimental_attributes: Mapping[str, Any] | None = None,
    experimental_relax_shapes: bool | None = None,
    experimental_compile: bool | None = None,
    experimental_follow_type_hints: bool | None = None,
    *,
    strict: bool | None = None,
) -> Any:
    """`tf.function`: a Python function as one graph per signature.

    Parameters
    ----------
    func, input_signature, autograph, jit_compile, reduce_retracing, strict
        As of `autograph.function`; TensorFlow has no `strict`, for it always is.
    experimental_relax_shapes, experimental_compile
        Former names of `reduce_retracing` and `jit_compile`.
    experimental_implements, experimental_autograph_options, experimental_attributes
    experimental_follow_type_hints
        Accepted; they change nothing here.

    Returns
    -------
    PolymorphicFunction, or a decorator that makes one

    Examples
    --------
    >>> from autograph.compat import tf
    >>> @tf.function
    ... def double(x):
    ...     return x + x
    >>> double(tf.constant([1, 2]))
    <tf.Tensor: shape=(2,), dtype=int32, numpy=array([2, 4], dtype=int32)>
    """
    del experimental_implements, experimental_autograph_options, experimental_attributes
    del experimental_follow_type_hints
    make = tracing.function(
        input_signature=expanded(input_signature),
        autograph=autograph,
        jit_compile=experimental_compile if jit_compile is None else jit_compile,
        reduce_retracing=reduce_retracing or bool(experimental_relax_shapes),
        strict=strict,
        effects="trace",
        options=Options(),
        defaults=DEFAULTS,
    )
    return make if func is None else make(func)


# ── functional control flow ──


def cond(pred: Any, true_fn: Callable[[], Any], false_fn: Callable[[], Any], name: Any = None) -> Any:
    """`tf.cond`."""
    del name
    return ops.cond(pred, true_fn, false_fn)


def case(
    pred_fn_pairs: Sequence[tuple[Any, Callable[[], Any]]] | Mapping[Any, Callable[[], Any]],
    default: Callable[[], Any] | None = None,
    exclusive: bool = False,
    strict: bool = False,
    name: Any = None,
) -> Any:
    """`tf.case`; without `default`, the last function runs where no predicate holds."""
    del strict, name
    pairs = list(pred_fn_pairs.items() if isinstance(pred_fn_pairs, Mapping) else pred_fn_pairs)
    if exclusive and len(pairs) > 1:
        held = ops.sum(ops.stack([ops.cast(pred, "int32") for pred, _ in pairs]))
        ops.check(held <= 1, "more than one predicate of an exclusive `tf.case` holds")
    if default is None:
        *pairs, (_, default) = pairs
    return ops.case(pairs, default)


def switch_case(
    branch_index: Any,
    branch_fns: Sequence[Any] | Mapping[int, Callable[[], Any]],
    default: Callable[[], Any] | None = None,
    name: Any = None,
) -> Any:
    """`tf.switch_case`; branches are callables, ``(index, callable)`` pairs, or a dict of them."""
    del name
    return ops.switch(branch_index, _in_order(branch_fns), default)


def _in_order(branches: Sequence[Any] | Mapping[int, Callable[[], Any]]) -> list[Callable[[], Any]]:
    """The branches by index."""
    if not isinstance(branches, Mapping):
        if all(callable(branch) for branch in branches):
            return list(branches)
        branches = dict(branches)
    if sorted(branches) != list(range(len(branches))):
        raise InvalidValue(
            f"the branches of switch_case are numbered {sorted(branches)}",
            why="The branch index counts them: 0, 1, 2, …",
            way_out="Number them so, or give a list of functions.",
        )
    return [branches[index] for index in range(len(branches))]


def while_loop(
    cond: Callable[..., Any],
    body: Callable[..., Any],
    loop_vars: Any,
    shape_invariants: Any = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    maximum_iterations: Any = None,
    name: Any = None,
    return_same_structure: bool = True,
) -> Any:
    """`tf.while_loop`; without `return_same_structure`, a single variable comes back by itself."""
    del parallel_iterations, back_prop, swap_memory, name
    found = ops.while_loop(
        cond,
        body,
        map_leaves(_as_loop_variable, loop_vars),
        shape_invariants=shape_invariants,
        maximum_iterations=maximum_iterations,
    )
    is_one = isinstance(found, (list, tuple)) and len(found) == 1
    return found if return_same_structure or not is_one else found[0]


def _as_loop_variable(value: Any) -> Any:
    """A number of Python's or NumPy's as a tensor; what else a loop carries as it is."""
    is_number = isinstance(value, (bool, int, float, complex, np.ndarray, np.generic))
    return convert_to_tensor(value) if is_number else value


# ── effects and scopes ──


def print(
    *inputs: Any,
    output_stream: TextIO | str = "stderr",
    summarize: int = 3,
    sep: str = " ",
    end: str = "\n",
    name: Any = None,
) -> None:
    """`tf.print`: to the standard error stream unless told otherwise; tensors show as NumPy shows them."""
    del summarize, name
    stream = {id(sys.stderr): "stderr", id(sys.stdout): "stdout"}.get(id(output_stream), output_stream)
    if stream not in {"stderr", "stdout"}:
        raise InvalidValue(
            f"tf.print was asked to print to {output_stream!r}",
            why="A graph keeps the name of the stream, which it looks up in every run.",
            way_out="Give sys.stdout or sys.stderr.",
        )
    shown = [printed(each) if isinstance(each, (StringTensor, StagedString)) else each for each in inputs]
    ops.print(*shown, sep=sep, end=end, stream=str(stream))


@contextmanager
def init_scope() -> Iterator[None]:
    """`tf.init_scope`: what is inside runs at once, outside of any graph."""
    with outside_graphs():
        yield


def no_op(name: Any = None) -> None:
    """`tf.no_op`."""
    del name


def group(*inputs: Any, **kwargs: Any) -> None:
    """`tf.group`: accepted; effects happen in program order without it."""
    del inputs, kwargs


def numpy_function(
    func: Callable[..., Any],
    inp: Sequence[Any],
    Tout: Any,  # noqa: N803  # TensorFlow's name
    stateful: bool = True,
    name: Any = None,
) -> Any:
    """`tf.numpy_function`: a function of NumPy's arrays, called when the graph runs."""
    del stateful, name
    return _called(_like(Tout, func), inp, Tout)


def py_function(
    func: Callable[..., Any],
    inp: Sequence[Any],
    Tout: Any,  # noqa: N803  # TensorFlow's name
    name: Any = None,
) -> Any:
    """`tf.py_function`: a function of tensors, called when the graph runs."""
    del name

    def on_tensors(*arrays: Any) -> Any:
        found = func(*map(EagerTensor, arrays))
        return map_leaves(lambda leaf: leaf.numpy() if isinstance(leaf, Tensor) else leaf, found)

    return _called(_like(Tout, on_tensors), inp, Tout)


def _called(function: Callable[..., Any], given: Sequence[Any], wanted: Any) -> Any:
    """What a function gives, as tensors of the dtypes that are wanted."""
    found = ops.host_call(function, *given, result=map_leaves(_any_shape, wanted))
    leaves, structure = flatten(found)
    dtypes, _ = flatten(wanted)
    return unflatten(structure, [convert_to_tensor(*pair) for pair in zip(leaves, dtypes, strict=True)])


def _any_shape(dtype: Any) -> TensorSpec:
    return TensorSpec(None, dtype)


def _like(wanted: Any, function: Callable[..., Any]) -> Callable[..., Any]:
    """The function, with results in a list or tuple as `Tout` has them."""

    @functools.wraps(function)
    def called(*arrays: Any) -> Any:
        found = function(*arrays)
        return type(wanted)(found) if isinstance(wanted, (list, tuple)) else found

    return called


def executing_eagerly() -> bool:
    """`tf.executing_eagerly`: whether no graph is being built."""
    return current_builder() is None
