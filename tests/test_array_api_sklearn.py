"""scikit-learn with array API dispatch on lamella's tensors: the numbers are those it gets on NumPy's arrays.

SciPy reads SCIPY_ARRAY_API when it is imported, so this file runs itself in a process that has it set; a line of JSON
for each check comes back.
"""

import json
import os
import subprocess
import sys
import traceback
import warnings

import numpy as np
import pytest

CHECKS = {}
#: Where sklearn computes otherwise on NumPy's arrays, or in the default floating type, which is float32 here.
TOLERANCE = {"logistic_regression": 3e-4, "poisson_regression": 1e-4, "d2_log_loss_score of scores": 1e-4}


def check(fn):
    CHECKS[fn.__name__] = fn
    return fn


class Data:
    """Samples as arrays that ``to`` makes."""

    def __init__(self, to):
        rng = np.random.default_rng(7)
        self.to = to
        x = rng.normal(size=(60, 5)) @ rng.normal(size=(5, 5)) + np.arange(5)
        self.x = to(x)
        self.positive = to(abs(x))
        labels = (x[:, 0] > x[:, 0].mean()).astype(np.int64) + (x[:, 1] > x[:, 1].mean() + 1)
        self.labels = to(labels)
        self.guesses = to(np.where(rng.uniform(size=60) < 0.2, (labels + 1) % 3, labels))
        self.binary = to((labels > 0).astype(np.int64))
        self.binary_guesses = to(((labels > 0) ^ (rng.uniform(size=60) < 0.2)).astype(np.int64))
        self.scores = to(rng.uniform(0.05, 0.95, 60))
        chances = rng.uniform(0.1, 1, (60, 3))
        self.chances = to(chances / chances.sum(1, keepdims=True))
        self.target = to(x @ np.arange(1.0, 6.0) + rng.normal(size=60))
        self.targets = to(rng.normal(size=(60, 2)))
        self.many = to(rng.integers(0, 2, (60, 3)))
        self.many_guesses = to(rng.integers(0, 2, (60, 3)))
        self.weights = to(rng.uniform(0.5, 2, 60))
        self.counts = to(rng.poisson(2.0, 60).astype(float) + 1)


# ---------------------------------------------------------------- estimators


def fitted(estimator, *data, attributes="", methods="", **kwargs):
    estimator.fit(*data, **kwargs)
    found = [getattr(estimator, a) for a in attributes.split()]
    for m in methods.split():
        result = getattr(estimator, m)(data[0])
        found.extend(result if isinstance(result, tuple) else [result])
    return found


@check
def scalers(d):
    from sklearn.preprocessing import MaxAbsScaler, MinMaxScaler, StandardScaler

    return [
        *fitted(StandardScaler(), d.x, attributes="mean_ var_ scale_", methods="transform inverse_transform"),
        *fitted(StandardScaler(with_mean=False), d.x, None, d.weights, attributes="scale_", methods="transform"),
        *fitted(MinMaxScaler(clip=True), d.x, attributes="data_min_ data_max_", methods="transform inverse_transform"),
        *fitted(MaxAbsScaler(), d.x, attributes="max_abs_", methods="transform inverse_transform"),
    ]


@check
def normalizer_and_binarizer(d):
    from sklearn.preprocessing import Binarizer, KernelCenterer, Normalizer, PolynomialFeatures, normalize

    return [
        *(out for norm in ("l1", "l2", "max") for out in fitted(Normalizer(norm), d.x, methods="transform")),
        *fitted(Binarizer(threshold=1.0), d.x, methods="transform"),
        *fitted(KernelCenterer(), d.x @ d.x.T, attributes="K_fit_rows_", methods="transform"),
        *fitted(PolynomialFeatures(2), d.x, methods="transform"),
        normalize(d.x, axis=0),
    ]


@check
def labels(d):
    from sklearn.preprocessing import LabelBinarizer, LabelEncoder, label_binarize

    classes = d.to(np.array([0, 1, 2]))
    return [*fitted(LabelEncoder(), d.labels, attributes="classes_", methods="transform inverse_transform"),
            *fitted(LabelBinarizer(), d.labels, attributes="classes_", methods="transform"),
            label_binarize(d.labels, classes=classes)]


@check
def linear_discriminant_analysis(d):
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

    return fitted(LinearDiscriminantAnalysis(), d.x, d.labels, attributes="means_ priors_ coef_ intercept_",
                  methods="decision_function predict predict_proba predict_log_proba")


@check
def principal_components_by_full_svd(d):
    from sklearn.decomposition import PCA

    pca = PCA(3, svd_solver="full")
    found = fitted(pca, d.x, attributes="components_ explained_variance_ singular_values_ mean_",
                   methods="transform score_samples")
    return [*found, pca.get_covariance(), pca.get_precision(), pca.inverse_transform(pca.transform(d.x)),
            *fitted(PCA("mle", svd_solver="full"), d.x, attributes="explained_variance_ratio_")]


@check
def principal_components_by_covariance(d):
    from sklearn.decomposition import PCA

    return fitted(PCA(2, svd_solver="covariance_eigh", whiten=True), d.x,
                  attributes="components_ explained_variance_ noise_variance_", methods="transform")


@check
def principal_components_by_random_projection(d):
    from sklearn.decomposition import PCA
    from sklearn.utils.extmath import randomized_svd

    pca = PCA(2, svd_solver="randomized", power_iteration_normalizer="QR", random_state=0)
    return [*fitted(pca, d.x, attributes="components_ explained_variance_", methods="transform"),
            *randomized_svd(d.x, 2, power_iteration_normalizer="QR", random_state=0)]


@check
def ridge(d):
    from sklearn.linear_model import Ridge, RidgeClassifier, RidgeClassifierCV, RidgeCV

    return [
        *fitted(Ridge(solver="svd"), d.x, d.target, attributes="coef_ intercept_", methods="predict"),
        *fitted(Ridge(2.0, fit_intercept=False, solver="svd"), d.x, d.targets, attributes="coef_", methods="predict"),
        *fitted(RidgeCV(alphas=[0.1, 1.0, 10.0]), d.x, d.target, attributes="coef_ intercept_", methods="predict"),
        *fitted(RidgeClassifier(solver="svd"), d.x, d.labels, attributes="coef_", methods="predict"),
        *fitted(RidgeClassifierCV(alphas=[0.1, 1.0]), d.x, d.binary, attributes="coef_", methods="predict"),
    ]


@check
def logistic_regression(d):
    from sklearn.linear_model import LogisticRegression

    return [out for y in (d.binary, d.labels) for out in fitted(
        LogisticRegression(solver="lbfgs", tol=1e-10, max_iter=500), d.x, y, attributes="coef_ intercept_",
        methods="predict predict_proba decision_function")]


@check
def poisson_regression(d):
    from sklearn.linear_model import PoissonRegressor

    model = PoissonRegressor(alpha=1.0, tol=1e-10, max_iter=500)
    return [*fitted(model, d.x, d.counts, attributes="coef_", methods="predict"), model.score(d.x, d.counts)]


@check
def naive_bayes_and_nystroem(d):
    from sklearn.kernel_approximation import Nystroem
    from sklearn.naive_bayes import GaussianNB

    return [*fitted(GaussianNB(), d.x, d.labels, attributes="theta_ var_ class_prior_",
                    methods="predict predict_proba predict_log_proba"),
            *fitted(Nystroem(n_components=8, random_state=0), d.x, attributes="components_", methods="transform")]


@check
def gaussian_mixture(d):
    from sklearn.mixture import GaussianMixture

    return [out for kind in ("full", "tied", "diag", "spherical") for out in fitted(
        GaussianMixture(2, covariance_type=kind, init_params="random_from_data", random_state=0), d.x,
        attributes="means_ covariances_ weights_", methods="predict predict_proba score_samples")]


@check
def pipelines_and_searches(d):
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
    from sklearn.linear_model import Ridge
    from sklearn.model_selection import GridSearchCV, cross_val_predict, cross_val_score, train_test_split
    from sklearn.pipeline import make_pipeline, make_union
    from sklearn.preprocessing import MinMaxScaler, StandardScaler

    steps = make_pipeline(StandardScaler(), LinearDiscriminantAnalysis())
    search = GridSearchCV(Ridge(solver="svd"), {"alpha": [0.1, 1.0, 10.0]}, cv=3).fit(d.x, d.target)
    return [*fitted(steps, d.x, d.labels, methods="predict predict_proba"),
            make_union(StandardScaler(), MinMaxScaler()).fit_transform(d.x),
            search.best_params_["alpha"], search.predict(d.x), *cross_val_score(Ridge(solver="svd"), d.x, d.target),
            cross_val_predict(Ridge(solver="svd"), d.x, d.target),
            *train_test_split(d.x, d.labels, random_state=0)]


# ---------------------------------------------------------------- metrics

METRICS = {
    "labels": """accuracy_score balanced_accuracy_score cohen_kappa_score confusion_matrix hamming_loss zero_one_loss
        multilabel_confusion_matrix""",
    "binary": "f1_score jaccard_score precision_score recall_score accuracy_score average_precision_score",
    "many": "accuracy_score hamming_loss zero_one_loss multilabel_confusion_matrix",
    "scores": """average_precision_score brier_score_loss d2_brier_score d2_log_loss_score log_loss det_curve
        precision_recall_curve""",
    "target": """d2_absolute_error_score d2_pinball_score d2_tweedie_score explained_variance_score max_error
        mean_absolute_error mean_absolute_percentage_error mean_pinball_loss mean_squared_error mean_tweedie_deviance
        median_absolute_error r2_score root_mean_squared_error""",
    "positive": """mean_gamma_deviance mean_poisson_deviance mean_squared_log_error root_mean_squared_log_error""",
    "pairs": """pairwise.additive_chi2_kernel pairwise.chi2_kernel pairwise.cosine_distances
        pairwise.cosine_similarity pairwise.euclidean_distances pairwise.laplacian_kernel pairwise.linear_kernel
        pairwise.manhattan_distances pairwise.polynomial_kernel pairwise.rbf_kernel pairwise.sigmoid_kernel
        pairwise_distances pairwise.pairwise_kernels pairwise_distances_argmin""",
    "paired": """pairwise.paired_cosine_distances pairwise.paired_euclidean_distances
        pairwise.paired_manhattan_distances""",
    "clusters": "calinski_harabasz_score davies_bouldin_score",
}


def arguments(kind, d):
    return {
        "labels": (d.labels, d.guesses), "binary": (d.binary, d.binary_guesses), "many": (d.many, d.many_guesses),
        "scores": (d.binary, d.scores), "target": (d.target, d.target + d.targets[:, 0]),
        "positive": (d.positive[:, 0], d.positive[:, 1] + d.scores), "pairs": (d.positive, d.positive[:7, :] + 0.5),
        "paired": (d.x, d.positive), "clusters": (d.x, d.binary),
    }[kind]


def metric(kind, name):
    def run(d):
        from sklearn import metrics

        fn = metrics
        for part in name.split("."):
            fn = getattr(fn, part)
        return [fn(*arguments(kind, d))]

    CHECKS[f"{name} of {kind}"] = run


for _kind, _names in METRICS.items():
    for _name in _names.split():
        metric(_kind, _name)


@check
def averages_of_metrics(d):
    from sklearn import metrics

    found = [fn(d.labels, d.guesses, average=average, sample_weight=d.weights)
             for fn in (metrics.f1_score, metrics.precision_score, metrics.recall_score, metrics.jaccard_score)
             for average in ("micro", "macro", "weighted", None)]
    errors = [fn(d.targets, d.targets + 1, multioutput="raw_values", sample_weight=d.weights)
              for fn in (metrics.r2_score, metrics.mean_squared_error, metrics.mean_absolute_error)]
    return [*found, *errors, metrics.fbeta_score(d.labels, d.guesses, beta=2.0, average="macro"),
            metrics.log_loss(d.labels, d.chances),
            # To drop points in between it would call the namespace's diff(x, n), which the standard has not.
            *metrics.roc_curve(d.binary, d.scores, drop_intermediate=False)]


# ---------------------------------------------------------------- running


def same(ours, theirs, tensor, tolerance):
    if isinstance(theirs, (tuple, list)):
        assert len(ours) == len(theirs)
        return sum(same(x, y, tensor, tolerance) for x, y in zip(ours, theirs))
    if isinstance(theirs, np.ndarray) and theirs.ndim:
        assert isinstance(ours, tensor), f"{type(ours)} instead of a tensor"
        assert tuple(ours.shape) == theirs.shape and ours.dtype.name == theirs.dtype.name
        np.testing.assert_allclose(ours.numpy(), theirs, rtol=tolerance, atol=tolerance)
        return 1
    np.testing.assert_allclose(float(ours), float(theirs), rtol=tolerance, atol=tolerance)
    return 0


def main():
    import sklearn

    from lamella.core import Tensor, array_api

    warnings.simplefilter("error")
    for name, run in CHECKS.items():
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", FutureWarning)
                theirs = run(Data(lambda a: a))
                with sklearn.config_context(array_api_dispatch=True):
                    arrays = same(run(Data(array_api.asarray)), theirs, Tensor, TOLERANCE.get(name, 1e-7))
            print(json.dumps([name, arrays, ""]))
        except Exception:
            print(json.dumps([name, 0, traceback.format_exc()]))


@pytest.fixture(scope="module")
def results():
    pytest.importorskip("sklearn", minversion="1.9")
    environment = {**os.environ, "SCIPY_ARRAY_API": "1"}
    done = subprocess.run([sys.executable, "-W", "error::UserWarning", __file__], capture_output=True, text=True,
                          timeout=300, env=environment)
    assert done.returncode == 0, done.stderr
    return {name: (arrays, error) for name, arrays, error in map(json.loads, done.stdout.splitlines())}


@pytest.mark.parametrize("name", CHECKS)
def test_the_numbers_are_those_of_numpy(results, name):
    _, error = results[name]
    assert not error, error


def test_results_are_tensors(results):
    assert sum(arrays for arrays, _ in results.values()) > 130


if __name__ == "__main__":
    main()
