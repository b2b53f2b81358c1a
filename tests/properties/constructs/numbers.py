"""Numbers alone: whole ones, those that are bound on some paths only, functions of numbers, long loops."""

from tests.properties.constructs.construct import Construct

__all__ = ["IDEAS"]

IDEAS: dict[str, Construct] = {
    "integers": Construct(
        names={"Num": ("one", "two", "three")},
        setup=("one, two, three = 0, 1, n",),
        forms=(
            "$Num = $I % 1009",
            "$Num += $I % 7",
            "$Num -= $I % 7",
            "$Num1, $Num2 = $Num2, $Num1",
            "(one, two), three = (three, $I % 1009), one",
            "$Num = $I % 1009 if $T else $Num",
        ),
        ints=("$Num", "$Num", "($I - $I)", "($I * $I % 1009)", "$I // $E", "$I % $E", "abs($I)"),
        tests=("$I < $I <= $I", "$I != $I"),
        more={"E": ("2", "3", "5", "7")},
        results=("one", "two", "three"),
    ),
    "unbound": Construct(
        names={},
        setup=("least = None", "if n > 3:\n    late = v"),
        forms=(
            "if $T:\n    late = $F",
            "if $T:\n    s = late * 0.5",
            "least = $F",
            "least = None",
            "if least is None or least > $F:\n    least = $F",
            "if $T:\n    del late",
            "try:\n    s += late\nexcept NameError:\n    late = $F",
        ),
        floats=("(s if least is None else least)",),
        tests=("least is None", "least is not None and least > $F"),
        results=("least",),
    ),
    "functions": Construct(
        setup=("numbers = [1, 2, 3]",),
        forms=(
            "s = clipped($F, $F)",
            "s = (lambda p, q=s: (p - q) * 0.5)($F)",
            "k = (lambda *p, e=1: (p[0] + k * e) % 9)($I, e=$I)",
            "s = sum(map(lambda p: p + $F, x), 0.0)",
            "k = sum([e % 7 for e in numbers if e > $I])",
            "numbers = [(e + $I) % 99 for e in numbers[:4]]",
            "k = max((e - k for e in numbers), default=$I) % 9",
            "k = 1 if any(e > $I for e in numbers) else 0",
            "numbers = sorted(numbers, reverse=True)",
            "k = sum(e * i % 5 for e, i in zip(numbers, range($I % 4)))",
            "numbers.append($I % 99)",
        ),
        floats=("clipped($F, 2.0)",),
        ints=("numbers[0]", "len(numbers)", "max(numbers)"),
        around="""\
def clipped(value, most):
    if value > most:
        return most
    if value < -most:
        return -most
    return value
""",
        results=("numbers",),
    ),
    "turns": Construct(
        arguments={"whole": "np.int64(7)", "small": "np.arange(3, dtype=np.float32)"},
        setup=(
            "last, half, best, odd = 1, 0.5, 0, True",
            "filled, plane, shifted = np.zeros(4), np.ones((4, 3)), x + 1",
            "line, pack, sums, log = plane[0], [x * 1, 2], {'n': 0, 'x': x}, []",
            "carry, couple = Carry(), (s, 0)",
        ),
        forms=(
            "for $i in range(9):\n    $loop",
            "for $i in range(2, 12):\n    $loop",
            "for $i in range(20, 0, -3):\n    $loop",
            "for $i in range(len(x)):\n    $loop",
            "for $i in range(1, 40, 4):\n    $loop",
            "x = x * $E + $Y",
            "s = s + x[$Y % 4] * $Y",
            "k += $E",
            "k, last = last, k",
            "last = $Known",
            "half = $Y * 0.5 - $E",
            "half = half * 0.5",
            "filled[$Known % 4] = s + $Y",
            "filled[$Known % 4] += x[$J]",
            "filled += $Y",
            "shifted, x = x, shifted",
            "line = plane[$Known % 4]",
            "line = plane[$Known % 4]; line[1] = s; line += $Y",
            "pack[0] = pack[0] + $Y",
            "pack[1] += $E",
            "sums['n'] += $E; sums['x'] = sums['x'] * 0.5 + $Y",
            "carry.n += $E; carry.v = carry.v + s",
            "couple = (couple[0] + x[0], couple[1] + $E)",
            "best = $Known % 4 if x[$Known % 4] > x[best] else best",
            "print('turn', $Known, k, half)",
            "whole = whole + $Known",
            "whole = (whole * 3 + $Known) % 1000",
            "small = small + np.float32($E) * $Y",
            "log.append($Known)",
            "odd = not odd",
            "x = np.sin(x) + math.cos($Y)",
            "s = s + $Known // $E + $Known % $E - abs($Y)",
            "if $Y > $E:\n    $block",
            "if s > $Y:\n    $block\nelse:\n    $block",
            "while s > 100.0:\n    s = s * 0.5\n    $loop",
        ),
        more={
            "E": ("1", "2", "3", "4"),
            "Y": (
                "$Known",
                "last",
                "$Known + 1",
                "2 * $Known - 3",
                "-$Known",
                "half",
                "3",
                "$Known * 5 + last",
                "$Known ** 2",
            ),
        },
        around="""\
class Carry:
    def __init__(self):
        self.n, self.v = 0, 0.0
""",
        results=(
            *("x", "last", "half", "best", "odd", "filled", "plane", "shifted", "couple", "whole", "small"),
            *("pack", "sums", "carry.n", "carry.v", "log"),
        ),
    ),
}
