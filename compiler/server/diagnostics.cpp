#include "compiler/server/diagnostics.h"

#include <filesystem>
#include <utility>

#include "backends/rule_docs.h"
#include "compiler/engine/config.h"
#include "compiler/engine/registry.h"

namespace gpulint::server {
namespace {

constexpr int error_severity = 1;

[[nodiscard]] int severity_number(Severity severity) {
  switch (severity) {
    case Severity::error:
      return error_severity;
    case Severity::warning:
      return 2;
    case Severity::info:
      return 3;
  }
  return error_severity;
}

[[nodiscard]] Json tags_of(const RuleInfo& rule) {
  constexpr int unnecessary = 1;
  constexpr int deprecated = 2;
  if (rule.category == "deprecated") return Json::array({deprecated});
  if (rule.id == "unused-suppression") return Json::array({unnecessary});
  return nullptr;
}

[[nodiscard]] Json related_json(const std::vector<Label>& labels, Ranges& ranges) {
  Json related = Json::array();
  for (const Label& label : labels) {
    related.push_back(
        {{"location", {{"uri", ranges.uri(label.span.file)}, {"range", ranges.range(label.span)}}},
         {"message", label.message}});
  }
  return related;
}

[[nodiscard]] std::string message_of(const Diagnostic& finding) {
  std::string message = finding.message;
  for (const std::string& further : finding.further) message += "\nalso: " + further;
  if (!finding.help.empty()) message += "\nhelp: " + finding.help;
  return message;
}

/// Errors of gpulint.yaml, for which `gpulint check` ends with status 2.
class ConfigErrors {
 public:
  ConfigErrors(const CheckedRoot& root, Ranges& ranges, std::map<std::string, Json>& lists)
      : root_(root), ranges_(ranges), lists_(lists) {
    const Project& project = root.project();
    for (const auto& document : project.config_documents) {
      for (const SyntaxError& error : document->errors) add(error.span, error.message);
    }
    for (const ConfigProblem& problem : project.config.problems) {
      if (problem.kind != ConfigProblem::Kind::refused) continue;
      if (problem.node) {
        add(problem.node.span(), problem.message);
      } else {
        add_at_begin(problem.message);
      }
    }
    if (!project.config_documents.empty() || project.config_path.empty()) return;
    for (const std::string& error : project.errors) {  // the file cannot be read
      if (error.starts_with(project.config_path)) add_at_begin(error);
    }
  }

 private:
  void add(Span span, const std::string& message) {
    put(ranges_.uri(span.file), ranges_.range(span), message);
  }

  void add_at_begin(const std::string& message) {
    const std::filesystem::path folder = root_.files->current_folder();
    const Json begin = to_json(Place{});
    put(uri_of_path((folder / root_.project().config_path).lexically_normal().string()),
        {{"start", begin}, {"end", begin}}, message);
  }

  void put(const std::string& uri, Json range, const std::string& message) {
    lists_[uri].push_back({{"range", std::move(range)},
                           {"severity", error_severity},
                           {"source", "gpulint"},
                           {"message", message}});
  }

  const CheckedRoot& root_;
  Ranges& ranges_;
  std::map<std::string, Json>& lists_;
};

}  // namespace

std::string page_of(const RuleInfo& rule, const std::string& homepage) {
  const bool is_ours = find_rule(rule.id) != nullptr;  // not a policy of gpulint.yaml
  return is_ours && !homepage.empty() ? rule_page_url(homepage, rule.id) : std::string();
}

Json diagnostic_json(const Diagnostic& finding, Ranges& ranges, const std::string& homepage) {
  Json json = {{"range", ranges.range(finding.span)},
               {"severity", severity_number(finding.severity)},
               {"code", finding.rule->id},
               {"source", "gpulint"},
               {"message", message_of(finding)}};
  const std::string page = page_of(*finding.rule, homepage);
  if (!page.empty()) json["codeDescription"] = {{"href", page}};
  if (Json tags = tags_of(*finding.rule); !tags.is_null()) json["tags"] = std::move(tags);
  if (!finding.related.empty()) {
    json["relatedInformation"] = related_json(finding.related, ranges);
  }
  return json;
}

std::map<std::string, Json> list_diagnostics(const std::string& name, const Workspace& workspace,
                                             const CheckedRoot& root, Ranges& ranges,
                                             const std::string& homepage) {
  std::map<std::string, Json> lists;
  for (const Diagnostic& finding : root.findings) {
    const SourceFile& file = root.project().sources.file(finding.span);
    const OpenText* const text = ranges.open_text(finding.span.file);
    if (text != nullptr && text->is_template()) continue;
    if (!workspace.is_owner(name, Workspace::path_of(root, file))) continue;
    lists[ranges.uri(finding.span.file)].push_back(diagnostic_json(finding, ranges, homepage));
  }
  ConfigErrors(root, ranges, lists);
  return lists;
}

}  // namespace gpulint::server
