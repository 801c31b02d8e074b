#include "compiler/engine/rule.h"

#include "compiler/flyte/analysis.h"

namespace gpulint::rules::ineffective_gpu_resource_name {
namespace {

constexpr const char* built_in_name = "nvidia.com/gpu";

void check(const Corpus& corpus, Reporter& reporter) {
  for (const flyte::Installation& installation : corpus.flyte->installations) {
    const flyte::LoadedRelease& loaded = installation.loaded;
    const Field<std::string>& name = loaded.propeller.k8s.gpu_resource_name;
    if (loaded.version != FlyteVersion::v1 || !name.is_known() || !name.node()) continue;
    if (name.value().empty() || name.value() == built_in_name) continue;
    reporter
        .report(name.node(), "`gpu-resource-name: {}` is set, but Flyte 1 still requests `{}`",
                name.value(), built_in_name)
        .help(
            "remove the key, and request `{}` in the task's pod template. Otherwise Flyte 1 "
            "also ignores a task's `accelerator`",
            name.value())
        .severity(loaded.version_is_known ? Severity::error : Severity::warning);
  }
}

}  // namespace

extern constinit const Rule rule{.info = {.category = "flyte"}, .check = check};

}  // namespace gpulint::rules::ineffective_gpu_resource_name
