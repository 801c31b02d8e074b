#pragma once

#include <cstdint>
#include <utility>

#include "compiler/base/check.h"
#include "compiler/ir/node.h"

namespace gpulint {

/// A value and the node it was written at; no node for values built into Flyte or Kubernetes.
template <class T>
struct Value {
  T value{};
  Node node;

  [[nodiscard]] Span span() const { return node.span(); }
};

/// What a document says of one field. Rules report only `known` fields, so templated input raises
/// no false alarm; `mistyped` fields are those the API server cannot decode.
template <class T>
class Field {
 public:
  enum class State : std::uint8_t { absent, opaque, mistyped, known };

  Field() = default;
  [[nodiscard]] static Field absent(Node where) { return Field(State::absent, T{}, where); }
  [[nodiscard]] static Field opaque(Node node) { return Field(State::opaque, T{}, node); }
  [[nodiscard]] static Field mistyped(Node node) { return Field(State::mistyped, T{}, node); }
  [[nodiscard]] static Field known(T value, Node node = {}) {
    return Field(State::known, std::move(value), node);
  }

  [[nodiscard]] State state() const { return state_; }
  [[nodiscard]] bool is_absent() const { return state_ == State::absent; }
  [[nodiscard]] bool is_opaque() const { return state_ == State::opaque; }
  [[nodiscard]] bool is_mistyped() const { return state_ == State::mistyped; }
  [[nodiscard]] bool is_known() const { return state_ == State::known; }

  /// Only of known fields.
  [[nodiscard]] const T& value() const {
    GPULINT_CHECK(is_known());
    return value_;
  }
  /// The value where known, else `fallback` (the default that an absent field has).
  [[nodiscard]] T value_or(T fallback) const {
    if (is_known()) return value_;
    return fallback;
  }
  template <typename Other>
  [[nodiscard]] bool equals(const Other& other) const {
    return is_known() && value_ == other;
  }

  /// The node of the value; of an absent field the mapping where it would be inserted.
  [[nodiscard]] Node node() const { return node_; }
  [[nodiscard]] Span span() const { return node_.span(); }

 private:
  Field(State state, T value, Node node) : state_(state), value_(std::move(value)), node_(node) {}

  State state_ = State::absent;
  T value_{};
  Node node_;
};

}  // namespace gpulint
