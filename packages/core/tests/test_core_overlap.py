"""Writing into memory that is read in the same call: refused where torch refuses it, right elsewhere."""

import pytest

from lamella import core
from lamella.core import dtypes as dt

PAIRS = "add_ sub_ mul_ div_ pow_ atan2_ fmod_ remainder_ hypot_ eq_ lt_ logical_and_ nextafter_ floor_divide_ copy_"
ALONE = "sin_ sqrt_ neg_ abs_ exp_ floor_ round_ erf_ relu_ uniform_ normal_ bernoulli_"
OUTS = "add mul atan2 maximum pow div"


def halves(n=6):
    whole = core.arange(n + 1.0) + 1
    return whole[:-1], whole[1:]


@pytest.mark.parametrize("name", PAIRS.split())
def test_operands_that_overlap_in_part_are_refused(name):
    a, b = halves()
    before = a.tolist()
    with pytest.raises(RuntimeError, match="single memory location"):
        getattr(a, name)(b)
    assert a.tolist() == before
    getattr(a, name)(a)  # the same elements are no clash


@pytest.mark.parametrize("name", PAIRS.split() + ALONE.split())
def test_expanded_tensors_are_not_written(name):
    t = core.ones(1).expand(6)
    with pytest.raises(RuntimeError, match="single memory location"):
        getattr(t, name)(*([core.ones(6)] if name in PAIRS.split() else []))


@pytest.mark.parametrize("name", OUTS.split())
def test_out_that_overlaps_in_part_is_refused(name):
    a, b = halves()
    with pytest.raises(RuntimeError, match="single memory location"):
        getattr(core, name)(a, a, out=b)
    assert getattr(core, name)(a, a, out=a) is a


@pytest.mark.parametrize(
    "call",
    [
        lambda a, b: a.addcmul_(b, b),
        lambda a, b: a.lerp_(b, 0.5),
        lambda a, b: a.clamp_(b),
        lambda a, b: a.index_add_(0, core.arange(6), b),
        lambda a, b: a.index_copy_(0, core.arange(6), a),
        lambda a, b: a.scatter_(0, core.arange(6), a),
        lambda a, b: a.scatter_add_(0, core.arange(6), b),
        lambda a, b: a.put_(core.arange(6), b),
        lambda a, b: core.where(a > 0, a, a, out=b),
        lambda a, b: core.clamp(a, 0, 1, out=b),
        lambda a, b: core.index_select(a, 0, core.arange(6), out=b),
        lambda a, b: core.stack([a[0], b[0]], out=a[:2]),
        lambda a, b: core.gather(a, 0, core.arange(2), out=a[:1]),
        lambda a, b: core.cat([b[:2], b[2:4]], out=a[:0]),
        lambda a, b: core.topk(b, 2, out=(b[:2], core.empty(2, dtype=dt.int64))),
    ],
)
@pytest.mark.filterwarnings("ignore:.*was resized")
def test_other_writers_refuse_shared_memory(call):
    a, b = halves()
    before = a.tolist()
    with pytest.raises(RuntimeError, match="single memory location"):
        call(a, b)
    assert a.tolist() == before


def test_strided_parts_are_let_through_and_right():
    t = core.arange(8).reshape(2, 4).clone()
    t[:, 1:3] += t[:, 0:2]
    assert t.tolist() == [[0, 1, 3, 3], [4, 9, 11, 7]]
    t = core.arange(8)
    t[::2].add_(t[1::2])
    assert t.tolist() == [1, 1, 5, 3, 9, 5, 13, 7]


def test_square_matrix_and_its_transpose():
    t = core.arange(9.0).reshape(3, 3).clone()
    with pytest.raises(RuntimeError, match="single memory location"):
        t.add_(t.t())


def test_out_is_resized_within_its_memory():
    t = core.arange(4.0)
    core.add(core.ones(2), 1, out=t[:0])
    assert t.tolist() == [2, 2, 2, 3]
