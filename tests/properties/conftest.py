"""How the properties run: a few examples in every test run, thousands where `slow` tests run, and on torch itself.

Examples are the same in every run (`derandomize`), so a difference that one machine finds every machine finds.
`LAMELLA_PROPERTIES=random` draws others, to look for more.
"""

import importlib.util
import os
from collections import Counter

import pytest

if importlib.util.find_spec("hypothesis") is None:
    collect_ignore_glob = ["test_*.py"]
else:
    from hypothesis import HealthCheck, given, settings, strategies as st

    settings.register_profile("properties", derandomize=os.environ.get("LAMELLA_PROPERTIES") != "random", database=None,
                              deadline=None, print_blob=True, suppress_health_check=list(HealthCheck))

#: profile -> the number of examples that held
HELD: Counter = Counter()


class Run:
    """Checks a property on examples.

    Attributes:
        lib: the library that is asked: lamella.torch, or torch where the stated rules themselves are on trial.
    """

    def __init__(self, name, profile, lib):
        self.name = name
        self.profile = profile
        self.lib = lib
        self.is_torch = profile == "torch"

    def __call__(self, check, *strategies, quick=15, full=1000):
        """Call `check` with examples drawn from the strategies."""
        count = full if self.profile == "full" else quick

        def example(drawn):
            check(*drawn)
            HELD[self.profile] += 1

        example.__name__ = example.__qualname__ = self.name  # the examples depend on the name alone
        settings(settings.get_profile("properties"), max_examples=count)(given(st.tuples(*strategies))(example))()


@pytest.fixture(params=["quick", pytest.param("full", marks=pytest.mark.slow),
                        pytest.param("torch", marks=pytest.mark.torch)])
def run(request):
    """A property's runner, for each profile."""
    if request.param == "torch":
        if importlib.util.find_spec("torch") is None:
            pytest.skip("torch is not installed")
        import torch
    else:
        from lamella import torch
    return Run(request.function.__name__, request.param, torch)


def pytest_terminal_summary(terminalreporter):
    if HELD:
        parts = ", ".join(f"{n} {profile}" for profile, n in sorted(HELD.items()))
        terminalreporter.write_line(f"examples of properties that held: {parts}")
