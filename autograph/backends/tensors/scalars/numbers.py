"""What a tensor of a graph is as a number, and functions of numbers: `float(x)`, `math.sin(x)`."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from numbers import Number
from typing import Any

import numpy as np

from autograph.backends.tensors.arrays.boxes import in_the_graph, is_write_of_graph, writing_method
from autograph.backends.tensors.containers.beside_arrays import tell_if_empty
from autograph.backends.tensors.containers.lists import StagedTuple
from autograph.backends.tensors.effects.host import HostValue
from autograph.backends.tensors.iteration.items import Lazy, Range
from autograph.backends.tensors.objects.classes import class_of
from autograph.backends.tensors.scalars import averages, complexes, mathematics
from autograph.backends.tensors.scalars.indices import refuse, require_whole
from autograph.backends.tensors.statements.deciding import decided
from autograph.backends.tensors.statements.refused import refused
from autograph.backends.tensors.text.strings import Text, ask
from autograph.staging.outside import known
from autograph.staging.plain import Plain
from autograph.staging.twins import converted_twin
from runtime import ops
from runtime.core import shapes
from runtime.core.dtypes import DType, bool_, int64
from runtime.core.structure import flatten, level_of
from runtime.core.tensor import EAGER, Operators, Tensor
from runtime.core.text import unknown_to_library
from runtime.errors import NoConcreteValue
from runtime.graph.build import (
    as_tensor,
    current_defaults,
    effects_run,
    is_of_run,
    is_recorded,
    is_strict,
    is_symbolic,
)
from runtime.graph.location import is_of_library
from runtime.graph.refusals import was_asked_by_library
from runtime.numpy_functions.methods import set_rows
from runtime.numpy_functions.protocols import loaded_late, stand_in
from runtime.ops.control_flow.tracing import predicate
from runtime.ops.examples import example_of, refuse_as_python
from runtime.ops.host import givens, recorded

__all__ = ["Numbers"]

_LEAVING_MEMORY: frozenset[Any] = frozenset({np.empty, np.empty_like, np.ndarray})
"""What makes arrays and leaves their memory as it was."""


def _with_zeros(make: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
    """A new array of zeros: what was in the memory is nothing that a graph could keep."""
    made = make(*arguments, **options)
    if made.base is None and not made.dtype.hasobject:  # NumPy has set objects to None
        made[...] = np.zeros((), made.dtype)
    return made


class Numbers(Plain):
    """The part of the tensors' backend that is about numbers."""

    modules = frozenset({"cmath", "math", "numpy", "numpy.fft", "numpy.linalg", "statistics"})

    def function(self, callee: Callable[..., Any], /, *arguments: Any, **options: Any) -> Any:
        """A function of `math` or NumPy; the function itself where no argument holds a symbolic tensor."""
        if callee is np.fromiter and self.is_staging():
            return _from_items(self.list_, *arguments, **options)
        if callee is np.isscalar and self.is_staging():
            return is_scalar(*arguments, **options)
        if callee in _GIVING_IT and self.is_staging() and _is_given_back(callee, *arguments, **options):
            return arguments[0]  # what a call before has left outside, which may be written to
        takes_items = callee in averages.STATISTICS or callee in _OF_ITERABLES
        if takes_items and arguments and isinstance(arguments[0], Lazy | Iterator) and self.is_staging():
            arguments = (self.list_(arguments[0]), *arguments[1:])
        if not is_strict() and any(map(_holds_symbolic, [*arguments, *options.values()])):
            if callee in JOINING and arguments and isinstance(arguments[0], StagedTuple):
                return _joined(callee, *arguments, **options)
            if callee is math.prod and _are_own_ints(arguments[0]):
                return mathematics.product(*arguments, **options)
            if callee is _SUMPROD and _are_own_floats(*arguments):
                return ops.python_number(mathematics.sumprod_of_own(*map(_as_array, arguments)))
            put_off = self._put_off(callee, arguments, options)
            if put_off is not None:
                return put_off()
            if callee in averages.STATISTICS:
                return averages.STATISTICS[callee](*arguments, **options)
            _tell_empty(callee, arguments, options.get("dtype"))
            arguments = tuple(map(_as_array, arguments))
            options = {key: _as_array(value) for key, value in options.items()}
            found = mathematics.FUNCTIONS.get(callee) or complexes.COMPLEX.get(callee)
            if found is not None:
                return _of_python(callee, found(*arguments, **options))
            callee = stand_in(callee) or callee
        elif is_write_of_graph(callee, arguments, options):
            callee = stand_in(callee) or callee
        elif self.is_staging():
            put_off = self._put_off(callee, arguments, options)
            if put_off is not None:
                return put_off()
            arguments = tuple(map(_as_numpys, arguments))
            options = {key: _as_numpys(value) for key, value in options.items()}
            callee = self.instead(callee) or callee
            if callee is np.apply_along_axis and not is_strict():
                return _along_axis(*arguments, **options)
        try:
            return callee(*arguments, **options)
        except NoConcreteValue as error:
            if was_asked_by_library(error) and is_of_library(callee):
                raise unknown_to_library(callee) from None
            raise

    def _put_off(
        self, callee: Any, arguments: tuple[Any, ...], options: Mapping[str, Any]
    ) -> Callable[[], Any] | None:
        """The call when the graph runs, of what touches the world: files, or how NumPy tells errors."""
        what = known(callee)
        return None if what is None else self.outside(what, callee, arguments, options)

    def instead(self, callee: Any) -> Callable[..., Any] | None:
        """What sets the memory of an array to zeros, instead of what leaves it as it was."""
        return partial(_with_zeros, callee) if callee in _LEAVING_MEMORY else None

    def method(self, callee: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
        """A method of an array of NumPy's or of a ufunc, where a tensor is an argument or decides."""
        staged = any(map(_holds_symbolic, [*args, *kwargs.values()]))
        found = writing_method(callee, args, is_staged=staged)
        if found is not None or not staged or is_strict():
            return found
        receiver, name = callee.__self__, callee.__name__
        if isinstance(receiver, np.ndarray) and hasattr(Tensor, name):
            of_tensors: Callable[..., Any] = getattr(in_the_graph(receiver), name)
            return of_tensors
        return stand_in(callee) if isinstance(receiver, np.ufunc) else None

    def get_item(self, target: Any, index: Any) -> Any:
        """What `np.r_` and its likes make of an index with tensors."""
        if type(target) in ASKED_BY_INDEX and not is_strict() and _holds_symbolic(index):
            return loaded_late().taken_by_index(target, _as_array(index))
        return super().get_item(target, index)

    def int_(self, /, *arguments: Any, **options: Any) -> Any:
        """The default integer nearest to zero; a Python int where the value is known."""
        if len(arguments) == 1 and not options and is_symbolic(arguments[0]):
            return ops.as_whole_number(_single(arguments[0]))
        if arguments and isinstance(arguments[0], Text):
            return ask("int", *arguments, *options.values())
        return super().int_(*arguments, **options)

    def index_(self, value: Any) -> Any:
        """The integer as one of Python's own."""
        if not is_symbolic(value):
            return super().index_(value)
        require_whole((value,))
        return ops.as_whole_number(as_tensor(value))

    def float_(self, *arguments: Any) -> Any:
        """The default floating dtype; a Python float where the value is known."""
        if len(arguments) == 1 and is_symbolic(arguments[0]):
            return ops.python_number(_single(arguments[0]), current_defaults().floating)
        if arguments and isinstance(arguments[0], Text):
            return ask("float", *arguments)
        return super().float_(*arguments)

    def round_(self, number: Any, ndigits: Any = None) -> Any:
        """The number rounded: a float of Python's to the nearest decimal, which NumPy's way may miss."""
        if is_symbolic(number) and not is_strict() and not current_defaults().static_shapes:
            _require_number(number)
        if _is_rounded_to_tens(number, ndigits):
            return _whole_rounded(number, 10**-ndigits)
        own = _class_rounded(number, ndigits)
        return super().round_(number, ndigits) if own is None else _round(own, number, ndigits)

    def chr_(self, number: Any) -> Any:
        """A text of the run, of one character."""
        if not is_symbolic(number):
            return super().chr_(number)
        require_whole((number,))
        return ask("chr", number)

    def pow_(self, base: Any, exp: Any, mod: Any = None) -> Any:
        """A power; with a modulus Python asks the base alone, which may be a number of its own."""
        if mod is not None and type(base) in {bool, int} and (is_symbolic(exp) or is_symbolic(mod)):
            base = ops.python_number(as_tensor(int(base)))
        return super().pow_(base, exp, mod)

    def ord_(self, text: Any) -> Any:
        """The number of a character that only the run knows."""
        return ask("ord", text) if isinstance(text, Text) else super().ord_(text)

    def bool_(self, *arguments: Any) -> Any:
        """Whether a number is not zero; a Python bool where the value is known."""
        if len(arguments) == 1:
            truth = decided(arguments[0])
            if is_symbolic(truth):
                return ops.python_number(_truth_of(truth), bool_)
        return super().bool_(*arguments)

    def complex_(self, /, *arguments: Any, **options: Any) -> Any:
        """The default complex dtype; a Python complex where the value is known."""
        parts = [*arguments, *options.values()]
        if not any(map(is_symbolic, parts)):
            return super().complex_(*arguments, **options)
        real, imaginary = _parts(*arguments, **options)
        if len(parts) == 1 and imaginary is None:  # a sum would lose the signs of its zeros
            return ops.python_number(_single(as_tensor(real)), current_defaults().complexes)
        number = _of_parts(as_tensor(0.0 if real is None else real), as_tensor(imaginary))
        return ops.python_number(_single(number), current_defaults().complexes)

    def hash_(self, value: Any) -> Any:
        """`hash(value)`, of numbers, texts and objects of the run, and tuples of these: the run asks Python.

        With ``effects="trace"``, and so under TensorFlow's names, a tensor has none.
        """
        is_told_by_parts = level_of(value) is not None and type(value) not in {tuple, Text, HostValue}
        if not effects_run() or not is_of_run(value) or is_told_by_parts:
            return hash(as_tensor(value)) if is_symbolic(value) else super().hash_(value)
        for each in flatten(value)[0]:
            if is_symbolic(each) and class_of(each) is np.ndarray:
                refuse(TypeError("unhashable type: 'numpy.ndarray'"))
        return recorded(hash, (value,), {}, givens(int))


_OF_ITERABLES = frozenset({math.fsum, math.prod})
"""Functions of `math` that are given items, of an iterator, too."""


def _require_number(value: Any) -> None:
    """Sees to it that nobody rounds an array, for which `np.round` is there."""
    if class_of(value) is np.ndarray:
        raise TypeError("type numpy.ndarray doesn't define __round__ method")
    refuse_as_python(round, value)


_MOST_ZEROS = 18
"""Zeros with which a power of ten is an integer of the graph."""


def _is_rounded_to_tens(number: Any, ndigits: Any) -> bool:
    """Whether an int of Python's is rounded to tens, or hundreds, and so on."""
    is_known = type(ndigits) is int and -_MOST_ZEROS <= ndigits < 0
    return is_known and is_symbolic(number) and not is_strict() and class_of(number) is int


def _whole_rounded(number: Any, power: int) -> Any:
    """An integer of Python's rounded to a multiple of a power of ten: NumPy goes by way of floats."""
    below, twice = number // power, 2 * (number % power)
    is_above = ops.logical_or(twice > power, ops.logical_and(twice == power, below % 2 == 1))
    return (below + ops.python_number(ops.cast(is_above, int64))) * power


def _class_rounded(number: Any, ndigits: Any) -> type | None:
    """The class of a number that Python has to round when the graph runs; None where that is an op."""
    if ndigits is None or is_strict() or current_defaults().static_shapes:
        return None
    kind = class_of(number)
    is_large = kind is int and type(ndigits) is int and ndigits < -_MOST_ZEROS
    by_python = is_symbolic(ndigits) or (is_symbolic(number) and (kind is float or is_large))
    return kind if by_python and issubclass(kind, (int, float, np.integer, np.floating)) else None


def _round(kind: type, number: Any, ndigits: Any) -> Any:
    if kind is float and type(ndigits) is int and 0 <= ndigits <= ops.MOST_DECIMALS and is_symbolic(number):
        return ops.python_number(ops.python_round(as_tensor(number), ndigits), current_defaults().floating)
    require_whole((ndigits,))
    result = kind if kind in {bool, int, float} else as_tensor(number).dtype
    return ops.host_call(round, number, ndigits, result=int if result is bool else result)


JOINING = frozenset({np.column_stack, np.concatenate, np.dstack, np.hstack, np.stack, np.vstack})
"""Functions of NumPy that join some arrays."""


def _are_own_ints(items: Any) -> bool:
    """Whether a list of the graph holds ints of Python's own, and nothing else."""
    kinds, are_own = averages.kinds_of(items) if isinstance(items, StagedTuple) else (set(), False)
    return are_own and bool(kinds) and all(kind.is_integer for kind in kinds)


def _are_own_floats(*lists: Any) -> bool:
    """Whether lists hold real numbers of Python's own, and one of them floats alone."""
    kinds, are_own = zip(*map(averages.kinds_of, lists), strict=True)
    are_real = all(each and not any(kind.is_complex for kind in each) for each in kinds)
    return all(are_own) and are_real and any(all(kind.is_floating for kind in each) for each in kinds)


def _joined(callee: Callable[..., Any], arrays: StagedTuple, *arguments: Any, **options: Any) -> Any:
    """The arrays in a list of the graph, joined; one behind the other they may differ in length."""
    try:
        callee(())
    except ValueError as error:
        refused(arrays.length == 0, error)
    rank = arrays.contents.rank
    along_first = {
        np.concatenate: (arguments[:1] or (options.get("axis", 0),)) == (0,),
        np.hstack: rank == 1,
        np.vstack: rank is not None and rank > 1,
    }
    if along_first.get(callee) and rank and not options.keys() - {"axis"}:
        return arrays.contents.laid_end_to_end()
    return loaded_late().call_function(callee, (as_tensor(arrays), *arguments), options)


def _as_array(value: Any) -> Any:
    """A list of the graph as the array that NumPy makes of it; also inside of lists."""
    if isinstance(value, (StagedTuple, Range)):
        return as_tensor(value)
    if type(value) in {list, tuple}:
        return type(value)(map(_as_array, value))
    return value


def _as_numpys(value: Any) -> Any:
    """A dtype of a tensor as one of NumPy's, for functions that ask of what class it is."""
    return value.numpy if type(value) is DType else value


def _from_items(gathered: Callable[[Any], Any], iter: Any, dtype: Any, count: int = -1, **_: Any) -> Any:
    """`np.fromiter`."""
    found = gathered(iter)
    return ops.cast(as_tensor(found if count < 0 else found[:count]), dtype)


def _along_axis(func1d: Callable[..., Any], axis: int, arr: Any, *args: Any, **kwargs: Any) -> Any:
    """`np.apply_along_axis` of an array of NumPy's, to whose parts a function may give tensors."""
    found = []

    def called(part: Any) -> Any:
        found.append(func1d(part, *args, **kwargs))
        return example_of(as_tensor(found[-1])) if _holds_symbolic(found[-1]) else found[-1]

    result = np.apply_along_axis(called, axis, arr)
    if not any(map(_holds_symbolic, found)):
        return result
    results = iter(found)

    def again(_: Any) -> Any:  # the parts come in the same order
        return next(results)

    return loaded_late().call_function(np.apply_along_axis, (again, axis, as_tensor(arr)), {})


def is_scalar(element: Any) -> bool:
    """`np.isscalar`, which NumPy lets nobody take over."""
    kind = class_of(element)
    return np.isscalar(element) if kind is type(element) else issubclass(kind, (np.generic, Number, str))


ASKED_BY_INDEX = frozenset(map(type, (np.r_, np.c_, np.mgrid, np.ogrid)))
"""Classes of objects of NumPy's whose index says what they make."""


def _single(x: Any) -> Any:
    """A tensor that becomes a number of Python, which only one without axes can."""
    tensor = as_tensor(x)
    if is_strict() or current_defaults().static_shapes or not tensor.ndim:
        return tensor
    raise TypeError("only 0-dimensional arrays can be converted to Python scalars")


def _of_python(callee: Callable[..., Any], result: Any) -> Any:
    """What a function of `math` gives: Python's numbers, unless it multiplies what it is given."""
    if callee in ON_ANY_NUMBERS:
        return result
    if isinstance(result, tuple):
        return tuple([_of_python(callee, each) for each in result])
    return ops.python_number(result) if is_symbolic(result) else result


_SUMPROD = getattr(math, "sumprod", None)
"""It is there from Python 3.12 on."""

ON_ANY_NUMBERS = frozenset({math.prod, _SUMPROD})
"""Functions of `math` whose results are of the classes of what they are given."""


def _parts(real: Any = None, imag: Any = None) -> tuple[Any, Any]:
    return real, imag


def _of_parts(one: Tensor, other: Tensor) -> Tensor:
    """``one + 1j * other`` as Python has it, of which either may be complex."""
    real, imaginary = ops.real(one), ops.real(other)
    if other.dtype.is_complex:
        real = real - ops.imag(other)
    if one.dtype.is_complex:
        imaginary = ops.imag(one) + imaginary
    return ops.complex_of_parts(real, imaginary, current_defaults().complexes)


_GIVING_IT = frozenset({np.array, np.asarray, np.asanyarray})
"""Functions that give the array that they are given, if they need not make another one."""


def _is_given_back(callee: Any, array: Any = None, dtype: Any = None, **options: Any) -> bool:
    """Whether one of these gives an array that is there outside as it is."""
    may_be_it = options.pop("copy", callee is np.array) in {False, None}
    if type(array) not in EAGER or not array.ndim or options or not may_be_it:
        return False
    return dtype is None or np.dtype(dtype) == array.dtype.numpy


def _holds_symbolic(value: Any) -> bool:
    """Whether a tensor of a graph is an argument, or in a list that is one."""
    if isinstance(value, (list, tuple)):
        return any(map(_holds_symbolic, value))
    if type(value) is slice:
        return _holds_symbolic((value.start, value.stop, value.step))
    if isinstance(value, (StagedTuple, Range)):
        return True
    return isinstance(value, Operators) and is_recorded(as_tensor(value))


def _truth_of(array: Tensor) -> Tensor:
    """The truth of a number, or of the only element of an array."""
    if array.static_shape is None or shapes.size(array.static_shape) is None:
        raise NoConcreteValue(
            "`bool` is asked of an array of which only a run knows how many elements it has",
            why="Python takes the truth of one element, and raises where there are more.",
            way_out="Say which you mean: `x.any()` or `x.all()`.",
        )
    return predicate(array, "bool()")


_ALIKE = frozenset({np.mean, np.std, np.var, np.median, np.any, np.all, np.max, np.min, np.argmax, np.argmin})
"""What gives the same of no floats and of no numbers of another dtype, or refuses both."""
_OF_COUNTS = frozenset({np.size, np.count_nonzero})
"""What gives the same of no rows, too."""


def _tell_empty(callee: Any, arguments: Iterable[Any], dtype: Any) -> None:
    """Has a run warn of a function of NumPy that is given a list which has stayed empty."""
    home = str(getattr(callee, "__module__", "")).partition(".")[0]
    is_numpys = isinstance(callee, np.ufunc) or home == "numpy"
    if not is_numpys or callee in _OF_COUNTS:
        return
    for each in arguments:
        if isinstance(each, StagedTuple):
            tell_if_empty(each, has_dtype=dtype is not None or callee in _ALIKE)
        elif type(each) in {list, tuple}:
            _tell_empty(callee, each, dtype)


def _rows(array: Tensor) -> Any:
    """`array.tolist()` where only the run knows how many rows there are, or they are many."""
    return converted_twin("listed", "elements")(array)


set_rows(_rows)
