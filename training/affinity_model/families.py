"""Scores the model by protein family and number of values measured on the protein, so that a user sees how accurate it
was on similar targets.

Training targets are assigned to families by name; any other protein belongs to the family of the closest training target
that aligns with it. Written to `accuracy.json` in the model folder, next to the hashed files.
"""

import json
import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from .calibrate import Predicted
from .figures import LABEL_EDGES, by_series
from .score import summary

NAME = "accuracy.json"
# Fewer proteins say more about themselves than about their family.
PROTEINS_MIN = 3
COMPOUNDS_MIN = 80
KINASES, RECEPTORS, PROTEASES, NUCLEAR = (
    "protein kinases",
    "G protein-coupled receptors",
    "proteases",
    "nuclear receptors",
)
OTHER = "other proteins"
# No rule applies to targets without a name.
UNNAMED = re.compile("unnamed target")
# Davis' panel also contains kinases of lipids.
LIPID_KINASE = re.compile("PI[KP]")
# Kinases of other fold, and proteins named after a kinase.
NOT_PROTEIN_KINASE = re.compile(
    r"phosphatidylinositol|^inositol|choline|adenosine kinase|nucleoside|thymid|shikimate|sphingosine|diacylglycerol|pyruvate|"
    r"hexokinase|glucokinase|galactokinase|creatine|cytidine|adenylate|nicotinamide|pantothenate|glycer|mevalonate|anchor|"
    r"kinase inhibitor|cyclin pho80|urokinase|phosphokinase",
    re.I,
)
# In this order; names as in UniProt.
RULES = (
    (
        KINASES,
        r"kinase|ephrin type-|discoidin domain|insulin receptor|insulin-like growth factor 1 receptor|nt-3 growth factor|"
        r"(epidermal|hepatocyte|fibroblast|platelet-derived|endothelial|stem cell|nerve) growth factor receptor|"
        r"macrophage(-stimulating protein| colony-stimulating factor 1) receptor|angiopoietin-1 receptor|activin receptor|"
        r"(tgf-beta|bone morphogenetic protein) receptor|myosin-iii",
    ),
    (
        NUCLEAR,
        r"(androgen|estrogen|glucocorticoid|mineralocorticoid|progesterone|proliferator-activated|retinoic acid|vitamin d3|"
        r"oxysterols|estrogen-related|thyroid hormone|steroid hormone) receptor|nuclear receptor (?!corepressor)",
    ),
    (
        RECEPTORS,
        r"5-hydroxytryptamine receptor (?!3)|muscarinic|p2y purinoceptor|metabotropic glutamate|smoothened|"
        r"(adenosine|adrenergic|angiotensin ii|bradykinin|cannabinoid|chemokine|cholecystokinin|cholecystokinin type b|dopamine|"
        r"endothelin|endothelin-1|fmet-leu-phe|free fatty acid|galanin|leukotriene|melanocortin|melatonin|motilin|neurotensin|"
        r"nociceptin|opioid|orexin|oxytocin|prostaglandin \w\w|somatostatin|substance-[kp]|thromboxane a2|urotensin-2|protein coupled|hormone|"
        r"neuromedin-k|sphingosine 1-phosphate|proteinase-activated|trace amine-associated|corticotropin-releasing factor|"
        r"neuropeptide \w+|-type opioid) receptor|histamine h\d receptor|growth hormone secretagogue|"
        r"(calcitonin gene|hormone)-related peptide (type 1 )?receptor",
    ),
    (
        PROTEASES,
        r"^protease|cathepsin|secretase|^renin|peptidase|caspase|coagulation factor|thrombin|^plasminogen$|^plasminogen \(|trypsin|"
        r"tryptase|elastase|stromelysin|collagenase|thermolysin|endothiapepsin|clp protease|leukotriene a-4 hydrolase",
    ),
)


@dataclass(frozen=True)
class Cell:
    """How accurate the model was on the proteins of a family with a similar number of values."""

    family: str
    start: int  # number of values
    below: int | None
    proteins: int
    compounds: int
    rmse: float
    interval: tuple[float, float]  # of the RMSE, from resampled proteins
    tau: float | None  # mean inside a series; None without a series that is large enough


def family_of(name: str, panel: set[str]) -> str | None:
    """Of a training target; None if it has no name. `panel`: names of Davis' kinases."""
    if UNNAMED.match(name):
        return None
    if name in panel:
        return OTHER if LIPID_KINASE.match(name) else KINASES
    for family, pattern in RULES:
        if re.search(pattern, name, re.I):
            return OTHER if family == KINASES and NOT_PROTEIN_KINASE.search(name) else family
    return OTHER


def score_families(
    rows: Predicted, predicted: np.ndarray, relatives: list[str], panel: set[str]
) -> list[Cell]:
    """Every family and number of values with enough proteins and compounds; `relatives`: names by row, closest first."""
    family = np.array([_family_of_relatives(names, panel) for names in relatives])
    stratum = np.digitize(rows.values, LABEL_EDGES)
    found = []
    for name in (KINASES, RECEPTORS, NUCLEAR, PROTEASES, OTHER):
        for at in range(len(LABEL_EDGES) + 1):
            of = (family == name) & (stratum == at)
            if of.sum() < COMPOUNDS_MIN or len(np.unique(rows.gene[of])) < PROTEINS_MIN:
                continue
            start = 0 if at == 0 else LABEL_EDGES[at - 1]
            below = LABEL_EDGES[at] if at < len(LABEL_EDGES) else None
            found.append(_cell(name, start, below, rows.of(of), predicted[of]))
    return found


def _family_of_relatives(names: str, panel: set[str]) -> str:
    """`names`: of the training targets that align, joined by `|`; empty if all of those are unnamed."""
    families = [family_of(name, panel) for name in names.split("|") if name]
    return next((family for family in families if family is not None), "" if families else OTHER)


def _cell(family: str, start: int, below: int | None, rows: Predicted, predicted: np.ndarray) -> Cell:
    squared = (predicted - rows.y) ** 2
    proteins, at = np.unique(rows.gene, return_inverse=True)
    sums, counts = np.bincount(at, squared), np.bincount(at)
    drawn = np.random.default_rng(0).integers(0, len(proteins), (2000, len(proteins)))
    low, high = np.quantile(np.sqrt(sums[drawn].sum(1) / counts[drawn].sum(1)), (0.05, 0.95))
    error = float(np.sqrt(squared.mean()))
    interval = round(float(low), 3), round(float(high), 3)
    tau = summary(by_series(rows, predicted))["tau"]
    ordered = round(tau, 3) if np.isfinite(tau) else None
    return Cell(family, start, below, len(proteins), len(squared), round(error, 3), interval, ordered)


def write_accuracy(model: Path, cells: list[Cell], panel: set[str]) -> None:
    """The product's format: `families` names the training targets by their place."""
    targets = [target["name"] for target in json.loads((model / "targets.json").read_text())]
    family = [family_of(name, panel) for name in targets]
    written = {
        "model_version": json.loads((model / "model-card.json").read_text())["version"],
        "families": {
            name: [place for place, of in enumerate(family) if of == name]
            for name in (KINASES, RECEPTORS, NUCLEAR, PROTEASES, OTHER)
        },
        "rows": [
            {
                "family": cell.family,
                "from": cell.start,
                "below": cell.below,
                "proteins": cell.proteins,
                "compounds": cell.compounds,
                "rmse": cell.rmse,
                "interval": cell.interval,
                "tau": cell.tau,
            }
            for cell in cells
        ],
    }
    (model / NAME).write_text(json.dumps(written) + "\n")
