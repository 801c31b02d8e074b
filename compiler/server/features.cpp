#include "compiler/server/features.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "compiler/base/counted.h"
#include "compiler/model/kustomize/kustomization.h"
#include "compiler/model/objects.h"
#include "compiler/project/config_file.h"
#include "compiler/schedule/verdict.h"
#include "compiler/server/diagnostics.h"
#include "compiler/server/node_matches.h"
#include "compiler/server/references.h"
#include "compiler/server/task_pods.h"

namespace gpulint::server {

namespace fs = std::filesystem;

namespace {

/// SymbolKind.Object.
constexpr int object_kind = 19;

/// An object's first line names it: `Pod/train`.
[[nodiscard]] std::string name_of(const KubernetesObject& object) {
  const std::string name = object_name(object.node);
  const std::string kind = object.kind.value_or("");
  if (kind.empty() || name.empty()) return kind + name;
  return kind + "/" + name;
}

/// `pods`: the URI of a document that a click shows; may be empty.
[[nodiscard]] Json lens(Json range, const std::string& title, const std::string& pods = {}) {
  Json command = {{"title", title}, {"command", pods.empty() ? "" : show_pod_command}};
  if (!pods.empty()) command["arguments"] = Json::array({pods});
  return {{"range", std::move(range)}, {"command", std::move(command)}};
}

/// What the lens over a workload says.
[[nodiscard]] std::string describe_fit(const PlacementReport& report, std::size_t workload) {
  if (!report.refusals[workload].empty()) return "the API server rejects this workload";
  const std::vector<Obstacle>& obstacles = report.obstacles[workload];
  if (passes(obstacles) == Ternary::no) return first_of(obstacles)->reason;
  const Placement::Outlook outlook = report.placement.outlook(workload);
  const std::size_t nodes = outlook.fitting + outlook.open + outlook.refusing;
  std::string text =
      fmt::format("fits {} of {} node{}", outlook.fitting, nodes, nodes == 1 ? "" : "s");
  if (outlook.open > 0) text += fmt::format(", {} unknown", outlook.open);
  return text;
}

/// Whether a workload certainly fits the nodes of a class.
[[nodiscard]] bool fits(const PlacementReport& report, std::size_t workload,
                        std::size_t node_class) {
  return report.refusals[workload].empty() && passes(report.obstacles[workload]) == Ternary::yes &&
         report.placement.fits(workload, node_class) == Ternary::yes;
}

/// Adds a lens over each node or pool that the file declares.
void add_node_lenses(const PlacementReport& report, FileId file, Ranges& ranges, Json& lenses) {
  const Placement& placement = report.placement;
  if (report.rows.empty()) return;
  for (std::size_t i = 0; i < placement.classes().size(); ++i) {
    std::optional<std::string> title;  // the same for all nodes of the class
    for (const std::size_t index : placement.classes()[i].pools) {
      const Span span = placement.cluster().pools[index].node.span();
      if (!placement.cluster().pools[index].node || span.file != file) continue;
      if (!title) {
        const auto count = std::ranges::count_if(
            report.rows, [&](const auto& row) { return fits(report, row.workload, i); });
        title = fmt::format("{} of {} fit here", count, count_text(report.rows.size(), "workload"));
      }
      lenses.push_back(lens(ranges.range({file, span.begin, span.begin}), *title));
    }
  }
}

/// The existing file that a text names, relative to a folder: for a folder its kustomization.
[[nodiscard]] std::string named_file(const FileSystem& files, const fs::path& folder,
                                     std::string_view text) {
  if (text.empty() || text.size() > 1024 || text.find('\n') != std::string_view::npos) return {};
  const fs::path path = (folder / text).lexically_normal();
  const FileStatus::Kind kind = files.status(path.string()).kind;
  if (kind == FileStatus::Kind::file) return path.string();
  if (kind != FileStatus::Kind::folder) return {};
  for (const std::string_view name : kustomize::file_names) {
    if (files.status((path / name).string()).kind == FileStatus::Kind::file) {
      return (path / name).string();
    }
  }
  return {};
}

}  // namespace

Json hover_at(CheckedRoot& root, FileId file, std::uint32_t offset, Ranges& ranges,
              const std::string& homepage) {
  std::string text;
  Json range;
  for (const Diagnostic& finding : root.findings) {
    const Span span = finding.span;
    if (!covers(span, file, offset)) continue;
    const RuleInfo& rule = *finding.rule;
    if (!text.empty()) text += "\n\n";
    text += fmt::format("**{}** ({})", rule.id, to_string(finding.severity));
    if (!rule.summary.empty()) text += fmt::format("\n\n{}", rule.summary);
    const std::string page = page_of(rule, homepage);
    if (!page.empty()) text += fmt::format("\n\n[{}]({})", page, page);
    range = ranges.range(span);
  }
  if (const auto matches = find_matches(root, file, offset)) {
    if (text.empty()) range = ranges.range(matches->span);
    text += (text.empty() ? "" : "\n\n") + matches->text;
  }
  if (const std::string use = describe_use(root, file, offset); !use.empty()) {
    text += (text.empty() ? "" : "\n\n") + use;
  }
  if (text.empty()) return nullptr;
  Json hover = {{"contents", {{"kind", "markdown"}, {"value", text}}}};
  if (!range.is_null()) hover["range"] = range;
  return hover;
}

Json definitions_at(CheckedRoot& root, FileId file, std::uint32_t offset, Ranges& ranges) {
  Json locations = Json::array();
  std::vector<Span> places = find_referenced(root, file, offset);
  if (const auto matches = find_matches(root, file, offset)) {
    std::ranges::copy(matches->places, std::back_inserter(places));
  }
  for (const Span place : places) {
    locations.push_back({{"uri", ranges.uri(place.file)}, {"range", ranges.range(place)}});
  }
  return locations;
}

Json symbols_of(const CheckedRoot& root, FileId file, Ranges& ranges, bool as_tree) {
  Json symbols = Json::array();
  const Project& project = root.project();
  if (file >= project.documents.size()) return symbols;
  for (const auto& document : project.documents[file]) {
    for (const KubernetesObject& object : project.facts.of(*document).objects) {
      const std::string name = name_of(object);
      const Span span = object.node.span();
      if (name.empty() || span.file != file) continue;
      const Json range = ranges.range(span);
      Json symbol = {{"name", name}, {"kind", object_kind}};
      if (as_tree) {
        symbol["range"] = range;
        symbol["selectionRange"] = {{"start", range["start"]}, {"end", range["start"]}};
      } else {
        symbol["location"] = {{"uri", ranges.uri(file)}, {"range", range}};
      }
      symbols.push_back(std::move(symbol));
    }
  }
  return symbols;
}

Json links_of(const CheckedRoot& root, FileId file, Ranges& ranges) {
  Json links = Json::array();
  const Project& project = root.project();
  const std::string path = Workspace::path_of(root, project.sources.file(file));
  if (!is_config_name(path) && !kustomize::is_kustomization_name(path)) return links;
  const fs::path folder = fs::path(path).parent_path();
  const auto add = [&](const Document& document) {
    if (document.file != file) return;
    walk(gpulint::root(document), [&](Node node) {
      if (!node.is_scalar() || node.parent().is_mapping() == !node.key()) return;  // keys
      const std::string target = named_file(*project.files, folder, node.text());
      if (target.empty()) return;
      links.push_back({{"range", ranges.range(node.span())}, {"target", uri_of_path(target)}});
    });
  };
  for (const auto& document : project.config_documents) add(*document);
  if (file < project.documents.size()) {
    for (const auto& document : project.documents[file]) add(*document);
  }
  return links;
}

Json lenses_of(CheckedRoot& root, FileId file, Ranges& ranges, const std::string& folder) {
  Json lenses = Json::array();
  for (const PlacementReport& report : place_root(root).reports) {
    if (report.placement.cluster().pools.empty()) continue;
    for (const PlacementReport::Row& row : report.rows) {
      const Workload& workload = *report.placement.workloads()[row.workload];
      const Span span = workload.object.span();
      if (!workload.object || span.file != file) continue;
      const bool is_task = workload.origin == Workload::Origin::compiled && !folder.empty();
      lenses.push_back(lens(ranges.range({span.file, span.begin, span.begin}),
                            describe_fit(report, row.workload),
                            is_task ? pod_uri(folder, workload.name) : std::string()));
    }
    add_node_lenses(report, file, ranges, lenses);
  }
  for (const flyte::CompiledPod* pod : compile_root(root).all) {
    const Node task = pod->workload.object;
    if (pod->error.empty() || !task || task.span().file != file) continue;
    const std::uint32_t begin = task.span().begin;
    lenses.push_back(lens(ranges.range({file, begin, begin}), "Flyte rejects this task",
                          folder.empty() ? std::string() : pod_uri(folder, pod->task)));
  }
  return lenses;
}

}  // namespace gpulint::server
