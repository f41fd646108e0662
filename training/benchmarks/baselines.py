"""What a model must beat: the mean of the visible labels, and a drug's plus a target's own effect."""

import numpy as np

SHRINKAGE = 1.0
ROUNDS = 50


def predict_mean(visible: np.ndarray) -> np.ndarray:
    return np.full(visible.shape, np.nanmean(visible))


def predict_additive(visible: np.ndarray) -> np.ndarray:
    """Shrunk effects by alternating least squares; an unseen drug or target has none."""
    observed = ~np.isnan(visible)
    centre = np.nanmean(visible)
    rest = np.where(observed, visible - centre, 0)
    drugs, targets = np.zeros((visible.shape[0], 1)), np.zeros((1, visible.shape[1]))
    for _ in range(ROUNDS):
        drugs = np.where(observed, rest - targets, 0).sum(1, keepdims=True)
        drugs /= observed.sum(1, keepdims=True) + SHRINKAGE
        targets = np.where(observed, rest - drugs, 0).sum(0, keepdims=True)
        targets /= observed.sum(0, keepdims=True) + SHRINKAGE
    return centre + drugs + targets
