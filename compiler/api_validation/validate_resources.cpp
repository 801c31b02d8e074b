#include "compiler/api_validation/validate_resources.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "compiler/base/text.h"
#include "compiler/model/kubernetes_names.h"
#include "compiler/model/quantity.h"
#include "compiler/schedule/pod_requests.h"

namespace gpulint {
namespace {

constexpr std::array<std::string_view, 3> container_resources{"cpu", "ephemeral-storage", "memory"};
constexpr std::array<std::string_view, 9> counted_objects{"configmaps",
                                                          "persistentvolumeclaims",
                                                          "pods",
                                                          "replicationcontrollers",
                                                          "resourcequotas",
                                                          "secrets",
                                                          "services",
                                                          "services.loadbalancers",
                                                          "services.nodeports"};
constexpr std::array<std::string_view, 10> computed_quotas{"cpu",
                                                           "ephemeral-storage",
                                                           "limits.cpu",
                                                           "limits.ephemeral-storage",
                                                           "limits.memory",
                                                           "memory",
                                                           "requests.cpu",
                                                           "requests.ephemeral-storage",
                                                           "requests.memory",
                                                           "requests.storage"};
constexpr std::array<std::string_view, 3> pod_level_resources{"cpu", "hugepages-", "memory"};

[[nodiscard]] bool is_quota_hugepages(std::string_view name) {
  return is_hugepages_resource(name) || name.starts_with("requests.hugepages-");
}

[[nodiscard]] bool is_standard_resource(std::string_view name) {
  return is_standard_quota_resource(name) || name == "storage";
}

[[nodiscard]] bool is_counted_whole(std::string_view name) {
  return is_listed(counted_objects, name) || is_extended_resource(name);
}

[[nodiscard]] bool allows_overcommit(std::string_view name) {
  return is_native_resource(name) && !is_hugepages_resource(name);
}

/// The rules for every resource name; returns false after reporting a problem.
[[nodiscard]] bool validate_name(const ResourceEntry& entry, const std::string& path,
                                 ApiIssue issue, ApiReport& report) {
  const std::string& name = entry.name.value;
  const NameProblems problems = label_key_problems(name);
  for (const std::string& problem : problems) {
    report.invalid(issue, entry.name.node, path, name, problem);
  }
  if (!problems.empty()) return false;
  if (name.find('/') != std::string::npos || is_standard_resource(name)) return true;
  report.invalid(issue, entry.name.node, path, name,
                 "must be a standard resource type or fully qualified");
  return false;
}

void validate_container_name(const ResourceEntry& entry, const std::string& path,
                             ApiReport& report) {
  const std::string& name = entry.name.value;
  static_cast<void>(validate_name(entry, path, ApiIssue::resource_name, report));
  if (name.find('/') == std::string::npos) {
    if (is_listed(container_resources, name) || is_hugepages_resource(name)) return;
    report.invalid(ApiIssue::resource_name, entry.name.node, path, name,
                   "must be a standard resource for containers");
  } else if (!is_native_resource(name) && !is_extended_resource(name)) {
    report.invalid(ApiIssue::resource_name, entry.name.node, path, name,
                   "doesn't follow extended resource name standard");
  }
}

void validate_pod_level_name(const ResourceEntry& entry, const std::string& path,
                             ApiReport& report) {
  const std::string& name = entry.name.value;
  if (!validate_name(entry, path, ApiIssue::pod_level_resource, report)) return;
  if (name == "cpu" || name == "memory" || is_hugepages_resource(name)) return;
  report.not_supported(ApiIssue::pod_level_resource, entry.name.node, path, name,
                       pod_level_resources);
}

void validate_amount(const ResourceEntry& entry, const std::string& path, ApiReport& report) {
  if (!entry.amount.is_known()) return;
  const Quantity& amount = entry.amount.value();
  if (amount.is_negative()) {
    report.invalid(ApiIssue::resource_negative, entry.amount.node(), path, amount.to_string(),
                   "must be greater than or equal to 0");
  }
  if (is_counted_whole(entry.name.value) && !amount.is_whole()) {
    report.invalid(ApiIssue::resource_fraction, entry.amount.node(), path, amount.to_string(),
                   "must be an integer");
  }
}

void validate_hugepages(const ResourceEntry& entry, const std::string& path, ApiReport& report) {
  constexpr std::string_view prefix = "hugepages-";
  if (!is_hugepages_resource(entry.name.value) || !entry.amount.is_known()) return;
  const auto page = Quantity::parse(std::string_view(entry.name.value).substr(prefix.size()));
  const bool is_valid_page = page && !page->is_negative() && !page->is_zero() && page->is_whole();
  if (is_valid_page && page->value() != 0 && entry.amount.value().value() % page->value() == 0) {
    return;
  }
  const std::string amount = entry.amount.value().to_string();
  report.invalid(
      ApiIssue::resource_hugepages, entry.amount.node(), path, amount,
      fmt::format("{} is not positive integer multiple of {}", amount, entry.name.value));
}

using NameCheck = void (*)(const ResourceEntry&, const std::string&, ApiReport&);

void validate_list(const std::vector<ResourceEntry>& entries, const std::string& path,
                   NameCheck check_name, ApiReport& report) {
  for (const ResourceEntry& entry : entries) {
    if (entry.name.node.is_opaque()) continue;
    const std::string item = fmt::format("{}[{}]", path, entry.name.value);
    check_name(entry, item, report);
    validate_amount(entry, item, report);
    validate_hugepages(entry, item, report);
  }
}

/// Compares a request with its limit. `limits_are_open`: keys of the limits are placeholders.
void validate_pair(const ResourceEntry& request, const ResourceRequirements& resources,
                   const std::string& path, ApiReport& report) {
  const std::string& name = request.name.value;
  const ResourceEntry* const limit = find_entry(resources.limits, name);
  if (limit == nullptr) {
    if (allows_overcommit(name) || resources.opaque) return;
    report.required(ApiIssue::resource_limit_missing, request.name.node, path + ".limits",
                    "Limit must be set for non overcommitable resources");
    return;
  }
  if (!limit->amount.is_known() || !request.amount.is_known()) return;
  const Quantity& most = limit->amount.value();
  const Quantity& amount = request.amount.value();
  if (amount != most && !allows_overcommit(name)) {
    report.invalid(ApiIssue::resource_unlike_limit, request.amount.node(), path + ".requests",
                   amount.to_string(),
                   fmt::format("must be equal to {} limit of {}", name, most.to_string()));
  } else if (amount > most) {
    report.invalid(
        ApiIssue::resource_above_limit, request.amount.node(), path + ".requests",
        amount.to_string(),
        fmt::format("must be less than or equal to {} limit of {}", name, most.to_string()));
  }
}

void validate_requirements(const ResourceRequirements& resources, const std::string& path,
                           NameCheck check_name, RequestDefaulting defaulting, ApiReport& report) {
  const std::vector<ResourceEntry> requests = defaulting == RequestDefaulting::from_limits
                                                  ? defaulted_requests(resources)
                                                  : resources.requests;
  validate_list(resources.limits, path + ".limits", check_name, report);
  validate_list(requests, path + ".requests", check_name, report);
  bool has_hugepages = false;
  bool has_compute = false;
  for (const auto* const entries : {&resources.limits, &requests}) {
    for (const ResourceEntry& entry : *entries) {
      has_hugepages = has_hugepages || is_hugepages_resource(entry.name.value);
      has_compute = has_compute || entry.name.value == "cpu" || entry.name.value == "memory";
    }
  }
  for (const ResourceEntry& request : requests) {
    if (!request.name.node.is_opaque()) validate_pair(request, resources, path, report);
  }
  if (has_hugepages && !has_compute && !resources.opaque) {
    report.forbidden(ApiIssue::resource_hugepages, resources.node, path,
                     "HugePages require cpu or memory");
  }
}

/// The sum of one resource's requests over containers; nullopt if some part is unknown.
[[nodiscard]] std::optional<Quantity> container_requests(const PodSpec& pod,
                                                         RequestDefaulting defaulting,
                                                         std::string_view name) {
  PodSpec containers_only;
  containers_only.containers = pod.containers;
  if (defaulting == RequestDefaulting::none) {
    for (Container& container : containers_only.containers) container.resources.limits.clear();
  }
  for (const AggregatedRequest& request : aggregate_container_requests(containers_only)) {
    if (request.name == name) {
      return request.is_open ? std::nullopt : std::optional(request.amount);
    }
  }
  return Quantity{};
}

}  // namespace

bool is_standard_quota_resource(std::string_view name) {
  return is_listed(counted_objects, name) || is_listed(computed_quotas, name) ||
         is_quota_hugepages(name);
}

void validate_container_resources(const ResourceRequirements& resources, const std::string& path,
                                  RequestDefaulting defaulting, ApiReport& report) {
  validate_requirements(resources, path, validate_container_name, defaulting, report);
}

void validate_overhead(const std::vector<ResourceEntry>& overhead, const std::string& path,
                       ApiReport& report) {
  ResourceRequirements as_limits;
  as_limits.limits = overhead;
  validate_requirements(as_limits, path, validate_container_name, RequestDefaulting::none, report);
}

void validate_pod_resources(const PodSpec& pod, const std::string& path,
                            RequestDefaulting defaulting, ApiReport& report) {
  const ResourceRequirements& own = pod.pod_resources;
  if (!own.node.is_mapping()) return;
  if (own.node.get("claims")) {
    report.forbidden(ApiIssue::pod_level_resource, own.node.get("claims"), path + ".claims",
                     "claims may not be set for Resources at pod-level");
  }
  validate_requirements(own, path, validate_pod_level_name, RequestDefaulting::none, report);
  for (const ResourceEntry& request : own.requests) {
    const auto sum = container_requests(pod, defaulting, request.name.value);
    if (!request.amount.is_known() || !sum || !(*sum > request.amount.value())) continue;
    report.invalid(
        ApiIssue::pod_level_resource, request.amount.node(),
        fmt::format("{}.requests[{}]", path, request.name.value),
        request.amount.value().to_string(),
        fmt::format("must be greater than or equal to aggregate container requests of {}",
                    sum->to_string()));
  }
  std::size_t index = 0;
  for (const Container& container : pod.containers) {
    if (container.kind != ContainerKind::main) continue;
    for (const ResourceEntry& limit : container.resources.limits) {
      const ResourceEntry* const most = find_entry(own.limits, limit.name.value);
      if (most == nullptr || !most->amount.is_known() || !limit.amount.is_known()) continue;
      if (!(limit.amount.value() > most->amount.value())) continue;
      report.invalid(ApiIssue::pod_level_resource, limit.amount.node(),
                     fmt::format("{}.containers[{}][{}].limits", path, index, limit.name.value),
                     limit.amount.value().to_string(),
                     fmt::format("must be less than or equal to pod limits of {}",
                                 most->amount.value().to_string()));
    }
    ++index;
  }
}

void validate_node_resources(const std::vector<ResourceEntry>& resources, const std::string& path,
                             ApiReport& report) {
  for (const ResourceEntry& entry : resources) {
    validate_amount(entry, fmt::format("{}.{}", path, entry.name.value), report);
  }
}

void validate_quota(const std::vector<ResourceEntry>& hard, const std::string& path,
                    ApiReport& report) {
  for (const ResourceEntry& entry : hard) {
    if (entry.name.node.is_opaque()) continue;
    const std::string& name = entry.name.value;
    const std::string item = fmt::format("{}[{}]", path, name);
    static_cast<void>(validate_name(entry, item, ApiIssue::quota_name, report));
    if (name.find('/') == std::string::npos && !is_standard_quota_resource(name)) {
      report.invalid(ApiIssue::quota_name, entry.name.node, item, name,
                     "must be a standard resource for quota");
    }
    validate_amount(entry, item, report);
  }
}

}  // namespace gpulint
