#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "backends/backend.h"

namespace gpulint::test {

/// Sources and findings made by hand, so that what a format must print is known without a rule.
struct Example {
  SourceSet sources;
  std::vector<Diagnostic> diagnostics;
  std::vector<RuleText> rules;
  std::vector<PlacementMatrix> placements;
  std::vector<CompiledPod> pods;

  FileId add(std::string path, std::string bytes) {
    return sources.add(std::move(path), std::move(bytes));
  }
  /// The span of the n-th (from 1) occurrence of a text in a file.
  [[nodiscard]] Span find(FileId file, std::string_view text, int n = 1) const;
  /// Adds a finding at a span and returns it; the reference is valid until the next one.
  Diagnostic& report(const RuleInfo& rule, Span span, std::string message);
  /// Sorts the findings and sums them up. The result refers to this example.
  [[nodiscard]] Run run();
};

/// Two files: an error with a related place in the other file, help and an unsafe fix; a warning
/// with a safe fix; an info over several lines; two errors of one rule.
[[nodiscard]] Example ordinary_example();
/// The same with a placement matrix and compiled pods.
[[nodiscard]] Example cluster_example();
/// Names, messages, keys and texts that try to break out of every format.
[[nodiscard]] Example hostile_example();
/// Nothing found in one file.
[[nodiscard]] Example clean_example();

/// The output of the format of that name.
[[nodiscard]] std::string emit(std::string_view format, const Run& run);

/// Compares with testdata/backends/NAME, or writes it where GPULINT_UPDATE=1.
void check_golden(std::string_view name, const std::string& actual);

}  // namespace gpulint::test
