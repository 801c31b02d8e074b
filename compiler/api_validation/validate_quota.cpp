#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "compiler/api_validation/validate_metadata.h"
#include "compiler/api_validation/validate_resources.h"
#include "compiler/api_validation/validate_scheduling.h"
#include "compiler/api_validation/validate_workload.h"
#include "compiler/base/text.h"
#include "compiler/ir/read.h"
#include "compiler/model/read_pod.h"

namespace gpulint {
namespace {

constexpr std::array<std::string_view, 7> scopes{
    "BestEffort",  "CrossNamespacePodAffinity", "NotBestEffort", "NotTerminating", "PriorityClass",
    "Terminating", "VolumeAttributesClass"};
constexpr std::array<std::string_view, 5> presence_scopes{
    "BestEffort", "CrossNamespacePodAffinity", "NotBestEffort", "NotTerminating", "Terminating"};
constexpr std::array<std::string_view, 7> pod_quotas{
    "cpu", "limits.cpu", "limits.memory", "memory", "pods", "requests.cpu", "requests.memory"};
constexpr std::array<std::string_view, 2> volume_quotas{"persistentvolumeclaims",
                                                        "requests.storage"};
constexpr std::string_view presence_complaint =
    "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, "
    "ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, "
    "ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity";

/// Whether a scope can count an item; only standard items are asked about.
[[nodiscard]] bool suits(std::string_view scope, std::string_view item) {
  if (scope == "BestEffort") return item == "pods";
  if (scope == "VolumeAttributesClass") return is_listed(volume_quotas, item);
  if (!is_listed(scopes, scope)) return true;
  return is_listed(pod_quotas, item);
}

[[nodiscard]] bool suits_all(std::string_view scope, const std::vector<ResourceEntry>& hard) {
  return std::ranges::all_of(hard, [&](const ResourceEntry& entry) {
    return !is_standard_quota_resource(entry.name.value) || suits(scope, entry.name.value);
  });
}

[[nodiscard]] bool conflict(const std::set<std::string, std::less<>>& seen) {
  return (seen.contains("BestEffort") && seen.contains("NotBestEffort")) ||
         (seen.contains("Terminating") && seen.contains("NotTerminating"));
}

[[nodiscard]] std::string list_json(const std::vector<std::string>& items) {
  std::vector<std::string> quoted;
  for (const std::string& item : items) quoted.push_back(go_quote(item));
  return fmt::format("[{}]", fmt::join(quoted, ","));
}

void validate_scopes(Node spec, const std::vector<ResourceEntry>& hard, ApiReport& report) {
  std::set<std::string, std::less<>> seen;
  std::vector<std::string> all;
  for (const Node item : spec.get("scopes").items()) all.push_back(read_string(item).value_or(""));
  const std::string shown = list_json(all);
  for (const Node item : spec.get("scopes").items()) {
    const auto scope = certain_text(read_string(item));
    if (!scope) return;
    seen.emplace(*scope);
    if (!is_listed(scopes, *scope)) {
      report.invalid_raw(ApiIssue::quota_scope, item, "spec.scopes", shown, "unsupported scope");
    }
    if (!suits_all(*scope, hard)) {
      report.invalid_raw(ApiIssue::quota_scope, item, "spec.scopes", shown,
                         "unsupported scope applied to resource");
    }
  }
  if (!conflict(seen)) return;
  report.invalid_raw(ApiIssue::quota_scope, spec.get("scopes"), "spec.scopes", shown,
                     "conflicting scopes");
}

void validate_scope_values(Node requirement, std::string_view op, ApiReport& report) {
  const std::string path = "spec.scopeSelector.matchExpressions";
  const Node values = requirement.get("values");
  if (op == "In" || op == "NotIn") {
    if (values.size() > 0) return;
    report.required(ApiIssue::quota_scope, requirement, path + ".values",
                    "must be at least one value when `operator` is 'In' or 'NotIn' for scope "
                    "selector");
  } else if (op == "Exists" || op == "DoesNotExist") {
    if (values.size() == 0) return;
    std::vector<std::string> texts;
    for (const Node value : values.items()) texts.push_back(read_string(value).value_or(""));
    report.invalid_raw(ApiIssue::quota_scope, values, path + ".values", list_json(texts),
                       "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope "
                       "selector");
  } else {
    report.invalid(ApiIssue::quota_scope, requirement, path + ".operator", op,
                   "not a valid selector operator");
  }
}

void validate_scope_selector(Node spec, const std::vector<ResourceEntry>& hard, ApiReport& report) {
  const std::string path = "spec.scopeSelector.matchExpressions";
  std::set<std::string, std::less<>> seen;
  for (const Node requirement : spec.at("scopeSelector", "matchExpressions").items()) {
    const Field<std::string> scope_field = read_string(requirement, "scopeName");
    const auto scope = certain_text(scope_field);
    const auto op = certain_text(read_string(requirement, "operator"));
    if (!scope || !op) continue;
    seen.emplace(*scope);
    if (!is_listed(scopes, *scope)) {
      report.invalid(ApiIssue::quota_scope, scope_field.node() ? scope_field.node() : requirement,
                     path + ".scopeName", *scope, "unsupported scope");
    }
    if (!suits_all(*scope, hard)) {
      report.invalid_raw(ApiIssue::quota_scope, requirement, path, "{…}",
                         "unsupported scope applied to resource");
    }
    if (is_listed(presence_scopes, *scope) && *op != "Exists") {
      report.invalid(ApiIssue::quota_scope, requirement, path + ".operator", *op,
                     presence_complaint);
    }
    validate_scope_values(requirement, *op, report);
  }
  if (!conflict(seen)) return;
  report.invalid_raw(ApiIssue::quota_scope, spec.get("scopeSelector"), path, "null",
                     "conflicting scopes");
}

}  // namespace

void validate_resource_quota(Node object, ApiReport& report) {
  validate_object_metadata(object, Namespacing::namespaced, report);
  const Node spec = object.get("spec");
  const std::vector<ResourceEntry> hard = read_resource_list(spec.get("hard"));
  validate_quota(hard, "spec.hard", report);
  validate_scopes(spec, hard, report);
  validate_scope_selector(spec, hard, report);
}

}  // namespace gpulint
