#include "compiler/engine/rule.h"

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>

namespace gpulint::rules::unrendered_template {
namespace {

struct FileTemplates {
  const Document* first = nullptr;
  std::size_t count = 0;
};

/// The chart that the file is a template of, as Helm takes it; `…` where the path does not show it.
[[nodiscard]] std::string chart_folder(const std::string& path) {
  const std::string_view folder = "templates/";
  if (path.starts_with(folder)) return ".";
  const std::size_t at = path.rfind("/templates/");
  const bool is_plain = path.find_first_of(" '\"$\\`") == std::string::npos;
  return at == std::string::npos || !is_plain ? "…" : path.substr(0, at);
}

/// The first document of each file that can only be read around its placeholders.
void check_placeholders(const Corpus& corpus, Reporter& reporter) {
  std::set<FileId> told;
  for (const Document* document : corpus.written) {
    if (!document->has_masked_placeholders || document->host != nullptr) continue;
    if (!told.insert(document->file).second) continue;
    reporter
        .report_span(document->template_mark, {},
                     "this document is no YAML until its placeholders are filled in")
        .help("every reader refuses it as it stands; what does not depend on them is checked");
  }
}

void check(const Corpus& corpus, Reporter& reporter) {
  check_placeholders(corpus, reporter);
  std::map<FileId, FileTemplates> files;
  for (const Document* document : corpus.written) {
    if (!document->is_template || document->host != nullptr)
      continue;  // strings are templates often
    FileTemplates& file = files[document->file];
    if (file.count++ == 0) file.first = document;
  }
  for (const auto& [id, templates] : files) {
    const Span mark = templates.first->template_mark;
    Finding finding =
        templates.count == 1
            ? reporter.report_span(mark, {}, "a template that is not checked")
            : reporter.report_span(mark, {}, "the first of {} templates that are not checked",
                                   templates.count);
    std::string nodes;
    for (const std::string& path : corpus.settings->node_files) nodes += " " + path;
    finding.help("check what it renders to, e.g. `helm template {} | gpulint check -{}`",
                 chart_folder(corpus.sources->file(id).path()), nodes);
  }
}

}  // namespace

extern constinit const Rule rule{.info = {.category = "reading", .severity = Severity::info},
                                 .check = check,
                                 .depends_on = DependsOn::file};

}  // namespace gpulint::rules::unrendered_template
