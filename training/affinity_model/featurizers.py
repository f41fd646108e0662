"""Featurizers for compounds and targets: fixed maps from sparse features to dense vectors, fitted without labels.

They are torch modules, so that training and the exported graph run the same arithmetic.
"""

import numpy as np
import torch
from torch import Tensor, nn

from .data import Features, block_columns, consecutive
from .settings import SEED_OFFSETS, Settings

KERNEL_BLOCKS = ("morgan-counts", "atom-pairs", "torsions")
# The fingerprint used by the trees over pairs.
PAIR_BLOCK = "maccs"
DESCRIPTOR_LIMIT = 4.0
CHUNK = 2048
BITS_OF_BYTE = torch.tensor([[byte >> (7 - bit) & 1 for bit in range(8)] for byte in range(256)]).float()


class CompoundFeaturizer(nn.Module):
    """Nystroem features of a kernel: mean Tanimoto of three fingerprints, and an RBF on descriptors."""

    packed: Tensor  # landmarks x bytes, uint8: eight bits per byte, to save disk space
    landmark_descriptors: Tensor  # landmarks x descriptors
    descriptor_mean: Tensor  # descriptors
    descriptor_scale: Tensor  # descriptors
    projection: Tensor  # landmarks x rank
    mean: Tensor  # rank

    def __init__(self, spec: dict, settings: Settings, landmarks: int):
        """spec: the feature spec; buffers are zero until `fit_compound_featurizer` fills them."""
        super().__init__()
        self.spec = spec
        self.share = settings.descriptor_share
        self.width = settings.descriptor_width
        self.blocks = [block_columns(spec, name) for name in KERNEL_BLOCKS]
        self.pair_bits = block_columns(spec, PAIR_BLOCK)
        bits = sum(block["size"] for block in spec["compound"]["blocks"])
        descriptors, rank = len(spec["compound"]["descriptors"]), settings.compound_rank
        self.register_buffer("packed", torch.zeros(landmarks, -(-bits // 8), dtype=torch.uint8))
        self.register_buffer("landmark_descriptors", torch.zeros(landmarks, descriptors))
        self.register_buffer("descriptor_mean", torch.zeros(descriptors))
        self.register_buffer("descriptor_scale", torch.ones(descriptors))
        self.register_buffer("projection", torch.zeros(landmarks, rank))
        self.register_buffer("mean", torch.zeros(rank))

    def forward(self, bits: Tensor, descriptors: Tensor) -> Tensor:
        """bits: n x all bits; descriptors: n x d; returns n x rank."""
        return self.kernel(bits, self.scaled(descriptors)) @ self.projection - self.mean

    def scaled(self, descriptors: Tensor) -> Tensor:
        """n x descriptors, in standard deviations from the mean, clipped at DESCRIPTOR_LIMIT."""
        z = (descriptors - self.descriptor_mean) / self.descriptor_scale
        return z.clamp(-DESCRIPTOR_LIMIT, DESCRIPTOR_LIMIT)

    def kernel(self, bits: Tensor, scaled: Tensor) -> Tensor:
        """bits: n x all bits; scaled: n x descriptors from `scaled`; returns n x landmarks, 0 to 1."""
        landmarks = self.landmarks()
        alike = torch.zeros(())
        for block in self.blocks:
            x, y = bits[:, block], landmarks[:, block]
            shared = x @ y.T
            either = x.sum(1, keepdim=True) + y.sum(1)[None] - shared
            alike = alike + shared / either.clamp(min=1.0)
        anchors = self.scaled(self.landmark_descriptors)
        squared = (
            (scaled * scaled).sum(1, keepdim=True) + (anchors * anchors).sum(1)[None] - 2 * scaled @ anchors.T
        )
        near = torch.exp(squared.clamp(min=0.0) * (-0.5 / self.width**2))
        return (1 - self.share) / len(self.blocks) * alike + self.share * near

    def landmarks(self) -> Tensor:
        """landmarks x bits from packed bytes, highest bit first. A lookup table, because a runtime folds it once."""
        return BITS_OF_BYTE[self.packed.long()].flatten(1)


class TargetFeaturizer(nn.Module):
    """Principal directions of normalised k-mer profiles, in whole bytes, plus composition and length."""

    directions: Tensor  # k-mers x rank, int8
    scale: Tensor  # rank
    mean: Tensor  # rank
    composition_mean: Tensor  # letters
    composition_scale: Tensor  # letters

    def __init__(self, spec: dict, settings: Settings):
        """spec: the feature spec; buffers are meaningless until `fit_target_featurizer` fills them."""
        super().__init__()
        of_target, rank = spec["target"], settings.target_rank
        letters = len(of_target["letters"])
        exact = letters ** of_target["exactWordLength"]
        kmers = exact + len(of_target["classes"]) ** of_target["reducedWordLength"]
        self.exact, self.reduced = consecutive([exact, kmers - exact])
        # Columns of `forward`: the profile's directions, then composition and length.
        self.profile_columns, self.extra_columns = consecutive([rank, letters + 1])
        self.register_buffer("directions", torch.zeros(kmers, rank, dtype=torch.int8))
        self.register_buffer("scale", torch.ones(rank))
        self.register_buffer("mean", torch.zeros(rank))
        self.register_buffer("composition_mean", torch.zeros(letters))
        self.register_buffer("composition_scale", torch.ones(letters))

    def forward(self, kmers: Tensor, composition: Tensor, length: Tensor) -> Tensor:
        """kmers: m x all k-mers, counts; composition: m x 20; length: m x 1; returns m x (rank + letters + 1)."""
        profile = self.profile(kmers) @ self.directions.to(torch.float32) * self.scale - self.mean
        shares = ((composition - self.composition_mean) / self.composition_scale).clamp(-4.0, 4.0)
        size = (torch.log(length + 1.0) - 6.0).clamp(-3.0, 3.0)
        return torch.cat([profile, shares, size], 1)

    def profile(self, kmers: Tensor) -> Tensor:
        """m x all k-mers, counts, to profiles of the same shape and of squared length 1 or less."""
        roots = torch.sqrt(kmers)
        return torch.cat([_unit(roots[:, self.exact]), _unit(roots[:, self.reduced])], 1)


def _unit(x: Tensor) -> Tensor:
    """Each of the two kinds of k-mers gets half of the squared length; an empty profile stays zero."""
    return x / torch.sqrt((2 * x * x).sum(1, keepdim=True) + 1e-6)


def fit_compound_featurizer(features: Features, settings: Settings) -> CompoundFeaturizer:
    """Draws landmarks from all compounds and keeps the largest directions of their kernel."""
    generator = np.random.default_rng(settings.seed + SEED_OFFSETS["landmarks"])
    count = min(settings.landmarks, features.bits.shape[0])
    chosen = np.sort(generator.choice(features.bits.shape[0], count, replace=False))
    descriptors = features.descriptors
    featurizer = CompoundFeaturizer(features.manifest["featureSpec"], settings, count)
    packed = np.packbits(features.bits[chosen].toarray().astype(np.uint8), axis=1)
    featurizer.packed.copy_(torch.from_numpy(packed))
    featurizer.landmark_descriptors.copy_(torch.from_numpy(descriptors[chosen]))
    featurizer.descriptor_mean.copy_(torch.from_numpy(descriptors.mean(0)))
    featurizer.descriptor_scale.copy_(torch.from_numpy(descriptors.std(0) + 1e-3))
    with torch.no_grad():
        own = featurizer.kernel(featurizer.landmarks(), featurizer.scaled(featurizer.landmark_descriptors))
        values, vectors = np.linalg.eigh(own.double().numpy())
        rank = settings.compound_rank
        values, vectors = values[::-1][:rank], vectors[:, ::-1][:, :rank]
        projection = vectors / np.sqrt(np.maximum(values, 1e-4))
        featurizer.projection[:, : projection.shape[1]].copy_(torch.from_numpy(projection))
        featurizer.mean.copy_((own @ featurizer.projection).mean(0))
    return featurizer


def fit_target_featurizer(features: Features, settings: Settings, weights: np.ndarray) -> TargetFeaturizer:
    """weights: one per target. Keeps the principal directions of the full sequences' profiles."""
    featurizer = TargetFeaturizer(features.manifest["featureSpec"], settings)
    full = np.arange(0, features.kmers.shape[0], features.variants)
    with torch.no_grad():
        profile = featurizer.profile(torch.from_numpy(features.kmers[full].toarray())).numpy()
        share = weights / weights.sum()
        centred = (profile - share @ profile) * np.sqrt(share)[:, None]
        values, vectors = np.linalg.eigh((centred @ centred.T).astype(np.float64))
        keep = np.argsort(values)[::-1][: settings.target_rank]
        directions = centred.T @ (vectors[:, keep] / np.sqrt(np.maximum(values[keep], 1e-9)))
        scale = np.abs(directions).max(0) / 127 + 1e-12
        featurizer.directions[:, : len(keep)].copy_(
            torch.from_numpy(np.rint(directions / scale).astype(np.int8))
        )
        featurizer.scale[: len(keep)].copy_(torch.from_numpy(scale.astype(np.float32)))
        quantised = featurizer.directions.to(torch.float32) * featurizer.scale
        featurizer.mean.copy_(torch.from_numpy((share @ profile).astype(np.float32)) @ quantised)
        featurizer.composition_mean.copy_(torch.from_numpy(features.composition[full].mean(0)))
        featurizer.composition_scale.copy_(torch.from_numpy(features.composition[full].std(0) + 1e-3))
    return featurizer


def featurize_compounds(featurizer: CompoundFeaturizer, features: Features) -> Tensor:
    """compounds x rank, in chunks: dense bits of all compounds do not fit in memory."""
    chunks = []
    with torch.no_grad():
        for start in range(0, features.bits.shape[0], CHUNK):
            rows = slice(start, start + CHUNK)
            bits = torch.from_numpy(features.bits[rows].toarray())
            chunks.append(featurizer(bits, torch.from_numpy(features.descriptors[rows])))
    return torch.cat(chunks)


def featurize_targets(featurizer: TargetFeaturizer, features: Features) -> Tensor:
    """(targets * variants) x (rank + letters + 1), in chunks."""
    chunks = []
    with torch.no_grad():
        for start in range(0, features.kmers.shape[0], CHUNK):
            rows = slice(start, start + CHUNK)
            kmers = torch.from_numpy(features.kmers[rows].toarray())
            composition = torch.from_numpy(features.composition[rows])
            length = torch.from_numpy(features.lengths[rows].astype(np.float32))[:, None]
            chunks.append(featurizer(kmers, composition, length))
    return torch.cat(chunks)
