"""Inputs of the final stage besides the base model: a pair kernel, trees pooled over targets, and analogues.

All are fitted on the general table and ChEMBL's further rows, without any series, its compounds or its assays.
"""

from dataclasses import dataclass, replace

import lightgbm
import numpy as np
import scipy.linalg
import torch
from torch import Tensor

from .boosting import Trees, trees_of
from .featurizers import PAIR_BLOCK
from .final_stage import AVERAGED
from .fit import Inputs, prepare
from .kernel_ridge import KernelRidge, append_one, fit_kernel_ridge
from .measured import tanimoto
from .model import Affinity
from .neighbours import folded_fingerprints
from .settings import Settings
from .wide_data import FURTHER_GROUPS, Wide

# The kernel's noise variance: much larger than the optimum on random folds, whose compounds have twins in training.
KERNEL_NOISE = 4.0
# A mean of few rows is shrunk to the overall mean as if this many rows had that value.
GROUP_PRIOR_ROWS = 3
TREE_ROUNDS = 200
TREES = {
    "objective": "l2", "learning_rate": 0.05, "num_leaves": 63, "min_data_in_leaf": 20, "lambda_l2": 5.0,
    "feature_fraction": 0.15, "bagging_fraction": 0.7, "bagging_freq": 1, "max_bin": 63, "num_threads": 1,
    "deterministic": True, "verbose": -1, "seed": 1,
}  # fmt: skip
# What is averaged over the values on a target: pK, size, and what the parts predict for the same compounds.
MEANS = ("pk", *AVERAGED)
# Analogues: a Gaussian process on the residuals of the trees; variances.
ALIKE, NOISE, NOISE_OF_COMPOUND = 0.8, 0.4, 0.1


@dataclass
class Analogues:
    """Contribution of each measured compound to other compounds on its target, by similarity."""

    group: np.ndarray  # per target of targets.json: the group of its labels; twins share one
    starts: np.ndarray  # groups + 1: start of each group's labels
    fingerprints: np.ndarray  # rows x folded bits, true or false
    compound: np.ndarray  # row of `fingerprints` of each label
    weight: np.ndarray  # per label, single precision: contribution in pK to an identical compound
    mostly: list[
        str
    ]  # per group: the most common type of ChEMBL's further rows, Ki or IC50; "other" without any
    mean: np.ndarray  # per group: their mean contribution to each other and themselves

    def of(self, queries: np.ndarray, target: int) -> tuple[np.ndarray, np.ndarray]:
        """queries: folded fingerprints; target: its index in targets.json. Returns pK and the similarity of the closest
        compound."""
        labels = slice(*self.starts[self.group[target] :][:2])
        if labels.start == labels.stop:
            return np.zeros(len(queries)), np.zeros(len(queries))
        similarity = tanimoto(queries, self.fingerprints[self.compound[labels]])
        return similarity @ self.weight[labels].astype(np.float64), similarity.max(1)


@dataclass
class WideParts:
    """All parts, fitted. The kernel uses the maps of `featurized`."""

    featurized: Affinity
    kernel: KernelRidge
    pooled: Trees
    analogues: Analogues
    means: np.ndarray  # groups of `analogues` x MEANS; zeros without values
    settings: Settings

    def encode_compounds(self, bits: Tensor, descriptors: Tensor) -> Tensor:
        """n x all bits and n x descriptors to n x (rank + 2): kernel inputs, and pK of the pooled trees."""
        kernel, _ = self.featurized.compound_inputs(bits, descriptors)
        keys = bits[:, self.featurized.compound_featurizer.pair_bits]
        return torch.cat([append_one(kernel), self.pooled(torch.cat([descriptors, keys], 1))[:, None]], 1)

    def encode_targets(self, kmers: Tensor, composition: Tensor, length: Tensor) -> Tensor:
        """m x all k-mers, m x letters, m x 1 to m x (rank + 1): its product with a compound is the kernel's pK."""
        featurized = self.featurized.target_featurizer(kmers, composition, length)
        kernel, _ = self.featurized.target_inputs(featurized)
        constant = kernel[:, :1] * 0 + self.settings.kernel_ligand**0.5
        inputs = torch.cat([kernel * self.settings.kernel_interaction**0.5, constant], 1)
        vectors = inputs @ self.kernel.weights
        return torch.cat([vectors[:, :-1], vectors[:, -1:] + self.kernel.mean], 1)


Prepared = tuple[Affinity, Inputs]


def fit_wide_parts(wide: Wide, settings: Settings, prepared: Prepared | None = None) -> WideParts:
    """Fits all parts on the pairs; about ten minutes on one core.

    prepared: from `prepare`, for several fits on the same features; it uses no values.
    """
    settings = replace(settings, kernel_noise=KERNEL_NOISE)
    prepared = prepared or prepare(wide.features, wide.pairs, settings)
    featurized, kernel = _kernel(wide, settings, prepared)
    exact = np.flatnonzero(wide.is_optimised)
    left = _leftover(wide, exact)
    pooled, expected, shown = _pooled_trees(wide, exact, left)
    analogues = _analogues(wide, exact, left - expected)
    inputs, pairs = prepared[1], wide.pairs.take(exact)
    rows = pairs.compound, inputs.full_sequence(pairs.target)
    kernel_of = kernel.predict(inputs.compound_kernel, inputs.target_kernel, rows, settings)
    means = _means(wide, exact, analogues, shown, kernel_of)
    return WideParts(featurized, kernel, pooled, analogues, means, settings)


def _kernel(wide: Wide, settings: Settings, prepared: Prepared) -> tuple[Affinity, KernelRidge]:
    featurized, inputs = prepared
    shown = inputs.full_sequence(wide.pairs.target)
    fitted = fit_kernel_ridge(inputs.compound_kernel, inputs.target_kernel, wide.pairs, shown, settings)
    return featurized.eval(), replace(fitted, weights=fitted.weights.half().float())


def _leftover(wide: Wide, exact: np.ndarray) -> np.ndarray:
    """Labels of the pairs minus the mean of their target, type and assay."""
    pairs = wide.pairs.take(exact)
    is_ic50 = pairs.groups[:, -len(FURTHER_GROUPS) :][:, 1] > 0
    names = [f"{t} {i} {a}" for t, i, a in zip(wide.stands[pairs.target], is_ic50, wide.assay[exact])]
    _, group = np.unique(names, return_inverse=True)
    y = pairs.y.astype(np.float64) - pairs.y.mean()
    return y - (np.bincount(group, y) / (np.bincount(group) + GROUP_PRIOR_ROWS))[group]


def _pooled_trees(wide: Wide, exact: np.ndarray, left: np.ndarray) -> tuple[Trees, np.ndarray, np.ndarray]:
    """Trees over compounds, and for each pair's compound out-of-fold predictions and those of all trees."""
    used, at = np.unique(wide.pairs.compound[exact], return_inverse=True)
    rows = np.bincount(at)
    means, seen = np.bincount(at, left) / rows, _tree_inputs(wide, used)
    half = np.random.default_rng(0).integers(0, 2, len(used))
    forests, expected, said = [], np.zeros(len(used)), np.zeros((2, len(used)))
    for held in (0, 1):
        of = half != held
        grown = lightgbm.train(
            TREES, lightgbm.Dataset(seen[of], means[of], weight=rows[of] ** 0.5), TREE_ROUNDS
        )
        said[held] = grown.predict(seen)
        expected[~of] = said[held, ~of]
        forests.append(grown.dump_model()["tree_info"])
    return trees_of(forests, np.arange(seen.shape[1]), 0.0), expected[at], said.mean(0)[at]


def _tree_inputs(wide: Wide, compounds: np.ndarray) -> np.ndarray:
    keys = wide.features.block(PAIR_BLOCK)[compounds].toarray()
    return np.hstack([wide.features.descriptors[compounds], keys]).astype(np.float32)


def _analogues(wide: Wide, exact: np.ndarray, left: np.ndarray) -> Analogues:
    compounds, of_pair = np.unique(wide.pairs.compound[exact], return_inverse=True)
    packed = np.packbits(folded_fingerprints(wide.features, compounds), axis=1, bitorder="little")
    packed, row = np.unique(packed, axis=0, return_inverse=True)
    fingerprints = np.unpackbits(packed, axis=1, bitorder="little").astype(bool)
    groups, group = np.unique(wide.stands[wide.known_targets], return_inverse=True)
    further = wide.pairs.groups[:, -len(FURTHER_GROUPS) :]
    starts, rows, weights, mostly, mean = [0], [], [], [], []
    for stand in groups:
        on_it = np.flatnonzero(wide.stands[wide.pairs.target[exact]] == stand)
        labelled, at, count = np.unique(row[of_pair[on_it]], return_inverse=True, return_counts=True)
        values = np.bincount(at, left[on_it], len(labelled)) / np.maximum(count, 1)
        weights.append(_weights(fingerprints[labelled], values, count))
        mean.append(np.mean(values - _noise(count) * weights[-1] / ALIKE) if len(labelled) else 0.0)
        rows.append(labelled)
        starts.append(starts[-1] + len(labelled))
        of_ki, of_ic50 = further[wide.stands[wide.pairs.target] == stand].sum(0)
        mostly.append("other" if of_ki + of_ic50 == 0 else "IC50" if of_ic50 > of_ki else "Ki")
    return Analogues(
        group, np.array(starts), fingerprints, np.concatenate(rows),
        np.concatenate(weights).astype(np.float32), mostly, np.array(mean),
    )  # fmt: skip


def _weights(known: np.ndarray, values: np.ndarray, count: np.ndarray) -> np.ndarray:
    """Weights of a Gaussian process on the values; count: number of labels averaged in each."""
    if len(known) == 0:
        return np.zeros(0)
    covariance = (ALIKE * tanimoto(known, known)).astype(np.float32)
    covariance[np.diag_indices(len(known))] += _noise(count).astype(np.float32)
    return ALIKE * scipy.linalg.solve(covariance, values, assume_a="pos")


def _noise(count: np.ndarray) -> np.ndarray:
    """Variance of a mean of so many labels."""
    return NOISE / count + NOISE_OF_COMPOUND


def _means(
    wide: Wide, exact: np.ndarray, analogues: Analogues, pooled: np.ndarray, kernel: np.ndarray
) -> np.ndarray:
    """Groups x MEANS. A compound counts once per target, and with its IC50 only if it has no other value there.

    pooled, kernel: predictions per exact pair.
    """
    pairs, stands = wide.pairs.take(exact), np.unique(wide.stands[wide.known_targets])
    stand_of = wide.stands[pairs.target]
    group = np.minimum(np.searchsorted(stands, stand_of), len(stands) - 1)
    is_ic50 = pairs.groups[:, -len(FURTHER_GROUPS) :][:, 1] > 0
    _, at = np.unique(stand_of * len(wide.features.compound_ids) + pairs.compound, return_inverse=True)
    has_other = np.bincount(at, ~is_ic50) > 0
    counts = (~is_ic50 | ~has_other[at]) & (stands[group] == stand_of)
    weight = counts / np.maximum(np.bincount(at, counts), 1)[at]
    names = wide.features.manifest["featureSpec"]["compound"]["descriptors"]
    size, logp = (
        wide.features.descriptors[pairs.compound, names.index(name)]
        for name in ("NumHeavyAtoms", "CrippenClogP")
    )
    total = np.maximum(np.bincount(group, weight, len(stands)), 1)
    columns = {"pk": pairs.y, "heavy_atoms": size, "logp": logp, "pooled": pooled, "kernel": kernel}
    means = {
        name: np.bincount(group, weight * column, len(stands)) / total for name, column in columns.items()
    }
    return np.stack([(means | {"analogues": analogues.mean})[name] for name in MEANS], 1)
