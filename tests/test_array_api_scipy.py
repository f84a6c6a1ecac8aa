"""SciPy with SCIPY_ARRAY_API=1 on lamella's tensors: the numbers are those it gets on NumPy's arrays.

SciPy reads the variable when it is imported, so this file runs itself in a process that has it set; a line of JSON for
each check comes back.
"""

import importlib
import json
import os
import subprocess
import sys
import traceback
import warnings

import numpy as np
import pytest


class Data:
    """Arrays that ``to`` makes, by what they hold."""

    def __init__(self, to):
        rng = np.random.default_rng(3)
        self.to = to
        self.unit = to(rng.uniform(0.05, 0.95, (3, 5)))
        self.other = to(rng.uniform(0.05, 0.95, (3, 5)))
        self.positive = to(rng.uniform(0.5, 5.0, (4, 12)))
        self.x = to(rng.normal(size=40))
        self.y = to(rng.normal(size=40) + 0.5)
        self.z = to(np.sin(np.arange(40) / 3.0) + 1j * np.cos(np.arange(40)))
        self.matrix = to(rng.normal(size=(20, 3)))
        self.codes = to(rng.normal(size=(4, 3)))
        self.counts = to(np.array([16.0, 18.0, 16.0, 14.0, 12.0, 12.0]))
        self.whole = to(np.arange(1.0, 7.0))
        self.image = to(rng.normal(size=(9, 11)))


#: What to call with which of Data's arrays and keywords; after a colon another argument, first if it has a name.
TABLE = [
    ("special", """erf erfc erfcx erfinv expit logit log_ndtr ndtr ndtri entr gammaln gamma rgamma gammasgn psi i0 i0e
        i1 i1e j0 j1 k0 k0e k1 k1e y0 y1 cbrt exp2 exp10 exprel expi exp1 sinc cosm1 sindg cosdg tandg cotdg spence
        ellipk ellipkm1 zetac loggamma logsumexp softmax log_softmax""", ["unit"], {}),
    ("special", "logsumexp softmax log_softmax", ["unit"], {"axis": 0}),
    ("special", """xlogy xlog1py rel_entr kl_div gammainc gammaincc gammaincinv gammainccinv betaln binom poch huber
        pseudo_huber boxcox boxcox1p inv_boxcox inv_boxcox1p chdtr chdtrc chdtri stdtr""", ["unit", "other"], {}),
    ("special", "betainc betaincc betaincinv fdtr fdtrc gdtr gdtrc hyp1f1 radian", ["unit", "other", "unit"], {}),
    ("stats", """zscore gzscore skew kurtosis gmean hmean sem moment variation gstd tstd tmean tvar tsem tmin tmax
        describe iqr kstat kstatvar entropy boxcox_llf:lmb=1 rankdata""", ["positive"], {}),
    ("stats", "zscore skew kurtosis gmean hmean sem variation gstd rankdata entropy iqr", ["positive"], {"axis": 1}),
    ("stats", "skew kurtosis", ["positive"], {"axis": None, "bias": False}),
    ("stats", "jarque_bera skewtest kurtosistest normaltest differential_entropy", ["x"], {}),
    ("stats", """ttest_ind ttest_rel pearsonr mannwhitneyu bartlett levene fligner f_oneway kruskal ranksums
        spearmanr""", ["x", "y"], {}),
    ("stats", "directional_stats", ["matrix"], {}),
    ("stats", "circmean circvar circstd", ["unit"], {}),
    ("stats", "chisquare power_divergence", ["counts"], {}),
    ("fft", "fft ifft fftn ifftn fftshift ifftshift", ["z"], {}),
    ("fft", "rfft ihfft rfftn dct dst idct idst dctn dstn idctn", ["x"], {}),
    ("fft", "hfft irfft irfftn", ["z"], {}),
    ("fft", "fft2 ifft2 rfft2", ["image"], {}),
    ("signal", "detrend hilbert envelope", ["x"], {}),
    ("signal", "fftconvolve oaconvolve", ["x", "y"], {"mode": "same"}),
    ("signal", "medfilt", ["x"], {}),
    ("cluster.vq", "whiten", ["matrix"], {}),
    ("cluster.vq", "vq", ["matrix", "codes"], {}),
    ("ndimage", """gaussian_filter:1.0 uniform_filter maximum_filter:3 sobel laplace gaussian_laplace:1.0 label
        distance_transform_edt rotate:30.0 zoom:2.0 spline_filter""", ["image"], {}),
    ("integrate", "trapezoid simpson cumulative_trapezoid cumulative_simpson", ["x"], {}),
    ("linalg", "orthogonal_procrustes", ["matrix", "matrix"], {}),
    ("constants", "lambda2nu nu2lambda", ["positive"], {}),
    ("optimize", "rosen rosen_der rosen_hess", ["whole"], {}),
]
CHECKS = {}


def check(fn):
    CHECKS[fn.__name__] = fn
    return fn


def call(module, name, data, keywords):
    name, _, extra = name.partition(":")
    keywords = dict(keywords)
    arguments = []
    if "=" in extra:
        keywords[extra.partition("=")[0]] = float(extra.partition("=")[2])
    elif extra:
        arguments.append(float(extra) if "." in extra else int(extra))
    leading = keywords.pop("lmb", None)

    def run(d):
        given = ([] if leading is None else [leading]) + [getattr(d, a) for a in data] + arguments
        return getattr(importlib.import_module(f"scipy.{module}"), name)(*given, **keywords)

    CHECKS[" ".join([f"{module}.{name}", *data, *map(str, keywords.values())])] = run


for _module, _names, _data, _keywords in TABLE:
    for _name in _names.split():
        call(_module, _name, _data, _keywords)


@check
def windows(d):
    from scipy.signal import windows

    xp = d.to(np.ones(1)).__array_namespace__()
    names = "boxcar triang parzen bohman blackman nuttall flattop bartlett hann barthann hamming cosine lanczos".split()
    return [getattr(windows, name)(9, xp=xp) for name in names] + [windows.kaiser(9, 3.0, xp=xp)]


@check
def filters(d):
    from scipy import signal

    b, a = d.to(np.array([0.2, 0.3])), d.to(np.array([1.0, -0.4]))
    sos = d.to(signal.butter(4, 0.2, output="sos"))
    return [signal.lfilter(b, a, d.x), signal.filtfilt(b, a, d.x), signal.sosfilt(sos, d.x), signal.freqz(b, a),
            signal.sosfiltfilt(sos, d.x), signal.tf2zpk(b, a), signal.lfilter_zi(b, a)]


@check
def resampling_of_signals(d):
    from scipy import signal

    return [signal.resample(d.x, 30), signal.resample_poly(d.x, 3, 2)]


@check
def hierarchies(d):
    from scipy.cluster import hierarchy

    tree = hierarchy.linkage(d.matrix, "average")
    return [tree, hierarchy.fcluster(tree, 3, "maxclust"), hierarchy.inconsistent(tree), hierarchy.leaves_list(tree),
            hierarchy.maxdists(tree)]


@check
def clusters(d):
    from scipy.cluster import vq

    return [vq.kmeans(d.matrix, d.matrix[:3, :]), vq.kmeans2(d.matrix, d.matrix[:3, :], minit="matrix")]


@check
def integrals_and_derivatives(d):
    from scipy.differentiate import derivative, hessian, jacobian
    from scipy.integrate import cubature, nsum, tanhsinh

    xp = d.unit.__array_namespace__()
    at = d.to(np.array([0.5, 1.0]))
    low, high = d.to(np.array([0.0, 0.0])), d.to(np.array([1.0, 2.0]))
    return [derivative(xp.exp, at).df, jacobian(lambda x: xp.sin(x), at).df,
            hessian(lambda x: xp.sum(x**3, axis=0), at).ddf, tanhsinh(xp.exp, low, high).integral,
            cubature(lambda x: xp.prod(xp.sin(x), axis=-1), low, high).estimate,
            nsum(lambda k: 1 / k**2, d.to(np.array([1.0])), d.to(np.array([40.0]))).sum]


@check
def roots_and_minima(d):
    from scipy.optimize import elementwise

    low, high = d.to(np.array([0.0, 1.0])), d.to(np.array([3.0, 4.0]))
    root = elementwise.find_root(lambda x: x**2 - 2, (low, high))
    bracket = elementwise.bracket_root(lambda x: x - 7, low, high)
    middle = d.to(np.array([1.0, 2.0]))
    least = elementwise.find_minimum(lambda x: (x - 1.5) ** 2, (low, middle, high))
    return [root.x, *bracket.bracket, least.x]


@check
def interpolation(d):
    from scipy.interpolate import BSpline, CubicSpline, RBFInterpolator, make_interp_spline

    points = d.to(np.arange(40.0))
    at = d.to(np.linspace(1, 30, 7))
    spline = make_interp_spline(points, d.x)
    return [CubicSpline(points, d.x)(at), spline(at), spline.derivative()(at),
            BSpline(spline.t, spline.c, 3)(at), RBFInterpolator(d.matrix, d.x[:20])(d.codes)]


@check
def rotations(d):
    from scipy.spatial.transform import Rotation, Slerp

    r = Rotation.from_rotvec(d.codes)
    return [r.as_matrix(), r.as_quat(), r.as_euler("xyz"), r.apply(d.codes), (r * r.inv()).magnitude(),
            r.mean().as_quat(), Slerp(d.to(np.arange(4.0)), r)(d.to(np.array([0.5, 2.5]))).as_quat()]


@check
def resampled_statistics(d):
    from scipy import stats

    def statistic(x, y, axis):
        xp = x.__array_namespace__()
        return xp.mean(x, axis=axis) - xp.mean(y, axis=axis)

    found = stats.permutation_test((d.x, d.y), statistic, n_resamples=99, vectorized=True, rng=np.random.default_rng(1))
    ends = stats.bootstrap((d.x, d.y), statistic, n_resamples=99, vectorized=True, method="percentile",
                           rng=np.random.default_rng(1)).confidence_interval
    return [found.statistic, found.pvalue, ends.low, ends.high]


# ---------------------------------------------------------------- running


def parts(x):
    """What a result holds: its arrays and numbers, in order."""
    if isinstance(x, (tuple, list)):
        return [p for y in x for p in parts(y)]
    if hasattr(x, "_fields") or hasattr(x, "_asdict"):
        return [p for y in x._asdict().values() for p in parts(y)]
    if hasattr(x, "statistic"):
        return parts([x.statistic, x.pvalue])
    if type(x).__name__ == "DirectionalStats":
        return parts([x.mean_direction, x.mean_resultant_length])
    return [x]


def same(ours, theirs, tensor):
    ours, theirs = parts(ours), parts(theirs)
    assert len(ours) == len(theirs)
    arrays = 0
    for x, y in zip(ours, theirs):
        if isinstance(y, np.ndarray) and y.ndim:
            assert isinstance(x, tensor), f"{type(x)} instead of a tensor"
            assert tuple(x.shape) == y.shape and x.dtype.name == y.dtype.name
            arrays += 1
        np.testing.assert_allclose(np.asarray(x), y, rtol=1e-9, atol=1e-11)
    return arrays


def main():
    from lamella.core import Tensor, array_api, float64, set_default_dtype

    set_default_dtype(float64)  # as SciPy's own tests do for torch: so that the numbers it makes itself are as NumPy's
    warnings.simplefilter("error")
    for name, run in CHECKS.items():
        try:
            theirs = run(Data(lambda a: a))
            print(json.dumps([name, same(run(Data(array_api.asarray)), theirs, Tensor), ""]))
        except Exception:
            print(json.dumps([name, 0, traceback.format_exc()]))


@pytest.fixture(scope="module")
def results():
    pytest.importorskip("scipy", minversion="1.17")
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
    assert sum(arrays for arrays, _ in results.values()) > 200


AS_TORCH = """
import numpy as np
import sklearn
import torch
from scipy import signal, special, stats
from sklearn.decomposition import PCA
from sklearn.linear_model import LogisticRegression

sklearn.set_config(array_api_dispatch=True)
a = np.random.default_rng(0).normal(size=(60, 3))
x, y = torch.from_numpy(a), torch.from_numpy((a[:, 0] > 0).astype(np.int64))
labels = LogisticRegression().fit(x, y).predict(x)
assert isinstance(labels, torch.Tensor) and torch.equal(labels, torch.from_numpy(
    LogisticRegression().fit(a, y.numpy()).predict(a)))
pairs = [(PCA(2, svd_solver="full").fit(x).components_, PCA(2, svd_solver="full").fit(a).components_),
         (stats.zscore(x), stats.zscore(a)), (stats.skew(x), stats.skew(a)),
         (special.logsumexp(x), special.logsumexp(a)), (special.expit(x), special.expit(a)),
         (signal.correlate(x[:, 0], x[:, 1]), signal.correlate(a[:, 0], a[:, 1]))]
for ours, theirs in pairs:
    torch.testing.assert_close(ours, torch.as_tensor(theirs))
"""


def test_as_torch_under_lamella_run(tmp_path):
    """The libraries take lamella for torch then, through what they know of torch, and not through the namespace."""
    pytest.importorskip("sklearn", minversion="1.9")
    script = tmp_path / "script.py"
    script.write_text(AS_TORCH)
    command = [sys.executable, "-W", "error::UserWarning", "-m", "lamella.cli", "run", str(script)]
    environment = {**os.environ, "SCIPY_ARRAY_API": "1"}
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, env=environment)
    assert done.returncode == 0, done.stderr


if __name__ == "__main__":
    main()
