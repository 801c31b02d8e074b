#include "compiler/engine/rule.h"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "compiler/edit/edits.h"
#include "compiler/model/facts/gpu_resource.h"
#include "compiler/model/kubernetes_names.h"
#include "rules/support/queries.h"

namespace gpulint::rules::gpu_limit_missing {
namespace {

/// Whether the file is a chart's own `values.yaml`, next to `Chart.yaml`. Other files override it.
[[nodiscard]] bool is_of_chart_itself(const SourceSet& sources, Node values) {
  const std::string& path = sources.file(values.span()).path();
  constexpr std::string_view name = "values.yaml";
  const bool is_named = path == name || path.ends_with("/values.yaml");
  return is_named &&
         sources.paths().contains(path.substr(0, path.size() - name.size()) + "Chart.yaml");
}

/// Whether a limit that these values lack may be in other values. JupyterHub's own values have
/// none.
[[nodiscard]] bool may_have_limit_elsewhere(const Corpus& corpus, const Workload& workload,
                                            const Container& container) {
  const Node requests = container.resources.requests_node;
  return workload.origin == Workload::Origin::values && requests.key().text() == "requests" &&
         !is_of_chart_itself(*corpus.sources, requests);
}

/// Names that the API server treats as extended resources and that no other rule reports.
[[nodiscard]] bool needs_equal_limit(std::string_view name) {
  using Kind = GpuResource::Kind;
  const Kind kind = classify_resource(name).kind;
  return kind != Kind::none && kind != Kind::removed && kind != Kind::near_miss &&
         is_label_key(name) && name.find("kubernetes.io/") == std::string_view::npos;
}

[[nodiscard]] const ResourceEntry* find(const std::vector<ResourceEntry>& list,
                                        std::string_view name) {
  const auto at = std::ranges::find(
      list, name, [](const ResourceEntry& e) -> std::string_view { return e.name.value; });
  return at == list.end() ? nullptr : &*at;
}

/// The amount as written; empty if there is none, and then there is no fix.
[[nodiscard]] std::string_view written_amount(const SourceSet& sources,
                                              const ResourceEntry& entry) {
  return entry.amount.node().is_null() ? std::string_view{} : sources.text(entry.amount.span());
}

/// The key of the limits next to these requests; empty if it is unknown. KubeSpawner 7 has no
/// `limits`: its traits are `extra_resource_guarantees` and
/// `extra_resource_limits`.
[[nodiscard]] std::string_view limits_key(Node requests) {
  const std::string_view key = requests.key().text();
  if (key == "requests" || key == "guarantees") return "limits";
  return key == "extra_resource_guarantees" ? "extra_resource_limits" : "";
}

/// Whether the file has another key for the resource: `gpu` for `nvidia.com/gpu`.
[[nodiscard]] bool is_written_otherwise(const ResourceEntry& request) {
  const Node key = request.name.node;
  return key && !key.key() && !key.is_opaque() && key.text() != request.name.value;
}

/// `` `nvidia.com/gpu` ``; ``` `gpu` (`nvidia.com/gpu`) ``` if the key in the file is `gpu`.
[[nodiscard]] std::string describe_resource(const ResourceEntry& request) {
  const std::string name = fmt::format("`{}`", request.name.value);
  return is_written_otherwise(request) ? fmt::format("`{}` ({})", request.name.node.text(), name)
                                       : name;
}

[[nodiscard]] std::vector<Edit> add_limit(const SourceSet& sources, const Container& container,
                                          const ResourceEntry& request) {
  const std::string_view amount = written_amount(sources, request);
  // An operator may have another field for a limit.
  if (request.name.node.text() != request.name.value || request.name.node.key()) return {};
  // An invalid amount is also rejected as a limit; fractional-gpu reports it.
  const auto is_refused = [](const Quantity& asked) {
    return !asked.is_whole() || asked.is_negative();
  };
  if (amount.empty() || (request.amount.is_known() && is_refused(request.amount.value()))) {
    return {};
  }
  if (const Node limits = container.resources.limits_node) {
    return insert_entry(sources, limits, request.name.value, amount);
  }
  const Node resources = container.resources.node;
  const std::string_view key = limits_key(container.resources.requests_node);
  if (key.empty()) return {};
  return resources.style() == Style::flow
             ? insert_flow_map(sources, resources, key, request.name.value, amount)
             : insert_entry(sources, resources, key,
                            fmt::format("\n  {}: {}", yaml_string(request.name.value), amount));
}

[[nodiscard]] std::vector<Edit> copy_limit(const SourceSet& sources, const ResourceEntry& request,
                                           const ResourceEntry& limit) {
  const std::string_view amount = written_amount(sources, limit);
  if (amount.empty()) return {};
  return replace_raw(sources, request.amount.node(), amount);
}

void report_open_limit(const Corpus& corpus, Reporter& reporter, const Container& container,
                       const ResourceEntry& request) {
  const std::string_view name = request.name.value;
  reporter
      .report_key(request.amount.node(), "these values request {}, but set no limit for it",
                  describe_resource(request))
      .severity(Severity::info)
      .help(
          "set the limit here or in the default values of the chart. Otherwise the API server "
          "rejects the pod")
      .fix(Safety::unsafe, fmt::format("add an equal limit for `{}`", name),
           add_limit(*corpus.sources, container, request));
}

void check_request(const Corpus& corpus, Reporter& reporter, const Workload& workload,
                   const Container& container, const ResourceEntry& request) {
  const std::string_view name = request.name.value;
  const ResourceEntry* limit = find(container.resources.limits, name);
  // A limit is required for any value of a variable. One with an empty default may become null.
  const bool is_variable = request.amount.is_opaque() && limit == nullptr &&
                           request.amount.node().text().find(":-") == std::string_view::npos &&
                           workload.origin == Workload::Origin::manifest;
  if ((!request.amount.is_known() && !is_variable) || !needs_equal_limit(name)) return;
  if (limit == nullptr && may_have_limit_elsewhere(corpus, workload, container)) {
    return report_open_limit(corpus, reporter, container, request);
  }
  if (limit == nullptr) {
    std::vector<Edit> edits = add_limit(*corpus.sources, container, request);
    Finding finding =
        reporter.report_key(request.amount.node(), "{} requests {}, but sets no limit for it",
                            describe(container), describe_resource(request));
    if (edits.empty()) {
      finding.help(
          "add a limit that is equal to the request. Otherwise the API server rejects the object");
      return;
    }
    finding
        .help(
            "the API server rejects the object, because the request of an extended resource needs "
            "an equal limit")
        .fix(Safety::safe, fmt::format("add an equal limit for `{}`", name), std::move(edits));
    return;
  }
  if (!limit->amount.is_known() || limit->amount.value() == request.amount.value()) return;
  reporter
      .report(request.amount.node(), "{} requests {} {}, but the limit is {}", describe(container),
              request.amount.value().to_string(), describe_resource(request),
              limit->amount.value().to_string())
      .related(limit->amount.node(), "this limit is not equal to the request")
      .help(
          "remove the request, or set the request to {}. Otherwise the API server rejects the "
          "object",
          limit->amount.value().to_string())
      .fix(Safety::safe, "set the request to the limit",
           copy_limit(*corpus.sources, request, *limit));
}

void check(const Corpus& corpus, Reporter& reporter) {
  std::set<std::pair<const Document*, NodeIndex>> told;  // containers may share one by an anchor
  std::vector<const Workload*> judged;
  for (const Workload& workload : corpus.workloads) judged.push_back(&workload);
  for (const Workload& part : corpus.fragments) {  // the base of a patch may have the limit
    if (part.origin == Workload::Origin::values) judged.push_back(&part);
  }
  for (const Workload* const workload : judged) {
    for (const Container& container : workload->pod.containers) {
      if (container.resources.opaque) continue;
      const Node shared = container.resources.requests_node;
      if (shared && !told.emplace(shared.document(), shared.index()).second) continue;
      for (const ResourceEntry& request : container.resources.requests) {
        check_request(corpus, reporter, *workload, container, request);
      }
    }
  }
}

}  // namespace

extern constinit const Rule rule{.info = {.category = "resources", .fix = FixAvailability::safe},
                                 .check = check};

}  // namespace gpulint::rules::gpu_limit_missing
