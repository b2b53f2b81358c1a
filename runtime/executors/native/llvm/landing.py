"""How a run fails at a site, and where it goes on if that is caught: by numbers, without Python.

A run that fails leaves in its context where that was, and the numbers to show. What catches it reads from a
table which of its classes the exception of that site is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from runtime.core.dtypes import float64, int64
from runtime.errors import is_caught
from runtime.executors.native.intrinsics import cast
from runtime.executors.native.language.loops import Expression, Fail, Failed, Landing, Site, Variable
from runtime.executors.native.llvm.code import MOST_SHOWN, SHOWN, SITE, Code, Operand, Status

__all__ = ["fail", "land", "table_of"]


def fail(code: Code, failure: Fail, number: Callable[[Expression], Operand]) -> None:
    """Ends the run at a site, with the bits of the numbers that it shows; `number` writes one of them."""
    if isinstance(failure.site, Failed):
        site, *shown = [number(each).text for each in failure.site.names][: 1 + MOST_SHOWN]
    else:
        site, shown = str(failure.site), [_bits(code, number(each)) for each in failure.shown[:MOST_SHOWN]]
    if code.landings:  # they are read near by: LLVM makes a jump of that
        for index, bits in enumerate(shown):
            code.add(f"store i64 {bits}, ptr {_word(code, SHOWN + index)}")
        code.add(f"store i64 {site}, ptr {_word(code, SITE)}")
    else:
        for index, bits in enumerate(shown):
            code.add(f"call void @ag_show(ptr %context, i64 {index}, i64 {bits})")
        code.add(f"call void @ag_fail(ptr %context, i64 {site})")
    code.leave(str(int(Status.FAILED)))
    code.begin(code.label("never"))


def land(code: Code, landing: Landing, table: str, count: int, status: str) -> Iterator[tuple[Variable, str]]:
    """What a landing sets, with the values; a run that has ended otherwise goes on ending.

    Parameters
    ----------
    code : Code
    landing : Landing
    table : str
        The name of the table that `table_of` gives.
    count : int
        How many sites the program has.
    status : str
        With which the run has ended.
    """
    failed = code.value(f"icmp eq i32 {status}, {int(Status.FAILED)}")
    look, caught, on = code.label("look"), code.label("caught"), code.label("pass")
    code.add(f"br i1 {failed}, label %{look}, label %{on}")
    code.begin(on)
    code.leave(status)
    code.begin(look)
    site = code.value(f"load i64, ptr {_word(code, SITE)}")
    place = code.value(f"getelementptr [{count} x i8], ptr {table}, i64 0, i64 {site}")
    number = code.value(f"zext i8 {code.value(f'load i8, ptr {place}')} to i64")
    code.add(f"br i1 {code.value(f'icmp ne i64 {number}, 0')}, label %{caught}, label %{on}")
    code.begin(caught)
    yield landing.number, number
    yield landing.failed.site, site
    for index, (bits, number_) in enumerate(zip(landing.failed.bits, landing.failed.floats, strict=True)):
        word = _word(code, SHOWN + index)
        yield bits, code.value(f"load i64, ptr {word}")
        yield number_, code.value(f"load double, ptr {word}")


def table_of(name: str, landing: Landing, sites: Sequence[Site]) -> str:
    """For each site of a program, which of the classes its exception is, counted from 1; 0 for none."""
    numbers = bytes([_number(landing, site) for site in sites])
    data = "".join([f"\\{number:02X}" for number in numbers])
    return f'{name} = internal unnamed_addr constant [{len(numbers)} x i8] c"{data}"'


def _number(landing: Landing, site: Site) -> int:
    if site.kind is None:
        return 0
    fits = (number for number, kind in enumerate(landing.kinds, 1) if is_caught(site.kind, kind))
    return next(fits, 0)


def _bits(code: Code, operand: Operand) -> str:
    """A number as 64 bits: a whole one as it is, a float as those of a double."""
    if operand.dtype.is_floating:
        wide = operand if operand.dtype is float64 else cast(code, operand, float64)
        return code.value(f"bitcast double {wide.text} to i64")
    return cast(code, operand, int64).text


def _word(code: Code, index: int) -> str:
    return code.value(f"getelementptr i64, ptr %context, i64 {index}")
