// Errors of the boundary (text, JSON, options). They name the field, what was found and what was
// expected. Nothing inside a simulation throws.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace druidai {

// A value at `field` (a path such as `sides[0].trees[2].tokens`) that is not what it must be.
class FieldError : public std::runtime_error {
public:
    FieldError(std::string field, const std::string& message)
        : std::runtime_error(field.empty() ? message : field + ": " + message),
          field_(std::move(field)) {}
    const std::string& field() const { return field_; }
    std::string message() const {  // without the field
        return field_.empty() ? what() : std::string(what()).substr(field_.size() + 2);
    }

private:
    std::string field_;
};

// Options that no game can be made of.
class OptionError : public FieldError {
    using FieldError::FieldError;
};
// Text of an action that does not parse.
class NotationError : public FieldError {
    using FieldError::FieldError;
};
// An action that is not legal now.
class IllegalActionError : public FieldError {
    using FieldError::FieldError;
};
// A state or view, given as JSON, that cannot be.
class PositionError : public FieldError {
    using FieldError::FieldError;
};

}  // namespace druidai
