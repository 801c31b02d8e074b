#include <algorithm>
#include <iterator>
#include <map>
#include <vector>

#include <fmt/format.h>

#include "backends/backend.h"
#include "backends/emitters.h"
#include "backends/ink.h"
#include "backends/unicode.h"

namespace gpulint {
namespace {

constexpr Backend backends[] = {
#define GPULINT_FORMAT(name, extension, help) {#name, extension, help, emit_##name},
#include "backends/formats.def"
#undef GPULINT_FORMAT
};

}  // namespace

std::vector<RuleStatistics> statistics_of(std::span<const Diagnostic> diagnostics) {
  std::map<std::string_view, RuleStatistics> by_id;
  for (const Diagnostic& diagnostic : diagnostics) {
    RuleStatistics& count = by_id[diagnostic.rule->id];
    count.rule = diagnostic.rule;
    count.severity = std::max(count.severity, diagnostic.severity);
    ++count.findings;
    if (diagnostic.fix.has_value()) ++count.fixable;
  }
  std::vector<RuleStatistics> counts;
  for (const auto& [id, count] : by_id) counts.push_back(count);
  std::ranges::stable_sort(counts, std::ranges::greater(), &RuleStatistics::findings);
  return counts;
}

void write_statistics(const Run& run, std::ostream& out) {
  const std::vector<RuleStatistics> counts = statistics_of(run.diagnostics);
  const std::size_t total = run.diagnostics.size();
  const std::size_t number_width = fmt::formatted_size("{}", total);
  std::size_t id_width = 0;
  for (const RuleStatistics& count : counts)
    id_width = std::max(id_width, cell_width(printable(count.rule->id)));
  for (const RuleStatistics& count : counts) {
    const std::string id = printable(count.rule->id);
    const std::string severity = fmt::format("{:<7}", to_string(count.severity));
    const std::string fixable =
        count.fixable == 0 ? "" : fmt::format("  ({} fixable)", count.fixable);
    out << fmt::format("{:>{}}  {}  {}{}  {}{}\n", count.findings, number_width,
                       paint(ink_of(count.severity), severity, run.presentation), id,
                       std::string(id_width - cell_width(id), ' '), printable(count.rule->summary),
                       fixable);
  }
  out << fmt::format("{:>{}}  in all\n", total, number_width);
}

std::span<const Backend> all_backends() { return backends; }

const Backend* find_backend(std::string_view name) {
  const auto found = std::ranges::find(backends, name, &Backend::name);
  return found == std::end(backends) ? nullptr : found;
}

Summary summarize(std::span<const Diagnostic> diagnostics, std::size_t files,
                  std::size_t documents) {
  Summary summary{.files = files, .documents = documents};
  for (const Diagnostic& diagnostic : diagnostics) {
    switch (diagnostic.severity) {
      case Severity::info:
        ++summary.infos;
        break;
      case Severity::warning:
        ++summary.warnings;
        break;
      case Severity::error:
        ++summary.errors;
        break;
    }
  }
  return summary;
}

}  // namespace gpulint
