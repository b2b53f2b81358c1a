"""What runs as Python where a graph is built, and is converted all the same: values of all types, classes.

Many of these programs fail somewhere, and then both ways of running them have to fail alike.
"""

from tests.properties.constructs.construct import Construct, written

__all__ = ["CONTROL", "IDEAS"]

PRELUDE = """\
import re

notes = []

class Fault(Exception):
    pass

class Manager:
    def __init__(self, name, swallow=()):
        self.name, self.swallow = name, swallow
    def __enter__(self):
        note(self.name, "in")
        return self.name
    def __exit__(self, kind, error, trace):
        note(self.name, "out", kind and kind.__name__)
        return kind is not None and issubclass(kind, self.swallow)

class Kit:
    __match_args__ = ("p",)
    def __init__(self, p):
        self.p = p
    def add(self, n=1, *more, key=0):
        self.p = self.p + n + len(more) + key
        return self.p

def note(*values):
    notes.append(re.sub(" at 0x[0-9a-f]+", "", repr(values)))
    return values[0]

def fail(n):
    if n % 2:
        raise Fault(n)
    return n
"""

IDEAS: dict[str, Construct] = {
    "values": Construct(
        names={"U": ("ua", "ub", "uc")},
        setup=("kept = []", ("ua, ub, uc = 3, None, 4", "ua, uc = 1, -2"), ("ub = 0", "ub = 2; del ub")),
        forms=(
            *("$U = $W",) * 4,
            "note($W)",
            "note($W)",
            "$U = $U = $W",
            "$U, $U = $W, $W",
            "$U, *$U = $X",
            "[$U, ($U, _)] = $W, (1, 2)",
            "$U += $W",
            "$U -= 1",
            "$U //= $W",
            "$b: int = $W",
            "del $U",
            "($U := $W)",
            "pass",
            "assert $C, note($W)",
            "$b = Kit($W); $b.p += $W; note($b.add(2, key=1))",
            "$b = [1, 2, [3, 4]]; $b[$J] = $W; note($b)",
            "$b = [1, [2, 3]]; $b[1][$W % 2] += $W; note($b)",
            "$b = {}; $b['k'] = $W; $b[$U] = 1; note($b)",
            "$b = []; $b.append($W); note($b); note($b.pop())",
            "$b = [1, 2, 3]; del $b[$J], $b[0]; note($b)",
            "import math as $b; note($b.floor($W))",
            "$b: int",
        ),
        more={
            "W": (
                *("$U", "$U", "1", "0", "2", "-1", "None", "k", "note(1)"),
                *("($W + $W)", "($W - $W)", "($W * $W)", "($W // 3)", "($W % 2)"),
                *("($W if $C else $W)", "($W and $W)", "($W or $W and $U)", "(not $W)"),
                *("note($W)", "fail($W)", "max($W, $W)", "(lambda p, q=$W: p - q)($W)"),
                *("sum([i for i in $X if i > $W])", "[i for i in $X for j in [i, $W] if i]"),
                *("{i: $W for i in $X}", "len(f'{$U!r:>{5}}{1 + 1}')", "[$W, *$X][$J]", "$X[$B:]"),
                *("(lambda *l, **k: len(l) + len(k))(*$X, **{'k': $W})", "Kit($W).add($W, *[1], key=2)"),
                *("($U := $W)", "[($U := i) for i in [1, $W]]", "($W and ($U := $W))"),
                *("(($U := $W) if $W else $U)", "[lambda: ($U, i) for i in range(2)][0]()"),
            ),
            "X": ("[1, 2, 3]", "[]", "(4, 0)", "[$U, 1]", "[0, *kept]", "sorted({3, 1})"),
            "C": (
                *(
                    "$U",
                    "k == 2",
                    "$W < $W",
                    "$W == $W",
                    "$W",
                    "$W < $W <= $W",
                    "not $C",
                    "($C and $C)",
                    "($C or $C)",
                ),
                *(
                    "$W is None",
                    "$W is not None",
                    "$W in $X",
                    "$W not in $X",
                    "note($W) == note($W) != note(1)",
                ),
            ),
        },
        around=PRELUDE,
        results=("ua", "ub", "uc", "kept"),
    )
}

CONTROL: dict[str, Construct] = {
    "if value": Construct(
        forms=written("""
            if $C:
                $block

            if $C:
                $block
            else:
                $block

            if $C:
                $block
            elif $C:
                $block
            else:
                $block
        """),
        weight=2,
    ),
    "for value": Construct(
        forms=written("""
            for $U in $X:
                $loop

            for $U in range($J + 1):
                $loop
            else:
                $block

            for $U, $U in enumerate($X):
                $loop

            for $U, *_ in zip([1, 2], $X):
                $loop
            else:
                $block

            for $U in (note(i) for i in $X):
                $loop
        """),
    ),
    "while value": Construct(
        forms=written("""
            $c = 3
            while $c > 0 and $C:
                $c -= 1
                $loop

            $c = 2
            while ($c := $c - 1) >= 0:
                $loop
            else:
                $block

            $c = 3
            while $c > 0 and ($U := $c) != $B:
                $c -= 1
                $loop
        """),
    ),
    "handlers": Construct(
        forms=written("""
            try:
                $block
            except NameError:
                $block

            try:
                $block
                fail($W)
            except (ValueError, TypeError) as ua:
                $block
            except Fault as $e:
                note($e)
                $block

            try:
                $block
            except Exception as $e:
                note($e)
                $block
                raise
            else:
                $block

            try:
                $block
                raise Fault($W) from KeyError(1)
            except Fault:
                $block
                raise ValueError($W) from None
            finally:
                $block

            try:
                $block
                raise Fault($W)
            except Exception:
                note(2)
            finally:
                $block
        """),
    ),
    "groups": Construct(
        forms=written("""
            try:
                fail($W)
            except* Fault as $e:
                note($e)

            try:
                raise ExceptionGroup('g', [Fault(1), ValueError($W)])
            except* Fault:
                $quiet
            except* (ValueError, TypeError) as $e:
                note($e)
            else:
                $block
        """),
    ),
    "managers": Construct(
        forms=written("""
            with Manager('m'):
                $block

            with Manager('m', Fault) as $U:
                $block
                fail($W)

            with Manager('m'), Manager('n', Exception) as $U:
                $block
                raise ValueError($W)
        """),
    ),
    "patterns": Construct(
        forms=written("""
            match $W:
                case 0 | 1:
                    $block
                case None | True:
                    $block
                case int($U) if $C:
                    $block

            match $X:
                case []:
                    $block
                case (1, _) | [_, 1]:
                    $block
                case [$U, *_]:
                    $block

            match Kit($W):
                case Kit(p=0 as $U):
                    $block
                case Kit($U):
                    $block

            match {'k': $W}:
                case {'k': -1}:
                    $block
                case {'k': $U, **others}:
                    $block
        """),
    ),
    "definition": Construct(
        forms=written("""
            def $f(by=1):
                $shared
                $body
                return by
            kept.append($f)

            @note
            def $f(by=$W, *, key=2):
                $shared
                $body
                return by, key
            note($f())

            def $f(by=1, /, *more):
                $body
                return $W
            kept.append($f)
            note($f($W, 2))

            def $f(by=1):
                $shared
                $generator
                note((yield by))
                yield from $X
            note([*$f()])
        """),
    ),
    "class": Construct(
        forms=written("""
            class $g:
                $class
                def __init__(self, p):
                    self.__p = self.p = $W
                def get(self):
                    return self.__p if self.p else __class__.__name__
            note($g($W).get())

            class $g(Kit):
                $class
                def get(self):
                    $body
                    return super().add(key=$W)
            note($g($W).get())
        """),
    ),
}
"""Statements that are there where an idea of this file is."""
