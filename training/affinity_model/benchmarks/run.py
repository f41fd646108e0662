"""The command: runs benchmark tasks and writes their scores to results.json and BENCHMARKS.md.

python3 -m affinity_model benchmarks <task> --tables <folder> [--test-noise]
"""

from collections.abc import Sequence

import torch

from ..data import load_features
from ..folders import options
from .leakage import largest_move
from .report import save_result
from .tasks import TASKS, load_task, measure


def main(words: Sequence[str]) -> None:
    """Runs the named tasks, or checks that noise in place of their test labels changes no prediction."""
    parser = options(__doc__, "tables")
    parser.add_argument("task", choices=[*TASKS, "all"])
    parser.add_argument(
        "--test-noise", action="store_true", help="show that no test label moves a prediction"
    )
    asked = parser.parse_args(words)
    torch.set_num_threads(1)
    features = load_features(asked.work.benchmarks)
    for name in TASKS if asked.task == "all" else [asked.task]:
        task = TASKS[name]
        if asked.test_noise:
            moved = largest_move(task, asked.tables, features)
            print(f"{task.title}: with noise for test labels, predictions move by {moved}")
        else:
            for result in measure(task, *load_task(task, asked.tables, features)):
                print(f"{task.title}: {result['runs'][-1]}", flush=True)
                save_result(name, result)
