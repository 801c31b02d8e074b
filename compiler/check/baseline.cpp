#include "compiler/check/baseline.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <re2/re2.h>

#include "compiler/base/text.h"
#include "compiler/engine/registry.h"

namespace gpulint {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view supported_version = "1";

/// A file's path as a baseline in `folder` records it.
[[nodiscard]] std::string baseline_path(const std::string& path, const std::string& folder) {
  std::error_code error;
  const fs::path from = fs::weakly_canonical(folder.empty() ? "." : folder, error);
  const fs::path file = fs::weakly_canonical(path, error);
  if (error || !fs::exists(path, error)) return path;  // standard input
  return file.lexically_proximate(from).generic_string();
}

/// The keys of findings, one for each workload that a finding is about. Paths are computed once for
/// each file, because that reads the file system.
class Keys {
 public:
  Keys(const SourceSet& sources, const std::string& folder) : sources_(sources), folder_(folder) {}

  [[nodiscard]] std::vector<Baseline::Key> of(const Diagnostic& finding) {
    const auto [path, is_new] = paths_.try_emplace(finding.span.file);
    if (is_new) path->second = baseline_path(sources_.file(finding.span).path(), folder_);
    const std::string rule(finding.rule->id);
    std::vector<Baseline::Key> keys{{path->second, rule, finding.message}};
    for (const std::string& message : finding.further)
      keys.push_back({path->second, rule, message});
    return keys;
  }

 private:
  const SourceSet& sources_;
  const std::string& folder_;
  std::map<FileId, std::string> paths_;
};

/// The keys of each finding that no entry records so far.
class Unknown {
 public:
  /// `groups_tasks`: an entry about one task of a finding stands for all of them.
  Unknown(std::span<const Diagnostic> findings, const SourceSet& sources, const std::string& folder,
          bool groups_tasks)
      : groups_tasks_(groups_tasks) {
    Keys keys(sources, folder);
    for (const Diagnostic& finding : findings) keys_.push_back(keys.of(finding));
  }

  /// Removes the keys that `is_known` accepts. Returns the number of findings that have none left.
  template <class IsKnown>
  [[nodiscard]] std::size_t remove(const IsKnown& is_known) {
    std::size_t emptied = 0;
    for (std::vector<Baseline::Key>& keys : keys_) {
      if (std::erase_if(keys, is_known) == 0) continue;
      if (groups_tasks_) keys.clear();
      if (keys.empty()) ++emptied;
    }
    return emptied;
  }

  /// Removes the findings that are known. The message of another is about what is not.
  void keep_in(std::vector<Diagnostic>& findings) const {
    std::vector<Diagnostic> kept;
    for (std::size_t i = 0; i < findings.size(); ++i) {
      if (keys_[i].empty()) continue;
      kept.push_back(std::move(findings[i]));
      kept.back().message = keys_[i].front().message;
    }
    findings = std::move(kept);
  }

 private:
  bool groups_tasks_;
  std::vector<std::vector<Baseline::Key>> keys_;
};

/// Decreases the count if it is not zero.
[[nodiscard]] bool take(std::map<Baseline::Key, std::size_t>& counts, const Baseline::Key& key) {
  const auto found = counts.find(key);
  if (found == counts.end() || found->second == 0) return false;
  --found->second;
  return true;
}

[[nodiscard]] std::optional<std::size_t> parse_count(Node node) {
  const std::string_view text = node.text();
  std::size_t count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc() || end != text.data() + text.size() || count == 0) return std::nullopt;
  return count;
}

/// Whether a name in backticks follows: `Pod `, `task `.
[[nodiscard]] bool announces_name(std::string_view before) {
  static const RE2 kind(R"((?s)(?:.*[^A-Za-z0-9])?(?:[A-Z][A-Za-z]*[a-z][A-Za-z]*|task) )");
  return RE2::FullMatch(std::string(before), kind);
}

/// Whether a part of an object follows: `worker group `, `replicated job `.
[[nodiscard]] bool announces_part(std::string_view before) {
  static const RE2 noun(
      R"((?s)(?:.*[^A-Za-z])?(?:worker group|replicated job|replica type|service|template) )");
  return RE2::FullMatch(std::string(before), noun);
}

/// A text in backticks, and the text around it.
struct QuotedText {
  std::string_view before;
  std::string_view text;
  std::string_view after;
  bool is_closed = true;

  [[nodiscard]] bool is_name() const { return announces_name(before); }
  /// Worker group `gpu` of RayCluster `ray`. Older baselines have such names in brackets.
  [[nodiscard]] bool is_part() const { return after.starts_with(" of ") && announces_part(before); }
};

/// Calls `visit` for each text in backticks. Returns the text behind the last one.
template <class Visit>
std::string_view visit_quoted(std::string_view message, const Visit& visit) {
  for (;;) {
    const std::size_t begin = message.find('`');
    if (begin == message.npos) return message;
    const std::size_t end = std::min(message.find('`', begin + 1), message.size());
    const bool is_closed = end < message.size();
    visit(QuotedText{message.substr(0, begin), message.substr(begin + 1, end - begin - 1),
                     message.substr(std::min(end + 1, message.size())), is_closed});
    if (!is_closed) return {};
    message.remove_prefix(end + 1);
  }
}

/// What a message has in backticks, each sorted: no wording changes it.
struct Quoted {
  std::vector<std::string> names;  ///< Of objects and tasks: Pod `train`.
  std::vector<std::string> values;
};

[[nodiscard]] Quoted quoted_in(std::string_view message) {
  Quoted quoted;
  visit_quoted(message, [&](const QuotedText& each) {
    if (each.is_part()) return;
    (each.is_name() ? quoted.names : quoted.values).emplace_back(each.text);
  });
  std::ranges::sort(quoted.names);
  std::ranges::sort(quoted.values);
  return quoted;
}

[[nodiscard]] Baseline::Key shape_of(Baseline::Key key) {
  key.message = message_shape(key.message);
  return key;
}

/// The key with the names alone, for messages that a release has rewritten.
[[nodiscard]] Baseline::Key names_of(Baseline::Key key) {
  key.message = fmt::format("{}", fmt::join(quoted_in(key.message).names, "`"));
  return key;
}

/// Entries of older baselines, where one finding named several workloads. An entry "…, which Job
/// `w1` and 1 more requires" in w1.yaml counts for two findings, one of them in another file.
/// `toleration-value-mismatch` named no workload: its entries count for any number.
class GroupedEntries {
 public:
  /// Moves such entries out of `counts`.
  explicit GroupedEntries(std::map<Baseline::Key, std::size_t>& counts);

  /// Whether an entry also counts for the finding, in any file; it then counts for one less.
  [[nodiscard]] bool take(const Baseline::Key& finding);

  /// The number of recorded findings that did not occur.
  [[nodiscard]] std::size_t unused(
      const std::function<bool(const Baseline::Key&)>& is_checked) const;

 private:
  struct Entry {
    Baseline::Key key;
    std::size_t count = 0;
    std::vector<std::string> values;  ///< Quoted::values.
    std::size_t left = 0;
    bool is_used = false;
  };
  std::map<std::string, std::vector<Entry>, std::less<>> by_rule_;
};

constexpr std::string_view nameless_rule = "toleration-value-mismatch";

constexpr std::array<std::string_view, 12> grouping_rules = {
    "contradictory-node-affinity",
    "daemonset-on-plain-nodes",
    "device-value-mismatch",
    "mig-strategy-mismatch",
    "no-node-fits",
    "invalid-node-pool",
    "relies-on-extended-resource-toleration",
    "request-exceeds-node",
    "resource-not-offered",
    "unguarded-gpu-nodes",
    "unmatched-node-selector",
    "untolerated-taint"};

/// How many workloads "Job `w1` and 1 more" stands for; nothing where the message names one.
[[nodiscard]] std::optional<std::size_t> count_grouped(const std::string& message) {
  static const RE2 grouped(" and ([0-9]{1,9}) more");
  std::size_t more = 0;
  return RE2::PartialMatch(message, grouped, &more) ? std::optional(more + 1) : std::nullopt;
}

GroupedEntries::GroupedEntries(std::map<Baseline::Key, std::size_t>& counts) {
  std::erase_if(counts, [&](const auto& known) {
    const auto& [key, count] = known;
    std::optional<std::size_t> workloads = std::numeric_limits<std::size_t>::max() / count;
    if (key.rule != nameless_rule) {
      if (std::ranges::find(grouping_rules, key.rule) == grouping_rules.end()) return false;
      workloads = count_grouped(key.message);
    }
    if (!workloads) return false;
    by_rule_[key.rule].push_back({key, count, quoted_in(key.message).values, count * *workloads});
    return true;
  });
}

}  // namespace

std::string message_shape(std::string_view message) {
  std::string shape;
  const auto add = [&](std::string_view text) {
    for (const char c : text) {
      if (is_digit(c) && shape.ends_with('#')) continue;
      shape += is_digit(c) ? '#' : c;
    }
  };
  add(visit_quoted(message, [&](const QuotedText& each) {
    add(each.before);
    shape += '`';
    if (each.is_name() || each.is_part()) shape += each.text;
    if (each.is_closed) shape += '`';
  }));
  return shape;
}

Baseline make_baseline(std::span<const Diagnostic> findings, const SourceSet& sources,
                       const std::string& folder) {
  Baseline baseline;
  Keys keys(sources, folder);
  for (const Diagnostic& finding : findings) {
    for (Baseline::Key& key : keys.of(finding)) ++baseline.counts[std::move(key)];
  }
  return baseline;
}

BaselineReading read_baseline(Node root) {
  BaselineReading reading;
  const auto refuse = [&](Node where, std::string_view problem) {
    if (!reading.problem.empty()) return;
    reading.problem = problem;
    reading.where = where;
  };
  if (root.get("version").text() != supported_version || !root.get("findings").is_sequence()) {
    refuse(root, "is not a baseline; write one with --write-baseline");
    return reading;
  }
  const std::string_view per = root.get("findingsPer").text();
  reading.baseline.groups_tasks = per != "task";
  reading.baseline.groups_workloads = reading.baseline.groups_tasks && per != "workload";
  for (const Node entry : root.get("findings").items()) {
    const std::optional<std::size_t> count = parse_count(entry.get("count"));
    const Node file = entry.get("file");
    const Node rule = entry.get("rule");
    if (!count || !file.is_scalar() || !rule.is_scalar()) {
      refuse(entry, "needs `file`, `rule`, `message` and a positive `count`");
      continue;
    }
    const RegisteredRule* const known = find_rule(rule.text());
    const std::string_view id = known == nullptr ? rule.text() : known->rule->info.id;
    reading.baseline.counts[{std::string(file.text()), std::string(id),
                             std::string(entry.get("message").text())}] += *count;
  }
  return reading;
}

BaselineUse apply_baseline(Baseline baseline, const SourceSet& sources, const std::string& folder,
                           const std::function<bool(const Baseline::Key&)>& is_checked,
                           std::vector<Diagnostic>& findings) {
  Unknown unknown(findings, sources, folder, baseline.groups_tasks);
  BaselineUse use;
  std::map<Baseline::Key, std::size_t> none;
  GroupedEntries grouped(baseline.groups_workloads ? baseline.counts : none);
  use.known += unknown.remove([&](const Baseline::Key& key) { return take(baseline.counts, key); });
  use.grouped = unknown.remove([&](const Baseline::Key& key) { return grouped.take(key); });
  use.known += use.grouped;
  for (const auto coarsen : {shape_of, names_of}) {
    std::map<Baseline::Key, std::size_t> coarse;
    for (const auto& [known, count] : baseline.counts) {
      if (count > 0) coarse[coarsen(known)] += count;
    }
    baseline.counts = std::move(coarse);
    use.known += unknown.remove(
        [&](const Baseline::Key& key) { return take(baseline.counts, coarsen(key)); });
  }
  unknown.keep_in(findings);
  use.gone = grouped.unused(is_checked);
  for (const auto& [known, count] : baseline.counts) {
    if (count > 0 && is_checked(known)) use.gone += count;
  }
  return use;
}

bool GroupedEntries::take(const Baseline::Key& finding) {
  const auto entries = by_rule_.find(finding.rule);
  if (entries == by_rule_.end()) return false;
  const std::vector<std::string> values = quoted_in(finding.message).values;
  const auto stands_for = [&](const Entry& entry) {
    return entry.left > 0 && entry.values == values;
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
