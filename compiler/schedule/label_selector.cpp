#include "compiler/schedule/label_selector.h"

#include <algorithm>
#include <string_view>

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

}  // namespace

Ternary selects(Node selector, std::span<const LabelEntry> labels) {
  const bool is_open = any_below(selector, [](Node node) { return node.is_opaque(); });
  if (!selector.is_mapping()) return is_open ? Ternary::unknown : Ternary::no;
  Ternary answer = is_open ? Ternary::unknown : Ternary::yes;
  for (const LabelEntry& wanted : read_string_map(selector.get("matchLabels"))) {
    answer = all_of(answer, equals(find_label(labels, wanted.key.value), wanted.value));
  }
  for (const auto& requirement : read_selector_requirements(selector.get("matchExpressions"))) {
    answer = all_of(answer, meets(requirement, labels));
  }
  return answer;
}

}  // namespace gpulint
