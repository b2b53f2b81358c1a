"""Python's builtins that a backend may take over, and the operator for each."""

from __future__ import annotations

import operator
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable, Iterable, Mapping, Set
from functools import partial
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any

from autograph.staging import announcing, heap, notes, places
from autograph.staging.attributes import dict_of, in_classes
from autograph.staging.dispatch import ATOMS, Backends
from autograph.staging.state import Undefined
from autograph.staging.twins import converted_twin

__all__ = [
    "CHANGING",
    "COLLECTIONS",
    "OPERATORS",
    "READING",
    "TAKE_FUNCTIONS",
    "announce_changes",
    "asking_for_attributes",
    "attribute",
    "staged_builtin",
    "staged_collection",
    "staged_keyed_method",
    "staged_list_method",
    "staged_method",
    "staged_text_method",
]

OPERATORS: Mapping[Callable[..., Any], str] = {
    abs: "abs_",
    all: "all_",
    any: "any_",
    ascii: "ascii_",
    bin: "bin_",
    bool: "bool_",
    chr: "chr_",
    complex: "complex_",
    dict: "dict_",
    enumerate: "enumerate_",
    filter: "filter_",
    float: "float_",
    format: "format_",
    frozenset: "frozenset_",
    hash: "hash_",
    hex: "hex_",
    id: "id_",
    int: "int_",
    isinstance: "is_instance",
    iter: "iter_",
    len: "len_",
    list: "list_",
    map: "map_",
    max: "max_",
    min: "min_",
    next: "next_",
    oct: "oct_",
    ord: "ord_",
    pow: "pow_",
    print: "print_",
    range: "range_",
    repr: "repr_",
    reversed: "reversed_",
    round: "round_",
    set: "set_",
    sorted: "sorted_",
    str: "str_",
    sum: "sum_",
    tuple: "tuple_",
    type: "type_",
    zip: "zip_",
    operator.index: "index_",
}
"""builtin → the method of `Backend` that is called when an argument belongs to a backend."""

AGGREGATES = frozenset(
    {"all_", "any_", "dict_", "filter_", "frozenset_", "hash_", "max_", "min_", "set_", "sorted_", "sum_"}
)
"""Operators that compare, hash, add, or ask for the truth of every item: a backend's values inside decide."""

READING = frozenset({"all_", "any_", "len_", "max_", "min_", "sorted_", "sum_"})
"""Operators that only look at what they are given, one object or several."""

TAKE_FUNCTIONS = frozenset({"filter_", "map_", "max_", "min_", "sorted_"})
"""Operators that call a function of the user's."""

SEARCHING = frozenset({"count", "index"})
"""Methods of lists and of tuples."""

LIST_METHODS = frozenset({"count", "extend", "index", "insert", "pop", "remove", "sort"})
"""Methods of lists that look at an index, or at the elements."""

AT_PLACES = frozenset({"hash_", "id_", "print_"})
"""Operators that a statement of a backend's is told of, whatever they are given."""

INDEXED = frozenset({list, range, str, tuple})
"""Classes of which an iterator is an index that goes up."""

CHANGING = frozenset({deque, dict, set, *heap.VIEWS})
"""Classes of which Python's iterators say whether the container has changed under them."""

ITERATORS = frozenset({"enumerate_", "iter_", "zip_"})
"""Operators that give an iterator."""

SHOWING = frozenset({"ascii_", "format_", "repr_", "str_"})
"""Operators that make text of values: a backend's own may be inside any object."""


def staged_builtin(
    backends: Backends, name: str, args: tuple[Any, ...], kwargs: Mapping[str, Any] | None
) -> Callable[..., Any] | None:
    """The backend's version of a builtin; None when every argument is plain and the builtin itself is right.

    Parameters
    ----------
    backends : Backends
    name : str
        The operator, from `OPERATORS`.
    args, kwargs
        The arguments of the call.

    Returns
    -------
    callable or None
    """
    backend = backends.of(*args, *kwargs.values()) if kwargs else backends.of(*args)
    if backend is backends.plain and (name in AT_PLACES or (name in ITERATORS and _are_followed(name, args))):
        backend = backends.staging_now()  # where it stands decides, too, not only what it is given
    elif backend is backends.plain and (name in AGGREGATES or name in SHOWING or name == "map_"):
        by_key = kwargs is not None and kwargs.get("key") is not None  # which may be a value of the backend
        backend = backends.staging_now() if by_key else backends.inside(*args)
    if backend is backends.plain:
        return None
    _require_form(name, args, kwargs or {})
    found: Callable[..., Any] = getattr(backend, name)
    return found


def _are_followed(name: str, items: Iterable[Any]) -> bool:
    """Whether a backend makes the iterator over these items, which are Python's."""
    kinds = set(map(type, items))
    return not kinds.isdisjoint(CHANGING) or (name == "iter_" and not kinds.isdisjoint(INDEXED))


def _require_form(name: str, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> None:
    """Has Python say what it says of a builtin that cannot be called so, whatever its arguments are."""
    least, most, names = _FORMS.get(name, _ANY_FORM)
    is_known = names is None or names >= kwargs.keys()
    if not (is_known and least <= len(args) + len(kwargs) and len(args) <= most):
        _BUILTINS[name](*[() for _ in args], **dict.fromkeys(kwargs, ()))


_MANY = 1 << 30
_ANY_FORM: tuple[int, int, Set[str] | None] = 0, _MANY, None
_FORMS: Mapping[str, tuple[int, int, Set[str] | None]] = {
    **dict.fromkeys(("abs_", "all_", "any_", "ascii_", "bin_", "chr_", "hash_", "hex_"), (1, 1, set())),
    **dict.fromkeys(("id_", "index_", "len_", "oct_", "ord_", "repr_", "reversed_"), (1, 1, set())),
    **dict.fromkeys(("bool_", "float_", "list_", "set_", "tuple_"), (0, 1, set())),
    **dict.fromkeys(("max_", "min_"), (1, _MANY, {"key", "default"})),
    **dict.fromkeys(("format_", "iter_", "next_"), (1, 2, set())),
    "complex_": (0, 2, {"real", "imag"}),
    "dict_": (0, 1, None),
    "enumerate_": (1, 2, {"iterable", "start"}),
    "filter_": (2, 2, set()),
    "int_": (0, 2, {"base"}),
    "is_instance": (2, 2, set()),
    "map_": (2, _MANY, None),
    "pow_": (2, 3, {"base", "exp", "mod"}),
    "print_": (0, _MANY, {"sep", "end", "file", "flush"}),
    "range_": (1, 3, set()),
    "round_": (1, 2, {"number", "ndigits"}),
    "sorted_": (1, 1, {"key", "reverse"}),
    "sum_": (1, 2, {"start"}),
    "zip_": (0, _MANY, {"strict"}),
}
"""How many arguments a builtin takes, at least and at most by position, and which by name; None for any."""
_BUILTINS: Mapping[str, Callable[..., Any]] = {name: builtin for builtin, name in OPERATORS.items()}


ASKING = frozenset({dir, getattr, hasattr})
"""Builtins that are about the attributes of their first argument."""


def asking_for_attributes(
    backends: Backends, callee: Any, args: tuple[Any, ...]
) -> Callable[..., Any] | None:
    """The backend's version of a builtin that asks for attributes; None where Python's is right."""
    if not args:
        return None
    if callee is vars or callee is dir or (callee is getattr and args[1:2] == ("__dict__",)):
        _ask_for_dict(backends, args[0])
    if callee not in ASKING:
        return None
    if not backends.owned[type(args[0])]:
        return _asking_in_python(backends, callee, args)
    found: Callable[..., Any] = backends.of(args[0]).asked_of(args[0], callee)
    return None if found is callee else found


_CATCHING: Mapping[tuple[Callable[..., Any], int], str] = {(hasattr, 2): "has", (getattr, 3): "found_or"}
"""Builtins that catch an AttributeError, with how many arguments, and their programs."""


def _asking_in_python(
    backends: Backends, callee: Callable[..., Any], args: tuple[Any, ...]
) -> Callable[..., Any] | None:
    """The program of a builtin that catches what code of the user's raises; None where no such code runs."""
    program = _CATCHING.get((callee, len(args)))
    if program is None or type(args[1]) is not str or backends.staging_now() is backends.plain:
        return None
    owner, name = args[:2]
    kind = type(owner)
    found = in_classes(kind, name)
    is_data = hasattr(found, "__set__")
    if not is_data and name in dict_of(owner, ()):
        return None
    is_asked = found is None and isinstance(in_classes(kind, "__getattr__"), FunctionType)
    getter = found.fget if isinstance(found, property) else in_classes(type(found), "__get__")
    return converted_twin(program, "asking") if is_asked or isinstance(getter, FunctionType) else None


def _ask_for_dict(backends: Backends, value: Any) -> None:
    """Says that all attributes of an object are asked for: their names have to be known."""
    backend = backends.staging_now()
    backend.require_known_names(value)
    if backend is not backends.plain:
        announcing.note_dict_of(value)


def attribute(backends: Backends, value: Any, names: str) -> Any:
    """`value.name`, or `value.name.name`, as programs see them."""
    for name in names.split("."):
        if name == "__dict__":
            _ask_for_dict(backends, value)
        read = backends.of(value).asked_of(value, getattr) if backends.owned[type(value)] else getattr
        value = read(value, name)
        if isinstance(value, Undefined):
            value = value.read()  # of an attribute that some paths have not set, the graph raises here
    return value


def staged_text_method(
    backends: Backends, callee: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any] | None
) -> Callable[..., Any] | None:
    """The backend's version of a method of a string that is given values; None where Python's is right.

    Parameters
    ----------
    backends : Backends
    callee : callable
        A builtin that is no operator.
    args, kwargs
        The arguments of the call.

    Returns
    -------
    callable or None
    """
    template = getattr(callee, "__self__", None)
    if type(template) is not str:
        return None
    backend = backends.inside(*args, *(kwargs or {}).values())
    return None if backend is backends.plain else partial(backend.text_method, template, callee.__name__)


def staged_list_method(
    backends: Backends, callee: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any] | None
) -> Callable[..., Any] | None:
    """The backend's version of a method of a list or tuple, such as `l.index`; None where Python's is right.

    Parameters
    ----------
    backends : Backends
    callee : callable
        A builtin that is no operator.
    args, kwargs
        The arguments of the call.

    Returns
    -------
    callable or None
    """
    target, name = getattr(callee, "__self__", None), callee.__name__
    if name not in (LIST_METHODS if type(target) is list else SEARCHING if isinstance(target, tuple) else ()):
        return None
    assert isinstance(target, (list, tuple)), "others have no methods here"
    if name == "sort" and kwargs and kwargs.get("key") is not None:
        backend = backends.staging_now()  # whatever the items are, a key may be its value
        return None if backend is backends.plain else partial(backend.list_method, target, name)
    backend = backends.of(*args) if name in {"insert", "pop"} else backends.inside(target, *args)
    if backend is backends.plain:
        return None
    if name in SEARCHING | {"remove", "sort"} and not _may_decide((*target, *args)):
        return None
    return partial(backend.list_method, target, name)


def staged_keyed_method(backends: Backends, callee: Any, args: tuple[Any, ...]) -> Callable[..., Any] | None:
    """The backend's version of a method of a dict, a set or a deque; None where Python's is right.

    Parameters
    ----------
    backends : Backends
    callee : callable
        A builtin that is no operator.
    args
        The positional arguments of the call.

    Returns
    -------
    callable or None
    """
    target, name = getattr(callee, "__self__", None), callee.__name__
    if not args or not isinstance(target, dict | set | frozenset | deque):
        return None
    if type(target) is not deque and all(type(each) in ATOMS for each in args):
        return None
    if type(target) is not deque:
        heap.tell_apart(args)
    found: Callable[..., Any] | None = backends.staging_now().keyed_method(target, name, args)
    return found


COLLECTIONS = frozenset({Counter, OrderedDict, defaultdict, deque})
"""Containers of the standard library that a backend may have its own for."""


def staged_collection(
    backends: Backends, kind: type, args: tuple[Any, ...], kwargs: Mapping[str, Any]
) -> Callable[..., Any] | None:
    """The backend's version of the constructor of such a container; None where Python's is right."""
    if kind is deque:
        args = (*args, *kwargs.values())
    elif not args:
        return None
    backend = backends.of(*args)
    if backend is backends.plain and kind is not deque:
        backend = backends.inside(*args)
    return None if backend is backends.plain else partial(backend.collection, kind)


def staged_method(
    backends: Backends, callee: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any] | None
) -> Callable[..., Any] | None:
    """The backend's version of a method of any other class of C's; None where the method itself is right.

    Parameters
    ----------
    backends : Backends
    callee : callable
        A builtin that is no operator.
    args, kwargs
        The arguments of the call.

    Returns
    -------
    callable or None
    """
    receiver = getattr(callee, "__self__", None)
    if receiver is None or type(receiver) in ATOMS or isinstance(receiver, (*places.CONTAINERS, ModuleType)):
        return None
    found: Callable[..., Any] | None = backends.staging_now().method(callee, args, kwargs or {})
    return found


def _may_decide(values: Iterable[Any]) -> bool:
    """Whether a backend's value is among these, or may be inside of one."""
    return any(type(value) not in ATOMS for value in values)


_NOTHING: Mapping[str, Any] = {}


def announce_changes(callee: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any] = _NOTHING) -> None:
    """Says what a call that is not converted may be about to change: the containers that it gets.

    That is the list of `l.sort()` and of `heapq.heappush(l, x)`.
    """
    owner = getattr(callee, "__self__", None)
    is_python = type(callee) is MethodType
    if is_python:
        announcing.note_inside(owner)
    if issubclass(type(owner), _CHANGE):  # `isinstance` would ask a `__getattribute__` of the program's
        if callee.__name__ not in READING_METHODS:
            reshapes = callee.__name__ not in _PERHAPS or any(map(announcing.has_items, args))
            if not announcing.note_attributes(owner, _keys_given(callee.__name__, args, kwargs)):
                notes.note(places.Contents(owner), reshapes=reshapes)
        elif is_python:
            notes.note_possible(places.Contents(owner))
        else:
            notes.note_read(owner)
    is_reading = type(callee) is BuiltinFunctionType and OPERATORS.get(callee) in _LOOKING
    tells = notes.note_read if is_reading else _note_contents
    for container in args:
        if issubclass(type(container), _CHANGE):
            tells(container)


_CHANGE = (*places.CONTAINERS, *places.BUFFERS)
"""Classes of containers that code of C's changes."""


def _keys_given(name: str, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> list[Any]:
    """The keys that a method of a dict is given, as far as Python has them."""
    if name not in {"update", "__ior__"}:
        return [*args[:1]]
    first = args[0] if args else ()
    if isinstance(first, dict):
        return [*first, *kwargs]
    pairs = first if isinstance(first, list | tuple) else ()  # an iterator is not to be asked
    return [*[pair[0] for pair in pairs if isinstance(pair, tuple) and pair], *kwargs]


def _note_contents(container: Any) -> None:
    notes.note_possible(places.Contents(container))


_LOOKING = READING | {"id_", "is_instance"}
"""Operators that change none of the containers that they get."""
_PERHAPS = frozenset({"extend", "extendleft", "reverse"})
"""Methods of deques that change nothing, as loops over them see it, where there is nothing to put in."""
READING_METHODS = frozenset({"copy", "count", "get", "index", "items", "keys", "values"})
"""Methods of containers that change nothing."""
