"""Kernel ridge in stages: later stages also use the similarity of label profiles from an earlier stage.

Stage 1 uses structure and sequence. Its predictions fill unobserved labels; the similarity of two drugs' or two
targets' label rows is then one more input of the next stage. Every stage is learnt on folds of the observed labels,
and a fold's profiles exclude the labels it holds out. The true value of a label at the floor of its assay is
unknown: there or anywhere below.
"""

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from .inputs import Inputs
from .kernel_mixture import Fold, PairMixture, tune
from .pair_ridge import predict_all
from .similarity import squared_distances
from .splits import inner_folds

CENSORED_SHARE = 0.05  # share of labels above which the lowest one is a floor
DEPTH_MAX = 2.0  # label units below the floor


@dataclass(frozen=True)
class StageSettings:
    """Number of stages, number of folds, and length of tuning."""

    stages: int = 5
    folds: int = 5
    steps: int = 60  # descent steps, in the first stage
    later_steps: int = 40
    tuning_drugs: int = 1000  # maximum in the descent; other drugs in every fold
    tolerance: float = 1e-3  # solver iterations


@dataclass
class StagedPredictions:
    """stages x drugs x targets, each."""

    everywhere: Tensor  # from all observed labels
    per_fold: list[Tensor]  # from the labels outside each fold
    folds: list[Fold]


def predict_in_stages(
    inputs: Inputs, y: Tensor, novelty: str, seed: int, settings: StageSettings
) -> StagedPredictions:
    """y: drugs x targets, NaN if the label is hidden or was never measured."""
    whole, *parts = fold_up(inputs, y, novelty, seed, settings)
    mixture, predictions = None, []
    for stage in range(settings.stages):
        mixture = _next_mixture(mixture, whole, stage)
        steps = settings.later_steps if stage else settings.steps
        tune(mixture, _tuning_parts(parts, settings, seed), steps, settings.tolerance)
        predictions.append([_predict(mixture, part, settings) for part in [whole, *parts]])
        fitted = _below_floor(y, parts, predictions[-1][1:])
        whole, *parts = (
            _with_profiles(inputs, part, fitted, filled)
            for part, filled in zip([whole, *parts], predictions[-1])
        )
    everywhere, *per_fold = (torch.stack(stages) for stages in zip(*predictions))
    return StagedPredictions(everywhere, per_fold, parts)


def learn_one_stage(
    inputs: Inputs, y: Tensor, novelty: str, seed: int, settings: StageSettings
) -> PairMixture:
    """The first stage alone, for drugs and targets without label profiles."""
    whole, *parts = fold_up(inputs, y, novelty, seed, settings)
    mixture = _next_mixture(None, whole, 0)
    tune(mixture, _tuning_parts(parts, settings, seed), settings.steps, settings.tolerance)
    return mixture


def predict_one_stage(mixture: PairMixture, inputs: Inputs, y: Tensor, settings: StageSettings) -> Tensor:
    """y: drugs x targets, NaN if hidden; returns a number for every pair, in label units."""
    observed = ~torch.isnan(y)
    whole = Fold(inputs.drugs, inputs.targets, observed, torch.zeros_like(observed), y, y, inputs.prior)
    return _predict(mixture, whole, settings)


def fold_up(inputs: Inputs, y: Tensor, novelty: str, seed: int, settings: StageSettings) -> list[Fold]:
    """All observed labels first, then the inner folds."""
    observed = ~torch.isnan(y)
    masks = [(observed, torch.zeros_like(observed))]
    masks += [
        (torch.from_numpy(seen), torch.from_numpy(held))
        for seen, held in inner_folds(y.numpy(), novelty, settings.folds, seed)
    ]
    return [Fold(inputs.drugs, inputs.targets, *mask, y, y, inputs.prior) for mask in masks]


def _next_mixture(before: PairMixture | None, part: Fold, stage: int) -> PairMixture:
    """The second stage restarts, because profiles outweigh everything; later ones continue from it."""
    mixture = PairMixture(len(part.drugs), len(part.targets), len(part.prior)).to(part.drugs.dtype)
    if before is not None and stage > 1:
        mixture.load_state_dict(before.state_dict())
    return mixture


def _tuning_parts(parts: list[Fold], settings: StageSettings, seed: int) -> list[Fold]:
    random = np.random.default_rng(seed)
    count = len(parts[0].y)
    if count <= settings.tuning_drugs:
        return parts
    chosen = (np.sort(random.permutation(count)[: settings.tuning_drugs]) for _ in parts)
    return [part.of_drugs(torch.from_numpy(rows)) for part, rows in zip(parts, chosen)]


def _predict(mixture: PairMixture, part: Fold, settings: StageSettings) -> Tensor:
    with torch.no_grad():
        kernel, prior = mixture(part)
        return prior + predict_all(kernel, part.observed, part.fitted - prior, tolerance=settings.tolerance)


def _below_floor(y: Tensor, parts: list[Fold], predicted: list[Tensor]) -> Tensor:
    """Labels for the next stage; at a floor, out-of-fold predictions estimate how far below it they are.

    Predictions of one fold have seen the labels of the others, so inner folds are slightly correlated; hidden labels
    are never used.
    """
    if not is_floored(y):
        return y
    out_of_fold = y.clone()
    for part, filled in zip(parts, predicted):
        out_of_fold[part.held_out] = filled[part.held_out]
    return expect_below_floor(y, out_of_fold)


def _with_profiles(inputs: Inputs, part: Fold, fitted: Tensor, predicted: Tensor) -> Fold:
    filled = torch.where(part.observed, fitted, predicted)
    drugs, targets = profile_similarities(filled)
    return Fold(
        torch.cat([inputs.drugs, drugs[None]]),
        torch.cat([inputs.targets, targets[None]]),
        part.observed,
        part.held_out,
        part.y,
        fitted,
        part.prior,
    )


def profile_similarities(filled: Tensor) -> tuple[Tensor, Tensor]:
    """Similarity of drugs and of targets, by their label rows minus the mean of each target, or drug."""
    drugs = profile_similarity(filled - filled.mean(0, keepdim=True))
    return drugs, profile_similarity((filled - filled.mean(1, keepdim=True)).T)


def profile_similarity(rows: Tensor) -> Tensor:
    """1 for the same row, 0 at the mean squared distance, below 0 beyond."""
    distances = torch.from_numpy(squared_distances(rows.numpy()))
    return 1 - distances / distances.mean()


def is_floored(y: Tensor) -> bool:
    """y: drugs x targets, NaN if not visible."""
    visible = y[~y.isnan()]
    return bool((visible == visible.min()).to(torch.float64).mean() > CENSORED_SHARE)


def expect_below_floor(y: Tensor, predicted: Tensor) -> Tensor:
    """Replaces each label at the floor by its mean below it, given an out-of-fold prediction.

    The spread around a prediction is that of the labels above the floor. Both drugs x targets; NaN stays NaN.
    """
    floor = y[~y.isnan()].min()
    above = y > floor
    spread = ((y - predicted)[above] ** 2).mean().sqrt()
    # Beyond six spreads the weight is numerically zero; the mean is at the floor there.
    edge = ((floor - predicted) / spread).clamp(min=-6.0)
    density = torch.exp(-0.5 * edge**2) / (2 * torch.pi) ** 0.5
    tail = density / torch.special.ndtr(edge)
    below = (predicted - spread * tail).clamp(min=float(floor) - DEPTH_MAX, max=float(floor))
    return torch.where(y == floor, below, y)
