// Many small clusters, made by a seeded generator that knows what each node really is: what
// `generate` writes must bring every task that can run to such nodes only, and hold no line that
// could be left out.
#include <algorithm>
#include <cstdlib>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tests/unit/generate/support.h"

namespace {

using gpulint::test::Files;
using gpulint::test::Places;

/// Clusters of a short run; the environment variable GPULINT_CLUSTERS says otherwise.
[[nodiscard]] unsigned cluster_count() {
  const char* const said = std::getenv("GPULINT_CLUSTERS");
  return said == nullptr ? 150 : static_cast<unsigned>(std::strtoul(said, nullptr, 10));
}

struct NodeTruth {
  std::string name;
  std::string device;
  std::string partition;  ///< Empty: whole.
  int gpus = 0;
};

struct TaskTruth {
  std::string name;
  int gpus = 1;
  std::string device;     ///< Empty: any.
  std::string partition;  ///< Empty: not asked for.
  bool unpartitioned = false;

  [[nodiscard]] bool means(const NodeTruth& node) const {
    if (!device.empty() && device != node.device) return false;
    if (!partition.empty() && partition != node.partition) return false;
    return !unpartitioned || node.partition.empty();
  }
};

struct World {
  std::vector<NodeTruth> nodes;
  std::vector<TaskTruth> tasks;
  std::string nodes_yaml;
  std::vector<std::string> arguments;

  [[nodiscard]] bool can_run(const TaskTruth& task) const {
    return std::ranges::any_of(
        nodes, [&](const NodeTruth& node) { return task.means(node) && node.gpus >= task.gpus; });
  }
};

class WorldMaker {
 public:
  explicit WorldMaker(unsigned seed) : random_(seed) {}

  [[nodiscard]] World make() {
    device_key_ = pick({"cloud.google.com/gke-accelerator", "nvidia.com/gpu.product",
                        "example.org/gpu", "k8s.amazonaws.com/accelerator"});
    partition_key_ = pick({"cloud.google.com/gke-gpu-partition-size", "example.org/mig-size",
                           "k8s.amazonaws.com/gpu-partition-size"});
    World world;
    const int nodes = 1 + below(6);
    for (int i = 0; i < nodes; ++i) add_node(fmt::format("node-{}", i), world);
    const int tasks = 1 + below(4);
    for (int i = 0; i < tasks; ++i) add_task(fmt::format("task-{}", i), world);
    const std::string chart = pick({"flyte-core", "flyte-binary"});
    world.arguments.insert(world.arguments.end(), {"--chart", chart});
    if (chart == "flyte-binary" && below(3) == 0) {
      world.arguments.insert(world.arguments.end(), {"--flyte-version", "2"});
    }
    return world;
  }

 private:
  [[nodiscard]] int below(int bound) { return static_cast<int>(random_() % unsigned(bound)); }
  [[nodiscard]] std::string pick(const std::vector<std::string>& from) {
    return from[static_cast<std::size_t>(below(static_cast<int>(from.size())))];
  }

  void add_node(const std::string& name, World& world) {
    NodeTruth node{name, pick(devices_), "", 1 << below(4)};
    if (below(3) == 0) node.partition = pick({"1g.5gb", "2g.10gb"});
    std::string labels = fmt::format("{}: {}", device_key_, node.device);
    if (!node.partition.empty()) {
      labels += fmt::format(", {}: \"{}\"", partition_key_, node.partition);
    } else if (below(4) == 0) {
      labels += fmt::format(", {}: none", partition_key_);
    }
    std::set<std::string> taints;
    for (int i = below(3); i > 0; --i) {
      taints.insert(pick(
          {"{key: nvidia.com/gpu, value: present, effect: NoSchedule}",
           "{key: nvidia.com/gpu, value: present, effect: NoExecute}",
           "{key: dedicated, value: gpu, effect: NoSchedule}",
           "{key: team, value: a, effect: NoSchedule}", "{key: team, value: b, effect: NoSchedule}",
           "{key: slow, effect: PreferNoSchedule}", "{key: gpu, effect: NoSchedule}"}));
    }
    world.nodes_yaml += fmt::format(
        "---\napiVersion: v1\nkind: Node\nmetadata: {{name: {}, labels: {{{}}}}}\n"
        "spec: {{taints: [{}]}}\nstatus: {{allocatable: {{cpu: \"64\", memory: 256Gi, pods: "
        "\"110\", nvidia.com/gpu: \"{}\"}}}}\n",
        name, labels, fmt::join(taints, ", "), node.gpus);
    world.nodes.push_back(node);
  }

  void add_task(const std::string& name, World& world) {
    TaskTruth task;
    task.name = name;
    task.gpus = below(8) == 0 ? 16 : 1 << below(3);
    std::string spec = fmt::format("name={},gpu={}", name, task.gpus);
    // Flyte 2 asks for devices under names that it translates; unknown ones stay as they are.
    if (below(4) != 0) {
      task.device = below(8) == 0 ? "nvidia-none-such" : pick(devices_);
      spec += fmt::format(",device={}", task.device);
      if (below(3) == 0) {
        task.partition = pick({"1g.5gb", "2g.10gb"});
        spec += fmt::format(",partition={}", task.partition);
      } else if (below(2) == 0) {
        task.unpartitioned = true;
        spec += ",unpartitioned";
      }
    }
    world.arguments.insert(world.arguments.end(), {"--task", spec});
    world.tasks.push_back(task);
  }

  std::mt19937 random_;
  std::vector<std::string> devices_{"nvidia-tesla-a100", "nvidia-l4", "nvidia-h100-80gb"};
  std::string device_key_;
  std::string partition_key_;
};

/// Whether every task that can run has a place, and has it only where it means to.
[[nodiscard]] bool is_well_placed(const World& world, const Places& places) {
  for (const TaskTruth& task : world.tasks) {
    if (!world.can_run(task)) continue;
    const auto found = places.find(task.name);
    if (found == places.end() || found->second.empty()) return false;
    for (const std::string& name : found->second) {
      const auto node = std::ranges::find(world.nodes, name, &NodeTruth::name);
      if (!task.means(*node)) return false;
    }
  }
  return true;
}

[[nodiscard]] std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\n', begin) + 1;
    lines.push_back(text.substr(begin, end - begin));
    begin = end;
  }
  return lines;
}

[[nodiscard]] std::string without_line(const std::vector<std::string>& lines,
                                       std::size_t left_out) {
  std::string text;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (i != left_out) text += lines[i];
  }
  return text;
}

}  // namespace

TEST_CASE("Values for random clusters bring every task where it means to, and hold no idle line") {
  const unsigned count = cluster_count();
  for (unsigned seed = 1; seed <= count; ++seed) {
    const World world = WorldMaker(seed).make();
    const gpulint::Generated generated =
        gpulint::test::generate({{"nodes.yaml", world.nodes_yaml}}, world.arguments);
    CAPTURE(seed, world.nodes_yaml, world.arguments, generated.text);
    std::set<std::string> unsolved;
    for (const auto& task : generated.unsolved) unsolved.insert(task.task);
    for (const TaskTruth& task : world.tasks) {
      CAPTURE(task.name);
      CHECK(unsolved.contains(task.name) == !world.can_run(task));
    }
    const auto placed = [&](const std::string& values) {
      return gpulint::test::places({{"nodes.yaml", world.nodes_yaml}, {"values.yaml", values}},
                                   world.arguments);
    };
    CHECK(is_well_placed(world, placed(generated.text)));
    if (generated.text.ends_with("{}\n")) continue;
    const std::vector<std::string> lines = lines_of(generated.text);
    for (std::size_t i = 0; i < lines.size(); ++i) {
      if (lines[i].starts_with('#')) continue;
      CAPTURE(lines[i]);
      CHECK_FALSE(is_well_placed(world, placed(without_line(lines, i))));
    }
  }
}
