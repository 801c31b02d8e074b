#include "rules/misplaced-resources/report_fields.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "compiler/edit/edits.h"
#include "compiler/model/gpu_resource.h"
#include "rules/misplaced-resources/field_homes.h"
#include "rules/support/queries.h"

namespace gpulint::rules::misplaced_resources {

void check_unknown_field(const Corpus& corpus, Reporter& reporter, Node key, std::string_view place,
                         const Workload* workload) {
  if (is_field_told_elsewhere(key)) return;
  const std::string_view written = key.text();
  const Node value = key.value();
  if (const Home* home = find_home(written)) {
    const bool is_of_operator = workload != nullptr && is_without_containers(*workload);
    reporter.report(key, "`{}` stands under {}, where nothing reads it", written, place)
        .help("it belongs to {}", is_of_operator ? "the fields of the pod" : home->place)
        .fix(Safety::unsafe, "move it there", move_home(corpus, value, workload));
    return;
  }
  const auto meant = nearest_home(written);
  if (!meant || key.parent().get(*meant)) {
    reporter.report(key, "`{}` is no field of {}, so nothing reads it", written, place)
        .help("`kubectl apply` refuses the object for it");
    return;
  }
  reporter.report(key, "`{}` is no field, so nothing reads it", written)
      .help("did you mean `{}`?", *meant)
      .fix(Safety::unsafe, fmt::format("rename to `{}`", *meant),
           replace_string(*corpus.sources, key, *meant));
}

namespace {

/// A key that is near to `resources`, with GPUs below, in a container that has no `resources`.
[[nodiscard]] bool are_misspelt_resources(const Container& container, const Node::Entry& entry) {
  if (entry.key.is_opaque() || container.node.get("resources")) return false;
  if (nearest_home(entry.key.text()) != "resources") return false;
  const auto names_gpus = [](const Node::Entry& amount) {
    return is_gpu_resource(amount.key.text());
  };
  return std::ranges::any_of(entry.value.fields(), [&](const Node::Entry& list) {
    return names_gpus(list) || std::ranges::any_of(list.value.fields(), names_gpus);
  });
}

}  // namespace

void check_fields(const Corpus& corpus, Reporter& reporter, const Workload& workload,
                  std::set<Span>& told) {
  for (const Container& container : workload.pod.containers) {
    for (const Node::Entry& entry : container.node.fields()) {
      if (!are_misspelt_resources(container, entry) || is_unknown_to_api(corpus, entry.key))
        continue;
      if (!told.insert(entry.key.span()).second) continue;
      check_unknown_field(corpus, reporter, entry.key, "a container", &workload);
    }
  }
  if (!may_request_gpu(workload.pod)) return;
  for (const auto& keys : {find_misspelt_fields(workload), find_fields_around(workload)}) {
    for (const Node key : keys) {
      if (is_unknown_to_api(corpus, key) || !told.insert(key.span()).second) continue;
      check_unknown_field(corpus, reporter, key, describe_owner(key), &workload);
    }
  }
}

void report_dynamo_amounts(Reporter& reporter, const Workload& workload) {
  const bool is_dynamo = workload.kind.equals("DynamoGraphDeployment") ||
                         workload.kind.equals("DynamoComponentDeployment");
  if (!is_dynamo || workload.pod.node.get("containers")) return;
  for (const Container& container : workload.pod.containers) {
    const ResourceRequirements& resources = container.resources;
    for (const auto& [place, list] :
         {std::pair<std::string_view, Node>("limits", resources.limits_node),
          {"requests", resources.requests_node}}) {
      for (const Node::Entry& entry : list.fields()) {
        const std::string_view name = entry.key.text();
        if (name.find('/') == name.npos || !is_gpu_resource(name)) continue;
        reporter.report(entry.key, "`{}` stands under `{}`, where nothing reads it", name, place)
            .help("Dynamo counts GPUs under `gpu`; other resources belong under `custom`");
      }
    }
  }
}

}  // namespace gpulint::rules::misplaced_resources
