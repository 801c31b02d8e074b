#include "compiler/engine/rule.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "compiler/base/text.h"
#include "compiler/edit/edits.h"
#include "compiler/model/find_annotation.h"
#include "compiler/model/quantity.h"
#include "compiler/schedule/describe.h"
#include "compiler/schedule/gates/gates.h"
#include "compiler/schedule/gpu_relation.h"
#include "compiler/schedule/pool_accelerators.h"
#include "rules/support/obstacles.h"

namespace gpulint::rules::invalid_gpu_share {
namespace {

/// Resources that count a GPU's memory in MiB (HAMi, docs of its devices; Volcano, "vGPU").
constexpr auto memory_resources = std::to_array<std::string_view>(
    {"nvidia.com/gpumem", "amd.com/gpumem", "volcano.sh/vgpu-memory"});

/// No GPU has as much memory; a larger amount was meant as bytes.
constexpr std::int64_t most_mebibytes = 1'000'000;

void check_amount(const Corpus& corpus, Reporter& reporter, const ResourceEntry& entry) {
  if (!is_listed(memory_resources, entry.name.value) || !entry.amount.is_known() ||
      !entry.amount.node())
    return;
  const std::int64_t amount = entry.amount.value().value();
  if (amount <= most_mebibytes) return;
  const std::int64_t meant = amount / (std::int64_t{1} << 20);
  Finding finding =
      reporter.report(entry.amount.node(), "`{}: {}` means {} MiB, but no GPU has so much memory",
                      entry.name.value, entry.amount.node().text(), amount);
  finding.help("write a number of MiB without a unit. Otherwise the pod stays Pending");
  if (meant == 0) return;
  finding.fix(Safety::unsafe, fmt::format("write `{}`", meant),
              replace_raw(*corpus.sources, entry.amount.node(), std::to_string(meant)));
}

/// Reports limits of a GPU's memory that were meant as bytes. They are numbers of MiB.
void check_memory(const Corpus& corpus, Reporter& reporter, const Workload& workload) {
  for (const Container& container : workload.pod.containers) {
    for (const ResourceEntry& limit : container.resources.limits) {
      check_amount(corpus, reporter, limit);
    }
  }
}

// Annotations by which pods request part of a GPU from KAI-Scheduler: kai-scheduler/KAI-Scheduler
// d5bc503a1463, pkg/common/constants/constants.go, and the checks of its webhook,
// pkg/binder/plugins/gpusharing/gpu-request/gpu_request_validator.go.

constexpr std::string_view fraction_key = "gpu-fraction";

constexpr std::string_view memory_key = "gpu-memory";

constexpr std::string_view devices_key = "gpu-fraction-num-devices";

constexpr std::array<std::string_view, 4> known_keys{fraction_key, memory_key, devices_key,
                                                     "gpu-fraction-container-name"};

/// The last part of a key, `.` and `_` read as `-`: `nvidia.com/gpu.memory` → `gpu-memory`.
[[nodiscard]] std::string plain(std::string_view key) {
  std::string name = to_lower(key.substr(key.find('/') == key.npos ? 0 : key.find('/') + 1));
  std::ranges::replace_if(name, [](char c) { return c == '.' || c == '_'; }, '-');
  return name;
}

/// The annotation that a key was meant for (`nvidia.com/gpu.memory`, `gpu-fractions`); empty if
/// none.
[[nodiscard]] std::string_view meant_key(std::string_view key) {
  const std::string name = plain(key);
  for (const std::string_view known : known_keys) {
    if (name == known) return known;
  }
  if (name == "gpu-mem" || name == "gpumem") return memory_key;
  const bool is_part = edit_distance(name, fraction_key, 2) <= 2;
  return is_part ? fraction_key : std::string_view{};
}

/// More than 0 and less than 1.
[[nodiscard]] bool is_fraction(std::string_view text) {
  const auto quantity = Quantity::parse(text);
  return quantity && !quantity->is_negative() && !quantity->is_zero() &&
         *quantity < Quantity::of(1);
}

[[nodiscard]] bool is_positive_integer(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc{} && end == text.data() + text.size() && number > 0;
}

[[nodiscard]] bool is_for_kai(const Workload& workload) {
  return workload.pod.scheduler_name.equals("kai-scheduler");
}

void check_value(Reporter& reporter, const LabelEntry& entry) {
  if (!entry.value.is_known()) return;
  const std::string& value = entry.value.value();
  const bool is_share = entry.key.value == fraction_key;
  if (is_share ? is_fraction(value) : is_positive_integer(value)) return;
  reporter
      .report(entry.value.node(), "`{}: {}` is not a {}", entry.key.value, value,
              is_share ? "fraction between 0 and 1" : "whole number")
      .help("write {}. Otherwise KAI-Scheduler rejects the pod",
            is_share                        ? "a number greater than 0 and less than 1"
            : entry.key.value == memory_key ? "a number of MiB without a unit"
                                            : "a number of GPUs");
}

/// A key that the scheduler ignores, on a pod that requests no GPU otherwise.
void check_unread(const Corpus& corpus, Reporter& reporter, const Workload& workload,
                  const LabelEntry& entry) {
  const std::string_view meant = meant_key(entry.key.value);
  if (meant.empty() || meant == entry.key.value || find_annotation(workload, meant) != nullptr)
    return;
  reporter
      .report(entry.key.node, "KAI-Scheduler ignores the annotation `{}` of {}", entry.key.value,
              describe(workload))
      .help("without `{}`, KAI-Scheduler assumes that the pod requests no GPU", meant)
      .fix(Safety::unsafe, fmt::format("rename the annotation to `{}`", meant),
           replace_string(*corpus.sources, entry.key.node, std::string(meant)));
}

void check_whole(Reporter& reporter, const Workload& workload, const LabelEntry& share) {
  for (const Container& container : workload.pod.containers) {
    for (const ResourceEntry& limit : container.resources.limits) {
      if (limit.name.value != "nvidia.com/gpu") continue;
      reporter
          .report(limit.name.node, "{} sets `nvidia.com/gpu` and `{}`, but may set only one",
                  describe(workload), share.key.value)
          .related(share.key.node, "this annotation requests only a part of a GPU")
          .help("remove the limit. Otherwise KAI-Scheduler rejects the pod");
    }
  }
}

void check_workload(const Corpus& corpus, Reporter& reporter, const Workload& workload) {
  const LabelEntry* const fraction = find_annotation(workload, fraction_key);
  const LabelEntry* const memory = find_annotation(workload, memory_key);
  for (const LabelEntry& entry : workload.annotations) {
    const bool is_known = entry.key.value == fraction_key || entry.key.value == memory_key ||
                          entry.key.value == devices_key;
    if (is_known) check_value(reporter, entry);
    if (!is_known && !requests_gpu(workload.pod)) check_unread(corpus, reporter, workload, entry);
  }
  if (const LabelEntry* const share = fraction != nullptr ? fraction : memory) {
    check_whole(reporter, workload, *share);
  }
  if (fraction == nullptr || memory == nullptr) return;
  reporter
      .report(memory->key.node, "{} sets `gpu-memory` and `gpu-fraction`, but may set only one",
              describe(workload))
      .related(fraction->key.node, "this annotation also requests a part of a GPU")
      .help("remove one of the two annotations. Otherwise KAI-Scheduler rejects the pod");
}

/// Amounts that HAMi reads from limits and requests only (Project-HAMi/HAMi 024910e171eb,
/// pkg/device/nvidia/device.go, GenerateResourceRequests; issue 2862).
constexpr auto hami_amounts = std::to_array<std::string_view>(
    {"nvidia.com/gpumem", "nvidia.com/gpumem-percentage", "nvidia.com/gpucores"});

[[nodiscard]] bool requests(const PodSpec& pod, std::string_view name) {
  return std::ranges::any_of(pod.containers, [&](const Container& container) {
    return find_entry(container.resources.limits, name) != nullptr ||
           find_entry(container.resources.requests, name) != nullptr;
  });
}

/// Whether nodes are registered with HAMi.
[[nodiscard]] bool has_hami_nodes(const Cluster& cluster) {
  return std::ranges::any_of(cluster.pools, [](const NodePool& pool) {
    return bool(pool.node.at("metadata", "annotations").get("hami.io/node-nvidia-register"));
  });
}

/// Whether HAMi schedules the pod: by its scheduler's name, which HAMi's webhook sets if a cluster
/// has HAMi.
[[nodiscard]] bool is_for_hami(const PodSpec& pod, bool has_hami) {
  const Field<std::string>& scheduler = pod.scheduler_name;
  const bool is_default = scheduler.is_absent() || scheduler.equals("default-scheduler");
  return scheduler.equals("hami-scheduler") || (is_default && has_hami);
}

void check_hami(Reporter& reporter, const Workload& workload, bool has_hami) {
  std::vector<const LabelEntry*> unread;
  for (const LabelEntry& entry : workload.annotations) {
    if (is_listed(hami_amounts, entry.key.value) && !requests(workload.pod, entry.key.value)) {
      unread.push_back(&entry);
    }
  }
  if (unread.empty() || !requests(workload.pod, "nvidia.com/gpu") ||
      !is_for_hami(workload.pod, has_hami))
    return;
  std::ranges::sort(unread, {}, [](const LabelEntry* entry) { return entry->key.value; });
  Finding finding =
      reporter.report(unread.front()->key.node, "HAMi ignores the annotation `{}` of {}",
                      unread.front()->key.value, describe(workload));
  for (const LabelEntry* entry : unread) {
    if (entry != unread.front())
      finding.related(entry->key.node, "HAMi also ignores this annotation");
  }
  finding
      .help(
          "move the annotation{} to the container's `limits`. Otherwise the pod receives the whole "
          "GPU",
          unread.size() == 1 ? "" : "s")
      .severity(Severity::warning);
}

void check(const Corpus& corpus, Reporter& reporter) {
  const bool has_hami = has_hami_nodes(corpus.cluster);
  // an autoscaler may add GPU nodes where none is known
  const bool has_gpus = std::ranges::any_of(corpus.cluster.pools, [](const NodePool& pool) {
    return has_accelerators(pool) == Ternary::yes;
  });
  const FindObstacles gate = has_gpus ? make_share_gate(corpus) : no_obstacles;
  for (const Workload& workload : corpus.workloads) {
    if (is_for_kai(workload)) check_workload(corpus, reporter, workload);
    report(reporter, gate, workload);
    check_hami(reporter, workload, has_hami);
    check_memory(corpus, reporter, workload);
  }
}

}  // namespace

extern constinit const Rule rule{.info = {.category = "resources", .fix = FixAvailability::unsafe},
                                 .check = check};

}  // namespace gpulint::rules::invalid_gpu_share
