"""Reads the exporter's arrays and the affinity tables; computes no features."""

import gzip
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import scipy.sparse as sp

SPLITS = ("random_fold", "scaffold_fold", "target_fold")
REFERENCE_SOURCES = ("balm", "bindingdb", "dtc")
# Drug Target Commons; its values are used where another source has the pair as well.
UNTRUSTED = "dtc"
PK_RANGE = (2.0, 12.0)


@dataclass
class Features:
    """The exporter's arrays, with compounds and targets in its order."""

    manifest: dict
    compound_ids: list[str]
    compound_smiles: list[str]
    bits: sp.csr_matrix  # compounds x all bits, 0 or 1
    descriptors: np.ndarray  # compounds x descriptors
    target_ids: list[str]
    target_names: list[str]
    target_sequences: list[str]
    variants: int  # rows per target; the first is the full sequence
    kmers: sp.csr_matrix  # (targets * variants) x k-mers, counts
    composition: np.ndarray  # (targets * variants) x 20
    lengths: np.ndarray  # (targets * variants)
    identity_kmers: sp.csr_matrix  # (targets * variants) x identity k-mers, 0 or 1

    def block(self, name: str) -> sp.csr_matrix:
        """compounds x bits of one named fingerprint; KeyError if the feature spec has no such block."""
        return self.bits[:, block_columns(self.manifest["featureSpec"], name)]


@dataclass
class Pairs:
    """Measured pairs, one row each."""

    compound: np.ndarray  # row of Features
    target: np.ndarray  # row of Features, counted in targets
    y: np.ndarray  # pK
    is_below: np.ndarray  # y is an upper bound
    groups: np.ndarray  # pairs x offset groups, shares that sum to 1 or 0
    is_reference: np.ndarray  # an exact Kd from a reference source
    folds: np.ndarray  # pairs x SPLITS; -1 where a row is in no split

    def __len__(self) -> int:
        return len(self.y)

    def take(self, rows: np.ndarray) -> "Pairs":
        """Selects rows, by number or by mask."""
        return Pairs(*(getattr(self, name)[rows] for name in self.__dataclass_fields__))


def consecutive(sizes: Iterable[int]) -> Iterator[slice]:
    """Slices of adjacent columns, one of each size."""
    start = 0
    for size in sizes:
        yield slice(start, start + size)
        start += size


def block_columns(spec: dict, name: str) -> slice:
    """Columns of all bits that belong to the named fingerprint; KeyError if the feature spec has none of that name."""
    blocks = spec["compound"]["blocks"]
    columns = consecutive(block["size"] for block in blocks)
    return dict(zip((block["name"] for block in blocks), columns))[name]


def load_features(folder: Path) -> Features:
    """folder: written by training/export/main.ts; FileNotFoundError if an array is missing."""
    manifest = json.loads((folder / "manifest.json").read_text())
    sizes = manifest["sizes"]
    compounds = read_tsv(folder / "compounds.tsv")
    targets = read_tsv(folder / "targets.tsv")
    bits = _csr(folder, "compound-offsets", "compound-bits", sizes["compoundBits"])
    kmers = _csr(folder, "target-offsets", "target-words", sizes["exactWords"] + sizes["reducedWords"])
    kmers.data = np.load(folder / "target-counts.npy").astype(np.float32)
    letters = len(manifest["featureSpec"]["target"]["letters"])
    identity_columns = letters ** manifest["featureSpec"]["target"]["identityWordLength"]
    return Features(
        manifest=manifest,
        compound_ids=[row["id"] for row in compounds],
        compound_smiles=[row["smiles"] for row in compounds],
        bits=bits,
        descriptors=np.load(folder / "compound-descriptors.npy"),
        target_ids=[row["id"] for row in targets],
        target_names=[row["name"] for row in targets],
        target_sequences=[row["sequence"] for row in targets],
        variants=manifest["targetVariants"],
        kmers=kmers,
        composition=np.load(folder / "target-composition.npy"),
        lengths=np.load(folder / "target-lengths.npy"),
        identity_kmers=_csr(folder, "target-identity-offsets", "target-identity", identity_columns),
    )


def read_general(tables: Path) -> list[dict[str, str]]:
    """The merged pairs of the general table, with their folds, sources and types.

    Rows of UNTRUSTED alone are left out, but not if a protein's only other values are ChEMBL's further ones: the product
    would no longer know the protein, and ignore these as well.
    """
    measured = {(r["drug_id"], r["target_id"]): r for r in read_tsv(tables / "general/pairs.tsv.gz")}
    rows = [
        measured[row["drug_id"], row["target_id"]] | row
        for row in read_tsv(tables / "general/pairs_folds.tsv.gz")
    ]
    trusted = {row["target_id"] for row in rows if row["sources"] != UNTRUSTED}
    further = {row["target_id"] for row in read_tsv(tables / "chembl32/pairs.tsv.gz")}
    needed = {name for names in further if trusted.isdisjoint(names.split("|")) for name in names.split("|")}
    return [row for row in rows if row["sources"] != UNTRUSTED or row["target_id"] in needed]


def load_general(rows: list[dict[str, str]], features: Features) -> Pairs:
    """rows: from `read_general`."""
    return _pairs(
        features,
        compounds=[row["drug_id"] for row in rows],
        targets=[row["target_id"] for row in rows],
        y=[float(row["y"]) for row in rows],
        is_below=[row["lt"] == "True" for row in rows],
        labels=rows,
        folds=np.array([[int(row[split]) for split in SPLITS] for row in rows], np.int8),
    )


def load_davis(tables: Path, features: Features, general: Pairs) -> Pairs:
    """The Davis pairs missing from the general table; they belong to no split and are used for the shipped model."""
    sequence_of = {r["target_id"]: r["sequence_mutated"] for r in read_tsv(tables / "davis/targets.tsv.gz")}
    target_of = {r["sequence"]: r["target_id"] for r in read_tsv(tables / "general/targets.tsv.gz")}
    rows = read_tsv(tables / "davis/pairs.tsv.gz")
    pairs = _pairs(
        features,
        compounds=[f"davis:{row['drug_id']}" for row in rows],
        targets=[target_of[sequence_of[row["target_id"]]] for row in rows],
        y=[float(row["pKd"]) for row in rows],
        is_below=[row["relation"] == "<" for row in rows],
        labels=[{"sources": "davis", "types": "Kd"}] * len(rows),
        folds=np.full((len(rows), len(SPLITS)), -1, np.int8),
    )
    return pairs.take(_rows_not_in(features, pairs, general))


def concatenate(a: Pairs, b: Pairs) -> Pairs:
    """Concatenates the rows of both."""
    return Pairs(*(np.concatenate([getattr(a, name), getattr(b, name)]) for name in a.__dataclass_fields__))


def cut_variants(
    target: np.ndarray, variants: int, generator: np.random.Generator, share: float
) -> np.ndarray:
    """Picks a variant for each target: a cut for a share of them, otherwise the full sequence."""
    full = target.astype(np.int64) * variants
    if variants == 1:
        return full
    return full + generator.integers(1, variants, len(full)) * (generator.random(len(full)) < share)


def even_half(index: np.ndarray, split: int = 0) -> np.ndarray:
    """0 or 1 each: a fixed, even split independent of the data; splits with other numbers are independent of it."""
    return (index.astype(np.uint64) * 2654435761 % 2**32) >> (31 - split) & 1


def read_tsv(path: Path) -> list[dict[str, str]]:
    """Rows by column name, from a plain or gzip file with a header line."""
    with gzip.open(path, "rt") if path.suffix == ".gz" else path.open() as file:
        columns = next(file).rstrip("\n").split("\t")
        return [dict(zip(columns, line.rstrip("\n").split("\t"))) for line in file]


def _csr(folder: Path, offsets: str, indices: str, columns: int) -> sp.csr_matrix:
    starts = np.load(folder / f"{offsets}.npy").astype(np.int64)
    positions = np.load(folder / f"{indices}.npy").astype(np.int32)
    ones = np.ones(len(positions), np.float32)
    return sp.csr_matrix((ones, positions, starts), shape=(len(starts) - 1, columns))


def _pairs(features: Features, compounds, targets, y, is_below, labels, folds) -> Pairs:
    compound_row = {key: row for row, key in enumerate(features.compound_ids)}
    target_row = {key: row for row, key in enumerate(features.target_ids)}
    groups, is_reference = _groups(labels)
    is_below = np.array(is_below, bool)
    return Pairs(
        compound=np.array([compound_row[key] for key in compounds], np.int32),
        target=np.array([target_row[key] for key in targets], np.int32),
        y=np.clip(np.array(y, np.float32), *PK_RANGE),
        is_below=is_below,
        groups=groups,
        is_reference=is_reference & ~is_below,
        folds=folds,
    )


# One offset per source and type; Kd of a reference source has none. Two sources measured one type only, and rows
# merged with another source would blur their offset.
ONE_TYPE = ("davis", "metz")
GROUPS = (
    "davis", "metz", "balm Ki", "bindingdb Ki", "dtc Ki",
    "moleculeace Kd", "moleculeace Ki", "papyrus Kd", "papyrus Ki",
)  # fmt: skip


def _groups(labels: list[dict[str, str]]) -> tuple[np.ndarray, np.ndarray]:
    column = {name: index for index, name in enumerate(GROUPS)}
    groups = np.zeros((len(labels), len(GROUPS)), np.float32)
    is_reference = np.zeros(len(labels), bool)
    for row, label in enumerate(labels):
        kind = "Kd" if "Kd" in label["types"].split("|") else "Ki"
        sources = label["sources"].split("|")
        is_reference[row] = kind == "Kd" and any(s in REFERENCE_SOURCES for s in sources)
        for source in sources:
            if source not in REFERENCE_SOURCES or kind != "Kd":
                name = source if source in ONE_TYPE else f"{source} {kind}"
                groups[row, column[name]] += 1 / len(sources)
    return groups, is_reference


def _rows_not_in(features: Features, pairs: Pairs, known: Pairs) -> np.ndarray:
    """Compounds are the same if fingerprints and descriptors are equal; stereochemistry is ignored."""
    keys = feature_keys(features, np.unique(np.concatenate([pairs.compound, known.compound])))
    seen = {(keys[c], t) for c, t in zip(known.compound, known.target)}
    is_new = []
    for c, t in zip(pairs.compound, pairs.target):
        is_new.append((keys[c], t) not in seen)
        seen.add((keys[c], t))
    return np.flatnonzero(is_new)


def feature_keys(features: Features, compounds: np.ndarray) -> dict[int, bytes]:
    """A key per compound from its bits and descriptors."""
    bits = features.bits
    return {
        int(c): bits.indices[bits.indptr[c] : bits.indptr[c + 1]].tobytes()
        + features.descriptors[c].tobytes()
        for c in compounds
    }
