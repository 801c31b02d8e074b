#include "compiler/engine/rule.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "compiler/base/counted.h"
#include "compiler/model/facts/gpu_resource.h"
#include "compiler/model/facts/product_label.h"
#include "compiler/model/kubernetes_names.h"
#include "compiler/model/mig/mig_config.h"
#include "compiler/model/mig/mig_layout.h"
#include "rules/support/indefinite_article.h"
#include "rules/support/placement_causes.h"

namespace gpulint::rules::impossible_mig_layout {
namespace {

/// What is wrong in mig-parted's configuration, such as "`devices` is missing".
[[nodiscard]] std::string flaw_of(const MigConfigProblem& problem) {
  using Kind = MigConfigProblem::Kind;
  const Node at = problem.node;
  const std::string_view key = at.key() ? at.key().text() : at.text();
  const std::string& detail = problem.detail;
  switch (problem.kind) {
    case Kind::not_a_mapping:
      return "the configuration is not a mapping";
    case Kind::unreadable:
      return fmt::format("`{}` cannot be converted to JSON", key);
    case Kind::mistyped:
      return fmt::format("`{}` must be {}", key, with_article(detail));
    case Kind::missing_field:
      return fmt::format("`{}` is missing", detail);
    case Kind::unknown_version:
      return fmt::format("version `{}` is not `v1`", at.text());
    case Kind::unexpected_field:
      return fmt::format("field `{}` is unknown", key);
    case Kind::no_configs:
      return fmt::format("`{}` is empty", key);
    case Kind::invalid_devices:
      return "`devices` must be `all` or a list of indexes";
    case Kind::invalid_profile:
      return fmt::format("`{}` is not a profile name", key);
    case Kind::negative_count:
      return fmt::format("`{}` is a negative count", at.text());
    case Kind::all_counts_zero:
      return "all counts in `mig-devices` are 0";
    case Kind::devices_without_mig:
      return "`mig-devices` is set, but `mig-enabled` is false";
    case Kind::unknown_profile:
      return fmt::format("no GPU has the profile `{}`", key);
    case Kind::zero_count:
      return fmt::format("the count of `{}` is 0", key);
    case Kind::unusual_spelling:
      return fmt::format("NVIDIA spells the profile `{}` as `{}`", key, detail);
    case Kind::impossible_layout:
      return fmt::format("these MIG devices do not fit together on one GPU, because {}", detail);
    case Kind::invalid_filter:
      return fmt::format(
          "device filter `{}` matches no GPU, because the filter is not a PCI device ID",
          at.text());
    case Kind::unknown_filter:
      return fmt::format(
          "device filter `{}` matches no GPU, because the vendor ID is not `10DE` (NVIDIA)",
          at.text());
    case Kind::no_devices:
      return "`devices` lists no GPU that a node has";
  }
  return {};
}

/// What to do about a problem that causes mig-parted to reject the file.
[[nodiscard]] std::string remedy_of_refused(const MigConfigProblem& problem) {
  using Kind = MigConfigProblem::Kind;
  const Node at = problem.node;
  const std::string_view key = at.key() ? at.key().text() : at.text();
  const std::string& detail = problem.detail;
  switch (problem.kind) {
    case Kind::not_a_mapping:
      return "write a mapping with `version` and `mig-configs`";
    case Kind::mistyped:
      return fmt::format("write {}", with_article(detail));
    case Kind::missing_field:
      return fmt::format("add `{}`", detail);
    case Kind::unknown_version:
      return "write `v1`";
    case Kind::unexpected_field:
      return detail.empty() ? fmt::format("remove `{}`", key)
                            : fmt::format("rename `{}` to `{}`", key, detail);
    case Kind::no_configs:
      return fmt::format("add at least one entry to `{}`", key);
    case Kind::invalid_devices:
      return "write `all`, or list the indexes of the GPUs";
    case Kind::negative_count:
      return "write a count of 1 or more";
    case Kind::all_counts_zero:
      return "write `mig-enabled: false` to disable MIG, or write a larger count";
    case Kind::devices_without_mig:
      return "write `mig-enabled: true`, or remove `mig-devices`";
    default:
      return "correct the file";
  }
}

/// What to do about a problem with which mig-parted accepts the file.
[[nodiscard]] std::string remedy_of_accepted(const MigConfigProblem& problem) {
  using Kind = MigConfigProblem::Kind;
  switch (problem.kind) {
    case Kind::zero_count:
      return "remove the profile, or write a larger count";
    case Kind::unusual_spelling:
      return fmt::format("write `{}`", problem.detail);
    case Kind::invalid_filter:
    case Kind::unknown_filter:
      return "write a PCI device ID of NVIDIA, such as `0x20B010DE`";
    case Kind::no_devices:
      return "list the indexes of the GPUs, or write `devices: all`";
    default:
      return "correct the setting";
  }
}

/// Whether the missing field is there with a misspelt name, which is a problem of its own.
[[nodiscard]] bool is_misspelt(const MigConfigFile& file, const MigConfigProblem& missing) {
  using Kind = MigConfigProblem::Kind;
  if (missing.kind != Kind::missing_field) return false;
  return std::ranges::any_of(file.problems, [&](const MigConfigProblem& other) {
    return other.kind == Kind::unexpected_field && other.detail == missing.detail &&
           other.node.parent() == missing.node;
  });
}

/// Reports why a configuration is not applied as written.
void check_config(Reporter& reporter, const MigConfigFile& file) {
  using Kind = MigConfigProblem::Kind;
  for (const MigConfigProblem& problem : file.problems) {
    const Node at = problem.node;
    if (is_misspelt(file, problem)) continue;
    if (problem.kind == Kind::invalid_profile || problem.kind == Kind::unknown_profile) continue;
    if (problem.kind == Kind::impossible_layout) {
      const auto profiles = at.fields();
      const Node place = profiles.size() == 1 ? profiles.front().value : at;
      reporter.report_key(place, "{}", flaw_of(problem))
          .help(
              "run `nvidia-smi mig -lgipp`, and choose a layout from the listed placements. "
              "Otherwise MIG manager creates only some devices or none, but reports success");
    } else if (problem.is_refused()) {
      reporter.report_key(at, "mig-parted rejects the whole file, because {}", flaw_of(problem))
          .help("{}. Otherwise mig-parted applies no layout of the file",
                remedy_of_refused(problem));
    } else {
      const bool is_applied =
          problem.kind == Kind::zero_count || problem.kind == Kind::unusual_spelling;
      Finding finding = reporter.report_key(at, "{}", flaw_of(problem));
      finding.help("{}. Otherwise {}", remedy_of_accepted(problem),
                   is_applied ? "MIG manager does not recognize the applied layout, and applies "
                                "the layout again and again"
                              : "mig-parted partitions no GPU, but reports success");
      if (is_applied) finding.severity(Severity::warning);
    }
  }
}

/// 2 × `3g.20gb` and 1 × `1g.5gb`.
[[nodiscard]] std::string list_devices(const std::vector<MigDeviceCount>& devices) {
  std::vector<std::string> counts;
  for (const MigDeviceCount& device : devices) {
    counts.push_back(fmt::format("{} × `{}`", device.count, device.profile));
  }
  return fmt::format("{}", fmt::join(counts, " and "));
}

[[nodiscard]] std::string_view exact_label(const NodePool& pool, std::string_view key) {
  const auto found = std::ranges::find_if(pool.labels, [&](const PoolLabel& label) {
    return label.key == key && label.has_one_value();
  });
  return found == pool.labels.end() ? std::string_view{} : found->values.front();
}

/// Compares the MIG devices of a node with its GPUs.
void check_node(Reporter& reporter, const NodePool& pool) {
  std::vector<MigDeviceCount> devices;
  Node first;
  for (const ResourceEntry& entry : pool.allocatable) {
    const GpuResource resource = classify_resource(entry.name.value);
    if (resource.kind != GpuResource::Kind::mig || resource.shared) continue;
    if (!entry.amount.is_known() || entry.amount.value().is_zero()) continue;
    devices.push_back({resource.profile, entry.amount.value().value()});
    if (!first) first = entry.name.node;
  }
  if (!first) return;
  const auto count = parse_canonical_int(exact_label(pool, "nvidia.com/gpu.count"));
  const auto gpus = mig_gpus_of_product(exact_label(pool, product_label));
  if (!count || *count < 1 || gpus.empty()) return;
  // mig-profile-not-on-device reports a profile that the model does not have.
  const bool none_can = std::ranges::all_of(gpus, [&](const MigGpu* gpu) {
    const MigLayout layout = check_node_mig_devices(*gpu, *count, devices);
    return layout.is_impossible() && layout.verdict != MigLayout::Verdict::no_such_profile;
  });
  if (!none_can) return;
  reporter
      .report(
          first, "{} has {}, but {} cannot hold all of them", describe(pool), list_devices(devices),
          count_text(static_cast<std::size_t>(*count), fmt::format("{} GPU", gpus.front()->name)))
      .help(
          "run `nvidia-smi mig -lgipp` on the node, and choose MIG devices from the listed "
          "placements");
}

void check(const Corpus& corpus, Reporter& reporter) {
  for (const MigConfigFile& file : corpus.mig_configs) check_config(reporter, file);
  for (const NodePool& pool : corpus.cluster.pools) check_node(reporter, pool);
}

}  // namespace

extern constinit const Rule rule{.info = {.category = "partition"}, .check = check};

}  // namespace gpulint::rules::impossible_mig_layout
