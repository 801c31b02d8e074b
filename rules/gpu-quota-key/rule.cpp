#include "compiler/engine/rule.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/edit/edits.h"
#include "compiler/model/facts/gpu_resource.h"
#include "compiler/model/kubernetes_names.h"
#include "compiler/model/quantity.h"

namespace gpulint::rules::gpu_quota_key {
namespace {

constexpr std::string_view enforced_prefix = "requests.";

/// The accelerator of a quota item that is not enforced: `nvidia.com/gpu` for itself and for
/// `limits.nvidia.com/gpu`.
[[nodiscard]] std::optional<std::string_view> unenforced_resource(std::string_view item) {
  if (item.starts_with("limits.")) item.remove_prefix(7);
  if (item.starts_with(enforced_prefix) || !is_extended_resource(item)) return std::nullopt;
  const GpuResource::Kind kind = classify_resource(item).kind;
  const bool is_device = kind == GpuResource::Kind::device || kind == GpuResource::Kind::mig ||
                         kind == GpuResource::Kind::unknown_mig;
  return is_device ? std::optional(item) : std::nullopt;
}

/// Whether the amount is 0, which is meant to forbid GPUs.
[[nodiscard]] bool is_prohibition(Node amount) {
  const auto quantity = amount.is_scalar() ? Quantity::parse(amount.text()) : std::nullopt;
  return quantity && quantity->is_zero();
}

/// `present`: the item that is enforced, or will be after another one is renamed; may be null.
void report_unenforced(const Corpus& corpus, Reporter& reporter, Node key,
                       const std::string& enforced, Node present) {
  Finding finding =
      reporter.report(key, "quota item `{}` limits nothing, because Kubernetes enforces only `{}`",
                      key.text(), enforced);
  if (present) {
    finding.related(present, "this item is for the same resource");
    if (is_prohibition(key.value())) {
      finding.help("remove `{}` if `{}` already forbids GPUs", key.text(), enforced);
      return;
    }
    finding.fix(Safety::safe, fmt::format("remove `{}`", key.text()),
                remove_entry(*corpus.sources, key.value()));
  } else {
    // It limits nothing today: after the fix the quota may reject pods.
    finding.fix(Safety::unsafe, fmt::format("rename to `{}`", enforced),
                replace_string(*corpus.sources, key, enforced));
  }
}

/// `gpu` and similar: the API server rejects the whole quota.
void report_unqualified(const Corpus& corpus, Reporter& reporter, Node key) {
  reporter
      .report(key, "the API server rejects the quota, because `{}` is not a valid resource name",
              key.text())
      .fix(Safety::unsafe, "rename to `requests.nvidia.com/gpu`",
           replace_string(*corpus.sources, key, "requests.nvidia.com/gpu"));
}

void check_quota(const Corpus& corpus, Reporter& reporter, Node hard) {
  static constexpr std::array<std::string_view, 6> unqualified{
      "gpu", "gpus", "requests.gpu", "limits.gpu", "requests.gpus", "limits.gpus"};
  const std::vector<Node::Entry> items = hard.fields();
  std::map<std::string, Node> enforced_items;  // keys that count or will once renamed, by name
  for (const Node::Entry& item : items) {
    if (item.key.text().starts_with(enforced_prefix))
      enforced_items.emplace(item.key.text(), item.key);
  }
  for (const Node::Entry& item : items) {
    const Node key = item.key;
    if (key.is_opaque()) continue;
    if (const auto resource = unenforced_resource(key.text())) {
      const std::string enforced = std::string(enforced_prefix) + std::string(*resource);
      const auto [first, is_new] = enforced_items.try_emplace(enforced, key);
      report_unenforced(corpus, reporter, key, enforced, is_new ? Node{} : first->second);
    } else if (std::ranges::find(unqualified, key.text()) != unqualified.end()) {
      report_unqualified(corpus, reporter, key);
    }
  }
}

/// Other kinds that create quotas of namespaces: Kubeflow's profiles, OpenShift (openshift/api
/// quota/v1, ClusterResourceQuotaSpec), kiosk (loft-sh/kiosk, AccountQuotaSpec).
struct QuotaHome {
  std::string_view kind;
  std::string_view part;  ///< The field of the spec with `hard`.
};
constexpr auto quota_homes = std::to_array<QuotaHome>({{"Profile", "resourceQuotaSpec"},
                                                       {"ClusterResourceQuota", "quota"},
                                                       {"AccountQuota", "quota"}});

void check(const Corpus& corpus, Reporter& reporter) {
  for (const KubernetesObject& object : corpus.objects) {
    if (object.kind.equals("ResourceQuota")) {
      check_quota(corpus, reporter, object.node.at("spec", "hard"));
    }
    for (const QuotaHome& home : quota_homes) {
      if (object.kind.equals(home.kind)) {
        check_quota(corpus, reporter, object.node.at("spec", home.part, "hard"));
      }
    }
    // Capsule, api/v1beta2: a list of ResourceQuotaSpecs.
    if (object.kind.equals("Tenant") && object.api_version.value_or("").starts_with("capsule.")) {
      for (const Node item : object.node.at("spec", "resourceQuotas", "items").items()) {
        check_quota(corpus, reporter, item.get("hard"));
      }
    }
  }
}

}  // namespace

extern constinit const Rule rule{.info = {.category = "resources", .fix = FixAvailability::safe},
                                 .check = check};

}  // namespace gpulint::rules::gpu_quota_key
