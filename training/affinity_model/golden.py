"""PyTorch predictions that the product is compared with, and their golden inputs."""

import json
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from .data import Features, block_columns
from .measured import Measured, describe
from .model import Affinity
from .neighbours import fold

GOLDEN = Path(__file__).parents[2] / "packages/biochem/src/golden/features.json"
COMPOUNDS, TARGETS = 50, 20
# Well-known drugs; other structures of the tables are not published.
COMPOUND_PREFIX = "davis:"


def predict_golden(model: Affinity, features: Features, measured: Measured) -> dict:
    """Every compound with every target, in order of compounds. Golden inputs come first; the others are given as
    structures and sequences, so that the product computes their features itself. `nearest` names the training target
    each is treated as closest to."""
    golden = load_golden()
    davis = [row for row, key in enumerate(features.compound_ids) if key.startswith(COMPOUND_PREFIX)]
    drugs = _spaced(np.array(davis), COMPOUNDS - len(golden["compounds"]))
    targets = _spaced(np.arange(len(features.target_ids)), TARGETS - len(golden["targets"]))
    compound, target = (grid.ravel() for grid in np.mgrid[:COMPOUNDS, :TARGETS])
    similarities = {"compound": spread(COMPOUNDS), "target": spread(TARGETS)}
    nearest = _spaced(np.arange(len(measured.counts)), TARGETS)
    with torch.no_grad():
        inputs = _stacked(golden_compounds(golden), compounds_of(features, drugs))
        encoded_compounds = model.encode_compounds(*inputs)[torch.from_numpy(compound)]
        fingerprints = morgan_of(inputs[0], golden["featureSpec"])
        inputs = _stacked(golden_targets(golden), targets_of(features, targets))
        encoded_targets = model.encode_targets(*inputs)[torch.from_numpy(target)]
        near = (
            torch.tensor(similarities["compound"])[torch.from_numpy(compound)],
            torch.tensor(similarities["target"])[torch.from_numpy(target)],
        )
        known = torch.from_numpy(describe(measured, fingerprints, compound, nearest[target]))
        numbers = model.pair(encoded_compounds, encoded_targets, *near, known)
    return {
        "compounds": [c["smiles"] for c in golden["compounds"]]
        + [features.compound_smiles[r] for r in drugs],
        "targets": [t["segments"] for t in golden["targets"]]
        + [[features.target_sequences[r]] for r in targets],
        "similarities": similarities,
        "nearest": nearest.tolist(),
        "numbers": [[round(number, 6) for number in row] for row in numbers.tolist()],
    }


def load_golden() -> dict:
    """The inputs written by TypeScript, with all their features."""
    return json.loads(GOLDEN.read_text())


def spread(count: int) -> list[float]:
    """Random similarities from 0 to 1, so that every node of the gating table is used."""
    return [round(index / (count - 1), 3) for index in range(count)]


def morgan_of(bits: Tensor, spec: dict) -> np.ndarray:
    """Folded fingerprints from rows of all bits."""
    return fold(bits[:, block_columns(spec, "morgan")].numpy())


def golden_compounds(golden: dict) -> tuple[Tensor, Tensor]:
    """compounds x all bits, compounds x descriptors."""
    size = sum(block["size"] for block in golden["featureSpec"]["compound"]["blocks"])
    bits = torch.zeros(len(golden["compounds"]), size)
    for row, compound in enumerate(golden["compounds"]):
        bits[row, compound["bits"]] = 1
    return bits, torch.tensor([compound["descriptors"] for compound in golden["compounds"]])


def golden_targets(golden: dict) -> tuple[Tensor, Tensor, Tensor]:
    """targets x all k-mers, targets x letters, targets x 1."""
    spec = golden["featureSpec"]["target"]
    size = len(spec["letters"]) ** spec["exactWordLength"] + len(spec["classes"]) ** spec["reducedWordLength"]
    kmers = torch.zeros(len(golden["targets"]), size)
    for row, target in enumerate(golden["targets"]):
        kmers[row, target["words"]] = torch.tensor(target["counts"], dtype=torch.float32)
    composition = torch.tensor([target["composition"] for target in golden["targets"]])
    return kmers, composition, torch.tensor([[float(target["length"])] for target in golden["targets"]])


def compounds_of(features: Features, rows: np.ndarray) -> tuple[Tensor, Tensor]:
    """rows: n compounds; returns n x all bits, n x descriptors."""
    return torch.from_numpy(features.bits[rows].toarray()), torch.from_numpy(features.descriptors[rows])


def targets_of(features: Features, rows: np.ndarray) -> tuple[Tensor, Tensor, Tensor]:
    """The full targets in these rows."""
    full = rows * features.variants
    length = torch.from_numpy(features.lengths[full].astype(np.float32))[:, None]
    return (
        torch.from_numpy(features.kmers[full].toarray()),
        torch.from_numpy(features.composition[full]),
        length,
    )


def _stacked(first: tuple[Tensor, ...], then: tuple[Tensor, ...]) -> list[Tensor]:
    return [torch.cat(both) for both in zip(first, then)]


def _spaced(rows: np.ndarray, wanted: int) -> np.ndarray:
    """The wanted number of rows, evenly spaced."""
    return rows[np.linspace(0, len(rows) - 1, wanted).astype(int)]
