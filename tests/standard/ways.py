"""The ways in which a function of the standard runs: at once, and as a graph of known or unknown dims."""

import array_api_strict as oracle
import numpy as np
from array_api_strict._array_object import Array

import runtime as rt
from runtime.core.structure import flatten, map_leaves, unflatten
from runtime.functions.polymorphic import PolymorphicFunction
from tests.standard.functions import find


class DType(str):
    """A dtype among the arguments of a call, by the name that every namespace has for it."""

    __slots__ = ()


EXECUTORS = ("numpy", "reference")
GRAPHS = ("known", "unknown")


def _given(namespace, call):
    """The arguments of a call as a namespace takes them: its own arrays and dtypes."""

    def own(leaf):
        if isinstance(leaf, np.ndarray):
            return namespace.asarray(leaf)
        return getattr(namespace, leaf) if isinstance(leaf, DType) else leaf

    return map_leaves(own, call)


def expected(name, call):
    """What the oracle gives."""
    args, kwargs = _given(oracle, call)
    return find(oracle, name)(*args, **kwargs)


def at_once(name, call):
    """What eager code gives."""
    args, kwargs = _given(rt, call)
    return find(rt, name)(*args, **kwargs)


def graph_of(name, call, executor="numpy", *, known):
    """The call as a function whose graph has its arrays as inputs, of known dims or unknown ones."""
    leaves, structure = flatten(call)

    def program(*tensors):
        inputs = iter(tensors)
        filled = [next(inputs) if isinstance(leaf, np.ndarray) else leaf for leaf in leaves]
        args, kwargs = _given(rt, unflatten(structure, filled))
        return find(rt, name)(*args, **kwargs)

    specs = [
        rt.TensorSpec(array.shape if known else (None,) * array.ndim, rt.as_dtype(array.dtype))
        for array in arrays_of(call)
    ]
    return PolymorphicFunction(program, input_signature=specs, executor=executor)


def arrays_of(call):
    """The arrays among the arguments."""
    return [leaf for leaf in flatten(call)[0] if isinstance(leaf, np.ndarray)]


def staged(name, call, executor, *, known):
    """What a graph gives whose inputs are the arrays of the call."""
    return graph_of(name, call, executor, known=known)(*map(rt.asarray, arrays_of(call)))


def every_way(name, call, graphs=GRAPHS):
    """What eager code and the graphs give, each with what it is called in messages."""
    yield "at once", at_once(name, call)
    for graph in graphs:
        traced = graph_of(name, call, known=graph == "known")
        traced.get_concrete_function()
        for executor in EXECUTORS:
            found = traced.on_executor(executor)(*map(rt.asarray, arrays_of(call)))
            yield f"{graph} dims, {executor}", found


def require_same(found, wanted, tolerance=0.0):
    """Equal dtypes, shapes and values; zeros of one sign, and NaN where NaN is wanted.

    With an infinite tolerance, the values may be any.
    """
    if isinstance(wanted, (tuple, list)):
        assert len(found) == len(wanted)
        assert getattr(found, "_fields", None) == getattr(wanted, "_fields", None)
        for one, other in zip(found, wanted, strict=True):
            require_same(one, other, tolerance)
        return
    if not isinstance(wanted, (Array, rt.Tensor)):  # a dtype, a number
        given = found.tolist() if isinstance(found, rt.Tensor) else found  # a graph's numbers
        assert str(given) == str(wanted).removeprefix("array_api_strict.")
        return
    assert str(found.dtype) == str(wanted.dtype).rpartition(".")[2]
    one, other = np.asarray(found), wanted._array
    assert one.shape == other.shape
    if tolerance == np.inf:
        return
    if tolerance:
        np.testing.assert_allclose(one, other, rtol=tolerance, atol=tolerance)
        return
    np.testing.assert_array_equal(one, other)
    if one.dtype.kind in "fc":
        for part in (np.real, np.imag):
            zeros = part(other) == 0
            np.testing.assert_array_equal(np.signbit(part(one))[zeros], np.signbit(part(other))[zeros])
