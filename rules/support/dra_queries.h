#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "compiler/model/corpus.h"
#include "compiler/model/objects.h"

namespace gpulint::rules {

/// The objects of dynamic resource allocation in a scope, by name; namespaces are left aside.
struct ClaimIndex {
  using Objects = std::map<std::string, KubernetesObject, std::less<>>;
  Objects claims;                              ///< ResourceClaim
  Objects templates;                           ///< ResourceClaimTemplate
  std::set<std::string, std::less<>> classes;  ///< DeviceClass

  explicit ClaimIndex(const Corpus& corpus);

  /// Whether the pod's claim of this name surely asks for a GPU or a MIG device of NVIDIA's: its
  /// object is in the scope.
  [[nodiscard]] bool is_gpu_claim(const PodSpec& pod, const std::string& claim) const;
  /// Where an entry of `resourceClaims` names an object of the scope that is of the other kind.
  struct MistakenSource {
    Node name;
    KubernetesObject object;
    std::string_view meant_key;
  };
  [[nodiscard]] std::optional<MistakenSource> find_mistaken_source(Node claim) const;
  /// A GPU claim of the container whose limits have `limit` as a name; nullopt: none is known.
  [[nodiscard]] std::optional<Value<std::string>> gpu_claim_beside(const PodSpec& pod,
                                                                   Node limit) const;
};

}  // namespace gpulint::rules
