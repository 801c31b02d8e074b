#include "compiler/fix/suppress_findings.h"

#include <algorithm>
#include <iterator>
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

/// Comments that silence the findings, in the files that can hold them.
[[nodiscard]] ChangedFiles suppressed_files(const Project& project,
                                            const std::vector<Diagnostic>& findings,
                                            const std::string& reason) {
  ChangedFiles files;
  std::map<FileId, std::vector<Diagnostic>> by_file;
  for (const Diagnostic& finding : findings) by_file[finding.span.file].push_back(finding);
  for (const auto& [id, found] : by_file) {
    if (id >= project.documents.size()) continue;
    const SourceFile& file = project.sources.file(id);
    if (file.encoding() != SourceFile::Encoding::utf8) continue;
    std::vector<const Document*> documents;
    for (const auto& document : project.documents[id]) documents.push_back(document.get());
    const std::vector<Edit> edits = suppression_edits(file, documents, found, reason);
    if (edits.empty()) continue;
    files.emplace(file.path(),
                  ChangedFile{std::string(file.text()), apply_edits(file.text(), edits)});
  }
  return files;
}

[[nodiscard]] Overlay texts_after(const ChangedFiles& files) {
  Overlay texts;
  for (const auto& [path, file] : files) texts.emplace(path, file.after);
  return texts;
}

}  // namespace

Suppressed suppress_findings(const Project& project, const std::vector<Diagnostic>& before,
                             const std::vector<Diagnostic>& findings, const std::string& reason,
                             const CheckInputs& check) {
  ChangedFiles files = suppressed_files(project, findings, reason);
  CheckedProject after = check(texts_after(files));
  std::vector<Saying> added;
  std::ranges::set_difference(sayings(*after.project, after.findings), sayings(project, before),
                              std::back_inserter(added));
  const std::size_t all = files.size();
  for (const Saying& saying : added) files.erase(std::get<0>(saying));
  if (files.size() < all) after = check(texts_after(files));
  return {std::move(files), std::move(after.project)};
}

}  // namespace gpulint
