#include "compiler/engine/rule.h"

#include <string>

#include "compiler/engine/reporter.h"
#include "compiler/ir/node.h"
#include "compiler/model/mig_config.h"

namespace gpulint::rules {
namespace {

/// The layout problems of a configuration; what mig-parted says success to counts most.
void check_config(Reporter& reporter, Node config) {
  using Kind = MigConfigProblem::Kind;
  for (const MigConfigProblem& problem : read_mig_config(config).problems) {
    const Node at = problem.node;
    if (problem.kind == Kind::impossible_layout) {
      const auto profiles = at.fields();
      const Node place = profiles.size() == 1 ? profiles.front().value : at;
      reporter.report_key(place, "no GPU can hold these MIG devices together: {}", problem.detail)
          .help(
              "`nvidia-smi mig -lgipp` prints the placements; mig-manager reports success and "
              "makes none or only some of the devices");
    } else if (problem.kind == Kind::all_counts_zero || problem.kind == Kind::negative_count) {
      reporter.report_key(at, "a layout without any device, which mig-parted refuses")
          .help("`mig-enabled: false` turns MIG off; the whole file is refused until then");
    }
  }
}

/// Run:ai keeps a configuration of its own form in an annotation of that name.
[[nodiscard]] bool is_annotation(const Document& document) {
  return document.host != nullptr &&
         Node(*document.host, document.host_node).parent().key().text() == "annotations";
}

void check(const Corpus& corpus, Reporter& reporter) {
  for (const Document* document : corpus.documents) {
    if (!document->errors.empty() || is_annotation(*document)) continue;
    if (looks_like_mig_config(root(*document))) check_config(reporter, root(*document));
  }
}

}  // namespace

extern constinit const Rule impossible_mig_layout;
constinit const Rule impossible_mig_layout{
    .info = {.id = "impossible-mig-layout",
             .category = "partition",
             .summary = "A MIG layout that no placement on a GPU realises.",
             .severity = Severity::error,
             .fix = FixAvailability::none},
    .check = check};

}  // namespace gpulint::rules
