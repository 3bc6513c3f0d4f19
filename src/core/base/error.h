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
    FieldError(std::string field, std::string message)
        : std::runtime_error(field.empty() ? message : field + ": " + message),
          field_(std::move(field)),
          message_(std::move(message)) {}
    const std::string& field() const { return field_; }
    const std::string& message() const { return message_; }  // without the field
    // The whole. `what` is the same, but ends at a zero byte that somebody's text may have.
    std::string text() const { return field_.empty() ? message_ : field_ + ": " + message_; }

private:
    std::string field_;
    std::string message_;
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
// Results asked for before the game is over.
class NotOverError : public FieldError {
    using FieldError::FieldError;
};
// A state or view, given as JSON, that cannot be.
class PositionError : public FieldError {
    using FieldError::FieldError;
};

}  // namespace druidai
