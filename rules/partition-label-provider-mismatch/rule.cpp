#include "compiler/engine/rule.h"

#include "rules/support/flyte_labels.h"

namespace gpulint::rules::partition_label_provider_mismatch {
namespace {

void check(const Corpus& corpus, Reporter& reporter) {
  report_mismatches(corpus, FlyteLabel::partition, reporter);
}

}  // namespace

extern constinit const Rule rule;
constinit const Rule rule{
    .info = {.id = "partition-label-provider-mismatch",
             .category = "flyte",
             .summary =
                 "Flyte demands a partition label that the known nodes or provider do not carry.",
             .severity = Severity::error,
             .fix = FixAvailability::safe,
             .proof = FixProof::placement},
    .check = check};

}  // namespace gpulint::rules::partition_label_provider_mismatch
