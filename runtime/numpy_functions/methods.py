"""The methods and attributes of NumPy's arrays, on tensors: the file that writes those onto `Operators`.

A method is NumPy's function of its name, by the adapter of that function, with the same arguments. What looks
at the memory of an array is there where a tensor has its value, and refused elsewhere.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NoReturn

import numpy as np

from runtime import ops
from runtime.core import shapes
from runtime.core.spec import ArraySpec
from runtime.core.tensor import Operators, Tensor
from runtime.errors import ImmutableTensor, NoConcreteValue, ShapeError
from runtime.graph.build import as_tensor, current_builder, is_symbolic, is_weak, note_kind_told
from runtime.graph.symbol import Symbol
from runtime.numpy_functions.of_numbers import attribute_of_number
from runtime.numpy_functions.operands import strong
from runtime.numpy_functions.protocols import loaded_late
from runtime.ops.arguments import order_of
from runtime.ops.examples import refuse_as_python
from runtime.ops.refused_calls import as_numpys, method_of_arrays

__all__ = ["OF_MEMORY", "REFUSED_CHANGES", "set_rows"]

FOLDING: Mapping[str, Callable[..., Tensor]] = {
    "all": ops.all,
    "any": ops.any,
    "argmax": ops.argmax,
    "argmin": ops.argmin,
    "max": ops.max,
    "mean": ops.mean,
    "min": ops.min,
    "prod": ops.prod,
    "std": ops.std,
    "sum": ops.sum,
    "var": ops.var,
}
"""Methods that fold axes, and what they are where nothing but the standard's keywords are given."""

BY_FUNCTIONS = (
    *("argpartition", "argsort", "choose", "cumprod", "cumsum", "diagonal", "dot", "nonzero"),
    *("ravel", "repeat", "round", "searchsorted", "squeeze", "swapaxes", "take", "trace"),
)
"""Methods that are the functions of their names, with the array as the first argument."""

OF_MEMORY = (
    *("base", "byteswap", "ctypes", "data", "dump", "dumps", "getfield", "strides", "tobytes", "tofile"),
)
"""What looks at the memory of an array: that of the array behind a tensor that has its value."""

CHANGING = frozenset({"fill", "put", "sort"})
"""Methods that change an array of a graph that is being built."""

REFUSED_CHANGES: Mapping[str, str] = {
    "fill": "`x = np.full_like(x, value)`",
    "partition": "`x = np.partition(x, kth)`",
    "put": "`x = x.at[indices].set(values)`",
    "resize": "`x = np.resize(x, shape)`",
    "setfield": "`x = x.at[key].set(value)`",
    "setflags": "it outside of the function: a graph decides nothing about who may write",
    "sort": "`x = np.sort(x)`",
}
"""Methods that change an array, and what to write where a tensor is none."""


def _call(function: Callable[..., Any], args: tuple[Any, ...], options: Mapping[str, Any]) -> Any:
    """A function of NumPy on a tensor, by its adapter."""
    return loaded_late().call_function(function, args, options)


def _folding(name: str, function: Callable[..., Tensor]) -> Any:
    """A reduction: by its op, or by NumPy's function where more is given than the op takes."""
    of_numpy = getattr(np, name)
    taken = frozenset(inspect.signature(function).parameters)

    def method(self: Tensor, axis: Any = None, *rest: Any, **options: Any) -> Any:
        if rest or not taken.issuperset(options):
            return _call(of_numpy, (self, axis, *rest), options)
        return function(self, axis=axis, **options)

    method.__doc__ = function.__doc__
    return method


def _by_function(function: Callable[..., Any]) -> Any:
    def method(self: Tensor, *args: Any, **options: Any) -> Any:
        return _call(function, (self, *args), options)

    method.__doc__ = f"`np.{function.__name__}` of the tensor."
    return method


def _clip(self: Tensor, min: Any = None, max: Any = None, out: Any = None, **options: Any) -> Any:
    """The elements, and the bounds in the place of those beyond."""
    if out is None and not options:
        return ops.clip(self, min, max)
    return _call(np.clip, (self, min, max), {"out": out, **options})


def _compress(self: Tensor, condition: Any, axis: int | None = None, out: Any = None) -> Any:
    """The slices along an axis where a condition holds."""
    return _call(np.compress, (condition, self, axis, out), {})


def _is_number_of_graph(self: Tensor) -> bool:
    return isinstance(self, Symbol) and self.static_shape == () and not ops.is_array(self)


def _copy(self: Tensor, order: str = "C") -> Any:
    """An array of its own with the same elements, row by row; a number is itself."""
    if _is_number_of_graph(self):
        return self
    result = _call(np.copy, (self,), {} if order == "C" else {"order": order})
    builder = current_builder()
    if builder is not None and order == "C" and isinstance(result, Symbol):
        builder.arrays.make_in_rows(result.value)
    return result


def _flatten(self: Tensor, order: str = "C") -> Any:
    """The elements along one axis, row by row, or with ``order="F"`` column by column."""
    in_rows = order_of(order) == "C"
    return _call(np.copy, (ops.flatten(self),), {}) if in_rows else _call(np.ravel, (self, order), {})


def _reshape(self: Tensor, *shape: Any, order: str = "C", copy: bool | None = None) -> Any:
    """The elements in another shape, given as one tuple or as its dims."""
    given = shape[0] if len(shape) == 1 else shape
    if order == "C" and copy is not False:
        return ops.reshape(self, given) if not copy else _call(np.copy, (ops.reshape(self, given),), {})
    return _call(np.reshape, (self, given), {"order": order, "copy": copy})


def _item(self: Tensor, *index: Any) -> Any:
    """An element as a number of Python: the only one, or that at an index."""
    if not is_symbolic(self):
        return np.asarray(as_tensor(self)).item(*index)
    if not index:
        if shapes.size(self.static_shape) not in {1, None}:
            raise ShapeError(
                "can only convert an array of size 1 to a Python scalar",
                why=f"`item` gives the only element, and there are {shapes.size(self.static_shape)}.",
                way_out="Say which one: `x.item(i)`, or `x[i]`; `x.tolist()` gives all of them.",
            )
        return ops.python_number(ops.reshape(self, ()))
    key = index[0] if len(index) == 1 else index
    return ops.python_number(ops.get_item(self if isinstance(key, tuple) else ops.flatten(self), key))


_rows: Callable[[Tensor], Any] | None = None


def set_rows(rows: Callable[[Tensor], Any]) -> None:
    """Says what the nested lists of a tensor are whose lengths only the run knows, or that are long."""
    global _rows  # noqa: PLW0603  # set once, by who has such lists
    _rows = rows


_MOST_PARTS = 16
"""Elements of an axis that are told apart: those of a longer one are one value of the graph."""


def _to_list(self: Symbol) -> Any:
    """The elements in nested lists, as numbers of Python."""
    shape = self.static_shape
    if shape is None or (_rows is None and shapes.size(shape) is None):
        raise NoConcreteValue(
            "`tolist` of a tensor whose number of axes is not known",
            origin=self.value.origin(),
            why="It says how many lists are in each other, and is only known when the graph runs.",
            way_out="Loop over the tensor itself, or call `tolist` on what the function returns.",
        )
    return _listed(self, shape)


def _listed(numbers: Tensor, shape: Sequence[Any]) -> Any:
    if not shape:
        return ops.stands_for_python(ops.python_number(numbers))
    is_known = all(isinstance(length, int) for length in shape)
    if _rows is not None and not (is_known and shape[0] <= _MOST_PARTS):
        return _rows(numbers)
    return [_listed(row, shape[1:]) for row in ops.unstack(numbers)]


def _view(self: Tensor, dtype: Any = None, type: Any = None) -> Any:
    """The same elements, or their bytes in another dtype where the tensor has its value."""
    if dtype is None and type is None:
        return as_tensor(self)[...] if not _is_number_of_graph(self) else self
    if not is_symbolic(self) and type is None:
        return Tensor(np.asarray(as_tensor(self)).view(getattr(dtype, "numpy", dtype)))
    raise NoConcreteValue(
        "`view` of a tensor of a graph, in another dtype or class",
        why="It looks at the bytes of the elements, which only exist when the graph runs.",
        way_out="Convert the values with `astype`, or call `view` on what the function returns.",
    )


def _is_integer(self: Tensor) -> Callable[[], Any]:
    """`x.is_integer` of a number: whether it has no fraction. NumPy's arrays do not have it."""
    if self.static_shape != () or self.dtype.is_complex:
        raise AttributeError(f"{_kind(self)!r} object has no attribute 'is_integer'")

    def is_integer() -> Tensor:
        if self.dtype.is_floating:
            found = ops.logical_and(ops.isfinite(self), ops.equal(ops.floor(self), self))
        else:
            found = ops.ones_like(self, dtype=bool)
        return ops.stands_for_python(found) if is_symbolic(found) else found

    return is_integer


def _real(self: Tensor) -> Any:
    """The real part: an int, of a bool of Python's."""
    if self.dtype.is_complex:
        return _of_its_kind(self, ops.real(self))
    return ops.as_whole_number(self) if _is_pythons_bool(self) else as_tensor(self)


def _imag(self: Tensor) -> Any:
    """The imaginary part: zeros of numbers that are not complex."""
    note_kind_told(self)
    if self.dtype.is_complex:
        return _of_its_kind(self, ops.imag(self))
    zeros = ops.zeros_like(self)
    if is_weak(self):
        return ops.as_whole_number(zeros) if _is_pythons_bool(self) else ops.stands_for_python(zeros)
    return ops.as_array_of_its_own(zeros) if ops.is_array(self) else zeros


def _conjugate(self: Tensor) -> Any:
    """The complex conjugate."""
    return _of_its_kind(self, ops.conj(self)) if self.dtype.is_complex else _real(self)


def _is_pythons_bool(self: Tensor) -> bool:
    return self.dtype.is_bool and is_weak(self)


def _of_its_kind(whole: Tensor, part: Tensor) -> Tensor:
    """A part of a complex number: of one of Python's it is Python's."""
    return ops.stands_for_python(part) if is_weak(whole) else part


def _flat(self: Tensor) -> Any:
    """The elements along one axis."""
    return ops.flat(self)


def _set_flat(self: Tensor, value: Any) -> None:
    """``x.flat = value`` of an array of a graph: row by row, however the array lies in memory."""
    whole = strong(value)
    if whole.static_shape == ():
        ops.write_item(ops.target(self), Ellipsis, whole)
        return
    line = ops.reshape(whole, (-1,))
    if line.static_shape != ops.reshape(self, (-1,)).static_shape:
        raise ShapeError(
            f"`.flat` of an array of {self.spec} was set to elements of {whole.spec}",
            why="NumPy repeats them, or leaves some out.",
            way_out="Give as many elements as there are, or one.",
        )
    ops.write_item(ops.target(self), Ellipsis, ops.reshape(line, ops.shape(self)))


def _item_size(self: Tensor) -> int:
    """How many bytes an element takes."""
    return self.dtype.numpy.itemsize


def _bytes(self: Tensor) -> Any:
    """How many bytes the elements take."""
    count = ops.count_elements(self) if is_symbolic(self) else as_tensor(self).numpy().size
    return count * _item_size(self)


def _of_memory(name: str) -> property:
    """What the array behind a tensor says."""

    def of_array(self: Tensor) -> Any:
        if is_symbolic(self):
            _refuse_memory(name)
        return getattr(as_tensor(self).numpy(), name)

    of_array.__doc__ = f"`{name}` of the array that is the value."
    return property(of_array)


def _refuse_memory(name: str) -> NoReturn:
    raise NoConcreteValue(
        f"`{name}` of a tensor of a graph",
        why="It looks at the memory of an array, and the tensor has none before the run.",
        way_out=f"Ask for `{name}` of what the function returns." + _AS_KEY * (name == "tobytes"),
    )


_AS_KEY = " As the key of a dict or a set its text will do, `str(x.tolist())`."


class _Flags:
    """`flags` of an array of a graph: it can be written to; how it lies in memory only the run knows."""

    __slots__ = ()

    @property
    def writeable(self) -> bool:
        return True

    @writeable.setter
    def writeable(self, value: bool) -> None:
        if not value:
            raise ImmutableTensor(
                "`flags.writeable` of an array of a graph was set",
                way_out=f"Set {REFUSED_CHANGES['setflags']}.",
            )

    def __getitem__(self, name: str) -> bool:
        if name in {"W", "WRITEABLE"}:
            return True
        _refuse_memory(f"flags[{name!r}]")

    def __setitem__(self, name: str, value: bool) -> None:
        if name in {"W", "WRITEABLE"}:
            self.writeable = value
            return
        _refuse_memory(f"flags[{name!r}]")

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        _refuse_memory(f"flags.{name}")


def _flags(self: Tensor) -> Any:
    """`flags` of the array that is the value."""
    return _Flags() if is_symbolic(self) else as_tensor(self).numpy().flags


def _refusal(name: str, instead: str) -> Any:
    def method(self: Tensor, *args: Any, **options: Any) -> None:
        if type(self) is Symbol and ops.can_write() and name in CHANGING:
            loaded_late().METHODS[name](self, *args, **options)
            return
        raise ImmutableTensor(f"`{name}` would change a tensor", way_out=f"Write {instead}.")

    method.__doc__ = (
        "Changes an array of a graph that is being built; refused elsewhere, as tensors never change."
    )
    return method


def _other_attribute(self: Symbol, name: str) -> Any:
    """An attribute of numbers alone, or what NumPy says of one that arrays and numbers do not have."""
    if isinstance(self.spec, ArraySpec) and not name.startswith("__"):
        found = attribute_of_number(self, name)
        if found is not None:
            return found
        refuse_as_python(getattr, self, name)
    raise AttributeError(f"{_kind(self)!r} object has no attribute {name!r}", name=name, obj=self)


def _set_attribute(self: Symbol, name: str, value: Any) -> None:
    """Sets what can be set of an array of a graph; else NumPy's error, or ours, is raised."""
    known = getattr(type(self), name, None) if name != "value" else None
    if isinstance(known, property) and known.fset is not None:
        known.fset(self, value)
        return
    refuse_as_python(setattr, self, name, value)
    if known is None:
        raise AttributeError(f"{_kind(self)!r} object has no attribute {name!r}", name=name, obj=self)
    raise ImmutableTensor(f"`{name}` of a tensor of a graph was set", way_out="Make another tensor of it.")


def _delete_attribute(self: Symbol, name: str) -> None:
    """Raises what NumPy says of an attribute that is deleted: none can be."""
    refuse_as_python(delattr, self, name)
    raise AttributeError(f"{_kind(self)!r} object has no attribute {name!r}", name=name, obj=self)


def _kind(tensor: Tensor) -> str:
    """The class of NumPy's that a tensor stands for an instance of."""
    is_number = isinstance(tensor.spec, ArraySpec) and tensor.static_shape == ()
    return f"numpy.{tensor.dtype}" if is_number else "numpy.ndarray"


def _write(name: str, method: Any) -> None:
    """Makes `method` the method `name` of everything with operators."""
    called = as_numpys(method_of_arrays(name))(method)
    called.__name__, called.__qualname__ = name, f"{Operators.__name__}.{name}"
    setattr(Operators, name, called)


for _name, _function in FOLDING.items():
    _write(_name, _folding(_name, _function))
for _name in BY_FUNCTIONS:
    _write(_name, _by_function(getattr(np, _name)))
for _name, _method in {
    "clip": _clip,
    "compress": _compress,
    "conj": ops.conj,
    "conjugate": _conjugate,
    "copy": _copy,
    "flatten": _flatten,
    "item": _item,
    "reshape": _reshape,
    "view": _view,
}.items():
    _write(_name, _method)
for _name, _property in {
    "flat": _flat,
    "imag": _imag,
    "is_integer": _is_integer,
    "itemsize": _item_size,
    "nbytes": _bytes,
    "real": _real,
    "flags": _flags,
}.items():
    setattr(Operators, _name, property(_property))
setattr(Symbol, "flat", property(_flat, _set_flat))  # noqa: B010  # an array of a graph may be written to
for _name in OF_MEMORY:
    setattr(Operators, _name, _of_memory(_name))
for _name, _instead in REFUSED_CHANGES.items():
    if not hasattr(Operators, _name):
        _write(_name, _refusal(_name, _instead))
Symbol.tolist = _to_list  # type: ignore[method-assign, assignment]  # it asks ops, of an upper floor
Symbol.__getattr__ = _other_attribute  # type: ignore[attr-defined]  # where there is no attribute of all
Symbol.__setattr__ = _set_attribute  # type: ignore[assignment]  # it asks what NumPy says
Symbol.__delattr__ = _delete_attribute  # type: ignore[method-assign, assignment]  # and so does this
