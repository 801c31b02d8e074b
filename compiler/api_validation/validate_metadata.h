#pragma once

#include <cstdint>
#include <string>

#include "compiler/api_validation/api_problem.h"
#include "compiler/ir/node.h"

namespace gpulint {

enum class Namespacing : std::uint8_t { namespaced, cluster };

/// An object's name, namespace, labels and annotations.
void validate_object_metadata(Node object, Namespacing namespacing, ApiReport& report);

/// Labels and annotations of a pod template; the server leaves `metadata` out of their paths.
void validate_template_metadata(Node template_node, const std::string& path, ApiReport& report);

}  // namespace gpulint
