"""Programs that take matrices apart."""

import math

import numpy as np


def lu(matrix):
    """Lower, upper and the order of rows, with the largest pivots."""
    n = matrix.shape[0]
    upper, lower = matrix.astype(float), np.eye(n)
    order, sign = list(range(n)), 1
    for k in range(n - 1):
        pivot = k + np.argmax(np.abs(upper[k:, k]))
        if abs(upper[pivot, k]) < 1e-12:
            raise np.linalg.LinAlgError("the matrix is singular")
        if pivot != k:
            upper[[k, pivot]] = upper[[pivot, k]]
            lower[[k, pivot], :k] = lower[[pivot, k], :k]
            order[k], order[pivot] = order[pivot], order[k]
            sign = -sign
        for row in range(k + 1, n):
            lower[row, k] = upper[row, k] / upper[k, k]
            upper[row, k:] -= lower[row, k] * upper[k, k:]
    return lower, upper, order, sign * np.prod(np.diag(upper))


def householder(matrix):
    """Q and R by reflections."""
    m, n = matrix.shape
    q, r = np.eye(m), matrix.copy()
    for k in range(n):
        column = r[k:, k]
        length = np.linalg.norm(column)
        if length == 0:
            continue
        mirror = column.copy()
        mirror[0] += length if column[0] >= 0 else -length
        mirror /= np.linalg.norm(mirror)
        r[k:] -= 2 * np.outer(mirror, mirror @ r[k:])
        q[:, k:] -= 2 * np.outer(q[:, k:] @ mirror, mirror)
    return q, r


def cholesky(matrix):
    """A triangle whose square is the matrix."""
    n = len(matrix)
    triangle = np.zeros_like(matrix)
    for i in range(n):
        for j in range(i + 1):
            rest = matrix[i, j] - sum(triangle[i, k] * triangle[j, k] for k in range(j))
            if i == j:
                if rest <= 0:
                    raise ValueError(f"not positive definite: {rest:.3f} in row {i}")
                triangle[i, i] = math.sqrt(rest)
            else:
                triangle[i, j] = rest / triangle[j, j]
    return triangle


def jacobi(matrix, tolerance=1e-10):
    """Eigenvalues by rotations that make the largest element zero."""
    a, vectors = matrix.copy(), np.eye(len(matrix))
    for rotations in range(50):
        largest, p, q = 0.0, 0, 1
        for i in range(len(a)):
            for j in range(i + 1, len(a)):
                if abs(a[i, j]) > largest:
                    largest, p, q = abs(a[i, j]), i, j
        if largest < tolerance:
            break
        theta = 0.5 * math.atan2(2 * a[p, q], a[q, q] - a[p, p])
        rotation = np.eye(len(a))
        rotation[p, p] = rotation[q, q] = math.cos(theta)
        rotation[p, q], rotation[q, p] = math.sin(theta), -math.sin(theta)
        a = rotation.T @ a @ rotation
        vectors = vectors @ rotation
    return np.sort(np.diag(a)), rotations


def power_method(matrix, rounds):
    """The largest eigenvalue, and whether it was found in time."""
    vector = np.ones(matrix.shape[0])
    value = 0.0
    for _ in range(rounds):
        product = matrix @ vector
        before, value = value, np.abs(product).max()
        vector = product / value
        if np.isclose(before, value, rtol=1e-6):
            return value, vector, True
    return value, vector, False


def conjugate_gradients(matrix, target):
    """The solution of a positive definite system."""
    x = np.zeros_like(target)
    residual = target - matrix @ x
    direction, old = residual.copy(), residual @ residual
    residuals = []
    while np.sqrt(old) > 1e-8 and len(residuals) < 10:
        image = matrix @ direction
        rate = old / (direction @ image)
        x += rate * direction
        residual -= rate * image
        new = residual @ residual
        direction = residual + new / old * direction
        old = new
        residuals.append(np.sqrt(new))
    return x, residuals


def gauss_seidel(matrix, target, rounds):
    """Improves a solution in place."""
    x = np.zeros(len(target))
    for round_ in range(rounds):
        before = x.copy()
        for i in range(len(x)):
            others = sum(matrix[i, j] * x[j] for j in range(len(x)) if j != i)
            x[i] = (target[i] - others) / matrix[i, i]
        if np.allclose(x, before, atol=1e-6):
            return x, round_
    return x, None


def gram_schmidt(vectors):
    """An orthonormal basis; vectors that add nothing are left out."""
    basis = []
    for vector in vectors:
        rest = vector - sum(((vector @ each) * each for each in basis), np.zeros_like(vector))
        length = np.linalg.norm(rest)
        if length > 1e-10:
            basis.append(rest / length)
    return np.array(basis), len(basis)


def determinant(matrix):
    """By Laplace's rows, in a function that calls itself on smaller matrices."""
    if len(matrix) == 1:
        return matrix[0, 0]
    total = 0.0
    for column in range(len(matrix)):
        if matrix[0, column] == 0:
            continue
        minor = np.delete(matrix[1:], column, axis=1)
        total += (-1) ** column * matrix[0, column] * determinant(minor)
    return total


def echelon(matrix):
    """The reduced rows of a matrix, and its rank."""
    reduced = matrix.astype(np.float64)
    rows, columns = reduced.shape
    rank = 0
    for column in range(columns):
        if rank == rows:
            break
        pivot = rank
        while pivot < rows and abs(reduced[pivot, column]) < 1e-9:
            pivot += 1
        if pivot == rows:
            continue
        reduced[[rank, pivot]] = reduced[[pivot, rank]]
        reduced[rank] /= reduced[rank, column]
        for row in range(rows):
            if row != rank:
                reduced[row] -= reduced[row, column] * reduced[rank]
        rank += 1
    return reduced, rank


def givens(matrix):
    """Q and R by rotations, of which each makes one element zero."""
    r, rows = matrix.copy(), len(matrix)
    q = np.eye(rows)
    for column in range(matrix.shape[1]):
        for row in range(rows - 1, column, -1):
            if r[row, column] == 0:
                continue
            length = math.hypot(r[row - 1, column], r[row, column])
            c, s = r[row - 1, column] / length, -r[row, column] / length
            turn = np.array([[c, -s], [s, c]])
            r[row - 1 : row + 1] = turn @ r[row - 1 : row + 1]
            q[:, row - 1 : row + 1] = q[:, row - 1 : row + 1] @ turn.T
    return q, r
