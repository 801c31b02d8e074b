#include "compiler/analysis/shared_layers.h"

#include <algorithm>
#include <map>
#include <string_view>

#include <fmt/format.h>

#include "compiler/analysis/echoes.h"
#include "compiler/engine/registry.h"
#include "compiler/engine/run.h"

namespace gpulint {
namespace {

/// Of each file that is a layer of the scope's values, but not the last one: that last one.
[[nodiscard]] std::map<FileId, FileId> nearer_layers(const Scope& scope) {
  std::map<FileId, FileId> nearer;
  for (const flyte::Installation& installation : scope.flyte.installations) {
    const flyte::LoadedRelease& loaded = installation.loaded;
    if (loaded.source != flyte::LoadedRelease::Source::values) continue;
    for (const Document* layer : loaded.documents) {
      const FileId last = loaded.documents.back()->file;
      if (layer->file != last) nearer.emplace(layer->file, last);
    }
  }
  return nearer;
}

/// What the rules find in other scopes, each run when it is first asked for.
class OtherScopes {
 public:
  OtherScopes(const Project& project, const Scope& own, const Selection& selection)
      : project_(project), own_(own), selection_(selection) {}

  /// A scope that reads the file and has no such finding; null where there is none.
  [[nodiscard]] const Scope* find_innocent(FileId file, const Diagnostic& finding) {
    for (const Scope& scope : project_.scopes) {
      const bool is_sharing = &scope != &own_ && std::ranges::binary_search(scope.files, file);
      if (is_sharing && !has(scope, finding)) return &scope;
    }
    return nullptr;
  }

 private:
  [[nodiscard]] bool has(const Scope& scope, const Diagnostic& finding) {
    const auto [at, is_new] = found_.try_emplace(&scope);
    if (is_new) at->second = run_rules(scope.corpus, all_rules(), selection_, scope.jobs);
    return std::ranges::any_of(at->second, [&](const Diagnostic& other) {
      return other.rule == finding.rule && other.span == finding.span &&
             other.message == finding.message;
    });
  }

  const Project& project_;
  const Scope& own_;
  const Selection& selection_;
  std::map<const Scope*, std::vector<Diagnostic>> found_;
};

[[nodiscard]] std::string_view path_of(const Project& project, FileId file) {
  return project.sources.file(file).path();
}

}  // namespace

void spare_shared_layers(const Project& project, const Scope& scope, const Selection& selection,
                         std::vector<Diagnostic>& findings) {
  if (project.scopes.size() < 2) return;
  const std::map<FileId, FileId> nearer = nearer_layers(scope);
  if (nearer.empty()) return;
  OtherScopes others(project, scope, selection);
  for (Diagnostic& finding : findings) {
    if (!finding.fix || !is_about_placement(finding)) continue;
    for (const Edit& edit : finding.fix->edits) {
      const auto layer = nearer.find(edit.span.file);
      if (layer == nearer.end()) continue;
      const Scope* const other = others.find_innocent(layer->first, finding);
      if (other == nullptr) continue;
      finding.help += fmt::format(
          "{}`{}` is a layer of {}, too, which is in order: {} in `{}`",
          finding.help.empty() ? "" : "; ", path_of(project, layer->first),
          other->name.empty() ? "another scope" : fmt::format("scope `{}`", other->name),
          finding.fix->title, path_of(project, layer->second));
      finding.fix.reset();
      break;
    }
  }
}

}  // namespace gpulint
