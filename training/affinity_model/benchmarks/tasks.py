"""The benchmark tasks, their published results, and how a task is run and scored."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from ..data import Features
from ..metrics import concordance
from .external import load_sources
from .inputs import Inputs, load_inputs
from .predictors import predict_known, predict_new
from .splits import Split, cold_splits, exact_rows, gene_splits, standard_split, visible_labels
from .tables import Table

SHRINKAGE = 1.0  # shrinkage of the effects in predict_additive towards 0
ROUNDS = 50

Predictor = Callable[[Inputs, np.ndarray, str, int], np.ndarray]


@dataclass(frozen=True)
class Task:
    """One line of the results page."""

    title: str
    table: str
    splits: Callable[[Table], list[Split]]
    predictor: Predictor
    seeds: tuple[int, ...]
    published: str  # MSE / concordance
    floor: str
    aim: str
    is_drug_new: bool = False  # then other sources are used


THREE_SEEDS, ONE_SEED = (0, 1, 2), (0,)
TASKS = {
    "davis": Task(
        "Davis, standard test fold", "davis", standard_split, predict_known, THREE_SEEDS,
        "0.142 / 0.910", "0.140 / 0.925", "0.125 / 0.935",
    ),
    "davis-exact": Task(
        "Davis, the same fold, values above the floor alone", "davis", exact_rows, predict_known, ONE_SEED, "–", "–", "–",
    ),
    "kiba": Task(
        "KIBA, standard test fold", "kiba", standard_split, predict_known, THREE_SEEDS,
        "0.119 / 0.912", "0.125 / 0.890", "0.112 / 0.912",
    ),
    "davis-new-target": Task(
        "Davis, new target", "davis", lambda table: cold_splits(table, "target"), predict_new, ONE_SEED,
        "0.31 / 0.857", "0.285", "0.25",
    ),
    "davis-new-gene": Task(
        "Davis, new gene", "davis", gene_splits, predict_new, ONE_SEED, "–", "–", "–",
    ),
    "davis-new-drug": Task(
        "Davis, new drug", "davis", lambda table: cold_splits(table, "drug"), predict_new, ONE_SEED,
        "0.62", "0.47", "0.42", is_drug_new=True,
    ),
    "davis-new-both": Task(
        "Davis, both new", "davis", lambda table: cold_splits(table, "both"), predict_new, ONE_SEED,
        "0.61", "0.63", "0.55", is_drug_new=True,
    ),
    "kiba-new-target": Task(
        "KIBA, new target", "kiba", lambda table: cold_splits(table, "target"), predict_new, ONE_SEED,
        "0.410 / 0.748", "–", "–",
    ),
    "kiba-new-drug": Task(
        "KIBA, new drug", "kiba", lambda table: cold_splits(table, "drug"), predict_new, ONE_SEED,
        "0.408 / 0.753", "–", "–",
    ),
    "kiba-new-both": Task(
        "KIBA, both new", "kiba", lambda table: cold_splits(table, "both"), predict_new, ONE_SEED,
        "0.567 / 0.667", "–", "–",
    ),
}  # fmt: skip


def load_task(task: Task, tables: Path, features: Features) -> tuple[Table, Inputs]:
    """The table with all labels, and all inputs a predictor may use besides the visible labels, read from files.

    features: written by training/export/benchmarks.ts. FileNotFoundError or KeyError if tables and features do not
    match.
    """
    table, inputs = load_inputs(tables, features, task.table)
    if task.is_drug_new:
        inputs = replace(inputs, sources=load_sources(tables, features, table, inputs.targets))
    return table, inputs


def measure(task: Task, table: Table, inputs: Inputs) -> Iterator[dict]:
    """Runs every split with every seed, averages the seeds' predictions, and adds the baselines.

    Yields the results after every run, so that an interrupted command keeps its finished runs.
    """
    started = time.monotonic()
    runs: list[dict] = []
    together: list[dict] = []
    mean: list[dict] = []
    additive: list[dict] = []
    for split in task.splits(table):
        visible = visible_labels(table, split)
        mean.append(score(table, split, predict_mean(visible)))
        additive.append(score(table, split, predict_additive(visible)))
        predictions = []
        for seed in task.seeds:
            predictions.append(task.predictor(inputs, visible, split.novelty, seed))
            runs.append({"split": split.number, "seed": seed, **score(table, split, predictions[-1])})
            yield {
                "runs": runs,
                "seeds_together": [*together, score(table, split, np.mean(predictions, 0))],
                "mean": mean,
                "additive": additive,
                "seconds": round(time.monotonic() - started),
            }
        together.append(score(table, split, np.mean(predictions, 0)))


def score(table: Table, split: Split, predicted: np.ndarray) -> dict[str, float]:
    """Mean squared error and concordance index on the scored pairs; predicted: drugs x targets."""
    y, predicted = table.labels[split.scored], predicted[split.scored]
    return {
        "mse": round(float(np.mean((y - predicted) ** 2)), 4),
        "concordance": round(float(concordance(y, predicted)), 4),
    }


def predict_mean(visible: np.ndarray) -> np.ndarray:
    """Baseline: the mean of the visible labels for every pair. visible: drugs x targets, NaN if hidden."""
    return np.full(visible.shape, np.nanmean(visible))


def predict_additive(visible: np.ndarray) -> np.ndarray:
    """Shrunk effects by alternating least squares; zero for an unseen drug or target."""
    observed = ~np.isnan(visible)
    centre = np.nanmean(visible)
    rest = np.where(observed, visible - centre, 0)
    drugs, targets = np.zeros((visible.shape[0], 1)), np.zeros((1, visible.shape[1]))
    for _ in range(ROUNDS):
        drugs = np.where(observed, rest - targets, 0).sum(1, keepdims=True)
        drugs /= observed.sum(1, keepdims=True) + SHRINKAGE
        targets = np.where(observed, rest - drugs, 0).sum(0, keepdims=True)
        targets /= observed.sum(0, keepdims=True) + SHRINKAGE
    return centre + drugs + targets
