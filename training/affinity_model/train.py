"""Evaluates the model on the given splits, then trains the shipped model on all data.

python3 -m affinity_model.train --tables <folder> [--features <folder>] [--out <folder>] [--only shipped]
    [--parts kernel] [--folds random-0 target-1] [--processes 2]
"""

import argparse
import json
import platform
import time
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import numpy as np
import torch

from .checkpoint import load_model, save_model
from .data import Features, Pairs, concatenate, load_davis, load_features, load_general
from .evaluate import FOLD_NAMES, SCORED, evaluate, prepare_experiment
from .fit import PARTS, fit_part, prepare
from .settings import Settings


def train_shipped(
    features: Features, pairs: Pairs, settings: Settings, parts: Sequence[str], out: Path
) -> None:
    """Trains the named PARTS on all data and writes the model, its training rows and settings to `out`.

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
    facts = {
        "pairs": len(pairs),
        "upperBounds": int(pairs.is_below.sum()),
        "compounds": len(np.unique(pairs.compound)),
        "targets": len(np.unique(pairs.target)),
    }
    write_facts(out / "training.json", settings, seconds, facts)


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


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--features", type=Path, default=Path(".cache/training/features"))
    parser.add_argument("--tables", type=Path, required=True)
    parser.add_argument("--out", type=Path, default=Path(".cache/training/run"))
    parser.add_argument("--only", choices=("evaluation", "shipped"))
    parser.add_argument("--parts", nargs="+", choices=SCORED, default=SCORED)
    parser.add_argument(
        "--folds", nargs="+", choices=FOLD_NAMES, default=FOLD_NAMES, help="of the evaluation"
    )
    parser.add_argument("--processes", type=int, default=2, help="folds that are evaluated at once")
    arguments = parser.parse_args()
    settings = Settings()
    torch.set_num_threads(settings.threads)
    features = load_features(arguments.features)
    general = load_general(arguments.tables, features)
    if arguments.only != "shipped":
        out = arguments.out / "evaluation"
        experiment = prepare_experiment(features, general, settings)
        seconds = evaluate(experiment, arguments.parts, arguments.processes, out, arguments.folds)
        write_facts(out / "evaluation.json", settings, seconds, {})
    if arguments.only != "evaluation":
        pairs = concatenate(general, load_davis(arguments.tables, features, general))
        parts = [part for part in PARTS if part in arguments.parts]
        train_shipped(features, pairs, settings, parts, arguments.out / "shipped")


if __name__ == "__main__":
    main()
