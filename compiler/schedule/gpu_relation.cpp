#include "compiler/schedule/gpu_relation.h"

#include <algorithm>
#include <array>

#include "compiler/base/text.h"
#include "compiler/model/facts/gpu_resource.h"

namespace gpulint {
namespace {

[[nodiscard]] bool mentions_gpus(std::string_view text) {
  const std::string folded = to_lower(text);
  return folded.find("gpu") != std::string::npos || folded.find("accelerator") != std::string::npos;
}

[[nodiscard]] bool names_gpu(const ResourceRequirements& resources) {
  const auto is_gpu = [](const ResourceEntry& entry) {
    const bool is_zero = entry.amount.is_known() && entry.amount.value().is_zero();
    return !is_zero && is_gpu_resource(entry.name.value);
  };
  return std::ranges::any_of(resources.limits, is_gpu) ||
         std::ranges::any_of(resources.requests, is_gpu);
}

[[nodiscard]] bool names_gpu_label(const SelectorTerm& term) {
  return std::ranges::any_of(term.expressions, [](const SelectorRequirement& requirement) {
    const bool excludes = requirement.op.equals("DoesNotExist") || requirement.op.equals("NotIn");
    return !excludes && requirement.key.is_known() && is_gpu_label(requirement.key.value());
  });
}

template <std::size_t Size>
[[nodiscard]] bool is_one_of(const Field<std::string>& field,
                             const std::array<std::string_view, Size>& values) {
  return field.is_absent() ||
         (field.is_known() && std::ranges::find(values, field.value()) != values.end());
}

}  // namespace

bool is_gpu_label(std::string_view key) {
  constexpr std::array<std::string_view, 4> vendors = {"nvidia.com/", "amd.com/", "gpu.intel.com/",
                                                       "habana.ai/"};
  const auto starts_key = [&](std::string_view vendor) { return key.starts_with(vendor); };
  return std::ranges::any_of(vendors, starts_key) || mentions_gpus(key) ||
         key.starts_with("cloud.google.com/gke-tpu") ||
         key == "feature.node.kubernetes.io/pci-10de.present";  // NVIDIA's PCI vendor
}

bool is_gpu_taint(std::string_view key, std::string_view value) {
  return is_gpu_resource(key) || is_gpu_label(key) || mentions_gpus(value);
}

GpuRelation gpu_relation(const PodSpec& pod) {
  const bool requests = std::ranges::any_of(
      pod.containers, [](const Container& container) { return names_gpu(container.resources); });
  if (requests || names_gpu(pod.pod_resources)) return GpuRelation::request;
  const bool selects = std::ranges::any_of(
      pod.node_selector, [](const LabelEntry& entry) { return is_gpu_label(entry.key.value); });
  const auto& terms = pod.node_affinity.required;
  const bool demands = !terms.empty() && std::ranges::all_of(terms, names_gpu_label);
  return selects || demands ? GpuRelation::selection : GpuRelation::none;
}

bool requests_gpu(const Container& container) {
  return !container.resources.claims.empty() || names_gpu(container.resources);
}

bool requests_gpu(const PodSpec& pod) {
  return std::ranges::any_of(pod.containers,
                             [](const Container& container) { return requests_gpu(container); });
}

bool may_request_gpu(const PodSpec& pod) {
  return requests_gpu(pod) || std::ranges::any_of(pod.containers, [](const Container& container) {
           return container.resources.opaque;
         });
}

bool is_refused(const Toleration& toleration) {
  static constexpr std::array<std::string_view, 3> operators = {"", "Equal", "Exists"};
  static constexpr std::array<std::string_view, 4> effects = {"", "NoSchedule", "NoExecute",
                                                              "PreferNoSchedule"};
  if (!is_one_of(toleration.op, operators) || !is_one_of(toleration.effect, effects)) return true;
  const bool is_exists = toleration.op.equals("Exists");
  if (is_exists && !toleration.value.value_or("").empty()) return true;
  const bool has_key = !toleration.key.is_absent() && !toleration.key.equals("");
  return (!has_key && !is_exists) || toleration.key.is_mistyped() || toleration.value.is_mistyped();
}

}  // namespace gpulint
