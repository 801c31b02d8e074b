#include "compiler/engine/rule.h"

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "compiler/base/text.h"
#include "compiler/edit/edits.h"
#include "compiler/model/facts/gpu_resource.h"
#include "rules/support/queries.h"

namespace gpulint::rules::unsupported_driver_capability {
namespace {

// NVIDIA/nvidia-container-toolkit 1.17, internal/config/image/capabilities.go.
constexpr auto capabilities = std::to_array<std::string_view>(
    {"compat32", "compute", "display", "graphics", "ngx", "utility", "video"});

[[nodiscard]] std::vector<std::string> unknown_in(std::string_view list) {
  std::vector<std::string> unknown;
  while (!list.empty()) {
    const std::string_view name = trim(take_part(list, ','));
    if (name == "all") return {};
    if (name.empty() || is_listed(capabilities, name)) continue;
    unknown.emplace_back(name);
  }
  return unknown;
}

void check_variable(const Corpus& corpus, Reporter& reporter, const Container& container,
                    const EnvVar& variable) {
  const std::string& value = variable.value.value();
  if (value.find("$(") != value.npos) return;  // the values of other variables
  const std::vector<std::string> unknown = unknown_in(value);
  if (unknown.empty()) return;
  const std::string& name = unknown.front();
  Finding finding = reporter.report(
      variable.value.node(), "{} requests `{}`, but NVIDIA's driver does not have this capability",
      describe(container), name);
  const std::vector<std::string_view> known(capabilities.begin(), capabilities.end());
  finding.help(
      "use `{}` or `all`. Otherwise NVIDIA's container runtime does not start the container: "
      "`unsupported capabilities found`",
      fmt::join(capabilities, "`, `"));
  const auto meant = nearest(name, known);
  if (!meant || unknown.size() > 1) return;
  std::string text = value;
  text.replace(text.find(name), name.size(), *meant);
  if (variable.value.node().text() != value) return;
  finding.fix(Safety::unsafe, fmt::format("write `{}`", *meant),
              replace_string(*corpus.sources, variable.value.node(), text));
}

void check(const Corpus& corpus, Reporter& reporter) {
  for (const Workload& workload : corpus.workloads) {
    for (const Container& container : workload.pod.containers) {
      const ResourceEntry* const request = find_gpu_request(container);
      if (request == nullptr || !is_nvidia_device(request->name.value)) continue;
      for (const EnvVar& variable : container.env) {
        if (!variable.name.equals("NVIDIA_DRIVER_CAPABILITIES")) continue;
        if (variable.value.is_known()) check_variable(corpus, reporter, container, variable);
      }
    }
  }
}

}  // namespace

extern constinit const Rule rule{
    .info = {.category = "resources", .fix = FixAvailability::unsafe, .state = RuleState::preview},
    .check = check};

}  // namespace gpulint::rules::unsupported_driver_capability
