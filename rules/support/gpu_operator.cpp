#include "rules/support/gpu_operator.h"

namespace gpulint::rules {

std::vector<OperatorSettings> gpu_operator_settings(const Corpus& corpus) {
  std::vector<OperatorSettings> found;
  for (const KubernetesObject& object : corpus.objects) {
    const bool is_nvidias = object.api_version.value_or("").starts_with("nvidia.com/");
    if (is_nvidias && object.kind.equals("ClusterPolicy")) {
      found.push_back({.settings = object.node.get("spec")});
    }
  }
  for (const ChartUse& use : corpus.chart_uses) {
    if (use.keys->name != "GPU Operator") continue;
    found.push_back({.settings = use.values, .is_chart = true, .has_more = use.has_more});
  }
  return found;
}

}  // namespace gpulint::rules
