#include "compiler/engine/rule.h"

#include <fmt/format.h>

#include "compiler/engine/reporter.h"
#include "rules/support/edits.h"
#include "rules/support/flyte_labels.h"

namespace gpulint::rules {
namespace {

void report(const Corpus& corpus, const LabelMismatch& mismatch, Reporter& reporter) {
  Finding finding = reporter.report(
      mismatch.place, "{} {} `{}`", mismatch.claim,
      mismatch.is_default ? "Flyte's default partition label" : "the partition label",
      mismatch.key);
  finding.related(mismatch.evidence, mismatch.evidence_text);
  if (!mismatch.is_certain) finding.severity(Severity::warning);
  if (mismatch.suggestion.empty()) {
    finding.help("set it to the label that tells the partition of your nodes");
    return;
  }
  finding.help("nodes here carry `{}`", mismatch.suggestion);
  if (mismatch.is_default || mismatch.place.text() != mismatch.key) return;
  finding.fix(mismatch.is_certain ? Safety::safe : Safety::unsafe,
              fmt::format("use `{}`", mismatch.suggestion),
              replace_string(*corpus.sources, mismatch.place, mismatch.suggestion));
}

void check(const Corpus& corpus, Reporter& reporter) {
  for (const flyte::Installation& installation : corpus.flyte->installations) {
    const auto mismatch = find_mismatch(corpus, installation, FlyteLabel::partition);
    if (mismatch) report(corpus, *mismatch, reporter);
  }
}

}  // namespace

extern constinit const Rule partition_label_provider_mismatch;
constinit const Rule partition_label_provider_mismatch{
    .info = {.id = "partition-label-provider-mismatch",
             .category = "flyte",
             .summary =
                 "Flyte demands a partition label that the known nodes or provider do not carry.",
             .severity = Severity::error,
             .fix = FixAvailability::safe,
             .proof = FixProof::placement},
    .check = check};

}  // namespace gpulint::rules
