#pragma once

// model/ray: RayCluster, RayJob and RayService as KubeRay reads them, with what it rejects. It does
// not know nodes.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/ir/field.h"
#include "compiler/ir/node.h"
#include "compiler/model/objects.h"
#include "compiler/model/workload.h"

namespace gpulint {

/// An option that KubeRay passes to `ray start`.
struct RayFlag {
  enum class State : std::uint8_t {
    absent,
    bare,   ///< Without argument: the parameter is `true`.
    value,  ///< Even an empty or invalid one: KubeRay does not check it.
    opaque  ///< A placeholder.
  };
  State state = State::absent;
  std::string value{};
  /// The source: the parameter, the group's resource, or the limit; null if absent.
  Node node{};

  [[nodiscard]] bool is_known() const { return state != State::opaque; }
};

/// A problem of a Ray object, and what rejects it.
struct RayProblem {
  enum class Kind : std::uint8_t {
    not_a_string,      ///< A parameter, resource or label that YAML reads as number or boolean;
                       ///< `detail`: its field.
    mistyped,          ///< `detail`: the required type.
    missing_field,     ///< That the schema requires; `detail`: its name.
    unknown_value,     ///< Of an enumeration; `detail`: the nearest value, or empty.
    invalid_quantity,  ///< Of limits and requests.
    pruned_field,      ///< Unknown: removed by the server; `detail`: where it belongs, or empty.
    invalid_name,      ///< Of the object.
    no_container,
    resources_twice,   ///< In rayStartParams and in the group's `resources`.
    labels_parameter,  ///< `labels` is not a parameter.
    invalid_label,
    invalid_replicas,             ///< Negative, or minReplicas above maxReplicas.
    needs_autoscaler_v2,          ///< `idleTimeoutSeconds` or `priority` of a group without it.
    old_ray_version,              ///< `priority` needs Ray 2.56.
    autoscaler_version_conflict,  ///< The environment variable next to the field, or without
                                  ///< scaling.
    restart_policy,               ///< Autoscaler v2 requires `Never`.
    suspended_group,              ///< With autoscaling.
    null_resources,               ///< The operator panics on JSON null in `resources`.
    unreadable_resources,         ///< `resources` is not a JSON map of numbers: an accelerator is
                                  ///< not counted.
    unreadable_amount             ///< A group resource that is not a quantity: ignored without a
                                  ///< message.
  };
  /// What rejects it: the API server by the CRD's schema, the operator at three points, or nothing.
  enum class Stage : std::uint8_t { none, crd, metadata, spec, panic };

  Kind kind = Kind::mistyped;
  Stage stage = Stage::none;
  Node node;
  std::string detail;
};

/// A limit of the Ray container that requests a GPU or an accelerator.
struct RayAccelerator {
  ResourceEntry limit;
  /// KubeRay derives num-gpus or a custom resource from this one, or the parameters name it.
  bool counted = false;
};

/// The head group or a worker group.
struct RayGroup {
  bool is_head = false;
  std::string name;  ///< `headGroup`, or the worker group's.
  Node node;
  Node params_node{};     ///< `rayStartParams`; null if absent.
  Node resources_node{};  ///< The group's own `resources`; null if absent.
  Node container{};       ///< The first container: Ray's.
  PodSpec pod{};
  std::map<std::string, Field<std::string>> params{};  ///< As written, including mistyped ones.
  RayFlag num_gpus{};
  RayFlag num_cpus{};
  RayFlag memory{};
  RayFlag resources{};
  bool resources_unreadable = false;           ///< No accelerator was derived for that reason.
  std::vector<RayAccelerator> accelerators{};  ///< Sorted by name; only of the first container.
};

/// A RayCluster, or the one inside a RayJob, RayService or RayCronJob.
struct RayCluster {
  Node object;
  std::string kind;
  Node spec;                       ///< The cluster's spec.
  std::vector<RayGroup> groups{};  ///< The head first.
  std::vector<RayProblem> problems{};

  /// What rejects it first; `none`: pods are created.
  [[nodiscard]] RayProblem::Stage refused_at() const;
};

/// nullopt for other kinds, and for jobs that name a running cluster.
[[nodiscard]] std::optional<RayCluster> read_ray_cluster(const KubernetesObject& object);

/// Whether KubeRay treats a limit with this name as a GPU.
[[nodiscard]] bool is_ray_gpu(std::string_view resource);

/// Whether an image has CUDA, by its tag. Unknown for other images, digests and placeholders.
enum class RayImage : std::uint8_t { cpu, gpu, unknown };
[[nodiscard]] RayImage classify_ray_image(std::string_view image);

}  // namespace gpulint
