#include "rules/invalid-custom-resource/workspace.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/base/text.h"
#include "compiler/ir/read.h"
#include "compiler/model/machine_catalog.h"
#include "compiler/schedule/pool_accelerators.h"
#include "rules/support/slips.h"

namespace gpulint::rules::invalid_custom_resource {
namespace {

constexpr std::string_view azure = "standard_";

/// The only machine that the name is a letter off; empty where it is none, or of several.
[[nodiscard]] std::string_view meant_machine(std::string_view type) {
  std::vector<std::string_view> near;
  for (const Machine& machine : all_machines()) {
    if (is_slip_of(type, machine.type)) near.push_back(machine.type);
  }
  return near.size() == 1 ? near.front() : std::string_view{};
}

void check_machine(Reporter& reporter, const KubernetesObject& workspace, Node place,
                   const std::string& written) {
  const std::string type = to_lower(written);
  if (!type.starts_with(azure)) return;
  const std::string_view series = std::string_view(type).substr(azure.size());
  if (!series.starts_with('n') && !series.starts_with('d')) {
    reporter.report(place, "KAITO takes no machines like `{}`", written)
        .help("on Azure those of the N series have GPUs: `Standard_NC24ads_A100_v4` …")
        .severity(Severity::warning);
    return;
  }
  const Machine* const machine = find_machine(type);
  const std::string_view meant = machine == nullptr ? meant_machine(type) : std::string_view{};
  if (!meant.empty()) {
    reporter.report(place, "no machine `{}` is known", written)
        .help("did you mean `{}`? A workspace of no machine waits for its nodes for ever", meant)
        .severity(Severity::warning);
  }
  const Node inference = workspace.node.at("inference", "preset");
  const Node preset = inference ? inference : workspace.node.at("tuning", "preset");
  if (!preset || !is_machine_without_accelerators(written)) return;
  reporter.report(place, "`{}` has no GPU, which the model of the workspace needs", written)
      .related(preset.key(), "the model")
      .help("its pods stay Pending, «Insufficient nvidia.com/gpu»: take one of the N series")
      .severity(Severity::warning);
}

}  // namespace

void check_workspaces(const Corpus& corpus, Reporter& reporter) {
  for (const KubernetesObject& object : corpus.objects) {
    const bool is_workspace =
        object.kind.equals("Workspace") && object.api_version.value_or("").starts_with("kaito.sh/");
    if (!is_workspace) continue;
    const Field<std::string> type = read_string(object.node.get("resource"), "instanceType");
    if (type.is_known()) check_machine(reporter, object, type.node(), type.value());
  }
}

}  // namespace gpulint::rules::invalid_custom_resource
