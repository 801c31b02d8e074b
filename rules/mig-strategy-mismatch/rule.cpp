#include "compiler/engine/rule.h"

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "compiler/base/text.h"
#include "compiler/edit/edits.h"
#include "compiler/ir/read.h"
#include "compiler/model/facts/gpu_resource.h"
#include "compiler/model/facts/product_label.h"
#include "compiler/model/kinds/operator_keys.h"
#include "compiler/model/mig/mig_config.h"
#include "rules/support/gpu_operator.h"
#include "rules/support/mig_strategy.h"
#include "rules/support/partitions.h"
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
    finding.help("use one of `{}`. Otherwise {}", fmt::join(words, "`, `"),
                 is_operator ? "the API server rejects the ClusterPolicy of the GPU Operator"
                             : "the device plugin does not start");
    const auto meant = nearest(word.value(), words);
    if (!meant || at.text() != word.value()) continue;
    finding.fix(Safety::unsafe, fmt::format("write `{}`", *meant),
                replace_string(*corpus.sources, at, *meant));
  }
}

constexpr std::string_view gpu = "nvidia.com/gpu";

/// What to request instead.
[[nodiscard]] std::string resources_text(const std::vector<std::string>& offered) {
  return offered.size() == 1 ? list(offered)
                             : fmt::format("one of these MIG resources: {}", list(offered));
}

/// `nvidia.com/gpu` where all GPUs are partitioned into named devices.
void check_whole_gpus(const Corpus& corpus, Reporter& reporter, const MigStrategies& strategies) {
  for (const Cause* cause : causes_of<MissingResource>(corpus)) {
    const auto& missing = std::get<MissingResource>(cause->what);
    if (missing.name != gpu || !strategies.explains(*cause)) continue;
    Finding finding = reporter.report_span(
        cause->where, cause->demand,
        "{} requests `{}`, but the {}nodes offer their GPUs only as MIG resources",
        describe(*cause), gpu, missing.is_elsewhere ? "selected " : "");
    finding.related(cause->other,
                    fmt::format("{} offers only MIG resources", describe(*cause->pool)));
    const bool is_written = cause->demand.is_scalar() && cause->demand.text() == gpu;
    std::vector<Edit> edits;
    if (cause->is_fix_verified && is_written) {
      edits =
          rename_resource(*corpus.sources, cause->workloads.front()->pod, gpu, missing.suggestion);
    }
    if (!edits.empty() && missing.offered.size() == 1) {  // the fix says what to request
      finding.help("with MIG strategy `mixed`, the nodes do not offer MIG devices as `{}`", gpu);
    } else {
      finding.help(
          "request {}. With MIG strategy `mixed`, the nodes do not offer MIG devices as `{}`",
          resources_text(missing.offered), gpu);
    }
    relate_workloads(finding, *cause);
    finding.fix(Safety::unsafe, fmt::format("request `{}`", missing.suggestion), std::move(edits));
  }
}

/// What the strategy does to MIG devices.
[[nodiscard]] std::string_view strategy_effect(MigStrategy::Kind kind) {
  switch (kind) {
    case MigStrategy::Kind::none:
      return "with this strategy the device plugin advertises no MIG devices";
    case MigStrategy::Kind::gke:
      return "GKE advertises each MIG partition as one `nvidia.com/gpu`";
    case MigStrategy::Kind::single:
    case MigStrategy::Kind::mixed:
      break;
  }
  return "with this strategy the device plugin advertises each MIG device as `nvidia.com/gpu`";
}

/// What to do about a partition that is requested by its name.
[[nodiscard]] std::string advice_for(MigStrategy::Kind kind) {
  if (kind == MigStrategy::Kind::none) {
    return fmt::format(
        "use MIG strategy `mixed`, or strategy `single` and the resource `{}`. Otherwise the "
        "device plugin advertises no MIG devices",
        gpu);
  }
  return fmt::format("request `{}`, and select the partition size with the node label `{}`", gpu,
                     kind == MigStrategy::Kind::gke ? gke_partition_label : product_label);
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
      Finding finding = reporter.report(
          at, "{} requests `{}`, but {} do not offer this resource", describe(workload),
          entry.name.value,
          is_gke ? std::string("GKE nodes") : fmt::format("nodes with {}", strategy->text));
      finding.related(strategy->where, std::string(strategy_effect(strategy->kind)))
          .help("{}", advice_for(strategy->kind));
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

constexpr std::string_view layout_label = "nvidia.com/mig.config";
/// The label of the place of strategy `single`.
constexpr const char* needs_one_size = "MIG strategy `single` needs devices of one size on a node";

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
      if (label.key != layout_label || label.values.size() != 1) continue;
      if (has_defaults && label.node && label.values.front() == "all-enabled") {
        reporter
            .report(value_node(label),
                    "MIG layout `all-enabled` creates no MIG devices on {}, because this layout "
                    "only enables MIG mode",
                    describe(pool))
            .related(strategy->where, needs_one_size)
            .help(
                "set `{}` to a layout with devices of one size, or to `all-disabled` for whole "
                "GPUs",
                layout_label)
            .severity(Severity::warning);
      }
      if (!label.node || !uneven.contains(label.values.front())) continue;
      reporter
          .report(value_node(label),
                  "MIG layout `{}` creates devices of several sizes on {}, but the MIG strategy "
                  "is `single`",
                  label.values.front(), describe(pool))
          .related(strategy->where, needs_one_size)
          .related(uneven.find(label.values.front())->second,
                   "this layout has devices of several sizes")
          .help(
              "use MIG strategy `mixed`, or a layout with devices of one size. Otherwise the "
              "device plugin advertises no GPUs on the node{}",
              pool.source == NodePool::Source::node ? "" : "s");
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
