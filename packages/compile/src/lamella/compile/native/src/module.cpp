// The extension module: one type, and the table of kernels by operator.
#include "conversion.h"
#include "kernel.h"
#include "moving.h"
#include "network.h"
#include "pointwise.h"
#include "reduction.h"

using namespace native;

static const Entry entries[] = {
    {"aten::sigmoid", unary<Sigmoid>}, {"aten::silu", unary<Silu>}, {"aten::relu", unary<Relu>},
    {"aten::erf", unary<Erf>}, {"aten::exp", unary<Exp>}, {"aten::tanh", unary<Tanh>}, {"aten::neg", unary<Neg>},
    {"aten::square", unary<Square>}, {"aten::sqrt", unary<Sqrt>}, {"aten::abs", unary<Abs>},
    {"aten::round.decimals", round_}, {"aten::gelu", gelu}, {"aten::gelu_backward", gelu_backward},
    {"aten::silu_backward", silu_backward}, {"aten::sigmoid_backward", sigmoid_backward},
    {"aten::tanh_backward", tanh_backward}, {"aten::threshold_backward", threshold_backward},
    {"aten::add.Tensor", arithmetic<Add>}, {"aten::sub.Tensor", arithmetic<Sub>}, {"aten::mul.Tensor", arithmetic<Mul>},
    {"aten::div.Tensor", arithmetic<Div>}, {"aten::maximum", plain<Maximum>}, {"aten::minimum", plain<Minimum>},
    {"aten::remainder.Tensor", plain<Remainder>}, {"aten::eq.Tensor", comparison<Eq>},
    {"aten::ne.Tensor", comparison<Ne>}, {"aten::lt.Tensor", comparison<Lt>}, {"aten::le.Tensor", comparison<Le>},
    {"aten::gt.Tensor", comparison<Gt>}, {"aten::ge.Tensor", comparison<Ge>}, {"aten::logical_and", logical<And>},
    {"aten::logical_or", logical<Or>}, {"aten::logical_xor", logical<Xor>}, {"aten::where.self", where},
    {"aten::masked_fill.Scalar", masked_fill}, {"aten::clamp", clamp}, {"aten::lerp.Scalar", lerp},
    {"aten::addcmul", addc<false>}, {"aten::addcdiv", addc<true>},
    {"aten::sum", whole<SumOf>}, {"aten::sum.dim_IntList", along<SumOf>}, {"aten::mean", whole<MeanOf>},
    {"aten::mean.dim", along<MeanOf>}, {"aten::prod", whole<ProdOf>}, {"aten::prod.dim_int", along<ProdOf>},
    {"aten::var.correction", variance<false>}, {"aten::std.correction", variance<true>},
    {"aten::linalg_vector_norm", vector_norm}, {"aten::logsumexp", logsumexp}, {"aten::max", extreme<Larger>},
    {"aten::min", extreme<Smaller>}, {"aten::amax", extreme_values<Larger>}, {"aten::amin", extreme_values<Smaller>},
    {"aten::max.dim", extreme_along<Larger>}, {"aten::min.dim", extreme_along<Smaller>},
    {"aten::argmax", arg_extreme<Larger>}, {"aten::argmin", arg_extreme<Smaller>},
    {"aten::any.dims", quantified<false>}, {"aten::all.dims", quantified<true>}, {"aten::cumsum", scan<Add>},
    {"aten::cumprod", scan<Mul>}, {"aten::cummax", running_extreme<Larger>}, {"aten::cummin", running_extreme<Smaller>},
    {"aten::_softmax", softmax<false>}, {"aten::_log_softmax", softmax<true>},
    {"aten::_softmax_backward_data", softmax_backward<false>},
    {"aten::_log_softmax_backward_data", softmax_backward<true>},
    {"aten::gather", gather}, {"aten::scatter.src", scatter<false>}, {"aten::scatter_add", scatter<true>},
    {"aten::scatter_reduce.two", scatter_reduce},
    {"aten::index_select", index_select}, {"aten::embedding", embedding}, {"aten::take", take},
    {"aten::index.Tensor", index}, {"aten::index_put", index_put}, {"aten::index_add", index_add},
    {"aten::embedding_dense_backward", embedding_backward}, {"aten::nonzero", nonzero}, {"aten::cat", cat},
    {"aten::stack", stack}, {"aten::flip", flip}, {"aten::roll", roll}, {"aten::tril", triangle<true>},
    {"aten::triu", triangle<false>}, {"aten::constant_pad_nd", constant_pad},
    {"aten::mm", mm<2>}, {"aten::matmul", mm<2>}, {"aten::bmm", mm<3>}, {"aten::addmm", addmm},
    {"aten::linear", linear},
    {"aten::native_layer_norm", layer_norm}, {"aten::native_layer_norm_backward", layer_norm_backward},
    {"aten::native_group_norm", group_norm}, {"aten::convolution", convolution}, {"aten::avg_pool2d", avg_pool2d},
    {"aten::_max_pool", max_pool}, {"aten::_adaptive_avg_pool2d", adaptive_avg_pool2d},
    {"aten::grid_sampler_2d", grid_sample}, {"aten::_attention", attention},
    {"aten::_to_copy", to_copy}, {"aten::clone", clone}, {"aten::full", full}, {"aten::sort.stable", sort},
    {"aten::topk", topk}, {"aten::kthvalue", kthvalue},
};

static PyMemberDef members[] = {
    {"__vectorcalloffset__", T_PYSSIZET, offsetof(Kernel, call), READONLY, nullptr},
    {"where", T_OBJECT, offsetof(Kernel, where), READONLY, "the source"},
    {nullptr, 0, 0, 0, nullptr},
};

static PyObject* moves_versions(PyObject*, void*) { Py_RETURN_TRUE; }
static PyGetSetDef getters[] = {
    {"moves_versions", moves_versions, nullptr, "nothing is written to, so no version counter is left behind", nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr},
};

static int traverse(PyObject* o, visitproc visit, void* arg) {
    Py_VISIT(reinterpret_cast<Kernel*>(o)->fallback);
    Py_VISIT(reinterpret_cast<Kernel*>(o)->find);
    Py_VISIT(reinterpret_cast<Kernel*>(o)->facts);
    Py_VISIT(Py_TYPE(o));
    return 0;
}

static void dealloc(PyObject* o) {
    PyObject_GC_UnTrack(o);
    Kernel& k = *reinterpret_cast<Kernel*>(o);
    PyTypeObject* type = Py_TYPE(o);
    for (PyObject* each : {k.facts, k.find, k.fallback, k.names, k.where}) Py_XDECREF(each);
    Py_XDECREF(k.result);
    type->tp_free(o);
    Py_DECREF(type);
}

static PyType_Slot slots[] = {
    {Py_tp_members, members}, {Py_tp_getset, getters}, {Py_tp_dealloc, reinterpret_cast<void*>(dealloc)},
    {Py_tp_traverse, reinterpret_cast<void*>(traverse)}, {Py_tp_call, reinterpret_cast<void*>(PyVectorcall_Call)},
    {0, nullptr},
};
static PyType_Spec spec = {"lamella_native.Kernel", sizeof(Kernel), 0,
                           Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_VECTORCALL | Py_TPFLAGS_HAVE_GC, slots};
static PyTypeObject* kernel_type;

// configure(Tensor, {dtype: NumPy's number}, bfloat16)
static PyObject* configure(PyObject*, PyObject* args) {
    PyObject *tensor, *dtypes;
    if (!PyArg_ParseTuple(args, "O!O!O", &PyType_Type, &tensor, &PyDict_Type, &dtypes, &world.brain))
        return nullptr;
    auto slot = [tensor](const char* name, Py_ssize_t& at) {
        PyObject* d = PyObject_GetAttrString(tensor, name);
        bool ok = d && Py_TYPE(d) == &PyMemberDescr_Type;
        if (ok) at = reinterpret_cast<PyMemberDescrObject*>(d)->d_member->offset;
        Py_XDECREF(d);
        return ok;
    };
    if (!slot("_a", world.array) || !slot("_ks", world.keys) || !slot("_ag", world.graph) ||
        !slot("_vc", world.version) || !slot("_base", world.base)) {
        if (!PyErr_Occurred()) PyErr_SetString(PyExc_TypeError, "configure: Tensor does not have the slots expected");
        return nullptr;
    }
    world.tensor = reinterpret_cast<PyTypeObject*>(Py_NewRef(tensor));
    world.dtypes = Py_NewRef(dtypes);
    Py_INCREF(world.brain);
    world.one = PyLong_FromLong(1);
    Py_RETURN_NONE;
}

// kernel(operator, function that gives (parameter names, class of result tuples or None), function that gives the
// fallback)
static PyObject* kernel(PyObject*, PyObject* args) {
    const char* op;
    PyObject *facts, *find;
    if (!PyArg_ParseTuple(args, "sOO", &op, &facts, &find)) return nullptr;
    const Entry* found = std::find_if(std::begin(entries), std::end(entries),
                                      [op](const Entry& e) { return !std::strcmp(e.op, op); });
    if (found == std::end(entries)) return PyErr_Format(PyExc_KeyError, "kernel: there is none for %s", op);
    Kernel* k = PyObject_GC_New(Kernel, kernel_type);
    if (!k) return nullptr;
    k->call = vectorcall, k->body = found->body, k->params = 0;
    k->facts = Py_NewRef(facts), k->find = Py_NewRef(find);
    k->fallback = k->names = nullptr, k->result = nullptr;
    k->where = PyUnicode_FromFormat("lamella.compile.native: %s", op);
    PyObject_GC_Track(reinterpret_cast<PyObject*>(k));
    return reinterpret_cast<PyObject*>(k);
}

static PyObject* operators(PyObject*, PyObject*) {
    PyObject* list = PyList_New(0);
    for (const Entry& e : entries) {
        PyObject* name = PyUnicode_FromString(e.op);
        if (!list || !name || PyList_Append(list, name)) return Py_XDECREF(list), Py_XDECREF(name), nullptr;
        Py_DECREF(name);
    }
    return list;
}

static PyMethodDef methods[] = {
    {"configure", configure, METH_VARARGS, "Tell the class of tensors and the types of elements."},
    {"kernel", kernel, METH_VARARGS, "Make the kernel of an operator."},
    {"operators", operators, METH_NOARGS, "The operators that have a kernel."},
    {nullptr, nullptr, 0, nullptr},
};

static PyModuleDef module = {PyModuleDef_HEAD_INIT, "lamella_native", "Kernels for small tensors.", -1, methods,
                             nullptr, nullptr, nullptr, nullptr};

PyMODINIT_FUNC PyInit_lamella_native() {
    import_array();
    kernel_type = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&spec));
    return kernel_type ? PyModule_Create(&module) : nullptr;
}
