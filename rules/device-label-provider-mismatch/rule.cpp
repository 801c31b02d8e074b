#include "compiler/engine/rule.h"

#include "rules/support/flyte_labels.h"

namespace gpulint::rules::device_label_provider_mismatch {
namespace {

void check(const Corpus& corpus, Reporter& reporter) {
  report_mismatches(corpus, FlyteLabel::device, reporter);
}

}  // namespace

extern constinit const Rule rule{
    .info = {.category = "flyte", .fix = FixAvailability::safe, .proof = FixProof::placement},
    .check = check};

}  // namespace gpulint::rules::device_label_provider_mismatch
