#include "compiler/schedule/api/validate_pod.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "compiler/base/text.h"
#include "compiler/ir/read.h"
#include "compiler/model/kubernetes_names.h"
#include "compiler/model/read_pod.h"
#include "compiler/schedule/api/validate_containers.h"
#include "compiler/schedule/api/validate_resources.h"
#include "compiler/schedule/api/validate_scheduling.h"
#include "compiler/schedule/api/validate_selector.h"

namespace gpulint {
namespace {

constexpr std::array<std::string_view, 3> restart_policies{"Always", "OnFailure", "Never"};
constexpr std::array<std::string_view, 4> dns_policies{"ClusterFirstWithHostNet", "ClusterFirst",
                                                       "Default", "None"};
constexpr std::array<std::string_view, 2> preemption_policies{"PreemptLowerPriority", "Never"};
constexpr std::array<std::string_view, 2> unsatisfiable{"DoNotSchedule", "ScheduleAnyway"};
constexpr std::array<std::string_view, 2> pod_affinities{"podAffinity", "podAntiAffinity"};

using NameRule = NameProblems (*)(std::string_view);

/// A field that names another object, or the pod itself.
void validate_name_field(Node spec, std::string_view key, const std::string& path, NameRule rule,
                         ApiReport& report) {
  const Field<std::string> name = read_string(spec, key);
  if (!name.is_known() || name.value().empty()) return;
  for (const std::string& problem : rule(name.value())) {
    report.invalid(ApiIssue::pod_field, name.node(), fmt::format("{}.{}", path, key), name.value(),
                   problem);
  }
}

void validate_topology_key(Node term, const std::string& path, ApiReport& report) {
  const Field<std::string> field = read_string(term, "topologyKey");
  const auto key = certain_text(field);
  if (!key) return;
  const Node node = field.node() ? field.node() : term;
  if (key->empty()) {
    report.required(ApiIssue::topology_key, term, path + ".topologyKey", "can not be empty");
  }
  validate_label_key(node, *key, path + ".topologyKey", ApiIssue::topology_key, report);
}

void validate_pod_affinity_term(Node term, const std::string& path, ApiReport& report) {
  validate_label_selector(term.get("labelSelector"), path + ".labelSelector", report);
  validate_label_selector(term.get("namespaceSelector"), path + ".namespaceSelector", report);
  validate_topology_key(term, path, report);
}

void validate_pod_affinity(Node affinity, const std::string& path, ApiReport& report) {
  std::size_t index = 0;
  const Node required = affinity.get("requiredDuringSchedulingIgnoredDuringExecution");
  for (const Node term : required.items()) {
    validate_pod_affinity_term(
        term, fmt::format("{}.requiredDuringSchedulingIgnoredDuringExecution[{}]", path, index++),
        report);
  }
  index = 0;
  const Node preferred = affinity.get("preferredDuringSchedulingIgnoredDuringExecution");
  for (const Node entry : preferred.items()) {
    const std::string item =
        fmt::format("{}.preferredDuringSchedulingIgnoredDuringExecution[{}]", path, index++);
    const Field<std::int64_t> weight = read_int(entry, "weight");
    const std::int64_t value = weight.value_or(0);
    if (!weight.is_opaque() && (value < 1 || value > 100)) {
      report.invalid_raw(ApiIssue::preference_weight, weight.node() ? weight.node() : entry,
                         item + ".weight", std::to_string(value), "must be in the range 1-100");
    }
    validate_pod_affinity_term(entry.get("podAffinityTerm"), item + ".podAffinityTerm", report);
  }
}

void validate_topology_spread(Node spec, const std::string& path, ApiReport& report) {
  std::size_t index = 0;
  for (const Node constraint : spec.get("topologySpreadConstraints").items()) {
    const std::string item = fmt::format("{}.topologySpreadConstraints[{}]", path, index++);
    const Field<std::int64_t> skew = read_int(constraint, "maxSkew");
    if (!skew.is_opaque() && skew.value_or(0) <= 0) {
      report.invalid_raw(ApiIssue::topology_spread, skew.node() ? skew.node() : constraint,
                         item + ".maxSkew", std::to_string(skew.value_or(0)),
                         "must be greater than 0");
    }
    const auto key = certain_text(read_string(constraint, "topologyKey"));
    if (key && key->empty()) {
      report.required(ApiIssue::topology_spread, constraint, item + ".topologyKey",
                      "can not be empty");
    }
    const Field<std::string> action = read_string(constraint, "whenUnsatisfiable");
    const auto text = certain_text(action);
    if (text && std::ranges::find(unsatisfiable, *text) == unsatisfiable.end()) {
      report.not_supported(ApiIssue::topology_spread, action.node() ? action.node() : constraint,
                           item + ".whenUnsatisfiable", *text, unsatisfiable);
    }
    validate_label_selector(constraint.get("labelSelector"), item + ".labelSelector", report);
  }
}

void validate_scheduling_gates(Node spec, const std::string& path, ApiReport& report) {
  std::set<std::string, std::less<>> seen;
  std::size_t index = 0;
  for (const Node gate : spec.get("schedulingGates").items()) {
    const std::string item = fmt::format("{}.schedulingGates[{}]", path, index++);
    const auto name = certain_text(read_string(gate, "name"));
    if (!name) continue;
    validate_label_key(gate, *name, item, ApiIssue::pod_field, report);
    if (!seen.emplace(*name).second) report.duplicate(ApiIssue::pod_field, gate, item, *name);
  }
}

void validate_pod_fields(Node spec, const std::string& path, ApiReport& report) {
  validate_enumeration(spec, "restartPolicy", path, restart_policies, ApiIssue::restart_policy,
                       report);
  validate_enumeration(spec, "dnsPolicy", path, dns_policies, ApiIssue::enumeration, report);
  validate_enumeration(spec, "preemptionPolicy", path, preemption_policies, ApiIssue::enumeration,
                       report);
  for (const std::string_view key :
       {"serviceAccountName", "nodeName", "priorityClassName", "runtimeClassName"}) {
    validate_name_field(spec, key, path, dns_subdomain_problems, report);
  }
  for (const std::string_view key : {"hostname", "subdomain"}) {
    validate_name_field(spec, key, path, dns_label_problems, report);
  }
  const Field<std::int64_t> deadline = read_int(spec, "activeDeadlineSeconds");
  constexpr std::int64_t longest = 2147483647;
  if (deadline.is_known() && (deadline.value() < 1 || deadline.value() > longest)) {
    report.invalid_raw(ApiIssue::number_range, deadline.node(), path + ".activeDeadlineSeconds",
                       std::to_string(deadline.value()),
                       fmt::format("must be between 1 and {}, inclusive", longest));
  }
}

void validate_scheduling(const PodSpec& pod, const std::string& path, ApiReport& report) {
  validate_labels(pod.node_selector, path + ".nodeSelector", report);
  validate_node_affinity(pod.node_affinity, path + ".affinity.nodeAffinity", report);
  for (const std::string_view key : pod_affinities) {
    validate_pod_affinity(pod.node.at("affinity", key), fmt::format("{}.affinity.{}", path, key),
                          report);
  }
  validate_topology_spread(pod.node, path, report);
  validate_scheduling_gates(pod.node, path, report);
  validate_tolerations(pod.tolerations, path + ".tolerations", report);
}

}  // namespace

void validate_enumeration(Node mapping, std::string_view key, const std::string& path,
                          std::span<const std::string_view> allowed, ApiIssue issue,
                          ApiReport& report) {
  const Field<std::string> field = read_string(mapping, key);
  if (!field.is_known() || field.value().empty()) return;
  if (std::ranges::find(allowed, field.value()) != allowed.end()) return;
  report.not_supported(issue, field.node(), fmt::format("{}.{}", path, key), field.value(),
                       allowed);
}

void validate_pod_spec(const PodSpec& pod, const std::string& path, const PodContext& context,
                       ApiReport& report) {
  const RequestDefaulting defaulting =
      context.form == PodForm::pod ? RequestDefaulting::from_limits : RequestDefaulting::none;
  validate_containers(pod, path, context, report);
  validate_pod_resources(pod, path + ".resources", defaulting, report);
  validate_pod_fields(pod.node, path, report);
  validate_scheduling(pod, path, report);
  validate_overhead(pod.overhead, path + ".overhead", report);
}

}  // namespace gpulint
