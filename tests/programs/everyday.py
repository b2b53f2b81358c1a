"""What people write first: words, queues, machines and small classes, as one writes them without thinking."""

import contextlib
import heapq
from collections import defaultdict, deque


def justified(words, width):
    """Lines of words that fill a width with dots, and how many there are."""
    lines, line, length = [], [], 0
    for word in words:
        if length + len(word) + len(line) > width:
            lines.append(" ".join(line).ljust(width, "."))
            line, length = [], 0
        line.append(word)
        length += len(word)
    lines.append(" ".join(line).ljust(width, "."))
    for each in lines:
        print(repr(each))
    return len(lines)


def two_colours(linked):
    """Whether a graph has two colours, by a queue that its own loop fills; and the colours."""
    colours = {}
    for start in range(len(linked)):
        if start in colours:
            continue
        colours[start] = 0
        queue = [start]
        for u in queue:
            for v in range(len(linked)):
                if linked[u][v]:
                    if v not in colours:
                        colours[v] = 1 - colours[u]
                        queue.append(v)
                    elif colours[v] == colours[u]:
                        return False, None
    return True, colours


class Stack:
    """A stack that says None where it is empty."""

    def __init__(self):
        self._items = []

    def push(self, item):
        self._items.append(item)

    def pop(self):
        if not self._items:
            raise IndexError("pop from empty stack")
        return self._items.pop()

    def peek(self):
        return self._items[-1] if self._items else None

    def __len__(self):
        return len(self._items)


RANK = {"+": 1, "-": 1, "*": 2, "/": 2}


def behind_its_operands(codes):
    """A formula with each sign behind what it joins (Dijkstra's shunting yard)."""
    out, signs = [], Stack()
    for code in codes:
        token = "+-*/0123456789"[code]
        if token.isdigit():
            out.append(token)
        else:
            while len(signs) and RANK[signs.peek()] >= RANK[token]:
                out.append(signs.pop())
            signs.push(token)
    while len(signs):
        out.append(signs.pop())
    return " ".join(out)


def splits_evenly(numbers):
    """Whether some of the numbers have half of the sum, by the set of all sums."""
    total = sum(numbers)
    if total % 2:
        return False
    reached = {0}
    for number in numbers:
        reached |= {each + number for each in reached}
    return total // 2 in reached


def probably_prime(n):
    """The test of Miller and Rabin, with integers of Python's."""
    if n < 2:
        return False
    for prime in (2, 3, 5, 7):
        if n % prime == 0:
            return n == prime
    odd, twos = n - 1, 0
    while odd % 2 == 0:
        odd //= 2
        twos += 1
    for base in (2, 3, 5, 7):
        x = pow(base, int(odd), int(n))
        if x in (1, n - 1):
            continue
        for _ in range(twos - 1):
            x = x * x % n
            if x == n - 1:
                break
        else:
            return False
    return True


AFTER = {("idle", 0): "run", ("run", 1): "idle", ("run", 2): "halt"}


def states(codes):
    """A machine that stays where its table has nothing."""
    state, trace = "idle", []
    for code in codes:
        after = AFTER.get((state, int(code)))
        if after is None:
            trace.append(f"stay {state}")
            continue
        state = after
        trace.append(state)
        if state == "halt":
            break
    return state, trace


class Trie:
    """Words by their letters."""

    def __init__(self):
        self.next, self.is_word = {}, False

    def add(self, word):
        node = self
        for letter in word:
            node = node.next.setdefault(letter, Trie())
        node.is_word = True

    def has(self, word, is_beginning=False):
        node = self
        for letter in word:
            if letter not in node.next:
                return False
            node = node.next[letter]
        return is_beginning or node.is_word


def words_in_a_trie(rows):
    """Words that only the run knows, and which others are among them."""
    trie = Trie()
    words = ["".join("ab"[code] for code in row) for row in rows]
    for word in words:
        trie.add(word)
    return trie.has("ab"), trie.has("a"), trie.has("a", is_beginning=True), words


def shortest_way(grid, start, goal):
    """A*, with places as keys; and how many places it has looked at."""

    def least(place):
        return abs(place[0] - goal[0]) + abs(place[1] - goal[1])

    height, width = grid.shape
    open_places, best, looked = [(least(start), 0, start)], {start: 0}, 0
    while open_places:
        _, cost, place = heapq.heappop(open_places)
        looked += 1
        if place == goal:
            return cost, looked
        for down, right in [(-1, 0), (1, 0), (0, -1), (0, 1)]:
            after = place[0] + down, place[1] + right
            if not (0 <= after[0] < height and 0 <= after[1] < width) or grid[after]:
                continue
            if after not in best or cost + 1 < best[after]:
                best[after] = cost + 1
                heapq.heappush(open_places, (cost + 1 + least(after), cost + 1, after))
    return None, looked


def undone_and_done_again(commands):
    """A number with a history: 0 adds, 1 takes back, 2 takes that back."""
    number, undo, redo = 0, [], []
    for command, value in commands:
        if command == 0:
            undo.append(number)
            redo.clear()
            number += value
        elif command == 1 and undo:
            redo.append(number)
            number = undo.pop()
        elif command == 2 and redo:
            undo.append(number)
            number = redo.pop()
    return number, undo, redo


def merged(spans):
    """Spans that overlap as one, and how long they are together."""
    found = []
    for low, high in sorted(spans, key=lambda span: span[0]):
        if found and low <= found[-1][1]:
            found[-1] = (found[-1][0], max(found[-1][1], high))
        else:
            found.append((low, high))
    return found, sum(high - low for low, high in found)


def greatest_in_windows(numbers, width):
    """The greatest number in each window, by a queue of candidates."""
    queue, found = deque(), []
    for j, number in enumerate(numbers):
        while queue and numbers[queue[-1]] <= number:
            queue.pop()
        queue.append(j)
        if queue[0] <= j - width:
            queue.popleft()
        if j >= width - 1:
            found.append(numbers[queue[0]])
    return found


@contextlib.contextmanager
def tag(name, out):
    """What is written inside stands between two tags."""
    out.append(f"<{name}>")
    try:
        yield len(out)
    finally:
        out.append(f"</{name}>")


def page(n):
    """A list in a page."""
    out = []
    with tag("ul", out):
        for k in range(n):
            with tag("li", out) as place:
                out.append(str(k * place))
    return "".join(out)


def jobs(urgency, cancelled):
    """Jobs in order of urgency, without those that were cancelled meanwhile."""
    heap, removed, order = [], set(), []
    for k, each in enumerate(urgency):
        heapq.heappush(heap, (-each, k))
        if each == cancelled:
            removed.add(k)
    while heap:
        _, k = heapq.heappop(heap)
        if k not in removed:
            order.append(k)
    return order, len(removed)


def ordered_by_needs(edges, n):
    """An order in which everything comes behind what it needs, by a dict of lists."""
    needed, after = [0] * n, defaultdict(list)
    for u, v in edges:
        after[u].append(v)
        needed[v] += 1
    ready, order = deque(v for v in range(n) if needed[v] == 0), []
    while ready:
        u = ready.popleft()
        order.append(u)
        for v in after[u]:
            needed[v] -= 1
            if needed[v] == 0:
                ready.append(v)
    if len(order) != n:
        raise ValueError("graph has a cycle")
    return order


def days_in(year, month):
    is_leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return [31, 29 if is_leap else 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]


def days_later(year, month, day, days):
    """A date some days later, with the name of its weekday by Zeller's rule."""
    while days > 0:
        left = days_in(year, month) - day
        if days <= left:
            day, days = day + days, 0
        else:
            days -= left + 1
            day, month = 1, month + 1
            if month > 12:
                year, month = year + 1, 1
    shifted, since = (month + 12, year - 1) if month < 3 else (month, year)
    number = (day + 13 * (shifted + 1) // 5 + since + since // 4 - since // 100 + since // 400) % 7
    name = ["Sat", "Sun", "Mon", "Tue", "Wed", "Thu", "Fri"][number]
    return f"{name} {year:04d}-{month:02d}-{day:02d}"


def report(names, amounts):
    """A table with a bar for each amount, in all three ways of formatting."""
    width, total, lines = max(map(len, names)), 0.0, []
    for name, amount in zip(names, amounts):
        total += amount
        lines.append(f"{name:<{width}} |{amount:>9.2f} | {'*' * int(amount // 10)}")
    lines += ["-" * (width + 12), "%-*s |%9.2f" % (width, "sum", total)]  # noqa: PLE1307, UP031  # as many write it
    lines.append("{:^{w}} | {:+.3e}".format("mean", total / len(amounts), w=width))
    return "\n".join(lines)


def plotted(values, height):
    """A curve in characters."""
    low, high = values.min(), values.max()
    rows = [[" "] * len(values) for _ in range(height)]
    for column, value in enumerate(values):
        row = round((value - low) / (high - low) * (height - 1)) if high > low else 0
        rows[height - 1 - row][column] = "o"
    return "\n".join("|" + "".join(row) + "|" for row in rows)


def enciphered(text, shifts):
    """Vigenère's cipher; what is no letter stays, and takes no shift."""
    out, used = [], 0
    for c in text:
        if c.isalpha():
            base = ord("a") if c.islower() else ord("A")
            out.append(chr((ord(c) - base + shifts[used % len(shifts)]) % 26 + base))
            used += 1
        else:
            out.append(c)
    return "".join(out)
