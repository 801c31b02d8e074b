#include "compiler/driver/suppress.h"

#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "compiler/check/suppression.h"
#include "compiler/edit/fixer.h"
#include "compiler/pipeline.h"
#include "compiler/project/boundary.h"
#include "compiler/project/write_file.h"

namespace gpulint {
namespace {

/// What a finding says and in which file, wherever it stands.
using Saying = std::tuple<std::string, std::string_view, std::string>;

[[nodiscard]] std::multiset<Saying> sayings(const Project& project,
                                            const std::vector<Diagnostic>& findings) {
  std::multiset<Saying> all;
  for (const Diagnostic& finding : findings) {
    all.emplace(project.sources.file(finding.span).path(), finding.rule->id, finding.message);
  }
  return all;
}

/// Files in which something is found that was not found before.
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

[[nodiscard]] std::string text_of(const Project& project, const std::string& path) {
  for (FileId id = 0; id < project.sources.size(); ++id) {
    const SourceFile& file = project.sources.file(id);
    if (file.path() == path) return std::string(file.text());
  }
  return {};
}

}  // namespace

std::unique_ptr<Project> suppress_findings(const Project& project,
                                           const std::vector<Diagnostic>& findings,
                                           const Request& request, const std::string& reason) {
  const std::multiset<Saying> before = sayings(project, check_project(project, request));
  Overlay texts = suppressed_texts(project, findings, reason);
  auto result = load_project(request, texts);
  const auto worse = files_made_worse(before, sayings(*result, check_project(*result, request)));
  if (!worse.empty()) {
    std::erase_if(texts, [&](const auto& entry) { return worse.contains(entry.first); });
    result = load_project(request, texts);
  }
  for (const auto& [path, text] : texts) {
    if (!request.allow_outside) {
      if (const auto error = refuse_leaving(disk(), path, project.config.config.folder)) {
        result->errors.push_back(error->message);
        continue;
      }
    }
    if (const auto error = replace_file(path, text_of(project, path), text.text)) {
      result->errors.push_back(fmt::format("{}: {}", path, error->message));
    }
  }
  return result;
}

}  // namespace gpulint
