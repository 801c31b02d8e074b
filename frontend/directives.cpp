#include "frontend/directives.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include <fmt/format.h>

namespace gpulint {
namespace {

constexpr std::string_view blanks = " \t";

/// Words of a line up to a comment.
[[nodiscard]] std::vector<std::string_view> split_words(std::string_view line) {
  std::vector<std::string_view> words;
  for (std::size_t at = line.find_first_not_of(blanks); at != std::string_view::npos;
       at = line.find_first_not_of(blanks, at)) {
    if (line[at] == '#') break;
    const std::size_t end = std::min(line.find_first_of(blanks, at), line.size());
    words.push_back(line.substr(at, end - at));
    at = end;
  }
  return words;
}

/// Why YAML 1.1 rejects the directive; empty if it accepts it.
[[nodiscard]] std::string refusal(const std::vector<std::string_view>& words, bool has_version) {
  const std::string_view name = words.front();
  if (name == "%YAML") {
    if (has_version) return "a second `%YAML` directive";
    if (words.size() == 2 && words[1] == "1.1") return "";
    const std::string_view version = words.size() > 1 ? words[1] : std::string_view{};
    return fmt::format("Kubernetes reads YAML 1.1 and rejects `%YAML {}`", version);
  }
  if (name != "%TAG") return fmt::format("`{}` is not a YAML directive", name);
  const bool is_whole = words.size() == 3 && words[1].starts_with('!') && words[1].ends_with('!');
  return is_whole ? "" : "`%TAG` needs a handle such as `!e!` and a prefix";
}

}  // namespace

Directives read_directives(std::string_view text, Extent range) {
  Directives result;
  bool has_version = false;
  for (std::size_t at = range.begin; at < range.end;) {
    const std::size_t end = std::min<std::size_t>(text.find_first_of("\r\n", at), range.end);
    const std::string_view line = text.substr(at, end - at);
    if (line.starts_with('%')) {
      const auto words = split_words(line);
      std::string message = refusal(words, has_version);
      if (!message.empty() && !result.problem) {
        result.problem = {{static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(end)},
                          std::move(message)};
      } else if (words.front() == "%TAG" && words.size() == 3) {
        result.handles.push_back({words[1], words[2]});
      }
      has_version = has_version || words.front() == "%YAML";
    }
    at = end + 1;
  }
  return result;
}

}  // namespace gpulint
