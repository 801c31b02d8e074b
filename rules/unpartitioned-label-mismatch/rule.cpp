#include "compiler/engine/rule.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "compiler/engine/reporter.h"
#include "compiler/flyte/analysis.h"
#include "rules/support/edits.h"

namespace gpulint::rules {
namespace {

void check_key(const Corpus& corpus, Reporter& reporter, const Field<std::string>& key,
               const Field<std::string>& label, std::string_view setting) {
  if (!key.is_known() || !key.node() || key.value().empty()) return;
  if (!label.is_known() || !label.node()) return;  // set elsewhere, as like as not
  if (key.value() == label.value()) return;
  Finding finding =
      reporter.report(key.node(), "`{}` is keyed on `{}`, and the partition label is `{}`", setting,
                      key.value(), label.value());
  finding.related(label.node(), "the partition label")
      .help("unpartitioned tasks would be told apart by a label that partitioned ones never demand")
      .fix(Safety::unsafe, "key it on the partition label",
           replace_string(*corpus.sources, key.node(), label.value()));
}

/// `Equal` with the name of an operator as its value: meant for the selector requirement beside it.
void check_value(Reporter& reporter, const Toleration& toleration) {
  constexpr std::array<std::string_view, 3> operators{"DoesNotExist", "Exists", "NotIn"};
  const Field<std::string>& value = toleration.value;
  if (!value.is_known() || !value.node() || toleration.op.equals("Exists")) return;
  if (std::ranges::find(operators, value.value()) == operators.end()) return;
  reporter
      .report(value.node(), "`gpu-unpartitioned-toleration` tolerates a taint with the value `{0}`",
              value.value())
      .severity(Severity::warning)
      .help(
          "`{0}` is an operator, and here a mere text; a toleration for "
          "every value has `operator: Exists` and no value",
          value.value());
}

void check(const Corpus& corpus, Reporter& reporter) {
  for (const flyte::Installation& installation : corpus.flyte->installations) {
    const flyte::K8sPluginConfig& config = installation.deployment.propeller.k8s;
    const Field<std::string>& label = config.gpu_partition_size_node_label;
    if (config.gpu_unpartitioned_requirement) {
      check_key(corpus, reporter, config.gpu_unpartitioned_requirement->key, label,
                "gpu-unpartitioned-node-selector-requirement");
    }
    if (config.gpu_unpartitioned_toleration) {
      check_key(corpus, reporter, config.gpu_unpartitioned_toleration->key, label,
                "gpu-unpartitioned-toleration");
      check_value(reporter, *config.gpu_unpartitioned_toleration);
    }
  }
}

}  // namespace

extern constinit const Rule unpartitioned_label_mismatch;
constinit const Rule unpartitioned_label_mismatch{
    .info = {.id = "unpartitioned-label-mismatch",
             .category = "flyte",
             .summary =
                 "What marks unpartitioned GPUs is keyed on another label than partitions are.",
             .severity = Severity::error,
             .fix = FixAvailability::unsafe},
    .check = check};

}  // namespace gpulint::rules
