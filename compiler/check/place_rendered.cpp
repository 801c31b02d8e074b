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

#include "compiler/check/carry_fixes.h"
#include "compiler/check/suppression.h"
#include "compiler/ir/node.h"
#include "compiler/model/facts/kubernetes_kinds.h"
#include "compiler/model/objects.h"
#include "compiler/project/rendered_inputs.h"
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
  bool is_identity = false;    ///< As in render::Answer.
  bool is_editable = false;    ///< Fixes may edit the span.
  std::vector<Label> further;  ///< Other values in the same text.
};

using Answers = std::map<Span, PlacedAnswer>;

[[nodiscard]] bool is_rendered(const Project& project, Span span) {
  return project.rendered.contains(span.file);
}

[[nodiscard]] const RenderedInput& input_of(const Project& project, Span span) {
  return *project.rendered.all[project.rendered.by_file.at(span.file)];
}

[[nodiscard]] std::size_t output_of(const RenderedInput& input, FileId file) {
  return static_cast<std::size_t>(std::ranges::find(input.outputs, file) - input.outputs.begin());
}

/// What the fixes of findings change in rendered text, by the index of the finding.
using Changes = std::map<std::size_t, std::vector<RenderedChange>>;

[[nodiscard]] bool edits_rendered(const Project& project, const Diagnostic& finding) {
  return finding.fix && std::ranges::any_of(finding.fix->edits, [&](const Edit& edit) {
           return is_rendered(project, edit.span);
         });
}

[[nodiscard]] Changes find_changes(const Project& project,
                                   const std::vector<Diagnostic>& findings) {
  Changes changes;
  for (std::size_t i = 0; i < findings.size(); ++i) {
    if (!edits_rendered(project, findings[i])) continue;
    if (auto some = changes_of(project.sources, *findings[i].fix)) {
      changes.emplace(i, *std::move(some));
    }
  }
  return changes;
}

/// The places of findings and fixes.
[[nodiscard]] std::vector<Span> spans_of(const std::vector<Diagnostic>& findings,
                                         const Changes& changes) {
  std::vector<Span> spans;
  for (const Diagnostic& finding : findings) {
    spans.push_back(finding.span);
    for (const Label& label : finding.related) spans.push_back(label.span);
  }
  for (const auto& [finding, some] : changes) {
    for (const RenderedChange& change : some) spans.push_back(change.node);
  }
  return spans;
}

/// Those in rendered text, each once, by rendered input.
[[nodiscard]] std::map<std::size_t, std::vector<Span>> by_input(const Project& project,
                                                                const std::vector<Span>& spans) {
  std::map<std::size_t, std::vector<Span>> result;
  for (const Span span : std::set<Span>(spans.begin(), spans.end())) {
    if (is_rendered(project, span)) result[project.rendered.by_file.at(span.file)].push_back(span);
  }
  return result;
}

[[nodiscard]] PlacedAnswer place(const RenderedInput& input, Span span,
                                 const render::Answer& answer) {
  PlacedAnswer placed{
      .by = answer.by, .span = {}, .path = {}, .rendered_path = answer.path, .further = {}};
  const auto span_of = [&](const render::Decider& decider) {
    const RenderedInput::Source& source = input.sources[decider.source];
    if (!source.setting.empty()) return source.setting;
    return Span{source.file, decider.begin, decider.end};
  };
  if (answer.by == DecidedBy::file) {
    placed.span = {input.of_template[output_of(input, span.file)], 0, 0};
    return placed;
  }
  placed.span = span_of(answer.place);
  placed.path = answer.place.path;
  placed.is_identity = answer.is_identity;
  const RenderedInput::Source& source = input.sources[answer.place.source];
  placed.is_editable = answer.by == DecidedBy::value && source.is_editable;
  for (const render::Decider& other : answer.further) {
    placed.further.push_back({span_of(other), "this value is part of the same text"});
  }
  return placed;
}

[[nodiscard]] Answers find_answers(const Project& project, const Request& request,
                                   const std::vector<Span>& places) {
  Answers answers;
  for (const auto& [index, spans] : by_input(project, places)) {
    const RenderedInput& input = *project.rendered.all[index];
    std::vector<render::Question> questions;
    for (const Span span : spans) {
      questions.push_back({output_of(input, span.file), span.begin, span.end});
    }
    const std::vector<render::Answer> found =
        render::decide(input.plain.templates, texts_of(input, project.sources), questions,
                       render_again(input, *request.renderer));
    for (std::size_t i = 0; i < spans.size(); ++i) {
      answers.emplace(spans[i], place(input, spans[i], found[i]));
    }
  }
  return answers;
}

/// `Deployment/default/web`.
[[nodiscard]] std::string name_object(Node object, const RenderedInput& input) {
  const std::string_view kind = object.get("kind").text();
  if (kind.empty()) return {};
  const std::string_view own = object.at("metadata", "namespace").text();
  if (own.empty() && facts_of_kind(kind).is_cluster_wide) {
    return fmt::format("{}/{}", kind, object_name(object));
  }
  return fmt::format("{}/{}/{}", kind, own.empty() ? input.name_space : own, object_name(object));
}

void move_label(const Project& project, const Answers& answers, Label& label) {
  if (is_rendered(project, label.span)) label.span = answers.at(label.span).span;
}

/// The edits of values that make these changes of rendered text; empty if that is not possible.
[[nodiscard]] std::vector<Edit> carry_over_all(const Project& project, const Answers& answers,
                                               const std::vector<RenderedChange>& changes) {
  std::vector<Edit> edits;
  for (const RenderedChange& change : changes) {
    const PlacedAnswer& answer = answers.at(change.node);
    if (!answer.is_identity || !answer.is_editable) return {};
    const std::vector<Edit> own = carry_over(project.sources, change, answer.span);
    if (own.empty()) return {};
    std::ranges::copy(own, std::back_inserter(edits));
  }
  std::ranges::sort(edits);
  edits.erase(std::ranges::unique(edits).begin(), edits.end());
  return edits;
}

/// Whether a file takes part in a rendering, and fixes must not edit it.
[[nodiscard]] bool is_read_only(const Project& project, FileId file) {
  return std::ranges::any_of(project.rendered.all, [&](const auto& input) {
    const auto source = std::ranges::find(input->sources, file, &RenderedInput::Source::file);
    return source != input->sources.end() && !source->is_editable;
  });
}

void turn_into_help(const Project& project, Diagnostic& finding) {
  const std::string& file = project.sources.file(finding.span).path();
  finding.add_help(fmt::format("in `{}`, {}", file, finding.fix->title));
  finding.fix.reset();
}

/// Makes the fix of rendered text a fix of the values that became it; the help has its title if
/// that is not possible.
void carry_fix(const Project& project, const Answers& answers, const Changes& changes,
               std::size_t index, Diagnostic& finding) {
  const auto known = changes.find(index);
  if (known != changes.end() && finding.rendered) {
    finding.fix->edits = carry_over_all(project, answers, known->second);
    if (!finding.fix->edits.empty()) return;
  }
  turn_into_help(project, finding);
}

void move_finding(const Project& project, const Answers& answers, Diagnostic& finding) {
  for (Label& label : finding.related) move_label(project, answers, label);
  if (!is_rendered(project, finding.span)) return;
  const RenderedInput& input = input_of(project, finding.span);
  const PlacedAnswer& answer = answers.at(finding.span);
  const std::size_t output = output_of(input, finding.span.file);
  finding.rendered =
      RenderedPlace{.chart = input.folder,
                    .object = {.template_name = input.plain.templates[output].name,
                               .object = name_object(object_at(project, finding.span), input),
                               .path = finding.path.empty() ? answer.rendered_path : finding.path},
                    .decided_by = answer.by,
                    .span = finding.span,
                    .others = {}};
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
    const SourceFile& rendered = project.sources.file(file);
    const SourceFile with_lines(file, rendered.path(), std::string(rendered.text()));
    std::vector<Suppression> suppressions = read_suppressions(with_lines, documents);
    apply_suppressions(suppressions, findings);
  }
}

/// Adds the objects of a finding to another one at the same place.
void add_objects(const RenderedPlace& from, Diagnostic& to) {
  std::vector<RenderedObject>& others = to.rendered->others;
  const auto add = [&](const RenderedObject& object) {
    const bool is_known =
        object == to.rendered->object || std::ranges::find(others, object) != others.end();
    if (!is_known) others.push_back(object);
  };
  add(from.object);
  std::ranges::for_each(from.others, add);
}

/// One value that decides three pods is one finding, which replaces that of the values alone.
[[nodiscard]] std::vector<Diagnostic> merge_by_place(std::vector<Diagnostic> findings) {
  std::ranges::stable_partition(findings,
                                [](const auto& each) { return each.rendered.has_value(); });
  std::map<std::pair<Span, const RuleInfo*>, std::size_t> known;  // rendered
  std::vector<Diagnostic> merged;
  for (Diagnostic& finding : findings) {
    const bool is_of_file = finding.rendered && finding.rendered->decided_by == DecidedBy::file;
    const std::pair key(finding.span, finding.rule);
    const auto at = is_of_file ? known.end() : known.find(key);
    if (at == known.end()) {
      if (finding.rendered && !is_of_file) known.emplace(key, merged.size());
      merged.push_back(std::move(finding));
      continue;
    }
    Diagnostic& first = merged[at->second];
    first.severity = std::max(first.severity, finding.severity);
    if (!first.fix) first.fix = std::move(finding.fix);
    if (finding.rendered) add_objects(*finding.rendered, first);
  }
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
           !input_of(project, finding.span).has_user_values;
  });
  suppress_in_rendered(project, findings);
  const Changes changes = find_changes(project, findings);
  const Answers answers = find_answers(project, request, spans_of(findings, changes));
  for (std::size_t i = 0; i < findings.size(); ++i) {
    Diagnostic& finding = findings[i];
    const bool is_of_rendered = edits_rendered(project, finding);
    move_finding(project, answers, finding);
    if (is_of_rendered) {
      carry_fix(project, answers, changes, i, finding);
    } else if (finding.fix && is_read_only(project, finding.fix->edits.front().span.file)) {
      turn_into_help(project, finding);
    }
  }
  return {merge_by_place(std::move(findings))};
}

std::map<Span, Span> find_deciding_places(const Project& project, const Request& request,
                                          const std::vector<Span>& spans) {
  std::map<Span, Span> places;
  for (const auto& [span, answer] : find_answers(project, request, spans)) {
    if (answer.by != DecidedBy::file) places.emplace(span, answer.span);
  }
  return places;
}

}  // namespace gpulint
