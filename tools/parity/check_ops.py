"""Compare the candidate's operators with torch's on torch's own operator database."""
from __future__ import annotations

import dis
import inspect

import numpy as np
import torch
from bridge import HOME, Skip, compare, differentiable, leaves, limit, noted, resolve, short

COLUMNS = ("forward", "grad", "inplace", "out", "errors")
# Values that are random, or not defined by the mathematics: only shape and dtype are compared.
SHAPE_ONLY = {
    "bernoulli", "cauchy", "empty", "empty_like", "empty_permuted", "empty_strided", "exponential", "geometric",
    "log_normal", "multinomial", "new_empty", "new_empty_strided", "normal", "rand_like", "randint", "randint_like",
    "randn", "randn_like", "uniform",
    "nn.functional.fractional_max_pool2d", "nn.functional.fractional_max_pool3d", "pca_lowrank", "svd_lowrank",
    "resize_", "resize_as_",
    # decompositions that are unique only up to sign, phase or order
    "svd", "linalg.svd", "linalg.eig", "linalg.eigh", "qr", "linalg.qr", "geqrf", "linalg.ldl_factor",
    "linalg.ldl_factor_ex", "linalg.ldl_solve", "linalg.eigvals", "linalg.householder_product", "ormqr",
    "hash_tensor",
}
# Not part of what a torch user writes: private helpers, CUDA jiterator, float8 matmul, sparse layouts.
OUT_OF_SCOPE = {
    "jiterator_2inputs_2outputs", "jiterator_4inputs_with_extra_args", "jiterator_binary",
    "jiterator_binary_return_by_ref", "jiterator_unary", "torch._scaled_mm", "torch._scaled_mm_v2",
    "torch.ops.aten._efficient_attention_forward", "torch.ops.aten._flash_attention_forward",
    "torch.ops.aten._safe_softmax.default", "_chunk_cat", "_segment_reduce", "_softmax_backward_data",
    "_unsafe_masked_index", "_unsafe_masked_index_put_accumulate", "_upsample_bilinear2d_aa", "_batch_norm_with_update",
    "_native_batch_norm_legit", "native_batch_norm", "native_dropout_backward", "native_group_norm",
    "native_layer_norm", "max_pool2d_with_indices_backward", "sparse.mm", "sparse.sampled_addmm", "to_sparse",
    "hash_tensor",
    "chalf", "nn.functional.linear_cross_entropy",
}
# The database calls these through a lambda that turns the arguments around.
REORDERED = {"nn.functional.embedding", "nn.functional.embedding_bag"}
DTYPES = ("float32", "float64", "int64", "bool", "complex64")


def candidate_op(bridge, op):
    """What the candidate has for an entry of the database, seeded where the database seeds torch."""
    fn = plain_op(bridge, op)
    if bridge.is_torch or "wrapper_set_seed" not in getattr(getattr(op.op, "__code__", None), "co_names", ()):
        return fn

    def seeded(*args, **kwargs):
        bridge.mod.manual_seed(42)
        return fn(*args, **kwargs)

    return seeded


def plain_op(bridge, op):
    if bridge.is_torch:
        return op.op
    fn = op.op
    if isinstance(fn, torch._ops.OpOverload):
        return resolve(bridge.mod.ops, str(fn))
    name = op.name.split("torch.ops.aten.")[-1]
    if inspect.isfunction(fn) and getattr(fn, "__module__", "").startswith("torch.testing._internal"):
        names = names_in(fn.__code__)
        if "torch" not in names and "wrapper" not in fn.__code__.co_name:
            return fn  # a lambda over methods and operators alone: it runs on any tensor
        if fn.__name__ == "<lambda>" and called_names_exist(bridge, fn):
            return in_place_of_torch(bridge, fn)  # a lambda that turns arguments around or copies them
    for path in (name, name.replace("special.", ""), name.replace("linalg.", "")):
        got = None if name in REORDERED else resolve(bridge.mod, path)
        if callable(got) and not isinstance(got, type):
            return got
    if hasattr(bridge.Tensor, name):
        attr = inspect.getattr_static(bridge.Tensor, name)
        if isinstance(attr, property) or inspect.isgetsetdescriptor(attr):
            return lambda x: getattr(x, name)
        return getattr(bridge.Tensor, name)
    if inspect.isfunction(fn):
        # a Python helper that calls torch by its global name: run it with the candidate in torch's place
        return in_place_of_torch(bridge, fn)
    raise AttributeError(f"no {name}")


def in_place_of_torch(bridge, fn):
    """A function of the database with the candidate under the global name `torch`."""
    g = dict(fn.__globals__)
    g["torch"] = bridge.mod
    return type(fn)(fn.__code__, g, fn.__name__, fn.__defaults__, fn.__closure__)


def names_in(code):
    """The global names and attributes that a function reads, and those that the lambdas in it read."""
    inner = [n for c in code.co_consts if inspect.iscode(c) for n in names_in(c)]
    return [*code.co_names, *inner]


def called_names_exist(bridge, fn):
    """Whether the candidate has what the lambda reads from `torch`: the chains of attributes after that name."""
    steps = list(dis.get_instructions(fn))
    for at, step in enumerate(steps):
        if step.opname == "LOAD_GLOBAL" and step.argval == "torch":
            chain = []
            for after in steps[at + 1 :]:
                if after.opname not in ("LOAD_ATTR", "LOAD_METHOD"):
                    break
                chain.append(after.argval)
            if resolve(bridge.mod, ".".join(chain)) is None:
                return False
    return True


def run(fn, sample, bridge=None):
    if bridge is None:
        return fn(sample.input, *sample.args, **sample.kwargs), None
    memo = {}
    a = bridge.give(sample.input, memo)
    args = bridge.give(tuple(sample.args), memo)
    kwargs = bridge.give(dict(sample.kwargs), memo)
    return fn(a, *args, **kwargs), memo


def reference(op, sample):
    """What torch gives for this sample, on inputs that made the same trip through NumPy as the candidate's."""
    return run(op.op, sample, HOME)[0]


def grads_torch(op, sample):
    out, memo = run(op.op, sample, HOME)
    outs = differentiable(sample.output_process_fn_grad(out), torch.Tensor, ("float64",))
    ins = [x for x in leaves((sample.input, sample.args, list(sample.kwargs.values())),
                             lambda y: isinstance(y, torch.Tensor))
           if isinstance(x, torch.Tensor) and x.requires_grad]
    if not outs or not ins:
        return None
    gen = np.random.default_rng(0)
    cots = [torch.from_numpy(np.asarray(gen.standard_normal(tuple(o.shape)))) for o in outs]
    return ins, torch.autograd.grad(outs, [memo[id(x)] for x in ins], cots, allow_unused=True), cots


def grads_candidate(bridge, fn, sample, ins, cots):
    out, memo = run(fn, sample, bridge)
    out = sample.output_process_fn_grad(out)
    outs = differentiable(out, bridge.Tensor, ("float64",))
    mine = [memo[id(x)] for x in ins]
    give = [bridge.mod.from_numpy(c.numpy().copy()) for c in cots]
    if len(give) != len(outs):
        return f"{len(outs)} differentiable outputs instead of {len(give)}", None
    return None, bridge.mod.autograd.grad(outs, mine, give, allow_unused=True)


class OpCheck:
    """The five columns of one entry of the operator database."""

    def __init__(self, bridge, op, fn, samples, seconds):
        self.bridge, self.op, self.fn = bridge, op, fn
        self.samples, self.seconds = samples, seconds
        self.shape_only = op.name in SHAPE_ONLY
        self.res = dict.fromkeys(COLUMNS)

    def cases(self, dtype, grad=False):
        torch.manual_seed(0)
        for n, sample in enumerate(self.op.sample_inputs("cpu", dtype, requires_grad=grad)):
            if n == self.samples:
                return
            yield sample

    def guard(self, column, body):
        """Run `body` (None: holds, "n/a": does not apply, else what failed) and note the outcome under `column`."""
        try:
            with limit(self.seconds):
                said = body()
            if said is None:
                self.res[column] = True if self.res[column] is None else self.res[column]
            elif said != "n/a":
                self.res[column] = said
        except Skip:
            pass
        except Exception as e:  # whatever the candidate raises is a result
            self.res[column] = noted(e)

    def given(self, sample, bridge):
        memo = {}
        a = bridge.give(sample.input, memo)
        return a, bridge.give(tuple(sample.args), memo), bridge.give(dict(sample.kwargs), memo)

    def all(self):
        op = self.op
        for name in DTYPES:
            d = getattr(torch, name)
            if d in op.dtypes and self.res["forward"] in (None, True):
                self.guard("forward", lambda d=d: self.forward(d))
        f64 = torch.float64 in op.dtypes
        if op.supports_autograd and f64:
            self.guard("grad", self.grad)
        named = getattr(op.inplace_variant, "__name__", "<lambda>") != "<lambda>"
        if op.inplace_variant is not None and named and f64:
            self.guard("inplace", self.inplace)
        if op.supports_out and f64:
            self.guard("out", self.out)
        if op.error_inputs_func is not None:
            self.guard("errors", self.errors)
        return self.res

    def forward(self, dtype):
        tol = (1e-4, 1e-5) if dtype in (torch.float32, torch.complex64) else (1e-7, 1e-8)
        some = False
        for k, s in enumerate(self.cases(dtype)):
            try:
                want = reference(self.op, s)
            except Exception:  # torch itself refuses this sample here
                continue
            try:
                got, _ = run(self.fn, s, self.bridge)
                said = compare(self.bridge, want, got, self.shape_only, tol)
            except Skip:
                continue
            some = True
            if said:
                return f"{dtype} sample {k}: {said}"
        return None if some else "n/a"

    def grad(self):
        some = False
        for k, s in enumerate(self.cases(torch.float64, True)):
            try:
                t = grads_torch(self.op, s)
            except Exception:  # torch itself refuses this sample here
                continue
            if t is None:
                continue
            ins, want, cots = t
            try:
                said, got = grads_candidate(self.bridge, self.fn, s, ins, cots)
            except Skip:
                continue
            some = True
            said = said or self.differing_gradient(want, got)
            if said:
                return f"sample {k}: {said}"
        return None if some else "n/a"

    def differing_gradient(self, want, got):
        name = self.op.name
        for i, (a, b) in enumerate(zip(want, got)):
            if (a is None) != (b is None):
                if not np.any(self.bridge.numpy(a if a is not None else b)):
                    continue
                return f"gradient {i} is {'missing' if b is None else 'there'}"
            if a is None or self.shape_only and name.split(".")[0] != "linalg":
                continue
            if self.shape_only:
                if tuple(a.shape) != tuple(b.shape):
                    return f"gradient {i} has shape {tuple(b.shape)}"
                continue
            x, y = self.bridge.numpy(a), self.bridge.numpy(b)
            if x.shape != y.shape or not np.allclose(y, x, rtol=1e-6, atol=1e-7, equal_nan=True):
                return f"gradient {i} differs"
        return None

    def inplace(self):
        name = self.op.inplace_variant.__name__
        some = False
        for k, s in enumerate(self.cases(torch.float64)):
            if s.broadcasts_input or not isinstance(s.input, torch.Tensor):
                continue
            try:
                want, _ = run(self.op.inplace_variant, s, HOME)
            except Exception:  # torch itself refuses this sample here
                continue
            a, args, kwargs = self.given(s, self.bridge)
            got = getattr(a, name)(*args, **kwargs)
            some = True
            if got is not a:
                return f"sample {k}: {name} does not return its input"
            said = compare(self.bridge, want, got, self.shape_only, (1e-7, 1e-8))
            if said:
                return f"{name} sample {k}: {said}"
        return None if some else "n/a"

    def out(self):
        some, tol = False, (1e-7, 1e-8)
        for k, s in enumerate(self.cases(torch.float64)):
            try:
                base = reference(self.op, s)
                if not isinstance(base, torch.Tensor):
                    return "n/a"
                a, args, kwargs = self.given(s, HOME)
                torch_out = self.op.op(a, *args, out=torch.full_like(base, 1), **kwargs)
            except Exception:  # torch itself refuses this sample here
                continue
            if compare(HOME, base, torch_out, self.shape_only, tol):
                continue  # torch's own out= form disagrees with itself here
            a, args, kwargs = self.given(s, self.bridge)
            target = self.bridge.give(torch.full_like(base, 1))
            got = self.fn(a, *args, out=target, **kwargs)
            some = True
            if got is not target:
                return f"sample {k}: out= is not what is returned"
            said = compare(self.bridge, base, target, self.shape_only, tol)
            if said:
                return f"out= sample {k}: {said}"
            if k >= 3:
                break
        return None if some else "n/a"

    def errors(self):
        try:
            cases = list(self.op.error_inputs("cpu"))
        except Exception:  # the database cannot make them here
            return "n/a"
        some = False
        for k, e in enumerate(cases):
            try:
                reference(self.op, e.sample_input)
                continue  # once carried across, torch accepts it too (its fault was in the strides)
            except Exception as x:
                if "not resizable" in str(x):  # torch says so of NumPy's memory; the fault was in sharing it
                    continue
            try:
                a, args, kwargs = self.given(e.sample_input, self.bridge)
            except Exception:  # not something the candidate can be handed
                continue
            some = True
            try:
                self.fn(a, *args, **kwargs)
            except e.error_type:
                continue
            except Exception as x:
                return f"error case {k}: {type(x).__name__} instead of {e.error_type.__name__}"
            return f"error case {k}: accepted, torch says: {e.error_regex[:80]}"
        return None if some else "n/a"


def check_op(bridge, op, samples, seconds):
    """column -> None (does not apply), True, or a line that says what failed."""
    try:
        fn = candidate_op(bridge, op)
    except AttributeError as e:
        res = dict.fromkeys(COLUMNS)
        res["forward"] = short(e)
        if op.supports_autograd:
            res["grad"] = short(e)
        return res
    return OpCheck(bridge, op, fn, samples, seconds).all()


def merge(a, b):
    """Several database entries share a name; a name holds only if all of them do."""
    out = {}
    for k in set(a) | set(b):
        x, y = a.get(k), b.get(k)
        out[k] = y if x is None or (x is True and y is not None) else x
    return out


def names(args):
    """The names of the database that are in scope, in its order."""
    from torch.testing._internal.common_methods_invocations import op_db

    found = dict.fromkeys(op.name for op in op_db if op.name not in OUT_OF_SCOPE)
    return [n for n in found if not args.only or n in args.only]


def rows(bridge, args, chosen):
    """name -> columns, for the names in `chosen`."""
    from torch.testing._internal.common_methods_invocations import op_db

    chosen, out = set(chosen), {}
    for op in op_db:
        if op.name in chosen:
            r = check_op(bridge, op, args.samples, args.seconds)
            out[op.name] = merge(out[op.name], r) if op.name in out else r
    return out
