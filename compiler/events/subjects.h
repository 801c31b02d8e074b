#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "compiler/events/event.h"

namespace gpulint::events {

/// Finds which pod a message of a flat text is about, from what stands around it: the row of a
/// table or log, the head of `kubectl describe pod`, `involvedObject` and `metadata` of YAML and
/// JSON.
class Subjects {
 public:
  explicit Subjects(std::string_view text);

  [[nodiscard]] Subject find(std::size_t message) const;

 private:
  [[nodiscard]] Subject in_block(std::size_t block) const;

  std::string_view text_;
  std::vector<std::size_t> heads_;   // of descriptions: `Name:` at the start of a line
  std::vector<std::size_t> blocks_;  // `involvedObject`, `regarding` and `metadata`
};

}  // namespace gpulint::events
