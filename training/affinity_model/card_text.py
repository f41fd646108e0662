"""The model card for people: what should be known before trusting the model, from the card's figures."""

from .model import CORRECTION_KNOTS
from .scores import FIXED_HALF_WIDTH

FIGURE = "calibration.svg"
REGIME_TITLES = {
    "random": "random rows",
    "scaffold": "new scaffold",
    "relative": "new target, relatives known",
    "target": "new target cluster",
    "both": "both new",
}
MODEL_TITLES = {
    "mean": "mean",
    "additive": "additive (compound + target)",
    "ligand": "kernel and networks, ligand-only",
    "boosted": "trees, ligand-only",
    "ligandCalibrated": "both ligand-only numbers, calibrated like the blend",
    "boosted_pair": "trees over pairs",
    "full": "kernel and networks over pairs",
    "uncorrected": "blend, before the correction",
    "shipped": "**shipped system**",
    "shippedOfCuts": "shipped system, targets cut as constructs are",
}


def readable(card: dict) -> str:
    training, domain, decoys = card["training"], card["domain"], card["decoys"]
    return "\n".join(
        [
            f"# Affinity model {card['version']}",
            "",
            "Predicts pKd, the negative decimal logarithm of the dissociation constant in mol/L, of a compound",
            "and a protein chain. Written by `affinity_model.export_onnx`; figures are in `model-card.json` too.",
            "",
            "## What it is",
            "",
            "Two encoders and a pair function, as ONNX graphs. Part closed form (ridge regression over pairs on",
            "kernel features), part neural networks; both see fingerprints and descriptors of the compound and",
            "word profiles of the observed sequence. Boosted trees stand beside them: one set over the compound",
            "alone, a smaller one over pairs. How much each number counts follows from the similarity to the",
            "nearest training target and compound; where no training target is near, the estimate is",
            "ligand-driven, and says so.",
            "",
            "Last, the number is corrected by what was measured: which values the five training compounds most like",
            "the compound have on the nearest training target, how like they are, and how all of that target's values",
            "lie. The correction is learnt on out-of-fold rows; it is for proteins that are a training target or a",
            f"construct of one (similarity of {CORRECTION_KNOTS[-1]}; from {CORRECTION_KNOTS[0]} on a share of it), because values on a relative do not carry",
            "over. Where the very pair stands in the training data, the number leans on the value that was measured.",
            "",
            f"Trained on {training['pairs']:,} pairs ({training['upperBounds']:,} of them upper bounds) of "
            f"{training['compounds']:,} compounds and {training['targets']:,} targets",
            f"in {_minutes(training)} on {training['threads']} thread; the evaluation below took "
            f"{_minutes(card['evaluation'])}, added up over processes.",
            f"Chains as crystallised stand beside the full sequences of {card['crystallised']} targets; of all targets cuts do.",
            f"Feature spec `{card['featureSpecHash']}`.",
            "",
            "## Scores",
            "",
            "On rows that were not trained on, all exact rows of the named folds. RMSE in pK units, R, concordance;",
            "in brackets the RMSE on Kd rows of BindingDB, DTC and BALM. Trust and correction are fitted on other rows",
            "than those they are scored on.",
            "",
            *_score_lines(card["scores"]),
            "",
            *_verdict(card["scores"], card["folds"]),
            "",
            f"Folds: {_folds(card['splits'])}. Fold 0 of the target split, one cluster of aminergic receptors,",
            "stands in the table of all folds below. What is scored has as many networks and trees as what ships.",
            "",
            "Where no training target is near, the weights are held near equal shares of the three numbers other than",
            "kernel and networks over pairs. How firmly their shift is held is chosen in every fit anew, on folds of",
            "targets that were left out of it; a fold that is scored has no part in its own choice. The knots of trust",
            "and the edge of the bins below were chosen among a few with these rows in sight; with the knots chosen",
            "inside, too, the blend scores 1.185 on new target clusters and 1.204 on both new (`training/LOG.md`, item 36).",
            "",
            "Each fold by itself, RMSE:",
            "",
            *_fold_lines(card["folds"]),
            "",
            f"![Predicted against measured, and coverage]({FIGURE})",
            "",
            "Above: rows on which each regime was scored, darker where there are more of them (logarithmic), the",
            "line is equality. Last: how often the truth lay inside intervals of each nominal level.",
            "",
            "## How wide",
            "",
            f"Calibrated interval at {card['calibration']['level']:.0%}, by similarity of compound and target; coverage "
            "measured on rows that it was not fitted on.",
            "",
            "| rows | coverage | targets cut | mean half-width | coverage of a fixed ±1.5 |",
            "|---|---|---|---|---|",
            *[
                f"| {REGIME_TITLES[name]} | {s['coverage']:.1%} | {s['coverageOfCuts']:.1%} | {s['meanHalfWidth']:.2f} | {s['coverageOfFixedInterval']:.1%} |"
                for name, s in card["scores"].items()
            ],
            "",
            "Half-widths by bin (rows: similarity to the nearest training target, columns: to the nearest compound):",
            "",
            *_width_lines(card["calibration"]),
            "",
            "## Decoys",
            "",
            f"{decoys['compounds']} training compounds against {decoys['targets']} training targets, no two of them related: the numbers of",
            f"one compound deviate by {decoys['medianDeviation']} in the median ({decoys['smallestDeviation']} at least) and span {decoys['medianSpan']} from lowest to highest;",
            f"{decoys['shareThatHardlyVaries']:.1%} of the compounds get nearly the same number everywhere.",
            "",
            "## Domain",
            "",
            f"Inside: nearest training compound at {domain['compoundSimilarityMin']} or more (Tanimoto, Morgan radius 2), and",
            f"nearest training target at {domain['targetSimilarityMin']} or more (shared 4-letter words). Ligand-driven: "
            f"nearest target below {domain['ligandDrivenBelow']}.",
            f"Above {domain['sameTargetAbove']} the protein is taken for the training target itself: what the five most similar of the",
            "training compounds were measured at on it moves the number, and those within the domain are shown beside it.",
            "",
            "## Use and limits",
            "",
            card["intendedUse"],
            "",
            *[f"- {limit}" for limit in card["limits"]],
            "",
            "## Data and licence",
            "",
            f"The model is a derivative of these data and is licensed {card['licence']}. The tables are not in this",
            "repository; the folder holds names and sequence words of training targets, folded fingerprints of training",
            "compounds without their structures, and which value each of them has on which target. For the golden predictions it holds the structures of",
            "some Davis drugs and the sequences of some targets.",
            "",
            "| source | licence | cite |",
            "|---|---|---|",
            *[f"| {s['name']} | {s['licence']} | {s['citation']} |" for s in card["sources"]],
            "",
        ]
    )


def _minutes(run: dict) -> str:
    return f"{sum(run['seconds'].values()) / 60:.0f} minutes"


def _folds(splits: dict) -> str:
    """As a sentence: which folds the first table is over."""
    named = [
        f"{', '.join(map(str, folds))} of {REGIME_TITLES[regime]}" for regime, folds in splits.items()
    ]
    return "; ".join(named)


def _fold_lines(folds: list[dict]) -> list[str]:
    return [
        "| rows | fold | count | additive | ligand-only, calibrated | shipped | coverage |",
        "|---|---|---|---|---|---|---|",
        *[
            f"| {REGIME_TITLES[f['regime']]} | {f['fold']} | {f['rows']:,} | {f['additive']:.3f} | "
            f"{f['ligandCalibrated']:.3f} | {f['shipped']:.3f} | {f['coverage']:.1%} |"
            for f in folds
        ],
    ]


def _score_lines(scores: dict) -> list[str]:
    header = [
        "|  | " + " | ".join(REGIME_TITLES[name] for name in scores) + " |",
        "|---" * (len(scores) + 1) + "|",
    ]
    lines = []
    for model, title in MODEL_TITLES.items():
        cells = []
        for regime in scores.values():
            s = regime["models"][model]
            cells.append(
                f"{s['rmse']:.3f} / {s['r']:.2f} / {s['concordance']:.3f} [{s['rmseOfReferenceKd']:.2f}]"
            )
        lines.append(f"| {title} | " + " | ".join(cells) + " |")
    rows = "| rows | " + " | ".join(f"{regime['rows']:,}" for regime in scores.values()) + " |"
    return [*header, *lines, rows]


def _verdict(scores: dict, folds: list[dict]) -> list[str]:
    lines = []
    for name, regime in scores.items():
        shipped, ligand = (regime["models"][model]["rmse"] for model in ("shipped", "ligandCalibrated"))
        better = [fold["shipped"] < fold["ligandCalibrated"] for fold in folds if fold["regime"] == name]
        verb = "beats" if all(better) else "is about as good as" if any(better) else "does **not** beat"
        lines.append(
            f"- {REGIME_TITLES[name]}: the system {verb} ligand-only, calibrated ({shipped:.3f} against {ligand:.3f}; "
            f"better in {sum(better)} of {len(better)} folds)."
        )
    lines.append(
        f"- The fixed interval of ±{FIXED_HALF_WIDTH} holds what its table below says, not 95% everywhere."
    )
    return lines


def _width_lines(calibration: dict) -> list[str]:
    compounds, targets = _bin_titles(calibration["compoundEdges"]), _bin_titles(calibration["targetEdges"])
    return [
        "| target \\ compound | " + " | ".join(compounds) + " |",
        "|---" * (len(compounds) + 1) + "|",
        *[
            f"| {title} | " + " | ".join(f"{width:.2f}" for width in widths) + " |"
            for title, widths in zip(targets, calibration["halfWidths"])
        ],
    ]


def _bin_titles(edges: list[float]) -> list[str]:
    inner = [f"{low} to {high}" for low, high in zip(edges, edges[1:])]
    return [f"below {edges[0]}", *inner, f"{edges[-1]} and more"]
