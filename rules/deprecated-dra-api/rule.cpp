#include "compiler/engine/rule.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compiler/edit/edits.h"
#include "compiler/model/facts/deprecation_catalog.h"
#include "compiler/model/pools/pool_facts.h"

namespace gpulint::rules::deprecated_dra_api {
namespace {

constexpr std::string_view group_prefix = "resource.k8s.io/";
constexpr std::string_view current = "resource.k8s.io/v1";
constexpr std::string_view betas = "resource.k8s.io/v1beta";
/// The first Kubernetes with `resource.k8s.io/v1`; older clusters need another version.
constexpr int minor_of_current = 34;

/// Puts the fields of a v1beta1 request below `exactly`, where v1 has them (k8s.io/api 0.36.3,
/// resource/v1 types). nullopt if the request does not begin with its `name`.
[[nodiscard]] std::optional<std::vector<Edit>> nest_request(const SourceSet& sources,
                                                            Node request) {
  if (request.get("exactly") || request.get("firstAvailable")) return std::vector<Edit>{};
  const std::vector<Node::Entry> entries = request.entries();
  if (entries.size() < 2 || entries.front().key.text() != "name") return std::nullopt;
  std::vector<Edit> edits = nest_from(sources, entries[1].value, "exactly");
  return edits.empty() ? std::nullopt : std::optional(std::move(edits));
}

[[nodiscard]] std::vector<Edit> modernise(const SourceSet& sources,
                                          const KubernetesObject& object) {
  std::vector<Edit> edits = replace_string(sources, object.api_version.node(), current);
  const std::string& version = object.api_version.value();
  const std::string& kind = object.kind.value();
  if (version.ends_with("/v1beta2")) return edits;
  if (!version.ends_with("/v1beta1") && !version.ends_with("/v1alpha3")) return {};
  if (kind == "DeviceClass")
    return object.node.at("spec", "suitableNodes") ? std::vector<Edit>{} : edits;
  Node spec = object.node.get("spec");
  if (kind == "ResourceClaimTemplate") spec = spec.get("spec");
  if ((kind != "ResourceClaim" && kind != "ResourceClaimTemplate") || edits.empty()) return {};
  for (const Node request : spec.at("devices", "requests").items()) {
    const auto nested = nest_request(sources, request);
    if (!nested) return {};
    std::ranges::copy(*nested, std::back_inserter(edits));
  }
  return edits;
}

/// `deprecated since Kubernetes 1.35`, `not served since …`; empty if the version is current.
[[nodiscard]] std::string describe_age(const Corpus& corpus, std::string_view version,
                                       std::string_view kind) {
  const std::string& declared = corpus.settings->kubernetes_version;
  const Deprecation* fact = find_deprecated_api(version, kind);
  if (version.ends_with("/v1alpha3") && fact == nullptr) return "no longer served by Kubernetes";
  if (version.ends_with("/v1alpha2") || version.ends_with("/v1alpha1")) {
    return "part of classic DRA, which Kubernetes 1.32 removed";
  }
  if (fact == nullptr) return {};
  if (is_removed(*fact, declared))
    return fmt::format("not served since Kubernetes {}", fact->removed_in);
  return fmt::format("deprecated since Kubernetes {}", fact->deprecated_in);
}

void check_object(const Corpus& corpus, Reporter& reporter, const KubernetesObject& object) {
  if (!object.api_version.is_known() || !object.kind.is_known()) return;
  const std::string& version = object.api_version.value();
  if (!version.starts_with(group_prefix) || version == current) return;
  const std::string age = describe_age(corpus, version, object.kind.value());
  if (age.empty()) return;
  const bool is_classic = version.ends_with("/v1alpha2") || version.ends_with("/v1alpha1");
  const std::string help =
      is_classic
          ? fmt::format(
                "rewrite the object for `{0}`, which has other kinds and fields. Kubernetes 1.{1} "
                "and later have `{0}`",
                current, minor_of_current)
          : fmt::format("use `{}`, which is available since Kubernetes 1.{}", current,
                        minor_of_current);
  std::vector<Edit> edits = modernise(*corpus.sources, object);
  const std::string title =
      fmt::format("write `{}`{}", current,
                  edits.size() > 1 ? ", and move the fields of each request to `exactly`" : "");
  reporter.report(object.api_version.node(), "`{}` {} is {}", version, object.kind.value(), age)
      .help("{}", help)
      .fix(Safety::unsafe, title, std::move(edits));
}

/// Since Kubernetes 1.31 the name of a claim is in its entry of the pod, not below `source`
/// (k8s.io/api 0.31.0, core/v1 PodResourceClaim). The API server drops the unknown `source`.
void check_claim_source(Reporter& reporter, Node claim) {
  const Node source = claim.get("source");
  if (!source.is_mapping() || source.size() == 0) return;
  if (claim.get("resourceClaimName") || claim.get("resourceClaimTemplateName")) return;
  reporter
      .report_key(source,
                  "Kubernetes 1.31 removed the field `source` from a pod's `resourceClaims`")
      .help(
          "move `{}` from `source` to the same level as `name`. Otherwise the API server drops "
          "`source` and rejects the pod",
          (*source.entries().begin()).key.text());
}

void check(const Corpus& corpus, Reporter& reporter) {
  const auto minor = kubernetes_minor(corpus.settings->kubernetes_version);
  if (minor && *minor < minor_of_current) return;
  const auto kubelets = newest_kubelet_minor(corpus.cluster);
  const bool is_older = !minor && kubelets && *kubelets < minor_of_current;
  for (const KubernetesObject& object : corpus.objects) {
    const bool has_no_choice = is_older && object.api_version.value_or("").starts_with(betas);
    if (!has_no_choice) check_object(corpus, reporter, object);
  }
  for (const Workload& workload : corpus.workloads) {
    for (const Node claim : workload.pod.node.get("resourceClaims").items()) {
      check_claim_source(reporter, claim);
    }
  }
}

}  // namespace

extern constinit const Rule rule{.info = {.category = "deprecated",
                                          .severity = Severity::warning,
                                          .fix = FixAvailability::unsafe},
                                 .check = check};

}  // namespace gpulint::rules::deprecated_dra_api
