"""Figures of the card, from predictions of rows that the model has not seen."""

import itertools

import numpy as np

from .calibrate import Predicted, Widths
from .score import Scored, summary

LABEL_EDGES = (1, 10, 30, 100, 300, 1000)
NEAR_EDGES = (0.3, 0.4, 0.55, 0.75)
SIZE_EDGES = (22, 27, 32, 37)


def by_series(rows: Predicted, predicted: np.ndarray) -> list[Scored]:
    """The rows of each series."""
    _, place = np.unique(rows.series, return_inverse=True)
    order = np.argsort(place, kind="stable")
    cuts = np.cumsum(np.bincount(place))[:-1]
    return [
        Scored(rows.y[some], predicted[some], rows.heavy_atoms[some])
        for some in np.split(order, cuts)
        if len(some)
    ]


def numbers(rows: Predicted, predicted: np.ndarray, half: np.ndarray | None = None) -> dict:
    """Error, order and, with half-widths, coverage."""
    scores = summary(by_series(rows, predicted))
    # A table of single rows has no series to order.
    found = {name: round(value, 3) for name, value in scores.items() if np.isfinite(value)}
    spread = float(np.std(predicted) * np.std(rows.y))
    found["r"] = round(float(np.cov(rows.y, predicted, bias=True)[0, 1]) / spread, 3) if spread > 0 else 0.0
    if half is not None:
        found["coverage"] = round(float(np.mean(np.abs(rows.y - predicted) <= half)), 3)
        found["halfWidth"] = round(float(half.mean()), 3)
    return found


def figures_of_series(rows: Predicted, predicted: np.ndarray, half: np.ndarray, fep: np.ndarray) -> dict:
    """`predicted`, `half`: with levels and widths fitted on series of other genes; `fep`: by free-energy perturbation."""
    mean = np.full(len(rows.y), rows.y.mean())
    size = np.polyval(np.polyfit(rows.heavy_atoms, rows.y, 1), rows.heavy_atoms)
    return {
        "compounds": len(rows.y),
        "series": len(np.unique(rows.series)),
        "meanHalfWidth": round(float(half.mean()), 3),
        "predictors": {
            "the model": numbers(rows, predicted, half),
            "without its level": numbers(rows, rows.raw),
            "mean of these compounds": numbers(rows, mean),
            "line on heavy atoms": numbers(rows, size),
            "free-energy perturbation": numbers(rows, fep),
        },
        "strata": [
            _stratum("values measured on the target", rows.values, LABEL_EDGES, rows, predicted, half),
            _stratum(
                "similarity to the closest measured compound",
                rows.similarity,
                NEAR_EDGES,
                rows,
                predicted,
                half,
            ),
            _stratum("heavy atoms", rows.heavy_atoms, SIZE_EDGES, rows, predicted, half),
        ],
    }


def _stratum(
    by: str,
    values: np.ndarray,
    edges: tuple[float, ...],
    rows: Predicted,
    predicted: np.ndarray,
    half: np.ndarray,
) -> dict:
    bins = np.digitize(values, edges)
    names = [
        f"below {edges[0]}",
        *[f"{a} to {b}" for a, b in itertools.pairwise(edges)],
        f"{edges[-1]} and more",
    ]
    found = []
    for at, name in enumerate(names):
        of = bins == at
        if of.any():
            some = rows.of(of)
            by_size = numbers(some, some.heavy_atoms).get("tau")
            found.append(
                {"range": name, **numbers(some, predicted[of], half[of]), "tauOfHeavyAtoms": by_size}
            )
    return {"by": by, "rows": found}


def regime_figures(found: dict[str, tuple[Predicted, np.ndarray]], widths: Widths) -> dict:
    """By regime and by type; all rows are new to the model and its level."""
    answer = {}
    for name, (rows, predicted) in found.items():
        half = widths.half(rows)
        answer[name] = numbers(rows, predicted, half)
        for group in sorted(set(rows.gene.tolist()) - {""}):
            of = rows.gene == group
            answer[f"{name}, {group}"] = numbers(rows.of(of), predicted[of], half[of])
    return answer
