"""Programs that look for the smallest value of a function."""

import math

import numpy as np


def rosenbrock(point):
    """A banana-shaped valley."""
    x, y = point
    return (1 - x) ** 2 + 100 * (y - x**2) ** 2


def slope(point):
    """The gradient of `rosenbrock`."""
    x, y = point
    return np.array([-2 * (1 - x) - 400 * x * (y - x**2), 200 * (y - x**2)])


def line_search(start, steps):
    """Gradient descent with backtracking."""
    point = start.copy()
    history = []
    for _ in range(steps):
        gradient = slope(point)
        norm2 = gradient @ gradient
        if norm2 < 1e-12:
            break
        rate = 1.0
        value = rosenbrock(point)
        while rosenbrock(point - rate * gradient) > value - 0.5 * rate * norm2:
            rate *= 0.5
            if rate < 1e-10:
                break
        point = point - rate * gradient
        history.append(value)
    return point, history


def nelder_mead(start, limit=60):
    """The simplex that crawls downhill."""
    n = len(start)
    simplex = [start]
    for i in range(n):
        corner = start.copy()
        corner[i] += 0.5
        simplex.append(corner)
    values = [rosenbrock(corner) for corner in simplex]
    for _ in range(limit):
        order = np.argsort(values)
        simplex = [simplex[i] for i in order]
        values = [values[i] for i in order]
        if abs(values[-1] - values[0]) < 1e-8:
            break
        centre = np.mean(simplex[:-1], axis=0)
        reflected = centre + (centre - simplex[-1])
        value = rosenbrock(reflected)
        if value < values[0]:
            expanded = centre + 2 * (centre - simplex[-1])
            if rosenbrock(expanded) < value:
                simplex[-1], values[-1] = expanded, rosenbrock(expanded)
            else:
                simplex[-1], values[-1] = reflected, value
        elif value < values[-2]:
            simplex[-1], values[-1] = reflected, value
        else:
            contracted = centre + 0.5 * (simplex[-1] - centre)
            if rosenbrock(contracted) < values[-1]:
                simplex[-1], values[-1] = contracted, rosenbrock(contracted)
            else:
                for i in range(1, n + 1):
                    simplex[i] = simplex[0] + 0.5 * (simplex[i] - simplex[0])
                    values[i] = rosenbrock(simplex[i])
    best = int(np.argmin(values))
    return simplex[best], values[best]


def damped_newton(start, tolerance=1e-9):
    """Newton's method, with a step that is halved until it helps."""

    def hessian(point):
        x, y = point
        return np.array([[2 - 400 * (y - 3 * x**2), -400 * x], [-400 * x, 200.0]])

    point, rounds = start, 0
    while True:
        gradient = slope(point)
        if np.linalg.norm(gradient) < tolerance or rounds >= 50:
            return point, rounds
        direction = np.linalg.solve(hessian(point) + 1e-6 * np.eye(2), -gradient)
        damping = 1.0
        while rosenbrock(point + damping * direction) > rosenbrock(point) and damping > 1e-4:
            damping /= 2
        point = point + damping * direction
        rounds += 1


def annealing(rng, start, rounds):
    """Simulated annealing; the generator is given."""

    def energy(x):
        return x * x / 10 + 3 * math.sin(2 * x)

    current = best = start
    lowest = energy(start)
    temperature, accepted = 5.0, 0
    for step in range(rounds):
        candidate = current + rng.normal(0.0, 1.0)
        change = energy(candidate) - energy(current)
        if change < 0 or rng.random() < math.exp(-change / temperature):
            current = candidate
            accepted += 1
            if energy(current) < lowest:
                best, lowest = current, energy(current)
        temperature *= 0.95
    return best, lowest, accepted


class Adam:
    """An optimiser with state of its own."""

    def __init__(self, rate=0.1, decay=(0.9, 0.999)):
        self.rate, self.decay = rate, decay
        self.moments = None
        self.steps = 0

    def update(self, weights, gradient):
        if self.moments is None:
            self.moments = np.zeros_like(weights), np.zeros_like(weights)
        self.steps += 1
        first, second = self.decay
        mean = first * self.moments[0] + (1 - first) * gradient
        square = second * self.moments[1] + (1 - second) * gradient**2
        self.moments = mean, square
        mean = mean / (1 - first**self.steps)
        square = square / (1 - second**self.steps)
        return weights - self.rate * mean / (np.sqrt(square) + 1e-8)


def fit_with_adam(inputs, targets, epochs):
    """A line through points, with early stopping."""
    optimiser = Adam()
    weights = np.zeros(2)
    best, patience = np.inf, 3
    for epoch in range(epochs):
        error = weights[0] * inputs + weights[1] - targets
        loss = (error**2).mean()
        if loss < best - 1e-4:
            best, patience = loss, 3
        else:
            patience -= 1
            if patience == 0:
                break
        gradient = np.array([(error * inputs).mean(), error.mean()]) * 2
        weights = optimiser.update(weights, gradient)
    else:
        epoch += 1
    return weights, best, epoch, optimiser.steps


def golden_section(low, high, tolerance):
    """The lowest point of a valley between two ends."""
    ratio = (math.sqrt(5) - 1) / 2
    f = lambda x: (x - 2) ** 2 + abs(x - 1)
    left, right = high - ratio * (high - low), low + ratio * (high - low)
    f_left, f_right = f(left), f(right)
    evaluations = 2
    while high - low > tolerance:
        if f_left < f_right:
            high, right, f_right = right, left, f_left
            left = high - ratio * (high - low)
            f_left = f(left)
        else:
            low, left, f_left = left, right, f_right
            right = low + ratio * (high - low)
            f_right = f(right)
        evaluations += 1
    return (low + high) / 2, evaluations


def coordinate_descent(matrix, target, penalty, sweeps=20):
    """The lasso, a coordinate at a time."""
    n = matrix.shape[1]
    weights = np.zeros(n)
    for sweep in range(sweeps):
        largest = 0.0
        for j in range(n):
            rest = target - matrix @ weights + matrix[:, j] * weights[j]
            rho = matrix[:, j] @ rest
            if rho > penalty:
                new = (rho - penalty) / (matrix[:, j] @ matrix[:, j])
            elif rho < -penalty:
                new = (rho + penalty) / (matrix[:, j] @ matrix[:, j])
            else:
                new = 0.0
            largest = max(largest, abs(new - weights[j]))
            weights[j] = new
        if largest < 1e-6:
            return weights, sweep
    return weights, sweeps


def linear_program(gains, matrix, limits):
    """The simplex method on a tableau; the first column that helps, and the row that bounds it most."""
    rows, columns = matrix.shape
    tableau = np.zeros((rows + 1, columns + rows + 1))
    tableau[:rows, :columns] = matrix
    tableau[:rows, columns : columns + rows] = np.eye(rows)
    tableau[:rows, -1] = limits
    tableau[-1, :columns] = -gains
    basis = list(range(columns, columns + rows))
    for _ in range(20):
        entering = [c for c in range(columns + rows) if tableau[-1, c] < -1e-9]
        if not entering:
            break
        column, least, leaving = entering[0], np.inf, None
        for row in range(rows):
            if tableau[row, column] > 1e-9:
                ratio = tableau[row, -1] / tableau[row, column]
                if ratio < least:
                    least, leaving = ratio, row
        if leaving is None:
            raise ValueError("unbounded")
        tableau[leaving] /= tableau[leaving, column]
        for row in range(rows + 1):
            if row != leaving:
                tableau[row] -= tableau[row, column] * tableau[leaving]
        basis[leaving] = column
    solution = np.zeros(columns + rows)
    for row, column in enumerate(basis):
        solution[column] = tableau[row, -1]
    return solution[:columns], tableau[-1, -1], basis
