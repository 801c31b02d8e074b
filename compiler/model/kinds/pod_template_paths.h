#pragma once

#include <string>
#include <vector>

#include "compiler/ir/node.h"

namespace gpulint {

/// The path of a pod in an object, down to its spec. Aliases and merge keys are followed, so two
/// roles that share one template are two paths. Anchors cannot contain themselves.
struct PodTemplatePath {
  struct Step {
    Node key;    ///< Null for items of lists.
    Node value;  ///< The value there, resolved.
  };
  std::vector<Step> steps;  ///< From below the object down to the spec.
  Node use;                 ///< The first alias in the path, if there is one.

  [[nodiscard]] Node spec() const { return steps.back().value; }
  /// The mapping with the pod's `metadata`: the one around the spec, or the spec itself if it has
  /// no key `spec`.
  [[nodiscard]] Node template_in(Node object) const;
  /// The nodes around the template, innermost first; the object is the last.
  [[nodiscard]] std::vector<Node> around_template(Node object) const;
  /// The keys of the path that distinguish several pods: `head`, `worker/gpu`.
  [[nodiscard]] std::string role() const;
};

/// Whether a list is a list of containers, as far as it shows.
[[nodiscard]] bool is_container_list(Node containers);

/// The pods below `object`, in document order; pods are not searched for more pods. Shared parts
/// outside the object's `spec` or `template` are not pods where they are used inside them.
[[nodiscard]] std::vector<PodTemplatePath> find_pod_template_paths(Node object);

}  // namespace gpulint
