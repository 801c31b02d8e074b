// What `check` and `place` may not say of the same files: a workload that concerns GPUs and fits no
// node, or that the API server refuses, has a finding at its lines; one that fits has none of those
// that say that it does not. Over clusters made at random, the incidents and the corpus.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include "compiler/pipeline.h"
#include "compiler/place/placements.h"
#include "compiler/project/project.h"
#include "compiler/project/request.h"
#include "compiler/schedule/gpu_relation.h"
#include "compiler/schedule/placement_analysis.h"
#include "compiler/schedule/pool_accelerators.h"
#include "compiler/schedule/verdict.h"
#include "tests/harness/golden.h"
#include "tests/harness/random_cluster.h"

namespace {

using namespace gpulint;
namespace fs = std::filesystem;

/// Clusters of a short run; the environment variable GPULINT_CLUSTERS says otherwise.
[[nodiscard]] unsigned cluster_count() {
  const char* const said = std::getenv("GPULINT_CLUSTERS");
  return said == nullptr ? 400 : static_cast<unsigned>(std::strtoul(said, nullptr, 10));
}

/// Rules that say of a workload that no node takes it, or that there will be no pod of it.
[[nodiscard]] bool says_unplaced(std::string_view rule) {
  static constexpr auto rules = std::to_array<std::string_view>(
      {"contradictory-node-affinity", "invalid-toleration", "no-node-fits", "invalid-object",
       "request-exceeds-node", "resource-not-offered", "unmatched-node-selector",
       "untolerated-taint"});
  return std::ranges::find(rules, rule) != rules.end();
}

/// Names, references and what is missing are left out on purpose (rules/invalid-object): a patch or
/// an example has less than the object that becomes of it.
[[nodiscard]] bool decides_about_nodes(const ApiProblem& problem) {
  static constexpr auto parts = std::to_array<std::string_view>(
      {".resources.limits", ".resources.requests", ".tolerations[", "nodeSelector"});
  return problem.type != ApiErrorType::required &&
         std::ranges::any_of(parts, [&](std::string_view part) {
           return problem.path.find(part) != std::string::npos;
         });
}

class Comparison {
 public:
  explicit Comparison(const Request& request, const Overlay& overlay = {})
      : project_(load_project(request, overlay)),
        findings_(check_project(*project_, request)),
        placed_(place_workloads(*project_)) {}

  /// What one says and the other denies, a line each.
  [[nodiscard]] std::vector<std::string> differences() const {
    std::vector<std::string> lines;
    for (const PlacementReport& report : placed_.reports) {
      for (std::size_t w = 0; w < report.names.size(); ++w) {
        if (report.compiled[w] == nullptr) compare(report, w, lines);
      }
    }
    return lines;
  }

 private:
  void compare(const PlacementReport& report, std::size_t w,
               std::vector<std::string>& lines) const {
    const Workload& workload = *report.placement.workloads()[w];
    const auto refusal = std::ranges::find_if(report.refusals[w], decides_about_nodes);
    const bool is_refused = refusal != report.refusals[w].end();
    const bool is_stopped = passes(report.obstacles[w]) == Ternary::no;
    if (!is_refused && !is_stopped && !has_gpu_nodes(report.placement)) return;
    if (gpu_relation(workload.pod) == GpuRelation::none &&
        (is_refused || is_stopped || !selects_only_gpu_nodes(report.placement, w))) {
      return;
    }
    const Ternary best = report.placement.outlook(w).best;
    if (is_refused || is_stopped || (best == Ternary::no && !is_exempt(report, w))) {
      if (std::ranges::any_of(findings_, [&](const Diagnostic& finding) {
            return is_about(finding, workload) && finding.severity != Severity::info;
          })) {
        return;
      }
      lines.push_back(fmt::format("{}: {}, and check is silent", report.names[w],
                                  is_refused   ? refusal->detail
                                  : is_stopped ? first_of(report.obstacles[w])->reason
                                               : "fits no node"));
    }
    const bool is_rejected = !report.refusals[w].empty();
    const bool is_open = passes(report.obstacles[w]) != Ternary::yes || best != Ternary::yes;
    if (is_rejected || is_open || workload.kind.equals("DaemonSet")) return;
    for (const Diagnostic& finding : findings_) {
      if (!is_about(finding, workload) || !says_unplaced(finding.rule->id)) continue;
      lines.push_back(fmt::format("{}: fits, and check says {}: {}", report.names[w],
                                  finding.rule->id, finding.message));
    }
  }

  /// What rules leave alone on purpose: pods that do not wait for the scheduler, daemons of nodes
  /// that are not there, and nodes in a state that passes.
  [[nodiscard]] static bool is_exempt(const PlacementReport& report, std::size_t w) {
    const Placement& placement = report.placement;
    const Workload& workload = *placement.workloads()[w];
    if (!is_placement_known(workload)) return true;
    if (workload.kind.equals("DaemonSet") && !requests_gpu(workload.pod) &&
        !is_selecting(placement, w)) {
      return true;
    }
    for (std::size_t c = 0; c < placement.classes().size(); ++c) {
      const Assessment assessment = placement.assess(w, c);
      const bool passes = std::ranges::all_of(assessment.reasons, [](const Reason& reason) {
        return reason.holds != Ternary::yes || reason.is_transient;
      });
      // Of a pool that Karpenter refuses another rule speaks, and what would be made of it is open.
      const bool is_refused = std::ranges::any_of(assessment.reasons, [](const Reason& reason) {
        return reason.detail == "nodepool-invalid";
      });
      if (passes || is_refused) return true;
    }
    return false;
  }

  /// Where none is known, an autoscaler may hold them at zero.
  [[nodiscard]] static bool has_gpu_nodes(const Placement& placement) {
    return std::ranges::any_of(placement.cluster().pools, [](const NodePool& pool) {
      return has_accelerators(pool) == Ternary::yes;
    });
  }

  [[nodiscard]] static bool is_selected(const Placement& placement, std::size_t w, std::size_t c) {
    return std::ranges::none_of(placement.assess(w, c).reasons, [](const Reason& reason) {
      return reason.kind == ReasonKind::node_selector || reason.kind == ReasonKind::node_affinity ||
             reason.kind == ReasonKind::node_affinity_error;
    });
  }

  [[nodiscard]] static bool is_selecting(const Placement& placement, std::size_t w) {
    for (std::size_t c = 0; c < placement.classes().size(); ++c) {
      if (is_selected(placement, w, c)) return true;
    }
    return false;
  }

  /// Whether there are nodes with GPUs and without, and the pod selects some of the first alone.
  [[nodiscard]] static bool selects_only_gpu_nodes(const Placement& placement, std::size_t w) {
    std::map<Ternary, std::size_t> selected;
    std::size_t plain = 0;
    for (std::size_t c = 0; c < placement.classes().size(); ++c) {
      for (const std::size_t pool : placement.classes()[c].pools) {
        const Ternary has_gpus = has_accelerators(placement.cluster().pools[pool]);
        if (has_gpus == Ternary::no) ++plain;
        if (is_selected(placement, w, c)) ++selected[has_gpus];
      }
    }
    return plain > 0 && selected.size() == 1 && selected.contains(Ternary::yes);
  }

  /// Its own place, or one where it names the workload: of many that request one thing, one finding
  /// tells. A pod that is bound to its node may be what another one waits for.
  [[nodiscard]] static bool is_about(const Diagnostic& finding, const Workload& workload) {
    const Span whole = workload.object.span();
    const auto is_there = [&](Span span) {
      return span.file == whole.file && span.begin >= whole.begin && span.begin <= whole.end;
    };
    if (is_there(finding.span)) return true;
    return workload.pod.node_name.is_absent() &&
           std::ranges::any_of(finding.related, is_there, &Label::span);
  }

  std::unique_ptr<Project> project_;
  std::vector<Diagnostic> findings_;
  Placements placed_;
};

[[nodiscard]] Request request_for(std::vector<std::string> paths) {
  Request request;
  request.preview = true;
  request.no_config = true;
  request.jobs = 1;
  request.paths = std::move(paths);
  return request;
}

/// The folders of testdata/incidents, a set of files each.
[[nodiscard]] std::vector<std::vector<std::string>> incidents() {
  std::vector<std::vector<std::string>> all;
  const fs::path root = GPULINT_SOURCE_DIR "/testdata/incidents";
  for (const auto& folder : fs::directory_iterator(root)) {
    if (!folder.is_directory()) continue;
    std::vector<std::string>& files = all.emplace_back();
    for (const auto& entry : fs::directory_iterator(folder)) {
      const std::string extension = entry.path().extension();
      const bool is_input = extension == ".yaml" || extension == ".yml" || extension == ".json";
      if (is_input && entry.path().filename() != "expect.json") files.push_back(entry.path());
    }
    std::ranges::sort(files);
  }
  std::ranges::sort(all);
  return all;
}

}  // namespace

TEST_CASE("Of incidents check and place say the same") {
  const std::vector<std::vector<std::string>> all = incidents();
  CHECK(all.size() > 40);
  for (const std::vector<std::string>& files : all) {
    CAPTURE(files);
    CHECK(Comparison(request_for(files)).differences() == std::vector<std::string>{});
  }
}

TEST_CASE("Of the cases of rules check and place say the same") {
  const fs::path root = GPULINT_SOURCE_DIR "/rules";
  std::vector<std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    const bool is_case = entry.path().parent_path().filename() == "cases";
    if (is_case && entry.path().extension() == ".yaml") files.push_back(entry.path());
  }
  std::ranges::sort(files);
  CHECK(files.size() > 800);
  std::vector<std::string> found;
  for (const std::string& file : files) {
    const std::string name = fs::relative(file, root);
    for (const std::string& line : Comparison(request_for({file})).differences()) {
      found.push_back(name + ": " + line);
    }
  }
  CHECK(found == std::vector<std::string>{});
}

TEST_CASE("Of the corpus check and place say the same") {
  const std::string corpus = test::shared_folder("corpus");
  CHECK(Comparison(request_for({corpus})).differences() == std::vector<std::string>{});
}

TEST_CASE("Of random clusters check and place say the same") {
  const unsigned count = cluster_count();
  for (unsigned seed = 1; seed <= count; ++seed) {
    const auto cluster = test::make_random_cluster(seed);
    const Comparison comparison(
        request_for({"nodes.yaml", "workloads.yaml"}),
        {{"nodes.yaml", cluster.nodes}, {"workloads.yaml", cluster.workloads}});
    CAPTURE(seed, cluster.nodes, cluster.workloads);
    CHECK(comparison.differences() == std::vector<std::string>{});
  }
}
