"""Programs that find roots and follow differential equations."""

import math

import numpy as np


class DoesNotConverge(ArithmeticError):
    """A method that ran out of rounds."""


def cubic(x):
    """Has its root near 1.32."""
    return x**3 - x - 1


def bisection(low, high, tolerance=1e-10):
    """Halves an interval in which the sign changes."""
    if cubic(low) * cubic(high) > 0:
        raise ValueError(f"no change of sign between {low} and {high}")
    rounds = 0
    while high - low > tolerance:
        middle = (low + high) / 2
        if cubic(middle) == 0:
            return middle, rounds
        if cubic(low) * cubic(middle) < 0:
            high = middle
        else:
            low = middle
        rounds += 1
    return (low + high) / 2, rounds


def secant(x0, x1, limit):
    """Goes where the line through two points is zero."""
    for n in range(limit):
        f0, f1 = cubic(x0), cubic(x1)
        if f1 == f0:
            raise ZeroDivisionError("a flat line")
        x0, x1 = x1, x1 - f1 * (x1 - x0) / (f1 - f0)
        if abs(x1 - x0) < 1e-12:
            return x1, n + 1
    raise DoesNotConverge(f"after {limit} rounds at {x1:.6f}")


def brent(a, b):
    """Brent's method, with its flag of whether the last step was a bisection."""
    fa, fb = cubic(a), cubic(b)
    if fa * fb >= 0:
        return None
    if abs(fa) < abs(fb):
        a, b, fa, fb = b, a, fb, fa
    c, fc, bisected = a, fa, True
    d = None
    for rounds in range(100):
        if fb == 0 or abs(b - a) < 1e-12:
            break
        if fa != fc and fb != fc:
            s = (
                a * fb * fc / ((fa - fb) * (fa - fc))
                + b * fa * fc / ((fb - fa) * (fb - fc))
                + c * fa * fb / ((fc - fa) * (fc - fb))
            )
        else:
            s = b - fb * (b - a) / (fb - fa)
        lowest, highest = sorted([(3 * a + b) / 4, b])
        if not lowest < s < highest or (
            abs(s - b) >= abs(b - c) / 2 if bisected or d is None else abs(s - b) >= abs(c - d) / 2
        ):
            s, bisected = (a + b) / 2, True
        else:
            bisected = False
        fs = cubic(s)
        d, c, fc = c, b, fb
        if fa * fs < 0:
            b, fb = s, fs
        else:
            a, fa = s, fs
        if abs(fa) < abs(fb):
            a, b, fa, fb = b, a, fb, fa
    return b, rounds


def runge_kutta_45(y0, end, tolerance):
    """Fehlberg's pair with a step that fits the error."""

    def f(t, y):
        return np.array([y[1], (1 - y[0] ** 2) * y[1] - y[0]])

    t, y, h = 0.0, y0, 0.1
    accepted, rejected = 0, 0
    times = [t]
    while t < end:
        h = min(h, end - t)
        k1 = f(t, y)
        k2 = f(t + h / 4, y + h * k1 / 4)
        k3 = f(t + 3 * h / 8, y + h * (3 * k1 + 9 * k2) / 32)
        k4 = f(t + 12 * h / 13, y + h * (1932 * k1 - 7200 * k2 + 7296 * k3) / 2197)
        k5 = f(t + h, y + h * (439 * k1 / 216 - 8 * k2 + 3680 * k3 / 513 - 845 * k4 / 4104))
        k6 = f(
            t + h / 2,
            y + h * (-8 * k1 / 27 + 2 * k2 - 3544 * k3 / 2565 + 1859 * k4 / 4104 - 11 * k5 / 40),
        )
        fourth = y + h * (25 * k1 / 216 + 1408 * k3 / 2565 + 2197 * k4 / 4104 - k5 / 5)
        fifth = y + h * (16 * k1 / 135 + 6656 * k3 / 12825 + 28561 * k4 / 56430 - 9 * k5 / 50 + 2 * k6 / 55)
        error = np.abs(fifth - fourth).max()
        if error <= tolerance:
            t, y = t + h, fifth
            times.append(t)
            accepted += 1
        else:
            rejected += 1
        h *= min(4.0, max(0.1, 0.9 * (tolerance / max(error, 1e-15)) ** 0.2))
    return y, times, accepted, rejected


def bouncing_ball(height, bounce, end):
    """A ball that hits the floor between two steps."""
    position, speed, t, step = height, 0.0, 0.0, 0.01
    events = []
    while t < end:
        new_speed = speed - 9.81 * step
        new_position = position + 0.5 * (speed + new_speed) * step
        if new_position < 0:
            low, high = 0.0, step
            for _ in range(30):
                middle = (low + high) / 2
                if position + speed * middle - 0.5 * 9.81 * middle**2 < 0:
                    high = middle
                else:
                    low = middle
            events.append(t + low)
            new_speed = -bounce * (speed - 9.81 * low)
            new_position = 0.0
            if new_speed < 0.1:
                break
        position, speed, t = new_position, new_speed, t + step
    return events, position, speed


def newton_system(start):
    """Newton's method for two equations; it says so where it does not converge."""
    x = start
    for round_ in range(1, 21):
        residual = np.array([x[0] ** 2 + x[1] ** 2 - 4, math.exp(x[0]) + x[1] - 1])
        if np.all(np.abs(residual) < 1e-10):
            return {"root": x, "rounds": round_}
        jacobian = np.array([[2 * x[0], 2 * x[1]], [math.exp(x[0]), 1.0]])
        x = x - np.linalg.solve(jacobian, residual)
    raise DoesNotConverge("no root")


def heat(rod, steps, alpha=0.2):
    """Heat along a rod with fixed ends, in place."""
    change = np.inf
    for step in range(steps):
        new = rod.copy()
        for i in range(1, len(rod) - 1):
            new[i] = rod[i] + alpha * (rod[i - 1] - 2 * rod[i] + rod[i + 1])
        change = np.max(np.abs(new - rod))
        rod[:] = new
        if change < 1e-3:
            break
    return change


def leapfrog(bodies, velocities, masses, steps):
    """Bodies that pull each other."""

    def pull(at):
        out = np.zeros_like(at)
        for i in range(len(at)):
            for j in range(len(at)):
                if i != j:
                    gap = at[j] - at[i]
                    out[i] += masses[j] * gap / (gap @ gap + 0.01) ** 1.5
        return out

    acceleration = pull(bodies)
    for _ in range(steps):
        velocities = velocities + 0.005 * acceleration
        bodies = bodies + 0.01 * velocities
        acceleration = pull(bodies)
        velocities = velocities + 0.005 * acceleration
    energy = 0.5 * (masses * (velocities**2).sum(axis=1)).sum()
    return bodies, energy


def heun(y, end, tolerance):
    """Steps as long as two orders agree: what a power rounds otherwise leads elsewhere."""
    t, h = 0.0, 0.1
    times, found, rejected = [t], [y], 0
    while t < end:
        h = min(h, end - t)
        first = -2.0 * y + np.sin(t)
        second = -2.0 * (y + h * first) + np.sin(t + h)
        low, high = y + h * first, y + h * (first + second) / 2
        error = abs(high - low)
        if error <= tolerance:
            t += h
            y = high
            times.append(t)
            found.append(y)
        else:
            rejected += 1
        h *= min(2.0, max(0.2, 0.9 * (tolerance / (error + 1e-16)) ** 0.5))
    return np.array(times), np.array(found), rejected
