"""Labels at the floor of an assay: the truth lies there or below, and nobody knows how far."""

import torch
from torch import Tensor

CENSORED_SHARE = 0.05  # of the labels, from which on the lowest one is a floor
DEPTH_MAX = 2.0  # label units below the floor


def is_floored(y: Tensor) -> bool:
    """y: drugs x targets, NaN where not visible."""
    visible = y[~y.isnan()]
    return bool((visible == visible.min()).to(torch.float64).mean() > CENSORED_SHARE)


def expect_below_floor(y: Tensor, predicted: Tensor) -> Tensor:
    """Each label at the floor becomes its mean below it, given an out-of-fold prediction of it.

    The spread around a prediction is that of the labels above the floor. Both drugs x targets; NaN stays NaN.
    """
    floor = y[~y.isnan()].min()
    above = y > floor
    spread = ((y - predicted)[above] ** 2).mean().sqrt()
    # Beyond six spreads there is no weight left to divide by; the mean is at the floor there anyway.
    edge = ((floor - predicted) / spread).clamp(min=-6.0)
    density = torch.exp(-0.5 * edge**2) / (2 * torch.pi) ** 0.5
    tail = density / torch.special.ndtr(edge)
    below = (predicted - spread * tail).clamp(min=float(floor) - DEPTH_MAX, max=float(floor))
    return torch.where(y == floor, below, y)
