#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace gpulint {

// Kinds of the Kubernetes API (reference v1.37, and those that earlier versions served) and of the
// operators that run GPU workloads.

/// How the pods of a kind run.
struct KindTraits {
  bool core = false;           ///< Kubernetes' own, with one pod template.
  bool service = false;        ///< All pods run all the time.
  bool gang = false;           ///< All pods run at the same time.
  bool one_run = false;        ///< The pods are the processes of one run.
  bool lone = false;           ///< Each pod works without the others.
  bool queued_by_pod = false;  ///< Kueue sees the pods, not their template.
  bool selects = false;        ///< `spec.selector` must match the template.
};

/// How many pods of a template run at the same time: see facts/kinds.json for each member.
struct PodCountFacts {
  bool is_known = true;
  std::string_view
      path;  ///< Empty: `replicas` and `parallelism` of everything around the template.
  bool is_required = false;
  std::span<const std::string_view> factors;
  std::span<const std::string_view> unless;
  std::string_view single_role;
  std::string_view hook;
};

/// Pods of a kind that has no `containers` list.
struct PodFacts {
  enum class Role : std::uint8_t { none, key, item };

  std::string_view path;   ///< Path of the mapping with the fields of a pod's spec, for
                           ///< for_each_at().
  Role role = Role::none;  ///< The role is the key of the mapping, or `name` of the list's item.
  std::span<const std::string_view> containers;  ///< Paths below it; empty: the mapping itself.
  std::string_view resources;       ///< Path in a container that comes before its `resources`.
  std::string_view claims;          ///< Path in a container of devices in addition to its
                                    ///< resources.
  bool is_completed_later = false;  ///< The operator may add what the pod does not set.
  std::string_view hook;            ///< A function of operator_pods.cpp that reads the mapping.
};

/// A field that names another object, or something else that exists once.
struct KindReference {
  std::string_view path;  ///< For for_each_at(), after `pod.` or `template.` of the pod.
  std::span<const std::string_view> other_paths;  ///< To follow if the first has nothing.
  std::string_view kind_path;  ///< The field that selects one of `kinds`; empty: any of them.
  std::span<const std::string_view> kinds;  ///< Empty if only `made` exist.
  std::span<const std::string_view> made;   ///< Names that exist without an object.
  std::string_view what;                    ///< The noun for the name: `scheduler`, or the first
                                            ///< kind.
  std::string_view effect;                  ///< What happens if no such object exists.
  bool is_likely = false;         ///< If one object of the kind is declared, usually all are.
  bool may_be_elsewhere = false;  ///< An object of another namespace may be meant.
  bool of_gpu_pods = false;       ///< Ignored for pods without GPUs.
  std::string_view hook;          ///< A function of misspelt-reference that knows the names.
};

/// What objects without pods or nodes are used for by pods and objects of other files.
enum class SharedObject : std::uint8_t {
  runtime_class,
  device_class,
  claim,       ///< ResourceClaims, their templates, and objects that create them.
  gpu_config,  ///< Of the device plugin or the MIG manager, in a ConfigMap.
  quota,       ///< Also LimitRanges.
  name_space,
  pod_security,  ///< What Pod Security enforces if a namespace sets nothing.
  local_queue,   ///< Kueue's.
  cluster_queue,
  flavor,
  scheduler_queue,  ///< KAI-Scheduler's or Volcano's; also KAI-Scheduler's own settings.
  discovery,        ///< The configuration of Node Feature Discovery.
  pod_template,     ///< The base of tasks' pods in Flyte.
  runtime,          ///< Of KServe's services or Kubeflow's jobs.
  knative_features  ///< ConfigMap `config-features`, or the operator's KnativeServing.
};

/// A row of facts/kinds.json.
struct KindFacts {
  std::string_view group;
  std::string_view kind;
  std::string_view version;  ///< Current `apiVersion`; empty: not stated.
  std::string_view plural;   ///< As in the API server's paths: `networkpolicies`.
  bool is_cluster_wide = false;
  KindTraits traits;
  PodCountFacts count;
  std::span<const PodFacts> pods;
  std::span<const KindReference> references;
  std::string_view made_kind;       ///< Of objects that a controller creates for one of this kind.
  std::string_view made_name;       ///< Path of the field that names such an object.
  std::string_view cluster_name;    ///< Path of the name of the nodes' cluster.
  std::string_view cluster_region;  ///< Path of its region, if that is a part of the name.
  std::optional<SharedObject> serves;
  std::span<const SharedObject> needs;  ///< What objects of this kind need from other files.
};

[[nodiscard]] std::span<const KindFacts> all_kinds();

/// The references of every pod, and of the object that creates it.
[[nodiscard]] std::span<const KindReference> pod_references();

/// The row of this group and kind, in any version; an empty one if there is none.
[[nodiscard]] const KindFacts& facts_of(std::string_view api_version, std::string_view kind);

/// The first row of this kind, in any group; one without traits and counts if there is none.
[[nodiscard]] const KindFacts& facts_of_kind(std::string_view kind);

/// `apps` of `apps/v1`; empty for the core group (`v1`).
[[nodiscard]] std::string_view api_group(std::string_view api_version);

/// The kind of this group that differs from `kind` only in letter case; nullopt: none known.
[[nodiscard]] std::optional<std::string_view> find_kind(std::string_view group,
                                                        std::string_view kind);

/// Whether all kinds of the group are known, and any other is rejected: one of Kubernetes' own
/// groups, or the core group (the empty one).
[[nodiscard]] bool is_closed_group(std::string_view group);

/// Every kind of such a group; empty for other groups.
[[nodiscard]] std::vector<std::string_view> kinds_of_closed_group(std::string_view group);

/// The current apiVersion of a Kubernetes kind that exists in one known group only, with exact
/// letter case; nullopt for others.
[[nodiscard]] std::optional<std::string_view> api_version_of_kind(std::string_view kind);

}  // namespace gpulint
