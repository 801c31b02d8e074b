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

#include <re2/re2.h>

#include "compiler/base/text.h"

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

/// The keys of findings, one for each workload that a finding is about. Paths are made once a file,
/// since that asks the file system.
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

/// The keys that no entry stands for so far, by finding.
class Unknown {
 public:
  Unknown(std::span<const Diagnostic> findings, const SourceSet& sources,
          const std::string& folder) {
    Keys keys(sources, folder);
    for (const Diagnostic& finding : findings) keys_.push_back(keys.of(finding));
  }

  /// Removes the keys that `is_known` accepts. Returns the number of findings that have none left.
  template <class IsKnown>
  [[nodiscard]] std::size_t remove(const IsKnown& is_known) {
    std::size_t emptied = 0;
    for (std::vector<Baseline::Key>& keys : keys_) {
      if (std::erase_if(keys, is_known) > 0 && keys.empty()) ++emptied;
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
  std::vector<std::vector<Baseline::Key>> keys_;
};

[[nodiscard]] Baseline::Key shape_of(Baseline::Key key) {
  key.message = message_shape(key.message);
  return key;
}

/// Takes one off the count, if there is one left.
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

/// Entries of a baseline from before each workload had a finding of its own. "…, which Job `w1` and
/// 1 more requires" in w1.yaml stands for two findings, one of them in another file.
/// `toleration-value-mismatch` named no workload: there an entry stands for any number.
class GroupedEntries {
 public:
  /// Moves such entries out of `counts`.
  explicit GroupedEntries(std::map<Baseline::Key, std::size_t>& counts);

  /// Whether an entry stands for the finding too, whatever its file; it then stands for one less.
  [[nodiscard]] bool take(const Baseline::Key& finding);

  /// The number of findings, as the baseline counts them, of which none occurred.
  [[nodiscard]] std::size_t unused(
      const std::function<bool(const Baseline::Key&)>& is_checked) const;

 private:
  struct Entry {
    Baseline::Key key;
    std::size_t count = 0;
    std::string before;  ///< The message up to the workload; the whole one where it names none.
    std::string behind;
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

/// Whether a name in backticks follows: `Pod `, `task `.
[[nodiscard]] bool announces_name(std::string_view before) {
  static const RE2 kind(R"((?s)(?:.*[^A-Za-z])?(?:[A-Z][A-Za-z]*[a-z][A-Za-z]*|task) )");
  return RE2::FullMatch(std::string(before), kind);
}

}  // namespace

std::string message_shape(std::string_view message) {
  std::string shape;
  while (!message.empty()) {
    const std::size_t quote = std::min(message.find('`'), message.size());
    const std::string_view before = message.substr(0, quote);
    for (const char c : before) {
      if (is_digit(c) && shape.ends_with('#')) continue;
      shape += is_digit(c) ? '#' : c;
    }
    if (quote == message.size()) break;
    const std::size_t end = std::min(message.find('`', quote + 1), message.size());
    if (announces_name(before)) shape += message.substr(quote + 1, end - quote - 1);
    shape += '`';
    message.remove_prefix(std::min(end + 1, message.size()));
  }
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
    refuse(root, "is no baseline; write one with --write-baseline");
    return reading;
  }
  reading.baseline.groups_workloads = root.get("findingsPer").text() != "workload";
  for (const Node entry : root.get("findings").items()) {
    const std::optional<std::size_t> count = parse_count(entry.get("count"));
    const Node file = entry.get("file");
    const Node rule = entry.get("rule");
    if (!count || !file.is_scalar() || !rule.is_scalar()) {
      refuse(entry, "needs `file`, `rule`, `message` and a positive `count`");
      continue;
    }
    reading.baseline.counts[{std::string(file.text()), std::string(rule.text()),
                             std::string(entry.get("message").text())}] += *count;
  }
  return reading;
}

BaselineUse apply_baseline(Baseline baseline, const SourceSet& sources, const std::string& folder,
                           const std::function<bool(const Baseline::Key&)>& is_checked,
                           std::vector<Diagnostic>& findings) {
  Unknown unknown(findings, sources, folder);
  BaselineUse use;
  std::map<Baseline::Key, std::size_t> none;
  GroupedEntries grouped(baseline.groups_workloads ? baseline.counts : none);
  use.known += unknown.remove([&](const Baseline::Key& key) { return take(baseline.counts, key); });
  use.grouped = unknown.remove([&](const Baseline::Key& key) { return grouped.take(key); });
  std::map<Baseline::Key, std::size_t> shapes;
  for (const auto& [known, count] : baseline.counts) {
    if (count > 0) shapes[shape_of(known)] += count;
  }
  use.known += use.grouped + unknown.remove([&](const Baseline::Key& key) {
    return take(shapes, shape_of(key));
  });
  unknown.keep_in(findings);
  use.gone = grouped.unused(is_checked);
  for (const auto& [shape, count] : shapes) {
    if (count > 0 && is_checked(shape)) use.gone += count;
  }
  return use;
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
