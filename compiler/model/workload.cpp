#include "compiler/model/workload.h"

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "compiler/model/facts/kubernetes_kinds.h"

namespace gpulint {

const ResourceEntry* find_entry(const std::vector<ResourceEntry>& entries, std::string_view name) {
  const auto found = std::ranges::find_if(
      entries, [&](const ResourceEntry& entry) { return entry.name.value == name; });
  return found == entries.end() ? nullptr : &*found;
}

std::string Workload::display_name() const {
  const std::string path = fmt::format("{}/{}/{}", kind.value_or("Pod"),
                                       name_space.empty() ? "default" : name_space, name);
  return role.empty() ? path : fmt::format("{}/{}", path, role);
}

bool has_plain_pods(const Workload& workload) {
  const std::string version = workload.api_version.value_or("");
  return facts_of_kind(workload.kind.value_or("")).traits.core &&
         (version == "v1" || version == "apps/v1" || version == "batch/v1");
}

}  // namespace gpulint
