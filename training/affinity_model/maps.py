"""Fixed maps from features to dense vectors, fitted without any label: one for compounds, one for targets.

They are torch modules, so that training and the exported graph run the same arithmetic.
"""

import numpy as np
import torch
from torch import Tensor, nn

from .data import Features, block_range
from .settings import SEED_OFFSETS, Settings

KERNEL_BLOCKS = ("morgan-counts", "atom-pairs", "torsions")
# What trees over pairs see of the bits.
PAIR_BLOCK = "maccs"
DESCRIPTOR_LIMIT = 4.0
CHUNK = 2048
BITS_OF_BYTE = torch.tensor([[byte >> (7 - bit) & 1 for bit in range(8)] for byte in range(256)]).float()


class CompoundMap(nn.Module):
    """Nystroem features of a kernel: mean Tanimoto of three fingerprints, and an RBF on descriptors."""

    def __init__(
        self, spec: dict, settings: Settings, landmark_bits: np.ndarray, landmark_descriptors: np.ndarray
    ):
        super().__init__()
        self.share = settings.descriptor_share
        self.width = settings.descriptor_width
        self.ranges = [block_range(spec, name) for name in KERNEL_BLOCKS]
        self.pair_bits = block_range(spec, PAIR_BLOCK)
        landmarks, rank = len(landmark_bits), settings.compound_rank
        # Landmarks are kept packed: an eighth of a byte per bit on disk.
        self.register_buffer("packed", torch.from_numpy(np.packbits(landmark_bits, axis=1)))
        self.register_buffer("landmark_descriptors", torch.from_numpy(landmark_descriptors))
        self.register_buffer("descriptor_mean", torch.zeros(landmark_descriptors.shape[1]))
        self.register_buffer("descriptor_scale", torch.ones(landmark_descriptors.shape[1]))
        self.register_buffer("projection", torch.zeros(landmarks, rank))
        self.register_buffer("mean", torch.zeros(rank))

    def forward(self, bits: Tensor, descriptors: Tensor) -> Tensor:
        """bits: n x all bits; descriptors: n x d; answers n x rank."""
        return self.kernel(bits, self.scaled(descriptors)) @ self.projection - self.mean

    def scaled(self, descriptors: Tensor) -> Tensor:
        z = (descriptors - self.descriptor_mean) / self.descriptor_scale
        return z.clamp(-DESCRIPTOR_LIMIT, DESCRIPTOR_LIMIT)

    def kernel(self, bits: Tensor, scaled: Tensor) -> Tensor:
        landmarks = self.landmarks()
        alike = 0.0
        for start, stop in self.ranges:
            x, y = bits[:, start:stop], landmarks[:, start:stop]
            shared = x @ y.T
            either = x.sum(1, keepdim=True) + y.sum(1)[None] - shared
            alike = alike + shared / either.clamp(min=1.0)
        anchors = self.scaled(self.landmark_descriptors)
        squared = (
            (scaled * scaled).sum(1, keepdim=True) + (anchors * anchors).sum(1)[None] - 2 * scaled @ anchors.T
        )
        near = torch.exp(squared.clamp(min=0.0) * (-0.5 / self.width**2))
        return (1 - self.share) / len(self.ranges) * alike + self.share * near

    def landmarks(self) -> Tensor:
        """Unpacks the bits, highest first, by looking bytes up: a runtime folds that once."""
        return BITS_OF_BYTE[self.packed.long()].flatten(1)


class TargetMap(nn.Module):
    """Principal directions of normalised word profiles, in whole bytes, and the composition beside them."""

    def __init__(self, exact_words: int, words: int, rank: int, letters: int):
        super().__init__()
        self.exact_words = exact_words
        self.register_buffer("directions", torch.zeros(words, rank, dtype=torch.int8))
        self.register_buffer("scale", torch.ones(rank))
        self.register_buffer("mean", torch.zeros(rank))
        self.register_buffer("composition_mean", torch.zeros(letters))
        self.register_buffer("composition_scale", torch.ones(letters))

    def forward(self, words: Tensor, composition: Tensor, length: Tensor) -> Tensor:
        """words: m x all words, counts; composition: m x 20; length: m x 1; answers m x (rank + 21)."""
        profile = self.profile(words) @ self.directions.to(torch.float32) * self.scale - self.mean
        shares = ((composition - self.composition_mean) / self.composition_scale).clamp(-4.0, 4.0)
        size = (torch.log(length + 1.0) - 6.0).clamp(-3.0, 3.0)
        return torch.cat([profile, shares, size], 1)

    def profile(self, words: Tensor) -> Tensor:
        roots = torch.sqrt(words)
        return torch.cat([_unit(roots[:, : self.exact_words]), _unit(roots[:, self.exact_words :])], 1)


def _unit(x: Tensor) -> Tensor:
    """Half of the squared length to each of the two kinds of words; an empty profile stays zero."""
    return x / torch.sqrt((2 * x * x).sum(1, keepdim=True) + 1e-6)


def fit_compound_map(features: Features, settings: Settings) -> CompoundMap:
    generator = np.random.default_rng(settings.seed + SEED_OFFSETS["landmarks"])
    count = min(settings.landmarks, features.bits.shape[0])
    chosen = np.sort(generator.choice(features.bits.shape[0], count, replace=False))
    descriptors = features.descriptors
    mapping = CompoundMap(
        features.manifest["featureSpec"],
        settings,
        features.bits[chosen].toarray().astype(np.uint8),
        descriptors[chosen],
    )
    mapping.descriptor_mean.copy_(torch.from_numpy(descriptors.mean(0)))
    mapping.descriptor_scale.copy_(torch.from_numpy(descriptors.std(0) + 1e-3))
    with torch.no_grad():
        own = mapping.kernel(mapping.landmarks(), mapping.scaled(mapping.landmark_descriptors))
        values, vectors = np.linalg.eigh(own.double().numpy())
        rank = settings.compound_rank
        values, vectors = values[::-1][:rank], vectors[:, ::-1][:, :rank]
        projection = vectors / np.sqrt(np.maximum(values, 1e-4))
        mapping.projection[:, : projection.shape[1]].copy_(torch.from_numpy(projection))
        mapping.mean.copy_((own @ mapping.projection).mean(0))
    return mapping


def fit_target_map(features: Features, settings: Settings, weights: np.ndarray) -> TargetMap:
    """weights: how much each target counts; measured often, counts more."""
    sizes = features.manifest["sizes"]
    words = sizes["exactWords"] + sizes["reducedWords"]
    letters = features.composition.shape[1]
    mapping = TargetMap(sizes["exactWords"], words, settings.target_rank, letters)
    full = np.arange(0, features.words.shape[0], features.variants)
    with torch.no_grad():
        profile = mapping.profile(torch.from_numpy(features.words[full].toarray())).numpy()
        share = weights / weights.sum()
        centred = (profile - share @ profile) * np.sqrt(share)[:, None]
        values, vectors = np.linalg.eigh((centred @ centred.T).astype(np.float64))
        keep = np.argsort(values)[::-1][: settings.target_rank]
        directions = centred.T @ (vectors[:, keep] / np.sqrt(np.maximum(values[keep], 1e-9)))
        scale = np.abs(directions).max(0) / 127 + 1e-12
        mapping.directions[:, : len(keep)].copy_(
            torch.from_numpy(np.rint(directions / scale).astype(np.int8))
        )
        mapping.scale[: len(keep)].copy_(torch.from_numpy(scale.astype(np.float32)))
        quantised = mapping.directions.to(torch.float32) * mapping.scale
        mapping.mean.copy_(torch.from_numpy((share @ profile).astype(np.float32)) @ quantised)
        mapping.composition_mean.copy_(torch.from_numpy(features.composition[full].mean(0)))
        mapping.composition_scale.copy_(torch.from_numpy(features.composition[full].std(0) + 1e-3))
    return mapping


def map_compounds(mapping: CompoundMap, features: Features) -> Tensor:
    """compounds x rank, in chunks: dense bits of all compounds would not fit in memory."""
    chunks = []
    with torch.no_grad():
        for start in range(0, features.bits.shape[0], CHUNK):
            rows = slice(start, start + CHUNK)
            bits = torch.from_numpy(features.bits[rows].toarray())
            chunks.append(mapping(bits, torch.from_numpy(features.descriptors[rows])))
    return torch.cat(chunks)


def map_targets(mapping: TargetMap, features: Features) -> Tensor:
    """(targets * variants) x (rank + 21)."""
    chunks = []
    with torch.no_grad():
        for start in range(0, features.words.shape[0], CHUNK):
            rows = slice(start, start + CHUNK)
            words = torch.from_numpy(features.words[rows].toarray())
            composition = torch.from_numpy(features.composition[rows])
            length = torch.from_numpy(features.lengths[rows].astype(np.float32))[:, None]
            chunks.append(mapping(words, composition, length))
    return torch.cat(chunks)
