#include "compiler/schedule/verdict.h"

namespace gpulint {

std::string_view to_string(Gate gate) {
  switch (gate) {
    case Gate::admission:
      return "admission";
    case Gate::quota:
      return "quota";
    case Gate::queue:
      return "queue";
    case Gate::device:
      return "device";
    case Gate::node:
      return "node";
  }
  return {};
}

Obstacle& Obstacle::related(Node node, std::string text) {
  others.push_back({node, std::move(text)});
  return *this;
}

Obstacle& Obstacle::assume() {
  certainty = Certainty::assumed;
  return *this;
}

std::vector<Obstacle> no_obstacles(const Workload&) { return {}; }

Obstacle& Obstacles::put(Node where, bool is_at_key, std::string reason) {
  Obstacle& obstacle = found_.emplace_back();
  obstacle.gate = gate_;
  obstacle.reason = std::move(reason);
  obstacle.demand = where;
  obstacle.is_at_key = is_at_key;
  return obstacle;
}

}  // namespace gpulint
