#pragma once

#include <string>
#include <string_view>

#include "compiler/policy/facts.h"

namespace gpulint::policy {

/// Where policies find facts that are not written into them: an object of the whole cluster.
inline constexpr std::string_view facts_version = "gpulint.dev/v1alpha1";
inline constexpr std::string_view facts_kind = "GpuFacts";
inline constexpr std::string_view facts_name = "gpulint";

/// The CustomResourceDefinition and the object, as YAML.
[[nodiscard]] std::string write_facts_definition();
[[nodiscard]] std::string write_facts(const Facts& facts);

}  // namespace gpulint::policy
