"""What assignments change by way of objects: items, attributes and properties, of whatever class."""

import heapq
from collections import Counter, OrderedDict, defaultdict, deque

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from tests.beyond.kit import check


class Shared:
    """A class with a value for its instances."""

    count = 0


def test_items_of_dicts():
    def f(items):
        found = {"most": 0, "least": 0}
        for item in items:
            if item > found["most"]:
                found["most"] = item
            elif item < found["least"]:
                found["least"] = item
        return found

    check(f, [3, -1, 7, -9])


def test_items_of_dicts_in_a_called_function():
    def count(table, key):
        table[key] = table[key] + 1

    def f(n):
        table = {"even": 0, "odd": 0}
        for i in range(n):
            if i % 2 == 0:
                count(table, "even")
            else:
                count(table, "odd")
        return table

    check(f, 7)


def test_items_of_lists():
    def f(n):
        cells = [0, 0, 0]
        i = 0
        while i < n:
            cells[1] += i
            cells[-1] = cells[0] + cells[1]
            i += 1
        return cells

    check(f, 4)


def test_items_of_a_list_in_a_list():
    def f(x):
        table = [[1, 2], [3, 4]]
        if x > 0:
            table[1][0] = x
        return table

    check(f, 9)
    check(f, -9)


def test_a_queue_whose_length_stays():
    def f(n):
        window = deque([0, 0, 0], maxlen=3)
        for i in range(n):
            window.append(i)
        return list(window)

    check(f, 5)


# ── containers that Python's own functions change ──


def test_a_heap():
    def f(x):
        heap = [3, 7, 9]
        if x > 5:
            heapq.heappush(heap, 1)
            heapq.heappop(heap)
            heapq.heapreplace(heap, 100)
        return heap

    for x in (1, 9):
        check(f, x)


def test_setattr():
    def f(n):
        box = Shared()
        for i in range(n):
            setattr(box, "count", box.count + i)
        return box.count

    check(f, 4)


class Up:
    """One of two classes."""


class Down:
    """The other one."""


def test_setattr_and_delattr_reach_only_the_class_that_is_chosen():
    def f(x):
        Up.seen = Down.seen = 0
        kind = Up if x > 0 else Down
        setattr(kind, "seen", 1)
        before = Up.seen, Down.seen
        delattr(kind, "seen")
        return before, hasattr(Up, "seen"), hasattr(Down, "seen")

    for x in (1, -1):
        check(f, x)


def test_an_attribute_of_a_class_that_only_some_paths_have_bound():
    class Held:
        pass

    def f(x):
        if x > 0:
            Held.new = x
        found = hasattr(Held, "new"), getattr(Held, "new", 5), "new" in vars(Held), "new" in Held.__dict__
        shown = hasattr(Held(), "new"), getattr(Held(), "new", 6)
        if x > 0:
            del Held.new
        return found, shown, hasattr(Held, "new")

    for x in (1, -1):
        check(f, x)


class Counted:
    """Its attributes are named when the program runs."""

    def __init__(self):
        self.up, self.down = 1, 2

    def climb(self, by):
        self.up += by
        return self.up

    def fall(self, by):
        self.down -= by
        return self.down

    @property
    def taken(self):
        self.down += 1
        return self.down


def test_an_attribute_with_a_name_that_is_chosen():
    def f(x):
        box = Counted()
        name = "up" if x > 0 else "down"
        setattr(box, name, x)
        setattr(box, name, getattr(box, name) * 3)
        delattr(box, "down" if x > 0 else "up")
        return getattr(box, "up", 0), hasattr(box, name), hasattr(box, "up"), hasattr(box, "down")

    def dispatched(x):
        box = Counted()
        found = getattr(box, "climb" if x > 0 else "fall")(x)
        return found, box.up, box.down, getattr(box, "taken" if x > 0 else "other", -1), box.down

    for x in (4, -4):
        check(f, x)
        check(dispatched, x)


def test_an_attribute_with_a_chosen_name_that_is_not_there():
    def f(x):
        return getattr(Counted(), "up" if x > 0 else "missing")

    graph = ag.function(f)
    assert graph(rt.asarray(4)) == 1
    with pytest.raises(AttributeError, match="'Counted' object has no attribute 'missing'"):
        graph(rt.asarray(-4))


def test_dicts_of_other_classes():
    def f(items):
        counts = Counter(a=0, b=1)
        totals = defaultdict(int, {"sum": 0})
        order = OrderedDict(first=0, last=0)
        for item in items:
            counts["a"] += item
            totals["sum"] += item * 2
            order["last"] = item
        return counts["a"], counts["b"], totals["sum"], order["last"], list(order)

    check(f, [3, 4, 5])


# ── code of the user's that assignments run ──


class Grid:
    """An object with items, and a property."""

    def __init__(self):
        self.cells = [0, 0, 0]
        self._top = 1

    def __getitem__(self, index):
        return self.cells[index]

    def __setitem__(self, index, value):
        self.cells[index] = value

    @property
    def top(self):
        return self._top

    @top.setter
    def top(self, value):
        self._top = value


def test_items_of_an_object_of_the_users():
    def f(x):
        grid = Grid()
        if x > 0:
            grid[0] = 5
            grid[1] += x
        return grid[0], grid[1], grid.cells

    def g(n):
        grid = Grid()
        for i in range(n):
            grid[0] = grid[0] + i
            grid[-1] += 1
        return grid.cells

    for x in (1, -1):
        check(f, x)
    check(g, 4)


def test_a_property_with_a_setter():
    def f(x):
        grid = Grid()
        if x > 0:
            grid.top = 7
        for i in range(x):
            grid.top += i
        return grid.top

    for x in (3, -1):
        check(f, x)


def test_an_array_of_numpy_that_a_branch_changes_is_changed_by_the_branch():
    def f(x):
        array = np.zeros(3)
        if x > 0:
            array += 1
        return array

    check(f, 1)
    check(f, -1)


def test_attributes_of_what_calls_and_items_give():
    def f(x):
        boxes = [Shared(), Shared()]

        def last():
            return boxes[-1]

        if x > 0:
            boxes[0].count = 5
            last().count += x
        for i in range(x):
            boxes[0].count += i
            last().count = last().count * 2
        return boxes[0].count, boxes[1].count

    for x in (3, -1):
        check(f, x)


# ── lists that change in place, by other statements ──


def test_items_that_change_places():
    def sort(items):
        items = list(items)
        for i in range(len(items)):
            for j in range(len(items) - 1 - i):
                if items[j] > items[j + 1]:
                    items[j], items[j + 1] = items[j + 1], items[j]
        return items

    def rotate(n):
        cells = [1, 2, 3]
        for _ in range(n):
            cells[0], *cells[1:] = cells[2], cells[0], cells[1]
            i = cells[1] = 0
        return cells

    check(sort, [3, 1, 2])
    check(sort, [4, 3, 2, 1])
    for n in (0, 1, 4):
        check(rotate, n)


def test_lists_of_attributes_and_dicts_that_are_added_to():
    class Store:
        def __init__(self):
            self.items = [1]

    def f(x):
        store = Store()
        table = {"seen": [0]}
        alias = store.items
        if x > 0:
            store.items += [x]
            table["seen"] += [x, x]
        for i in range(x):
            store.items += [i]
        return store.items, table["seen"], len(alias)

    for x in (2, -1):
        check(f, x)


def test_a_fresh_list_in_each_turn_grows_by_itself():
    def f(n):
        rows = []
        for i in range(n):
            row = [i]
            if i % 2 == 0:
                row.append(i * 10)
            rows.append(sum(row))
        return rows

    for n in (0, 5):
        check(f, n)


def test_a_key_that_a_tensor_chooses_is_assigned():
    def f(n):
        counts = {"even": 0, "odd": 0}
        for i in range(n):
            key = "even" if i % 2 == 0 else "odd"
            counts[key] += i
            counts["even" if i > 2 else "odd"] = counts[key] + 1
        return counts

    for n in (0, 5):
        check(f, n)


class Record(dict):
    """A dict whose items are its attributes, as libraries return them."""

    def __getattr__(self, name):
        return self[name]

    __setattr__ = dict.__setitem__


class Bunch(Record):
    """The same, by a method of its own."""

    def __setattr__(self, name, value):
        self[name] = value


@pytest.mark.parametrize("kind", [Record, Bunch])
def test_attributes_that_are_items_of_a_dict_are_carried(kind):
    def f(x):
        work = kind(x=x, turns=0)
        while work.x > 1:
            work.x = work.x // 2
            if work.x % 2:
                work.turns += 1
        return work.x, work.turns

    for x in (1, 20):
        check(f, x)
