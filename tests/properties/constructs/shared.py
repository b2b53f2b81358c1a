"""Where the variables of all other ideas may be, too: what a program shares with its caller and its helpers.

A program about lists whose variables may be `held.a` or `chosen_a` does with those whatever it does with
`a`. What is outside stays from call to call.
"""

from tests.properties.constructs.construct import Construct, Place

__all__ = ["WAYS"]

WAYS: dict[str, Construct] = {
    "helpers": Construct(
        forms=("$helper", "$helper", "$again"),
    ),
    "given": Construct(
        is_given=True,
        forms=("given.append($F)", "given[0] = $F", "x[$J] = $F", "x += $F"),
        setup=("given = [1.0, 2.0]",),
        floats=("given[-1]",),
        ints=("len(given)",),
        results=("given", "x"),
    ),
    "attributes": Construct(
        names={"Held": ("held", "other")},
        setup=(
            ("held = HELD", "held = Held()"),
            ("other = held", "other = HELD", "other = HELD if $T else held", "other = Held()"),
        ),
        forms=(
            "$Held.level = $F",
            "$Held.level += $F",
            "$Held.count += $I",
            "$Held.grow($F)",
            "lift($Held, $Held, $F)",
            "$Held = lift($Held, $Held, $F)",
            "$Held1, $Held2 = $Held2, $Held1",
            "$Held = $Held if $T else $Held",
            "HELD.level -= $F",
            "$Held.notes = $Held.notes",
            "$Held.notes.append($F)",
            "if $Held.best is None or $F > $Held.best:\n    $Held.best = $F",
            "$Held.partner = $Held",
            "if $Held.partner is not None:\n    $Held.partner.level += $F",
        ),
        floats=("$Held.level", "$Held.grow($F)", "$Held.notes[-1]", "HELD.level"),
        ints=("$Held.count", "len($Held.notes)"),
        tests=(
            "$Held is $Held",
            "$Held.best is None",
            "$Held.notes is $Held.notes",
            "$Held.partner is $Held",
        ),
        around="""\
class Held:
    best = partner = None

    def __init__(self):
        self.level, self.count, self.notes = 1.0, 0, [0.5]

    def grow(self, by):
        if by > 1:
            self.level += by
        self.notes.append(by)
        return self.level

HELD = Held()

def lift(one, two, by):
    if two.level > by:
        one.level += by
        return one
    two.count += 1
    return two
""",
        places=(
            Place(
                form="held.NAME",
                setup=("if held.NAME is None:\n    held.NAME = NAME", "held.NAME = NAME"),
                around="Held.NAME = None",
            ),
            Place(
                form="other.NAME",
                setup=("if other.NAME is None:\n    other.NAME = NAME", "other.NAME = $KIND"),
            ),
        ),
        between=("HELD.level = 5.0", "HELD.notes = [4.0]", "HELD.partner = HELD", "HELD = Held()"),
        results=("held", "other"),
    ),
    "items": Construct(
        names={},
        setup=(
            (
                "kept = KEPT",
                "kept = {'level': 0.0, 'x': x}",
                "kept = KEPT if $T else {'level': 1.5, 'x': x * 2}",
            ),
        ),
        forms=(
            "kept['level'] = $F",
            "kept['level'] += $F",
            "kept = raised(kept, $F)",
            "kept = dict(kept)",
            "kept['x'] = x",
            "x = kept['x']",
            "kept['x'][$J] = $F",
            "kept['more'] = $F",
            "s += kept.get('more', $F)",
            "kept.setdefault('more', $F)",
            "KEPT['level'] = $F",
        ),
        floats=("kept['level']", "raised(kept, $F)['level']"),
        tests=("kept is KEPT", "KEPT['level'] > $F"),
        around="""\
KEPT = {'level': 2.0, 'x': np.ones(4)}

def raised(table, by):
    if by > 1:
        table['level'] += by
    return table
""",
        places=(
            Place(
                form="kept['NAME']",
                setup=("kept.setdefault('NAME', NAME)", "kept['NAME'] = NAME", "kept['NAME'] = $KIND"),
            ),
        ),
        between=(
            "KEPT['level'] = 0.0",
            "KEPT = {'level': 3.0, 'x': np.zeros(4)}",
            "KEPT['x'] = KEPT['x'][::-1]",
        ),
        results=("kept",),
    ),
    "outside": Construct(
        forms=(
            "tick($F)",
            "s += tick($F)",
            "swap(x)",
            "x = swap(x)",
            "swap(x[::-1])",
            "write($F)",
            "peek()[$J] = $F",
            "x = peek()",
        ),
        floats=("tick($F)", "peek()[$J]"),
        tests=("peek() is x",),
        around="""\
def counting():
    count, total = 0, 0.0

    def tick(by):
        nonlocal count, total
        count += 1
        if by > 1:
            total += by
        return total + count

    return tick

def holding(held):
    def swap(value):
        nonlocal held
        before, held = held, value
        return before

    def peek():
        return held

    def write(by):
        held[0] += by

    return swap, peek, write

tick = counting()
swap, peek, write = holding(np.ones(4))
""",
        places=(
            Place(
                form="outer_NAME",
                setup=("if outer_NAME is None:\n    outer_NAME = NAME", "outer_NAME = NAME"),
                around="outer_NAME = None",
                is_global=True,
            ),
        ),
        between=("tick(2.0)", "swap(np.zeros(4))", "write(1.5)"),
        results=("x",),
    ),
    "chosen": Construct(
        forms=(
            "x = x if $T else x * 2",
            "x = x[::-1] if $T else x",
            "picked = x if $T else x[::-1]\npicked[$J] = $F",
            "spare = x * 2\npicked = x if $T else spare\npicked += $F",
        ),
        floats=("(x if $T else x[::-1])[$J]",),
        results=("x",),
        places=(
            Place(
                form="chosen_NAME",
                setup=("chosen_NAME = NAME if $T else $KIND", "chosen_NAME = $KIND if $T else $KIND"),
                is_local=True,
            ),
        ),
    ),
}
"""Each is an idea that says this of the others."""
