"""Labels of similar drugs on the same target, and of the same drug on similar targets."""

import warnings

import numpy as np
import torch

from ..measured import tanimoto, weighted_mean_and_spread
from .inputs import Inputs
from .stages import profile_similarities

NEAREST, NEAREST_IN_PANEL = 6, 4
SHARPNESS = 20.0
QUANTILES = (0, 0.1, 0.25, 0.5, 0.75, 0.9, 1)
# Among drugs with equal panels, the more similar ones come first.
TIE = 1e-3


def describe_neighbours(inputs: Inputs, labels, observed, filled, wanted) -> np.ndarray:
    """rows x columns, one row per wanted pair. Drugs or targets are similar by structure, by their rows of `filled`
    labels, and by which labels exist: drugs of one study were measured on one panel."""
    columns = []
    profiles = profile_similarities(torch.from_numpy(filled))
    for axis, similarities in enumerate((inputs.drugs, inputs.targets)):
        structure = similarities.mean(0).numpy()
        y, seen = (labels, observed) if axis == 0 else (labels.T, observed.T)
        panels = tanimoto(seen, seen) + TIE * structure
        for near, count in (
            (structure, NEAREST),
            (profiles[axis].numpy(), NEAREST),
            (panels, NEAREST_IN_PANEL),
        ):
            grid = near_labels(y, seen, near, count)
            columns.append((grid if axis == 0 else grid.transpose(1, 0, 2))[wanted])
        columns.append(_quantiles(y, seen)[np.nonzero(wanted)[axis]])
    return np.concatenate(columns, 1).astype(np.float32)


def near_labels(labels, observed, similarity, count: int) -> np.ndarray:
    """rows x columns x (2 count + 3): labels of the most similar other rows in the same column, their similarities, and
    the labels' weighted mean, weighted spread and median. NaN if there are fewer."""
    answer = np.full((*labels.shape, 2 * count + 3), np.nan, np.float32)
    others = np.array(similarity, np.float64)
    np.fill_diagonal(others, -np.inf)
    for column in range(labels.shape[1]):
        known = np.flatnonzero(observed[:, column])
        taken = min(count, len(known) - 1)  # the row itself may be among them
        if taken < 1:
            continue
        order = np.argsort(-others[:, known], axis=1, kind="stable")[:, :taken]
        near = np.take_along_axis(others[:, known], order, 1)
        values = labels[known, column][order]
        mean, spread = weighted_mean_and_spread(values, near, SHARPNESS)
        answer[:, column, :taken] = values
        answer[:, column, count : count + taken] = near
        answer[:, column, 2 * count] = mean
        answer[:, column, 2 * count + 1] = spread
        answer[:, column, 2 * count + 2] = np.median(values, 1)
    return answer


def _quantiles(labels, observed) -> np.ndarray:
    """rows x QUANTILES of the labels of a row; NaN if it has none."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # rows without labels
        return np.nanquantile(np.where(observed, labels, np.nan), QUANTILES, axis=1).T
