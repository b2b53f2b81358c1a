"""Programs that follow hidden states through time."""

import math

import numpy as np

START = np.array([0.6, 0.4])
MOVES = np.array([[0.7, 0.3], [0.4, 0.6]])
SIGNS = np.array([[0.5, 0.4, 0.1], [0.1, 0.3, 0.6]])


def viterbi(observed):
    """The most likely hidden states."""
    n = len(observed)
    score = np.zeros((n, 2))
    back = np.zeros((n, 2), dtype=int)
    score[0] = np.log(START) + np.log(SIGNS[:, observed[0]])
    for t in range(1, n):
        for state in range(2):
            options = score[t - 1] + np.log(MOVES[:, state])
            back[t, state] = np.argmax(options)
            score[t, state] = options[back[t, state]] + np.log(SIGNS[state, observed[t]])
    path = [np.argmax(score[-1])]
    for t in range(n - 1, 0, -1):
        path.append(back[t, path[-1]])
    path.reverse()
    return path, score[-1].max()


def forward_backward(observed):
    """How likely each state was at each time, and how likely the signs are."""
    n = len(observed)
    forward, scale = np.zeros((n, 2)), np.zeros(n)
    for t in range(n):
        prior = START if t == 0 else forward[t - 1] @ MOVES
        forward[t] = prior * SIGNS[:, observed[t]]
        scale[t] = forward[t].sum()
        forward[t] /= scale[t]
    backward = np.ones((n, 2))
    for t in reversed(range(n - 1)):
        backward[t] = MOVES @ (SIGNS[:, observed[t + 1]] * backward[t + 1])
        backward[t] /= backward[t].sum()
    both = forward * backward
    return both / both.sum(axis=1, keepdims=True), np.log(scale).sum()


def beam_search(scores, width=2):
    """The best sequences of codes; no code comes twice in a row."""
    beams = [([], 0.0)]
    for step in range(3):
        candidates = []
        for sequence, total in beams:
            for code in range(3):
                if sequence and sequence[-1] == code:
                    continue
                candidates.append(([*sequence, code], total + scores[step, code]))
        candidates.sort(key=lambda pair: pair[1], reverse=True)
        beams = candidates[:width]
    return beams[0]


def kalman(measurements, noise):
    """A filter for a place and a speed; measurements that are not there are nan."""
    state, covariance = np.zeros(2), np.eye(2) * 10
    transition = np.array([[1.0, 1.0], [0.0, 1.0]])
    observe = np.array([1.0, 0.0])
    places, rejected = [], 0
    for measured in measurements:
        state = transition @ state
        covariance = transition @ covariance @ transition.T + 0.01 * np.eye(2)
        if math.isnan(measured):
            places.append(state[0])
            continue
        surprise = measured - observe @ state
        spread = observe @ covariance @ observe + noise
        if surprise**2 / spread > 9:
            rejected += 1
        else:
            gain = covariance @ observe / spread
            state = state + gain * surprise
            covariance = covariance - np.outer(gain, observe) @ covariance
        places.append(state[0])
    return np.array(places), rejected


def particle_filter(rng, measurements, count=20):
    """Particles that are resampled where too few of them carry the weight."""
    particles = rng.normal(0.0, 1.0, count)
    weights = np.ones(count) / count
    resampled, estimates = 0, []
    for measured in measurements:
        particles = particles + rng.normal(0.1, 0.2, count)
        weights = weights * np.exp(-0.5 * ((measured - particles) / 0.5) ** 2) + 1e-300
        weights = weights / weights.sum()
        estimates.append(weights @ particles)
        if 1 / (weights**2).sum() < count / 2:
            edges = np.cumsum(weights)
            start = rng.random() / count
            chosen, j = np.zeros(count, dtype=int), 0
            for i in range(count):
                while j < count - 1 and edges[j] < start + i / count:
                    j += 1
                chosen[i] = j
            particles, weights = particles[chosen], np.ones(count) / count
            resampled += 1
    return estimates, resampled


class Welford:
    """A running mean and variance."""

    def __init__(self):
        self.count = 0
        self.mean = 0.0
        self.squares = 0.0

    def add(self, value):
        self.count += 1
        gap = value - self.mean
        self.mean += gap / self.count
        self.squares += gap * (value - self.mean)

    @property
    def variance(self):
        return self.squares / (self.count - 1) if self.count > 1 else float("nan")


def running_statistics(values, limit):
    """The mean and variance of what is below a limit."""
    statistics = Welford()
    for value in values:
        if value <= limit:
            statistics.add(value)
    return statistics.count, statistics.mean, statistics.variance


def run_lengths(codes):
    """Runs of equal codes, as pairs, and back again."""
    runs = []
    for code in codes:
        if runs and runs[-1][0] == code:
            runs[-1] = (code, runs[-1][1] + 1)
        else:
            runs.append((code, 1))
    again = []
    for code, count in runs:
        again.extend([code] * count)
    return runs, again


def moving_median(values, width=3):
    """The median of a window that moves."""
    out = np.empty_like(values)
    for i in range(len(values)):
        low, high = max(0, i - width // 2), min(len(values), i + width // 2 + 1)
        window = sorted(values[low:high])
        middle = len(window) // 2
        out[i] = window[middle] if len(window) % 2 else (window[middle - 1] + window[middle]) / 2
    return out


def histogram(values, edges):
    """How many values are in each bin; those outside are counted, too."""
    counts = [0] * (len(edges) - 1)
    below = above = 0
    for value in values:
        if value < edges[0]:
            below += 1
            continue
        for k in range(len(counts)):
            if value < edges[k + 1]:
                counts[k] += 1
                break
        else:
            above += 1
    return counts, below, above
