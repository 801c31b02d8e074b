#include "compiler/api_validation/validate_selector.h"

#include <algorithm>
#include <map>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "compiler/api_validation/validate_scheduling.h"
#include "compiler/ir/read.h"
#include "compiler/model/kubernetes_names.h"
#include "compiler/model/read_pod.h"

namespace gpulint {
namespace {

[[nodiscard]] bool is_presence(std::string_view op) {
  return op == "Exists" || op == "DoesNotExist";
}
[[nodiscard]] bool is_membership(std::string_view op) { return op == "In" || op == "NotIn"; }

void validate_expression(const SelectorRequirement& requirement, const std::string& path,
                         ApiReport& report) {
  const auto op = certain_text(requirement.op);
  const Node op_node = requirement.op.node() ? requirement.op.node() : requirement.node;
  if (op && is_membership(*op) && requirement.values.empty()) {
    report.required(ApiIssue::selector_values_missing, requirement.node, path + ".values",
                    "must be specified when `operator` is 'In' or 'NotIn'");
  } else if (op && is_presence(*op) && !requirement.values.empty()) {
    report.forbidden(ApiIssue::selector_values_unwanted, requirement.node.get("values"),
                     path + ".values",
                     "may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
  } else if (op && !is_membership(*op) && !is_presence(*op)) {
    report.invalid(ApiIssue::selector_operator, op_node, path + ".operator", *op,
                   "not a valid selector operator");
  }
  const auto key = certain_text(requirement.key);
  if (key) {
    validate_label_key(requirement.key.node() ? requirement.key.node() : requirement.node, *key,
                       path + ".key", ApiIssue::selector_key, report);
  }
  for (std::size_t i = 0; i < requirement.values.size(); ++i) {
    const auto value = certain_text(requirement.values[i]);
    if (!value) continue;
    validate_label_value(requirement.values[i].node(), *value,
                         fmt::format("{}.values[{}]", path, i), ApiIssue::selector_value, report);
  }
}

/// The value of a label; `known` but empty where it is not there.
[[nodiscard]] const LabelEntry* find_label(const std::vector<LabelEntry>& labels,
                                           std::string_view key) {
  const auto found =
      std::ranges::find_if(labels, [&](const LabelEntry& label) { return label.key.value == key; });
  return found == labels.end() ? nullptr : &*found;
}

[[nodiscard]] Ternary has_value(const LabelEntry* label, const Field<std::string>& wanted) {
  if (label == nullptr) return Ternary::no;
  const auto a = certain_text(label->value);
  const auto b = certain_text(wanted);
  return a && b ? ternary(*a == *b) : Ternary::unknown;
}

[[nodiscard]] Ternary matches_expression(const SelectorRequirement& requirement,
                                         const std::vector<LabelEntry>& labels) {
  const auto op = certain_text(requirement.op);
  const auto key = certain_text(requirement.key);
  if (!op || !key) return Ternary::unknown;
  const LabelEntry* const label = find_label(labels, *key);
  if (*op == "Exists") return ternary(label != nullptr);
  if (*op == "DoesNotExist") return ternary(label == nullptr);
  Ternary is_in = Ternary::no;
  for (const Field<std::string>& value : requirement.values) {
    is_in = any_of(is_in, has_value(label, value));
  }
  return *op == "In" ? is_in : negate(is_in);
}

[[nodiscard]] bool is_valid_expression(const SelectorRequirement& requirement) {
  const auto op = certain_text(requirement.op);
  const auto key = certain_text(requirement.key);
  if (!op || !key) return true;
  const bool suits = is_membership(*op) ? !requirement.values.empty()
                                        : is_presence(*op) && requirement.values.empty();
  return suits && is_label_key(*key) &&
         std::ranges::all_of(requirement.values, [](const Field<std::string>& value) {
           const auto text = certain_text(value);
           return !text || is_label_value(*text);
         });
}

[[nodiscard]] bool is_valid_label(const LabelEntry& label) {
  const auto value = certain_text(label.value);
  return label.key.node.is_opaque() ||
         (is_label_key(label.key.value) && (!value || is_label_value(*value)));
}

}  // namespace

void validate_label_selector(Node selector, const std::string& path, ApiReport& report) {
  validate_labels(read_string_map(selector.get("matchLabels")), path + ".matchLabels", report);
  std::size_t index = 0;
  for (const SelectorRequirement& requirement :
       read_selector_requirements(selector.get("matchExpressions"))) {
    validate_expression(requirement, fmt::format("{}.matchExpressions[{}]", path, index++), report);
  }
}

SelectorMatch match_label_selector(Node selector, const std::vector<LabelEntry>& labels) {
  if (selector.is_scalar() && selector.is_opaque()) return {true, false, Ternary::unknown};
  if (!selector.is_mapping()) return {true, false, Ternary::no};
  const std::vector<LabelEntry> wanted = read_string_map(selector.get("matchLabels"));
  const std::vector<SelectorRequirement> expressions =
      read_selector_requirements(selector.get("matchExpressions"));
  SelectorMatch result{true, wanted.empty() && expressions.empty(), Ternary::yes};
  result.is_valid = std::ranges::all_of(wanted, is_valid_label) &&
                    std::ranges::all_of(expressions, is_valid_expression);
  const bool has_open_labels = std::ranges::any_of(
      labels, [](const LabelEntry& label) { return label.key.node.is_opaque(); });
  for (const LabelEntry& label : wanted) {
    result.matches =
        all_of(result.matches, has_value(find_label(labels, label.key.value), label.value));
  }
  for (const SelectorRequirement& requirement : expressions) {
    result.matches = all_of(result.matches, matches_expression(requirement, labels));
  }
  if (has_open_labels) result.matches = Ternary::unknown;
  return result;
}

std::string labels_json(const std::vector<LabelEntry>& labels) {
  if (labels.empty()) return "null";
  std::map<std::string, std::string> sorted;
  for (const LabelEntry& label : labels) {
    sorted[label.key.value] = go_quote(label.key.value) + ":" + go_quote(label.value.value_or(""));
  }
  std::vector<std::string> parts;
  for (const auto& [key, text] : sorted) parts.push_back(text);
  return fmt::format("{{{}}}", fmt::join(parts, ","));
}

}  // namespace gpulint
