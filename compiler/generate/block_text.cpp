#include "compiler/generate/block_text.h"

#include <algorithm>
#include <set>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "compiler/ir/yaml_string.h"

namespace gpulint::generate {
namespace {

constexpr std::size_t most_names = 3;

/// Text that cannot end its comment.
[[nodiscard]] std::string one_line(std::string text) {
  std::ranges::replace_if(
      text, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }, '?');
  return text;
}

/// `node a`, `nodes a, b and 3 more`; empty for none.
[[nodiscard]] std::string names_text(std::string_view noun, const std::vector<std::string>& names) {
  if (names.empty()) return {};
  const std::vector<std::string> first(
      names.begin(),
      names.begin() + static_cast<std::ptrdiff_t>(std::min(names.size(), most_names)));
  std::string text =
      fmt::format("{}{} {}", noun, names.size() == 1 ? "" : "s", fmt::join(first, ", "));
  if (names.size() > most_names) text += fmt::format(" and {} more", names.size() - most_names);
  return text;
}

[[nodiscard]] std::string pools_text(const std::vector<const NodePool*>& pools) {
  std::vector<std::string> nodes;
  std::vector<std::string> others;
  for (const NodePool* pool : pools) {
    (pool->source == NodePool::Source::node ? nodes : others).push_back(pool->name);
  }
  std::string text = names_text("node", nodes);
  if (!nodes.empty() && !others.empty()) text += ", ";
  return text + names_text("pool", others);
}

[[nodiscard]] std::string reason_text(const LineReason& reason) {
  const std::string pools = pools_text(reason.pools);
  const std::string tasks = names_text("task", reason.tasks);
  if (pools.empty()) return one_line(tasks);
  return one_line(tasks.empty() ? pools : fmt::format("{}: {}", pools, tasks));
}

[[nodiscard]] std::string flow(
    const std::vector<std::pair<std::string_view, std::string>>& fields) {
  std::vector<std::string> parts;
  for (const auto& [key, value] : fields) {
    if (!value.empty()) parts.push_back(fmt::format("{}: {}", key, value));
  }
  return fmt::format("{{{}}}", fmt::join(parts, ", "));
}

/// A scalar inside `{}`; empty for an empty one.
[[nodiscard]] std::string flow_scalar(const std::string& text) {
  return text.empty() ? text : yaml_string(text);
}

[[nodiscard]] std::string flow(const ResourceToleration& toleration) {
  return flow({{"key", flow_scalar(toleration.key)},
               {"operator", flow_scalar(toleration.op)},
               {"value", flow_scalar(toleration.value)},
               {"effect", flow_scalar(toleration.effect)}});
}

[[nodiscard]] std::string flow(const Toleration& toleration) {
  const auto seconds = toleration.toleration_seconds;
  return flow(
      {{"key", flow_scalar(toleration.key.value_or(""))},
       {"operator", flow_scalar(toleration.op.value_or(""))},
       {"value", flow_scalar(toleration.value.value_or(""))},
       {"effect", flow_scalar(toleration.effect.value_or(""))},
       {"tolerationSeconds", seconds.is_known() ? fmt::format("{}", seconds.value()) : ""}});
}

[[nodiscard]] std::string flow(const UnpartitionedRequirement& requirement) {
  std::vector<std::string> values;
  for (const std::string& value : requirement.values) values.push_back(yaml_string(value));
  return flow({{"key", yaml_string(requirement.key)},
               {"operator", values.empty() ? "DoesNotExist" : "In"},
               {"values", values.empty() ? "" : fmt::format("[{}]", fmt::join(values, ", "))}});
}

class Writer {
 public:
  Writer(const Solution& solution, const Problem& problem, const Shape& shape)
      : solution_(solution), block_(solution.block), problem_(problem), shape_(shape) {}

  [[nodiscard]] std::string write() && {
    for (const std::string& line : shape_.title) text_ += fmt::format("# {}\n", one_line(line));
    if (line_count(block_) == 0) return std::move(text_) + "{}\n";
    for (const std::string& parent : shape_.parents) open(parent);
    if (shape_.chart == FlyteChart::core) open("configmap");
    if (shape_.chart == FlyteChart::binary) {
      open("configuration");
      open("inline");
    }
    const std::size_t depth = depth_;
    write_limits();
    depth_ = depth;
    write_k8s();
    return std::move(text_);
  }

 private:
  void line(std::string_view text, std::string_view comment = {}) {
    text_ +=
        fmt::format("{:{}}{}{}{}\n", "", 2 * depth_, text, comment.empty() ? "" : "  # ", comment);
  }
  void open(std::string_view key) {
    line(fmt::format("{}:", yaml_string(key)));
    ++depth_;
  }

  void write_limits() {
    if (block_.limits.empty()) return;
    if (shape_.chart == FlyteChart::core) open("task_resource_defaults");
    open("task_resources");
    open("limits");
    for (const PlatformLimit& limit : block_.limits) {
      line(fmt::format("{}: {}", limit.name, double_quoted(limit.amount)),
           one_line(fmt::format("task {} requests {}", limit.task, limit.amount)));
    }
  }

  void write_k8s() {
    if (line_count(block_) == block_.limits.size()) return;
    if (shape_.chart == FlyteChart::core) open("k8s");
    open("plugins");
    open("k8s");
    write_setting("gpu-resource-name", block_.gpu_resource_name, solution_.gpu_resource_name);
    write_setting("gpu-device-node-label", block_.device_label, solution_.device_label);
    write_setting("gpu-partition-size-node-label", block_.partition_label,
                  solution_.partition_label);
    if (block_.unpartitioned_requirement) {
      line(fmt::format("gpu-unpartitioned-node-selector-requirement: {}",
                       flow(*block_.unpartitioned_requirement)),
           reason_text(solution_.unpartitioned_requirement));
    }
    if (block_.unpartitioned_toleration) {
      line(fmt::format("gpu-unpartitioned-toleration: {}", flow(*block_.unpartitioned_toleration)),
           reason_text(solution_.unpartitioned_toleration));
    }
    write_tolerations();
  }

  void write_setting(std::string_view key, const std::string& value, const LineReason& reason) {
    if (value.empty()) return;
    line(fmt::format("{}: {}", key, yaml_string(value)), reason_text(reason));
  }

  /// Flyte converts the keys of a map to lower case. A list merged over a map, or a map over a
  /// list, loses the map or list below.
  [[nodiscard]] bool needs_list_form() const {
    const Node present = problem_.config->find_setting("plugins.k8s.resource-tolerations");
    if (present.is_sequence() && present.size() > 0) return true;
    if (present.is_mapping()) return false;
    return std::ranges::any_of(block_.tolerations, [](const ResourceToleration& toleration) {
      return std::ranges::any_of(toleration.resource, [](char c) { return c >= 'A' && c <= 'Z'; });
    });
  }

  [[nodiscard]] const flyte::ResourceTolerations* present(const std::string& resource) const {
    const auto& all = problem_.config->k8s.resource_tolerations;
    const auto at =
        std::ranges::find(all, resource, [](const auto& e) { return e.resource.value; });
    return at == all.end() ? nullptr : &*at;
  }

  void write_tolerations() {
    if (block_.tolerations.empty()) return;
    open("resource-tolerations");
    const bool is_list = needs_list_form();
    std::set<std::string> resources;
    for (const ResourceToleration& toleration : block_.tolerations) {
      resources.insert(toleration.resource);
    }
    if (is_list) {
      for (const auto& entry : problem_.config->k8s.resource_tolerations) {
        resources.insert(entry.resource.value);
      }
    }
    for (const std::string& resource : resources) write_resource(resource, is_list);
  }

  void write_resource(const std::string& resource, bool is_list) {
    const std::size_t depth = depth_;
    line(fmt::format("{}{}:", is_list ? "- " : "", yaml_string(resource)));
    depth_ += is_list ? 2 : 1;
    if (const auto* const entry = present(resource)) {
      for (const Toleration& toleration : entry->tolerations) {
        line(fmt::format("- {}", flow(toleration)), "as before");
      }
    }
    for (std::size_t i = 0; i < block_.tolerations.size(); ++i) {
      if (block_.tolerations[i].resource != resource) continue;
      line(fmt::format("- {}", flow(block_.tolerations[i])), reason_text(solution_.tolerations[i]));
    }
    depth_ = depth;
  }

  const Solution& solution_;
  const Block& block_;
  const Problem& problem_;
  const Shape& shape_;
  std::string text_;
  std::size_t depth_ = 0;
};

}  // namespace

std::string to_yaml(const Solution& solution, const Problem& problem, const Shape& shape) {
  return Writer(solution, problem, shape).write();
}

}  // namespace gpulint::generate
