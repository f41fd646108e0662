"""Kernels as weighted mixtures of similarities, with weights learnt by gradient descent on held-out folds."""

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from .pair_ridge import PairKernel, Solver


@dataclass
class Fold:
    """Similarities may differ between folds, because some are computed from the fold's labels."""

    drugs: Tensor  # parts x drugs x drugs
    targets: Tensor  # parts x targets x targets
    observed: Tensor  # drugs x targets, bool: labels that may be used
    held_out: Tensor  # drugs x targets, bool: labels that are scored
    y: Tensor  # drugs x targets, NaN for hidden labels
    fitted: Tensor  # the same, with labels at the floor replaced by their expected value below it
    prior: Tensor  # sources x drugs x targets: predictions of other sources

    @property
    def floor(self) -> Tensor:
        """The lowest usable label."""
        return self.y[self.observed].min()

    def of_drugs(self, rows: Tensor) -> "Fold":
        """The same fold restricted to some drugs."""
        drugs = self.drugs[:, rows][:, :, rows]
        observed, held_out, y, fitted = (
            of[rows] for of in (self.observed, self.held_out, self.y, self.fitted)
        )
        return Fold(drugs, self.targets, observed, held_out, y, fitted, self.prior[:, rows])


class Mixture(nn.Module):
    """sum of weight * exp(-rate * (1 - similarity)), an identity and a constant; mean diagonal 1."""

    def __init__(self, parts: int, rate: float = 2.0, identity: float = 0.02, constant: float = 0.3):
        super().__init__()
        self.weights = nn.Parameter(torch.full((parts,), 1.0 / parts).log())
        self.rates = nn.Parameter(torch.full((parts,), rate).log())
        self.identity = nn.Parameter(torch.tensor(identity).log())
        self.constant = nn.Parameter(torch.tensor(constant).log())

    def forward(self, similarities: Tensor) -> Tensor:
        """parts x n x n to n x n."""
        parts = torch.exp(self.rates.exp()[:, None, None] * (similarities - 1))
        mixed = (self.weights.exp()[:, None, None] * parts).sum(0) + self.constant.exp()
        mixed = mixed + self.identity.exp() * torch.eye(len(mixed), dtype=mixed.dtype)
        return mixed / mixed.diagonal().mean()


class PairMixture(nn.Module):
    """A kernel of pairs, and the weight of each other source in the mean that ridge starts from."""

    def __init__(self, drug_parts: int, target_parts: int, sources: int = 0, noise: float = 0.1):
        super().__init__()
        self.drugs = Mixture(drug_parts)
        self.targets = Mixture(target_parts)
        self.noise = nn.Parameter(torch.tensor(noise).log())
        self.shares = nn.Parameter(torch.full((sources,), 0.2))

    def forward(self, fold: Fold) -> tuple[PairKernel, Tensor]:
        """The kernel of the fold's pairs, and the predictions of other sources, drugs x targets."""
        kernel = PairKernel(self.drugs(fold.drugs), self.targets(fold.targets), self.noise.exp())
        return kernel, torch.einsum("s,sdt->dt", self.shares, fold.prior)


def tune(
    mixture: PairMixture, folds: list[Fold], steps: int, tolerance: float = 1e-3, rate: float = 0.1
) -> list[float]:
    """Gradient descent on the held-out squared error, one fold per step; returns the error at every step."""
    optimiser = torch.optim.Adam(mixture.parameters(), lr=rate)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimiser, steps)
    errors = []
    starts: dict[int, tuple[Tensor, Tensor]] = {}
    for step in range(steps):
        index = step % len(folds)
        optimiser.zero_grad()
        error, starts[index] = held_out_error(mixture, folds[index], starts.get(index), tolerance)
        optimiser.step()
        schedule.step()
        errors.append(error)
    return errors


def held_out_error(
    mixture: PairMixture,
    fold: Fold,
    start: tuple[Tensor, Tensor] | None = None,
    tolerance: float = 1e-3,
) -> tuple[float, tuple[Tensor, Tensor]]:
    """Adds the gradient to the parameters by the adjoint method: two solves, neither differentiated.

    A prediction below the floor counts as the floor.
    """
    zero = torch.zeros_like(fold.y)
    kernel, prior = mixture(fold)
    with torch.no_grad():
        rest = fold.fitted - prior
        mean = rest[fold.observed].mean()
        solver = Solver(kernel, fold.observed)
        right = torch.where(fold.observed, rest - mean, zero)
        dual = solver.solve(right, start=start and start[0], tolerance=tolerance)
        predicted = kernel.apply(dual) + mean + prior
        lead = torch.where(fold.held_out, predicted.clamp(min=fold.floor) - fold.y, zero)
        slope = 2 * lead * (predicted > fold.floor) / fold.held_out.sum()
        adjoint = solver.solve(kernel.apply(slope), start=start and start[1], tolerance=tolerance)
    image = kernel.apply(dual)
    surrogate = (slope * (image + prior)).sum() - (adjoint * (image + kernel.noise * dual + prior)).sum()
    surrogate = surrogate - (slope - adjoint).sum() * prior[fold.observed].mean()
    surrogate.backward()
    return float((lead**2).sum() / fold.held_out.sum()), (dual, adjoint)
