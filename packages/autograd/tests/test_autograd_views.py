"""In-place operations: what is refused, and history through views."""

import pytest

from lamella import core as T
from lamella.autograd import grad, no_grad


def leaf(*values):
    return T.tensor(list(values), requires_grad=True)


def test_leaves_are_refused():
    x = leaf(1.0, 2.0)
    with pytest.raises(RuntimeError, match="add_: a leaf Variable that requires grad is being used in an in-place "
                                           "operation"):
        x.add_(1)
    with pytest.raises(RuntimeError, match="a view of a leaf Variable that requires grad"):
        x[0].add_(1)
    with pytest.raises(RuntimeError, match="a view of a leaf Variable that requires grad"):
        x[0] = 3.0
    assert x.tolist() == [1.0, 2.0]
    with no_grad():
        x.add_(1)
        x[0] = 9.0
    assert x.tolist() == [9.0, 3.0] and x.is_leaf


def test_inplace_on_a_computed_tensor():
    x = leaf(1.0, 2.0)
    y = x * 3
    y.mul_(x).add_(1)
    assert y.grad_fn.name() == "AddBackward0"
    y.sum().backward()
    assert x.grad.tolist() == [6.0, 12.0]


def test_inplace_with_a_gradient_into_a_plain_tensor():
    x, buffer = leaf(1.0, 2.0), T.zeros(2)
    buffer.add_(x)
    buffer.mul_(x)
    buffer.sum().backward()
    assert x.grad.tolist() == [2.0, 4.0]


def test_writing_rows_of_a_buffer():
    x = leaf(1.0, 2.0)
    out = T.zeros(3, 2)
    for i in range(3):
        out[i] = x * (i + 1)
    assert out.grad_fn.name() == "CopySlices"
    (out * T.tensor([[1.0, 1.0], [10.0, 10.0], [100.0, 100.0]])).sum().backward()
    assert x.grad.tolist() == [321.0, 321.0]


def test_base_history_is_rebased():
    x, w = leaf(1.0, 2.0, 3.0, 4.0), leaf(5.0)
    y = x * 2
    v = y[1:3]
    v.mul_(w)
    assert y.tolist() == [2.0, 20.0, 30.0, 8.0]
    assert y.grad_fn.name() == "CopySlices" and v.grad_fn.name() == "AsStridedBackward0"
    y.sum().backward()
    assert x.grad.tolist() == [2.0, 10.0, 10.0, 2.0] and w.grad.tolist() == [10.0]


def test_the_view_itself_has_the_new_history():
    x, w = leaf(1.0, 2.0, 3.0, 4.0), leaf(5.0)
    y = x * 2
    v = y[1:3]
    v.mul_(w)
    (v * v).sum().backward()
    assert x.grad.tolist() == [0.0, 2 * 20.0 * 10.0, 2 * 30.0 * 10.0, 0.0]
    assert w.grad.tolist() == [2 * 20.0 * 4.0 + 2 * 30.0 * 6.0]


def test_other_views_see_the_write():
    x, w = leaf(1.0, 2.0, 3.0, 4.0), T.tensor(5.0, requires_grad=True)
    y = x * 2
    other = y.view(2, 2)
    y[0].mul_(w)
    other.sum().backward()
    assert x.grad.tolist() == [10.0, 2.0, 2.0, 2.0] and w.grad.item() == 2.0


def test_views_of_a_tensor_that_is_written_to_later():
    x, w = leaf(1.0, 2.0), leaf(3.0)
    y = x * 2
    v = y[0]
    y.mul_(w)
    v.backward()
    assert x.grad.tolist() == [6.0, 0.0] and w.grad.tolist() == [2.0]


def test_plain_views_start_to_require_grad():
    w, y = leaf(3.0), T.ones(2, 2)
    v, row = y.t(), y[0]
    row.mul_(w)
    assert y.requires_grad and v.requires_grad
    v.sum().backward()
    assert w.grad.tolist() == [2.0]


def test_expanded_view_sums_its_gradient():
    w, y = leaf(3.0), T.ones(2, 1)
    wide = y.expand(2, 4)
    y.mul_(w)
    wide.sum().backward()
    assert w.grad.tolist() == [8.0]


def test_view_of_a_view_in_another_order():
    x, w = T.arange(6.0).reshape(2, 3).requires_grad_(), leaf(2.0)
    y = x * 1
    y.t()[1:].mul_(w)
    (y * T.arange(6.0).reshape(2, 3)).sum().backward()
    assert x.grad.tolist() == [[0.0, 2.0, 4.0], [3.0, 8.0, 10.0]]
    assert w.grad.tolist() == [1.0 + 4.0 + 16.0 + 25.0]


def test_double_backward_through_a_view_write():
    x = leaf(2.0, 3.0)
    y = x * x
    y[0].mul_(x[1])
    (g,) = grad(y.sum(), x, create_graph=True)
    assert g.tolist() == [2 * 2.0 * 3.0, 4.0 + 6.0]
    (h,) = grad(g.sum(), x)
    assert h.tolist() == [6.0 + 4.0, 4.0 + 2.0]


def test_multi_output_views_are_refused():
    y = leaf(1.0, 2.0, 3.0, 4.0) * 1
    a, _ = y.chunk(2)
    with pytest.raises(RuntimeError, match=r"add_: Output 0 of SplitBackward0 is a view and is being modified "
                                           r"inplace(.|\n)*clone"):
        a.add_(1)
    for piece in y.unbind():
        with pytest.raises(RuntimeError, match="UnbindBackward0"):
            piece.mul_(2)
    a.clone().add_(1)


def test_view_made_under_no_grad_is_refused():
    y, w = leaf(1.0, 2.0) * 1, leaf(3.0)
    with no_grad():
        v = y[0]
    with pytest.raises(RuntimeError, match="a view was created in no_grad mode"):
        v.mul_(w[0])


def test_detached_memory_is_version_checked():
    x = leaf(1.0, 2.0)
    y = x * 1
    z = y * y
    y.detach().add_(1)
    with pytest.raises(RuntimeError, match=r"is at version 1; expected version 0(.|\n)*saved by "
                                           r"MulBackward0(.|\n)*add_"):
        z.sum().backward()


def test_own_output_overwritten():
    y = leaf(1.0).exp()
    y.add_(1)
    with pytest.raises(RuntimeError, match=r"saved by ExpBackward0 as its own output(.|\n)*overwritten by add_"):
        y.backward()


def test_detach_():
    x = leaf(1.0)
    y = x * 2
    y.detach_()
    assert y.is_leaf and not y.requires_grad
    with pytest.raises(RuntimeError, match="Can't detach views in-place"):
        (x * 2)[0:1].detach_()


def test_detached_view_may_be_written_to():
    x, w = leaf(1.0, 2.0) * 1, leaf(3.0)
    d = x.detach()
    assert d._base is None
    d.mul_(w)
    d.sum().backward()
    assert w.grad.tolist() == [3.0]


def test_retain_grad_follows_an_inplace_operation():
    x = leaf(1.0, 2.0)
    y = x * 3
    y.retain_grad()
    y.mul_(2)
    y.sum().backward()
    assert y.grad.tolist() == [1.0, 1.0] and x.grad.tolist() == [6.0, 6.0]


def test_real_view_of_complex():
    z = T.tensor([1 + 2j, 3 + 4j], requires_grad=True)
    y = z * 1
    T.view_as_real(y)[0].mul_(3.0)
    (y * y.conj()).real.sum().backward()
    assert z.grad.tolist() == [18 + 36j, 6 + 8j]


def test_failed_write_leaves_history_alone():
    x = leaf(1.0, 2.0)
    y = x * 2
    with pytest.raises(RuntimeError):
        y.add_(T.ones(3, 2))
    y.sum().backward()
    assert x.grad.tolist() == [2.0, 2.0]


def test_siblings_are_found_once_and_kept_in_mind():
    w = leaf(1.0, 2.0)
    base = T.zeros(4)
    rows = base.view(2, 2)
    for i in range(2):
        rows[i] = w * (i + 1)
        assert rows.grad_fn is not None
    late = base.view(4)
    rows[0] = w * 5
    (late.sum() + rows.sum()).backward()
    assert w.grad.tolist() == [14.0, 14.0]


def test_base_in_another_layout():
    x, w = leaf(1.0, 2.0, 3.0, 4.0, 5.0, 6.0), leaf(2.0)
    for create_graph in (False, True):
        y = (x.reshape(2, 3) * 1).t().clone()
        y[1:].mul_(w)
        gx, gw = grad(y.sum(), (x, w), create_graph=create_graph)
        assert gx.tolist() == [1.0, 2.0, 2.0, 1.0, 2.0, 2.0] and gw.tolist() == [16.0]
