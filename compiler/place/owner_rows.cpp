#include "compiler/place/owner_rows.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "compiler/base/text.h"
#include "compiler/project/owner_chains.h"
#include "compiler/schedule/placement.h"

namespace gpulint {
namespace {

/// Equal for workloads that nodes and the API server answer alike.
[[nodiscard]] std::string answers_of(const PlacementReport& report, std::size_t workload) {
  std::string text;
  for (const ApiProblem& problem : report.refusals[workload]) append_part(text, problem.detail);
  for (std::size_t c = 0; c < report.placement.classes().size(); ++c) {
    const Assessment assessment = report.placement.assess(workload, c);
    append_part(text, std::to_string(static_cast<int>(assessment.fits)));
    for (const Reason& reason : assessment.reasons) append_part(text, scheduler_text(reason));
  }
  return text;
}

struct Member {
  std::size_t workload = 0;
  const ChainedObject* object = nullptr;
};

/// "Deployment/ml/train and its ReplicaSet, 3 pods"; of objects whose owner is not among the inputs
/// "Pod/ml/a and 2 other pods of ReplicaSet/ml/x".
[[nodiscard]] std::string name_of(const std::string& first, const std::vector<Member>& members) {
  const ChainedObject& told = *members.front().object;
  std::map<std::string, std::size_t> kinds;
  bool is_owner = true;
  for (std::size_t i = 1; i < members.size(); ++i) {
    ++kinds[members[i].object->kind];
    is_owner = is_owner && members[i].object->depth > told.depth;
  }
  const std::size_t pods = std::exchange(kinds["Pod"], 0);
  std::vector<std::string> parts;
  const auto add = [&](std::size_t count, std::string_view kind) {
    const std::string_view other =
        kind == told.kind || (kind == "pod" && told.kind == "Pod") ? "other " : "";
    parts.push_back(fmt::format("{} {}{}{}", count, other, kind, count == 1 ? "" : "s"));
  };
  for (const auto& [kind, count] : kinds) {
    if (count == 1 && is_owner) {
      parts.push_back(kind);
    } else if (count > 0) {
      add(count, kind);
    }
  }
  if (pods > 0) add(pods, "pod");
  return is_owner ? fmt::format("{} and its {}", first, fmt::join(parts, ", "))
                  : fmt::format("{} and {} of {}", first, fmt::join(parts, ", "), told.top);
}

void fold(PlacementReport& report,
          const std::map<std::pair<FileId, std::uint32_t>, const ChainedObject*>& chained) {
  std::map<std::pair<std::string_view, std::string>, std::vector<Member>> groups;
  std::map<std::size_t, std::vector<Member>*> group_of;
  for (std::size_t w = 0; w < report.names.size(); ++w) {
    const Span span = report.placement.workloads()[w]->object.span();
    const auto found = chained.find({span.file, span.begin});
    if (report.compiled[w] != nullptr || found == chained.end()) continue;
    auto& group = groups[{found->second->top, answers_of(report, w)}];
    group.push_back({w, found->second});
    group_of[w] = &group;
  }
  for (auto& [key, group] : groups) {
    std::ranges::stable_sort(group, {}, [](const Member& each) { return each.object->depth; });
  }
  for (std::size_t w = 0; w < report.names.size(); ++w) {
    const auto group = group_of.find(w);
    const bool is_alone = group == group_of.end() || group->second->size() == 1;
    if (!is_alone && group->second->front().workload != w) continue;
    report.rows.push_back(
        {w, is_alone ? report.names[w] : name_of(report.names[w], *group->second)});
  }
}

}  // namespace

void fold_owned(const Project& project, Placements& placements) {
  const std::vector<ChainedObject> objects = find_chained(project);
  std::map<std::pair<FileId, std::uint32_t>, const ChainedObject*> chained;
  for (const ChainedObject& object : objects) {
    chained.emplace(std::pair(object.span.file, object.span.begin), &object);
  }
  for (PlacementReport& report : placements.reports) fold(report, chained);
}

std::string row_name(const Placements& placements, const Placement& placement,
                     std::size_t workload) {
  for (const PlacementReport& report : placements.reports) {
    if (&report.placement != &placement) continue;
    const auto row =
        std::ranges::lower_bound(report.rows, workload, {}, &PlacementReport::Row::workload);
    const bool is_there = row != report.rows.end() && row->workload == workload;
    return is_there ? row->name : std::string{};
  }
  return {};
}

}  // namespace gpulint
