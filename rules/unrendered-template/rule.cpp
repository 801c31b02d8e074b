#include "compiler/engine/rule.h"

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "compiler/base/shell_word.h"

namespace gpulint::rules::unrendered_template {
namespace {

struct FileTemplates {
  const Document* first = nullptr;
  std::size_t count = 0;
};

/// The chart folder of the template, as `helm template` takes it; `…` if the path does not show it.
[[nodiscard]] std::string chart_folder(const std::string& path) {
  const std::string_view folder = "templates/";
  if (path.starts_with(folder)) return ".";
  const std::size_t at = path.rfind("/templates/");
  return at == std::string::npos ? "…" : shell_word(path.substr(0, at));
}

/// Reports the first document of each file that is YAML apart from its placeholders.
void check_placeholders(const Corpus& corpus, Reporter& reporter) {
  std::set<FileId> told;
  for (const Document* document : corpus.written) {
    if (!document->has_masked_placeholders || document->host != nullptr) continue;
    if (!told.insert(document->file).second) continue;
    reporter
        .report_span(document->template_mark, {},
                     "the document is not valid YAML, because it contains placeholders")
        .help("replace the placeholders with values. gpulint checked the rest of the document");
  }
}

void check(const Corpus& corpus, Reporter& reporter) {
  check_placeholders(corpus, reporter);
  std::map<FileId, FileTemplates> files;
  for (const Document* document : corpus.written) {
    if (!document->is_template || document->host != nullptr)
      continue;  // strings are often templates
    FileTemplates& file = files[document->file];
    if (file.count++ == 0) file.first = document;
  }
  for (const auto& [id, templates] : files) {
    const Span mark = templates.first->template_mark;
    Finding finding =
        templates.count == 1
            ? reporter.report_span(mark, {}, "this template was not checked")
            : reporter.report_span(mark, {}, "{} templates were not checked (this is the first)",
                                   templates.count);
    std::string nodes;
    for (const std::string& path : corpus.settings->node_files) nodes += " " + shell_word(path);
    const bool is_of_helm = corpus.sources->text(mark).starts_with("{{");
    finding.help("check the rendered output{}",
                 is_of_helm ? fmt::format(", for example `helm template {} | gpulint check -{}`",
                                          chart_folder(corpus.sources->file(id).path()), nodes)
                            : std::string());
  }
}

}  // namespace

extern constinit const Rule rule{.info = {.category = "reading", .severity = Severity::info},
                                 .check = check,
                                 .depends_on = DependsOn::file};

}  // namespace gpulint::rules::unrendered_template
