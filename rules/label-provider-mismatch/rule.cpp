#include "compiler/engine/rule.h"

#include <string>
#include <string_view>
#include <vector>

#include "compiler/base/text.h"
#include "compiler/edit/edits.h"
#include "rules/support/flyte_labels.h"

namespace gpulint::rules::label_provider_mismatch {
namespace {

/// Replaces the null of a later layer, or inserts the setting into the section.
[[nodiscard]] std::vector<Edit> set_label(const SourceSet& sources, const LabelMismatch& mismatch,
                                          FlyteLabel label) {
  const Node place = mismatch.place;
  const std::string value = written_string(place, mismatch.suggestion);
  if (place.is_null() && equal_fold(place.key().text(), setting_name(label))) {
    return place.span().empty() ? insert_entry(sources, place.parent(), place.key().text(), value)
                                : replace_string(sources, place, mismatch.suggestion);
  }
  if (!place.is_mapping() || !equal_fold(place.key().text(), "k8s")) return {};
  return insert_entry(sources, place, setting_name(label), value);
}

void report(const Corpus& corpus, const LabelMismatch& mismatch, FlyteLabel label,
            Reporter& reporter) {
  Finding finding = reporter.report_span(
      mismatch.is_default ? mismatch.place.key_span() : mismatch.place.span(), mismatch.place,
      "{} the label `{}`{}, but Flyte requires this label{} for tasks with {}", mismatch.claim,
      mismatch.key, mismatch.is_certain ? "" : " unless you set it",
      mismatch.is_default ? " by default" : "",
      label == FlyteLabel::device ? "an accelerator" : "a partition");
  finding.related(mismatch.evidence, mismatch.evidence_text);
  if (!mismatch.is_certain) finding.severity(Severity::warning);
  if (mismatch.suggestion.empty()) {
    finding.help("set `{}` to the label that shows the {} of your nodes", setting_name(label),
                 label == FlyteLabel::device ? "GPU model" : "partition size");
    return;
  }
  finding.help("use `{}`, {}", mismatch.suggestion, mismatch.reason);
  if (!mismatch.is_default && mismatch.place.text() != mismatch.key) return;
  finding.fix(
      mismatch.is_certain ? Safety::safe : Safety::unsafe,
      mismatch.is_default ? fmt::format("set `{}: {}`", setting_name(label), mismatch.suggestion)
                          : fmt::format("use `{}`", mismatch.suggestion),
      mismatch.is_default ? set_label(*corpus.sources, mismatch, label)
                          : replace_string(*corpus.sources, mismatch.place, mismatch.suggestion));
}

void check(const Corpus& corpus, Reporter& reporter) {
  for (const flyte::Installation& installation : corpus.flyte->installations) {
    for (const FlyteLabel label : {FlyteLabel::device, FlyteLabel::partition}) {
      const auto mismatch = find_mismatch(corpus, installation, label);
      if (mismatch) report(corpus, *mismatch, label, reporter);
    }
  }
}

}  // namespace

extern constinit const Rule rule{
    .info = {.category = "flyte",
             .fix = FixAvailability::safe,
             .proof = FixProof::placement,
             .aliases = "device-label-provider-mismatch partition-label-provider-mismatch"},
    .check = check};

}  // namespace gpulint::rules::label_provider_mismatch
