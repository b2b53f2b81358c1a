"""A module as a library for programs in C."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from autograph_base.dataclass import dataclass
from runtime.core.spec import Spec
from runtime.errors import CompileError
from runtime.executors.native.beyond import Beyond, Unsupported
from runtime.executors.native.c_library.code import code
from runtime.executors.native.c_library.files import write
from runtime.executors.native.c_library.header import header
from runtime.executors.native.c_library.interface import Interface
from runtime.executors.native.llvm import engine
from runtime.executors.native.run import first_line, named, require_compiler
from runtime.executors.native.whole import lowered
from runtime.graph.module import Module

__all__ = ["Names", "build"]

_C_LIBRARY = frozenset(
    {"malloc", "aligned_alloc", "realloc", "free", "snprintf", "memcpy", "memmove", "memset"}
)
_INSTRUCTIONS = ("llvm.",)
_MAY_BE_CALLS = ("llvm.floor", "llvm.ceil", "llvm.trunc", "llvm.rint")
"""What old processors have no instruction for."""


@dataclass(frozen=True)
class Names:
    """What a graph is called in C, its inputs and its outputs.

    Attributes
    ----------
    function : str
    inputs, outputs : tuple of str
    written : tuple of int
        The inputs that get, in the end, what the last outputs are; these have no names.
    """

    function: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    written: tuple[int, ...] = ()


def build(
    module: Module, path: Path, names: Names, title: str, *, cpu: str, has_header: bool
) -> tuple[Path, ...]:
    """Writes a library that computes what a module does.

    Parameters
    ----------
    module : Module
    path : Path
    names : Names
    title : str
        For who reads the header.
    cpu : str
        One of `processors.CPUS`.
    has_header : bool

    Raises
    ------
    CompileError
        When a part of the module has no machine code.
    """
    require_compiler(module)
    entry = module.entry
    inputs: list[tuple[str, Spec]] = list(zip(names.inputs, entry.input_specs, strict=True))
    ends: Sequence[str] = (*names.outputs, *["" for _ in names.written])
    outputs: list[tuple[str, Spec]] = list(zip(ends, entry.output_specs, strict=True))
    interface = Interface.of(names.function, inputs, outputs, names.written, first_line(module))
    try:
        program = lowered(module, Beyond.NOBODY)
    except Unsupported as unsupported:
        raise _refused(unsupported, names.function) from None
    made = engine.object_code(code(program, interface, vectors=engine.vectors(cpu)), cpu)
    needs_libm = any(map(_is_of_libm, made.needs))
    text = header(interface, title, needs_libm=needs_libm) if has_header else None
    return write(path, made.code, text, needs_libm=needs_libm)


def _is_of_libm(name: str) -> bool:
    if name.startswith(_INSTRUCTIONS):
        return name.startswith(_MAY_BE_CALLS)
    return name not in _C_LIBRARY


def _refused(unsupported: Unsupported, function: str) -> CompileError:
    node = unsupported.node
    what = "a part of it" if node is None else f"`{named(node)}`"
    return CompileError(
        f"{function}() cannot be a library for C: {what} has no machine code",
        where=None if node is None else node.location,
        why=f"{unsupported.why[:1].upper()}{unsupported.why[1:]}, and there is no Python in such a library.",
        way_out="Leave it to the program around the function: what it gives can be an argument.",
    )
