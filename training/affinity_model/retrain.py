"""From the tables to the model folder, stage by stage: features, scores, calibration, fit, export, series, own values, card.

Each stage writes its result to the work folder; a stage is repeated if its result is missing, if an earlier one was
repeated, or from `--from`.
"""

import csv
import json
import pickle
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from .calibrate import Level, Predicted, Widths, fit_level, fit_widths
from .card import write_card
from .differences import fit_differences
from .export import write_json, write_measured, write_pair_model, write_regression
from .families import score_families, write_accuracy
from .figures import figures_of_series, regime_figures
from .fitted import KNOWN_FROM, Fitted, fit, predict_series, together
from .golden import write_golden
from .model import Settings, TargetKernel, compound_features
from .near import NearSettings
from .own_values import DESCRIPTORS, fit_own_values, gather, shares_of, written
from .regimes import CALIBRATED_ON, Regime, regimes
from .tables import (
    FOLDED_BITS,
    Compounds,
    Rows,
    Series,
    Targets,
    folded,
    read,
    read_compounds,
    read_rows,
    read_series,
    read_targets,
)

FOLDS = 5
# No fold is left out.
ALL = -1
# Weights of the product have half precision.
PRODUCT_DIFFERENCE_MAX = 0.03
ROOT = Path(__file__).resolve().parents[2]


@dataclass
class Folders:
    """Where tables are read, results kept, and the model written."""

    tables: Path
    work: Path
    model: Path


def retrain(folders: Folders, first: str | None, until: str | None) -> None:
    """Every stage prints its name and seconds."""
    stages: list[tuple[str, Callable[[Folders], object]]] = [
        ("features", features),
        ("regimes", score_regimes),
        ("fit", fit_shipped),
        ("differences", differences),
        ("calibrate", calibrate),
        ("export", export),
        ("score", score_product),
        ("own-values", own_values),
        ("card", card),
    ]
    names = [name for name, _ in stages]
    for name in (first, until):
        if name is not None and name not in names:
            raise SystemExit(f"no stage {name}; there are {', '.join(names)}")
    folders.work.mkdir(parents=True, exist_ok=True)
    for at, (name, run) in enumerate(stages):
        done = folders.work / f"{name}.done"
        if name == first or not done.exists():
            for later in names[at:]:
                (folders.work / f"{later}.done").unlink(missing_ok=True)
            began = time.time()
            print(f"== {name}", flush=True)
            run(folders)
            done.touch()
            print(f"== {name}: {time.time() - began:.0f} s", flush=True)
        if name == until:
            return


def features(folders: Folders) -> None:
    """Features by the product, rows of the tables, landmarks."""
    script = ROOT / "training/export/features.ts"
    out = folders.work / "features"
    run_node([str(script), "--data", str(folders.tables), "--out", str(out)])
    compounds, targets = read_compounds(out), read_targets(out)
    rows = read_rows(folders.tables, compounds, targets)
    keep(folders, "rows", (compounds, targets, rows, read_series(folders.tables, out, compounds)))
    settings = Settings()
    kernel = TargetKernel(targets, settings.directions)
    keep(folders, "encoded", (kernel, compound_features(compounds, np.unique(rows.compound), settings)))


def score_regimes(folders: Folders) -> None:
    """The model refitted without each regime's rows, and its predictions for them."""
    compounds, targets, rows, _ = load(folders, "rows")
    found = {
        regime.name: predict_regime(folders, regime, rows)
        for regime in regimes(folders.tables, compounds, targets, rows)
    }
    keep(folders, "regimes", found)


def predict_regime(folders: Folders, regime: Regime, rows: Rows) -> Predicted:
    """The final number is made later, from these, with the level."""
    model = fit_rows(folders, rows.of(~regime.left_out))
    parts, order = [], []
    for target in np.unique(regime.target):
        of = np.flatnonzero(regime.target == target)
        part = model.predict_as_uploaded(int(target), regime.compound[of], regime.y[of])
        part.series, part.gene = regime.series[of], regime.group[of]
        parts.append(part)
        order.append(of)
    print(f"{regime.name}: {len(regime.y):,} rows", flush=True)
    return together(parts)


def fit_shipped(folders: Folders) -> None:
    """The regression on all rows."""
    _, _, rows, _ = load(folders, "rows")
    keep(folders, "fitted", fit_rows(folders, rows).ridge)


def differences(folders: Folders) -> None:
    """Trees on pairs of compounds of one assay."""
    compounds, _, rows, _ = load(folders, "rows")
    keep(folders, "differences", fit_differences(compounds, rows))


def fit_rows(folders: Folders, rows: Rows) -> Fitted:
    """The model of some rows."""
    compounds, targets, _, _ = load(folders, "rows")
    kernel, encoded = load(folders, "encoded")
    return fit(compounds, targets, kernel, encoded, rows, NearSettings())


def shipped(folders: Folders) -> tuple[Fitted, Rows, list[Series], Compounds, Targets]:
    """The fitted model, from its saved regression."""
    compounds, targets, rows, series = load(folders, "rows")
    kernel, encoded = load(folders, "encoded")
    return (
        Fitted.of(compounds, targets, kernel, encoded, rows, load(folders, "fitted")),
        rows,
        series,
        compounds,
        targets,
    )


def calibrate(folders: Folders) -> None:
    """Level and widths on series and on rows that the model was refitted without. Those that a row is scored with are fitted
    on other genes, targets or assays."""
    model, rows, series, *_ = shipped(folders)
    parts = predict_series(model, series, set(rows.compound.tolist()))
    whole = together(parts)
    found: dict[str, Predicted] = load(folders, "regimes")
    groups = [whole, *(found[name] for name in CALIBRATED_ON)]
    folds = [fold_of(whole.gene), *(fold_of(rows.series) for rows in groups[1:])]

    def level_without(held: int) -> Level:
        kept = [rows.of(fold != held) for rows, fold in zip(groups, folds, strict=True)]
        return fit_level(kept[0], together(kept[1:]))

    levels = [level_without(held) for held in range(FOLDS)]
    predicted = [
        np.select([fold == held for held in range(FOLDS)], [one.apply(rows) for one in levels])
        for rows, fold in zip(groups, folds, strict=True)
    ]
    learnt, learnt_from = together(groups), np.concatenate(predicted)
    # All groups weigh the same.
    weight = np.concatenate([np.full(len(rows.y), 1 / len(rows.y)) for rows in groups])

    def widths_without(held: int) -> Widths:
        known = np.concatenate(folds) != held
        return fit_widths(learnt.of(known), learnt_from[known], weight[known])

    out = predicted[0]
    half = np.select(
        [folds[0] == held for held in range(FOLDS)],
        [widths_without(held).half(whole) for held in range(FOLDS)],
    )
    level, widths = level_without(ALL), widths_without(ALL)
    scored = {
        name: (rows, level.apply(rows)) for name, rows in found.items() if name not in CALIBRATED_ON
    } | {"held back": (found["held back"], predicted[-1])}
    keep(folders, "calibrated", (level, widths, parts, out, half))
    keep(folders, "regime-figures", regime_figures(scored, widths))


def fold_of(genes: np.ndarray) -> np.ndarray:
    """Equal names have equal folds, whatever the order of rows."""
    names, place = np.unique(genes, return_inverse=True)
    return np.random.default_rng(0).permutation(len(names))[place] % FOLDS


def export(folders: Folders) -> None:
    """The model folder, but for what is measured on the finished model."""
    model, rows, _, compounds, targets = shipped(folders)
    level, widths, *_ = load(folders, "calibrated")
    folder = folders.model
    folder.mkdir(parents=True, exist_ok=True)
    write_regression(folder, compounds, model.features, model.kernel, model.ridge, model.offsets)
    write_pair_model(folder, model.features, model.ridge, model.near, level, widths, KNOWN_FROM)
    write_measured(folder, folders.tables, compounds, targets, rows, model.ridge.residual)
    write_golden(folder, model, level, widths)
    trees, golden = load(folders, "differences")
    write_json(folder, "differences.json.gz", trees)
    write_json(folder, "differences-golden.json", golden)
    write_card(folder, figures_so_far(folders), training_of(folders))


def figures_so_far(folders: Folders) -> dict:
    """Figures that need no finished model."""
    _, _, parts, out, half = load(folders, "calibrated")
    series = load(folders, "rows")[3]
    return {
        "series": figures_of_series(together(parts), out, half, fep_of(series, parts)),
        "regimes": load(folders, "regime-figures"),
    }


def fep_of(series: list[Series], parts: list[Predicted]) -> np.ndarray:
    """What free-energy perturbation computed for the compounds of all parts."""
    by_system = {
        one.system: dict(zip(one.compound.tolist(), one.fep.tolist(), strict=True)) for one in series
    }
    return np.array([by_system[str(part.series[0])][int(row)] for part in parts for row in part.compound])


def score_product(folders: Folders) -> None:
    """Predictions of the product for the series, to compare with those of this package, and for poses."""
    script = ROOT / "training/export/score-series.ts"
    out = folders.work / "series-scores.tsv"
    run_node([str(script), "--tables", str(folders.tables), "--model", str(folders.model), "--out", str(out)])
    by_name = {(row["system"], row["name"]): row for row in read(out)}
    compounds = load(folders, "rows")[0]
    scored = {
        (row["system"], compounds.row_of.get(row["smiles"])): by_name.get((row["system"], row["name"]))
        for row in read(folders.tables / "series/ligands.tsv.gz")
    }
    level, _, parts, predicted, half = load(folders, "calibrated")
    whole = together(parts)
    product = [
        scored.get((str(system), int(row))) for system, row in zip(whole.series, whole.compound, strict=True)
    ]
    numbers = np.array([float(row["predicted"]) if row else np.nan for row in product])
    worst = float(np.nanmax(np.abs(numbers - level.apply(whole).clip(2, 12))))
    print(
        f"{int(np.isfinite(numbers).sum()):,} of {len(numbers):,} compounds: at most {worst:.4f} from the product"
    )
    if not worst < PRODUCT_DIFFERENCE_MAX:
        sys.exit("the product predicts other numbers than this package")
    write_left_out(folders.work / "series-left-out.tsv", product, predicted, half)
    panel = {row["name"] for row in read(folders.tables / "davis/targets.tsv.gz")}
    relatives = [row["aligned_targets"] if row else "" for row in product]
    write_accuracy(folders.model, score_families(whole, predicted, relatives, panel), panel)


def write_left_out(
    file: Path, product: list[dict[str, str] | None], predicted: np.ndarray, half: np.ndarray
) -> None:
    """The product's rows with level and widths fitted on series of other genes, for `npm run replay-next`."""
    numbers = zip(predicted, predicted - half, predicted + half, strict=True)
    rows = [
        row | dict(zip(("predicted", "lower", "upper"), map(str, three), strict=True))
        for row, three in zip(product, numbers, strict=True)
        if row
    ]
    with file.open("w", encoding="utf-8", newline="") as out:
        table = csv.DictWriter(out, list(rows[0]), delimiter="\t")
        table.writeheader()
        table.writerows(rows)


def own_values(folders: Folders) -> None:
    """Settings and figures of the user's own values."""
    compounds = load(folders, "rows")[0]
    _, widths, parts, out, half = load(folders, "calibrated")
    manifest = json.loads((folders.work / "features/manifest.json").read_text())
    columns = [manifest["descriptors"].index(name) for name in DESCRIPTORS]
    of_series = [one.compound for one in parts]
    described = compounds.descriptors[np.concatenate(of_series)][:, columns]
    scales = [
        (name, round(float(one.mean()), 4), round(float(one.std()), 4))
        for name, one in zip(DESCRIPTORS, described.T, strict=True)
    ]
    mean, deviation = np.array([scale[1] for scale in scales]), np.array([scale[2] for scale in scales])
    prints = folded(compounds.blocks[0], FOLDED_BITS)
    cuts = np.cumsum([len(one.y) for one in parts])[:-1]
    genes = sorted({str(one.gene[0]) for one in parts})
    fold_of_gene = dict(zip(genes, fold_of(np.array(genes)).tolist(), strict=True))
    series = gather(
        parts,
        np.split(out, cuts),
        np.split(half, cuts),
        [prints[some].toarray().astype(float) for some in of_series],
        [(compounds.descriptors[some][:, columns] - mean) / deviation for some in of_series],
        fold_of_gene,
    )
    shares = shares_of(NearSettings(), widths)
    factor, figures = fit_own_values(series, shares)
    write_json(folders.model, "own-values.json", written(shares, factor, scales))
    keep(folders, "own-values", figures)


def card(folders: Folders) -> None:
    """The card with all figures."""
    figures = figures_so_far(folders) | {"ownValues": load(folders, "own-values")}
    write_card(folders.model, figures, training_of(folders))


def training_of(folders: Folders) -> dict:
    """What was learnt from."""
    manifest = json.loads((folders.work / "features/manifest.json").read_text())
    rows: Rows = load(folders, "rows")[2]
    return {
        "featureSpecHash": manifest["featureSpecHash"],
        "tables": manifest["tables"],
        "exact": int((~rows.is_bound).sum()),
        "bounds": int(rows.is_bound.sum()),
        "compounds": len(np.unique(rows.compound)),
        "targets": len(np.unique(rows.target)),
        "settings": vars(Settings()) | {"near": vars(NearSettings())},
    }


def run_node(words: list[str]) -> None:
    """Ends this command if a script fails."""
    node = ROOT / "node_modules/.bin/node"
    command = [str(node) if node.exists() else "node", "--max-old-space-size=6000", *words]
    if subprocess.run(command, cwd=ROOT, check=False).returncode != 0:
        sys.exit(f"failed: {' '.join(command)}")


def keep(folders: Folders, name: str, value: object) -> None:
    """A result in the work folder."""
    with (folders.work / f"{name}.pkl").open("wb") as file:
        pickle.dump(value, file, protocol=5)


def load(folders: Folders, name: str):
    """A result of an earlier stage."""
    with (folders.work / f"{name}.pkl").open("rb") as file:
        return pickle.load(file)
