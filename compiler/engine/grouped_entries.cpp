#include "compiler/engine/grouped_entries.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>

#include <re2/re2.h>

namespace gpulint {
namespace {

constexpr std::string_view nameless_rule = "toleration-value-mismatch";
constexpr std::array<std::string_view, 12> grouping_rules = {
    "contradictory-node-affinity",
    "daemonset-on-plain-nodes",
    "device-value-mismatch",
    "mig-strategy-mismatch",
    "no-node-fits",
    "refused-node-pool",
    "relies-on-extended-resource-toleration",
    "request-exceeds-node",
    "resource-not-offered",
    "unguarded-gpu-nodes",
    "unmatched-node-selector",
    "untolerated-taint"};

/// What stands before and behind "Job `w1` and 1 more", and how many that names.
struct GroupedMessage {
  std::string before;
  std::string behind;
  std::size_t workloads = 0;
};

[[nodiscard]] std::optional<GroupedMessage> read_grouped(const std::string& message) {
  static const RE2 named(R"((?s)(.*?)\b[A-Za-z]+ `[^`]*`(?: \([^)]*\))? and ([0-9]+) more(.*))");
  static const RE2 nameless(R"((?s)((?:.*`)?)[^`]*? and ([0-9]+) more(.*))");
  GroupedMessage grouped;
  std::string more;
  if (!RE2::FullMatch(message, named, &grouped.before, &more, &grouped.behind) &&
      !RE2::FullMatch(message, nameless, &grouped.before, &more, &grouped.behind)) {
    return std::nullopt;
  }
  const auto [end, error] =
      std::from_chars(more.data(), more.data() + more.size(), grouped.workloads);
  constexpr std::size_t most = 1'000'000'000;
  if (error != std::errc() || grouped.workloads > most) grouped.workloads = most;
  ++grouped.workloads;
  return grouped;
}

}  // namespace

GroupedEntries::GroupedEntries(std::map<Baseline::Key, std::size_t>& counts) {
  std::erase_if(counts, [&](const auto& known) {
    const auto& [key, count] = known;
    if (key.rule == nameless_rule) {
      by_rule_[key.rule].push_back(
          {key, count, key.message, "", std::numeric_limits<std::size_t>::max()});
      return true;
    }
    if (std::ranges::find(grouping_rules, key.rule) == grouping_rules.end()) return false;
    std::optional<GroupedMessage> grouped = read_grouped(key.message);
    if (!grouped) return false;
    by_rule_[key.rule].push_back({key, count, std::move(grouped->before),
                                  std::move(grouped->behind), count * grouped->workloads});
    return true;
  });
}

bool GroupedEntries::take(const Baseline::Key& finding) {
  const auto entries = by_rule_.find(finding.rule);
  if (entries == by_rule_.end()) return false;
  const std::string& message = finding.message;
  const auto stands_for = [&](const Entry& entry) {
    const bool has_form = message.size() >= entry.before.size() + entry.behind.size() &&
                          message.starts_with(entry.before) && message.ends_with(entry.behind);
    return has_form && entry.left > 0 && (finding.rule != nameless_rule || message == entry.before);
  };
  const auto found = std::ranges::find_if(entries->second, stands_for);
  if (found == entries->second.end()) return false;
  --found->left;
  found->is_used = true;
  return true;
}

std::size_t GroupedEntries::unused(
    const std::function<bool(const Baseline::Key&)>& is_checked) const {
  std::size_t unused = 0;
  for (const auto& [rule, entries] : by_rule_) {
    for (const Entry& entry : entries) {
      if (!entry.is_used && is_checked(entry.key)) unused += entry.count;
    }
  }
  return unused;
}

}  // namespace gpulint
