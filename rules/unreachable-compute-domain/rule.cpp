#include "compiler/engine/rule.h"

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/base/text.h"
#include "compiler/ir/read.h"
#include "compiler/model/dra/dra.h"
#include "rules/support/typos.h"

namespace gpulint::rules::unreachable_compute_domain {
namespace {

/// The first missing field on the path to the template's name; empty if none is missing.
[[nodiscard]] std::string_view missing_field(Node spec) {
  const Node channel = spec.get("channel");
  if (!channel) return "channel";
  if (channel.is_opaque()) return {};
  const Node made = channel.get("resourceClaimTemplate");
  if (!made) return "channel.resourceClaimTemplate";
  if (!made.is_opaque() && !made.get("name")) return "channel.resourceClaimTemplate.name";
  return spec.get("numNodes") ? std::string_view() : "numNodes";
}

/// Reports what the API server rejects in a ComputeDomain. Facts: the definition of
/// `computedomains` in NVIDIA/k8s-dra-driver-gpu, resource.nvidia.com/v1beta1.
void check_domain(Reporter& reporter, const ComputeDomain& domain) {
  const Node spec = domain.object.get("spec");
  if (!spec.is_mapping()) return;
  if (const std::string_view missing = missing_field(spec); !missing.empty()) {
    reporter.report_key(spec, "the ComputeDomain has no `{}`", missing)
        .help("add `spec.{}`. Otherwise the API server rejects the object", missing);
  }
  const Field<std::int64_t> nodes = read_int(spec, "numNodes");
  if (nodes.is_mistyped()) {
    reporter.report(nodes.node(), "`numNodes` must be a whole number without quotes")
        .help("write a whole number. Otherwise the API server rejects the object");
  }
  const Field<std::string> mode = read_string(spec.get("channel"), "allocationMode");
  if (!mode.is_known() || mode.value() == "All" || mode.value() == "Single") return;
  reporter.report(mode.node(), "`allocationMode` must be `All` or `Single`, not `{}`", mode.value())
      .help("write `All` or `Single`. Otherwise the API server rejects the object");
}

/// Whether a claim's name shows that it is for a channel.
[[nodiscard]] bool names_a_channel(std::string_view text) {
  static constexpr std::array<std::string_view, 4> words = {"channel", "imex", "compute-domain",
                                                            "computedomain"};
  const std::string lower = to_lower(text);
  return std::ranges::any_of(
      words, [&](std::string_view word) { return lower.find(word) != std::string::npos; });
}

/// The templates of a pod's claims.
[[nodiscard]] std::vector<Field<std::string>> templates_of(const Workload& workload) {
  std::vector<Field<std::string>> names;
  for (const Node entry : workload.pod.node.get("resourceClaims").items()) {
    names.push_back(read_string(entry, "resourceClaimTemplateName"));
  }
  return names;
}

/// ComputeDomains and the names of known templates.
struct Known {
  std::vector<ComputeDomain> domains;
  std::set<std::string, std::less<>> templates;
  bool is_open = false;  ///< Some name is unknown.

  explicit Known(const Corpus& corpus);
  /// A domain whose template no pod uses; null if there is none.
  [[nodiscard]] const ComputeDomain* find_unused(const Corpus& corpus) const;
};

Known::Known(const Corpus& corpus) {
  for (const KubernetesObject& object : corpus.objects) {
    const auto domain = read_compute_domain(object);
    if (object.kind.equals("ResourceClaimTemplate")) {
      const std::string name = object_name(object.node);
      is_open = is_open || name.empty() || name.find('*') != std::string::npos;
      templates.insert(name);
    }
    if (!domain) continue;
    domains.push_back(*domain);
    is_open = is_open || !domain->claim_template.is_known();
    templates.insert(domain->claim_template.value_or(""));
  }
}

const ComputeDomain* Known::find_unused(const Corpus& corpus) const {
  std::set<std::string> used;
  for (const Workload& workload : corpus.workloads) {
    for (const auto& name : templates_of(workload)) used.insert(name.value_or(""));
  }
  const auto found = std::ranges::find_if(domains, [&](const ComputeDomain& domain) {
    return !used.contains(domain.claim_template.value_or(""));
  });
  return found == domains.end() ? nullptr : &*found;
}

/// Reports a pod's claim for a channel whose template no ComputeDomain creates.
void check_claim(Reporter& reporter, const Known& known, const ComputeDomain& unused, Node entry) {
  const Field<std::string> name = read_string(entry, "resourceClaimTemplateName");
  if (!name.is_known() || known.templates.contains(name.value())) return;
  const bool is_channel =
      names_a_channel(name.value()) || names_a_channel(read_string(entry, "name").value_or(""));
  // misspelt-reference reports misspelt names.
  const bool is_slip = std::ranges::any_of(
      known.templates, [&](const std::string& made) { return is_slip_of(name.value(), made); });
  if (!is_channel || is_slip) return;
  reporter
      .report(name.node(), "no ComputeDomain creates the ResourceClaimTemplate `{}`", name.value())
      .severity(Severity::warning)
      .related(unused.claim_template.node(), "no pod uses the template of this ComputeDomain")
      .help(
          "use the template `{}` of the ComputeDomain, or create the ResourceClaimTemplate `{}`. "
          "Otherwise the pod may stay Pending",
          unused.claim_template.value_or(""), name.value());
}

void check(const Corpus& corpus, Reporter& reporter) {
  const Known known(corpus);
  for (const ComputeDomain& domain : known.domains) check_domain(reporter, domain);
  const ComputeDomain* unused = known.is_open ? nullptr : known.find_unused(corpus);
  if (unused == nullptr) return;
  for (const Workload& workload : corpus.workloads) {
    for (const Node entry : workload.pod.node.get("resourceClaims").items()) {
      check_claim(reporter, known, *unused, entry);
    }
  }
}

}  // namespace

extern constinit const Rule rule{.info = {.category = "operators"}, .check = check};

}  // namespace gpulint::rules::unreachable_compute_domain
