#include "compiler/engine/rule.h"

#include "compiler/engine/reporter.h"
#include "compiler/model/kinds/volcano_scheduler.h"
#include "compiler/schedule/gates/gates.h"
#include "rules/support/obstacles.h"

namespace gpulint::rules::volcano_device_share {
namespace {

void check_scheduler(const VolcanoScheduler& scheduler, Reporter& reporter) {
  const Node vgpu = scheduler.find_switch(volcano_vgpu);
  const Node memory = scheduler.find_switch(volcano_gpu_memory);
  const Node number = scheduler.find_switch(volcano_gpu_number);
  const Node first = vgpu ? vgpu : memory;
  const Node second = vgpu && memory ? memory : number;
  if (first && second) {
    reporter
        .report_key(first, "`{}` and `{}` cannot both be true", first.key().text(),
                    second.key().text())
        .related(second.key(), "this setting is also true")
        .help(
            "set only one of the two settings to true. Otherwise Volcano's scheduler exits, "
            "because Volcano can share GPUs in only one way");
  }
  if (!vgpu || scheduler.find("predicates")) return;
  reporter
      .report_key(vgpu, "`{}` is true, but the plugin `predicates` is missing", vgpu.key().text())
      .related(scheduler.tiers.key(),
               "no tier of Volcano's scheduler has `predicates`, which allocates devices")
      .help(
          "add `- name: predicates` to the plugins of a tier. Otherwise the kubelet rejects pods "
          "that request vGPUs (\"device request not found\")");
}

void check(const Corpus& corpus, Reporter& reporter) {
  for (const VolcanoScheduler& scheduler : find_volcano_schedulers(corpus.documents)) {
    check_scheduler(scheduler, reporter);
  }
  const FindObstacles gate = make_volcano_share_gate(corpus);
  for (const Workload& workload : corpus.workloads) report(reporter, gate, workload);
}

}  // namespace

extern constinit const Rule rule{.info = {.category = "operators"}, .check = check};

}  // namespace gpulint::rules::volcano_device_share
