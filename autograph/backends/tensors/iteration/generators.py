"""Generator functions in traces: they push their items to the consumer instead of being suspended.

    def evens(n): ...  yield i          ⇒           evens in its push form, which calls emit(i)
    for i in evens(n):                              emit(i): the body of the loop; whether it is left
        total += i

A generator cannot be stopped inside of a loop of the graph and go on later. But its code and its consumer's
take turns, so the consumer may as well run where the generator stands: each `yield` becomes a call of the
body of the consumer's loop. The generator's own loops and branches are staged as those of any function, with
the consumer's variables as places that a callee changes. Where a tensor says that the consumer has had
enough, the `yield` is a `return`.

Nothing runs before an item is asked for. Where Python itself asks for one, with `next` or in code that is not
converted, it runs Python's own generator, which gives the rest then.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from types import GeneratorType
from typing import Any, NoReturn

from autograph.backends.tensors.iteration import iterators
from autograph.backends.tensors.iteration.items import Items, as_items
from autograph.backends.tensors.iteration.progress import EXHAUSTED, LEFT, Progress
from autograph.backends.tensors.iteration.pushed import Counter, Pushed, negated
from autograph.backends.tensors.statements import recursion, trying
from autograph.backends.tensors.statements.branches import stage_if
from autograph.backends.tensors.statements.memory import outlived_by
from autograph.staging.backend import Body, LoopTest
from autograph.staging.context import staging
from autograph.staging.meeting import note_made
from autograph.staging.notes import listener, note
from autograph.staging.places import Variable
from autograph.staging.spoken import called
from autograph.staging.state import State, nothing
from runtime.errors import StateDisagrees
from runtime.graph.build import current_builder, is_symbolic
from runtime.graph.location import caller_location
from runtime.ops.raising import is_stand_in

__all__ = ["GeneratorCall", "run_managed", "run_unheard"]


@called("generator")
class GeneratorCall(Progress, Pushed, Generator[Any, Any, Any]):
    """A generator function that was called while a graph is built.

    Parameters
    ----------
    function : generator function
    push : callable
        ``push(emit)`` is the function's push form for a consumer.
    args, kwargs
        The arguments of the call.

    Raises
    ------
    TypeError
        When the arguments do not fit.
    """

    pythons_class = GeneratorType

    def __init__(
        self,
        function: Callable[..., Any],
        push: Callable[[Callable[[Any], Any]], Callable[..., Any]],
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
    ) -> None:
        super().__init__()
        self.label = f"a generator of {function.__name__}()"
        self._python = function(*args, **kwargs)
        self._function = function
        self._push = push
        self._args = args
        self._kwargs = kwargs

    @property
    def is_python(self) -> bool:
        """Whether its items come from Python's generator: no graph is built, or it has given some already."""
        has_started = inspect.getgeneratorstate(self._python) != inspect.GEN_CREATED
        return current_builder() is None or has_started

    def for_each(self, body: Callable[[Any], None], state: State, extra_test: LoopTest | None = None) -> None:
        """The push form, with the body and the test in the place of each `yield`."""
        if not self.starts():
            return
        around = listener()
        variables = [Variable(state, index, label) for index, label in enumerate(state.labels)]
        progress = EXHAUSTED

        def emit(item: Any) -> Any:
            nonlocal progress
            if listener() is not around:  # inside of a statement of the generator's
                for variable in variables:
                    note(variable)
            with consumer():
                body(item)
                stops = extra_test is not None and negated(extra_test())
            if stops is not False:
                progress = LEFT
            return stops

        note_made(state, ("variables", state.names))
        self.become(LEFT)  # where the body raises
        with (
            _known(variables),
            recursion.generator_running(self._function, self._args, self._kwargs) as consumer,
        ):
            self._push(emit)(*self._args, **self._kwargs)
        self.become(progress)

    @property
    def items(self) -> Items:
        found = as_items(self.gathered())
        self.become(LEFT)  # nobody is to find it empty who asks for its items twice
        return found

    def send(self, value: Any, /) -> Any:
        """As of Python's generator, which runs from here on."""
        if not self.starts():
            raise StopIteration
        iterators.advance(self)
        iterators.require_own_objects(self._python)
        return self._python.send(value)

    def throw(self, *exception: Any) -> Any:
        """As of Python's generator."""
        return self._python.throw(*exception)

    def close(self) -> None:
        """As of Python's generator."""
        self._python.close()

    def __next__(self) -> Any:
        return self.send(None)

    def __repr__(self) -> str:
        return repr(self._python)


@contextmanager
def _known(variables: Sequence[Variable]) -> Iterator[None]:
    """While a generator runs: what the variables of its consumer are shows behind each path.

    A path that yields nothing may bind one of them, too: in a function of both.
    """
    around = staging.unannounced
    staging.unannounced = [*around, *variables]
    try:
        with outlived_by({variable.key: variable for variable in variables}):
            yield
    finally:
        staging.unannounced = around


def run_managed(
    function: Callable[..., Any],
    push: Callable[[Callable[[Any], Any]], Callable[..., Any]],
    arguments: tuple[tuple[Any, ...], dict[str, Any]],
    body: Callable[[Any], None],
    state: State,
) -> None:
    """The body of a `with` where the generator behind its manager yields, so that this sees what it raises.

    Raises
    ------
    RuntimeError
        When it yields never or twice, as `contextlib` says it.
    """
    args, kwargs = arguments
    around = listener()
    before = state.get()
    call_off = partial(state.call_off, before)
    times = Counter(0)
    state = times.beside(state)
    variables = [Variable(state, index, label) for index, label in enumerate(state.labels)]

    def emit(item: Any) -> None:
        if is_symbolic(times.value) or times.value:
            raise RuntimeError("generator didn't stop")
        if listener() is not around:  # inside of a statement of the generator's
            for variable in variables:
                note(variable)
        times.value = 1
        with consumer():
            body(item)
        times.value = 2

    note_made(state, ("variables", state.names))
    with _known(variables), recursion.generator_running(function, args, kwargs) as consumer:
        push(emit)(*args, **kwargs)
    if is_symbolic(times.value):
        stage_if(times.value == 1, call_off, nothing, state)  # it has swallowed what the body raised
    elif times.value == 0:
        raise RuntimeError("generator didn't yield")
    elif times.value == 1:
        call_off()


def run_unheard(manager: Any, body: Callable[[Any], None], state: State) -> None:
    """The body of a `with` whose manager is a generator that cannot have it in the place of its `yield`.

    Raises
    ------
    StateDisagrees
        When the graph may raise something in the body: the generator would have to hear of it.
    """
    name = manager.func.__name__
    value = manager.__enter__()

    def rest(run: Body) -> None:
        try:
            run()
        except BaseException as error:
            if is_stand_in(error):
                _refuse_unheard(name)
            if not manager.__exit__(type(error), error, error.__traceback__):
                raise
        else:
            manager.__exit__(None, None, None)

    trying.stage_try(partial(body, value), rest, lambda: (BaseException,), state)


def _refuse_unheard(name: str) -> NoReturn:
    raise StateDisagrees(
        f"the graph may raise something in a `with` of {name}(), whose generator hears of it",
        where=caller_location(),
        why="The body of the `with` cannot take the place of its `yield`, which gives a value, say.",
        way_out="Let the `yield` be a statement of its own, or write a class with an `__exit__`.",
    )
