"""Values that may be missing: a validity bit beside a value, checked where the value is used.

A variable that only one branch of a staged `if` assigns, or that a staged loop assigns for the first time,
is a `MaybeUndefined`; a value that is None on some paths is a `MaybeNone`. Both are made by joining two
outcomes, carry the bit through further statements, and raise when the graph runs what Python would raise.
"""

from __future__ import annotations

from abc import abstractmethod
from collections import defaultdict, deque
from collections.abc import Callable, Iterator, Sequence
from copy import copy
from functools import partial
from types import ModuleType
from typing import Any

import numpy as np

from autograph.backends.tensors.containers import set_later
from autograph.backends.tensors.containers.lists import Staged, StagedTuple
from autograph.backends.tensors.containers.other_names import other_names
from autograph.backends.tensors.objects import choices
from autograph.backends.tensors.objects.choices import choose, is_constant, used
from autograph.backends.tensors.objects.proxies import EveryName, write_operators
from autograph.backends.tensors.text.strings import Text
from autograph.staging.announcing import note_deleted, note_item
from autograph.staging.context import staging
from autograph.staging.dispatch import ATOMS
from autograph.staging.heap import leads_on
from autograph.staging.places import Attribute, set_left_in
from autograph.staging.spoken import called
from autograph.staging.state import OF_VARIABLES, Missing, Undefined
from runtime import ops
from runtime.core.containers import register
from runtime.core.instances import attributes_of, leave_out
from runtime.core.tensor import Operators, Tensor
from runtime.core.text import Apply, Slot, current_marks, mark_text
from runtime.errors import NoConcreteValue, StateDisagrees
from runtime.graph.build import as_tensor, current_builder, is_symbolic
from runtime.graph.builder import Builder
from runtime.graph.graph import Node
from runtime.graph.location import caller_location
from runtime.ops.control_flow.tracing import ABSENT, predicate
from runtime.ops.examples import like
from runtime.ops.validity import require

__all__ = [
    "MaybeNone",
    "MaybeUndefined",
    "builtin_class",
    "left_in",
    "like_operand",
    "refused_by_python",
    "require_known_names",
]


class _Checked:
    """Where a validity bit was checked already: from then on it holds in that graph, and in those inside.

    That is so for as long as the check stands there: the body of a `try` takes it along, or is traced anew.
    """

    __slots__ = ("_checks",)

    def __init__(self) -> None:
        self._checks: dict[Builder, tuple[int, Node]] = {}

    def require(self, valid: Any, error: type[Exception], message: str) -> None:
        """Checks the bit unless the graph has done so."""
        builder = current_builder()
        if self.is_done():
            return
        require(valid, error, message)
        if builder is not None and builder.nodes:
            self._checks[builder] = len(builder.nodes) - 1, builder.nodes[-1]

    def is_done(self) -> bool:
        """Whether the graph has checked the bit."""
        builder = current_builder()
        return builder is not None and any(map(self._has_checked, (builder, *builder.ancestors())))

    def _has_checked(self, builder: Builder) -> bool:
        """Whether a check stands in a graph: where it was, unless a `try` has taken nodes away."""
        index, check = self._checks.get(builder, (0, None))
        if check is None:
            return False
        nodes = builder.nodes
        return (index < len(nodes) and nodes[index] is check) or any(node is check for node in nodes)


class _Maybe(EveryName, Operators):
    """A value that may be missing. Whoever computes with it means the value."""

    __slots__ = ()
    ag__valid: Any
    ag__value: Any

    @abstractmethod
    def ag__present(self) -> Any:
        """The value; the graph raises where it is missing."""

    def ag__operand(self, use: Callable[..., Any], *others: Any) -> Any:  # noqa: ARG002  # who is asked for it
        """The value, for `use` of it and these others."""
        return self.ag__present()

    def ag__attribute(self, name: str) -> Any:
        return getattr(self.ag__present(), name)

    def ag__each(self, use: Callable[[Any], Any]) -> Any:
        return use(self.ag__present())

    def __tensor__(self) -> Tensor:
        return as_tensor(self.ag__present())

    def __getitem__(self, index: Any) -> Any:
        return self.ag__operand(lambda one: one[0])[index]

    def __setitem__(self, index: Any, value: Any) -> None:
        target = self.ag__present()
        note_item(target, index)
        target[index] = value

    def __delitem__(self, index: Any) -> None:
        target = self.ag__present()
        note_deleted(target, index)
        del target[index]

    def __iter__(self) -> Iterator[Any]:
        return iter(self.ag__operand(iter))

    def __len__(self) -> int:
        return len(self.ag__operand(len))

    def __call__(self, /, *arguments: Any, **options: Any) -> Any:
        return self.ag__operand(lambda one: one())(*arguments, **options)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.ag__value!r})"


def _of_value(maybe: _Maybe, use: Callable[..., Any], *others: Any) -> Any:
    return _used(maybe.ag__operand(use, *others), lambda value: use(value, *others))


def _of_value_and(maybe: _Maybe, other: Any, use: Callable[[Any, Any], Any]) -> Any:
    return _of_value(maybe, use, other)


def _used(value: Any, use: Callable[[Any], Any]) -> Any:
    """What an operator gives for the value: what is wrong for an object is wrong only where it is there."""
    return use(value) if isinstance(value, EveryName) else used(value, use)


write_operators(_Maybe, _of_value, _of_value_and, is_constant)


@called("value or nothing")
@leads_on
class MaybeUndefined(Undefined, _Maybe):
    """A variable, or an attribute, that has a value on some paths only.

    Parameters
    ----------
    name : str
        The variable.
    valid : Tensor of one bool
        Whether it has one.
    value : nest of tensors
        Its value there.
    missing : Missing
        What reading it raises where it has none.
    """

    __slots__ = ("ag__checked", "ag__missing", "ag__valid", "ag__value")
    ag__own = EveryName.ag__own | {"name", "read", "read_from_inner_function"}

    def __init__(self, name: str, valid: Any, value: Any, missing: Missing = OF_VARIABLES) -> None:
        staging.chosen = True
        object.__setattr__(self, "name", name)
        self.ag__valid = valid
        self.ag__value = value
        self.ag__missing = missing
        self.ag__checked = _Checked()

    def __repr__(self) -> str:
        if current_marks() is None or self.ag__missing.instead is not None:
            return super().__repr__()
        message = (
            f"all attributes are shown where there is no `{self.name}`, which only some paths have bound"
        )
        self.ag__checked.require(self.ag__valid, StateDisagrees, message)
        return repr(self.ag__value)

    def ag__present(self) -> Any:
        instead = self.ag__missing.instead
        if instead is not None:
            return choose(self.ag__valid, lambda: self.ag__value, instead)
        if self.ag__missing.text:
            message = self.ag__missing.text
        elif self.ag__missing.kind is StateDisagrees:
            other_names().know_open()
            message = (
                f"`{self.name}` is read where an exception was caught, and a `try` has made and changed it"
            )
        else:
            message = f"cannot access local variable '{self.name}' where it is not associated with a value"
        self.ag__checked.require(self.ag__valid, self.ag__missing.kind, message)
        return self.ag__value

    def read(self) -> Any:
        """The value; the graph raises UnboundLocalError where there is none."""
        return self.ag__present()

    def read_from_inner_function(self) -> Any:
        """The value; the graph raises NameError where there is none."""
        message = (
            f"cannot access free variable '{self.name}' where it is not associated with a value"
            " in enclosing scope"
        )
        self.ag__checked.require(self.ag__valid, NameError, message)
        return self.ag__value


def left_in(attribute: Attribute, is_own: Any, shown: Callable[[], Any] | None = None) -> Any:
    """What is left in an attribute that an object keeps itself where a tensor says so.

    Elsewhere it is what is `shown`, if anything is.
    """
    value, valid = attribute.get(), is_own
    if isinstance(is_own, bool):
        return value
    if isinstance(value, MaybeUndefined):  # its class has been asked already
        value, valid = value.ag__value, ops.logical_and(valid, value.ag__valid)
    missing = attribute.absence if shown is None else Missing(AttributeError, instead=shown)
    return MaybeUndefined(attribute.name, valid, value, missing)


set_left_in(left_in)


def require_known_names(value: Any) -> None:
    """Sees to it, in the run, that an object has the attributes that only some paths have bound."""
    if current_builder() is None:
        return
    is_shared = isinstance(value, type | ModuleType)
    for name, held in {**vars(value)}.items() if is_shared else attributes_of(value).items():
        place = Attribute(value, name)
        left = held if isinstance(held, MaybeUndefined) else left_in(place, place.is_own())
        if isinstance(left, MaybeUndefined):
            message = (
                f"all attributes of a {type(value).__name__} are asked for where it has no {name!r}, "
                f"which only some paths have bound: ask for it by name (`{name!r} in x.__dict__`)"
            )
            left.ag__checked.require(left.ag__valid, StateDisagrees, message)


@called("value or None")
@leads_on
class MaybeNone(_Maybe):
    """A value that is None on some paths.

    Parameters
    ----------
    valid : Tensor of one bool
        Whether it is something else than None.
    value : nest of tensors
        What it is there.
    """

    __slots__ = ("ag__checked", "ag__valid", "ag__value")

    def __init__(self, valid: Any, value: Any) -> None:
        staging.chosen = True
        self.ag__valid = valid
        self.ag__value = value
        self.ag__checked = _Checked()

    def ag__present(self, message: str = "", kind: type[Exception] = TypeError) -> Any:
        """The value; the graph raises what Python says of None, and is refused where nobody knows that."""
        if not message:
            kind, message = StateDisagrees, _NOT_NONE
        self.ag__checked.require(self.ag__valid, kind, message)
        return self.ag__value

    def ag__operand(self, use: Callable[..., Any], *others: Any) -> Any:
        """The value; the graph raises what Python says of None in its place."""
        alike = [*map(like_operand, others)]
        if any(each is NotImplemented for each in alike):
            return self.ag__present()
        for index, other in enumerate(others):
            if isinstance(other, MaybeNone):
                _require_one(self, other, partial(use, None, *alike[:index], None, *alike[index + 1 :]))
        error = refused_by_python(lambda: use(None, *alike))
        return self.ag__present() if error is None else self.ag__present(str(error), builtin_class(error))

    def __copy__(self) -> Any:
        return self.ag__either(copy)

    def ag__attribute(self, name: str) -> Any:
        said = _said(lambda: getattr(None, name))
        if not said and name != "__doc__":  # None has it, too
            raise NoConcreteValue(
                f"`{name}` of a value that is None on some paths",
                where=caller_location(),
                why="None has it as well, and only the run knows which of the two it is of.",
                way_out="Ask first whether it is None, or call the builtin: `repr(x)`, `format(x)`.",
            )
        self.ag__checked.require(self.ag__valid, AttributeError, said)
        return used(self.ag__value, lambda one: choices.read_attribute(one, name))

    def __setattr__(self, name: str, value: Any) -> None:
        if not name.startswith("ag__"):
            self.ag__checked.require(
                self.ag__valid, AttributeError, _said(lambda: setattr(None, name, value))
            )
        super().__setattr__(name, value)

    def ag__either(self, use: Callable[[Any], Any]) -> Any:
        """What `use` gives for the value, or for None."""
        return choose(self.ag__valid, lambda: _used(self.ag__value, use), lambda: used(None, use))

    @property
    def ag__has_axes(self) -> bool:
        """Whether the value is an array: with one, NumPy compares element by element, with None too."""
        is_array = isinstance(self.ag__value, Tensor | np.ndarray)
        return is_array and as_tensor(self.ag__value).static_shape != ()

    def __eq__(self, other: object) -> Any:
        return self.ag__either(lambda one: one == other)

    def __ne__(self, other: object) -> Any:
        equal = self == other
        return ops.logical_not(equal) if is_symbolic(equal) else not equal

    __hash__ = Operators.__hash__

    def __repr__(self) -> str:
        return self.ag__shown(repr)

    def __str__(self) -> str:
        return self.ag__shown(str)

    def ag__shown(self, show: Callable[[Any], str]) -> str:
        marks = current_marks()
        if marks is None:
            return super().__repr__()
        text, tensors = marks.read(show(self.ag__value))
        template = Apply("pick", (Slot(is_number=True), "None", text))
        return mark_text(template, [as_tensor(self.ag__valid), *tensors]) or ""

    def ag__truth(self) -> Any:
        """Whether the value is true; None is not."""
        return ops.logical_and(self.ag__valid, predicate(self.ag__value, "if"))


def _require_one(left: MaybeNone, right: MaybeNone, use: Callable[[], Any]) -> None:
    """Has the graph raise what Python says where both values are None: it names both."""
    error = refused_by_python(use)
    if error is not None and not left.ag__checked.is_done() and not right.ag__checked.is_done():
        require(ops.logical_or(left.ag__valid, right.ag__valid), builtin_class(error), str(error))


def like_operand(other: Any) -> Any:
    """What an operator says the same of as of another operand; `NotImplemented` where nobody knows."""
    if isinstance(other, MaybeNone):
        return like_operand(other.ag__value)
    if isinstance(other, Text):
        return ""
    if isinstance(other, Tensor | np.ndarray | np.generic) or type(other) in ATOMS:
        return like(other)
    kind = other.built if isinstance(other, Staged | StagedTuple) else type(other)
    return kind() if kind in _CONTAINERS else NotImplemented


_CONTAINERS = frozenset({list, dict, set, tuple, deque, frozenset, defaultdict})


_NOT_NONE = (
    "a number or a container is needed here, not None: ask first whether it is one, `if x is not None`"
)
"""What is said where Python might take None, and a graph does not."""


def refused_by_python(use: Callable[[], Any]) -> Exception | None:
    """What Python, or NumPy, raises of None where it will not do; None where it will."""
    try:
        use()
    except (AttributeError, IndexError, TypeError, ValueError) as error:
        return error
    return None


def builtin_class(error: Exception) -> type[Exception]:
    """The first of Python's own classes that an exception is of."""
    return next(each for each in type(error).__mro__ if each.__module__ == "builtins")


def _said(use: Callable[[], Any]) -> str:
    """What Python says of None where it will not do; nothing where it will."""
    error = refused_by_python(use)
    return "" if error is None else str(error)


def _known(valid: Any) -> bool | None:
    """The bit, once the graph has run."""
    if current_builder() is not None or valid is ABSENT or is_symbolic(valid):
        return None
    return bool(valid)


def _build_undefined(
    kind: type, keys: Sequence[Any], children: Sequence[Any], extra: tuple[str, Missing]
) -> Any:
    del kind, keys
    valid, value = children
    name, missing = extra
    match _known(valid):
        case None:
            return MaybeUndefined(name, valid, value, missing)
        case True:
            return value
    return Undefined(name)


def _build_none(kind: type, keys: Sequence[Any], children: Sequence[Any], extra: None) -> Any:
    del kind, keys, extra
    valid, value = children
    match _known(valid):
        case None:
            return MaybeNone(valid, value)
        case True:
            return value
    return None


_PARTS = ("valid", "value")
register(
    MaybeUndefined,
    lambda maybe: (_PARTS, (maybe.ag__valid, maybe.ag__value), (maybe.name, maybe.ag__missing)),
    _build_undefined,
    lambda _, inside: f"{inside[1]} or no value",
)
register(
    MaybeNone,
    lambda maybe: (_PARTS, (maybe.ag__valid, maybe.ag__value), None),
    _build_none,
    lambda _, inside: f"{inside[1]} or None",
)
set_later.optional = MaybeNone
leave_out(Undefined)
