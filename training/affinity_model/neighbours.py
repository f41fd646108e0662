"""Similarity to the closest training compound and target, by the product's rules."""

import numpy as np
import torch

from .data import Features, block_columns

FOLDED_BITS = 1024
IDENTITY_KMERS_MIN = 40
CHUNK = 2048


def folded_fingerprints(features: Features, rows: np.ndarray) -> np.ndarray:
    """rows x FOLDED_BITS of Morgan bits, true or false."""
    return fold(features.bits[rows, block_columns(features.manifest["featureSpec"], "morgan")].toarray())


def fold(bits: np.ndarray) -> np.ndarray:
    """rows x Morgan bits to rows x FOLDED_BITS."""
    return np.any((bits > 0).reshape(len(bits), -1, FOLDED_BITS), axis=1)


def nearest_compound(queries: np.ndarray, known: np.ndarray) -> np.ndarray:
    """Largest Tanimoto similarity of each query to the known fingerprints."""
    of_known = torch.from_numpy(known.astype(np.float32))
    sizes, best = of_known.sum(1), []
    for start in range(0, len(queries), CHUNK):
        chunk = torch.from_numpy(queries[start : start + CHUNK].astype(np.float32))
        highest = torch.zeros(len(chunk))
        for at in range(0, len(of_known), 4 * CHUNK):
            part = slice(at, at + 4 * CHUNK)
            shared = chunk @ of_known[part].T
            either = chunk.sum(1, keepdim=True) + sizes[part][None] - shared
            highest = torch.maximum(highest, (shared / either.clamp(min=1)).amax(1))
        best.append(highest.numpy())
    return np.concatenate(best) if best else np.zeros(0, np.float32)


def target_similarities(features: Features, variant: int = 0) -> np.ndarray:
    """Containment of one variant of each target (rows) in each full target (columns)."""
    full = features.identity_kmers[:: features.variants]
    shown = features.identity_kmers[variant :: features.variants]
    shared = np.asarray((shown @ full.T).todense(), np.float32)
    smaller = np.minimum(np.diff(shown.indptr)[:, None], np.diff(full.indptr)[None])
    return shared / np.maximum(smaller, IDENTITY_KMERS_MIN)
