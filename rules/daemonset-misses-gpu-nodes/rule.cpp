#include "compiler/engine/rule.h"

#include <fmt/format.h>

#include "compiler/engine/reporter.h"
#include "rules/daemonset-misses-gpu-nodes/daemons.h"
#include "rules/daemonset-misses-gpu-nodes/plugin_selection.h"
#include "rules/support/causes.h"
#include "rules/support/label_edits.h"
#include "rules/support/toleration_edits.h"

namespace gpulint::rules::daemonset_misses_gpu_nodes {
namespace {

void report_taint(const Corpus& corpus, const Cause& cause, const UntoleratedTaint& taint,
                  Reporter& reporter) {
  const Workload& workload = *cause.workloads.front();
  const Named named = name_of(workload);
  Finding finding =
      reporter.report_span(cause.where, cause.blame, "taint `{}` keeps {} off GPU nodes: {}",
                           taint_text(taint), named.who, loss_without(workload));
  finding.at_most(severity_of(workload))
      .related(cause.other, fmt::format("the taint of {}", describe(*cause.pool)))
      .help("tolerate the taint{}; DaemonSets that nodes need tolerate every taint of theirs",
            named.path.empty() ? "" : fmt::format(" in `{}`", named.path));
  if (taint.miss == UntoleratedTaint::Miss::value) {
    finding.fix(Safety::unsafe, fmt::format("tolerate the value `{}`", taint.value),
                correct_value(*corpus.sources, taint.near, taint.value));
  }
  if (taint.miss != UntoleratedTaint::Miss::none) return;
  finding.fix(
      Safety::unsafe, fmt::format("tolerate `{}`", taint_text(taint)),
      add_tolerations(*corpus.sources, workload.pod, {{taint.key, taint.value, taint.effect}}));
}

void report_selection(const Corpus& corpus, const Cause& cause,
                      const UnmatchedRequirement& unmatched, Reporter& reporter) {
  const Workload& workload = *cause.workloads.front();
  Finding finding = reporter.report_span(
      cause.where, cause.blame, "no known GPU node has `{}`, which {} selects: {}",
      requirement_text(unmatched), name_of(workload).who, loss_without(workload));
  finding.at_most(severity_of(workload))
      .related(cause.other, fmt::format("what {} carries", describe(*cause.pool)));
  if (!unmatched.carried.empty()) {
    finding.help("known nodes carry {} under this key", list(unmatched.carried));
  } else if (unmatched.suggested_key.empty()) {
    finding.help("label the GPU nodes so, or select them by a label that they carry");
    if (!cause.other) finding.related(name_node(*cause.pool), "a GPU node without it");
  }
  if (unmatched.suggested_key.empty()) return;
  const MeantLabel meant{unmatched.suggested_key, unmatched.suggested_value};
  finding.help("{} carries `{}`", describe(*cause.pool), meant.text())
      .fix(Safety::unsafe, fmt::format("require `{}`", meant.text()),
           correct_labels(*corpus.sources, cause, meant));
}

void check(const Corpus& corpus, Reporter& reporter) {
  if (corpus.placement == nullptr) return;
  check_plugins_without_nodes(corpus, reporter);
  for (const Cause& cause : corpus.placement->daemon_gaps) {
    if (const auto* taint = std::get_if<UntoleratedTaint>(&cause.what)) {
      report_taint(corpus, cause, *taint, reporter);
    } else if (const auto* unmatched = std::get_if<UnmatchedRequirement>(&cause.what)) {
      report_selection(corpus, cause, *unmatched, reporter);
    }
  }
}

}  // namespace

extern constinit const Rule rule;
constinit const Rule rule{
    .info = {.id = "daemonset-misses-gpu-nodes",
             .category = "placement",
             .summary =
                 "A DaemonSet that GPU nodes need is kept off them by a taint or its selector.",
             .severity = Severity::error,
             .fix = FixAvailability::unsafe,
             .proof = FixProof::placement},
    .check = check};

}  // namespace gpulint::rules::daemonset_misses_gpu_nodes
