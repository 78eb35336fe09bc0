"""Update rules as data: an iteration number becomes discounts, weights and a prediction.

Sources: CFR Zinkevich et al. 2007; CFR+ Tammelin 2014; linear and discounted CFR Brown & Sandholm 2019;
predictive CFR+ Farina, Kroer & Sandholm 2021; SAPCFR+ Meng et al. 2025; discounted predictive Xu et al. 2024.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from solver.errors import UsageError, near


@dataclass(frozen=True, slots=True)
class Schedule:
    """One update rule.

    positive, negative   factor of old regrets by sign at iteration t (t = 1, 2, …)
    clip                 regrets are kept at zero or above
    averaging            exponent gamma: iteration t weighs t^gamma in the average
    discount, trust      of the prediction: next strategy from max(R·discount(t) + trust·r, 0); trust 0: no prediction
    """

    name: str
    meaning: str
    averaging: float
    clip: bool
    positive: Callable[[int], float] = lambda t: 1.0
    negative: Callable[[int], float] = lambda t: 1.0
    discount: Callable[[int], float] = lambda t: 1.0
    trust: float = 0.0

    def rule(self, t: int) -> NDArray[np.float32]:
        """The five numbers of ``regret_kernels`` at iteration t ≥ 1.

        Factors of positive and of negative regrets, the least a regret may be; factor of the regret and of its last
        change in what the next strategy is proportional to.
        """
        floor = 0.0 if self.clip else -np.inf
        return np.array([self.positive(t), self.negative(t), floor, self.discount(t), self.trust], np.float32)

    def decay(self, t: int) -> np.float32:
        """Factor of the old average at iteration t; the new strategy always enters with weight 1."""
        return np.float32(((t - 1) / t) ** self.averaging)


def saturating(exponent: float, shift: int) -> Callable[[int], float]:
    """t ↦ k^exponent / (k^exponent + 1) with k = t + shift."""
    return lambda t: (t + shift) ** exponent / ((t + shift) ** exponent + 1.0)


SCHEDULES = {
    schedule.name: schedule
    for schedule in (
        Schedule("cfr", "plain regrets, uniform average", 0.0, False),
        Schedule("cfr+", "regrets clipped at zero, linear average", 1.0, True),
        Schedule("cfr+q", "regrets clipped at zero, quadratic average", 2.0, True),
        Schedule(
            "linear", "regrets and average weighted by the iteration", 1.0, False,
            positive=lambda t: (t - 1) / t, negative=lambda t: (t - 1) / t,
        ),
        Schedule(
            "dcfr", "discounted regrets (1.5, 0), quadratic average", 2.0, False,
            positive=saturating(1.5, -1), negative=lambda t: 0.5,
        ),
        Schedule("pcfr+", "clipped and predictive, quadratic average", 2.0, True, trust=1.0),
        Schedule("sapcfr+", "clipped, predicts with a third, quadratic average", 2.0, True, trust=1.0 / 3.0),
        Schedule(
            "pdcfr+", "clipped, discounted (2.3), predictive, average weight t^5", 5.0, True,
            positive=saturating(2.3, -1), discount=saturating(2.3, 0), trust=1.0,
        ),
        Schedule(
            "dpcfr+", "clipped, discounted (1.5), predicts with a fifth, cubic average", 3.0, True,
            positive=saturating(1.5, -1), discount=saturating(1.5, 0), trust=0.2,
        ),
    )
}  # fmt: skip


def schedule(name: str) -> Schedule:
    """The update rule called ``name``; UsageError names the known ones."""
    if name not in SCHEDULES:
        known = ", ".join(SCHEDULES)
        raise UsageError(f"unknown algorithm '{name}'; known are {known}.{near(name, list(SCHEDULES))}")
    return SCHEDULES[name]
