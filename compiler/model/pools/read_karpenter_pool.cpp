#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "compiler/base/text.h"
#include "compiler/ir/read.h"
#include "compiler/model/facts/karpenter_catalog.h"
#include "compiler/model/kubernetes_names.h"
#include "compiler/model/objects.h"
#include "compiler/model/pools/karpenter_pool.h"
#include "compiler/model/pools/validate_karpenter_requirement.h"
#include "compiler/model/read_pod.h"

namespace gpulint {
namespace {

constexpr std::string_view nodepool_label = "karpenter.sh/nodepool";
constexpr std::string_view provisioner_label = "karpenter.sh/provisioner-name";

using Flaws = std::set<std::string>;

/// The mapping with the settings of the pool's nodes: in Provisioners the spec itself.
struct Template {
  Node labels;
  Node spec;
  bool is_provisioner = false;
};

[[nodiscard]] Template node_template_of(Node object) {
  const Node spec = object.get("spec");
  if (read_string(object, "kind").equals("Provisioner")) return {spec.get("labels"), spec, true};
  return {spec.at("template", "metadata", "labels"), spec.at("template", "spec"), false};
}

[[nodiscard]] KarpenterProvider provider_of(const Template& pool) {
  if (pool.is_provisioner) return KarpenterProvider::aws;
  const Node reference = pool.spec.get("nodeClassRef");
  const std::string kind = read_string(reference, "kind").value_or("");
  const std::string group = read_string(reference, "group").value_or("");
  if (kind == "EC2NodeClass" || group == "karpenter.k8s.aws") return KarpenterProvider::aws;
  // `v1beta1` requires neither; only Karpenter for AWS knows these labels
  const bool is_open = kind.empty() && group.empty();
  const bool has_aws_label =
      std::ranges::any_of(pool.spec.get("requirements").items(), [](Node requirement) {
        return requirement.get("key").text().starts_with("karpenter.k8s.aws/");
      });
  return is_open && has_aws_label ? KarpenterProvider::aws : KarpenterProvider::other;
}

[[nodiscard]] LabelEntry label(std::string key, std::string value) {
  return {{std::move(key), {}}, Field<std::string>::known(std::move(value))};
}

/// Labels that Karpenter adds to every node of the pool.
void add_own_labels(const Template& source, KarpenterPool& pool) {
  pool.requirements.add(
      label(std::string(source.is_provisioner ? provisioner_label : nodepool_label), pool.name));
  const Node reference = source.spec.get("nodeClassRef");
  const Field<std::string> group = read_string(reference, "group");
  const Field<std::string> kind = read_string(reference, "kind");
  const Field<std::string> name = read_string(reference, "name");
  if (group.is_known() && kind.is_known() && !name.is_opaque()) {
    pool.requirements.add(
        label(fmt::format("{}/{}", group.value(), to_lower(kind.value())), name.value_or("")));
  }
  pool.requirements.add(label("karpenter.sh/registered", "true"));
  pool.requirements.add(label("karpenter.sh/initialized", "true"));
  // every node has its own name, which no pod can know
  pool.requirements.add(label("kubernetes.io/hostname", "hostname-placeholder"));
}

void validate_labels(const std::vector<LabelEntry>& labels, KarpenterProvider provider,
                     Flaws& flaws) {
  for (const LabelEntry& entry : labels) {
    const bool is_bad_value = entry.value.is_known() && !is_label_value(entry.value.value());
    if (entry.key.value == nodepool_label || !is_label_key(entry.key.value) || is_bad_value ||
        is_karpenter_restricted(entry.key.value, provider)) {
      flaws.insert("label:" + entry.key.value);
    }
  }
}

void validate_requirements(const std::vector<SelectorRequirement>& requirements,
                           KarpenterProvider provider, Flaws& flaws) {
  for (const SelectorRequirement& requirement : requirements) {
    const bool is_flawed = karpenter_flaw(requirement, provider) != RequirementFlaw::none ||
                           requirement.key.equals(std::string(nodepool_label));
    if (is_flawed) flaws.insert("requirement:" + requirement.key.value_or(""));
  }
}

void validate_taints(const std::vector<Taint>& taints,
                     std::set<std::pair<std::string, std::string>>& seen, Flaws& flaws) {
  for (const Taint& taint : taints) {
    const std::string key = taint.key.value_or("");
    const std::string value = taint.value.value_or("");
    const std::string effect = taint.effect.value_or("");
    const bool is_effect = effect.empty() || effect == "NoSchedule" || effect == "NoExecute" ||
                           effect == "PreferNoSchedule";
    const bool is_known = !taint.key.is_opaque() && !taint.effect.is_opaque();
    const bool is_repeated = is_known && !seen.emplace(key, effect).second;
    const bool is_key = taint.key.is_opaque() || is_label_key(key);
    if (!is_key || !(value.empty() || is_label_key(value)) || !is_effect || is_repeated) {
      flaws.insert("taint:" + key);
    }
  }
}

[[nodiscard]] bool is_in_domain(std::string_view domain, std::string_view restricted) {
  return domain == restricted ||
         (domain.ends_with(restricted) &&
          domain.substr(0, domain.size() - restricted.size()).ends_with('.'));
}

}  // namespace

bool is_karpenter_well_known(std::string_view label, KarpenterProvider provider) {
  return is_listed(provider == KarpenterProvider::aws ? karpenter_aws_well_known_labels()
                                                      : karpenter_core_well_known_labels(),
                   label);
}

bool is_karpenter_restricted(std::string_view label, KarpenterProvider provider) {
  if (is_karpenter_well_known(label, provider)) return false;
  const std::size_t slash = label.find('/');
  const std::string_view domain =
      slash == std::string_view::npos ? std::string_view{} : label.substr(0, slash);
  const auto domains = provider == KarpenterProvider::aws ? karpenter_aws_restricted_domains()
                                                          : karpenter_core_restricted_domains();
  return std::ranges::any_of(
             domains,
             [&](std::string_view restricted) { return is_in_domain(domain, restricted); }) ||
         is_listed(karpenter_restricted_labels(), label);
}

bool KarpenterPool::is_provisioner() const {
  return read_string(object, "kind").equals("Provisioner");
}

KarpenterRequirements requirements_without(const KarpenterPool& pool,
                                           const SelectorRequirement& left_out) {
  KarpenterRequirements requirements;
  for (const SelectorRequirement& requirement : pool.stated) {
    if (&requirement != &left_out) requirements.add(requirement);
  }
  for (const LabelEntry& label : read_string_map(pool.labels)) requirements.add(label);
  return requirements;
}

KarpenterPool read_karpenter_pool(Node object) {
  return read_karpenter_pool(object, provider_of(node_template_of(object)));
}

KarpenterPool read_karpenter_pool(Node object, KarpenterProvider provider) {
  const Template source = node_template_of(object);
  KarpenterPool pool{.object = object,
                     .provider = provider,
                     .name = object_name(object),
                     .requirements = {},
                     .stated = read_selector_requirements(source.spec.get("requirements")),
                     .labels = source.labels,
                     .taints_node = source.spec.get("taints"),
                     .taints = read_taints(source.spec.get("taints")),
                     .invalid = {},
                     .knows_machines = false,
                     .machines = {},
                     .may_share_devices = false};
  const std::vector<LabelEntry> labels = read_string_map(source.labels);
  for (const SelectorRequirement& requirement : pool.stated) pool.requirements.add(requirement);
  for (const LabelEntry& entry : labels) pool.requirements.add(entry);
  add_own_labels(source, pool);
  Flaws flaws;
  std::set<std::pair<std::string, std::string>> seen;
  validate_labels(labels, provider, flaws);
  validate_requirements(pool.stated, provider, flaws);
  validate_taints(pool.taints, seen, flaws);
  validate_taints(read_taints(source.spec.get("startupTaints")), seen, flaws);
  pool.invalid.assign(flaws.begin(), flaws.end());
  return pool;
}

}  // namespace gpulint
