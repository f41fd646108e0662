"""Kernel ridge over pairs: the kernel of two pairs is drug kernel x target kernel.

Solves (M (D (x) T) M + noise) a = y on the observed pairs by conjugate gradients, preconditioned by the
eigen-decompositions of D and T: if most pairs are observed, the inverse for a full matrix; if few are, the exact
inverse of the strongest directions (Woodbury).
"""

from dataclasses import dataclass

import torch
from torch import Tensor

DENSE = 0.5  # share of observed pairs above which the full matrix's inverse is the preconditioner
DIRECTIONS = 600


@dataclass
class PairKernel:
    """The kernel of two pairs: that of their drugs times that of their targets."""

    drugs: Tensor  # drugs x drugs
    targets: Tensor  # targets x targets
    noise: Tensor  # variance of a label, in units of the kernel's diagonal

    def apply(self, dual: Tensor) -> Tensor:
        """drugs x targets to drugs x targets."""
        return self.drugs @ dual @ self.targets


class Solver:
    """Solves several right-hand sides with one kernel."""

    def __init__(self, kernel: PairKernel, observed: Tensor):
        """observed: drugs x targets, bool."""
        self.kernel = kernel
        self.mask = observed.to(kernel.drugs.dtype)
        dense = self.mask.mean() > DENSE
        self.preconditioner = (FullMatrix if dense else StrongDirections)(kernel, observed)

    def solve(
        self, y: Tensor, start: Tensor | None = None, tolerance: float = 1e-4, steps: int = 300
    ) -> Tensor:
        """y: drugs x targets, read at observed pairs. Returns the dual, 0 for unobserved pairs."""
        right = y * self.mask
        dual = torch.zeros_like(right) if start is None else start * self.mask
        residual = right - self._product(dual)
        step = self.preconditioner.apply(residual)
        direction, slope = step, (residual * step).sum()
        limit = tolerance * right.norm()
        for _ in range(steps):
            if residual.norm() <= limit:
                break
            image = self._product(direction)
            length = slope / (direction * image).sum()
            dual = dual + length * direction
            residual = residual - length * image
            step = self.preconditioner.apply(residual)
            slope, previous = (residual * step).sum(), slope
            direction = step + slope / previous * direction
        return dual

    def _product(self, dual: Tensor) -> Tensor:
        return self.mask * (self.kernel.apply(dual) + self.kernel.noise * dual)


class FullMatrix:
    """As if every pair were observed, with eigenvalues scaled by the observed share."""

    def __init__(self, kernel: PairKernel, observed: Tensor):
        self.mask = observed.to(kernel.drugs.dtype)
        drug_values, self.drugs = torch.linalg.eigh(kernel.drugs)
        target_values, self.targets = torch.linalg.eigh(kernel.targets)
        spectrum = drug_values.clamp(min=0)[:, None] * target_values.clamp(min=0)[None]
        self.inverse = 1 / (spectrum * self.mask.mean() + kernel.noise)

    def apply(self, residual: Tensor) -> Tensor:
        """drugs x targets to drugs x targets, 0 for unobserved pairs."""
        turned = self.drugs.T @ residual @ self.targets
        return self.mask * (self.drugs @ (turned * self.inverse) @ self.targets.T)


class StrongDirections:
    """(U U' + s)^-1 on the observed pairs: U the strongest products of eigenvectors, s the rest plus noise."""

    def __init__(self, kernel: PairKernel, observed: Tensor):
        self.observed = observed
        drug_values, drugs = torch.linalg.eigh(kernel.drugs)
        target_values, targets = torch.linalg.eigh(kernel.targets)
        spectrum = drug_values.clamp(min=0)[:, None] * target_values.clamp(min=0)[None]
        count = min(DIRECTIONS, spectrum.numel() // 2)
        values, places = spectrum.flatten().topk(count)
        drug, target = observed.nonzero(as_tuple=True)
        scaled = drugs[:, places // len(targets)] * values.sqrt()
        self.directions = scaled[drug] * targets[:, places % len(targets)][target]
        self.shift = kernel.noise + values[-1] * observed.to(values.dtype).mean()
        inner = self.directions.T @ self.directions
        self.factor = torch.linalg.cholesky(inner + self.shift * torch.eye(count, dtype=inner.dtype))

    def apply(self, residual: Tensor) -> Tensor:
        """drugs x targets to drugs x targets, 0 for unobserved pairs."""
        r = residual[self.observed]
        inner = torch.cholesky_solve((self.directions.T @ r)[:, None], self.factor)[:, 0]
        answer = torch.zeros_like(residual)
        answer[self.observed] = (r - self.directions @ inner) / self.shift
        return answer


def predict_all(kernel: PairKernel, observed: Tensor, y: Tensor, **settings) -> Tensor:
    """Every pair's prediction, from the observed labels only."""
    with torch.no_grad():
        mean = y[observed].mean()
        centred = torch.where(observed, y - mean, torch.zeros_like(y))
        return mean + kernel.apply(Solver(kernel, observed).solve(centred, **settings))
