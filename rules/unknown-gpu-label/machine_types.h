#pragma once

#include <string>
#include <string_view>

#include "compiler/engine/reporter.h"
#include "compiler/ir/field.h"

namespace gpulint::rules::unknown_gpu_label {

/// The types that a family of EC2 has, where the value of a label of instance types is none of them
/// and the family is one of machines with GPUs: `p4d.24xlarge` for `p4d.12xlarge`. Empty: the type
/// is known, or its family is not.
[[nodiscard]] std::string types_of_family(std::string_view key, std::string_view value);

/// Says that there is no such type, and which there are.
void report_type(Reporter& reporter, const Field<std::string>& value, std::string_view types);

}  // namespace gpulint::rules::unknown_gpu_label
