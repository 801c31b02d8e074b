#include "compiler/model/ray/ray_checks.h"

#include <algorithm>
#include <array>
#include <charconv>

#include <re2/re2.h>

#include "compiler/base/text.h"
#include "compiler/ir/scalar.h"
#include "compiler/model/go_json.h"
#include "compiler/model/kubernetes_names.h"

namespace gpulint {
namespace {

using RayProblemKind = RayProblem::Kind;

/// A field of the CRDs (facts/ray-cluster.json).
struct RayField {
  enum class Kind : std::uint8_t { any, string, boolean, integer, words, map, structure };
  std::string_view structure;
  std::string_view name;
  Kind kind;
  bool is_required;
  bool is_list;
  std::string_view item;  ///< For maps `string` or `quantity`, for structures their name.
  std::span<const std::string_view> words;
};

#include "tables/ray_cluster.inc"

[[nodiscard]] std::vector<std::string_view> field_names(std::string_view structure) {
  std::vector<std::string_view> names;
  for (const RayField& field : ray_fields) {
    if (field.structure == structure) names.push_back(field.name);
  }
  return names;
}

/// Reports on one cluster.
class RayChecker {
 public:
  explicit RayChecker(RayCluster& cluster)
      : cluster_(cluster), autoscaler_variable_(find_autoscaler_variable(cluster)) {}

  void check() {
    check_schema();
    check_name();
    for (const RayGroup& group : cluster_.groups) check_group(group);
    check_autoscaler();
  }

 private:
  void report(RayProblemKind kind, RayProblem::Stage stage, Node node, std::string detail = {}) {
    cluster_.problems.push_back({kind, stage, node, std::move(detail)});
  }

  void check_schema();
  void check_fields(Node mapping, std::string_view structure);
  void check_types(Node mapping, std::string_view structure);
  void check_value(Node value, const RayField& field);
  void check_string_map(Node mapping, std::string_view field);
  void check_required(Node mapping, std::string_view key);
  void check_words(Node node, std::span<const std::string_view> words);
  void check_quantities(Node mapping);

  void check_name();
  void check_group(const RayGroup& group);
  void check_labels(const RayGroup& group);
  void check_replicas(const RayGroup& group);
  void check_v2_fields(const RayGroup& group);
  void check_autoscaler();
  [[nodiscard]] static Node find_autoscaler_variable(const RayCluster& cluster);
  [[nodiscard]] bool scales() const {
    return decode_bool(cluster_.spec.get("enableInTreeAutoscaling")).value_or(false);
  }
  [[nodiscard]] bool may_be_v2() const;

  RayCluster& cluster_;
  const Node autoscaler_variable_;
};

void RayChecker::check_schema() {
  check_fields(cluster_.spec, "RayClusterSpec");
  check_types(cluster_.spec, "RayClusterSpec");
  for (const RayGroup& group : cluster_.groups) {
    check_fields(group.node, group.is_head ? "HeadGroupSpec" : "WorkerGroupSpec");
    check_types(group.node, "WorkerGroupSpec");
    check_required(group.node, "template");
    if (!group.is_head) check_required(group.node, "groupName");
    const Node pod = group.node.at("template", "spec");
    if (pod.is_mapping()) check_types(pod, "PodSpec");
  }
}

/// null is dropped before the schema is checked.
void RayChecker::check_required(Node mapping, std::string_view key) {
  if (!mapping.is_mapping()) return;
  const Node value = mapping.get(key);
  if (!value || is_json_null(value)) {
    report(RayProblemKind::missing_field, RayProblem::Stage::crd, mapping, std::string(key));
  }
}

/// Unknown fields of the structure; options of `ray start` and lists of resources belong below
/// another field.
void RayChecker::check_fields(Node mapping, std::string_view structure) {
  constexpr std::string_view options[] = {"num-gpus", "num-cpus", "memory"};
  const std::vector<std::string_view> known = field_names(structure);
  for (const JsonMember& member : decode_object(mapping)) {
    if (member.opaque_key || is_listed(known, member.key)) continue;
    const bool is_list = member.key == "limits" || member.key == "requests";
    std::string meant(nearest(member.key, known).value_or(""));
    if (is_listed(options, member.key) && structure.ends_with("GroupSpec")) {
      meant = "rayStartParams." + member.key;
    }
    if (is_list && structure == "Container") meant = "resources." + member.key;
    report(RayProblemKind::pruned_field, RayProblem::Stage::none, member.value, std::move(meant));
  }
}

void RayChecker::check_types(Node mapping, std::string_view structure) {
  for (const RayField& field : ray_fields) {
    if (field.structure != structure) continue;
    if (field.is_required) check_required(mapping, field.name);
    check_value(mapping.get(field.name), field);
  }
}

void RayChecker::check_value(Node value, const RayField& field) {
  const auto report_mistyped = [&](bool is_mistyped, std::string type) {
    if (is_mistyped)
      report(RayProblemKind::mistyped, RayProblem::Stage::crd, value, std::move(type));
  };
  switch (field.kind) {
    case RayField::Kind::any:
      return;
    case RayField::Kind::string:
      return report_mistyped(decode_string(value).is_mistyped(), "string");
    case RayField::Kind::boolean:
      return report_mistyped(decode_bool(value).is_mistyped(), "boolean");
    case RayField::Kind::integer:
      return report_mistyped(decode_int(value).is_mistyped(), "integer");
    case RayField::Kind::words:
      return check_words(value, field.words);
    case RayField::Kind::map:
      return field.item == "string" ? check_string_map(value, field.name) : check_quantities(value);
    case RayField::Kind::structure:
      break;
  }
  for (const Node item : field.is_list ? value.items() : std::vector<Node>{value}) {
    if (field_names(field.item).back() != "*") check_fields(item, field.item);
    check_types(item, field.item);
  }
}

void RayChecker::check_string_map(Node mapping, std::string_view field) {
  if (mapping && !mapping.is_mapping() && !mapping.is_opaque() && !is_json_null(mapping)) {
    return report(RayProblemKind::mistyped, RayProblem::Stage::crd, mapping, "mapping");
  }
  for (const JsonMember& member : decode_object(mapping)) {
    if (decode_string(member.value).is_mistyped()) {
      report(RayProblemKind::not_a_string, RayProblem::Stage::crd, member.value,
             std::string(field));
    }
  }
}

void RayChecker::check_words(Node node, std::span<const std::string_view> words) {
  const Field<std::string> value = decode_string(node);
  if (value.is_mistyped())
    return report(RayProblemKind::mistyped, RayProblem::Stage::crd, node, "string");
  if (!value.is_known() || is_listed(words, value.value())) return;
  report(RayProblemKind::unknown_value, RayProblem::Stage::crd, node,
         std::string(nearest(value.value(), words).value_or("")));
}

/// The CRD accepts quantities as integers or as strings of this form, without blanks.
void RayChecker::check_quantities(Node mapping) {
  static const RE2 pattern(
      R"((\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?)");
  for (const JsonMember& member : decode_object(mapping)) {
    if (member.value.is_opaque() || is_json_null(member.value)) continue;
    if (decode_int(member.value).is_known()) continue;
    const Field<std::string> text = decode_string(member.value);
    if (text.is_known() && RE2::FullMatch(text.value(), pattern)) continue;
    report(RayProblemKind::invalid_quantity, RayProblem::Stage::crd, member.value);
  }
}

void RayChecker::check_name() {
  if (cluster_.kind != "RayCluster") return;  // clusters of other objects have generated names
  const Field<std::string> name = decode_string(cluster_.object.at("metadata", "name"));
  constexpr std::size_t longest_name = 53;
  if (!name.is_known()) return;
  const std::string& text = name.value();
  const bool starts_well = !text.empty() && text[0] >= 'a' && text[0] <= 'z';
  if (text.size() > longest_name || !starts_well || !dns_label_problems(text).empty()) {
    report(RayProblemKind::invalid_name, RayProblem::Stage::metadata, name.node());
  }
}

void RayChecker::check_group(const RayGroup& group) {
  const Node containers = group.node.at("template", "spec", "containers");
  if (!group.container && !containers.is_opaque() && !group.node.get("template").is_opaque()) {
    report(RayProblemKind::no_container, RayProblem::Stage::spec,
           containers ? containers : group.node);
  }
  constexpr std::string_view resource_params[] = {"num-cpus", "num-gpus", "memory", "resources"};
  const auto is_given = [&](std::string_view name) {
    const auto found = group.params.find(std::string(name));
    return found != group.params.end() && found->second.value_or("") != "";
  };
  const auto* given = std::ranges::find_if(resource_params, is_given);
  if (given != std::end(resource_params) && group.resources_node.size() > 0) {
    report(RayProblemKind::resources_twice, RayProblem::Stage::spec,
           group.params.at(std::string(*given)).node());
  }
  check_labels(group);
  if (group.is_head) return;
  check_replicas(group);
  check_v2_fields(group);
}

void RayChecker::check_labels(const RayGroup& group) {
  if (const auto found = group.params.find("labels"); found != group.params.end()) {
    report(RayProblemKind::labels_parameter, RayProblem::Stage::spec, found->second.node());
  }
  for (const JsonMember& member : decode_object(group.node.get("labels"))) {
    if (member.opaque_key) continue;
    const Field<std::string> value = decode_string(member.value);
    const bool is_valid = is_label_key(member.key) && is_label_value(value.value_or(""));
    if (!is_valid) report(RayProblemKind::invalid_label, RayProblem::Stage::spec, member.value);
  }
}

void RayChecker::check_replicas(const RayGroup& group) {
  const Node min_node = group.node.get("minReplicas");
  const Node max_node = group.node.get("maxReplicas");
  const Field<std::int64_t> least = decode_int(min_node);
  const Field<std::int64_t> most = decode_int(max_node);
  for (const Field<std::int64_t>& count : {least, most}) {
    if (count.is_known() && count.value() < 0) {
      report(RayProblemKind::invalid_replicas, RayProblem::Stage::spec, count.node());
    }
  }
  const bool both_known = !least.is_opaque() && !most.is_opaque();
  if (both_known && least.value_or(0) > most.value_or(INT32_MAX)) {
    report(RayProblemKind::invalid_replicas, RayProblem::Stage::spec,
           least.is_known() ? min_node : max_node);
  }
}

/// `2.46.0` → {2, 46}; nullopt if it is not a version.
[[nodiscard]] std::optional<std::pair<int, int>> parse_ray_version(std::string_view text) {
  std::pair<int, int> version;
  const char* const end = text.data() + text.size();
  const auto major = std::from_chars(text.data(), end, version.first);
  if (major.ec != std::errc{} || major.ptr == end || *major.ptr != '.') return std::nullopt;
  const auto minor = std::from_chars(major.ptr + 1, end, version.second);
  if (minor.ec != std::errc{}) return std::nullopt;
  return version;
}

void RayChecker::check_v2_fields(const RayGroup& group) {
  const Node idle = group.node.get("idleTimeoutSeconds");
  if (const Field<std::int64_t> seconds = decode_int(idle); seconds.is_known()) {
    if (seconds.value() < 0)
      report(RayProblemKind::invalid_replicas, RayProblem::Stage::spec, idle);
    if (!may_be_v2()) report(RayProblemKind::needs_autoscaler_v2, RayProblem::Stage::spec, idle);
  }
  const Node priority = group.node.get("priority");
  if (!decode_int(priority).is_known()) return;
  const Field<std::string> version = decode_string(cluster_.spec.get("rayVersion"));
  const auto parsed = parse_ray_version(version.value_or(""));
  const bool is_old = !version.is_opaque() && (!parsed || *parsed < std::pair(2, 56));
  if (is_old) {
    report(RayProblemKind::old_ray_version, RayProblem::Stage::spec, priority);
  } else if (!may_be_v2()) {
    report(RayProblemKind::needs_autoscaler_v2, RayProblem::Stage::spec, priority);
  }
}

/// The head's `RAY_enable_autoscaler_v2` entry; null if there is none.
Node RayChecker::find_autoscaler_variable(const RayCluster& cluster) {
  for (const RayGroup& group : cluster.groups) {
    if (!group.is_head) continue;
    for (const Node variable : group.container.get("env").items()) {
      if (decode_string(variable.get("name")).equals("RAY_enable_autoscaler_v2")) return variable;
    }
  }
  return {};
}

/// Whether version 2 is selected, or may be through a placeholder; the operator does not check here
/// whether autoscaling is on.
bool RayChecker::may_be_v2() const {
  const Node version = cluster_.spec.at("autoscalerOptions", "version");
  const Node variable = autoscaler_variable_.get("value");
  if (version.is_opaque() || variable.is_opaque()) return true;
  const Field<std::string> value = decode_string(variable);
  const bool by_variable = value.equals("1") || value.equals("true");
  return by_variable || decode_string(version).equals("v2");
}

void RayChecker::check_autoscaler() {
  const Node options = cluster_.spec.get("autoscalerOptions");
  const Node idle = options.get("idleTimeoutSeconds");
  if (decode_int(idle).value_or(0) < 0)
    report(RayProblemKind::invalid_replicas, RayProblem::Stage::spec, idle);
  const Node variable = autoscaler_variable_;
  const Field<std::string> value = decode_string(variable.get("value"));
  const bool asks_for_v2 = value.equals("1") || value.equals("true");
  if (cluster_.spec.get("enableInTreeAutoscaling").is_opaque()) return;
  if (!scales()) {
    if (asks_for_v2)
      report(RayProblemKind::autoscaler_version_conflict, RayProblem::Stage::spec, variable);
    return;
  }
  const Field<std::string> version = decode_string(options.get("version"));
  if (version.is_known() && variable) {
    report(RayProblemKind::autoscaler_version_conflict, RayProblem::Stage::spec, variable);
  }
  for (const RayGroup& group : cluster_.groups) {
    if (!group.is_head && decode_bool(group.node.get("suspend")).value_or(false)) {
      report(RayProblemKind::suspended_group, RayProblem::Stage::spec, group.node.get("suspend"));
    }
    // if only the variable selects version 2, the policy is not checked
    const Field<std::string> policy =
        decode_string(group.node.at("template", "spec", "restartPolicy"));
    const bool is_wrong = policy.is_known() && policy.value() != "Never" && !policy.value().empty();
    if (version.equals("v2") && is_wrong) {
      report(RayProblemKind::restart_policy, RayProblem::Stage::spec, policy.node());
    }
  }
}

}  // namespace

void check_ray_cluster(RayCluster& cluster) { RayChecker(cluster).check(); }

}  // namespace gpulint
