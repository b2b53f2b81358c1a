"""A ball that bounces: an adaptive Runge-Kutta solver that stops where an event happens.

The solver chooses its steps by their error. It halves the step in which the ball goes through the floor until
the time of the bounce is known, turns the ball around, and goes on.

``python examples/bouncing_ball.py``
"""

from __future__ import annotations

import sys

import numpy as np
from beside import beside


def fall(state):
    """How height and speed change: gravity, and air that slows the ball."""
    _, speed = state
    return speed, -9.81 - 0.05 * speed * abs(speed)


def step(state, dt):
    """One step of Bogacki and Shampine: the state after it, and how wrong it may be."""
    (y, v), (y1, v1) = state, fall(state)
    y2, v2 = fall((y + dt / 2 * y1, v + dt / 2 * v1))
    y3, v3 = fall((y + dt * 3 / 4 * y2, v + dt * 3 / 4 * v2))
    after = y + dt / 9 * (2 * y1 + 3 * y2 + 4 * y3), v + dt / 9 * (2 * v1 + 3 * v2 + 4 * v3)
    y4, v4 = fall(after)
    error = dt / 72 * (abs(-5 * y1 + 6 * y2 + 8 * y3 - 9 * y4) + abs(-5 * v1 + 6 * v2 + 8 * v3 - 9 * v4))
    return after, error


def bounces(height, bounciness, seconds, tolerance):
    """The times at which the ball hits the floor, and the number of steps that were computed."""
    time, dt, state = 0.0, 0.1, (height, 0.0)
    hits, steps = [], 0
    while time < seconds and dt > 1e-12:
        after, error = step(state, dt)
        steps += 1
        if error > tolerance or after[0] < -tolerance:
            dt = dt / 2
        elif after[0] < tolerance and after[1] < 0:
            time = time + dt
            hits.append(time)
            state = 0.0, -bounciness * after[1]
            dt = 0.1 * state[1]
        else:
            time, state = time + dt, after
            if error < tolerance / 16:
                dt = dt * 2
    return hits, steps


def main(seconds=5.0):
    """The bounces of a ball from two metres."""
    hits, steps = beside(bounces, np.float64(2.0), np.float64(0.8), np.float64(seconds), np.float64(1e-6))
    print(
        f"{len(hits)} bounces in {steps} steps, at {', '.join(f'{hit:.3f}' for hit in hits[:8])} ... seconds"
    )
    return hits


if __name__ == "__main__":
    main(*map(float, sys.argv[1:]))
