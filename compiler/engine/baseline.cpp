#include "compiler/engine/baseline.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include "compiler/base/text.h"
#include "compiler/engine/grouped_entries.h"

namespace gpulint {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view supported_version = "1";

/// The keys of findings. Paths are made once a file, since that asks the file system.
class Keys {
 public:
  Keys(const SourceSet& sources, const std::string& folder) : sources_(sources), folder_(folder) {}

  [[nodiscard]] Baseline::Key of(const Diagnostic& finding) {
    const auto [path, is_new] = paths_.try_emplace(finding.span.file);
    if (is_new) path->second = baseline_path(sources_.file(finding.span).path(), folder_);
    return {path->second, std::string(finding.rule->id), finding.message};
  }

 private:
  const SourceSet& sources_;
  const std::string& folder_;
  std::map<FileId, std::string> paths_;
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

}  // namespace

std::string message_shape(std::string_view message) {
  std::string shape;
  bool quoted = false;
  for (const char c : message) {
    if (c == '`') quoted = !quoted;
    if (quoted && c != '`') continue;
    if (is_digit(c) && shape.ends_with('#')) continue;
    shape += is_digit(c) ? '#' : c;
  }
  return shape;
}

std::string baseline_path(const std::string& path, const std::string& folder) {
  std::error_code error;
  const fs::path from = fs::weakly_canonical(folder.empty() ? "." : folder, error);
  const fs::path file = fs::weakly_canonical(path, error);
  if (error || !fs::exists(path, error)) return path;  // standard input
  return file.lexically_proximate(from).generic_string();
}

Baseline make_baseline(std::span<const Diagnostic> findings, const SourceSet& sources,
                       const std::string& folder) {
  Baseline baseline;
  Keys keys(sources, folder);
  for (const Diagnostic& finding : findings) ++baseline.counts[keys.of(finding)];
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
  Keys keys(sources, folder);
  BaselineUse use;
  std::map<Baseline::Key, std::size_t> none;
  GroupedEntries grouped(baseline.groups_workloads ? baseline.counts : none);
  use.known += std::erase_if(
      findings, [&](const Diagnostic& f) { return take(baseline.counts, keys.of(f)); });
  use.grouped =
      std::erase_if(findings, [&](const Diagnostic& f) { return grouped.take(keys.of(f)); });
  std::map<Baseline::Key, std::size_t> shapes;
  for (const auto& [known, count] : baseline.counts) {
    if (count > 0) shapes[shape_of(known)] += count;
  }
  use.known += use.grouped + std::erase_if(findings, [&](const Diagnostic& f) {
                 return take(shapes, shape_of(keys.of(f)));
               });
  use.gone = grouped.unused(is_checked);
  for (const auto& [shape, count] : shapes) {
    if (count > 0 && is_checked(shape)) use.gone += count;
  }
  return use;
}

}  // namespace gpulint
