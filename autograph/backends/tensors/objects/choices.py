"""`OneOf`: one of several Python objects, picked by a tensor (a function, a string, a list, any object).

The graph holds the number of the choice, and the tensors inside of the candidates. Whatever is done with the
object is done with each candidate, in the branches of an `if` on the number; a function of the graph gives
its caller the one that was chosen.

What builtins ask of candidates that never change (`len(word)`, `word == "up"`, `kind is Kind.A`) needs no
branches: every answer is known while the graph is built, and the number picks one of them.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Sequence
from enum import Enum
from functools import partial
from itertools import product
from math import prod
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any, NoReturn

import numpy as np

from autograph.backends.tensors.containers.becoming import is_number
from autograph.backends.tensors.containers.equality import set_branching
from autograph.backends.tensors.containers.lists import changes_in_place
from autograph.backends.tensors.containers.other_names import other_names
from autograph.backends.tensors.iteration import ordering
from autograph.backends.tensors.objects.proxies import EveryName, write_operators
from autograph.backends.tensors.text.strings import Text, parts_of
from autograph.staging.announcing import note_deleted, note_inside, note_item, note_missing
from autograph.staging.attributes import in_classes
from autograph.staging.builtins import announce_changes
from autograph.staging.context import staging
from autograph.staging.dispatch import ATOMS
from autograph.staging.heap import current, ld, leads_on
from autograph.staging.places import Attribute
from autograph.staging.spoken import called
from autograph.staging.state import Undefined
from runtime import ops
from runtime.core.containers import register
from runtime.core.structure import level_of
from runtime.core.tensor import Operators, Tensor
from runtime.core.text import Apply, Slot, current_marks, mark_text, marking
from runtime.errors import NoConcreteValue, NotASequence, StateDisagrees
from runtime.graph.build import as_tensor, current_builder, is_symbolic
from runtime.graph.location import caller_location
from runtime.ops.control_flow import NoOutcome
from runtime.ops.control_flow.tracing import is_tensor
from runtime.ops.raising import record

__all__ = [
    "MOST_CANDIDATES",
    "MOST_CONSTANTS",
    "TAKE_BY_INDEX",
    "OneOf",
    "as_text",
    "asked",
    "attribute",
    "candidates_of",
    "choose",
    "each",
    "is_choice",
    "is_constant",
    "is_numbered",
    "number_of",
    "one_of",
    "over",
    "possible_values",
    "require_few",
    "selected",
    "set_chooser",
    "used",
]

MOST_CANDIDATES = 16
"""Objects that one variable may choose between: each of them becomes a branch wherever it is used."""

MOST_CONSTANTS = 64
"""The same, of strings and other objects that never change: questions about them need no branch."""

MOST_ANSWERS = 1024
"""Answers that are computed while the graph is built, where several chosen objects meet."""

Thunk = Callable[[], Any]

_choose: Callable[[Any, Thunk, Thunk], Any] | None = None


def set_chooser(choose: Callable[[Any, Thunk, Thunk], Any]) -> None:
    """Says how an expression is chosen by a tensor; `branches` knows, which in turn joins choices."""
    global _choose  # noqa: PLW0603  (set once, at import)
    _choose = choose


def choose(test: Any, body: Thunk, orelse: Thunk) -> Any:
    """The value of one of two expressions."""
    assert _choose is not None, "the backend is loaded by now"
    return _choose(test, body, orelse)


set_branching(choose)


@called("one of several objects")
@leads_on
class OneOf(EveryName):
    """One of several objects. Every attribute is one of theirs: `candidates_of` and `number_of` ask for ours.

    Parameters
    ----------
    number : integer Tensor without axes
        Which of them.
    candidates : tuple of nest
        What is in them means something where they are chosen.
    """

    __slots__ = ("ag__candidates", "ag__number")
    ag__number: Any
    ag__candidates: tuple[Any, ...]

    def __init__(self, number: Any, candidates: tuple[Any, ...]) -> None:
        staging.chosen = True
        object.__setattr__(self, "ag__number", number)
        object.__setattr__(self, "ag__candidates", candidates)

    def ag__attribute(self, name: str) -> Any:
        return attribute(self, name)

    def ag__each(self, use: Callable[[Any], Any]) -> Any:
        return each(self, use)

    def __call__(self, /, *arguments: Any, **options: Any) -> Any:
        def call(candidate: Any) -> Any:
            announce_changes(candidate, arguments)
            return candidate(*arguments, **options)

        return each(self, call)

    def __hash__(self) -> int:
        return int(_common(self, hash, "hash"))

    def __bool__(self) -> bool:
        return bool(_common(self, bool, "truth"))

    def __len__(self) -> int:
        return int(_common(self, len, "length"))

    def __contains__(self, item: object) -> bool:
        return bool(_common(self, lambda candidate: item in candidate, "answer to `in`"))

    def __getitem__(self, index: Any) -> Any:
        def item(candidate: Any) -> Any:
            note_missing(candidate, index)
            return candidate[index]

        return over((self,), item)

    def __setitem__(self, index: Any, value: Any) -> None:
        def assign(candidate: Any) -> None:
            note_item(candidate, index)
            candidate[index] = value

        each(self, assign)

    def __delitem__(self, index: Any) -> None:
        def delete(candidate: Any) -> None:
            note_deleted(candidate, index)
            del candidate[index]

        each(self, delete)

    def __iter__(self) -> Iterator[Any]:
        if is_constant(self):
            return iter(asked((self,), list))
        return iter(each(self, list))

    def __tensor__(self) -> Tensor:
        message = f"a number or an array is needed here, and a tensor chooses between {_listed(self)}"
        if not any(map(_may_be_tensor, candidates_of(self))):
            raise TypeError(message)

        def value(candidate: Any) -> Tensor:
            if not _may_be_tensor(candidate):
                raise TypeError(message)
            return +as_tensor(candidate)

        found = each(self, value)
        if isinstance(found, OneOf):
            raise StateDisagrees(
                "one number is needed here, and it may be an integer or a float, which stays what it is",
                where=caller_location(),
                why="A tensor chooses between them, and has one dtype itself.",
                way_out="Make it a float: `float(x)`.",
            )
        return as_tensor(found)

    def __str__(self) -> str:
        return _shown(self, str)

    def __repr__(self) -> str:
        return _shown(self, repr)

    def __format__(self, spec: str) -> str:
        return _shown(self, lambda candidate: format(candidate, spec))


def _may_be_tensor(candidate: Any) -> bool:
    return not isinstance(candidate, str | bytes) and (is_tensor(candidate) or bool(level_of(candidate)))


def number_of(chosen: OneOf) -> Any:
    """Which of its candidates an object is: a number of the graph."""
    return chosen.ag__number


def is_numbered(value: Any) -> bool:
    """Whether something is a row that is held by number, whose only candidate is what it holds by now."""
    return type(value) in NUMBERED_ROWS


NUMBERED_ROWS: set[type] = set()
"""The classes of such rows."""


def candidates_of(chosen: OneOf) -> tuple[Any, ...]:
    """The objects that an object may be."""
    return chosen.ag__candidates


def possible_values(value: Any) -> tuple[Any, ...]:
    """The objects that a value may be: itself alone, where nothing chooses."""
    return candidates_of(value) if isinstance(value, OneOf) else (value,)


def as_text(value: Any) -> Any:
    """A string, a text of the run or a choice of such as one text; None of anything else."""
    if isinstance(value, str | Text):
        return None if isinstance(value, Enum) else value
    if not isinstance(value, OneOf) or is_numbered(value):
        return None
    if not all(as_text(each_) is not None for each_ in candidates_of(value)):
        return None
    return _picked(number_of(value), candidates_of(value))


def _picked(number: Any, texts: Sequence[Any]) -> Text:
    """The text that has a number among some, as its characters."""
    parts, tensors = parts_of([number, *texts])
    return Text(Apply("pick", (Slot(is_number=True), *parts[1:])), tensors)


def one_of(number: Any, objects: Sequence[Any]) -> Any:
    """The object that has a number among some; itself, where all of them are one."""
    found: list[Any] = []
    positions = []
    for each_ in objects:
        position = next((i for i, known in enumerate(found) if _is_same(known, each_)), len(found))
        found[position:] = found[position:] or [each_]
        positions.append(position)
    if len(found) == 1:
        return found[0]
    require_few(found, "what is taken here", TAKE_BY_INDEX)
    is_renumbered = positions != list(range(len(positions)))
    return OneOf(ops.take(ops.asarray(positions), number) if is_renumbered else number, tuple(found))


IN_A_LIST = "Let a loop grow a list of numbers, and make text of it when the graph has run."
IN_A_TUPLE = "Let a loop grow a list, and make a tuple of it after the loop: `tuple(items)`."
BY_NUMBER = "Keep them in a list, and a number in the variable: which of them it is."
BY_PYTHON = (
    "Put what makes and uses them into one function, which each run calls: "
    "`ag.host_call(function, …, result=str)`, or whatever type it returns."
)
TAKE_BY_INDEX = "Keep numbers in an array, and take its rows by index."


VALUES_OF_LIBRARIES = frozenset({"datetime", "decimal", "fractions"})
"""Modules whose objects are made of one another, as a date of a date and days: nobody has a list of them."""


def require_few(candidates: Sequence[Any], name: str, way_out: str = "", most: int = 0) -> None:
    """Sees to it that there are not more candidates than branches are worth it."""
    if not way_out:
        is_tuple = any(isinstance(each, tuple) for each in candidates)
        is_text = all(isinstance(each, str | bytes) for each in candidates)
        way_out = IN_A_TUPLE if is_tuple else IN_A_LIST if is_text else BY_NUMBER
        if all(type(each).__module__ in VALUES_OF_LIBRARIES for each in candidates):
            way_out = BY_PYTHON
    most = most or (MOST_CONSTANTS if all(map(is_constant, candidates)) else MOST_CANDIDATES)
    if len(candidates) > most:
        raise StateDisagrees(
            f"{name} may become one of more than {most} objects",
            where=caller_location(),
            why="A tensor decides which of them it is, and each becomes a branch wherever it is used.",
            way_out=way_out,
        )


def _is_same(left: Any, right: Any) -> bool:
    """Whether two candidates are one: the same object, or the same string."""
    if left is right:
        return True
    return isinstance(left, str | bytes) and type(left) is type(right) and bool(left == right)


# ── what is done with each candidate ──


def each(chosen: OneOf, use: Callable[[Any], Any]) -> Any:
    """What `use` gives for the chosen object: it runs for each candidate, in a branch of the graph."""
    candidates = candidates_of(chosen)
    if not all(map(is_constant, candidates)):
        other_names().note_ways(len(candidates))
    return _by_number(number_of(chosen), [partial(used, one, use) for one in candidates], 0)


def used(candidate: Any, use: Callable[[Any], Any]) -> Any:
    """What `use` gives for a candidate. What is wrong for it is wrong only where it is chosen."""
    if not is_constant(candidate):
        note_inside(candidate)  # its own code may run
    try:
        return use(current(candidate))
    except Exception as error:
        if type(error) not in _SAID_OF_CANDIDATES:
            raise
        record(error)
        raise NoOutcome from None


_SAID_OF_CANDIDATES = frozenset(
    {
        *(TypeError, AttributeError, ValueError, IndexError, KeyError),
        ZeroDivisionError,
        OverflowError,
        NotASequence,
    }
)
"""What Python and NumPy raise of an object that something cannot be done with; not what refuses a program."""


def _by_number(number: Any, ways: Sequence[Thunk], first: int) -> Any:
    """The value of the expression with a number, where the numbers start with `first`."""
    if len(ways) == 1:
        return ways[0]()
    middle = len(ways) // 2
    return choose(
        number < first + middle,
        lambda: _by_number(number, ways[:middle], first),
        lambda: _by_number(number, ways[middle:], first + middle),
    )


def over(values: tuple[Any, ...], use: Callable[..., Any]) -> Any:
    """What `use` gives for values each of which means one object, some of them chosen.

    It gets rows that are held by number as they are, unless nothing else is chosen: it comes back with those.
    """
    if not any(map(is_choice, values)):
        return use(*[candidates_of(value)[0] if is_numbered(value) else value for value in values])
    return _over_choices(values, use)


def _over_choices(values: tuple[Any, ...], use: Callable[..., Any]) -> Any:
    index = next((index for index, value in enumerate(values) if is_choice(value)), None)
    if index is None:
        return use(*values)
    if all(map(is_constant, values)):
        return asked(values, use)

    def used(candidate: Any) -> Any:
        return _over_choices((*values[:index], candidate, *values[index + 1 :]), use)

    return each(values[index], used)


def is_choice(value: Any) -> bool:
    """Whether something is one of several objects, and no row, which is one."""
    return isinstance(value, OneOf) and not is_numbered(value)


def is_constant(value: Any) -> bool:
    """Whether what builtins ask of a value shows now: it never changes, and no code of the user's answers."""
    if isinstance(value, OneOf):
        return all(map(is_constant, candidates_of(value)))
    kind = type(value)
    if kind is tuple:
        return all(map(is_constant, value))
    if kind in ATOMS or kind is FunctionType or kind is type:
        return True
    if kind is BuiltinFunctionType:
        return type(value.__self__) in ATOMS or isinstance(value.__self__, ModuleType)
    return isinstance(value, Enum) and kind.__eq__ in CONSTANT_EQUALITIES


CONSTANT_EQUALITIES: tuple[Any, ...] = (object.__eq__, int.__eq__, str.__eq__)


def asked(values: tuple[Any, ...], use: Callable[..., Any]) -> Any:
    """As `over`, where `use` changes nothing and runs no code of the user's: it runs now, in no branch.

    Where it raises for a candidate, the graph has to raise only if that one is chosen.
    """
    if not any(map(is_choice, values)):
        return over(values, use)
    sizes = [len(candidates_of(value)) if is_choice(value) else 1 for value in values]
    if prod(sizes) <= MOST_ANSWERS:
        rows = [candidates_of(value) if is_choice(value) else (value,) for value in values]
        try:
            answers = [use(*row) for row in product(*rows)]
        except Exception:  # noqa: BLE001  # the branches below raise it again
            answers = []
        if answers:
            number: Any = 0
            for value, size in zip(values, sizes, strict=True):
                number = number * size + number_of(value) if is_choice(value) else number
            return selected(number, answers)
    index = next(index for index, value in enumerate(values) if is_choice(value))
    before, after = values[:index], values[index + 1 :]
    return each(values[index], lambda candidate: _over_choices((*before, candidate, *after), use))


def selected(number: Any, values: Sequence[Any]) -> Any:
    """The value that has a number among some: the object itself, where it is one that may change."""
    first = values[0]
    kind = type(first)
    if all(_is_same(first, value) for value in values):
        return first
    if kind in NUMBERS and all(type(value) is kind for value in values):
        if len(set(values)) == 1:
            return first
        return ops.stands_for_python(ops.take(ops.asarray(list(values)), number))
    if all(type(value) is str for value in values) and len(set(values)) > MOST_CONSTANTS:
        return _picked(number, values)
    if all(map(_keeps_identity, values)):
        return one_of(number, values)
    if any(isinstance(value, OneOf) for value in values) and not all(map(is_constant, values)):
        other_names().note_ways(len(values))
    return _by_number(number, [partial(current, value) for value in values], 0)


NUMBERS = frozenset({bool, int, float})


def _keeps_identity(value: Any) -> bool:
    """Whether a value that was found is an object which the graph is to refer to by its number."""
    if isinstance(value, OneOf) or value is None:
        return False
    return changes_in_place(value) or (level_of(value) is None and not is_tensor(value))


def _common(chosen: OneOf, ask: Callable[[Any], Any], what: str) -> Any:
    """What Python itself wants to know, where it is the same of every candidate."""
    found = [ask(candidate) for candidate in candidates_of(chosen)]
    if any(is_symbolic(each_) for each_ in found) or len(set(found)) != 1:
        _refuse(chosen, f"Python asked for the {what} of an object that a tensor chooses")
    return found[0]


def _refuse(chosen: OneOf, message: str) -> NoReturn:
    raise NoConcreteValue(
        message,
        details=(f"it is one of {_listed(chosen)}",),
        why="Which of them it is shows only when the graph runs, and this code runs while it is traced.",
        way_out="Let AutoGraph convert the function that does, or do it before the tensor chooses.",
    )


def _shown(chosen: OneOf, function: Callable[[Any], str]) -> str:
    """A description for messages; where a text of the program is made, the one that is chosen."""
    marks = current_marks()
    if marks is not None:
        if not (is_constant(chosen) or all(map(_is_text_or_number, candidates_of(chosen)))):
            text = over(
                (chosen,), lambda one: _text_of(one, function)
            )  # each on its path: code of its class runs
            return mark_text(text.template, text.tensors) or "" if isinstance(text, Text) else str(text)
        texts = [marks.read(str(function(candidate))) for candidate in candidates_of(chosen)]
        template = Apply("pick", (Slot(is_number=True), *[text for text, _ in texts]))
        tensors = [as_tensor(number_of(chosen)), *[tensor for _, own in texts for tensor in own]]
        return mark_text(template, tensors) or ""
    return f"one of {_listed(chosen)}"


def _is_text_or_number(value: Any) -> bool:
    """Whether no code of the user's makes the text of a value."""
    return isinstance(value, str | Text) or is_number(value)


def _text_of(value: Any, function: Callable[[Any], str]) -> Any:
    """The text of an object inside of another: a `Text`, where tensors are inside."""
    with marking() as marks:
        text = function(value)
    template, tensors = marks.read(text)
    return Text(template, tensors) if tensors else text


def _listed(chosen: OneOf) -> str:
    return ", ".join(map(repr, candidates_of(chosen)))


# ── attributes ──


def attribute(chosen: Any, name: str) -> Any:
    """`chosen.name`. What an object merely has is looked up now; a property runs in a branch."""

    def read(candidate: Any) -> Any:
        return ld(read_attribute(candidate, name))

    if all(_has_plainly(candidate, name) for candidate in candidates_of(chosen)):
        return asked((chosen,), read)
    return each(chosen, read)


read_attribute: Callable[[Any, str], Any] = getattr
"""What a program sees under a name of a candidate; `attributes` knows, where that is a value of the graph."""


def set_reading(read: Callable[[Any, str], Any]) -> None:
    """Says how an attribute of a candidate is read."""
    global read_attribute  # noqa: PLW0603  (set once, at import)
    read_attribute = read


def _has_plainly(candidate: Any, name: str) -> bool:
    """Whether no code of the user's runs where an attribute is read, and nothing asks whether it is there."""
    held = Attribute(candidate, name).get()
    if isinstance(held, Undefined) and type(held) is not Undefined:
        return False
    kind: Any = type(candidate)
    if kind.__module__ in PLAIN_HOMES or isinstance(candidate, Enum):
        return True
    if hasattr(kind, "__getattr__") or kind.__getattribute__ is not object.__getattribute__:
        return False
    found = in_classes(kind, name)
    is_of_python = type(found).__module__ in PLAIN_HOMES and not isinstance(found, property)
    return is_of_python or not hasattr(type(found), "__get__")


PLAIN_HOMES = frozenset({"builtins", "types"})
"""Modules whose classes run no code of the user's where an attribute is read."""


def _of_both(chosen: OneOf, other: Any, function: Callable[[Any, Any], Any]) -> Any:
    """What an operator gives; beside a text of the run, a chosen string is one, too."""
    text = as_text(chosen) if isinstance(other, Text) and function is not operator.mod else None
    if text is not None:
        return function(text, other)
    compare = ordering.BY_OPERATOR.get(function)
    if compare is None:
        return over((chosen, other), function)
    found = ordering.by_items(function, chosen, other)
    return over((chosen, other), compare) if found is NotImplemented else found


def _of_one(chosen: OneOf, function: Callable[..., Any], *others: Any) -> Any:
    return over((chosen,), lambda one: function(one, *others))


write_operators(OneOf, _of_one, _of_both, is_constant)


def _split(value: OneOf) -> tuple[Sequence[Any], Sequence[Any], Any]:
    candidates = candidates_of(value)
    return range(1 + len(candidates)), (number_of(value), *candidates), None


def _build(kind: type, keys: Sequence[Any], children: Sequence[Any], extra: None) -> Any:
    """The chosen object where the run is over, otherwise the choice."""
    del kind, keys, extra
    number, *candidates = children
    has_value = isinstance(number, (Operators, np.generic, int))  # and is no mark for a value to come
    if current_builder() is not None or not has_value or is_symbolic(number):
        return OneOf(number, tuple(candidates))
    return candidates[int(number)]


register(OneOf, _split, _build, lambda _, inside: f"one of {', '.join(inside[1:])}")
