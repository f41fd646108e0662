"""Retrains everything: from the tables to the model folder, in named stages that can be resumed.

npm run retrain -- --tables <folder> [--structures <folder>] [--reference-poses <SDF>] [--from <stage>] [--list]
  [--model models/current]

A stage is skipped if it ended after the tables last changed and after every earlier stage that has run. `--from`
repeats a stage and all later ones. Every line that the stages print also goes to `.cache/training/retrain/log.txt`.
"""

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

WORK = Path(".cache/training")
NODE = Path("node_modules/.bin/node")
SCORES, HELD_BACK = WORK / "series-scores.tsv", WORK / "held-back.tsv"
HELD_BACK_SCORES, SHIPPED_SCORES = WORK / "held-back-scores.tsv", WORK / "shipped-scores.tsv"
FOLDS = WORK / "general-folds"


@dataclass(frozen=True)
class Stage:
    """One command of the training."""

    name: str
    does: str
    command: tuple[str, ...]
    makes: tuple[Path, ...]  # paths that exist after it has finished
    needs: tuple[Path, ...] = ()  # besides the earlier stages: the tables and folders it reads


@dataclass(frozen=True)
class Asked:
    """Where everything is read and written."""

    tables: Path
    structures: Path
    reference_poses: Path | None
    model: Path


def stages_of(asked: Asked) -> list[Stage]:
    """All stages, in order; the last ones need the reference poses and are skipped without them."""
    tables, model = str(asked.tables), str(asked.model)
    general, chembl, series = (asked.tables / name for name in ("general", "chembl32", "series"))
    unknown = [str(FOLDS / f"{kind}-{number}.tsv") for kind in ("target", "both") for number in (1, 2)]
    stages = [
        Stage(
            "features",
            "features of the general table's compounds and proteins, 4 minutes",
            node("training/export/main.ts", "--data", tables, "--structures", str(asked.structures)),
            (WORK / "features/manifest.json",),
            (general, asked.tables / "davis", asked.tables / "bindingdb_kd", asked.structures),
        ),
        Stage(
            "train",
            "base model: 21 evaluation folds, then all data; two hours",
            python("train", "--tables", tables),
            (WORK / "run/evaluation/evaluation.json", WORK / "run/shipped/model.pt"),
        ),
        Stage(
            "export",
            "base model as graphs, indexes, golden predictions and card",
            python("export_onnx", "--out", model),
            (asked.model / "pair.onnx", asked.model / "model-card.json"),
        ),
        Stage(
            "outside",
            "features of ChEMBL's further rows and of the published series, 10 minutes",
            node("training/export/outside.ts", "--data", tables),
            (WORK / "outside-features/manifest.json",),
            (chembl, series),
        ),
        Stage("held-back", "rows to score", python("held_back", "--tables", tables), (HELD_BACK,)),
        Stage(
            "wide",
            "parts besides the base model, 6 minutes",
            python("wide_model", "--tables", tables, "--held-back", str(HELD_BACK), "--out", model),
            (asked.model / "wide.json",),
        ),
        Stage("score-series", "parts on the series, through the product", score(asked, SCORES), (SCORES,)),
        Stage(
            "score-held-back",
            "parts on the held-back rows, through the product",
            score(asked, HELD_BACK_SCORES, "--pairs", str(HELD_BACK)),
            (HELD_BACK_SCORES,),
        ),
        Stage(
            "general-folds",
            "parts without each of six folds, 20 minutes",
            python("general_folds", "--tables", tables),
            tuple(map(Path, unknown)),
        ),
        Stage(
            "final-stage",
            "mixing weights, interval widths and the card for people",
            python(
                "final_stage", "--series", str(SCORES), "--held-back", str(HELD_BACK_SCORES),
                "--unknown", *unknown, "--out", model,
            ),
            (asked.model / "final-stage.json", asked.model / "README.md"),
        ),
        Stage(
            "score-folds",
            "final prediction on the folds",
            python("general_folds", "--score", "--model", model),
            (),
        ),
        Stage(
            "regimes",
            "accuracy with few values and on later compounds, seven fits",
            python("regimes", "--tables", tables, "--series", str(SCORES), "--model", model),
            (),
        ),
        Stage(
            "sequences",
            "sequences of the training targets",
            python("sequences", "--tables", tables, "--model", model),
            (asked.model / "target-sequences.txt.gz",),
        ),
        Stage(
            "score-shipped",
            "the shipped model on the series, through the product",
            score(asked, SHIPPED_SCORES),
            (SHIPPED_SCORES,),
        ),
        Stage(
            "own-values",
            "effect of a user's own values",
            python("own_values", "--rows", str(SHIPPED_SCORES), "--model", model),
            (asked.model / "own-values.json",),
        ),
        Stage(
            "families",
            "accuracy by protein family",
            python("families", "--tables", tables, "--rows", str(SHIPPED_SCORES), "--model", model),
            (asked.model / "accuracy.json",),
        ),
        Stage(
            "compound-structures",
            "training compounds that evidence shows",
            node("training/export/compound-structures.ts", "--tables", tables, "--model", model),
            (asked.model / "compound-structures.json.gz",),
        ),
        Stage(
            "matched-pairs",
            "effects of single group changes, 2 minutes",
            node("training/export/matched-pairs.ts", "--tables", tables, "--model", model),
            (asked.model / "matched-pairs.tsv.gz",),
        ),
    ]  # fmt: skip
    if asked.reference_poses is None:
        return stages
    poses = node(
        "bench/score-poses.ts", "--tables", tables, "--scores", str(SHIPPED_SCORES),
        "--reference-poses", str(asked.reference_poses), "--model", model,
    )  # fmt: skip
    return [
        *stages,
        Stage("poses", "weights of poses, 8 minutes", poses, (asked.model / "structure.json",)),
        Stage("card", "the card for people", python("card", "--model", model), ()),
    ]


def node(script: str, *arguments: str) -> tuple[str, ...]:
    """A script of the product, run by the repository's own Node."""
    return (str(NODE), script, *arguments)


def python(module: str, *arguments: str) -> tuple[str, ...]:
    """A command of this package."""
    return (sys.executable, "-m", f"affinity_model.{module}", *arguments)


def score(asked: Asked, out: Path, *arguments: str) -> tuple[str, ...]:
    """Predictions by the product for the series, or for a table of pairs."""
    of = ("--tables", str(asked.tables), "--model", str(asked.model), "--out", str(out))
    return node("training/export/score-series.ts", *of, *arguments)


Run = Callable[[Stage, Path], None]


def retrain(stages: Sequence[Stage], work: Path, repeat_from: str | None, run: Run) -> list[str]:
    """Runs every stage that is out of date, in order; returns their names. Stops at the first that fails."""
    work.mkdir(parents=True, exist_ok=True)
    log, done = work / "log.txt", list[str]()
    first = _place(stages, repeat_from)
    last_end = 0.0
    for at, stage in enumerate(stages):
        stamp = work / f"{stage.name}.done"
        if at < first and is_current(stage, stamp, last_end):
            _say(log, f"{stage.name}: up to date")
        else:
            stamp.unlink(missing_ok=True)
            _say(log, f"{stage.name}: {stage.does}")
            start = time.monotonic()
            run(stage, log)
            missing = [str(path) for path in stage.makes if not path.exists()]
            if missing:
                raise FileNotFoundError(f"{stage.name} did not write {', '.join(missing)}")
            stamp.write_text("")
            _say(log, f"{stage.name}: done in {time.monotonic() - start:.0f} s")
            done.append(stage.name)
        last_end = stamp.stat().st_mtime
    return done


def is_current(stage: Stage, stamp: Path, last_end: float) -> bool:
    """last_end: when the previous stage finished."""
    if not stamp.exists() or not all(path.exists() for path in stage.makes):
        return False
    read = [file.stat().st_mtime for path in stage.needs for file in _files(path)]
    return stamp.stat().st_mtime >= max([last_end, *read])


def _place(stages: Sequence[Stage], name: str | None) -> int:
    names = [stage.name for stage in stages]
    if name is not None and name not in names:
        raise SystemExit(f"there is no stage {name}: {', '.join(names)}")
    return len(stages) if name is None else names.index(name)


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
            stage.command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment
        )
        for line in process.stdout or ():
            print(line, end="", flush=True)
            file.write(line)
    if process.wait() != 0:
        raise SystemExit(
            f"{stage.name} failed. Repeat the command to go on with this stage; everything printed is in {log}"
        )


def main() -> None:
    """The command."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    arguments.add_argument("--tables", type=Path, required=True)
    arguments.add_argument("--structures", type=Path, help="folder of PDB files; default: beside the tables")
    arguments.add_argument(
        "--reference-poses", type=Path, help="SDF; without it the poses keep their weights"
    )
    arguments.add_argument("--from", dest="repeat_from", metavar="STAGE")
    arguments.add_argument("--list", action="store_true", help="name the stages and end")
    arguments.add_argument("--model", type=Path, default=Path("models/current"))
    chosen = arguments.parse_args()
    structures = chosen.structures or chosen.tables.parent / "structures"
    asked = Asked(chosen.tables, structures, chosen.reference_poses, chosen.model)
    stages = stages_of(asked)
    if chosen.list:
        print("\n".join(f"{stage.name}: {stage.does}" for stage in stages))
    else:
        done = retrain(stages, WORK / "retrain", chosen.repeat_from, run_command)
        print(f"{len(done)} of {len(stages)} stages run: {chosen.model}")


if __name__ == "__main__":
    main()
