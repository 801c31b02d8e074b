#include "compiler/project/file_content.h"

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "compiler/base/text.h"
#include "compiler/ir/field_path.h"
#include "compiler/ir/node.h"
#include "compiler/model/facts/kubernetes_kinds.h"
#include "compiler/model/gitops/config_map.h"
#include "compiler/model/gitops/release_layers.h"
#include "compiler/model/kinds/flyte_document.h"
#include "compiler/model/kinds/operator_keys.h"
#include "compiler/model/scope/document_role.h"
#include "compiler/model/scope/read_cluster.h"
#include "compiler/project/input_files.h"
#include "compiler/project/path_words.h"
#include "compiler/schedule/gpu_daemon.h"
#include "compiler/schedule/gpu_relation.h"

namespace gpulint {
namespace {

[[nodiscard]] FlyteChart chart_of(const Document& document) {
  for (const DocumentRole role : roles_of(document)) {
    if (role == DocumentRole::flyte_core_values) return FlyteChart::core;
    if (role == DocumentRole::flyte_binary_values) return FlyteChart::binary;
  }
  return FlyteChart::unknown;
}

/// Whether the file creates pods. A serving runtime has pods only for services that name it.
[[nodiscard]] bool makes_pods(const DocumentFacts& facts) {
  return std::ranges::any_of(facts.workloads, [](const Workload& workload) {
    return !workload.kind.value_or("").ends_with("Runtime");
  });
}

/// "Node `gpu-1`", or the kind that declares the pool.
[[nodiscard]] std::string name_of(const NodePool& pool) {
  const std::string_view kind = pool.node.get("kind").text();
  return fmt::format("{} `{}`", kind.empty() ? "node pool" : kind, pool.name);
}

/// Settings of KAI-Scheduler: its Config, or values of its chart in a release.
[[nodiscard]] bool is_kai_config(Node object) {
  const bool is_config = object.get("kind").text() == "Config" &&
                         object.get("apiVersion").text().starts_with("kai.scheduler/");
  return is_config || object.at("spec", "values", "global").get("gpuSharing");
}

/// Whether a ConfigMap has configuration of the device plugin or the MIG manager, under any name.
[[nodiscard]] bool holds_gpu_config(Node data) {
  return std::ranges::any_of(data.fields(), [](const Node::Entry& entry) {
    const std::string text = fmt::format("\n{}", entry.value.text());
    const bool is_versioned = text.find("\nversion: v1") != text.npos;
    return is_versioned &&
           (text.find("\nsharing:") != text.npos || text.find("\nflags:") != text.npos ||
            text.find("\nmig-configs:") != text.npos);
  });
}

/// The facts of the object's kind, by kind alone if the group is unknown.
[[nodiscard]] const KindFacts& row_of(const KubernetesObject& object) {
  const std::string kind = object.kind.value_or("");
  if (!object.api_version.is_known()) return facts_of_kind(kind);
  return facts_of(object.api_version.value(), kind);
}

/// Adds the cluster that a declaration of nodes names.
void add_cluster(const KubernetesObject& object, FileContent& content) {
  const KindFacts& facts = row_of(object);
  if (facts.cluster_name.empty()) return;
  const auto text_at = [&](std::string_view path) {
    const Node at = path.empty() ? Node{} : first_at(object.node, path);
    return at.is_scalar() && !at.is_opaque() ? at.text() : std::string_view();
  };
  const std::string_view name = text_at(facts.cluster_name);
  if (!name.empty()) content.clusters.emplace(name, text_at(facts.cluster_region));
}

[[nodiscard]] std::optional<SharedObject> shared_object(const KubernetesObject& object) {
  const KindFacts& facts = row_of(object);
  if (facts.serves) return facts.serves;
  if (is_kai_config(object.node)) return SharedObject::scheduler_queue;
  if (!object.kind.equals("ConfigMap")) return std::nullopt;
  const Node data = object.node.get("data");
  if (data.get("nfd-worker.conf")) return SharedObject::discovery;
  if (object_name(object.node) == "config-features") return SharedObject::knative_features;
  const ConfigMapUse use = use_of_config_map(object.node);
  const bool is_gpu_config = use == ConfigMapUse::device_plugin || use == ConfigMapUse::mig_manager;
  return is_gpu_config || holds_gpu_config(data) ? std::optional(SharedObject::gpu_config)
                                                 : std::nullopt;
}

/// The objects in the documents of a file, without embedded documents.
[[nodiscard]] std::vector<const KubernetesObject*> objects_in(const Project& project, FileId file) {
  std::vector<const KubernetesObject*> objects;
  for (const auto& document : project.documents[file]) {
    if (document->host != nullptr) continue;
    for (const KubernetesObject& object : project.facts.of(*document).objects) {
      objects.push_back(&object);
    }
  }
  return objects;
}

/// Whether an object of any kind may concern gpulint.
[[nodiscard]] bool mentions_gpus(Node object) {
  return any_below(object, [](Node at) {
    if (!at.is_scalar()) return false;
    const std::string text = to_lower(at.text());
    return text.find("gpu") != text.npos || text.find("nvidia") != text.npos;
  });
}

void add_definition(Node object, std::string_view text, FileContent& content) {
  const Node spec = object.get("spec");
  const std::string kind =
      fmt::format("{}/{}", spec.get("group").text(), spec.at("names", "kind").text());
  content.definitions[kind].emplace_back(fmt::format("the definition of `{}`", kind),
                                         std::hash<std::string_view>()(text));
}

/// Adds values of KAI-Scheduler's chart, which are not an object.
void add_kai_values(const Project& project, FileContent& content) {
  for (const auto& document : project.documents[content.file]) {
    const Node top = root(*document);
    const Node sharing = top.at("global", "gpuSharing");
    if (document->host != nullptr || !sharing.is_scalar() || top.get("kind")) continue;
    content.objects[SharedObject::scheduler_queue].emplace_back(
        "the values file of KAI-Scheduler", std::hash<std::string_view>()(sharing.text()));
  }
}

/// Adds PodSecurity settings of an AdmissionConfiguration or of the machine configuration of Talos,
/// which is not an object.
void add_pod_security(const Project& project, FileContent& content) {
  const SourceFile& source = project.sources.file(content.file);
  constexpr std::string_view kind = "PodSecurityConfiguration";
  if (source.text().find(kind) == std::string_view::npos) return;
  for (const auto& document : project.documents[content.file]) {
    walk(root(*document), [&](Node at) {
      if (!at.is_mapping() || at.get("kind").text() != kind) return;
      content.objects[SharedObject::pod_security].emplace_back(
          kind, std::hash<std::string_view>()(source.text(at.span())));
    });
  }
}

void add_objects(const Project& project, FileContent& content) {
  const SourceFile& source = project.sources.file(content.file);
  add_kai_values(project, content);
  add_pod_security(project, content);
  for (const KubernetesObject* each : objects_in(project, content.file)) {
    const Node object = each->node;
    if (each->kind.equals("CustomResourceDefinition")) {
      add_definition(object, source.text(object.span()), content);
      continue;
    }
    const auto what = shared_object(*each);
    const Node name = object.at("metadata", "name");
    if (!what || !name.is_scalar() || name.is_opaque()) continue;
    const std::string_view space = object.at("metadata", "namespace").text();
    content.objects[*what].emplace_back(fmt::format("{} `{}{}{}`", object.get("kind").text(), space,
                                                    space.empty() ? "" : "/", name.text()),
                                        std::hash<std::string_view>()(source.text(object.span())));
  }
}

/// `group/Kind` of a custom resource; empty for kinds of Kubernetes.
[[nodiscard]] std::string custom_kind(Node object) {
  const std::string_view version = object.get("apiVersion").text();
  const std::string_view group = api_group(version);
  if (group.find('.') == group.npos) return {};
  return fmt::format("{}/{}", group, object.get("kind").text());
}

/// Adds the objects that a kind provides, and the objects that it needs.
void add_kind(std::string_view kind, std::set<SharedObject>& needs) {
  const KindFacts& facts = facts_of_kind(kind);
  if (facts.serves) needs.insert(*facts.serves);
  needs.insert(facts.needs.begin(), facts.needs.end());
}

/// Whether the pods use a queue of KAI-Scheduler or Volcano.
[[nodiscard]] bool waits_for_scheduler(const Workload& workload) {
  const Node metadata = workload.object.get("metadata");
  const Node own = workload.template_node.get("metadata");
  constexpr std::string_view volcano = "scheduling.volcano.sh/queue-name";
  constexpr std::string_view kai = "kai.scheduler/queue";
  return workload.pod.scheduler_name.equals("kai-scheduler") ||
         workload.api_version.value_or("").starts_with("batch.volcano.sh/") ||
         metadata.at("labels", kai) || own.at("labels", kai) ||
         metadata.at("annotations", volcano) || own.at("annotations", volcano);
}

void add_needs(const Workload& workload, std::set<SharedObject>& needs) {
  if (waits_for_scheduler(workload)) needs.insert(SharedObject::scheduler_queue);
  if (workload.api_version.value_or("").starts_with("serving.k")) {  // KServe and Knative
    needs.insert(SharedObject::knative_features);
  }
  const PodSpec& pod = workload.pod;
  if (!pod.runtime_class_name.is_absent()) add_kind("RuntimeClass", needs);
  if (!pod.resource_claims.empty()) add_kind("ResourceClaim", needs);
  if (requests_gpu(pod)) {
    needs.insert({SharedObject::device_class, SharedObject::gpu_config, SharedObject::quota});
  }
  const std::optional<GpuDaemon> daemon = find_gpu_daemon(workload);
  if (daemon && daemon->role == GpuDaemonRole::device_plugin) {
    needs.insert(SharedObject::gpu_config);
  }
  if (gpu_relation(pod) != GpuRelation::none || daemon) {
    needs.insert({SharedObject::name_space, SharedObject::pod_security});
  }
  if (daemon) needs.insert(SharedObject::quota);
}

/// Adds what values of the GPU Operator and the device plugin need, in a values file or in a
/// release.
void add_needs_of_values(Node top, std::set<SharedObject>& needs) {
  const std::string_view kind = top.get("kind").text();
  const bool are_inside = kind == "HelmRelease" || kind == "Application" || kind == "HelmChart";
  if (!kind.empty() && !are_inside) return;
  const auto names_config = [](Node at) {
    const std::string_view key = at.key() ? at.key().text() : std::string_view{};
    const std::string_view around =
        at.parent().key() ? at.parent().key().text() : std::string_view{};
    return key == "config" && (around == "devicePlugin" || around == "migManager");
  };
  if (top.at("config", "default").is_scalar() || any_below(top, names_config)) {
    needs.insert(SharedObject::gpu_config);
  }
  if (top.get("toolkit").is_mapping() && top.get("driver").is_mapping()) {
    needs.insert({SharedObject::gpu_config, SharedObject::discovery});
  }
}

/// Whether a label of the Node names a configuration of the device plugin or the MIG manager.
[[nodiscard]] bool names_gpu_config(Node object) {
  const Node labels = object.at("metadata", "labels");
  return labels.get("nvidia.com/device-plugin.config") || labels.get("nvidia.com/mig.config");
}

/// Whether the file configures Flyte, whose pods may start from PodTemplates.
[[nodiscard]] bool needs_pod_templates(const Project& project, FileId file) {
  const auto configures = [](const auto& document) {
    return flyte::recognize(*document).kind != flyte::DocumentKind::none;
  };
  if (std::ranges::none_of(project.documents[file], configures)) return false;
  if (project.sources.file(file).text().find("default-pod-template-name") !=
      std::string_view::npos) {
    return true;
  }
  return std::ranges::any_of(project.python, [](const auto& source) {
    const Document* tasks = source.second.document.get();
    if (tasks == nullptr) return false;
    const std::vector<Node> entries = root(*tasks).items();
    return std::ranges::any_of(
        entries, [](Node entry) { return static_cast<bool>(entry.get("podTemplateName")); });
  });
}

}  // namespace

FileContent read_content(const Project& project, FileId file) {
  const SourceFile& source = project.sources.file(file);
  FileContent content;
  content.file = file;
  content.path = source.path();
  std::vector<const Document*> documents;
  for (const auto& document : project.documents[file]) documents.push_back(document.get());
  const Cluster cluster = read_cluster(documents, {}, Settings{}, {});
  for (const NodePool& pool : cluster.pools) {
    if (pool.source == NodePool::Source::kubelet) continue;
    content.nodes.emplace_back(name_of(pool),
                               std::hash<std::string_view>()(source.text(pool.node.span())));
  }
  for (const KubernetesObject* object : objects_in(project, file)) {
    add_cluster(*object, content);
  }
  if (cluster.provider != Provider::unknown) content.providers.push_back(cluster.provider);
  add_objects(project, content);
  const bool serves = !content.objects.empty() || !content.definitions.empty();
  if (content.nodes.empty() && !serves) return content;
  content.holds_pods = std::ranges::any_of(documents, [&](const Document* document) {
    return makes_pods(project.facts.of(*document)) || chart_of(*document) != FlyteChart::unknown;
  });
  return content;
}

FlyteChart read_values_chart(const Project& project, FileId file) {
  for (const auto& document : project.documents[file]) {
    if (const FlyteChart chart = chart_of(*document); chart != FlyteChart::unknown) return chart;
  }
  return FlyteChart::unknown;
}

Needs read_needs(const Project& project, FileId file) {
  Needs found;
  std::set<SharedObject>& needs = found.objects;
  for (const auto& document : project.documents[file]) {
    if (document->host != nullptr || !document->errors.empty()) continue;
    for (const Workload& workload : project.facts.of(*document).workloads) {
      add_needs(workload, needs);
    }
    add_needs_of_values(root(*document), needs);
    if (!find_chart_uses(*document, project.sources.file(file).path()).empty()) {
      needs.insert({SharedObject::name_space, SharedObject::pod_security});
    }
  }
  if (needs_pod_templates(project, file)) needs.insert(SharedObject::pod_template);
  for (const KubernetesObject* object : objects_in(project, file)) {
    const KindFacts& facts = row_of(*object);
    needs.insert(facts.needs.begin(), facts.needs.end());
    if (object->node.at("metadata", "labels").get("kueue.x-k8s.io/queue-name")) {
      add_kind("LocalQueue", needs);
    }
    std::string custom = custom_kind(object->node);
    if (!custom.empty() && mentions_gpus(object->node)) found.kinds.insert(std::move(custom));
    if (names_gpu_config(object->node)) needs.insert(SharedObject::gpu_config);
  }
  return found;
}

std::vector<ReleaseSource> read_release_sources(const Project& project, FileId file) {
  std::vector<ReleaseSource> sources;
  const std::string folder = folder_of(project.sources.file(file).path());
  for (const auto& document : project.documents[file]) {
    if (document->host != nullptr || !document->errors.empty()) continue;
    for (const Node release : find_releases(root(*document))) {
      const std::string_view space = release.parent().at("metadata", "namespace").text();
      for (const ReleaseLayer& layer : release_layers(release)) {
        if (layer.kind == ReleaseLayer::Kind::object) {
          sources.push_back({{}, false, layer.of_kind, layer.name, std::string(space)});
        } else if (layer.kind == ReleaseLayer::Kind::file) {
          const bool is_here = layer.from_root || folder.empty();
          sources.push_back({normal_path(is_here ? layer.name : folder + "/" + layer.name),
                             layer.from_root,
                             {},
                             {},
                             {}});
        }
      }
    }
  }
  return sources;
}

bool holds_object(const Project& project, FileId file, const ReleaseSource& source) {
  return std::ranges::any_of(objects_in(project, file), [&](const KubernetesObject* object) {
    const Node metadata = object->node.get("metadata");
    const std::string_view space = metadata.get("namespace").text();
    return object->kind.equals(source.kind) && metadata.get("name").text() == source.name &&
           (space.empty() || source.name_space.empty() || space == source.name_space);
  });
}

bool holds_node(const Project& project, FileId file) {
  return std::ranges::any_of(project.documents[file], [&](const auto& document) {
    return std::ranges::any_of(project.facts.of(*document).objects,
                               [](const auto& object) { return object.kind.equals("Node"); });
  });
}

bool holds_template(const Project& project, FileId file) {
  return std::ranges::any_of(project.documents[file],
                             [](const auto& document) { return document->is_template; });
}

std::vector<std::string> files_with_nodes(const Project& project,
                                          const std::vector<ScopePlan>& plans) {
  constexpr std::size_t most = 3;
  std::set<std::vector<std::string>> found;
  FileId file = 0;
  while (file < project.documents.size() && !holds_template(project, file)) ++file;
  if (file == project.documents.size()) return {};
  for (const ScopePlan& plan : plans) {
    std::vector<std::string> paths;
    for (const FileId each : plan.files) {
      if (holds_node(project, each)) paths.push_back(project.sources.file(each).path());
    }
    if (!paths.empty()) found.insert(std::move(paths));
  }
  const bool is_one = found.size() == 1 && found.begin()->size() <= most;
  return is_one ? *found.begin() : std::vector<std::string>();
}

}  // namespace gpulint
