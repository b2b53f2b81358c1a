"""Programs about signals, curves and pictures."""

import cmath
import math

import numpy as np


def fft(signal):
    """The fast transform, by halves."""
    n = len(signal)
    if n == 1:
        return signal
    even, odd = fft(signal[::2]), fft(signal[1::2])
    turn = np.exp(-2j * np.pi * np.arange(n // 2) / n) * odd
    return np.concatenate([even + turn, even - turn])


def fft_in_place(signal):
    """The same with loops and swapped bits."""
    x = signal.astype(complex)
    n = len(x)
    j = 0
    for i in range(1, n):
        bit = n >> 1
        while j & bit:
            j ^= bit
            bit >>= 1
        j ^= bit
        if i < j:
            x[i], x[j] = x[j], x[i]
    length = 2
    while length <= n:
        root = cmath.exp(-2j * math.pi / length)
        for start in range(0, n, length):
            factor = 1 + 0j
            for k in range(length // 2):
                one, other = x[start + k], factor * x[start + k + length // 2]
                x[start + k], x[start + k + length // 2] = one + other, one - other
                factor *= root
        length *= 2
    return x


def convolve(signal, kernel):
    """A convolution with a border of zeros."""
    n, m = len(signal), len(kernel)
    out = np.zeros(n + m - 1)
    for i in range(n):
        if signal[i] == 0:
            continue
        for j in range(m):
            out[i + j] += signal[i] * kernel[j]
    return out


def blur(picture, kernel):
    """A convolution in two directions, with a border that is repeated."""
    rows, columns = picture.shape
    padded = np.pad(picture, 1, mode="edge")
    out = np.empty_like(picture)
    for r in range(rows):
        for c in range(columns):
            out[r, c] = (padded[r : r + 3, c : c + 3] * kernel).sum()
    return out.clip(0, 1)


def spline(xs, ys, at):
    """A natural cubic spline: Thomas' algorithm, and a search for the piece."""
    n = len(xs)
    h = xs[1:] - xs[:-1]
    upper, right = np.zeros(n), np.zeros(n)
    for i in range(1, n - 1):
        slope = 3 * ((ys[i + 1] - ys[i]) / h[i] - (ys[i] - ys[i - 1]) / h[i - 1])
        pivot = 2 * (xs[i + 1] - xs[i - 1]) - h[i - 1] * upper[i - 1]
        upper[i] = h[i] / pivot
        right[i] = (slope - h[i - 1] * right[i - 1]) / pivot
    c = np.zeros(n)
    for i in reversed(range(n - 1)):
        c[i] = right[i] - upper[i] * c[i + 1]
    piece = 0
    while piece < n - 2 and at > xs[piece + 1]:
        piece += 1
    gap = at - xs[piece]
    b = (ys[piece + 1] - ys[piece]) / h[piece] - h[piece] * (c[piece + 1] + 2 * c[piece]) / 3
    d = (c[piece + 1] - c[piece]) / (3 * h[piece])
    return ys[piece] + b * gap + c[piece] * gap**2 + d * gap**3, piece


def mandelbrot(width, limit):
    """How soon points of a grid escape."""
    out = np.zeros((3, 4), dtype=int)
    for row in range(3):
        for column in range(4):
            c = complex(-2 + column * width, -1 + row)
            z, steps = 0j, 0
            while abs(z) <= 2 and steps < limit:
                z = z * z + c
                steps += 1
            out[row, column] = steps
    return out


def mandelbrot_at_once(c, limit):
    """The same with arrays, and masks."""
    z, steps = np.zeros_like(c), np.zeros(c.shape, dtype=int)
    for _ in range(limit):
        inside = np.abs(z) <= 2
        if not inside.any():
            break
        z[inside] = z[inside] ** 2 + c[inside]
        steps[inside] += 1
    return steps


class Sphere:
    """A ball in space."""

    def __init__(self, centre, radius):
        self.centre, self.radius = np.array(centre), radius

    def distance(self, point):
        return np.linalg.norm(point - self.centre) - self.radius


class Floor:
    """A floor below everything."""

    def distance(self, point):
        return point[1] + 1.0


SCENE = [Sphere([0.0, 0.0, 3.0], 1.0), Sphere([1.0, 0.5, 4.0], 0.5), Floor()]


def ray_march(direction):
    """What a ray meets: how far, how many steps, and the number of the thing; None where it meets nothing."""
    origin, travelled = np.zeros(3), 0.0
    direction = direction / np.linalg.norm(direction)
    for step in range(40):
        point = origin + travelled * direction
        nearest, which = math.inf, -1
        for index, thing in enumerate(SCENE):
            distance = thing.distance(point)
            if distance < nearest:
                nearest, which = distance, index
        if nearest < 1e-3:
            return travelled, step, which
        travelled += nearest
        if travelled > 20:
            break
    return None


def peaks(signal, least):
    """Where a signal has peaks that are high enough and far enough apart."""
    found = []
    for i in range(1, len(signal) - 1):
        if signal[i - 1] < signal[i] >= signal[i + 1] and signal[i] >= least:
            if found and i - found[-1] < 3:
                if signal[i] > signal[found[-1]]:
                    found[-1] = i
            else:
                found.append(i)
    return found


def low_pass(signal, alpha, *, start=None):
    """Exponential smoothing that may be told where to start."""
    smooth = signal[0] if start is None else start
    out = [smooth]
    for value in signal[1:]:
        smooth = alpha * value + (1 - alpha) * smooth
        out.append(smooth)
    return np.array(out)


def simpson(a, b, tolerance):
    """Adaptive integration, with a function that calls itself."""
    f = lambda x: math.sin(x) * x
    calls = 0

    def rule(low, high):
        return (high - low) / 6 * (f(low) + 4 * f((low + high) / 2) + f(high))

    def integrate(low, high, whole, tolerance):
        nonlocal calls
        calls += 1
        middle = (low + high) / 2
        left, right = rule(low, middle), rule(middle, high)
        if abs(left + right - whole) < 15 * tolerance:
            return left + right
        return integrate(low, middle, left, tolerance / 2) + integrate(middle, high, right, tolerance / 2)

    return integrate(a, b, rule(a, b), tolerance), calls


def hull(points):
    """The points around all others."""
    ordered = points[np.lexsort((points[:, 1], points[:, 0]))]

    def half(sequence):
        chain = []
        for point in sequence:
            while len(chain) >= 2:
                (x0, y0), (x1, y1) = chain[-2], chain[-1]
                if (x1 - x0) * (point[1] - y0) - (y1 - y0) * (point[0] - x0) > 0:
                    break
                chain.pop()
            chain.append(point)
        return chain

    lower, upper = half(ordered), half(ordered[::-1])
    return np.array(lower[:-1] + upper[:-1])
