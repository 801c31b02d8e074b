#include "compiler/server/workspace.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "compiler/engine/config.h"

namespace gpulint::server {
namespace {

namespace fs = std::filesystem;

[[nodiscard]] bool is_path_below(std::string_view path, std::string_view folder) {
  if (folder == "/") return path.starts_with('/');
  return path.size() > folder.size() && path.starts_with(folder) && path[folder.size()] == '/';
}

/// The name of an untitled document for gpulint: its ending decides how it is read.
[[nodiscard]] std::string name_of_untitled(const OpenText& text) {
  return text.language == "python" ? "untitled.py" : "untitled.yaml";
}

/// The open texts, as files. `untitled` is standard input; it may be null.
[[nodiscard]] Overlay overlay_of(const OpenTexts& texts, const OpenText* untitled) {
  Overlay overlay;
  for (const auto& [uri, text] : texts.all()) {
    if (!text.path.empty()) overlay.insert_or_assign(text.path, decode_bytes(text.text));
  }
  if (untitled != nullptr) overlay.insert_or_assign("-", decode_bytes(untitled->text));
  return overlay;
}

/// A document outside of all folders: the request of `gpulint check FILE` in its folder.
[[nodiscard]] Request request_for(const OpenText& text) {
  Request request;
  request.groups_pods = true;
  if (text.path.empty()) {
    request.paths = {"-"};
    request.stdin_filename = name_of_untitled(text);
    request.no_config = true;
  } else {
    request.paths = {fs::path(text.path).filename().string()};
  }
  return request;
}

/// Whether the run cannot do what gpulint.yaml says. `gpulint check` then reports no findings.
[[nodiscard]] bool is_refused(const Project& project) {
  const auto has_errors = [](const auto& document) { return !document->errors.empty(); };
  const auto refuses = [](const ConfigProblem& problem) {
    return problem.kind == ConfigProblem::Kind::refused;
  };
  return std::ranges::any_of(project.config_documents, has_errors) ||
         std::ranges::any_of(project.config.problems, refuses);
}

/// Takes over the findings of the check.
void update(CheckedRoot& root) {
  root.placements.reset();
  root.pods.reset();
  root.findings.clear();
  root.is_stale = false;
  if (is_refused(root.project())) return;
  root.findings = fold_findings(root.project(), root.check->findings());
}

}  // namespace

void Workspace::add_folder(const std::string& path) {
  CheckedRoot& root = roots_[path];
  root.request.paths = {"."};
  root.request.groups_pods = true;
}

void Workspace::remove_folder(const std::string& path) { roots_.erase(path); }

void Workspace::invalidate() {
  for (auto& [name, root] : roots_) root.is_lost = true;
}

/// The innermost folder above a path; empty: none.
std::string Workspace::folder_of(std::string_view path) const {
  std::string innermost;
  for (const auto& [folder, root] : roots_) {
    if (folder.starts_with('/') && is_path_below(path, folder) &&
        folder.size() > innermost.size()) {
      innermost = folder;
    }
  }
  return innermost;
}

bool Workspace::is_owner(const std::string& root, std::string_view path) const {
  const std::string folder = folder_of(path);
  if (!folder.empty()) return folder == root;
  return path == "-" || path_of_uri(root) == path;
}

/// Makes the roots of documents outside of all folders those that are open now. Returns whether
/// some ended.
bool Workspace::follow(const OpenTexts& texts) {
  const std::size_t ended = std::erase_if(roots_, [&](const auto& each) {
    const std::string& name = each.first;
    if (name.starts_with('/')) return false;
    const OpenText* const text = texts.find(name);
    return text == nullptr || !folder_of(text->path).empty();
  });
  for (const auto& [uri, text] : texts.all()) {
    if (!folder_of(text.path).empty() || roots_.contains(uri)) continue;
    CheckedRoot& root = roots_[uri];
    root.request = request_for(text);
    if (text.path.empty()) root.untitled = uri;
  }
  return ended != 0;
}

void Workspace::load(const std::string& name, CheckedRoot& root, const OpenTexts& texts) const {
  const OpenText* const alone = texts.find(name);
  const OpenText* const untitled = texts.find(root.untitled);
  std::string folder = name;
  if (untitled != nullptr) {
    folder = files_.current_folder();
  } else if (alone != nullptr) {
    folder = fs::path(alone->path).parent_path().string();
  }
  root.check.reset();
  root.files = std::make_unique<FolderFiles>(folder, overlay_of(texts, untitled), files_);
  root.check = std::make_unique<LiveCheck>(root.request, *root.files);
  root.files_by_path.clear();
  const SourceSet& sources = root.project().sources;
  for (FileId id = 0; id < sources.size(); ++id) {
    root.files_by_path.emplace(path_of(root, sources.file(id)), id);
  }
  root.is_lost = false;
}

/// Returns whether the project changed. The root is lost if it has to be loaded again.
bool Workspace::take_changes(CheckedRoot& root, const OpenTexts& texts) const {
  bool has_changed = false;
  for (const std::string& uri : changed_) {
    const std::string path = path_of_uri(uri);
    if (uri == root.untitled) root.is_lost = true;
    if (path.empty() || root.is_lost) continue;
    const auto known = root.files_by_path.find(path);
    const bool is_input = known != root.files_by_path.end();
    const auto before = is_input ? std::nullopt : std::optional(root.files->read(path));
    const OpenText* const open = texts.find(uri);
    root.files->set(path, open == nullptr ? std::nullopt : std::optional(decode_bytes(open->text)));
    const Result<DecodedBytes> now = root.files->read(path);
    if (before) {
      root.is_lost = !before->ok() || !now.ok() || before->value().text != now.value().text;
    } else if (!now.ok() || now.value().encoding != SourceFile::Encoding::utf8) {
      root.is_lost = true;
    } else if (root.project().sources.file(known->second).text() != now.value().text) {
      has_changed = true;
      root.is_lost = !root.check->edit(known->second, now.value().text);
    }
  }
  return has_changed;
}

bool Workspace::check(const OpenTexts& texts) {
  bool has_checked = follow(texts);
  for (auto& [name, root] : roots_) {
    const bool has_changed = !root.is_lost && take_changes(root, texts);
    if (root.is_lost) {
      load(name, root, texts);
    } else if (!has_changed) {
      continue;
    }
    update(root);
    has_checked = true;
  }
  changed_.clear();
  return has_checked;
}

bool Workspace::verify(CheckedRoot& root, FileId file) {
  if (is_refused(root.project()) || !root.check->verify_file(file)) return false;
  update(root);
  return true;
}

bool Workspace::verify_some() {
  for (auto& [name, root] : roots_) {
    if (root.check == nullptr || is_refused(root.project())) continue;
    root.is_stale = root.check->verify_next() || root.is_stale;
    if (root.is_stale && !root.check->is_verified()) return true;
    if (root.is_stale) update(root);
  }
  return false;
}

std::string Workspace::path_of(const CheckedRoot& root, const SourceFile& file) {
  if (!root.untitled.empty() && file.path() == stdin_name(root.request)) return "-";
  return (fs::path(root.files->current_folder()) / file.path()).lexically_normal().string();
}

RootFile Workspace::find(const OpenText& text) {
  const std::string folder = folder_of(text.path);
  const auto found = roots_.find(folder.empty() ? text.uri : folder);
  if (found == roots_.end() || found->second.check == nullptr) return {};
  CheckedRoot& root = found->second;
  const auto file = root.files_by_path.find(text.path.empty() ? "-" : text.path);
  if (file == root.files_by_path.end()) return {};
  return {&root, &root.project().sources.file(file->second)};
}

const Placements& place_root(CheckedRoot& root) {
  if (!root.placements) root.placements = place_project(root.project());
  return *root.placements;
}

const CompiledPods& compile_root(CheckedRoot& root) {
  const auto has_flyte = [](const Scope& scope) {
    return !scope.flyte.installations.empty() || !scope.settings.tasks.empty();
  };
  if (!root.pods) {
    root.pods.emplace();
    if (std::ranges::any_of(root.project().scopes, has_flyte)) {
      root.pods = compile_tasks(root.project());
    }
  }
  return *root.pods;
}

}  // namespace gpulint::server
