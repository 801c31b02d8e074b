#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpulint::cel {

/// A semantic version (semver.org 2.0.0) as Kubernetes' CEL compares it.
class Semver {
 public:
  /// Strict: `1.2.3`, with `-pre.1` and `+build`; nullopt for anything else. Facts: blang/semver
  /// v4.
  [[nodiscard]] static std::optional<Semver> parse(std::string_view text);
  /// `semver(text, true)`: a leading `v`, leading zeros and missing parts are mended first.
  [[nodiscard]] static std::optional<Semver> parse_normalized(std::string_view text);

  [[nodiscard]] std::uint64_t major() const { return numbers_[0]; }
  [[nodiscard]] std::uint64_t minor() const { return numbers_[1]; }
  [[nodiscard]] std::uint64_t patch() const { return numbers_[2]; }
  /// -1, 0, 1; builds do not count.
  [[nodiscard]] int compare(const Semver& other) const;

 private:
  struct Part {
    std::optional<std::uint64_t> number;
    std::string text;
  };
  [[nodiscard]] static int compare(const Part& a, const Part& b);
  [[nodiscard]] bool read_parts(std::string_view text);

  std::uint64_t numbers_[3] = {};
  std::vector<Part> parts_;  ///< Of the prerelease.
};

}  // namespace gpulint::cel
