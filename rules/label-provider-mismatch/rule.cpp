#include "compiler/engine/rule.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

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
  const std::string_view setting = setting_name(label);
  Finding finding =
      reporter.report_span(mismatch.is_default ? mismatch.place.key_span() : mismatch.place.span(),
                           mismatch.place, "Flyte requires `{}`{}, but {}", mismatch.key,
                           mismatch.is_default ? " by default" : "", mismatch.claim);
  finding.related(mismatch.evidence, mismatch.evidence_text);
  if (!mismatch.is_certain) finding.severity(Severity::warning);
  const std::string harm =
      fmt::format("tasks with {} {}stay Pending",
                  label == FlyteLabel::device ? "an accelerator" : "a partition",
                  mismatch.is_certain ? "" : "may ");
  if (mismatch.suggestion.empty()) {
    finding.help("set `{}` to the label that shows the {} of your nodes. Otherwise {}", setting,
                 label == FlyteLabel::device ? "GPU model" : "partition size", harm);
    return;
  }
  std::vector<Edit> edits;
  if (mismatch.is_default) {
    edits = set_label(*corpus.sources, mismatch, label);
  } else if (mismatch.place.text() == mismatch.key) {
    edits = replace_string(*corpus.sources, mismatch.place, mismatch.suggestion);
  }
  if (edits.empty()) {
    finding.help("set `{}: {}`. Otherwise {}, because {}", setting, mismatch.suggestion, harm,
                 mismatch.reason);
    return;
  }
  finding.help("{}, because {}", harm, mismatch.reason)
      .fix(mismatch.is_certain ? Safety::safe : Safety::unsafe,
           fmt::format("set `{}: {}`", setting, mismatch.suggestion), std::move(edits));
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
