"""Programs that read codes: state machines, tokenisers, parsers, small computers."""

import enum
from collections import namedtuple
from dataclasses import dataclass, field

import numpy as np


class Light(enum.Enum):
    """What a traffic light shows."""

    RED = 0
    GREEN = 1
    YELLOW = 2

    def following(self):
        return {Light.RED: Light.GREEN, Light.GREEN: Light.YELLOW, Light.YELLOW: Light.RED}[self]


def traffic(cars):
    """A light that stays green while cars come."""
    light, waiting, changes = Light.RED, 0, 0
    for coming in cars:
        waiting += coming
        if light is Light.GREEN:
            waiting = max(0, waiting - 2)
            if waiting == 0:
                light, changes = light.following(), changes + 1
        elif light is Light.RED and waiting < 3:
            pass
        else:
            light, changes = light.following(), changes + 1
    return light, waiting, changes


class Kind(enum.IntEnum):
    """Kinds of tokens."""

    NUMBER = 1
    PLUS = 2
    TIMES = 3
    OPEN = 4
    CLOSE = 5


Token = namedtuple("Token", "kind value")


def tokenise(codes):
    """Digits (0 to 9) and signs (10 for plus, 11 for times, 12 and 13 for brackets) as tokens."""
    tokens = []
    number = None
    for code in codes:
        if 0 <= code <= 9:
            number = code if number is None else number * 10 + code
            continue
        if number is not None:
            tokens.append((Kind.NUMBER, number))
            number = None
        if code == 10:
            tokens.append((Kind.PLUS, 0))
        elif code == 11:
            tokens.append((Kind.TIMES, 0))
        elif code == 12:
            tokens.append((Kind.OPEN, 0))
        elif code == 13:
            tokens.append((Kind.CLOSE, 0))
        else:
            raise ValueError(f"unknown code {code}")
    if number is not None:
        tokens.append((Kind.NUMBER, number))
    return tokens


def calculate(codes):
    """The value of a formula of digits and signs, with two stacks."""
    values, signs = [], []

    def reduce():
        right, left = values.pop(), values.pop()
        values.append(left + right if signs.pop() == 10 else left * right)

    in_number = False
    for code in codes:
        if code <= 9:
            if in_number:
                values[-1] = values[-1] * 10 + code
            else:
                values.append(code)
            in_number = True
            continue
        in_number = False
        while signs and (signs[-1] == 11 or code == 10):
            reduce()
        signs.append(code)
    while signs:
        reduce()
    return values[0]


def brackets(codes):
    """Where brackets do not match: 1 and -1, 2 and -2; None where they do."""
    stack = []
    for position, code in enumerate(codes):
        if code > 0:
            stack.append(code)
        elif code < 0:
            if not stack or stack[-1] != -code:
                return position
            stack.pop()
    return None if not stack else len(codes)


@dataclass
class Machine:
    """A computer with two registers."""

    accumulator: int = 0
    counter: int = 0
    position: int = 0
    trace: list = field(default_factory=list)

    def step(self, operation, argument):
        match operation:
            case 0:
                self.accumulator += argument
            case 1:
                self.counter = argument
            case 2:
                self.counter -= 1
                if self.counter > 0:
                    self.position = argument
                    return
            case 3:
                self.trace.append(self.accumulator)
            case _:
                raise RuntimeError("an unknown operation")
        self.position += 1


def run_machine(program, limit=50):
    """Runs a program until it leaves its last line."""
    machine = Machine()
    steps = 0
    while machine.position < len(program):
        machine.step(program[machine.position, 0], program[machine.position, 1])
        steps += 1
        if steps >= limit:
            raise TimeoutError(f"{steps} steps")
    return machine.accumulator, machine.trace, steps


def elevator(calls):
    """An elevator with three modes, named by strings."""
    mode, floor, moved = "idle", 0, 0
    stops = []
    for target in calls:
        while floor != target:
            mode = "up" if target > floor else "down"
            floor += 1 if mode == "up" else -1
            moved += 1
        mode = "idle"
        if floor not in stops:
            stops.append(floor)
    return mode, floor, moved, stops


def vending(coins, price=25):
    """A machine that sells, and gives change; it refuses coins that it does not know."""
    credit, sold = 0, 0
    change = []
    for coin in coins:
        if coin not in (5, 10, 25):
            change.append(coin)
            continue
        credit += coin
        while credit >= price:
            credit -= price
            sold += 1
    for size in (25, 10, 5):
        while credit >= size:
            credit -= size
            change.append(size)
    return sold, change, {"credit": credit}


def checksum(digits):
    """Luhn's check, and the digit that would make it right."""
    total = 0
    for index, digit in enumerate(reversed(digits)):
        value = digit * 2 if index % 2 else digit
        total += value - 9 if value > 9 else value
    is_valid = total % 10 == 0
    return bool(is_valid), (10 - total % 10) % 10


def robot(moves):
    """Turns left (0), right (1) and goes (2) on a torus; where it has been is marked."""
    visited = np.zeros((4, 4), dtype=bool)
    place, heading = np.array([0, 0]), np.array([0, 1])
    visited[tuple(place)] = True
    for move in moves:
        if move == 0:
            heading = np.array([-heading[1], heading[0]])
        elif move == 1:
            heading = np.array([heading[1], -heading[0]])
        else:
            place = (place + heading) % 4
            visited[place[0], place[1]] = True
    return place, visited, visited.sum()


def levels(codes):
    """The depth of a nest in which 1 opens and 0 closes, by functions that call each other."""
    deepest = 0

    def inside(position, depth):
        nonlocal deepest
        deepest = max(deepest, depth)
        if position == len(codes):
            return depth
        return opened(position + 1, depth) if codes[position] == 1 else closed(position + 1, depth)

    def opened(position, depth):
        return inside(position, depth + 1)

    def closed(position, depth):
        if depth == 0:
            raise SyntaxError("nothing is open")
        return inside(position, depth - 1)

    return inside(0, 0), deepest


class Instruction(enum.IntEnum):
    """What a machine with a stack does."""

    PUSH = 0
    ADD = 1
    MULTIPLY = 2
    REPEAT = 3
    EXCHANGE = 4
    LEAVE_IF_ZERO = 5
    STOP = 6


@dataclass
class StackMachine:
    """A machine with a stack, and nothing else."""

    stack: list = field(default_factory=list)
    place: int = 0
    steps: int = 0

    def run(self, program):
        while True:
            instruction, argument = Instruction(program[self.place][0]), program[self.place][1]
            self.place += 1
            self.steps += 1
            match instruction:
                case Instruction.PUSH:
                    self.stack.append(argument)
                case Instruction.ADD:
                    self.stack.append(self.stack.pop() + self.stack.pop())
                case Instruction.MULTIPLY:
                    self.stack.append(self.stack.pop() * self.stack.pop())
                case Instruction.REPEAT:
                    self.stack.append(self.stack[-1])
                case Instruction.EXCHANGE:
                    self.stack[-1], self.stack[-2] = self.stack[-2], self.stack[-1]
                case Instruction.LEAVE_IF_ZERO:
                    if self.stack.pop() == 0:
                        self.place = argument
                case Instruction.STOP:
                    return self.stack[-1]
            if self.steps > 50:
                raise RuntimeError("too many steps")


def stack_machine(program):
    """Runs a program of pairs; codes that are no instructions raise."""
    machine = StackMachine()
    return machine.run(program), machine.stack, machine.steps


class TooLittleError(Exception):
    """A machine has not what was asked of it."""

    def __init__(self, wanted, left):
        super().__init__(f"{wanted} wanted, {left} short")
        self.wanted, self.left = wanted, left


def cash(amounts):
    """A machine that gives notes as long as it has some, and says how much it is short."""
    notes, log = {50: 2, 20: 3, 10: 5}, []
    for amount in amounts:
        try:
            rest, given = amount, {}
            for note in sorted(notes, reverse=True):
                count = min(rest // note, notes[note])
                if count:
                    given[note] = count
                    rest -= count * note
            if rest > 0:
                raise TooLittleError(amount, rest)
            for note, count in given.items():
                notes[note] -= count
            log.append(sum(given.values()))
        except TooLittleError as error:
            log.append(-error.left)
    return log, notes
