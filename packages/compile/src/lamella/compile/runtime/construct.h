// Reading what Python gives for a `Launcher`: see the docstring of `launcher` in launcher.py.
#pragma once

namespace {

bool read_inputs(Core& core, PyObject* tuple) {
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(tuple); i++) {
        Pair each;
        if (!PyArg_ParseTuple(PyTuple_GET_ITEM(tuple, i), "ll", &each.slot, &each.of)) return false;
        core.inputs.push_back(each);
    }
    return true;
}

bool read_steps(Core& core, PyObject* list) {
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(list); i++) {
        PyObject* item = PyList_GET_ITEM(list, i);
        Step step = {nullptr, nullptr, nullptr};
        if (PyLong_Check(item)) {
            step.run = reinterpret_cast<Segment>(PyLong_AsVoidPtr(item));
        } else {
            PyObject *call, *slots;
            if (!PyArg_ParseTuple(item, "OO!", &call, &PyTuple_Type, &slots)) return false;
            step.call = Py_NewRef(call);
            step.slots = new std::vector<long>();
            for (Py_ssize_t k = 0; k < PyTuple_GET_SIZE(slots); k++)
                step.slots->push_back(PyLong_AsLong(PyTuple_GET_ITEM(slots, k)));
        }
        core.steps.push_back(step);
    }
    return !PyErr_Occurred();
}

bool read_outputs(Core& core, PyObject* list) {
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(list); i++) {
        Output out = {0, 0, nullptr, nullptr, 1, 0};
        PyObject* item = PyList_GET_ITEM(list, i);
        if (!PyArg_ParseTuple(item, "ilOn", &out.kind, &out.number, &out.object, &out.limit)) return false;
        Py_INCREF(out.object);
        out.pool = new std::vector<PyObject*>();
        core.outputs.push_back(out);
    }
    return true;
}

bool read_fixed(Core& core, PyObject* list) {
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(list); i++) {
        long slot;
        PyObject *address, *array;
        if (!PyArg_ParseTuple(PyList_GET_ITEM(list, i), "lOO", &slot, &address, &array)) return false;
        core.table.at(size_t(slot)) = static_cast<char*>(PyLong_AsVoidPtr(address));
        core.frame.at(size_t(slot)) = Py_NewRef(array);
    }
    return !PyErr_Occurred();
}

bool read_symbols(Core& core, PyObject* list) {
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(list); i++) {
        Symbol each;
        if (!PyArg_ParseTuple(PyList_GET_ITEM(list, i), "lll", &each.input, &each.dimension, &each.value)) return false;
        core.symbols.push_back(each);
        core.sizes.push_back(each.value);
    }
    return true;
}

}  // namespace
