"""What errors say on their way out of `tf.function`: the words that people of TensorFlow know and search for.

An error of the program's while its function is traced begins with ``in user code:`` and the lines that led to
it; one of a graph that runs begins with ``Graph execution error:`` and is an `InvalidArgumentError` by name.
"""

from __future__ import annotations

import builtins
import linecache
import re
import sys
from collections.abc import Iterator
from types import FrameType
from typing import Any

from autograph.frames import hide, is_ours
from runtime.errors import InvalidArgument, LeakedTensor, Message, NoConcreteValue
from runtime.functions.tracer import TRACES
from runtime.graph import frames
from runtime.graph.build import current_builder

__all__ = ["explain", "failed", "raised_at_once"]

IN_USER_CODE = "in user code:"
OF_A_GRAPH = "Graph execution error:"
PLACE = "autograph.compat.tf.errors"
NAMES: dict[type[Message], str] = {
    InvalidArgument: "InvalidArgumentError",
    NoConcreteValue: "OperatorNotAllowedInGraphError",
    LeakedTensor: "InaccessibleTensorError",
}
"""What TensorFlow calls them: an invalid argument only where a graph runs, or an operation at once."""
BUILT_IN = (ValueError, TypeError)
"""What TensorFlow raises for arguments that a trace sees to be invalid; the first for what is neither."""


CALLED = {
    "all": "reduce_all",
    "any": "reduce_any",
    "arange": "range",
    "asarray": "constant",
    "astype": "cast",
    "check": "debugging.Assert",
    "clip": "clip_by_value",
    "cumulative_sum": "cumsum",
    "fft.fft": "signal.fft",
    "max": "reduce_max",
    "min": "reduce_min",
    "random.integers": "random.uniform",
    "real": "math.real",
    "sum": "reduce_sum",
    "take": "gather",
}
"""What TensorFlow calls functions that have other names in `runtime`."""


def explain(error: BaseException) -> None:
    """Says in TensorFlow's words where an error comes from; in place, once, and not inside another trace."""
    was_traced = _was_traced(error)
    hide(error)
    if current_builder() is not None or not isinstance(error, Exception) or _is_explained(error):
        return
    _use_names(error)
    for kind, name in NAMES.items():
        if isinstance(error, kind) and not (was_traced and kind is InvalidArgument):
            _rename(error, name)
    built_in = next((each.__name__ for each in BUILT_IN if issubclass(type(error), each)), None)
    if built_in is None and isinstance(error, InvalidArgument):
        built_in = ValueError.__name__
    if was_traced and isinstance(error, Message) and built_in is not None:
        _rename(error, built_in)
    lines = [line for frame, number in _user_frames(error) for line in _shown(frame, number)]
    if was_traced and lines:
        last = [f"    {line}" for line in f"{type(error).__name__}: {_happened(error)}".splitlines()]
        _say(error, "\n".join([IN_USER_CODE, "", *lines, "", *last]))
    elif isinstance(error, InvalidArgument):
        error.happened = f"{OF_A_GRAPH}\n\n{error.happened}"


def raised_at_once(error: BaseException) -> None:
    """Has an error of a function that is called outside of graphs show the caller, and what to do in `tf`."""
    if current_builder() is None:
        _use_names(error)
    frames.hide(error)


def failed(error: BaseException) -> BaseException:
    """The error of an operation at once, under TensorFlow's name."""
    if isinstance(error, InvalidArgument):
        _rename(error, NAMES[InvalidArgument])
    _use_names(error)
    return error


def _use_names(error: BaseException) -> None:
    """Has an error say what to do in the names of `tf`, where these are other names than in `rt`."""
    if isinstance(error, Message):
        error.why, error.way_out = _in_names(error.why), _in_names(error.way_out)


def _in_names(text: str) -> str:
    """A text with the names of `tf`; what is not there stays what it is.

    >>> _in_names("Cast with `rt.astype`, or see `rt.finfo`.")
    'Cast with `tf.cast`, or see `rt.finfo`.'
    """
    return re.sub(r"\brt\.([a-z]\w*(?:\.\w+)*)", _named, text, flags=re.IGNORECASE)


def _named(found: re.Match[str]) -> str:
    name = CALLED.get(found[1], found[1])
    place: Any = sys.modules[__package__]
    for each in name.split("."):
        place = vars(place).get(each)
        if place is None:
            return found[0]
    return f"tf.{name}"


def _was_traced(error: BaseException) -> bool:
    """Whether an error comes from a function while it was traced, and not from its graph."""
    link = error.__traceback__
    while link is not None:
        if link.tb_frame.f_code is TRACES:
            return True
        link = link.tb_next
    return False


def _is_explained(error: Exception) -> bool:
    return str(error).startswith((IN_USER_CODE, OF_A_GRAPH))


def _user_frames(error: Exception) -> Iterator[tuple[FrameType, int]]:
    """The frames of the program's below the call of its function, the outermost first."""
    link = error.__traceback__
    while link is not None:
        if not is_ours(link.tb_frame.f_code.co_filename):
            yield link.tb_frame, link.tb_lineno
        link = link.tb_next


def _shown(frame: FrameType, number: int) -> list[str]:
    """A frame as TensorFlow shows it; a star is for code that AutoGraph has converted."""
    code = frame.f_code
    star = "  *" if "ag__" in (*code.co_freevars, *code.co_names) else ""
    text = linecache.getline(code.co_filename, number).strip()
    return [f'    File "{code.co_filename}", line {number}, in {code.co_name}{star}', f"        {text}"]


def _happened(error: Exception) -> str:
    return error.happened if isinstance(error, Message) else str(error)


def _say(error: Exception, text: str) -> None:
    """Gives an error other words, where its class takes words alone; others keep theirs, and gain a note."""
    if isinstance(error, Message):
        error.happened, error.where, error.args = text, None, (text,)
    elif len(error.args) == 1 and isinstance(error.args[0], str) and str(error) == error.args[0]:
        error.args = (text,)
    else:
        error.add_note(text)


def _rename(error: Any, name: str) -> None:
    """Calls an error as TensorFlow does; once."""
    if type(error) not in _RENAMED.values():
        error.__class__ = _by_name(type(error), name)


_RENAMED: dict[tuple[Any, str], type[Message]] = {}


def _by_name(kind: Any, name: str) -> Any:
    """A class of errors under TensorFlow's name, which the last line of a traceback shows."""
    if (kind, name) in _RENAMED:
        return _RENAMED[kind, name]

    def reduced(error: Message) -> Any:
        args, state = kind.__reduce__(error)[1:]
        return _restored, (kind, name, args, state)

    place = "builtins" if hasattr(builtins, name) else PLACE
    named = {"__module__": place, "__reduce__": reduced, "__doc__": kind.__doc__}
    is_value = name != ValueError.__name__ or issubclass(kind, ValueError)
    bases = (kind,) if is_value else (kind, ValueError)  # an index outside is an `IndexError` by itself
    return _RENAMED.setdefault((kind, name), type(name, bases, named))


def _restored(kind: Any, name: str, args: tuple[str, ...], state: dict[str, object]) -> Message:
    """An error that was pickled."""
    error: Message = kind(*args)
    vars(error).update(state)
    error.__class__ = _by_name(kind, name)
    return error
