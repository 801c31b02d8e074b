#include "backends/placement_output.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "backends/ink.h"
#include "backends/json.h"
#include "backends/unicode.h"
#include "compiler/base/counted.h"
#include "compiler/schedule/best_fit.h"
#include "compiler/schedule/karpenter.h"
#include "compiler/schedule/terms.h"
#include "compiler/why/pool_names.h"

namespace gpulint {
namespace {

using Json = nlohmann::ordered_json;

[[nodiscard]] bool is_decode_error(const ApiProblem& problem) {
  return problem.type == ApiErrorType::decode;
}

[[nodiscard]] Json refusals_json(const std::vector<ApiProblem>& problems) {
  Json list = Json::array();
  for (const ApiProblem& problem : problems) {
    list.push_back({{"path", problem.path}, {"detail", problem.detail}});
  }
  return list;
}

/// One pod and a class of similar nodes.
struct Cell {
  const PreparedPod& pod;
  const NodeClass& nodes;
  const SourceSet& sources;
};

void put_whole_term(const Term& term, const SourceSet& sources, Json& json) {
  put_term(term, json);
  if (term.demanded) json["demanded"] = node_place_json(term.demanded, sources);
  if (term.found) json["found"] = node_place_json(term.found, sources);
}

/// The first term that fails, and all of them if there are several.
void put_terms(const std::vector<Term>& terms, const SourceSet& sources, Json& json) {
  if (terms.empty()) return;
  put_whole_term(terms.front(), sources, json);
  if (terms.size() < 2) return;
  Json list = Json::array();
  for (const Term& term : terms) {
    Json one = Json::object();
    put_whole_term(term, sources, one);
    list.push_back(std::move(one));
  }
  json["terms"] = std::move(list);
}

[[nodiscard]] Json reason_json(const Reason& reason, const Cell& cell) {
  Json json{{"kind", to_string(reason.kind)}};
  if (!reason.detail.empty()) json["detail"] = reason.detail;
  if (reason.holds == Ternary::unknown) json["certain"] = false;
  if (reason.is_transient) json["transient"] = true;
  put_terms(terms_of(reason, cell.pod, cell.nodes), cell.sources, json);
  return json;
}

/// Reasons in a fixed order; if the verdict is unknown, those that are only possible.
[[nodiscard]] Json reasons_json(const Assessment& assessment, const Cell& cell) {
  std::vector<const Reason*> shown;
  for (const Reason& reason : assessment.reasons) {
    const bool is_certain = reason.holds == Ternary::yes;
    if (is_certain || assessment.fits == Ternary::unknown) shown.push_back(&reason);
  }
  std::ranges::stable_sort(shown, [](const Reason* a, const Reason* b) {
    return std::pair(a->kind, std::string_view(a->detail)) <
           std::pair(b->kind, std::string_view(b->detail));
  });
  Json list = Json::array();
  for (const Reason* reason : shown) list.push_back(reason_json(*reason, cell));
  return list;
}

/// What stops the workload before it reaches nodes; the kind is the gate.
[[nodiscard]] Json obstacle_json(const Obstacle& obstacle, const SourceSet& sources) {
  Json json{{"kind", to_string(obstacle.gate)}, {"detail", obstacle.reason}};
  if (obstacle.certainty != Certainty::certain) json["certain"] = false;
  if (obstacle.demand) json["demanded"] = node_place_json(obstacle.demand, sources);
  for (const Obstacle::Half& half : obstacle.others) {
    if (half.node && !json.contains("found")) json["found"] = node_place_json(half.node, sources);
  }
  return json;
}

/// Karpenter's own verdict on the pool as declared, in addition to gpulint's.
[[nodiscard]] Json karpenter_json(const PreparedPod& pod, const KarpenterPool& pool) {
  const KarpenterVerdict verdict = check_karpenter(*pod.spec, pod.tolerations, pool);
  return {{"compatible", ternary_json(verdict.compatible)},
          {"reasons", verdict.reasons},
          {"relaxed", verdict.relaxed},
          {"podRefused", verdict.pod_refused},
          {"nodepoolInvalid", pool.invalid},
          {"provisionable", ternary_json(verdict.provisionable())}};
}

[[nodiscard]] const flyte::CompiledPod* compiled_pod(const PlacementReport& report,
                                                     std::size_t workload) {
  return workload < report.compiled.size() ? report.compiled[workload] : nullptr;
}

[[nodiscard]] Json refused_task_json(const flyte::CompiledPod& pod) {
  return {{"task", pod.task},
          {"source", pod.source},
          {"error", pod.error},
          {"errorStage", pod.error_stage}};
}

/// The placeholder for each node's name in class_json(). The workload's name, which comes first,
/// cannot contain these quotes unescaped.
constexpr std::string_view no_name = R"("node":"")";

[[nodiscard]] std::string to_text(const Json& json) {
  return escape_hidden(json.dump(-1, ' ', false, Json::error_handler_t::replace));
}

/// The result for a workload on a class of similar nodes.
[[nodiscard]] Json class_json(const PlacementReport& report, std::size_t workload,
                              const NodeClass& nodes, const SourceSet& sources) {
  const std::vector<ApiProblem>& refusals = report.refusals[workload];
  Json json{{"workload", report.names[workload]},
            {"node", ""},
            {"valid", refusals.empty()},
            {"invalid", refusals_json(refusals)}};
  if (!report.cluster.empty()) json["cluster"] = report.cluster;
  if (const flyte::CompiledPod* const pod = compiled_pod(report, workload)) {
    json["task"] = pod->task;
    json["assumed"] = pod->assumed;
    json["source"] = pod->source;
  }
  if (std::ranges::any_of(refusals, is_decode_error)) {
    json["fits"] = false;
    json["reasons"] = Json::array({{{"kind", "decode-error"}, {"detail", "pod"}}});
    return json;
  }
  const Assessment assessment = assess(report.placement.pod(workload), nodes);
  const std::vector<Obstacle>& obstacles = report.obstacles[workload];
  json["fits"] = ternary_json(all_of(passes(obstacles), assessment.fits));
  Json reasons = Json::array();
  for (const Obstacle& obstacle : obstacles) reasons.push_back(obstacle_json(obstacle, sources));
  for (Json& reason : reasons_json(assessment, {report.placement.pod(workload), nodes, sources})) {
    reasons.push_back(std::move(reason));
  }
  json["reasons"] = std::move(reasons);
  if (nodes.karpenter) {
    json["karpenter"] = karpenter_json(report.placement.pod(workload), *nodes.node.pool->karpenter);
  }
  return json;
}

/// A node of the class with its own places.
[[nodiscard]] PreparedNode with_reservations(const NodePool& pool, const NodeClass& nodes) {
  PreparedNode node(pool);
  node.reserved = nodes.node.reserved;
  return node;
}

/// In larger matrices, similar nodes share the place of the first.
constexpr std::size_t most_places = 50'000;

/// Writes one line for each cell.
class CellWriter {
 public:
  CellWriter(const SourceSet& sources, std::ostream& out) : sources_(sources), out_(out) {}

  /// Every node of the class.
  void write(const PlacementReport& report, std::size_t workload, const NodeClass& nodes) {
    const std::string text = to_text(class_json(report, workload, nodes, sources_));
    const std::size_t name_at = text.find(no_name) + no_name.size() - 2;
    const std::string_view before = std::string_view(text).substr(0, name_at);
    const std::string_view after = std::string_view(text).substr(name_at + 2);
    for (const std::size_t pool : nodes.pools) {
      out_ << (is_first_ ? "\n " : ",\n ") << before
           << to_text(Json(report.placement.cluster().pools[pool].name)) << after;
      is_first_ = false;
    }
  }

  /// The same with the places of each.
  void write_each(const PlacementReport& report, std::size_t workload, const NodeClass& nodes) {
    for (const std::size_t pool : nodes.pools) {
      write(report, workload,
            {{pool},
             with_reservations(report.placement.cluster().pools[pool], nodes),
             nodes.karpenter,
             nodes.lacks_accelerators});
    }
  }

 private:
  const SourceSet& sources_;
  std::ostream& out_;
  bool is_first_ = true;
};

/// More columns than this cannot be read side by side.
constexpr std::size_t max_columns = 6;

constexpr std::size_t max_listed_nodes = 5;

[[nodiscard]] std::string class_name(const Placement& placement, const NodeClass& nodes) {
  return first_of(why::name_of(placement.cluster().pools[nodes.pools.front()]), nodes.pools.size());
}

/// A taint that a pool may have in addition to those it lists, or labels that the pod may require
/// in addition to those in the files.
[[nodiscard]] bool is_nameless(const Reason& reason, const PreparedPod& pod) {
  if (reason.kind == ReasonKind::untolerated_taint) return reason.detail.empty();
  if (reason.holds != Ternary::unknown) return false;
  return (reason.kind == ReasonKind::node_affinity && pod.selection.terms.empty()) ||
         (reason.kind == ReasonKind::node_selector && pod.spec->node_selector.empty());
}

/// The obstacles on one node as the scheduler reports them: the reasons of the first plugin that
/// rejects the pod, and only the first taint (kube-scheduler runs TaintToleration, NodeAffinity,
/// NodeResourcesFit, DynamicResources in turn). `holds` selects certain or possible reasons.
[[nodiscard]] std::vector<const Reason*> blocking_reasons(const PreparedPod& pod,
                                                          const Assessment& assessment,
                                                          Ternary holds) {
  using enum ReasonKind;
  const std::vector<std::vector<ReasonKind>> plugins{
      {unschedulable},
      {untolerated_taint},
      {node_affinity, node_affinity_error, node_selector},
      {insufficient_resource},
      {unallocated_claims}};
  for (const std::vector<ReasonKind>& kinds : plugins) {
    std::vector<const Reason*> blocking;
    for (const Reason& reason : assessment.reasons) {
      const bool is_of_plugin = std::ranges::find(kinds, reason.kind) != kinds.end();
      if (!is_of_plugin || reason.holds != holds || is_nameless(reason, pod)) continue;
      if (reason.kind == insufficient_resource || blocking.empty()) blocking.push_back(&reason);
    }
    if (!blocking.empty()) return blocking;
  }
  return {};
}

[[nodiscard]] std::string blocking_text(const PreparedPod& pod, const Assessment& assessment,
                                        Ternary holds) {
  std::string text;
  for (const Reason* reason : blocking_reasons(pod, assessment, holds)) {
    text += (text.empty() ? "" : ", ") + scheduler_text(*reason);
  }
  return text;
}

[[nodiscard]] std::string cell_text(const PlacementReport& report, std::size_t workload,
                                    std::size_t node_class) {
  if (!report.refusals[workload].empty()) return "rejected";
  const Obstacle* const obstacle = first_of(report.obstacles[workload]);
  if (obstacle != nullptr && obstacle->certainty == Certainty::certain) {
    return std::string(effect_of(obstacle->gate));
  }
  const Assessment assessment = report.placement.assess(workload, node_class);
  const bool is_open = assessment.fits == Ternary::unknown;
  const PreparedPod& pod = report.placement.pod(workload);
  std::string text = blocking_text(pod, assessment, is_open ? Ternary::unknown : Ternary::yes);
  if (is_open && text.empty())
    text = blocking_text(pod, assessment, Ternary::yes);  // a refused pool
  switch (assessment.fits) {
    case Ternary::yes:
      return obstacle == nullptr ? "fits" : fmt::format("unknown: {}", effect_of(obstacle->gate));
    case Ternary::unknown:
      return text.empty() ? "unknown" : "unknown: " + text;
    case Ternary::no:
      return text.empty() ? "does not fit" : text;
  }
  return text;
}

using Rows = std::vector<std::vector<std::string>>;

[[nodiscard]] std::vector<std::size_t> column_widths(const Rows& table) {
  std::vector<std::size_t> widths;
  for (const std::vector<std::string>& row : table) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) {
      widths[i] = std::max(widths[i], cell_width(row[i]));
    }
  }
  return widths;
}

[[nodiscard]] std::size_t table_width(const Rows& table) {
  std::size_t width = 0;
  for (const std::size_t column : column_widths(table)) width += column + 2;
  return width < 2 ? 0 : width - 2;
}

/// A verdict in its colour.
[[nodiscard]] std::string painted(std::string_view cell, const Presentation& presentation) {
  const Ink ink = cell == "fits"                ? Ink::added
                  : cell.starts_with("unknown") ? Ink::warning
                                                : Ink::removed;
  return paint(ink, cell, presentation);
}

void write_table(const Rows& table, const Presentation& presentation, std::ostream& out) {
  const std::vector<std::size_t> widths = column_widths(table);
  bool is_header = true;
  for (const std::vector<std::string>& row : table) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      line += i == 0 || is_header ? row[i] : painted(row[i], presentation);
      if (i + 1 < row.size()) line.append(widths[i] - cell_width(row[i]) + 2, ' ');
    }
    out << line << '\n';
    is_header = false;
  }
}

[[nodiscard]] Rows matrix_of(const PlacementReport& report) {
  const Placement& placement = report.placement;
  Rows table;
  std::vector<std::string>& header = table.emplace_back(1, "");
  for (const NodeClass& nodes : placement.classes()) {
    header.push_back(printable(class_name(placement, nodes)));
  }
  for (const auto& [w, name] : report.rows) {
    std::vector<std::string> row{printable(name)};
    for (std::size_t c = 0; c < placement.classes().size(); ++c) {
      row.push_back(printable(cell_text(report, w, c)));
    }
    table.push_back(std::move(row));
  }
  return table;
}

/// Nodes grouped by their result for one workload.
void write_list(const PlacementReport& report, const PlacementReport::Row& row,
                const Presentation& presentation, std::ostream& out) {
  const Placement& placement = report.placement;
  std::map<std::string, std::vector<std::size_t>> groups;
  for (std::size_t c = 0; c < placement.classes().size(); ++c) {
    std::vector<std::size_t>& pools = groups[cell_text(report, row.workload, c)];
    std::ranges::copy(placement.classes()[c].pools, std::back_inserter(pools));
  }
  out << printable(row.name) << '\n';
  for (const auto& [text, pools] : groups) {
    std::vector<std::string> names;
    for (const std::size_t pool : pools) {
      if (names.size() < max_listed_nodes) names.push_back(placement.cluster().pools[pool].name);
    }
    if (pools.size() > names.size()) names.emplace_back("…");
    out << fmt::format("  {} {}: {} ({})\n", pools.size(), pools.size() == 1 ? "node" : "nodes",
                       painted(printable(text), presentation),
                       printable(fmt::format("{}", fmt::join(names, ", "))));
  }
}

/// `nodes`, or `nodes and pools` if some do not exist yet.
[[nodiscard]] std::string_view noun_of(const Cluster& cluster) {
  const auto is_node = [](const NodePool& pool) { return pool.source == NodePool::Source::node; };
  return std::ranges::all_of(cluster.pools, is_node) ? "nodes" : "nodes and pools";
}

/// Why a workload fits no node, in the words of the scheduler's event.
[[nodiscard]] std::string event_text(const Placement& placement, std::size_t workload) {
  std::map<std::string, std::size_t> counts;
  for (std::size_t c = 0; c < placement.classes().size(); ++c) {
    const Assessment assessment = placement.assess(workload, c);
    const PreparedPod& pod = placement.pod(workload);
    for (const Reason* reason : blocking_reasons(pod, assessment, Ternary::yes)) {
      const bool is_about_node = reason->kind != ReasonKind::insufficient_resource &&
                                 reason->kind != ReasonKind::unallocated_claims;
      counts[(is_about_node ? "node(s) " : "") + scheduler_text(*reason)] +=
          placement.classes()[c].pools.size();
    }
  }
  std::vector<std::string> parts;
  for (const auto& [text, count] : counts) parts.push_back(fmt::format("{} {}", count, text));
  std::ranges::sort(parts);
  return fmt::format("0/{} {} are available: {}.", placement.cluster().pools.size(),
                     noun_of(placement.cluster()), fmt::join(parts, ", "));
}

/// Labels that Karpenter forbids pods to select, and this one selects.
[[nodiscard]] std::set<std::string> reserved_labels(const Placement& placement,
                                                    std::size_t workload) {
  std::set<std::string> labels;
  for (std::size_t c = 0; c < placement.classes().size(); ++c) {
    if (!placement.classes()[c].karpenter) continue;
    for (const Reason& reason : placement.assess(workload, c).reasons) {
      constexpr std::string_view reserved = "restricted-label:";
      if (reason.detail.starts_with(reserved)) labels.insert(reason.detail.substr(reserved.size()));
    }
  }
  return labels;
}

/// Workloads that fit no node, and what the API server or Flyte rejects.
void write_notes(const PlacementReport& report, std::ostream& out) {
  const Placement& placement = report.placement;
  for (const auto& [w, row_name] : report.rows) {
    const std::string name = printable(row_name);
    for (const ApiProblem& problem : report.refusals[w]) {
      out << fmt::format("{}: rejected by the API server: {}: {}\n", name, printable(problem.path),
                         printable(problem.detail));
    }
    for (const Obstacle& obstacle : report.obstacles[w]) {
      const bool is_certain = obstacle.certainty == Certainty::certain;
      out << fmt::format("{}: {}: {}\n", name,
                         is_certain ? effect_of(obstacle.gate) : "not certain",
                         printable(obstacle.reason));
    }
    if (best_fit(placement, w) != Ternary::no || placement.classes().empty()) continue;
    out << fmt::format("{}: {}\n", name, printable(event_text(placement, w)));
    for (const std::string& label : reserved_labels(placement, w)) {
      out << fmt::format(
          "{}: the label `{}` is reserved, and Karpenter rejects pods that select it; select "
          "`karpenter.sh/nodepool` instead\n",
          name, printable(label));
    }
  }
  for (const flyte::CompiledPod* pod : report.refused_tasks) {
    out << fmt::format("task {}: rejected by Flyte ({}): {}\n", printable(pod->task),
                       pod->error_stage, printable(pod->error));
  }
}

/// How many workloads fit.
void write_verdict(const PlacementReport& report, const Presentation& presentation,
                   std::ostream& out) {
  const std::size_t count = report.names.size();
  std::size_t fitting = 0;
  for (std::size_t w = 0; w < count; ++w) {
    fitting += best_of(report, w) == Ternary::yes ? 1 : 0;
  }
  const bool all_fit = fitting == count && report.refused_tasks.empty();
  out << paint(all_fit ? Ink::added : Ink::error,
               fmt::format("placed: {} of {}", fitting,
                           count_text(count + report.refused_tasks.size(), "workload")),
               presentation)
      << '\n';
}

/// A table if a line is wide enough, else a list for each workload.
void write_cells(const PlacementReport& report, const Presentation& presentation,
                 std::ostream& out) {
  const Placement& placement = report.placement;
  if (placement.classes().size() <= max_columns) {
    const Rows table = matrix_of(report);
    const bool is_narrow = presentation.width == 0 || table_width(table) <= presentation.width;
    if (placement.classes().empty()) return;
    if (is_narrow) return write_table(table, presentation, out);
  }
  for (const PlacementReport::Row& row : report.rows) write_list(report, row, presentation, out);
}

}  // namespace

void emit_placement_json(const std::vector<PlacementReport>& reports, const SourceSet& sources,
                         std::ostream& out) {
  // workloads × nodes may be millions: written one by one, never kept
  out << "{\"version\":1,\"results\":[";
  CellWriter writer(sources, out);
  for (const PlacementReport& report : reports) {
    const Placement& placement = report.placement;
    const std::size_t cells = placement.workloads().size() * placement.cluster().pools.size();
    for (std::size_t w = 0; w < placement.workloads().size(); ++w) {
      for (const NodeClass& nodes : placement.classes()) {
        const bool is_alone = nodes.pools.size() == 1 || cells > most_places;
        is_alone ? writer.write(report, w, nodes) : writer.write_each(report, w, nodes);
      }
    }
  }
  out << "\n],\"refusedTasks\":[";
  bool is_first = true;
  for (const PlacementReport& report : reports) {
    for (const flyte::CompiledPod* pod : report.refused_tasks) {
      out << (is_first ? "\n " : ",\n ") << to_text(refused_task_json(*pod));
      is_first = false;
    }
  }
  out << "]}\n";
}

void emit_tolerations_json(const std::vector<Toleration>& tolerations, std::ostream& out) {
  Json list = Json::array();
  for (const Toleration& toleration : tolerations) {
    Json item = Json::object();
    const auto put = [&](const char* key, const Field<std::string>& field) {
      if (field.is_known() && !field.value().empty()) item[key] = field.value();
    };
    put("key", toleration.key);
    put("operator", toleration.op);
    put("value", toleration.value);
    put("effect", toleration.effect);
    if (toleration.toleration_seconds.is_known()) {
      item["tolerationSeconds"] = toleration.toleration_seconds.value();
    }
    list.push_back(std::move(item));
  }
  const Json document = {{"tolerations", std::move(list)}};
  out << escape_hidden(document.dump(2, ' ', false, Json::error_handler_t::replace)) << '\n';
}

void emit_placement_text(const std::vector<PlacementReport>& reports,
                         const Presentation& presentation, std::ostream& out) {
  const bool is_terminal = presentation.width > 0;
  for (const PlacementReport& report : reports) {
    if (!report.cluster.empty()) out << fmt::format("# {}\n", printable(report.cluster));
    if (is_terminal) {
      write_verdict(report, presentation, out);
      write_notes(report, out);
    }
    write_cells(report, presentation, out);
    if (!is_terminal) write_notes(report, out);
  }
}

}  // namespace gpulint
