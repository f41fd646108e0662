"""Fits every part of the model on some pairs, and predicts with it from inputs computed once."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import scipy.sparse as sp
import torch
from torch import Tensor, nn

from .boosting import COMPOUND_BLOCKS, fit_compound_trees, fit_pair_trees
from .data import Features, Pairs, block_range, cut_variants
from .kernel_ridge import KernelRidge, fit_kernel_ridge
from .maps import CHUNK, PAIR_BLOCK, fit_compound_map, fit_target_map, map_compounds, map_targets
from .model import Affinity, Views, round_to_half
from .network import train_network
from .settings import SEED_OFFSETS, Settings

ROWS_COUNTED_PER_TARGET = 400
PARTS = ("kernel", "networks", "boosting")
PREDICT_ROWS = 16_384


@dataclass
class Inputs:
    """What the trainable parts see of every compound and every target variant, computed once."""

    compound_kernel: Tensor
    compound_network: Tensor
    target_kernel: Tensor
    target_network: Tensor
    compound_trees: sp.csr_matrix  # compounds x all bits and descriptors; bits of other blocks are 0
    pair_trees_compound: Tensor
    pair_trees_target: Tensor


def prepare(features: Features, pairs: Pairs, settings: Settings) -> tuple[Affinity, Inputs]:
    """Fits the maps, which know no label, and an empty model around them."""
    compound_map = fit_compound_map(features, settings)
    rows = np.bincount(pairs.target, minlength=len(features.target_ids))
    target_map = fit_target_map(features, settings, np.sqrt(np.minimum(rows, ROWS_COUNTED_PER_TARGET) + 1))
    for mapping in (compound_map, target_map):
        round_to_half(mapping)
    compounds, targets = map_compounds(compound_map, features), map_targets(target_map, features)
    rank, letters = settings.target_rank, features.composition.shape[1]
    full = targets[:: features.variants, :rank]
    compound_views = Views(settings.compound_rank, features.descriptors.shape[1], 0.0, 0.7).fit(compounds)
    target_views = Views(rank, letters + 1, 0.3 / (letters + 1) ** 0.5, 0.7).fit(full)
    model = Affinity(compound_map, target_map, compound_views, target_views, settings)
    descriptors = compound_map.scaled(torch.from_numpy(features.descriptors))
    mapped, extra = targets[:, :rank], targets[:, rank:]
    return model, Inputs(
        compound_kernel=compound_views.kernel(compounds, descriptors),
        compound_network=compound_views.network(compounds, descriptors),
        target_kernel=target_views.kernel(mapped, extra),
        target_network=target_views.network(mapped, extra),
        compound_trees=_tree_inputs(features),
        pair_trees_compound=model.pair_tree_compounds(
            torch.from_numpy(features.block(PAIR_BLOCK).toarray()), torch.from_numpy(features.descriptors)
        ),
        pair_trees_target=model.pair_tree_targets(targets),
    )


def fit(
    model: Affinity,
    inputs: Inputs,
    variants: int,
    pairs: Pairs,
    settings: Settings,
    parts: Sequence[str] = PARTS,
) -> Affinity:
    """A new model on the same maps, with the named parts trained on the pairs."""
    fitted = Affinity(
        model.compound_map, model.target_map, model.compound_views, model.target_views, settings
    )
    for part in parts:
        fit_part(fitted, inputs, variants, pairs, settings, part)
    return fitted.eval()


def fit_part(
    model: Affinity, inputs: Inputs, variants: int, pairs: Pairs, settings: Settings, part: str
) -> None:
    """Trains one part of the model in place, anew."""
    if part == "boosting":
        views = inputs.pair_trees_compound, inputs.pair_trees_target
        model.compound_trees = fit_compound_trees(inputs.compound_trees, pairs, settings)
        model.pair_trees = fit_pair_trees(*views, variants, pairs, settings)
        return
    if part == "kernel":
        model.set_kernel(*fit_kernels(inputs, variants, pairs, settings))
        round_to_half(model)
        return
    views = inputs.compound_network, inputs.target_network
    model.networks = nn.ModuleList()
    for member in range(settings.members):
        model.add_network(*train_network(*views, variants, pairs, settings, member))
    round_to_half(model.networks)


def fit_kernels(
    inputs: Inputs, variants: int, pairs: Pairs, settings: Settings
) -> tuple[KernelRidge, KernelRidge]:
    """The kernel over pairs, and the same without the protein."""
    generator = np.random.default_rng(settings.seed + SEED_OFFSETS["kernel cuts"])
    shown = cut_variants(pairs.target, variants, generator, settings.kernel_cut_share)
    full = fit_kernel_ridge(inputs.compound_kernel, inputs.target_kernel, pairs, shown, settings)
    blind, whole = inputs.target_kernel * 0, pairs.target.astype(np.int64) * variants
    noise = settings.kernel_noise * settings.ligand_noise_factor
    ligand = fit_kernel_ridge(
        inputs.compound_kernel, blind, pairs, whole, replace(settings, kernel_noise=noise)
    )
    return full, ligand


def predict(
    model: Affinity, inputs: Inputs, compounds: np.ndarray, variants: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """The protein-aware and the ligand-only number of each pair of a compound and a target variant, from
    the parts that the model has."""
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
        return torch.cat(full)[:, 0].numpy(), encoded_c[:, -1].numpy()[at_c]


def predict_boosted(
    model: Affinity, inputs: Inputs, compounds: np.ndarray, variants: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """What the trees over compounds and those over pairs say, in chunks: dense inputs are large."""
    used, at = np.unique(compounds, return_inverse=True)
    alone, paired = [], []
    with torch.no_grad():
        for start in range(0, len(used), CHUNK):
            dense = inputs.compound_trees[used[start : start + CHUNK]].toarray()
            alone.append(model.compound_trees(torch.from_numpy(dense)).numpy())
        for start in range(0, len(compounds), PREDICT_ROWS):
            part = slice(start, start + PREDICT_ROWS)
            c, t = torch.from_numpy(compounds[part]).long(), torch.from_numpy(variants[part]).long()
            both = torch.cat([inputs.pair_trees_compound[c], inputs.pair_trees_target[t]], 1)
            paired.append(model.pair_trees(both).numpy())
    return np.concatenate(alone)[at], np.concatenate(paired)


def _tree_inputs(features: Features) -> sp.csr_matrix:
    spec = features.manifest["featureSpec"]
    is_seen = np.zeros(features.bits.shape[1], np.float32)
    for start, stop in (block_range(spec, name) for name in COMPOUND_BLOCKS):
        is_seen[start:stop] = 1
    bits = features.bits @ sp.diags_array(is_seen, format="csr")
    bits.eliminate_zeros()
    return sp.hstack([bits, sp.csr_matrix(features.descriptors)], "csr")
