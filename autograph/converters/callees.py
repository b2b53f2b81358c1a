"""What a call in converted code does, by what is called.

`converted_call` first asks whether a call needs conversion at all, as most do not. Then it is one of a
function to convert, of a builtin with an operator of its own, of another function or method of C, or of a
class. What nobody takes over is called as it is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import asdict, astuple
from enum import EnumMeta
from functools import partial
from inspect import CO_GENERATOR
from operator import attrgetter, getitem, itemgetter, methodcaller
from types import (
    BuiltinFunctionType,
    FunctionType,
    GeneratorType,
    MethodDescriptorType,
    MethodType,
    MethodWrapperType,
    WrapperDescriptorType,
)
from typing import Any

from autograph.converters.announce import announce_call
from autograph.converters.callees_of_c import (
    ITERATE,
    is_of_few_members,
    is_to_be_python,
    made_by_class,
    member,
    of_module,
    own_method,
    with_items,
)
from autograph.converters.compare import OF_MODULE
from autograph.staging import callers, heap
from autograph.staging.builtins import (
    OPERATORS,
    READING,
    TAKE_FUNCTIONS,
    announce_changes,
    asking_for_attributes,
    attribute,
    staged_builtin,
    staged_keyed_method,
    staged_list_method,
    staged_method,
    staged_text_method,
)
from autograph.staging.closed import NOT_CLOSED, closed_call, flat
from autograph.staging.context import staging
from autograph.staging.dispatch import ATOMS, PLAIN, Backends
from autograph.staging.fresh import note_fresh, note_set_method
from autograph.staging.functions import (
    WRAPPERS,
    asks_cache,
    behind_wrapper,
    by_chosen_class,
    keeps_longer,
    staged_function,
)
from autograph.staging.iterators import advance, may_ask
from autograph.staging.made import makes_objects, note_result
from autograph.staging.notes import listening
from autograph.staging.operators import holds_operators, operator
from autograph.staging.outside import known
from autograph.staging.scope import FunctionScope
from autograph.staging.special_methods import as_array
from autograph.staging.stand_ins import written
from autograph.staging.twins import python_twin

__all__ = ["PYTHON_KINDS", "converted_call"]

NOT_ASKING = frozenset({callable, getattr, hasattr, id, isinstance, iter, print, repr, str, type})
"""Builtins that ask an iterator for no items."""

C_KINDS = frozenset({BuiltinFunctionType, MethodWrapperType, type})
"""Classes of callables of C's."""

GETTERS = frozenset({attrgetter, itemgetter, methodcaller})
"""Classes of `operator` whose objects ask their argument for something, as an expression does."""

SLOTS = frozenset({MethodWrapperType, WrapperDescriptorType})
"""Classes of what C does for a class: `list.__repr__`, `super().__repr__`."""

TEXTS: Mapping[str, Callable[[Any], str]] = {"__repr__": repr, "__str__": str}
"""What of that makes text, and the builtin that asks for it."""

PYTHON_KINDS = frozenset({FunctionType, MethodType})
"""Classes of callables that may lead to a converted function."""


class Invocation:
    """A call in converted code: what is called, with what, and from where.

    Attributes
    ----------
    backends : Backends
    callee : object
    args : tuple
    kwargs : dict of str to object
    scope : FunctionScope
        Of the function that calls.
    """

    __slots__ = ("args", "backends", "callee", "kwargs", "scope")

    def __init__(
        self,
        backends: Backends,
        callee: Any,
        args: tuple[Any, ...],
        kwargs: dict[str, Any] | None,
        scope: FunctionScope,
    ) -> None:
        self.backends = backends
        self.callee = callee
        self.args = args
        self.kwargs = kwargs or {}
        self.scope = scope

    @property
    def is_staged(self) -> bool:
        """Whether it is part of what a backend stages."""
        return self.backends.staging_now() is not self.backends.plain

    def instead(self, callee: Any) -> Any:
        """What the call of something else gives with the same arguments."""
        return converted_call(self.backends, callee, self.args, self.kwargs, self.scope)

    def of(self, callee: Any, *args: Any) -> Any:
        """What another call gives, from the same place."""
        return converted_call(self.backends, callee, args, None, self.scope)

    def converted(self, function: Any) -> Any:
        """A function that the callee calls, converted."""
        return self.backends.of(function).converted(function, self.scope.convert)


@operator
def converted_call(
    backends: Backends,
    callee: Any,
    args: tuple[Any, ...],
    kwargs: dict[str, Any] | None,
    scope: FunctionScope,
) -> Any:
    """`callee(*args, **kwargs)`, the callee converted first if that is the policy."""
    may_be_closed = type(callee) in PYTHON_KINDS and backends.leaves_closed_calls
    if may_be_closed and not heap.busy:
        result = closed_call(backends, callee, args, kwargs)  # most calls of functions, so it is asked first
        if result is not NOT_CLOSED:
            return result
    call = Invocation(backends, callee, args, kwargs, scope)
    if heap.busy or staging.iterators:
        _bring_up_to_date(call)
    if staging.chosen:
        result = _chosen(call)
        if result is not NotImplemented:
            return result
    if "key" in call.kwargs and _is_sort_of_list(call):
        _convert_functions(call)
    callee, kind = call.callee, type(call.callee)
    if kind in PYTHON_KINDS:
        if backends.leaves_closed_calls:
            if heap.busy or not may_be_closed:
                result = closed_call(backends, callee, call.args, call.kwargs)
                if result is not NOT_CLOSED:
                    return result
            as_written = written(callee)
            if as_written is not callee:
                return call.instead(as_written)
            if kind is FunctionType and callee in OF_MODULE:
                return OF_MODULE[callee](backends, *call.args, **call.kwargs)
    elif kind is BuiltinFunctionType or makes_objects(kind):
        name = OPERATORS.get(callee)
        if name is not None:
            return _call_of_operator(call, name)
        return _call_of_builtin(call) if kind is BuiltinFunctionType else _call_of_class(call)
    elif issubclass(kind, EnumMeta) and not call.kwargs and is_of_few_members(backends, callee, call.args):
        return member(backends, callee, *call.args)
    elif kind in GETTERS and len(call.args) == 1 and not call.kwargs and call.is_staged:
        return _got(call)
    elif kind is partial and call.is_staged:
        return _call_of_partial(call)
    target = call.converted(callee)
    if kind in PYTHON_KINDS and holds_operators(target):
        if call.is_staged:
            result = heap.current(backends.staging_now().call(callee, target, call.args, call.kwargs))
            _note_generator(callee, result)
            return result
        # called here, as functions recur through this frame
        result = target(*call.args, **call.kwargs) if call.kwargs else target(*call.args)
        return _noted(call, result)
    return _call_of_target(call, target)


def _call_of_operator(call: Invocation, name: str) -> Any:
    """The call of a builtin of Python's that has an operator of this name: a backend may take it over."""
    backends, callee = call.backends, call.callee
    if staging.attempts and staging.attempts[-1].is_known(name, callee, call.args, call.kwargs):
        return staging.attempts[-1].computed(callee, call.args)
    if backends.leaves_closed_calls and not call.kwargs and _only_computes(name, call.args):
        return note_fresh(callee(*call.args), *call.args) if name == "set_" else callee(*call.args)
    if name in TAKE_FUNCTIONS:
        _convert_functions(call, is_first=name in ("filter_", "map_"))
    if name in ITERATE:
        call.args = with_items(backends, name, call.args)
    args = call.args
    target = own_method(backends, callee, args) or staged_builtin(backends, name, args, call.kwargs) or callee
    found = _call_of_target(call, target)
    return note_fresh(found, *args) if name == "set_" else found


def _call_of_builtin(call: Invocation) -> Any:
    """The call of any other function or method of C: of a module, or a method of a string, a list, a dict."""
    backends, callee, args, kwargs = call.backends, call.callee, call.args, call.kwargs
    computes = callee.__module__ in _MATHEMATICS and backends.leaves_closed_calls and not kwargs
    if computes and all(type(each) in ATOMS for each in args):
        return callee(*args)
    target = (
        of_module(backends, callee, args)
        or asking_for_attributes(backends, callee, args)
        or staged_text_method(backends, callee, args, kwargs)
        or staged_list_method(backends, callee, args, kwargs)
        or staged_keyed_method(backends, callee, args)
        or staged_method(backends, callee, args, kwargs)
        or callee
    )
    if target is callee and is_to_be_python(backends, callee, args):
        twin = python_twin(callee)
        if twin is not None:
            return call.instead(twin)
    return _call_of_target(call, target)


def _is_sort_of_list(call: Invocation) -> bool:
    """Whether a callee is the method `sort` of a list, or of what a backend has in the place of one."""
    if getattr(call.callee, "__name__", None) != "sort":
        return False
    kind = type(getattr(call.callee, "__self__", None))
    return kind is list or call.backends.owned[kind]


_MATHEMATICS = frozenset({"math", "cmath"})
"""Modules whose functions compute, and do no more."""


def _call_of_class(call: Invocation) -> Any:
    """The call of a class, which makes an object."""
    backends, callee = call.backends, call.callee
    target = callee
    if issubclass(callee, BaseException) and type(callee.__init__) in _CONSTRUCTORS:
        target = partial(backends.staging_now().exception, callee)
    else:
        made = made_by_class(backends, callee, call.args, call.kwargs)
        if made is not NotImplemented:
            return made
    return _call_of_target(call, target)


_CONSTRUCTORS = (FunctionType, WrapperDescriptorType)
"""Of exceptions: written in Python, or by those of Python's own."""


def _call_of_target(call: Invocation, target: Any) -> Any:
    """The call of what was found for a callee; of the callee as it is, where that is itself."""
    backends, callee = call.backends, call.callee
    kind = type(callee)
    if call.args and call.is_staged and _is_numpys(callee):
        call.args = tuple([as_array(backends, each) for each in call.args])
    if target is callee and kind in WRAPPERS and call.is_staged:
        kwargs, scope = call.kwargs, call.scope
        chosen = by_chosen_class(
            backends,
            callee,
            call.args,
            lambda each, given: converted_call(backends, each, given, kwargs, scope),
        )
        if chosen is not NotImplemented:
            return chosen
        behind = behind_wrapper(backends, callee, call.args, kwargs)
        if behind is not callee:
            run = partial(converted_call, backends, behind, call.args, kwargs, scope)
            return run() if kind in PYTHON_KINDS else backends.staging_now().cached(behind, run)
        if keeps_longer(callee):
            return _noted(call, backends.staging_now().remembering(callee, partial(_as_it_is, call)))
    if kind is BuiltinFunctionType and asks_cache(callee):
        _ask_cache(call)
    if target is callee and getattr(callee, "__module__", None) in backends.modules:
        target = _of_library(call)
    if kind is FunctionType and callee in APART:
        target = backends.staging_now().taken_apart(callee, call.args, call.kwargs) or callee
        if target is not callee:
            call.args, call.kwargs = (), {}
    if target is callee:
        result = _as_it_is(call)
    else:
        result = target(*call.args, **call.kwargs) if call.kwargs else target(*call.args)
    return _noted(call, result)


def _ask_cache(call: Invocation) -> None:
    """Sees to it that a cache has heard of all calls: it is asked, or emptied."""
    backend = call.backends.staging_now()
    if call.is_staged and (keeps_longer(call.callee.__self__) or backend.decides_here()):
        backend.asked_about_cache(call.callee)


def _is_numpys(callee: Any) -> bool:
    """Whether NumPy asks what it is given for an array."""
    home = getattr(callee, "__module__", None) or type(callee).__module__
    return isinstance(home, str) and home.partition(".")[0] == "numpy"


APART = frozenset({asdict, astuple})
"""Functions that make containers of instances, and ask what they find whether it is one."""


def _noted(call: Invocation, result: Any) -> Any:
    """What a call has given, after it was announced, and as it is by now."""
    result = note_result(call.backends, call.callee, call.args, call.kwargs, result)
    if listening():
        _note_generator(call.callee, result)
    return heap.current(result) if heap.busy else result


def _note_generator(callee: Any, result: Any) -> None:
    """Remembers a generator that a call has made, and no call behind it has given again."""
    is_made = type(result) is GeneratorType and bool(_flags(callee) & CO_GENERATOR)
    staging.generator_made = result if is_made else None


def _flags(callee: Any) -> int:
    """Those of the code of a function, or of the function behind a method."""
    flags: int = callee.__code__.co_flags if type(callee) in PYTHON_KINDS else 0
    return flags


def _bring_up_to_date(call: Invocation) -> None:
    """Replaces what was read first, and may have given way while the last argument was computed.

    Of the iterators among the arguments it is said that they may be asked for items.
    """
    callee = call.callee = heap.again(call.callee)
    call.args = tuple([heap.again(each) for each in call.args])
    call.kwargs = {name: heap.again(each) for name, each in call.kwargs.items()}
    if type(callee) in C_KINDS and callee not in NOT_ASKING:
        values = (getattr(callee, "__self__", None), *call.args, *call.kwargs.values())
        advance(call.backends, may_ask(callee, values))


def _only_computes(name: str, args: tuple[Any, ...]) -> bool:
    """Whether a builtin that is given these is Python's, and nobody has to hear of it."""
    if all(type(each) in ATOMS for each in args):
        return name != "print_" and not (name in _CONTAINERS and listening())
    if name not in READING or staging.attempts:
        return False
    return not heap.busy and type(args[0]) in PLAIN if name == "len_" else flat(args) is not None


_CONTAINERS = frozenset({"dict_", "list_", "set_"})
"""Builtins that make a container, which a statement around has to hear of."""


def _call_of_partial(call: Invocation) -> Any:
    """The call of what is behind a `functools.partial`, with what has taken the place of its arguments."""
    held = call.callee.func, call.callee.args, call.callee.keywords
    function, first, named = heap.current(held) if heap.busy else held
    return converted_call(call.backends, function, (*first, *call.args), {**named, **call.kwargs}, call.scope)


def _got(call: Invocation) -> Any:
    """What an `attrgetter`, an `itemgetter` or a `methodcaller` gives of a value."""
    backends, getter, (value,) = call.backends, call.callee, call.args
    make, said = getter.__reduce__()
    if type(getter) is methodcaller:  # of one with keywords, `make` is a `partial` that holds these
        named = make.keywords if type(make) is partial else {}
        name, *given = (*make.args, *said) if type(make) is partial else said
        return converted_call(backends, attribute(backends, value, name), tuple(given), named, call.scope)
    if type(getter) is attrgetter:
        found = [attribute(backends, value, names) for names in said]
    else:
        found = [call.of(getitem, value, key) for key in said]
    return found[0] if len(found) == 1 else tuple(found)


def _note_fresh_sets(call: Invocation) -> None:
    """Notes what a call does to sets of which it is known how they came about."""
    callee = call.callee
    if type(callee) is BuiltinFunctionType:
        if type(callee.__self__) is set:
            note_set_method(callee, call.args)
        return
    is_ours = isinstance(callee, type) or call.backends.owned[type(getattr(callee, "__self__", None))]
    if not is_ours and not all(type(each) in ATOMS for each in (*call.args, *call.kwargs.values())):
        staging.fresh.clear()  # of what is not converted, nobody knows what it does to them


def _as_it_is(call: Invocation) -> Any:
    """The call of what is not converted: now, or when a graph runs."""
    backends, callee, args, kwargs = call.backends, call.callee, call.args, call.kwargs
    if type(callee) is MethodWrapperType and callee.__objclass__ is type and callee.__name__ == "__call__":
        kind: Any = callee.__self__  # whose own class calls `super().__call__(…)`
        made = made_by_class(backends, kind, args, kwargs)
        if made is not NotImplemented:
            return made
    if type(callee) is MethodDescriptorType and _has_instance(call):
        return converted_call(backends, _bound(callee, args[0]), args[1:], kwargs, call.scope)
    backend = backends.staging_now()
    if type(callee) is MethodType and callee.__name__ in TEXTS and backends.owned[type(callee.__self__)]:
        return backend.shown_by(callee.__self__, TEXTS[callee.__name__])
    if type(callee) in SLOTS and callee.__name__ in TEXTS:
        given = (callee.__self__, *args) if type(callee) is MethodWrapperType else args
        if len(given) == 1 and not kwargs:
            return backend.shown_by(given[0], getattr(callee.__objclass__, callee.__name__))
    if type(callee) not in C_KINDS:
        advance(backends, may_ask(callee, (*args, *kwargs.values())))
    if type(callee) is MethodType and type(callee.__self__) is Counter:  # whose methods are Python
        counts = staged_keyed_method(backends, callee, args)
        if counts is not None:
            return counts(*args, **kwargs)
    if backend is not backends.plain:
        put_off = backend.outside(known(callee), callee, args, kwargs)
        if put_off is not None:
            return put_off()
    if staging.attempts:
        result = staging.attempts[-1].outside(callee, args, kwargs)
        if result is not NotImplemented:
            return result
    if listening():
        if (callee is setattr or callee is delattr) and len(args) > 1:
            announce_call(backends, callee, *args[:2])
        announce_changes(callee, args, kwargs)
    if staging.fresh:
        _note_fresh_sets(call)
    if callers.looks_at_caller(callee):
        return callers.called_by_user(callee, args, kwargs)
    with backend.left_alone(callee, (*args, *kwargs.values())) as given_back:
        return given_back(callee(*args, **kwargs))


def _has_instance(call: Invocation) -> bool:
    """Whether a method that was taken from its class, as `str.upper`, is given an instance."""
    if not call.args:
        return False
    first = call.args[0]
    return call.backends.of(first).is_instance(first, call.callee.__objclass__) is True


def _bound(method: MethodDescriptorType, instance: Any) -> Any:
    """A method that was taken from its class, of an instance, whose own class may have another by that name.

    A value of a backend that stands for an instance has the method that stands for this one.
    """
    is_one = isinstance(instance, method.__objclass__)
    return method.__get__(instance) if is_one else getattr(instance, method.__name__)


def _chosen(call: Invocation) -> Any:
    """The call where the callee or an argument is chosen by a backend; `NotImplemented` where none is."""
    backends, callee, scope = call.backends, call.callee, call.scope
    return backends.staging_now().chosen_call(
        callee,
        call.args,
        call.kwargs,
        lambda one, its_args, its_kwargs: converted_call(backends, one, its_args, its_kwargs, scope),
        lambda: holds_operators(callee) or scope.convert(callee) is not callee,
    )


def _convert_functions(call: Invocation, *, is_first: bool = False) -> None:
    """Converts the function that `map`, `sorted` and the like are given to call: the first one, or `key`."""

    def converted(function: Any) -> Any:
        behind = function.func if type(function) is partial else function
        if type(behind) in PYTHON_KINDS:
            return call.converted(function)
        return lambda *given: call.of(function, *given)

    args, kwargs = call.args, call.kwargs
    if is_first and args and callable(args[0]) and (type(args[0]) in FUNCTIONS or flat(args[1:]) is None):
        call.args = (converted(args[0]), *args[1:])
    if kwargs.get("key") is not None:
        call.kwargs = {**kwargs, "key": converted(kwargs["key"])}


def _of_library(call: Invocation) -> Any:
    """What is called for a library's function; the functions that it calls are converted."""
    target = staged_function(call.backends, call.callee, call.args, call.kwargs)
    if target is None:
        return call.callee

    def converted(value: Any) -> Any:
        if type(value) is list and any(type(each) in FUNCTIONS for each in value):
            return [converted(each) for each in value]
        return call.converted(value) if type(value) in FUNCTIONS else value

    call.args = tuple(map(converted, call.args))
    return target


FUNCTIONS = (FunctionType, MethodType, partial)
"""Classes of what `map` and `filter` may be given to call, and that conversion changes."""
