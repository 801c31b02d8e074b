#include "compiler/api_validation/validate_pod.h"

#include <algorithm>
#include <array>
#include <functional>
#include <set>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "compiler/api_validation/api_problem.h"
#include "compiler/api_validation/validate_resources.h"
#include "compiler/api_validation/validate_scheduling.h"
#include "compiler/base/text.h"
#include "compiler/ir/read.h"
#include "compiler/model/kubernetes_names.h"
#include "compiler/model/workload.h"

namespace gpulint {
namespace {

using Names = std::set<std::string, std::less<>>;

/// Names of the pod's claims; `is_open` if one is set later.
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

constexpr std::array<std::string_view, 3> restart_policies{"Always", "OnFailure", "Never"};

constexpr std::array<std::string_view, 4> dns_policies{"ClusterFirstWithHostNet", "ClusterFirst",
                                                       "Default", "None"};

constexpr std::array<std::string_view, 2> preemption_policies{"PreemptLowerPriority", "Never"};

constexpr std::array<std::string_view, 2> unsatisfiable{"DoNotSchedule", "ScheduleAnyway"};

constexpr std::array<std::string_view, 2> pod_affinities{"podAffinity", "podAntiAffinity"};

using NameRule = NameProblems (*)(std::string_view);

/// A field with the name of another object, or of the pod itself.
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

using Names = std::set<std::string, std::less<>>;

constexpr std::array<std::string_view, 3> pull_policies{"Always", "IfNotPresent", "Never"};

constexpr std::array<std::string_view, 3> container_restarts{"Always", "Never", "OnFailure"};

constexpr std::array<std::string_view, 3> protocols{"SCTP", "TCP", "UDP"};

constexpr std::array<std::string_view, 2> message_policies{"FallbackToLogsOnError", "File"};

constexpr std::array<std::string_view, 4> lifecycle_fields{"lifecycle", "livenessProbe",
                                                           "readinessProbe", "startupProbe"};

constexpr std::array<std::string_view, 6> forbidden_ephemeral{
    "ports", "resources", "livenessProbe", "readinessProbe", "lifecycle", "startupProbe"};

/// The volumes with certain names; `is_open` if some name is not certain.
struct Volumes {
  Names names;
  bool is_open = false;
};

[[nodiscard]] Volumes validate_volumes(const PodSpec& pod, const std::string& path,
                                       const PodContext& context, ApiReport& report) {
  Volumes volumes{context.more_volumes, false};
  const Node list = pod.node.get("volumes");
  volumes.is_open = list.is_scalar() && list.is_opaque();
  std::size_t index = 0;
  for (const Node item : list.items()) {
    const std::string name_path = fmt::format("{}.volumes[{}].name", path, index++);
    const Field<std::string> field = read_string(item, "name");
    const auto name = certain_text(field);
    if (!name || (item.is_scalar() && item.is_opaque())) {
      volumes.is_open = true;
    } else if (name->empty()) {
      report.required(ApiIssue::reference, item, name_path);
    } else {
      for (const std::string& problem : dns_label_problems(*name)) {
        report.invalid(ApiIssue::reference, field.node(), name_path, *name, problem);
      }
      if (volumes.names.emplace(*name).second || context.more_volumes.contains(*name)) continue;
      report.duplicate(ApiIssue::reference, field.node(), name_path, *name);
    }
  }
  return volumes;
}

void validate_mounts(const Container& container, const std::string& path, const Volumes& volumes,
                     ApiReport& report) {
  Names mount_paths;
  std::size_t index = 0;
  for (const Node mount : container.node.get("volumeMounts").items()) {
    const std::string item = fmt::format("{}.volumeMounts[{}]", path, index++);
    const Field<std::string> name_field = read_string(mount, "name");
    const auto name = certain_text(name_field);
    if (name && name->empty()) report.required(ApiIssue::reference, mount, item + ".name");
    if (name && !volumes.is_open && !volumes.names.contains(*name)) {
      report.add(ApiIssue::reference, ApiErrorType::not_found,
                 name_field.node() ? name_field.node() : mount, item + ".name",
                 fmt::format("Not found: {}", go_quote(*name)));
    }
    const auto mount_path = certain_text(read_string(mount, "mountPath"));
    if (!mount_path) continue;
    if (mount_path->empty()) report.required(ApiIssue::reference, mount, item + ".mountPath");
    if (!mount_paths.emplace(*mount_path).second) {
      report.invalid(ApiIssue::reference, mount.get("mountPath"), item + ".mountPath", *mount_path,
                     "must be unique");
    }
  }
}

void validate_ports(const Container& container, const std::string& path, ApiReport& report) {
  std::size_t index = 0;
  for (const Node port : container.node.get("ports").items()) {
    const std::string item = fmt::format("{}.ports[{}]", path, index++);
    for (const std::string_view key : {"containerPort", "hostPort"}) {
      const Field<std::int64_t> number = read_int(port, key);
      const std::int64_t value = number.value_or(0);
      if (number.is_opaque()) continue;
      if (value == 0 && key == "containerPort") {
        report.required(ApiIssue::number_range, port, fmt::format("{}.{}", item, key));
      } else if (value < 0 || value > 65535) {
        report.invalid_raw(ApiIssue::number_range, number.node(), fmt::format("{}.{}", item, key),
                           std::to_string(value), "must be between 1 and 65535, inclusive");
      }
    }
    validate_enumeration(port, "protocol", item, protocols, ApiIssue::enumeration, report);
  }
}

void validate_environment(const Container& container, const std::string& path, ApiReport& report) {
  std::size_t index = 0;
  for (const Node variable : container.node.get("env").items()) {
    const std::string item = fmt::format("{}.env[{}]", path, index++);
    const auto name = certain_text(read_string(variable, "name"));
    if (name && name->empty()) report.required(ApiIssue::reference, variable, item + ".name");
    const auto value = certain_text(read_string(variable, "value"));
    const Node source = variable.get("valueFrom");
    if (value && !value->empty() && source.size() > 0) {
      report.invalid(ApiIssue::reference, source, item + ".valueFrom", "",
                     "may not be specified when `value` is not empty");
    }
  }
}

/// `names` are those that the server compares with this container's.
void validate_name(const Container& container, const std::string& path, Names& names,
                   ApiReport& report) {
  const auto name = certain_text(container.name);
  if (!name) return;
  if (name->empty()) {
    report.required(ApiIssue::container_name, container.node, path + ".name");
  } else {
    for (const std::string& problem : dns_label_problems(*name)) {
      report.invalid(ApiIssue::container_name, container.name.node(), path + ".name", *name,
                     problem);
    }
  }
  if (name->empty() && container.kind != ContainerKind::main) return;
  if (names.emplace(*name).second) return;
  report.duplicate(ApiIssue::container_name,
                   container.name.node() ? container.name.node() : container.node, path + ".name",
                   *name);
}

void validate_image(const Container& container, const std::string& path, PodForm form,
                    ApiReport& report) {
  const auto image = certain_text(container.image);
  if (!image) return;
  if (image->empty()) {
    report.required(ApiIssue::container_image, container.node, path + ".image");
  } else if (form == PodForm::pod && trim(*image) != *image) {
    report.invalid(ApiIssue::container_image, container.image.node(), path + ".image", *image,
                   "must not have leading or trailing whitespace");
  }
}

void validate_kind_fields(const Container& container, const std::string& path, ApiReport& report) {
  if (container.kind == ContainerKind::init) {
    for (const std::string_view key : lifecycle_fields) {
      const Node field = container.node.get(key);
      if (!field || field.is_null()) continue;
      report.forbidden(ApiIssue::init_container_field, field, fmt::format("{}.{}", path, key),
                       "may not be set for init containers without restartPolicy=Always");
    }
  }
  if (container.kind != ContainerKind::ephemeral) return;
  for (const std::string_view key : forbidden_ephemeral) {
    const Node field = container.node.get(key);
    if (!field || field.is_null() || (field.size() == 0 && !field.is_scalar())) continue;
    report.forbidden(ApiIssue::ephemeral_container, field, fmt::format("{}.{}", path, key),
                     "cannot be set for an Ephemeral Container");
  }
}

/// What all containers of a pod share.
struct Surroundings {
  Node pod_spec;
  Volumes volumes;
  PodForm form = PodForm::pod_template;
};

/// `resources.claims` of a container against the names of the pod's `resourceClaims`; `path` is
/// that of its `resources`.
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

void validate_container(const Container& container, const std::string& path,
                        const Surroundings& around, ApiReport& report) {
  // requests of ephemeral containers have no defaults
  const bool is_defaulted =
      around.form == PodForm::pod && container.kind != ContainerKind::ephemeral;
  validate_image(container, path, around.form, report);
  validate_ports(container, path, report);
  validate_environment(container, path, report);
  validate_mounts(container, path, around.volumes, report);
  validate_enumeration(container.node, "imagePullPolicy", path, pull_policies,
                       ApiIssue::enumeration, report);
  validate_enumeration(container.node, "terminationMessagePolicy", path, message_policies,
                       ApiIssue::enumeration, report);
  validate_enumeration(container.node, "restartPolicy", path, container_restarts,
                       ApiIssue::enumeration, report);
  validate_container_resources(
      container.resources, path + ".resources",
      is_defaulted ? RequestDefaulting::from_limits : RequestDefaulting::none, report);
  validate_claims(container.resources.node, around.pod_spec, path + ".resources", report);
  validate_kind_fields(container, path, report);
}

[[nodiscard]] std::string_view list_of(ContainerKind kind) {
  switch (kind) {
    case ContainerKind::init:
    case ContainerKind::sidecar:
      return "initContainers";
    case ContainerKind::main:
      return "containers";
    case ContainerKind::ephemeral:
      return "ephemeralContainers";
  }
  return {};
}

/// The pod's `resourceClaims`; `path` is that of the spec.
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

/// Containers of every kind, and the volumes that they mount.
void validate_containers(const PodSpec& pod, const std::string& path, const PodContext& context,
                         ApiReport& report) {
  const Surroundings around{pod.node, validate_volumes(pod, path, context, report), context.form};
  validate_pod_claims(pod.node, path, report);
  const Node list = pod.node.get("containers");
  if (list.size() == 0 && !(list.is_scalar() && list.is_opaque())) {
    report.required(ApiIssue::container_missing, list ? list : pod.node, path + ".containers");
  }
  Names names;
  // The server's order, which decides whose name is the repeated one.
  for (const std::string_view key : {"containers", "initContainers", "ephemeralContainers"}) {
    std::size_t index = 0;
    for (const Container& container : pod.containers) {
      if (list_of(container.kind) != key) continue;
      const std::string item = fmt::format("{}.{}[{}]", path, key, index++);
      validate_name(container, item, names, report);
      validate_container(container, item, around, report);
    }
  }
  const Node ephemeral = pod.node.get("ephemeralContainers");
  if (ephemeral.size() == 0) return;
  report.forbidden(ApiIssue::ephemeral_container, ephemeral, path + ".ephemeralContainers",
                   context.form == PodForm::pod
                       ? "cannot be set on create"
                       : "ephemeral containers not allowed in pod template");
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
