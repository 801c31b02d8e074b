#include "rules/misspelt-reference/find_references.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "compiler/base/text.h"
#include "compiler/ir/field.h"
#include "compiler/ir/read.h"
#include "compiler/model/corpus/corpus.h"
#include "compiler/model/facts/kubernetes_kinds.h"
#include "compiler/model/gitops/values_place.h"
#include "compiler/model/kinds/chart_values.h"
#include "compiler/model/kinds/operator_keys.h"
#include "rules/misspelt-reference/other_references.h"
#include "rules/support/causes.h"
#include "rules/support/device_plugin.h"
#include "rules/support/dra_queries.h"

namespace gpulint::rules::misspelt_reference {
namespace {

[[nodiscard]] std::optional<std::string> stated(const Field<std::string>& name_space) {
  return name_space.is_known() ? std::optional(name_space.value()) : std::nullopt;
}

/// Those of a claim's requests, or of a template's; none where one is open.
[[nodiscard]] Names request_names(const KubernetesObject& object) {
  const Node spec = object.node.get("spec");
  const Node inner = object.kind.equals("ResourceClaimTemplate") ? spec.get("spec") : spec;
  Names names;
  for (const Node request : inner.at("devices", "requests").items()) {
    const Field<std::string> name = read_string(request, "name");
    if (!name.is_known()) return {};
    names.push_back({name.value(), name.node()});
  }
  return names;
}

/// The ResourceClaims and ResourceClaimTemplates that pods name.
[[nodiscard]] std::set<std::string, std::less<>> names_of_claims(const Corpus& corpus) {
  std::set<std::string, std::less<>> names;
  for (const Workload& workload : corpus.workloads) {
    for (const Node claim : workload.pod.node.get("resourceClaims").items()) {
      for (const std::string_view key : {"resourceClaimName", "resourceClaimTemplateName"}) {
        const Field<std::string> name = read_string(claim, key);
        if (name.is_known()) names.insert(name.value());
      }
    }
  }
  return names;
}

/// Whether it is a device class that a driver makes by itself.
[[nodiscard]] bool is_own_class(std::string_view name) {
  return std::ranges::any_of(dra_device_classes(),
                             [&](const DraDeviceClass& own) { return own.name == name; });
}

/// Whether what a cluster answered is among the objects: its classes, each as the API server keeps
/// it or beside slices, which drivers write.
[[nodiscard]] bool has_classes_of_cluster(const Corpus& corpus) {
  std::set<const Document*> lists;
  std::set<const Document*> with_slices;
  for (const KubernetesObject& object : corpus.objects) {
    const Document* document = object.node.document();
    if (object.node == root(*document)) continue;
    if (object.kind.equals("ResourceSlice")) with_slices.insert(document);
    if (!object.kind.equals("DeviceClass")) continue;
    lists.insert(document);
    if (object.node.at("metadata", "uid")) with_slices.insert(document);
  }
  return std::ranges::any_of(lists, [&](auto* list) { return with_slices.contains(list); });
}

constexpr std::string_view plugin_config_label = "nvidia.com/device-plugin.config";

constexpr std::string_view config_effect =
    "the plugin's configuration manager refuses a name that its ConfigMap has no file of";

constexpr std::string_view config_map_effect = "pods that mount it stay in ContainerCreating";

[[nodiscard]] bool has(const Names& names, std::string_view name) {
  return std::ranges::find(names, name, &Value<std::string>::value) != names.end();
}

/// Calls `found` with what is at the path, where `list[]` means each item.
template <class Found>
void visit(Node from, std::string_view path, const Found& found) {
  std::string_view key = take_part(path, '.');
  const bool is_list = key.ends_with("[]");
  if (is_list) key.remove_suffix(2);
  const Node at = from.get(key);
  for (const Node node : is_list ? at.items() : std::vector{at}) {
    if (!path.empty()) {
      visit(node, path, found);
    } else if (node) {
      found(node);
    }
  }
}

class Finder {
 public:
  explicit Finder(const Corpus& corpus)
      : corpus_(corpus),
        objects_(corpus),
        claims_(corpus),
        has_classes_of_cluster_(has_classes_of_cluster(corpus)),
        named_claims_(names_of_claims(corpus)) {}

  [[nodiscard]] std::vector<Reference> find() {
    for (const Workload& workload : corpus_.workloads) add_pod(workload);
    for (const KubernetesObject& object : corpus_.objects) add_object(object);
    for (const ChartUse& use : corpus_.chart_uses) {
      if (use.keys->name == "GPU Operator") add_operator(use.values, chart_namespace(use.values));
    }
    add_plugin_configs();
    add_chart_classes();
    std::ranges::move(find_queue_references(corpus_, objects_), std::back_inserter(references_));
    std::ranges::move(find_other_references(corpus_, objects_), std::back_inserter(references_));
    std::ranges::move(find_path_references(corpus_), std::back_inserter(references_));
    return std::move(references_);
  }

 private:
  void add(const Field<std::string>& name, std::string_view kind, const Names& targets,
           std::string_view effect, Certainty certainty = Certainty::none) {
    add_reference(references_, name, kind, targets, effect, certainty);
  }

  /// Of what is looked for in the user's own namespace: where it is not among `targets`, that of
  /// its name in another one, by both names.
  void add_local(const Field<std::string>& name, std::string_view kind, const Names& targets,
                 Node user, std::string_view effect) {
    if (name.is_known() && has(targets, name.value())) return;
    const Field<std::string> home = read_string(user.get("metadata"), "namespace");
    const Names elsewhere = objects_.names_elsewhere(kind, name, home);
    if (!elsewhere.empty()) return add(name, kind, elsewhere, effect, Certainty::likely);
    const Names shortened = unnamed_neighbours(name, targets);
    if (shortened.size() != 1) return add(name, kind, targets, effect);
    add(name, kind, shortened, effect, Certainty::likely);
  }

  /// Of claims and templates that no pod names, those that have a character more than the name, or
  /// less: even of a digit that is a slip, where nobody else can be meant.
  [[nodiscard]] Names unnamed_neighbours(const Field<std::string>& name,
                                         const Names& targets) const {
    Names found;
    for (const Value<std::string>& target : targets) {
      const std::string& other = target.value;
      const bool is_near = name.is_known() && other.size() != name.value().size() &&
                           edit_distance(name.value(), other, 1) == 1;
      if (is_near && !named_claims_.contains(other)) found.push_back(target);
    }
    return found;
  }

  /// What values of charts say of their pods, whatever the chart makes of it.
  void add_chart_classes() {
    const Names classes = runtime_classes();
    for (const Document* document : corpus_.documents) {
      for (const Node values : find_chart_values(*document)) {
        walk(values, [&](Node at) {
          if (!at.is_mapping()) return;
          add(read_string(at, "runtimeClassName"), "RuntimeClass", classes,
              "the API server refuses a pod of a class that is not there");
        });
      }
    }
  }

  [[nodiscard]] Names runtime_classes() const {
    Names classes = objects_.names("RuntimeClass");
    const std::string& declared = corpus_.settings->runtime_class;
    if (!declared.empty()) classes.push_back({declared, {}});
    // K3s, RKE2 and NVIDIA's operator make one of this name; a class of an open name may be any.
    const bool is_open = classes.empty() && !objects_.of("RuntimeClass").empty();
    if (!has(classes, "nvidia") && !is_open) classes.push_back({"nvidia", {}});
    return classes;
  }

  void add_pod(const Workload& workload) {
    const PodSpec& pod = workload.pod;
    if (pod.runtime_class_name.is_known()) {
      add(pod.runtime_class_name, "RuntimeClass", runtime_classes(),
          "the API server refuses a pod of a class that is not there");
    }
    add_compute_class(pod);
    for (const Node claim : pod.node.get("resourceClaims").items()) {
      const Field<std::string> name = read_string(claim, "resourceClaimName");
      if (is_missing(name, "ResourceClaim", workload.object)) {
        add_local(name, "ResourceClaim", objects_.names("ResourceClaim", workload.object),
                  workload.object,
                  "the pod stays Pending until there is such a claim in its namespace");
      }
      const Field<std::string> from = read_string(claim, "resourceClaimTemplateName");
      if (is_missing(from, "ResourceClaimTemplate", workload.object)) {
        add_local(from, "ResourceClaimTemplate", template_names(workload), workload.object,
                  "the pod stays Pending: its claim cannot be made in its namespace");
      }
    }
    for (const Container& container : pod.containers) {
      for (const Node claim : container.resources.node.get("claims").items()) {
        add_request(pod, claim);
      }
    }
  }

  /// Whether a known name is not that of an object: then the others are worth a look.
  [[nodiscard]] bool is_missing(const Field<std::string>& name, std::string_view kind,
                                Node user) const {
    return name.is_known() && !objects_.has(kind, name.value(), user);
  }

  /// GKE's own classes have capital letters (`Scale-Out`), or are of Autopilot.
  void add_compute_class(const PodSpec& pod) {
    for (const LabelEntry& label : pod.node_selector) {
      const std::string name = label.value.value_or("");
      const bool is_own = to_lower(name) != name || name.starts_with("autopilot");
      if (label.key.value != "cloud.google.com/compute-class" || is_own) continue;
      add(label.value, "ComputeClass", objects_.names("ComputeClass"),
          "GKE makes no node for a class that is not there", Certainty::likely);
    }
  }

  /// The templates there are, those that ComputeDomains make among them.
  [[nodiscard]] Names template_names(const Workload& workload) const {
    Names names = objects_.names("ResourceClaimTemplate", workload.object);
    for (const Node domain : objects_.of("ComputeDomain")) {
      const Field<std::string> name =
          read_string(domain.at("spec", "channel", "resourceClaimTemplate"), "name");
      if (!name.is_known()) return {};
      names.push_back({name.value(), name.node()});
    }
    return names;
  }

  /// `request` of a container's claim: one of those of the claim's object.
  void add_request(const PodSpec& pod, Node claim) {
    const Field<std::string> request = read_string(claim, "request");
    const Field<std::string> name = read_string(claim, "name");
    const bool has_part = request.value_or("").find('/') != std::string::npos;  // of alternatives
    if (!name.is_known() || has_part) return;
    for (const Node source : pod.node.get("resourceClaims").items()) {
      if (!read_string(source, "name").equals(name.value())) continue;
      const KubernetesObject* object = claims_.find_source(source);
      if (object == nullptr) return;
      add(request, "request", request_names(*object), "the container gets no device of the claim",
          Certainty::complete);
    }
  }

  void add_object(const KubernetesObject& object) {
    for (const DeviceRequest& request : read_device_requests(object)) {
      // NVIDIA's own classes come with its driver; near misses of them are dra-claim's.
      const std::string name = request.device_class.value_or("");
      const bool is_own = is_own_class(name) && !has_classes_of_cluster_;
      if (is_own || objects_.has("DeviceClass", name) || suggest_device_class(name)) continue;
      add(request.device_class, "DeviceClass", objects_.names("DeviceClass"),
          "no node has a device of a class that is not there",
          has_classes_of_cluster_ ? Certainty::likely : Certainty::none);
    }
    add_table_references(object);
    if (object.kind.equals("ClusterPolicy")) add_operator(object.node.get("spec"));
  }

  /// The ConfigMaps that NVIDIA's operator mounts, but for those that its chart makes.
  void add_operator(Node parts, const Field<std::string>& home = {}) {
    for (const std::string_view part : {"devicePlugin", "migManager"}) {
      const Node config = parts.at(part, "config");
      if (config.get("data").size() > 0 || config.get("create").text() == "true") continue;
      const Field<std::string> name = read_string(config, "name");
      const Names elsewhere = objects_.names_elsewhere("ConfigMap", name, home);
      if (elsewhere.empty()) {
        add(name, "ConfigMap", objects_.names("ConfigMap"), config_map_effect);
      } else {
        add(name, "ConfigMap", elsewhere,
            "the operator mounts ConfigMaps of the namespace that it is in, and of no other",
            Certainty::likely);
      }
      if (part != "devicePlugin") continue;
      const std::string used = read_string(config, "name").value_or("");
      const Names maps = objects_.names("ConfigMap");
      has_used_config_ = has_used_config_ || has(maps, used);
      add(read_string(config, "default"), "configuration", device_plugin_config_names(corpus_),
          config_effect, Certainty::likely);
    }
  }

  /// The references of facts/kinds.json.
  void add_table_references(const KubernetesObject& object) {
    const KindFacts& facts = facts_of(object.api_version.value_or(""), object.kind.value_or(""));
    for (const KindReference& reference : facts.references) {
      std::string_view kind = reference.kinds.front();
      Names targets;
      if (reference.kind_path.empty()) {
        for (const std::string_view one : reference.kinds) {
          std::ranges::move(objects_.names(one, object.node), std::back_inserter(targets));
        }
      } else {
        std::string_view named;
        visit(object.node, reference.kind_path, [&](Node node) { named = node.text(); });
        const auto known = std::ranges::find(reference.kinds, named);
        if (known == reference.kinds.end()) continue;
        kind = *known;
        targets = objects_.names(kind, object.node);
      }
      visit(object.node, reference.path, [&](Node name) {
        const Field<std::string> text = read_string(name);
        if (reference.may_be_elsewhere) {
          add_local(text, kind, targets, object.node, reference.effect);
        } else {
          add(text, kind, targets, reference.effect,
              reference.is_likely ? Certainty::likely : Certainty::none);
        }
      });
    }
  }

  void add_plugin_configs() {
    const Names configs = device_plugin_config_names(corpus_);
    for (const NodePool& pool : corpus_.cluster.pools) {
      for (const PoolLabel& label : pool.labels) {
        const Node at = value_node(label);
        if (label.key != plugin_config_label || label.known != PoolLabel::Known::exact || !at) {
          continue;
        }
        add(Field<std::string>::known(label.values.front(), at), "configuration", configs,
            config_effect, has_used_config_ ? Certainty::likely : Certainty::none);
      }
    }
    for (const Document* document : corpus_.documents) {
      if (!document->errors.empty()) continue;
      // Values of the device plugin's chart, and of the GPU operator's.
      add_default(root(*document).get("config"), "map");
      add_default(root(*document).at("devicePlugin", "config"), "data");
    }
  }

  void add_default(Node config, std::string_view map) {
    add(read_string(config, "default"), "configuration", configuration_names(config.get(map)),
        config_effect, Certainty::likely);
  }

  const Corpus& corpus_;
  const NamedObjects objects_;
  const ClaimIndex claims_;
  const bool has_classes_of_cluster_;
  const std::set<std::string, std::less<>> named_claims_;
  bool has_used_config_ = false;  // NVIDIA's operator mounts one that is among the objects
  std::vector<Reference> references_;
};

}  // namespace

NamedObjects::NamedObjects(const Corpus& corpus) {
  std::set<std::string_view> kinds{
      "RuntimeClass", "ResourceClaim", "DeviceClass",   "ResourceClaimTemplate",
      "ConfigMap",    "ComputeDomain", "Cohort",        "LocalQueue",
      "ComputeClass", "PodTemplate",   "PriorityClass", "WorkloadPriorityClass"};
  for (const KindFacts& facts : all_kinds()) {
    for (const KindReference& reference : facts.references) {
      kinds.insert(reference.kinds.begin(), reference.kinds.end());
    }
  }
  for (const KubernetesObject& object : corpus.objects) {
    const std::string kind = object.kind.value_or("");
    if (!kinds.contains(kind)) continue;
    Kind& all = by_kind_[kind];
    all.objects.push_back(object.node);
    const Node metadata = object.node.get("metadata");
    const Field<std::string> name = read_string(metadata, "name");
    if (!name.is_known()) {
      all.has_open_names = true;
      continue;
    }
    const std::size_t position = all.names.size();
    all.names.push_back({name.value(), name.node()});
    all.named.push_back(object.node);
    all.by_namespace[stated(read_string(metadata, "namespace"))].push_back(position);
    all.by_name[name.value()].push_back(position);
  }
  for (auto& [kind, all] : by_kind_) {
    if (all.has_open_names) all.names.clear();
  }
}

const NamedObjects::Kind& NamedObjects::find(std::string_view kind) const {
  static const Kind none;
  const auto found = by_kind_.find(kind);
  return found == by_kind_.end() ? none : found->second;
}

std::span<const Node> NamedObjects::of(std::string_view kind) const { return find(kind).objects; }

const Names& NamedObjects::names(std::string_view kind) const { return find(kind).names; }

Names NamedObjects::names(std::string_view kind, Node user) const {
  const Kind& all = find(kind);
  const auto home = stated(read_string(user.get("metadata"), "namespace"));
  if (!home || all.has_open_names) return all.names;
  Positions positions;
  for (const auto& space : {home, std::optional<std::string>()}) {
    const auto found = all.by_namespace.find(space);
    if (found == all.by_namespace.end()) continue;
    positions.insert(positions.end(), found->second.begin(), found->second.end());
  }
  std::ranges::sort(positions);
  Names names;
  for (const std::size_t position : positions) names.push_back(all.names[position]);
  return names;
}

bool NamedObjects::has(std::string_view kind, std::string_view name, Node user) const {
  const Kind& all = find(kind);
  const auto found = all.by_name.find(name);
  if (all.has_open_names || found == all.by_name.end()) return false;
  const auto home = stated(read_string(user.get("metadata"), "namespace"));
  return std::ranges::any_of(found->second, [&](std::size_t position) {
    const Node metadata = all.named[position].get("metadata");
    const auto space = stated(read_string(metadata, "namespace"));
    return !home || !space || *home == *space;
  });
}

Names NamedObjects::names_elsewhere(std::string_view kind, const Field<std::string>& name,
                                    const Field<std::string>& home) const {
  Names names;
  if (!name.is_known() || !home.is_known()) return names;
  const Kind& all = find(kind);
  const auto found = all.by_name.find(name.value());
  if (found == all.by_name.end()) return names;
  for (const std::size_t position : found->second) {
    const Node metadata = all.named[position].get("metadata");
    const Field<std::string> space = read_string(metadata, "namespace");
    if (!space.is_known() || space.value() == home.value()) return {};
    names.push_back({space.value() + "/" + name.value(), metadata.get("namespace")});
  }
  return names;
}

void add_reference(std::vector<Reference>& references, const Field<std::string>& name,
                   std::string_view kind, const Names& targets, std::string_view effect,
                   Certainty certainty) {
  if (!name.is_known() || name.value().empty() || !name.node() || targets.empty()) return;
  if (has(targets, name.value())) return;
  references.push_back({{name.value(), name.node()}, kind, targets, effect, certainty});
}

std::vector<Reference> find_references(const Corpus& corpus) { return Finder(corpus).find(); }

}  // namespace gpulint::rules::misspelt_reference
