#include "compiler/server/node_matches.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "compiler/schedule/tolerate.h"

namespace gpulint::server {
namespace {

/// Nodes named in a hover.
constexpr std::size_t most_names = 5;

/// The nodes that have what a part names, and where they have it.
class Matches {
 public:
  void add(const NodePool& pool, Node place) {
    if (!names_.empty() && last_ == &pool) return add_place(place);
    last_ = &pool;
    names_.push_back(fmt::format("`{}`", pool.name));
    add_place(place);
  }

  /// `2 of 12 nodes have X: a, b`.
  [[nodiscard]] NodeMatches take(Span span, std::size_t nodes, const std::string& verb,
                                 const std::string& what) {
    std::string text = fmt::format("{} of {} node{} {} {}", names_.size(), nodes,
                                   nodes == 1 ? "" : "s", verb, what);
    const std::size_t shown = std::min(names_.size(), most_names);
    const std::size_t more = names_.size() - shown;
    names_.resize(shown);
    if (shown > 0) text += fmt::format(": {}", fmt::join(names_, ", "));
    if (more > 0) text += fmt::format(" and {} more", more);
    return {span, std::move(text), std::move(places_)};
  }

 private:
  void add_place(Node place) {
    if (place) places_.push_back(place.key_span());
  }

  const NodePool* last_ = nullptr;
  std::vector<std::string> names_;
  std::vector<Span> places_;
};

[[nodiscard]] bool covers(Span span, FileId file, std::uint32_t offset) {
  return span.file == file && span.begin <= offset && offset <= span.end;
}

/// From a key to its value.
[[nodiscard]] Span joined(Span key, Span value) { return {key.file, key.begin, value.end}; }

[[nodiscard]] bool has_label(const PoolLabel& label, const LabelEntry& wanted) {
  return label.key == wanted.key.value && label.has_one_value() &&
         wanted.value.equals(label.values.front());
}

[[nodiscard]] NodeMatches match(const LabelEntry& entry, Span span, const Cluster& cluster) {
  Matches found;
  for (const NodePool& pool : cluster.pools) {
    for (const PoolLabel& label : pool.labels) {
      if (has_label(label, entry)) found.add(pool, label.node);
    }
  }
  return found.take(span, cluster.pools.size(), "have the label",
                    fmt::format("`{}={}`", entry.key.value, entry.value.value_or("")));
}

[[nodiscard]] NodeMatches match(const Toleration& toleration, const Cluster& cluster) {
  Matches found;
  for (const NodePool& pool : cluster.pools) {
    for (const Taint& taint : pool.taints) {
      if (tolerates(toleration, taint) == Ternary::yes) found.add(pool, taint.node);
    }
  }
  return found.take(toleration.node.span(), cluster.pools.size(), "have",
                    "a taint that it tolerates");
}

[[nodiscard]] NodeMatches match(const ResourceEntry& entry, Span span, const Cluster& cluster) {
  Matches found;
  const Quantity wanted = entry.amount.value_or(Quantity());
  for (const NodePool& pool : cluster.pools) {
    for (const ResourceEntry& offered : pool.allocatable) {
      if (offered.name.value != entry.name.value || !offered.amount.is_known()) continue;
      if (offered.amount.value() >= wanted) found.add(pool, offered.amount.node());
    }
  }
  return found.take(span, cluster.pools.size(), "offer",
                    fmt::format("`{}: {}`", entry.name.value, wanted.to_string()));
}

[[nodiscard]] std::optional<NodeMatches> match_at(const PodSpec& pod, const Cluster& cluster,
                                                  FileId file, std::uint32_t offset) {
  for (const LabelEntry& entry : pod.node_selector) {
    const Span span = joined(entry.key.span(), entry.value.span());
    if (entry.value.is_known() && covers(span, file, offset)) return match(entry, span, cluster);
  }
  for (const Toleration& toleration : pod.tolerations) {
    if (covers(toleration.node.span(), file, offset)) return match(toleration, cluster);
  }
  for (const Container& container : pod.containers) {
    for (const auto* list : {&container.resources.limits, &container.resources.requests}) {
      for (const ResourceEntry& entry : *list) {
        const Span span = joined(entry.name.span(), entry.amount.span());
        if (!entry.amount.is_known() || !covers(span, file, offset)) continue;
        return match(entry, span, cluster);
      }
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<NodeMatches> find_matches(CheckedRoot& root, FileId file, std::uint32_t offset) {
  for (const PlacementReport& report : place_root(root).reports) {
    const Cluster& cluster = report.placement.cluster();
    if (cluster.pools.empty()) continue;
    for (const Workload* workload : report.placement.workloads()) {
      if (workload->origin == Workload::Origin::compiled) continue;
      if (auto found = match_at(workload->pod, cluster, file, offset)) return found;
    }
  }
  return std::nullopt;
}

}  // namespace gpulint::server
