#pragma once

#include "compiler/cel/expression.h"
#include "compiler/cel/type.h"

namespace gpulint::cel {

/// What the type checker makes of a program.
struct Checked {
  Complaint complaint;
  Type result;
};

/// Types a device selector as the API server does; the only variable is `device`. Functions that
/// are not known here leave it open: Kubernetes has more of them, other versions have others.
/// Facts: k8s.io/dynamic-resource-allocation v0.37 (cel/compile.go), cel-go v0.29 (checker).
[[nodiscard]] Checked check_types(const Program& program);

}  // namespace gpulint::cel
