"""Scores of predictions: error, order within series, and order beyond molecular size."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

SERIES_MIN = 7
SPREAD_MIN = 0.2


@dataclass
class Scored:
    """Compounds of one series or assay."""

    y: npt.NDArray
    predicted: npt.NDArray
    heavy_atoms: npt.NDArray


def kendall(a: npt.NDArray, b: npt.NDArray) -> float:
    """Kendall's tau over pairs that differ in `a`; ties in `b` count as 0."""
    x, y = np.sign(a[:, None] - a[None]), np.sign(b[:, None] - b[None])
    return float((x * y)[x != 0].sum() / max((x != 0).sum(), 1))


def without_size(values: npt.NDArray, heavy_atoms: npt.NDArray) -> npt.NDArray:
    """Residuals after a line on heavy atoms."""
    line = np.c_[np.ones(len(values)), heavy_atoms]
    return values - line @ np.linalg.lstsq(line, values, rcond=None)[0]


def summary(all_series: list[Scored]) -> dict[str, float]:
    """Scores of all series together; tau and beyond size are means over series."""
    y = np.concatenate([one.y for one in all_series])
    p = np.concatenate([one.predicted for one in all_series])
    large = [one for one in all_series if len(one.y) >= SERIES_MIN and one.y.std() > SPREAD_MIN]
    tau = [kendall(one.y, one.predicted) for one in large]
    beyond = [
        kendall(without_size(one.y, one.heavy_atoms), without_size(one.predicted, one.heavy_atoms))
        for one in large
        if np.ptp(one.heavy_atoms) > 0
    ]
    return {
        "compounds": len(y),
        "series": len(large),
        "rmse": float(np.sqrt(np.mean((y - p) ** 2))),
        "bias": float(np.mean(p - y)),
        "tau": float(np.mean(tau)) if tau else float("nan"),
        "error": float(np.std(tau) / np.sqrt(len(tau))) if tau else float("nan"),
        "beyond": float(np.mean(beyond)) if beyond else float("nan"),
    }


def line(name: str, scores: dict[str, float]) -> str:
    """The scores in one line."""
    return (
        f"{name}: {scores['compounds']:,.0f} compounds, {scores['series']:.0f} series: RMSE {scores['rmse']:.3f}, bias {scores['bias']:+.2f}, "
        f"tau {scores['tau']:.3f} (standard error {scores['error']:.3f}), beyond size {scores['beyond']:.3f}"
    )
