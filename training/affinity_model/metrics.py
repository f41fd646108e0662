"""Scores of predictions. Concordance counts every pair of different labels; a tie counts half."""

import numpy as np

BLOCK = 1024
DRAWS = 2000


def rmse(y: np.ndarray, predicted: np.ndarray) -> float:
    """Root of the mean squared error, in the label's units."""
    return float(np.sqrt(np.mean((np.asarray(y, np.float64) - predicted) ** 2)))


def pearson(y: np.ndarray, predicted: np.ndarray) -> float:
    """Pearson correlation; 0 if the predictions do not vary."""
    varies = np.std(np.asarray(predicted, np.float64)) > 1e-6
    return float(np.corrcoef(y, predicted)[0, 1]) if varies else 0.0


def concordance(y: np.ndarray, predicted: np.ndarray) -> float:
    """Blocks in order of label: binary search in earlier blocks, brute force within one."""
    order = np.argsort(y, kind="stable")
    y, predicted = np.asarray(y)[order], np.asarray(predicted)[order]
    agreeing, start, earlier = 0.0, 0, predicted[:0]
    pairs: int | np.integer = 0
    while start < len(y):
        # A block never ends between equal labels, so every earlier label is smaller.
        stop = int(np.searchsorted(y, y[min(start + BLOCK, len(y)) - 1], side="right"))
        block, labels = predicted[start:stop], y[start:stop]
        below = np.searchsorted(earlier, block, side="left")
        up_to = np.searchsorted(earlier, block, side="right")
        above = labels[:, None] > labels[None]
        lead = block[:, None] - block[None]
        agreeing += 0.5 * float(below.sum() + up_to.sum())
        agreeing += np.count_nonzero(above & (lead > 0)) + 0.5 * np.count_nonzero(above & (lead == 0))
        pairs += len(earlier) * len(block) + np.count_nonzero(above)
        earlier = np.sort(np.concatenate([earlier, block]))
        start = stop
    return agreeing / pairs if pairs else 0.5


def coverage(y: np.ndarray, predicted: np.ndarray, half_width: np.ndarray | float) -> float:
    """Share of rows, 0 to 1, with the label within half_width of the prediction."""
    return float(np.mean(np.abs(y - predicted) <= half_width))


def kendall(y: np.ndarray, predicted: np.ndarray) -> float:
    """Kendall's tau-b; 0 if labels or predictions do not vary."""
    lead = np.sign(np.subtract.outer(y, y)) * np.sign(np.subtract.outer(predicted, predicted))
    varying = [np.count_nonzero(np.subtract.outer(values, values)) for values in (y, predicted)]
    return float(lead.sum() / np.sqrt(float(varying[0]) * varying[1])) if min(varying) > 0 else 0.0


def resampled(count: int) -> np.ndarray:
    """DRAWS x count: row numbers drawn with replacement, the same for every caller."""
    return np.random.default_rng(0).integers(0, count, (DRAWS, count))


def interval(values: np.ndarray) -> tuple[float, float]:
    """What 90% of the values are between."""
    low, high = np.nanquantile(values, (0.05, 0.95))
    return float(low), float(high)
