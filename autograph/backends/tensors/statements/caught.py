"""Stand-ins for exceptions that the graph catches: what a handler has in hand while it is traced."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial, reduce
from typing import Any, NoReturn

import numpy as np

from autograph.backends.tensors.arrays.arrays import note_array
from autograph.backends.tensors.containers.sharing import ids_within, note_copies
from autograph.backends.tensors.statements.made_inside import LeftOpen
from autograph.backends.tensors.statements.undecided import Undecided, Unsaid
from autograph.backends.tensors.text.strings import Text
from autograph.backends.tensors.text.text import SAYS_ITSELF
from autograph.staging import heap
from autograph.staging.backend import Body
from autograph.staging.context import staging
from autograph_base.named_tuple import NamedTuple
from runtime import ops
from runtime.core import shapes
from runtime.core.dtypes import result_type
from runtime.core.exceptions import CAUSE, Parts, put_together
from runtime.core.instances import is_plain_class, set_own
from runtime.core.spec import ArraySpec, ErrorSpec, Spec, TextSpec, as_array_spec
from runtime.core.structure import Level, flatten, level_of
from runtime.core.taken_apart import take_apart
from runtime.core.tensor import Tensor
from runtime.core.text import Apply, Slot
from runtime.errors import StateDisagrees, of_python, only_in_graphs
from runtime.graph.build import as_tensor, bind, builder_in_use, current_defaults, is_weak, value_in
from runtime.graph.location import caller_location
from runtime.graph.symbol import Symbol
from runtime.graph.whose_numbers import note_whose, one_of, seen_from, whose
from runtime.ops.control_flow.carried import Carried
from runtime.ops.control_flow.tracing import note_meeting
from runtime.ops.control_flow.try_catch import Caught, CaughtForm, Form, Step, form_of
from runtime.ops.filled import Filled, closed
from runtime.ops.raising import CAUGHT, MAY_BE, SAID, note_caught

__all__ = ["Passing", "in_each_form", "stand_in"]


class Passing(BaseException):  # what no clause of the user's fits: only `finally` sees it pass
    """Stands for an exception that a statement lets go."""


def stand_in(
    kind: type[BaseException],
    error: Tensor,
    known: Sequence[Parts],
    may_be: Iterable[type[BaseException]] = (),
    *,
    has_others: bool = False,
    has_names: bool = True,
    about: Callable[[Tensor], Tensor] | None = None,
) -> BaseException:
    """An exception of this class for the one that `error` is when the graph runs.

    Parameters
    ----------
    kind : type
    error : Tensor
        A value of the graph.
    known : sequence of Parts
        The exceptions that it may be, where all of them are known: then it has their arguments and
        attributes. Otherwise its only argument is what it says, as text.
    may_be : iterable of type
        Of which classes it may be, where nobody has asked for one.
    has_others : bool
        Whether there may be exceptions behind it that nobody knows of, where it is none that is known.
    has_names : bool
        Whether the program may have it in another variable, too.
    about : callable, optional
        Gives the same exception, which knows which call of NumPy's it is about.
    """
    if kind is Passing:
        found: BaseException = Passing()
        vars(found)[MAY_BE] = tuple(may_be)
    else:
        keeps = current_defaults().static_shapes or only_in_graphs(kind)
        own = kind if keeps else of_python(kind)  # TensorFlow's names keep it
        common = _common(error, known) if own is kind else None
        says_itself = common is None
        said = error if keeps or about is None else about(error)
        if common is None:
            is_known = own is kind and len({len(parts.args) for parts in known}) == 1
            args = _args(error, known) if is_known else (_text(said, (), is_pythons=not keeps),)
            common = Parts(own, tuple(args), {}, {})
        found = put_together(common)
        if says_itself:
            vars(found).update({SAYS_ITSELF: True, SAID: said})
        else:
            take_apart(found)
        _put_behind(found, error, known, has_others=has_others)
    vars(found)[CAUGHT] = error
    if kind is not Passing:
        is_whole = not (
            says_itself or type(found.__cause__) is Undecided or type(found.__context__) is Undecided
        )
        note_caught(found, has_all=is_whole)
    staging.taken[id(found)] = _Handled(found, has_names)
    return found


def in_each_form(
    error: Tensor, known: Sequence[Parts], handle: Callable[[Sequence[Parts]], None], *, has_others: bool
) -> tuple[Tensor | int, list[tuple[int, Body]]]:
    """The number of the form that `error` has, and what handles the exceptions of each that it may have.

    With `has_others` it may be none that is known, and say no more than a text.
    """
    groups: dict[Form, list[Parts]] = {}
    for parts in known:
        args, attributes = [*map(_bare, parts.args)], {k: _bare(v) for k, v in parts.attributes.items()}
        groups.setdefault(form_of(args, attributes, (str, Text)), []).append(parts)
    if has_others:
        groups.pop(_TEXT, None)
        groups[_TEXT] = []
    number = bind(CaughtForm(tuple(groups)), error) if len(groups) > 1 else 0
    return number, [(index, partial(handle, group)) for index, group in enumerate(groups.values())]


_TEXT = form_of(("",), {})
"""The form of an exception that says something, and no more."""


class _Handled(NamedTuple):
    """What a handler has in hand: it stands for an exception of the run."""

    error: BaseException
    has_names: bool

    def change(self) -> None:
        """Hears that it is about to be changed: whoever raises it again has the graph do so."""
        if self.has_names:
            raise StateDisagrees(
                f"a {type(self.error).__name__} that was caught is changed, and may have another name",
                where=caller_location(),
                why="A graph knows what an exception says and holds, and not which object was raised.",
                way_out="Make the exception in its `raise`, or give it what it is to hold before.",
            )

    def may_be_one(self, one: Any, other: Any) -> bool:
        """Whether both may be the exception that was raised."""
        kinds = type(one), type(other)
        return all(issubclass(kind, BaseException) for kind in kinds) and (
            issubclass(*kinds) or issubclass(*reversed(kinds))
        )

    def refuse_identity(self) -> NoReturn:
        """Says that somebody asks which object it is."""
        raise StateDisagrees(
            f"whether a {type(self.error).__name__} that was caught is another exception shows in the run",
            where=caller_location(),
            why="A graph knows what an exception says and holds, and not which object was raised.",
            way_out="Compare what they hold: their classes, arguments or attributes.",
        )


def _put_behind(found: BaseException, error: Tensor, known: Sequence[Parts], *, has_others: bool) -> None:
    """Gives what stands for `error` the exceptions behind that."""
    if not known and has_others:
        set_own(found, "__cause__", Undecided())
        set_own(found, "__context__", found.__cause__)
    elif known:
        cause = _behind(error, "__cause__", [each.cause for each in known])
        set_own(found, "__cause__", cause)
        if all(each.context == CAUSE for each in known):
            set_own(found, "__context__", cause)
        else:
            contexts = [each.cause if each.context == CAUSE else each.context for each in known]
            set_own(found, "__context__", _behind(error, "__context__", contexts))
    hides_context = bool(known) and all(each.hides_context for each in known)
    set_own(found, "__suppress_context__", hides_context)


def _behind(error: Tensor, name: str, known: Sequence[Any]) -> BaseException | None:
    """What stands for the exception that `error` has as this attribute, which is like one of these."""
    parts = [each for each in known if each is not None]
    if not parts:
        return None
    kinds = {each.kind for each in parts}
    if len(kinds) > 1 or len(parts) < len(known) or kinds == {Undecided}:
        return Undecided()
    return stand_in(parts[0].kind, bind(Caught((name,), ErrorSpec()), error), parts)


def _common(error: Tensor, known: Sequence[Parts]) -> Parts | None:
    """What all known exceptions have in common, with the rest taken from `error`; None where they differ."""
    if not known or any(SAYS_ITSELF in each.attributes for each in known):
        return None
    first = known[0]
    alike = all(
        len(each.args) == len(first.args) and set(each.attributes) == set(first.attributes) for each in known
    )
    if not alike:
        return None
    args = _args(error, known)
    attributes = {name: _attribute(error, known, name, args) for name in first.attributes}
    names = {name for each in known for name in each.fields} - _OF_OBJECTS
    fields = {name: _field(error, known, name, args) for name in names}
    if any(each is _UNKNOWN for each in (*attributes.values(), *fields.values())) or any(
        isinstance(each, Unsaid) for each in args
    ):
        return None
    return replace(
        first, args=tuple(args), attributes=attributes, fields=fields, cause=None, context=None, itself=None
    )


def _attribute(error: Tensor, known: Sequence[Parts], name: str, args: Sequence[Any]) -> Any:
    """An attribute of `error`: where it is an argument in all of these, it is that one."""
    values = [each.attributes[name] for each in known]
    for index, argument in enumerate(args):
        pairs = zip(values, known, strict=True)
        if all(isinstance(value, Carried) and _are_one(value, each.args[index]) for value, each in pairs):
            return _UNKNOWN if isinstance(argument, Unsaid) else argument
    return _component(error, (name,), values)


def _args(error: Tensor, known: Sequence[Parts]) -> list[Any]:
    """The arguments of `error`, which has as many as each of these."""
    columns = enumerate(zip(*[each.args for each in known], strict=True))
    found = [_component(error, ("args", index), column) for index, column in columns]
    return [Unsaid() if each is _UNKNOWN else each for each in found]


_UNKNOWN = object()

_OF_OBJECTS = frozenset({"obj"})
"""What C keeps that says which object it is about: of several exceptions there are several."""


def _field(error: Tensor, known: Sequence[Parts], name: str, args: Sequence[Any]) -> Any:
    """What C keeps of its own in an exception: the same in all, or what its constructor has made of `args`.

    That is `value` of a `StopIteration`, `code` of a `SystemExit`, `errno` of an `OSError`.
    """
    values = [each.fields.get(name) for each in known]
    alike = all(value is values[0] or _is_equal(value, values[0]) for value in values)
    if alike and not _has_tensors(values[0]):
        return values[0]
    for index, argument in enumerate(args):
        if all(_are_one(value, each.args[index]) for value, each in zip(values, known, strict=True)):
            return argument
    bare = [*map(_bare, values)]
    are_all = all(
        type(value) is tuple and len(value) == len(each.args) and all(map(_are_one, value, each.args))
        for value, each in zip(bare, known, strict=True)
    )
    if are_all:
        return tuple(args)
    if any(isinstance(value, Text) or _has_tensors(value) for value in bare):
        kind = known[0].kind.__name__
        raise StateDisagrees(
            f"`{name}` of a caught {kind} is a value of the run, and none of its arguments",
            where=caller_location(),
            why="A graph keeps the arguments of an exception, and the attributes that a program gives it.",
            way_out="Give it an attribute of your own that holds the value, in a class derived from it.",
        )
    return _component(error, (name,), values)


def _component(error: Tensor, path: tuple[Step, ...], values: Sequence[Any]) -> Any:
    """An argument or an attribute of `error`, which is like one of these values."""
    if any(isinstance(value, Carried) for value in values):
        return _carried(error, path, values)
    is_one = all(value is values[0] or _is_equal(value, values[0]) for value in values)
    if is_one and not _has_tensors(values[0]):
        return values[0]
    if all(isinstance(value, (str, Text)) for value in values):
        return _text(error, path)
    if all(isinstance(value, (Tensor, bool, int, float, complex)) for value in values):
        found = bind(Caught(path, reduce(_join, [as_tensor(value).spec for value in values])), error)
        builder = builder_in_use()
        note_array(found, *values)
        note_whose(value_in(builder, found), seen_from(builder, one_of([*map(whose, values)])))
        note_meeting(builder, _name(path), values, [value_in(builder, found)], caller_location())
        return ops.stands_for_python(found) if all(map(_is_pythons, values)) else found
    levels = [level_of(value) for value in values]
    form, steps = (None, None) if levels[0] is None else (levels[0][0], _steps(levels[0][0], values[0]))
    if form is None or steps is None or any(each is None or each[0] != form for each in levels):
        return _UNKNOWN
    columns = zip(*[each[1] for each in levels if each is not None], strict=True)
    items = [_component(error, (*path, step), column) for step, column in zip(steps, columns, strict=True)]
    return _UNKNOWN if any(item is _UNKNOWN for item in items) else closed(form.build(items))


def _steps(form: Level, value: Any) -> Sequence[Step] | None:
    """How the items of a container are reached, or the attributes of an instance; None where nobody knows."""
    if isinstance(value, dict) or (isinstance(value, Filled) and value.kind is not deque):
        return [(key,) for key in form.keys] if {*map(type, form.keys)} <= {int, str} else None
    is_plain = isinstance(value, Filled | list | tuple) or is_plain_class(form.kind)
    return form.keys if is_plain and type(value) is form.kind else None


def _bare(value: Any) -> Any:
    """What a part of an exception held when that was raised."""
    return value.value if isinstance(value, Carried) else value


def _carried(error: Tensor, path: tuple[Step, ...], values: Sequence[Any]) -> Any:
    """An object of the program's that `error` has in it: the one that was there before, or a copy."""
    held = [each.held for each in values if isinstance(each, Carried)]
    are_there = [isinstance(each, Carried) and each.was_there for each in values]
    if any(are_there):
        is_one = all(are_there) and all(each is held[0] for each in held)
        return heap.current(held[0]) if is_one else _UNKNOWN
    found = _component(error, path, [*map(_bare, values)])
    if found is not _UNKNOWN:
        there = ids_within([heap.current(each.held) for value in values for each in _there_in(value)])
        outdated = {key: pair for key, pair in staging.outdated.items() if not isinstance(pair[1], LeftOpen)}
        for each in held:  # of one that is left open the exception says what it holds
            note_copies([heap.as_moved(each)], [found], [_name(path)], 0, kept=there, outdated=outdated)
    return found


def _there_in(value: Any) -> Iterator[Carried]:
    """What was there before the statement, in what its body has made."""
    for leaf in flatten(_bare(value))[0]:
        if isinstance(leaf, Carried) and leaf.was_there:
            yield leaf
        elif isinstance(leaf, Carried):
            yield from _there_in(leaf)


def _name(path: tuple[Step, ...]) -> str:
    """What messages call an argument or an attribute of an exception."""
    first, *others = path
    return f"error.{first}" + "".join(f"[{each!r}]" for each in others)


def _is_pythons(value: Any) -> bool:
    """Whether plain Python has a number of its own there."""
    return is_weak(value) if isinstance(value, Tensor) else not isinstance(value, np.generic)


def _text(error: Tensor, path: tuple[Step, ...], *, is_pythons: bool = False) -> Text:
    return Text(Apply("str", (Slot(),)), [bind(Caught(path, TextSpec(), is_pythons), error)])


def _has_tensors(value: Any) -> bool:
    return any(isinstance(leaf, (Tensor, Carried)) for leaf in flatten(value)[0])


def _are_one(left: Any, right: Any) -> bool:
    """Whether two are one object, or one value of the graph."""
    if isinstance(left, Carried) and isinstance(right, Carried):
        return left.held is right.held
    return left is right or (
        isinstance(left, Symbol) and isinstance(right, Symbol) and left.value is right.value
    )


def _is_equal(left: Any, right: Any) -> bool:
    """Whether two numbers or strings are the same."""
    return (
        type(left) is type(right) and isinstance(left, (str, bytes, bool, int, float)) and bool(left == right)
    )


def _join(left: Spec, right: Spec) -> Spec:
    """The spec of a number or tensor that is one of two."""
    one, other = as_array_spec(left), as_array_spec(right)
    return ArraySpec(shapes.join(one.shape, other.shape), result_type(one.dtype, other.dtype))
