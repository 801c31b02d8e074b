#include "backends/fingerprint.h"

#include <algorithm>
#include <cstdint>
#include <unordered_map>

#include <fmt/format.h>

#include "backends/unicode.h"
#include "backends/uri.h"
#include "compiler/base/text.h"

namespace gpulint {
namespace {

constexpr std::size_t block_size = 100;  // characters that take part in a line's hash
constexpr std::uint64_t multiplier = 37;
constexpr char16_t end_of_file = 0xFFFF;
constexpr std::size_t longest_text = 400;

/// The characters that GitHub hashes, as UTF-16 units: no blanks, every line break is \n.
struct Units {
  std::vector<char16_t> all;
  std::vector<std::size_t> line_starts;  ///< Indexes into `all`.
};

void append_utf16(char32_t c, std::vector<char16_t>& units) {
  if (c < 0x10000) {
    units.push_back(static_cast<char16_t>(c));
    return;
  }
  units.push_back(static_cast<char16_t>(0xD800 + ((c - 0x10000) >> 10U)));
  units.push_back(static_cast<char16_t>(0xDC00 + ((c - 0x10000) & 0x3FFU)));
}

[[nodiscard]] Units significant_units(std::string_view text) {
  Units units;
  bool at_line_start = true;
  bool after_return = false;
  const auto append = [&](char32_t c) {
    if (at_line_start) units.line_starts.push_back(units.all.size());
    at_line_start = c == '\n';
    append_utf16(c, units.all);
  };
  while (!text.empty()) {
    const CodePoint c = decode_code_point(text);
    text.remove_prefix(c.size);
    const bool skipped = c.value == ' ' || c.value == '\t' || (after_return && c.value == '\n');
    after_return = !skipped && c.value == '\r';
    if (!skipped) append(after_return ? '\n' : c.value);
  }
  append(end_of_file);
  return units;
}

[[nodiscard]] std::uint64_t hash_block(const std::vector<char16_t>& units, std::size_t start) {
  std::uint64_t hash = 0;
  for (std::size_t i = start; i < start + block_size; ++i) {
    hash = hash * multiplier + (i < units.size() ? units[i] : 0);
  }
  return hash;
}

/// FNV-1a, 64 bits; each part is closed by a zero byte.
class Fnv {
 public:
  void add(std::string_view part) {
    for (const char c : part) step(static_cast<unsigned char>(c));
    step(0);
  }
  [[nodiscard]] std::uint64_t value() const { return value_; }

 private:
  void step(unsigned char byte) { value_ = (value_ ^ byte) * 0x100000001B3U; }
  std::uint64_t value_ = 0xCBF29CE484222325U;
};

}  // namespace

std::vector<std::string> github_line_hashes(std::string_view text) {
  const Units units = significant_units(text);
  std::unordered_map<std::uint64_t, std::size_t> seen;
  std::vector<std::string> hashes;
  hashes.reserve(units.line_starts.size());
  for (const std::size_t start : units.line_starts) {
    const std::uint64_t hash = hash_block(units.all, start);
    hashes.push_back(fmt::format("{:x}:{}", hash, ++seen[hash]));
  }
  return hashes;
}

std::vector<std::string> stable_fingerprints(const Run& run) {
  std::unordered_map<std::uint64_t, std::size_t> seen;
  std::vector<std::string> fingerprints;
  fingerprints.reserve(run.diagnostics.size());
  for (const Diagnostic& diagnostic : run.diagnostics) {
    Fnv hash;
    hash.add(diagnostic.rule->id);
    hash.add(repository_path(run, run.sources.file(diagnostic.span).path()));
    hash.add(diagnostic.path.empty() ? diagnostic.message : diagnostic.path);
    hash.add(trim(run.sources.text(diagnostic.span).substr(0, longest_text)));
    fingerprints.push_back(fmt::format("{:016x}:{}", hash.value(), ++seen[hash.value()]));
  }
  return fingerprints;
}

}  // namespace gpulint
