#pragma once

#include <array>
#include <string_view>

namespace gpulint::rules {

/// A field and where it belongs.
struct Home {
  std::string_view field;
  std::string_view place;  ///< Where the field belongs.
};
/// Fields that decide about GPUs, and where Kubernetes looks for them.
inline constexpr std::array homes = {Home{"limits", "a container's `resources`"},
                                     Home{"requests", "a container's `resources`"},
                                     Home{"resources", "a container"},
                                     Home{"tolerations", "the pod's `spec`"},
                                     Home{"nodeSelector", "the pod's `spec`"},
                                     Home{"affinity", "the pod's `spec`"},
                                     Home{"nodeAffinity", "`affinity`"},
                                     Home{"runtimeClassName", "the pod's `spec`"},
                                     Home{"containers", "the pod's `spec`"},
                                     Home{"hard", "the quota's `spec`"},
                                     Home{"taints", "the node's `spec`"},
                                     Home{"spec", "the object, beside `metadata`"}};

}  // namespace gpulint::rules
