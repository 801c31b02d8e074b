#include "compiler/engine/rule.h"

#include <string_view>

#include <fmt/format.h>

#include "compiler/edit/edits.h"
#include "compiler/flyte/analysis.h"
#include "rules/support/flyte_labels.h"
#include "rules/support/flyte_queries.h"

namespace gpulint::rules::unpartitioned_label_mismatch {
namespace {

void check_key(const Corpus& corpus, Reporter& reporter, const Field<std::string>& key,
               const Field<std::string>& label, std::string_view setting, std::string_view effect) {
  if (!key.is_known() || !key.node() || key.value().empty()) return;
  if (!label.is_known() || !label.node()) return;  // probably set in another file
  if (key.value() == label.value()) return;
  Finding finding = reporter.report(key.node(), "the key of `{}` must be `{}`, not `{}`", setting,
                                    label.value(), key.value());
  finding.related(label.node(), "`gpu-partition-size-node-label` sets the partition label")
      .help("set the key of `{}` to `{}`. Otherwise a task that requires a whole GPU {}", setting,
            label.value(), effect)
      .fix(Safety::unsafe, fmt::format("write `{}`", label.value()),
           replace_string(*corpus.sources, key.node(), label.value()));
}

void check_form(const Corpus& corpus, Reporter& reporter, const SelectorRequirement& requirement) {
  if (const auto form = find_toleration_form(requirement.node)) {
    report_form(*corpus.sources, reporter, *form, Safety::unsafe)
        .help(
            "write `operator: In` with `values`, or `operator: DoesNotExist`. Otherwise the API "
            "server rejects the pod of every task that requires a whole GPU");
  }
}

void check_forms(const Corpus& corpus, Reporter& reporter, const flyte::K8sPluginConfig& config) {
  if (config.gpu_unpartitioned_requirement) {
    check_form(corpus, reporter, *config.gpu_unpartitioned_requirement);
  }
  for (const flyte::AcceleratorClass& accelerator : config.accelerator_classes) {
    if (accelerator.unpartitioned_requirement) {
      check_form(corpus, reporter, *accelerator.unpartitioned_requirement);
    }
  }
}

void check(const Corpus& corpus, Reporter& reporter) {
  for (const flyte::Installation& installation : corpus.flyte->installations) {
    const flyte::K8sPluginConfig& config = installation.loaded.propeller.k8s;
    const Field<std::string>& label = config.gpu_partition_size_node_label;
    check_forms(corpus, reporter, config);
    // label-provider-mismatch reports a wrong partition label itself.
    if (find_mismatch(corpus, installation, FlyteLabel::partition)) continue;
    if (config.gpu_unpartitioned_requirement) {
      check_key(corpus, reporter, config.gpu_unpartitioned_requirement->key, label,
                "gpu-unpartitioned-node-selector-requirement",
                "runs on a partitioned node or stays Pending");
    }
    if (config.gpu_unpartitioned_toleration) {
      check_key(corpus, reporter, config.gpu_unpartitioned_toleration->key, label,
                "gpu-unpartitioned-toleration",
                fmt::format("does not tolerate taints with the key `{}`", label.value_or("")));
    }
  }
}

}  // namespace

extern constinit const Rule rule{
    .info = {.category = "flyte", .fix = FixAvailability::unsafe, .proof = FixProof::placement},
    .check = check};

}  // namespace gpulint::rules::unpartitioned_label_mismatch
