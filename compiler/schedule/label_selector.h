#pragma once

#include <span>
#include <string>
#include <vector>

#include "compiler/ir/node.h"
#include "compiler/model/workload.h"
#include "compiler/schedule/ternary.h"

namespace gpulint {

/// A LabelSelector of the API (`matchLabels`, `matchExpressions`). If it is absent it matches
/// nothing, if it is empty everything (apimachinery, LabelSelectorAsSelector).
class LabelSelector {
 public:
  /// `selector`: the mapping; null if absent.
  explicit LabelSelector(Node selector);

  /// Unknown if a decisive part comes from a template.
  [[nodiscard]] Ternary matches(std::span<const LabelEntry> labels) const;

  /// Selectors with the same text match the same labels.
  [[nodiscard]] const std::string& text() const { return text_; }
  /// A label that all matched pods have, or may have with another value; null if none is known.
  [[nodiscard]] const LabelEntry* required_label() const;

 private:
  Ternary start_;  ///< The answer if all parts match.
  std::vector<LabelEntry> labels_;
  std::vector<SelectorRequirement> expressions_;
  std::string text_;
};

}  // namespace gpulint
