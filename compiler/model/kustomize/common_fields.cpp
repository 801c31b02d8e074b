#include "compiler/model/kustomize/common_fields.h"

#include <algorithm>
#include <array>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compiler/model/facts/kubernetes_kinds.h"

namespace gpulint::kustomize {
namespace {

// kustomize v5.8.2, api/internal/konfig/builtinpluginconsts.
constexpr std::string_view apps = "apps";
constexpr std::string_view batch = "batch";
constexpr std::string_view networking = "networking.k8s.io";
constexpr FieldSpec own_labels{.path = "metadata/labels"};
constexpr std::array<FieldSpec, 8> label_templates{
    {{"spec/template/metadata/labels", true, {}, "v1", "ReplicationController"},
     {"spec/template/metadata/labels", true, {}, {}, "Deployment"},
     {"spec/template/metadata/labels", true, {}, {}, "ReplicaSet"},
     {"spec/template/metadata/labels", true, {}, {}, "DaemonSet"},
     {"spec/template/metadata/labels", true, apps, {}, "StatefulSet"},
     {"spec/template/metadata/labels", true, batch, {}, "Job"},
     {"spec/jobTemplate/metadata/labels", true, batch, {}, "CronJob"},
     {"spec/jobTemplate/spec/template/metadata/labels", true, batch, {}, "CronJob"}}};
/// With `includeSelectors`, and of `commonLabels`.
constexpr std::array<FieldSpec, 13> selectors{
    {{"spec/volumeClaimTemplates[]/metadata/labels", true, apps, {}, "StatefulSet"},
     {"spec/selector", true, {}, "v1", "Service"},
     {"spec/selector", true, {}, "v1", "ReplicationController"},
     {"spec/selector/matchLabels", true, {}, {}, "Deployment"},
     {"spec/selector/matchLabels", true, {}, {}, "ReplicaSet"},
     {"spec/selector/matchLabels", true, {}, {}, "DaemonSet"},
     {"spec/selector/matchLabels", true, apps, {}, "StatefulSet"},
     {"spec/selector/matchLabels", false, batch, {}, "Job"},
     {"spec/jobTemplate/spec/selector/matchLabels", false, batch, {}, "CronJob"},
     {"spec/selector/matchLabels", false, "policy", {}, "PodDisruptionBudget"},
     {"spec/podSelector/matchLabels", false, networking, {}, "NetworkPolicy"},
     {"spec/ingress/from/podSelector/matchLabels", false, networking, {}, "NetworkPolicy"},
     {"spec/egress/to/podSelector/matchLabels", false, networking, {}, "NetworkPolicy"}}};
/// Of Deployments and StatefulSets of the group `apps`, if they have them.
constexpr std::array<std::string_view, 5> pod_selectors{
    "spec/template/spec/affinity/podAffinity/preferredDuringSchedulingIgnoredDuringExecution/"
    "podAffinityTerm/labelSelector/matchLabels",
    "spec/template/spec/affinity/podAffinity/requiredDuringSchedulingIgnoredDuringExecution/"
    "labelSelector/matchLabels",
    "spec/template/spec/affinity/podAntiAffinity/preferredDuringSchedulingIgnoredDuringExecution/"
    "podAffinityTerm/labelSelector/matchLabels",
    "spec/template/spec/affinity/podAntiAffinity/requiredDuringSchedulingIgnoredDuringExecution/"
    "labelSelector/matchLabels",
    "spec/template/spec/topologySpreadConstraints/labelSelector/matchLabels"};
constexpr std::array<FieldSpec, 9> annotations{
    {{"metadata/annotations"},
     {"spec/template/metadata/annotations", true, {}, "v1", "ReplicationController"},
     {"spec/template/metadata/annotations", true, {}, {}, "Deployment"},
     {"spec/template/metadata/annotations", true, {}, {}, "ReplicaSet"},
     {"spec/template/metadata/annotations", true, {}, {}, "DaemonSet"},
     {"spec/template/metadata/annotations", true, {}, {}, "StatefulSet"},
     {"spec/template/metadata/annotations", true, batch, {}, "Job"},
     {"spec/jobTemplate/metadata/annotations", true, batch, {}, "CronJob"},
     {"spec/jobTemplate/spec/template/metadata/annotations", true, batch, {}, "CronJob"}}};

/// Kinds that kustomize gives no namespace (kyaml/openapi, precomputedIsNamespaceScoped). All
/// others receive one, including cluster-wide custom resources
constexpr std::array<std::string_view, 20> cluster_kinds{"APIService",
                                                         "CSIDriver",
                                                         "CSINode",
                                                         "CertificateSigningRequest",
                                                         "ClusterRole",
                                                         "ClusterRoleBinding",
                                                         "ComponentStatus",
                                                         "CustomResourceDefinition",
                                                         "IngressClass",
                                                         "MutatingWebhookConfiguration",
                                                         "Namespace",
                                                         "Node",
                                                         "NodeProxyOptions",
                                                         "PersistentVolume",
                                                         "PodSecurityPolicy",
                                                         "PriorityClass",
                                                         "RuntimeClass",
                                                         "StorageClass",
                                                         "ValidatingWebhookConfiguration",
                                                         "VolumeAttachment"};

[[nodiscard]] bool is_cluster_scoped(const ResourceId& id) {
  const std::string_view group = api_group(id.api_version);
  const bool is_builtin = group.empty() || group == "policy" || group.ends_with(".k8s.io");
  return is_builtin && std::ranges::find(cluster_kinds, id.kind) != cluster_kinds.end();
}

[[nodiscard]] bool has_field(const FieldSpec& field, const ResourceId& id) {
  const std::string_view version = std::string_view(id.api_version);
  return (field.kind.empty() || field.kind == id.kind) &&
         (field.group.empty() || field.group == api_group(version)) &&
         (field.version.empty() || field.version == version.substr(version.rfind('/') + 1));
}

[[nodiscard]] CommonFields::Given read_given(Node mapping) {
  CommonFields::Given given;
  for (const auto& [key, value] : mapping.fields()) {
    if (auto read = read_value(value); read && value.is_scalar()) {
      given.pairs.emplace_back(key, std::move(*read));
    }
  }
  const Node own_key = mapping.key();
  if (!given.pairs.empty()) given.source = own_key ? own_key : given.pairs.front().first;
  return given;
}

/// Sets the pairs in each mapping at the path; lists in the path item by item.
void set_pairs(Value& at, std::string_view path, bool creates, const CommonFields::Given& given) {
  if (at.is_sequence()) {
    for (Value& item : at.items) set_pairs(item, path, creates, given);
    return;
  }
  if (!at.is_mapping()) return;
  if (path.empty()) {
    for (const auto& [key, value] : given.pairs) at.set(key, key.text(), value);
    return;
  }
  const std::size_t end = std::min(path.find('/'), path.size());
  std::string_view name = path.substr(0, end);
  const bool is_list = name.ends_with("[]");
  if (is_list) name.remove_suffix(2);
  Value* inner = at.find(name);
  if (inner == nullptr || inner->is_null()) {
    if (!creates || is_list) return;
    Value made;
    made.kind = NodeKind::mapping;
    made.written = given.source;  // not a mapping, so no fix adds to it
    at.set(given.source, name, std::move(made));
    inner = at.find(name);
  }
  set_pairs(*inner, path.substr(std::min(end + 1, path.size())), creates, given);
}

/// The fields of labels other than those of `metadata`.
void add_template_fields(std::vector<FieldSpec>& fields) {
  fields.insert(fields.end(), label_templates.begin(), label_templates.end());
}

void add_selector_fields(std::vector<FieldSpec>& fields) {
  fields.insert(fields.end(), selectors.begin(), selectors.end());
  for (const std::string_view path : pod_selectors) {
    for (const std::string_view kind : {"Deployment", "StatefulSet"}) {
      fields.push_back({path, false, apps, {}, kind});
    }
  }
}

[[nodiscard]] bool is_true(Node node) { return node.text() == "true"; }

/// The fields that an entry of `labels` sets.
[[nodiscard]] std::vector<FieldSpec> fields_of(Node entry) {
  std::vector<FieldSpec> fields{own_labels};
  for (const Node field : entry.get("fields").items()) {
    const FieldSpec spec{field.get("path").text(), is_true(field.get("create")),
                         field.get("group").text(), field.get("version").text(),
                         field.get("kind").text()};
    if (!spec.path.empty()) fields.push_back(spec);
  }
  const bool includes_selectors = is_true(entry.get("includeSelectors"));
  if (includes_selectors || is_true(entry.get("includeTemplates"))) add_template_fields(fields);
  if (includes_selectors) add_selector_fields(fields);
  return fields;
}

[[nodiscard]] Value* metadata_of(Resource& resource) {
  Value* const metadata = resource.tree->find("metadata");
  return metadata != nullptr && metadata->is_mapping() ? metadata : nullptr;
}

}  // namespace

CommonFields::CommonFields(const Kustomization& kustomization)
    : name_space_(kustomization.root.get("namespace")),
      prefix_(kustomization.root.get("namePrefix").text()),
      suffix_(kustomization.root.get("nameSuffix").text()),
      keeps_names_(kustomization.configures_names) {
  const Node root = kustomization.root;
  const auto add = [&](Node pairs, std::vector<FieldSpec> fields) {
    Given given = read_given(pairs);
    if (given.pairs.empty()) return;
    given.fields = std::move(fields);
    given_.push_back(std::move(given));
  };
  for (const Node entry : root.get("labels").items()) add(entry.get("pairs"), fields_of(entry));
  std::vector<FieldSpec> all{own_labels};
  add_template_fields(all);
  add_selector_fields(all);
  add(root.get("commonLabels"), std::move(all));
  add(root.get("commonAnnotations"), {annotations.begin(), annotations.end()});
}

void CommonFields::set(Resource& resource) const {
  const bool renames = !prefix_.empty() || !suffix_.empty();
  if (resource.is_deleted || (!renames && name_space_.text().empty() && given_.empty())) return;
  if (!resource.tree) resource.tree = read_value(resource.source.node);
  if (!resource.tree || !resource.tree->is_mapping()) return;
  set_namespace(resource);
  if (renames) set_name(resource);
  for (const Given& given : given_) {
    for (const FieldSpec& field : given.fields) {
      if (has_field(field, resource.ids.front())) {
        set_pairs(*resource.tree, field.path, field.creates, given);
      }
    }
  }
}

void CommonFields::set_namespace(Resource& resource) const {
  ResourceId id = resource.ids.back();
  const bool is_namespace = id.kind == "Namespace" && id.api_version == "v1";
  Value* const metadata = metadata_of(resource);
  if (name_space_.text().empty() || metadata == nullptr) return;
  if (is_cluster_scoped(id) && !is_namespace) return;
  auto value = read_value(name_space_);
  if (!value) return;
  const Node key = name_space_.key();
  metadata->set(key ? key : name_space_, is_namespace ? "name" : "namespace", std::move(*value));
  (is_namespace ? id.name : id.name_space) = std::string(name_space_.text());
  if (id != resource.ids.back()) resource.ids.push_back(std::move(id));
}

void CommonFields::set_name(Resource& resource) const {
  ResourceId id = resource.ids.back();
  if (id.kind == "CustomResourceDefinition" || id.kind == "Namespace" || id.kind == "APIService") {
    return;
  }
  if (id.name.empty()) return;
  id.name = prefix_ + id.name + suffix_;
  Value* const metadata = metadata_of(resource);
  Value* const name = metadata == nullptr ? nullptr : metadata->find("name");
  if (name != nullptr && !keeps_names_) {
    resource.affixes += prefix_ + "/" + suffix_ + "/";
    name->made_text = std::make_shared<const std::string>(id.name);
  }
  resource.ids.push_back(std::move(id));
}

}  // namespace gpulint::kustomize
