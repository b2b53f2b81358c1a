"""The one file that knows llvmlite: text of LLVM's becomes machine code, and gets a place in the process."""

from __future__ import annotations

import ctypes
import itertools
from collections.abc import Mapping, Sequence
from contextlib import closing
from typing import Any

from autograph_base.dataclass import dataclass
from runtime.executors.native.llvm.code import Vectors
from runtime.executors.native.llvm.efforts import Effort, effort_of, has_arrays
from runtime.executors.native.llvm.processors import BASELINE, LEVELS, NATIVE, chosen

__all__ = ["Compiler", "ObjectCode"]

_numbers = itertools.count()
_LIBRARIES = 64
"""Of one linker."""
_PYTHON = (
    "PyErr_CheckSignals",
    "PyErr_Fetch",
    "PyErr_NormalizeException",
    "PyErr_Restore",
    "PyException_GetTraceback",
    "PyException_SetTraceback",
    "PyEval_SaveThread",
    "PyEval_RestoreThread",
    "PyObject_Type",
    "PyObject_Vectorcall",
    "PyLong_FromVoidPtr",
    "PyTuple_New",
    "PyTuple_SetItem",
    "PyTuple_GetItem",
    "PyTuple_Size",
    "PyType_GenericAlloc",
    "PyObject_RichCompareBool",
    "Py_IncRef",
    "Py_DecRef",
)
"""Functions of Python's that machine code calls."""


@dataclass(frozen=True)
class ObjectCode:
    """Machine code as a file that linkers take.

    Attributes
    ----------
    code : bytes
    needs : frozenset of str
        The functions that it calls and does not have.
    """

    code: bytes
    needs: frozenset[str]


class Compiler:
    """LLVM for the processor of this process; made when the first graph is compiled."""

    def __init__(self) -> None:
        import llvmlite  # noqa: PLC0415  # as below
        import llvmlite.binding as llvm  # noqa: PLC0415  # an extra, and slow to load: the first graph that needs it pays

        self._binding = llvm
        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
        llvm.initialize_native_asmparser()  # for what there is no intrinsic for
        for name in _PYTHON:
            llvm.add_symbol(name, _address(getattr(ctypes.pythonapi, name)))
        self._target = llvm.Target.from_default_triple()
        self.features = llvm.get_host_cpu_features()
        self.cpu = chosen(self.features)
        machines = [self._machine(self.cpu, level) for level in range(3)]
        self._machines = {effort: machines[effort.level] for effort in Effort}
        self._linker: Any = None
        self._left = 0
        made_by = llvmlite.__version__, llvm.llvm_version_info, self._target.triple
        self.name = repr((*made_by, self._named(self.cpu), self._named(NATIVE)))
        """The compiler, the processor that it makes code for, and the one that it is on."""

    def _machine(self, cpu: str, level: int) -> Any:
        """LLVM for a processor, one of `CPUS`."""
        name, features = self._named(cpu)
        return self._target.create_target_machine(
            cpu=name, features=features, opt=level, reloc="pic", codemodel="default"
        )

    def _named(self, cpu: str) -> tuple[str, str]:
        """What LLVM calls a processor, and what it has beside."""
        if cpu == NATIVE:
            return self._binding.get_host_cpu_name(), self.features.flatten()
        if cpu == BASELINE:
            return "x86-64" if self._target.triple.startswith("x86_64") else "generic", ""
        return cpu, ""

    def code(self, text: str, effort: Effort) -> bytes:
        """The code of a module, as a file that linkers take."""
        with closing(self.optimised(text, effort)) as module:  # a `__del__` would lose a signal
            return bytes(self._machines[effort].emit_object(module))

    def linked(
        self, code: bytes, symbols: Sequence[str], shared: Mapping[str, int]
    ) -> tuple[dict[str, int], Any]:
        """Code that can run: where its symbols are, and what it lives as long as."""
        builder = self._binding.JITLibraryBuilder().add_object_img(code)
        builder.add_current_process()
        for symbol in symbols:
            builder.export_symbol(symbol)
        for name, address in shared.items():
            builder.import_symbol(name, address)
        linker = self._linker_with_room()
        tracker = builder.link(linker, f"graph{next(_numbers)}")
        tracker.linker = linker  # which lives as long as its last library
        return {symbol: tracker[symbol] for symbol in symbols}, tracker

    def _linker_with_room(self) -> Any:
        """A linker for some libraries: what it keeps of one goes when it goes itself."""
        if self._left <= 0:
            self._linker = self._binding.create_lljit_compiler(self._machines[Effort.FULL])
            self._left = _LIBRARIES
        self._left -= 1
        return self._linker

    def optimised(self, text: str, effort: Effort) -> Any:
        """A module after LLVM's own passes."""
        llvm = self._binding
        module = llvm.parse_assembly(text)
        module.verify()
        machine = self._machines[effort]
        match effort:
            case Effort.FULL:
                self._improve(machine, module, has_arrays=has_arrays(text))
            case Effort.NONE:
                self._run(machine, module, llvm.create_pipeline_tuning_options(speed_level=0))
            case _:
                self._tidy(machine, module)
        return module

    def _improve(self, machine: Any, module: Any, *, has_arrays: bool) -> None:
        """All of LLVM's passes.

        Where there are no arrays, numbers stay out of vectors: two that a loop computes from those of its
        last turn would change places in each turn, and wait for that.
        """
        options = self._binding.create_pipeline_tuning_options(speed_level=2)
        options.loop_vectorization = True
        options.slp_vectorization = has_arrays
        self._run(machine, module, options)

    def _run(self, machine: Any, module: Any, options: Any) -> None:
        """The passes that LLVM has in a queue of its own."""
        with closing(self._binding.create_pass_builder(machine, options)) as passes:
            queue = passes.getModulePassManager()
            queue.run(module, passes)
            _free(queue)

    def vectors(self, cpu: str | None) -> Vectors:
        """What a processor does with vectors."""
        cpu = cpu or self.cpu
        if not self._target.triple.startswith("x86_64"):
            return Vectors(gather=False, long=False)
        has = self.features if cpu == NATIVE else dict.fromkeys(LEVELS.get(cpu, ()), True)
        fuse, gather, long = [bool(has.get(each)) for each in ("fma", "avx512f", "avx512dq")]
        return Vectors(fuse, gather, long, divide=not gather, foresee=gather)

    def object_code(self, text: str, cpu: str) -> ObjectCode:
        """The machine code of a module, for another process on a processor of some kind."""
        llvm = self._binding
        machine = self._machine(cpu, Effort.FULL.level)
        module = llvm.parse_assembly(text)
        module.verify()
        self._improve(machine, module, has_arrays=has_arrays(text))
        needs = frozenset([each.name for each in module.functions if each.is_declaration])
        return ObjectCode(bytes(machine.emit_object(module)), needs)

    def _tidy(self, machine: Any, module: Any) -> None:
        """The passes that gain most in a time that grows with the code: variables leave memory.

        LLVM's value numbering that it lets others add, NewGVN, is not among them: it has made wrong code.
        """
        passes = self._binding.create_pass_builder(machine, self._binding.create_pipeline_tuning_options())
        queue = self._binding.create_new_function_pass_manager()
        queue.add_sroa_pass()
        queue.add_instruction_combine_pass()
        queue.add_simplify_cfg_pass()
        for function in module.functions:
            if not function.is_declaration:
                queue.run(function, passes)
        _free(queue)

    def assembly(self, text: str) -> str:
        """The instructions that a module becomes, as text."""
        effort = effort_of(text)
        assembly: str = self._machines[effort].emit_assembly(self.optimised(text, effort))
        return assembly


def _free(queue: Any) -> None:
    """Frees passes: llvmlite's own way to do so stands behind another of its name, which does nothing."""
    own = next(vars(kind)["_dispose"] for kind in reversed(type(queue).__mro__) if "_dispose" in vars(kind))
    if not queue.closed:
        own(queue)
        queue.detach()


def _address(function: Any) -> int:
    address = ctypes.cast(function, ctypes.c_void_p).value
    assert address is not None, "a function is somewhere"
    return address
