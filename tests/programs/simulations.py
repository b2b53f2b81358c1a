"""Programs that imitate a little world with classes."""

import heapq
from collections import OrderedDict, deque
from dataclasses import dataclass
from itertools import pairwise

import numpy as np


def life(board, generations):
    """Conway's game; it stops when nothing changes."""
    for generation in range(generations):
        neighbours = np.zeros_like(board)
        for down in (-1, 0, 1):
            for right in (-1, 0, 1):
                if down or right:
                    neighbours += np.roll(board, (down, right), axis=(0, 1))
        new = np.where((neighbours == 3) | ((board == 1) & (neighbours == 2)), 1, 0)
        if np.array_equal(new, board):
            return board, generation
        board = new
    return board, generations


def life_cell_by_cell(board):
    """One generation, with a border that is dead."""
    rows, columns = board.shape
    new = board.copy()
    births = deaths = 0
    for r in range(rows):
        for c in range(columns):
            alive = 0
            for i in range(max(0, r - 1), min(rows, r + 2)):
                for j in range(max(0, c - 1), min(columns, c + 2)):
                    alive += board[i, j]
            alive -= board[r, c]
            if board[r, c] and alive not in (2, 3):
                new[r, c] = 0
                deaths += 1
            elif not board[r, c] and alive == 3:
                new[r, c] = 1
                births += 1
    return new, births, deaths


class Bank:
    """Counters, and a queue in front of them."""

    def __init__(self, counters):
        self.free_at = [0.0] * counters
        self.waited = 0.0
        self.served = 0

    def serve(self, arrival, needs):
        counter = self.free_at.index(min(self.free_at))
        start = max(arrival, self.free_at[counter])
        self.free_at[counter] = start + needs
        self.waited += start - arrival
        self.served += 1


def bank_queue(arrivals, needs):
    """How long customers wait on average; who would wait too long goes away."""
    bank, gone = Bank(2), 0
    for arrival, need in zip(arrivals, needs):
        if min(bank.free_at) - arrival > 3:
            gone += 1
            continue
        bank.serve(arrival, need)
    return bank.waited / bank.served, gone, bank.free_at


class Account:
    """Money that cannot become less than nothing."""

    def __init__(self, balance):
        self.balance = balance
        self.log = []

    def withdraw(self, amount):
        if amount > self.balance:
            raise ValueError(f"only {self.balance} left")
        self.balance -= amount
        self.log.append(-amount)

    def deposit(self, amount):
        self.balance += amount
        self.log.append(amount)


def transfers(balance, amounts):
    """Money goes to and fro; what fails is counted."""
    one, other = Account(balance), Account(0.0)
    failed = 0
    for amount in amounts:
        giver, taker = (one, other) if amount > 0 else (other, one)
        try:
            giver.withdraw(abs(amount))
        except ValueError:
            failed += 1
        else:
            taker.deposit(abs(amount))
    return one.balance, other.balance, one.log, other.log, failed


def predator_prey(hares, foxes, years):
    """Hares and foxes, season by season."""
    history = []
    for year in range(years):
        eaten = min(hares, 0.01 * hares * foxes)
        hares = hares + 0.3 * hares - eaten
        foxes = foxes + 0.2 * eaten - 0.1 * foxes
        if foxes < 1:
            foxes = 0.0
        if hares > 500:
            hares = 500.0
        history.append((hares, foxes))
        if hares < 1:
            print("no hares in year", year)
            break
    return hares, foxes, len(history), max(h for h, _ in history)


class Cache:
    """The least recently used items go first."""

    def __init__(self, size):
        self.size = size
        self.items = OrderedDict()
        self.hits = self.misses = 0

    def get(self, key):
        if key in self.items:
            self.items.move_to_end(key)
            self.hits += 1
            return self.items[key]
        self.misses += 1
        self.items[key] = key * key
        if len(self.items) > self.size:
            self.items.popitem(last=False)
        return self.items[key]


def cached_squares(factor):
    """Squares of known keys, from a cache, times a number."""
    cache = Cache(2)
    total = 0
    for key in (1, 2, 1, 3, 2, 1):
        total += cache.get(key) * factor
    return total, cache.hits, cache.misses


class Slots:
    """A cache of arrays: keys, values, and when each was used last."""

    def __init__(self, size):
        self.keys = np.full(size, -1)
        self.values = np.zeros(size)
        self.used = np.zeros(size, dtype=np.int64)
        self.clock = 0

    def get(self, key):
        self.clock += 1
        for slot in range(len(self.keys)):
            if self.keys[slot] == key:
                self.used[slot] = self.clock
                return self.values[slot], True
        slot = self.used.argmin()
        self.keys[slot], self.values[slot], self.used[slot] = key, key**0.5, self.clock
        return self.values[slot], False


def cached_roots(numbers):
    """Roots from a cache that tensors look things up in."""
    cache = Slots(2)
    hits, total = 0, 0.0
    for number in numbers:
        root, hit = cache.get(number)
        hits += hit
        total += root
    return total, hits, cache.keys


@dataclass
class Particle:
    """A point with a speed and a life."""

    position: float
    speed: float
    age: int = 0

    def move(self, step):
        self.position += self.speed * step
        self.age += 1
        if not 0 <= self.position <= 1:
            self.speed = -self.speed
            self.position = min(max(self.position, 0.0), 1.0)


def swarm(step, rounds):
    """Particles between two walls; those that meet swap their speeds."""
    particles = [Particle(0.1, 1.0), Particle(0.5, -0.5), Particle(0.9, 0.25)]
    meetings = 0
    for _ in range(rounds):
        for particle in particles:
            particle.move(step)
        for one, other in pairwise(particles):
            if abs(one.position - other.position) < 0.1:
                one.speed, other.speed = other.speed, one.speed
                meetings += 1
    return [p.position for p in particles], meetings, sum(p.age for p in particles)


def printer_queue(pages, speed):
    """Jobs in a queue of fixed length; what comes when it is full is lost."""
    waiting, done, lost, left = deque(maxlen=3), [], 0, 0
    for minute, new in enumerate(pages):
        if new > 0:
            if len(waiting) == 3:
                lost += 1
            else:
                waiting.append((minute, new))
        if left <= 0 and waiting:
            _, left = waiting.popleft()
        left -= speed
        if left <= 0:
            done.append(minute)
    return done, lost, len(waiting)


def sandpile(piles):
    """Sand topples until no pile has four grains."""
    rows, columns = piles.shape
    topples = 0
    while (piles >= 4).any():
        for r in range(rows):
            for c in range(columns):
                if piles[r, c] < 4:
                    continue
                piles[r, c] -= 4
                topples += 1
                for i, j in ((r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1)):
                    if 0 <= i < rows and 0 <= j < columns:
                        piles[i, j] += 1
    return topples


def thermostat(temperatures, low=18.0, high=22.0):
    """A heater with hysteresis, as a generator that is sent values."""

    def heater():
        is_on, switched = False, 0
        for temperature in temperatures:
            if temperature < low and not is_on:
                is_on, switched = True, switched + 1
            elif temperature > high and is_on:
                is_on, switched = False, switched + 1
            yield is_on, switched

    hours = switches = 0
    for is_on, switches in heater():
        if is_on:
            hours += 1
    return hours, switches


def round_robin(priorities, costs, quantum):
    """When each job is done that gives way, and falls back, after some time."""
    heap, left = [(-priority, job) for job, priority in enumerate(priorities)], list(costs)
    heapq.heapify(heap)
    done, clock = {}, 0
    while heap:
        priority, job = heapq.heappop(heap)
        spent = min(quantum, left[job])
        clock += spent
        left[job] -= spent
        if left[job] > 0:
            heapq.heappush(heap, (priority + 1, job))
        else:
            done[job] = clock
    return clock, done


def prey_and_hunters(steps, dt, **start):
    """Each step in a row of an array."""
    x, y = start.get("x", 10.0), start.get("y", 5.0)
    rows = np.empty((steps + 1, 2))
    rows[0] = x, y
    for k in range(steps):
        dx, dy = x * (1.1 - 0.4 * y), y * (0.1 * x - 0.4)
        x, y = max(0.0, x + dt * dx), max(0.0, y + dt * dy)
        rows[k + 1] = x, y
        if not np.isfinite(rows[k + 1]).all():
            raise FloatingPointError(f"step {k}")
    return rows
