#include "rules/misspelt-reference/other_references.h"

#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "compiler/flyte/analysis.h"
#include "compiler/ir/read.h"
#include "compiler/schedule/gpu_concern.h"

namespace gpulint::rules::misspelt_reference {
namespace {

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
      if (version.starts_with("autoscaling.openshift.io/")) add_autoscaler(object);
      if (version.starts_with("apps.nvidia.com/")) add_cache(object);
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

  /// From ClusterQueue to AdmissionCheck to what its controller is told.
  void add_kueue(const KubernetesObject& object) {
    const Node spec = object.node.get("spec");
    constexpr std::string_view effect =
        "the ClusterQueue stays inactive while one of its admission checks does not exist";
    if (object.kind.equals("ClusterQueue")) {
      const Names checks = objects_.names("AdmissionCheck");
      for (const Node check : spec.get("admissionChecks").items()) {
        add(read_string(check), "AdmissionCheck", checks, effect, Certainty::likely);
      }
      for (const Node check : spec.at("admissionChecksStrategy", "admissionChecks").items()) {
        add(read_string(check, "name"), "AdmissionCheck", checks, effect, Certainty::likely);
      }
    } else if (object.kind.equals("AdmissionCheck")) {
      add(read_string(spec, "controllerName"), "controller", names_of(controllers),
          "nobody decides the check, so that workloads wait for it forever", Certainty::none);
      const Node parameters = spec.get("parameters");
      const std::string_view kind = config_kind(read_string(parameters, "kind").value_or(""));
      if (kind.empty()) return;
      add(read_string(parameters, "name"), kind, objects_.names(kind),
          "the check is not active without its configuration", Certainty::likely);
    } else if (object.kind.equals("ProvisioningRequestConfig")) {
      add(read_string(spec, "provisioningClassName"), "provisioning class",
          names_of(provisioning_classes), "no autoscaler makes nodes for requests of the class",
          Certainty::none);
    }
  }

  [[nodiscard]] static std::string_view config_kind(std::string_view kind) {
    for (const std::string_view known : {"ProvisioningRequestConfig", "MultiKueueConfig"}) {
      if (kind == known) return known;
    }
    return {};
  }

  void add_autoscaler(const KubernetesObject& object) {
    const Node target = object.node.at("spec", "scaleTargetRef");
    if (!object.kind.equals("MachineAutoscaler")) return;
    if (!read_string(target, "kind").equals("MachineSet")) return;
    add(read_string(target, "name"), "MachineSet", objects_.names("MachineSet", object.node),
        "the autoscaler makes no node of a MachineSet that is not there", Certainty::likely);
  }

  void add_cache(const KubernetesObject& object) {
    if (!object.kind.equals("NIMService")) return;
    add(read_string(object.node.at("spec", "storage", "nimCache"), "name"), "NIMCache",
        objects_.names("NIMCache", object.node), "the service waits for a cache that is not there",
        Certainty::likely);
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

std::vector<Reference> find_other_references(const Corpus& corpus, const NamedObjects& objects) {
  return OtherFinder(corpus, objects).find();
}

}  // namespace gpulint::rules::misspelt_reference
