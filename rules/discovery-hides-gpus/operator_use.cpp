#include "rules/discovery-hides-gpus/operator_use.h"

#include <string>

#include "compiler/model/operator_keys.h"

namespace gpulint::rules::discovery_hides_gpus {

Node find_operator(const Corpus& corpus) {
  for (const KubernetesObject& object : corpus.objects) {
    // Rules make labels of their own, perhaps just these.
    if (object.kind.equals("NodeFeatureRule")) return {};
  }
  for (const KubernetesObject& object : corpus.objects) {
    const bool is_nvidias = object.api_version.value_or("").starts_with("nvidia.com/");
    if (object.kind.equals("ClusterPolicy") && is_nvidias) return object.node.get("kind");
  }
  for (const ChartUse& use : corpus.chart_uses) {
    if (use.keys->name == "GPU Operator" && use.values.is_mapping()) {
      return use.values.children().front();
    }
  }
  return {};
}

}  // namespace gpulint::rules::discovery_hides_gpus
