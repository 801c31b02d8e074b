#include "compiler/project/config_file.h"

#include <filesystem>
#include <string_view>

#include <fmt/format.h>

#include "compiler/base/text.h"
#include "compiler/engine/registry.h"
#include "compiler/ir/node.h"
#include "compiler/project/boundary.h"
#include "frontend/yaml_parser.h"

namespace gpulint {
namespace {

namespace fs = std::filesystem;

[[nodiscard]] fs::path start_folder(const FileSystem& files, const Request& request) {
  if (request.paths.empty() || request.paths.front() == "-") return ".";
  const fs::path first = request.paths.front();
  const bool is_folder = files.status(first.string()).kind == FileStatus::Kind::folder;
  const fs::path folder = is_folder ? first : first.parent_path();
  return folder.empty() ? fs::path(".") : folder;
}

[[nodiscard]] std::string at_place(const SourceFile& file, Span where, std::string_view message) {
  const Position position = file.position(where.begin);
  return fmt::format("{}:{}:{}: {}", file.path(), position.line, position.column, message);
}

}  // namespace

bool is_config_name(std::string_view path) {
  return is_listed(config_names, path.substr(path.rfind('/') + 1));
}

std::string find_config_file(const FileSystem& files, const Request& request) {
  if (request.no_config || !request.config.empty()) return request.config;
  const auto status = [&](const fs::path& path) { return files.status(path.string()); };
  fs::path folder = start_folder(files, request);
  fs::path absolute = resolve_links(files, folder);
  while (true) {
    for (const std::string_view name : config_names) {
      if (status(folder / name).kind == FileStatus::Kind::file) {
        return (folder / name).lexically_normal();
      }
    }
    const bool is_work_tree = status(absolute / ".git").exists();
    if (is_work_tree || absolute == absolute.parent_path()) return {};
    absolute = absolute.parent_path();
    folder /= "..";
  }
}

ConfigFile read_config_file(const SourceFile& file) {
  ConfigFile config;
  config.documents = parse_file(file);
  for (const auto& document : config.documents) {
    for (const SyntaxError& error : document->errors) {
      config.errors.push_back(at_place(file, error.span, error.message));
    }
  }
  if (config.documents.empty() || !config.errors.empty()) return config;
  std::vector<RuleInfo> rules;
  for (const RegisteredRule& rule : all_rules()) rules.push_back(rule.rule->info);
  config.reading = read_config(root(*config.documents.front()), rules);
  const fs::path folder = fs::path(file.path()).parent_path();
  config.reading.config.folder = folder.empty() ? "." : folder.string();
  for (const ConfigProblem& problem : config.reading.problems) {
    if (problem.kind != ConfigProblem::Kind::refused) continue;
    config.errors.push_back(at_place(file, problem.node.span(), problem.message));
  }
  return config;
}

}  // namespace gpulint
