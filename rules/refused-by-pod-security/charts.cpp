#include "rules/refused-by-pod-security/charts.h"

#include <set>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "compiler/ir/values_place.h"
#include "compiler/schedule/operands.h"
#include "rules/refused-by-pod-security/levels.h"

namespace gpulint::rules::refused_by_pod_security {
namespace {

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
    const Field<std::string> space = chart_namespace(operand.object);
    if (!space.is_known()) continue;
    const auto level = find_enforced_level(corpus, space.value());
    const auto* const document = static_cast<const void*>(operand.object.document());
    if (!level || !told.insert(document).second) continue;
    reporter
        .report(space.node(), "namespace `{}` enforces `{}`, which refuses the host paths of {}",
                space.value(), level->level, owner_of(operand))
        .severity(Severity::warning)
        .related(level->where, "what enforces it")
        .help(
            "its DaemonSets stay at 0 pods: give them a namespace with "
            "`pod-security.kubernetes.io/enforce: privileged`");
  }
}

}  // namespace gpulint::rules::refused_by_pod_security
