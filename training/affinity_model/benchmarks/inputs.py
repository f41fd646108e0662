"""Inputs a predictor may use: similarities of drugs and of targets. Labels are separate; hidden ones are NaN."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from ..data import Features
from .alignment import align_kinases
from .similarity import drug_similarities, target_similarities
from .tables import Table, load_table


@dataclass
class Inputs:
    """Similarities are 1 for equal drugs or targets."""

    drugs: Tensor  # parts x drugs x drugs
    targets: Tensor  # parts x targets x targets
    prior: Tensor  # sources x drugs x targets: predictions of other sources, centred; often none
    sources: tuple = ()  # from `external`, for predictors that use them


def load_inputs(tables: Path, features: Features, name: str) -> tuple[Table, Inputs]:
    """The named table (davis or kiba) and its similarities; KeyError if a drug or target was not exported."""
    table = load_table(tables, name)
    # Davis is small enough for double precision.
    kind = torch.float64 if name == "davis" else torch.float32
    return table, Inputs(
        drugs=torch.from_numpy(drug_similarities(features, compound_rows(features, table))).to(kind),
        targets=torch.from_numpy(similar_targets(features, table)).to(kind),
        prior=torch.zeros(0, *table.labels.shape, dtype=kind),
    )


def compound_rows(features: Features, table: Table) -> np.ndarray:
    """Feature rows, one per drug of the table."""
    row = {key: index for index, key in enumerate(features.compound_ids)}
    return np.array([row[f"{table.name}:{drug}"] for drug in table.drug_ids])


def similar_targets(features: Features, table: Table) -> np.ndarray:
    """parts x targets x targets, from `similarity.target_similarities`."""
    row = {key: index for index, key in enumerate(features.target_ids)}
    rows = np.array([row[f"{table.name}:{target}"] for target in table.target_ids])
    kmers = features.kmers[rows * features.variants]
    residues = align_kinases(table.target_ids, table.sequences)
    return target_similarities(kmers, features.manifest["sizes"]["exactWords"], residues)
