"""`Code`: lines of LLVM's text in the making, and how numbers are written in it."""

from __future__ import annotations

from dataclasses import dataclass

from runtime.core.dtypes import DType, bool_

__all__ = ["Code", "Operand", "in_memory", "in_register"]


@dataclass(frozen=True, slots=True)
class Operand:
    """A number as LLVM's text names it, and its value where that is known."""

    text: str
    dtype: DType
    known: bool | float | None = None


class Code:
    """The lines of a function."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._count = 0

    def add(self, line: str) -> None:
        """A line that gives nothing."""
        self.lines.append(f"  {line}")

    def value(self, line: str) -> str:
        """A line that gives a value; the name of that."""
        self._count += 1
        name = f"%_{self._count}"
        self.lines.append(f"  {name} = {line}")
        return name

    def label(self, stem: str) -> str:
        """A name for a block."""
        self._count += 1
        return f"{stem}.{self._count}"

    def begin(self, label: str) -> None:
        """Begins a block."""
        self.lines.append(f"{label}:")


def in_register(dtype: DType) -> str:
    """The type of a number."""
    return "i1" if dtype is bool_ else in_memory(dtype)


def in_memory(dtype: DType) -> str:
    """The type of an element of an array."""
    if dtype.is_floating:
        return "double" if dtype.itemsize == 8 else "float"
    return f"i{8 * dtype.itemsize}"
