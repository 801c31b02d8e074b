#include "rules/misspelt-reference/queue_references.h"

#include <algorithm>
#include <initializer_list>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "compiler/ir/read.h"
#include "compiler/model/kueue.h"
#include "compiler/schedule/gpu_concern.h"
#include "rules/support/scheduler_queues.h"

namespace gpulint::rules::misspelt_reference {
namespace {

class QueueFinder {
 public:
  QueueFinder(const Corpus& corpus, const NamedObjects& objects)
      : corpus_(corpus), objects_(objects) {
    for (const Workload& workload : corpus.workloads) {
      for (const auto name : {queue_name, kai_queue, volcano_queue}) {
        const Field<std::string> queue = name(workload);
        if (queue.is_known() && queue.node()) with_queued_.insert(queue.node().document()->file);
      }
    }
  }

  [[nodiscard]] std::vector<Reference> find() {
    add_kueue();
    add_kai();
    add_volcano();
    return std::move(references_);
  }

 private:
  void add(const Field<std::string>& name, std::string_view kind, const Names& targets,
           std::string_view effect) {
    add_reference(references_, name, kind, targets, effect, Certainty::likely);
  }

  /// The queue of a workload. Not likely where a queue stands beside workloads of its own, in
  /// another file than the reference: that is an example for itself.
  void add_queue(const Field<std::string>& name, std::string_view kind, const Names& queues,
                 std::string_view effect) {
    if (!name.is_known()) return;
    const bool is_beside_examples =
        name.node() && std::ranges::any_of(queues, [&](const Value<std::string>& queue) {
          const Document* const document = queue.node ? queue.node.document() : nullptr;
          return document != nullptr && document->file != name.node().document()->file &&
                 with_queued_.contains(document->file);
        });
    add_reference(references_, name, kind, queues, effect,
                  is_beside_examples ? Certainty::none : Certainty::likely);
  }

  /// From workload to LocalQueue to ClusterQueue to ResourceFlavor.
  void add_kueue() {
    const KueueObjects kueue = read_kueue(corpus_.objects);
    if (kueue.has_open_names) return;
    for (const LocalQueue& queue : kueue.local_queues) {
      if (objects_.has("ClusterQueue", queue.cluster_queue.value_or(""))) continue;
      add(queue.cluster_queue, "ClusterQueue", objects_.names("ClusterQueue"),
          "a LocalQueue of no ClusterQueue lets no workload in");
    }
    for (const ClusterQueue& queue : kueue.cluster_queues) {
      for (const ResourceGroup& group : queue.groups) {
        for (const FlavorQuotas& quotas : group.flavors) {
          if (objects_.has("ResourceFlavor", quotas.flavor.value_or(""))) continue;
          add(quotas.flavor, "ResourceFlavor", objects_.names("ResourceFlavor"),
              "a ClusterQueue lets nothing in while one of its flavors does not exist");
        }
      }
    }
    add_cohorts(kueue);
    for (const Workload& workload : corpus_.workloads) {
      if (!requests_gpu(workload.pod)) continue;
      const Field<std::string> name = queue_name(workload);
      if (objects_.has("LocalQueue", name.value_or(""), workload.object)) continue;
      add_queue(name, "LocalQueue", local_queues(workload),
                "the workload stays suspended: nothing looks into a queue that does not exist, and "
                "a LocalQueue serves its own namespace");
    }
  }

  /// Cohorts need no object: one that a single queue is in may be meant for one that there is.
  void add_cohorts(const KueueObjects& kueue) {
    Names cohorts = objects_.names("Cohort");
    std::map<std::string, int> members;
    for (const ClusterQueue& queue : kueue.cluster_queues) {
      if (!queue.cohort.is_known() || queue.cohort.value().empty()) continue;
      if (++members[queue.cohort.value()] == 2) {
        cohorts.push_back({queue.cohort.value(), queue.cohort.node()});
      }
    }
    for (const ClusterQueue& queue : kueue.cluster_queues) {
      if (queue.cohort.is_known() && members[queue.cohort.value()] > 1) continue;
      add_reference(references_, queue.cohort, "cohort", cohorts,
                    "a ClusterQueue alone in its cohort borrows from nobody, and lends to nobody",
                    Certainty::none);
    }
    for (const Node cohort : objects_.of("Cohort")) {
      add_reference(references_, read_string(cohort.get("spec"), "parentName"), "cohort", cohorts,
                    "a cohort of another parent borrows from nobody else", Certainty::none);
    }
  }

  /// Those that may serve the workload; where none does, that of its name in another namespace, by
  /// both names.
  [[nodiscard]] Names local_queues(const Workload& workload) const {
    Names names = objects_.names("LocalQueue", workload.object);
    if (!names.empty()) return names;
    const Field<std::string> home = read_string(workload.object.get("metadata"), "namespace");
    return objects_.names_elsewhere("LocalQueue", queue_name(workload), home);
  }

  /// Names of a scheduler's queues, and of those that it makes for itself; none where some are not
  /// known.
  [[nodiscard]] static Names names_of(const SchedulerQueues& queues,
                                      std::initializer_list<std::string_view> made) {
    Names names;
    if (queues.queues.empty() || queues.has_open_names) return names;
    for (const SchedulerQueue& queue : queues.queues) names.push_back(queue.name);
    for (const std::string_view name : made) names.push_back({std::string(name), {}});
    return names;
  }

  [[nodiscard]] static std::set<std::string> set_of(const Names& names) {
    std::set<std::string> all;
    for (const Value<std::string>& name : names) all.insert(name.value);
    return all;
  }

  void add_kai() {
    const SchedulerQueues queues = read_scheduler_queues(corpus_, kai_group);
    const Names names = names_of(queues, {"default-queue", "default-parent-queue"});
    const std::set<std::string> known = set_of(names);
    for (const Workload& workload : corpus_.workloads) {
      if (known.contains(kai_queue(workload).value_or(""))) continue;
      add_queue(kai_queue(workload), "Queue", names,
                "KAI-Scheduler places no pod of a queue that does not exist");
    }
    // Who gives the one above all gives the others, too.
    const bool has_top = std::ranges::any_of(
        queues.queues, [](const SchedulerQueue& queue) { return queue.parent.is_absent(); });
    if (!has_top) return;
    for (const SchedulerQueue& queue : queues.queues) {
      if (known.contains(queue.parent.value_or(""))) continue;
      add(queue.parent, "Queue", names,
          "KAI-Scheduler places no pod of a queue whose parent does not exist");
    }
  }

  void add_volcano() {
    const Names names =
        names_of(read_scheduler_queues(corpus_, volcano_group), {"default", "root"});
    const std::set<std::string> known = set_of(names);
    for (const Workload& workload : corpus_.workloads) {
      if (!requests_gpu(workload.pod)) continue;
      if (known.contains(volcano_queue(workload).value_or(""))) continue;
      add_queue(volcano_queue(workload), "Queue", names,
                "Volcano refuses a Job whose queue does not exist");
    }
  }

  const Corpus& corpus_;
  const NamedObjects& objects_;
  std::set<FileId> with_queued_;  // files with workloads that name a queue
  std::vector<Reference> references_;
};

}  // namespace

std::vector<Reference> find_queue_references(const Corpus& corpus, const NamedObjects& objects) {
  return QueueFinder(corpus, objects).find();
}

}  // namespace gpulint::rules::misspelt_reference
