#include "rules/support/flyte_labels.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "compiler/base/text.h"
#include "compiler/model/facts/accelerator_catalog.h"
#include "compiler/model/facts/mig_profile.h"
#include "compiler/model/facts/product_label.h"
#include "compiler/model/facts/provider_catalog.h"
#include "compiler/schedule/mark_unknowns.h"
#include "compiler/schedule/pool_accelerators.h"
#include "rules/support/placement_causes.h"

namespace gpulint::rules {
namespace {

constexpr std::string_view gke_label = "cloud.google.com/gke-accelerator";

/// The label value that GPU Feature Discovery makes of a product name: it drops characters other
/// than letters, digits and `-_.`, and runs of blanks become `-` (k8s-device-plugin 1b826acc,
/// internal/lm/resource.go).
[[nodiscard]] std::string discovery_value(std::string_view gpu_name) {
  std::string value;
  for (const char c : trim(gpu_name)) {
    const bool kept = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                      c == '-' || c == '_' || c == '.';
    if (kept) value.push_back(c);
    if (c == ' ' && !value.ends_with('-')) value.push_back('-');
  }
  return value;
}

/// Whether a declared task requires the label.
[[nodiscard]] bool is_demanded(const flyte::Installation& installation, FlyteLabel label) {
  return std::ranges::any_of(installation.tasks, [&](const flyte::Task& task) {
    if (task.assumed || !task.accelerator) return false;
    return label == FlyteLabel::device || task.accelerator->partition_size.has_value();
  });
}

[[nodiscard]] std::vector<const NodePool*> gpu_pools(const Corpus& corpus) {
  std::vector<const NodePool*> pools;
  for (const NodePool& pool : corpus.cluster.pools) {
    if (has_accelerators(pool) == Ternary::yes) pools.push_back(&pool);
  }
  return pools;
}

[[nodiscard]] bool has_role(std::string_view key, std::string_view role) {
  return std::ranges::any_of(labels_with_key(key), [&](const ProviderLabel* label) {
    return label->role == role && label->remark.empty();
  });
}

/// Values that Flyte sends for some accelerator.
[[nodiscard]] bool is_flyte_device(std::string_view value) {
  return std::ranges::any_of(find_device(value), [](const DeviceName* device) {
    return device->vocabulary == DeviceVocabulary::flyte;
  });
}

/// How likely a node's label is the right one; 0 is not at all.
[[nodiscard]] int likelihood(const PoolLabel& label, FlyteLabel wanted) {
  if (label.values.empty()) return 0;
  const std::string& value = label.values.front();
  if (wanted == FlyteLabel::partition) {
    if (has_role(label.key, "partition")) return 3;
    return parse_mig_profile(value).has_value() ? 2 : 0;
  }
  const bool is_known = has_role(label.key, "device");
  if (is_flyte_device(value)) return is_known ? 3 : 2;
  return is_known ? 1 : 0;
}

struct Candidate {
  const PoolLabel* label = nullptr;
  const NodePool* pool = nullptr;
  int likelihood = 0;
};

[[nodiscard]] Candidate best_label(const std::vector<const NodePool*>& pools, FlyteLabel wanted) {
  Candidate best;
  for (const NodePool* pool : pools) {
    for (const PoolLabel& label : pool->labels) {
      const int likely = likelihood(label, wanted);
      if (likely > best.likelihood) best = {&label, pool, likely};
    }
  }
  return best;
}

/// What the label shows, for messages.
[[nodiscard]] std::string_view shown_by(FlyteLabel label) {
  return label == FlyteLabel::device ? "GPU model" : "partition size";
}

/// Compares with the known GPU nodes; a partition label only if some node is partitioned.
[[nodiscard]] bool misses_nodes(const Corpus& corpus, const std::vector<const NodePool*>& pools,
                                FlyteLabel label, LabelMismatch& mismatch) {
  const bool is_missing = std::ranges::all_of(pools, [&](const NodePool* pool) {
    return carries_label(*pool, corpus.cluster.provider, mismatch.key) == Ternary::no;
  });
  if (pools.empty() || !is_missing) return false;
  const Candidate best = best_label(pools, label);
  if (best.label == nullptr && label == FlyteLabel::partition) return false;
  const NodePool& shown = best.pool == nullptr ? *pools.front() : *best.pool;
  mismatch.evidence =
      best.label != nullptr && best.label->node ? best.label->node : name_node(shown);
  mismatch.evidence_text =
      best.label != nullptr
          ? fmt::format("{} shows its {} with this label", describe(shown), shown_by(label))
          : fmt::format("{} does not have the label `{}`", describe(shown), mismatch.key);
  mismatch.claim = "no GPU node has this label";
  if (best.label != nullptr) mismatch.suggestion = best.label->key;
  mismatch.reason = fmt::format("your nodes have the label `{}` instead", mismatch.suggestion);
  return true;
}

[[nodiscard]] bool is_other_clouds(std::string_view provider, std::string_view key) {
  const std::vector<const ProviderLabel*> setters = labels_with_key(key);
  return !setters.empty() && std::ranges::none_of(setters, [&](const ProviderLabel* label) {
    const bool is_neutral = label->provider == "amd" || label->provider == "intel" ||
                            label->provider == "generic" ||
                            label->provider == "nvidia-gfd-operator";
    return is_neutral || label->provider == provider ||
           (provider == "eks" &&
            (label->provider == "eks-auto-mode" || label->provider == "karpenter-aws"));
  });
}

/// Compares with the labels that the provider's nodes can have.
[[nodiscard]] bool misses_provider(const Corpus& corpus, FlyteLabel label,
                                   LabelMismatch& mismatch) {
  const std::string_view provider = provider_name(corpus.cluster.provider);
  if (provider.empty() || provider == "generic") return false;
  if (!is_other_clouds(provider, mismatch.key)) return false;
  mismatch.is_certain = !can_carry(provider, mismatch.key);
  mismatch.claim = fmt::format(
      "{} nodes {}", to_upper(provider),
      mismatch.is_certain ? "do not have this label" : "have this label only if you set it");
  mismatch.evidence = corpus.cluster.provider_node;
  mismatch.evidence_text =
      fmt::format("this line shows that the cluster runs on {}", to_upper(provider));
  const auto own = labels_with_role(provider, role_of(label));
  if (!own.empty()) mismatch.suggestion = own.front()->key;
  mismatch.reason = fmt::format("the usual label for the {} on {} is `{}`", shown_by(label),
                                to_upper(provider), mismatch.suggestion);
  return true;
}

/// Where Flyte's default applies: a null of a later layer, or the section without the setting.
[[nodiscard]] Node place_of_default(const flyte::Installation& installation, FlyteLabel label) {
  const flyte::LoadedRelease& loaded = installation.loaded;
  const Node deletion =
      loaded.propeller.find_decisive(fmt::format("plugins.k8s.{}", setting_name(label)));
  if (deletion) return deletion;
  const Node section = loaded.propeller.find_setting("plugins.k8s");
  if (section || loaded.documents.empty()) return section;
  return root(*loaded.documents.front());
}

}  // namespace

std::string_view device_label(const Corpus& corpus) {
  const Provider declared = corpus.settings->provider;
  const Provider provider = declared == Provider::unknown ? corpus.cluster.provider : declared;
  return provider == Provider::gke ? gke_label : product_label;
}

std::optional<std::string> device_label_value(std::string_view label, std::string_view gpu_name) {
  std::string value = discovery_value(gpu_name);
  if (label == product_label) return value;
  const std::vector<std::string_view> known = device_values_of_label(label);
  value = "nvidia-" + to_lower(value);
  if (std::ranges::find(known, value) == known.end()) return std::nullopt;
  return value;
}

std::optional<std::string> modern_requirement_text(Node scalar, std::string_view label) {
  if (scalar.key().text() == "key" && scalar.text() == alpha_device_label) {
    return std::string(label);
  }
  const Node values = scalar.parent();
  if (values.key().text() != "values" || values.parent().get("key").text() != alpha_device_label) {
    return std::nullopt;
  }
  return device_label_value(label, scalar.text()).value_or(discovery_value(scalar.text()));
}

std::string_view setting_name(FlyteLabel label) {
  return label == FlyteLabel::device ? "gpu-device-node-label" : "gpu-partition-size-node-label";
}

std::string_view role_of(FlyteLabel label) {
  return label == FlyteLabel::device ? "device" : "partition";
}

const Field<std::string>& label_key(const flyte::Installation& installation, FlyteLabel label) {
  const flyte::K8sPluginConfig& config = installation.loaded.propeller.k8s;
  return label == FlyteLabel::device ? config.gpu_device_node_label
                                     : config.gpu_partition_size_node_label;
}

std::optional<LabelMismatch> find_mismatch(const Corpus& corpus,
                                           const flyte::Installation& installation,
                                           FlyteLabel label) {
  const Field<std::string>& key = label_key(installation, label);
  if (!installation.loaded.has_propeller || !key.is_known() || key.value().empty()) {
    return std::nullopt;
  }
  LabelMismatch mismatch;
  mismatch.key = key.value();
  mismatch.is_default = !key.node();
  mismatch.place = mismatch.is_default ? place_of_default(installation, label) : key.node();
  if (!mismatch.place) return std::nullopt;
  if (mismatch.is_default && !is_demanded(installation, label)) return std::nullopt;
  const std::vector<const NodePool*> pools = gpu_pools(corpus);
  const bool is_known_to_be_carried = std::ranges::any_of(pools, [&](const NodePool* pool) {
    return carries_label(*pool, corpus.cluster.provider, mismatch.key) == Ternary::yes;
  });
  if (is_known_to_be_carried) return std::nullopt;
  const bool is_found =
      misses_nodes(corpus, pools, label, mismatch) || misses_provider(corpus, label, mismatch);
  return is_found ? std::optional(std::move(mismatch)) : std::nullopt;
}

bool is_matter_of_flyte_labels(const Corpus& corpus, const Cause& cause) {
  const auto* const unmatched = std::get_if<UnmatchedRequirement>(&cause.what);
  if (unmatched == nullptr || cause.workloads.front()->origin != Workload::Origin::compiled) {
    return false;
  }
  for (const flyte::Installation& installation : corpus.flyte->installations) {
    for (const FlyteLabel label : {FlyteLabel::device, FlyteLabel::partition}) {
      if (!label_key(installation, label).equals(unmatched->key)) continue;
      if (find_mismatch(corpus, installation, label)) return true;
      if (label == FlyteLabel::device && unmatched->half == UnmatchedRequirement::Half::value) {
        return true;
      }
    }
  }
  return false;
}

}  // namespace gpulint::rules
