#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/model/objects.h"

namespace gpulint {

/// CustomResourceDefinitions are long (24 of the 25 MB of kubeflow/manifests), and only those of
/// the resources at hand say anything: their texts are looked at before they are parsed.

/// Whether the text of a document, in block style, is a CustomResourceDefinition.
[[nodiscard]] bool is_definition(std::string_view document);

/// `group/Kind` of the resources that the definition is of; empty where the text does not show it
/// at once.
[[nodiscard]] std::string defined_kind(std::string_view definition);

/// Adds `group/Kind` of each object whose API has a group.
void add_custom_kinds(const std::vector<KubernetesObject>& objects, std::set<std::string>& kinds);

}  // namespace gpulint
