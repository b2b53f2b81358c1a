"""Objects that loops of the graph make, and that refer to each other: linked lists, trees, tries, queues."""

import copy
from dataclasses import dataclass

import numpy as np
import pytest

import autograph as ag
from runtime.errors import StateDisagrees

CALLS = [(np.array([5.0, 2.0, 8.0, 1.0, 2.0]), np.int64(5)), (np.array([1.0, 4.0, 3.0]), np.int64(3))]


class Node:
    def __init__(self, value, next=None):
        self.value = value
        self.next = next


@dataclass
class Link:
    value: float
    next: "Link | None" = None


class Tree:
    def __init__(self, v):
        self.v = v
        self.left = None
        self.right = None


class Letters:
    def __init__(self):
        self.children = {}
        self.ends = False


class Branch:
    def __init__(self, k):
        self.k = k
        self.children = []


class Double:
    def __init__(self, k, v):
        self.k = k
        self.v = v
        self.before = None
        self.after = None


class Element:
    def __init__(self, i):
        self.i = i
        self.parent = self


class Chain:
    def __init__(self, v, rest):
        self.v = v
        self.rest = rest

    def total(self):
        found, chain = 0.0, self
        while chain is not None:
            found += chain.v
            chain = chain.rest
        return found

    def __lt__(self, other):
        return self.v < other.v


class Stack:
    def __init__(self):
        self.top = None
        self.size = 0

    def push(self, v):
        self.top = Node(v, self.top)
        self.size += 1

    def pop(self):
        v = self.top.value
        self.top = self.top.next
        self.size -= 1
        return v


class Queue:
    def __init__(self):
        self.head = None
        self.tail = None

    def push(self, v):
        node = Node(v)
        if self.tail is None:
            self.head = node
        else:
            self.tail.next = node
        self.tail = node

    def pop(self):
        v = self.head.value
        self.head = self.head.next
        if self.head is None:
            self.tail = None
        return v


def values(head):
    out = []
    while head is not None:
        out.append(head.value)
        head = head.next
    return out


def linked(values):
    head = None
    for v in values:
        head = Node(v, head)
    return head


def a_list(x, n):
    return values(linked(x))


def a_list_of_a_dataclass(x, n):
    head = None
    for v in x:
        head = Link(v, head)
    total = 0.0
    while head:
        total = total * 2 + head.value
        head = head.next
    return total


def turned_round(x, n):
    head, back = linked(x), None
    while head:
        following = head.next
        head.next = back
        back = head
        head = following
    return values(back)


def put_behind_the_last(x, n):
    head = tail = Node(0.0)
    for v in x:
        tail.next = Node(v)
        tail = tail.next
    return values(head.next), tail.value, head is tail


def put_in_order(x, n):
    head = None
    for v in x:
        node = Node(v)
        if head is None or v < head.value:
            node.next = head
            head = node
        else:
            place = head
            while place.next is not None and place.next.value < v:
                place = place.next
            node.next = place.next
            place.next = node
    return values(head)


def taken_out(x, n):
    head = linked(x)
    before, node = None, head
    while node is not None:
        if node.value == 8.0:
            if before is None:
                head = node.next
            else:
                before.next = node.next
            break
        before, node = node, node.next
    return values(head)


def sorted_by_exchange(x, n):
    head = node = linked(x)
    while node is not None:
        other = node.next
        while other is not None:
            if other.value < node.value:
                other.value, node.value = node.value, other.value
            other = other.next
        node = node.next
    return values(head)


def merged(x, n):
    a, b = linked(x), linked(x * 2)
    first = last = Node(0.0)
    while a is not None and b is not None:
        if a.value > b.value:
            last.next = a
            a = a.next
        else:
            last.next = b
            b = b.next
        last = last.next
    last.next = a if a is not None else b
    return values(first.next)


def a_cycle(x, n):
    nodes = [Node(i) for i in range(n)]
    for i in range(n - 1):
        nodes[i].next = nodes[i + 1]
    nodes[n - 1].next = nodes[n // 2]
    slow = fast = nodes[0]
    steps = 0
    while True:
        slow, fast = slow.next, fast.next.next
        steps += 1
        if slow is fast:
            break
    return steps, slow.value


def a_stack(x, n):
    stack = Stack()
    for v in x:
        if v < 3 and stack.top is not None:
            stack.pop()
        stack.push(v)
    total = 0.0
    while stack.size > 0:
        total = total * 2 + stack.pop()
    return total


def a_queue(x, n):
    queue = Queue()
    for v in x:
        queue.push(v)
    out = []
    while queue.head is not None:
        out.append(queue.pop())
    return out


def a_tree(x, n):
    root = Tree(x[0])
    for v in x[1:]:
        node = root
        while True:
            if v < node.v:
                if node.left is None:
                    node.left = Tree(v)
                    break
                node = node.left
            else:
                if node.right is None:
                    node.right = Tree(v)
                    break
                node = node.right
    out, stack, node = [], [], root
    while stack or node is not None:
        while node is not None:
            stack.append(node)
            node = node.left
        node = stack.pop()
        out.append(node.v)
        node = node.right
    return out


def put_into(node, v):
    if node is None:
        return Tree(v)
    if v < node.v:
        node.left = put_into(node.left, v)
    else:
        node.right = put_into(node.right, v)
    return node


def height(node):
    return 0 if node is None else 1 + max(height(node.left), height(node.right))


def a_tree_by_recursion(x, n):
    root = None
    for v in x:
        root = put_into(root, v)
    return height(root)


def letters(x, n):
    root = Letters()
    for i in range(n):
        node = root
        for j in range(i):
            letter = (i * j) % 3
            if letter not in node.children:
                node.children[letter] = Letters()
            node = node.children[letter]
        node.ends = True
    count, ends, todo = 0, 0, [root]
    while todo:
        node = todo.pop()
        count += 1
        ends += node.ends
        for letter in node.children:
            todo.append(node.children[letter])
    return count, ends


def branches(x, n):
    root = Branch(0)
    nodes = [root]
    for i in range(1, n):
        child = Branch(i)
        nodes[i // 2].children.append(child)
        nodes.append(child)
    total, todo = 0, [(root, 0)]
    while todo:
        node, depth = todo.pop()
        total += node.k * depth
        for child in node.children:
            todo.append((child, depth + 1))
    return total


def used_last(x, n):
    head, tail = Double(-1, 0.0), Double(-2, 0.0)
    head.after, tail.before = tail, head
    kept, hits = {}, 0
    for i in range(n):
        key = i * i % 4
        if key in kept:
            node = kept[key]
            hits += 1
            node.before.after = node.after
            node.after.before = node.before
        else:
            node = Double(key, 1.0 * i)
            kept[key] = node
            if len(kept) > 2:
                last = tail.before
                last.before.after = tail
                tail.before = last.before
                del kept[last.k]
        node.before = head
        node.after = head.after
        head.after.before = node
        head.after = node
    return hits, len(kept)


def root_of(element):
    while element.parent is not element:
        element = element.parent
    return element


def sets_that_are_joined(x, n):
    elements = [Element(i) for i in range(n)]
    for i in range(n - 1):
        a, b = root_of(elements[i]), root_of(elements[(i * 2) % n])
        if a is not b:
            a.parent = b
    return sum(1 for each in elements if root_of(each) is each)


def methods_and_classes(x, n):
    head = None
    for v in x:
        head = Chain(v, head)
    return (
        head.total(),
        head < head.rest,
        isinstance(head, Chain),
        type(head).__name__,
        head == head,
        head == head.rest,
        head != head.rest,
        hasattr(head, "v"),
        head in [head.rest, head],
    )


class Sorted:
    def __init__(self, k):
        self.k = k
        self.left = None
        self.right = None

    def insert(self, k):
        if k < self.k:
            if self.left is None:
                self.left = Sorted(k)
            else:
                self.left.insert(k)
        elif self.right:
            self.right.insert(k)
        else:
            self.right = Sorted(k)

    def depth(self):
        return 1 + max(self.left.depth() if self.left else 0, self.right.depth() if self.right else 0)

    def walk(self, out):
        if self.left:
            self.left.walk(out)
        out.append(self.k)
        if self.right:
            self.right.walk(out)
        return out


def methods_that_call_themselves(x, n):
    root = Sorted(x[0])
    for v in x[1:]:
        root.insert(v)
    return root.depth(), root.walk([])


def asked_with_and_and_or(x, n):
    one, other, total = linked(x), linked(x[1:]), 0.0
    while one and other and one.next:
        total += one.value * other.value
        one, other = one.next, other.next
    left = one or other
    both = one and other
    return total, left.value if left else -1.0, both.value if both else -1.0, not both, bool(one and n > 3)


def pairs_swapped(x, n):
    before = head = Node(0.0, linked(x))
    while before.next and before.next.next:
        one = before.next
        two = one.next
        before.next, one.next, two.next = two, two.next, one
        before = one
    return values(head.next)


def none_has_no_attributes(x, n):
    head = linked(x)
    for _ in range(n + 1):
        head = head.next
    return head.value


@pytest.mark.parametrize(
    "program",
    [
        a_list,
        a_list_of_a_dataclass,
        turned_round,
        put_behind_the_last,
        put_in_order,
        taken_out,
        sorted_by_exchange,
        merged,
        a_cycle,
        a_stack,
        a_queue,
        a_tree,
        a_tree_by_recursion,
        letters,
        branches,
        used_last,
        sets_that_are_joined,
        methods_and_classes,
        methods_that_call_themselves,
        asked_with_and_and_or,
        pairs_swapped,
        none_has_no_attributes,
    ],
)
def test_objects_that_loops_make_refer_to_each_other(program):
    ag.check(program, *CALLS[0], then=CALLS[1:])


def test_such_objects_do_not_outlive_the_function():
    with pytest.raises(StateDisagrees, match="holds one more object inside of the others"):
        ag.function(lambda x: linked(x))(CALLS[0][0])


def test_such_objects_are_not_copied():
    @ag.function
    def program(x):
        head = copy.copy(linked(x))
        head.value = 3.0
        return head.next.value

    with pytest.raises(StateDisagrees, match="holds one more object inside of the others"):
        program(CALLS[0][0])


def test_dataclasses_that_compare_what_is_in_them_are_not_compared():
    @ag.function
    def program(x):
        head = None
        for v in x:
            head = Link(v, head)
        return head == head.next

    with pytest.raises(StateDisagrees, match="holds one more object inside of the others"):
        program(CALLS[0][0])


def test_an_id_says_which_object_it_is():
    def told_apart(xs):
        kept, seen = [], set()
        for x in xs:
            node = Node(x)
            kept.append(node)
            seen.add(id(node))
            if x > 1:
                seen.add(id(kept[0]))
        return len(seen), hash(kept[0]) == hash(kept[1]), id(kept[1]) in seen

    ag.check(told_apart, np.array([1.0, 2.0, 0.5]), then=[(np.array([2.0, 2.0]),)])


def test_empty_tuples_are_elements_beside_others():
    def rows_of(xs):
        rows = []
        for x in xs:
            rows.append(())
            if x > 1:
                rows.append((x, x))
        return rows, [len(row) for row in rows]

    ag.check(rows_of, np.array([1.0, 2.0, 0.5]), then=[(np.array([0.0]),)])


@dataclass
class Leaf:
    value: float

    def total(self):
        return self.value


@dataclass
class Operation:
    sign: str
    left: object
    right: object

    def total(self):
        left, right = self.left.total(), self.right.total()
        return left + right if self.sign == "+" else left * right


def test_a_stack_makes_a_tree_of_two_classes():
    def calculated(codes):
        stack = []
        for code in codes:
            if code >= 0:
                stack.append(Leaf(float(code)))
            else:
                right, left = stack.pop(), stack.pop()
                stack.append(Operation("+" if code == -1 else "*", left, right))
        return stack.pop().total()

    ag.check(calculated, np.array([2, 3, -1, 4, -2]), then=[(np.array([2, 3, 4, -1, -2]),), (np.array([7]),)])


def test_dicts_that_come_to_hold_each_other_are_refused_at_their_line():
    def tree(numbers):
        root = None
        for number in numbers:
            node = {"value": number, "left": None, "right": None}
            if root is None:
                root = node
                continue
            here = root
            while True:
                side = "left" if number < here["value"] else "right"
                if here[side] is None:
                    here[side] = node
                    break
                here = here[side]
        return len(numbers)

    def ring(numbers):
        root = {"next": None}
        for number in numbers:
            root["next"] = {"value": number, "next": root}
        return len(root)

    of_tree = r"here\[side\] = node[\s\S]*Let an instance of a class of your own hold it"
    of_ring = r"for number in[\s\S]*refer to each other by index"
    for program, words in (tree, of_tree), (ring, of_ring):
        with pytest.raises(StateDisagrees, match=words):
            ag.function(program)(np.array([3, 1, 2, 5]))


def test_objects_without_attributes_may_refer_to_others():
    class Mark:
        pass

    class Node:
        def __init__(self, value, mark, next):
            self.value, self.mark, self.next = value, mark, next

    def marked(numbers):
        head, last = None, Mark()
        for number in numbers:
            if number > 1:
                last = Mark()
            head = Node(number, last, head)
        same = 0
        while head is not None and head.next is not None:
            if head.mark is head.next.mark:
                same += head.value
            head = head.next
        return same

    ag.check(marked, np.array([3, 1, 1, 5, 1]), then=[(np.array([1, 1]),), (np.array([2, 3, 1]),)])


# ── classes that the function makes ──


def sorted_by_a_tree(numbers):
    factor = len(numbers)

    class Node:
        made = 0

        def __init__(self, value):
            self.value, self.low, self.high = value * factor, None, None
            Node.made += 1

        def insert(self, value):
            if value * factor < self.value:
                if self.low is None:
                    self.low = Node(value)
                else:
                    self.low.insert(value)
            elif self.high is None:
                self.high = Node(value)
            else:
                self.high.insert(value)

    def walk(node):
        return [] if node is None else [*walk(node.low), node.value, *walk(node.high)]

    root = Node(numbers[0])
    for number in numbers[1:]:
        root.insert(number)
    return walk(root), Node.made


def sorted_by_a_chain(numbers):
    @dataclass
    class Link:
        value: int
        next: object = None

    head = None
    for number in numbers:
        if head is None or number < head.value:
            head = Link(number, head)
        else:
            at = head
            while at.next is not None and at.next.value < number:
                at = at.next
            at.next = Link(number, at.next)
    found = []
    while head:
        found.append(head.value)
        head = head.next
    return found


@pytest.mark.parametrize("program", [sorted_by_a_tree, sorted_by_a_chain])
def test_their_class_may_be_made_by_the_function(program):
    ag.check(program, np.array([3, 1, 2, 5]), then=[(np.array([1]),), (np.array([2, 2, 1]),)])


def test_of_two_classes_of_one_statement_in_one_trace_nobody_tells_which_is_which():
    def turned(numbers):
        class Link:
            def __init__(self, value, next):
                self.value, self.next = value, next

        head = None
        for number in numbers:
            head = Link(number, head)
        return head.value

    with pytest.raises(StateDisagrees, match="`head` holds one more object inside of the others"):
        ag.function(lambda x: (turned(x), turned(-x)))(np.array([3, 1, 2]))
