"""Reads feature arrays and affinity tables as rows of numbers.

Features are written by `training/export/features.ts`; a compound is a row of them. Rows of compounds and assays of the
published series are never learnt from, so that the shipped model itself can be scored on these series.
"""

import csv
import gzip
import io
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int64]

KINDS = ("Ki", "Kd", "IC50", "mixed")
IC50 = KINDS.index("IC50")
WORD = 4
FOLDED_BITS = 1024
LETTERS = "ACDEFGHIKLMNPQRSTVWY"
# Repeated rows of one pair and kind that differ by less are one measurement.
SAME_VALUE = 0.15
# Compound, target, kind, pK, assay, whether it is a bound, and types and sources.
Found = tuple[int, int, int, float, str, bool, tuple[str, str]]


@dataclass
class Neighbours:
    """The compounds most similar to each compound, closest first, itself included, as `training/export/neighbours.ts` finds
    them."""

    starts: Ints
    compound: Ints
    similarity: Floats

    def of(
        self, some: Ints, use: npt.NDArray[np.bool_], count: int, similar_from: float
    ) -> tuple[Ints, Ints, Floats]:
        """Of some compounds, those that `use` allows, at most `count` each: index into `some`, compound, similarity."""
        times = self.starts[some + 1] - self.starts[some]
        at = ranges(self.starts[some], times)
        query = np.repeat(np.arange(len(some)), times)
        chosen = use[self.compound[at]] & (self.similarity[at] >= similar_from)
        at, query = at[chosen], query[chosen]
        first = np.arange(len(at)) - np.searchsorted(query, query) < count
        return query[first], self.compound[at[first]], self.similarity[at[first]]


@dataclass
class Compounds:
    """All compounds of the tables: fingerprint blocks (compounds x bits, 0 or 1) and descriptors."""

    blocks: list[sp.csr_matrix]
    descriptors: Floats
    heavy_atoms: Floats
    smiles: list[str]
    row_of: dict[str, int]
    # Folded fingerprints, compounds x bytes, and a number that is equal for equal ones.
    prints: npt.NDArray[np.uint8]
    print_id: Ints
    neighbours: Neighbours

    def __len__(self) -> int:
        return len(self.smiles)


@dataclass
class Targets:
    """Sequences that values were measured on; entries with equal sequences are one target."""

    ids: list[str]
    names: list[str]
    sequences: list[str]
    place_of: dict[str, int]

    def __len__(self) -> int:
        return len(self.ids)


@dataclass
class Rows:
    """Measured pairs. `y` in pK; `is_bound`: the true value is at most `y`; `assay` is -1 where none is known."""

    compound: Ints
    target: Ints
    kind: Ints
    y: Floats
    assay: Ints
    is_bound: npt.NDArray[np.bool_]
    # Index into `origins`: types and sources, each joined by `|`.
    origin: Ints
    origins: list[tuple[str, str]]

    def __len__(self) -> int:
        return len(self.y)

    def of(self, some: npt.NDArray[np.bool_] | Ints) -> "Rows":
        """Some of the rows."""
        return Rows(
            self.compound[some],
            self.target[some],
            self.kind[some],
            self.y[some],
            self.assay[some],
            self.is_bound[some],
            self.origin[some],
            self.origins,
        )


@dataclass
class Series:
    """A published series: compounds of one assay on the longest chain of a structure."""

    system: str
    gene: str
    segments: list[str]
    compound: Ints
    y: Floats
    fep: Floats


def read(path: Path) -> Iterator[dict[str, str]]:
    """Rows of a table with a header line, gzipped if its name ends in `.gz`."""
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)


def read_compounds(features: Path) -> Compounds:
    """Features as `training/export/features.ts` writes them."""
    manifest = json.loads((features / "manifest.json").read_text())
    offsets, bits = np.load(features / "offsets.npy"), np.load(features / "bits.npy")
    descriptors = np.load(features / "descriptors.npy")
    smiles = (features / "compounds.txt").read_text().splitlines()
    width = sum(block["size"] for block in manifest["compoundBits"])
    whole = sp.csr_matrix(
        (np.ones(len(bits), np.float32), bits.astype(np.int32), offsets.astype(np.int64)),
        (len(smiles), width),
    ).tocsc()
    blocks, start = [], 0
    for block in manifest["compoundBits"]:
        blocks.append(whole[:, start : start + block["size"]].tocsr())
        start += block["size"]
    heavy = descriptors[:, manifest["descriptors"].index("NumHeavyAtoms")]
    lines = (features / "smiles.tsv").read_text().splitlines()[1:]
    row_of = {one: int(row) for one, row in (line.split("\t") for line in lines)}
    prints = packed_bits(folded(blocks[0], FOLDED_BITS))
    return Compounds(
        blocks, descriptors, heavy, smiles, row_of, prints, print_ids(prints), read_neighbours(features)
    )


def folded(block: sp.csr_matrix, bits: int) -> sp.csr_matrix:
    """Bits of a block, position modulo `bits`."""
    out = sp.csr_matrix(
        (block.data.copy(), block.indices % bits, block.indptr.copy()), (block.shape[0], bits)
    )
    out.sum_duplicates()
    out.data[:] = 1
    return out


def packed_bits(prints: sp.csr_matrix) -> npt.NDArray[np.uint8]:
    """Compounds x bytes, the lowest bit first."""
    dense = np.zeros(prints.shape, np.uint8)
    dense[np.repeat(np.arange(prints.shape[0]), np.diff(prints.indptr)), prints.indices] = 1
    return np.packbits(dense, axis=1, bitorder="little")


def ranges(starts: Ints, counts: Ints) -> Ints:
    """The integers from each start on, as many as its count."""
    ends = np.cumsum(counts)
    return np.arange(ends[-1] if len(ends) else 0) + np.repeat(starts - ends + counts, counts)


def read_neighbours(features: Path) -> Neighbours:
    """From the files of `neighbours.ts`."""
    offsets, compound, similarity = (
        np.load(features / f"{name}.npy") for name in ("neighbour-offsets", "neighbours", "similarities")
    )
    return Neighbours(offsets.astype(np.int64), compound.astype(np.int64), similarity)


def print_ids(prints: npt.NDArray[np.uint8]) -> Ints:
    """A number per compound, equal for equal packed fingerprints."""
    return np.unique(prints, axis=0, return_inverse=True)[1].ravel()


def read_targets(features: Path) -> Targets:
    """Targets without a sequence are left out."""
    text = (features / "targets.tsv").read_text()
    by_sequence: dict[str, int] = {}
    targets = Targets([], [], [], {})
    for row in csv.DictReader(io.StringIO(text), delimiter="\t", quoting=csv.QUOTE_NONE):
        sequence = row["sequence"]
        if len(sequence) < WORD:
            continue
        if sequence not in by_sequence:
            by_sequence[sequence] = len(targets)
            targets.ids.append(row["id"])
            targets.names.append(row["name"])
            targets.sequences.append(sequence)
        targets.place_of[row["id"]] = by_sequence[sequence]
    return targets


def read_rows(tables: Path, compounds: Compounds, targets: Targets) -> Rows:
    """Every value with a compound and a sequence, without repeats, and without what `series` is scored on."""
    drugs = {row["drug_id"]: row["smiles"] for row in read(tables / "general/drugs.tsv.gz")}
    series = {compounds.row_of.get(row["smiles"], -1) for row in read(tables / "series/ligands.tsv.gz")}
    found: list[Found] = []

    def add(smiles: str, target_id: str, y: str, relation: str, assay: str, types: str, sources: str) -> None:
        compound = compounds.row_of.get(smiles, -1)
        target = targets.place_of.get(target_id.split("|")[0], -1)
        if compound >= 0 and target >= 0:
            kind = KINDS.index(_kind_of(types.split("|")))
            found.append((compound, target, kind, float(y), assay, relation == "<", (types, sources)))

    for row in read(tables / "chembl32/pairs.tsv.gz"):
        add(row["smiles"], row["target_id"], row["pK"], "=", row["assay"], row["type"], "chembl32")
    for row in read(tables / "more/more.tsv.gz"):
        is_series = "series" in row["flags"] or compounds.row_of.get(row["smiles"]) in series
        if not is_series:
            add(
                row["smiles"],
                row["target_id"],
                row["pK"],
                row["relation"],
                row["assay"],
                row["type"],
                row["source"],
            )
    general = list(read(tables / "general/pairs.tsv.gz"))
    elsewhere = {row["target_id"] for row in general if row["sources"] != "dtc"}
    # Stereoisomers of one table are one compound: their mean counts.
    types_of: dict[tuple[int, str, str], str] = {}
    merged: dict[tuple[int, str, str, str, str], list[tuple[str, float]]] = {}
    for row in general:
        # Drug Target Commons repeats other sources, often in the wrong unit; it counts where a protein has no other value.
        if row["sources"] != "dtc" or row["target_id"] not in elsewhere:
            drug = drugs[row["drug_id"]]
            kind = _kind_of(row["types"].split("|"))
            compound = compounds.row_of.get(drug, -1)
            key = compound, row["target_id"], row["relation"], kind, row["sources"]
            merged.setdefault(key, []).append((drug, float(row["pK"])))
            types_of[compound, row["target_id"], kind] = row["types"]
    for (compound, target_id, relation, kind, sources), values in merged.items():
        mean = sum(value for _, value in values) / len(values)
        add(values[0][0], target_id, f"{mean}", relation, "", types_of[compound, target_id, kind], sources)
    names = {row["target_id"]: row["name"] for row in read(tables / "davis/targets.tsv.gz")}
    by_name = {name: place for place, name in enumerate(targets.names)}
    smiles_of = {row["drug_id"]: row["smiles_canonical"] for row in read(tables / "davis/drugs.tsv.gz")}
    for row in read(tables / "davis/pairs.tsv.gz"):
        place = by_name.get(names[row["target_id"]])
        if place is not None:
            drug = smiles_of[row["drug_id"]]
            add(drug, targets.ids[place], row["pKd"], row["relation"], "", "Kd", "davis")
    return _without_repeats(found)


def _kind_of(types: list[str]) -> str:
    """`Ki(mixed)`: values that a source merged from several types."""
    if "Kd" in types:
        return "Kd"
    return "mixed" if "Ki(mixed)" in types else types[0]


def _without_repeats(found: list[Found]) -> Rows:
    """The first of equal values of a pair is kept; tables with assays come first."""
    kept: list[Found] = []
    known: dict[tuple[int, int, bool, bool], list[float]] = {}
    for row in found:
        compound, target, kind, y, _, is_bound, _ = row
        values = known.setdefault((compound, target, kind == IC50, is_bound), [])
        if all(abs(y - one) >= SAME_VALUE for one in values):
            values.append(y)
            kept.append(row)
    assays = {name: at for at, name in enumerate(sorted({row[4] for row in kept} - {""}))}
    origins = {origin: at for at, origin in enumerate(sorted({row[6] for row in kept}))}
    columns = list(zip(*kept, strict=True))
    return Rows(
        np.array(columns[0], np.int64),
        np.array(columns[1], np.int64),
        np.array(columns[2], np.int64),
        np.array(columns[3], np.float32),
        np.array([assays.get(name, -1) for name in columns[4]], np.int64),
        np.array(columns[5], np.bool_),
        np.array([origins[origin] for origin in columns[6]], np.int64),
        list(origins),
    )


def read_series(tables: Path, features: Path, compounds: Compounds) -> list[Series]:
    """Published series, all their compounds."""
    genes = {
        row["system"]: row["gene"]
        for row in csv.DictReader((tables / "series/systems.tsv").open(), delimiter="\t")
    }
    chains = dict(line.split("\t") for line in (features / "chains.tsv").read_text().splitlines()[1:])
    by_system: dict[str, list[dict[str, str]]] = {}
    for row in read(tables / "series/ligands.tsv.gz"):
        if row["smiles"] in compounds.row_of:
            by_system.setdefault(row["system"], []).append(row)
    return [
        Series(
            system,
            genes[system],
            chains[system].split("/"),
            np.array([compounds.row_of[row["smiles"]] for row in rows], np.int64),
            np.array([float(row["pK"]) for row in rows], np.float32),
            np.array([float(row["fep_pK"]) for row in rows], np.float32),
        )
        for system, rows in by_system.items()
    ]


def words_of(segments: list[str]) -> set[str]:
    """The 4-mers of a chain; none bridges a gap or contains an unknown residue."""
    known = set(LETTERS)
    return {
        segment[at : at + WORD]
        for segment in segments
        for at in range(len(segment) - WORD + 1)
        if known.issuperset(segment[at : at + WORD])
    }
