#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "compiler/ir/node.h"
#include "compiler/model/workload.h"
#include "compiler/schedule/ternary.h"

namespace gpulint {

// Reasons why a workload does not run, in addition to those of single nodes (predicates.h). Gates
// find obstacles; commands and rules print them.

/// What stops the workload, in the order in which the workload meets it.
enum class Gate : std::uint8_t {
  admission,  ///< Admission plugins and webhooks of the API server.
  quota,      ///< ResourceQuota and LimitRange of its namespace.
  queue,      ///< Its queue of Kueue, KAI-Scheduler or Volcano.
  device,     ///< The cards or devices of nodes.
  node,       ///< The kubelet: of the node in its `nodeName`, or of any.
  topology,   ///< Where its volumes, other pods, and its own pods are.
  capacity,   ///< All nodes together: each pod fits one, but not all pods fit at once.
};
/// `admission` and so on, as in the output.
[[nodiscard]] std::string_view to_string(Gate gate);

enum class Certainty : std::uint8_t {
  certain,
  assumed,  ///< Facts outside the inputs may differ.
};

/// One reason why a workload does not run, as all commands print it.
struct Obstacle {
  struct Half {
    Node node;
    std::string text;
  };

  Gate gate = Gate::admission;
  Certainty certainty = Certainty::certain;
  std::string reason;      ///< Lower case, no final period.
  Node demand;             ///< The workload's half, or what does not admit it.
  bool is_at_key = false;  ///< The place is the key of `demand`, not its value.
  std::vector<Half> others;
  std::string advice;  ///< What to do: the help of a finding.

  Obstacle& related(Node node, std::string text);
  Obstacle& assume();
  template <class... Args>
  Obstacle& help(fmt::format_string<Args...> text, Args&&... args) {
    advice = fmt::format(text, std::forward<Args>(args)...);
    return *this;
  }
};

/// A gate of one scope: returns the obstacles of a workload.
using FindObstacles = std::function<std::vector<Obstacle>(const Workload&)>;

/// A gate with the obstacles of all workloads, computed beforehand.
[[nodiscard]] FindObstacles look_up(std::map<const Workload*, std::vector<Obstacle>> found);
/// A gate without obstacles.
[[nodiscard]] std::vector<Obstacle> no_obstacles(const Workload& workload);

/// `no` if an obstacle is certain, `unknown` if one is assumed, `yes` without obstacles.
[[nodiscard]] Ternary passes(std::span<const Obstacle> obstacles);
/// The first certain one, else the first; null if there is none.
[[nodiscard]] const Obstacle* first_of(std::span<const Obstacle> obstacles);
/// The result for a workload that the gate stops: `rejected`, `not admitted` …
[[nodiscard]] std::string_view effect_of(Gate gate);

/// The obstacles of one gate. A returned reference is valid until the next one is added.
class Obstacles {
 public:
  explicit Obstacles(Gate gate) : gate_(gate) {}

  template <class... Args>
  Obstacle& add(Node where, fmt::format_string<Args...> reason, Args&&... args) {
    return put(where, false, fmt::format(reason, std::forward<Args>(args)...));
  }
  template <class... Args>
  Obstacle& add_at_key(Node value, fmt::format_string<Args...> reason, Args&&... args) {
    return put(value, true, fmt::format(reason, std::forward<Args>(args)...));
  }
  [[nodiscard]] std::vector<Obstacle> take() && { return std::move(found_); }

 private:
  Obstacle& put(Node where, bool is_at_key, std::string reason);

  Gate gate_;
  std::vector<Obstacle> found_;
};

}  // namespace gpulint
