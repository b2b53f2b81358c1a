"""Lists that grow."""

GLOBAL = []


def test_lists_grow_in_place(check):
    def f(items):
        alias = items
        items.append(1)
        last = items.pop()
        items.append(last + 1)
        items.pop(0)
        items.append([])
        items[-1].append(items.pop(0) if len(items) > 1 else None)
        return items is alias, items, last

    check(f, ([0],), ([],))


def test_append_of_something_that_is_no_list(check):
    class Tape:
        def __init__(self):
            self.items = ()

        def append(self, item):
            if item:
                self.items = (*self.items, item)

        def pop(self, index):
            return self.items[index]

    def f(x):
        tape = Tape()
        tape.append(x)
        table = {"a": x}
        y = table.pop("a")
        z = tape.pop(0)
        x.append(1)
        return tape.items, y, z

    check(f, (1,), ([],))


def test_a_list_of_another_scope_is_not_rebound(convert):
    shared = []

    def f(x):
        shared.append(x)
        GLOBAL.append(x)
        return shared, GLOBAL

    assert convert(f)(1) == ([1], [1])
