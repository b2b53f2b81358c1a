"""Exceptions that a program raises while it is traced, and its graph when it gets there."""

from __future__ import annotations

import itertools
import operator
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from types import CodeType, MethodType, TracebackType
from typing import Any, ClassVar, NoReturn

import numpy as np

from autograph_base.dataclass import dataclass
from runtime.core import exceptions, records
from runtime.core.dtypes import bool_
from runtime.core.spec import ArraySpec, Spec
from runtime.core.structure import LEAF, Structure, flatten, map_leaves, unflatten
from runtime.core.tensor import Tensor
from runtime.core.text import Apply, Slot, as_python
from runtime.errors import DTypeError, Error, InvalidArgument, NoConcreteValue
from runtime.graph.build import as_tensor, builder_in_use, slot_of, value_in
from runtime.graph.builder import Builder
from runtime.graph.graph import Value
from runtime.graph.location import UNKNOWN, Location, caller_location, is_ours, location_of
from runtime.graph.op import Effects, Failures, Op
from runtime.graph.resources import HostObject
from runtime.ops.facts import STRING, GraphDefBuilder, GraphDefTensor, Sample, Samples, type_in_graphdef
from runtime.ops.filled import Filled, closed, held_by, is_value, opened
from runtime.ops.whose import as_test, is_told, whose_number

__all__: list[str] = []  # for backends of AutoGraph, and no part of the namespace

CAUGHT = "__graph_value__"
"""The attribute of an exception that stands for one of the graph: the value that is that exception."""

MAY_BE = "__graph_kinds__"
"""Its attribute with the classes that the exception may be of, where they are others than its own."""

AS_CAUGHT = "__graph_parts__"
"""Its attribute with what it consisted of before the program has changed anything in it."""

SAID = "__graph_text__"
"""Its attribute with the value that has its text, where only the run knows what it says."""

_OURS = frozenset([CAUGHT, MAY_BE, AS_CAUGHT, SAID])


@records.record
@dataclass(frozen=True)
class Nest:
    """A container among the parts of an exception."""

    structure: Structure
    leaves: tuple[Any, ...]


@records.record
@dataclass(frozen=True)
class Recipe:
    """An exception with places for values: its parts, as plain data, with a slot for each value.

    Parameters
    ----------
    kind : type
    args : tuple
    attributes, fields : tuple of (str, object)
    cause : Recipe or None
    context : Recipe, `CAUSE` or None
    hides_context : bool
    itself : Slot or None
        The exception, where it is a value: the rest says what it looks like.
    """

    kind: Any
    args: tuple[Any, ...] = ()
    attributes: tuple[tuple[str, Any], ...] = ()
    fields: tuple[tuple[str, Any], ...] = ()
    cause: Any = None
    context: Any = None
    hides_context: bool = False
    itself: Any = None

    @classmethod
    def of(cls, parts: exceptions.Parts, values: list[Any]) -> Recipe:
        """The recipe for an exception of these parts; the values in it are added to `values`."""
        attributes = [(name, value) for name, value in parts.attributes.items() if name not in _OURS]
        return cls(
            plain_data(parts.kind),
            tuple([_template(value, values) for value in parts.args]),
            tuple([(name, _template(value, values)) for name, value in attributes]),
            tuple([(name, _template(value, values)) for name, value in parts.fields.items()]),
            _template(parts.cause, values),
            _template(parts.context, values),
            parts.hides_context,
            _template(parts.itself, values),
        )

    def filled(self, values: Iterable[Any]) -> exceptions.Parts:
        """The parts with these values in their places."""
        rest = iter(values)
        return exceptions.Parts(
            _content(self.kind),
            tuple([_filled(part, rest) for part in self.args]),
            {name: _filled(part, rest) for name, part in self.attributes},
            {name: _filled(part, rest) for name, part in self.fields},
            _filled(self.cause, rest),
            _filled(self.context, rest),
            self.hides_context,
            _filled(self.itself, rest),
        )

    @property
    def raised(self) -> type[BaseException]:
        """The class of the exception."""
        found: type[BaseException] = _content(self.kind)
        return found

    def __repr__(self) -> str:
        shown = self.filled(itertools.repeat(_Shown())).args
        return f"{self.raised.__name__}({', '.join(map(repr, shown))})"


class _Shown:
    """A value of the run, in a message."""

    def __repr__(self) -> str:
        return "•"


_EITHER = Apply("pick", (Slot(is_number=True), Slot(), Slot(is_number=True)))
"""The place of a number that is Python's on some paths, and NumPy's on others: a test says which."""

_PLAIN = frozenset([type(None), bool, int, float, complex, str, bytes])


def _template(value: Any, values: list[Any]) -> Any:
    """A part of an exception as plain data; a value of the graph leaves a slot, and is added to `values`."""
    if isinstance(value, exceptions.Parts):
        return Recipe.of(value, values)
    if type(value) in _PLAIN:
        return value
    leaves, structure = flatten(opened(value))
    if structure != LEAF:
        return Nest(structure, tuple([_template(leaf, values) for leaf in leaves]))
    if is_value(value):
        decides = whose_number(value)
        if not isinstance(decides, bool) and is_told(decides):
            values += [as_test(decides, {}), value, value]
            return _EITHER
        values.append(value)
        return slot_of(value)
    return plain_data(value)


def _filled(part: Any, values: Iterator[Any]) -> Any:
    """A part of an exception, with the next values in its slots."""
    match part:
        case Slot() as slot:
            value = next(values)
            if slot == Slot() or type(value) is not Tensor:
                return value
            if not isinstance(value.spec, ArraySpec):
                return as_python(value._array, slot)  # a list of the run
            return value if value.ndim else as_python(value.numpy(), slot)  # a text has axes: its characters
        case Apply("pick", (_, _, pythons)):
            is_pythons, one, other = islice(values, 3)
            is_other = type(is_pythons) is Tensor and bool(is_pythons.numpy())
            return as_python(other.numpy(), pythons) if is_other else one
        case Nest(structure, leaves):
            return unflatten(structure, [_filled(leaf, values) for leaf in leaves])
        case Recipe():
            return part.filled(values)
    return _content(part)


def plain_data(leaf: Any) -> Any:
    """A leaf as a field of an op can hold it: anything but numbers, text and known classes is an object."""
    if type(leaf) in _PLAIN or (isinstance(leaf, type) and records.class_name(leaf) is not None):
        return leaf
    return HostObject(leaf.__name__ if isinstance(leaf, type) else type(leaf).__name__, leaf)


def _content(leaf: Any) -> Any:
    return leaf.value if isinstance(leaf, HostObject) else leaf


class Raise(Op):
    """Raises an exception of the program's own."""

    recipe: Recipe

    is_core = True
    samples = (
        Sample((), {"recipe": Recipe(ValueError, ("no",))}, ValueError),
        Sample((np.array(3),), {"recipe": Recipe(IndexError, ("at", Slot()))}, IndexError),
    )

    @property
    def effects(self) -> Effects:
        return Effects.CHECKS

    def infer(self, *_: ArraySpec) -> tuple[ArraySpec, ...]:
        return ()

    def raises(self, *specs: ArraySpec) -> Failures:
        return frozenset([self.recipe.raised])

    def kernel(self, *arrays: Any) -> NoReturn:
        raise exceptions.put_together(_plain(self.recipe.filled([_as_leaf(array) for array in arrays])))

    def to_graphdef(
        self, builder: GraphDefBuilder, inputs: Sequence[GraphDefTensor], specs: Sequence[Spec]
    ) -> list[GraphDefTensor]:
        never = builder.constant(False, bool_)
        types = [STRING, *map(type_in_graphdef, specs)]
        builder.effect("Assert", [never, builder.text(repr(self.recipe)), *inputs], T=types, summarize=-1)
        return []


class Reraise(Op):
    """Raises an exception that the graph has caught, of one of some classes, as the program has changed it.

    Inputs: the exception, then the values in the changes.
    """

    kinds: tuple[Any, ...] = (BaseException,)
    changes: Recipe | None = None
    """The attributes that have changed, and what else `sets` names."""
    sets: tuple[str, ...] = ()

    is_core = True
    why_no_graphdef: ClassVar[str] = "its graphs catch no exceptions"
    input_names: ClassVar[tuple[str, ...]] = ("error",)
    samples = Samples(
        lambda: [
            Sample((KeyError("k"),), {"kinds": (LookupError,), "changes": None, "sets": ()}, KeyError),
            Sample(
                (KeyError("k"), np.array(3)),
                {
                    "kinds": (KeyError,),
                    "changes": Recipe(KeyError, (Slot(), "k"), (("code", "no"),)),
                    "sets": (exceptions.ARGS,),
                },
                KeyError,
            ),
        ]
    )

    @property
    def effects(self) -> Effects:
        return Effects.CHECKS

    def infer(self, error: ArraySpec, *values: ArraySpec) -> tuple[ArraySpec, ...]:
        del error, values
        return ()

    def raises(self, *specs: ArraySpec) -> Failures:
        del specs
        return frozenset(map(_content, self.kinds))

    def kernel(self, error: BaseException, *arrays: Any) -> NoReturn:
        if self.changes is not None:
            parts = self.changes.filled([_as_leaf(array) for array in arrays])
            exceptions.change(error, _plain(parts), self.sets)
        raise error

    def changed(self, parts: exceptions.Parts, values: Sequence[Any]) -> exceptions.Parts:
        """What an exception of these parts consists of when it is raised again."""
        if self.changes is None:
            return parts
        new = self.changes.filled(values)
        own = {name: getattr(new, name) for name in self.sets}
        hides = new.hides_context if exceptions.CAUSE in self.sets else parts.hides_context
        attributes, fields = parts.attributes | new.attributes, parts.fields | new.fields
        return replace(parts, attributes=attributes, fields=fields, hides_context=hides, **own)


def _as_leaf(array: Any) -> Any:
    """A value of the run as an exception is built from it; a text may be a part of another one."""
    if isinstance(array, BaseException):
        return array
    return np.str_(array) if isinstance(array, str) else Tensor(array)


def _plain(parts: exceptions.Parts) -> exceptions.Parts:
    """The parts of an exception with what plain Python would have there."""
    others = (parts.attributes, parts.fields, parts.cause, parts.context, parts.itself)
    if not any(others) and {*map(type, parts.args)} <= _PLAIN:  # as of most
        return parts
    return closed(map_leaves(_as_plain, parts))  # type: ignore[no-any-return]  # a nest of the same form


def _as_plain(leaf: Any) -> Any:
    """A value as the number, array or text that plain Python would have there."""
    if isinstance(leaf, np.str_):
        return str(leaf)
    if isinstance(filled := opened(leaf), Filled):  # which the run has made
        return closed(map_leaves(_as_plain, filled))
    return leaf.numpy()[()] if isinstance(leaf, Tensor) else leaf


def record(error: BaseException, location: Location | None = None) -> None:
    """Lets the graph that is being built raise `error`, at the line of the user's that raised it now.

    Parameters
    ----------
    error : BaseException
        Tensors in its arguments and attributes, also in the exceptions behind it, have their values by then.
    location : Location, optional
        Another line to blame, for an error that nobody has raised yet.
    """
    builder = builder_in_use()
    location = location or location_of(error.__traceback__)
    if location == UNKNOWN:  # what runs in the place of a statement raised it
        location = caller_location()
    values: list[Any] = []
    error = _told(error, builder)
    caught = getattr(error, CAUGHT, None)
    if caught is not None:
        kinds = tuple(map(plain_data, getattr(error, MAY_BE, (type(error),))))
        changes, sets = _changes(_parts(error), getattr(error, AS_CAUGHT, None))
        reraise = Reraise(kinds, None if changes is None else Recipe.of(changes, values), sets)
        builder.context.raised[id(reraise)] = reraise, held_by(_parts(error))
        error_itself = getattr(error, SAID, caught)  # which knows the call that it is about
        again = [value_in(builder, as_tensor(value)) for value in (error_itself, *values)]
        builder.add(reraise, again, location)
        return
    parts = _parts(error)
    op = Raise(Recipe.of(parts, values))
    builder.context.raised[id(op)] = op, held_by(parts)
    if _may_have_names(error):
        builder.context.named.add(op)
    builder.add(op, [value_in(builder, as_tensor(value)) for value in values], location)


def _told(error: BaseException, builder: Builder) -> BaseException:
    """What NumPy raises in the place of an error of ours, where a handler of the program's may see it."""
    if not isinstance(error, Error) or error.call is None:
        return error
    told = None if builder.watcher is None or builder.defaults.static_shapes else error.call.error()
    error.call = None  # which the graph cannot hold
    return error if told is None else told


def _may_have_names(error: BaseException) -> bool:
    """Whether what a `raise` of the user's raised was not made there: somebody else may have it, too."""
    trace = innermost(error)
    where = UNKNOWN if trace is None else location_of(trace)
    found = _RAISED.match(where.text) if where != UNKNOWN else None
    names = {kind.__name__ for kind in type(error).__mro__}
    return found is not None and found[1].rpartition(".")[2] not in names


def _parts(error: BaseException) -> exceptions.Parts:
    return exceptions.take_apart(error, lambda other: getattr(other, CAUGHT, None))


def note_caught(error: BaseException, *, has_all: bool) -> None:
    """Notes what stands for an exception of the graph is like before the program does anything with it.

    With `has_all`, it has all that the exception has, and so have those behind it.
    """
    builder = builder_in_use()
    parts = _of_program(_parts(error))
    attributes, fields = [
        {name: _copied(value) for name, value in own.items()} for own in (parts.attributes, parts.fields)
    ]
    args = tuple(map(_copied, parts.args))
    vars(error)[AS_CAUGHT] = replace(parts, args=args, attributes=attributes, fields=fields)
    if has_all:
        builder.context.caught[value_in(builder, getattr(error, CAUGHT))] = parts


def _changes(
    found: exceptions.Parts, before: exceptions.Parts | None
) -> tuple[exceptions.Parts | None, tuple[str, ...]]:
    """What the program has changed in an exception that it has caught: attributes, and what else is named."""
    if before is None:
        return None, ()
    found = _of_program(found)
    attributes = _changed(found.attributes, before.attributes)
    fields = _changed(found.fields, before.fields)
    has_cause = found.hides_context != before.hides_context or not _is_same_behind(found.cause, before.cause)
    are_others = {
        exceptions.ARGS: not _is_same_nest(found.args, before.args),
        exceptions.CAUSE: has_cause,
        exceptions.CONTEXT: not _is_same_behind(found.context, before.context),
    }
    sets = tuple([name for name, is_other in are_others.items() if is_other])
    if not (sets or attributes or fields):
        return None, ()
    own = {name: getattr(found, name) for name in sets}
    args, hides = own.pop(exceptions.ARGS, ()), found.hides_context
    return exceptions.Parts(found.kind, args, attributes, fields, hides_context=hides, **own), sets


def _changed(found: Mapping[str, Any], before: Mapping[str, Any]) -> dict[str, Any]:
    """Those that are others than before, or hold others."""
    return {
        name: value
        for name, value in found.items()
        if name not in before or not _is_same_nest(value, before[name])
    }


def _is_same_nest(one: Any, other: Any) -> bool:
    (leaves, structure), (others, second) = flatten(opened(one)), flatten(opened(other))
    return structure == second and _are_same(leaves, others)


def _copied(nest: Any) -> Any:
    return map_leaves(lambda leaf: leaf, opened(nest))


def _are_same(one: Sequence[Any], other: Sequence[Any]) -> bool:
    return len(one) == len(other) and all(map(operator.is_, one, other))


def _is_same_behind(one: exceptions.Parts | str | None, other: exceptions.Parts | str | None) -> bool:
    """Whether what is behind an exception is what was behind it."""
    if isinstance(one, exceptions.Parts) and isinstance(other, exceptions.Parts):
        return one.itself is not None and one.itself is other.itself
    return one is other or one == other == exceptions.CAUSE


def _of_program(parts: Any) -> Any:
    """Parts without the attributes that are for us, and so are those behind them."""
    if not isinstance(parts, exceptions.Parts):
        return parts
    own = {name: value for name, value in parts.attributes.items() if name not in _OURS}
    behind = {"cause": _of_program(parts.cause), "context": _of_program(parts.context)}
    return replace(parts, attributes=own, **behind)


def needs_graph(error: BaseException, builder: Builder) -> bool:
    """Whether `error`, with which the tracing of `graph` ends, cannot be raised at once.

    Either its values are only known when the graph runs, or something must happen before it.
    """
    if is_stand_in(error) or builder.effects.must_run:
        return True
    leaves, _ = flatten(opened(_parts(error)))
    return any(isinstance(leaf, (Tensor, Value)) for leaf in leaves)


def is_stand_in(error: BaseException) -> bool:
    """Whether an exception stands for one that the graph has caught."""
    return getattr(error, CAUGHT, None) is not None


def is_of_program(error: BaseException, folders: Sequence[str] = ()) -> bool:
    """Whether the program itself raises `error` when it gets there, so that its graph has to.

    That is so for what a `raise` of the user's raises, and for what the values at hand are to blame for: a
    missing key, an assertion that does not hold, a variable without a value. Our own complaints about how it
    is traced are raised while it is. A `TypeError`, an `AttributeError` or a `NameError` that nobody has
    raised may be one: whoever knows what values of a graph stand for has to look.

    Parameters
    ----------
    error : BaseException
    folders : sequence of str
        Folders of ours whose files do what a statement of the user's would do in their place.
    """
    if is_stand_in(error):
        return True
    if isinstance(error, (RecursionError, MemoryError)) or not isinstance(error, (Exception, SystemExit)):
        return False
    if is_of_signal(error):
        return False
    if type(error) is OverflowError and _NO_ROOM in str(error):  # of a number that the program has
        return True
    if (
        _stands_at_raise(error) or type(error) is ExceptionGroup
    ):  # what `except*` leaves of one was raised before
        return True
    if type(error).__module__.startswith(_OWN_PACKAGE):
        return isinstance(error, InvalidArgument) and not isinstance(error, DTypeError)
    if isinstance(error, NameError):
        return isinstance(error, UnboundLocalError) or _FREE_VARIABLE in str(error)
    trace = innermost(error)
    if trace is None or isinstance(error, Warning) or _is_of_interpreter(error):
        return False
    return location_of(trace) != UNKNOWN or trace.tb_frame.f_code.co_filename.startswith(tuple(folders))


def _is_of_interpreter(error: BaseException) -> bool:
    """Whether it may be what Python, or NumPy, says of a value of the graph that lacks something.

    Of a class of its own, as `FrozenInstanceError` is, it says what the code found out that raised it.
    """
    kind = type(error)
    is_of_numpy = kind.__module__.partition(".")[0] == "numpy"
    return isinstance(error, (TypeError, AttributeError)) and (
        kind in {TypeError, AttributeError} or is_of_numpy
    )


def refusal_behind(error: BaseException) -> NoConcreteValue | None:
    """What has refused a value of the graph, where code of C has made another error of that.

    NumPy says "setting an array element with a sequence" of anything that is no number.
    """
    cause = error.__cause__
    return cause if isinstance(cause, NoConcreteValue) and not is_raised(error) else None


def is_raised(error: BaseException) -> bool:
    """Whether a `raise` of the user's raised it, or an `assert`, and no handler of a signal."""
    return _stands_at_raise(error) and not is_of_signal(error)


def _stands_at_raise(error: BaseException) -> bool:
    """Whether it was raised where a `raise` of the user's is, or an `assert`, which may be a call of ours."""
    trace = innermost(error)
    if trace is None:
        return False
    where = location_of(trace)
    if type(error) is not AssertionError:
        return where != UNKNOWN and _RAISE.match(where.text) is not None
    if where == UNKNOWN and is_ours(trace.tb_frame.f_code.co_filename):
        where = location_of(error.__traceback__)
    return where != UNKNOWN and _RAISE_OR_ASSERT.match(where.text) is not None


def is_at_users_line(error: BaseException) -> bool:
    """Whether the interpreter raised it at a line of the user's, and no function that was called there."""
    trace = innermost(error)
    return trace is not None and location_of(trace) != UNKNOWN


_OWN_PACKAGE = f"{__name__.partition('.')[0]}."

_FREE_VARIABLE = "cannot access free variable"
"""What Python says of a variable of a function around that has no value."""

_NO_ROOM = "out of bounds for"
"""What NumPy says of an int of Python's own that no element of a dtype is: it is asked while we trace."""

_RAISE = re.compile(r"raise\b")
_RAISE_OR_ASSERT = re.compile(r"(raise|assert)\b")

_RAISED = re.compile(r"raise\s+([\w.]*)")
"""A `raise`, with the name of what is raised, or called there."""


def is_of_signal(error: BaseException) -> bool:
    """Whether the handler of a signal raised it, in the middle of what was traced: no run has to raise it."""
    trace, ran = error.__traceback__, set[CodeType]()
    while trace is not None:
        ran.add(trace.tb_frame.f_code)
        trace = trace.tb_next
    return not ran.isdisjoint(_handling())


def _handling() -> Iterator[CodeType]:
    """The code of the handlers of signals that are set now."""
    library: Any = sys.modules.get("signal")  # where nobody has loaded it, none is set
    for number in () if library is None else library.valid_signals():
        handler: Any = library.getsignal(number)
        while isinstance(handler, partial | MethodType):
            handler = handler.func if isinstance(handler, partial) else handler.__func__
        code = getattr(handler, "__code__", None) or getattr(type(handler).__call__, "__code__", None)
        if isinstance(code, CodeType):
            yield code


def innermost(error: BaseException) -> TracebackType | None:
    """Where it was raised."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return trace
