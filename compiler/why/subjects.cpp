#include "compiler/why/subjects.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <utility>

#include "compiler/flyte/task.h"
#include "compiler/schedule/placement_analysis.h"

namespace gpulint {
namespace {

/// Names of the tasks in --task.
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
    find_match();
    for (std::size_t i = 0; i < placed_.reports.size(); ++i) {
      const PlacementReport& report = placed_.reports[i];
      for (std::size_t w = 0; w < report.names.size(); ++w) {
        ++result_.known;
        result_.names.push_back(printed_name(report, w));
        if (is_chosen(report, w)) result_.chosen.push_back(subject(report, *placed_.scopes[i], w));
      }
    }
    if (best_ == Match::part && parts_.size() > 1) {
      result_.chosen.clear();
      result_.ambiguous.assign(parts_.begin(), parts_.end());
    }
    return std::move(result_);
  }

 private:
  /// How well a name matches the requested one.
  enum class Match : std::uint8_t { none, part, whole };

  /// The best match of all workloads; names of workloads that share a last part.
  void find_match() {
    if (request_.workload.empty()) return;
    for (const PlacementReport& report : placed_.reports) {
      for (std::size_t w = 0; w < report.names.size(); ++w) {
        const Match match = match_of(report, w);
        best_ = std::max(best_, match);
        if (match == Match::part) parts_.insert(base_of(printed_name(report, w)));
      }
    }
  }

  [[nodiscard]] static std::string printed_name(const PlacementReport& report, std::size_t w) {
    const flyte::CompiledPod* const pod = report.compiled[w];
    return pod == nullptr ? report.names[w] : "task " + pod->task;
  }

  /// Without role and source, which distinguish the pods of one object.
  [[nodiscard]] static std::string base_of(const std::string& name) {
    std::size_t end = std::min(name.find(" ("), name.size());
    std::size_t slashes = 0;
    for (std::size_t i = 0; i < end; ++i) {
      if (name[i] == '/' && ++slashes == 3) end = i;
    }
    return name.substr(0, end);
  }

  [[nodiscard]] Match match_of(const PlacementReport& report, std::size_t w) const {
    const flyte::CompiledPod* const pod = report.compiled[w];
    for (const std::string_view prefix : {"task ", "assumed task "}) {
      if (!request_.workload.starts_with(prefix)) continue;
      const bool is_it = pod != nullptr && pod->task == request_.workload.substr(prefix.size());
      return is_it ? Match::whole : Match::none;
    }
    if (is_named(report.names[w])) return Match::whole;
    const std::string name = base_of(report.names[w]);
    const bool is_part = name.ends_with("/" + request_.workload) ||
                         (pod != nullptr && pod->task == request_.workload);
    return is_part ? Match::part : Match::none;
  }

  [[nodiscard]] bool is_chosen(const PlacementReport& report, std::size_t w) const {
    if (!request_.workload.empty()) {
      return best_ != Match::none && match_of(report, w) == best_;
    }
    if (request_.tasks.empty()) return true;
    const flyte::CompiledPod* const pod = report.compiled[w];
    if (pod == nullptr || pod->assumed) return false;
    // a --task without a name is named after its number
    return tasks_.contains(pod->task) || (tasks_.contains("") && pod->task.starts_with("task-"));
  }

  /// `Pod/default/train`; the namespace is optional, and a role may follow.
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
    result.subject.obstacles = report.obstacles[w];
    result.key = workload_key(report, w);
    result.subject.admission = assumed_admission(scope.corpus);
    result.subject.runtime_classes = &scope.corpus.runtime_classes;
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
  Match best_ = Match::none;
  std::set<std::string> parts_;
  WhySubjects result_;
};

}  // namespace

WhySubjects choose_subjects(const Placements& placed, const Request& request) {
  return Chooser(placed, request).run();
}

}  // namespace gpulint
