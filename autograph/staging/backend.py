"""The whole contract between generated code and a library: one method per operator.

A library plugs in with one class that derives from `Plain` (`staging/plain.py`), names the types it owns and
overrides what it stages. Everything it leaves alone behaves as plain Python.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol, TypeAlias

from autograph.staging import watches
from autograph.staging.outside import Known
from autograph.staging.state import State
from autograph_base.dataclass import dataclass

__all__ = ["Backend", "Body", "Clauses", "ComprehensionKind", "LoopOptions", "LoopTest", "Rest", "Thunk"]

Thunk: TypeAlias = Callable[[], Any]
"""An expression put off until it is called."""

Body: TypeAlias = Callable[[], None]
"""The statements of a branch or of a `while` body; what they rebind goes through the state."""

Rest: TypeAlias = Callable[[Body], None]
"""What follows the body of a `try`, around a call of what it is given."""

LoopTest: TypeAlias = Callable[[], Any]

Clauses: TypeAlias = Callable[[Any, Callable[[Thunk], Any]], Any]
"""A comprehension of Python over some items: ``clauses(items, keep)``; each of its conditions is handed to
`keep`, put off."""


@dataclass(frozen=True)
class ComprehensionKind:
    """What a backend has to know of a comprehension.

    Parameters
    ----------
    is_filtered : bool
        Whether there are conditions.
    is_nested : bool
        Whether there is more than one `for`: each item then gives a list of what goes in.
    """

    is_filtered: bool = False
    is_nested: bool = False


@dataclass(frozen=True)
class LoopOptions:
    """What `set_loop_options` said about a loop, and what the loop calls its variables.

    Parameters
    ----------
    maximum_iterations : int or backend value, optional
        Upper bound of the number of turns.
    shape_invariants : sequence of (value, shape), optional
        Shapes that loop variables keep, where they are looser than the shapes of the first values.
    parallel_iterations, swap_memory : optional
        Hints; a backend may ignore them.
    iterate_names : str
        The target of a `for`, as the user wrote it.
    is_of_call : bool
        Whether a `for` goes over what a call gives, of which nobody has the name.
    is_endless : bool
        Whether nothing but an exception ends a `while`.
    has_run : bool
        Whether turns of a `while` ran in Python before its test gave a value of the backend.
    watch : LoopWatch, optional
        What a `for` asks before it takes an item.
    """

    maximum_iterations: Any = None
    shape_invariants: Any = None
    parallel_iterations: Any = None
    swap_memory: Any = None
    iterate_names: str = ""
    is_of_call: bool = False
    is_endless: bool = False
    has_run: bool = False
    watch: watches.LoopWatch | None = None

    def ask(self) -> None:
        """Does what is to be done before an item is taken."""
        if self.watch is not None:
            self.watch.ask()

    def asking(self, body: Callable[[Any], None]) -> Callable[[Any], None]:
        """The body of a loop whose iterator does not ask."""

        def turn(item: Any) -> None:
            self.ask()
            body(item)

        return body if self.watch is None else turn


class Backend(Protocol):
    """A library that may take over statements and expressions when values of its types decide them."""

    @property
    def name(self) -> str:
        """A word for messages: ``"python"``, ``"tensors"``."""

    @property
    def owns(self) -> tuple[type, ...]:
        """Values of these types, and of their subclasses, are its own."""

    @property
    def modules(self) -> frozenset[str]:
        """Modules, such as ``"math"``, of whose functions it has versions of its own."""

    @property
    def own_names(self) -> frozenset[str]:
        """Attributes that its values have for the backend alone, and a program is not to see."""

    def is_staging(self) -> bool:
        """Whether there may be values now that this backend stages.

        While no backend stages anything, a function that the user converted runs its own statements, and what
        it calls is called as it is. Asked once per call of such a function, so the answer has to be quick;
        `Plain` says yes.
        """

    def stack_for(self, levels: int) -> AbstractContextManager[None]:
        """Room on Python's stack for so many statements inside one another, where this backend gives any."""

    # Statements. What they rebind goes through `state`.

    def if_stmt(self, test: Any, body: Body, orelse: Body, state: State) -> None:
        """`if test: body() else: orelse()`, where `test` is a value of this backend."""

    def while_stmt(self, test: LoopTest, body: Body, state: State, options: LoopOptions, first: Any) -> None:
        """`while test(): body()`.

        `first` is the value of this backend that `test()` gave a moment ago. A backend that runs the loop at
        once uses it instead of calling `test` for the first turn, so that the test's effects happen once; a
        backend that records the loop calls `test` again on the state it records.
        """

    def watch(self, items: Any) -> watches.LoopWatch | None:
        """What a loop over these items asks before each turn and behind the last; None if it asks nothing."""

    def for_stmt(
        self,
        items: Any,
        extra_test: LoopTest | None,
        body: Callable[[Any], None],
        state: State,
        options: LoopOptions,
    ) -> None:
        """`for item in items: body(item)`, where `items` is a value of this backend.

        `extra_test`, where there is one, comes from `break` and `return` in the body: the loop ends, before
        it takes another item, when the test gives something false.
        """

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
        """Runs the rest of a loop over numbers of Python's at once; whether it did.

        Where it did not, everything is as before, and the turns run one by one. The arguments are those of
        `for_stmt_python_items`; of the items, the `first` ones are over. Where it is tried `after` so many
        turns in vain, it is not tried so again in that trace.
        It may leave some of the last numbers to `rest`.
        """

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
        """As `roll`, for the rest of a `while` whose test Python knows.

        `is_worth_it` says whether so many turns are better one loop. Before the first turn, it becomes one
        where it has become one at that line before.
        """

    def ends_by_tensor(
        self,
        items: range,
        extra_test: LoopTest,
        body: Callable[[Any], None],
        state: State,
        options: LoopOptions,
    ) -> bool:
        """Runs a loop that a value of this backend ends, as it has done here before; whether it did.

        Where it did not, everything is as before, and the first turns run one by one.
        """

    def recorded(self, run: Callable[[], None], copies: int = 1) -> tuple[int, int]:
        """Runs something that a trace makes so many copies of.

        How many operations one of them adds to it, and how many copies loops around make of all that.
        """

    def is_raising(self, run: Callable[[], None]) -> int:
        """Runs something; how many operations that adds to a trace, where some may raise, and else none."""

    def first_turn(self, test: LoopTest, body: Body, state: State, options: LoopOptions) -> bool:
        """Runs the first turn of a `while` whose test Python knows, or takes all of them; whether it did."""

    def until_raised(self, test: LoopTest, body: Body, state: State, options: LoopOptions) -> bool:
        """Takes the rest of a `while` that may go on until a turn raises in the run; whether it did."""

    def before(self, items: Any, last: int) -> Any:
        """What a loop backwards over a list of this backend still has to run over, when this item is next."""

    def behind(self, items: Any, count: int) -> Any:
        """What a loop over a list of this backend still has to run over, when it has had so many items."""

    def for_stmt_python_items(
        self,
        items: Iterator[Any],
        extra_test: LoopTest,
        body: Callable[[Any], None],
        state: State,
        options: LoopOptions,
    ) -> None:
        """The rest of a loop over Python items, once `extra_test()` gives a value of this backend.

        `items` yields what is left. `Plain` has an implementation for every backend: each remaining turn
        becomes an `if` of the backend.
        """

    def advance(self, iterator: Any) -> None:
        """Hears that an iterator of Python, one of `staging.iterators`, is about to be asked for items."""

    def try_stmt(self, body: Body, rest: Rest, final: Rest | None, clauses: Thunk, state: State) -> None:
        """`try: body()`, with the clauses and the `else` in `rest`, and the `finally` in `final`.

        ``rest(run)`` calls `run` where the body stood, and does with what it raises what the user wrote; it
        may be called with anything that ends in one of the ways in which the body can. So may ``final(run)``,
        where there is a `finally`. ``clauses()`` gives what stands behind each `except`. Asked only while it
        stages.
        """

    def made(self, instance: Any) -> None:
        """Hears of an instance that the program has just made."""

    def finished(self, instance: Any) -> Any:
        """An instance whose constructor has run, or what stands for it."""

    def exception(self, kind: type[BaseException], /, *args: Any, **kwargs: Any) -> BaseException:
        """`kind(*args, **kwargs)`, where the class has a constructor of its own. Asked while it stages."""

    def assert_stmt(self, test: Any, message: Thunk | None) -> None:
        """`assert test, message()`, where `test` is a value of this backend."""

    # Expressions.

    def if_exp(self, test: Any, body: Thunk, orelse: Thunk, text: str) -> Any:
        """`body() if test else orelse()`; `text` is the source of the test."""

    def and_(self, a: Any, b: Thunk) -> Any:
        """`a and b()`."""

    def or_(self, a: Any, b: Thunk) -> Any:
        """`a or b()`."""

    def operand(self, test: Any, a: Any, b: Thunk, *, ends_on: bool) -> Any:
        """`a or b()` (`ends_on` is true) or `a and b()`, where `test` says whether the object `a` is true."""

    def where_present(self, value: Any, otherwise: Thunk) -> Any:
        """A value that some paths have, and what others have instead: `Undefined` stands for both."""

    def not_(self, a: Any) -> Any:
        """`not a`."""

    def converted(self, callee: Any, convert: Callable[[Any], Any]) -> Any:
        """What is called in the place of `callee`, a value of this backend; `convert` is for functions."""

    def is_instance(self, value: Any, kind: Any) -> bool:
        """`isinstance(value, kind)`, in a pattern too: whether it stands for an instance."""

    def is_none(self, a: Any) -> Any:
        """`a is None`, where `a` is a value of this backend."""

    def is_of_program(self, error: BaseException) -> bool:
        """Whether plain Python would raise an error, too, and not only the trace."""

    def raised(self, error: Any, *cause: Any) -> Any:
        """What `raise error`, or `raise error from cause`, is to raise; some of it is of this backend."""

    def identical(self, a: Any, b: Any) -> Any:
        """`a is b`."""

    def equal(self, a: Any, b: Any) -> Any:
        """`a == b`."""

    def not_equal(self, a: Any, b: Any) -> Any:
        """`a != b`."""

    def ordered(self, compare: Callable[[Any, Any], Any], a: Any, b: Any) -> Any:
        """`compare(a, b)`, `<` or one of its likes, of lists or tuples that may hold its values."""

    # Objects that a value of this backend chooses.

    def is_choice(self, value: Any) -> bool:
        """Whether a value of this backend stands for one of several objects, or for an object or None."""

    def of_each(self, value: Any, use: Callable[[Any], Any]) -> Any:
        """What `use` gives for the object that is chosen; `NotImplemented` where none is."""

    def chosen_call(
        self,
        callee: Any,
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        call: Callable[[Any, tuple[Any, ...], dict[str, Any]], Any],
        is_converted: Callable[[], bool],
    ) -> Any:
        """`callee(*args, **kwargs)` where one of them is chosen: ``call(callee, args, kwargs)`` for each.

        `NotImplemented` where the call is as any other: nothing is chosen, or the callee is converted and
        can be given what is.
        """

    def starred(self, items: Any) -> Any:
        """What becomes arguments, one by one, of `f(*items)`; or what stands for as many as a run knows."""

    def keywords(self, items: Any) -> Any:
        """What is given by name, of `f(**items)`."""

    def spread(self, arguments: tuple[Any, ...]) -> Any:
        """What a function gets as its `*arguments`, where the last one is of this backend."""

    # Calls, while this backend stages something.

    def call(self, function: Any, converted: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """`function(*args, **kwargs)`, of a Python function or method whose converted form is there, too.

        A backend that traces both branches of an `if` has to see here that a function calls itself in one.
        """

    def decides_here(self) -> bool:
        """Whether a value of the backend decides if, or how often, the code that is traced now runs."""

    def cached(self, function: Callable[..., Any], call: Thunk) -> Any:
        """`call()`, of a function that a cache calls once for all equal arguments."""

    def remembering(self, cache: Callable[..., Any], call: Thunk) -> Any:
        """`call()`, of a cache as it is, which keeps what that gives longer than the backend stages."""

    def asked_about_cache(self, question: Callable[..., Any]) -> None:
        """Hears that a cache is asked for its counts, or is emptied, while this backend stages."""

    def taken_apart(
        self, callee: Callable[..., Any], args: tuple[Any, ...], kwargs: Mapping[str, Any]
    ) -> Callable[[], Any] | None:
        """What calls `dataclasses.asdict` or `astuple`; None where Python's own function is right."""

    def instead(self, callee: Any) -> Callable[..., Any] | None:
        """What is called in the place of a library's function that is given no value of this backend.

        None where that is right as it is.
        """

    def undecorated(self, callee: Any) -> Any:
        """What is called in the place of a function that a library's decorator has made; or that itself."""

    def left_alone(
        self, callee: Any, values: tuple[Any, ...]
    ) -> AbstractContextManager[Callable[[Any], Any]]:
        """Around a call with these values of what is not converted; it gives what looks at the result.

        An error about the backend's own values says so.
        """

    def outside(
        self, what: Known | None, callee: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]
    ) -> Callable[[], Any] | None:
        """What is called in the place of `callee(*args, **kwargs)`, which is not converted; None for itself.

        `what` says what it is about the world that it touches; None where nothing is known of it.
        """

    def generated(
        self,
        function: Callable[..., Any],
        push: Callable[[Callable[[Any], Any]], Callable[..., Any]] | None,
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
    ) -> Any:
        """`function(*args, **kwargs)`, of a generator function.

        ``push(emit)(*args, **kwargs)`` runs it from its start to its end; instead of yielding an item it
        calls ``emit(item)``, and ends where that gives something true. Where its frame has to wait, `push` is
        None.
        """

    def managed(
        self,
        manager: Any,
        push: Callable[[Callable[[Any], Any]], Callable[..., Any]] | None,
        body: Callable[[Any], None],
        state: State,
    ) -> None:
        """`with manager as value: body(value)`, where the manager is a generator of the program's.

        `push` is as for `generated`; None where the generator has no such form.
        """

    # Text: a value of this backend is, or may be, inside of the objects.

    def formatted(self, value: Any, conversion: str, spec: Any) -> Any:
        """`{value!conversion:spec}` in an f-string; either may be empty. Gives text that `f_string` takes."""

    def f_string(self, parts: tuple[Any, ...]) -> Any:
        """The parts of an f-string together, where one is a text of this backend."""

    def percent(self, template: Any, values: Any) -> Any:
        """`template % values`, of a string or of bytes."""

    def text_method(self, template: str, name: str, /, *arguments: Any, **keywords: Any) -> Any:
        """`template.name(*arguments, **keywords)`, a method of a string."""

    def str_(self, /, *arguments: Any, **keywords: Any) -> Any:
        """`str(...)`."""

    def repr_(self, value: Any) -> Any:
        """`repr(value)`."""

    def require_known_names(self, value: Any) -> None:
        """Sees to it that it is known which attributes an object has: all of them are about to be shown."""

    def has_own(self, owner: Any, name: Any) -> Any:
        """Whether a name is among the attributes that an object keeps itself.

        NotImplemented where its dict says so.
        """

    def require_own(self, owner: Any, name: str) -> None:
        """Sees to it that the graph raises where an attribute that is deleted is not the object's own."""

    def require_settable(self, value: Any, name: str, *, is_read: bool) -> None:
        """Raises where an attribute cannot be set, or read before: of a class, or what a value stands for."""

    def asked_of(self, value: Any, asks: Callable[..., Any]) -> Callable[..., Any]:
        """What stands for `dir`, `getattr` or `hasattr` of a value; the builtin where that is right."""

    def require_numpys(self, value: Any, name: str) -> None:
        """Raises where the program reads of a number of Python's what only those of NumPy's have."""

    def shown_by(self, value: Any, function: Callable[[Any], str]) -> Any:
        """`function(value)`, which is C's, and makes text of what is in a value."""

    def ascii_(self, value: Any) -> Any:
        """`ascii(value)`."""

    def bin_(self, number: Any) -> Any:
        """`bin(number)`."""

    def hex_(self, number: Any) -> Any:
        """`hex(number)`."""

    def oct_(self, number: Any) -> Any:
        """`oct(number)`."""

    def index_(self, value: Any) -> Any:
        """`operator.index(value)`."""

    def format_(self, value: Any, spec: Any = "") -> Any:
        """`format(value, spec)`."""

    # Containers: the target or the index is a value of this backend.

    def get_item(self, target: Any, index: Any) -> Any:
        """`target[index]`; the index may be a slice or a tuple of them."""

    def set_item(self, target: Any, index: Any, value: Any) -> Any:
        """`target[index] = value`. Returns what the variable holds afterwards: old or new."""

    def augment_item(self, target: Any, index: Any, change: Callable[[Any], Any]) -> Any:
        """`target[index] += …`, where `change` takes the old item. Returns as `set_item`."""

    def changed_in_place(self, target: Any, symbol: str, value: Any) -> Any:
        """What a variable holds after `target += value`, of a list, dict, set or deque of Python's.

        Parameters
        ----------
        target : container
        symbol : str
            The operator: ``"+="``, say.
        value : object

        Returns
        -------
        object
            What is in its place by then; `NotImplemented` where Python's own operator is right.
        """

    def copies_item(self, target: Any, index: Any) -> bool:
        """Whether `target[index]` is an object of its own: what is assigned to its items is lost."""

    def delete_item(self, target: Any, index: Any) -> None:
        """`del target[index]`."""

    def new_list(self, elements: list[Any]) -> Any:
        """A list display, `[a, b]`, one of whose elements is a value of this backend."""

    def list_append(self, target: Any, element: Any) -> Any:
        """`target.append(element)`. Returns what the variable holds afterwards."""

    def list_pop(self, target: Any, *index: Any) -> tuple[Any, Any]:
        """`target.pop(*index)`. Returns what the variable holds afterwards, and the popped element."""

    def list_extend(self, target: Any, items: Any) -> Any:
        """`target.extend(items)`. Returns what the variable holds afterwards."""

    def list_method(
        self, target: list[Any] | tuple[Any, ...], name: str, *arguments: Any, **options: Any
    ) -> Any:
        """`target.name(*arguments, **options)` of a list or tuple of Python's with or among values of its."""

    def keyed_method(self, target: Any, name: str, arguments: tuple[Any, ...]) -> Any:
        """What is called in the place of a method of a dict, a set or a deque of Python's; None for itself.

        Parameters
        ----------
        target : dict, set, frozenset or deque
        name : str
        arguments : tuple
            The positional ones, of which there are some.
        """

    def collection(self, kind: type, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
        """A container of the module `collections`, made of a backend's values.

        Parameters
        ----------
        kind : type
        args, kwargs
            What its constructor is given.
        """

    def method(self, callee: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
        """What is called in the place of a method of a class of C's; None where that is right."""

    def contains(self, container: Any, item: Any) -> Any:
        """`item in container`."""

    def unpack(self, value: Any, count: int) -> Any:
        """What Python unpacks into `count` targets in the place of `value`."""

    def unpack_starred(self, value: Any, before: int, after: int) -> Any:
        """A value for each target: one is starred, with `before` before it and `after` after it."""

    # Comprehensions: the items are of this backend, or a condition may be.

    def list_comp(self, items: Any, clauses: Clauses, kind: ComprehensionKind) -> Any:
        """A list comprehension over `items`."""

    def set_comp(self, items: Any, clauses: Clauses, kind: ComprehensionKind) -> Any:
        """A set comprehension over `items`."""

    def dict_comp(self, items: Any, clauses: Clauses, kind: ComprehensionKind) -> Any:
        """A dict comprehension over `items`."""

    def generator(self, items: Any, clauses: Clauses, kind: ComprehensionKind) -> Any:
        """A generator expression over `items`."""

    # Builtins: any argument is a value of this backend.

    def len_(self, target: Any) -> Any:
        """`len(target)`."""

    def range_(self, *bounds: Any) -> Any:
        """`range(*bounds)`."""

    def print_(self, /, *values: Any, **options: Any) -> None:
        """`print(*values, **options)`."""

    def int_(self, /, *arguments: Any, **options: Any) -> Any:
        """`int(...)`."""

    def float_(self, *arguments: Any) -> Any:
        """`float(...)`."""

    def round_(self, number: Any, ndigits: Any = None) -> Any:
        """`round(number, ndigits)`."""

    def chr_(self, number: Any) -> Any:
        """`chr(number)`."""

    def pow_(self, base: Any, exp: Any, mod: Any = None) -> Any:
        """`pow(base, exp, mod)`."""

    def ord_(self, text: Any) -> Any:
        """`ord(text)`."""

    def bool_(self, *arguments: Any) -> Any:
        """`bool(...)`."""

    def complex_(self, /, *arguments: Any, **options: Any) -> Any:
        """`complex(...)`."""

    def frozenset_(self, *items: Any) -> Any:
        """`frozenset(items)`."""

    def hash_(self, value: Any) -> Any:
        """`hash(value)`."""

    def id_(self, value: Any) -> Any:
        """`id(value)`."""

    def function(self, callee: Callable[..., Any], /, *arguments: Any, **options: Any) -> Any:
        """`callee(...)`, a function of `modules`, while this backend stages; its arguments may be any."""

    def abs_(self, value: Any) -> Any:
        """`abs(value)`."""

    def enumerate_(self, items: Any, start: Any = 0) -> Any:
        """`enumerate(items, start)`."""

    def zip_(self, *items: Any, strict: bool = False) -> Any:
        """`zip(*items, strict=strict)`."""

    def max_(self, /, *arguments: Any, **options: Any) -> Any:
        """`max(...)`."""

    def min_(self, /, *arguments: Any, **options: Any) -> Any:
        """`min(...)`."""

    def sum_(self, items: Any, start: Any = 0) -> Any:
        """`sum(items, start)`."""

    def any_(self, items: Any) -> Any:
        """`any(items)`."""

    def all_(self, items: Any) -> Any:
        """`all(items)`."""

    def dict_(self, /, *items: Any, **named: Any) -> Any:
        """`dict(...)`."""

    def mapping(self, value: Any) -> Any:
        """`{**value}`."""

    def filter_(self, function: Any, items: Any) -> Any:
        """`filter(function, items)`."""

    def endless(self, kind: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
        """`itertools.count(…)`, `itertools.cycle(…)` or `itertools.repeat(…)`."""

    def iter_(self, items: Any, *sentinel: Any) -> Any:
        """`iter(items)`, or `iter(function, sentinel)`."""

    def list_(self, *items: Any) -> Any:
        """`list(items)`."""

    def map_(self, function: Any, /, *items: Any, **options: Any) -> Any:
        """`map(function, *items)`."""

    def next_(self, items: Any, *default: Any) -> Any:
        """`next(items, *default)`."""

    def reversed_(self, items: Any) -> Any:
        """`reversed(items)`."""

    def set_(self, *items: Any) -> Any:
        """`set(items)`."""

    def starred_set(self, parts: Sequence[tuple[bool, Any]]) -> Any:
        """`{*one, another, …}`; each part comes with whether it has a star."""

    def sorted_(self, items: Any, **options: Any) -> Any:
        """`sorted(items, **options)`."""

    def tuple_(self, *items: Any) -> Any:
        """`tuple(items)`."""

    def type_(self, /, *arguments: Any, **options: Any) -> Any:
        """`type(value)`, or a new class."""
