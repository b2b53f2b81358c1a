"""What a call in converted code does, by what is called.

`converted_call` first asks whether a call needs conversion at all, as most do not. Then it is one of a
function to convert, of a builtin with an operator of its own, of another function or method of C, or of a
class. What nobody takes over is called as it is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import asdict, astuple
from enum import Enum, EnumMeta, Flag
from functools import partial
from inspect import CO_GENERATOR
from itertools import tee
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
from autograph.converters.compare import OF_MODULE
from autograph.staging import callers, heap
from autograph.staging.builtins import (
    COLLECTIONS,
    OPERATORS,
    READING,
    TAKE_FUNCTIONS,
    announce_changes,
    asking_for_attributes,
    attribute,
    staged_builtin,
    staged_collection,
    staged_keyed_method,
    staged_list_method,
    staged_method,
    staged_text_method,
)
from autograph.staging.closed import NOT_CLOSED, closed_call, flat
from autograph.staging.context import staging
from autograph.staging.dispatch import ATOMS, PLAIN, Backends
from autograph.staging.fresh import note_fresh, note_set_method
from autograph.staging.functions import WRAPPERS, behind_wrapper, by_chosen_class, staged_function
from autograph.staging.iterators import advance, may_ask
from autograph.staging.made import makes_objects, note_result
from autograph.staging.notes import listening
from autograph.staging.operators import holds_operators, operator
from autograph.staging.outside import known
from autograph.staging.scope import FunctionScope
from autograph.staging.special_methods import (
    SPECIAL,
    as_array,
    by_methods,
    constructed,
    pairs_by_methods,
    special_method,
    truth,
)
from autograph.staging.stand_ins import written
from autograph.staging.twins import (
    MODULES,
    OPERATIONS,
    ORDERING,
    calls_until,
    element_by_element,
    holds_values,
    in_python,
    items_backwards,
    iterated,
    next_or,
    orders_by_methods,
    python_twin,
)

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


@operator
def converted_call(
    backends: Backends,
    callee: Any,
    args: tuple[Any, ...],
    kwargs: dict[str, Any] | None,
    scope: FunctionScope,
) -> Any:
    """`callee(*args, **kwargs)`, the callee converted first if that is the policy."""
    kind = type(callee)
    may_be_closed = kind in PYTHON_KINDS and backends.leaves_closed_calls
    if may_be_closed and not heap.busy:
        result = closed_call(backends, callee, args, kwargs)  # most calls of functions, so it is asked first
        if result is not NOT_CLOSED:
            return result
    if heap.busy or staging.iterators:
        callee, args, kwargs = _as_they_are_now(backends, callee, args, kwargs)
        kind = type(callee)
    if staging.chosen:
        result = _chosen_call(backends, callee, args, kwargs, scope)
        if result is not NotImplemented:
            return result
    if kwargs and "key" in kwargs and _is_sort_of_list(backends, callee):
        args, kwargs = _with_converted(backends, scope, args, kwargs)
    if kind in PYTHON_KINDS:
        if backends.leaves_closed_calls:
            if heap.busy or not may_be_closed:
                result = closed_call(backends, callee, args, kwargs)
                if result is not NOT_CLOSED:
                    return result
            as_written = written(callee)
            if as_written is not callee:
                return converted_call(backends, as_written, args, kwargs, scope)
            if kind is FunctionType and callee in OF_MODULE:
                return OF_MODULE[callee](backends, *args, **(kwargs or {}))
    elif kind is BuiltinFunctionType or makes_objects(kind):
        name = OPERATORS.get(callee)
        if name is not None:
            return _call_of_operator(backends, name, callee, args, kwargs, scope)
        if kind is BuiltinFunctionType:
            return _call_of_builtin(backends, callee, args, kwargs, scope)
        return _call_of_class(backends, callee, args, kwargs, scope)
    elif issubclass(kind, EnumMeta) and not kwargs and _is_of_few_members(backends, callee, args):
        return _member(backends, callee, *args)
    elif kind in GETTERS and len(args) == 1 and not kwargs and backends.staging_now() is not backends.plain:
        return _got(backends, callee, args[0], scope)
    elif kind is partial and backends.staging_now() is not backends.plain:
        return _of_partial(backends, callee, args, kwargs or {}, scope)
    target = backends.of(callee).converted(callee, scope.convert)
    if kind in PYTHON_KINDS and holds_operators(target):
        backend = backends.staging_now()
        if backend is not backends.plain:
            result = heap.current(backend.call(callee, target, args, kwargs or {}))
            _note_generator(callee, result)
            return result
        # called here, as functions recur through this frame
        result = target(*args, **kwargs) if kwargs else target(*args)
        return _noted(backends, callee, args, kwargs, result)
    return _call_of_target(backends, callee, target, args, kwargs, scope)


def _call_of_operator(
    backends: Backends,
    name: str,
    callee: Any,
    args: tuple[Any, ...],
    kwargs: dict[str, Any] | None,
    scope: FunctionScope,
) -> Any:
    """The call of a builtin of Python's that has an operator of this name: a backend may take it over."""
    if staging.attempts and staging.attempts[-1].is_known(name, callee, args, kwargs or {}):
        return staging.attempts[-1].computed(callee, args)
    if backends.leaves_closed_calls and not kwargs and _only_computes(name, args):
        return note_fresh(callee(*args), *args) if name == "set_" else callee(*args)
    if name in TAKE_FUNCTIONS:
        args, kwargs = _with_converted(backends, scope, args, kwargs, is_first=name in ("filter_", "map_"))
    if name in ITERATE:
        args = _given(backends, name, args)
    target = _own_method(backends, callee, args) or staged_builtin(backends, name, args, kwargs) or callee
    found = _call_of_target(backends, callee, target, args, kwargs, scope)
    return note_fresh(found, *args) if name == "set_" else found


def _call_of_builtin(
    backends: Backends,
    callee: Any,
    args: tuple[Any, ...],
    kwargs: dict[str, Any] | None,
    scope: FunctionScope,
) -> Any:
    """The call of any other function or method of C: of a module, or a method of a string, a list, a dict."""
    computes = callee.__module__ in _MATHEMATICS and backends.leaves_closed_calls and not kwargs
    if computes and all(type(each) in ATOMS for each in args):
        return callee(*args)
    target = (
        _of_module(backends, callee, args)
        or asking_for_attributes(backends, callee, args)
        or staged_text_method(backends, callee, args, kwargs)
        or staged_list_method(backends, callee, args, kwargs)
        or staged_keyed_method(backends, callee, args)
        or staged_method(backends, callee, args, kwargs)
        or callee
    )
    if target is callee and _is_to_be_python(backends, callee, args):
        twin = python_twin(callee)
        if twin is not None:
            return converted_call(backends, twin, args, kwargs, scope)
    return _call_of_target(backends, callee, target, args, kwargs, scope)


def _is_sort_of_list(backends: Backends, callee: Any) -> bool:
    """Whether a callee is the method `sort` of a list, or of what a backend has in the place of one."""
    if getattr(callee, "__name__", None) != "sort":
        return False
    kind = type(getattr(callee, "__self__", None))
    return kind is list or backends.owned[kind]


_MATHEMATICS = frozenset({"math", "cmath"})
"""Modules whose functions compute, and do no more."""


def _call_of_class(
    backends: Backends,
    callee: Any,
    args: tuple[Any, ...],
    kwargs: dict[str, Any] | None,
    scope: FunctionScope,
) -> Any:
    """The call of a class, which makes an object."""
    target = callee
    if issubclass(callee, BaseException) and type(callee.__init__) in _CONSTRUCTORS:
        target = partial(backends.staging_now().exception, callee)
    else:
        made = _made(backends, callee, args, kwargs or {})
        if made is not NotImplemented:
            return made
    return _call_of_target(backends, callee, target, args, kwargs, scope)


_CONSTRUCTORS = (FunctionType, WrapperDescriptorType)
"""Of exceptions: written in Python, or by those of Python's own."""


def _call_of_target(
    backends: Backends,
    callee: Any,
    target: Any,
    args: tuple[Any, ...],
    kwargs: dict[str, Any] | None,
    scope: FunctionScope,
) -> Any:
    """The call of what was found for a callee; of the callee as it is, where that is itself."""
    kind = type(callee)
    if args and backends.staging_now() is not backends.plain and _is_numpys(callee):
        args = tuple([as_array(backends, each) for each in args])
    if target is callee and kind in WRAPPERS and backends.staging_now() is not backends.plain:
        chosen = by_chosen_class(
            backends, callee, args, lambda each, given: converted_call(backends, each, given, kwargs, scope)
        )
        if chosen is not NotImplemented:
            return chosen
        behind = behind_wrapper(backends, callee, args)
        if behind is not callee:
            run = partial(converted_call, backends, behind, args, kwargs, scope)
            return run() if kind in PYTHON_KINDS else backends.staging_now().cached(behind, run)
    if target is callee and getattr(callee, "__module__", None) in backends.modules:
        target, args = _of_library(backends, callee, args, kwargs, scope)
    if kind is FunctionType and callee in APART:
        target = backends.staging_now().taken_apart(callee, args, kwargs or {}) or callee
        args, kwargs = ((), None) if target is not callee else (args, kwargs)
    if target is callee:
        result = _as_it_is(backends, callee, args, kwargs or {}, scope)
    else:
        result = target(*args, **kwargs) if kwargs else target(*args)
    return _noted(backends, callee, args, kwargs, result)


def _is_numpys(callee: Any) -> bool:
    """Whether NumPy asks what it is given for an array."""
    home = getattr(callee, "__module__", None) or type(callee).__module__
    return isinstance(home, str) and home.partition(".")[0] == "numpy"


APART = frozenset({asdict, astuple})
"""Functions that make containers of instances, and ask what they find whether it is one."""


def _noted(
    backends: Backends, callee: Any, args: tuple[Any, ...], kwargs: dict[str, Any] | None, result: Any
) -> Any:
    """What a call has given, after it was announced, and as it is by now."""
    result = note_result(backends, callee, args, kwargs or {}, result)
    if listening():
        _note_generator(callee, result)
    return heap.current(result) if heap.busy else result


def _note_generator(callee: Any, result: Any) -> None:
    """Remembers a generator that a call has made, and no call behind it has given again."""
    is_made = type(result) is GeneratorType and bool(_flags(callee) & CO_GENERATOR)
    staging.generator_made = result if is_made else None


def _flags(callee: Any) -> int:
    """Those of the code of a function, or of the function behind a method."""
    flags: int = callee.__code__.co_flags if type(callee) in PYTHON_KINDS else 0
    return flags


def _as_they_are_now(
    backends: Backends, callee: Any, args: tuple[Any, ...], kwargs: dict[str, Any] | None
) -> tuple[Any, tuple[Any, ...], dict[str, Any] | None]:
    """What is called with what: what was read first may have given way while the last one was computed.

    Of the iterators among the arguments it is said that they may be asked for items.
    """
    callee, args = heap.again(callee), tuple([heap.again(each) for each in args])
    if kwargs:
        kwargs = {name: heap.again(each) for name, each in kwargs.items()}
    if type(callee) in C_KINDS and callee not in NOT_ASKING:
        values = (getattr(callee, "__self__", None), *args, *(kwargs or {}).values())
        advance(backends, may_ask(callee, values))
    return callee, args, kwargs


def _only_computes(name: str, args: tuple[Any, ...]) -> bool:
    """Whether a builtin that is given these is Python's, and nobody has to hear of it."""
    if all(type(each) in ATOMS for each in args):
        return name != "print_" and not (name in _CONTAINERS and listening())
    if name not in READING or staging.attempts:
        return False
    return not heap.busy and type(args[0]) in PLAIN if name == "len_" else flat(args) is not None


_CONTAINERS = frozenset({"dict_", "list_", "set_"})
"""Builtins that make a container, which a statement around has to hear of."""


def _of_partial(
    backends: Backends, callee: Any, args: tuple[Any, ...], kwargs: dict[str, Any], scope: FunctionScope
) -> Any:
    """The call of what is behind a `functools.partial`, with what has taken the place of its arguments."""
    held = callee.func, callee.args, callee.keywords
    function, first, named = heap.current(held) if heap.busy else held
    return converted_call(backends, function, (*first, *args), {**named, **kwargs}, scope)


def _got(backends: Backends, getter: Any, value: Any, scope: FunctionScope) -> Any:
    """What an `attrgetter`, an `itemgetter` or a `methodcaller` gives of a value."""
    make, said = getter.__reduce__()
    if type(getter) is methodcaller:  # of one with keywords, `make` is a `partial` that holds these
        named = make.keywords if type(make) is partial else {}
        name, *given = (*make.args, *said) if type(make) is partial else said
        return converted_call(backends, attribute(backends, value, name), tuple(given), named, scope)
    if type(getter) is attrgetter:
        found = [attribute(backends, value, names) for names in said]
    else:
        found = [converted_call(backends, getitem, (value, key), None, scope) for key in said]
    return found[0] if len(found) == 1 else tuple(found)


def _note_fresh_sets(backends: Backends, callee: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    """Notes what a call does to sets of which it is known how they came about."""
    if type(callee) is BuiltinFunctionType:
        if type(callee.__self__) is set:
            note_set_method(callee, args)
        return
    is_ours = isinstance(callee, type) or backends.owned[type(getattr(callee, "__self__", None))]
    if not is_ours and not all(type(each) in ATOMS for each in (*args, *kwargs.values())):
        staging.fresh.clear()  # of what is not converted, nobody knows what it does to them


def _as_it_is(
    backends: Backends, callee: Any, args: tuple[Any, ...], kwargs: dict[str, Any], scope: FunctionScope
) -> Any:
    """The call of what is not converted: now, or when a graph runs."""
    if type(callee) is MethodWrapperType and callee.__objclass__ is type and callee.__name__ == "__call__":
        kind: Any = callee.__self__  # whose own class calls `super().__call__(…)`
        made = _made(backends, kind, args, kwargs)
        if made is not NotImplemented:
            return made
    if type(callee) is MethodDescriptorType and _has_instance(backends, callee, args):
        return converted_call(backends, _bound(callee, args[0]), args[1:], kwargs, scope)
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
        _note_fresh_sets(backends, callee, args, kwargs)
    if callers.looks_at_caller(callee):
        return callers.called_by_user(callee, args, kwargs)
    with backend.left_alone(callee, (*args, *kwargs.values())) as given_back:
        return given_back(callee(*args, **kwargs))


def _has_instance(backends: Backends, method: MethodDescriptorType, args: tuple[Any, ...]) -> bool:
    """Whether a method that was taken from its class, as `str.upper`, is given an instance."""
    return bool(args) and backends.of(args[0]).is_instance(args[0], method.__objclass__) is True


def _bound(method: MethodDescriptorType, instance: Any) -> Any:
    """A method that was taken from its class, of an instance, whose own class may have another by that name.

    A value of a backend that stands for an instance has the method that stands for this one.
    """
    is_one = isinstance(instance, method.__objclass__)
    return method.__get__(instance) if is_one else getattr(instance, method.__name__)


def _made(backends: Backends, kind: type, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """An instance by the constructor of a backend, or the converted one; `NotImplemented` for Python's."""
    if kind in COLLECTIONS and (args or kwargs):
        collection = staged_collection(backends, kind, args, kwargs)
        if collection is not None:
            return note_result(backends, kind, args, kwargs, collection(args, kwargs))
    if kind.__module__ == "itertools":
        return iterated(backends, kind, args, kwargs)
    twin = element_by_element(kind)
    if twin is not None and holds_values(backends, args):
        return backends.convert(twin)(*args, **kwargs)
    return constructed(backends, kind, args, kwargs)


def _is_of_few_members(backends: Backends, kind: type, args: tuple[Any, ...]) -> bool:
    """Whether a member is asked for by a value of a backend's; of flags there is one for each sum."""
    return len(args) == 1 and holds_values(backends, args) and not issubclass(kind, Flag)


def _member(backends: Backends, kind: type[Enum], value: Any) -> Any:
    """The member of an enumeration that has a value which only a backend knows."""
    own: Any = kind._missing_
    has_others = own.__func__ is not Enum._missing_.__func__  # type: ignore[attr-defined]  # a method of a class
    return backends.convert(in_python("member_of"))(kind, value, has_others=has_others)


def _of_module(backends: Backends, callee: Any, args: tuple[Any, ...]) -> Callable[..., Any] | None:
    """What stands for a function of a module that is more than a method of its argument."""
    if callee is tee or (callee.__name__ == "from_iterable" and holds_values(backends, args)):
        return _tried(backends, callee)
    found = OF_MODULE.get(callee)
    return None if found is None else partial(found, backends)


def _tried(backends: Backends, callee: Any) -> Callable[..., Any]:
    """A function of `itertools` in Python, or the one of C's where that is right."""

    def call(*args: Any, **kwargs: Any) -> Any:
        found = iterated(backends, callee, args, kwargs)
        return callee(*args, **kwargs) if found is NotImplemented else found

    return call


def _is_to_be_python(backends: Backends, callee: Any, args: tuple[Any, ...]) -> bool:
    """Whether a function of the standard library in C is to be the one in Python: it meets values."""
    module = MODULES.get(callee.__module__)
    if module is None:
        return False
    is_staging = backends.staging_now() is not backends.plain
    if module == OPERATIONS:
        return is_staging and any(type(each) not in ATOMS for each in args)
    return holds_values(backends, args) or (module in ORDERING and is_staging and orders_by_methods(args))


def _own_method(backends: Backends, callee: Any, args: tuple[Any, ...]) -> Callable[..., Any] | None:
    """What a builtin calls of the class of its argument, converted; None where Python's call is right."""
    if callee is bool and args:
        found = truth(backends, args[0])
        return None if found is args[0] else lambda _: backends.of(found).bool_(found)
    name = SPECIAL.get(callee) if args else None
    if callee is next and len(args) in {1, 2}:
        own = special_method(backends, args[0], "__next__")
        return own if own is None or len(args) == 1 else backends.convert(next_or())
    twin = None
    if callee is iter and len(args) == 2 and backends.staging_now() is not backends.plain:
        twin = calls_until()
    elif callee is reversed and args and not hasattr(type(args[0]), "__reversed__"):
        twin = items_backwards() if special_method(backends, args[0], "__getitem__") else None
    if twin is not None:
        converted: Callable[..., Any] = backends.convert(twin)
        return converted
    return None if name is None else special_method(backends, args[0], name)


def _chosen_call(
    backends: Backends,
    callee: Any,
    args: tuple[Any, ...],
    kwargs: dict[str, Any] | None,
    scope: FunctionScope,
) -> Any:
    """The call where the callee or an argument is chosen by a backend; `NotImplemented` where none is."""
    return backends.staging_now().chosen_call(
        callee,
        args,
        kwargs or {},
        lambda one, its_args, its_kwargs: converted_call(backends, one, its_args, its_kwargs, scope),
        lambda: holds_operators(callee) or scope.convert(callee) is not callee,
    )


def _with_converted(
    backends: Backends,
    scope: FunctionScope,
    args: tuple[Any, ...],
    kwargs: dict[str, Any] | None,
    *,
    is_first: bool = False,
) -> tuple[tuple[Any, ...], dict[str, Any] | None]:
    """The arguments of `map`, `sorted` and the like, with the function that they call converted.

    It is the first argument, or `key`.
    """

    def converted(function: Any) -> Any:
        behind = function.func if type(function) is partial else function
        if type(behind) in PYTHON_KINDS:
            return backends.of(function).converted(function, scope.convert)
        return lambda *given: converted_call(backends, function, given, None, scope)

    if is_first and args and callable(args[0]) and (type(args[0]) in FUNCTIONS or flat(args[1:]) is None):
        args = (converted(args[0]), *args[1:])
    key = kwargs.get("key") if kwargs else None
    return args, kwargs if key is None else {**(kwargs or {}), "key": converted(key)}


def _of_library(
    backends: Backends,
    callee: Any,
    args: tuple[Any, ...],
    kwargs: dict[str, Any] | None,
    scope: FunctionScope,
) -> tuple[Any, tuple[Any, ...]]:
    """What is called for a library's function, and with what: the functions that it calls are converted."""
    target = staged_function(backends, callee, args, kwargs)
    if target is None:
        return callee, args

    def converted(value: Any) -> Any:
        if type(value) is list and any(type(each) in FUNCTIONS for each in value):
            return [converted(each) for each in value]
        return backends.of(value).converted(value, scope.convert) if type(value) in FUNCTIONS else value

    return target, tuple(map(converted, args))


def _given(backends: Backends, name: str, args: tuple[Any, ...]) -> tuple[Any, ...]:
    """The arguments of a builtin, with what gives the items of those that it goes over."""
    if name in ITERATE_ALONE and len(args) > 1:
        return args
    if name == "iter_" and hasattr(type(args[0]), "__next__"):
        return args
    first, last = ITERATE[name]
    found = pairs_by_methods if name == "dict_" else by_methods
    return (*args[:first], *(found(backends, each) for each in args[first:last]), *args[last or len(args) :])


ITERATE: Mapping[str, tuple[int, int | None]] = {
    **dict.fromkeys(("all_", "any_", "dict_", "enumerate_", "iter_", "list_", "max_", "min_"), (0, 1)),
    **dict.fromkeys(("set_", "sorted_", "sum_", "tuple_"), (0, 1)),
    **dict.fromkeys(("filter_", "map_"), (1, None)),
    "zip_": (0, None),
}
"""Operators that go over items, and which of their arguments give these."""

ITERATE_ALONE = frozenset({"iter_", "max_", "min_"})
"""Operators that go over the items of an argument which is alone."""


FUNCTIONS = (FunctionType, MethodType, partial)
"""Classes of what `map` and `filter` may be given to call, and that conversion changes."""
