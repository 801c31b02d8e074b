#include "rules/gpu-limit-missing/layers.h"

#include <string>
#include <string_view>

namespace gpulint::rules::gpu_limit_missing {
namespace {

/// Whether a file has the values of a chart as the chart itself comes: `values.yaml` next to
/// `Chart.yaml`. Others are layers over such a file.
[[nodiscard]] bool is_of_chart_itself(const SourceSet& sources, Node values) {
  const std::string& path = sources.file(values.span()).path();
  constexpr std::string_view name = "values.yaml";
  const bool is_named = path == name || path.ends_with("/values.yaml");
  return is_named &&
         sources.paths().contains(path.substr(0, path.size() - name.size()) + "Chart.yaml");
}

}  // namespace

bool may_have_limit_elsewhere(const Corpus& corpus, const Workload& workload,
                              const Container& container) {
  const Node requests = container.resources.requests_node;
  return workload.origin == Workload::Origin::values && requests.key().text() == "requests" &&
         !is_of_chart_itself(*corpus.sources, requests);
}

}  // namespace gpulint::rules::gpu_limit_missing
