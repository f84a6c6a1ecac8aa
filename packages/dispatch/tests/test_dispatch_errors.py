"""The form of messages."""

import pytest

from lamella.dispatch.errors import caller_location, caret, did_you_mean, message, nearest


def test_form():
    assert message("mm", "sizes must agree") == "mm: sizes must agree"
    assert message("mm", "sizes must agree", "2, 3") == "mm: sizes must agree (2, 3)"
    assert message("mm", "sizes must agree", [2, 3]) == "mm: sizes must agree (2, 3)"
    assert message("mm", "sizes must agree", {"a": 2, "b": 3}) == "mm: sizes must agree (a=2, b=3)"
    assert message("mm", "r", details=["one", "two"], hint="do") == "mm: r\none\ntwo\nhint: do"


def test_six_lines_at_most():
    cut = message("f", "r", details=[f"line {i}" for i in range(10)], hint="h").split("\n")
    assert cut == ["f: r", "line 0", "line 1", "line 2", "  ... 7 more lines", "hint: h"]
    whole = message("f", "r", details=["1", "2", "3", "4"], hint="h").split("\n")
    assert len(whole) == 6 and "more" not in "".join(whole)
    assert len(message("f", "r", details=list("abcdefg")).split("\n")) == 6


def test_a_hint_is_one_line():
    assert message("f", "r", hint="a\nb") == "f: r\nhint: a b"


@pytest.mark.parametrize(
    ("word", "known", "found"),
    [
        ("derivs", ["func", "derivatives"], "derivatives"),
        ("CPu", ["CPU", "CUDA"], "CPU"),
        ("zzz", ["CPU"], None),
        ("", [], None),
        ("alpah", ["alpha", "beta"], "alpha"),
        ("differentiabl", ["differentiable"], "differentiable"),
    ],
)
def test_nearest(word, known, found):
    assert nearest(word, known) == found


def test_did_you_mean():
    assert did_you_mean("alpah", ["alpha"]) == "did you mean 'alpha'?"
    assert did_you_mean("zz", ["b", "a"]) == "valid: a, b"
    assert did_you_mean("zz", []) == "there are none"
    assert did_you_mean("zz", [f"n{i:02}" for i in range(20)], list_all=2) == "valid: n00, n01, ... (20 in all)"


def test_caret():
    assert caret("abc", 1) == "  abc\n   ^"
    assert caret("abc", 99) == "  abc\n     ^"
    assert caret("a\tb\nc", 4) == "  a b c\n      ^"
    window, mark = caret("x" * 300 + "!" + "y" * 300, 300).split("\n")
    assert window[mark.index("^")] == "!" and window.startswith("  ...") and window.endswith("...")


def test_caller_location():
    assert caller_location(1).startswith(__file__ + ":")
    assert __file__ not in caller_location(1, skip=(__name__,))
    assert caller_location(10_000) == "<unknown>"
