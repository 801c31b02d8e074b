#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/model/corpus/corpus.h"
#include "compiler/model/dra/dra.h"
#include "compiler/model/objects.h"

namespace gpulint::rules {

/// The objects of dynamic resource allocation in a scope, by name; namespaces are left aside.
struct ClaimIndex {
  using Objects = std::map<std::string, KubernetesObject, std::less<>>;
  Objects claims;                              ///< ResourceClaim
  Objects templates;                           ///< ResourceClaimTemplate
  std::set<std::string, std::less<>> classes;  ///< DeviceClass
  std::set<std::string, std::less<>> backed;   ///< Extended resources that a class names.

  explicit ClaimIndex(const Corpus& corpus);

  /// Whether the pod's claim of this name surely asks for a GPU or a MIG device of NVIDIA's: its
  /// object is in the scope.
  [[nodiscard]] bool is_gpu_claim(const PodSpec& pod, const std::string& claim) const;
  /// The claim or template that an entry of `resourceClaims` names; null where it is not there.
  [[nodiscard]] const KubernetesObject* find_source(Node claim) const;
  /// Where an entry of `resourceClaims` names an object of the scope that is of the other kind.
  struct MistakenSource {
    Node name;  ///< As written: it may be an alias.
    KubernetesObject object;
    std::string_view meant_key;
  };
  [[nodiscard]] std::optional<MistakenSource> find_mistaken_source(Node claim) const;
  /// A GPU claim of the container whose limits have `limit` as a name; nullopt: none is known.
  [[nodiscard]] std::optional<Value<std::string>> gpu_claim_beside(const PodSpec& pod,
                                                                   Node limit) const;
};

/// check_pod_claims() without claims that something else may declare: those of an Argo Workflow go
/// into each of its pods, as other controllers may add theirs. Where the pod has a claim that no
/// container uses, that one is meant.
[[nodiscard]] std::vector<DraProblem> find_claim_problems(const Workload& workload);

}  // namespace gpulint::rules
