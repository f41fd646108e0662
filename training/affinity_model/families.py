"""Scores the model by protein family and number of values measured on the protein, so that a user sees how accurate it
was on similar targets.

python3 -m affinity_model families --tables <folder> --rows .cache/training/series-scores.tsv [--model models/current]

The rows come from `npm run score-series` on the finished model; the linear stage is refitted on series of other genes.
Training targets are assigned to families by name; any other protein belongs to the family of the closest training target
that aligns with it. Writes `accuracy.json` into the model folder, next to the hashed files, and the card for people.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from .card import rewrite_text
from .data import read_tsv
from .folders import options
from .metrics import interval, resampled, rmse
from .outside import LABEL_EDGES, STRATUM_MIN, Rows, load_rows
from .own_values import out_of_fold

NAME = "accuracy.json"
# Fewer proteins say more about themselves than about their family.
PROTEINS_MIN = 3
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


def main(words: Sequence[str]) -> None:
    """The command."""
    asked = options(__doc__, "tables", "rows").parse_args(words)
    panel = {row["name"] for row in read_tsv(asked.tables / "davis/targets.tsv.gz")}
    cells = score_families(out_of_fold(load_rows(asked.rows), asked.model), panel)
    write_accuracy(asked.model, cells, panel)
    rewrite_text(asked.model)
    print("\n".join(str(cell) for cell in cells))


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


def score_families(rows: Rows, panel: set[str]) -> list[Cell]:
    """Every family and number of values with enough proteins and compounds; rows: of new compounds."""
    family = np.array([_family_of_relatives(str(names), panel) for names in rows["aligned_targets"]])
    stratum = np.digitize(rows["labels_on_target"], LABEL_EDGES)
    found = []
    for name in (KINASES, RECEPTORS, NUCLEAR, PROTEASES, OTHER):
        for at in range(len(LABEL_EDGES) + 1):
            of = (family == name) & (stratum == at)
            if of.sum() < STRATUM_MIN or len(np.unique(rows["gene"][of])) < PROTEINS_MIN:
                continue
            start = 0 if at == 0 else LABEL_EDGES[at - 1]
            below = LABEL_EDGES[at] if at < len(LABEL_EDGES) else None
            found.append(_cell(name, (start, below), {key: values[of] for key, values in rows.items()}))
    return found


def _family_of_relatives(names: str, panel: set[str]) -> str:
    """`names`: of the training targets that align, closest first; empty if all of those are unnamed."""
    families = [family_of(name, panel) for name in names.split("|") if name]
    return next((family for family in families if family is not None), "" if families else OTHER)


def _cell(family: str, values: tuple[int, int | None], rows: Rows) -> Cell:
    squared = (rows["predicted"] - rows["pk"]) ** 2
    proteins, at = np.unique(rows["gene"], return_inverse=True)
    sums, counts = np.bincount(at, squared), np.bincount(at)
    drawn = resampled(len(proteins))
    errors = np.sqrt(sums[drawn].sum(1) / counts[drawn].sum(1))
    low, high = interval(errors)
    error = rmse(rows["pk"], rows["predicted"])
    return Cell(
        family, *values, len(proteins), len(squared), round(error, 3), (round(low, 3), round(high, 3))
    )


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
            }
            for cell in cells
        ],
    }
    (model / NAME).write_text(json.dumps(written) + "\n")
