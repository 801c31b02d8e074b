#include "compiler/engine/rule.h"

#include <string>
#include <string_view>

#include <fmt/format.h>

#include "compiler/edit/edits.h"
#include "rules/support/placement_causes.h"
#include "rules/support/pod_edits.h"

namespace gpulint::rules::toleration_value_mismatch {
namespace {

using Miss = UntoleratedTaint::Miss;

/// Adds the advice. If the admission plugin would add a toleration that fits, and it is unknown
/// whether it runs, the finding is a warning (relies-on-extended-resource-toleration).
void advise(const Corpus& corpus, const Cause& cause, const UntoleratedTaint& taint,
            std::string_view advice, Finding& finding) {
  const bool is_open = corpus.placement->admission == ExtendedResourceToleration::unknown;
  if (!taint.is_for_admission || !is_open) {
    finding.help("{}. Otherwise {}", advice,
                 cause.workloads.size() == 1 ? "the pod stays Pending" : "the pods stay Pending");
    return;
  }
  finding.severity(Severity::warning)
      .help(
          "{}. If the admission plugin ExtendedResourceToleration adds the toleration, list the "
          "plugin in `cluster.admissionPlugins` of gpulint.yaml",
          advice);
}

/// `the value `x`` or `no value`.
[[nodiscard]] std::string value_text(std::string_view value) {
  return value.empty() ? "no value" : fmt::format("the value `{}`", value);
}

/// What to do about the value of the toleration. `Exists` does not allow a value.
[[nodiscard]] std::string value_advice(const UntoleratedTaint& taint) {
  if (taint.near.value.value_or("").empty()) {
    return fmt::format("add the value `{}`, or write `operator: Exists` to tolerate every value",
                       taint.value);
  }
  const std::string action = taint.value.empty()
                                 ? std::string("remove the value")
                                 : fmt::format("set the value to `{}`", taint.value);
  return fmt::format("{}, or replace the value with `operator: Exists` to tolerate every value",
                     action);
}

void relate_taint(Finding& finding, const Cause& cause) {
  finding.related(cause.other, fmt::format("{} has this taint", describe(*cause.pool)));
}

void report_value(const Corpus& corpus, const Cause& cause, const UntoleratedTaint& taint,
                  Reporter& reporter) {
  Finding finding = reporter.report_span(
      cause.where, cause.demand, "the toleration of `{}` has {}, but the taint has {}", taint.key,
      value_text(taint.near.value.value_or("")), value_text(taint.value));
  relate_taint(finding, cause);
  advise(corpus, cause, taint, value_advice(taint), finding);
  if (cause.is_fix_verified) {
    finding.fix(Safety::unsafe, fmt::format("tolerate the value `{}`", taint.value),
                correct_value(*corpus.sources, taint.near, taint.value));
  }
  relate_workloads(finding, cause);
}

void report_effect(const Corpus& corpus, const Cause& cause, const UntoleratedTaint& taint,
                   Reporter& reporter) {
  Finding finding = reporter.report_span(
      cause.where, cause.demand,
      "the toleration of `{}` has the effect `{}`, but the taint has the effect `{}`", taint.key,
      taint.near.effect.value_or(""), taint.effect);
  relate_taint(finding, cause);
  const std::string advice = fmt::format(
      "set the effect to `{}`, or remove `effect` to tolerate every effect", taint.effect);
  advise(corpus, cause, taint, advice, finding);
  if (cause.is_fix_verified && taint.near.effect.node()) {
    finding.fix(Safety::unsafe, fmt::format("tolerate the effect `{}`", taint.effect),
                replace_string(*corpus.sources, taint.near.effect.node(), taint.effect));
  }
  relate_workloads(finding, cause);
}

void check(const Corpus& corpus, Reporter& reporter) {
  for (const Cause* cause : causes_of<UntoleratedTaint>(corpus)) {
    const auto& taint = std::get<UntoleratedTaint>(cause->what);
    if (taint.miss == Miss::value) report_value(corpus, *cause, taint, reporter);
    if (taint.miss == Miss::effect) report_effect(corpus, *cause, taint, reporter);
  }
}

}  // namespace

extern constinit const Rule rule{
    .info = {.category = "placement", .fix = FixAvailability::unsafe, .proof = FixProof::placement},
    .check = check};

}  // namespace gpulint::rules::toleration_value_mismatch
