"""Labels from other sources on Davis targets, for drugs that are not in Davis.

Each source contributes one number per Davis drug and target: a prediction from that source alone, centred. No Davis
label and no compound equal to a Davis drug is used. The weight of each source is learnt on the visible Davis labels.
"""

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from ..data import Features, read_tsv
from .inputs import Inputs
from .kernel_mixture import PairMixture
from .similarity import drug_similarities
from .stages import StageSettings, learn_one_stage, predict_one_stage, profile_similarity
from .tables import Table, load_table

CENSORED_PK = 5.0  # Davis' value for pairs without binding
SETTINGS = StageSettings(stages=1, steps=20, tuning_drugs=600, tolerance=1e-2)
SEED = 0


@dataclass
class Source:
    """Davis drugs come first; they have no label."""

    name: str
    inputs: Inputs
    labels: Tensor  # compounds x Davis targets, centred, NaN where not measured
    mixture: PairMixture | None = None

    def predict(self, unseen: np.ndarray) -> Tensor:
        """compounds x targets, without labels of the unseen targets."""
        if self.mixture is None:
            self.mixture = learn_one_stage(self.inputs, self.labels, "drug", SEED, SETTINGS)
        labels = self.labels.clone()
        labels[:, torch.from_numpy(unseen)] = torch.nan
        return predict_one_stage(self.mixture, self.inputs, labels, SETTINGS)


def with_source_priors(inputs: Inputs, visible: np.ndarray) -> Inputs:
    """Adds the sources' predictions for targets with visible labels, and the drug similarity they imply."""
    if not inputs.sources:
        return inputs
    unseen = np.isnan(visible).all(0)
    kind, count = inputs.drugs.dtype, len(visible)
    prior = torch.stack([source.predict(unseen)[:count].to(kind) for source in inputs.sources])
    alike = torch.stack([profile_similarity(said - said.mean(0)) for said in prior])
    return replace(inputs, drugs=torch.cat([inputs.drugs, alike]), prior=prior)


def load_sources(tables: Path, features: Features, davis: Table, targets: Tensor) -> tuple[Source, ...]:
    """Metz, other Kd and KIBA on Davis targets; targets: similarities, parts x targets x targets. KeyError if a
    compound was not exported."""
    row = {key: index for index, key in enumerate(features.compound_ids)}
    own = np.array([row[f"davis:{drug}"] for drug in davis.drug_ids])
    known = {bits_of(features, index) for index in own}
    columns = _columns_of_sequences(davis)
    measured = {**_general_rows(tables, columns), "kiba": _kiba_rows(tables, columns)}
    sources = []
    for name, rows in measured.items():
        rows = [(row[drug], at, y) for drug, at, y in rows if bits_of(features, row[drug]) not in known]
        sources.append(_source(name, features, own, rows, targets))
    return tuple(sources)


def bits_of(features: Features, compound: int) -> bytes:
    """A compound's fingerprint bits as bytes; equal compounds have equal bytes."""
    start, stop = features.bits.indptr[compound : compound + 2]
    return features.bits.indices[start:stop].tobytes()


def _source(name: str, features: Features, own: np.ndarray, rows: list, targets: Tensor) -> Source:
    compounds = sorted({compound for compound, _, _ in rows})
    place = {compound: len(own) + index for index, compound in enumerate(compounds)}
    labels = np.full((len(own) + len(compounds), targets.shape[1]), np.nan)
    centre = np.mean([y for _, _, y in rows])
    for compound, at, y in rows:
        labels[place[compound], at] = y - centre
    similar = torch.from_numpy(drug_similarities(features, np.array([*own, *compounds]))).float()
    inputs = Inputs(similar, targets.float(), torch.zeros(0, *labels.shape))
    return Source(name, inputs, torch.from_numpy(labels).float())


def _columns_of_sequences(davis: Table) -> dict[str, list[int]]:
    columns: dict[str, list[int]] = {}
    for index, sequence in enumerate(davis.sequences):
        columns.setdefault(sequence, []).append(index)
    return columns


def _general_rows(tables: Path, columns: dict[str, list[int]]) -> dict[str, list]:
    """Metz (Ki of one large panel) and every other Kd; rows of Davis and of its drugs are excluded."""
    at = {
        row["target_id"]: columns[row["sequence"]]
        for row in read_tsv(tables / "general/targets.tsv.gz")
        if row["sequence"] in columns
    }
    measured: dict[str, list] = {"metz": [], "kd": []}
    for row in read_tsv(tables / "general/pairs.tsv.gz"):
        if row["target_id"] not in at or "davis" in row["sources"] or "davis" in row["flags"]:
            continue
        y = min(float(row["pK"]), CENSORED_PK) if row["relation"] == "<" else float(row["pK"])
        name = "metz" if "metz" in row["sources"] else "kd" if "Kd" in row["types"] else None
        if name is not None:
            measured[name].append((row["drug_id"], at[row["target_id"]], y))
    return measured


def _kiba_rows(tables: Path, columns: dict[str, list[int]]) -> list:
    kiba = load_table(tables, "kiba")
    drug, target = np.nonzero(~np.isnan(kiba.labels))
    return [
        (f"kiba:{kiba.drug_ids[d]}", columns[kiba.sequences[t]], kiba.labels[d, t])
        for d, t in zip(drug, target)
        if kiba.sequences[t] in columns
    ]
