#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>

#include "compiler/ir/field.h"
#include "compiler/model/corpus.h"
#include "rules/misspelt-reference/named_objects.h"

namespace gpulint::rules::misspelt_reference {

/// Those of a claim's requests, or of a template's; none where one is open.
[[nodiscard]] Names request_names(const KubernetesObject& object);

/// The ResourceClaims and ResourceClaimTemplates that pods name.
[[nodiscard]] std::set<std::string, std::less<>> names_of_claims(const Corpus& corpus);

/// Whether it is a device class that a driver makes by itself.
[[nodiscard]] bool is_own_class(std::string_view name);

/// Whether what a cluster answered is among the objects: its classes, each as the API server keeps
/// it or beside slices, which drivers write.
[[nodiscard]] bool has_classes_of_cluster(const Corpus& corpus);

}  // namespace gpulint::rules::misspelt_reference
