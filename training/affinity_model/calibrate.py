"""Level and intervals of the product's number, fitted on rows that the model has not seen.

Rows of most targets are panels of mostly inactive compounds; the series that users measure lie above them. The level adds

    variance of near / height x share(heavy atoms) x (constant(values on the target) + slope (raw - 6.5))

where raw is regression and near: the level counts by the share of the variance that values near the pair leave open. The
constant is linear between knots of d = log10(1 + values). A fragment is not moved, since series hardly have any, nor a compound
that was measured on any target. The half-width of an interval is factor x sqrt(variance of near + variance of the rest): the
variance of the rest by bins of values, the factor by bins of similarity, so that 95% of the errors of each bin of similarity
are inside.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from .near import NearSettings

Array = npt.NDArray[np.floating]
LEVEL = 0.95
VALUE_EDGES = (1, 10, 50, 300, 1000)
SIMILARITY_EDGES = (0.35, 0.5, 0.65, 0.8)
BIN_MIN = 60


@dataclass
class Predicted:
    """Predictions of pairs whose values were not learnt from; `raw`: regression and near."""

    raw: Array
    variance: Array
    values: Array
    similarity: Array
    heavy_atoms: Array
    y: Array
    compound: npt.NDArray
    # A compound that was measured, on any target.
    is_known: npt.NDArray
    # Series or assay, and gene or target, that a row belongs to.
    series: npt.NDArray
    gene: npt.NDArray

    def of(self, some: npt.NDArray) -> "Predicted":
        """Some of the rows."""
        return Predicted(**{name: column[some] for name, column in vars(self).items()})


# The level counts not at all up to the first number of heavy atoms, and wholly from the second.
FRAGMENTS = (12, 20)
# Decades of values between which the constant of the level is linear.
KNOTS = (0.0, 2.5, 3.5)
RIDGE = (0.9,) * len(KNOTS) + (3.0,)


@dataclass
class Level:
    """`numbers`: a constant per knot, and the slope."""

    numbers: Array

    def apply(self, rows: Predicted) -> Array:
        """Predictions with the level."""
        return rows.raw + level_columns(rows) @ self.numbers

    def written(self) -> dict:
        """The product's format."""
        *constants, slope = (round(float(one), 4) for one in self.numbers)
        return {
            "knots": KNOTS,
            "constants": constants,
            "slope": slope,
            "heavyAtoms": FRAGMENTS,
        }


def level_columns(rows: Predicted) -> Array:
    """Rows x numbers of a level."""
    decades = np.log10(1 + rows.values)
    hats = [np.interp(decades, KNOTS, one) for one in np.eye(len(KNOTS))]
    share = np.clip(rows.variance / NearSettings.height, 0, 1) * ~rows.is_known
    share *= np.clip((rows.heavy_atoms - FRAGMENTS[0]) / (FRAGMENTS[1] - FRAGMENTS[0]), 0, 1)
    return np.stack([*hats, rows.raw - 6.5], 1) * share[:, None]


def fit_level(series: Predicted, others: Predicted | None = None) -> Level:
    """Least squares on series, and on other new rows with as much weight in all: series lie higher, and users have both.
    Each series, assay or target weighs as the root of its size, since its compounds share most of their error."""
    system, side = np.diag(RIDGE), np.zeros(len(RIDGE))
    total = 0.0
    for rows in (series, others):
        if rows is None:
            continue
        columns = level_columns(rows)
        _, place, count = np.unique(rows.series, return_inverse=True, return_counts=True)
        weight = 1 / np.sqrt(count[place])
        if rows is others:
            weight *= total / weight.sum()
        total = float(weight.sum())
        system = system + columns.T @ (columns * weight[:, None])
        side = side + columns.T @ (weight * (rows.y - rows.raw))
    return Level(np.linalg.solve(system, side))


@dataclass
class Widths:
    """Half-widths: a factor per bin of similarity, and the variance of everything but near per bin of values."""

    factors: Array
    variances: Array

    def half(self, rows: Predicted) -> Array:
        """Half-widths in pK."""
        return self.factors[np.digitize(rows.similarity, SIMILARITY_EDGES)] * self.deviation(rows)

    def deviation(self, rows: Predicted) -> Array:
        """Standard deviation of an error, in pK."""
        other = self.variances[np.digitize(rows.values, VALUE_EDGES)]
        return np.asarray(np.sqrt(np.maximum(rows.variance, 0) + other))

    def written(self) -> dict:
        """The product's format."""
        return {
            "level": LEVEL,
            "valueEdges": list(VALUE_EDGES),
            "similarityEdges": list(SIMILARITY_EDGES),
            "factors": np.round(self.factors, 3).tolist(),
            "variances": np.round(self.variances, 3).tolist(),
        }


def fit_widths(rows: Predicted, predicted: Array, weight: Array) -> Widths:
    """Bins with few rows use all rows."""
    missed = np.abs(rows.y - predicted)

    def bins(column: Array, edges: tuple[float, ...]) -> list[npt.NDArray]:
        found = [np.digitize(column, edges) == at for at in range(len(edges) + 1)]
        return [some if some.sum() >= BIN_MIN else np.full(len(missed), True) for some in found]

    variances = [
        max(float(np.average(missed[some] ** 2 - rows.variance[some], weights=weight[some])), 0.05)
        for some in bins(rows.values, VALUE_EDGES)
    ]
    widths = Widths(np.ones(len(SIMILARITY_EDGES) + 1), np.array(variances))
    ratio = missed / widths.deviation(rows)
    widths.factors = np.array(
        [
            np.quantile(ratio[some], LEVEL, weights=weight[some], method="inverted_cdf")
            for some in bins(rows.similarity, SIMILARITY_EDGES)
        ]
    )
    return widths
