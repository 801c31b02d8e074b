#include "compiler/engine/rule.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "compiler/api_validation/api_problem.h"
#include "compiler/api_validation/api_review.h"
#include "compiler/base/text.h"
#include "compiler/edit/edits.h"
#include "compiler/edit/move_entry.h"
#include "compiler/ir/node.h"
#include "compiler/model/facts/gpu_resource.h"
#include "compiler/model/kinds/pod_templates.h"
#include "compiler/model/read_pod.h"
#include "rules/support/api_problems.h"
#include "rules/support/indefinite_article.h"
#include "rules/support/pod_edits.h"
#include "rules/support/queries.h"

namespace gpulint::rules::misplaced_resources {
namespace {

/// A field that affects GPUs, and the place where Kubernetes reads it.
struct ValidParent {
  std::string_view field;
  std::string_view place;
};

constexpr auto valid_parents =
    std::to_array<ValidParent>({{"limits", "a container's `resources`"},
                                {"requests", "a container's `resources`"},
                                {"resources", "a container"},
                                {"tolerations", "the pod's `spec`"},
                                {"nodeSelector", "the pod's `spec`"},
                                {"affinity", "the pod's `spec`"},
                                {"nodeAffinity", "`affinity`"},
                                {"runtimeClassName", "the pod's `spec`"},
                                {"containers", "the pod's `spec`"},
                                {"hard", "the quota's `spec`"},
                                {"taints", "the node's `spec`"},
                                {"spec", "the same level as `metadata`"}});

[[nodiscard]] bool is_pod_field(std::string_view field) {
  constexpr std::array<std::string_view, 4> fields{"tolerations", "nodeSelector", "affinity",
                                                   "runtimeClassName"};
  return std::ranges::find(fields, field) != fields.end();
}

[[nodiscard]] bool is_of_group(const Workload& workload, std::span<const std::string_view> groups) {
  const std::string version = workload.api_version.value_or("");
  return std::ranges::any_of(groups,
                             [&](std::string_view group) { return version.starts_with(group); });
}

/// Whether containers of the workload's kind have the fields of Kubernetes' containers.
[[nodiscard]] bool has_plain_containers(const Workload& workload) {
  constexpr std::array<std::string_view, 10> groups{
      "serving.kserve.io/", "kubeflow.org/",       "ray.io/",      "leaderworkerset.x-k8s.io/",
      "jobset.x-k8s.io/",   "batch.volcano.sh/",   "argoproj.io/", "trainer.kubeflow.org/",
      "nvidia.com/",        "kubernetes.dask.org/"};
  return is_of_group(workload, groups);
}

/// In these kinds, objects around a pod can have valid fields with the names of a pod's fields.
[[nodiscard]] bool may_have_pod_fields_around(const Workload& workload) {
  constexpr std::array<std::string_view, 3> groups{"argoproj.io/", "trainer.kubeflow.org/",
                                                   "nvidia.com/"};
  return is_of_group(workload, groups);
}

[[nodiscard]] bool is_inside(Node node, Node ancestor) {
  while (node && node != ancestor) node = node.parent();
  return bool(node);
}

/// The pod of the object that the value belongs to: the one around it, or the only one. Otherwise
/// null.
[[nodiscard]] Node pod_of(const Corpus& corpus, Node value, const Workload& some) {
  std::vector<Node> pods;
  for (const Workload& workload : corpus.workloads) {
    if (workload.object != some.object) continue;
    if (is_inside(value, workload.pod.node)) return workload.pod.node;
    pods.push_back(workload.pod.node);
  }
  return pods.size() == 1 ? pods.front() : Node{};
}

/// The field with the most similar spelling; nullopt if none is similar.
[[nodiscard]] std::optional<std::string_view> nearest_field(std::string_view written) {
  std::array<std::string_view, valid_parents.size()> fields;
  std::ranges::transform(valid_parents, fields.begin(), &ValidParent::field);
  const auto meant = nearest(written, fields);
  const bool is_near = meant && edit_distance(to_lower(written), to_lower(*meant), 2) <= 2;
  return is_near ? meant : std::nullopt;
}

/// Whether the mapping has the field in another spelling, which would become the same key.
[[nodiscard]] bool has_misspelt(Node mapping, std::string_view field) {
  return std::ranges::any_of(mapping.entries(), [&](const Node::Entry& entry) {
    return entry.key.text() != field && nearest_field(entry.key.text()) == field;
  });
}

/// Adds keys of the mapping that are fields of a pod, or similar to one.
void add_pod_fields(Node mapping, std::vector<Node>& keys) {
  for (const Node::Entry& entry : mapping.fields()) {
    const auto meant = nearest_field(entry.key.text());
    const bool is_one = is_pod_field(entry.key.text()) || (meant && is_pod_field(*meant));
    if (is_one && !entry.key.is_opaque()) keys.push_back(entry.key);
  }
}

/// A key similar to `resources`, with GPUs below it, in a container without `resources`.
[[nodiscard]] bool are_misspelt_resources(const Container& container, const Node::Entry& entry) {
  if (entry.key.is_opaque() || container.node.get("resources")) return false;
  if (nearest_field(entry.key.text()) != "resources") return false;
  const auto names_gpus = [](const Node::Entry& amount) {
    return is_gpu_resource(amount.key.text());
  };
  return std::ranges::any_of(entry.value.fields(), [&](const Node::Entry& list) {
    return names_gpus(list) || std::ranges::any_of(list.value.fields(), names_gpus);
  });
}

/// Null for other fields.
[[nodiscard]] const ValidParent* find_valid_parent(std::string_view field) {
  const auto* found = std::ranges::find(valid_parents, field, &ValidParent::field);
  return found == valid_parents.end() ? nullptr : found;
}

/// Keys that only hold anchors, and keys that other rules report: requirements in the form of a
/// toleration, and `resourceClaims[].source`, which Kubernetes 1.31 flattened.
[[nodiscard]] bool is_field_told_elsewhere(Node key) {
  const Node owner = key.parent();
  const std::string_view op = owner.get("operator").text();
  const bool is_single_value =
      key.text() == "value" && !owner.get("values") && (op == "In" || op == "NotIn");
  const bool is_classic_claim =
      key.text() == "source" && owner.parent().key().text() == "resourceClaims";
  const bool is_top = !owner.parent();
  return is_single_value || is_classic_claim || (is_top && holds_anchor(key.value()));
}

/// Such keys next to the pod's `spec` and around its template, in kinds without such fields.
[[nodiscard]] std::vector<Node> find_fields_around(const Workload& workload) {
  std::vector<Node> keys;
  if (!has_plain_containers(workload) || may_have_pod_fields_around(workload)) return keys;
  const Node own = workload.pod.node;
  if (workload.template_node != own) add_pod_fields(workload.template_node, keys);
  for (const Node around : workload.around) {
    if (around != own && around != workload.template_node) add_pod_fields(around, keys);
  }
  return keys;
}

/// Whether an operator builds the pod from separate fields, without `containers`.
[[nodiscard]] bool is_without_containers(const Workload& workload) {
  const Node pod = workload.pod.node;
  return pod.is_mapping() && !pod.get("containers") && !workload.pod.containers.empty();
}

/// Keys of such a pod, or of one in a custom resource, that are similar to a pod's field.
[[nodiscard]] std::vector<Node> find_misspelt_fields(const Workload& workload) {
  const Node pod = workload.pod.node;
  std::vector<Node> keys;
  if (!is_without_containers(workload) && !is_completed_later(workload)) return keys;
  for (const Node::Entry& entry : pod.fields()) {
    const std::string_view written = entry.key.text();
    const auto meant = nearest_field(written);
    if (!meant || *meant == written || !is_pod_field(*meant) || pod.get(*meant)) continue;
    if (!entry.value.is_scalar() && !entry.key.is_opaque()) keys.push_back(entry.key);
  }
  return keys;
}

/// Moves a field to its valid parent. No edits if the parent already has it, if several pods are
/// possible, or if the layout does not allow it. `workload` is a pod of the object or null.
[[nodiscard]] std::vector<Edit> move_to_valid_parent(const Corpus& corpus, Node value,
                                                     const Workload* workload) {
  if (!value) return {};
  const std::string_view field = value.key().text();
  const Node holder = value.parent();
  if (field == "spec") {
    const bool is_beside_name = holder.key().text() == "metadata" && value.is_mapping();
    return is_beside_name ? move_out(*corpus.sources, value) : std::vector<Edit>{};
  }
  if (!is_pod_field(field) || workload == nullptr) return {};
  const Node pod = pod_of(corpus, value, *workload);
  if (!pod || pod == holder || has_misspelt(pod, field)) return {};
  return move_entry(*corpus.sources, value, {pod, {}});
}

constexpr std::string_view an_entry_of = "an entry of ";

[[nodiscard]] std::string describe_entry(std::string_view list) {
  if (list == "containers") return "a container";
  if (list == "initContainers") return "an init container";
  return fmt::format("{}`{}`", an_entry_of, list);
}

/// `` `resources` ``, ``the pod's `securityContext` ``: a container's has other fields.
[[nodiscard]] std::string describe_mapping(std::string_view way) {
  const std::size_t name_begin = way.rfind('.') + 1;  // 0 without a dot
  const std::string_view name = way.substr(name_begin);
  if (name != "securityContext") return fmt::format("`{}`", name);
  const bool is_of_container = way.substr(0, name_begin).ends_with("].");
  return fmt::format("{} `{}`", is_of_container ? "a container's" : "the pod's", name);
}

[[nodiscard]] std::string describe_owner(const ApiProblem& problem) {
  std::string_view way = problem.path;
  const std::string key = fmt::format(".{}", problem.node.text());
  if (!way.ends_with(key)) return "the object";
  way.remove_suffix(key.size());
  const std::size_t name_end = way.find_last_not_of("[]0123456789") + 1;
  const bool is_entry = way.ends_with(']');
  if (is_entry) way = way.substr(0, name_end);
  return is_entry ? describe_entry(way.substr(way.rfind('.') + 1)) : describe_mapping(way);
}

/// The owner of the key: `` `resources` ``, ``an entry of `tolerations` ``, `a container`, `the
/// object`. By the place where the key is written, which may be an anchor.
[[nodiscard]] std::string describe_owner(Node key) {
  const Node owner = key.parent();
  if (owner.key()) return fmt::format("`{}`", owner.key().text());
  const Node list = owner.parent();
  return list.is_sequence() && list.key() && list.key().text() != "items"
             ? describe_entry(list.key().text())
             : "the object";
}

/// Whether the API server reports the key as an unknown field.
[[nodiscard]] bool is_unknown_to_api(const Corpus& corpus, Node key) {
  return std::ranges::any_of(corpus.api->findings(), [&](const ApiFinding& finding) {
    return finding.problem.issue == ApiIssue::unknown_field && finding.problem.node == key;
  });
}

/// The keys `spec` of pods inside the `metadata` of their template, if the pod may request GPUs and
/// `metadata` has only the usual fields.
[[nodiscard]] std::vector<Node> find_specs_in_metadata(Node object) {
  constexpr std::array<std::string_view, 6> fields{"name",        "generateName", "namespace",
                                                   "annotations", "labels",       "spec"};
  const auto is_plain = [&](Node metadata) {
    const std::vector<Node::Entry> entries = metadata.entries();
    return std::ranges::all_of(entries, [&](const Node::Entry& entry) {
      return std::ranges::find(fields, entry.key.text()) != fields.end();
    });
  };
  std::vector<Node> keys;
  walk(object, [&](Node node) {
    const Node metadata = node.parent();
    if (node.key().text() != "spec" || metadata.key().text() != "metadata") return;
    if (metadata.parent().get("spec") || node.get("containers").size() == 0) return;
    if (is_plain(metadata) && may_request_gpu(read_pod_spec(node))) keys.push_back(node.key());
  });
  return keys;
}

/// Keys of the container that are fields of a pod, or similar to one, in custom resources with
/// Kubernetes' containers (KServe, Kubeflow, KubeRay, LeaderWorkerSet, JobSet, Volcano, Argo
/// Workflows, Dask, Dynamo).
[[nodiscard]] std::vector<Node> find_pod_fields(const Workload& workload,
                                                const Container& container) {
  std::vector<Node> keys;
  if (has_plain_containers(workload)) add_pod_fields(container.node, keys);
  return keys;
}

/// Moves `limits` or `requests` of a container into its `resources`, which are created if missing.
[[nodiscard]] std::vector<Edit> move_into_resources(const SourceSet& sources, Node list) {
  const Node container = list.parent();
  if (const Node resources = container.get("resources")) {
    return move_entry(sources, list, {resources, {}});
  }
  // Two edits would create the key twice.
  if (container.get("limits") && container.get("requests")) return {};
  return move_entry(sources, list, {container, {"resources"}});
}

/// `place`, or which `spec` it is if it is not the pod's.
[[nodiscard]] std::string describe_place(Node key, std::string_view place,
                                         const Workload* workload) {
  const Node owner = key.parent();
  const bool is_of_object = workload != nullptr && workload->kind.is_known() &&
                            owner == workload->object.get("spec") && owner != workload->pod.node;
  return is_of_object ? fmt::format("the `spec` of the {}", workload->kind.value())
                      : std::string(place);
}

/// The mapping with the pod's fields: `` `predictor` ``, ``the entry of `templates` ``.
[[nodiscard]] std::string pod_place_of(const Workload& workload) {
  const Node pod = workload.pod.node;
  if (pod.key()) return fmt::format("`{}`", pod.key().text());
  const Node list = pod.parent();
  return list.is_sequence() && list.key() ? fmt::format("the entry of `{}`", list.key().text())
                                          : std::string("the mapping with the pod's fields");
}

/// Where the field belongs in the workload, which may be null.
[[nodiscard]] std::string target_of(const ValidParent& parent, const Workload* workload) {
  const bool is_of_operator = workload != nullptr && is_without_containers(*workload);
  return is_of_operator ? pod_place_of(*workload) : std::string(parent.place);
}

/// `of a container`, ``in an entry of `templates` ``.
[[nodiscard]] std::string with_preposition(std::string_view place) {
  return fmt::format("{} {}", place.starts_with(an_entry_of) ? "in" : "of", place);
}

/// Where the field belongs and where it is.
[[nodiscard]] std::string describe_move(std::string_view field, std::string_view target,
                                        std::string_view place) {
  const bool is_other_spec = place == "`spec`" && target.ends_with(" `spec`");
  return fmt::format("`{}` belongs {} {}, but is {} {}", field,
                     target.starts_with("the same level") ? "at" : "in", target,
                     place == "the object" ? "directly in" : "in",
                     is_other_spec ? "a different `spec`" : place);
}

/// Offers to move the field, whose message names the place where it belongs.
void offer_move(Finding& finding, std::string_view field, std::string_view target,
                std::vector<Edit> edits) {
  const std::string action = fmt::format("move `{}` to {}", field, target);
  if (edits.empty()) {
    finding.help("{}. Otherwise Kubernetes ignores or rejects `{}`", action, field);
    return;
  }
  finding.help("Kubernetes ignores or rejects `{}` in this place", field)
      .fix(Safety::unsafe, action, std::move(edits));
}

/// The place of a field that Kubernetes has, but not in this mapping; empty for other fields.
[[nodiscard]] std::string_view right_place(std::string_view field, std::string_view place) {
  constexpr std::array<std::string_view, 3> amounts{"cpu", "memory", "ephemeral-storage"};
  constexpr std::array<std::string_view, 5> of_containers{"allowPrivilegeEscalation",
                                                          "capabilities", "privileged", "procMount",
                                                          "readOnlyRootFilesystem"};
  if (place == "`resources`" && is_listed(amounts, field)) return "`requests` or `limits`";
  const bool is_of_container =
      place == "the pod's `securityContext`" && is_listed(of_containers, field);
  return is_of_container ? "a container's `securityContext`" : "";
}

/// What to do with an unknown field that is not a misspelt one. `meant`: the similar field next to
/// it, or empty.
[[nodiscard]] std::string advise(std::string_view field, std::string_view meant,
                                 std::string_view place) {
  if (!meant.empty()) {
    return fmt::format("move the content of `{0}` to `{1}`, or remove `{0}`", field, meant);
  }
  const std::string_view target = right_place(field, place);
  return target.empty()
             ? fmt::format("correct the name or the place of `{}`, or remove the field", field)
             : fmt::format("move `{}` to {}", field, target);
}

/// Reports an unknown field, if a field that affects GPUs is meant. `workload` is the pod of the
/// field or null.
void check_unknown_field(const Corpus& corpus, Reporter& reporter, Node key, std::string_view place,
                         const Workload* workload) {
  if (is_field_told_elsewhere(key)) return;
  const std::string_view written = key.text();
  const Node value = key.value();
  if (const ValidParent* parent = find_valid_parent(written)) {
    const std::string target = target_of(*parent, workload);
    Finding finding = reporter.report(
        key, "{}", describe_move(written, target, describe_place(key, place, workload)));
    offer_move(finding, written, target, move_to_valid_parent(corpus, value, workload));
    return;
  }
  const auto meant = nearest_field(written);
  if (!meant || key.parent().get(*meant)) {
    reporter.report(key, "`{}` is not a field {}", written, with_preposition(place))
        .help("{}. Otherwise `kubectl apply` rejects the object",
              advise(written, meant.value_or(""), place));
    return;
  }
  Finding finding = reporter.report(
      key, "{} has no field `{}`, so Kubernetes ignores or rejects the field", place, written);
  const bool is_in_container = place == "a container" || place == "an init container";
  const bool is_moved = is_in_container && *meant != "resources";
  if (is_moved) {
    finding.help("rename `{}` to `{}`, and move the field to {}", written, *meant,
                 target_of(*find_valid_parent(*meant), workload));
  } else {
    finding.help("did you mean `{}`?", *meant);
  }
  finding.fix(Safety::unsafe,
              fmt::format("rename to `{}`{}", *meant, is_moved ? "; move the field yourself" : ""),
              replace_string(*corpus.sources, key, *meant));
}

/// Reports fields of the pod that are misspelt or outside of it, unless they are already in `told`.
void check_fields(const Corpus& corpus, Reporter& reporter, const Workload& workload,
                  std::set<Span>& told) {
  for (const Container& container : workload.pod.containers) {
    for (const Node::Entry& entry : container.node.fields()) {
      if (!are_misspelt_resources(container, entry) || is_unknown_to_api(corpus, entry.key))
        continue;
      if (!told.insert(entry.key.span()).second) continue;
      check_unknown_field(corpus, reporter, entry.key, "a container", &workload);
    }
  }
  if (!may_request_gpu(workload.pod)) return;
  for (const auto& keys : {find_misspelt_fields(workload), find_fields_around(workload)}) {
    for (const Node key : keys) {
      if (is_unknown_to_api(corpus, key) || !told.insert(key.span()).second) continue;
      check_unknown_field(corpus, reporter, key, describe_owner(key), &workload);
    }
  }
}

/// Reports names of resources next to Dynamo's keys for amounts, `gpu` and `custom` (ai-dynamo/
/// dynamo, deploy/cloud/operator/api/dynamo/common/common.go): the API server drops them.
void report_dynamo_amounts(Reporter& reporter, const Workload& workload) {
  const bool is_dynamo = workload.kind.equals("DynamoGraphDeployment") ||
                         workload.kind.equals("DynamoComponentDeployment");
  if (!is_dynamo || workload.pod.node.get("containers")) return;
  for (const Container& container : workload.pod.containers) {
    const ResourceRequirements& resources = container.resources;
    for (const auto& [place, list] :
         {std::pair<std::string_view, Node>("limits", resources.limits_node),
          {"requests", resources.requests_node}}) {
      for (const Node::Entry& entry : list.fields()) {
        const std::string_view name = entry.key.text();
        if (name.find('/') == name.npos || !is_gpu_resource(name)) continue;
        reporter.report(entry.key, "`{}` is not a field of Dynamo's `{}`", name, place)
            .help(
                "set the number of GPUs in `gpu`, and other resources in `custom`. Otherwise "
                "Kubernetes ignores or rejects `{}`",
                name);
      }
    }
  }
}

/// Reports amounts of GPUs next to `limits`. A chart or an unknown kind may have its own `gpu`.
void report_bare_amounts(const Corpus& corpus, Reporter& reporter, const Container& container,
                         bool has_own_keys = false) {
  for (const auto& [key, value] : container.resources.node.entries()) {
    const std::string_view name = key.text();
    if (name == "limits" || name == "requests" || !is_gpu_resource(name)) continue;
    if (has_own_keys && name.find('/') == std::string_view::npos) continue;
    Finding finding =
        reporter.report(key, "`{}` belongs in `limits`, but is directly in `resources`", name);
    offer_move(finding, name, "`limits`", move_to_limits(*corpus.sources, value));
  }
}

/// Reports a mapping, list or scalar where the API requires another type.
void report_shape(Reporter& reporter, const ApiProblem& problem) {
  const Node at = problem.node;
  const std::string_view name = last_field(problem);
  const std::string wanted = with_article(wanted_type(problem));
  Finding finding =
      !at.is_scalar() ? reporter.report_key(at, "`{}` must be {}, but is a {}", name, wanted,
                                            at.is_mapping() ? "mapping" : "list")
      : at.key() ? reporter.report(at, "`{}` must be {}, but is a {}", name, wanted, read_type(at))
                 : reporter.report(at, "each item of `{}` must be {}, but this item is a {}", name,
                                   wanted, read_type(at));
  finding.help("write {}. Otherwise the API server rejects the object", wanted);
}

[[nodiscard]] bool is_resource_list(std::string_view key) {
  return key == "limits" || key == "requests";
}

/// Checks containers of any kind of object, also for `limits` outside of `resources`.
void check_container(const Corpus& corpus, Reporter& reporter, const Container& container) {
  report_bare_amounts(corpus, reporter, container);
  for (const auto& [key, value] : container.node.entries()) {
    if (!is_resource_list(key.text())) continue;
    Finding finding = reporter.report(
        key, "`{}` belongs in the container's `resources`, but is {}", key.text(),
        container.resources.node ? "next to `resources`" : "directly in the container");
    offer_move(finding, key.text(), "the container's `resources`",
               move_into_resources(*corpus.sources, value));
  }
}

/// Reports a problem that the API server finds in the object.
void check_problem(const Corpus& corpus, Reporter& reporter, const ApiFinding& finding) {
  const Node at = finding.problem.node;
  const std::string_view written = at.text();
  if (is_wrong_shape(finding.problem)) {
    report_shape(reporter, finding.problem);
  } else if (is_pod_level_gpu(finding.problem)) {
    reporter.report(at, "pod-level `resources` cannot contain `{}`", written)
        .help(
            "move `{}` to the `resources` of a container. Otherwise the API server rejects the "
            "object",
            written);
  } else if (finding.problem.issue == ApiIssue::unknown_field && !at.key() && written != "...") {
    const bool told =
        is_gpu_resource(written) || (is_resource_list(written) && at.parent().get("name"));
    if (told) return;
    check_unknown_field(corpus, reporter, at, describe_owner(finding.problem), finding.workload);
  }
}

void check(const Corpus& corpus, Reporter& reporter) {
  std::set<Span> told;  // several pods may share the object around them
  for (const Workload& workload : corpus.workloads) {
    if (workload.origin != Workload::Origin::manifest) continue;
    for (const Container& container : workload.pod.containers) {
      check_container(corpus, reporter, container);
      for (const Node key : find_pod_fields(workload, container)) {
        check_unknown_field(corpus, reporter, key, describe_owner(key), &workload);
      }
    }
    check_fields(corpus, reporter, workload, told);
    report_dynamo_amounts(reporter, workload);
  }
  for (const Workload& workload : corpus.fragments) {
    if (workload.origin != Workload::Origin::values) continue;
    for (const Container& container : workload.pod.containers) {
      report_bare_amounts(corpus, reporter, container, true);
    }
  }
  for (const KubernetesObject& object : corpus.objects) {
    if (object.kind.equals("Node")) continue;
    for (const Node spec : find_specs_in_metadata(object.node)) {
      if (is_unknown_to_api(corpus, spec)) continue;
      check_unknown_field(corpus, reporter, spec, describe_owner(spec), nullptr);
    }
  }
  for (const ApiFinding& finding : corpus.api->findings()) check_problem(corpus, reporter, finding);
}

}  // namespace

extern constinit const Rule rule{.info = {.category = "resources", .fix = FixAvailability::unsafe},
                                 .check = check};

}  // namespace gpulint::rules::misplaced_resources
