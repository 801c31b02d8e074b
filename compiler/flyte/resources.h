#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/flyte/config_value.h"
#include "compiler/flyte/task.h"
#include "compiler/ir/node.h"
#include "compiler/model/quantity.h"

namespace gpulint::flyte {

/// A quantity and where it is set.
struct Amount {
  Quantity quantity;
  bool opaque = false;  ///< Unknown: a placeholder.
  Node node;            ///< Null if it is built in.
  std::string key;      ///< `task.requests.gpu`, `plugins.k8s.default-cpus` …
};

/// `v1.ResourceList`, sorted by name.
class ResourceList {
 public:
  struct Entry {
    std::string name;
    Amount amount;
  };

  [[nodiscard]] const Amount* find(std::string_view name) const;
  /// Zero if there is none with this name.
  [[nodiscard]] Amount get(std::string_view name) const;
  void set(std::string_view name, Amount amount);
  void erase(std::string_view name);
  [[nodiscard]] const std::vector<Entry>& entries() const { return entries_; }

 private:
  std::vector<Entry> entries_;
};

struct Resources {
  ResourceList requests;
  ResourceList limits;
};

/// flyteadmin's limits for tasks: its `task_resources`, under Kubernetes' names.
struct PlatformResources {
  Resources by_name;     ///< `requests` are the defaults.
  bool present = false;  ///< False: flyteadmin's configuration is unknown.
};
[[nodiscard]] PlatformResources platform_resources(const ConfigValue& task_resources);

/// flytek8s.AdjustOrDefaultResource: sets request and limit from each other or from the platform's
/// default, then lowers both to the platform's limit.
struct RequestAndLimit {
  Amount request;
  Amount limit;
};
[[nodiscard]] RequestAndLimit adjust_or_default(const Amount& request, const Amount& limit,
                                                const Amount& platform_default,
                                                const Amount& platform_limit);

/// Adjusts one resource of a container in place.
void adjust_resource(std::string_view name, const Resources& platform, Resources& resources);

/// The requests of a task, under the names it uses; an error if an amount is not a quantity.
struct ParsedResources {
  Resources resources;
  std::string error;
  Node error_node;
};
/// Container tasks' amounts must not have surrounding blanks; a pod template's may.
[[nodiscard]] ParsedResources parse_resources(const std::vector<TaskResource>& requests,
                                              const std::vector<TaskResource>& limits,
                                              TaskTarget target, std::string_view key_prefix);

}  // namespace gpulint::flyte
