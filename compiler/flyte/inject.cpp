#include "compiler/flyte/inject.h"

#include <algorithm>
#include <set>
#include <utility>

#include "compiler/flyte/accelerator.h"
#include "compiler/flyte/base_pod_template.h"
#include "compiler/flyte/flyteadmin.h"
#include "compiler/flyte/pod_draft.h"

namespace gpulint::flyte {
namespace {

constexpr std::string_view nvidia_gpu = "nvidia.com/gpu";

void rename(std::string_view from, std::string_view to, ResourceList& list) {
  const Amount* found = list.find(from);
  if (found == nullptr) return;
  Amount amount = *found;
  list.set(to, std::move(amount));
  list.erase(from);  // Flyte does so even if both names are equal
}

/// flytek8s.ToK8sResourceList, for container tasks: only the names that tasks know, no zeros; `gpu`
/// becomes nvidia.com/gpu in Flyte 1 and is kept for the accelerator in Flyte 2.
[[nodiscard]] ResourceList to_kubernetes(const ResourceList& asked, FlyteVersion version) {
  ResourceList result;
  for (const std::string_view name : {"cpu", "memory", "ephemeral-storage", "gpu"}) {
    const Amount* amount = asked.find(name);
    if (amount == nullptr || (!amount->opaque && amount->quantity.is_zero())) continue;
    const bool is_renamed = name == "gpu" && version == FlyteVersion::v1;
    result.set(is_renamed ? nvidia_gpu : name, *amount);
  }
  return result;
}

/// Overrides replace amounts of the task template; names that it lacks are added.
void merge(const ResourceList& over, ResourceList& base) {
  for (const auto& [name, amount] : over.entries()) base.set(name, amount);
}

class Compiler {
 public:
  Compiler(const FlyteConfig& config, const PlatformResources& platform, const Task& task,
           CompiledPod& pod)
      : config_(config), k8s_(config.k8s), platform_(platform), task_(task), pod_(pod) {
    accelerator_ = accelerator_of(task);
    settings_ = accelerator_settings(config, accelerator_);
    base_ =
        choose_base(config.pod_templates.get(), k8s_.tree.find("default-pod-template-name"), task);
  }

  void run() {
    if (!read_resources()) return;
    apply_resource_rules();
    add_tolerations();
    add_scheduler_and_selectors();
    add_affinity();
    has_terms_ = draft_.has_required;
    if (accelerator_ != nullptr) merge_class_template(config_, settings_, draft_);
    if (base_.found != nullptr) merge_base(*base_.found, task_, config_.version, draft_);
    if (accelerator_ != nullptr) {
      apply_accelerator(config_, settings_, *accelerator_, draft_);
    }
    if (task_.plugin != TaskPlugin::container) add_extended_tolerations();
    mark_opaque_parts();
    finish(std::move(draft_), pod_);
  }

 private:
  bool read_resources();
  [[nodiscard]] bool is_overridden() const {
    return task_.override_requests || task_.override_limits;
  }
  bool accept_at_registration(Resources& asked);
  bool parse(const std::vector<TaskResource>& requests, const std::vector<TaskResource>& limits,
             TaskTarget target, std::string_view prefix, Resources& out);
  void fail(std::string error, Node node) {
    pod_.error = std::move(error);
    pod_.error_stage = "task";
    pod_.error_node = node ? node : task_.node;
  }
  [[nodiscard]] std::string gpu_name() const {
    return settings_.resource_name.value_or(std::string(nvidia_gpu));
  }
  void rename_gpu(Resources& resources) const {
    rename("gpu", gpu_name(), resources.requests);
    rename("gpu", gpu_name(), resources.limits);
  }
  void apply_resource_rules();
  void add_tolerations();
  void add_scheduler_and_selectors();
  void add_affinity();
  void add_extended_tolerations();
  void mark_opaque_parts();

  const FlyteConfig& config_;
  const K8sPluginConfig& k8s_;
  const PlatformResources& platform_;
  const Task& task_;
  CompiledPod& pod_;
  const TaskAccelerator* accelerator_ = nullptr;
  AcceleratorSettings settings_;
  BaseChoice base_;
  bool has_terms_ = false;  // before those of the accelerator, which are added to every term
  PodDraft draft_;
};

bool Compiler::parse(const std::vector<TaskResource>& requests,
                     const std::vector<TaskResource>& limits, TaskTarget target,
                     std::string_view prefix, Resources& out) {
  ParsedResources parsed = parse_resources(requests, limits, target, prefix);
  if (!parsed.error.empty()) {
    fail(std::move(parsed.error), parsed.error_node);
    return false;
  }
  out = std::move(parsed.resources);
  return true;
}

bool Compiler::accept_at_registration(Resources& asked) {
  // Without its configuration only overrides show that flyteadmin completes requests and limits.
  if (config_.version != FlyteVersion::v1 || !(platform_.present || is_overridden())) return true;
  AdminVerdict verdict =
      platform_.present ? validate_at_registration(task_, asked, platform_) : AdminVerdict{};
  if (!verdict.error.empty()) {
    fail(std::move(verdict.error), verdict.node);
    return false;
  }
  if (task_.target == TaskTarget::container) asked = apply_admin_defaults(asked, platform_);
  return true;
}

bool Compiler::read_resources() {
  if (!task_.problem.empty()) {
    fail(task_.problem, task_.node);
    return false;
  }
  Resources asked;
  if (!parse(task_.requests, task_.limits, task_.target, "task", asked)) return false;
  if (!accept_at_registration(asked)) return false;
  if (task_.target == TaskTarget::k8s_pod) {
    rename_gpu(asked);
    draft_.resources = std::move(asked);
  } else {
    draft_.resources = {to_kubernetes(asked.requests, config_.version),
                        to_kubernetes(asked.limits, config_.version)};
  }
  if (!is_overridden()) return true;
  // Overrides have the form of a container's resources, also for a pod (flytek8s, MergeResources).
  Resources over;
  if (!parse(task_.override_requests.value_or(std::vector<TaskResource>{}),
             task_.override_limits.value_or(std::vector<TaskResource>{}), TaskTarget::container,
             "task.overrides", over)) {
    return false;
  }
  merge(to_kubernetes(over.requests, config_.version), draft_.resources.requests);
  merge(to_kubernetes(over.limits, config_.version), draft_.resources.limits);
  return true;
}

/// flytek8s.ApplyResourceOverrides for the primary container.
void Compiler::apply_resource_rules() {
  Resources& resources = draft_.resources;
  rename_gpu(resources);
  if (base_.found != nullptr && config_.version == FlyteVersion::v1) {
    add_missing_resources(*base_.found, task_, draft_);
  }
  Resources platform = platform_.present ? platform_.by_name : Resources{};
  const auto add_default = [&](std::string_view name, const Field<Quantity>& value,
                               std::string key) {
    if (platform.requests.find(name) != nullptr) return;
    platform.requests.set(
        name, {value.value_or(Quantity{}), value.is_opaque(), value.node(), std::move(key)});
  };
  add_default("cpu", k8s_.default_cpus, "plugins.k8s.default-cpus");
  add_default("memory", k8s_.default_memory, "plugins.k8s.default-memory");
  std::set<std::string> names = accelerator_resource_names(config_);
  names.insert(gpu_name());
  names.insert("ephemeral-storage");
  std::erase_if(names, [&](const std::string& name) {
    return resources.requests.find(name) == nullptr && resources.limits.find(name) == nullptr;
  });
  names.insert({"cpu", "memory"});
  for (const std::string& name : names) adjust_resource(name, platform, resources);
}

/// flytek8s.GetPodTolerations, placed before the pod's own. Flyte has no fixed order of requested
/// resources; here they are sorted by name.
void Compiler::add_tolerations() {
  std::set<std::string> names;
  for (const auto& entry : draft_.resources.limits.entries()) names.insert(entry.name);
  for (const auto& entry : draft_.resources.requests.entries()) names.insert(entry.name);
  int sources = 0;
  const auto add = [&](const std::vector<Toleration>& list, const char* key) {
    for (const Toleration& toleration : list) {
      draft_.tolerations.push_back({toleration, toleration.node, key});
    }
  };
  for (const std::string& name : names) {
    for (const ResourceTolerations& entry : k8s_.resource_tolerations) {
      if (entry.resource.value != name || entry.tolerations.empty()) continue;
      add(entry.tolerations, "plugins.k8s.resource-tolerations");
      ++sources;
    }
  }
  pod_.toleration_order_unstable = sources > 1;
  if (task_.interruptible) {
    add(k8s_.interruptible_tolerations, "plugins.k8s.interruptible-tolerations");
  }
  add(k8s_.default_tolerations, "plugins.k8s.default-tolerations");
  add(task_.pod_spec.tolerations, "task.podSpec.tolerations");
}

void Compiler::add_scheduler_and_selectors() {
  if (!task_.pod_spec.scheduler_name.value_or("").empty()) {
    draft_.scheduler_name = {task_.pod_spec.scheduler_name, task_.pod_spec.scheduler_name.node(),
                             "task.podSpec.schedulerName"};
  } else {
    draft_.scheduler_name = {k8s_.scheduler_name, k8s_.scheduler_name.node(),
                             "plugins.k8s.scheduler-name"};
  }
  const Field<std::string>& runtime_class = task_.pod_spec.runtime_class_name;
  if (runtime_class.is_opaque() || !runtime_class.value_or("").empty()) {
    draft_.runtime_class_name = {runtime_class, runtime_class.node(),
                                 "task.podSpec.runtimeClassName"};
  }
  for (const LabelEntry& label : k8s_.default_node_selector) {
    set_node_selector(label, "plugins.k8s.default-node-selector", draft_);
  }
  for (const LabelEntry& label : task_.pod_spec.node_selector) {
    set_node_selector(label, "task.podSpec.nodeSelector", draft_);
  }
  if (!task_.interruptible) return;
  for (const LabelEntry& label : k8s_.interruptible_node_selector) {
    set_node_selector(label, "plugins.k8s.interruptible-node-selector", draft_);
  }
}

void Compiler::add_affinity() {
  if (task_.affinity.is_map()) {
    set_affinity(task_.pod_spec.node_affinity, task_.affinity, "task.podSpec.affinity", draft_);
  } else if (k8s_.default_affinity) {
    set_affinity(*k8s_.default_affinity, *k8s_.tree.find("default-affinity"),
                 "plugins.k8s.default-affinity", draft_);
  }
  const auto& requirement =
      task_.interruptible ? k8s_.interruptible_requirement : k8s_.non_interruptible_requirement;
  if (!requirement) return;
  add_requirement({*requirement, requirement->node,
                   task_.interruptible ? "plugins.k8s.interruptible-node-selector-requirement"
                                       : "plugins.k8s.non-interruptible-node-selector-requirement"},
                  config_.version, draft_);
}

/// flytek8s.AddTolerationsForExtendedResources, which plugins that build pods themselves call.
void Compiler::add_extended_tolerations() {
  std::set<std::string> names;
  for (const Field<std::string>& name : k8s_.extended_resources) {
    if (name.is_known() && draft_.resources.requests.find(name.value()) != nullptr) {
      names.insert(name.value());
    }
  }
  for (const std::string& name : names) {
    const auto listed = std::ranges::find_if(
        k8s_.extended_resources, [&](const Field<std::string>& f) { return f.equals(name); });
    Toleration toleration;
    toleration.node = listed->node();
    toleration.key = Field<std::string>::known(name, listed->node());
    toleration.op = Field<std::string>::known("Exists");
    toleration.effect = Field<std::string>::known("NoSchedule");
    if (has_toleration(toleration, draft_)) continue;
    draft_.tolerations.push_back(
        {toleration, listed->node(), "plugins.k8s.add-tolerations-for-extended-resources"});
  }
}

/// Whether a part of the configuration with a relevant form is unknown.
[[nodiscard]] bool has_opaque_structure(const ConfigValue* value) {
  if (value == nullptr) return false;
  if (value->opaque && !value->is_string()) return true;
  return std::ranges::any_of(value->items,
                             [](const auto& v) { return has_opaque_structure(&v); }) ||
         std::ranges::any_of(value->entries,
                             [](const auto& e) { return has_opaque_structure(&e.value); });
}

void Compiler::mark_opaque_parts() {
  PodSpec& spec = pod_.workload.pod;
  const auto any = [&](std::initializer_list<std::string_view> keys) {
    return std::ranges::any_of(
        keys, [&](std::string_view key) { return has_opaque_structure(k8s_.tree.find(key)); });
  };
  const bool is_gpu_unknown = settings_.resource_name.is_opaque();
  // An object that the task names may concern nodes. The default template of all tasks is assumed
  // to add only tolerations, and terms in addition to existing ones.
  const bool is_named = !task_.pod_template_name.value.empty();
  const bool is_selector_unknown = base_.is_open && is_named;
  const bool is_affinity_unknown = base_.is_open && (is_named || has_terms_);
  spec.tolerations_opaque = base_.is_open || draft_.is_tolerations_open || is_gpu_unknown ||
                            task_.pod_spec.tolerations_opaque ||
                            any({"resource-tolerations", "default-tolerations",
                                 "interruptible-tolerations", "gpu-unpartitioned-toleration"});
  spec.node_selector_opaque = is_selector_unknown || draft_.is_node_selector_open ||
                              task_.pod_spec.node_selector_opaque ||
                              any({"default-node-selector", "interruptible-node-selector"});
  spec.affinity_opaque = is_affinity_unknown || draft_.is_affinity_open || is_gpu_unknown ||
                         task_.pod_spec.affinity_opaque ||
                         any({"default-affinity", "interruptible-node-selector-requirement",
                              "non-interruptible-node-selector-requirement",
                              "gpu-unpartitioned-node-selector-requirement"});
}

/// Where something would be added: the section of the configuration, and its tolerations.
void set_anchors(const FlyteConfig& config, Workload& workload) {
  workload.template_node = config.find_setting("plugins.k8s");
  if (workload.pod.tolerations_node) return;
  for (const std::string_view key :
       {"plugins.k8s.resource-tolerations", "plugins.k8s.default-tolerations", "plugins.k8s"}) {
    workload.pod.tolerations_node = config.find_decisive(key);
    if (workload.pod.tolerations_node) return;
  }
}

}  // namespace

CompiledPod compile_task(const FlyteConfig& config, const PlatformResources& platform,
                         const Task& task) {
  CompiledPod pod;
  pod.task = task.name;
  pod.version = config.version;
  pod.assumed = task.assumed;
  pod.workload.is_assumed = task.assumed;
  pod.workload.origin = Workload::Origin::compiled;
  pod.workload.object = task.node;
  pod.workload.kind = Field<std::string>::known("Pod");
  pod.workload.api_version = Field<std::string>::known("v1");
  pod.workload.name = task.name;
  pod.workload.name_space = "default";
  if (!config.problems.empty()) {
    const ConfigProblem& problem = config.problems.front();
    pod.error = problem.path.empty() ? problem.message : problem.path + ": " + problem.message;
    pod.error_stage = "config";
    pod.error_node = problem.node;
    return pod;
  }
  Compiler(config, platform, task, pod).run();
  set_anchors(config, pod.workload);
  return pod;
}

}  // namespace gpulint::flyte
