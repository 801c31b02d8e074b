#pragma once

#include <string>
#include <utility>
#include <variant>

#include "compiler/base/check.h"

namespace gpulint {

/// Why the environment did not do what was asked: an unreadable file, a bad flag.
/// Bad *content* is never an Error, it is a Diagnostic.
struct Error {
  std::string message;
};

/// A value, or the reason why there is none.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::move(value)) {}      // NOLINT: implicit by design
  Result(Error error) : state_(std::move(error)) {}  // NOLINT: implicit by design

  [[nodiscard]] bool ok() const { return state_.index() == 0; }
  [[nodiscard]] const T& value() const& {
    GPULINT_CHECK(ok());
    return std::get<0>(state_);
  }
  [[nodiscard]] T&& value() && {
    GPULINT_CHECK(ok());
    return std::get<0>(std::move(state_));
  }
  [[nodiscard]] const Error& error() const {
    GPULINT_CHECK(!ok());
    return std::get<1>(state_);
  }

 private:
  std::variant<T, Error> state_;
};

}  // namespace gpulint
