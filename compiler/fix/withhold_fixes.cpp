#include "compiler/fix/withhold_fixes.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

#include <fmt/format.h>

#include "compiler/engine/registry.h"
#include "compiler/ir/node.h"

namespace gpulint {
namespace {

/// Maps each file that is a layer of the scope's values, except the last layer, to the last one.
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

/// The findings in other scopes; the rules run when a scope is first needed.
class OtherScopes {
 public:
  OtherScopes(const Project& project, const Scope& own, const Selection& selection)
      : project_(project), own_(own), selection_(selection) {}

  /// A scope that reads the file and has no such finding; null if there is none.
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

/// Removes fixes for this cluster's nodes in a values file that other scopes share, if a later
/// layer can set the value: the help then names that layer. A fix stays if every scope that shares
/// the file has the finding.
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
      finding.add_help(fmt::format(
          "in `{}`, {}. {} also uses `{}`, but does not have this finding",
          path_of(project, layer->second), finding.fix->title,
          other->name.empty() ? "Another scope" : fmt::format("Scope `{}`", other->name),
          path_of(project, layer->first)));
      finding.fix.reset();
      break;
    }
  }
}

/// Whether the object has the label of a Flyte chart that Helm rendered.
[[nodiscard]] bool is_rendered_by_flyte(const Document& document) {
  const Node labels = root(document).at("metadata", "labels");
  return labels.get("helm.sh/chart").text().starts_with("flyte");
}

/// Text of rendered manifests: fixes there are lost at the next rendering.
[[nodiscard]] std::vector<Span> rendered_text(const Scope& scope) {
  std::vector<Span> spans;
  for (const flyte::Installation& installation : scope.flyte.installations) {
    if (installation.loaded.source != flyte::LoadedRelease::Source::manifests) continue;
    for (const Document* document : installation.loaded.documents) {
      spans.push_back(document->host == nullptr ? document->span : document->host->span);
      spans.back().file = document->file;
    }
  }
  for (const Document* document : scope.corpus.documents) {
    if (!document->errors.empty() || !is_rendered_by_flyte(*document)) continue;
    spans.push_back(document->span);
    spans.back().file = document->file;
  }
  return spans;
}

/// The values file that rendered manifests come from, if it is among the inputs.
[[nodiscard]] const Document* find_values(const Scope& scope) {
  for (const flyte::Installation& installation : scope.flyte.installations) {
    const flyte::LoadedRelease& loaded = installation.loaded;
    if (loaded.source == flyte::LoadedRelease::Source::values && !loaded.documents.empty()) {
      return loaded.documents.back();
    }
  }
  return nullptr;
}

void spare_rendered_text(const Project& project, const Scope& scope,
                         std::vector<Diagnostic>& findings) {
  const Document* const values = find_values(scope);
  if (values == nullptr) return;
  const std::vector<Span> rendered = rendered_text(scope);
  for (Diagnostic& finding : findings) {
    if (!finding.fix) continue;
    const bool is_rendered = std::ranges::any_of(finding.fix->edits, [&](const Edit& edit) {
      return std::ranges::any_of(rendered, [&](Span span) { return span.contains(edit.span); });
    });
    if (!is_rendered) continue;
    finding.help = fmt::format("in `{}`, {}. Then render again, because this was rendered by Helm",
                               project.sources.file(values->file).path(), finding.fix->title);
    finding.fix.reset();
  }
}

}  // namespace

void withhold_fixes(const CheckedScope& checked, std::vector<Diagnostic>& findings) {
  spare_rendered_text(checked.project, checked.scope, findings);
  spare_shared_layers(checked.project, checked.scope, checked.selection, findings);
}

}  // namespace gpulint
