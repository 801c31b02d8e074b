#include "compiler/engine/rule.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "compiler/base/text.h"
#include "compiler/edit/edits.h"
#include "compiler/model/facts/accelerator_catalog.h"
#include "compiler/model/facts/gpu_cards.h"
#include "compiler/model/facts/provider_catalog.h"
#include "rules/support/flyte_labels.h"
#include "rules/support/placement_causes.h"

namespace gpulint::rules::device_value_mismatch {
namespace {

/// At the setting with the key of the label.
constexpr const char* flyte_requires =
    "Flyte requires this label on nodes for tasks with an accelerator";

void offer_fix(const Corpus& corpus, Finding& finding, Node written, const std::string& value,
               std::string_view meant) {
  if (!written || written.text() != value) return;
  finding.fix(Safety::unsafe, fmt::format("use `{}`", meant),
              replace_string(*corpus.sources, written, meant));
}

/// Reports a value that no node among the inputs has.
void report_cause(const Corpus& corpus, const Cause& cause, Node key, Reporter& reporter) {
  const auto& unmatched = std::get<UnmatchedRequirement>(cause.what);
  const std::string value = unmatched.wanted.empty() ? "" : unmatched.wanted.front();
  Finding finding = reporter.report_span(cause.where, cause.demand,
                                         "{2} requires `{1}={0}`, but no node has this label value",
                                         value, unmatched.key, describe(cause));
  finding
      .related(cause.other,
               fmt::format("{} has a different value of this label", describe(*cause.pool)))
      .related(key, flyte_requires)
      .help("use a value that nodes have: {}. Otherwise the pods stay Pending",
            list(unmatched.carried));
  if (cause.is_fix_verified) {
    offer_fix(corpus, finding, unmatched.value_node, value, unmatched.suggested_value);
  }
  relate_workloads(finding, cause);
}

/// Reports a value that this provider's label cannot have.
void check_values(const Corpus& corpus, const flyte::Installation& installation,
                  const std::string& key, Reporter& reporter) {
  const std::vector<std::string_view> possible = device_values_of_label(key);
  if (possible.empty()) return;
  for (std::size_t i = 0; i < installation.pods.size(); ++i) {
    const flyte::CompiledPod& pod = installation.pods[i];
    if (pod.assumed || pod.workload.pod.node_affinity.required.empty()) continue;
    for (const SelectorRequirement& demand :
         pod.workload.pod.node_affinity.required.front().expressions) {
      if (!demand.key.equals(key) || demand.values.size() != 1) continue;
      const Field<std::string>& value = demand.values.front();
      if (!value.is_known() || std::ranges::find(possible, value.value()) != possible.end()) {
        continue;
      }
      const Node place = value.node() ? value.node() : pod.workload.template_node;
      if (!place) continue;
      Finding finding =
          reporter.report(place, "task `{}` requires `{}={}`, but the label never has this value",
                          pod.task, key, value.value());
      finding.related(demand.key.node(), flyte_requires);
      const auto vocabulary = vocabulary_of_label(key);
      if (!vocabulary) continue;
      const auto meant = device_values_in(*vocabulary, value.value());
      const auto near =
          meant.empty() ? nearest(value.value(), possible) : std::optional(meant.front());
      if (!near || !may_be_same_card(value.value(), *near, true)) continue;
      finding.help(
          "use `{}`, which is this label's value for the GPU. Otherwise the pods stay Pending",
          *near);
      offer_fix(corpus, finding, value.node(), value.value(), *near);
    }
  }
}

void check(const Corpus& corpus, Reporter& reporter) {
  const auto causes = causes_of<UnmatchedRequirement>(corpus);
  for (const flyte::Installation& installation : corpus.flyte->installations) {
    const Field<std::string>& key = label_key(installation, FlyteLabel::device);
    if (!key.is_known() || find_mismatch(corpus, installation, FlyteLabel::device)) continue;
    const auto is_about_key = [&](const Cause* cause) {
      const auto& unmatched = std::get<UnmatchedRequirement>(cause->what);
      return unmatched.key == key.value() && unmatched.half == UnmatchedRequirement::Half::value &&
             is_matter_of_flyte_labels(corpus, *cause);
    };
    bool is_reported = false;
    for (const Cause* cause : causes) {
      if (!is_about_key(cause)) continue;
      report_cause(corpus, *cause, key.node(), reporter);
      is_reported = true;
    }
    if (!is_reported) check_values(corpus, installation, key.value(), reporter);
  }
}

}  // namespace

extern constinit const Rule rule{
    .info = {.category = "flyte", .fix = FixAvailability::unsafe, .proof = FixProof::placement},
    .check = check};

}  // namespace gpulint::rules::device_value_mismatch
