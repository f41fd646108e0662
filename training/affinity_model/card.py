"""The model card: what the product reads of a model, and the figures behind its text for people."""

import datetime
import hashlib
import json
from pathlib import Path

import numpy as np

from .calibrate import COMPOUND_EDGES, LEVEL, TARGET_EDGES, fit_half_widths
from .correction import cross_corrected
from .data import PK_RANGE
from .card_text import FIGURE, REGIME_TITLES, readable
from .evaluate import REGIMES
from .model import COMPOUND_KNOTS, CORRECTION_KNOTS, NUMBERS, PKD_CENTRE, TARGET_KNOTS
from .plot import calibration_figure
from .scores import LEVELS, coverage_panels, fold_table, judge, score_table
from .trust import Rows, blend

VERSION = "1.3.0"
# Nearest training compounds below are outside the domain.
COMPOUND_SIMILARITY_MIN = 0.35
LICENCE = "CC BY-SA 4.0"
INTENDED_USE = (
    "Ranking and triage of small molecules against protein targets, early in research, by people who "
    "will measure what they act on. Not for clinical, diagnostic or regulatory decisions."
)
LIMITS = (
    "Knows the protein by its sequence only: no pocket, no pose, no cofactor, no mutation effect that the data lack.",
    "Ignores stereochemistry: enantiomers get the same number.",
    "For a protein that resembles no training target the estimate rests mainly on the compound.",
    "Training data are mostly kinases and aminergic and adenosine receptors; other families are known less well.",
    "Numbers are those of published binding assays, pooled from many laboratories: repeats differ by about 0.5 pK units.",
    "Small molecules only: 98% of the training compounds have 13 to 68 heavy atoms; metals and covalent binders are hardly among them.",
)
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
    ("Drug Target Commons", "open access", "Tang et al., Cell Chem. Biol. 25 (2018) 224"),
    ("BALM's selection of BindingDB", "CC BY 3.0", "Gorantla et al., J. Chem. Inf. Model. 64 (2024)"),
)
def write_card(
    out: Path, manifest: dict, training: dict, evaluation: dict, decoys: dict, rows: Rows, trust: np.ndarray
) -> None:
    judged = judge(rows)
    card = make_card(out, manifest, rows, trust) | {
        "scores": score_table(rows, judged),
        "folds": fold_table(rows, judged),
        "decoys": decoys,
        "training": training,
        "evaluation": evaluation,
    }
    (out / "model-card.json").write_text(
        json.dumps(card, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
    )
    panels = coverage_panels(rows, judged)
    (out / FIGURE).write_text(calibration_figure(panels, LEVELS, REGIME_TITLES))
    (out / "README.md").write_text(readable(card))


def make_card(out: Path, manifest: dict, rows: Rows, trust: np.ndarray) -> dict:
    """All that the product reads of the model, and where it comes from."""
    files = file_hashes(out)
    widths = fit_half_widths(rows, cross_corrected(rows, blend(rows, trust)))
    return {
        "version": f"{VERSION}+{hashlib.sha256(json.dumps(files, sort_keys=True).encode()).hexdigest()[:8]}",
        "date": datetime.date.today().isoformat(),
        "featureSpecHash": manifest["featureSpecHash"],
        "files": files,
        "licence": LICENCE,
        "intendedUse": INTENDED_USE,
        "limits": LIMITS,
        "range": {"lower": PK_RANGE[0], "upper": PK_RANGE[1]},
        "calibration": {
            "level": LEVEL,
            "compoundEdges": COMPOUND_EDGES,
            "targetEdges": TARGET_EDGES,
            "halfWidths": np.round(widths, 3).tolist(),
        },
        "domain": {
            "compoundSimilarityMin": COMPOUND_SIMILARITY_MIN,
            "targetSimilarityMin": max(TARGET_KNOTS[1], ligand_driven_below(trust)),
            "ligandDrivenBelow": ligand_driven_below(trust),
            "sameTargetAbove": CORRECTION_KNOTS[0],
        },
        "trust": {
            "centre": PKD_CENTRE,
            "targetKnots": TARGET_KNOTS,
            "compoundKnots": COMPOUND_KNOTS,
            "weightsOf": NUMBERS,
            "shiftAndWeights": np.round(trust, 4).tolist(),
        },
        "splits": {name: list(folds) for name, folds in REGIMES.items()},
        "crystallised": manifest["counts"]["crystallised"],
        "tables": manifest["tables"],
        "sources": [{"name": n, "licence": licence, "citation": c} for n, licence, c in SOURCES],
    }


def ligand_driven_below(trust: np.ndarray) -> float:
    """From where on the numbers that see the protein outweigh the others for compounds that are new."""
    weights = trust[:, :2].mean(1)[:, 1:]
    sees_protein = np.array([name in ("boosted_pair", "full") for name in NUMBERS])
    lead = weights[:, sees_protein].sum(1) - weights[:, ~sees_protein].sum(1)
    fine = np.linspace(TARGET_KNOTS[0], TARGET_KNOTS[-1], 153)
    below = fine[np.interp(fine, TARGET_KNOTS, lead) < 0]
    return round(float(below[-1]) if len(below) else TARGET_KNOTS[0], 3)


def file_hashes(folder: Path) -> dict[str, str]:
    files = sorted(path for path in folder.iterdir() if path.suffix in (".onnx", ".gz", ".json"))
    return {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest()
        for path in files
        if path.name != "model-card.json"
    }
