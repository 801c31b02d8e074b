#include "compiler/check/place_rendered.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "compiler/check/suppression.h"
#include "compiler/ir/node.h"
#include "compiler/model/facts/kubernetes_kinds.h"
#include "compiler/model/objects.h"
#include "compiler/project/rendered_charts.h"
#include "compiler/project/stream_origins.h"
#include "compiler/render/decide.h"

namespace gpulint {
namespace {

/// What decides a place in rendered text, in sources of the project.
struct PlacedAnswer {
  DecidedBy by = DecidedBy::file;
  Span span;
  std::string path;            ///< In a file with values; else empty.
  std::string rendered_path;   ///< In the rendered object.
  std::vector<Label> further;  ///< Other values in the same text.
};

using Answers = std::map<Span, PlacedAnswer>;

[[nodiscard]] bool is_rendered(const Project& project, Span span) {
  return project.rendered.contains(span.file);
}

[[nodiscard]] const RenderedChart& chart_of(const Project& project, Span span) {
  return *project.rendered.charts[project.rendered.by_file.at(span.file)];
}

[[nodiscard]] std::size_t output_of(const RenderedChart& chart, FileId file) {
  return static_cast<std::size_t>(std::ranges::find(chart.outputs, file) - chart.outputs.begin());
}

/// The places of findings in rendered text, by chart.
[[nodiscard]] std::map<std::size_t, std::vector<Span>> rendered_spans(
    const Project& project, const std::vector<Diagnostic>& findings) {
  std::map<std::size_t, std::vector<Span>> spans;
  const auto add = [&](Span span) {
    if (is_rendered(project, span)) spans[project.rendered.by_file.at(span.file)].push_back(span);
  };
  for (const Diagnostic& finding : findings) {
    add(finding.span);
    for (const Label& label : finding.related) add(label.span);
  }
  for (auto& [chart, some] : spans) {
    std::ranges::sort(some);
    some.erase(std::ranges::unique(some).begin(), some.end());
  }
  return spans;
}

[[nodiscard]] PlacedAnswer place(const RenderedChart& chart, Span span,
                                 const render::Answer& answer) {
  PlacedAnswer placed{.by = answer.by, .span = {}, .path = {}, .rendered_path = answer.path, .further = {}};
  const auto span_of = [&](const render::Decider& decider) {
    return Span{chart.sources[decider.source].file, decider.begin, decider.end};
  };
  if (answer.by == DecidedBy::file) {
    placed.span = {chart.of_template[output_of(chart, span.file)], 0, 0};
    return placed;
  }
  placed.span = span_of(answer.place);
  placed.path = answer.place.path;
  for (const render::Decider& other : answer.further) {
    placed.further.push_back({span_of(other), "another part of the same text"});
  }
  return placed;
}

[[nodiscard]] Answers find_answers(const Project& project, const Request& request,
                                   const std::vector<Diagnostic>& findings) {
  Answers answers;
  for (const auto& [index, spans] : rendered_spans(project, findings)) {
    const RenderedChart& chart = *project.rendered.charts[index];
    std::vector<render::Question> questions;
    for (const Span span : spans) {
      questions.push_back({output_of(chart, span.file), span.begin, span.end});
    }
    const std::vector<render::Answer> found =
        render::decide(chart.plain.templates, texts_of(chart, project.sources), questions,
                       render_again(chart, *request.renderer));
    for (std::size_t i = 0; i < spans.size(); ++i) {
      answers.emplace(spans[i], place(chart, spans[i], found[i]));
    }
  }
  return answers;
}

/// `Deployment/default/web`.
[[nodiscard]] std::string name_object(Node object, const RenderedChart& chart) {
  const std::string_view kind = object.get("kind").text();
  if (kind.empty()) return {};
  const std::string_view own = object.at("metadata", "namespace").text();
  if (own.empty() && facts_of_kind(kind).is_cluster_wide) {
    return fmt::format("{}/{}", kind, object_name(object));
  }
  return fmt::format("{}/{}/{}", kind, own.empty() ? chart.request.name_space : own,
                     object_name(object));
}

void move_label(const Project& project, const Answers& answers, Label& label) {
  if (is_rendered(project, label.span)) label.span = answers.at(label.span).span;
}

/// A fix of rendered text would be lost at the next rendering: the help says where to make it.
void explain_fix(const Project& project, const PlacedAnswer& answer, Diagnostic& finding) {
  if (!finding.fix) return;
  const bool is_there = std::ranges::any_of(
      finding.fix->edits, [&](const Edit& edit) { return is_rendered(project, edit.span); });
  if (!is_there) return;
  const std::string& file = project.sources.file(answer.span).path();
  if (!finding.help.empty()) finding.help += "; ";
  finding.help += fmt::format("{} in `{}`", finding.fix->title, file);
  finding.fix.reset();
}

void move_finding(const Project& project, const Answers& answers, Diagnostic& finding) {
  for (Label& label : finding.related) move_label(project, answers, label);
  if (!is_rendered(project, finding.span)) return;
  const RenderedChart& chart = chart_of(project, finding.span);
  const PlacedAnswer& answer = answers.at(finding.span);
  const std::size_t output = output_of(chart, finding.span.file);
  finding.rendered =
      RenderedPlace{.chart = chart.folder,
                    .object = {.template_name = chart.plain.templates[output].name,
                               .object = name_object(object_at(project, finding.span), chart),
                               .path = finding.path.empty() ? answer.rendered_path : finding.path},
                    .decided_by = answer.by,
                    .span = finding.span,
                    .others = {}};
  explain_fix(project, answer, finding);
  finding.span = answer.span;
  finding.path = answer.path;
  std::ranges::copy(answer.further, std::back_inserter(finding.related));
  std::erase_if(finding.related, [&](const Label& label) { return label.span == finding.span; });
}

/// Applies the comments of templates, which are also in the rendered text.
void suppress_in_rendered(const Project& project, std::vector<Diagnostic>& findings) {
  std::set<FileId> files;
  for (const Diagnostic& finding : findings) {
    if (is_rendered(project, finding.span)) files.insert(finding.span.file);
  }
  for (const FileId file : files) {
    std::vector<const Document*> documents;
    for (const auto& document : project.documents[file]) documents.push_back(document.get());
    std::vector<Suppression> suppressions =
        read_suppressions(project.sources.file(file), documents);
    apply_suppressions(suppressions, findings);
  }
}

/// Adds the objects of a finding to another one at the same place.
void add_objects(const RenderedPlace& from, Diagnostic& to) {
  if (!to.rendered) {
    to.rendered = from;
    return;
  }
  std::vector<RenderedObject>& others = to.rendered->others;
  const auto add = [&](const RenderedObject& object) {
    const bool is_known =
        object == to.rendered->object || std::ranges::find(others, object) != others.end();
    if (!is_known) others.push_back(object);
  };
  add(from.object);
  std::ranges::for_each(from.others, add);
}

/// One value that decides three pods is one finding.
[[nodiscard]] std::vector<Diagnostic> merge_by_place(std::vector<Diagnostic> findings) {
  std::map<std::pair<Span, const RuleInfo*>, std::size_t> known;
  std::vector<Diagnostic> merged;
  const auto take = [&](bool is_rendered) {
    for (Diagnostic& finding : findings) {
      if (finding.rendered.has_value() != is_rendered) continue;
      const bool has_line = is_rendered && finding.rendered->decided_by != DecidedBy::file;
      const std::pair key(finding.span, finding.rule);
      const auto at = known.find(key);
      if (!is_rendered || at == known.end() || !has_line) {
        if (at == known.end()) known.emplace(key, merged.size());
        merged.push_back(std::move(finding));
        continue;
      }
      Diagnostic& first = merged[at->second];
      first.severity = std::max(first.severity, finding.severity);
      add_objects(*finding.rendered, first);
    }
  };
  take(false);
  take(true);
  return merged;
}

}  // namespace

std::vector<std::vector<Diagnostic>> place_rendered(const Project& project, const Request& request,
                                                    std::vector<std::vector<Diagnostic>> found) {
  if (project.rendered.by_file.empty()) return found;
  std::vector<Diagnostic> findings;
  for (auto& some : found) std::ranges::move(some, std::back_inserter(findings));
  std::erase_if(findings, [&](const Diagnostic& finding) {
    return finding.severity < Severity::error && is_rendered(project, finding.span) &&
           !chart_of(project, finding.span).has_user_values;
  });
  suppress_in_rendered(project, findings);
  const Answers answers = find_answers(project, request, findings);
  for (Diagnostic& finding : findings) move_finding(project, answers, finding);
  return {merge_by_place(std::move(findings))};
}

}  // namespace gpulint
