#include "compiler/schedule/label_selector.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "compiler/model/read_pod.h"

namespace gpulint {
namespace {

[[nodiscard]] const LabelEntry* find_label(std::span<const LabelEntry> labels,
                                           std::string_view key) {
  const auto found =
      std::ranges::find_if(labels, [&](const LabelEntry& label) { return label.key.value == key; });
  return found == labels.end() ? nullptr : &*found;
}

[[nodiscard]] Ternary equals(const LabelEntry* label, const Field<std::string>& wanted) {
  if (label == nullptr) return Ternary::no;
  if (!label->value.is_known() || !wanted.is_known()) return Ternary::unknown;
  return ternary(label->value.value() == wanted.value());
}

[[nodiscard]] Ternary meets(const SelectorRequirement& requirement,
                            std::span<const LabelEntry> labels) {
  if (!requirement.key.is_known() || !requirement.op.is_known()) return Ternary::unknown;
  const LabelEntry* const label = find_label(labels, requirement.key.value());
  const std::string& op = requirement.op.value();
  if (op == "Exists" || op == "DoesNotExist")
    return ternary((label != nullptr) == (op == "Exists"));
  if (op != "In" && op != "NotIn") return Ternary::unknown;
  Ternary is_one = Ternary::no;
  for (const Field<std::string>& value : requirement.values) {
    is_one = any_of(is_one, equals(label, value));
  }
  return op == "In" ? is_one : negate(is_one);
}

/// A part of LabelSelector::text(); no two texts of parts are equal.
[[nodiscard]] std::string part(const Field<std::string>& text) {
  return text.is_known() ? fmt::format("{}:{}", text.value().size(), text.value()) : "?";
}

}  // namespace

LabelSelector::LabelSelector(Node selector)
    : start_(selector.is_mapping() ? Ternary::yes : Ternary::no),
      labels_(read_string_map(selector.get("matchLabels"))),
      expressions_(read_selector_requirements(selector.get("matchExpressions"))) {
  if (any_below(selector, [](Node node) { return node.is_opaque(); })) {
    start_ = Ternary::unknown;
    text_ = fmt::format("{} {}", fmt::ptr(selector.document()), selector.index());
    return;
  }
  text_ = selector.is_mapping() ? "{}" : "";
  for (const LabelEntry& label : labels_) {
    text_ += 'l' + part(Field<std::string>::known(label.key.value)) + part(label.value);
  }
  for (const SelectorRequirement& each : expressions_) {
    text_ += 'e' + part(each.key) + part(each.op);
    for (const Field<std::string>& value : each.values) text_ += part(value);
  }
}

Ternary LabelSelector::matches(std::span<const LabelEntry> labels) const {
  Ternary answer = start_;
  for (const LabelEntry& wanted : labels_) {
    answer = all_of(answer, equals(find_label(labels, wanted.key.value), wanted.value));
  }
  for (const SelectorRequirement& requirement : expressions_) {
    answer = all_of(answer, meets(requirement, labels));
  }
  return answer;
}

const LabelEntry* LabelSelector::required_label() const {
  const auto found =
      std::ranges::find_if(labels_, [](const LabelEntry& label) { return label.value.is_known(); });
  return found == labels_.end() ? nullptr : &*found;
}

}  // namespace gpulint
