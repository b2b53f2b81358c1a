"""Plain Python as a backend: every operator means what the statement it stands for means."""

# ruff: noqa: ARG002  (the contract hands every method what some backend needs)

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from itertools import islice
from typing import Any

from autograph.staging.backend import Body, Clauses, ComprehensionKind, LoopOptions, LoopTest, Rest, Thunk
from autograph.staging.fresh import note_fresh
from autograph.staging.outside import Known
from autograph.staging.state import State, nothing

__all__ = ["CONVERSIONS", "Plain"]

CONVERSIONS: Mapping[str, Callable[[Any], str]] = {"a": ascii, "r": repr, "s": str}
"""What `!a`, `!r` and `!s` do in an f-string."""


class Plain:
    """Ordinary semantics, nothing staged. The base class of every other backend."""

    name: str = "python"
    owns: tuple[type, ...] = (object,)
    modules: frozenset[str] = frozenset()
    own_names: frozenset[str] = frozenset()

    def is_staging(self) -> bool:
        """Yes: a backend that cannot tell is asked at every statement."""
        return True

    def stack_for(self, levels: int) -> AbstractContextManager[None]:
        """None but what there is."""
        return nullcontext()

    def if_stmt(self, test: Any, body: Body, orelse: Body, state: State) -> None:
        """Runs one of the two."""
        if test:
            body()
        else:
            orelse()

    def while_stmt(self, test: LoopTest, body: Body, state: State, options: LoopOptions, first: Any) -> None:
        """Runs the loop."""
        going = first
        while going:
            body()
            going = test()

    def watch(self, items: Any) -> None:
        """Nothing: Python's iterators look after what they go through."""

    def for_stmt(
        self,
        items: Any,
        extra_test: LoopTest | None,
        body: Callable[[Any], None],
        state: State,
        options: LoopOptions,
    ) -> None:
        """Runs the loop. The extra test comes before the next item is asked for, as after a `break`."""
        if extra_test is None:
            for item in items:
                body(item)
            return
        for item in items:
            body(item)
            if not extra_test():
                break

    def roll(
        self,
        items: Sequence[Any],
        extra_test: LoopTest | None,
        body: Callable[[Any], None],
        state: State,
        options: LoopOptions,
        *,
        first: int = 0,
        after: int | None = None,
        rest: Callable[[Any], None],
    ) -> bool:
        """No: Python runs turn by turn."""
        return False

    def roll_while(
        self,
        test: LoopTest,
        body: Body,
        state: State,
        options: LoopOptions,
        *,
        after: int,
        is_worth_it: Callable[[int], bool],
        rest: Callable[[], None],
    ) -> bool:
        """No: Python runs turn by turn."""
        return False

    def ends_by_tensor(
        self,
        items: range,
        extra_test: LoopTest,
        body: Callable[[Any], None],
        state: State,
        options: LoopOptions,
    ) -> bool:
        """No: Python runs turn by turn."""
        return False

    def recorded(self, run: Callable[[], None], copies: int = 1) -> tuple[int, int]:
        """Runs it: nothing is recorded."""
        run()
        return 0, 1

    def is_raising(self, run: Callable[[], None]) -> int:
        """Runs it."""
        run()
        return 0

    def first_turn(self, test: LoopTest, body: Body, state: State, options: LoopOptions) -> bool:
        """Runs it."""
        del test, state, options
        body()
        return False

    def until_raised(self, test: LoopTest, body: Body, state: State, options: LoopOptions) -> bool:
        """Python runs it."""
        del test, body, state, options
        return False

    def before(self, items: Any, last: int) -> Any:
        """The items up to there, the last one first."""
        return items[last::-1]

    def behind(self, items: Any, count: int) -> Any:
        """The items from there on."""
        return islice(items, count, None)

    def for_stmt_python_items(
        self,
        items: Iterator[Any],
        extra_test: LoopTest,
        body: Callable[[Any], None],
        state: State,
        options: LoopOptions,
    ) -> None:
        """Runs every remaining turn as an `if` on the extra test."""
        for item in items:
            self.if_stmt(extra_test(), partial(body, item), nothing, state)

    def advance(self, iterator: Any) -> None:
        """Nothing: what is asked is asked once."""

    def try_stmt(self, body: Body, rest: Rest, final: Rest | None, clauses: Thunk, state: State) -> None:
        """Runs the body, and handles what it raises."""
        if final is None:
            rest(body)
        else:
            final(partial(rest, body))

    def made(self, instance: Any) -> None:
        """Nothing follows from it."""

    def finished(self, instance: Any) -> Any:
        """The instance."""
        return instance

    def exception(self, kind: type[BaseException], /, *args: Any, **kwargs: Any) -> BaseException:
        """Makes the exception."""
        return kind(*args, **kwargs)

    def assert_stmt(self, test: Any, message: Thunk | None) -> None:
        """Raises unless the test holds; the message is evaluated only then."""
        if not test:
            raise AssertionError if message is None else AssertionError(message())

    def if_exp(self, test: Any, body: Thunk, orelse: Thunk, text: str) -> Any:
        """Evaluates one of the two."""
        return body() if test else orelse()

    def and_(self, a: Any, b: Thunk) -> Any:
        """The operand that decides, not a bool."""
        return a and b()

    def or_(self, a: Any, b: Thunk) -> Any:
        """The operand that decides, not a bool."""
        return a or b()

    def operand(self, test: Any, a: Any, b: Thunk, *, ends_on: bool) -> Any:
        """The operand that decides."""
        return a if bool(test) is ends_on else b()

    def where_present(self, value: Any, otherwise: Thunk) -> Any:
        """No path has one."""
        return otherwise()

    def decides_here(self) -> bool:
        """No value does."""
        return False

    def cached(self, function: Callable[..., Any], call: Thunk) -> Any:
        """The call."""
        return call()

    def remembering(self, cache: Callable[..., Any], call: Thunk) -> Any:
        """The call."""
        return call()

    def asked_about_cache(self, question: Callable[..., Any]) -> None:
        """It may be: Python itself calls it."""

    def taken_apart(
        self, callee: Callable[..., Any], args: tuple[Any, ...], kwargs: Mapping[str, Any]
    ) -> Callable[[], Any] | None:
        """Python's own function is right."""
        del callee, args, kwargs
        return None

    def instead(self, callee: Any) -> Callable[..., Any] | None:
        """None: that itself."""
        return None

    def undecorated(self, callee: Any) -> Any:
        """That itself."""
        return callee

    def left_alone(
        self, callee: Any, values: tuple[Any, ...]
    ) -> AbstractContextManager[Callable[[Any], Any]]:
        """Nobody asks."""
        return _LEFT_ALONE

    def managed(
        self,
        manager: Any,
        push: Callable[[Callable[[Any], Any]], Callable[..., Any]] | None,
        body: Callable[[Any], None],
        state: State,
    ) -> None:
        """The statement as it is."""
        with manager as value:
            body(value)

    def not_(self, a: Any) -> Any:
        """`not a`."""
        return not a

    def converted(self, callee: Any, convert: Callable[[Any], Any]) -> Any:
        """What policy says."""
        return convert(callee)

    def is_instance(self, value: Any, kind: Any) -> bool:
        """`isinstance(value, kind)`."""
        return isinstance(value, kind)

    def is_none(self, a: Any) -> Any:
        """`a is None`."""
        return a is None

    def is_of_program(self, error: BaseException) -> bool:
        """It is: nothing is traced."""
        return True

    def raised(self, error: Any, *cause: Any) -> Any:  # Python chains them
        """What `raise` is given."""
        return error

    def identical(self, a: Any, b: Any) -> Any:
        """`a is b`."""
        return a is b

    def equal(self, a: Any, b: Any) -> Any:
        """`a == b`."""
        return a == b

    def not_equal(self, a: Any, b: Any) -> Any:
        """`a != b`."""
        return a != b

    def ordered(self, compare: Callable[[Any, Any], Any], a: Any, b: Any) -> Any:
        """`a < b`, or one of its likes."""
        return compare(a, b)

    def is_choice(self, value: Any) -> bool:
        """No."""
        return False

    def of_each(self, value: Any, use: Callable[[Any], Any]) -> Any:
        """Nothing is chosen."""
        return NotImplemented

    def chosen_call(
        self,
        callee: Any,
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        call: Callable[[Any, tuple[Any, ...], dict[str, Any]], Any],
        is_converted: Callable[[], bool],
    ) -> Any:
        """Nothing is chosen."""
        return NotImplemented

    def starred(self, items: Any) -> Any:
        """The items themselves."""
        return items

    def keywords(self, items: Any) -> Any:
        """The items themselves."""
        return items

    def spread(self, arguments: tuple[Any, ...]) -> Any:
        """The arguments themselves."""
        return arguments

    def call(self, function: Any, converted: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Calls the converted form."""
        return converted(*args, **kwargs)

    def outside(
        self, what: Known | None, callee: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]
    ) -> Callable[[], Any] | None:
        """It is called at once."""
        return None

    def generated(
        self,
        function: Callable[..., Any],
        push: Callable[[Callable[[Any], Any]], Callable[..., Any]] | None,
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
    ) -> Any:
        """A generator of Python's."""
        return function(*args, **kwargs)

    def formatted(self, value: Any, conversion: str, spec: Any) -> Any:
        """What Python puts in the place of the field."""
        return format(CONVERSIONS[conversion](value) if conversion else value, spec)

    def f_string(self, parts: tuple[Any, ...]) -> Any:
        """The parts, joined."""
        return "".join(parts)

    def percent(self, template: Any, values: Any) -> Any:
        """`template % values`, of a string or of bytes."""
        return template % values

    def text_method(self, template: str, name: str, /, *arguments: Any, **keywords: Any) -> Any:
        """The method of the string."""
        return getattr(template, name)(*arguments, **keywords)

    def str_(self, /, *arguments: Any, **keywords: Any) -> Any:
        """`str(...)`."""
        return str(*arguments, **keywords)

    def repr_(self, value: Any) -> Any:
        """`repr(value)`."""
        return repr(value)

    def require_known_names(self, value: Any) -> None:
        """They are."""

    def has_own(self, owner: Any, name: Any) -> Any:
        """Its dict says so."""
        return NotImplemented

    def require_own(self, owner: Any, name: str) -> None:
        """Python says so itself."""

    def require_settable(self, value: Any, name: str, *, is_read: bool) -> None:
        """Python says so itself."""

    def asked_of(self, value: Any, asks: Callable[..., Any]) -> Callable[..., Any]:
        """The builtin."""
        return asks

    def require_numpys(self, value: Any, name: str) -> None:
        """Python says so itself."""

    def shown_by(self, value: Any, function: Callable[[Any], str]) -> Any:
        """The text."""
        return function(value)

    def ascii_(self, value: Any) -> Any:
        """`ascii(value)`."""
        return ascii(value)

    def bin_(self, number: Any) -> Any:
        """`bin(number)`."""
        return bin(number)

    def hex_(self, number: Any) -> Any:
        """`hex(number)`."""
        return hex(number)

    def oct_(self, number: Any) -> Any:
        """`oct(number)`."""
        return oct(number)

    def index_(self, value: Any) -> Any:
        """`operator.index(value)`."""
        return operator.index(value)

    def format_(self, value: Any, spec: Any = "") -> Any:
        """`format(value, spec)`."""
        return format(value, spec)

    def get_item(self, target: Any, index: Any) -> Any:
        """`target[index]`."""
        return target[index]

    def set_item(self, target: Any, index: Any, value: Any) -> Any:
        """Changes the container in place."""
        target[index] = value
        return target

    def augment_item(self, target: Any, index: Any, change: Callable[[Any], Any]) -> Any:
        """Reads, computes, and changes the container in place."""
        return self.set_item(target, index, change(self.get_item(target, index)))

    def changed_in_place(self, target: Any, symbol: str, value: Any) -> Any:
        """Python's own operator."""
        return NotImplemented

    def copies_item(self, target: Any, index: Any) -> bool:
        """Python's containers give what they hold, and an array that copies has written back already."""
        return False

    def delete_item(self, target: Any, index: Any) -> None:
        """Changes the container in place."""
        del target[index]

    def new_list(self, elements: list[Any]) -> Any:
        """The list itself."""
        return elements

    def list_append(self, target: Any, element: Any) -> Any:
        """Changes the list in place."""
        target.append(element)
        return target

    def list_pop(self, target: Any, *index: Any) -> tuple[Any, Any]:
        """Changes the list in place."""
        element = target.pop(*index)
        return target, element

    def list_extend(self, target: Any, items: Any) -> Any:
        """Changes the list in place."""
        target.extend(items)
        return target

    def list_method(
        self, target: list[Any] | tuple[Any, ...], name: str, *arguments: Any, **options: Any
    ) -> Any:
        """The method of the list or tuple."""
        return getattr(target, name)(*arguments, **options)

    def collection(self, kind: type, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
        """What the class of the standard library makes of them."""
        return kind(*args, **kwargs)

    def keyed_method(self, target: Any, name: str, arguments: tuple[Any, ...]) -> Any:
        """The method itself."""
        return None

    def method(self, callee: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
        """The method itself."""
        return None

    def contains(self, container: Any, item: Any) -> Any:
        """`item in container`."""
        return item in container

    def unpack(self, value: Any, count: int) -> Any:
        """The value itself."""
        return value

    def unpack_starred(self, value: Any, before: int, after: int) -> Any:
        """The items, those for the starred target as one list."""
        (*items,) = value
        least, end = before + after, len(items) - after
        if len(items) < least:
            raise ValueError(f"not enough values to unpack (expected at least {least}, got {len(items)})")
        return [*items[:before], items[before:end], *items[end:]]

    def list_comp(self, items: Any, clauses: Clauses, kind: ComprehensionKind) -> Any:
        """Python's own comprehension."""
        found = clauses(items, _now)
        return [item for part in found for item in part] if kind.is_nested else found

    def set_comp(self, items: Any, clauses: Clauses, kind: ComprehensionKind) -> Any:
        """Python's own comprehension, whose elements become a set."""
        elements = Plain.list_comp(self, items, clauses, kind)
        return note_fresh(set(elements), elements)

    def dict_comp(self, items: Any, clauses: Clauses, kind: ComprehensionKind) -> Any:
        """Python's own comprehension, whose items become a dict."""
        return dict(Plain.list_comp(self, items, clauses, kind))

    def generator(self, items: Any, clauses: Clauses, kind: ComprehensionKind) -> Any:
        """Python's own generator."""
        found = clauses(items, _now)
        return (item for part in found for item in part) if kind.is_nested else found

    def len_(self, target: Any) -> Any:
        """`len(target)`."""
        return len(target)

    def range_(self, *bounds: Any) -> Any:
        """`range(*bounds)`."""
        return range(*bounds)

    def print_(self, /, *values: Any, **options: Any) -> None:
        """`print(*values, **options)`."""
        print(*values, **options)  # noqa: T201  (the user's own print)

    def int_(self, /, *arguments: Any, **options: Any) -> Any:
        """`int(...)`."""
        return int(*arguments, **options)

    def float_(self, *arguments: Any) -> Any:
        """`float(...)`."""
        return float(*arguments)

    def round_(self, number: Any, ndigits: Any = None) -> Any:
        """`round(number, ndigits)`."""
        return round(number, ndigits)

    def chr_(self, number: Any) -> Any:
        """`chr(number)`."""
        return chr(number)

    def pow_(self, base: Any, exp: Any, mod: Any = None) -> Any:
        """`pow(base, exp, mod)`."""
        return pow(base, exp, mod)

    def ord_(self, text: Any) -> Any:
        """`ord(text)`."""
        return ord(text)

    def bool_(self, *arguments: Any) -> Any:
        """`bool(...)`."""
        return bool(*arguments)

    def complex_(self, /, *arguments: Any, **options: Any) -> Any:
        """`complex(...)`."""
        return complex(*arguments, **options)

    def frozenset_(self, *items: Any) -> Any:
        """`frozenset(items)`."""
        return frozenset(*items)

    def hash_(self, value: Any) -> Any:
        """`hash(value)`."""
        return hash(value)

    def id_(self, value: Any) -> Any:
        """`id(value)`."""
        return id(value)

    def function(self, callee: Callable[..., Any], /, *arguments: Any, **options: Any) -> Any:
        """`callee(...)`."""
        return callee(*arguments, **options)

    def abs_(self, value: Any) -> Any:
        """`abs(value)`."""
        return abs(value)

    def enumerate_(self, items: Any, start: Any = 0) -> Any:
        """`enumerate(items, start)`."""
        return enumerate(items, start)

    def zip_(self, *items: Any, strict: bool = False) -> Any:
        """`zip(*items, strict=strict)`."""
        return zip(*items, strict=strict)

    def max_(self, /, *arguments: Any, **options: Any) -> Any:
        """`max(...)`."""
        return max(*arguments, **options)

    def min_(self, /, *arguments: Any, **options: Any) -> Any:
        """`min(...)`."""
        return min(*arguments, **options)

    def sum_(self, items: Any, start: Any = 0) -> Any:
        """`sum(items, start)`."""
        return sum(items, start)

    def any_(self, items: Any) -> Any:
        """`any(items)`."""
        return any(items)

    def all_(self, items: Any) -> Any:
        """`all(items)`."""
        return all(items)

    def dict_(self, /, *items: Any, **named: Any) -> Any:
        """`dict(...)`."""
        return dict(*items, **named)

    def mapping(self, value: Any) -> Any:
        """`{**value}`."""
        return {**value}

    def filter_(self, function: Any, items: Any) -> Any:
        """`filter(function, items)`."""
        return filter(function, items)

    def endless(self, kind: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
        """`itertools.count(…)`, `itertools.cycle(…)` or `itertools.repeat(…)`."""
        return kind(*args, **kwargs)

    def iter_(self, items: Any, *sentinel: Any) -> Any:
        """`iter(items)`."""
        return iter(items, *sentinel)

    def list_(self, *items: Any) -> Any:
        """`list(items)`."""
        return list(*items)

    def map_(self, function: Any, /, *items: Any, **options: Any) -> Any:
        """`map(function, *items)`."""
        return map(function, *items, **options)

    def next_(self, items: Any, *default: Any) -> Any:
        """`next(items, *default)`."""
        return next(items, *default)

    def reversed_(self, items: Any) -> Any:
        """`reversed(items)`."""
        return reversed(items)

    def set_(self, *items: Any) -> Any:
        """`set(items)`."""
        return note_fresh(set(*items), *items)

    def starred_set(self, parts: Sequence[tuple[bool, Any]]) -> Any:
        """`{*one, another, …}`."""
        found = set[Any]()
        for is_starred, part in parts:
            found.update(part if is_starred else (part,))
        return note_fresh(found, *[part if is_starred else (part,) for is_starred, part in parts])

    def sorted_(self, items: Any, **options: Any) -> Any:
        """`sorted(items, **options)`."""
        return sorted(items, **options)

    def tuple_(self, *items: Any) -> Any:
        """`tuple(items)`."""
        return tuple(*items)

    def type_(self, /, *arguments: Any, **options: Any) -> Any:
        """`type(value)`, or a new class."""
        return type(*arguments, **options)


_LEFT_ALONE: AbstractContextManager[Callable[[Any], Any]] = nullcontext(lambda result: result)


def _now(condition: Thunk) -> Any:
    """A condition of a comprehension that Python decides."""
    return condition()
