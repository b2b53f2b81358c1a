"""What lies outside and outlasts a call: globals, variables around, attributes, arguments."""

from tests.properties.constructs.construct import Construct

__all__ = ["IDEAS"]

IDEAS: dict[str, Construct] = {
    "globals": Construct(
        names={"V": ("total", "peak")},
        globals=("total", "peak"),
        forms=(
            "$V = $F",
            "$V += $F",
            "$V = $V if $T else $F",
            "count($F)",
            "HISTORY.append($F)",
            "HISTORY[0] = $F",
            "CONFIG['rate'] = $F",
            "CONFIG['log'].append($F)",
            "STATE.value = $F",
            "STATE.value += $F",
            "STATE.last = HISTORY",
            "STATE.last = [$F]",
            "STATE.last.append($F)",
            "if STATE.best is None or $F > STATE.best:\n    STATE.best = $F",
            "BUFFER[$J] = $F",
            "BUFFER[:] += $F",
            "fill_buffer(BUFFER, $F)",
            "State.made += 1",
            "CONFIG['seen'] = HISTORY",
            "HISTORY[:] = [$F]",
            "peak = HISTORY[-1]",
        ),
        floats=("$V", "HISTORY[-1]", "CONFIG['rate']", "STATE.value", "BUFFER[$J]", "STATE.last[0]"),
        ints=("len(HISTORY)", "State.made"),
        tests=("STATE.best is None", "STATE.last is HISTORY", "CONFIG['log'] is HISTORY"),
        between=(
            "HISTORY = [7.0, 8.0]",
            "STATE = State()",
            "STATE.last = HISTORY",
            "CONFIG['rate'] = 3.0",
            "BUFFER = np.ones(4)",
            "total = 3.0",
            "State.made = 5",
        ),
        around="""\
total, peak = 0.0, 1.0
HISTORY = [1.0]
CONFIG = {'rate': 0.5, 'log': [0.0]}
BUFFER = np.zeros(4)

class State:
    made = 0

    def __init__(self):
        self.value, self.best, self.last = 1.0, None, [2.0]

STATE = State()

def count(by):
    global total
    if by > 1:
        total += by

def fill_buffer(buffer, by):
    for z in range(len(buffer)):
        buffer[z] += by
""",
    ),
    "nonlocals": Construct(
        names={},
        setup=(
            "level, path = 1.0, [0.0, 1.0]",
            "def up(by):\n    nonlocal level\n    level += by\n    return level",
            "def note(by):\n    if by > 1:\n        path.append(by)\n    return len(path)",
        ),
        forms=(
            "up($F)",
            "note($F)",
            "level = $F",
            "path = [*path, $F]",
            "path = [$F, $F]",
            "path[0] = $F",
            "s += up($F)",
            "k += note($F)",
            "def later():\n    return level + path[-1]\ns += later()",
            "early = lambda: level\nlevel = $F\ns += early()",
        ),
        floats=("level", "path[-1]", "up($F)"),
        ints=("len(path)",),
        results=("level", "path"),
    ),
    "arguments": Construct(
        names={},
        arguments={"items": "[1.0, 2.0, 3.0]", "out": "np.zeros(4)", "table": "{'a': 1.0, 'n': [0.0]}"},
        forms=(
            "items.append($F)",
            "items[$J] = $F",
            "items[0] += $F",
            "out[$J] = $F",
            "out += $F",
            "out[:] = $F",
            "table['a'] = $F",
            "table['n'].append($F)",
            "table['n'] = items",
            "items = [*items, $F]",
            "items += [$F]",
            "out = out + $F",
            "np.add(out, x, out=out)",
            "x[$J] = $F",
            "x += $F",
            "out = out if $T else x",
            "target = items if $T else table['n']\ntarget.append($F)",
            "target = items if $T else table['n']\ntarget[0] = $F",
            "items.insert(0, $F)",
            "items.sort()",
            "del items[-1]",
        ),
        floats=("items[-1]", "out[$J]", "table['a']", "table['n'][0]", "sum(items, 0.0)"),
        ints=("len(items)", "len(table['n'])"),
        tests=("table['n'] is items", "$F in items"),
        results=("items", "out"),
    ),
}
