"""Casts in LLVM's code: those of floats give what NumPy's give on x86-64, out of range as well."""

from __future__ import annotations

import struct

from runtime.core.dtypes import DType, bool_, int32, int64
from runtime.executors.native.llvm.code import Code, Operand, in_register, part_of

__all__ = ["cast", "fitting_cast", "has_vector_cast", "joined", "parts_of"]


def cast(code: Code, operand: Operand, to: DType) -> Operand:
    """A number as one of another dtype, as NumPy casts on x86-64."""
    of, x = operand.dtype, operand.text
    kind, wanted = code.wide(in_register(of)), code.wide(in_register(to))
    if of is to:
        return operand
    if of.is_complex or to.is_complex:
        return _between_complex(code, operand, to)
    if to is bool_:
        zero = code.constant("0.0" if of.is_floating else "0", in_register(of))
        return Operand(code.value(f"{'fcmp une' if of.is_floating else 'icmp ne'} {kind} {x}, {zero}"), to)
    if of is bool_:
        text = f"{'uitofp' if to.is_floating else 'zext'} {kind} {x} to {wanted}"
        return Operand(code.value(text), to)
    if of.is_floating:
        if to.is_floating:
            word = "fpext" if to.itemsize > of.itemsize else "fptrunc"
            return Operand(code.value(f"{word} {kind} {x} to {wanted}"), to)
        return Operand(_whole(code, operand, to), to)
    if to.is_floating:
        word = "sitofp" if of.kind == "i" else "uitofp"
        return Operand(code.value(f"{word} {kind} {x} to {wanted}"), to)
    if to.itemsize == of.itemsize:
        return Operand(x, to)
    word = "trunc" if to.itemsize < of.itemsize else "sext" if of.kind == "i" else "zext"
    return Operand(code.value(f"{word} {kind} {x} to {wanted}"), to)


def fitting_cast(code: Code, operand: Operand, to: DType) -> Operand:
    """A float that is known to be in the range of a dtype of whole numbers, as one of that."""
    word = "fptosi" if to.kind == "i" else "fptoui"
    kind, wanted = code.wide(in_register(operand.dtype)), code.wide(in_register(to))
    return Operand(code.value(f"{word} {kind} {operand.text} to {wanted}"), to)


def has_vector_cast(of: DType, to: DType) -> bool:
    """Whether a cast is a few instructions of vectors."""
    return not (of.is_complex or to.is_complex or (of.is_floating and to.is_integer))


def _between_complex(code: Code, operand: Operand, to: DType) -> Operand:
    """A complex number as one of another dtype, or a real one as one; of complex ones, the real part."""
    if not operand.dtype.is_complex:
        real = cast(code, operand, part_of(to))
        return joined(code, real.text, "0.0", to)
    real, imaginary = parts_of(code, operand)
    if to.is_complex:
        one, other = [cast(code, each, part_of(to)).text for each in (real, imaginary)]
        return joined(code, one, other, to)
    if to is bool_:
        some = [cast(code, each, bool_).text for each in (real, imaginary)]
        return Operand(code.value(f"or i1 {some[0]}, {some[1]}"), to)
    return cast(code, real, to)


def parts_of(code: Code, operand: Operand) -> tuple[Operand, Operand]:
    """The real and the imaginary part of a complex number."""
    kind, part = in_register(operand.dtype), part_of(operand.dtype)
    real, imaginary = [code.value(f"extractvalue {kind} {operand.text}, {index}") for index in (0, 1)]
    return Operand(real, part), Operand(imaginary, part)


def joined(code: Code, real: str, imaginary: str, dtype: DType) -> Operand:
    """The complex number of two parts."""
    kind, part = in_register(dtype), in_register(part_of(dtype))
    half = code.value(f"insertvalue {kind} undef, {part} {real}, 0")
    return Operand(code.value(f"insertvalue {kind} {half}, {part} {imaginary}, 1"), dtype)


def _whole(code: Code, operand: Operand, to: DType) -> str:
    """A float as an integer: one that is out of range, or none, gives the least, as the processor says."""
    x, kind = operand.text, in_register(operand.dtype)
    if code.gives_way:
        _give_way_to_cast(code, x, kind, to)
    if to.kind == "u" and to.itemsize == 8:
        return code.value(f"call i64 @ag_to_u64_{'f64' if kind == 'double' else 'f32'}({kind} {x})")
    via = int64 if to.itemsize == 8 or (to.kind == "u" and to.itemsize == 4) else int32
    width = in_register(via)
    limit = float(2 ** (8 * via.itemsize - 1))
    inside = _is_nearer(code, x, kind, limit)  # the least itself is what others give, too
    safe = code.value(f"select i1 {inside}, {kind} {x}, {kind} 0.0")
    whole = code.value(f"fptosi {kind} {safe} to {width}")
    least = str(-int(limit))
    result = code.value(f"select i1 {inside}, {width} {whole}, {width} {least}")
    return (
        result if to.itemsize == via.itemsize else code.value(f"trunc {width} {result} to {in_register(to)}")
    )


def _give_way_to_cast(code: Code, x: str, kind: str, to: DType) -> None:
    """NumPy warns of a float that is no integer of a dtype, and gives what its loops happen to give."""
    limit = float(2 ** (8 * to.itemsize - (to.kind == "i")))
    if to.kind == "i" and to.itemsize >= 4:
        inside = _is_nearer(code, x, kind, limit)  # the least itself, a rare one, is left to NumPy, too
    else:
        test, least = ("ogt", -1.0) if to.kind == "u" else ("oge", -limit)
        low = code.value(f"fcmp {test} {kind} {x}, {_hex(least)}")
        high = code.value(f"fcmp olt {kind} {x}, {_hex(limit)}")
        inside = code.value(f"and i1 {low}, {high}")
    code.give_way_if(code.value(f"xor i1 {inside}, true"))


def _is_nearer(code: Code, x: str, kind: str, limit: float) -> str:
    """Whether a float is nearer to 0 than a limit: one comparison says it, also of what is no number."""
    letter = "f64" if kind == "double" else "f32"
    size = code.value(f"call {kind} @llvm.fabs.{letter}({kind} {x})")
    return code.value(f"fcmp olt {kind} {size}, {_hex(limit)}")


def _hex(value: float) -> str:
    """A float that both widths have, as LLVM writes it."""
    return f"0x{struct.unpack('<Q', struct.pack('<d', value))[0]:016X}"
