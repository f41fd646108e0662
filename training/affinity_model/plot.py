"""Draws the calibration figure of the model card as one SVG: predicted against measured values, and the observed
against the nominal coverage of intervals.
"""

import numpy as np

SIDE, GAP, MARGIN, HEAD = 190, 56, 50, 34
PK_SHOWN = (3.0, 11.0)
CELLS = 40
SHADES = 8
INK, COLOURS = "#333", ("#0b6e99", "#b4610b", "#5f3dc4", "#2b8a3e", "#c92a2a")


def calibration_figure(
    panels: list[dict], levels: list[float], titles: dict[str, str], columns: int = 3
) -> str:
    """panels: one per `regime`, with `measured` and `predicted` (pK), and `covered`, a share per level."""
    places = [(index % columns, index // columns) for index in range(len(panels) + 1)]
    width = MARGIN + columns * (SIDE + GAP)
    height = (places[-1][1] + 1) * (SIDE + HEAD + MARGIN)
    drawn = []
    for place, panel in zip(places, panels):
        drawn.append(_at(place, _density(titles[panel["regime"]], panel["measured"], panel["predicted"])))
    drawn.append(_at(places[-1], _coverage(panels, levels, titles)))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'font-family="sans-serif" font-size="11" fill="{INK}" role="img" '
        'aria-label="Predicted against measured pK by regime, and observed against nominal coverage">'
        f'<rect width="{width}" height="{height}" fill="#fff"/>{"".join(drawn)}</svg>\n'
    )


def _at(place: tuple[int, int], content: str) -> str:
    x, y = MARGIN + place[0] * (SIDE + GAP), HEAD + place[1] * (SIDE + HEAD + MARGIN)
    return f'<g transform="translate({x} {y})">{content}</g>'


def _density(title: str, measured: np.ndarray, predicted: np.ndarray) -> str:
    """Rows per cell, darker for more, on a logarithmic scale."""
    counts, _, _ = np.histogram2d(predicted, measured, CELLS, [PK_SHOWN, PK_SHOWN])
    shade = np.ceil(SHADES * np.log1p(counts) / np.log1p(counts.max())).astype(int)
    size, cells = SIDE / CELLS, []
    for level in range(1, SHADES + 1):
        path = "".join(
            f"M{x * size:.1f} {SIDE - (y + 1) * size:.1f}h{size:.2f}v{size:.2f}h-{size:.2f}z"
            for x, y in np.argwhere(shade == level)
        )
        cells.append(f'<path d="{path}" fill="{COLOURS[0]}" fill-opacity="{level / SHADES:.2f}"/>')
    ticks = [(pk, f"{pk:.0f}") for pk in np.arange(PK_SHOWN[0], PK_SHOWN[1] + 1, 2)]
    return "".join(cells) + _frame(title, "predicted pK", "measured pK", PK_SHOWN, ticks)


def _coverage(panels: list[dict], levels: list[float], titles: dict[str, str]) -> str:
    shown, lines = (levels[0], 1.0), []
    for index, panel in enumerate(panels):
        points = " ".join(
            f"{_scaled(level, shown):.1f},{SIDE - _scaled(share, shown):.1f}"
            for level, share in zip(levels, panel["covered"])
        )
        colour = COLOURS[index % len(COLOURS)]
        lines.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="1.5"/>')
        y = SIDE - 8 - 13 * (len(panels) - 1 - index)
        lines.append(
            f'<text x="{SIDE - 6}" y="{y}" text-anchor="end" fill="{colour}">{titles[panel["regime"]]}</text>'
        )
    ticks = [(share, f"{share:.0%}") for share in np.linspace(*shown, 6)]
    return "".join(lines) + _frame("coverage", "nominal", "observed", shown, ticks)


def _frame(title: str, across: str, up: str, shown: tuple[float, float], ticks: list) -> str:
    parts = [
        f'<rect width="{SIDE}" height="{SIDE}" fill="none" stroke="{INK}"/>',
        f'<path d="M0 {SIDE}L{SIDE} 0" stroke="{INK}" stroke-dasharray="3 3"/>',
        f'<text x="0" y="-8" font-weight="bold">{title}</text>',
        f'<text x="{SIDE / 2}" y="{SIDE + 30}" text-anchor="middle">{across}</text>',
        f'<text transform="translate(-38 {SIDE / 2}) rotate(-90)" text-anchor="middle">{up}</text>',
    ]
    for value, label in ticks:
        at = _scaled(value, shown)
        parts.append(f'<text x="{at:.1f}" y="{SIDE + 15}" text-anchor="middle">{label}</text>')
        parts.append(f'<text x="-5" y="{SIDE - at + 4:.1f}" text-anchor="end">{label}</text>')
    return "".join(parts)


def _scaled(value: float, shown: tuple[float, float]) -> float:
    return SIDE * (value - shown[0]) / (shown[1] - shown[0])
