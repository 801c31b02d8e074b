#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/engine/corpus.h"
#include "compiler/model/dra/dra.h"
#include "compiler/model/objects.h"

namespace gpulint::rules {

/// The objects of dynamic resource allocation in a scope, by name, whatever the namespace.
struct ClaimIndex {
  using Objects = std::map<std::string, KubernetesObject, std::less<>>;
  Objects claims;                              ///< ResourceClaim
  Objects templates;                           ///< ResourceClaimTemplate
  std::set<std::string, std::less<>> classes;  ///< DeviceClass
  std::set<std::string, std::less<>> backed;   ///< Extended resources that a class names.

  explicit ClaimIndex(const Corpus& corpus);

  /// Whether the pod's claim of this name certainly requests an NVIDIA GPU or MIG device: its
  /// object is in the scope.
  [[nodiscard]] bool is_gpu_claim(const PodSpec& pod, const std::string& claim) const;
  /// The claim or template that an entry of `resourceClaims` names; null if it is not in the scope.
  [[nodiscard]] const KubernetesObject* find_source(Node claim) const;
  /// An entry of `resourceClaims` that names an object of the other kind.
  struct MistakenSource {
    Node name;  ///< As written: it may be an alias.
    KubernetesObject object;
    std::string_view meant_key;
  };
  [[nodiscard]] std::optional<MistakenSource> find_mistaken_source(Node claim) const;
  /// A GPU claim of the container with the limit whose name is `limit`; nullopt if none is known.
  [[nodiscard]] std::optional<Value<std::string>> gpu_claim_beside(const PodSpec& pod,
                                                                   Node limit) const;
};

/// check_pod_claims() without claims that something else may declare: an Argo Workflow copies its
/// claims into each of its pods, and other controllers may add theirs. They are kept if the pod has
/// an unused claim: then the name is misspelt.
[[nodiscard]] std::vector<DraProblem> find_claim_problems(const Workload& workload);

}  // namespace gpulint::rules
