#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/base/diagnostic.h"
#include "compiler/ir/node.h"
#include "compiler/model/corpus.h"

namespace gpulint::rules {

/// A field that decides about GPUs, and where Kubernetes looks for it.
struct Home {
  std::string_view field;
  std::string_view place;
};
/// Null for other fields.
[[nodiscard]] const Home* find_home(std::string_view field);
/// Such a field that is spelt nearly so; nullopt where none is near.
[[nodiscard]] std::optional<std::string_view> nearest_home(std::string_view written);

/// What the key is written in: `` `resources` ``, ``an entry of `tolerations` ``, `the object`.
[[nodiscard]] std::string describe_owner(Node key);

// Edits that move what stands where Kubernetes does not look; none where the place is taken, more
// than one pod could be meant, or the layout does not allow it.

/// A field of the object, the pod or `affinity` to where it belongs. `workload` is a pod of the
/// object; it may be null.
[[nodiscard]] std::vector<Edit> move_home(const Corpus& corpus, Node value,
                                          const Workload* workload);

/// `limits` or `requests` of a container into its `resources`, which are made where they lack.
[[nodiscard]] std::vector<Edit> move_into_resources(const SourceSet& sources, Node list);

}  // namespace gpulint::rules
