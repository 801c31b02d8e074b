#pragma once

#include "compiler/engine/reporter.h"
#include "compiler/model/corpus.h"

namespace gpulint::rules::invalid_custom_resource {

/// Reports `runtimeClassName` of Argo's workflows and their templates, which have no such field
/// (argoproj/argo-workflows f016ad89eb26, docs/fields.md; #7519): their GPU pods get no runtime
/// class.
void check_workflow_fields(const Corpus& corpus, Reporter& reporter);

}  // namespace gpulint::rules::invalid_custom_resource
