#include "bind/convert.h"

namespace druidai {

namespace py = pybind11;

namespace {

constexpr int kDeepest = 32;  // nested lists and objects; no position needs more than 8

[[noreturn]] void fail(const std::string& path, const std::string& message) {
    throw PositionError(path.empty() ? "(top level)" : path, message);
}

std::string utf8(py::handle text, const std::string& path) {
    py::ssize_t size = 0;
    const char* data = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
    if (!data) {
        PyErr_Clear();
        fail(path, "a text that is not valid Unicode");
    }
    return {data, static_cast<std::size_t>(size)};
}

struct ToPython {
    py::object operator()(std::nullptr_t) const { return py::none(); }
    py::object operator()(bool b) const { return py::bool_(b); }
    py::object operator()(std::int64_t i) const { return py::int_(i); }
    py::object operator()(double d) const { return py::float_(d); }
    py::object operator()(const std::string& s) const { return py::str(s); }
    py::object operator()(const Json::Array& array) const {
        py::list out(array.size());
        for (std::size_t i = 0; i < array.size(); ++i) out[i] = to_python(array[i]);
        return out;
    }
    py::object operator()(const Json::Object& object) const {
        py::dict out;
        for (const auto& [key, value] : object) out[py::str(key)] = to_python(value);
        return out;
    }
};

}  // namespace

py::object to_python(const Json& json) { return std::visit(ToPython{}, json.value()); }

Json from_python(py::handle object, const std::string& path, int depth) {
    if (depth > kDeepest) fail(path, "nested too deeply");
    PyObject* o = object.ptr();
    if (o == Py_None) return nullptr;
    if (PyBool_Check(o)) return o == Py_True;
    if (PyLong_Check(o)) {
        int overflow = 0;
        const long long value = PyLong_AsLongLongAndOverflow(o, &overflow);
        if (overflow) fail(path, "a number that is far too large");
        return static_cast<std::int64_t>(value);
    }
    if (PyFloat_Check(o)) return PyFloat_AS_DOUBLE(o);
    if (PyUnicode_Check(o)) return utf8(object, path);
    if (PyList_Check(o) || PyTuple_Check(o)) {
        Json out = Json::array();
        std::size_t i = 0;
        for (const py::handle item : py::reinterpret_borrow<py::sequence>(object))
            out.push(from_python(item, path + "[" + std::to_string(i++) + "]", depth + 1));
        return out;
    }
    if (PyDict_Check(o)) {
        Json out = Json::object();
        for (const auto& [key, value] : py::reinterpret_borrow<py::dict>(object)) {
            if (!PyUnicode_Check(key.ptr())) fail(path, "expected texts as the keys of an object");
            std::string name = utf8(key, path);
            Json read = from_python(value, path.empty() ? name : path + "." + name, depth + 1);
            out.set(std::move(name), std::move(read));
        }
        return out;
    }
    fail(path, "expected JSON (a number, a text, a list or an object), found a Python " +
                   std::string(py::str(py::type::of(object).attr("__name__"))));
}

}  // namespace druidai
