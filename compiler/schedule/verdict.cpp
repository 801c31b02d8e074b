#include "compiler/schedule/verdict.h"

#include <algorithm>
#include <memory>

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
    case Gate::topology:
      return "topology";
    case Gate::capacity:
      return "capacity";
  }
  return {};
}

std::string_view effect_of(Gate gate) {
  switch (gate) {
    case Gate::admission:
    case Gate::quota:
      return "rejected";
    case Gate::queue:
      return "not admitted";
    case Gate::device:
      return "no such devices";
    case Gate::node:
      return "rejected by its node";
    case Gate::topology:
      return "topology does not fit";
    case Gate::capacity:
      return "not all pods fit";
  }
  return {};
}

const Obstacle* first_of(std::span<const Obstacle> obstacles) {
  const auto certain = std::ranges::find(obstacles, Certainty::certain, &Obstacle::certainty);
  if (certain != obstacles.end()) return &*certain;
  return obstacles.empty() ? nullptr : &obstacles.front();
}

Ternary passes(std::span<const Obstacle> obstacles) {
  const Obstacle* const first = first_of(obstacles);
  if (first == nullptr) return Ternary::yes;
  return first->certainty == Certainty::certain ? Ternary::no : Ternary::unknown;
}

Obstacle& Obstacle::related(Node node, std::string text) {
  others.push_back({node, std::move(text)});
  return *this;
}

Obstacle& Obstacle::assume() {
  certainty = Certainty::assumed;
  return *this;
}

FindObstacles look_up(std::map<const Workload*, std::vector<Obstacle>> found) {
  if (found.empty()) return no_obstacles;
  const auto shared = std::make_shared<decltype(found)>(std::move(found));  // copies share it
  return [shared](const Workload& workload) {
    const auto of_workload = shared->find(&workload);
    return of_workload == shared->end() ? std::vector<Obstacle>{} : of_workload->second;
  };
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
