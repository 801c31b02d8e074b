#include "compiler/driver/provenance.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <string_view>

#include <fmt/format.h>

#include "compiler/base/text.h"
#include "compiler/driver/what_was_read.h"
#include "compiler/project/boundary.h"
#include "compiler/project/changed_files.h"

namespace gpulint {
namespace {

/// What the environment says it is, or the clock.
[[nodiscard]] std::time_t now() {
  if (const char* const set = std::getenv("SOURCE_DATE_EPOCH")) {
    const std::string_view text = set;
    std::time_t seconds = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
    if (error == std::errc() && end == text.data() + text.size()) return seconds;
  }
  return std::time(nullptr);
}

[[nodiscard]] std::string date_text() {
  const std::time_t seconds = now();
  std::tm parts{};
  if (gmtime_r(&seconds, &parts) == nullptr) return {};
  return fmt::format("{:04}-{:02}-{:02} {:02}:{:02} UTC", parts.tm_year + 1900, parts.tm_mon + 1,
                     parts.tm_mday, parts.tm_hour, parts.tm_min);
}

[[nodiscard]] std::string revision_here() {
  const auto tree = work_tree_above(disk(), disk().current_folder());
  return tree ? revision_of(*tree) : "";
}

/// What stands behind «read: ».
[[nodiscard]] std::string without_prefix(const std::string& text) {
  return text.substr(std::min(text.find(": ") + 2, text.size()));
}

/// `gpulint` with its arguments, as a shell would take them.
[[nodiscard]] std::string quote_words(const std::vector<std::string>& words) {
  constexpr std::string_view plain = "-_./:=,+@%";
  std::string text = "gpulint";
  for (const std::string& word : words) {
    const bool is_plain = !word.empty() && std::ranges::all_of(word, [&](char c) {
      return is_alphanumeric(c) || plain.find(c) != std::string_view::npos;
    });
    text += is_plain ? " " + word : " '";
    if (is_plain) continue;
    for (const char c : word) text += c == '\'' ? "'\\''" : std::string(1, c);
    text += '\'';
  }
  return text;
}

}  // namespace

Provenance provenance_of(const Project& project, const std::vector<std::string>& words,
                         const ReadSummary& read) {
  return {.command = quote_words(words),
          .configuration = project.config_path,
          .revision = revision_here(),
          .date = date_text(),
          .read = read.is_nothing ? "" : without_prefix(describe(read))};
}

}  // namespace gpulint
