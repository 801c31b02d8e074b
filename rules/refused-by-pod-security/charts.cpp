#include "rules/refused-by-pod-security/charts.h"

#include <set>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "compiler/ir/read.h"
#include "compiler/schedule/operands.h"
#include "rules/refused-by-pod-security/levels.h"

namespace gpulint::rules::refused_by_pod_security {
namespace {

/// Where a chart is installed to, and where that is written.
struct Target {
  std::string name_space;
  Node where;
};

/// Of Flux' HelmRelease, K3s' HelmChart and Argo CD's Application; nothing of plain values.
[[nodiscard]] Target target_of(Node values) {
  const Document* const document = values.document();
  Node at = document->host == nullptr ? values : Node(*document->host, document->host_node);
  for (; at; at = at.parent()) {
    const std::string_view kind = at.get("kind").text();
    if (!at.is_mapping() || !at.get("apiVersion")) continue;
    if (kind != "HelmRelease" && kind != "HelmChart" && kind != "Application") continue;
    const Node spec = at.get("spec");
    const bool is_argo = kind == "Application";
    Node written = is_argo ? spec.at("destination", "namespace") : spec.get("targetNamespace");
    if (!written && !is_argo) written = at.at("metadata", "namespace");
    if (!written.is_scalar() || written.is_opaque()) return {};
    return {std::string(written.text()), written};
  }
  return {};
}

/// The chart or operator of `GPU Operator: daemonsets.tolerations`.
[[nodiscard]] std::string_view owner_of(const Workload& operand) {
  const std::string_view role = operand.role;
  return role.substr(0, role.find(": "));
}

}  // namespace

void check_charts(const Corpus& corpus, Reporter& reporter) {
  std::set<const void*> told;  // several operands of one chart
  for (const Workload& operand : find_operands(corpus)) {
    if (operand.origin != Workload::Origin::values) continue;
    const Target target = target_of(operand.object);
    if (target.name_space.empty()) continue;
    const auto level = find_enforced_level(corpus, target.name_space);
    const auto* const document = static_cast<const void*>(operand.object.document());
    if (!level || !told.insert(document).second) continue;
    reporter
        .report(target.where, "namespace `{}` enforces `{}`, which refuses the host paths of {}",
                target.name_space, level->level, owner_of(operand))
        .severity(Severity::warning)
        .related(level->where, "what enforces it")
        .help(
            "its DaemonSets stay at 0 pods: give them a namespace with "
            "`pod-security.kubernetes.io/enforce: privileged`");
  }
}

}  // namespace gpulint::rules::refused_by_pod_security
