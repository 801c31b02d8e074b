#include "compiler/project/kustomize_files.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "compiler/base/text.h"
#include "compiler/ir/node.h"
#include "compiler/project/definitions.h"
#include "frontend/relevance.h"
#include "frontend/yaml_parser.h"

namespace gpulint {
namespace {

/// Larger files are not kustomizations or patches.
constexpr std::size_t max_kustomization_bytes = 1U << 20U;

[[nodiscard]] std::string prefix_of(const std::string& folder) {
  return folder == "." ? std::string() : folder + "/";
}

}  // namespace

KustomizeFiles::KustomizeFiles(const SourceSet& sources, const std::vector<InputFile>& inputs) {
  for (const InputFile& input : inputs) {
    const SourceFile& file = sources.file(input.id);
    if (!input.rendered_by && may_be_kustomization(file)) read(file, sources.folder());
  }
  if (by_file_.empty()) return;
  for (const InputFile& input : inputs) {
    const auto known = by_path_.emplace(sources.file(input.id).path(), input.id).first;
    if (input.rendered_by && by_file_.contains(known->second)) outputs_[known->second] = input.id;
  }
  for (const auto& [file, kustomizations] : by_file_) {
    named_[file] = named_by(kustomizations);
    for (const Kustomization& each : kustomizations) {
      for (const kustomize::Patch& patch : each.patches) {
        const auto named = by_path_.find(patch.path);
        if (named != by_path_.end()) patches_[named->second].push_back(file);
      }
    }
  }
  for (const auto& [file, output] : outputs_) named_[file].push_back(output);
  find_bases(sources);
}

bool KustomizeFiles::needs_kustomize(FileId file) const {
  const Kustomization& own = by_file_.at(file).front();
  if (own.is_component || !kustomize::is_kustomization_name(own.path)) return false;
  bool is_whole = true;
  for (const FileId each : joined({file})) {
    const auto found = by_file_.find(each);
    if (found == by_file_.end()) continue;
    for (const Kustomization& part : found->second) {
      if (kustomize::runs_helm(part)) return false;
      is_whole = is_whole && kustomize::is_applied_whole(part);
    }
  }
  return !is_whole;
}

std::set<FileId> KustomizeFiles::built_by_kustomize() const {
  std::set<FileId> found;
  if (outputs_.empty()) return found;
  std::vector<FileId> here;
  for (const FileId file : topmost()) {
    const auto output = outputs_.find(file);
    if (output == outputs_.end()) {
      here.push_back(file);
      continue;
    }
    found.merge(joined({file}));
    found.erase(output->second);
  }
  for (const FileId file : joined(std::move(here))) found.erase(file);
  return found;
}

bool KustomizeFiles::needs(FileId file, std::string_view document) const {
  const auto kinds = kinds_read_.find(file);
  if (kinds == kinds_read_.end()) return false;
  if (by_file_.contains(file) || patches_.contains(file)) return true;
  if (is_definition(document)) return false;
  return std::ranges::any_of(kinds->second,
                             [&](const std::string& kind) { return has_text(document, kind); });
}

std::vector<FileId> KustomizeFiles::all() const {
  std::vector<FileId> files;
  for (const auto& [file, kustomizations] : by_file_) files.push_back(file);
  return files;
}

std::vector<FileId> KustomizeFiles::topmost() const {
  std::set<FileId> below;
  for (const auto& [file, files] : named_) {
    for (const FileId named : files) {
      if (named != file) below.insert(named);
    }
  }
  std::vector<FileId> found;
  for (const auto& [file, kustomizations] : by_file_) {
    if (!below.contains(file)) found.push_back(file);
  }
  return found;
}

std::set<FileId> KustomizeFiles::joined(std::vector<FileId> files) const {
  std::set<FileId> found;
  while (!files.empty()) {
    const FileId file = files.back();
    files.pop_back();
    const auto named = named_.find(file);
    if (!found.insert(file).second || named == named_.end()) continue;
    files.insert(files.end(), named->second.begin(), named->second.end());
  }
  return found;
}

std::vector<FileId> KustomizeFiles::patched_by(FileId file) const {
  const auto at = patches_.find(file);
  return at == patches_.end() ? std::vector<FileId>{} : at->second;
}

void KustomizeFiles::read(const SourceFile& file, const std::string& current_folder) {
  for (auto& document : parse_file(file)) {
    const Node at = root(*document);
    if (!document->errors.empty() || !kustomize::is_kustomization(at, file.path())) continue;
    by_file_[file.id()].push_back(kustomize::read_kustomization(at, file.path(), current_folder));
    documents_.push_back(std::move(document));
  }
}

std::vector<FileId> KustomizeFiles::named_by(const std::vector<Kustomization>& all) const {
  std::vector<FileId> files;
  for (const Kustomization& each : all) {
    for (const auto* paths : {&each.resources, &each.components}) {
      for (const std::string& path : *paths) {
        const auto at = by_path_.find(path);
        if (at != by_path_.end()) files.push_back(at->second);
        add_folder(path, files);
      }
    }
    for (const kustomize::Patch& patch : each.patches) {
      const auto at = by_path_.find(patch.path);
      if (at != by_path_.end()) files.push_back(at->second);
    }
  }
  return files;
}

void KustomizeFiles::add_folder(const std::string& path, std::vector<FileId>& files) const {
  for (const std::string_view name : kustomize::file_names) {
    const auto at = by_path_.find(prefix_of(path) + std::string(name));
    if (at != by_path_.end()) files.push_back(at->second);
  }
}

/// The kustomizations with a file that concerns GPUs, directly or through others.
std::set<FileId> KustomizeFiles::find_concerned(const SourceSet& sources) const {
  std::map<FileId, std::vector<FileId>> users;  // the kustomizations that name each file
  for (const auto& [file, files] : named_) {
    users[file];
    for (const FileId named : files) users[named].push_back(file);
  }
  std::vector<FileId> pending;
  for (const auto& [file, kustomizations] : users) {
    if (may_concern_gpus(sources.file(file).text())) pending.push_back(file);
  }
  std::set<FileId> found;
  while (!pending.empty()) {
    const FileId file = pending.back();
    pending.pop_back();
    if (!found.insert(file).second) continue;
    const std::vector<FileId>& above = users.at(file);
    pending.insert(pending.end(), above.begin(), above.end());
  }
  return found;
}

/// If a file of a kustomization concerns GPUs, its bases are read for its patches, even if neither
/// mentions GPUs.
void KustomizeFiles::find_bases(const SourceSet& sources) {
  constexpr std::size_t most_kinds = 64;
  const std::set<FileId> concerned = find_concerned(sources);
  std::map<std::string, std::vector<FileId>> patching;  // the kustomizations that patch each kind
  std::vector<FileId> all;
  for (const auto& [file, kustomizations] : by_file_) {
    if (!concerned.contains(file)) continue;
    all.push_back(file);
    std::set<std::string> kinds;
    for (const Kustomization& each : kustomizations) {
      for (const kustomize::Patch& patch : each.patches) add_kinds(sources, patch, kinds);
    }
    for (const std::string& kind : kinds) patching[kind].push_back(file);
  }
  // Each kind needs a search of all bases. Above the limit, all kinds are read.
  if (patching.size() > most_kinds) patching = {{std::string(), all}};
  const auto reach = [&](std::vector<FileId> pending, auto&& visit) {
    std::set<FileId> seen;
    while (!pending.empty()) {
      const FileId file = pending.back();
      pending.pop_back();
      if (!seen.insert(file).second) continue;
      visit(file);
      const auto named = named_.find(file);
      if (named == named_.end()) continue;
      pending.insert(pending.end(), named->second.begin(), named->second.end());
    }
  };
  reach(all, [&](FileId file) { kinds_read_[file]; });
  for (const auto& [kind, files] : patching) {
    reach(files, [&](FileId file) { kinds_read_[file].insert(kind); });
  }
}

/// Adds the kinds that a patch changes; an empty kind means all kinds.
void KustomizeFiles::add_kinds(const SourceSet& sources, const kustomize::Patch& patch,
                               std::set<std::string>& kinds) const {
  if (patch.target && !patch.target->kind.empty()) {
    const bool is_pattern = patch.target->kind.find_first_of("|.*?[(") != std::string::npos;
    kinds.insert(is_pattern ? std::string() : patch.target->kind);
    return;
  }
  const auto named = by_path_.find(patch.path);
  if (named == by_path_.end() || patch.target) {
    kinds.insert("");
    return;
  }
  add_kinds(sources.file(named->second), kinds);
}

void KustomizeFiles::add_kinds(const SourceFile& patch, std::set<std::string>& kinds) {
  if (patch.text().size() > max_kustomization_bytes) return;
  for (const auto& document : parse_file(patch)) {
    kinds.insert(std::string(root(*document).get("kind").text()));
  }
}

KustomizeFiles::Knowledge KustomizeFiles::knowledge_of(const SourceFile& file) const {
  Knowledge known;
  const FileId id = file.id();
  if (patches_.contains(id)) add_kinds(file, known.patched_kinds);
  const bool is_named = std::ranges::any_of(named_, [&](const auto& entry) {
    return std::ranges::find(entry.second, id) != entry.second.end();
  });
  known.concerns_gpus = is_named && may_concern_gpus(file.text());
  return known;
}

bool may_be_kustomization(const SourceFile& file) {
  if (file.text().size() > max_kustomization_bytes) return false;
  return kustomize::is_kustomization_name(file.path()) ||
         has_text(file.text(), "kustomize.config.k8s.io");
}

std::vector<std::string> files_of_kustomization(const SourceFile& file, const FileSystem& files) {
  std::vector<std::string> named;
  if (!may_be_kustomization(file)) return named;
  for (const auto& document : parse_file(file)) {
    const Node at = root(*document);
    if (!document->errors.empty() || !kustomize::is_kustomization(at, file.path())) continue;
    const kustomize::Kustomization read =
        kustomize::read_kustomization(at, file.path(), files.current_folder());
    std::ranges::copy(read.resources, std::back_inserter(named));
    std::ranges::copy(read.components, std::back_inserter(named));
    std::ranges::transform(read.patches, std::back_inserter(named), &kustomize::Patch::path);
  }
  std::vector<std::string> found;
  for (const std::string& path : named) {
    const auto add = [&](const std::string& each) {
      if (files.status(each).kind == FileStatus::Kind::file) found.push_back(each);
    };
    if (path.empty()) continue;
    add(path);
    for (const std::string_view name : kustomize::file_names) {
      add(prefix_of(path) + std::string(name));
    }
  }
  return found;
}

}  // namespace gpulint
