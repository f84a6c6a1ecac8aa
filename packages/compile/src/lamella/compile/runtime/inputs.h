// The type `Inputs`: checks that tensors are what a program was compiled for, and takes the arrays out of them.
#pragma once

namespace {

struct Wanted {
    PyObject* keys;      // the key set: an int
    PyObject* dtype;     // NumPy's descriptor
    int nd;
    int layout;          // 0: any strides; 1: those of `strides`; 2: row-major without gaps
    int leaf;            // 0: not asked; 1: a leaf that requires grad; 2: not a leaf
    std::vector<Py_ssize_t> dimensions;  // -1: any from 2 on
    std::vector<Py_ssize_t> strides;
};

struct Inputs {
    PyObject_HEAD
    vectorcallfunc vectorcall;
    PyObject *tensor_type, *array_type, *leaf_type;
    Py_ssize_t array, keys, graph;  // offsets of Tensor's slots
    std::vector<Wanted>* wanted;
};

PyObject* slot_of(PyObject* object, Py_ssize_t offset) {
    return *reinterpret_cast<PyObject**>(reinterpret_cast<char*>(object) + offset);
}

// Where a slot of a class lies in its instances; -1 with an error where it is no slot.
Py_ssize_t offset_of(PyObject* type, const char* name) {
    PyObject* found = PyObject_GetAttrString(type, name);
    if (found == nullptr) return -1;
    Py_ssize_t offset = -1;
    if (Py_TYPE(found) == &PyMemberDescr_Type)
        offset = reinterpret_cast<PyMemberDescrObject*>(found)->d_member->offset;
    else
        PyErr_Format(PyExc_TypeError, "compiled program: %s is no slot", name);
    Py_DECREF(found);
    return offset;
}

bool same_number(PyObject* a, PyObject* b) {
    if (a == b) return true;
    return a != nullptr && PyLong_Check(a) && PyLong_AsLongLong(a) == PyLong_AsLongLong(b);
}

bool lies_as(const Array* a, const Wanted& want) {
    const Py_ssize_t* given = a->dimensions;
    for (int d = 0; d < want.nd; d++)
        if (want.dimensions[d] >= 0 ? given[d] != want.dimensions[d] : given[d] < 2) return false;
    if (want.layout == 1)
        for (int d = 0; d < want.nd; d++)
            if (a->strides[d] != want.strides[d]) return false;
    if (want.layout == 2) {
        Py_ssize_t step = want.strides[0];  // the size of an element
        for (int d = want.nd - 1; d >= 0; d--) {
            if (a->strides[d] != step) return false;
            step *= given[d];
        }
    }
    return true;
}

bool fits(Inputs* self, PyObject* object, const Wanted& want) {
    if (reinterpret_cast<PyObject*>(Py_TYPE(object)) != self->tensor_type) return false;
    if (!same_number(slot_of(object, self->keys), want.keys)) return false;
    PyObject* array = slot_of(object, self->array);
    if (array == nullptr || reinterpret_cast<PyObject*>(Py_TYPE(array)) != self->array_type) return false;
    const Array* a = reinterpret_cast<Array*>(array);
    if (a->nd != want.nd || a->dtype != want.dtype || !lies_as(a, want)) return false;
    if (want.leaf == 0) return true;
    PyObject* edge = slot_of(object, self->graph);
    bool leaf = edge != nullptr && reinterpret_cast<PyObject*>(Py_TYPE(edge)) == self->leaf_type;
    return leaf == (want.leaf == 1);
}

PyObject* inputs_call(PyObject* object, PyObject* const* arguments, size_t flags, PyObject* names) {
    Inputs* self = reinterpret_cast<Inputs*>(object);
    if (PyVectorcall_NARGS(flags) != 1 || names != nullptr ||
        (!PyTuple_Check(arguments[0]) && !PyList_Check(arguments[0]))) {
        PyErr_SetString(PyExc_TypeError, "compiled program: takes a tuple of tensors");
        return nullptr;
    }
    Py_ssize_t n = PySequence_Fast_GET_SIZE(arguments[0]);
    PyObject** items = PySequence_Fast_ITEMS(arguments[0]);
    if (n != Py_ssize_t(self->wanted->size())) Py_RETURN_NONE;
    for (Py_ssize_t i = 0; i < n; i++)
        if (!fits(self, items[i], (*self->wanted)[i])) Py_RETURN_NONE;
    PyObject* arrays = PyList_New(n);
    if (arrays == nullptr) return nullptr;
    for (Py_ssize_t i = 0; i < n; i++) PyList_SET_ITEM(arrays, i, Py_NewRef(slot_of(items[i], self->array)));
    return arrays;
}

bool read_sizes(PyObject* tuple, std::vector<Py_ssize_t>& into) {
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(tuple); i++) {
        PyObject* each = PyTuple_GET_ITEM(tuple, i);
        into.push_back(each == Py_None ? -1 : PyLong_AsSsize_t(each));
    }
    return !PyErr_Occurred();
}

// Inputs(tensor_type, array_type, leaf_type, [(keys, dtype, shape, layout, strides, leaf), ...])
PyObject* inputs_new(PyTypeObject* type, PyObject* args, PyObject*) {
    PyObject *tensor_type, *array_type, *leaf_type, *specs;
    if (!PyArg_ParseTuple(args, "OOOO!", &tensor_type, &array_type, &leaf_type, &PyList_Type, &specs)) return nullptr;
    Inputs* self = reinterpret_cast<Inputs*>(type->tp_alloc(type, 0));
    if (self == nullptr) return nullptr;
    self->vectorcall = inputs_call;
    self->tensor_type = Py_NewRef(tensor_type);
    self->array_type = Py_NewRef(array_type);
    self->leaf_type = Py_NewRef(leaf_type);
    self->wanted = new std::vector<Wanted>();
    self->array = offset_of(tensor_type, "_a");
    self->keys = offset_of(tensor_type, "_ks");
    self->graph = offset_of(tensor_type, "_ag");
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(specs) && !PyErr_Occurred(); i++) {
        Wanted want;
        PyObject *shape, *strides;
        if (!PyArg_ParseTuple(PyList_GET_ITEM(specs, i), "OOO!iO!i", &want.keys, &want.dtype, &PyTuple_Type, &shape,
                              &want.layout, &PyTuple_Type, &strides, &want.leaf))
            break;
        want.nd = int(PyTuple_GET_SIZE(shape));
        if (!read_sizes(shape, want.dimensions) || !read_sizes(strides, want.strides)) break;
        Py_INCREF(want.keys);
        Py_INCREF(want.dtype);
        self->wanted->push_back(want);
    }
    if (PyErr_Occurred()) {
        Py_DECREF(self);
        return nullptr;
    }
    return reinterpret_cast<PyObject*>(self);
}

void inputs_dealloc(PyObject* object) {
    Inputs* self = reinterpret_cast<Inputs*>(object);
    for (Wanted& each : *self->wanted) {
        Py_DECREF(each.keys);
        Py_DECREF(each.dtype);
    }
    delete self->wanted;
    Py_DECREF(self->tensor_type);
    Py_DECREF(self->array_type);
    Py_DECREF(self->leaf_type);
    Py_TYPE(object)->tp_free(object);
}

PyTypeObject inputs_type = {PyVarObject_HEAD_INIT(nullptr, 0) "lamella_launcher.Inputs"};

int add_inputs(PyObject* module) {
    inputs_type.tp_basicsize = sizeof(Inputs);
    inputs_type.tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_VECTORCALL;
    inputs_type.tp_new = inputs_new;
    inputs_type.tp_dealloc = inputs_dealloc;
    inputs_type.tp_call = PyVectorcall_Call;
    inputs_type.tp_vectorcall_offset = offsetof(Inputs, vectorcall);
    inputs_type.tp_doc = "Called with a tuple of tensors: their arrays, or None where one is not as it was.";
    if (PyType_Ready(&inputs_type) < 0) return -1;
    return PyModule_AddObjectRef(module, "Inputs", reinterpret_cast<PyObject*>(&inputs_type));
}

}  // namespace
