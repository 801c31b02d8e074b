#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/model/objects.h"

namespace gpulint {

// CustomResourceDefinitions are long (24 of the 25 MB of kubeflow/manifests). Only definitions of
// resources among the inputs matter, so their text is searched before it is parsed.

/// Whether the text of a document, in block style, is a CustomResourceDefinition.
[[nodiscard]] bool is_definition(std::string_view document);

/// `group/Kind` of the resources that the text defines; empty if a quick search does not find it.
[[nodiscard]] std::string defined_kind(std::string_view definition);

/// Adds `group/Kind` of each object whose API has a group.
void add_custom_kinds(const std::vector<KubernetesObject>& objects, std::set<std::string>& kinds);

}  // namespace gpulint
