#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/api_validation/api_problem.h"
#include "compiler/base/diagnostic.h"
#include "compiler/engine/reporter.h"
#include "compiler/ir/node.h"
#include "compiler/model/corpus/corpus.h"

namespace gpulint::rules::misplaced_resources {

/// A field that decides about GPUs, and where Kubernetes looks for it.
struct Home {
  std::string_view field;
  std::string_view place;
};

/// What the key is written in: `` `resources` ``, ``an entry of `tolerations` ``, `the object`. The
/// second names what uses the field, be it written behind an anchor elsewhere.
[[nodiscard]] std::string describe_owner(Node key);

[[nodiscard]] std::string describe_owner(const ApiProblem& problem);

/// Whether the API server's unknown fields have the key already.
[[nodiscard]] bool is_unknown_to_api(const Corpus& corpus, Node key);

/// The keys of pods' `spec` in the object that stand inside their template's `metadata` and may ask
/// for GPUs; not where `metadata` is not plainly that of a template.
[[nodiscard]] std::vector<Node> find_specs_in_metadata(Node object);

/// Keys of the container that are, or nearly are, fields of a pod, in custom resources whose
/// containers are Kubernetes' own (KServe, Kubeflow, KubeRay, LeaderWorkerSet, JobSet, Volcano,
/// Argo Workflows, Dask, Dynamo).
[[nodiscard]] std::vector<Node> find_pod_fields(const Workload& workload,
                                                const Container& container);

// Edits that move what stands where Kubernetes does not look; none where the place is taken, more
// than one pod could be meant, or the layout does not allow it.

/// `limits` or `requests` of a container into its `resources`, which are made where they lack.
[[nodiscard]] std::vector<Edit> move_into_resources(const SourceSet& sources, Node list);

/// Reports a field that its place does not know, where a field that decides about GPUs is meant.
/// `workload` is the pod that it is about; it may be null.
void check_unknown_field(const Corpus& corpus, Reporter& reporter, Node key, std::string_view place,
                         const Workload* workload);

/// Reports fields of the pod that are misspelt, or stand around it; each that is not `told` yet.
void check_fields(const Corpus& corpus, Reporter& reporter, const Workload& workload,
                  std::set<Span>& told);

/// Reports names of resources among Dynamo's own words for amounts, `gpu` and `custom` (ai-dynamo/
/// dynamo, deploy/cloud/operator/api/dynamo/common/common.go): the API server drops them.
void report_dynamo_amounts(Reporter& reporter, const Workload& workload);

}  // namespace gpulint::rules::misplaced_resources
