"""Linear algebra: `rt.linalg.solve`, `inv`, `det`, `svd`, `qr`, `eigh`, norms and products."""

from runtime.graph.frames import show_callers_alone
from runtime.ops.axes import matrix_transpose
from runtime.ops.linalg.diagonals import diagonal, trace
from runtime.ops.linalg.eigenvalues import EighResult, EigResult, eig, eigh, eigvals, eigvalsh
from runtime.ops.linalg.equations import SlogdetResult, det, inv, slogdet, solve
from runtime.ops.linalg.factors import QRResult, cholesky, qr
from runtime.ops.linalg.norms import matrix_norm, vector_norm
from runtime.ops.linalg.products import cross, matrix_power
from runtime.ops.linalg.singular_values import SVDResult, matrix_rank, pinv, svd, svdvals
from runtime.ops.products import matmul, outer, tensordot, vecdot

__all__ = [
    "EigResult",
    "EighResult",
    "QRResult",
    "SVDResult",
    "SlogdetResult",
    "cholesky",
    "cross",
    "det",
    "diagonal",
    "eig",
    "eigh",
    "eigvals",
    "eigvalsh",
    "inv",
    "matmul",
    "matrix_norm",
    "matrix_power",
    "matrix_rank",
    "matrix_transpose",
    "outer",
    "pinv",
    "qr",
    "slogdet",
    "solve",
    "svd",
    "svdvals",
    "tensordot",
    "trace",
    "vecdot",
    "vector_norm",
]

show_callers_alone(globals())
