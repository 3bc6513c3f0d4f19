#include "base/json.h"

#include <algorithm>

#include "base/quoted.h"

namespace druidai {

namespace {

struct Describe {
    std::string operator()(std::nullptr_t) const { return "nothing"; }
    std::string operator()(bool b) const { return b ? "true" : "false"; }
    std::string operator()(std::int64_t i) const { return std::to_string(i); }
    std::string operator()(double d) const { return std::to_string(d); }
    std::string operator()(const std::string& s) const { return quoted(s); }
    std::string operator()(const Json::Array& a) const {
        return "a list of " + std::to_string(a.size());
    }
    std::string operator()(const Json::Object& o) const {
        return "an object with " + std::to_string(o.size()) + " fields";
    }
};

const Json* find(const Json::Object& object, std::string_view key) {
    for (const auto& [name, value] : object)
        if (name == key) return &value;
    return nullptr;
}

template <class Words>
std::string list_of(const Words& words) {
    std::string out;
    for (const auto& word : words) out += (out.empty() ? "" : ", ") + std::string(word);
    return out;
}

}  // namespace

Json::Json(Array a) : value_(std::move(a)) {}
Json::Json(Object o) : value_(std::move(o)) {}
Json::Json(const Json&) = default;
Json::Json(Json&&) noexcept = default;
Json& Json::operator=(const Json&) = default;
Json& Json::operator=(Json&&) noexcept = default;
Json::~Json() = default;

Json Json::array() { return Json(Array{}); }
Json Json::object() { return Json(Object{}); }

Json& Json::set(std::string key, Json value) {
    std::get<Object>(value_).emplace_back(std::move(key), std::move(value));
    return *this;
}

Json& Json::push(Json value) {
    std::get<Array>(value_).push_back(std::move(value));
    return *this;
}

bool same_fields(const Json& a, const Json& b) {
    const auto* left = a.get_if<Json::Object>();
    const auto* right = b.get_if<Json::Object>();
    if (!left || !right || left->size() != right->size()) return false;
    return std::all_of(left->begin(), left->end(), [&](const auto& field) {
        const Json* other = find(*right, field.first);
        return other && *other == field.second;
    });
}

std::string Json::describe() const { return std::visit(Describe{}, value_); }

std::string Reader::below(std::string_view key) const {
    const std::string name(key.empty() ? "\"\"" : key);  // an error must name something
    return path_.empty() ? name : path_ + "." + name;
}

bool Reader::has(std::string_view key) const {
    const auto* object = json_->get_if<Json::Object>();
    return object && find(*object, key);
}

Reader Reader::at(std::string_view key) const {
    const auto* object = json_->get_if<Json::Object>();
    if (!object) expected("an object");
    const Json* value = find(*object, key);
    std::string path = below(key);
    if (!value) throw PositionError(path, "this field is missing");
    return Reader(*value, std::move(path));
}

void Reader::only(std::initializer_list<std::string_view> keys) const {
    const auto* object = json_->get_if<Json::Object>();
    if (!object) expected("an object");
    for (const auto& [name, value] : *object)
        if (std::find(keys.begin(), keys.end(), name) == keys.end())
            throw PositionError(below(name), "unknown field; expected one of " + list_of(keys));
}

std::vector<std::pair<std::string, Reader>> Reader::items() const {
    const auto* object = json_->get_if<Json::Object>();
    if (!object) expected("an object");
    std::vector<std::pair<std::string, Reader>> out;
    for (const auto& [name, value] : *object) out.emplace_back(name, Reader(value, below(name)));
    return out;
}

std::size_t Reader::size() const {
    const auto* array = json_->get_if<Json::Array>();
    if (!array) expected("a list");
    return array->size();
}

Reader Reader::at(std::size_t i) const {
    const auto* array = json_->get_if<Json::Array>();
    if (!array) expected("a list");
    if (i >= array->size()) expected("a list of at least " + std::to_string(i + 1));
    return Reader((*array)[i], path_ + "[" + std::to_string(i) + "]");
}

std::vector<Reader> Reader::elements() const {
    std::vector<Reader> out;
    for (std::size_t i = 0; i < size(); ++i) out.push_back(at(i));
    return out;
}

std::vector<Reader> Reader::elements(std::size_t exactly) const {
    if (size() != exactly) expected("a list of " + std::to_string(exactly));
    return elements();
}

int Reader::integer(int low, int high) const {
    const auto* value = json_->get_if<std::int64_t>();
    if (!value || *value < low || *value > high)
        expected(low == high ? std::to_string(low)
                             : "a whole number from " + std::to_string(low) + " to " +
                                   std::to_string(high));
    return static_cast<int>(*value);
}

int Reader::integer_or(std::string_view key, int fallback, int low, int high) const {
    return has(key) ? at(key).integer(low, high) : fallback;
}

bool Reader::boolean() const {
    const auto* value = json_->get_if<bool>();
    if (!value) expected("true or false");
    return *value;
}

const std::string& Reader::text() const {
    const auto* value = json_->get_if<std::string>();
    if (!value) expected("a text");
    return *value;
}

int Reader::one_of(std::initializer_list<std::string_view> words) const {
    const auto* value = json_->get_if<std::string>();
    const auto* found = value ? std::find(words.begin(), words.end(), *value) : words.end();
    if (found == words.end()) expected("one of " + list_of(words));
    return static_cast<int>(found - words.begin());
}

}  // namespace druidai
