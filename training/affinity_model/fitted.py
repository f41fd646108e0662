"""A fitted model that predicts pairs as the product does, before its level."""

from dataclasses import dataclass

import numpy as np

from .calibrate import Predicted
from .export import offsets_by_target
from .model import Features, Ridge, TargetKernel, fit_ridge
from .near import Measured, NearSettings, krige, measured_of
from .tables import Compounds, Floats, Ints, Rows, Series, Targets

# A chain that shares this part of its 4-mers with a training target is that target.
KNOWN_FROM = 0.5


@dataclass
class Fitted:
    """Regression, residuals, and what both need; `known`: numbers of the fingerprints of measured compounds."""

    compounds: Compounds
    targets: Targets
    features: Features
    kernel: TargetKernel
    ridge: Ridge
    offsets: Floats
    measured: Measured
    near: NearSettings
    known: Ints

    def weights(self, segments: list[str]) -> tuple[int, Floats, float]:
        """Place of the training target or -1, weights, and the offset of the usual type."""
        place, share = self.kernel.nearest(segments)
        if share >= KNOWN_FROM:
            return place, self.ridge.weights[place], float(self.offsets[place])
        psi = self.kernel.directions_of(self.kernel.similarities(segments))
        return -1, self.ridge.shared + psi @ self.ridge.by_protein, float(self.offsets.mean())

    @staticmethod
    def of(
        compounds: Compounds,
        targets: Targets,
        kernel: TargetKernel,
        features: Features,
        rows: Rows,
        ridge: Ridge,
    ) -> "Fitted":
        """From a regression that was fitted on these rows."""
        near = NearSettings()
        return Fitted(
            compounds,
            targets,
            features,
            kernel,
            ridge,
            offsets_by_target(rows, ridge.kinds, len(targets)),
            measured_of(rows, ridge.residual, len(targets), len(compounds)),
            near,
            np.unique(compounds.print_id[rows.compound]),
        )

    def predict(self, segments: list[str], some: Ints, y: Floats, name: str, gene: str) -> Predicted:
        """Of compounds on a chain, as the product does it."""
        return self._predict(*self.weights(segments), some, y, name, gene)

    def predict_as_uploaded(self, place: int, some: Ints, y: Floats) -> Predicted:
        """Of a target of the tables, by its sequence; without values on it, as of a new protein."""
        segments = [self.targets.sequences[place]]
        if len(self.measured.on(place)) == 0:
            segments_of = self.kernel.similarities(segments)
            segments_of[place] = 0
            psi = self.kernel.directions_of(segments_of)
            return self._predict(
                -1,
                self.ridge.shared + psi @ self.ridge.by_protein,
                float(self.offsets.mean()),
                some,
                y,
                "",
                "",
            )
        return self._predict(place, self.ridge.weights[place], float(self.offsets[place]), some, y, "", "")

    def _predict(
        self, place: int, weights: Floats, offset: float, some: Ints, y: Floats, name: str, gene: str
    ) -> Predicted:
        base = self.ridge.mean + offset
        values = 0 if place < 0 else len(self.measured.on(place))
        if place < 0:
            mean, variance, similarity = (
                np.zeros(len(some)),
                np.full(len(some), self.near.height),
                np.zeros(len(some)),
            )
        else:
            mean, variance, similarity = krige(
                self.compounds, self.kernel.kernel, self.measured, place, some, self.near
            )
        return Predicted(
            raw=base + self.features.phi[some] @ weights + mean,
            variance=variance,
            values=np.full(len(some), float(values)),
            similarity=similarity,
            heavy_atoms=self.compounds.heavy_atoms[some],
            y=y,
            compound=some,
            is_known=np.isin(self.compounds.print_id[some], self.known),
            series=np.full(len(some), name),
            gene=np.full(len(some), gene),
        )


def fit(
    compounds: Compounds,
    targets: Targets,
    kernel: TargetKernel,
    features: Features,
    rows: Rows,
    near: NearSettings,
) -> Fitted:
    """Fits the regression, and keeps its residuals for kriging."""
    ridge = fit_ridge(rows, features.phi, kernel.psi, len(targets), features.settings)
    model = Fitted.of(compounds, targets, kernel, features, rows, ridge)
    model.near = near
    return model


def predict_series(model: Fitted, all_series: list[Series], known: set[int]) -> list[Predicted]:
    """Compounds that stand in no table, by series."""
    found = []
    for one in all_series:
        new = np.array([int(row) not in known for row in one.compound])
        if new.any():
            found.append(model.predict(one.segments, one.compound[new], one.y[new], one.system, one.gene))
    return found


def together(parts: list[Predicted]) -> Predicted:
    """All rows, part after part."""
    return Predicted(**{name: np.concatenate([vars(one)[name] for one in parts]) for name in vars(parts[0])})
