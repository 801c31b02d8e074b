#include "compiler/ir/aliasing.h"

#include <algorithm>
#include <vector>

namespace gpulint {
namespace {

/// How many nodes each node of a document stands for, aliases followed.
class Weights {
 public:
  explicit Weights(const Document& document)
      : document_(document), weights_(document.nodes.size(), 1) {
    for (NodeIndex i = 0; i < document.nodes.size(); ++i) {  // in text order: targets come first
      const NodeData& node = document.nodes[i];
      close_until(node.parent);
      if (node.kind == NodeKind::alias && node.target != no_node) add(i, weights_[node.target]);
      open_.push_back(i);
    }
    close_until(no_node);
  }

  [[nodiscard]] std::uint64_t of(NodeIndex node) const { return weights_[node]; }

 private:
  void add(NodeIndex node, std::uint64_t weight) {
    constexpr std::uint64_t most = 1'000'000'000'000;
    weights_[node] = std::min(weights_[node] + weight, most);
  }

  /// What stands before `parent`'s next child is complete.
  void close_until(NodeIndex parent) {
    while (!open_.empty() && open_.back() != parent) {
      const NodeIndex closed = open_.back();
      open_.pop_back();
      if (!open_.empty()) add(open_.back(), weights_[closed]);
    }
  }

  const Document& document_;
  std::vector<std::uint64_t> weights_;
  std::vector<NodeIndex> open_;
};

}  // namespace

bool is_excessive_aliasing(std::uint64_t met, std::uint64_t through_aliases) {
  constexpr double low = 400'000;
  constexpr double high = 4'000'000;
  const double share = std::clamp((static_cast<double>(met) - low) / (high - low), 0.0, 1.0);
  const double ratio = static_cast<double>(through_aliases) / static_cast<double>(met);
  return through_aliases > 100 && met > 1000 && ratio > 0.99 - 0.89 * share;
}

Node find_excessive_alias(const Document& document) {
  std::vector<NodeIndex> aliases;
  for (NodeIndex i = 0; i < document.nodes.size(); ++i) {
    if (document.nodes[i].kind == NodeKind::alias) aliases.push_back(i);
  }
  if (aliases.empty() || document.root == no_node) return {};
  const Weights weights(document);
  const std::uint64_t met = weights.of(document.root);
  const std::uint64_t written = document.nodes.size();
  if (met <= written || !is_excessive_aliasing(met, met - written)) return {};
  return {document,
          *std::ranges::max_element(aliases, {}, [&](NodeIndex i) { return weights.of(i); })};
}

}  // namespace gpulint
