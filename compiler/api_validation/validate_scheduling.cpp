#include "compiler/api_validation/validate_scheduling.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "compiler/model/kubernetes_names.h"
#include "compiler/model/read_pod.h"

namespace gpulint {
namespace {

constexpr std::array<std::string_view, 3> effects{"NoSchedule", "PreferNoSchedule", "NoExecute"};
constexpr std::array<std::string_view, 2> toleration_operators{"Equal", "Exists"};
constexpr std::array<std::string_view, 4> comparing_operators{"Equal", "Exists", "Lt", "Gt"};

void validate_effect(const Field<std::string>& field, Node owner, const std::string& path,
                     ApiReport& report) {
  const auto effect = certain_text(field);
  if (!effect || effect->empty()) return;
  if (std::ranges::find(effects, *effect) != effects.end()) return;
  report.not_supported(ApiIssue::taint_effect, field.node() ? field.node() : owner,
                       path + ".effect", *effect, effects);
}

void validate_toleration_key(const Toleration& toleration, const std::string& path,
                             ApiReport& report) {
  const auto key = certain_text(toleration.key);
  const auto op = certain_text(toleration.op);
  if (!key) return;
  if (!key->empty()) {
    validate_label_key(toleration.key.node(), *key, path + ".key", ApiIssue::toleration_key,
                       report);
  } else if (op && *op != "Exists") {
    report.invalid(ApiIssue::toleration_key_missing, toleration.node, path + ".operator", *op,
                   "operator must be Exists when `key` is empty, which means \"match all values "
                   "and all keys\"");
  }
}

/// For a problem of the value, the server reports the operator's path.
void validate_toleration_value(const Toleration& toleration, const std::string& path,
                               ApiReport& report) {
  const auto op = certain_text(toleration.op);
  const auto value = certain_text(toleration.value);
  const Node op_node = toleration.op.node() ? toleration.op.node() : toleration.node;
  const std::string op_path = path + ".operator";
  if (!op) return;
  if (op->empty() || *op == "Equal") {
    const NameProblems problems = !value ? NameProblems{} : label_value_problems(*value);
    if (problems.empty()) return;
    report.invalid(ApiIssue::toleration_value, toleration.value.node(), op_path, *value,
                   fmt::format("{}", fmt::join(problems, ";")));
  } else if (*op == "Exists") {
    if (!value || value->empty()) return;
    report.invalid(ApiIssue::toleration_exists_value, toleration.value.node(), op_path, *value,
                   "value must be empty when `operator` is 'Exists'");
  } else if (*op == "Lt" || *op == "Gt") {
    report.not_supported(ApiIssue::toleration_comparison, op_node, op_path, *op,
                         comparing_operators);
  } else {
    report.not_supported(ApiIssue::toleration_operator, op_node, op_path, *op,
                         toleration_operators);
  }
}

void validate_toleration_seconds(const Toleration& toleration, const std::string& path,
                                 ApiReport& report) {
  const auto effect = certain_text(toleration.effect);
  if (!toleration.toleration_seconds.is_known() || !effect) return;
  if (*effect == "NoExecute") return;
  report.invalid(ApiIssue::toleration_seconds, toleration.toleration_seconds.node(),
                 path + ".effect", *effect,
                 "effect must be 'NoExecute' when `tolerationSeconds` is set");
}

/// JSON of the internal type, as the server shows repeated tolerations and taints.
[[nodiscard]] std::string internal_json(const Toleration& toleration) {
  const auto text = [](const Field<std::string>& field) { return go_quote(field.value_or("")); };
  const std::string seconds = toleration.toleration_seconds.is_known()
                                  ? std::to_string(toleration.toleration_seconds.value())
                                  : "null";
  return fmt::format(R"({{"Key":{},"Operator":{},"Value":{},"Effect":{},"TolerationSeconds":{}}})",
                     text(toleration.key), text(toleration.op), text(toleration.value),
                     text(toleration.effect), seconds);
}

[[nodiscard]] std::string internal_json(const Taint& taint) {
  const auto text = [](const Field<std::string>& field) { return go_quote(field.value_or("")); };
  return fmt::format(R"({{"Key":{},"Value":{},"Effect":{},"TimeAdded":null}})", text(taint.key),
                     text(taint.value), text(taint.effect));
}

void validate_values(const SelectorRequirement& requirement, const std::string& path,
                     ApiReport& report) {
  const auto op = certain_text(requirement.op);
  const Node op_node = requirement.op.node() ? requirement.op.node() : requirement.node;
  const std::size_t count = requirement.values.size();
  const Node values_node = count > 0 ? requirement.node.get("values") : requirement.node;
  if (!op) return;
  if (*op == "In" || *op == "NotIn") {
    if (count > 0) return;
    report.required(ApiIssue::selector_values_missing, requirement.node, path + ".values",
                    "must be specified when `operator` is 'In' or 'NotIn'");
  } else if (*op == "Exists" || *op == "DoesNotExist") {
    if (count == 0) return;
    report.forbidden(ApiIssue::selector_values_unwanted, values_node, path + ".values",
                     "may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
  } else if (*op == "Gt" || *op == "Lt") {
    if (count == 1) return;
    report.required(ApiIssue::selector_single_value, values_node, path + ".values",
                    "must be specified single value when `operator` is 'Lt' or 'Gt'");
  } else {
    report.invalid(ApiIssue::selector_operator, op_node, path + ".operator", *op,
                   "not a valid selector operator");
  }
}

/// Whether label values are checked: in preferred terms they only cause a warning.
enum class LabelValues : std::uint8_t { checked, unchecked };

void validate_label_value(Node node, std::string_view value, const std::string& path,
                          ApiIssue issue, ApiReport& report) {
  for (const std::string& problem : label_value_problems(value)) {
    report.invalid(issue, node, path, value, problem);
  }
}

void validate_requirement(const SelectorRequirement& requirement, const std::string& path,
                          LabelValues values, ApiReport& report) {
  validate_values(requirement, path, report);
  const auto key = certain_text(requirement.key);
  if (key) {
    const Node node = requirement.key.node() ? requirement.key.node() : requirement.node;
    validate_label_key(node, *key, path + ".key", ApiIssue::selector_key, report);
  }
  if (values == LabelValues::unchecked) return;
  for (std::size_t i = 0; i < requirement.values.size(); ++i) {
    const auto value = certain_text(requirement.values[i]);
    if (!value) continue;
    validate_label_value(requirement.values[i].node(), *value,
                         fmt::format("{}.values[{}]", path, i), ApiIssue::selector_value, report);
  }
}

void validate_field_requirement(const SelectorRequirement& requirement, const std::string& path,
                                ApiReport& report) {
  const auto op = certain_text(requirement.op);
  if (op && *op != "In" && *op != "NotIn") {
    report.invalid(ApiIssue::field_selector, requirement.node, path + ".operator", *op,
                   "not a valid selector operator");
  } else if (op && requirement.values.size() != 1) {
    report.required(ApiIssue::field_selector, requirement.node, path + ".values",
                    "must be only one value when `operator` is 'In' or 'NotIn' for node field "
                    "selector");
  }
  const auto key = certain_text(requirement.key);
  if (!key) return;
  if (*key != "metadata.name") {
    report.invalid(ApiIssue::field_selector, requirement.node, path + ".key", *key,
                   "not a valid field selector key");
    return;
  }
  for (std::size_t i = 0; i < requirement.values.size(); ++i) {
    const auto value = certain_text(requirement.values[i]);
    if (!value) continue;
    for (const std::string& problem : dns_subdomain_problems(*value)) {
      report.invalid(ApiIssue::field_selector, requirement.values[i].node(),
                     fmt::format("{}.values[{}]", path, i), *value, problem);
    }
  }
}

void validate_term(const SelectorTerm& term, const std::string& path, LabelValues values,
                   ApiReport& report) {
  for (std::size_t i = 0; i < term.expressions.size(); ++i) {
    validate_requirement(term.expressions[i], fmt::format("{}.matchExpressions[{}]", path, i),
                         values, report);
  }
  for (std::size_t i = 0; i < term.fields.size(); ++i) {
    validate_field_requirement(term.fields[i], fmt::format("{}.matchFields[{}]", path, i), report);
  }
}

/// The weight of a preferred term; opaque ones are in range.
void validate_weight(const SelectorTerm& term, const std::string& path, ApiReport& report) {
  if (term.node.get("weight").is_opaque() || (term.weight >= 1 && term.weight <= 100)) return;
  const Node weight = term.node.get("weight");
  report.invalid_raw(ApiIssue::preference_weight, weight ? weight : term.node, path + ".weight",
                     std::to_string(term.weight), "must be in the range 1-100");
}

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

/// The value of a label; `known` but empty if it is missing.
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

std::optional<std::string_view> certain_text(const Field<std::string>& field) {
  if (field.is_known()) return field.value();
  if (field.is_absent()) return "";
  return std::nullopt;
}

std::optional<std::string> certain_text(Field<std::string>&& field) {
  const Field<std::string>& kept = field;
  const auto text = certain_text(kept);
  return text ? std::optional<std::string>(*text) : std::nullopt;
}

void validate_label_key(Node node, std::string_view key, const std::string& path, ApiIssue issue,
                        ApiReport& report) {
  for (const std::string& problem : label_key_problems(key)) {
    report.invalid(issue, node, path, key, problem);
  }
}

void validate_labels(const std::vector<LabelEntry>& labels, const std::string& path,
                     ApiReport& report) {
  for (const LabelEntry& label : labels) {
    if (!label.key.node.is_opaque()) {
      validate_label_key(label.key.node, label.key.value, path, ApiIssue::label_key, report);
    }
    const auto value = certain_text(label.value);
    if (!value) continue;
    validate_label_value(label.value.node(), *value, path, ApiIssue::label_value, report);
  }
}

void validate_tolerations(const std::vector<Toleration>& tolerations, const std::string& path,
                          ApiReport& report) {
  for (std::size_t i = 0; i < tolerations.size(); ++i) {
    const Toleration& toleration = tolerations[i];
    const std::string item = fmt::format("{}[{}]", path, i);
    validate_toleration_key(toleration, item, report);
    validate_toleration_seconds(toleration, item, report);
    validate_toleration_value(toleration, item, report);
    validate_effect(toleration.effect, toleration.node, item, report);
  }
}

void validate_unique_tolerations(const std::vector<Toleration>& tolerations,
                                 const std::string& path, ApiReport& report) {
  std::set<std::tuple<std::string, std::string, std::string, std::string>> seen;
  for (std::size_t i = 0; i < tolerations.size(); ++i) {
    const Toleration& t = tolerations[i];
    const auto key = certain_text(t.key);
    const auto op = certain_text(t.op);
    const auto value = certain_text(t.value);
    const auto effect = certain_text(t.effect);
    if (!key || !op || !value || !effect || seen.emplace(*key, *op, *value, *effect).second)
      continue;
    report.add(ApiIssue::toleration_repeated, ApiErrorType::duplicate, t.node,
               fmt::format("{}[{}]", path, i),
               fmt::format("Duplicate value: {}", internal_json(t)));
  }
}

void validate_taints(const std::vector<Taint>& taints, const std::string& path, ApiReport& report) {
  std::set<std::pair<std::string, std::string>> seen;
  for (std::size_t i = 0; i < taints.size(); ++i) {
    const Taint& taint = taints[i];
    const std::string item = fmt::format("{}[{}]", path, i);
    const auto key = certain_text(taint.key);
    const auto value = certain_text(taint.value);
    const auto effect = certain_text(taint.effect);
    const Node key_node = taint.key.node() ? taint.key.node() : taint.node;
    if (key) {
      validate_label_key(key_node, *key, item + ".key", ApiIssue::taint_key, report);
    }
    const NameProblems problems = !value ? NameProblems{} : label_value_problems(*value);
    if (!problems.empty()) {
      report.invalid(ApiIssue::taint_value, taint.value.node(), item + ".value", *value,
                     fmt::format("{}", fmt::join(problems, ";")));
    }
    if (effect && effect->empty()) {
      report.required(ApiIssue::taint_effect, taint.node, item + ".effect");
    }
    validate_effect(taint.effect, taint.node, item, report);
    if (!key || !effect || seen.emplace(*key, *effect).second) continue;
    report.add(ApiIssue::taint_repeated, ApiErrorType::duplicate, taint.node, item,
               fmt::format("Duplicate value: {}: taints must be unique by key and effect pair",
                           internal_json(taint)));
  }
}

void validate_node_affinity(const NodeAffinity& affinity, const std::string& path,
                            ApiReport& report) {
  const std::string required = path + ".requiredDuringSchedulingIgnoredDuringExecution";
  const Node terms_node =
      affinity.node.at("requiredDuringSchedulingIgnoredDuringExecution", "nodeSelectorTerms");
  if (affinity.has_required && affinity.required.empty() && !terms_node.is_opaque()) {
    report.required(ApiIssue::selector_terms_missing,
                    affinity.node.get("requiredDuringSchedulingIgnoredDuringExecution"),
                    required + ".nodeSelectorTerms", "must have at least one node selector term");
  }
  for (std::size_t i = 0; i < affinity.required.size(); ++i) {
    validate_term(affinity.required[i], fmt::format("{}.nodeSelectorTerms[{}]", required, i),
                  LabelValues::checked, report);
  }
  for (std::size_t i = 0; i < affinity.preferred.size(); ++i) {
    const std::string item =
        fmt::format("{}.preferredDuringSchedulingIgnoredDuringExecution[{}]", path, i);
    validate_weight(affinity.preferred[i], item, report);
    validate_term(affinity.preferred[i], item + ".preference", LabelValues::unchecked, report);
  }
}

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
