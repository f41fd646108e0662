"""The general table and ChEMBL's further rows, over one list of compounds and targets.

Excluded are rows that only Drug Target Commons has, and everything that would leak the published series: their
compounds, on any target, and rows of their assays.
"""

from collections.abc import Collection
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np
import scipy.sparse as sp

from .data import (
    GROUPS,
    UNTRUSTED,
    Features,
    Pairs,
    concatenate,
    feature_keys,
    load_davis,
    load_features,
    load_general,
    read_general,
    read_tsv,
)
from .folders import Work
from .neighbours import target_similarities

PANELS = ("davis", "metz")
# Offset groups of the further rows.
FURTHER_GROUPS = ("chembl Ki", "chembl IC50")
# Targets with this containment (of the smaller one's identity k-mers) are treated as one: twins, mutants, constructs.
TWIN_FROM = 0.95


@dataclass
class Wide:
    """Training pairs without any information on the series."""

    features: Features  # compounds of all tables; full sequences of the targets
    known_targets: np.ndarray  # targets of the general table's model, in the order of targets.json
    pairs: Pairs
    assay: np.ndarray  # per pair; empty if unknown
    is_optimised: np.ndarray  # exact, and not from a panel that measures everything on everything
    of_general: np.ndarray  # row in `features` of each compound of the general table

    @cached_property
    def stands(self) -> np.ndarray:
        """Per target, the number of the target that represents it and its twins."""
        return twins_of(target_similarities(self.features))

    def places_of(self, targets: np.ndarray) -> np.ndarray:
        """The place of each target, or of a twin of it, in targets.json; KeyError if the model knows neither."""
        place = {stand: at for at, stand in reversed([*enumerate(self.stands[self.known_targets])])}
        return np.array([place[stand] for stand in self.stands[targets]])


def load_wide(tables: Path, work: Work, held_back: Collection[str] = ()) -> Wide:
    """held_back: SMILES of ChEMBL's table to leave out as well."""
    known, further = load_features(work.features), load_features(work.outside)
    features, places = _join(known, further)
    at_general, at_further = places[: len(known.compound_ids)], places[len(known.compound_ids) :]
    place = dict(zip(further.compound_ids, at_further))
    rows = read_general(tables)
    table, sources = load_general(rows, known), np.array([row["sources"] for row in rows])
    davis = load_davis(tables, known, table)
    sources = np.concatenate([sources, np.full(len(davis), "davis")])
    own = concatenate(table, davis)
    own = replace(
        own, compound=at_general[own.compound], groups=np.pad(own.groups, ((0, 0), (0, len(FURTHER_GROUPS))))
    )
    added, assay = _further_pairs(tables, known, place)
    pairs = concatenate(own, added)
    assay = np.concatenate([np.full(len(own), "", assay.dtype), assay])
    is_panel = np.concatenate([_are_panels(sources), np.zeros(len(added), bool)])
    of_series = [row["smiles"] for row in read_tsv(tables / "series/ligands.tsv.gz")]
    unseen = [place[smiles] for smiles in {*of_series, *held_back} if smiles in place]
    assays = [row["assay"] for row in read_tsv(tables / "series/systems.tsv") if row["assay"]]
    is_used = ~np.isin(pairs.compound, unseen) & ~np.isin(assay, assays)
    is_used[: len(own)] &= sources != UNTRUSTED
    return Wide(
        features=features,
        known_targets=np.unique(own.target),
        pairs=pairs.take(is_used),
        assay=assay[is_used],
        is_optimised=(~is_panel & ~pairs.is_below)[is_used],
        of_general=at_general,
    )


def twins_of(similarity: np.ndarray) -> np.ndarray:
    """similarity: targets x targets; returns, per target, the number of the target that represents it and its twins."""
    stands = np.full(len(similarity), -1)
    for target in range(len(similarity)):
        if stands[target] < 0:
            stands[(similarity[target] >= TWIN_FROM) & (stands < 0)] = target
            stands[target] = target
    return stands


def _join(known: Features, further: Features) -> tuple[Features, np.ndarray]:
    """One row per distinct compound of both, and the row of each compound of both lists, concatenated."""
    bits = sp.vstack([known.bits, further.bits]).tocsr()
    descriptors = np.vstack([known.descriptors, further.descriptors])
    both = replace(known, bits=bits, descriptors=descriptors)
    keys = feature_keys(both, np.arange(bits.shape[0]))
    first: dict[bytes, int] = {}
    places = np.array([first.setdefault(keys[row], len(first)) for row in range(len(keys))])
    _, kept = np.unique(places, return_index=True)
    full, smiles = slice(None, None, known.variants), [*known.compound_smiles, *further.compound_smiles]
    return replace(
        known,
        compound_ids=[str(row) for row in kept],
        compound_smiles=[smiles[row] for row in kept],
        bits=bits[kept],
        descriptors=descriptors[kept],
        variants=1,
        kmers=sp.csr_matrix(known.kmers[full]),
        composition=known.composition[full],
        lengths=known.lengths[full],
        identity_kmers=sp.csr_matrix(known.identity_kmers[full]),
    ), places


def _further_pairs(tables: Path, known: Features, place: dict[str, int]) -> tuple[Pairs, np.ndarray]:
    """ChEMBL's further rows with their assays; place: compound row by SMILES of the table."""
    rows = [row for row in read_tsv(tables / "chembl32/pairs.tsv.gz") if row["smiles"] in place]
    target = {key: at for at, key in enumerate(known.target_ids)}
    groups = np.zeros((len(rows), len(GROUPS) + len(FURTHER_GROUPS)), np.float32)
    groups[np.arange(len(rows)), [len(GROUPS) + (row["type"] == "IC50") for row in rows]] = 1
    none = np.zeros(len(rows), bool)
    return Pairs(
        compound=np.array([place[row["smiles"]] for row in rows], np.int32),
        target=np.array([target[row["target_id"].split("|")[0]] for row in rows], np.int32),
        y=np.array([float(row["pK"]) for row in rows], np.float32),
        is_below=none,
        groups=groups,
        is_reference=none,
        folds=np.full((len(rows), 3), -1, np.int8),
    ), np.array([row["assay"] for row in rows])


def _are_panels(sources: np.ndarray) -> np.ndarray:
    names, at = np.unique(sources, return_inverse=True)
    return np.array([set(name.split("|")) <= set(PANELS) for name in names])[at]
