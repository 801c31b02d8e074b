#include "rules/support/partitions.h"

#include <algorithm>
#include <iterator>
#include <ranges>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "compiler/flyte/analysis.h"
#include "compiler/model/facts/accelerator_catalog.h"
#include "compiler/model/facts/gpu_catalog.h"
#include "compiler/model/facts/gpu_resource.h"
#include "compiler/model/facts/mig_profile.h"
#include "compiler/model/facts/product_label.h"
#include "compiler/model/facts/provider_catalog.h"
#include "compiler/model/kubernetes_names.h"
#include "compiler/model/mig/mig_config.h"
#include "rules/support/placement_causes.h"

namespace gpulint::rules {
namespace {

/// Flyte's default for `gpu-partition-size-node-label`.
constexpr std::string_view flyte_partition_label = "k8s.amazonaws.com/gpu-partition-size";
constexpr std::string_view layout_label = "nvidia.com/mig.config";

/// The keys of NVIDIA's labels with one role. Computed once, because each label of each node is
/// compared with them.
class KeysOfRole {
 public:
  explicit KeysOfRole(std::string_view role) {
    for (const ProviderLabel& label : provider_labels()) {
      const bool is_nvidias = label.provider != "amd" && label.provider != "intel";
      if (label.role == role && is_nvidias) keys_.push_back(label.key);
    }
  }

  [[nodiscard]] bool contains(std::string_view key) const {
    return std::ranges::any_of(keys_, [&](std::string_view known) {
      const bool is_pattern = known.ends_with('*');
      return is_pattern ? key.starts_with(known.substr(0, known.size() - 1)) : key == known;
    });
  }

 private:
  std::vector<std::string_view> keys_;
};

[[nodiscard]] bool is_device_label(std::string_view key) {
  static const KeysOfRole devices("device");
  return devices.contains(key);
}

/// The GPU's model, its partition, and the layout that MIG Manager applies.
[[nodiscard]] bool tells_parts(std::string_view key) {
  return is_device_label(key) || is_partition_label(key) || key == layout_label;
}

/// Labels about GPUs or partitions that apply together: a node selector with one term of the
/// affinity, or those of a node.
struct Labels {
  std::vector<std::pair<std::string, Value<std::string>>> pairs;
  bool has_open_device = false;

  void add(std::string_view key, const Field<std::string>& value) {
    if (!tells_parts(key)) return;
    if (value.is_known() && value.node()) {
      pairs.emplace_back(key, Value<std::string>{value.value(), value.node()});
    } else if (is_device_label(key)) {
      has_open_device = true;
    }
  }
  /// Empty if one of them is unknown.
  [[nodiscard]] std::vector<Value<std::string>> devices() const {
    std::vector<Value<std::string>> found;
    if (has_open_device) return found;
    for (const auto& [key, value] : pairs) {
      if (is_device_label(key)) found.push_back(value);
    }
    return found;
  }
};

void add_label_uses(const Labels& labels, std::vector<PartitionUse>& uses) {
  const auto add = [&](PartitionUse::Form form, const std::string& key,
                       const Value<std::string>& value, std::string_view size) {
    PartitionUse use;
    use.form = form;
    use.label = key;
    use.place = value.node;
    use.text = size;
    use.profile = named_profile(size);
    use.devices = labels.devices();
    uses.push_back(std::move(use));
  };
  for (const auto& [key, value] : labels.pairs) {
    if (is_partition_label(key) && !value.value.empty()) {
      add(PartitionUse::Form::label, key, value, value.value);
    } else if (key == product_label && !profile_of_product(value.value).empty()) {
      add(PartitionUse::Form::product, key, value, profile_of_product(value.value));
    }
  }
}

/// `find_devices`: called only if there is a partition.
void add_resource_uses(const std::vector<ResourceEntry>& entries, const auto& find_devices,
                       std::vector<PartitionUse>& uses) {
  for (const ResourceEntry& entry : entries) {
    if (!entry.name.node || entry.name.node.is_opaque()) continue;
    const GpuResource resource = classify_resource(entry.name.value);
    const bool is_known = resource.kind == GpuResource::Kind::mig;
    if (!is_known && resource.kind != GpuResource::Kind::unknown_mig) continue;
    PartitionUse use;
    use.form = PartitionUse::Form::resource;
    use.place = entry.name.node;
    use.text = entry.name.value;
    if (is_known) use.profile = resource.profile;
    use.devices = find_devices();
    uses.push_back(std::move(use));
  }
}

/// The node selector together with each term of the required affinity.
[[nodiscard]] std::vector<Labels> selected_labels(const PodSpec& pod) {
  Labels selector;
  for (const LabelEntry& entry : pod.node_selector) selector.add(entry.key.value, entry.value);
  std::vector<Labels> result;
  for (const SelectorTerm& term : pod.node_affinity.required) {
    Labels labels = selector;
    for (const SelectorRequirement& requirement : term.expressions) {
      if (!requirement.key.is_known() || !requirement.op.equals("In")) continue;
      for (const auto& value : requirement.values) labels.add(requirement.key.value(), value);
    }
    result.push_back(std::move(labels));
  }
  if (result.empty()) result.push_back(std::move(selector));
  return result;
}

void add_workload(const Workload& workload, std::vector<PartitionUse>& uses) {
  const std::size_t first = uses.size();
  std::vector<Value<std::string>> devices;
  bool all_name_devices = true;
  const std::vector<Labels> alternatives = selected_labels(workload.pod);
  for (const Labels& labels : alternatives) {
    add_label_uses(labels, uses);
    std::vector<Value<std::string>> own = labels.devices();
    all_name_devices = all_name_devices && !own.empty();
    std::ranges::move(own, std::back_inserter(devices));
  }
  if (!all_name_devices) devices.clear();
  for (const Container& container : workload.pod.containers) {
    const ResourceRequirements& resources = container.resources;
    add_resource_uses(
        resources.limits.empty() ? resources.requests : resources.limits, [&] { return devices; },
        uses);
  }
  for (PartitionUse& use : uses | std::views::drop(first)) use.who = describe(workload);
}

/// The default file of MIG Manager has a layout `all-<profile>` for each profile; a configuration
/// among the inputs may define the name differently.
void add_layout(const NodePool& pool, const Labels& labels, const std::set<std::string>& defined,
                std::vector<PartitionUse>& uses) {
  constexpr std::string_view prefix = "all-";
  for (const auto& [key, value] : labels.pairs) {
    if (key != layout_label || !value.value.starts_with(prefix)) continue;
    if (defined.contains(value.value)) continue;
    PartitionUse use;
    use.form = PartitionUse::Form::layout;
    use.place = value.node;
    use.text = value.value;
    use.profile = named_profile(std::string_view(value.value).substr(prefix.size()));
    use.devices = labels.devices();
    if (use.devices.empty() && pool.machine_types.size() == 1) {
      for (const std::string& product : pool.gpu_products) {
        use.devices.push_back({product, pool.machine_types.front().node});
      }
    }
    if (use.profile) uses.push_back(std::move(use));
  }
}

/// The layouts that configurations among the inputs define.
[[nodiscard]] std::set<std::string> defined_layouts(const Corpus& corpus) {
  std::set<std::string> names;
  for (const MigConfigFile& file : corpus.mig_configs) {
    for (const MigNamedConfig& named : file.configs) names.insert(named.name);
  }
  return names;
}

void add_pool(const NodePool& pool, const std::set<std::string>& defined,
              std::vector<PartitionUse>& uses) {
  const std::size_t first = uses.size();
  Labels labels;
  for (const PoolLabel& label : pool.labels) {
    if (!tells_parts(label.key)) continue;
    // The provider makes labels of the GPUs that the pool declares.
    const bool is_declared = label.known == PoolLabel::Known::provider && label.node;
    const bool is_stated = label.known == PoolLabel::Known::exact || is_declared;
    if (!is_stated || label.values.size() != 1) continue;
    labels.add(label.key, Field<std::string>::known(label.values.front(), value_node(label)));
  }
  add_label_uses(labels, uses);
  add_layout(pool, labels, defined, uses);
  add_resource_uses(pool.allocatable, [&] { return labels.devices(); }, uses);
  for (PartitionUse& use : uses | std::views::drop(first)) {
    use.is_of_node = true;
    use.is_declared = pool.source != NodePool::Source::node;
    use.who = describe(pool);
  }
}

void add_task(const flyte::Installation& installation, const flyte::Task& task,
              std::vector<PartitionUse>& uses) {
  const flyte::TaskAccelerator* const accelerator = accelerator_of(task);
  if (task.assumed || !task.problem.empty() || accelerator == nullptr) return;
  if (!accelerator->partition_size || accelerator->device_class != "NVIDIA_GPU") return;
  // A task of the command line has no line: use that of the label for its size.
  const flyte::FlyteConfig& config = installation.loaded.propeller;
  Node place;
  for (const Node candidate :
       {accelerator->partition_size->node, accelerator->node, task.node,
        config.k8s.gpu_partition_size_node_label.node(), config.find_setting("plugins.k8s")}) {
    if (!place) place = candidate;
  }
  const std::string& size = accelerator->partition_size->value;
  if (!place || place.is_opaque() || size.empty()) return;
  PartitionUse use;
  use.form = PartitionUse::Form::task;
  use.place = place;
  use.text = size;
  use.profile = named_profile(size);
  if (!accelerator->device.value.empty()) use.devices.push_back(accelerator->device);
  use.who = fmt::format("task `{}`", task.name);
  uses.push_back(std::move(use));
}

/// The sizes that GKE offers on a device; empty if unknown.
[[nodiscard]] std::vector<std::string_view> gke_sizes(std::string_view device) {
  for (const DeviceName* name : find_device(device)) {
    if (name->vocabulary == DeviceVocabulary::gke && !name->partitions.empty()) {
      return {name->partitions.begin(), name->partitions.end()};
    }
  }
  return {};
}

/// Whether the device has the profile, or may have it.
[[nodiscard]] bool may_have(const std::vector<const MigGpu*>& gpus, const std::string& profile) {
  return gpus.empty() ||
         std::ranges::any_of(gpus, [&](const MigGpu* gpu) { return has_profile(*gpu, profile); });
}

}  // namespace

bool is_partition_label(std::string_view key) {
  static const KeysOfRole partitions("partition");
  return key == flyte_partition_label || partitions.contains(key);
}

std::optional<std::string> named_profile(std::string_view text) {
  constexpr std::string_view prefix = "mig-";
  if (text.starts_with(prefix)) text.remove_prefix(prefix.size());
  if (auto profile = profile_of_resource_suffix(text)) return profile;
  const std::optional<MigProfile> profile = parse_mig_profile(text);
  return profile ? std::optional(profile->name()) : std::nullopt;
}

bool is_unusable_partition_value(std::string_view text) {
  return !is_label_value(text) && named_profile(text).has_value();
}

std::vector<PartitionUse> find_partition_uses(const Corpus& corpus) {
  std::vector<PartitionUse> uses;
  std::set<std::pair<const Document*, NodeIndex>> seen;  // one task may be in several installations
  for (const flyte::Installation& installation : corpus.flyte->installations) {
    for (const flyte::Task& task : installation.tasks) {
      if (task.node && !seen.emplace(task.node.document(), task.node.index()).second) continue;
      add_task(installation, task, uses);
    }
  }
  for (const Workload& workload : corpus.workloads) add_workload(workload, uses);
  for (const Workload& fragment : corpus.fragments) add_workload(fragment, uses);
  const std::set<std::string> defined = defined_layouts(corpus);
  for (const NodePool& pool : corpus.cluster.pools) add_pool(pool, defined, uses);
  return uses;
}

PartitionVerdict check_partition(const PartitionUse& use) {
  PartitionVerdict verdict;
  bool all_whole = !use.devices.empty();
  bool none_has_it = !use.devices.empty() && use.profile.has_value();
  for (const Value<std::string>& device : use.devices) {
    const bool is_whole = mig_support(device.value) == Support::no;
    all_whole = all_whole && is_whole;
    if (is_whole || !use.profile) continue;
    const std::vector<const MigGpu*> gpus = mig_gpus_of_product(device.value);
    verdict.gpus.insert(verdict.gpus.end(), gpus.begin(), gpus.end());
    const auto sizes = use.label == gke_partition_label ? gke_sizes(device.value)
                                                        : std::vector<std::string_view>{};
    verdict.allowed.insert(verdict.allowed.end(), sizes.begin(), sizes.end());
    const bool is_offered = sizes.empty() ? may_have(gpus, *use.profile)
                                          : std::ranges::find(sizes, *use.profile) != sizes.end();
    none_has_it = none_has_it && !is_offered;
  }
  if (all_whole) {
    verdict.fit = PartitionFit::whole;
  } else if (none_has_it && is_known_profile(*use.profile)) {
    verdict.fit = PartitionFit::not_there;
  }
  return verdict;
}

std::optional<std::string_view> nearest_profile(std::string_view profile,
                                                const PartitionVerdict& verdict) {
  const auto meant = parse_mig_profile(profile);
  for (const MigGpu* gpu : verdict.gpus) {
    for (const MigGpuProfile& candidate : gpu->profiles) {
      const auto read = parse_mig_profile(candidate.name);
      const bool is_offered =
          verdict.allowed.empty() ||
          std::ranges::find(verdict.allowed, candidate.name) != verdict.allowed.end();
      if (meant && read && is_offered && read->g == meant->g &&
          read->attributes == meant->attributes &&
          read->negative_attributes == meant->negative_attributes) {
        return candidate.name;
      }
    }
  }
  return suggest_mig_profile(profile, verdict.gpus);
}

}  // namespace gpulint::rules
