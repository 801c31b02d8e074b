#include "rules/misspelt-reference/other_references.h"

#include <algorithm>
#include <filesystem>
#include <initializer_list>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "compiler/flyte/analysis.h"
#include "compiler/ir/read.h"
#include "compiler/model/gitops/release_layers.h"
#include "compiler/model/kinds/kueue.h"
#include "compiler/model/kustomize/kustomization.h"
#include "compiler/schedule/gpu_concern.h"
#include "rules/support/scheduler_queues.h"
#include "rules/support/slips.h"

namespace gpulint::rules::misspelt_reference {
namespace {

namespace fs = std::filesystem;

[[nodiscard]] std::string normal(const fs::path& path) {
  std::string text = path.lexically_normal().generic_string();
  if (text.size() > 1 && text.ends_with('/')) text.pop_back();
  return text == "." ? std::string() : text;
}

/// What stands in a folder, by its name there.
[[nodiscard]] std::vector<std::string_view> children(const SourceSet::Paths& paths,
                                                     const std::string& folder) {
  std::vector<std::string_view> names;
  const std::string begin = folder.empty() ? "" : folder + "/";
  for (auto at = paths.lower_bound(begin); at != paths.end() && at->starts_with(begin); ++at) {
    const std::string_view name = std::string_view(*at).substr(begin.size());
    if (!name.empty() && name.find('/') == std::string_view::npos) names.push_back(name);
  }
  return names;
}

/// What `text`, read from `folder`, becomes where one of its parts is a slip of what is there.
[[nodiscard]] std::vector<std::string> corrected(const SourceSet::Paths& paths,
                                                 const std::string& folder, std::string_view text) {
  std::vector<std::string> found;
  std::size_t end = 0;
  for (std::size_t begin = 0; begin < text.size(); begin = end + 1) {
    end = std::min(text.find('/', begin), text.size());
    const std::string_view part = text.substr(begin, end - begin);
    const std::string before = normal(fs::path(folder) / text.substr(0, begin));
    if (part.empty() || part == "." || part == "..") continue;
    if (paths.contains(normal(fs::path(before) / part))) continue;
    for (const std::string_view name : children(paths, before)) {
      std::string whole(text);
      whole.replace(begin, part.size(), name);
      const bool is_there = paths.contains(normal(fs::path(folder) / whole));
      if (is_slip_of(part, name) && is_there) found.push_back(std::move(whole));
    }
    return found;
  }
  return found;
}

[[nodiscard]] bool is_plain(Node path) {
  constexpr std::string_view marks = ":?{}$\n";
  return path.is_scalar() && !path.is_opaque() && !path.text().empty() &&
         path.text().find_first_of(marks) == std::string_view::npos;
}

class PathFinder {
 public:
  explicit PathFinder(const Corpus& corpus) : corpus_(corpus) {}

  [[nodiscard]] std::vector<Reference> find() {
    for (const Document* document : corpus_.written) {
      if (!document->errors.empty()) continue;
      const Node top = root(*document);
      const std::string& path = corpus_.sources->file(document->file).path();
      if (kustomize::is_kustomization(top, path)) add_kustomization(top, path);
      if (top.get("apiVersion").text().starts_with("kustomize.toolkit.fluxcd.io/")) {
        add_from_root(top.at("spec", "path"), path,
                      "Flux applies nothing of a path that is not there");
      }
      for (const Node release : find_releases(top)) add_release(release, path);
    }
    return std::move(references_);
  }

 private:
  void add(Node at, const std::vector<std::string>& targets, std::string_view kind,
           std::string_view effect, Certainty certainty = Certainty::none) {
    Names names;
    for (const std::string& target : targets) names.push_back({target, {}});
    const auto name = Field<std::string>::known(std::string(at.text()), at);  // `$` is no template
    add_reference(references_, name, kind, names, effect, certainty);
  }

  void add_path(Node at, const std::string& folder, std::string_view effect) {
    if (!is_plain(at) || at.text().starts_with('/')) return;
    const SourceSet::Paths& paths = corpus_.sources->paths();
    if (paths.contains(normal(fs::path(folder) / at.text()))) return;
    add(at, corrected(paths, folder, at.text()), "file", effect);
  }

  /// From the root of a repository, which is some folder around the file.
  void add_from_root(Node at, const std::string& file, std::string_view effect) {
    if (!is_plain(at)) return;
    const SourceSet::Paths& paths = corpus_.sources->paths();
    std::vector<std::string> targets;
    fs::path folder = fs::path(file);
    do {
      folder = folder.parent_path();
      if (paths.contains(normal(folder / at.text()))) return;
      std::ranges::move(corrected(paths, folder.generic_string(), at.text()),
                        std::back_inserter(targets));
    } while (folder.has_relative_path());
    add(at, targets, "folder", effect);
  }

  void add_kustomization(Node top, const std::string& path) {
    constexpr std::string_view effect =
        "kustomize builds nothing while a file that it names is missing";
    const std::string folder = fs::path(path).parent_path().generic_string();
    for (const std::string_view list :
         {"resources", "bases", "components", "patchesStrategicMerge", "patches"}) {
      for (const Node item : top.get(list).items()) add_path(item, folder, effect);
    }
    for (const std::string_view list : {"patches", "patchesJson6902"}) {
      for (const Node item : top.get(list).items()) add_path(item.get("path"), folder, effect);
    }
  }

  void add_release(Node release, const std::string& path) {
    constexpr std::string_view effect =
        "a release is not made while a file of its values is missing";
    const std::string folder = fs::path(path).parent_path().generic_string();
    for (const ReleaseLayer& layer : release_layers(release)) {
      if (layer.kind != ReleaseLayer::Kind::file) continue;
      if (!layer.from_root) add_path(layer.node, folder, effect);
      if (layer.node.text().starts_with('$')) add_source(release, layer.node);
    }
  }

  /// `$name/…`: the source of the Application that says `ref: name`.
  void add_source(Node release, Node at) {
    std::vector<std::string> targets;
    const std::string_view text = at.text();
    const std::size_t slash = std::min(text.find('/'), text.size());
    for (const Node source : release.parent().items()) {
      const std::string_view ref = source.get("ref").text();
      if (ref.empty()) continue;
      if (source.get("ref").is_opaque() || ref == text.substr(1, slash - 1)) return;
      targets.push_back("$" + std::string(ref) + std::string(text.substr(slash)));
    }
    add(at, targets, "source", "Argo CD knows `$name` only by `ref: name` of another source",
        Certainty::complete);
  }

  const Corpus& corpus_;
  std::vector<Reference> references_;
};

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

  void add_kueue() {
    const KueueObjects kueue = read_kueue(corpus_.objects);
    if (kueue.has_open_names) return;
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

[[nodiscard]] Names names_of(std::span<const std::string_view> known) {
  Names names;
  for (const std::string_view name : known) names.push_back({std::string(name), {}});
  return names;
}

// The names by which batch schedulers run when their charts are not told otherwise.
constexpr auto schedulers = std::to_array<std::string_view>(
    {"default-scheduler", "kai-scheduler", "volcano", "hami-scheduler", "runai-scheduler",
     "yunikorn", "koord-scheduler", "scheduler-plugins-scheduler"});

// kubernetes/autoscaler, provisioningrequest/apis; Google Cloud, «About GPU obtainability with
// flex-start».
constexpr auto provisioning_classes = std::to_array<std::string_view>(
    {"check-capacity.autoscaling.x-k8s.io", "best-effort-atomic-scale-up.autoscaling.x-k8s.io",
     "queued-provisioning.gke.io"});

// kubernetes-sigs/kueue apis/kueue: ProvisioningRequestControllerName, MultiKueueControllerName.
constexpr auto controllers = std::to_array<std::string_view>(
    {"kueue.x-k8s.io/provisioning-request", "kueue.x-k8s.io/multikueue"});

class OtherFinder {
 public:
  OtherFinder(const Corpus& corpus, const NamedObjects& objects)
      : corpus_(corpus), objects_(objects) {}

  [[nodiscard]] std::vector<Reference> find() {
    add_schedulers();
    add_priorities();
    for (const KubernetesObject& object : corpus_.objects) {
      const std::string version = object.api_version.value_or("");
      if (version.starts_with("kueue.x-k8s.io/")) add_kueue(object);
    }
    add_pod_templates();
    return std::move(references_);
  }

 private:
  void add(const Field<std::string>& name, std::string_view kind, const Names& targets,
           std::string_view effect, Certainty certainty) {
    add_reference(references_, name, kind, targets, effect, certainty);
  }

  void add_schedulers() {
    constexpr std::string_view effect = "nobody places pods of a scheduler that does not run";
    const Names known = names_of(schedulers);
    for (const Workload& workload : corpus_.workloads) {
      add(workload.pod.scheduler_name, "scheduler", known, effect, Certainty::none);
    }
    for (const KubernetesObject& object : corpus_.objects) {
      if (!object.api_version.value_or("").starts_with("batch.volcano.sh/")) continue;
      add(read_string(object.node.get("spec"), "schedulerName"), "scheduler", known, effect,
          Certainty::none);
    }
  }

  /// Kubernetes has two classes of its own (Pod Priority and Preemption); Kueue,
  /// WorkloadPriorityClass.
  void add_priorities() {
    Names classes = objects_.names("PriorityClass");
    if (!classes.empty()) {
      classes.push_back({"system-cluster-critical", {}});
      classes.push_back({"system-node-critical", {}});
    }
    const Names kueue_classes = objects_.names("WorkloadPriorityClass");
    if (classes.empty() && kueue_classes.empty()) return;
    for (const Workload& workload : corpus_.workloads) {
      if (!requests_gpu(workload.pod)) continue;
      add(read_string(workload.pod.node, "priorityClassName"), "PriorityClass", classes,
          "the API server refuses a pod of a priority class that is not there", Certainty::none);
      const Node labels = workload.object.at("metadata", "labels");
      add(read_string(labels, "kueue.x-k8s.io/priority-class"), "WorkloadPriorityClass",
          kueue_classes,
          "Kueue admits nothing of a priority class that is not there, and the job stays suspended",
          Certainty::likely);
    }
  }

  /// What acts for Kueue.
  void add_kueue(const KubernetesObject& object) {
    const Node spec = object.node.get("spec");
    if (object.kind.equals("AdmissionCheck")) {
      add(read_string(spec, "controllerName"), "controller", names_of(controllers),
          "nobody decides the check, so that workloads wait for it forever", Certainty::none);
    } else if (object.kind.equals("ProvisioningRequestConfig")) {
      add(read_string(spec, "provisioningClassName"), "provisioning class",
          names_of(provisioning_classes), "no autoscaler makes nodes for requests of the class",
          Certainty::none);
    }
  }

  /// Flyte refuses a task whose PodTemplate is not there (pod_helper.go, getBasePodTemplate), and
  /// goes without a default that is not there.
  void add_pod_templates() {
    const Names templates = objects_.names("PodTemplate");
    for (const flyte::Installation& installation : corpus_.flyte->installations) {
      const auto* const name =
          installation.loaded.propeller.k8s.tree.find("default-pod-template-name");
      if (name != nullptr && !name->opaque && name->node) {
        add(Field<std::string>::known(name->text, name->node), "PodTemplate", templates,
            "Flyte builds pods without a template whose name it does not find", Certainty::none);
      }
      for (const flyte::Task& task : installation.tasks) {
        const Value<std::string>& wanted = task.pod_template_name;
        if (!wanted.node) continue;
        add(Field<std::string>::known(wanted.value, wanted.node), "PodTemplate", templates,
            "Flyte fails a task whose PodTemplate is neither in its namespace nor in Flyte's own",
            Certainty::likely);
      }
    }
  }

  const Corpus& corpus_;
  const NamedObjects& objects_;
  std::vector<Reference> references_;
};

}  // namespace

std::vector<Reference> find_path_references(const Corpus& corpus) {
  return PathFinder(corpus).find();
}

std::vector<Reference> find_queue_references(const Corpus& corpus, const NamedObjects& objects) {
  return QueueFinder(corpus, objects).find();
}

std::vector<Reference> find_other_references(const Corpus& corpus, const NamedObjects& objects) {
  return OtherFinder(corpus, objects).find();
}

}  // namespace gpulint::rules::misspelt_reference
