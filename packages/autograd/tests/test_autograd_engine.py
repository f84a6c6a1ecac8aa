"""backward and grad: values, accumulation, retained graphs, inputs=, errors."""

import pytest

from lamella import core as T
from lamella.autograd import GradientEdge, backward, get_gradient_edge, grad


def leaf(*values):
    return T.tensor(list(values), requires_grad=True)


def test_chain_and_shared_inputs():
    x = leaf(1.0, 2.0)
    y = x * x + x
    (y * y).sum().backward()
    assert x.grad.tolist() == [2 * 2.0 * 3.0, 2 * 6.0 * 5.0]


def test_gradients_add_up_over_calls():
    x = leaf(1.0, 2.0)
    for _ in range(3):
        (x * 2).sum().backward()
    assert x.grad.tolist() == [6.0, 6.0]


def test_many_gradients_into_one_node():
    x = leaf(1.0)
    y = x * 2
    total = y
    for _ in range(20):
        total = total + y * 3
    total.sum().backward()
    assert x.grad.tolist() == [2.0 * 61]


def test_gradients_do_not_share_memory():
    a, b, g = leaf(1.0, 1.0), leaf(1.0, 1.0), T.ones(2)
    (a + b).backward(g)
    a.grad.mul_(5)
    assert b.grad.tolist() == [1.0, 1.0] and g.tolist() == [1.0, 1.0]
    (a + b).backward(g)
    assert g.tolist() == [1.0, 1.0] and b.grad.tolist() == [2.0, 2.0]


def test_gradient_of_a_reshaped_leaf_does_not_alias_the_gradient_passed_in():
    a, g = leaf(1.0, 2.0, 3.0, 4.0), T.ones(2, 2)
    a.view(2, 2).backward(g)
    a.grad.zero_()
    assert g.tolist() == [[1.0, 1.0], [1.0, 1.0]]


def test_fresh_gradients_are_kept_without_a_copy(monkeypatch):
    from lamella.autograd import graph

    copies = []
    copy = graph._copy
    monkeypatch.setattr(graph, "_copy", lambda g, v: (copies.append(1), copy(g, v))[1])
    x, c = leaf(1.0, 2.0), T.tensor([3.0, 4.0])
    (x * c).sum().backward()
    (leaf(1.0, 2.0) * x.detach()).backward(c)
    assert copies == []
    a, b = leaf(1.0, 2.0), leaf(1.0, 2.0)
    (a + b).exp().sum().backward()
    assert len(copies) == 2  # one gradient for two leaves: neither may keep it
    kept = []
    y = x * c
    y.register_hook(lambda g: kept.append(g))
    z = leaf(1.0, 2.0)
    (z + y.detach()).backward(T.ones(2))
    assert len(copies) == 3  # the caller holds the gradient that comes through


def test_gradients_have_the_layout_of_their_leaf():
    x = T.ones(3, 4, requires_grad=True)
    (x.t() * 2).sum().backward()
    assert x.grad.stride() == x.stride()
    y = T.ones(4, 3).t().requires_grad_()
    (y * 2).sum().backward()
    assert y.grad.stride() == y.stride() == (1, 3)


def test_second_backward_names_the_node():
    x = leaf(1.0)
    y = (x * x).sum()
    y.backward()
    with pytest.raises(RuntimeError, match="MulBackward0: Trying to backward through the graph a second time"):
        y.backward()


def test_second_backward_without_saved_tensors_works():
    x = leaf(1.0)
    y = x + 1
    y.backward()
    y.backward()
    assert x.grad.tolist() == [2.0]


def test_retain_graph():
    x = leaf(3.0)
    y = x * x
    y.backward(retain_graph=True)
    y.backward()
    assert x.grad.tolist() == [12.0]


def test_create_graph_and_higher_derivatives():
    x = leaf(2.0)
    y = x * x * x
    (g1,) = grad(y, x, create_graph=True)
    (g2,) = grad(g1, x, create_graph=True)
    (g3,) = grad(g2, x)
    assert (g1.item(), g2.item(), g3.item()) == (12.0, 12.0, 6.0)


def test_backward_create_graph_accumulates_differentiably():
    x = leaf(2.0)
    (x * x).backward(create_graph=True)
    first = x.grad
    assert first.requires_grad
    (x * x * x).backward(create_graph=True)
    assert x.grad.item() == 4.0 + 12.0 and first.item() == 4.0
    (g,) = grad(x.grad, x)
    assert g.item() == 2.0 + 12.0


def test_grad_returns_and_leaves_grad_alone():
    x, y = leaf(2.0), leaf(5.0)
    z = x * y
    assert [g.item() for g in grad(z, (x, y), retain_graph=True)] == [5.0, 2.0]
    assert x.grad is None and y.grad is None
    assert grad(z, [y])[0].item() == 2.0


def test_grad_of_inner_tensors_and_of_the_output_itself():
    x = leaf(2.0)
    y = x * 3
    z = y * y
    gy, gx, gz = grad(z, (y, x, z))
    assert (gy.item(), gx.item(), gz.item()) == (12.0, 36.0, 1.0)
    assert grad(x, x, T.ones(1))[0].item() == 1.0


def test_grad_unused():
    x, u = leaf(2.0), leaf(1.0)
    y = x * 2
    with pytest.raises(RuntimeError, match=r"One of the differentiated Tensors appears to not have been used"):
        grad(y, (x, u), retain_graph=True)
    assert grad(y, (x, u), allow_unused=True, retain_graph=True)[1] is None
    assert grad(y, (x, u), materialize_grads=True)[1].tolist() == [0.0]
    with pytest.raises(ValueError, match="allow_unused"):
        grad(y, x, allow_unused=False, materialize_grads=True)


def test_backward_inputs():
    x, w = leaf(2.0), leaf(3.0)
    y = x * 5
    z = y * w
    z.backward(inputs=[w], retain_graph=True)
    assert w.grad.item() == 10.0 and x.grad is None
    z.backward(inputs=y)
    assert y.grad.item() == 3.0 and x.grad is None
    with pytest.raises(RuntimeError, match="cannot be empty"):
        (x * 1).backward(inputs=[])


def test_several_outputs_and_gradient_edges():
    x = leaf(2.0)
    a, b = x * 3, x * x
    backward([a, b], [T.tensor([1.0]), T.tensor([10.0])])
    assert x.grad.item() == 43.0
    edge = get_gradient_edge(x)
    assert isinstance(edge, GradientEdge) and grad(x * 4, edge)[0].item() == 4.0
    y = x * 7
    assert grad(get_gradient_edge(y), x, T.ones(1))[0].item() == 7.0


def test_batched_grads():
    x = leaf(1.0, 2.0)
    y = x * x
    (rows,) = grad(y, x, T.tensor([[1.0, 0.0], [0.0, 1.0]]), is_grads_batched=True)
    assert rows.tolist() == [[2.0, 0.0], [0.0, 4.0]]


def test_batched_grads_run_the_graph_once():
    x, unused = leaf(1.0, 2.0), leaf(3.0)
    y = x.exp() * x
    runs = []
    y.grad_fn.register_prehook(runs.append)
    rows, none = grad(y, (x, unused), T.eye(2), is_grads_batched=True, allow_unused=True, create_graph=True)
    assert none is None and len(runs) == 1
    (second,) = grad(rows.sum(), x)
    expected = (x * x.exp() + 2 * x.exp()).detach()
    assert T.allclose(second, expected)
    with pytest.raises(ValueError, match="same size in the mapped dimension"):
        grad((x * 2, x * 3), x, (T.eye(2), T.ones(3, 2)), is_grads_batched=True)


def test_what_backward_refuses():
    x = leaf(1.0, 2.0)
    with pytest.raises(RuntimeError, match="element 0 of tensors does not require grad and does not have a grad_fn"):
        T.ones(1).backward()
    with pytest.raises(RuntimeError, match="grad can be implicitly created only for scalar outputs"):
        (x * 2).backward()
    with pytest.raises(RuntimeError, match="Mismatch in shape"):
        (x * 2).backward(T.ones(3))
    with pytest.raises(TypeError, match="gradients can be either Tensors or None"):
        (x * 2).backward(2.0)
    with pytest.raises(RuntimeError, match="does not require grad"):
        grad(x * 2, T.ones(2), T.ones(2))
    with pytest.raises(RuntimeError, match="2 tensors and 1 gradients"):
        backward([x * 2, x * 3], [T.ones(2)])
    with pytest.raises(TypeError, match="tensors"):
        backward(3)


def test_gradient_dtype_is_cast():
    x = leaf(1.0, 2.0)
    (x * 2).backward(T.ones(2, dtype=T.float64))
    assert x.grad.dtype is T.float32
    a = T.ones(2, requires_grad=True)
    b = T.ones(2, dtype=T.float64, requires_grad=True)
    (a * b).sum().backward()
    assert a.grad.dtype is T.float32 and b.grad.dtype is T.float64


def test_broadcast_gradients_are_summed():
    a, b = T.ones(3, 1, requires_grad=True), T.ones(4, requires_grad=True)
    (a * b).sum().backward()
    assert a.grad.tolist() == [[4.0]] * 3 and b.grad.tolist() == [3.0] * 4


def test_complex_gradients():
    z = T.tensor([1 + 2j, 3 - 1j], requires_grad=True)
    (z * z.conj()).real.sum().backward()
    assert z.grad.tolist() == [2 + 4j, 6 - 2j]
    with pytest.raises(RuntimeError, match="only for real scalar outputs"):
        z.sum().backward()
    with pytest.raises(RuntimeError, match="required to have the same dtype"):
        (z * 2).backward(T.ones(2))


def test_backward_works_under_no_grad():
    from lamella.autograd import no_grad

    x = leaf(3.0)
    y = x * x
    with no_grad():
        y.backward()
    assert x.grad.item() == 6.0 and not x.grad.requires_grad


def test_leaf_facts():
    x = leaf(1.0)
    y = x * 2
    assert x.is_leaf and x.grad_fn is None and x.requires_grad
    assert not y.is_leaf and y.requires_grad and y.grad_fn.name() == "MulBackward0"
    assert repr(y.grad_fn).startswith("<MulBackward0 object at 0x")
    assert y.grad_fn.next_functions[0][0].variable is x and y.output_nr == 0
    with pytest.raises(RuntimeError, match="you can only change requires_grad flags of leaf variables"):
        y.requires_grad = False
    with pytest.raises(RuntimeError, match="floating point and complex"):
        T.tensor([1]).requires_grad_()
    with pytest.warns(UserWarning, match="not a leaf"):
        assert y.grad is None


def test_assigning_grad():
    x = leaf(1.0, 2.0)
    x.grad = T.ones(2)
    (x * 2).sum().backward()
    assert x.grad.tolist() == [3.0, 3.0]
    del x.grad
    assert x.grad is None
    for bad, error, text in ((3, TypeError, "expected to be a Tensor or None"), (x, RuntimeError, "own grad"),
                             (T.ones(3), RuntimeError, "different size"),
                             (T.ones(2, dtype=T.float64), RuntimeError, "different type")):
        with pytest.raises(error, match=text):
            x.grad = bad


def test_requires_grad_off_and_on_again():
    x = leaf(1.0)
    (x * 2).sum().backward()
    x.requires_grad_(False)
    assert x.grad.item() == 2.0 and not (x * 2).requires_grad
    x.requires_grad_()
    (x * 2).sum().backward()
    assert x.grad.item() == 4.0


def test_data():
    x = leaf(1.0, 2.0)
    x.data.mul_(2)
    assert x.tolist() == [2.0, 4.0] and x._version == 0
    x.data = T.tensor([5.0, 6.0, 7.0])
    (x * x).sum().backward()
    assert x.grad.tolist() == [10.0, 12.0, 14.0]
