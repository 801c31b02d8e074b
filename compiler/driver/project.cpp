#include "compiler/driver/project.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "compiler/base/glob.h"
#include "compiler/engine/registry.h"
#include "compiler/model/lower.h"
#include "frontend/embedded.h"
#include "frontend/relevance.h"
#include "frontend/yaml_parser.h"

namespace gpulint {
namespace {

namespace fs = std::filesystem;

/// Files that the user names are read whole up to this size even where they mention nothing of
/// interest, so that a syntax error in them is told.
constexpr std::size_t read_whole_up_to_bytes = 1U << 20U;

[[nodiscard]] std::vector<RuleInfo> rule_infos() {
  std::vector<RuleInfo> infos;
  for (const RegisteredRule& rule : all_rules()) infos.push_back(rule.rule->info);
  return infos;
}

class Loader {
 public:
  Loader(const Options& options, const Overlay& overlay, Project& project)
      : options_(options), overlay_(overlay), project_(project) {}

  void load() {
    load_config();
    load_inputs();
    parse_all();
    make_scopes();
  }

 private:
  void load_config() {
    if (options_.no_config) return;
    const std::string path = options_.config.empty() ? find_config() : options_.config;
    if (path.empty()) return;
    const auto id = read(path);
    if (!id) return;
    config_documents_ = parse_file(project_.sources.file(*id));
    for (const auto& document : config_documents_) {
      for (const SyntaxError& error : document->errors) refuse(error.span, error.message);
    }
    if (config_documents_.empty() || !project_.errors.empty()) return;
    const std::vector<RuleInfo> infos = rule_infos();
    project_.config = read_config(root(*config_documents_.front()), infos);
    const fs::path folder = fs::path(path).parent_path();
    project_.config.config.folder = folder.empty() ? "." : folder.string();
    for (const ConfigProblem& problem : project_.config.problems) {
      if (problem.kind == ConfigProblem::Kind::refused) refuse(problem.node.span(), problem.message);
    }
  }

  /// The nearest gpulint.yaml upward from the first path.
  [[nodiscard]] std::string find_config() const {
    std::error_code error;
    const fs::path start = options_.paths.empty() || options_.paths.front() == "-"
                               ? fs::path(".")
                               : fs::path(options_.paths.front());
    fs::path folder = fs::is_directory(start, error) ? start : start.parent_path();
    if (folder.empty()) folder = ".";
    fs::path absolute = fs::weakly_canonical(folder, error);
    while (true) {
      for (const char* name : {"gpulint.yaml", "gpulint.yml", ".gpulint.yaml"}) {
        if (fs::is_regular_file(folder / name, error)) return (folder / name).lexically_normal();
      }
      if (absolute == absolute.parent_path() || fs::exists(absolute / ".git", error)) return "";
      absolute = absolute.parent_path();
      folder = folder == "." ? fs::path("..") : folder / "..";
    }
  }

  void load_inputs() {
    for (const std::string& path : options_.paths) add_path(path);
    if (options_.paths.empty()) add_path(".");
  }

  void add_path(const std::string& path) {
    std::error_code error;
    if (!fs::is_directory(path, error)) {
      if (const auto id = read(path)) named_.push_back(*id);
      return;
    }
    std::vector<std::string> found;
    for (const auto& entry : fs::recursive_directory_iterator(path, error)) {
      const std::string name = entry.path().extension();
      if (entry.is_regular_file(error) && (name == ".yaml" || name == ".yml" || name == ".json")) {
        found.push_back(entry.path());
      }
    }
    std::ranges::sort(found);
    for (const std::string& file : found) {
      if (const auto id = read(file)) walked_.push_back(*id);
    }
  }

  [[nodiscard]] std::optional<FileId> read(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    if (path != "-" && !in) {
      project_.errors.push_back(fmt::format("{}: cannot be read", path));
      return std::nullopt;
    }
    const std::string name = path == "-" ? "<stdin>" : path;
    if (const auto text = overlay_.find(name); text != overlay_.end()) {
      return project_.sources.add(name, text->second);
    }
    std::istream& stream = path == "-" ? std::cin : in;
    std::string bytes(std::istreambuf_iterator<char>(stream), {});
    return project_.sources.add(name, std::move(bytes));
  }

  void parse_all() {
    project_.documents.resize(project_.sources.size());
    for (const FileId id : named_) parse(id, true);
    for (const FileId id : walked_) parse(id, false);
    project_.file_count = named_.size() + walked_.size();
  }

  void parse(FileId id, bool named) {
    const SourceFile& file = project_.sources.file(id);
    auto& kept = project_.documents[id];
    const bool whole = named && file.text().size() <= read_whole_up_to_bytes;
    for (const DocumentText& text : split_stream(file.text())) {
      ++project_.document_count;
      if (!whole && !may_concern_gpus(file.text().substr(text.begin, text.end - text.begin))) {
        continue;
      }
      kept.push_back(parse_document(file, text));
      const Document& host = *kept.back();
      std::ranges::move(embedded_documents(host, file), std::back_inserter(kept));
    }
  }

  void make_scopes() {
    if (!named_.empty()) add_scope(named_);
    for (const FileId id : walked_) add_scope({id});
  }

  void add_scope(std::vector<FileId> files) {
    Scope& scope = project_.scopes.emplace_back();
    scope.files = std::move(files);
    scope.settings = project_.config.config.top.settings;
    override_by_options(scope.settings);
    std::vector<const Document*> documents;
    for (const FileId id : scope.files) {
      for (const auto& document : project_.documents[id]) documents.push_back(document.get());
    }
    scope.corpus = lower(project_.sources, scope.settings, std::move(documents));
  }

  void override_by_options(Settings& settings) const {
    if (options_.provider != Provider::unknown) settings.provider = options_.provider;
    if (options_.flyte_version != FlyteVersion::unknown) {
      settings.flyte_version = options_.flyte_version;
    }
    if (options_.chart != FlyteChart::unknown) settings.flyte_chart = options_.chart;
  }

  void refuse(Span where, std::string_view message) {
    const SourceFile& file = project_.sources.file(where);
    const Position at = file.position(where.begin);
    project_.errors.push_back(
        fmt::format("{}:{}:{}: {}", file.path(), at.line, at.column, message));
  }

  const Options& options_;
  const Overlay& overlay_;
  Project& project_;
  std::vector<std::unique_ptr<Document>> config_documents_;
  std::vector<FileId> named_;
  std::vector<FileId> walked_;
};

}  // namespace

std::unique_ptr<Project> load_project(const Options& options, const Overlay& overlay) {
  auto project = std::make_unique<Project>();
  Loader(options, overlay, *project).load();
  return project;
}

}  // namespace gpulint
