#pragma once

#include <string>
#include <vector>

#include "compiler/ir/node.h"

namespace gpulint {

/// Where an object holds a pod: the way down to its spec, aliases and merge keys followed, so that
/// two roles that share one template are two places. Anchors cannot hold themselves.
struct PodTemplatePath {
  struct Step {
    Node key;    ///< Nothing for items of lists.
    Node value;  ///< What stands there, resolved.
  };
  std::vector<Step> steps;  ///< From below the object down to the spec.
  Node use;                 ///< The first alias on the way, where there is one.

  [[nodiscard]] Node spec() const { return steps.back().value; }
  /// The mapping with the pod's `metadata`: the one around the spec, or the spec itself where it
  /// stands under no key `spec`.
  [[nodiscard]] Node template_in(Node object) const;
  /// What is around the template, innermost first; the object is the last.
  [[nodiscard]] std::vector<Node> around_template(Node object) const;
  /// The keys on the way that say which of several pods it is: `head`, `worker/gpu`.
  [[nodiscard]] std::string role() const;
};

/// Whether a list is one of containers, as far as it shows.
[[nodiscard]] bool is_container_list(Node containers);

/// The pods below `object`, in document order; pods are not searched for pods. What stands outside
/// the object's `spec` or `template` to be shared is no pod where it is used inside them.
[[nodiscard]] std::vector<PodTemplatePath> find_pod_template_paths(Node object);

}  // namespace gpulint
