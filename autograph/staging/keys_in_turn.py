"""What a dict gives that is asked for all keys, as programs: of those that it may have, each has its turn.

Which of them it has is decided when a graph runs.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"
# ruff: noqa: ANN001, ANN202, ANN204, N801, PLW1641  # views of Python's have no hash, either


class _View:
    def __init__(self, held):
        self.held = held

    def __iter__(self):
        size, keys = len(self.held), self.held.in_order()
        for key in keys:
            if key in self.held:
                yield self._given(key)
                if len(self.held) != size:
                    raise RuntimeError("dictionary changed size during iteration")
                self.held.require_keys(keys)

    def _given(self, key):
        return key

    def __len__(self):
        return len(self.held)

    def __contains__(self, item):
        return item in self.held


class _SetView(_View):
    def __eq__(self, other):
        if not hasattr(other, "isdisjoint"):
            return NotImplemented
        return len(self) == len(other) and all(each in other for each in self)

    def __and__(self, other):
        found = set()
        for each in other:
            if each in self:
                found.add(each)
        return found

    def __or__(self, other):
        found = set(self)
        found.update(other)
        return found

    def __sub__(self, other):
        found = set(self)
        found.difference_update(other)
        return found

    def __xor__(self, other):
        found = set(self)
        found.symmetric_difference_update(other)
        return found

    def __rand__(self, other):
        return self & other

    def __ror__(self, other):
        found = set(other)
        found.update(self)
        return found

    def __rsub__(self, other):
        found = set(other)
        found.difference_update(self)
        return found

    def __rxor__(self, other):
        found = set(other)
        found.symmetric_difference_update(self)
        return found

    def isdisjoint(self, other):
        """Whether no element is in both."""
        return not any(each in self for each in other)


class dict_keys(_SetView):
    """`keys()`."""


class dict_values(_View):
    """`values()`."""

    def _given(self, key):
        return self.held[key]

    def __contains__(self, item):
        return any(each == item for each in self)


class dict_items(_SetView):
    """`items()`."""

    def __contains__(self, item):
        return any(each == item for each in self)

    def _given(self, key):
        return key, self.held[key]
