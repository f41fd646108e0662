"""Shows that no test label reaches a prediction: noise in their place moves nothing."""

from dataclasses import replace

import numpy as np

from .inputs import Inputs
from .splits import Split, visible_labels
from .tables import Table
from .tasks import Task

NOISE_SEED = 20_262


def largest_move(task: Task, table: Table, inputs: Inputs) -> float:
    """Largest change of any prediction of the first split when its hidden labels become noise."""
    split, seed = task.splits(table)[0], task.seeds[0]
    honest, noisy = (
        task.predictor(inputs, visible_labels(labelled, split), split.novelty, seed)
        for labelled in (table, with_noise(table, split))
    )
    return float(np.abs(honest - noisy).max())


def with_noise(table: Table, split: Split) -> Table:
    noise = np.random.default_rng(NOISE_SEED).normal(9, 3, table.labels.shape)
    return replace(table, labels=np.where(split.hidden & ~np.isnan(table.labels), noise, table.labels))
