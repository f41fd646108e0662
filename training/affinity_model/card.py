"""The model card: figures and settings as JSON, and a page of tables for people."""

import datetime
import hashlib
import json
from pathlib import Path

from .export import hash_of

VERSION = "2.0.0"
NAME = "model-card.json"
# Written for display or from the finished model; the version does not depend on them.
UNHASHED = {
    NAME,
    "README.md",
    "compound-structures.json.gz",
    "structure.json",
    "own-values.json",
    "accuracy.json",
    "matched-pairs.tsv.gz",
}
DOMAIN = {
    "compoundSimilarityMin": 0.35,
    "targetSimilarityMin": 0.382,
    "ligandDrivenBelow": 0.382,
    "sameTargetAbove": 0.93,
}
USE = (
    "Ranking and triage of small molecules against protein targets, early in research, by users who confirm important "
    "results by measurement. Not for clinical, diagnostic or regulatory decisions."
)
LIMITS = (
    "Predictions use only the protein sequence: no pocket, no pose, no cofactor, no effect of mutations absent from the data.",
    "Ignores stereochemistry: enantiomers get the same prediction.",
    "For a protein not similar to any training target the prediction rests mainly on the compound.",
    "Training data are mostly kinases, receptors and proteases; other families are less well covered.",
    "Training values come from published assays of many laboratories, which do not agree exactly.",
    "Small molecules only: metals and covalent binders are rare.",
)
SOURCES = (
    (
        "BindingDB (own curation; IC50 of receptors and channels through DeepAffinity; Ki through ACNet)",
        "CC BY 3.0",
        "Gilson et al., Nucleic Acids Res. 44 (2016) D1045; Karimi et al., Bioinformatics 35 (2019) 3329",
    ),
    ("BALM's selection of BindingDB", "CC BY 3.0", "Gorantla et al., J. Chem. Inf. Model. 64 (2024)"),
    (
        "ChEMBL, through Papyrus",
        "CC BY-SA 4.0",
        "Béquignon et al., J. Cheminform. 15 (2023) 3; Zdrazil et al., Nucleic Acids Res. 52 (2024) D1180",
    ),
    (
        "ChEMBL, through MoleculeACE",
        "CC BY-SA 3.0",
        "van Tilborg et al., J. Chem. Inf. Model. 62 (2022) 5938",
    ),
    (
        "ChEMBL 32, Ki and IC50",
        "CC BY-SA 3.0",
        "Zdrazil et al., Nucleic Acids Res. 52 (2024) D1180; Landrum and Riniker, J. Chem. Inf. Model. 64 (2024) 1560",
    ),
    ("ChEMBL 27, through FS-Mol", "CC BY-SA 3.0", "Stanley et al., NeurIPS Datasets and Benchmarks (2021)"),
    (
        "ChEMBL 23, through KekuleScope",
        "CC BY-SA 3.0",
        "Cortés-Ciriano and Bender, J. Cheminform. 11 (2019) 41",
    ),
    ("ChEMBL, five targets collected by Team SKI", "CC BY-SA 3.0", "Team-SKI/Publications"),
    ("Metz kinase panel, through ChEMBL", "CC BY-SA 3.0", "Metz et al., Nat. Chem. Biol. 7 (2011) 200"),
    ("Davis kinase panel, through ChEMBL", "CC BY-SA 3.0", "Davis et al., Nat. Biotechnol. 29 (2011) 1046"),
    (
        "Drug Target Commons, where another source has the pair",
        "open access",
        "Tang et al., Cell Chem. Biol. 25 (2018) 224",
    ),
    (
        "Published series of Uni-FEP-Benchmarks (levels, widths and weights of poses)",
        "Apache-2.0; values CC BY-SA 3.0",
        "dptech-corp/Uni-FEP-Benchmarks; values from ChEMBL",
    ),
)


def write_card(folder: Path, figures: dict, training: dict) -> None:
    """The version ends in a hash of all files that decide a prediction."""
    names = sorted(path.name for path in folder.iterdir() if path.name not in UNHASHED)
    files = {name: hash_of(folder / name) for name in names}
    digest = hashlib.sha256("".join(files.values()).encode()).hexdigest()[:8]
    content = {
        "version": f"{VERSION}+{digest}",
        "date": datetime.date.today().isoformat(),
        "featureSpecHash": training["featureSpecHash"],
        "files": files,
        "licence": "CC BY-SA 4.0",
        "intendedUse": USE,
        "limits": LIMITS,
        "range": {"lower": 2.0, "upper": 12.0},
        "domain": DOMAIN,
        "training": training,
        "sources": [{"name": name, "licence": licence, "citation": cite} for name, licence, cite in SOURCES],
        **figures,
    }
    (folder / NAME).write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n")
    structure = folder / "structure.json"
    poses = json.loads(structure.read_text()).get("figures") if structure.exists() else None
    accuracy = folder / "accuracy.json"
    families = json.loads(accuracy.read_text())["rows"] if accuracy.exists() else []
    (folder / "README.md").write_text(page(content, families, poses))


def page(card: dict, families: list[dict], poses: dict | None) -> str:
    """The card for people; `families` and `poses` are missing before they were measured."""
    template = (Path(__file__).with_name("card.md")).read_text()
    series = card["series"]
    return template.format(
        version=card["version"],
        compounds=f"{series['compounds']:,}",
        series=series["series"],
        predictors=rows_of(series["predictors"]),
        values=_stratum(series, 0),
        similarity=_stratum(series, 1),
        size=_stratum(series, 2),
        families=_families(families),
        own=_own(card.get("ownValues", [])),
        regimes=_regimes(card["regimes"]),
        poses=_poses(poses) if poses else "",
        sources="\n".join(
            f"| {one['name']} | {one['licence']} | {one['citation']} |" for one in card["sources"]
        ),
        limits="\n".join(f"- {one}" for one in card["limits"]),
        use=card["intendedUse"],
        rows=f"{card['training']['exact']:,}",
        bounds=f"{card['training']['bounds']:,}",
        trained=f"{card['training']['compounds']:,}",
        targets=f"{card['training']['targets']:,}",
    )


def rows_of(predictors: dict) -> str:
    """A line per predictor."""
    return "\n".join(
        f"| {name} | {of['rmse']:.3f} | {of['r']:.2f} | {of['tau']:.3f} | {of['beyond']:.3f} | {of['bias']:+.2f} | {_share(of)} |"
        for name, of in predictors.items()
    )


def _share(of: dict) -> str:
    return f"{100 * of['coverage']:.1f}%" if "coverage" in of else ""


def _stratum(series: dict, at: int) -> str:
    return "\n".join(
        f"| {row['range']} | {row['compounds']:,} | {row['rmse']:.2f} | {row['bias']:+.2f} | {_tau(row)} | {_tau(row, 'tauOfHeavyAtoms')} | "
        f"{row['halfWidth']:.2f} | {_share(row)} |"
        for row in series["strata"][at]["rows"]
    )


def _families(rows: list[dict]) -> str:
    return "\n".join(
        f"| {row['family']} | {_range(row)} | {row['proteins']} | {row['compounds']} | {row['rmse']:.2f} "
        f"({row['interval'][0]:.2f} to {row['interval'][1]:.2f}) | {_tau(row)} |"
        for row in rows
    )


def _tau(row: dict, key: str = "tau") -> str:
    value = row.get(key)
    return "" if value is None else f"{value:.2f}"


def _range(row: dict) -> str:
    if row["below"] is None:
        return f"{row['from']:,} or more"
    return "none" if row["below"] == 1 else f"{row['from']} to {row['below'] - 1}"


def _own(rows: list[dict]) -> str:
    return "\n".join(
        f"| {row['count']} | {row['series']} | {row['rmse']:.3f} | {row['tau']:.3f} | {row['tauBeyondSize']:.3f} | {_share(row)} | {row['halfWidth']:.2f} |"
        for row in rows
    )


def _regimes(found: dict) -> str:
    return "\n".join(
        f"| {name} | {of['compounds']:,} | {of['rmse']:.3f} | {of['r']:.2f} | {of['bias']:+.2f} | {_share(of)} | {of['halfWidth']:.2f} |"
        for name, of in found.items()
    )


def _poses(poses: dict) -> str:
    plain = poses["plain"]
    lines = [
        f"| plain prediction | {plain['tau']:.3f} |  | {plain['tauBeyondSize']:.3f} |  | {plain['rmse']:.3f} |"
    ]
    for one in poses["scores"]:
        gain, beyond = one["gain"], one["gainBeyondSize"]
        name = f"**{one['name']}**" if one is poses["scores"][-1] else one["name"]
        lines.append(
            f"| {name} | {one['tau']:.3f} | {_gain(gain)} | {one['tauBeyondSize']:.3f} | {_gain(beyond)} | {one['rmse']:.3f} |"
        )
    return "\n".join(lines)


def _gain(of: dict) -> str:
    return f"{of['mean']:+.3f} ({of['low']:.3f} to {of['high']:.3f})"
