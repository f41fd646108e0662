"""Fits every part of the model on given pairs, and predicts with inputs computed once."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import scipy.sparse as sp
import torch
from torch import Tensor, nn

from .boosting import COMPOUND_BLOCKS, fit_compound_trees, fit_pair_trees
from .data import Features, Pairs, block_columns, cut_variants
from .featurizers import (
    CHUNK,
    PAIR_BLOCK,
    featurize_compounds,
    featurize_targets,
    fit_compound_featurizer,
    fit_target_featurizer,
)
from .kernel_ridge import KernelRidge, fit_kernel_ridge
from .model import Affinity, round_to_half, trained
from .network import Lesson, train_network
from .settings import SEED_OFFSETS, Settings

ROWS_COUNTED_PER_TARGET = 400
PARTS = ("kernel", "networks", "boosting")
PREDICT_ROWS = 16_384


@dataclass
class Inputs:
    """Inputs of the trainable parts for every compound and target variant, computed once."""

    compound_kernel: Tensor  # compounds x rank
    compound_network: Tensor  # compounds x (rank + descriptors)
    target_kernel: Tensor  # (targets * variants) x (rank + letters + 1)
    target_network: Tensor  # (targets * variants) x (rank + letters + 1)
    compound_trees: sp.csr_matrix  # compounds x all bits and descriptors; bits of other blocks are 0
    pair_trees_compound: Tensor  # compounds x columns of `pair_tree_compounds`
    pair_trees_target: Tensor  # (targets * variants) x columns of `pair_tree_targets`
    variants: int  # rows per target; the first is the full sequence

    def full_sequence(self, targets: np.ndarray) -> np.ndarray:
        """Target numbers to rows of their full sequences."""
        return targets.astype(np.int64) * self.variants


def prepare(features: Features, pairs: Pairs, settings: Settings) -> tuple[Affinity, Inputs]:
    """Fits the featurizers, which use no labels, and an empty model around them."""
    compound_featurizer = fit_compound_featurizer(features, settings)
    rows = np.bincount(pairs.target, minlength=len(features.target_ids))
    target_featurizer = fit_target_featurizer(
        features, settings, np.sqrt(np.minimum(rows, ROWS_COUNTED_PER_TARGET) + 1)
    )
    for featurizer in (compound_featurizer, target_featurizer):
        round_to_half(featurizer)
    model = Affinity(compound_featurizer, target_featurizer, settings)
    compounds = featurize_compounds(compound_featurizer, features)
    targets = featurize_targets(target_featurizer, features)
    full_sequences = targets[:: features.variants]
    model.compound_views.fit(compounds)
    model.target_views.fit(full_sequences[:, target_featurizer.profile_columns])
    descriptors = torch.from_numpy(features.descriptors)
    scaled = compound_featurizer.scaled(descriptors)
    target_kernel, target_network = model.target_inputs(targets)
    return model, Inputs(
        compound_kernel=model.compound_views.kernel(compounds, scaled),
        compound_network=model.compound_views.network(compounds, scaled),
        target_kernel=target_kernel,
        target_network=target_network,
        compound_trees=_tree_inputs(features),
        pair_trees_compound=model.pair_tree_compounds(
            torch.from_numpy(features.block(PAIR_BLOCK).toarray()), descriptors
        ),
        pair_trees_target=model.pair_tree_targets(targets),
        variants=features.variants,
    )


def fit(
    model: Affinity, inputs: Inputs, pairs: Pairs, settings: Settings, parts: Sequence[str] = PARTS
) -> Affinity:
    """A new model on the same featurizers, with the named PARTS trained on the pairs."""
    fitted = model.untrained(settings)
    for part in parts:
        fit_part(fitted, inputs, pairs, settings, part)
    return fitted.eval()


def fit_part(model: Affinity, inputs: Inputs, pairs: Pairs, settings: Settings, part: str) -> None:
    """Retrains one of PARTS in place; ValueError for any other name."""
    if part == "kernel":
        model.set_kernel(*fit_kernels(inputs, pairs, settings))
        round_to_half(model)
    elif part == "networks":
        lesson = Lesson(inputs.compound_network, inputs.target_network, inputs.variants, pairs)
        model.networks = nn.ModuleList()
        for member in range(settings.members):
            model.add_network(*train_network(lesson, settings, member))
        round_to_half(model.networks)
    elif part == "boosting":
        views = inputs.pair_trees_compound, inputs.pair_trees_target
        model.compound_trees = fit_compound_trees(inputs.compound_trees, pairs, settings)
        model.pair_trees = fit_pair_trees(*views, inputs.variants, pairs, settings)
    else:
        raise ValueError(f"the model has no part {part}, only {', '.join(PARTS)}")


def fit_kernels(inputs: Inputs, pairs: Pairs, settings: Settings) -> tuple[KernelRidge, KernelRidge]:
    """Trains the kernel over pairs and the one without the protein."""
    generator = np.random.default_rng(settings.seed + SEED_OFFSETS["kernel cuts"])
    shown = cut_variants(pairs.target, inputs.variants, generator, settings.kernel_cut_share)
    full = fit_kernel_ridge(inputs.compound_kernel, inputs.target_kernel, pairs, shown, settings)
    blind, whole = inputs.target_kernel * 0, inputs.full_sequence(pairs.target)
    noise = settings.kernel_noise * settings.ligand_noise_factor
    ligand = fit_kernel_ridge(
        inputs.compound_kernel, blind, pairs, whole, replace(settings, kernel_noise=noise)
    )
    return full, ligand


def predict(
    model: Affinity, inputs: Inputs, compounds: np.ndarray, variants: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """compounds, variants: rows of `inputs`, n each. Protein-aware and ligand-only predictions of kernel and networks,
    n each in pKd, using the parts that are trained."""
    with torch.no_grad():
        used_c, at_c = np.unique(compounds, return_inverse=True)
        used_t, at_t = np.unique(variants, return_inverse=True)
        c, t = torch.from_numpy(used_c).long(), torch.from_numpy(used_t).long()
        encoded_c = model.encode_compound_inputs(inputs.compound_kernel[c], inputs.compound_network[c])
        encoded_t = model.encode_target_inputs(inputs.target_kernel[t], inputs.target_network[t])
        full = []
        for start in range(0, len(compounds), PREDICT_ROWS):
            part = slice(start, start + PREDICT_ROWS)
            full.append(
                model.full(encoded_c[torch.from_numpy(at_c[part])], encoded_t[torch.from_numpy(at_t[part])])
            )
        return torch.cat(full)[:, 0].numpy(), encoded_c[:, model.compound_columns.ligand][:, 0].numpy()[at_c]


def predict_boosted(
    model: Affinity, inputs: Inputs, compounds: np.ndarray, variants: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """compounds, variants: rows of `inputs`, n each. Predictions of the trees over compounds and over pairs, n each in
    pKd. In chunks, because dense inputs are large. ValueError if trees are not trained yet."""
    used, at = np.unique(compounds, return_inverse=True)
    alone, paired = [], []
    with torch.no_grad():
        for start in range(0, len(used), CHUNK):
            dense = inputs.compound_trees[used[start : start + CHUNK]].toarray()
            alone.append(trained(model.compound_trees)(torch.from_numpy(dense)).numpy())
        for start in range(0, len(compounds), PREDICT_ROWS):
            part = slice(start, start + PREDICT_ROWS)
            c, t = torch.from_numpy(compounds[part]).long(), torch.from_numpy(variants[part]).long()
            both = torch.cat([inputs.pair_trees_compound[c], inputs.pair_trees_target[t]], 1)
            paired.append(trained(model.pair_trees)(both).numpy())
    return np.concatenate(alone)[at], np.concatenate(paired)


def _tree_inputs(features: Features) -> sp.csr_matrix:
    spec = features.manifest["featureSpec"]
    is_seen = np.zeros(features.bits.shape[1], np.float32)
    for name in COMPOUND_BLOCKS:
        is_seen[block_columns(spec, name)] = 1
    bits = features.bits @ sp.diags_array(is_seen, format="csr")
    bits.eliminate_zeros()
    return sp.hstack([bits, sp.csr_matrix(features.descriptors)], "csr")
