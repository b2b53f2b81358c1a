"""Draws of random numbers in LLVM's code, in the ways of `runtime.executors.native.randomness.draws`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from runtime.core.dtypes import float64
from runtime.executors.native.intrinsics import philox
from runtime.executors.native.llvm.code import in_register, number_text
from runtime.executors.native.randomness.draws import BINOMIAL, DRAWS, KINDERMAN
from runtime.executors.native.randomness.pcg64 import MIXED_BY, MULTIPLIER, seeding_of_pcg64

__all__ = ["calls_of_draws", "draws_text", "name_of_draw"]


def name_of_draw(function: str) -> str:
    """What a way to draw is called in LLVM's text."""
    return f"ag_draw_{function}"


def _with_kept(function: str, drawn: str) -> str:
    """A way that draws two numbers from `%stream`, gives `%found`, and keeps the other for the next time."""
    return f"""
define internal double @{name_of_draw(function)}(ptr %kept) {{
start:
  %has_place = getelementptr i8, ptr %kept, i64 8
  %number_place = getelementptr i8, ptr %kept, i64 16
  %has = load i32, ptr %has_place
  %is_there = icmp ne i32 %has, 0
  br i1 %is_there, label %old, label %new
old:
  %number = load double, ptr %number_place
  store i32 0, ptr %has_place
  store double 0.0, ptr %number_place
  ret double %number
new:
  %stream = load ptr, ptr %kept
{drawn}  store double %kept_one, ptr %number_place
  store i32 1, ptr %has_place
  ret double %found
}}"""


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
    "old_normal": _with_kept(
        "old_normal",
        """\
  br label %again
again:
  %u = call double @ag_draw_double(ptr %stream)
  %v = call double @ag_draw_double(ptr %stream)
  %u2 = fmul double %u, 2.0
  %v2 = fmul double %v, 2.0
  %x = fsub double %u2, 1.0
  %y = fsub double %v2, 1.0
  %xx = fmul double %x, %x
  %yy = fmul double %y, %y
  %r = fadd double %xx, %yy
  %inside = fcmp olt double %r, 1.0
  %outside_zero = fcmp one double %r, 0.0
  %fits = and i1 %inside, %outside_zero
  br i1 %fits, label %fitting, label %again
fitting:
  %log = load ptr, ptr @ag_c_log.at
  %logarithm = call double %log(double %r)
  %scaled = fmul double %logarithm, -2.0
  %square = fdiv double %scaled, %r
  %f = call double @llvm.sqrt.f64(double %square)
  %kept_one = fmul double %f, %x
  %found = fmul double %f, %y
""",
    ),
    "old_normals": """
define internal double @ag_draw_old_normals(ptr %kept, double %mean, double %deviation) {
  %z = call double @ag_draw_old_normal(ptr %kept)
  %part = fmul double %deviation, %z
  %found = fadd double %mean, %part
  ret double %found
}""",
    "old_seed": """
define internal i64 @ag_draw_old_seed(ptr %kept, i64 %seed) {
start:
  %has_place = getelementptr i8, ptr %kept, i64 8
  %number_place = getelementptr i8, ptr %kept, i64 16
  store i32 0, ptr %has_place
  store double 0.0, ptr %number_place
  %stream = load ptr, ptr %kept
  %words = load ptr, ptr %stream
  %first = trunc i64 %seed to i32
  call void @ag_twister_words(ptr %words, i32 %first)
  %place = getelementptr i32, ptr %words, i64 624
  store i32 624, ptr %place
  ret i64 0
}""",
    "twister_gauss": _with_kept(
        "twister_gauss",
        """\
  %u = call double @ag_draw_twister_double(ptr %stream)
  %v = call double @ag_draw_twister_double(ptr %stream)
  %angle = fmul double %u, 0x401921FB54442D18
  %w = fsub double 1.0, %v
  %log = load ptr, ptr @ag_c_log.at
  %logarithm = call double %log(double %w)
  %square = fmul double %logarithm, -2.0
  %radius = call double @llvm.sqrt.f64(double %square)
  %cos = load ptr, ptr @ag_c_cos.at
  %x = call double %cos(double %angle)
  %sin = load ptr, ptr @ag_c_sin.at
  %y = call double %sin(double %angle)
  %found = fmul double %x, %radius
  %kept_one = fmul double %y, %radius
""",
    ),
    "twister_normal": """
define internal double @ag_draw_twister_normal(ptr %stream) {
start:
  br label %again
again:
  %u = call double @ag_draw_twister_double(ptr %stream)
  %second = call double @ag_draw_twister_double(ptr %stream)
  %v = fsub double 1.0, %second
  %middle = fsub double %u, 0.5
  %scaled = fmul double %middle, KINDERMAN
  %z = fdiv double %scaled, %v
  %zz = fmul double %z, %z
  %quarter = fdiv double %zz, 4.0
  %log = load ptr, ptr @ag_c_log.at
  %logarithm = call double %log(double %v)
  %most = fneg double %logarithm
  %fits = fcmp ole double %quarter, %most
  br i1 %fits, label %end, label %again
end:
  ret double %z
}""".replace("KINDERMAN", number_text(KINDERMAN, float64)),
    "twister_log": """
define internal double @ag_draw_twister_log(ptr %stream) {
  %u = call double @ag_draw_twister_double(ptr %stream)
  %v = fsub double 1.0, %u
  %log = load ptr, ptr @ag_c_log.at
  %logarithm = call double %log(double %v)
  %found = fneg double %logarithm
  ret double %found
}""",
    "pcg64_double": philox.double_of("pcg64"),
    "twister_seed": """
define internal i64 @ag_draw_twister_seed(ptr %kept, i64 %seed) {
start:
  %has_place = getelementptr i8, ptr %kept, i64 8
  store i32 0, ptr %has_place
  %stream = load ptr, ptr %kept
  store i32 624, ptr %stream
  %words = getelementptr i32, ptr %stream, i64 1
  call void @ag_twister_words(ptr %words, i32 19650218)
  %low = trunc i64 %seed to i32
  %above = lshr i64 %seed, 32
  %high = trunc i64 %above to i32
  %is_long = icmp ne i32 %high, 0
  br label %mix
mix:
  %k = phi i64 [ 624, %start ], [ %left, %mix ]
  %i = phi i64 [ 1, %start ], [ %next_i, %mix ]
  %j = phi i32 [ 0, %start ], [ %next_j, %mix ]
  %before = sub i64 %i, 1
  %before_slot = getelementptr i32, ptr %words, i64 %before
  %slot = getelementptr i32, ptr %words, i64 %i
  %previous = load i32, ptr %before_slot
  %own = load i32, ptr %slot
  %top = lshr i32 %previous, 30
  %folded = xor i32 %previous, %top
  %product = mul i32 %folded, 1664525
  %mixed = xor i32 %own, %product
  %is_second = icmp eq i32 %j, 1
  %key = select i1 %is_second, i32 %high, i32 %low
  %with_key = add i32 %mixed, %key
  %new = add i32 %with_key, %j
  store i32 %new, ptr %slot
  %next_i = call i64 @ag_twister_turn(ptr %words, i64 %i)
  %flipped = xor i32 %j, 1
  %next_j = select i1 %is_long, i32 %flipped, i32 0
  %left = sub i64 %k, 1
  %more = icmp ne i64 %left, 0
  br i1 %more, label %mix, label %unmix
unmix:
  %k2 = phi i64 [ 623, %mix ], [ %left2, %unmix ]
  %i2 = phi i64 [ %next_i, %mix ], [ %next_i2, %unmix ]
  %before2 = sub i64 %i2, 1
  %before_slot2 = getelementptr i32, ptr %words, i64 %before2
  %slot2 = getelementptr i32, ptr %words, i64 %i2
  %previous2 = load i32, ptr %before_slot2
  %own2 = load i32, ptr %slot2
  %top2 = lshr i32 %previous2, 30
  %folded2 = xor i32 %previous2, %top2
  %product2 = mul i32 %folded2, 1566083941
  %mixed2 = xor i32 %own2, %product2
  %number2 = trunc i64 %i2 to i32
  %new2 = sub i32 %mixed2, %number2
  store i32 %new2, ptr %slot2
  %next_i2 = call i64 @ag_twister_turn(ptr %words, i64 %i2)
  %left2 = sub i64 %k2, 1
  %more2 = icmp ne i64 %left2, 0
  br i1 %more2, label %unmix, label %end
end:
  store i32 -2147483648, ptr %words
  ret i64 0
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

define internal void @ag_twister_words(ptr %words, i32 %seed) noinline {
start:
  br label %turn
turn:
  %i = phi i64 [ 0, %start ], [ %after, %turn ]
  %word = phi i32 [ %seed, %start ], [ %next, %turn ]
  %slot = getelementptr i32, ptr %words, i64 %i
  store i32 %word, ptr %slot
  %after = add i64 %i, 1
  %top = lshr i32 %word, 30
  %folded = xor i32 %word, %top
  %product = mul i32 %folded, 1812433253
  %number = trunc i64 %after to i32
  %next = add i32 %product, %number
  %is_last = icmp eq i64 %after, 624
  br i1 %is_last, label %end, label %turn
end:
  ret void
}

define internal i64 @ag_twister_turn(ptr %words, i64 %i) {
  %after = add i64 %i, 1
  %is_last = icmp eq i64 %after, 624
  br i1 %is_last, label %wrap, label %on
wrap:
  %last_slot = getelementptr i32, ptr %words, i64 623
  %last = load i32, ptr %last_slot
  store i32 %last, ptr %words
  ret i64 1
on:
  ret i64 %after
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


_PCG64 = f"""
define internal i64 @ag_pcg64(ptr %stream) alwaysinline {{
  %state = load ptr, ptr %stream
  %words = load ptr, ptr %state
  %step_place = getelementptr i8, ptr %words, i64 16
  %old = load i128, ptr %words, align 16
  %step = load i128, ptr %step_place, align 16
  %product = mul i128 %old, {MULTIPLIER}
  %new = add i128 %product, %step
  store i128 %new, ptr %words, align 16
  %above = lshr i128 %new, 64
  %high = trunc i128 %above to i64
  %low = trunc i128 %new to i64
  %mixed = xor i64 %high, %low
  %turn = lshr i64 %high, 58
  %found = call i64 @llvm.fshr.i64(i64 %mixed, i64 %mixed, i64 %turn)
  ret i64 %found
}}

declare i64 @llvm.fshr.i64(i64, i64, i64)"""
"""A step of a `PCG64`."""


_TAKEN = """\
  %state = load ptr, ptr %stream
  %words = load ptr, ptr %state
  %before = load i128, ptr %words, align 16
  %word = call i64 @ag_pcg64(ptr %stream)"""
_PUT_BACK = "  store i128 %before, ptr %words, align 16"
"""A word of a `PCG64` is drawn, and is the next one again."""


def _of_strips(
    function: str, table: str, call: str, at_strip: int, at_place: int, bits: int, sign: int | None
) -> str:
    """A number of a ziggurat; one that is not surely inside is drawn by NumPy, from the same word."""
    is_pcg64 = function.startswith("pcg64")
    taken, put_back = (_TAKEN, _PUT_BACK) if is_pcg64 else (philox.TAKEN, philox.PUT_BACK)
    turned = ""
    if sign is not None:
        turned = f"""
  %sign_shifted = shl i64 %word, {63 - sign}
  %sign = and i64 %sign_shifted, -9223372036854775808
  %bits = bitcast double %product to i64
  %with_sign = xor i64 %bits, %sign
  %number = bitcast i64 %with_sign to double"""
    found = "%product" if sign is None else "%number"
    return f"""define internal double @{name_of_draw(function)}(ptr %stream) {{
{taken}
  %at = lshr i64 %word, {at_strip}
  %strip = and i64 %at, 255
  %above = lshr i64 %word, {at_place}
  %place = and i64 %above, {2**bits - 1}
  %table = load ptr, ptr @ag_c_{table}.at, !invariant.load !9000
  %width_place = getelementptr double, ptr %table, i64 %strip
  %width = load double, ptr %width_place, !invariant.load !9000
  %rest = getelementptr double, ptr %table, i64 256
  %inside_place = getelementptr i64, ptr %rest, i64 %strip
  %inside = load i64, ptr %inside_place, !invariant.load !9000
  %whole = sitofp i64 %place to double
  %product = fmul double %whole, %width{turned}
  %is_inside = icmp ult i64 %place, %inside
  br i1 %is_inside, label %at_once, label %seldom
seldom:
{put_back}
  %draw = load ptr, ptr @ag_c_{call}.at
  %drawn = call double %draw(ptr %stream)
  ret double %drawn
at_once:
  ret double {found}
}}"""


_ZIGGURATS: Mapping[str, tuple[str, str, int, int, int, int | None]] = {
    f"{bits}_{name}": form
    for bits in ("pcg64", "philox")
    for name, form in {
        "normal": ("normal_strips", "random_standard_normal", 0, 9, 52, 8),
        "exponential": ("exponential_strips", "random_standard_exponential", 3, 11, 53, None),
    }.items()
}
"""Their tables, the C functions, and which bits of a word say the strip, the place in it, and the sign."""
_NEEDS = {
    "old_normal": ("double",),
    "old_normals": ("old_normal",),
    "twister_below": ("twister_bits",),
    "twister_gauss": ("twister_double",),
    "twister_normal": ("twister_double",),
    "twister_log": ("twister_double",),
}
"""The ways to draw that others are made of."""


def _seeding() -> str:
    """A `PCG64` in new memory, with the C functions of another, in the state in which a seed has it.

    The memory is that of its interface, of where its words are and what is left of one, and of the words,
    which begin where 16 divides.
    """
    lines: list[str] = []

    def value(text: str) -> str:
        lines.append(f"  %v{len(lines)} = {text}")
        return f"%v{len(lines) - 1}"

    def folded(word: str) -> str:
        return value(f"xor i32 {word}, {value(f'lshr i32 {word}, 16')}")

    def hashed(word: str, before: int, after: int) -> str:
        return folded(value(f"mul i32 {value(f'xor i32 {word}, {before}')}, {after}"))

    def mixed(one: str, other: str) -> str:
        pairs = zip((one, other), MIXED_BY, strict=True)
        left, right = [value(f"mul i32 {word}, {factor}") for word, factor in pairs]
        return folded(value(f"sub i32 {left}, {right}"))

    def joined(words: Sequence[str], kind: str, wide: str, bits: int) -> str:
        low, high = [value(f"zext {kind} {word} to {wide}") for word in words]
        return value(f"or {wide} {low}, {value(f'shl {wide} {high}, {bits}')}")

    low, high = value("trunc i64 %seed to i32"), value(f"trunc i64 {value('lshr i64 %seed, 32')} to i32")
    words = seeding_of_pcg64(hashed, mixed, [low, high, "0", "0"])
    high_state, low_state, high_step, low_step = [
        joined(words[at : at + 2], "i32", "i64", 32) for at in range(0, 8, 2)
    ]
    first = joined([low_state, high_state], "i64", "i128", 64)
    sequence = joined([low_step, high_step], "i64", "i128", 64)
    step = value(f"or i128 {value(f'shl i128 {sequence}, 1')}, 1")
    product = value(f"mul i128 {value(f'add i128 {step}, {first}')}, {MULTIPLIER}")
    state = value(f"add i128 {product}, {step}")
    body = "\n".join(lines)
    return f"""define internal i64 @ag_draw_pcg64_made(ptr %memory, i64 %seed) noinline {{
{body}
  %other = load ptr, ptr @ag_c_pcg64.at
  call void @llvm.memcpy.p0.p0.i64(ptr %memory, ptr %other, i64 40, i1 false)
  %place = getelementptr i8, ptr %memory, i64 40
  store ptr %place, ptr %memory
  %behind = ptrtoint ptr %place to i64
  %next = add i64 %behind, 31
  %even = and i64 %next, -16
  %words = inttoptr i64 %even to ptr
  store ptr %words, ptr %place
  %rest = getelementptr i8, ptr %memory, i64 48
  store i64 0, ptr %rest
  store i128 {state}, ptr %words, align 16
  %steps = getelementptr i8, ptr %words, i64 16
  store i128 {step}, ptr %steps, align 16
  ret i64 0
}}"""


def calls_of_draws(functions: Iterable[str]) -> dict[str, str]:
    """The functions in C that ways to draw call, by the symbols that say where they are."""
    return {f"ag_c_{name}.at": name for each in functions for name in DRAWS[each].calls}


def draws_text(functions: Iterable[str]) -> list[str]:
    """The functions that draw, with all that they call."""
    names, pending = dict[str, None](), [*functions]
    while pending:
        name = pending.pop()
        names[name] = None
        pending += _NEEDS.get(name, ())
    texts = [f"@{symbol} = global ptr null" for symbol in calls_of_draws(functions)]
    texts += [_text(each) for each in names]
    if any(each.startswith("twister") or each == "old_seed" for each in names):
        texts += ["declare i64 @llvm.ctlz.i64(i64, i1)", _TWISTER]
    if any(each.startswith("pcg64") and each != "pcg64_made" for each in names):
        texts.append(_PCG64)
    if any(each.startswith("philox") for each in names):
        texts.append(philox.PHILOX)
    if any(each in _ZIGGURATS for each in names):
        texts.append("!9000 = !{}")  # which says of tables that they stay as they are
    if any(each.endswith("_made") for each in names):
        texts.append("declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)")
    if any(each in {"old_normal", "twister_gauss"} for each in names):
        texts.append("declare double @llvm.sqrt.f64(double)")
    return texts


def _text(function: str) -> str:
    if function == "pcg64_made":
        return _seeding()
    if function in _ZIGGURATS:
        return _of_strips(function, *_ZIGGURATS[function])
    own = _OWN.get(function, philox.WAYS.get(function))
    return _of_numpy(function) if own is None else own


def _of_numpy(function: str) -> str:
    """A call of a C function of NumPy's."""
    draws = DRAWS[function]
    gives, (call,) = in_register(draws.gives), draws.calls
    taken = [f"{in_register(dtype)} %x{index}" for index, dtype in enumerate(draws.takes)]
    given = ", ".join(["ptr %stream", *taken])
    head = f"""define internal {gives} @{name_of_draw(function)}({given}) {{
  %draw = load ptr, ptr @ag_c_{call}.at"""
    if call == "random_bounded_uint64_fill":
        is_masked = int(function == "masked")
        return f"""{head}
  %place = alloca i64
  call void %draw({given}, i64 1, i1 zeroext {is_masked}, ptr %place)
  %found = load i64, ptr %place
  ret i64 %found
}}"""
    if function == "binomial":  # which remembers the last distribution there
        return f"""{head}
  %memory = alloca [{BINOMIAL} x i8], align 16
  call void @llvm.memset.p0.i64(ptr %memory, i8 0, i64 {BINOMIAL}, i1 false)
  %found = call i64 %draw({given}, ptr %memory)
  ret i64 %found
}}"""
    return f"{head}\n  %found = call {gives} %draw({given})\n  ret {gives} %found\n}}"
