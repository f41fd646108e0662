"""Baselines that any model must beat: the mean, and compound and target averages."""

import numpy as np

from .data import Pairs

SHRINKAGE = 1.0
ROUNDS = 20


def predict_mean(train: Pairs, test: Pairs) -> np.ndarray:
    """Predicts the mean pK of the exact training rows for every test row."""
    return np.full(len(test), train.y[~train.is_below].mean(), np.float32)


def predict_additive(train: Pairs, test: Pairs) -> np.ndarray:
    """mean + compound effect + target effect, each shrunk towards 0; exact rows only."""
    train = train.take(np.flatnonzero(~train.is_below))
    mean = train.y.mean()
    size_c = int(max(train.compound.max(), test.compound.max())) + 1
    size_t = int(max(train.target.max(), test.target.max())) + 1
    of_compound, of_target = np.zeros(size_c), np.zeros(size_t)
    for _ in range(ROUNDS):
        of_target = _effects(train.target, train.y - mean - of_compound[train.compound], size_t)
        of_compound = _effects(train.compound, train.y - mean - of_target[train.target], size_c)
    return (mean + of_compound[test.compound] + of_target[test.target]).astype(np.float32)


def _effects(index: np.ndarray, residual: np.ndarray, size: int) -> np.ndarray:
    counts = np.bincount(index, minlength=size)
    return np.bincount(index, weights=residual, minlength=size) / (counts + SHRINKAGE)
