#include "compiler/engine/rule.h"

#include <algorithm>
#include <string>

#include "compiler/ir/read.h"
#include "compiler/model/facts/gpu_resource.h"
#include "compiler/model/kinds/served_models.h"
#include "rules/missing-runtime-class/platform.h"
#include "rules/support/queries.h"

namespace gpulint::rules::missing_runtime_class {
namespace {

[[nodiscard]] NeededClass find_needed_class(const Corpus& corpus) {
  if (!corpus.settings->runtime_class.empty()) return {corpus.settings->runtime_class, {}};
  for (const KubernetesObject& object : corpus.objects) {
    if (!object.kind.equals("RuntimeClass")) continue;
    const Field<std::string> handler = read_string(object.node, "handler");
    const std::string name = object_name(object.node);
    if (handler.equals("nvidia") && !name.empty()) return {name, object.node.get("handler")};
  }
  if (const auto platform = find_platform(corpus.cluster)) {
    return {"nvidia", platform->evidence, platform->name};
  }
  return {};
}

/// The request for an NVIDIA device that the pod's containers make first; null where none does.
[[nodiscard]] const ResourceEntry* find_nvidia_request(const PodSpec& pod) {
  for (const Container& container : pod.containers) {
    const ResourceEntry* request = find_gpu_request(container);
    if (request != nullptr && is_nvidia_device(request->name.value) && requests_gpu(container)) {
      return request;
    }
  }
  return nullptr;
}

/// What is wanted of a pod that asks for an NVIDIA device and names no class.
void report_pod(const Corpus& corpus, const NeededClass& needed, const Workload& workload,
                Reporter& reporter) {
  const ResourceEntry* request = find_nvidia_request(workload.pod);
  if (request == nullptr || !workload.pod.runtime_class_name.is_absent()) return;
  // Of values the key says which of a chart's pods it is.
  const bool is_of_chart = workload.origin == Workload::Origin::values;
  const Node place =
      is_of_chart && workload.pod.node.key() ? workload.pod.node.key() : request->name.node;
  Finding finding = reporter.report(place, "a pod that requests `{}` names no runtime class",
                                    request->name.value);
  if (!needed.platform.empty()) {
    finding.related(needed.runtime_class, fmt::format("a node of {}", needed.platform))
        .help(
            "{} gives pods NVIDIA's runtime only with the runtime class `nvidia`, unless it is "
            "made the default",
            needed.platform);
  } else if (needed.runtime_class) {
    finding.related(needed.runtime_class, "this class suggests that GPUs need it")
        .help("without it the container may start without the driver's libraries");
  } else {
    finding.help("this cluster is declared to need `{}` for GPUs", needed.name);
  }
  offer_class(corpus, needed, workload.pod.node, finding);
}

/// Pods of Ollama's chart, whose template is known. Of layers any may name the class.
void check_chart_pods(const Corpus& corpus, const NeededClass& needed, Reporter& reporter) {
  const auto is_of_chart = [](const Workload& part) {
    return part.origin == Workload::Origin::values && part.pod.node;
  };
  const auto names_class = [&](const Workload& part) {
    return is_of_chart(part) && part.pod.node.get("runtimeClassName");
  };
  if (std::ranges::any_of(corpus.fragments, names_class)) return;
  for (const Workload& part : corpus.fragments) {
    if (is_of_chart(part) && is_ollama(part.pod.node)) report_pod(corpus, needed, part, reporter);
  }
}

void check(const Corpus& corpus, Reporter& reporter) {
  check_absent_class(corpus, reporter);
  const NeededClass needed = find_needed_class(corpus);
  check_daemons(corpus, needed, reporter);
  if (needed.name.empty()) return;
  for (const Workload& workload : corpus.workloads) {
    report_pod(corpus, needed, workload, reporter);
  }
  check_chart_pods(corpus, needed, reporter);
}

}  // namespace

extern constinit const Rule rule{.info = {.category = "resources",
                                          .severity = Severity::warning,
                                          .fix = FixAvailability::unsafe},
                                 .check = check};

}  // namespace gpulint::rules::missing_runtime_class
