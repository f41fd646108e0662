"""Writes the folder that the product reads: the numbers of the model, what it was learnt from, and predictions to check."""

import gzip
import hashlib
import json
from pathlib import Path

import numpy as np

from .calibrate import Level, Widths
from .model import CLIP, Features, Ridge, Settings, TargetKernel
from .near import NearSettings
from .tables import (
    IC50,
    LETTERS,
    WORD,
    Compounds,
    Floats,
    Rows,
    Targets,
    read,
)

BLOCK_NAMES = ("morgan", "morgan-counts", "atom-pairs", "torsions", "maccs")
# A label in `measured.bin.gz`: row of the compound, upper bound or not, and pK in steps.
STEPS = 2048
STEP = 0.01
BELOW_BY = 0.7
SOURCE_NAMES = {
    "acnet": "ACNet (BindingDB)",
    "balm": "BALM",
    "bindingdb": "BindingDB",
    "chembl32": "ChEMBL 32",
    "davis": "Davis 2011",
    "deepaffinity": "BindingDB",
    "dtc": "Drug Target Commons",
    "fsmol": "ChEMBL 27 (FS-Mol)",
    "kekulescope": "ChEMBL 23 (KekuleScope)",
    "metz": "Metz 2011",
    "moleculeace": "MoleculeACE (ChEMBL)",
    "papyrus": "Papyrus (ChEMBL)",
    "teamski": "ChEMBL (Team SKI)",
}


def write_bytes(folder: Path, name: str, content: bytes) -> None:
    """Compressed if the name ends in `.gz`; the same content gives the same file."""
    (folder / name).write_bytes(gzip.compress(content, 9, mtime=0) if name.endswith(".gz") else content)


def write_json(folder: Path, name: str, content: object) -> None:
    """JSON on one line."""
    write_bytes(folder, name, (json.dumps(content, ensure_ascii=False) + "\n").encode())


def write_regression(
    folder: Path,
    compounds: Compounds,
    features: Features,
    kernel: TargetKernel,
    ridge: Ridge,
    offsets: Floats,
) -> None:
    """Weights in half precision; the offset of each target's usual type is added to its constant."""
    settings = features.settings
    weights = ridge.weights.copy()
    weights[:, -1] += offsets / settings.constant
    shared = ridge.shared.copy()
    shared[-1] += float(offsets.mean()) / settings.constant
    extension = kernel.vectors / np.sqrt(kernel.values)
    parts = (features.projection, shared, ridge.by_protein, extension, weights)
    write_bytes(folder, "weights.bin.gz", b"".join(part.astype("<f2").tobytes() for part in parts))
    numbers: list[np.ndarray] = []
    for row in features.landmarks:
        start, bits = 0, []
        for block in compounds.blocks:
            bits.append(block[int(row)].indices + start)
            start += block.shape[1]
        set_bits = np.sort(np.concatenate(bits))
        numbers += [np.array([len(set_bits)]), set_bits]
    write_bytes(folder, "landmarks.bin.gz", np.concatenate(numbers).astype("<u4").tobytes())


def write_pair_model(
    folder: Path,
    features: Features,
    ridge: Ridge,
    near: NearSettings,
    level: Level,
    widths: Widths,
    known_from: float,
) -> None:
    """All numbers of the model but its weights."""
    settings: Settings = features.settings
    write_json(
        folder,
        "pair-model.json",
        {
            "regression": {
                "blocks": [BLOCK_NAMES[at] for at in settings.blocks],
                "landmarks": len(features.landmarks),
                "directions": ridge.by_protein.shape[0],
                "descriptors": {
                    "means": [float(f"{one:.6g}") for one in features.mean],
                    "deviations": [float(f"{one:.6g}") for one in features.deviation],
                    "clip": CLIP,
                    "scale": settings.descriptor,
                },
                "constant": settings.constant,
                "mean": round(ridge.mean, 5),
            },
            "near": {
                "height": near.height,
                "noise": near.noise,
                "power": near.power,
                "neighbours": near.neighbours,
                "unrelated": near.unrelated,
                "compounds": near.compounds,
                "similarFrom": near.similar_from,
            },
            "sameTargetFrom": known_from,
            "level": level.written(),
            "widths": widths.written(),
        },
    )


def write_measured(
    folder: Path, tables: Path, compounds: Compounds, targets: Targets, rows: Rows, residual: Floats
) -> None:
    """Fingerprints, values with residuals, structures, sources, and the targets with sequences and k-mers."""
    used, row_of = np.unique(rows.compound, return_inverse=True)
    fingerprints = compounds.prints[used].tobytes()
    write_bytes(folder, "compound-fingerprints.bin.gz", fingerprints)
    order = np.lexsort((rows.compound, rows.target))
    steps = (
        np.rint((rows.y - np.where(rows.is_bound, BELOW_BY, 0)) / STEP).clip(0, STEPS - 1).astype(np.int64)
    )
    packed = row_of * (2 * STEPS) + rows.is_bound * STEPS + steps
    measured = packed[order].astype("<u4").tobytes()
    write_bytes(folder, "measured.bin.gz", measured)
    missed = np.where(rows.is_bound, 0, residual)[order]
    write_bytes(folder, "residuals.bin.gz", missed.astype("<f2").tobytes())
    counts = np.bincount(rows.target, minlength=len(targets))
    exact = np.bincount(rows.target[~rows.is_bound], minlength=len(targets))
    ic50 = np.bincount(rows.target[(rows.kind == IC50) & ~rows.is_bound], minlength=len(targets))
    words = [identity_words(sequence) for sequence in targets.sequences]
    write_json(
        folder,
        "targets.json",
        [
            {
                "name": name,
                "words": len(words[at]),
                "measured": int(counts[at]),
                "exact": int(exact[at]),
                "mostlyIc50": bool(ic50[at] * 2 > max(exact[at], 1)),
            }
            for at, name in enumerate(targets.names)
        ],
    )
    write_bytes(folder, "target-words.bin.gz", np.concatenate(words).astype("<u4").tobytes())
    write_bytes(folder, "target-sequences.txt.gz", "".join(f"{one}\n" for one in targets.sequences).encode())
    names = drawn_names(tables, compounds)
    origin, origin_of = _origins(rows, order)
    write_json(
        folder,
        "compound-structures.json.gz",
        {
            "fingerprints": hash_of(folder / "compound-fingerprints.bin.gz"),
            "measured": hash_of(folder / "measured.bin.gz"),
            "compounds": [names.get(int(row), compounds.smiles[row]) for row in used],
            "origins": origin,
            "originOf": origin_of,
        },
    )


def drawn_names(tables: Path, compounds: Compounds) -> dict[int, str]:
    """By compound: the SMILES of the first table that has it, with stereochemistry, and after a tab a name of it."""
    found: dict[int, str] = {}

    def add(smiles: str, name: str) -> None:
        row = compounds.row_of.get(smiles)
        if row is not None and found.get(row, smiles) == smiles:
            found[row] = f"{smiles}\t{name}" if name else smiles

    for row in read(tables / "general/drugs.tsv.gz"):
        add(row["smiles"], row["name"])
    for row in read(tables / "davis/drugs.tsv.gz"):
        add(row["smiles_canonical"], row["name"])
    for row in read(tables / "chembl32/pairs.tsv.gz"):
        add(row["smiles"], row["compound"])
    return found


def _origins(rows: Rows, order: np.ndarray) -> tuple[list[dict], list[int]]:
    described = [
        {
            "types": types.split("|"),
            "sources": list(dict.fromkeys(SOURCE_NAMES.get(one, one) for one in sources.split("|"))),
        }
        for types, sources in rows.origins
    ]
    return described, rows.origin[order].tolist()


def identity_words(sequence: str) -> np.ndarray:
    """The set of its k-mers, ascending, as `targetFeatures` numbers them; an unknown letter breaks a k-mer."""
    codes = np.array([LETTERS.find(letter) for letter in sequence])
    if len(codes) < WORD:
        return np.empty(0, np.int64)
    windows = np.lib.stride_tricks.sliding_window_view(codes, WORD)
    whole = windows[(windows >= 0).all(1)]
    return np.unique(whole @ len(LETTERS) ** np.arange(WORD - 1, -1, -1))


def hash_of(path: Path) -> str:
    """SHA-256 of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def offsets_by_target(rows: Rows, kinds: Floats, count: int, prior: float = 5) -> Floats:
    """The mean offset of the types that were measured on a target; few values move it little from that of all."""
    use = ~rows.is_bound
    total = np.bincount(rows.target[use], kinds[rows.kind[use]], count)
    number = np.bincount(rows.target[use], minlength=count)
    overall = float(kinds[rows.kind[use]].mean())
    return ((total + prior * overall) / (number + prior)).astype(np.float32)
