"""What people write every day: keys of several parts, classes with a base, records, slices, made closures."""

from tests.properties.constructs.construct import Construct

__all__ = ["IDEAS"]

IDEAS: dict[str, Construct] = {
    "pairs as keys": Construct(
        names={"Cell": ("cells", "board")},
        setup=(
            "cells, spots = {(0, 0): 1.0, (1, 2): v}, {(0, 1)}",
            ("board = cells", "board = dict(cells)", "board = {(n % 3, 0): v}"),
        ),
        forms=(
            "$Cell[$I % 3, $J % 3] = $F",
            "$Cell[$I % 3, 0] = $Cell.get(($I % 3, 0), 0.0) + $F",
            "spots.add(($I % 3, $I % 3))",
            "spots.discard(($I % 3, 1))",
            "if ($I % 3, $I % 3) not in spots:\n    s += 1.0",
            "if ($I % 3, 0) in $Cell:\n    s += $Cell[$I % 3, 0] if ($I % 3, 0) in $Cell else $F",
            "for (p, q), each in $Cell.items():\n    s += each * p - q",
            "for p, q in sorted(spots):\n    k = (k + p * 2 + q) % 7",
            "$Cell = {key: each * 0.5 for key, each in $Cell.items() if key[0] <= $I}",
            "$Cell.setdefault(($I % 3, 0), $F)",
            "s += $Cell.pop(($I % 3, $I % 3), $F)",
            "spots |= {((p + 1) % 3, q) for p, q in spots}",
            "near = min($Cell1, key=$Cell1.get, default=(0, 0))\nk += near[0]",
            "$Cell = $Cell if $T else $Cell",
            "$Cell.update({(2, 2): $F})",
            "for p in range(3):\n    $Cell[p, $I % 3] = $F * p",
        ),
        floats=("$Cell.get(($I % 3, $I % 3), $F)", "sum($Cell.values(), 0.0)"),
        ints=("len($Cell)", "len(spots)"),
        tests=("($I % 3, $I % 3) in $Cell", "($I % 3, 1) in spots", "$Cell is $Cell"),
        results=("cells", "board", "sorted(spots)"),
    ),
    "families": Construct(
        names={"Form": ("form", "shape")},
        setup=(
            ("form = Shape(1.0)", "form = Square(v, 2.0)", "form = Ring.of(v)"),
            ("shape = form", "shape = Square(1.5)", "shape = Ring.of(2.0)", "shape = Shape(v)"),
        ),
        forms=(
            "$Form.grow($F)",
            "$Form.size = $F",
            "s += $Form.area()",
            "$Form = $Form.grow($F)",
            "$Form = Square($F, $F)",
            "$Form = $Form if $T else $Form",
            "$Form1, $Form2 = $Form2, $Form1",
            "$Form = max($Form, $Form, key=lambda each: each.area())",
            "s += $Form($F)",
            "for each in ($Form, $Form):\n    each.grow($F)",
            "if isinstance($Form, Square):\n    $Form.side = $F",
            "k += type($Form).sides",
            "$Form.log.append($F)",
            "$Form.log = [*$Form.log, $F]",
            "s += super(Square, $Form).area() if isinstance($Form, Square) else $F",
            (
                "match $Form:\n"
                "    case Square(size=y, side=z) if y > $F:\n        s += y * z\n"
                "    case Shape(size=y):\n        s += y"
            ),
            "$Form.width = $F",
        ),
        floats=("$Form.area()", "$Form.size", "$Form.width", "$Form.log[-1]", "$Form($F)"),
        ints=("$Form.sides", "len($Form.log)"),
        tests=("$Form is $Form", "$Form < $Form", "isinstance($Form, Square)", "$Form == $Form"),
        around="""\
class Shape:
    sides = 0

    def __init__(self, size):
        self.size, self.log = size, [0.0]

    def area(self):
        return self.size

    def grow(self, by):
        if by > 1:
            self.size += by
        self.log.append(self.area())
        return self

    def __lt__(self, other):
        return self.area() < other.area()

    def __call__(self, by):
        return self.area() * by

    @property
    def width(self):
        return self.size * 2

    @width.setter
    def width(self, value):
        self.size = value / 2

class Square(Shape):
    sides = 4

    def __init__(self, size, side=1.0):
        super().__init__(size)
        self.side = side

    def area(self):
        return super().area() * self.side

    def grow(self, by):
        self.side += by
        return super().grow(by * 0.5)

class Ring(Square):
    @classmethod
    def of(cls, size):
        return cls(size, 0.5)

    def __eq__(self, other):
        return self.size == other.size

    def __hash__(self):
        return 1
""",
        results=("form", "shape"),
    ),
    "records": Construct(
        names={"Rec": ("pin", "knot"), "Froz": ("spot", "dot")},
        setup=(
            "pin = Point(1.0, v)",
            ("knot = pin", "knot = Point(v, 0.5)", "knot = pin._replace(y=2.0)"),
            "spot = Spot(1.0)",
            ("dot = spot", "dot = Spot(v, (1.0,))", "dot = replace(spot, at=v)"),
        ),
        forms=(
            "$Rec = $Rec._replace(x=$F)",
            "$Rec = Point($F, $Rec.x)",
            "$Rec = $Rec if $T else $Rec",
            "y, z = $Rec\ns += y - z",
            "$Rec1, $Rec2 = $Rec2, $Rec1",
            "$Rec = max($Rec, $Rec)",
            "$Rec = Point(*($Rec + ($F,))[1:])",
            "$Froz = replace($Froz, at=$F)",
            "$Froz = Spot($F, $Froz.to)",
            "$Froz = replace($Froz, to=($F, $F))",
            "$Froz = $Froz if $T else $Froz",
            "s += sum($Froz.to, 0.0)",
            "$Froz = $Froz.moved($F)",
            (
                "match $Rec:\n"
                "    case Point(x=y, y=z) if y < z:\n        s += y\n"
                "    case Point(y, _):\n        s -= y"
            ),
            (
                "match $Froz:\n"
                "    case Spot(at=y, to=(z, *_)) if y > $F:\n        s += z\n"
                "    case Spot(at=y):\n        s += y"
            ),
        ),
        floats=("$Rec.x", "$Rec[1]", "$Froz.at", "sum($Rec)", "max($Rec)"),
        ints=("len($Froz.to)",),
        tests=("$Rec < $Rec", "$Rec == $Rec", "$Froz == $Froz", "$Rec is $Rec"),
        around="""\
from typing import NamedTuple

class Point(NamedTuple):
    x: float
    y: float = 0.0

@dataclass(frozen=True)
class Spot:
    at: float
    to: tuple = ()

    def moved(self, by):
        if by > self.at:
            return replace(self, at=by, to=(self.at,))
        return self
""",
        results=("pin", "knot", "spot", "dot"),
    ),
    "slices": Construct(
        names={"Sl": ("run", "tail")},
        setup=(
            "run = [1.0, 2.0, 3.0, 4.0, 5.0]",
            ("tail = run", "tail = run[::2]", "tail = [v, 0.5, v, 1.0]", "tail = run[::-1]"),
        ),
        forms=(
            "$Sl[::2] = $Sl[::2][::-1]",
            "$Sl = $Sl[::-1]",
            "$Sl = $Sl[$I % 2:]",
            "y, *rest = $Sl\ns += y + sum(rest, 0.0)",
            "*rest, y = $Sl\nrest[0] = $F\ns += y",
            "y, *_, z = $Sl\ns += y * z",
            "[y, *rest], z = $Sl, $F\n$Sl = rest + [y, z]",
            "$Sl[1:3] = [$F]",
            "$Sl[:0] = [$F]",
            "$Sl[len($Sl):] = [$F, $F]",
            "$Sl += $Sl[:$I % 3]",
            "$Sl *= 1 + $I % 2",
            "del $Sl[3:]",
            "if $F < $F <= $Sl[0] < 9.0:\n    s += 1.0",
            "if (y := $Sl[0]) > $F and (z := y * 0.5) < $F:\n    s += z",
            "while (y := s) > 3.0 and $T:\n    s = y * 0.5",
            "$Sl = [y for e in $Sl if (y := e * 0.5) > $F] or [1.0]",
            (
                "match $Sl:\n"
                "    case [y, z, *rest] if y < z:\n        s += z\n"
                "    case [y, *_]:\n        s += y\n"
                "    case []:\n        k += 1"
            ),
            "$Sl.append($F)",
            "$Sl = $Sl if $T else $Sl",
            "for y, z in zip($Sl[::2], $Sl[1::2]):\n    s += y - z",
            "for y in reversed($Sl):\n    s = s * 0.5 + y",
            "k = next((at for at, e in enumerate($Sl) if e > $F), -1) % 5",
            "$Sl.insert(0, $Sl.pop())",
            "$Sl = sorted($Sl)[: 1 + $I % 4]",
            "$Sl = [*$Sl[-2:], *$Sl[:2]]",
        ),
        floats=("$Sl[0]", "$Sl[-1]", "sum($Sl[1:], 0.0)", "min($Sl)", "($Sl or [$F])[0]"),
        ints=("len($Sl)", "len($Sl[::2])", "$Sl.count($F)"),
        tests=("$F < $F <= $F", "$Sl[0] < $F < $Sl[-1]", "$Sl == $Sl", "$Sl[:2] < $Sl[1:]", "$Sl is $Sl"),
        results=("run", "tail"),
    ),
    "panels": Construct(
        names={"Pan": ("panel", "pane")},
        setup=(
            "panel = Panel(x)",
            ("pane = panel", "pane = Panel(x * 2)", "pane = panel.sharing()", "pane = copy.copy(panel)"),
        ),
        forms=(
            "$Pan.top[$J] = $F",
            "$Pan.data[$J % 2] += $F",
            "$Pan.data[1] = $Pan.top",
            "$Pan.top = $Pan.data[$B]",
            "$Pan.top = $Pan.top[::-1]",
            "$Pan.shift($F)",
            "$Pan.data = $Pan.data * 0.5",
            "$Pan.top, $Pan.last = $Pan.last, $Pan.top",
            "$Pan = $Pan if $T else $Pan",
            "$Pan1, $Pan2 = $Pan2, $Pan1",
            "y = $Pan.row($B)\ny[$J] = $F",
            "$Pan.rows[$B][$J] += $F",
            "for row in $Pan.rows:\n    row[$J] = $F",
            "$Pan.rows.reverse()",
            "$Pan.top = $Pan.rows[$B]",
            "$Pan.data[:, $J] = $F",
            "np.add($Pan.top, $F, out=$Pan.last)",
        ),
        floats=("$Pan.top[$J]", "$Pan.data.sum()", "$Pan.row($B).max()", "$Pan.rows[$B][$J]"),
        tests=("$Pan is $Pan", "$Pan.top[$J] > $F", "$Pan.top is $Pan.last"),
        around="""\
class Panel:
    def __init__(self, values):
        self.data = np.outer(values[:2], values)
        self.top, self.last = self.data[0], self.data[-1]
        self.rows = [self.data[0], self.data[1]]

    def sharing(self):
        other = Panel(self.top)
        other.data, other.top = self.data, self.top
        return other

    def row(self, at):
        return self.data[at]

    def shift(self, by):
        if by > 1:
            self.top += by
        self.last[0] = by
""",
        results=("panel", "pane"),
    ),
    "makers": Construct(
        names={},
        setup=(
            "click, told = counter(0.5), [0.0]",
            "steps = [lambda e: e * 0.5, partial(blend, 2.0), abs]",
            "def remember(e, most=3):\n    nonlocal told\n    told = [*told, e][-most:]\n    return e",
        ),
        forms=(
            "s += click($F)",
            "s = steps[$J](s)",
            "steps[$J] = lambda e, y=$F: e - y",
            "steps.append(partial(blend, $F))",
            "s += remember($F)",
            "remember($F, most=2)",
            "for step in steps:\n    s = step(s) % 9.0",
            "click = counter($F)",
            "click = counter($F) if $T else click",
            "again = click\ns += again(1.0)",
            "s = functools.reduce(lambda e, step: step(e) % 9.0, steps, s)",
            "for y in stepping(told, $F):\n    s += y",
            "s += next(stepping(told, $F), 0.5)",
            "told.extend(stepping([$F, $F], $F))",
            "s += twice(remember, $F)",
            "s += limited($F)",
            "y = (lambda e: lambda z: e + z)($F)\ns += y($F)",
        ),
        floats=("told[-1]", "click($F)", "blend($F, 0.5)", "twice(abs, $F)", "limited($F)"),
        ints=("len(told)", "len(steps)"),
        tests=("click(0.0) > $F", "told[0] > $F"),
        around="""\
from functools import partial, wraps

def counter(start):
    count = start

    def tick(by):
        nonlocal count
        if by > 0:
            count += by
        return count

    return tick

def blend(one, other):
    return (one + other) * 0.5

def twice(step, value):
    return step(step(value))

def limit(most):
    def wrap(step):
        @wraps(step)
        def wrapped(value):
            result = step(value)
            return most if result > most else result

        return wrapped

    return wrap

@limit(5.0)
def limited(value):
    return value * value

def stepping(items, by):
    seen = 0
    for item in items:
        if item > by:
            seen += 1
            yield item
        elif seen > 1:
            return
    yield by
""",
        results=("told",),
    ),
}
