"""Tells the harness which functions will run under mpiexec, so that one job runs them all."""

import inspect

import harness


def pytest_collection_finish(session):
    for item in session.items:
        fn, _, slow, _ = getattr(getattr(item, "function", None), "ranks", (None, (), False, False))
        if fn is not None and item.callspec.params["backend"] == "mpi":
            plan = harness.selected.setdefault((item.callspec.params["size"], slow), {})
            plan.setdefault(inspect.getsourcefile(fn), []).append(fn.__name__)
