"""Linear regression that learns one observation at a time: a Kalman filter with drift."""

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


class Regression:
    """The coefficients of a linear prediction, their covariance and their drift.

    Args:
        beta: (features,). Initial coefficients.
        deviations: (features,). Their standard deviations.
        drift: (features,). Variance added to each coefficient with every observation.

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
        """Return the variance of the prediction, without the noise of observations."""
        return float(x @ self.covariance @ x)

    def widen(self) -> None:
        """Add the drift to the covariance."""
        self.covariance = self.covariance + self._drift

    def learn(self, x: Floats, observed: float, noise: float) -> None:
        """Learn from one observation; `noise` is its variance."""
        self.widen()
        total = self.variance(x) + noise
        self.move(x, (observed - self.mean(x)) / total, 1 / total)

    def move(self, x: Floats, step: float, shrink: float) -> None:
        """Move the coefficients by `step`, and shrink the covariance by `shrink`, along `x`."""
        along = self.covariance @ x
        self.beta = self.beta + along * step
        self.covariance = self.covariance - np.outer(along, along) * shrink
