"""NumPy's own loops for matrices, which call LAPACK, called from machine code: they give NumPy's bits.

`np.linalg.solve` and its likes are a loop over a stack of matrices, written in C, and checks before it in
Python, which take ten times as long where matrices are small. A loop copies each matrix before it hands it
to LAPACK, so that what it gives does not depend on where elements lie. That there is no solution it says by
the flag for invalid numbers, as which NumPy raises `LinAlgError`.

Each loop is tried once, and compared with NumPy's function, before it is used.
"""

from __future__ import annotations

import ctypes
import importlib
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np

from autograph_base.dataclass import dataclass
from runtime.core.dtypes import DTYPES, DType, as_dtype
from runtime.executors.native.llvm.engine import Library
from runtime.executors.native.llvm.flags import FLAGS
from runtime.executors.native.numpys_own import place_of, stored

__all__ = [
    "LOOPS",
    "LoopOfMatrices",
    "give_matrices",
    "has_loop_of_matrices",
    "matrices_named_in",
    "matrices_text",
    "name_of_matrices",
]


@dataclass(frozen=True)
class LoopOfMatrices:
    """A loop over stacks of matrices.

    Attributes
    ----------
    numpys : callable
        The function of NumPy's that gives the same, as one array or several.
    error : str
        What a `LinAlgError` says where there is no solution; empty where there always is one.
    is_definite : bool
        Whether it is made for matrices that are symmetric and positive definite.
    """

    numpys: Callable[..., Any]
    error: str = ""
    is_definite: bool = False

    def signature(self, function: str) -> tuple[Sequence[str], Sequence[str], str]:
        """The letters of the axes of operands and of results, and all of them in the order of the lengths."""
        operands, _, results = _ufunc(function).signature.partition("->")
        given, found = [
            ["".join(_LETTER.findall(each)) for each in _GROUP.findall(part)] for part in (operands, results)
        ]
        return given, found, "".join(dict.fromkeys("".join([*given, *found])))

    def dtypes(self, function: str, dtype: DType) -> tuple[DType, ...]:
        """Those of operands and of results, where the first operand is of a dtype."""
        return tuple([as_dtype(np.dtype(letter)) for letter in _row(function, dtype).replace("->", "")])


_SINGULAR, _DEFINITE = "Singular matrix", "Matrix is not positive definite"
_VALUES, _SINGULAR_VALUES = "Eigenvalues did not converge", "SVD did not converge"

LOOPS: Mapping[str, LoopOfMatrices] = {
    "det": LoopOfMatrices(np.linalg.det),
    "slogdet": LoopOfMatrices(np.linalg.slogdet),
    "inv": LoopOfMatrices(np.linalg.inv, _SINGULAR),
    "solve": LoopOfMatrices(np.linalg.solve, _SINGULAR),
    "solve1": LoopOfMatrices(np.linalg.solve, _SINGULAR),
    "cholesky_lo": LoopOfMatrices(lambda x: np.linalg.cholesky(x, upper=False), _DEFINITE, is_definite=True),
    "cholesky_up": LoopOfMatrices(lambda x: np.linalg.cholesky(x, upper=True), _DEFINITE, is_definite=True),
    "eigh_lo": LoopOfMatrices(lambda x: np.linalg.eigh(x, "L"), _VALUES),
    "eigh_up": LoopOfMatrices(lambda x: np.linalg.eigh(x, "U"), _VALUES),
    "eigvalsh_lo": LoopOfMatrices(lambda x: np.linalg.eigvalsh(x, "L"), _VALUES),
    "eigvalsh_up": LoopOfMatrices(lambda x: np.linalg.eigvalsh(x, "U"), _VALUES),
    "svd": LoopOfMatrices(lambda x: np.linalg.svd(x, compute_uv=False), _SINGULAR_VALUES),
    "svd_f": LoopOfMatrices(lambda x: np.linalg.svd(x, full_matrices=True), _SINGULAR_VALUES),
    "svd_s": LoopOfMatrices(lambda x: np.linalg.svd(x, full_matrices=False), _SINGULAR_VALUES),
}
"""By the names that NumPy's module has for them. Single precision is computed in double, by NumPy as here."""

_GROUP, _LETTER = re.compile(r"\(([^)]*)\)"), re.compile(r"\w")
_NAMED = re.compile(r"@(ag_matrices_(\w+)_([a-z]\d+))\(")
_LOOP = re.compile(r"ag_matrices_(\w+)_([a-z]\d+)\.loop")
_DTYPES = {dtype.short: dtype for dtype in DTYPES}
_TRIED = 1, 2, 3, 5, 8
"""Lengths of matrices that are tried."""


def _ufunc(function: str) -> Any:
    return getattr(importlib.import_module("numpy.linalg._umath_linalg"), function, None)


def _row(function: str, dtype: DType) -> str:
    """The dtypes of the loop whose first operand has this dtype, as the ufunc writes them; or nothing."""
    letter = dtype.numpy.char
    return next((each for each in _ufunc(function).types if each.startswith(letter)), "")


@cache
def _place_of(function: str, dtype: DType) -> tuple[int, int] | None:
    """Where a loop is, and what it is handed; None where it is not found."""
    ufunc = _ufunc(function)
    if not isinstance(ufunc, np.ufunc) or not ufunc.signature:
        return None
    row = _row(function, dtype)
    return place_of(ufunc, row) if row else None


@cache
def has_loop_of_matrices(function: str, dtype: DType) -> bool:
    """Whether a loop is there that gives what NumPy's function gives, and says where there is no solution."""
    place, of = _place_of(function, dtype), LOOPS[function]
    if place is None or FLAGS is None or not hasattr(_process(), "fetestexcept"):
        return False
    given, _, _ = of.signature(function)
    for matrices in _tried(of, dtype):
        operands = [matrices, *[_beside(matrices, letters) for letters in given[1:]]]
        found, is_invalid = _by_loop(function, dtype, place, operands)
        wanted = of.numpys(*operands)
        for one, other in zip(found, wanted if isinstance(wanted, tuple) else (wanted,), strict=True):
            if one.tobytes() != np.asarray(other).tobytes() or is_invalid:
                return False
    if of.error in {_SINGULAR, _DEFINITE}:
        operands = [np.zeros((2, 2), dtype.numpy), *[np.ones((2,) * len(each)) for each in given[1:]]]
        operands = [each.astype(dtype.numpy) for each in operands]
        return _by_loop(function, dtype, place, operands)[1]
    return True


def _tried(of: LoopOfMatrices, dtype: DType) -> Iterator[Any]:
    random = np.random.Generator(np.random.PCG64(0))
    for length in _TRIED:
        found = random.normal(size=(length, length))
        if dtype.is_complex:
            found = found + 1j * random.normal(size=found.shape)
        yield np.ascontiguousarray(found @ found.conj().T if of.is_definite else found, dtype.numpy)


def _beside(matrices: Any, letters: str) -> Any:
    """What stands on the right of equations: a vector, or a matrix of another width."""
    length = len(matrices)
    shape = (length, 2)[: len(letters)]
    return (np.arange(float(np.prod(shape))).reshape(shape) - 1.5).astype(matrices.dtype)


@cache
def _process() -> Any:
    return ctypes.CDLL(None)


def _by_loop(
    function: str, dtype: DType, place: tuple[int, int], operands: Sequence[Any]
) -> tuple[list[Any], bool]:
    """What a loop gives of arrays, and whether it raises the flag for invalid numbers."""
    of = LOOPS[function]
    given, found, letters = of.signature(function)
    lengths = _lengths(given, [each.shape for each in operands], letters)
    dtypes = of.dtypes(function, dtype)[len(operands) :]
    shapes = [tuple([lengths[letter] for letter in each]) for each in found]
    results = [np.zeros(shape, each.numpy) for shape, each in zip(shapes, dtypes, strict=True)]
    arrays = [*operands, *results]
    row = (ctypes.c_void_p * len(arrays))(*[each.__array_interface__["data"][0] for each in arrays])
    counts = (ctypes.c_ssize_t * (1 + len(letters)))(1, *[lengths[letter] for letter in letters])
    numbers = [*[0] * len(arrays), *[step for each in arrays for step in each.strides]]
    steps = (ctypes.c_ssize_t * len(numbers))(*numbers)
    call = ctypes.PYFUNCTYPE(None, *[ctypes.c_void_p] * 4)(place[0])
    assert FLAGS is not None, "it was asked"
    process, data = _process(), place[1]
    process.feclearexcept(FLAGS.mask)
    call(row, counts, steps, data)
    raised = process.fetestexcept(FLAGS.bits["invalid"])
    process.feclearexcept(FLAGS.mask)
    return results, bool(raised)


def _lengths(given: Sequence[str], shapes: Sequence[tuple[int, ...]], letters: str) -> dict[str, int]:
    """How long axes are; that which no operand has is the shorter one of two."""
    known = {
        letter: size
        for axes, shape in zip(given, shapes, strict=True)
        for letter, size in zip(axes, shape, strict=True)
    }
    return {letter: known.get(letter, min(known.values())) for letter in letters}


# ── as text of LLVM's ──


def name_of_matrices(function: str, dtype: DType) -> str:
    """What a function is called in LLVM's text that calls a loop, where the first operand is of a dtype."""
    return f"ag_matrices_{function}_{dtype.short}"


def matrices_named_in(text: str) -> list[str]:
    """The symbols of a text of LLVM's that say where loops are."""
    return [f"{name}.loop" for name in _names_in([text])]


def matrices_text(texts: Sequence[str]) -> list[str]:
    """The functions that call loops, those that texts of LLVM's name."""
    return ["\n".join(_text(name, *of)) for name, of in _names_in(texts).items()]


def give_matrices(library: Library) -> None:
    """Tells machine code where loops are that it calls."""
    for symbol, address in library.addresses.items():
        found = _LOOP.fullmatch(symbol)
        if found is not None:
            place = _place_of(found[1], _DTYPES[found[2]])
            assert place is not None, "it was there when the text was written"
            (ctypes.c_void_p * 2).from_address(address)[:] = [*place]


def _names_in(texts: Sequence[str]) -> dict[str, tuple[str, DType]]:
    found = {each for text in texts for each in _NAMED.findall(text)}
    return {name: (function, _DTYPES[short]) for name, function, short in sorted(found)}


def _text(name: str, function: str, dtype: DType) -> Iterator[str]:
    """A call of a loop for arrays in order, told where they are, how many matrices there are, and lengths.

    It gives whether there is a solution. What flags there are stays as it was; where a loop has no solution
    to miss, it leaves its own.
    """
    assert FLAGS is not None, "there are no loops else"
    of = LOOPS[function]
    given, found, letters = of.signature(function)
    arrays, sizes = [*given, *found], [each.itemsize for each in of.dtypes(function, dtype)]
    places = [f"%at{index}" for index in range(len(arrays))]
    yield f"@{name}.loop = global [2 x ptr] zeroinitializer"
    taken = [*[f"ptr {each}" for each in places], "i64 %n.count", *[f"i64 %n.{each}" for each in letters]]
    yield f"define internal i1 @{name}({', '.join(taken)}) noinline nounwind willreturn {{"
    steps: list[str] = []
    outer: list[str] = []
    for index, (axes, size) in enumerate(zip(arrays, sizes, strict=True)):
        step = str(size)
        inner: list[str] = []
        for letter in reversed(axes):
            inner.insert(0, step)
            after = f"%step{index}.{len(inner)}"
            yield f"  {after} = mul i64 {step}, %n.{letter}"
            step = after
        outer.append(step)
        steps += inner
    yield from _written("lengths", ["%n.count", *[f"%n.{each}" for each in letters]])
    yield from _written("steps", [*outer, *steps])
    yield f"  %places = alloca [{len(places)} x ptr]"
    yield from stored(places)
    yield f"  %loop = load ptr, ptr @{name}.loop"
    yield f"  %data.at = getelementptr ptr, ptr @{name}.loop, i64 1"
    yield "  %data = load ptr, ptr %data.at"
    call = "  call void %loop(ptr %places, ptr %lengths, ptr %steps, ptr %data)"
    if not of.error:
        yield call
        yield "  ret i1 true\n}"
        return
    yield "  %kept = alloca i64"
    yield "  store i64 0, ptr %kept"
    yield FLAGS.keep.replace("PLACE", "%kept")
    yield FLAGS.clear
    yield call
    yield FLAGS.read
    yield FLAGS.put_back.replace("PLACE", "%kept")
    yield f"  %invalid = and i64 %flags, {FLAGS.bits['invalid']}"
    yield "  %is.solved = icmp eq i64 %invalid, 0"
    yield "  ret i1 %is.solved\n}"


def _written(name: str, numbers: Sequence[str]) -> Iterator[str]:
    """Numbers in a row on the stack."""
    yield f"  %{name} = alloca [{len(numbers)} x i64]"
    for index, number in enumerate(numbers):
        yield f"  %{name}.at{index} = getelementptr i64, ptr %{name}, i64 {index}"
        yield f"  store i64 {number}, ptr %{name}.at{index}"
