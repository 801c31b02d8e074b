#include "compiler/flyte/flyteadmin.h"

#include <string_view>

#include <fmt/format.h>

namespace gpulint::flyte {
namespace {

constexpr std::string_view gpu = "gpu";

[[nodiscard]] std::string_view platform_name(std::string_view name) {
  return name == gpu ? "nvidia.com/gpu" : name;
}

[[nodiscard]] bool is_checked(std::string_view name) {
  return name == "cpu" || name == "memory" || name == "ephemeral-storage" || name == gpu;
}

using Problem = AdminVerdict::Problem;

[[nodiscard]] AdminVerdict refuse(Problem problem, std::string_view resource, std::string error,
                                  const Amount& cause, Node limit_node = {}) {
  return {std::move(error), std::string(resource), cause.node, limit_node, problem};
}

/// GPUs of container tasks must be whole; pod templates are not checked for it.
[[nodiscard]] AdminVerdict check_whole_gpus(const Resources& asked) {
  for (const ResourceList* list : {&asked.requests, &asked.limits}) {
    const Amount* amount = list->find(gpu);
    if (amount == nullptr || amount->opaque || amount->quantity.milli_value() % 1000 == 0) continue;
    return refuse(
        Problem::fraction, gpu,
        fmt::format("gpu must be a whole number, got: {} instead", amount->quantity.to_string()),
        *amount);
  }
  return {};
}

[[nodiscard]] AdminVerdict check_against_limit(std::string_view name, const Amount& request,
                                               const Amount& limit) {
  if (name == gpu) {
    if (request.quantity.value() == limit.quantity.value()) return {};
    return refuse(Problem::unequal, name,
                  "for extended resource `gpu` the request must equal the limit", request);
  }
  if (limit.quantity.value() >= request.quantity.value()) return {};
  return refuse(Problem::own_limit, name,
                fmt::format("requested {} [{}] is greater than the limit [{}]", name,
                            request.quantity.to_string(), limit.quantity.to_string()),
                request);
}

[[nodiscard]] AdminVerdict check_against_platform(std::string_view name, std::string_view what,
                                                  const Amount& asked,
                                                  const PlatformResources& platform) {
  const Amount* allowed = platform.by_name.limits.find(platform_name(name));
  if (allowed == nullptr || allowed->opaque || allowed->quantity.is_zero()) return {};
  if (asked.quantity.value() <= allowed->quantity.value()) return {};
  return refuse(Problem::platform, name,
                fmt::format("requested {} {} [{}] is greater than current limit set in the "
                            "platform configuration [{}]",
                            name, what, asked.quantity.to_string(), allowed->quantity.to_string()),
                asked, allowed->node);
}

}  // namespace

AdminVerdict validate_at_registration(const Task& task, const Resources& asked,
                                      const PlatformResources& platform) {
  if (task.target == TaskTarget::container) {
    if (auto verdict = check_whole_gpus(asked); !verdict.error.empty()) return verdict;
  }
  for (const auto& [name, request] : asked.requests.entries()) {
    if (!is_checked(name) || request.opaque) continue;
    const Amount* limit = asked.limits.find(name);
    if (limit != nullptr && !limit->opaque) {
      auto verdict = check_against_limit(name, request, *limit);
      if (verdict.error.empty() && name != gpu) {
        verdict = check_against_platform(name, "limit", *limit, platform);
      }
      if (!verdict.error.empty()) return verdict;
    }
    auto verdict = check_against_platform(name, "default", request, platform);
    if (!verdict.error.empty()) return verdict;
  }
  return {};
}

Resources apply_admin_defaults(const Resources& asked, const PlatformResources& platform) {
  Resources result;
  for (const std::string_view name : {"cpu", "memory", "ephemeral-storage", "gpu"}) {
    const Amount request = asked.requests.get(name);
    const Amount limit = asked.limits.get(name);
    const Amount fallback = platform.by_name.requests.get(platform_name(name));
    const bool is_needed = name == "cpu" || name == "memory" || request.opaque || limit.opaque ||
                           !request.quantity.is_zero() || !limit.quantity.is_zero() ||
                           !fallback.quantity.is_zero();
    if (!is_needed) continue;
    RequestAndLimit adjusted = adjust_or_default(request, limit, fallback,
                                                 platform.by_name.limits.get(platform_name(name)));
    result.requests.set(name, std::move(adjusted.request));
    result.limits.set(name, std::move(adjusted.limit));
  }
  return result;
}

}  // namespace gpulint::flyte
