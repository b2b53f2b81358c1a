"""The table: a function of NumPy, and the adapter that does its work on tensors.

    @implements(np.cumsum)
    def _cumsum(a, axis=None, dtype=None): ...

An adapter has the parameters of NumPy's function that mean something for tensors, by the same names. It is
given only what the call gave: an argument left at NumPy's default never reaches it, and its own counts.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, NoReturn, TypeVar

import numpy as np

from autograph_base.dataclass import dataclass
from runtime import ops
from runtime.errors import Error, ImmutableTensor, InvalidValue
from runtime.numpy_functions.operands import mask_of
from runtime.numpy_functions.writing import casting_of, dtype_of_sums, stored

__all__ = ["TABLE", "implements", "left_out", "on_tensors", "require_call", "title"]

Adapter = TypeVar("Adapter", bound=Callable[..., Any])

TABLE: dict[Callable[..., Any], Callable[..., Any]] = {}
"""NumPy's function → our adapter."""

_REASONS: Mapping[str, tuple[type[Error], str]] = {
    "device": (InvalidValue, "There is one device."),
    "hermitian": (InvalidValue, "Of the matrix, half would count: no graph does that."),
    "order": (InvalidValue, "Tensors have no order in memory to choose."),
    "out": (ImmutableTensor, "A tensor never changes."),
    "overwrite_input": (InvalidValue, "Nobody knows what NumPy leaves in its argument."),
}
"""What is raised, and why, where a parameter is given that no adapter has."""
_ORDERS = (None, "C", "K", "A")
"""Orders in memory that no value depends on."""
_NO_VALUE: Any = getattr(np, "_NoValue", inspect.Parameter.empty)
_POSITIONAL = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.VAR_POSITIONAL)
_BY_POSITION = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


def implements(*functions: Callable[..., Any] | None) -> Callable[[Adapter], Adapter]:
    """Puts an adapter into the table; None stands for a function that this version of NumPy has not."""

    def register(adapter: Adapter) -> Adapter:
        for function in functions:
            if function is not None:
                assert function not in TABLE, f"two adapters for {title(function)}"
                TABLE[function] = adapter
        return adapter

    return register


def title(function: Callable[..., Any]) -> str:
    """What a user calls a function: ``np.sum``, ``np.linalg.norm``."""
    module = (getattr(function, "__module__", None) or "numpy").replace("numpy", "np", 1)
    return f"{module}.{function.__name__}"


def require_call(function: Callable[..., Any], args: Sequence[Any], kwargs: Mapping[str, Any]) -> None:
    """Refuses what a function of NumPy would not take as its arguments: an adapter may have other parameters.

    Raises
    ------
    TypeError
        When one is given twice, is missing, or has a name that the function does not know.
    """
    signature = _signature(function)
    if signature is None:
        return
    try:
        signature.bind(*args, **kwargs)
    except TypeError as error:
        said = str(error)
        verb = "" if said.startswith(("got", "missing")) else "got "
        raise TypeError(f"{function.__name__}() {verb}{said}") from None


@cache
def _signature(function: Callable[..., Any]) -> inspect.Signature | None:
    try:
        return inspect.signature(function)
    except ValueError:  # a builtin of an older NumPy: its adapter takes the arguments as they come
        return None


@dataclass(frozen=True)
class _Parameters:
    """How a function of NumPy is called, and its adapter."""

    named: tuple[str, ...]
    """The parameters that may be given by position, in order."""
    unnamed: int
    """How many of those have to be."""
    takes_rest: bool
    """Whether any number of further arguments may follow: then no argument by position has a name."""
    defaults: Mapping[str, Any]
    accepted: frozenset[str] | None
    """The names that the adapter takes; None for any."""


@cache
def _parameters(function: Callable[..., Any]) -> _Parameters | None:
    """What a function of NumPy takes, and what of that its adapter does."""
    signature = _signature(function)
    if signature is None:
        return None
    own = list(signature.parameters.values())
    of_adapter = list(inspect.signature(TABLE[function]).parameters.values())
    names = [each.name for each in of_adapter if each.kind not in _POSITIONAL]
    return _Parameters(
        tuple([each.name for each in own if each.kind in _BY_POSITION]),
        sum(each.kind is each.POSITIONAL_ONLY for each in own),
        any(each.kind is each.VAR_POSITIONAL for each in own),
        {each.name: each.default for each in own if each.default is not each.empty},
        None if any(each.kind is each.VAR_KEYWORD for each in of_adapter) else frozenset(names),
    )


def on_tensors(function: Callable[..., Any], args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
    """What `function(*args, **kwargs)` gives, by its adapter.

    Raises
    ------
    InvalidValue, ImmutableTensor
        When an argument is given that means nothing for tensors.
    """
    adapter = TABLE[function]
    parameters = _parameters(function)
    if parameters is None:
        return adapter(*args, **kwargs)
    if kwargs:
        require_call(function, args, kwargs)
    first, given = _given(parameters, args, kwargs)
    if "where" in given:
        given["where"] = mask_of(given["where"])
    if given.get("out") is not None and ops.can_write():
        out, name = given.pop("out"), title(function)
        if given.get("dtype") is None:
            given.update(dtype_of_sums(name, [*first, *given.values()][0], out))
        return stored(name, out, adapter(*first, **given), casting=casting_of(name))
    if (
        parameters.accepted is not None
        and "order" not in parameters.accepted
        and given.get("order") in _ORDERS
    ):
        given.pop("order", None)
    if parameters.accepted is not None and not given.keys() <= parameters.accepted:
        _refuse(function, next(name for name in given if name not in parameters.accepted))
    return adapter(*first, **given)


def out_of(function: Callable[..., Any], args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
    """What a function of NumPy is to write its result into, by name or by position; None where it is not."""
    parameters = _parameters(function) if function in TABLE else None
    if parameters is None:
        return kwargs.get("out")
    return _given(parameters, args, kwargs)[1].get("out")


def _given(
    parameters: _Parameters, args: Sequence[Any], kwargs: Mapping[str, Any]
) -> tuple[Sequence[Any], dict[str, Any]]:
    """The arguments that say something: by position where they have no name, else by name."""
    if parameters.takes_rest:
        first, given = args, dict(kwargs)
    else:
        if len(args) > len(parameters.named):
            raise TypeError(f"{len(parameters.named)} arguments may be given by position, not {len(args)}")
        first = args[: parameters.unnamed]
        given = dict(zip(parameters.named[parameters.unnamed :], args[parameters.unnamed :], strict=False))
        given.update(kwargs)
    defaults = parameters.defaults
    return first, {
        name: value
        for name, value in given.items()
        if value is not _NO_VALUE and not (name in defaults and value is defaults[name])
    }


def _refuse(function: Callable[..., Any], name: str) -> NoReturn:
    if name not in inspect.signature(function).parameters:
        raise TypeError(f"{function.__name__}() got an unexpected keyword argument {name!r}")
    kind, why = _REASONS.get(name, (InvalidValue, "It means nothing for tensors."))
    raise kind(
        f"`{title(function)}` takes no `{name}=` where a tensor is",
        why=why,
        way_out="Use what the function returns." if name == "out" else "Leave it out.",
    )


def left_out(function: Callable[..., Any]) -> list[str]:
    """The parameters of a function of NumPy that its adapter does not take."""
    parameters = _parameters(function)
    if parameters is None or parameters.accepted is None:
        return []
    names = dict.fromkeys([*parameters.named[parameters.unnamed :], *parameters.defaults])
    return [
        name
        for name in names
        if name not in parameters.accepted | set(parameters.named[: parameters.unnamed])
    ]
