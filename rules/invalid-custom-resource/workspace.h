#pragma once

#include "compiler/engine/reporter.h"
#include "compiler/model/corpus.h"

namespace gpulint::rules::invalid_custom_resource {

/// Reports `instanceType` of KAITO's Workspaces: Azure's machines of series that it refuses, those
/// without a GPU for a preset, which needs one, and names a letter off a machine that there is
/// (Azure/kaito 9dd17a360b1c, api/v1alpha1/workspace_validation.go; kaito-project/kaito#242).
void check_workspaces(const Corpus& corpus, Reporter& reporter);

}  // namespace gpulint::rules::invalid_custom_resource
