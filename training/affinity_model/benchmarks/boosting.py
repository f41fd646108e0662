"""Gradient boosting on out-of-fold predictions of the stages and on labels of similar drugs and targets."""

from dataclasses import dataclass

import lightgbm
import numpy as np
import torch
from scipy.optimize import nnls

from .inputs import Inputs
from .neighbours import describe_neighbours
from .stages import StagedPredictions

DRUG_DIRECTIONS, TARGET_DIRECTIONS = 12, 24
NEAREST = 4
SHARPNESS = (10.0, 40.0)
# Inner folds for choosing rounds and shares.
CHECKED = (0, 1)
# Squared error optimises the mean squared error; linear losses follow the majority of labels and rank better.
LOSSES: dict[str, dict] = {
    "squared": {"objective": "regression"},
    "linear": {"objective": "huber", "alpha": 0.1},
}


@dataclass(frozen=True)
class BoostSettings:
    """Settings of one booster; training stops after `patience` rounds without gain."""

    rounds_max: int = 1500
    patience: int = 60
    leaves: int = 15
    learning_rate: float = 0.03
    column_share: float = 0.5
    seeds: int = 2


def predict_by_boosting(
    inputs: Inputs, y: np.ndarray, staged: StagedPredictions, seed: int, settings: BoostSettings
) -> np.ndarray:
    """drugs x targets: boosting under each of LOSSES and the last stage, in the shares with the lowest error on
    held-out folds. Rows of a fold are described by labels outside that fold only."""
    fixed = _directions(inputs)
    parts = [(fold.observed.numpy(), fold.held_out.numpy()) for fold in staged.folds]
    rows = np.concatenate(
        [
            describe(inputs, y, observed, predicted.numpy(), fixed, held_out)
            for (observed, held_out), predicted in zip(parts, staged.per_fold)
        ]
    )
    labels = np.concatenate([y[held_out] for _, held_out in parts])
    folds = np.concatenate([np.full(held_out.sum(), k) for k, (_, held_out) in enumerate(parts)])
    last = [predicted[-1].numpy()[held_out] for (_, held_out), predicted in zip(parts, staged.per_fold)]
    observed = ~np.isnan(y)
    everything = np.ones_like(observed)
    wanted = describe(inputs, y, observed, staged.everywhere.numpy(), fixed, everything)
    checked = np.isin(folds, CHECKED)
    held_out, predicted = [np.concatenate(last)[checked]], [staged.everywhere[-1].numpy().ravel()]
    for loss in LOSSES:
        of_held_out, of_wanted = boost(rows, labels, folds, wanted, seed, settings, loss)
        held_out.append(of_held_out[checked])
        predicted.append(of_wanted)
    low, high = labels.min(), labels.max()
    centre, shares = blending_shares(np.clip(held_out, low, high), labels[checked])
    return (centre + shares @ (np.clip(predicted, low, high) - centre)).reshape(y.shape)


def blending_shares(predictions: np.ndarray, labels: np.ndarray) -> tuple[float, np.ndarray]:
    """predictions: parts x rows. Returns a centre and a non-negative share per part, by least squares."""
    centre = float(labels.mean())
    return centre, nnls((predictions - centre).T, labels - centre)[0]


def boost(
    rows, labels, folds, wanted, seed: int, settings: BoostSettings, loss: str
) -> tuple[np.ndarray, np.ndarray]:
    """Chooses the number of rounds on the held-out folds of CHECKED, then trains on all rows.

    Returns predictions for the rows of those folds, NaN for others, and for the wanted rows.
    """
    options = {
        **LOSSES[loss], "num_leaves": settings.leaves, "learning_rate": settings.learning_rate,
        "min_data_in_leaf": 30, "feature_fraction": settings.column_share, "bagging_fraction": 0.7,
        "bagging_freq": 1, "lambda_l2": 5.0, "num_threads": 1, "deterministic": True,
        "force_row_wise": True, "verbose": -1,
    }  # fmt: skip
    held_out, best = np.full(len(labels), np.nan), []
    for k in CHECKED:
        train = lightgbm.Dataset(rows[folds != k], labels[folds != k], free_raw_data=False)
        valid = lightgbm.Dataset(rows[folds == k], labels[folds == k], reference=train)
        stop = lightgbm.early_stopping(settings.patience, verbose=False)
        fitted = lightgbm.train(
            {**options, "seed": seed}, train, settings.rounds_max, valid_sets=[valid], callbacks=[stop]
        )
        best.append(fitted.best_iteration)
        held_out[folds == k] = fitted.predict(rows[folds == k])
    total = np.zeros(len(wanted))
    for member in range(settings.seeds):
        everything = lightgbm.Dataset(rows, labels)
        own = {**options, "seed": 1000 * (member + 1) + seed}
        total += lightgbm.train(own, everything, int(np.mean(best))).predict(wanted)
    return held_out, total / settings.seeds


def describe(inputs: Inputs, y, observed, staged, fixed, wanted) -> np.ndarray:
    """One row per wanted pair, from the observed labels and the stages' predictions based on them."""
    drug_directions, target_directions = fixed
    labels = np.where(observed, y, 0)
    filled = np.where(observed, y, staged[-1])
    grids = [*staged, staged.mean(0), *_means(labels, observed)]
    drugs, targets = inputs.drugs.mean(0).numpy(), inputs.targets.mean(0).numpy()
    for sharpness in SHARPNESS:
        grids.append(_near_mean(labels.T, observed.T, targets, sharpness).T)
        grids.append(_near_mean(labels, observed, drugs, sharpness))
    grids += [filled[:, near] for near in _nearest(targets).T] + [filled[near] for near in _nearest(drugs).T]
    drug, target = np.nonzero(wanted)
    columns = [np.broadcast_to(grid, y.shape)[wanted] for grid in grids]
    columns += [*drug_directions[drug].T, *target_directions[target].T]
    near = describe_neighbours(inputs, labels, observed, filled, wanted)
    return np.concatenate([np.stack(columns, 1), near], 1, dtype=np.float32)


def _means(labels, observed) -> list[np.ndarray]:
    """Mean, spread and count of the observed labels per drug and per target."""
    grids = []
    centre = labels.sum() / observed.sum()
    for axis in (1, 0):
        count = observed.sum(axis, keepdims=True)
        mean = (labels.sum(axis, keepdims=True) + centre) / (count + 1)
        square = (np.where(observed, labels - mean, 0) ** 2).sum(axis, keepdims=True)
        grids += [mean, np.sqrt(square / (count + 1)), count]
    return grids


def _near_mean(labels, observed, similarity, sharpness: float) -> np.ndarray:
    """Weighted mean of each row over other rows, by similarity; one row per row of `similarity`."""
    weights = np.exp(sharpness * (similarity - 1))
    np.fill_diagonal(weights, 0)
    centre = labels.sum() / observed.sum()
    return (weights @ labels + 1e-6 * centre) / (weights @ observed + 1e-6)


def _nearest(similarity: np.ndarray) -> np.ndarray:
    """The closest other rows of each row."""
    other = similarity - 2 * np.eye(len(similarity))
    return np.argsort(-other, axis=1, kind="stable")[:, :NEAREST]


def _directions(inputs: Inputs) -> tuple[np.ndarray, np.ndarray]:
    return (
        principal_directions(inputs.drugs.mean(0), DRUG_DIRECTIONS),
        principal_directions(inputs.targets.mean(0), TARGET_DIRECTIONS),
    )


def principal_directions(similarity: torch.Tensor, count: int) -> np.ndarray:
    """rows x count: coordinates along the largest directions of a centred kernel."""
    centred = similarity - similarity.mean(0, keepdim=True)
    centred = centred - centred.mean(1, keepdim=True)
    values, vectors = torch.linalg.eigh(centred.double())
    return (vectors[:, -count:] * values[-count:].clamp(min=0).sqrt()).numpy()
