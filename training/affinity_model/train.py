"""Evaluates the model on the given splits, then trains the shipped model on all data.

python3 -m affinity_model train --tables <folder> [--only shipped] [--parts kernel] [--folds random-0 target-1] [--processes 2]
"""

import json
import platform
import time
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import numpy as np
import torch

from .checkpoint import load_model, save_model
from .data import (
    UNTRUSTED,
    Features,
    Pairs,
    concatenate,
    load_davis,
    load_features,
    load_general,
    read_general,
)
from .evaluate import FOLD_NAMES, SCORED, evaluate, prepare_experiment
from .fit import PARTS, fit_part, prepare
from .folders import options
from .settings import Settings, read_settings


def train_shipped(
    features: Features, pairs: Pairs, settings: Settings, parts: Sequence[str], out: Path
) -> dict[str, int]:
    """Trains the named PARTS on all data and writes the model and its training rows to `out`; returns seconds per part.

    Other parts are kept from `out`; FileNotFoundError if it is empty.
    """
    model, inputs = prepare(features, pairs, settings)
    if set(parts) != set(PARTS):
        model = load_model(out / "model.pt")
    seconds = {}
    for part in parts:
        started = time.time()
        fit_part(model, inputs, pairs, settings, part)
        seconds[part] = round(time.time() - started)
    out.mkdir(parents=True, exist_ok=True)
    save_model(model, out / "model.pt")
    of_pairs = {name: getattr(pairs, name) for name in ("compound", "target", "y", "is_below")}
    np.savez_compressed(out / "trained-on.npz", **of_pairs)
    return seconds


def facts_of(pairs: Pairs, rows: list[dict[str, str]]) -> dict[str, int]:
    """For the card: what a model was trained on. rows: of the general table."""
    return {
        "pairs": len(pairs),
        "upperBounds": int(pairs.is_below.sum()),
        "compounds": len(np.unique(pairs.compound)),
        "targets": len(np.unique(pairs.target)),
        "onlyDrugTargetCommons": sum(row["sources"] == UNTRUSTED for row in rows),
    }


def write_facts(path: Path, settings: Settings, seconds: dict[str, int], facts: dict) -> None:
    """Settings of a run and seconds per part; parts not retrained keep their seconds."""
    if path.exists():
        seconds = json.loads(path.read_text())["seconds"] | seconds
    facts = facts | {
        "settings": asdict(settings),
        "seconds": seconds,
        "threads": settings.threads,
        "torch": torch.__version__,
        "python": platform.python_version(),
    }
    path.write_text(json.dumps(facts, indent=2, ensure_ascii=False) + "\n")


def main(words: Sequence[str]) -> None:
    """The command."""
    parser = options(__doc__, "tables")
    parser.add_argument("--only", choices=("evaluation", "shipped"))
    parser.add_argument("--parts", nargs="+", choices=SCORED, default=SCORED)
    parser.add_argument(
        "--folds", nargs="+", choices=FOLD_NAMES, default=FOLD_NAMES, help="of the evaluation"
    )
    parser.add_argument("--processes", type=int, default=2, help="folds that are evaluated at once")
    arguments = parser.parse_args(words)
    work = arguments.work
    settings = read_settings(work.settings)
    torch.set_num_threads(settings.threads)
    features = load_features(work.features)
    rows = read_general(arguments.tables)
    general = load_general(rows, features)
    if arguments.only != "shipped":
        experiment = prepare_experiment(features, general, settings)
        seconds = evaluate(experiment, arguments.parts, arguments.processes, work.evaluation, arguments.folds)
        write_facts(work.evaluation / "evaluation.json", settings, seconds, {})
    if arguments.only != "evaluation":
        pairs = concatenate(general, load_davis(arguments.tables, features, general))
        parts = [part for part in PARTS if part in arguments.parts]
        seconds = train_shipped(features, pairs, settings, parts, work.shipped)
        write_facts(work.shipped / "training.json", settings, seconds, facts_of(pairs, rows))
