"""Floating-point exception flags of the processor, read to give NumPy's warnings.

Machine code that runs in the place of a NumPy program reads them at the end of a run. LLVM knows nothing of
them, so numbers that it could compute with beforehand are hidden from it.
"""

from __future__ import annotations

import platform
import warnings
from collections.abc import Mapping
from typing import Any

import numpy as np

from autograph_base.dataclass import dataclass

__all__ = ["FLAGS", "Flags"]


@dataclass(frozen=True)
class Flags:
    """The flags of a kind of processor.

    Attributes
    ----------
    bits : mapping of str to int
        By the names that `np.geterr` has for them.
    register : str
        What LLVM's inline assembly calls a register of floats.
    declarations : str
    clear, read : str
        Code; the second leaves the flags in ``%flags``.
    keep, put_back : str
        Code that writes all flags to a place of eight bytes on the stack, ``PLACE``, and that takes them from
        there.
    are_kept_in_arms : bool
        Whether what stands in a branch raises none where the branch is not taken. LLVM makes vectors of both
        branches, or computes one before it is known, and raises the flags of what nobody asked for.
    """

    bits: Mapping[str, int]
    register: str
    declarations: str
    clear: str
    read: str
    keep: str
    put_back: str
    are_kept_in_arms: bool = False

    @property
    def mask(self) -> int:
        """All that matter."""
        return sum(self.bits.values())

    def hiding(self, text: str, kind: str) -> str:
        """A number as itself, in no instruction, but out of LLVM's sight."""
        register = self.register if kind in {"double", "float"} else "r"
        return f'call {kind} asm "", "={register},0"({kind} {text})'

    def pinning(self, text: str, kind: str) -> str:
        """A number as itself, from which LLVM computes nothing earlier than here."""
        return f'call {kind} asm sideeffect "", "={self.register},0"({kind} {text})'

    def are_told(self, raised: int) -> bool:
        """Whether NumPy says something of flags, as `np.errstate` and filters of warnings are now."""
        told: Mapping[str, Any] = {**np.geterr()}
        ways = {told[name] for name, bit in self.bits.items() if raised & bit} - {"ignore"}
        return bool(ways) and not (ways == {"warn"} and _are_ignored(RuntimeWarning))


def _are_ignored(category: type[Warning]) -> bool:
    """Whether no warning of a category is shown, whatever it says and wherever it is given."""
    of_context = getattr(warnings, "_get_filters", None)  # in a later Python
    filters = warnings.filters if of_context is None else of_context()
    for action, message, kind, module, line in filters:
        if issubclass(category, kind):
            if action == "ignore" and message is None and module is None and not line:
                return True
            if action != "ignore":
                return False
    return False


def _x86() -> Flags:
    """Two processors in one, with a register of flags each, which have the same bits.

    SSE computes; but the C library's `feraiseexcept`, with which NumPy's vectors say that an exponential is
    beyond all bounds, raises overflow and underflow in the older of the two.
    """
    bits = {"invalid": 1, "divide": 4, "over": 8, "under": 16}
    clear_older = 'call void asm sideeffect "fnclex", "~{dirflag},~{fpsr},~{flags}"()'
    read_older = 'call i16 asm sideeffect "fnstsw $0", "={ax},~{dirflag},~{fpsr},~{flags}"()'
    return Flags(
        bits,
        "x",
        "declare void @llvm.x86.sse.ldmxcsr(ptr)\ndeclare void @llvm.x86.sse.stmxcsr(ptr)",
        """  %control = alloca i32
  call void @llvm.x86.sse.stmxcsr(ptr %control)
  %before = load i32, ptr %control
  %cleared = and i32 %before, -64
  store i32 %cleared, ptr %control
  call void @llvm.x86.sse.ldmxcsr(ptr %control)
  """
        + clear_older,
        """  call void @llvm.x86.sse.stmxcsr(ptr %control)
  %after = load i32, ptr %control
  %older = """
        + read_older
        + """
  %older.wide = zext i16 %older to i32
  %either = or i32 %after, %older.wide
  %wide = zext i32 %either to i64
  %flags = and i64 %wide, """
        + str(sum(bits.values())),
        f"""  call void @llvm.x86.sse.stmxcsr(ptr PLACE)
  PLACE.newer = load i32, ptr PLACE
  PLACE.older = {read_older}
  PLACE.wide = zext i16 PLACE.older to i32
  PLACE.flags = and i32 PLACE.wide, {sum(bits.values())}
  PLACE.either = or i32 PLACE.newer, PLACE.flags
  store i32 PLACE.either, ptr PLACE""",
        f"  {clear_older}\n  call void @llvm.x86.sse.ldmxcsr(ptr PLACE)",
    )


def _aarch64() -> Flags:
    bits = {"invalid": 1, "divide": 2, "over": 4, "under": 8}
    return Flags(
        bits,
        "w",
        "declare i64 @llvm.aarch64.get.fpsr()\ndeclare void @llvm.aarch64.set.fpsr(i64)",
        "  call void @llvm.aarch64.set.fpsr(i64 0)",
        "  %after = call i64 @llvm.aarch64.get.fpsr()\n  %flags = and i64 %after, " + str(sum(bits.values())),
        "  PLACE.now = call i64 @llvm.aarch64.get.fpsr()\n  store i64 PLACE.now, ptr PLACE",
        "  PLACE.then = load i64, ptr PLACE\n  call void @llvm.aarch64.set.fpsr(i64 PLACE.then)",
    )


_KNOWN = {"x86_64": _x86, "amd64": _x86, "aarch64": _aarch64, "arm64": _aarch64}

FLAGS: Flags | None = _KNOWN[platform.machine().lower()]() if platform.machine().lower() in _KNOWN else None
"""Those of this processor; None where it is not known how they are read."""
