"""Paths that end by an exception of the program: the graph raises it, and the path has no outcome."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NoReturn, TypeAlias, TypeVar

from autograph.backends.tensors.containers.lists import Staged
from autograph.backends.tensors.statements.undecided import Undecided
from autograph.backends.tensors.text import text as texts
from autograph.backends.tensors.text.strings import Text
from autograph.frames import INSIDE, STATEMENTS
from autograph.staging import notes, places
from autograph.staging.context import staging
from autograph.staging.heap import require_not_outdated
from autograph_base.packages import is_ours
from runtime.core.instances import set_own
from runtime.core.tensor import Tensor
from runtime.core.text import marking, unknown_to_library
from runtime.errors import DTypeError, Error, NoConcreteValue, NotASequence, as_pythons
from runtime.graph.location import UNKNOWN, location_of
from runtime.ops.control_flow import NoOutcome
from runtime.ops.raising import (
    innermost,
    is_at_users_line,
    is_of_program,
    is_stand_in,
    record,
    refusal_behind,
)

__all__ = [
    "Clauses",
    "Signal",
    "add_note",
    "belongs_to_program",
    "constructed",
    "flat",
    "is_expected",
    "may_work",
    "outcome_or_raise",
    "raise_in_graph",
]

Result = TypeVar("Result")

_OWN_PACKAGE = f"{__name__.partition('.')[0]}."
"""Where signals and complaints of our own are defined."""


Clauses: TypeAlias = Callable[[], Sequence[Any]]
"""The classes behind `except`, evaluated where somebody asks."""


class Signal:
    """What the exceptions are with which a path says to its statement that it has to be traced anew."""


def belongs_to_program(error: BaseException) -> bool:
    """Whether plain Python would raise `error`, and not only the tracing of the program does.

    Raises
    ------
    BaseException
        A `Signal` that was on its way when a `finally` of the program's raised `error` in its place: its
        statements stand behind a path that is to be traced anew. What has refused a value of the graph,
        where code of C has made `error` of that.
    """
    if isinstance(error, Undecided):
        error.refuse()
    if isinstance(error, AttributeError) and texts.says_itself(error.obj):
        _refuse_attribute(error)
    refusal = refusal_behind(error)
    if refusal is not None:
        raise refusal from None
    if type(error).__module__.startswith(_OWN_PACKAGE) and not is_stand_in(error):
        return False
    is_wrong_line = type(error) is NotASequence or _is_of_python(error)
    if not (is_of_program(error, STATEMENTS) or is_wrong_line):
        return False
    signal = _signal_behind(error)
    if signal is not None:
        raise signal from None
    return True


def _refuse_attribute(error: AttributeError) -> NoReturn:
    """Says that an exception whose text alone is known has no attributes of its own."""
    raise NoConcreteValue(
        f"the attribute {error.name!r} of a {type(error.obj).__name__} that was caught is read,"
        " and only the run knows what was raised",
        where=location_of(error.__traceback__),
        why="Several calls and statements in the `try` may raise it, and not all of them are alike.",
        way_out="Give all of them the same attributes, and what the run calls a `try` of its own.",
    ) from None


def _is_of_python(error: BaseException) -> bool:
    """Whether Python says that a program is wrong, of values of its own: it says so when it gets there.

    What it says of a value of the graph is another matter: NumPy's may have what that has not.
    """
    trace = innermost(error)
    is_of_numpy = isinstance(error, TypeError) and type(error).__module__.partition(".")[0] == "numpy"
    if trace is None or not (is_of_numpy or type(error) in {AttributeError, NameError, TypeError}):
        return False
    is_at_program = location_of(trace) != UNKNOWN or trace.tb_frame.f_code.co_filename.startswith(STATEMENTS)
    if not is_at_program or INSIDE in vars(error):
        return False
    if isinstance(error, AttributeError) and error.name is not None:
        # one that is set or deleted is not named, but said
        return not _is_of_graph(error.obj) or _has_no_such(error.obj, error.name)
    return not any(name in str(error) for name in _NAMES_OF_VALUES)


_NAMES_OF_VALUES = (
    "'Tensor'",
    "not Tensor",
    '"Tensor"',
    "'object'",
    " or None'",
    " or nothing'",
    " objects'",
)
"""What an error says that is about a value of the graph: NumPy's may have what that has not."""


def _is_of_graph(value: Any) -> bool:
    """Whether something is a value of a graph, or stands for one."""
    return is_ours(type(value).__module__)


def _has_no_such(value: Any, name: str) -> bool:
    """Whether a container of the graph has no such attribute because that of Python's has none."""
    return isinstance(value, Staged) and not hasattr(value.built, name)


def _signal_behind(error: BaseException) -> BaseException | None:
    """The signal that was on its way when an exception was raised."""
    found = error.__context__
    while found is not None and not isinstance(found, Signal):
        found = found.__context__
    return found


def constructed(kind: type[BaseException], args: Sequence[Any], kwargs: Mapping[str, Any]) -> BaseException:
    """`kind(*args, **kwargs)`, with texts of the graph where its constructor formats tensors."""
    with marking() as marks:
        error = kind(*args, **kwargs)

    def as_text(value: Any) -> Any:
        template, tensors = marks.read(value) if isinstance(value, str) else (value, ())
        return Text(template, tensors) if tensors else value

    set_own(error, "args", tuple(map(as_text, error.args)))
    vars(error).update({name: as_text(value) for name, value in vars(error).items()})
    return error


def add_note(error: BaseException, note: Any) -> None:
    """`error.add_note(note)`, where the note may be a text of the graph."""
    if not isinstance(note, str | Text):
        raise unknown_to_library(error.add_note)
    notes.note(places.Attribute(error, "__notes__"))
    vars(error)["__notes__"] = [*getattr(error, "__notes__", ()), note]


def raise_in_graph(error: Any, *cause: Any) -> NoReturn:
    """Lets the graph raise what a `raise` of the program's is given, with a cause where there is one."""
    if isinstance(error, Undecided):
        error.refuse()
    try:
        _throw(error, *cause)
    except BaseException as raised:  # noqa: BLE001  # whatever it is that the program raises
        require_not_outdated(raised)
        record(raised)
        raise NoOutcome from None


def _throw(error: Any, *cause: Any) -> NoReturn:
    if cause:
        raise error from cause[0]
    raise error


def outcome_or_raise(run: Callable[[], Result]) -> Result:
    """What `run` returns.

    Parameters
    ----------
    run : callable
        A branch, or a turn of a loop, against the graph that is being built.

    Raises
    ------
    NoOutcome
        When the program raises an exception in it, which the graph now does instead.
    """
    try:
        return run()
    except BaseException as error:
        if not (belongs_to_program(error) or _is_handled_around(error)):
            raise
        require_not_outdated(error)  # who raises it again reads it
        record(error)
        raise NoOutcome from None


def _is_handled_around(error: BaseException) -> bool:
    """Whether a `try` around would take it for its own, if its body had no branches and turns."""
    is_one = any(is_expected(error, clauses) for clauses in staging.handlers)
    return is_one and not may_work(error)


def may_work(error: BaseException) -> bool:
    """Whether an error of ours is about a call that NumPy may not refuse."""
    return isinstance(error, Error) and error.call is not None and error.call.may_work()


def is_expected(error: BaseException, clauses: Clauses) -> bool:
    """Whether the statement does what its objects cannot do, and handles just that.

    It asks for an attribute that there is not, or has an operator of Python's refuse its operands.
    """
    if type(error) is TypeError and TypeError in flat(clauses()):
        return is_at_users_line(error)
    if isinstance(error, (DTypeError, NotASequence)):
        if error.call is None and type(error) is not NotASequence:
            return False  # who refuses it is us, as far as anybody knows
        return any(issubclass(type(as_pythons(error)), clause) for clause in flat(clauses()))
    if type(error) is not AttributeError or AttributeError not in flat(clauses()):
        return False
    return not (isinstance(error.obj, Tensor) and hasattr(Tensor, str(error.name)))


def flat(clauses: Sequence[Any]) -> Iterator[type[BaseException]]:
    """The classes behind `except`, in order; a tuple of them stands for each one."""
    for clause in clauses:
        if isinstance(clause, tuple):
            yield from flat(clause)
        else:
            yield clause
