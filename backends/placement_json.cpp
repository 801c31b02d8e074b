#include <algorithm>
#include <string>
#include <utility>

#include <nlohmann/json.hpp>

#include "backends/json.h"
#include "backends/placement_output.h"
#include "backends/unicode.h"
#include "compiler/schedule/karpenter.h"
#include "compiler/schedule/terms.h"

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

/// One pod and nodes that are alike to it.
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

/// The first term that fails, and where there are several, all.
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

/// Reasons in a fixed order; those that are only possible where the verdict is open.
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

/// What stops the workload before the nodes; the kind is the gate.
[[nodiscard]] Json obstacle_json(const Obstacle& obstacle, const SourceSet& sources) {
  Json json{{"kind", to_string(obstacle.gate)}, {"detail", obstacle.reason}};
  if (obstacle.certainty != Certainty::certain) json["certain"] = false;
  if (obstacle.demand) json["demanded"] = node_place_json(obstacle.demand, sources);
  for (const Obstacle::Half& half : obstacle.others) {
    if (half.node && !json.contains("found")) json["found"] = node_place_json(half.node, sources);
  }
  return json;
}

/// Karpenter's own verdict of the pool as it is written, beside what it amounts to.
[[nodiscard]] Json karpenter_json(const PreparedPod& pod, const KarpenterPool& pool) {
  const KarpenterVerdict verdict = judge_karpenter(*pod.spec, pod.tolerations, pool);
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

/// Where the name of each node goes in what class_json() gives: the workload's name, which comes
/// first, cannot hold these quotes unescaped.
constexpr std::string_view no_name = R"("node":"")";

[[nodiscard]] std::string to_text(const Json& json) {
  return escape_hidden(json.dump(-1, ' ', false, Json::error_handler_t::replace));
}

/// What is said of a workload on nodes that are alike to it.
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

/// Beyond so many cells nodes that are alike share the place of the first.
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

}  // namespace

void emit_placement_json(const std::vector<PlacementReport>& reports, const SourceSet& sources,
                         std::ostream& out) {
  // Workloads × nodes may be millions: written as they come, never kept.
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

}  // namespace gpulint
