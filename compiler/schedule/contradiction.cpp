#include "compiler/schedule/contradiction.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "compiler/model/kubernetes_names.h"
#include "compiler/schedule/node_selection.h"

namespace gpulint {
namespace {

using Operator = NodeRequirement::Operator;

struct Demand {
  NodeRequirement what;
  std::string text;
  Node node;
};

[[nodiscard]] bool is_open(const NodeRequirement& requirement) {
  return requirement.has_open_values || requirement.op == Operator::open ||
         requirement.op == Operator::invalid;
}

/// Whether a node that has the label with this value meets the demand.
[[nodiscard]] bool accepts(const NodeRequirement& requirement, std::string_view value) {
  const bool is_listed = std::ranges::find(requirement.values, value) != requirement.values.end();
  const auto number = parse_go_int(value);
  switch (requirement.op) {
    case Operator::in:
      return is_listed;
    case Operator::not_in:
      return !is_listed;
    case Operator::does_not_exist:
      return false;
    case Operator::greater_than:
      return number && *number > requirement.bound;
    case Operator::less_than:
      return number && *number < requirement.bound;
    case Operator::exists:
    case Operator::open:
    case Operator::invalid:
      break;
  }
  return true;
}

/// Whether nodes without the label fail the demand.
[[nodiscard]] bool needs_label(const NodeRequirement& requirement) {
  return requirement.op != Operator::not_in && requirement.op != Operator::does_not_exist;
}

/// Whether no value meets both demands, and a node without the label does not either.
[[nodiscard]] bool exclude_each_other(const NodeRequirement& a, const NodeRequirement& b) {
  if (!needs_label(a) && !needs_label(b)) return false;
  if (a.op == Operator::does_not_exist || b.op == Operator::does_not_exist) return true;
  if (a.op == Operator::greater_than && b.op == Operator::less_than) {
    return b.bound <= a.bound || b.bound - a.bound == 1;
  }
  if (a.op != Operator::in) return false;
  return std::ranges::none_of(a.values, [&](std::string_view value) { return accepts(b, value); });
}

[[nodiscard]] std::optional<Contradiction> find_in(const std::vector<Demand>& demands) {
  for (std::size_t i = 0; i < demands.size(); ++i) {
    for (std::size_t j = 0; j < demands.size(); ++j) {
      const Demand& a = demands[i];
      const Demand& b = demands[j];
      if (i == j || a.what.key != b.what.key || !exclude_each_other(a.what, b.what)) continue;
      const auto& [first, second] = i < j ? std::pair(a, b) : std::pair(b, a);
      return Contradiction{std::string(a.what.key), first.text, second.text, first.node,
                           second.node};
    }
  }
  return std::nullopt;
}

void add(std::vector<Demand>& demands, const LabelEntry& entry) {
  if (!entry.value.is_known()) return;
  Demand demand;
  demand.what.op = Operator::in;
  demand.what.key = entry.key.value;
  demand.what.values.push_back(entry.value.value());
  demand.text = fmt::format("= {}", entry.value.value());
  demand.node = entry.value.node() ? entry.value.node() : entry.key.node;
  demands.push_back(std::move(demand));
}

void add(std::vector<Demand>& demands, const NodeRequirement& requirement) {
  if (is_open(requirement)) return;
  const std::string op = requirement.source->op.value_or("");
  demands.push_back({requirement,
                     requirement.values.empty()
                         ? op
                         : fmt::format("{} ({})", op, fmt::join(requirement.values, ", ")),
                     requirement.source->node});
}

/// Longer lists are not checked: the comparison of all pairs would be slow.
constexpr std::size_t most_demands = 200;

}  // namespace

std::optional<Contradiction> find_contradiction(const PodSpec& pod) {
  std::vector<Demand> selector;
  for (const LabelEntry& entry : pod.node_selector) add(selector, entry);
  const NodeSelection selection = prepare_node_selection(pod);
  std::optional<Contradiction> first;
  for (const NodeTerm& term : selection.terms) {
    std::vector<Demand> demands = selector;
    for (const NodeRequirement& requirement : term.labels) add(demands, requirement);
    if (demands.size() > most_demands) return std::nullopt;
    std::optional<Contradiction> found = find_in(demands);
    if (!found) return std::nullopt;
    if (!first) first = std::move(found);
  }
  return first;
}

}  // namespace gpulint
