// Kernels over small tensors that CPython calls directly: a kernel takes lamella tensors, reads the NumPy arrays in
// them, and makes a tensor of the result. What it does not take (another element type, a layout with gaps, a large
// tensor, an error to be told) it declines, and the kernel that was there before is called with the same arguments.
#pragma once
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <structmember.h>

#define NPY_NO_DEPRECATED_API NPY_2_0_API_VERSION
#include <numpy/arrayobject.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

namespace native {

using Index = npy_intp;
constexpr int MAX_PARAMS = 14;
constexpr Index LIMIT = 4096;  // elements; beyond, NumPy's vector code wins

// What `configure` is told by Python once.
struct World {
    PyTypeObject* tensor = nullptr;
    Py_ssize_t array = 0, keys = 0, graph = 0, version = 0, base = 0;  // offsets of Tensor's slots
    PyObject* one = nullptr;                                           // the key set {CPU}
    PyObject* dtypes = nullptr;                                        // lamella dtype -> NumPy type number
    PyObject* brain = nullptr;                                         // lamella's bfloat16
    int bfloat16 = -1;                                                 // NumPy's number for it, once it has one
};
inline World world;

// -- arguments -------------------------------------------------------------------------------------------------------

// An array without gaps: what a tensor argument holds.
struct In {
    char* data;
    Index n;
    int nd;
    int type;  // NumPy's number
    const Index* dims;
    PyArrayObject* array;  // borrowed
    template <class T> const T* as() const { return reinterpret_cast<const T*>(data); }
    bool same_shape(const In& o) const { return nd == o.nd && std::equal(dims, dims + nd, o.dims); }
};

inline bool is_tensor(PyObject* o) {
    return o && (Py_TYPE(o) == world.tensor || PyType_IsSubtype(Py_TYPE(o), world.tensor));
}

inline PyArrayObject* array_of(PyObject* o) {
    return *reinterpret_cast<PyArrayObject**>(reinterpret_cast<char*>(o) + world.array);
}

// The array in a tensor, if it is aligned, without gaps, in the machine's byte order, and has few enough elements.
inline bool get(PyObject* o, In& x, Index limit = LIMIT) {
    if (!is_tensor(o)) return false;
    PyArrayObject* a = array_of(o);
    if (Py_TYPE(a) != &PyArray_Type || !PyArray_ISCARRAY_RO(a)) return false;
    x.data = PyArray_BYTES(a), x.n = PyArray_SIZE(a), x.nd = PyArray_NDIM(a), x.type = PyArray_TYPE(a);
    x.dims = PyArray_DIMS(a), x.array = a;
    return x.n <= limit;
}

// Whether a type number is that of bfloat16, which NumPy has from a library that is loaded when it is first needed.
inline bool is_brain(int type) {
    if (type < NPY_USERDEF) return false;
    if (world.bfloat16 < 0) {
        PyObject* descr = PyObject_GetAttrString(world.brain, "np");
        if (descr && PyArray_DescrCheck(descr)) world.bfloat16 = reinterpret_cast<PyArray_Descr*>(descr)->type_num;
        Py_XDECREF(descr);
        PyErr_Clear();
    }
    return type == world.bfloat16;
}

inline bool get_float(PyObject* o, In& x) { return get(o, x) && (x.type == NPY_FLOAT || x.type == NPY_DOUBLE); }
inline bool missing(PyObject* o) { return !o || o == Py_None; }

// A Python number (bool is one too), as a double; a number that is none of these is declined.
inline bool number(PyObject* o, double& v) {
    if (!o) return false;
    if (PyFloat_CheckExact(o)) return v = PyFloat_AS_DOUBLE(o), true;
    if (PyLong_CheckExact(o)) {
        int overflow = 0;
        long long w = PyLong_AsLongLongAndOverflow(o, &overflow);
        return v = double(w), !overflow;
    }
    return false;
}

inline bool integer(PyObject* o, Index& v) {
    if (!o || !PyLong_CheckExact(o)) return false;
    int overflow = 0;
    v = Index(PyLong_AsLongLongAndOverflow(o, &overflow));
    return !overflow;
}

inline bool flag(PyObject* o, bool otherwise) { return o == Py_True ? true : o == Py_False ? false : otherwise; }
inline bool is_flag(PyObject* o) { return !o || o == Py_True || o == Py_False; }

inline bool dimension(PyObject* o, int nd, int& d) {
    Index v;
    if (!integer(o, v) || v < -nd || v >= nd) return false;
    return d = int(v < 0 ? v + nd : v), true;
}

// Whole numbers in a tuple or list.
template <int N> struct Ints {
    Index v[N];
    int n = 0;
    bool read(PyObject* o) {
        if (!o || !(PyTuple_Check(o) || PyList_Check(o))) return false;
        n = int(PySequence_Fast_GET_SIZE(o));
        if (n > N) return false;
        for (int i = 0; i < n; i++)
            if (!integer(PySequence_Fast_GET_ITEM(o, i), v[i])) return false;
        return true;
    }
};

// -- results ---------------------------------------------------------------------------------------------------------

inline PyObject* wrap(PyObject* array) {
    if (!array) return nullptr;
    PyObject* t = world.tensor->tp_alloc(world.tensor, 0);
    if (!t) return Py_DECREF(array), nullptr;
    auto slot = [t](Py_ssize_t at) -> PyObject*& {
        return *reinterpret_cast<PyObject**>(reinterpret_cast<char*>(t) + at);
    };
    slot(world.array) = array;
    slot(world.keys) = Py_NewRef(world.one);
    slot(world.graph) = Py_NewRef(Py_None);
    slot(world.version) = Py_NewRef(Py_None);
    slot(world.base) = Py_NewRef(Py_None);
    return t;
}

// A new tensor; its memory is at `data`.
template <class T> PyObject* make(int nd, const Index* dims, int type, T*& data) {
    PyObject* a = PyArray_New(&PyArray_Type, nd, const_cast<Index*>(dims), type, nullptr, nullptr, 0, 0, nullptr);
    if (!a) return nullptr;
    data = reinterpret_cast<T*>(PyArray_BYTES(reinterpret_cast<PyArrayObject*>(a)));
    return wrap(a);
}

template <class T> PyObject* like(const In& x, T*& data, int type) { return make<T>(x.nd, x.dims, type, data); }

// A tuple of new references; null, and they are given back, if one of them is.
inline PyObject* tuple_of(PyTypeObject* type, std::initializer_list<PyObject*> parts) {
    PyObject* t = type->tp_alloc(type, Py_ssize_t(parts.size()));
    if (!t || std::count(parts.begin(), parts.end(), nullptr)) {
        for (PyObject* p : parts) Py_XDECREF(p);
        return Py_XDECREF(t), nullptr;
    }
    Py_ssize_t i = 0;
    for (PyObject* p : parts) PyTuple_SET_ITEM(t, i++, p);
    return t;
}

// -- kernels ---------------------------------------------------------------------------------------------------------

struct Kernel;
// What is called with the parameters in the schema's order (null where left out); null without an error declines.
using Body = PyObject* (*)(Kernel& self, PyObject** v);

struct Kernel {
    PyObject_HEAD
    vectorcallfunc call;
    Body body;
    PyObject* facts;       // gives the names and the class below; asked at the first call
    PyObject* find;        // gives the fallback; asked when it is first needed
    PyObject* fallback;
    PyObject* names;       // the parameters' names, interned
    PyTypeObject* result;  // the class of the tuple that is returned, for kernels with several results
    PyObject* where;
    int params;
};

struct Entry {
    const char* op;
    Body body;
};

inline bool prepare(Kernel& self) {
    PyObject* found = PyObject_CallNoArgs(self.facts);
    PyObject *names, *result;
    bool ok = found && PyArg_ParseTuple(found, "O!O", &PyTuple_Type, &names, &result);
    if (ok && !self.names) {
        if (result != Py_None) self.result = reinterpret_cast<PyTypeObject*>(Py_NewRef(result));
        self.params = int(std::min<Py_ssize_t>(PyTuple_GET_SIZE(names), MAX_PARAMS));
        self.names = Py_NewRef(names);
    }
    Py_XDECREF(found);
    return ok;
}

inline PyObject* vectorcall(PyObject* object, PyObject* const* args, size_t flags, PyObject* kwnames) {
    Kernel& self = *reinterpret_cast<Kernel*>(object);
    Py_ssize_t n = PyVectorcall_NARGS(flags), k = kwnames ? PyTuple_GET_SIZE(kwnames) : 0;
    PyObject* v[MAX_PARAMS] = {};
    if (!self.names && !prepare(self)) return nullptr;
    bool fits = n <= self.params;
    if (fits) std::copy(args, args + n, v);
    for (Py_ssize_t i = 0; fits && i < k; i++) {
        PyObject* name = PyTuple_GET_ITEM(kwnames, i);
        int at = int(n);
        while (at < self.params && PyTuple_GET_ITEM(self.names, at) != name) at++;
        fits = at < self.params;
        if (fits) v[at] = args[n + i];
    }
    if (fits) {
        PyObject* r = self.body(self, v);
        if (r || PyErr_Occurred()) return r;
    }
    if (!self.fallback && !(self.fallback = PyObject_CallNoArgs(self.find))) return nullptr;
    return PyObject_Vectorcall(self.fallback, args, flags, kwnames);
}

constexpr Index ANY = std::numeric_limits<Index>::max();

// Work on arrays that needs nothing of Python; other threads may run meanwhile if it is much, and not take them away.
template <class F> void apart(std::initializer_list<const In*> arrays, F work) {
    if ((*arrays.begin())->n <= 1 << 16) return work();
    for (const In* x : arrays) Py_INCREF(x->array);
    PyThreadState* state = PyEval_SaveThread();
    work();
    PyEval_RestoreThread(state);
    for (const In* x : arrays) Py_DECREF(x->array);
}

// Bytes of an element of the types that are moved about; 0 for others.
inline int width_of(int type) {
    switch (type) {
        case NPY_FLOAT: case NPY_INT32: return 4;
        case NPY_DOUBLE: case NPY_INT64: return 8;
        case NPY_BOOL: return 1;
        default: return 0;
    }
}

template <class F> PyObject* by_float(int type, F f) {
    if (type == NPY_FLOAT) return f(float{});
    if (type == NPY_DOUBLE) return f(double{});
    return nullptr;
}

// Dimensions before, at and after one of them: element (o, k, i) lies at (o * n + k) * inner + i.
struct Split {
    Index outer = 1, n = 1, inner = 1;
    Split(const In& x, int d) {
        for (int i = 0; i < x.nd; i++) (i < d ? outer : i == d ? n : inner) *= x.dims[i];
    }
};

}  // namespace native
