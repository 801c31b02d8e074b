#include "compiler/api_validation/validate_workload.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "compiler/api_validation/api_problem.h"
#include "compiler/api_validation/validate_pod.h"
#include "compiler/api_validation/validate_resources.h"
#include "compiler/api_validation/validate_scheduling.h"
#include "compiler/base/text.h"
#include "compiler/ir/node.h"
#include "compiler/ir/read.h"
#include "compiler/model/kubernetes_names.h"
#include "compiler/model/objects.h"
#include "compiler/model/read_pod.h"

namespace gpulint {
namespace {

enum class Namespacing : std::uint8_t { namespaced, cluster };

void validate_annotations(Node annotations, const std::string& path, ApiReport& report) {
  for (const LabelEntry& entry : read_string_map(annotations)) {
    if (entry.key.node.is_opaque()) continue;
    for (const std::string& problem : label_key_problems(to_lower(entry.key.value))) {
      report.invalid(ApiIssue::annotation_key, entry.key.node, path, entry.key.value, problem);
    }
  }
}

void validate_name(Node metadata, Node owner, ApiReport& report) {
  const Field<std::string> name = read_string(metadata, "name");
  const Field<std::string> prefix = read_string(metadata, "generateName");
  const auto text = certain_text(name);
  const auto prefix_text = certain_text(prefix);
  if (!text || !prefix_text) return;
  if (!prefix_text->empty()) {
    // The server checks the prefix as if its last hyphen were a letter.
    std::string sample(*prefix_text);
    if (sample.size() > 1 && sample.ends_with('-')) sample.replace(sample.size() - 2, 2, "a");
    for (const std::string& problem : dns_subdomain_problems(sample)) {
      report.invalid(ApiIssue::object_name, prefix.node(), "metadata.generateName", *prefix_text,
                     problem);
    }
  }
  if (text->empty()) {
    if (!prefix_text->empty()) return;
    report.required(ApiIssue::object_name, metadata ? metadata : owner, "metadata.name",
                    "name or generateName is required");
    return;
  }
  for (const std::string& problem : dns_subdomain_problems(*text)) {
    report.invalid(ApiIssue::object_name, name.node(), "metadata.name", *text, problem);
  }
}

/// An object's name, namespace, labels and annotations.
void validate_object_metadata(Node object, Namespacing namespacing, ApiReport& report) {
  const Node metadata = object.get("metadata");
  validate_name(metadata, object, report);
  const Field<std::string> name_space = read_string(metadata, "namespace");
  if (namespacing == Namespacing::namespaced && name_space.is_known()) {
    for (const std::string& problem : dns_label_problems(name_space.value())) {
      if (name_space.value().empty()) break;
      report.invalid(ApiIssue::object_namespace, name_space.node(), "metadata.namespace",
                     name_space.value(), problem);
    }
  }
  validate_labels(read_string_map(metadata.get("labels")), "metadata.labels", report);
  validate_annotations(metadata.get("annotations"), "metadata.annotations", report);
}

/// Labels and annotations of a pod template; the server omits `metadata` from their paths.
void validate_template_metadata(Node template_node, const std::string& path, ApiReport& report) {
  const Node metadata = template_node.get("metadata");
  validate_labels(read_string_map(metadata.get("labels")), path + ".labels", report);
  validate_annotations(metadata.get("annotations"), path + ".annotations", report);
}

constexpr std::array<std::string_view, 1> always{"Always"};
constexpr std::array<std::string_view, 2> completion_modes{"NonIndexed", "Indexed"};
/// Labels that the Job controller uses in its selector; their values are the job's own.
constexpr std::array<std::string_view, 4> job_labels{"batch.kubernetes.io/controller-uid",
                                                     "batch.kubernetes.io/job-name",
                                                     "controller-uid", "job-name"};

[[nodiscard]] Node at_or(Node node, Node fallback) { return node ? node : fallback; }

void validate_not_negative(Node spec, std::string_view key, const std::string& path,
                           ApiReport& report) {
  const Field<std::int64_t> number = read_int(spec, key);
  if (!number.is_known() || number.value() >= 0) return;
  report.invalid_raw(ApiIssue::number_range, number.node(), fmt::format("{}.{}", path, key),
                     std::to_string(number.value()), "must be greater than or equal to 0");
}

void validate_template(Node template_node, const std::string& path, const PodContext& context,
                       ApiReport& report) {
  validate_template_metadata(template_node, path, report);
  validate_pod_spec(read_pod_spec(template_node.get("spec")), path + ".spec", context, report);
}

/// A controller's pods run forever.
void validate_restart_always(Node template_node, std::string_view kind, const std::string& path,
                             ApiReport& report) {
  const Node spec = template_node.get("spec");
  const Field<std::string> policy = read_string(spec, "restartPolicy");
  if (policy.is_known() && !policy.value().empty() && policy.value() != "Always") {
    report.not_supported(ApiIssue::restart_policy, policy.node(), path + ".spec.restartPolicy",
                         policy.value(), always);
  }
  const Node deadline = spec.get("activeDeadlineSeconds");
  if (!deadline || deadline.is_null()) return;
  report.forbidden(ApiIssue::pod_field, deadline, path + ".spec.activeDeadlineSeconds",
                   fmt::format("activeDeadlineSeconds in {} is not Supported", kind));
}

/// `empty_name`: the server's name of the kind; only Deployments report an unusable selector.
struct SelectorWords {
  std::string_view empty_name;
  std::string_view invalid;
  bool is_required = true;
};

/// Returns true if the template should be checked: its selector can be used.
[[nodiscard]] bool validate_selector(Node spec, const SelectorWords& words, ApiReport& report) {
  const Node selector = spec.get("selector");
  const std::vector<LabelEntry> labels = read_string_map(spec.at("template", "metadata", "labels"));
  const SelectorMatch match = match_label_selector(selector, labels);
  const bool is_missing = !selector || selector.is_null();
  if (is_missing && words.is_required) {
    report.required(ApiIssue::workload_selector, spec, "spec.selector");
  }
  validate_label_selector(selector, "spec.selector", report);
  if (match.is_empty) {
    report.invalid_raw(ApiIssue::workload_selector, selector, "spec.selector", "{}",
                       fmt::format("empty selector is invalid for {}", words.empty_name));
  }
  if (!match.is_valid) {
    if (words.is_required) {
      report.invalid_raw(ApiIssue::workload_selector, selector, "spec.selector", "{…}",
                         words.invalid);
    }
    return !words.is_required;
  }
  if (match.matches == Ternary::no) {
    report.invalid_raw(ApiIssue::template_labels,
                       at_or(spec.at("template", "metadata", "labels"), spec),
                       "spec.template.metadata.labels", labels_json(labels),
                       "`selector` does not match template `labels`");
  }
  return true;
}

[[nodiscard]] PodContext stateful_context(Node spec) {
  PodContext context;
  for (const Node claim : spec.get("volumeClaimTemplates").items()) {
    context.more_volumes.insert(object_name(claim));
  }
  return context;
}

void validate_strategy(Node spec, std::string_view kind, ApiReport& report) {
  constexpr std::array<std::string_view, 2> deployment{"Recreate", "RollingUpdate"};
  constexpr std::array<std::string_view, 2> daemon_set{"RollingUpdate", "OnDelete"};
  const bool is_deployment = kind == "Deployment";
  if (!is_deployment && kind != "DaemonSet") return;
  const std::string_view key = is_deployment ? "strategy" : "updateStrategy";
  const Node strategy = spec.get(key);
  const Field<std::string> type = read_string(strategy, "type");
  const auto& allowed = is_deployment ? deployment : daemon_set;
  const std::string path = fmt::format("spec.{}", key);
  if (type.is_known() && !type.value().empty() &&
      std::ranges::find(allowed, type.value()) == allowed.end()) {
    report.not_supported(ApiIssue::enumeration, type.node(), path, type.value(), allowed);
  }
  const Node rolling = strategy.get("rollingUpdate");
  if (is_deployment && type.equals("Recreate") && rolling && !rolling.is_null()) {
    report.forbidden(ApiIssue::enumeration, rolling, path + ".rollingUpdate",
                     "may not be specified when strategy `type` is 'Recreate'");
  }
}

void validate_progress_deadline(Node spec, ApiReport& report) {
  constexpr std::int64_t default_deadline = 600;
  const Field<std::int64_t> deadline = read_int(spec, "progressDeadlineSeconds");
  const Field<std::int64_t> ready = read_int(spec, "minReadySeconds");
  if (deadline.is_opaque() || ready.is_opaque()) return;
  const std::int64_t seconds = deadline.value_or(default_deadline);
  if (seconds > ready.value_or(0)) return;
  report.invalid_raw(ApiIssue::number_range, deadline.is_known() ? deadline.node() : ready.node(),
                     "spec.progressDeadlineSeconds", std::to_string(seconds),
                     "must be greater than minReadySeconds");
}

/// A Job's selector is generated; one that the user adds must match the generated one.
void validate_generated_selector(Node spec, ApiReport& report) {
  const Node selector = spec.get("selector");
  if (!selector || selector.is_null() || read_bool(spec, "manualSelector").equals(true)) return;
  for (const LabelEntry& label : read_string_map(selector.get("matchLabels"))) {
    if (std::ranges::find(job_labels, label.key.value) != job_labels.end()) continue;
    report.invalid_raw(ApiIssue::workload_selector, label.key.node, "spec.selector", "{…}",
                       "`selector` not auto-generated");
    return;
  }
}

void validate_job_selector(Node spec, ApiReport& report) {
  const Node selector = spec.get("selector");
  validate_label_selector(selector, "spec.selector", report);
  const bool is_manual = read_bool(spec, "manualSelector").equals(true);
  const std::vector<LabelEntry> labels = read_string_map(spec.at("template", "metadata", "labels"));
  if (is_manual && (!selector || selector.is_null())) {
    report.required(ApiIssue::workload_selector, spec, "spec.selector");
  }
  std::vector<LabelEntry> wanted = read_string_map(selector.get("matchLabels"));
  std::erase_if(wanted, [&](const LabelEntry& label) {
    return !is_manual && std::ranges::find(job_labels, label.key.value) != job_labels.end();
  });
  const SelectorMatch match = match_label_selector(selector, labels);
  const bool is_generated_only = !is_manual && wanted.empty();
  if (is_generated_only || !match.is_valid || match.matches != Ternary::no) return;
  report.invalid_raw(ApiIssue::template_labels,
                     at_or(spec.at("template", "metadata", "labels"), spec),
                     "spec.template.metadata.labels", labels_json(labels),
                     "`selector` does not match template `labels`");
}

void validate_completion(Node spec, const std::string& path, ApiReport& report) {
  validate_enumeration(spec, "completionMode", path, completion_modes, ApiIssue::enumeration,
                       report);
  const Field<std::string> mode = read_string(spec, "completionMode");
  if (mode.is_opaque()) return;
  const bool is_indexed = mode.equals("Indexed");
  const Node completions = spec.get("completions");
  if (is_indexed && (!completions || completions.is_null())) {
    report.required(ApiIssue::number_range, spec, path + ".completions",
                    "when completion mode is Indexed");
  }
  for (const std::string_view key : {"backoffLimitPerIndex", "maxFailedIndexes"}) {
    const Field<std::int64_t> number = read_int(spec, key);
    if (is_indexed || !number.is_known()) continue;
    report.invalid_raw(ApiIssue::number_range, number.node(), fmt::format("{}.{}", path, key),
                       std::to_string(number.value()), "requires indexed completion mode");
  }
  if (read_int(spec, "maxFailedIndexes").is_known() &&
      read_int(spec, "backoffLimitPerIndex").is_absent()) {
    report.required(ApiIssue::number_range, spec, path + ".backoffLimitPerIndex",
                    "when maxFailedIndexes is specified");
  }
}

/// A job's pods end, so the default of restartPolicy is not allowed.
void validate_job_restart(Node spec, const std::string& path, ApiReport& report) {
  constexpr std::array<std::string_view, 2> allowed{"OnFailure", "Never"};
  const Node pod = spec.at("template", "spec");
  const Field<std::string> policy = read_string(pod, "restartPolicy");
  const auto text = certain_text(policy);
  const std::string policy_path = path + ".template.spec.restartPolicy";
  const Node owner = at_or(policy.node(), at_or(pod, spec));
  if (!text) return;
  if (text->empty() || *text == "Always") {
    report.required(ApiIssue::restart_policy, owner, policy_path,
                    "valid values: \"OnFailure\", \"Never\"");
  } else if (std::ranges::find(allowed, *text) == allowed.end()) {
    report.not_supported(ApiIssue::restart_policy, owner, policy_path, *text, allowed);
  } else if (spec.get("podFailurePolicy").is_mapping() && *text != "Never") {
    report.invalid(ApiIssue::restart_policy, owner, policy_path, *text,
                   "only \"Never\" is supported when podFailurePolicy is specified");
  }
}

void validate_job_spec(Node spec, const std::string& path, ApiReport& report) {
  for (const std::string_view key :
       {"parallelism", "completions", "activeDeadlineSeconds", "backoffLimit",
        "ttlSecondsAfterFinished", "backoffLimitPerIndex", "maxFailedIndexes"}) {
    validate_not_negative(spec, key, path, report);
  }
  validate_completion(spec, path, report);
  validate_template(spec.get("template"), path + ".template", {}, report);
  validate_job_restart(spec, path, report);
}

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

/// Whether a scope can count an item; called for standard items only.
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

void validate_pod_object(Node object, ApiReport& report) {
  validate_object_metadata(object, Namespacing::namespaced, report);
  const Node spec = object.get("spec");
  validate_pod_spec(read_pod_spec(spec), "spec", {.form = PodForm::pod, .more_volumes = {}},
                    report);
  validate_not_negative(spec, "terminationGracePeriodSeconds", "spec", report);
}

void validate_controller(Node object, std::string_view kind, ApiReport& report) {
  validate_object_metadata(object, Namespacing::namespaced, report);
  const Node spec = object.get("spec");
  const Node template_node = spec.get("template");
  const bool is_stateful = kind == "StatefulSet";
  const bool is_daemon = kind == "DaemonSet";
  const std::string_view empty_name = is_stateful ? "statefulset"
                                      : is_daemon ? "daemonset"
                                                  : "deployment";
  const std::string_view invalid = is_stateful ? "" : "invalid label selector";
  for (const std::string_view key : {"replicas", "minReadySeconds", "revisionHistoryLimit"}) {
    validate_not_negative(spec, key, "spec", report);
  }
  validate_strategy(spec, kind, report);
  if (kind == "Deployment") validate_progress_deadline(spec, report);
  if (validate_selector(spec, {empty_name, invalid, !is_daemon}, report)) {
    validate_template(template_node, "spec.template",
                      is_stateful ? stateful_context(spec) : PodContext{}, report);
    if (is_stateful) validate_template_metadata(template_node, "spec.template", report);
  }
  validate_restart_always(template_node, kind == "Deployment" ? "ReplicaSet" : kind,
                          "spec.template", report);
}

void validate_job(Node object, ApiReport& report) {
  validate_object_metadata(object, Namespacing::namespaced, report);
  const Node spec = object.get("spec");
  validate_generated_selector(spec, report);
  validate_job_spec(spec, "spec", report);
  validate_job_selector(spec, report);
}

void validate_cron_job(Node object, ApiReport& report) {
  constexpr std::array<std::string_view, 3> concurrency{"Allow", "Forbid", "Replace"};
  validate_object_metadata(object, Namespacing::namespaced, report);
  const Node spec = object.get("spec");
  const auto schedule = certain_text(read_string(spec, "schedule"));
  if (schedule && schedule->empty()) {
    report.required(ApiIssue::pod_field, at_or(spec, object), "spec.schedule");
  }
  validate_enumeration(spec, "concurrencyPolicy", "spec", concurrency, ApiIssue::enumeration,
                       report);
  validate_job_spec(spec.at("jobTemplate", "spec"), "spec.jobTemplate.spec", report);
}

void validate_pod_template_object(Node object, ApiReport& report) {
  validate_object_metadata(object, Namespacing::namespaced, report);
  validate_template(object.get("template"), "template", {}, report);
}

void validate_node_object(Node object, ApiReport& report) {
  validate_object_metadata(object, Namespacing::cluster, report);
  validate_taints(read_taints(object.at("spec", "taints")), "metadata.taints", report);
  for (const std::string_view key : {"capacity", "allocatable"}) {
    validate_node_resources(read_resource_list(object.at("status", key)),
                            fmt::format("status.{}", key), report);
  }
}

void validate_runtime_class(Node object, ApiReport& report) {
  validate_object_metadata(object, Namespacing::cluster, report);
  const Field<std::string> handler = read_string(object, "handler");
  const auto text = certain_text(handler);
  if (text && text->empty()) {
    report.required(ApiIssue::runtime_handler, object, "handler");
  } else if (text) {
    for (const std::string& problem : dns_label_problems(*text)) {
      report.invalid(ApiIssue::runtime_handler, handler.node(), "handler", *text, problem);
    }
  }
  validate_overhead(read_resource_list(object.at("overhead", "podFixed")), "overhead", report);
  const Node scheduling = object.get("scheduling");
  validate_labels(read_string_map(scheduling.get("nodeSelector")), "scheduling.nodeSelector",
                  report);
  const std::vector<Toleration> tolerations = read_tolerations(scheduling.get("tolerations"));
  validate_tolerations(tolerations, "scheduling.tolerations", report);
  validate_unique_tolerations(tolerations, "scheduling.tolerations", report);
}

void validate_resource_quota(Node object, ApiReport& report) {
  validate_object_metadata(object, Namespacing::namespaced, report);
  const Node spec = object.get("spec");
  const std::vector<ResourceEntry> hard = read_resource_list(spec.get("hard"));
  validate_quota(hard, "spec.hard", report);
  validate_scopes(spec, hard, report);
  validate_scope_selector(spec, hard, report);
}

}  // namespace gpulint
