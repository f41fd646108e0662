"""Sections of the card for people about files beside the hashed ones: accuracy by protein family, and what the structure
adds. Both are measured on a finished model, so its version does not change with them."""

NOT_MEASURED = ["Not measured for this model."]
# What a reader calls the scores of `npm run score-poses`.
POSE_TITLES = {
    "mean of the best poses": "with poses",
    "similarity to the reference": "with similarity to the reference ligand",
    "differences": "with differences between the compounds",
    "mean pose and similarity": "with poses and similarity",
    "mean pose, similarity and differences": "**with all three: structure-adjusted pKd**",
}


def family_lines(accuracy: dict | None) -> list[str]:
    """accuracy: contents of accuracy.json."""
    if accuracy is None:
        return NOT_MEASURED
    return [
        "| family | values measured on the protein | proteins | compounds | RMSE |",
        "|---|---|---|---|---|",
        *(
            f"| {row['family']} | {_values(row['from'], row['below'])} | {row['proteins']} | {row['compounds']:,} "
            f"| {row['rmse']:.2f} ({row['interval'][0]:.2f} to {row['interval'][1]:.2f}) |"
            for row in accuracy["rows"]
        ),
    ]


def _values(start: int, below: int | None) -> str:
    if below is None:
        return f"{start:,} or more"
    return "none" if below == 1 else f"{start:,} to {below - 1:,}"


def structure_lines(structure: dict | None) -> list[str]:
    """structure: contents of structure.json."""
    figures = (structure or {}).get("figures")
    if figures is None:
        return NOT_MEASURED
    return [
        f"{figures['compounds']:,} compounds in {figures['series']} series on {figures['genes']} genes:",
        "",
        "| | tau inside a series | gain | tau beyond size | gain | RMSE | inside the 95% interval |",
        "|---|---|---|---|---|---|---|",
        f"| plain prediction | {_figures(figures['plain'])}",
        *(f"| {POSE_TITLES[score['name']]} | {_figures(score)}" for score in figures["scores"]),
    ]


def _figures(score: dict) -> str:
    gain, beyond = (_gain(score.get(name)) for name in ("gain", "gainBeyondSize"))
    return (
        f"{score['tau']:.3f} | {gain} | {score['tauBeyondSize']:.3f} | {beyond} "
        f"| {score['rmse']:.3f} | {score['inside']:.1%} |"
    )


def _gain(of: dict | None) -> str:
    return "" if of is None else f"{of['mean']:+.3f} ({of['low']:.3f} to {of['high']:.3f})"
