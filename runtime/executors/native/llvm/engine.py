"""The one file that knows llvmlite: text of LLVM's code becomes machine code of this process."""

from __future__ import annotations

import ctypes
import importlib.util
import itertools
from collections.abc import Callable, Collection, Sequence
from contextlib import closing
from enum import Enum
from functools import cache
from threading import Lock
from typing import Any

from autograph_base.dataclass import dataclass
from runtime.core.digests import sha256
from runtime.executors.native.llvm.cache import Store, store
from runtime.executors.native.llvm.code import LONG, SHORT, Vectors
from runtime.executors.native.llvm.processors import BASELINE, LEVELS, NATIVE, chosen

__all__ = [
    "AS_IT_STANDS",
    "AtOnce",
    "Kept",
    "Library",
    "ObjectCode",
    "compiled",
    "is_there",
    "kept",
    "name",
    "object_code",
    "recalled",
    "vectors",
]

_PASSES = 1
"""Another number where LLVM is asked for other code of the same text: what is on disk is then old."""
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


def is_there() -> bool:
    """Whether llvmlite is installed."""
    return importlib.util.find_spec("llvmlite") is not None


def is_loaded() -> bool:
    """Whether some code of this process has been compiled, so that more of it takes no time to speak of."""
    return _engine.cache_info().currsize > 0


@dataclass(frozen=True)
class Library:
    """Machine code, as long as this object lives.

    Attributes
    ----------
    addresses : dict of str to int
        Of the symbols that were asked for.
    llvm_ir, assembly : callable
        Give the code as text, after LLVM's own passes.
    is_made_at_once : bool
        Whether LLVM took no time to make it better.
    """

    addresses: dict[str, int]
    llvm_ir: Callable[[], str]
    assembly: Callable[[], str]
    tracker: Any
    is_made_at_once: bool = False


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


@dataclass(frozen=True)
class AtOnce:
    """A module of which code is made in as little time as can be.

    Attributes
    ----------
    text : str
    symbols : list of str
        Those whose addresses are wanted.
    shared : list of str
        Functions that it calls and does not have, and all that these call: programs of a process share them.
    shared_text : callable
        Gives a module that has some of them.
    """

    text: str
    symbols: list[str]
    shared: list[str]
    shared_text: Callable[[Collection[str]], str]


@dataclass(frozen=True)
class Kept:
    """Where code of a program is on disk.

    Attributes
    ----------
    whole : bytes
        The key of its code.
    first : bytes or None
        The key of the code that is made in as little time as can be, where there is such a one.
    shared : sequence of (bytes, sequence of str)
        The keys of what programs share of that, in their order, and the functions that are there.
    """

    whole: bytes
    first: bytes | None
    shared: Sequence[tuple[bytes, Sequence[str]]]


class _Engine:
    """LLVM for the processor of this process; made when the first graph is compiled."""

    def __init__(self) -> None:
        import llvmlite  # noqa: PLC0415  # as below
        import llvmlite.binding as llvm  # noqa: PLC0415  # an extra, and slow to load: the first graph that needs it pays

        self._llvm = llvm
        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
        llvm.initialize_native_asmparser()  # for what there is no intrinsic for
        for name in _PYTHON:
            llvm.add_symbol(name, _address(getattr(ctypes.pythonapi, name)))
        self._target = llvm.Target.from_default_triple()
        self._features = llvm.get_host_cpu_features()
        self._cpu = chosen(self._features)
        machines = [self._machine(self._cpu, level) for level in range(3)]
        self._machines = {effort: machines[effort.level] for effort in _Effort}
        _keep_memory()
        self._linker: Any = None
        self._left = 0
        self._shared: dict[str, int] = {}
        """Where functions are that programs share."""
        self._groups: list[tuple[bytes, tuple[str, ...]]] = []
        """The keys of their code, and those that came with it."""
        self._keeping: list[Any] = []
        """What these live as long as."""
        self._sharing = Lock()
        made_by = llvmlite.__version__, llvm.llvm_version_info, self._target.triple, _PASSES
        self._compiler = repr((*made_by, *self._named(self._cpu))).encode()
        self.name = repr((*made_by, self._named(self._cpu), self._named(NATIVE)))
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
            return self._llvm.get_host_cpu_name(), self._features.flatten()
        if cpu == BASELINE:
            return "x86-64" if self._target.triple.startswith("x86_64") else "generic", ""
        return cpu, ""

    def library(self, text: str, symbols: list[str], at_once: AtOnce | None) -> Library:
        """The machine code of a module, or what is there `at_once`, as `compiled`."""
        code = None if at_once is None else self._kept(text, _effort(text))
        is_made_at_once = at_once is not None and code is None
        if at_once is not None and is_made_at_once:
            addresses, tracker = self._made_at_once(at_once)
        else:
            addresses, tracker = self._linked(code or self._code(text, _effort(text)), symbols)
        return self._library(addresses, tracker, lambda: text, is_made_at_once=is_made_at_once)

    def _library(
        self, addresses: dict[str, int], tracker: Any, text: Callable[[], str], *, is_made_at_once: bool
    ) -> Library:
        return Library(
            addresses,
            lambda: str(self._optimised(text(), _effort(text()))),
            lambda: self._assembly(text()),
            tracker,
            is_made_at_once,
        )

    def kept(self, text: str, at_once: AtOnce | None) -> Kept:
        """Where the code of a module is when it has been made, and that of the module `at_once`."""
        first = None if at_once is None else self._key(at_once.text, _Effort.NONE)
        with self._sharing:
            return Kept(self._key(text, _effort(text)), first, [*self._groups])

    def recalled(
        self, kept: Kept, symbols: Sequence[str], first_symbols: Sequence[str], text: Callable[[], str]
    ) -> Library | None:
        """The machine code of a module that is on disk, as `recalled`."""
        disk = store()
        code = None if disk is None else disk.load(kept.whole)
        if code is not None:
            return self._library(*self._linked(code, symbols), text, is_made_at_once=False)
        code = None if disk is None or kept.first is None else disk.load(kept.first)
        if code is None or disk is None or not self._share(kept.shared, disk):
            return None
        shared = [name for _, names in kept.shared for name in names]
        return self._library(*self._linked(code, first_symbols, shared), text, is_made_at_once=True)

    def _share(self, groups: Sequence[tuple[bytes, Sequence[str]]], disk: Store) -> bool:
        """Takes what programs share from the disk; says whether all of it is there."""
        with self._sharing:
            for key, names in groups:
                if not self._shared.keys() >= {*names}:
                    code = disk.load(key)
                    if code is None:
                        return False
                    self._add_shared(key, code, names)
        return True

    def _add_shared(self, key: bytes, code: bytes, names: Sequence[str]) -> None:
        addresses, tracker = self._linked(code, names, list(self._shared))
        self._shared |= addresses
        self._groups.append((key, tuple(names)))
        self._keeping.append(tracker)

    def _made_at_once(self, module: AtOnce) -> tuple[dict[str, int], Any]:
        """The code of a module as it stands; what programs share is made where it is not there yet."""
        with self._sharing:
            missing = [name for name in module.shared if name not in self._shared]
            if missing:
                text = module.shared_text(missing)
                code = self._code(text, _Effort.NONE)
                self._add_shared(self._key(text, _Effort.NONE), code, missing)
        return self._linked(self._code(module.text, _Effort.NONE), module.symbols, module.shared)

    def _linked(
        self, code: bytes, symbols: Sequence[str], shared: Sequence[str] = ()
    ) -> tuple[dict[str, int], Any]:
        """Code that can run: where its symbols are, and what it lives as long as."""
        builder = self._llvm.JITLibraryBuilder().add_object_img(code)
        builder.add_current_process()
        for symbol in symbols:
            builder.export_symbol(symbol)
        for name in shared:
            builder.import_symbol(name, self._shared[name])
        linker = self._linker_with_room()
        tracker = builder.link(linker, f"graph{next(_numbers)}")
        tracker.linker = linker  # which lives as long as its last library
        return {symbol: tracker[symbol] for symbol in symbols}, tracker

    def _linker_with_room(self) -> Any:
        """A linker for some libraries: what it keeps of one goes when it goes itself."""
        if self._left <= 0:
            self._linker = self._llvm.create_lljit_compiler(self._machines[_Effort.FULL])
            self._left = _LIBRARIES
        self._left -= 1
        return self._linker

    def _code(self, text: str, effort: _Effort) -> bytes:
        """The code of a module: from the disk, where it is there."""
        found = self._kept(text, effort)
        if found is None:
            with closing(self._optimised(text, effort)) as module:  # a `__del__` would lose a signal
                found = bytes(self._machines[effort].emit_object(module))
            kept = store()
            if kept is not None:
                kept.save(self._key(text, effort), found)
        return found

    def _kept(self, text: str, effort: _Effort) -> bytes | None:
        """The code of a module that is on disk."""
        kept = store()
        return None if kept is None else kept.load(self._key(text, effort))

    def _key(self, text: str, effort: _Effort) -> bytes:
        return sha256(self._compiler + effort.name.encode() + text.encode()).digest()

    def _optimised(self, text: str, effort: _Effort) -> Any:
        """A module after LLVM's own passes."""
        llvm = self._llvm
        module = llvm.parse_assembly(text)
        module.verify()
        machine = self._machines[effort]
        match effort:
            case _Effort.FULL:
                self._improve(machine, module, has_arrays=_has_arrays(text))
            case _Effort.NONE:
                self._run(machine, module, llvm.create_pipeline_tuning_options(speed_level=0))
            case _:
                self._tidy(machine, module)
        return module

    def _improve(self, machine: Any, module: Any, *, has_arrays: bool) -> None:
        """All of LLVM's passes.

        Where there are no arrays, numbers stay out of vectors: two that a loop computes from those of its
        last turn would change places in each turn, and wait for that.
        """
        options = self._llvm.create_pipeline_tuning_options(speed_level=2)
        options.loop_vectorization = True
        options.slp_vectorization = has_arrays
        self._run(machine, module, options)

    def _run(self, machine: Any, module: Any, options: Any) -> None:
        """The passes that LLVM has in a queue of its own."""
        with closing(self._llvm.create_pass_builder(machine, options)) as passes:
            queue = passes.getModulePassManager()
            queue.run(module, passes)
            _free(queue)

    def vectors(self, cpu: str | None) -> Vectors:
        """What a processor does with vectors."""
        cpu = cpu or self._cpu
        if not self._target.triple.startswith("x86_64"):
            return Vectors(gather=False, long=False)
        has = self._features if cpu == NATIVE else dict.fromkeys(LEVELS.get(cpu, ()), True)
        fuse, gather, long = [bool(has.get(each)) for each in ("fma", "avx512f", "avx512dq")]
        return Vectors(fuse, gather, long, divide=not gather, foresee=gather)

    def object_code(self, text: str, cpu: str) -> ObjectCode:
        """The machine code of a module, for another process on a processor of some kind."""
        llvm = self._llvm
        machine = self._machine(cpu, _Effort.FULL.level)
        module = llvm.parse_assembly(text)
        module.verify()
        self._improve(machine, module, has_arrays=_has_arrays(text))
        needs = frozenset([each.name for each in module.functions if each.is_declaration])
        return ObjectCode(bytes(machine.emit_object(module)), needs)

    def _tidy(self, machine: Any, module: Any) -> None:
        """The passes that gain most in a time that grows with the code: variables leave memory.

        LLVM's value numbering that it lets others add, NewGVN, is not among them: it has made wrong code.
        """
        passes = self._llvm.create_pass_builder(machine, self._llvm.create_pipeline_tuning_options())
        queue = self._llvm.create_new_function_pass_manager()
        queue.add_sroa_pass()
        queue.add_instruction_combine_pass()
        queue.add_simplify_cfg_pass()
        for function in module.functions:
            if not function.is_declaration:
                queue.run(function, passes)
        _free(queue)

    def _assembly(self, text: str) -> str:
        effort = _effort(text)
        assembly: str = self._machines[effort].emit_assembly(self._optimised(text, effort))
        return assembly


class _Effort(Enum):
    """How much time code gets, as LLVM counts it: of long code, it would take seconds, and seldom gain."""

    FULL = 2
    SOME = 1
    LITTLE = 0
    NONE = -1

    @property
    def level(self) -> int:
        """What instructions are chosen with."""
        return max(0, self.value)


_LONG, _VERY_LONG = 1_500, 12_000
"""Lines of code from which on it gets some of the time, and little; with `LONG` loops never some."""


AS_IT_STANDS = "; as it stands\n"
"""What code begins with that is short, and written as it is to run: it gets little time."""


def _effort(text: str) -> _Effort:
    if text.startswith(AS_IT_STANDS):
        return _Effort.LITTLE
    lines = text.count("\n")
    if lines < (_VERY_LONG if _begins(text, LONG) else _LONG):
        return _Effort.FULL
    return _Effort.SOME if lines < _VERY_LONG else _Effort.LITTLE


def _has_arrays(text: str) -> bool:
    """Whether code has loops over arrays."""
    return _begins(text, LONG) or _begins(text, SHORT)


def _begins(text: str, stem: str) -> bool:
    """Whether code has a block with such a name."""
    return f"\n{stem}." in text


def _keep_memory() -> None:
    """Has the C library keep arrays that come and go, instead of asking the system for each anew.

    GNU's does so up to the size of the largest that was ever freed. Pages that are new cost more than what is
    computed in them.
    """
    allocate, free = ctypes.pythonapi.PyMem_RawMalloc, ctypes.pythonapi.PyMem_RawFree
    allocate.restype, allocate.argtypes = ctypes.c_void_p, [ctypes.c_size_t]
    free.restype, free.argtypes = None, [ctypes.c_void_p]
    free(allocate(_KEPT))


_KEPT = (32 << 20) - (1 << 16)
"""Bytes: a little less than where GNU's C library stops to keep."""


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


@cache
def _engine() -> _Engine:
    return _Engine()


def vectors(cpu: str | None = None) -> Vectors:
    """What a processor does with vectors: one of `CPUS`, or that of this process."""
    return _engine().vectors(cpu)


def compiled(text: str, symbols: list[str], at_once: AtOnce | None = None) -> Library:
    """The machine code of a module of LLVM's.

    Parameters
    ----------
    text : str
    symbols : list of str
        Those whose addresses are wanted.
    at_once : AtOnce, optional
        Another module, which serves where the code of that one is not on disk.
    """
    return _engine().library(text, symbols, at_once)


def name() -> str:
    """What code is made by, what for, and the processor of this process."""
    return _engine().name


def kept(text: str, at_once: AtOnce | None) -> Kept:
    """Where the code of what `compiled` takes is on disk, when it has been compiled."""
    return _engine().kept(text, at_once)


def recalled(
    kept: Kept, symbols: Sequence[str], first_symbols: Sequence[str], text: Callable[[], str]
) -> Library | None:
    """The machine code of a module, where it is on disk.

    Parameters
    ----------
    kept : Kept
    symbols, first_symbols : sequence of str
        Those whose addresses are wanted, of its code and of its first code.
    text : callable
        Gives the text of the module, for who asks for it.
    """
    return _engine().recalled(kept, symbols, first_symbols, text)


def object_code(text: str, cpu: str) -> ObjectCode:
    """The machine code of a module, for another process.

    Parameters
    ----------
    text : str
    cpu : str
        One of `processors.CPUS`.
    """
    return _engine().object_code(text, cpu)
