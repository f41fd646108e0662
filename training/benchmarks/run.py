"""The command: runs benchmark tasks and writes their scores to results.json and BENCHMARKS.md.

PYTHONPATH=training python3 -m benchmarks.run <task> --tables <folder> [--test-noise]
"""

import argparse
from pathlib import Path

import torch

from affinity_model.data import load_features

from .leakage import largest_move
from .report import save_result
from .tasks import TASKS, load_task, measure

FEATURES = Path(".cache/training/benchmark-features")


def main() -> None:
    """Runs the named tasks, or checks that noise in place of their test labels changes no prediction."""
    options = parse()
    torch.set_num_threads(1)
    features = load_features(options.features)
    for name in TASKS if options.task == "all" else [options.task]:
        task = TASKS[name]
        if options.test_noise:
            moved = largest_move(task, options.tables, features)
            print(f"{task.title}: with noise for test labels, predictions move by {moved}")
        else:
            for result in measure(task, *load_task(task, options.tables, features)):
                print(f"{task.title}: {result['runs'][-1]}", flush=True)
                save_result(name, result)


def parse() -> argparse.Namespace:
    """Parses the command line; exits with 2 if it is invalid."""
    parser = argparse.ArgumentParser(prog="benchmarks.run")
    parser.add_argument("task", choices=[*TASKS, "all"])
    parser.add_argument("--tables", type=Path, required=True, help="folder with davis/, kiba/ and general/")
    parser.add_argument("--features", type=Path, default=FEATURES, help="of training/export/benchmarks.ts")
    parser.add_argument(
        "--test-noise", action="store_true", help="show that no test label moves a prediction"
    )
    return parser.parse_args()


if __name__ == "__main__":
    main()
