"""The model that ships: featurizers, kernel ridge, networks and trees behind two encoders and one pair function.

Encodings of compounds and targets can be cached; `pair` needs nothing but them, how near the nearest training
compound and target are (how much each number counts follows from that), and what was measured near the pair.
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

# What a prediction is blended from: kernel and networks without the protein, trees without and with
# it, kernel and networks with it.
NUMBERS = ("ligand", "boosted", "boosted_pair", "full")
TARGET_KNOTS = [0.08, 0.2, 0.9]
COMPOUND_KNOTS = [0.6, 1.0]
# What was measured on a relative, even the same protein of another species, does not carry over.
CORRECTION_KNOTS = [0.93, 0.97]
# Parts are blended in distance from a middling pKd, so that their weights need not sum to 1.
PKD_CENTRE = 6.5
# Tensors of this many values or more are rounded to what half precision holds.
HALF_FROM = 16_384

# How much descriptors, and composition with length, count beside the directions of a featurizer.
COMPOUND_EXTRA_SHARE, TARGET_EXTRA_SHARE, NETWORK_EXTRA_SHARE = 0.0, 0.3, 0.7

Numbers = TypeVar("Numbers", Tensor, np.ndarray)


class Views(nn.Module):
    """What the kernel and the networks see of a featurizer's output: the same directions, differently scaled."""

    kernel_scale: Tensor  # 1
    network_scale: Tensor  # rank

    def __init__(self, rank: int, extra_share: float):
        """extra_share: what the kernel multiplies the extra columns by; at 0 it does not see them."""
        super().__init__()
        self.extra_share = extra_share
        self.register_buffer("kernel_scale", torch.ones(1))
        self.register_buffer("network_scale", torch.ones(rank))

    def fit(self, mapped: Tensor) -> None:
        """mapped: n x rank. The kernel sees rows of mean squared length 1, the networks flatter directions."""
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
    """Where each part stands in the encoding of a compound."""

    kernel: slice
    networks: tuple[slice, ...]  # one for each network
    ligand: slice  # the number of kernel and networks without the protein
    boosted: slice  # the number of the trees over compounds
    trees: slice  # what trees over pairs see


@dataclass(frozen=True)
class TargetColumns:
    """Where each part stands in the encoding of a target."""

    kernel: slice
    networks: tuple[slice, ...]  # one for each network
    trees: slice  # what trees over pairs see


class Affinity(nn.Module):
    """All parts. Numbers are pKd; encodings have the columns that `compound_columns` and `target_columns` name."""

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
        """Parts that must be trained are empty; until gating is learnt, kernel and networks over pairs count alone."""
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
        # At each node of target similarity x compound similarity. Learnt after training (gating).
        alone = torch.tensor([0.0, *[float(name == "full") for name in NUMBERS]])
        self.register_buffer("gating", alone.repeat(len(TARGET_KNOTS), len(COMPOUND_KNOTS), 1))
        # What measured compounds near the pair add to the blend. Learnt after training (correction).
        self.correction: nn.Module | None = None

    def untrained(self, settings: Settings) -> "Affinity":
        """A model on the same featurizers and views, with every trained part empty."""
        other = Affinity(self.compound_featurizer, self.target_featurizer, settings)
        other.compound_views, other.target_views = self.compound_views, self.target_views
        return other

    @property
    def members(self) -> list[Network]:
        """The networks, whose mean counts."""
        return [cast(Network, network) for network in self.networks]

    @property
    def compound_columns(self) -> CompoundColumns:
        """Of encodings by the parts that the model has now."""
        sizes = [member.columns.size for member in self.members]
        kernel, *networks, ligand, boosted, trees = consecutive(
            [self.settings.compound_rank + 1, *sizes, 1, 1, self.pair_tree_compound_size]
        )
        return CompoundColumns(kernel, tuple(networks), ligand, boosted, trees)

    @property
    def target_columns(self) -> TargetColumns:
        """Of encodings by the parts that the model has now."""
        sizes = [member.columns.size for member in self.members]
        tree_inputs = self.settings.boosting_target_rank + self.extra_target_inputs
        kernel, *networks, trees = consecutive([self.settings.compound_rank + 1, *sizes, tree_inputs])
        return TargetColumns(kernel, tuple(networks), trees)

    def set_kernel(self, full: KernelRidge, ligand: KernelRidge) -> None:
        """full: fitted over pairs; ligand: fitted with every target's inputs at 0."""
        self.kernel_weights.copy_(full.weights)
        self.kernel_mean.fill_(full.mean)
        self.ligand_weights.copy_(ligand.weights[-1] * self.settings.kernel_ligand**0.5)
        self.ligand_mean.fill_(ligand.mean)

    def add_network(self, network: Network, mean: float, deviation: float) -> None:
        """mean, deviation: pKd that the network's numbers count in, the same for every network."""
        self.networks.append(network)
        self.network_mean.fill_(mean)
        self.network_deviation.fill_(deviation)

    def compound_inputs(self, bits: Tensor, descriptors: Tensor) -> tuple[Tensor, Tensor]:
        """n x all bits and n x descriptors to what the kernel sees, n x rank, and what the networks see."""
        mapped = self.compound_featurizer(bits, descriptors)
        scaled = self.compound_featurizer.scaled(descriptors)
        return self.compound_views.kernel(mapped, scaled), self.compound_views.network(mapped, scaled)

    def target_inputs(self, featurized: Tensor) -> tuple[Tensor, Tensor]:
        """What the target featurizer answers, m rows, to what the kernel sees and what the networks see."""
        profile = featurized[:, self.target_featurizer.profile_columns]
        extra = featurized[:, self.target_featurizer.extra_columns]
        return self.target_views.kernel(profile, extra), self.target_views.network(profile, extra)

    def encode_compounds(self, bits: Tensor, descriptors: Tensor) -> Tensor:
        """n x all bits and n x descriptors to n x `compound_columns`; ValueError before trees are trained."""
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
        """What trees over pairs see of n compounds; bits: n x those of PAIR_BLOCK."""
        return torch.cat([bits, descriptors], 1)

    def pair_tree_targets(self, featurized: Tensor) -> Tensor:
        """What trees over pairs see of m targets: their first directions, composition and length."""
        first = featurized[:, : self.settings.boosting_target_rank]
        return torch.cat([first, featurized[:, self.target_featurizer.extra_columns]], 1)

    def encode_compound_inputs(self, kernel: Tensor, network: Tensor) -> Tensor:
        """What the kernel and the networks see of n compounds to the columns `kernel`, `networks` and `ligand`."""
        kernel = append_one(kernel)
        encoded = [member.compound(network) for member in self.members]
        alone = (kernel @ self.ligand_weights + self.ligand_mean)[:, None]
        nulls = [member.null_target[None] + of * 0 for member, of in zip(self.members, encoded)]
        return torch.cat([kernel, *encoded, self._blend(alone, self._networks(encoded, nulls))], 1)

    def encode_target_inputs(self, kernel: Tensor, network: Tensor) -> Tensor:
        """What the kernel and the networks see of m targets to the columns `kernel` and `networks`."""
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
        """n encodings of each, n similarities (0 to 1) to the nearest of training, and n rows of
        `measured.describe`; answers n x 5: pKd, and the NUMBERS that it was blended from.

        ValueError before trees are trained."""
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
        """n encodings of each to the number of kernel and networks over pairs, n x 1, in pKd."""
        of_compound, of_target = self.compound_columns, self.target_columns
        product = compound[:, of_compound.kernel] * target[:, of_target.kernel]
        kernel = product.sum(1, keepdim=True) + self.kernel_mean
        compounds = [compound[:, columns] for columns in of_compound.networks]
        targets = [target[:, columns] for columns in of_target.networks]
        return self._blend(kernel, self._networks(compounds, targets))

    def _networks(self, compounds: Sequence[Tensor], targets: Sequence[Tensor]) -> Tensor | None:
        """One encoding of each for every network; answers their mean, n x 1."""
        if not self.members:
            return None
        numbers = [member.pair(c, t) for member, c, t in zip(self.members, compounds, targets)]
        return torch.stack(numbers, 1).mean(1, keepdim=True) * self.network_deviation + self.network_mean

    def _blend(self, kernel: Tensor, networks: Tensor | None) -> Tensor:
        if networks is None:
            return kernel
        return blend_kernel(kernel, networks, self.settings.kernel_share)


def trained(trees: Trees | None) -> Trees:
    """The trees; ValueError where there are none yet."""
    if trees is None:
        raise ValueError("the trees of this model are not trained")
    return trees


def blend_kernel(kernel: Numbers, networks: Numbers, share: float) -> Numbers:
    """Two tensors or arrays of one shape, in pKd; share: the kernel's, 0 to 1."""
    return share * kernel + (1 - share) * networks


def correction_inputs(
    blended: Tensor, numbers: Tensor, compound_similarity: Tensor, target_similarity: Tensor, measured: Tensor
) -> Tensor:
    """What the correction sees of n pairs, n x (NUMBERS + 3 + measured.COLUMNS): all numbers and labels as
    distances in pKd from the blend.

    blended: n; numbers: n x NUMBERS; similarities: n; measured: n rows of `measured.describe`."""
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
    """n shares: all where the target is one of training, or a construct of it, none for its relatives."""
    return knot_weights(target_similarity, torch.tensor(CORRECTION_KNOTS))[:, -1]


def knot_weights(x: Tensor, knots: Tensor) -> Tensor:
    """n numbers to n x knots: shares of the two neighbouring knots, constant beyond the ends."""
    x = torch.minimum(torch.maximum(x, knots[:1]), knots[-1:])[:, None]
    rise = ((x - knots[:-1]) / (knots[1:] - knots[:-1])).clamp(0.0, 1.0)  # n x (knots - 1)
    ones, zeros = torch.ones_like(rise[:, :1]), torch.zeros_like(rise[:, :1])
    return torch.cat([ones, rise], 1) - torch.cat([rise, zeros], 1)


def round_to_half(module: nn.Module) -> None:
    """Rounds large weights, in place, to what half precision holds, so that the file on disk is exact."""
    with torch.no_grad():
        for tensor in [*module.parameters(), *module.buffers()]:
            if tensor.dtype == torch.float32 and tensor.numel() >= HALF_FROM:
                tensor.copy_(tensor.half().float())
