"""The model: one ridge regression over pairs, and a Gaussian process on the residuals near a pair.

    y = mean + w_t . phi(c) + offset(kind) + near(c, t) + noise,    w_t = w + W psi_t + v_t

phi(c): Nystroem features (Williams and Seeger 2001) of the mean Tanimoto similarity over fingerprint blocks, scaled
descriptors, and a constant. psi_t: principal directions of the cosine similarity of 4-mer sets. w is shared, W follows the
protein, v_t is the target's own; all have Gaussian priors, so that w, W, v and the offsets are one ridge regression, solved
by conjugate gradients (Hestenes and Stiefel 1952). `near` is simple kriging (Matheron 1963) from the closest measured pairs.
"""

import itertools
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from .tables import KINDS, Compounds, Floats, Ints, Rows, Targets, words_of

Doubles = npt.NDArray[np.float64]
CLIP = 4.0
# Share of the first squared residual from which predictions no longer change.
SOLVED = 1e-8
# The tables need about 100.
STEPS_MAX = 500


@dataclass
class Settings:
    """Chosen on held-back rows, scaffold fold 1 and target fold 3. Scales are standard deviations of the priors, relative to that
    of a row's noise. Rows share errors with those of similar compounds, which `near` learns: the scales are small."""

    # Of the feature spec: Morgan counts, atom pairs, torsions, MACCS keys.
    blocks: tuple[int, ...] = (1, 2, 3, 4)
    landmarks: int = 1000
    directions: int = 150
    shared: float = 0.125
    by_protein: float = 0.15
    own: float = 0.3
    kind: float = 0.125
    descriptor: float = 0.05
    constant: float = 0.25
    mixed_weight: float = 0.7


def tanimoto(one: sp.csr_matrix, other: sp.csr_matrix) -> Floats:
    """Similarities (rows of one x rows of the other) of bit sets."""
    shared = np.asarray(one @ other.T.toarray(), np.float32)
    a, b = np.asarray(one.sum(1)).ravel(), np.asarray(other.sum(1)).ravel()
    either = a[:, None] + b[None] - shared
    return np.asarray(shared / np.maximum(either, 1e-6), np.float32)


def tanimoto_of_packed(one: npt.NDArray[np.uint8], other: npt.NDArray[np.uint8]) -> Doubles:
    """Similarities (... x rows of one x rows of the other) of packed bit sets; 0 for two empty sets."""
    a, b = (np.unpackbits(bits, axis=-1).astype(np.float32) for bits in (one, other))
    shared = (a @ b.swapaxes(-1, -2)).astype(float)
    either = a.sum(-1)[..., :, None] + b.sum(-1)[..., None, :] - shared
    return shared / np.maximum(either, 1)


@dataclass
class Features:
    """phi of every compound, and what is needed to compute it for another one."""

    landmarks: Ints
    projection: Floats
    phi: Floats
    mean: Floats
    deviation: Floats
    settings: Settings


def compound_features(compounds: Compounds, candidates: Ints, settings: Settings) -> Features:
    """phi of all compounds, with landmarks drawn from `candidates`; descriptors are scaled by them as well."""
    chosen = np.sort(np.random.default_rng(1).choice(candidates, settings.landmarks, replace=False))
    kernel = np.zeros((len(compounds), settings.landmarks), np.float32)
    for at in settings.blocks:
        block = compounds.blocks[at]
        for start in range(0, len(compounds), 20_000):
            kernel[start : start + 20_000] += tanimoto(block[start : start + 20_000], block[chosen]) / len(
                settings.blocks
            )
    values, vectors = np.linalg.eigh(kernel[chosen].astype(np.float64) + 1e-4 * np.eye(len(chosen)))
    projection = (vectors / np.sqrt(np.maximum(values, 1e-4))).astype(np.float32)
    mean, deviation = (
        compounds.descriptors[candidates].mean(0),
        compounds.descriptors[candidates].std(0) + 1e-6,
    )
    described = describe(compounds.descriptors, mean, deviation) * settings.descriptor
    constant = np.full((len(compounds), 1), settings.constant, np.float32)
    phi = np.concatenate([kernel @ projection, described, constant], 1).astype(np.float32)
    return Features(chosen, projection, phi, mean, deviation, settings)


def describe(descriptors: Floats, mean: Floats, deviation: Floats) -> Floats:
    """Standardised descriptors, clipped to CLIP deviations."""
    scaled = ((descriptors - mean) / deviation).clip(-CLIP, CLIP)
    return np.asarray(scaled, np.float32)


class TargetKernel:
    """Cosine similarity of 4-mer sets, and its principal directions."""

    def __init__(self, targets: Targets, directions: int) -> None:
        self.words = [words_of([sequence]) for sequence in targets.sequences]
        number: dict[str, int] = {}
        pairs = [
            (at, number.setdefault(word, len(number)))
            for at, some in enumerate(self.words)
            for word in sorted(some)
        ]
        rows, columns = np.array(pairs).T
        bits = sp.csr_matrix((np.ones(len(pairs), np.float32), (rows, columns)), (len(targets), len(number)))
        self.bits, self.number = bits, number
        self.norm = np.sqrt(np.maximum(np.asarray(bits.sum(1)).ravel(), 1))
        self.kernel = np.asarray((bits @ bits.T).todense()) / self.norm[:, None] / self.norm[None]
        values, vectors = np.linalg.eigh(self.kernel.astype(np.float64))
        self.values = np.maximum(values[-directions:], 1e-6)
        self.vectors = vectors[:, -directions:]
        self.psi = (self.vectors * np.sqrt(self.values)).astype(np.float32)

    def shared(self, segments: list[str]) -> tuple[Ints, int]:
        """Shared words of a chain with each target, and the number of its words."""
        some = words_of(segments)
        known = [self.number[word] for word in some if word in self.number]
        query = sp.csr_matrix(
            (np.ones(len(known), np.float32), (np.zeros(len(known), int), known)), (1, len(self.number))
        )
        return np.asarray((self.bits @ query.T).todense()).ravel().astype(np.int64), len(some)

    def similarities(self, segments: list[str]) -> Floats:
        """Cosine similarity of a chain to every target."""
        shared, count = self.shared(segments)
        return np.asarray(shared / self.norm / max(np.sqrt(count), 1), np.float32)

    def directions_of(self, similarities: Floats) -> Floats:
        """psi of a protein by its similarity to all targets (Nystroem extension)."""
        return np.asarray(similarities @ self.vectors / np.sqrt(self.values), np.float32)

    def nearest(self, segments: list[str]) -> tuple[int, float]:
        """The target that contains most of a chain's words (or is most contained in it), and the share; -1 if none.

        Of equal ones, to the percent, the shortest: an entry of the same domain, rather than a polyprotein.
        """
        shared, count = self.shared(segments)
        sizes = np.rint(self.norm**2)
        containment = shared / np.maximum(np.minimum(sizes, count), 40)
        best = int(np.lexsort((sizes, -np.floor(containment * 100 + 0.5)))[0])
        return (best, float(containment[best])) if shared[best] > 0 else (-1, 0.0)


@dataclass
class Ridge:
    """The fitted regression. `weights`: targets x phi; `residual` per row, without the offset of its kind."""

    mean: float
    weights: Floats
    shared: Floats
    by_protein: Floats
    kinds: Floats
    residual: Floats


def fit_ridge(rows: Rows, phi: Floats, psi: Floats, count: int, settings: Settings) -> Ridge:
    """Minimises the squared error of all exact values, or raises RuntimeError. `residual` is in the order of `rows`, 0 for bounds."""
    order = np.flatnonzero(~rows.is_bound)
    order = order[np.argsort(rows.target[order], kind="stable")]
    exact = rows.of(order)
    model = _solve(exact, phi, psi, count, settings, float(exact.y.mean()))
    residual = np.zeros(len(rows), np.float32)
    for start in range(0, len(exact), 50_000):
        part = exact.of(np.arange(start, min(start + 50_000, len(exact))))
        missed = part.y - model.mean - model.kinds[part.kind]
        missed -= np.einsum("ij,ij->i", phi[part.compound], model.weights[part.target])
        residual[order[start : start + 50_000]] = missed
    model.residual = residual
    return model


def _solve(rows: Rows, phi: Floats, psi: Floats, count: int, settings: Settings, mean: float) -> Ridge:
    starts = np.searchsorted(rows.target, np.arange(count + 1))
    groups = [(at, slice(a, b)) for at, (a, b) in enumerate(itertools.pairwise(starts)) if b > a]
    width, directions = phi.shape[1], psi.shape[1]
    cuts = np.cumsum([0, width, width * directions, width * count, len(KINDS)])
    weight = np.where(rows.kind == KINDS.index("mixed"), settings.mixed_weight, 1.0).astype(np.float32)
    mine = phi[rows.compound]

    def parts(x: Doubles) -> list[Doubles]:
        return [x[cuts[at] : cuts[at + 1]] for at in range(4)]

    def weights(x: Doubles) -> Floats:
        shared, by_protein, own, _ = parts(x)
        out = settings.own * own.reshape(count, width).astype(np.float32)
        out += settings.by_protein * (psi @ by_protein.reshape(directions, width).astype(np.float32))
        return out + np.float32(settings.shared) * shared.astype(np.float32)

    def forward(x: Doubles) -> Floats:
        by_target, out = weights(x), np.empty(len(rows), np.float32)
        for at, of in groups:
            out[of] = mine[of] @ by_target[at]
        out += settings.kind * parts(x)[-1][rows.kind].astype(np.float32)
        return out * weight

    def backward(error: Floats) -> Doubles:
        error = error * weight
        gradient = np.zeros((count, width), np.float32)
        for at, of in groups:
            gradient[at] = error[of] @ mine[of]
        return np.concatenate(
            [
                settings.shared * gradient.sum(0),
                settings.by_protein * (psi.T @ gradient).ravel(),
                settings.own * gradient.ravel(),
                settings.kind * np.bincount(rows.kind, error, len(KINDS)),
            ]
        ).astype(np.float64)

    x = np.zeros(cuts[-1])
    left = backward((rows.y - mean) * weight)
    direction, size = left.copy(), float(left @ left)
    solved = SOLVED * size
    for _ in range(STEPS_MAX):
        if size <= solved:
            break
        moved = forward(direction)
        length = size / float(moved @ moved + direction @ direction)
        x += length * direction
        left -= length * (backward(moved) + direction)
        before, size = size, float(left @ left)
        direction = left + size / before * direction
    else:
        raise RuntimeError(f"the regression is not solved after {STEPS_MAX} steps")
    shared, by_protein, _, kind = parts(x)
    return Ridge(
        mean,
        weights(x),
        np.asarray(settings.shared * shared, np.float32),
        np.asarray(settings.by_protein * by_protein.reshape(directions, width), np.float32),
        np.asarray(settings.kind * kind, np.float32),
        np.zeros(0, np.float32),
    )
