"""Cluster-robust covariances against their definition with explicit residuals and hat matrices."""

from dataclasses import replace

import numpy as np
import pytest
import statsmodels.api as sm
from scipy import linalg, sparse

from betterthan.datasets import cluster_robust


def regression(seed: int, rows: int = 40, columns: int = 3) -> tuple[np.ndarray, np.ndarray]:
    """Return a design with a column that varies between clusters only, and residuals of a regression on it."""
    rng = np.random.default_rng(seed)
    design = np.column_stack([np.ones(rows), rng.normal(size=(rows, columns - 1))])
    response = rng.normal(size=rows)
    return design, response - design @ np.linalg.lstsq(design, response, rcond=None)[0]


def clusters_of(design: np.ndarray, residual: np.ndarray, cluster: np.ndarray) -> cluster_robust.Clusters:
    """Return gradients and information by cluster."""
    labels = np.unique(cluster)
    scores = np.stack([design[cluster == label].T @ residual[cluster == label] for label in labels])
    return cluster_robust.Clusters(
        scores, np.stack([design[cluster == label].T @ design[cluster == label] for label in labels])
    )


def by_definition(
    design: np.ndarray, residual: np.ndarray, cluster: np.ndarray, contrast: np.ndarray
) -> tuple[float, float]:
    """Return variance (CR2) and degrees of freedom (Bell and McCaffrey 2002) with all matrices written out."""
    bread = np.linalg.inv(design.T @ design)
    hat = design @ bread @ design.T
    variance, columns = 0.0, []
    for label in np.unique(cluster):
        mine = cluster == label
        value, vector = linalg.eigh(np.eye(mine.sum()) - hat[np.ix_(mine, mine)])
        root = (vector * np.where(value > 1e-8, 1 / np.sqrt(np.maximum(value, 1e-8)), 0.0)) @ vector.T
        weights = root @ design[mine] @ bread @ contrast
        variance += float(weights @ residual[mine]) ** 2
        columns.append((np.eye(len(hat)) - hat)[:, mine] @ weights)
    matrix = np.stack(columns, axis=1)
    square = matrix.T @ matrix
    return variance, float(np.trace(square) ** 2 / np.trace(square @ square))


UNEQUAL = np.repeat(np.arange(7), [2, 3, 4, 5, 6, 8, 12])


@pytest.mark.parametrize("cluster", [UNEQUAL, np.arange(40) % 5, np.arange(40)], ids=["unequal", "five", "rows"])
@pytest.mark.parametrize("seed", range(3))
def test_one_way_is_the_definition(cluster: np.ndarray, seed: int) -> None:
    design, residual = regression(seed)
    robust = cluster_robust.Robust(np.linalg.inv(design.T @ design), (clusters_of(design, residual, cluster),))
    contrasts = np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 1.0, -2.0]])
    errors, freedom = robust.error(contrasts)
    for contrast, error, df in zip(contrasts, errors, freedom, strict=True):
        variance, expected = by_definition(design, residual, cluster, contrast)
        assert error**2 == pytest.approx(variance, rel=1e-9)
        assert df == pytest.approx(expected, rel=1e-9)


def test_the_mean_of_clusters_of_one_is_students() -> None:
    values = np.random.default_rng(4).normal(size=12)
    clusters = cluster_robust.Clusters((values - values.mean())[:, None], np.ones((12, 1, 1)))
    error, df = cluster_robust.Robust(np.eye(1) / 12, (clusters,)).error(np.eye(1))
    assert error[0] == pytest.approx(values.std(ddof=1) / np.sqrt(12))
    assert df[0] == pytest.approx(11)


def test_clusters_that_are_alike_may_be_given_once() -> None:
    design, residual = regression(5)
    whole, part = clusters_of(design, residual, UNEQUAL), clusters_of(design[:20], residual[:20], UNEQUAL[:20])
    scores, information = (
        np.concatenate([one, two, two])
        for one, two in ((whole.scores, part.scores), (whole.information, part.information))
    )
    bread = np.linalg.inv(information.sum(axis=0))
    times = np.append(np.ones(7), np.full(len(part.scores), 2.0))
    once = cluster_robust.Clusters(
        np.concatenate([whole.scores, part.scores]), np.concatenate([whole.information, part.information]), None, times
    )
    nobody = np.empty(0, dtype=np.int64)
    for which in (None, nobody):
        listed, counted = (
            cluster_robust.Robust(
                bread, (each if which is None else replace(each, information=each.information[which], which=which),)
            )
            for each in (cluster_robust.Clusters(scores, information), once)
        )
        assert counted.covariance == pytest.approx(listed.covariance, rel=1e-9)
        for one, two in zip(counted.error(np.eye(3)), listed.error(np.eye(3)), strict=True):
            assert one == pytest.approx(two, rel=1e-9)


def test_many_clusters_have_the_plain_correction() -> None:
    design, residual = regression(6, rows=60)
    cluster = np.arange(60) % 20
    clusters = clusters_of(design, residual, cluster)
    nobody = replace(clusters, information=np.empty((0, 3, 3)), which=np.empty(0, dtype=np.int64))
    robust = cluster_robust.Robust(np.linalg.inv(design.T @ design), (nobody,))
    fitted = sm.OLS(design[:, 0] + residual, design).fit(
        cov_type="cluster", cov_kwds={"groups": cluster, "use_correction": False}
    )
    assert robust.covariance == pytest.approx(fitted.cov_params() * 20 / 19, rel=1e-9)
    assert robust.error(np.eye(3))[1] == pytest.approx([19.0] * 3)


def test_the_largest_of_many_clusters_are_corrected() -> None:
    rng = np.random.default_rng(10)
    cluster = np.concatenate([np.repeat(np.arange(3), 200), np.arange(3, 1003)])
    design = np.column_stack([np.ones(1600), rng.normal(size=1600)])
    response = rng.normal(size=1003)[cluster]
    residual = response - design @ np.linalg.lstsq(design, response, rcond=None)[0]
    bread, whole = np.linalg.inv(design.T @ design), clusters_of(design, residual, cluster)
    sizes = np.bincount(cluster).astype(float)
    assert cluster_robust.small_sample_correction(sizes, 2).tolist() == list(range(1003))
    largest = cluster_robust.small_sample_correction(sizes, 200)
    assert largest.tolist() == [0, 1, 2]
    part = cluster_robust.Clusters(sparse.csr_array(whole.scores), whole.information[largest], largest)
    exact, near = cluster_robust.Robust(bread, (whole,)), cluster_robust.Robust(bread, (part,))
    assert near.error(np.eye(2))[0] == pytest.approx(exact.error(np.eye(2))[0], rel=0.002)
    assert near.error(np.eye(2))[1] == pytest.approx(exact.error(np.eye(2))[1], rel=0.02)
    assert near.error(np.eye(2))[1][0] < 30  # a thousand small ones do not make up for three large ones


def test_two_ways_are_inclusion_and_exclusion() -> None:
    rng = np.random.default_rng(7)
    ways = [np.arange(120) % 10, np.arange(120) // 10, np.arange(120)]
    design = np.ones((120, 1))
    residual = rng.normal(size=10)[ways[0]] + rng.normal(size=12)[ways[1]] + rng.normal(size=120) / 2
    residual -= residual.mean()
    each = [clusters_of(design, residual, cluster) for cluster in ways]
    one, two, both = (cluster_robust.Robust(np.eye(1) / 120, (clusters,)) for clusters in each)
    crossed = cluster_robust.Robust(np.eye(1) / 120, tuple(each))
    assert crossed.covariance == pytest.approx(one.covariance + two.covariance - both.covariance, rel=1e-9)
    (error,), (freedom,) = crossed.error(np.eye(1))
    ways_alone = [robust.error(np.eye(1)) for robust in (one, two)]
    satterthwaite = error**4 / sum(float(alone[0]) ** 4 / float(df[0]) for alone, df in ways_alone)
    assert freedom == pytest.approx(satterthwaite, rel=1e-9)


def test_a_way_that_adds_nothing_takes_nothing() -> None:
    rng = np.random.default_rng(8)
    ways = [np.arange(120) % 10, np.arange(120) // 10, np.arange(120)]
    lower = 0
    for _ in range(20):
        design = np.column_stack([np.ones(120), rng.normal(size=(120, 2))])
        response = rng.normal(size=120)
        residual = response - design @ np.linalg.lstsq(design, response, rcond=None)[0]
        bread = np.linalg.inv(design.T @ design)
        each = [clusters_of(design, residual, cluster) for cluster in ways]
        one, two, both = (cluster_robust.Robust(bread, (clusters,)).covariance for clusters in each)
        crossed = cluster_robust.Robust(bread, tuple(each)).covariance
        lower += np.linalg.eigvalsh(one + two - both)[0] < np.linalg.eigvalsh(both)[0]
        for less in (one + two - both, both):
            assert np.linalg.eigvalsh(crossed - less)[0] > -1e-12
    assert lower > 5


@pytest.mark.parametrize("unit", [1e-6, 1e6])
def test_units_of_parameters_do_not_matter(unit: float) -> None:
    design, residual = regression(7)
    scale = np.array([1.0, unit, 1.0])
    plain, scaled = (
        cluster_robust.Robust(np.linalg.inv(each.T @ each), (clusters_of(each, residual, UNEQUAL),)).error(np.eye(3))
        for each in (design, design * scale)
    )
    assert scaled[0] * scale == pytest.approx(plain[0], rel=1e-6)
    assert scaled[1] == pytest.approx(plain[1], rel=1e-6)


def test_what_every_cluster_decides_alone_has_no_error() -> None:
    cluster = np.repeat(np.arange(4), 5)
    design = (cluster[:, None] == np.arange(4)).astype(float)
    response = np.random.default_rng(9).normal(size=20)
    residual = response - design @ np.linalg.lstsq(design, response, rcond=None)[0]
    robust = cluster_robust.Robust(np.linalg.inv(design.T @ design), (clusters_of(design, residual, cluster),))
    assert np.all(np.isnan(robust.error(np.eye(4))))


def test_what_one_cluster_decides_alone_has_no_error_and_the_rest_has() -> None:
    cluster = np.repeat(np.arange(8), 5)
    design = np.column_stack([np.ones(40), np.random.default_rng(8).normal(size=40), cluster == 3]).astype(float)
    response = np.random.default_rng(9).normal(size=40)
    residual = response - design @ np.linalg.lstsq(design, response, rcond=None)[0]
    robust = cluster_robust.Robust(np.linalg.inv(design.T @ design), (clusters_of(design, residual, cluster),))
    errors, freedom = robust.error(np.eye(3))
    assert np.isnan([errors[2], freedom[2]]).all()
    assert np.isfinite([errors[:2], freedom[:2]]).all()
