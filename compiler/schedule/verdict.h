#pragma once

#include <cstdint>
#include <functional>
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

// What keeps a workload from running, beside the reasons of single nodes (predicates.h). Commands
// and rules print obstacles; they do not find any.

/// Who stops the workload, in the order in which it meets them.
enum class Gate : std::uint8_t {
  admission,  ///< Admission plugins and webhooks of the API server.
  quota,      ///< ResourceQuota and LimitRange of its namespace.
  queue,      ///< Its queue of Kueue, KAI-Scheduler or Volcano.
  device,     ///< The cards or devices that nodes have.
  node,       ///< The node that it is bound to by name.
  topology,   ///< Where its volumes are, other pods, and those of its own.
  capacity,   ///< All nodes together: each pod fits one, and not all of them do at a time.
};
/// `admission` and so on, as in the output.
[[nodiscard]] std::string_view to_string(Gate gate);

enum class Certainty : std::uint8_t {
  certain,
  assumed,  ///< By evidence: something beside the inputs may say otherwise.
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
  Node demand;             ///< The workload's half, or what takes no such workload.
  bool is_at_key = false;  ///< The key of `demand` is the place, not its value.
  std::vector<Half> others;
  std::string advice;  ///< What to do; a finding's help.

  Obstacle& related(Node node, std::string text);
  Obstacle& assume();
  template <class... Args>
  Obstacle& help(fmt::format_string<Args...> text, Args&&... args) {
    advice = fmt::format(text, std::forward<Args>(args)...);
    return *this;
  }
};

/// A gate that was made for one scope: what it puts before a workload.
using FindObstacles = std::function<std::vector<Obstacle>(const Workload&)>;

/// A gate that is open to all.
[[nodiscard]] std::vector<Obstacle> no_obstacles(const Workload& workload);

/// Whether they let the workload through: `no` where one certainly does not, `unknown` where one is
/// assumed.
[[nodiscard]] Ternary passes(std::span<const Obstacle> obstacles);
/// The first certain one, else the first; null of none.
[[nodiscard]] const Obstacle* first_of(std::span<const Obstacle> obstacles);
/// What becomes of a workload that the gate stops: `rejected`, `not admitted` …
[[nodiscard]] std::string_view effect_of(Gate gate);

/// The obstacles of one gate. A reference that it returns lives until the next one is added.
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
