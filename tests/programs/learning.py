"""Programs that learn from examples."""

import numpy as np


def k_means(points, centres, rounds=10):
    """Centres of clusters; one that is empty goes to the point that is farthest from its own."""
    centres = centres.copy()
    labels = np.zeros(len(points), dtype=int)
    for round_ in range(rounds):
        distances = ((points[:, None, :] - centres[None]) ** 2).sum(axis=2)
        new = distances.argmin(axis=1)
        if round_ > 0 and (new == labels).all():
            break
        labels = new
        for k in range(len(centres)):
            mine = labels == k
            if mine.sum() == 0:
                centres[k] = points[distances.min(axis=1).argmax()]
            else:
                centres[k] = (points * mine[:, None]).sum(axis=0) / mine.sum()
    return centres, labels, round_


def gaussian_mixture(values, rounds):
    """Two bells by expectation and maximisation."""
    means = np.array([values.min(), values.max()])
    spreads, shares = np.array([values.std(), values.std()]), np.array([0.5, 0.5])
    before = -np.inf
    for used in range(rounds):
        density = np.exp(-0.5 * ((values[:, None] - means) / spreads) ** 2) / spreads
        weighted = density * shares
        total = weighted.sum(axis=1)
        likelihood = np.log(total).sum()
        if likelihood - before < 1e-6:
            break
        before = likelihood
        duty = weighted / total[:, None]
        mass = duty.sum(axis=0)
        means = (duty * values[:, None]).sum(axis=0) / mass
        spreads = np.sqrt((duty * (values[:, None] - means) ** 2).sum(axis=0) / mass) + 1e-3
        shares = mass / len(values)
    return means, spreads, shares, used


class Perceptron:
    """A line between two classes."""

    def __init__(self, size):
        self.weights = np.zeros(size)
        self.bias = 0.0
        self.mistakes = []

    def predict(self, x):
        return 1 if self.weights @ x + self.bias > 0 else -1

    def fit(self, inputs, targets, epochs):
        for _ in range(epochs):
            wrong = 0
            for x, target in zip(inputs, targets):
                if self.predict(x) != target:
                    self.weights += target * x
                    self.bias += target
                    wrong += 1
            self.mistakes.append(wrong)
            if not wrong:
                break
        return self


def perceptron(inputs, targets, epochs):
    """Learns, and says how it went."""
    model = Perceptron(2).fit(inputs, targets, epochs)
    return model.weights, model.bias, model.mistakes


def decision_stump(values, labels):
    """The threshold with the fewest mistakes."""
    best_error, best = len(labels) + 1, None
    for threshold in np.sort(values):
        for sign in (1, -1):
            guesses = np.where(values > threshold, sign, -sign)
            error = np.count_nonzero(guesses != labels)
            if error < best_error:
                best_error, best = error, (threshold, sign)
    return best, best_error


def boosting(values, labels, rounds=3):
    """Stumps that look harder at what the last ones got wrong."""
    weights = np.ones(len(values)) / len(values)
    stumps = []
    for _ in range(rounds):
        best = (np.inf, 0.0, 1)
        for threshold in values:
            for sign in (1, -1):
                wrong = np.where(values >= threshold, sign, -sign) != labels
                error = weights[wrong].sum()
                if error < best[0]:
                    best = (error, threshold, sign)
        error, threshold, sign = best
        if error >= 0.5:
            break
        alpha = 0.5 * np.log((1 - error + 1e-9) / (error + 1e-9))
        guesses = np.where(values >= threshold, sign, -sign)
        weights = weights * np.exp(-alpha * labels * guesses)
        weights /= weights.sum()
        stumps.append((alpha, threshold, sign))
    votes = sum(alpha * np.where(values >= threshold, sign, -sign) for alpha, threshold, sign in stumps)
    return np.sign(votes), len(stumps)


def logistic_regression(inputs, targets, rate, penalty=0.01):
    """Learns until the gradient is small; a rate that is too large is halved."""
    weights = np.zeros(inputs.shape[1])

    def loss(w):
        z = inputs @ w
        return np.mean(np.logaddexp(0, z) - targets * z) + penalty * w @ w

    last = loss(weights)
    for step in range(25):
        chances = 1 / (1 + np.exp(-inputs @ weights))
        gradient = inputs.T @ (chances - targets) / len(targets) + 2 * penalty * weights
        if np.abs(gradient).max() < 1e-3:
            break
        proposal = weights - rate * gradient
        now = loss(proposal)
        if now > last:
            rate /= 2
            continue
        weights, last = proposal, now
    return weights, last, step, rate


class Network:
    """Two layers, and backpropagation by hand."""

    def __init__(self, rng, hidden=3):
        self.layers = [
            {"w": rng.normal(size=(2, hidden)), "b": np.zeros(hidden)},
            {"w": rng.normal(size=(hidden, 1)), "b": np.zeros(1)},
        ]

    def forward(self, x):
        self.inputs = []
        for index, layer in enumerate(self.layers):
            self.inputs.append(x)
            x = x @ layer["w"] + layer["b"]
            if index < len(self.layers) - 1:
                x = np.maximum(x, 0)
        return x

    def backward(self, gradient, rate):
        for index in reversed(range(len(self.layers))):
            layer, x = self.layers[index], self.inputs[index]
            behind = gradient @ layer["w"].T
            layer["w"] -= rate * x.T @ gradient
            layer["b"] -= rate * gradient.sum(axis=0)
            gradient = behind * (x > 0)


def train_network(network, inputs, targets, epochs):
    """Trains a network that the caller keeps."""
    losses = []
    for _ in range(epochs):
        out = network.forward(inputs)
        error = out - targets
        losses.append((error**2).mean())
        if losses[-1] < 0.05:
            break
        network.backward(2 * error / len(inputs), 0.1)
    return losses


def nearest_neighbours(points, labels, query, k):
    """The label that most of the nearest have; the nearer ones decide where two are equal."""
    distances = np.sqrt(((points - query) ** 2).sum(axis=1))
    votes = np.zeros(3)
    for rank, index in enumerate(np.argsort(distances)):
        if rank >= k:
            break
        votes[labels[index]] += 1 + 1e-3 / (1 + rank)
    return np.argmax(votes), votes.max() / k


def q_learning(rng, episodes):
    """A walk along six cells; the last one pays."""
    table = np.zeros((6, 2))
    lengths = []
    for _ in range(episodes):
        cell, steps = 2, 0
        while 0 < cell < 5 and steps < 20:
            action = rng.integers(2) if rng.random() < 0.2 else np.argmax(table[cell])
            following = cell + (1 if action == 1 else -1)
            reward = 1.0 if following == 5 else 0.0
            best = table[following].max()
            table[cell, action] += 0.5 * (reward + 0.9 * best - table[cell, action])
            cell, steps = following, steps + 1
        lengths.append(steps)
    return table, lengths


def lstm(inputs, weights, bias, hidden):
    """The states of a cell with long and short memory, by hand."""

    def sigmoid(z):
        return 1 / (1 + np.exp(-z))

    n, states = len(hidden), []
    cell = np.zeros(n)
    for x in inputs:
        z = weights @ np.concatenate([hidden, x]) + bias
        enters, stays, leaves = sigmoid(z[:n]), sigmoid(z[n : 2 * n]), sigmoid(z[2 * n : 3 * n])
        cell = stays * cell + enters * np.tanh(z[3 * n :])
        hidden = leaves * np.tanh(cell)
        states.append(hidden)
    return np.stack(states), cell
