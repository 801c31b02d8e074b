#include "rules/support/placement_causes.h"

#include <algorithm>
#include <cstddef>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "compiler/model/kinds/namespace_limits.h"

namespace gpulint::rules {
namespace {

/// A finding about assumed tasks is only as certain as that such tasks run.
void mark_assumed(Finding& finding, const std::vector<const Workload*>& workloads) {
  std::vector<std::string> names;
  for (const Workload* workload : workloads) {
    if (!workload->is_assumed) return;
    names.push_back(workload->name);
  }
  finding.at_most(Severity::warning)
      .add_help(fmt::format("no task is declared, so gpulint checked the assumed task{} {}",
                            names.size() == 1 ? "" : "s", list(names)));
}

/// The place of a workload's name; of a shared template, the place of its use.
[[nodiscard]] Node workload_name_node(const Workload& workload) {
  if (workload.use) return workload.use;
  const Node name = workload.object.at("metadata", "name");
  if (name) return name;
  const Node task_name = workload.object.get("name");
  return task_name ? task_name : workload.object;
}

void relate(Finding& finding, const Workload& workload, std::string_view what) {
  finding.related(workload_name_node(workload), fmt::format("{} {}", describe(workload), what));
}

}  // namespace

bool is_outside(const Workload& workload, Node demand, Span where) {
  using Origin = Workload::Origin;
  const bool is_object = workload.origin == Origin::manifest || workload.origin == Origin::queued;
  if (!is_object || !demand) return false;
  if (demand.document() != workload.object.document()) return true;
  const Span object = workload.object.span();
  return where.file == object.file && (where.begin < object.begin || where.begin > object.end);
}

void relate_limit_range(Finding& finding, Node demand) {
  const Node range = limit_range_of(demand);
  if (!range) return;
  const std::string_view resource = (demand.key() ? demand.key() : demand).text();
  finding
      .related(
          range.get("kind"),
          fmt::format("containers that do not set `{}` receive it from this LimitRange", resource))
      .help("{}", remedy_for_default(resource));
}

void relate_outside(Finding& finding, const Workload& workload, Node demand, std::string text) {
  finding.related(workload_name_node(workload), std::move(text));
  relate_limit_range(finding, demand);
}

std::string describe(const Cause& cause) { return describe(*cause.workloads.front()); }

void relate_workloads(Finding& finding, const std::vector<const Workload*>& workloads,
                      std::string_view what) {
  mark_assumed(finding, workloads);
  const std::string first = describe(*workloads.front());
  for (std::size_t i = 1; i < workloads.size(); ++i)
    finding.further(first, describe(*workloads[i]));
  // A chart may do more than pass its values on.
  const auto is_of_values = [](const Workload* workload) {
    return workload->origin == Workload::Origin::values;
  };
  if (std::ranges::all_of(workloads, is_of_values)) finding.at_most(Severity::warning);
  if (workloads.size() == 1 && workloads.front()->origin != Workload::Origin::compiled) return;
  for (const Workload* workload : workloads) relate(finding, *workload, what);
}

void relate_workloads(Finding& finding, const Cause& cause) {
  relate_workloads(finding, cause.workloads);
  const Workload& first = *cause.workloads.front();
  if (cause.workloads.size() == 1 && is_outside(first, cause.demand, cause.where)) {
    relate_outside(finding, first, cause.demand, fmt::format("{} fits no node", describe(first)));
  }
}

std::string taint_text(const UntoleratedTaint& taint) {
  return taint.value.empty() ? fmt::format("{}:{}", taint.key, taint.effect)
                             : fmt::format("{}={}:{}", taint.key, taint.value, taint.effect);
}

std::string requirement_text(const UnmatchedRequirement& unmatched) {
  if (unmatched.wanted.empty()) return fmt::format("{} {}", unmatched.key, unmatched.op);
  if (unmatched.op == "In" && unmatched.wanted.size() == 1) {
    return fmt::format("{}={}", unmatched.key, unmatched.wanted.front());
  }
  if (unmatched.wanted.size() == 1) {
    return fmt::format("{} {} {}", unmatched.key, unmatched.op, unmatched.wanted.front());
  }
  return fmt::format("{} {} ({})", unmatched.key, unmatched.op, fmt::join(unmatched.wanted, ", "));
}

bool relies_on_admission(const Corpus& corpus, const UntoleratedTaint& taint) {
  const bool is_open = corpus.placement->admission == ExtendedResourceToleration::unknown;
  return taint.is_for_admission && taint.miss == UntoleratedTaint::Miss::none &&
         (is_open || corpus.settings->admission_plugins.has_value());
}

}  // namespace gpulint::rules
