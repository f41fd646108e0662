"""Similarities of compounds and of targets: symmetric, positive semi-definite, 1 on the diagonal."""

import numpy as np
import scipy.sparse as sp

from ..data import Features
from .alignment import BLOSUM62, UNKNOWN, pocket_columns

DESCRIPTOR_LIMIT = 4.0
DESCRIPTOR_WIDTH = 6.0
DRUG_PARTS = ("morgan", "morgan-counts", "atom-pairs", "torsions", "maccs")
EMPTY_ALIKE = 1e-9


def drug_similarities(features: Features, rows: np.ndarray) -> np.ndarray:
    """parts x compounds x compounds: Tanimoto of each fingerprint, then an RBF on the descriptors."""
    parts = [tanimoto(features.block(name)[rows]) for name in DRUG_PARTS]
    return np.stack([*parts, descriptor_similarity(features.descriptors[rows])])


def tanimoto(bits: sp.csr_matrix) -> np.ndarray:
    """Tanimoto similarity of bit sets; 1 for two empty sets."""
    shared = np.asarray((bits @ bits.T).todense(), np.float64)
    sizes = shared.diagonal()
    return (shared + EMPTY_ALIKE) / (sizes[:, None] + sizes[None] - shared + EMPTY_ALIKE)


def descriptor_similarity(descriptors: np.ndarray) -> np.ndarray:
    """n x descriptors to n x n: an RBF on descriptors in standard deviations."""
    spread = np.maximum(descriptors.std(0), 1e-9)
    scaled = np.clip((descriptors - descriptors.mean(0)) / spread, -DESCRIPTOR_LIMIT, DESCRIPTOR_LIMIT)
    return np.exp(-0.5 * squared_distances(scaled) / DESCRIPTOR_WIDTH**2)


def target_similarities(kmers: sp.csr_matrix, exact_kmers: int, residues: np.ndarray) -> np.ndarray:
    """parts x targets x targets: shared k-mers, exact and reduced; aligned pocket; aligned domain."""
    columns = column_similarities(residues)
    return np.stack(
        [
            cosine(kmers[:, :exact_kmers]),
            cosine(kmers[:, exact_kmers:]),
            columns[pocket_columns()].mean(0),
            columns.mean(0),
        ]
    )


def cosine(counts: sp.csr_matrix) -> np.ndarray:
    """n x k-mer counts to n x n: cosine of the counts' square roots."""
    roots = counts.sqrt()
    shared = np.asarray((roots @ roots.T).todense(), np.float64)
    length = np.sqrt(np.maximum(shared.diagonal(), 1e-9))
    return shared / np.outer(length, length)


def column_similarities(residues: np.ndarray) -> np.ndarray:
    """columns x targets x targets; residues by BLOSUM62, and a gap is similar only to a gap."""
    letters = np.zeros((UNKNOWN + 1, UNKNOWN + 1), np.float32)
    alike = np.exp(BLOSUM62 / 4)
    root = np.sqrt(alike.diagonal())
    letters[:UNKNOWN, :UNKNOWN] = alike / np.outer(root, root)
    letters[UNKNOWN, UNKNOWN] = 1
    return np.stack([letters[np.ix_(column, column)] for column in residues.T])


def squared_distances(rows: np.ndarray) -> np.ndarray:
    """n x d to n x n."""
    squares = (rows * rows).sum(1)
    return np.maximum(squares[:, None] + squares[None] - 2 * rows @ rows.T, 0)
