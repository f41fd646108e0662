"""The shipped model: featurizers, kernel ridge, networks and trees behind two encoders and one pair function.

Encodings of compounds and targets can be cached. Besides them, `pair` needs only the similarities to the closest
training compound and target, which set the weight of each part, and the values measured near the pair.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar, cast

import numpy as np
import torch
from torch import Tensor, nn

from . import measured as near
from .boosting import Trees
from .data import consecutive
from .featurizers import CompoundFeaturizer, TargetFeaturizer
from .kernel_ridge import KernelRidge, append_one
from .network import Network
from .settings import Settings

# Inputs of the blend: kernel and networks without the protein, trees without and with it, kernel and networks with it.
NUMBERS = ("ligand", "boosted", "boosted_pair", "full")
TARGET_KNOTS = [0.08, 0.2, 0.9]
COMPOUND_KNOTS = [0.6, 1.0]
# Values measured on a relative, even the same protein of another species, do not transfer.
CORRECTION_KNOTS = [0.93, 0.97]
# Parts are blended as distances from a central pKd, so that weights need not sum to 1.
PKD_CENTRE = 6.5
# Tensors with at least this many values are rounded to half precision.
HALF_FROM = 16_384

# Weight of descriptors, and of composition and length, relative to a featurizer's directions.
COMPOUND_EXTRA_SHARE, TARGET_EXTRA_SHARE, NETWORK_EXTRA_SHARE = 0.0, 0.3, 0.7

Numbers = TypeVar("Numbers", Tensor, np.ndarray)


class Views(nn.Module):
    """Input of kernel and networks from a featurizer: the same directions, scaled differently."""

    kernel_scale: Tensor  # 1
    network_scale: Tensor  # rank

    def __init__(self, rank: int, extra_share: float):
        """extra_share: factor of the extra columns for the kernel; 0 hides them."""
        super().__init__()
        self.extra_share = extra_share
        self.register_buffer("kernel_scale", torch.ones(1))
        self.register_buffer("network_scale", torch.ones(rank))

    def fit(self, mapped: Tensor) -> None:
        """mapped: n x rank. Rows have mean squared length 1 for the kernel; directions are flatter for the networks."""
        self.kernel_scale.fill_(float(1 / mapped.square().sum(1).mean().sqrt()))
        flat = mapped / (mapped.std(0) + 1e-6).sqrt()
        self.network_scale.copy_(1 / ((mapped.std(0) + 1e-6).sqrt() * flat.std()))

    def kernel(self, mapped: Tensor, extra: Tensor) -> Tensor:
        """n x rank and n x extra to n x rank, or n x (rank + extra)."""
        if self.extra_share == 0:
            return mapped * self.kernel_scale
        return torch.cat([mapped * self.kernel_scale, extra * self.extra_share], 1)

    def network(self, mapped: Tensor, extra: Tensor) -> Tensor:
        """n x rank and n x extra to n x (rank + extra)."""
        return torch.cat([mapped * self.network_scale, extra * NETWORK_EXTRA_SHARE], 1)


@dataclass(frozen=True)
class CompoundColumns:
    """Column layout of a compound encoding."""

    kernel: slice
    networks: tuple[slice, ...]  # one per network
    ligand: slice  # kernel and networks without the protein
    boosted: slice  # trees over compounds
    trees: slice  # inputs of the trees over pairs


@dataclass(frozen=True)
class TargetColumns:
    """Column layout of a target encoding."""

    kernel: slice
    networks: tuple[slice, ...]  # one per network
    trees: slice  # inputs of the trees over pairs


class Affinity(nn.Module):
    """All parts. Predictions are in pKd; encodings have the columns of `compound_columns` and `target_columns`."""

    kernel_weights: Tensor  # (target inputs + 1) x (compound rank + 1)
    kernel_mean: Tensor  # 1
    ligand_weights: Tensor  # compound rank + 1
    ligand_mean: Tensor  # 1
    network_mean: Tensor  # 1
    network_deviation: Tensor  # 1
    gating: Tensor  # TARGET_KNOTS x COMPOUND_KNOTS x (1 + NUMBERS): a shift, and the weight of each number

    def __init__(
        self, compound_featurizer: CompoundFeaturizer, target_featurizer: TargetFeaturizer, settings: Settings
    ):
        """Untrained parts are empty; until gating is learnt, only kernel and networks over pairs count."""
        super().__init__()
        self.compound_featurizer, self.target_featurizer = compound_featurizer, target_featurizer
        self.settings = settings
        letters = len(target_featurizer.composition_mean)
        self.extra_target_inputs = letters + 1  # composition and length
        self.compound_views = Views(settings.compound_rank, COMPOUND_EXTRA_SHARE)
        self.target_views = Views(settings.target_rank, TARGET_EXTRA_SHARE / (letters + 1) ** 0.5)
        pair_bits = compound_featurizer.pair_bits
        descriptors = len(compound_featurizer.descriptor_mean)
        self.pair_tree_compound_size = pair_bits.stop - pair_bits.start + descriptors
        rank = settings.compound_rank + 1
        target_inputs = settings.target_rank + self.extra_target_inputs
        self.register_buffer("kernel_weights", torch.zeros(target_inputs + 1, rank))
        self.register_buffer("kernel_mean", torch.zeros(1))
        self.register_buffer("ligand_weights", torch.zeros(rank))
        self.register_buffer("ligand_mean", torch.zeros(1))
        self.networks = nn.ModuleList()
        self.register_buffer("network_mean", torch.zeros(1))
        self.register_buffer("network_deviation", torch.ones(1))
        self.compound_trees: Trees | None = None
        self.pair_trees: Trees | None = None
        # Per node of target similarity x compound similarity. Learnt after training (gating).
        alone = torch.tensor([0.0, *[float(name == "full") for name in NUMBERS]])
        self.register_buffer("gating", alone.repeat(len(TARGET_KNOTS), len(COMPOUND_KNOTS), 1))
        # Correction of the blend by compounds measured near the pair. Learnt after training (correction).
        self.correction: nn.Module | None = None

    def untrained(self, settings: Settings) -> "Affinity":
        """A model on the same featurizers and views, with all trained parts empty."""
        other = Affinity(self.compound_featurizer, self.target_featurizer, settings)
        other.compound_views, other.target_views = self.compound_views, self.target_views
        return other

    @property
    def members(self) -> list[Network]:
        """The networks; predictions are their mean."""
        return [cast(Network, network) for network in self.networks]

    @property
    def compound_columns(self) -> CompoundColumns:
        """Layout of encodings by the model's current parts."""
        sizes = [member.columns.size for member in self.members]
        kernel, *networks, ligand, boosted, trees = consecutive(
            [self.settings.compound_rank + 1, *sizes, 1, 1, self.pair_tree_compound_size]
        )
        return CompoundColumns(kernel, tuple(networks), ligand, boosted, trees)

    @property
    def target_columns(self) -> TargetColumns:
        """Layout of encodings by the model's current parts."""
        sizes = [member.columns.size for member in self.members]
        tree_inputs = self.settings.boosting_target_rank + self.extra_target_inputs
        kernel, *networks, trees = consecutive([self.settings.compound_rank + 1, *sizes, tree_inputs])
        return TargetColumns(kernel, tuple(networks), trees)

    def set_kernel(self, full: KernelRidge, ligand: KernelRidge) -> None:
        """full: fitted over pairs; ligand: fitted with every target's inputs set to 0."""
        self.kernel_weights.copy_(full.weights)
        self.kernel_mean.fill_(full.mean)
        self.ligand_weights.copy_(ligand.weights[-1] * self.settings.kernel_ligand**0.5)
        self.ligand_mean.fill_(ligand.mean)

    def add_network(self, network: Network, mean: float, deviation: float) -> None:
        """mean, deviation: scale of the networks' outputs in pKd, the same for every network."""
        self.networks.append(network)
        self.network_mean.fill_(mean)
        self.network_deviation.fill_(deviation)

    def compound_inputs(self, bits: Tensor, descriptors: Tensor) -> tuple[Tensor, Tensor]:
        """n x all bits and n x descriptors to kernel inputs, n x rank, and network inputs."""
        mapped = self.compound_featurizer(bits, descriptors)
        scaled = self.compound_featurizer.scaled(descriptors)
        return self.compound_views.kernel(mapped, scaled), self.compound_views.network(mapped, scaled)

    def target_inputs(self, featurized: Tensor) -> tuple[Tensor, Tensor]:
        """Output of the target featurizer, m rows, to kernel inputs and network inputs."""
        profile = featurized[:, self.target_featurizer.profile_columns]
        extra = featurized[:, self.target_featurizer.extra_columns]
        return self.target_views.kernel(profile, extra), self.target_views.network(profile, extra)

    def encode_compounds(self, bits: Tensor, descriptors: Tensor) -> Tensor:
        """n x all bits and n x descriptors to n x `compound_columns`; ValueError if trees are not trained yet."""
        encoded = self.encode_compound_inputs(*self.compound_inputs(bits, descriptors))
        boosted = trained(self.compound_trees)(torch.cat([bits, descriptors], 1))[:, None]
        seen = self.pair_tree_compounds(bits[:, self.compound_featurizer.pair_bits], descriptors)
        return torch.cat([encoded, boosted, seen], 1)

    def encode_targets(self, kmers: Tensor, composition: Tensor, length: Tensor) -> Tensor:
        """m x all k-mers (counts), m x letters (shares), m x 1 (residues) to m x `target_columns`."""
        featurized = self.target_featurizer(kmers, composition, length)
        encoded = self.encode_target_inputs(*self.target_inputs(featurized))
        return torch.cat([encoded, self.pair_tree_targets(featurized)], 1)

    def pair_tree_compounds(self, bits: Tensor, descriptors: Tensor) -> Tensor:
        """Compound inputs of the trees over pairs; bits: n x those of PAIR_BLOCK."""
        return torch.cat([bits, descriptors], 1)

    def pair_tree_targets(self, featurized: Tensor) -> Tensor:
        """Target inputs of the trees over pairs: first directions, composition and length."""
        first = featurized[:, : self.settings.boosting_target_rank]
        return torch.cat([first, featurized[:, self.target_featurizer.extra_columns]], 1)

    def encode_compound_inputs(self, kernel: Tensor, network: Tensor) -> Tensor:
        """Kernel and network inputs of n compounds to the columns `kernel`, `networks` and `ligand`."""
        kernel = append_one(kernel)
        encoded = [member.compound(network) for member in self.members]
        alone = (kernel @ self.ligand_weights + self.ligand_mean)[:, None]
        nulls = [member.null_target[None] + of * 0 for member, of in zip(self.members, encoded)]
        return torch.cat([kernel, *encoded, self._blend(alone, self._networks(encoded, nulls))], 1)

    def encode_target_inputs(self, kernel: Tensor, network: Tensor) -> Tensor:
        """Kernel and network inputs of m targets to the columns `kernel` and `networks`."""
        constant = kernel[:, :1] * 0 + self.settings.kernel_ligand**0.5
        inputs = torch.cat([kernel * self.settings.kernel_interaction**0.5, constant], 1)
        return torch.cat(
            [inputs @ self.kernel_weights, *[member.target(network) for member in self.members]], 1
        )

    def pair(
        self,
        compound: Tensor,
        target: Tensor,
        compound_similarity: Tensor,
        target_similarity: Tensor,
        measured: Tensor,
    ) -> Tensor:
        """n encodings of each, n similarities (0 to 1) to the closest in training, and n rows of `measured.describe`;
        returns n x 5: pKd, and the NUMBERS it was blended from.

        ValueError if trees are not trained yet.
        """
        of_compound, of_target = self.compound_columns, self.target_columns
        seen = torch.cat([compound[:, of_compound.trees], target[:, of_target.trees]], 1)
        paired = trained(self.pair_trees)(seen)[:, None]
        ligand, boosted = compound[:, of_compound.ligand], compound[:, of_compound.boosted]
        numbers = torch.cat([ligand, boosted, paired, self.full(compound, target)], 1)
        by_target = knot_weights(target_similarity, torch.tensor(TARGET_KNOTS))
        by_compound = knot_weights(compound_similarity, torch.tensor(COMPOUND_KNOTS))
        nodes = (by_target[:, :, None] * by_compound[:, None]).flatten(1)
        weights = nodes @ self.gating.flatten(0, 1)  # n x (1 + NUMBERS)
        blended = PKD_CENTRE + weights[:, 0] + (weights[:, 1:] * (numbers - PKD_CENTRE)).sum(1)
        if self.correction is not None:
            inputs = correction_inputs(blended, numbers, compound_similarity, target_similarity, measured)
            blended = blended + correction_share(target_similarity) * self.correction(inputs)
        return torch.cat([blended[:, None], numbers], 1)

    def full(self, compound: Tensor, target: Tensor) -> Tensor:
        """n encodings of each to kernel and networks over pairs, n x 1, in pKd."""
        of_compound, of_target = self.compound_columns, self.target_columns
        product = compound[:, of_compound.kernel] * target[:, of_target.kernel]
        kernel = product.sum(1, keepdim=True) + self.kernel_mean
        compounds = [compound[:, columns] for columns in of_compound.networks]
        targets = [target[:, columns] for columns in of_target.networks]
        return self._blend(kernel, self._networks(compounds, targets))

    def _networks(self, compounds: Sequence[Tensor], targets: Sequence[Tensor]) -> Tensor | None:
        """One encoding of each per network; returns the networks' mean, n x 1."""
        if not self.members:
            return None
        numbers = [member.pair(c, t) for member, c, t in zip(self.members, compounds, targets)]
        return torch.stack(numbers, 1).mean(1, keepdim=True) * self.network_deviation + self.network_mean

    def _blend(self, kernel: Tensor, networks: Tensor | None) -> Tensor:
        if networks is None:
            return kernel
        return blend_kernel(kernel, networks, self.settings.kernel_share)


def trained(trees: Trees | None) -> Trees:
    """The trees; ValueError if they are not trained yet."""
    if trees is None:
        raise ValueError("the trees of this model are not trained")
    return trees


def blend_kernel(kernel: Numbers, networks: Numbers, share: float) -> Numbers:
    """Two tensors or arrays of one shape, in pKd; share: the kernel's, 0 to 1."""
    return share * kernel + (1 - share) * networks


def correction_inputs(
    blended: Tensor, numbers: Tensor, compound_similarity: Tensor, target_similarity: Tensor, measured: Tensor
) -> Tensor:
    """Inputs of the correction for n pairs, n x (NUMBERS + 3 + measured.COLUMNS): parts and labels as differences from
    the blend in pKd.

    blended: n; numbers: n x NUMBERS; similarities: n; measured: n rows of `measured.describe`.
    """
    blend = blended[:, None]
    return torch.cat(
        [
            numbers - blend,
            torch.stack([blended, compound_similarity, target_similarity], 1),
            measured[:, near.LABELS] - blend,
            measured[:, near.SIMILARITIES],
            measured[:, near.MEAN] - blend,
            measured[:, near.SPREAD],
            measured[:, near.TARGET_MEAN] - blend,
            torch.log1p(measured[:, near.TARGET_COUNT]),
        ],
        1,
    )


def correction_share(target_similarity: Tensor) -> Tensor:
    """n shares: 1 if the target is a training target or a construct of one, 0 for its relatives."""
    return knot_weights(target_similarity, torch.tensor(CORRECTION_KNOTS))[:, -1]


def knot_weights(x: Tensor, knots: Tensor) -> Tensor:
    """n values to n x knots: linear interpolation between two knots, constant beyond the ends."""
    x = torch.minimum(torch.maximum(x, knots[:1]), knots[-1:])[:, None]
    rise = ((x - knots[:-1]) / (knots[1:] - knots[:-1])).clamp(0.0, 1.0)  # n x (knots - 1)
    ones, zeros = torch.ones_like(rise[:, :1]), torch.zeros_like(rise[:, :1])
    return torch.cat([ones, rise], 1) - torch.cat([rise, zeros], 1)


def round_to_half(module: nn.Module) -> None:
    """Rounds large weights to half precision, in place, so that the file on disk is exact."""
    with torch.no_grad():
        for tensor in [*module.parameters(), *module.buffers()]:
            if tensor.dtype == torch.float32 and tensor.numel() >= HALF_FROM:
                tensor.copy_(tensor.half().float())
