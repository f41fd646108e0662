"""What differences between compounds of one assay add to poses, on series of other genes."""

import numpy as np

from .metrics import interval, kendall, resampled, rmse
from .outside import SERIES_MIN, members_of
from .own_poses import adjustment

Rows = dict[str, np.ndarray]


def adjusted(rows: Rows, names: list[str]) -> np.ndarray:
    """The plain prediction plus features centred on their series; weights by least squares on other genes."""
    features = np.stack([rows[name] for name in names], 1)
    return rows["plain"] + adjustment(rows | {"predicted": rows["plain"]}, features)


def report(rows: Rows, sets: dict[str, list[str]]) -> str:
    """A line per set of features, with its gain over the line before and 90% intervals over series."""
    series = [of for of in members_of(rows["system"]) if len(of) >= SERIES_MIN]
    lines, before = [], None
    for title, names in sets.items():
        predicted = adjusted(rows, names) if names else rows["plain"]
        found = [_taus(rows, predicted, series, beyond) for beyond in (False, True)]
        inside = np.mean(np.abs(rows["pk"] - predicted) <= rows["half"])
        line = (
            f"{title}: tau {found[0].mean():.3f}, beyond size {found[1].mean():.3f}, "
            f"RMSE {rmse(rows['pk'], predicted):.3f}, inside {inside:.1%}"
        )
        if before is not None:
            gains = [_with_interval(now - then) for now, then in zip(found, before)]
            line += f"; gain {gains[0]}, beyond size {gains[1]}"
        lines.append(line)
        before = found
    return "\n".join(lines)


def _taus(rows: Rows, predicted: np.ndarray, series: list[np.ndarray], beyond_size: bool) -> np.ndarray:
    taus = []
    for of in series:
        y, p, size = rows["pk"][of], predicted[of], rows["heavyAtoms"][of]
        if beyond_size and np.ptp(size) > 0:
            y, p = (values - np.polyval(np.polyfit(size, values, 1), size) for values in (y, p))
        taus.append(kendall(y, p))
    return np.nan_to_num(taus)


def _with_interval(gains: np.ndarray) -> str:
    low, high = interval(gains[resampled(len(gains))].mean(1))
    return f"{gains.mean():+.3f} ({low:+.3f} to {high:+.3f})"
