// JSON trees to Python objects and back.
#pragma once

#include <pybind11/pybind11.h>

#include "base/json.h"

namespace druidai {

pybind11::object to_python(const Json& json);

// Takes what JSON knows (None, bool, int, float, str, list, tuple, dict with str keys). Anything
// else is a PositionError.
Json from_python(pybind11::handle object, const std::string& path = "", int depth = 0);

}  // namespace druidai
