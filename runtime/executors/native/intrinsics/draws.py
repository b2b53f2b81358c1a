"""Draws of random numbers in LLVM's code, from the streams of `runtime.executors.native.streams`."""

from __future__ import annotations

from collections.abc import Sequence

from runtime.core.dtypes import DType
from runtime.executors.native.llvm.code import in_register
from runtime.executors.native.streams import DRAWS

__all__ = ["draws_text", "name_of_draw", "symbol_of_draw", "symbols_of_draws"]

_OWN = {
    "double": """
define internal double @ag_draw_double(ptr %stream) {
  %state = load ptr, ptr %stream
  %place = getelementptr ptr, ptr %stream, i64 3
  %next = load ptr, ptr %place
  %found = call double %next(ptr %state)
  ret double %found
}""",
    "twister_double": """
define internal double @ag_draw_twister_double(ptr %stream) {
  %one = call i32 @ag_twister(ptr %stream)
  %two = call i32 @ag_twister(ptr %stream)
  %a = lshr i32 %one, 5
  %b = lshr i32 %two, 6
  %high = uitofp i32 %a to double
  %low = uitofp i32 %b to double
  %shifted = fmul double %high, 67108864.0
  %whole = fadd double %shifted, %low
  %found = fmul double %whole, 0x3CA0000000000000
  ret double %found
}""",
    "twister_bits": """
define internal i64 @ag_draw_twister_bits(ptr %stream, i64 %count) {
  %one = call i32 @ag_twister(ptr %stream)
  %first = zext i32 %one to i64
  %is_short = icmp sle i64 %count, 32
  br i1 %is_short, label %short, label %long
short:
  %by = sub i64 32, %count
  %few = lshr i64 %first, %by
  ret i64 %few
long:
  %two = call i32 @ag_twister(ptr %stream)
  %second = zext i32 %two to i64
  %left = sub i64 64, %count
  %top = lshr i64 %second, %left
  %above = shl i64 %top, 32
  %many = or i64 %above, %first
  ret i64 %many
}""",
    "twister_below": """
define internal i64 @ag_draw_twister_below(ptr %stream, i64 %limit) {
start:
  %zeros = call i64 @llvm.ctlz.i64(i64 %limit, i1 false)
  %count = sub i64 64, %zeros
  br label %again
again:
  %found = call i64 @ag_draw_twister_bits(ptr %stream, i64 %count)
  %fits = icmp ult i64 %found, %limit
  br i1 %fits, label %end, label %again
end:
  ret i64 %found
}""",
}
"""Those that are made of bits. Python puts a float, and an integer, together of words of 32 bits."""

_TWISTER = """
define internal i32 @ag_twister(ptr %stream) {
start:
  %words = getelementptr i32, ptr %stream, i64 1
  %place = load i32, ptr %stream
  %is_over = icmp uge i32 %place, 624
  br i1 %is_over, label %anew, label %next, !prof !0
anew:
  call void @ag_twist(ptr %words)
  br label %next
next:
  %at = phi i32 [ %place, %start ], [ 0, %anew ]
  %behind = add i32 %at, 1
  store i32 %behind, ptr %stream
  %index = zext i32 %at to i64
  %slot = getelementptr i32, ptr %words, i64 %index
  %word = load i32, ptr %slot
  %s1 = lshr i32 %word, 11
  %y1 = xor i32 %word, %s1
  %s2 = shl i32 %y1, 7
  %m2 = and i32 %s2, -1658038656
  %y2 = xor i32 %y1, %m2
  %s3 = shl i32 %y2, 15
  %m3 = and i32 %s3, -272236544
  %y3 = xor i32 %y2, %m3
  %s4 = lshr i32 %y3, 18
  %found = xor i32 %y3, %s4
  ret i32 %found
}

define internal void @ag_twist(ptr %words) noinline {
start:
  br label %turn
turn:
  %i = phi i64 [ 0, %start ], [ %after, %turn ]
  %after = add i64 %i, 1
  %is_last = icmp eq i64 %after, 624
  %j = select i1 %is_last, i64 0, i64 %after
  %ahead = add i64 %i, 397
  %wraps = icmp uge i64 %ahead, 624
  %back = sub i64 %ahead, 624
  %k = select i1 %wraps, i64 %back, i64 %ahead
  %slot = getelementptr i32, ptr %words, i64 %i
  %own = load i32, ptr %slot
  %next_slot = getelementptr i32, ptr %words, i64 %j
  %next = load i32, ptr %next_slot
  %far_slot = getelementptr i32, ptr %words, i64 %k
  %far = load i32, ptr %far_slot
  %upper = and i32 %own, -2147483648
  %lower = and i32 %next, 2147483647
  %y = or i32 %upper, %lower
  %half = lshr i32 %y, 1
  %bit = and i32 %y, 1
  %is_odd = icmp ne i32 %bit, 0
  %matrix = select i1 %is_odd, i32 -1727483681, i32 0
  %mixed = xor i32 %far, %half
  %new = xor i32 %mixed, %matrix
  store i32 %new, ptr %slot
  br i1 %is_last, label %end, label %turn
end:
  ret void
}"""
"""The Mersenne Twister, MT19937 (Matsumoto and Nishimura, 1998): the place in its words, and these."""


def name_of_draw(function: str) -> str:
    """What a way to draw is called in LLVM's text."""
    return f"ag_draw_{function}"


def symbol_of_draw(function: str) -> str:
    """The symbol that says where NumPy's C function is that draws this way."""
    return f"ag_draw_{function}.at"


def symbols_of_draws(functions: Sequence[str]) -> list[str]:
    """The symbols that say where NumPy's C functions are."""
    return [symbol_of_draw(each) for each in functions if DRAWS[each].symbol]


def draws_text(functions: Sequence[str]) -> list[str]:
    """The functions that draw, with all that they call."""
    names = dict.fromkeys(functions)
    if "twister_below" in names:
        names["twister_bits"] = None
    texts = [_OWN[each] if each in _OWN else _of_numpy(each) for each in names]
    if any(each.startswith("twister") for each in names):
        texts += ["declare i64 @llvm.ctlz.i64(i64, i1)", _TWISTER]
    return texts


def _of_numpy(function: str) -> str:
    """A call of a C function of NumPy's."""
    draws, symbol = DRAWS[function], symbol_of_draw(function)
    head = f"@{symbol} = global ptr null\n\ndefine internal {_type(draws.gives)} @{name_of_draw(function)}"
    if function in {"bounded", "masked"}:
        return f"""{head}(ptr %stream, i64 %low, i64 %most) {{
  %place = alloca i64
  %fill = load ptr, ptr @{symbol}
  call void %fill(ptr %stream, i64 %low, i64 %most, i64 1, i1 zeroext {int(function == "masked")}, ptr %place)
  %found = load i64, ptr %place
  ret i64 %found
}}"""
    taken = [f"{_type(dtype)} %x{index}" for index, dtype in enumerate(draws.takes)]
    given = ", ".join(["ptr %stream", *taken])
    return f"""{head}({given}) {{
  %draw = load ptr, ptr @{symbol}
  %found = call {_type(draws.gives)} %draw({given})
  ret {_type(draws.gives)} %found
}}"""


def _type(dtype: DType) -> str:
    return in_register(dtype)
