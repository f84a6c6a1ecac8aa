// The type `Launcher`: one call of a compiled program from Python, in well under a microsecond.
//
// Arrays are read through the layout of NumPy's PyArrayObject (fixed since NumPy 1.7): data, nd, dimensions, strides
// and base follow the object head. Nothing else of NumPy is needed, so nothing is imported.
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <structmember.h>

#include <cstdint>
#include <cstring>
#include <vector>

#include "lamella/report.h"

namespace {

struct Array {
    PyObject_HEAD
    char* data;
    int nd;
    Py_ssize_t* dimensions;
    Py_ssize_t* strides;
    PyObject* base;
    PyObject* dtype;
};

}  // namespace

#include "inputs.h"

namespace {

using lamella::Report;
using lamella::Segment;
typedef void (*SetThreads)(int);

enum Kind { POOL = 0, VALUE = 1, MAKE = 2, SAME = 3 };

struct Output {
    int kind;
    long number;        // POOL: slot; SAME: which output
    PyObject* object;   // POOL: makes an array; VALUE: itself; MAKE: called with (inputs, outputs)
    std::vector<PyObject*>* pool;
    size_t limit, next;  // how many arrays are kept; which one goes next
};

struct Pair {
    long slot, of;
};

struct Step {
    Segment run;
    PyObject* call;  // called with (frame, scalars); null for a segment
    std::vector<long>* slots;  // that it fills
};

struct Symbol {
    long input, dimension, value;
};

struct Core {
    std::vector<char*> table;
    std::vector<PyObject*> frame;  // arrays of the fixed slots, or null
    Py_ssize_t count;           // of inputs
    std::vector<Pair> inputs;   // (slot, which input)
    std::vector<Output> outputs;
    std::vector<Step> steps;
    std::vector<Symbol> symbols;
    std::vector<long> sizes;
};

struct Launcher {
    PyObject_HEAD
    vectorcallfunc vectorcall;
    Core* core;
    PyObject* array_type;
    PyObject* slow;     // called with (inputs, scalars) where this launcher does not fit or is at work
    PyObject* failed;   // called with (kernel, value, size): raises
    PyObject* space;        // the names of lamella.core.parallel, which hold the number of threads to use
    SetThreads set_threads;  // of OpenMP, or null
    int release, framed, busy;
    Py_ssize_t returned;  // how many outputs are the caller's
};

bool forked = false;  // OpenMP's threads do not exist in this process
PyObject* threads_name;

// Let OpenMP use as many threads as large work of eager operators.
void use_threads(Launcher* self) {
    static thread_local long last = -1;
    PyObject* value = PyDict_GetItem(self->space, threads_name);
    long n = forked || value == nullptr ? 1 : PyLong_AsLong(value);
    if (n == last || n < 1) return;
    last = n;
    self->set_threads(int(n));
}

}  // namespace

#include "construct.h"

namespace {

bool is_free(PyObject* object) {
    if (Py_REFCNT(object) != 1) return false;
    PyObject* base = reinterpret_cast<Array*>(object)->base;
    return base == nullptr || Py_REFCNT(base) == 1;
}

// A new reference to an array that nobody else holds.
PyObject* take(Output& out) {
    std::vector<PyObject*>& pool = *out.pool;
    for (PyObject* each : pool)
        if (is_free(each)) return Py_NewRef(each);
    PyObject* made = PyObject_CallNoArgs(out.object);
    if (made == nullptr) return nullptr;
    if (pool.size() < out.limit) {
        pool.push_back(Py_NewRef(made));
    } else {
        size_t place = out.next++ % out.limit;
        PyObject* old = pool[place];
        pool[place] = Py_NewRef(made);
        Py_DECREF(old);
    }
    return made;
}

int fill_scalars(PyObject* scalars, double* into, Py_ssize_t n) {
    for (Py_ssize_t i = 0; i < n; i++) {
        PyObject* each = PySequence_Fast_GET_ITEM(scalars, i);
        into[i] = PyFloat_CheckExact(each) ? PyFloat_AS_DOUBLE(each) : PyFloat_AsDouble(each);
        if (into[i] == -1.0 && PyErr_Occurred()) return -1;
    }
    return 0;
}

// The input arrays' pointers; 1 where a symbolic size differs, -1 with an error.
int fill_inputs(Launcher* self, PyObject* const* items, Py_ssize_t n, char** table) {
    Core& core = *self->core;
    if (n != core.count) {
        PyErr_Format(PyExc_TypeError, "compiled program: takes %zd arrays (got %zd)", core.count, n);
        return -1;
    }
    for (Py_ssize_t i = 0; i < n; i++) {
        if (reinterpret_cast<PyObject*>(Py_TYPE(items[i])) != self->array_type) {
            PyErr_Format(PyExc_TypeError, "compiled program: takes NumPy arrays (argument %zd is %s)", i,
                         Py_TYPE(items[i])->tp_name);
            return -1;
        }
    }
    for (const Pair& each : core.inputs) table[each.slot] = reinterpret_cast<Array*>(items[each.of])->data;
    for (const Symbol& each : core.symbols)
        if (reinterpret_cast<Array*>(items[each.input])->dimensions[each.dimension] != each.value) return 1;
    return 0;
}

int fail(Launcher* self, const Report& report) {
    PyObject* done = PyObject_CallFunction(self->failed, "sll", report.kernel ? report.kernel : "", report.value,
                                           report.size);
    Py_XDECREF(done);
    if (done != nullptr) PyErr_SetString(PyExc_IndexError, "compiled program: index out of range");
    return -1;
}

PyObject* make_frame(Core& core, PyObject* const* items, PyObject* results) {
    PyObject* frame = PyList_New(Py_ssize_t(core.table.size()));
    if (frame == nullptr) return nullptr;
    for (size_t i = 0; i < core.table.size(); i++)
        PyList_SET_ITEM(frame, i, Py_NewRef(core.frame[i] ? core.frame[i] : Py_None));
    for (const Pair& each : core.inputs) PyList_SetItem(frame, each.slot, Py_NewRef(items[each.of]));
    for (size_t i = 0; i < core.outputs.size(); i++)
        if (core.outputs[i].kind == POOL)
            PyList_SetItem(frame, core.outputs[i].number, Py_NewRef(PyList_GET_ITEM(results, i)));
    return frame;
}

int run_extern(Launcher* self, const Step& step, PyObject* frame, PyObject* scalars, char** table) {
    PyObject* arguments[2] = {frame, scalars};
    PyObject* done = PyObject_Vectorcall(step.call, arguments, 2, nullptr);
    if (done == nullptr) return -1;
    Py_DECREF(done);
    for (long slot : *step.slots) {
        PyObject* array = PyList_GET_ITEM(frame, slot);
        if (reinterpret_cast<PyObject*>(Py_TYPE(array)) != self->array_type) {
            PyErr_SetString(PyExc_TypeError, "compiled program: an operator called from it gave no array");
            return -1;
        }
        table[slot] = reinterpret_cast<Array*>(array)->data;
    }
    return 0;
}

int run_steps(Launcher* self, char** table, PyObject* frame, PyObject* scalars, const double* values) {
    Core& core = *self->core;
    const long* sizes = core.sizes.data();
    if (self->release && self->set_threads != nullptr) use_threads(self);
    for (const Step& step : core.steps) {
        if (step.call != nullptr) {
            if (run_extern(self, step, frame, scalars, table) < 0) return -1;
            continue;
        }
        Report report = {nullptr, 0, 0};
        PyThreadState* thread = self->release ? PyEval_SaveThread() : nullptr;
        int code = step.run(table, sizes, values, &report);
        if (thread != nullptr) PyEval_RestoreThread(thread);
        if (code != 0) return fail(self, report);
    }
    return 0;
}

// Outputs that are memory of their own, before the steps.
int prepare_outputs(Core& core, PyObject* results, char** table) {
    for (size_t i = 0; i < core.outputs.size(); i++) {
        Output& out = core.outputs[i];
        PyObject* value = Py_None;
        if (out.kind == POOL) {
            value = take(out);
            if (value == nullptr) return -1;
            table[out.number] = reinterpret_cast<Array*>(value)->data;
        } else {
            Py_INCREF(value);
        }
        PyList_SET_ITEM(results, i, value);
    }
    return 0;
}

// The other outputs, after the steps.
int finish_outputs(Core& core, PyObject* inputs, PyObject* results, PyObject* frame) {
    for (size_t i = 0; i < core.outputs.size(); i++) {
        Output& out = core.outputs[i];
        PyObject* value = nullptr;
        if (out.kind == POOL) continue;
        if (out.kind == VALUE) value = Py_NewRef(out.object);
        if (out.kind == SAME) value = Py_NewRef(PyList_GET_ITEM(results, out.number));
        if (out.kind == MAKE) {
            PyObject* arguments[3] = {inputs, results, frame ? frame : Py_None};
            value = PyObject_Vectorcall(out.object, arguments, 3, nullptr);
        }
        if (value == nullptr) return -1;
        if (PyList_SetItem(results, Py_ssize_t(i), value) < 0) return -1;
    }
    return 0;
}

PyObject* run(Launcher* self, PyObject* inputs, PyObject* scalars, char** table, double* values) {
    Core& core = *self->core;
    PyObject* results = PyList_New(Py_ssize_t(core.outputs.size()));
    if (results == nullptr) return nullptr;
    PyObject* frame = nullptr;
    int bad = prepare_outputs(core, results, table);
    if (bad == 0 && self->framed) {
        frame = make_frame(core, PySequence_Fast_ITEMS(inputs), results);
        bad = frame == nullptr;
    }
    if (bad == 0) bad = run_steps(self, table, frame, scalars, values);
    if (bad == 0) bad = finish_outputs(core, inputs, results, frame);
    Py_ssize_t count = PyList_GET_SIZE(results);
    if (bad == 0 && count > self->returned) bad = PyList_SetSlice(results, self->returned, count, nullptr);
    Py_XDECREF(frame);
    if (bad != 0) Py_CLEAR(results);
    return results;
}

PyObject* empty_tuple;

PyObject* launcher_call(PyObject* object, PyObject* const* arguments, size_t flags, PyObject* names) {
    Launcher* self = reinterpret_cast<Launcher*>(object);
    Py_ssize_t count = PyVectorcall_NARGS(flags);
    if (count < 1 || count > 2 || names != nullptr) {
        PyErr_SetString(PyExc_TypeError, "compiled program: takes a list of arrays and a list of numbers");
        return nullptr;
    }
    PyObject* inputs = arguments[0];
    PyObject* scalars = count == 2 ? arguments[1] : empty_tuple;
    if (!PyList_Check(inputs) && !PyTuple_Check(inputs)) {
        PyErr_SetString(PyExc_TypeError, "compiled program: the arrays are a list or a tuple");
        return nullptr;
    }
    if (!PyList_Check(scalars) && !PyTuple_Check(scalars)) {
        PyErr_SetString(PyExc_TypeError, "compiled program: the numbers are a list or a tuple");
        return nullptr;
    }
    Core& core = *self->core;
    size_t slots = core.table.size();
    Py_ssize_t numbers = PySequence_Fast_GET_SIZE(scalars);
    char* small[256];
    double few[32];
    std::vector<char*> many;
    std::vector<double> more;
    char** table = small;
    double* values = few;
    if (slots > 256) {
        many.resize(slots);
        table = many.data();
    }
    if (numbers > 32) {
        more.resize(size_t(numbers));
        values = more.data();
    }
    if (slots) std::memcpy(table, core.table.data(), slots * sizeof(char*));
    int differs = fill_inputs(self, PySequence_Fast_ITEMS(inputs), PySequence_Fast_GET_SIZE(inputs), table);
    if (differs < 0 || fill_scalars(scalars, values, numbers) < 0) return nullptr;
    // Making and copying outputs runs Python too: until the outputs are there, another call needs other memory.
    if (differs || self->busy) return PyObject_CallFunctionObjArgs(self->slow, inputs, scalars, nullptr);
    self->busy = 1;
    PyObject* found = run(self, inputs, scalars, table, values);
    self->busy = 0;
    return found;
}

// ---- construction: Launcher(slots, steps, fixed, count, inputs, outputs, symbols, returned, release, framed,
//                             array_type, slow, failed, space, set_threads)

PyObject* launcher_new(PyTypeObject* type, PyObject* args, PyObject*) {
    long slots;
    Py_ssize_t returned;
    int release, framed;
    Py_ssize_t count;
    PyObject *steps, *fixed, *inputs, *outputs, *symbols, *array_type, *slow, *failed, *space, *set_threads;
    if (!PyArg_ParseTuple(args, "lO!O!nO!O!O!nppOOOO!O", &slots, &PyList_Type, &steps, &PyList_Type, &fixed, &count,
                          &PyTuple_Type, &inputs, &PyList_Type, &outputs, &PyList_Type, &symbols,
                          &returned, &release, &framed, &array_type, &slow, &failed,
                          &PyDict_Type, &space, &set_threads))
        return nullptr;
    Launcher* self = reinterpret_cast<Launcher*>(type->tp_alloc(type, 0));
    if (self == nullptr) return nullptr;
    self->vectorcall = launcher_call;
    self->core = new Core();
    self->array_type = Py_NewRef(array_type);
    self->slow = Py_NewRef(slow);
    self->failed = Py_NewRef(failed);
    self->space = Py_NewRef(space);
    self->set_threads = reinterpret_cast<SetThreads>(PyLong_AsVoidPtr(set_threads));
    self->release = release;
    self->framed = framed;
    self->returned = returned;
    Core& core = *self->core;
    core.table.resize(size_t(slots));
    core.frame.resize(size_t(slots));
    core.count = count;
    if (!read_inputs(core, inputs) || !read_steps(core, steps) || !read_outputs(core, outputs) ||
        !read_fixed(core, fixed) || !read_symbols(core, symbols)) {
        Py_DECREF(self);
        return nullptr;
    }
    return reinterpret_cast<PyObject*>(self);
}

int launcher_traverse(PyObject* object, visitproc visit, void* arg) {
    Launcher* self = reinterpret_cast<Launcher*>(object);
    Py_VISIT(self->array_type);
    Py_VISIT(self->slow);
    Py_VISIT(self->failed);
    if (self->core == nullptr) return 0;
    for (PyObject* each : self->core->frame) Py_VISIT(each);
    for (Step& step : self->core->steps) Py_VISIT(step.call);
    for (Output& out : self->core->outputs) {
        Py_VISIT(out.object);
        for (PyObject* each : *out.pool) Py_VISIT(each);
    }
    return 0;
}

int launcher_clear(PyObject* object) {
    Launcher* self = reinterpret_cast<Launcher*>(object);
    Core* core = self->core;
    self->core = nullptr;
    Py_CLEAR(self->slow);
    Py_CLEAR(self->failed);
    Py_CLEAR(self->array_type);
    Py_CLEAR(self->space);
    if (core == nullptr) return 0;
    for (PyObject* each : core->frame) Py_XDECREF(each);
    for (Step& step : core->steps) {
        Py_XDECREF(step.call);
        delete step.slots;
    }
    for (Output& out : core->outputs) {
        Py_XDECREF(out.object);
        for (PyObject* each : *out.pool) Py_DECREF(each);
        delete out.pool;
    }
    delete core;
    return 0;
}

void launcher_dealloc(PyObject* object) {
    PyObject_GC_UnTrack(object);
    launcher_clear(object);
    Py_TYPE(object)->tp_free(object);
}

PyMemberDef launcher_members[] = {
    {"busy", T_INT, offsetof(Launcher, busy), READONLY, "whether a call is under way"},
    {nullptr, 0, 0, 0, nullptr},
};

PyTypeObject launcher_type = {PyVarObject_HEAD_INIT(nullptr, 0) "lamella_launcher.Launcher"};

PyObject* after_fork(PyObject*, PyObject*) {
    forked = true;
    Py_RETURN_NONE;
}

PyMethodDef methods[] = {
    {"after_fork", after_fork, METH_NOARGS, "Say that this process is a forked one: programs use one thread in it."},
    {nullptr, nullptr, 0, nullptr},
};

PyModuleDef module = {PyModuleDef_HEAD_INIT, "lamella_launcher", "Calls of compiled programs.", -1, methods};

}  // namespace

extern "C" __attribute__((visibility("default"))) PyObject* PyInit_lamella_launcher() {
    launcher_type.tp_basicsize = sizeof(Launcher);
    launcher_type.tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_HAVE_VECTORCALL;
    launcher_type.tp_new = launcher_new;
    launcher_type.tp_dealloc = launcher_dealloc;
    launcher_type.tp_traverse = launcher_traverse;
    launcher_type.tp_clear = launcher_clear;
    launcher_type.tp_call = PyVectorcall_Call;
    launcher_type.tp_vectorcall_offset = offsetof(Launcher, vectorcall);
    launcher_type.tp_members = launcher_members;
    launcher_type.tp_doc = "One compiled program, ready to be called with (arrays, numbers).";
    empty_tuple = PyTuple_New(0);
    threads_name = PyUnicode_InternFromString("_threads");
    PyObject* made = PyModule_Create(&module);
    if (made == nullptr || empty_tuple == nullptr || PyType_Ready(&launcher_type) < 0) return nullptr;
    if (PyModule_AddObjectRef(made, "Launcher", reinterpret_cast<PyObject*>(&launcher_type)) < 0) return nullptr;
    if (add_inputs(made) < 0) return nullptr;
    return made;
}
