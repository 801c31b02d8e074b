#include "compiler/model/facts/provider_catalog.h"

#include <algorithm>

#include "compiler/base/text.h"
#include "compiler/model/facts/product_label.h"

namespace gpulint {
namespace {

#include "tables/providers.inc"

/// The table's labels for look-ups: by key, and those whose key is a pattern.
struct KeyIndex {
  std::vector<const ProviderLabel*> by_key;
  std::vector<const ProviderLabel*> patterns;
};

[[nodiscard]] const KeyIndex& key_index() {
  static const KeyIndex index = [] {
    KeyIndex made;
    for (const ProviderLabel& label : label_table) {
      (label.key.ends_with('*') ? made.patterns : made.by_key).push_back(&label);
    }
    std::ranges::stable_sort(made.by_key, {}, &ProviderLabel::key);
    return made;
  }();
  return index;
}

/// Providers whose labels exist only in their own clusters.
[[nodiscard]] bool is_cloud(std::string_view provider) {
  constexpr std::string_view clouds[] = {"aks", "eks",           "eks-auto-mode",
                                         "gke", "karpenter-aws", "oke"};
  return std::ranges::find(clouds, provider) != std::end(clouds);
}

[[nodiscard]] bool is_aws(std::string_view provider) {
  return provider == "eks" || provider == "eks-auto-mode" || provider == "karpenter-aws";
}

[[nodiscard]] bool share_nodes(std::string_view a, std::string_view b) {
  return a == b || (is_aws(a) && is_aws(b));
}

}  // namespace

std::span<const ProviderLabel> provider_labels() { return label_table; }
std::span<const ProviderTaint> provider_taints() { return taint_table; }

const ProviderFacts* find_provider(std::string_view name) {
  const auto* found = std::ranges::find(provider_table, name, &ProviderFacts::name);
  return found == std::end(provider_table) ? nullptr : found;
}

std::string_view provider_name(Provider provider) {
  switch (provider) {
    case Provider::unknown:
      return "";
    case Provider::gke:
      return "gke";
    case Provider::eks:
      return "eks";
    case Provider::aks:
      return "aks";
    case Provider::generic:
      return "generic";
  }
  return "";
}

std::vector<const ProviderLabel*> labels_with_key(std::string_view key) {
  const KeyIndex& index = key_index();
  const auto same = std::ranges::equal_range(index.by_key, key, {}, &ProviderLabel::key);
  std::vector<const ProviderLabel*> result(same.begin(), same.end());
  for (const ProviderLabel* label : index.patterns) {
    if (matches_pattern(label->key, key)) result.push_back(label);
  }
  std::ranges::sort(result);  // as the table has them
  return result;
}

bool can_carry(std::string_view provider, std::string_view key) {
  const std::vector<const ProviderLabel*> setters = labels_with_key(key);
  const auto is_possible = [&](const ProviderLabel* label) {
    return !is_cloud(label->provider) || label->set_by == "user" ||
           share_nodes(label->provider, provider);
  };
  return setters.empty() || std::ranges::any_of(setters, is_possible);
}

std::vector<const ProviderLabel*> labels_with_role(std::string_view provider,
                                                   std::string_view role) {
  std::vector<const ProviderLabel*> result;
  for (const ProviderLabel& label : label_table) {
    if (label.provider == provider && label.role == role) result.push_back(&label);
  }
  std::stable_partition(result.begin(), result.end(),
                        [](const ProviderLabel* label) { return label->remark.empty(); });
  return result;
}

std::optional<DeviceVocabulary> vocabulary_of_label(std::string_view key) {
  if (key == "cloud.google.com/gke-accelerator") return DeviceVocabulary::gke;
  if (key == product_label) return DeviceVocabulary::gfd;
  if (key == "karpenter.k8s.aws/instance-gpu-name" ||
      key == "eks.amazonaws.com/instance-gpu-name") {
    return DeviceVocabulary::karpenter;
  }
  return std::nullopt;
}

std::vector<std::string_view> device_values_of_label(std::string_view key) {
  std::vector<std::string_view> result;
  if (key == "cloud.google.com/gke-tpu-accelerator") {
    const auto values = tpu_device_values();
    return {values.begin(), values.end()};
  }
  // the products of GPU feature discovery depend on the driver: its list stays open
  const auto vocabulary = vocabulary_of_label(key);
  if (vocabulary && *vocabulary != DeviceVocabulary::gfd) {
    for (const DeviceName& device : device_names()) {
      const bool is_new = result.empty() || result.back() != device.value;
      if (device.vocabulary == *vocabulary && is_new) result.push_back(device.value);
    }
    return result;
  }
  for (const ProviderLabel* label : labels_with_key(key)) {
    if (label->role != "device" || label->values.empty()) return {};
    result.insert(result.end(), label->values.begin(), label->values.end());
  }
  return result;
}

bool has_role(std::string_view key, std::string_view role) {
  return std::ranges::any_of(labels_with_key(key),
                             [&](const ProviderLabel* label) { return label->role == role; });
}

}  // namespace gpulint
