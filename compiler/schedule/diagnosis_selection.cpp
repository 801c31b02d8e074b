#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <span>

#include "compiler/base/likeness.h"
#include "compiler/base/text.h"
#include "compiler/model/facts/accelerator_catalog.h"
#include "compiler/model/facts/gpu_cards.h"
#include "compiler/model/facts/product_label.h"
#include "compiler/model/facts/provider_catalog.h"
#include "compiler/schedule/gpu_relation.h"
#include "compiler/schedule/karpenter_machine_fit.h"
#include "compiler/schedule/pod_diagnosis.h"

namespace gpulint {
namespace {

using Half = UnmatchedRequirement::Half;
using Operator = NodeRequirement::Operator;

/// An entry of the nodeSelector or an expression of the affinity.
struct Requirement {
  NodeRequirement what;
  std::string_view op;
  Node key_node;
  Node value_node;
  PodSpec alone;  ///< A pod with only this requirement.
};
using Conjunction = std::vector<Requirement>;

[[nodiscard]] Requirement from(const LabelEntry& entry) {
  Requirement result;
  result.what.op = Operator::in;
  result.what.key = entry.key.value;
  if (entry.value.is_known()) {
    result.what.values.push_back(entry.value.value());
  } else {
    result.what.has_open_values = true;
  }
  result.op = "In";
  result.key_node = entry.key.node;
  result.value_node = entry.value.node();
  result.alone.node_selector.push_back(entry);
  return result;
}

[[nodiscard]] Requirement from(const NodeRequirement& requirement) {
  Requirement result;
  result.what = requirement;
  const SelectorRequirement& source = *requirement.source;
  if (source.op.is_known()) result.op = source.op.value();
  result.key_node = source.key.node() ? source.key.node() : source.node;
  if (source.values.size() == 1) result.value_node = source.values.front().node();
  result.alone.node_affinity.has_required = true;
  result.alone.node_affinity.required.emplace_back().expressions.push_back(source);
  return result;
}

/// Whether the value is another tool's name of a known GPU, or differs in letter case: no machine
/// ever has it. An unknown name may be new.
[[nodiscard]] bool is_misnamed(std::string_view key, std::string_view value) {
  const auto vocabulary = vocabulary_of_label(key);
  const std::vector<std::string_view> possible = device_values_of_label(key);
  if (!vocabulary || possible.empty()) return false;
  if (std::ranges::find(possible, value) != possible.end()) return false;
  return !device_values_in(*vocabulary, value).empty() ||
         std::ranges::any_of(possible,
                             [&](std::string_view name) { return equal_fold(name, value); });
}

[[nodiscard]] bool is_misnamed(const NodeRequirement& requirement) {
  return requirement.op == Operator::in && !requirement.has_open_values &&
         std::ranges::all_of(requirement.values, [&](std::string_view value) {
           return is_misnamed(requirement.key, value);
         });
}

/// Karpenter's answer for this requirement alone.
[[nodiscard]] Ternary passes(const Requirement& requirement, const KarpenterPool& pool) {
  if (is_misnamed(requirement.what)) return Ternary::no;
  Toleration everything;
  everything.op = Field<std::string>::known("Exists");
  const Ternary answer = check_karpenter(requirement.alone, {everything}, pool).provisionable();
  return pool.knows_machines && may_be_machine(requirement.alone, pool) == Ternary::no ? Ternary::no
                                                                                       : answer;
}

[[nodiscard]] Ternary passes(const Requirement& requirement, const Candidate& candidate) {
  const NodeClass& nodes = candidate.known();
  if (nodes.karpenter) return passes(requirement, *nodes.karpenter);
  return matches(requirement.what, nodes.node.labels);
}

[[nodiscard]] bool fails_on_all(const Requirement& requirement, const Candidates& candidates) {
  return std::ranges::all_of(candidates, [&](const Candidate* candidate) {
    return passes(requirement, *candidate) == Ternary::no;
  });
}

using Carried = CarriedLabel;

[[nodiscard]] std::vector<Carried> labels_of(const Candidates& candidates) {
  std::vector<Carried> carried;
  std::set<std::pair<std::string_view, std::string_view>> seen;
  for (const Candidate* candidate : candidates) {
    for (const Carried& label : candidate->nodes->labels(candidate->node_class)) {
      if (seen.emplace(label.key, label.value).second) carried.push_back(label);
    }
  }
  return carried;
}

[[nodiscard]] std::optional<Carried> pick(const std::vector<Carried>& labels,
                                          std::optional<std::string_view> key,
                                          std::optional<std::string_view> value) {
  const auto found = std::ranges::find_if(labels, [&](const Carried& label) {
    return (!key || label.key == *key) && (!value || label.value == *value);
  });
  return found == labels.end() ? std::nullopt : std::optional(*found);
}

/// Whether the value suggests its key. Values such as `true` or `1` do not.
[[nodiscard]] bool suggests_key(std::string_view value) {
  constexpr std::size_t shortest = 3;
  return value.size() >= shortest && value != "true" && value != "false" &&
         value.find_first_not_of("0123456789") != std::string_view::npos;
}

/// The nearest spelling among the labels' keys or values.
template <class Member>
[[nodiscard]] std::optional<std::string_view> nearest_of(std::string_view word,
                                                         const std::vector<Carried>& labels,
                                                         Member member) {
  std::vector<std::string_view> words;
  for (const Carried& label : labels) words.push_back(label.*member);
  std::ranges::sort(words);  // independent of the order of nodes
  return nearest(word, words);
}

/// The only value that contains `wanted` or is contained in it.
[[nodiscard]] std::optional<std::string_view> longer_or_shorter(
    std::string_view wanted, const std::vector<Carried>& labels) {
  std::vector<std::string_view> values;
  for (const Carried& label : labels) values.push_back(label.value);
  const bool is_number = wanted.find_first_not_of("0123456789") == std::string_view::npos;
  return is_number || wanted == "true" || wanted == "false" ? std::nullopt
                                                            : only_with_part(wanted, values);
}

[[nodiscard]] bool have_one_role(std::string_view a, std::string_view b) {
  const std::vector<const ProviderLabel*> of_b = labels_with_key(b);
  return std::ranges::any_of(labels_with_key(a), [&](const ProviderLabel* label) {
    return std::ranges::any_of(
        of_b, [&](const ProviderLabel* other) { return other->role == label->role; });
  });
}

/// The value among the labels of this key that names the same product as `wanted`.
[[nodiscard]] std::optional<Carried> same_product(const std::vector<Carried>& labels,
                                                  std::string_view key, std::string_view wanted) {
  const std::vector<const DeviceName*> meant = find_device(wanted);
  for (const Carried& label : labels) {
    if (label.key != key) continue;
    for (const DeviceName* device : find_device(label.value)) {
      const bool is_same = std::ranges::any_of(
          meant, [&](const DeviceName* other) { return other->product == device->product; });
      if (is_same) return label;
    }
  }
  return std::nullopt;
}

/// The label that was likely meant if no node has `key`.
[[nodiscard]] std::optional<Carried> suggest_for_key(const std::vector<Carried>& labels,
                                                     std::string_view key,
                                                     std::string_view wanted) {
  std::vector<Carried> with_value;
  std::ranges::copy_if(labels, std::back_inserter(with_value),
                       [&](const Carried& label) { return label.value == wanted; });
  if (const auto name = nearest_of(key, with_value, &Carried::key)) {
    return pick(with_value, name, std::nullopt);
  }
  for (const Carried& label : labels) {
    if (!have_one_role(key, label.key)) continue;
    if (label.value == wanted) return label;
    if (const auto same = same_product(labels, label.key, wanted)) return same;
  }
  if (with_value.size() == 1 && suggests_key(wanted)) return with_value.front();
  return std::nullopt;
}

/// The only value of the key for the same product, whether whole, partitioned or shared.
[[nodiscard]] std::optional<Carried> same_whole_product(const std::vector<Carried>& labels,
                                                        std::string_view key,
                                                        std::string_view wanted) {
  std::optional<Carried> found;
  for (const Carried& label : labels) {
    if (label.key != key || whole_product(label.value) != whole_product(wanted)) continue;
    if (found && found->value != label.value) return std::nullopt;
    found = label;
  }
  // Another partition was not meant.
  const bool is_other_part = found && !profile_of_product(wanted).empty() &&
                             !profile_of_product(found->value).empty() &&
                             profile_of_product(wanted) != profile_of_product(found->value);
  return is_other_part ? std::nullopt : found;
}

/// The label that was likely meant if no node has the value.
[[nodiscard]] std::optional<Carried> suggest_for_value(const std::vector<Carried>& labels,
                                                       std::string_view key,
                                                       std::string_view wanted) {
  if (const auto same = same_product(labels, key, wanted)) return same;
  if (const auto same = same_whole_product(labels, key, wanted)) return same;
  std::vector<Carried> with_key;
  std::ranges::copy_if(labels, std::back_inserter(with_key), [&](const Carried& label) {
    return label.key == key && may_be_same_card(wanted, label.value, has_role(key, "device"));
  });
  auto value = longer_or_shorter(wanted, with_key);
  if (!value) value = nearest_of(wanted, with_key, &Carried::value);
  return value ? pick(with_key, key, value) : std::nullopt;
}

[[nodiscard]] Half half_of(const Requirement& requirement, const Candidates& all) {
  if (requirement.what.op == Operator::does_not_exist || requirement.what.op == Operator::not_in) {
    return Half::presence;
  }
  const bool is_carried = std::ranges::any_of(all, [&](const Candidate* candidate) {
    return candidate->known().node.labels.has(requirement.what.key) == Ternary::yes;
  });
  return is_carried ? Half::value : Half::key;
}

void suggest(UnmatchedRequirement& unmatched, const std::vector<Carried>& labels) {
  if (unmatched.half == Half::presence || unmatched.wanted.size() > 1) return;
  std::optional<Carried> meant;
  if (unmatched.wanted.empty()) {
    const auto key = nearest_of(unmatched.key, labels, &Carried::key);
    if (key) meant = pick(labels, key, std::nullopt);
  } else if (unmatched.half == Half::key) {
    meant = suggest_for_key(labels, unmatched.key, unmatched.wanted.front());
  } else {
    meant = suggest_for_value(labels, unmatched.key, unmatched.wanted.front());
  }
  if (!meant) return;
  unmatched.suggested_key = meant->key;
  if (!unmatched.wanted.empty()) unmatched.suggested_value = meant->value;
  unmatched.suggested_node = meant->node;
}

/// The candidate that the label is written for; null if there is none.
[[nodiscard]] const Candidate* find_carrier(const Candidates& candidates, Node label) {
  const auto found = std::ranges::find_if(candidates, [&](const Candidate* candidate) {
    return std::ranges::any_of(candidate->nodes->labels(candidate->node_class),
                               [&](const Carried& carried) { return carried.node == label; });
  });
  return label && found != candidates.end() ? *found : nullptr;
}

[[nodiscard]] Cause make_cause(const PreparedPod& pod, const Requirement& requirement,
                               const Candidates& offering, const Candidates& all) {
  UnmatchedRequirement unmatched;
  unmatched.half = half_of(requirement, all);
  unmatched.key = requirement.what.key;
  unmatched.op = requirement.op;
  unmatched.key_node = requirement.key_node;
  unmatched.value_node = requirement.value_node;
  for (const std::string_view value : requirement.what.values) unmatched.wanted.emplace_back(value);
  const std::vector<Carried> labels = labels_of(offering);
  // Prefer the label of the nearest node that offers the requested resources, then of any such
  // node.
  const auto is_same_key = [&](const Carried& c) { return c.key == unmatched.key; };
  const Candidate* const near = nearest_candidate(pod, offering);
  const std::span<const Carried> nearest = near->nodes->labels(near->node_class);
  const auto at_nearest = std::ranges::find_if(nearest, is_same_key);
  const auto carried = std::ranges::find_if(labels, is_same_key);
  Node other = at_nearest != nearest.end() ? at_nearest->node
               : carried != labels.end()   ? carried->node
                                           : Node{};
  std::set<std::string> values;
  for (const Carried& label : labels_of(all)) {
    if (label.key != unmatched.key) continue;
    if (!other) other = label.node;
    values.emplace(label.value);
  }
  unmatched.carried.assign(values.begin(), values.end());
  suggest(unmatched, labels);
  const bool is_value = unmatched.half == Half::value && unmatched.value_node;
  Cause cause{.what = {},
              .demand = is_value ? unmatched.value_node : unmatched.key_node,
              .where = {},
              .other = unmatched.suggested_node ? unmatched.suggested_node : other,
              .pool = nullptr,
              .workloads = {}};
  const Candidate* const carrier = find_carrier(all, cause.other);
  cause.pool = &(carrier == nullptr ? nearest_candidate(pod, offering) : carrier)->pool();
  cause.what = std::move(unmatched);
  return cause;
}

/// The requirements of `conjunction` that no node meets. nullopt if there are none, but some are
/// met only by nodes that do not offer the requested resources: then no single requirement is the
/// cause.
[[nodiscard]] std::optional<std::vector<const Requirement*>> find_unmet(
    const Conjunction& conjunction, const Candidates& offering, const Candidates& all) {
  std::vector<const Requirement*> unmet;
  bool is_met_elsewhere = false;
  for (const Requirement& requirement : conjunction) {
    if (!fails_on_all(requirement, offering)) continue;
    if (fails_on_all(requirement, all)) {
      unmet.push_back(&requirement);
    } else {
      is_met_elsewhere = true;
    }
  }
  if (unmet.empty() && is_met_elsewhere) return std::nullopt;
  return unmet;
}

[[nodiscard]] Conjunction conjunction_of(const std::vector<LabelEntry>& selector) {
  Conjunction conjunction;
  for (const LabelEntry& entry : selector) conjunction.push_back(from(entry));
  return conjunction;
}

[[nodiscard]] Conjunction conjunction_of(const NodeTerm& term) {
  Conjunction conjunction;
  for (const NodeRequirement& requirement : term.labels) conjunction.push_back(from(requirement));
  return conjunction;
}

}  // namespace

std::size_t missing_labels(const PreparedPod& pod, const Candidate& candidate) {
  const auto count = [&](const Conjunction& conjunction) {
    return static_cast<std::size_t>(std::ranges::count_if(
        conjunction, [&](const Requirement& r) { return passes(r, candidate) == Ternary::no; }));
  };
  std::size_t of_terms = 0;
  for (const NodeTerm& term : pod.selection.terms) {
    const std::size_t missing = count(conjunction_of(term));
    of_terms = &term == pod.selection.terms.data() ? missing : std::min(of_terms, missing);
  }
  return count(conjunction_of(pod.spec->node_selector)) + of_terms;
}

Node excluding_label(const PreparedPod& pod, const Candidates& candidates) {
  std::vector<Conjunction> conjunctions{conjunction_of(pod.spec->node_selector)};
  if (pod.selection.terms.size() == 1) {
    conjunctions.push_back(conjunction_of(pod.selection.terms.front()));
  }
  for (const Conjunction& conjunction : conjunctions) {
    for (const Requirement& requirement : conjunction) {
      if (!fails_on_all(requirement, candidates)) continue;
      return requirement.value_node ? requirement.value_node : requirement.key_node;
    }
  }
  return {};
}

bool is_each_label_met(const PreparedPod& pod, const Candidates& all) {
  // A pool may create nodes with a label that it does not state. That does not count.
  const auto has_it = [&](const Requirement& r) {
    return std::ranges::any_of(all, [&](const Candidate* candidate) {
      return passes(r, *candidate) != Ternary::no &&
             matches(r.what, candidate->known().node.labels) == Ternary::yes;
    });
  };
  const auto is_met = [&](const Conjunction& conjunction) {
    return std::ranges::all_of(conjunction, has_it);
  };
  const std::vector<NodeTerm>& terms = pod.selection.terms;
  return is_met(conjunction_of(pod.spec->node_selector)) &&
         (terms.empty() || std::ranges::any_of(terms, [&](const NodeTerm& term) {
            return is_met(conjunction_of(term));
          }));
}

std::vector<Cause> unmatched_selection(const PreparedPod& pod, const Candidates& offering,
                                       const Candidates& all) {
  const Conjunction selector = conjunction_of(pod.spec->node_selector);
  const auto unmet = find_unmet(selector, offering, all);
  if (!unmet) return {no_node_fits(pod, all, all)};
  std::vector<Cause> causes;
  for (const Requirement* requirement : *unmet) {
    causes.push_back(make_cause(pod, *requirement, offering, all));
  }
  if (!causes.empty()) return causes;
  // The affinity terms are alternatives: report the first for all.
  for (const NodeTerm& term : pod.selection.terms) {
    const Conjunction expressions = conjunction_of(term);
    const auto failing = find_unmet(expressions, offering, all);
    if (!failing || failing->empty()) return {no_node_fits(pod, all, all)};
    if (!causes.empty()) continue;
    for (const Requirement* requirement : *failing) {
      causes.push_back(make_cause(pod, *requirement, offering, all));
      if (pod.selection.terms.size() > 1) break;
    }
  }
  if (causes.empty()) causes.push_back(no_node_fits(pod, all, all));
  return causes;
}

}  // namespace gpulint
