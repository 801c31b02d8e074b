#pragma once

#include <optional>
#include <string>

#include "compiler/model/dra/objects.h"

namespace gpulint::dra {

/// Decodes fields and remembers whether one of them could not be told.
class Reader {
 public:
  [[nodiscard]] bool is_open() const { return is_open_; }
  void leave_open() { is_open_ = true; }

  [[nodiscard]] std::string text(Node node);
  [[nodiscard]] bool truth(Node node);
  [[nodiscard]] std::int64_t number(Node node, std::int64_t fallback);
  [[nodiscard]] std::optional<Quantity> quantity(Node node);
  /// The items of a list, or nothing; a placeholder in its place is open.
  [[nodiscard]] std::vector<Node> items(Node node);
  /// The members of a mapping with known keys.
  [[nodiscard]] std::vector<std::pair<std::string, Node>> members(Node node);
  [[nodiscard]] Amounts amounts(Node node, bool has_values);
  [[nodiscard]] NodeChoice nodes(Node node);

 private:
  template <class T>
  void note(const Field<T>& field) {
    is_open_ = is_open_ || field.is_opaque() || field.is_mistyped();
  }
  bool is_open_ = false;
};

}  // namespace gpulint::dra
