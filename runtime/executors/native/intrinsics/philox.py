"""Philox, the bits behind keys, in LLVM's code: a generator in memory of the run (`randomness.philox`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from runtime.executors.native.randomness.philox import BUMPS, MULTIPLIERS, ROUNDS, Place

__all__ = ["PHILOX", "PUT_BACK", "TAKEN", "WAYS"]

TAKEN = "  %word = call i64 @ag_philox(ptr %stream)"
"""A word is drawn."""
PUT_BACK = f"""\
  %used_place = getelementptr i64, ptr %stream, i64 {Place.USED}
  %used = load i32, ptr %used_place
  %fewer = sub i32 %used, 1
  store i32 %fewer, ptr %used_place"""
"""It is the next one again."""


class _Lines:
    """Lines of LLVM's text in the making."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def value(self, text: str) -> str:
        name = f"%v{len(self.lines)}"
        self.lines.append(f"  {name} = {text}")
        return name

    def place(self, word: int) -> str:
        return self.value(f"getelementptr i64, ptr %stream, i64 {word}")

    def load(self, word: int) -> str:
        return self.value(f"load i64, ptr {self.place(word)}")

    def store(self, word: int, value: str, kind: str = "i64") -> None:
        place = self.place(word)
        self.lines.append(f"  store {kind} {value}, ptr {place}")

    def product(self, factor: int, word: str) -> tuple[str, str]:
        """The upper and the lower half of a product."""
        wide = self.value(f"zext i64 {word} to i128")
        product = self.value(f"mul i128 {wide}, {factor}")
        above = self.value(f"lshr i128 {product}, 64")
        return self.value(f"trunc i128 {above} to i64"), self.value(f"trunc i128 {product} to i64")

    def mixed(self, *words: str) -> str:
        found, *others = words
        for each in others:
            found = self.value(f"xor i64 {found}, {each}")
        return found

    def function(self, head: str, *last: str) -> str:
        return "\n".join([f"{head} {{", *self.lines, *last, "}"])


def _next_block() -> str:
    """The block after the last one: counters are numbers of 256 bits."""
    code = _Lines()
    counter, carry = list[str](), "1"
    for at in range(4):
        counter.append(code.value(f"add i64 {code.load(Place.COUNTER + at)}, {carry}"))
        code.store(Place.COUNTER + at, counter[at])
        is_over = code.value(f"icmp eq i64 {counter[at]}, 0")
        carry = code.value(f"select i1 {is_over}, i64 {carry}, i64 0")
    key, words = [code.load(Place.KEY + at) for at in range(2)], counter
    for _ in range(ROUNDS):
        (high, low), (other_high, other_low) = [
            code.product(factor, word) for factor, word in zip(MULTIPLIERS, words[::2], strict=True)
        ]
        words = [
            code.mixed(other_high, words[1], key[0]),
            other_low,
            code.mixed(high, words[3], key[1]),
            low,
        ]
        key = [code.value(f"add i64 {word}, {bump}") for word, bump in zip(key, BUMPS, strict=True)]
    for at, word in enumerate(words):
        code.store(Place.BLOCK + at, word)
    return code.function("define internal void @ag_philox_block(ptr %stream) noinline", "  ret void")


PHILOX = f"""{_next_block()}

define internal i64 @ag_philox(ptr %stream) alwaysinline {{
start:
  %place = getelementptr i64, ptr %stream, i64 {Place.USED}
  %used = load i32, ptr %place
  %is_over = icmp uge i32 %used, 4
  br i1 %is_over, label %anew, label %next
anew:
  call void @ag_philox_block(ptr %stream)
  br label %next
next:
  %at = phi i32 [ %used, %start ], [ 0, %anew ]
  %behind = add i32 %at, 1
  store i32 %behind, ptr %place
  %index = zext i32 %at to i64
  %block = getelementptr i64, ptr %stream, i64 {Place.BLOCK}
  %slot = getelementptr i64, ptr %block, i64 %index
  %word = load i64, ptr %slot
  ret i64 %word
}}

define internal i32 @ag_philox_half(ptr %stream) alwaysinline {{
start:
  %has_place = getelementptr i64, ptr %stream, i64 {Place.HALF}
  %half_place = getelementptr i32, ptr %has_place, i64 1
  %has = load i32, ptr %has_place
  %is_there = icmp ne i32 %has, 0
  br i1 %is_there, label %old, label %new
old:
  %half = load i32, ptr %half_place
  store i32 0, ptr %has_place
  ret i32 %half
new:
  %word = call i64 @ag_philox(ptr %stream)
  %above = lshr i64 %word, 32
  %high = trunc i64 %above to i32
  %low = trunc i64 %word to i32
  store i32 1, ptr %has_place
  store i32 %high, ptr %half_place
  ret i32 %low
}}"""
"""The next word, and the next half of one: the lower half is first."""


def _begun() -> str:
    """A generator with a key, before some block."""
    code = _Lines()
    code.store(Place.USED, "4", "i32")
    code.store(Place.HALF, "0")
    for word, value in zip(range(Place.COUNTER, Place.KEY), ("%first", "0", "0", "%purpose"), strict=True):
        code.store(word, value)
    code.store(Place.KEY, "%one")
    code.store(Place.KEY + 1, "%other")
    head = (
        "define internal i64 @ag_draw_philox_at(ptr %stream, i64 %one, i64 %other, i64 %first, i64 %purpose)"
    )
    return code.function(head, "  ret i64 0")


def _made() -> str:
    """Memory of a generator, for NumPy's C functions: with those of another one."""
    code = _Lines()
    code.lines += [
        "  %other = load ptr, ptr @ag_c_philox.at",
        f"  call void @llvm.memcpy.p0.p0.i64(ptr %stream, ptr %other, i64 {8 * Place.STATE}, i1 false)",
    ]
    pairs: Sequence[tuple[int, int]] = (
        (0, Place.STATE),
        (Place.STATE, Place.COUNTER),
        (Place.KEY_AT, Place.KEY),
    )
    for place, at in pairs:
        code.store(place, code.place(at), "ptr")
    return code.function("define internal i64 @ag_draw_philox_made(ptr %stream)", "  ret i64 0")


def _bounded(bits: int, draw: str) -> str:
    """A whole number up to `%most`, which is below the largest of so many bits; as Lemire has it, 2019."""
    kind, wide = f"i{bits}", f"i{2 * bits}"
    return f"""
{kind}.some:
  %{kind}.most = {_cut("%most", "i64", kind)}
  %{kind}.count = add {kind} %{kind}.most, 1
  %{kind}.factor = zext {kind} %{kind}.count to {wide}
  br label %{kind}.draw
{kind}.draw:
  %{kind}.word = call {kind} @{draw}(ptr %stream)
  %{kind}.wide = zext {kind} %{kind}.word to {wide}
  %{kind}.product = mul {wide} %{kind}.wide, %{kind}.factor
  %{kind}.left = trunc {wide} %{kind}.product to {kind}
  %{kind}.above = lshr {wide} %{kind}.product, {bits}
  %{kind}.number = {_cut(f"%{kind}.above", wide, "i64")}
  %{kind}.is_unsure = icmp ult {kind} %{kind}.left, %{kind}.count
  br i1 %{kind}.is_unsure, label %{kind}.look, label %end
{kind}.look:
  %{kind}.rest = sub {kind} -1, %{kind}.most
  %{kind}.least = urem {kind} %{kind}.rest, %{kind}.count
  %{kind}.again = icmp ult {kind} %{kind}.left, %{kind}.least
  br i1 %{kind}.again, label %{kind}.draw, label %end"""


def _cut(value: str, kind: str, to: str) -> str:
    """The lower bits of a whole number."""
    return f"trunc {kind} {value} to {to}" if kind != to else f"add {kind} {value}, 0"


_BOUNDED = f"""
define internal i64 @ag_draw_philox_bounded(ptr %stream, i64 %low, i64 %most) {{
start:
  switch i64 %most, label %several [ i64 0, label %end
                                     i64 {2**32 - 1}, label %half
                                     i64 -1, label %whole ]
half:
  %any_half = call i32 @ag_philox_half(ptr %stream)
  %any_small = zext i32 %any_half to i64
  br label %end
whole:
  %any = call i64 @ag_philox(ptr %stream)
  br label %end
several:
  %is_small = icmp ult i64 %most, {2**32}
  br i1 %is_small, label %i32.some, label %i64.some
{_bounded(32, "ag_philox_half")}
{_bounded(64, "ag_philox")}
end:
  %number = phi i64 [ 0, %start ], [ %any_small, %half ], [ %any, %whole ],
                    [ %i32.number, %i32.draw ], [ %i32.number, %i32.look ],
                    [ %i64.number, %i64.draw ], [ %i64.number, %i64.look ]
  %found = add i64 %low, %number
  ret i64 %found
}}"""


def double_of(stream: str) -> str:
    """The way to draw a double from 0 up to 1, of the upper bits of the next word of a kind of stream."""
    return f"""
define internal double @ag_draw_{stream}_double(ptr %stream) {{
  %word = call i64 @ag_{stream}(ptr %stream)
  %bits = lshr i64 %word, 11
  %whole = sitofp i64 %bits to double
  %found = fmul double %whole, 0x3CA0000000000000
  ret double %found
}}"""


WAYS: Mapping[str, str] = {
    "philox_bounded": _BOUNDED,
    "philox_made": _made(),
    "philox_at": _begun(),
    "philox_word": """
define internal i64 @ag_draw_philox_word(ptr %stream) {
  %word = call i64 @ag_philox(ptr %stream)
  ret i64 %word
}""",
    "philox_double": double_of("philox"),
    "philox_float": """
define internal float @ag_draw_philox_float(ptr %stream) {
  %half = call i32 @ag_philox_half(ptr %stream)
  %bits = lshr i32 %half, 8
  %whole = sitofp i32 %bits to float
  %found = fmul float %whole, 0x3E70000000000000
  ret float %found
}""",
}
"""The ways to draw that need no more than its words."""
