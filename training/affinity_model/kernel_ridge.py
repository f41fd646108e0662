"""Ridge regression over pairs in closed form: a bilinear function of compound vector and target vector.

A pair's prediction is compound-vector . W . target-vector, both with a constant appended, which is kernel ridge with
the kernel k(c, c') (a k(t, t') + b). Solved by preconditioned conjugate gradients. Upper bounds ("<") count only
while the prediction is above them.
"""

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from .data import Pairs
from .settings import Settings

OFFSET_DEVIATION = 1.0
TOLERANCE = 1e-3


@dataclass
class Problem:
    """Rows sorted by target variant, so that a product over rows is a few hundred matrix products."""

    compounds: Tensor  # rows x (r + 1), gathered
    targets: Tensor  # used variants x (q + 1)
    starts: list[tuple[int, int]]  # rows of each used variant
    offsets: Tensor  # rows x groups
    precision: Tensor  # rows, 1 / noise; 0 disables a row
    y: Tensor  # rows, centred
    is_below: Tensor  # rows

    def predict(self, weights: Tensor, shifts: Tensor) -> Tensor:
        """weights: (q + 1) x (r + 1), shifts: groups; returns rows, in pK from the mean."""
        per_target = self.targets @ weights  # used variants x (r + 1)
        out = self.offsets @ shifts
        for index, (start, stop) in enumerate(self.starts):
            out[start:stop] += self.compounds[start:stop] @ per_target[index]
        return out

    def transpose(self, residual: Tensor) -> tuple[Tensor, Tensor]:
        """residual: rows; returns the shapes of weights and shifts."""
        sums = torch.stack([residual[a:b] @ self.compounds[a:b] for a, b in self.starts])
        return self.targets.T @ sums, self.offsets.T @ residual

    def curvature(self) -> tuple[Tensor, Tensor]:
        """Diagonal of the normal equations, for the preconditioner."""
        squares = torch.stack([self.precision[a:b] @ (self.compounds[a:b] ** 2) for a, b in self.starts])
        return (self.targets**2).T @ squares + 1, (self.offsets**2).T @ self.precision + 1


@dataclass
class KernelRidge:
    """The fitted ridge; predictions in pK."""

    weights: Tensor  # (q + 1) x (r + 1)
    mean: float
    shifts: Tensor  # groups

    def target_vectors(self, targets: Tensor, settings: Settings) -> Tensor:
        """m x q to m x (r + 1)."""
        return _with_constant(targets, settings) @ self.weights

    def predict(
        self, compounds: Tensor, targets: Tensor, rows: tuple[np.ndarray, np.ndarray], settings: Settings
    ):
        """rows: compounds and targets, n each; returns n, in pK."""
        vectors = self.target_vectors(targets, settings)
        compounds = append_one(compounds)
        out = np.empty(len(rows[0]), np.float32)
        for start in range(0, len(out), 65536):
            part = slice(start, start + 65536)
            c, t = torch.from_numpy(rows[0][part]).long(), torch.from_numpy(rows[1][part]).long()
            out[part] = (compounds[c] * vectors[t]).sum(1).numpy()
        return out + self.mean


def fit_kernel_ridge(
    compounds: Tensor, targets: Tensor, pairs: Pairs, variant: np.ndarray, settings: Settings
) -> KernelRidge:
    """compounds: all x r; targets: all variants x q; variant: the variant each pair is trained on."""
    mean = float(np.average(pairs.y[~pairs.is_below]))
    problem = _problem(compounds, targets, pairs, variant, settings, mean)
    weights = torch.zeros(problem.targets.shape[1], problem.compounds.shape[1])
    shifts = torch.zeros(problem.offsets.shape[1])
    base = problem.precision.clone()
    for _ in range(settings.kernel_rounds):
        predicted = problem.predict(weights, shifts)
        problem.precision = base * (~problem.is_below | (predicted > problem.y))
        weights, shifts = _solve(problem, weights, shifts, settings)
    return KernelRidge(weights, mean, shifts * OFFSET_DEVIATION)


def append_one(compounds: Tensor) -> Tensor:
    """n x r to n x (r + 1)."""
    # Not torch.ones: an exported graph would fix the number of rows at tracing.
    return torch.cat([compounds, compounds[:, :1] * 0 + 1], 1)


def _with_constant(targets: Tensor, settings: Settings) -> Tensor:
    constant = torch.full((len(targets), 1), settings.kernel_ligand**0.5)
    return torch.cat([targets * settings.kernel_interaction**0.5, constant], 1)


def _problem(
    compounds: Tensor, targets: Tensor, pairs: Pairs, variant: np.ndarray, settings: Settings, mean: float
) -> Problem:
    order = np.argsort(variant, kind="stable")
    used, starts = np.unique(variant[order], return_index=True)
    stops = np.r_[starts[1:], len(order)]
    return Problem(
        compounds=append_one(compounds)[torch.from_numpy(pairs.compound[order]).long()],
        targets=_with_constant(targets, settings)[torch.from_numpy(used).long()],
        starts=list(zip(starts.tolist(), stops.tolist())),
        offsets=torch.from_numpy(pairs.groups[order]) * OFFSET_DEVIATION,
        precision=torch.full((len(order),), 1 / settings.kernel_noise),
        y=torch.from_numpy(pairs.y[order] - mean),
        is_below=torch.from_numpy(pairs.is_below[order]),
    )


def _solve(problem: Problem, weights: Tensor, shifts: Tensor, settings: Settings) -> tuple[Tensor, Tensor]:
    """Conjugate gradients on (F' P F + 1) w = F' P y, starting from the previous round's solution."""
    size = weights.shape
    diagonal = torch.cat([part.flatten() for part in problem.curvature()])

    def product(x: Tensor) -> Tensor:
        w, s = x[: size.numel()].view(size), x[size.numel() :]
        back = problem.transpose(problem.precision * problem.predict(w, s))
        return torch.cat([back[0].flatten(), back[1]]) + x

    right = torch.cat([part.flatten() for part in problem.transpose(problem.precision * problem.y)])
    x = torch.cat([weights.flatten(), shifts])
    residual = right - product(x)
    z = residual / diagonal
    direction, slope = z.clone(), residual @ z
    first = right @ (right / diagonal)
    for _ in range(settings.kernel_iterations):
        if slope < TOLERANCE**2 * first:
            break
        image = product(direction)
        step = slope / (direction @ image)
        x += step * direction
        residual -= step * image
        z = residual / diagonal
        slope, previous = residual @ z, slope
        direction = z + slope / previous * direction
    return x[: size.numel()].view(size), x[size.numel() :]
