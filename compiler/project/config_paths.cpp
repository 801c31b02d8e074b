#include "compiler/project/config_paths.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "compiler/base/glob.h"
#include "compiler/base/text.h"
#include "compiler/ir/key_path.h"
#include "compiler/project/input_files.h"
#include "compiler/project/path_in_config.h"

namespace gpulint {
namespace {

namespace fs = std::filesystem;

/// Larger trees are not searched, and nothing is reported.
constexpr std::size_t most_entries = 200'000;

/// A name or glob, and its key in gpulint.yaml: `nodes`.
struct ConfigPath {
  Node node;
  std::string key;
};

void add_paths(Node list, const std::string& key, std::vector<ConfigPath>& paths) {
  if (list.is_scalar()) paths.push_back({list, key});
  for (const Node item : list.items()) paths.push_back({item, key});
}

void add_scope_paths(Node scope, std::vector<ConfigPath>& paths) {
  for (const char* key : {"paths", "nodes", "workloads"}) add_paths(scope.get(key), key, paths);
  add_paths(scope.at("flyte", "values"), "flyte.values", paths);
}

[[nodiscard]] std::vector<ConfigPath> find_paths(Node config) {
  std::vector<ConfigPath> paths;
  add_scope_paths(config, paths);
  for (const Node scope : config.get("scopes").items()) add_scope_paths(scope, paths);
  for (const Node chart : config.get("render").items()) {
    add_paths(chart.get("chart"), "render.chart", paths);
    add_paths(chart.get("values"), "render.values", paths);
  }
  for (const auto& [glob, ignored] : config.get("per-file-ignores").fields()) {
    paths.push_back({glob, "per-file-ignores"});
  }
  std::erase_if(paths, [](const ConfigPath& path) {
    return !path.node.is_scalar() || path.node.is_opaque() || path.node.text().empty();
  });
  return paths;
}

[[nodiscard]] bool is_glob(std::string_view path) {
  return path.find_first_of("*?[") != std::string_view::npos;
}

class Matcher {
 public:
  explicit Matcher(const Project& project)
      : config_(project.config.config), files_(*project.files) {
    for (FileId file = 0; file < project.sources.size(); ++file) {
      inputs_.push_back(path_in_config(*project.files, config_, project.sources.file(file).path()));
    }
  }

  /// Whether a file has this name or matches this glob. True if the tree is too large to know.
  [[nodiscard]] bool matches(std::string_view path) {
    const fs::path full = fs::path(config_.folder) / path;
    if (!is_glob(path) && files_.status(full.string()).exists()) return true;
    const std::string normal = fs::path(path).lexically_normal().generic_string();
    const auto is_meant = [&](const std::string& name) { return glob_matches(normal, name); };
    if (std::ranges::any_of(inputs_, is_meant)) return true;
    if (is_glob(path) && (path.starts_with("../") || path.starts_with('/'))) return true;
    return !tree() || std::ranges::any_of(*tree(), is_meant);
  }

  /// An existing path with a similar spelling.
  [[nodiscard]] std::optional<std::string> nearest_to(std::string_view path) {
    if (!tree()) return std::nullopt;
    std::vector<std::string_view> names(tree()->begin(), tree()->end());
    const auto meant = nearest(path, names);
    return meant ? std::optional<std::string>(*meant) : std::nullopt;
  }

 private:
  /// All files and folders below the folder of gpulint.yaml, relative to it. Listed at the first
  /// use.
  [[nodiscard]] const std::optional<std::vector<std::string>>& tree() {
    if (!is_listed_)
      tree_ = files_.tree(config_.folder.empty() ? "." : config_.folder, most_entries);
    is_listed_ = true;
    return tree_;
  }

  const Config& config_;
  const FileSystem& files_;
  std::vector<std::string> inputs_;
  std::optional<std::vector<std::string>> tree_;
  bool is_listed_ = false;
};

}  // namespace

std::vector<Diagnostic> report_unmatched_paths(const Project& project, const RuleInfo& rule) {
  std::vector<Diagnostic> findings;
  if (project.config_path.empty() || project.config_documents.empty()) return findings;
  Matcher matcher(project);
  for (const auto& [node, key] : find_paths(root(*project.config_documents.front()))) {
    const std::string_view path = node.text();
    if (matcher.matches(path)) continue;
    Diagnostic& finding = findings.emplace_back();
    finding.rule = &rule;
    finding.severity = rule.severity;
    finding.span = node.span();
    finding.path = key_path(node);
    finding.message = fmt::format("`{}` in `{}` matches no file", path, key);
    const auto meant = is_glob(path) ? std::nullopt : matcher.nearest_to(path);
    finding.help = meant ? fmt::format("did you mean `{}`?", *meant)
                         : "correct the path. It begins at the folder of gpulint.yaml";
  }
  return findings;
}

}  // namespace gpulint
