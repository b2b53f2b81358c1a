"""Machine code of a graph that reads and writes variables: these are among its arguments and its results.

::

    while i < n:                          total₀, found = <machine code>(n, total)
        total.assign_add(x[i])     ⇒      total.array = total₀
        i += 1

A run that fails leaves the variables as they were. It is then done again by a program of the graph as it was
written, which changes what Python would have changed up to that line, and raises. Runs that write the same
variable wait for each other, so that none overwrites what another one has counted.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import cached_property, partial
from typing import Any
from weakref import finalize

import numpy as np

from runtime.core.printed import printed_again, printed_so_far
from runtime.executors.executor import Compiler
from runtime.executors.native.beyond import GivesWay
from runtime.executors.program import Inspected, Program, Report
from runtime.graph.module import Module
from runtime.ops.variable_ops import Storage
from runtime.passes.promote_variables import Promoted

__all__ = ["OverVariables", "WithVariables"]


class WithVariables(Inspected):
    """A module as machine code that is given what variables hold.

    Parameters
    ----------
    module : Module
        As it was written.
    held : Promoted
    code : Inspected
        Runs `held.module`. Where a run of it gives way, the variables are as they were before.
    again : Compiler, optional
        Makes the program of `module` that does such a run; None where none gives way.
    """

    def __init__(
        self, module: Module, held: Promoted, code: Inspected, again: Compiler | None = None
    ) -> None:
        self._module = module
        self._held = held
        self._code = code
        self._executor = again
        self._one = len(module.entry.outputs) == 1
        self.may_hold = code.may_hold
        self.entry: Callable[..., Any] = self._run
        for lock in sorted(map(_lock_of, held.written), key=id):  # in one order: threads wait for each other
            self.entry = partial(_alone, lock, self.entry)

    def _run(self, *arrays: Any) -> Any:
        held = [storage.array for storage in self._held.read]
        before = printed_so_far()
        try:
            found = self._code.entry(*arrays, *held)
        except GivesWay:
            found = None
        if found is None:
            with printed_again(before):
                return self._again.entry(*arrays)
        results = found if type(found) is tuple else (found,)
        count = len(self._held.written)
        for storage, array in zip(self._held.written, results, strict=False):
            storage.array = np.asarray(array)
        return results[count] if self._one else results[count:]

    @cached_property
    def _again(self) -> Program:
        assert self._executor is not None, "a run of the code gave way"
        return self._executor.compile(self._module)

    def explain(self, error: Exception) -> Exception:
        return (self._code if self._executor is None else self._again).explain(error)

    def kernels(self) -> tuple[Any, ...]:
        return self._code.kernels()

    def llvm_ir(self) -> str:
        return self._code.llvm_ir()

    def assembly(self) -> str:
        return self._code.assembly()

    def report(self) -> Report:
        return self.report_of(self._module)

    def report_of(self, module: Module) -> Report:
        return self._code.report_of(module)

    def source(self) -> str:
        return self._code.source()


_LOCKS: dict[int, Any] = {}
"""By the ids of variables: their `==` compares elements, so they are no keys."""
_LOCKING = threading.Lock()


def _lock_of(storage: Storage) -> Any:
    """What keeps other threads from writing a variable in machine code meanwhile."""
    with _LOCKING:
        if id(storage) not in _LOCKS:
            _LOCKS[id(storage)] = threading.RLock()
            finalize(storage, _LOCKS.pop, id(storage)).atexit = False
        return _LOCKS[id(storage)]


def _alone(lock: Any, run: Callable[..., Any], /, *arrays: Any) -> Any:
    with lock:
        return run(*arrays)


class OverVariables:
    """Has another executor run a module as it was written, in the place of one that computes variables.

    Parameters
    ----------
    module : Module
    held : Promoted
    other : Compiler
    """

    def __init__(self, module: Module, held: Promoted, other: Compiler) -> None:
        self._module = module
        self._held = held
        self._other = other

    def compile(self, _: Module) -> Program:
        """The program, which leaves in the variables what it gives for them."""
        return _Outside(self._other.compile(self._module), self._held)


class _Outside(Program):
    """A program that writes variables, as one that is given what they hold, and gives what they hold then."""

    def __init__(self, program: Program, held: Promoted) -> None:
        self._program = program
        self._held = held
        self.may_hold = program.may_hold
        self.entry: Callable[..., Any] = self._run

    def _run(self, *arrays: Any) -> Any:
        found = self._program.entry(*arrays[: len(arrays) - len(self._held.read)])
        results = found if type(found) is tuple else (found,)
        outputs = (*[storage.array for storage in self._held.written], *results)
        return outputs[0] if len(outputs) == 1 else outputs

    def explain(self, error: Exception) -> Exception:
        return self._program.explain(error)

    def report(self) -> Report:
        return self._program.report()

    def source(self) -> str:
        return self._program.source()
