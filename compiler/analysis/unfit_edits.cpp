#include "compiler/analysis/unfit_edits.h"

#include <algorithm>
#include <set>
#include <string_view>

#include "compiler/ir/config_map.h"
#include "compiler/ir/python.h"
#include "compiler/ir/release_layers.h"
#include "frontend/limits.h"

namespace gpulint {
namespace {

/// What a setting's entry has that may be rewritten: the rest of it is not the chart's.
struct SettingPlace {
  Span entry;
  Span path;
  Span value;
};

[[nodiscard]] std::set<FileId> edited_files(const std::vector<Diagnostic>& findings) {
  std::set<FileId> files;
  for (const Diagnostic& finding : findings) {
    if (!finding.fix) continue;
    for (const Edit& edit : finding.fix->edits) files.insert(edit.span.file);
  }
  return files;
}

/// Those of the files that are edited.
[[nodiscard]] std::vector<SettingPlace> find_settings(const Scope& scope,
                                                      const std::set<FileId>& files) {
  std::vector<SettingPlace> found;
  for (const Document* document : scope.corpus.documents) {
    if (document->host != nullptr || !document->errors.empty()) continue;
    if (!files.contains(document->span.file)) continue;
    for (const Node release : find_releases(root(*document))) {
      for (const ReleaseLayer& layer : release_layers(release)) {
        if (layer.kind != ReleaseLayer::Kind::setting) continue;
        found.push_back({layer.node.entry_span(), layer.path_node.span(), layer.value_node.span()});
      }
    }
  }
  return found;
}

[[nodiscard]] bool is_unfit(const Edit& edit, const std::vector<SettingPlace>& settings) {
  if (edit.text.find("forceString") != std::string_view::npos) return false;
  return std::ranges::any_of(settings, [&](const SettingPlace& setting) {
    return edit.span.overlaps(setting.entry) && !setting.path.contains(edit.span) &&
           !setting.value.contains(edit.span);
  });
}

void explain_encoded(const Scope& scope, std::vector<Diagnostic>& findings) {
  for (const Document* document : scope.corpus.documents) {
    if (!is_encoded(*document)) continue;
    for (Diagnostic& finding : findings) {
      if (finding.span != document->span) continue;
      finding.fix.reset();
      finding.help += finding.help.empty() ? "" : "; ";
      finding.help +=
          "it stands in base64, which is not rewritten: `base64 -d` shows it, and under "
          "`stringData` it could be mended here";
    }
  }
}

/// What is larger than any YAML is what a cluster gave back, which nobody edits: each try of a fix
/// would take its size in memory again.
void drop_edits_of_large(const Scope& scope, std::vector<Diagnostic>& findings) {
  for (const Document* document : scope.corpus.documents) {
    if (document->span.size() <= limits::yaml_document_bytes) continue;
    for (Diagnostic& finding : findings) {
      const bool is_there =
          finding.fix && std::ranges::any_of(finding.fix->edits, [&](const Edit& edit) {
            return document->span.contains(edit.span);
          });
      if (is_there) finding.fix.reset();
    }
  }
}

}  // namespace

void drop_unfit_edits(const Scope& scope, std::vector<Diagnostic>& findings) {
  explain_encoded(scope, findings);
  drop_edits_of_large(scope, findings);
  const std::set<FileId> files = edited_files(findings);
  if (files.empty()) return;
  const std::vector<SettingPlace> settings = find_settings(scope, files);
  for (Diagnostic& finding : findings) {
    const auto unfit = [&](const Edit& edit) {
      // Edits are YAML but for those of rules about Python.
      const bool is_python = python::is_source(scope.corpus.sources->file(edit.span).path());
      return is_python ? finding.rule->category != "python" : is_unfit(edit, settings);
    };
    if (finding.fix && std::ranges::any_of(finding.fix->edits, unfit)) finding.fix.reset();
  }
}

void drop_edits_of_transcoded(const SourceSet& sources, std::vector<Diagnostic>& findings) {
  for (Diagnostic& finding : findings) {
    const auto is_there = [&](const Edit& edit) {
      return sources.file(edit.span).encoding() != SourceFile::Encoding::utf8;
    };
    if (finding.fix && std::ranges::any_of(finding.fix->edits, is_there)) finding.fix.reset();
  }
}

}  // namespace gpulint
