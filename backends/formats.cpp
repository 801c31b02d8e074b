#include <algorithm>
#include <iterator>

#include "backends/backend.h"
#include "backends/emitters.h"

namespace gpulint {
namespace {

constexpr Backend backends[] = {
#define GPULINT_FORMAT(name, extension, help) {#name, extension, help, emit_##name},
#include "backends/formats.def"
#undef GPULINT_FORMAT
};

}  // namespace

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
