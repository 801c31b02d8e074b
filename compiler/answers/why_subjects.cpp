#include "compiler/answers/why_subjects.h"

#include <algorithm>
#include <set>
#include <utility>

#include "compiler/flyte/task.h"
#include "compiler/schedule/placement_analysis.h"

namespace gpulint {
namespace {

/// Names of the tasks of --task.
[[nodiscard]] std::set<std::string> task_names(const Request& request) {
  std::set<std::string> names;
  for (const std::string& spec : request.tasks) {
    names.insert(flyte::parse_task_spec(spec, FlyteVersion::v1).name);
  }
  return names;
}

class Chooser {
 public:
  Chooser(const Placements& placed, const Request& request)
      : placed_(placed), request_(request), tasks_(task_names(request)) {}

  [[nodiscard]] WhySubjects run() && {
    for (std::size_t i = 0; i < placed_.reports.size(); ++i) {
      const PlacementReport& report = placed_.reports[i];
      for (std::size_t w = 0; w < report.names.size(); ++w) {
        ++result_.known;
        result_.names.push_back(report.names[w]);
        if (is_chosen(report, w)) result_.chosen.push_back(subject(report, *placed_.scopes[i], w));
      }
    }
    return std::move(result_);
  }

 private:
  [[nodiscard]] bool is_chosen(const PlacementReport& report, std::size_t w) const {
    if (!request_.workload.empty()) return is_named(report.names[w]);
    if (request_.tasks.empty()) return true;
    const flyte::CompiledPod* const pod = report.compiled[w];
    if (pod == nullptr || pod->assumed) return false;
    // A --task without a name is called by its number.
    return tasks_.contains(pod->task) || (tasks_.contains("") && pod->task.starts_with("task-"));
  }

  /// `Pod/default/train`; the namespace may be left out, and a part of several templates added.
  [[nodiscard]] bool is_named(const std::string& name) const {
    const std::string& asked = request_.workload;
    if (name == asked || name.starts_with(asked + "/") || name.starts_with(asked + " (")) {
      return true;
    }
    const std::size_t slash = asked.find('/');
    const bool is_short =
        slash != std::string::npos && asked.find('/', slash + 1) == std::string::npos;
    if (!is_short) return false;
    const std::string kind = asked.substr(0, slash + 1);
    const std::size_t second = name.find('/', slash + 1);
    return name.starts_with(kind) && second != std::string::npos &&
           name.substr(second + 1) == asked.substr(slash + 1);
  }

  [[nodiscard]] static WhySubject subject(const PlacementReport& report, const Scope& scope,
                                          std::size_t w) {
    WhySubject result;
    result.scope = &scope;
    result.subject.name = report.names[w];
    result.subject.placement = &report.placement;
    result.subject.workload = w;
    result.subject.pod = report.compiled[w];
    result.subject.refusals = report.refusals[w];
    result.key = workload_key(report, w);
    const bool is_evident =
        extended_resource_toleration(scope.corpus) == ExtendedResourceToleration::on;
    result.subject.admission =
        is_evident ? ExtendedResourceToleration::on : declared_admission(scope.settings);
    find_task(scope, result);
    return result;
  }

  static void find_task(const Scope& scope, WhySubject& result) {
    if (result.subject.pod == nullptr) return;
    for (const flyte::Installation& installation : scope.flyte.installations) {
      for (std::size_t i = 0; i < installation.pods.size(); ++i) {
        if (&installation.pods[i] != result.subject.pod) continue;
        result.installation = &installation;
        result.subject.release = &installation.loaded;
        if (i < installation.tasks.size()) result.subject.task = &installation.tasks[i];
      }
    }
  }

  const Placements& placed_;
  const Request& request_;
  std::set<std::string> tasks_;
  WhySubjects result_;
};

}  // namespace

WhySubjects choose_subjects(const Placements& placed, const Request& request) {
  return Chooser(placed, request).run();
}

}  // namespace gpulint
