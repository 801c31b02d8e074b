#include "compiler/schedule/node_selection.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string>

#include "compiler/model/kubernetes_names.h"
#include "compiler/schedule/field_text.h"

namespace gpulint {
namespace {

using Operator = NodeRequirement::Operator;

struct OperatorName {
  std::string_view text;
  Operator op;
};
constexpr std::array<OperatorName, 6> operator_names{{{"DoesNotExist", Operator::does_not_exist},
                                                      {"Exists", Operator::exists},
                                                      {"Gt", Operator::greater_than},
                                                      {"In", Operator::in},
                                                      {"Lt", Operator::less_than},
                                                      {"NotIn", Operator::not_in}}};

[[nodiscard]] Operator parse_operator(std::string_view text) {
  for (const OperatorName& name : operator_names) {
    if (name.text == text) return name.op;
  }
  return Operator::invalid;
}

/// Whether the operator allows this number of values (labels.NewRequirement).
[[nodiscard]] bool suits(Operator op, std::size_t values) {
  switch (op) {
    case Operator::in:
    case Operator::not_in:
      return values > 0;
    case Operator::exists:
    case Operator::does_not_exist:
      return values == 0;
    case Operator::greater_than:
    case Operator::less_than:
      return values == 1;
    case Operator::open:
    case Operator::invalid:
      return false;
  }
  return false;
}

[[nodiscard]] NodeRequirement prepare_requirement(const SelectorRequirement& source) {
  NodeRequirement result;
  result.source = &source;
  result.key = text_of(source.key);
  for (const Field<std::string>& value : source.values) {
    if (is_certain(value)) {
      result.values.push_back(text_of(value));
    } else {
      result.has_open_values = true;
    }
  }
  const bool is_open = !is_certain(source.key) || !is_certain(source.op);
  result.op = is_open ? Operator::open : parse_operator(text_of(source.op));
  return result;
}

[[nodiscard]] NodeRequirement prepare_label_requirement(const SelectorRequirement& source) {
  NodeRequirement result = prepare_requirement(source);
  if (result.op == Operator::open) return result;
  const bool is_valid =
      suits(result.op, source.values.size()) && is_label_key(result.key) &&
      std::ranges::all_of(result.values, [](std::string_view v) { return is_label_value(v); });
  if (!is_valid) result.op = Operator::invalid;
  if (result.op != Operator::greater_than && result.op != Operator::less_than) return result;
  if (result.has_open_values) {
    result.op = Operator::open;
    return result;
  }
  const std::optional<std::int64_t> bound = parse_go_int(result.values.front());
  if (!bound) result.op = Operator::invalid;
  result.bound = bound.value_or(0);
  return result;
}

/// Fields allow only `In` and `NotIn` with one value.
[[nodiscard]] NodeRequirement prepare_field_requirement(const SelectorRequirement& source) {
  NodeRequirement result = prepare_requirement(source);
  if (result.op == Operator::open) return result;
  const bool is_valid =
      (result.op == Operator::in || result.op == Operator::not_in) && source.values.size() == 1;
  if (!is_valid) {
    result.op = Operator::invalid;
  } else if (result.has_open_values) {
    result.op = Operator::open;
  }
  return result;
}

[[nodiscard]] Ternary matches_in(const NodeRequirement& requirement, const NodeLabels& labels) {
  const Ternary answer = labels.is_one_of(requirement.key, requirement.values);
  if (answer != Ternary::no || !requirement.has_open_values) return answer;
  return labels.has(requirement.key) == Ternary::no ? Ternary::no : Ternary::unknown;
}

[[nodiscard]] Ternary matches_field(const NodeRequirement& requirement, NodeName name) {
  if (requirement.op == Operator::open) return Ternary::unknown;
  const bool is_name = requirement.key == "metadata.name";
  if (is_name && name.is_open) return Ternary::unknown;
  const std::string_view actual = is_name ? name.text : std::string_view{};
  const bool is_equal = requirement.values.front() == actual;
  return ternary(is_equal == (requirement.op == Operator::in));
}

}  // namespace

NodeTerm prepare_term(const SelectorTerm& term) {
  NodeTerm result;
  result.source = &term;
  for (const SelectorRequirement& requirement : term.expressions) {
    result.labels.push_back(prepare_label_requirement(requirement));
  }
  for (const SelectorRequirement& requirement : term.fields) {
    result.fields.push_back(prepare_field_requirement(requirement));
  }
  const auto is_invalid = [](const NodeRequirement& r) { return r.op == Operator::invalid; };
  result.is_invalid = std::ranges::any_of(result.labels, is_invalid) ||
                      std::ranges::any_of(result.fields, is_invalid);
  return result;
}

NodeSelection prepare_node_selection(const PodSpec& pod) {
  NodeSelection selection{.pod = &pod, .terms = {}};
  for (const SelectorTerm& term : pod.node_affinity.required) {
    if (term.expressions.empty() && term.fields.empty()) continue;
    selection.terms.push_back(prepare_term(term));
  }
  return selection;
}

Ternary matches(const LabelEntry& entry, const NodeLabels& labels) {
  if (!is_certain(entry.value)) {
    return labels.has(entry.key.value) == Ternary::no ? Ternary::no : Ternary::unknown;
  }
  const std::array<std::string_view, 1> wanted{text_of(entry.value)};
  return labels.is_one_of(entry.key.value, wanted);
}

Ternary matches(const NodeRequirement& requirement, const NodeLabels& labels) {
  switch (requirement.op) {
    case Operator::in:
      return matches_in(requirement, labels);
    case Operator::not_in:
      return negate(matches_in(requirement, labels));
    case Operator::exists:
      return labels.has(requirement.key);
    case Operator::does_not_exist:
      return negate(labels.has(requirement.key));
    case Operator::greater_than:
      return labels.is_beyond(requirement.key, NodeLabels::Order::greater, requirement.bound);
    case Operator::less_than:
      return labels.is_beyond(requirement.key, NodeLabels::Order::less, requirement.bound);
    case Operator::open:
      return Ternary::unknown;
    case Operator::invalid:
      return Ternary::no;
  }
  return Ternary::unknown;
}

Ternary matches(const NodeTerm& term, const NodeLabels& labels, NodeName name) {
  if (term.is_invalid) return Ternary::no;
  Ternary answer = Ternary::yes;
  for (const NodeRequirement& requirement : term.labels) {
    answer = all_of(answer, matches(requirement, labels));
  }
  if (name.text.empty() && !name.is_open) return answer;
  for (const NodeRequirement& requirement : term.fields) {
    answer = all_of(answer, matches_field(requirement, name));
  }
  return answer;
}

AffinityMatch match_affinity(const NodeSelection& selection, const NodeLabels& labels,
                             NodeName name) {
  if (selection.pod->affinity_opaque) return {Ternary::unknown, false};
  if (!selection.pod->node_affinity.has_required) return {Ternary::yes, false};
  AffinityMatch result{Ternary::no, false};
  for (const NodeTerm& term : selection.terms) {
    result.holds = any_of(result.holds, matches(term, labels, name));
    result.has_error = result.has_error || term.is_invalid;
  }
  result.has_error = result.has_error && result.holds == Ternary::no;
  return result;
}

}  // namespace gpulint
