"""Statements that any program may have: branches, loops, `try`, functions within, and jumps out of them."""

from tests.properties.constructs.construct import Construct, written

__all__ = ["CONTROL", "JUMPS"]

CONTROL: dict[str, Construct] = {
    "number": Construct(
        forms=("s = $F", "s += $F", "k = $I", "k += $I"),
    ),
    "if": Construct(
        forms=written("""
            if $T:
                $block

            if $T:
                $block
            else:
                $block

            if $T:
                $block
            elif $T:
                $block
            else:
                $block

            if (y := $F) > $F:
                s += y
                $block
        """),
        weight=3,
    ),
    "range": Construct(
        forms=written("""
            for $i in range(n):
                $loop

            for $i in range(3):
                $loop

            for $i in range($I % 5):
                $loop

            for $i in range($I % 5):
                $loop
            else:
                $block
        """),
    ),
    "each": Construct(
        forms=written("""
            for s in x:
                $loop

            for $i, s in enumerate(x[:$I]):
                $loop
        """),
    ),
    "while": Construct(
        forms=written("""
            $c = $I % 5
            while $c > 0:
                $c -= 1
                $loop

            $c = $I % 5
            while $c > 0 and $T:
                $c -= 1
                $loop

            $c = $I % 5
            while $c > 0 and $T:
                $c -= 1
                $loop
            else:
                $block

            $c = $I % 5
            while True:
                $c -= 1
                if $c < 0 or $T:
                    break
                $loop
        """),
    ),
    "generator": Construct(
        forms=written("""
            for $i in halves($I % 9):
                $loop

            for $i in halves($I % 9):
                $loop
            else:
                $block
        """),
        around="""\
def halves(value):
    while value > 0:
        value = value // 2
        yield value
""",
    ),
    "falls": Construct(
        forms=written("""
            $d = Falling($I % 5)
            while $d.falls():
                $loop
        """),
        around="""\
class Falling:
    def __init__(self, left):
        self.left = left

    def falls(self):
        self.left -= 1
        return self.left >= 0
""",
    ),
    "try": Construct(
        forms=written("""
            try:
                $block
                if $T:
                    raise ValueError('no')
            except ValueError:
                $block

            try:
                $block
                if $T:
                    raise ValueError('no')
                $block
            except ValueError:
                $block

            try:
                $block
                k = 6 // int(k)
            except ZeroDivisionError:
                $block
            else:
                $block

            try:
                $block
                if $T:
                    raise KeyError($I)
                $block
            except ZeroDivisionError:
                $block
            except (ValueError, LookupError) as error:
                k += len(error.args)
                $block
            else:
                $block
            finally:
                $quiet
        """),
    ),
    "finally": Construct(
        forms=written("""
            try:
                $block
            finally:
                $quiet

            try:
                $block
            finally:
                $block
        """),
    ),
    "match": Construct(
        forms=written("""
            match $I % 3:
                case 0:
                    $block
                case _:
                    $block

            match $I % 3:
                case 0 | 1:
                    $block
                case $m if $m > $I:
                    k = $m

            match ($I, $T):
                case (0, _):
                    $block
                case ($m, True):
                    k += $m
                    $block
        """),
    ),
    "function": Construct(
        forms=written("""
            def $f():
                $shared
                $body
            $f()

            def $f():
                $shared
                $body
            $f()
            $f()
        """),
    ),
    "yields": Construct(
        forms=written("""
            def $f():
                $shared
                $generator
                yield s
            for $e in $f():
                s += $e * 0.5
                $loop

            def $f(by):
                $shared
                yield by
                $generator
            s += sum($f($F), 0.0)
        """),
    ),
    "with": Construct(
        forms=written("""
            with Level($F) as $g:
                s += $g
                $block

            with Level($F):
                $block
                if $T:
                    raise KeyError('no')
                $block
        """),
        around="""\
class Level:
    def __init__(self, by):
        self.by = by

    def __enter__(self):
        return self.by

    def __exit__(self, kind, error, trace):
        self.by = 0.0
        return kind is not None and issubclass(kind, KeyError)
""",
    ),
}
"""Those that are always there. The first is no idea's, and not compound."""

JUMPS: dict[str, Construct] = {
    "return": Construct(
        forms=written("""
            return $result

            if $T:
                return $result
        """),
    ),
    "raise": Construct(
        forms=written("""
            if $T:
                raise ValueError($I)

            if $T:
                raise KeyError('no')
        """),
    ),
    "break": Construct(
        forms=written("""
            if $T:
                break

            if $T:
                break

            break
        """),
    ),
    "continue": Construct(
        forms=written("""
            if $T:
                continue

            if $T:
                continue

            continue
        """),
    ),
    "yield": Construct(
        weight=4,
        forms=written("""
            yield $F

            s = (yield $I) or $F

            yield from (s, $F)

            if $T:
                return $F
        """),
    ),
}
"""Those that end a block, or hand a value out of it; where each may stand is Python's rule."""
