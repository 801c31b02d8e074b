#include "compiler/fix/suppress_findings.h"

#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "compiler/check/suppression.h"
#include "compiler/edit/fixer.h"

namespace gpulint {
namespace {

/// Path, rule and message of a finding, without its position.
using Saying = std::tuple<std::string, std::string_view, std::string>;

[[nodiscard]] std::multiset<Saying> sayings(const Project& project,
                                            const std::vector<Diagnostic>& findings) {
  std::multiset<Saying> all;
  for (const Diagnostic& finding : findings) {
    all.emplace(project.sources.file(finding.span).path(), finding.rule->id, finding.message);
  }
  return all;
}

/// Files with new findings.
[[nodiscard]] std::set<std::string> files_made_worse(std::multiset<Saying> before,
                                                     const std::multiset<Saying>& after) {
  std::set<std::string> worse;
  for (const Saying& saying : after) {
    const auto known = before.find(saying);
    if (known == before.end()) {
      worse.insert(std::get<0>(saying));
    } else {
      before.erase(known);
    }
  }
  return worse;
}

[[nodiscard]] Overlay suppressed_texts(const Project& project,
                                       const std::vector<Diagnostic>& findings,
                                       const std::string& reason) {
  Overlay texts;
  std::map<FileId, std::vector<Diagnostic>> by_file;
  for (const Diagnostic& finding : findings) by_file[finding.span.file].push_back(finding);
  for (const auto& [id, found] : by_file) {
    if (id >= project.documents.size()) continue;
    const SourceFile& file = project.sources.file(id);
    if (file.encoding() != SourceFile::Encoding::utf8) continue;
    std::vector<const Document*> documents;
    for (const auto& document : project.documents[id]) documents.push_back(document.get());
    const std::vector<Edit> edits = suppression_edits(file, documents, found, reason);
    if (!edits.empty()) texts.emplace(file.path(), apply_edits(file.text(), edits));
  }
  return texts;
}

/// The texts to write, each with the present content of its file.
[[nodiscard]] ChangedFiles changes_of(const Project& project, const Overlay& texts) {
  ChangedFiles files;
  for (FileId id = 0; id < project.sources.size(); ++id) {
    const SourceFile& file = project.sources.file(id);
    const auto text = texts.find(file.path());
    if (text == texts.end()) continue;
    files.try_emplace(file.path(), ChangedFile{std::string(file.text()), text->second.text});
  }
  return files;
}

}  // namespace

Suppressed suppress_findings(const Project& project, const std::vector<Diagnostic>& before,
                             const std::vector<Diagnostic>& findings, const std::string& reason,
                             const CheckInputs& check) {
  Overlay texts = suppressed_texts(project, findings, reason);
  CheckedProject after = check(texts);
  const auto worse =
      files_made_worse(sayings(project, before), sayings(*after.project, after.findings));
  if (!worse.empty()) {
    std::erase_if(texts, [&](const auto& entry) { return worse.contains(entry.first); });
    after = check(texts);
  }
  return {changes_of(project, texts), std::move(after.project)};
}

}  // namespace gpulint
