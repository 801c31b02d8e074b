#include "compiler/engine/rule.h"

#include "compiler/ir/read.h"
#include "compiler/model/kinds/chart_values.h"
#include "compiler/model/kinds/operator_keys.h"
#include "rules/support/placement_causes.h"

namespace gpulint::rules::gpu_sharing_disabled {
namespace {

/// Where sharing is disabled, and whether another input enables it.
struct Switch {
  Node off;
  bool is_on_somewhere = false;
};

void read_switch(Node settings, Switch& found) {
  const Field<bool> sharing = read_bool(settings, "gpuSharing");
  if (sharing.equals(false) && !found.off) found.off = sharing.node();
  // An unknown value may enable it.
  if (sharing.equals(true) || sharing.is_opaque()) found.is_on_somewhere = true;
}

/// Values of KAI-Scheduler's chart (`global.gpuSharing`, false by default) and its Config
/// (`spec.admission.gpuSharing`).
[[nodiscard]] Switch find_switch(const Corpus& corpus) {
  Switch found;
  for (const ChartUse& use : corpus.chart_uses) {
    if (use.keys->name != "KAI Scheduler") continue;
    found.is_on_somewhere = found.is_on_somewhere || use.has_more;
  }
  for (const Document* document : corpus.documents) {
    // Other charts have no such key.
    for (const Node values : find_chart_values(*document)) {
      read_switch(values.get("global"), found);
      read_switch(values.at("kai-scheduler", "global"), found);
    }
  }
  for (const KubernetesObject& object : corpus.objects) {
    const bool is_config = object.kind.equals("Config") &&
                           object.api_version.value_or("").starts_with("kai.scheduler/");
    if (is_config) read_switch(object.node.at("spec", "admission"), found);
  }
  return found;
}

// kai-scheduler/KAI-Scheduler 72de64fc8eca, pkg/admission/webhook/v1alpha2/gpusharing: Validate
// rejects pods with one of these annotations.
void check_pod(Reporter& reporter, const Workload& workload, Node off) {
  if (!workload.pod.scheduler_name.equals("kai-scheduler")) return;
  for (const LabelEntry& annotation : workload.annotations) {
    if (annotation.key.value != "gpu-fraction" && annotation.key.value != "gpu-memory") continue;
    reporter
        .report(annotation.key.node,
                "{} requests a part of a GPU, but GPU sharing is disabled in KAI-Scheduler",
                describe(workload))
        .related(off, "this setting disables GPU sharing")
        .help("set `{}.gpuSharing: true`. Otherwise KAI-Scheduler's webhook rejects the pod",
              off.parent().key().text() == "admission" ? "spec.admission" : "global");
    return;
  }
}

void check(const Corpus& corpus, Reporter& reporter) {
  const Switch found = find_switch(corpus);
  if (!found.off || found.is_on_somewhere) return;
  for (const Workload& workload : corpus.workloads) check_pod(reporter, workload, found.off);
}

}  // namespace

extern constinit const Rule rule{.info = {.category = "operators", .state = RuleState::preview},
                                 .check = check};

}  // namespace gpulint::rules::gpu_sharing_disabled
