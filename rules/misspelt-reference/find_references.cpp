#include "rules/misspelt-reference/find_references.h"

#include <algorithm>
#include <array>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "compiler/base/text.h"
#include "compiler/flyte/analysis.h"
#include "compiler/ir/field_path.h"
#include "compiler/ir/read.h"
#include "compiler/model/facts/kubernetes_kinds.h"
#include "compiler/model/gitops/helm_values_source.h"
#include "compiler/model/kinds/chart_values.h"
#include "compiler/model/kinds/kueue.h"
#include "compiler/model/kinds/operator_keys.h"
#include "compiler/model/kinds/referring_nodes.h"
#include "compiler/schedule/gpu_relation.h"
#include "compiler/schedule/scheduler_queues.h"
#include "rules/support/device_plugin.h"
#include "rules/support/dra_queries.h"
#include "rules/support/placement_causes.h"

namespace gpulint::rules::misspelt_reference {
namespace {

/// The names of requests in a claim or claim template; none if one is unknown.
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

/// Whether a driver creates the device class.
[[nodiscard]] bool is_own_class(std::string_view name) {
  return std::ranges::any_of(dra_device_classes(),
                             [&](const DraDeviceClass& own) { return own.name == name; });
}

/// Whether the objects contain a cluster's listing of its classes: with `uid`, or next to
/// ResourceSlices, which drivers write.
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

constexpr std::string_view plugin_config = "device plugin configuration";  // Reference::kind

constexpr std::string_view config_effect =
    "the device plugin's configuration manager rejects the name";

/// What has references: an object, or the pod of a workload.
struct User {
  Node object;
  const Workload* workload = nullptr;

  [[nodiscard]] std::vector<Node> find(std::string_view path) const {
    return referring_nodes(object, workload, path);
  }
};

class Finder {
 public:
  explicit Finder(const Corpus& corpus)
      : corpus_(corpus),
        objects_(corpus.objects, corpus.settings->kinds.get()),
        claims_(corpus),
        has_classes_of_cluster_(has_classes_of_cluster(corpus)),
        named_claims_(names_of_claims(corpus)),
        kueue_(read_kueue(corpus.objects)),
        cohorts_(objects_.names("Cohort")) {
    for (const ClusterQueue& queue : kueue_.cluster_queues) {
      if (!queue.cohort.is_known() || queue.cohort.value().empty()) continue;
      if (++members_[queue.cohort.value()] == 2) {
        cohorts_.push_back({queue.cohort.value(), queue.cohort.node()});
      }
    }
    for (const Workload& workload : corpus.workloads) {
      for (const auto name : {queue_name, kai_queue, volcano_queue}) {
        const Field<std::string> queue = name(workload);
        if (queue.is_known() && queue.node()) with_queued_.insert(queue.node().document()->file);
      }
    }
  }

  [[nodiscard]] std::vector<Reference> find() {
    for (const Workload& workload : corpus_.workloads) {
      add_all(pod_references(), {workload.object, &workload});
      for (const Container& container : workload.pod.containers) {
        for (const Node claim : container.resources.node.get("claims").items()) {
          add_request(workload.pod, claim);
        }
      }
    }
    for (const KubernetesObject& object : corpus_.objects) {
      add_all(facts_of(object, corpus_.settings->kinds.get()).references, {object.node});
    }
    for (const ChartUse& use : corpus_.chart_uses) {
      if (use.keys->name == "GPU Operator") add_operator(use.values, chart_namespace(use.values));
    }
    add_plugin_configs();
    add_chart_classes();
    add_kai();
    add_volcano();
    add_pod_templates();
    std::ranges::move(find_path_references(corpus_), std::back_inserter(references_));
    return std::move(references_);
  }

 private:
  void add(const Field<std::string>& name, std::string_view kind, const Names& targets,
           std::string_view effect, Certainty certainty = Certainty::none,
           std::string remedy = {}) {
    add_reference(references_, name, kind, targets, effect, certainty, std::move(remedy));
  }

  /// The references of facts/kinds.json that one object or pod has.
  void add_all(std::span<const KindReference> table, const User& user) {
    for (const KindReference& reference : table) {
      if (reference.of_gpu_pods && !requests_gpu(user.workload->pod)) continue;
      std::vector<Node> names = user.find(reference.path);
      for (const std::string_view other : reference.other_paths) {
        if (names.empty()) names = user.find(other);
      }
      const auto* const hook = std::ranges::find(hooks, reference.hook, &Hook::name);
      for (const Node name : names) {
        hook == hooks.end() ? add_one(reference, read_string(name), user)
                            : (this->*hook->add)(reference, name, user);
      }
    }
  }

  void add_one(const KindReference& reference, const Field<std::string>& name, const User& user) {
    std::span<const std::string_view> kinds = reference.kinds;
    if (!name.is_known()) return;
    if (!reference.kind_path.empty()) {
      const std::vector<Node> named = user.find(reference.kind_path);
      const auto known = std::ranges::find(kinds, named.empty() ? "" : named.front().text());
      if (known == kinds.end()) return;
      kinds = kinds.subspan(static_cast<std::size_t>(known - kinds.begin()), 1);
    }
    Names targets;
    for (const std::string_view kind : kinds) {
      if (objects_.has(kind, name.value(), user.object)) return;
      std::ranges::move(objects_.names(kind, user.object), std::back_inserter(targets));
    }
    if (!targets.empty() || kinds.empty()) {
      for (const std::string_view made : reference.made) targets.push_back({std::string(made), {}});
    }
    const std::string_view what = kinds.empty() ? reference.what : kinds.front();
    if (reference.may_be_elsewhere) {
      const std::size_t count = references_.size();
      add_local(name, what, targets, user, reference.effect);
      if (references_.size() > count && kinds.size() > 1) references_.back().other_kind = kinds[1];
      return;
    }
    add(name, what, targets, reference.effect,
        reference.is_likely ? Certainty::likely : Certainty::none);
  }

  /// Adds a reference if the name exists only in other namespaces than `home`. Returns whether it
  /// does.
  bool add_elsewhere(const Field<std::string>& name, std::string_view kind,
                     const Field<std::string>& home, std::string_view effect,
                     Certainty certainty = Certainty::likely) {
    const Names elsewhere = objects_.names_elsewhere(kind, name, home);
    const std::size_t count = references_.size();
    add(name, kind, elsewhere, effect, certainty);
    if (references_.size() > count) references_.back().home = home.value();
    return !elsewhere.empty();
  }

  /// Adds a reference to an object in the user's own namespace. If it is not among `targets`, those
  /// of its name in other namespaces are the targets.
  void add_local(const Field<std::string>& name, std::string_view kind, const Names& targets,
                 const User& user, std::string_view effect) {
    const Field<std::string> home = read_string(user.object.get("metadata"), "namespace");
    if (add_elsewhere(name, kind, home, effect)) return;
    const Names shortened = unnamed_neighbours(name, targets);
    if (shortened.size() != 1) return add(name, kind, targets, effect);
    const std::string where = home.is_known() ? fmt::format("namespace `{}`", home.value())
                                              : std::string("the pod's namespace");
    add(name, kind, shortened, effect, Certainty::likely,
        fmt::format("create {} `{}` in {}, or correct the name", kind, name.value(), where));
  }

  /// Claims and templates that no pod names, with one character more or less than the name. Even a
  /// digit is a mistake here, because only one can be meant.
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

  /// Adds `runtimeClassName` in values of any chart.
  void add_chart_classes() {
    const auto of_pods = std::ranges::find(pod_references(), "runtime_class", &KindReference::hook);
    for (const Document* document : corpus_.documents) {
      for (const Node values : find_chart_values(*document)) {
        walk(values, [&](Node at) {
          const Node name = at.is_mapping() ? at.get("runtimeClassName") : Node{};
          if (name) add_runtime_class(*of_pods, name, {});
        });
      }
    }
  }

  /// The hook `runtime_class`.
  void add_runtime_class(const KindReference& reference, Node name, const User& /*user*/) {
    Names classes = objects_.names("RuntimeClass");
    const std::string& declared = corpus_.settings->runtime_class;
    if (!declared.empty()) classes.push_back({declared, {}});
    // K3s, RKE2 and NVIDIA's operator create one of this name; a class with an unknown name may be
    // any.
    const bool is_open = classes.empty() && !objects_.of("RuntimeClass").empty();
    if (!has_name(classes, "nvidia") && !is_open) classes.push_back({"nvidia", {}});
    add(read_string(name), reference.what, classes, reference.effect);
  }

  /// The hook `compute_class`. GKE's own classes have capital letters (`Scale-Out`), or are of
  /// Autopilot.
  void add_compute_class(const KindReference& reference, Node at, const User& /*user*/) {
    const std::string name = read_string(at).value_or("");
    if (to_lower(name) != name || name.starts_with("autopilot")) return;
    add(read_string(at), reference.what, objects_.names("ComputeClass"), reference.effect,
        Certainty::likely);
  }

  /// `request` of a container's claim must be one of the claim's object.
  void add_request(const PodSpec& pod, Node claim) {
    const Field<std::string> request = read_string(claim, "request");
    const Field<std::string> name = read_string(claim, "name");
    const bool has_part = request.value_or("").find('/') != std::string::npos;  // of alternatives
    if (!name.is_known() || has_part) return;
    for (const Node source : pod.node.get("resourceClaims").items()) {
      if (!read_string(source, "name").equals(name.value())) continue;
      const KubernetesObject* object = claims_.find_source(source);
      if (object == nullptr) return;
      add(request, "request", request_names(*object),
          "the container starts without a device from the claim", Certainty::complete,
          fmt::format("add request `{}` to the {}, or correct the name", request.value_or(""),
                      object->kind.value_or("")));
    }
  }

  /// The hook `device_class`. NVIDIA's driver creates its own classes; dra-claim reports names
  /// similar to them.
  void add_device_class(const KindReference& reference, Node at, const User& /*user*/) {
    const std::string name = read_string(at).value_or("");
    const bool is_own = is_own_class(name) && !has_classes_of_cluster_;
    if (is_own || objects_.has("DeviceClass", name) || suggest_device_class(name)) return;
    add(read_string(at), reference.what, objects_.names("DeviceClass"), reference.effect,
        has_classes_of_cluster_ ? Certainty::likely : Certainty::none);
  }

  /// The hook `operator_config`.
  void add_operator_configs(const KindReference& /*reference*/, Node spec, const User& /*user*/) {
    add_operator(spec, {});
  }

  /// The ConfigMaps that the GPU Operator mounts, except those that its chart creates.
  void add_operator(Node parts, const Field<std::string>& home) {
    for (const std::string_view part : {"devicePlugin", "migManager"}) {
      const Node config = parts.at(part, "config");
      if (config.get("data").size() > 0 || config.get("create").text() == "true") continue;
      const Field<std::string> name = read_string(config, "name");
      const bool is_elsewhere =
          add_elsewhere(name, "ConfigMap", home, "the GPU Operator cannot mount the ConfigMap");
      if (!is_elsewhere) {
        add(name, "ConfigMap", objects_.names("ConfigMap"),
            "pods that mount the ConfigMap stay in ContainerCreating");
      }
      if (part != "devicePlugin") continue;
      const std::string used = read_string(config, "name").value_or("");
      const Names maps = objects_.names("ConfigMap");
      has_used_config_ = has_used_config_ || has_name(maps, used);
      add_config(read_string(config, "default"), device_plugin_config_names(corpus_),
                 Certainty::likely);
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
        add_config(Field<std::string>::known(label.values.front(), at), configs,
                   has_used_config_ ? Certainty::likely : Certainty::none);
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
    add_config(read_string(config, "default"), configuration_names(config.get(map)),
               Certainty::likely);
  }

  /// Adds the name of a configuration of the device plugin.
  void add_config(const Field<std::string>& name, const Names& configs, Certainty certainty) {
    add(name, plugin_config, configs, config_effect, certainty,
        fmt::format("add configuration `{}` to the device plugin's ConfigMap, or correct the name",
                    name.value_or("")));
  }

  /// Adds the queue of a workload.
  void add_queue(const Field<std::string>& name, std::string_view kind, const Names& queues,
                 std::string_view effect) {
    add(name, kind, queues, effect, certainty_of_queue(name, queues));
  }

  /// Not likely if another file has one of the queues together with workloads of its own: that file
  /// is an example.
  [[nodiscard]] Certainty certainty_of_queue(const Field<std::string>& name,
                                             const Names& queues) const {
    const bool is_beside_examples =
        name.node() && std::ranges::any_of(queues, [&](const Value<std::string>& queue) {
          const Document* const document = queue.node ? queue.node.document() : nullptr;
          return document != nullptr && document->file != name.node().document()->file &&
                 with_queued_.contains(document->file);
        });
    return is_beside_examples ? Certainty::none : Certainty::likely;
  }

  /// The hook `local_queue`: queues in the namespace of the workload. If there are none, those of
  /// its name in other namespaces.
  void add_local_queue(const KindReference& reference, Node at, const User& user) {
    const Field<std::string> name = read_string(at);
    const std::string_view kind = reference.what;
    if (kueue_.has_open_names || objects_.has(kind, name.value_or(""), user.object)) return;
    const Names queues = objects_.names(kind, user.object);
    if (!queues.empty()) return add_queue(name, kind, queues, reference.effect);
    const Field<std::string> home = read_string(user.object.get("metadata"), "namespace");
    const Certainty certainty =
        certainty_of_queue(name, objects_.names_elsewhere(kind, name, home));
    add_elsewhere(name, kind, home, reference.effect, certainty);
  }

  /// The hook `cohort`. Cohorts need no object. A cohort with a single queue may be a misspelt one.
  void add_cohort(const KindReference& reference, Node at, const User& /*user*/) {
    const Field<std::string> name = read_string(at);
    if (kueue_.has_open_names || members_[name.value_or("")] > 1) return;
    add(name, reference.what, cohorts_, reference.effect);
  }

  /// Names of a scheduler's queues, and of those that it creates; none if some are unknown.
  [[nodiscard]] static Names names_of(const SchedulerQueues& queues,
                                      std::initializer_list<std::string_view> made) {
    Names names;
    if (queues.queues.empty() || queues.has_open_names) return names;
    for (const SchedulerQueue& queue : queues.queues) names.push_back(queue.name);
    for (const std::string_view name : made) names.push_back({std::string(name), {}});
    return names;
  }

  [[nodiscard]] static std::set<std::string> set_of(const Names& names) {
    std::set<std::string> all;
    for (const Value<std::string>& name : names) all.insert(name.value);
    return all;
  }

  void add_kai() {
    const SchedulerQueues queues = read_scheduler_queues(corpus_, kai_group);
    const Names names = names_of(queues, {"default-queue", "default-parent-queue"});
    const std::set<std::string> known = set_of(names);
    for (const Workload& workload : corpus_.workloads) {
      if (known.contains(kai_queue(workload).value_or(""))) continue;
      add_queue(kai_queue(workload), "Queue", names, "KAI-Scheduler does not schedule the pods");
    }
    // If the top queue is among the inputs, usually all are.
    const bool has_top = std::ranges::any_of(
        queues.queues, [](const SchedulerQueue& queue) { return queue.parent.is_absent(); });
    if (!has_top) return;
    for (const SchedulerQueue& queue : queues.queues) {
      if (known.contains(queue.parent.value_or(""))) continue;
      add(queue.parent, "parent Queue", names,
          "KAI-Scheduler does not schedule the pods of the child queue", Certainty::likely);
    }
  }

  void add_volcano() {
    const Names names =
        names_of(read_scheduler_queues(corpus_, volcano_group), {"default", "root"});
    const std::set<std::string> known = set_of(names);
    for (const Workload& workload : corpus_.workloads) {
      if (!requests_gpu(workload.pod)) continue;
      if (known.contains(volcano_queue(workload).value_or(""))) continue;
      add_queue(volcano_queue(workload), "Queue", names, "Volcano rejects the Job");
    }
  }

  /// Flyte fails a task whose PodTemplate does not exist (pod_helper.go, getBasePodTemplate), and
  /// ignores a missing default.
  void add_pod_templates() {
    const Names templates = objects_.names("PodTemplate");
    for (const flyte::Installation& installation : corpus_.flyte->installations) {
      const auto* const name =
          installation.loaded.propeller.k8s.tree.find("default-pod-template-name");
      if (name != nullptr && !name->opaque && name->node) {
        add(Field<std::string>::known(name->text, name->node), "PodTemplate", templates,
            "Flyte applies no default PodTemplate", Certainty::none);
      }
      for (const flyte::Task& task : installation.tasks) {
        const Value<std::string>& named = task.pod_template_name;
        if (!named.node) continue;
        add(Field<std::string>::known(named.value, named.node), "PodTemplate", templates,
            "Flyte fails the task", Certainty::likely,
            fmt::format("create PodTemplate `{}` in the task's or Flyte's namespace, or correct "
                        "the name",
                        named.value));
      }
    }
  }

  /// Adds references of a field that has a `hook` in facts/kinds.json.
  struct Hook {
    std::string_view name;
    void (Finder::*add)(const KindReference& reference, Node at, const User& user);
  };
  static constexpr auto hooks =
      std::to_array<Hook>({{"cohort", &Finder::add_cohort},
                           {"compute_class", &Finder::add_compute_class},
                           {"device_class", &Finder::add_device_class},
                           {"local_queue", &Finder::add_local_queue},
                           {"operator_config", &Finder::add_operator_configs},
                           {"runtime_class", &Finder::add_runtime_class}});

  const Corpus& corpus_;
  const NamedObjects objects_;
  const ClaimIndex claims_;
  const bool has_classes_of_cluster_;
  const std::set<std::string, std::less<>> named_claims_;
  const KueueObjects kueue_;
  Names cohorts_;                                    // of objects, and with two members
  std::map<std::string, int, std::less<>> members_;  // of a cohort
  std::set<FileId> with_queued_;                     // files with workloads that name a queue
  bool has_used_config_ = false;                     // the GPU Operator mounts one of the objects
  std::vector<Reference> references_;
};

}  // namespace

void add_reference(std::vector<Reference>& references, const Field<std::string>& name,
                   std::string_view kind, const Names& targets, std::string_view effect,
                   Certainty certainty, std::string remedy) {
  if (!name.is_known() || name.value().empty() || !name.node() || targets.empty()) return;
  if (has_name(targets, name.value())) return;
  references.push_back({{name.value(), name.node()}, kind, targets, effect, certainty});
  references.back().remedy = std::move(remedy);
}

std::vector<Reference> find_references(const Corpus& corpus) { return Finder(corpus).find(); }

}  // namespace gpulint::rules::misspelt_reference
