"""Lists, dicts, sets, deques, tuples and instances, and what is in them under several names."""

from tests.properties.constructs.construct import Construct

__all__ = ["IDEAS"]

IDEAS: dict[str, Construct] = {
    "lists": Construct(
        names={"L": ("a", "b")},
        setup=(
            "a = [1.0, 2.0, 3.0]",
            ("b = a", "b = [4.0, 5.0, 6.0]", "b = [v, 0.5, v]", "b = list(a)", "b = a[:]"),
        ),
        forms=(
            "$L.append($F)",
            "$L[$J] = $F",
            "$L[$J] += $F",
            "$L = $L",
            "$L = $L + [$F]",
            "$L += [$F]",
            "$L = [*$L, $F]",
            "$L = $L if $T else $L",
            "$L1, $L2 = $L2, $L1",
            "s += $L.pop()",
            "$L.insert($I, $F)",
            "$L.extend($L)",
            "$L.reverse()",
            "$L.sort()",
            "$L[1:] = [$F, $F, $F]",
            "$L[:] = $L",
            "del $L[$J]",
            "$L.clear(); $L.extend([$F, $F, $F])",
            "push($L, $F)",
            "$L = list($L)",
            "$L = $L[::-1]",
            "$L = $L * 2",
            "$L = [e * 0.5 for e in $L]",
            "$L = [e for e in $L if e > $F] or [1.0, 2.0, 3.0]",
            "$L.sort(key=lambda e: -e)",
            "$L = sorted($L, key=abs, reverse=$T)",
            "for at, each in enumerate($L):\n    $L[at] = each * 0.5",
            "for one, two in zip($L, $L[1:]):\n    s += one * two",
            "$L[::2] = [$F for _ in $L[::2]]",
            "s += $L.pop(0); $L.insert(1, $F)",
            "if $F in $L:\n    $L.remove($L[0]); $L.append($F)",
            "s += $L[$L.index(max($L))]",
        ),
        floats=("$L[$J]", "$L[-1]", "sum($L, 0.0)", "max($L)"),
        ints=("len($L)",),
        tests=("$L is $L", "$F in $L", "len($L) > $I", "$L == $L"),
        around="def push(items, value):\n    items.append(value)\n    return items\n",
        results=("a", "b"),
    ),
    "nested": Construct(
        names={"G": ("g", "h")},
        setup=(
            "g = [[1.0], [2.0, v], [3.0]]",
            ("h = g", "h = [g[0], g[1], g[0]]", "h = [[v], [v], [v]]", "h = list(g)", "h = copy.deepcopy(g)"),
        ),
        forms=(
            "$G[$J].append($F)",
            "$G[$J][0] = $F",
            "$G[$J][0] += $F",
            "$G[$J] = $G[$J]",
            "$G[$J] = [$F]",
            "$G.append([$F])",
            "$G.append($G[$J])",
            "r = $G[$J]\nr.append($F)",
            "r = $G[$J]\nr[0] = $F",
            "$G[$J], $G[$J] = $G[$J], $G[$J]",
            "$G = $G if $T else $G",
            "for r in $G:\n    r.append($F)",
            "for r in $G:\n    r[0] = $F",
            "$G = [list(r) for r in $G]",
            "$G = $G[:]",
            "$G[$J] += [$F]",
            "s += $G[$J].pop(); $G[$J].append(1.0); $G[0].append(2.0); $G[1].append(0.0); $G[2].append(5.0)",
            "$G = $G[::-1]",
        ),
        floats=("$G[$J][0]", "sum($G[$J], 0.0)", "$G[$J][-1]"),
        ints=("len($G[$J])",),
        tests=("$G[$J] is $G[$J]", "$F in $G[$J]"),
        results=("g", "h"),
    ),
    "dicts": Construct(
        names={"D": ("d", "e")},
        setup=("d = {'a': 1.0, 'b': 2.0}", ("e = d", "e = dict(d)", "e = {'a': v, 'b': 0.0}")),
        forms=(
            "$D[$K] = $F",
            "$D[$K] += $F",
            "$D = $D",
            "$D = dict($D)",
            "$D = {**$D, $K: $F}",
            "$D = $D if $T else $D",
            "$D.update($D)",
            "$D.update(a=$F)",
            "$D = $D | {$K: $F}",
            "s += $D.pop($K, $F); $D.setdefault('a', 1.0); $D.setdefault('b', $F)",
            "for key in $D:\n    $D[key] = $F",
            "for key, item in $D.items():\n    s += item",
            "$D = {key: item * 0.5 for key, item in $D.items()}",
            "s += $D.setdefault('c', $F)",
            "s += $D.pop('c', $F)",
            "if 'c' in $D:\n    del $D['c']",
            "for key in sorted($D, key=$D.get):\n    s = s * 0.5 + $D[key]",
            "$D = dict(zip($D, [$F] * len($D)))",
        ),
        floats=("$D[$K]", "sum($D.values(), 0.0)", "$D.get('c', $F)"),
        ints=("len($D)",),
        tests=("$D is $D", "$D == $D", "$K in $D"),
        results=("d", "e"),
    ),
    "dicts of lists": Construct(
        names={"M": ("m", "q")},
        setup=("m = {'a': [1.0], 'b': [v, 2.0]}", ("q = m", "q = dict(m)", "q = {'a': m['b'], 'b': m['a']}")),
        forms=(
            "$M[$K].append($F)",
            "$M[$K][0] = $F",
            "$M[$K][0] += $F",
            "$M[$K] = $M[$K]",
            "$M[$K] = [$F]",
            "$M[$K] = $M[$K] + [$F]",
            "$M.setdefault($K, []).append($F)",
            "for r in $M.values():\n    r.append($F)",
            "for key, r in $M.items():\n    r[0] = $F",
            "r = $M[$K]\nr.append($F)",
            "$M = $M if $T else $M",
            "$M = {key: list(item) for key, item in $M.items()}",
        ),
        floats=("$M[$K][0]", "$M[$K][-1]", "sum($M[$K], 0.0)"),
        ints=("len($M[$K])",),
        tests=("$M[$K] is $M[$K]", "$M is $M"),
        results=("m", "q"),
    ),
    "queues": Construct(
        names={"Q": ("queue", "turn")},
        setup=(
            "queue = deque([1.0, 2.0])",
            ("turn = queue", "turn = deque([v], maxlen=3)", "turn = deque(queue)"),
        ),
        forms=(
            "$Q.append($F)",
            "$Q.appendleft($F)",
            "if len($Q) > 1:\n    s += $Q.popleft()",
            "if len($Q) > 1:\n    s += $Q.pop()",
            "while len($Q) > 2:\n    s += $Q.popleft()",
            "$Q[0] = $F",
            "$Q.rotate($I)",
            "$Q.extend([$F, $F])",
            "$Q = $Q if $T else $Q",
            "$Q = $Q",
            "$Q.clear(); $Q.append($F)",
            "for item in $Q:\n    s += item",
        ),
        floats=("$Q[0]", "$Q[-1]", "sum($Q, 0.0)", "max($Q)"),
        ints=("len($Q)",),
        tests=("$Q is $Q", "len($Q) > $I"),
        results=("queue", "turn"),
    ),
    "tuples": Construct(
        names={"P": ("pt", "pr")},
        setup=("pt = ([1.0], v, 2.0)", ("pr = pt", "pr = ([v], 0.5, v)")),
        forms=(
            "$P[0].append($F)",
            "$P[0][0] = $F",
            "$P = $P",
            "$P = $P if $T else $P",
            "$P = ($P[0], $F, $P[1])",
            "$P = ([$F], *$P[1:])",
            "$P1, $P2 = $P2, $P1",
            "y, *rest = $P\ny.append($F)",
            "y, z, _ = $P\ns += z",
            "$P[0].extend($P[0])",
        ),
        floats=("$P[1]", "$P[0][0]", "$P[0][-1]"),
        tests=("$P[0] is $P[0]", "$P[1:] > $P[1:]", "$P is $P"),
        results=("pt", "pr"),
    ),
    "sets": Construct(
        names={"S": ("seen", "todo")},
        setup=(
            "tally, memo, groups = Counter(), {}, {0: [], 1: [], 2: []}",
            "seen = {1, 2}",
            ("todo = seen", "todo = set()", "todo = {n}", "todo = set(seen)"),
        ),
        forms=(
            "$S.add($I)",
            "$S.discard($I)",
            "if $I not in $S:\n    $S.add($I)\n    s += 1.0",
            "$S |= {$I}",
            "$S = $S | {$I}",
            "$S = $S if $T else $S",
            "$S = $S - $S",
            "k += len($S & $S)",
            "$S.update([$I, $I])",
            "tally[$I] += 1",
            "tally = Counter([$I, $I])",
            "tally.update([$I])",
            "memo[$I] = $F",
            "if $I not in memo:\n    memo[$I] = $F",
            "groups[$I % 3].append($F)",
        ),
        floats=("memo.get($I, $F)", "sum(memo.values(), 0.0)"),
        ints=("len($S)", "tally[$I]", "len(memo)"),
        tests=("$I in $S", "$I in memo", "$S <= $S"),
        results=("sorted(seen)", "sorted(todo)", "dict(tally)", "memo"),
    ),
    "objects": Construct(
        names={"O": ("o", "p")},
        setup=("o = Box(1.0)", ("p = o", "p = Box(v)", "p = copy.copy(o)", "p = replace(o, value=v)")),
        forms=(
            "$O.value = $F",
            "$O.value += $F",
            "$O.seen.append($F)",
            "$O.add($F)",
            "$O.seen = [$F]",
            "$O.seen = $O.seen",
            "$O = $O",
            "$O = $O if $T else $O",
            "$O1, $O2 = $O2, $O1",
            "$O = Box($F)",
            "$O = $O.grown($F)",
            "$O += $F",
            "$O[$J] = $F",
            "($O if $T else $O).add($F)",
            "for item in [$O, $O]:\n    item.add($F)",
            "[$O, $O, $O][$J].value = $F",
            "$O.twice = $F",
            "setattr($O, 'value', $F)",
        ),
        floats=("$O.value", "$O.twice", "$O[$J]", "$O.seen[-1]", "($O + $F)", "getattr($O, 'value')"),
        ints=("len($O)",),
        tests=("$O is $O", "$O == $O", "$O", "$F in $O"),
        around="""\
@dataclass
class Box:
    value: float = 0.0
    seen: list = field(default_factory=lambda: [0.5, 1.5, 2.5])

    def add(self, by):
        if by > 1:
            self.value += by
        self.seen.append(by)
        return self

    def grown(self, by):
        return Box(self.value + by, [*self.seen])

    @property
    def twice(self):
        return self.value * 2

    @twice.setter
    def twice(self, value):
        self.value = value / 2

    def __iadd__(self, by):
        self.value += by
        return self

    def __add__(self, by):
        return self.value + by

    def __len__(self):
        return len(self.seen)

    def __bool__(self):
        return bool(self.value > 1)

    def __getitem__(self, index):
        return self.seen[index]

    def __setitem__(self, index, value):
        self.seen[index] = value

    def __contains__(self, value):
        return value == self.value
""",
        results=("o", "p"),
    ),
    "lists of objects": Construct(
        names={"R": ("rows", "team")},
        setup=(
            "rows = [Row(1.0), Row(v), Row(2.0)]",
            ("team = rows", "team = list(rows)", "team = [rows[1], rows[0], rows[1]]", "team = [Row(v)] * 3"),
        ),
        forms=(
            "$R[$J].value = $F",
            "$R[$J].value += $F",
            "$R[$J].add($F)",
            "$R[$J].hist.append($F)",
            "$R[$J].hist = [$F]",
            "$R[$J] = Row($F)",
            "$R[$J] = $R[$J]",
            "$R[$J], $R[$J] = $R[$J], $R[$J]",
            "$R.append(Row($F))",
            "$R = $R",
            "$R = $R if $T else $R",
            "$R = list($R)",
            "r = $R[$J]\nr.value = $F",
            "r = $R[$J]\nr.add($F)",
            "r = max($R, key=lambda row: row.value)\nr.value -= $F",
            "for row in $R:\n    row.value *= 0.5",
            "for row in $R:\n    row.add($F)",
            "for row in $R:\n    s += row.value",
            "$R.sort(key=lambda row: row.value)",
            "$R.reverse()",
        ),
        floats=("$R[$J].value", "$R[$J].hist[-1]", "sum(row.value for row in $R)"),
        ints=("len($R)", "len($R[$J].hist)"),
        tests=("$R[$J] is $R[$J]", "$R[$J].value > $F", "any(row.value > $F for row in $R)"),
        around="""\
class Row:
    def __init__(self, value):
        self.value, self.hist = value, [value]

    def add(self, by):
        if by > 1:
            self.value += by
        self.hist.append(by)
        return self

    def __repr__(self):
        return f"Row({self.value}, {self.hist})"
""",
        results=("rows", "team"),
    ),
}
