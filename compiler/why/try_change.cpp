#include "compiler/why/try_change.h"

#include <algorithm>
#include <string_view>

#include "compiler/flyte/accelerator.h"
#include "compiler/generate/label_advice.h"
#include "compiler/generate/trial.h"
#include "compiler/model/facts/mig_profile.h"
#include "compiler/model/facts/product_label.h"
#include "compiler/model/facts/provider_catalog.h"
#include "compiler/schedule/tolerate.h"
#include "compiler/why/devices.h"
#include "compiler/why/nodes_as.h"

namespace gpulint::why {
namespace {

constexpr const char* class_name = "NVIDIA_MIG";
constexpr std::size_t most_rounds = 8;

enum class Likeness : std::uint8_t { same_product, any };

[[nodiscard]] std::string partition_resource(const std::string& size) {
  const auto profile = parse_mig_profile(size);
  return profile ? mig_resource_name(*profile).value_or("") : "";
}

/// The `gpu` amounts of a task under another name.
void rename_gpus(std::vector<flyte::TaskResource>& amounts, const std::string& name) {
  for (flyte::TaskResource& amount : amounts) {
    if (amount.name.value == "gpu" || amount.name.value == "nvidia.com/gpu") {
      amount.name.value = name;
    }
  }
}

class ChangeTrial {
 public:
  ChangeTrial(const Change& change, const Subject& subject, const NodePool& nodes)
      : change_(change), subject_(subject), demand_(accelerator_demand(subject)), nodes_(nodes) {}

  [[nodiscard]] std::optional<Outcome> run() {
    if (!prepare_nodes() || !prepare_workload()) return std::nullopt;
    for (std::size_t round = 0; round < most_rounds; ++round) {
      Cluster cluster;
      cluster.pools = {nodes_};
      cluster.provider = subject_.cluster().provider;
      const Placement placement({&workload_}, cluster, subject_.admission);
      const Assessment assessment = placement.assess(0, 0);
      if (assessment.fits == Ternary::yes) return finish(placement.pod(0));
      if (!get_further(assessment, placement)) return std::nullopt;
    }
    return std::nullopt;
  }

 private:
  [[nodiscard]] bool prepare_nodes() {
    switch (change_.nodes) {
      case Change::Nodes::as_they_are:
        return true;
      case Change::Nodes::single:
        return make_single(nodes_);
      case Change::Nodes::relaid: {
        outcome_.layout = possible_layout(nodes_);
        const std::string size = outcome_.layout;
        return !size.empty() && cut(nodes_, size);
      }
      case Change::Nodes::cut:
        outcome_.layout = demand_.partition;
        return !demand_.partition.empty() && cut(nodes_, demand_.partition);
    }
    return false;
  }

  [[nodiscard]] bool prepare_workload() {
    if (change_.task == Change::Task::as_it_is) {
      workload_ = *subject_.placement->workloads()[subject_.workload];
      return true;
    }
    if (subject_.task == nullptr || subject_.release == nullptr) return false;
    flyte::Task task = *subject_.task;
    flyte::FlyteConfig config;
    config.version = subject_.release->propeller.version;
    config.k8s = subject_.release->propeller.k8s;
    config.pod_templates = subject_.release->propeller.pod_templates;
    if (!adapt(task, config)) return false;
    flyte::CompiledPod pod =
        generate::make_pod(config, subject_.release->platform, task, *subject_.runtime_classes);
    workload_ = std::move(pod.workload);
    return pod.error.empty();
  }

  [[nodiscard]] bool adapt(flyte::Task& task, flyte::FlyteConfig& config) {
    flyte::TaskAccelerator* const accelerator = accelerator_of(task);
    const std::string resource = partition_resource(demand_.partition);
    switch (change_.task) {
      case Change::Task::as_it_is:
        return true;
      case Change::Task::named:
        return accelerator != nullptr && name_device(*accelerator, config, Likeness::same_product);
      case Change::Task::other:
        return accelerator != nullptr && demand_.partition.empty() &&
               name_device(*accelerator, config, Likeness::any);
      case Change::Task::sized:
        if (accelerator == nullptr || demand_.partition.empty() ||
            !name_device(*accelerator, config, Likeness::same_product)) {
          return false;
        }
        accelerator->partition_size.reset();
        return profile_of_product(outcome_.device) == demand_.partition;
      case Change::Task::whole:
        return accelerator != nullptr && drop_partition(*accelerator);
      case Change::Task::named_whole:
        return accelerator != nullptr && drop_partition(*accelerator) &&
               name_device(*accelerator, config, Likeness::same_product);
      case Change::Task::templated:
        if (resource.empty()) return false;
        task.accelerator.reset();
        task.override_accelerator.reset();
        task.target = flyte::TaskTarget::k8s_pod;
        rename_gpus(task.requests, resource);
        rename_gpus(task.limits, resource);
        return true;
      case Change::Task::classed:
        return accelerator != nullptr && !resource.empty() &&
               set_class(resource, *accelerator, config);
    }
    return false;
  }

  /// Requests no partition, if the nodes have whole GPUs.
  [[nodiscard]] bool drop_partition(flyte::TaskAccelerator& accelerator) const {
    if (demand_.partition.empty() || partitioning_of(nodes_) != Partitioning::none) return false;
    accelerator.partition_size.reset();
    return true;
  }

  /// Requests the device by the value of the configured label on these nodes.
  [[nodiscard]] bool name_device(flyte::TaskAccelerator& accelerator,
                                 const flyte::FlyteConfig& config, Likeness likeness) {
    const std::string key =
        flyte::accelerator_settings(config, &accelerator).device_label.value_or("");
    const std::string carried = label_value(nodes_, key);
    const std::string device = demand_.device;
    if (carried.empty() || carried == device) return false;
    if (likeness == Likeness::same_product && !has_product(nodes_, device)) return false;
    accelerator.device.value = carried;
    outcome_.device = carried;
    return true;
  }

  [[nodiscard]] static bool set_class(const std::string& resource,
                                      flyte::TaskAccelerator& accelerator,
                                      flyte::FlyteConfig& config) {
    config.version = FlyteVersion::v2;
    flyte::AcceleratorClass device_class;
    device_class.name.value = class_name;
    device_class.resource_name = Field<std::string>::known(resource);
    config.k8s.accelerator_classes.push_back(std::move(device_class));
    accelerator.device_class = class_name;
    accelerator.partition_size.reset();
    return true;
  }

  /// Removes obstacles with tolerations and, if the change allows it, labels. False if none.
  [[nodiscard]] bool get_further(const Assessment& assessment, const Placement& placement) {
    bool is_further = false;
    for (const Reason& reason : assessment.reasons) {
      if (reason.holds != Ternary::yes) continue;
      for (const Term& term : terms_of(reason, placement.pod(0), placement.classes().front())) {
        if (term.holds != Ternary::yes) continue;
        if (!remove(term)) return false;
        is_further = true;
      }
    }
    return is_further;
  }

  [[nodiscard]] bool remove(const Term& term) {
    switch (term.kind) {
      case ReasonKind::untolerated_taint:
        return tolerate(term);
      case ReasonKind::node_selector:
      case ReasonKind::node_affinity:
        return change_.sets_labels && label(term);
      case ReasonKind::node_affinity_error:
      case ReasonKind::insufficient_resource:
      case ReasonKind::unschedulable:
      case ReasonKind::unallocated_claims:
        return false;
    }
    return false;
  }

  [[nodiscard]] bool tolerate(const Term& term) {
    for (const Taint& taint : nodes_.taints) {
      if (to_string(taint) != term.actual) continue;
      Toleration toleration;
      toleration.key = taint.key;
      toleration.value = taint.value;
      toleration.effect = taint.effect;
      workload_.pod.tolerations.push_back(std::move(toleration));
      outcome_.tolerations.push_back(taint_text(term));
      return true;
    }
    return false;
  }

  /// Sets a label only if it is true for the nodes and no component owns it.
  [[nodiscard]] bool label(const Term& term) {
    if (term.op != "In" || term.values.size() != 1) return false;
    const std::string& value = term.values.front();
    if (!generate::owner_of_label(term.key).empty()) return false;
    const std::string_view provider = provider_name(subject_.cluster().provider);
    if (!provider.empty() && !can_carry(provider, term.key)) return false;
    if (is_partition_label(term.key, subject_)) {
      if (partition_size_of(nodes_) != value) return false;
    } else if (is_device_label(term.key, subject_)) {
      if (!has_product(nodes_, value)) return false;
    } else if (term.actual.has_value()) {
      return false;  // the nodes have another value on purpose
    }
    set_label(nodes_, term.key, value);
    outcome_.labels.emplace_back(term.key, value);
    return true;
  }

  [[nodiscard]] Outcome finish(const PreparedPod& pod) {
    outcome_.resource = generate::gpu_resource_of(pod);
    return std::move(outcome_);
  }

  const Change& change_;
  const Subject& subject_;
  AcceleratorDemand demand_;
  NodePool nodes_;
  Workload workload_;
  Outcome outcome_;
};

}  // namespace

std::optional<Outcome> try_change(const Change& change, const Subject& subject,
                                  const NodePool& nodes) {
  return ChangeTrial(change, subject, nodes).run();
}

AcceleratorDemand accelerator_demand(const Subject& subject) {
  if (subject.task == nullptr) return {};
  const flyte::TaskAccelerator* const accelerator = accelerator_of(*subject.task);
  if (accelerator == nullptr) return {};
  AcceleratorDemand demand;
  demand.device = accelerator->device.value;
  if (accelerator->partition_size) demand.partition = accelerator->partition_size->value;
  return demand;
}

}  // namespace gpulint::why
