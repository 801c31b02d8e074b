#include "rules/invalid-gpu-share/memory_amounts.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "compiler/base/text.h"
#include "compiler/edit/edits.h"

namespace gpulint::rules::invalid_gpu_share {
namespace {

/// Resources that count MiB of a GPU's memory (HAMi, docs of its devices; Volcano, «vGPU»).
constexpr auto memory_resources = std::to_array<std::string_view>(
    {"nvidia.com/gpumem", "amd.com/gpumem", "volcano.sh/vgpu-memory"});
/// No GPU has as much: what asks for more was meant as bytes.
constexpr std::int64_t most_mebibytes = 1'000'000;

void check_amount(const Corpus& corpus, Reporter& reporter, const ResourceEntry& entry) {
  if (!is_listed(memory_resources, entry.name.value) || !entry.amount.is_known() ||
      !entry.amount.node())
    return;
  const std::int64_t amount = entry.amount.value().value();
  if (amount <= most_mebibytes) return;
  const std::int64_t meant = amount / (std::int64_t{1} << 20);
  Finding finding = reporter.report(entry.amount.node(), "`{}: {}` is {} MiB, which no GPU has",
                                    entry.name.value, entry.amount.node().text(), amount);
  finding.help("it is a number of MiB, without a unit");
  if (meant == 0) return;
  finding.fix(Safety::unsafe, fmt::format("write {}", meant),
              replace_raw(*corpus.sources, entry.amount.node(), std::to_string(meant)));
}

}  // namespace

void check_memory(const Corpus& corpus, Reporter& reporter, const Workload& workload) {
  for (const Container& container : workload.pod.containers) {
    for (const ResourceEntry& limit : container.resources.limits) {
      check_amount(corpus, reporter, limit);
    }
  }
}

}  // namespace gpulint::rules::invalid_gpu_share
