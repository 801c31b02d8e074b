#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "compiler/base/diagnostic.h"
#include "compiler/project/project.h"
#include "compiler/project/request.h"
#include "compiler/schedule/terms.h"
#include "compiler/why/story.h"
#include "compiler/why/subjects.h"

namespace gpulint {

// The parts of a change of files: fixes of findings, and the same for what no rule finds.

using FileEdits = std::map<FileId, std::vector<Edit>>;

/// The edits of all fixes by file, sorted. Of overlapping edits the first one wins; insertions at
/// one position are joined in order.
[[nodiscard]] FileEdits merge_fixes(const std::vector<Fix>& fixes);

/// Whether a change may edit this text: the workload's manifest or its task's configuration, but
/// not Nodes.
[[nodiscard]] bool may_edit(const WhySubject& subject, Span span);

/// Adds tolerations of the terms' taints to the workload's manifest or Flyte's configuration.
[[nodiscard]] std::vector<Edit> tolerate_edits(const WhySubject& subject,
                                               const std::vector<Term>& terms,
                                               const SourceSet& sources);

/// The values that `generate` writes for the tasks of the subject's release, as edits of the last
/// values file. Empty if there is none, or if it cannot be edited.
[[nodiscard]] std::vector<Fix> generated_fixes(const WhySubject& subject, const SourceSet& sources);

/// Changes of one value in what declares a workload: for each label value, label key and resource
/// that some node lacks, the names that known nodes have instead.
struct ValueFixes {
  std::vector<Fix> fixes;   ///< The likeliest first.
  bool is_complete = true;  ///< False if there are more than are worth trying.
};
[[nodiscard]] ValueFixes value_fixes(const WhySubject& subject,
                                     const std::vector<why::Group>& groups,
                                     const SourceSet& sources);

/// A `gpulint generate` command whose values make the subject fit, for a task without values in the
/// inputs. nullopt if no values help.
[[nodiscard]] std::optional<why::Way> way_by_generating(const WhySubject& subject,
                                                        const Request& request);

}  // namespace gpulint
