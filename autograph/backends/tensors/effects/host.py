"""Calls with effects outside (clocks, random numbers, files): recorded, so that each run makes them.

What such a call gives must be known before it happens. A clock may be asked at once, to see; a generator of
random numbers is copied, and the copy draws. Where values of the graph are among the arguments, numbers take
their place; two draws for different lengths show which lengths of the result only the run knows.
"""

from __future__ import annotations

import copy
import dis
import io
import itertools
import operator
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any, NoReturn

import numpy as np

from autograph.backends.tensors.containers.lists import StagedList, StagedTuple
from autograph.backends.tensors.iteration.items import length_of
from autograph.backends.tensors.text.strings import Text
from autograph.staging import callers
from autograph.staging.functions import closed_over
from autograph.staging.operators import Operators
from autograph.staging.outside import Known, is_pure, known_method
from autograph.staging.reach import PLAIN_KINDS, codes_within
from autograph.staging.scope import FunctionScope
from autograph.staging.spoken import called
from autograph.staging.twins import converted_twin
from autograph_base.waiting import where_loaded
from runtime.core.containers import register
from runtime.core.dims import Dim, SymbolicDim, names_in, substitute
from runtime.core.dtypes import as_dtype
from runtime.core.spec import ArraySpec, GeneratorSpec, ObjectSpec, TextSpec, as_shape
from runtime.core.structure import flatten, unflatten
from runtime.core.tensor import Tensor
from runtime.core.text import Apply, Slot, mark_text
from runtime.errors import CalledOnceWarning, GraphError, NoConcreteValue
from runtime.functions.trace import trace
from runtime.functions.trace_warnings import give_once
from runtime.graph.build import spec_of
from runtime.graph.location import caller_location
from runtime.graph.symbol import Symbol
from runtime.ops.examples import set_ask_of_objects
from runtime.ops.host import (
    Given,
    Held,
    called_method,
    filled,
    givens,
    host_call,
    order_of_shuffle,
    place_of_choice,
    recorded,
    template,
)
from runtime.ops.raising import Nest

__all__ = ["HostMethod", "HostValue", "put_off", "require_computing", "warn_of_unknown"]

_SIMPLE: Mapping[str, Any] = {"None": None, "bool": bool, "int": int, "float": float, "str": str}
"""What a call gives by the word of the table."""


def put_off(what: Known, callee: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """What a call gives that happens when the graph runs.

    Parameters
    ----------
    what : Known
    callee : callable
    args, kwargs
        Its arguments.
    """
    if callee is host_call:
        return _called_by_name(*args, **kwargs)
    name = getattr(callee, "__qualname__", type(callee).__name__)
    if what.gives == "refused":
        _refuse(what, name)
    _require_no_out(kwargs, name)
    if what.gives == "in place":
        return _shuffled(what, partial(order_of_shuffle, callee), (), args, kwargs, name)
    owner = getattr(callee, "__self__", None)
    if isinstance(owner, where_loaded("random", "Random")) and _draws_items(callee.__name__, args):
        return _chosen_items(callee.__name__, partial(place_of_choice, callee), (), args, kwargs)
    if what.names_caller:
        kwargs = _with_exception(callee, kwargs)
        callee = callers.calls_from(callee, trace.__code__)
    if what.gives == "file":
        return _opened(what, callee, args, kwargs, name)
    if what.gives in _SIMPLE:
        result, samples = _simple(what)
    else:
        args = tuple([each.__tensor__() if isinstance(each, StagedTuple) else each for each in args])
        is_drawn = owner is not None and what.gives == "drawn"
        probe = getattr(copy.deepcopy(owner), callee.__name__) if is_drawn else callee
        result, samples = _learned(what, probe, args, kwargs, name)
    return _wrapped(recorded(callee, args, kwargs, result, name), result, samples)


def _require_no_out(kwargs: Mapping[str, Any], name: str) -> None:
    """Sees to it that no call of the run is to write into an array that is there while tracing."""
    if isinstance(kwargs.get("out"), np.ndarray | Symbol):
        raise GraphError(
            f"`{name}` is to write into an array",
            where=caller_location(),
            why="It is called when the graph runs, and the array is there while the graph is traced.",
            way_out="Write what it gives into the array: `out[...] = rng.random(out.shape)`.",
        )


def _simple(what: Known) -> tuple[Nest, list[Any]]:
    return givens(_SIMPLE[what.gives]), []


def _called_by_name(function: Callable[..., Any], /, *args: Any, result: Any = None, **kwargs: Any) -> Any:
    """`host_call` in converted code: text that it gives is one of the graph's."""
    given = host_call(function, *args, result=result, **kwargs)
    wanted = givens(result)
    return _wrapped(given, wanted, [])


def require_computing(callee: Any, values: Sequence[Any]) -> None:
    """Sees to it that functions that a call gets only compute, too: the run calls them as they are."""
    for value in flatten(values)[0]:
        if isinstance(value, _FUNCTIONS) and not _only_computes(value):
            raise NoConcreteValue(
                f"{callee.__qualname__}() is given a value that only the run knows, and a function",
                where=caller_location(),
                why="It is called when the graph runs, and so is that function, which may change something, "
                "or has something from outside that may be a value of the run.",
                way_out="Give it a function of its arguments alone, or write a loop.",
            )


def _only_computes(function: Any) -> bool:
    """Whether a function binds nothing outside of itself, and reads nothing there but what cannot change."""
    if not isinstance(function, FunctionType):
        return _is_steady(function)
    own, codes = function.__code__, [*codes_within(function.__code__)]
    names = {name for code in codes for name in code.co_names}
    held = [value for name, value in function.__globals__.items() if name in names]
    held += [*closed_over(function).values(), *(function.__defaults__ or ())]
    held += (function.__kwdefaults__ or {}).values()
    return all(map(_is_steady, held)) and not any(
        each.opname in _BINDING and (each.opname != "STORE_DEREF" or each.argval in own.co_freevars)
        for code in codes
        for each in dis.get_instructions(code)
    )


def _is_steady(value: Any) -> bool:
    """Whether an object holds nothing that a function of the program's could change."""
    if isinstance(value, type):
        return value.__module__ == "builtins"
    if isinstance(value, BuiltinFunctionType):
        return _is_steady(value.__self__)  # its module, or what it is a method of
    return type(value) in PLAIN_KINDS or isinstance(value, _STEADY)


_FUNCTIONS = (FunctionType, MethodType, BuiltinFunctionType, partial)
_STEADY = (ModuleType, Operators, FunctionScope)
"""The last two are what converted code is given."""


_BINDING = frozenset(
    {"STORE_GLOBAL", "STORE_DEREF", "STORE_ATTR", "DELETE_GLOBAL", "DELETE_DEREF", "DELETE_ATTR"}
)
"""Instructions that change what is outside of a function, where they are not about its own variables."""


def warn_of_unknown(callee: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> None:
    """Warns of a call of which nobody knows whether it touches the world: it happens while tracing.

    Not where a tensor is among the arguments: then it is about tensors, or says that it takes none.
    """
    if is_pure(callee) or any(isinstance(leaf, Tensor) for leaf in flatten((args, dict(kwargs)))[0]):
        return
    where = caller_location()
    name = getattr(callee, "__qualname__", type(callee).__name__)
    home = getattr(callee, "__module__", None)
    notice = CalledOnceWarning(
        f"{name}() of {home or 'a library'} was called once, while the graph was traced"
    )
    give_once(notice, where.filename, where.line, name)


def _refuse(what: Known, name: str) -> NoReturn:
    raise NoConcreteValue(
        f"{name}() was called while a graph is traced",
        why=f"It touches {what.touches}, and what it gives is not known before it is called.",
        way_out="Say what it gives: `ag.host_call(function, *args, result=…)` calls it on every run. Or call "
        "it outside, and pass what it gives.",
    )


def _draws_items(name: str, args: tuple[Any, ...]) -> bool:
    """Whether a method of a generator of Python's gives items of a list: its length decides which."""
    is_sequence = len(args) > 0 and isinstance(args[0], (list, tuple, StagedTuple))
    return is_sequence and name in {"choice", "choices", "sample"}


def _chosen_items(
    name: str,
    draw: Callable[..., Any],
    first: tuple[Any, ...],
    args: tuple[Any, ...],
    kwargs: Mapping[str, Any],
) -> Any:
    """Items of a list or a tuple, at places that the run draws: they are those that are in it."""
    items, *rest = args
    length = items.length if isinstance(items, StagedTuple) else len(items)
    if name == "choice":
        result = givens(int)
    else:
        count = kwargs.get("k", rest[0] if name == "sample" and rest else 1)
        result = givens([int] * count) if isinstance(count, int) else _MANY
        draw = draw if isinstance(count, int) else partial(_as_array, draw)
    places = recorded(draw, (*first, length, *rest), kwargs, result, f"Random.{name}")
    return _in_python("item_at" if name == "choice" else "items_at")(items, places)


_MANY = Nest(flatten(0)[1], (Given(ArraySpec(as_shape([None]), as_dtype(np.int64))),))


def _as_array(draw: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    return np.asarray(draw(*args, **kwargs), np.int64)


def _in_python(name: str) -> Callable[..., Any]:
    """A function that changes or reads items, converted."""
    return converted_twin(name, "shuffling")


def _shuffled(
    what: Known,
    draw: Callable[..., Any],
    first: tuple[Any, ...],
    args: tuple[Any, ...],
    kwargs: Mapping[str, Any],
    name: str,
) -> None:
    """Shuffles an array or a list: the run draws what goes where, which depends on nothing but the length."""
    items: Any = args[0] if len(args) == 1 and not kwargs else None
    is_array = isinstance(items, (Tensor, np.ndarray))
    has_rows = is_array and items.ndim != 1  # which Python's own exchanges in place, and loses some
    if not (is_array or isinstance(items, (list, StagedList))) or (has_rows and name == "Random.shuffle"):
        raise NoConcreteValue(
            f"{name}() was called while a graph is traced",
            why=f"It touches {what.touches}, so it is called when the graph runs, and changes its argument.",
            way_out="Give it a list or an array, and nothing else; rows to a generator of NumPy's.",
        )
    given = Given(ArraySpec(as_shape([None]), as_dtype(np.int64)))
    if isinstance(items, StagedList):
        count: Any = items.length
    else:
        count = length_of(items) if isinstance(items, Tensor) else len(items)
    order = recorded(draw, (*first, count), {}, Nest(flatten(0)[1], (given,)), name)
    _in_python("rows_in_order" if is_array else "items_in_order")(items, order)


def _order_of(owner: Any, name: str, count: Any) -> Any:
    return order_of_shuffle(getattr(owner, name), count)


def _place_of(owner: Any, name: str, length: Any, *args: Any, **kwargs: Any) -> Any:
    return place_of_choice(getattr(owner, name), length, *args, **kwargs)


def _with_exception(callee: Any, kwargs: Mapping[str, Any]) -> Mapping[str, Any]:
    """The arguments of a log, with the exception that is handled now where it is to be logged."""
    wanted = kwargs.get("exc_info", getattr(callee, "__name__", "") == "exception")
    return {**kwargs, "exc_info": sys.exc_info()[1]} if wanted is True or wanted == 1 else kwargs


# ── what a call will give ──


def _learned(
    what: Known, probe: Callable[..., Any], args: tuple[Any, ...], kwargs: Mapping[str, Any], name: str
) -> tuple[Nest, list[Any]]:
    """What a call gives, and examples of it, found by calling `probe` with numbers for values of a graph."""
    failure: Exception | None = None
    for lengths, fill in itertools.product(_LENGTHS, _FILLS):
        try:
            found = [_probed(probe, args, kwargs, fill, length) for length in lengths]
        except Exception as error:  # another fill may do
            failure = failure or error
            if not _has_unknown((args, kwargs)):
                raise
            continue
        return _common(what, name, *found)
    raise NoConcreteValue(
        f"what {name}() gives for values of the graph is not known before it is called",
        why=f"It touches {what.touches}, so it is called when the graph runs; and it took none of the "
        "values that were tried in the place of those of the run.",
        way_out="Say what it gives: `ag.host_call(function, *args, result=…)`.",
    ) from failure


def _has_unknown(arguments: Any) -> bool:
    """Whether a call is given what only the run knows: a tensor of the graph, or an object of the run."""
    return any(isinstance(leaf, Symbol) for leaf in flatten(arguments)[0])


def _with_samples(values: Any) -> tuple[Any, ...]:
    """Arguments, with examples in the place of objects of the run."""
    return tuple(
        [copy.deepcopy(_sample_of(each)) if isinstance(each, HostValue) else each for each in values]
    )


class _Fill:
    """Numbers that take the place of values of the graph.

    Parameters
    ----------
    first, step : int
        The first integer, and how the next ones differ.
    part : bool
        Whether the numbers of an array of floats add up to one.
    """

    def __init__(self, first: int, step: int, *, part: bool = False) -> None:
        self._first, self._step, self._part = first, step, part

    def of(self, values: Sequence[Any], length: int) -> Iterator[Any]:
        """A value for each; `length` is that of axes that only a run knows."""
        for index, value in enumerate(values):
            spec = spec_of(value)
            if not isinstance(spec, ArraySpec):
                yield "" if isinstance(spec, TextSpec) else Held(None)
                continue
            shape = [_length(dim, length) for dim in ((None,) if spec.shape is None else spec.shape)]
            if spec.dtype.is_floating or spec.dtype.is_complex:
                number = 1 / max(int(np.prod(shape)), 1) if self._part and shape else 0.5
            else:
                number = self._first + self._step * index + length - 2
            yield np.full(shape, number, spec.dtype.numpy)


_FILLS = (
    _Fill(2, 1),
    _Fill(9, -1),
    _Fill(2, 1, part=True),
    _Fill(9, -1, part=True),
    _Fill(1, 0),
    _Fill(0, 0),
    _Fill(-9, 1),
)

_LENGTHS = (2, 3), (99, 100)
"""Lengths that are tried for axes that only a run knows; with large ones, integers are large, too."""


def _length(dim: Dim | None, length: int) -> int:
    if isinstance(dim, SymbolicDim):
        dim = substitute(dim, dict.fromkeys(names_in(dim), length))
    return dim if isinstance(dim, int) else length


def _probed(
    probe: Callable[..., Any], args: tuple[Any, ...], kwargs: Mapping[str, Any], fill: _Fill, length: int
) -> Any:
    """What a call gives for some numbers, and for examples of objects of the run: it may use these up."""
    samples = _with_samples(args), dict(zip(kwargs, _with_samples(kwargs.values()), strict=True))
    arguments, values = template(samples)
    args, kwargs = filled(arguments, list(fill.of(values, length)))
    return probe(*args, **kwargs)


def _common(what: Known, name: str, first: Any, second: Any) -> tuple[Nest, list[Any]]:
    """What two results have in common."""
    leaves, structure = flatten(first)
    others, other = flatten(second)
    if structure != other:
        _refuse(what, name)
    pairs = zip(leaves, others, strict=True)
    knows_lengths = what.gives != "array"
    return Nest(
        structure, tuple([_given(one, two, knows_lengths=knows_lengths) for one, two in pairs])
    ), leaves


def _given(one: Any, other: Any, *, knows_lengths: bool) -> Given:
    if isinstance(one, str):
        return Given(TextSpec())
    if isinstance(one, (bool, int, float, complex, np.generic, np.ndarray)):
        array, second = np.asarray(one), np.asarray(other)
        if array.dtype.kind in "biufc" and array.ndim == second.ndim:
            pairs = zip(array.shape, second.shape, strict=True)
            shape = as_shape([length if knows_lengths and length == twin else None for length, twin in pairs])
            is_number = not isinstance(one, (np.generic, np.ndarray))
            return Given(ArraySpec(shape, as_dtype(array.dtype)), is_number)
    is_generator = f"{type(one).__module__}.{type(one).__qualname__}" == "numpy.random._generator.Generator"
    return Given(GeneratorSpec() if is_generator else ObjectSpec())


def _wrapped(outputs: Any, result: Nest, samples: Sequence[Any]) -> Any:
    """What a call gives, as the program may use it."""
    triples = itertools.zip_longest(flatten(outputs)[0], result.leaves, samples)
    return unflatten(result.structure, list(itertools.starmap(_of_run, triples)))


def _of_run(output: Any, given: Given, sample: Any) -> Any:
    if isinstance(given.spec, TextSpec) and isinstance(output, Symbol):
        return Text(Apply("str", (Slot(),)), [output])
    if isinstance(given.spec, ObjectSpec) and isinstance(output, Symbol):
        return HostValue(output, _Form(type(sample), sample))
    return output


# ── objects that calls give ──


class _Form:
    """What is known of an object of the run: its class, and an example."""

    def __init__(self, kind: type, sample: Any) -> None:
        self.kind = kind
        self.sample = sample

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Form) and self.kind is other.kind

    def __hash__(self) -> int:
        return hash(self.kind)


@called("object")
class HostValue:
    """An object that a call gives when the graph runs: a generator of random numbers, a date, an open file.

    Its methods and attributes are asked when the graph runs, too.

    Parameters
    ----------
    value : Symbol
    form : _Form
    """

    __slots__ = ("_form", "_value")
    is_written_when_run = True
    """What `print` asks of a file."""

    def __init__(self, value: Any, form: _Form) -> None:
        self._value = value
        self._form = form

    @property  # type: ignore[misc]  # what `isinstance` asks for
    def __class__(self) -> Any:
        return self._form.kind

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(
                f"{self._form.kind.__name__!r} object has no attribute {name!r}", name=name, obj=self
            )
        if self._form.sample is not None:
            if not callable(getattr(self._form.sample, name)):
                return HostMethod(self, name, getattr)(name)
        elif not hasattr(self._form.kind, name):
            getattr(self._form.kind, name)  # raises what Python does
        return HostMethod(self, name, called_method)

    def __bool__(self) -> NoReturn:  # noqa: PLE0304  # nobody knows
        self._refuse("a condition")

    def __iter__(self) -> NoReturn:  # nobody knows
        self._refuse("an iterable of Python")

    def __len__(self) -> NoReturn:  # noqa: PLE0303  # nobody knows
        self._refuse("the argument of len()")

    def __hash__(self) -> NoReturn:  # noqa: PLE0309  # it is not known before the run
        self._refuse("a key, or an item of a set")

    def __str__(self) -> str:
        return self._as_text(str)

    def __repr__(self) -> str:
        return self._as_text(repr)

    def __format__(self, spec: str) -> str:
        return self._as_text(format, spec)

    def __copy__(self) -> Any:
        return _asked(copy.copy, (self,))

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        return _asked(copy.deepcopy, (self,))

    def __enter__(self) -> Any:
        HostMethod(self, "__enter__", called_method)()
        return self

    def __exit__(self, *error: object) -> None:
        HostMethod(self, "__exit__", called_method)(None, None, None)

    def _as_text(self, function: Callable[..., str], *args: Any) -> str:
        text = recorded(function, (self, *args), {}, givens(str), function.__name__)
        marked = mark_text(Apply("str", (Slot(),)), [text])
        if marked is None:
            self._refuse("text of Python's")
        return marked

    def _refuse(self, wanted: str) -> NoReturn:
        raise NoConcreteValue(
            f"an object that a graph has made ({self._form.kind.__name__}) was used as {wanted}",
            why="It is only there when the graph runs, and now the graph is traced.",
            way_out="Ask it for a number or for text, or use it in a function that `ag.host_call` calls.",
        )


def _sample_of(value: HostValue) -> Any:
    """An object like one of the run."""
    return value._form.sample  # noqa: SLF001  # it has no names but those of the object


def _operator(function: Callable[..., Any], *, reflected: bool = False) -> Callable[..., Any]:
    def operate(self: HostValue, *others: Any) -> Any:
        operands = (*others, self) if reflected else (self, *others)
        return _asked(function, operands)

    return operate


def _asked(function: Callable[..., Any], operands: tuple[Any, ...]) -> Any:
    """What a function gives that only computes, of objects of the run."""
    what = Known("an object of the run", "asked")
    result, samples = _learned(what, function, operands, {}, function.__name__)
    return _wrapped(recorded(function, operands, {}, result), result, samples)


set_ask_of_objects(_asked)

for _name in ("add", "sub", "mul", "truediv", "floordiv", "mod"):
    setattr(HostValue, f"__{_name}__", _operator(getattr(operator, _name)))
    setattr(HostValue, f"__r{_name}__", _operator(getattr(operator, _name), reflected=True))
for _name in ("lt", "le", "gt", "ge", "eq", "ne", "neg", "getitem"):
    setattr(HostValue, f"__{_name}__", _operator(getattr(operator, _name)))


class HostMethod:
    """A method of an object that the run makes, or what reads one of its attributes."""

    def __init__(self, owner: HostValue, name: str, function: Callable[..., Any]) -> None:
        self._owner, self._name, self._function = owner, name, function

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        owner, function = self._owner, self._function
        if function is getattr:
            return _asked(getattr, (owner, *args))
        kind = owner._form.kind  # noqa: SLF001  # the two classes are one thing
        what = known_method(kind, self._name) or Known("an object of the run", "asked")
        name = f"{kind.__name__}.{self._name}"
        arguments = (owner, self._name, *args)
        _require_no_out(kwargs, name)
        if self._name in {"__enter__", "__exit__"}:
            what = Known(what.touches, "None")
            function = _enter_or_exit
        if what.gives in _SIMPLE:
            result, samples = _simple(what)
        elif what.gives == "in place":
            if self._name == "shuffle" and issubclass(kind, np.random.Generator):
                # a permutation draws the same, and machine code knows it
                return _shuffled(what, called_method, (owner, "permutation"), args, kwargs, name)
            return _shuffled(what, _order_of, (owner, self._name), args, kwargs, name)
        elif issubclass(kind, where_loaded("random", "Random")) and _draws_items(self._name, args):
            return _chosen_items(self._name, _place_of, (owner, self._name), args, kwargs)
        elif what.gives == "refused" or _sample_of(owner) is None:
            _refuse(what, name)
        else:
            result, samples = _learned(what, function, arguments, kwargs, name)
        return _wrapped(recorded(function, arguments, kwargs, result, name), result, samples)


def _enter_or_exit(own: Any, name: str, /, *args: Any) -> None:
    getattr(own, name)(*args)


def _opened(what: Known, callee: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any], name: str) -> Any:
    """A file of text that the run opens."""
    position = 0 if hasattr(callee, "__func__") else 1  # `Path.open` has its path already
    mode = kwargs.get("mode", args[position] if len(args) > position else "r")
    if not isinstance(mode, str) or "b" in mode:
        _refuse(what, name)
    result = Nest(flatten(0)[1], (Given(ObjectSpec()),))
    return HostValue(recorded(callee, args, kwargs, result, name), _Form(io.TextIOWrapper, None))


def _split(value: HostValue) -> tuple[Sequence[Any], Sequence[Any], Any]:
    return (0,), (value._value,), value._form  # noqa: SLF001  # the class is ours


def _build(_: type, __: Sequence[Any], children: Sequence[Any], form: _Form) -> Any:
    (value,) = children
    if isinstance(value, Tensor) and not isinstance(value, Symbol):
        value = value.numpy()
    return value.value if isinstance(value, Held) else HostValue(value, form)


register(HostValue, _split, _build)
