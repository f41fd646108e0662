"""PYTHONPATH=training python3 -m benchmarks.run <task> --tables <folder> [--test-noise]"""

import argparse
from dataclasses import replace
from pathlib import Path

import torch

from affinity_model.data import load_features

from .external import load_sources
from .inputs import load_inputs
from .leakage import largest_move
from .report import save_result
from .tasks import TASKS, measure

FEATURES = Path(".cache/training/benchmark-features")


def main() -> None:
    options = parse()
    torch.set_num_threads(1)
    features = load_features(options.features)
    for name in TASKS if options.task == "all" else [options.task]:
        task = TASKS[name]
        table, inputs = load_inputs(options.tables, features, task.table)
        if task.is_drug_new:
            inputs = replace(inputs, sources=load_sources(options.tables, features, table, inputs.targets))
        if options.test_noise:
            moved = largest_move(task, table, inputs)
            print(f"{task.title}: with noise for test labels, predictions move by {moved}")
        else:
            for result in measure(task, table, inputs):
                print(f"{task.title}: {result['runs'][-1]}", flush=True)
                save_result(name, result)


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="benchmarks.run")
    parser.add_argument("task", choices=[*TASKS, "all"])
    parser.add_argument("--tables", type=Path, required=True, help="folder with davis/, kiba/ and general/")
    parser.add_argument("--features", type=Path, default=FEATURES, help="of training/export/benchmarks.ts")
    parser.add_argument("--test-noise", action="store_true", help="show that no test label moves a prediction")
    return parser.parse_args()


if __name__ == "__main__":
    main()
