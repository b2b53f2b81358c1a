"""What `bench` times: a function as plain Python, as our programs, and by rivals that are installed."""

from __future__ import annotations

import copy
import importlib
import importlib.util
import os
import time
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stdout
from io import StringIO
from typing import Any, TypeAlias

import numpy as np
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn
from rich.table import Table

from autograph.diagnosis.profile import duration
from autograph.tracing.function import function
from runtime.core.structure import flatten
from runtime.errors import CompileError

__all__ = ["compared"]

PLAIN = "plain Python"
EXECUTORS = {"NumPy plan": "numpy", "machine code": "native"}
"""What is compared with plain Python, and the executor behind it."""
ROUNDS = 7
"""Turns that each contender takes; the least time counts."""

_Call: TypeAlias = Callable[[], Any]
_Arguments: TypeAlias = tuple[Sequence[Any], Mapping[str, Any]]


def compared(
    chosen: Callable[..., Any], without_name: Sequence[Any], named: Mapping[str, Any]
) -> tuple[Table, dict[str, str]]:
    """Times every contender, and says why others are none.

    Parameters
    ----------
    chosen : callable
        As plain Python.
    without_name, named : arguments
        Arrays of NumPy's, which are data to all of them, and Python's own values, which are constants.

    Returns
    -------
    table : Table
    left_out : dict of str to str
    """
    arguments = without_name, named
    with _progress() as tell, redirect_stdout(StringIO()), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what a rival is told of, its author knows
        tell(PLAIN, 0)
        contenders = {PLAIN: _fresh(chosen, arguments)}
        wanted = contenders[PLAIN]()
        left_out = {}
        for name, executor in EXECUTORS.items():
            tell(f"{name} compiles", 0)
            call = _fresh(function(chosen, executor=executor), arguments)
            try:
                call()
            except (CompileError, ImportError) as error:
                left_out[name] = str(error).partition("\n")[0]
            else:
                contenders[name] = call
        for name, make in _rivals():
            tell(f"{name} compiles", 0)
            try:
                contenders[name] = _agreeing(make(chosen, arguments), wanted)
            except Exception as error:  # noqa: BLE001  # whatever a library raises where it gives up
                left_out[name] = _refusal(error)
        seconds = _in_turns(contenders, tell)
    table = Table("", "a call", "as fast as plain Python", box=None)
    for name, least in seconds.items():
        table.add_row(name, duration(least), f"{seconds[PLAIN] / least:.3g} ×")
    return table, left_out


class _DiffersError(Exception):
    """A rival computes something else: its time would say nothing."""


def _agreeing(call: _Call, wanted: Any) -> _Call:
    """The call, once it has been compiled and has given what plain Python gives."""
    found = call()
    try:
        for one, other in zip(flatten(found)[0], flatten(wanted)[0], strict=True):
            _require_same(np.asarray(one), np.asarray(other))
    except (AssertionError, TypeError, ValueError):
        raise _DiffersError("gives something else than plain Python") from None
    return call


def _require_same(found: Any, wanted: Any) -> None:
    if wanted.dtype.kind in "biufc":
        np.testing.assert_allclose(found, wanted, rtol=1e-4, atol=1e-6)
    else:
        np.testing.assert_array_equal(found, wanted)


def _refusal(error: Exception) -> str:
    """Why a rival takes no part, in one line."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    if isinstance(error, _DiffersError):
        return lines[0]
    return f"refuses it: {type(error).__name__}{f': {lines[0]}' if lines else ''}"


def _fresh(run: Callable[..., Any], arguments: _Arguments) -> _Call:
    """A call with arguments of its own: a function may write into them."""

    def call() -> Any:
        args, kwargs = copy.deepcopy(arguments)
        return run(*args, **kwargs)

    return call


# ── rivals ──

_Make: TypeAlias = Callable[[Callable[..., Any], _Arguments], _Call]


def _rivals() -> Iterator[tuple[str, _Make]]:
    """Other libraries that compile functions, where they are installed."""
    for name, (module, make) in _RIVALS.items():
        if importlib.util.find_spec(module) is not None:
            yield name, make


def _by_numba(chosen: Callable[..., Any], arguments: _Arguments) -> _Call:
    return _fresh(importlib.import_module("numba").njit(chosen), arguments)


def _by_jax(chosen: Callable[..., Any], arguments: _Arguments) -> _Call:
    jax = importlib.import_module("jax")
    jax.config.update("jax_enable_x64", True)
    constants = [name for name, value in arguments[1].items() if not _is_data(value)]
    args, kwargs = _turned(arguments, jax.numpy.asarray)
    compiled = jax.jit(chosen, static_argnames=constants)
    return lambda: jax.block_until_ready(compiled(*args, **kwargs))


def _by_tensorflow(chosen: Callable[..., Any], arguments: _Arguments) -> _Call:
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    tensorflow = importlib.import_module("tensorflow")
    tensorflow.autograph.set_verbosity(0)
    args, kwargs = _turned(arguments, tensorflow.constant)
    compiled = tensorflow.function(chosen)
    return lambda: compiled(*args, **kwargs)


def _turned(arguments: _Arguments, to: Callable[[Any], Any]) -> _Arguments:
    """The arguments, with arrays of another library."""
    args, kwargs = arguments
    turned = {name: to(value) if _is_data(value) else value for name, value in kwargs.items()}
    return [to(value) if _is_data(value) else value for value in args], turned


_RIVALS: dict[str, tuple[str, _Make]] = {
    "Numba": ("numba", _by_numba),
    "JAX": ("jax", _by_jax),
    "TensorFlow": ("tensorflow", _by_tensorflow),
}


def _is_data(value: Any) -> bool:
    return isinstance(value, (np.ndarray, np.generic))


# ── the clock ──


def _in_turns(contenders: Mapping[str, _Call], tell: Callable[[str, float], None]) -> dict[str, float]:
    """The least seconds that a call of each took, over several rounds of all."""
    least = dict.fromkeys(contenders, float("inf"))
    counts = {}
    for name, call in contenders.items():
        tell(f"{name} warms up", 0)
        counts[name] = _calls_for(0.02, call)
    for turn in range(ROUNDS):
        for name, call in contenders.items():
            tell(name, turn / ROUNDS)
            least[name] = min(least[name], _elapsed(call, counts[name]) / counts[name])
    return least


def _calls_for(seconds: float, call: _Call) -> int:
    number = 1
    while _elapsed(call, number) < seconds:
        number *= 2
    return number


def _elapsed(call: _Call, number: int) -> float:
    start = time.perf_counter()
    for _ in range(number):
        call()
    return time.perf_counter() - start


@contextmanager
def _progress() -> Iterator[Callable[[str, float], None]]:
    """Says at a terminal what is being done, and how much of it is; no thread disturbs the clock."""
    console = Console(stderr=True)
    with Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        console=console,
        auto_refresh=False,
        redirect_stdout=False,
        redirect_stderr=False,
        transient=True,
        disable=not console.is_terminal,
    ) as progress:
        task = progress.add_task("", total=1)

        def tell(what: str, share: float) -> None:
            progress.update(task, description=what, completed=share, refresh=True)

        yield tell
