#include "backends/alike.h"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "compiler/base/text.h"

namespace gpulint {
namespace {

/// `Pod`, `RayCluster`, but not `GPU`; and the other words that precede a workload's name in
/// findings.
[[nodiscard]] bool names_a_workload(std::string_view word) {
  if (word == "task" || word == "container") return true;
  const auto is_lower = [](char c) { return c >= 'a' && c <= 'z'; };
  const bool is_camel =
      word.size() > 1 && word[0] >= 'A' && word[0] <= 'Z' && is_lower(word.back());
  return is_camel && std::ranges::all_of(word, [](char c) { return is_alphanumeric(c); });
}

/// The word before the blank that precedes `at`.
[[nodiscard]] std::string_view word_before(std::string_view text, std::size_t at) {
  if (at == 0 || text[at - 1] != ' ') return {};
  const std::string_view before = text.substr(0, at - 1);
  const std::size_t blank = before.rfind(' ');
  return blank == std::string_view::npos ? before : before.substr(blank + 1);
}

/// Calls `visit(begin, end)` for each name in backticks after a word for a workload.
template <class Visit>
void for_each_name(std::string_view text, Visit&& visit) {
  for (std::size_t open = text.find('`'); open != std::string_view::npos;) {
    const std::size_t close = text.find('`', open + 1);
    if (close == std::string_view::npos) return;
    if (names_a_workload(word_before(text, open))) visit(open + 1, close);
    open = text.find('`', close + 1);
  }
}

}  // namespace

std::string without_names(std::string_view message) {
  std::string shape;
  std::size_t at = 0;
  for_each_name(message, [&](std::size_t begin, std::size_t end) {
    shape += message.substr(at, begin - at);
    at = end;
  });
  return shape += message.substr(at);
}

std::string_view name_in(std::string_view message) {
  std::string_view name;
  for_each_name(message, [&](std::size_t begin, std::size_t end) {
    if (name.empty()) name = message.substr(begin, end - begin);
  });
  return name;
}

std::size_t places_shown(const std::vector<Label>& related) {
  constexpr std::size_t most = 8;
  constexpr std::size_t most_alike = 3;
  std::string last;
  std::size_t alike = 0;
  for (std::size_t i = 0; i < std::min(related.size(), most); ++i) {
    std::string saying = without_names(related[i].message);
    alike = saying == last ? alike + 1 : 1;
    if (alike > most_alike) return i;
    last = std::move(saying);
  }
  return std::min(related.size(), most);
}

std::vector<std::vector<std::size_t>> group_alike(const std::vector<Diagnostic>& findings) {
  std::vector<std::vector<std::size_t>> groups;
  std::map<std::string, std::size_t> known;
  for (std::size_t i = 0; i < findings.size(); ++i) {
    const Diagnostic& finding = findings[i];
    const std::string fix = finding.fix ? fmt::format("{} ({})", without_names(finding.fix->title),
                                                      to_string(finding.fix->safety))
                                        : "";
    const std::string key = fmt::format("{}\n{}\n{}\n{}\n{}\n{}", finding.rule->id,
                                        to_string(finding.severity), without_names(finding.message),
                                        without_names(finding.help), fix, finding.related.size());
    const auto [at, is_new] = known.emplace(key, groups.size());
    if (is_new) groups.emplace_back();
    groups[at->second].push_back(i);
  }
  return groups;
}

}  // namespace gpulint
