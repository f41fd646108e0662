"""Copies a fraction of the tables, for trying the whole training: whole proteins and whole series with all their rows.

python3 -m affinity_model fraction --tables <folder> --fraction 0.01

A model trained on it is no better than a guess. Every fold of the split by target keeps proteins; Davis' compounds are all
kept, because golden predictions use them.
"""

import gzip
import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import numpy as np

from .data import read_tsv
from .folders import options

# A final stage needs series on several genes, some of them large.
SERIES_MIN = 20
Row = dict[str, str]


def main(words: Sequence[str]) -> None:
    """The command."""
    arguments = options(__doc__, "tables")
    arguments.add_argument("--fraction", type=float, required=True)
    asked = arguments.parse_args(words)
    counts = take_fraction(asked.tables, asked.fraction, asked.work.tables)
    print(", ".join(f"{name}: {kept:,} of {every:,} rows" for name, (kept, every) in counts.items()))


def take_fraction(tables: Path, fraction: float, out: Path) -> dict[str, tuple[int, int]]:
    """Returns the number of rows kept and read of each table."""
    shutil.rmtree(out, ignore_errors=True)
    random = np.random.default_rng(0)
    merged, further = (
        read_tsv(tables / name) for name in ("general/pairs_folds.tsv.gz", "chembl32/pairs.tsv.gz")
    )
    targets = choose_targets(merged, further, fraction, random)
    names = sorted(row["system"] for row in read_tsv(tables / "series/systems.tsv"))
    count = min(max(SERIES_MIN, round(fraction * len(names))), len(names))
    systems = set(random.choice(names, count, replace=False))
    compounds = {row["drug_id"] for row in merged if row["target_id"] in targets}
    sequences = {
        row["sequence"] for row in read_tsv(tables / "general/targets.tsv.gz") if row["target_id"] in targets
    }
    kinases = {
        row["target_id"]
        for row in read_tsv(tables / "davis/targets.tsv.gz")
        if row["sequence_mutated"] in sequences
    }
    kept: dict[str, Callable[[Row], bool]] = {
        "general/drugs.tsv.gz": lambda row: row["drug_id"] in compounds,
        "general/targets.tsv.gz": lambda row: row["target_id"] in targets,
        "general/pairs.tsv.gz": lambda row: row["target_id"] in targets,
        "general/pairs_folds.tsv.gz": lambda row: row["target_id"] in targets,
        "davis/drugs.tsv.gz": lambda row: True,
        "davis/targets.tsv.gz": lambda row: row["target_id"] in kinases,
        "davis/pairs.tsv.gz": lambda row: row["target_id"] in kinases,
        "bindingdb_kd/targets.tsv.gz": lambda row: row["sequence"] in sequences,
        "bindingdb_kd/pdb_to_target.tsv.gz": lambda row: True,
        "chembl32/pairs.tsv.gz": lambda row: targets.issuperset(row["target_id"].split("|")),
        "series/systems.tsv": lambda row: row["system"] in systems,
        "series/ligands.tsv.gz": lambda row: row["system"] in systems,
    }
    counts = {name: _copy(tables / name, out / name, keep) for name, keep in kept.items()}
    for folder, ending in (("structures", ".pdb.gz"), ("reference", ".sdf.gz")):
        (out / "series" / folder).mkdir()
        for system in systems:
            shutil.copy(tables / "series" / folder / f"{system}{ending}", out / "series" / folder)
    return counts


def choose_targets(
    merged: Iterable[Row], further: Iterable[Row], fraction: float, random: np.random.Generator
) -> set[str]:
    """Targets that fit into the fraction of both tables: first those that ChEMBL's rows measure, in turn from each fold."""
    fold_of = {row["target_id"]: row["target_fold"] for row in merged}
    sizes = Counter(row["target_id"] for row in merged)
    sizes_further = Counter(target for row in further for target in row["target_id"].split("|"))
    left, left_further = fraction * sizes.total(), fraction * sizes_further.total()
    turn: Counter[tuple[bool, str]] = Counter()
    order = []
    for target in random.permutation(sorted(fold_of)):
        of = (target not in sizes_further, fold_of[target])
        order.append((of[0], turn[of], of[1], target))
        turn[of] += 1
    chosen = set()
    for *_, target in sorted(order):
        if sizes[target] <= left and sizes_further[target] <= left_further:
            chosen.add(str(target))
            left, left_further = left - sizes[target], left_further - sizes_further[target]
    return chosen


def _copy(source: Path, to: Path, keep: Callable[[Row], bool]) -> tuple[int, int]:
    rows = read_tsv(source)
    some = [row for row in rows if keep(row)]
    text = "\n".join(["\t".join(rows[0]), *("\t".join(row.values()) for row in some)]) + "\n"
    to.parent.mkdir(parents=True, exist_ok=True)
    to.write_bytes(gzip.compress(text.encode(), mtime=0) if to.suffix == ".gz" else text.encode())
    return len(some), len(rows)
