"""Probabilities of single pairs from the probabilities of patterns."""

from dataclasses import dataclass

import numpy as np

from betterthan.base import FloatArray, IntArray
from betterthan.models import formulas
from betterthan.verbs.fit.design.term_names import INCOMPLETE
from betterthan.verbs.fit.outcome_chances import Known, evaluated
from betterthan.verbs.fit.patterns.pattern_likelihood import Likelihood
from betterthan.verbs.fit.patterns.pattern_model import PatternModel, maps_of


@dataclass(frozen=True)
class PatternPredictor:
    """Sums over patterns in which a pair has an outcome; over latent classes, each with its share.

    `subjects` are the columns of each class, which come before those of the formula.
    """

    needs: tuple[str, ...]
    likelihood: Likelihood
    coefficients: FloatArray
    basis: FloatArray
    covariates: formulas.Terms
    subjects: FloatArray  # classes × columns
    shares: FloatArray

    def chances(self, left: IntArray, right: IntArray, known: Known) -> FloatArray:
        """Return the chances of all outcomes (3 × rows)."""
        rows, space = len(left), self.likelihood.space
        more = evaluated(self.covariates, known, rows)
        found = np.zeros((3, rows))
        point = np.nan_to_num(self.coefficients)
        for own, share in zip(self.subjects, self.shares, strict=True):
            matrix = np.concatenate([np.repeat(own[None], rows, axis=0), more], axis=1)
            kinds, kind = np.unique(matrix, axis=0, return_inverse=True)
            maps = maps_of(kinds, self.basis, space.systems, self.likelihood.maps.shape[1] - space.systems)
            for place, onto in enumerate(maps):
                chance = self.likelihood.chance(onto @ point)
                for row in np.flatnonzero(kind.ravel() == place).tolist():
                    sign = space.sign_of(int(left[row]), int(right[row]))
                    found[:, row] += share * np.array([chance[sign == answer].sum() for answer in (1, 0, -1)])
        return found


def predictor_of(model: PatternModel, coefficients: FloatArray, shares: FloatArray | None) -> PatternPredictor | None:
    """Return the predictor of pairs; None where strengths also depend on which answers are missing.

    With `shares` the first columns of the subject are latent classes; else all are those of the formula.
    """
    strengths = model.strengths
    if INCOMPLETE in strengths.subject.names:
        return None
    classes = np.empty((1, 0)) if shares is None else np.eye(len(shares))
    names = strengths.subject.names[classes.shape[1] :]
    covariates = strengths.subject.picked(names, strengths.subject.matrix[:, classes.shape[1] :])
    return PatternPredictor(
        tuple(model.columns),
        model.likelihood,
        coefficients,
        strengths.basis,
        covariates,
        classes,
        np.ones(1) if shares is None else shares,
    )
