#include "compiler/flyte/accelerator.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <re2/re2.h>

#include "compiler/base/text.h"
#include "compiler/flyte/task.h"
#include "compiler/model/facts/accelerator_catalog.h"
#include "compiler/model/facts/gpu_catalog.h"

namespace gpulint::flyte {
namespace {

[[nodiscard]] bool all_digits(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

/// flytekit spells a partition as an attribute: `partition_2g_10gb` is `2g.10gb`.
[[nodiscard]] std::optional<std::string> partition_of_attribute(std::string_view attribute) {
  for (const std::string_view prefix : {"partition_", "slice_"}) {
    if (!attribute.starts_with(prefix)) continue;
    std::string size(attribute.substr(prefix.size()));
    std::ranges::replace(size, '_', '.');
    return size;
  }
  return std::nullopt;
}

/// Applies `.partition_…`, `.slice_…` or `.unpartitioned` to a flytekit constant.
void apply_attribute(const FlyteAccelerator& accelerator, std::string_view attribute,
                     AcceleratorSpec& spec) {
  if (attribute == "unpartitioned" && !accelerator.partitions.empty()) {
    spec.unpartitioned = true;
    return;
  }
  const auto size = partition_of_attribute(attribute);
  if (size && std::ranges::find(accelerator.partitions, *size) != accelerator.partitions.end()) {
    spec.partition_size = size;
    return;
  }
  spec.problem = fmt::format("flytekit's `{}` has no `{}`", accelerator.constant, attribute);
}

[[nodiscard]] AcceleratorSpec spec_of(const FlyteAccelerator& accelerator) {
  AcceleratorSpec spec;
  spec.device = accelerator.device;
  spec.device_class = accelerator.device_class;
  return spec;
}

[[nodiscard]] AcceleratorSpec parse_flyte2(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  const bool has_count = colon != std::string_view::npos && all_digits(text.substr(colon + 1));
  const std::string_view name = has_count ? text.substr(0, colon) : text;
  AcceleratorSpec spec;
  spec.device = name;
  if (const FlyteAccelerator* found = find_accelerator(flyte2_accelerators(), name)) {
    spec = spec_of(*found);
  }
  if (has_count) spec.count = text.substr(colon + 1);
  return spec;
}

[[nodiscard]] bool is_device(std::string_view text) {
  const auto tpus = tpu_device_values();
  return !find_device(text).empty() || std::ranges::find(tpus, text) != tpus.end() ||
         std::ranges::any_of(flytekit_accelerators(),
                             [&](const FlyteAccelerator& each) { return each.device == text; }) ||
         std::ranges::any_of(flyte2_accelerators(), [&](const FlyteAccelerator& each) {
           return each.device == text || each.constant == text;
         });
}

/// Whether a part of a product's name equals the word: there are more GPUs than Flyte's SDKs know.
[[nodiscard]] bool is_part_of_a_product(std::string_view text) {
  for (const DeviceName& each : device_names()) {
    for (std::string_view rest : {each.value, each.product}) {
      while (!rest.empty()) {
        if (equal_fold(take_part(rest, '-'), text)) return true;
      }
    }
  }
  return std::ranges::any_of(mig_gpus(), [&](const MigGpu& gpu) {
    return std::ranges::any_of(gpu.families,
                               [&](std::string_view family) { return equal_fold(family, text); });
  });
}

[[nodiscard]] const FlyteAccelerator* find_folded(std::string_view constant) {
  for (const FlyteAccelerator& each : flytekit_accelerators()) {
    if (equal_fold(each.constant, constant)) return &each;
  }
  return nullptr;
}

/// `a100-1g.5gb`, `A100_2g_10gb`: a constant and a partition that it has.
[[nodiscard]] std::string suggest_partition(std::string_view text) {
  static const RE2 pattern(R"((?i)([a-z0-9_]+?)[-_. :/]+(?:mig[-_. ]*)?([1-7]g)[._-](\d+gb))");
  std::string constant;
  std::string slices;
  std::string memory;
  if (!RE2::FullMatch(re2::StringPiece(text.data(), text.size()), pattern, &constant, &slices,
                      &memory)) {
    return {};
  }
  const FlyteAccelerator* const known = find_folded(constant);
  const std::string size = to_lower(slices) + "." + to_lower(memory);
  if (known == nullptr || std::ranges::find(known->partitions, size) == known->partitions.end()) {
    return {};
  }
  return fmt::format("{}.partition_{}_{}", known->constant, to_lower(slices), to_lower(memory));
}

/// Whether one letter differs. The first letter must match, short names must have the same length
/// (L40 and L40S are two GPUs), and the shortest must be equal (K40 and K80 are two).
[[nodiscard]] bool is_slip(std::string_view device, std::string_view name) {
  constexpr std::size_t shortest = 4;
  constexpr std::size_t long_enough = 8;
  const bool is_long = name.size() >= long_enough;
  if (device.size() < shortest || (!is_long && device.size() != name.size())) return false;
  return equal_fold(device.substr(0, 1), name.substr(0, 1)) &&
         edit_distance(to_lower(device), to_lower(name), 1) <= 1;
}

[[nodiscard]] bool is_set(const Field<std::string>& field) {
  return field.is_opaque() || !field.value_or("").empty();
}

/// The device's label value: Flyte 2 looks it up in upper case.
[[nodiscard]] Sourced<Field<std::string>> device_value(const FlyteConfig& config,
                                                       const TaskAccelerator& accelerator) {
  const Value<std::string>& device = accelerator.device;
  if (config.version == FlyteVersion::v2) {
    const std::string wanted = to_upper(device.value);
    for (const LabelEntry& entry : config.k8s.accelerator_devices) {
      if (entry.key.value != wanted) continue;
      return {entry.value, entry.value.node(), "plugins.k8s.accelerator-devices"};
    }
  }
  return {Field<std::string>::known(device.value, device.node), device.node, "task.accelerator"};
}

/// Flyte 2 adds no toleration that the pod already has.
void add_toleration(Sourced<Toleration> toleration, FlyteVersion version, PodDraft& draft) {
  if (version == FlyteVersion::v2 && has_toleration(toleration.item, draft)) return;
  draft.tolerations.push_back(std::move(toleration));
}

struct LabelValue {
  const Field<std::string>& label;
  const std::string& label_key;
  Sourced<Field<std::string>> value;
};

/// Requirement and toleration for one label with one value. Their source is the label's
/// configuration, or the value's if the label is built in.
void add_label_value(const LabelValue& pair, FlyteVersion version, PodDraft& draft) {
  const bool is_label_given = static_cast<bool>(pair.label.node());
  const Node node = is_label_given ? pair.label.node() : pair.value.node;
  const std::string& key = is_label_given || !pair.value.node ? pair.label_key : pair.value.key;
  SelectorRequirement requirement;
  requirement.node = node;
  requirement.key = pair.label;
  requirement.op = Field<std::string>::known("In");
  requirement.values.push_back(pair.value.item);
  add_requirement({requirement, node, key}, version, draft);
  Toleration toleration;
  toleration.node = node;
  toleration.key = pair.label;
  toleration.op = Field<std::string>::known("Equal");
  toleration.value = pair.value.item;
  toleration.effect = Field<std::string>::known("NoSchedule");
  add_toleration({toleration, node, key}, version, draft);
}

void add_unpartitioned(const AcceleratorSettings& settings, FlyteVersion version, PodDraft& draft) {
  if (settings.unpartitioned_requirement) {
    add_requirement({*settings.unpartitioned_requirement, settings.unpartitioned_requirement->node,
                     settings.unpartitioned_requirement_key},
                    version, draft);
  } else {
    SelectorRequirement requirement;
    requirement.node = settings.partition_label.node();
    requirement.key = settings.partition_label;
    requirement.op = Field<std::string>::known("DoesNotExist");
    add_requirement({requirement, requirement.node, settings.partition_label_key}, version, draft);
  }
  if (settings.unpartitioned_toleration) {
    add_toleration({*settings.unpartitioned_toleration, settings.unpartitioned_toleration->node,
                    settings.unpartitioned_toleration_key},
                   version, draft);
  }
}

/// The pod is merged onto the class's pod template: its tolerations and terms come first, the pod's
/// labels take precedence.
void merge_template(const ConfigValue& pod_template, const std::string& key, PodDraft& draft) {
  const ConfigValue* spec = pod_template.find_path({"template", "spec"});
  if (spec == nullptr || !spec->is_map()) return;
  PodDraft base;
  for (const Toleration& toleration : to_tolerations(spec->find("tolerations"))) {
    base.tolerations.push_back({toleration, toleration.node, key});
  }
  for (const LabelEntry& label : to_labels(spec->find("nodeSelector"))) {
    set_node_selector(label, key, base);
  }
  const ConfigValue* affinity = spec->find("affinity");
  if (affinity != nullptr && affinity->is_map()) {
    set_affinity(to_node_affinity(*affinity), *affinity, key, base);
  }
  const auto take = [&](std::string_view field, Sourced<Field<std::string>>& to) {
    const Field<std::string> value = to_text_field(spec->find(field));
    if (is_set(value)) to = {value, value.node(), key};
  };
  take("schedulerName", base.scheduler_name);
  take("runtimeClassName", base.runtime_class_name);
  merge_onto(std::move(base), draft);
}

/// Flyte 2 labels pods with the number of slices of an NVIDIA MIG size: `3g.20gb` has three.
void add_slices_label(const TaskAccelerator& accelerator, PodDraft& draft) {
  if (!accelerator.partition_size) return;
  const std::string_view size = accelerator.partition_size->value;
  const auto digits_from = [&](std::size_t at) {
    return std::min(size.find_first_not_of("0123456789", at), size.size()) - at;
  };
  const std::size_t slices = digits_from(0);
  if (slices == 0 || size.substr(slices, 2) != "g.") return;
  const std::size_t memory = digits_from(slices + 2);
  if (memory == 0 || size.substr(slices + 2 + memory) != "gb") return;
  const Node node = accelerator.partition_size->node;
  draft.labels.push_back({{{"platform.union.ai/gpu-partition-slices", {}},
                           Field<std::string>::known(std::string(size.substr(0, slices)), node)},
                          node,
                          "task.accelerator"});
}

}  // namespace

AcceleratorSpec parse_accelerator(std::string_view text, FlyteVersion version) {
  if (version == FlyteVersion::v2 && (text.find(':') != std::string_view::npos ||
                                      find_accelerator(flyte2_accelerators(), text) != nullptr)) {
    return parse_flyte2(text);
  }
  const std::size_t dot = text.find('.');
  const FlyteAccelerator* found = find_accelerator(flytekit_accelerators(), text.substr(0, dot));
  AcceleratorSpec spec;
  spec.device = text;
  if (found == nullptr) return spec;
  spec = spec_of(*found);
  if (dot != std::string_view::npos) apply_attribute(*found, text.substr(dot + 1), spec);
  return spec;
}

std::string suggest_accelerator(std::string_view device) {
  if (is_device(device)) return {};
  if (std::string partition = suggest_partition(device); !partition.empty()) return partition;
  if (const FlyteAccelerator* const known = find_folded(device)) {
    return std::string(known->constant == device ? known->device : known->constant);
  }
  if (is_part_of_a_product(device)) return {};
  std::vector<std::string_view> names;
  for (const FlyteAccelerator& each : flytekit_accelerators()) {
    names.insert(names.end(), {each.constant, each.device});
  }
  const auto is_meant = [&](std::string_view name) { return is_slip(device, name); };
  const auto meant = std::ranges::find_if(names, is_meant);
  return meant == names.end() ? std::string() : std::string(*meant);
}

AcceleratorSettings accelerator_settings(const FlyteConfig& config,
                                         const TaskAccelerator* accelerator) {
  const K8sPluginConfig& k8s = config.k8s;
  AcceleratorSettings settings{
      .resource_name = k8s.gpu_resource_name,
      .resource_name_key = "plugins.k8s.gpu-resource-name",
      .device_label = k8s.gpu_device_node_label,
      .device_label_key = "plugins.k8s.gpu-device-node-label",
      .partition_label = k8s.gpu_partition_size_node_label,
      .partition_label_key = "plugins.k8s.gpu-partition-size-node-label",
      .unpartitioned_requirement = k8s.gpu_unpartitioned_requirement,
      .unpartitioned_requirement_key = "plugins.k8s.gpu-unpartitioned-node-selector-requirement",
      .unpartitioned_toleration = k8s.gpu_unpartitioned_toleration,
      .unpartitioned_toleration_key = "plugins.k8s.gpu-unpartitioned-toleration",
      .device_class = nullptr};
  if (config.version != FlyteVersion::v2 || accelerator == nullptr) return settings;
  const auto found = std::ranges::find_if(k8s.accelerator_classes, [&](const auto& entry) {
    return entry.name.value == accelerator->device_class;
  });
  if (found == k8s.accelerator_classes.end()) return settings;
  settings.device_class = &*found;
  const std::string key = "plugins.k8s.accelerator-device-classes." + found->name.value;
  const auto take = [&](const Field<std::string>& from, const char* field, Field<std::string>& to,
                        std::string& to_key) {
    if (!is_set(from)) return;
    to = from;
    to_key = fmt::format("{}.{}", key, field);
  };
  take(found->resource_name, "resource-name", settings.resource_name, settings.resource_name_key);
  take(found->device_node_label, "device-node-label", settings.device_label,
       settings.device_label_key);
  take(found->partition_size_node_label, "partition-size-node-label", settings.partition_label,
       settings.partition_label_key);
  if (found->unpartitioned_requirement) {
    settings.unpartitioned_requirement = found->unpartitioned_requirement;
    settings.unpartitioned_requirement_key = key + ".unpartitioned-node-selector-requirement";
  }
  if (found->unpartitioned_toleration) {
    settings.unpartitioned_toleration = found->unpartitioned_toleration;
    settings.unpartitioned_toleration_key = key + ".unpartitioned-toleration";
  }
  return settings;
}

Field<std::string> device_label_value(const FlyteConfig& config,
                                      const TaskAccelerator& accelerator) {
  return device_value(config, accelerator).item;
}

std::set<std::string> accelerator_resource_names(const FlyteConfig& config) {
  std::set<std::string> names;
  if (config.k8s.gpu_resource_name.is_known()) names.insert(config.k8s.gpu_resource_name.value());
  for (const AcceleratorClass& entry : config.k8s.accelerator_classes) {
    const std::string name = entry.resource_name.value_or("");
    if (config.version == FlyteVersion::v2 && !name.empty()) names.insert(name);
  }
  return names;
}

void merge_class_template(const FlyteConfig& config, const AcceleratorSettings& settings,
                          PodDraft& draft) {
  if (config.version != FlyteVersion::v2 || settings.device_class == nullptr) return;
  merge_template(settings.device_class->pod_template,
                 fmt::format("plugins.k8s.accelerator-device-classes.{}.pod-template",
                             settings.device_class->name.value),
                 draft);
}

void apply_accelerator(const FlyteConfig& config, const AcceleratorSettings& settings,
                       const TaskAccelerator& accelerator, PodDraft& draft) {
  if (config.version == FlyteVersion::v2) add_slices_label(accelerator, draft);
  const auto names = accelerator_resource_names(config);
  const bool is_limited = std::ranges::any_of(
      names, [&](const std::string& name) { return draft.resources.limits.find(name) != nullptr; });
  if (!is_limited) return;
  if (!accelerator.device.value.empty()) {
    add_label_value(
        {settings.device_label, settings.device_label_key, device_value(config, accelerator)},
        config.version, draft);
  }
  if (accelerator.partition_size) {
    const Value<std::string>& size = *accelerator.partition_size;
    add_label_value(
        {settings.partition_label,
         settings.partition_label_key,
         {Field<std::string>::known(size.value, size.node), size.node, "task.accelerator"}},
        config.version, draft);
  } else if (accelerator.unpartitioned.value_or(false)) {
    add_unpartitioned(settings, config.version, draft);
  }
}

}  // namespace gpulint::flyte
