#include "compiler/server/actions.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "compiler/check/suppression.h"
#include "compiler/server/diagnostics.h"

namespace gpulint::server {
namespace {

using EditsByFile = std::map<FileId, std::vector<Edit>>;

/// The reason of a new suppression, for the user to replace.
constexpr std::string_view reason_to_fill_in = "REASON";

/// Whether the client wants actions of this kind; `only` null: of every kind.
[[nodiscard]] bool wants(const Json& only, std::string_view kind) {
  if (!only.is_array()) return true;
  return std::ranges::any_of(only, [&](const Json& each) {
    const std::string wanted = text_of(each);
    return wanted.empty() || kind == wanted ||
           (kind.starts_with(wanted) && kind.substr(wanted.size())[0] == '.');
  });
}

[[nodiscard]] Json workspace_edit(const ActionContext& context, const EditsByFile& edits) {
  Json changes = Json::object();
  Json document_changes = Json::array();
  for (const auto& [file, list] : edits) {
    Json text_edits = Json::array();
    for (const Edit& edit : list) {
      text_edits.push_back({{"range", context.ranges.range(edit.span)}, {"newText", edit.text}});
    }
    const std::string uri = context.ranges.uri(file);
    const OpenText* const text = context.ranges.open_text(file);
    const Json version = text == nullptr ? Json() : Json(text->version);
    document_changes.push_back(
        {{"textDocument", {{"uri", uri}, {"version", version}}}, {"edits", text_edits}});
    changes[uri] = std::move(text_edits);
  }
  if (context.client.has_document_changes) return {{"documentChanges", document_changes}};
  return {{"changes", changes}};
}

/// Whether the edits are in files as they are on disk.
[[nodiscard]] bool is_writable(const Project& project, const Fix& fix) {
  return std::ranges::all_of(fix.edits, [&](const Edit& edit) {
    return project.sources.file(edit.span).encoding() == SourceFile::Encoding::utf8;
  });
}

[[nodiscard]] Json fix_action(const ActionContext& context, const Diagnostic& finding) {
  const Fix& fix = *finding.fix;
  EditsByFile edits;
  for (const Edit& edit : fix.edits) edits[edit.span.file].push_back(edit);
  const bool is_safe = fix.safety == Safety::safe;
  return {
      {"title", is_safe ? fix.title : fix.title + " (unsafe: changes behaviour)"},
      {"kind", "quickfix"},
      {"isPreferred", is_safe},
      {"diagnostics", Json::array({diagnostic_json(finding, context.ranges, context.homepage)})},
      {"edit", workspace_edit(context, edits)}};
}

/// Null for a finding that no comment can suppress.
[[nodiscard]] Json suppress_action(const ActionContext& context, const Diagnostic& finding) {
  const Project& project = context.root.project();
  const SourceFile& file = project.sources.file(context.file);
  if (context.file >= project.documents.size()) return nullptr;
  if (file.encoding() != SourceFile::Encoding::utf8) return nullptr;
  std::vector<const Document*> documents;
  for (const auto& document : project.documents[context.file]) documents.push_back(document.get());
  const std::vector<Edit> edits =
      suppression_edits(file, documents, {&finding, 1}, reason_to_fill_in);
  if (edits.empty()) return nullptr;
  return {
      {"title", fmt::format("Ignore {} here", finding.rule->id)},
      {"kind", "quickfix"},
      {"diagnostics", Json::array({diagnostic_json(finding, context.ranges, context.homepage)})},
      {"edit", workspace_edit(context, {{context.file, edits}})}};
}

[[nodiscard]] bool has_safe_fix(const ActionContext& context) {
  return std::ranges::any_of(context.root.findings, [&](const Diagnostic& finding) {
    return finding.fix && finding.fix->safety == Safety::safe &&
           std::ranges::any_of(finding.fix->edits,
                               [&](const Edit& edit) { return edit.span.file == context.file; });
  });
}

/// One edit that makes `after` of `before`: the whole lines that differ.
[[nodiscard]] Edit difference(FileId file, std::string_view before, std::string_view after) {
  const auto first = std::ranges::mismatch(before, after).in1 - before.begin();
  const std::size_t line = before.substr(0, static_cast<std::size_t>(first)).rfind('\n') + 1;
  const std::string_view old_rest = before.substr(line);
  const std::string_view new_rest = after.substr(line);
  std::size_t same = 0;  // bytes at the end that are equal
  while (same < std::min(old_rest.size(), new_rest.size()) &&
         old_rest[old_rest.size() - same - 1] == new_rest[new_rest.size() - same - 1]) {
    ++same;
  }
  const std::size_t next_line = old_rest.find('\n', old_rest.size() - same);
  const std::size_t kept =
      next_line == std::string_view::npos ? 0 : old_rest.size() - next_line - 1;
  return {
      {file, static_cast<std::uint32_t>(line), static_cast<std::uint32_t>(before.size() - kept)},
      std::string(new_rest.substr(0, new_rest.size() - kept))};
}

}  // namespace

Json fix_all_edit(const ActionContext& context) {
  const Project& project = context.root.project();
  const std::string& path = project.sources.file(context.file).path();
  Request request = context.root.request;
  request.groups_pods = false;  // as `gpulint fix`
  const auto touches_document = [&](const Project& round, const Diagnostic& finding) {
    return std::ranges::any_of(finding.fix->edits, [&](const Edit& edit) {
      return round.sources.file(edit.span).path() == path;
    });
  };
  const FixOutcome outcome = fix_inputs(request, touches_document, *context.root.files);
  EditsByFile edits;
  for (FileId file = 0; file < project.sources.size(); ++file) {
    const SourceFile& source = project.sources.file(file);
    const auto changed = outcome.files.find(source.path());
    if (changed == outcome.files.end()) continue;
    edits[file] = {difference(file, source.text(), changed->second.after)};
  }
  return workspace_edit(context, edits);
}

Json code_actions(const ActionContext& context, const Json& params) {
  const Json& only = get(params, "context", "only");
  const std::uint32_t begin =
      context.ranges.offset(context.file, place_of(get(params, "range", "start")));
  const std::uint32_t end =
      context.ranges.offset(context.file, place_of(get(params, "range", "end")));
  Json actions = Json::array();
  std::vector<const Diagnostic*> in_range;
  for (const Diagnostic& finding : context.root.findings) {
    const Span span = finding.span;
    if (span.file == context.file && span.begin <= end && begin <= span.end) {
      in_range.push_back(&finding);
    }
  }
  if (!wants(only, "quickfix")) in_range.clear();
  for (const Diagnostic* finding : in_range) {
    if (!finding->fix || !is_writable(context.root.project(), *finding->fix)) continue;
    actions.push_back(fix_action(context, *finding));
  }
  for (const Diagnostic* finding : in_range) {
    Json action = suppress_action(context, *finding);
    if (!action.is_null()) actions.push_back(std::move(action));
  }
  if (wants(only, fix_all_kind) && has_safe_fix(context)) {
    Json action = {{"title", "Apply all safe fixes of gpulint"}, {"kind", fix_all_kind}};
    if (context.client.resolves_edits) {
      action["data"] = {{"uri", context.ranges.uri(context.file)}};
    } else {
      action["edit"] = fix_all_edit(context);
    }
    actions.push_back(std::move(action));
  }
  return actions;
}

}  // namespace gpulint::server
