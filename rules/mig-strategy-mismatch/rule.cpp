#include "compiler/engine/rule.h"

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "compiler/base/text.h"
#include "compiler/edit/edits.h"
#include "compiler/ir/read.h"
#include "compiler/model/facts/gpu_resource.h"
#include "compiler/model/kinds/operator_keys.h"
#include "compiler/model/mig/mig_config.h"
#include "rules/support/gpu_operator.h"
#include "rules/support/mig_strategy.h"
#include "rules/support/placement_causes.h"
#include "rules/support/pod_edits.h"

namespace gpulint::rules::mig_strategy_mismatch {
namespace {

/// An unknown strategy in values of NVIDIA's charts. The API server rejects the ClusterPolicy, or
/// the plugin does not start.
void check_words(const Corpus& corpus, Reporter& reporter) {
  constexpr auto words = std::to_array<std::string_view>({"none", "single", "mixed"});
  for (const ChartUse& use : corpus.chart_uses) {
    const bool is_operator = use.keys->name == "GPU Operator";
    Node at;
    if (is_operator) at = use.values.at("mig", "strategy");
    if (use.keys->name == "NVIDIA's device plugin") at = use.values.get("migStrategy");
    const Field<std::string> word = at ? read_string(at) : Field<std::string>{};
    if (!word.is_known() || word.value().empty() || is_listed(words, word.value())) continue;
    Finding finding = reporter.report(at, "`{}` is not a MIG strategy", word.value());
    finding.help("use one of `{}`; with another value {}", fmt::join(words, "`, `"),
                 is_operator ? "the API server rejects the operator's ClusterPolicy"
                             : "the device plugin does not start");
    const auto meant = nearest(word.value(), words);
    if (!meant || at.text() != word.value()) continue;
    finding.fix(Safety::unsafe, fmt::format("write `{}`", *meant),
                replace_string(*corpus.sources, at, *meant));
  }
}

constexpr std::string_view gpu = "nvidia.com/gpu";

/// `nvidia.com/gpu` where all GPUs are partitioned into named devices.
void check_whole_gpus(const Corpus& corpus, Reporter& reporter, const MigStrategies& strategies) {
  for (const Cause* cause : causes_of<MissingResource>(corpus)) {
    const auto& missing = std::get<MissingResource>(cause->what);
    if (missing.name != gpu || !strategies.explains(*cause)) continue;
    Finding finding = reporter.report_span(
        cause->where, cause->demand,
        "{} requests `{}`, but the nodes{} offer their GPUs only as MIG resources",
        describe(*cause), gpu, missing.is_elsewhere ? " that it selects" : "");
    finding.related(cause->other, fmt::format("the resources of {}", describe(*cause->pool)))
        .help("request MIG devices; with MIG strategy `mixed` the nodes advertise {}",
              list(missing.offered));
    relate_workloads(finding, *cause);
    const bool is_written = cause->demand.is_scalar() && cause->demand.text() == gpu;
    if (!cause->is_fix_verified || !is_written) continue;
    finding.fix(
        Safety::unsafe, fmt::format("request `{}`", missing.suggestion),
        rename_resource(*corpus.sources, cause->workloads.front()->pod, gpu, missing.suggestion));
  }
}

/// `nvidia.com/mig-…` where partitions have no names of their own.
void check_named_partitions(const Corpus& corpus, Reporter& reporter,
                            const std::optional<MigStrategy>& strategy, const Workload& workload) {
  if (!strategy || strategy->names_partitions()) return;
  for (const Container& container : workload.pod.containers) {
    const ResourceRequirements& resources = container.resources;
    for (const ResourceEntry& entry :
         resources.limits.empty() ? resources.requests : resources.limits) {
      const Node at = entry.name.node;
      const bool is_asked = !entry.amount.is_known() || !entry.amount.value().is_zero();
      const bool is_mig = classify_resource(entry.name.value).kind == GpuResource::Kind::mig;
      if (!at || at.is_opaque() || !is_mig || !is_asked) continue;
      const bool is_none = strategy->kind == MigStrategy::Kind::none;
      const bool is_gke = strategy->kind == MigStrategy::Kind::gke;
      Finding finding =
          reporter.report(at, "{} requests `{}`, which the device plugin does not advertise {}",
                          describe(workload), entry.name.value,
                          is_gke ? std::string("on GKE") : fmt::format("with {}", strategy->text));
      finding
          .related(strategy->where, is_gke ? "GKE advertises each of these partitions as one GPU"
                                           : "this setting decides how MIG devices are advertised")
          .help("{}", is_none ? "use strategy `single` or `mixed`; with `none` the device plugin "
                                "advertises no MIG devices"
                              : "request `nvidia.com/gpu`, and keep or add a node selector for "
                                "the size of the partition");
      if (is_none || at.text() != entry.name.value) continue;
      finding.fix(Safety::unsafe, fmt::format("request `{}`", gpu),
                  rename_resource(*corpus.sources, workload.pod, entry.name.value, gpu));
    }
  }
}

/// Whether these settings of the GPU Operator leave its own layouts in use: they name no other
/// ConfigMap (NVIDIA/gpu-operator, controllers/object_controls.go, MigPartedDefaultConfigMapName).
[[nodiscard]] bool keep_default_layouts(Node settings) {
  const Node manager = settings.get("migManager");
  const Node config = manager.get("config");
  if ((manager && !manager.is_mapping()) || (config && !config.is_mapping())) return false;
  const Field<std::string> name = read_string(config, "name");
  const bool is_default =
      name.is_absent() || name.equals("") || name.equals("default-mig-parted-config");
  return is_default && config.get("data").size() == 0 &&
         !read_bool(manager, "enabled").equals(false) &&
         !read_bool(settings.get("devicePlugin"), "enabled").equals(false);
}

/// Whether the GPU Operator is among the inputs and uses its own layouts.
[[nodiscard]] bool has_default_layouts(const Corpus& corpus) {
  if (!corpus.mig_configs.empty()) return false;
  const std::vector<OperatorSettings> found = gpu_operator_settings(corpus);
  return !found.empty() && std::ranges::all_of(found, [](const OperatorSettings& one) {
    return !one.has_more && keep_default_layouts(one.settings);
  });
}

/// Strategy `single` requires devices of one size on the whole node. Of the GPU Operator's own
/// layouts `all-balanced` makes several sizes of every GPU, and `all-enabled` makes no device
/// (NVIDIA/gpu-operator 0b0b6b154bdd, assets/state-mig-manager/0400_configmap.yaml).
void check_layouts(const Corpus& corpus, Reporter& reporter) {
  std::map<std::string, Node, std::less<>> uneven;
  const bool has_defaults = has_default_layouts(corpus);
  if (has_defaults) uneven.emplace("all-balanced", Node{});
  for (const MigConfigFile& file : corpus.mig_configs) {
    for (const MigNamedConfig& layout : file.configs) {
      if (layout.makes_several_sizes()) uneven.emplace(layout.name, layout.name_node);
    }
  }
  const auto of_operator = strategy_of_operator(corpus);
  for (const NodePool& pool : corpus.cluster.pools) {
    const auto told = strategy_of(pool);
    const auto& strategy = told ? told : of_operator;
    if (!strategy || strategy->kind != MigStrategy::Kind::single) continue;
    for (const PoolLabel& label : pool.labels) {
      if (label.key != "nvidia.com/mig.config" || label.values.size() != 1) continue;
      if (has_defaults && label.node && label.values.front() == "all-enabled") {
        reporter
            .report(value_node(label),
                    "MIG layout `all-enabled` creates no MIG device on {}, because it only enables "
                    "MIG mode",
                    describe(pool))
            .related(strategy->where, "the MIG strategy")
            .help("select a layout with devices of one size, or `all-disabled` for whole GPUs")
            .severity(Severity::warning);
      }
      if (!label.node || !uneven.contains(label.values.front())) continue;
      reporter
          .report(value_node(label),
                  "MIG layout `{}` splits the GPUs of {} into devices of several sizes, but the "
                  "MIG strategy is `single`",
                  label.values.front(), describe(pool))
          .related(strategy->where, "the MIG strategy")
          .related(uneven.find(label.values.front())->second, "the MIG layout")
          .help(
              "use strategy `mixed`, or a layout with devices of one size; otherwise the device "
              "plugin advertises no GPU");
    }
  }
}

void check(const Corpus& corpus, Reporter& reporter) {
  check_words(corpus, reporter);
  const MigStrategies strategies(corpus);
  check_whole_gpus(corpus, reporter, strategies);
  for (const auto* workloads : {&corpus.workloads, &corpus.compiled}) {
    for (const Workload& workload : *workloads) {
      check_named_partitions(corpus, reporter, strategies.of(workload), workload);
    }
  }
  check_layouts(corpus, reporter);
}

}  // namespace

extern constinit const Rule rule{
    .info = {.category = "partition", .fix = FixAvailability::unsafe, .proof = FixProof::placement},
    .check = check};

}  // namespace gpulint::rules::mig_strategy_mismatch
