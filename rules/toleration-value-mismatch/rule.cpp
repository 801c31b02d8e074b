#include "compiler/engine/rule.h"

#include <fmt/format.h>

#include "compiler/edit/edits.h"
#include "rules/support/placement_causes.h"
#include "rules/support/pod_edits.h"

namespace gpulint::rules::toleration_value_mismatch {
namespace {

using Miss = UntoleratedTaint::Miss;

/// The admission plugin would add a toleration that fits, and it is not known whether it runs: then
/// this one is as good as none, and no worse (relies-on-extended-resource-toleration).
void soften(const Corpus& corpus, const UntoleratedTaint& taint, Finding& finding) {
  const bool is_open = corpus.placement->admission == ExtendedResourceToleration::unknown;
  if (!taint.is_for_admission || !is_open) return;
  finding.severity(Severity::warning)
      .help(
          "correct it, or write `operator: Exists`; the pod gets in only where the admission "
          "plugin ExtendedResourceToleration runs (declare `provider` or "
          "`cluster.admissionPlugins`)");
}

void relate_taint(Finding& finding, const Cause& cause) {
  finding.related(cause.other, fmt::format("the taint of {}", describe(*cause.pool)));
}

void report_value(const Corpus& corpus, const Cause& cause, const UntoleratedTaint& taint,
                  Reporter& reporter) {
  const std::string value = taint.near.value.value_or("");
  const std::string told = value.empty() ? "no value" : fmt::format("the value `{}`", value);
  Finding finding = reporter.report_span(
      cause.where, cause.demand, "toleration of `{}` is for {}; the taint has {}", taint.key, told,
      taint.value.empty() ? "none" : fmt::format("`{}`", taint.value));
  relate_taint(finding, cause);
  finding.help("correct the value, or write `operator: Exists` to tolerate every value");
  soften(corpus, taint, finding);
  if (cause.is_fix_verified) {
    finding.fix(Safety::unsafe, fmt::format("tolerate the value `{}`", taint.value),
                correct_value(*corpus.sources, taint.near, taint.value));
  }
  relate_workloads(finding, cause);
}

void report_effect(const Corpus& corpus, const Cause& cause, const UntoleratedTaint& taint,
                   Reporter& reporter) {
  Finding finding = reporter.report_span(
      cause.where, cause.demand, "toleration of `{}` is for the effect `{}`; the taint's is `{}`",
      taint.key, taint.near.effect.value_or(""), taint.effect);
  relate_taint(finding, cause);
  finding.help("correct the effect, or leave it out to tolerate every effect");
  soften(corpus, taint, finding);
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
