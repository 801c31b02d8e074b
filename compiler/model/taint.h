#pragma once

#include <string>

#include "compiler/ir/field.h"
#include "compiler/ir/node.h"

namespace gpulint {

/// `core/v1 Taint`.
struct Taint {
  Node node;
  Field<std::string> key;
  Field<std::string> value;
  Field<std::string> effect;
};

}  // namespace gpulint
