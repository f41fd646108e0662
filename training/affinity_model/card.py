"""The model card: the values the product reads, and the figures of the card for people.

python3 -m affinity_model card [--model models/current]: writes the card for people again; no figure changes.
"""

import datetime
import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from .calibrate import COMPOUND_EDGES, LEVEL, TARGET_EDGES, fit_half_widths
from .card_text import appendix, readable
from .correction import cross_corrected
from .data import PK_RANGE, Features
from .evaluate import REGIMES
from .folders import options
from .gating import Rows, blend
from .model import COMPOUND_KNOTS, CORRECTION_KNOTS, NUMBERS, PKD_CENTRE, TARGET_KNOTS
from .scores import fold_table, predict_out_of_fold, score_table

VERSION = "1.5.0"
# Compounds whose closest training compound is less similar than this are outside the domain.
COMPOUND_SIMILARITY_MIN = 0.35
LICENCE = "CC BY-SA 4.0"
INTENDED_USE = (
    "Ranking and triage of small molecules against protein targets, early in research, by users who "
    "confirm important results by measurement. Not for clinical, diagnostic or regulatory decisions."
)
LIMITS = (
    "Predictions use only the protein sequence: no pocket, no pose, no cofactor, no effect of mutations absent from the data.",
    "Ignores stereochemistry: enantiomers get the same prediction.",
    "For a protein not similar to any training target the prediction rests mainly on the compound.",
    "Training data are mostly kinases and aminergic and adenosine receptors; other families are less well covered.",
    "Training values come from published assays of many laboratories, which do not agree exactly.",
    "Small molecules only: {share:.0%} of the training compounds have {smallest:.0f} to {largest:.0f} heavy atoms; "
    "metals and covalent binders are rare.",
)
BESIDE = (
    "model-card.json",
    "compound-structures.json.gz",
    "matched-pairs.tsv.gz",
    "structure.json",
    "differences.onnx",
    "differences-golden.json",
    "accuracy.json",
)
SIZE_QUANTILES = (0.01, 0.99)
SOURCES = (
    ("BindingDB (own curation)", "CC BY 3.0", "Gilson et al., Nucleic Acids Res. 44 (2016) D1045"),
    (
        "ChEMBL, through Papyrus",
        "CC BY-SA 4.0",
        "Béquignon et al., J. Cheminform. 15 (2023) 3; Zdrazil et al., Nucleic Acids Res. 52 (2024) D1180",
    ),
    (
        "ChEMBL, through MoleculeACE",
        "CC BY-SA 3.0",
        "van Tilborg et al., J. Chem. Inf. Model. 62 (2022) 5938",
    ),
    ("Metz kinase panel, through ChEMBL", "CC BY-SA 3.0", "Metz et al., Nat. Chem. Biol. 7 (2011) 200"),
    ("Davis kinase panel, through ChEMBL", "CC BY-SA 3.0", "Davis et al., Nat. Biotechnol. 29 (2011) 1046"),
    (
        "ChEMBL 32, Ki and IC50 (pair kernel, pooled trees and analogues)",
        "CC BY-SA 3.0",
        "Zdrazil et al., Nucleic Acids Res. 52 (2024) D1180; Landrum and Riniker, J. Chem. Inf. Model. 64 (2024) 1560",
    ),
    (
        "Published series of Uni-FEP-Benchmarks (weights and widths of the final stage)",
        "Apache-2.0; values CC BY-SA 3.0",
        "dptech-corp/Uni-FEP-Benchmarks; values from ChEMBL",
    ),
    ("Drug Target Commons (base model only)", "open access", "Tang et al., Cell Chem. Biol. 25 (2018) 224"),
    ("BALM's selection of BindingDB", "CC BY 3.0", "Gorantla et al., J. Chem. Inf. Model. 64 (2024)"),
)


@dataclass(frozen=True)
class Run:
    """Everything a card is written from."""

    features: Features
    compounds: np.ndarray  # rows of `features` used for training
    training: dict  # training.json of the shipped model
    evaluation: dict  # evaluation.json
    rows: Rows  # out-of-fold rows of every regime and fold
    gating: np.ndarray  # TARGET_KNOTS x COMPOUND_KNOTS x (1 + NUMBERS)
    target_swap: dict


def write_card(out: Path, run: Run) -> None:
    """Writes model-card.json next to the exported files, which must exist. `finish_card` writes the text
    once the final stage is fitted."""
    out_of_fold = predict_out_of_fold(run.rows)
    card = make_card(out, run) | {
        "scores": score_table(run.rows, out_of_fold),
        "folds": fold_table(run.rows, out_of_fold),
        "decoys": run.target_swap,
        "training": run.training,
        "evaluation": run.evaluation,
    }
    (out / "model-card.json").write_text(_as_text(card))


def limits(features: Features, compounds: np.ndarray) -> list[str]:
    """LIMITS, with heavy-atom counts of the training compounds filled in; ValueError without a heavy-atom descriptor."""
    names = features.manifest["featureSpec"]["compound"]["descriptors"]
    atoms = features.descriptors[compounds, names.index("NumHeavyAtoms")]
    smallest, largest = np.quantile(atoms, SIZE_QUANTILES)
    share = SIZE_QUANTILES[1] - SIZE_QUANTILES[0]
    return [limit.format(share=share, smallest=smallest, largest=largest) for limit in LIMITS]


def make_card(out: Path, run: Run) -> dict:
    """What the product reads about the model, and its sources."""
    files, manifest, rows, gating = file_hashes(out), run.features.manifest, run.rows, run.gating
    widths = fit_half_widths(rows, cross_corrected(rows, blend(rows, gating)))
    return {
        "version": version_of(files),
        "date": datetime.date.today().isoformat(),
        "featureSpecHash": manifest["featureSpecHash"],
        "files": files,
        "licence": LICENCE,
        "intendedUse": INTENDED_USE,
        "limits": limits(run.features, run.compounds),
        "range": {"lower": PK_RANGE[0], "upper": PK_RANGE[1]},
        "calibration": {
            "level": LEVEL,
            "compoundEdges": COMPOUND_EDGES,
            "targetEdges": TARGET_EDGES,
            "halfWidths": np.round(widths, 3).tolist(),
        },
        "domain": {
            "compoundSimilarityMin": COMPOUND_SIMILARITY_MIN,
            "targetSimilarityMin": max(TARGET_KNOTS[1], ligand_driven_below(gating)),
            "ligandDrivenBelow": ligand_driven_below(gating),
            "sameTargetAbove": CORRECTION_KNOTS[0],
        },
        "trust": {
            "centre": PKD_CENTRE,
            "targetKnots": TARGET_KNOTS,
            "compoundKnots": COMPOUND_KNOTS,
            "weightsOf": NUMBERS,
            "shiftAndWeights": np.round(gating, 4).tolist(),
        },
        "splits": {name: list(folds) for name, folds in REGIMES.items()},
        "crystallised": manifest["counts"]["crystallised"],
        "tables": manifest["tables"],
        "sources": [{"name": n, "licence": licence, "citation": c} for n, licence, c in SOURCES],
    }


def version_of(files: dict[str, str]) -> str:
    """VERSION plus a hash that identifies the folder's contents."""
    return f"{VERSION}+{hashlib.sha256(json.dumps(files, sort_keys=True).encode()).hexdigest()[:8]}"


def name_files(out: Path) -> None:
    """Writes the hashes of the current files into the card, so that the product accepts the folder; figures are
    unchanged."""
    path, files = out / "model-card.json", file_hashes(out)
    card = json.loads(path.read_text()) | {"version": version_of(files), "files": files}
    path.write_text(_as_text(card))


def finish_card(out: Path, found: dict, tables: list[dict]) -> None:
    """Rewrites the base model's card and text for the current folder.

    found: figures of the final stage, by name; tables: read in addition to the base model's.
    """
    path, files = out / "model-card.json", file_hashes(out)
    card = json.loads(path.read_text()) | found
    card |= {"version": version_of(files), "date": datetime.date.today().isoformat(), "files": files}
    known = {table["path"] for table in tables}
    card["tables"] = [table for table in card["tables"] if table["path"] not in known] + tables
    path.write_text(_as_text(card))
    rewrite_text(out)


def rewrite_text(model: Path) -> None:
    """The card for people and its appendix, from the card and the files beside it."""
    figures = read_figures(model)
    (model / "README.md").write_text(readable(figures))
    (model / "APPENDIX.md").write_text(appendix(figures))


def read_figures(model: Path) -> dict:
    """model-card.json, and what the structure adds and the accuracy by family, if the folder has them."""
    read = {name: model / f"{name}.json" for name in ("structure", "accuracy")}
    beside = {name: json.loads(path.read_text()) for name, path in read.items() if path.exists()}
    return json.loads((model / "model-card.json").read_text()) | beside


def _as_text(card: dict) -> str:
    return json.dumps(card, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def ligand_driven_below(gating: np.ndarray) -> float:
    """Target similarity from which protein-aware predictions outweigh the others for new compounds."""
    weights = gating[:, :2].mean(1)[:, 1:]
    sees_protein = np.array([name in ("boosted_pair", "full") for name in NUMBERS])
    lead = weights[:, sees_protein].sum(1) - weights[:, ~sees_protein].sum(1)
    fine = np.linspace(TARGET_KNOTS[0], TARGET_KNOTS[-1], 153)
    below = fine[np.interp(fine, TARGET_KNOTS, lead) < 0]
    return round(float(below[-1]) if len(below) else TARGET_KNOTS[0], 3)


def file_hashes(folder: Path) -> dict[str, str]:
    """SHA-256 of every model file, by name; excludes the card and files that name their own model."""
    files = sorted(path for path in folder.iterdir() if path.suffix in (".onnx", ".gz", ".json"))
    return {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in files if path.name not in BESIDE
    }


def main(words: Sequence[str]) -> None:
    """The command."""
    rewrite_text(options(__doc__).parse_args(words).model)
