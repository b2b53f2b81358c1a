"""What NumPy says of a call that we refuse: it is asked, with arrays of these shapes that hold nothing.

An error of ours says where and why, and shows a way out. A handler of the program's gets to see what it would
see in plain Python: NumPy's own error, whatever its class, text and arguments are in the version at hand.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import wraps
from types import FunctionType
from typing import Any, ParamSpec, TypeVar

import numpy as np

from autograph_base.dataclass import dataclass
from runtime import ops
from runtime.core.dtypes import DType
from runtime.core.tensor import Tensor
from runtime.core.text import Slot, as_python
from runtime.core.tracing import tracing
from runtime.errors import DTypeError, Error, IntTooLarge, InvalidValue
from runtime.graph.build import as_tensor, current_builder, slot_of
from runtime.graph.frames import FAILED, hide
from runtime.graph.location import is_ours, runs_users_code
from runtime.ops.known import concrete

__all__: list[str] = []  # for methods and functions of tensors, and no part of the namespace

Params = ParamSpec("Params")
Result = TypeVar("Result")


@dataclass(frozen=True)
class _Probe:
    """What stands for all that is not known: elements, and lengths."""

    element: int
    length: int


_PROBES = (_Probe(1, 2), _Probe(2, 3), _Probe(1, 1))
"""What NumPy says of all of them alike, it says whatever the values are. Zeros would be divided by."""


@dataclass(frozen=True)
class Held:
    """An operand whose elements are not known: dims are None where the length is not."""

    shape: tuple[int | None, ...]
    dtype: Any
    slot: Slot
    tensor: Tensor | None = None
    """What it stands for, while the graph is built."""

    def numbers(self) -> list[Any]:
        """What the run knows of it: the lengths that are not known, or the integer that it is."""
        assert self.tensor is not None, "the graph is being built"
        if not self.shape:
            return [self.tensor] if self.dtype.kind in "iu" else []
        return [ops.dimension(self.tensor, axis) for axis, each in enumerate(self.shape) if each is None]

    def array(self, probe: _Probe, known: Iterator[int]) -> Any:
        """One like it, which takes no memory: all of its elements are the same one.

        `known` are its numbers in a run, or nothing.
        """
        if not self.shape:
            element = next(known, probe.element) if self.dtype.kind in "iu" else probe.element
            return as_python(self.dtype.type(element), self.slot)
        shape = [next(known, probe.length) if each is None else each for each in self.shape]
        memory = np.full((), probe.element, self.dtype)
        return np.lib.stride_tricks.as_strided(memory, shape, (0,) * len(shape))


class Opaque:
    """A function among the arguments, which is not called before the run: other objects stand for it."""

    def numbers(self) -> list[Any]:
        """What the run knows of it: nothing."""
        return []

    def array(self, probe: _Probe, known: Iterator[int]) -> Any:
        """An object in its place, of another kind for each probe."""
        return None if probe is _PROBES[0] else _does_nothing


def _does_nothing(*args: Any, **kwargs: Any) -> None:
    """What NumPy may call."""


class NotKnown(Exception):  # a sign between functions here
    """An argument of which NumPy cannot be given another one."""


class Call:
    """A call of NumPy's that an error of ours is about.

    Parameters
    ----------
    function : callable
        What does in NumPy what was called here.
    args, kwargs : sequence, mapping
        What it was called with, tensors among that.
    """

    def __init__(self, function: Callable[..., Any], args: Sequence[Any], kwargs: Mapping[str, Any]) -> None:
        self.function = function
        try:
            self.given: tuple[Any, Any] | None = (_held(tuple(args)), _held(dict(kwargs)))
        except NotKnown:
            self.given = None
        self._known: Sequence[int] = ()

    @classmethod
    def of_held(cls, function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Call:
        """A call that was made of no tensors: `Held` is in their places."""
        found = cls(function, (), {})
        found.given = args, kwargs
        return found

    def numbers(self) -> list[Any]:
        """What only a run knows of its operands, as far as it may matter: lengths, and integers."""
        return [number for each in _all_held(self.given) for number in each.numbers()]

    def in_run(self, known: Sequence[int]) -> Call:
        """The call in a run in which these are its numbers."""
        self._known = known
        return self

    def error(self) -> Exception | None:
        """What NumPy raises; None where that depends on what is not known, or it raises nothing."""
        raised = self._answers()
        if any(each is None or _described(each) != _described(raised[0]) for each in raised):
            return None
        return raised[0] if raised else None

    def may_work(self) -> bool:
        """Whether NumPy does for some values what is refused here; it may, where it cannot be asked."""
        return self.given is None or any(each is None for each in self._answers())

    def _answers(self) -> list[Exception | None]:
        """What NumPy raises of each probe; None where it raises nothing."""
        return [] if self.given is None else [self._raised(*self.given, probe) for probe in _PROBES]

    def _raised(self, args: Any, kwargs: Any, probe: _Probe) -> Exception | None:
        known = iter(self._known)
        args, kwargs = [
            _mapped(each, lambda held: held.array(probe, known), np.array) for each in (args, kwargs)
        ]
        try:
            with warnings.catch_warnings(), np.errstate(all="ignore"):
                warnings.simplefilter("ignore")
                self.function(*args, **kwargs)
        except Exception as error:  # noqa: BLE001  # whatever NumPy raises is what was asked for
            return error.with_traceback(None)
        return None


def _described(error: Exception | None) -> tuple[type, str, str]:
    return type(error), str(error), repr(None if error is None else error.args)


_PLAIN = (type(None), bool, int, float, complex, str, bytes, type(Ellipsis), np.generic, np.dtype, type)


def _held(value: Any) -> Any:
    """An argument with `Held` in the place of tensors, and a copy of what NumPy may write into."""
    if isinstance(value, Tensor) or hasattr(type(value), "__tensor__"):
        return _held_tensor(as_tensor(value))
    if isinstance(value, np.ndarray):
        return _held_array(value)
    if type(value) in {list, tuple}:
        return type(value)([_held(each) for each in value])
    if type(value) is dict:
        return {key: _held(each) for key, each in value.items()}
    if type(value) is slice:
        return slice(*[_held(each) for each in (value.start, value.stop, value.step)])
    if isinstance(value, DType):
        return value.numpy
    if isinstance(value, FunctionType):
        return Opaque()
    if not isinstance(value, _PLAIN):
        raise NotKnown
    return value


def _held_array(array: Any) -> Any:
    return np.array(array)[()] if array.size <= _MOST else Held(array.shape, array.dtype, Slot())


_MOST = 1024
"""Elements of an array that is known: one that has more is no index, and no list of axes or lengths."""


def _held_tensor(value: Tensor) -> Any:
    known = concrete(value)
    slot = slot_of(value)
    if known is not None:
        return as_python(known.copy(), slot) if slot != Slot() else _held_array(known)
    shape = value.static_shape
    if shape is None:
        raise NotKnown
    dims = tuple([each if isinstance(each, int) else None for each in shape])
    return Held(dims, value.dtype.numpy, slot, value)


def _mapped(value: Any, held: Callable[[Held | Opaque], Any], array: Callable[[Any], Any]) -> Any:
    """Arguments with something else in the place of each operand, and of each array."""
    if isinstance(value, Held | Opaque):
        return held(value)
    if type(value) in {list, tuple}:
        return type(value)([_mapped(each, held, array) for each in value])
    if type(value) is dict:
        return {key: _mapped(each, held, array) for key, each in value.items()}
    if type(value) is slice:
        return slice(*[_mapped(each, held, array) for each in (value.start, value.stop, value.step)])
    return array(value) if isinstance(value, np.ndarray) else value


def _all_held(value: Any) -> list[Held | Opaque]:
    found: list[Held | Opaque] = []
    _mapped(value, found.append, lambda array: array)
    return found


class asked:  # noqa: N801  # read as a word of `with`
    """While what NumPy does by `function(*args, **kwargs)` is done to tensors.

    It is the call that errors are about, and that a `try` around it remembers; the outermost one counts, as
    that is what the user has written.
    """

    __slots__ = ("_args", "_function", "_is_first", "_kwargs")

    def __init__(
        self, function: Callable[..., Any], args: Sequence[Any], kwargs: Mapping[str, Any] | None = None
    ) -> None:
        self._function, self._args, self._kwargs = function, args, kwargs or {}

    def __enter__(self) -> None:
        builder = current_builder()
        self._is_first = builder is not None and builder.watcher is not None and tracing.call is None
        if self._is_first:
            tracing.call = self

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if self._is_first:
            tracing.call = None
        if error is not None:
            blame(error, self._function, self._args, self._kwargs, depth=2)

    def call(self) -> Call:
        """What NumPy can be asked.

        An argument that becomes a tensor by branches may raise in them: those are part of no call.
        """
        before, tracing.call = tracing.call, None
        try:
            return Call(self._function, self._args, self._kwargs)
        finally:
            tracing.call = before


def blame(
    error: BaseException,
    function: Callable[..., Any],
    args: Sequence[Any],
    kwargs: Mapping[str, Any] | None = None,
    depth: int = 1,
) -> None:
    """Hears of an error on its way up to the user: what NumPy does there is `function(*args, **kwargs)`.

    The outermost call counts, as it is what the user has written; unless a function of theirs runs in it.

    Raises
    ------
    Exception
        What NumPy raises, where code is about to see the error that is nobody's but Python's: what is not
        converted, and the function that runs once more as plain Python. `depth` says which frame it is whose
        caller that may be.
    """
    hide(error)
    if not (current_builder() is not None or tracing.runs_plainly):
        return
    refused = error if isinstance(error, Error) else _as_ours(error, Call(function, args, kwargs or {}))
    if refused is None:
        return
    if refused.call is None or not runs_users_code(error.__traceback__):
        refused.call = Call(function, args, kwargs or {})
    is_told = tracing.runs_plainly or tracing.asker is not None
    if is_told and not is_ours(sys._getframe(depth + 1).f_code.co_filename):  # noqa: SLF001  # documented, if private
        told = refused.call.error()
        if told is not None:
            vars(told)[IN_OUR_WORDS] = refused
            raise told from None
    if refused is not error:
        raise refused from None


def _as_ours(error: BaseException, call: Call) -> Error | None:
    """What a call is refused with where Python has raised something on the way to an operation of ours.

    That would be about a step of ours, and NumPy may stop at another one, with other words. None where it is
    an error of the program's, or of objects of the program's, or is NumPy's own already.
    """
    if hasattr(error, FAILED):
        return None
    kind = next((ours for pythons, ours in _OURS if isinstance(error, pythons)), None)
    if kind is None or call.given is None or runs_users_code(error.__traceback__):
        return None
    told = call.error()
    if told is None:
        name = call.function.__name__
        return kind(
            f"`{name}` of a tensor with these arguments: {error}",
            why="NumPy may take them, and a graph does not.",
            way_out="Call it when the graph runs, in a function for `ag.host_call`.",
        )
    kind = next((ours for pythons, ours in _OURS if isinstance(told, pythons)), kind)
    return kind(str(told), why="NumPy says that of this call.", way_out="Give it what NumPy takes.")


_OURS = (TypeError, DTypeError), (OverflowError, IntTooLarge), (ValueError, InvalidValue)
"""Classes of what Python raises, and with what a call is refused in their place."""

IN_OUR_WORDS = "__in_our_words__"
"""The attribute of an error that NumPy raises in the place of ours: that."""


@contextmanager
def as_plain_python(*, once_more: bool = False) -> Iterator[None]:
    """While code runs that sees NumPy's errors; what it lets go is ours, which says more.

    `once_more` says that it is a function whose graph has raised.
    """
    before, tracing.runs_plainly = tracing.runs_plainly, once_more or tracing.runs_plainly
    try:
        yield
    except Exception as error:
        if IN_OUR_WORDS in vars(error):
            raise vars(error)[IN_OUR_WORDS] from None
        raise
    finally:
        tracing.runs_plainly = before


def as_numpys(function: Callable[..., Any]) -> Callable[[Callable[Params, Result]], Callable[Params, Result]]:
    """Decorates an implementation of a NumPy function, so that its errors are known to be that function's."""

    def decorate(ours: Callable[Params, Result]) -> Callable[Params, Result]:
        @wraps(ours)
        def called(*args: Params.args, **kwargs: Params.kwargs) -> Result:
            if tracing.builder is not None:
                with asked(function, args, kwargs):
                    return ours(*args, **kwargs)
            try:
                return ours(*args, **kwargs)
            except Exception as error:
                blame(error, function, args, kwargs)
                raise

        return called

    return decorate


def method_of_arrays(name: str) -> Callable[..., Any]:
    """A function that calls the method of this name, of an array or a number of NumPy's."""

    def call(of: Any, *args: Any, **kwargs: Any) -> Any:
        return getattr(of, name)(*args, **kwargs)

    call.__module__, call.__name__ = "array", name
    return call
