"""Structures that programs link together: stacks, queues, trees, tries, tapes."""

import math
from dataclasses import dataclass


class MinStack:
    """A stack that knows its least element."""

    def __init__(self):
        self.items, self.least = [], []

    def push(self, item):
        self.items.append(item)
        self.least.append(item if not self.least else min(item, self.least[-1]))

    def pop(self):
        self.least.pop()
        return self.items.pop()

    def __len__(self):
        return len(self.items)

    def __iter__(self):
        return iter(reversed(self.items))


def least_on_stack(operations):
    """The least element after each operation: a number is pushed, and -1 takes one away."""
    stack, seen = MinStack(), []
    for operation in operations:
        if operation >= 0:
            stack.push(operation)
        elif stack:
            stack.pop()
        seen.append(stack.least[-1] if stack else -1)
    return seen, len(stack), list(stack)


class Link:
    """One of a chain."""

    def __init__(self, item):
        self.item, self.next = item, None


class Queue:
    """A queue of links."""

    def __init__(self):
        self.head = self.tail = None
        self.size = 0

    def push(self, item):
        link = Link(item)
        if self.tail is None:
            self.head = self.tail = link
        else:
            self.tail.next = link
            self.tail = link
        self.size += 1

    def pop(self):
        item = self.head.item
        self.head = self.head.next
        if self.head is None:
            self.tail = None
        self.size -= 1
        return item


def josephus(people, step):
    """Who leaves a circle, in order, where each so-manieth has to."""
    queue, order = Queue(), []
    for person in range(people):
        queue.push(person)
    while queue.size > 0:
        for _ in range(step - 1):
            queue.push(queue.pop())
        order.append(queue.pop())
    return order


class Letters:
    """A node of a trie."""

    def __init__(self):
        self.following, self.count = {}, 0


def prefixes(words, asked):
    """How many words begin with each of some prefixes, by a trie of codes."""
    root = Letters()
    for word in words:
        node = root
        for code in word:
            if code not in node.following:
                node.following[code] = Letters()
            node = node.following[code]
            node.count += 1
    counts = []
    for prefix in asked:
        node = root
        for code in prefix:
            if code not in node.following:
                node = None
                break
            node = node.following[code]
        counts.append(0 if node is None else node.count)
    return counts


@dataclass
class Number:
    """A leaf of an expression."""

    value: float

    def evaluate(self):
        return self.value


@dataclass
class Operation:
    """An operator with what it is applied to."""

    sign: str
    left: object
    right: object

    def evaluate(self):
        left, right = self.left.evaluate(), self.right.evaluate()
        return left + right if self.sign == "+" else left * right


def expression(codes):
    """The value of a tree that a postfix expression becomes: -1 adds, -2 multiplies."""
    stack = []
    for code in codes:
        if code >= 0:
            stack.append(Number(float(code)))
        else:
            right, left = stack.pop(), stack.pop()
            stack.append(Operation("+" if code == -1 else "*", left, right))
    return stack.pop().evaluate()


class Term:
    """A number that knows what it was computed of, for gradients backwards."""

    def __init__(self, value, parents=(), slopes=()):
        self.value, self.parents, self.slopes, self.gradient = value, parents, slopes, 0.0

    def __add__(self, other):
        return Term(self.value + other.value, (self, other), (1.0, 1.0))

    def __mul__(self, other):
        return Term(self.value * other.value, (self, other), (other.value, self.value))

    def tanh(self):
        found = math.tanh(self.value)
        return Term(found, (self,), (1 - found * found,))

    def backward(self):
        order, seen = [], set()

        def visit(term):
            if id(term) not in seen:
                seen.add(id(term))
                for parent in term.parents:
                    visit(parent)
                order.append(term)

        visit(self)
        self.gradient = 1.0
        for term in reversed(order):
            for parent, slope in zip(term.parents, term.slopes, strict=True):
                parent.gradient += slope * term.gradient


def fit_by_terms(inputs, targets, steps, rate=0.1):
    """A neuron, trained by gradients of a graph of terms that each step makes anew."""
    weight, shift, loss = 0.1, 0.0, 0.0
    for _ in range(steps):
        slope, offset, total = Term(weight), Term(shift), Term(0.0)
        for x, y in zip(inputs, targets, strict=True):
            error = (slope * Term(x) + offset).tanh() + Term(-y)
            total = total + error * error
        total.backward()
        weight -= rate * slope.gradient
        shift -= rate * offset.gradient
        loss = total.value
    return weight, shift, loss
