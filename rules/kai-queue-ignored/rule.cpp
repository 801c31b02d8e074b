#include "compiler/engine/rule.h"

#include <string>
#include <string_view>

#include "compiler/edit/edits.h"
#include "compiler/schedule/gpu_relation.h"
#include "compiler/schedule/scheduler_queues.h"
#include "rules/support/placement_causes.h"
#include "rules/support/queries.h"

namespace gpulint::rules::kai_queue_ignored {
namespace {

constexpr std::string_view scheduler = "kai-scheduler";
/// What the scheduler read in its first releases, and Run:ai's own still does.
constexpr std::string_view old_label = "runai/queue";
constexpr std::string_view project_label = "project";  // names a queue, too

[[nodiscard]] Node find(const Workload& workload, std::string_view map, std::string_view key) {
  const Node own = written_value(workload.object.at("metadata", map), key);
  return own ? own : written_value(workload.template_node.at("metadata", map), key);
}

/// A part of a GPU that the pod asks KAI-Scheduler for.
[[nodiscard]] Node find_share(const Workload& workload) {
  const Node annotations = workload.template_node.at("metadata", "annotations");
  const Node fraction = written_value(annotations, "gpu-fraction");
  return fraction ? fraction : written_value(annotations, "gpu-memory");
}

/// Whether labels may be there that are filled in later.
[[nodiscard]] bool has_open_labels(const Workload& workload) {
  for (const Node metadata :
       {workload.object.get("metadata"), workload.template_node.get("metadata")}) {
    const Node labels = metadata.get("labels");
    if (metadata.is_opaque() || labels.is_opaque()) return true;
    for (const Node::Entry& label : labels.fields()) {
      if (label.key.is_opaque()) return true;
    }
  }
  return false;
}

/// The pod is KAI-Scheduler's and names its queue in a place that it does not read.
void check_place(const Corpus& corpus, Reporter& reporter, const Workload& workload) {
  if (find(workload, "labels", project_label) || has_open_labels(workload)) return;
  const Node label = find(workload, "labels", old_label);
  const Node annotation = find(workload, "annotations", kai_queue_label);
  const Node written = label ? label : annotation;
  if (!written) return;
  Finding finding =
      reporter.report_key(written, "KAI-Scheduler ignores the {} `{}` of {}",
                          label ? "label" : "annotation", written.key().text(), describe(workload));
  if (!label) {
    finding.help(
        "move `{}` from the annotations to the labels. Otherwise the pods wait in `default-queue`",
        kai_queue_label);
    return;
  }
  finding
      .help(
          "the pods wait in `default-queue`, because KAI-Scheduler reads the queue from the label "
          "`{}`",
          kai_queue_label)
      .severity(Severity::warning)
      .fix(Safety::unsafe, "rename the label to `kai.scheduler/queue`",
           replace_string(*corpus.sources, written.key(), kai_queue_label));
}

/// What only KAI-Scheduler reads, on a pod that Kubernetes' own scheduler takes.
void check_scheduler(Reporter& reporter, const Workload& workload, bool has_queues) {
  const Field<std::string>& name = workload.pod.scheduler_name;
  const bool is_default = name.is_absent() || name.equals("default-scheduler");
  if (!is_default || !has_plain_pods(workload)) return;
  const Node share = find_share(workload);
  const Node label = find(workload, "labels", kai_queue_label);
  const Node written = label ? label : (has_queues ? share : Node{});
  if (!written || (!share && !requests_gpu(workload.pod))) return;
  reporter
      .report_key(written, "only KAI-Scheduler reads `{}`, but {} uses the default scheduler",
                  written.key().text(), describe(workload))
      .related(name.is_known() ? name.node() : Node{}, "the pod uses the default scheduler")
      .help(
          "set `schedulerName: kai-scheduler`. Otherwise the default scheduler ignores "
          "KAI-Scheduler's labels and annotations")
      .severity(Severity::warning);  // a policy of the cluster may set it
}

/// The label's key can be chosen.
[[nodiscard]] bool has_own_key(const Corpus& corpus) {
  return !documents_with(corpus, "queueLabelKey").empty();
}

void check(const Corpus& corpus, Reporter& reporter) {
  const bool has_queues = !read_scheduler_queues(corpus, kai_group).queues.empty();
  for (const Workload& workload : corpus.workloads) {
    if (workload.origin != Workload::Origin::manifest) continue;
    const bool is_kais = workload.pod.scheduler_name.equals(std::string(scheduler));
    if (is_kais && kai_queue(workload).is_absent() && !has_own_key(corpus)) {
      check_place(corpus, reporter, workload);
    }
    check_scheduler(reporter, workload, has_queues);
  }
}

}  // namespace

extern constinit const Rule rule{.info = {.category = "operators",
                                          .fix = FixAvailability::unsafe,
                                          .aliases = "unread-kai-queue"},
                                 .check = check};

}  // namespace gpulint::rules::kai_queue_ignored
