#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "compiler/api_validation/validate_resources.h"
#include "compiler/api_validation/validate_scheduling.h"
#include "compiler/ir/read.h"
#include "compiler/model/kubernetes_names.h"

namespace gpulint {
namespace {

using Names = std::set<std::string, std::less<>>;

/// Names of the pod's claims; `is_open` where one is filled in later.
struct ClaimNames {
  Names names;
  bool is_open = false;
};

[[nodiscard]] ClaimNames read_pod_claims(Node pod_spec) {
  ClaimNames claims;
  const Node list = pod_spec.get("resourceClaims");
  claims.is_open = list.is_scalar() && list.is_opaque();
  for (const Node item : list.items()) {
    const auto name = certain_text(read_string(item, "name"));
    claims.is_open = claims.is_open || !name || (item.is_scalar() && item.is_opaque());
    if (name && !name->empty()) claims.names.emplace(*name);
  }
  return claims;
}

[[nodiscard]] std::string not_found_text(std::string_view name, const Names& names) {
  const std::string known =
      names.empty() ? " which is empty" : fmt::format(": {}", fmt::join(names, ", "));
  return fmt::format("Not found: {}: must be one of the names in pod.spec.resourceClaims{}",
                     go_quote(name), known);
}

/// Exactly one of the two ways to name a claim.
void validate_source(Node claim, const std::string& path, ApiReport& report) {
  const Node by_name = claim.get("resourceClaimName");
  const Node by_template = claim.get("resourceClaimTemplateName");
  const bool has_name = by_name && !by_name.is_null();
  const bool has_template = by_template && !by_template.is_null();
  if (has_name != has_template) return;
  report.invalid_raw(ApiIssue::resource_claim, claim, path, "{…}",
                     has_name ? "at most one of `resourceClaimName` or `resourceClaimTemplateName` "
                                "may be specified"
                              : "must specify one of: `resourceClaimName`, "
                                "`resourceClaimTemplateName`");
}

}  // namespace

void validate_pod_claims(Node pod_spec, const std::string& path, ApiReport& report) {
  Names seen;
  std::size_t index = 0;
  for (const Node claim : pod_spec.get("resourceClaims").items()) {
    const std::string item = fmt::format("{}.resourceClaims[{}]", path, index++);
    if (claim.is_scalar() && claim.is_opaque()) continue;
    const Field<std::string> field = read_string(claim, "name");
    const auto name = certain_text(field);
    if (name && name->empty()) {
      report.required(ApiIssue::resource_claim, claim, item + ".name");
    } else if (name && !seen.emplace(*name).second) {
      report.duplicate(ApiIssue::resource_claim, field.node(), item + ".name", *name);
    } else if (name) {
      for (const std::string& problem : dns_label_problems(*name)) {
        report.invalid(ApiIssue::resource_claim, field.node(), item + ".name", *name, problem);
      }
    }
    validate_source(claim, item, report);
  }
}

void validate_claims(Node resources, Node pod_spec, const std::string& path, ApiReport& report) {
  const Node list = resources.get("claims");
  if (list.size() == 0) return;
  const ClaimNames claims = read_pod_claims(pod_spec);
  Names seen;
  std::size_t index = 0;
  for (const Node claim : list.items()) {
    const std::string item = fmt::format("{}.claims[{}]", path, index++);
    const auto name = certain_text(read_string(claim, "name"));
    const auto request = certain_text(read_string(claim, "request"));
    if (!name || !request) continue;
    if (name->empty()) {
      report.required(ApiIssue::resource_claim, claim, item);
      continue;
    }
    const std::string key =
        request->empty() ? std::string(*name) : fmt::format("{}/{}", *name, *request);
    if (seen.contains(*name) || !seen.insert(key).second) {
      report.duplicate(ApiIssue::resource_claim, claim, item, key);
    }
    if (claims.is_open || claims.names.contains(*name)) continue;
    report.add(ApiIssue::resource_claim, ApiErrorType::not_found, claim, item,
               not_found_text(*name, claims.names));
  }
}

}  // namespace gpulint
