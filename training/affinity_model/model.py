"""The model that ships: maps, kernel ridge, networks and trees behind two encoders and one pair function.

Encodings of compounds and targets can be cached; `pair` needs nothing but them and how near the
nearest training compound and target are: how much each number counts follows from that.
"""

from collections.abc import Sequence

import torch
from torch import Tensor, nn

from .boosting import Trees
from .kernel_ridge import KernelRidge, append_one
from .maps import CompoundMap, TargetMap
from .measured import NEAREST
from .network import Network
from .settings import Settings


class Views(nn.Module):
    """What the kernel and the networks see of the maps: the same directions, differently scaled."""

    def __init__(self, rank: int, extra: int, extra_share: float, network_share: float):
        super().__init__()
        self.rank, self.extra_share, self.network_share = rank, extra_share, network_share
        self.register_buffer("kernel_scale", torch.ones(1))
        self.register_buffer("network_scale", torch.ones(rank))

    def fit(self, mapped: Tensor) -> "Views":
        """mapped: n x rank."""
        self.kernel_scale.fill_(float(1 / mapped.square().sum(1).mean().sqrt()))
        flat = mapped / (mapped.std(0) + 1e-6).sqrt()
        self.network_scale.copy_(1 / ((mapped.std(0) + 1e-6).sqrt() * flat.std()))
        return self

    def kernel(self, mapped: Tensor, extra: Tensor) -> Tensor:
        if self.extra_share == 0:
            return mapped * self.kernel_scale
        return torch.cat([mapped * self.kernel_scale, extra * self.extra_share], 1)

    def network(self, mapped: Tensor, extra: Tensor) -> Tensor:
        return torch.cat([mapped * self.network_scale, extra * self.network_share], 1)


class Affinity(nn.Module):
    def __init__(
        self,
        compound_map: CompoundMap,
        target_map: TargetMap,
        compound_views: Views,
        target_views: Views,
        settings: Settings,
    ):
        super().__init__()
        self.compound_map, self.target_map = compound_map, target_map
        self.compound_views, self.target_views = compound_views, target_views
        self.settings = settings
        self.pair_bits = compound_map.pair_bits
        self.pair_compound_size = self.pair_bits[1] - self.pair_bits[0] + len(compound_map.descriptor_mean)
        rank = settings.compound_rank + 1
        self.register_buffer("kernel_weights", torch.zeros(settings.target_rank + 22, rank))
        self.register_buffer("kernel_mean", torch.zeros(1))
        self.register_buffer("ligand_weights", torch.zeros(rank))
        self.register_buffer("ligand_mean", torch.zeros(1))
        self.networks = nn.ModuleList()
        self.register_buffer("network_mean", torch.zeros(1))
        self.register_buffer("network_deviation", torch.ones(1))
        self.compound_trees: Trees | None = None
        self.pair_trees: Trees | None = None
        # At each node of target similarity x compound similarity: a shift, and the weight of each of
        # NUMBERS. Learnt after training (trust).
        alone = torch.tensor([0.0, *[float(name == "full") for name in NUMBERS]])
        self.register_buffer("trust", alone.repeat(len(TARGET_KNOTS), len(COMPOUND_KNOTS), 1))
        # What measured compounds near the pair add to the blend. Learnt after training (correction).
        self.correction: nn.Module | None = None

    def set_kernel(self, full: KernelRidge, ligand: KernelRidge) -> None:
        self.kernel_weights.copy_(full.weights)
        self.kernel_mean.fill_(full.mean)
        self.ligand_weights.copy_(ligand.weights[-1] * self.settings.kernel_ligand**0.5)
        self.ligand_mean.fill_(ligand.mean)

    def add_network(self, network: Network, mean: float, deviation: float) -> None:
        self.networks.append(network)
        self.network_mean.fill_(mean)
        self.network_deviation.fill_(deviation)

    def compound_inputs(self, bits: Tensor, descriptors: Tensor) -> tuple[Tensor, Tensor]:
        mapped = self.compound_map(bits, descriptors)
        scaled = self.compound_map.scaled(descriptors)
        return self.compound_views.kernel(mapped, scaled), self.compound_views.network(mapped, scaled)

    def target_inputs(self, both: Tensor) -> tuple[Tensor, Tensor]:
        mapped, extra = both[:, : self.settings.target_rank], both[:, self.settings.target_rank :]
        return self.target_views.kernel(mapped, extra), self.target_views.network(mapped, extra)

    def encode_compounds(self, bits: Tensor, descriptors: Tensor) -> Tensor:
        """Behind what kernel and networks need: the number of the compound's trees, what pair trees see."""
        encoded = self.encode_compound_inputs(*self.compound_inputs(bits, descriptors))
        boosted = self.compound_trees(torch.cat([bits, descriptors], 1))[:, None]
        start, stop = self.pair_bits
        return torch.cat([encoded, boosted, self.pair_tree_compounds(bits[:, start:stop], descriptors)], 1)

    def encode_targets(self, words: Tensor, composition: Tensor, length: Tensor) -> Tensor:
        """Behind what kernel and networks need: what pair trees see."""
        mapped = self.target_map(words, composition, length)
        encoded = self.encode_target_inputs(*self.target_inputs(mapped))
        return torch.cat([encoded, self.pair_tree_targets(mapped)], 1)

    def pair_tree_compounds(self, bits: Tensor, descriptors: Tensor) -> Tensor:
        """bits: those of PAIR_BLOCK."""
        return torch.cat([bits, descriptors], 1)

    def pair_tree_targets(self, mapped: Tensor) -> Tensor:
        """mapped: m x (rank + 21); its first directions, composition and length."""
        first = mapped[:, : self.settings.boosting_target_rank]
        return torch.cat([first, mapped[:, self.settings.target_rank :]], 1)

    def encode_compound_inputs(self, kernel: Tensor, network: Tensor) -> Tensor:
        """The last column is the ligand-only number."""
        kernel = append_one(kernel)
        encoded = [member.compound(network) for member in self.networks]
        alone = (kernel @ self.ligand_weights + self.ligand_mean)[:, None]
        nulls = [member.null_target[None] + of * 0 for member, of in zip(self.networks, encoded)]
        return torch.cat([kernel, *encoded, self._blend(alone, self._networks(encoded, nulls))], 1)

    def encode_target_inputs(self, kernel: Tensor, network: Tensor) -> Tensor:
        constant = kernel[:, :1] * 0 + self.settings.kernel_ligand**0.5
        vector = (
            torch.cat([kernel * self.settings.kernel_interaction**0.5, constant], 1) @ self.kernel_weights
        )
        return torch.cat([vector, *[member.target(network) for member in self.networks]], 1)

    def pair(
        self,
        compound: Tensor,
        target: Tensor,
        compound_similarity: Tensor,
        target_similarity: Tensor,
        measured: Tensor,
    ) -> Tensor:
        """n encodings of each, n similarities to the nearest of training, and n rows of `measured.describe`;
        answers n x 5: pKd, and the NUMBERS that it was blended from."""
        seen_c = compound.shape[1] - self.pair_compound_size
        seen_t = self.settings.boosting_target_rank + self.target_map.composition_mean.shape[0] + 1
        paired = self.pair_trees(torch.cat([compound[:, seen_c:], target[:, -seen_t:]], 1))[:, None]
        numbers = torch.cat([compound[:, seen_c - 2 : seen_c], paired, self.full(compound, target)], 1)
        by_target = hat_weights(target_similarity, torch.tensor(TARGET_KNOTS))
        by_compound = hat_weights(compound_similarity, torch.tensor(COMPOUND_KNOTS))
        nodes = (by_target[:, :, None] * by_compound[:, None]).flatten(1)
        weights = nodes @ self.trust.flatten(0, 1)  # n x (1 + NUMBERS)
        blended = PKD_CENTRE + weights[:, 0] + (weights[:, 1:] * (numbers - PKD_CENTRE)).sum(1)
        if self.correction is not None:
            seen = correction_inputs(blended, numbers, compound_similarity, target_similarity, measured)
            blended = blended + correction_share(target_similarity) * self.correction(seen)
        return torch.cat([blended[:, None], numbers], 1)

    def full(self, compound: Tensor, target: Tensor) -> Tensor:
        """n encodings of each to the protein-aware number, n x 1."""
        at, sizes = self.settings.compound_rank + 1, [sum(member.sizes) + 1 for member in self.networks]
        kernel = (compound[:, :at] * target[:, :at]).sum(1, keepdim=True) + self.kernel_mean
        of_compound = compound[:, at : at + sum(sizes)].split(sizes, 1)
        of_target = target[:, at : at + sum(sizes)].split(sizes, 1)
        return self._blend(kernel, self._networks(of_compound, of_target))

    def _networks(self, compounds: Sequence[Tensor], targets: Sequence[Tensor]) -> Tensor | None:
        """One encoding of each for every network; answers their mean, n x 1."""
        if not len(self.networks):
            return None
        numbers = [member.pair(c, t) for member, c, t in zip(self.networks, compounds, targets)]
        return torch.stack(numbers, 1).mean(1, keepdim=True) * self.network_deviation + self.network_mean

    def _blend(self, kernel: Tensor, networks: Tensor | None) -> Tensor:
        if networks is None:
            return kernel
        return blend_kernel(kernel, networks, self.settings.kernel_share)


def blend_kernel(kernel, networks, share: float):
    return share * kernel + (1 - share) * networks


# What a prediction is blended from: kernel and networks without the protein, trees without and with
# it, kernel and networks with it.
NUMBERS = ("ligand", "boosted", "boosted_pair", "full")
TARGET_KNOTS = [0.08, 0.2, 0.9]
COMPOUND_KNOTS = [0.6, 1.0]
# What was measured on a relative, even the same protein of another species, does not carry over.
CORRECTION_KNOTS = [0.93, 0.97]
# Parts are blended in distance from a middling pKd, so that their weights need not sum to 1.
PKD_CENTRE = 6.5


def correction_inputs(
    blended: Tensor, numbers: Tensor, compound_similarity: Tensor, target_similarity: Tensor, measured: Tensor
) -> Tensor:
    """What the correction sees of n pairs: all numbers and labels as distances from the blend."""
    blend = blended[:, None]
    labels, similar = measured[:, :NEAREST] - blend, measured[:, NEAREST : 2 * NEAREST]
    mean, spread, of_target, count = measured[:, 2 * NEAREST :].split(1, 1)
    near = torch.stack([blended, compound_similarity, target_similarity], 1)
    return torch.cat(
        [numbers - blend, near, labels, similar, mean - blend, spread, of_target - blend, torch.log1p(count)], 1
    )


def correction_share(target_similarity: Tensor) -> Tensor:
    """n shares: all where the target is one of training, or a construct of it, none for its relatives."""
    return hat_weights(target_similarity, torch.tensor(CORRECTION_KNOTS))[:, -1]


def hat_weights(x: Tensor, knots: Tensor) -> Tensor:
    """n numbers to n x knots: shares of the two neighbouring knots, constant beyond the ends."""
    x = torch.minimum(torch.maximum(x, knots[:1]), knots[-1:])[:, None]
    rise = ((x - knots[:-1]) / (knots[1:] - knots[:-1])).clamp(0.0, 1.0)  # n x (knots - 1)
    ones, zeros = torch.ones_like(rise[:, :1]), torch.zeros_like(rise[:, :1])
    return torch.cat([ones, rise], 1) - torch.cat([rise, zeros], 1)


def round_to_half(module: nn.Module) -> None:
    """Rounds large weights to what half precision holds, so that the file on disk is exact."""
    with torch.no_grad():
        for tensor in [*module.parameters(), *module.buffers()]:
            if tensor.dtype == torch.float32 and tensor.numel() >= HALF_FROM:
                tensor.copy_(tensor.half().float())


HALF_FROM = 16_384
