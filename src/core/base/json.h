// A JSON value as a tree, and readers that know where they are: `Reader` walks a value and every
// complaint names the path of the field. Turning text into trees and back is not done here (the
// binding converts from and to Python objects).
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/error.h"

namespace druidai {

class Json {
public:
    using Array = std::vector<Json>;
    using Object = std::vector<std::pair<std::string, Json>>;  // keeps the order of the keys

    Json() : value_(nullptr) {}
    Json(std::nullptr_t) : value_(nullptr) {}
    Json(bool b) : value_(b) {}
    Json(int i) : value_(std::int64_t{i}) {}
    Json(std::int64_t i) : value_(i) {}
    Json(double d) : value_(d) {}
    Json(const char* s) : value_(std::string(s)) {}
    Json(std::string s) : value_(std::move(s)) {}
    Json(std::string_view s) : value_(std::string(s)) {}
    Json(Array a);
    Json(Object o);
    Json(const Json&);
    Json(Json&&) noexcept;
    Json& operator=(const Json&);
    Json& operator=(Json&&) noexcept;
    ~Json();

    static Json array();
    static Json object();

    // Building. `set` appends: the caller does not give a key twice.
    Json& set(std::string key, Json value);
    Json& push(Json value);

    template <class T>
    const T* get_if() const {
        return std::get_if<T>(&value_);
    }
    const auto& value() const { return value_; }
    bool operator==(const Json&) const = default;

    // Short text for messages: `"3L"`, `12`, `a list of 4`, `nothing`.
    std::string describe() const;

private:
    std::variant<std::nullptr_t, bool, std::int64_t, double, std::string, Array, Object> value_;
};

// Whether two objects have the same fields, in whatever order.
bool same_fields(const Json& a, const Json& b);

// Reads one value at a known path. All complaints are `PositionError` or, for options, are
// rethrown as `OptionError` by the caller that reads options.
class Reader {
public:
    Reader(const Json& json, std::string path) : json_(&json), path_(std::move(path)) {}

    const std::string& path() const { return path_; }
    const Json& json() const { return *json_; }
    [[noreturn]] void fail(const std::string& message) const {
        throw PositionError(path_.empty() ? "(top level)" : path_, message);
    }
    [[noreturn]] void expected(const std::string& what) const {
        fail("expected " + what + ", found " + json_->describe());
    }

    // Object access. `only` complains about a key that is not in the list.
    bool has(std::string_view key) const;
    Reader at(std::string_view key) const;
    void only(std::initializer_list<std::string_view> keys) const;
    std::vector<std::pair<std::string, Reader>> items() const;

    // Array access.
    std::size_t size() const;
    Reader at(std::size_t i) const;
    std::vector<Reader> elements() const;
    std::vector<Reader> elements(std::size_t exactly) const;

    // Scalars.
    int integer(int low, int high) const;
    int integer_or(std::string_view key, int fallback, int low, int high) const;
    bool boolean() const;
    const std::string& text() const;
    int one_of(std::initializer_list<std::string_view> words) const;  // index of the word

private:
    std::string below(std::string_view key) const;  // the path of a field of this object

    const Json* json_;
    std::string path_;
};

}  // namespace druidai
