"""What a function may be told of its graphs, and what is said where it is told something else."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from numbers import Integral
from typing import Any, Literal, TypeAlias, get_args

import numpy as np

from runtime.errors import InvalidValue, SignatureError
from runtime.messages import nearest

__all__ = [
    "EffectsWhen",
    "OnMaxTraces",
    "checked_limit",
    "effects_run",
    "require_kinds",
    "require_known",
]

OnMaxTraces: TypeAlias = Literal["warn", "raise"]
EffectsWhen: TypeAlias = Literal["run", "trace"]


def checked_limit(max_traces: Any, on_max_traces: OnMaxTraces) -> OnMaxTraces:
    """What a trace too many does, where both parameters make sense.

    Raises
    ------
    InvalidValue
        When one of them does not.
    """
    if on_max_traces not in get_args(OnMaxTraces):
        raise InvalidValue(
            f"on_max_traces is {on_max_traces!r}, which is neither 'warn' nor 'raise'",
            why="A trace beyond `max_traces` gives a warning, or is an error.",
            way_out="Give one of the two, or leave it out: there is a warning.",
        )
    is_whole = isinstance(max_traces, Integral) and max_traces is not True
    is_count = is_whole and int(max_traces) >= 1
    if max_traces is not None and not is_count:
        raise InvalidValue(
            f"max_traces is {max_traces!r}",
            why="A function needs one trace to run.",
            way_out="Give a whole number, 1 or more, or leave it out.",
        )
    return on_max_traces


def effects_run(effects: EffectsWhen) -> bool:
    """Whether effects happen when the graph runs.

    Raises
    ------
    InvalidValue
        When that is not said.
    """
    if effects not in get_args(EffectsWhen):
        raise InvalidValue(
            f"effects is {effects!r}, which is neither 'run' nor 'trace'",
            why="Effects happen on each run of the graph, or once, while the function is traced.",
            way_out="Give one of the two, or leave it out: they happen on each run.",
        )
    return effects == "run"


def require_known(name: str, unknown: Iterable[str], known: Iterable[str]) -> None:
    """Sees to it that a function is given no option that it does not have.

    Parameters
    ----------
    name : str
        Of the function.
    unknown : iterable of str
        What is given beside its options.
    known : iterable of str
        Its options.

    Raises
    ------
    SignatureError
    """
    known = list(known)
    for given in unknown:
        near = nearest(given, known)
        raise SignatureError(
            f"{name}() got an unexpected keyword argument {given!r}",
            why=f"Its options are {', '.join(known)}.",
            way_out=f"Did you mean `{near}`?"
            if near
            else _ELSEWHERE.get(given, "Give it one of them, or leave it out."),
        )


_CONSTANTS = "Leave it out: strings and objects are constants, NumPy's numbers and arrays are inputs."
_MACHINE_CODE = "Write `jit_compile=True`, which insists on machine code, or leave it out."
_ELSEWHERE = {
    "static_argnums": _CONSTANTS,
    "static_argnames": _CONSTANTS,
    "nopython": _MACHINE_CODE,
    "fullgraph": "Leave it out: a function is one graph, or refused.",
    "dynamic": "Write `reduce_retracing=True`: one graph serves all lengths from the second on.",
    "parallel": "Leave it out: loops whose turns do not depend on each other may run at the same time.",
    "cache": "Leave it out: machine code is kept on the disk.",
}
"""What options of JAX, Numba and PyTorch are here, by their names."""


def require_kinds(given: Mapping[str, Any], kinds: Mapping[str, type]) -> None:
    """Sees to it that options are of their kinds.

    Parameters
    ----------
    given : mapping of str to object
        Options by name.
    kinds : mapping of str to type
        Their kinds. A truth value may be one of NumPy's.

    Raises
    ------
    InvalidValue
    """
    for name, value in given.items():
        kind = kinds[name]
        if not isinstance(value, (bool, np.bool_) if kind is bool else kind):
            allowed = {bool: "True or False", str: "a string"}.get(kind, f"of type `{kind.__name__}`")
            raise InvalidValue(
                f"{name} is {value!r}, and has to be {allowed}",
                why="A value of another type would be noticed late, or never.",
                way_out="Give it that, or leave it out.",
            )
