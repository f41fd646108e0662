"""The tasks, what was published for them, and how one is run and measured."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from affinity_model.metrics import concordance

from .baselines import predict_additive, predict_mean
from .inputs import Inputs
from .predictors import predict_known, predict_new
from .splits import Split, cold_splits, gene_splits, standard_split, visible_labels
from .tables import Table

Predictor = Callable[[Inputs, np.ndarray, str, int], np.ndarray]


@dataclass(frozen=True)
class Task:
    title: str
    table: str
    splits: Callable[[Table], list[Split]]
    predictor: Predictor
    seeds: tuple[int, ...]
    published: str  # MSE / concordance
    floor: str
    aim: str
    is_drug_new: bool = False  # then other sources are heard


THREE_SEEDS, ONE_SEED = (0, 1, 2), (0,)
TASKS = {
    "davis": Task(
        "Davis, standard test fold", "davis", standard_split, predict_known, THREE_SEEDS,
        "0.184 / 0.917", "0.140 / 0.925", "0.125 / 0.935",
    ),
    "kiba": Task(
        "KIBA, standard test fold", "kiba", standard_split, predict_known, THREE_SEEDS,
        "0.117 / 0.908", "0.125 / 0.890", "0.112 / 0.912",
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
}  # fmt: skip


def measure(task: Task, table: Table, inputs: Inputs) -> Iterator[dict]:
    """Every split with every seed, the mean over the seeds' predictions, and the baselines beside.

    Answers what is known after every run, so that a command that is stopped keeps its runs.
    """
    started, runs, together, mean, additive = time.monotonic(), [], [], [], []
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
    y, predicted = table.labels[split.scored], predicted[split.scored]
    return {
        "mse": round(float(np.mean((y - predicted) ** 2)), 4),
        "concordance": round(float(concordance(y, predicted)), 4),
    }
