#include "compiler/model/kinds/task_amounts.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "compiler/base/text.h"
#include "compiler/model/facts/gpu_resource.h"

namespace gpulint {

bool is_task_amount(std::string_view name) {
  return std::ranges::find(task_amounts, name) != task_amounts.end();
}

bool is_pod_amount(std::string_view name) {
  return name.find('/') != std::string_view::npos || is_task_amount(name);
}

std::optional<std::string_view> meant_task_amount(std::string_view name) {
  constexpr std::string_view sdk_memory = "mem";  // flytekit's Resources(mem=…)
  if (name == sdk_memory) return "memory";
  if (name == "nvidia.com/gpu") return "gpu";
  return nearest(name, task_amounts);
}

std::string task_amount_help(std::string_view name) {
  if (classify_resource(name).kind == GpuResource::Kind::mig) {
    return "request `gpu`, and select the partition with `accelerator` or `partition`";
  }
  return fmt::format(
      "use one of `{}`; for other resources, set `target: k8s_pod` if the task has its own pod "
      "template",
      fmt::join(task_amounts, "`, `"));
}

}  // namespace gpulint
