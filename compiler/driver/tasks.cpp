#include "compiler/driver/tasks.h"

#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "compiler/flyte/task.h"
#include "frontend/yaml_parser.h"

namespace gpulint {
namespace {

/// A JSON string; task texts have no need for more.
[[nodiscard]] std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c == '\n' || c == '\r' || c == '\t' ? ' ' : c;
  }
  return result + "\"";
}

/// The entries of a text; its documents are kept with gpulint.yaml's.
[[nodiscard]] std::vector<Node> add_entries(std::string path, std::string text, Project& project) {
  std::vector<Node> entries;
  const FileId id = project.sources.add(std::move(path), std::move(text));
  for (auto& document : parse_file(project.sources.file(id))) {
    if (!document->errors.empty()) {
      project.errors.push_back(
          fmt::format("{}: {}", project.sources.file(id).path(), document->errors.front().message));
    }
    for (const Node entry : flyte::task_entries(root(*document))) entries.push_back(entry);
    project.config_documents.push_back(std::move(document));
  }
  return entries;
}

}  // namespace

void load_tasks(const Options& options, Project& project) {
  std::vector<Node> entries;
  if (!options.tasks.empty()) {
    std::vector<std::string> texts;
    for (const std::string& text : options.tasks) texts.push_back(quoted(text));
    entries = add_entries("--task", fmt::format("[{}]\n", fmt::join(texts, ",\n ")), project);
  }
  if (!options.tasks_file.empty()) {
    std::ifstream in(options.tasks_file, std::ios::binary);
    if (!in) {
      project.errors.push_back(fmt::format("{}: cannot be read", options.tasks_file));
    } else {
      std::string text(std::istreambuf_iterator<char>(in), {});
      const auto found = add_entries(options.tasks_file, std::move(text), project);
      if (found.empty()) {
        project.errors.push_back(fmt::format("{}: holds no tasks", options.tasks_file));
      }
      entries.insert(entries.end(), found.begin(), found.end());
    }
  }
  for (Scope& scope : project.scopes) {
    scope.settings.tasks.insert(scope.settings.tasks.begin(), entries.begin(), entries.end());
  }
}

}  // namespace gpulint
