#include "compiler/schedule/terms.h"

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "compiler/schedule/pool_machines.h"
#include "compiler/schedule/tolerate.h"

namespace gpulint {
namespace {

constexpr std::int64_t mebi = std::int64_t{1} << 20U;
constexpr std::int64_t gibi = std::int64_t{1} << 30U;

/// The value of a label on the nodes, in words unless it is a single value.
[[nodiscard]] std::optional<std::string> actual_label(const PoolLabel* label) {
  if (label == nullptr) return std::nullopt;
  switch (label->known) {
    case PoolLabel::Known::exact:
    case PoolLabel::Known::one_of:
    case PoolLabel::Known::provider:
      if (label->values.empty()) return std::nullopt;
      return fmt::format("{}", fmt::join(label->values, " or "));
    case PoolLabel::Known::none_of:
      return fmt::format("a value other than {}", fmt::join(label->values, ", "));
    case PoolLabel::Known::exists:
      return "an unknown value";
    case PoolLabel::Known::absent:
      return std::nullopt;
  }
  return std::nullopt;
}

/// The same for a Karpenter pool, whose requirements are sets of values.
[[nodiscard]] std::optional<std::string> actual_label(const KarpenterRequirement* requirement) {
  if (requirement == nullptr || requirement->is_open()) return std::nullopt;
  std::string values = fmt::format("{}", fmt::join(requirement->values(), " or "));
  if (!requirement->is_complement()) return values;
  return values.empty() ? "any value" : "a value other than " + values;
}

/// The values of a Karpenter pool: from its requirements, else from its machines.
[[nodiscard]] std::optional<std::string> actual_label(const KarpenterPool& pool,
                                                      std::string_view key) {
  const KarpenterRequirement* const requirement = pool.requirements.find(key);
  const bool names_values = requirement != nullptr && !requirement->is_complement();
  if (names_values || !pool.knows_machines) return actual_label(requirement);
  auto values = values_of(pool.machines.machines, key);
  if (values) values->erase("");
  if (!values || values->empty()) return actual_label(requirement);
  return fmt::format("{}", fmt::join(*values, " or "));
}

/// Where the label is written, else where it belongs.
[[nodiscard]] Node label_place(const NodePool& pool, const PoolLabel* label) {
  if (label != nullptr && label->node) return label->node;
  const Node labels = pool.node.at("metadata", "labels");
  return labels ? labels : pool.node;
}

[[nodiscard]] std::vector<std::string> texts(const std::vector<std::string_view>& views) {
  return {views.begin(), views.end()};
}

/// Why Karpenter creates no node of the pool. `flaw`: an entry of KarpenterPool::invalid.
[[nodiscard]] std::string flaw_text(std::string_view flaw) {
  const std::size_t colon = flaw.find(':');
  if (colon == std::string_view::npos) return "no instance type meets all of its requirements";
  const std::string_view kind = flaw.substr(0, colon);
  const std::string_view key = flaw.substr(colon + 1);
  return kind == "limit" ? fmt::format("its limit of `{}` is less than one machine has", key)
                         : fmt::format("its {} `{}` is invalid", kind, key);
}

[[nodiscard]] std::string written_operator(const NodeRequirement& requirement) {
  return requirement.source == nullptr ? "" : requirement.source->op.value_or("");
}

/// The amount for pods on a node; for a machine type, the bound that they stay below.
[[nodiscard]] std::string offer_text(const NodePool& pool, std::string_view resource,
                                     std::int64_t amount) {
  const auto most = machine_bound(pool, resource, amount);
  return most ? fmt::format("less than {}", amount_text(resource, *most))
              : amount_text(resource, amount);
}

class Explainer {
 public:
  Explainer(const Reason& reason, const PreparedPod& pod, const NodeClass& nodes)
      : reason_(reason), pod_(pod), nodes_(nodes), pool_(*nodes.node.pool) {}

  [[nodiscard]] std::vector<Term> terms() const {
    switch (reason_.kind) {
      case ReasonKind::insufficient_resource:
        return {resource()};
      case ReasonKind::node_selector:
        return nodes_.karpenter ? karpenter_labels() : selector();
      case ReasonKind::node_affinity:
      case ReasonKind::node_affinity_error:
        return nodes_.karpenter ? karpenter_labels() : affinity();
      case ReasonKind::unschedulable:
        return {nodes_.karpenter ? named() : unschedulable()};
      case ReasonKind::untolerated_taint:
        return {taint()};
      case ReasonKind::unallocated_claims:
        return {named()};
    }
    return {};
  }

 private:
  [[nodiscard]] Term start() const {
    Term term;
    term.kind = reason_.kind;
    term.holds = reason_.holds;
    term.demanded = reason_.workload_node;
    term.found = reason_.pool_node ? reason_.pool_node : pool_.node;
    return term;
  }

  [[nodiscard]] Term resource() const {
    Term term = start();
    term.key = reason_.detail;
    if (term.key.empty()) return term;
    term.op = ">=";
    term.values = {amount_text(term.key, reason_.requested)};
    term.is_assumed = reason_.is_assumed;
    if (nodes_.node.find_resource(term.key) != nullptr) {
      term.actual = offer_text(pool_, term.key, reason_.offered);
      term.remark = reason_.remark;
    }
    return term;
  }

  [[nodiscard]] Term label(std::string_view key, Ternary holds) const {
    const PoolLabel* const known = nodes_.node.labels.find(key);
    Term term = start();
    term.holds = holds;
    term.key = key;
    term.actual = nodes_.karpenter ? actual_label(*nodes_.karpenter, key) : actual_label(known);
    term.found = label_place(pool_, known);
    return term;
  }

  [[nodiscard]] Term selector_term(const LabelEntry& entry, Ternary holds) const {
    Term term = label(entry.key.value, holds);
    term.kind = ReasonKind::node_selector;
    term.op = "In";
    term.values = {entry.value.value_or("")};
    if (entry.key.node) term.demanded = entry.key.node;
    return term;
  }

  [[nodiscard]] std::vector<Term> selector() const {
    std::vector<Term> terms;
    for (const LabelEntry& entry : pod_.spec->node_selector) {
      const Ternary met = matches(entry, nodes_.node.labels);
      if (met != Ternary::yes) terms.push_back(selector_term(entry, negate(met)));
    }
    if (terms.empty()) terms.push_back(start());
    return terms;
  }

  [[nodiscard]] Term affinity_term(const NodeRequirement& requirement, Ternary holds) const {
    Term term = label(requirement.key, holds);
    term.op = written_operator(requirement);
    term.values = texts(requirement.values);
    if (requirement.source != nullptr && requirement.source->node) {
      term.demanded = requirement.source->node;
    }
    return term;
  }

  /// The terms of one alternative that fail.
  [[nodiscard]] std::vector<Term> alternative(const NodeTerm& alternative) const {
    std::vector<Term> terms;
    for (const NodeRequirement& requirement : alternative.labels) {
      const Ternary met = matches(requirement, nodes_.node.labels);
      if (met != Ternary::yes) terms.push_back(affinity_term(requirement, negate(met)));
    }
    if (!terms.empty()) return terms;
    for (const NodeRequirement& requirement : alternative.fields) {
      Term term = start();
      term.key = requirement.key;
      term.op = written_operator(requirement);
      term.values = texts(requirement.values);
      if (!nodes_.node.name.text.empty()) term.actual = std::string(nodes_.node.name.text);
      if (requirement.source != nullptr) term.demanded = requirement.source->node;
      terms.push_back(std::move(term));
    }
    return terms;
  }

  [[nodiscard]] std::vector<Term> affinity() const {
    std::vector<Term> fewest;
    for (const NodeTerm& term : pod_.selection.terms) {
      std::vector<Term> terms = alternative(term);
      const auto certain = [](const std::vector<Term>& some) {
        return std::ranges::count(some, Ternary::yes, &Term::holds);
      };
      const bool is_fewer = fewest.empty() || std::pair(certain(terms), terms.size()) <
                                                  std::pair(certain(fewest), fewest.size());
      if (is_fewer) fewest = std::move(terms);
    }
    if (fewest.empty()) fewest.push_back(start());
    return fewest;
  }

  /// Karpenter's reasons for labels: `conflict:KEY`, `undefined-label:KEY` …; see also
  /// check_machines().
  [[nodiscard]] std::vector<Term> karpenter_labels() const {
    const std::string_view text = reason_.detail;
    const std::string_view key = text.find(':') == std::string_view::npos
                                     ? std::string_view{}
                                     : text.substr(text.find(':') + 1);
    for (const LabelEntry& entry : pod_.spec->node_selector) {
      if (normalized_label(entry.key.value) == key) {
        return {selector_term(entry, reason_.holds)};
      }
    }
    for (const NodeTerm& term : pod_.selection.terms) {
      for (const NodeRequirement& requirement : term.labels) {
        if (normalized_label(requirement.key) == key) {
          return {affinity_term(requirement, reason_.holds)};
        }
      }
    }
    Term term = start();
    term.key = key;
    return {term};
  }

  [[nodiscard]] Term unschedulable() const {
    Term term = start();
    term.key = "node.kubernetes.io/unschedulable";
    term.op = "Exists";
    term.actual = term.key + ":NoSchedule";
    return term;
  }

  /// Claims without devices, or the reason why Karpenter rejects the pool.
  [[nodiscard]] Term named() const {
    Term term = start();
    term.key = reason_.detail;
    const bool is_refused = nodes_.karpenter && !nodes_.karpenter->invalid.empty();
    if (is_refused) term.remark = flaw_text(nodes_.karpenter->invalid.front());
    return term;
  }

  [[nodiscard]] Term taint() const {
    Term term = start();
    if (!term.demanded) term.demanded = pod_.spec->node;
    if (reason_.detail.empty()) return term;  // the nodes may have unknown taints
    const std::string_view text = reason_.detail;
    const std::size_t colon = text.rfind(':');
    const std::string_view pair = text.substr(0, colon);
    term.effect = text.substr(colon + 1);
    const std::size_t equals = pair.find('=');
    term.key = pair.substr(0, equals);
    const std::string_view value =
        equals == std::string_view::npos ? std::string_view{} : pair.substr(equals + 1);
    term.op = value.empty() ? "Exists" : "Equal";
    if (!value.empty()) term.values = {std::string(value)};
    term.actual = reason_.detail;
    return term;
  }

  const Reason& reason_;
  const PreparedPod& pod_;
  const NodeClass& nodes_;
  const NodePool& pool_;
};

}  // namespace

std::vector<Term> terms_of(const Reason& reason, const PreparedPod& pod, const NodeClass& nodes) {
  return Explainer(reason, pod, nodes).terms();
}

std::string demand_text(const Term& term) {
  if (term.op == ">=") return fmt::format("{} {}", fmt::join(term.values, ""), term.key);
  if (term.values.empty()) return fmt::format("{} {}", term.key, term.op);
  if (term.op == "In" && term.values.size() == 1) {
    return fmt::format("{}={}", term.key, term.values.front());
  }
  return fmt::format("{} {} [{}]", term.key, term.op, fmt::join(term.values, ", "));
}

std::string taint_text(const Term& term) {
  if (term.key.empty()) return {};
  return fmt::format("{}{}{}:{}", term.key, term.values.empty() ? "" : "=",
                     fmt::join(term.values, ""), term.effect);
}

std::string amount_text(std::string_view resource, std::int64_t amount) {
  if (resource == "cpu") {
    return amount % 1000 == 0 ? std::to_string(amount / 1000) : fmt::format("{}m", amount);
  }
  const bool is_bytes =
      resource == "memory" || resource == "ephemeral-storage" || resource.starts_with("hugepages-");
  if (!is_bytes || amount < mebi) return std::to_string(amount);
  if (amount % gibi == 0) return fmt::format("{}Gi", amount / gibi);
  return amount % mebi == 0 ? fmt::format("{}Mi", amount / mebi) : std::to_string(amount);
}

}  // namespace gpulint
