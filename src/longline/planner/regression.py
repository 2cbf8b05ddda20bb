"""Linear regression that learns from one observation after another: a Kalman filter with drift."""

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


class Regression:
    """Coefficients of a linear prediction, how unsure they are, and how they move.

    Args:
        beta: (features,). Coefficients to begin with.
        deviations: (features,). Their standard deviations.
        drift: (features,). Variance that each gains from observation to observation.

    >>> line = Regression(np.zeros(1), np.ones(1), np.zeros(1))
    >>> line.learn(np.ones(1), 3.0, noise=0.5)
    >>> round(line.mean(np.ones(1)), 2), round(line.variance(np.ones(1)), 2)
    (2.0, 0.33)
    """

    def __init__(self, beta: Floats, deviations: Floats, drift: Floats) -> None:
        self.beta = np.array(beta)
        self.covariance: Floats = np.diag(np.square(deviations))
        self._drift = np.diag(drift)

    def mean(self, x: Floats) -> float:
        """Return the prediction for features `x`."""
        return float(self.beta @ x)

    def variance(self, x: Floats) -> float:
        """Return how unsure the prediction is, without the noise of observations."""
        return float(x @ self.covariance @ x)

    def widen(self) -> None:
        """Let the coefficients drift."""
        self.covariance = self.covariance + self._drift

    def learn(self, x: Floats, observed: float, noise: float) -> None:
        """Learn from one observation, whose noise has this variance."""
        self.widen()
        total = self.variance(x) + noise
        self.move(x, (observed - self.mean(x)) / total, 1 / total)

    def move(self, x: Floats, step: float, shrink: float) -> None:
        """Move by `step`, and narrow by `shrink`, along what `x` tells."""
        along = self.covariance @ x
        self.beta = self.beta + along * step
        self.covariance = self.covariance - np.outer(along, along) * shrink
