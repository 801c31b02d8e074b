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

// What a change of files can be made of: fixes of findings, and the same for what no rule finds.

using FileEdits = std::map<FileId, std::vector<Edit>>;

/// The edits of all fixes, sorted; of edits that overlap the first counts, and what is inserted at
/// one place is put one behind the other.
[[nodiscard]] FileEdits merge_fixes(const std::vector<Fix>& fixes);

/// Whether text may be changed to make the workload fit: its manifest, or the configuration of its
/// task; not what Nodes say of themselves.
[[nodiscard]] bool may_edit(const WhySubject& subject, Span span);

/// Tolerations of the terms' taints where the workload has its own, or in Flyte's configuration.
[[nodiscard]] std::vector<Edit> tolerate_edits(const WhySubject& subject,
                                               const std::vector<Term>& terms,
                                               const SourceSet& sources);

/// What `generate` would write for the tasks of the subject's release, as edits of its last layer.
/// Empty where there is none, or it takes none.
[[nodiscard]] std::vector<Fix> generated_fixes(const WhySubject& subject, const SourceSet& sources);

/// The changes of one value in what declares a workload: for each label value, label key and
/// resource that some node lacks, the names that known nodes have in its place.
struct ValueFixes {
  std::vector<Fix> fixes;   ///< The likeliest first.
  bool is_complete = true;  ///< False where there are more than are worth trying.
};
[[nodiscard]] ValueFixes value_fixes(const WhySubject& subject,
                                     const std::vector<why::Group>& groups,
                                     const SourceSet& sources);

/// A command that writes values under which the subject fits, for a task without any values among
/// the inputs; nullopt where none would do.
[[nodiscard]] std::optional<why::Way> way_by_generating(const WhySubject& subject,
                                                        const Request& request);

}  // namespace gpulint
