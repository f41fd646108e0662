"""Retrains everything: from the tables to the model folder, in named stages that can be resumed.

npm run retrain -- --tables <folder> [--fraction 0.01] [--structures <folder>] [--reference-poses <SDF>] [--from <stage>]
  [--until <stage>] [--list] [--model models/current] [--work .cache/training]

A stage is skipped if it ended after the tables last changed and after every earlier stage that has run. `--from`
repeats a stage and all later ones. Every line that the stages print also goes to `retrain/log.txt` in the work folder.
`--fraction` tries everything on a part of the tables, with folders of its own.
"""

import argparse
import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from .folders import MODEL, WORK, Work, options

NODE = Path("node_modules/.bin/node")


@dataclass(frozen=True)
class Stage:
    """One command of the training."""

    name: str
    does: str
    command: tuple[str, ...]
    makes: tuple[Path, ...] = ()  # paths that exist after it has finished
    needs: tuple[Path, ...] = ()  # besides the earlier stages: the tables and folders it reads


@dataclass(frozen=True)
class Asked:
    """Where everything is read and written."""

    tables: Path
    structures: Path
    reference_poses: Path | None
    model: Path
    work: Work
    fraction: float | None = None


def stages_of(asked: Asked) -> list[Stage]:
    """All stages, in order; the last ones need the reference poses and are skipped without them."""
    work, model = asked.work, asked.model
    source = asked.tables if asked.fraction is None else work.tables
    tables, of_model = ("--tables", str(source)), ("--model", str(model))
    folders = (*of_model, "--work", str(work.folder))

    def python(command: str, *arguments: str) -> tuple[str, ...]:
        return (sys.executable, "-m", "affinity_model", command, *arguments, *folders)

    def node(script: str, *arguments: str) -> tuple[str, ...]:
        return (str(NODE), script, *arguments)

    def score(out: Path, *arguments: str) -> tuple[str, ...]:
        return node("training/export/score-series.ts", *tables, *of_model, "--out", str(out), *arguments)

    def evaluate(*parts: str) -> tuple[str, ...]:
        return python("train", *tables, "--only", "evaluation", "--parts", *parts)

    evaluation = work.evaluation / "evaluation.json"
    first = Stage(
        "fraction",
        f"{asked.fraction} of the tables",
        python("fraction", "--tables", str(asked.tables), "--fraction", str(asked.fraction)),
        (work.tables,),
        (asked.tables,),
    )
    stages = [
        *([] if asked.fraction is None else [first]),
        Stage(
            "features",
            "features of the general table's compounds and proteins",
            node(
                "training/export/main.ts", "--data", str(source), "--structures", str(asked.structures),
                "--out", str(work.features),
            ),
            (work.features / "manifest.json",),
            (source / "general", source / "davis", source / "bindingdb_kd", asked.structures),
        ),
        Stage("evaluate-kernel", "base model on 21 folds: kernel", evaluate("rows", "measured", "kernel")),
        Stage("evaluate-networks", "base model on 21 folds: networks", evaluate("networks")),
        Stage("evaluate-trees", "base model on 21 folds: trees", evaluate("boosting"), (evaluation,)),
        Stage(
            "train",
            "base model on all data",
            python("train", *tables, "--only", "shipped"),
            (work.shipped / "model.pt",),
        ),
        Stage(
            "export",
            "base model as graphs, indexes, golden predictions and card",
            python("export-onnx"),
            (model / "pair.onnx", model / "model-card.json"),
        ),
        Stage(
            "outside",
            "features of ChEMBL's further rows and of the published series",
            node("training/export/outside.ts", "--data", str(source), "--out", str(work.outside)),
            (work.outside / "manifest.json",),
            (source / "chembl32", source / "series"),
        ),
        Stage("held-back", "rows to score", python("held-back", *tables), (work.held_back,)),
        Stage(
            "wide", "parts besides the base model", python("wide-model", *tables), (model / "wide.json",)
        ),
        Stage(
            "score-series",
            "parts on the series, through the product",
            score(work.series_scores),
            (work.series_scores,),
        ),
        Stage(
            "score-held-back",
            "parts on the held-back rows, through the product",
            score(work.held_back_scores, "--pairs", str(work.held_back)),
            (work.held_back_scores,),
        ),
        Stage(
            "general-folds",
            "parts without each of six folds",
            python("general-folds", *tables),
            (work.folds,),
        ),
        Stage(
            "mixture-rows",
            "parts without the newest two fifths and most values of 36 targets",
            python("mixture-rows", *tables),
            (work.mixture,),
        ),
        Stage(
            "final-stage",
            "mixing weights, interval widths and the card for people",
            python("final-stage"),
            (model / "final-stage.json", model / "README.md"),
        ),
        Stage("score-folds", "final prediction on the folds", python("general-folds", "--score")),
        Stage(
            "regimes", "accuracy with few values and on later compounds, seven fits", python("regimes", *tables)
        ),
        Stage(
            "sequences",
            "sequences of the training targets",
            python("sequences", *tables),
            (model / "target-sequences.txt.gz",),
        ),
        Stage(
            "score-shipped",
            "the shipped model on the series, through the product",
            score(work.shipped_scores),
            (work.shipped_scores,),
        ),
        Stage(
            "own-values",
            "effect of a user's own values",
            python("own-values", "--rows", str(work.shipped_scores)),
            (model / "own-values.json",),
        ),
        Stage(
            "families",
            "accuracy by protein family",
            python("families", *tables, "--rows", str(work.shipped_scores)),
            (model / "accuracy.json",),
        ),
        Stage(
            "compound-structures",
            "training compounds that evidence shows",
            node("training/export/compound-structures.ts", *tables, *of_model),
            (model / "compound-structures.json.gz",),
        ),
        Stage(
            "matched-pairs",
            "effects of single group changes",
            node("training/export/matched-pairs.ts", *tables, *of_model),
            (model / "matched-pairs.tsv.gz",),
        ),
    ]  # fmt: skip
    if asked.reference_poses is None:
        return stages
    poses = node(
        "bench/score-poses.ts", *tables, "--scores", str(work.shipped_scores), "--out", str(work.pose_scores),
        "--reference-poses", str(asked.reference_poses), *of_model,
    )  # fmt: skip
    return [
        *stages,
        Stage(
            "differences",
            "differences between compounds of one assay",
            python("differences", *tables),
            (model / "differences.onnx", model / "differences-golden.json"),
        ),
        Stage("poses", "weights of poses", poses, (model / "structure.json",)),
        Stage(
            "own-poses",
            "effect of own values on structure-adjusted predictions",
            python("own-poses", "--rows", str(work.shipped_scores), "--poses", str(work.pose_scores)),
        ),
        Stage("card", "the card for people", python("card")),
    ]


Run = Callable[[Stage, Path], None]


def retrain(stages: Sequence[Stage], work: Path, repeat_from: str | None, run: Run) -> list[str]:
    """Runs every stage that is out of date, in order; returns their names. Stops at the first that fails."""
    work.mkdir(parents=True, exist_ok=True)
    log, done = work / "log.txt", list[str]()
    first = len(stages) if repeat_from is None else place_of(stages, repeat_from)
    last_end = 0.0
    for at, stage in enumerate(stages):
        stamp = work / f"{stage.name}.done"
        if at < first and is_current(stage, stamp, last_end):
            _say(log, f"{stage.name}: up to date")
        else:
            stamp.unlink(missing_ok=True)
            _say(log, f"{stage.name}: {stage.does}")
            start, worked = time.monotonic(), processor_time()
            run(stage, log)
            missing = [str(path) for path in stage.makes if not path.exists()]
            if missing:
                raise FileNotFoundError(f"{stage.name} did not write {', '.join(missing)}")
            stamp.write_text("")
            took = f"{time.monotonic() - start:.0f} s, {processor_time() - worked:.0f} s of processor time"
            _say(log, f"{stage.name}: done in {took}")
            done.append(stage.name)
        last_end = stamp.stat().st_mtime
    return done


def processor_time() -> float:
    """Seconds of all stages that have ended: unlike the time on the clock, it does not depend on other programs."""
    used = os.times()
    return used.children_user + used.children_system


def is_current(stage: Stage, stamp: Path, last_end: float) -> bool:
    """last_end: when the previous stage finished."""
    if not stamp.exists() or not all(path.exists() for path in stage.makes):
        return False
    read = [file.stat().st_mtime for path in stage.needs for file in _files(path)]
    return stamp.stat().st_mtime >= max([last_end, *read])


def place_of(stages: Sequence[Stage], name: str) -> int:
    """SystemExit if no stage has this name."""
    names = [stage.name for stage in stages]
    if name not in names:
        raise SystemExit(f"there is no stage {name}: {', '.join(names)}")
    return names.index(name)


def _files(path: Path) -> list[Path]:
    if not path.exists():
        raise SystemExit(f"{path} does not exist")
    return [file for file in path.rglob("*") if file.is_file()] if path.is_dir() else [path]


def _say(log: Path, line: str) -> None:
    text = f"{time.strftime('%Y-%m-%d %H:%M:%S')} {line}"
    print(text, flush=True)
    with log.open("a") as file:
        file.write(text + "\n")


def run_command(stage: Stage, log: Path) -> None:
    """Shows and logs the output of the stage; SystemExit if it fails."""
    environment = {**os.environ, "PYTHONPATH": "training", "PYTHONUNBUFFERED": "1"}
    with log.open("a") as file:
        process = subprocess.Popen(
            stage.command,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env=environment,
            preexec_fn=end_with_parent,
        )
        for line in process.stdout or ():
            print(line, end="", flush=True)
            file.write(line)
    if process.wait() != 0:
        raise SystemExit(
            f"{stage.name} failed. Repeat the command to go on with this stage; everything printed is in {log}"
        )


def end_with_parent() -> None:
    """On Linux, ends this process when its parent is killed, so that a stage never writes next to its repetition."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


PR_SET_PDEATHSIG = 1


def main(words: Sequence[str]) -> None:
    """The command."""
    chosen = options_of().parse_args(words)
    asked = asked_of(chosen)
    stages = stages_of(asked)
    if chosen.list:
        print("\n".join(f"{stage.name}: {stage.does}" for stage in stages))
    else:
        last = place_of(stages, chosen.until) + 1 if chosen.until else len(stages)
        done = retrain(stages[:last], asked.work.folder / "retrain", chosen.repeat_from, run_command)
        print(f"{len(done)} of {len(stages)} stages run: {asked.model}")


def options_of() -> argparse.ArgumentParser:
    """The command's options; work and model folder depend on `--fraction`, so they have no default yet."""
    arguments = options(__doc__, "tables")
    arguments.add_argument("--structures", type=Path, help="folder of PDB files, default beside the tables")
    arguments.add_argument(
        "--reference-poses", type=Path, help="SDF; without it the poses keep their weights"
    )
    arguments.add_argument("--fraction", type=float, help="trial on this part of the tables")
    arguments.add_argument("--from", dest="repeat_from", metavar="STAGE")
    arguments.add_argument("--until", metavar="STAGE", help="end after this stage")
    arguments.add_argument("--list", action="store_true", help="name the stages and end")
    arguments.set_defaults(work=None, model=None)
    return arguments


def asked_of(chosen: argparse.Namespace) -> Asked:
    """A trial has a work folder of its own, with its model in it; SystemExit if it would replace the shipped model."""
    is_trial = chosen.fraction is not None
    work = chosen.work or Work(WORK / "trial" if is_trial else WORK)
    model = chosen.model or (work.model if is_trial else MODEL)
    if is_trial and model.resolve() == MODEL.resolve():
        raise SystemExit(f"a model trained on a fraction must not replace {MODEL}: name another --model")
    structures = chosen.structures or chosen.tables.parent / "structures"
    return Asked(chosen.tables, structures, chosen.reference_poses, model, work, chosen.fraction)
