"""Which labels are hidden and which of them are scored. Labels are removed nowhere else."""

from dataclasses import dataclass

import numpy as np

from .tables import COLD_SPLITS, Table

GENE_SEED = 0


@dataclass
class Split:
    """Which labels a task hides and scores."""

    novelty: str  # what is new in a scored pair: nothing, drug, target or both
    number: int
    hidden: np.ndarray  # drugs x targets
    scored: np.ndarray  # drugs x targets, all of them hidden


def standard_split(table: Table) -> list[Split]:
    """The table's standard test fold."""
    return [Split("pair", 0, table.is_test, table.is_test)]


def exact_rows(table: Table) -> list[Split]:
    """The same fold, scoring only pairs with a measured value: for most pairs the assay reports only that nothing
    binds."""
    is_exact = table.is_test & (table.labels > np.nanmin(table.labels))
    return [Split("pair", 0, table.is_test, is_exact)]


def cold_splits(table: Table, novelty: str) -> list[Split]:
    """The table's own split; if both are new, pairs with only one new member are neither seen nor scored."""
    return [_cold_split(table, novelty, number) for number in range(COLD_SPLITS)]


def _cold_split(table: Table, novelty: str, number: int) -> Split:
    drugs = np.repeat(table.cold_drugs[number][:, None], len(table.target_ids), 1)
    targets = np.repeat(table.cold_targets[number][None], len(table.drug_ids), 0)
    hidden = {"drug": drugs, "target": targets, "both": drugs | targets}[novelty]
    scored = {"drug": drugs, "target": targets, "both": drugs & targets}[novelty]
    return Split(novelty, number, hidden, scored & ~np.isnan(table.labels))


def gene_splits(table: Table) -> list[Split]:
    """Harder than the given splits: all mutants, domains and states of a gene are held out together."""
    genes = [target.partition("(")[0].removesuffix("p") for target in table.target_ids]
    names = sorted(set(genes))
    fold = dict(zip(names, _deal(np.random.default_rng(GENE_SEED), len(names), COLD_SPLITS)))
    held = np.array([fold[gene] for gene in genes])
    hidden = [np.repeat((held == number)[None], len(table.drug_ids), 0) for number in range(COLD_SPLITS)]
    return [
        Split("target", number, mask, mask & ~np.isnan(table.labels)) for number, mask in enumerate(hidden)
    ]


def visible_labels(table: Table, split: Split) -> np.ndarray:
    """drugs x targets, NaN if hidden or never measured: a predictor gets nothing else."""
    return np.where(split.hidden, np.nan, table.labels)


def inner_folds(
    visible: np.ndarray, novelty: str, count: int, seed: int
) -> list[tuple[np.ndarray, np.ndarray]]:
    """Folds of the visible labels that are as new as the scored pairs: (observed, held out) each."""
    measured = ~np.isnan(visible)
    random = np.random.default_rng(seed)
    if novelty == "pair":
        fold = np.full(visible.shape, -1)
        fold[measured] = _deal(random, int(measured.sum()), count)
        return [(measured & (fold != k), fold == k) for k in range(count)]
    drugs = np.repeat(_deal(random, len(visible), count, measured.any(1))[:, None], visible.shape[1], 1)
    targets = np.repeat(_deal(random, visible.shape[1], count, measured.any(0))[None], len(visible), 0)
    if novelty == "both":
        return [
            (measured & (drugs != k) & (targets != k), measured & (drugs == k) & (targets == k))
            for k in range(count)
        ]
    fold = drugs if novelty == "drug" else targets
    return [(measured & (fold != k), measured & (fold == k)) for k in range(count)]


def _deal(random: np.random.Generator, size: int, count: int, taking: np.ndarray | None = None) -> np.ndarray:
    """A balanced fold for each participant, -1 for the others."""
    fold = np.full(size, -1)
    chosen = np.arange(size) if taking is None else np.flatnonzero(taking)
    fold[chosen] = random.permutation(np.arange(len(chosen)) % count)
    return fold
