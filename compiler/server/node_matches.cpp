#include "compiler/server/node_matches.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "compiler/base/counted.h"
#include "compiler/schedule/node_selection.h"
#include "compiler/schedule/tolerate.h"
#include "compiler/server/ranges.h"

namespace gpulint::server {
namespace {

/// Nodes or workloads named in a hover.
constexpr std::size_t most_names = 5;

/// From a key to its value.
[[nodiscard]] Span joined(Span key, Span value) { return {key.file, key.begin, value.end}; }

/// The nodes or workloads that match a part, and where.
class Matches {
 public:
  /// `place`: null where Flyte adds it by itself.
  void add(const void* subject, const std::string& name, Node place) {
    if (names_.empty() || last_ != subject) names_.push_back(fmt::format("`{}`", name));
    last_ = subject;
    if (place) places_.push_back(place.key_span());
  }

  /// `2 of 12 nodes have X: a, b`. `verbs`: for one and for several.
  [[nodiscard]] NodeMatches take(Span span, std::size_t all, std::string_view noun,
                                 std::pair<std::string_view, std::string_view> verbs,
                                 const std::string& what) {
    const std::string_view verb = names_.size() == 1 ? verbs.first : verbs.second;
    std::string text =
        fmt::format("{} of {} {} {}", names_.size(), count_text(all, noun), verb, what);
    const std::size_t shown = std::min(names_.size(), most_names);
    const std::size_t more = names_.size() - shown;
    names_.resize(shown);
    if (shown > 0) text += fmt::format(": {}", fmt::join(names_, ", "));
    if (more > 0) text += fmt::format(" and {} more", more);
    return {span, std::move(text), std::move(places_)};
  }

 private:
  const void* last_ = nullptr;
  std::vector<std::string> names_;
  std::vector<Span> places_;
};

[[nodiscard]] bool has_label(const PoolLabel& label, const LabelEntry& wanted) {
  return label.key == wanted.key.value && label.has_one_value() &&
         wanted.value.equals(label.values.front());
}

[[nodiscard]] bool meets(const NodeLabels& labels, const SelectorRequirement& requirement) {
  const SelectorTerm term{requirement.node, {requirement}, {}};
  return matches(prepare_term(term), labels, {}) == Ternary::yes;
}

/// What one cursor means in one scope.
class MatchFinder {
 public:
  MatchFinder(const Placement& placement, FileId file, std::uint32_t offset)
      : placement_(placement), cluster_(placement.cluster()), file_(file), offset_(offset) {}

  [[nodiscard]] std::optional<NodeMatches> find() const {
    for (const Workload* workload : placement_.workloads()) {
      if (auto found = find_in(workload->pod)) return found;
    }
    for (const NodePool& pool : cluster_.pools) {
      if (auto found = find_in(pool)) return found;
    }
    return std::nullopt;
  }

 private:
  [[nodiscard]] bool covers(Span span) const { return server::covers(span, file_, offset_); }
  [[nodiscard]] bool covers(Node node) const { return node && covers(node.span()); }

  [[nodiscard]] std::optional<NodeMatches> find_in(const PodSpec& pod) const {
    for (const LabelEntry& entry : pod.node_selector) {
      if (!entry.value.is_known() || !entry.key.node) continue;
      const Span span = joined(entry.key.span(), entry.value.span());
      if (covers(span)) return nodes_with(entry, span);
    }
    for (const SelectorTerm& term : pod.node_affinity.required) {
      for (const SelectorRequirement& each : term.expressions) {
        if (covers(each.node)) return nodes_with(each);
      }
    }
    for (const Toleration& toleration : pod.tolerations) {
      if (covers(toleration.node)) return nodes_with(toleration);
    }
    for (const Container& container : pod.containers) {
      for (const auto* list : {&container.resources.limits, &container.resources.requests}) {
        for (const ResourceEntry& entry : *list) {
          if (!entry.amount.is_known() || !entry.amount.node()) continue;
          const Span value = entry.amount.span();
          const bool is_pair = entry.name.node && entry.name.span().file == value.file &&
                               entry.name.span().begin <= value.begin;
          const Span span = is_pair ? joined(entry.name.span(), value) : value;
          if (covers(span)) return nodes_with(entry, span);
        }
      }
    }
    return std::nullopt;
  }

  [[nodiscard]] NodeMatches nodes_with(const LabelEntry& entry, Span span) const {
    Matches found;
    for (const NodePool& pool : cluster_.pools) {
      for (const PoolLabel& label : pool.labels) {
        if (has_label(label, entry)) found.add(&pool, pool.name, label.node);
      }
    }
    return found.take(span, cluster_.pools.size(), "node", {"has", "have"},
                      fmt::format("the label `{}={}`", entry.key.value, entry.value.value_or("")));
  }

  [[nodiscard]] NodeMatches nodes_with(const SelectorRequirement& wanted) const {
    Matches found;
    for (const NodePool& pool : cluster_.pools) {
      const NodeLabels labels(pool);
      if (!meets(labels, wanted)) continue;
      const PoolLabel* const label = labels.find(wanted.key.value_or(""));
      found.add(&pool, pool.name, label == nullptr ? Node{} : label->node);
    }
    return found.take(wanted.node.span(), cluster_.pools.size(), "node", {"meets", "meet"},
                      "this requirement");
  }

  [[nodiscard]] NodeMatches nodes_with(const Toleration& toleration) const {
    Matches found;
    for (const NodePool& pool : cluster_.pools) {
      for (const Taint& taint : pool.taints) {
        if (tolerates(toleration, taint) == Ternary::yes) found.add(&pool, pool.name, taint.node);
      }
    }
    return found.take(toleration.node.span(), cluster_.pools.size(), "node", {"has", "have"},
                      "a taint that it tolerates");
  }

  [[nodiscard]] NodeMatches nodes_with(const ResourceEntry& entry, Span span) const {
    Matches found;
    const Quantity wanted = entry.amount.value_or(Quantity());
    for (const NodePool& pool : cluster_.pools) {
      for (const ResourceEntry& offered : pool.allocatable) {
        if (offered.name.value != entry.name.value || !offered.amount.is_known()) continue;
        if (offered.amount.value() >= wanted) found.add(&pool, pool.name, offered.amount.node());
      }
    }
    return found.take(span, cluster_.pools.size(), "node", {"offers", "offer"},
                      fmt::format("`{}: {}`", entry.name.value, wanted.to_string()));
  }

  [[nodiscard]] std::optional<NodeMatches> find_in(const NodePool& pool) const {
    for (const PoolLabel& label : pool.labels) {
      if (!label.node || !label.has_one_value()) continue;
      const Span span = joined(label.node.key_span(), label.node.span());
      if (covers(span)) return pods_selecting(pool, label, span);
    }
    for (const Taint& taint : pool.taints) {
      if (covers(taint.node)) return pods_tolerating(taint);
    }
    for (const ResourceEntry& entry : pool.allocatable) {
      if (!entry.name.node || !entry.amount.node()) continue;
      const Span span = joined(entry.name.span(), entry.amount.span());
      if (covers(span)) return pods_requesting(entry.name.value, span);
    }
    return std::nullopt;
  }

  [[nodiscard]] NodeMatches pods_selecting(const NodePool& pool, const PoolLabel& label,
                                           Span span) const {
    const NodeLabels labels(pool);
    Matches found;
    for (const Workload* workload : placement_.workloads()) {
      for (const LabelEntry& entry : workload->pod.node_selector) {
        if (has_label(label, entry)) found.add(workload, workload->display_name(), entry.key.node);
      }
      for (const SelectorTerm& term : workload->pod.node_affinity.required) {
        for (const SelectorRequirement& each : term.expressions) {
          if (!each.key.equals(label.key) || !meets(labels, each)) continue;
          found.add(workload, workload->display_name(), each.node);
        }
      }
    }
    return of_pods(found, span, {"selects", "select"}, "this label");
  }

  [[nodiscard]] NodeMatches pods_tolerating(const Taint& taint) const {
    Matches found;
    for (std::size_t i = 0; i < placement_.workloads().size(); ++i) {
      const Workload& workload = *placement_.workloads()[i];
      for (const Toleration& toleration : placement_.pod(i).tolerations) {
        if (tolerates(toleration, taint) != Ternary::yes) continue;
        found.add(&workload, workload.display_name(), toleration.node);
      }
    }
    return of_pods(found, taint.node.span(), {"tolerates", "tolerate"}, "this taint");
  }

  [[nodiscard]] NodeMatches pods_requesting(std::string_view resource, Span span) const {
    Matches found;
    for (const Workload* workload : placement_.workloads()) {
      for (const Container& container : workload->pod.containers) {
        for (const auto* list : {&container.resources.requests, &container.resources.limits}) {
          const auto entry =
              std::ranges::find(*list, resource, [](const auto& each) { return each.name.value; });
          if (entry == list->end()) continue;
          found.add(workload, workload->display_name(), entry->amount.node());
          break;
        }
      }
    }
    return of_pods(found, span, {"requests", "request"}, fmt::format("`{}`", resource));
  }

  [[nodiscard]] NodeMatches of_pods(Matches& found, Span span,
                                    std::pair<std::string_view, std::string_view> verbs,
                                    const std::string& what) const {
    return found.take(span, placement_.workloads().size(), "workload", verbs, what);
  }

  const Placement& placement_;
  const Cluster& cluster_;
  FileId file_;
  std::uint32_t offset_;
};

}  // namespace

std::optional<NodeMatches> find_matches(CheckedRoot& root, FileId file, std::uint32_t offset) {
  for (const PlacementReport& report : place_root(root).reports) {
    if (report.placement.cluster().pools.empty()) continue;
    if (auto found = MatchFinder(report.placement, file, offset).find()) return found;
  }
  return std::nullopt;
}

}  // namespace gpulint::server
