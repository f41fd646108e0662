"""Writes the results page from what was measured."""

import json
import statistics
from pathlib import Path

from .tasks import TASKS, Task

HERE = Path(__file__).parent
RESULTS = HERE / "results.json"
PAGE = HERE.parent / "BENCHMARKS.md"

HEAD = """# Benchmarks

Written by `benchmarks.run`; the numbers stand in `benchmarks/results.json`. Mean squared error, then the
exact concordance index over all pairs of different labels (ties count half), each as mean ± standard
deviation over seeds (standard folds) or over the five given splits (new target, drug, both).
"Together" is the mean of the seeds' predictions. Hyper-parameters and rounds come from folds of the
visible labels alone; test labels are taken away before a predictor is called. Minutes are those of one
thread on a machine that others used as well.

Published numbers for a new target, a new drug or both are on other splits. The given target splits part
targets at random, so a mutant may be new while its wild type is known; "new gene" holds out all
mutants of a gene together, in five folds of our own. Where the drug is new, KIBA, Metz and other
Kd on the same targets are heard, without Davis rows, Davis drugs or targets that must be new; the
published numbers are without them.

| task | ours | together | mean of labels | drug + target | best published | floor | aim | minutes |
|---|---|---|---|---|---|---|---|---|
"""


def load_results() -> dict:
    return json.loads(RESULTS.read_text()) if RESULTS.exists() else {}


def save_result(name: str, result: dict) -> None:
    results = {**load_results(), name: result}
    RESULTS.write_text(json.dumps({key: results[key] for key in TASKS if key in results}, indent=2) + "\n")
    PAGE.write_text(page(results))


def page(results: dict) -> str:
    lines = [_line(task, results[name]) for name, task in TASKS.items() if name in results]
    commands = "\n".join(
        f"PYTHONPATH=training python3 -m benchmarks.run {name} --tables <folder of tables>"
        for name in TASKS
        if name in results
    )
    return f"{HEAD}{chr(10).join(lines)}\n\n```sh\n{commands}\n```\n"


def _line(task: Task, result: dict) -> str:
    together = _spread(result["seeds_together"]) if len(task.seeds) > 1 else "–"
    cells = [
        task.title, f"**{_spread(result['runs'])}**", together,
        _spread(result["mean"]), _spread(result["additive"]),
        task.published, task.floor, task.aim, f"{result['seconds'] / 60:.0f}",
    ]  # fmt: skip
    return f"| {' | '.join(cells)} |"


def _spread(runs: list[dict[str, float]]) -> str:
    return f"{_mean(runs, 'mse')} / {_mean(runs, 'concordance')}"


def _mean(runs: list[dict[str, float]], name: str) -> str:
    values = [run[name] for run in runs]
    spread = f" ± {statistics.stdev(values):.4f}" if len(values) > 1 else ""
    return f"{statistics.mean(values):.4f}{spread}"
